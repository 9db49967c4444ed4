// SPDX-License-Identifier: GPL-3.0-or-later
// What the chart kinds share: a scene with text, lines, fills and glyphs in palette colours.
//
// Coordinates are CSS pixels. Every text is measured before it is placed; nothing is elided by
// QtCharts, because QtCharts draws no text here at all.
#pragma once

#include <QBrush>
#include <QColor>
#include <QFont>
#include <QFontMetricsF>
#include <QGraphicsItem>
#include <QGraphicsScene>
#include <QPen>
#include <QRectF>
#include <QString>
#include <QStringList>

#include <string>
#include <utility>
#include <vector>

#include "reports/chart_spec.h"
#include "reports/language.h"

QT_BEGIN_NAMESPACE
class QChart;
QT_END_NAMESPACE

namespace trainwright::reports::charts {

enum class Align { Left, Centre, Right };

/// Which colours a drawing has: those of CSS variables, which the SVG's text gets later on, or a
/// theme's own.
enum class Colours { Variables, Light, Dark };

/// A part of a drawing that says something to who points at it.
struct HotRegion {
    enum class Kind {
        Datum,
        Legend,  ///< `series` is the entry
        Handle   ///< may be dragged: `key` says which
    };
    Kind kind = Kind::Datum;
    QRectF box;
    QString key;        ///< of the datum; may be empty
    QStringList lines;  ///< what it says
    int series = -1;    ///< entry of the legend that it belongs to
};

class Canvas {
public:
    explicit Canvas(double width, Colours colours = Colours::Variables);

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const { return height_; }
    void setHeight(double height) { height_ = height; }
    [[nodiscard]] QGraphicsScene& scene() { return scene_; }

    [[nodiscard]] Colours colours() const { return colours_; }
    [[nodiscard]] QColor colour(Role role) const;
    [[nodiscard]] QPen pen(Role role, double width = 1.0, Qt::PenStyle style = Qt::SolidLine) const;

    /// Regions are told to no picture; a window asks for them.
    void hot(HotRegion region) { regions_.push_back(std::move(region)); }
    void hot(const QRectF& box, const std::string& key, QStringList lines, int series = -1);
    [[nodiscard]] const std::vector<HotRegion>& regions() const { return regions_; }
    /// Entries of the legend whose data are drawn faint, set before drawing.
    void setFaint(std::vector<int> series) { faint_ = std::move(series); }
    [[nodiscard]] bool isFaint(int series) const;
    /// `colour` as data of the entry have it.
    [[nodiscard]] QColor shade(QColor colour, int series) const;
    /// What draws says of its own is in this language; a spec's words are in it already.
    void setLanguage(const std::string& code);
    [[nodiscard]] QString say(const Text& text) const;
    /// A formatted number as the language writes it.
    [[nodiscard]] QString number(const std::string& plain) const;
    [[nodiscard]] static QString words(const Text& text);
    [[nodiscard]] double textWidth(const QString& text, bool strong = false) const;
    [[nodiscard]] double lineHeight() const;
    [[nodiscard]] const QFont& font() const { return font_; }

    /// Text whose line box starts at `y`; `x` is its left, centre or right. Returns its box.
    QRectF text(double x, double y, const QString& text, Role role, Align align = Align::Left,
                bool strong = false);
    /// The longest head of `text` that fits `room`, with "…" if anything was cut.
    [[nodiscard]] QString fitted(const QString& text, double room, bool strong = false) const;

    void line(double x1, double y1, double x2, double y2, const QPen& pen);
    void rectangle(const QRectF& box, const QPen& pen, const QBrush& brush);
    /// With an outline, glyphs that overlap stay apart.
    void glyph(Family family, double centreX, double centreY, double size,
               const QPen& outline = Qt::NoPen);
    /// The second cue of a fill over `box`, in the ink colour, clipped to it.
    void pattern(const QRectF& box, Pattern pattern, Role ink);
    void cross(double centreX, double centreY, double size, const QPen& pen);

    /// A QChart without title, legend, margins and animation, added to the scene, its plot area
    /// fixed.
    QChart* chart(const QRectF& plot);

private:
    double width_;
    double height_ = 0;
    Colours colours_;
    Language language_ = Language::English;
    std::vector<HotRegion> regions_;
    std::vector<int> faint_;
    QFont font_, strongFont_;
    QGraphicsScene scene_;
};

/// Lays the chart out now: QtCharts otherwise waits for an event loop with axes and grid. Call it
/// when all series and axes are there.
void settle(QChart* chart, const QRectF& plot);

/// Draws the spec's chart; sets the canvas's height.
void draw(Canvas& canvas, const BarChart& chart);
void draw(Canvas& canvas, const RooflineChart& chart);
void draw(Canvas& canvas, const TornadoChart& chart);
void draw(Canvas& canvas, const ParityChart& chart);
void draw(Canvas& canvas, const StripChart& chart);
void draw(Canvas& canvas, const GanttChart& chart);
/// Another stretch of it than the spec has in view; to ≤ from: all.
void draw(Canvas& canvas, const GanttChart& chart, double from, double to);
void draw(Canvas& canvas, const TopologyChart& chart);
void draw(Canvas& canvas, const ScatterChart& chart);
void draw(Canvas& canvas, const StepsChart& chart);

/// The time at a pixel of what is drawn so.
[[nodiscard]] double timeAt(const Canvas& canvas, const GanttChart& chart, double from, double to,
                            double x);
/// The value at a point of either axis, kept to the axis.
[[nodiscard]] double valueAt(const Canvas& canvas, const StepsChart& chart, bool horizontal,
                             QPointF point);

/// The step of at most `most` intervals over [0, end]: 1, 2 or 5 times a power of ten.
[[nodiscard]] double niceStep(double end, int most);

}  // namespace trainwright::reports::charts
