// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/graph.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <stdexcept>

namespace trainwright::network {

using machine::FabricKind;
using machine::FabricSpec;
using machine::SystemSpec;

namespace {

double firstBandwidth(const FabricSpec& fabric) {
    return fabric.linkBandwidth.empty() ? 0.0 : fabric.linkBandwidth.front().value();
}

double bandwidthAlong(const FabricSpec& fabric, std::size_t dimension) {
    if (fabric.linkBandwidth.empty()) return 0.0;
    return fabric.linkBandwidth[std::min(dimension, fabric.linkBandwidth.size() - 1)].value();
}

std::string number(double value) {
    std::array<char, 32> text{};
    const auto end =
        std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4);
    return {text.data(), end.ptr};
}

/// NVLink pairs of the eight-GPU hybrid cube mesh, with the number of links of each pair; six a
/// GPU.
struct CubeMeshPair {
    int a, b, links;
};
constexpr std::array<CubeMeshPair, 16> kCubeMesh{{{0, 1, 1},
                                                  {0, 2, 1},
                                                  {0, 3, 2},
                                                  {0, 4, 2},
                                                  {1, 2, 2},
                                                  {1, 3, 1},
                                                  {1, 5, 2},
                                                  {2, 3, 2},
                                                  {2, 6, 1},
                                                  {3, 7, 1},
                                                  {4, 5, 1},
                                                  {4, 6, 1},
                                                  {4, 7, 2},
                                                  {5, 6, 2},
                                                  {5, 7, 1},
                                                  {6, 7, 2}}};
constexpr int kCubeMeshChips = 8;
constexpr int kCubeMeshLinks = 6;

class Builder {
public:
    Builder(const SystemSpec& system, int ranksPerChip, int domains, SystemGraph& out)
        : system_(system), fabric_(system.fabric), out_(out) {
        out_.geometry = geometryOf(system, ranksPerChip);
        out_.domains = domains;
    }

    void build() {
        for (int d = 0; d < out_.domains; ++d) addDomain(d);
        addScaleOut();
    }

private:
    VertexId add(VertexKind kind, std::size_t index) {
        return boost::add_vertex(Vertex{kind, static_cast<int>(index)}, out_.graph);
    }
    void oneWay(VertexId a, VertexId b, double bandwidth, double latency, LinkKind kind,
                int label) {
        boost::add_edge(a, b, Link{bandwidth, latency, kind, label}, out_.graph);
    }
    void bothWays(VertexId a, VertexId b, double bandwidth, double latency, LinkKind kind,
                  int label) {
        oneWay(a, b, bandwidth, latency, kind, label);
        oneWay(b, a, bandwidth, latency, kind, label);
    }
    int label(std::string text) {
        const auto found = std::find(out_.labels.begin(), out_.labels.end(), text);
        const auto index = static_cast<int>(found - out_.labels.begin());
        if (found == out_.labels.end()) out_.labels.push_back(std::move(text));
        return index;
    }

    void addDomain(int domain) {
        const Geometry& g = out_.geometry;
        const auto base = static_cast<std::size_t>(domain) * static_cast<std::size_t>(g.chips);
        for (int c = 0; c < g.chips; ++c) {
            const VertexId chip = add(VertexKind::Chip, out_.chip.size());
            out_.chip.push_back(chip);
            if (g.ranksPerChip == 1) {
                out_.rank.push_back(chip);
                continue;
            }
            const double known = fabric_.intraChipBandwidth.value();
            const double total = known > 0 ? known : system_.chip.hbmBandwidth.value() / 2;
            const double share = total / g.ranksPerChip;
            const int text = label("path between ranks of a chip, " + rateText(share) + " a rank");
            for (int r = 0; r < g.ranksPerChip; ++r) {
                const VertexId rank = add(VertexKind::Rank, out_.rank.size());
                out_.rank.push_back(rank);
                bothWays(rank, chip, share, 0.0, LinkKind::IntraChip, text);
            }
        }
        switch (g.kind) {
            case FabricKind::Single:
                break;
            case FabricKind::Ring:
            case FabricKind::Torus:
                addTorus(base);
                break;
            case FabricKind::FullMesh:
                addMesh(base);
                break;
            case FabricKind::Switched:
                addSwitches(base, g.chips);
                break;
            case FabricKind::SwitchedPairs:
                addSwitches(base, g.dims[0]);
                addPairs(base);
                break;
            case FabricKind::HybridCubeMesh:
                addCubeMesh(base);
                break;
        }
    }

