// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/least_change.h"

#include <functional>
#include <utility>

#include "model/network/network.h"
#include "model/search/explain_words.h"
#include "model/units/text_quantity.h"

namespace trainwright::search {

namespace {

using layout::LayoutChoice;
using layout::StepProblem;

constexpr long kMostTimesTheAccelerators = 64;
constexpr double kBf16Bytes = 2;

// Fields of a layout from those that change the least of a run to those that change the most.
using Relax = std::function<bool(StepProblem&, LayoutChoice&)>;

template <typename T>
bool drop(std::optional<T>& field) {
    const bool given = field.has_value();
    field.reset();
    return given;
}

const std::vector<std::pair<const char*, Relax>>& fields() {
    static const std::vector<std::pair<const char*, Relax>> list{
        {"recompute",
         [](StepProblem& p, LayoutChoice& c) {
             const bool groups = drop(c.recomputeGroups);
             const bool every = drop(c.recomputeEvery);
             const bool own = drop(c.recompute);
             return drop(p.training.recompute) || own || groups || every;
         }},
        {"micro_batch", [](StepProblem&, LayoutChoice& c) { return drop(c.microBatch); }},
        {"offload",
         [](StepProblem&, LayoutChoice& c) {
             const bool optimizer = drop(c.offloadOptimizer);
             return drop(c.offloadActivations) || optimizer;
         }},
        {"sharding",
         [](StepProblem&, LayoutChoice& c) {
             const bool degree = drop(c.shardDegree);
             return drop(c.sharding) || degree;
         }},
        {"virtual_stages",
         [](StepProblem&, LayoutChoice& c) {
             const bool schedule = drop(c.schedule);
             return drop(c.virtualStages) || schedule;
         }},
        {"expert",
         [](StepProblem&, LayoutChoice& c) {
             const bool tensor = drop(c.expertTensor);
             return drop(c.expert) || tensor;
         }},
        {"context",
         [](StepProblem&, LayoutChoice& c) { return drop(c.context) && (c.data.reset(), true); }},
        {"pipeline",
         [](StepProblem&, LayoutChoice& c) {
             c.firstStageLayers.reset();
             c.lastStageLayers.reset();
             return drop(c.pipeline) && (c.data.reset(), true);
         }},
        {"tensor",
         [](StepProblem&, LayoutChoice& c) { return drop(c.tensor) && (c.data.reset(), true); }},
    };
    return list;
}

}  // namespace

std::vector<Text> leastChange(const StepProblem& problem, const LayoutChoice& choice,
                              const network::Network& network, const SearchOptions& options) {
    const bool fixed = !choice.isEmpty() || problem.training.recompute;
    if (fixed) {
        for (const auto& [name, relax] : fields()) {
            StepProblem p = problem;
            LayoutChoice open = choice;
            if (!relax(p, open)) continue;
            const SearchOutcome found = searchLayouts(p, open, network, options);
            if (found.stopped) return {};
            if (found.best) {
                return {{"With `{1}` left open {2} with {3} fits.",
                         {name, layout::shortForm(*found.best), recomputeWords(*found.best)}}};
            }
        }
        StepProblem p = problem;
        p.training.recompute.reset();
        const SearchOutcome found = searchLayouts(p, {}, network, options);
        if (found.stopped) return {};
        if (found.best) {
            return {{"Left open, the layout {1} with {2} fits.",
                     {layout::shortForm(*found.best), recomputeWords(*found.best)}}};
        }
    }
    std::vector<Text> out;
    StepProblem open = problem;
    open.training.recompute.reset();
    if (!(open.training.gradientBytes && open.training.optimizerStateBytes)) {
        StepProblem lighter = open;
        lighter.training.gradientBytes = kBf16Bytes;
        lighter.training.optimizerStateBytes = kBf16Bytes;
        const SearchOutcome found = searchLayouts(lighter, {}, network, options);
        if (found.stopped) return out;
        if (found.best) {
            out.push_back({"With gradients and optimizer states in bf16 {1} with {2} fits.",
                           {layout::shortForm(*found.best), recomputeWords(*found.best)}});
        }
    }
    for (long times = 2; times <= kMostTimesTheAccelerators; times *= 2) {
        StepProblem larger = open;
        larger.cluster.chips = problem.cluster.chips * times;
        const network::Network net(
            larger.cluster.system, larger.cluster.chips,
            layout::ranksPerChip(larger.profile, larger.cluster.system.chip));
        const SearchOutcome found = searchLayouts(larger, {}, net, options);
        if (found.stopped) return out;
        if (found.best) {
            out.push_back({"On {1} accelerators {2} with {3} fits.",
                           {units::groupedNumber(static_cast<double>(larger.cluster.chips)),
                            layout::shortForm(*found.best), recomputeWords(*found.best)}});
            break;
        }
    }
    return out;
}

}  // namespace trainwright::search
