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

std::vector<Argument> summaryCells(const Argument& name, const ErrorSummary& s) {
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
                      const ErrorSummary& all, const TerminalStyle& style) {
    TextTable table({{title, false, 0, 16, true},
                     {"runs", true, 0},
                     {"skipped", true, 2},
                     {"median", true, 0},
                     {"mean", true, 3},
                     {"P90", true, 0},
                     {"signed mean", true, 1}});
    table.nameLeftOut();
    std::size_t unseen = 0;
    for (const auto& [name, s] : groups) {
        if (s.rows > 0) {
            table.add(summaryCells(name, s));
        } else {
            ++unseen;
        }
    }
    if (groups.size() > 1) {
        table.rule();
        table.add(summaryCells(text("all runs"), all));
    }
    std::string out = table.render(style);
    if (unseen > 0) {
        out += wrapped(Text{"{1} more have no run that can be compared.",
                            {count(static_cast<double>(unseen))}},
                       style, kNoteIndent);
    }
    return out;
}

std::string rowTable(const std::vector<const RunError*>& rows, const TerminalStyle& style) {
    TextTable table({{"run", false, 0, 28, true},
                     {"accelerator", false, 3, 14},
                     {"software", false, 1, 24},
                     {"measured", true, 0},
                     {"predicted", true, 0},
                     {"error", true, 0},
                     {"gr", false, 0, 2},
                     {"layout", false, 2, 18}});
    for (const RunError* r : rows) {
        if (!r->isCompared()) {
            table.add({r->id, r->accelerator, "", "–", "–", "–", "", ""}, Ink::Dim);
            table.note(r->skipped, kNoteIndent);
            continue;
        }
        table.add({r->id, r->accelerator, r->software, seconds(units::Seconds(r->measuredSeconds)),
                   seconds(units::Seconds(r->predictedSeconds)), signedErrorText(r->error()),
                   belief::name(r->grade), r->layout});
    }
    return table.render(style);
}

std::string fitTable(const std::vector<RunErrors>& errors, Grouping grouping,
                     const TerminalStyle& style) {
    const bool bySource = grouping == Grouping::Source;
    TextTable table({{bySource ? "source" : "accelerator", false, 0, 16, true},
                     {"runs", true, 0},
                     {"published", true, 1},
                     {"fitted", true, 0},
                     {"group out", true, 0},
                     {"source out", true, 2}});
    table.nameLeftOut();
    const auto add = [&](const FitErrors& e) {
        table.add({e.name, count(e.rows), tripleText(e.uncalibrated), tripleText(e.fitted),
                   tripleText(e.groupLeftOut), tripleText(e.sourceLeftOut)});
    };
    const std::vector<FitErrors> groups = fitErrors(errors, grouping);
    for (const FitErrors& e : groups) add(e);
    if (groups.size() > 1) {
        table.rule();
        for (const FitErrors& e : fitErrors(errors, Grouping::All)) add(e);
    }
    return heading(bySource ? text("Errors by source") : text("Errors by accelerator"), style) +
           table.render(style);
}

}  // namespace

std::string validationTerminal(const RunErrors& errors, const TerminalStyle& style,
                               const ValidationContext& context) {
    std::string out =
        inked(wrapped(text("Predicted against measured step times"), style), Ink::Bold, style);
    out += wrapped(Text{"{1}; calibration: {2}",
                        {Text{context.runsTitle, {}}, Text{context.calibrationTitle, {}}}},
                   style);
    out += "\n" + wrapped(sentenceOf(errors), style);
    if (errors.memory.rows > 0) out += wrapped(memorySentenceOf(errors), style);
    if (!errors.choice.jobs.empty()) out += wrapped(choiceSentenceOf(errors), style);
    out += heading(text("Absolute errors by accelerator"), style) +
           summaries("accelerator", errors.byAccelerator, errors.summary, style);
    out += heading(text("Absolute errors by source"), style) +
           summaries("source", errors.bySource, errors.summary, style);
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
        for (const auto& [reason, number] : reasons) table.add({count(number), reason});
        out += table.render(style);
    }
    const std::string command = context.command.empty() ? "trainwright validate" : context.command;
    return out + "\n" + wrapped(Text{"Every run: {1} --all", {command}}, style);
}

std::string calibrationTerminal(const belief::Calibration& c, const std::vector<RunErrors>& errors,
                                double coverage, const TerminalStyle& style,
                                const ValidationContext& context) {
    std::string out =
        inked(wrapped(text("Factors of the catalog's figures, fitted to measured runs"), style),
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

    for (const Grouping grouping : {Grouping::Accelerator, Grouping::Source})
        out += fitTable(errors, grouping, style);
    out += "\n" + wrapped(fitErrorsNote(), style);
    out += "\n" + wrapped(coverageSentence(coverage), style);
    out += wrapped(residualSentence(c), style);
    return out;
}

}  // namespace trainwright::reports
