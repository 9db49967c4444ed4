// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "reports/candidate_json.h"
#include "reports/fit_report.h"
#include "reports/fit_view.h"
#include "reports/json_header.h"

namespace trainwright::reports {
namespace {

using search::FitPoint;
using search::Objective;

template <typename T>
Json valueOrNull(const std::optional<T>& quantity) {
    return quantity ? Json(quantity->value()) : Json(nullptr);
}

const char* objectiveUnit(Objective objective) {
    switch (objective) {
        case Objective::Smallest:
            return "accelerators";
        case Objective::Cheapest:
            return "USD";
        case Objective::Greenest:
            return "kg";
        case Objective::Fastest:
            return "d";
    }
    return "";
}

Json overrunsJson(const FitPoint& p) {
    Json out = Json::array();
    for (const search::Overrun& o : p.overruns)
        out.push_back({{"constraint", o.limit},
                       {"by", std::isfinite(o.by) ? Json(o.by) : Json(nullptr)},
                       {"unit", limitWords(o.limit).unit}});
    return out;
}

Json pointJson(const search::FitRequest& request, const FitPoint& p) {
    const search::CandidateRequest& c = request.ways[p.way].candidate;
    const run::RunResult& run = p.run;
    return {{"name", c.name},
            {"system", c.system.id},
            {"accelerators", p.chips},
            {"region", c.region ? Json(c.region->id) : Json(nullptr)},
            {"plan", c.price.plan.empty() ? Json(nullptr) : Json(c.price.plan)},
            {"layout", layout::shortForm(p.layout)},
            {"step_time_s", p.stepTime.value()},
            {"mfu_model", p.mfu},
            {"days", std::isfinite(run.days) ? Json(run.days) : Json(nullptr)},
            {"finish", run.finish ? Json(run::isoDate(*run.finish)) : Json(nullptr)},
            {"cost_usd", valueOrNull(run.money.total)},
            {"peak_power_w", valueOrNull(run.energy.peakPower)},
            {"co2_kg", run.energy.co2Kilograms ? Json(*run.energy.co2Kilograms) : Json(nullptr)},
            {"misses", overrunsJson(p)}};
}

Json bindingJson(const search::FitRequest& request, const search::BindingLimit& b) {
    const std::string unit = limitWords(b.limit).unit;
    return {{"constraint", b.limit},
            {"value", b.limit == "finish_by" ? Json(limitValueText(b)) : Json(b.value)},
            {"unit", b.limit == "finish_by" ? Json("date") : Json(unit)},
            {"worth", b.worth},
            {"worth_unit", std::string(objectiveUnit(request.objective)) + " per " + unit},
            {"more", b.more},
            {"instead", pointJson(request, b.instead)}};
}

}  // namespace

std::string fitJson(const FitAnswer& answer, const ReportContext& context) {
    const search::FitRequest& request = answer.request;
    const search::FitResult& result = answer.result;
    const search::Constraints& limits = request.plan.constraints;
    Json j = provenanceJson("trainwright/fit/1", context);
    j["objective"] = search::name(request.objective);
    j["limits"] = {
        {"finish_by", limits.finishBy ? Json(run::isoDate(*limits.finishBy)) : Json(nullptr)},
        {"budget_usd", valueOrNull(limits.budget)},
        {"power_w", valueOrNull(limits.power)},
        {"carbon_kg", limits.carbonKilograms ? Json(*limits.carbonKilograms) : Json(nullptr)},
        {"accelerators", limits.accelerators ? Json(*limits.accelerators) : Json(nullptr)}};
    j["feasible"] = result.best.has_value();
    Json candidate = nullptr;
    if (answer.planRequest && answer.plan) {
        const auto views = candidateViews(*answer.planRequest, *answer.plan);
        if (!views.empty()) candidate = candidateJson(views.front(), false);
    }
    j["best"] = result.best ? candidate : Json(nullptr);
    j["binding"] = Json::array();
    for (const search::BindingLimit& b : result.binding)
        j["binding"].push_back(bindingJson(request, b));
    j["nearest_miss"] = result.nearestMiss ? candidate : Json(nullptr);
    j["nearest_misses"] = result.nearestMiss ? overrunsJson(*result.nearestMiss) : Json::array();
    j["ways"] = Json::array();
    for (const FitPoint& p : result.bestOfEach) j["ways"].push_back(pointJson(request, p));
    j["not_known"] = Json::array();
    for (const std::size_t w : result.notKnown)
        j["not_known"].push_back(request.ways[w].candidate.name);
    j["never_fits"] = Json::array();
    for (const std::size_t w : result.neverFits)
        j["never_fits"].push_back(request.ways[w].candidate.name);
    j["clusters_searched"] = result.sizesSearched;
    j["most_accelerators"] = request.maxAccelerators;
    return jsonText(j) + "\n";
}

}  // namespace trainwright::reports
