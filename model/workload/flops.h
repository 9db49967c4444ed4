// SPDX-License-Identifier: GPL-3.0-or-later
// FLOPs of a training step under the conventions that publications use.
//
// A multiply-add is 2 FLOP. Vector operations (norms, softmax, activations) are not counted, as in
// all the conventions here. The first group counts an Architecture; the second gives the closed
// forms of the papers, which the counts must equal to the last FLOP where they describe the same
// model.
#pragma once

#include "model/units/quantity.h"
#include "model/workload/architecture.h"

namespace trainwright::workload {

/// Matrix FLOPs of the forward pass, for `sequences` sequences of `length` tokens.
struct ForwardFlop {
    double projections = 0;  ///< query/key/value and output projections
    double mlp = 0;          ///< dense, shared and routed experts that tokens really pass
    double router = 0;
    double attentionFull = 0;    ///< scores and values over the whole square (or window)
    double attentionCausal = 0;  ///< half of it for causal models
    double head = 0;             ///< output projection over `vocabulary` columns
    [[nodiscard]] double withFullAttention() const {
        return projections + mlp + router + attentionFull + head;
    }
    [[nodiscard]] double withCausalAttention() const {
        return projections + mlp + router + attentionCausal + head;
    }
};

/// `paddedVocabulary` <= 0 takes the architecture's own.
[[nodiscard]] ForwardFlop forwardFlop(const Architecture& a, double sequences, double length,
                                      double paddedVocabulary = 0);

/// Tokens that one query attends to on average in a layer: over the whole square, and causally.
struct AttendedTokens {
    double full = 0;
    double causal = 0;
};
[[nodiscard]] AttendedTokens attendedTokens(const Architecture& a, int layer, double length);
[[nodiscard]] bool isLocalLayer(const Architecture& a, int layer);

/// Equation: FLOPs of a training step of a GPT, with full recompute
///     F = 96·B·s·l·h²·(1 + s/(6h) + V/(16·l·h))
/// B sequences of length s, l layers of hidden size h, vocabulary V; multiply and add count as two.
/// The operators' own sum is held against it. Source: Narayanan et al. 2021, arXiv 2104.04473,
/// eq. 3.
[[nodiscard]] units::Flop megatron2021Flop(double batch, double length, double layers,
                                           double hidden, double vocabulary);
/// Equation: Model FLOPs of a training step of a GPT
///     F = 72·B·L·s·h²·(1 + s/(6h) + V/(12·h·L))
/// Without recompute. Source: Korthikanti et al. 2022, arXiv 2205.05198, eq. 7.
[[nodiscard]] units::Flop megatron2022ModelFlop(double batch, double length, double layers,
                                                double hidden, double vocabulary);
/// Equation: Hardware FLOPs of a training step of a GPT with selective recompute
///     F = 72·B·L·s·h²·(1 + s/(3h) + V/(12·h·L))
/// Source: Korthikanti et al. 2022, arXiv 2205.05198, eq. 8.
[[nodiscard]] units::Flop megatron2022HardwareFlop(double batch, double length, double layers,
                                                   double hidden, double vocabulary);
/// Equation: Model FLOPs of a token as PaLM counts them
///     F = 6N + 12·L·H·Q·T
/// N parameters without the embedding, L layers, H heads of size Q, sequence length T; attention
/// over the whole square. The second of the two conventions of MFU. Source: Chowdhery et al. 2022,
/// arXiv 2204.02311, appendix B.
[[nodiscard]] units::Flop palmFlopPerToken(double parameters, double layers, double heads,
                                           double headSize, double length);

}  // namespace trainwright::workload
