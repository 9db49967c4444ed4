// SPDX-License-Identifier: GPL-3.0-or-later
// Shapley values against hand-worked games, and the properties that define them.
#include "model/search/attribution.h"

#include <gmock/gmock.h>

#include <bit>
#include <cmath>
#include <random>

namespace trainwright::search {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

std::vector<double> shares(const Attribution& a) {
    std::vector<double> all;
    for (const Contribution& c : a.contributions) all.push_back(c.share);
    return all;
}

bool has(std::uint64_t changes, int i) {
    return ((changes >> static_cast<unsigned>(i)) & 1U) != 0;
}

TEST(Attribution, TwoChangesThatMultiplyShareTheirProductEvenly) {
    // Cost = hours × price: 10 × 2 = 20 becomes 12 × 3 = 36. Hours first: +4 then +12; price first:
    // +10 then +6. Hours (4 + 6) / 2 = 5, price (12 + 10) / 2 = 11.
    const auto a = attribute(2, [](std::uint64_t s) {
        return std::optional((has(s, 0) ? 12.0 : 10.0) * (has(s, 1) ? 3.0 : 2.0));
    });
    EXPECT_THAT(shares(a), ElementsAre(5, 11));
    EXPECT_EQ(a.contributions[0].alone, 4);
    EXPECT_EQ(a.contributions[0].last, 6);
    EXPECT_EQ(a.contributions[1].alone, 10);
    EXPECT_EQ(a.contributions[1].last, 12);
    EXPECT_EQ(a.interaction(), 2);
    EXPECT_EQ(a.orders, Orders::All);
    EXPECT_EQ(a.counted, 2);
}

TEST(Attribution, TheGloveGame) {
    // Two left gloves (0, 1) and a right one (2): a pair is worth 1. Known: 1/6, 1/6, 2/3.
    const auto a = attribute(3, [](std::uint64_t s) {
        return std::optional(has(s, 2) && (has(s, 0) || has(s, 1)) ? 1.0 : 0.0);
    });
    EXPECT_THAT(shares(a), ElementsAre(DoubleNear(1.0 / 6, 1e-15), DoubleNear(1.0 / 6, 1e-15),
                                       DoubleNear(2.0 / 3, 1e-15)));
}

TEST(Attribution, ChangesThatOnlyWorkTogetherShareEvenly) {
    const auto a = attribute(2, [](std::uint64_t s) { return std::optional(s == 3 ? -8.0 : 0.0); });
    EXPECT_THAT(shares(a), ElementsAre(-4, -4));
    EXPECT_EQ(a.contributions[0].alone, 0);
    EXPECT_EQ(a.interaction(), -8);
}

TEST(Attribution, OnlyOrdersThroughValuesCount) {
    // Change 1 can't be made before change 0: the one possible order is 0, 1.
    const auto a = attribute(2, [](std::uint64_t s) -> std::optional<double> {
        if (s == 2) return std::nullopt;
        return s == 0 ? 100.0 : s == 1 ? 70.0 : 75.0;
    });
    EXPECT_THAT(shares(a), ElementsAre(-30, 5));
    EXPECT_EQ(a.orders, Orders::Possible);
    EXPECT_EQ(a.counted, 1);
    EXPECT_EQ(a.possible, 2);
    EXPECT_EQ(a.contributions[1].alone, std::nullopt);
    EXPECT_EQ(a.contributions[0].last, std::nullopt);
    EXPECT_EQ(a.interaction(), std::nullopt);
}

TEST(Attribution, ThreeChangesWithOneGapByHand) {
    // {1} has no value: of the six orders, the two that begin with 1 are out. v(S) = 1·[0] + 2·[1]
    // + 4·[2] + 8·[0 and 2]. Orders 012, 021, 201, 210: 0 adds 1, 1, 9, 9 = 20 / 4; 1 adds 2
    // always; 2 adds 12, 12, 4, 4 = 32 / 4.
    const auto a = attribute(3, [](std::uint64_t s) -> std::optional<double> {
        if (s == 2) return std::nullopt;
        return (has(s, 0) ? 1 : 0) + (has(s, 1) ? 2 : 0) + (has(s, 2) ? 4 : 0) +
               (has(s, 0) && has(s, 2) ? 8 : 0);
    });
    EXPECT_THAT(shares(a), ElementsAre(5, 2, 8));
    EXPECT_EQ(a.counted, 4);
}

TEST(Attribution, NoOrderNoShares) {
    const auto gap = attribute(2, [](std::uint64_t s) -> std::optional<double> {
        if (s == 1 || s == 2) return std::nullopt;
        return s == 0 ? 1.0 : 2.0;
    });
    EXPECT_FALSE(gap.hasShares());
    EXPECT_EQ(gap.before, 1.0);
    EXPECT_EQ(gap.after, 2.0);
    const auto end =
        attribute(1, [](std::uint64_t s) { return s == 0 ? std::optional(1.0) : std::nullopt; });
    EXPECT_FALSE(end.hasShares());
    const auto infinite =
        attribute(1, [](std::uint64_t s) { return std::optional(s == 0 ? 1.0 : INFINITY); });
    EXPECT_FALSE(infinite.hasShares());
}

TEST(Attribution, NoChangesNoMove) {
    const auto a = attribute(0, [](std::uint64_t) { return std::optional(7.0); });
    EXPECT_TRUE(a.contributions.empty());
    EXPECT_EQ(a.orders, Orders::All);
    EXPECT_EQ(a.interaction(), 0);
}

/// A random game on `count` changes in which the last never matters and the first two are alike.
struct Game {
    explicit Game(unsigned seed, int changes) : count(changes) {
        std::mt19937 random(seed);
        values.resize(std::size_t{1} << static_cast<unsigned>(count - 1));
        for (double& v : values) v = std::uniform_real_distribution<double>(-1e6, 1e6)(random);
    }
    [[nodiscard]] std::optional<double> operator()(std::uint64_t s) const {
        s &= (std::uint64_t{1} << static_cast<unsigned>(count - 1)) - 1;
        // Of the two alike only their number matters.
        const auto alike = static_cast<std::uint64_t>(std::popcount(s & 3U));
        return values[(s & ~std::uint64_t{3}) | (alike == 0 ? 0U : alike == 1 ? 1U : 3U)];
    }
    int count;
    std::vector<double> values;
};

TEST(Attribution, EfficiencySymmetryAndDummyHoldForRandomGames) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        const Game game(seed, 3 + static_cast<int>(seed % 6));
        const auto a = attribute(game.count, game);
        double sum = 0;
        for (double share : shares(a)) sum += share;
        EXPECT_NEAR(sum, *a.after - *a.before, 1e-9);
        EXPECT_NEAR(a.contributions[0].share, a.contributions[1].share, 1e-6);
        EXPECT_NEAR(a.contributions.back().share, 0, 1e-6);
    }
}

