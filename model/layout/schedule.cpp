// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule.h"

#include <algorithm>
#include <cassert>

namespace trainwright::layout {

namespace {

// Micro-batches that go through chunk after chunk together: as many as there are stages, or a
// little more where those don't divide the step (as torch.distributed.pipelining rounds them).
long groupMembers(long microBatches, int stages) {
    const long rounds = std::max<long>(1, microBatches / stages);
    return (microBatches + rounds - 1) / rounds;
}

// Forward passes of a stage in the order of its schedule, group by group.
struct ForwardOrder {
    long group;
    int chunks;
    long microBatches;

    [[nodiscard]] PipelineTask at(long position, int stage, bool backward) const {
        const long first = position / (group * chunks) * group;
        const long members = std::min(group, microBatches - first);
        const long within = position - first * chunks;
        PipelineTask t;
        t.stage = stage;
        t.backward = backward;
        t.microBatch = first + within % members;
        t.chunk = static_cast<int>(within / members);
        if (backward) t.chunk = chunks - 1 - t.chunk;
        return t;
    }
};

}  // namespace

std::vector<PipelineTask> taskOrder(const PipelineProblem& problem, int stage) {
    const int p = problem.stages();
    const bool interleaved = problem.schedule == Schedule::Interleaved;
    const int chunks = interleaved ? problem.virtualStages : 1;
    const long group = interleaved ? groupMembers(problem.microBatches, p) : 1;
    const ForwardOrder order{group, chunks, problem.microBatches};
    const long total = problem.microBatches * chunks;
    long ahead = total;  // forward passes before the first backward one
    if (problem.schedule == Schedule::OneForwardOneBackward) {
        ahead = std::min<long>(total, p - stage - 1);
    } else if (interleaved && problem.microBatches > group) {
        ahead = std::min(total, 2L * (p - stage - 1) + (chunks - 1) * group);
    }
    std::vector<PipelineTask> tasks;
    tasks.reserve(static_cast<std::size_t>(2 * total));
    long forward = 0;
    for (; forward < ahead; ++forward) tasks.push_back(order.at(forward, stage, false));
    for (long backward = 0; backward < total; ++backward) {
        if (forward < total) tasks.push_back(order.at(forward++, stage, false));
        tasks.push_back(order.at(backward, stage, true));
    }
    return tasks;
}

PipelineTimeline simulate(const PipelineProblem& problem) {
    const int p = problem.stages();
    const int chunks = problem.schedule == Schedule::Interleaved ? problem.virtualStages : 1;
    const std::size_t perKind = static_cast<std::size_t>(p) * static_cast<std::size_t>(chunks) *
                                static_cast<std::size_t>(problem.microBatches);
    std::vector<double> ended(2 * perKind, -1.0);  // below 0: not done yet
    const auto place = [&](bool backward, long microBatch, int chunk, int stage) {
        return (backward ? perKind : 0) +
               (static_cast<std::size_t>(microBatch) * static_cast<std::size_t>(chunks) +
                static_cast<std::size_t>(chunk)) *
                   static_cast<std::size_t>(p) +
               static_cast<std::size_t>(stage);
    };
    // When what a task needs has arrived; below 0 while it hasn't been made.
    const auto arrival = [&](const PipelineTask& t) {
        const bool lastChunk = t.chunk == chunks - 1;
        if (!t.backward) {
            if (t.stage == 0 && t.chunk == 0) return 0.0;
            const double made = t.stage > 0
                                    ? ended[place(false, t.microBatch, t.chunk, t.stage - 1)]
                                    : ended[place(false, t.microBatch, t.chunk - 1, p - 1)];
            return made < 0 ? made : made + problem.sendSeconds;
        }
        if (t.stage == p - 1 && lastChunk)
            return ended[place(false, t.microBatch, t.chunk, t.stage)];
        const double made = t.stage < p - 1 ? ended[place(true, t.microBatch, t.chunk, t.stage + 1)]
                                            : ended[place(true, t.microBatch, t.chunk + 1, 0)];
        return made < 0 ? made : made + problem.sendSeconds;
    };

    std::vector<std::vector<PipelineTask>> queues;
    for (int stage = 0; stage < p; ++stage) queues.push_back(taskOrder(problem, stage));
    std::vector<std::size_t> next(static_cast<std::size_t>(p), 0);
    std::vector<double> free(static_cast<std::size_t>(p), 0.0);
    PipelineTimeline out;
    for (bool moved = true; moved;) {
        moved = false;
        for (int stage = 0; stage < p; ++stage) {
            const auto s = static_cast<std::size_t>(stage);
            for (; next[s] < queues[s].size(); ++next[s]) {
                PipelineTask& t = queues[s][next[s]];
                const double ready = arrival(t);
                if (ready < 0) break;
                const double whole =
                    t.backward ? problem.backwardSeconds[s] : problem.forwardSeconds[s];
                t.startSeconds = std::max(free[s], ready);
                t.endSeconds = free[s] = t.startSeconds + whole / chunks;
                ended[place(t.backward, t.microBatch, t.chunk, stage)] = t.endSeconds;
                out.seconds = std::max(out.seconds, t.endSeconds);
                moved = true;
            }
        }
    }
    for (std::vector<PipelineTask>& queue : queues) {
        assert(queue.empty() || queue.back().endSeconds > 0 || out.seconds == 0);
        out.tasks.insert(out.tasks.end(), queue.begin(), queue.end());
    }
    return out;
}

}  // namespace trainwright::layout
