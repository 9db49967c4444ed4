// SPDX-License-Identifier: GPL-3.0-or-later
// Candidates on two scales: a glyph each, a stepped front a family, limits as lines with the side
// that keeps both tinted. What isn't known on a scale stands beside it in a gutter, marked "?".
#include <QPainterPath>

#include <algorithm>
#include <cmath>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/charts/value_axis.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kGlyph = 11, kSmallGlyph = 7;
constexpr double kGutter = 26;
constexpr float kTint = 0.10F;

QRectF dataOf(const ScatterChart& chart) {
    double left = 0, right = 0, top = 0, bottom = 0;
    bool anyX = false, anyY = false;
    const auto cover = [](double value, double& low, double& high, bool& any) {
        low = any ? std::min(low, value) : value;
        high = any ? std::max(high, value) : value;
        any = true;
    };
    for (const ScatterPoint& p : chart.points) {
        if (p.x) cover(*p.x, left, right, anyX);
        if (p.y) cover(*p.y, top, bottom, anyY);
        if (p.isChosen && p.xBand)
            for (double end : {p.xBand->low, p.xBand->high}) cover(end, left, right, anyX);
        if (p.isChosen && p.yBand)
            for (double end : {p.yBand->low, p.yBand->high}) cover(end, top, bottom, anyY);
    }
    return {QPointF(left, top), QPointF(right, bottom)};
}

int seriesOf(const ScatterChart& chart, Family family) {
    for (std::size_t i = 0; i < chart.legend.size(); ++i)
        if (chart.legend[i].first == family) return static_cast<int>(i);
    return -1;
}

}  // namespace

