// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured: log-log with the same ends on both axes, the diagonal where both
// agree, and a line to either side of it. Points carry the glyph of their family; those with a note
// carry its number, and the notes stand beside the plot, or below where there is no room.
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kNarrow = 560;  // below, a phone's layout
constexpr double kGlyph = 7;
constexpr double kNoteGap = 64;  // between the plot and its notes, with what is labelled there
constexpr double kLeastNotes = 220;
constexpr std::array<double, 3> kInDecade{1, 2, 5};

/// From one of 1, 2, 5 times a power of ten to another.
struct LogAxis {
    double from = 1, to = 10;
    std::vector<double> ticks;

    [[nodiscard]] double share(double value) const {
        return std::log(value / from) / std::log(to / from);
    }
};

LogAxis axisOf(const std::vector<ParityPoint>& points) {
    double low = 1, high = 10;
    if (!points.empty()) low = high = points.front().measured;
    for (const ParityPoint& p : points) {
        low = std::min({low, p.measured, p.predicted});
        high = std::max({high, p.measured, p.predicted});
    }
    constexpr double kSlack = 1 + 1e-9;
    const int first = static_cast<int>(std::floor(std::log10(low))) - 1;
    const int last = static_cast<int>(std::ceil(std::log10(high))) + 1;
    LogAxis axis;
    for (int decade = first; decade <= last; ++decade) {
        for (double factor : kInDecade) {
            const double tick = factor * std::pow(10.0, decade);
            if (tick <= low * kSlack) axis.ticks.clear();
            const bool isEnough = axis.ticks.size() > 1 && axis.ticks.back() * kSlack >= high;
            if (!isEnough) axis.ticks.push_back(tick);
        }
    }
    axis.from = axis.ticks.front();
    axis.to = axis.ticks.back();
    return axis;
}

/// The ticks with a number: all, or whole decades, or fewer, as `apart` (a share of the axis) asks.
std::vector<double> labelled(const LogAxis& axis, double apart) {
    const double decade = axis.share(axis.from * 10);
    if (std::log10(2.0) * decade >= apart) return axis.ticks;
    const int step = std::max(1, static_cast<int>(std::ceil(apart / decade)));
    std::vector<double> some;
    for (double tick : axis.ticks) {
        const double exponent = std::log10(tick);
        const long whole = std::lround(exponent);
        if (std::abs(exponent - static_cast<double>(whole)) < 1e-6 && whole % step == 0)
            some.push_back(tick);
    }
    return some;
}

double drawLegend(Canvas& canvas, const ParityChart& chart) {
    double x = 0, y = 0;
    const double line = canvas.lineHeight() + 6;
    int series = 0;
    for (const auto& [family, label] : chart.legend) {
        const QString words = Canvas::words(label);
        const double wide = 18 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        canvas.glyph(family, x + 6, y + canvas.lineHeight() / 2, kGlyph + 2);
        canvas.text(x + 18, y, words, canvas.isFaint(series) ? Role::SecondText : Role::Text);
        canvas.hot({HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line), {}, {words}, series});
        ++series;
        x += wide;
    }
    return y + line + 4;
}

/// Numbers beside their points, where fewest points are hidden and no other number stands; a line
/// leads to those that stand apart. One that finds no place is only in the list.
void drawNumbers(Canvas& canvas, const QRectF& plot, const std::vector<QPointF>& points,
                 const std::vector<std::size_t>& noted) {
    constexpr std::array<double, 3> kDistances{7, 18, 32};
    constexpr int kDirections = 8;
    std::vector<QRectF> taken;
    for (std::size_t i = 0; i < noted.size(); ++i) {
        const QPointF at = points[noted[i]];
        const QString number = QString::number(i + 1);
        const QSizeF size(canvas.textWidth(number, true), canvas.lineHeight());
        QRectF best;
        double bestDistance = 0;
        std::size_t fewest = points.size() + 1;
        for (double distance : kDistances) {
            for (int d = 0; d < kDirections; ++d) {
                const double angle = 2 * std::numbers::pi * d / kDirections;
                const QPointF centre =
                    at + QPointF(std::cos(angle) * (distance + size.width() / 2),
                                 std::sin(angle) * (distance + size.height() / 4));
                const QRectF box(centre - QPointF(size.width(), size.height()) / 2, size);
                const bool isFree = plot.contains(box) &&
                                    std::none_of(taken.begin(), taken.end(),
                                                 [&](const auto& t) { return t.intersects(box); });
                if (!isFree) continue;
                const QRectF roomy = box.adjusted(-kGlyph / 2, 0, kGlyph / 2, 0);
                const auto hidden = static_cast<std::size_t>(
                    std::count_if(points.begin(), points.end(),
                                  [&](const QPointF& point) { return roomy.contains(point); }));
                if (hidden >= fewest) continue;
                fewest = hidden;
                best = box;
                bestDistance = distance;
            }
        }
        if (best.isNull()) continue;
        taken.push_back(best);
        if (bestDistance > kDistances.front()) {
            const QPointF end(std::clamp(at.x(), best.left(), best.right()),
                              std::clamp(at.y(), best.top() + 3, best.bottom() - 3));
            canvas.line(at.x(), at.y(), end.x(), end.y(), canvas.pen(Role::Text, 0.8));
        }
        canvas.text(best.left(), best.top(), number, Role::Text, Align::Left, true);
    }
}