    void addTorus(std::size_t base) {
        const Geometry& g = out_.geometry;
        static constexpr std::array<const char*, 3> kAxis{" x", " y", " z"};
        int step = 1;
        for (std::size_t d = 0; d < g.dims.size(); ++d) {
            const int extent = g.dims[d];
            const double bandwidth = bandwidthAlong(fabric_, d);
            const std::string axis = g.dims.size() > 1 && d < kAxis.size() ? kAxis[d] : "";
            const int text =
                label(linkName(system_) + axis + ", " + rateText(bandwidth) + " one way");
            for (int c = 0; extent > 1 && c < g.chips; ++c) {
                const int at = (c / step) % extent;
                // Two chips along a dimension are joined once, not by a link and its wrap-around.
                if (extent == 2 && at == 1) continue;
                const int next = c + ((at + 1) % extent - at) * step;
                bothWays(chip(base, c), chip(base, next), bandwidth, fabric_.hopLatency.value(),
                         LinkKind::ScaleUp, text);
            }
            step *= extent;
        }
    }

    void addMesh(std::size_t base) {
        const Geometry& g = out_.geometry;
        if (g.chips < 2) return;
        const double bandwidth = firstBandwidth(fabric_) / (g.chips - 1);
        const int text =
            label(linkName(system_) + " of a pair, " + rateText(bandwidth) + " one way");
        for (int a = 0; a < g.chips; ++a) {
            for (int b = a + 1; b < g.chips; ++b) {
                bothWays(chip(base, a), chip(base, b), bandwidth, fabric_.hopLatency.value(),
                         LinkKind::ScaleUp, text);
            }
        }
    }

    void addSwitches(std::size_t base, int chipsPerSwitch) {
        const Geometry& g = out_.geometry;
        const double bandwidth = firstBandwidth(fabric_);
        const int text =
            label(linkName(system_) + " to the switch, " + rateText(bandwidth) + " one way");
        for (int c = 0; c < g.chips; ++c) {
            if (c % chipsPerSwitch == 0)
                out_.switches.push_back(add(VertexKind::Switch, out_.switches.size()));
            bothWays(chip(base, c), out_.switches.back(), bandwidth, fabric_.hopLatency.value() / 2,
                     LinkKind::ScaleUp, text);
        }
    }

    void addPairs(std::size_t base) {
        const Geometry& g = out_.geometry;
        const double bandwidth = fabric_.pairBandwidth.value();
        const int text =
            label(linkName(system_) + " between racks, " + rateText(bandwidth) + " one way");
        for (int c = 0; c + g.dims[0] < g.chips; ++c) {
            bothWays(chip(base, c), chip(base, c + g.dims[0]), bandwidth,
                     fabric_.hopLatency.value(), LinkKind::ScaleUp, text);
        }
    }

    void addCubeMesh(std::size_t base) {
        const double bandwidth = firstBandwidth(fabric_) / kCubeMeshLinks;
        for (const CubeMeshPair& p : kCubeMesh) {
            const double pair = bandwidth * p.links;
            bothWays(chip(base, p.a), chip(base, p.b), pair, fabric_.hopLatency.value(),
                     LinkKind::ScaleUp,
                     label(linkName(system_) + " of a pair, " + rateText(pair) + " one way"));
        }
    }

