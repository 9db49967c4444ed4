// SPDX-License-Identifier: GPL-3.0-or-later
// The inside of StepEvaluator, shared by the files that make it up: tables by shard
// (shard_table.cpp), memory (step_memory.cpp), time (step_time.cpp) and the lists of an explanation
// (step_detail.cpp).
//
// Raw doubles: seconds, bytes and FLOP, as the names say; this is the inner loop of the search.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/layout/block_cost.h"
#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/workload/operators.h"

namespace trainwright::layout {

inline constexpr std::size_t kMaxModes = 12;  // ways to recompute: none, full, and sets of groups
inline constexpr std::size_t kClasses = 4;    // kinds of layer
inline constexpr double kNormBytes = 4.0;     // a gradient norm: one number in fp32

constexpr std::size_t index(TimePart p) {
    return static_cast<std::size_t>(p);
}
constexpr std::size_t index(MemoryKind k) {
    return static_cast<std::size_t>(k);
}

// Seconds of one use of a collective, and which it was.
struct Comm {
    double seconds = 0;
    const network::CollectiveCost* cost = nullptr;
    double bytes = 0;
    network::Collective kind{};
    long ranks = 1, stride = 1;
};

// The exchanges that take the tokens of one layer and micro-batch to their experts or back.
struct ExpertLeg {
    Comm across;  // all of it, or what crosses hosts where each host gets one copy
    Comm inside;  // handed on inside the host
    Comm gather;  // between the tensor ranks of an expert
    double seconds = 0;
};
struct ExpertComm {
    ExpertLeg dispatch, combine;
    [[nodiscard]] double roundTrip() const { return dispatch.seconds + combine.seconds; }
};

// Communication of one layer and micro-batch, before overlap.
struct LayerComm {
    double tensorForward = 0, tensorBackward = 0;
    double contextForward = 0, contextBackward = 0;
    bool contextHides = true;  // under the attention kernel
    bool expertHides = false;  // under the work of another micro-batch
    double expertForward = 0, expertBackward = 0;
};

// One stage's time for one micro-batch.
struct Span {
    double forward = 0, backward = 0, weightGradient = 0;
    [[nodiscard]] double total() const { return forward + backward; }
};

// The same, split into the parts of a step.
struct StageCost {
    std::array<double, kTimePartCount> parts{};
    double forward = 0, backward = 0, weightGradient = 0, hidden = 0;
    double flop = 0, bytes = 0;
    void addScaled(const StageCost& o, double factor);
    [[nodiscard]] Span span() const { return {forward, backward, weightGradient}; }
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
    // Stages in pipeline order: so many of a group, then of the next.
    std::vector<std::pair<std::size_t, int>> runs;
};

// Everything that layouts of one shard have in common.
struct ShardTable {
    std::array<BlockCost, kClasses> layer;
    BlockCost embedding, head, multiToken;
    std::array<LayerComm, kClasses> comm;
    std::array<std::array<Span, kClasses>, kMaxModes> layerSpan;  // one layer and micro-batch
    Span embeddingSpan;
    std::array<Span, kMaxModes> tailSpan;    // head, loss and multi-token prediction
    double embeddingComm = 0, headComm = 0;  // of the tensor group, each way
    std::array<std::array<double, kClasses>, kMaxModes> layerKept{};
    std::array<std::array<double, kClasses>, kMaxModes> working{};
    double layerInput = 0, tokens = 0;
    std::array<double, kClasses> denseParameters{}, expertParameters{};  // one layer, one rank
    double vocabularyParameters = 0;
    double multiTokenParameters = 0;  // of one module beside its layer
};

// What operator times, kept bytes and the communication inside a layer depend on.
struct ShardKey {
    int tensor = 0, context = 0, expert = 0, expertTensor = 0, microBatch = 0;
    bool sequenceParallel = false;
    bool hidesExperts = false;  // under the work of another micro-batch
    ContextExchange contextExchange = ContextExchange::Ring;
    double gradientBytes = 0;  // of the accumulator that weight gradients are added to
    long contextStride = 1, expertStride = 1;
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
    std::size_t operator()(const ShardKey& k) const;
    std::size_t operator()(const GroupKey& k) const {
        return mix(mix(static_cast<std::size_t>(k.kind), static_cast<std::size_t>(k.ranks)),
                   static_cast<std::size_t>(k.stride));
    }
};

// Parameters that one rank of a stage holds.
struct StageParameters {
    double dense = 0;
    double expert = 0;  // of routed experts
    double layer = 0;   // of one layer, the largest kind
    [[nodiscard]] double total() const { return dense + expert; }
};

// The gradients and weights of one kind of parameters and the replicas that share them.
struct DataFlow {
    long group = 1, stride = 1;    // ranks that share the states
    long replicas = 1, outer = 1;  // groups that hold copies of them
    double reduceCalls = 0, gatherCalls = 0;
    double reduceBytes = 0, gatherBytes = 0, replicaBytes = 0;  // of one call
    double contextBytes = 0;  // reduced over the context group before all that, in one call
};

// Data-parallel traffic of one step.
struct DataComm {
    double reduce = 0, gather = 0;  // seconds, before overlap
    double exposed = 0, hidden = 0, tax = 0;
    double tied = 0, tiedBytes = 0;  // gradients of a table that first and last stage share
    double norm = 0;                 // of the gradients, over all ranks
    DataFlow dense, expert;
    network::Collective reduceKind = network::Collective::AllReduce;
};

// The pipeline of a step, without traffic between replicas and the optimizer.
struct PipelineTime {
    Span pace;   // of the slowest rank, one micro-batch
    Span first;  // of the first stage
    const StageGroup* slowest = nullptr;
    const StageGroup* mirror = nullptr;  // DualPipe: the stage that shares its ranks
    double busy = 0;                     // from the first task to the last
    double sends = 0;                    // of one micro-batch and boundary, before overlap
    double sendsShown = 0;               // and what overlap leaves of it
    // Stages of the slowest rank, each with its share of the micro-batches.
    [[nodiscard]] std::vector<std::pair<const StageGroup*, double>> stages() const {
        if (mirror == nullptr) return {{slowest, 1.0}};
        return {{slowest, 0.5}, {mirror, 0.5}};
    }
};

struct Timeline : PipelineTime {
    DataComm data;
    double optimizer = 0;
    double other = 0;  // fixed and straggler
    double step = 0;
};

struct StepEvaluator::Implementation {
    Implementation(const StepProblem& p, const network::Network& net);

