// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/network/schedule.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>

namespace trainwright::network {

using machine::FabricKind;
using machine::FabricSpec;

namespace {

/// In larger domains nobody talks to everybody in one step, and no tree spans them.
constexpr int kMaxChipsAtOnce = 512;

/// Positions on the rings of the hybrid cube mesh: double links, then single links.
constexpr std::array<std::array<int, 8>, 2> kCubeMeshRings{
    {{0, 3, 2, 1, 5, 6, 7, 4}, {0, 1, 3, 7, 5, 4, 6, 2}}};
constexpr std::array<double, 2> kCubeMeshRingShare{2.0 / 3.0, 1.0 / 3.0};

std::size_t at(int i) {
    return static_cast<std::size_t>(i);
}

/// Members of one group by chip, and the sub-box of the geometry that its chips fill, if they fill
/// one.
struct Layout {
    struct Axis {
        std::size_t dimension;
        std::vector<int> coordinates;  ///< that occur, ascending
        bool closed;                   ///< the whole ring, so that the last is next to the first
    };
    std::vector<int> chips;       ///< ascending
    std::vector<Members> onChip;  ///< members of each chip
    std::vector<Axis> axes;       ///< with more than one coordinate
    bool isBox = false;
    bool even = false;  ///< as many members on every chip

    [[nodiscard]] int perChip() const { return static_cast<int>(onChip.front().size()); }
    /// Index along each axis of chip number `i` of `chips`.
    [[nodiscard]] std::vector<int> position(std::size_t i, const Geometry& g) const {
        const std::vector<int> c = g.coordinates(chips[i]);
        std::vector<int> p;
        for (const Axis& a : axes) {
            const auto found =
                std::lower_bound(a.coordinates.begin(), a.coordinates.end(), c[a.dimension]);
            p.push_back(static_cast<int>(found - a.coordinates.begin()));
        }
        return p;
    }
};

Layout layoutOf(const Members& members, const Geometry& g) {
    Layout l;
    for (const int rank : members) {
        const int chip = rank / g.ranksPerChip;
        if (l.chips.empty() || l.chips.back() != chip) {
            l.chips.push_back(chip);
            l.onChip.emplace_back();
        }
        l.onChip.back().push_back(rank);
    }
    l.even = std::all_of(l.onChip.begin(), l.onChip.end(),
                         [&](const Members& m) { return m.size() == l.onChip.front().size(); });
    std::size_t box = 1;
    for (std::size_t d = 0; d < g.dims.size(); ++d) {
        std::vector<int> seen;
        for (const int chip : l.chips) seen.push_back(g.coordinates(chip)[d]);
        std::sort(seen.begin(), seen.end());
        seen.erase(std::unique(seen.begin(), seen.end()), seen.end());
        box *= seen.size();
        if (seen.size() < 2) continue;
        const bool closed = static_cast<int>(seen.size()) == g.dims[d];
        l.axes.push_back(Layout::Axis{d, std::move(seen), closed});
    }
    l.isBox = box == l.chips.size();
    return l;
}

/// Place of `position` in the reflected mixed-radix Gray sequence, the last axis turning slowest.
int grayPlace(const std::vector<int>& position, const std::vector<int>& extents) {
    int place = 0;
    for (std::size_t d = extents.size(); d-- > 0;) {
        const int digit = place % 2 == 0 ? position[d] : extents[d] - 1 - position[d];
        place = place * extents[d] + digit;
    }
    return place;
}

Members flatten(const Layout& l, const std::vector<std::size_t>& chipOrder) {
    Members order;
    for (const std::size_t i : chipOrder)
        order.insert(order.end(), l.onChip[i].begin(), l.onChip[i].end());
    return order;
}

std::vector<std::size_t> sortedBy(const std::vector<int>& key) {
    std::vector<std::size_t> order(key.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return key[a] < key[b]; });
    return order;
}

/// Chips of the group along one of the cube mesh's rings.
std::vector<std::size_t> cubeMeshOrder(const Layout& l, std::size_t ring) {
    std::vector<int> key;
    for (const int chip : l.chips) {
        const auto& sequence = kCubeMeshRings[ring];
        key.push_back(
            static_cast<int>(std::find(sequence.begin(), sequence.end(), chip) - sequence.begin()));
    }
    return sortedBy(key);
}

std::vector<std::size_t> chipRing(const Layout& l, const Geometry& g) {
    if (g.kind == FabricKind::HybridCubeMesh) return cubeMeshOrder(l, 0);
    std::vector<int> key;
    if (!l.isBox) {
        for (const int chip : l.chips) key.push_back(grayPlace(g.coordinates(chip), g.dims));
        return sortedBy(key);
    }
    // The slowest axis closes the ring: it should return to its start in one hop.
    std::size_t slowest = l.axes.empty() ? 0 : l.axes.size() - 1;
    for (std::size_t a = 0; a < l.axes.size(); ++a) {
        const std::size_t extent = l.axes[a].coordinates.size();
        if (extent == 2 || (l.axes[a].closed && extent % 2 == 0)) slowest = a;
    }
    std::vector<int> extents;
    for (const Layout::Axis& a : l.axes) extents.push_back(static_cast<int>(a.coordinates.size()));
    if (!extents.empty()) std::swap(extents[slowest], extents.back());
    for (std::size_t i = 0; i < l.chips.size(); ++i) {
        std::vector<int> p = l.position(i, g);
        if (!p.empty()) std::swap(p[slowest], p.back());
        key.push_back(grayPlace(p, extents));
    }
    return sortedBy(key);
}

bool isLoops(const Geometry& g) {
    return g.kind == FabricKind::Torus || g.kind == FabricKind::Ring;
}

/// All sibling groups of one shape, with what the builders ask about them again and again.
class Builder {
public:
    Builder(const std::vector<Members>& groups, const Geometry& g, const FabricSpec& fabric)
        : groups_(groups), g_(g), fabric_(fabric), n_(groups.front().size()) {
        for (const Members& m : groups) layouts_.push_back(layoutOf(m, g));
    }

