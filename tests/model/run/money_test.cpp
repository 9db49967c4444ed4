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

/// A one-year commitment, half of it paid before it begins, at 20 USD an hour.
Price yearHalfUpfront() {
    Price p;
    p.state = PriceState::Known;
    p.perUnit = units::usDollarsPerHour(20);
    p.plan = "reserved_1y_partial_upfront";
    p.termDays = 365;
    p.upfrontShare = 0.5;
    return p;
}

// 8 units for 100 h at 20 USD are 16,000 USD; for the 8,760 h of the term 1,401,600 USD, half of it
// up front and the rest in months of 730 h.
TEST(Commitment, SharedPaysItsHoursAndDedicatedTheTerm) {
    RunProblem problem = hundredHours();
    problem.price = yearHalfUpfront();
    const RunResult shared = evaluateRun(problem, hourStep());
    EXPECT_DOUBLE_EQ(shared.money.total->value(), 16000);
    EXPECT_DOUBLE_EQ(shared.money.owed->value(), 1401600);
    EXPECT_DOUBLE_EQ(shared.money.upfront->value(), 700800);
    EXPECT_DOUBLE_EQ(shared.money.monthly->value(), 8 * 20 * 730 * 0.5);
    ASSERT_EQ(shared.warnings.size(), 1U);
    EXPECT_EQ(shared.warnings[0].english(),
              "Reserved, one year, partly up front binds for 365 days, of which the run uses and "
              "pays 4.2; others have to bear 1.39 M of its 1.40 M USD.");

    problem.price.dedicated = true;
    const RunResult dedicated = evaluateRun(problem, hourStep());
    EXPECT_DOUBLE_EQ(dedicated.money.total->value(), 1401600);
    EXPECT_DOUBLE_EQ(dedicated.money.usefulPart->value(), 16000);
    EXPECT_DOUBLE_EQ(dedicated.money.roundingPart->value(), 1401600 - 16000);
    EXPECT_DOUBLE_EQ(dedicated.money.billedDays, 365);
    EXPECT_DOUBLE_EQ(dedicated.money.upfront->value(), 700800);
    ASSERT_EQ(dedicated.warnings.size(), 1U);
    EXPECT_THAT(dedicated.warnings[0].english(), HasSubstr("buys nothing for it"));
    EXPECT_DOUBLE_EQ(billedDays(problem.price, 366), 730) << "a second term";
    problem.price.dedicated = false;
    EXPECT_DOUBLE_EQ(billedDays(problem.price, 366), 366);
}

TEST(Commitment, PlansSayTheirTermAndPayment) {
    using Payment = PlanTerms::Payment;
    EXPECT_EQ(termsOf("on_demand"), PlanTerms{});
    EXPECT_EQ(termsOf("ec2_savings_plan_1y_no_upfront"), (PlanTerms{1, Payment::Later}));
    EXPECT_EQ(termsOf("compute_savings_plan_3y_all_upfront"), (PlanTerms{3, Payment::Upfront}));
    EXPECT_EQ(termsOf("reserved_convertible_3y_partial_upfront"), (PlanTerms{3, Payment::Partly}));
    EXPECT_EQ(planIds().size(), 7U + 4 * 2 * 3);
    EXPECT_EQ(planName("ec2_savings_plan_1y_no_upfront").english(),
              "EC2 Instance Savings Plan, one year, nothing up front");
    EXPECT_EQ(planName("dws_flex").english(), "dws flex");
}

// A block is paid before it begins: of 4.2 days, five; 5 × 24 h × 8 units × 35.7608 USD.
TEST(Cash, BlocksAreUpFrontAndDemandIsMonthly) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.upfrontShare = 1;
    Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_DOUBLE_EQ(money.upfront->value(), 5 * 24 * 8 * 35.7608);
    EXPECT_DOUBLE_EQ(money.upfront->value(), money.total->value());
    EXPECT_DOUBLE_EQ(money.monthly->value(), 0);
    problem.price.maxDays = 2;
    money = evaluateRun(problem, hourStep()).money;
    EXPECT_DOUBLE_EQ(money.upfront->value(), 2 * 24 * 8 * 35.7608) << "the first of three blocks";
    problem.price = capacityBlock();
    problem.price.wholeDays = false;
    money = evaluateRun(problem, hourStep()).money;
    EXPECT_DOUBLE_EQ(money.upfront->value(), 0);
    EXPECT_DOUBLE_EQ(money.monthly->value(), 730 * 8 * 35.7608);
}

