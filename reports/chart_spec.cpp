// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/chart_spec.h"

#include <cmath>

namespace trainwright::reports {
namespace {

void require(bool holds, const ChartSpec& spec, const char* what, std::vector<Finding>& findings) {
    if (!holds) findings.push_back({Severity::Error, Text{"chart {1}: {2}", {spec.id, what}}, {}});
}

bool isLength(double value) {
    return std::isfinite(value) && value >= 0.0;
}
bool isOnLogScale(double value) {
    return std::isfinite(value) && value > 0.0;
}

void check(const BarChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const BarPanel& panel : chart.panels) {
        require(isLength(panel.atLeast), spec, "the axis has no finite end", findings);
        for (const BarMark& limit : panel.limits)
            require(isLength(limit.value), spec, "a limit is not a length", findings);
        for (const Bar& bar : panel.bars) {
            require(!bar.notKnown || bar.segments.empty(), spec,
                    "a bar that is not known has a length", findings);
            require(isLength(bar.hidden), spec, "an outline is not a length", findings);
            for (const Segment& segment : bar.segments)
                require(isLength(segment.value), spec, "a segment is not a length", findings);
            for (const BarMark& mark : bar.marks)
                require(isLength(mark.value), spec, "a mark is not a length", findings);
            require(!bar.whisker || (isLength(bar.whisker->low) && isLength(bar.whisker->high) &&
                                     bar.whisker->low <= bar.whisker->high),
                    spec, "a whisker has no two ends in order", findings);
        }
    }
}

void check(const RooflineChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    require(isOnLogScale(chart.terabytesPerSecond), spec, "the memory roof has no bandwidth",
            findings);
    require(!chart.roofs.empty(), spec, "no roof is given", findings);
    for (const Roof& roof : chart.roofs)
        require(isOnLogScale(roof.teraflopsPerSecond), spec, "a roof is not positive", findings);
    for (const RooflinePoint& point : chart.points)
        require(isOnLogScale(point.flopPerByte) && isOnLogScale(point.teraflopsPerSecond), spec,
                "a point is not on the logarithmic scale", findings);
}

void check(const TornadoChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const SpanPanel& panel : chart.panels) {
        require(isLength(panel.middle), spec, "the middle is not a length", findings);
        for (const Span& span : panel.spans)
            require(isLength(span.atLow) && isLength(span.atHigh), spec,
                    "an end of a span is not a length", findings);
    }
}

void check(const ParityChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const ParityPoint& point : chart.points)
        require(isOnLogScale(point.measured) && isOnLogScale(point.predicted), spec,
                "a point is not on the logarithmic scale", findings);
    for (const ParityNote& note : chart.notes)
        require(note.point < chart.points.size(), spec, "a note is of no point", findings);
}

void check(const StripChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const StripRow& row : chart.rows) {
        require(isOnLogScale(row.middle), spec, "a middle is not on the logarithmic scale",
                findings);
        for (double ratio : row.ratios)
            require(isOnLogScale(ratio), spec, "a ratio is not on the logarithmic scale", findings);
    }
}

void check(const GanttChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    require(isLength(chart.end) && chart.end > 0, spec, "the axis has no finite end", findings);
    require(isLength(chart.from) && isLength(chart.to), spec, "what is in view is no stretch",
            findings);
    const GanttBox* before = nullptr;
    const double slack = chart.end * 1e-9;
    for (const GanttBox& box : chart.boxes) {
        require(box.row >= 0 && box.row < static_cast<int>(chart.rows.size()), spec,
                "a box is in no row", findings);
        require(isLength(box.from) && isLength(box.to) && box.from <= box.to, spec,
                "a box has no two ends in order", findings);
        if (before != nullptr) {
            require(before->row <= box.row, spec, "the rows of boxes are mixed", findings);
            require(before->row != box.row || before->to <= box.from + slack, spec,
                    "two boxes of a row overlap", findings);
        }
        before = &box;
    }
}

void check(const TopologyChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    require(!chart.nodes.empty(), spec, "there is nothing to join", findings);
    for (const TopologyLink& link : chart.links) {
        require(link.from < chart.nodes.size() && link.to < chart.nodes.size(), spec,
                "a link ends at no node", findings);
        require(link.kind < chart.kinds.size(), spec, "a link is of no kind", findings);
    }
    for (const LinkKind& kind : chart.kinds) {
        require(isLength(kind.gigabytesPerSecond), spec, "a link's rate is not a length", findings);
        require(!kind.load || isLength(*kind.load), spec, "a load is not a share", findings);
    }
}

