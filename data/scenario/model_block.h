// SPDX-License-Identifier: GPL-3.0-or-later
// An architecture written out as the `model:` of a scenario file.
//
// Invariant: the block, in a scenario, reads back to the same architecture; its family and its
// published numbers of parameters are not part of a scenario and are left out. Keys that would only
// repeat their default are left out too.
#pragma once

#include <string>

#include "model/workload/architecture.h"

namespace trainwright::scenario {

/// Lines from `model:` on, each with its line end. `architecture` is sound (workload::validate).
[[nodiscard]] std::string modelBlock(const workload::Architecture& architecture);

}  // namespace trainwright::scenario