// Five units at 10 USD and three at 40 USD for 100 h: 5,000 + 12,000 USD.
TEST(Portions, AddUp) {
    RunProblem problem = hundredHours();
    Price base = yearHalfUpfront();
    base.perUnit = units::usDollarsPerHour(10);
    Price rest;
    rest.state = PriceState::Known;
    rest.perUnit = units::usDollarsPerHour(40);
    rest.plan = "on_demand";
    problem.price = base;
    problem.portions = {{5, base}, {3, rest}};
    const Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_DOUBLE_EQ(money.total->value(), 17000);
    ASSERT_EQ(money.portions.size(), 2U);
    EXPECT_DOUBLE_EQ(money.portions[0].cost->value(), 5000);
    EXPECT_DOUBLE_EQ(money.portions[1].cost->value(), 12000);
    EXPECT_DOUBLE_EQ(units::inHours(money.unitTime), 800);
    EXPECT_DOUBLE_EQ(money.upfront->value(), 5 * 10 * 8760 * 0.5);

    problem.portions[1].price = Price{};
    problem.portions[1].price.reason = {"no public price for {1}", {"it"}};
    const Money unknown = evaluateRun(problem, hourStep()).money;
    EXPECT_FALSE(unknown.total);
    EXPECT_EQ(unknown.reason.english(), "no public price for it");
    EXPECT_DOUBLE_EQ(unknown.portions[0].cost->value(), 5000) << "what is known of it is kept";
}

// Three checkpoints of 8e9 × 14 bytes are 336 GB: × 0.023 USD × 100/730 of a month. 60 TB out: 100
// GB free, 9,900 GB at 0.09, 40 TB at 0.085, 10 TB at 0.07 USD.
TEST(Storage, KeepsCheckpointsAndPaysEgressByTier) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.wholeDays = false;
    const double machines = evaluateRun(problem, hourStep()).money.total->value();
    problem.operations.checkpointBytesPerParameter = 14;
    Storage& storage = problem.storage;
    storage.service = "s3_standard";
    storage.usdPerByteMonth = 0.023e-9;
    storage.checkpointsKept = 3;
    storage.egress = units::Bytes(60e12);
    storage.egressTiers = {{units::Bytes(100e9), 0},
                           {units::Bytes(10e12), 0.09e-9},
                           {units::Bytes(50e12), 0.085e-9},
                           {units::Bytes(150e12), 0.07e-9},
                           {units::Bytes(INFINITY), 0.05e-9}};
    Money money = evaluateRun(problem, hourStep()).money;
    EXPECT_NEAR(money.storage->value(), 336 * 0.023 * 100 / 730, 1e-9);
    EXPECT_NEAR(money.egress->value(), 891 + 3400 + 700, 1e-9);
    EXPECT_DOUBLE_EQ(money.compute->value(), machines);
    EXPECT_DOUBLE_EQ(money.total->value(), machines + money.storage->value() + 4991);

    storage.provisioned = units::Bytes(1e12);
    storage.dataset = units::Bytes(0.5e12);
    money = evaluateRun(problem, hourStep()).money;
    EXPECT_NEAR(money.storage->value(), 1000 * 0.023 * 100 / 730, 1e-9) << "paid for whole";
    storage.dataset = units::Bytes(2e12);
    const RunResult over = evaluateRun(problem, hourStep());
    EXPECT_NEAR(over.money.storage->value(), 2336 * 0.023 * 100 / 730, 1e-9);
    ASSERT_EQ(over.warnings.size(), 1U);
    EXPECT_THAT(over.warnings[0].english(), HasSubstr("hold less than"));

    storage.usdPerByteMonth.reset();
    storage.reason = {"no price for {1}", {"it"}};
    money = evaluateRun(problem, hourStep()).money;
    EXPECT_FALSE(money.storage);
    EXPECT_EQ(money.storageReason.english(), "no price for it");
    EXPECT_DOUBLE_EQ(money.total->value(), machines + 4991);
}

