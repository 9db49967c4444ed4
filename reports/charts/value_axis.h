// SPDX-License-Identifier: GPL-3.0-or-later
// A plane of two linear axes with round ticks, as numbers or as dates: what scatter and steps
// share.
#pragma once

#include <vector>

#include "reports/charts/canvas.h"

namespace trainwright::reports::charts {

struct Ticks {
    double from = 0, to = 1;
    std::vector<double> values;
    QStringList labels;
};

/// From at most `low` to at least `high`, with at most `most` ticks. Numbers begin at zero unless
/// all lie far from it; dates begin near the first.
[[nodiscard]] Ticks ticksOf(const ValueAxis& axis, double low, double high, int most);

class Plane {
public:
    Plane(const QRectF& plot, Ticks horizontal, Ticks vertical)
        : plot_(plot), x_(std::move(horizontal)), y_(std::move(vertical)) {}
    [[nodiscard]] const QRectF& plot() const { return plot_; }
    [[nodiscard]] double atX(double value) const {
        return plot_.left() + (value - x_.from) / (x_.to - x_.from) * plot_.width();
    }
    [[nodiscard]] double atY(double value) const {
        return plot_.bottom() - (value - y_.from) / (y_.to - y_.from) * plot_.height();
    }
    [[nodiscard]] double xAt(double pixel) const {
        return x_.from + (pixel - plot_.left()) / plot_.width() * (x_.to - x_.from);
    }
    [[nodiscard]] double yAt(double pixel) const {
        return y_.from + (plot_.bottom() - pixel) / plot_.height() * (y_.to - y_.from);
    }
    [[nodiscard]] const Ticks& x() const { return x_; }
    [[nodiscard]] const Ticks& y() const { return y_; }

    /// Grid, axes, ticks and titles; returns the bottom of what is drawn.
    double drawAxes(Canvas& canvas, const ValueAxis& horizontal, const ValueAxis& vertical) const;
    /// The limit across the plot with its name beside it. Handles are a little thicker and can be
    /// dragged.
    void drawLimit(Canvas& canvas, const BarMark& limit, bool isVertical, bool isHandle) const;

private:
    QRectF plot_;
    Ticks x_, y_;
};

/// A plane below `top` for data between these ends.
[[nodiscard]] Plane planeOf(const Canvas& canvas, const ValueAxis& horizontal,
                            const ValueAxis& vertical, const QRectF& data, double top, double left);

/// Names in a row, each with its glyph; returns the height used.
double drawFamilies(Canvas& canvas, const std::vector<std::pair<Family, Text>>& legend, double top);

/// A free place for words near a point: right, left, above, below of it; remembers what is taken.
class Labels {
public:
    explicit Labels(QRectF area) : area_(area) {}
    void block(const QRectF& box) { taken_.push_back(box); }
    /// Null where there is no place.
    [[nodiscard]] QRectF place(QPointF point, QSizeF size, double gap);

private:
    QRectF area_;
    std::vector<QRectF> taken_;
};

}  // namespace trainwright::reports::charts
