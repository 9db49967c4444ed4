// SPDX-License-Identifier: GPL-3.0-or-later
// Questions that users of other planners asked, or whose answers they got wrong, with the answer
// worked by hand beside each. Those that concern one function alone stand in the tests of its room.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/units/text_quantity.h"
#include "model/workload/flops.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using namespace testing;
using workload::Architecture;
using workload::countParameters;
using workload::forwardFlop;
using workload::ForwardFlop;
using workload::ParameterCount;

constexpr double kGiga = 1e9;

double bytes(const StageMemory& m, MemoryKind k) {
    return m.byKind[static_cast<std::size_t>(k)].value();
}
double seconds(const StepResult& r, TimePart p) {
    return r.parts[static_cast<std::size_t>(p)].value();
}

/// FLOP a token, forward and backward, in GFLOP.
double perToken(double forward, double length) {
    return 3.0 * forward / length / kGiga;
}

// Llama 3 8B at 8,192 tokens. Matrices a token: 32 layers of (2·4096² + 2·4096·1024 + 3·4096·14336)
// and a head of 4096·128256 are 7.505e9 weights, times 6 = 45.03 GFLOP. Attention over the square:
// 12·32·4096·8192 = 12.88 GFLOP, half of it causal.
TEST(Flop, MatricesAndAttentionOfLlama3) {
    const ForwardFlop f = forwardFlop(workload::testing::llama3_8b(), 1, 8192);
    EXPECT_NEAR(perToken(f.projections + f.mlp + f.head, 8192), 45.03, 0.005);
    EXPECT_NEAR(perToken(f.attentionFull, 8192), 12.88, 0.005);
    EXPECT_NEAR(perToken(f.attentionCausal, 8192), 6.44, 0.005);
}

// Attention channels are heads × head size, not the hidden size: with hidden 5,120 in place of
// 64·128 = 8,192 Qwen3-32B at 32,768 tokens would be 242.7 GFLOP a token, 1.22 times too low.
TEST(Flop, HeadsWiderThanTheHiddenSizeCount) {
    Architecture a = workload::testing::qwen3_32b();
    const double right = perToken(forwardFlop(a, 1, 32768).withCausalAttention(), 32768);
    a.headSize = 80;  // 64·80 = 5,120
    const double wrong = perToken(forwardFlop(a, 1, 32768).withCausalAttention(), 32768);
    EXPECT_NEAR(right, 295.0, 0.5);
    EXPECT_NEAR(wrong, 242.7, 0.5);
    EXPECT_NEAR(right / wrong, 1.22, 0.005);
}

// Latent attention of DeepSeek-V3. Projections of a layer: 7168·1536 + 1536·128·192 (query) +
// 7168·(512 + 64) (latent) + 512·128·(128 + 128) (keys without position, and values) +
// 128·128·7168 (output) = 187,105,280 weights. Scores run over nope + rope = 192 channels of each
// of 128 heads, values over 128: 2·s·128·(192 + 128) FLOP a token and layer.
TEST(Flop, LatentAttentionHasItsOwnHeadSizes) {
    Architecture a = workload::testing::deepseekV3();
    const double s = 4096;
    const ForwardFlop f = forwardFlop(a, 1, s);
    EXPECT_DOUBLE_EQ(f.projections, 2.0 * s * 61 * 187105280.0);
    EXPECT_DOUBLE_EQ(f.attentionFull, 2.0 * s * 61 * s * 128 * (192 + 128));
    EXPECT_DOUBLE_EQ(f.attentionCausal, f.attentionFull / 2);
}

// Windows: in a pattern of five layers with 1,024 tokens and one over all, a sequence of 32,768 has
// 5·(1024 − 1024²/65536) + 32768/2 attended tokens in six layers instead of 6·16,384.
TEST(Flop, WindowsCountByLayer) {
    Architecture a = workload::testing::llama("windows", 48, 3840, 16, 8, 15360, 262208);
    a.headSize = 256;
    const double whole = forwardFlop(a, 1, 32768).attentionCausal;
    a.pattern = {1024, 6, 5};
    const double local = forwardFlop(a, 1, 32768).attentionCausal;
    EXPECT_NEAR(local / whole, (5 * (1024.0 - 16.0) + 16384) / (6 * 16384.0), 1e-12);
}

