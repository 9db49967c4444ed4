// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/step.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

#include "model/machine/roofline.h"
#include "model/network/network.h"
#include "model/workload/flops.h"
#include "model/workload/operators.h"

namespace trainwright::layout {

namespace {

using machine::Dtype;
using units::Bytes;
using units::Seconds;
using workload::Operator;

constexpr std::size_t kModes = 3;    // recompute modes
constexpr std::size_t kClasses = 4;  // kinds of layer

constexpr std::size_t index(TimePart p) {
    return static_cast<std::size_t>(p);
}
constexpr std::size_t index(MemoryKind k) {
    return static_cast<std::size_t>(k);
}

// What one phase of one layer costs a rank, for one micro-batch.
struct PhaseCost {
    double compute = 0;    // seconds of operators that arithmetic (or their launch) limits
    double memory = 0;     // seconds of operators that HBM limits
    double hostWait = 0;   // seconds that the host's launches add beyond these
    double attention = 0;  // of them, seconds in the attention kernel
    double gemm = 0;       // and in matrix products, whatever limits them
    double kernels = 0;
    double flop = 0;
    double bytes = 0;

    [[nodiscard]] double busy() const { return compute + memory + hostWait; }
    PhaseCost& operator+=(const PhaseCost& o) {
        compute += o.compute;
        memory += o.memory;
        hostWait += o.hostWait;
        attention += o.attention;
        gemm += o.gemm;
        kernels += o.kernels;
        flop += o.flop;
        bytes += o.bytes;
        return *this;
    }
};

// Operators of a layer (or of the embedding, or of the head) with what they cost in each phase.
struct BlockCost {
    std::vector<Operator> operators;
    PhaseCost forward, backward, selective;
    double keptNone = 0, keptSelective = 0;
};

struct OperatorPhase {
    Phase phase = Phase::Forward;
    double flop = 0, bytes = 0, seconds = 0;
    double m = 0, n = 0, k = 0;
    double kernels = 1;
    machine::Limit limit = machine::Limit::Compute;
};

// Up to three phases of one operator, without touching the heap.
struct Phases {
    std::array<OperatorPhase, 3> items;
    std::size_t count = 0;
    void push_back(const OperatorPhase& p) { items[count++] = p; }
    [[nodiscard]] const OperatorPhase* begin() const { return items.data(); }
    [[nodiscard]] const OperatorPhase* end() const { return items.data() + count; }
};

// Seconds of one use of a collective, and which it was.
struct Comm {
    double seconds = 0;
    const network::CollectiveCost* cost = nullptr;
    double bytes = 0;
};

// Communication of one layer and micro-batch, before overlap.
struct LayerComm {
    double tensorForward = 0, tensorBackward = 0;
    double contextForward = 0, contextBackward = 0;
    double expertForward = 0, expertBackward = 0;
};

// One stage's time for one micro-batch.
struct Span {
    double forward = 0, backward = 0;
    [[nodiscard]] double total() const { return forward + backward; }
};

// The same, split into the parts of a step.
struct StageCost {
    std::array<double, kTimePartCount> parts{};
    double forward = 0, backward = 0, hidden = 0;
    double flop = 0, bytes = 0;
    [[nodiscard]] double total() const { return forward + backward; }
    void addScaled(const StageCost& o, double factor) {
        for (std::size_t i = 0; i < parts.size(); ++i) parts[i] += factor * o.parts[i];
        forward += factor * o.forward;
        backward += factor * o.backward;
        hidden += factor * o.hidden;
        flop += factor * o.flop;
        bytes += factor * o.bytes;
    }
};

// Stages of a pipeline that cost the same: as many layers of each kind, and the same ends.
struct StageGroup {
    StageLayers layers;
    int firstStage = 0;  // of those in the group, the one with the most micro-batches in flight
    int count = 0;
    bool first = false, last = false;
};

struct Placement {
    std::vector<StageLayers> stages;
    std::vector<StageGroup> groups;
};

// Everything that layouts of one shard have in common.
struct ShardTable {
    std::array<BlockCost, kClasses> layer;
    BlockCost embedding, head;
    std::array<LayerComm, kClasses> comm;
    std::array<std::array<StageCost, kClasses>, kModes> layerCost;  // of one layer and micro-batch
    StageCost embeddingCost, headCost;
    std::array<std::array<double, kClasses>, kModes> layerKept{};
    std::array<std::array<double, kClasses>, kModes> working{};
    double layerInput = 0, tokens = 0;
    std::array<double, kClasses> denseParameters{},
        expertParameters{};  // of one layer, on one rank
    double vocabularyParameters = 0;
};

unsigned groupsOf(const SoftwareProfile& p) {
    unsigned groups = workload::kNoGroup;
    for (const std::string& g : p.selectiveGroups) {
        if (g == "core_attention") groups |= workload::kCoreAttention;
        if (g == "norm") groups |= workload::kNorm;
        if (g == "mlp_activation") groups |= workload::kMlpActivation;
        if (g == "mlp") groups |= workload::kMlp;
        if (g == "moe") groups |= workload::kMoe;
    }
    return groups;
}

double optimizerShare(Optimizer o) {
    // AdamW keeps two moments a parameter; momentum SGD and Muon one; Adafactor a row and a column
    // only.
    switch (o) {
        case Optimizer::AdamW:
            return 1.0;
        case Optimizer::Sgd:
        case Optimizer::Muon:
            return 0.5;
        case Optimizer::Adafactor:
            return 0.0;
    }
    return 1.0;
}

// What operator times and kept bytes depend on.
struct ShardKey {
    int tensor = 0, context = 0, expert = 0, microBatch = 0;
    bool sequenceParallel = false;
    double gradientBytes = 0;  // of the accumulator that weight gradients are added to
    friend bool operator==(const ShardKey&, const ShardKey&) = default;
};

struct GroupKey {
    network::Collective kind{};
    long ranks = 0, stride = 0;
    friend bool operator==(const GroupKey&, const GroupKey&) = default;
};

struct KeyHash {
    static std::size_t mix(std::size_t seed, std::size_t v) {
        return (seed ^ (v + 0x9e3779b97f4a7c15ULL + (seed << 6U) + (seed >> 2U))) *
               0xff51afd7ed558ccdULL;
    }
    std::size_t operator()(const ShardKey& k) const {
        std::size_t h =
            mix(static_cast<std::size_t>(k.tensor), static_cast<std::size_t>(k.context));
        h = mix(h, static_cast<std::size_t>(k.expert));
        h = mix(h, static_cast<std::size_t>(k.microBatch));
        return mix(h, (k.sequenceParallel ? 64U : 0U) + static_cast<std::size_t>(k.gradientBytes));
    }
    std::size_t operator()(const GroupKey& k) const {
        return mix(mix(static_cast<std::size_t>(k.kind), static_cast<std::size_t>(k.ranks)),
                   static_cast<std::size_t>(k.stride));
    }
};

}  // namespace

struct StepEvaluator::Implementation {
    Implementation(const StepProblem& p, const network::Network& net) : problem(p), network(net) {
        const machine::ChipSpec& chip = problem.cluster.system.chip;
        perChip = ranksPerChip(problem.profile, chip);
        rank = machine::rankOf(chip, perChip, problem.profile.computeSustained);
        const SoftwareProfile& f = problem.profile;
        kernels.flashAttention = f.flashAttention;
        kernels.causalSkipping = f.causalSkipping;
        kernels.fusedSoftmax = f.fusedSoftmax;
        kernels.fusedNormResidual = f.fusedNormResidual;
        kernels.fusedCrossEntropy = f.fusedCrossEntropy;
        kernels.keyValueRepeated = f.keyValueRepeatedForAttention;
        kernels.dropout = f.dropout;
        kernels.logitsBytesKept = f.logitsBytesKept;
        kernels.casts =
            problem.training.precision == Dtype::Fp8 || problem.training.precision == Dtype::Fp4;
        selectiveGroups = groupsOf(f);
        baseDtype = kernels.casts ? Dtype::Bf16 : problem.training.precision;
        parameters =
            workload::countParameters(problem.architecture, problem.training.sequenceLength);
        stragglerShare =
            problem.profile.stragglerPerLogRank * std::log(static_cast<double>(network.ranks()));
        for (int layer = 0; layer < problem.architecture.layers; ++layer)
            classUsed[layerClass(problem.architecture, layer)] = true;
    }

