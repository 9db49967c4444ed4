// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/run/run.h"
#include "model/run/run_parts.h"
#include "model/units/text_quantity.h"

namespace trainwright::run {

namespace {

constexpr double kDaysPerWeek = 7;

double roundedDays(const Price& price, double days) {
    const double whole = std::ceil(days);
    if (price.weekAfterDays <= 0 || whole <= price.weekAfterDays) return whole;
    return kDaysPerWeek * std::ceil(whole / kDaysPerWeek);
}

struct Purchases {
    double billedDays = 0;
    double count = 0;
};

Purchases purchases(const Price& price, double days) {
    const double used = toTheSecond(days);
    if (!price.wholeDays) return {days, 1};
    const double lost = units::inDays(price.unusableAtEnd);
    if (price.maxDays <= 0) return {used > 0 ? roundedDays(price, toTheSecond(used + lost)) : 0, 1};
    const double usable = price.maxDays - lost;
    assert(usable > 0);
    const double full = std::max(0.0, std::ceil(used / usable) - 1);
    const double rest = toTheSecond(used - full * usable);
    const double last = rest > 0 ? roundedDays(price, toTheSecond(rest + lost)) : 0;
    return {full * price.maxDays + std::min<double>(last, price.maxDays),
            full + (last > 0 ? 1 : 0)};
}

}  // namespace

double toTheSecond(double days) {
    return std::round(days * units::kSecondsPerDay) / units::kSecondsPerDay;
}

double billedDays(const Price& price, double days) {
    return purchases(price, days).billedDays;
}

long unitsRented(const machine::SystemSpec& system, long chips) {
    if (system.chipsPerUnit <= 0) return 0;
    return (chips + system.chipsPerUnit - 1) / system.chipsPerUnit;
}

Money moneyOf(const RunProblem& problem, double days, double usefulDays) {
    const Price& price = problem.price;
    Money money;
    if (!std::isfinite(days)) {
        money.reason = {"The run never ends: interruptions come faster than it can restart.", {}};
        return money;
    }
    money.billedDays = billedDays(price, days);
    if (price.state == PriceState::None || !price.perUnit) {
        money.reason = price.reason.empty()
                           ? Text{"No price of {1} is known.", {problem.system.name}}
                           : price.reason;
        return money;
    }
    const long rented = unitsRented(problem.system, problem.chips);
    if (rented == 0) {
        money.reason = {"How many chips of {1} are rented together is not known.",
                        {problem.system.name}};
        return money;
    }
    if (price.state == PriceState::StandIn) money.reason = price.reason;
    const units::UsDollarsPerSecond unitRate = *price.perUnit * (1 - price.discount);
    const double unitsUsed =
        static_cast<double>(problem.chips) / static_cast<double>(problem.system.chipsPerUnit);
    // Bills are to the second, so that the last purchase may end a moment before the run.
    const double idleDays = std::max(0.0, money.billedDays - days);
    const double unitsIdle = static_cast<double>(rented) - unitsUsed;
    money.usefulPart = unitRate * units::days(usefulDays) * unitsUsed;
    money.lostPart = unitRate * units::days(days - usefulDays) * unitsUsed;
    money.roundingPart =
        unitRate * (units::days(idleDays) * unitsUsed + units::days(money.billedDays) * unitsIdle);
    money.compute = *money.usefulPart + *money.lostPart + *money.roundingPart;
    money.total = money.compute;
    return money;
}

Text planName(const std::string& plan) {
    static const std::vector<std::pair<std::string, const char*>> kNames{
        {"on_demand", "on demand"},
        {"capacity_block", "Capacity Block"},
        {"spot", "spot"},
        {"savings_plan_1y", "Savings Plan, one year"},
        {"savings_plan_3y", "Savings Plan, three years"},
        {"owned", "owned"}};
    for (const auto& [id, english] : kNames)
        if (id == plan) return {english, {}};
    std::string spaced = plan;
    std::replace(spaced.begin(), spaced.end(), '_', ' ');
    return {"{1}", {spaced}};
}

std::vector<Text> purchaseWarnings(const RunProblem& problem, double days) {
    const Price& price = problem.price;
    std::vector<Text> warnings;
    if (price.state == PriceState::None) return warnings;
    const std::string plan = planName(price.plan).english();
    const long rented = unitsRented(problem.system, problem.chips);
    if (price.maxUnits > 0 && rented > price.maxUnits) {
        warnings.push_back({"The run needs {1} units of {2} at once; {3} sells at most {4}.",
                            {units::groupedNumber(static_cast<double>(rented)), problem.system.name,
                             plan, std::to_string(price.maxUnits)}});
    }
    if (!std::isfinite(days) || price.maxDays <= 0) return warnings;
    if (price.wholeDays) {
        const double count = purchases(price, days).count;
        if (count > 1) {
            warnings.push_back(
                {"The run needs {1} days; one purchase under {2} lasts at most {3} days, so "
                 "the price is that of {4} in a row, which may not be had back to back.",
                 {decimal(days, 1), plan, std::to_string(price.maxDays), decimal(count, 0)}});
        }
    } else if (days > price.maxDays) {
        warnings.push_back({"The run needs {1} days; {2} is sold for at most {3} days.",
                            {decimal(days, 1), plan, std::to_string(price.maxDays)}});
    }
    return warnings;
}

}  // namespace trainwright::run
