// SPDX-License-Identifier: GPL-3.0-or-later
// Claims as JSON. Keys are a promise to scripts: none is ever renamed.
#include <algorithm>
#include <array>

#include "reports/claims_report.h"
#include "reports/claims_view.h"
#include "reports/json_header.h"
#include "reports/json_text.h"

namespace trainwright::reports {
namespace {

using claims::CheckedClaim;
using claims::Measure;
using claims::Part;
using claims::Verdict;

Json valueOf(const Measure& measure) {
    if (measure.number) return *measure.number;
    return measure.words.empty() ? Json(nullptr) : Json(measure.words);
}

Json wordsOrNull(const std::string& words) {
    return words.empty() ? Json(nullptr) : Json(words);
}

Json sentences(const std::vector<claims::Sentence>& all) {
    Json array = Json::array();
    for (const claims::Sentence& one : all) array.push_back(sentenceText(one).english());
    return array;
}

const char* nameOf(claims::Role role) {
    constexpr std::array<const char*, 3> kNames{"decides", "condition", "context"};
    return kNames[static_cast<std::size_t>(role)];
}

const char* nameOf(claims::Relation relation) {
    constexpr std::array<const char*, 6> kNames{"equals",  "at_least", "at_most",
                                                "reaches", "holds",    "none"};
    return kNames[static_cast<std::size_t>(relation)];
}

/// The unit of the numbers of a part; null where it has none.
Json unitOf(const Part& part) {
    if (part.relation == claims::Relation::Holds && part.cases.size() > 1) return nullptr;
    for (const Measure* measure : {&part.found, &part.lowest, &part.claimed})
        if (measure->number) return measure->unit;
    return nullptr;
}

/// What was found, as a number where it is one; of things that are there or not, how many.
Json foundOf(const Part& part) {
    if (part.known == 0) return nullptr;
    if (!part.found.empty()) return valueOf(part.found);
    return foundText(part).english();
}

Json claimedOf(const Part& part) {
    if (!part.claimed.empty()) return valueOf(part.claimed);
    const bool counts = part.relation == claims::Relation::Holds && part.known > 0;
    return counts ? Json(claimedText(part).english()) : Json(nullptr);
}

Json caseJson(const Part& part, const claims::Case& c) {
    Json json = Json::object();
    for (std::size_t i = 0; i < part.dimensions.size() && i < c.labels.size(); ++i)
        json[part.dimensions[i]] = wordsOrNull(c.labels[i]);
    json["found"] = valueOf(c.found);
    json["p10"] = valueOf(c.p10);
    json["p90"] = valueOf(c.p90);
    json["unit"] = c.found.number ? Json(c.found.unit) : Json(nullptr);
    json["met"] =
        part.relation == claims::Relation::None || c.found.empty() ? Json(nullptr) : Json(c.isMet);
    json["notes"] = sentences(c.notes);
    json["scenario"] = wordsOrNull(c.scenario);
    return json;
}

Json figureJson(const search::FigureUse& figure) {
    return Json{{"figure", figure.kind + "/" + figure.id + "/" + figure.key},
                {"value", wordsOrNull(figure.value)},
                {"unit", wordsOrNull(figure.unit)},
                {"status", figure.status},
                {"source", wordsOrNull(figure.source)},
                {"where", wordsOrNull(figure.url)},
                {"observed", wordsOrNull(figure.observed)},
                {"note", wordsOrNull(figure.note)}};
}

Json partJson(const Part& part) {
    Json cases = Json::array();
    for (const claims::Case& c : part.cases) cases.push_back(caseJson(part, c));
    Json figures = Json::array();
    for (const search::FigureUse& figure : part.figures) figures.push_back(figureJson(figure));
    return Json{{"subject", part.subject},
                {"role", nameOf(part.role)},
                {"kind", part.kind},
                {"verdict", part.role == claims::Role::Context ? Json(nullptr)
                                                               : Json(claims::name(part.verdict))},
                {"relation", nameOf(part.relation)},
                {"claimed", claimedOf(part)},
                {"found", foundOf(part)},
                {"lowest", valueOf(part.lowest)},
                {"highest", valueOf(part.highest)},
                {"unit", unitOf(part)},
                {"tolerance", part.tolerance},
                {"margin", part.margin},
                {"cases_met", part.met},
                {"cases_known", part.known},
                {"conditions", sentences(part.conditions)},
                {"looked_at", wordsOrNull(part.lookedAt)},
                {"cases", std::move(cases)},
                {"figures", std::move(figures)}};
}

Json sourcesOf(const CheckedClaim& claim) {
    std::vector<claims::Source> all{{claim.source, claim.url}};
    for (const Part& part : claim.parts)
        for (const claims::Source& source : part.sources)
            if (std::find(all.begin(), all.end(), source) == all.end()) all.push_back(source);
    Json array = Json::array();
    for (const claims::Source& source : all)
        array.push_back(Json{{"title", source.title}, {"where", wordsOrNull(source.where)}});
    return array;
}

Json claimJson(const CheckedClaim& claim) {
    const Part* decisive = decisivePart(claim);
    std::string condition;
    for (const claims::Sentence& one : claim.conditions)
        condition += (condition.empty() ? "" : " ") + sentenceText(one).english();
    const std::string* scenario = scenarioOf(claim);
    Json parts = Json::array();
    for (const Part& part : claim.parts) parts.push_back(partJson(part));
    return Json{{"id", claim.id},
                {"statement", claim.statement},
                {"by", claim.saidBy},
                {"claimed", decisive ? claimedOf(*decisive) : Json(nullptr)},
                {"found", decisive ? foundOf(*decisive) : Json(nullptr)},
                {"unit", decisive ? unitOf(*decisive) : Json(nullptr)},
                {"verdict", claims::name(claim.verdict)},
                {"condition", wordsOrNull(condition)},
                {"sources", sourcesOf(claim)},
                {"observed", claim.observed},
                {"note", wordsOrNull(claim.note)},
                {"scenario", scenario ? Json(*scenario) : Json(nullptr)},
                {"parts", std::move(parts)}};
}

}  // namespace

std::string claimsJson(const std::vector<CheckedClaim>& claims, const ReportContext& context) {
    Json json = provenanceJson("trainwright/claims/1", context);
    Json summary = Json::object();
    for (const Verdict verdict : {Verdict::Holds, Verdict::HoldsUnderConditions,
                                  Verdict::Contradicted, Verdict::CannotBeChecked})
        summary[claims::name(verdict)] =
            std::count_if(claims.begin(), claims.end(),
                          [&](const CheckedClaim& claim) { return claim.verdict == verdict; });
    json["summary"] = std::move(summary);
    Json all = Json::array();
    for (const CheckedClaim& claim : claims) all.push_back(claimJson(claim));
    json["claims"] = std::move(all);
    return jsonText(json) + "\n";
}

}  // namespace trainwright::reports
