// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/plan_charts.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "model/units/joined.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/keys.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kLabelledPoints = 5;

Bar barOf(const CandidateView& view) {
    Bar bar;
    bar.label = verbatim(view.request->name);
    bar.key = candidateKey(view.request->name);
    bar.family = view.family();
    bar.muted = view.standing == Standing::MissesLimit || view.standing == Standing::DoesNotFit;
    return bar;
}

Bar notKnownBar(const CandidateView& view, Text why) {
    Bar bar = barOf(view);
    bar.total = text(notKnown());
    bar.notKnown = std::move(why);
    return bar;
}

Segment segmentOf(double value, Text label, PartStyle style, Text tip = {}) {
    return {std::move(label), value, style.fill, style.ink, style.pattern, std::move(tip)};
}

Text doesNotFit() {
    return text("doesn't fit");
}

/// "a 1.0; b 2.0", for a description.
Text listed(const std::vector<Bar>& bars) {
    std::vector<Text> all;
    for (const Bar& bar : bars) {
        const Text& value = bar.total.empty() && bar.notKnown ? *bar.notKnown : bar.total;
        all.push_back(text("{1} {2}", bar.label, value));
    }
    return joined(all, "; ");
}

Text missText(const CandidateView& view, const char* constraint) {
    for (const search::Miss& miss : view.result->misses)
        if (miss.constraint == constraint) return miss.text;
    return {};
}

}  // namespace

PartStyle partStyle(layout::TimePart part) {
    switch (part) {
        case layout::TimePart::Compute:
            return {Role::Compute, Role::ComputeInk, Pattern::Solid};
        case layout::TimePart::Memory:
            return {Role::Memory, Role::MemoryInk, Pattern::Dots};
        case layout::TimePart::Tensor:
            return {Role::Tensor, Role::TensorInk, Pattern::VerticalLines};
        case layout::TimePart::Context:
            return {Role::Tensor, Role::TensorInk, Pattern::DottedVerticalLines};
        case layout::TimePart::Expert:
            return {Role::Expert, Role::ExpertInk, Pattern::CrossHatch};
        case layout::TimePart::Bubble:
            return {Role::Bubble, Role::Text, Pattern::DiagonalOutline};
        case layout::TimePart::Pipeline:
            return {Role::Bubble, Role::BubbleInk, Pattern::Solid};
        case layout::TimePart::Data:
            return {Role::Data, Role::DataInk, Pattern::HorizontalLines};
        case layout::TimePart::Recompute:
            return {Role::Recompute, Role::RecomputeInk, Pattern::BackDiagonal};
        case layout::TimePart::Optimizer:
            return {Role::Other, Role::OtherInk, Pattern::CrossHatch};
        case layout::TimePart::Other:
            return {Role::Other, Role::OtherInk, Pattern::SparseDots};
    }
    return {Role::Other, Role::OtherInk, Pattern::Solid};
}

PartStyle partStyle(layout::MemoryKind kind) {
    switch (kind) {
        case layout::MemoryKind::Weights:
            return {Role::Slate1, Role::Slate1Ink, Pattern::Solid};
        case layout::MemoryKind::Gradients:
            return {Role::Slate2, Role::Slate2Ink, Pattern::Solid};
        case layout::MemoryKind::Optimizer:
            return {Role::Slate3, Role::Slate3Ink, Pattern::Solid};
        case layout::MemoryKind::Activations:
            return {Role::Slate4, Role::Slate4Ink, Pattern::Solid};
        case layout::MemoryKind::Logits:
            return {Role::Slate5, Role::Slate5Ink, Pattern::BackDiagonal};
        case layout::MemoryKind::Buffers:
            return {Role::Slate5, Role::Slate5Ink, Pattern::Solid};
        case layout::MemoryKind::Reserve:
            return {Role::Slate5, Role::Text, Pattern::DiagonalOutline};
    }
    return {Role::Slate5, Role::Slate5Ink, Pattern::Solid};
}

