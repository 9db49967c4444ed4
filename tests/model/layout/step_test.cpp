// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/step.h"

#include <gmock/gmock.h>

#include <random>

#include "model/network/network.h"
#include "model/workload/flops.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using namespace testing;

constexpr unsigned kSeed = 20261201;

double part(const StepResult& r, TimePart p) {
    return r.parts[static_cast<std::size_t>(p)].value();
}

TEST(Step, PartsAddUpToTheStep) {
    const StepProblem p = problem(workload::testing::llama3_70b(), 512, 8192, 1024);
    const StepResult r = evaluateStep(p, layoutOf(8, 4, 16, 1, 64));
    units::Seconds sum;
    for (units::Seconds s : r.parts) sum += s;
    EXPECT_EQ(sum, r.stepTime);
    EXPECT_GT(r.stepTime.value(), 0);
}

// The operators and collectives that explain lists are the parts that the search counted.
TEST(Step, DetailAddsUpToItsParts) {
    const StepProblem p = problem(workload::testing::llama3_70b(), 512, 8192, 1024);
    for (Recompute recompute : {Recompute::None, Recompute::Full}) {
        Layout l = layoutOf(8, 4, 16, 1, 64);
        l.recompute = recompute;
        const StepResult r = evaluateStep(p, l);
        double forwardAndBackward = 0, again = 0, update = 0;
        for (const OperatorCost& o : r.operators) {
            (o.phase == Phase::Recompute ? again
             : o.phase == Phase::Update  ? update
                                         : forwardAndBackward) += o.total().value();
        }
        EXPECT_NEAR(forwardAndBackward, part(r, TimePart::Compute) + part(r, TimePart::Memory),
                    1e-9 * r.stepTime.value());
        EXPECT_NEAR(update, part(r, TimePart::Optimizer), 1e-12);
        double exposed = 0;
        for (const CollectiveUse& c : r.collectives) exposed += c.exposed.value();
        const double waits =
            part(r, TimePart::Tensor) + part(r, TimePart::Pipeline) + part(r, TimePart::Data);
        EXPECT_NEAR(exposed + again, waits + part(r, TimePart::Recompute),
                    1e-6 * r.stepTime.value());
    }
}

TEST(Step, SearchAndExplanationGiveTheSameTime) {
    const StepProblem p = problem(workload::testing::llama3_70b(), 512, 8192, 1024);
    const network::Network net(p.cluster.system, p.cluster.chips, 1);
    StepEvaluator evaluator(p, net);
    const Layout l = layoutOf(4, 8, 16, 2, 32);
    EXPECT_NEAR(evaluator.stepTime(l).value(), evaluator.evaluate(l).stepTime.value(), 1e-12);
    EXPECT_EQ(evaluator.memory(l).peak.total(), evaluator.evaluate(l).memory.peak.total());
}

// 1F1B: m·(f + b) on the slowest stage and every other stage once; with v chunks a v-th of that.
TEST(Step, BubbleIsWhatTheOtherStagesTakeOnce) {
    const StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    Layout l = layoutOf(8, 4, 2, 1, 64);
    for (int v : {1, 5}) {
        l.virtualStages = v;
        l.schedule = v > 1 ? Schedule::Interleaved : Schedule::OneForwardOneBackward;
        const StepResult r = evaluateStep(p, l);
        double all = 0, slowest = 0;
        for (const StageTime& s : r.stageTimes) {
            all += (s.forward + s.backward).value();
            slowest = std::max(slowest, (s.forward + s.backward).value());
        }
        double send = 0;
        for (const CollectiveUse& c : r.collectives) {
            if (c.axis == Axis::Pipeline) send = c.secondsPerCall.value();
        }
        EXPECT_NEAR(part(r, TimePart::Bubble), (all - slowest) / v + 2 * 3 * send, 1e-9);
    }
}

// p 16, m 64, v 2: an overhead of 15/(2·64) = 11.7% of the work, 10.5% of the step.
TEST(Step, InterleavedBubbleOfEqualStages) {
    workload::Architecture a = workload::testing::llama("equal", 64, 8192, 64, 8, 28672, 128);
    StepProblem p = problem(a, 128, 4096, 64);
    p.cluster.system.fabric.nicBandwidth = units::BytesPerSecond(1e15);
    p.cluster.system.fabric.scaleOutLatency = units::Seconds(0);
    p.cluster.system.fabric.scaleOutCollectiveLatency = units::Seconds(0);
    Layout l = layoutOf(8, 16, 1, 1, 64);
    l.virtualStages = 2;
    l.schedule = Schedule::Interleaved;
    const StepResult r = evaluateStep(p, l);
    const double bubble = part(r, TimePart::Bubble);
    const double work =
        r.stepTime.value() - bubble - part(r, TimePart::Optimizer) - part(r, TimePart::Other);
    EXPECT_NEAR(bubble / work, 0.117, 0.002);
    EXPECT_NEAR(bubble / (bubble + work), 0.105, 0.002);
}