    // ---- operators
    // ------------------------------------------------------------------------------------

    [[nodiscard]] workload::Shard shard(const Layout& l) const {
        workload::Shard s;
        s.microBatch = l.microBatch;
        s.sequence = problem.training.sequenceLength;
        s.tensor = l.tensor;
        s.context = l.context;
        s.expert = l.expert;
        s.expertTensor = l.tensor;
        s.sequenceParallel = l.sequenceParallel && l.tensor > 1;
        return s;
    }

    [[nodiscard]] Dtype dtypeOf(const Operator& o) const {
        return o.recipeDtype ? problem.training.precision : baseDtype;
    }

    // The phases of one operator; a GEMM with weights has two backward ones.
    [[nodiscard]] Phases phases(const Operator& o, double gradientBytes) const {
        Phases out;
        const auto gemm = [&](Phase phase, double m, double n, double k, double outputBytes) {
            const double in = machine::bytesPerElement(dtypeOf(o));
            OperatorPhase p;
            p.phase = phase;
            p.m = m;
            p.n = n;
            p.k = k;
            p.flop = 2.0 * m * n * k * o.count;
            p.bytes = machine::gemmBytes(m, n, k, o.count, in, outputBytes);
            const machine::OperatorTime t =
                machine::gemmTime(rank, dtypeOf(o), m, n, k, o.count, in, outputBytes);
            p.seconds = t.seconds;
            p.limit = t.limit;
            out.push_back(p);
        };
        switch (o.kind) {
            case workload::OperatorKind::Gemm:
                gemm(Phase::Forward, o.m, o.n, o.k, kernels.elementBytes);
                gemm(Phase::BackwardInput, o.m, o.k, o.n, kernels.elementBytes);
                // A weight gradient is added to the accumulator that is kept over micro-batches.
                gemm(Phase::BackwardWeight, o.k, o.n, o.m,
                     o.trained ? 2.0 * gradientBytes : kernels.elementBytes);
                break;
            case workload::OperatorKind::Attention:
                for (bool backward : {false, true}) {
                    OperatorPhase p;
                    p.phase = backward ? Phase::BackwardInput : Phase::Forward;
                    p.flop = backward ? o.backwardFlop : o.forwardFlop;
                    p.bytes = backward ? o.backwardBytes : o.forwardBytes;
                    p.kernels = backward ? o.backwardKernels : o.forwardKernels;
                    const machine::OperatorTime t =
                        machine::attentionTime(rank, baseDtype, backward, p.flop, p.bytes,
                                               o.attentionSpan, o.independentTiles);
                    p.seconds = t.seconds;
                    p.limit = t.limit;
                    out.push_back(p);
                }
                break;
            case workload::OperatorKind::Vector:
                for (bool backward : {false, true}) {
                    OperatorPhase p;
                    p.phase = backward ? Phase::BackwardInput : Phase::Forward;
                    p.bytes = backward ? o.backwardBytes : o.forwardBytes;
                    p.kernels = backward ? o.backwardKernels : o.forwardKernels;
                    const machine::OperatorTime t = machine::vectorTime(rank, p.bytes, p.kernels);
                    p.seconds = t.seconds;
                    p.limit = t.limit;
                    out.push_back(p);
                }
                break;
        }
        return out;
    }

    static void add(PhaseCost& to, const OperatorPhase& p, workload::OperatorKind kind) {
        (p.limit == machine::Limit::Memory ? to.memory : to.compute) += p.seconds;
        if (kind == workload::OperatorKind::Attention) to.attention += p.seconds;
        if (kind == workload::OperatorKind::Gemm) to.gemm += p.seconds;
        to.kernels += p.kernels;
        to.flop += p.flop;
        to.bytes += p.bytes;
    }

    void addHostWait(PhaseCost& c) const {
        // Launches run ahead of the device until there are too many of them for the work they
        // carry.
        c.hostWait = std::max(
            0.0, c.kernels * problem.profile.hostLaunchPerKernel.value() - c.compute - c.memory);
    }

    [[nodiscard]] BlockCost cost(std::vector<Operator> operators, double gradientBytes) const {
        BlockCost b;
        for (const Operator& o : operators) {
            for (const OperatorPhase& p : phases(o, gradientBytes)) {
                if (p.phase == Phase::Forward) {
                    add(b.forward, p, o.kind);
                    if ((o.rerunIn & selectiveGroups) != 0) add(b.selective, p, o.kind);
                } else {
                    add(b.backward, p, o.kind);
                }
            }
        }
        addHostWait(b.forward);
        addHostWait(b.backward);
        addHostWait(b.selective);
        b.keptNone = workload::keptBytes(operators, workload::kNoGroup);
        b.keptSelective = workload::keptBytes(operators, selectiveGroups);
        b.operators = std::move(operators);
        return b;
    }

