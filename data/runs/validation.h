// SPDX-License-Identifier: GPL-3.0-or-later
// Predicts published runs: every row of a table on its own, from what it states.
//
// Rows that can't be predicted are kept with their reason.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/runs/run_case.h"
#include "model/belief/calibration.h"
#include "model/belief/run_errors.h"
#include "model/search/plan.h"

namespace trainwright::runs {

/// A row with what it asked and what the engine found.
struct ValidatedRun {
    import::PublishedRun run;
    RunCase asked;
    layout::Layout layout;
    belief::RunError outcome;
};

/// Predicts one run. `calibration` may be null: figures as the run was prepared with.
[[nodiscard]] ValidatedRun validate(const PreparedRun& run, const belief::Calibration* calibration);

/// Runs shared between `threads` (0: as many as the machine has), in their order; the result
/// doesn't depend on their number. `progress` is told the share done and stops the work with
/// false: runs that are missing then have no id.
[[nodiscard]] std::vector<ValidatedRun> validate(const std::vector<PreparedRun>& runs,
                                                 const belief::Calibration* calibration,
                                                 int threads = 0,
                                                 const std::function<bool(double)>& progress = {});

/// The outcomes of `runs` with their summaries.
[[nodiscard]] belief::RunErrors errorsOf(const std::vector<ValidatedRun>& runs);

}  // namespace trainwright::runs
