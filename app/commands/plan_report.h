// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as each format of report has it, for the command line and the desktop alike.
#pragma once

#include "app/commands/report_files.h"

namespace trainwright::app {

/// All arguments are read when the content is asked for, and outlive it.
[[nodiscard]] ReportContent planContent(const search::PlanRequest& request,
                                        const search::PlanResult& result,
                                        const reports::ReportContext& context);

}  // namespace trainwright::app