    // ---- shards (shard_table.cpp)
    [[nodiscard]] workload::Shard shard(const Layout& l) const;
    const ShardTable& table(const Layout& l);
    // Which way to recompute: 0 none, 1 full, then the sets of groups.
    std::size_t modeOf(const Layout& l);
    void forgetTables();
    [[nodiscard]] unsigned groupsOf(const Layout& l) const {
        return l.recomputeGroups != 0 ? l.recomputeGroups : recomputeSets.front();
    }
    [[nodiscard]] StateBytes statesOf(const Layout& l) const;
    [[nodiscard]] double momentBytes(const Layout& l) const;

    Comm communicate(network::Collective kind, long ranks, long stride, double bytes);
    Comm tensorComm(const Layout& l, network::Collective kind);
    Comm contextComm(const Layout& l);
    ExpertComm expertComm(const Layout& l);
    Comm pipelineComm(const Layout& l);
    // Collectives of the tensor group for one layer: how often each runs.
    struct TensorCalls {
        network::Collective gather, scatter;
        double gatherForward, scatterForward, gatherBackward, scatterBackward;
    };
    [[nodiscard]] TensorCalls tensorCalls(const Layout& l, bool moe) const;
    // Calls of contextComm in a layer's forward and backward pass.
    [[nodiscard]] std::pair<double, double> contextCalls(const Layout& l) const;
    [[nodiscard]] long expertStride(const Layout& l) const;
    [[nodiscard]] long expertReplicas(const Layout& l) const;
    [[nodiscard]] long expertReplicaStride(const Layout& l) const;
    // Seconds that `n` layers wait for the host link to take their activations and to bring them
    // back, beyond the work that hides it.
    [[nodiscard]] Span offloadWaits(const ShardTable& table, std::size_t mode, std::size_t c,
                                    int n) const;

    // ---- memory (step_memory.cpp)
    [[nodiscard]] StageParameters stageParameters(const ShardTable& table,
                                                  const StageGroup& group) const;
    // Without `working`, what the layer at work needs beside what is kept is left out.
    [[nodiscard]] StageMemory stageMemory(const Layout& l, const ShardTable& table,
                                          const StageGroup& group, int stage, bool working = true);
    const Placement& placement(const Layout& l);
    [[nodiscard]] units::Bytes usable() const {
        return units::Bytes(pricer.rank.hbmBytes * (1.0 - problem.memoryHeadroom));
    }
    double peakMemory(const Layout& l, bool working = true);
    MemoryResult memory(const Layout& l, bool all);
    static long denseShards(const Layout& l) {
        return l.shardDegree > 0 ? l.shardDegree : static_cast<long>(l.data) * l.context;
    }
    [[nodiscard]] long expertShards(const Layout& l) const;
    // What one of the ranks that share states holds of them.
    struct Shares {
        double dense = 1, expert = 1;
    };
    [[nodiscard]] Shares sharesOf(const Layout& l) const {
        return {1.0 / static_cast<double>(denseShards(l)),
                problem.architecture.moe ? 1.0 / static_cast<double>(expertShards(l)) : 1.0};
    }
    // Sum over dense and expert parameters of `bytes` each, divided by their groups when shared.
    static double shardedBytes(const StageParameters& s, double bytes, bool sharded,
                               const Shares& share) {
        if (!sharded) return s.total() * bytes;
        return bytes * (s.dense * share.dense + s.expert * share.expert);
    }

