// SPDX-License-Identifier: GPL-3.0-or-later
// How a model is cut over ranks, whether that is legal, what it needs in memory, and how long a
// step takes.
//
// evaluateStep is the one function that turns a layout into a time: the search calls it without
// detail, explain and the reports call it with detail, and both get the same numbers. A rank is the
// framework's rank. All times are those of one optimizer step unless a name says otherwise.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/layout/software_profile.h"
#include "model/machine/machine.h"
#include "model/units/outcome.h"
#include "model/units/quantity.h"
#include "model/workload/architecture.h"

namespace trainwright::layout {

enum class Optimizer { AdamW, Sgd, Adafactor, Muon };

/// What is trained, apart from where and how it is cut.
struct TrainingSpec {
    double tokens = 0;  ///< of the whole run
    int sequenceLength = 0;
    long globalBatchSequences = 0;
    machine::Dtype precision = machine::Dtype::Bf16;  ///< of the GEMMs that the recipe runs in it
    Optimizer optimizer = Optimizer::AdamW;
    std::optional<Recompute> recompute;  ///< nullopt: auto
    // where given, instead of what the profile does
    std::optional<double> gradientBytes;        ///< of a parameter's accumulated gradient
    std::optional<double> optimizerStateBytes;  ///< of one state of a parameter (AdamW has two)
    std::optional<ScalingRecipe> scalingRecipe;
    std::optional<double> expertLoadImbalance;   ///< busiest rank's routed tokens over the mean
    std::optional<double> expertCapacityFactor;  ///< slots over the mean, filled or not; dropless
                                                 ///< where not given
};

struct Layout {
    int tensor = 1;
    bool sequenceParallel = false;
    int pipeline = 1;
    int virtualStages = 1;
    int context = 1;
    int expert = 1;
    int data = 1;
    int microBatch = 1;     ///< sequences
    long microBatches = 1;  ///< a step and replica: B / (b · D)
    Sharding sharding = Sharding::Zero1;
    Recompute recompute = Recompute::None;
    Schedule schedule = Schedule::OneForwardOneBackward;
    int expertTensor = 0;          ///< tensor ranks of one expert; 0: as many as t
    int shardDegree = 0;           ///< ranks that share the states; 0: all D · c
    unsigned recomputeGroups = 0;  ///< workload::RecomputeGroup mask of selective recompute; 0: the
                                   ///< profile's
    int recomputeEvery = 1;        ///< of full recompute: one layer in so many
    int firstStageLayers = 0;      ///< 0: by the profile's rule; both ends are given or none
    int lastStageLayers = 0;
    int rankOrder = 0;  ///< 0: the profile's; n: its n-th other order
    ContextExchange contextExchange = ContextExchange::Ring;
    bool offloadOptimizer = false;
    bool offloadActivations = false;

    [[nodiscard]] int tensorOfExperts() const { return expertTensor > 0 ? expertTensor : tensor; }
    [[nodiscard]] bool offloads() const { return offloadOptimizer || offloadActivations; }
    [[nodiscard]] long ranks() const {
        return static_cast<long>(tensor) * pipeline * context * data;
    }
    friend bool operator==(const Layout&, const Layout&) = default;
};

/// "t8 p16 v4 D128 b1 m16, zero1, selective recompute": the short form for tables.
[[nodiscard]] std::string shortForm(const Layout& l);

/// A layout as far as a scenario gives it; what is missing is searched for.
struct LayoutChoice {
    std::optional<int> tensor, pipeline, virtualStages, context, expert, data, microBatch;
    std::optional<bool> sequenceParallel;
    std::optional<Sharding> sharding;
    std::optional<Recompute> recompute;
    std::optional<Schedule> schedule;
    std::optional<int> expertTensor, shardDegree, recomputeEvery;
    std::optional<int> firstStageLayers, lastStageLayers;
    std::optional<unsigned> recomputeGroups;
    std::optional<ContextExchange> contextExchange;
    std::optional<std::vector<Axis>> rankOrder;
    std::optional<bool> offloadOptimizer, offloadActivations;  ///< nullopt: tried where it helps