std::optional<ChartSpec> costAndTimeChart(const search::PlanRequest& request,
                                          const std::vector<CandidateView>& views) {
    if (views.empty()) return std::nullopt;
    BarPanel time, cost;
    time.axis = text("days");
    cost.axis = text("M USD");
    for (const CandidateView& view : views) {
        const run::RunResult& run = view.result->run;
        const PartStyle fill{familyRole(view.family()), Role::Text, Pattern::Solid};
        if (!view.runs()) {
            time.bars.push_back(notKnownBar(view, doesNotFit()));
            cost.bars.push_back(notKnownBar(view, doesNotFit()));
            for (BarPanel* panel : {&time, &cost}) {
                panel->bars.back().total = {};
                panel->bars.back().notKnownMark = "×";
            }
            continue;
        }
        if (std::isfinite(run.days) && run.days > 0) {
            Bar bar = barOf(view);
            bar.muted = !missText(view, "finish_by").empty();
            bar.segments.push_back(segmentOf(run.days, text("days"), fill));
            const Argument duration = withRange(days(run.days), daysRange(view));
            bar.total = run.finish ? text("{1} → {2}", duration, run::isoDate(*run.finish))
                                   : verbatim(duration);
            if (const auto& b = view.result->bands; b && std::isfinite(b->days.p90))
                bar.whisker = Whisker{b->days.p10, b->days.p90};
            time.bars.push_back(std::move(bar));
        } else {
            time.bars.push_back(notKnownBar(view, text("never done")));
        }
        if (run.money.total && std::isfinite(run.money.total->value())) {
            Bar bar = barOf(view);
            bar.muted = !missText(view, "budget").empty();
            bar.segments.push_back(segmentOf(run.money.total->value() / 1e6, text("M USD"), fill));
            bar.total = verbatim(withRange(millions(*run.money.total), costRange(view)));
            if (const auto& b = view.result->bands;
                b && b->cost && std::isfinite(b->cost->p90.value()))
                bar.whisker = Whisker{b->cost->p10.value() / 1e6, b->cost->p90.value() / 1e6};
            cost.bars.push_back(std::move(bar));
        } else {
            cost.bars.push_back(notKnownBar(view, text("no price")));
        }
    }
    const search::Constraints& limits = request.constraints;
    if (limits.finishBy && request.start)
        time.limits.push_back({text("your date {1}", run::isoDate(*limits.finishBy)),
                               static_cast<double>(run::daysSinceEpoch(*limits.finishBy) -
                                                   run::daysSinceEpoch(*request.start)),
                               false});
    if (limits.budget)
        cost.limits.push_back({text("your budget {1}", trimmed(limits.budget->value() / 1e6)),
                               limits.budget->value() / 1e6, false});

    ChartSpec spec;
    spec.id = "chart-cost-and-time";
    spec.question = text("How long does each take, and what does it cost?");
    spec.answer = anyBands(views)
                      ? text(
                            "Same axes for all; whiskers span P10 to P90, an outline misses the "
                            "limit of its panel, a hatched box is not known.")
                      : text(
                            "Same axes for all; an outline misses the limit of its panel, a "
                            "hatched box is not known.");
    spec.description = text("Days: {1}. M USD: {2}.", listed(time.bars), listed(cost.bars));
    spec.chart = BarChart{{std::move(time), std::move(cost)}, {}};
    return spec;
}

std::optional<ChartSpec> timeChart(const std::vector<CandidateView>& views) {
    BarPanel panel;
    panel.axis = text("seconds a step");
    BarChart chart;
    bool used[layout::kTimePartCount] = {};
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        Bar bar = barOf(view);
        bar.muted = false;
        for (const TimeShare& share : timeShares(view.result->step)) {
            bar.segments.push_back(
                segmentOf(share.value, verbatim(share.percent), partStyle(share.part),
                          text("{1}: {2} s, {3} of the step", timePartLabel(share.part),
                               share.seconds, share.percent)));
            used[static_cast<std::size_t>(share.part)] = true;
        }
        bar.total = verbatim(seconds(view.result->step.stepTime));
        if (double hidden = view.result->step.hiddenCommunication.value();
            hidden > 0 && std::isfinite(hidden)) {
            bar.hidden = hidden;
            bar.hiddenLabel =
                text("hidden under compute {1}", seconds(view.result->step.hiddenCommunication));
        }
        panel.bars.push_back(std::move(bar));
    }
    if (panel.bars.empty()) return std::nullopt;
    for (int p = 0; p < layout::kTimePartCount; ++p)
        if (used[p]) {
            const auto part = static_cast<layout::TimePart>(p);
            chart.legend.push_back(segmentOf(0, timePartLabel(part), partStyle(part)));
        }
    ChartSpec spec;
    spec.id = "chart-time";
    spec.question = text("Where does a step go?");
    const CandidateView* first = nullptr;
    for (const CandidateView& view : views)
        if (view.runs() && first == nullptr) first = &view;
    spec.answer = first->result->bottleneck.empty()
                      ? text("Seconds of one optimizer step, same axis for all.")
                      : text("{1}: {2}", first->request->name, first->result->bottleneck);
    spec.description =
        text("Seconds a step: {1}. The table below has the parts.", listed(panel.bars));
    chart.panels.push_back(std::move(panel));
    spec.chart = std::move(chart);
    return spec;
}

