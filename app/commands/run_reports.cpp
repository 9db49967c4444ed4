// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/run_reports.h"

#include <fmt/format.h>

#include "app/version.h"

namespace trainwright::app {

reports::ValidationContext validationContext(const catalog::Catalog& catalog,
                                             const std::string& runs) {
    reports::ValidationContext context;
    context.runsTitle = runs.empty() ? "the catalog's published runs" : runs;
    const auto& calibration = catalog.calibration();
    context.calibrationTitle = calibration ? fmt::format("{}, {}, hash {}", calibration->id,
                                                         calibration->date, calibration->hash)
                                           : "none";
    context.programVersion = kProgramVersion;
    context.catalogHash = catalog.hash();
    return context;
}

}  // namespace trainwright::app