    std::vector<Schedule> build(Collective c) {
        const bool small = g_.chips <= kMaxChipsAtOnce;
        if (c == Collective::AllToAll) {
            byDimension(c);
            if (small || all_.empty()) all_.push_back(direct(1));
            return std::move(all_);
        }
        if (c == Collective::PointToPoint) {
            sendReceive();
            return std::move(all_);
        }
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            orders_.push_back(flatten(layouts_[i], chipRing(layouts_[i], g_)));
        }
        if (c == Collective::Broadcast) {
            chain();
            if (small) tree(c);
        } else {
            const double halves = c == Collective::AllReduce ? 2 : 1;
            if (small) all_.push_back(direct(halves));
            rings(halves);
            multiRing(halves);
            halvingDoubling(halves);
            byDimension(c);
            if (small && c == Collective::AllReduce) tree(c);
        }
        switchReduction(c);
        return std::move(all_);
    }

private:
    static constexpr std::size_t kMaxAxes = 3;
    /// The dimensions that a group spans, and how its data is split over where to begin.
    struct Rotation {
        std::size_t count = 0;
        std::array<double, kMaxAxes> extent{}, bandwidth{}, share{};
    };

    [[nodiscard]] double n() const { return static_cast<double>(n_); }

    [[nodiscard]] Schedule direct(double halves) const {
        Step step;
        step.allPairs = groups_;
        step.pairBytes = 1 / n();
        step.repeat = step.latencySteps = halves;
        return {Algorithm::Direct, {std::move(step)}};
    }

    static void loop(Step& step, const Members& order, double bytes) {
        for (std::size_t i = 0; i < order.size(); ++i) {
            step.flows.push_back(Flow{order[i], order[(i + 1) % order.size()], bytes});
        }
    }
    static Members reversed(Members order) {
        std::reverse(order.begin(), order.end());
        return order;
    }

