// SPDX-License-Identifier: GPL-3.0-or-later
// Whether a plan may pass: its limits are kept, and it hasn't moved away from a result that was
// kept.
#pragma once

#include <string>
#include <vector>

#include "data/compare/kept_result.h"

namespace trainwright::app {

/// "5%" or "0.05" as 0.05; from 0 on.
[[nodiscard]] Outcome<double> readTolerance(const std::string& text);

/// What speaks against the plan `now`, a sentence each; empty: nothing. The best candidate has to
/// keep every limit of its scenario. With `kept`, the best candidate has to be the same, and days,
/// cost and energy of every candidate may differ by `tolerance` of what they were. `name` is what
/// the kept result is called.
[[nodiscard]] std::vector<Text> objections(const compare::KeptResult& now,
                                           const compare::KeptResult* kept, double tolerance,
                                           const std::string& name);

}  // namespace trainwright::app
