// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/charts/value_axis.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/run/run.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kFarFromZero = 0.5;  // of the highest: an axis need not show what lies below
constexpr double kAir = 0.06;         // beyond the outermost data

Ticks dateTicks(long dayZero, double low, double high, int most) {
    const double span = std::max(high - low, 7.0);
    Ticks ticks;
    ticks.from = std::max(0.0, low - span * kAir);
    ticks.to = high + span * kAir;
    const long first = dayZero + static_cast<long>(std::floor(ticks.from));
    const long last = dayZero + static_cast<long>(std::ceil(ticks.to));
    const auto add = [&](long day) {
        const double value = static_cast<double>(day - dayZero);
        if (value < ticks.from || value > ticks.to) return;
        ticks.values.push_back(value);
        ticks.labels << QString::fromStdString(run::isoDate(run::dateFromDays(day)));
    };
    constexpr double kDaysOfMonth = 30.4;
    if (span / kDaysOfMonth < 2.5) {
        constexpr std::array<long, 4> kSteps{1, 2, 7, 14};
        long step = kSteps.back();
        for (auto s = kSteps.rbegin(); s != kSteps.rend(); ++s)
            if (span / static_cast<double>(*s) <= most) step = *s;
        for (long day = first; day <= last; ++day)
            if ((day - dayZero) % step == 0) add(day);
        return ticks;
    }
    constexpr std::array<int, 6> kMonths{1, 2, 3, 6, 12, 24};
    int step = kMonths.back();
    for (auto m = kMonths.rbegin(); m != kMonths.rend(); ++m)
        if (span / kDaysOfMonth / *m <= most) step = *m;
    run::Date date = run::dateFromDays(first);
    date.day = 1;
    for (; run::daysSinceEpoch(date) <= last;) {
        if ((date.year * 12 + date.month - 1) % step == 0) add(run::daysSinceEpoch(date));
        if (++date.month > 12) {
            date.month = 1;
            ++date.year;
        }
    }
    return ticks;
}

}  // namespace

Ticks ticksOf(const ValueAxis& axis, double low, double high, int most) {
    if (axis.limit) {
        low = std::min(low, axis.limit->value);
        high = std::max(high, axis.limit->value);
    }
    if (axis.dayZero) return dateTicks(*axis.dayZero, low, high, most);
    const bool isFar = low > kFarFromZero * high && high > low;
    const double base = isFar ? low - (high - low) * kAir : 0;
    const double step = niceStep(std::max(high - base, 1e-9) * (1 + kAir), most);
    Ticks ticks;
    ticks.from = std::floor(base / step + 1e-9) * step;
    ticks.to =
        std::max(std::ceil((high + (high - base) * kAir) / step - 1e-9) * step, ticks.from + step);
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    const auto count = static_cast<int>(std::lround((ticks.to - ticks.from) / step));
    for (int i = 0; i <= count; ++i) {
        ticks.values.push_back(ticks.from + i * step);
        ticks.labels << QString::fromStdString(fixed(ticks.values.back(), decimals));
    }
    return ticks;
}

/// The ticks with their labels as the canvas's language writes them.
static Ticks inLanguageOf(const Canvas& canvas, Ticks ticks) {
    for (QString& label : ticks.labels) label = canvas.number(label.toStdString());
    return ticks;
}

Plane planeOf(const Canvas& canvas, const ValueAxis& horizontal, const ValueAxis& vertical,
              const QRectF& data, double top, double left) {
    constexpr double kNarrow = 560;
    const double height = canvas.width() < kNarrow ? 280 : 360;
    constexpr int kRows = 7;
    Ticks y = inLanguageOf(canvas, ticksOf(vertical, data.top(), data.bottom(), kRows));
    double widest = 0;
    for (const QString& label : y.labels) widest = std::max(widest, canvas.textWidth(label));
    const double plotLeft = left + widest + 12;
    const double plotTop = top + canvas.lineHeight() + 6;
    const QRectF plot(plotLeft, plotTop, canvas.width() - plotLeft - 12, height);
    const double tick =
        horizontal.dayZero ? canvas.textWidth(QStringLiteral("2027-03-08")) + 16 : 64;
    const int columns = std::max(2, static_cast<int>(plot.width() / tick));
    Ticks x = inLanguageOf(canvas, ticksOf(horizontal, data.left(), data.right(), columns));
    return {plot, std::move(x), std::move(y)};
}

