// SPDX-License-Identifier: GPL-3.0-or-later
// Charts of what is studied beside a plan: a candidate's pipeline and network, all candidates at
// other sizes.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/search/explanation.h"
#include "model/search/size_study.h"
#include "reports/chart_spec.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// What candidates are compared in.
enum class Measure { Days, Cost, Energy, Accelerators };
inline constexpr int kMeasureCount = 4;
[[nodiscard]] Text measureLabel(Measure measure);  ///< with the unit: "M USD"

/// Stages over the time of one step; nullopt where there is no timeline.
[[nodiscard]] std::optional<ChartSpec> pipelineChart(const CandidateView& view,
                                                     const search::PipelineStudy& study);
/// "8 micro-batches over 4 stages: …", with the bubble as overhead and as share.
[[nodiscard]] Text bubbleSentence(const CandidateView& view, const search::PipelineStudy& study);

/// One scale-up domain and one of each tier above it. nullopt where the system contradicts itself.
[[nodiscard]] std::optional<ChartSpec> topologyChart(const CandidateView& view,
                                                     const search::NetworkStudy& study,
                                                     TopologyZoom zoom);
/// Seconds a step in which the link moves bytes, of the links that are some collective's slowest.
struct LinkLoad {
    std::string label;  ///< as CollectiveUse::busiestLink
    double seconds = 0;
    std::string by;  ///< the collective that it moves most for
};
[[nodiscard]] std::vector<LinkLoad> linkLoads(const layout::StepResult& step,
                                              const search::NetworkStudy& study);

/// Candidates on two measures; with a study also at the other sizes. nullopt without two data.
[[nodiscard]] std::optional<ChartSpec> paretoChart(const search::PlanRequest& request,
                                                   const std::vector<CandidateView>& views,
                                                   const search::SizeStudy* study,
                                                   Measure horizontal, Measure vertical,
                                                   const std::string& chosen);

/// The least (accelerators or cost) that is done by a date, a curve a candidate.
[[nodiscard]] std::optional<ChartSpec> deadlineChart(const search::PlanRequest& request,
                                                     const search::SizeStudy& study,
                                                     const search::Constraints& limits,
                                                     const search::SizeAnswer& answer,
                                                     Measure vertical);

}  // namespace trainwright::reports
