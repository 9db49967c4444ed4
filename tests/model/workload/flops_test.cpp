// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/flops.h"

#include <gmock/gmock.h>

#include "tests/model/workload/models.h"

namespace trainwright::workload {
namespace {

using namespace testing;

struct Shape {
    int layers, hidden, heads;
    double batch;
};

class ClosedForms : public ::testing::TestWithParam<Shape> {};

// Forward F, backward 2F and, with full recompute, F again for the layers but not for the head:
// 4 · layers + 3 · head, attention over the whole square.
TEST_P(ClosedForms, Megatron2021IsFourPassesOfTheLayers) {
    const Shape s = GetParam();
    const Architecture a = gpt("gpt", s.layers, s.hidden, s.heads);
    const ForwardFlop f = forwardFlop(a, s.batch, 2048);
    const double counted = 4.0 * (f.projections + f.mlp + f.attentionFull) + 3.0 * f.head;
    EXPECT_DOUBLE_EQ(counted, megatron2021Flop(s.batch, 2048, s.layers, s.hidden, 51200).value());
}

TEST_P(ClosedForms, Megatron2022ModelIsThreePasses) {
    const Shape s = GetParam();
    const ForwardFlop f = forwardFlop(gpt("gpt", s.layers, s.hidden, s.heads), s.batch, 2048);
    EXPECT_DOUBLE_EQ(3.0 * f.withFullAttention(),
                     megatron2022ModelFlop(s.batch, 2048, s.layers, s.hidden, 51200).value());
}

// Selective recompute runs the attention core once more: 4/3 of its three passes... the paper's
// s/(3h) doubles the share, since it counts the recomputed core's forward and the two products of
// its backward.
TEST_P(ClosedForms, Megatron2022HardwareDoublesTheAttentionTerm) {
    const Shape s = GetParam();
    const ForwardFlop f = forwardFlop(gpt("gpt", s.layers, s.hidden, s.heads), s.batch, 2048);
    EXPECT_DOUBLE_EQ(3.0 * (f.withFullAttention() + f.attentionFull),
                     megatron2022HardwareFlop(s.batch, 2048, s.layers, s.hidden, 51200).value());
}

// 6N + 12·L·H·Q·T, where N leaves out what is no matrix of a layer or the head.
TEST_P(ClosedForms, PalmIsSixPerWeightAndTheFullSquare) {
    const Shape s = GetParam();
    const Architecture a = gpt("gpt", s.layers, s.hidden, s.heads);
    const ForwardFlop f = forwardFlop(a, 1, 2048);
    const double weights = 12.0 * s.layers * s.hidden * s.hidden + 51200.0 * s.hidden;
    const double palm =
        palmFlopPerToken(weights, s.layers, s.heads, a.headSize, 2048).value() * 2048;
    EXPECT_DOUBLE_EQ(3.0 * f.withFullAttention(), palm);
}

INSTANTIATE_TEST_SUITE_P(Shapes, ClosedForms,
                         ::testing::Values(Shape{24, 2304, 24, 512}, Shape{96, 12288, 96, 1536},
                                           Shape{105, 20480, 128, 2520},
                                           Shape{128, 25600, 160, 3072}));

struct PerToken {
    Architecture architecture;
    double length, full, causal;  // GFLOP a token, forward and backward
};
class WorkedAnswers : public ::testing::TestWithParam<PerToken> {};

TEST_P(WorkedAnswers, AgreeWithPublishedCorrections) {
    const PerToken& p = GetParam();
    const ForwardFlop f = forwardFlop(p.architecture, 1, p.length);
    EXPECT_NEAR(3.0 * f.withFullAttention() / p.length / 1e9, p.full, 0.05 * (p.full > 100 ? 2 : 1))
        << p.architecture.id;
    EXPECT_NEAR(3.0 * f.withCausalAttention() / p.length / 1e9, p.causal,
                0.05 * (p.causal > 100 ? 2 : 1));
}

INSTANTIATE_TEST_SUITE_P(
    Peers, WorkedAnswers,
    ::testing::Values(PerToken{llama3_8b(), 8192, 57.9, 51.5},
                      // Active experts only, with heads × head size = 4096, not hidden = 2048.
                      PerToken{qwen3_30b_a3b(), 8192, 37.6, 27.9}));

TEST(ForwardFlop, QwenHeadsAreWiderThanItsHidden) {
    const ForwardFlop f = forwardFlop(qwen3_32b(), 1, 32768);
    EXPECT_NEAR(3.0 * f.withCausalAttention() / 32768 / 1e9, 295.0, 0.5);
}

TEST(ForwardFlop, TopTwoExpertsCountTwice) {
    // One sequence of 4,096 tokens through Mixtral 8x7B: 113.2 TFLOP with the full square, 108.8
    // causal.
    const ForwardFlop f = forwardFlop(mixtral8x7b(), 1, 4096);
    EXPECT_NEAR(f.withFullAttention() / 1e12, 113.2, 0.1);
    EXPECT_NEAR(f.withCausalAttention() / 1e12, 108.8, 0.1);
}

TEST(AttendedTokens, WindowLimitsThem) {
    Architecture a = llama("mistral", 32, 4096, 32, 8, 14336, 32000);
    a.pattern = AttentionPattern{4096, 1, 1};
    EXPECT_EQ(attendedTokens(a, 0, 8192).full, 4096);
    // The first 4,096 queries see half a window on average, the rest all of it.
    EXPECT_EQ(attendedTokens(a, 0, 8192).causal, 0.5 * 2048 + 0.5 * 4096);
    EXPECT_EQ(attendedTokens(a, 0, 2048).causal, 1024);
    a.pattern = AttentionPattern{128, 2, 1};
    EXPECT_TRUE(isLocalLayer(a, 0));
    EXPECT_FALSE(isLocalLayer(a, 1));
}

}  // namespace
}  // namespace trainwright::workload