    const ShardTable& table(const Layout& l) {
        const ShardKey key{l.tensor,
                           l.context,
                           l.expert,
                           l.microBatch,
                           l.sequenceParallel && l.tensor > 1,
                           states(problem.profile, l.sharding).gradients};
        if (lastTable != nullptr && key == lastKey) return *lastTable;
        auto found = tables.find(key);
        if (found == tables.end()) found = tables.emplace(key, makeTable(l)).first;
        lastKey = key;
        lastTable = found->second.get();
        return *lastTable;
    }

    std::unique_ptr<ShardTable> makeTable(const Layout& l) {
        auto t = std::make_unique<ShardTable>();
        const workload::Shard s = shard(l);
        const workload::Architecture& a = problem.architecture;
        const double gradientBytes = states(problem.profile, l.sharding).gradients;
        const double vocabulary = paddedVocabulary(a, problem.profile, l.tensor);
        t->tokens = s.microBatch * s.sequence / s.context;
        t->layerInput = kernels.elementBytes *
                        (s.sequenceParallel ? t->tokens / s.tensor : t->tokens) * a.hidden;
        t->embedding = cost(workload::embeddingOperators(a, s, kernels), gradientBytes);
        t->head = cost(workload::headOperators(a, vocabulary, s, kernels), gradientBytes);
        t->vocabularyParameters = vocabulary * a.hidden / l.tensor;
        for (std::size_t c = 0; c < kClasses; ++c) {
            if (!classUsed[c]) continue;
            const bool moe = c >= 2;
            t->layer[c] = cost(workload::layerOperators(
                                   a, moe ? workload::LayerKind::Moe : workload::LayerKind::Dense,
                                   exampleLayer(c), s, kernels),
                               gradientBytes);
            t->comm[c] = layerComm(l, moe);
            layerParameters(*t, l, c);
            for (std::size_t mode = 0; mode < kModes; ++mode) {
                const auto recompute = static_cast<Recompute>(mode);
                t->layerCost[mode][c] = layerCost(t->layer[c], t->comm[c], recompute);
                const BlockCost& b = t->layer[c];
                switch (recompute) {
                    case Recompute::None:
                        t->layerKept[mode][c] = b.keptNone;
                        break;
                    case Recompute::Selective:
                        t->layerKept[mode][c] = b.keptSelective;
                        t->working[mode][c] = b.keptNone - b.keptSelective;
                        break;
                    case Recompute::Full:
                        t->layerKept[mode][c] = t->layerInput;
                        t->working[mode][c] = b.keptNone;
                        break;
                }
            }
        }
        addEnd(t->embeddingCost, t->embedding, endComm(l, network::Collective::ReduceScatter));
        addEnd(t->headCost, t->head, endComm(l, network::Collective::AllGather));
        return t;
    }

    // A layer of the class (bit 0: local attention, bit 1: MoE).
    [[nodiscard]] int exampleLayer(std::size_t which) const {
        int layer = 0;
        while (layer + 1 < problem.architecture.layers &&
               layerClass(problem.architecture, layer) != which)
            ++layer;
        return layer;
    }

    // ---- communication
    // --------------------------------------------------------------------------------

    Comm communicate(network::Collective kind, long ranks, long stride, double bytes) {
        Comm c;
        c.bytes = bytes;
        if (ranks <= 1 || bytes <= 0) return c;
        const GroupKey key{kind, ranks, stride};
        auto found = costs.find(key);
        if (found == costs.end()) {
            found =
                costs.emplace(key, &network.cost(kind, {static_cast<int>(ranks), stride})).first;
        }
        c.cost = found->second;
        c.seconds = c.cost->time(Bytes(bytes)).value();
        return c;
    }

    Comm tensorComm(const Layout& l, network::Collective kind) {
        const double bytes = kernels.elementBytes * l.microBatch * problem.training.sequenceLength /
                             l.context * problem.architecture.hidden;
        return communicate(kind, l.tensor, rankStride(problem.profile, l, Axis::Tensor), bytes);
    }

    // Key/value blocks that one step of the ring passes on.
    Comm contextComm(const Layout& l) {
        const double tokens =
            l.microBatch * static_cast<double>(problem.training.sequenceLength) / l.context;
        const double bytes = 2.0 * kernels.elementBytes * tokens *
                             workload::keyValueChannelsPerRank(problem.architecture, l.tensor);
        return communicate(network::Collective::PointToPoint, l.context,
                           rankStride(problem.profile, l, Axis::Context), bytes);
    }

    Comm expertComm(const Layout& l) {
        if (!problem.architecture.moe) return {};
        const double tokens = l.microBatch * static_cast<double>(problem.training.sequenceLength) /
                              l.context / (l.sequenceParallel ? l.tensor : 1);
        const double bytes = kernels.elementBytes * tokens * problem.architecture.moe->topK *
                             problem.architecture.hidden;
        return communicate(network::Collective::AllToAll, l.expert,
                           rankStride(problem.profile, l, Axis::Expert), bytes);
    }

    // Collectives of the tensor group for one layer: how often each runs.
    struct TensorCalls {
        network::Collective gather, scatter;
        double gatherForward, scatterForward, gatherBackward, scatterBackward;
    };
    [[nodiscard]] TensorCalls tensorCalls(const Layout& l) const {
        const double branches = problem.architecture.parallelBlock ? 1 : 2;
        if (l.sequenceParallel && l.tensor > 1) {
            // Backward gathers the output gradients, and the saved inputs again for the weight
            // gradients.
            return {network::Collective::AllGather,
                    network::Collective::ReduceScatter,
                    branches,
                    branches,
                    2 * branches,
                    branches};
        }
        return {network::Collective::AllReduce,
                network::Collective::AllReduce,
                0,
                branches,
                0,
                branches};
    }

    LayerComm layerComm(const Layout& l, bool moe) {
        LayerComm c;
        if (l.tensor > 1) {
            const TensorCalls calls = tensorCalls(l);
            const double gather = tensorComm(l, calls.gather).seconds;
            const double scatter = tensorComm(l, calls.scatter).seconds;
            c.tensorForward = calls.gatherForward * gather + calls.scatterForward * scatter;
            c.tensorBackward = calls.gatherBackward * gather + calls.scatterBackward * scatter;
        }
        if (l.context > 1) {
            const double step = contextComm(l).seconds;
            c.contextForward = (l.context - 1) * step;
            c.contextBackward = 2.0 * (l.context - 1) * step;
        }
        if (moe && l.expert > 1) {
            const double exchange = expertComm(l).seconds;
            c.expertForward = 2.0 * exchange;
            c.expertBackward = 2.0 * exchange;
        }
        return c;
    }

