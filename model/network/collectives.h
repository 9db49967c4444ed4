// SPDX-License-Identifier: GPL-3.0-or-later
// Costs of collectives from routed schedules: inside one domain, and across domains and their NICs.
//
// Inside a domain every algorithm's flows are routed on the graph. Across domains each rank belongs
// to exactly one of the sibling groups, so that one host's NICs and one path through the tiers
// stand for all; nothing here depends on how many domains there are but the number of steps.
#pragma once

#include <cstdint>
#include <optional>

#include "model/network/graph.h"
#include "model/network/network.h"
#include "model/network/router.h"

namespace trainwright::network {

/// How a group lies on the domains of a cluster.
struct Span {
    bool inside = false;  ///< every sibling group lies in one domain
    int perDomain = 1;    ///< members of a group in one domain, the fewest among siblings
    int domains = 1;      ///< domains of a group with that many in each
    bool regular =
        true;  ///< the groups tile the domains; else `perDomain` and `domains` are the worst case
    long boundaryRanks = 0;  ///< ranks of a domain whose next member is in another domain
    long hosts = 1;          ///< hosts from a group's first member to its last
};

[[nodiscard]] Span spanOf(Group group, const Geometry& geometry, long clusterRanks);

class CostModel {
public:
    /// `clusterRanks` ranks in all.
    CostModel(const machine::SystemSpec& system, int ranksPerChip, long clusterRanks);

    /// `work` counts the flows that were routed.
    [[nodiscard]] CollectiveCost cost(Collective collective, Group group,
                                      std::uint64_t& work) const;

    [[nodiscard]] const Geometry& geometry() const { return graph_->geometry; }

private:
    /// The path between hosts as far up as `hosts` neighbouring hosts need it, for messages from
    /// each host to the one `gapHosts` further on. Hosts are numbered as they stand under the
    /// switches.
    struct Outside {
        double hostBytesPerSecond = 0;  ///< one host's share of the thinnest level
        double stepLatency = 0;
        std::string label;
    };
    [[nodiscard]] Outside outside(long hosts, double gapHosts) const;
    /// Hosts between a member of a ring over domains and the next one.
    [[nodiscard]] double gapHosts(long stride, const Span& span) const;
    [[nodiscard]] std::vector<AlgorithmCost> insideDomain(Collective c, int ranks, int stride,
                                                          bool started, std::uint64_t& work) const;
    [[nodiscard]] std::vector<AlgorithmCost> acrossDomains(Collective c, Group group,
                                                           const Span& span,
                                                           std::uint64_t& work) const;
    void hierarchical(Collective c, long stride, const Span& span, const Outside& out,
                      std::vector<AlgorithmCost>& list, std::uint64_t& work) const;
    [[nodiscard]] AlgorithmCost outsideCost(Algorithm a, double latency, double secondsPerByte,
                                            const Outside& out) const;
    /// Two loads that share the time: one after the other, or the shorter under the longer by
    /// `overlap`.
    [[nodiscard]] static AlgorithmCost combined(const AlgorithmCost& a, const AlgorithmCost& b,
                                                double overlap);

    machine::SystemSpec system_;
    long clusterRanks_;
    std::unique_ptr<const SystemGraph> graph_;
    Router router_;
};

}  // namespace trainwright::network
