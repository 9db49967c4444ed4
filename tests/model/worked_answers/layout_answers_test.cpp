// SPDX-License-Identifier: GPL-3.0-or-later
// Questions about a layout, a plan or a rank that users of other planners asked, with the answer
// worked by hand beside each. trainwright explain shows these numbers (search/model_study.h).
#include <gmock/gmock.h>

#include <string>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/least_change.h"
#include "model/search/model_study.h"
#include "model/search/search.h"
#include "model/units/text_quantity.h"
#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

using ::testing::HasSubstr;
using namespace layout::testing;

double seconds(const layout::StepResult& r, layout::TimePart p) {
    return r.parts[static_cast<std::size_t>(p)].value();
}

ModelStudy study(const layout::StepProblem& p, const layout::Layout& l) {
    PlanRequest request;
    request.architecture = p.architecture;
    request.training = p.training;
    CandidateRequest candidate;
    candidate.system = p.cluster.system;
    candidate.profile = p.profile;
    candidate.chips = p.cluster.chips;
    CandidateResult result;
    result.layout = l;
    return studyModel(request, candidate, result);
}

// Llama 3 8B at 8,192 tokens: 45.03 GFLOP of matrices a token, 12.88 of attention over the square,
// 6.44 causal; in all 57.9 or 51.5.
TEST(Study, FlopOfOneToken) {
    const ModelStudy s =
        study(problem(workload::testing::llama3_8b(), 64, 8192, 64), layoutOf(1, 1, 64, 1, 1));
    EXPECT_NEAR(s.matrices.value() / 1e9, 45.03, 0.005);
    EXPECT_NEAR(s.attentionFull.value() / 1e9, 12.88, 0.005);
    EXPECT_NEAR(s.attentionCausal.value() / 1e9, 6.44, 0.005);
    EXPECT_NEAR((s.matrices + s.attentionFull).value() / 1e9, 57.9, 0.05);
    EXPECT_NEAR((s.matrices + s.attentionCausal).value() / 1e9, 51.5, 0.05);
    // Embedding and head are not tied: the N of 6N leaves the first out.
    EXPECT_NEAR(s.withoutEmbedding, s.total - 128256.0 * 4096, 1);
    EXPECT_NEAR(s.total / 1e9, 8.03, 0.005);
}

// 16,384 tokens of logits over 128,256 columns: 7.83 GiB in fp32 and 3.91 GiB in bf16, over t.
TEST(Study, LogitsAndTheirCopy) {
    layout::StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 128);
    p.profile.vocabularyPadMultiple = 0;
    const ModelStudy whole = study(p, layoutOf(1, 1, 64, 2, 1));
    EXPECT_NEAR(units::inGibibytes(whole.logitsFp32), 7.83, 0.005);
    EXPECT_NEAR(units::inGibibytes(whole.logits), 3.91, 0.005);
    const ModelStudy cut = study(p, layoutOf(8, 1, 8, 2, 8));
    EXPECT_NEAR(units::inGibibytes(cut.logitsFp32), 7.83 / 8, 0.001);
}

// Keys and values of Llama 3 70B for 8,192 tokens: 80 layers of 2·8·128 channels of 2 bytes are
// 2.50 GiB; with one head of each for every query head it would be 20.
TEST(Study, KeyValueCacheHasTheHeadsOfKeysAndValues) {
    const ModelStudy s =
        study(problem(workload::testing::llama3_70b(), 64, 8192, 64), layoutOf(8, 1, 8, 1, 8));
    EXPECT_NEAR(units::inGibibytes(s.keyValueCache), 2.50, 0.005);
    // Latent attention keeps 512 + 64 channels a layer: 61·576·2·4096 bytes.
    EXPECT_DOUBLE_EQ(workload::keyValueCacheBytes(workload::testing::deepseekV3(), 4096, 2),
                     61.0 * 576 * 2 * 4096);
}

// 8 key/value heads at t = 32: four ranks hold each. Vocabulary 32,000 at t = 32 in multiples of
// 128·32 = 4,096: 32,768 columns.
TEST(Study, CopiesAndPadding) {
    layout::StepProblem p = problem(workload::testing::llama3_8b(), 32, 8192, 64);
    p.architecture.vocabulary = 32000;
    const ModelStudy s = study(p, layoutOf(32, 1, 1, 1, 64));
    EXPECT_EQ(s.keyValueCopies, 4);
    EXPECT_EQ(s.paddedVocabulary, 32768);
}

// 11.27 B parameters of experts in a DeepSeek-V3 layer, 352 M on each of 32 ranks.
TEST(Study, ExpertsOfALayer) {
    layout::Layout l = layoutOf(1, 1, 32, 1, 2);
    l.expert = 32;
    const ModelStudy s = study(problem(workload::testing::deepseekV3(), 32, 4096, 64), l);
    EXPECT_NEAR(s.expertsPerLayer / 1e9, 11.27, 0.005);
    EXPECT_NEAR(s.expertsPerLayerOnRank / 1e6, 352, 0.5);
}

// trn2.48xlarge: 16 chips, 64 ranks of two NeuronCores.
TEST(Study, RanksChipsAndCores) {
    layout::StepProblem p = problem(workload::testing::llama3_8b(), 16, 8192, 64);
    p.cluster = {trn2Server(), 16};
    p.profile = neuronProfile();
    const ModelStudy s = study(p, layoutOf(16, 1, 4, 1, 16));
    EXPECT_EQ(s.ranksPerChip, 4);
    EXPECT_EQ(s.coresPerRank, 2);
    EXPECT_EQ(s.ranksPerUnit, 64);
}