// 2 TB at 125 MB/s per TiB: 227 MB/s, where 100 GB/s are planned.
TEST(Storage, AFileSystemThatIsTooSlowIsSaid) {
    RunProblem problem = hundredHours();
    problem.storage.service = "fsx_lustre_persistent_2_125";
    problem.storage.provisioned = units::Bytes(2e12);
    problem.storage.throughputPerByte = 125e6 / (units::kGibi * units::kKibi);
    const RunResult result = evaluateRun(problem, hourStep());
    ASSERT_EQ(result.warnings.size(), 1U);
    EXPECT_THAT(result.warnings[0].english(), HasSubstr("227"));
    problem.storage.provisioned = units::Bytes(1e15);
    EXPECT_THAT(evaluateRun(problem, hourStep()).warnings, IsEmpty());
}

Ownership ownership(double capital) {
    Ownership own;
    own.capitalPerUnit = units::UsDollars(capital);
    own.lifeYears = 5;
    own.state = PriceState::Yours;
    return own;
}

// 1,000 over five years: at 10%, 1,000 × 0.1 × 1.61051 / 0.61051; with 20% had back, less 0.2 of it
// in the first bracket; without interest a fifth of what isn't had back.
TEST(Ownership, IsAnAnnuity) {
    Ownership own = ownership(1000);
    own.costOfCapital = 0.1;
    EXPECT_NEAR(annuity(own)->value(), 263.797481, 1e-6);
    own.residualShare = 0.2;
    EXPECT_NEAR(annuity(own)->value(), 1000 * 0.1 * 1.41051 / 0.61051, 1e-6);
    own.costOfCapital = 0;
    EXPECT_DOUBLE_EQ(annuity(own)->value(), 160);
    own.useShare = 0.8;
    EXPECT_DOUBLE_EQ(units::inUsDollarsPerHour(*ownedRate(own)), 160 / (8760 * 0.8));
    own.dedicated = true;
    EXPECT_DOUBLE_EQ(units::inUsDollarsPerHour(*ownedRate(own)), 160 / 8760.0);
    own.capitalPerUnit.reset();
    EXPECT_FALSE(annuity(own));
    EXPECT_EQ(ownedPrice(own).state, PriceState::None);
}

// 1,200 against 100 a month: a year; at 1% a month 1,200 = 100 · (1 − 1.01^−n) / 0.01.
TEST(Ownership, BreaksEvenAfterMonths) {
    EXPECT_DOUBLE_EQ(*breakEvenMonths(units::UsDollars(1200), units::UsDollars(100), 0), 12);
    const double yearly = std::pow(1.01, 12) - 1;
    EXPECT_NEAR(*breakEvenMonths(units::UsDollars(1200), units::UsDollars(100), yearly),
                -std::log(0.88) / std::log(1.01), 1e-9);
    EXPECT_FALSE(breakEvenMonths(units::UsDollars(1200), units::UsDollars(12), yearly))
        << "the saving pays the interest alone";
    EXPECT_FALSE(breakEvenMonths(units::UsDollars(1200), units::UsDollars(0), 0));
}

