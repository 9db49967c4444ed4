// SPDX-License-Identifier: GPL-3.0-or-later
// The pieces that evaluateRun is made of; private to this room.
#pragma once

#include <string>
#include <vector>

#include "model/run/run.h"

namespace trainwright::run {

/// `days` rounded to a whole second: nothing of a run is known, or billed, more finely.
[[nodiscard]] double toTheSecond(double days);

/// `value` with `decimals` digits after the point, the same in every locale.
[[nodiscard]] std::string decimal(double value, int decimals);

/// What is kept of checkpoints and data set.
[[nodiscard]] units::Bytes keptBytes(const RunProblem& problem);

/// Whether there is a price to multiply with.
[[nodiscard]] bool isKnown(const Price& price);
/// What a unit costs under a known price, its discount taken off.
[[nodiscard]] units::UsDollarsPerSecond rateOf(const Price& price);

/// Units rented or owned for the run: those that train, and the spares.
[[nodiscard]] long unitsHeld(const RunProblem& problem);

/// The bill for `days` of wall time, of which `usefulDays` counted and which took `energy`.
[[nodiscard]] Money moneyOf(const RunProblem& problem, double days, double usefulDays,
                            const Energy& energy);

/// What owning the cluster would come to for the same run.
[[nodiscard]] OwnershipResult ownershipOf(const RunProblem& problem, double days, double usefulDays,
                                          const Energy& energy);

/// Limits of the purchase plan that a run of `days` exceeds.
[[nodiscard]] std::vector<Text> purchaseWarnings(const RunProblem& problem, double days);

/// Units that are bought on one day, with the useful days that they then see.
struct Batch {
    long units = 0;
    double fromDays = 0;
    double usefulDays = 0;
};
/// What arrives during a run that takes `days`, of which `usefulDays`, evenly spread, are useful;
/// one batch without arrivals.
[[nodiscard]] std::vector<Batch> batchesOf(const RunProblem& problem, double days,
                                           double usefulDays);

/// Some of the chips, over some of the run.
struct Spell {
    long chips = 0;
    double matrixUtilization = 0, memoryUtilization = 0;  ///< as in StepResult
    double days = 0;
    double workingShare = 0;  ///< of those days, in which accelerators work
};
/// Power and energy over a spell.
[[nodiscard]] Energy energyOf(const RunProblem& problem, const Spell& spell);

}  // namespace trainwright::run
