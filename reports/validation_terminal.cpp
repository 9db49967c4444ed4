// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "reports/number_format.h"
#include "reports/terminal_text.h"
#include "reports/validation_report.h"
#include "reports/validation_view.h"

namespace trainwright::reports {
namespace {

using belief::ErrorSummary;
using belief::RunError;
using belief::RunErrors;

constexpr std::size_t kWorstRows = 10;
constexpr std::size_t kNoteIndent = 3;

std::vector<std::string> summaryCells(const std::string& name, const ErrorSummary& s) {
    if (s.rows == 0) return {name, "0", count(s.skipped), "–", "–", "–", "–"};
    return {name,
            count(s.rows),
            count(s.skipped),
            errorText(s.medianAbsolute),
            errorText(s.meanAbsolute),
            errorText(s.p90Absolute),
            signedErrorText(s.meanError)};
}

std::string summaries(const char* title, const std::map<std::string, ErrorSummary>& groups,
                      const TerminalStyle& style) {
    TextTable table({{title, false, 0, 39},
                     {"runs", true, 0},
                     {"skipped", true, 3},
                     {"median |error|", true, 0},
                     {"mean |error|", true, 1},
                     {"P90 |error|", true, 0},
                     {"mean error", true, 2}});
    std::size_t unseen = 0;
    for (const auto& [name, s] : groups) {
        if (s.rows > 0) {
            table.add(summaryCells(bothEnds(name), s));
        } else {
            ++unseen;
        }
    }
    std::string out = table.render(style);
    if (unseen > 0) {
        out += wrapped(
            Text{"{1} more have no run that can be compared.", {count(static_cast<double>(unseen))}}
                .english(),
            style, kNoteIndent);
    }
    return out;
}

std::string rowTable(const std::vector<const RunError*>& rows, const TerminalStyle& style) {
    TextTable table({{"run", false, 0, 16},
                     {"accelerator", false, 2, 8},
                     {"software", false, 3, 8},
                     {"measured", true, 0},
                     {"predicted", true, 0},
                     {"error", true, 0},
                     {"gr", false, 0, 2},
                     {"layout", false, 1, 10}});
    for (const RunError* r : rows) {
        if (!r->isCompared()) {
            table.add({r->id, r->accelerator, "", "–", "–", "–", "", ""}, Ink::Dim);
            table.note(r->skipped.english(), kNoteIndent);
            continue;
        }
        table.add({r->id, r->accelerator, r->software, seconds(units::Seconds(r->measuredSeconds)),
                   seconds(units::Seconds(r->predictedSeconds)), signedErrorText(r->error()),
                   belief::name(r->grade), r->layout});
    }
    return table.render(style);
}

}  // namespace

std::string validationTerminal(const RunErrors& errors, const TerminalStyle& style,
                               const ValidationContext& context) {
    std::string out =
        inked(wrapped("Predicted against measured step times", style), Ink::Bold, style);
    out += wrapped(
        Text{"{1}; calibration: {2}", {context.runsTitle, context.calibrationTitle}}.english(),
        style);
    out += "\n" + wrapped(sentenceOf(errors).english(), style);
    if (errors.memory.rows > 0) out += wrapped(memorySentenceOf(errors).english(), style);
    out += heading(text("By accelerator"), style) +
           summaries("accelerator", errors.byAccelerator, style);
    out += heading(text("By source"), style) + summaries("source", errors.bySource, style);
    if (context.allRows) {
        std::vector<const RunError*> all;
        for (const RunError& r : errors.rows) all.push_back(&r);
        return out + heading(text("Every run"), style) + rowTable(all, style);
    }
    const std::vector<const RunError*> worst = worstRows(errors, kWorstRows);
    if (!worst.empty()) out += heading(text("Farthest off"), style) + rowTable(worst, style);
    const std::vector<std::pair<Text, int>> reasons = skippedBy(errors);
    if (!reasons.empty()) {
        out += heading(text("Not compared"), style);
        TextTable table({{"runs", true, 0}, {"because", false, 0, 20}});
        for (const auto& [reason, number] : reasons) table.add({count(number), reason.english()});
        out += table.render(style);
    }
    return out + "\n" + wrapped("Every run: trainwright validate --all", style);
}

std::string calibrationTerminal(const belief::Calibration& c, const std::vector<RunErrors>& errors,
                                double coverage, const TerminalStyle& style,
                                const ValidationContext& context) {
    std::string out =
        inked(wrapped("Factors of the catalog's figures, fitted to measured runs", style),
              Ink::Bold, style);
    out += wrapped(context.calibrationTitle, style);
    TextTable sets({{"runs from", false, 0, 20}, {"compared", true, 0}, {"hash", false, 1, 16}});
    for (const belief::RunSet& s : c.runSets) sets.add({s.title, count(s.rows), s.hash});
    out += "\n" + sets.render(style);

    out += heading(text("Factors"), style);
    TextTable factors({{"figure", false, 0, 12},
                       {"of", false, 0, 16},
                       {"factor", true, 0},
                       {"standard error", true, 0},
                       {"runs", true, 1}});
    for (const belief::Factor& f : c.factors)
        factors.add({figureName(f.physics), f.subject, factorText(f), errorText(f.standardError),
                     count(f.rows)});
    out += factors.render(style);

    for (const bool bySource : {false, true}) {
        out += heading(bySource ? text("Errors by source") : text("Errors by accelerator"), style);
        TextTable table({{bySource ? "source" : "accelerator", false, 0, 39},
                         {"runs", true, 0},
                         {"as published", true, 2},
                         {"fitted", true, 0},
                         {"group left out", true, 0},
                         {"P90", true, 1},
                         {"source left out", true, 3}});
        for (const FitErrors& e : fitErrors(errors, bySource))
            table.add(
                {bothEnds(e.name), count(e.fitted.rows), errorText(e.uncalibrated.medianAbsolute),
                 errorText(e.fitted.medianAbsolute), errorText(e.groupLeftOut.medianAbsolute),
                 errorText(e.groupLeftOut.p90Absolute), errorText(e.sourceLeftOut.medianAbsolute)});
        out += table.render(style);
    }
    out +=
        "\n" + wrapped(
                   "Medians of the absolute error of the step time: with the catalog's figures as "
                   "they are; fitted; with the source's runs of that model and system left out of "
                   "the fit, and their P90; with the whole source left out.",
                   style);
    out += "\n" + wrapped(coverageSentence(coverage).english(), style);
    out += wrapped(residualSentence(c).english(), style);
    return out;
}

}  // namespace trainwright::reports
