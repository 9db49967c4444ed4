// SPDX-License-Identifier: GPL-3.0-or-later
// What is joined to what: nodes on a grid, links as wide as they are fast and in the step of how
// busy they are, and a list of the kinds of links with their numbers.
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kMostCell = 84, kLeastCell = 30;
constexpr double kNode = 0.46;  // of a cell
constexpr double kPanelAir = 14;
constexpr double kNarrow = 640;
constexpr double kFull = 0.9;  // a load from which a link is marked
constexpr std::array<Role, 5> kLoads{Role::Load1, Role::Load2, Role::Load3, Role::Load4,
                                     Role::Load5};

double widthOf(double gigabytesPerSecond) {
    return std::clamp(1.0 + 1.1 * std::sqrt(std::max(gigabytesPerSecond, 0.0)) / 3.0, 1.5, 9.0);
}

QPen penOf(const Canvas& canvas, const LinkKind& kind, int series, double more = 0) {
    if (!kind.load)
        return QPen(canvas.shade(canvas.colour(Role::Axis), series),
                    std::min(widthOf(kind.gigabytesPerSecond), 2.0), Qt::DotLine, Qt::FlatCap);
    return QPen(
        canvas.shade(canvas.colour(kLoads[static_cast<std::size_t>(loadStep(*kind.load))]), series),
        widthOf(kind.gigabytesPerSecond) + more, Qt::SolidLine, Qt::FlatCap);
}

/// Draws a link; pale steps get an edge, the busiest an outline.
void drawLink(Canvas& canvas, const LinkKind& kind, int series, QPointF from, QPointF to) {
    const double wide = widthOf(kind.gigabytesPerSecond);
    const auto line = [&](const QPen& pen, double z) {
        canvas.scene().addLine(from.x(), from.y(), to.x(), to.y(), pen)->setZValue(z);
    };
    if (kind.load && !canvas.isFaint(series)) {
        QPen edge(canvas.colour(kind.isBusiest ? Role::Text : Role::Axis),
                  wide + (kind.isBusiest ? 4 : 2));
        edge.setCapStyle(Qt::FlatCap);
        line(edge, kind.isBusiest ? 1 : 0.5);
    }
    line(penOf(canvas, kind, series), 2);
}

/// "128 GB/s one way, busy 71%, ×64"
QString factsOf(const Canvas& canvas, const LinkKind& kind) {
    if (kind.times <= 1) return canvas.say(Text{"{1} one way, {2}", {kind.rate, kind.loadLabel}});
    return canvas.say(Text{"{1} one way, {2}, ×{3}",
                           {kind.rate, kind.loadLabel, count(static_cast<double>(kind.times))}});
}

struct Panel {
    double columns = 1, rows = 1;
    QPointF corner;
};

}  // namespace

