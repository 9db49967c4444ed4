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
    Text tip = {};  ///< what a reader who points at it is told: "tensor: 1.40 s, 18%"
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
    std::string key;     ///< of the datum, as of the table's row that says the same; may be empty
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
    std::string key;
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
    std::string key = {};
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
    std::string key = {};
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

/// What a box of a Gantt chart is.
enum class GanttKind {
    Forward,
    Backward,
    BackwardInput,
    WeightGradient,
    Waiting,
    Data,
    Optimizer,
    Other
};
inline constexpr int kGanttKindCount = 8;
[[nodiscard]] Text ganttKindLabel(GanttKind kind);
struct GanttStyle {
    Role fill, ink;
    Pattern pattern;
    const char* letter;  ///< "F"; "" for none
};
[[nodiscard]] GanttStyle ganttStyle(GanttKind kind);

struct GanttBox {
    int row = 0;
    GanttKind kind = GanttKind::Forward;
    long microBatch = -1;     ///< none
    int chunk = 0;            ///< of its stage's
    double from = 0, to = 0;  ///< in the unit of the axis
    bool isCritical = false;  ///< the step would end sooner if it did
};

/// A stretch of time with a name, below the rows: "fill", "drain".
struct GanttSpan {
    Text label;
    double from = 0, to = 0;
};

/// Rows of boxes on one time axis from zero.
struct GanttChart {
    Text axis;               ///< with the unit
    std::vector<Text> rows;  ///< from above
    /// Row by row, each in the order of time and without overlap.
    std::vector<GanttBox> boxes;
    std::vector<GanttSpan> spans;
    double end = 0;           ///< of the axis
    double from = 0, to = 0;  ///< what is in view of it; to 0: all
    int decimals = 0;         ///< of a time in a tooltip
};

/// How much of a system is drawn.
enum class TopologyZoom { Chip, Instance, Domain, Cluster };
inline constexpr int kTopologyZoomCount = 4;

enum class NodeShape { Rank, Chip, Host, Switch, Domain };

struct TopologyNode {
    Text label;
    NodeShape shape = NodeShape::Chip;
    double column = 0, row = 0;  ///< on the drawing's own grid, from the upper left
    double columnSpan = 1, rowSpan = 1;
    long times = 1;  ///< that it stands for
    int panel = 0;   ///< nodes of a panel are drawn in one frame
};

struct TopologyLink {
    std::size_t from = 0, to = 0;  ///< nodes
    bool isWrap = false;           ///< leaves at one edge of the drawing and comes in at the other
    std::size_t kind = 0;          ///< into TopologyChart::kinds
};

/// Links that are alike: drawn and listed once.
struct LinkKind {
    Text name;
    double gigabytesPerSecond = 0;  ///< one way
    Text rate;                      ///< "128 GB/s"
    std::optional<double> load;     ///< share of the time that the chart names; none: not known
    Text loadLabel;                 ///< "71%"
    long times = 1;                 ///< links of this kind in what is drawn
    bool isBusiest = false;
    std::string key;
};

/// One of everything: a scale-up domain and one of each tier above it.
struct TopologyChart {
    TopologyZoom zoom = TopologyZoom::Domain;
    std::vector<Text> panels;  ///< titles of the frames; one without a title: no frame
    std::vector<TopologyNode> nodes;
    std::vector<TopologyLink> links;
    std::vector<LinkKind> kinds;
    Text loadMeaning;  ///< what the loads are shares of
};
/// Which of five steps a load is drawn in: 0 below 20%, 4 from 80%.
[[nodiscard]] int loadStep(double load);

/// One way to have the job done, on two scales.
struct ScatterPoint {
    Text label;
    Family family = Family::Other;
    std::optional<double> x, y;           ///< none: not known, drawn beside the scale
    std::optional<Whisker> xBand, yBand;  ///< drawn for the chosen one
    bool isLabelled = false;
    bool isChosen = false;
    bool meetsLimits = true;  ///< else its glyph is hollow
    Text tip;
    std::string key;
};

/// Points that no other of the same family beats on both scales, drawn as steps.
struct ScatterFront {
    Family family = Family::Other;
    std::vector<std::size_t> points;  ///< from the smallest x; y falls
};

/// An axis from a round value to a round value; as days from a date, or as numbers.
struct ValueAxis {
    Text label;                         ///< with the unit
    std::optional<long> dayZero = {};   ///< days since 1970 of value 0: the axis shows dates
    std::optional<BarMark> limit = {};  ///< a line across, with its name
};

struct ScatterChart {
    ValueAxis horizontal, vertical;
    std::vector<ScatterPoint> points;
    std::vector<ScatterFront> fronts;
    std::vector<std::pair<Family, Text>> legend;
    Text better;         ///< which corner is: "lower left is better"
    Text feasibleLabel;  ///< in the tinted part, between the limits
};

/// A step of a curve: from here on, until the next one.
struct StepsPoint {
    double x = 0, y = 0;
    bool meetsLimits = true;
    Text tip;
    std::string key;
};

struct StepsSeries {
    Text label;
    Family family = Family::Other;
    int dash = 0;                    ///< 0 solid; more where a family has more than one
    std::vector<StepsPoint> points;  ///< from the smallest x; y falls
    Text end;  ///< what ends the curve on the left: "no more than 256 instances are sold"
};

/// The least that keeps a date, over the dates.
struct StepsChart {
    ValueAxis horizontal, vertical;  ///< limits are handles, where they are there
    std::vector<StepsSeries> series;
    Text beyond;  ///< in the shaded part, past the horizontal limit: why it doesn't do
};

struct ChartSpec {
    std::string id;    ///< unique in a document, [a-z0-9-]
    Text question;     ///< the title
    Text answer;       ///< the subtitle
    Text description;  ///< what a reader who can't see it needs: the answer and the main data
    std::variant<BarChart, RooflineChart, TornadoChart, ParityChart, StripChart, GanttChart,
                 TopologyChart, ScatterChart, StepsChart>
        chart;
    std::string language = "en";  ///< of its words; axes write numbers alike
};

/// Why `spec` can't be drawn honestly (a negative, infinite or missing number); empty when sound.
[[nodiscard]] std::vector<Finding> validate(const ChartSpec& spec);

}  // namespace trainwright::reports
