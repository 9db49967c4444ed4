// SPDX-License-Identifier: GPL-3.0-or-later
// Hand-worked costs of collectives, contention of sibling groups, tiers, and properties over random
// groups.
#include "model/network/network.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>
#include <thread>
#include <vector>

#include "tests/model/network/exact_router.h"
#include "tests/model/network/systems.h"

namespace trainwright::network {
namespace {

using systems::kGB;
using units::Bytes;

/// Wire-rate bytes/s of the message by one algorithm.
double rate(const Network& n, Collective c, Group g, Algorithm a) {
    const AlgorithmCost* cost = n.cost(c, g).find(a);
    return cost == nullptr ? 0.0 : 1 / cost->secondsPerByte;
}

machine::SystemSpec plainSwitch(int chips, double gigabytes, double hopMicroseconds) {
    machine::SystemSpec s = systems::nvidia("switch", gigabytes, 1, 0, 0, 0, chips, chips);
    s.fabric.hopLatency = units::Seconds(hopMicroseconds * 1e-6);
    return s;
}

TEST(Collectives, RingOfSixteenTakesTwelveMillisecondsAndThirtyHops) {
    const Network n(plainSwitch(16, 40, 5), 16, 1);
    const AlgorithmCost* ring = n.cost(Collective::AllReduce, {16, 1}).find(Algorithm::Ring);
    ASSERT_NE(ring, nullptr);
    EXPECT_NEAR(ring->latency.value(), 150e-6, 1e-12);
    EXPECT_NEAR(ring->time(Bytes(256e6)).value(), 12.0e-3 + 0.15e-3, 1e-9);
    const AlgorithmCost* tree = n.cost(Collective::AllReduce, {16, 1}).find(Algorithm::Tree);
    ASSERT_NE(tree, nullptr);
    EXPECT_NEAR(tree->latency.value(), 2 * 4 * 5e-6, 1e-12);
}

TEST(Collectives, LatencyOfARingGrowsWithItsLength) {
    for (const int n : {2, 4, 8, 16, 64}) {
        const Network network(plainSwitch(64, 100, 2), 64, 1);
        const CollectiveCost& cost = network.cost(Collective::AllReduce, {n, 1});
        EXPECT_NEAR(cost.find(Algorithm::Ring)->latency.value(), 2 * (n - 1) * 2e-6, 1e-12);
        EXPECT_NEAR(cost.find(Algorithm::HalvingDoubling)->latency.value(), 2 * std::log2(n) * 2e-6,
                    1e-12);
        EXPECT_NEAR(1 / cost.find(Algorithm::Ring)->secondsPerByte, 100 * kGB * n / (2.0 * (n - 1)),
                    1);
    }
}

struct Rate {
    machine::SystemSpec system;
    int ranksPerChip;
    Collective collective;
    Group group;
    Algorithm algorithm;
    double gigabytes;  ///< of the message, at the wire rate
};

TEST(Collectives, WireRatesAreThoseWorkedByHand) {
    constexpr auto AR = Collective::AllReduce;
    constexpr auto AG = Collective::AllGather;
    const std::vector<Rate> table{
        // Two one-way rings of 128 on a row of four chips: 2 · 128 / (2 · 3/4).
        {systems::trn2(), 1, AR, {4, 1}, Algorithm::BidirectionalRing, 2 * 128 / 1.5},
        {systems::trn2(), 1, AR, {4, 1}, Algorithm::Ring, 128 / 1.5},
        // Columns are as good as rows.
        {systems::trn2(), 1, AR, {4, 4}, Algorithm::BidirectionalRing, 2 * 128 / 1.5},
        // Four rings over all sixteen use every link one way.
        {systems::trn2(), 1, AR, {16, 1}, Algorithm::MultiRing, 4 * 128 / (2 * 15.0 / 16)},
        {systems::trn2(), 1, AG, {16, 1}, Algorithm::MultiRing, 4 * 128 / (15.0 / 16)},
        // With four ranks a chip the rings carry 63/64, the links are the same.
        {systems::trn2(), 4, AR, {64, 1}, Algorithm::MultiRing, 4 * 128 / (2 * 63.0 / 64)},
        // Four lanes of sixteen share the rings: each gets a quarter.
        {systems::trn2(), 4, AR, {16, 4}, Algorithm::MultiRing, 128 / (2 * 15.0 / 16)},
        // Along z at half the rate.
        {systems::trn2Ultra(), 1, AR, {4, 16}, Algorithm::BidirectionalRing, 2 * 64 / 1.5},
        // All six links of a V100: two rings of double and one of single links, both ways.
        {systems::v100(), 1, AR, {8, 1}, Algorithm::MultiRing, 150 / 1.75},
        // A pair of a mesh has one link; all pairs use all seven.
        {systems::mi300x(), 1, AR, {2, 1}, Algorithm::Direct, 64},
        {systems::mi300x(), 1, AR, {8, 1}, Algorithm::Direct, 448 / 1.75},
        // A switch that adds up: every rank sends its message once and an eighth of the result.
        {systems::p5(), 1, AR, {8, 1}, Algorithm::SwitchReduction, 450 / 1.125},
        {systems::p5(), 1, AR, {8, 1}, Algorithm::Ring, 450 / 1.75},
        // Everything to everyone through the switch but the own eighth.
        {systems::p5(), 1, Collective::AllToAll, {8, 1}, Algorithm::Direct, 450 / 0.875},
        // Within one chip each rank sends three quarters of its message to the others.
        {systems::trn2(), 4, Collective::AllToAll, {4, 1}, Algorithm::Direct, 735 / 0.75},
    };
    for (const Rate& r : table) {
        const Network n(r.system, r.system.chipsPerDomain, r.ranksPerChip);
        EXPECT_NEAR(rate(n, r.collective, r.group, r.algorithm) / kGB, r.gigabytes,
                    r.gigabytes * 1e-6)
            << r.system.id << " " << name(r.collective) << " of " << r.group.ranks << " at stride "
            << r.group.stride << " by " << name(r.algorithm);
    }
}

TEST(Collectives, TorusByDimensionRespectsUnequalLinks) {
    const Network n(systems::trn2Ultra(), 64, 1);
    const double byDimension =
        rate(n, Collective::AllReduce, {64, 1}, Algorithm::TorusByDimension) / kGB;
    // All 640 GB/s at once, each byte moved 2 · 63/64 times, can't be beaten; one order of
    // dimensions (x, y, z) would reach 256 / (2 · (3/4 + 3/16 + 3/64 · 2)).
    EXPECT_LT(byDimension, 640 / (2 * 63.0 / 64));
    EXPECT_GT(byDimension, 256 / (2 * (0.75 + 0.1875 + 0.09375)));
}

TEST(Collectives, PairedRacksDontSendWholeRingsThroughThePairs) {
    const Network n(systems::trn3(), 144, 1);
    const double ring = rate(n, Collective::AllReduce, {144, 1}, Algorithm::Ring);
    const double hierarchical = rate(n, Collective::AllReduce, {144, 1}, Algorithm::Hierarchical);
    EXPECT_NEAR(ring, 128 * kGB / (2 * 143.0 / 144), 1e3);
    EXPECT_GT(hierarchical, 4 * ring);
}

TEST(Sharing, SiblingGroupsOfAHostDivideItsNics) {
    // One group of one rank a host, or all eight at once: the framework runs all eight, and each
    // gets an eighth.
    const Network n(systems::p5(), 1024, 1);
    const double ring = rate(n, Collective::AllReduce, {128, 8}, Algorithm::Ring);
    EXPECT_NEAR(ring, 400 * kGB / 8 / (2 * 127.0 / 128), 1e3);
    // On a trn2 host with four ranks a chip, sixty-four groups.
    const Network trn(systems::trn2(), 1024, 4);
    EXPECT_NEAR(rate(trn, Collective::AllGather, {64, 64}, Algorithm::Ring),
                400 * kGB / 64 / (63.0 / 64), 1e3);
    // Members inside the host take the load off its NICs.
    const Network wide(systems::p5(), 1024, 1);
    EXPECT_GT(rate(wide, Collective::AllReduce, {128, 4}, Algorithm::Hierarchical), 1.9 * ring);
}

TEST(Sharing, AStageSendsThroughTheNicsOfItsHost) {
    const Network n(systems::p5(), 64, 1);
    EXPECT_NEAR(rate(n, Collective::PointToPoint, {8, 8}, Algorithm::SendReceive), 50 * kGB, 1e3);
    // Two ranks of a host pass the border; each has only its own NICs.
    EXPECT_NEAR(rate(n, Collective::PointToPoint, {8, 2}, Algorithm::SendReceive), 50 * kGB, 1e3);
    // On p4d a lone sender has one NIC of 12.5, all eight together 50.
    const Network old(systems::p4d(0.8), 64, 1);
    EXPECT_NEAR(rate(old, Collective::PointToPoint, {16, 1}, Algorithm::SendReceive), 12.5 * kGB,
                1e3);
    EXPECT_NEAR(rate(old, Collective::PointToPoint, {8, 8}, Algorithm::SendReceive), 6.25 * kGB,
                1e3);
    // Inside the domain nothing leaves.
    EXPECT_NEAR(rate(n, Collective::PointToPoint, {4, 2}, Algorithm::SendReceive), 450 * kGB, 1e3);
}

TEST(Tiers, ARingLeavesABlockOnceAndATreePaysTheWholeOversubscription) {
    machine::SystemSpec s = systems::p5();
    s.fabric.tiers = {{"leaf", 16, 1.0, units::Seconds(1e-6)},
                      {"pod", 384, 1.0, units::Seconds(1e-6)},
                      {"spine", 3072, 7.0, units::Seconds(1e-6)}};
    const Network n(s, 24576, 1);
    const auto ring = [&](int hosts) {
        return rate(n, Collective::AllGather, {hosts, 8}, Algorithm::Ring) * (hosts - 1.0) / hosts;
    };
    EXPECT_NEAR(ring(16), 50 * kGB, 1e3);
    EXPECT_NEAR(ring(384), 50 * kGB, 1e3);
    // One in 384 hosts sends out of a pod, which has a seventh of its hosts' bandwidth upwards.
    EXPECT_NEAR(ring(512), 50 * kGB, 1e3);
    const CollectiveCost& wide = n.cost(Collective::AllGather, {512, 8});
    EXPECT_NEAR(wide.find(Algorithm::HalvingDoubling)->secondsPerByte * 50 * kGB, 7 * 511.0 / 512,
                1e-3);
    EXPECT_EQ(wide.find(Algorithm::HalvingDoubling)->busiestLink,
              "EFA, spine tier, 7:1 oversubscribed");
    // Members 64 hosts apart: six of a pod's hosts are in a group, and one of the six sends out of
    // it.
    const double apart = rate(n, Collective::AllGather, {16, 512}, Algorithm::Ring) * 15.0 / 16;
    EXPECT_NEAR(apart, 50 * kGB * std::min(1.0, 6.0 / 7), 1e3);
    EXPECT_EQ(n.cost(Collective::AllGather, {16, 8}).fastest(Bytes(1e9)).busiestLink,
              "EFA, 400 GB/s a host");
    // Each tier crossed adds its two hops to a step.
    const auto latency = [&](int hosts) {
        return n.cost(Collective::AllGather, {hosts, 8}).find(Algorithm::Ring)->latency.value() /
               (hosts - 1);
    };
    EXPECT_NEAR(latency(384) - latency(16), 2e-6, 5e-6 / 15 * 15);
    EXPECT_GT(latency(512), latency(384) - 1e-6);
}

TEST(Fastest, SmallMessagesGoDirectAndLargeOnesUseEveryLink) {
    const Network n(systems::trn2(), 16, 4);
    const CollectiveCost& cost = n.cost(Collective::AllReduce, {64, 1});
    EXPECT_EQ(cost.fastest(Bytes(4e3)).algorithm, Algorithm::Direct);
    EXPECT_EQ(cost.fastest(Bytes(1e9)).algorithm, Algorithm::MultiRing);
    EXPECT_EQ(cost.fastest(Bytes(1e9)).busiestLink, "NeuronLink x, 128 GB/s one way");
}

TEST(Fastest, AGroupOfOneIsFree) {
    const Network n(systems::trn2(), 16, 4);
    const CollectiveCost& cost = n.cost(Collective::AllReduce, {1, 1});
    EXPECT_EQ(cost.time(Bytes(1e9)).value(), 0);
    EXPECT_EQ(cost.fastest(Bytes(1e9)).algorithm, Algorithm::None);
}

TEST(Fastest, MembersWithoutALinkTakeForever) {
    machine::SystemSpec alone = systems::p5();
    alone.fabric.nicsPerHost = 0;
    const Network n(alone, 64, 1);
    EXPECT_TRUE(std::isinf(n.cost(Collective::AllReduce, {8, 8}).time(Bytes(1)).value()));
    EXPECT_TRUE(std::isinf(n.cost(Collective::AllReduce, {16, 1}).time(Bytes(1)).value()));
    EXPECT_FALSE(std::isinf(n.cost(Collective::AllReduce, {8, 1}).time(Bytes(1)).value()));
}

TEST(Work, DoesNotGrowWithTheCluster) {
    const std::vector<Group> groups{{4, 1}, {64, 1}, {256, 1}, {16, 16}, {32, 8}, {16, 256}};
    std::vector<std::uint64_t> work;
    for (const long chips : {64L * 64, 1048576L}) {
        const Network n(systems::trn2Ultra(), chips, 4);
        for (const Group g : groups) {
            for (int c = 0; c < kCollectiveCount; ++c) (void)n.cost(static_cast<Collective>(c), g);
        }
        // Groups as large as the cluster too.
        (void)n.cost(Collective::AllReduce, {static_cast<int>(chips / 64), 256});
        (void)n.cost(Collective::AllReduce, {static_cast<int>(chips / 16), 64});
        (void)n.cost(Collective::AllToAll, {static_cast<int>(chips * 4), 1});
        work.push_back(n.routedFlows());
    }
    EXPECT_GT(work[0], 0u);
    EXPECT_EQ(work[0], work[1]);
}

TEST(Work, IsKept) {
    const Network n(systems::trn2Ultra(), 64, 4);
    const CollectiveCost* first = &n.cost(Collective::AllReduce, {64, 1});
    const std::uint64_t once = n.routedFlows();
    EXPECT_EQ(first, &n.cost(Collective::AllReduce, {64, 1}));
    EXPECT_EQ(n.routedFlows(), once);
}

TEST(Work, PodsOfThousandsOfChipsStayAffordable) {
    machine::SystemSpec pod = systems::tpuSlice();
    pod.fabric.dims = {16, 20, 28};
    pod.fabric.linkBandwidth.emplace_back(50 * kGB);
    pod.chipsPerDomain = 8960;
    pod.fabric.hostsPerDomain = 1120;
    const auto begin = std::chrono::steady_clock::now();
    const Network n(pod, 8960, 1);
    for (int c = 0; c < kCollectiveCount; ++c) {
        const CollectiveCost& cost = n.cost(static_cast<Collective>(c), {8960, 1});
        EXPECT_FALSE(cost.algorithms.empty()) << name(static_cast<Collective>(c));
    }
    const double seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    EXPECT_LT(seconds, 20);
    // No faster than all links of a chip, each byte moved once out and once in.
    const double ideal = 6 * 50 * kGB / 2;
    EXPECT_LT(1 / n.cost(Collective::AllReduce, {8960, 1}).fastest(Bytes(1e12)).secondsPerByte,
              ideal);
    EXPECT_GT(1 / n.cost(Collective::AllReduce, {8960, 1}).fastest(Bytes(1e12)).secondsPerByte,
              ideal * 0.8);
}

TEST(Threads, SeeTheSameDigits) {
    const std::vector<Group> groups{{4, 1},   {64, 1},  {16, 4}, {16, 16},
                                    {8, 256}, {64, 64}, {12, 3}};
    const Network alone(systems::trn2Ultra(), 4096, 4);
    const Network shared(systems::trn2Ultra(), 4096, 4);
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < groups.size(); ++i) {
                for (int c = 0; c < kCollectiveCount; ++c) {
                    (void)shared.cost(
                        static_cast<Collective>((c + static_cast<int>(t)) % kCollectiveCount),
                        groups[(i + t) % groups.size()]);
                }
            }
        });
    }
    for (std::thread& t : threads) t.join();
    for (const Group g : groups) {
        for (int c = 0; c < kCollectiveCount; ++c) {
            const CollectiveCost& a = alone.cost(static_cast<Collective>(c), g);
            const CollectiveCost& b = shared.cost(static_cast<Collective>(c), g);
            ASSERT_EQ(a.algorithms.size(), b.algorithms.size());
            for (std::size_t i = 0; i < a.algorithms.size(); ++i) {
                EXPECT_EQ(a.algorithms[i].algorithm, b.algorithms[i].algorithm);
                EXPECT_EQ(a.algorithms[i].latency, b.algorithms[i].latency);
                EXPECT_EQ(a.algorithms[i].secondsPerByte, b.algorithms[i].secondsPerByte);
                EXPECT_EQ(a.algorithms[i].busiestLink, b.algorithms[i].busiestLink);
            }
        }
    }
    EXPECT_EQ(alone.routedFlows(), shared.routedFlows());
}

