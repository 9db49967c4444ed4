// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives on a cluster's graph: what each costs, by which algorithm, and which link is busiest.
//
// A group is `ranks` members at a `stride` in the framework's rank numbering, and all its sibling groups
// run the same collective at once. Costs are linear in the message for each algorithm, so a Network
// routes one scale-up domain and one representative of each tier once per group shape and keeps the
// coefficients; a cluster of a million chips costs as much as one of 64. It knows nothing of models.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/machine/machine.h"
#include "model/units/quantity.h"

namespace trainwright::network {

enum class Collective { AllReduce, ReduceScatter, AllGather, AllToAll, PointToPoint, Broadcast };
[[nodiscard]] const char* name(Collective c);  ///< "all_reduce"

/// Members base + i·stride for i < ranks; rank 0's group stands for all.
struct Group {
    int ranks = 1;
    long stride = 1;
    friend bool operator==(const Group&, const Group&) = default;
};

enum class Algorithm {
    None, Direct, Ring, BidirectionalRing, MultiRing, Tree, HalvingDoubling, TorusByDimension,
    Hierarchical, SwitchReduction, Pairwise, TwoLevelAllToAll, SendReceive
};
[[nodiscard]] const char* name(Algorithm a);   ///< "hierarchical"

/// One algorithm's cost as a function of the message: latency + bytes · perByte / efficiency(bytes).
struct AlgorithmCost {
    Algorithm algorithm = Algorithm::None;
    units::Seconds latency;
    double secondsPerByte = 0;    ///< of the busiest link, at the wire rate
    double efficiency = 1.0;      ///< large-message fraction of the wire rate
    double halfBytes = 0;         ///< message at which half of `efficiency` is reached
    std::string busiestLink;      ///< "NeuronLink x, 128 GB/s one way"
    [[nodiscard]] units::Seconds time(units::Bytes message) const;
};

/// All algorithms that the fabric admits for one collective of one group shape.
struct CollectiveCost {
    std::vector<AlgorithmCost> algorithms;
    /// Fastest for `message`. The message of all-reduce, reduce-scatter, all-gather and broadcast is the
    /// whole vector (what one rank holds before an all-reduce, or after an all-gather); of all-to-all it is
    /// what one rank sends in all, its own part included; of point-to-point what one rank sends.
    [[nodiscard]] units::Seconds time(units::Bytes message) const;
    [[nodiscard]] const AlgorithmCost& fastest(units::Bytes message) const;
};

class Network {
public:
    /// `ranksPerChip` ranks share a chip; ranks are numbered chip by chip, host by host, domain by domain.
    Network(const machine::SystemSpec& system, long chips, int ranksPerChip);
    ~Network();
    Network(Network&&) noexcept;
    Network& operator=(Network&&) noexcept;

    /// Cost of `collective` in `group`; computed at first use and kept. Thread-safe.
    [[nodiscard]] const CollectiveCost& cost(Collective collective, Group group) const;

    [[nodiscard]] long ranks() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace trainwright::network
