// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule.h"

#include <algorithm>
#include <cassert>

#include "model/layout/dual_pipe.h"

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

    [[nodiscard]] PipelineTask at(long position, int stage, TaskKind kind) const {
        const long first = position / (group * chunks) * group;
        const long members = std::min(group, microBatches - first);
        const long within = position - first * chunks;
        PipelineTask t;
        t.stage = stage;
        t.kind = kind;
        t.microBatch = first + within % members;
        t.chunk = static_cast<int>(within / members);
        if (kind != TaskKind::Forward) t.chunk = chunks - 1 - t.chunk;
        return t;
    }
};

std::vector<PipelineTask> oneDirection(const PipelineProblem& problem, int stage) {
    const int p = problem.stages();
    const bool interleaved = problem.schedule == Schedule::Interleaved;
    const bool split = problem.schedule == Schedule::ZeroBubble;
    const int chunks = interleaved ? problem.virtualStages : 1;
    const long group = interleaved ? groupMembers(problem.microBatches, p) : 1;
    const ForwardOrder order{group, chunks, problem.microBatches};
    const long total = problem.microBatches * chunks;
    long ahead = total;  // forward passes before the first backward one
    if (problem.schedule == Schedule::OneForwardOneBackward || split) {
        ahead = std::min<long>(total, p - stage - 1);
    } else if (interleaved && problem.microBatches > group) {
        ahead = std::min(total, 2L * (p - stage - 1) + (chunks - 1) * group);
    }
    std::vector<PipelineTask> tasks;
    tasks.reserve(static_cast<std::size_t>((split ? 3 : 2) * total));
    long forward = 0;
    for (; forward < ahead; ++forward) tasks.push_back(order.at(forward, stage, TaskKind::Forward));
    long weights = 0;
    for (long backward = 0; backward < total; ++backward) {
        if (forward < total) tasks.push_back(order.at(forward++, stage, TaskKind::Forward));
        tasks.push_back(
            order.at(backward, stage, split ? TaskKind::BackwardInput : TaskKind::Backward));
        if (split && backward >= stage)
            tasks.push_back(order.at(weights++, stage, TaskKind::WeightGradient));
    }
    while (split && weights < total)
        tasks.push_back(order.at(weights++, stage, TaskKind::WeightGradient));
    return tasks;
}

std::vector<PipelineTask> bothDirections(const PipelineProblem& problem, int stage) {
    const int p = problem.stages();
    const long each = problem.microBatches / 2;
    const DualPipeOrder order(p, each, std::min(stage, p - 1 - stage));
    const int near = 2 * stage < p ? 0 : 1;
    std::vector<PipelineTask> tasks;
    const auto add = [&](TaskKind kind, const DualPipeStep::Pass& pass, bool paired) {
        if (!pass) return;
        PipelineTask t;
        t.stage = stage;
        t.kind = kind;
        t.chunk = pass.far ? 1 - near : near;
        t.microBatch = pass.index + t.chunk * each;
        t.paired = paired;
        tasks.push_back(t);
    };
    for (long i = 0; i < order.steps(); ++i) {
        const DualPipeStep s = order.at(i);
        const bool paired = s.forward && s.backward;
        add(TaskKind::Forward, s.forward, paired);
        add(s.split ? TaskKind::BackwardInput : TaskKind::Backward, s.backward, paired);
        add(TaskKind::WeightGradient, s.weights, false);
    }
    return tasks;
}

}  // namespace

std::vector<PipelineTask> taskOrder(const PipelineProblem& problem, int stage) {
    if (problem.schedule == Schedule::DualPipe) return bothDirections(problem, stage);
    return oneDirection(problem, stage);
}

PipelineTimeline simulate(const PipelineProblem& problem) {
    const int p = problem.stages();
    const bool dual = problem.schedule == Schedule::DualPipe;
    const int chunks = problem.schedule == Schedule::Interleaved ? problem.virtualStages : 1;
    const int hops = p * chunks;  // of a micro-batch, forward
    const auto slot = [&](long microBatch, int hop) {
        return static_cast<std::size_t>(microBatch) * static_cast<std::size_t>(hops) +
               static_cast<std::size_t>(hop);
    };
    const auto hopOf = [&](const PipelineTask& t) {
        if (dual) return t.chunk == 0 ? t.stage : p - 1 - t.stage;
        return t.chunk * p + t.stage;
    };
    // When a pass ended; below 0: not yet.
    std::vector<double> forward(slot(problem.microBatches, 0), -1.0);
    std::vector<double> backward = forward;
    // When what a task needs has arrived; below 0 while it hasn't been made.
    const auto arrival = [&](const PipelineTask& t) {
        const int hop = hopOf(t);
        const auto sent = [&](double made) { return made < 0 ? made : made + problem.sendSeconds; };
        switch (t.kind) {
            case TaskKind::Forward:
                return hop == 0 ? 0.0 : sent(forward[slot(t.microBatch, hop - 1)]);
            case TaskKind::Backward:
            case TaskKind::BackwardInput:
                return hop == hops - 1 ? forward[slot(t.microBatch, hop)]
                                       : sent(backward[slot(t.microBatch, hop + 1)]);
            case TaskKind::WeightGradient:
                return backward[slot(t.microBatch, hop)];
        }
        return 0.0;
    };
    const auto duration = [&](const PipelineTask& t) {
        const auto layers = static_cast<std::size_t>(hopOf(t) % p);
        const double weights =
            problem.weightGradientSeconds.empty() ? 0.0 : problem.weightGradientSeconds[layers];
        switch (t.kind) {
            case TaskKind::Forward:
                return problem.forwardSeconds[layers] / chunks;
            case TaskKind::Backward:
                return problem.backwardSeconds[layers] / chunks;
            case TaskKind::BackwardInput:
                return (problem.backwardSeconds[layers] - weights) / chunks;
            case TaskKind::WeightGradient:
                return weights / chunks;
        }
        return 0.0;
    };

    std::vector<std::vector<PipelineTask>> queues;
    for (int stage = 0; stage < p; ++stage) queues.push_back(taskOrder(problem, stage));
    std::vector<std::size_t> next(static_cast<std::size_t>(p), 0);
    std::vector<double> free(static_cast<std::size_t>(p), 0.0);
    PipelineTimeline out;
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t s = 0; s < queues.size(); ++s) {
            while (next[s] < queues[s].size()) {
                PipelineTask* const first = &queues[s][next[s]];
                PipelineTask* const end = first + (first->paired ? 2 : 1);
                double start = free[s];
                double whole = 0;
                bool ready = true;
                for (PipelineTask* t = first; t != end && ready; ++t) {
                    const double arrived = arrival(*t);
                    ready = arrived >= 0;
                    start = std::max(start, arrived);
                    whole += duration(*t);
                }
                if (!ready) break;
                free[s] = start + whole;
                for (PipelineTask* t = first; t != end; ++t) {
                    t->startSeconds = start;
                    t->endSeconds = free[s];
                    if (t->kind == TaskKind::Forward) {
                        forward[slot(t->microBatch, hopOf(*t))] = free[s];
                    } else if (t->kind != TaskKind::WeightGradient) {
                        backward[slot(t->microBatch, hopOf(*t))] = free[s];
                    }
                }
                out.seconds = std::max(out.seconds, free[s]);
                next[s] += static_cast<std::size_t>(end - first);
                moved = true;
            }
        }
    }
    for (std::size_t s = 0; s < queues.size(); ++s) {
        assert(next[s] == queues[s].size());
        out.tasks.insert(out.tasks.end(), queues[s].begin(), queues[s].end());
    }
    return out;
}

}  // namespace trainwright::layout
