// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/view_sections.h"

#include <algorithm>
#include <cmath>

#include "reports/answer.h"
#include "reports/bands_view.h"
#include "reports/document_parts.h"
#include "reports/explain_sections.h"
#include "reports/money_sections.h"
#include "reports/number_format.h"
#include "reports/plan_charts.h"
#include "reports/plan_tables.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

Plan planOf(const search::PlanRequest& request, const search::PlanResult& result) {
    static const ReportContext kNoFile;
    std::vector<CandidateView> views = candidateViews(request, result);
    Sources sources(request, views);
    return Plan{request, result, kNoFile, std::move(views), std::move(sources)};
}

const CandidateView* find(const Plan& plan, const std::string& name) {
    for (const CandidateView& view : plan.views)
        if (view.request->name == name) return &view;
    return nullptr;
}

Section sectionOf(const char* id, Text title) {
    Section section;
    section.id = id;
    section.title = std::move(title);
    return section;
}

void draw(Section& section, std::optional<ChartSpec> chart) {
    if (!chart) return;
    // The frame has the question already.
    section.blocks.insert(section.blocks.begin(), Figure{std::move(*chart)});
}

Text nothingRuns() {
    return text("No candidate can run this job; the ranking says why.");
}

Text noLayout(const std::string& candidate) {
    return text("{1} has no layout to speak of; the ranking says why.", candidate);
}

/// The newest day on which a price was seen.
std::string newestPrice(const std::vector<CandidateView>& views) {
    std::string newest;
    for (const CandidateView& view : views)
        if (view.request->price.perUnit)
            newest = std::max(newest, view.request->price.observedDate);
    return newest;
}

/// "prices to 2026-10-09 · grade B · seed 1"
Text basisOf(const std::vector<CandidateView>& views, const CandidateView& of) {
    const std::string prices = newestPrice(views);
    const std::string grade = belief::name(of.result->grade);
    if (!of.runs()) return prices.empty() ? text("no layout fits") : text("prices to {1}", prices);
    if (of.result->bands) {
        const std::string seed = count(of.result->bands->sampling.seed);
        const std::string samples = count(of.result->bands->sampling.samples);
        return prices.empty()
                   ? text("grade {1} · bands of {2} cases, seed {3}", grade, samples, seed)
                   : text("prices to {1} · grade {2} · bands of {3} cases, seed {4}", prices, grade,
                          samples, seed);
    }
    return prices.empty() ? text("grade {1}", grade)
                          : text("prices to {1} · grade {2}", prices, grade);
}

Text basisOf(const Plan& plan) {
    return plan.views.empty() ? Text{} : basisOf(plan.views, plan.views.front());
}

}  // namespace

std::optional<layout::Layout> layoutOf(const search::PlanResult& result,
                                       const std::string& candidate,
                                       const std::string& shortForm) {
    for (const search::CandidateResult& c : result.candidates) {
        if (c.name != candidate) continue;
        if (layoutForm(c.layout) == shortForm) return c.layout;
        for (const auto* list : {&c.alternatives, &c.front})
            for (const search::Alternative& alternative : *list)
                if (layoutForm(alternative.layout) == shortForm) return alternative.layout;
        if (c.withoutOffload && layoutForm(c.withoutOffload->layout) == shortForm)
            return c.withoutOffload->layout;
    }
    return std::nullopt;
}

Section rankingView(const search::PlanRequest& request, const search::PlanResult& result) {
    const Plan plan = planOf(request, result);
    Section section = sectionOf("ranking", text("Which is cheapest by my date, and by how much?"));
    if (plan.views.empty()) {
        section.answer = text("The scenario has no candidate.");
        return section;
    }
    std::vector<AnswerSentence> sentences = answerSentences(request, result, plan.views);
    section.answer = sentences.front().text;
    draw(section, costAndTimeChart(request, plan.views));
    for (std::size_t i = 1; i < sentences.size(); ++i)
        section.blocks.emplace_back(paragraph(std::move(sentences[i].text)));
    section.blocks.emplace_back(rankingTable(plan));
    section.basis = basisOf(plan);
    return section;
}

Section timeView(const search::PlanRequest& request, const search::PlanResult& result,
                 const std::string& candidate) {
    const Plan plan = planOf(request, result);
    Section section = sectionOf("time", text("Where does a step go?"));
    std::optional<ChartSpec> chart = timeChart(plan.views);
    if (!chart) {
        section.answer = nothingRuns();
        return section;
    }
    section.answer = chart->answer;
    draw(section, std::move(chart));
    section.blocks.emplace_back(timeTable(plan));
    section.basis = basisOf(plan);
    const CandidateView* view = find(plan, candidate);
    if (view == nullptr || !view->runs()) return section;
    if (!view->result->bottleneck.empty())
        section.answer = text("{1}: {2}", view->request->name, bottleneckAndAdvice(*view->result));
    const layout::StepResult& step = view->result->step;
    if (!step.operators.empty()) section.blocks.emplace_back(operatorTable(*view, 0));
    if (!step.collectives.empty()) section.blocks.emplace_back(collectiveTable(*view, 0));
    section.basis = basisOf(plan.views, *view);
    return section;
}