// 16 units of 8 × 700 W for half an hour: 1 × 3.36 kWh at 0.1 USD. Capital 160,000, five years
// without interest, four fifths of them in use: 32,000 USD a year over 7,008 h; operation at 3%
// 4,800 USD over the same hours.
TEST(Ownership, OfARunIsCapitalElectricityAndOperation) {
    RunProblem problem = hundredHours();
    problem.training.tokens = 512.0 * 4096;
    problem.chips = 8;
    problem.system.chipsPerUnit = 8;
    problem.system.chipsPerHost = 8;
    problem.system.chip.thermalDesignPower = units::Watts(700);
    problem.system.chip.idlePower = units::Watts(68);
    problem.system.power.acceleratorActiveShare = 1;
    problem.system.power.hostPower = units::Watts(0);
    problem.system.power.networkPowerPerHost = units::Watts(0);
    problem.region = Region{"example-1", "Example", 1.2, false, 400.0, "location-based"};
    layout::StepResult step = hourStep();
    step.stepTime = units::hours(0.5);
    Ownership own = ownership(160000);
    own.useShare = 0.8;
    own.operationShare = 0.03;
    own.usdPerKilowattHour = 0.1;
    problem.ownership = own;
    problem.rent.state = PriceState::Known;
    problem.rent.perUnit = units::usDollarsPerHour(20);
    problem.price = ownedPrice(own);
    const RunResult result = evaluateRun(problem, step);
    const Money& m = result.money;
    EXPECT_NEAR(m.compute->value(), 0.5 * 32000 / 7008, 1e-9);
    EXPECT_NEAR(m.electricity->value(), 0.336, 1e-12);
    EXPECT_NEAR(m.operation->value(), 0.5 * 4800 / 7008, 1e-9);
    EXPECT_NEAR(m.total->value(), 0.5 * 36800 / 7008 + 0.336, 1e-9);
    EXPECT_DOUBLE_EQ(m.upfront->value(), 160000);
    EXPECT_DOUBLE_EQ(result.ownership.ofRun->value(), m.total->value());
    // A year of 6.72 kW and 20 USD an hour, without a break.
    EXPECT_NEAR(result.ownership.electricityPerYear->value(), 6.72 * 8760 * 0.1, 1e-9);
    EXPECT_NEAR(result.ownership.rentPerMonth->value(), 14600, 1e-9);
    EXPECT_NEAR(*result.ownership.breakEvenMonths, 160000 / (14600 - (6.72 * 876 + 4800) / 12),
                1e-9);
    EXPECT_FALSE(result.ownership.beyondLife);

    EXPECT_THAT(result.warnings, IsEmpty());
    RunProblem dark = problem;
    dark.region.reset();
    const RunResult unmetered = evaluateRun(dark, step);
    EXPECT_FALSE(unmetered.money.electricity);
    EXPECT_TRUE(unmetered.money.total);
    ASSERT_EQ(unmetered.warnings.size(), 1U);
    EXPECT_THAT(unmetered.warnings[0].english(), HasSubstr("left out of the cost"));

    problem.rent.perUnit = units::usDollarsPerHour(2);
    EXPECT_TRUE(evaluateRun(problem, step).ownership.beyondLife);
    problem.ownership->dedicated = true;
    problem.price = ownedPrice(*problem.ownership);
    EXPECT_NEAR(evaluateRun(problem, step).money.compute->value(), 160000, 1e-6)
        << "the run bears the whole life";
}

TEST(BreakEvenPrice, IsWhereTotalsMeet) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.operations.checkpointBytesPerParameter = 14;
    problem.storage.checkpointsKept = 3;
    problem.storage.usdPerByteMonth = 0.023e-9;
    const Money money = evaluateRun(problem, hourStep()).money;
    const units::UsDollars other(50000);
    problem.price.perUnit = *priceFor(money, other);
    EXPECT_NEAR(evaluateRun(problem, hourStep()).money.total->value(), 50000, 1e-6);
    EXPECT_FALSE(priceFor(money, units::UsDollars(0)));
    problem.price = Price{};
    problem.price.plan = "on_demand";
    const Money unpriced = evaluateRun(problem, hourStep()).money;
    EXPECT_FALSE(unpriced.total);
    EXPECT_NEAR(units::inUsDollarsPerHour(*priceFor(unpriced, other)),
                (50000 - 336 * 0.023 * 100 / 730) / 800, 1e-9);
}

// 100 steps of 8.64e20 FLOP are 1,000 PFLOP-days; 209,715,200 tokens.
TEST(UnitCosts, ArePerTokenAndPerEffectivePetaflopDay) {
    RunProblem problem = hundredHours();
    problem.price = capacityBlock();
    problem.price.wholeDays = false;
    problem.price.perUnit = units::usDollarsPerHour(20);
    layout::StepResult step = hourStep();
    step.modelFlop = units::Flop(8.64e20);
    const UnitCosts costs = unitCosts(evaluateRun(problem, step), problem.training.tokens);
    EXPECT_DOUBLE_EQ(costs.petaflopDays, 1000);
    EXPECT_DOUBLE_EQ(costs.perPetaflopDay->value(), 16);
    EXPECT_NEAR(costs.perTrillionTokens->value(), 16000 / 209715200.0 * 1e12, 1e-3);
    EXPECT_FALSE(costs.kilowattHoursPerPetaflopDay) << "no power is known";
}

}  // namespace
}  // namespace trainwright::run
