// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/machine/roofline.h"

#include <gmock/gmock.h>

#include <cmath>
#include <random>

#include "tests/model/machine/chips.h"

namespace trainwright::machine {
namespace {

using namespace testing;

constexpr unsigned kSeed = 20261201;

TEST(Waves, StartAtOneAndCostHalfARoundMoreInTheLongRun) {
    EXPECT_NEAR(waves(1e-6), 1.0, 1e-5);
    EXPECT_NEAR(waves(1000.0), 1000.5, 1e-2);
    double last = 0;
    for (double x = 0.01; x < 50; x += 0.01) {
        EXPECT_GT(waves(x), last);
        EXPECT_GE(waves(x), std::max(1.0, x));
        last = waves(x);
    }
}

// More work never takes less time, in any extent, and no step is larger than one tile's worth.
TEST(GemmTime, NeverFallsWhenWorkGrows) {
    std::mt19937 random(kSeed);
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    for (const RankSpec& rank : {rankOf(a100(), 1), rankOf(trainium2(), 4, 0.67)}) {
        for (int i = 0; i < 20000; ++i) {
            std::array<double, 4> v{};  // m, n, k, count
            for (std::size_t j = 0; j < 3; ++j)
                v[j] =
                    std::floor(std::exp2(4 + 12.0 * static_cast<double>(random() % 1000) / 1000));
            v[3] = 1 + static_cast<double>(random() % 64);
            const double before = gemmTime(rank, Dtype::Bf16, v[0], v[1], v[2], v[3], 2, 2).seconds;
            const std::size_t which = random() % 4;
            v[which] += 1 + static_cast<double>(random() % 200);
            const double after = gemmTime(rank, Dtype::Bf16, v[0], v[1], v[2], v[3], 2, 2).seconds;
            ASSERT_GE(after, before) << v[0] << "x" << v[1] << "x" << v[2] << " ×" << v[3];
        }
    }
}

TEST(GemmTime, NeverBeatsTheEnginesPeak) {
    std::mt19937 random(kSeed);
    const RankSpec rank = rankOf(a100(), 1);
    for (int i = 0; i < 5000; ++i) {
        const auto extent = [&] { return 1.0 + static_cast<double>(random() % 20000); };
        const double m = extent(), n = extent(), k = extent();
        const double rate = 2.0 * m * n * k / gemmTime(rank, Dtype::Bf16, m, n, k, 1, 2, 2).seconds;
        ASSERT_LE(rate, 312e12 * 0.87);
    }
}

TEST(GemmTime, LargeShapesComeNearTheCeilingAndSmallOnesFarFromIt) {
    const RankSpec rank = rankOf(a100(), 1);
    const auto share = [&](double n) {
        return 2 * n * n * n / gemmTime(rank, Dtype::Bf16, n, n, n, 1, 2, 2).seconds / 312e12;
    };
    EXPECT_GT(share(16384), 0.85);
    EXPECT_NEAR(share(4096), 0.78, 0.06);
    EXPECT_LT(share(512), 0.2);
}

// What the staircases of another planner got wrong: 16.1 GFLOP faster than 15.9, 10.1 MB than 9.9.
TEST(GemmTime, HasNoStairs) {
    const RankSpec rank = rankOf(a100(), 1);
    const double below = gemmTime(rank, Dtype::Bf16, 2048, 2048, 1895, 1, 2, 2).seconds;
    const double above = gemmTime(rank, Dtype::Bf16, 2048, 2048, 1920, 1, 2, 2).seconds;
    EXPECT_LT(below, above);
    EXPECT_LT(above, 1.02 * below);
    EXPECT_LT(vectorTime(rank, 9.9e6, 1).seconds, vectorTime(rank, 10.1e6, 1).seconds);
}

TEST(VectorTime, IsBandwidthWithAStart) {
    const RankSpec rank = rankOf(a100(), 1);
    EXPECT_NEAR(vectorTime(rank, 1e9, 1).seconds, (1e9 + 600e3) / (2.039e12 * 0.85) + 3e-6, 1e-12);
    EXPECT_EQ(vectorTime(rank, 1e9, 1).limit, Limit::Memory);
    EXPECT_EQ(vectorTime(rank, 1e3, 1).limit, Limit::Launch);
}

TEST(AttentionTime, ShortRowsAndFewBlocksAreSlower) {
    const RankSpec rank = rankOf(a100(), 1);
    const auto rate = [&](double span, double tiles) {
        return 1e12 / attentionTime(rank, Dtype::Bf16, false, 1e12, 0, span, tiles).seconds;
    };
    EXPECT_LT(rate(512, 4096), rate(8192, 4096));
    EXPECT_LT(rate(8192, 32), rate(8192, 4096));
    EXPECT_LE(rate(131072, 65536), 0.6 * 312e12);
}

TEST(RankOf, LogicalCoresShareTheirChip) {
    const RankSpec rank = rankOf(trainium2(), 4, 0.67);
    EXPECT_EQ(rank.units, 2);
    EXPECT_DOUBLE_EQ(rank.engineFlopPerSecond[static_cast<std::size_t>(Dtype::Bf16)], 629e12 / 4);
    EXPECT_DOUBLE_EQ(rank.hbmBytes, units::gibibytes(24).value());
    EXPECT_DOUBLE_EQ(rank.sustained, 0.67);
}

}  // namespace
}  // namespace trainwright::machine
