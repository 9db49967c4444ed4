// SPDX-License-Identifier: GPL-3.0-or-later
// From a step to a whole run: days, goodput, money, energy, carbon.
//
// A run is `tokens` of training at one step time on one cluster, from its first launch to its last
// step. What is not known stays std::nullopt and carries its reason; nothing here turns an unknown
// into zero. Parts add up: the shares of Goodput to one, the parts of Money (money.h) to its total.
// There is no clock and no random number in here; interruptions count by their expectation. It does
// not choose anything (cluster, layout, plan of purchase), does not hold a price that changes
// during the run, and knows nothing of what a scenario allows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/layout/layout.h"
#include "model/machine/machine.h"
#include "model/run/money.h"
#include "model/units/outcome.h"
#include "model/units/quantity.h"

namespace trainwright::run {

/// A day of the proleptic Gregorian calendar, UTC. Functions that take one need a valid one.
struct Date {
    int year = 0, month = 0, day = 0;
    friend bool operator==(const Date&, const Date&) = default;
};
[[nodiscard]] std::string isoDate(Date d);             ///< "2027-03-08"
[[nodiscard]] long daysSinceEpoch(Date d);             ///< 1970-01-01 is 0
[[nodiscard]] Date dateFromDays(long daysSinceEpoch);  ///< for days of the years 0 to 9999
[[nodiscard]] bool isValid(Date d);  ///< a day that exists, in the years 0 to 9999 of ISO 8601

struct Region {
    std::string id, name;
    std::optional<double> pue;
    bool pueIsGlobal = false;  ///< the provider's global figure stands in for the region's
    std::optional<double> gridGramsCo2PerKilowattHour;
    std::string gridMethod;  ///< "location-based, consumption mix, annual average 2023"
};

/// Failures, checkpoints and the shares of time that a run spends beside training.
struct Operations {
    double interruptionsPerChipHour = 0;
    bool interruptionRateIsAssumption = false;
    std::string interruptionSource;
    /// The whole scale-up domain where one failed chip takes it out. It does not raise the number
    /// of stops (a chip fails as often alone as in company); it sets what must stand ready:
    /// RunResult::spareChips.
    int chipsLostPerInterruption = 1;
    long spareChips = 0;         ///< held beside those that train, rented or owned as they are
    units::Seconds restartTime;  ///< detect, replace, launch, load
    units::BytesPerSecond checkpointBandwidth;  ///< of the whole job into storage; 0: not known
    double checkpointBytesPerParameter = 0;     ///< 0: as the memory model has it
    bool asynchronousCheckpoints = false;
    units::Seconds asynchronousStall;  ///< copy to the host
    /// A first tier of checkpoints in the memory of hosts: how long each stops the step, and the
    /// share of stops from which it brings the job back; 0: there is none.
    units::Seconds memoryCheckpointStall;
    double memoryCheckpointCovers = 0;
    /// Announced stops, before which a checkpoint is written: one each `plannedPauseEvery` of wall
    /// time (0: none) for `plannedPause`, which is less.
    units::Seconds plannedPauseEvery;
    units::Seconds plannedPause;
    double evaluationShare = 0;  ///< of compute
    units::Seconds startup;      ///< once: launch, compile
};

/// How wall time divides, start-up aside. The five shares add up to one. Without interruptions the
/// mean time between them and the checkpoint interval are infinite.
struct Goodput {
    double share = 1.0;                 ///< useful time over wall time
    double checkpointShare = 0;         ///< stalled for checkpoints that held
    double reworkShare = 0;             ///< work done again after a stop, or under way when it came
    double restartShare = 0;            ///< down: detecting, replacing, launching, loading
    double plannedShare = 0;            ///< announced pauses
    units::Seconds checkpointInterval;  ///< of work between two checkpoints
    units::Seconds checkpointStall;
    units::Seconds checkpointWrite;  ///< from stall until it holds; 0 when synchronous
    /// Of work between two checkpoints in the memory of hosts; 0: there are none.
    units::Seconds memoryCheckpointInterval;
    units::Seconds meanTimeBetweenInterruptions;
    units::Seconds restart;
};

/// Equation: Share of wall time that is useful
///     G = λT / (exp(λR) · (exp(λ·(T + d)) − 1))
/// λ interruptions a second, exponential; a checkpoint that stalls for d each T of work; a restart
/// of R, which may itself be interrupted. Source: Daly 2006, FGCS 22:303, in the form of its
/// section 3.
///
/// `rate` is λ, `interval` T, `stall` d and `restart` R. In [0, 1]; 0 only where the share is too
/// small for a double.
[[nodiscard]] double goodputShare(units::PerSecond rate, units::Seconds interval,
                                  units::Seconds stall, units::Seconds restart);
/// Equation: Best interval between checkpoints
///     λT = 1 − exp(−λ·(T + d))
/// Solved for T, from the estimate √(2d/λ)·(1 + √(dλ/2)/3 + dλ/18). Source: Daly 2006, FGCS 22:303,
/// eq. 37; the condition is the zero of the derivative of the share above.
///
/// The interval that maximises goodputShare, never below `floor`. The restart scales the share
/// alike for every interval and so does not move the best one. Infinite at rate 0.
[[nodiscard]] units::Seconds bestInterval(units::PerSecond rate, units::Seconds stall,
                                          units::Seconds restart, units::Seconds floor);
/// The goodput of a job of `chips` (spares not counted) at its best checkpoint interval. The job
/// stops at chips × rate. A synchronous checkpoint stalls for bytes / bandwidth. An asynchronous
/// one stalls for the copy to the host and holds only a write of bytes / bandwidth later; the next
/// may not start before that, and a stop in between falls back one checkpoint further, which counts
/// as so much more restart (Vaidya 1997, IEEE Trans. Computers 46:942: exp(rate·(latency − overhead
/// + restart))). Unknown bandwidth leaves the writing out; evaluateRun says so.
/// With a first tier in the hosts' memory the stops that it covers cost as those of a job with that
/// tier alone; for the others the time of such a job is the work: the shares multiply (two-level
/// recovery as in Vaidya 1995, in the first order of stops of both kinds in one interval). Planned
/// pauses take their share of wall time, and no work is lost in them.
[[nodiscard]] Goodput goodput(const Operations& operations, long chips, double parameters);

/// What one accelerator draws on average over a step, given the shares of the step in which its
/// matrix units and its memory are busy. Monotone in both. std::nullopt where the chip's thermal
/// design power, its idle power or the active share is not known.
///
/// busy = 1 − (1 − matrix)·(1 − memory);  power = idle + (active − idle)·busy;  active = share·TDP.
/// Either unit keeps the chip near its limit while it works and it falls towards idle while it
/// waits for the network; how far the two overlap is not known, so that they count as independent.
/// Busy counts against what a kernel can reach, not against the engine's peak: evaluateRun divides
/// StepResult::matrixUtilization by the chip's GEMM ceiling, at which a chip is at its power limit.
/// Held against public measurements of 8 × H100 servers (700 W, 68 W idle, share 1): with the 2.9
/// kW beside the accelerators that a peak of 8.48 kW leaves (Latif 2024), busy shares from 0.5 and
/// 0.4 to 0.7 and 0.5 give 7.0 to 7.7 kW, of which the accelerators take 59 to 63%; measured under
/// training: 6.74 kW (immersion, MLPerf Training v4.0) to 7.75 kW (Newkirk 2025), accelerators 55
/// to 66%.
[[nodiscard]] std::optional<units::Watts> acceleratorPower(const machine::ChipSpec& chip,
                                                           const machine::PowerModel& power,
                                                           double matrixUtilization,
                                                           double memoryUtilization);

/// "IT" is what the servers and the network draw, "facility" is that times the PUE: what the meter
/// sees.
struct Energy {
    std::optional<units::Watts> itAveragePower;
    std::optional<units::Joules> itEnergy;
    std::optional<units::Watts> averagePower;  ///< facility, over the whole wall time
    std::optional<units::Watts> peakPower;     ///< facility, every accelerator at its active draw
    std::optional<units::Joules> energy;       ///< facility
    std::optional<double> co2Kilograms;  ///< location-based, no purchase of renewables deducted
    bool isEstimate = true;
    Text reason;  ///< why the first of them that is missing is not known
};

struct RunResult {
    double steps = 0;
    /// Wall time, start-up, failures and evaluation included; infinite if it is never done.
    double days = 0;
    double usefulDays = 0;  ///< of them, training and evaluation that counted
    /// The day at whose first moment the run is over, if it begins at the first of `start`. None
    /// without a start, or past the year 9999.
    std::optional<Date> finish;
    double interruptions = 0;  ///< expected over the run
    /// Chips that must stand ready to replace what one interruption takes out, in whole units.
    long spareChips = 0;
    Goodput goodput;
    units::Flop modelFlop;  ///< of all steps: causal attention as executed, no recompute
    Money money;
    OwnershipResult ownership;  ///< empty where the problem has none
    Energy energy;
    double partialDays = 0;  ///< of `days`, before the whole cluster was there
    /// Limits of the purchase plan that the run exceeds, and what was left out.
    std::vector<Text> warnings;
};

/// A time before the whole cluster is there.
struct Arrival {
    double fromDays = 0;  ///< after the first moment of the start
    long chips = 0;       ///< that are there from then on
    /// Step time on them over that of the whole cluster; 0: the job can't run on so few.
    double stepRatio = 0;
    double matrixUtilization = 0, memoryUtilization = 0;  ///< as in StepResult
    friend bool operator==(const Arrival&, const Arrival&) = default;
};

struct RunProblem {
    layout::TrainingSpec training;
    machine::SystemSpec system;
    long chips = 0;
    double parameters = 0;  ///< all of them, experts that rest included: what a checkpoint holds
    /// Of every unit; with several purchases of the first, in whose words the run is described.
    Price price;
    std::vector<Portion> portions;  ///< empty, or the purchases of all units that are rented
    Storage storage;
    std::optional<Ownership> ownership;  ///< what owning the machines would come to
    Price rent;  ///< what owned machines are held against; without a state: `price` itself
    std::optional<Region> region;
    Operations operations;
    std::optional<Date> start;
    /// Times before `chips` are there, ascending, and the day from which they are. What arrives is
    /// bought alike, from its day to the end of the run. Without portions.
    std::vector<Arrival> arrivals;
    double completeFromDays = 0;
    bool quiet = false;  ///< leaves the warnings out, for callers that evaluate many
};

/// Equation: Time, money and energy of a run
///     steps = ⌈tokens / (batch · sequence)⌉
///     wall time = steps · step time · (1 + evaluation) / goodput + start-up
///     money = units · days billed · price · (1 − discount)
///     energy = IT power · wall time · PUE
///     carbon = energy · grid intensity
/// Source: arithmetic; each factor is a catalog figure or a result above, and says its own source.
///
/// Accelerators draw idle power while the run starts, restarts or stalls for a checkpoint, and work
/// on when work is repeated. With arrivals the job begins on what is there, does in each time what
/// its step and its stops leave, and begins again, at the cost of a restart, when more has come;
/// goodput is that of the whole cluster, money and energy are sums over the times. Batch, sequence,
/// step time, chips and the system's chips per host must be positive.
[[nodiscard]] RunResult evaluateRun(const RunProblem& problem, const layout::StepResult& step);

/// Of a run of `tokens`.
[[nodiscard]] UnitCosts unitCosts(const RunResult& result, double tokens);

}  // namespace trainwright::run