TEST(Step, UtilizationIsAgainstTheDensePeakAndBelowOne) {
    const StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 64);
    const StepResult r = evaluateStep(p, layoutOf(1, 1, 8, 1, 8));
    const double flop =
        3.0 * workload::forwardFlop(p.architecture, 64, 8192, 128256).withCausalAttention();
    EXPECT_DOUBLE_EQ(r.modelFlop.value(), flop);
    EXPECT_NEAR(r.mfuModel, flop / (8 * 312e12 * r.stepTime.value()), 1e-12);
    EXPECT_LT(r.hfu, 1.0);
    EXPECT_GT(r.mfuPalm, r.mfuModel);  // the full square counts more than half of it
    EXPECT_GT(r.mfuModel, 0.3);
}

TEST(Step, RecomputeRaisesHardwareFlopAlone) {
    const StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 64);
    Layout l = layoutOf(2, 1, 4, 1, 16);
    const StepResult none = evaluateStep(p, l);
    l.recompute = Recompute::Full;
    const StepResult full = evaluateStep(p, l);
    EXPECT_EQ(none.modelFlop, full.modelFlop);
    EXPECT_GT(full.hardwareFlop, none.hardwareFlop);
    EXPECT_GT(full.stepTime, none.stepTime);
    // Forward once more: 4/3 of the layers' work, less than that of the head's.
    EXPECT_NEAR(full.hardwareFlop / none.hardwareFlop, 1.30, 0.04);
}

TEST(Step, OverlapHidesAndSaysSo) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 512);
    const Layout l = layoutOf(4, 1, 16, 1, 32);
    const StepResult bare = evaluateStep(p, l);
    p.profile.dataOverlap = 1.0;
    p.profile.tensorOverlap = 0.5;
    const StepResult overlapped = evaluateStep(p, l);
    EXPECT_LT(overlapped.stepTime, bare.stepTime);
    EXPECT_NEAR((overlapped.hiddenCommunication + overlapped.stepTime).value(),
                (bare.stepTime + bare.hiddenCommunication).value(), 1e-6);
}

TEST(Step, TrainiumRanksAreLogicalCores) {
    StepProblem p = problem(workload::testing::llama3_70b(), 128, 8192, 128);
    p.cluster = {trn2Server(), 128};
    p.profile = neuronProfile();
    // 8 servers of 16 chips of 4 logical cores: t 32 × p 4 × D 4.
    const Layout l = layoutOf(32, 4, 4, 1, 32);
    EXPECT_FALSE(hasErrors(checkLegality(p, l)));
    const StepResult r = evaluateStep(p, l);
    EXPECT_NEAR(r.mfuModel, r.modelFlop.value() / (128 * 667e12 * r.stepTime.value()), 1e-9);
}

// More of anything takes longer: batch, sequence, layers, width.
TEST(Step, NeverFallsWhenTheWorkGrows) {
    std::mt19937 random(kSeed);
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    for (int i = 0; i < 200; ++i) {
        const int hidden = 1024 * static_cast<int>(1 + random() % 8);
        workload::Architecture a =
            workload::testing::llama("random", static_cast<int>(4 * (1 + random() % 12)), hidden,
                                     hidden / 128, 8, 4 * hidden, 32000);
        StepProblem p = problem(a, 32, static_cast<int>(1024 * (1 + random() % 8)), 64);
        const int t = 1 << (random() % 4), pipeline = 1 << (random() % 3);
        const Layout l = layoutOf(t, pipeline, 32 / t / pipeline, 1, 64 / (32 / t / pipeline));
        const double before = evaluateStep(p, l, false).stepTime.value();
        Layout longer = l;
        switch (random() % 4) {
            case 0:
                p.training.globalBatchSequences *= 2;
                longer.microBatches *= 2;
                break;
            case 1:
                p.training.sequenceLength += 1024;
                break;
            case 2:
                p.architecture.layers += 4;
                break;
            default:
                p.architecture.ffn += 1024;
                break;
        }
        EXPECT_GT(evaluateStep(p, longer, false).stepTime.value(), before);
    }
}

}  // namespace
}  // namespace trainwright::layout