void draw(Canvas& canvas, const TopologyChart& chart) {
    const double line = canvas.lineHeight();
    // Panels beside each other as far as there is room.
    int panelCount = 1;
    for (const TopologyNode& node : chart.nodes) panelCount = std::max(panelCount, node.panel + 1);
    std::vector<Panel> panels(static_cast<std::size_t>(panelCount));
    for (const TopologyNode& node : chart.nodes) {
        Panel& panel = panels[static_cast<std::size_t>(node.panel)];
        panel.columns = std::max(panel.columns, node.column + node.columnSpan);
        panel.rows = std::max(panel.rows, node.row + node.rowSpan);
    }
    double widest = 1, highest = 1;
    for (const Panel& panel : panels) {
        widest = std::max(widest, panel.columns);
        highest = std::max(highest, panel.rows);
    }
    const bool narrow = canvas.width() < kNarrow;
    double listWide = 0;
    for (const LinkKind& kind : chart.kinds)
        listWide = std::max({listWide, canvas.textWidth(Canvas::words(kind.name), true) + 44,
                             canvas.textWidth(factsOf(canvas, kind)) + 44});
    listWide = std::min(listWide, canvas.width() * 0.5);
    const double room = narrow ? canvas.width() : canvas.width() - listWide - 28;
    const int perRow =
        panelCount == 1
            ? 1
            : std::max(1, std::min(panelCount,
                                   static_cast<int>(room / (widest * kLeastCell + 2 * kPanelAir))));
    const int across = std::min(perRow, panelCount > 3 ? (perRow >= 4 ? 4 : 2) : perRow);
    const double cell = std::clamp((room - 2 * kPanelAir * across) / (widest * across),
                                   kLeastCell * 0.6, kMostCell);
    const double title = line + 6;
    const bool hasTitles = std::any_of(chart.panels.begin(), chart.panels.end(),
                                       [](const Text& t) { return !t.empty(); });
    const double panelWide = widest * cell + 2 * kPanelAir;
    const double panelHigh = highest * cell + 2 * kPanelAir + (hasTitles ? title : 0);
    for (int p = 0; p < panelCount; ++p) {
        Panel& panel = panels[static_cast<std::size_t>(p)];
        panel.corner = {(p % across) * (panelWide + 8), (p / across) * (panelHigh + 8)};
        const auto index = static_cast<std::size_t>(p);
        if (index < chart.panels.size() && !chart.panels[index].empty()) {
            canvas.scene()
                .addRect(QRectF(panel.corner, QSizeF(panelWide, panelHigh)), canvas.pen(Role::Grid),
                         canvas.colour(Role::Panel))
                ->setZValue(-2);
            canvas.text(panel.corner.x() + 8, panel.corner.y() + 4,
                        canvas.fitted(Canvas::words(chart.panels[index]), panelWide - 16),
                        Role::SecondText);
        }
    }
    const auto boxOf = [&](const TopologyNode& node) {
        const QPointF corner = panels[static_cast<std::size_t>(node.panel)].corner +
                               QPointF(kPanelAir, kPanelAir + (hasTitles ? title : 0));
        const QRectF whole(corner + QPointF(node.column, node.row) * cell,
                           QSizeF(node.columnSpan, node.rowSpan) * cell);
        const bool isSmall = node.shape == NodeShape::Chip || node.shape == NodeShape::Rank;
        const double wide = isSmall ? cell * kNode : whole.width() - cell * (1 - kNode) * 0.5;
        const double high = isSmall ? cell * kNode : std::min(whole.height(), 30.0);
        return QRectF(whole.center() - QPointF(wide, high) / 2, QSizeF(wide, high));
    };

    // Links first, under the nodes; identical links of a pair are one.
    for (const TopologyLink& link : chart.links) {
        const LinkKind& kind = chart.kinds[link.kind];
        const auto series = static_cast<int>(link.kind);
        const QPointF from = boxOf(chart.nodes[link.from]).center();
        const QRectF end = boxOf(chart.nodes[link.to]);
        QPointF to = end.center();
        // A bar is met where it lies opposite.
        if (chart.nodes[link.to].columnSpan > 1)
            to.setX(std::clamp(from.x(), end.left() + 4, end.right() - 4));
        if (!link.isWrap) {
            drawLink(canvas, kind, series, from, to);
            const QRectF middle((from + to) / 2 - QPointF(5, 5), QSizeF(10, 10));
            canvas.hot(
                middle, kind.key,
                {Canvas::words(kind.name), Canvas::words(kind.rate), Canvas::words(kind.loadLabel)},
                series);
            continue;
        }
        // Round the back: a stub leaves at either edge.
        const QPointF way = to - from;
        const double length = std::hypot(way.x(), way.y());
        const QPointF stub = way / std::max(length, 1.0) * cell * 0.46;
        drawLink(canvas, kind, series, from, from - stub);
        drawLink(canvas, kind, series, to, to + stub);
    }
    for (const TopologyNode& node : chart.nodes) {
        const QRectF box = boxOf(node);
        const bool isRound = node.shape == NodeShape::Chip || node.shape == NodeShape::Rank;
        QPainterPath path;
        path.addRoundedRect(box, isRound ? 4 : 2, isRound ? 4 : 2);
        canvas.scene()
            .addPath(path,
                     canvas.pen(node.shape == NodeShape::Switch ? Role::Axis : Role::Text,
                                node.shape == NodeShape::Switch ? 1 : 1.2),
                     canvas.colour(node.shape == NodeShape::Switch ? Role::Panel : Role::Window))
            ->setZValue(4);
        QString words = Canvas::words(node.label);
        if (node.times > 1)
            words =
                canvas.say(Text{"{1} ×{2}", {node.label, count(static_cast<double>(node.times))}});
        if (canvas.textWidth(words) + 6 > box.width() && node.columnSpan <= 1) continue;
        canvas.text(box.center().x(), box.center().y() - line / 2,
                    canvas.fitted(words, box.width() - 6), Role::Text, Align::Centre);
    }
    const int rows = (panelCount + across - 1) / across;
    const double drawnHigh = rows * (panelHigh + 8);
    const double drawnWide = across * (panelWide + 8);

    // The list: a line as drawn, what it is, how fast, how busy, how many.
    double x = narrow ? 0 : std::min(drawnWide + 24, canvas.width() - listWide);
    double y = narrow ? drawnHigh + 6 : 4;
    int series = 0;
    for (const LinkKind& kind : chart.kinds) {
        const double top = y;
        drawLink(canvas, kind, series, {x + 2, y + line / 2}, {x + 32, y + line / 2});
        canvas.text(
            x + 40, y,
            canvas.fitted(Canvas::words(kind.name), canvas.width() - x - 40, kind.isBusiest),
            canvas.isFaint(series) ? Role::SecondText : Role::Text, Align::Left, kind.isBusiest);
        y += line + 1;
        const QString facts = factsOf(canvas, kind);
        canvas.text(x + 40, y, canvas.fitted(facts, canvas.width() - x - 40), Role::SecondText);
        if (kind.load && *kind.load >= kFull)
            canvas.text(x + 17, y, QStringLiteral("!"), Role::Error, Align::Centre, true);
        y += line + 8;
        canvas.hot({HotRegion::Kind::Datum,
                    QRectF(x, top, canvas.width() - x, y - top - 6),
                    QString::fromStdString(kind.key),
                    {Canvas::words(kind.name), facts},
                    series});
        ++series;
    }
    const QString meaning = Canvas::words(chart.loadMeaning);
    double bottom = std::max(drawnHigh, y) + 4;
    // In lines of whole words.
    QString rest = meaning;
    while (!rest.isEmpty()) {
        QString part = rest;
        while (canvas.textWidth(part) > canvas.width() && part.contains(QLatin1Char(' ')))
            part = part.left(part.lastIndexOf(QLatin1Char(' ')));
        canvas.text(0, bottom, part, Role::SecondText);
        bottom += line + 1;
        rest = rest.mid(part.size()).trimmed();
    }
    canvas.setHeight(std::ceil(bottom + 2));
}

}  // namespace trainwright::reports::charts
