// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/machine/roofline.h"

#include <algorithm>
#include <cmath>

namespace trainwright::machine {

namespace {

OperatorTime limited(double compute, double memory, double launch) {
    OperatorTime t;
    const double body = std::max(compute, memory);
    t.seconds = body + launch;
    t.limit = launch > body ? Limit::Launch : (memory > compute ? Limit::Memory : Limit::Compute);
    return t;
}

double memorySeconds(const RankSpec& rank, double bytes) {
    return bytes > 0 ? (bytes + rank.halfBytes) / rank.bytesPerSecond : 0.0;
}

std::size_t index(Dtype d) {
    return static_cast<std::size_t>(d);
}

}  // namespace

RankSpec rankOf(const ChipSpec& chip, int ranksPerChip, double fed) {
    RankSpec r;
    const double share = 1.0 / ranksPerChip;
    for (std::size_t i = 0; i < kDtypeCount; ++i) {
        r.engineFlopPerSecond[i] = chip.enginePeak[i].value() * share;
        r.gemmCeiling[i] = chip.compute.gemmCeiling[i];
    }
    r.sustained = chip.compute.sustainedFraction * fed;
    r.attentionForwardCeiling = chip.compute.attentionForwardCeiling;
    r.attentionBackwardCeiling = chip.compute.attentionBackwardCeiling;
    r.attentionHalfSpan = chip.compute.attentionHalfSpan;
    r.bytesPerSecond = chip.hbmBandwidth.value() * share * chip.compute.memoryCeiling;
    r.halfBytes = chip.compute.memoryHalfBytes;
    r.units = std::max(1.0, chip.computeUnits * share);
    r.depthHalf = chip.compute.gemmDepthHalf;
    r.launchSeconds = chip.compute.kernelLaunch.value();
    r.hbmBytes = chip.hbmCapacity.value() * share;
    r.tiles = chip.compute.tiles;
    return r;
}

double waves(double x) {
    const double x2 = x * x;
    return std::sqrt(std::sqrt(1.0 + x2 * x2)) + 0.5 * x / (1.0 + x);
}

double gemmBytes(double m, double n, double k, double count, double inputBytes,
                 double outputBytes) {
    return count * (inputBytes * (m * k + k * n) + outputBytes * m * n);
}

OperatorTime gemmTime(const RankSpec& rank, Dtype dtype, double m, double n, double k, double count,
                      double inputBytes, double outputBytes) {
    const double unitRate = rank.engineFlopPerSecond[index(dtype)] *
                            rank.gemmCeiling[index(dtype)] * rank.sustained / rank.units;
    double best = INFINITY;
    for (const GemmTile& tile : rank.tiles) {
        const double tiles = count * std::ceil(m / tile.m) * std::ceil(n / tile.n);
        const double tileSeconds =
            2.0 * tile.m * tile.n * (k + rank.depthHalf) / (unitRate * tile.relativeRate);
        best = std::min(best, waves(tiles / rank.units) * tileSeconds);
    }
    return limited(best, memorySeconds(rank, gemmBytes(m, n, k, count, inputBytes, outputBytes)),
                   rank.launchSeconds);
}

OperatorTime attentionTime(const RankSpec& rank, Dtype dtype, bool backward, double flop,
                           double bytes, double span, double tiles) {
    const double ceiling = backward ? rank.attentionBackwardCeiling : rank.attentionForwardCeiling;
    const double rate = rank.engineFlopPerSecond[index(dtype)] * ceiling * rank.sustained;
    const double x = tiles / rank.units;
    const double compute = flop / rate * (1.0 + rank.attentionHalfSpan / span) * (waves(x) / x);
    return limited(compute, memorySeconds(rank, bytes),
                   rank.launchSeconds * (backward ? 2.0 : 1.0));
}

OperatorTime vectorTime(const RankSpec& rank, double bytes, double kernels) {
    return limited(
        0.0, memorySeconds(rank, bytes) + (kernels - 1) * rank.halfBytes / rank.bytesPerSecond,
        rank.launchSeconds * kernels);
}

}  // namespace trainwright::machine