/// Returns the bottom of the list.
double drawNotes(Canvas& canvas, const ParityChart& chart, double left, double top) {
    const double line = canvas.lineHeight() + 4;
    const double right = canvas.width();
    if (chart.notes.empty()) return top;
    canvas.text(left, top, canvas.fitted(Canvas::words(chart.notesTitle), right - left, true),
                Role::Text, Align::Left, true);
    double y = top + line;
    const double indent = canvas.textWidth(QStringLiteral("00"), true) + 8;
    for (std::size_t i = 0; i < chart.notes.size(); ++i, y += line) {
        const ParityNote& note = chart.notes[i];
        const QString value = Canvas::words(note.value);
        const double room = right - left - indent - canvas.textWidth(value) - 10;
        canvas.text(left + indent - 8, y, QString::number(i + 1), Role::Text, Align::Right, true);
        canvas.text(left + indent, y, canvas.fitted(Canvas::words(note.label), room), Role::Text);
        canvas.text(right, y, value, Role::Text, Align::Right);
    }
    return y;
}

}  // namespace

void draw(Canvas& canvas, const ParityChart& chart) {
    const double top = drawLegend(canvas, chart) + 2 * canvas.lineHeight() + 8;
    const LogAxis axis = axisOf(chart.points);
    const QString more = canvas.number("+" + percent(chart.band));
    const QString less = canvas.number("−" + percent(chart.band));
    double widest = 0;
    for (double tick : axis.ticks)
        widest = std::max(widest, canvas.textWidth(canvas.number(trimmed(tick))));
    const double left = std::max(56.0, widest + 6);
    const double side = std::min(canvas.width() - left - canvas.textWidth(less) - 6,
                                 canvas.width() < kNarrow ? 340.0 : 460.0);
    const QRectF plot(left, top, side, side);
    const auto atX = [&](double value) { return plot.left() + axis.share(value) * side; };
    const auto atY = [&](double value) { return plot.bottom() - axis.share(value) * side; };

    for (double tick : axis.ticks) {
        const QPen pen = canvas.pen(Role::Grid);
        canvas.scene().addLine(atX(tick), plot.top(), atX(tick), plot.bottom(), pen);
        canvas.scene().addLine(plot.left(), atY(tick), plot.right(), atY(tick), pen);
    }
    for (double tick : labelled(axis, (widest + 8) / side)) {
        const QString number = canvas.number(trimmed(tick));
        canvas.text(atX(tick), plot.bottom() + 4, number, Role::SecondText, Align::Centre);
        canvas.text(plot.left() - 6, atY(tick) - canvas.lineHeight() / 2, number, Role::SecondText,
                    Align::Right);
    }
    canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), canvas.pen(Role::Axis));
    canvas.line(plot.left(), plot.top(), plot.left(), plot.bottom(), canvas.pen(Role::Axis));

    // The lines y = k x, cut at the plot.
    const auto shiftOf = [&](double factor) {
        return std::log(factor) / std::log(axis.to / axis.from) * side;
    };
    const auto diagonal = [&](double factor, const QPen& pen) {
        const double shift = shiftOf(factor);
        const double x1 = plot.left() + std::max(0.0, -shift);
        const double x2 = plot.right() - std::max(0.0, shift);
        canvas.line(x1, plot.bottom() - (x1 - plot.left()) - shift, x2,
                    plot.bottom() - (x2 - plot.left()) - shift, pen);
    };
    diagonal(1, canvas.pen(Role::Axis, 1.5));
    diagonal(1 + chart.band, canvas.pen(Role::Axis, 1, Qt::DashLine));
    diagonal(1 - chart.band, canvas.pen(Role::Axis, 1, Qt::DashLine));
    canvas.text(plot.right() - shiftOf(1 + chart.band), plot.top() - canvas.lineHeight() - 2, more,
                Role::SecondText, Align::Centre);
    canvas.text(plot.right() + 4, plot.top() - shiftOf(1 - chart.band) - canvas.lineHeight() / 2,
                less, Role::SecondText);

    std::vector<QPointF> points;
    for (const ParityPoint& p : chart.points) {
        points.emplace_back(atX(p.measured), atY(p.predicted));
        int series = -1;
        for (std::size_t i = 0; i < chart.legend.size(); ++i)
            if (chart.legend[i].first == p.family) series = static_cast<int>(i);
        canvas.hot(QRectF(points.back() - QPointF(kGlyph, kGlyph) / 2, QSizeF(kGlyph, kGlyph)),
                   p.key, {Canvas::words(p.label)}, series);
        if (canvas.isFaint(series)) continue;
        canvas.glyph(p.family, points.back().x(), points.back().y(), kGlyph,
                     canvas.pen(Role::Window, 0.6));
    }
    std::vector<std::size_t> noted;
    for (const ParityNote& note : chart.notes) noted.push_back(note.point);
    drawNumbers(canvas, plot, points, noted);

    canvas.text(0, plot.top() - 2 * canvas.lineHeight() - 6, Canvas::words(chart.verticalAxis),
                Role::SecondText);
    canvas.text(plot.right(), plot.bottom() + 6 + canvas.lineHeight(),
                Canvas::words(chart.horizontalAxis), Role::SecondText, Align::Right);
    double bottom = plot.bottom() + 2 * canvas.lineHeight() + 14;
    const double beside = plot.right() + kNoteGap;
    if (canvas.width() - beside < kLeastNotes) {
        bottom = drawNotes(canvas, chart, 0, bottom + 6);
    } else {
        bottom = std::max(bottom, drawNotes(canvas, chart, beside, plot.top() + 4));
    }
    canvas.setHeight(std::ceil(bottom));
}

}  // namespace trainwright::reports::charts
