// SPDX-License-Identifier: GPL-3.0-or-later
// What a run costs: prices of rented units, commitments, several purchases in one cluster, storage,
// and machines of one's own beside it.
//
// A price is what one unit costs by the hour under one plan in one place, with the rules of that
// plan: whole days, terms, cash up front, limits. Invariants: the parts of Money add up to its
// total to the last digit; what is not known stays std::nullopt and says why; a plan without a
// price costs nothing that could be added up. It converts no currencies, follows no price over
// time (a price that moves is its mean, with P10 and P90 beside it), and knows no taxes, support
// or negotiated terms beyond one discount.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/machine/machine.h"
#include "model/units/outcome.h"
#include "model/units/quantity.h"

namespace trainwright::run {

inline constexpr double kDaysPerYear = 365;  ///< as terms are counted: 8,760 hours
inline constexpr double kMonthsPerYear = 12;
/// A month of bills and of storage: 730 hours.
inline constexpr double kDaysPerMonth = kDaysPerYear / kMonthsPerYear;

inline constexpr const char* kOwned = "owned";  ///< the plan of machines of one's own

enum class PriceState { Known, Yours, StandIn, None };

/// The price of one unit under one plan in one region.
struct Price {
    PriceState state = PriceState::None;
    std::optional<units::UsDollarsPerSecond> perUnit;  ///< before discount; of a term: its mean
    std::string plan;          ///< "on_demand", "capacity_block", "spot", …
    std::string region;        ///< "" where none is given
    std::string observedDate;  ///< as the catalog has it, "2026-10-09" or "2026-07"
    std::string source;
    std::string confidence;  ///< high, medium, low
    double discount = 0;     ///< 0.2: a private discount of 20%
    Text reason;             ///< why there is none, or what stands in for it
    /// Capacity Blocks: billed in whole days, past `weekAfterDays` in whole
    /// weeks (0: never in weeks).
    bool wholeDays = false;
    int weekAfterDays = 0;
    int maxUnits = 0;          ///< units that the plan sells at once; 0: no known limit
    int maxUnitsPurchase = 0;  ///< units of one purchase; 0: no known limit
    int maxDays = 0;           ///< longest single purchase; 0: no known limit
    /// Of each purchase in whole days: what is paid for but taken back early.
    units::Seconds unusableAtEnd;

    /// Days to which a commitment binds; 0: none. The term begins with the run.
    double termDays = 0;
    /// Of a purchase in whole days or of a term: the share that is paid before it begins.
    double upfrontShare = 0;
    /// Of a term: true, and this run pays all of it; false, and the run pays the hours that it
    /// uses, others the rest.
    bool dedicated = false;

    /// A price that moves: `perUnit` is the mean of what was seen, and where a history is known
    /// these are its P10 and P90 and the days that it covers.
    bool moves = false;
    std::optional<units::UsDollarsPerSecond> low, high;
    std::string historyFrom, historyTo;
    /// Spot: how often one unit is taken back in an hour.
    double reclaimsPerUnitHour = 0;

