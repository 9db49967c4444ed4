// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/calibration.h"

#include <algorithm>
#include <cmath>

namespace trainwright::belief {

namespace {

constexpr std::array<const char*, kPhysicsCount> kNames = {
    "matrix_rate",   "fp8_rate",        "attention_rate", "memory_rate",
    "scale_up_rate", "scale_out_rate",  "kernel_rate",    "host_time",
    "step_overhead", "collective_time", "expert_time",    "vector_traffic"};

// A share of something never passes the whole.
void scaleShare(double& share, double factor) {
    share = std::min(1.0, share * factor);
}

}  // namespace

const char* name(Physics p) {
    return kNames[static_cast<std::size_t>(p)];
}

std::optional<Physics> physicsFromName(const std::string& text) {
    const auto found = std::find(kNames.begin(), kNames.end(), text);
    if (found == kNames.end()) return std::nullopt;
    return static_cast<Physics>(found - kNames.begin());
}

const char* name(Grade g) {
    switch (g) {
        case Grade::A:
            return "A";
        case Grade::B:
            return "B";
        case Grade::C:
            return "C";
    }
    return "C";
}

std::string chipFamily(const machine::ChipSpec& chip) {
    return chip.vendor + " " + chip.family;
}

Grade gradeOf(const Calibration& calibration, const machine::ChipSpec& chip,
              const layout::SoftwareProfile& profile) {
    Grade grade = Grade::C;
    for (const Measured& m : calibration.measured) {
        if (m.chip == chip.id && m.profile == profile.id) return Grade::A;
        if (m.family == chipFamily(chip)) grade = Grade::B;
    }
    return grade;
}

std::string chipKind(const machine::ChipSpec& chip) {
    std::string kind = chip.family + " " + chip.generation;
    std::transform(kind.begin(), kind.end(), kind.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return kind;
}

void apply(Physics physics, double factor, machine::SystemSpec& system,
           layout::SoftwareProfile& profile) {
    machine::ComputeModel& compute = system.chip.compute;
    machine::FabricSpec& fabric = system.fabric;
    switch (physics) {
        case Physics::MatrixRate:
            for (double& ceiling : compute.gemmCeiling) scaleShare(ceiling, factor);
            return;
        case Physics::Fp8Rate:
            for (machine::Dtype d : {machine::Dtype::Fp8, machine::Dtype::Fp4})
                scaleShare(compute.gemmCeiling[static_cast<std::size_t>(d)], factor);
            return;
        case Physics::AttentionRate:
            scaleShare(compute.attentionForwardCeiling, factor);
            scaleShare(compute.attentionBackwardCeiling, factor);
            return;
        case Physics::MemoryRate:
            scaleShare(compute.memoryCeiling, factor);
            return;
        case Physics::ScaleUpRate:
            scaleShare(fabric.protocolEfficiency, factor);
            return;
        case Physics::ScaleOutRate:
            scaleShare(fabric.scaleOutEfficiency, factor);
            return;
        case Physics::KernelRate:
            profile.computeSustained *= factor;
            return;
        case Physics::ExpertTime:
            profile.expertLoadImbalance *= factor;
            return;
        case Physics::VectorTraffic:
            profile.vectorTraffic *= factor;
            return;
        case Physics::HostTime:
            profile.hostLaunchPerKernel *= factor;
            return;
        case Physics::StepOverhead:
            profile.stepOverhead *= factor;
            return;
        case Physics::CollectiveTime:
            fabric.collectiveLatency *= factor;
            fabric.scaleOutCollectiveLatency *= factor;
            return;
    }
}

void apply(Physics physics, double factor, layout::StepProblem& problem) {
    apply(physics, factor, problem.cluster.system, problem.profile);
}

std::vector<std::size_t> factorsOf(const Calibration& calibration, const machine::ChipSpec& chip,
                                   const layout::SoftwareProfile& profile) {
    std::vector<std::size_t> indices;
    const std::string kind = chipKind(chip);
    const std::string both = profile.id + " on " + kind;
    for (std::size_t i = 0; i < calibration.factors.size(); ++i) {
        const Factor& f = calibration.factors[i];
        if (f.subject == kind || f.subject == profile.id || f.subject == both) indices.push_back(i);
    }
    return indices;
}

void apply(const Calibration& calibration, machine::SystemSpec& system,
           layout::SoftwareProfile& profile) {
    for (std::size_t i : factorsOf(calibration, system.chip, profile)) {
        const Factor& f = calibration.factors[i];
        apply(f.physics, std::exp(f.logFactor), system, profile);
    }
}

}  // namespace trainwright::belief
