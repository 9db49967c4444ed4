// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts_plugin/charts_plugin.h"

#include <QString>
#include <QtGlobal>

#include <cstdio>

#include "reports/charts/draw.h"
#include "reports/charts/pdf.h"

namespace trainwright::app {
namespace {

/// What Qt remarks about a machine without a desktop means nothing to someone who writes a report.
void passOnWhatIsBroken(QtMsgType type, const QMessageLogContext& /*context*/,
                        const QString& message) {
    if (type == QtCriticalMsg || type == QtFatalMsg) {
        std::fprintf(stderr, "charts: %s\n", qPrintable(message));
    }
}

void startApplication() {
    // Never destroyed: what Qt keeps in static storage needs the application until the very end.
    static const auto* application = [] {
        qInstallMessageHandler(passOnWhatIsBroken);
        return new reports::ChartApplication;
    }();
    static_cast<void>(application);
}

}  // namespace
}  // namespace trainwright::app

extern "C" __attribute__((visibility("default"))) void trainwrightDrawChart(
    const trainwright::reports::ChartSpec& chart, int width, std::string& svg) {
    trainwright::app::startApplication();
    svg = trainwright::reports::drawSvg(chart, width);
}

extern "C" __attribute__((visibility("default"))) void trainwrightWritePdf(
    const trainwright::reports::Document& document, trainwright::reports::Paper paper,
    trainwright::Outcome<std::string>& pdf) {
    trainwright::app::startApplication();
    pdf = trainwright::reports::pdf(document, paper);
}
