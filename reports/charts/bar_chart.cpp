// SPDX-License-Identifier: GPL-3.0-or-later
// Horizontal bars: QtCharts draws the fills, the grid and the axis line; labels, second cues,
// limits and what is not known are placed over them.
#include <QtCharts/QBarCategoryAxis>
#include <QtCharts/QBarSet>
#include <QtCharts/QChart>
#include <QtCharts/QHorizontalStackedBarSeries>
#include <QtCharts/QValueAxis>

#include <algorithm>
#include <cmath>
#include <tuple>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kBar = 18, kGapBelow = 14, kPanelGap = 36, kHiddenBar = 7;
constexpr double kUnknownBox = 26, kUnknownGutter = 34;
constexpr double kTwoPanels = 640;  // narrower drawings stack their panels

bool isPale(Role role) {
    return role == Role::Slate4 || role == Role::Slate5;
}

struct Frame {
    double left, right, top;  ///< of the panel, labels included
};

double endOf(const BarPanel& panel) {
    double end = panel.atLeast;
    for (const BarMark& limit : panel.limits) end = std::max(end, limit.value);
    for (const Bar& bar : panel.bars) {
        double length = 0;
        for (const Segment& segment : bar.segments) length += segment.value;
        end = std::max({end, length, bar.hidden});
        for (const BarMark& mark : bar.marks) end = std::max(end, mark.value);
        if (bar.whisker) end = std::max(end, bar.whisker->high);
    }
    return end > 0 ? end : 1.0;
}

/// Swatches with their words, in as many lines as they need. Returns the height used.
double drawLegend(Canvas& canvas, const std::vector<Segment>& entries, double top) {
    if (entries.empty()) return 0;
    constexpr double kSwatch = 16;
    const double line = canvas.lineHeight() + 6;
    double x = 0, y = top;
    int series = 0;
    for (const Segment& entry : entries) {
        const QString words = Canvas::words(entry.label);
        const double wide = kSwatch + 6 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        const QRectF box(x, y + 2, kSwatch, canvas.lineHeight() - 3);
        const bool outlined = entry.pattern == Pattern::DiagonalOutline;
        canvas.rectangle(box,
                         outlined || isPale(entry.fill) ? canvas.pen(Role::Axis) : QPen(Qt::NoPen),
                         outlined ? QBrush(Qt::NoBrush)
                                  : QBrush(canvas.shade(canvas.colour(entry.fill), series)));
        if (!canvas.isFaint(series))
            canvas.pattern(box, entry.pattern, outlined ? Role::Bubble : entry.ink);
        canvas.text(x + kSwatch + 6, y, words,
                    canvas.isFaint(series) ? Role::SecondText : Role::Text);
        canvas.hot({HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line), {}, {words}, series});
        ++series;
        x += wide;
    }
    return y + line + 4 - top;
}

/// The legend's entry with the look of the segment; −1: none.
int seriesOf(const std::vector<Segment>& legend, Role fill, Pattern pattern) {
    for (std::size_t i = 0; i < legend.size(); ++i)
        if (legend[i].fill == fill && legend[i].pattern == pattern) return static_cast<int>(i);
    return -1;
}

/// One set for each look that a segment has, in the order of the stack.
using Look = std::tuple<Role, Pattern, bool>;

std::vector<Look> looksOf(const BarPanel& panel, const std::vector<Segment>& legend) {
    std::vector<Look> looks;
    // The legend has the order of the stack, also where no single bar has all parts.
    for (const Segment& entry : legend)
        for (bool muted : {false, true}) looks.emplace_back(entry.fill, entry.pattern, muted);
    for (const Bar& bar : panel.bars)
        for (const Segment& segment : bar.segments) {
            const Look look{segment.fill, segment.pattern, bar.muted};
            if (std::find(looks.begin(), looks.end(), look) == looks.end()) looks.push_back(look);
        }
    return looks;
}

/// Returns the box of the words beside the mark.
QRectF drawUnknown(Canvas& canvas, const Bar& bar, const Frame& frame, double plotLeft,
                   double barTop) {
    const QRectF box(frame.left, barTop, kUnknownBox, kBar);
    canvas.rectangle(box, canvas.pen(Role::Axis, 1, Qt::DashLine), Qt::NoBrush);
    canvas.pattern(box, Pattern::DiagonalOutline, Role::Axis);
    const QString mark = QString::fromStdString(bar.notKnownMark);
    const double wide = canvas.textWidth(mark, true) + 6;
    canvas.rectangle({box.center().x() - wide / 2, box.top() + 1.5, wide, box.height() - 3},
                     Qt::NoPen, canvas.colour(Role::Window));
    canvas.text(box.center().x(), box.center().y() - canvas.lineHeight() / 2, mark,
                Role::SecondText, Align::Centre, true);
    const QString why = canvas.fitted(Canvas::words(*bar.notKnown), frame.right - plotLeft - 6);
    return canvas.text(plotLeft + 6, barTop + (kBar - canvas.lineHeight()) / 2, why,
                       Role::SecondText);
}

