// SPDX-License-Identifier: GPL-3.0-or-later
// From two results of plans to what changed, what moved, and how much of each move each change
// explains.
//
// The plans in between (some changes made, others not) are made with today's engine and catalog:
// scenarios with some of their values changed, catalogs with figures and prices of before, other
// factors of calibration. What the two ends then fail to reproduce of the results is left over as
// the rest of a move. Nothing is written, and no clock is read.
#pragma once

#include <functional>

#include "data/catalog/catalog.h"
#include "data/compare/kept_result.h"
#include "model/search/comparison.h"

namespace trainwright::compare {

/// One of the two plans to compare.
struct Side {
    KeptResult result;
    /// That the result was made with, where it was made just now; it then says what the other
    /// scenario would rest on, too.
    const catalog::Catalog* catalog = nullptr;
};

struct Options {
    int threads = 1;  ///< that share a search; the comparison doesn't depend on it
    std::function<bool()> cancelled;
    std::function<void(double)> advanced;  ///< told the share that is done, in [0, 1]
};

/// `today`: the catalog that plans in between are made with.
[[nodiscard]] search::Comparison compare(const Side& before, const Side& after,
                                         const catalog::Catalog& today,
                                         const Options& options = {});

}  // namespace trainwright::compare
