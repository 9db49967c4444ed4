// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/run/run.h"

#include <array>
#include <cassert>
#include <charconv>
#include <cmath>

#include "model/run/run_parts.h"

namespace trainwright::run {

std::string decimal(double value, int decimals) {
    std::array<char, 512>
        buffer;  // the longest double in fixed form has 309 digits before the point
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                   std::chars_format::fixed, decimals);
    return {buffer.data(), end.ptr};
}

namespace {

std::optional<Date> finishDate(const std::optional<Date>& start, double days) {
    if (!start) return std::nullopt;
    static const long lastDay = daysSinceEpoch({9999, 12, 31});
    const double end = static_cast<double>(daysSinceEpoch(*start)) + std::ceil(toTheSecond(days));
    if (!(end <= static_cast<double>(lastDay))) return std::nullopt;
    return dateFromDays(static_cast<long>(end));
}

}  // namespace

RunResult evaluateRun(const RunProblem& problem, const layout::StepResult& step) {
    const layout::TrainingSpec& training = problem.training;
    const Operations& operations = problem.operations;
    assert(training.globalBatchSequences > 0 && training.sequenceLength > 0 && problem.chips > 0);
    assert(step.stepTime.value() > 0 && problem.system.chipsPerHost > 0);

    RunResult result;
    result.steps = std::ceil(training.tokens / (static_cast<double>(training.globalBatchSequences) *
                                                static_cast<double>(training.sequenceLength)));
    result.goodput = goodput(operations, problem.chips, problem.parameters);
    const units::Seconds useful = step.stepTime * result.steps * (1 + operations.evaluationShare);
    const units::Seconds running = useful / result.goodput.share;
    result.usefulDays = units::inDays(useful);
    result.days = units::inDays(running + operations.startup);
    result.finish = finishDate(problem.start, result.days);
    result.interruptions = running / result.goodput.meanTimeBetweenInterruptions;
    if (operations.interruptionsPerChipHour > 0) {
        const long unit = std::max(1, problem.system.chipsPerUnit);
        result.spareChips = (operations.chipsLostPerInterruption + unit - 1) / unit * unit;
    }

    if (!problem.quiet) result.warnings = purchaseWarnings(problem, result.days);
    if (!problem.quiet && operations.checkpointBandwidth.value() <= 0) {
        result.warnings.push_back(
            {"How fast checkpoints can be written is not known; writing them is left out of the "
             "time.",
             {}});
    }
    // Work that is done again draws as much as work that counts.
    const double working = result.goodput.share + result.goodput.reworkShare;
    const double runningShare =
        std::isfinite(result.days) ? running / (running + operations.startup) : 1;
    result.energy = energyOf(problem, step, result.days, working * runningShare);
    result.modelFlop = step.modelFlop * result.steps;
    result.money = moneyOf(problem, result.days, result.usefulDays, result.energy);
    if (!problem.quiet && result.money.operation && !result.money.electricity) {
        result.warnings.push_back(
            {"The electricity of the owned machines is left out of the cost: {1}",
             {result.energy.energy ? Text{"there is no price of a kWh.", {}}.english()
                                   : result.energy.reason.english()}});
    }
    if (problem.ownership)
        result.ownership = ownershipOf(problem, result.days, result.usefulDays, result.energy);
    return result;
}

}  // namespace trainwright::run
