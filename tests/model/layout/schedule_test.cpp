// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

namespace trainwright::layout {
namespace {

constexpr unsigned kSeed = 20261201;

PipelineProblem equalStages(int p, int v, long m, Schedule schedule, double forward = 1,
                            double backward = 2, double weights = 0) {
    PipelineProblem q;
    q.schedule = schedule;
    q.virtualStages = v;
    q.microBatches = m;
    q.forwardSeconds.assign(static_cast<std::size_t>(p), forward);
    q.backwardSeconds.assign(static_cast<std::size_t>(p), backward);
    q.weightGradientSeconds.assign(static_cast<std::size_t>(p), weights);
    return q;
}

double secondsOf(const PipelineProblem& q) {
    return simulate(q).seconds;
}

// (m + p − 1)(f + b), and with v chunks m(f + b) + (p − 1)(f + b)/v.
TEST(Simulate, EqualStagesTakeThePublishedTime) {
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(4, 1, 8, Schedule::OneForwardOneBackward)), 11 * 3.0);
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(16, 1, 64, Schedule::OneForwardOneBackward)), 79 * 3.0);
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(16, 1, 64, Schedule::GPipe)), 79 * 3.0);
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(16, 2, 64, Schedule::Interleaved)),
                     64 * 3.0 + 15 * 3.0 / 2);
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(8, 4, 8, Schedule::Interleaved)), 8 * 3.0 + 7 * 3.0 / 4);
    EXPECT_DOUBLE_EQ(secondsOf(equalStages(1, 1, 5, Schedule::OneForwardOneBackward)), 15.0);
}

// 16 stages, 64 micro-batches, 2 chunks: 11.7% on top of the work, 10.5% of the step.
TEST(Simulate, BubbleOfAnInterleavedStep) {
    const double work = 64 * 3.0;
    const double step = secondsOf(equalStages(16, 2, 64, Schedule::Interleaved));
    EXPECT_NEAR(100 * (step - work) / work, 11.7, 0.05);
    EXPECT_NEAR(100 * (step - work) / step, 10.5, 0.05);
}

// (p − 1)(F + B − 2W), B with its weight gradient, as long as weight gradients fit between.
TEST(Simulate, ZeroBubbleIdlesAsPublished) {
    for (const int p : {2, 4, 8, 16}) {
        for (const long m : {p, 2 * p, 5 * p}) {
            for (const double w : {0.0, 0.4, 0.8, 1.0}) {
                EXPECT_NEAR(secondsOf(equalStages(p, 1, m, Schedule::ZeroBubble, 1, 2, w)),
                            static_cast<double>(m) * 3 + (p - 1) * (3 - 2 * w), 1e-9)
                    << p << " stages, " << m << " micro-batches, " << w;
            }
        }
    }
}

// (p/2 − 1)(F&B + B − 3W), where a forward and a backward pass that run through each other take as
// long as one after the other.
TEST(Simulate, DualPipeIdlesAsPublished) {
    for (const int p : {2, 4, 8, 16}) {
        for (const long m : {2 * p, 3 * p, 6 * p}) {
            for (const double w : {0.0, 0.4, 0.8, 1.0}) {
                EXPECT_NEAR(secondsOf(equalStages(p, 1, m, Schedule::DualPipe, 1, 2, w)),
                            static_cast<double>(m) * 3 + (p / 2.0 - 1) * (3 + 2 - 3 * w), 1e-9)
                    << p << " stages, " << m << " micro-batches, " << w;
            }
        }
    }
}

