// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/explain_sections.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

#include "model/network/graph.h"
#include "reports/document_parts.h"
#include "reports/keys.h"
#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

constexpr double kTera = 1e12;

Cell teraCell(double perSecond, const char* unit) {
    return perSecond > 0 ? number(perSecond, unit, estimate(perSecond / kTera)) : notKnownCell();
}

Cell flopRate(units::FlopPerSecond rate) {
    return teraCell(rate.value(), "FLOP/s");
}

Cell secondsCell(double value, const std::string& display) {
    return number(value, "s", display);
}

Cell empty() {
    return words(verbatim(""));
}

/// A row of words and nothing, to be filled from its end.
Row rowOf(Cell first, std::size_t columns) {
    Row row;
    row.cells.assign(columns, empty());
    row.cells.front() = std::move(first);
    return row;
}

std::string percentOf(double part, double whole) {
    return fixed(part / whole * 100.0, 1) + "%";
}

// ---- the model ------------------------------------------------------------------------------

/// Groups of a quantity, its value and how it is reckoned.
class Reckoning {
public:
    explicit Reckoning(const char* id, Text caption) {
        table_.id = id;
        table_.caption = std::move(caption);
        table_.columns = {{text("quantity"), false}, {text("value"), true}, {text("how"), false}};
        table_.sortable = false;
    }
    void group(Text title) { table_.groups.push_back({std::move(title), {}}); }
    void add(const char* label, Cell value, const char* how) {
        Row row;
        row.cells = {words(text(label)), std::move(value), words(text(how))};
        table_.groups.back().rows.push_back(std::move(row));
    }
    Table take() { return std::move(table_); }

private:
    Table table_;
};

Cell countCell(double value) {
    return number(value, "", count(value));
}

Cell flopCell(units::Flop work) {
    return number(work.value(), "FLOP", bigCount(work.value(), 4));
}

Cell binaryCell(units::Bytes bytes) {
    return bytes.value() > 0 ? number(bytes.value(), "B", gibibytes(bytes)) : doesNotApply();
}

// ---- roofline -------------------------------------------------------------------------------

