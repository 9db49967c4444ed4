// SPDX-License-Identifier: GPL-3.0-or-later
// A plan seen from one side at a time: a question, its answer, the picture, the table behind it.
//
// The desktop shows each of these sections by itself, the report prints them among others; both
// have the same digits, because there is one section. Every function gives a section, also where
// there is nothing to draw: its answer then says why, and what would help. Rows of tables and data
// of charts that speak of the same thing carry the same key (keys.h).
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "model/search/explanation.h"
#include "model/search/plan.h"
#include "model/search/size_study.h"
#include "reports/chart_spec.h"
#include "reports/document.h"
#include "reports/keys.h"
#include "reports/study_charts.h"

namespace trainwright::reports {

/// The candidate's layout with that short form among those that the plan holds: what the signal
/// of a view says, as a layout.
[[nodiscard]] std::optional<layout::Layout> layoutOf(const search::PlanResult& result,
                                                     const std::string& candidate,
                                                     const std::string& shortForm);

/// "Which is cheapest by my date, and by how much?"
[[nodiscard]] Section rankingView(const search::PlanRequest& request,
                                  const search::PlanResult& result);

/// "Where does a step go?" All candidates; of `candidate` also operators and collectives.
[[nodiscard]] Section timeView(const search::PlanRequest& request, const search::PlanResult& result,
                               const std::string& candidate = {});

/// "Does arithmetic or memory limit each operator?"
[[nodiscard]] Section rooflineView(const search::PlanRequest& request,
                                   const search::CandidateResult& candidate,
                                   const search::Ceilings& ceilings);

/// "Which link is full, and because of whom?"
[[nodiscard]] Section topologyView(const search::PlanRequest& request,
                                   const search::CandidateResult& candidate,
                                   const search::NetworkStudy& study, TopologyZoom zoom);

/// "Does it fit, where is it fullest, what would make it fit?" The stages of `candidate`; all
/// candidates without one.
[[nodiscard]] Section memoryView(const search::PlanRequest& request,
                                 const search::PlanResult& result,
                                 const std::string& candidate = {});

/// "When does each stage wait?"
[[nodiscard]] Section pipelineView(const search::PlanRequest& request,
                                   const search::CandidateResult& candidate,
                                   const search::PipelineStudy& study);

/// "What am I paying for?"
[[nodiscard]] Section costView(const search::PlanRequest& request,
                               const search::PlanResult& result);

/// "What do I give up to be faster or cheaper?" Candidates as asked; with a study also at the other
/// sizes.
[[nodiscard]] Section paretoView(const search::PlanRequest& request,
                                 const search::PlanResult& result, const search::SizeStudy* study,
                                 Measure horizontal, Measure vertical,
                                 const std::string& chosen = {});

/// "How small can I go, and what does a week cost?" `vertical` is Accelerators or Cost; `limits`
/// stand for those of the request.
[[nodiscard]] Section deadlineView(const search::PlanRequest& request,
                                   const search::SizeStudy& study,
                                   const search::Constraints& limits, Measure vertical);
/// Its answer alone, for each move of a slider.
[[nodiscard]] Text deadlineAnswer(const search::PlanRequest& request,
                                  const search::SizeStudy& study, const search::Constraints& limits,
                                  const search::SizeAnswer& answer);

/// "What would change the answer?" Bands of all, tornado of `candidate` (the best without one).
[[nodiscard]] Section bandsView(const search::PlanRequest& request,
                                const search::PlanResult& result,
                                const std::string& candidate = {});

}  // namespace trainwright::reports