    void rings(double halves) {
        Step step;
        for (const Members& order : orders_) loop(step, order, 1 / n());
        step.repeat = halves * (n() - 1);
        step.latencySteps = step.repeat;
        step.ranksRunOn = true;
        all_.push_back({Algorithm::Ring, {step}});
        if (n_ < 3) return;
        // Each chunk goes round both ways and meets itself half-way.
        step.flows.clear();
        for (const Members& order : orders_) {
            loop(step, order, 0.5 / n());
            loop(step, reversed(order), 0.5 / n());
        }
        step.latencySteps = halves * static_cast<double>(n_ / 2);
        all_.push_back({Algorithm::BidirectionalRing, {step}});
    }

    /// Hamiltonian rings over chips that share no link, each run both ways. On a square torus of a
    /// × a the first runs along rows and steps down one column, shifted by one each row; what it
    /// leaves of rows and columns is the same figure transposed.
    void multiRing(double halves) {
        struct Ring {
            std::vector<std::size_t> chips;
            double share;
        };
        Step step;
        double chipSteps = 0;
        for (const Layout& l : layouts_) {
            std::vector<Ring> found;
            if (g_.kind == FabricKind::HybridCubeMesh &&
                l.chips.size() == kCubeMeshRings[0].size()) {
                for (std::size_t r = 0; r < kCubeMeshRings.size(); ++r) {
                    found.push_back(Ring{cubeMeshOrder(l, r), kCubeMeshRingShare[r]});
                }
            } else if (g_.kind == FabricKind::Torus && l.isBox && l.axes.size() == 2 &&
                       l.axes[0].closed && l.axes[1].closed &&
                       l.axes[0].coordinates.size() == l.axes[1].coordinates.size() &&
                       l.axes[0].coordinates.size() > 2) {
                const int a = static_cast<int>(l.axes[0].coordinates.size());
                for (std::size_t r = 0; r < 2; ++r) {
                    std::vector<int> key(l.chips.size());
                    for (std::size_t i = 0; i < l.chips.size(); ++i) {
                        const std::vector<int> p = l.position(i, g_);
                        const int row = p[1 - r];
                        const int column = p[r];
                        // Row `row` starts at column -row, so that the step down ends at the start
                        // of the next row.
                        key[i] = row * a + (column + row) % a;
                    }
                    found.push_back(Ring{sortedBy(key), 0.5});
                }
            } else {
                return;
            }
            for (const Ring& ring : found) {
                const Members order = flatten(l, ring.chips);
                loop(step, order, ring.share / 2 / n());
                loop(step, reversed(order), ring.share / 2 / n());
            }
            chipSteps = static_cast<double>(l.chips.size());
        }
        step.repeat = halves * (n() - 1);
        // The ranks of a chip take part in the same step of a ring of chips.
        step.latencySteps = halves * (chipSteps - 1);
        all_.push_back({Algorithm::MultiRing, {std::move(step)}});
    }

    /// Members by an index whose single bits lead to near members: ranks of a chip first, then each
    /// axis in Gray code, where two neighbours on a ring of four differ in one bit.
    [[nodiscard]] std::optional<Members> cube(const Layout& l, const Members& members) const {
        if (!std::has_single_bit(n_)) return std::nullopt;
        if (!isLoops(g_) || !l.isBox || !l.even) return members;
        const auto perChip = static_cast<std::size_t>(l.perChip());
        if (!std::has_single_bit(perChip)) return members;
        Members order(n_, -1);
        for (std::size_t i = 0; i < l.chips.size(); ++i) {
            const std::vector<int> p = l.position(i, g_);
            std::size_t index = 0;
            std::size_t radix = perChip;
            for (std::size_t a = 0; a < l.axes.size(); ++a) {
                const std::size_t extent = l.axes[a].coordinates.size();
                if (!std::has_single_bit(extent)) return members;
                index += (at(p[a]) ^ (at(p[a]) >> 1U)) * radix;
                radix *= extent;
            }
            for (std::size_t k = 0; k < perChip; ++k) order[index + k] = l.onChip[i][k];
        }
        return order;
    }

