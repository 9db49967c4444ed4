// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/sobol.h"

#include <bit>
#include <cassert>
#include <cmath>
#include <numbers>

namespace trainwright::belief {

namespace {

constexpr int kBits = 32;

/// A primitive polynomial over GF(2), x^degree + … + 1 with the inner coefficients as the bits of
/// `inner`, and the first odd direction integers.
struct Generator {
    int degree = 0;
    std::uint32_t inner = 0;
    std::array<std::uint32_t, 7> start{};
};

/// Of every dimension after the first, whose points are the numbers' own bits reversed.
constexpr std::array<Generator, kSobolDimensions - 1> kGenerators = {{
    {1, 0, {1}},
    {2, 1, {1, 3}},
    {3, 1, {1, 3, 1}},
    {3, 2, {1, 1, 1}},
    {4, 1, {1, 1, 3, 3}},
    {4, 4, {1, 3, 5, 13}},
    {5, 2, {1, 1, 5, 5, 17}},
    {5, 4, {1, 1, 5, 5, 5}},
    {5, 7, {1, 1, 7, 11, 19}},
    {5, 11, {1, 1, 5, 1, 1}},
    {5, 13, {1, 1, 1, 3, 11}},
    {5, 14, {1, 3, 5, 5, 31}},
    {6, 1, {1, 3, 3, 9, 7, 49}},
    {6, 13, {1, 1, 1, 15, 21, 21}},
    {6, 16, {1, 3, 1, 13, 27, 49}},
    {6, 19, {1, 1, 1, 15, 7, 5}},
    {6, 22, {1, 3, 1, 15, 13, 25}},
    {6, 25, {1, 1, 5, 5, 19, 61}},
    {7, 1, {1, 3, 7, 11, 23, 15, 103}},
    {7, 4, {1, 3, 7, 13, 13, 15, 69}},
    {7, 7, {1, 1, 3, 13, 7, 35, 63}},
    {7, 8, {1, 3, 5, 9, 1, 25, 53}},
    {7, 14, {1, 3, 1, 13, 9, 35, 107}},
    {7, 19, {1, 3, 1, 5, 27, 61, 31}},
    {7, 21, {1, 1, 5, 11, 19, 41, 61}},
    {7, 28, {1, 3, 5, 3, 3, 13, 69}},
    {7, 31, {1, 1, 7, 13, 1, 19, 1}},
    {7, 32, {1, 3, 7, 5, 13, 19, 59}},
    {7, 37, {1, 1, 3, 9, 25, 29, 41}},
    {7, 41, {1, 3, 5, 13, 23, 1, 55}},
    {7, 42, {1, 3, 7, 3, 13, 59, 17}},
}};

/// A number that looks like chance, of the seed and the dimension (Steele, Lea and Flood 2014).
std::uint32_t mixed(std::uint32_t seed, int dimension) {
    std::uint64_t z = (std::uint64_t{seed} << 32U) + static_cast<std::uint64_t>(dimension);
    z += 0x9e3779b97f4a7c15U;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<std::uint32_t>((z ^ (z >> 31U)) >> 32U);
}

}  // namespace

SobolDimension::SobolDimension(int dimension, std::uint32_t seed) : point_(mixed(seed, dimension)) {
    assert(dimension >= 0 && dimension < kSobolDimensions);
    if (dimension == 0) {
        for (std::size_t i = 0; i < kBits; ++i) directions_[i] = 1U << (kBits - 1 - i);
        return;
    }
    const Generator& g = kGenerators[static_cast<std::size_t>(dimension) - 1];
    const auto degree = static_cast<std::size_t>(g.degree);
    for (std::size_t i = 0; i < kBits; ++i) {
        std::uint32_t& v = directions_[i];
        if (i < degree) {
            v = g.start[i] << (kBits - 1 - i);
            continue;
        }
        v = directions_[i - degree] ^ (directions_[i - degree] >> degree);
        for (std::size_t k = 1; k < degree; ++k)
            if (((g.inner >> (degree - 1 - k)) & 1U) != 0) v ^= directions_[i - k];
    }
}

double SobolDimension::next() {
    constexpr double kCell = 1.0 / 4294967296.0;
    const double value = (static_cast<double>(point_) + 0.5) * kCell;
    const int flipped = std::countr_one(index_);
    if (flipped < kBits) point_ ^= directions_[static_cast<std::size_t>(flipped)];
    ++index_;
    return value;
}

double normalQuantile(double p) {
    assert(p > 0 && p < 1);
    const bool upper = p > 0.5;
    const double tail = upper ? 1 - p : p;
    const double t = std::sqrt(-2 * std::log(tail));
    double x = t - (2.515517 + t * (0.802853 + t * 0.010328)) /
                       (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)));
    const double excess = std::erfc(x / std::numbers::sqrt2) / 2 - tail;
    const double density = std::exp(-x * x / 2) * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
    const double step = excess / density;
    x += 2 * step / (2 - step * x);
    return upper ? x : -x;
}

}  // namespace trainwright::belief