    [[nodiscard]] bool isEmpty() const;  ///< nothing is given
};

/// The machine side of a step: what ranks there are.
struct Cluster {
    machine::SystemSpec system;
    long chips = 0;
};

struct StepProblem {
    workload::Architecture architecture;
    TrainingSpec training;
    Cluster cluster;
    SoftwareProfile profile;
    double memoryHeadroom = 0.0;  ///< share of HBM that must stay free
};

/// Why a layout can't be run under its profile; empty when legal. Warnings are legal oddities.
[[nodiscard]] std::vector<Finding> checkLegality(const StepProblem& problem, const Layout& layout);
/// Whether checkLegality finds no error; for inner loops.
[[nodiscard]] bool isLegal(const StepProblem& problem, const Layout& layout);

enum class MemoryKind { Weights, Gradients, Optimizer, Activations, Logits, Buffers, Reserve };
inline constexpr int kMemoryKindCount = 7;
[[nodiscard]] const char* name(MemoryKind k);  ///< "weights", "gradients", … as in JSON

struct StageMemory {
    int stage = 0;
    std::array<units::Bytes, kMemoryKindCount> byKind{};
    double microBatchesInFlight = 0;
    [[nodiscard]] units::Bytes total() const;
};

struct MemoryResult {
    units::Bytes capacity;            ///< of one rank: chip HBM over the ranks that share it
    units::Bytes usable;              ///< capacity less headroom
    StageMemory peak;                 ///< the fullest stage
    std::vector<StageMemory> stages;  ///< every stage, only with detail
    [[nodiscard]] bool fits() const { return peak.total() <= usable; }
};

/// The parts of a step, in the fixed order of charts. They add up to the step time.
enum class TimePart {
    Compute,
    Memory,
    Tensor,
    Context,
    Expert,
    Bubble,
    Pipeline,
    Data,
    Recompute,
    Optimizer,
    Other
};
inline constexpr int kTimePartCount = 11;
[[nodiscard]] const char* name(TimePart p);  ///< "compute", "memory", "tensor", … as in JSON

enum class Phase { Forward, BackwardInput, BackwardWeight, Recompute, Update };
[[nodiscard]] const char* name(Phase p);
enum class OperatorKind { Gemm, Attention, Vector };
enum class Bound { Compute, Memory, Launch };
[[nodiscard]] const char* name(Bound b);

/// One operator of the busiest stage, summed over a step.
struct OperatorCost {
    std::string name;
    OperatorKind kind = OperatorKind::Gemm;
    Phase phase = Phase::Forward;
    Bound bound = Bound::Compute;
    machine::Dtype dtype = machine::Dtype::Bf16;
    double calls = 0;            ///< a step, on one rank
    double m = 0, n = 0, k = 0;  ///< GEMM extents; 0 for others
    units::Flop flopPerCall;     ///< executed
    units::Bytes bytesPerCall;   ///< through HBM
    units::Seconds secondsPerCall;
    [[nodiscard]] units::Seconds total() const { return secondsPerCall * calls; }
};

struct CollectiveUse {
    std::string name;  ///< "all-gather of activations"
    std::string kind;  ///< "all_gather"
    Axis axis = Axis::Tensor;
    int ranks = 1;
    int stride = 1;
    std::string algorithm;
    std::string busiestLink;
    double calls = 0;  ///< a step, on one rank
    units::Bytes bytesPerCall;
    units::Seconds secondsPerCall;
    units::Seconds exposed;  ///< a step
    units::Seconds hidden;   ///< a step, under compute
};

struct StageTime {
    int stage = 0;
    int layers = 0;
    units::Seconds forward;   ///< one micro-batch
    units::Seconds backward;  ///< one micro-batch, recompute included
    units::Seconds
        weightGradient;  ///< the part of backward that a zero-bubble schedule may put off
};

struct StepResult {
    units::Seconds stepTime;
    std::array<units::Seconds, kTimePartCount> parts{};
    units::Seconds hiddenCommunication;
    units::Flop
        modelFlop;  ///< of the step over all ranks; causal attention as executed, no recompute
    units::Flop palmFlop;      ///< 6N + 12·L·a·d·s a token, attention in full
    units::Flop hardwareFlop;  ///< executed, recompute included
    double mfuModel = 0, mfuPalm = 0,
           hfu = 0;  ///< against headline dense peak of the dtype in use, all chips
    double tokensPerSecond = 0;
    double matrixUtilization =
        0;  ///< share of the step that matrix units work, for the power model
    double memoryUtilization = 0;
    MemoryResult memory;
    /// Weights, master weights and moments of a parameter, each once: what a checkpoint holds.
    double checkpointBytesPerParameter = 0;
    int busiestStage = 0;  ///< whose work sets the pace; parts and operators are its own
    // with detail only:
    std::vector<OperatorCost> operators;
    std::vector<CollectiveUse> collectives;
    std::vector<StageTime> stageTimes;
};

}  // namespace trainwright::layout