// 16 stages of 2, 64 micro-batches: the bubble adds 15/128 = 11.7% and is 10.5% of the whole.
TEST(Study, BubbleOverTheWorkAndOverTheWhole) {
    layout::Layout l = layoutOf(1, 16, 1, 1, 64);
    l.virtualStages = 2;
    const ModelStudy s = study(problem(workload::testing::llama3_8b(), 16, 8192, 64), l);
    EXPECT_NEAR(s.bubbleOverhead, 0.117, 0.0005);
    EXPECT_NEAR(s.bubbleShare, 0.105, 0.0005);
}

// A step of 12,000 tokens a second on each GPU at 2 USD an hour costs 2/(12,000·3,600)·1e6 = 0.0463
// USD a million tokens.
TEST(Study, DollarsOfAMillionTokens) {
    PlanRequest request;
    request.architecture = workload::testing::llama3_8b();
    request.training.sequenceLength = 8192;
    request.training.tokens = 12000.0 * 3600 * 64 * 10;
    CandidateRequest candidate;
    candidate.system = a100Node();
    candidate.chips = 64;
    CandidateResult result;
    result.layout = layoutOf(1, 1, 64, 1, 1);
    result.run.money.total = units::UsDollars(64 * 10 * 2.0);
    const ModelStudy s = studyModel(request, candidate, result);
    ASSERT_TRUE(s.perMillionTokens);
    EXPECT_NEAR(s.perMillionTokens->value(), 0.0463, 0.00005);
    EXPECT_NEAR(s.perTrillionTokens->value(), 46296, 1);
}

// Recomputing attention takes as many layers as the stage has, once: a stage of twelve layers takes
// twelve times one of one, not 144 times.
TEST(Recompute, OfTwelveLayersIsTwelveTimesOfOne) {
    const auto again = [](int layers) {
        layout::StepProblem p =
            problem(workload::testing::gpt("gpt3", layers, 12288, 96), 64, 2048, 64);
        p.profile.flashAttention = false;
        p.profile.unevenLayers = layout::UnevenLayers::RemainderLast;
        layout::Layout l = layoutOf(8, 8, 1, 1, 64);
        l.recompute = layout::Recompute::Selective;
        return seconds(layout::evaluateStep(p, l), layout::TimePart::Recompute);
    };
    EXPECT_GT(again(8), 0);
    EXPECT_NEAR(again(96) / again(8), 12, 1e-6);
}

// Two tensor ranks and eight stages are not eight tensor ranks and two stages, and the parts of
// each add up to its step.
TEST(Step, DependsOnTheCutAndAddsUp) {
    const layout::StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    const layout::StepResult a = layout::evaluateStep(p, layoutOf(2, 8, 4, 1, 32));
    const layout::StepResult b = layout::evaluateStep(p, layoutOf(8, 2, 4, 1, 32));
    EXPECT_NE(a.stepTime, b.stepTime);
    for (const layout::StepResult& r : {a, b}) {
        double sum = 0;
        for (const units::Seconds part : r.parts) {
            EXPECT_GE(part.value(), -1e-9);
            sum += part.value();
        }
        EXPECT_NEAR(sum, r.stepTime.value(), 1e-9 * sum);
    }
}

// A million tokens an hour do not get faster because the cluster is larger while the links are not:
// a wider step costs more traffic, not none.
TEST(Step, KnowsItsTopology) {
    layout::StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 64);
    const double near = layout::evaluateStep(p, layoutOf(8, 1, 8, 1, 8)).stepTime.value();
    p.cluster.system.fabric.nicBandwidth = units::BytesPerSecond(2.5e9);
    EXPECT_GT(layout::evaluateStep(p, layoutOf(8, 1, 8, 1, 8)).stepTime.value(), 1.05 * near);
}

// 262,144 tokens of context on 128 accelerators of 80 GB: the sequence has to be cut.
TEST(Search, CutsALongSequence) {
    layout::StepProblem p = problem(workload::testing::llama3_70b(), 128, 262144, 16);
    const network::Network net(p.cluster.system, p.cluster.chips, 1);
    const SearchOutcome found = searchLayouts(p, {}, net);
    ASSERT_TRUE(found.best);
    EXPECT_GE(found.best->context * found.best->tensor, 32);
    EXPECT_GE(found.best->context, 8);
}

// "Does it fit, and on how many?": 70 B parameters don't on eight accelerators of 80 GB; the answer
// names a number on which they do, and what fits there.
TEST(LeastChange, NamesTheNumberOfAcceleratorsThatWorks) {
    const layout::StepProblem p = problem(workload::testing::llama3_70b(), 8, 8192, 128);
    const network::Network net(p.cluster.system, p.cluster.chips, 1);
    ASSERT_FALSE(searchLayouts(p, {}, net).best);
    const std::vector<Text> changes = leastChange(p, {}, net, {});
    ASSERT_FALSE(changes.empty());
    EXPECT_THAT(changes.back().english(), HasSubstr("On 16 accelerators"));
}

// Of a fixed layout the smallest change comes first: what is recomputed before what is cut.
TEST(LeastChange, OfAFixedLayoutIsOneField) {
    const layout::StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    const network::Network net(p.cluster.system, p.cluster.chips, 1);
    layout::LayoutChoice choice;
    choice.tensor = 8;
    choice.pipeline = 2;
    choice.microBatch = 8;
    choice.context = 1;
    choice.recompute = layout::Recompute::None;
    ASSERT_FALSE(searchLayouts(p, choice, net).best);
    const std::vector<Text> changes = leastChange(p, choice, net, {});
    ASSERT_EQ(changes.size(), 1U);
    EXPECT_THAT(changes.front().english(), HasSubstr("With `recompute` left open t8 p2"));
}

}  // namespace
}  // namespace trainwright::search
