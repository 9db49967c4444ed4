// SPDX-License-Identifier: GPL-3.0-or-later
// Shortest paths inside one scale-up domain, with equal splitting over all of them.
//
// It works on chips and switches; what ranks of one chip exchange, and what they send out of it, is
// added up at the ranks' own links. Paths that the wiring makes obvious (along one loop of a torus,
// through one switch) are walked; all others follow a tree of shortest paths from their source,
// made once; a torus looks the same from everywhere and needs one tree only. The result of a step
// depends on nothing but the flows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/network/graph.h"
#include "model/network/schedule.h"

namespace trainwright::network {

/// What one run of a step costs.
struct StepLoad {
    double secondsPerByte = 0;  ///< of the busiest link; infinite if a flow has no path
    int label = -1;             ///< of the busiest link, into SystemGraph::labels; -1: no load
    double longestLatency = 0;  ///< seconds, over the paths of the flows
    double meanLatency = 0;
};

class Router {
public:
    /// Routes on the first domain of `system`. A path costs at least `hopLatency` seconds, also
    /// inside a chip.
    Router(const SystemGraph& system, double hopLatency);
    ~Router();
    Router(Router&&) noexcept;
    Router& operator=(Router&&) noexcept;

    /// `work` counts the flows that were routed. Thread-safe.
    [[nodiscard]] StepLoad route(const Step& step, std::uint64_t& work) const;

private:
    struct Edge {
        int from, to;
        double bytesPerSecond, latency;
        int label;
    };
    struct Tree;
    struct Trees;
    struct Load;
    struct Target {
        int to;
        int flows;
        double bytes;
    };

    [[nodiscard]] Tree growTree(int source) const;
    [[nodiscard]] const Tree& treeFrom(int source) const;
    void follow(int source, const std::vector<Target>& targets, Load& load) const;
    [[nodiscard]] int shifted(int chip, int source, int sign) const;
    [[nodiscard]] bool walkLoop(int from, int to, double bytes, Load& load) const;
    [[nodiscard]] bool walkSwitch(int from, int to, double bytes, Load& load) const;
    void indexLoops(const Geometry& geometry);

    int chips_ = 0;
    int ranksPerChip_ = 1;
    int vertices_ = 0;  ///< chips, then switches
    std::vector<Edge> edges_;
    std::vector<int> outStart_, outEdges_;  ///< edges leaving each vertex
    std::vector<int> inStart_, inEdges_;    ///< edges entering each vertex
    std::vector<int> toSwitch_;             ///< edge from the chip to its switch, or -1
    std::vector<int> fromSwitch_;
    std::vector<int> dims_;          ///< loops of a ring or torus; empty for other fabrics
    std::vector<int> coordinates_;   ///< of each chip along each loop
    std::vector<int> loopEdges_;     ///< of each chip along each loop: forward, backward
    double rankBytesPerSecond_ = 0;  ///< a rank's link to its chip; 0 where the chip is the rank
    int rankLabel_ = -1;
    double hopLatency_ = 0;
    std::unique_ptr<Trees> trees_;
};

}  // namespace trainwright::network
