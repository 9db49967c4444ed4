// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <cmath>

#include "model/run/run.h"
#include "model/run/run_parts.h"

namespace trainwright::run {

namespace {

constexpr double kGramsPerKilogram = 1000;

/// What one accelerator draws with its matrix units always busy.
std::optional<units::Watts> activePower(const machine::ChipSpec& chip,
                                        const machine::PowerModel& power) {
    if (!chip.thermalDesignPower || power.acceleratorActiveShare <= 0) return std::nullopt;
    return *chip.thermalDesignPower * power.acceleratorActiveShare;
}

/// Why `energyOf` can't tell; empty when every figure is there.
Text missingFigure(const RunProblem& problem) {
    const machine::SystemSpec& system = problem.system;
    if (!system.chip.thermalDesignPower) {
        return {"The power of {1} is not known: no thermal design power is published.",
                {system.chip.name}};
    }
    if (!system.chip.idlePower) {
        return {"The power of {1} is not known: there is no figure for what it draws when idle.",
                {system.chip.name}};
    }
    if (system.power.acceleratorActiveShare <= 0) {
        return {
            "The power of {1} is not known: there is no figure for what share of its thermal "
            "design "
            "power it draws at work.",
            {system.chip.name}};
    }
    if (!system.power.hostPower) {
        return {"The power of {1} is not known: there is no figure for its hosts.", {system.name}};
    }
    if (!system.power.networkPowerPerHost) {
        return {"The power of {1} is not known: there is no figure for its network.",
                {system.name}};
    }
    return {};
}

}  // namespace

std::optional<units::Watts> acceleratorPower(const machine::ChipSpec& chip,
                                             const machine::PowerModel& power,
                                             double matrixUtilization, double memoryUtilization) {
    const std::optional<units::Watts> active = activePower(chip, power);
    if (!active || !chip.idlePower) return std::nullopt;
    const double matrix = std::clamp(matrixUtilization, 0.0, 1.0);
    const double memory = std::clamp(memoryUtilization, 0.0, 1.0);
    const double busy = 1 - (1 - matrix) * (1 - memory);
    // An active draw below the idle one is a contradiction in the figures; the larger keeps it
    // monotone.
    const units::Watts span = std::max(*active - *chip.idlePower, units::Watts(0));
    return *chip.idlePower + span * busy;
}

Energy energyOf(const RunProblem& problem, const layout::StepResult& step, double days,
                double workingShare) {
    const machine::SystemSpec& system = problem.system;
    Energy e;
    e.isEstimate = system.chip.powerIsEstimate || system.power.isEstimate;
    e.reason = missingFigure(problem);
    const std::optional<double> pue = problem.region ? problem.region->pue : std::nullopt;
    if (e.reason.empty() && !pue) {
        e.reason = problem.region
                       ? Text{"The power at the meter is not known: there is no PUE for {1}.",
                              {problem.region->name}}
                       : Text{
                             "The power at the meter is not known: no region is chosen, so there "
                             "is no PUE.",
                             {}};
    }
    if (e.reason.empty() && !problem.region->gridGramsCo2PerKilowattHour) {
        e.reason = {"The carbon is not known: there is no grid intensity for {1}.",
                    {problem.region->name}};
    }

    if (!system.power.hostPower || !system.power.networkPowerPerHost) return e;
    const double chips = static_cast<double>(problem.chips);
    const double hosts = std::ceil(chips / system.chipsPerHost);
    const units::Watts network = *system.power.networkPowerPerHost * hosts;
    const std::optional<units::Watts> active = activePower(system.chip, system.power);
    if (active && pue) {
        const units::Watts highest =
            system.chip.idlePower ? std::max(*active, *system.chip.idlePower) : *active;
        e.peakPower = (highest * chips + *system.power.hostPower * hosts + network) * *pue;
    }
    const std::optional<units::Watts> working =
        acceleratorPower(system.chip, system.power, step.matrixUtilization, step.memoryUtilization);
    if (!working) return e;
    // A host whose idle power nobody gives is taken at its power under load: too much rather than
    // too little.
    const units::Watts hostIdle = system.power.hostIdlePower.value_or(*system.power.hostPower);
    const units::Watts atWork = *working * chips + *system.power.hostPower * hosts;
    const units::Watts atRest = *system.chip.idlePower * chips + hostIdle * hosts;
    e.itAveragePower = atWork * workingShare + atRest * (1 - workingShare) + network;
    if (pue) e.averagePower = *e.itAveragePower * *pue;
    if (!std::isfinite(days)) return e;
    e.itEnergy = *e.itAveragePower * units::days(days);
    if (!pue) return e;
    e.energy = *e.itEnergy * *pue;
    if (problem.region->gridGramsCo2PerKilowattHour) {
        e.co2Kilograms = units::inKilowattHours(*e.energy) *
                         *problem.region->gridGramsCo2PerKilowattHour / kGramsPerKilogram;
    }
    return e;
}

}  // namespace trainwright::run
