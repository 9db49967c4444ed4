// SPDX-License-Identifier: GPL-3.0-or-later
// What the program and its charts library agree on. Both come from one build.
#pragma once

#include <string>

namespace trainwright::reports {
struct ChartSpec;
}

namespace trainwright::app {

inline constexpr const char* kChartsPluginFile = "charts.so";
inline constexpr const char* kDrawChartSymbol = "trainwrightDrawChart";

/// Leaves the chart as an inline <svg> element in `svg`.
using DrawChart = void(const reports::ChartSpec& chart, int width, std::string& svg);

}  // namespace trainwright::app
