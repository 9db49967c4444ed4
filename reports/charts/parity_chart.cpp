// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured: log-log with the same decades on both axes, the diagonal where both
// agree, and a line to either side of it. Points carry the glyph of their family.
#include <algorithm>
#include <cmath>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kNarrow = 560;  // below, a phone's layout
constexpr double kGlyph = 7;

struct Decades {
    int from = 0, to = 1;
};

Decades decadesOf(const std::vector<ParityPoint>& points) {
    double low = 1, high = 10;
    if (!points.empty()) low = high = points.front().measured;
    for (const ParityPoint& p : points) {
        low = std::min({low, p.measured, p.predicted});
        high = std::max({high, p.measured, p.predicted});
    }
    Decades d;
    d.from = static_cast<int>(std::floor(std::log10(low)));
    d.to = std::max(d.from + 1, static_cast<int>(std::ceil(std::log10(high))));
    return d;
}

double drawLegend(Canvas& canvas, const ParityChart& chart) {
    double x = 0, y = 0;
    const double line = canvas.lineHeight() + 6;
    for (const auto& [family, label] : chart.legend) {
        const QString words = Canvas::words(label);
        const double wide = 18 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        canvas.glyph(family, x + 6, y + canvas.lineHeight() / 2, kGlyph + 2);
        canvas.text(x + 18, y, words, Role::Text);
        x += wide;
    }
    return y + line + 4;
}

}  // namespace

void draw(Canvas& canvas, const ParityChart& chart) {
    const double top = drawLegend(canvas, chart) + canvas.lineHeight() + 6;
    const Decades decades = decadesOf(chart.points);
    const double left = 56;
    const double side =
        std::min(canvas.width() - left - 26, canvas.width() < kNarrow ? 340.0 : 460.0);
    const QRectF plot(left, top, side, side);
    const auto share = [&](double value) {
        return (std::log10(value) - decades.from) / (decades.to - decades.from);
    };
    const auto atX = [&](double value) { return plot.left() + share(value) * side; };
    const auto atY = [&](double value) { return plot.bottom() - share(value) * side; };

    for (int d = decades.from; d <= decades.to; ++d) {
        const double value = std::pow(10.0, d);
        canvas.line(atX(value), plot.top(), atX(value), plot.bottom(), Canvas::pen(Role::Grid));
        canvas.line(plot.left(), atY(value), plot.right(), atY(value), Canvas::pen(Role::Grid));
        const QString tick = QString::fromStdString(trimmed(value));
        canvas.text(atX(value), plot.bottom() + 4, tick, Role::SecondText, Align::Centre);
        canvas.text(plot.left() - 6, atY(value) - canvas.lineHeight() / 2, tick, Role::SecondText,
                    Align::Right);
    }
    canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), Canvas::pen(Role::Axis));
    canvas.line(plot.left(), plot.top(), plot.left(), plot.bottom(), Canvas::pen(Role::Axis));

    // The lines y = k x, cut at the plot.
    const double whole = decades.to - decades.from;
    const auto diagonal = [&](double factor, const QPen& pen) {
        const double shift = std::log10(factor) / whole * side;
        const double x1 = plot.left() + std::max(0.0, -shift);
        const double x2 = plot.right() - std::max(0.0, shift);
        canvas.line(x1, plot.bottom() - (x1 - plot.left()) - shift, x2,
                    plot.bottom() - (x2 - plot.left()) - shift, pen);
    };
    diagonal(1, Canvas::pen(Role::Axis, 1.5));
    diagonal(1 + chart.band, Canvas::pen(Role::Axis, 1, Qt::DashLine));
    diagonal(1 / (1 + chart.band), Canvas::pen(Role::Axis, 1, Qt::DashLine));

    for (const ParityPoint& p : chart.points)
        canvas.glyph(p.family, atX(p.measured), atY(p.predicted), kGlyph);

    canvas.text(plot.left(), plot.top() - canvas.lineHeight() - 4,
                Canvas::words(chart.verticalAxis), Role::SecondText);
    canvas.text(plot.right(), plot.bottom() + 6 + canvas.lineHeight(),
                Canvas::words(chart.horizontalAxis), Role::SecondText, Align::Right);
    canvas.setHeight(plot.bottom() + 2 * canvas.lineHeight() + 14);
}

}  // namespace trainwright::reports::charts
