// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the move of one number each of several changes explains.
//
// A share is the change's Shapley value (Shapley 1953): what it adds to the changes made before it,
// averaged over the orders in which all of them can be made. Shares add up to the move, changes
// that play the same part get the same share, and one that never moves anything gets none. Where
// some combinations of changes have no value (nothing fits, no price), only orders that pass
// through none of them count, each the same; the rest still holds for those. It knows nothing of
// plans: changes are numbered from 0, and a combination is a set of bits.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace trainwright::search {

/// The number under a combination of changes (bit i: change i is made); nullopt where it has none.
using Worth = std::function<std::optional<double>(std::uint64_t changes)>;

inline constexpr int kMostChanges = 62;      ///< that a combination holds
inline constexpr int kMostExactChanges = 8;  ///< above, orders are drawn

struct Contribution {
    std::optional<double> alone;  ///< what it moves when nothing else changes
    std::optional<double> last;   ///< what it moves when all else has changed
    double share = 0;
};

enum class Orders {
    All,
    Possible,  ///< some orders pass through a combination without a value and are left out
    Drawn,     ///< a sample of orders, the same each time
    None,      ///< no order is possible, or an end has no value: there are no shares
};

struct Attribution {
    std::vector<Contribution> contributions;  ///< one a change; shares are 0 under Orders::None
    std::optional<double> before, after;
    Orders orders = Orders::None;
    double counted = 0;   ///< orders that shares rest on
    double possible = 0;  ///< orders that there are: the factorial of the number of changes

    [[nodiscard]] bool hasShares() const { return orders != Orders::None; }
    /// What the changes move beyond the sum of what each moves alone; nullopt where one of them
    /// has no value alone.
    [[nodiscard]] std::optional<double> interaction() const;
};

struct AttributionSampling {
    int orders = 48;  ///< drawn in pairs of an order and its reverse
    std::uint32_t seed = 1;
};

/// Shares of `count` changes (0 to kMostChanges). Every combination is asked for at most once. Up
/// to kMostExactChanges all orders count; above, a sample of them. The last digits of the shares
/// are set so that their sum in order of the changes is after − before.
[[nodiscard]] Attribution attribute(int count, const Worth& worth,
                                    const AttributionSampling& sampling = {});

/// The parts in `decimals`, rounded so that they add up to their rounded sum (largest remainder;
/// of equal ones the earlier). Parts may be negative.
[[nodiscard]] std::vector<double> roundedShares(const std::vector<double>& parts, int decimals);

}  // namespace trainwright::search
