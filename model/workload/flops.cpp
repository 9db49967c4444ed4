// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/flops.h"

#include <algorithm>

namespace trainwright::workload {

bool isLocalLayer(const Architecture& a, int layer) {
    if (a.pattern.window <= 0 || a.pattern.period <= 0) return false;
    return layer % a.pattern.period < a.pattern.localPerPeriod;
}

AttendedTokens attendedTokens(const Architecture& a, int layer, double length) {
    AttendedTokens t;
    const double window =
        isLocalLayer(a, layer) ? std::min<double>(a.pattern.window, length) : length;
    t.full = window;
    // Query i of a causal layer sees min(i, window) tokens: the mean over the sequence, half a
    // square when the window is the sequence.
    t.causal = a.causal ? window - window * window / (2.0 * length) : window;
    return t;
}

ForwardFlop forwardFlop(const Architecture& a, double sequences, double length,
                        double paddedVocabulary) {
    ForwardFlop f;
    const double tokens = sequences * length;
    const double h = a.hidden;
    const double up = a.gatedMlp ? 2.0 : 1.0;
    double projectionColumns = 0;  // sum of K·N over the projections of one layer
    double scoreChannels = 0;      // channels of the score product plus those of the value product
    if (a.latent) {
        const LatentAttention& l = *a.latent;
        const double heads = a.heads;
        const double queryHead = l.nopeHeadSize + l.ropeHeadSize;
        projectionColumns += l.queryRank > 0 ? h * l.queryRank + l.queryRank * heads * queryHead
                                             : h * heads * queryHead;
        projectionColumns += h * (l.keyValueRank + l.ropeHeadSize) +
                             l.keyValueRank * heads * (l.nopeHeadSize + l.valueHeadSize) +
                             heads * l.valueHeadSize * h;
        scoreChannels = heads * (queryHead + l.valueHeadSize);
    } else {
        const double q = static_cast<double>(queryChannels(a));
        const double kv = static_cast<double>(keyValueChannels(a));
        projectionColumns = 2.0 * h * q + 2.0 * h * kv;
        scoreChannels = 2.0 * q;
    }
    f.projections = 2.0 * tokens * projectionColumns * a.layers;
    for (int layer = 0; layer < a.layers; ++layer) {
        const AttendedTokens attended = attendedTokens(a, layer, length);
        f.attentionFull += 2.0 * tokens * attended.full * scoreChannels;
        f.attentionCausal += 2.0 * tokens * attended.causal * scoreChannels;
        if (isMoeLayer(a, layer)) {
            const MixtureOfExperts& moe = *a.moe;
            f.mlp += 2.0 * tokens * (up + 1.0) * h * moe.expertFfn * (moe.topK + moe.sharedExperts);
            f.router += 2.0 * tokens * h * moe.experts;
        } else {
            f.mlp += 2.0 * tokens * (up + 1.0) * h * a.ffn;
        }
    }
    f.head = 2.0 * tokens * h * (paddedVocabulary > 0 ? paddedVocabulary : a.vocabulary);
    return f;
}

units::Flop megatron2021Flop(double batch, double length, double layers, double hidden,
                             double vocabulary) {
    return units::Flop(96.0 * batch * length * layers * hidden * hidden *
                       (1.0 + length / (6.0 * hidden) + vocabulary / (16.0 * layers * hidden)));
}

units::Flop megatron2022ModelFlop(double batch, double length, double layers, double hidden,
                                  double vocabulary) {
    return units::Flop(72.0 * batch * layers * length * hidden * hidden *
                       (1.0 + length / (6.0 * hidden) + vocabulary / (12.0 * hidden * layers)));
}

units::Flop megatron2022HardwareFlop(double batch, double length, double layers, double hidden,
                                     double vocabulary) {
    return units::Flop(72.0 * batch * layers * length * hidden * hidden *
                       (1.0 + length / (3.0 * hidden) + vocabulary / (12.0 * hidden * layers)));
}

units::Flop palmFlopPerToken(double parameters, double layers, double heads, double headSize,
                             double length) {
    return units::Flop(6.0 * parameters + 12.0 * layers * heads * headSize * length);
}

}  // namespace trainwright::workload
