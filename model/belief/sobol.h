// SPDX-License-Identifier: GPL-3.0-or-later
// Evenly spread points for sampling: a Sobol sequence, and normal quantiles to map it with.
//
// The first 2^k points of a dimension fall one into each of the 2^k equal parts of [0, 1), and so
// do any 2^k that follow a multiple of 2^k. A seed flips the same digits of every point of a
// dimension (a digital shift), which keeps that and moves the points: the same seed gives the same
// points, another seed others that are as even. Nothing here is random, and nothing keeps state
// but the object that is asked.
#pragma once

#include <array>
#include <cstdint>

namespace trainwright::belief {

inline constexpr int kSobolDimensions = 32;

/// One coordinate of the sequence, point after point.
///
/// Direction numbers: S. Joe and F. Y. Kuo, "Constructing Sobol sequences with better
/// two-dimensional projections", SIAM J. Sci. Comput. 30 (2008) 2635-2654, search criterion D6. The
/// points come in Gray-code order (Antonov and Saleev 1979): of any aligned run of 2^k points the
/// same ones, in another order.
class SobolDimension {
public:
    /// `dimension` from 0, below kSobolDimensions.
    SobolDimension(int dimension, std::uint32_t seed);

    /// The middle of the point's own cell of width 2^-32: never 0, never 1.
    [[nodiscard]] double next();

private:
    std::array<std::uint32_t, 32> directions_{};
    std::uint32_t point_ = 0;
    std::uint32_t index_ = 0;
};

/// The standard normal deviate that is exceeded with probability 1 − p, for p in (0, 1); absolute
/// error below 1e-9. A first guess (Abramowitz and Stegun 1964, 26.2.23) and one step of Halley's
/// on the tail that std::erfc gives.
[[nodiscard]] double normalQuantile(double p);

}  // namespace trainwright::belief
