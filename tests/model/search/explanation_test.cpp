// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/explanation.h"

#include <gmock/gmock.h>

#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

PlanRequest request() {
    PlanRequest r;
    r.architecture = workload::testing::llama3_8b();
    r.training.tokens = 1e11;
    r.training.sequenceLength = 8192;
    r.training.globalBatchSequences = 128;
    CandidateRequest c;
    c.name = "a";
    c.system = layout::testing::a100Node();
    c.profile = layout::testing::gpuProfile();
    c.chips = 64;
    r.candidates = {c};
    return r;
}

TEST(Ceilings, RiseFromTheEngineToTheDataSheetAndHoldEveryOperator) {
    const PlanRequest r = request();
    const Ceilings c = ceilingsOf(r.candidates[0]);
    const Ceilings::OfDtype& bf16 = c.byDtype[static_cast<std::size_t>(machine::Dtype::Bf16)];
    EXPECT_GT(bf16.matrix.value(), 0);
    EXPECT_LE(bf16.matrix, bf16.engine);
    EXPECT_LE(c.memory, c.memoryDataSheet);
    EXPECT_DOUBLE_EQ(c.ridge(machine::Dtype::Bf16).value(), bf16.matrix.value() / c.memory.value());
    // Left of the ridge memory is the roof, right of it arithmetic.
    using layout::OperatorKind;
    using layout::Phase;
    const auto roof = [&](double intensity) {
        return c.roof(OperatorKind::Gemm, Phase::Forward, machine::Dtype::Bf16, intensity).value();
    };
    EXPECT_DOUBLE_EQ(roof(1.0), c.memory.value());
    EXPECT_DOUBLE_EQ(roof(1e6), bf16.matrix.value());
    const CandidateResult result = evaluateCandidate(r, r.candidates[0]);
    ASSERT_FALSE(result.step.operators.empty());
    for (const layout::OperatorCost& op : result.step.operators) {
        if (op.kind == OperatorKind::Vector || !(op.total().value() > 0)) continue;
        const double rate = (op.flopPerCall / op.secondsPerCall).value();
        const double intensity = op.flopPerCall.value() / op.bytesPerCall.value();
        EXPECT_LE(rate, c.roof(op.kind, op.phase, op.dtype, intensity).value() * 1.0001) << op.name;
    }
}

TEST(PipelineStudy, IsThatOfTheStep) {
    PlanRequest r = request();
    r.candidates[0].layout.pipeline = 4;
    const CandidateResult result = evaluateCandidate(r, r.candidates[0]);
    ASSERT_TRUE(result.feasible);
    const PipelineStudy study = studyPipeline(r, r.candidates[0], result);
    ASSERT_TRUE(study.timeline);
    EXPECT_NEAR(study.closedForm.value(), study.timeline->seconds, 0.01 * study.timeline->seconds);
    EXPECT_LT(study.closedForm, result.step.stepTime);
    ASSERT_EQ(study.stages.size(), 4U);
    for (const StageOccupation& s : study.stages) {
        EXPECT_LE(s.first, s.last);
        EXPECT_LE(s.busy.value(), (s.last - s.first).value() * (1 + 1e-12));
        EXPECT_LE(s.last.value(), study.timeline->seconds * (1 + 1e-12));
    }
}

TEST(NetworkStudy, HasTheFastestAlgorithmFirstAndInUse) {
    PlanRequest r = request();
    r.candidates[0].layout.tensor = 4;
    const CandidateResult result = evaluateCandidate(r, r.candidates[0]);
    const NetworkStudy study = studyNetwork(r.candidates[0], result);
    ASSERT_EQ(study.algorithms.size(), result.step.collectives.size());
    for (std::size_t i = 0; i < study.algorithms.size(); ++i) {
        ASSERT_FALSE(study.algorithms[i].empty());
        EXPECT_TRUE(study.algorithms[i].front().isUsed);
        EXPECT_EQ(study.algorithms[i].front().seconds, result.step.collectives[i].secondsPerCall);
        for (const AlgorithmChoice& choice : study.algorithms[i])
            EXPECT_LE(choice.latency, choice.seconds);
    }
    EXPECT_FALSE(study.links.empty());
    for (const LinkFacts& link : study.links) EXPECT_GT(link.bandwidth.value(), 0);
}

TEST(Studies, OfNothingAreEmpty) {
    const PlanRequest r = request();
    EXPECT_TRUE(studyPipeline(r, r.candidates[0], {}).stages.empty());
    EXPECT_TRUE(studyNetwork(r.candidates[0], {}).algorithms.empty());
}

}  // namespace
}  // namespace trainwright::search
