// SPDX-License-Identifier: GPL-3.0-or-later
// What a plan's days and dollars are made of, as a few quantities and the formulas between them.
#include <cmath>
#include <functional>
#include <map>
#include <stdexcept>

#include "reports/writers.h"

namespace trainwright::reports {
namespace {

using Known = std::map<std::string, double>;
using Planned = std::function<std::optional<double>(const search::CandidateRequest&,
                                                    const search::CandidateResult&)>;

struct Quantity {
    const char* key;
    const char* label;
    const char* note;
    const char* format;
    Planned planned;
    const char* formula = "";
    std::function<double(const Known&)> follow = {};
};

constexpr double kTolerance = 1e-6;
constexpr double kSpreadsheetEpoch = 25569;  ///< 1970-01-01 counted from 1899-12-30
constexpr double kSecondsPerDay = 86400;
constexpr double kSecondsPerHour = 3600;

std::optional<double> dollars(const std::optional<units::UsDollars>& amount) {
    if (!amount) return std::nullopt;
    return amount->value();
}

double serial(run::Date date) {
    return kSpreadsheetEpoch + static_cast<double>(run::daysSinceEpoch(date));
}

std::vector<Quantity> quantities(const search::PlanRequest& request) {
    using Request = search::CandidateRequest;
    using Result = search::CandidateResult;
    const layout::TrainingSpec& training = request.training;
    const double stepTokens = static_cast<double>(training.sequenceLength) *
                              static_cast<double>(training.globalBatchSequences);
    return {
        {"tokens", "Tokens of the run", "as the scenario has it", "#,##0",
         [&training](const Request&, const Result&) { return training.tokens; }},
        {"step_tokens", "Tokens of a step", "sequence length × sequences of a batch", "#,##0",
         [stepTokens](const Request&, const Result&) { return stepTokens; }},
        {"steps", "Steps", "tokens of the run / tokens of a step, rounded up", "#,##0",
         [](const Request&, const Result& r) { return r.run.steps; },
         "ROUNDUP({tokens}/{step_tokens},0)",
         [](const Known& k) { return std::ceil(k.at("tokens") / k.at("step_tokens")); }},
        {"step_seconds", "Time of a step (s)", "as estimated for the layout", "0.0000",
         [](const Request&, const Result& r) { return r.step.stepTime.value(); }},
        {"evaluation", "Evaluation, share of training", "as the scenario has it", "0.0%",
         [](const Request& c, const Result&) { return c.operations.evaluationShare; }},
        {"useful_days", "Useful time (d)", "steps × time of a step × (1 + evaluation)", "#,##0.00",
         [](const Request&, const Result& r) { return r.run.usefulDays; },
         "{steps}*{step_seconds}*(1+{evaluation})/86400",
         [](const Known& k) {
             return k.at("steps") * k.at("step_seconds") * (1 + k.at("evaluation")) /
                    kSecondsPerDay;
         }},
        {"useful_share", "Useful share of the run",
         "what start-up, failures, restarts and checkpoints leave", "0.00%",
         [](const Request&, const Result& r) -> std::optional<double> {
             if (!(r.run.days > 0)) return std::nullopt;
             return r.run.usefulDays / r.run.days;
         }},
        {"days", "Time of the run (d)", "useful time / useful share", "#,##0.00",
         [](const Request&, const Result& r) { return r.run.days; }, "{useful_days}/{useful_share}",
         [](const Known& k) { return k.at("useful_days") / k.at("useful_share"); }},
        {"start", "First day", "as the scenario has it", "yyyy-mm-dd",
         [&request](const Request&, const Result&) -> std::optional<double> {
             if (!request.start) return std::nullopt;
             return serial(*request.start);
         }},
        {"finish", "Last day", "first day + time of the run, rounded up to whole days",
         "yyyy-mm-dd",
         [](const Request&, const Result& r) -> std::optional<double> {
             if (!r.run.finish) return std::nullopt;
             return serial(*r.run.finish);
         },
         "{start}+ROUNDUP(ROUND({days}*86400,0)/86400,0)",
         [](const Known& k) {
             const double toTheSecond = std::round(k.at("days") * kSecondsPerDay) / kSecondsPerDay;
             return k.at("start") + std::ceil(toTheSecond);
         }},
        {"units", "Units rented", "instances or UltraServers", "#,##0",
         [](const Request&, const Result& r) { return static_cast<double>(r.units); }},
        {"price", "Price of a unit (USD/h)", "before discount, on the day that the catalog has",
         "#,##0.0000",
         [](const Request& c, const Result&) -> std::optional<double> {
             if (!c.price.perUnit) return std::nullopt;
             return c.price.perUnit->value() * kSecondsPerHour;
         }},
        {"discount", "Discount", "as the scenario has it", "0.0%",
         [](const Request& c, const Result&) { return c.price.discount; }},
        {"billed_days", "Time billed (d)", "the time of the run, or what the plan sells at least",
         "#,##0.00", [](const Request&, const Result& r) { return r.run.money.billedDays; },
         "{days}", [](const Known& k) { return k.at("days"); }},
        {"compute_usd", "Machines (USD)", "units × days billed × 24 × price × (1 − discount)",
         "#,##0", [](const Request&, const Result& r) { return dollars(r.run.money.compute); },
         "{units}*{billed_days}*24*{price}*(1-{discount})",
         [](const Known& k) {
             return k.at("units") * k.at("billed_days") * 24 * k.at("price") *
                    (1 - k.at("discount"));
         }},
        {"beside_usd", "Beside the machines (USD)",
         "storage, egress, electricity and operation, as far as known", "#,##0",
         [](const Request&, const Result& r) -> std::optional<double> {
             if (!r.run.money.total || !r.run.money.compute) return std::nullopt;
             return r.run.money.total->value() - r.run.money.compute->value();
         }},
        {"total_usd", "Cost of the run (USD)", "machines + what stands beside them", "#,##0",
         [](const Request&, const Result& r) { return dollars(r.run.money.total); },
         "{compute_usd}+{beside_usd}",
         [](const Known& k) { return k.at("compute_usd") + k.at("beside_usd"); }},
        {"usd_per_trillion", "Cost of a trillion tokens (USD)", "cost of the run / tokens", "#,##0",
         [&training](const Request&, const Result& r) -> std::optional<double> {
             if (!r.run.money.total || !(training.tokens > 0)) return std::nullopt;
             return r.run.money.total->value() / (training.tokens / 1e12);
         },
         "{total_usd}/({tokens}/1000000000000)",
         [](const Known& k) { return k.at("total_usd") / (k.at("tokens") / 1e12); }},
    };
}

}  // namespace

Assumptions planAssumptions(const search::PlanRequest& request, const search::PlanResult& result) {
    Assumptions out;
    const std::vector<Quantity> all = quantities(request);
    for (const Quantity& q : all)
        out.rows.push_back({q.key, text(q.label), text(q.note), q.format, q.formula, {}, {}});
    for (std::size_t index : result.ranking()) {
        const search::CandidateResult& candidate = result.candidates.at(index);
        if (!candidate.feasible) continue;
        out.candidates.push_back(candidate.name);
        Known known;
        for (std::size_t q = 0; q < all.size(); ++q) {
            std::optional<double> value = all[q].planned(request.candidates.at(index), candidate);
            if (value && !std::isfinite(*value)) value.reset();
            bool follows = false;
            if (value && all[q].follow) {
                try {
                    const double found = all[q].follow(known);
                    follows = std::abs(found - *value) <= kTolerance * std::abs(*value);
                } catch (const std::out_of_range&) {
                    follows = false;  // a quantity that it needs isn't known
                }
            }
            if (value) known[all[q].key] = *value;
            out.rows[q].values.push_back(value);
            out.rows[q].follows.push_back(follows);
        }
    }
    return out;
}

}  // namespace trainwright::reports