Section rooflineView(const search::PlanRequest& request, const search::CandidateResult& candidate,
                     const search::Ceilings& ceilings) {
    const std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view || !view->runs()) {
        Section section =
            sectionOf("roofline", text("Does arithmetic or memory limit each operator?"));
        section.answer = noLayout(candidate.name);
        return section;
    }
    Section section = rooflineSection(*view, ceilings);
    section.title = text("Does arithmetic or memory limit each operator?");
    const auto dtype = static_cast<std::size_t>(request.training.precision);
    std::optional<ChartSpec> chart =
        rooflineChart(request, *view, "chart-roofline", ceilings.byDtype[dtype].matrix);
    if (chart) {
        section.blocks.insert(section.blocks.begin(),
                              paragraph(std::move(section.answer), {}, Tone::Quiet));
        section.answer = chart->answer;
    }
    // The operators are what the picture shows.
    const auto operators =
        std::find_if(section.blocks.begin(), section.blocks.end(), [](const Block& block) {
            const auto* table = std::get_if<Table>(&block);
            return table != nullptr && table->id == "roofline-operators";
        });
    if (operators != section.blocks.end())
        std::rotate(section.blocks.begin(), operators, operators + 1);
    draw(section, std::move(chart));
    section.basis = basisOf({*view}, *view);
    return section;
}

Section memoryView(const search::PlanRequest& request, const search::PlanResult& result,
                   const std::string& candidate) {
    const Plan plan = planOf(request, result);
    const Text title = text("Does it fit, where is it fullest, what would make it fit?");
    if (const CandidateView* view = find(plan, candidate)) {
        Section section = memorySection(*view);
        section.title = title;
        draw(section, stageMemoryChart(*view));
        if (!view->result->alternatives.empty())
            section.blocks.emplace_back(alternativeTable(*view, 0));
        if (auto front = frontTable(*view->result, view->result->front.size()))
            section.blocks.emplace_back(std::move(*front));
        section.basis = basisOf(plan.views, *view);
        return section;
    }
    Section section = sectionOf("memory", title);
    std::optional<ChartSpec> chart = memoryChart(plan.views);
    if (!chart) {
        section.answer = nothingRuns();
        return section;
    }
    section.answer = chart->answer;
    draw(section, std::move(chart));
    section.blocks.emplace_back(memoryTable(plan));
    section.basis = basisOf(plan);
    return section;
}

Section costView(const search::PlanRequest& request, const search::PlanResult& result) {
    const Plan plan = planOf(request, result);
    Section section = sectionOf("cost", text("What am I paying for?"));
    const bool anyRuns = std::any_of(plan.views.begin(), plan.views.end(),
                                     [](const CandidateView& v) { return v.runs(); });
    if (!anyRuns) {
        section.answer = nothingRuns();
        return section;
    }
    if (const CandidateView* best = plan.best()) section.answer = costSentence(*best);
    draw(section, costChart(plan.views));
    section.blocks.emplace_back(costTable(plan));
    for (Section& one : moneySections(request, plan.views))
        section.sections.push_back(std::move(one));
    section.basis = basisOf(plan);
    return section;
}

Section bandsView(const search::PlanRequest& request, const search::PlanResult& result,
                  const std::string& candidate) {
    const Plan plan = planOf(request, result);
    Section section = sectionOf("bands", text("What would change the answer?"));
    std::optional<Table> table = bandsTable(plan.views);
    if (!table) {
        section.answer =
            text("No bands were drawn: uncertainty.samples of the scenario is 0, or nothing runs.");
        return section;
    }
    const CandidateView* view = find(plan, candidate);
    if (view == nullptr) view = plan.best();
    if (view != nullptr) {
        section.answer = widestSwing(*view);
        draw(section, tornadoChart(*view, "chart-tornado"));
        for (Text sentence : {bandSentence(*view), chanceSentence(*view)})
            if (!sentence.empty()) section.blocks.emplace_back(paragraph(std::move(sentence)));
        if (auto tornado = tornadoTable(*view, "tornado-table"))
            section.blocks.emplace_back(std::move(*tornado));
        section.basis = basisOf(plan.views, *view);
    }
    section.blocks.emplace_back(std::move(*table));
    return section;
}

}  // namespace trainwright::reports
