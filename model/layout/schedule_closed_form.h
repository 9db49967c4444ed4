// SPDX-License-Identifier: GPL-3.0-or-later
// How long a pipeline step takes, without its single events.
//
// For the search, which asks millions of times a second. Stands for simulate (schedule.h) over the
// same stage times: equal for GPipe, and for 1F1B when sends take no time; within 1% for the others
// as long as a send takes no more than a fifth of a chunk's forward and backward pass (a tenth with
// ZeroBubble); within 3% for slower ones. pipeline_walk.h says why. The cost grows with runs, not
// with stages or micro-batches; only DualPipe's grows with the square of the stages.
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
/// over to the next stage, or back. DualPipe needs an even number of stages and of micro-batches.
/// Allocates nothing (DualPipe: once a thread).
[[nodiscard]] double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches,
                                     double sendSeconds, std::span<const StageRun> runs);

}  // namespace trainwright::layout
