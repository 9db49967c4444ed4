// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/architecture.h"

#include <algorithm>

#include "model/workload/flops.h"

namespace trainwright::workload {

namespace {

double normParameters(const Architecture& a, double width) {
    switch (a.norm) {
        case Norm::LayerNorm:
            return 2.0 * width;
        case Norm::LayerNormNoBias:
        case Norm::RmsNorm:
            return width;
        case Norm::NonParametric:
            return 0.0;
    }
    return 0.0;
}

double attentionParameters(const Architecture& a) {
    const double h = a.hidden;
    double total = 0;
    if (a.latent) {
        const LatentAttention& l = *a.latent;
        const double heads = a.heads;
        const double queryHead = l.nopeHeadSize + l.ropeHeadSize;
        total += l.queryRank > 0 ? h * l.queryRank + l.queryRank + l.queryRank * heads * queryHead
                                 : h * heads * queryHead;
        total += h * (l.keyValueRank + l.ropeHeadSize) + l.keyValueRank;
        total += l.keyValueRank * heads * (l.nopeHeadSize + l.valueHeadSize);
        total += heads * l.valueHeadSize * h;
    } else {
        const double q = static_cast<double>(queryChannels(a));
        const double kv = static_cast<double>(keyValueChannels(a));
        total += h * q + 2.0 * h * kv + q * h;
        if (a.queryKeyValueBias) total += q + 2.0 * kv;
        if (a.queryKeyNorm) total += 2.0 * a.headSize;
    }
    if (a.linearBias) total += h;
    return total;
}

double mlpParameters(const Architecture& a, double width) {
    const double up = a.gatedMlp ? 2.0 : 1.0;
    double total = (up + 1.0) * a.hidden * width;
    if (a.linearBias) total += up * width + a.hidden;
    return total;
}

Finding impossible(std::string pattern, std::vector<Argument> arguments) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)}, {}};
}

}  // namespace

bool isMoeLayer(const Architecture& a, int layer) {
    if (!a.moe || layer < a.moe->leadingDenseLayers) return false;
    // Of each group of `interleaveStep` layers the last one is MoE.
    return (layer + 1) % a.moe->interleaveStep == 0;
}

int moeLayers(const Architecture& a) {
    int count = 0;
    for (int layer = 0; layer < a.layers; ++layer) count += isMoeLayer(a, layer) ? 1 : 0;
    return count;
}

ParameterCount countParameters(const Architecture& a, int positions) {
    ParameterCount c;
    const double h = a.hidden;
    c.embedding = static_cast<double>(a.vocabulary) * h;
    if (a.positional == Positional::Learned) {
        c.positional = static_cast<double>(positions > 0 ? positions : a.nativeContext) * h;
    }
    if (a.embeddingNorm) c.positional += normParameters(a, h);
    c.head = a.tiedEmbeddings ? 0.0 : c.embedding;
    c.attentionPerLayer = attentionParameters(a);
    if (a.positional == Positional::Relative) c.attentionPerLayer += h * h;
    c.denseMlpPerLayer = mlpParameters(a, a.ffn);
    c.normsPerLayer = a.normsPerLayer * normParameters(a, h);
    c.finalNorm = normParameters(a, h);
    const int moeCount = moeLayers(a);
    if (a.moe) {
        const double router = h * a.moe->experts;
        const double expert = mlpParameters(a, a.moe->expertFfn);
        c.moeMlpPerLayer = router + expert * (a.moe->experts + a.moe->sharedExperts);
        c.moeActivePerLayer = router + expert * (a.moe->topK + a.moe->sharedExperts);
    }
    const double denseCount = a.layers - moeCount;
    const double common = c.embedding + c.positional + c.head + c.finalNorm +
                          a.layers * (c.attentionPerLayer + c.normsPerLayer) +
                          denseCount * c.denseMlpPerLayer;
    c.total = common + moeCount * c.moeMlpPerLayer;
    c.active = common + moeCount * c.moeActivePerLayer;
    if (a.multiTokenHeads > 0) {
        const double mlp = a.moe ? c.moeMlpPerLayer : c.denseMlpPerLayer;
        c.multiToken = a.multiTokenHeads * (2.0 * h * h + 3.0 * normParameters(a, h) +
                                            c.attentionPerLayer + c.normsPerLayer + mlp);
    }
    return c;
}

namespace {

/// A token's experts lie in `routedGroups` of the `routingGroups` that share the experts evenly.
void validateRouting(const MixtureOfExperts& moe, std::vector<Finding>& findings) {
    const std::string groups = std::to_string(moe.routingGroups);
    const std::string routed = std::to_string(moe.routedGroups);
    if (moe.routingGroups < 1 || moe.experts % moe.routingGroups != 0) {
        findings.push_back(impossible("{1} `routing_groups` don't divide {2} experts.",
                                      {groups, std::to_string(moe.experts)}));
    } else if (moe.routedGroups < 1 || moe.routedGroups > moe.routingGroups) {
        findings.push_back(impossible("`routed_groups` is {1}; from 1 to the {2} `routing_groups`.",
                                      {routed, groups}));
    } else if (moe.routedGroups * (moe.experts / moe.routingGroups) < moe.topK) {
        findings.push_back(impossible(
            "{1} of {2} groups have {3} experts, fewer than `top_k`, which is {4}.",
            {routed, groups, std::to_string(moe.routedGroups * (moe.experts / moe.routingGroups)),
             std::to_string(moe.topK)}));
    }
}

}  // namespace

double keyValueCacheBytes(const Architecture& a, double tokens, double elementBytes) {
    const double channels =
        a.latent ? a.latent->keyValueRank + a.latent->ropeHeadSize
                 : 2.0 * static_cast<double>(keyValueChannels(a));
    double kept = 0;
    for (int layer = 0; layer < a.layers; ++layer) {
        const bool local = isLocalLayer(a, layer);
        kept += local ? std::min(tokens, static_cast<double>(a.pattern.window)) : tokens;
    }
    return channels * kept * elementBytes;
}

std::vector<Finding> validate(const Architecture& a) {
    std::vector<Finding> findings;
    const auto positive = [&](const char* key, int value) {
        if (value <= 0) {
            findings.push_back(impossible("`{1}` is {2}; a model needs at least 1.",
                                          {key, std::to_string(value)}));
        }
    };
    positive("layers", a.layers);
    positive("hidden", a.hidden);
    positive("heads", a.heads);
    positive("kv_heads", a.keyValueHeads);
    positive("head_size", a.headSize);
    positive("vocabulary", a.vocabulary);
    if (!a.moe || a.moe->leadingDenseLayers > 0) positive("ffn", a.ffn);
    if (a.heads > 0 && a.keyValueHeads > 0 && a.heads % a.keyValueHeads != 0) {
        findings.push_back(impossible("{1} key/value heads don't divide {2} heads.",
                                      {std::to_string(a.keyValueHeads), std::to_string(a.heads)}));
    }
    if (a.moe) {
        positive("experts", a.moe->experts);
        positive("top_k", a.moe->topK);
        positive("expert_ffn", a.moe->expertFfn);
        positive("interleave_step", a.moe->interleaveStep);
        if (a.moe->topK > a.moe->experts) {
            findings.push_back(
                impossible("`top_k` is {1}, more than the {2} experts there are.",
                           {std::to_string(a.moe->topK), std::to_string(a.moe->experts)}));
        }
        if (a.moe->routingGroups != 0 || a.moe->routedGroups != 0)
            validateRouting(*a.moe, findings);
    }
    return findings;
}

}  // namespace trainwright::workload