double Plane::drawAxes(Canvas& canvas, const ValueAxis& horizontal,
                       const ValueAxis& vertical) const {
    const double line = canvas.lineHeight();
    const QPen grid = canvas.pen(Role::Grid), axis = canvas.pen(Role::Axis);
    for (std::size_t i = 0; i < x_.values.size(); ++i) {
        const double x = atX(x_.values[i]);
        canvas.scene().addLine(x, plot_.top(), x, plot_.bottom(), grid);
        canvas.line(x, plot_.bottom(), x, plot_.bottom() + 4, axis);
        const QString label = x_.labels[static_cast<int>(i)];
        const double half = canvas.textWidth(label) / 2;
        canvas.text(std::clamp(x, half, canvas.width() - half), plot_.bottom() + 6, label,
                    Role::SecondText, Align::Centre);
    }
    for (std::size_t i = 0; i < y_.values.size(); ++i) {
        const double y = atY(y_.values[i]);
        canvas.scene().addLine(plot_.left(), y, plot_.right(), y, grid);
        canvas.text(plot_.left() - 7, y - line / 2, y_.labels[static_cast<int>(i)],
                    Role::SecondText, Align::Right);
    }
    canvas.line(plot_.left(), plot_.bottom(), plot_.right(), plot_.bottom(), axis);
    canvas.line(plot_.left(), plot_.top(), plot_.left(), plot_.bottom(), axis);
    canvas.text(0, plot_.top() - line - 6, Canvas::words(vertical.label), Role::SecondText);
    canvas.text(plot_.right(), plot_.bottom() + 6 + line, Canvas::words(horizontal.label),
                Role::SecondText, Align::Right);
    return plot_.bottom() + 8 + 2 * line;
}

void Plane::drawLimit(Canvas& canvas, const BarMark& limit, bool isVertical, bool isHandle) const {
    const QPen pen = canvas.pen(Role::Text, isHandle ? 2 : 1.5, Qt::DashLine);
    const QString words = Canvas::words(limit.label);
    const double line = canvas.lineHeight();
    constexpr double kGrip = 9;
    const auto grip = [&](QPointF at, const char* key) {
        if (!isHandle) return;
        canvas.scene()
            .addEllipse(at.x() - kGrip / 2, at.y() - kGrip / 2, kGrip, kGrip,
                        canvas.pen(Role::Window, 1), canvas.colour(Role::Focus))
            ->setZValue(9);
        canvas.hot({HotRegion::Kind::Handle,
                    isVertical
                        ? QRectF(at.x() - kGrip, plot_.top(), 2 * kGrip, plot_.height() + kGrip)
                        : QRectF(plot_.left() - kGrip, at.y() - kGrip, plot_.width() + 2 * kGrip,
                                 2 * kGrip),
                    QLatin1String(key),
                    {words},
                    -1});
    };
    if (isVertical) {
        const double x = atX(limit.value);
        canvas.line(x, plot_.top(), x, plot_.bottom(), pen);
        const double half = canvas.textWidth(words) / 2;
        canvas.text(std::clamp(x, plot_.left() + half, canvas.width() - half),
                    plot_.top() - line - 4, words, Role::Text, Align::Centre);
        grip({x, plot_.bottom()}, "horizontal");
    } else {
        const double y = atY(limit.value);
        canvas.line(plot_.left(), y, plot_.right(), y, pen);
        canvas.text(plot_.right() - 4, y - line - 2, words, Role::Text, Align::Right);
        grip({plot_.right(), y}, "vertical");
    }
}

double drawFamilies(Canvas& canvas, const std::vector<std::pair<Family, Text>>& legend,
                    double top) {
    constexpr double kGlyph = 10;
    const double line = canvas.lineHeight() + 6;
    double x = 0, y = top;
    int series = 0;
    for (const auto& [family, label] : legend) {
        const QString words = Canvas::words(label);
        const double wide = 18 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        canvas.glyph(family, x + 6, y + canvas.lineHeight() / 2, kGlyph);
        canvas.text(x + 18, y, words, canvas.isFaint(series) ? Role::SecondText : Role::Text);
        canvas.hot({HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line), {}, {words}, series});
        ++series;
        x += wide;
    }
    return legend.empty() ? 0 : y + line + 2 - top;
}

QRectF Labels::place(QPointF point, QSizeF size, double gap) {
    const double w = size.width(), h = size.height();
    std::vector<QPointF> corners;
    for (double far : {gap, gap + 10, gap + 24, gap + 42, gap + 64})
        for (const QPointF& corner :
             {QPointF(far, -h / 2), QPointF(-far - w, -h / 2), QPointF(-w / 2, -far - h),
              QPointF(-w / 2, far), QPointF(far, -far - h), QPointF(far, far),
              QPointF(-far - w, -far - h), QPointF(-far - w, far)})
            corners.push_back(point + corner);
    for (const QPointF& corner : corners) {
        const QRectF box(corner, size);
        const QRectF roomy = box.adjusted(-3, -1, 3, 1);
        if (!area_.contains(box) || std::any_of(taken_.begin(), taken_.end(), [&](const QRectF& t) {
                return t.intersects(roomy);
            }))
            continue;
        taken_.push_back(box);
        return box;
    }
    return {};
}

}  // namespace trainwright::reports::charts
