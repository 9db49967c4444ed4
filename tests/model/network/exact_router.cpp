// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/model/network/exact_router.h"

#include <algorithm>
#include <bit>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/filtered_graph.hpp>
#include <map>
#include <stdexcept>
#include <utility>

#include "model/network/schedule.h"

namespace trainwright::network {

namespace {

/// Traffic inside a domain stays on its links; what leaves takes the sender's own NICs.
struct Allowed {
    const Graph* graph = nullptr;
    bool leaves = false;
    bool operator()(const EdgeId& e) const {
        const LinkKind kind = (*graph)[e].kind;
        if (kind == LinkKind::IntraChip) return true;
        return leaves ? kind == LinkKind::HostToNic || kind == LinkKind::ScaleOut
                      : kind == LinkKind::ScaleUp;
    }
};
using View = boost::filtered_graph<Graph, Allowed>;

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

ExactRouter::ExactRouter(const machine::SystemSpec& system, int ranksPerChip, int domains)
    : system_(system), graph_(buildGraph(system_, ranksPerChip, domains)) {}

/// Everything that is reached from one end, by Boost's breadth-first search.
struct ExactRouter::Search {
    std::vector<int> distance;    ///< hops; -1: not reached
    std::vector<VertexId> order;  ///< as found
    std::vector<double> paths;    ///< shortest paths to each vertex
    std::vector<double> latency;  ///< of the longest of them
};

ExactRouter::Search ExactRouter::searchFrom(VertexId from, bool leaves) const {
    const Graph& g = graph_->graph;
    const View view(g, Allowed{&g, leaves});
    Search s;
    s.distance.assign(boost::num_vertices(g), -1);
    s.distance[from] = 0;
    struct Visitor : boost::default_bfs_visitor {
        explicit Visitor(Search& search) : found(search) {}
        void tree_edge(EdgeId e, const View& v) const {
            found.distance[boost::target(e, v)] = found.distance[boost::source(e, v)] + 1;
        }
        void discover_vertex(VertexId v, const View&) const { found.order.push_back(v); }
        Search& found;
    };
    std::vector<boost::default_color_type> colour(boost::num_vertices(g));
    boost::breadth_first_search(view, from,
                                boost::visitor(Visitor(s))
                                    .color_map(boost::make_iterator_property_map(
                                        colour.begin(), boost::get(boost::vertex_index, view))));
    s.paths.assign(boost::num_vertices(g), 0.0);
    s.latency.assign(boost::num_vertices(g), 0.0);
    s.paths[from] = 1;
    for (const VertexId v : s.order) {
        forward(s, v, leaves, [&](VertexId w, const Link& link) {
            s.paths[w] += s.paths[v];
            s.latency[w] = std::max(s.latency[w], s.latency[v] + link.latency);
        });
    }
    return s;
}

template <typename Visit>
void ExactRouter::forward(const Search& s, VertexId v, bool leaves, const Visit& visit) const {
    const Allowed allowed{&graph_->graph, leaves};
    const auto [first, last] = boost::out_edges(v, graph_->graph);
    for (auto e = first; e != last; ++e) {
        const VertexId w = boost::target(*e, graph_->graph);
        if (allowed(*e) && s.distance[w] == s.distance[v] + 1) visit(w, graph_->graph[*e]);
    }
}

ExactRouter::Routed ExactRouter::route(const std::vector<GlobalFlow>& flows,
                                       double insideEfficiency) const {
    const Graph& g = graph_->graph;
    std::map<std::pair<VertexId, VertexId>, double> load;
    std::map<std::pair<VertexId, bool>, Search> searches;
    Routed result;
    double latencySum = 0;
    std::vector<double> onward(boost::num_vertices(g));
    for (const GlobalFlow& f : flows) {
        const auto end = [&](int rank, int other) {
            if (rank != kSwitch) return graph_->rank[at(rank)];
            return graph_->switches[at(domainOf(other))];
        };
        const VertexId from = end(f.from, f.to);
        const VertexId to = end(f.to, f.from);
        const bool leaves =
            f.from != kSwitch && f.to != kSwitch && domainOf(f.from) != domainOf(f.to);
        auto known = searches.find({from, leaves});
        if (known == searches.end()) {
            known = searches.emplace(std::pair{from, leaves}, searchFrom(from, leaves)).first;
        }
        const Search& s = known->second;
        if (s.distance[to] < 0) throw std::runtime_error("a flow has no path");

        // Paths from each vertex to the end, so that an edge's share is the paths through it over
        // all paths.
        std::fill(onward.begin(), onward.end(), 0.0);
        onward[to] = 1;
        for (auto v = s.order.rbegin(); v != s.order.rend(); ++v) {
            if (s.distance[*v] >= s.distance[to]) continue;
            forward(s, *v, leaves, [&](VertexId w, const Link&) { onward[*v] += onward[w]; });
            if (onward[*v] <= 0) continue;
            forward(s, *v, leaves, [&](VertexId w, const Link&) {
                const double share = s.paths[*v] * onward[w] / s.paths[to];
                if (share > 0) load[{*v, w}] += share * f.bytes;
            });
        }
        const double path = std::max(s.latency[to], system_.fabric.hopLatency.value());
        result.longestLatency = std::max(result.longestLatency, path);
        latencySum += path;
    }
    if (!flows.empty()) result.meanLatency = latencySum / static_cast<double>(flows.size());
    for (const auto& [ends, bytes] : load) {
        const Link& link = g[boost::edge(ends.first, ends.second, g).first];
        const bool outside = link.kind == LinkKind::HostToNic || link.kind == LinkKind::ScaleOut;
        const double efficiency = outside ? system_.fabric.scaleOutEfficiency : insideEfficiency;
        result.secondsPerByte =
            std::max(result.secondsPerByte, bytes / link.bytesPerSecond / efficiency);
    }
    return result;
}

std::vector<ExactCost> ExactRouter::inside(Collective c, const std::vector<Members>& groups) const {
    // Schedules are drawn up domain by domain and merged step by step.
    const int domainRanks = graph_->geometry.ranks();
    std::map<int, std::vector<Members>> byDomain;
    for (const Members& m : groups) {
        Members local;
        for (const int rank : m) local.push_back(rank % domainRanks);
        byDomain[domainOf(m.front())].push_back(std::move(local));
    }
    std::vector<std::vector<Schedule>> all;
    std::vector<int> offset;
    for (const auto& [domain, local] : byDomain) {
        all.push_back(schedules(c, local, graph_->geometry, system_.fabric));
        offset.push_back(domain * domainRanks);
    }
    std::vector<ExactCost> list;
    for (std::size_t a = 0; a < all.front().size(); ++a) {
        ExactCost cost;
        cost.algorithm = all.front()[a].algorithm;
        double efficiency = system_.fabric.protocolEfficiency;
        if (cost.algorithm == Algorithm::SwitchReduction &&
            system_.fabric.switchReductionEfficiency > 0) {
            efficiency = system_.fabric.switchReductionEfficiency;
        }
        for (std::size_t s = 0; s < all.front()[a].steps.size(); ++s) {
            std::vector<GlobalFlow> flows;
            for (std::size_t d = 0; d < all.size(); ++d) {
                const Step& step = all[d][a].steps[s];
                const auto shift = [&](int rank) {
                    return rank == kSwitch ? kSwitch : rank + offset[d];
                };
                for (const Flow& f : step.flows)
                    flows.push_back({shift(f.from), shift(f.to), f.bytes});
                for (const Members& m : step.allPairs) {
                    for (const int x : m) {
                        for (const int y : m) {
                            if (x != y) flows.push_back({shift(x), shift(y), step.pairBytes});
                        }
                    }
                }
            }
            const Step& step = all.front()[a].steps[s];
            const Routed r = route(flows, efficiency);
            cost.secondsPerByte += step.repeat * r.secondsPerByte;
            cost.latency +=
                step.latencySteps * (step.ranksRunOn ? r.meanLatency : r.longestLatency);
        }
        list.push_back(cost);
    }
    return list;
}

void ExactRouter::across(Collective c, const std::vector<Members>& groups,
                         std::vector<ExactCost>& list) const {
    const std::size_t n = groups.front().size();
    const double size = static_cast<double>(n);
    const double halves = c == Collective::AllReduce ? 2 : 1;
    const double inside = system_.fabric.protocolEfficiency;
    const double logSteps = static_cast<double>(std::bit_width(n - 1));
    const auto add = [&](Algorithm a, const std::vector<GlobalFlow>& flows, double repeat,
                         double steps) {
        const Routed r = route(flows, inside);
        list.push_back({a, steps * r.longestLatency, repeat * r.secondsPerByte});
    };
    std::vector<GlobalFlow> flows;
    if (c == Collective::AllToAll) {
        for (const Members& m : groups) {
            for (const int x : m) {
                for (const int y : m) {
                    if (x != y) flows.push_back({x, y, 1 / size});
                }
            }
        }
        add(Algorithm::Pairwise, flows, 1, size - 1);
        return;
    }
    const bool broadcast = c == Collective::Broadcast;
    for (const Members& m : groups) {
        for (std::size_t i = 0; i + (broadcast ? 1 : 0) < n; ++i) {
            flows.push_back({m[i], m[(i + 1) % n], broadcast ? 1 : 1 / size});
        }
    }
    add(Algorithm::Ring, flows, broadcast ? 1 : halves * (size - 1),
        broadcast ? size - 1 : halves * (size - 1));
    if (!broadcast && std::has_single_bit(n)) {
        ExactCost cost{Algorithm::HalvingDoubling, 0, 0};
        double bytes = 0.5;
        for (std::size_t bit = n / 2; bit > 0; bit /= 2, bytes /= 2) {
            flows.clear();
            for (const Members& m : groups) {
                for (std::size_t i = 0; i < n; ++i) flows.push_back({m[i], m[i ^ bit], bytes});
            }
            const Routed r = route(flows, inside);
            cost.secondsPerByte += halves * r.secondsPerByte;
            cost.latency += halves * r.longestLatency;
        }
        list.push_back(cost);
    }
    if (c == Collective::AllReduce || broadcast) {
        flows.clear();
        for (const Members& m : groups) {
            for (std::size_t i = 1; i < n; ++i) {
                const std::size_t parent = (i - 1) / 2;
                if (broadcast) {
                    flows.push_back({m[parent], m[i], 1.0});
                    continue;
                }
                for (const bool mirrored : {false, true}) {
                    const int child = mirrored ? m[n - 1 - i] : m[i];
                    const int above = mirrored ? m[n - 1 - parent] : m[parent];
                    flows.push_back({above, child, 0.5});
                    flows.push_back({child, above, 0.5});
                }
            }
        }
        add(Algorithm::Tree, flows, 1, (broadcast ? 1 : 2) * logSteps);
    }
}

void ExactRouter::flatRing(Collective c, const std::vector<Members>& groups,
                           std::vector<ExactCost>& list) const {
    const double n = static_cast<double>(groups.front().size());
    const bool broadcast = c == Collective::Broadcast;
    const double halves = c == Collective::AllReduce ? 2 : 1;
    const int domainRanks = graph_->geometry.ranks();
    std::vector<GlobalFlow> flows;
    for (const Members& m : groups) {
        std::map<int, Members> byDomain;
        for (const int rank : m) byDomain[domainOf(rank)].push_back(rank % domainRanks);
        std::size_t turns = 1;
        for (auto& [domain, local] : byDomain) {
            local = ringOrder(local, graph_->geometry);
            turns = std::max(turns, local.size());
        }
        const double bytes = (broadcast ? 1 : halves * (n - 1) / n) / static_cast<double>(turns);
        for (std::size_t turn = 0; turn < turns; ++turn) {
            Members ring;
            for (const auto& [domain, local] : byDomain) {
                for (std::size_t i = 0; i < local.size(); ++i) {
                    ring.push_back(domain * domainRanks + local[(i + turn) % local.size()]);
                }
            }
            for (std::size_t i = 0; i < ring.size(); ++i) {
                flows.push_back({ring[i], ring[(i + 1) % ring.size()], bytes});
            }
        }
    }
    const Routed r = route(flows, system_.fabric.protocolEfficiency);
    list.push_back({Algorithm::Ring, (broadcast ? n - 1 : halves * (n - 1)) * r.meanLatency,
                    r.secondsPerByte});
}

ExactCost ExactRouter::ring(Collective c, Group group) const {
    std::vector<ExactCost> list;
    flatRing(c, siblingGroups(group.ranks, static_cast<int>(group.stride), ranks()), list);
    return list.front();
}

std::vector<ExactCost> ExactRouter::costs(Collective c, Group group) const {
    const machine::FabricSpec& fabric = system_.fabric;
    const auto groups = siblingGroups(group.ranks, static_cast<int>(group.stride), ranks());
    const bool within = std::all_of(groups.begin(), groups.end(), [&](const Members& m) {
        return domainOf(m.front()) == domainOf(m.back());
    });
    std::vector<ExactCost> list;
    double start = fabric.collectiveLatency.value();
    if (within) {
        list = inside(c, groups);
    } else {
        start = std::max(start, fabric.scaleOutCollectiveLatency.value());
        const int perDomain = static_cast<int>(
            std::count_if(groups.front().begin(), groups.front().end(),
                          [&](int r) { return domainOf(r) == domainOf(groups.front().front()); }));
        if (c == Collective::PointToPoint) {
            std::vector<GlobalFlow> flows;
            for (const Members& m : groups) {
                for (std::size_t i = 0; i + 1 < m.size(); ++i) flows.push_back({m[i], m[i + 1], 1});
            }
            const Routed r = route(flows, fabric.protocolEfficiency);
            list.push_back({Algorithm::SendReceive, r.longestLatency, r.secondsPerByte});
        } else if (perDomain == 1) {
            across(c, groups, list);
        } else {
            std::vector<Members> local, lanes;
            for (const Members& m : groups) {
                std::map<int, Members> byDomain;
                for (const int rank : m) byDomain[domainOf(rank)].push_back(rank);
                for (const auto& [domain, part] : byDomain) local.push_back(part);
                for (int lane = 0; lane < perDomain; ++lane) {
                    Members line;
                    for (const auto& [domain, part] : byDomain) line.push_back(part[at(lane)]);
                    lanes.push_back(std::move(line));
                }
            }
            const bool exchange = c == Collective::AllToAll;
            const auto phases =
                inside(c == Collective::Broadcast ? Collective::AllGather : c, local);
            std::vector<ExactCost> outer;
            across(c, lanes, outer);
            for (const ExactCost& i : phases) {
                if (i.algorithm == Algorithm::Tree) continue;
                for (ExactCost o : outer) {
                    if (!exchange) o.secondsPerByte /= perDomain;
                    const double shorter = std::min(i.secondsPerByte, o.secondsPerByte);
                    list.push_back(
                        {exchange ? Algorithm::TwoLevelAllToAll : Algorithm::Hierarchical,
                         i.latency + o.latency,
                         std::max(i.secondsPerByte, o.secondsPerByte) +
                             (1 - fabric.hierarchyOverlap) * shorter});
                }
            }
            if (exchange) {
                across(c, groups, list);
            } else {
                flatRing(c, groups, list);
            }
        }
    }
    for (ExactCost& cost : list) cost.latency += start;
    return list;
}

}  // namespace trainwright::network
