// SPDX-License-Identifier: GPL-3.0-or-later
// Chart specs drawn with QtCharts, as SVG text for a report.
//
// Needs no display: the offscreen platform is used, and the application object that QtCharts asks
// for is started by ChartApplication, or by chartDrawer() with the first chart. Colours are CSS
// variables of palette.h with the light value behind them, so that one drawing serves light and
// dark. Text stays text.
#pragma once

#include <memory>
#include <string>

#include "reports/chart_spec.h"
#include "reports/report.h"

class QApplication;

namespace trainwright::reports {

/// Keeps a QApplication alive under the offscreen platform; does nothing where there is one already
/// (the desktop). One at a time, on the main thread.
class ChartApplication {
public:
    ChartApplication();
    ~ChartApplication();
    ChartApplication(const ChartApplication&) = delete;
    ChartApplication& operator=(const ChartApplication&) = delete;

private:
    std::unique_ptr<QApplication> application_;
};

/// An <svg> element `width` CSS pixels wide with title and description; its height follows from the
/// content. A spec that doesn't validate gives an empty drawing with the description. Needs an
/// application.
[[nodiscard]] std::string drawSvg(const ChartSpec& spec, int width);

/// drawSvg, starting the application with the first chart and keeping it as long as the drawer
/// lives.
[[nodiscard]] SvgDrawer chartDrawer();

}  // namespace trainwright::reports
