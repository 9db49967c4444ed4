// SPDX-License-Identifier: GPL-3.0-or-later
// Sentences made of others, each of which is translated on its own: lists, findings with their
// place.
#pragma once

#include <string_view>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright {

/// The parts in their order with `separator` between them; empty without parts.
[[nodiscard]] Text joined(std::vector<Argument> parts, std::string_view separator = ", ");
[[nodiscard]] Text joined(const std::vector<Text>& parts, std::string_view separator = ", ");

/// "file:line:column: warning: sentence", leaving out what is not known; its english() is that of
/// the finding.
[[nodiscard]] Text textOf(const Finding& finding);

}  // namespace trainwright
