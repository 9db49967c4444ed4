// SPDX-License-Identifier: GPL-3.0-or-later
// The algorithms of collectives inside one scale-up domain, as steps of flows between ranks.
//
// A schedule says who sends how much to whom, for all sibling groups at once and for a message of
// one byte; it doesn't say over which links (router.h) nor how long that takes (collectives.h).
#pragma once

#include <vector>

#include "model/network/graph.h"
#include "model/network/network.h"

namespace trainwright::network {

/// `bytes` from one rank to another. kSwitch stands for the switch of the other end's chip.
struct Flow {
    int from = 0;
    int to = 0;
    double bytes = 0;
};
inline constexpr int kSwitch = -1;

/// Flows that run at once. The step is run `repeat` times and ends when its busiest link is done.
struct Step {
    std::vector<Flow> flows;
    /// Every member of each of these groups sends `pairBytes` to every other one, besides `flows`.
    std::vector<std::vector<int>> allPairs;
    double pairBytes = 0;
    double repeat = 1;
    double latencySteps = 1;  ///< path latencies that a byte waits for, all repeats together
    bool ranksRunOn =
        false;  ///< no barrier: latencies of the paths average out, else the longest counts
};

struct Schedule {
    Algorithm algorithm = Algorithm::None;
    std::vector<Step> steps;
};

using Members = std::vector<int>;

/// The complete groups of `ranks` members at `stride` among the first `count` ranks, in order.
[[nodiscard]] std::vector<Members> siblingGroups(int ranks, int stride, int count);

/// The members in an order in which neighbours, last and first included, are near each other.
[[nodiscard]] Members ringOrder(const Members& members, const Geometry& geometry);

/// Every algorithm that the fabric admits for `collective` in these equal groups of one domain.
[[nodiscard]] std::vector<Schedule> schedules(Collective collective,
                                              const std::vector<Members>& groups,
                                              const Geometry& geometry,
                                              const machine::FabricSpec& fabric);

}  // namespace trainwright::network
