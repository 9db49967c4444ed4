// SPDX-License-Identifier: GPL-3.0-or-later
// The roofline: QtCharts draws axes, grid, roofs and the round and diamond points; ticks inside a
// decade (it has none), plus marks and labels are placed over them. Labels look for the nearest
// free place.
#include <QtCharts/QChart>
#include <QtCharts/QLineSeries>
#include <QtCharts/QLogValueAxis>
#include <QtCharts/QScatterSeries>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kNarrow = 560;  // below, a phone's layout

Role shapeRole(PointShape shape) {
    switch (shape) {
        case PointShape::Circle:
            return Role::Compute;
        case PointShape::Diamond:
            return Role::Data;
        case PointShape::Plus:
            return Role::Memory;
    }
    return Role::Other;
}

/// Whole decades around the values, at least one.
struct Decades {
    int from = 0, to = 1;

    void cover(double value) {
        if (!(value > 0) || !std::isfinite(value)) return;
        const double exponent = std::log10(value);
        const int below = static_cast<int>(std::floor(exponent + 1e-9));
        const int above = static_cast<int>(std::ceil(exponent - 1e-9));
        if (empty) {
            from = below;
            to = std::max(above, below + 1);
            empty = false;
        }
        from = std::min(from, below);
        to = std::max(to, above);
    }
    bool empty = true;
};

/// Pixels of a log-log plot.
struct Scale {
    QRectF plot;
    Decades x, y;

    [[nodiscard]] double atX(double value) const {
        return plot.left() + (std::log10(value) - x.from) / (x.to - x.from) * plot.width();
    }
    [[nodiscard]] double atY(double value) const {
        return plot.bottom() - (std::log10(value) - y.from) / (y.to - y.from) * plot.height();
    }
    [[nodiscard]] QPointF at(double xValue, double yValue) const {
        return {atX(xValue), atY(yValue)};
    }
};

struct Line {
    QPointF from, to;
};

/// Whether any of the line lies in the box, by cutting it at one side after the other (Liang and
/// Barsky 1984).
bool crosses(const Line& line, const QRectF& box) {
    double from = 0;
    double to = 1;
    const auto cut = [&](double slope, double room) {
        if (slope == 0) return room >= 0;
        const double at = room / slope;
        if (slope < 0) from = std::max(from, at);
        if (slope > 0) to = std::min(to, at);
        return from <= to;
    };
    const double dx = line.to.x() - line.from.x();
    const double dy = line.to.y() - line.from.y();
    return cut(-dx, line.from.x() - box.left()) && cut(dx, box.right() - line.from.x()) &&
           cut(-dy, line.from.y() - box.top()) && cut(dy, box.bottom() - line.from.y());
}

QPointF nearestOf(const QRectF& box, QPointF point) {
    return {std::clamp(point.x(), box.left(), box.right()),
            std::clamp(point.y(), box.top(), box.bottom())};
}

double distance(QPointF a, QPointF b) {
    return std::hypot(a.x() - b.x(), a.y() - b.y());
}

/// Finds free places for labels, remembering those taken.
class Places {
public:
    explicit Places(QRectF area) : area_(area) {}
    void block(const QRectF& box) { taken_.push_back(box); }
    void avoid(const QRectF& mark) { marks_.push_back(mark); }
    void avoid(const Line& line) { lines_.push_back(line); }

    /// Inside the plot (or just above it) and off everything.
    [[nodiscard]] bool isFree(const QRectF& box) const {
        const QRectF roomy = box.adjusted(-4, -1, 4, 1);
        return area_.adjusted(0, -18, 0, 0).contains(box) &&
               std::none_of(taken_.begin(), taken_.end(),
                            [&](const QRectF& t) { return t.intersects(roomy); }) &&
               std::none_of(marks_.begin(), marks_.end(),
                            [&](const QRectF& m) { return m.intersects(roomy); }) &&
               std::none_of(lines_.begin(), lines_.end(),
                            [&](const Line& l) { return crosses(l, box); });
    }