namespace {

/// The kinds of one stage end to end, against what a rank has; `used` notes the kinds that occur.
void fillMemoryBar(Bar& bar, const layout::StageMemory& stage, const layout::MemoryResult& memory,
                   std::array<bool, layout::kMemoryKindCount>& used) {
    bar.muted = false;
    for (int k = 0; k < layout::kMemoryKindCount; ++k) {
        const double part = units::inGibibytes(stage.byKind[static_cast<std::size_t>(k)]);
        if (!(part > 0)) continue;
        const auto kind = static_cast<layout::MemoryKind>(k);
        bar.segments.push_back(
            segmentOf(part, verbatim(estimate(part)), partStyle(kind),
                      text("{1}: {2} GiB", memoryKindLabel(kind), estimate(part))));
        used[static_cast<std::size_t>(k)] = true;
    }
    const double capacity = units::inGibibytes(memory.capacity);
    if (capacity > 0) {
        bar.marks.push_back({text("limit less headroom"), units::inGibibytes(memory.usable), true});
        bar.marks.push_back({text("capacity"), capacity, false});
        bar.total =
            text("{1} of {2}", gibibyteNumber(stage.total()), gibibyteNumber(memory.usable));
    } else {
        bar.total = verbatim(gibibyteNumber(stage.total()));
    }
    if (capacity > 0 && stage.total() > memory.usable)
        bar.note = text("✕ over by {1}", gibibytes(stage.total() - memory.usable));
}

ChartSpec memorySpec(BarPanel panel, const std::array<bool, layout::kMemoryKindCount>& used) {
    BarChart chart;
    for (int k = 0; k < layout::kMemoryKindCount; ++k)
        if (used[static_cast<std::size_t>(k)]) {
            const auto kind = static_cast<layout::MemoryKind>(k);
            chart.legend.push_back(segmentOf(0, memoryKindLabel(kind), partStyle(kind)));
        }
    ChartSpec spec;
    spec.id = "chart-memory";
    spec.question = text("Does it fit, and what fills the memory?");
    spec.answer =
        text("Solid line: capacity of a rank; dashed: what may be used of it after the headroom.");
    spec.description =
        text("GiB a rank on the fullest stage, of what may be used: {1}.", listed(panel.bars));
    chart.panels.push_back(std::move(panel));
    spec.chart = std::move(chart);
    return spec;
}

}  // namespace

std::optional<ChartSpec> memoryChart(const std::vector<CandidateView>& views) {
    BarPanel panel;
    panel.axis = text("GiB a rank, fullest stage");
    std::array<bool, layout::kMemoryKindCount> used{};
    for (const CandidateView& view : views) {
        const layout::MemoryResult& memory = view.result->step.memory;
        const double total = units::inGibibytes(memory.peak.total());
        if (!(total > 0) || !std::isfinite(total)) continue;
        Bar bar = barOf(view);
        fillMemoryBar(bar, memory.peak, memory, used);
        panel.bars.push_back(std::move(bar));
    }
    if (panel.bars.empty()) return std::nullopt;
    return memorySpec(std::move(panel), used);
}

std::optional<ChartSpec> stageMemoryChart(const CandidateView& view) {
    const layout::MemoryResult& memory = view.result->step.memory;
    if (!(memory.peak.total().value() > 0)) return std::nullopt;
    BarPanel panel;
    panel.axis = text("GiB a rank");
    std::array<bool, layout::kMemoryKindCount> used{};
    const StageRows rows = stageRows(memory);
    for (const StageMemoryRow& row : rows.rows) {
        Bar bar;
        bar.label = text("stage {1}", count(row.memory->stage));
        bar.key = stageKey(row.memory->stage);
        fillMemoryBar(bar, *row.memory, memory, used);
        panel.bars.push_back(std::move(bar));
    }
    ChartSpec spec = memorySpec(std::move(panel), used);
    spec.description = text("GiB a rank by stage, of what may be used: {1}.",
                            listed(std::get<BarChart>(spec.chart).panels.front().bars));
    if (rows.leftOut > 0)
        spec.answer = text("{1} {2} more stages lie between the lightest and the fullest.",
                           spec.answer, count(rows.leftOut));
    return spec;
}