    // ---- parameters and states
    // ------------------------------------------------------------------------

    struct StageParameters {
        double dense = 0;   // on one rank
        double expert = 0;  // routed experts on one rank
        double layer = 0;   // of one layer, the largest kind
        [[nodiscard]] double total() const { return dense + expert; }
    };

    void layerParameters(ShardTable& table, const Layout& l, std::size_t c) const {
        const workload::Architecture& a = problem.architecture;
        const double t = l.tensor;
        double attention = parameters.attentionPerLayer / t;
        if (!a.latent) {
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
            oneExpert * a.moe->experts / (static_cast<double>(l.expert) * t);
    }

    [[nodiscard]] StageParameters stageParameters(const ShardTable& table,
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
            s.dense += parameters.finalNorm;
            // A tied head lives on the first stage too; with a pipeline the last one holds a copy.
            if (!problem.architecture.tiedEmbeddings || !group.first)
                s.dense += table.vocabularyParameters;
        }
        return s;
    }

    [[nodiscard]] static double denseShards(const Layout& l) {
        return static_cast<double>(l.data) * l.context;
    }
    [[nodiscard]] static double expertShards(const Layout& l) {
        return std::max(1.0, static_cast<double>(l.data) * l.context / l.expert);
    }

    // Sum over dense and expert parameters of `bytes` each, divided by their groups when sharded.
    [[nodiscard]] static double shardedBytes(const StageParameters& s, double bytes, bool sharded,
                                             const Layout& l) {
        if (!sharded) return s.total() * bytes;
        return s.dense * bytes / denseShards(l) + s.expert * bytes / expertShards(l);
    }

    // ---- memory
    // ---------------------------------------------------------------------------------------

    [[nodiscard]] static double inFlight(const Layout& l, int stage) {
        const double m = static_cast<double>(l.microBatches);
        const double p = l.pipeline;
        switch (l.schedule) {
            case Schedule::GPipe:
                return m;
            case Schedule::OneForwardOneBackward:
            case Schedule::ZeroBubble:
                return std::min(m, p - stage);
            case Schedule::DualPipe:
                return std::min(m, p + 1);
            case Schedule::Interleaved: {
                const double v = l.virtualStages;
                const double chunks = 2.0 * (p - stage - 1) + (v - 1) * p + 1;
                return std::min(m * v, chunks) / v;
            }
        }
        return 1;
    }

    StageMemory stageMemory(const Layout& l, const ShardTable& table, const StageGroup& group,
                            int stage) const {
        const SoftwareProfile& f = problem.profile;
        const StateBytes& state = states(f, l.sharding);
        const StageParameters own = stageParameters(table, group);
        StageMemory memory;
        memory.stage = stage;
        memory.microBatchesInFlight = inFlight(l, stage);
        const auto set = [&](MemoryKind k, double bytes) {
            memory.byKind[index(k)] = Bytes(bytes);
        };
        set(MemoryKind::Weights, shardedBytes(own, state.weights, state.weightsSharded, l));
        set(MemoryKind::Gradients, shardedBytes(own, state.gradients, state.gradientsSharded, l));
        set(MemoryKind::Optimizer,
            shardedBytes(own, state.master, state.masterSharded, l) +
                shardedBytes(own, state.optimizer * optimizerShare(problem.training.optimizer),
                             state.optimizerSharded, l));
        const std::size_t mode = static_cast<std::size_t>(l.recompute);
        double perMicroBatch = group.first ? table.embedding.keptNone : 0.0;
        double working = 0;
        for (std::size_t c = 0; c < kClasses; ++c) {
            const int n = group.layers.byClass[c];
            if (n == 0) continue;
            perMicroBatch += n * table.layerKept[mode][c];
            working = std::max(working, table.working[mode][c]);
        }
        set(MemoryKind::Activations, perMicroBatch * memory.microBatchesInFlight + working);
        if (group.last) set(MemoryKind::Logits, table.head.keptNone);

        double buffers = 0;
        if (l.sharding == Sharding::Zero3) {
            // Two gathered layers, one layer's gradients and the input of their reduction.
            buffers += own.layer *
                       (2.0 * f.weightGatherBytes + f.weightGatherBytes + f.gradientReduceBytes);
        } else if (f.bucketBytes > 0 && denseShards(l) > 1) {
            buffers += std::min(f.bucketBytes, own.total() * f.gradientReduceBytes);
        }
        if (l.tensor > 1)
            buffers += 2.0 * kernels.elementBytes * table.tokens * problem.architecture.hidden;
        if (l.pipeline > 1) buffers += 2.0 * table.layerInput;
        set(MemoryKind::Buffers, buffers);
        set(MemoryKind::Reserve, f.runtimeReserve.value() + f.fragmentation * rank.hbmBytes);
        return memory;
    }

    const Placement& placement(const Layout& l) {
        const std::pair<int, int> key{l.pipeline, l.virtualStages};
        if (lastPlacement != nullptr && key == lastPlacementKey) return *lastPlacement;
        auto found = placements.find(key);
        if (found == placements.end()) {
            Placement p;
            p.stages =
                placeLayers(problem.architecture, problem.profile, l.pipeline, l.virtualStages);
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
            }
            found = placements.emplace(key, std::move(p)).first;
        }
        lastPlacementKey = key;
        lastPlacement = &found->second;
        return found->second;
    }

    [[nodiscard]] Bytes usable() const {
        return Bytes(rank.hbmBytes * (1.0 - problem.memoryHeadroom));
    }

    // Of the fullest stage, for the search.
    double peakMemory(const Layout& l) {
        const ShardTable& shared = table(l);
        double peak = 0;
        for (const StageGroup& g : placement(l).groups) {
            peak = std::max(peak, stageMemory(l, shared, g, g.firstStage).total().value());
        }
        return peak;
    }

