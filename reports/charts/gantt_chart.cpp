// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of boxes over time. All boxes are painted by one item: those narrower than a pixel are
// taken together column by column, so that a step of a million tasks costs no more than its
// pixels.
#include <QGraphicsItem>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <vector>

#include "reports/charts/canvas.h"
#include "reports/keys.h"
#include "reports/number_format.h"

namespace trainwright::reports::charts {
namespace {

constexpr double kMostHeight = 640, kRow = 24, kLeastRow = 4;
constexpr double kLetterFrom = 14;    // pixels of a box for its letter
constexpr double kPointedFrom = 2.5;  // and for being pointed at
constexpr std::size_t kMostPointed = 6000;
constexpr double kHatch = 6;
constexpr double kOverview = 8;

struct View {
    double from = 0, to = 1;
    QRectF plot;
    double row = kRow;

    [[nodiscard]] double at(double time) const {
        return plot.left() + (time - from) / (to - from) * plot.width();
    }
    [[nodiscard]] double timeAt(double x) const {
        return from + (x - plot.left()) / plot.width() * (to - from);
    }
    [[nodiscard]] QRectF boxOf(const GanttBox& box) const {
        const double left = std::max(at(box.from), plot.left());
        const double right = std::min(at(box.to), plot.right());
        const double gap = row > 10 ? 3 : row > 6 ? 1 : 0;
        return {left, plot.top() + row * box.row + gap, right - left, row - 2 * gap};
    }
};

std::vector<GanttKind> kindsOf(const GanttChart& chart) {
    std::array<bool, kGanttKindCount> used{};
    for (const GanttBox& box : chart.boxes) used[static_cast<std::size_t>(box.kind)] = true;
    std::vector<GanttKind> kinds;
    for (int k = 0; k < kGanttKindCount; ++k)
        if (used[static_cast<std::size_t>(k)]) kinds.push_back(static_cast<GanttKind>(k));
    return kinds;
}

/// The lines of a legend, without drawing it.
double legendHeight(const Canvas& canvas, const std::vector<GanttKind>& kinds) {
    double x = 0, lines = 1;
    for (GanttKind kind : kinds) {
        const double wide = 22 + canvas.textWidth(canvas.say(ganttKindLabel(kind))) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            ++lines;
        }
        x += wide;
    }
    return kinds.empty() ? 0 : lines * (canvas.lineHeight() + 6) + 6;
}

View viewOf(const Canvas& canvas, const GanttChart& chart, double from, double to) {
    View view;
    view.from = to > from ? from : 0;
    view.to = to > from ? to : chart.end;
    double label = 0;
    for (const Text& row : chart.rows)
        label = std::max(label, canvas.textWidth(Canvas::words(row)));
    const auto rows = static_cast<double>(std::max<std::size_t>(chart.rows.size(), 1));
    view.row = std::clamp(kMostHeight / rows, kLeastRow, kRow);
    const double top = legendHeight(canvas, kindsOf(chart)) + 2;
    view.plot = QRectF(label + 8, top, canvas.width() - label - 8 - 10, view.row * rows);
    return view;
}

/// Colours as they are when painted: a copy, since the item outlives the drawing of the rest.
struct Look {
    QColor fill, ink;
    bool isOutlined = false;
    bool isFaint = false;
    QString letter;
};

class Boxes : public QGraphicsItem {
public:
    Boxes(const Canvas& canvas, const GanttChart& chart, View view, const QFont& font)
        : view_(view),
          font_(font),
          window_(canvas.colour(Role::Window)),
          text_(canvas.colour(Role::Text)) {
        const std::vector<GanttKind> kinds = kindsOf(chart);
        for (int k = 0; k < kGanttKindCount; ++k) {
            const auto kind = static_cast<GanttKind>(k);
            const auto entry = std::find(kinds.begin(), kinds.end(), kind) - kinds.begin();
            const GanttStyle style = ganttStyle(kind);
            Look& look = looks_[static_cast<std::size_t>(k)];
            look.isFaint = canvas.isFaint(static_cast<int>(entry));
            look.fill = canvas.shade(canvas.colour(style.fill), static_cast<int>(entry));
            look.ink = canvas.colour(style.ink);
            look.isOutlined = style.pattern == Pattern::DiagonalOutline;
            look.letter = QLatin1String(style.letter);
        }
        for (const GanttBox& box : chart.boxes)
            if (box.to > view.from && box.from < view.to) boxes_.push_back(box);
        setZValue(4);
    }

