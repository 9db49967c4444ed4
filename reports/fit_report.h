// SPDX-License-Identifier: GPL-3.0-or-later
// What `fit` found, as text: the cluster, what binds it and what a little more would be worth, and
// the best of every other way.
#pragma once

#include <optional>
#include <string>

#include "model/search/fit.h"
#include "reports/document.h"
#include "reports/report.h"

namespace trainwright::reports {

/// A fit and the plan of its best cluster, or of its nearest miss.
struct FitAnswer {
    const search::FitRequest& request;
    const search::FitResult& result;
    /// Of that one candidate; none where no way runs the model.
    std::optional<search::PlanRequest> planRequest;
    std::optional<search::PlanResult> plan;
};

[[nodiscard]] Document fitDocument(const FitAnswer& answer, const ReportContext& context);
[[nodiscard]] std::string fitTerminal(const FitAnswer& answer, const TerminalStyle& style,
                                      const ReportContext& context);
/// Schema "trainwright/fit/1"; ends with a newline. `best` and `nearest_miss` are candidates of
/// plan JSON.
[[nodiscard]] std::string fitJson(const FitAnswer& answer, const ReportContext& context);

}  // namespace trainwright::reports