    /// The first of `boxes` that touches nothing, else the first; it is taken.
    QRectF choose(const std::vector<QRectF>& boxes) {
        auto found = std::find_if(boxes.begin(), boxes.end(),
                                  [this](const QRectF& box) { return isFree(box); });
        const QRectF box = found == boxes.end() ? boxes.front() : *found;
        taken_.push_back(box);
        return box;
    }

    /// The box of `size` nearest to `point`; blocked boxes are never touched, marks and lines only
    /// where the plot leaves nothing else.
    QRectF find(QPointF point, QSizeF size, double markRadius) {
        constexpr double kGrid = 3;
        QRectF best;
        double bestCost = std::numeric_limits<double>::infinity();
        for (double y = area_.top() + 2; y + size.height() <= area_.bottom() - 2; y += kGrid)
            for (double x = area_.left() + 3; x + size.width() <= area_.right() - 3; x += kGrid) {
                const QRectF box(QPointF(x, y), size);
                const QRectF roomy = box.adjusted(-4, -2, 4, 2);
                if (distance(nearestOf(box, point), point) >= bestCost) continue;
                if (std::any_of(taken_.begin(), taken_.end(),
                                [&](const QRectF& t) { return t.intersects(roomy); }))
                    continue;
                const QPointF end = nearestOf(box, point);
                double cost = distance(end, point);
                if (cost < markRadius + 3) cost += 30;
                // A name that stands nearer to another mark would be read as that one's.
                for (const QRectF& mark : marks_) {
                    if (mark.intersects(box)) cost += 250;
                    if (distance(mark.center(), point) > 2 &&
                        mark.adjusted(-9, -5, 9, 5).intersects(box))
                        cost += 70;
                    if (distance(mark.center(), point) > 2 && crosses({point, end}, mark))
                        cost += 60;
                }
                if (cost >= bestCost) continue;
                for (const Line& line : lines_)
                    if (crosses(line, roomy)) cost += 150;
                if (cost >= bestCost) continue;
                const Line leader{point, end};
                for (const QRectF& t : taken_)
                    if (crosses(leader, t)) cost += 120;
                for (const Line& other : leaders_)
                    if (crosses(other, roomy)) cost += 150;
                if (cost < bestCost) {
                    bestCost = cost;
                    best = box;
                }
            }
        if (!best.isNull()) {
            taken_.push_back(best);
            leaders_.push_back({point, nearestOf(best, point)});
        }
        return best;
    }

private:
    QRectF area_;
    std::vector<QRectF> taken_, marks_;
    std::vector<Line> lines_, leaders_;
};

double markSize(double share) {
    return std::clamp(std::sqrt(std::max(share, 0.0)) * 50.0, 7.0, 30.0);
}

void addLine(QChart* chart, QLogValueAxis* x, QLogValueAxis* y, double x1, double y1, double x2,
             double y2, const QPen& pen) {
    auto* series = new QLineSeries;
    series->replace(QList<QPointF>{{x1, y1}, {x2, y2}});
    series->setPen(pen);
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
}

void addPoint(const Canvas& canvas, QChart* chart, QLogValueAxis* x, QLogValueAxis* y,
              const RooflinePoint& point, double size, int legendEntry) {
    auto* series = new QScatterSeries;
    series->replace(QList<QPointF>{{point.flopPerByte, point.teraflopsPerSecond}});
    series->setMarkerShape(point.shape == PointShape::Diamond
                               ? QScatterSeries::MarkerShapeRotatedRectangle
                               : QScatterSeries::MarkerShapeCircle);
    series->setMarkerSize(size);
    series->setBrush(canvas.shade(canvas.colour(shapeRole(point.shape)), legendEntry));
    series->setPen(canvas.pen(Role::Window, 1));
    chart->addSeries(series);
    series->attachAxis(x);
    series->attachAxis(y);
}

