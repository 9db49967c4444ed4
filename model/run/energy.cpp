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

/// The share of the step in which the matrix units are busy. A chip that multiplies at its ceiling
/// is as busy as it can be, though the ceiling is well under the engine's peak.
double matrixBusy(const machine::ChipSpec& chip, machine::Dtype precision, double utilization) {
    const double ceiling = chip.compute.gemmCeiling[static_cast<std::size_t>(precision)] *
                           chip.compute.sustainedFraction;
    return ceiling > 0 ? utilization / ceiling : utilization;
}

/// The first figure that `energyOf` lacks, in the order of what it builds on; empty when all are
/// there.
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
    if (!problem.region) {
        return {"The power at the meter is not known: no region is chosen, so there is no PUE.",
                {}};
    }
    if (!problem.region->pue) {
        return {"The power at the meter is not known: there is no PUE for {1}.",
                {problem.region->name}};
    }
    if (!problem.region->gridGramsCo2PerKilowattHour) {
        return {"The carbon is not known: there is no grid intensity for {1}.",
                {problem.region->name}};
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

Energy energyOf(const RunProblem& problem, const Spell& spell) {
    const machine::SystemSpec& system = problem.system;
    Energy e;
    e.isEstimate = system.chip.powerIsEstimate || system.power.isEstimate;
    e.reason = missingFigure(problem);
    if (!system.power.hostPower || !system.power.networkPowerPerHost) return e;
    const double chips = static_cast<double>(spell.chips);
    const double hosts = std::ceil(chips / system.chipsPerHost);
    const units::Watts hostsAtWork = *system.power.hostPower * hosts;
    const units::Watts network = *system.power.networkPowerPerHost * hosts;

    // Spares wait: they idle, with their share of the network.
    units::Watts spares(0);
    if (problem.operations.spareChips > 0 && system.chip.idlePower) {
        const double spareChips = static_cast<double>(problem.operations.spareChips);
        const double spareHosts = std::ceil(spareChips / system.chipsPerHost);
        spares = *system.chip.idlePower * spareChips +
                 (system.power.hostIdlePower.value_or(*system.power.hostPower) +
                  *system.power.networkPowerPerHost) *
                     spareHosts;
    }

    if (const auto working = acceleratorPower(
            system.chip, system.power,
            matrixBusy(system.chip, problem.training.precision, spell.matrixUtilization),
            spell.memoryUtilization)) {
        // A host whose idle power nobody gives is taken at its power under load: too much rather
        // than too little.
        const units::Watts hostIdle = system.power.hostIdlePower.value_or(*system.power.hostPower);
        const units::Watts atWork = *working * chips + hostsAtWork;
        const units::Watts atRest = *system.chip.idlePower * chips + hostIdle * hosts;
        e.itAveragePower =
            atWork * spell.workingShare + atRest * (1 - spell.workingShare) + network + spares;
        if (std::isfinite(spell.days)) e.itEnergy = *e.itAveragePower * units::days(spell.days);
    }

    if (!problem.region || !problem.region->pue) return e;
    const double pue = *problem.region->pue;
    if (const auto active = activePower(system.chip, system.power)) {
        const units::Watts highest = std::max(*active, system.chip.idlePower.value_or(*active));
        e.peakPower = (highest * chips + hostsAtWork + network + spares) * pue;
    }
    if (e.itAveragePower) e.averagePower = *e.itAveragePower * pue;
    if (!e.itEnergy) return e;
    e.energy = *e.itEnergy * pue;
    if (problem.region->gridGramsCo2PerKilowattHour) {
        e.co2Kilograms = units::inKilowattHours(*e.energy) *
                         *problem.region->gridGramsCo2PerKilowattHour / kGramsPerKilogram;
    }
    return e;
}

}  // namespace trainwright::run
