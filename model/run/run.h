// SPDX-License-Identifier: GPL-3.0-or-later
// From a step to a whole run: days, goodput, money, energy, carbon.
//
// What is not known stays std::nullopt and carries its reason; nothing here turns an unknown into zero.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layout/layout.h"
#include "model/machine/machine.h"
#include "model/units/outcome.h"
#include "model/units/quantity.h"

namespace trainwright::run {

/// A day of the proleptic Gregorian calendar, UTC.
struct Date {
    int year = 0, month = 0, day = 0;
    friend bool operator==(const Date&, const Date&) = default;
};
[[nodiscard]] std::string isoDate(Date d);            ///< "2027-03-08"
[[nodiscard]] long daysSinceEpoch(Date d);            ///< 1970-01-01 is 0
[[nodiscard]] Date dateFromDays(long daysSinceEpoch);
[[nodiscard]] bool isValid(Date d);

enum class PriceState { Known, Yours, StandIn, None };

/// The price of one rented unit under one plan in one region.
struct Price {
    PriceState state = PriceState::None;
    std::optional<units::UsDollarsPerSecond> perUnit;  ///< before discount
    std::string plan;         ///< "on_demand", "capacity_block", "spot", …
    std::string observedDate; ///< as the catalog has it, "2026-10-09" or "2026-07"
    std::string source;
    std::string confidence;   ///< high, medium, low
    double discount = 0;      ///< 0.2: a private discount of 20%
    Text reason;              ///< why there is none, or what stands in for it
    bool wholeDays = false;   ///< Capacity Blocks: billed in whole days, past `weekAfterDays` in whole weeks
    int weekAfterDays = 0;
    int maxUnits = 0;         ///< units that the plan sells at once; 0: no known limit
    int maxDays = 0;
};

struct Region {
    std::string id, name;
    std::optional<double> pue;
    bool pueIsGlobal = false;          ///< the provider's global figure stands in for the region's
    std::optional<double> gridGramsCo2PerKilowattHour;
    std::string gridMethod;            ///< "location-based, consumption mix, annual average 2023"
};

/// Failures, checkpoints and the shares of time that a run spends beside training.
struct Operations {
    double interruptionsPerChipHour = 0;
    bool interruptionRateIsAssumption = false;
    std::string interruptionSource;
    int chipsLostPerInterruption = 1;    ///< whole scale-up domain where one failed chip takes it out
    units::Seconds restartTime;          ///< detect, replace, launch, load
    units::BytesPerSecond checkpointBandwidth;
    double checkpointBytesPerParameter = 14;
    bool asynchronousCheckpoints = false;
    units::Seconds asynchronousStall;    ///< copy to the host
    double evaluationShare = 0;          ///< of compute
    units::Seconds startup;              ///< once: launch, compile
};

struct Goodput {
    double share = 1.0;                  ///< useful time over wall time
    units::Seconds checkpointInterval;
    units::Seconds checkpointStall;
    units::Seconds meanTimeBetweenInterruptions;
    units::Seconds restart;
};

/// Share of wall time that is useful under exponential interruptions at `rate`, a checkpoint stall `stall`
/// each `interval` of work and a restart of `restart`:
/// rate·T / (exp(rate·R) · (exp(rate·(T + d)) − 1)) (Daly 2006, FGCS 22:303, in the form of its section 3).
[[nodiscard]] double goodputShare(units::PerSecond rate, units::Seconds interval, units::Seconds stall,
                                  units::Seconds restart);
/// The interval that maximises goodputShare (Daly's higher-order estimate, then polished), never below `floor`.
[[nodiscard]] units::Seconds bestInterval(units::PerSecond rate, units::Seconds stall, units::Seconds restart,
                                          units::Seconds floor);
[[nodiscard]] Goodput goodput(const Operations& operations, long chips, double parameters);

struct Energy {
    std::optional<units::Watts> averagePower;  ///< facility, PUE included
    std::optional<units::Watts> peakPower;
    std::optional<units::Joules> energy;
    std::optional<double> co2Kilograms;
    bool isEstimate = true;
    Text reason;                               ///< why it is not known
};

struct Money {
    std::optional<units::UsDollars> compute;   ///< useful, lost and rounded hours
    std::optional<units::UsDollars> total;
    std::optional<units::UsDollars> usefulPart, lostPart, roundingPart;
    double billedDays = 0;
    Text reason;
};

struct RunResult {
    double steps = 0;
    double days = 0;              ///< wall time, start-up, failures and evaluation included
    std::optional<Date> finish;
    Goodput goodput;
    Money money;
    Energy energy;
};

struct RunProblem {
    layout::TrainingSpec training;
    machine::SystemSpec system;
    long chips = 0;
    double parameters = 0;
    Price price;
    std::optional<Region> region;
    Operations operations;
    std::optional<Date> start;
};

[[nodiscard]] RunResult evaluateRun(const RunProblem& problem, const layout::StepResult& step);

}  // namespace trainwright::run
