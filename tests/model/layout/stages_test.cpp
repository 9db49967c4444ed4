// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "model/layout/step.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using namespace testing;

std::vector<int> totals(const std::vector<StageLayers>& stages) {
    std::vector<int> out;
    for (const StageLayers& s : stages) out.push_back(s.total());
    return out;
}

workload::Architecture layers(int n) {
    workload::Architecture a = workload::testing::llama3_8b();
    a.layers = n;
    return a;
}

SoftwareProfile rule(UnevenLayers r) {
    SoftwareProfile p;
    p.unevenLayers = r;
    return p;
}

TEST(PlaceLayers, DividesEvenlyWhereItCan) {
    EXPECT_THAT(totals(placeLayers(layers(32), rule(UnevenLayers::Refused), 4, 1)),
                ElementsAre(8, 8, 8, 8));
    EXPECT_THAT(totals(placeLayers(layers(32), rule(UnevenLayers::Refused), 4, 2)),
                ElementsAre(8, 8, 8, 8));
}

TEST(PlaceLayers, FollowsTheRuleOfTheProfileWhereItCannot) {
    EXPECT_TRUE(placeLayers(layers(126), rule(UnevenLayers::Refused), 16, 1).empty());
    EXPECT_THAT(totals(placeLayers(layers(30), rule(UnevenLayers::RemainderLast), 4, 1)),
                ElementsAre(7, 7, 8, 8));
    EXPECT_THAT(totals(placeLayers(layers(30), rule(UnevenLayers::RemainderFirst), 4, 1)),
                ElementsAre(8, 8, 7, 7));
    // Llama 3 405B on 16 stages: embedding and loss take a slot each, 128 slots in all.
    const auto llama =
        totals(placeLayers(layers(126), rule(UnevenLayers::EmbeddingAndLossTakeSlots), 16, 1));
    EXPECT_EQ(llama.front(), 7);
    EXPECT_EQ(llama.back(), 7);
    EXPECT_THAT(std::vector<int>(llama.begin() + 1, llama.end() - 1), Each(8));
    EXPECT_TRUE(
        placeLayers(layers(125), rule(UnevenLayers::EmbeddingAndLossTakeSlots), 16, 1).empty());
    EXPECT_TRUE(placeLayers(layers(8), rule(UnevenLayers::RemainderLast), 16, 1).empty());
}

TEST(PlaceLayers, KeepsKindsApart) {
    // DeepSeek-V3's three leading dense layers land on the first stage.
    const auto stages =
        placeLayers(workload::testing::deepseekV3(), rule(UnevenLayers::RemainderLast), 4, 1);
    EXPECT_EQ(stages[0].byClass[0], 3);
    EXPECT_EQ(stages[0].byClass[2], 12);
    EXPECT_EQ(stages[3].byClass[2], 16);
}

TEST(PaddedVocabulary, IsAMultipleOfTheUnitTimesT) {
    workload::Architecture a = layers(32);
    a.vocabulary = 32000;
    SoftwareProfile p;
    p.vocabularyPadMultiple = 128;
    EXPECT_EQ(paddedVocabulary(a, p, 32), 32768);
    EXPECT_EQ(paddedVocabulary(a, p, 1), 32000);
    p.vocabularyPadMultiple = 0;
    EXPECT_EQ(paddedVocabulary(a, p, 32), 32000);
}

TEST(RankStride, FollowsTheOrderOfTheProfile) {
    Layout l = layoutOf(8, 4, 16, 1, 1);
    l.context = 2;
    SoftwareProfile p;
    EXPECT_EQ(rankStride(p, l, Axis::Tensor), 1);
    EXPECT_EQ(rankStride(p, l, Axis::Context), 8);
    EXPECT_EQ(rankStride(p, l, Axis::Data), 16);
    EXPECT_EQ(rankStride(p, l, Axis::Pipeline), 256);
    p.rankOrder = {Axis::Tensor, Axis::Pipeline, Axis::Context, Axis::Data};
    EXPECT_EQ(rankStride(p, l, Axis::Pipeline), 8);
    EXPECT_EQ(rankStride(p, l, Axis::Data), 64);
}

}  // namespace
}  // namespace trainwright::layout
