// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule.h"

#include <algorithm>
#include <array>
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

// One place of DualPipe. "Near" is the direction whose end of the pipeline is nearer.
class BothDirections {
public:
    BothDirections(const PipelineProblem& problem, int stage)
        : stage_(stage),
          stages_(problem.stages()),
          each_(problem.microBatches / 2),
          nearChunk_(2 * stage < stages_ ? 0 : 1) {}

    std::vector<PipelineTask> order() {
        const long fromEnd = std::min(stage_, stages_ - 1 - stage_);
        const long fromMiddle = stages_ / 2 - 1 - fromEnd;
        const long each = std::max<long>(each_, stages_);
        repeat(2 * fromMiddle, [&](long) { forward(kNear); });
        repeat(fromEnd + 1, [&](long) {
            forward(kNear);
            forward(kFar);
        });
        repeat(fromMiddle, [&](long) {
            backward(kFar, true);
            weights();
            forward(kFar);
        });
        repeat(each - stages_ + fromEnd + 1, [&](long) {
            pair(kNear, kFar);
            pair(kFar, kNear);
        });
        repeat(fromMiddle, [&](long) {
            backward(kFar, false);
            pair(kFar, kNear);
        });
        // From the middle of this stretch on, weight gradients wait for the stretch after it.
        const long turn = (fromEnd + 1) / 2;
        const bool turnsOnNear = fromEnd % 2 == 0;
        repeat(fromEnd + 1, [&](long i) {
            backward(kFar, i > turn || (i == turn && !turnsOnNear));
            backward(kNear, i >= turn);
        });
        repeat(fromMiddle, [&](long) {
            weights();
            backward(kNear, true);
        });
        while (firstWaiting_ < waiting_.size()) weights();
        return std::move(tasks_);
    }

private:
    enum Direction { kNear, kFar };

    template <typename Body>
    static void repeat(long times, const Body& body) {
        for (long i = 0; i < times; ++i) body(i);
    }

    void add(TaskKind kind, Direction direction, long index) {
        if (index >= each_) return;
        PipelineTask t;
        t.stage = stage_;
        t.kind = kind;
        t.chunk = direction == kNear ? nearChunk_ : 1 - nearChunk_;
        t.microBatch = index + t.chunk * each_;
        tasks_.push_back(t);
        if (kind == TaskKind::BackwardInput) waiting_.push_back(t);
    }
    void forward(Direction d) { add(TaskKind::Forward, d, forwards_[d]++); }
    void backward(Direction d, bool split) {
        add(split ? TaskKind::BackwardInput : TaskKind::Backward, d, backwards_[d]++);
    }
    void pair(Direction forwards, Direction backwards) {
        const bool both = forwards_[forwards] < each_ && backwards_[backwards] < each_;
        forward(forwards);
        if (both) tasks_.back().paired = true;
        backward(backwards, false);
        if (both) tasks_.back().paired = true;
    }
    void weights() {
        if (firstWaiting_ == waiting_.size()) return;
        tasks_.push_back(waiting_[firstWaiting_++]);
        tasks_.back().kind = TaskKind::WeightGradient;
    }

    int stage_;
    int stages_;
    long each_;  // micro-batches of a direction
    int nearChunk_;
    std::array<long, 2> forwards_{}, backwards_{};
    std::vector<PipelineTask> tasks_, waiting_;
    std::size_t firstWaiting_ = 0;
};

}  // namespace

std::vector<PipelineTask> taskOrder(const PipelineProblem& problem, int stage) {
    if (problem.schedule == Schedule::DualPipe) return BothDirections(problem, stage).order();
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
