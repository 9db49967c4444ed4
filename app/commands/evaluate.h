// SPDX-License-Identifier: GPL-3.0-or-later
// Running the engine from a command: with progress, stopped by Ctrl-C.
#pragma once

#include "app/commands/commands.h"
#include "model/search/plan.h"

namespace trainwright::app {

/// The plan; incomplete when isInterrupted().
[[nodiscard]] search::PlanResult evaluate(const search::PlanRequest& request,
                                          const SearchChoices& choices);

[[nodiscard]] bool anyFeasible(const search::PlanResult& result);

}  // namespace trainwright::app
