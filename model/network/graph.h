// SPDX-License-Identifier: GPL-3.0-or-later
// A system as a graph: ranks, chips, switches, NICs and scale-out tiers, joined by one-way links.
//
// The builder makes any number of scale-up domains with the scale-out network above them. The
// engine needs one domain (the representative); tests build whole small clusters of it. Vertices of
// one kind are numbered as ranks are: chip by chip, host by host, domain by domain. It routes
// nothing.
#pragma once

#include <boost/graph/adjacency_list.hpp>
#include <memory>
#include <string>
#include <vector>

#include "model/machine/machine.h"
#include "model/units/outcome.h"

namespace trainwright::network {

enum class VertexKind { Rank, Chip, Switch, Nic, Tier };
enum class LinkKind { IntraChip, ScaleUp, HostToNic, ScaleOut };

struct Vertex {
    VertexKind kind = VertexKind::Chip;
    int index = 0;  ///< among its kind, over all domains
};

struct Link {
    double bytesPerSecond = 0;  ///< one way
    double latency = 0;         ///< seconds
    LinkKind kind = LinkKind::ScaleUp;
    int label = 0;  ///< into SystemGraph::labels
};

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, Vertex, Link>;
using VertexId = boost::graph_traits<Graph>::vertex_descriptor;
using EdgeId = boost::graph_traits<Graph>::edge_descriptor;

/// The shape of one domain: what the builders and the schedules of collectives both need.
struct Geometry {
    machine::FabricKind kind = machine::FabricKind::Single;
    /// Chips along each dimension, the first varying fastest. Torus and ring: the closed loops;
    /// paired switches: chips of a switch, switches; all others: one entry.
    std::vector<int> dims;
    int chips = 1;
    int ranksPerChip = 1;
    int hosts = 1;
    [[nodiscard]] int ranks() const { return chips * ranksPerChip; }
    [[nodiscard]] int ranksPerHost() const { return ranks() / hosts; }
    [[nodiscard]] std::vector<int> coordinates(int chip) const;
};

/// Throws std::invalid_argument where the specification contradicts itself.
[[nodiscard]] Geometry geometryOf(const machine::SystemSpec& system, int ranksPerChip);

/// What one chip can send along dimension `d` of the geometry when it uses every link of it,
/// bytes/s.
[[nodiscard]] double dimensionBandwidth(const machine::FabricSpec& fabric, const Geometry& g,
                                        std::size_t d);

/// All NICs of one host together, bytes/s one way.
[[nodiscard]] double hostBandwidth(const machine::FabricSpec& fabric);
/// What one chip alone can send through its host's NICs: its share, or one whole NIC if that is
/// more.
[[nodiscard]] double chipToNicBandwidth(const machine::FabricSpec& fabric, const Geometry& g);

/// Neither copied nor moved: the graph's own copying would take longer than building it.
struct SystemGraph {
    SystemGraph() = default;
    SystemGraph(const SystemGraph&) = delete;
    SystemGraph& operator=(const SystemGraph&) = delete;

    Graph graph;
    Geometry geometry;
    int domains = 1;
    std::vector<VertexId> rank;  ///< of all domains; the chip itself where a chip is one rank
    std::vector<VertexId> chip;
    std::vector<VertexId> switches;
    std::vector<VertexId> nic;                ///< one a host: all its NICs
    std::vector<std::vector<VertexId>> tier;  ///< switches of each tier, from the hosts upwards
    std::vector<std::string> labels;
};

[[nodiscard]] std::unique_ptr<const SystemGraph> buildGraph(const machine::SystemSpec& system,
                                                            int ranksPerChip, int domains);

/// Names for people: "NeuronLink", "NVLink", "EFA".
[[nodiscard]] std::string linkName(const machine::SystemSpec& system);
[[nodiscard]] std::string scaleOutName(const machine::SystemSpec& system);
/// "EFA, 50 GB/s a host"
[[nodiscard]] std::string hostLabel(const machine::SystemSpec& system);
/// "spine tier of EFA, 7:1 oversubscribed"
[[nodiscard]] std::string tierLabel(const machine::SystemSpec& system, std::size_t tier);
/// "12.5 GB/s"
[[nodiscard]] std::string rateText(double bytesPerSecond);
/// What a label of a link says, with what may be translated apart from names and rates.
[[nodiscard]] Text linkText(const std::string& label);

}  // namespace trainwright::network
