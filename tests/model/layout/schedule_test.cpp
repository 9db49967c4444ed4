// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <tuple>

#include "model/layout/step.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

constexpr unsigned kSeed = 20261201;

PipelineProblem equalStages(int p, int v, long m, Schedule schedule) {
    PipelineProblem q;
    q.schedule = schedule;
    q.virtualStages = v;
    q.microBatches = m;
    q.forwardSeconds.assign(static_cast<std::size_t>(p), 1.0);
    q.backwardSeconds.assign(static_cast<std::size_t>(p), 2.0);
    return q;
}

// (m + p − 1)(f + b), and with v chunks m(f + b) + (p − 1)(f + b)/v.
TEST(Simulate, EqualStagesTakeThePublishedTime) {
    EXPECT_DOUBLE_EQ(simulate(equalStages(16, 1, 64, Schedule::OneForwardOneBackward)).seconds,
                     79 * 3.0);
    EXPECT_DOUBLE_EQ(simulate(equalStages(16, 1, 64, Schedule::GPipe)).seconds, 79 * 3.0);
    EXPECT_DOUBLE_EQ(simulate(equalStages(16, 2, 64, Schedule::Interleaved)).seconds,
                     64 * 3.0 + 15 * 3.0 / 2);
    EXPECT_DOUBLE_EQ(simulate(equalStages(8, 4, 8, Schedule::Interleaved)).seconds,
                     8 * 3.0 + 7 * 3.0 / 4);
    EXPECT_DOUBLE_EQ(simulate(equalStages(1, 1, 5, Schedule::OneForwardOneBackward)).seconds, 15.0);
}

// Every task runs once, none before what it needs is there, and a stage does one thing at a time.
TEST(Simulate, ObeysEveryDependency) {
    std::mt19937 random(kSeed);
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    for (int i = 0; i < 300; ++i) {
        const int p = 1 + static_cast<int>(random() % 8);
        const int v = p > 1 ? 1 + static_cast<int>(random() % 3) : 1;
        const long m = v > 1 ? p * (1 + static_cast<long>(random() % 4))
                             : 1 + static_cast<long>(random() % 20);
        PipelineProblem q = equalStages(p, v, m,
                                        v > 1               ? Schedule::Interleaved
                                        : random() % 4 == 0 ? Schedule::GPipe
                                                            : Schedule::OneForwardOneBackward);
        for (int s = 0; s < p; ++s) {
            q.forwardSeconds[static_cast<std::size_t>(s)] =
                0.5 + static_cast<double>(random() % 100) / 100;
            q.backwardSeconds[static_cast<std::size_t>(s)] =
                1.0 + static_cast<double>(random() % 200) / 100;
        }
        q.sendSeconds = static_cast<double>(random() % 3) / 10;
        const PipelineTimeline t = simulate(q);
        std::map<std::tuple<TaskKind, long, int, int>, PipelineTask> at;
        std::vector<double> free(static_cast<std::size_t>(p), 0.0);
        for (const PipelineTask& task : t.tasks) {
            EXPECT_TRUE(
                at.emplace(std::tuple(task.kind, task.microBatch, task.chunk, task.stage), task)
                    .second);
            EXPECT_GE(task.startSeconds, free[static_cast<std::size_t>(task.stage)] - 1e-12);
            free[static_cast<std::size_t>(task.stage)] = task.endSeconds;
        }
        ASSERT_EQ(at.size(), static_cast<std::size_t>(2 * p * v * m));
        for (const auto& [key, task] : at) {
            const auto needs = [&](TaskKind kind, int chunk, int stage, double send) {
                EXPECT_GE(task.startSeconds,
                          at.at({kind, task.microBatch, chunk, stage}).endSeconds + send - 1e-12);
            };
            if (task.kind == TaskKind::Forward && task.stage > 0)
                needs(TaskKind::Forward, task.chunk, task.stage - 1, q.sendSeconds);
            if (task.kind == TaskKind::Forward && task.stage == 0 && task.chunk > 0)
                needs(TaskKind::Forward, task.chunk - 1, p - 1, q.sendSeconds);
            if (task.kind == TaskKind::Backward)
                needs(TaskKind::Forward, task.chunk, task.stage, 0);
            if (task.kind == TaskKind::Backward && task.stage < p - 1)
                needs(TaskKind::Backward, task.chunk, task.stage + 1, q.sendSeconds);
            if (task.kind == TaskKind::Backward && task.stage == p - 1 && task.chunk < v - 1)
                needs(TaskKind::Backward, task.chunk + 1, 0, q.sendSeconds);
        }
    }
}

TEST(Simulate, FirstStageKeepsAsManyInFlightAsMemoryCounts) {
    const std::vector<PipelineTask> order =
        taskOrder(equalStages(4, 1, 16, Schedule::OneForwardOneBackward), 0);
    EXPECT_EQ(std::find_if(order.begin(), order.end(),
                           [](const PipelineTask& t) { return t.kind == TaskKind::Backward; }) -
                  order.begin(),
              4);
    const std::vector<PipelineTask> chunks =
        taskOrder(equalStages(4, 5, 16, Schedule::Interleaved), 0);
    // 2(p − 1) + (v − 1)p + 1 chunks before the first backward pass.
    EXPECT_EQ(std::find_if(chunks.begin(), chunks.end(),
                           [](const PipelineTask& t) { return t.kind == TaskKind::Backward; }) -
                  chunks.begin(),
              2 * 3 + 4 * 4 + 1);
}

}  // namespace
}  // namespace trainwright::layout
