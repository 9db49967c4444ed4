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

/// The bill for `days` of wall time, of which `usefulDays` counted and which took `energy`.
[[nodiscard]] Money moneyOf(const RunProblem& problem, double days, double usefulDays,
                            const Energy& energy);

/// What owning the cluster would come to for the same run.
[[nodiscard]] OwnershipResult ownershipOf(const RunProblem& problem, double days, double usefulDays,
                                          const Energy& energy);

/// Limits of the purchase plan that a run of `days` exceeds.
[[nodiscard]] std::vector<Text> purchaseWarnings(const RunProblem& problem, double days);

/// Power and energy over `days`, the accelerators at work in `workingShare` of them.
[[nodiscard]] Energy energyOf(const RunProblem& problem, const layout::StepResult& step,
                              double days, double workingShare);

}  // namespace trainwright::run
