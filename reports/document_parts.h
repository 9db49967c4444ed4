// SPDX-License-Identifier: GPL-3.0-or-later
// What the report of a plan and the explanation of a candidate have in common: tables of one
// candidate, and the sections on what the numbers rest on.
#pragma once

#include <string>
#include <vector>

#include "reports/document.h"
#include "reports/plan_view.h"
#include "reports/report.h"
#include "reports/sources.h"
#include "reports/step_view.h"

namespace trainwright::reports {

/// What all sections read.
struct Plan {
    const search::PlanRequest& request;
    const search::PlanResult& result;
    const ReportContext& context;
    std::vector<CandidateView> views;
    Sources sources;

    [[nodiscard]] const CandidateView* best() const {
        return !views.empty() && views.front().runs() ? &views.front() : nullptr;
    }
};

[[nodiscard]] Paragraph paragraph(Text sentence, std::vector<std::string> links = {},
                                  Tone tone = Tone::Plain);
/// Id-safe form of a candidate's place, since a name may hold anything: "operators-1".
[[nodiscard]] std::string idOf(const char* what, std::size_t index);
/// The candidate's name; strong for the best one.
[[nodiscard]] Cell nameCell(const CandidateView& view);
/// Rows of label and value, as a block.
[[nodiscard]] Facts factsOf(const std::vector<FactRow>& rows);

/// Seconds of a step by part, a column a candidate.
[[nodiscard]] Table timeTable(const Plan& plan);
[[nodiscard]] Table operatorTable(const CandidateView& view, std::size_t index);
[[nodiscard]] Table collectiveTable(const CandidateView& view, std::size_t index);
[[nodiscard]] Table stageTable(const CandidateView& view, std::size_t index);
[[nodiscard]] Table alternativeTable(const CandidateView& view, std::size_t index);

[[nodiscard]] Section assumptions(const Plan& plan);
[[nodiscard]] Section sources(const Plan& plan);
[[nodiscard]] Section reproduce(const Plan& plan);
[[nodiscard]] Section reproduce(const ReportContext& context);

}  // namespace trainwright::reports
