// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of plans as JSON. Keys are a promise to scripts: none is ever renamed.
#include "reports/diff_report.h"
#include "reports/diff_view.h"
#include "reports/json_header.h"
#include "reports/json_text.h"

namespace trainwright::reports {
namespace {

using search::CandidateComparison;
using search::CandidateState;
using search::Change;
using search::ChangedValue;
using search::Quantity;

Json wordsOrNull(const std::string& words) {
    return words.empty() ? Json(nullptr) : Json(words);
}

template <typename T>
Json orNull(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json planJson(const search::ComparedPlan& plan) {
    return Json{{"name", plan.name},
                {"kept", plan.isKept},
                {"title", wordsOrNull(plan.title)},
                {"model", wordsOrNull(plan.model)},
                {"program_version", wordsOrNull(plan.programVersion)},
                {"catalog", Json{{"version", wordsOrNull(plan.catalogVersion)},
                                 {"hash", wordsOrNull(plan.catalogHash)}}},
                {"calibration", Json{{"id", wordsOrNull(plan.calibration)},
                                     {"hash", wordsOrNull(plan.calibrationHash)}}}};
}

Json changeJson(const Change& change) {
    Json values = Json::array();
    for (const ChangedValue& v : change.values)
        values.push_back(Json{{"path", v.path},
                              {"before", orNull(v.before)},
                              {"after", orNull(v.after)},
                              {"unit", wordsOrNull(v.unit)},
                              {"seen_before", wordsOrNull(v.seenBefore)},
                              {"seen_after", wordsOrNull(v.seenAfter)}});
    return Json{{"kind", search::name(change.kind)},
                {"path", change.path},
                {"candidate", wordsOrNull(change.candidate)},
                {"words_only", change.isWords},
                {"values", std::move(values)}};
}

Json stateJson(const std::optional<CandidateState>& state) {
    if (!state) return nullptr;
    Json misses = Json::array();
    for (const auto& [limit, sentence] : state->misses)
        misses.push_back(Json{{"constraint", limit}, {"text", sentence}});
    const bool isRanked = state->standing == "meets_all";
    return Json{{"rank", isRanked ? Json(std::stoi(state->mark)) : Json(nullptr)},
                {"standing", wordsOrNull(state->standing)},
                {"system", wordsOrNull(state->system)},
                {"accelerators", state->accelerators},
                {"finish", wordsOrNull(state->finish)},
                {"layout", wordsOrNull(state->layout)},
                {"grade", wordsOrNull(state->grade)},
                {"chance_of_all_limits", orNull(state->chance)},
                {"misses", std::move(misses)},
                {"reasons", state->reasons}};
}

const char* nameOf(search::Orders orders) {
    static constexpr const char* kNames[] = {"all", "possible", "drawn", "none"};
    return kNames[static_cast<std::size_t>(orders)];
}

Json moveJson(const CandidateComparison& c, const search::Move& move) {
    const search::Attribution& a = move.attribution;
    Json shares = Json::array();
    for (std::size_t i = 0; i < a.contributions.size() && i < c.changes.size(); ++i) {
        const search::Contribution& one = a.contributions[i];
        shares.push_back(Json{{"change", c.changes[i]},
                              {"share", a.hasShares() ? Json(one.share) : Json(nullptr)},
                              {"alone", orNull(one.alone)},
                              {"last", orNull(one.last)}});
    }
    return Json{{"before", orNull(move.before)},
                {"after", orNull(move.after)},
                {"difference", orNull(move.difference())},
                {"shares", std::move(shares)},
                {"rest", move.difference() ? Json(move.rest) : Json(nullptr)},
                {"interaction", orNull(a.interaction())},
                {"orders", nameOf(a.orders)},
                {"orders_counted", a.counted},
                {"orders_possible", a.possible}};
}

Json candidateJson(const CandidateComparison& c) {
    Json moves = Json::object();
    for (std::size_t q = 0; q < search::kQuantityCount; ++q)
        moves[search::name(static_cast<Quantity>(q))] = moveJson(c, c.moves[q]);
    Json gap = c.gap.empty() ? Json(nullptr) : Json(c.gap.english());
    return Json{{"name", c.name()},
                {"name_before", c.before ? Json(c.before->name) : Json(nullptr)},
                {"before", stateJson(c.before)},
                {"after", stateJson(c.after)},
                {"moves", std::move(moves)},
                {"decisive", c.decisive},
                {"gap", std::move(gap)}};
}

}  // namespace

std::string diffJson(const search::Comparison& comparison, const DiffContext& context) {
    ReportContext provenance;
    provenance.programVersion = context.programVersion;
    provenance.catalogVersion = context.catalogVersion;
    provenance.catalogHash = context.catalogHash;
    Json json = provenanceJson("trainwright/diff/1", provenance);
    json["before"] = planJson(comparison.before);
    json["after"] = planJson(comparison.after);
    Json verdict = Json::array();
    for (const Text& sentence : diffVerdict(comparison)) verdict.push_back(sentence.english());
    json["verdict"] = std::move(verdict);
    Json changes = Json::array();
    for (const Change& change : comparison.changes) changes.push_back(changeJson(change));
    json["changes"] = std::move(changes);
    Json candidates = Json::array();
    for (const CandidateComparison& c : comparison.candidates)
        candidates.push_back(candidateJson(c));
    json["candidates"] = std::move(candidates);
    Json notes = Json::array();
    for (const Text& note : comparison.notes) notes.push_back(note.english());
    json["notes"] = std::move(notes);
    return jsonText(json) + "\n";
}

}  // namespace trainwright::reports
