// SPDX-License-Identifier: GPL-3.0-or-later
// Time and memory of one optimizer step, for any number of layouts of one problem.
//
// A StepEvaluator keeps what layouts share: operator times by (tensor, context, expert,
// micro-batch), collective coefficients by group, layers by stage. It is not thread-safe: give each
// thread its own; the results don't depend on what was evaluated before. Layouts are expected to be
// legal (checkLegality); an illegal one gives numbers without meaning, never undefined behaviour.
#pragma once

#include <memory>

#include "model/layout/layout.h"
#include "model/layout/schedule.h"

namespace trainwright::network {
class Network;
}

namespace trainwright::layout {

/// Index of a layer's kind in StageLayers::byClass.
[[nodiscard]] std::size_t layerClass(const workload::Architecture& a, int layer);

/// Layers of one pipeline stage.
struct StageLayers {
    int first = 0;                 ///< of its first chunk
    std::array<int, 4> byClass{};  ///< dense global, dense local, MoE global, MoE local attention
    [[nodiscard]] int total() const { return byClass[0] + byClass[1] + byClass[2] + byClass[3]; }
};

/// Layers on each of `pipeline` stages of `virtualStages` chunks under the profile's rule, or with
/// the first and last stage as given; empty when they can't be placed so.
[[nodiscard]] std::vector<StageLayers> placeLayers(const workload::Architecture& a,
                                                   const SoftwareProfile& profile, int pipeline,
                                                   int virtualStages, int firstLayers = 0,
                                                   int lastLayers = 0);

/// Whether the stages between a first and a last one of so many layers can share the rest evenly.
[[nodiscard]] bool canGiveEnds(int layers, int pipeline, int virtualStages, int firstLayers,
                               int lastLayers);

/// The order of ranks that the layout asks for, fastest-varying axis first.
[[nodiscard]] const std::vector<Axis>& rankOrder(const SoftwareProfile& profile,
                                                 const Layout& layout);

/// Whether `layers` can be laid on that many chunks (stages times virtual stages) under the rule.
[[nodiscard]] bool canPlaceLayers(int layers, UnevenLayers rule, int chunks);

/// Vocabulary columns after the profile's padding.
[[nodiscard]] double paddedVocabulary(const workload::Architecture& a,
                                      const SoftwareProfile& profile, int tensor);

/// Distance in ranks between neighbours of the axis' groups under the layout's rank order; expert
/// groups have their own (ExpertPlace).
[[nodiscard]] long rankStride(const SoftwareProfile& profile, const Layout& layout, Axis axis);

class StepEvaluator {
public:
    /// `network` of the problem's cluster; shared between evaluators, it must outlive them.
    StepEvaluator(const StepProblem& problem, const network::Network& network);
    ~StepEvaluator();
    StepEvaluator(StepEvaluator&&) noexcept;

    /// Lets go of what layouts share but for the network's costs: for a search that goes on to
    /// others.
    void forget();

    /// Time of a step alone.
    [[nodiscard]] units::Seconds stepTime(const Layout& layout);
    /// A bound from below of stepTime: without data-parallel traffic, optimizer and stragglers.
    /// Cheap.
    [[nodiscard]] units::Seconds stepTimeBound(const Layout& layout);
    /// Memory of a rank on the fullest stage, and what it may be at most.
    [[nodiscard]] units::Bytes peakMemory(const Layout& layout);
    /// A bound from below of it over all ways to recompute.
    [[nodiscard]] units::Bytes peakMemoryBound(const Layout& layout);
    [[nodiscard]] units::Bytes usableMemory() const;
    /// The same by kind; every stage with `allStages`.
    [[nodiscard]] MemoryResult memory(const Layout& layout, bool allStages = false);
    /// Everything; operators, collectives and stages too with `detail`.
    [[nodiscard]] StepResult evaluate(const Layout& layout, bool detail = true);
    /// Stage times and order of the layout's pipeline, for simulate(); without traffic between
    /// replicas and the optimizer.
    [[nodiscard]] PipelineProblem pipeline(const Layout& layout);

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

/// One step of one layout, on its own.
[[nodiscard]] StepResult evaluateStep(const StepProblem& problem, const Layout& layout,
                                      bool detail = true);

}  // namespace trainwright::layout
