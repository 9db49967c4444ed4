// SPDX-License-Identifier: GPL-3.0-or-later
// How long one rank takes for one operator: the roofline, with the fill of tiles and waves.
//
// Time never falls when work grows (m, n, k, batch or bytes), so that a search can't sit on an edge
// of the model; a property test holds it to that. All constants are the chip's, from the catalog.
#pragma once

#include <array>
#include <vector>

#include "model/machine/machine.h"

namespace trainwright::machine {

/// One rank's share of a chip. Raw doubles in base units: this is read in inner loops.
struct RankSpec {
    std::array<double, kDtypeCount> engineFlopPerSecond{};
    std::array<double, kDtypeCount> gemmCeiling{};
    double sustained = 1;  ///< clock under the power limit × share of time that the engine is fed
    double attentionForwardCeiling = 0;
    double attentionBackwardCeiling = 0;
    double attentionHalfSpan = 0;
    double bytesPerSecond = 0;  ///< HBM bandwidth × its ceiling
    double halfBytes = 0;
    double units = 1;  ///< compute units of the rank
    double depthHalf = 0;
    double launchSeconds = 0;
    double hbmBytes = 0;
    std::vector<GemmTile> tiles;
};

/// `fed`: share of time that the software keeps the engine fed when nothing else waits.
[[nodiscard]] RankSpec rankOf(const ChipSpec& chip, int ranksPerChip, double fed = 1.0);

enum class Limit { Compute, Memory, Launch };

struct OperatorTime {
    double seconds = 0;  ///< launch included
    Limit limit = Limit::Compute;
};

/// Equation: Rounds of a kernel's tiles over the compute units
///     w(x) = (1 + x⁴)^(1/4) + x / (2·(1 + x))
/// x = tiles / units. 1 for one tile, x + 1/2 for many (a partly filled last round costs a whole
/// one, half on average), smooth and rising between. Source: this project's smooth form of wave
/// quantization, which NVIDIA's guide to matrix multiplication performance describes.
[[nodiscard]] double waves(double x);

/// Equation: Time of a GEMM
///     t = max(w(T / U) · 2·a·b·(k + k½) / r, (B + B½) / W) + launch
/// T tiles of a×b over U compute units, reduction k, rate r of one unit at the dtype's peak less
/// ceiling and power limit, B bytes through memory at the bandwidth W that large transfers reach;
/// k½ and B½ are what short loops and small transfers cost. The roofline: whichever is longer
/// decides. Source: Williams, Waterman and Patterson 2009, CACM 52(4):65; the half-sizes are
/// catalog figures.
///
/// A batch of `count` GEMMs, output m×n, reduction k, in `dtype`; inputs of `inputBytes` an
/// element, output of `outputBytes`. The fastest of the chip's tiles is taken, as matrix libraries
/// do.
[[nodiscard]] OperatorTime gemmTime(const RankSpec& rank, Dtype dtype, double m, double n, double k,
                                    double count, double inputBytes, double outputBytes);

/// Bytes through HBM of that GEMM, each operand once.
[[nodiscard]] double gemmBytes(double m, double n, double k, double count, double inputBytes,
                               double outputBytes);

/// Equation: Time of fused attention
///     t = max(F / r · (1 + s½ / s) · w(x) / x, (B + B½) / W) + launch
/// F FLOPs at the rate r that the kernel reaches over long spans, s keys that a query walks over,
/// s½ the span at which half of it is reached, x query blocks over compute units. Source: the
/// blocking of FlashAttention-2, Dao 2023, arXiv 2307.08691; r and s½ are catalog figures.
///
/// A fused attention kernel: `flop` of arithmetic over `tiles` independent query blocks, each
/// walking over `span` keys.
[[nodiscard]] OperatorTime attentionTime(const RankSpec& rank, Dtype dtype, bool backward,
                                         double flop, double bytes, double span, double tiles);

/// A kernel that only moves bytes, launched as `kernels` kernels.
[[nodiscard]] OperatorTime vectorTime(const RankSpec& rank, double bytes, double kernels);

}  // namespace trainwright::machine
