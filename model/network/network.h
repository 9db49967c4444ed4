// SPDX-License-Identifier: GPL-3.0-or-later
// Collectives on a cluster's graph: what each costs, by which algorithm, and which link is busiest.
//
// A group is `ranks` members at a `stride` in the framework's rank numbering, and all its sibling
// groups run the same collective at once. For each algorithm the cost is a start, a latency and a
// rate, so a Network routes one scale-up domain and one representative of each tier once per group
// shape and keeps the coefficients; a cluster of a million chips costs as much as one of 64. It
// knows nothing of models.
//
// What it doesn't do: two different collectives that run at the same time don't slow each other,
// and a group whose members don't divide the domain evenly is charged like the worst of its
// siblings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/machine/machine.h"
#include "model/units/quantity.h"

namespace trainwright::network {

enum class Collective { AllReduce, ReduceScatter, AllGather, AllToAll, PointToPoint, Broadcast };
inline constexpr int kCollectiveCount = 6;
[[nodiscard]] const char* name(Collective c);  ///< "all_reduce"

/// Members base + i·stride for i < ranks; rank 0's group stands for all.
struct Group {
    int ranks = 1;
    long stride = 1;
    friend bool operator==(const Group&, const Group&) = default;
};

enum class Algorithm {
    None,
    Direct,
    Ring,
    BidirectionalRing,
    MultiRing,
    Tree,
    HalvingDoubling,
    TorusByDimension,
    Hierarchical,
    SwitchReduction,
    Pairwise,
    TwoLevelAllToAll,
    SendReceive
};
[[nodiscard]] const char* name(Algorithm a);  ///< "hierarchical"

/// One algorithm's cost as a function of the message.
///
/// Equation: Time of a collective
///     t(m) = latency + m · secondsPerByte / efficiency(m)
///     efficiency(m) = efficiency · (m + halfBytes) / (m + 2 · halfBytes)
/// Latency is the start and the steps' path latencies; secondsPerByte is what the busiest link of
/// the routed pattern carries for a byte of the message m, all steps together (2·(n − 1)/n over its
/// rate for a ring's all-reduce on n members). Source: Hockney 1994, Parallel Computing 20:389; the
/// algorithms' steps as in Thakur, Rabenseifner and Gropp 2005, IJHPCA 19:49; the efficiency is this
/// project's form of NCCL's protocols.
///
/// Small messages travel by a low-latency protocol that spends half of the wire on flags, large
/// ones at the full efficiency; which protocol runs is decided by the size of the whole message, so
/// m counts here and not the chunk of a step. The time rises strictly with m. A secondsPerByte of
/// infinity means that there is no link between the members.
struct AlgorithmCost {
    Algorithm algorithm = Algorithm::None;
    units::Seconds latency;     ///< start, and the steps' path latencies
    double secondsPerByte = 0;  ///< of the busiest link, at the wire rate, summed over the steps
    double efficiency = 1.0;    ///< large-message fraction of the wire rate
    double halfBytes = 0;       ///< message at which half of the small-message loss is gone
    std::string busiestLink;    ///< "NeuronLink x, 128 GB/s one way"
    [[nodiscard]] units::Seconds time(units::Bytes message) const {
        const double m = message.value();
        if (!(m > 0)) return latency;
        return latency +
               units::Seconds(m * secondsPerByte / efficiency * (1 + halfBytes / (m + halfBytes)));
    }
};

/// All algorithms that the fabric admits for one collective of one group shape.
struct CollectiveCost {
    std::vector<AlgorithmCost> algorithms;  ///< those that can be fastest come first
    std::size_t contenders = 0;  ///< how many can be fastest for some message; 0: not known
    /// Fastest for `message`. The message of all-reduce, reduce-scatter, all-gather and broadcast
    /// is the whole vector (what one rank holds before an all-reduce, or after an all-gather); of
    /// all-to-all it is what one rank sends in all, its own part included; of point-to-point what
    /// one rank sends, each member to the next.
    [[nodiscard]] units::Seconds time(units::Bytes message) const {
        return fastest(message).time(message);
    }
    [[nodiscard]] const AlgorithmCost& fastest(units::Bytes message) const;
    /// The cost of `a`, or nullptr where the fabric doesn't admit it.
    [[nodiscard]] const AlgorithmCost* find(Algorithm a) const;
};

class Network {
public:
    /// `ranksPerChip` ranks share a chip; ranks are numbered chip by chip, host by host, domain by
    /// domain. Throws std::invalid_argument if the fabric contradicts itself (dimensions that don't
    /// give the domain).
    Network(const machine::SystemSpec& system, long chips, int ranksPerChip);
    ~Network();
    Network(Network&&) noexcept;
    Network& operator=(Network&&) noexcept;

    /// Cost of `collective` in `group`; computed at first use and kept. Thread-safe.
    [[nodiscard]] const CollectiveCost& cost(Collective collective, Group group) const;

    [[nodiscard]] long ranks() const;
    /// Flows that were routed so far: the work done, which doesn't grow with the cluster.
    [[nodiscard]] std::uint64_t routedFlows() const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace trainwright::network
