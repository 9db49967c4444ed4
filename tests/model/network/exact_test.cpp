// SPDX-License-Identifier: GPL-3.0-or-later
// The engine's costs against the slow exact router on whole small clusters.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include "model/network/network.h"
#include "tests/model/network/exact_router.h"
#include "tests/model/network/systems.h"

namespace trainwright::network {
namespace {

constexpr double kAgreement = 0.01;

struct Case {
    machine::SystemSpec system;
    int ranksPerChip = 1;
    int domains = 1;
    std::vector<Group> groups;
    bool oversubscribed = false;
};

machine::SystemSpec oversubscribed(machine::SystemSpec s) {
    s.fabric.tiers = {{"rack", 2, 1.0, units::Seconds(1e-6)},
                      {"spine", 64, 3.0, units::Seconds(2e-6)}};
    return s;
}

machine::SystemSpec torus(std::vector<int> dims, std::vector<double> gigabytes) {
    machine::SystemSpec s =
        systems::trainium("torus", std::move(dims), std::move(gigabytes), 1, 2000);
    s.chipsPerHost = s.chipsPerDomain;
    s.fabric.hostsPerDomain = 1;
    systems::scaleOut(s, 4, 200, 0.8, 0, 15, 30);
    return s;
}

std::vector<Case> cases() {
    using namespace systems;
    std::vector<Case> c;
    c.push_back({trn1(),
                 2,
                 4,
                 {{2, 1},
                  {4, 1},
                  {8, 1},
                  {32, 1},
                  {8, 4},
                  {64, 1},
                  {128, 1},
                  {4, 32},
                  {2, 64},
                  {16, 8},
                  {64, 2},
                  {8, 16}}});
    c.push_back(
        {trn2(),
         4,
         2,
         {{4, 1}, {16, 1}, {64, 1}, {16, 4}, {4, 16}, {128, 1}, {2, 64}, {32, 4}, {8, 16}}});
    c.push_back(
        {trn2Ultra(),
         2,
         1,
         {{2, 1}, {8, 1}, {32, 1}, {128, 1}, {4, 32}, {16, 8}, {64, 2}, {4, 2}, {8, 4}, {2, 16}}});
    c.push_back(
        {trn2Ultra(), 1, 2, {{64, 1}, {128, 1}, {2, 64}, {8, 16}, {32, 4}, {16, 4}, {4, 4}}});
    c.push_back({trn3(8),
                 2,
                 4,
                 {{2, 1}, {4, 1}, {16, 1}, {32, 1}, {2, 16}, {8, 4}, {4, 32}, {64, 1}, {16, 8}}});
    c.push_back({trn3(6), 1, 2, {{12, 1}, {6, 1}, {2, 6}, {4, 3}, {24, 1}, {3, 2}}});
    c.push_back({inf2(), 2, 1, {{24, 1}, {12, 2}, {8, 1}, {2, 12}, {6, 4}}});
    c.push_back(
        {p5(),
         1,
         16,
         {{8, 1}, {2, 1}, {4, 2}, {16, 1}, {128, 1}, {16, 8}, {8, 4}, {32, 4}, {4, 32}, {3, 8}}});
    c.push_back({p4d(0.8), 1, 6, {{8, 1}, {48, 1}, {6, 8}, {3, 16}, {12, 4}, {24, 2}, {2, 2}}});
    c.push_back({gb200(), 1, 1, {{72, 1}, {8, 1}, {9, 8}, {2, 36}}});
    c.push_back({v100(), 1, 4, {{8, 1}, {4, 1}, {2, 1}, {4, 2}, {2, 4}, {32, 1}, {4, 8}, {16, 2}}});
    c.push_back({mi300x(), 1, 4, {{8, 1}, {4, 1}, {2, 1}, {2, 4}, {32, 1}, {4, 8}}});
    c.push_back({torus({8, 8}, {50, 50}),
                 1,
                 2,
                 {{64, 1}, {8, 1}, {4, 1}, {8, 8}, {16, 2}, {128, 1}, {2, 64}, {32, 1}}});
    c.push_back({torus({5, 3}, {50, 80}), 1, 2, {{15, 1}, {5, 1}, {3, 5}, {30, 1}, {3, 1}}});
    c.push_back({torus({4, 2, 4}, {50, 80, 20}), 1, 2, {{32, 1}, {8, 1}, {4, 8}, {64, 1}, {2, 4}}});
    c.push_back({oversubscribed(p5()), 1, 8, {{8, 8}, {64, 1}, {2, 16}}, true});
    return c;
}

class WholeClusters : public testing::TestWithParam<Case> {};

TEST_P(WholeClusters, CostWhatTheEngineSays) {
    const Case& k = GetParam();
    const ExactRouter exact(k.system, k.ranksPerChip, k.domains);
    ASSERT_LE(exact.ranks(), 128);
    const Network network(k.system, k.system.chipsPerDomain * k.domains, k.ranksPerChip);
    int compared = 0;
    double worst = 0;
    for (const Group group : k.groups) {
        for (int i = 0; i < kCollectiveCount; ++i) {
            const auto c = static_cast<Collective>(i);
            const std::string where = k.system.id + " x" + std::to_string(k.domains) + ", " +
                                      std::to_string(k.ranksPerChip) + " ranks a chip, " + name(c) +
                                      " of " + std::to_string(group.ranks) + " at stride " +
                                      std::to_string(group.stride);
            const std::vector<ExactCost> truth = exact.costs(c, group);
            const CollectiveCost& cost = network.cost(c, group);
            ASSERT_FALSE(cost.algorithms.empty()) << where;
            for (const AlgorithmCost& a : cost.algorithms) {
                const double rate = a.secondsPerByte / a.efficiency;
                // Rings and sends follow the hosts in order. Of the others the engine takes all
                // traffic to pass an oversubscribed tier, though some partners meet below it; its
                // steps are all charged the longest path.
                const bool far = k.oversubscribed && a.algorithm != Algorithm::Ring &&
                                 a.algorithm != Algorithm::SendReceive;
                double nearest = 1e9;
                std::string seen;
                for (const ExactCost& e : truth) {
                    if (e.algorithm != a.algorithm) continue;
                    const double above = rate / e.secondsPerByte - 1;
                    const double off =
                        std::max(far && above > 0 ? 0.0 : std::abs(above),
                                 k.oversubscribed ? std::max(0.0, 1 - a.latency.value() / e.latency)
                                                  : std::abs(a.latency.value() / e.latency - 1));
                    nearest = std::min(nearest, off);
                    seen += " [" + std::to_string(1e-9 / e.secondsPerByte) + " GB/s, " +
                            std::to_string(e.latency * 1e6) + " us]";
                }
                EXPECT_LE(nearest, kAgreement)
                    << where << " by " << name(a.algorithm) << ": engine " << 1e-9 / rate
                    << " GB/s, " << a.latency.value() * 1e6 << " us; exact" << seen;
                worst = std::max(worst, nearest);
                ++compared;
            }
        }
    }
    std::printf("%d costs compared, worst difference %.3f%%\n", compared, 100 * worst);
    EXPECT_GE(compared, 4 * static_cast<int>(k.groups.size()));
}

INSTANTIATE_TEST_SUITE_P(All, WholeClusters, testing::ValuesIn(cases()),
                         [](const testing::TestParamInfo<Case>& tested) {
                             std::string name = tested.param.system.id;
                             for (const int d : tested.param.system.fabric.dims) {
                                 name += "_" + std::to_string(d);
                             }
                             name += "_x" + std::to_string(tested.param.domains);
                             if (tested.param.oversubscribed) name += "_oversubscribed";
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char ch) { return ch == '.' || ch == '-'; }, '_');
                             return name;
                         });

}  // namespace
}  // namespace trainwright::network
