// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose bands can be asked for: an 8B model on 64 A100 at a fixed layout, and a calibration
// of five factors.
#pragma once

#include <random>

#include "model/belief/bands.h"
#include "model/layout/step.h"
#include "model/network/network.h"
#include "tests/model/layout/problems.h"

namespace trainwright::belief::testing {

struct KnownRun {
    layout::StepProblem problem;
    layout::Layout layout;
    network::Network network;
    layout::StepResult step;
    run::RunProblem run;

    KnownRun()
        : problem(layout::testing::problem(workload::testing::llama3_8b(), 64, 8192, 128)),
          layout(layout::testing::layoutOf(4, 2, 8, 1, 16)),
          network(problem.cluster.system, problem.cluster.chips, 1) {
        problem.training.tokens = 2e11;
        problem.cluster.system.chip.family = "gpu";
        problem.cluster.system.chip.generation = "Ampere";
        problem.profile.stepOverhead = units::Seconds(0.2);
        step = layout::StepEvaluator(problem, network).evaluate(layout, false);

        run.training = problem.training;
        run.system = problem.cluster.system;
        run.system.chip.thermalDesignPower = units::Watts(400);
        run.system.chip.idlePower = units::Watts(46);
        run.system.power.acceleratorActiveShare = 1;
        run.system.power.hostPower = units::Watts(2000);
        run.system.power.hostIdlePower = units::Watts(900);
        run.system.power.networkPowerPerHost = units::Watts(300);
        run.system.chipsPerUnit = 8;
        run.chips = problem.cluster.chips;
        run.parameters = 8e9;
        run.region = run::Region{"example-1", "Example", 1.2, false, 300.0, "location-based"};
        run.price.state = run::PriceState::Known;
        run.price.perUnit = units::usDollarsPerHour(20);
        run.price.plan = "on_demand";
        run.operations.interruptionsPerChipHour = 2e-4;
        run.operations.restartTime = units::Seconds(1200);
        run.operations.checkpointBandwidth = units::BytesPerSecond(1e9);
        run.start = run::Date{2027, 1, 4};
    }

    [[nodiscard]] BandQuestion question(const Calibration* calibration = nullptr) const {
        return {{problem, layout, network, step, calibration, 0, {4096, 1}},
                run,
                Grade::B,
                {},
                {},
                {},
                {},
                {}};
    }
};

/// Five factors of the run's chip, each `deviation` unsure and each pair correlated by
/// `correlation`, which is at least -0.25.
inline Calibration fiveFactors(double deviation, double correlation) {
    Calibration c;
    for (Physics p : {Physics::MatrixRate, Physics::AttentionRate, Physics::MemoryRate,
                      Physics::ScaleUpRate, Physics::ScaleOutRate}) {
        c.factors.push_back({p, "gpu ampere", 0, deviation, 10});
    }
    for (std::size_t i = 0; i < 5; ++i)
        for (std::size_t j = 0; j < 5; ++j)
            c.covariance.push_back(deviation * deviation * (i == j ? 1 : correlation));
    return c;
}

/// The same with deviations and correlations from chance: a Gram matrix of random vectors.
inline Calibration someFactors(std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    Calibration c = fiveFactors(0.1, 0);
    constexpr std::size_t kCount = 5;
    std::array<std::array<double, kCount>, kCount> vectors{};
    for (auto& v : vectors) {
        const double length = unit(random) < 0.2 ? 0 : 0.2 * unit(random);
        for (double& x : v) x = length * (2 * unit(random) - 1);
    }
    for (std::size_t i = 0; i < kCount; ++i) {
        for (std::size_t j = 0; j < kCount; ++j) {
            double sum = 0;
            for (std::size_t k = 0; k < kCount; ++k) sum += vectors[i][k] * vectors[j][k];
            c.covariance[i * kCount + j] = sum;
        }
        c.factors[i].standardError = std::sqrt(c.covariance[i * kCount + i]);
    }
    return c;
}

}  // namespace trainwright::belief::testing
