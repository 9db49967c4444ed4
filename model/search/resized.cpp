// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/resized.h"

#include <algorithm>

namespace trainwright::search {

long unitOf(const machine::SystemSpec& system) {
    return system.chipsPerUnit > 0 ? system.chipsPerUnit : std::max(1, system.chipsPerHost);
}

std::optional<CandidateRequest> resized(CandidateRequest candidate, long chips) {
    candidate.chips = chips;
    candidate.system = machine::placedOn(candidate.system, chips);
    if (candidate.portions.empty()) return candidate;
    long rest = run::unitsRented(candidate.system, chips + candidate.operations.spareChips);
    for (std::size_t i = 0; i + 1 < candidate.portions.size(); ++i)
        rest -= candidate.portions[i].units;
    if (rest < 0) return std::nullopt;
    candidate.portions.back().units = rest;
    return candidate;
}

}  // namespace trainwright::search
