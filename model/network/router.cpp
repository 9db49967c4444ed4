// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/router.h"

#include <algorithm>
#include <limits>

namespace trainwright::network {

struct Router::Scratch {
    std::vector<double> edgeBytes;
    std::vector<int> distance;      ///< hops from the source, or -1
    std::vector<double> paths;      ///< shortest paths from the source
    std::vector<double> latency;    ///< longest among the shortest paths
    std::vector<double> toCarry;    ///< bytes that must still reach this vertex
    std::vector<int> order;         ///< vertices as they were reached
    std::vector<char> isTarget;
    double longestLatency = 0;
    double latencySum = 0;
    std::uint64_t flows = 0;
    bool cutOff = false;            ///< a target can't be reached
};

Router::Router(const SystemGraph& system, double hopLatency)
    : chips_(system.geometry.chips), ranksPerChip_(system.geometry.ranksPerChip), hopLatency_(hopLatency) {
    const Graph& g = system.graph;
    const std::size_t switchesPerDomain = system.switches.size() / static_cast<std::size_t>(system.domains);
    std::vector<int> local(boost::num_vertices(g), -1);
    for (int c = 0; c < chips_; ++c) local[system.chip[static_cast<std::size_t>(c)]] = vertices_++;
    for (std::size_t s = 0; s < switchesPerDomain; ++s) local[system.switches[s]] = vertices_++;

    const auto count = static_cast<std::size_t>(vertices_);
    switchOf_.assign(count, -1);
    fromSwitch_.assign(count, -1);
    for (std::size_t v = 0; v < local.size(); ++v) {
        const auto [first, last] = boost::out_edges(v, g);
        for (auto e = first; e != last; ++e) {
            const Link& link = g[*e];
            const int from = local[v];
            const int to = local[boost::target(*e, g)];
            if (link.kind == LinkKind::IntraChip && rankLabel_ < 0) {
                rankBytesPerSecond_ = link.bytesPerSecond;
                rankLabel_ = link.label;
            }
            if (from < 0 || to < 0 || link.kind != LinkKind::ScaleUp) continue;
            const int index = static_cast<int>(edges_.size());
            edges_.push_back(Edge{from, to, link.bytesPerSecond, link.latency, link.label});
            if (to >= chips_) switchOf_[static_cast<std::size_t>(from)] = index;
            if (from >= chips_) fromSwitch_[static_cast<std::size_t>(to)] = index;
        }
    }
    const auto bucket = [&](std::vector<int>& start, std::vector<int>& list, int Edge::*end) {
        start.assign(count + 1, 0);
        for (const Edge& e : edges_) ++start[static_cast<std::size_t>(e.*end) + 1];
        for (std::size_t v = 0; v < count; ++v) start[v + 1] += start[v];
        list.resize(edges_.size());
        std::vector<int> next(start.begin(), start.end() - 1);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            list[static_cast<std::size_t>(next[static_cast<std::size_t>(edges_[e].*end)]++)] = static_cast<int>(e);
        }
    };
    bucket(outStart_, outEdges_, &Edge::from);
    bucket(inStart_, inEdges_, &Edge::to);
}

void Router::routeFrom(int source, const std::vector<std::pair<int, double>>& targets, Scratch& s) const {
    std::size_t missing = 0;
    for (const auto& [to, bytes] : targets) {
        const auto t = static_cast<std::size_t>(to);
        if (!s.isTarget[t]) ++missing;
        s.isTarget[t] = 1;
        s.toCarry[t] += bytes;
    }
    s.order.clear();
    s.order.push_back(source);
    s.distance[static_cast<std::size_t>(source)] = 0;
    s.paths[static_cast<std::size_t>(source)] = 1;
    s.latency[static_cast<std::size_t>(source)] = 0;
    int farthest = std::numeric_limits<int>::max();
    for (std::size_t i = 0; i < s.order.size(); ++i) {
        const auto v = static_cast<std::size_t>(s.order[i]);
        if (s.distance[v] >= farthest) break;
        for (int k = outStart_[v]; k < outStart_[v + 1]; ++k) {
            const Edge& e = edges_[static_cast<std::size_t>(outEdges_[static_cast<std::size_t>(k)])];
            const auto w = static_cast<std::size_t>(e.to);
            if (s.distance[w] < 0) {
                s.distance[w] = s.distance[v] + 1;
                s.paths[w] = 0;
                s.latency[w] = 0;
                s.order.push_back(e.to);
                if (s.isTarget[w] && --missing == 0) farthest = s.distance[w];
            }
            if (s.distance[w] == s.distance[v] + 1) {
                s.paths[w] += s.paths[v];
                s.latency[w] = std::max(s.latency[w], s.latency[v] + e.latency);
            }
        }
    }
    for (const auto& [to, bytes] : targets) {
        if (s.distance[static_cast<std::size_t>(to)] < 0) {
            s.cutOff = true;
            s.toCarry[static_cast<std::size_t>(to)] = 0;
            s.isTarget[static_cast<std::size_t>(to)] = 0;
            continue;
        }
        const double latency = std::max(s.latency[static_cast<std::size_t>(to)], hopLatency_);
        s.longestLatency = std::max(s.longestLatency, latency);
        s.latencySum += latency;
        ++s.flows;
    }
    for (std::size_t i = s.order.size(); i-- > 1;) {
        const auto v = static_cast<std::size_t>(s.order[i]);
        const double carry = s.toCarry[v];
        if (carry == 0) continue;
        s.toCarry[v] = 0;
        for (int k = inStart_[v]; k < inStart_[v + 1]; ++k) {
            const auto index = static_cast<std::size_t>(inEdges_[static_cast<std::size_t>(k)]);
            const auto u = static_cast<std::size_t>(edges_[index].from);
            if (s.distance[u] < 0 || s.distance[u] + 1 != s.distance[v]) continue;
            const double share = carry * s.paths[u] / s.paths[v];
            s.edgeBytes[index] += share;
            s.toCarry[u] += share;
        }
    }
    s.toCarry[static_cast<std::size_t>(source)] = 0;
    for (const int v : s.order) {
        s.distance[static_cast<std::size_t>(v)] = -1;
        s.isTarget[static_cast<std::size_t>(v)] = 0;
    }
}

