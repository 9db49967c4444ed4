// SPDX-License-Identifier: GPL-3.0-or-later
// Running the engine from a command: with progress, stopped by Ctrl-C.
#pragma once

#include "app/commands/commands.h"
#include "model/search/plan.h"

namespace trainwright::app {

/// The plan; incomplete when isInterrupted(). `doing`: what the line of progress says.
[[nodiscard]] search::PlanResult evaluate(const search::PlanRequest& request,
                                          const SearchChoices& choices,
                                          const char* doing = "planning");

[[nodiscard]] bool anyFeasible(const search::PlanResult& result);

}  // namespace trainwright::app
