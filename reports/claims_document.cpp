// SPDX-License-Identifier: GPL-3.0-or-later
// Claims as a document: the verdicts, then each claim with what it was held against.
#include <map>

#include "reports/claims_report.h"
#include "reports/claims_view.h"
#include "reports/document_parts.h"
#include "reports/number_format.h"
#include "reports/section_text.h"
#include "reports/sources.h"
#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

using claims::CheckedClaim;
using claims::Part;
using claims::Verdict;

constexpr std::size_t kMostCasesWithNotes = 40;

/// Where a claim stands in the document.
std::string anchor(const CheckedClaim& claim) {
    return "claim-" + claim.id;
}

Cell verdictCell(Verdict verdict) {
    return words(text("{1} {2}", glyph(verdict), text(claims::name(verdict))), toneOf(verdict));
}

Table verdictTable(const std::vector<CheckedClaim>& claims) {
    Table table;
    table.id = "verdicts";
    table.caption = text("Claims and verdicts");
    table.columns = {{text("claim"), false, true},
                     {text("verdict"), false},
                     {text("claimed"), false},
                     {text("found"), false},
                     {text("said by"), false}};
    RowGroup group;
    for (const CheckedClaim& claim : claims) {
        Row row;
        Cell id = name(claim.id);
        id.link = anchor(claim);
        const Part* part = decisivePart(claim);
        row.cells = {std::move(id), verdictCell(claim.verdict),
                     part ? name(claimedText(*part)) : notKnownCell(),
                     part ? name(foundText(*part)) : notKnownCell(), name(claim.saidBy)};
        row.notes.push_back(text(claim.statement));
        for (const claims::Sentence& condition : claim.conditions)
            row.notes.push_back(text("→ {1}", sentenceText(condition)));
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    return table;
}

Table figureTable(const Part& part, const std::string& id) {
    Table table;
    table.id = id;
    table.caption = text("Figures of the catalog");
    table.columns = figureColumns();
    table.sortable = false;
    for (const search::FigureUse& figure : part.figures) {
        const Text title = text("{1} {2}", figure.kind, figure.id);
        if (table.groups.empty() || table.groups.back().title != title)
            table.groups.push_back({title, {}});
        table.groups.back().rows.push_back(figureRow(figure));
    }
    return table;
}

Text roleText(claims::Role role) {
    switch (role) {
        case claims::Role::Condition:
            return text("condition");
        case claims::Role::Context:
            return text("for the picture");
        case claims::Role::Decides:
            break;
    }
    return text("decides");
}

/// `isPage`: a page has room for every case and can fold it.
Section partSection(const Part& part, const std::string& id, bool isPage) {
    Section section;
    section.id = id;
    section.title = text(part.subject);
    Facts facts;
    if (part.role != claims::Role::Context)
        facts.items.emplace_back(roleText(part.role), verdictCell(part.verdict));
    if (!part.claimed.empty()) facts.items.emplace_back(text("claimed"), name(claimedText(part)));
    if (part.cases.size() == 1 || part.relation != claims::Relation::None)
        facts.items.emplace_back(text("found"), name(foundText(part)));
    if (part.tolerance > 0 || part.margin > 0)
        facts.items.emplace_back(text("counts as the same"),
                                 words(text("within {1}; as rounded within {2}",
                                            percent(part.tolerance), percent(part.margin))));
    if (!part.lookedAt.empty()) facts.items.emplace_back(text("looked at"), name(part.lookedAt));
    if (part.cases.size() == 1)
        for (const claims::Sentence& note : part.cases.front().notes)
            facts.items.emplace_back(text(part.known > 0 ? "how" : "why"),
                                     words(sentenceText(note)));
    if (!facts.items.empty()) section.blocks.emplace_back(std::move(facts));

    std::optional<Table> grid = gridTable(part, id + "-grid");
    if (part.cases.size() > 1 && (!grid || isPage)) {
        Table all = caseTable(part, id + "-cases");
        if (part.cases.size() > kMostCasesWithNotes)
            for (Row& row : all.groups.front().rows) row.notes.clear();
        if (grid) {
            Section every;
            every.id = id + "-all";
            every.title = text("Every case ({1})", count(static_cast<double>(part.cases.size())));
            every.folded = true;
            every.blocks.emplace_back(std::move(all));
            section.sections.push_back(std::move(every));
        } else {
            section.blocks.emplace_back(std::move(all));
        }
    }
    if (grid) section.blocks.emplace_back(std::move(*grid));
    if (!part.figures.empty()) section.blocks.emplace_back(figureTable(part, id + "-figures"));
    return section;
}

Section claimSection(const CheckedClaim& claim, bool isPage) {
    Section section;
    section.id = anchor(claim);
    section.title =
        text("{1} {2}: {3}", glyph(claim.verdict), claim.id, claims::name(claim.verdict));
    section.answer = text(claim.statement);
    section.folded = isPage;
    List conditions;
    for (const claims::Sentence& condition : claim.conditions)
        conditions.items.push_back(paragraph(sentenceText(condition)));
    if (!conditions.items.empty()) section.blocks.emplace_back(std::move(conditions));
    Facts facts;
    facts.items.emplace_back(text("said by"), name(claim.saidBy));
    Cell source = name(claim.source);
    source.url = claim.url;
    facts.items.emplace_back(text("source"), std::move(source));
    facts.items.emplace_back(text("seen"), name(claim.observed));
    if (!claim.note.empty()) facts.items.emplace_back(text("note"), name(claim.note));
    section.blocks.emplace_back(std::move(facts));
    for (std::size_t i = 0; i < claim.parts.size(); ++i)
        section.sections.push_back(
            partSection(claim.parts[i], anchor(claim) + "-part-" + std::to_string(i + 1), isPage));
    if (const std::string* scenario = scenarioOf(claim)) {
        Section again;
        again.id = anchor(claim) + "-scenario";
        again.title = text("Scenario");
        again.answer = text("To see it in full, give this to `trainwright plan -`.");
        again.blocks.emplace_back(Preformatted{*scenario});
        section.sections.push_back(std::move(again));
    }
    return section;
}

Section sourceSection(const std::vector<CheckedClaim>& claims) {
    Table table;
    table.id = "sources-table";
    table.caption = text("Sources, and the claims that rest on them");
    table.columns = {
        {text("source"), false, true}, {text("where"), false}, {text("claims"), false}};
    RowGroup group;
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> users;
    for (const CheckedClaim& claim : claims)
        for (const Part& part : claim.parts)
            for (const claims::Source& source : part.sources) {
                std::vector<std::string>& ids = users[{source.title, source.where}];
                if (ids.empty() || ids.back() != claim.id) ids.push_back(claim.id);
            }
    for (const auto& [source, ids] : users) {
        std::string all;
        for (const std::string& id : ids) all += (all.empty() ? "" : ", ") + id;
        Row row;
        Cell where = source.second.empty() ? doesNotApply() : name(source.second);
        // An address with words behind it is none to follow.
        if (source.second.find(' ') == std::string::npos) where.url = source.second;
        row.cells = {name(source.first), std::move(where), name(all)};
        group.rows.push_back(std::move(row));
    }
    table.groups = {std::move(group)};
    Section section;
    section.id = "sources";
    section.title = text("Sources");
    section.blocks.emplace_back(std::move(table));
    return section;
}

}  // namespace