double legend(Canvas& canvas, const RooflineChart& chart) {
    double x = 0;
    const double line = canvas.lineHeight();
    double y = 0;
    int series = 0;
    for (const auto& [shape, label] : chart.legend) {
        const QString words = Canvas::words(label);
        const double wide = 18 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line + 4;
        }
        const double cx = x + 6, cy = y + line / 2;
        const QColor fill = canvas.shade(canvas.colour(shapeRole(shape)), series);
        if (shape == PointShape::Plus) {
            canvas.cross(cx, cy, 11, QPen(fill, 2.5));
        } else if (shape == PointShape::Circle) {
            canvas.scene().addEllipse(cx - 5, cy - 5, 10, 10, Qt::NoPen, fill);
        } else {
            canvas.scene().addPolygon(
                QPolygonF{{{cx, cy - 6}, {cx + 6, cy}, {cx, cy + 6}, {cx - 6, cy}}}, Qt::NoPen,
                fill);
        }
        canvas.text(x + 18, y, words, canvas.isFaint(series) ? Role::SecondText : Role::Text);
        canvas.hot(
            {HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line + 4), {}, {words}, series});
        ++series;
        x += wide;
    }
    return chart.legend.empty() ? 0 : y + line + 8;
}

}  // namespace

void draw(Canvas& canvas, const RooflineChart& chart) {
    const bool narrow = canvas.width() < kNarrow;
    const double line = canvas.lineHeight();
    const double top =
        legend(canvas, chart) + line + 4;  // the vertical axis's title stands above the plot
    Scale scale;
    for (const Roof& roof : chart.roofs) scale.y.cover(roof.teraflopsPerSecond);
    // A stretch of the memory roof belongs to the picture even if no operator lies under it.
    scale.x.cover(chart.ridgeFlopPerByte / 10);
    scale.x.cover(chart.ridgeFlopPerByte);
    for (const RooflinePoint& point : chart.points) {
        scale.x.cover(point.flopPerByte);
        scale.y.cover(point.teraflopsPerSecond);
    }
    double left = 0;
    for (int d = scale.y.from; d <= scale.y.to; ++d)
        left = std::max(left, canvas.textWidth(canvas.number(exact(std::pow(10.0, d)))) + 11);
    scale.plot = QRectF(left, top, canvas.width() - left - 8, narrow ? 280 : 360);
    const double xFrom = std::pow(10.0, scale.x.from), xTo = std::pow(10.0, scale.x.to);
    const double yFrom = std::pow(10.0, scale.y.from);

    QChart* plot = canvas.chart(scale.plot);
    auto axis = [&](const Decades& decades, Qt::Alignment side) {
        auto* log = new QLogValueAxis;
        log->setBase(10);
        log->setRange(std::pow(10.0, decades.from), std::pow(10.0, decades.to));
        log->setLabelsVisible(false);
        log->setGridLinePen(canvas.pen(Role::Grid));
        log->setLinePen(canvas.pen(Role::Axis));
        plot->addAxis(log, side);
        return log;
    };
    QLogValueAxis* x = axis(scale.x, Qt::AlignBottom);
    QLogValueAxis* y = axis(scale.y, Qt::AlignLeft);

    Places places(scale.plot);
    auto roofLine = [&](double x1, double y1, double x2, double y2, const QPen& pen) {
        if (!(x2 > x1)) return;
        addLine(plot, x, y, x1, y1, x2, y2, pen);
        places.avoid(Line{scale.at(x1, y1), scale.at(x2, y2)});
    };
    const double bandwidth = chart.terabytesPerSecond;
    const double memoryFrom = std::max(xFrom, yFrom / bandwidth);
    double reached = memoryFrom;
    for (auto roof = chart.roofs.rbegin(); roof != chart.roofs.rend(); ++roof) {
        const double ridge = std::clamp(roof->teraflopsPerSecond / bandwidth, memoryFrom, xTo);
        const auto pen = [&](bool dashed) {
            return canvas.pen(Role::Text, dashed ? 1.2 : 2, dashed ? Qt::DashLine : Qt::SolidLine);
        };
        // The memory's roof is solid as far up as any solid roof needs it.
        const bool isAboveAllSolid =
            std::all_of(roof, chart.roofs.rend(), [](const Roof& above) { return above.dashed; });
        roofLine(reached, reached * bandwidth, ridge, ridge * bandwidth, pen(isAboveAllSolid));
        roofLine(ridge, roof->teraflopsPerSecond, xTo, roof->teraflopsPerSecond, pen(roof->dashed));
        reached = std::max(reached, ridge);
    }
    for (const RooflinePoint& point : chart.points) {
        const double size = markSize(point.share);
        const QPointF at = scale.at(point.flopPerByte, point.teraflopsPerSecond);
        places.avoid(QRectF(at.x() - size / 2, at.y() - size / 2, size, size));
        int series = -1;
        for (std::size_t i = 0; i < chart.legend.size(); ++i)
            if (chart.legend[i].first == point.shape) series = static_cast<int>(i);
        if (point.shape == PointShape::Plus)
            canvas.cross(at.x(), at.y(), size,
                         QPen(canvas.shade(canvas.colour(shapeRole(point.shape)), series), 2.5));
        else
            addPoint(canvas, plot, x, y, point, size, series);
        canvas.hot(QRectF(at.x() - size / 2, at.y() - size / 2, size, size), point.key,
                   {Canvas::words(point.label)}, series);
    }
    settle(plot, scale.plot);

    // Ticks and their words: decades named, the steps inside drawn.
    for (int d = scale.x.from; d <= scale.x.to; ++d) {
        const double value = std::pow(10.0, d);
        canvas.line(scale.atX(value), scale.plot.bottom(), scale.atX(value),
                    scale.plot.bottom() + 6, canvas.pen(Role::Axis));
        canvas.text(std::min(scale.atX(value),
                             canvas.width() - canvas.textWidth(canvas.number(exact(value))) / 2),
                    scale.plot.bottom() + 8, canvas.number(exact(value)), Role::SecondText,
                    Align::Centre);
        for (int m = 2; m < 10 && d < scale.x.to; ++m)
            canvas.line(scale.atX(value * m), scale.plot.bottom(), scale.atX(value * m),
                        scale.plot.bottom() + 3, canvas.pen(Role::Axis));
    }
    for (int d = scale.y.from; d <= scale.y.to; ++d) {
        const double value = std::pow(10.0, d);
        canvas.line(scale.plot.left() - 6, scale.atY(value), scale.plot.left(), scale.atY(value),
                    canvas.pen(Role::Axis));
        canvas.text(scale.plot.left() - 9, scale.atY(value) - line / 2, canvas.number(exact(value)),
                    Role::SecondText, Align::Right);
        for (int m = 2; m < 10 && d < scale.y.to; ++m)
            canvas.line(scale.plot.left() - 3, scale.atY(value * m), scale.plot.left(),
                        scale.atY(value * m), canvas.pen(Role::Axis));
    }
    canvas.text(0, top - line - 6, Canvas::words(chart.verticalAxis), Role::SecondText);
    double bottom = scale.plot.bottom() + 8 + line + 2;
    canvas.text(scale.plot.right(), bottom, Canvas::words(chart.horizontalAxis), Role::SecondText,
                Align::Right);
    bottom += line + 6;

    // Names of the roofs: the highest above its line, the others below theirs.
    for (std::size_t r = 0; r < chart.roofs.size(); ++r) {
        const QString words = Canvas::words(chart.roofs[r].label);
        const double lineY = scale.atY(chart.roofs[r].teraflopsPerSecond);
        const double wide = canvas.textWidth(words);
        const double above = lineY - line - 2, below = lineY + 4;
        std::vector<QRectF> boxes;
        for (double y0 :
             r == 0 ? std::vector<double>{above, below} : std::vector<double>{below, above})
            for (double x0 = scale.plot.right() - 4 - wide; x0 > scale.plot.left(); x0 -= 12)
                boxes.emplace_back(x0, y0, wide, line);
        const QRectF box = places.choose(boxes);
        canvas.text(box.left(), box.top(), words, Role::Text);
    }
    // The memory roof's name on its upper side, where no operator can be.
    {
        const double ridge = std::clamp(chart.ridgeFlopPerByte, memoryFrom, xTo);
        const QString words = Canvas::words(chart.memoryLabel);
        const double wide = canvas.textWidth(words);
        std::vector<QRectF> boxes;
        for (bool above : {true, false})
            for (double share : {0.5, 0.65, 0.35, 0.8, 0.2, 0.9}) {
                const double at = memoryFrom * std::pow(ridge / memoryFrom, share);
                const QPointF point = scale.at(at, at * bandwidth);
                boxes.emplace_back(above ? point.x() - 10 - wide : point.x() + 10,
                                   above ? point.y() - line - 4 : point.y() + 4, wide, line);
            }
        const QRectF box = places.choose(boxes);
        canvas.text(box.left(), box.top(), words, Role::Text);
        canvas.line(scale.atX(ridge), scale.atY(ridge * bandwidth), scale.atX(ridge),
                    scale.plot.bottom(), canvas.pen(Role::Axis, 1, Qt::DotLine));
        places.avoid(Line{scale.at(ridge, ridge * bandwidth),
                          QPointF(scale.atX(ridge), scale.plot.bottom())});
        const QString ridgeWords = Canvas::words(chart.ridgeLabel);
        const bool leftward =
            scale.atX(ridge) + 6 + canvas.textWidth(ridgeWords) > scale.plot.right();
        places.block(canvas.text(scale.atX(ridge) + (leftward ? -6 : 6),
                                 scale.plot.bottom() - line - 3, ridgeWords, Role::SecondText,
                                 leftward ? Align::Right : Align::Left));
    }

    // Points are numbered, and named in the corner above the memory roof where none can be; where
    // that corner is too small, below the plot.
    std::vector<const RooflinePoint*> named;
    double nameWidth = 0;
    for (const RooflinePoint& point : chart.points)
        if (point.labelled) {
            named.push_back(&point);
            nameWidth = std::max(nameWidth, canvas.textWidth(Canvas::words(point.label)));
        }
    const double indent = canvas.textWidth(QStringLiteral("0")) + 8;
    const double rowHeight = line + 2;
    const QRectF corner(scale.plot.left() + 10, scale.plot.top() + 8, indent + nameWidth,
                        rowHeight * static_cast<double>(named.size()));
    const bool inCorner = !narrow && places.isFree(corner);
    if (inCorner) places.block(corner);
    double nameTop = inCorner ? corner.top() : bottom;
    const double nameLeft = inCorner ? corner.left() : 0;
    for (std::size_t n = 0; n < named.size(); ++n) {
        const QString number = QString::number(n + 1);
        const QPointF at = scale.at(named[n]->flopPerByte, named[n]->teraflopsPerSecond);
        const double radius = markSize(named[n]->share) / 2;
        const QRectF box = places.find(at, {canvas.textWidth(number, true), line}, radius);
        if (!box.isNull()) {
            const QPointF end = nearestOf(box, at);
            if (distance(end, at) > radius + 5)
                canvas.line(at.x(), at.y(), end.x(), end.y(), canvas.pen(Role::SecondText, 0.8));
            canvas.text(box.left(), box.top(), number, Role::Text, Align::Left, true);
        }
        canvas.text(nameLeft, nameTop, number, Role::Text, Align::Left, true);
        canvas.text(
            nameLeft + indent, nameTop,
            canvas.fitted(Canvas::words(named[n]->label), canvas.width() - nameLeft - indent),
            Role::Text);
        nameTop += rowHeight;
    }
    if (!inCorner) bottom = nameTop;
    canvas.setHeight(std::ceil(bottom + 2));
}

}  // namespace trainwright::reports::charts
