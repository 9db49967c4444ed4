// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts_plugin/charts_plugin.h"

#include <QApplication>

#include "reports/charts/draw.h"

namespace trainwright::app {
namespace {

/// Charts are graphics widgets, which need an application; it draws to memory, so that no display is needed.
void ensureApplication() {
    if (QCoreApplication::instance() != nullptr) {
        return;
    }
    // What Qt remarks about a machine without a desktop means nothing to someone who writes a report.
    qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& message) {
        if (type == QtCriticalMsg || type == QtFatalMsg) {
            fprintf(stderr, "charts: %s\n", qPrintable(message));
        }
    });
    static int argc = 3;
    static char program[] = "trainwright";
    static char option[] = "-platform";
    static char platform[] = "offscreen";
    static char* argv[] = {program, option, platform, nullptr};
    // Lives as long as the process: objects of static storage in Qt need it until the end.
    static auto* application = new QApplication(argc, argv);
    Q_UNUSED(application)
}

}  // namespace
}  // namespace trainwright::app

extern "C" __attribute__((visibility("default"))) void trainwrightDrawChart(
    const trainwright::reports::ChartSpec& chart, int width, std::string& svg) {
    trainwright::app::ensureApplication();
    svg = trainwright::reports::drawSvg(chart, width);
}
