// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/collectives.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "model/network/schedule.h"

namespace trainwright::network {

using machine::FabricSpec;

namespace {

double logSteps(int n) {
    return static_cast<double>(std::bit_width(static_cast<unsigned>(n - 1)));
}

/// Large-message seconds a byte.
double rate(const AlgorithmCost& c) {
    return c.secondsPerByte / c.efficiency;
}

/// `b` is never faster than `a`.
bool dominates(const AlgorithmCost& a, const AlgorithmCost& b) {
    // At small sizes a byte costs up to twice the large-message rate, for the longer the larger
    // halfBytes is.
    return a.latency <= b.latency && rate(a) <= rate(b) && a.halfBytes <= b.halfBytes;
}

/// Largest share of the data that one member of the tree of schedule.cpp sends or receives: one
/// binary tree down, or two mirrored ones up and down. From eight members on there is one with two
/// children that is a leaf of the other tree.
double treeShare(int n, bool up) {
    if (!up) return n > 2 ? 2.0 : 1.0;
    if (n >= 8) return 2.0;
    double most = 0;
    for (int i = 0; i < n; ++i) {
        double halves = 0;
        for (const int place : {i, n - 1 - i}) {
            halves +=
                (2 * place + 1 < n ? 1 : 0) + (2 * place + 2 < n ? 1 : 0) + (place > 0 ? 1 : 0);
        }
        most = std::max(most, halves / 2);
    }
    return most;
}

/// Leaves the first of `list` from `from` on that no other one beats.
void dropDominated(std::vector<AlgorithmCost>& list, std::size_t from) {
    std::vector<AlgorithmCost> kept(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(from));
    for (std::size_t i = from; i < list.size(); ++i) {
        bool beaten = false;
        for (std::size_t k = from; k < list.size() && !beaten; ++k) {
            if (k == i || !dominates(list[k], list[i])) continue;
            beaten = k < i || !dominates(list[i], list[k]);
        }
        if (!beaten) kept.push_back(list[i]);
    }
    list = std::move(kept);
}

void orderContenders(CollectiveCost& cost) {
    std::vector<AlgorithmCost> first, rest;
    for (std::size_t i = 0; i < cost.algorithms.size(); ++i) {
        bool beaten = false;
        for (std::size_t k = 0; k < cost.algorithms.size() && !beaten; ++k) {
            if (k == i || !dominates(cost.algorithms[k], cost.algorithms[i])) continue;
            // Of two equals the earlier one stays.
            beaten = k < i || !dominates(cost.algorithms[i], cost.algorithms[k]);
        }
        (beaten ? rest : first).push_back(cost.algorithms[i]);
    }
    cost.contenders = first.size();
    first.insert(first.end(), rest.begin(), rest.end());
    cost.algorithms = std::move(first);
}

}  // namespace

Span spanOf(Group group, const Geometry& geometry, long clusterRanks) {
    Span s;
    const long domainRanks = geometry.ranks();
    const long hostRanks = geometry.ranksPerHost();
    const long n = group.ranks;
    const long stride = group.stride;
    const long block = n * stride;
    s.hosts = ((n - 1) * stride) / hostRanks + 1;
    // A cluster within one domain has no way out of it; incomplete blocks at its end are idle.
    if (block <= domainRanks && (domainRanks % block == 0 || clusterRanks <= domainRanks)) {
        s.inside = true;
        s.perDomain = group.ranks;
        return s;
    }
    s.boundaryRanks = std::min(stride, domainRanks);
    if (stride < domainRanks && domainRanks % stride == 0) {
        const long lines = domainRanks / stride;
        s.regular = n % lines == 0;
        s.perDomain = static_cast<int>(std::gcd(n, lines));
    } else {
        s.regular = stride % domainRanks == 0;
    }
    s.domains = group.ranks / s.perDomain;
    return s;
}

CostModel::CostModel(const machine::SystemSpec& system, int ranksPerChip, long clusterRanks)
    : system_(system),
      clusterRanks_(clusterRanks),
      graph_(buildGraph(system_, ranksPerChip, 1)),
      router_(*graph_, system_.fabric.hopLatency.value()) {}

CostModel::Outside CostModel::outside(long hosts, double gapHosts) const {
    const FabricSpec& fabric = system_.fabric;
    Outside out;
    out.hostBytesPerSecond = hostBandwidth(fabric);
    out.stepLatency = fabric.scaleOutLatency.value();
    out.label = hostLabel(system_);
    // Of what each host sends to the next member, `gapHosts` further on, only the hosts at the end
    // of the block under a tier send out of it; all do where the gap is wider than the block.
    double thinned = 1;
    double leaving = 1;
    for (std::size_t t = 0; t < fabric.tiers.size(); ++t) {
        const machine::ScaleOutTier& tier = fabric.tiers[t];
        thinned *= tier.oversubscription;
        if (t > 0) out.stepLatency += 2 * tier.hopLatency.value();
        if (hostBandwidth(fabric) / (thinned * leaving) < out.hostBytesPerSecond) {
            out.hostBytesPerSecond = hostBandwidth(fabric) / (thinned * leaving);
            out.label = tierLabel(system_, t);
        }
        if (tier.maxHosts <= 0 || hosts <= tier.maxHosts) break;
        leaving = std::min(1.0, gapHosts / static_cast<double>(tier.maxHosts));
    }
    return out;
}

AlgorithmCost CostModel::outsideCost(Algorithm a, double latency, double secondsPerByte,
                                     const Outside& out) const {
    const FabricSpec& fabric = system_.fabric;
    AlgorithmCost c;
    c.algorithm = a;
    c.latency = units::Seconds(latency);
    c.secondsPerByte = secondsPerByte;
    c.efficiency = fabric.scaleOutEfficiency;
    c.halfBytes = fabric.scaleOutHalfBytes;
    c.busiestLink = out.label;
    return c;
}

AlgorithmCost CostModel::combined(const AlgorithmCost& a, const AlgorithmCost& b, double overlap) {
    AlgorithmCost c = rate(a) >= rate(b) ? a : b;
    const double shorter = std::min(rate(a), rate(b));
    if (std::isfinite(rate(c))) c.secondsPerByte += (1 - overlap) * shorter * c.efficiency;
    c.latency = a.latency + b.latency;
    c.halfBytes = std::max(a.halfBytes, b.halfBytes);
    return c;
}

std::vector<AlgorithmCost> CostModel::insideDomain(Collective c, int ranks, int stride,
                                                   bool started, std::uint64_t& work) const {
    const FabricSpec& fabric = system_.fabric;
    const int available = static_cast<int>(std::min<long>(graph_->geometry.ranks(), clusterRanks_));
    std::vector<AlgorithmCost> list;
    const auto groups = siblingGroups(ranks, stride, std::max(available, ranks * stride));
    for (const Schedule& s : schedules(c, groups, graph_->geometry, fabric)) {
        AlgorithmCost cost;
        cost.algorithm = s.algorithm;
        cost.efficiency = fabric.protocolEfficiency;
        cost.halfBytes = fabric.protocolHalfBytes;
        if (s.algorithm == Algorithm::SwitchReduction && fabric.switchReductionEfficiency > 0) {
            cost.efficiency = fabric.switchReductionEfficiency;
        }
        double latency = started ? fabric.collectiveLatency.value() : 0.0;
        double longest = -1;
        for (const Step& step : s.steps) {
            const StepLoad load = router_.route(step, work);
            latency +=
                step.latencySteps * (step.ranksRunOn ? load.meanLatency : load.longestLatency);
            const double share = step.repeat * load.secondsPerByte;
            cost.secondsPerByte += share;
            if (share > longest && load.label >= 0) {
                longest = share;
                cost.busiestLink = graph_->labels[static_cast<std::size_t>(load.label)];
            }
        }
        cost.latency = units::Seconds(latency);
        list.push_back(std::move(cost));
    }
    return list;
}

double CostModel::gapHosts(long stride, const Span& span) const {
    const Geometry& g = graph_->geometry;
    return static_cast<double>(span.perDomain > 1 ? g.ranks() : std::max<long>(stride, g.ranks())) /
           static_cast<double>(g.ranksPerHost());
}

void CostModel::hierarchical(Collective c, long stride, const Span& span, const Outside& out,
                             std::vector<AlgorithmCost>& list, std::uint64_t& work) const {
    const FabricSpec& fabric = system_.fabric;
    const Geometry& g = graph_->geometry;
    const double hostRanks = g.ranksPerHost();
    const double d = span.domains;
    const double start =
        std::max(fabric.scaleOutCollectiveLatency.value(), fabric.collectiveLatency.value());
    const double rankSeconds =
        hostRanks / out.hostBytesPerSecond;  // of one byte from every rank of a host
    const Outside next = outside(span.hosts, gapHosts(stride, span));
    const double nextSeconds = hostRanks / next.hostBytesPerSecond;  // to the next member of a ring
    const double part = 1.0 / span.perDomain;

    std::vector<AlgorithmCost> across;
    const double halves = c == Collective::AllReduce ? 2 : 1;
    if (c == Collective::Broadcast) {
        across.push_back(
            outsideCost(Algorithm::Ring, (d - 1) * out.stepLatency, part * nextSeconds, next));
        across.push_back(outsideCost(Algorithm::Tree, logSteps(span.domains) * out.stepLatency,
                                     treeShare(span.domains, false) * part * rankSeconds, out));
    } else if (c == Collective::AllToAll) {
        across.push_back(outsideCost(Algorithm::Pairwise, (d - 1) * out.stepLatency,
                                     (1 - 1 / d) * rankSeconds, out));
    } else {
        const double bytes = halves * part * (1 - 1 / d) * rankSeconds;
        across.push_back(outsideCost(Algorithm::Ring, halves * (d - 1) * out.stepLatency,
                                     halves * part * (1 - 1 / d) * nextSeconds, next));
        if (std::has_single_bit(static_cast<unsigned>(span.domains))) {
            across.push_back(outsideCost(Algorithm::HalvingDoubling,
                                         halves * logSteps(span.domains) * out.stepLatency, bytes,
                                         out));
        }
        if (c == Collective::AllReduce) {
            across.push_back(outsideCost(Algorithm::Tree,
                                         2 * logSteps(span.domains) * out.stepLatency,
                                         treeShare(span.domains, true) * part * rankSeconds, out));
        }
    }
    const bool flat = span.perDomain == 1;
    const Algorithm algorithm =
        c == Collective::AllToAll ? Algorithm::TwoLevelAllToAll : Algorithm::Hierarchical;
    if (flat) {
        for (AlgorithmCost& a : across) {
            a.latency += units::Seconds(start);
            list.push_back(std::move(a));
        }
        return;
    }
    // Inside, an all-reduce is a reduce-scatter and an all-gather; a broadcast spreads what came in
    // parts.
    const Collective within = c == Collective::Broadcast ? Collective::AllGather : c;
    const std::size_t before = list.size();
    for (const AlgorithmCost& i :
         insideDomain(within, span.perDomain, static_cast<int>(std::min<long>(stride, g.ranks())),
                      false, work)) {
        if (i.algorithm == Algorithm::Tree) continue;
        for (const AlgorithmCost& a : across) {
            AlgorithmCost both = combined(i, a, fabric.hierarchyOverlap);
            both.algorithm = algorithm;
            both.latency += units::Seconds(start);
            list.push_back(std::move(both));
        }
    }
    dropDominated(list, before);
}

std::vector<AlgorithmCost> CostModel::acrossDomains(Collective c, Group group, const Span& span,
                                                    std::uint64_t& work) const {
    const FabricSpec& fabric = system_.fabric;
    const Geometry& g = graph_->geometry;
    const double start =
        std::max(fabric.scaleOutCollectiveLatency.value(), fabric.collectiveLatency.value());
    const double n = group.ranks;
    const int domainRanks = g.ranks();
    const int stride = static_cast<int>(std::min<long>(group.stride, domainRanks));
    std::vector<AlgorithmCost> list;

    if (c == Collective::PointToPoint) {
        const Outside out = outside(
            span.hosts, static_cast<double>(group.stride) / static_cast<double>(g.ranksPerHost()));
        const double leaving =
            static_cast<double>(std::min<long>(span.boundaryRanks, g.ranksPerHost()));
        const double leavingChip =
            static_cast<double>(std::min<long>(span.boundaryRanks, g.ranksPerChip));
        const double seconds =
            std::max(leaving / out.hostBytesPerSecond, leavingChip / chipToNicBandwidth(fabric, g));
        AlgorithmCost cost =
            outsideCost(Algorithm::SendReceive, start + out.stepLatency, seconds, out);
        // The others of the domain send to each other at the same time.
        Step step;
        for (int r = 0; r + stride < domainRanks; ++r)
            step.flows.push_back(Flow{r, r + stride, 1.0});
        if (!step.flows.empty()) {
            const StepLoad load = router_.route(step, work);
            if (load.secondsPerByte / fabric.protocolEfficiency > rate(cost)) {
                cost.secondsPerByte = load.secondsPerByte;
                cost.efficiency = fabric.protocolEfficiency;
                if (load.label >= 0)
                    cost.busiestLink = graph_->labels[static_cast<std::size_t>(load.label)];
            }
        }
        list.push_back(std::move(cost));
        return list;
    }

    // Trees and pairwise exchanges reach far: all their traffic is taken to pass the tiers above.
    const Outside out = outside(span.hosts, static_cast<double>(span.hosts));
    hierarchical(c, group.stride, span, out, list, work);
    if (span.perDomain == 1 && span.regular) return list;

    if (c == Collective::AllToAll) {
        // Every member sends to every other one, step by step; what stays inside the domain is
        // routed there.
        const double away = 1 - span.perDomain / n;
        AlgorithmCost cost = outsideCost(Algorithm::Pairwise, start + (n - 1) * out.stepLatency,
                                         away * g.ranksPerHost() / out.hostBytesPerSecond, out);
        if (span.perDomain > 1) {
            for (AlgorithmCost inside : insideDomain(c, span.perDomain, stride, false, work)) {
                inside.secondsPerByte *= span.perDomain / n;
                inside.latency = units::Seconds(0);
                cost = combined(inside, cost, 1.0);
                cost.algorithm = Algorithm::Pairwise;
            }
        }
        list.push_back(std::move(cost));
        return list;
    }

    // One ring over all members in the order of their numbers. It leaves a domain once for each
    // group; its exits are spread over the members of the domain by as many rings, each turned by
    // one. A group that doesn't fit evenly leaves the smallest of its parts through the NICs of
    // those few members.
    const int held = std::max(1, domainRanks / stride);
    const bool broadcast = c == Collective::Broadcast;
    const double halves = c == Collective::AllReduce ? 2 : 1;
    const double bytes = broadcast ? 1.0 : halves * (1 - 1 / n);  // over each edge of the ring
    const double steps = broadcast ? n - 1 : halves * (n - 1);
    const double part = span.perDomain;
    const double boundary = static_cast<double>(span.boundaryRanks);
    const Outside next = outside(span.hosts, gapHosts(group.stride, span));
    const double exits =
        span.regular ? boundary / g.hosts : std::min(boundary, g.ranksPerHost() / part);
    const double seconds = bytes * std::max(exits / next.hostBytesPerSecond,
                                            g.ranksPerChip / part / chipToNicBandwidth(fabric, g));
    const double domains = std::ceil(n * static_cast<double>(stride) / domainRanks);
    AlgorithmCost ring = outsideCost(Algorithm::Ring, 0, seconds, next);
    double innerLatency = fabric.hopLatency.value();
    if (held > 1) {
        // A group that lies wholly inside closes its ring there.
        const double edgeBytes = span.regular ? bytes * (held - 1) / held : bytes;
        Step step;
        for (const Members& m : siblingGroups(held, stride, held * stride)) {
            const Members order = ringOrder(m, g);
            for (std::size_t i = 0; i < order.size(); ++i) {
                step.flows.push_back(Flow{order[i], order[(i + 1) % order.size()], edgeBytes});
            }
        }
        const StepLoad load = router_.route(step, work);
        innerLatency = load.meanLatency;
        AlgorithmCost inner = ring;
        inner.secondsPerByte = load.secondsPerByte;
        inner.efficiency = fabric.protocolEfficiency;
        inner.halfBytes = fabric.protocolHalfBytes;
        if (load.label >= 0)
            inner.busiestLink = graph_->labels[static_cast<std::size_t>(load.label)];
        ring = combined(inner, ring, 1.0);
        ring.algorithm = Algorithm::Ring;
    }
    const double share = std::min(1.0, domains / n);
    ring.latency =
        units::Seconds(start + steps * (share * out.stepLatency + (1 - share) * innerLatency));
    list.push_back(std::move(ring));
    return list;
}

CollectiveCost CostModel::cost(Collective collective, Group group, std::uint64_t& work) const {
    CollectiveCost result;
    if (group.ranks <= 1 || group.stride < 1) {
        result.algorithms.push_back(AlgorithmCost{});
        result.contenders = 1;
        return result;
    }
    const Span span = spanOf(group, graph_->geometry, clusterRanks_);
    result.algorithms = span.inside ? insideDomain(collective, group.ranks,
                                                   static_cast<int>(group.stride), true, work)
                                    : acrossDomains(collective, group, span, work);
    orderContenders(result);
    return result;
}

}  // namespace trainwright::network
