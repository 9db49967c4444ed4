// SPDX-License-Identifier: GPL-3.0-or-later
// The JSON Schema of a scenario as results hold it (scenario.h, toJson): every key, defaults filled
// in. Made from the registry, as all that is said of keys.
#pragma once

#include <string>

namespace trainwright::scenario {

[[nodiscard]] std::string resolvedSchema();

}  // namespace trainwright::scenario
