// SPDX-License-Identifier: GPL-3.0-or-later
// A tornado: an input a row, its bar from the result at one end of the input to that at the other,
// what the ends are beside it. QtCharts has no bars that begin anywhere but at zero, so that these
// are drawn on the scene alone.
#include <QGraphicsLineItem>

#include <algorithm>
#include <cmath>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kBar = 16, kGapBelow = 10, kPanelGap = 36, kEndGap = 5;
constexpr double kTwoPanels = 640;  // narrower drawings stack their panels
constexpr Role kLow = Role::Slate3, kLowInk = Role::Slate3Ink, kHigh = Role::Slate1;

struct Axis {
    double from = 0, to = 1, step = 1;
};

/// Whole steps around all ends, with as much again beside them as their words need.
Axis axisOf(const SpanPanel& panel, double words, double width) {
    double low = panel.middle, high = panel.middle;
    for (const Span& span : panel.spans) {
        low = std::min({low, span.atLow, span.atHigh});
        high = std::max({high, span.atLow, span.atHigh});
    }
    if (!(high > low)) {
        const double some = high > 0 ? high * 0.1 : 1;
        low = std::max(0.0, low - some);
        high += some;
    }
    const double scale = (high - low) / std::max(width - 2 * words, width / 4);
    low = std::max(0.0, low - words * scale);
    high += words * scale;
    Axis axis;
    axis.step = niceStep(high - low, static_cast<int>(std::clamp(width / 64.0, 2.0, 8.0)));
    axis.from = std::floor(low / axis.step + 1e-9) * axis.step;
    axis.to = std::ceil(high / axis.step - 1e-9) * axis.step;
    return axis;
}

double drawLegend(Canvas& canvas, const TornadoChart& chart) {
    constexpr double kSwatch = 16;
    double x = 0, y = 0;
    const double line = canvas.lineHeight() + 6;
    for (const bool low : {true, false}) {
        const QString words = Canvas::words(low ? chart.lowLegend : chart.highLegend);
        const double wide = kSwatch + 6 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        const QRectF box(x, y + 2, kSwatch, canvas.lineHeight() - 3);
        canvas.rectangle(box, QPen(Qt::NoPen), canvas.colour(low ? kLow : kHigh));
        if (low) canvas.pattern(box, Pattern::BackDiagonal, kLowInk);
        canvas.text(x + kSwatch + 6, y, words, Role::Text);
        x += wide;
    }
    return y + line + 4;
}

