// SPDX-License-Identifier: GPL-3.0-or-later
// What reports of predicted and measured runs say of themselves.
#pragma once

#include <string>

#include "data/catalog/catalog.h"
#include "reports/validation_report.h"

namespace trainwright::app {

/// `runs`: the file of the runs; empty for the catalog's own.
[[nodiscard]] reports::ValidationContext validationContext(const catalog::Catalog& catalog,
                                                           const std::string& runs);

}  // namespace trainwright::app
