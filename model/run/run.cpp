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

namespace {

/// What all spells of a run draw together.
Energy energyOfAll(const RunProblem& problem, const std::vector<Spell>& spells) {
    Energy all = energyOf(problem, spells.back());
    if (spells.size() == 1) return all;
    double days = spells.back().days;
    for (std::size_t i = 0; i + 1 < spells.size(); ++i) {
        const Energy e = energyOf(problem, spells[i]);
        days += spells[i].days;
        if (all.itEnergy && e.itEnergy) *all.itEnergy += *e.itEnergy;
        if (all.energy && e.energy) *all.energy += *e.energy;
        if (all.co2Kilograms && e.co2Kilograms) *all.co2Kilograms += *e.co2Kilograms;
        if (all.peakPower && e.peakPower) all.peakPower = std::max(*all.peakPower, *e.peakPower);
    }
    if (all.itEnergy) all.itAveragePower = *all.itEnergy / units::days(days);
    if (all.energy) all.averagePower = *all.energy / units::days(days);
    return all;
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
    // The times before the whole cluster is there, then the rest of the work on all of it.
    std::vector<Spell> spells;
    double left = useful.value();  // on the whole cluster, s
    double usefulSeconds = 0;
    units::Seconds opening = operations.startup;
    double end = problem.completeFromDays;
    for (std::size_t i = 0; i < problem.arrivals.size() && left > 0; ++i) {
        const Arrival& a = problem.arrivals[i];
        const double until = i + 1 < problem.arrivals.size() ? problem.arrivals[i + 1].fromDays
                                                             : problem.completeFromDays;
        Spell spell{a.chips, a.matrixUtilization, a.memoryUtilization, until - a.fromDays, 0};
        const double at = std::max(0.0, (units::days(spell.days) - opening).value());
        if (a.stepRatio > 0 && at > 0) {
            const Goodput partial = goodput(operations, a.chips, problem.parameters);
            const double rate = partial.share / a.stepRatio;
            const double worked = std::min(at, left / rate);
            left -= worked * rate;
            usefulSeconds += worked * partial.share;
            result.interruptions += units::Seconds(worked) / partial.meanTimeBetweenInterruptions;
            if (!(left > 1e-9 * useful.value())) {
                left = 0;
                end = a.fromDays + units::inDays(opening + units::Seconds(worked));
                spell.days = end - a.fromDays;
            }
            spell.workingShare =
                (partial.share + partial.reworkShare) * worked / units::days(spell.days).value();
            opening = operations.restartTime;
        }
        spells.push_back(spell);
    }
    result.partialDays = end - (problem.arrivals.empty() ? 0 : problem.arrivals.front().fromDays);
    const units::Seconds running = units::Seconds(left) / result.goodput.share;
    usefulSeconds += left;
    result.interruptions += running / result.goodput.meanTimeBetweenInterruptions;
    result.usefulDays = units::inDays(units::Seconds(usefulSeconds));
    if (left > 0 || spells.empty()) {
        const double days = units::inDays(running + opening);
        // Work that is done again draws as much as work that counts.
        const double working = result.goodput.share + result.goodput.reworkShare;
        const double runningShare = std::isfinite(days) ? running / (running + opening) : 1;
        spells.push_back({problem.chips, step.matrixUtilization, step.memoryUtilization, days,
                          working * runningShare});
        end += days;
    }
    result.days = end;
    result.finish = finishDate(problem.start, result.days);
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
    result.energy = energyOfAll(problem, spells);
    result.modelFlop = step.modelFlop * result.steps;
    result.money = moneyOf(problem, result.days, result.usefulDays, result.energy);
    if (!problem.quiet && result.money.operation && !result.money.electricity) {
        result.warnings.push_back(
            {"The electricity of the owned machines is left out of the cost: {1}",
             {result.energy.energy ? Text{"there is no price of a kWh.", {}}
                                   : result.energy.reason}});
    }
    if (problem.ownership)
        result.ownership = ownershipOf(problem, result.days, result.usefulDays, result.energy);
    return result;
}

}  // namespace trainwright::run