// Qwen3-30B-A3B at 8,192 tokens: were all 128 experts to run, 200.7 GFLOP a token (191.0 causal)
// instead of 37.6 (27.9).
TEST(Flop, OnlyActiveExpertsRun) {
    Architecture a = workload::testing::qwen3_30b_a3b();
    const double active = perToken(forwardFlop(a, 1, 8192).withFullAttention(), 8192);
    a.moe->topK = a.moe->experts;
    const ForwardFlop all = forwardFlop(a, 1, 8192);
    EXPECT_NEAR(active, 37.6, 0.1);
    EXPECT_NEAR(perToken(all.withFullAttention(), 8192), 200.7, 0.1);
    EXPECT_NEAR(perToken(all.withCausalAttention(), 8192), 191.0, 0.1);
}

// Training is 6ND, not 2ND: forward 2, backward 4. 8.03e9 parameters, 15e12 tokens: 7.23e23 FLOP.
TEST(Flop, TrainingIsSixTimesParametersTimesTokens) {
    const ParameterCount c = countParameters(workload::testing::llama3_8b());
    EXPECT_NEAR(workload::palmFlopPerToken(c.total, 0, 0, 0, 0).value() * 15e12, 7.23e23, 0.005e23);
    // Of those, the input embedding and the norms are no matrices of a token.
    const ForwardFlop f = forwardFlop(workload::testing::llama3_8b(), 1, 8192);
    const double norms = 32 * c.normsPerLayer + c.finalNorm;
    EXPECT_DOUBLE_EQ(3.0 * (f.projections + f.mlp + f.head),
                     6.0 * 8192 * (c.total - c.embedding - norms));
}

// 12,000 tokens a second of an 8.03 B model on an accelerator of 989 TFLOP/s (dense): 6N alone is
// 58.5%. Against the sparse peak of 1,979 it would be half.
TEST(Utilization, IsAgainstTheDensePeak) {
    const double flop = workload::palmFlopPerToken(8.03e9, 0, 0, 0, 0).value();
    EXPECT_NEAR(flop * 12000 / 989e12, 0.585, 0.0005);

    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 64);
    const StepResult r = evaluateStep(p, layoutOf(8, 1, 8, 1, 8));
    const double peak =
        p.cluster.system.chip.headlinePeak[static_cast<std::size_t>(machine::Dtype::Bf16)].value();
    EXPECT_NEAR(r.mfuModel, r.modelFlop.value() / (r.stepTime.value() * 64 * peak), 1e-12);
    EXPECT_LT(r.mfuPalm, 1.0);
    // Causal attention as executed is less than the full square.
    EXPECT_LT(r.mfuModel, r.mfuPalm);
}

// An estimator that prints GB for GiB: 13e9 parameters of 16 bytes over 8 ranks are 26.0 GB, which
// are 24.2 GiB; with 18 bytes 29.3 GB, which are 27.2 GiB.
TEST(Units, GigabytesAreNotGibibytes) {
    using units::displayQuantity;
    using units::QuantityKind;
    EXPECT_EQ(displayQuantity(QuantityKind::DataSize, 13e9 * 16 / 8), "24.2 GiB");
    EXPECT_EQ(displayQuantity(QuantityKind::DataSize, 13e9 * 18 / 8), "27.2 GiB");
    EXPECT_DOUBLE_EQ(units::readQuantity(QuantityKind::DataSize, "26 GB").value(), 26e9);
    EXPECT_DOUBLE_EQ(units::readQuantity(QuantityKind::DataSize, "26 GiB").value(),
                     26.0 * 1073741824.0);
}

// A mixture keeps all its experts in memory although a token passes few: 30.5 B parameters of
// Qwen3-30B-A3B take 61 GB of bf16 weights on a rank that shares them with nobody, not 6.7 GB.
TEST(Memory, OfAMixtureHoldsEveryExpert) {
    const Architecture a = workload::testing::qwen3_30b_a3b();
    const StepProblem p = problem(a, 8, 4096, 64);
    const StepResult r = evaluateStep(p, layoutOf(1, 1, 8, 1, 8));
    EXPECT_NEAR(bytes(r.memory.peak, MemoryKind::Weights), 2.0 * countParameters(a).total,
                0.01 * 61e9);
    EXPECT_NEAR(2.0 * countParameters(a).total / kGiga, 61.1, 0.1);
}

