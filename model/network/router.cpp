// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/router.h"

#include <algorithm>
#include <limits>
#include <mutex>

namespace trainwright::network {

namespace {

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

}  // namespace

/// All shortest paths from one source.
struct Router::Tree {
    struct Arrival {
        int edge, from;
        double share;  ///< of what reaches the vertex
        int slot;      ///< on a torus, the edge's place among those of its chip, in `loopEdges_`
    };
    std::vector<int> order;       ///< vertices by distance, the source first
    std::vector<int> place;       ///< of each vertex in `order`; -1 if it can't be reached
    std::vector<double> latency;  ///< of each vertex: the longest of its shortest paths
    std::vector<int> start;       ///< arrivals of order[i]: from start[i] to start[i + 1]
    std::vector<Arrival> arrivals;
};

struct Router::Trees {
    explicit Trees(int count) : made(at(count)), tree(at(count)) {}
    std::vector<std::once_flag> made;
    std::vector<Tree> tree;
};

/// What a step puts on the links so far.
struct Router::Load {
    std::vector<double> edgeBytes;
    std::vector<double>
        toCarry;  ///< bytes that must still be brought to this vertex, as the tree numbers it
    std::vector<int> chip;  ///< on a torus, the chip that a vertex of the tree stands for
    double longestLatency = 0;
    double latencySum = 0;
    std::uint64_t flows = 0;
    bool cutOff = false;  ///< a target can't be reached

    void count(double latency, int paths = 1) {
        longestLatency = std::max(longestLatency, latency);
        latencySum += paths * latency;
        flows += static_cast<std::uint64_t>(paths);
    }
};

Router::~Router() = default;
Router::Router(Router&&) noexcept = default;
Router& Router::operator=(Router&&) noexcept = default;

Router::Router(const SystemGraph& system, double hopLatency)
    : chips_(system.geometry.chips),
      ranksPerChip_(system.geometry.ranksPerChip),
      hopLatency_(hopLatency) {
    const Graph& g = system.graph;
    const std::size_t switchesPerDomain = system.switches.size() / at(system.domains);
    std::vector<int> local(boost::num_vertices(g), -1);
    for (int c = 0; c < chips_; ++c) local[system.chip[at(c)]] = vertices_++;
    for (std::size_t s = 0; s < switchesPerDomain; ++s) local[system.switches[s]] = vertices_++;

    toSwitch_.assign(at(vertices_), -1);
    fromSwitch_.assign(at(vertices_), -1);
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
            if (to >= chips_) toSwitch_[at(from)] = index;
            if (from >= chips_) fromSwitch_[at(to)] = index;
        }
    }
    const auto bucket = [this](std::vector<int>& start, std::vector<int>& list, int Edge::*end) {
        start.assign(at(vertices_) + 1, 0);
        for (const Edge& e : edges_) ++start[at(e.*end) + 1];
        for (std::size_t v = 0; v < at(vertices_); ++v) start[v + 1] += start[v];
        list.resize(edges_.size());
        std::vector<int> next(start.begin(), start.end() - 1);
        for (std::size_t e = 0; e < edges_.size(); ++e) {
            list[at(next[at(edges_[e].*end)]++)] = static_cast<int>(e);
        }
    };
    bucket(outStart_, outEdges_, &Edge::from);
    bucket(inStart_, inEdges_, &Edge::to);
    const machine::FabricKind kind = system.geometry.kind;
    if (kind == machine::FabricKind::Torus || kind == machine::FabricKind::Ring)
        indexLoops(system.geometry);
    trees_ = std::make_unique<Trees>(dims_.empty() ? chips_ : 1);
}

void Router::indexLoops(const Geometry& geometry) {
    dims_ = geometry.dims;
    for (int c = 0; c < chips_; ++c) {
        const std::vector<int> position = geometry.coordinates(c);
        coordinates_.insert(coordinates_.end(), position.begin(), position.end());
    }
    loopEdges_.assign(at(chips_) * dims_.size() * 2, -1);
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        for (std::size_t d = 0; d < dims_.size(); ++d) {
            const int a = coordinates_[at(edges_[e].from) * dims_.size() + d];
            const int b = coordinates_[at(edges_[e].to) * dims_.size() + d];
            if (a == b) continue;
            const std::size_t slot = (at(edges_[e].from) * dims_.size() + d) * 2;
            if ((a + 1) % dims_[d] == b) loopEdges_[slot] = static_cast<int>(e);
            if ((b + 1) % dims_[d] == a) loopEdges_[slot + 1] = static_cast<int>(e);
        }
    }
}