/// Draws the panel and returns its bottom.
double drawPanel(Canvas& canvas, const SpanPanel& panel, double left, double right, double top) {
    const double line = canvas.lineHeight();
    double words = 0;
    for (const Span& span : panel.spans)
        for (const Text* end : {&span.lowInput, &span.highInput})
            words = std::max(words, canvas.textWidth(Canvas::words(*end)) + kEndGap);
    const double plotLeft = left + 1, plotRight = right - 6;
    const Axis axis = axisOf(panel, words, plotRight - plotLeft);
    const double scale = (plotRight - plotLeft) / (axis.to - axis.from);
    const auto at = [&](double value) { return plotLeft + (value - axis.from) * scale; };

    const QString middle = canvas.fitted(Canvas::words(panel.middleLabel), right - left, true);
    const double half = canvas.textWidth(middle, true) / 2;
    canvas.text(std::clamp(at(panel.middle), left + half, right - half), top, middle, Role::Text,
                Align::Centre, true);
    const double rowsTop = top + line + 6;
    const double slot = line + 2 + kBar + kGapBelow;
    const double bottom = rowsTop + slot * static_cast<double>(panel.spans.size());

    const int ticks = static_cast<int>(std::lround((axis.to - axis.from) / axis.step));
    for (int t = 0; t <= ticks; ++t) {
        const double x = at(axis.from + t * axis.step);
        canvas.scene().addLine(x, rowsTop, x, bottom, canvas.pen(Role::Grid));  // below the bars
    }
    for (std::size_t i = 0; i < panel.spans.size(); ++i) {
        const Span& span = panel.spans[i];
        const double labelTop = rowsTop + slot * static_cast<double>(i);
        const double barTop = labelTop + line + 2;
        const QString label = canvas.fitted(Canvas::words(span.label), right - left);
        canvas.text(left, labelTop, label, Role::Text);
        const double first = std::min({at(span.atLow), at(span.atHigh), at(panel.middle)});
        const double last = std::max({at(span.atLow), at(span.atHigh), at(panel.middle)});
        canvas.hot({first, barTop, last - first, kBar}, span.key,
                   {Canvas::words(span.label), Canvas::words(panel.axis)});
        for (const bool low : {true, false}) {
            const double from = at(panel.middle), to = at(low ? span.atLow : span.atHigh);
            const QRectF box(std::min(from, to), barTop, std::abs(to - from), kBar);
            if (box.width() <= 0) continue;
            canvas.rectangle(box, QPen(Qt::NoPen), canvas.colour(low ? kLow : kHigh));
            if (low) canvas.pattern(box, Pattern::BackDiagonal, kLowInk);
        }
        // Where both ends lie on one side, or none moves, their words still stand on their own.
        const bool lowIsLeft =
            span.atLow < span.atHigh || (span.atLow == span.atHigh && span.atLow <= panel.middle);
        const double leftEnd = std::min({at(span.atLow), at(span.atHigh), at(panel.middle)});
        const double rightEnd = std::max({at(span.atLow), at(span.atHigh), at(panel.middle)});
        const double textTop = barTop + (kBar - line) / 2;
        const QString leftWords = Canvas::words(lowIsLeft ? span.lowInput : span.highInput);
        const QString rightWords = Canvas::words(lowIsLeft ? span.highInput : span.lowInput);
        canvas.text(std::max(leftEnd - kEndGap, left + canvas.textWidth(leftWords)), textTop,
                    leftWords, Role::SecondText, Align::Right);
        canvas.text(std::min(rightEnd + kEndGap, right - canvas.textWidth(rightWords)), textTop,
                    rightWords, Role::SecondText);
        canvas.line(at(panel.middle), barTop - 2, at(panel.middle), barTop + kBar + 2,
                    canvas.pen(Role::Text, 1.5));
    }
    canvas.line(plotLeft, bottom, plotRight, bottom, canvas.pen(Role::Axis));
    const int decimals =
        axis.step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(axis.step) - 1e-9));
    const double axisTop = bottom + 5;
    for (int t = 0; t <= ticks; ++t) {
        const double value = axis.from + t * axis.step;
        canvas.line(at(value), bottom, at(value), bottom + 4, canvas.pen(Role::Axis));
        const QString number = canvas.number(fixed(value, decimals));
        const double wide = canvas.textWidth(number) / 2;
        canvas.text(std::clamp(at(value), left + wide, right - wide), axisTop, number,
                    Role::SecondText, Align::Centre);
    }
    canvas.text(right, axisTop + line + 1, Canvas::words(panel.axis), Role::SecondText,
                Align::Right);
    return axisTop + 2 * line + 6;
}

}  // namespace

void draw(Canvas& canvas, const TornadoChart& chart) {
    const double top = drawLegend(canvas, chart);
    const auto count = static_cast<double>(chart.panels.size());
    double bottom = top;
    if (chart.panels.size() > 1 && canvas.width() >= kTwoPanels) {
        const double wide = (canvas.width() - kPanelGap * (count - 1)) / count;
        double left = 0;
        for (const SpanPanel& panel : chart.panels) {
            bottom = std::max(bottom, drawPanel(canvas, panel, left, left + wide, top));
            left += wide + kPanelGap;
        }
    } else {
        for (const SpanPanel& panel : chart.panels)
            bottom = drawPanel(canvas, panel, 0, canvas.width(), bottom) + 14;
    }
    canvas.setHeight(std::ceil(bottom));
}

}  // namespace trainwright::reports::charts
