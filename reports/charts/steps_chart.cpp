// SPDX-License-Identifier: GPL-3.0-or-later
// The least that keeps a date, over the dates: a curve of steps a candidate, the date and the other
// limit as handles, and what lies past them shaded.
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/charts/value_axis.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kGlyph = 8;

Plane planeOfSteps(const Canvas& canvas, const StepsChart& chart, double top) {
    double left = 0, right = 0, low = 0, high = 0;
    bool any = false;
    for (const StepsSeries& series : chart.series)
        for (const StepsPoint& p : series.points) {
            left = any ? std::min(left, p.x) : p.x;
            right = any ? std::max(right, p.x) : p.x;
            low = any ? std::min(low, p.y) : p.y;
            high = any ? std::max(high, p.y) : p.y;
            any = true;
        }
    return planeOf(canvas, chart.horizontal, chart.vertical,
                   {QPointF(left, low), QPointF(right, high)}, top, 0);
}

Qt::PenStyle dashOf(int dash) {
    constexpr std::array<Qt::PenStyle, 4> kDashes{Qt::SolidLine, Qt::DashLine, Qt::DotLine,
                                                  Qt::DashDotLine};
    return kDashes[static_cast<std::size_t>(dash) % kDashes.size()];
}

/// Where the plot begins below names and the date's label.
double topOf(const Canvas& canvas, const StepsChart& chart) {
    const double line = canvas.lineHeight();
    double x = 0, y = 0;
    for (const StepsSeries& series : chart.series) {
        const double wide = 40 + canvas.textWidth(Canvas::words(series.label)) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line + 6;
        }
        x += wide;
    }
    return y + line + 8 + (chart.horizontal.limit ? line + 2 : 0);
}

}  // namespace

double valueAt(const Canvas& canvas, const StepsChart& chart, bool horizontal, QPointF point) {
    const Plane plane = planeOfSteps(canvas, chart, topOf(canvas, chart));
    const double value = horizontal ? plane.xAt(point.x()) : plane.yAt(point.y());
    const Ticks& axis = horizontal ? plane.x() : plane.y();
    return std::clamp(value, axis.from, axis.to);
}

void draw(Canvas& canvas, const StepsChart& chart) {
    const double line = canvas.lineHeight();
    double x = 0, y = 0;
    int entry = 0;
    for (const StepsSeries& series : chart.series) {
        const QString words = Canvas::words(series.label);
        const double wide = 40 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line + 6;
        }
        const QColor colour = canvas.shade(canvas.colour(familyRole(series.family)), entry);
        canvas.line(x, y + line / 2, x + 34, y + line / 2,
                    QPen(colour, 2, dashOf(series.dash), Qt::FlatCap));
        canvas.glyph(series.family, x + 17, y + line / 2, kGlyph + 1,
                     canvas.pen(Role::Window, 0.8));
        canvas.text(x + 40, y, words, canvas.isFaint(entry) ? Role::SecondText : Role::Text);
        canvas.hot(
            {HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line + 4), {}, {words}, entry});
        ++entry;
        x += wide;
    }
    const Plane plane = planeOfSteps(canvas, chart, topOf(canvas, chart));
    const QRectF plot = plane.plot();

    // Past the limits.
    const auto shade = [&](const QRectF& box) {
        if (box.width() <= 1 || box.height() <= 1) return;
        canvas.scene().addRect(box, Qt::NoPen, canvas.colour(Role::Panel))->setZValue(-2);
        canvas.pattern(box, Pattern::SparseDots, Role::Grid);
    };
    if (chart.horizontal.limit) {
        const double at =
            std::clamp(plane.atX(chart.horizontal.limit->value), plot.left(), plot.right());
        shade(QRectF(QPointF(at, plot.top()), plot.bottomRight()));
    }
    if (chart.vertical.limit) {
        const double at =
            std::clamp(plane.atY(chart.vertical.limit->value), plot.top(), plot.bottom());
        const double right =
            chart.horizontal.limit
                ? std::clamp(plane.atX(chart.horizontal.limit->value), plot.left(), plot.right())
                : plot.right();
        shade(QRectF(plot.topLeft(), QPointF(right, at)));
    }
    const double bottom = plane.drawAxes(canvas, chart.horizontal, chart.vertical);
    if (chart.horizontal.limit) plane.drawLimit(canvas, *chart.horizontal.limit, true, true);
    if (chart.vertical.limit) plane.drawLimit(canvas, *chart.vertical.limit, false, true);

    Labels labels(plot.adjusted(2, 2, -2, -2));
    if (chart.horizontal.limit)
        labels.block({plane.atX(chart.horizontal.limit->value), plot.top(), 1, plot.height()});
    if (chart.vertical.limit)
        labels.block({plot.left(), plane.atY(chart.vertical.limit->value), plot.width(), 1});
    entry = -1;
    for (const StepsSeries& series : chart.series) {
        ++entry;
        if (series.points.empty()) continue;
        const QColor colour = canvas.shade(canvas.colour(familyRole(series.family)), entry);
        QPainterPath path;
        for (const StepsPoint& p : series.points) {
            const QPointF at(plane.atX(p.x), plane.atY(p.y));
            if (path.elementCount() == 0) {
                path.moveTo(at);
            } else {
                const QPointF from = path.currentPosition();
                path.lineTo(at.x(), from.y());
                path.lineTo(at);
                labels.block(QRectF(from.x(), from.y(), at.x() - from.x(), 1));
                labels.block(QRectF(at.x(), from.y(), 1, at.y() - from.y()));
            }
        }
        path.lineTo(plot.right(), path.currentPosition().y());
        QPen pen(colour, 2, dashOf(series.dash), Qt::FlatCap, Qt::MiterJoin);
        canvas.scene().addPath(path, pen)->setZValue(3);
        for (const StepsPoint& p : series.points) {
            const QPointF at(plane.atX(p.x), plane.atY(p.y));
            const QRectF box(at.x() - kGlyph / 2, at.y() - kGlyph / 2, kGlyph, kGlyph);
            labels.block(box);
            canvas.hot(box, p.key, {Canvas::words(series.label), Canvas::words(p.tip)}, entry);
            if (canvas.isFaint(entry)) continue;
            canvas.glyph(series.family, at.x(), at.y(), kGlyph, canvas.pen(Role::Window, 0.8));
            if (!p.meetsLimits)
                canvas.scene()
                    .addEllipse(at.x() - kGlyph * 0.2, at.y() - kGlyph * 0.2, kGlyph * 0.4,
                                kGlyph * 0.4, Qt::NoPen, canvas.colour(Role::Window))
                    ->setZValue(7);
        }
    }
    // What ends a curve on its left, beside its first step.
    entry = -1;
    for (const StepsSeries& series : chart.series) {
        ++entry;
        if (series.points.empty() || series.end.empty() || canvas.isFaint(entry)) continue;
        const QPointF at(plane.atX(series.points.front().x), plane.atY(series.points.front().y));
        const QString words = Canvas::words(series.end);
        const QRectF box = labels.place(at, {canvas.textWidth(words), line}, 8);
        if (!box.isNull()) canvas.text(box.left(), box.top(), words, Role::SecondText);
    }
    if (!chart.beyond.empty())
        canvas.text(plot.left(), plot.bottom() + 6 + line, Canvas::words(chart.beyond),
                    Role::SecondText);
    canvas.setHeight(std::ceil(bottom));
}

}  // namespace trainwright::reports::charts
