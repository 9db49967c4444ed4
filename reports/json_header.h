// SPDX-License-Identifier: GPL-3.0-or-later
// What every JSON answer begins with: its schema, the program and the catalog that it comes from.
#pragma once

#include "reports/json_text.h"
#include "reports/report.h"

namespace trainwright::reports {

[[nodiscard]] Json provenanceJson(const char* schema, const ReportContext& context);

}  // namespace trainwright::reports
