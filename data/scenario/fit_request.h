// SPDX-License-Identifier: GPL-3.0-or-later
// The ways in which a scenario's job could be bought: its systems in every region, under every
// plan.
//
// A way is a candidate of the scenario as it is written, or its system in another region or under
// another plan that the scenario or the choices name and the catalog has a price for. What a
// candidate says of its own price or of several purchases stays with it; its discount goes with
// its plan. All accelerators are there from the first day.
#pragma once

#include <string>
#include <vector>

#include "data/scenario/scenario.h"
#include "model/search/fit.h"

namespace trainwright::scenario {

struct FitChoices {
    std::vector<std::string> candidates;  ///< names; empty: all
    std::vector<std::string> regions;     ///< beside the scenario's; "all": every region
    std::vector<std::string> plans;       ///< beside the scenario's; "all": every plan
    search::Objective objective = search::Objective::Cheapest;
    long mostAccelerators = 65536;  ///< looked at, where the scenario doesn't limit them
};

/// The request of `scenario`, whose constraints are the limits. Findings: those of resolve(), and
/// names that nothing has.
[[nodiscard]] Outcome<search::FitRequest> fitRequest(const Scenario& scenario,
                                                     const catalog::Catalog& catalog,
                                                     const FitChoices& choices);

}  // namespace trainwright::scenario
