// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/model_study.h"

#include <algorithm>

#include "model/layout/step.h"
#include "model/workload/flops.h"

namespace trainwright::search {

namespace {

constexpr double kHalfPrecisionBytes = 2;
constexpr double kFp32Bytes = 4;

}  // namespace

ModelStudy studyModel(const PlanRequest& request, const CandidateRequest& candidate,
                      const CandidateResult& result) {
    const workload::Architecture& a = request.architecture;
    const layout::Layout& l = result.layout;
    const double s = request.training.sequenceLength;
    ModelStudy out;

    const workload::ParameterCount c = workload::countParameters(a, static_cast<int>(s));
    out.total = c.total;
    out.active = c.active;
    out.embedding = c.embedding;
    out.head = c.head;
    // A tied table is the head's matrix, too.
    out.withoutEmbedding = (a.moe ? c.active : c.total) - (a.tiedEmbeddings ? 0.0 : c.embedding);
    if (a.moe) {
        out.expertsPerLayer = (a.gatedMlp ? 3.0 : 2.0) * a.hidden *
                              static_cast<double>(a.moe->expertFfn) * a.moe->experts;
        out.expertsPerLayerOnRank =
            out.expertsPerLayer / (static_cast<double>(l.expert) * l.tensorOfExperts());
    }

    out.vocabulary = a.vocabulary;
    out.paddedVocabulary = layout::paddedVocabulary(a, candidate.profile, l.tensor);
    const workload::ForwardFlop f = workload::forwardFlop(a, 1, s, out.paddedVocabulary);
    const auto perToken = [&](double forward) { return units::Flop(3.0 * forward / s); };
    out.matrices = perToken(f.projections + f.mlp + f.router + f.head);
    out.attentionFull = perToken(f.attentionFull);
    out.attentionCausal = perToken(f.attentionCausal);
    out.sixN = units::Flop(6.0 * out.withoutEmbedding);
    out.palm =
        workload::palmFlopPerToken(a.moe ? c.active : c.total, a.layers, a.heads, a.headSize, s);
    const double logits =
        l.microBatch * s / l.context * out.paddedVocabulary / std::max(1, l.tensor);
    out.logits = units::Bytes(kHalfPrecisionBytes * logits);
    out.logitsFp32 = units::Bytes(kFp32Bytes * logits);

    out.keyValueCache = units::Bytes(workload::keyValueCacheBytes(a, s, kHalfPrecisionBytes));
    if (!a.latent && a.keyValueHeads > 0)
        out.keyValueCopies = std::max(1, l.tensor / a.keyValueHeads);

    out.ranksPerChip = layout::ranksPerChip(candidate.profile, candidate.system.chip);
    out.coresPerRank = candidate.profile.rankUnit == layout::RankUnit::Gpu
                           ? 1
                           : candidate.profile.physicalCoresPerRank;
    out.ranksPerUnit = static_cast<long>(candidate.system.chipsPerUnit) * out.ranksPerChip;

    const double waits = l.pipeline - 1.0;
    const double works =
        static_cast<double>(l.virtualStages) * static_cast<double>(std::max(1L, l.microBatches));
    out.bubbleOverhead = waits / works;
    out.bubbleShare = waits / (waits + works);

    if (result.run.money.total && request.training.tokens > 0) {
        const double each = result.run.money.total->value() / request.training.tokens;
        out.perMillionTokens = units::UsDollars(each * 1e6);
        out.perTrillionTokens = units::UsDollars(each * 1e12);
    }
    return out;
}

}  // namespace trainwright::search
