// SPDX-License-Identifier: GPL-3.0-or-later
// The shape of a language model: what its configuration file says, nothing of how it is trained.
//
// Invariant (checked by validate): positive sizes, kv_heads divides heads, top_k <= experts.
// Vision and audio towers are not part of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::workload {

enum class Norm { LayerNorm, LayerNormNoBias, RmsNorm, NonParametric };
enum class Positional { None, Rotary, Learned, Alibi, Relative };

/// Mixture of experts. Dense layers keep Architecture::ffn.
struct MixtureOfExperts {
    int experts = 0;
    int topK = 0;
    int sharedExperts = 0;
    int expertFfn = 0;           ///< width of one routed (and of one shared) expert
    int leadingDenseLayers = 0;  ///< the first layers that stay dense
    int interleaveStep =
        1;  ///< every n-th layer is MoE (2: alternate layers, as in Llama 4 Maverick)
    int routingGroups = 0;  ///< experts are dealt into so many groups (usually one a host); 0: none
    int routedGroups = 0;   ///< of which a token may visit so many
    friend bool operator==(const MixtureOfExperts&, const MixtureOfExperts&) = default;
};

/// Multi-head latent attention (DeepSeek-V2, arXiv 2405.04434). queryRank 0 means a plain query
/// projection.
struct LatentAttention {
    int queryRank = 0;
    int keyValueRank = 0;
    int nopeHeadSize = 0;
    int ropeHeadSize = 0;
    int valueHeadSize = 0;
    friend bool operator==(const LatentAttention&, const LatentAttention&) = default;
};

/// Layers that attend only to a window. localPerPeriod of each `period` layers are local.
struct AttentionPattern {
    int window = 0;  ///< tokens; 0: every layer attends to the whole sequence
    int period = 1;
    int localPerPeriod = 0;
    friend bool operator==(const AttentionPattern&, const AttentionPattern&) = default;
};

struct Architecture {
    std::string id;
    std::string family;
    int layers = 0;
    int hidden = 0;
    int heads = 0;
    int keyValueHeads = 0;
    int headSize = 0;  ///< for latent attention: nope + rope
    int ffn = 0;
    int vocabulary = 0;
    int nativeContext = 0;
    bool gatedMlp = false;
    bool tiedEmbeddings = false;
    bool causal = true;              ///< false for bidirectional encoders
    bool linearBias = false;         ///< biases on attention output and MLP projections
    bool queryKeyValueBias = false;  ///< biases on the query/key/value projection
    bool queryKeyNorm = false;
    bool parallelBlock = false;  ///< attention and MLP read the same norm (Falcon, GPT-NeoX, PaLM)
    int normsPerLayer = 2;
    bool embeddingNorm = false;  ///< a norm straight after the embedding (BLOOM)
    Norm norm = Norm::RmsNorm;
    Positional positional = Positional::Rotary;
    AttentionPattern pattern;
    std::optional<MixtureOfExperts> moe;
    std::optional<LatentAttention> latent;
    int multiTokenHeads = 0;         ///< extra multi-token-prediction modules, one layer each
    double publishedParameters = 0;  ///< as its authors print it, in parameters; 0 if not stated
    double publishedActiveParameters = 0;

    friend bool operator==(const Architecture&, const Architecture&) = default;
};

/// Number of key/value head channels K: keyValueHeads · headSize; query channels Q: heads ·
/// headSize.
[[nodiscard]] inline long queryChannels(const Architecture& a) {
    return static_cast<long>(a.heads) * a.headSize;
}
[[nodiscard]] inline long keyValueChannels(const Architecture& a) {
    return static_cast<long>(a.keyValueHeads) * a.headSize;
}

[[nodiscard]] bool isMoeLayer(const Architecture& a, int layer);
[[nodiscard]] int moeLayers(const Architecture& a);

/// Parameters by part. All counts are exact integers held in doubles (below 2^53).
struct ParameterCount {
    double embedding = 0;   ///< input embedding, without vocabulary padding
    double positional = 0;  ///< learned positions
    double head = 0;        ///< output projection; 0 when tied
    double attentionPerLayer = 0;
    double denseMlpPerLayer = 0;
    double moeMlpPerLayer = 0;     ///< router, shared and all routed experts
    double moeActivePerLayer = 0;  ///< router, shared and top_k routed experts
    double normsPerLayer = 0;
    double finalNorm = 0;
    double multiToken = 0;
    double total = 0;
    double active = 0;  ///< parameters a token passes through, embedding counted
};

/// Parameters of `a`. For learned positions the sequence length decides their number
/// (`positions` <= 0 takes the native context).
[[nodiscard]] ParameterCount countParameters(const Architecture& a, int positions = 0);

/// Bytes of the keys and values of one sequence of `tokens` tokens in all layers, `elementBytes`
/// each: keyValueHeads heads of K and of V (not one for each query head), the compressed latent and
/// the shared rotary key with latent attention, the window alone in layers that attend locally.
[[nodiscard]] double keyValueCacheBytes(const Architecture& a, double tokens, double elementBytes);

/// What is impossible about `a`; empty when sound.
[[nodiscard]] std::vector<Finding> validate(const Architecture& a);

}  // namespace trainwright::workload
