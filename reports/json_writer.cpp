// SPDX-License-Identifier: GPL-3.0-or-later
// Plan and explanation as JSON. Keys and their units are a promise to scripts: none is ever
// renamed.
#include <algorithm>
#include <cmath>
#include <optional>

#include "reports/answer.h"
#include "reports/candidate_json.h"
#include "reports/document.h"
#include "reports/json_text.h"
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

Json layoutJson(const layout::Layout& l) {
    return Json{{"tensor_parallel", l.tensor},
                {"sequence_parallel", l.sequenceParallel},
                {"pipeline_parallel", l.pipeline},
                {"virtual_stages", l.virtualStages},
                {"context_parallel", l.context},
                {"expert_parallel", l.expert},
                {"data_parallel", l.data},
                {"micro_batch", l.microBatch},
                {"micro_batches", l.microBatches},
                {"sharding", layout::name(l.sharding)},
                {"recompute", layout::name(l.recompute)},
                {"schedule", layout::name(l.schedule)}};
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
                {"reason", sentenceOrNull(price.reason)}};
}

Json goodputJson(const run::Goodput& goodput) {
    return Json{{"useful_share", goodput.share},
                {"checkpoint_share", goodput.checkpointShare},
                {"rework_share", goodput.reworkShare},
                {"restart_share", goodput.restartShare},
                {"checkpoint_interval_s", positiveOrNull(goodput.checkpointInterval.value())},
                {"checkpoint_stall_s", goodput.checkpointStall.value()},
                {"mean_time_between_interruptions_s",
                 positiveOrNull(goodput.meanTimeBetweenInterruptions.value())},
                {"restart_s", goodput.restart.value()}};
}

Json alternativesJson(const std::vector<search::Alternative>& alternatives) {
    Json array = Json::array();
    for (const search::Alternative& alternative : alternatives)
        array.push_back(Json{{"layout", layoutJson(alternative.layout)},
                             {"step_time_s", positiveOrNull(alternative.stepTime.value())},
                             {"peak_bytes", positiveOrNull(alternative.memory.value())},
                             {"fits", alternative.fits}});
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

    Json json{{"name", result.name},
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
              {"reasons", sentences(reasonsOf(view))},
              {"misses", std::move(misses)},
              {"warnings", sentences(warningsOf(view))},
              {"layout", view.hasLayout() ? layoutJson(result.layout) : Json(nullptr)},
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
              {"cost_usd", Json{{"compute", ofRun(orNull(run.money.compute, usd))},
                                {"total", ofRun(orNull(run.money.total, usd))},
                                {"useful", ofRun(orNull(run.money.usefulPart, usd))},
                                {"lost", ofRun(orNull(run.money.lostPart, usd))},
                                {"rounding", ofRun(orNull(run.money.roundingPart, usd))}}},
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
              {"grade", search::name(result.grade)},
              {"bottleneck", sentenceOrNull(result.bottleneck)},
              {"advice", sentenceOrNull(result.advice)},
              {"alternatives", alternativesJson(result.alternatives)},
              {"search", searchJson(result.search, withMeasurements)}};
    return json;
}

namespace {

Json header(const char* schema, const ReportContext& context) {
    Json json{{"schema", schema}};
    json["program"] =
        Json{{"name", "trainwright"}, {"version", nonEmptyOrNull(context.programVersion)}};
    json["catalog"] = Json{{"version", nonEmptyOrNull(context.catalogVersion)},
                           {"hash", nonEmptyOrNull(context.catalogHash)}};
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
    for (const CandidateView& view : views)
        candidates.push_back(candidateJson(view, context.withMeasurements));
    json["candidates"] = std::move(candidates);
    Json warnings = Json::array();
    for (const Finding& note : request.notes) warnings.push_back(note.english());
    json["warnings"] = std::move(warnings);
    return jsonText(json) + "\n";
}

std::string explainJson(const search::PlanRequest& request,
                        const search::CandidateResult& candidate, const ReportContext& context) {
    Json json = header("trainwright/explain/1", context);
    std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view) {
        json["candidate"] = nullptr;
        return jsonText(json) + "\n";
    }
    json["candidate"] = candidateJson(*view, context.withMeasurements);
    const layout::StepResult& step = candidate.step;
    Json operators = Json::array();
    for (const layout::OperatorCost& op : step.operators) operators.push_back(operatorJson(op));
    json["operators"] = std::move(operators);
    Json collectives = Json::array();
    for (const layout::CollectiveUse& use : step.collectives)
        collectives.push_back(collectiveJson(use));
    json["collectives"] = std::move(collectives);
    Json stages = Json::array();
    const std::size_t count = std::max(step.memory.stages.size(), step.stageTimes.size());
    for (std::size_t s = 0; s < count; ++s) {
        Json stage{{"stage", s}};
        if (s < step.stageTimes.size()) {
            stage["layers"] = step.stageTimes[s].layers;
            stage["forward_s"] = step.stageTimes[s].forward.value();
            stage["backward_s"] = step.stageTimes[s].backward.value();
        }
        if (s < step.memory.stages.size()) {
            stage["memory_bytes"] = step.memory.stages[s].total().value();
            stage["by_kind_bytes"] = byKindJson(step.memory.stages[s]);
            stage["micro_batches_in_flight"] = step.memory.stages[s].microBatchesInFlight;
        }
        stages.push_back(std::move(stage));
    }
    json["stages"] = std::move(stages);
    std::vector<search::FigureUse> figures = request.figures;
    figures.insert(figures.end(), view->request->figures.begin(), view->request->figures.end());
    json["figures"] = figuresJson(figures);
    return jsonText(json) + "\n";
}

}  // namespace trainwright::reports
