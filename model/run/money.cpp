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
    double firstDays = 0;  ///< billed of the first
};

Purchases purchases(const Price& price, double days) {
    const double used = toTheSecond(days);
    if (price.termDays > 0 && price.dedicated) {
        const double terms = std::ceil(used / price.termDays);
        return {terms * price.termDays, terms, std::min(terms, 1.0) * price.termDays};
    }
    if (!price.wholeDays) return {days, 1, days};
    const double lost = units::inDays(price.unusableAtEnd);
    if (price.maxDays <= 0) {
        const double billed = used > 0 ? roundedDays(price, toTheSecond(used + lost)) : 0;
        return {billed, 1, billed};
    }
    const double usable = price.maxDays - lost;
    assert(usable > 0);
    const double full = std::max(0.0, std::ceil(used / usable) - 1);
    const double rest = toTheSecond(used - full * usable);
    const double last =
        rest > 0 ? std::min<double>(roundedDays(price, toTheSecond(rest + lost)), price.maxDays)
                 : 0;
    return {full * price.maxDays + last, full + (last > 0 ? 1 : 0),
            full > 0 ? price.maxDays : last};
}

/// Of several purchases one, or all units alike.
struct Bought {
    long units = 0;
    const Price* price = nullptr;
    double fromDays = 0;
    double usefulDays = 0;
};

/// Calls `take` with each purchase of a run.
template <typename Take>
void forEachPurchase(const RunProblem& problem, double days, double usefulDays, const Take& take) {
    for (const Portion& p : problem.portions) take(Bought{p.units, &p.price, 0, usefulDays});
    if (!problem.portions.empty()) return;
    for (const Batch& b : batchesOf(problem, days, usefulDays))
        take(Bought{b.units, &problem.price, b.fromDays, b.usefulDays});
}

/// Cash of one purchase of `units`, of which the run pays `cost`.
void addCash(Money& money, const Price& price, double count,
             const std::optional<Ownership>& ownership, const Purchases& bought,
             units::UsDollars cost) {
    if (price.isOwned() && ownership && ownership->capitalPerUnit) {
        const units::UsDollars capital = *ownership->capitalPerUnit * count;
        *money.upfront += capital;
        *money.owed += capital;
        return;
    }
    const units::UsDollarsPerSecond rate = rateOf(price) * count;
    if (price.termDays > 0) {
        const double terms = std::max(1.0, std::ceil(bought.billedDays / price.termDays));
        const units::UsDollars term = rate * units::days(price.termDays);
        *money.upfront += term * price.upfrontShare;
        *money.monthly += rate * units::days(kDaysPerMonth) * (1 - price.upfrontShare);
        *money.owed += term * terms;
        return;
    }
    *money.owed += cost;
    if (price.wholeDays) {
        *money.upfront += rate * units::days(bought.firstDays) * price.upfrontShare;
        *money.monthly += rate * units::days(kDaysPerMonth) * (1 - price.upfrontShare);
    } else {
        *money.monthly += rate * units::days(kDaysPerMonth);
    }
}

units::UsDollars transferCost(const std::vector<TransferTier>& tiers, units::Bytes amount) {
    double cost = 0, below = 0;
    for (const TransferTier& tier : tiers) {
        const double upTo = std::min(tier.upTo.value(), amount.value());
        if (upTo > below) cost += (upTo - below) * tier.usdPerByte;
        below = std::max(below, upTo);
    }
    return units::UsDollars(cost);
}

void addStorage(Money& money, const RunProblem& problem, double days) {
    const Storage& storage = problem.storage;
    const units::Bytes kept = keptBytes(problem);
    const units::Bytes paid = std::max(kept, storage.provisioned);
    if (paid.value() > 0) {
        if (storage.usdPerByteMonth) {
            money.storage =
                units::UsDollars(*storage.usdPerByteMonth * paid.value() * days / kDaysPerMonth);
        }
        money.storageReason = storage.reason;
    }
    if (storage.egress.value() > 0) {
        if (!storage.egressTiers.empty())
            money.egress = transferCost(storage.egressTiers, storage.egress);
        money.storageReason = storage.reason;
    }
}