// Every task runs once, none before what it needs is there, and a stage does one thing at a time,
// but for pairs.
TEST(Simulate, ObeysEveryDependency) {
    std::mt19937 random(kSeed);
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    for (int i = 0; i < 500; ++i) {
        const auto schedule = static_cast<Schedule>(random() % 5);
        const bool dual = schedule == Schedule::DualPipe;
        const int v = schedule == Schedule::Interleaved ? 2 + static_cast<int>(random() % 3) : 1;
        const int p = dual    ? 2 + 2 * static_cast<int>(random() % 4)
                      : v > 1 ? 2 + static_cast<int>(random() % 7)
                              : 1 + static_cast<int>(random() % 8);
        const long m = dual    ? 2 + 2 * static_cast<long>(random() % 15)
                       : v > 1 ? p * (1 + static_cast<long>(random() % 4))
                               : 1 + static_cast<long>(random() % 20);
        PipelineProblem q = equalStages(p, v, m, schedule);
        for (std::size_t s = 0; s < q.forwardSeconds.size(); ++s) {
            q.forwardSeconds[s] = 0.5 + static_cast<double>(random() % 100) / 100;
            q.backwardSeconds[s] = 1.0 + static_cast<double>(random() % 200) / 100;
            q.weightGradientSeconds[s] =
                q.backwardSeconds[s] * static_cast<double>(random() % 60) / 100;
        }
        q.sendSeconds = static_cast<double>(random() % 3) / 10;
        const PipelineTimeline t = simulate(q);

        const int hops = p * v;
        const auto hopOf = [&](const PipelineTask& task) {
            if (dual) return task.chunk == 0 ? task.stage : p - 1 - task.stage;
            return task.chunk * p + task.stage;
        };
        enum Kind { kForward, kBackward, kWeights };
        std::map<std::tuple<Kind, long, int>, PipelineTask> at;
        std::vector<double> free(static_cast<std::size_t>(p), 0.0);
        std::vector<double> busy(static_cast<std::size_t>(p), 0.0);
        const PipelineTask* before = nullptr;
        for (const PipelineTask& task : t.tasks) {
            const auto s = static_cast<std::size_t>(task.stage);
            const bool second = task.paired && task.kind == TaskKind::Backward;
            if (second) {
                EXPECT_TRUE(before->paired && before->kind == TaskKind::Forward);
                EXPECT_EQ(task.startSeconds, before->startSeconds);
                EXPECT_EQ(task.endSeconds, before->endSeconds);
            } else {
                EXPECT_GE(task.startSeconds, free[s] - 1e-12);
                busy[s] += task.endSeconds - task.startSeconds;
            }
            free[s] = task.endSeconds;
            before = &task;
            const Kind kind = task.kind == TaskKind::Forward          ? kForward
                              : task.kind == TaskKind::WeightGradient ? kWeights
                                                                      : kBackward;
            EXPECT_TRUE(at.emplace(std::tuple(kind, task.microBatch, hopOf(task)), task).second);
        }
        const long enters = dual ? m / 2 : 0;  // those in front enter at the first stage
        for (std::size_t s = 0; s < busy.size(); ++s) {
            const std::size_t mirror = busy.size() - 1 - s;
            const auto work = [&](std::size_t of) {
                return q.forwardSeconds[of] + q.backwardSeconds[of];
            };
            EXPECT_NEAR(busy[s],
                        dual ? static_cast<double>(m) / 2 * (work(s) + work(mirror))
                             : static_cast<double>(m) * work(s),
                        1e-9);
        }
        long split = 0;
        for (const auto& entry : at) {
            const auto [kind, microBatch, hop] = entry.first;
            const PipelineTask& task = entry.second;
            const auto needs = [&](Kind what, int where, double send) {
                EXPECT_GE(task.startSeconds,
                          at.at({what, task.microBatch, where}).endSeconds + send - 1e-12);
            };
            EXPECT_TRUE(!dual || (task.chunk == 0) == (microBatch < enters));
            if (kind == kForward && hop > 0) needs(kForward, hop - 1, q.sendSeconds);
            if (kind == kBackward) needs(kForward, hop, 0);
            if (kind == kBackward && hop + 1 < hops) needs(kBackward, hop + 1, q.sendSeconds);
            if (kind == kWeights) needs(kBackward, hop, 0);
            split += task.kind == TaskKind::BackwardInput;
        }
        EXPECT_EQ(at.size(), static_cast<std::size_t>(2 * hops * m + split));
        if (!dual) {
            EXPECT_EQ(split, schedule == Schedule::ZeroBubble ? hops * m : 0);
        }
    }
}

// Passes forward less weight gradients made, at most.
long mostInFlight(const PipelineProblem& q, int stage) {
    long now = 0, most = 0;
    for (const PipelineTask& t : taskOrder(q, stage)) {
        if (t.kind == TaskKind::Forward) most = std::max(most, ++now);
        if (t.kind == TaskKind::Backward || t.kind == TaskKind::WeightGradient) --now;
    }
    return most;
}

TEST(TaskOrder, KeepsAsManyInFlightAsMemoryCounts) {
    const auto order = [](int v, Schedule s) { return equalStages(4, v, 16, s); };
    for (int stage = 0; stage < 4; ++stage) {
        EXPECT_EQ(mostInFlight(order(1, Schedule::GPipe), stage), 16);
        EXPECT_EQ(mostInFlight(order(1, Schedule::OneForwardOneBackward), stage), 4 - stage);
        // 2(p − 1 − i) + (v − 1)p + 1 chunks
        EXPECT_EQ(mostInFlight(order(5, Schedule::Interleaved), stage), 2 * (3 - stage) + 16 + 1);
        // every stage as many as the first one of 1F1B
        EXPECT_EQ(mostInFlight(order(1, Schedule::ZeroBubble), stage), 4);
        // p + 1, of both stages that a place holds
        EXPECT_LE(mostInFlight(order(1, Schedule::DualPipe), stage), 5);
    }
}

}  // namespace
}  // namespace trainwright::layout
