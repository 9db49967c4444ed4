// SPDX-License-Identifier: GPL-3.0-or-later
// What a model asks of any machine, and what a layout makes of it on one rank: the numbers that
// people reckon by hand and compare.
//
// Nothing here is a second model: counts come from workload/, shares from the layout's own rules.
#pragma once

#include "model/search/plan.h"

namespace trainwright::search {

struct ModelStudy {
    // parameters
    double total = 0, active = 0;    ///< a token passes `active` of them
    double embedding = 0, head = 0;  ///< head 0: tied
    double withoutEmbedding = 0;     ///< the N of 6N
    double expertsPerLayer = 0;      ///< routed experts of one layer; 0: dense
    double expertsPerLayerOnRank = 0;
    // arithmetic of one token, forward and backward
    units::Flop matrices;         ///< projections, MLP, router and head
    units::Flop attentionFull;    ///< over the whole square, or window
    units::Flop attentionCausal;  ///< half of the square
    units::Flop sixN;             ///< 6 × parameters without the input embedding, active ones
    units::Flop palm;             ///< 6N + 12·L·a·d·s
    // vocabulary
    double vocabulary = 0, paddedVocabulary = 0;
    units::Bytes logits;      ///< of a micro-batch on one rank in the activations' format
    units::Bytes logitsFp32;  ///< and their fp32 copy, where cross-entropy makes one
    // attention
    units::Bytes keyValueCache;  ///< of one sequence, 16 bits, the whole model
    int keyValueCopies = 1;      ///< ranks that hold the same key/value head
    // ranks
    int ranksPerChip = 1;
    int coresPerRank = 1;  ///< NeuronCores behind one rank
    long ranksPerUnit = 0;
    // Equation: Bubble of a pipeline of equal stages
    //     overhead = (p − 1) / (v·m)
    //     share = overhead / (1 + overhead)
    // p stages, v chunks of layers on each, m micro-batches; a plan's own bubble comes of the
    // schedule played through. Source: Narayanan et al. 2021, arXiv 2104.04473, section 2.2.
    double bubbleOverhead = 0;  ///< (p − 1) / (v·m), of the time without bubble
    double bubbleShare = 0;     ///< of the whole
    // money, where there is a price
    std::optional<units::UsDollars> perMillionTokens;
    std::optional<units::UsDollars> perTrillionTokens;
};

[[nodiscard]] ModelStudy studyModel(const PlanRequest& request, const CandidateRequest& candidate,
                                    const CandidateResult& result);

}  // namespace trainwright::search