bool isFiniteOrMissing(const std::optional<double>& value) {
    return !value || isLength(*value);
}

void check(const ScatterChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const ScatterPoint& point : chart.points)
        require(isFiniteOrMissing(point.x) && isFiniteOrMissing(point.y), spec,
                "a point is not on the scale", findings);
    for (const ScatterFront& front : chart.fronts)
        for (std::size_t index : front.points)
            require(index < chart.points.size() && chart.points[index].x && chart.points[index].y,
                    spec, "a front has no such point", findings);
    for (const ValueAxis* axis : {&chart.horizontal, &chart.vertical})
        require(!axis->limit || isLength(axis->limit->value), spec, "a limit is not a length",
                findings);
}

void check(const StepsChart& chart, const ChartSpec& spec, std::vector<Finding>& findings) {
    for (const StepsSeries& series : chart.series) {
        const StepsPoint* before = nullptr;
        for (const StepsPoint& point : series.points) {
            require(isLength(point.x) && isLength(point.y), spec, "a step is not on the scale",
                    findings);
            require(before == nullptr || before->x <= point.x, spec, "steps are out of order",
                    findings);
            before = &point;
        }
    }
    for (const ValueAxis* axis : {&chart.horizontal, &chart.vertical})
        require(!axis->limit || isLength(axis->limit->value), spec, "a limit is not a length",
                findings);
}

}  // namespace

Text ganttKindLabel(GanttKind kind) {
    switch (kind) {
        case GanttKind::Forward:
            return {"forward", {}};
        case GanttKind::Backward:
            return {"backward", {}};
        case GanttKind::BackwardInput:
            return {"input gradients", {}};
        case GanttKind::WeightGradient:
            return {"weight gradients", {}};
        case GanttKind::Waiting:
            return {"waiting (bubble)", {}};
        case GanttKind::Data:
            return {"data parallel, exposed", {}};
        case GanttKind::Optimizer:
            return {"optimizer", {}};
        case GanttKind::Other:
            return {"other", {}};
    }
    return {};
}

GanttStyle ganttStyle(GanttKind kind) {
    switch (kind) {
        case GanttKind::Forward:
            return {Role::Compute, Role::ComputeInk, Pattern::Solid, "F"};
        case GanttKind::Backward:
        case GanttKind::BackwardInput:
            return {Role::Slate3, Role::Slate3Ink, Pattern::Solid, "B"};
        case GanttKind::WeightGradient:
            return {Role::Slate5, Role::Slate5Ink, Pattern::Solid, "W"};
        case GanttKind::Waiting:
            return {Role::Bubble, Role::Text, Pattern::DiagonalOutline, ""};
        case GanttKind::Data:
            return {Role::Data, Role::DataInk, Pattern::HorizontalLines, "D"};
        case GanttKind::Optimizer:
            return {Role::Other, Role::OtherInk, Pattern::Solid, "O"};
        case GanttKind::Other:
            break;
    }
    return {Role::Other, Role::OtherInk, Pattern::SparseDots, ""};
}

int loadStep(double load) {
    constexpr double kStep = 0.2;
    if (!(load > 0)) return 0;
    return load >= 4 * kStep ? 4 : static_cast<int>(load / kStep);
}

Family familyFromName(const std::string& chipFamily) {
    if (chipFamily == "trainium" || chipFamily == "inferentia") return Family::Trainium;
    if (chipFamily == "gpu") return Family::Gpu;
    return Family::Other;
}

Role familyRole(Family family) {
    switch (family) {
        case Family::Trainium:
            return Role::Trainium;
        case Family::Gpu:
            return Role::Gpu;
        case Family::Other:
            return Role::OtherFamily;
    }
    return Role::OtherFamily;
}

const char* familyGlyph(Family family) {
    switch (family) {
        case Family::Trainium:
            return "⬟";
        case Family::Gpu:
            return "■";
        case Family::Other:
            return "★";
    }
    return "★";
}

std::vector<Finding> validate(const ChartSpec& spec) {
    std::vector<Finding> findings;
    require(!spec.id.empty() && spec.id.find_first_not_of(
                                    "abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos,
            spec, "the id must be made of a-z, 0-9 and -", findings);
    std::visit([&](const auto& chart) { check(chart, spec, findings); }, spec.chart);
    return findings;
}

}  // namespace trainwright::reports
