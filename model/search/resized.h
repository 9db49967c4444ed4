// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate with another number of chips.
#pragma once

#include <optional>

#include "model/search/plan.h"

namespace trainwright::search {

/// Chips of what is rented as one; at least 1.
[[nodiscard]] long unitOf(const machine::SystemSpec& system);

/// The candidate with that many chips, placed as its system is used; what it buys in portions
/// beside the first ones follows. None where those alone are more.
[[nodiscard]] std::optional<CandidateRequest> resized(CandidateRequest candidate, long chips);

}  // namespace trainwright::search
