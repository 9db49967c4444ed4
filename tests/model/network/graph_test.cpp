// SPDX-License-Identifier: GPL-3.0-or-later
// The wiring of each fabric: how many links, where they lead, what they carry.
#include "model/network/graph.h"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/model/network/systems.h"

namespace trainwright::network {
namespace {

using systems::kGB;

struct LinkView {
    VertexId from, to;
    Link link;
};

std::vector<LinkView> linksOf(const SystemGraph& g, LinkKind kind) {
    std::vector<LinkView> list;
    for (std::size_t v = 0; v < boost::num_vertices(g.graph); ++v) {
        const auto [first, last] = boost::out_edges(v, g.graph);
        for (auto e = first; e != last; ++e) {
            if (g.graph[*e].kind == kind)
                list.push_back({v, boost::target(*e, g.graph), g.graph[*e]});
        }
    }
    return list;
}

struct Wiring {
    machine::SystemSpec system;
    int ranksPerChip;
    std::size_t chips, switches, oneWayLinks;
    double gigabytesOut;  ///< of each chip into the scale-up fabric, one way
};

class Fabrics : public testing::TestWithParam<Wiring> {};

TEST_P(Fabrics, HaveTheLinksOfTheirSpecification) {
    const Wiring& w = GetParam();
    const auto g = buildGraph(w.system, w.ranksPerChip, 1);
    EXPECT_EQ(g->chip.size(), w.chips);
    EXPECT_EQ(g->rank.size(), w.chips * static_cast<std::size_t>(w.ranksPerChip));
    EXPECT_EQ(g->switches.size(), w.switches);
    const auto links = linksOf(*g, LinkKind::ScaleUp);
    EXPECT_EQ(links.size(), w.oneWayLinks);
    std::map<VertexId, double> out, in;
    std::set<std::pair<VertexId, VertexId>> seen;
    for (const LinkView& l : links) {
        out[l.from] += l.link.bytesPerSecond;
        in[l.to] += l.link.bytesPerSecond;
        EXPECT_TRUE(seen.insert({l.from, l.to}).second)
            << "two links one way between the same ends";
        EXPECT_TRUE(boost::edge(l.to, l.from, g->graph).second) << "no way back";
    }
    for (const VertexId chip : g->chip) {
        EXPECT_NEAR(out[chip], w.gigabytesOut * kGB, 1);
        EXPECT_NEAR(in[chip], w.gigabytesOut * kGB, 1);
    }
    EXPECT_EQ(linksOf(*g, LinkKind::IntraChip).size(), w.ranksPerChip > 1 ? 2 * g->rank.size() : 0);
}

std::vector<Wiring> wirings() {
    std::vector<Wiring> list;
    list.push_back({systems::trn1(), 2, 16, 0, 64, 4 * 48.0});
    list.push_back({systems::trn2(), 4, 16, 0, 64, 4 * 128.0});
    list.push_back({systems::trn2Ultra(), 4, 64, 0, 384, 640.0});
    list.push_back({systems::trn3(), 4, 144, 2, 432, 704.0});
    list.push_back({systems::inf2(), 2, 12, 0, 24, 2 * 96.0});
    list.push_back({systems::p5(), 1, 8, 1, 16, 450.0});
    list.push_back({systems::gb200(), 1, 72, 1, 144, 900.0});
    list.push_back({systems::v100(), 1, 8, 0, 32, 150.0});
    list.push_back({systems::mi300x(), 1, 8, 0, 56, 448.0});
    list.push_back({systems::tpuSlice(), 1, 256, 0, 1024, 200.0});
    return list;
}

INSTANTIATE_TEST_SUITE_P(All, Fabrics, testing::ValuesIn(wirings()),
                         [](const testing::TestParamInfo<Wiring>& tested) {
                             std::string name = tested.param.system.id;
                             for (char& c : name) {
                                 if (c == '.' || c == '-') c = '_';
                             }
                             return name;
                         });

TEST(Graph, NeighboursOfATrn2ChipAreOneStepAlongEachAxis) {
    const auto g = buildGraph(systems::trn2Ultra(), 1, 1);
    const auto joined = [&](int a, int b) {
        const auto found = boost::edge(g->chip[static_cast<std::size_t>(a)],
                                       g->chip[static_cast<std::size_t>(b)], g->graph);
        return found.second ? g->graph[found.first].bytesPerSecond / kGB : 0.0;
    };
    for (const auto& [other, rate] : std::vector<std::pair<int, double>>{{1, 128},
                                                                         {3, 128},
                                                                         {4, 128},
                                                                         {12, 128},
                                                                         {16, 64},
                                                                         {48, 64},
                                                                         {2, 0},
                                                                         {5, 0},
                                                                         {32, 0}}) {
        EXPECT_EQ(joined(0, other), rate) << "chip 0 to chip " << other;
    }
}

TEST(Graph, NicsAndTiersStandAboveTheHosts) {
    machine::SystemSpec s = systems::trn2Ultra();
    s.fabric.tiers = {{"rack", 4, 1.0, units::Seconds(0)}, {"spine", 8, 2.0, units::Seconds(1e-6)}};
    const auto g =
        buildGraph(s, 1, 3);  // twelve hosts: three racks, two spines, and what joins them
    ASSERT_EQ(g->nic.size(), 12u);
    ASSERT_EQ(g->tier.size(), 3u);
    EXPECT_EQ(g->tier[0].size(), 3u);
    EXPECT_EQ(g->tier[1].size(), 2u);
    EXPECT_EQ(g->tier[2].size(), 1u);
    const auto up = boost::edge(g->tier[0][0], g->tier[1][0], g->graph);
    ASSERT_TRUE(up.second);
    EXPECT_NEAR(g->graph[up.first].bytesPerSecond, 4 * 400 * kGB / 2, 1)
        << "four hosts, two to one";
    const auto host = boost::edge(g->nic[0], g->tier[0][0], g->graph);
    ASSERT_TRUE(host.second);
    EXPECT_NEAR(g->graph[host.first].bytesPerSecond, 400 * kGB, 1);
}

TEST(Graph, AChipReachesItsShareOfTheNicsOrOneWholeNic) {
    const auto rate = [](const machine::SystemSpec& s) {
        return chipToNicBandwidth(s.fabric, geometryOf(s, 1)) / kGB;
    };
    EXPECT_DOUBLE_EQ(rate(systems::p5()), 50);  // four NICs of 12.5 each
    EXPECT_DOUBLE_EQ(rate(systems::p4d(0.8)),
                     12.5);  // half a NIC as its share, but a whole one if alone
    EXPECT_DOUBLE_EQ(rate(systems::trn2()), 25);
}

TEST(Graph, NamesSayNetworkRateAndScope) {
    EXPECT_EQ(hostLabel(systems::p4d(0.8)), "EFA, 50 GB/s a host");
    EXPECT_EQ(linkName(systems::trn2()), "NeuronLink");
    EXPECT_EQ(linkName(systems::p5()), "NVLink");
    EXPECT_EQ(linkName(systems::mi300x()), "Infinity Fabric");
    EXPECT_EQ(scaleOutName(systems::mi300x()), "InfiniBand");
    machine::SystemSpec pcie = systems::p5();
    pcie.fabric.linkName = "PCIe";
    EXPECT_EQ(linkName(pcie), "PCIe");
    const auto g = buildGraph(systems::trn2Ultra(), 4, 1);
    const std::set<std::string> labels(g->labels.begin(), g->labels.end());
    EXPECT_TRUE(labels.count("NeuronLink x, 128 GB/s one way"));
    EXPECT_TRUE(labels.count("NeuronLink z, 64 GB/s one way"));
    EXPECT_TRUE(labels.count("path between ranks of a chip, 735 GB/s a rank"));
}

TEST(Graph, AFabricThatContradictsItselfIsRefused) {
    machine::SystemSpec torus = systems::trn2();
    torus.fabric.dims = {4, 3};
    EXPECT_THROW((void)buildGraph(torus, 1, 1), std::invalid_argument);
    machine::SystemSpec pairs = systems::trn3();
    pairs.fabric.chipsPerSwitch = 70;
    EXPECT_THROW((void)buildGraph(pairs, 1, 1), std::invalid_argument);
    machine::SystemSpec hosts = systems::trn2Ultra();
    hosts.fabric.hostsPerDomain = 5;
    EXPECT_THROW((void)buildGraph(hosts, 1, 1), std::invalid_argument);
    machine::SystemSpec cube = systems::v100();
    cube.chipsPerDomain = 16;
    EXPECT_THROW((void)buildGraph(cube, 1, 1), std::invalid_argument);
}

}  // namespace
}  // namespace trainwright::network
