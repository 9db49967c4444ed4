// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <random>

#include "tests/model/run/problem.h"

namespace trainwright::run {
namespace {

using units::Watts;

/// One server of eight accelerators for half an hour, all at 700 W and nothing beside them.
RunProblem halfAnHour() {
    RunProblem problem = hundredHours();
    problem.training.tokens = 512.0 * 4096;
    problem.chips = 8;
    problem.system.chipsPerUnit = 8;
    problem.system.chipsPerHost = 8;
    problem.system.chip.thermalDesignPower = Watts(700);
    problem.system.chip.idlePower = Watts(68);
    problem.system.chip.powerIsEstimate = false;
    problem.system.power.isEstimate = false;
    problem.system.power.acceleratorActiveShare = 1;
    problem.system.power.hostPower = Watts(0);
    problem.system.power.networkPowerPerHost = Watts(0);
    problem.region = Region{"example-1", "Example", 1.2, false, 400.0, "location-based"};
    return problem;
}

layout::StepResult halfHourStep() {
    layout::StepResult step = hourStep();
    step.stepTime = units::hours(0.5);
    return step;
}

TEST(Energy, EightAcceleratorsForHalfAnHour) {
    const Energy e = evaluateRun(halfAnHour(), halfHourStep()).energy;
    EXPECT_DOUBLE_EQ(e.itAveragePower->value(), 5600);
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.itEnergy), 2.8);
    EXPECT_DOUBLE_EQ(e.averagePower->value(), 6720);
    EXPECT_DOUBLE_EQ(e.peakPower->value(), 6720);
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.energy), 3.36);
    EXPECT_DOUBLE_EQ(*e.co2Kilograms, 3.36 * 0.4);
    EXPECT_TRUE(e.reason.empty());
    EXPECT_FALSE(e.isEstimate);
}

// 20 chips of 8 a host take three hosts. Over 1 h of start-up and 1 h of work: chips 20 × 68 then
// 20 × 700, hosts 3 × 1,000 then 3 × 3,000, network 3 × 500 throughout.
TEST(Energy, HostsAndNetworkCountByHostAndRestIsIdle) {
    RunProblem problem = halfAnHour();
    problem.chips = 20;
    problem.system.power.hostPower = Watts(3000);
    problem.system.power.hostIdlePower = Watts(1000);
    problem.system.power.networkPowerPerHost = Watts(500);
    problem.operations.startup = units::hours(1);
    Energy e = evaluateRun(problem, hourStep()).energy;
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.itEnergy), 1.36 + 3.0 + 14.0 + 9.0 + 2 * 1.5);
    EXPECT_DOUBLE_EQ(e.peakPower->value(), (14000 + 9000 + 1500) * 1.2);
    problem.system.power.hostIdlePower = std::nullopt;  // taken as under load
    e = evaluateRun(problem, hourStep()).energy;
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.itEnergy), 1.36 + 9.0 + 14.0 + 9.0 + 2 * 1.5);
}

TEST(Energy, LostTimeDrawsIdleButRepeatedWorkDrawsActive) {
    RunProblem problem = halfAnHour();
    problem.operations.interruptionsPerChipHour = 0.05;
    problem.operations.restartTime = units::hours(0.5);
    problem.operations.checkpointBandwidth = units::BytesPerSecond(1e9);  // 112 GB: 112 s
    const RunResult result = evaluateRun(problem, halfHourStep());
    const Goodput& g = result.goodput;
    EXPECT_GT(g.reworkShare, 0.01);
    const double working = g.share + g.reworkShare;
    EXPECT_NEAR(result.energy.itAveragePower->value(), 8 * (700 * working + 68 * (1 - working)),
                1e-9);
}

