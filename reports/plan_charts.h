// SPDX-License-Identifier: GPL-3.0-or-later
// The charts of a plan as specs: what the tables beside them say, on axes that all candidates
// share.
#pragma once

#include <optional>
#include <vector>

#include "reports/chart_spec.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

struct PartStyle {
    Role fill, ink;
    Pattern pattern;
};
[[nodiscard]] PartStyle partStyle(layout::TimePart part);
[[nodiscard]] PartStyle partStyle(layout::MemoryKind kind);

[[nodiscard]] std::optional<ChartSpec> costAndTimeChart(const search::PlanRequest& request,
                                                        const std::vector<CandidateView>& views);
[[nodiscard]] std::optional<ChartSpec> timeChart(const std::vector<CandidateView>& views);
[[nodiscard]] std::optional<ChartSpec> memoryChart(const std::vector<CandidateView>& views);
/// A bar a stage; of many the same stages as stageRows has.
[[nodiscard]] std::optional<ChartSpec> stageMemoryChart(const CandidateView& view);
[[nodiscard]] std::optional<ChartSpec> costChart(const std::vector<CandidateView>& views);
/// Days and cost of one candidate with one input at a time at its P10 and P90; the widest inputs.
/// nullopt without bands. `id` is the chart's id in its document.
[[nodiscard]] std::optional<ChartSpec> tornadoChart(const CandidateView& view,
                                                    const std::string& id);
/// One chip of one candidate; nullopt without detail or without the peaks that a roofline needs.
/// `id` is the chart's id in its document; `reached`, where given, is drawn as a roof below the
/// engine's peak.
[[nodiscard]] std::optional<ChartSpec> rooflineChart(const search::PlanRequest& request,
                                                     const CandidateView& view,
                                                     const std::string& id,
                                                     units::FlopPerSecond reached = {});

}  // namespace trainwright::reports
