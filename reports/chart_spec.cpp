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

}  // namespace

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