bool Router::walkLoop(int from, int to, double bytes, Load& load) const {
    const std::size_t count = dims_.size();
    std::size_t dimension = count;
    for (std::size_t d = 0; d < count; ++d) {
        if (coordinates_[at(from) * count + d] == coordinates_[at(to) * count + d]) continue;
        if (dimension != count) return false;
        dimension = d;
    }
    if (dimension == count) return false;
    const int extent = dims_[dimension];
    const int ahead = (coordinates_[at(to) * count + dimension] -
                       coordinates_[at(from) * count + dimension] + extent) %
                      extent;
    const int behind = extent - ahead;
    const bool tie = ahead == behind && extent > 2;
    double latency = 0;
    const auto walk = [&](std::size_t direction, double share) {
        double length = 0;
        for (int chip = from; chip != to;) {
            const int edge = loopEdges_[(at(chip) * count + dimension) * 2 + direction];
            load.edgeBytes[at(edge)] += share;
            length += edges_[at(edge)].latency;
            chip = edges_[at(edge)].to;
        }
        latency = std::max(latency, length);
    };
    if (ahead <= behind) walk(0, tie ? bytes / 2 : bytes);
    if (behind < ahead || tie) walk(1, tie ? bytes / 2 : bytes);
    load.count(std::max(latency, hopLatency_));
    return true;
}

bool Router::walkSwitch(int from, int to, double bytes, Load& load) const {
    const int up = toSwitch_[at(from)];
    const int down = fromSwitch_[at(to)];
    if (up < 0 || down < 0 || edges_[at(up)].to != edges_[at(down)].from) return false;
    load.edgeBytes[at(up)] += bytes;
    load.edgeBytes[at(down)] += bytes;
    load.count(std::max(edges_[at(up)].latency + edges_[at(down)].latency, hopLatency_));
    return true;
}

Router::Tree Router::growTree(int source) const {
    Tree t;
    std::vector<int> distance(at(vertices_), -1);
    t.place.assign(at(vertices_), -1);
    t.order.reserve(at(vertices_));
    t.order.push_back(source);
    t.place[at(source)] = 0;
    distance[at(source)] = 0;
    for (std::size_t i = 0; i < t.order.size(); ++i) {
        const int v = t.order[i];
        for (int k = outStart_[at(v)]; k < outStart_[at(v) + 1]; ++k) {
            const int to = edges_[at(outEdges_[at(k)])].to;
            if (distance[at(to)] >= 0) continue;
            distance[at(to)] = distance[at(v)] + 1;
            t.place[at(to)] = static_cast<int>(t.order.size());
            t.order.push_back(to);
        }
    }
    std::vector<double> paths(at(vertices_), 0.0);
    paths[at(source)] = 1;
    t.latency.assign(at(vertices_), 0.0);
    t.arrivals.reserve(edges_.size());
    t.start.reserve(t.order.size() + 1);
    t.start.push_back(0);
    for (const int v : t.order) {
        const std::size_t first = t.arrivals.size();
        for (int k = inStart_[at(v)]; k < inStart_[at(v) + 1]; ++k) {
            const int index = inEdges_[at(k)];
            const Edge& e = edges_[at(index)];
            if (distance[at(e.from)] < 0 || distance[at(e.from)] + 1 != distance[at(v)]) continue;
            paths[at(v)] += paths[at(e.from)];
            t.latency[at(v)] = std::max(t.latency[at(v)], t.latency[at(e.from)] + e.latency);
            int slot = 0;
            const std::size_t slots = dims_.size() * 2;
            while (at(slot) < slots && loopEdges_[at(e.from) * slots + at(slot)] != index) ++slot;
            t.arrivals.push_back(Tree::Arrival{index, e.from, paths[at(e.from)], slot});
        }
        for (std::size_t k = first; k < t.arrivals.size(); ++k) t.arrivals[k].share /= paths[at(v)];
        t.start.push_back(static_cast<int>(t.arrivals.size()));
    }
    return t;
}

const Router::Tree& Router::treeFrom(int source) const {
    const std::size_t kept = dims_.empty() ? at(source) : 0;
    std::call_once(trees_->made[kept],
                   [&] { trees_->tree[kept] = growTree(static_cast<int>(kept)); });
    return trees_->tree[kept];
}

/// `chip` as the torus moves chip 0 to `source` (sign 1), or `source` to chip 0 (sign -1).
int Router::shifted(int chip, int source, int sign) const {
    int result = 0;
    int stride = 1;
    for (std::size_t d = 0; d < dims_.size(); ++d) {
        int c = coordinates_[at(chip) * dims_.size() + d] +
                sign * coordinates_[at(source) * dims_.size() + d];
        if (c < 0) c += dims_[d];
        if (c >= dims_[d]) c -= dims_[d];
        result += c * stride;
        stride *= dims_[d];
    }
    return result;
}

