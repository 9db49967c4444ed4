// SPDX-License-Identifier: GPL-3.0-or-later
// The chart drawer, loaded only when a report needs it.
//
// Qt takes longer to load than a plan on the terminal takes to run, and a machine without it can
// still plan: so the drawer lives in a library of its own beside the program, opened on first use.
#pragma once

#include <string>

#include "reports/report.h"
#include "reports/writers.h"

namespace trainwright::app {

struct ChartDrawer {
    reports::SvgDrawer drawer;  ///< empty when charts can't be drawn here
    reports::PdfWriter pdf;     ///< empty with it
    std::string reason;         ///< why they are empty
};

/// Loads on the first call, from "<prefix>/lib/trainwright" of the running program.
[[nodiscard]] ChartDrawer loadCharts();

}  // namespace trainwright::app
