// SPDX-License-Identifier: GPL-3.0-or-later
// The slow exact way: the whole graph of a small cluster, every flow of every group, link by link.
//
// It shares the algorithms' steps with the engine (who sends what to whom) but none of its
// shortcuts: no representative domain, no merged ranks, no known paths. Boost's breadth-first
// search finds the shortest paths of each flow, and the flow is split evenly over them.
#pragma once

#include <memory>
#include <vector>

#include "model/network/graph.h"
#include "model/network/network.h"

namespace trainwright::network {

struct ExactCost {
    Algorithm algorithm = Algorithm::None;
    double latency = 0;         ///< seconds, the start included
    double secondsPerByte = 0;  ///< for large messages, efficiencies included
};

class ExactRouter {
public:
    ExactRouter(const machine::SystemSpec& system, int ranksPerChip, int domains);

    /// Every algorithm for `collective` in all groups of this shape.
    [[nodiscard]] std::vector<ExactCost> costs(Collective collective, Group group) const;

    /// One ring through each group in the order of its members, however they lie on the domains.
    [[nodiscard]] ExactCost ring(Collective collective, Group group) const;

    [[nodiscard]] int ranks() const { return static_cast<int>(graph_->rank.size()); }

private:
    struct GlobalFlow {
        int from, to;  ///< ranks; kSwitch as in schedule.h
        double bytes;
    };
    struct Routed {
        double secondsPerByte = 0;
        double longestLatency = 0;
        double meanLatency = 0;
    };
    struct Search;
    [[nodiscard]] Search searchFrom(VertexId from, bool leaves) const;
    /// Calls `visit(next, link)` for every link from `v` that lies on a shortest path.
    template <typename Visit>
    void forward(const Search& s, VertexId v, bool leaves, const Visit& visit) const;
    [[nodiscard]] Routed route(const std::vector<GlobalFlow>& flows, double insideEfficiency) const;
    [[nodiscard]] std::vector<ExactCost> inside(Collective c,
                                                const std::vector<std::vector<int>>& groups) const;
    void across(Collective c, const std::vector<std::vector<int>>& groups,
                std::vector<ExactCost>& list) const;
    void flatRing(Collective c, const std::vector<std::vector<int>>& groups,
                  std::vector<ExactCost>& list) const;
    [[nodiscard]] int domainOf(int rank) const { return rank / graph_->geometry.ranks(); }

    machine::SystemSpec system_;
    std::unique_ptr<const SystemGraph> graph_;
};

}  // namespace trainwright::network