    void halvingDoubling(double halves) {
        if (!std::has_single_bit(n_) || n_ < 2) return;
        std::vector<Members> cubes;
        for (std::size_t i = 0; i < groups_.size(); ++i) {
            auto order = cube(layouts_[i], groups_[i]);
            if (!order) return;
            cubes.push_back(std::move(*order));
        }
        Schedule s{Algorithm::HalvingDoubling, {}};
        double bytes = 0.5;
        for (std::size_t bit = 1; bit < n_; bit *= 2, bytes /= 2) {
            Step step;
            step.repeat = halves;
            step.latencySteps = halves;
            for (const Members& order : cubes) {
                for (std::size_t i = 0; i < n_; ++i)
                    step.flows.push_back(Flow{order[i], order[i ^ bit], bytes});
            }
            s.steps.push_back(std::move(step));
        }
        all_.push_back(std::move(s));
    }

    /// An all-reduce goes up and down two binary trees over the ring order, each with half of the
    /// data; what is inside one is a leaf of the other. A broadcast goes down one. All levels work
    /// at once on successive pieces.
    void tree(Collective c) {
        if (n_ < 2) return;
        const bool up = c == Collective::AllReduce;
        Step step;
        for (const Members& order : orders_) {
            for (std::size_t i = 1; i < n_; ++i) {
                const std::size_t parent = (i - 1) / 2;
                if (!up) {
                    step.flows.push_back(Flow{order[parent], order[i], 1.0});
                    continue;
                }
                const auto both = [&](int child, int above) {
                    step.flows.push_back(Flow{above, child, 0.5});
                    step.flows.push_back(Flow{child, above, 0.5});
                };
                both(order[i], order[parent]);
                both(order[n_ - 1 - i], order[n_ - 1 - parent]);
            }
        }
        step.latencySteps = (up ? 2.0 : 1.0) * static_cast<double>(std::bit_width(n_ - 1));
        all_.push_back({Algorithm::Tree, {std::move(step)}});
    }

    /// The whole message passed on from member to member in many small pieces.
    void chain() {
        Step step;
        for (const Members& order : orders_) {
            for (std::size_t i = 0; i + 1 < order.size(); ++i) {
                step.flows.push_back(Flow{order[i], order[i + 1], 1.0});
            }
        }
        step.latencySteps = n() - 1;
        step.ranksRunOn = true;
        all_.push_back({Algorithm::Ring, {std::move(step)}});
    }

    void sendReceive() {
        Step step;
        for (const Members& m : groups_) {
            for (std::size_t i = 0; i + 1 < m.size(); ++i)
                step.flows.push_back(Flow{m[i], m[i + 1], 1.0});
        }
        all_.push_back({Algorithm::SendReceive, {std::move(step)}});
    }

    /// The switch adds up what it reads from every member, and repeats what one member writes to
    /// all.
    void switchReduction(Collective c) {
        if (!fabric_.switchReduces || g_.kind != FabricKind::Switched || n_ < 2) return;
        const double part = 1 / n();
        double out = 0;
        double in = 0;
        if (c == Collective::AllReduce || c == Collective::ReduceScatter) out += 1, in += part;
        if (c == Collective::AllReduce || c == Collective::AllGather) out += part, in += 1;
        if (c == Collective::Broadcast) out = 1, in = 1;
        Step step;
        for (const Members& m : groups_) {
            for (const int rank : m) {
                step.flows.push_back(Flow{rank, kSwitch, out});
                step.flows.push_back(Flow{kSwitch, rank, in});
            }
        }
        step.latencySteps = c == Collective::AllReduce ? 2 : 1;
        all_.push_back({Algorithm::SwitchReduction, {std::move(step)}});
    }

    /// Share of its first size that part `p` still has in `phase`: reductions shrink, all-to-alls
    /// don't.
    static double remaining(const Rotation& r, std::size_t p, std::size_t phase, bool shrinks) {
        double size = 1;
        for (std::size_t k = 0; shrinks && k < phase; ++k) size /= r.extent[(p + k) % r.count];
        return size;
    }