TEST(Uneven, GroupsThatStraddleDomainsAreNotChargedTooLittle) {
    // The rings of all groups of a shape that doesn't divide the host, routed on the whole cluster.
    const ExactRouter exact(systems::p5(), 1, 15);
    const Network n(systems::p5(), 120, 1);
    for (const Group g :
         {Group{6, 1}, Group{3, 1}, Group{5, 1}, Group{12, 1}, Group{20, 2}, Group{10, 4}}) {
        const AlgorithmCost* ring = n.cost(Collective::AllReduce, g).find(Algorithm::Ring);
        ASSERT_NE(ring, nullptr);
        const double truth = exact.ring(Collective::AllReduce, g).secondsPerByte;
        ASSERT_GT(truth, 0);
        EXPECT_GE(ring->secondsPerByte / ring->efficiency, 0.99 * truth)
            << g.ranks << " at stride " << g.stride;
    }
}

/// Random systems and groups; the seed is printed so that a failure can be repeated.
class RandomGroups : public testing::Test {
protected:
    void forEach(
        int count,
        const std::function<void(const Network&, Collective, Group, std::mt19937_64&)>& check) {
        const std::uint64_t seed = 20270104;
        RecordProperty("seed", std::to_string(seed));
        std::printf("seed %llu\n", static_cast<unsigned long long>(seed));
        std::mt19937_64 random(seed);
        const std::vector<machine::SystemSpec> systems{
            systems::trn1(),  systems::trn2(), systems::trn2Ultra(),
            systems::trn3(),  systems::p5(),   systems::p4d(0.8),
            systems::gb200(), systems::v100(), systems::mi300x()};
        std::vector<std::unique_ptr<Network>> networks;
        for (const machine::SystemSpec& s : systems) {
            const bool cores = s.chip.family == "trainium";
            networks.push_back(std::make_unique<Network>(s, 9216, cores ? 4 : 1));
        }
        for (int i = 0; i < count; ++i) {
            const Network& n = *networks[random() % networks.size()];
            Group g;
            g.ranks = static_cast<int>(2 + random() % 100);
            if (random() % 2 == 0) g.ranks = 1 << (1 + random() % 8);
            g.stride = static_cast<long>(1 + random() % 70);
            if (random() % 2 == 0) g.stride = 1L << (random() % 9);
            check(n, static_cast<Collective>(random() % kCollectiveCount), g, random);
        }
    }
};

