// SPDX-License-Identifier: GPL-3.0-or-later
// What the training framework decides and the silicon doesn't: ranks, order, legality, who shares
// which state, what overlaps, which kernels exist. A profile is a catalog row; a new framework is a
// new row.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/machine/machine.h"
#include "model/units/quantity.h"

namespace trainwright::layout {

/// A dimension of parallelism, named as in rank orders.
enum class Axis { Tensor, Context, Expert, Data, Pipeline };

enum class Sharding { None, Zero1, Zero2, Zero3 };  ///< Zero3 is FSDP full sharding
enum class Recompute { None, Selective, Full };
/// ZeroBubble is ZB-H1 of Qi et al. 2023 (arXiv 2401.10241): 1F1B with weight gradients put off
/// into the bubble. DualPipe feeds the pipeline from both ends (DeepSeek-V3, arXiv 2412.19437).
enum class Schedule { GPipe, OneForwardOneBackward, Interleaved, ZeroBubble, DualPipe };
/// How ranks of a context group see each other's keys and values: passed round, gathered before
/// the kernel, or heads exchanged for sequence (Ulysses).
enum class ContextExchange { Ring, AllGather, AllToAll };
/// How tokens reach their experts: each copy by itself; every token to every rank; or one copy a
/// host, handed on inside it.
enum class ExpertDispatch { AllToAll, AllGather, OncePerHost };
/// Tensor ranks that share one expert: those of the dense layers, none, or a degree of its own.
enum class ExpertTensor { SameAsTensor, One, Free };
/// Where the ranks of an expert group sit: on a grid of their own beside that of the dense layers
/// (innermost after the expert's tensor ranks), a data stride apart, or outermost.
enum class ExpertPlace { OwnGrid, InsideData, Outermost };
/// State that a run can keep in host memory instead of HBM.
enum class Offload { Optimizer, Activations };
/// Scale factors of an FP8 or FP4 recipe: by tensor with a history, by tensor as it is, by blocks
/// of 128, by 32 (or 16) elements in hardware.
enum class ScalingRecipe { Delayed, Tensorwise, Blockwise, Microscaled };
enum class RankUnit { Gpu, NeuronCore, LogicalNeuronCore };

[[nodiscard]] const char* name(Sharding s);   ///< "none", "zero1", "zero2", "fsdp"
[[nodiscard]] const char* name(Recompute r);  ///< "none", "selective", "full"
[[nodiscard]] const char* name(Schedule s);   ///< "gpipe", "1f1b", "interleaved", "zero_bubble"…
[[nodiscard]] const char* name(ContextExchange c);  ///< "ring", "all_gather", "all_to_all"
[[nodiscard]] const char* name(ExpertDispatch d);   ///< "all_to_all", "all_gather", "once_per_host"
[[nodiscard]] const char* name(ExpertTensor t);     ///< "same_as_tensor", "one", "free"
[[nodiscard]] const char* name(ExpertPlace p);      ///< "own_grid", "inside_data", "outermost"
[[nodiscard]] const char* name(Offload o);          ///< "optimizer", "activations"
[[nodiscard]] const char* name(ScalingRecipe r);    ///< "delayed", "tensorwise", "blockwise"…

/// Bytes a parameter of one model state, and whether the data-parallel group shares it.
struct StateBytes {
    double weights = 2;
    double gradients = 4;
    double master = 4;
    double optimizer = 8;
    bool weightsSharded = false;
    bool gradientsSharded = false;
    bool masterSharded = true;
    bool optimizerSharded = true;
};

/// How layers are laid on stages when their number doesn't divide.
/// GivenEnds: equal chunks but for the first and the last one, which share what remains (the first
/// gets the odd layer).
enum class UnevenLayers {
    Refused,
    RemainderLast,
    RemainderFirst,
    EmbeddingAndLossTakeSlots,
    GivenEnds
};

struct SoftwareProfile {
    std::string id;
    std::string title;
    // ranks
    RankUnit rankUnit = RankUnit::Gpu;
    int physicalCoresPerRank = 1;  ///< NeuronCores behind one rank (LNC)
    std::vector<Axis> rankOrder{Axis::Tensor, Axis::Context, Axis::Expert, Axis::Data,
                                Axis::Pipeline};
    std::vector<std::vector<Axis>> otherRankOrders;  ///< that a run may ask for, or a search try
    std::vector<int> tensorDegrees;                  ///< allowed; empty: any that divides
    std::vector<int> tensorDegreesWarned;            ///< run, but written down as unsupported
    int tensorDegreeMax = 0;                         ///< 0: the scale-up domain
    bool tensorMayCrossHosts = false;
    // legality
    bool keyValueReplication = true;      ///< t > kv heads allowed by copying them
    bool keyValueReplicasStored = false;  ///< the copies take memory for weights and states too
    int vocabularyPadMultiple = 128;      ///< times t; 0: no padding, V % t must be 0
    UnevenLayers unevenLayers = UnevenLayers::Refused;
    bool interleavedNeedsMultiple = true;  ///< m % p == 0 for interleaved schedules
    int interleavedPipelineMin = 2;        ///< stages that an interleaved schedule needs
    int sequenceMultiple = 1;
    bool tiedEmbeddingsWithPipeline = true;
    bool pipelineAllowed = true;
    bool contextAllowed = true;
    bool expertAllowed = true;
    std::vector<Sharding> shardings{Sharding::None, Sharding::Zero1};
    std::vector<Recompute> recomputes{Recompute::None, Recompute::Selective, Recompute::Full};
    std::vector<Schedule> schedules{Schedule::OneForwardOneBackward, Schedule::Interleaved};
    std::vector<machine::Dtype> computeDtypes{machine::Dtype::Bf16, machine::Dtype::Fp16};
    std::vector<ScalingRecipe> scalingRecipes{ScalingRecipe::Tensorwise};  ///< first: the default
    bool hybridSharding = false;  ///< states shared by fewer than all replicas, copied outside
    std::vector<int> recomputeEvery{1};  ///< full recompute of every n-th layer; n to choose from
    /// Sets of groups that selective recompute may drop, besides `selectiveGroups`.
    std::vector<std::vector<std::string>> otherSelectiveGroups;
    std::vector<Offload> offloads;  ///< that the framework can do
    std::vector<ContextExchange> contextExchanges{ContextExchange::Ring};  ///< first: the default
    bool contextBalanced = true;       ///< causal work is dealt evenly over the context ranks
    bool contextReducedApart = false;  ///< gradients are all-reduced over the context group first
    // experts
    bool expertWithContextAllowed = true;
    std::vector<int> expertRefusedAtTensor;  ///< t with which e > 1 is refused
    ExpertTensor expertTensor = ExpertTensor::SameAsTensor;
    ExpertPlace expertPlace = ExpertPlace::OwnGrid;
    ExpertDispatch expertDispatch = ExpertDispatch::AllToAll;
    double dispatchBytes = 2;        ///< bytes an element of a token on its way to the expert
    double combineBytes = 2;         ///< and back
    double expertOverlap = 0;        ///< share of dispatch and combine that compute can hide, where
                                     ///< the schedule has another micro-batch at work meanwhile
                                     ///< (DualPipe, interleaved)
    bool groupedGemms = true;        ///< the GEMMs of a rank's experts are one kernel, not one each
    double mixtureKernels = 0;       ///< small kernels that routing and permutation launch, a pass
    double expertLoadImbalance = 1;  ///< busiest rank's routed tokens over the mean, dropless
    bool dualPipeKeepsTwoCopies = true;  ///< of weights and states (DualPipe, not its V form)
    // states, by sharding mode
    StateBytes statesNone, statesZero1, statesZero2, statesZero3;
    double gradientReduceBytes = 4;  ///< bytes an element on the wire
    double weightGatherBytes = 2;
    bool reduceScatterEveryMicroBatch = false;  ///< FSDP2 has no deferred reduction
    bool gatherWeightsEveryMicroBatch = false;
    std::vector<std::string> selectiveGroups{
        "core_attention"};  ///< what selective recompute drops: core_attention,
                            ///< norm, mlp_activation, mlp, moe
    // defaults of a run that says nothing
    bool sequenceParallelDefault = true;
    Sharding shardingDefault = Sharding::Zero1;
    Recompute recomputeDefault = Recompute::None;
    // kernels
    bool flashAttention = true;
    bool causalSkipping = true;  ///< attention above the diagonal is not executed
    bool fusedSoftmax = true;
    double vectorTraffic = 1;  ///< bytes of vector operators over those that are counted
    int fusedSoftmaxMultiple = 1;  ///< it runs where a rank's heads times sequences divide by this
    bool fusedNormResidual = true;  ///< bias + dropout + residual + norm in one pass
    bool fusedCrossEntropy = false;
    bool keyValueRepeatedForAttention =
        false;                   ///< K and V are expanded to all heads before the kernel
    double dropout = 0;          ///< > 0: masks are kept
    double logitsBytesKept = 6;  ///< bytes a logit kept for backward
    /// Bytes an element of what the MLP activation keeps under an FP8 or FP4 recipe.
    double activationInputBytes = 2;
    // overlap: fraction of the collective that compute of the same kind can hide
    double tensorOverlap = 0;
    double dataOverlap = 0;
    double pipelineOverlap = 0;            ///< of interleaved steady-state sends
    bool pipelineExchangeDoubled = false;  ///< send/recv built from a two-rank all-gather
    double overlapComputeTax = 0;          ///< slowdown of compute while it hides a collective
    double bucketBytes = 0;                ///< gradient bucket; 0: one collective
    // overheads
    units::Seconds
        hostLaunchPerKernel;         ///< host-side cost of an eager kernel; 0 for compiled graphs
    units::Seconds stepOverhead;     ///< data loading, logging, host synchronisation, per step
    double stragglerPerLogRank = 0;  ///< step time grows by this × ln(ranks)
    double computeSustained =
        1.0;  ///< share of time that the matrix engine is fed when nothing else waits
    // memory
    units::Bytes runtimeReserve;  ///< context, kernels, collective buffers, per rank
    double fragmentation = 0.05;  ///< of what is allocated, lost between blocks
};

[[nodiscard]] const StateBytes& states(const SoftwareProfile& p, Sharding s);

/// Ranks on one chip of this kind under this profile: computeUnits / physicalCoresPerRank for
/// NeuronCores, 1 for a GPU.
[[nodiscard]] int ranksPerChip(const SoftwareProfile& p, const machine::ChipSpec& chip);

}  // namespace trainwright::layout
