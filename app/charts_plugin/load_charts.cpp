// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/charts_plugin/load_charts.h"

#include <dlfcn.h>

#include <string>

#include "app/charts_plugin/charts_plugin.h"
#include "app/commands/common.h"

namespace trainwright::app {
namespace {

ChartDrawer open() {
    const auto missing = [](const char* why) {
        return ChartDrawer{{}, {}, why == nullptr ? "" : why};
    };
    const std::string file = installPrefix() + "/lib/trainwright/" + kChartsPluginFile;
    // Never closed: Qt can't be unloaded.
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) {
        return missing(::dlerror());
    }
    auto* draw = reinterpret_cast<DrawChart*>(::dlsym(library, kDrawChartSymbol));
    auto* pdf = reinterpret_cast<WritePdf*>(::dlsym(library, kWritePdfSymbol));
    if (draw == nullptr || pdf == nullptr) {
        return missing(::dlerror());
    }
    return ChartDrawer{[draw](const reports::ChartSpec& chart, int width) {
                           std::string svg;
                           draw(chart, width, svg);
                           return svg;
                       },
                       [pdf](const reports::Document& document, reports::Paper paper) {
                           Outcome<std::string> bytes{std::string()};
                           pdf(document, paper, bytes);
                           return bytes;
                       },
                       {}};
}

}  // namespace

ChartDrawer loadCharts() {
    static const ChartDrawer charts = open();
    return charts;
}

}  // namespace trainwright::app
