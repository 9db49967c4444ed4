// SPDX-License-Identifier: GPL-3.0-or-later
// A pipeline step event by event: which stage does what when.
//
// The schedule of each stage is the framework's fixed order of tasks; a task starts when its stage
// is free and what it needs has arrived. explain and the Gantt draw these events; the search uses
// pipelineSeconds (schedule_closed_form.h) over the same stage times. Data-parallel traffic and the
// optimizer are not part of it.
#pragma once

#include <vector>

#include "model/layout/software_profile.h"

namespace trainwright::layout {

struct PipelineProblem {
    Schedule schedule = Schedule::OneForwardOneBackward;
    int virtualStages = 1;  ///< of Interleaved; the others have one chunk a stage
    long microBatches = 1;  ///< DualPipe: even, half of them from each end
    /// Of one micro-batch on each stage, all its chunks together; their number is that of the
    /// stages, which is even for DualPipe.
    std::vector<double> forwardSeconds, backwardSeconds;
    /// The part of backwardSeconds that makes weight gradients, which no other stage waits for.
    /// Empty: none can be put off.
    std::vector<double> weightGradientSeconds;
    double sendSeconds = 0;  ///< to the next stage, or back

    [[nodiscard]] int stages() const { return static_cast<int>(forwardSeconds.size()); }
};

/// Backward is a whole backward pass; a schedule that puts weight gradients off makes BackwardInput
/// and WeightGradient of it.
enum class TaskKind { Forward, Backward, BackwardInput, WeightGradient };

struct PipelineTask {
    int stage = 0;  ///< the place in the pipeline that runs it
    TaskKind kind = TaskKind::Forward;
    long microBatch = 0;  ///< DualPipe: the first half enters at stage 0, the second at the end
    /// Which of its stage's chunks. DualPipe: 0 is the layers of `stage`, 1 those of its mirror
    /// image, stages − 1 − `stage`.
    int chunk = 0;
    /// Of DualPipe: a forward and the backward pass after it run through each other, from when both
    /// have what they need, and take as long as one after the other. What they hide of each other's
    /// communication is for the stage times to leave out.
    bool paired = false;
    double startSeconds = 0;
    double endSeconds = 0;
};

struct PipelineTimeline {
    std::vector<PipelineTask> tasks;  ///< stage by stage, each in the order of its schedule
    double seconds = 0;               ///< from the first task's start to the last one's end
};

/// Order of the tasks of `stage`, times left at 0. 1F1B and its interleaved form as in Narayanan et
/// al. 2021 (arXiv 2104.04473, section 2.2); GPipe runs every forward pass before the first
/// backward one. ZeroBubble is ZB-H1 (Qi et al. 2023, arXiv 2401.10241): stage i lets its weight
/// gradients lag i micro-batches behind, so that every stage holds as much as the first.
/// DualPipe is the order of DeepSeek-V3 (arXiv 2412.19437, figure 5): a place runs the layers of
/// stage i for micro-batches from the front and those of stage p − 1 − i for micro-batches from the
/// back. With fewer than 2p micro-batches it is the order for 2p without those that aren't there.
[[nodiscard]] std::vector<PipelineTask> taskOrder(const PipelineProblem& problem, int stage);

/// Runs the step. Cost grows with stages × chunks × micro-batches.
[[nodiscard]] PipelineTimeline simulate(const PipelineProblem& problem);

}  // namespace trainwright::layout
