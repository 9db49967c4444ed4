// SPDX-License-Identifier: GPL-3.0-or-later
// How long a pipeline step takes, without running it event by event.
//
// For the search, which asks millions of times a second. Stands for simulate (schedule.h) over the
// same stage times and stays within 1% of it; tells nothing about single events.
#pragma once

#include <span>

#include "model/layout/software_profile.h"

namespace trainwright::layout {

/// Neighbouring stages that take the same time for a micro-batch, all chunks of a stage together.
struct StageRun {
    double forwardSeconds = 0;
    double backwardSeconds = 0;
    double weightGradientSeconds = 0;  ///< the part of backwardSeconds that can be put off
    int count = 0;
};

/// From the first task's start to the last one's end, in seconds. `runs` are all stages in the
/// pipeline's order; `virtualStages` counts for Interleaved only; `sendSeconds` is that of one hand
/// over to the next stage, or back. Allocates nothing.
[[nodiscard]] double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches,
                                     double sendSeconds, std::span<const StageRun> runs);

}  // namespace trainwright::layout
