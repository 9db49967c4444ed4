// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/check.h"

#include <algorithm>
#include <array>

#include "data/claims/check_kinds.h"

namespace trainwright::claims {
namespace {

struct Kind {
    const char* name;
    void (*fill)(const Bench&, Part&);
};

constexpr std::array<Kind, 10> kKinds{{{"figure", checkFigures},
                                       {"date", checkDate},
                                       {"present", checkPresent},
                                       {"offers", checkOffers},
                                       {"fit", checkFit},
                                       {"scenario", checkScenario},
                                       {"compare", checkCompare},
                                       {"runs", checkRuns},
                                       {"benchmark", checkBenchmark},
                                       {"layouts", checkLayouts}}};

Role roleNamed(const std::string& name) {
    if (name == "condition") return Role::Condition;
    return name == "context" ? Role::Context : Role::Decides;
}

Relation relationNamed(const std::string& name) {
    constexpr std::array<std::pair<const char*, Relation>, 5> kNames{
        {{"equals", Relation::Equals},
         {"at_least", Relation::AtLeast},
         {"at_most", Relation::AtMost},
         {"reaches", Relation::Reaches},
         {"holds", Relation::Holds}}};
    for (const auto& [known, relation] : kNames)
        if (name == known) return relation;
    return Relation::None;
}

Measure claimedIn(const catalog::ClaimCheck& row) {
    if (row.claimed.empty()) return {};
    const std::optional<double> number = row.unit == "date" ? std::nullopt : numberIn(row.claimed);
    return number ? measure(*number, row.unit) : words(row.claimed);
}

Part partOf(const catalog::ClaimCheck& row, const Evidence& evidence, Planner& planner) {
    Part part;
    part.role = roleNamed(row.role);
    part.kind = row.kind;
    part.subject = row.subject;
    part.relation = relationNamed(row.relation);
    part.claimed = claimedIn(row);
    part.tolerance = row.tolerance;
    part.margin = row.margin;
    part.remark = row.remark;
    const Parameters parameters(row.parameters);
    const auto kind = std::find_if(kKinds.begin(), kKinds.end(),
                                   [&](const Kind& k) { return row.kind == k.name; });
    if (kind == kKinds.end()) {
        addUnknown(part, {}, {"`{1}` is no kind of check.", {words(row.kind)}});
    } else {
        kind->fill(Bench{evidence, planner, parameters, row.unit}, part);
    }
    return part;
}

}  // namespace

void addUnknown(Part& part, std::vector<std::string> labels, Sentence why) {
    Case c;
    c.labels = std::move(labels);
    c.labels.resize(part.dimensions.size());
    c.notes.push_back(std::move(why));
    part.cases.push_back(std::move(c));
}

void cite(Part& part, const std::vector<search::FigureUse>& figures) {
    for (const search::FigureUse& figure : figures)
        if (std::find(part.figures.begin(), part.figures.end(), figure) == part.figures.end())
            part.figures.push_back(figure);
    citeSources(part, figures);
}

void citeSources(Part& part, const std::vector<search::FigureUse>& figures) {
    for (const search::FigureUse& figure : figures) {
        Source source{figure.source, figure.url};
        if (std::find(part.sources.begin(), part.sources.end(), source) == part.sources.end())
            part.sources.push_back(std::move(source));
    }
}

std::vector<CheckedClaim> check(const std::vector<catalog::Claim>& claims, const Evidence& evidence,
                                const CheckOptions& options) {
    std::size_t total = 0;
    for (const catalog::Claim& claim : claims) total += claim.checks.size();
    std::size_t done = 0;
    Planner planner(evidence.catalog, options);
    std::vector<CheckedClaim> checked;
    for (const catalog::Claim& row : claims) {
        CheckedClaim claim;
        claim.id = row.id;
        claim.statement = row.statement;
        claim.saidBy = row.saidBy;
        claim.source = row.source.title;
        claim.url = row.source.url;
        claim.observed = row.observed;
        claim.note = row.note;
        for (const catalog::ClaimCheck& part : row.checks) {
            claim.parts.push_back(partOf(part, evidence, planner));
            planner.report(static_cast<double>(++done) / static_cast<double>(total));
            if (planner.isStopped()) return checked;
        }
        judge(claim);
        checked.push_back(std::move(claim));
    }
    return checked;
}

}  // namespace trainwright::claims