/// DeepSeek-V3 cut down to two layers with experts, so that no stage differs from another.
Architecture twoExpertLayers() {
    Architecture a = workload::testing::deepseekV3();
    a.layers = 2;
    a.moe->leadingDenseLayers = 0;
    return a;
}

// Expert weights are divided by e (times the tensor ranks of experts) and by nothing else: 11.27 B
// of a DeepSeek-V3 layer over 32 ranks are 352 M each. Their optimizer states are shared by the
// replicas of the expert alone, D/e = 1 here, and those of the rest by all D = 32.
TEST(Memory, ExpertsAreDividedByExpertRanks) {
    const Architecture a = twoExpertLayers();
    const StepProblem p = problem(a, 32, 4096, 64);
    Layout l = layoutOf(1, 1, 32, 1, 2);
    l.expert = 32;
    const StageMemory m = evaluateStep(p, l).memory.peak;
    const ParameterCount c = countParameters(a);
    const double routed = 256 * 3.0 * 7168 * 2048;  // of a layer
    EXPECT_NEAR(routed / kGiga, 11.27, 0.005);
    EXPECT_NEAR(routed / 32 / 1e6, 352, 0.5);
    const double rest = c.total - 2 * routed;
    EXPECT_NEAR(bytes(m, MemoryKind::Weights), 2.0 * (rest + 2 * routed / 32), 0.01 * kGiga);
    EXPECT_NEAR(bytes(m, MemoryKind::Gradients), 4.0 * (rest + 2 * routed / 32), 0.02 * kGiga);
    EXPECT_NEAR(bytes(m, MemoryKind::Optimizer), 12.0 * (rest / 32 + 2 * routed / 32),
                0.02 * kGiga);
}

// What tokens leave behind doesn't shrink with the number of expert ranks: each rank gets as many
// tokens as it sends away.
TEST(Memory, ActivationsOfExpertsAreNotDividedByExpertRanks) {
    const StepProblem p = problem(twoExpertLayers(), 32, 4096, 64);
    Layout l = layoutOf(1, 1, 32, 1, 2);
    l.expert = 8;
    const double of8 = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    l.expert = 32;
    const double of32 = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    EXPECT_GT(of8, 0);
    EXPECT_NEAR(of32 / of8, 1.0, 0.02);
}

// Expert gradients are reduced over the replicas of an expert, D/e ranks, not over all D. With
// e = D there is nothing to reduce, and the traffic is that of the other weights.
TEST(DataParallel, ExpertsAreReducedOverTheirOwnReplicas) {
    const Architecture a = twoExpertLayers();
    const StepProblem p = problem(a, 32, 4096, 64);
    Layout l = layoutOf(1, 1, 32, 1, 2);
    const auto reduced = [&](int expert) {
        l.expert = expert;
        double sum = 0;
        for (const CollectiveUse& c : evaluateStep(p, l).collectives) {
            if (c.axis == Axis::Data && c.kind == "reduce_scatter")
                sum += c.calls * c.bytesPerCall.value();
        }
        return sum;
    };
    const ParameterCount c = countParameters(a);
    const double routed = 2 * 256 * 3.0 * 7168 * 2048;
    EXPECT_NEAR(reduced(32) / (4.0 * (c.total - routed)), 1.0, 0.05);
    EXPECT_NEAR(reduced(8) / (4.0 * (c.total - routed + routed / 8)), 1.0, 0.05);
}

// Plain data parallelism pays for its all-reduce too: 4 bytes of each gradient.
TEST(DataParallel, WithoutShardingIsNotFree) {
    const Architecture a = workload::testing::llama3_8b();
    const StepProblem p = problem(a, 64, 8192, 64);
    Layout l = layoutOf(8, 1, 8, 1, 8);
    l.sharding = Sharding::None;
    const StepResult r = evaluateStep(p, l);
    EXPECT_GT(seconds(r, TimePart::Data), 0);
    double sum = 0;
    for (const CollectiveUse& c : r.collectives) {
        if (c.axis == Axis::Data) sum += c.calls * c.bytesPerCall.value();
    }
    EXPECT_NEAR(sum, 4.0 * countParameters(a).total / 8, 0.05 * sum);
}

