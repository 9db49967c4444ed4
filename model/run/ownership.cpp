// SPDX-License-Identifier: GPL-3.0-or-later
#include <cassert>
#include <cmath>

#include "model/run/run.h"
#include "model/run/run_parts.h"

namespace trainwright::run {

namespace {

/// Of the units rented by the hour, without a break; 0 where it isn't known.
units::UsDollars rentPerMonth(const RunProblem& problem, long rented) {
    const units::Seconds month = units::days(kDaysPerMonth);
    const bool owned = problem.price.isOwned();
    if (owned || problem.rent.perUnit || problem.portions.empty()) {
        const Price& price = problem.rent.perUnit || owned ? problem.rent : problem.price;
        if (!isKnown(price)) return units::UsDollars(0);
        return rateOf(price) * month * static_cast<double>(rented);
    }
    units::UsDollars sum(0);
    for (const Portion& p : problem.portions) {
        if (!isKnown(p.price)) return units::UsDollars(0);
        sum += rateOf(p.price) * month * static_cast<double>(p.units);
    }
    return sum;
}

}  // namespace

std::optional<units::UsDollars> annuity(const Ownership& o) {
    if (!o.capitalPerUnit) return std::nullopt;
    assert(o.lifeYears > 0 && o.costOfCapital >= 0);
    // i / (q^n − 1), which without a cost of capital is 1 / n.
    const double growth = std::expm1(o.lifeYears * std::log1p(o.costOfCapital));
    const double share = growth > 0 ? o.costOfCapital / growth : 1 / o.lifeYears;
    return *o.capitalPerUnit * (share * (1 + growth - o.residualShare));
}

std::optional<units::UsDollarsPerSecond> ownedRate(const Ownership& o) {
    const std::optional<units::UsDollars> year = annuity(o);
    if (!year) return std::nullopt;
    const double share = o.dedicated ? 1 : o.useShare;
    assert(share > 0);
    return *year / (units::days(kDaysPerYear) * share);
}

Price ownedPrice(const Ownership& o) {
    Price price;
    price.plan = kOwned;
    price.state = o.capitalPerUnit ? o.state : PriceState::None;
    price.perUnit = ownedRate(o);
    price.source = o.source;
    price.reason = o.reason;
    price.termDays = o.lifeYears * kDaysPerYear;
    price.upfrontShare = 1;
    price.dedicated = o.dedicated;
    return price;
}

std::optional<double> breakEvenMonths(units::UsDollars capital, units::UsDollars savedPerMonth,
                                      double costOfCapital) {
    if (!(savedPerMonth.value() > 0)) return std::nullopt;
    const double months = capital.value() / savedPerMonth.value();  // without cost of capital
    const double monthly = std::log1p(costOfCapital) / kMonthsPerYear;
    const double interest = std::expm1(monthly) * months;
    if (!(interest < 1)) return std::nullopt;
    return monthly > 0 ? -std::log1p(-interest) / monthly : months;
}

OwnershipResult ownershipOf(const RunProblem& problem, double days, double usefulDays,
                            const Energy& energy) {
    OwnershipResult r;
    assert(problem.ownership);
    const Ownership& own = *problem.ownership;
    const long rented = unitsHeld(problem);
    const double count = static_cast<double>(rented);
    if (!own.capitalPerUnit || rented == 0) {
        r.reason = own.reason.empty()
                       ? Text{"What {1} costs to buy is not known.", {problem.system.name}}
                       : own.reason;
        return r;
    }
    r.reason = own.reason;
    r.capital = *own.capitalPerUnit * count;
    r.capitalPerYear = *annuity(own) * count;
    r.operationPerYear = *r.capital * own.operationShare;
    if (energy.averagePower && own.usdPerKilowattHour) {
        r.electricityPerYear = units::UsDollars(
            units::inKilowattHours(*energy.averagePower * units::days(kDaysPerYear)) *
            *own.usdPerKilowattHour);
    }
    RunProblem owned = problem;
    owned.price = ownedPrice(own);
    owned.portions.clear();
    r.ofRun = moneyOf(owned, days, usefulDays, energy).total;
    const units::UsDollars rent = rentPerMonth(problem, rented);
    if (!(rent.value() > 0)) {
        if (r.reason.empty())
            r.reason = {"No rent of {1} is known to hold owning against.", {problem.system.name}};
        return r;
    }
    r.rentPerMonth = rent;
    if (!r.electricityPerYear) {
        if (r.reason.empty())
            r.reason = {
                "The electricity of owned machines is not known: {1}",
                {energy.averagePower ? Text{"there is no price of a kWh.", {}} : energy.reason}};
        return r;
    }
    const units::UsDollars running = (*r.electricityPerYear + *r.operationPerYear) / kMonthsPerYear;
    r.breakEvenMonths = breakEvenMonths(*r.capital, rent - running, own.costOfCapital);
    r.beyondLife = !r.breakEvenMonths || *r.breakEvenMonths > own.lifeYears * kMonthsPerYear;
    return r;
}

UnitCosts unitCosts(const RunResult& result, double tokens) {
    constexpr double kTrillion = 1e12;
    constexpr double kPeta = 1e15;
    UnitCosts out;
    out.petaflopDays = result.modelFlop.value() / (kPeta * units::kSecondsPerDay);
    const auto& total = result.money.total;
    const auto& energy = result.energy.energy;
    if (tokens > 0) {
        if (total) out.perTrillionTokens = *total * (kTrillion / tokens);
        if (energy)
            out.kilowattHoursPerTrillionTokens =
                units::inKilowattHours(*energy) * (kTrillion / tokens);
    }
    if (out.petaflopDays > 0) {
        if (total) out.perPetaflopDay = *total / out.petaflopDays;
        if (energy)
            out.kilowattHoursPerPetaflopDay = units::inKilowattHours(*energy) / out.petaflopDays;
    }
    return out;
}

}  // namespace trainwright::run
