// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/attribution.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <unordered_map>
#include <utility>

namespace trainwright::search {
namespace {

std::uint64_t bit(int change) {
    return std::uint64_t{1} << static_cast<unsigned>(change);
}

/// Each combination is worked out once.
class Known {
public:
    explicit Known(const Worth& worth) : worth_(worth) {}

    std::optional<double> operator()(std::uint64_t changes) {
        const auto found = values_.find(changes);
        if (found != values_.end()) return found->second;
        std::optional<double> value = worth_(changes);
        if (value && !std::isfinite(*value)) value.reset();
        values_.emplace(changes, value);
        return value;
    }

private:
    const Worth& worth_;
    std::unordered_map<std::uint64_t, std::optional<double>> values_;
};

/// Weighs what each change adds to each combination by the number of possible orders that add it
/// there: those that lead to the combination times those that lead on from it.
void overAllOrders(int count, Known& worth, Attribution& result) {
    const std::uint64_t combinations = bit(count);
    std::vector<double> to(combinations, 0), from(combinations, 0);
    std::vector<std::optional<double>> values(combinations);
    for (std::uint64_t s = 0; s < combinations; ++s) values[s] = worth(s);
    to[0] = 1;
    for (std::uint64_t s = 0; s < combinations; ++s) {
        if (!values[s]) continue;
        for (int i = 0; i < count; ++i)
            if ((s & bit(i)) != 0) to[s] += to[s & ~bit(i)];
    }
    from[combinations - 1] = 1;
    for (std::uint64_t s = combinations - 1; s-- > 0;) {
        if (!values[s]) continue;
        for (int i = 0; i < count; ++i)
            if ((s & bit(i)) == 0 && values[s | bit(i)]) from[s] += from[s | bit(i)];
    }
    result.counted = to[combinations - 1];
    if (!(result.counted > 0)) return;
    result.orders = result.counted < result.possible ? Orders::Possible : Orders::All;
    for (int i = 0; i < count; ++i) {
        double sum = 0;
        for (std::uint64_t s = 0; s < combinations; ++s) {
            if ((s & bit(i)) != 0 || !values[s] || !values[s | bit(i)]) continue;
            sum += to[s] * from[s | bit(i)] * (*values[s | bit(i)] - *values[s]);
        }
        result.contributions[static_cast<std::size_t>(i)].share = sum / result.counted;
    }
}

/// What each change adds in `order`; false where the order passes through a gap.
bool addOrder(const std::vector<int>& order, Known& worth, std::vector<double>& sums) {
    std::vector<double> added(order.size(), 0);
    std::uint64_t made = 0;
    double value = *worth(0);
    for (int change : order) {
        made |= bit(change);
        const std::optional<double> next = worth(made);
        if (!next) return false;
        added[static_cast<std::size_t>(change)] = *next - value;
        value = *next;
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += added[i];
    return true;
}

void overDrawnOrders(int count, Known& worth, const AttributionSampling& sampling,
                     Attribution& result) {
    std::mt19937 random(sampling.seed);
    std::vector<int> order(static_cast<std::size_t>(count));
    std::vector<double> sums(order.size(), 0);
    for (int pair = 0; 2 * pair < sampling.orders; ++pair) {
        std::iota(order.begin(), order.end(), 0);
        // Not std::shuffle, whose result each library chooses for itself.
        for (std::size_t i = order.size() - 1; i > 0; --i)
            std::swap(order[i], order[random() % (i + 1)]);
        for (int turn = 0; turn < 2; ++turn) {
            if (addOrder(order, worth, sums)) ++result.counted;
            std::reverse(order.begin(), order.end());
        }
    }
    if (!(result.counted > 0)) return;
    result.orders = Orders::Drawn;
    for (std::size_t i = 0; i < sums.size(); ++i)
        result.contributions[i].share = sums[i] / result.counted;
}

/// Moves the rounding errors of the sum into the largest share.
void settle(Attribution& result) {
    const double move = *result.after - *result.before;
    auto& all = result.contributions;
    if (all.empty()) return;
    const auto largest =
        std::max_element(all.begin(), all.end(), [](const Contribution& a, const Contribution& b) {
            return std::abs(a.share) < std::abs(b.share);
        });
    for (int turn = 0; turn < 4; ++turn) {
        double sum = 0;
        for (const Contribution& c : all) sum += c.share;
        if (sum == move) return;
        largest->share += move - sum;
    }
}

}  // namespace

std::optional<double> Attribution::interaction() const {
    if (!before || !after) return std::nullopt;
    double sum = 0;
    for (const Contribution& c : contributions) {
        if (!c.alone) return std::nullopt;
        sum += *c.alone;
    }
    return *after - *before - sum;
}

Attribution attribute(int count, const Worth& worth, const AttributionSampling& sampling) {
    Known known(worth);
    Attribution result;
    result.contributions.resize(static_cast<std::size_t>(count));
    result.possible = std::tgamma(count + 1.0);
    const std::uint64_t all = bit(count) - 1;
    result.before = known(0);
    result.after = known(all);
    for (int i = 0; i < count; ++i) {
        Contribution& c = result.contributions[static_cast<std::size_t>(i)];
        if (const auto alone = known(bit(i)); alone && result.before)
            c.alone = *alone - *result.before;
        if (const auto without = known(all & ~bit(i)); without && result.after)
            c.last = *result.after - *without;
    }
    if (!result.before || !result.after) return result;
    if (count <= kMostExactChanges) {
        overAllOrders(count, known, result);
    } else {
        overDrawnOrders(count, known, sampling, result);
    }
    if (result.hasShares()) settle(result);
    return result;
}

std::vector<double> roundedShares(const std::vector<double>& parts, int decimals) {
    const double scale = std::pow(10.0, decimals);
    std::vector<double> units(parts.size());
    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    double sum = 0, whole = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        units[i] = std::floor(parts[i] * scale);
        sum += parts[i] * scale;
        whole += units[i];
    }
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return parts[a] * scale - units[a] > parts[b] * scale - units[b];
    });
    const double missing = std::round(sum) - whole;
    for (std::size_t i = 0; i < order.size() && static_cast<double>(i) < missing; ++i)
        units[order[i]] += 1;
    for (double& unit : units) unit = unit / scale + 0.0;  // no negative zero
    return units;
}

}  // namespace trainwright::search
