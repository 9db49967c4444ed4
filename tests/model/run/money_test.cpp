// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/model/run/problem.h"

namespace trainwright::run {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

Price capacityBlock() {
    Price p;
    p.state = PriceState::Known;
    p.perUnit = units::usDollarsPerHour(35.7608);
    p.plan = "capacity_block";
    p.wholeDays = true;
    p.weekAfterDays = 14;
    return p;
}

TEST(BilledDays, CapacityBlocksGoByDayThenByWeek) {
    struct Case {
        double days, billed;
    };
    const Price block = capacityBlock();
    // A fraction of a second past 14 days is rounding noise; nine seconds are not.
    for (const auto& [days, billed] :
         {Case{0, 0}, Case{0.01, 1}, Case{1, 1}, Case{1.01, 2}, Case{13.5, 14}, Case{14, 14},
          Case{14.0000001, 14}, Case{14.0001, 21}, Case{15, 21}, Case{21, 21}, Case{21.5, 28},
          Case{83, 84}, Case{84, 84}, Case{84.2, 91}, Case{400, 406}}) {
        EXPECT_DOUBLE_EQ(billedDays(block, days), billed) << days << " days";
    }
    Price daily = block;
    daily.weekAfterDays = 0;
    EXPECT_DOUBLE_EQ(billedDays(daily, 82.5), 83);
    Price hourly = block;
    hourly.wholeDays = false;
    EXPECT_DOUBLE_EQ(billedDays(hourly, 82.53), 82.53);
}

TEST(BilledDays, LongRunsTakeSeveralPurchases) {
    struct Case {
        double days, billed;
    };
    Price block = capacityBlock();
    block.maxDays = 182;
    // 200 days: one of 182, then 18 more, which are three weeks. 365: twice 182 and a day.
    for (const auto& [days, billed] : {Case{182, 182}, Case{183, 183}, Case{200, 203},
                                       Case{364, 364}, Case{365, 365}, Case{380, 385}}) {
        EXPECT_DOUBLE_EQ(billedDays(block, days), billed) << days << " days";
    }
    block.unusableAtEnd = units::Seconds(1800);
    for (const auto& [days, billed] :
         {Case{0.9, 1}, Case{1, 2}, Case{14, 21}, Case{20.9, 21}, Case{181.9, 182}, Case{182, 183},
          Case{363.9, 364}, Case{364, 365}}) {
        EXPECT_DOUBLE_EQ(billedDays(block, days), billed)
            << days << " days, the last half-hours lost";
    }
}

TEST(BilledDays, NeverFallWithTimeNorBelowIt) {
    const unsigned seed = 11;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 5000; ++i) {
        Price p = capacityBlock();
        p.weekAfterDays = static_cast<int>(30 * unit(random));
        p.maxDays = unit(random) < 0.5 ? 0 : 7 * (1 + static_cast<int>(30 * unit(random)));
        p.unusableAtEnd = units::Seconds(unit(random) < 0.5 ? 0 : 3600 * unit(random));
        const double days = 500 * unit(random) * unit(random);
        const double billed = billedDays(p, days);
        const double half = 0.5 / units::kSecondsPerDay;
        ASSERT_GE(billed, days - half) << "seed " << seed << " case " << i;
        ASSERT_EQ(billed, std::round(billed)) << "seed " << seed << " case " << i;
        ASSERT_LE(billed, billedDays(p, days + 3 * unit(random)))
            << "seed " << seed << " case " << i;
    }
}

TEST(UnitsRented, AreWhole) {
    machine::SystemSpec system;
    system.chipsPerUnit = 16;
    EXPECT_EQ(unitsRented(system, 16384), 1024);
    EXPECT_EQ(unitsRented(system, 17), 2);
    EXPECT_EQ(unitsRented(system, 1), 1);
    system.chipsPerUnit = 0;
    EXPECT_EQ(unitsRented(system, 64), 0);
}

// 8 units of 16 chips, 100 steps of an hour, no losses: 8 × 100 h × 35.7608 USD.
TEST(Money, IsUnitsTimesHoursTimesPrice) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.wholeDays = false;
    const RunResult result = evaluateRun(problem, hourStep());
    EXPECT_DOUBLE_EQ(result.days, 100.0 / 24);
    EXPECT_DOUBLE_EQ(result.money.total->value(), 8 * 100 * 35.7608);
    EXPECT_DOUBLE_EQ(result.money.usefulPart->value(), 8 * 100 * 35.7608);
    EXPECT_DOUBLE_EQ(result.money.lostPart->value(), 0);
    EXPECT_DOUBLE_EQ(result.money.roundingPart->value(), 0);
    problem.price.discount = 0.2;
    EXPECT_DOUBLE_EQ(evaluateRun(problem, hourStep()).money.total->value(),
                     8 * 100 * 35.7608 * 0.8);
}

