// SPDX-License-Identifier: GPL-3.0-or-later
// How long a step takes: stages, pipeline, traffic between replicas, optimizer.
#include <algorithm>
#include <cmath>
#include <span>

#include "model/layout/schedule_closed_form.h"
#include "model/layout/step_implementation.h"

namespace trainwright::layout {

using network::Collective;

namespace {

// Newton-Schulz iterations of Muon, and the products of each (Jordan et al. 2024).
constexpr double kMuonIterations = 5;
constexpr double kMuonProducts = 3;

}  // namespace

Span StepEvaluator::Implementation::offloadWaits(const ShardTable& table, std::size_t mode,
                                                 std::size_t c, int n) const {
    if (!(hostLinkBytesPerSecond > 0)) return {};
    const double travels = table.layerKept[mode][c] / hostLinkBytesPerSecond;
    const Span& work = table.layerSpan[mode][c];
    return {n * std::max(0.0, travels - work.forward), n * std::max(0.0, travels - work.backward),
            0};
}

// Forward and backward time of a stage alone, for the search.
Span StepEvaluator::Implementation::stageSpan(const Layout& l, const ShardTable& table,
                                              const StageGroup& group, std::size_t mode) const {
    Span span;
    const auto add = [&span](const Span& c, double n) {
        span.forward += n * c.forward;
        span.backward += n * c.backward;
        span.weightGradient += n * c.weightGradient;
    };
    for (std::size_t c = 0; c < kClasses; ++c) {
        const int n = group.layers.byClass[c];
        if (n == 0) continue;
        const int again = mode == 1 ? recomputedLayers(n, l.recomputeEvery) : n;
        add(table.layerSpan[mode][c], again);
        if (again < n) add(table.layerSpan[0][c], n - again);
        if (l.offloadActivations) add(offloadWaits(table, mode, c, n), 1);
    }
    if (group.first) add(table.embeddingSpan, 1);
    if (group.last) add(table.tailSpan[mode], 1);
    return span;
}

DataComm StepEvaluator::Implementation::dataComm(const Layout& l, const StageParameters& own,
                                                 const Span& stage) {
    DataComm d;
    const SoftwareProfile& f = problem.profile;
    const long all = static_cast<long>(l.data) * l.context;
    const double m = static_cast<double>(l.microBatches);
    if (all > 1) {
        const StateBytes state = statesOf(l);
        const bool sharded = state.optimizerSharded;
        const long dense = sharded ? denseShards(l) : all;
        const long expertGroup = sharded ? expertShards(l) : expertReplicas(l);
        d.dense.group = dense;
        d.dense.stride = rankStride(f, l, l.context > 1 ? Axis::Context : Axis::Data);
        d.dense.replicas = all / dense;
        d.dense.outer = d.dense.stride * dense;
        d.expert.group = expertGroup;
        d.expert.stride = expertReplicaStride(l);
        d.expert.replicas = std::max(1L, expertReplicas(l) / expertGroup);
        d.expert.outer = d.expert.stride * expertGroup;
        d.reduceKind = sharded ? Collective::ReduceScatter : Collective::AllReduce;
        const bool byLayer = l.sharding == Sharding::Zero3;
        const double layers = std::max(1.0, own.total() / own.layer);
        // Shared gradients are reduced as soon as they are there, or there would be nothing to
        // share.
        const bool everyTime = byLayer ? f.reduceScatterEveryMicroBatch : state.gradientsSharded;
        const double reduces = everyTime ? m : 1.0;
        // Layer by layer weights are gathered for forward and again for backward.
        const double gathers = 2.0 * (f.gatherWeightsEveryMicroBatch ? m : 1.0);
        double reduceOne = 0, gatherOne = 0;
        const double wire = problem.training.gradientBytes
                                ? std::min(f.gradientReduceBytes, *problem.training.gradientBytes)
                                : f.gradientReduceBytes;
        const auto add = [&](DataFlow& flow, double params) {
            if (params <= 0) return;
            const double bytes = params * wire;
            if (f.contextReducedApart && l.context > 1) {
                flow.contextBytes = bytes;
                d.reduce += communicate(Collective::AllReduce, l.context,
                                        rankStride(f, l, Axis::Context), bytes)
                                .seconds;
            }
            const double buckets =
                byLayer
                    ? layers
                    : (f.bucketBytes > 0 ? std::max(1.0, std::ceil(bytes / f.bucketBytes)) : 1.0);
            if (flow.group > 1) {
                flow.reduceBytes = bytes / buckets;
                flow.gatherBytes = sharded ? params * f.weightGatherBytes / buckets : 0.0;
                flow.reduceCalls = buckets * reduces;
                flow.gatherCalls = byLayer ? buckets * gathers : (sharded ? buckets : 0.0);
                const double one =
                    communicate(d.reduceKind, flow.group, flow.stride, flow.reduceBytes).seconds;
                d.reduce += flow.reduceCalls * one;
                reduceOne += one;
                if (flow.gatherCalls > 0) {
                    const double gather = communicate(Collective::AllGather, flow.group,
                                                      flow.stride, flow.gatherBytes)
                                              .seconds;
                    d.gather += flow.gatherCalls * gather;
                    gatherOne += gather;
                }
            }
            if (flow.replicas > 1) {
                // What a rank keeps of the sum is summed over the copies of its group.
                flow.replicaBytes = bytes / buckets / static_cast<double>(flow.group);
                flow.reduceCalls = buckets * reduces;
                d.reduce += flow.reduceCalls * communicate(Collective::AllReduce, flow.replicas,
                                                           flow.outer, flow.replicaBytes)
                                                   .seconds;
            }
        };
        add(d.dense, own.dense);
        add(d.expert, own.expert);
        if (byLayer) {
            // One layer's traffic hides behind its neighbour's work; the first gather and the last
            // reduction have nothing to hide behind.
            const double forwardRoom = stage.forward * (f.gatherWeightsEveryMicroBatch ? m : 1.0);
            const double backwardRoom = stage.backward * std::max(reduces, gathers / 2.0);
            const double hiddenForward = std::min(f.dataOverlap * d.gather / 2.0, forwardRoom);
            const double hiddenBackward =
                std::min(f.dataOverlap * (d.gather / 2.0 + d.reduce), backwardRoom);
            d.hidden = std::max(0.0, hiddenForward + hiddenBackward - reduceOne - gatherOne);
        } else {
            // Gradients are final only in the last micro-batch's backward pass; weights are wanted
            // by the first one's forward pass.
            d.hidden = std::min(f.dataOverlap * d.reduce, stage.backward * reduces) +
                       std::min(f.dataOverlap * d.gather, stage.forward);
        }
        d.exposed = d.reduce + d.gather - d.hidden;
    }
    if (problem.architecture.tiedEmbeddings && l.pipeline > 1) {
        // First and last stage hold a copy of the table each and add up its gradients.
        const double bytes = lastTable->vocabularyParameters *
                             (problem.training.gradientBytes ? *problem.training.gradientBytes
                                                             : f.gradientReduceBytes);
        const Comm tied = communicate(Collective::AllReduce, 2,
                                      rankStride(f, l, Axis::Pipeline) * (l.pipeline - 1), bytes);
        d.tiedBytes = bytes;
        d.tied = tied.seconds;
        d.exposed += tied.seconds;
    }
    if (!problem.cluster.system.chip.compute.dedicatedCollectiveEngines)
        d.tax = f.overlapComputeTax * d.hidden;
    return d;
}

// Reading gradients and states, writing states and weights: through HBM, or through the host's
// memory and its link.
double StepEvaluator::Implementation::optimizerSeconds(const Layout& l,
                                                       const StageParameters& own) const {
    const StateBytes state = statesOf(l);
    const double update =
        state.gradients + 2.0 * state.master + 2.0 * momentBytes(l) + state.weights;
    const bool shared = state.optimizerSharded;
    const Shares share = sharesOf(l);
    double bytes = shardedBytes(own, update, shared, share);
    double seconds = 0;
    if (l.offloadOptimizer && hostLinkBytesPerSecond > 0 && hostMemoryBytesPerSecond > 0) {
        const double moved = shardedBytes(own, state.gradients + state.weights, shared, share);
        seconds = moved / hostLinkBytesPerSecond + bytes / hostMemoryBytesPerSecond;
        bytes = 0;
    }
    // The gradient norm reads what the rank will update; the accumulator is cleared whole.
    bytes += shardedBytes(own, state.gradients, shared || state.gradientsSharded, share);
    bytes += shardedBytes(own, state.gradients, state.gradientsSharded, share);
    seconds += machine::vectorTime(pricer.rank, bytes, 4).seconds;
    if (problem.training.optimizer == Optimizer::Muon) {
        // Matrices are taken for squares of the hidden size; each is orthogonalised by one of the
        // ranks that share it.
        const double h = problem.architecture.hidden;
        const double matrices = shardedBytes(own, 1.0, shared, share) / (h * h);
        seconds += machine::gemmTime(pricer.rank, machine::Dtype::Bf16, h, h, h,
                                     kMuonIterations * kMuonProducts * matrices, 2, 2)
                       .seconds;
    }
    return seconds;
}

namespace {

// The pair of stages, as far from either end, that gives its ranks the most to do. Half of the
// micro-batches go through each; `waits` of the runs' times are sends.
void findPair(PipelineTime& t, const Placement& placed, std::span<const StageRun> runs,
              double waits) {
    std::size_t front = 0, back = runs.size() - 1;
    int fromFront = runs[front].count, fromBack = runs[back].count;
    for (std::size_t pairs = placed.stages.size() / 2; pairs > 0; --pairs) {
        const StageRun& a = runs[front];
        const StageRun& b = runs[back];
        const Span span{(a.forwardSeconds + b.forwardSeconds) / 2 - waits,
                        (a.backwardSeconds + b.backwardSeconds) / 2 - waits,
                        (a.weightGradientSeconds + b.weightGradientSeconds) / 2};
        if (span.total() > t.pace.total()) {
            t.pace = span;
            t.slowest = &placed.groups[placed.runs[front].first];
            t.mirror = &placed.groups[placed.runs[back].first];
        }
        if (--fromFront == 0 && front + 1 < runs.size()) fromFront = runs[++front].count;
        if (--fromBack == 0 && back > 0) fromBack = runs[--back].count;
    }
}

}  // namespace

PipelineTime StepEvaluator::Implementation::makePipelineTime(const Layout& l, std::size_t mode) {
    PipelineTime t;
    const Placement& placed = placement(l);
    const ShardTable& shared = table(l);
    const int p = l.pipeline;
    double blocking = 0;  // of a send, seconds that the stage itself waits for
    double flight = 0;    // and seconds that it only takes to arrive
    if (p > 1) {
        t.sends = pipelineComm(l).seconds;
        const double overlap =
            l.schedule == Schedule::Interleaved ? problem.profile.pipelineOverlap : 0.0;
        t.sendsShown = blocking = t.sends * (1.0 - overlap);
        flight = t.sends * overlap;
    }
    constexpr std::size_t kFew = 24;
    std::array<StageRun, kFew> few;
    std::vector<StageRun> many;
    const std::size_t count = placed.runs.size();
    if (count > kFew) many.resize(count);
    StageRun* const runs = count > kFew ? many.data() : few.data();
    std::size_t at = 0;
    const double waits = l.virtualStages * blocking;
    for (const auto& [which, stages] : placed.runs) {
        const StageGroup& g = placed.groups[which];
        const Span span = stageSpan(l, shared, g, mode);
        if (at == 0) t.first = span;
        if (l.schedule != Schedule::DualPipe && span.total() > t.pace.total()) {
            t.pace = span;
            t.slowest = &g;
        }
        runs[at++] = {span.forward + waits, span.backward + waits, span.weightGradient, stages};
    }
    if (l.schedule == Schedule::DualPipe) findPair(t, placed, std::span(runs, count), waits);
    t.busy = p > 1 ? pipelineSeconds(l.schedule, l.virtualStages, l.microBatches, flight,
                                     std::span<const StageRun>(runs, count))
                   : static_cast<double>(l.microBatches) * t.pace.total();
    return t;
}

const PipelineTime& StepEvaluator::Implementation::pipelineTime(const Layout& l) {
    const std::size_t mode = modeOf(l);
    const PipelineKey key{
        &table(l),           &placement(l),
        l.schedule,          l.virtualStages,
        l.microBatches,      l.pipeline > 1 ? rankStride(problem.profile, l, Axis::Pipeline) : 0,
        l.offloadActivations};
    if (key != lastPipelineKey) {
        for (auto& memo : pipelineTimes) memo.first = false;
        lastPipelineKey = key;
    }
    // Full recompute of one layer in n has a place of its own for small n, else the last.
    const std::size_t place =
        mode == 1 && l.recomputeEvery > 1
            ? std::min(kMemos - 1, kMaxModes + static_cast<std::size_t>(l.recomputeEvery) - 2)
            : mode;
    auto& memo = pipelineTimes[place];
    if (!memo.first || place == kMemos - 1) memo = {true, makePipelineTime(l, mode)};
    return memo.second;
}

Timeline StepEvaluator::Implementation::timeline(const Layout& l) {
    Timeline t;
    static_cast<PipelineTime&>(t) = pipelineTime(l);
    const Placement& placed = placement(l);
    const ShardTable& shared = table(l);
    // The first stage ends last and is waited for first; it holds the embedding, too.
    t.data = dataComm(l, stageParameters(shared, placed.groups.front()), t.first);
    for (const StageGroup& g : placed.groups) {
        if (&g != t.slowest && !g.first && !g.last) continue;
        t.optimizer = std::max(t.optimizer, optimizerSeconds(l, stageParameters(shared, g)));
    }
    t.data.norm = normSeconds;
    t.data.exposed += normSeconds;
    const double body = t.busy + t.data.exposed + t.data.tax + t.optimizer;
    t.other = problem.profile.stepOverhead.value() + stragglerShare * body;
    t.step = body + t.other;
    return t;
}

}  // namespace trainwright::layout
