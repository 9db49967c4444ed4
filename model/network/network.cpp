// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/network.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <shared_mutex>
#include <tuple>

#include "model/network/collectives.h"

namespace trainwright::network {

const char* name(Collective c) {
    switch (c) {
        case Collective::AllReduce:
            return "all_reduce";
        case Collective::ReduceScatter:
            return "reduce_scatter";
        case Collective::AllGather:
            return "all_gather";
        case Collective::AllToAll:
            return "all_to_all";
        case Collective::PointToPoint:
            return "point_to_point";
        case Collective::Broadcast:
            return "broadcast";
    }
    return "";
}

const char* name(Algorithm a) {
    switch (a) {
        case Algorithm::None:
            return "none";
        case Algorithm::Direct:
            return "direct";
        case Algorithm::Ring:
            return "ring";
        case Algorithm::BidirectionalRing:
            return "bidirectional_ring";
        case Algorithm::MultiRing:
            return "multi_ring";
        case Algorithm::Tree:
            return "tree";
        case Algorithm::HalvingDoubling:
            return "halving_doubling";
        case Algorithm::TorusByDimension:
            return "torus_by_dimension";
        case Algorithm::Hierarchical:
            return "hierarchical";
        case Algorithm::SwitchReduction:
            return "switch_reduction";
        case Algorithm::Pairwise:
            return "pairwise";
        case Algorithm::TwoLevelAllToAll:
            return "two_level_all_to_all";
        case Algorithm::SendReceive:
            return "send_receive";
    }
    return "";
}

const AlgorithmCost& CollectiveCost::fastest(units::Bytes message) const {
    static const AlgorithmCost free;
    if (algorithms.empty()) return free;
    const std::size_t count = contenders > 0 ? contenders : algorithms.size();
    std::size_t best = 0;
    units::Seconds bestTime = algorithms[0].time(message);
    for (std::size_t i = 1; i < count; ++i) {
        const units::Seconds t = algorithms[i].time(message);
        if (t < bestTime) {
            best = i;
            bestTime = t;
        }
    }
    return algorithms[best];
}

const AlgorithmCost* CollectiveCost::find(Algorithm a) const {
    for (const AlgorithmCost& c : algorithms) {
        if (c.algorithm == a) return &c;
    }
    return nullptr;
}

struct Network::Implementation {
    Implementation(const machine::SystemSpec& system, long chips, int ranksPerChip)
        : ranks(chips * std::max(ranksPerChip, 1)), model(system, ranksPerChip, ranks) {}

    using Key = std::tuple<int, int, long>;
    long ranks;
    CostModel model;
    std::atomic<std::uint64_t> work{0};
    mutable std::shared_mutex mutex;
    std::map<Key, std::unique_ptr<const CollectiveCost>> kept;
};

Network::Network(const machine::SystemSpec& system, long chips, int ranksPerChip)
    : implementation_(std::make_unique<Implementation>(system, chips, ranksPerChip)) {}
Network::~Network() = default;
Network::Network(Network&&) noexcept = default;
Network& Network::operator=(Network&&) noexcept = default;

const CollectiveCost& Network::cost(Collective collective, Group group) const {
    Implementation& self = *implementation_;
    const Implementation::Key key{static_cast<int>(collective), group.ranks, group.stride};
    {
        const std::shared_lock lock(self.mutex);
        const auto found = self.kept.find(key);
        if (found != self.kept.end()) return *found->second;
    }
    // Two threads may compute the same entry; both get the same digits and the first one's is kept.
    std::uint64_t work = 0;
    auto fresh = std::make_unique<const CollectiveCost>(self.model.cost(collective, group, work));
    const std::unique_lock lock(self.mutex);
    const auto [entry, inserted] = self.kept.try_emplace(key, std::move(fresh));
    if (inserted) self.work += work;
    return *entry->second;
}

long Network::ranks() const {
    return implementation_->ranks;
}
std::uint64_t Network::routedFlows() const {
    return implementation_->work;
}

}  // namespace trainwright::network
