// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/canvas.h"

#include <QGraphicsLayout>
#include <QGraphicsLineItem>
#include <QGraphicsPathItem>
#include <QGraphicsRectItem>
#include <QGraphicsSimpleTextItem>
#include <QPainterPath>
#include <QtCharts/QChart>
#include <QtCharts/QLegend>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "reports/utf8.h"

namespace trainwright::reports::charts {
namespace {

constexpr int kFontPixels = 12;
constexpr double kHatchGap = 5.0;

QFont fontOf(bool strong) {
    QFont font(QStringLiteral("DejaVu Sans"));
    font.setPixelSize(kFontPixels);
    font.setBold(strong);
    // Hinting would make advances depend on the machine.
    font.setHintingPreference(QFont::PreferNoHinting);
    return font;
}

/// Lines of slope ±1 over `box` at distance `gap`, cut at its edges.
void diagonals(QPainterPath& path, const QRectF& box, bool rising) {
    const double height = box.height();
    for (double offset = -height + kHatchGap / 2; offset < box.width();
         offset += kHatchGap * std::numbers::sqrt2) {
        const double from = std::max(offset, 0.0), to = std::min(offset + height, box.width());
        if (to <= from) continue;
        auto yAt = [&](double x) {
            return rising ? box.bottom() - (x - offset) : box.top() + (x - offset);
        };
        path.moveTo(box.left() + from, yAt(from));
        path.lineTo(box.left() + to, yAt(to));
    }
}

void verticals(QPainterPath& path, const QRectF& box) {
    for (double x = box.left() + kHatchGap / 2; x < box.right(); x += kHatchGap) {
        path.moveTo(x, box.top());
        path.lineTo(x, box.bottom());
    }
}

void horizontals(QPainterPath& path, const QRectF& box) {
    for (double y = box.top() + kHatchGap / 2; y < box.bottom(); y += kHatchGap) {
        path.moveTo(box.left(), y);
        path.lineTo(box.right(), y);
    }
}

void dots(QPainterPath& path, const QRectF& box, double gap) {
    bool odd = false;
    for (double y = box.top() + gap / 2; y < box.bottom(); y += gap, odd = !odd)
        for (double x = box.left() + (odd ? gap : gap / 2); x + 1 < box.right(); x += gap) {
            path.moveTo(x, y);
            path.lineTo(x + 1, y);
        }
}

}  // namespace

Canvas::Canvas(double width, Colours colours)
    : width_(width), colours_(colours), font_(fontOf(false)), strongFont_(fontOf(true)) {}

QColor Canvas::colour(Role role) const {
    const Colour& named = reports::colour(role);
    switch (colours_) {
        case Colours::Variables:
            break;
        case Colours::Light:
            return QColor(QLatin1String(named.light.data(), static_cast<int>(named.light.size())));
        case Colours::Dark:
            return QColor(QLatin1String(named.dark.data(), static_cast<int>(named.dark.size())));
    }
    // A code for the role; the SVG's text gets the CSS variable in its place.
    return QColor(0xFA, 0x00, static_cast<int>(role));
}

QPen Canvas::pen(Role role, double width, Qt::PenStyle style) const {
    QPen pen(colour(role), width, style);
    pen.setCapStyle(Qt::FlatCap);
    pen.setJoinStyle(Qt::MiterJoin);
    return pen;
}

void Canvas::hot(const QRectF& box, const std::string& key, QStringList lines, int series) {
    lines.removeAll(QString());
    regions_.push_back(
        {HotRegion::Kind::Datum, box, QString::fromStdString(key), std::move(lines), series});
}

bool Canvas::isFaint(int series) const {
    return std::find(faint_.begin(), faint_.end(), series) != faint_.end();
}

QColor Canvas::shade(QColor colour, int series) const {
    constexpr float kFaint = 0.18F;
    if (isFaint(series)) colour.setAlphaF(kFaint);
    return colour;
}

void Canvas::setLanguage(const std::string& code) {
    language_ = languageFromCode(code).value_or(Language::English);
}

QString Canvas::say(const Text& text) const {
    return QString::fromStdString(withoutControls(reports::say(text, language_)));
}

QString Canvas::number(const std::string& plain) const {
    return QString::fromStdString(reports::say(Argument(plain), language_));
}

QString Canvas::words(const Text& text) {
    return QString::fromStdString(withoutControls(text.english()));
}

double Canvas::textWidth(const QString& text, bool strong) const {
    return QFontMetricsF(strong ? strongFont_ : font_).horizontalAdvance(text);
}

double Canvas::lineHeight() const {
    return QFontMetricsF(font_).height();
}

QRectF Canvas::text(double x, double y, const QString& text, Role role, Align align, bool strong) {
    const double wide = textWidth(text, strong);
    const double left = align == Align::Left ? x : align == Align::Centre ? x - wide / 2 : x - wide;
    auto* item = scene_.addSimpleText(text, strong ? strongFont_ : font_);
    item->setBrush(colour(role));
    item->setPen(Qt::NoPen);
    item->setPos(left, y);
    item->setZValue(10);
    return {left, y, wide, lineHeight()};
}

QString Canvas::fitted(const QString& text, double room, bool strong) const {
    if (textWidth(text, strong) <= room) return text;
    return QFontMetricsF(strong ? strongFont_ : font_)
        .elidedText(text, Qt::ElideMiddle, std::max(room, 0.0));
}

void Canvas::line(double x1, double y1, double x2, double y2, const QPen& pen) {
    scene_.addLine(x1, y1, x2, y2, pen)->setZValue(5);
}

void Canvas::rectangle(const QRectF& box, const QPen& pen, const QBrush& brush) {
    scene_.addRect(box, pen, brush)->setZValue(4);
}

void Canvas::glyph(Family family, double centreX, double centreY, double size,
                   const QPen& outline) {
    QPainterPath path;
    const double radius = size / 2;
    auto star = [&](int corners, double inner) {
        const int points = inner > 0 ? 2 * corners : corners;
        for (int i = 0; i < points; ++i) {
            const double angle = -std::numbers::pi / 2 + 2 * std::numbers::pi * i / points;
            const double r = inner > 0 && i % 2 == 1 ? inner : radius * 1.1;
            const QPointF point(centreX + r * std::cos(angle), centreY + r * std::sin(angle));
            if (i == 0)
                path.moveTo(point);
            else
                path.lineTo(point);
        }
        path.closeSubpath();
    };
    switch (family) {
        case Family::Trainium:
            star(5, 0);
            break;
        case Family::Gpu:
            path.addRect(centreX - radius * 0.9, centreY - radius * 0.9, radius * 1.8,
                         radius * 1.8);
            break;
        case Family::Other:
            star(5, radius * 0.5);
            break;
    }
    scene_.addPath(path, outline, colour(familyRole(family)))->setZValue(6);
}

void Canvas::pattern(const QRectF& box, Pattern pattern, Role ink) {
    QPainterPath path;
    QPen stroke = pen(ink, 1.0);
    switch (pattern) {
        case Pattern::Solid:
            return;
        case Pattern::Dots:
            dots(path, box, kHatchGap);
            break;
        case Pattern::SparseDots:
            dots(path, box, kHatchGap * 1.8);
            break;
        case Pattern::VerticalLines:
            verticals(path, box);
            break;
        case Pattern::DottedVerticalLines:
            verticals(path, box);
            stroke.setStyle(Qt::DotLine);
            break;
        case Pattern::DiagonalOutline:
        case Pattern::BackDiagonal:
            diagonals(path, box, pattern == Pattern::DiagonalOutline);
            break;
        case Pattern::CrossHatch:
            diagonals(path, box, true);
            diagonals(path, box, false);
            break;
        case Pattern::HorizontalLines:
            horizontals(path, box);
            break;
    }
    if (path.isEmpty()) return;
    auto* item = scene_.addPath(path, stroke, Qt::NoBrush);
    item->setOpacity(pattern == Pattern::DiagonalOutline ? 1.0 : 0.45);
    item->setZValue(4);
}

void Canvas::cross(double centreX, double centreY, double size, const QPen& pen) {
    const double half = size / 2;
    line(centreX - half, centreY, centreX + half, centreY, pen);
    line(centreX, centreY - half, centreX, centreY + half, pen);
}

QChart* Canvas::chart(const QRectF& plot) {
    auto* chart = new QChart;
    chart->setAnimationOptions(QChart::NoAnimation);
    chart->legend()->hide();
    chart->setBackgroundVisible(false);
    chart->setPlotAreaBackgroundVisible(false);
    chart->setMargins(QMargins(0, 0, 0, 0));
    chart->layout()->setContentsMargins(0, 0, 0, 0);
    chart->resize(width_, plot.bottom() + 60);
    chart->setPlotArea(plot);
    scene_.addItem(chart);
    return chart;
}

void settle(QChart* chart, const QRectF& plot) {
    chart->setPlotArea(plot);
    chart->layout()->invalidate();
    chart->layout()->activate();
}

double niceStep(double end, int most) {
    if (!(end > 0) || !std::isfinite(end) || most < 1) return 1.0;
    const double rough = end / most;
    const double power = std::pow(10.0, std::floor(std::log10(rough)));
    for (double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) return factor * power;
    return 10.0 * power;
}

}  // namespace trainwright::reports::charts