// As a block those 100 h are five days: 120 h are billed. Two hours of start-up are lost, not
// useful.
TEST(Money, SplitsIntoUsefulLostAndRounding) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.operations.startup = units::hours(2);
    const Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_DOUBLE_EQ(money.billedDays, 5);
    EXPECT_DOUBLE_EQ(money.total->value(), 8 * 120 * 35.7608);
    EXPECT_DOUBLE_EQ(money.usefulPart->value(), 8 * 100 * 35.7608);
    EXPECT_NEAR(money.lostPart->value(), 8 * 2 * 35.7608, 1e-8);
    EXPECT_NEAR(money.roundingPart->value(), 8 * 18 * 35.7608, 1e-8);
}

// 120 chips leave half of the eighth unit idle, which is paid for all the same.
TEST(Money, ChipsThatAreRentedButNotUsedAreRounding) {
    RunProblem problem = hundredHours();
    problem.chips = 120;
    problem.price = capacityBlock();
    problem.price.wholeDays = false;
    const Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_NEAR(money.total->value(), 8 * 100 * 35.7608, 1e-8);
    EXPECT_NEAR(money.roundingPart->value(), 0.5 * 100 * 35.7608, 1e-8);
}

TEST(Money, WithoutAPriceIsAReasonAndNotZero) {
    RunProblem problem = hundredHours();
    const Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_FALSE(money.compute || money.total || money.usefulPart || money.lostPart ||
                 money.roundingPart);
    EXPECT_EQ(money.reason.english(), "No price of Example UltraServer is known.");
    EXPECT_DOUBLE_EQ(money.billedDays, 100.0 / 24);
    problem.price.reason = {"AWS publishes no price of {1}.", {"Trn3 UltraServers"}};
    EXPECT_EQ(evaluateRun(problem, hourStep()).money.reason.english(),
              "AWS publishes no price of Trn3 UltraServers.");
}

TEST(Money, AStandInPriceSaysWhatStandsIn) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.state = PriceState::StandIn;
    problem.price.reason = {"Four {1} stand in.", {"trn2.48xlarge"}};
    const Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_TRUE(money.total);
    EXPECT_EQ(money.reason.english(), "Four trn2.48xlarge stand in.");
}

TEST(Money, LimitsOfThePlanAreWarnings) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.maxUnits = 8;
    problem.price.maxDays = 5;
    EXPECT_THAT(evaluateRun(problem, hourStep()).warnings, IsEmpty());
    problem.price.maxUnits = 4;
    problem.price.maxDays = 2;
    const RunResult result = evaluateRun(problem, hourStep());
    ASSERT_EQ(result.warnings.size(), 2U);
    EXPECT_THAT(
        result.warnings[0].english(),
        HasSubstr("needs 8 units of Example UltraServer at once; Capacity Block sells at most 4"));
    EXPECT_THAT(result.warnings[1].english(), HasSubstr("4.2 days"));
    EXPECT_THAT(result.warnings[1].english(), HasSubstr("at most 2 days"));
    EXPECT_THAT(result.warnings[1].english(), HasSubstr("3 in a row"));
    EXPECT_TRUE(result.money.total);
    problem.price.wholeDays = false;
    EXPECT_THAT(evaluateRun(problem, hourStep()).warnings[1].english(),
                HasSubstr("4.2 days; Capacity Block is sold for at most 2 days"));
}

TEST(Money, PartsAddUpAndMoreUnitsNeverCostLess) {
    const unsigned seed = 3;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 5000; ++i) {
        RunProblem problem = hundredHours();
        problem.chips = 1 + static_cast<long>(1e5 * std::pow(unit(random), 3));
        problem.price = capacityBlock();
        problem.price.wholeDays = unit(random) < 0.5;
        problem.price.discount = unit(random);
        problem.price.maxDays = unit(random) < 0.5 ? 0 : 182;
        problem.operations = someOperations(random);
        const RunResult result = evaluateRun(problem, hourStep());
        SCOPED_TRACE(testing::Message() << "seed " << seed << " case " << i);
        const Money& m = result.money;
        if (!m.total) continue;  // never ends
        ASSERT_EQ((*m.usefulPart + *m.lostPart + *m.roundingPart).value(), m.total->value());
        ASSERT_GE(m.usefulPart->value(), 0);
        ASSERT_GE(m.lostPart->value(), -1e-12 * m.total->value());
        ASSERT_GE(m.roundingPart->value(), 0);
        const double unitHours =
            static_cast<double>(unitsRented(problem.system, problem.chips)) * m.billedDays * 24;
        // Half a second is what a purchase may end before the run.
        ASSERT_NEAR(m.total->value(), unitHours * 35.7608 * (1 - problem.price.discount),
                    1e-9 * m.total->value() + 1e-4 * static_cast<double>(problem.chips));

        problem.chips += 1 + static_cast<long>(1000 * unit(random));
        const RunResult larger = evaluateRun(problem, hourStep());
        if (!larger.money.total) continue;
        ASSERT_GE(larger.money.total->value() / larger.money.billedDays,
                  m.total->value() / m.billedDays * (1 - 1e-12));
    }
}

}  // namespace
}  // namespace trainwright::run
