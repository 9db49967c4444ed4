// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/calibration.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/belief/run_errors.h"
#include "model/layout/step.h"
#include "tests/model/layout/problems.h"

namespace trainwright::belief {
namespace {

Calibration calibration() {
    Calibration c;
    c.factors = {{Physics::MatrixRate, "gpu ampere", std::log(0.9), 0.05, 3},
                 {Physics::KernelRate, "other", std::log(0.5), 0.05, 3},
                 {Physics::AttentionRate, "mine on gpu ampere", std::log(0.8), 0.05, 3}};
    c.measured = {{"a100", "mine", "NVIDIA gpu", 3}};
    return c;
}

layout::StepProblem problem() {
    layout::StepProblem p;
    p.cluster.system = layout::testing::a100Node();
    p.cluster.system.chip.id = "a100";
    p.cluster.system.chip.vendor = "NVIDIA";
    p.cluster.system.chip.family = "gpu";
    p.cluster.system.chip.generation = "Ampere";
    p.profile = layout::testing::gpuProfile();
    p.profile.id = "mine";
    return p;
}

TEST(Calibration, AFactorConcernsItsChipItsSoftwareOrTheTwoTogether) {
    layout::StepProblem p = problem();
    EXPECT_EQ(factorsOf(calibration(), p.cluster.system.chip, p.profile),
              (std::vector<std::size_t>{0, 2}));
    p.profile.id = "other";
    EXPECT_EQ(factorsOf(calibration(), p.cluster.system.chip, p.profile),
              (std::vector<std::size_t>{0, 1}));
    p.cluster.system.chip.generation = "Hopper";
    EXPECT_EQ(factorsOf(calibration(), p.cluster.system.chip, p.profile),
              (std::vector<std::size_t>{1}));
}

TEST(Calibration, AppliesTheFactorsToTheFigures) {
    layout::StepProblem p = problem();
    const machine::ComputeModel before = p.cluster.system.chip.compute;
    apply(calibration(), p.cluster.system, p.profile);
    const machine::ComputeModel& after = p.cluster.system.chip.compute;
    for (std::size_t i = 0; i < after.gemmCeiling.size(); ++i)
        EXPECT_DOUBLE_EQ(after.gemmCeiling[i], before.gemmCeiling[i] * 0.9);
    EXPECT_DOUBLE_EQ(after.attentionForwardCeiling, before.attentionForwardCeiling * 0.8);
    EXPECT_DOUBLE_EQ(after.memoryCeiling, before.memoryCeiling);
}

TEST(Calibration, EveryPhysicsHasANameAndMovesSomething) {
    for (int i = 0; i < kPhysicsCount; ++i) {
        const auto physics = static_cast<Physics>(i);
        EXPECT_EQ(physicsFromName(name(physics)), physics);
    }
    EXPECT_EQ(physicsFromName("matrix_rat"), std::nullopt);
}

TEST(Calibration, GradesByWhatWasMeasured) {
    layout::StepProblem p = problem();
    EXPECT_EQ(gradeOf(calibration(), p.cluster.system.chip, p.profile), Grade::A);
    p.profile.id = "other";
    EXPECT_EQ(gradeOf(calibration(), p.cluster.system.chip, p.profile), Grade::B);
    p.cluster.system.chip.vendor = "AMD";
    EXPECT_EQ(gradeOf(calibration(), p.cluster.system.chip, p.profile), Grade::C);
}

TEST(RunErrors, QuantilesLieBetweenNeighbours) {
    const ErrorSummary s = summarize({-0.1, 0.2, -0.3, 0.4}, 2);
    EXPECT_EQ(s.rows, 4);
    EXPECT_EQ(s.skipped, 2);
    EXPECT_NEAR(s.meanError, 0.05, 1e-12);
    EXPECT_NEAR(s.meanAbsolute, 0.25, 1e-12);
    EXPECT_NEAR(s.medianAbsolute, 0.25, 1e-12);
    EXPECT_NEAR(s.p90Absolute, 0.37, 1e-12);
    EXPECT_EQ(summarize({}, 1).rows, 0);
}

TEST(RunErrors, ChoiceIsJudgedWithinAJobByWhatWasMeasured) {
    RunErrors errors;
    const auto add = [&](const char* job, const char* id, const char* layout, double measured,
                         double predicted) {
        RunError r;
        r.job = job;
        r.id = id;
        r.layout = layout;
        r.measuredSeconds = measured;
        r.predictedSeconds = predicted;
        errors.rows.push_back(std::move(r));
    };
    add("a", "a1", "t1", 10, 12);
    add("a", "a2", "t2", 8, 13);  // the best, and not the one that is chosen
    add("b", "b1", "t1", 10, 5);
    add("b", "b2", "t2", 9.8, 6);  // nearly as good
    add("c", "c1", "t1", 10, 5);   // nothing to choose from
    add("d", "d1", "t1", 10, 5);
    add("d", "d2", "t1", 20, 6);  // the same layout twice
    add("b", "b3", "t3", 1, 1);
    errors.rows.back().skipped = Text{"contradicted", {}};
    summarize(errors);
    ASSERT_EQ(errors.choice.jobs.size(), 2U);
    EXPECT_EQ(errors.choice.goodEnough, 1);
    EXPECT_EQ(errors.choice.jobs[0].chosen, "a1");
    EXPECT_EQ(errors.choice.jobs[0].best, "a2");
    EXPECT_NEAR(errors.choice.jobs[0].lost, 0.25, 1e-12);
    EXPECT_EQ(errors.choice.jobs[1].layouts, 2);
    EXPECT_NEAR(errors.choice.meanLost, (0.25 + 10 / 9.8 - 1) / 2, 1e-12);
}

}  // namespace
}  // namespace trainwright::belief
