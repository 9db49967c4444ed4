// SPDX-License-Identifier: GPL-3.0-or-later
// What the program and its charts library agree on. Both come from one build.
#pragma once

#include <string>

#include "model/units/outcome.h"
#include "reports/writers.h"

namespace trainwright::app {

inline constexpr const char* kChartsPluginFile = "charts.so";
inline constexpr const char* kDrawChartSymbol = "trainwrightDrawChart";
inline constexpr const char* kWritePdfSymbol = "trainwrightWritePdf";

/// Leaves the chart as an inline <svg> element in `svg`.
using DrawChart = void(const reports::ChartSpec& chart, int width, std::string& svg);
/// Leaves the file's bytes in `pdf`, or what kept it from being written.
using WritePdf = void(const reports::Document& document, reports::Paper paper,
                      Outcome<std::string>& pdf);

}  // namespace trainwright::app