    void addScaleOut() {
        const Geometry& g = out_.geometry;
        const int hosts = g.hosts * out_.domains;
        const int chipsPerHost = g.chips / g.hosts;
        const double hostRate = hostBandwidth(fabric_);
        const int hostText = label(hostLabel(system_));
        for (int h = 0; h < hosts; ++h) {
            out_.nic.push_back(add(VertexKind::Nic, out_.nic.size()));
            const double chipRate = chipToNicBandwidth(fabric_, g);
            const int text =
                label(scaleOutName(system_) + ", " + rateText(chipRate) + " for one chip");
            for (int c = h * chipsPerHost; c < (h + 1) * chipsPerHost; ++c) {
                bothWays(out_.chip[static_cast<std::size_t>(c)], out_.nic.back(), chipRate, 0.0,
                         LinkKind::HostToNic, text);
            }
        }
        // Each level joins the vertices below it; what enters it is thinned by its
        // oversubscription.
        std::vector<VertexId> below = out_.nic;
        std::vector<double> hostsBelow(below.size(), 1.0);
        double rate = hostRate;
        double latency = fabric_.scaleOutLatency.value() / 2;
        double joined = 1;
        const std::size_t levels = std::max<std::size_t>(fabric_.tiers.size(), 1);
        for (std::size_t t = 0; t <= levels; ++t) {
            const bool beyond = t >= fabric_.tiers.size();
            if (beyond && t > 0 && below.size() == 1) break;
            const double limit = beyond ? 0.0 : static_cast<double>(fabric_.tiers[t].maxHosts);
            if (!beyond) rate /= fabric_.tiers[t].oversubscription;
            const auto per =
                static_cast<std::size_t>(limit > 0 ? std::max(1.0, limit / joined) : 0.0);
            const std::size_t count = per == 0 ? 1 : (below.size() + per - 1) / per;
            std::vector<VertexId> level;
            std::vector<double> levelHosts(count, 0.0);
            for (std::size_t i = 0; i < count; ++i) level.push_back(add(VertexKind::Tier, t));
            const int text = t == 0 && rate == hostRate ? hostText : label(tierLabel(system_, t));
            for (std::size_t i = 0; i < below.size(); ++i) {
                const std::size_t up = per == 0 ? 0 : i / per;
                bothWays(below[i], level[up], rate * hostsBelow[i], latency, LinkKind::ScaleOut,
                         text);
                levelHosts[up] += hostsBelow[i];
            }
            if (limit > 0) joined = limit;
            out_.tier.push_back(level);
            below = std::move(level);
            hostsBelow = std::move(levelHosts);
            latency = t + 1 < fabric_.tiers.size() ? fabric_.tiers[t + 1].hopLatency.value() : 0.0;
        }
    }

    [[nodiscard]] VertexId chip(std::size_t base, int c) const {
        return out_.chip[base + static_cast<std::size_t>(c)];
    }

    const SystemSpec& system_;
    const FabricSpec& fabric_;
    SystemGraph& out_;
};

}  // namespace

std::vector<int> Geometry::coordinates(int chip) const {
    std::vector<int> at;
    at.reserve(dims.size());
    for (const int extent : dims) {
        at.push_back(chip % extent);
        chip /= extent;
    }
    return at;
}

Geometry geometryOf(const SystemSpec& system, int ranksPerChip) {
    const FabricSpec& fabric = system.fabric;
    Geometry g;
    g.kind = fabric.kind;
    g.ranksPerChip = std::max(ranksPerChip, 1);
    const int product =
        std::accumulate(fabric.dims.begin(), fabric.dims.end(), 1, std::multiplies<>());
    g.chips = system.chipsPerDomain > 0 ? system.chipsPerDomain : product;
    if (g.chips <= 1) g.kind = FabricKind::Single;
    g.hosts = fabric.hostsPerDomain;
    if (g.hosts <= 1 && system.chipsPerHost > 0 && g.chips % system.chipsPerHost == 0) {
        g.hosts = g.chips / system.chipsPerHost;
    }
    g.hosts = std::max(g.hosts, 1);
    const auto refuse = [&](const char* what) {
        throw std::invalid_argument("fabric of " + system.id + ": " + what);
    };
    if (g.chips < 1 || g.chips % g.hosts != 0)
        refuse("the hosts of a domain do not share its chips evenly");
    switch (g.kind) {
        case FabricKind::Torus:
            g.dims = fabric.dims;
            if (product != g.chips)
                refuse("the torus dimensions do not multiply to the chips of a domain");
            break;
        case FabricKind::SwitchedPairs:
            if (fabric.chipsPerSwitch < 1 || g.chips % fabric.chipsPerSwitch != 0) {
                refuse("the chips of a switch do not divide the chips of a domain");
            }
            g.dims = {fabric.chipsPerSwitch, g.chips / fabric.chipsPerSwitch};
            break;
        case FabricKind::HybridCubeMesh:
            if (g.chips != kCubeMeshChips) refuse("a hybrid cube mesh has eight chips");
            g.dims = {g.chips};
            break;
        default:
            g.dims = {g.chips};
            break;
    }
    return g;
}

