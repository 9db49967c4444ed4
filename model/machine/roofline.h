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

/// Rounds of `units` that `x` = tiles / units take: 1 for one tile, x + 1/2 for many (a partly
/// filled last round costs a whole one, half on average), smooth and rising between.
[[nodiscard]] double waves(double x);

/// A batch of `count` GEMMs, output m×n, reduction k, in `dtype`; inputs of `inputBytes` an
/// element, output of `outputBytes`. The fastest of the chip's tiles is taken, as matrix libraries
/// do.
[[nodiscard]] OperatorTime gemmTime(const RankSpec& rank, Dtype dtype, double m, double n, double k,
                                    double count, double inputBytes, double outputBytes);

/// Bytes through HBM of that GEMM, each operand once.
[[nodiscard]] double gemmBytes(double m, double n, double k, double count, double inputBytes,
                               double outputBytes);

/// A fused attention kernel: `flop` of arithmetic over `tiles` independent query blocks, each
/// walking over `span` keys.
[[nodiscard]] OperatorTime attentionTime(const RankSpec& rank, Dtype dtype, bool backward,
                                         double flop, double bytes, double span, double tiles);

/// A kernel that only moves bytes, launched as `kernels` kernels.
[[nodiscard]] OperatorTime vectorTime(const RankSpec& rank, double bytes, double kernels);

}  // namespace trainwright::machine
