// SPDX-License-Identifier: GPL-3.0-or-later
// One candidate as a document: the answer, then each view with its picture and its tables.
#include "model/units/joined.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/document_parts.h"
#include "reports/explain_sections.h"
#include "reports/plan_charts.h"
#include "reports/report.h"
#include "reports/study_charts.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kTasksShown = 200;
constexpr std::size_t kWholeFront = 100000;

Section overview(const Plan& plan, const CandidateView& view, const ExplainedViews& views) {
    const layout::StepResult& step = view.result->step;
    Section section;
    section.id = "candidate";
    section.title = text("Layout and run");
    List reasons;
    for (const Text& reason : reasonsOf(view))
        reasons.items.push_back(paragraph(reason, {}, Tone::Warning));
    if (Text nearest = nearestStep(view); !nearest.empty())
        reasons.items.push_back(paragraph(std::move(nearest)));
    if (!reasons.items.empty()) section.blocks.emplace_back(std::move(reasons));
    if (view.hasLayout()) section.blocks.emplace_back(factsOf(layoutFactRows(view)));
    if (view.runs()) {
        section.blocks.emplace_back(factsOf(runFactRows(view)));
        Section time;
        time.id = "time";
        time.title = text("Where a step goes");
        if (auto chart = timeChart(plan.views)) time.blocks.emplace_back(Figure{std::move(*chart)});
        time.blocks.emplace_back(timeTable(plan));
        section.sections.push_back(std::move(time));
    }
    // What a view of its own doesn't show in more depth.
    if (view.runs() && !views.roofline && !step.operators.empty())
        section.blocks.emplace_back(operatorTable(view, 0));
    if (view.runs() && !views.network && !step.collectives.empty())
        section.blocks.emplace_back(collectiveTable(view, 0));
    if (!views.memory && step.memory.stages.size() > 1)
        section.blocks.emplace_back(stageTable(view, 0));
    return section;
}

std::optional<Section> choices(const CandidateView& view) {
    Section section;
    section.id = "layouts";
    section.title = text("Why this layout");
    if (!view.result->alternatives.empty()) section.blocks.emplace_back(alternativeTable(view, 0));
    if (auto front = frontTable(*view.result, kWholeFront))
        section.blocks.emplace_back(std::move(*front));
    if (section.blocks.empty()) return std::nullopt;
    return section;
}

std::optional<Section> bands(const CandidateView& view) {
    std::optional<Table> table = bandTable(view);
    if (!table) return std::nullopt;
    Section section;
    section.id = "bands";
    section.title = text("What would change the answer?");
    section.answer = widestSwing(view);
    section.blocks.emplace_back(std::move(*table));
    if (auto chart = tornadoChart(view, "chart-tornado"))
        section.blocks.emplace_back(Figure{std::move(*chart)});
    if (auto tornado = tornadoTable(view, "tornado-table"))
        section.blocks.emplace_back(std::move(*tornado));
    return section;
}

void putFirst(Section& section, std::optional<ChartSpec> chart) {
    if (chart) section.blocks.emplace(section.blocks.begin(), Figure{std::move(*chart)});
}

}  // namespace

Document explainDocument(const search::PlanRequest& request,
                         const search::CandidateResult& candidate, const ExplainedViews& views,
                         const ReportContext& context) {
    Document document;
    document.kind = text("Trainwright explanation");
    document.generator = context.programVersion.empty()
                             ? text("Trainwright")
                             : text("Trainwright {1}", context.programVersion);
    const std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view) {
        document.title = verbatim(candidate.name);
        document.answer = {paragraph(text("The scenario has no candidate {1}.", candidate.name))};
        return document;
    }
    search::PlanResult alone;
    alone.candidates = {candidate};
    const Plan plan{request, alone, context, {*view}, Sources(request, {*view})};

    document.title = candidateTitle(*view);
    if (Text question = joined(questionParts(request)); !question.empty())
        document.answer.push_back(paragraph(std::move(question)));
    if (view->runs() && !candidate.bottleneck.empty())
        document.answer.push_back(paragraph(bottleneckAndAdvice(candidate)));
    for (Text sentence : {bandSentence(*view), chanceSentence(*view)})
        if (!sentence.empty()) document.answer.push_back(paragraph(std::move(sentence)));
    if (views.overview) {
        document.sections.push_back(overview(plan, *view, views));
        if (auto section = choices(*view)) document.sections.push_back(std::move(*section));
        if (auto section = bands(*view)) document.sections.push_back(std::move(*section));
    }
    if (views.model) document.sections.push_back(modelSection(*views.model));
    if (views.roofline) {
        document.sections.push_back(rooflineSection(*view, *views.roofline));
        const auto dtype = static_cast<std::size_t>(request.training.precision);
        putFirst(document.sections.back(), rooflineChart(request, *view, "chart-roofline",
                                                         views.roofline->byDtype[dtype].matrix));
    }
    if (views.memory) {
        document.sections.push_back(memorySection(*view));
        putFirst(document.sections.back(), stageMemoryChart(*view));
    }
    if (views.schedule) {
        document.sections.push_back(scheduleSection(*view, *views.schedule, kTasksShown));
        putFirst(document.sections.back(), pipelineChart(*view, *views.schedule));
    }
    if (views.network) {
        document.sections.push_back(networkSection(*view, *views.network));
        putFirst(document.sections.back(),
                 topologyChart(*view, *views.network, TopologyZoom::Domain));
    }
    document.sections.push_back(assumptions(plan));
    document.sections.push_back(sources(plan));
    document.sections.push_back(reproduce(plan));
    return document;
}

}  // namespace trainwright::reports
