// SPDX-License-Identifier: GPL-3.0-or-later
// A chart as a value: what is drawn, in which order, under which words; not how.
//
// The desktop and the reports draw the same spec, and tests compare specs rather than pixels.
// Values are in the unit that the axis names, finite and not negative (log axes: positive); what is
// not known is a Bar with `notKnown` set, drawn outside the scale and never as zero. Nothing here
// needs Qt.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/units/outcome.h"
#include "reports/palette.h"

namespace trainwright::reports {

/// The second cue of a fill beside its colour, so that charts can be read in grey.
enum class Pattern {
    Solid,
    Dots,
    VerticalLines,
    DottedVerticalLines,
    DiagonalOutline,
    CrossHatch,
    HorizontalLines,
    BackDiagonal,
    SparseDots
};

enum class Family { Trainium, Gpu, Other };
[[nodiscard]] Family familyFromName(const std::string& chipFamily);
[[nodiscard]] Role familyRole(Family family);
/// "⬟", "■", "★"
[[nodiscard]] const char* familyGlyph(Family family);

struct Segment {
    Text label;
    double value = 0;
    Role fill = Role::Compute;
    Role ink = Role::ComputeInk;
    Pattern pattern = Pattern::Solid;
};

/// A short vertical line across one bar.
struct BarMark {
    Text label;
    double value = 0;
    bool dashed = false;
};

/// Where a bar's end lies in most cases.
struct Whisker {
    double low = 0, high = 0;
};

struct Bar {
    Text label;                     ///< the candidate, above its bar on the left
    std::optional<Family> family;   ///< draws the family's glyph before the label
    std::vector<Segment> segments;  ///< laid end to end from zero
    Text total;                     ///< above the bar on the right, as the table prints it
    double hidden = 0;              ///< outline below the bar, not part of its length
    Text hiddenLabel;
    std::vector<BarMark> marks;
    std::optional<Whisker> whisker;
    std::optional<Text> notKnown;  ///< why there is no value; no segment is drawn
    std::string notKnownMark = "?";
    Text note;           ///< below the bar: what it misses
    bool muted = false;  ///< misses a limit or doesn't fit: outlined instead of filled
};

/// Horizontal bars on one axis from zero.
struct BarPanel {
    Text axis;  ///< with the unit: "seconds a step"
    std::vector<Bar> bars;
    std::vector<BarMark> limits;  ///< across all bars
    double atLeast = 0;           ///< the axis reaches this far even if no bar does
};

struct BarChart {
    std::vector<BarPanel> panels;  ///< side by side where there is room, else below one another
    std::vector<Segment> legend;   ///< values unused
};

enum class PointShape { Circle, Diamond, Plus };

struct RooflinePoint {
    Text label;
    double flopPerByte = 0;
    double teraflopsPerSecond = 0;
    double share = 0;  ///< of the step; decides the area
    PointShape shape = PointShape::Circle;
    bool labelled = false;
};

struct Roof {
    Text label;
    double teraflopsPerSecond = 0;
    bool dashed = false;
};

/// One chip: log-log, arithmetic intensity against rate.
struct RooflineChart {
    Text horizontalAxis, verticalAxis;
    std::vector<Roof> roofs;        ///< highest first
    double terabytesPerSecond = 0;  ///< of the memory roof
    Text memoryLabel;
    double ridgeFlopPerByte = 0;
    Text ridgeLabel;
    std::vector<RooflinePoint> points;
    std::vector<std::pair<PointShape, Text>> legend;
};

/// What one input does to a result: from where it is low to where it is high.
struct Span {
    Text label;                ///< the input, above its bar
    double atLow = 0;          ///< the result with the input at its low end
    double atHigh = 0;         ///< and at its high end; which is larger is the input's matter
    Text lowInput, highInput;  ///< what these ends are: "×0.94"
};

/// Spans on one axis, which need not begin at zero.
struct SpanPanel {
    Text axis;
    double middle = 0;  ///< the result with every input at its middle
    Text middleLabel;
    std::vector<Span> spans;  ///< the widest first
};

struct TornadoChart {
    std::vector<SpanPanel> panels;  ///< side by side where there is room, else below one another
    Text lowLegend, highLegend;
};

struct ParityPoint {
    Text label;
    double measured = 0;
    double predicted = 0;
    Family family = Family::Other;
};

/// Says what a point is; notes are numbered from 1 in their order, beside the point and in a list.
struct ParityNote {
    std::size_t point = 0;
    Text label;
    Text value;  ///< right of the label
};

/// What was predicted against what was measured, log-log.
struct ParityChart {
    Text horizontalAxis, verticalAxis;
    double band = 0.2;  ///< a line at so much more, and one at so much less
    std::vector<ParityPoint> points;
    std::vector<std::pair<Family, Text>> legend;
    Text notesTitle;
    std::vector<ParityNote> notes;
};

/// Ratios of one kind on a line.
struct StripRow {
    Text label;
    Text value;  ///< above the strip on the right, as the table prints it
    Family family = Family::Other;
    std::vector<double> ratios;
    double middle = 1;  ///< marked: their median
};

/// How ratios scatter around 1, a row a kind, on one logarithmic axis that is labelled with what
/// they are more or less than 1, in percent.
struct StripChart {
    Text axis;
    double band = 0.2;  ///< a line at so much more, and one at so much less
    Text middleLabel;
    std::vector<StripRow> rows;
};

struct ChartSpec {
    std::string id;    ///< unique in a document, [a-z0-9-]
    Text question;     ///< the title
    Text answer;       ///< the subtitle
    Text description;  ///< what a reader who can't see it needs: the answer and the main data
    std::variant<BarChart, RooflineChart, TornadoChart, ParityChart, StripChart> chart;
};

/// Why `spec` can't be drawn honestly (a negative, infinite or missing number); empty when sound.
[[nodiscard]] std::vector<Finding> validate(const ChartSpec& spec);

}  // namespace trainwright::reports
