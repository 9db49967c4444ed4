// SPDX-License-Identifier: GPL-3.0-or-later
// One candidate of plan JSON, which explanations and rows of a sweep are made from as well.
#pragma once

#include "reports/json_text.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// `withMeasurements`: with the wall time and the threads of the search (ReportContext says when).
[[nodiscard]] Json candidateJson(const CandidateView& view, bool withMeasurements);

}  // namespace trainwright::reports
