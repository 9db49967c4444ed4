// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of plans as a document, and that as text.
#include <algorithm>
#include <limits>

#include "reports/diff_report.h"
#include "reports/diff_view.h"
#include "reports/document_parts.h"
#include "reports/number_format.h"
#include "reports/section_text.h"
#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

using search::CandidateComparison;
using search::Change;
using search::ChangedValue;
using search::ChangeKind;
using search::Comparison;
using search::Move;
using search::Quantity;

constexpr std::size_t kFiguresOnATerminal = 12;  // of one change

/// Where there is no room, energy and power go first.
int dropOrderOf(Quantity quantity) {
    switch (quantity) {
        case Quantity::AveragePower:
            return 1;
        case Quantity::Mfu:
            return 2;
        case Quantity::Energy:
            return 3;
        default:
            return 0;
    }
}

Cell movedCell(Quantity quantity, const CandidateComparison& c) {
    Cell cell = name(movedText(quantity, c));
    cell.number = c.moves[static_cast<std::size_t>(quantity)].after;
    return cell;
}

std::string finishText(const CandidateComparison& c) {
    const std::string& finish = c.after ? c.after->finish : c.before->finish;
    return finish.empty() ? "–" : finish;
}

Table candidateTable(const Comparison& comparison) {
    Table table;
    table.id = "candidates";
    table.columns = {{text("candidate"), false, true}, {text("rank"), false}};
    for (Quantity quantity : shownQuantities())
        table.columns.push_back({quantityTitle(quantity), true, false, dropOrderOf(quantity)});
    table.columns.push_back({text("finish"), false, false, 4});
    RowGroup group;
    for (const CandidateComparison& c : comparison.candidates) {
        Row row;
        row.cells = {name(c.name()), name(markText(c))};
        for (Quantity quantity : shownQuantities()) row.cells.push_back(movedCell(quantity, c));
        row.cells.push_back(name(finishText(c)));
        row.notes = candidateNotes(comparison, c);
        if (!hasMoved(c)) row.tone = Tone::Quiet;
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    table.footnotes = {
        text("– misses a limit; ? no price known; × doesn't fit; one value: it stays.")};
    return table;
}

Cell shareCell(const std::optional<double>& share, int decimals) {
    if (!share) return doesNotApply();
    Cell cell = name(shareText(*share, decimals));
    cell.number = share;
    return cell;
}

Table reasonTable(const Comparison& comparison) {
    Table table;
    table.id = "reasons";
    table.sortable = false;
    table.columns = {{text("change"), false, true}};
    const auto& quantities = shownQuantities();
    const auto hasAlone = [](Quantity q) { return q == Quantity::Days || q == Quantity::Cost; };
    for (Quantity quantity : quantities) {
        table.columns.push_back({quantityTitle(quantity), true, false, dropOrderOf(quantity)});
        if (hasAlone(quantity)) table.columns.push_back({text("alone"), true, false, 4});
    }
    bool anyRest = false;
    for (const CandidateComparison& c : comparison.candidates) {
        if (!c.before || !c.after) continue;
        const Reasons reasons = reasonsOf(c);
        if (reasons.rows.empty() && reasons.notes.empty()) continue;
        RowGroup group;
        group.title = verbatim(c.name());
        for (const ReasonRow& reason : reasons.rows) {
            Row row;
            anyRest = anyRest || reason.isRest;
            row.cells = {words(reason.isRest
                                   ? text("not explained")
                                   : changeTitleWithin(comparison.changes[reason.change]))};
            for (std::size_t q = 0; q < quantities.size(); ++q) {
                row.cells.push_back(shareCell(reason.shares[q], reasons.decimals[q]));
                if (hasAlone(quantities[q]))
                    row.cells.push_back(shareCell(reason.alone[q], reasons.decimals[q]));
            }
            group.rows.push_back(std::move(row));
        }
        Row total;
        total.isTotal = true;
        total.cells = {words(text("move"))};
        for (Quantity quantity : quantities) {
            const Move& move = c.moves[static_cast<std::size_t>(quantity)];
            const std::string difference = differenceText(quantity, move);
            const bool isKnown = move.difference().has_value();
            total.cells.push_back(name(!isKnown ? "–" : difference.empty() ? "0" : difference));
            if (hasAlone(quantity)) total.cells.push_back(name(""));
        }
        total.notes = reasons.notes;
        group.rows.push_back(std::move(total));
        table.groups.push_back(std::move(group));
    }
    table.footnotes.push_back(
        text("A share is what the change adds to those made before it, averaged over the orders of "
             "making them; alone: what it moves if nothing else changes."));
    if (anyRest)
        table.footnotes.push_back(
            text("Not explained: another version of the program, or what a kept result doesn't "
                 "hold."));
    return table;
}

Table inputTable(const Comparison& comparison) {
    Table table;
    table.id = "inputs";
    table.columns = {{text("input"), false, true}, {text("before"), false}, {text("after"), false}};
    RowGroup group;
    for (const Change& change : comparison.changes) {
        if (change.kind != ChangeKind::Input) continue;
        for (const ChangedValue& value : change.values) {
            Row row;
            row.cells = {name(value.path), name(valueText(change, value, false)),
                         name(valueText(change, value, true))};
            if (change.isWords) row.tone = Tone::Quiet;
            group.rows.push_back(std::move(row));
        }
    }
    table.groups = {std::move(group)};
    return table;
}

/// Of each change at most `most` values.
Table figureTable(const Comparison& comparison, std::size_t most) {
    Table table;
    table.id = "figures";
    table.columns = {{text("figure"), false, true},
                     {text("before"), true},
                     {text("after"), true},
                     {text("seen"), false, false, 1}};
    RowGroup group;
    for (const Change& change : comparison.changes) {
        if (change.kind == ChangeKind::Input) continue;
        const std::size_t shown = change.values.size() > most + 1 ? most : change.values.size();
        for (std::size_t i = 0; i < shown; ++i) {
            const ChangedValue& value = change.values[i];
            Row row;
            const Text label =
                change.kind == ChangeKind::Price ? changeTitle(change) : verbatim(value.path);
            std::string seen = value.seenBefore;
            if (value.seenAfter != value.seenBefore)
                seen = (seen.empty() ? "–" : seen) + " → " +
                       (value.seenAfter.empty() ? "–" : value.seenAfter);
            row.cells = {words(label), name(valueText(change, value, false)),
                         name(valueText(change, value, true)), name(seen)};
            if (i + 1 == shown && shown < change.values.size())
                row.notes.push_back(text("{1} more, in JSON and HTML.",
                                         count(static_cast<double>(change.values.size() - shown))));
            group.rows.push_back(std::move(row));
        }
    }
    table.groups = {std::move(group)};
    return table;
}

Section section(const char* id, Text title, Text answer, Table table) {
    Section out;
    out.id = std::string("section-") + id;
    out.title = std::move(title);
    out.answer = std::move(answer);
    out.blocks.emplace_back(std::move(table));
    return out;
}

bool isAnyOf(const Comparison& comparison, bool inputs) {
    return std::any_of(
        comparison.changes.begin(), comparison.changes.end(),
        [&](const Change& change) { return (change.kind == ChangeKind::Input) == inputs; });
}

std::vector<Section> sectionsOf(const Comparison& comparison, std::size_t mostFigures) {
    std::vector<Section> out;
    const bool moved = anyMoved(comparison);
    if (moved)
        out.push_back(section("candidates", text("What moved"), {}, candidateTable(comparison)));
    Table reasons = reasonTable(comparison);
    if (moved && !reasons.groups.empty())
        out.push_back(
            section("reasons", text("How much each change explains"), {}, std::move(reasons)));
    if (isAnyOf(comparison, true))
        out.push_back(section("inputs", text("Inputs that changed"), {}, inputTable(comparison)));
    if (isAnyOf(comparison, false))
        out.push_back(section("figures", text("Prices, figures and factors that changed"), {},
                              figureTable(comparison, mostFigures)));
    return out;
}

Facts versionFacts(const Comparison& comparison) {
    Facts facts;
    const auto add = [&](Text label, const std::string& before, const std::string& after) {
        const std::string left = before.empty() ? notKnown() : before;
        const std::string right = after.empty() ? notKnown() : after;
        facts.items.emplace_back(std::move(label),
                                 name(left == right ? right : left + " → " + right));
    };
    const search::ComparedPlan& a = comparison.before;
    const search::ComparedPlan& b = comparison.after;
    add(text("Program"), a.programVersion, b.programVersion);
    add(text("Catalog"), a.catalogVersion, b.catalogVersion);
    add(text("Hash of the catalog"), a.catalogHash, b.catalogHash);
    add(text("Calibration"), a.calibrationHash, b.calibrationHash);
    return facts;
}

Text titleOf(const Comparison& comparison) {
    return text("{1} → {2}", comparison.before.name, comparison.after.name);
}

}  // namespace