TEST(Energy, WhatIsNotKnownIsSaid) {
    const layout::StepResult step = halfHourStep();
    const auto with = [&](auto change) {
        RunProblem problem = halfAnHour();
        change(problem);
        return evaluateRun(problem, step).energy;
    };
    const auto allUnknown = [](const Energy& e) {
        return !e.itAveragePower && !e.itEnergy && !e.averagePower && !e.energy && !e.co2Kilograms;
    };
    Energy e = with([](RunProblem& p) { p.system.chip.thermalDesignPower = std::nullopt; });
    EXPECT_TRUE(allUnknown(e) && !e.peakPower);
    EXPECT_EQ(e.reason.english(),
              "The power of Example chip is not known: no thermal design power is published.");
    e = with([](RunProblem& p) { p.system.chip.idlePower = std::nullopt; });
    EXPECT_TRUE(allUnknown(e));
    EXPECT_DOUBLE_EQ(e.peakPower->value(), 6720);
    EXPECT_EQ(
        e.reason.english(),
        "The power of Example chip is not known: there is no figure for what it draws when idle.");
    e = with([](RunProblem& p) { p.system.power.acceleratorActiveShare = 0; });
    EXPECT_TRUE(allUnknown(e) && !e.peakPower && !e.reason.empty());
    e = with([](RunProblem& p) { p.system.power.hostPower = std::nullopt; });
    EXPECT_TRUE(allUnknown(e) && !e.peakPower);
    EXPECT_EQ(e.reason.english(),
              "The power of Example UltraServer is not known: there is no figure for its hosts.");
    e = with([](RunProblem& p) { p.system.power.networkPowerPerHost = std::nullopt; });
    EXPECT_TRUE(allUnknown(e) && !e.peakPower && !e.reason.empty());

    e = with([](RunProblem& p) { p.region->pue = std::nullopt; });
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.itEnergy), 2.8);
    EXPECT_FALSE(e.averagePower || e.energy || e.co2Kilograms || e.peakPower);
    EXPECT_EQ(e.reason.english(),
              "The power at the meter is not known: there is no PUE for Example.");
    e = with([](RunProblem& p) { p.region = std::nullopt; });
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.itEnergy), 2.8);
    EXPECT_FALSE(e.averagePower || e.energy || e.co2Kilograms || e.peakPower);
    EXPECT_FALSE(e.reason.empty());

    e = with([](RunProblem& p) { p.region->gridGramsCo2PerKilowattHour = std::nullopt; });
    EXPECT_DOUBLE_EQ(units::inKilowattHours(*e.energy), 3.36);
    EXPECT_FALSE(e.co2Kilograms);
    EXPECT_EQ(e.reason.english(),
              "The carbon is not known: there is no grid intensity for Example.");

    EXPECT_TRUE(with([](RunProblem& p) { p.system.chip.powerIsEstimate = true; }).isEstimate);
    EXPECT_TRUE(with([](RunProblem& p) { p.system.power.isEstimate = true; }).isEstimate);
}

// A server of eight H100 with 2.9 kW beside them, as a peak of 8.48 kW at the wall leaves (Latif
// 2024).
TEST(Energy, AServerOfEightH100DrawsWhatWasMeasured) {
    machine::ChipSpec chip;
    chip.thermalDesignPower = Watts(700);
    chip.idlePower = Watts(68);
    machine::PowerModel power;
    power.acceleratorActiveShare = 1;
    const double beside = 2880;
    const auto server = [&](double matrix, double memory) {
        return 8 * acceleratorPower(chip, power, matrix, memory)->value() + beside;
    };
    EXPECT_NEAR(server(1, 0), 8480, 1);
    for (const auto& [matrix, memory] : {std::pair{0.5, 0.4}, {0.6, 0.4}, {0.7, 0.5}}) {
        const double watts = server(matrix, memory);
        EXPECT_GE(watts, 6741) << matrix << ", " << memory;  // MLPerf Training v4.0, one node
        EXPECT_LE(watts, 7750) << matrix << ", " << memory;  // Newkirk 2025, mean of heavy training
        EXPECT_NEAR((watts - beside) / watts, 0.605, 0.055) << "55 to 66% in the accelerators";
    }
    // Waiting for the network at 64 nodes: 4.7 kW.
    EXPECT_LT(server(0.2, 0.1), 5300);
}