void drawSegments(Canvas& canvas, const Bar& bar, const std::vector<Segment>& legend,
                  double plotLeft, double scale, double barTop) {
    double x = plotLeft;
    for (std::size_t s = 0; s < bar.segments.size(); ++s) {
        const Segment& segment = bar.segments[s];
        const QRectF box(x, barTop, segment.value * scale, kBar);
        x = box.right();
        if (box.width() <= 0) continue;
        const int series = seriesOf(legend, segment.fill, segment.pattern);
        canvas.hot(box, bar.key,
                   {Canvas::words(bar.label),
                    Canvas::words(segment.tip.empty() ? bar.total : segment.tip)},
                   series);
        if (canvas.isFaint(series)) continue;
        const bool outlined = bar.muted || segment.pattern == Pattern::DiagonalOutline;
        if (outlined) {
            const QRectF inside = box.width() > 3 ? box.adjusted(0.75, 0.75, -0.75, -0.75) : box;
            canvas.rectangle(inside, canvas.pen(segment.fill, bar.muted ? 1.5 : 1.0), Qt::NoBrush);
            if (!bar.muted) canvas.pattern(box, segment.pattern, segment.fill);
        } else {
            canvas.pattern(box, segment.pattern, segment.ink);
            if (isPale(segment.fill) && box.width() > 2)
                canvas.rectangle(box.adjusted(0.5, 0.5, -0.5, -0.5), canvas.pen(Role::Axis),
                                 Qt::NoBrush);
        }
        if (s + 1 < bar.segments.size() && box.width() > 2)
            canvas.line(box.right() - 0.5, box.top(), box.right() - 0.5, box.bottom(),
                        canvas.pen(Role::Window));
        if (bar.segments.size() < 2) continue;
        const QString words = Canvas::words(segment.label);
        const double wide = canvas.textWidth(words);
        if (wide + 8 > box.width()) continue;
        const double top = box.center().y() - canvas.lineHeight() / 2;
        // A mark across the bar must stay readable; the table has the number.
        const bool marked =
            std::any_of(bar.marks.begin(), bar.marks.end(), [&](const BarMark& mark) {
                return std::abs(plotLeft + mark.value * scale - box.center().x()) < wide / 2 + 6;
            });
        if (marked) continue;
        if (segment.pattern != Pattern::Solid)
            canvas.rectangle(
                {box.center().x() - wide / 2 - 3, box.top() + 2, wide + 6, box.height() - 4},
                Qt::NoPen, canvas.colour(outlined ? Role::Window : segment.fill));
        canvas.text(box.center().x(), top, words, outlined ? Role::Text : segment.ink,
                    Align::Centre);
    }
}

/// On a pale edge, so that it can be seen on any fill.
void drawWhisker(Canvas& canvas, double low, double high, double y) {
    constexpr double kCap = 4;
    for (const QPen& pen : {canvas.pen(Role::Window, 4), canvas.pen(Role::Text, 1.5)}) {
        canvas.line(low, y, high, y, pen);
        for (double end : {low, high}) canvas.line(end, y - kCap, end, y + kCap, pen);
    }
}