    [[nodiscard]] QRectF boundingRect() const override { return view_.plot; }

    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override {
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing, false);
        painter->setFont(font_);
        const QFontMetricsF metrics(font_);
        // What lies in the pixel column that is being filled.
        std::array<double, kGanttKindCount> share{};
        double column = -1;
        int row = -1;
        const auto flush = [&] {
            if (column < 0) return;
            const auto most = std::max_element(share.begin(), share.end());
            const Look& look = looks_[static_cast<std::size_t>(most - share.begin())];
            const QRectF box = view_.boxOf({row, GanttKind::Forward, -1, 0, view_.from, view_.to});
            if (*most > 0 && !look.isOutlined)
                painter->fillRect(QRectF(column, box.top(), 1, box.height()), look.fill);
            share.fill(0);
            column = -1;
        };
        for (const GanttBox& task : boxes_) {
            const QRectF box = view_.boxOf(task);
            if (box.width() < 1.0) {
                const double here = std::floor(box.left());
                if (here != column || task.row != row) flush();
                column = here;
                row = task.row;
                share[static_cast<std::size_t>(task.kind)] += box.width();
                continue;
            }
            flush();
            paintBox(*painter, task, box, metrics);
        }
        flush();
        painter->restore();
    }

private:
    void paintBox(QPainter& painter, const GanttBox& task, const QRectF& box,
                  const QFontMetricsF& metrics) const {
        const Look& look = looks_[static_cast<std::size_t>(task.kind)];
        if (look.isOutlined) {
            if (look.isFaint) return;
            painter.setPen(QPen(look.fill, 1));
            painter.setBrush(Qt::NoBrush);
            if (box.width() > 3) painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
            if (box.width() > kHatch)
                for (double x = box.left() - box.height() + kHatch; x < box.right(); x += kHatch) {
                    const double from = std::max(x, box.left());
                    const double to = std::min(x + box.height(), box.right());
                    if (to > from)
                        painter.drawLine(QPointF(from, box.bottom() - (from - x)),
                                         QPointF(to, box.bottom() - (to - x)));
                }
            return;
        }
        // A pixel between neighbours, where there is one to spare.
        painter.fillRect(box.adjusted(0, 0, box.width() > 3 ? -1 : 0, 0), look.fill);
        if (task.isCritical && box.width() > 4 && box.height() > 6) {
            painter.setPen(QPen(text_, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(box.adjusted(1, 1, -2, -1));
        }
        if (box.width() < kLetterFrom || box.height() < metrics.height() || look.letter.isEmpty())
            return;
        QString words =
            look.letter + (task.microBatch >= 0 ? QString::number(task.microBatch) : QString());
        if (metrics.horizontalAdvance(words) + 4 > box.width()) words = look.letter;
        painter.setPen(look.ink);
        painter.drawText(box.adjusted(0, 0, -1, 0), Qt::AlignCenter, words);
    }

    View view_;
    QFont font_;
    QColor window_, text_;
    std::array<Look, kGanttKindCount> looks_;
    std::vector<GanttBox> boxes_;
};

void drawLegend(Canvas& canvas, const std::vector<GanttKind>& kinds) {
    constexpr double kSwatch = 16;
    const double line = canvas.lineHeight() + 6;
    double x = 0, y = 0;
    int series = 0;
    for (GanttKind kind : kinds) {
        const GanttStyle style = ganttStyle(kind);
        const QString words = canvas.say(ganttKindLabel(kind));
        const double wide = kSwatch + 6 + canvas.textWidth(words) + 18;
        if (x > 0 && x + wide - 18 > canvas.width()) {
            x = 0;
            y += line;
        }
        const QRectF box(x, y + 2, kSwatch, canvas.lineHeight() - 3);
        const bool isOutlined = style.pattern == Pattern::DiagonalOutline;
        const QColor fill = canvas.shade(canvas.colour(style.fill), series);
        canvas.rectangle(box, isOutlined ? QPen(fill, 1) : QPen(Qt::NoPen),
                         isOutlined ? QBrush(Qt::NoBrush) : QBrush(fill));
        if (isOutlined && !canvas.isFaint(series)) canvas.pattern(box, style.pattern, style.fill);
        canvas.text(x + kSwatch + 6, y, words,
                    canvas.isFaint(series) ? Role::SecondText : Role::Text);
        canvas.hot({HotRegion::Kind::Legend, QRectF(x, y, wide - 12, line), {}, {words}, series});
        ++series;
        x += wide;
    }
}

}  // namespace

double timeAt(const Canvas& canvas, const GanttChart& chart, double from, double to, double x) {
    return viewOf(canvas, chart, from, to).timeAt(x);
}

void draw(Canvas& canvas, const GanttChart& chart) {
    draw(canvas, chart, chart.from, chart.to);
}

void draw(Canvas& canvas, const GanttChart& chart, double from, double to) {
    const std::vector<GanttKind> kinds = kindsOf(chart);
    drawLegend(canvas, kinds);
    const View view = viewOf(canvas, chart, from, to);
    const double line = canvas.lineHeight();
    const QRectF plot = view.plot;

    // Names of rows as far as they have room.
    const int everyNth = std::max(1, static_cast<int>(std::ceil((line + 2) / view.row)));
    for (std::size_t r = 0; r < chart.rows.size(); r += static_cast<std::size_t>(everyNth))
        canvas.text(plot.left() - 8,
                    plot.top() + view.row * static_cast<double>(r) + (view.row - line) / 2,
                    Canvas::words(chart.rows[r]), Role::Text, Align::Right);
    canvas.scene().addItem(new Boxes(canvas, chart, view, canvas.font()));

    const double span = view.to - view.from;
    const double step = niceStep(span, std::max(2, static_cast<int>(plot.width() / 72)));
    const int decimals = step >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(step) - 1e-9));
    canvas.line(plot.left(), plot.bottom(), plot.right(), plot.bottom(), canvas.pen(Role::Axis));
    for (double t = std::ceil(view.from / step - 1e-9) * step; t <= view.to * (1 + 1e-9);
         t += step) {
        const double x = view.at(t);
        canvas.scene().addLine(x, plot.top(), x, plot.bottom(), canvas.pen(Role::Grid));
        canvas.line(x, plot.bottom(), x, plot.bottom() + 4, canvas.pen(Role::Axis));
        const QString words = canvas.number(fixed(std::max(t, 0.0), decimals));
        const double half = canvas.textWidth(words) / 2;
        canvas.text(std::min(x, canvas.width() - half), plot.bottom() + 6, words, Role::SecondText,
                    Align::Centre);
    }
    double bottom = plot.bottom() + 6 + line;
    canvas.text(plot.right(), bottom, Canvas::words(chart.axis), Role::SecondText, Align::Right);
    bool anySpan = false;
    for (const GanttSpan& named : chart.spans) {
        const double left = std::max(view.at(named.from), plot.left());
        const double right = std::min(view.at(named.to), plot.right());
        const QString words = Canvas::words(named.label);
        if (right - left < canvas.textWidth(words) + 10) continue;
        const double y = bottom + line + 8;
        canvas.line(left + 1, y, right - 1, y, canvas.pen(Role::SecondText));
        for (double end : {left + 1, right - 1})
            canvas.line(end, y - 4, end, y, canvas.pen(Role::SecondText));
        canvas.text((left + right) / 2, y + 2, words, Role::SecondText, Align::Centre);
        anySpan = true;
    }
    bottom += line + (anySpan ? line + 12 : 4);
    if (view.to - view.from < chart.end * (1 - 1e-9)) {
        const QRectF all(plot.left(), bottom + 2, plot.width(), kOverview);
        canvas.rectangle(all, canvas.pen(Role::Axis), Qt::NoBrush);
        const double left = all.left() + view.from / chart.end * all.width();
        const double wide = std::max(span / chart.end * all.width(), 3.0);
        canvas.rectangle({left, all.top(), wide, kOverview}, QPen(Qt::NoPen),
                         canvas.colour(Role::Focus));
        bottom = all.bottom() + 4;
    }
    canvas.setHeight(std::ceil(bottom));

    // Boxes wide enough to be pointed at; where there are too many, the widest.
    std::vector<std::pair<QRectF, const GanttBox*>> pointed;
    double least = kPointedFrom;
    do {
        pointed.clear();
        for (const GanttBox& box : chart.boxes) {
            if (box.to <= view.from || box.from >= view.to) continue;
            const QRectF drawn = view.boxOf(box);
            if (drawn.width() >= least) pointed.emplace_back(drawn, &box);
        }
        least *= 2;
    } while (pointed.size() > kMostPointed);
    for (const auto& [drawn, box] : pointed) {
        const Text& row = chart.rows[static_cast<std::size_t>(box->row)];
        const auto series =
            static_cast<int>(std::find(kinds.begin(), kinds.end(), box->kind) - kinds.begin());
        const std::string start = fixed(box->from, chart.decimals);
        const std::string end = fixed(box->to, chart.decimals);
        const Text kind = ganttKindLabel(box->kind);
        const Text what = box->microBatch >= 0
                              ? Text{"{1} of micro-batch {2}",
                                     {kind, count(static_cast<double>(box->microBatch))}}
                              : kind;
        canvas.hot(drawn,
                   box->microBatch >= 0
                       ? text(Key{"micro-batch", {}, std::to_string(box->microBatch)})
                       : stageKey(box->row),
                   {Canvas::words(row), canvas.say(what),
                    canvas.say(Text{"{1} to {2} {3}", {start, end, chart.axis}})},
                   series);
    }
    if (pointed.empty())
        for (std::size_t r = 0; r < chart.rows.size(); ++r)
            canvas.hot({plot.left(), plot.top() + view.row * static_cast<double>(r), plot.width(),
                        view.row},
                       stageKey(static_cast<int>(r)), {Canvas::words(chart.rows[r])});
}

}  // namespace trainwright::reports::charts