Document claimsDocument(const std::vector<CheckedClaim>& claims, const ReportContext& context) {
    Document document;
    document.kind = text("Trainwright claims");
    document.title = text("What is said of Trainium, held against figures");
    document.generator = context.programVersion.empty()
                             ? text("Trainwright")
                             : text("Trainwright {1}", context.programVersion);
    document.answer = {paragraph(tally(claims))};
    Section verdicts;
    verdicts.id = "verdicts-section";
    verdicts.title = text("Verdicts");
    verdicts.answer = text(
        "Each verdict is worked out from the catalog's figures, the engine and "
        "published runs; a changed figure changes it.");
    verdicts.blocks.emplace_back(verdictTable(claims));
    document.sections.push_back(std::move(verdicts));
    Section each;
    each.id = "each";
    each.title = text("Each claim");
    for (const CheckedClaim& claim : claims) each.sections.push_back(claimSection(claim, true));
    document.sections.push_back(std::move(each));
    document.sections.push_back(sourceSection(claims));
    document.sections.push_back(reproduce(context));
    return document;
}

std::string claimTerminal(const CheckedClaim& claim, const TerminalStyle& style) {
    std::string out = sectionText(claimSection(claim, false), style);
    out.erase(0, out.find_first_not_of('\n'));
    return out;
}

}  // namespace trainwright::reports
