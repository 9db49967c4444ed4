// SPDX-License-Identifier: GPL-3.0-or-later
// How ratios scatter around 1: a strip a row, equal ratios stacked, on a logarithmic axis, so that
// half and double lie as far from the middle.
#include <QGraphicsLineItem>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kGlyph = 7;
constexpr double kColumn = 5;  // ratios that fall into one column of so many pixels are stacked
constexpr double kLeastStrip = 18, kMostStrip = 84, kGapBelow = 10;
constexpr double kLeastOutlined = 3;  // glyphs nearer than this would be all outline
constexpr double kLeastReach = 1.3;   // the axis goes at least this far to either side

/// Ratios that may get a label, the one that matters most first.
constexpr std::array<double, 17> kTicks{1,   0.5, 2,   0.8, 1.2, 4,   0.25, 1.5, 10,
                                        0.1, 0.7, 0.9, 1.1, 30,  100, 0.03, 0.01};

struct Axis {
    double low = 0, high = 1;  ///< logarithms
    double left = 0, right = 0;

    [[nodiscard]] double at(double ratio) const {
        return left + (std::log(ratio) - low) / (high - low) * (right - left);
    }
};

Axis axisOf(const StripChart& chart, double left, double right) {
    double least = 1 / kLeastReach, most = kLeastReach;
    for (const StripRow& row : chart.rows)
        for (double ratio : row.ratios) {
            least = std::min(least, ratio);
            most = std::max(most, ratio);
        }
    return {std::log(least), std::log(most), left, right};
}

QString tickWords(const Canvas& canvas, double ratio) {
    if (ratio == 1) return canvas.number("0%");
    return canvas.number((ratio < 1 ? "−" : "+") + trimmed(100 * std::abs(ratio - 1), 3) + "%");
}

using Span = std::pair<double, double>;

/// The grid stands in the strips alone, so that no line crosses a label.
void drawAxis(Canvas& canvas, const StripChart& chart, const Axis& axis,
              const std::vector<Span>& strips, double bottom) {
    const auto across = [&](double ratio, const QPen& pen) {
        const double x = axis.at(ratio);
        for (const auto& [from, to] : strips) canvas.scene().addLine(x, from, x, to, pen);
    };
    std::vector<QRectF> taken;
    for (double ratio : kTicks) {
        const double x = axis.at(ratio);
        if (x < axis.left - 0.5 || x > axis.right + 0.5) continue;
        const QString words = tickWords(canvas, ratio);
        const double wide = canvas.textWidth(words);
        const double from = std::clamp(x - wide / 2, 0.0, canvas.width() - wide);
        const QRectF box(from, bottom + 5, wide, canvas.lineHeight());
        const QRectF roomy = box.adjusted(-5, 0, 5, 0);
        if (std::any_of(taken.begin(), taken.end(),
                        [&](const QRectF& other) { return other.intersects(roomy); }))
            continue;
        taken.push_back(box);
        across(ratio, canvas.pen(Role::Grid));
        canvas.line(x, bottom, x, bottom + 4, canvas.pen(Role::Axis));
        canvas.text(from, bottom + 5, words, Role::SecondText);
    }
    canvas.line(axis.left, bottom, axis.right, bottom, canvas.pen(Role::Axis));
    across(1, canvas.pen(Role::Axis, 1.5));
    for (double ratio : {1 - chart.band, 1 + chart.band})
        across(ratio, canvas.pen(Role::Axis, 1, Qt::DashLine));
}

/// How many ratios are in each column of pixels.
std::map<long, int> stacks(const StripRow& row, const Axis& axis) {
    std::map<long, int> counts;
    for (double ratio : row.ratios) ++counts[std::lround(axis.at(ratio) / kColumn)];
    return counts;
}

/// Draws the row's label and strip; returns where the strip is.
Span drawRow(Canvas& canvas, const StripRow& row, const Axis& axis, double y) {
    const double line = canvas.lineHeight();
    const std::map<long, int> counts = stacks(row, axis);
    int deepest = 1;
    for (const auto& [column, number] : counts) deepest = std::max(deepest, number);
    const double strip =
        std::clamp(kGlyph + 4 + (deepest - 1) * (kGlyph - 1), kLeastStrip, kMostStrip);
    const double step =
        deepest > 1 ? std::min(kGlyph - 1, (strip - kGlyph - 4) / (deepest - 1)) : 0;

    const QString value = Canvas::words(row.value);
    const double room = canvas.width() - canvas.textWidth(value) - 30;
    canvas.glyph(row.family, 6, y + line / 2, kGlyph + 2);
    canvas.text(18, y, canvas.fitted(Canvas::words(row.label), room), Role::Text);
    canvas.text(canvas.width(), y, value, Role::SecondText, Align::Right);

    const double middle = y + line + 3 + strip / 2;
    const QPen outline =
        step >= kLeastOutlined || deepest == 1 ? canvas.pen(Role::Window, 0.6) : QPen(Qt::NoPen);
    std::vector<double> sorted = row.ratios;
    std::sort(sorted.begin(), sorted.end());
    std::map<long, int> placed;
    for (double ratio : sorted) {
        const double x = axis.at(ratio);
        const long column = std::lround(x / kColumn);
        const double offset = (placed[column]++ - (counts.at(column) - 1) / 2.0) * step;
        canvas.glyph(row.family, x, middle + offset, kGlyph, outline);
    }
    if (row.ratios.size() > 1) {
        const double x = axis.at(row.middle);
        canvas.scene()
            .addLine(x, middle - strip / 2, x, middle + strip / 2, canvas.pen(Role::Text, 2))
            ->setZValue(7);
    }
    return {middle - strip / 2, middle + strip / 2};
}

}  // namespace

void draw(Canvas& canvas, const StripChart& chart) {
    const double line = canvas.lineHeight();
    const Axis axis = axisOf(chart, kGlyph, canvas.width() - kGlyph);
    canvas.line(6, 1, 6, line + 1, canvas.pen(Role::Text, 2));
    canvas.text(18, 0, Canvas::words(chart.middleLabel), Role::Text);
    double y = line + 12;
    std::vector<Span> strips;
    for (const StripRow& row : chart.rows) {
        strips.push_back(drawRow(canvas, row, axis, y));
        y = strips.back().second + kGapBelow;
    }
    drawAxis(canvas, chart, axis, strips, y);
    canvas.text(canvas.width(), y + 6 + line, Canvas::words(chart.axis), Role::SecondText,
                Align::Right);
    canvas.setHeight(std::ceil(y + 2 * line + 12));
}

}  // namespace trainwright::reports::charts