double dimensionBandwidth(const FabricSpec& fabric, const Geometry& g, std::size_t d) {
    switch (g.kind) {
        case FabricKind::Torus:
        case FabricKind::Ring:
            return bandwidthAlong(fabric, d) * (g.dims[d] > 2 ? 2 : 1);
        case FabricKind::SwitchedPairs:
            return d == 0 ? firstBandwidth(fabric) : fabric.pairBandwidth.value();
        default:
            return firstBandwidth(fabric);
    }
}

double hostBandwidth(const FabricSpec& fabric) {
    return fabric.nicsPerHost * fabric.nicBandwidth.value();
}

double chipToNicBandwidth(const FabricSpec& fabric, const Geometry& g) {
    const double host = hostBandwidth(fabric);
    const double nic = std::min(fabric.nicBandwidth.value(), host);
    return std::max(nic, host * g.hosts / g.chips);
}

std::unique_ptr<const SystemGraph> buildGraph(const SystemSpec& system, int ranksPerChip,
                                              int domains) {
    auto graph = std::make_unique<SystemGraph>();
    Builder(system, ranksPerChip, domains, *graph).build();
    return graph;
}

std::string linkName(const SystemSpec& system) {
    if (!system.fabric.linkName.empty()) return system.fabric.linkName;
    const machine::ChipSpec& chip = system.chip;
    if (chip.family == "trainium") return "NeuronLink";
    if (chip.family == "tpu") return "ICI";
    if (chip.vendor == "NVIDIA") return "NVLink";
    if (chip.vendor == "AMD") return "Infinity Fabric";
    return "chip-to-chip link";
}

std::string scaleOutName(const SystemSpec& system) {
    if (!system.fabric.scaleOutName.empty()) return system.fabric.scaleOutName;
    std::string provider = system.provider;
    std::transform(provider.begin(), provider.end(), provider.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    if (provider == "aws" || provider == "amazon") return "EFA";
    if (provider == "azure") return "InfiniBand";
    if (provider == "gcp" || provider == "google")
        return system.chip.family == "tpu" ? "data-centre network" : "RoCE";
    return "scale-out network";
}

std::string rateText(double bytesPerSecond) {
    return number(bytesPerSecond / 1e9) + " GB/s";
}

std::string hostLabel(const SystemSpec& system) {
    return scaleOutName(system) + ", " + rateText(hostBandwidth(system.fabric)) + " a host";
}

std::string tierLabel(const SystemSpec& system, std::size_t tier) {
    const auto& tiers = system.fabric.tiers;
    if (tiers.empty()) return scaleOutName(system);
    const machine::ScaleOutTier& t = tiers[std::min(tier, tiers.size() - 1)];
    return scaleOutName(system) + ", " + t.name + " tier, " + number(t.oversubscription) +
           ":1 oversubscribed";
}

namespace {

/// What stands in `text` for the placeholders of `pattern`; nothing where they don't match.
std::optional<std::vector<Argument>> match(std::string_view pattern, std::string_view text) {
    std::vector<Argument> found;
    while (true) {
        const std::size_t open = pattern.find('{');
        const std::string_view before = pattern.substr(0, open);
        if (!text.starts_with(before)) return std::nullopt;
        text.remove_prefix(before.size());
        if (open == std::string_view::npos)
            return text.empty() ? std::optional(std::move(found)) : std::nullopt;
        pattern.remove_prefix(pattern.find('}') + 1);
        const std::string_view after = pattern.substr(0, pattern.find('{'));
        const std::size_t end = after.empty() ? text.size() : text.find(after);
        if (end == std::string_view::npos) return std::nullopt;
        found.emplace_back(text.substr(0, end));
        text.remove_prefix(end);
    }
}

}  // namespace

Text linkText(const std::string& label) {
    // As the functions above write them; the more specific first.
    static constexpr const char* kPatterns[] = {
        "path between ranks of a chip, {1} a rank", "{1} of a pair, {2} one way",
        "{1} to the switch, {2} one way", "{1} between racks, {2} one way", "{1}, {2} one way",
        "{1}, {2} for one chip", "{1}, {2} a host", "{1}, {2} tier, {3}:1 oversubscribed",
        // without a rate
        "path between ranks of a chip", "{1} of a pair", "{1} to the switch", "{1} between racks"};
    for (const char* pattern : kPatterns)
        if (auto arguments = match(pattern, label)) return {pattern, std::move(*arguments)};
    return {"{1}", {label}};
}

}  // namespace trainwright::network