/// Electricity and operation of `units` that are owned and billed for `unitDays` in all.
void addOwnership(Money& money, const RunProblem& problem, const Energy& energy, double share,
                  double unitDays) {
    if (!problem.ownership || !(share > 0)) return;
    const Ownership& own = *problem.ownership;
    const double unitYears = unitDays / (kDaysPerYear * (own.dedicated ? 1 : own.useShare));
    if (own.capitalPerUnit) money.operation = *own.capitalPerUnit * own.operationShare * unitYears;
    if (energy.energy && own.usdPerKilowattHour) {
        money.electricity = units::UsDollars(units::inKilowattHours(*energy.energy) *
                                             *own.usdPerKilowattHour * share);
    }
}

units::UsDollars known(const std::optional<units::UsDollars>& line) {
    return line.value_or(units::UsDollars(0));
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

bool isKnown(const Price& price) {
    return price.state != PriceState::None && price.perUnit;
}

units::UsDollarsPerSecond rateOf(const Price& price) {
    return *price.perUnit * (1 - price.discount);
}

long unitsHeld(const RunProblem& problem) {
    return unitsRented(problem.system, problem.chips + problem.operations.spareChips);
}

std::vector<Batch> batchesOf(const RunProblem& problem, double days, double usefulDays) {
    const long all = unitsHeld(problem);
    if (problem.arrivals.empty()) return {{all, 0, usefulDays}};
    std::vector<Batch> batches;
    long held = 0;
    const auto add = [&](long units, double fromDays) {
        if (units <= held || !(fromDays < days)) return;
        batches.push_back({units - held, fromDays, usefulDays * (1 - fromDays / days)});
        held = units;
    };
    for (const Arrival& a : problem.arrivals) add(unitsRented(problem.system, a.chips), a.fromDays);
    add(all, problem.completeFromDays);
    return batches;
}

units::Bytes keptBytes(const RunProblem& problem) {
    return units::Bytes(problem.storage.checkpointsKept * problem.parameters *
                        problem.operations.checkpointBytesPerParameter) +
           problem.storage.dataset;
}

Money moneyOf(const RunProblem& problem, double days, double usefulDays, const Energy& energy) {
    Money money;
    if (!std::isfinite(days)) {
        money.reason = {"The run never ends: interruptions come faster than it can restart.", {}};
        return money;
    }
    money.billedDays = billedDays(problem.price, days);
    addStorage(money, problem, days);
    const long rented = unitsHeld(problem);
    const Price* unknown = nullptr;
    forEachPurchase(problem, days, usefulDays, [&](const Bought& b) {
        if (unknown == nullptr && !isKnown(*b.price)) unknown = b.price;
    });
    if (unknown != nullptr) {
        money.reason = unknown->reason.empty()
                           ? Text{"No price of {1} is known.", {problem.system.name}}
                           : unknown->reason;
    }
    if (rented == 0) {
        if (money.reason.empty())
            money.reason = {"How many chips of {1} are rented together is not known.",
                            {problem.system.name}};
        return money;
    }
    const bool priced = unknown == nullptr;
    if (priced) {
        for (auto* sum : {&money.usefulPart, &money.lostPart, &money.roundingPart, &money.upfront,
                          &money.monthly, &money.owed})
            *sum = units::UsDollars(0);
    }
    const double usedShare = static_cast<double>(problem.chips) /
                             static_cast<double>(problem.system.chipsPerUnit) /
                             static_cast<double>(rented);
    double ownedUnits = 0, ownedUnitDays = 0;
    forEachPurchase(problem, days, usefulDays, [&](const Bought& b) {
        const Price& price = *b.price;
        const double held = days - b.fromDays;
        const Purchases bought = purchases(price, held);
        const double all = static_cast<double>(b.units);
        money.billedDays = std::max(money.billedDays, b.fromDays + bought.billedDays);
        money.unitTime += units::days(bought.billedDays) * all;
        if (price.isOwned()) {
            ownedUnits += all;
            ownedUnitDays += all * bought.billedDays;
        }
        std::optional<units::UsDollars> cost;
        if (isKnown(price)) {
            // Bills are to the second, so that the last purchase may end a moment before the run.
            const double idleDays = std::max(0.0, bought.billedDays - held);
            const double unitsUsed = all * usedShare;
            const units::UsDollarsPerSecond rate = rateOf(price);
            const units::UsDollars useful = rate * units::days(b.usefulDays) * unitsUsed;
            const units::UsDollars lost = rate * units::days(held - b.usefulDays) * unitsUsed;
            const units::UsDollars rounding =
                rate * (units::days(idleDays) * unitsUsed +
                        units::days(bought.billedDays) * (all - unitsUsed));
            cost = useful + lost + rounding;
            if (priced) {
                *money.usefulPart += useful;
                *money.lostPart += lost;
                *money.roundingPart += rounding;
                addCash(money, price, all, problem.ownership, bought, *cost);
            }
            if (price.state == PriceState::StandIn && money.reason.empty())
                money.reason = price.reason;
        }
        if (!problem.portions.empty()) money.portions.push_back({b.units, bought.billedDays, cost});
    });
    addOwnership(money, problem, energy, ownedUnits / static_cast<double>(rented), ownedUnitDays);
    if (!priced) return money;
    money.compute = *money.usefulPart + *money.lostPart + *money.roundingPart;
    const units::UsDollars running =
        known(money.storage) + known(money.electricity) + known(money.operation);
    money.total = *money.compute + running + known(money.egress);
    if (days > 0) *money.monthly += running * (kDaysPerMonth / days);
    return money;
}

std::optional<units::UsDollarsPerSecond> priceFor(const Money& money, units::UsDollars total) {
    const units::UsDollars others = known(money.storage) + known(money.egress) +
                                    known(money.electricity) + known(money.operation);
    if (!(money.unitTime.value() > 0) || !(total > others)) return std::nullopt;
    return (total - others) / money.unitTime;
}

namespace {

struct NamedPlan {
    std::string id;
    Text name;
    PlanTerms terms;
};

const std::vector<NamedPlan>& namedPlans() {
    static const std::vector<NamedPlan> all = [] {
        std::vector<NamedPlan> plans{
            {"on_demand", {"on demand", {}}, {}},
            {"spot", {"spot", {}}, {}},
            {"capacity_block", {"Capacity Block", {}}, {}},
            {"sagemaker", {"SageMaker", {}}, {}},
            {"hyperpod", {"SageMaker HyperPod", {}}, {}},
            {"sagemaker_training_plan", {"SageMaker training plan", {}}, {}},
            {kOwned, {"owned", {}}, {}}};
        struct Family {
            const char* id;
            const char* name;
        };
        for (const Family& family : {Family{"compute_savings_plan", "Compute Savings Plan"},
                                     Family{"ec2_savings_plan", "EC2 Instance Savings Plan"},
                                     Family{"reserved", "Reserved"},
                                     Family{"reserved_convertible", "Reserved, convertible"}}) {
            for (const int years : {1, 3}) {
                using Payment = PlanTerms::Payment;
                struct Way {
                    const char* id;
                    const char* name;
                    Payment payment;
                };
                for (const Way& way : {Way{"no", "nothing up front", Payment::Later},
                                       Way{"partial", "partly up front", Payment::Partly},
                                       Way{"all", "all up front", Payment::Upfront}}) {
                    plans.push_back({std::string(family.id) + "_" + std::to_string(years) + "y_" +
                                         way.id + "_upfront",
                                     {years == 1 ? "{1}, one year, {2}" : "{1}, three years, {2}",
                                      {family.name, way.name}},
                                     {years, way.payment}});
                }
            }
        }
        return plans;
    }();
    return all;
}

const NamedPlan* namedPlan(const std::string& id) {
    const auto& all = namedPlans();
    const auto at =
        std::find_if(all.begin(), all.end(), [&](const NamedPlan& p) { return p.id == id; });
    return at == all.end() ? nullptr : &*at;
}

}  // namespace

Text planName(const std::string& plan) {
    if (plan.empty()) return {};
    if (const NamedPlan* named = namedPlan(plan)) return named->name;
    std::string spaced = plan;
    std::replace(spaced.begin(), spaced.end(), '_', ' ');
    return {"{1}", {spaced}};
}

PlanTerms termsOf(const std::string& plan) {
    const NamedPlan* named = namedPlan(plan);
    return named != nullptr ? named->terms : PlanTerms{};
}

const std::vector<std::string>& planIds() {
    static const std::vector<std::string> ids = [] {
        std::vector<std::string> out;
        for (const NamedPlan& plan : namedPlans()) out.push_back(plan.id);
        return out;
    }();
    return ids;
}

namespace {

std::string millions(units::UsDollars amount) {
    return decimal(amount.value() / 1e6, std::abs(amount.value()) < 9.95e6 ? 2 : 1);
}

/// What of a commitment lies outside the run.
void commitmentWarning(const Price& price, long rented, double days, std::vector<Text>& warnings) {
    if (price.termDays <= 0 || price.isOwned() || !isKnown(price)) return;
    const Text plan = planName(price.plan);
    const units::UsDollarsPerSecond rate = rateOf(price) * static_cast<double>(rented);
    const double terms = std::ceil(toTheSecond(days) / price.termDays);
    const units::UsDollars owed = rate * units::days(terms * price.termDays);
    const double rest = terms * price.termDays - days;
    if (rest <= 0) return;
    const units::UsDollars idle = rate * units::days(rest);
    if (price.dedicated) {
        warnings.push_back(
            {"{1} binds for {2} days, of which the run uses {3}; {4} of its {5} M USD buys nothing "
             "for it.",
             {plan, decimal(terms * price.termDays, 0), decimal(days, 1), millions(idle) + " M",
              millions(owed)}});
    } else {
        warnings.push_back(
            {"{1} binds for {2} days, of which the run uses and pays {3}; others have to bear "
             "{4} of its {5} M USD.",
             {plan, decimal(terms * price.termDays, 0), decimal(days, 1), millions(idle) + " M",
              millions(owed)}});
    }
}

void limitWarnings(const Price& price, const std::string& system, long rented, double days,
                   std::vector<Text>& warnings) {
    const Text plan = planName(price.plan);
    if (price.maxUnits > 0 && rented > price.maxUnits) {
        warnings.push_back({"The run needs {1} units of {2} at once; {3} sells at most {4}.",
                            {units::groupedNumber(static_cast<double>(rented)), system, plan,
                             std::to_string(price.maxUnits)}});
    } else if (price.maxUnitsPurchase > 0 && rented > price.maxUnitsPurchase) {
        const long count = (rented + price.maxUnitsPurchase - 1) / price.maxUnitsPurchase;
        warnings.push_back(
            {"One purchase under {1} has at most {2} units; {3} of {4} take {5} that begin "
             "together.",
             {plan, std::to_string(price.maxUnitsPurchase),
              units::groupedNumber(static_cast<double>(rented)), system, std::to_string(count)}});
    }
    if (!std::isfinite(days)) return;
    commitmentWarning(price, rented, days, warnings);
    if (price.maxDays <= 0) return;
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
}

}  // namespace

std::vector<Text> purchaseWarnings(const RunProblem& problem, double days) {
    std::vector<Text> warnings;
    forEachPurchase(problem, days, days, [&](const Bought& b) {
        if (b.price->state != PriceState::None)
            limitWarnings(*b.price, problem.system.name, b.units, days - b.fromDays, warnings);
    });
    const Storage& storage = problem.storage;
    const units::Bytes kept = keptBytes(problem);
    if (storage.provisioned.value() > 0 && kept > storage.provisioned) {
        warnings.push_back(
            {"{1} of storage hold less than the {2} that are kept; the price is that of the "
             "larger.",
             {units::displayQuantity(units::QuantityKind::DataSize, storage.provisioned.value()),
              units::displayQuantity(units::QuantityKind::DataSize, kept.value())}});
    }
    const units::BytesPerSecond brings(storage.throughputPerByte *
                                       std::max(kept, storage.provisioned).value());
    if (brings.value() > 0 && brings < problem.operations.checkpointBandwidth) {
        warnings.push_back(
            {"{1} of {2} write {3}, while checkpoints are planned at {4}.",
             {units::displayQuantity(units::QuantityKind::DataSize,
                                     std::max(kept, storage.provisioned).value()),
              storage.service,
              units::displayQuantity(units::QuantityKind::DataRate, brings.value()),
              units::displayQuantity(units::QuantityKind::DataRate,
                                     problem.operations.checkpointBandwidth.value())}});
    }
    return warnings;
}

}  // namespace trainwright::run
