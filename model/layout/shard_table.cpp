// SPDX-License-Identifier: GPL-3.0-or-later
// Operator times, communication and parameters of a layer, by how it is cut.
#include <algorithm>
#include <cmath>

#include "model/layout/step_implementation.h"

namespace trainwright::layout {

using machine::Dtype;
using network::Collective;
using units::Bytes;

namespace {

double optimizerStates(Optimizer o) {
    // AdamW keeps two moments a parameter; momentum SGD and Muon one; Adafactor a row and a column
    // only.
    switch (o) {
        case Optimizer::AdamW:
            return 2;
        case Optimizer::Sgd:
        case Optimizer::Muon:
            return 1;
        case Optimizer::Adafactor:
            return 0;
    }
    return 2;
}

// Hosts that the copies of one token go to when `copies` of them are dealt over `hosts`, by chance.
double hostsVisited(double hosts, double copies) {
    return hosts * (1.0 - std::pow(1.0 - 1.0 / hosts, copies));
}

// Whether another micro-batch is at work while tokens travel.
bool hidesExperts(const Layout& l) {
    return l.schedule == Schedule::DualPipe || l.schedule == Schedule::Interleaved;
}

workload::ContextSplit splitOf(ContextExchange exchange) {
    switch (exchange) {
        case ContextExchange::Ring:
            return workload::ContextSplit::Ring;
        case ContextExchange::AllGather:
            return workload::ContextSplit::Gathered;
        case ContextExchange::AllToAll:
            return workload::ContextSplit::Heads;
    }
    return workload::ContextSplit::Ring;
}

}  // namespace

std::size_t KeyHash::operator()(const ShardKey& k) const {
    std::size_t h = mix(static_cast<std::size_t>(k.tensor), static_cast<std::size_t>(k.context));
    h = mix(h,
            static_cast<std::size_t>(k.expert) * 4096U + static_cast<std::size_t>(k.expertTensor));
    h = mix(h, static_cast<std::size_t>(k.microBatch));
    h = mix(h, static_cast<std::size_t>(k.contextStride) * 65536U +
                   static_cast<std::size_t>(k.expertStride));
    return mix(h, (k.sequenceParallel ? 64U : 0U) + (k.hidesExperts ? 32U : 0U) +
                      static_cast<std::size_t>(k.gradientBytes) +
                      128U * static_cast<std::size_t>(k.contextExchange));
}

void StageCost::addScaled(const StageCost& o, double factor) {
    for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += factor * o.parts[i];
    forward += factor * o.forward;
    backward += factor * o.backward;
    weightGradient += factor * o.weightGradient;
    hidden += factor * o.hidden;
    flop += factor * o.flop;
    bytes += factor * o.bytes;
}

StepEvaluator::Implementation::Implementation(const StepProblem& p, const network::Network& net)
    : problem(p), network(net) {
    const machine::SystemSpec& system = problem.cluster.system;
    const SoftwareProfile& f = problem.profile;
    const TrainingSpec& training = problem.training;
    perChip = ranksPerChip(f, system.chip);
    ranksPerDomain = std::max(1L, static_cast<long>(system.chipsPerDomain) * perChip);
    pricer.rank = machine::rankOf(system.chip, perChip, f.computeSustained);
    pricer.hostLaunchPerKernel = f.hostLaunchPerKernel.value();
    pricer.vectorTraffic = f.vectorTraffic;
    workload::Kernels& kernels = pricer.kernels;
    kernels.flashAttention = f.flashAttention;
    kernels.causalSkipping = f.causalSkipping;
    kernels.fusedSoftmax = f.fusedSoftmax;
    kernels.fusedSoftmaxMultiple = f.fusedSoftmaxMultiple;
    kernels.fusedNormResidual = f.fusedNormResidual;
    kernels.fusedCrossEntropy = f.fusedCrossEntropy;
    kernels.groupedGemms = f.groupedGemms;
    kernels.mixtureKernels = f.mixtureKernels;
    kernels.keyValueRepeated = f.keyValueRepeatedForAttention;
    kernels.dropout = f.dropout;
    kernels.logitsBytesKept = f.logitsBytesKept;
    kernels.casts = training.precision == Dtype::Fp8 || training.precision == Dtype::Fp4;
    if (kernels.casts) kernels.activationInputBytes = f.activationInputBytes;
    kernels.castBytes = machine::bytesPerElement(training.precision);
    const ScalingRecipe recipe = training.scalingRecipe.value_or(
        f.scalingRecipes.empty() ? ScalingRecipe::Tensorwise : f.scalingRecipes.front());
    kernels.castReads = recipe == ScalingRecipe::Tensorwise ? 2 : 1;
    pricer.recipeDtype = training.precision;
    pricer.baseDtype = kernels.casts ? Dtype::Bf16 : training.precision;
    recomputeSets.push_back(workload::recomputeGroups(f.selectiveGroups));
    for (const auto& names : f.otherSelectiveGroups)
        recomputeSets.push_back(workload::recomputeGroups(names));
    if (recomputeSets.size() > kMaxModes - 3) recomputeSets.resize(kMaxModes - 3);
    parameters = workload::countParameters(problem.architecture, training.sequenceLength);
    stragglerShare = f.stragglerPerLogRank * std::log(static_cast<double>(network.ranks()));
    hostMemoryBytesPerSecond =
        system.hostMemoryBandwidth.value() / std::max(1, system.chipsPerHost * perChip);
    hostLinkBytesPerSecond =
        std::min(system.hostLinkBandwidth.value() / perChip, hostMemoryBytesPerSecond);
    if (network.ranks() > 1)
        normSeconds = communicate(Collective::AllReduce, network.ranks(), 1, kNormBytes).seconds;
    for (int layer = 0; layer < problem.architecture.layers; ++layer)
        classUsed[layerClass(problem.architecture, layer)] = true;
    lastClass = layerClass(problem.architecture, problem.architecture.layers - 1);
}

workload::Shard StepEvaluator::Implementation::shard(const Layout& l) const {
    workload::Shard s;
    s.microBatch = l.microBatch;
    s.sequence = problem.training.sequenceLength;
    s.tensor = l.tensor;
    s.context = l.context;
    s.expert = l.expert;
    s.expertTensor = l.tensorOfExperts();
    s.sequenceParallel = l.sequenceParallel && l.tensor > 1;
    const TrainingSpec& training = problem.training;
    // Capacity gives every expert as many slots, filled or not; without it the busiest rank sets
    // the pace.
    s.expertImbalance =
        training.expertCapacityFactor
            ? *training.expertCapacityFactor
            : (l.expert > 1
                   ? training.expertLoadImbalance.value_or(problem.profile.expertLoadImbalance)
                   : 1.0);
    s.contextSplit = splitOf(l.contextExchange);
    s.contextBalanced = problem.profile.contextBalanced;
    return s;
}

StateBytes StepEvaluator::Implementation::statesOf(const Layout& l) const {
    StateBytes s = states(problem.profile, l.sharding);
    if (problem.training.gradientBytes) s.gradients = *problem.training.gradientBytes;
    return s;
}

double StepEvaluator::Implementation::momentBytes(const Layout& l) const {
    const double count = optimizerStates(problem.training.optimizer);
    if (problem.training.optimizerStateBytes) return count * *problem.training.optimizerStateBytes;
    return states(problem.profile, l.sharding).optimizer * count / 2.0;
}

std::size_t StepEvaluator::Implementation::modeOf(const Layout& l) {
    if (l.recompute == Recompute::None) return 0;
    if (l.recompute == Recompute::Full) return 1;
    if (l.recomputeGroups == 0) return 2;
    const auto found = std::find(recomputeSets.begin(), recomputeSets.end(), l.recomputeGroups);
    if (found != recomputeSets.end())
        return 2 + static_cast<std::size_t>(found - recomputeSets.begin());
    // A set that the profile doesn't list: it takes the last place, and what was priced is stale.
    if (recomputeSets.size() == kMaxModes - 2) {
        recomputeSets.back() = l.recomputeGroups;
    } else {
        recomputeSets.push_back(l.recomputeGroups);
    }
    forgetTables();
    return 1 + recomputeSets.size();
}

void StepEvaluator::Implementation::forgetTables() {
    tables.clear();
    lastTable = nullptr;
    lastPipelineKey = {};
}

const ShardTable& StepEvaluator::Implementation::table(const Layout& l) {
    // A set of groups that is new lets go of all tables: not while one of them is in use.
    if (l.recomputeGroups != 0) (void)modeOf(l);
    const bool moe = problem.architecture.moe.has_value();
    const ShardKey key{l.tensor,
                       l.context,
                       l.expert,
                       moe ? l.tensorOfExperts() : 1,
                       l.microBatch,
                       l.sequenceParallel && l.tensor > 1,
                       moe && hidesExperts(l),
                       l.contextExchange,
                       statesOf(l).gradients,
                       l.context > 1 ? rankStride(problem.profile, l, Axis::Context) : 1,
                       moe && l.expert > 1 ? expertStride(l) : 1};
    if (lastTable != nullptr && key == lastKey) return *lastTable;
    auto found = tables.find(key);
    if (found == tables.end()) found = tables.emplace(key, makeTable(l)).first;
    lastKey = key;
    lastTable = found->second.get();
    return *lastTable;
}

std::unique_ptr<ShardTable> StepEvaluator::Implementation::makeTable(const Layout& l) {
    auto t = std::make_unique<ShardTable>();
    const workload::Shard s = shard(l);
    const workload::Architecture& a = problem.architecture;
    const workload::Kernels& kernels = pricer.kernels;
    const double gradientBytes = statesOf(l).gradients;
    const double vocabulary = paddedVocabulary(a, problem.profile, l.tensor);
    t->tokens = s.microBatch * s.sequence / s.context;
    t->layerInput =
        kernels.elementBytes * (s.sequenceParallel ? t->tokens / s.tensor : t->tokens) * a.hidden;
    t->embedding = pricer.cost(workload::embeddingOperators(a, s, kernels), gradientBytes, {});
    t->head = pricer.cost(headOperators(l), gradientBytes, {});
    t->vocabularyParameters = vocabulary * a.hidden / l.tensor;
    const std::size_t modes = 2 + recomputeSets.size();
    for (std::size_t c = 0; c < kClasses; ++c) {
        if (!classUsed[c]) continue;
        const bool moe = c >= 2;
        t->layer[c] = pricer.cost(layerOperators(l, c), gradientBytes, recomputeSets);
        t->comm[c] = layerComm(l, moe);
        layerParameters(*t, l, c);
        const BlockCost& b = t->layer[c];
        for (std::size_t mode = 0; mode < modes; ++mode) {
            t->layerSpan[mode][c] = layerCost(b, t->comm[c], mode).span();
            t->layerKept[mode][c] =
                mode == 0 ? b.keptNone : (mode == 1 ? t->layerInput : b.kept[mode - 2]);
            // While a layer is worked on again, what it had dropped is there.
            t->working[mode][c] = mode == 1 ? b.keptNone : b.keptNone - t->layerKept[mode][c];
        }
    }
    t->embeddingComm = endComm(l, Collective::ReduceScatter);
    t->headComm = endComm(l, Collective::AllGather);
    t->embeddingSpan = endCost(t->embedding, t->embeddingComm).span();
    if (a.multiTokenHeads > 0) {
        t->multiToken =
            pricer.cost(workload::multiTokenOperators(a, s, kernels), gradientBytes, {});
        const double channels = a.hidden;
        t->multiTokenParameters = 2.0 * channels * channels + 3.0 * channels;
    }
    for (std::size_t mode = 0; mode < modes; ++mode) t->tailSpan[mode] = tailCost(*t, mode).span();
    return t;
}

StageCost StepEvaluator::Implementation::endCost(const BlockCost& b, double comm) {
    StageCost cost;
    for (const PhaseCost* phase : {&b.forward, &b.backward}) {
        cost.parts[index(TimePart::Compute)] += phase->compute;
        cost.parts[index(TimePart::Memory)] += phase->memory;
        cost.parts[index(TimePart::Other)] += phase->hostWait();
        cost.flop += phase->flop;
        cost.bytes += phase->bytes;
    }
    cost.parts[index(TimePart::Tensor)] = 2.0 * comm;
    cost.forward = b.forward.busy() + comm;
    cost.backward = b.backward.busy() + comm;
    cost.weightGradient = b.weightGradient;
    return cost;
}

StageCost StepEvaluator::Implementation::tailCost(const ShardTable& table, std::size_t mode) const {
    const int extra = problem.architecture.multiTokenHeads;
    StageCost tail;
    tail.addScaled(endCost(table.head, table.headComm), 1 + extra);
    if (extra > 0) {
        tail.addScaled(layerCost(table.layer[lastClass], table.comm[lastClass], mode), extra);
        tail.addScaled(endCost(table.multiToken, 0), extra);
    }
    return tail;
}

std::vector<workload::Operator> StepEvaluator::Implementation::layerOperators(const Layout& l,
                                                                              std::size_t c) const {
    return workload::layerOperators(problem.architecture,
                                    c >= 2 ? workload::LayerKind::Moe : workload::LayerKind::Dense,
                                    exampleLayer(c), shard(l), pricer.kernels);
}

std::vector<workload::Operator> StepEvaluator::Implementation::headOperators(
    const Layout& l) const {
    return workload::headOperators(
        problem.architecture, paddedVocabulary(problem.architecture, problem.profile, l.tensor),
        shard(l), pricer.kernels);
}

// A layer of the class (bit 0: local attention, bit 1: MoE).
int StepEvaluator::Implementation::exampleLayer(std::size_t which) const {
    int layer = 0;
    while (layer + 1 < problem.architecture.layers &&
           layerClass(problem.architecture, layer) != which)
        ++layer;
    return layer;
}

// ---- communication

Comm StepEvaluator::Implementation::communicate(Collective kind, long ranks, long stride,
                                                double bytes) {
    Comm c;
    c.bytes = bytes;
    c.kind = kind;
    c.ranks = ranks;
    c.stride = stride;
    if (ranks <= 1 || bytes <= 0) return c;
    const GroupKey key{kind, ranks, stride};
    auto found = costs.find(key);
    if (found == costs.end()) {
        found = costs.emplace(key, &network.cost(kind, {static_cast<int>(ranks), stride})).first;
    }
    c.cost = found->second;
    c.seconds = c.cost->time(Bytes(bytes)).value();
    return c;
}

Comm StepEvaluator::Implementation::tensorComm(const Layout& l, Collective kind) {
    const double bytes = pricer.kernels.elementBytes * l.microBatch *
                         problem.training.sequenceLength / l.context * problem.architecture.hidden;
    return communicate(kind, l.tensor, rankStride(problem.profile, l, Axis::Tensor), bytes);
}

// Ring: the key/value block that one step passes on. All-gather: the keys and values of the whole
// sequence. All-to-all: one tensor of the queries' size (queries, keys, values and outputs differ;
// their mean is taken).
Comm StepEvaluator::Implementation::contextComm(const Layout& l) {
    const workload::Architecture& a = problem.architecture;
    const double tokens =
        l.microBatch * static_cast<double>(problem.training.sequenceLength) / l.context;
    const double queries = static_cast<double>(workload::queryChannels(a)) / l.tensor;
    double keys = workload::keyValueChannelsPerRank(a, l.tensor);
    double values = keys;
    if (a.latent) {
        const double heads = static_cast<double>(a.heads) / l.tensor;
        keys = heads * (a.latent->nopeHeadSize + a.latent->ropeHeadSize);
        values = heads * a.latent->valueHeadSize;
    }
    const double e = pricer.kernels.elementBytes;
    const long stride = rankStride(problem.profile, l, Axis::Context);
    switch (l.contextExchange) {
        case ContextExchange::Ring:
            return communicate(Collective::PointToPoint, l.context, stride,
                               e * tokens * (keys + values));
        case ContextExchange::AllGather:
            return communicate(Collective::AllGather, l.context, stride,
                               e * tokens * l.context * (keys + values));
        case ContextExchange::AllToAll: {
            const double outputs = a.latent ? values : queries;
            return communicate(Collective::AllToAll, l.context, stride,
                               e * tokens * (queries + keys + values + outputs) / 4.0);
        }
    }
    return {};
}

std::pair<double, double> StepEvaluator::Implementation::contextCalls(const Layout& l) const {
    switch (l.contextExchange) {
        case ContextExchange::Ring:
            // Backward passes keys, values and their gradients.
            return {l.context - 1.0, 2.0 * (l.context - 1.0)};
        case ContextExchange::AllGather:
            // Backward gathers again and scatters the gradients, which takes as long.
            return {1.0, 2.0};
        case ContextExchange::AllToAll:
            return {4.0, 4.0};
    }
    return {0, 0};
}

long StepEvaluator::Implementation::expertStride(const Layout& l) const {
    switch (problem.profile.expertPlace) {
        case ExpertPlace::OwnGrid:
            return l.tensorOfExperts();
        case ExpertPlace::InsideData:
            return rankStride(problem.profile, l, Axis::Data);
        case ExpertPlace::Outermost:
            return std::max(1L, network.ranks() / l.expert);
    }
    return 1;
}

long StepEvaluator::Implementation::expertReplicas(const Layout& l) const {
    return std::max(1L, static_cast<long>(l.tensor) * l.context * l.data /
                            (static_cast<long>(l.tensorOfExperts()) * l.expert));
}

long StepEvaluator::Implementation::expertReplicaStride(const Layout& l) const {
    if (problem.profile.expertPlace == ExpertPlace::Outermost)
        return rankStride(problem.profile, l, Axis::Data);
    return expertStride(l) * l.expert;
}

ExpertComm StepEvaluator::Implementation::expertComm(const Layout& l) {
    ExpertComm out;
    if (!problem.architecture.moe) return out;
    const workload::MixtureOfExperts& moe = *problem.architecture.moe;
    const SoftwareProfile& f = problem.profile;
    const workload::Shard s = shard(l);
    const double tokens = l.microBatch * static_cast<double>(problem.training.sequenceLength) /
                          l.context / (s.sequenceParallel ? l.tensor : 1);
    const double elements = tokens * problem.architecture.hidden;
    const double copies = moe.topK * s.expertImbalance;
    const long stride = expertStride(l);
    const int te = l.tensorOfExperts();
    const double overlap = problem.cluster.system.fabric.hierarchyOverlap;

    const auto leg = [&](bool back) {
        ExpertLeg r;
        const double e = back ? f.combineBytes : f.dispatchBytes;
        if (f.expertDispatch == ExpertDispatch::AllGather) {
            // Every token goes to every rank of the group, the tensor ranks of an expert included.
            const long group = static_cast<long>(te) * l.expert;
            r.across =
                communicate(back ? Collective::ReduceScatter : Collective::AllGather, group,
                            std::max(1L, stride / te), e * elements * static_cast<double>(group));
            r.seconds = r.across.seconds;
            return r;
        }
        const long perDomain = std::clamp(ranksPerDomain / stride, 1L, static_cast<long>(l.expert));
        const long hosts = l.expert / perDomain;
        if (f.expertDispatch == ExpertDispatch::OncePerHost && hosts > 1) {
            double eligible = static_cast<double>(hosts);
            if (moe.routingGroups > 0 && moe.routedGroups > 0)
                eligible = std::max(1.0, eligible * moe.routedGroups / moe.routingGroups);
            r.across =
                communicate(Collective::AllToAll, hosts, stride * perDomain,
                            e * elements * hostsVisited(eligible, moe.topK) * s.expertImbalance);
            r.inside = communicate(Collective::AllToAll, perDomain, stride, e * elements * copies);
            const double longer = std::max(r.across.seconds, r.inside.seconds);
            const double shorter = std::min(r.across.seconds, r.inside.seconds);
            r.seconds = longer + (1.0 - overlap) * shorter;
        } else {
            r.across = communicate(Collective::AllToAll, l.expert, stride, e * elements * copies);
            r.seconds = r.across.seconds;
        }
        if (te > 1 && s.sequenceParallel) {
            r.gather = communicate(back ? Collective::ReduceScatter : Collective::AllGather, te, 1,
                                   e * elements * copies * te);
            r.seconds += r.gather.seconds;
        }
        return r;
    };
    out.dispatch = leg(false);
    out.combine = leg(true);
    return out;
}

Comm StepEvaluator::Implementation::pipelineComm(const Layout& l) {
    double bytes = pricer.kernels.elementBytes * l.microBatch * problem.training.sequenceLength /
                   l.context * problem.architecture.hidden;
    // Tensor ranks hold the same activations (or a share of them): each sends its part.
    bytes /= l.tensor;
    if (problem.profile.pipelineExchangeDoubled) bytes *= 2.0;
    return communicate(Collective::PointToPoint, l.pipeline,
                       rankStride(problem.profile, l, Axis::Pipeline), bytes);
}

StepEvaluator::Implementation::TensorCalls StepEvaluator::Implementation::tensorCalls(
    const Layout& l, bool moe) const {
    const workload::Architecture& a = problem.architecture;
    double branches = a.parallelBlock ? 1 : 2;
    if (l.sequenceParallel && l.tensor > 1) {
        // Routed experts take their tokens from the share of the sequence that a rank holds; shared
        // ones run like a dense MLP.
        if (moe && a.moe->sharedExperts == 0) branches = 1;
        // Backward gathers the output gradients, and the saved inputs again for the weight
        // gradients.
        return {Collective::AllGather,
                Collective::ReduceScatter,
                branches,
                branches,
                2 * branches,
                branches};
    }
    return {Collective::AllReduce, Collective::AllReduce, 0, branches, 0, branches};
}

LayerComm StepEvaluator::Implementation::layerComm(const Layout& l, bool moe) {
    LayerComm c;
    if (l.tensor > 1) {
        const TensorCalls calls = tensorCalls(l, moe);
        const double gather = tensorComm(l, calls.gather).seconds;
        const double scatter = tensorComm(l, calls.scatter).seconds;
        c.tensorForward = calls.gatherForward * gather + calls.scatterForward * scatter;
        c.tensorBackward = calls.gatherBackward * gather + calls.scatterBackward * scatter;
    }
    if (l.context > 1) {
        const double one = contextComm(l).seconds;
        const auto [forward, backward] = contextCalls(l);
        c.contextForward = forward * one;
        c.contextBackward = backward * one;
        // Only the ring's next block is on its way while the kernel works on the last one.
        c.contextHides = l.contextExchange == ContextExchange::Ring;
    }
    if (moe && (l.expert > 1 || l.tensorOfExperts() > 1)) {
        const double exchange = expertComm(l).roundTrip();
        c.expertForward = exchange;
        c.expertBackward = exchange;
        c.expertHides = hidesExperts(l);
    }
    return c;
}

// The embedding's output is scattered and the head's input gathered over the tensor group.
double StepEvaluator::Implementation::endComm(const Layout& l, Collective withSequenceParallel) {
    if (l.tensor <= 1) return 0;
    return tensorComm(l, l.sequenceParallel ? withSequenceParallel : Collective::AllReduce).seconds;
}

// ---- parameters of one layer on one rank

void StepEvaluator::Implementation::layerParameters(ShardTable& table, const Layout& l,
                                                    std::size_t c) const {
    const workload::Architecture& a = problem.architecture;
    const double t = l.tensor;
    double attention = parameters.attentionPerLayer / t;
    // Copies of key and value heads that t outnumbers are stored, or put together when needed.
    if (!a.latent && (problem.profile.keyValueReplicasStored || l.tensor <= a.keyValueHeads)) {
        const double kv = 2.0 * a.hidden * static_cast<double>(workload::keyValueChannels(a));
        attention = (parameters.attentionPerLayer - kv) / t +
                    2.0 * a.hidden * workload::keyValueChannelsPerRank(a, l.tensor);
    }
    table.denseParameters[c] = attention + parameters.normsPerLayer;
    if (c < 2) {
        table.denseParameters[c] += parameters.denseMlpPerLayer / t;
        return;
    }
    const double oneExpert =
        (a.gatedMlp ? 3.0 : 2.0) * a.hidden * static_cast<double>(a.moe->expertFfn);
    table.denseParameters[c] +=
        a.moe->sharedExperts * oneExpert / t + static_cast<double>(a.hidden) * a.moe->experts;
    table.expertParameters[c] =
        oneExpert * a.moe->experts / (static_cast<double>(l.expert) * l.tensorOfExperts());
}

// ---- time of one layer

struct StepEvaluator::Implementation::Exposed {
    double tensor = 0, context = 0, expert = 0, hidden = 0, tax = 0;
    [[nodiscard]] double total() const { return tensor + context + expert + tax; }
};

StepEvaluator::Implementation::Exposed StepEvaluator::Implementation::expose(const PhaseCost& busy,
                                                                             const LayerComm& comm,
                                                                             bool backward) const {
    const SoftwareProfile& f = problem.profile;
    const double tensor = backward ? comm.tensorBackward : comm.tensorForward;
    const double context = backward ? comm.contextBackward : comm.contextForward;
    const double expert = backward ? comm.expertBackward : comm.expertForward;
    const double hiddenTensor = std::min(f.tensorOverlap * tensor, busy.gemm);
    const double hiddenContext = comm.contextHides ? std::min(context, busy.attention) : 0.0;
    // Another micro-batch's work hides the exchange: whatever of it hides nothing else.
    const double hiddenExpert =
        std::clamp(comm.expertHides ? f.expertOverlap * expert : 0.0, 0.0,
                   std::max(0.0, busy.busy() - hiddenTensor - hiddenContext));
    Exposed e;
    e.tensor = tensor - hiddenTensor;
    e.context = context - hiddenContext;
    e.expert = expert - hiddenExpert;
    e.hidden = hiddenTensor + hiddenContext + hiddenExpert;
    if (!problem.cluster.system.chip.compute.dedicatedCollectiveEngines)
        e.tax = f.overlapComputeTax * e.hidden;
    return e;
}

std::pair<std::array<double, 3>, std::array<double, 3>>
StepEvaluator::Implementation::exposedShares(const BlockCost& b, const LayerComm& comm) const {
    const Exposed f = expose(b.forward, comm, false);
    const Exposed r = expose(b.backward, comm, true);
    return {{f.tensor, f.context, f.expert}, {r.tensor, r.context, r.expert}};
}

StageCost StepEvaluator::Implementation::layerCost(const BlockCost& b, const LayerComm& comm,
                                                   std::size_t mode) const {
    StageCost layer;
    const auto addBusy = [&](const PhaseCost& c) {
        layer.parts[index(TimePart::Compute)] += c.compute;
        layer.parts[index(TimePart::Memory)] += c.memory;
        layer.flop += c.flop;
        layer.bytes += c.bytes;
    };
    const auto addExposed = [&](const Exposed& e) {
        layer.parts[index(TimePart::Tensor)] += e.tensor;
        layer.parts[index(TimePart::Context)] += e.context;
        layer.parts[index(TimePart::Expert)] += e.expert;
        layer.parts[index(TimePart::Compute)] += e.tax;
        layer.hidden += e.hidden;
    };
    // Launches go on while these collectives run; the exchange of tokens makes the host wait, too.
    const auto collectives = [](const Exposed& e) { return e.tensor + e.context; };
    const Exposed forward = expose(b.forward, comm, false);
    const Exposed backward = expose(b.backward, comm, true);
    addBusy(b.forward);
    addExposed(forward);
    addBusy(b.backward);
    addExposed(backward);
    const double waitForward = b.forward.hostWait(collectives(forward));
    double waitBackward = b.backward.hostWait(collectives(backward));
    layer.forward = b.forward.device() + waitForward + forward.total();
    layer.weightGradient = b.weightGradient;
    double again = 0;
    const auto rerun = [&](const PhaseCost& c, double alongside, double exposed) {
        // A layer is worked on again right before its backward pass: what either is short of
        // launches the other's work gives time for.
        const double both = std::max(0.0, b.backward.host + c.host - b.backward.device() -
                                              c.device() - collectives(backward) - alongside);
        again = c.device() + exposed + std::max(0.0, both - waitBackward);
        waitBackward = std::min(waitBackward, both);
        layer.flop += c.flop;
        layer.bytes += c.bytes;
    };
    if (mode == 1) {
        rerun(b.forward, collectives(forward), forward.total());
        layer.hidden += forward.hidden;
    } else if (mode >= 2) {
        // Tokens go to their experts a second time.
        const bool toExperts = (recomputeSets[mode - 2] & workload::kMoe) != 0;
        rerun(b.again[mode - 2], 0, toExperts ? forward.expert : 0);
    }
    layer.parts[index(TimePart::Other)] += waitForward + waitBackward;
    layer.backward = b.backward.device() + waitBackward + backward.total() + again;
    layer.parts[index(TimePart::Recompute)] += again;
    return layer;
}

}  // namespace trainwright::layout
