// SPDX-License-Identifier: GPL-3.0-or-later
// A layer as the list of operators that one rank runs for one micro-batch.
//
// Each operator knows its arithmetic, the bytes it moves through HBM, the kernels it launches and
// the bytes it keeps for the backward pass. How long it takes is the machine's business
// (machine/roofline.h), how often it runs the layout's. Raw doubles with the unit in the name: this
// feeds an inner loop.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "model/workload/architecture.h"

namespace trainwright::workload {

enum class OperatorKind { Gemm, Attention, Vector };

/// Groups that selective recompute can name; a set is a bit mask.
enum RecomputeGroup : unsigned {
    kNoGroup = 0,
    kNorm = 1U << 0U,
    kCoreAttention = 1U << 1U,
    kMlpActivation = 1U << 2U,
    kMlp = 1U << 3U,
    kMoe = 1U << 4U,
    kSharedExperts = 1U << 5U,
    kLatentUp = 1U << 6U,  ///< query, key and value up-projections of latent attention
};

/// "core_attention", "norm", "mlp_activation", "mlp", "moe", "shared_experts", "latent_up": the
/// group of that name, kNoGroup for any other.
[[nodiscard]] RecomputeGroup recomputeGroup(std::string_view name);
/// The mask of all of them.
[[nodiscard]] unsigned recomputeGroups(const std::vector<std::string>& names);
/// Every name that recomputeGroup knows, in the order of the groups.
[[nodiscard]] const std::vector<std::string_view>& recomputeGroupNames();
/// Names of the groups of a mask, with " + " between them.
[[nodiscard]] std::string recomputeGroupsText(unsigned groups);

struct KeptTensor {
    double bytes = 0;
    unsigned droppedIn = kNoGroup;  ///< selective groups under which it is not kept
};

struct Operator {
    const char* name = "";  ///< in English, fixed for the whole program
    OperatorKind kind = OperatorKind::Vector;
    bool recipeDtype = false;    ///< runs in the low-precision dtype of an FP8/FP4 recipe
    double m = 0, n = 0, k = 0;  ///< one GEMM of the batch: output m×n, reduction k
    double count = 1;            ///< GEMMs in the batch
    double forwardFlop = 0;      ///< attention only; a GEMM's follows from m, n, k, count
    double backwardFlop = 0;
    double attentionSpan = 0;     ///< attention only: keys one query block walks over
    double independentTiles = 0;  ///< attention only: query blocks that can run in parallel
    double forwardBytes = 0;      ///< vector and attention; a GEMM's follows from its extents
    double backwardBytes = 0;
    double forwardKernels = 1;
    double backwardKernels = 1;
    bool oneByOne = false;             ///< a GEMM whose batch is a kernel for each of `count`
    bool trained = true;               ///< a GEMM with weights: backward has a weight gradient
    unsigned rerunIn = kNoGroup;       ///< selective groups under which its forward runs again
    std::array<KeptTensor, 3> kept{};  ///< unused ones hold no bytes
    void keep(KeptTensor tensor);      ///< in the next free place
};

/// How a context rank's attention kernel sees the sequence: its own queries against one block of
/// keys after another, against all keys at once, or a share of the heads over the whole sequence.
enum class ContextSplit { Ring, Gathered, Heads };

/// How one rank's share of a micro-batch is cut.
struct Shard {
    double microBatch = 1;  ///< sequences
    double sequence = 0;    ///< tokens of a whole sequence
    int tensor = 1;
    int context = 1;
    int expert = 1;
    int expertTensor = 1;
    bool sequenceParallel = false;
    double expertImbalance = 1;  ///< busiest rank's routed tokens (or slots) over the mean
    ContextSplit contextSplit = ContextSplit::Ring;
    bool contextBalanced = true;  ///< causal work is dealt evenly over the context ranks
};

/// Which kernels exist, from the software profile.
struct Kernels {
    bool flashAttention = true;
    bool causalSkipping = true;
    bool fusedSoftmax = true;
    int fusedSoftmaxMultiple = 1;  ///< heads times sequences that the fused softmax must find
    bool fusedNormResidual = true;
    bool fusedCrossEntropy = false;
    bool keyValueRepeated = false;  ///< K and V are expanded to all query heads before the kernel
    double dropout = 0;
    double logitsBytesKept = 6;
    double elementBytes = 2;          ///< of activations
    bool casts = false;               ///< an FP8/FP4 recipe quantises the inputs of its GEMMs
    double activationInputBytes = 2;  ///< an element of what the MLP activation keeps
    double castBytes = 1;             ///< bytes an element in its dtype
    bool groupedGemms = true;         ///< one kernel for the GEMMs of all local experts
    double mixtureKernels = 0;        ///< small kernels of routing and permutation, a pass
    int castReads = 1;  ///< passes over an input before it is written: 2 where the largest
                        ///< magnitude is looked for first
};

enum class LayerKind { Dense, Moe };

/// Channels of K (and of V) that one tensor rank holds: heads are replicated when t exceeds them.
[[nodiscard]] double keyValueChannelsPerRank(const Architecture& a, int tensor);

/// Operators of one layer. `layer` decides the attention window; `kind` its MLP.
[[nodiscard]] std::vector<Operator> layerOperators(const Architecture& a, LayerKind kind, int layer,
                                                   const Shard& shard, const Kernels& kernels);
/// The input embedding's, on the first stage.
[[nodiscard]] std::vector<Operator> embeddingOperators(const Architecture& a, const Shard& shard,
                                                       const Kernels& kernels);
/// What one multi-token-prediction module adds to its layer: norms and the projection that joins
/// the hidden state with the next token's embedding (DeepSeek-V3, arXiv 2412.19437, section 2.2).
[[nodiscard]] std::vector<Operator> multiTokenOperators(const Architecture& a, const Shard& shard,
                                                        const Kernels& kernels);
/// Final norm, output projection and loss, on the last stage.
[[nodiscard]] std::vector<Operator> headOperators(const Architecture& a, double paddedVocabulary,
                                                  const Shard& shard, const Kernels& kernels);

/// Bytes kept for the backward pass when the groups of `recomputed` are recomputed.
[[nodiscard]] double keptBytes(const std::vector<Operator>& operators, unsigned recomputed);

}  // namespace trainwright::workload
