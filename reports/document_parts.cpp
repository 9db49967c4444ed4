// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/document_parts.h"

#include <algorithm>

#include "model/units/joined.h"
#include "reports/number_format.h"

namespace trainwright::reports {

Paragraph paragraph(Text sentence, std::vector<std::string> links, Tone tone) {
    return {std::move(sentence), tone, std::move(links)};
}

std::string idOf(const char* what, std::size_t index) {
    return std::string(what) + "-" + std::to_string(index + 1);
}

Cell nameCell(const CandidateView& view) {
    Cell cell = name(view.request->name);
    if (view.standing == Standing::MeetsAll && view.mark == "1") cell.tone = Tone::Strong;
    return cell;
}

Facts factsOf(const std::vector<FactRow>& rows) {
    Facts facts;
    for (const FactRow& row : rows) {
        Cell cell = row.number ? number(*row.number, row.unit, row.value) : name(row.value);
        if (row.value == Argument(notKnown())) cell = notKnownCell();
        facts.items.emplace_back(row.label, std::move(cell));
    }
    return facts;
}

Table timeTable(const Plan& plan) {
    Table table;
    table.id = "time-table";
    table.caption = text("Seconds of one step by part");
    table.columns.push_back({text("part"), false});
    std::vector<const CandidateView*> running;
    for (const CandidateView& view : plan.views)
        if (view.runs()) {
            running.push_back(&view);
            table.columns.push_back({verbatim(view.request->name), true});
        }
    RowGroup group;
    for (int p = 0; p < layout::kTimePartCount; ++p) {
        const auto part = static_cast<layout::TimePart>(p);
        Row row;
        row.cells.push_back(words(timePartLabel(part)));
        bool any = false;
        for (const CandidateView* view : running) {
            Cell cell = doesNotApply();
            for (const TimeShare& share : timeShares(view->result->step))
                if (share.part == part) {
                    cell = number(share.value, "s", share.seconds);
                    any = true;
                }
            row.cells.push_back(std::move(cell));
        }
        if (any) group.rows.push_back(std::move(row));
    }
    Row total;
    total.tone = Tone::Strong;
    total.cells.push_back(words(text("step"), Tone::Strong));
    Row hidden;
    hidden.tone = Tone::Quiet;
    hidden.cells.push_back(words(text("hidden communication, not in the sum"), Tone::Quiet));
    for (const CandidateView* view : running) {
        const layout::StepResult& step = view->result->step;
        total.cells.push_back(number(step.stepTime.value(), "s", timeShareTotal(step)));
        hidden.cells.push_back(number(step.hiddenCommunication.value(), "s", hiddenSeconds(step)));
    }
    group.rows.push_back(std::move(total));
    group.rows.push_back(std::move(hidden));
    table.groups.push_back(std::move(group));
    table.sortable = false;
    return table;
}

Table operatorTable(const CandidateView& view, std::size_t index) {
    Table table;
    table.id = idOf("operators", index);
    table.caption = text("Operators of the busiest stage, {1}, summed over a step",
                         count(view.result->step.busiestStage));
    table.columns = {
        {text("operator"), false}, {text("phase"), false},    {text("bound"), false},
        {text("calls"), true},     {text("M × N × K"), true}, {text("FLOP/byte"), true},
        {text("TFLOP/s"), true},   {text("seconds"), true},   {text("share"), true}};
    RowGroup group;
    for (const OperatorRow& op : operatorRows(view)) {
        Row row;
        row.cells = {
            words(text(op.name)),
            words(phaseLabel(op.phase)),
            words(boundLabel(op.bound)),
            number(op.calls, "", count(op.calls)),
            name(op.extents),
            op.flopPerByte ? number(*op.flopPerByte, "FLOP/byte", estimate(*op.flopPerByte))
                           : doesNotApply(),
            op.chipTeraflops ? number(*op.chipTeraflops, "TFLOP/s", estimate(*op.chipTeraflops))
                             : doesNotApply(),
            number(op.total, "s", op.seconds),
            number(op.total / view.result->step.stepTime.value(), "", op.percent)};
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    const OperatorTotal total = operatorTotal(view);
    table.footnotes = {text(
        "All operators: {1} s, {2} of the step. The rest is communication, waiting, overhead and "
        "stragglers.",
        total.seconds, total.percent)};
    return table;
}

Table collectiveTable(const CandidateView& view, std::size_t index) {
    Table table;
    table.id = idOf("collectives", index);
    table.caption = text("Collectives of the busiest stage, summed over a step");
    table.columns = {{text("collective"), false}, {text("group"), false},
                     {text("calls"), true},       {text("a call"), true},
                     {text("time of one"), true}, {text("exposed s"), true},
                     {text("hidden s"), true}};
    RowGroup group;
    const CollectiveRows rows = collectiveRows(view.result->step);
    for (const CollectiveRow& collective : rows.rows) {
        const layout::CollectiveUse& use = *collective.use;
        Row row;
        row.cells = {words(text(use.name)),
                     name(collective.group),
                     number(use.calls, "", count(use.calls)),
                     number(use.bytesPerCall.value(), "B", traffic(use.bytesPerCall)),
                     number(use.secondsPerCall.value(), "s", seconds(use.secondsPerCall)),
                     number(use.exposed.value(), "s", collective.exposed),
                     number(use.hidden.value(), "s", collective.hidden)};
        if (!collective.route.empty()) row.notes.push_back(collective.route);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {text("All collectives: {1} s exposed, {2} s hidden under compute.",
                            rows.exposedTotal, rows.hiddenTotal)};
    return table;
}

Table stageTable(const CandidateView& view, std::size_t index) {
    const layout::StepResult& step = view.result->step;
    const StageRows stages = stageRows(step.memory);
    Table table;
    table.id = idOf("stages", index);
    table.caption = text("Stages: layers, time of one micro-batch, GiB of one rank");
    table.columns = {{text("stage"), true},
                     {text("layers"), true},
                     {text("forward"), true},
                     {text("backward"), true}};
    for (int k = 0; k < layout::kMemoryKindCount; ++k)
        table.columns.push_back({memoryKindLabel(static_cast<layout::MemoryKind>(k)), true});
    table.columns.push_back({text("total GiB"), true});
    RowGroup group;
    for (const StageMemoryRow& stage : stages.rows) {
        Row row;
        row.cells.push_back(number(stage.memory->stage, "", count(stage.memory->stage)));
        const layout::StageTime* time = nullptr;
        for (const layout::StageTime& candidate : step.stageTimes)
            if (candidate.stage == stage.memory->stage) time = &candidate;
        row.cells.push_back(time ? number(time->layers, "", count(time->layers)) : notKnownCell());
        row.cells.push_back(time ? number(time->forward.value(), "s", seconds(time->forward))
                                 : notKnownCell());
        row.cells.push_back(time ? number(time->backward.value(), "s", seconds(time->backward))
                                 : notKnownCell());
        for (std::size_t k = 0; k < stage.kinds.size(); ++k)
            row.cells.push_back(number(stage.gibibytes[k], "GiB", stage.kinds[k]));
        Cell total = number(stage.totalGibibytes, "GiB", stage.total);
        if (stage.fullest) total.tone = Tone::Strong;
        row.cells.push_back(std::move(total));
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    if (stages.leftOut > 0)
        table.footnotes = {text("{1} more stages lie between the lightest and the fullest.",
                                count(stages.leftOut))};
    return table;
}

Table alternativeTable(const CandidateView& view, std::size_t index) {
    Table table;
    table.id = idOf("alternatives", index);
    table.caption = text("Why this layout: what else was tried");
    table.columns = {{text("layout"), false},
                     {text("step"), true},
                     {text("GiB a rank"), true},
                     {text("against the one in use"), false}};
    RowGroup group;
    for (const AlternativeRow& alternative : alternativeRows(*view.result)) {
        Row row;
        row.key = alternative.key;
        row.tone = alternative.inUse ? Tone::Strong : Tone::Plain;
        auto measured = [](double value, const char* unit, const std::string& display) {
            return value > 0 ? number(value, unit, display) : notKnownCell();
        };
        row.cells = {
            name(alternative.layout), measured(alternative.stepSeconds, "s", alternative.step),
            measured(alternative.gibibytes, "GiB", alternative.memory), words(alternative.verdict)};
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.sortable = false;
    if (view.result->search.layoutsEvaluated > 0)
        table.footnotes = {searchSentence(view.result->search)};
    return table;
}

Section assumptions(const Plan& plan) {
    Section section;
    section.id = "assumptions";
    section.title = text("Assumptions and warnings");
    const search::PlanRequest& request = plan.request;
    const layout::TrainingSpec& training = request.training;
    Facts facts;
    auto add = [&](const char* label, Argument value) {
        facts.items.emplace_back(text(label), name(std::move(value)));
    };
    if (!request.architecture.id.empty()) add("model", request.architecture.id);
    if (request.architecture.layers > 0)
        add("shape",
            text("{1} layers, hidden {2}, {3} heads, {4} key/value heads, feed-forward {5}, "
                 "vocabulary {6}",
                 count(request.architecture.layers), count(request.architecture.hidden),
                 count(request.architecture.heads), count(request.architecture.keyValueHeads),
                 count(request.architecture.ffn), count(request.architecture.vocabulary)));
    if (training.tokens > 0) add("tokens", bigCount(training.tokens, 6));
    if (training.sequenceLength > 0) add("sequence length", count(training.sequenceLength));
    if (training.globalBatchSequences > 0 && training.sequenceLength > 0)
        add("global batch", text("{1} sequences, {2} tokens",
                                 count(static_cast<double>(training.globalBatchSequences)),
                                 bigCount(static_cast<double>(training.globalBatchSequences) *
                                          training.sequenceLength)));
    add("precision", machine::name(training.precision));
    add("optimizer", optimizerLabel(training.optimizer));
    add("recompute",
        training.recompute ? recomputeLabel(*training.recompute) : text("chosen by the search"));
    add("memory kept free", percent(request.constraints.memoryHeadroom));
    if (request.start) add("start", run::isoDate(*request.start));
    section.blocks.emplace_back(std::move(facts));

    Table overrides;
    overrides.id = "overrides-table";
    overrides.caption = text("Catalog figures overridden in the scenario");
    overrides.columns = {{text("candidate"), false},
                         {text("figure"), false},
                         {text("value"), true},
                         {text("because"), false}};
    RowGroup group;
    for (const CandidateView& view : plan.views)
        for (const search::FigureUse* figure : plan.sources.withStatus(*view.request, "override")) {
            Row row;
            Cell value = name(figureText(figure->value, figure->unit));
            value.tone = Tone::Override;
            value.link = plan.sources.idOf(*figure);
            row.cells = {
                name(view.request->name),
                words(text("{1} {2}: {3}", figure->kind, figure->id, figureLabel(figure->key))),
                std::move(value), figure->note.empty() ? notKnownCell() : name(figure->note)};
            group.rows.push_back(std::move(row));
        }
    if (!group.rows.empty()) {
        overrides.groups.push_back(std::move(group));
        section.blocks.emplace_back(std::move(overrides));
    }
    List warnings;
    for (const Finding& note : request.notes)
        warnings.items.push_back(paragraph(textOf(note), {}, Tone::Warning));
    for (const SharedWarning& warning : sharedWarnings(plan.views))
        warnings.items.push_back(
            paragraph(text("{1}: {2}", warning.names, warning.text), {}, Tone::Warning));
    if (!warnings.items.empty()) section.blocks.emplace_back(std::move(warnings));
    return section;
}

Section sources(const Plan& plan) {
    Section section;
    section.id = "sources";
    section.title = text("Sources");
    section.answer = plan.sources.size() == 0
                         ? text("No catalog figure is recorded for this plan.")
                         : text(
                               "Every catalog figure that this plan rests on, {1} in all. A number "
                               "of the report that is "
                               "underlined leads here.",
                               count(static_cast<double>(plan.sources.size())));
    if (plan.sources.size() > 0) section.blocks.emplace_back(plan.sources.table());
    return section;
}

Section reproduce(const Plan& plan) {
    return reproduce(plan.context);
}

Section reproduce(const ReportContext& context) {
    Section section;
    section.id = "reproduce";
    section.title = text("Reproduce");
    if (!context.command.empty()) section.blocks.emplace_back(Preformatted{context.command});
    Facts facts;
    auto add = [&](const char* label, const Argument& value) {
        if (!value.english().empty()) facts.items.emplace_back(text(label), name(value));
    };
    add("scenario", context.scenarioFile);
    add("scenario fingerprint", context.scenarioHash);
    if (!context.programVersion.empty())
        add("program", text("trainwright {1}", context.programVersion));
    add("catalog of", context.catalogVersion);
    add("catalog fingerprint", context.catalogHash);
    if (!facts.items.empty()) section.blocks.emplace_back(std::move(facts));
    section.blocks.emplace_back(paragraph(
        text("The same files give the same digits, on any machine and any number of threads."), {},
        Tone::Quiet));
    return section;
}

}  // namespace trainwright::reports