// At four tenths of the engine's peak, with eight tenths the most that a GEMM reaches, half the
// time is work.
TEST(Energy, UseCountsAgainstWhatAKernelCanReach) {
    RunProblem problem = halfAnHour();
    layout::StepResult step = halfHourStep();
    step.matrixUtilization = 0.5;
    const double half = evaluateRun(problem, step).energy.itAveragePower->value();
    EXPECT_DOUBLE_EQ(half, 8 * (68 + 632 * 0.5));
    problem.system.chip.compute.gemmCeiling[static_cast<std::size_t>(machine::Dtype::Bf16)] = 1;
    problem.system.chip.compute.sustainedFraction = 0.8;
    step.matrixUtilization = 0.4;
    EXPECT_DOUBLE_EQ(evaluateRun(problem, step).energy.itAveragePower->value(), half);
    problem.system.chip.compute.gemmCeiling[static_cast<std::size_t>(machine::Dtype::Bf16)] = 0.8;
    problem.system.chip.compute.sustainedFraction = 1;
    EXPECT_DOUBLE_EQ(evaluateRun(problem, step).energy.itAveragePower->value(), half);
    problem.training.precision = machine::Dtype::Fp8;  // of which no ceiling is known
    EXPECT_DOUBLE_EQ(evaluateRun(problem, step).energy.itAveragePower->value(),
                     8 * (68 + 632 * 0.4));
}

TEST(Energy, PowerRisesWithUseFromIdleToActive) {
    const unsigned seed = 5;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 5000; ++i) {
        machine::ChipSpec chip;
        chip.thermalDesignPower = Watts(100 + 1300 * unit(random));
        chip.idlePower = *chip.thermalDesignPower * (0.3 * unit(random));
        machine::PowerModel power;
        power.acceleratorActiveShare = 0.4 + 0.6 * unit(random);
        const double matrix = unit(random), memory = unit(random);
        const Watts active = *chip.thermalDesignPower * power.acceleratorActiveShare;
        const Watts here = *acceleratorPower(chip, power, matrix, memory);
        SCOPED_TRACE(testing::Message() << "seed " << seed << " case " << i);
        ASSERT_GE(here, *chip.idlePower);
        ASSERT_LE(here, active * (1 + 1e-12));
        ASSERT_LE(here,
                  *acceleratorPower(chip, power, matrix + (1 - matrix) * unit(random), memory));
        ASSERT_LE(here,
                  *acceleratorPower(chip, power, matrix, memory + (1 - memory) * unit(random)));
        ASSERT_EQ(acceleratorPower(chip, power, 0, 0)->value(), chip.idlePower->value());
        ASSERT_DOUBLE_EQ(acceleratorPower(chip, power, 1, memory)->value(), active.value());
    }
}

TEST(Energy, AverageNeverExceedsPeak) {
    const unsigned seed = 17;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 2000; ++i) {
        RunProblem problem = halfAnHour();
        problem.chips = 1 + static_cast<long>(10000 * unit(random));
        problem.operations = someOperations(random);
        problem.system.power.hostPower = Watts(3000 * unit(random));
        problem.system.power.hostIdlePower = *problem.system.power.hostPower * unit(random);
        problem.system.power.networkPowerPerHost = Watts(1000 * unit(random));
        layout::StepResult step = halfHourStep();
        step.matrixUtilization = unit(random);
        step.memoryUtilization = unit(random);
        const RunResult result = evaluateRun(problem, step);
        ASSERT_LE(*result.energy.averagePower, *result.energy.peakPower * (1 + 1e-12))
            << "seed " << seed << " case " << i;
        ASSERT_NEAR(result.energy.energy->value() / result.energy.averagePower->value(),
                    result.days * units::kSecondsPerDay, 1e-9 * result.days * units::kSecondsPerDay)
            << "seed " << seed << " case " << i;
    }
}

}  // namespace
}  // namespace trainwright::run
