// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts_plugin/charts_plugin.h"

#include <QString>
#include <QtGlobal>

#include <cstdio>

#include "reports/charts/draw.h"

namespace trainwright::app {
namespace {

/// What Qt remarks about a machine without a desktop means nothing to someone who writes a report.
void passOnWhatIsBroken(QtMsgType type, const QMessageLogContext& /*context*/, const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::fprintf(stderr, "charts: %s\n", qPrintable(message));
    }
}

const reports::SvgDrawer& drawer() {
    // Never destroyed: what Qt keeps in static storage needs the application until the very end.
    static const auto* drawer = [] {
        qInstallMessageHandler(passOnWhatIsBroken);
        return new reports::SvgDrawer(reports::chartDrawer());
    }();
    return *drawer;
}

}  // namespace
}  // namespace trainwright::app

extern "C" __attribute__((visibility("default"))) void trainwrightDrawChart(
    const trainwright::reports::ChartSpec& chart, int width, std::string& svg) {
    svg = trainwright::app::drawer()(chart, width);
}
