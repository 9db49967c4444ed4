// SPDX-License-Identifier: GPL-3.0-or-later
// The tables behind each picture of one candidate, as sections that any format can show.
//
// In each of them the parts add up to a total that is printed as well. `most` bounds rows that a
// reader at a terminal can't use; how many are left out is said.
#pragma once

#include <cstddef>
#include <optional>

#include "model/search/explanation.h"
#include "model/search/model_study.h"
#include "reports/document.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// The model by itself, and what the layout makes of it on one rank: the numbers that people reckon
/// by hand.
[[nodiscard]] Section modelSection(const search::ModelStudy& study);

/// Ceilings of the chip, and every operator of the busiest stage under its own.
[[nodiscard]] Section rooflineSection(const CandidateView& view, const search::Ceilings& ceilings);

/// Every stage by kind, against what a rank has.
[[nodiscard]] Section memorySection(const CandidateView& view);

/// The pipeline as it was simulated: stages, and its tasks in the order of their start.
[[nodiscard]] Section scheduleSection(const CandidateView& view, const search::PipelineStudy& study,
                                      std::size_t mostTasks);

/// Collectives, the algorithms that were weighed for each, and the links with their sources.
[[nodiscard]] Section networkSection(const CandidateView& view, const search::NetworkStudy& study);

/// Layouts that fit and that no other beats in both time and memory; nothing when there are none.
[[nodiscard]] std::optional<Table> frontTable(const search::CandidateResult& result,
                                              std::size_t most);

/// "forward", "backward", "grad input", "grad weight".
[[nodiscard]] Text taskLabel(layout::TaskKind kind);

}  // namespace trainwright::reports
