// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/operators.h"

#include <gmock/gmock.h>

#include "model/units/quantity.h"
#include "model/workload/flops.h"
#include "tests/model/workload/models.h"

namespace trainwright::workload {
namespace {

using namespace testing;

double gemmFlop(const std::vector<Operator>& operators) {
    double flop = 0;
    for (const Operator& o : operators) flop += 2.0 * o.m * o.n * o.k * o.count + o.forwardFlop;
    return flop;
}

struct Cut {
    int tensor, context;
    bool sequenceParallel;
};
class OperatorFlop : public ::testing::TestWithParam<Cut> {};

// What the ranks of a tensor and context group execute together is what the closed form counts.
TEST_P(OperatorFlop, SumsToTheModelsForwardPass) {
    const Cut cut = GetParam();
    Shard s;
    s.microBatch = 2;
    s.sequence = 8192;
    s.tensor = cut.tensor;
    s.context = cut.context;
    s.sequenceParallel = cut.sequenceParallel;
    const Architecture a = llama3_70b();
    const Kernels kernels;
    const double ranks = cut.tensor * cut.context;
    const double layers =
        a.layers * gemmFlop(layerOperators(a, LayerKind::Dense, 0, s, kernels)) * ranks;
    const double head = gemmFlop(headOperators(a, a.vocabulary, s, kernels)) * ranks;
    EXPECT_DOUBLE_EQ(layers + head, forwardFlop(a, 2, 8192).withCausalAttention());
}
INSTANTIATE_TEST_SUITE_P(Cuts, OperatorFlop,
                         ::testing::Values(Cut{1, 1, false}, Cut{8, 1, true}, Cut{4, 2, true}));

TEST(OperatorFlop, CopiedKeyValueHeadsAreComputedByEachCopy) {
    Shard s;
    s.sequence = 8192;
    s.tensor = 32;
    const Architecture a = llama3_8b();
    // 8 key/value heads over 32 ranks: each rank projects one, four times the work of sharing them
    // out.
    EXPECT_EQ(keyValueChannelsPerRank(a, 32), 128);
    const double extra = gemmFlop(layerOperators(a, LayerKind::Dense, 0, s, {})) * 32 -
                         forwardFlop(a, 1, 8192).projections / 32 -
                         forwardFlop(a, 1, 8192).mlp / 32 -
                         forwardFlop(a, 1, 8192).attentionCausal / 32;
    EXPECT_DOUBLE_EQ(extra, 2.0 * 8192 * 4096 * 2 * (32 * 128 - 1024));
}

Kernels megatron2022() {
    Kernels k;
    k.flashAttention = false;
    k.causalSkipping = false;
    k.dropout = 0.1;
    return k;
}

double layerBytes(const Architecture& a, const Shard& s, const Kernels& k, unsigned recomputed) {
    return keptBytes(layerOperators(a, LayerKind::Dense, 0, s, k), recomputed);
}

// Korthikanti et al. 2022, table 2: bytes kept a layer, b = 4, s = 2048, h = 6144, a = 64 (22B).
class KeptActivations : public ::testing::TestWithParam<int> {
protected:
    Architecture a = gpt("22b", 48, 6144, 64);
    double sbh = 2048.0 * 4 * 6144;
    double as_h = 5.0 * 64 * 2048 / 6144;
    [[nodiscard]] Shard shard(int t, bool sp) const {
        Shard s;
        s.microBatch = 4;
        s.sequence = 2048;
        s.tensor = t;
        s.sequenceParallel = sp;
        return s;
    }
};

TEST_P(KeptActivations, EqualTheFormulasOfTheSequenceParallelPaper) {
    const double t = GetParam();
    const int ti = GetParam();
    EXPECT_DOUBLE_EQ(layerBytes(a, shard(1, false), megatron2022(), kNoGroup), sbh * (34 + as_h));
    EXPECT_DOUBLE_EQ(layerBytes(a, shard(ti, false), megatron2022(), kNoGroup),
                     sbh * (10 + 24 / t + as_h / t));
    EXPECT_DOUBLE_EQ(layerBytes(a, shard(ti, true), megatron2022(), kNoGroup),
                     sbh * (34 / t + as_h / t));
    EXPECT_DOUBLE_EQ(layerBytes(a, shard(ti, false), megatron2022(), kCoreAttention),
                     sbh * (10 + 24 / t));
    EXPECT_DOUBLE_EQ(layerBytes(a, shard(ti, true), megatron2022(), kCoreAttention), sbh * 34 / t);
}
INSTANTIATE_TEST_SUITE_P(TensorDegrees, KeptActivations, ::testing::Values(2, 8));

TEST(KeptActivationsFused, Llama3KeepsThirtyFourHiddenPerToken) {
    // 8h + 4q + 4k + 6f = 139,264 bytes a token and layer, and 4 bytes a head for the log-sum-exp.
    Shard s;
    s.sequence = 8192;
    const double perToken = layerBytes(llama3_8b(), s, {}, kNoGroup) / 8192;
    EXPECT_DOUBLE_EQ(perToken, 139264 + 4 * 32);
}

TEST(KeptActivationsFused, SelectiveRecomputeOfTheCoreSavesNothingWithAFusedKernel) {
    Shard s;
    s.sequence = 8192;
    EXPECT_DOUBLE_EQ(layerBytes(llama3_8b(), s, {}, kCoreAttention),
                     layerBytes(llama3_8b(), s, {}, kNoGroup));
}

TEST(Head, LogitsAndTheirFp32CopyAreCounted) {
    // 16,384 tokens of a 128,256 vocabulary: 7.83 GiB in fp32 and 3.91 GiB in bf16.
    Shard s;
    s.microBatch = 2;
    s.sequence = 8192;
    const double kept = keptBytes(headOperators(llama3_8b(), 128256, s, {}), kNoGroup);
    const double hiddenStates = 2 * 2.0 * 16384 * 4096;
    EXPECT_NEAR((kept - hiddenStates) / units::kGibi, 7.83 + 3.91, 0.01);
}

}  // namespace
}  // namespace trainwright::workload
