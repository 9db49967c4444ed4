// SPDX-License-Identifier: GPL-3.0-or-later
// Frames a second of a pipeline's chart while it is zoomed and moved: drawn and painted anew for
// each, as the desktop does, with up to 20,000 boxes on 32 stages.
#include <benchmark/benchmark.h>

#include <QApplication>
#include <QImage>
#include <QPainter>

#include "reports/charts/canvas.h"
#include "reports/charts/draw.h"

namespace trainwright::reports {
namespace {

GanttChart pipeline(int boxes) {
    constexpr int kStages = 32;
    GanttChart chart;
    chart.axis = Text{"ms", {}};
    const int each = boxes / kStages;
    for (int stage = 0; stage < kStages; ++stage) {
        chart.rows.push_back(Text{"stage {1}", {std::to_string(stage)}});
        for (int i = 0; i < each; ++i) {
            const double from = stage + 2.0 * i;
            chart.boxes.push_back({stage, i % 2 == 0 ? GanttKind::Forward : GanttKind::Backward,
                                   i / 2, 0, from, from + 1.8, i % 7 == 0});
        }
    }
    chart.end = kStages + 2.0 * each;
    return chart;
}

void frames(benchmark::State& state) {
    const GanttChart chart = pipeline(static_cast<int>(state.range(0)));
    const double span = chart.end / static_cast<double>(state.range(1));
    double from = 0;
    for (auto _ : state) {
        charts::Canvas canvas(900, charts::Colours::Light);
        charts::draw(canvas, chart, from, from + span);
        QImage image(900, static_cast<int>(canvas.height()), QImage::Format_ARGB32_Premultiplied);
        QPainter painter(&image);
        canvas.scene().render(&painter);
        from = from + span * 1.1 < chart.end ? from + span * 0.1 : 0;
    }
    state.counters["frames/s"] =
        benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// Boxes, and how many times the view is closer than the whole.
BENCHMARK(frames)
    ->Args({2000, 1})
    ->Args({20000, 1})
    ->Args({20000, 10})
    ->Args({20000, 200})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trainwright::reports

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
