// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/step.h"

#include <cmath>

#include "model/layout/step_implementation.h"

namespace trainwright::layout {

using units::Bytes;
using units::Seconds;

StepEvaluator::StepEvaluator(const StepProblem& problem, const network::Network& network)
    : implementation_(std::make_unique<Implementation>(problem, network)) {}
StepEvaluator::~StepEvaluator() = default;
StepEvaluator::StepEvaluator(StepEvaluator&&) noexcept = default;

void StepEvaluator::forget() {
    implementation_->forgetTables();
}

Seconds StepEvaluator::stepTime(const Layout& layout) {
    if (implementation_->placement(layout).groups.empty()) return Seconds(INFINITY);
    return Seconds(implementation_->timeline(layout).step);
}

units::Bytes StepEvaluator::peakMemory(const Layout& layout) {
    return Bytes(implementation_->peakMemory(layout));
}

units::Bytes StepEvaluator::peakMemoryBound(const Layout& layout) {
    Layout least = layout;
    least.recompute = Recompute::Full;
    least.recomputeEvery = 1;
    return Bytes(implementation_->peakMemory(least, false));
}

units::Bytes StepEvaluator::usableMemory() const {
    return implementation_->usable();
}

Seconds StepEvaluator::stepTimeBound(const Layout& layout) {
    if (implementation_->placement(layout).groups.empty()) return Seconds(INFINITY);
    return Seconds(implementation_->pipelineTime(layout).busy);
}

MemoryResult StepEvaluator::memory(const Layout& layout, bool allStages) {
    return implementation_->memory(layout, allStages);
}

PipelineProblem StepEvaluator::pipeline(const Layout& layout) {
    return implementation_->pipeline(layout);
}

StepResult StepEvaluator::evaluate(const Layout& layout, bool detail) {
    return implementation_->evaluate(layout, detail);
}

StepResult evaluateStep(const StepProblem& problem, const Layout& layout, bool detail) {
    const network::Network net(problem.cluster.system, problem.cluster.chips,
                               ranksPerChip(problem.profile, problem.cluster.system.chip));
    return StepEvaluator(problem, net).evaluate(layout, detail);
}

}  // namespace trainwright::layout
