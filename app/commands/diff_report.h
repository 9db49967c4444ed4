// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of two plans as each format of report has it, and a plan as a side of one.
#pragma once

#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "data/compare/compare.h"
#include "reports/diff_report.h"

namespace trainwright::app {

/// All arguments are read when the content is asked for, and outlive it.
[[nodiscard]] ReportContent diffContent(const search::Comparison& comparison,
                                        const reports::DiffContext& context,
                                        reports::Language language);

/// A plan that was made just now, with `catalog`.
[[nodiscard]] Outcome<compare::Side> sideOf(const PreparedScenario& scenario,
                                            const search::PlanResult& result,
                                            const catalog::Catalog& catalog);

/// With progress, stopped by Ctrl-C. `today`: the catalog that plans in between are made with.
[[nodiscard]] search::Comparison compared(const compare::Side& before, const compare::Side& after,
                                          const catalog::Catalog& today,
                                          const SearchChoices& choices,
                                          const char* doing = "comparing");

}  // namespace trainwright::app