void Router::follow(int source, const std::vector<Target>& targets, Load& load) const {
    const Tree& tree = treeFrom(source);
    const bool torus = !dims_.empty();
    int last = 0;
    for (const Target& target : targets) {
        const int to = torus ? shifted(target.to, source, -1) : target.to;
        const int place = tree.place[at(to)];
        if (place < 0) {
            load.cutOff = true;
            continue;
        }
        last = std::max(last, place);
        load.toCarry[at(to)] += target.bytes;
        load.count(std::max(tree.latency[at(to)], hopLatency_), target.flows);
    }
    if (torus) {
        load.chip.resize(at(chips_));
        for (int i = 0; i <= last; ++i)
            load.chip[at(tree.order[at(i)])] = shifted(tree.order[at(i)], source, 1);
    }
    const std::size_t slots = dims_.size() * 2;
    for (int i = last; i > 0; --i) {
        const int v = tree.order[at(i)];
        const double carry = load.toCarry[at(v)];
        if (carry == 0) continue;
        load.toCarry[at(v)] = 0;
        for (int k = tree.start[at(i)]; k < tree.start[at(i) + 1]; ++k) {
            const Tree::Arrival& a = tree.arrivals[at(k)];
            const int edge =
                torus ? loopEdges_[at(load.chip[at(a.from)]) * slots + at(a.slot)] : a.edge;
            load.edgeBytes[at(edge)] += carry * a.share;
            load.toCarry[at(a.from)] += carry * a.share;
        }
    }
    load.toCarry[at(tree.order.front())] = 0;
}

StepLoad Router::route(const Step& step, std::uint64_t& work) const {
    Load load;
    load.edgeBytes.assign(edges_.size(), 0.0);
    load.toCarry.assign(at(vertices_), 0.0);
    std::vector<double> rankOut, rankIn;
    if (ranksPerChip_ > 1) {
        rankOut.assign(at(chips_ * ranksPerChip_), 0.0);
        rankIn = rankOut;
    }
    const auto rankSends = [&](int from, int to, double bytes) {
        if (ranksPerChip_ == 1) return;
        if (from != kSwitch) rankOut[at(from)] += bytes;
        if (to != kSwitch) rankIn[at(to)] += bytes;
    };

    std::vector<std::vector<Target>> targets(at(chips_));
    const auto send = [&](int from, int to, double bytes) {
        if (!dims_.empty() ? walkLoop(from, to, bytes, load) : walkSwitch(from, to, bytes, load))
            return;
        std::vector<Target>& list = targets[at(from)];
        if (!list.empty() && list.back().to == to) {
            list.back().bytes += bytes;
            ++list.back().flows;
        } else {
            list.push_back(Target{to, 1, bytes});
        }
    };
    for (const Flow& f : step.flows) {
        rankSends(f.from, f.to, f.bytes);
        if (f.to == kSwitch || f.from == kSwitch) {
            const int chip = (f.to == kSwitch ? f.from : f.to) / ranksPerChip_;
            load.edgeBytes[at(f.to == kSwitch ? toSwitch_[at(chip)] : fromSwitch_[at(chip)])] +=
                f.bytes;
            load.count(hopLatency_);
            continue;
        }
        const int from = f.from / ranksPerChip_;
        const int to = f.to / ranksPerChip_;
        if (from == to) {
            load.count(hopLatency_);
        } else {
            send(from, to, f.bytes);
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
            if (senders > 1) load.count(hopLatency_);
            for (const auto& [to, receivers] : held) {
                if (from != to) send(from, to, step.pairBytes * senders * receivers);
            }
        }
    }
    for (int c = 0; c < chips_; ++c) {
        if (!targets[at(c)].empty()) follow(c, targets[at(c)], load);
    }

    StepLoad result;
    result.longestLatency = load.longestLatency;
    result.meanLatency = load.flows > 0 ? load.latencySum / static_cast<double>(load.flows) : 0.0;
    work += load.flows;
    const auto consider = [&result](double bytes, double bytesPerSecond, int label) {
        if (bytes <= 0) return;
        const double seconds = bytes / bytesPerSecond;
        // Links of equal load differ in the last digit by the order of sums; the first one is
        // named.
        if (result.label < 0 || seconds > result.secondsPerByte * (1 + 1e-12)) {
            result.secondsPerByte = seconds;
            result.label = label;
        }
    };
    for (std::size_t e = 0; e < edges_.size(); ++e) {
        consider(load.edgeBytes[e], edges_[e].bytesPerSecond, edges_[e].label);
    }
    for (std::size_t r = 0; r < rankOut.size(); ++r) {
        consider(std::max(rankOut[r], rankIn[r]), rankBytesPerSecond_, rankLabel_);
    }
    if (load.cutOff) result.secondsPerByte = std::numeric_limits<double>::infinity();
    return result;
}

}  // namespace trainwright::network