void draw(Canvas& canvas, const ScatterChart& chart) {
    const bool xUnknown = std::any_of(chart.points.begin(), chart.points.end(),
                                      [](const ScatterPoint& p) { return !p.x; });
    const bool yUnknown = std::any_of(chart.points.begin(), chart.points.end(),
                                      [](const ScatterPoint& p) { return p.x && !p.y; });
    double top = drawFamilies(canvas, chart.legend, 0);
    if (chart.horizontal.limit) top += canvas.lineHeight() + 2;
    const Plane plane = planeOf(canvas, chart.horizontal, chart.vertical, dataOf(chart), top,
                                xUnknown ? kGutter : 0);
    const QRectF plot = plane.plot();

    // The side that keeps the limits.
    if (chart.horizontal.limit || chart.vertical.limit) {
        const double right =
            chart.horizontal.limit ? plane.atX(chart.horizontal.limit->value) : plot.right();
        const double above =
            chart.vertical.limit ? plane.atY(chart.vertical.limit->value) : plot.top();
        QColor tint = canvas.colour(Role::Good);
        tint.setAlphaF(kTint);
        const QRectF good(QPointF(plot.left(), above), QPointF(right, plot.bottom()));
        canvas.scene().addRect(good, Qt::NoPen, tint)->setZValue(-1);
        const QString words = Canvas::words(chart.feasibleLabel);
        if (canvas.textWidth(words) + 12 < good.width())
            canvas.text(good.left() + 6, good.bottom() - canvas.lineHeight() - 4, words,
                        Role::SecondText);
    }
    double bottom = plane.drawAxes(canvas, chart.horizontal, chart.vertical);
    Labels labels(plot.adjusted(2, 2, -2, -2));
    if (chart.horizontal.limit) {
        plane.drawLimit(canvas, *chart.horizontal.limit, true, false);
        labels.block({plane.atX(chart.horizontal.limit->value) - 1, plot.top(), 2, plot.height()});
    }
    if (chart.vertical.limit) {
        plane.drawLimit(canvas, *chart.vertical.limit, false, false);
        const double y = plane.atY(chart.vertical.limit->value);
        const double wide = canvas.textWidth(Canvas::words(chart.vertical.limit->label));
        labels.block(
            {plot.right() - 4 - wide, y - canvas.lineHeight() - 2, wide, canvas.lineHeight() + 2});
    }
    if (!chart.feasibleLabel.empty())
        labels.block({plot.left() + 6, plot.bottom() - canvas.lineHeight() - 4,
                      canvas.textWidth(Canvas::words(chart.feasibleLabel)), canvas.lineHeight()});

    for (const ScatterFront& front : chart.fronts) {
        if (front.points.size() < 2) continue;
        const int series = seriesOf(chart, front.family);
        QPainterPath path;
        for (std::size_t i = 0; i < front.points.size(); ++i) {
            const ScatterPoint& p = chart.points[front.points[i]];
            const QPointF at(plane.atX(*p.x), plane.atY(*p.y));
            if (i == 0) {
                path.moveTo(at);
            } else {
                path.lineTo(at.x(), path.currentPosition().y());
                path.lineTo(at);
            }
        }
        canvas.scene()
            .addPath(path, QPen(canvas.shade(canvas.colour(familyRole(front.family)), series), 1.5))
            ->setZValue(3);
    }

    // The chosen one's band under its glyph.
    for (const ScatterPoint& p : chart.points) {
        if (!p.isChosen || !p.x || !p.y) continue;
        const QPointF at(plane.atX(*p.x), plane.atY(*p.y));
        for (const QPen& pen : {canvas.pen(Role::Window, 4), canvas.pen(Role::Text, 1.5)}) {
            if (p.xBand)
                canvas.line(std::max(plane.atX(p.xBand->low), plot.left()), at.y(),
                            std::min(plane.atX(p.xBand->high), plot.right()), at.y(), pen);
            if (p.yBand)
                canvas.line(at.x(), std::min(plane.atY(p.yBand->low), plot.bottom()), at.x(),
                            std::max(plane.atY(p.yBand->high), plot.top()), pen);
        }
    }
    struct Placed {
        const ScatterPoint* point;
        QPointF at;
        int series;
    };
    std::vector<Placed> placed;
    double gutter = plot.top() + kGlyph;
    for (const ScatterPoint& p : chart.points) {
        QPointF at(p.x ? plane.atX(*p.x) : kGutter / 2, p.y ? plane.atY(*p.y) : plot.bottom());
        const int series = seriesOf(chart, p.family);
        const bool isUnknown = !p.x || !p.y;
        if (!p.x && !p.y) {
            at.setY(gutter);
            gutter += kGlyph * 2;
        }
        const double size = p.isLabelled || p.isChosen || isUnknown ? kGlyph : kSmallGlyph;
        if (!canvas.isFaint(series)) {
            if (p.meetsLimits) {
                canvas.glyph(p.family, at.x(), at.y(), size, canvas.pen(Role::Window, 0.8));
            } else {
                // Hollow: it misses a limit.
                canvas.glyph(p.family, at.x(), at.y(), size);
                canvas.scene()
                    .addEllipse(at.x() - size * 0.22, at.y() - size * 0.22, size * 0.44,
                                size * 0.44, Qt::NoPen, canvas.colour(Role::Window))
                    ->setZValue(7);
            }
        }
        if (p.isChosen)
            canvas.scene()
                .addEllipse(at.x() - size, at.y() - size, 2 * size, 2 * size,
                            canvas.pen(Role::Text, 1.5))
                ->setZValue(7);
        labels.block(QRectF(at.x() - size / 2, at.y() - size / 2, size, size));
        canvas.hot(QRectF(at.x() - size / 2, at.y() - size / 2, size, size), p.key,
                   {Canvas::words(p.label), Canvas::words(p.tip)}, series);
        placed.push_back({&p, at, series});
    }
    // The chosen one has the first choice of a place.
    std::stable_partition(placed.begin(), placed.end(),
                          [](const Placed& one) { return one.point->isChosen; });
    for (const Placed& one : placed) {
        if ((!one.point->isLabelled && !one.point->isChosen) || canvas.isFaint(one.series))
            continue;
        const bool isUnknown = !one.point->x || !one.point->y;
        QString words = Canvas::words(one.point->label);
        if (isUnknown) words = QStringLiteral("? ") + words;
        const QSizeF size(canvas.textWidth(words), canvas.lineHeight());
        const double gap = kGlyph / 2 + (one.point->isChosen ? 8 : 3);
        const QRectF box = labels.place(one.at, size, gap);
        if (box.isNull()) continue;
        canvas.text(box.left(), box.top(), words, Role::Text, Align::Left, one.point->isChosen);
        // A name that stands far off is led to its mark.
        const QPointF edge(std::clamp(one.at.x(), box.left(), box.right()),
                           std::clamp(one.at.y(), box.top(), box.bottom()));
        const QPointF way = edge - one.at;
        const double length = std::hypot(way.x(), way.y());
        if (length > gap + kGlyph) {
            const QPointF begin = one.at + way * (gap / length);
            canvas.line(begin.x(), begin.y(), edge.x(), edge.y(), canvas.pen(Role::Axis, 1));
        }
    }
    canvas.text(plot.left(), plot.bottom() + 6 + canvas.lineHeight(), Canvas::words(chart.better),
                Role::SecondText);
    if (xUnknown || yUnknown) bottom += 2;
    canvas.setHeight(std::ceil(bottom));
}

}  // namespace trainwright::reports::charts