    /// Shares of the data for the rotated orders of dimensions, so that the sum of the phases is
    /// least. Part p takes dimension p first, then the next ones; a phase lasts as long as its
    /// slowest part.
    static void balance(Rotation& r, bool shrinks) {
        const std::size_t d = r.count;
        std::array<std::array<double, kMaxAxes>, kMaxAxes>
            seconds{};  // of a whole share: phase, part
        for (std::size_t phase = 0; phase < d; ++phase) {
            for (std::size_t p = 0; p < d; ++p) {
                const std::size_t now = (p + phase) % d;
                seconds[phase][p] =
                    remaining(r, p, phase, shrinks) * (1 - 1 / r.extent[now]) / r.bandwidth[now];
            }
        }
        double best = std::numeric_limits<double>::infinity();
        const auto consider = [&](const std::array<double, kMaxAxes>& share) {
            double total = 0;
            for (std::size_t phase = 0; phase < d; ++phase) {
                double slowest = 0;
                for (std::size_t p = 0; p < d; ++p)
                    slowest = std::max(slowest, share[p] * seconds[phase][p]);
                total += slowest;
            }
            if (total >= best * (1 - 1e-12)) return;
            best = total;
            r.share = share;
        };
        constexpr int kParts = 48;  // fine enough that the best share is missed by a percent or two
        for (int x = 0; x <= kParts; ++x) {
            for (int y = 0; y <= (d > 2 ? kParts - x : 0); ++y) {
                std::array<double, kMaxAxes> share{};
                share[0] = static_cast<double>(x) / kParts;
                if (d > 2) share[2] = static_cast<double>(y) / kParts;
                if (d > 1) share[1] = static_cast<double>(kParts - x - y) / kParts;
                if (d == 1) share[0] = 1;
                consider(share);
            }
        }
    }

    /// One dimension after the other, the ranks of a chip first. The data is split over the rotated
    /// orders.
    void byDimension(Collective c) {
        const Layout& shape = layouts_.front();
        const bool paired = g_.kind == FabricKind::SwitchedPairs;
        const bool shrinks = c != Collective::AllToAll;
        if ((!isLoops(g_) && !paired) || shape.axes.empty() || shape.axes.size() > kMaxAxes) return;
        if (shape.axes.size() + (shape.perChip() > 1 ? 1 : 0) < 2) return;
        for (const Layout& l : layouts_) {
            if (!l.isBox || !l.even || l.axes.size() != shape.axes.size() ||
                l.perChip() != shape.perChip())
                return;
            for (std::size_t a = 0; a < l.axes.size(); ++a) {
                if (l.axes[a].dimension != shape.axes[a].dimension ||
                    l.axes[a].coordinates.size() != shape.axes[a].coordinates.size()) {
                    return;
                }
            }
        }
        Rotation r;
        r.count = shape.axes.size();
        for (std::size_t d = 0; d < r.count; ++d) {
            const Layout::Axis& a = shape.axes[d];
            r.extent[d] = static_cast<double>(a.coordinates.size());
            // A line that doesn't close its loop sends one way of the loop only.
            const double all = dimensionBandwidth(fabric_, g_, a.dimension);
            r.bandwidth[d] = isLoops(g_) && !a.closed && g_.dims[a.dimension] > 2 ? all / 2 : all;
        }
        balance(r, shrinks);

        Schedule s{paired ? Algorithm::Hierarchical : Algorithm::TorusByDimension, {}};
        const double halves = c == Collective::AllReduce ? 2 : 1;
        const double perChip = shape.perChip();
        if (shape.perChip() > 1) {
            Step inside;
            for (const Layout& l : layouts_) {
                inside.allPairs.insert(inside.allPairs.end(), l.onChip.begin(), l.onChip.end());
            }
            inside.pairBytes = 1 / perChip;
            inside.repeat = inside.latencySteps = halves;
            s.steps.push_back(std::move(inside));
        }
        for (std::size_t phase = 0; phase < r.count; ++phase) {
            Step step;
            step.repeat = halves;
            step.latencySteps = 0;
            for (std::size_t p = 0; p < r.count; ++p) {
                if (r.share[p] <= 0) continue;
                const std::size_t now = (p + phase) % r.count;
                const double size =
                    r.share[p] * remaining(r, p, phase, shrinks) / (shrinks ? perChip : 1);
                const auto extent = static_cast<int>(r.extent[now]);
                // Round a loop both ways, chunks meet half-way; through a switch, or all to all,
                // one step.
                const int steps = shrinks && isLoops(g_) ? std::max(extent / 2, 1) : 1;
                step.latencySteps = std::max(step.latencySteps, halves * steps);
                for (const Layout& l : layouts_) {
                    if (shrinks) {
                        addLoops(step, l, now, size * (1 - 1 / r.extent[now]));
                    } else {
                        addLinePairs(step, l, now, size / r.extent[now]);
                    }
                }
            }
            s.steps.push_back(std::move(step));
        }
        all_.push_back(std::move(s));
    }

