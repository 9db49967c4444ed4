// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline step event by event: which stage does what when.
//
// The schedule of each stage is the framework's fixed order of tasks; a task starts when its stage
// is free and what it needs has arrived. explain and the Gantt draw these events; the search uses
// pipelineSeconds, a closed form over the same stage times. Data-parallel traffic and the optimizer
// are not part of it.
#pragma once

#include <vector>

#include "model/layout/software_profile.h"

namespace trainwright::layout {

struct PipelineProblem {
    Schedule schedule = Schedule::OneForwardOneBackward;
    int virtualStages = 1;
    long microBatches = 1;
    /// Of one micro-batch on each stage, all its chunks together; their number is that of the
    /// stages.
    std::vector<double> forwardSeconds, backwardSeconds;
    /// The part of backwardSeconds that makes weight gradients, which no other stage waits for.
    /// Empty: none can be put off.
    std::vector<double> weightGradientSeconds;
    double sendSeconds = 0;  ///< to the next stage, or back

    [[nodiscard]] int stages() const { return static_cast<int>(forwardSeconds.size()); }
};

struct PipelineTask {
    int stage = 0;
    bool backward = false;
    long microBatch = 0;
    int chunk = 0;
    double startSeconds = 0;
    double endSeconds = 0;
};

struct PipelineTimeline {
    std::vector<PipelineTask> tasks;  ///< stage by stage, each in the order of its schedule
    double seconds = 0;               ///< from the first task's start to the last one's end
};

/// Order of the tasks of `stage`, times left at 0. 1F1B and its interleaved form as in Narayanan et
/// al. 2021 (arXiv 2104.04473, section 2.2); GPipe runs every forward pass before the first
/// backward one.
[[nodiscard]] std::vector<PipelineTask> taskOrder(const PipelineProblem& problem, int stage);

/// Runs the step. Cost grows with stages × chunks × micro-batches.
[[nodiscard]] PipelineTimeline simulate(const PipelineProblem& problem);

}  // namespace trainwright::layout