    // ---- time (step_time.cpp)
    Timeline timeline(const Layout& l);
    // Kept for the layouts that differ from the last one in nothing that it depends on.
    const PipelineTime& pipelineTime(const Layout& l);
    Span stageSpan(const Layout& l, const ShardTable& table, const StageGroup& group,
                   std::size_t mode) const;
    DataComm dataComm(const Layout& l, const StageParameters& own, const Span& stage);
    [[nodiscard]] double optimizerSeconds(const Layout& l, const StageParameters& own) const;

    // ---- detail (step_detail.cpp)
    StepResult evaluate(const Layout& l, bool detail);
    PipelineProblem pipeline(const Layout& l);

    StepProblem problem;
    const network::Network& network;
    int perChip = 1;
    long ranksPerDomain = 1;
    OperatorPricer pricer;
    std::vector<unsigned> recomputeSets;
    workload::ParameterCount parameters;
    double stragglerShare = 0;
    double normSeconds = 0;               // to sum the gradient norm over all ranks
    double hostLinkBytesPerSecond = 0;    // of one rank
    double hostMemoryBytesPerSecond = 0;  // of one rank's share
    std::array<bool, kClasses> classUsed{};
    std::size_t lastClass = 0;  // of the last layer
    std::unordered_map<ShardKey, std::unique_ptr<ShardTable>, KeyHash> tables;
    ShardKey lastKey;
    const ShardTable* lastTable = nullptr;
    std::unordered_map<GroupKey, const network::CollectiveCost*, KeyHash> costs;
    struct PlacementKey {
        int pipeline = 0, virtualStages = 0, first = 0, last = 0;
        friend auto operator<=>(const PlacementKey&, const PlacementKey&) = default;
    };
    std::map<PlacementKey, Placement> placements;
    PlacementKey lastPlacementKey;
    const Placement* lastPlacement = nullptr;

    // Of what pipeline times depend on beside the way to recompute.
    struct PipelineKey {
        const ShardTable* table = nullptr;
        const Placement* placement = nullptr;
        Schedule schedule{};
        int virtualStages = 0;
        long microBatches = 0;
        long sendStride = 0;
        bool offloadActivations = false;
        friend bool operator==(const PipelineKey&, const PipelineKey&) = default;
    };
    PipelineKey lastPipelineKey;
    static constexpr std::size_t kMemos = kMaxModes + 8;
    std::array<std::pair<bool, PipelineTime>, kMemos> pipelineTimes{};

private:
    [[nodiscard]] PipelineTime makePipelineTime(const Layout& l, std::size_t mode);
    std::unique_ptr<ShardTable> makeTable(const Layout& l);
    LayerComm layerComm(const Layout& l, bool moe);
    void layerParameters(ShardTable& table, const Layout& l, std::size_t c) const;
    [[nodiscard]] int exampleLayer(std::size_t which) const;
    struct Exposed;
    [[nodiscard]] Exposed expose(const PhaseCost& busy, const LayerComm& comm, bool backward) const;
    // Seconds of tensor, context and expert exchange of one layer that nothing hides, forward and
    // backward.
    [[nodiscard]] std::pair<std::array<double, 3>, std::array<double, 3>> exposedShares(
        const BlockCost& b, const LayerComm& comm) const;
    [[nodiscard]] StageCost layerCost(const BlockCost& b, const LayerComm& comm,
                                      std::size_t mode) const;
    double endComm(const Layout& l, network::Collective withSequenceParallel);
    // An end of the model, with what the tensor group exchanges there each way.
    [[nodiscard]] static StageCost endCost(const BlockCost& b, double comm);
    [[nodiscard]] StageCost tailCost(const ShardTable& table, std::size_t mode) const;
    [[nodiscard]] std::vector<workload::Operator> layerOperators(const Layout& l,
                                                                 std::size_t c) const;
    [[nodiscard]] std::vector<workload::Operator> headOperators(const Layout& l) const;

    StageCost stageCost(const Layout& l, const StageGroup& group);
    std::vector<StageTime> stageTimes(const Layout& l);
    void countFlop(StepResult& r, const Layout& l, double executed) const;
    struct RankLayers {
        std::array<double, kClasses> layers{}, again{};
        double embeddings = 0, heads = 0, multiTokens = 0;
    };
    [[nodiscard]] RankLayers rankLayers(const Layout& l, const Timeline& t) const;
    void addOperators(StepResult& r, const Layout& l, const Timeline& t);
    void addBlockOperators(StepResult& r, const std::vector<workload::Operator>& operators,
                           double gradientBytes, double calls, unsigned rerun,
                           double rerunCalls) const;
    void addCollectives(StepResult& r, const Layout& l, const Timeline& t);
};

// How many of a stage's `layers` of one kind are recomputed when one in `every` is.
inline int recomputedLayers(int layers, int every) {
    return every <= 1 ? layers : (layers + every - 1) / every;
}

}  // namespace trainwright::layout
