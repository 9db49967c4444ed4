// SPDX-License-Identifier: GPL-3.0-or-later
// The least change that makes a candidate fit in memory, when no layout of it does.
#pragma once

#include <vector>

#include "model/search/search.h"

namespace trainwright::search {

/// Sentences, the smallest change first. Of a layout that the scenario fixes, one field at a time
/// is left open, then all; of a free one, the number of accelerators grows (batch unchanged) and
/// the states shrink. Empty when none of it helps, or the search is stopped.
[[nodiscard]] std::vector<Text> leastChange(const layout::StepProblem& problem,
                                            const layout::LayoutChoice& choice,
                                            const network::Network& network,
                                            const SearchOptions& options);

}  // namespace trainwright::search
