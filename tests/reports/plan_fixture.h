// SPDX-License-Identifier: GPL-3.0-or-later
// A hand-made plan with one candidate of each standing. Its numbers are invented, but they are
// consistent: parts add up, cost is units × days × price, so that a writer's sums can be checked
// against it.
#pragma once

#include "model/search/plan.h"
#include "reports/report.h"

namespace trainwright::reports::fixture {

[[nodiscard]] search::PlanRequest planRequest();
[[nodiscard]] search::PlanResult planResult();
[[nodiscard]] ReportContext context();
/// Every view of a candidate: ceilings of its chip, a pipeline of two stages, a made-up network.
[[nodiscard]] ExplainedViews views(const search::PlanRequest& request,
                                   const search::CandidateResult& candidate);

/// The same plan without anything optional: no dates, prices, power, detail, figures or texts.
[[nodiscard]] search::PlanRequest bareRequest();
[[nodiscard]] search::PlanResult bareResult();

/// Every text of the plan holds markup, quotes, control characters and bytes that are not UTF-8.
[[nodiscard]] std::string hostileText();
[[nodiscard]] search::PlanRequest hostileRequest();
[[nodiscard]] search::PlanResult hostileResult();

}  // namespace trainwright::reports::fixture