// The embedding is on the first stage and the head on the last, not on all: 128,256·4,096 weights
// over t = 2 are 263 M.
TEST(Memory, EmbeddingAndHeadAreOnTheirOwnStages) {
    Architecture a = workload::testing::llama3_8b();
    StepProblem p = problem(a, 64, 4096, 64);
    p.profile.unevenLayers = UnevenLayers::RemainderLast;
    const StepResult r = evaluateStep(p, layoutOf(2, 4, 8, 1, 8));
    ASSERT_EQ(r.memory.stages.size(), 4U);
    const double table = 2.0 * 128256 * 4096 / 2;
    const double middle = bytes(r.memory.stages[1], MemoryKind::Weights);
    EXPECT_NEAR(bytes(r.memory.stages[0], MemoryKind::Weights) - middle, table, 0.01 * table);
    EXPECT_NEAR(bytes(r.memory.stages[3], MemoryKind::Weights) - middle, table, 0.01 * table);
    EXPECT_DOUBLE_EQ(bytes(r.memory.stages[2], MemoryKind::Weights), middle);
}

// Whether it fits is decided by everything that is there, fp32 gradients included.
TEST(Memory, GradientsCountTowardsWhatFits) {
    const StepProblem p = problem(workload::testing::llama3_8b(), 8, 4096, 8);
    const MemoryResult m = evaluateStep(p, layoutOf(1, 1, 8, 1, 1)).memory;
    double sum = 0;
    for (const units::Bytes& part : m.peak.byKind) sum += part.value();
    EXPECT_DOUBLE_EQ(m.peak.total().value(), sum);
    EXPECT_NEAR(bytes(m.peak, MemoryKind::Gradients), 4 * 8.03e9, 0.01e9);
}

// Eight stages of equal layers: the time of a step over its micro-batches is (m + p − 1)/m, 1.875
// for 8 micro-batches and 1.109 for 64, a ratio of 1.69.
TEST(Pipeline, FewMicroBatchesCostMore) {
    const Architecture a =
        workload::testing::gpt("gpt3-175b without vocabulary", 96, 12288, 96, 128);
    const auto perMicroBatch = [&](long microBatches) {
        StepProblem p = problem(a, 64, 2048, microBatches);
        p.profile.unevenLayers = UnevenLayers::RemainderLast;
        const StepResult r = evaluateStep(p, layoutOf(8, 8, 1, 1, microBatches));
        return (r.stepTime.value() - seconds(r, TimePart::Optimizer)) /
               static_cast<double>(microBatches);
    };
    EXPECT_NEAR(perMicroBatch(8) / perMicroBatch(64), 1.875 / 1.109, 0.03);
}

// trn2.48xlarge: 16 chips of 8 physical cores; two of them make a logical core, the rank.
TEST(Ranks, CoresChipsAndInstancesAreDistinct) {
    const machine::SystemSpec s = trn2Server();
    EXPECT_EQ(s.chipsPerUnit, 16);
    EXPECT_EQ(s.chipsPerUnit * s.chip.computeUnits, 128);
    EXPECT_EQ(s.chipsPerUnit * ranksPerChip(neuronProfile(), s.chip), 64);
}

// Bus bandwidth is not algorithm bandwidth: a ring all-reduce of eight moves 2·7/8 = 1.75 times the
// message over each link.
TEST(Collectives, BusBandwidthOfEightIsSevenQuarters) {
    const machine::SystemSpec s = a100Node();
    const network::Network n(s, 8, 1);
    const network::AlgorithmCost* ring =
        n.cost(network::Collective::AllReduce, {8, 1}).find(network::Algorithm::Ring);
    ASSERT_NE(ring, nullptr);
    const double algorithmBandwidth = 1.0 / ring->secondsPerByte;
    EXPECT_NEAR(300e9 / algorithmBandwidth, 1.75, 1e-9);
}

}  // namespace
}  // namespace trainwright::layout