namespace {

PartStyle partStyle(CostKind kind) {
    switch (kind) {
        case CostKind::Useful:
            return {Role::Slate1, Role::Slate1Ink, Pattern::Solid};
        case CostKind::Lost:
            return {Role::Slate3, Role::Slate3Ink, Pattern::BackDiagonal};
        case CostKind::Unused:
            return {Role::Slate5, Role::Slate5Ink, Pattern::Solid};
        case CostKind::Storage:
            return {Role::Slate2, Role::Slate2Ink, Pattern::Dots};
        case CostKind::Egress:
            return {Role::Slate4, Role::Slate4Ink, Pattern::VerticalLines};
        case CostKind::Electricity:
            return {Role::Slate4, Role::Slate4Ink, Pattern::HorizontalLines};
        case CostKind::Operation:
            return {Role::Slate2, Role::Slate2Ink, Pattern::Solid};
        case CostKind::Rest:
            break;
    }
    return {Role::Other, Role::OtherInk, Pattern::Solid};
}

}  // namespace

std::optional<ChartSpec> costChart(const std::vector<CandidateView>& views) {
    BarPanel panel;
    panel.axis = text("M USD");
    BarChart chart;
    std::vector<Text> labels;
    bool anyKnown = false;
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        const CostParts parts = costParts(view.result->run.money);
        if (parts.parts.empty()) {
            panel.bars.push_back(notKnownBar(view, text("no price")));
            continue;
        }
        anyKnown = true;
        Bar bar = barOf(view);
        bar.muted = false;
        for (const CostPart& part : parts.parts) {
            if (part.isThin) continue;
            const PartStyle style = partStyle(part.kind);
            if (std::find(labels.begin(), labels.end(), part.label) == labels.end()) {
                labels.push_back(part.label);
                chart.legend.push_back(segmentOf(0, part.label, style));
            }
            bar.segments.push_back(segmentOf(part.usd / 1e6, verbatim(part.millions), style,
                                             text("{1}: {2} M USD", part.label, part.millions)));
        }
        bar.total = verbatim(millions(*view.result->run.money.total));
        panel.bars.push_back(std::move(bar));
    }
    if (!anyKnown) return std::nullopt;
    ChartSpec spec;
    spec.id = "chart-cost";
    spec.question = text("What is paid for?");
    spec.answer = text(
        "Hours that train, hours lost, hours billed without use, and what stands beside them.");
    spec.description = text("M USD: {1}.", listed(panel.bars));
    chart.panels.push_back(std::move(panel));
    spec.chart = std::move(chart);
    return spec;
}

std::optional<ChartSpec> tornadoChart(const CandidateView& view, const std::string& id) {
    constexpr std::size_t kShown = 8;
    const run::RunResult& run = view.result->run;
    if (!view.runs() || !view.result->bands || view.result->bands->tornado.empty() ||
        !std::isfinite(run.days))
        return std::nullopt;
    SpanPanel time{text("days"), run.days, text("{1} days", days(run.days)), {}};
    SpanPanel cost{text("M USD"), 0, {}, {}};
    if (run.money.total) {
        cost.middle = run.money.total->value() / 1e6;
        cost.middleLabel = text("{1} M USD", millions(*run.money.total));
    }
    std::vector<Text> listing;
    for (const belief::Swing& s : view.result->bands->tornado) {
        if (time.spans.size() == kShown) break;
        if (!std::isfinite(s.atLow.days) || !std::isfinite(s.atHigh.days)) continue;
        Span span{inputLabel(s),
                  s.atLow.days,
                  s.atHigh.days,
                  verbatim(inputText(s.unit, s.low)),
                  verbatim(inputText(s.unit, s.high)),
                  text(Key{"input", {}, s.id})};
        listing.push_back(text("{1} {2} to {3}", span.label, days(span.atLow), days(span.atHigh)));
        time.spans.push_back(span);
        if (!run.money.total || !s.atLow.cost || !s.atHigh.cost) continue;
        span.atLow = s.atLow.cost->value() / 1e6;
        span.atHigh = s.atHigh.cost->value() / 1e6;
        cost.spans.push_back(std::move(span));
    }
    if (time.spans.empty()) return std::nullopt;
    TornadoChart chart;
    chart.lowLegend = text("the input at its P10");
    chart.highLegend = text("the input at its P90");
    ChartSpec spec;
    spec.id = id;
    spec.question = text("What would change the answer for {1}?", view.request->name);
    spec.answer = widestSwing(view);
    spec.description =
        text("Days with one input at a time at its P10 and its P90: {1}.", joined(listing, "; "));
    chart.panels.push_back(std::move(time));
    if (!cost.spans.empty()) chart.panels.push_back(std::move(cost));
    spec.chart = std::move(chart);
    return spec;
}

