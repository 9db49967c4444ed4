// SPDX-License-Identifier: GPL-3.0-or-later
// Plan and explanation as JSON. Keys and their units are a promise to scripts: none is ever
// renamed.
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <tuple>

#include "model/workload/operators.h"
#include "reports/answer.h"
#include "reports/candidate_json.h"
#include "reports/document.h"
#include "reports/explain_sections.h"
#include "reports/json_header.h"
#include "reports/json_text.h"
#include "reports/money_sections.h"
#include "reports/plan_view.h"
#include "reports/report.h"

namespace trainwright::reports {
namespace {

template <typename T, typename F>
Json orNull(const std::optional<T>& value, F get) {
    return value ? Json(get(*value)) : Json(nullptr);
}

/// A measure that can't be zero: zero means that nobody filled it in.
Json positiveOrNull(double value) {
    return std::isfinite(value) && value > 0 ? Json(value) : Json(nullptr);
}

Json nonEmptyOrNull(const std::string& words) {
    return words.empty() ? Json(nullptr) : Json(words);
}

Json sentenceOrNull(const Text& sentence) {
    return sentence.empty() ? Json(nullptr) : Json(sentence.english());
}

Json sentences(const std::vector<Text>& all) {
    Json array = Json::array();
    for (const Text& one : all) array.push_back(one.english());
    return array;
}

Json recomputeGroupsJson(const layout::Layout& l, const layout::SoftwareProfile& profile) {
    if (l.recompute != layout::Recompute::Selective) return nullptr;
    Json groups = Json::array();
    for (std::string_view group : workload::recomputeGroupNames()) {
        const bool byProfile =
            l.recomputeGroups == 0 &&
            std::find(profile.selectiveGroups.begin(), profile.selectiveGroups.end(), group) !=
                profile.selectiveGroups.end();
        if (byProfile || (l.recomputeGroups & workload::recomputeGroup(group)) != 0)
            groups.push_back(group);
    }
    return groups;
}

Json rankOrderJson(const layout::Layout& l, const layout::SoftwareProfile& profile) {
    const auto other = static_cast<std::size_t>(l.rankOrder);
    const bool isOther = other > 0 && other <= profile.otherRankOrders.size();
    Json order = Json::array();
    for (layout::Axis axis : isOther ? profile.otherRankOrders[other - 1] : profile.rankOrder)
        order.push_back(axisLabel(axis).english());
    return order;
}

const char* offloadName(const layout::Layout& l) {
    if (l.offloadOptimizer && l.offloadActivations) return "both";
    if (l.offloadOptimizer) return layout::name(layout::Offload::Optimizer);
    return l.offloadActivations ? layout::name(layout::Offload::Activations) : "none";
}

Json layoutJson(const layout::Layout& l, const layout::SoftwareProfile& profile) {
    const auto givenOrNull = [](int value) { return value > 0 ? Json(value) : Json(nullptr); };
    return Json{{"tensor_parallel", l.tensor},
                {"sequence_parallel", l.sequenceParallel},
                {"pipeline_parallel", l.pipeline},
                {"virtual_stages", l.virtualStages},
                {"context_parallel", l.context},
                {"expert_parallel", l.expert},
                {"expert_tensor_parallel", l.tensorOfExperts()},
                {"data_parallel", l.data},
                {"shard_degree", givenOrNull(l.shardDegree)},
                {"micro_batch", l.microBatch},
                {"micro_batches", l.microBatches},
                {"sharding", layout::name(l.sharding)},
                {"recompute", layout::name(l.recompute)},
                {"recompute_groups", recomputeGroupsJson(l, profile)},
                {"recompute_every", l.recomputeEvery},
                {"schedule", layout::name(l.schedule)},
                {"first_stage_layers", givenOrNull(l.firstStageLayers)},
                {"last_stage_layers", givenOrNull(l.lastStageLayers)},
                {"context_exchange", layout::name(l.contextExchange)},
                {"rank_order", rankOrderJson(l, profile)},
                {"offload", offloadName(l)}};
}

Json byKindJson(const layout::StageMemory& memory) {
    Json kinds = Json::object();
    for (int k = 0; k < layout::kMemoryKindCount; ++k)
        kinds[layout::name(static_cast<layout::MemoryKind>(k))] =
            memory.byKind[static_cast<std::size_t>(k)].value();
    return kinds;
}

Json memoryJson(const layout::MemoryResult& memory) {
    double peak = memory.peak.total().value();
    bool known = std::isfinite(peak) && peak > 0;
    return Json{{"peak_bytes", positiveOrNull(peak)},
                {"capacity_bytes", positiveOrNull(memory.capacity.value())},
                {"usable_bytes", positiveOrNull(memory.usable.value())},
                {"fullest_stage", known ? Json(memory.peak.stage) : Json(nullptr)},
                {"by_kind_bytes", known ? byKindJson(memory.peak) : Json(nullptr)}};
}

Json timeBreakdownJson(const layout::StepResult& step) {
    Json parts = Json::object();
    for (int p = 0; p < layout::kTimePartCount; ++p)
        parts[layout::name(static_cast<layout::TimePart>(p))] =
            step.parts[static_cast<std::size_t>(p)].value();
    return parts;
}

Json priceJson(const run::Price& price) {
    static constexpr const char* kStates[] = {"known", "yours", "stand_in", "none"};
    return Json{{"state", kStates[static_cast<std::size_t>(price.state)]},
                {"plan", nonEmptyOrNull(price.plan)},
                {"usd_per_hour", orNull(price.perUnit, units::inUsDollarsPerHour)},
                {"discount", price.discount},
                {"observed", nonEmptyOrNull(price.observedDate)},
                {"source", nonEmptyOrNull(price.source)},
                {"confidence", nonEmptyOrNull(price.confidence)},
                {"region", nonEmptyOrNull(price.region)},
                {"term_days", positiveOrNull(price.termDays)},
                {"upfront_share", price.upfrontShare},
                {"commitment", price.termDays > 0 ? Json(price.dedicated ? "dedicated" : "shared")
                                                  : Json(nullptr)},
                {"p10_usd_per_hour", orNull(price.low, units::inUsDollarsPerHour)},
                {"p90_usd_per_hour", orNull(price.high, units::inUsDollarsPerHour)},
                {"reclaims_per_unit_hour", positiveOrNull(price.reclaimsPerUnitHour)},
                {"reason", sentenceOrNull(price.reason)}};
}

/// Several purchases with what this run pays of each; null for one.
Json purchasesJson(const search::CandidateRequest& request, const run::Money& money) {
    if (request.portions.empty()) return nullptr;
    Json array = Json::array();
    for (std::size_t i = 0; i < request.portions.size(); ++i) {
        Json one = priceJson(request.portions[i].price);
        one["units"] = request.portions[i].units;
        const bool paid = i < money.portions.size();
        one["billed_days"] = paid ? positiveOrNull(money.portions[i].billedDays) : Json(nullptr);
        one["cost_usd"] = paid ? orNull(money.portions[i].cost,
                                        [](units::UsDollars amount) { return amount.value(); })
                               : Json(nullptr);
        array.push_back(std::move(one));
    }
    return array;
}

Json ownershipJson(const run::Ownership& asked, const run::OwnershipResult& own) {
    const auto usd = [](units::UsDollars amount) { return amount.value(); };
    return Json{
        {"capital_usd", orNull(own.capital, usd)},
        {"life_years", asked.lifeYears},
        {"cost_of_capital_per_year", asked.costOfCapital},
        {"residual_share", asked.residualShare},
        {"use_share", asked.useShare},
        {"operation_share_per_year", asked.operationShare},
        {"electricity_usd_per_kwh",
         asked.usdPerKilowattHour ? Json(*asked.usdPerKilowattHour) : Json(nullptr)},
        {"capital_usd_per_year", orNull(own.capitalPerYear, usd)},
        {"electricity_usd_per_year", orNull(own.electricityPerYear, usd)},
        {"operation_usd_per_year", orNull(own.operationPerYear, usd)},
        {"run_usd", orNull(own.ofRun, usd)},
        {"rent_usd_per_month", orNull(own.rentPerMonth, usd)},
        {"break_even_months", own.breakEvenMonths ? Json(*own.breakEvenMonths) : Json(nullptr)},
        {"beyond_life", own.rentPerMonth ? Json(own.beyondLife) : Json(nullptr)},
        {"source", nonEmptyOrNull(asked.source)},
        {"reason", sentenceOrNull(own.reason)}};
}

/// Cost and energy of a unit of work.
Json unitCostsJson(const run::RunResult& run, double tokens) {
    const auto usd = [](units::UsDollars amount) { return amount.value(); };
    const auto itself = [](double value) { return value; };
    const run::UnitCosts costs = run::unitCosts(run, tokens);
    return Json{{"petaflop_days", positiveOrNull(costs.petaflopDays)},
                {"usd_per_trillion_tokens", orNull(costs.perTrillionTokens, usd)},
                {"usd_per_petaflop_day", orNull(costs.perPetaflopDay, usd)},
                {"kwh_per_trillion_tokens", orNull(costs.kilowattHoursPerTrillionTokens, itself)},
                {"kwh_per_petaflop_day", orNull(costs.kilowattHoursPerPetaflopDay, itself)}};
}

/// The same job on the other candidates.
Json againstJson(const CandidateView& view, const std::vector<CandidateView>& views) {
    const auto itself = [](double value) { return value; };
    Json array = Json::array();
    for (const Comparison& c : comparisonsOf(view, views)) {
        array.push_back(
            Json{{"candidate", c.other->request->name},
                 {"gpu_baseline", c.isBaseline},
                 {"cost_ratio", orNull(c.cost, itself)},
                 {"time_ratio", orNull(c.time, itself)},
                 {"energy_ratio", orNull(c.energy, itself)},
                 {"equal_usd_per_unit_hour", orNull(c.equalPrice, units::inUsDollarsPerHour)}});
    }
    return array;
}

/// How many accelerators there are from which day on, where not all are there from the first.
Json arrivalsJson(const search::CandidateRequest& request, const search::CandidateResult& result) {
    Json out = Json::array();
    const double step = result.step.stepTime.value();
    for (const run::Arrival& a : result.arrivals)
        out.push_back({{"from_days", a.fromDays},
                       {"accelerators", a.chips},
                       {"step_time_s", positiveOrNull(a.stepRatio * step)}});
    if (request.completeFromDays > 0)
        out.push_back({{"from_days", request.completeFromDays},
                       {"accelerators", request.chips},
                       {"step_time_s", positiveOrNull(step)}});
    return out;
}

Json goodputJson(const run::Goodput& goodput) {
    return Json{
        {"useful_share", goodput.share},
        {"checkpoint_share", goodput.checkpointShare},
        {"rework_share", goodput.reworkShare},
        {"restart_share", goodput.restartShare},
        {"planned_share", goodput.plannedShare},
        {"checkpoint_interval_s", positiveOrNull(goodput.checkpointInterval.value())},
        {"checkpoint_stall_s", goodput.checkpointStall.value()},
        {"memory_checkpoint_interval_s", positiveOrNull(goodput.memoryCheckpointInterval.value())},
        {"mean_time_between_interruptions_s",
         positiveOrNull(goodput.meanTimeBetweenInterruptions.value())},
        {"restart_s", goodput.restart.value()}};
}

Json alternativeJson(const search::Alternative& alternative,
                     const layout::SoftwareProfile& profile) {
    return Json{{"layout", layoutJson(alternative.layout, profile)},
                {"step_time_s", positiveOrNull(alternative.stepTime.value())},
                {"peak_bytes", positiveOrNull(alternative.memory.value())},
                {"fits", alternative.fits}};
}

Json alternativesJson(const std::vector<search::Alternative>& alternatives,
                      const layout::SoftwareProfile& profile) {
    Json array = Json::array();
    for (const search::Alternative& alternative : alternatives)
        array.push_back(alternativeJson(alternative, profile));
    return array;
}

Json figureJson(const search::FigureUse& figure) {
    return Json{{"kind", figure.kind},
                {"id", figure.id},
                {"key", figure.key},
                {"value", figure.value},
                {"unit", nonEmptyOrNull(figure.unit)},
                {"status", nonEmptyOrNull(figure.status)},
                {"source", nonEmptyOrNull(figure.source)},
                {"url", nonEmptyOrNull(figure.url)},
                {"observed", nonEmptyOrNull(figure.observed)},
                {"note", nonEmptyOrNull(figure.note)}};
}

Json figuresJson(const std::vector<search::FigureUse>& figures) {
    Json array = Json::array();
    for (const search::FigureUse& figure : figures) array.push_back(figureJson(figure));
    return array;
}

Json finiteOrNull(double value) {
    return std::isfinite(value) ? Json(value) : Json(nullptr);
}

template <typename T, typename F>
Json bandJson(const belief::Band<T>& band, F get) {
    return Json{{"p10", finiteOrNull(get(band.p10))},
                {"p50", finiteOrNull(get(band.p50))},
                {"p90", finiteOrNull(get(band.p90))}};
}

Json shareOrNull(const std::optional<double>& share) {
    return share ? Json(*share) : Json(nullptr);
}

/// What is infinite (a run that is never done) is null.
Json bandsJson(const belief::Bands& b) {
    const auto itself = [](double value) { return value; };
    const auto usd = [](units::UsDollars amount) { return amount.value(); };
    return Json{
        {"samples", b.sampling.samples},
        {"seed", b.sampling.seed},
        {"step_time_s", bandJson(b.stepTime, [](units::Seconds t) { return t.value(); })},
        {"days", bandJson(b.days, itself)},
        {"cost_usd", b.cost ? bandJson(*b.cost, usd) : Json(nullptr)},
        {"energy_kwh", b.energy ? bandJson(*b.energy, units::inKilowattHours) : Json(nullptr)},
        {"chances", Json{{"finish_by", shareOrNull(b.chances.date)},
                         {"budget", shareOrNull(b.chances.budget)},
                         {"power", shareOrNull(b.chances.power)},
                         {"all", shareOrNull(b.chances.all)}}}};
}

Json tornadoJson(const std::optional<belief::Bands>& bands) {
    Json array = Json::array();
    if (!bands) return array;
    const auto usd = [](const std::optional<units::UsDollars>& amount) {
        return amount ? finiteOrNull(amount->value()) : Json(nullptr);
    };
    const auto kwh = [](const std::optional<units::Joules>& energy) {
        return energy ? finiteOrNull(units::inKilowattHours(*energy)) : Json(nullptr);
    };
    for (const belief::Swing& s : bands->tornado) {
        array.push_back(Json{{"id", s.id},
                             {"input", s.input.english()},
                             {"unit", belief::name(s.unit)},
                             {"low", s.low},
                             {"high", s.high},
                             {"days_at_low", finiteOrNull(s.atLow.days)},
                             {"days_at_high", finiteOrNull(s.atHigh.days)},
                             {"cost_usd_at_low", usd(s.atLow.cost)},
                             {"cost_usd_at_high", usd(s.atHigh.cost)},
                             {"energy_kwh_at_low", kwh(s.atLow.energy)},
                             {"energy_kwh_at_high", kwh(s.atHigh.energy)},
                             {"members", sentences(s.members)}});
    }
    return array;
}

const char* standingName(Standing standing) {
    switch (standing) {
        case Standing::MeetsAll:
            return "meets_all";
        case Standing::MissesLimit:
            return "misses_limit";
        case Standing::NoPrice:
            return "no_price";
        case Standing::DoesNotFit:
            return "does_not_fit";
    }
    return "";
}

Json searchJson(const search::SearchStatistics& search, bool withMeasurements) {
    Json json{{"layouts_evaluated", search.layoutsEvaluated},
              {"layouts_feasible", search.layoutsFeasible},
              {"layouts_pruned", search.layoutsPruned},
              {"wall_s", nullptr},
              {"threads", nullptr}};
    if (withMeasurements) {
        json["wall_s"] = orNull(search.wallTime, [](units::Seconds t) { return t.value(); });
        if (search.threads > 0) json["threads"] = search.threads;
    }
    return json;
}

}  // namespace

Json candidateJson(const CandidateView& view, bool withMeasurements) {
    const search::CandidateResult& result = *view.result;
    const search::CandidateRequest& request = *view.request;
    const layout::StepResult& step = result.step;
    const run::RunResult& run = result.run;
    const bool runs = view.runs();
    // What only a run has is null for a candidate that can't run.
    auto ofRun = [runs](Json value) { return runs ? std::move(value) : Json(nullptr); };
    auto usd = [](units::UsDollars amount) { return amount.value(); };
    auto watts = [](units::Watts power) { return power.value(); };

    Json misses = Json::array();
    for (const search::Miss& miss : result.misses)
        misses.push_back(Json{{"constraint", miss.constraint}, {"text", miss.text.english()}});

    Json json{
        {"name", result.name},
        {"rank", result.rank > 0 ? Json(result.rank) : Json(nullptr)},
        {"standing", standingName(view.standing)},
        {"system", request.system.id},
        {"chip", nonEmptyOrNull(request.system.chip.id)},
        {"accelerators", request.chips},
        {"instances", result.units > 0 ? Json(result.units) : Json(nullptr)},
        {"region", request.region ? Json(request.region->id) : Json(nullptr)},
        {"profile", nonEmptyOrNull(request.profile.id)},
        {"feasible", result.feasible},
        {"meets_constraints", result.meetsConstraints},
        {"non_dominated", result.isNonDominated},
        {"reasons", sentences(reasonsOf(view))},
        {"misses", std::move(misses)},
        {"warnings", sentences(warningsOf(view))},
        {"layout", view.hasLayout() ? layoutJson(result.layout, request.profile) : Json(nullptr)},
        {"step_time_s", ofRun(positiveOrNull(step.stepTime.value()))},
        {"tokens_per_s", ofRun(positiveOrNull(step.tokensPerSecond))},
        {"mfu_model", ofRun(positiveOrNull(step.mfuModel))},
        {"mfu_palm", ofRun(positiveOrNull(step.mfuPalm))},
        {"hfu", ofRun(positiveOrNull(step.hfu))},
        {"memory", memoryJson(step.memory)},
        {"time_breakdown_s", ofRun(timeBreakdownJson(step))},
        {"hidden_communication_s", ofRun(Json(step.hiddenCommunication.value()))},
        {"steps", ofRun(positiveOrNull(run.steps))},
        {"days", ofRun(positiveOrNull(run.days))},
        {"finish", ofRun(orNull(run.finish, run::isoDate))},
        {"goodput", ofRun(positiveOrNull(run.goodput.share))},
        {"goodput_detail", ofRun(goodputJson(run.goodput))},
        {"interruptions", ofRun(Json(run.interruptions))},
        {"spare_accelerators", ofRun(Json(run.spareChips))},
        {"arrivals", arrivalsJson(request, result)},
        {"spare_accelerators_held", request.operations.spareChips},
        {"cost_usd", Json{{"compute", ofRun(orNull(run.money.compute, usd))},
                          {"total", ofRun(orNull(run.money.total, usd))},
                          {"useful", ofRun(orNull(run.money.usefulPart, usd))},
                          {"lost", ofRun(orNull(run.money.lostPart, usd))},
                          {"rounding", ofRun(orNull(run.money.roundingPart, usd))},
                          {"storage", ofRun(orNull(run.money.storage, usd))},
                          {"egress", ofRun(orNull(run.money.egress, usd))},
                          {"electricity", ofRun(orNull(run.money.electricity, usd))},
                          {"operation", ofRun(orNull(run.money.operation, usd))}}},
        {"cash_usd", Json{{"upfront", ofRun(orNull(run.money.upfront, usd))},
                          {"monthly", ofRun(orNull(run.money.monthly, usd))},
                          {"owed", ofRun(orNull(run.money.owed, usd))}}},
        {"unit_hours", ofRun(positiveOrNull(units::inHours(run.money.unitTime)))},
        {"purchases", purchasesJson(request, run.money)},
        {"ownership",
         runs && request.own ? ownershipJson(*request.own, run.ownership) : Json(nullptr)},
        {"billed_days",
         ofRun(run.money.compute ? positiveOrNull(run.money.billedDays) : Json(nullptr))},
        {"price_usd_per_hour", orNull(request.price.perUnit, units::inUsDollarsPerHour)},
        {"price", priceJson(request.price)},
        {"energy_kwh", ofRun(orNull(run.energy.energy, units::inKilowattHours))},
        {"average_power_w", ofRun(orNull(run.energy.averagePower, watts))},
        {"peak_power_w", ofRun(orNull(run.energy.peakPower, watts))},
        {"it_energy_kwh", ofRun(orNull(run.energy.itEnergy, units::inKilowattHours))},
        {"it_average_power_w", ofRun(orNull(run.energy.itAveragePower, watts))},
        {"power_is_estimate",
         ofRun(run.energy.averagePower ? Json(run.energy.isEstimate) : Json(nullptr))},
        {"co2_kg",
         ofRun(orNull(run.energy.co2Kilograms, [](double kilograms) { return kilograms; }))},
        {"grade", belief::name(result.grade)},
        {"bands", runs && result.bands ? bandsJson(*result.bands) : Json(nullptr)},
        {"tornado", tornadoJson(runs ? result.bands : std::nullopt)},
        {"bottleneck", sentenceOrNull(result.bottleneck)},
        {"advice", sentenceOrNull(result.advice)},
        {"alternatives", alternativesJson(result.alternatives, request.profile)},
        {"front", alternativesJson(result.front, request.profile)},
        {"nearest",
         result.feasible || !view.hasLayout()
             ? Json(nullptr)
             : alternativeJson({result.layout, step.stepTime, step.memory.peak.total(), false},
                               request.profile)},
        {"without_offload", result.withoutOffload
                                ? alternativeJson(*result.withoutOffload, request.profile)
                                : Json(nullptr)},
        {"search", searchJson(result.search, withMeasurements)}};
    return json;
}

Json provenanceJson(const char* schema, const ReportContext& context) {
    Json json{{"schema", schema}};
    json["program"] =
        Json{{"name", "trainwright"}, {"version", nonEmptyOrNull(context.programVersion)}};
    json["catalog"] = Json{{"version", nonEmptyOrNull(context.catalogVersion)},
                           {"hash", nonEmptyOrNull(context.catalogHash)}};
    return json;
}

namespace {

Json header(const char* schema, const ReportContext& context) {
    Json json = provenanceJson(schema, context);
    json["scenario_file"] = nonEmptyOrNull(context.scenarioFile);
    // The scenario is another room's text; one that doesn't parse must not break the whole answer.
    Json scenario = Json::parse(context.scenarioJson, nullptr, false);
    json["scenario"] = scenario.is_discarded() ? Json(nullptr) : std::move(scenario);
    return json;
}

std::string snakeCase(std::string words) {
    std::replace(words.begin(), words.end(), ' ', '_');
    return words;
}

Json operatorJson(const layout::OperatorCost& op) {
    static constexpr const char* kKinds[] = {"gemm", "attention", "vector"};
    Json json{{"name", op.name},
              {"kind", kKinds[static_cast<std::size_t>(op.kind)]},
              {"phase", snakeCase(layout::name(op.phase))},
              {"bound", layout::name(op.bound)},
              {"dtype", machine::name(op.dtype)},
              {"calls", op.calls},
              {"flop_per_call", op.flopPerCall.value()},
              {"bytes_per_call", op.bytesPerCall.value()},
              {"seconds_per_call", op.secondsPerCall.value()},
              {"total_s", op.total().value()}};
    if (op.m > 0 || op.n > 0 || op.k > 0)
        json["extents"] = Json{{"m", op.m}, {"n", op.n}, {"k", op.k}};
    return json;
}

Json collectiveJson(const layout::CollectiveUse& use) {
    return Json{{"name", use.name},
                {"kind", use.kind},
                {"axis", axisLabel(use.axis).english()},
                {"ranks", use.ranks},
                {"stride", use.stride},
                {"algorithm", nonEmptyOrNull(use.algorithm)},
                {"busiest_link", nonEmptyOrNull(use.busiestLink)},
                {"calls", use.calls},
                {"bytes_per_call", use.bytesPerCall.value()},
                {"seconds_per_call", use.secondsPerCall.value()},
                {"exposed_s", use.exposed.value()},
                {"hidden_s", use.hidden.value()}};
}

Json stageJson(const layout::StepResult& step, std::size_t s) {
    Json stage{{"stage", s}};
    if (s < step.stageTimes.size()) {
        stage["layers"] = step.stageTimes[s].layers;
        stage["forward_s"] = step.stageTimes[s].forward.value();
        stage["backward_s"] = step.stageTimes[s].backward.value();
        stage["weight_gradient_s"] = step.stageTimes[s].weightGradient.value();
    }
    if (s < step.memory.stages.size()) {
        stage["memory_bytes"] = step.memory.stages[s].total().value();
        stage["by_kind_bytes"] = byKindJson(step.memory.stages[s]);
        stage["micro_batches_in_flight"] = step.memory.stages[s].microBatchesInFlight;
    }
    return stage;
}

void addOverview(Json& json, const search::PlanRequest& request, const CandidateView& view) {
    const layout::StepResult& step = view.result->step;
    Json operators = Json::array();
    for (const layout::OperatorCost& op : step.operators) operators.push_back(operatorJson(op));
    json["operators"] = std::move(operators);
    Json collectives = Json::array();
    for (const layout::CollectiveUse& use : step.collectives)
        collectives.push_back(collectiveJson(use));
    json["collectives"] = std::move(collectives);
    Json stages = Json::array();
    const std::size_t count = std::max(step.memory.stages.size(), step.stageTimes.size());
    for (std::size_t s = 0; s < count; ++s) stages.push_back(stageJson(step, s));
    json["stages"] = std::move(stages);
    std::vector<search::FigureUse> figures = request.figures;
    figures.insert(figures.end(), view.request->figures.begin(), view.request->figures.end());
    json["figures"] = figuresJson(figures);
}

Json modelJson(const search::ModelStudy& m) {
    const auto usd = [](units::UsDollars amount) { return amount.value(); };
    return Json{{"parameters", m.total},
                {"active_parameters", m.active},
                {"embedding_parameters", m.embedding},
                {"head_parameters", m.head},
                {"parameters_of_6n", m.withoutEmbedding},
                {"expert_parameters_per_layer", m.expertsPerLayer},
                {"expert_parameters_per_layer_on_rank", m.expertsPerLayerOnRank},
                {"matrix_flop_per_token", m.matrices.value()},
                {"attention_full_flop_per_token", m.attentionFull.value()},
                {"attention_causal_flop_per_token", m.attentionCausal.value()},
                {"six_n_flop_per_token", m.sixN.value()},
                {"palm_flop_per_token", m.palm.value()},
                {"vocabulary", m.vocabulary},
                {"padded_vocabulary", m.paddedVocabulary},
                {"logits_bytes", m.logits.value()},
                {"logits_fp32_bytes", m.logitsFp32.value()},
                {"key_value_cache_bytes", m.keyValueCache.value()},
                {"key_value_copies", m.keyValueCopies},
                {"ranks_per_chip", m.ranksPerChip},
                {"cores_per_rank", m.coresPerRank},
                {"ranks_per_unit", m.ranksPerUnit},
                {"bubble_over_work", m.bubbleOverhead},
                {"bubble_share", m.bubbleShare},
                {"usd_per_million_tokens", orNull(m.perMillionTokens, usd)},
                {"usd_per_trillion_tokens", orNull(m.perTrillionTokens, usd)}};
}

Json rooflineJson(const CandidateView& view, const search::Ceilings& ceilings) {
    Json dtypes = Json::array();
    for (int i = 0; i < machine::kDtypeCount; ++i) {
        const search::Ceilings::OfDtype& c = ceilings.byDtype[static_cast<std::size_t>(i)];
        if (!(c.matrix.value() > 0)) continue;
        const auto dtype = static_cast<machine::Dtype>(i);
        dtypes.push_back(
            Json{{"dtype", machine::name(dtype)},
                 {"data_sheet_flop_per_s", positiveOrNull(c.dataSheet.value())},
                 {"engine_flop_per_s", positiveOrNull(c.engine.value())},
                 {"matrix_flop_per_s", positiveOrNull(c.matrix.value())},
                 {"attention_forward_flop_per_s", positiveOrNull(c.attentionForward.value())},
                 {"attention_backward_flop_per_s", positiveOrNull(c.attentionBackward.value())},
                 {"ridge_flop_per_byte", positiveOrNull(ceilings.ridge(dtype).value())}});
    }
    const layout::StepResult& step = view.result->step;
    const double ranks = layout::ranksPerChip(view.request->profile, view.request->system.chip);
    Json operators = Json::array();
    double total = 0;
    for (const layout::OperatorCost& op : step.operators) {
        const double seconds = op.total().value();
        if (!(seconds > 0)) continue;
        total += seconds;
        const double flop = op.flopPerCall.value();
        const double bytes = op.bytesPerCall.value();
        const double intensity = bytes > 0 ? flop / bytes : 0.0;
        Json json = operatorJson(op);
        json["flop_per_byte"] = positiveOrNull(intensity);
        json["chip_flop_per_s"] = positiveOrNull(flop * op.calls / seconds * ranks);
        json["chip_bytes_per_s"] = positiveOrNull(bytes * op.calls / seconds * ranks);
        json["roof_flop_per_s"] =
            positiveOrNull(ceilings.roof(op.kind, op.phase, op.dtype, intensity).value());
        json["step_share"] = seconds / step.stepTime.value();
        operators.push_back(std::move(json));
    }
    return Json{{"ceilings", std::move(dtypes)},
                {"memory_data_sheet_bytes_per_s", positiveOrNull(ceilings.memoryDataSheet.value())},
                {"memory_bytes_per_s", positiveOrNull(ceilings.memory.value())},
                {"operators", std::move(operators)},
                {"operators_s", total},
                {"other_s", step.stepTime.value() - total},
                {"step_time_s", step.stepTime.value()}};
}

Json stageMemoryJson(const layout::StepResult& step) {
    Json json = memoryJson(step.memory);
    Json stages = Json::array();
    for (std::size_t s = 0; s < step.memory.stages.size(); ++s) {
        const layout::StageMemory& memory = step.memory.stages[s];
        Json stage = stageJson(step, s);
        const auto largest = std::max_element(memory.byKind.begin(), memory.byKind.end());
        stage["largest"] =
            layout::name(static_cast<layout::MemoryKind>(largest - memory.byKind.begin()));
        stages.push_back(std::move(stage));
    }
    json["stages"] = std::move(stages);
    return json;
}

Json scheduleJson(const layout::StepResult& step, const search::PipelineStudy& study) {
    const layout::PipelineProblem& p = study.problem;
    const double closed = study.closedForm.value();
    const double whole = study.timeline ? study.timeline->seconds : 0;
    Json stages = Json::array();
    for (const search::StageOccupation& s : study.stages) {
        Json stage{{"stage", s.stage}};
        const auto i = static_cast<std::size_t>(s.stage);
        if (i < step.stageTimes.size()) {
            stage["layers"] = step.stageTimes[i].layers;
            stage["forward_s"] = step.stageTimes[i].forward.value();
            stage["backward_s"] = step.stageTimes[i].backward.value();
            stage["weight_gradient_s"] = step.stageTimes[i].weightGradient.value();
        }
        stage["first_s"] = s.first.value();
        stage["last_s"] = s.last.value();
        stage["busy_s"] = s.busy.value();
        stage["idle_s"] = whole - s.busy.value();
        stages.push_back(std::move(stage));
    }
    Json tasks = Json::array();
    if (study.timeline)
        for (const layout::PipelineTask& task : study.timeline->tasks)
            tasks.push_back(Json{{"stage", task.stage},
                                 {"task", snakeCase(taskLabel(task.kind).english())},
                                 {"micro_batch", task.microBatch},
                                 {"chunk", task.chunk},
                                 {"start_s", task.startSeconds},
                                 {"end_s", task.endSeconds}});
    return Json{{"schedule", layout::name(p.schedule)},
                {"stage_count", p.stages()},
                {"virtual_stages", p.virtualStages},
                {"micro_batches", p.microBatches},
                {"send_s", p.sendSeconds},
                {"closed_form_s", closed},
                {"simulated_s", study.timeline ? Json(whole) : Json(nullptr)},
                {"difference_s", study.timeline ? Json(closed - whole) : Json(nullptr)},
                {"after_pipeline_s", step.stepTime.value() - closed},
                {"step_time_s", step.stepTime.value()},
                {"stages", std::move(stages)},
                {"tasks", std::move(tasks)}};
}

Json linkJson(const search::LinkFacts& link, const search::CandidateRequest& request) {
    Json figures = Json::array();
    for (const std::string& key : link.figures)
        for (const search::FigureUse& figure : request.figures)
            if (figure.kind == "system" && figure.key == key) figures.push_back(figureJson(figure));
    const auto seconds = [](units::Seconds time) { return time.value(); };
    return Json{{"name", link.name.english()},
                {"of", link.end.english()},
                {"bytes_per_s", positiveOrNull(link.bandwidth.value())},
                {"latency_s", orNull(link.latency, seconds)},
                {"start_s", orNull(link.start, seconds)},
                {"efficiency", orNull(link.efficiency, [](double e) { return e; })},
                {"half_bytes", orNull(link.halfBytes, [](units::Bytes b) { return b.value(); })},
                {"oversubscription", link.oversubscription},
                {"figures", std::move(figures)}};
}

Json networkJson(const CandidateView& view, const search::NetworkStudy& study) {
    const layout::StepResult& step = view.result->step;
    Json collectives = Json::array();
    double exposed = 0, hidden = 0;
    for (std::size_t i = 0; i < step.collectives.size(); ++i) {
        const layout::CollectiveUse& use = step.collectives[i];
        exposed += use.exposed.value();
        hidden += use.hidden.value();
        Json json = collectiveJson(use);
        json["total_s"] = use.calls * use.secondsPerCall.value();
        Json algorithms = Json::array();
        if (i < study.algorithms.size())
            for (const search::AlgorithmChoice& choice : study.algorithms[i])
                algorithms.push_back(Json{{"algorithm", choice.algorithm},
                                          {"busiest_link", nonEmptyOrNull(choice.busiestLink)},
                                          {"latency_s", choice.latency.value()},
                                          {"seconds", choice.seconds.value()},
                                          {"in_use", choice.isUsed}});
        json["algorithms"] = std::move(algorithms);
        collectives.push_back(std::move(json));
    }
    Json links = Json::array();
    for (const search::LinkFacts& link : study.links)
        links.push_back(linkJson(link, *view.request));
    return Json{{"collectives", std::move(collectives)},
                {"exposed_s", exposed},
                {"hidden_s", hidden},
                {"links", std::move(links)}};
}

/// What a later comparison needs to make this result again: every figure once, without its note.
Json keptFigures(const search::PlanRequest& request) {
    std::set<std::tuple<std::string, std::string, std::string, std::string>> seen;
    Json array = Json::array();
    const auto add = [&](const search::FigureUse& figure) {
        if (!seen.emplace(figure.kind, figure.id, figure.key, figure.value).second) return;
        Json json{
            {"kind", figure.kind}, {"id", figure.id}, {"key", figure.key}, {"value", figure.value}};
        // A result is kept in git: what isn't there takes no line.
        if (!figure.unit.empty()) json["unit"] = figure.unit;
        if (!figure.observed.empty()) json["observed"] = figure.observed;
        if (figure.status == "override") json["status"] = figure.status;
        array.push_back(std::move(json));
    };
    for (const search::FigureUse& figure : request.figures) add(figure);
    for (const search::CandidateRequest& candidate : request.candidates)
        for (const search::FigureUse& figure : candidate.figures) add(figure);
    return array;
}

/// The factors in use, to their last digit.
Json keptCalibration(const search::PlanRequest& request) {
    if (!request.calibration) return nullptr;
    Json factors = Json::array();
    for (const belief::Factor& factor : request.calibration->factors)
        factors.push_back(Json{{"subject", factor.subject},
                               {"physics", belief::name(factor.physics)},
                               {"log_factor", factor.logFactor}});
    return Json{{"id", nonEmptyOrNull(request.calibration->id)},
                {"date", nonEmptyOrNull(request.calibration->date)},
                {"hash", nonEmptyOrNull(request.calibration->hash)},
                {"factors", std::move(factors)}};
}

}  // namespace

std::string planJson(const search::PlanRequest& request, const search::PlanResult& result,
                     const ReportContext& context) {
    Json json = header("trainwright/plan/1", context);
    const std::vector<CandidateView> views = candidateViews(request, result);
    Json answer = Json::array();
    for (const AnswerSentence& sentence : answerSentences(request, result, views))
        answer.push_back(sentence.text.english());
    json["answer"] = std::move(answer);
    Json candidates = Json::array();
    for (const CandidateView& view : views) {
        Json one = candidateJson(view, context.withMeasurements);
        one["unit_costs"] =
            view.runs() ? unitCostsJson(view.result->run, request.training.tokens) : Json(nullptr);
        one["against"] = againstJson(view, views);
        candidates.push_back(std::move(one));
    }
    json["candidates"] = std::move(candidates);
    Json warnings = Json::array();
    for (const Finding& note : request.notes) warnings.push_back(note.english());
    json["warnings"] = std::move(warnings);
    json["scenario_text"] = nonEmptyOrNull(context.scenarioText);
    json["calibration"] = keptCalibration(request);
    json["figures"] = keptFigures(request);
    return jsonText(json) + "\n";
}

std::string explainJson(const search::PlanRequest& request,
                        const search::CandidateResult& candidate, const ExplainedViews& views,
                        const ReportContext& context) {
    Json json = header("trainwright/explain/1", context);
    std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view) {
        json["candidate"] = nullptr;
        return jsonText(json) + "\n";
    }
    json["candidate"] = candidateJson(*view, context.withMeasurements);
    if (views.overview) addOverview(json, request, *view);
    if (views.model) json["model"] = modelJson(*views.model);
    if (views.roofline) json["roofline"] = rooflineJson(*view, *views.roofline);
    if (views.memory) json["memory"] = stageMemoryJson(candidate.step);
    if (views.schedule) json["schedule"] = scheduleJson(candidate.step, *views.schedule);
    if (views.network) json["network"] = networkJson(*view, *views.network);
    return jsonText(json) + "\n";
}

}  // namespace trainwright::reports