StepLoad Router::route(const Step& step, std::uint64_t& work) const {
    const auto count = static_cast<std::size_t>(vertices_);
    Scratch s;
    s.edgeBytes.assign(edges_.size(), 0.0);
    s.distance.assign(count, -1);
    s.paths.assign(count, 0.0);
    s.latency.assign(count, 0.0);
    s.toCarry.assign(count, 0.0);
    s.isTarget.assign(count, 0);
    std::vector<double> rankOut, rankIn;
    if (ranksPerChip_ > 1) {
        rankOut.assign(static_cast<std::size_t>(chips_ * ranksPerChip_), 0.0);
        rankIn = rankOut;
    }
    const auto rankSends = [&](int from, int to, double bytes) {
        if (ranksPerChip_ == 1) return;
        if (from != kSwitch) rankOut[static_cast<std::size_t>(from)] += bytes;
        if (to != kSwitch) rankIn[static_cast<std::size_t>(to)] += bytes;
    };
    const auto insideChip = [&] {
        s.longestLatency = std::max(s.longestLatency, hopLatency_);
        s.latencySum += hopLatency_;
        ++s.flows;
    };

    std::vector<std::vector<std::pair<int, double>>> targets(static_cast<std::size_t>(chips_));
    for (const Flow& f : step.flows) {
        rankSends(f.from, f.to, f.bytes);
        if (f.to == kSwitch || f.from == kSwitch) {
            const int rank = f.to == kSwitch ? f.from : f.to;
            const auto& edges = f.to == kSwitch ? switchOf_ : fromSwitch_;
            const int edge = edges[static_cast<std::size_t>(rank / ranksPerChip_)];
            s.edgeBytes[static_cast<std::size_t>(edge)] += f.bytes;
            insideChip();
            continue;
        }
        const int from = f.from / ranksPerChip_;
        const int to = f.to / ranksPerChip_;
        if (from == to) {
            insideChip();
        } else {
            targets[static_cast<std::size_t>(from)].emplace_back(to, f.bytes);
        }
    }
    std::vector<std::pair<int, int>> held;  // chip, members of the group on it
    for (const Members& group : step.allPairs) {
        held.clear();
        for (const int rank : group) {
            const int chip = rank / ranksPerChip_;
            if (held.empty() || held.back().first != chip) held.emplace_back(chip, 0);
            ++held.back().second;
        }
        const double others = static_cast<double>(group.size()) - 1;
        for (const int rank : group) rankSends(rank, rank, others * step.pairBytes);
        for (const auto& [from, senders] : held) {
            for (const auto& [to, receivers] : held) {
                if (from == to) {
                    if (senders > 1) insideChip();
                } else {
                    targets[static_cast<std::size_t>(from)].emplace_back(to, step.pairBytes * senders * receivers);
                }
            }
        }
    }
    for (int c = 0; c < chips_; ++c) {
        const auto& list = targets[static_cast<std::size_t>(c)];
        if (!list.empty()) routeFrom(c, list, s);
    }

    StepLoad load;
    load.longestLatency = s.longestLatency;
    load.meanLatency = s.flows > 0 ? s.latencySum / static_cast<double>(s.flows) : 0.0;
    work += s.flows;
    if (s.cutOff) load.secondsPerByte = std::numeric_limits<double>::infinity();
    const auto consider = [&load](double bytes, double bytesPerSecond, int label) {
        if (bytes <= 0) return;
        const double seconds = bytes / bytesPerSecond;
        if (load.label < 0 || seconds > load.secondsPerByte) {
            load.secondsPerByte = seconds;
            load.label = label;
        }
    };
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        consider(s.edgeBytes[e], edges_[e].bytesPerSecond, edges_[e].label);
    }
    for (std::size_t r = 0; r < rankOut.size(); ++r) {
        consider(std::max(rankOut[r], rankIn[r]), rankBytesPerSecond_, rankLabel_);
    }
    return load;
}

}  // namespace trainwright::network
