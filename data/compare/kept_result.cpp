// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compare/kept_result.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "model/layout/layout.h"
#include "model/units/text_quantity.h"

namespace trainwright::compare {
namespace {

using Json = nlohmann::ordered_json;
using search::CandidateState;
using search::Quantity;

constexpr const char* kSchema = "trainwright/plan/1";

/// The value under `key`, or null: of an object that may be none.
const Json& at(const Json& object, const char* key) {
    static const Json kNull;
    if (!object.is_object()) return kNull;
    const auto found = object.find(key);
    return found == object.end() ? kNull : *found;
}

std::string textAt(const Json& object, const char* key) {
    const Json& value = at(object, key);
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::optional<double> numberAt(const Json& object, const char* key) {
    const Json& value = at(object, key);
    if (!value.is_number()) return std::nullopt;
    const double number = value.get<double>();
    return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

/// A whole number within the reach of an int; `otherwise` where there is none.
int wholeAt(const Json& object, const char* key, int otherwise) {
    const std::optional<double> number = numberAt(object, key);
    return number && std::abs(*number) < 2e9 ? static_cast<int>(*number) : otherwise;
}

std::vector<std::string> textsAt(const Json& object, const char* key) {
    std::vector<std::string> all;
    for (const Json& one : at(object, key))
        if (one.is_string()) all.push_back(one.get<std::string>());
    return all;
}

std::string layoutOf(const Json& json) {
    if (!json.is_object()) return {};
    layout::Layout l;
    l.tensor = wholeAt(json, "tensor_parallel", 1);
    l.pipeline = wholeAt(json, "pipeline_parallel", 1);
    l.virtualStages = wholeAt(json, "virtual_stages", 1);
    l.context = wholeAt(json, "context_parallel", 1);
    l.expert = wholeAt(json, "expert_parallel", 1);
    l.expertTensor = wholeAt(json, "expert_tensor_parallel", 0);
    l.data = wholeAt(json, "data_parallel", 1);
    l.shardDegree = wholeAt(json, "shard_degree", 0);
    l.microBatch = wholeAt(json, "micro_batch", 1);
    std::string out = layout::shortForm(l);
    if (const std::string recompute = textAt(json, "recompute");
        !recompute.empty() && recompute != "none")
        out += " " + recompute;
    return out;
}

CandidateState stateOf(const Json& json) {
    CandidateState state;
    state.name = textAt(json, "name");
    state.standing = textAt(json, "standing");
    state.system = textAt(json, "system");
    constexpr double kMostAccelerators = 1e15;  // that a double counts one by one
    const double accelerators = numberAt(json, "accelerators").value_or(0);
    if (accelerators > 0 && accelerators < kMostAccelerators)
        state.accelerators = static_cast<long>(accelerators);
    state.finish = textAt(json, "finish");
    state.layout = layoutOf(at(json, "layout"));
    state.grade = textAt(json, "grade");
    const auto set = [&](Quantity q, std::optional<double> value) {
        state.quantities[static_cast<std::size_t>(q)] = value;
    };
    set(Quantity::Days, numberAt(json, "days"));
    set(Quantity::Cost, numberAt(at(json, "cost_usd"), "total"));
    set(Quantity::Energy, numberAt(json, "energy_kwh"));
    set(Quantity::AveragePower, numberAt(json, "average_power_w"));
    set(Quantity::PeakPower, numberAt(json, "peak_power_w"));
    set(Quantity::Mfu, numberAt(json, "mfu_model"));
    for (const Json& miss : at(json, "misses"))
        state.misses.emplace_back(textAt(miss, "constraint"), textAt(miss, "text"));
    state.reasons = textsAt(json, "reasons");
    state.chance = numberAt(at(at(json, "bands"), "chances"), "all");
    return state;
}

void giveMarks(std::vector<CandidateState>& candidates) {
    int place = 0;
    for (CandidateState& c : candidates) {
        c.mark = c.standing == "meets_all"      ? std::to_string(++place)
                 : c.standing == "misses_limit" ? "–"
                 : c.standing == "no_price"     ? "?"
                                                : "×";
    }
}

FigureTable figuresOf(const Json& list) {
    FigureTable table;
    for (const Json& json : list) {
        KeptFigure f{textAt(json, "kind"),  textAt(json, "id"),   textAt(json, "key"),
                     textAt(json, "value"), textAt(json, "unit"), textAt(json, "observed")};
        if (textAt(json, "status") == "override" || f.kind == "calibration") continue;
        table.emplace(f.kind + "/" + f.id + "/" + f.key, std::move(f));
    }
    return table;
}

std::shared_ptr<const belief::Calibration> calibrationOf(const Json& json) {
    if (!json.is_object()) return nullptr;
    belief::Calibration calibration;
    calibration.id = textAt(json, "id");
    calibration.date = textAt(json, "date");
    calibration.hash = textAt(json, "hash");
    for (const Json& one : at(json, "factors")) {
        const auto physics = belief::physicsFromName(textAt(one, "physics"));
        const auto value = numberAt(one, "log_factor");
        if (!physics || !value) continue;
        belief::Factor factor;
        factor.physics = *physics;
        factor.subject = textAt(one, "subject");
        factor.logFactor = *value;
        calibration.factors.push_back(std::move(factor));
    }
    return std::make_shared<const belief::Calibration>(std::move(calibration));
}

Finding finding(const std::string& name, std::string pattern,
                std::vector<Argument> arguments = {}) {
    return {Severity::Error, Text{std::move(pattern), std::move(arguments)}, Place{name, 0, 0, {}}};
}

}  // namespace

bool looksLikeResult(const std::string& text) {
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == std::string::npos || (text[first] != '{' && text[first] != '[')) return false;
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded()) return text.find("\"schema\"", first) != std::string::npos;
    return json.is_array() || json.contains("schema");
}

Outcome<KeptResult> readResult(const std::string& text, const std::string& name) {
    const Json json = Json::parse(text, nullptr, false);
    if (json.is_discarded())
        return finding(name, "This JSON breaks off or is damaged; a result of a plan is expected.");
    if (json.is_array())
        return finding(name,
                       "This file holds {1} results; a comparison takes one. `plan` with one "
                       "scenario and --report result.json writes such a file.",
                       {std::to_string(json.size())});
    const std::string schema = textAt(json, "schema");
    if (schema != kSchema) {
        return schema.empty()
                   ? finding(name,
                             "This JSON is no result of a plan: it names no schema. `plan` with "
                             "--report result.json writes one.")
                   : finding(name,
                             "This is {1}; a comparison takes {2}, as `plan` with --report "
                             "result.json writes it.",
                             {schema, kSchema});
    }
    if (!at(json, "candidates").is_array())
        return finding(name, "This result of a plan lists no candidates.");

    KeptResult result;
    search::ComparedPlan& plan = result.plan;
    plan.name = name;
    plan.title = textAt(at(json, "scenario"), "title");
    const Json& model = at(at(json, "scenario"), "model");
    plan.model = model.is_string() ? model.get<std::string>() : textAt(model, "name");
    plan.programVersion = textAt(at(json, "program"), "version");
    plan.catalogVersion = textAt(at(json, "catalog"), "version");
    plan.catalogHash = textAt(at(json, "catalog"), "hash");
    for (const Json& one : at(json, "candidates")) result.candidates.push_back(stateOf(one));
    plan.anyRuns = std::any_of(result.candidates.begin(), result.candidates.end(),
                               [](const CandidateState& c) { return c.runs(); });
    giveMarks(result.candidates);
    result.scenarioText = textAt(json, "scenario_text");
    result.figures = figuresOf(at(json, "figures"));
    plan.hasSource = !result.scenarioText.empty();
    result.hasCalibration = json.contains("calibration");
    result.calibration = calibrationOf(at(json, "calibration"));
    if (result.calibration) {
        plan.calibration = result.calibration->id;
        plan.calibrationHash = result.calibration->hash;
    }
    return result;
}

}  // namespace trainwright::compare
