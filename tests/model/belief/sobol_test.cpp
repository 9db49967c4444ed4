// SPDX-License-Identifier: GPL-3.0-or-later
// The sequence against Boost's, its evenness by counting, the quantile against Boost's.
#include "model/belief/sobol.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <boost/random/sobol.hpp>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace trainwright::belief {
namespace {

std::vector<double> points(int dimension, std::uint32_t seed, int count) {
    SobolDimension s(dimension, seed);
    std::vector<double> out(static_cast<std::size_t>(count));
    for (double& p : out) p = s.next();
    return out;
}

class EveryDimension : public testing::TestWithParam<int> {};

TEST_P(EveryDimension, FillsEachDyadicIntervalOnce) {
    for (const std::uint32_t seed : {0U, 1U, 7U, 4294967295U}) {
        const std::vector<double> all = points(GetParam(), seed, 1 << 13);
        for (int k = 0; k <= 13; ++k) {
            const int parts = 1 << k;
            for (int first = 0; first + parts <= (1 << 13); first += parts) {
                std::vector<int> hits(static_cast<std::size_t>(parts), 0);
                for (int i = first; i < first + parts; ++i)
                    ++hits[static_cast<std::size_t>(all[static_cast<std::size_t>(i)] * parts)];
                ASSERT_TRUE(std::all_of(hits.begin(), hits.end(), [](int n) { return n == 1; }))
                    << "seed " << seed << ", " << parts << " points from " << first;
            }
        }
    }
}

TEST_P(EveryDimension, HoldsTheSamePointsAsBoostsSequence) {
    // Boost leaves out the origin and has no shift; a shift is the exclusive or with the first
    // point.
    constexpr int kCount = 1 << 12;
    boost::random::sobol reference(kSobolDimensions);
    std::set<std::uint32_t> expected{0};
    for (int i = 1; i < kCount; ++i)
        for (int d = 0; d < kSobolDimensions; ++d) {
            const auto value = static_cast<std::uint32_t>(reference() >> 32U);
            if (d == GetParam()) expected.insert(value);
        }
    const std::vector<double> own = points(GetParam(), 5, kCount);
    const auto bits = [](double p) { return static_cast<std::uint32_t>(p * 4294967296.0); };
    std::set<std::uint32_t> found;
    for (double p : own) found.insert(bits(p) ^ bits(own.front()));
    EXPECT_EQ(found, expected);
}

INSTANTIATE_TEST_SUITE_P(Sobol, EveryDimension, testing::Range(0, kSobolDimensions));

TEST(Sobol, PairsOfDimensionsAreNotCorrelated) {
    for (int a = 0; a < kSobolDimensions; ++a) {
        for (int b = a + 1; b < kSobolDimensions; ++b) {
            const std::vector<double> x = points(a, 1, 4096);
            const std::vector<double> y = points(b, 1, 4096);
            double correlation = 0;
            for (std::size_t i = 0; i < x.size(); ++i) correlation += (x[i] - 0.5) * (y[i] - 0.5);
            EXPECT_NEAR(correlation / 4096.0 * 12, 0, 0.02) << a << ", " << b;
        }
    }
}

TEST(Sobol, AnotherSeedGivesOtherPoints) {
    EXPECT_EQ(points(3, 1, 64), points(3, 1, 64));
    EXPECT_NE(points(3, 1, 64), points(3, 2, 64));
    EXPECT_NE(points(3, 1, 64), points(4, 1, 64));
}

TEST(NormalQuantile, IsBoosts) {
    const boost::math::normal normal;
    for (double p = 1e-12; p < 0.5; p *= 1.07) {
        EXPECT_NEAR(normalQuantile(p), boost::math::quantile(normal, p), 1e-9) << p;
        EXPECT_NEAR(normalQuantile(1 - p), boost::math::quantile(normal, 1 - p), 1e-9) << 1 - p;
    }
    EXPECT_NEAR(normalQuantile(0.5), 0, 1e-15);
    EXPECT_NEAR(normalQuantile(0.9), 1.2815515655446004, 1e-9);
    for (double p = 0.01; p < 0.5; p += 0.01)
        EXPECT_NEAR(normalQuantile(p), -normalQuantile(1 - p), 1e-14);
}

}  // namespace
}  // namespace trainwright::belief
