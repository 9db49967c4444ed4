// SPDX-License-Identifier: GPL-3.0-or-later
// Public claims, each held against the catalog, the engine and the published runs.
//
// A claim is a row of the catalog with checks of a few kinds; a further claim of a known kind is a
// row. Nothing is decided in the rows: figures are read from the catalog as it is opened, overrides
// included, and what only the engine can answer is planned from a scenario that is part of the
// result. A check whose row asks for what isn't there can't be checked, and says so. Same digits on
// any number of threads.
#pragma once

#include <functional>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/import/published_runs.h"
#include "model/claims/claim.h"

namespace trainwright::claims {

/// What claims are held against.
struct Evidence {
    const catalog::Catalog& catalog;
    const std::vector<import::PublishedRun>& runs;
};

struct CheckOptions {
    int threads = 1;                       ///< of each search
    std::function<bool(double)> progress;  ///< told the share done; false stops the work
};

/// The claims judged, in their order; those after a stop are missing.
[[nodiscard]] std::vector<CheckedClaim> check(const std::vector<catalog::Claim>& claims,
                                              const Evidence& evidence,
                                              const CheckOptions& options = {});

}  // namespace trainwright::claims