std::optional<ChartSpec> rooflineChart(const search::PlanRequest& request,
                                       const CandidateView& view, const std::string& id,
                                       units::FlopPerSecond reached) {
    const machine::ChipSpec& chip = view.request->system.chip;
    const auto dtype = static_cast<std::size_t>(request.training.precision);
    const double headline = chip.headlinePeak[dtype].value() / 1e12;
    const double engine = chip.enginePeak[dtype].value() / 1e12;
    const double bandwidth = chip.hbmBandwidth.value() / 1e12;
    const double roof = engine > 0 ? engine : headline;
    if (!view.runs() || !(bandwidth > 0) || !(roof > 0)) return std::nullopt;

    RooflineChart chart;
    const std::string precision = machine::name(request.training.precision);
    chart.horizontalAxis = text("FLOP a byte of HBM traffic");
    chart.verticalAxis = text("TFLOP/s of one chip");
    if (headline > roof * 1.001)
        chart.roofs.push_back(
            {text("{1} data sheet {2}", precision, estimate(headline)), headline, true});
    chart.roofs.push_back({engine > 0 ? text("{1} engine {2}", precision, estimate(engine))
                                      : text("{1} data sheet {2}", precision, estimate(headline)),
                           roof, engine <= 0});
    if (const double top = reached.value() / 1e12; top > 0 && top < roof)
        chart.roofs.push_back(
            {text("large {1} products reach {2}", precision, estimate(top)), top, true});
    chart.terabytesPerSecond = bandwidth;
    chart.memoryLabel = text("HBM {1} TB/s", estimate(bandwidth));
    chart.ridgeFlopPerByte = roof / bandwidth;
    chart.ridgeLabel = text("ridge {1}", estimate(chart.ridgeFlopPerByte));

    const std::vector<OperatorRow> rows = operatorRows(view);
    std::size_t above = 0;
    double withoutArithmetic = 0;
    bool gemm = false, attention = false, vector = false;
    std::vector<Text> largest;
    for (const OperatorRow& row : rows) {
        if (!row.chipTeraflops || !row.flopPerByte || !(*row.chipTeraflops > 0)) {
            withoutArithmetic += row.total;
            continue;
        }
        RooflinePoint point;
        point.flopPerByte = *row.flopPerByte;
        point.teraflopsPerSecond = *row.chipTeraflops;
        point.share = row.total / view.result->step.stepTime.value();
        switch (row.kind) {
            case layout::OperatorKind::Gemm:
                point.shape = PointShape::Circle;
                gemm = true;
                break;
            case layout::OperatorKind::Attention:
                point.shape = PointShape::Diamond;
                attention = true;
                break;
            case layout::OperatorKind::Vector:
                point.shape = PointShape::Plus;
                vector = true;
                break;
        }
        point.label = text("{1}, {2}", text(row.name), phaseLabel(row.phase));
        point.key = operatorKey(row);
        point.labelled = chart.points.size() < kLabelledPoints;
        if (point.labelled) {
            largest.push_back(text("{1} {2} TFLOP/s at {3} FLOP a byte, {4} of the step",
                                   point.label, estimate(point.teraflopsPerSecond),
                                   estimate(point.flopPerByte), row.percent));
        }
        if (point.teraflopsPerSecond > std::min(roof, point.flopPerByte * bandwidth) * 1.02)
            ++above;
        chart.points.push_back(std::move(point));
    }
    if (chart.points.empty()) return std::nullopt;
    if (gemm) chart.legend.emplace_back(PointShape::Circle, text("matrix product"));
    if (attention) chart.legend.emplace_back(PointShape::Diamond, text("attention"));
    if (vector) chart.legend.emplace_back(PointShape::Plus, text("vector operator"));

    ChartSpec spec;
    spec.id = id;
    spec.question =
        text("Does arithmetic or memory limit each operator of {1}?", view.request->name);
    spec.answer =
        above > 0 ? text("{1} points lie above their roof: a figure of {2} is at fault.",
                         count(static_cast<double>(above)), chip.name)
        : withoutArithmetic > 0
            ? text(
                  "One {1}; the larger the mark, the more of the step. Operators that only move "
                  "bytes have no point; they "
                  "take {2} of the step.",
                  chip.name, percent(withoutArithmetic / view.result->step.stepTime.value()))
            : text("One {1}; the larger the mark, the more of the step.", chip.name);
    spec.description =
        text("Roof {1} TFLOP/s, memory {2} TB/s, ridge at {3} FLOP a byte. Largest: {4}.",
             estimate(roof), estimate(bandwidth), estimate(chart.ridgeFlopPerByte),
             joined(largest, "; "));
    spec.chart = std::move(chart);
    return spec;
}

}  // namespace trainwright::reports