TEST(Attribution, GapsKeepEfficiencySymmetryAndDummy) {
    int withShares = 0;
    for (unsigned seed = 1; seed <= 60; ++seed) {
        SCOPED_TRACE(seed);
        const Game game(seed, 5);
        const auto a = attribute(game.count, [&](std::uint64_t s) -> std::optional<double> {
            const std::uint64_t core = s & 0xfU;
            const bool isGap = core != 0 && core != 0xf && std::fmod(std::abs(*game(s)), 3) < 1;
            return isGap ? std::nullopt : game(s);
        });
        if (!a.hasShares()) continue;
        ++withShares;
        double sum = 0;
        for (double share : shares(a)) sum += share;
        EXPECT_NEAR(sum, *a.after - *a.before, 1e-9);
        EXPECT_NEAR(a.contributions[0].share, a.contributions[1].share, 1e-6);
        EXPECT_NEAR(a.contributions.back().share, 0, 1e-6);
    }
    EXPECT_GT(withShares, 20);
}

TEST(Attribution, ManyChangesAreSampledTheSameEachTime) {
    constexpr int kCount = 12;
    int asked = 0;
    const Worth worth = [&](std::uint64_t s) {
        ++asked;
        double product = 100;
        for (int i = 0; i < kCount; ++i)
            if (has(s, i)) product *= 1 + 0.01 * i;
        return std::optional(product);
    };
    const auto a = attribute(kCount, worth);
    const auto b = attribute(kCount, worth);
    EXPECT_EQ(a.orders, Orders::Drawn);
    EXPECT_EQ(a.counted, AttributionSampling{}.orders);
    EXPECT_EQ(shares(a), shares(b));
    double sum = 0;
    for (double share : shares(a)) sum += share;
    EXPECT_DOUBLE_EQ(sum, *a.after - *a.before);
    EXPECT_EQ(a.contributions[0].share, 0);
    EXPECT_LT(asked, 2 * AttributionSampling{}.orders * kCount);
    // The exact share of a factor in a product lies near what the sample gives.
    EXPECT_NEAR(a.contributions[11].share, 11 * std::sqrt(1.8) * 1.0, 1.5);
}

TEST(Attribution, NoCombinationIsAskedTwice) {
    std::vector<int> asked(256, 0);
    (void)attribute(8, [&](std::uint64_t s) {
        ++asked[s];
        return std::optional(static_cast<double>(s));
    });
    EXPECT_THAT(asked, testing::Each(1));
}

TEST(Attribution, RoundedSharesAddUpToTheRoundedMove) {
    EXPECT_THAT(roundedShares({1.04, 1.04, 1.04}, 1), ElementsAre(1.1, 1.0, 1.0));
    EXPECT_THAT(roundedShares({-3.26, 0.13, 0.13}, 1), ElementsAre(-3.2, 0.1, 0.1));
    EXPECT_THAT(roundedShares({-0.4, 0.4}, 0), ElementsAre(0, 0));
    EXPECT_THAT(roundedShares({}, 1), ElementsAre());
    std::mt19937 random(7);
    std::uniform_real_distribution<double> draw(-50, 50);
    for (int i = 0; i < 200; ++i) {
        SCOPED_TRACE(i);
        const std::vector<double> parts{draw(random), draw(random), draw(random), draw(random)};
        double sum = 0, rounded = 0;
        for (double p : parts) sum += p;
        for (double p : roundedShares(parts, 2)) rounded += p;
        EXPECT_NEAR(rounded, std::round(sum * 100) / 100, 1e-9);
    }
}

}  // namespace
}  // namespace trainwright::search
