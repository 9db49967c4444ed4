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

// 128 chips are eight units; 16 more chips that wait are one unit, paid for as long and idle.
TEST(Run, SparesArePaidForAndIdle) {
    RunProblem problem = hundredHours();
    problem.price.state = PriceState::Known;
    problem.price.perUnit = units::usDollarsPerHour(10);
    problem.system.chip.thermalDesignPower = units::Watts(500);
    problem.system.chip.idlePower = units::Watts(100);
    problem.system.power.acceleratorActiveShare = 1;
    problem.system.power.hostPower = units::Watts(1000);
    problem.system.power.hostIdlePower = units::Watts(600);
    problem.system.power.networkPowerPerHost = units::Watts(200);
    const RunResult without = evaluateRun(problem, hourStep());
    problem.operations.spareChips = 16;
    const RunResult with = evaluateRun(problem, hourStep());
    EXPECT_EQ(with.days, without.days);
    EXPECT_NEAR(without.money.compute->value(), 8 * 10 * 100, 1e-6);
    EXPECT_NEAR(with.money.compute->value(), 9 * 10 * 100, 1e-6);
    EXPECT_NEAR(with.money.roundingPart->value(), 10 * 100, 1e-6);
    EXPECT_NEAR(with.energy.itAveragePower->value() - without.energy.itAveragePower->value(),
                16 * 100 + 600 + 200, 1e-6);
}

// Half the cluster for the first 50 h at twice the step time does 25 of the 100 h of work; the rest
// takes 75 h on the whole. Its machines are paid from their day: 4 units for 125 h, 4 for 75 h.
TEST(Run, GrowsWithWhatArrives) {
    RunProblem problem = hundredHours();
    problem.price.state = PriceState::Known;
    problem.price.perUnit = units::usDollarsPerHour(10);
    problem.arrivals = {{0, 64, 2, 1, 0}};
    problem.completeFromDays = 50.0 / 24;
    const RunResult r = evaluateRun(problem, hourStep());
    EXPECT_NEAR(r.days * 24, 125, 1e-9);
    EXPECT_NEAR(r.partialDays * 24, 50, 1e-9);
    EXPECT_NEAR(r.usefulDays * 24, 125, 1e-9);
    EXPECT_NEAR(r.money.compute->value(), 10 * (4 * 125 + 4 * 75), 1e-6);
    EXPECT_NEAR(*r.money.usefulPart / *r.money.compute, 1, 1e-9);
    // What arrives after the end is never bought; half the cluster alone takes 200 h.
    problem.completeFromDays = 20;
    const RunResult half = evaluateRun(problem, hourStep());
    EXPECT_NEAR(half.days * 24, 200, 1e-9);
    EXPECT_NEAR(half.money.compute->value(), 10 * 4 * 200, 1e-6);
    // On too few the job waits, and they are paid for.
    problem.completeFromDays = 50.0 / 24;
    problem.arrivals[0].stepRatio = 0;
    const RunResult waiting = evaluateRun(problem, hourStep());
    EXPECT_NEAR(waiting.days * 24, 150, 1e-9);
    EXPECT_NEAR(waiting.money.compute->value(), 10 * (4 * 150 + 4 * 100), 1e-6);
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