    /// Chip `to` steps along axis `a` from chip number `i`: chips of a box ascend, the first axis
    /// fastest.
    [[nodiscard]] static std::size_t onLine(const Layout& l, std::size_t a, std::size_t i, int to) {
        int stride = 1;
        for (std::size_t k = 0; k < a; ++k)
            stride *= static_cast<int>(l.axes[k].coordinates.size());
        const int extent = static_cast<int>(l.axes[a].coordinates.size());
        const int here = static_cast<int>(i) / stride % extent;
        return at(static_cast<int>(i) + ((here + to) % extent - here) * stride);
    }

    /// `bytes` from every member to each other one on its line along axis `a`, rank k of a chip to
    /// rank k.
    static void addLinePairs(Step& step, const Layout& l, std::size_t a, double bytes) {
        const int extent = static_cast<int>(l.axes[a].coordinates.size());
        for (std::size_t i = 0; i < l.chips.size(); ++i) {
            for (int to = 1; to < extent; ++to) {
                const std::size_t other = onLine(l, a, i, to);
                for (std::size_t k = 0; k < l.onChip[i].size(); ++k) {
                    step.flows.push_back(Flow{l.onChip[i][k], l.onChip[other][k], bytes});
                }
            }
        }
    }

    /// Loops along axis `a` of the group's box, one for each line of chips and each rank of a chip,
    /// both ways. On a switch they put on its links what all pairs would.
    static void addLoops(Step& step, const Layout& l, std::size_t a, double bytes) {
        const int extent = static_cast<int>(l.axes[a].coordinates.size());
        for (std::size_t i = 0; i < l.chips.size(); ++i) {
            const std::size_t next = onLine(l, a, i, 1);
            const std::size_t previous = onLine(l, a, i, extent - 1);
            for (std::size_t k = 0; k < l.onChip[i].size(); ++k) {
                if (next == previous) {
                    step.flows.push_back(Flow{l.onChip[i][k], l.onChip[next][k], bytes});
                } else {
                    step.flows.push_back(Flow{l.onChip[i][k], l.onChip[next][k], bytes / 2});
                    step.flows.push_back(Flow{l.onChip[i][k], l.onChip[previous][k], bytes / 2});
                }
            }
        }
    }

    const std::vector<Members>& groups_;
    const Geometry& g_;
    const FabricSpec& fabric_;
    std::size_t n_;
    std::vector<Layout> layouts_;
    std::vector<Members> orders_;
    std::vector<Schedule> all_;
};

}  // namespace

std::vector<Members> siblingGroups(int ranks, int stride, int count) {
    std::vector<Members> groups;
    const int block = ranks * stride;
    for (int base = 0; base + block <= count; base += block) {
        for (int j = 0; j < stride; ++j) {
            Members m;
            m.reserve(at(ranks));
            for (int i = 0; i < ranks; ++i) m.push_back(base + j + i * stride);
            groups.push_back(std::move(m));
        }
    }
    return groups;
}

Members ringOrder(const Members& members, const Geometry& geometry) {
    const Layout l = layoutOf(members, geometry);
    return flatten(l, chipRing(l, geometry));
}

std::vector<Schedule> schedules(Collective collective, const std::vector<Members>& groups,
                                const Geometry& geometry, const FabricSpec& fabric) {
    if (groups.empty() || groups.front().size() < 2) return {};
    return Builder(groups, geometry, fabric).build(collective);
}

}  // namespace trainwright::network
