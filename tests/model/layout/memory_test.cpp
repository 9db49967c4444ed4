// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "model/layout/step.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using namespace testing;

double gigabytes(const MemoryResult& m, MemoryKind k) {
    return m.peak.byKind[static_cast<std::size_t>(k)].value() / 1e9;
}

// 7 billion parameters, t 4, p 2, D 4, optimizer sharded: weights 1.75 GB, fp32 gradients 3.5 GB,
// states 12/4 · 0.875 = 2.63 GB a rank. (Divided by all GPUs and by t again, another calculator
// said a fraction.)
TEST(Memory, StatesAreDividedByThoseWhoShareThem) {
    // Weights in layers only, so that the count is even over the stages: no vocabulary to speak of.
    workload::Architecture a = workload::testing::llama("7b", 32, 4096, 32, 32, 11520, 128);
    const double perLayer = workload::countParameters(a).attentionPerLayer +
                            workload::countParameters(a).denseMlpPerLayer;
    StepProblem p = problem(a, 32, 2048, 64);
    const MemoryResult m = evaluateStep(p, layoutOf(4, 2, 4, 1, 16)).memory;
    const double rankParameters = 32 * perLayer / 8 / 1e9;
    EXPECT_NEAR(gigabytes(m, MemoryKind::Weights), 2 * rankParameters, 0.01);
    EXPECT_NEAR(gigabytes(m, MemoryKind::Gradients), 4 * rankParameters, 0.01);
    EXPECT_NEAR(gigabytes(m, MemoryKind::Optimizer), 12 * rankParameters / 4, 0.01);
}

// 13 billion parameters fully sharded over 8: 16 bytes each are 26 GB a rank.
TEST(Memory, FullShardingDividesEverything) {
    workload::Architecture a = workload::testing::llama("13b", 40, 5120, 40, 40, 13824, 32000);
    StepProblem p = problem(a, 8, 2048, 64);
    Layout l = layoutOf(1, 1, 8, 1, 8);
    l.sharding = Sharding::Zero3;
    const MemoryResult m = evaluateStep(p, l).memory;
    const double states = gigabytes(m, MemoryKind::Weights) + gigabytes(m, MemoryKind::Gradients) +
                          gigabytes(m, MemoryKind::Optimizer);
    EXPECT_NEAR(states, 26.0, 0.1);
    // The gathered layers are a line of their own.
    EXPECT_GT(gigabytes(m, MemoryKind::Buffers), 1.0);
}

TEST(Memory, OfTheFirstStageIsReportedNotTheAverage) {
    StepProblem p = problem(workload::testing::llama31_405b(), 1024, 8192, 256);
    const StepResult r = evaluateStep(p, layoutOf(8, 16, 8, 1, 32));
    ASSERT_EQ(r.memory.stages.size(), 16U);
    units::Bytes largest;
    for (const StageMemory& s : r.memory.stages) largest = std::max(largest, s.total());
    EXPECT_EQ(r.memory.peak.total(), largest);
    // 1F1B: stage i keeps min(m, p − i) micro-batches.
    EXPECT_EQ(r.memory.stages[0].microBatchesInFlight, 16);
    EXPECT_EQ(r.memory.stages[15].microBatchesInFlight, 1);
    // The logits are on the last stage alone.
    EXPECT_EQ(r.memory.stages[0].byKind[static_cast<std::size_t>(MemoryKind::Logits)],
              units::Bytes(0));
    EXPECT_GT(r.memory.stages[15].byKind[static_cast<std::size_t>(MemoryKind::Logits)],
              units::Bytes(0));
}

TEST(Memory, InterleavingKeepsMoreInFlight) {
    StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    Layout l = layoutOf(8, 4, 2, 1, 64);
    const double plain = gigabytes(evaluateStep(p, l).memory, MemoryKind::Activations);
    l.virtualStages = 5;
    l.schedule = Schedule::Interleaved;
    const double interleaved = gigabytes(evaluateStep(p, l).memory, MemoryKind::Activations);
    // Korthikanti 2022: 1 + (p − 1)/(p·v) times as much.
    EXPECT_NEAR(interleaved / plain, 1 + 3.0 / 20, 0.001);
}

TEST(Memory, RecomputeOrdersThem) {
    StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    p.profile.selectiveGroups = {"mlp"};
    Layout l = layoutOf(8, 4, 2, 1, 64);
    double kept[3] = {};
    for (Recompute r : {Recompute::None, Recompute::Selective, Recompute::Full}) {
        l.recompute = r;
        kept[static_cast<int>(r)] = gigabytes(evaluateStep(p, l).memory, MemoryKind::Activations);
    }
    EXPECT_GT(kept[0], kept[1]);
    EXPECT_GT(kept[1], kept[2]);
}

TEST(Memory, RanksOfOneChipShareItsHbm) {
    StepProblem p = problem(workload::testing::llama3_8b(), 16, 8192, 64);
    p.cluster = {trn2Server(), 16};
    p.profile = neuronProfile();
    EXPECT_EQ(evaluateStep(p, layoutOf(32, 1, 2, 1, 32)).memory.capacity, units::gibibytes(24));
}

TEST(Memory, CopiedKeyValueHeadsAreCharged) {
    StepProblem p = problem(workload::testing::llama3_8b(), 16, 8192, 64);
    p.cluster = {trn2Server(), 16};
    p.profile = neuronProfile();
    const double at32 =
        gigabytes(evaluateStep(p, layoutOf(32, 1, 2, 1, 32)).memory, MemoryKind::Weights);
    // 32 layers × 2 · 4096 · 128 · (1 − 1/4): what a rank holds beyond its share of the
    // projections.
    const double copies = 32 * 2.0 * 4096 * 128 * 0.75 * 2 / 1e9;
    const double norms = 65 * 4096 * 2 / 1e9;
    const double shared = 2.0 * (8.03e9 - 65 * 4096) / 32 / 1e9;
    EXPECT_NEAR(at32, shared + copies + norms, 0.003);
}

TEST(Memory, HeadroomNarrowsWhatIsUsable) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 64);
    p.memoryHeadroom = 0.05;
    const MemoryResult m = evaluateStep(p, layoutOf(8, 1, 1, 1, 64)).memory;
    EXPECT_DOUBLE_EQ(m.usable.value(), 0.95 * m.capacity.value());
}

}  // namespace
}  // namespace trainwright::layout
