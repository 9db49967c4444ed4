// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of plans as a comment under a pull request.
//
// What a reviewer needs stands open: the verdict, the candidates that moved, why. The rest is
// folded. It reads as plain text, too: no images, no symbols that need a font.
#include <algorithm>
#include <cmath>

#include "reports/diff_report.h"
#include "reports/diff_view.h"
#include "reports/markdown_text.h"
#include "reports/number_format.h"
#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

using markup::code;
using markup::escaped;
using search::CandidateComparison;
using search::Change;
using search::ChangedValue;
using search::ChangeKind;
using search::Comparison;
using search::Quantity;

/// "training.tokens −, price +": the two changes that move the cost most, or the days.
std::string because(const Comparison& comparison, const CandidateComparison& c, Language language) {
    if (!c.before || !c.after) return {};
    const Reasons reasons = reasonsOf(c);
    const bool byCost = c.moves[static_cast<std::size_t>(Quantity::Cost)].attribution.hasShares() &&
                        hasMoved(c.moves[static_cast<std::size_t>(Quantity::Cost)]);
    const std::size_t q = byCost ? 1 : 0;
    std::string out;
    int taken = 0;
    for (const ReasonRow& row : reasons.rows) {
        if (taken == 2 || !row.shares[q] || *row.shares[q] == 0) continue;
        ++taken;
        const std::string title = say(
            row.isRest ? text("not explained") : changeTitleWithin(comparison.changes[row.change]),
            language);
        out += (out.empty() ? "" : ", ") + escaped(title) + (*row.shares[q] < 0 ? " −" : " +");
    }
    return out;
}

std::string candidateRow(const Comparison& comparison, const CandidateComparison& c,
                         Language language) {
    std::string out = "| " + escaped(markText(c)) + " | " + escaped(c.name());
    for (Quantity quantity : {Quantity::Days, Quantity::Cost})
        out += " | " + say(Argument(movedText(quantity, c)), language);
    return out + " | " + because(comparison, c, language) + " |\n";
}

std::string candidateHead(Language language) {
    return say(text("| {1} | {2} | {3} | {4} | {5} |", text("rank"), text("candidate"),
                    text("days"), text("M USD"), text("because")),
               language) +
           "\n|---|---|--:|--:|---|\n";
}

/// A row a change: what it moves of the cost and the days of each candidate.
std::string reasonTable(const Comparison& comparison,
                        const std::vector<const CandidateComparison*>& candidates,
                        Language language) {
    std::string rows;
    for (const CandidateComparison* c : candidates) {
        const Reasons reasons = reasonsOf(*c);
        for (const ReasonRow& row : reasons.rows) {
            const auto cell = [&](std::size_t q) {
                return row.shares[q]
                           ? say(Argument(shareText(*row.shares[q], reasons.decimals[q])), language)
                           : std::string("–");
            };
            if (cell(0) == "0" && cell(1) == "0") continue;
            std::string title = say(text("not explained"), language);
            if (!row.isRest) {
                const Change& change = comparison.changes[row.change];
                title = escaped(say(changeTitleWithin(change), language)) + ", " +
                        escaped(say(Argument(valuesText(change)), language));
            }
            rows += "| " + escaped(c->name()) + " | " + title + " | " + cell(0) + " | " + cell(1) +
                    " |\n";
        }
    }
    if (rows.empty()) return {};
    return say(text("| {1} | {2} | {3} | {4} |", text("candidate"), text("change"), text("days"),
                    text("M USD")),
               language) +
           "\n|---|---|--:|--:|\n" + rows;
}

std::string folded(const std::string& summary, const std::string& body) {
    return "\n<details><summary>" + summary + "</summary>\n\n" + body + "\n</details>\n";
}

constexpr std::size_t kMostValues = 12;  // of one change

std::string changeLines(const Comparison& comparison, Language language) {
    std::string out;
    for (const Change& change : comparison.changes) {
        const std::size_t all = change.values.size();
        const std::size_t listed = all > kMostValues + 1 ? kMostValues : all;
        for (std::size_t i = 0; i < listed; ++i) {
            const ChangedValue& value = change.values[i];
            const bool isInput = change.kind == ChangeKind::Input;
            const std::string label = change.kind == ChangeKind::Price
                                          ? escaped(say(changeTitle(change), language))
                                          : code(value.path);
            out += "- " + label + ": ";
            const auto side = [&](bool after) {
                const auto& own = after ? value.after : value.before;
                const std::string shown = valueText(change, value, after);
                const std::string& seen = after ? value.seenAfter : value.seenBefore;
                if (!own) return say(text(isInput ? "not given" : "none"), language);
                return (isInput ? code(shown) : escaped(shown)) +
                       (seen.empty() ? std::string() : " (" + escaped(seen) + ")");
            };
            out += side(false) + " → " + side(true) + "\n";
        }
        if (listed < all)
            out += "- " +
                   say(text("{1} more of {2}", count(static_cast<double>(all - listed)),
                            code(change.path)),
                       language) +
                   "\n";
    }
    return out;
}

}  // namespace

std::string diffMarkdown(const Comparison& comparison, const DiffContext& /*context*/,
                         Language language) {
    std::string out = "## trainwright: " + escaped(comparison.after.name) + "\n\n";
    const std::vector<Text> verdict = diffVerdict(comparison);
    for (std::size_t i = 0; i < verdict.size(); ++i) {
        const std::string sentence = escaped(say(verdict[i], language));
        out += i == 0 ? "**" + sentence + "**\n" : sentence + "\n";
    }

    std::vector<const CandidateComparison*> open, rest;
    for (const CandidateComparison& c : comparison.candidates)
        if (hasMoved(c)) (isOfNote(c) ? open : rest).push_back(&c);
    std::string rows, restRows, notes;
    for (const CandidateComparison* c : open) {
        rows += candidateRow(comparison, *c, language);
        for (const Text& note : candidateNotes(comparison, *c))
            notes += "- " + escaped(c->name()) + ": " + escaped(say(note, language)) + "\n";
    }
    for (const CandidateComparison* c : rest) restRows += candidateRow(comparison, *c, language);
    if (!rows.empty()) out += "\n" + candidateHead(language) + rows;
    if (!notes.empty()) out += "\n" + notes;
    if (const std::string reasons = reasonTable(comparison, open, language); !reasons.empty())
        out += folded(say(text("How much of each move each change explains"), language), reasons);
    if (!restRows.empty())
        out += folded(say(text(rest.size() == 1 ? "1 candidate moved by less than 1%"
                                                : "{1} candidates moved by less than 1%",
                               count(static_cast<double>(rest.size()))),
                          language),
                      candidateHead(language) + restRows);
    if (!comparison.changes.empty())
        out += folded(escaped(say(changesSummary(comparison), language)),
                      changeLines(comparison, language));
    if (!comparison.notes.empty()) out += "\n";
    for (const Text& note : comparison.notes) out += escaped(say(note, language)) + "\n";

    const search::ComparedPlan& a = comparison.before;
    const search::ComparedPlan& b = comparison.after;
    const bool isSameCatalog = a.catalogHash == b.catalogHash;
    out += "\n" +
           escaped(say(isSameCatalog ? text("Against {1}; catalog {2}.", a.name, b.catalogVersion)
                                     : text("Against {1}; catalog {2} → {3}.", a.name,
                                            a.catalogVersion, b.catalogVersion),
                       language)) +
           "\n";
    return out;
}

}  // namespace trainwright::reports
