// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/model/run/problem.h"

namespace trainwright::run {
namespace {

using testing::IsEmpty;

TEST(Run, StepsAreWhole) {
    struct Case {
        double tokens;
        long batch;
        int sequence;
        double steps;
    };
    // 15.6T tokens in batches of 16,777,216 are 929,832.5 steps.
    for (const auto& [tokens, batch, sequence, steps] :
         {Case{15.6e12, 2048, 8192, 929833}, Case{512.0 * 4096, 512, 4096, 1},
          Case{512.0 * 4096 + 1, 512, 4096, 2}, Case{300e9, 1536, 2048, 95368}}) {
        RunProblem problem = hundredHours();
        problem.training.tokens = tokens;
        problem.training.globalBatchSequences = batch;
        problem.training.sequenceLength = sequence;
        EXPECT_EQ(evaluateRun(problem, hourStep()).steps, steps) << tokens << " tokens";
    }
}

// 100 h, 2% more for evaluation, 3 h of start-up; with goodput 0.9 the 102 h take 113.3 h.
TEST(Run, DaysHoldEvaluationLossesAndStartUp) {
    RunProblem problem = hundredHours();
    problem.operations.evaluationShare = 0.02;
    problem.operations.startup = units::hours(3);
    RunResult result = evaluateRun(problem, hourStep());
    EXPECT_DOUBLE_EQ(result.days, 105.0 / 24);
    EXPECT_DOUBLE_EQ(result.usefulDays, 102.0 / 24);
    EXPECT_EQ(result.goodput.share, 1);
    EXPECT_EQ(result.interruptions, 0);
    EXPECT_EQ(result.spareChips, 0);
    EXPECT_THAT(result.warnings, IsEmpty());

    problem.operations.interruptionsPerChipHour = 1e-3;  // one in 7.8 h
    problem.operations.restartTime = units::Seconds(1800);
    result = evaluateRun(problem, hourStep());
    EXPECT_DOUBLE_EQ(result.days, (102 / result.goodput.share + 3) / 24);
    EXPECT_DOUBLE_EQ(result.interruptions, 102 / result.goodput.share * 0.128);
    EXPECT_LT(result.goodput.share, 0.95);
    EXPECT_GT(result.goodput.share, 0.90);
}

TEST(Run, EndsOnACalendarDay) {
    struct Case {
        double hours;
        Date start, finish;
    };
    for (const auto& [hours, start, finish] :
         {Case{24, {2027, 3, 7}, {2027, 3, 8}}, Case{24.0000001, {2027, 3, 7}, {2027, 3, 8}},
          Case{24.1, {2027, 3, 7}, {2027, 3, 9}}, Case{1, {2026, 12, 31}, {2027, 1, 1}},
          Case{48, {2028, 2, 28}, {2028, 3, 1}}, Case{83 * 24, {2027, 1, 22}, {2027, 4, 15}}}) {
        RunProblem problem = hundredHours();
        problem.start = start;
        problem.training.tokens = 512.0 * 4096;
        layout::StepResult step = hourStep();
        step.stepTime = units::hours(hours);
        const RunResult result = evaluateRun(problem, step);
        ASSERT_TRUE(result.finish);
        EXPECT_EQ(isoDate(*result.finish), isoDate(finish)) << hours << " h";
    }
    EXPECT_FALSE(evaluateRun(hundredHours(), hourStep()).finish) << "there was no start";
    RunProblem long_ = hundredHours();
    long_.start = Date{2027, 1, 1};
    long_.training.tokens *= 1e6;  // 11,400 years
    EXPECT_FALSE(evaluateRun(long_, hourStep()).finish);
}

TEST(Run, SparesAreWholeDomainsInWholeUnits) {
    struct Case {
        int lost, unit;
        long spares;
    };
    for (const auto& [lost, unit, spares] :
         {Case{1, 8, 8}, Case{64, 64, 64}, Case{64, 16, 64}, Case{72, 16, 80}, Case{1, 1, 1}}) {
        RunProblem problem = hundredHours();
        problem.operations.interruptionsPerChipHour = 1.4e-5;
        problem.operations.chipsLostPerInterruption = lost;
        problem.system.chipsPerUnit = unit;
        EXPECT_EQ(evaluateRun(problem, hourStep()).spareChips, spares) << lost << " of " << unit;
    }
}

TEST(Run, ThatNeverEndsSaysSo) {
    RunProblem problem = hundredHours();
    problem.start = Date{2027, 1, 1};
    problem.operations.interruptionsPerChipHour = 1;
    problem.operations.restartTime = units::days(365);
    problem.price.state = PriceState::Known;
    problem.price.perUnit = units::usDollarsPerHour(10);
    problem.price.wholeDays = true;
    problem.price.maxDays = 182;
    const RunResult result = evaluateRun(problem, hourStep());
    EXPECT_TRUE(std::isinf(result.days));
    EXPECT_FALSE(result.finish);
    EXPECT_FALSE(result.money.total);
    EXPECT_EQ(result.money.reason.english(),
              "The run never ends: interruptions come faster than it can restart.");
    EXPECT_FALSE(result.energy.energy);
}

TEST(Run, UnknownCheckpointBandwidthIsSaid) {
    RunProblem problem = hundredHours();
    problem.operations.checkpointBandwidth = units::BytesPerSecond(0);
    const RunResult result = evaluateRun(problem, hourStep());
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_EQ(
        result.warnings[0].english(),
        "How fast checkpoints can be written is not known; writing them is left out of the time.");
}

}  // namespace
}  // namespace trainwright::run
