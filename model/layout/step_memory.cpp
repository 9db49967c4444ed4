// SPDX-License-Identifier: GPL-3.0-or-later
// What each stage keeps in memory.
#include <algorithm>

#include "model/layout/step_implementation.h"

namespace trainwright::layout {

using units::Bytes;

StageParameters StepEvaluator::Implementation::stageParameters(const ShardTable& table,
                                                               const StageGroup& group) const {
    StageParameters s;
    for (std::size_t c = 0; c < kClasses; ++c) {
        const int n = group.layers.byClass[c];
        s.dense += n * table.denseParameters[c];
        s.expert += n * table.expertParameters[c];
        if (n > 0)
            s.layer = std::max(s.layer, table.denseParameters[c] + table.expertParameters[c]);
    }
    if (group.first) s.dense += table.vocabularyParameters + parameters.positional;
    if (group.last) {
        const int extra = problem.architecture.multiTokenHeads;
        s.dense += parameters.finalNorm;
        s.dense += extra * (table.multiTokenParameters + table.denseParameters[lastClass]);
        s.expert += extra * table.expertParameters[lastClass];
        // A tied head lives on the first stage too; with a pipeline the last one holds a copy.
        if (!problem.architecture.tiedEmbeddings || !group.first)
            s.dense += table.vocabularyParameters;
        // Multi-token prediction embeds its tokens with the first stage's table, of which the last
        // one holds a copy.
        if (extra > 0 && !group.first) s.dense += table.vocabularyParameters;
    }
    if (s.layer <= 0) s.layer = std::max(1.0, s.total());
    return s;
}

long StepEvaluator::Implementation::expertShards(const Layout& l) const {
    const long replicas = expertReplicas(l);
    if (l.shardDegree <= 0) return replicas;
    const long all = static_cast<long>(l.data) * l.context;
    return std::max(1L, replicas * l.shardDegree / all);
}

namespace {

// Micro-batches whose activations a stage holds at most, counted in whole stages.
double inFlight(const Layout& l, int stage) {
    const double m = static_cast<double>(l.microBatches);
    const double p = l.pipeline;
    switch (l.schedule) {
        case Schedule::GPipe:
            return m;
        case Schedule::OneForwardOneBackward:
            return std::min(m, p - stage);
        case Schedule::ZeroBubble:
            // What a weight gradient needs stays until it is made, i micro-batches later on stage
            // i.
            return std::min(m, p);
        case Schedule::DualPipe:
            return std::min(m, p + 1) / 2.0;  // of this stage, and as many of its mirror image
        case Schedule::Interleaved: {
            const double v = l.virtualStages;
            const double chunks = 2.0 * (p - stage - 1) + (v - 1) * p + 1;
            return std::min(m * v, chunks) / v;
        }
    }
    return 1;
}

}  // namespace

StageMemory StepEvaluator::Implementation::stageMemory(const Layout& l, const ShardTable& table,
                                                       const StageGroup& group, int stage,
                                                       bool withWorking) {
    const SoftwareProfile& f = problem.profile;
    const StateBytes state = statesOf(l);
    const std::size_t mode = modeOf(l);
    const Shares share = sharesOf(l);
    StageParameters own = stageParameters(table, group);
    StageMemory memory;
    memory.stage = stage;
    memory.microBatchesInFlight = inFlight(l, stage);
    const auto set = [&](MemoryKind k, double bytes) { memory.byKind[index(k)] = Bytes(bytes); };

    double perMicroBatch = 0;
    double working = 0;
    double largestLayer = 0;
    const auto addActivations = [&](const StageGroup& g) {
        if (g.first) perMicroBatch += table.embedding.keptNone;
        for (std::size_t c = 0; c < kClasses; ++c) {
            int n = g.layers.byClass[c];
            if (g.last && c == lastClass) n += problem.architecture.multiTokenHeads;
            if (n == 0) continue;
            const int again = mode == 1 ? recomputedLayers(n, l.recomputeEvery) : n;
            perMicroBatch += again * table.layerKept[mode][c] + (n - again) * table.layerKept[0][c];
            working = std::max(working, table.working[mode][c]);
            largestLayer = std::max(largestLayer, table.layerKept[again < n ? 0 : mode][c]);
        }
        if (g.last)
            perMicroBatch += problem.architecture.multiTokenHeads * table.multiToken.keptNone;
    };
    addActivations(group);
    bool hasHead = group.last;
    if (l.schedule == Schedule::DualPipe && l.pipeline > 1) {
        // A rank holds a stage and the one as far from the other end.
        const Placement& placed = placement(l);
        const int mirror = l.pipeline - 1 - stage;
        const StageGroup other{placed.stages[static_cast<std::size_t>(mirror)], mirror, 1,
                               mirror == 0, mirror == l.pipeline - 1};
        addActivations(other);
        hasHead = hasHead || other.last;
        if (f.dualPipeKeepsTwoCopies) {
            const StageParameters mirrored = stageParameters(table, other);
            own.dense += mirrored.dense;
            own.expert += mirrored.expert;
            own.layer = std::max(own.layer, mirrored.layer);
            // The embedding is on the rank already that predicts further tokens with it.
            if (problem.architecture.multiTokenHeads > 0 && group.first != other.first &&
                group.last != other.last && (group.last || other.last))
                own.dense -= table.vocabularyParameters;
        }
    }

    set(MemoryKind::Weights, shardedBytes(own, state.weights, state.weightsSharded, share));
    set(MemoryKind::Gradients, shardedBytes(own, state.gradients, state.gradientsSharded, share));
    if (!l.offloadOptimizer) {
        set(MemoryKind::Optimizer,
            shardedBytes(own, state.master, state.masterSharded, share) +
                shardedBytes(own, momentBytes(l), state.optimizerSharded, share));
    }
    double activations = perMicroBatch * memory.microBatchesInFlight;
    // One layer on its way out or in, one at work.
    if (l.offloadActivations) activations = std::min(activations, 2.0 * largestLayer);
    set(MemoryKind::Activations, activations + (withWorking ? working : 0.0));
    if (hasHead)
        set(MemoryKind::Logits, table.head.keptNone * (1 + problem.architecture.multiTokenHeads));

    double buffers = 0;
    if (l.sharding == Sharding::Zero3) {
        // Two gathered layers, one layer's gradients and the input of their reduction.
        buffers +=
            own.layer * (2.0 * f.weightGatherBytes + f.weightGatherBytes + f.gradientReduceBytes);
    } else if (f.bucketBytes > 0 && denseShards(l) > 1) {
        buffers += std::min(f.bucketBytes, own.total() * f.gradientReduceBytes);
    }
    if (l.tensor > 1)
        buffers += 2.0 * pricer.kernels.elementBytes * table.tokens * problem.architecture.hidden;
    if (l.pipeline > 1) buffers += 2.0 * table.layerInput;
    set(MemoryKind::Buffers, buffers);
    // Blocks that come and go leave gaps in proportion to what is allocated.
    set(MemoryKind::Reserve, f.runtimeReserve.value() + f.fragmentation * memory.total().value());
    return memory;
}

const Placement& StepEvaluator::Implementation::placement(const Layout& l) {
    const PlacementKey key{l.pipeline, l.virtualStages, l.firstStageLayers, l.lastStageLayers};
    if (lastPlacement != nullptr && key == lastPlacementKey) return *lastPlacement;
    auto found = placements.find(key);
    if (found == placements.end()) {
        Placement p;
        p.stages = placeLayers(problem.architecture, problem.profile, l.pipeline, l.virtualStages,
                               l.firstStageLayers, l.lastStageLayers);
        const int last = static_cast<int>(p.stages.size()) - 1;
        for (int i = 0; i <= last; ++i) {
            const StageLayers& layers = p.stages[static_cast<std::size_t>(i)];
            const auto same = [&](const StageGroup& g) {
                return g.layers.byClass == layers.byClass && g.first == (i == 0) &&
                       g.last == (i == last);
            };
            auto group = std::find_if(p.groups.begin(), p.groups.end(), same);
            if (group == p.groups.end()) {
                p.groups.push_back({layers, i, 0, i == 0, i == last});
                group = p.groups.end() - 1;
            }
            ++group->count;
            const auto which = static_cast<std::size_t>(group - p.groups.begin());
            if (p.runs.empty() || p.runs.back().first != which) p.runs.emplace_back(which, 0);
            ++p.runs.back().second;
        }
        found = placements.emplace(key, std::move(p)).first;
    }
    lastPlacementKey = key;
    lastPlacement = &found->second;
    return found->second;
}

// Of the fullest stage, for the search.
double StepEvaluator::Implementation::peakMemory(const Layout& l, bool working) {
    const ShardTable& shared = table(l);
    double peak = 0;
    for (const StageGroup& g : placement(l).groups) {
        peak = std::max(peak, stageMemory(l, shared, g, g.firstStage, working).total().value());
    }
    return peak;
}

MemoryResult StepEvaluator::Implementation::memory(const Layout& l, bool all) {
    MemoryResult r;
    r.capacity = Bytes(pricer.rank.hbmBytes);
    r.usable = usable();
    const Placement& placed = placement(l);
    const ShardTable& shared = table(l);
    bool any = false;
    for (const StageGroup& g : placed.groups) {
        // Of stages that are alike the first one has the most micro-batches in flight.
        const StageMemory m = stageMemory(l, shared, g, g.firstStage);
        if (!any || m.total() > r.peak.total()) r.peak = m;
        any = true;
    }
    if (all) {
        const int last = static_cast<int>(placed.stages.size()) - 1;
        for (int i = 0; i <= last; ++i) {
            const StageGroup g{placed.stages[static_cast<std::size_t>(i)], i, 1, i == 0, i == last};
            r.stages.push_back(stageMemory(l, shared, g, i));
        }
    }
    return r;
}

}  // namespace trainwright::layout
