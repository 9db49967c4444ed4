// SPDX-License-Identifier: GPL-3.0-or-later
// A run that can be worked by hand: 128 chips of a made-up system, 100 steps of one hour, nothing
// lost.
#pragma once

#include <cmath>
#include <random>

#include "model/run/run.h"

namespace trainwright::run {

inline layout::StepResult hourStep() {
    layout::StepResult step;
    step.stepTime = units::hours(1);
    step.matrixUtilization = 1;
    return step;
}

inline RunProblem hundredHours() {
    RunProblem problem;
    problem.training.tokens = 100.0 * 512 * 4096;
    problem.training.globalBatchSequences = 512;
    problem.training.sequenceLength = 4096;
    problem.system.name = "Example UltraServer";
    problem.system.chip.name = "Example chip";
    problem.system.chipsPerUnit = 16;
    problem.system.chipsPerHost = 16;
    problem.chips = 128;
    problem.parameters = 8e9;
    problem.operations.checkpointBytesPerParameter = 14;
    problem.operations.checkpointBandwidth = units::BytesPerSecond(1e11);
    return problem;
}

inline Operations someOperations(std::mt19937_64& random) {
    std::uniform_real_distribution<double> unit(0, 1);
    Operations o;
    o.interruptionsPerChipHour = unit(random) < 0.1 ? 0 : std::pow(10, -7 + 3 * unit(random));
    o.restartTime = units::Seconds(3600 * unit(random));
    o.checkpointBytesPerParameter = 14;
    o.checkpointBandwidth = units::BytesPerSecond(std::pow(10, 9 + 3 * unit(random)));
    o.asynchronousCheckpoints = unit(random) < 0.5;
    o.asynchronousStall = units::Seconds(10 * unit(random));
    o.evaluationShare = 0.05 * unit(random);
    o.startup = units::hours(5 * unit(random));
    return o;
}

}  // namespace trainwright::run