/// Draws the panel and returns its bottom.
double drawPanel(Canvas& canvas, const BarPanel& panel, const std::vector<Segment>& legend,
                 const Frame& frame) {
    const double line = canvas.lineHeight();
    const bool anyUnknown = std::any_of(panel.bars.begin(), panel.bars.end(),
                                        [](const Bar& b) { return b.notKnown.has_value(); });
    const bool anyBelow = std::any_of(panel.bars.begin(), panel.bars.end(),
                                      [](const Bar& b) { return b.hidden > 0 || !b.note.empty(); });
    const double plotLeft = frame.left + (anyUnknown ? kUnknownGutter : 0) + 1;
    const double plotRight = frame.right - 6;
    const double labelHeight = line + 3;
    const double slot = labelHeight + kBar + (anyBelow ? line + 3 : 0) + kGapBelow;
    const auto count = static_cast<int>(panel.bars.size());

    // Limit names in rows of their own, so that two close limits don't run into each other.
    std::vector<double> rowEnds;
    const double end = endOf(panel);
    const auto ticks = static_cast<int>(std::clamp((plotRight - plotLeft) / 64.0, 2.0, 8.0));
    const double step = niceStep(end, ticks);
    const double axisEnd = std::ceil(end / step - 1e-9) * step;
    const double scale = (plotRight - plotLeft) / axisEnd;
    struct Placed {
        double x, y, lineX;
        QString words;
        bool dashed;
    };
    std::vector<Placed> limits;
    for (const BarMark& limit : panel.limits) {
        Placed placed;
        placed.words = canvas.fitted(Canvas::words(limit.label), frame.right - frame.left);
        placed.lineX = plotLeft + limit.value * scale;
        placed.dashed = limit.dashed;
        const double wide = canvas.textWidth(placed.words);
        placed.x = std::clamp(placed.lineX - wide / 2, frame.left, frame.right - wide);
        std::size_t row = 0;
        while (row < rowEnds.size() && rowEnds[row] > placed.x) ++row;
        if (row == rowEnds.size()) rowEnds.push_back(0);
        rowEnds[row] = placed.x + wide + 8;
        placed.y = frame.top + static_cast<double>(row) * (line + 2);
        limits.push_back(placed);
    }
    const double barsTop = frame.top + static_cast<double>(rowEnds.size()) * (line + 2) + 4;
    const QRectF plot(plotLeft, barsTop, plotRight - plotLeft, slot * count);

    QChart* chart = canvas.chart(plot);
    auto* series = new QHorizontalStackedBarSeries;
    series->setBarWidth(kBar / slot);
    series->setLabelsVisible(false);
    for (const Look& look : looksOf(panel, legend)) {
        const auto& [fill, pattern, muted] = look;
        auto* set = new QBarSet(QString());
        for (int b = count - 1; b >= 0; --b) {  // the category axis counts from below
            const Bar& bar = panel.bars[static_cast<std::size_t>(b)];
            double value = 0;
            for (const Segment& segment : bar.segments)
                if (Look{segment.fill, segment.pattern, bar.muted} == look) value += segment.value;
            set->append(value);
        }
        const bool outlined = muted || pattern == Pattern::DiagonalOutline;
        set->setBrush(
            outlined ? QBrush(Qt::NoBrush)
                     : QBrush(canvas.shade(canvas.colour(fill), seriesOf(legend, fill, pattern))));
        set->setPen(QPen(Qt::NoPen));
        series->append(set);
    }
    if (series->count() == 0) {  // an axis needs a series, even of nothing
        auto* set = new QBarSet(QString());
        for (int b = 0; b < count; ++b) set->append(0);
        set->setPen(QPen(Qt::NoPen));
        series->append(set);
    }
    chart->addSeries(series);
    auto* values = new QValueAxis;
    values->setRange(0, axisEnd);
    values->setTickCount(static_cast<int>(std::lround(axisEnd / step)) + 1);
    values->setLabelsVisible(false);
    values->setGridLinePen(canvas.pen(Role::Grid));
    values->setLinePen(canvas.pen(Role::Axis));
    chart->addAxis(values, Qt::AlignBottom);
    series->attachAxis(values);
    auto* categories = new QBarCategoryAxis;
    QStringList names;
    for (int b = 0; b < count; ++b) names << QString::number(b);
    categories->append(names);
    categories->setLabelsVisible(false);
    categories->setGridLineVisible(false);
    categories->setLineVisible(false);
    chart->addAxis(categories, Qt::AlignLeft);
    series->attachAxis(categories);
    settle(chart, plot);

    std::vector<QRectF> wordBoxes;  // from top to bottom
    for (int b = 0; b < count; ++b) {
        const Bar& bar = panel.bars[static_cast<std::size_t>(b)];
        const double slotTop = barsTop + slot * b;
        const double barTop = slotTop + (slot - kBar) / 2;
        const double labelTop = barTop - labelHeight;
        const QString total = Canvas::words(bar.total);
        const double totalWidth = canvas.textWidth(total);
        const double nameLeft = frame.left + (bar.family ? 16 : 0);
        if (bar.family) canvas.glyph(*bar.family, frame.left + 6, labelTop + line / 2, 11);
        wordBoxes.push_back(canvas.text(
            nameLeft, labelTop,
            canvas.fitted(Canvas::words(bar.label), frame.right - totalWidth - 12 - nameLeft, true),
            Role::Text, Align::Left, true));
        wordBoxes.push_back(canvas.text(frame.right, labelTop, total,
                                        bar.notKnown ? Role::SecondText : Role::Text,
                                        Align::Right));
        if (bar.notKnown || bar.segments.empty())
            canvas.hot({frame.left, barTop, plotRight - frame.left, kBar}, bar.key,
                       {Canvas::words(bar.label),
                        bar.notKnown ? Canvas::words(*bar.notKnown) : Canvas::words(bar.total)});
        if (bar.notKnown) {
            wordBoxes.push_back(drawUnknown(canvas, bar, frame, plotLeft, barTop));
            continue;
        }
        drawSegments(canvas, bar, legend, plotLeft, scale, barTop);
        for (const BarMark& mark : bar.marks) {
            const double x = plotLeft + mark.value * scale;
            canvas.line(x, barTop - 3, x, barTop + kBar + 3, canvas.pen(Role::Window, 5));
            canvas.line(x, barTop - 3, x, barTop + kBar + 3,
                        canvas.pen(Role::Text, 1.5, mark.dashed ? Qt::DashLine : Qt::SolidLine));
        }
        if (bar.whisker)
            drawWhisker(canvas, plotLeft + bar.whisker->low * scale,
                        plotLeft + bar.whisker->high * scale, barTop + kBar / 2);
        const double belowTop = barTop + kBar + 2;
        if (bar.hidden > 0) {
            const double wide = bar.hidden * scale;
            canvas.rectangle({plotLeft, belowTop + 3, wide, kHiddenBar},
                             canvas.pen(Role::SecondText, 1, Qt::DashLine), Qt::NoBrush);
            const QString words = Canvas::words(bar.hiddenLabel);
            if (plotLeft + wide + 8 + canvas.textWidth(words) <= frame.right)
                canvas.text(plotLeft + wide + 8, belowTop, words, Role::SecondText);
        } else if (!bar.note.empty()) {
            canvas.text(plotLeft, belowTop,
                        canvas.fitted(Canvas::words(bar.note), frame.right - plotLeft),
                        Role::Error);
        }
    }
    for (const Placed& limit : limits) {
        // The line gives way to the words that it would run through.
        const QPen pen = canvas.pen(Role::Text, 1.5, limit.dashed ? Qt::DashLine : Qt::SolidLine);
        double from = limit.y + line;
        for (const QRectF& box : wordBoxes) {
            if (limit.lineX < box.left() - 3 || limit.lineX > box.right() + 3) continue;
            canvas.line(limit.lineX, from, limit.lineX, box.top(), pen);
            from = box.bottom();
        }
        canvas.line(limit.lineX, from, limit.lineX, plot.bottom(), pen);
        canvas.text(limit.x, limit.y, limit.words, Role::Text);
    }
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    const double axisTop = plot.bottom() + 5;
    for (int t = 0; t * step <= axisEnd * (1 + 1e-9); ++t) {
        const double x = plotLeft + t * step * scale;
        canvas.line(x, plot.bottom(), x, plot.bottom() + 4, canvas.pen(Role::Axis));
        const QString words = canvas.number(fixed(t * step, decimals));
        const double half = canvas.textWidth(words) / 2;
        canvas.text(std::clamp(x, frame.left + half, frame.right - half), axisTop, words,
                    Role::SecondText, Align::Centre);
    }
    canvas.text(frame.right, axisTop + line + 1, Canvas::words(panel.axis), Role::SecondText,
                Align::Right);
    return axisTop + 2 * line + 6;
}

}  // namespace

void draw(Canvas& canvas, const BarChart& chart) {
    double top = drawLegend(canvas, chart.legend, 0);
    const auto count = static_cast<double>(chart.panels.size());
    double bottom = top;
    if (chart.panels.size() > 1 && canvas.width() >= kTwoPanels) {
        const double wide = (canvas.width() - kPanelGap * (count - 1)) / count;
        double left = 0;
        for (const BarPanel& panel : chart.panels) {
            bottom =
                std::max(bottom, drawPanel(canvas, panel, chart.legend, {left, left + wide, top}));
            left += wide + kPanelGap;
        }
    } else {
        for (const BarPanel& panel : chart.panels) {
            bottom = drawPanel(canvas, panel, chart.legend, {0, canvas.width(), top});
            top = bottom + 14;
        }
    }
    canvas.setHeight(std::ceil(bottom));
}

}  // namespace trainwright::reports::charts