Table ceilingsTable(const CandidateView& view, const search::Ceilings& ceilings) {
    Table table;
    table.id = "roofline-ceilings";
    table.caption = text("Ceilings of one chip, TFLOP/s");
    table.columns = {{text("dtype"), false},
                     {text("data sheet"), true},
                     {text("engine"), true, false, 3},
                     {text("matrix product"), true},
                     {text("attention"), true, false, 2},
                     {text("backward"), true, false, 1},
                     {text("ridge"), true},
                     {text("here"), false}};
    std::set<machine::Dtype> used;
    for (const layout::OperatorCost& op : view.result->step.operators)
        if (op.kind != layout::OperatorKind::Vector) used.insert(op.dtype);
    RowGroup group;
    for (int i = 0; i < machine::kDtypeCount; ++i) {
        const auto dtype = static_cast<machine::Dtype>(i);
        const search::Ceilings::OfDtype& c = ceilings.byDtype[static_cast<std::size_t>(i)];
        if (!(c.matrix.value() > 0)) continue;
        const double ridge = ceilings.ridge(dtype).value();
        Row row;
        row.tone = used.contains(dtype) ? Tone::Strong : Tone::Plain;
        row.cells = {name(machine::name(dtype)),
                     flopRate(c.dataSheet),
                     flopRate(c.engine),
                     flopRate(c.matrix),
                     flopRate(c.attentionForward),
                     flopRate(c.attentionBackward),
                     ridge > 0 ? number(ridge, "FLOP/byte", estimate(ridge)) : notKnownCell(),
                     used.contains(dtype) ? words(text("in use")) : empty()};
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.sortable = false;
    table.footnotes = {text(
        "Matrix product, attention and backward (of attention): what the largest reach, at the "
        "clock that the power limit leaves. Ridge: FLOP a byte from which arithmetic, not memory, "
        "limits a "
        "matrix product.")};
    return table;
}

Table roofTable(const CandidateView& view, const search::Ceilings& ceilings) {
    Table table;
    table.id = "roofline-operators";
    table.caption = text("Operators of the busiest stage, {1}, each under its roof",
                         count(view.result->step.busiestStage));
    table.columns = {{text("operator"), false},
                     {text("phase"), false},
                     {text("dtype"), false, false, 2},
                     {text("bound"), false, false, 4},
                     {text("FLOP/byte"), true, false, 7},
                     {text("TFLOP/s"), true, false, 8},
                     {text("roof"), true, false, 6},
                     {text("TB/s"), true, false, 3},
                     {text("of roof"), true, false, 5},
                     {text("seconds"), true},
                     {text("step"), true}};
    const double step = view.result->step.stepTime.value();
    RowGroup group;
    double total = 0;
    for (const OperatorRow& op : operatorRows(view)) {
        total += op.total;
        const double intensity = op.flopPerByte.value_or(0.0);
        const double roof = ceilings.roof(op.kind, op.phase, op.dtype, intensity).value();
        const double bandwidth = ceilings.memory.value();
        // What only moves bytes is held against the memory's own roof.
        double reached = 0;
        if (op.chipTeraflops && roof > 0)
            reached = *op.chipTeraflops * kTera / roof;
        else if (op.chipTerabytes && bandwidth > 0)
            reached = *op.chipTerabytes * kTera / bandwidth;
        Row row;
        row.cells = {
            words(text(op.name)),
            words(phaseLabel(op.phase)),
            name(machine::name(op.dtype)),
            words(boundLabel(op.bound)),
            op.flopPerByte ? number(intensity, "FLOP/byte", estimate(intensity)) : doesNotApply(),
            op.chipTeraflops ? number(*op.chipTeraflops, "TFLOP/s", estimate(*op.chipTeraflops))
                             : doesNotApply(),
            op.chipTeraflops && roof > 0 ? number(roof / kTera, "TFLOP/s", estimate(roof / kTera))
                                         : doesNotApply(),
            op.chipTerabytes ? number(*op.chipTerabytes, "TB/s", estimate(*op.chipTerabytes))
                             : doesNotApply(),
            reached > 0 ? number(reached, "", percent(reached)) : doesNotApply(),
            secondsCell(op.total, op.seconds),
            number(op.total / step, "", op.percent)};
        row.key = operatorKey(op);
        group.rows.push_back(std::move(row));
    }
    const std::size_t columns = table.columns.size();
    const int decimals = decimalsFor(step);
    const std::vector<std::string> parts = fixedTexts({total, step - total}, decimals);
    const auto sum = [&](Text label, double value, const std::string& display, bool isTotal) {
        Row row = rowOf(words(std::move(label)), columns);
        row.isTotal = isTotal;
        row.cells[columns - 2] = secondsCell(value, display);
        row.cells[columns - 1] = number(value / step, "", percentOf(value, step));
        group.rows.push_back(std::move(row));
    };
    sum(text("all operators"), total, parts[0], true);
    sum(text("communication, waiting, overhead"), step - total, parts[1], false);
    sum(text("step"), step, fixed(step, decimals), true);
    table.groups.push_back(std::move(group));
    table.footnotes = {
        text("TFLOP/s and TB/s are those of one chip while the operator runs. Roof: the lower of "
             "arithmetic's ceiling and the memory's {1} TB/s times FLOP/byte; what only moves "
             "bytes is held against the memory.",
             estimate(ceilings.memory.value() / kTera))};
    table.sortable = false;
    return table;
}

// ---- memory ---------------------------------------------------------------------------------

std::size_t largestKind(const layout::StageMemory& memory) {
    return static_cast<std::size_t>(std::max_element(memory.byKind.begin(), memory.byKind.end()) -
                                    memory.byKind.begin());
}

Text kindName(std::size_t kind) {
    return text(layout::name(static_cast<layout::MemoryKind>(kind)));
}

const layout::StageTime* timeOf(const layout::StepResult& step, int stage) {
    for (const layout::StageTime& time : step.stageTimes)
        if (time.stage == stage) return &time;
    return nullptr;
}

Table stagesMemoryTable(const layout::StepResult& step) {
    constexpr std::size_t kMostStages = 128;
    const layout::MemoryResult& memory = step.memory;
    const StageRows stages = stageRows(memory, kMostStages);
    // Kinds that no stage has are left out; where there is no room, the smallest go first.
    std::vector<std::size_t> kinds;
    for (std::size_t k = 0; k < memory.peak.byKind.size(); ++k)
        if (std::any_of(stages.rows.begin(), stages.rows.end(),
                        [&](const StageMemoryRow& r) { return r.memory->byKind[k].value() > 0; }))
            kinds.push_back(k);
    std::vector<std::size_t> bySize = kinds;
    std::stable_sort(bySize.begin(), bySize.end(), [&](std::size_t a, std::size_t b) {
        return memory.peak.byKind[a] < memory.peak.byKind[b];
    });
    constexpr int kFirstKindToGo = 5;
    Table table;
    table.id = "memory-stages";
    table.caption = text("GiB of one rank, stage by stage");
    table.columns = {
        {text("stage"), true}, {text("layers"), true, false, 3}, {text("held"), true, false, 4}};
    for (std::size_t k : kinds) {
        const auto place = std::find(bySize.begin(), bySize.end(), k) - bySize.begin();
        table.columns.push_back(
            {kindName(k), true, false, kFirstKindToGo + static_cast<int>(place)});
    }
    table.columns.push_back({text("total"), true});
    table.columns.push_back({text("of usable"), true, false, 1});
    table.columns.push_back({text("largest"), false, false, 2});
    RowGroup group;
    for (const StageMemoryRow& stage : stages.rows) {
        const layout::StageMemory& m = *stage.memory;
        const layout::StageTime* time = timeOf(step, m.stage);
        Row row;
        row.tone = stage.fullest ? Tone::Strong : Tone::Plain;
        row.cells = {number(m.stage, "", count(m.stage)),
                     time ? number(time->layers, "", count(time->layers)) : notKnownCell(),
                     number(m.microBatchesInFlight, "", trimmed(m.microBatchesInFlight))};
        for (std::size_t k : kinds)
            row.cells.push_back(number(stage.gibibytes[k], "GiB", stage.kinds[k]));
        row.cells.push_back(number(stage.totalGibibytes, "GiB", stage.total));
        const double usable = units::inGibibytes(memory.usable);
        row.cells.push_back(usable > 0 ? number(stage.totalGibibytes / usable, "",
                                                percent(stage.totalGibibytes / usable))
                                       : notKnownCell());
        row.cells.push_back(words(kindName(largestKind(m))));
        row.key = stageKey(m.stage);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {
        text("Kinds add up to the total of their row. Held: micro-batches whose activations a "
             "stage holds at once.")};
    if (stages.leftOut > 0)
        table.footnotes.push_back(text("{1} more stages lie between the lightest and the fullest.",
                                       count(stages.leftOut)));
    table.sortable = false;
    return table;
}

// ---- schedule -------------------------------------------------------------------------------

Table stagesTimeTable(const layout::StepResult& step, const search::PipelineStudy& study) {
    constexpr std::size_t kMostStages = 128;
    const double whole = study.timeline->seconds;
    const bool putsOff = study.problem.schedule == layout::Schedule::ZeroBubble ||
                         study.problem.schedule == layout::Schedule::DualPipe;
    Table table;
    table.id = "schedule-stages";
    table.caption = text("Stages of the simulated pipeline, seconds");
    table.columns = {{text("stage"), true},
                     {text("layers"), true, false, 2},
                     {text("forward"), true, false, 4},
                     {text("backward"), true, false, 3}};
    if (putsOff) table.columns.push_back({text("put off"), true, false, 1});
    for (const char* title : {"first", "last"})
        table.columns.push_back({text(title), true, false, 5});
    table.columns.push_back({text("busy"), true});
    table.columns.push_back({text("idle"), true});
    table.columns.push_back({text("idle share"), true});
    const int decimals = decimalsFor(whole);
    RowGroup group;
    for (const search::StageOccupation& s : study.stages) {
        if (group.rows.size() == kMostStages) break;
        const layout::StageTime* time = timeOf(step, s.stage);
        const double busy = s.busy.value();
        const double idle = std::max(0.0, whole - busy);
        const std::vector<std::string> texts = fixedTexts({busy, idle}, decimals);
        Row row;
        row.cells = {
            number(s.stage, "", count(s.stage)),
            time ? number(time->layers, "", count(time->layers)) : notKnownCell(),
            time ? secondsCell(time->forward.value(), seconds(time->forward)) : notKnownCell(),
            time ? secondsCell(time->backward.value(), seconds(time->backward)) : notKnownCell()};
        if (putsOff)
            row.cells.push_back(
                time ? secondsCell(time->weightGradient.value(), seconds(time->weightGradient))
                     : notKnownCell());
        row.cells.push_back(secondsCell(s.first.value(), fixed(s.first.value(), decimals)));
        row.cells.push_back(secondsCell(s.last.value(), fixed(s.last.value(), decimals)));
        row.cells.push_back(secondsCell(busy, texts[0]));
        row.cells.push_back(secondsCell(idle, texts[1]));
        row.cells.push_back(number(idle / whole, "", percentOf(idle, whole)));
        row.key = stageKey(s.stage);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {
        text("Forward and backward are those of one micro-batch, recompute included. Busy and idle "
             "add up to the pipeline's {1} s; busy holds the sends that a stage waits for.",
             fixed(whole, decimals))};
    if (study.stages.size() > kMostStages)
        table.footnotes.push_back(
            text("{1} more stages follow.",
                 count(static_cast<double>(study.stages.size() - kMostStages))));
    table.sortable = false;
    return table;
}

Table pipelineToStepTable(const layout::StepResult& step, const search::PipelineStudy& study) {
    Table table;
    table.id = "schedule-step";
    table.caption = text("From the pipeline to the step, seconds");
    table.columns = {{text("part"), false}, {text("seconds"), true}, {text("step"), true}};
    const double whole = step.stepTime.value();
    const double pipeline = study.closedForm.value();
    const double rest = std::max(0.0, whole - pipeline);
    const int decimals = decimalsFor(whole) + 2;
    const std::vector<std::string> texts = fixedTexts({pipeline, rest}, decimals);
    RowGroup group;
    const auto add = [&](Text label, double value, const std::string& display, bool isTotal) {
        Row row;
        row.isTotal = isTotal;
        row.cells = {words(std::move(label)), secondsCell(value, display),
                     number(value / whole, "", percentOf(value, whole))};
        group.rows.push_back(std::move(row));
    };
    add(text("pipeline, by the closed form"), pipeline, texts[0], false);
    add(text("after it: traffic between replicas, optimizer, overhead"), rest, texts[1], false);
    add(text("step"), whole, fixed(whole, decimals), true);
    table.groups.push_back(std::move(group));
    table.sortable = false;
    return table;
}

Table tasksTable(const search::PipelineStudy& study, std::size_t most) {
    std::vector<const layout::PipelineTask*> tasks;
    for (const layout::PipelineTask& task : study.timeline->tasks) tasks.push_back(&task);
    std::stable_sort(tasks.begin(), tasks.end(), [](const auto* a, const auto* b) {
        return a->startSeconds < b->startSeconds;
    });
    const bool hasChunks =
        std::any_of(tasks.begin(), tasks.end(), [](const auto* task) { return task->chunk > 0; });
    Table table;
    table.id = "schedule-tasks";
    table.caption = text("Tasks in the order of their start");
    table.columns = {{text("task"), false}, {text("stage"), true}, {text("micro-batch"), true}};
    if (hasChunks) table.columns.push_back({text("chunk"), true});
    table.columns.push_back({text("start, s"), true});
    table.columns.push_back({text("end, s"), true});
    const int decimals = decimalsFor(study.timeline->seconds) + 2;
    RowGroup group;
    for (const layout::PipelineTask* task : tasks) {
        if (group.rows.size() == most) break;
        Row row;
        row.cells = {words(taskLabel(task->kind)), number(task->stage, "", count(task->stage)),
                     number(static_cast<double>(task->microBatch), "",
                            count(static_cast<double>(task->microBatch)))};
        if (hasChunks) row.cells.push_back(number(task->chunk, "", count(task->chunk)));
        row.cells.push_back(secondsCell(task->startSeconds, fixed(task->startSeconds, decimals)));
        row.cells.push_back(secondsCell(task->endSeconds, fixed(task->endSeconds, decimals)));
        row.key = text(Key{"micro-batch", {}, std::to_string(task->microBatch)});
        group.rows.push_back(std::move(row));
    }
    if (tasks.size() > group.rows.size())
        table.footnotes = {text("{1} more tasks follow; --json has them all.",
                                count(static_cast<double>(tasks.size() - group.rows.size())))};
    table.groups.push_back(std::move(group));
    table.sortable = false;
    return table;
}

// ---- network --------------------------------------------------------------------------------

Text groupText(const layout::CollectiveUse& use) {
    return use.stride > 1 ? text("{1}, {2} ranks, every {3}", axisLabel(use.axis), count(use.ranks),
                                 count(use.stride))
                          : text("{1}, {2} ranks", axisLabel(use.axis), count(use.ranks));
}

Table trafficTable(const layout::StepResult& step) {
    Table table;
    table.id = "network-collectives";
    table.caption = text("Collectives of the busiest stage, summed over a step");
    table.columns = {{text("collective"), false},
                     {text("group"), false, false, 5},
                     {text("algorithm"), false, false, 4},
                     {text("calls"), true, false, 2},
                     {text("a call"), true, false, 3},
                     {text("time of one"), true, false, 1},
                     {text("total s"), true, false, 6},
                     {text("exposed s"), true},
                     {text("hidden s"), true}};
    const int decimals = decimalsFor(step.stepTime.value());
    const CollectiveRows rows = collectiveRows(step);
    RowGroup group;
    double total = 0;
    for (const CollectiveRow& row : rows.rows) {
        const layout::CollectiveUse& use = *row.use;
        const double whole = use.calls * use.secondsPerCall.value();
        total += whole;
        Row r;
        r.cells = {words(text(use.name)),
                   words(groupText(use)),
                   words(algorithmLabel(use.algorithm)),
                   number(use.calls, "", count(use.calls)),
                   number(use.bytesPerCall.value(), "B", traffic(use.bytesPerCall)),
                   number(use.secondsPerCall.value(), "s", seconds(use.secondsPerCall)),
                   secondsCell(whole, fixed(whole, decimals)),
                   secondsCell(use.exposed.value(), row.exposed),
                   secondsCell(use.hidden.value(), row.hidden)};
        r.key = text(Key{"link", use.busiestLink, {}});
        if (!use.busiestLink.empty())
            r.notes.push_back(text("busiest link: {1}", network::linkText(use.busiestLink)));
        group.rows.push_back(std::move(r));
    }
    const std::size_t columns = table.columns.size();
    Row sum = rowOf(words(text("all collectives")), columns);
    sum.isTotal = true;
    sum.cells[columns - 3] = secondsCell(total, fixed(total, decimals));
    double exposed = 0, hidden = 0;
    for (const layout::CollectiveUse& use : step.collectives) {
        exposed += use.exposed.value();
        hidden += use.hidden.value();
    }
    sum.cells[columns - 2] = secondsCell(exposed, rows.exposedTotal);
    sum.cells[columns - 1] = secondsCell(hidden, rows.hiddenTotal);
    group.rows.push_back(std::move(sum));
    table.groups.push_back(std::move(group));
    double parts = 0;
    for (const layout::TimePart part :
         {layout::TimePart::Tensor, layout::TimePart::Context, layout::TimePart::Expert,
          layout::TimePart::Pipeline, layout::TimePart::Data})
        parts += step.parts[static_cast<std::size_t>(part)].value();
    table.footnotes = {
        text("Exposed is what the step waits for: {1} s in the parts of the step that are "
             "communication. Hidden runs under compute.",
             fixed(parts, decimals))};
    table.sortable = false;
    return table;
}

Table algorithmsTable(const layout::StepResult& step, const search::NetworkStudy& study) {
    Table table;
    table.id = "network-algorithms";
    table.caption = text("Algorithms that were weighed for each collective");
    table.columns = {{text("algorithm"), false},        {text("busiest link"), false, false, 1},
                     {text("latency"), true, false, 2}, {text("bytes"), true, false, 3},
                     {text("time of one"), true},       {text("against the one in use"), false}};
    for (std::size_t i = 0; i < study.algorithms.size() && i < step.collectives.size(); ++i) {
        const layout::CollectiveUse& use = step.collectives[i];
        RowGroup group;
        group.title =
            text("{1}: {2}, {3} a call", text(use.name), groupText(use), traffic(use.bytesPerCall));
        double used = 0;
        for (const search::AlgorithmChoice& choice : study.algorithms[i])
            if (choice.isUsed) used = choice.seconds.value();
        for (const search::AlgorithmChoice& choice : study.algorithms[i]) {
            const double more = used > 0 ? choice.seconds.value() / used - 1.0 : 0.0;
            Row row;
            row.tone = choice.isUsed ? Tone::Strong : Tone::Plain;
            const units::Seconds bytes = choice.seconds - choice.latency;
            row.cells = {
                words(algorithmLabel(choice.algorithm)),
                words(network::linkText(choice.busiestLink)),
                number(choice.latency.value(), "s", seconds(choice.latency)),
                number(bytes.value(), "s", seconds(bytes)),
                number(choice.seconds.value(), "s", seconds(choice.seconds)),
                choice.isUsed ? words(text("in use")) : words(text("{1} slower", percent(more)))};
            group.rows.push_back(std::move(row));
        }
        table.groups.push_back(std::move(group));
    }
    table.footnotes = {text(
        "Latency: the start of the collective and that of its steps. Latency and bytes add up to "
        "the time of one. Two of the same name differ in where they cut the group.")};
    table.sortable = false;
    return table;
}

/// "hop latency: 1.5 us, Neuron documentation (estimated)" for each figure that says something of
/// the link and that no earlier link rests on.
std::vector<Text> sourcesOf(const search::LinkFacts& link, const search::CandidateRequest& request,
                            std::set<std::string>& told) {
    std::vector<Text> notes;
    for (const std::string& key : link.figures) {
        for (const search::FigureUse& figure : request.figures) {
            if (figure.kind != "system" || figure.key != key || !told.insert(key).second) continue;
            // A list is what the rows of the table show.
            const bool isList = figure.value.find(':') != std::string::npos;
            const Argument value = isList ? Argument(text("as above"))
                                          : Argument(figureText(figure.value, figure.unit));
            const std::string source = figure.source.empty() ? figure.url : figure.source;
            notes.push_back(
                figure.status == "adopted"
                    ? text("{1}: {2}; {3}", figureLabel(key), value, source)
                    : text("{1}: {2}, {3}; {4}", figureLabel(key), value, figure.status, source));
        }
    }
    return notes;
}

Table linksTable(const CandidateView& view, const search::NetworkStudy& study) {
    Table table;
    table.id = "network-links";
    table.caption = text("Links of {1}", view.request->system.id);
    table.columns = {{text("link"), false},
                     {text("of"), false, false, 3},
                     {text("one way"), true},
                     {text("latency"), true, false, 5},
                     {text("start"), true, false, 2},
                     {text("efficiency"), true, false, 4},
                     {text("half at"), true, false, 1},
                     {text("shared"), true, false, 6}};
    std::set<std::string> told;
    RowGroup group;
    for (const search::LinkFacts& link : study.links) {
        const auto secondsOf = [](const std::optional<units::Seconds>& time) {
            return time && time->value() > 0 ? number(time->value(), "s", seconds(*time))
                                             : doesNotApply();
        };
        Row row;
        row.cells = {
            words(link.name),
            words(link.end),
            link.bandwidth.value() > 0
                ? number(link.bandwidth.value(), "B/s",
                         text("{1}/s", traffic(units::Bytes(link.bandwidth.value()))))
                : notKnownCell(),
            secondsOf(link.latency),
            secondsOf(link.start),
            link.efficiency ? number(*link.efficiency, "", percent(*link.efficiency))
                            : doesNotApply(),
            link.halfBytes && link.halfBytes->value() > 0
                ? number(link.halfBytes->value(), "B", traffic(*link.halfBytes))
                : doesNotApply(),
            link.oversubscription > 1
                ? number(link.oversubscription, "", text("{1}:1", trimmed(link.oversubscription)))
                : doesNotApply()};
        row.notes = sourcesOf(link, *view.request, told);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {text(
        "Efficiency: share of the wire rate that large messages reach; half at: the message at "
        "which half of what small ones lose is gone. Start: of a collective. Shared: downlinks "
        "over uplinks of a tier.")};
    table.sortable = false;
    return table;
}

}  // namespace

Text taskLabel(layout::TaskKind kind) {
    switch (kind) {
        case layout::TaskKind::Forward:
            return text("forward");
        case layout::TaskKind::Backward:
            return text("backward");
        case layout::TaskKind::BackwardInput:
            return text("grad input");
        case layout::TaskKind::WeightGradient:
            return text("grad weight");
    }
    return {};
}

Section modelSection(const search::ModelStudy& m) {
    Reckoning table("model-table", text("The model, and its share on one rank"));
    table.group(text("Parameters"));
    table.add("all", countCell(m.total), "every weight, experts too");
    table.add("active", countCell(m.active), "those that a token passes");
    table.add("input embedding", countCell(m.embedding), "vocabulary × hidden");
    if (m.head > 0) table.add("output projection", countCell(m.head), "not tied to the embedding");
    table.add("N of 6N", countCell(m.withoutEmbedding), "active, without the input embedding");
    if (m.expertsPerLayer > 0) {
        table.add("routed experts of a layer", countCell(m.expertsPerLayer), "all ranks together");
        table.add("of them on one rank", countCell(m.expertsPerLayerOnRank),
                  "over the ranks of an expert group");
    }
    table.group(text("Arithmetic of one token, forward and backward"));
    table.add("matrix products", flopCell(m.matrices), "projections, MLP, router, head");
    table.add("attention, in full", flopCell(m.attentionFull), "the whole square, or window");
    table.add("attention, causal", flopCell(m.attentionCausal), "half of the square");
    table.add("6N", flopCell(m.sixN), "without attention");
    table.add("PaLM's count", flopCell(m.palm), "6N + 12·L·a·d·s, embedding in N");
    table.group(text("Vocabulary"));
    table.add("tokens", countCell(m.vocabulary), "as the model has it");
    table.add("columns", countCell(m.paddedVocabulary), "padded as the software does");
    table.add("logits", binaryCell(m.logits), "of a micro-batch on one rank, 16 bits");
    table.add("their copy in fp32", binaryCell(m.logitsFp32), "where cross-entropy makes one");
    table.group(text("Keys and values"));
    table.add("cache of one sequence", binaryCell(m.keyValueCache), "16 bits, the whole model");
    table.add("ranks with the same head", countCell(m.keyValueCopies),
              "tensor ranks over key/value heads");
    table.group(text("Ranks"));
    table.add("of a chip", countCell(m.ranksPerChip), "as the software counts them");
    table.add("cores behind a rank", countCell(m.coresPerRank), "NeuronCores; 1 for a GPU");
    table.add("of a unit", countCell(static_cast<double>(m.ranksPerUnit)),
              "instance or UltraServer");
    table.group(text("The pipeline on paper"));
    table.add("bubble over work", number(m.bubbleOverhead, "", percent(m.bubbleOverhead)),
              "(p − 1) / (v·m), equal stages");
    table.add("bubble of the whole", number(m.bubbleShare, "", percent(m.bubbleShare)),
              "(p − 1) / (v·m + p − 1)");
    if (m.perMillionTokens) {
        table.group(text("Money"));
        const auto usd = [](units::UsDollars amount) {
            return number(amount.value(), "USD", text("{1} USD", trimmed(amount.value())));
        };
        table.add("a million tokens", usd(*m.perMillionTokens), "the run's cost over its tokens");
        table.add("a trillion tokens", usd(*m.perTrillionTokens), "the run's cost over its tokens");
    }
    Section section;
    section.id = "model";
    section.title = text("Model");
    section.blocks.emplace_back(table.take());
    return section;
}

Section rooflineSection(const CandidateView& view, const search::Ceilings& ceilings) {
    Section section;
    section.id = "roofline";
    section.title = text("Roofline");
    const machine::ChipSpec& chip = view.request->system.chip;
    section.answer = text(
        "{1}: HBM {2} TB/s by the data sheet, {3} TB/s reached by large transfers.",
        chip.name.empty() ? chip.id : chip.name, estimate(ceilings.memoryDataSheet.value() / kTera),
        estimate(ceilings.memory.value() / kTera));
    section.blocks.emplace_back(ceilingsTable(view, ceilings));
    if (view.runs() && !view.result->step.operators.empty())
        section.blocks.emplace_back(roofTable(view, ceilings));
    return section;
}

Section memorySection(const CandidateView& view) {
    Section section;
    section.id = "memory";
    section.title = text("Memory");
    const layout::MemoryResult& memory = view.result->step.memory;
    if (!(memory.peak.total().value() > 0)) {
        section.answer = text("There is no layout to speak of.");
        return section;
    }
    section.answer = memorySentence(memory);
    const std::size_t largest = largestKind(memory.peak);
    std::vector<FactRow> facts;
    const auto add = [&](const char* label, units::Bytes bytes) {
        facts.push_back({text(label), gibibytes(bytes), units::inGibibytes(bytes), "GiB"});
    };
    if (memory.capacity.value() > 0) {
        add("a rank has", memory.capacity);
        add("may be used", memory.usable);
    }
    facts.push_back({text("largest on the fullest stage"),
                     text("{1}, {2}", memoryKindLabel(static_cast<layout::MemoryKind>(largest)),
                          gibibytes(memory.peak.byKind[largest])),
                     {},
                     {}});
    section.blocks.emplace_back(factsOf(facts));
    section.blocks.emplace_back(stagesMemoryTable(view.result->step));
    return section;
}

Section scheduleSection(const CandidateView& view, const search::PipelineStudy& study,
                        std::size_t mostTasks) {
    Section section;
    section.id = "schedule";
    section.title = text("Schedule");
    const layout::StepResult& step = view.result->step;
    const layout::PipelineProblem& p = study.problem;
    if (p.stages() == 0 || !(study.closedForm.value() > 0)) {
        section.answer = text("There is no layout to speak of.");
        return section;
    }
    section.answer = p.virtualStages > 1
                         ? text("{1} micro-batches over {2} stages of {3} parts each, {4}: {5} s.",
                                count(static_cast<double>(p.microBatches)), count(p.stages()),
                                count(p.virtualStages), layout::name(p.schedule),
                                estimate(study.closedForm.value()))
                         : text("{1} micro-batches over {2} stages, {3}: {4} s.",
                                count(static_cast<double>(p.microBatches)), count(p.stages()),
                                layout::name(p.schedule), estimate(study.closedForm.value()));
    std::vector<FactRow> facts;
    const auto add = [&](const char* label, std::string value, double number) {
        facts.push_back({text(label), std::move(value), number, "s"});
    };
    const int decimals = decimalsFor(study.closedForm.value()) + 2;
    add("closed form, as searched with", fixed(study.closedForm.value(), decimals) + " s",
        study.closedForm.value());
    if (study.timeline) {
        const double simulated = study.timeline->seconds;
        add("simulated, task by task", fixed(simulated, decimals) + " s", simulated);
        const double difference = study.closedForm.value() - simulated;
        facts.push_back({text("difference"),
                         text("{1} ms, {2} of the simulated", fixed(std::abs(difference) * 1e3, 1),
                              percentOf(std::abs(difference), simulated)),
                         difference, "s"});
    }
    if (p.sendSeconds > 0)
        add("a send that runs under compute", seconds(units::Seconds(p.sendSeconds)),
            p.sendSeconds);
    section.blocks.emplace_back(factsOf(facts));
    if (study.timeline) {
        section.blocks.emplace_back(stagesTimeTable(step, study));
    } else {
        section.blocks.emplace_back(
            paragraph(text("More than {1} tasks make this step; they are not simulated one by one.",
                           count(search::PipelineStudy::kMostTasks))));
    }
    if (view.runs()) section.blocks.emplace_back(pipelineToStepTable(step, study));
    if (study.timeline) {
        Section tasks;
        tasks.id = "tasks";
        tasks.title = text("Tasks");
        tasks.folded = true;
        tasks.blocks.emplace_back(tasksTable(study, mostTasks));
        section.sections.push_back(std::move(tasks));
    }
    return section;
}

Section networkSection(const CandidateView& view, const search::NetworkStudy& study) {
    Section section;
    section.id = "network";
    section.title = text("Network");
    const layout::StepResult& step = view.result->step;
    if (!step.collectives.empty()) {
        section.blocks.emplace_back(trafficTable(step));
        section.blocks.emplace_back(algorithmsTable(step, study));
    } else {
        section.answer = text("No two ranks of this layout exchange anything.");
    }
    section.blocks.emplace_back(linksTable(view, study));
    return section;
}

std::optional<Table> frontTable(const search::CandidateResult& result, std::size_t most) {
    if (result.front.empty()) return std::nullopt;
    Table table;
    table.id = "front";
    table.caption = text("Layouts that no other beats in both time and memory");
    table.columns = {{text("layout"), false},
                     {text("step"), true},
                     {text("GiB a rank"), true},
                     {text("against the fastest"), false, false, 1}};
    const double best = result.front.front().stepTime.value();
    RowGroup group;
    for (const search::Alternative& member : result.front) {
        if (group.rows.size() == most) break;
        Row row;
        row.key = layoutKey(result.name, member.layout);
        row.tone = member.layout == result.layout ? Tone::Strong : Tone::Plain;
        const double slower = member.stepTime.value() / best - 1.0;
        row.cells = {
            name(layoutForm(member.layout)),
            number(member.stepTime.value(), "s", seconds(member.stepTime)),
            number(units::inGibibytes(member.memory), "GiB", gibibyteNumber(member.memory)),
            member.layout == result.layout ? words(text("in use"))
            : slower > 0                   ? words(text("{1} slower", percent(slower)))
                                           : words(text("as fast"))};
        group.rows.push_back(std::move(row));
    }
    const std::size_t rest = result.front.size() - group.rows.size();
    if (rest > 0)
        table.footnotes = {text("{1} more need less memory and take longer; --json has them all.",
                                count(static_cast<double>(rest)))};
    table.groups.push_back(std::move(group));
    table.sortable = false;
    return table;
}

}  // namespace trainwright::reports
