// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/architecture.h"

#include <gmock/gmock.h>

#include "tests/model/workload/models.h"

namespace trainwright::workload {
namespace {

using namespace testing;

struct Published {
    Architecture architecture;
    double billions;
    double digit;  // the last one printed
};

class ParameterCounts : public ::testing::TestWithParam<Published> {};

TEST_P(ParameterCounts, EqualThePublishedDigits) {
    const Published& p = GetParam();
    EXPECT_NEAR(countParameters(p.architecture).total / 1e9, p.billions, 0.5 * p.digit)
        << p.architecture.id;
}

INSTANTIATE_TEST_SUITE_P(
    Models, ParameterCounts,
    ::testing::Values(Published{llama3_8b(), 8.03, 0.01}, Published{llama3_70b(), 70.55, 0.01},
                      Published{llama31_405b(), 405.85, 0.01},
                      Published{llama("llama2-7b", 32, 4096, 32, 32, 11008, 32000), 6.74, 0.01},
                      Published{llama("llama2-70b", 80, 8192, 64, 8, 28672, 32000), 68.98, 0.01},
                      Published{mixtral8x7b(), 46.7, 0.1}, Published{deepseekV3(), 671.0, 1},
                      Published{qwen3_32b(), 32.76, 0.01}, Published{qwen3_30b_a3b(), 30.5, 0.1},
                      // 24 of its 48 layers are MoE; were all of them, it would be 784 billion.
                      Published{llama4Maverick(), 400.7, 0.1},
                      Published{gpt("megatron-145b", 80, 12288, 96), 145.6, 0.1},
                      Published{gpt("megatron-1t", 128, 25600, 160), 1008.0, 0.6}));

TEST(ParameterCounts, ActiveOnesOfAMixtureAreThoseATokenPasses) {
    EXPECT_NEAR(countParameters(mixtral8x7b()).active / 1e9, 12.9, 0.05);
    // As DeepSeek counts, with the input embedding: 37 billion.
    EXPECT_NEAR(countParameters(deepseekV3()).active / 1e9, 37.0, 0.6);
    EXPECT_NEAR(countParameters(qwen3_30b_a3b()).active / 1e9, 3.3, 0.06);
}

TEST(ParameterCounts, OneDeepSeekLayerHoldsElevenBillionExpertParameters) {
    // 256 experts of three 7168 x 2048 matrices.
    const ParameterCount c = countParameters(deepseekV3());
    const double shared = 3.0 * 7168 * 2048;
    const double router = 7168.0 * 256;
    EXPECT_NEAR((c.moeMlpPerLayer - shared - router) / 1e9, 11.27, 0.005);
}

TEST(ParameterCounts, KeyValueProjectionsFollowTheKeyValueHeads) {
    // Q and O of 4096 x 4096, K and V of 4096 x 1024.
    EXPECT_EQ(countParameters(llama3_8b()).attentionPerLayer,
              2.0 * 4096 * 4096 + 2.0 * 4096 * 1024);
}

TEST(ParameterCounts, LearnedPositionsGrowWithTheSequence) {
    const Architecture a = gpt("gpt", 12, 768, 12);
    EXPECT_EQ(countParameters(a, 4096).total - countParameters(a, 2048).total, 2048.0 * 768);
}

TEST(Layers, MaverickAlternatesDenseAndMixture) {
    const Architecture a = llama4Maverick();
    EXPECT_EQ(moeLayers(a), 24);
    EXPECT_FALSE(isMoeLayer(a, 0));
    EXPECT_TRUE(isMoeLayer(a, 1));
    EXPECT_EQ(moeLayers(deepseekV3()), 58);
    EXPECT_EQ(moeLayers(llama3_8b()), 0);
}

TEST(Validate, SaysWhatCannotBe) {
    EXPECT_TRUE(validate(llama3_8b()).empty());
    Architecture a = llama3_8b();
    a.keyValueHeads = 5;
    a.hidden = 0;
    const std::vector<Finding> findings = validate(a);
    ASSERT_EQ(findings.size(), 2U);
    EXPECT_EQ(findings[0].text.english(), "`hidden` is 0; a model needs at least 1.");
    EXPECT_EQ(findings[1].text.english(), "5 key/value heads don't divide 32 heads.");
    Architecture moe = mixtral8x7b();
    moe.moe->topK = 9;
    ASSERT_EQ(validate(moe).size(), 1U);
    EXPECT_EQ(validate(moe)[0].text.english(), "`top_k` is 9, more than the 8 experts there are.");
}

}  // namespace
}  // namespace trainwright::workload