TEST_F(RandomGroups, MoreBytesNeverTakeLess) {
    forEach(400, [](const Network& n, Collective c, Group g, std::mt19937_64& random) {
        const CollectiveCost& cost = n.cost(c, g);
        ASSERT_FALSE(cost.algorithms.empty());
        double bytes = 1;
        double last = cost.time(Bytes(0)).value();
        while (bytes < 1e12) {
            const double t = cost.time(Bytes(bytes)).value();
            ASSERT_GT(t, last) << name(c) << " of " << g.ranks << " at stride " << g.stride << ", "
                               << bytes << " bytes";
            last = t;
            bytes *= 1.01 + static_cast<double>(random() % 100) / 50;
        }
    });
}

TEST_F(RandomGroups, TheFastestIsTheFastestOfAll) {
    forEach(400, [](const Network& n, Collective c, Group g, std::mt19937_64&) {
        const CollectiveCost& cost = n.cost(c, g);
        ASSERT_LE(cost.contenders, cost.algorithms.size());
        for (double bytes = 1; bytes < 1e12; bytes *= 7) {
            const double chosen = cost.time(Bytes(bytes)).value();
            for (const AlgorithmCost& a : cost.algorithms) {
                EXPECT_LE(chosen, a.time(Bytes(bytes)).value() * (1 + 1e-12)) << name(a.algorithm);
            }
        }
    });
}

TEST_F(RandomGroups, AnAllReduceIsBetweenAReduceScatterAndTwoOfThem) {
    forEach(200, [](const Network& n, Collective, Group g, std::mt19937_64&) {
        const Bytes large(1e11);
        const double all = n.cost(Collective::AllReduce, g).time(large).value();
        const double half = n.cost(Collective::ReduceScatter, g).time(large).value();
        EXPECT_GE(all, half * 0.999) << g.ranks << " at stride " << g.stride;
        EXPECT_LE(all, 2.05 * half) << g.ranks << " at stride " << g.stride;
    });
}

}  // namespace
}  // namespace trainwright::network