Document diffDocument(const Comparison& comparison, const DiffContext& context) {
    Document document;
    document.title = titleOf(comparison);
    document.kind = text("Trainwright comparison");
    document.generator = text("Trainwright {1}", context.programVersion);
    for (Text& sentence : diffVerdict(comparison))
        document.answer.push_back(paragraph(std::move(sentence)));
    for (const Text& note : comparison.notes)
        document.answer.push_back(paragraph(note, {}, Tone::Warning));
    document.sections = sectionsOf(comparison, std::numeric_limits<std::size_t>::max() - 1);
    Section last;
    last.id = "section-reproduce";
    last.title = text("Reproduce");
    last.blocks.emplace_back(versionFacts(comparison));
    if (!context.command.empty()) last.blocks.emplace_back(Preformatted{context.command});
    document.sections.push_back(std::move(last));
    return document;
}

std::string diffTerminal(const Comparison& comparison, const TerminalStyle& style,
                         const DiffContext& /*context*/) {
    std::string out =
        inked(shown(say(titleOf(comparison), style.language), style), Ink::Bold, style) + "\n";
    for (const Text& sentence : diffVerdict(comparison)) out += wrapped(sentence, style);
    for (const Section& one : sectionsOf(comparison, kFiguresOnATerminal))
        out += sectionText(one, style);
    if (!comparison.notes.empty()) out += "\n";
    for (const Text& note : comparison.notes) out += wrapped(note, style);
    const search::ComparedPlan& a = comparison.before;
    const search::ComparedPlan& b = comparison.after;
    const auto moved = [](const Argument& before, const Argument& after) {
        return before == after ? after : Argument(text("{1} → {2}", before, after));
    };
    const auto catalogOf = [](const search::ComparedPlan& plan) {
        return text("{1} ({2})", plan.catalogVersion, plan.catalogHash.substr(0, 6));
    };
    out +=
        "\n" + wrapped(text("Program {1}, catalog {2}.", moved(a.programVersion, b.programVersion),
                            moved(catalogOf(a), catalogOf(b))),
                       style);
    return out;
}

}  // namespace trainwright::reports