    [[nodiscard]] bool isOwned() const { return plan == kOwned; }
};

/// Units of a cluster that are bought alike.
struct Portion {
    long units = 0;
    Price price;
};

/// Machines of one's own: what one unit costs to have. Anything else than the capital may be zero.
struct Ownership {
    /// One unit with its share of network and installation; none: not known, and `reason` says it.
    std::optional<units::UsDollars> capitalPerUnit;
    double lifeYears = 0;
    double costOfCapital = 0;   ///< a year
    double residualShare = 0;   ///< of the capital, that is had back at the end of the life
    double useShare = 1;        ///< of its life, in which somebody uses it and bears its cost
    double operationShare = 0;  ///< people, repair and space: of the capital, each year
    std::optional<double> usdPerKilowattHour;  ///< at the meter, the PUE on top of it
    bool dedicated = false;                    ///< the run bears the whole life
    PriceState state = PriceState::None;       ///< of the capital
    std::string source;                        ///< of the capital
    Text reason;  ///< why the capital is not known, or what has to be said of it
};

/// What one unit costs a year for as long as it lives: capital paid off in equal parts at the end
/// of each year, less what is had back: C · (q^n · i − residual · i) / (q^n − 1), q = 1 + i;
/// without a cost of capital C · (1 − residual) / n. std::nullopt without capital.
[[nodiscard]] std::optional<units::UsDollars> annuity(const Ownership& ownership);
/// The same by the hour that somebody uses: annuity / (8,760 h · useShare).
[[nodiscard]] std::optional<units::UsDollarsPerSecond> ownedRate(const Ownership& ownership);
/// The price "owned" that stands for it, electricity and operation left out.
[[nodiscard]] Price ownedPrice(const Ownership& ownership);

/// Months of use without a break after which `capital` has paid for itself against `saved` a
/// month, at a yearly `costOfCapital`, nothing had back: the n in capital = Σ saved / (1 + m)^k for
/// k = 1 … n, with (1 + m)^12 = 1 + costOfCapital. std::nullopt: never.
[[nodiscard]] std::optional<double> breakEvenMonths(units::UsDollars capital,
                                                    units::UsDollars savedPerMonth,
                                                    double costOfCapital);

/// A step of a price by amount: `usdPerByte` holds for what lies below `upTo`, the tiers before it
/// aside.
struct TransferTier {
    units::Bytes upTo;  ///< infinite for the last
    double usdPerByte = 0;
};

/// What is kept and moved beside the accelerators. Amounts of zero cost nothing, at any price.
struct Storage {
    std::string service;                    ///< "s3_standard"; "" where nothing is kept
    std::optional<double> usdPerByteMonth;  ///< of that service; a month has 730 h
    double checkpointsKept = 0;             ///< at a time
    units::Bytes dataset;                   ///< kept from first day to last
    units::Bytes provisioned;               ///< a file system is paid for whole, however full
    double throughputPerByte = 0;           ///< bytes a second that each byte provisioned brings
    units::Bytes egress;                    ///< to the internet, over the whole run, in one month
    std::vector<TransferTier> egressTiers;  ///< ascending; empty: no price known
    std::string observedDate, source;
    Text reason;  ///< why there is no price, or what stands in for it
};

/// One purchase of a cluster that has several.
struct PortionMoney {
    long units = 0;
    double billedDays = 0;
    std::optional<units::UsDollars> cost;  ///< this run's part
};

struct Money {
    /// The machines: useful, lost and rounded hours.
    std::optional<units::UsDollars> compute;
    /// compute and all the lines below it that are known.
    std::optional<units::UsDollars> total;
    /// usefulPart + lostPart + roundingPart == compute, to the last digit. Lost: failures,
    /// restarts, checkpoints and start-up. Rounding: days billed past the last step, chips rented
    /// past those used, and the rest of a term that only this run has.
    std::optional<units::UsDollars> usefulPart, lostPart, roundingPart;
    /// Beside the machines. Of storage: checkpoints and data set kept. Electricity and operation
    /// are of owned machines; a rent has them in it.
    std::optional<units::UsDollars> storage, egress, electricity, operation;
    double billedDays = 0;  ///< of several purchases the longest
    /// Units times the time for which each is billed; known without any price.
    units::Seconds unitTime;
    /// Cash: what has to be paid before the first step, what every month of 30.4 days after it, and
    /// all that is owed over the whole of the terms, whoever bears it.
    std::optional<units::UsDollars> upfront, monthly, owed;
    std::vector<PortionMoney> portions;  ///< in the order of the problem; empty for one purchase
    Text reason;         ///< why there is none; with a stand-in price, what stands in
    Text storageReason;  ///< why storage or egress is not known, or what stands in for its price
};

/// What owning the cluster would come to, beside the rent.
struct OwnershipResult {
    std::optional<units::UsDollars> capital;  ///< of the cluster
    std::optional<units::UsDollars> capitalPerYear, electricityPerYear, operationPerYear;
    std::optional<units::UsDollars> ofRun;  ///< the run on owned machines, storage and egress too
    std::optional<units::UsDollars>
        rentPerMonth;  ///< of the same units, by the hour, without break
    /// Months of use without a break after which buying is cheaper than that rent.
    std::optional<double> breakEvenMonths;
    bool beyondLife = false;  ///< only after the end of the life
    Text reason;              ///< why something of it is not known, or that it is never
};

/// Days that are billed for `days` of use: `days` itself, or under `wholeDays` whole days up to
/// `weekAfterDays` and whole weeks beyond, in as many purchases one after the other as `maxDays`
/// asks for; whole terms of a commitment that only this run has. Time is taken to the second, so
/// that rounding noise never buys another day.
[[nodiscard]] double billedDays(const Price& price, double days);

/// A purchase plan in words: "on demand", "Capacity Block"; none where no plan is named.
[[nodiscard]] Text planName(const std::string& plan);

/// What a plan's id says of it. Ids are on_demand, spot, capacity_block, sagemaker, hyperpod,
/// sagemaker_training_plan, owned, and {compute_savings_plan, ec2_savings_plan, reserved,
/// reserved_convertible}_{1y, 3y}_{no, partial, all}_upfront.
struct PlanTerms {
    int years = 0;  ///< 0: no commitment
    enum class Payment { Later, Partly, Upfront } payment = Payment::Later;
    friend bool operator==(const PlanTerms&, const PlanTerms&) = default;
};
[[nodiscard]] PlanTerms termsOf(const std::string& plan);
/// All ids, in the order in which help shows them.
[[nodiscard]] const std::vector<std::string>& planIds();

/// Units that must be rented for `chips`, each of them whole; 0 when the system has no unit size.
[[nodiscard]] long unitsRented(const machine::SystemSpec& system, long chips);

/// What every unit-hour may cost, any discount taken off, for the total of `money` to be `total`.
/// std::nullopt where other lines alone exceed it, or nothing is billed.
[[nodiscard]] std::optional<units::UsDollarsPerSecond> priceFor(const Money& money,
                                                                units::UsDollars total);

/// Costs in the units in which planners compare them.
struct UnitCosts {
    std::optional<units::UsDollars> perTrillionTokens, perPetaflopDay;
    std::optional<double> kilowattHoursPerTrillionTokens, kilowattHoursPerPetaflopDay;
    double petaflopDays = 0;  ///< effective: model FLOP as executed, without recompute
};

}  // namespace trainwright::run