    MemoryResult memory(const Layout& l, bool all) {
        MemoryResult r;
        r.capacity = Bytes(rank.hbmBytes);
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
                const StageGroup g{placed.stages[static_cast<std::size_t>(i)], i, 1, i == 0,
                                   i == last};
                r.stages.push_back(stageMemory(l, shared, g, i));
            }
        }
        return r;
    }

    // ---- time
    // -----------------------------------------------------------------------------------------

    // Adds `n` layers' phase to the stage: busy time to compute and memory (or all to recompute),
    // and the communication that overlap doesn't hide.
    struct Exposed {
        double tensor = 0, context = 0, expert = 0, hidden = 0, tax = 0;
        [[nodiscard]] double total() const { return tensor + context + expert + tax; }
    };
    [[nodiscard]] Exposed expose(const PhaseCost& busy, double tensor, double context,
                                 double expert) const {
        const SoftwareProfile& f = problem.profile;
        Exposed e;
        const double hiddenTensor = std::min(f.tensorOverlap * tensor, busy.gemm);
        const double hiddenContext = std::min(context, busy.attention);
        e.tensor = tensor - hiddenTensor;
        e.context = context - hiddenContext;
        e.expert = expert;
        e.hidden = hiddenTensor + hiddenContext;
        if (!problem.cluster.system.chip.compute.dedicatedCollectiveEngines)
            e.tax = f.overlapComputeTax * e.hidden;
        return e;
    }

    static void addBusy(StageCost& stage, const PhaseCost& c) {
        stage.parts[index(TimePart::Compute)] += c.compute;
        stage.parts[index(TimePart::Memory)] += c.memory;
        stage.parts[index(TimePart::Other)] += c.hostWait;
        stage.flop += c.flop;
        stage.bytes += c.bytes;
    }

    static void addExposed(StageCost& stage, const Exposed& e) {
        stage.parts[index(TimePart::Tensor)] += e.tensor;
        stage.parts[index(TimePart::Context)] += e.context;
        stage.parts[index(TimePart::Expert)] += e.expert;
        stage.parts[index(TimePart::Compute)] += e.tax;
        stage.hidden += e.hidden;
    }

    [[nodiscard]] StageCost layerCost(const BlockCost& b, const LayerComm& comm,
                                      Recompute recompute) const {
        StageCost layer;
        const Exposed f =
            expose(b.forward, comm.tensorForward, comm.contextForward, comm.expertForward);
        const Exposed r =
            expose(b.backward, comm.tensorBackward, comm.contextBackward, comm.expertBackward);
        addBusy(layer, b.forward);
        addExposed(layer, f);
        addBusy(layer, b.backward);
        addExposed(layer, r);
        layer.forward = b.forward.busy() + f.total();
        layer.backward = b.backward.busy() + r.total();
        double again = 0;
        if (recompute == Recompute::Full) {
            again = layer.forward;
            layer.flop += b.forward.flop;
            layer.bytes += b.forward.bytes;
            layer.hidden += f.hidden;
        } else if (recompute == Recompute::Selective) {
            again = b.selective.busy();
            layer.flop += b.selective.flop;
            layer.bytes += b.selective.bytes;
        }
        layer.parts[index(TimePart::Recompute)] += again;
        layer.backward += again;
        return layer;
    }

    [[nodiscard]] static StageCost stageCost(const ShardTable& table, const StageGroup& group,
                                             Recompute recompute) {
        StageCost stage;
        for (std::size_t c = 0; c < kClasses; ++c) {
            const int n = group.layers.byClass[c];
            if (n > 0) stage.addScaled(table.layerCost[static_cast<std::size_t>(recompute)][c], n);
        }
        if (group.first) stage.addScaled(table.embeddingCost, 1);
        if (group.last) stage.addScaled(table.headCost, 1);
        return stage;
    }

    // The embedding's output is scattered and the head's input gathered over the tensor group.
    double endComm(const Layout& l, network::Collective withSequenceParallel) {
        if (l.tensor <= 1) return 0;
        return tensorComm(
                   l, l.sequenceParallel ? withSequenceParallel : network::Collective::AllReduce)
            .seconds;
    }

    static void addEnd(StageCost& stage, const BlockCost& b, double comm) {
        addBusy(stage, b.forward);
        addBusy(stage, b.backward);
        stage.parts[index(TimePart::Tensor)] += 2.0 * comm;
        stage.forward += b.forward.busy() + comm;
        stage.backward += b.backward.busy() + comm;
    }

    // Data-parallel traffic of one step on the busiest stage.
    // The gradients and weights of one kind of parameters and the replicas that share them.
    struct DataFlow {
        long group = 1, stride = 1;
        double reduceCalls = 0, gatherCalls = 0;
        double reduceBytes = 0, gatherBytes = 0;  // of one call
    };

    struct DataComm {
        double reduce = 0, gather = 0;  // seconds, before overlap
        double exposed = 0, hidden = 0, tax = 0;
        DataFlow dense, expert;
        network::Collective reduceKind = network::Collective::AllReduce;
        network::Collective gatherKind = network::Collective::AllGather;
    };

    // Replicas of an expert are e expert ranks apart: D·c/e of them share its states.
    DataComm dataComm(const Layout& l, const StageParameters& own, const Span& stage) {
        DataComm d;
        const SoftwareProfile& f = problem.profile;
        if (denseShards(l) <= 1) return d;
        const long stride = rankStride(f, l, l.context > 1 ? Axis::Context : Axis::Data);
        d.dense.group = static_cast<long>(denseShards(l));
        d.dense.stride = stride;
        d.expert.group = static_cast<long>(expertShards(l));
        d.expert.stride = rankStride(f, l, Axis::Expert) * l.expert;
        const double m = static_cast<double>(l.microBatches);
        const bool sharded = states(f, l.sharding).optimizerSharded;
        d.reduceKind =
            sharded ? network::Collective::ReduceScatter : network::Collective::AllReduce;
        const bool byLayer = l.sharding == Sharding::Zero3;
        const double layers = std::max(1.0, own.total() / own.layer);
        const double reduces = f.reduceScatterEveryMicroBatch ? m : 1.0;
        // Layer by layer weights are gathered for forward and again for backward.
        const double gathers = 2.0 * (f.gatherWeightsEveryMicroBatch ? m : 1.0);
        double reduceOne = 0, gatherOne = 0;
        const auto add = [&](DataFlow& flow, double params) {
            if (flow.group <= 1 || params <= 0) return;
            const double bytes = params * f.gradientReduceBytes;
            const double buckets =
                byLayer
                    ? layers
                    : (f.bucketBytes > 0 ? std::max(1.0, std::ceil(bytes / f.bucketBytes)) : 1.0);
            flow.reduceBytes = bytes / buckets;
            flow.gatherBytes = sharded ? params * f.weightGatherBytes / buckets : 0.0;
            flow.reduceCalls = buckets * reduces;
            flow.gatherCalls = byLayer ? buckets * gathers : (sharded ? buckets : 0.0);
            const double one =
                communicate(d.reduceKind, flow.group, flow.stride, flow.reduceBytes).seconds;
            d.reduce += flow.reduceCalls * one;
            reduceOne += one;
            if (flow.gatherCalls > 0) {
                const double gather =
                    communicate(d.gatherKind, flow.group, flow.stride, flow.gatherBytes).seconds;
                d.gather += flow.gatherCalls * gather;
                gatherOne += gather;
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
            d.hidden = std::min(f.dataOverlap * d.reduce, stage.backward) +
                       std::min(f.dataOverlap * d.gather, stage.forward);
        }
        d.exposed = d.reduce + d.gather - d.hidden;
        if (!problem.cluster.system.chip.compute.dedicatedCollectiveEngines)
            d.tax = f.overlapComputeTax * d.hidden;
        return d;
    }

    // Reading gradients and states, writing states and weights: all through HBM.
    [[nodiscard]] double optimizerSeconds(const Layout& l, const StageParameters& own) const {
        const StateBytes& state = states(problem.profile, l.sharding);
        const double moments = state.optimizer * optimizerShare(problem.training.optimizer);
        const double update = state.gradients + 2.0 * state.master + 2.0 * moments + state.weights;
        double bytes = shardedBytes(own, update, state.optimizerSharded, l);
        // The gradient norm reads what the rank will update; the accumulator is cleared whole.
        bytes +=
            shardedBytes(own, state.gradients, state.optimizerSharded || state.gradientsSharded, l);
        bytes += shardedBytes(own, state.gradients, state.gradientsSharded, l);
        return machine::vectorTime(rank, bytes, 4).seconds;
    }

    Comm pipelineComm(const Layout& l) {
        double bytes = kernels.elementBytes * l.microBatch * problem.training.sequenceLength /
                       l.context * problem.architecture.hidden;
        // Tensor ranks hold the same activations (or a share of them): each sends its part.
        bytes /= l.tensor;
        if (problem.profile.pipelineExchangeDoubled) bytes *= 2.0;
        return communicate(network::Collective::PointToPoint, l.pipeline,
                           rankStride(problem.profile, l, Axis::Pipeline), bytes);
    }

    struct Timeline {
        Span pace;  // of the slowest stage, one micro-batch
        const StageGroup* slowest = nullptr;
        double busy = 0;  // stages, bubble and sends
        double bubble = 0;
        double sends = 0;  // exposed
        double sendsHidden = 0;
        double sendCalls = 0;
        DataComm data;
        double optimizer = 0;
        double other = 0;  // fixed and straggler
        double step = 0;
    };

    // Forward and backward time of a stage alone, for the search.
    [[nodiscard]] static Span stageSpan(const ShardTable& table, const StageGroup& group,
                                        Recompute recompute) {
        Span span;
        const auto add = [&span](const StageCost& c, double n) {
            span.forward += n * c.forward;
            span.backward += n * c.backward;
        };
        for (std::size_t c = 0; c < kClasses; ++c) {
            const int n = group.layers.byClass[c];
            if (n > 0) add(table.layerCost[static_cast<std::size_t>(recompute)][c], n);
        }
        if (group.first) add(table.embeddingCost, 1);
        if (group.last) add(table.headCost, 1);
        return span;
    }

    // Without `whole`, only what the stages do for themselves and for each other.
    Timeline timeline(const Layout& l, bool whole = true) {
        Timeline t;
        const Placement& placed = placement(l);
        const ShardTable& shared = table(l);
        const double m = static_cast<double>(l.microBatches);
        const int p = l.pipeline;
        double all = 0;
        for (const StageGroup& g : placed.groups) {
            const Span span = stageSpan(shared, g, l.recompute);
            all += g.count * span.total();
            if (span.total() > t.pace.total()) {
                t.pace = span;
                t.slowest = &g;
            }
        }
        // Every other stage is waited for once, forward and backward: whole with 1F1B and GPipe,
        // one of its v chunks when interleaved (Narayanan et al. 2021, section 2.2, for equal
        // stages).
        t.bubble = (all - t.pace.total()) / l.virtualStages;
        if (p > 1) {
            const double one = pipelineComm(l).seconds;
            const double crossings = 2.0 * l.virtualStages * m;
            const double steady = crossings * one;
            const double overlap = l.virtualStages > 1 ? problem.profile.pipelineOverlap : 0.0;
            t.sendCalls = crossings;
            t.sendsHidden = overlap * steady;
            t.sends = steady - t.sendsHidden;
            t.bubble += 2.0 * (p - 1) * one;
        }
        t.busy = m * t.pace.total() + t.bubble + t.sends;
        if (!whole) return t;
        const StageParameters own = stageParameters(shared, *t.slowest);
        t.data = dataComm(l, own, t.pace);
        t.optimizer = optimizerSeconds(l, own);
        const double body = t.busy + t.data.exposed + t.data.tax + t.optimizer;
        t.other = problem.profile.stepOverhead.value() + stragglerShare * body;
        t.step = body + t.other;
        return t;
    }

    // ---- result
    // ---------------------------------------------------------------------------------------

    void countFlop(StepResult& r, const Layout& l, double executed) const {
        const workload::Architecture& a = problem.architecture;
        const TrainingSpec& s = problem.training;
        const double batch = static_cast<double>(s.globalBatchSequences);
        const workload::ForwardFlop f = workload::forwardFlop(
            a, batch, s.sequenceLength, paddedVocabulary(a, problem.profile, l.tensor));
        r.modelFlop = units::Flop(
            3.0 * (kernels.causalSkipping ? f.withCausalAttention() : f.withFullAttention()));
        const double tokens = batch * s.sequenceLength;
        r.palmFlop = workload::palmFlopPerToken(a.moe ? parameters.active : parameters.total,
                                                a.layers, a.heads, a.headSize, s.sequenceLength) *
                     tokens;
        r.hardwareFlop = units::Flop(executed * static_cast<double>(l.microBatches) *
                                     static_cast<double>(l.ranks()) / l.pipeline);
    }

    StepResult evaluate(const Layout& l, bool detail) {
        StepResult r;
        r.memory = memory(l, detail);
        if (placement(l).groups.empty()) return r;
        const Timeline t = timeline(l);
        const StageCost pace = stageCost(table(l), *t.slowest, l.recompute);
        const double m = static_cast<double>(l.microBatches);
        for (std::size_t i = 0; i < kTimePartCount; ++i) r.parts[i] = Seconds(m * pace.parts[i]);
        r.parts[index(TimePart::Bubble)] += Seconds(t.bubble);
        r.parts[index(TimePart::Pipeline)] += Seconds(t.sends);
        r.parts[index(TimePart::Data)] += Seconds(t.data.exposed);
        r.parts[index(TimePart::Compute)] += Seconds(t.data.tax);
        r.parts[index(TimePart::Optimizer)] += Seconds(t.optimizer);
        r.parts[index(TimePart::Other)] += Seconds(t.other);
        for (Seconds part : r.parts) r.stepTime += part;
        r.hiddenCommunication = Seconds(m * pace.hidden + t.sendsHidden + t.data.hidden);
        r.busiestStage = t.slowest->firstStage;
        double executed = 0, moved = 0;
        for (const StageGroup& g : placement(l).groups) {
            const StageCost stage = stageCost(table(l), g, l.recompute);
            executed += g.count * stage.flop;
            moved += g.count * stage.bytes;
        }
        countFlop(r, l, executed);
        const machine::ChipSpec& chip = problem.cluster.system.chip;
        const double chips = static_cast<double>(l.ranks()) / perChip;
        const std::size_t dtype = static_cast<std::size_t>(problem.training.precision);
        const double available = chip.headlinePeak[dtype].value() * chips * r.stepTime.value();
        if (available > 0) {
            r.mfuModel = r.modelFlop.value() / available;
            r.mfuPalm = r.palmFlop.value() / available;
            r.hfu = r.hardwareFlop.value() / available;
        }
        const double engine = chip.enginePeak[dtype].value() * chips * r.stepTime.value();
        r.matrixUtilization = engine > 0 ? std::min(1.0, r.hardwareFlop.value() / engine) : 0.0;
        r.memoryUtilization =
            std::min(1.0, moved / l.pipeline * m / (rank.bytesPerSecond * r.stepTime.value()));
        r.tokensPerSecond = static_cast<double>(problem.training.globalBatchSequences) *
                            problem.training.sequenceLength / r.stepTime.value();
        if (detail) {
            addOperators(r, l, t);
            addCollectives(r, l, t);
            r.stageTimes = stageTimes(l);
        }
        return r;
    }

    PipelineProblem pipeline(const Layout& l) {
        PipelineProblem p;
        p.schedule = l.schedule;
        p.virtualStages = l.virtualStages;
        p.microBatches = l.microBatches;
        if (l.pipeline > 1) p.sendSeconds = pipelineComm(l).seconds;
        for (const StageTime& s : stageTimes(l)) {
            p.forwardSeconds.push_back(s.forward.value());
            p.backwardSeconds.push_back(s.backward.value());
            p.weightGradientSeconds.push_back(s.weightGradient.value());
        }
        return p;
    }

    std::vector<StageTime> stageTimes(const Layout& l) {
        std::vector<StageTime> times;
        const std::vector<StageLayers>& stages = placement(l).stages;
        const int last = static_cast<int>(stages.size()) - 1;
        for (int i = 0; i <= last; ++i) {
            const StageGroup g{stages[static_cast<std::size_t>(i)], i, 1, i == 0, i == last};
            const StageCost stage = stageCost(table(l), g, l.recompute);
            times.push_back(
                {i, g.layers.total(), Seconds(stage.forward), Seconds(stage.backward), Seconds(0)});
        }
        return times;
    }

    void addBlockOperators(StepResult& r, const BlockCost& b, double gradientBytes, double calls,
                           unsigned rerun, bool rerunAll) const {
        for (const Operator& o : b.operators) {
            for (const OperatorPhase& p : phases(o, gradientBytes)) {
                const auto push = [&](Phase phase) {
                    OperatorCost c;
                    c.name = o.name;
                    c.kind = static_cast<OperatorKind>(o.kind);
                    c.phase = phase;
                    c.bound = static_cast<Bound>(p.limit);
                    c.dtype = dtypeOf(o);
                    c.calls = calls;
                    c.m = p.m;
                    c.n = p.n;
                    c.k = p.k;
                    c.flopPerCall = units::Flop(p.flop);
                    c.bytesPerCall = Bytes(p.bytes);
                    c.secondsPerCall = Seconds(p.seconds);
                    r.operators.push_back(std::move(c));
                };
                push(p.phase);
                if (p.phase == Phase::Forward && (rerunAll || (o.rerunIn & rerun) != 0))
                    push(Phase::Recompute);
            }
        }
    }

    void addOperators(StepResult& r, const Layout& l, const Timeline& t) {
        const StageLayers& layers = t.slowest->layers;
        const ShardTable& shared = table(l);
        const double m = static_cast<double>(l.microBatches);
        const double gradientBytes = states(problem.profile, l.sharding).gradients;
        const bool full = l.recompute == Recompute::Full;
        const unsigned rerun =
            l.recompute == Recompute::Selective ? selectiveGroups : workload::kNoGroup;
        for (std::size_t c = 0; c < layers.byClass.size(); ++c) {
            if (layers.byClass[c] == 0) continue;
            addBlockOperators(r, shared.layer[c], gradientBytes, m * layers.byClass[c], rerun,
                              full);
        }
        if (t.slowest->first)
            addBlockOperators(r, shared.embedding, gradientBytes, m, workload::kNoGroup, false);
        if (t.slowest->last)
            addBlockOperators(r, shared.head, gradientBytes, m, workload::kNoGroup, false);
        OperatorCost update;
        update.name = "optimizer update and gradient norm";
        update.kind = OperatorKind::Vector;
        update.phase = Phase::Update;
        update.bound = Bound::Memory;
        update.dtype = Dtype::Fp32;
        update.calls = 1;
        update.secondsPerCall = Seconds(t.optimizer);
        update.bytesPerCall =
            Bytes(std::max(0.0, t.optimizer * rank.bytesPerSecond - rank.halfBytes));
        r.operators.push_back(std::move(update));
    }

    void addCollectives(StepResult& r, const Layout& l, const Timeline& t) {
        const StageLayers& layers = t.slowest->layers;
        const double m = static_cast<double>(l.microBatches);
        const auto push = [&](std::string title, network::Collective kind, Axis axis, long ranks,
                              long stride, double calls, double bytes, double exposedShare) {
            if (ranks <= 1 || calls <= 0 || bytes <= 0) return;
            const Comm c = communicate(kind, ranks, stride, bytes);
            const network::AlgorithmCost& fastest = c.cost->fastest(Bytes(bytes));
            CollectiveUse u;
            u.name = std::move(title);
            u.kind = network::name(kind);
            u.axis = axis;
            u.ranks = static_cast<int>(ranks);
            u.stride = static_cast<int>(stride);
            u.algorithm = network::name(fastest.algorithm);
            u.busiestLink = fastest.busiestLink;
            u.calls = calls;
            u.bytesPerCall = Bytes(bytes);
            u.secondsPerCall = Seconds(c.seconds);
            u.exposed = Seconds(calls * c.seconds * exposedShare);
            u.hidden = Seconds(calls * c.seconds * (1.0 - exposedShare));
            r.collectives.push_back(std::move(u));
        };
        const StageCost pace = stageCost(table(l), *t.slowest, l.recompute);
        if (l.tensor > 1) {
            const long stride = rankStride(problem.profile, l, Axis::Tensor);
            const TensorCalls calls = tensorCalls(l);
            const double again = l.recompute == Recompute::Full ? 1 : 0;
            const double n = layers.total();
            const double bytes = tensorComm(l, calls.scatter).bytes;
            const double gathers =
                m * n * (calls.gatherForward * (1 + again) + calls.gatherBackward);
            const double scatters =
                m * n * (calls.scatterForward * (1 + again) + calls.scatterBackward);
            const double ends = m * 2.0 * ((t.slowest->first ? 1 : 0) + (t.slowest->last ? 1 : 0));
            const double raw = gathers * tensorComm(l, calls.gather).seconds +
                               scatters * tensorComm(l, calls.scatter).seconds;
            const double hidden = m * pace.hidden - contextHidden(l, layers, m);
            const double share = raw > 0 ? std::clamp(1.0 - hidden / raw, 0.0, 1.0) : 1.0;
            if (l.sequenceParallel) {
                push("all-gather of activations", calls.gather, Axis::Tensor, l.tensor, stride,
                     gathers, bytes, share);
                push("reduce-scatter of activations", calls.scatter, Axis::Tensor, l.tensor, stride,
                     scatters, bytes, share);
                push("embedding and head exchange", network::Collective::AllGather, Axis::Tensor,
                     l.tensor, stride, ends, bytes, 1.0);
            } else {
                push("all-reduce of activations", calls.scatter, Axis::Tensor, l.tensor, stride,
                     scatters, bytes, share);
                push("embedding and head exchange", network::Collective::AllReduce, Axis::Tensor,
                     l.tensor, stride, ends, bytes, 1.0);
            }
        }
        if (l.context > 1) {
            const Comm c = contextComm(l);
            const double calls = m * layers.total() * 3.0 * (l.context - 1);
            const double raw = calls * c.seconds;
            push("ring exchange of keys and values", network::Collective::PointToPoint,
                 Axis::Context, l.context, rankStride(problem.profile, l, Axis::Context), calls,
                 c.bytes,
                 raw > 0 ? std::clamp(1.0 - contextHidden(l, layers, m) / raw, 0.0, 1.0) : 1.0);
        }
        if (l.expert > 1) {
            const int moe = layers.byClass[2] + layers.byClass[3];
            const double again = l.recompute == Recompute::Full ? 2 : 0;
            push("dispatch and combine of tokens", network::Collective::AllToAll, Axis::Expert,
                 l.expert, rankStride(problem.profile, l, Axis::Expert), m * moe * (4.0 + again),
                 expertComm(l).bytes, 1.0);
        }
        if (l.pipeline > 1) {
            const double total = t.sends + t.sendsHidden;
            push("activations to the next stage", network::Collective::PointToPoint, Axis::Pipeline,
                 l.pipeline, rankStride(problem.profile, l, Axis::Pipeline), t.sendCalls,
                 pipelineComm(l).bytes, total > 0 ? t.sends / total : 1.0);
        }
        const double raw = t.data.reduce + t.data.gather;
        const double share = raw > 0 ? t.data.exposed / raw : 1.0;
        const bool reduced = t.data.reduceKind == network::Collective::AllReduce;
        const auto pushFlow = [&](const DataFlow& flow, const char* allReduce,
                                  const char* reduceScatter, const char* gather) {
            if (flow.reduceCalls <= 0) return;
            push(reduced ? allReduce : reduceScatter, t.data.reduceKind, Axis::Data, flow.group,
                 flow.stride, flow.reduceCalls, flow.reduceBytes, share);
            push(gather, t.data.gatherKind, Axis::Data, flow.group, flow.stride, flow.gatherCalls,
                 flow.gatherBytes, share);
        };
        pushFlow(t.data.dense, "all-reduce of gradients", "reduce-scatter of gradients",
                 "all-gather of weights");
        pushFlow(t.data.expert, "all-reduce of expert gradients",
                 "reduce-scatter of expert gradients", "all-gather of expert weights");
    }

    double contextHidden(const Layout& l, const StageLayers& layers, double m) {
        if (l.context <= 1) return 0;
        double hidden = 0;
        const LayerComm comm = layerComm(l, false);
        for (std::size_t c = 0; c < layers.byClass.size(); ++c) {
            if (layers.byClass[c] == 0) continue;
            const BlockCost& b = table(l).layer[c];
            hidden += layers.byClass[c] * (std::min(comm.contextForward, b.forward.attention) +
                                           std::min(comm.contextBackward, b.backward.attention));
        }
        return m * hidden;
    }

    StepProblem problem;
    const network::Network& network;
    int perChip = 1;
    machine::RankSpec rank;
    workload::Kernels kernels;
    unsigned selectiveGroups = 0;
    Dtype baseDtype = Dtype::Bf16;
    workload::ParameterCount parameters;
    double stragglerShare = 0;
    std::array<bool, kClasses> classUsed{};
    std::unordered_map<ShardKey, std::unique_ptr<ShardTable>, KeyHash> tables;
    ShardKey lastKey;
    const ShardTable* lastTable = nullptr;
    std::unordered_map<GroupKey, const network::CollectiveCost*, KeyHash> costs;
    std::map<std::pair<int, int>, Placement> placements;
    std::pair<int, int> lastPlacementKey;
    const Placement* lastPlacement = nullptr;
};

StepEvaluator::StepEvaluator(const StepProblem& problem, const network::Network& network)
    : implementation_(std::make_unique<Implementation>(problem, network)) {}
StepEvaluator::~StepEvaluator() = default;
StepEvaluator::StepEvaluator(StepEvaluator&&) noexcept = default;

Seconds StepEvaluator::stepTime(const Layout& layout) {
    if (implementation_->placement(layout).groups.empty()) return Seconds(INFINITY);
    return Seconds(implementation_->timeline(layout).step);
}

units::Bytes StepEvaluator::peakMemory(const Layout& layout) {
    return Bytes(implementation_->peakMemory(layout));
}

units::Bytes StepEvaluator::usableMemory() const {
    return implementation_->usable();
}

Seconds StepEvaluator::stepTimeBound(const Layout& layout) {
    if (implementation_->placement(layout).groups.empty()) return Seconds(INFINITY);
    return Seconds(implementation_->timeline(layout, false).busy);
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
