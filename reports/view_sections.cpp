// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/view_sections.h"

#include <algorithm>
#include <cmath>

#include "model/units/joined.h"
#include "reports/answer.h"
#include "reports/bands_view.h"
#include "reports/document_parts.h"
#include "reports/explain_sections.h"
#include "reports/fit_view.h"
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
                                       const std::string& candidate, const std::string& shortForm) {
    for (const search::CandidateResult& c : result.candidates) {
        if (c.name != candidate) continue;
        if (layoutForm(c.layout).english() == shortForm) return c.layout;
        for (const auto* list : {&c.alternatives, &c.front})
            for (const search::Alternative& alternative : *list)
                if (layoutForm(alternative.layout).english() == shortForm)
                    return alternative.layout;
        if (c.withoutOffload && layoutForm(c.withoutOffload->layout).english() == shortForm)
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

Section pipelineView(const search::PlanRequest& request, const search::CandidateResult& candidate,
                     const search::PipelineStudy& study) {
    constexpr std::size_t kTasksShown = 2000;
    const Text title = text("When does each stage wait?");
    const std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view || !view->hasLayout()) {
        Section section = sectionOf("pipeline", title);
        section.answer = noLayout(candidate.name);
        return section;
    }
    Section section = scheduleSection(*view, study, kTasksShown);
    section.title = title;
    section.blocks.insert(
        section.blocks.begin(),
        {paragraph(std::move(section.answer), {}, Tone::Quiet),
         paragraph(text("Outlined: the critical path; none of its parts can start later without "
                        "a longer step."),
                   {}, Tone::Quiet)});
    section.answer = bubbleSentence(*view, study);
    draw(section, pipelineChart(*view, study));
    section.basis = basisOf({*view}, *view);
    return section;
}

Section topologyView(const search::PlanRequest& request, const search::CandidateResult& candidate,
                     const search::NetworkStudy& study, TopologyZoom zoom) {
    const Text title = text("Which link is full, and because of whom?");
    const std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view || !view->hasLayout()) {
        Section section = sectionOf("topology", title);
        section.answer = noLayout(candidate.name);
        return section;
    }
    Section section = networkSection(*view, study);
    section.title = title;
    std::optional<ChartSpec> chart = topologyChart(*view, study, zoom);
    if (chart) section.answer = chart->answer;
    draw(section, std::move(chart));
    section.basis = basisOf({*view}, *view);
    return section;
}

// ---- other sizes ----------------------------------------------------------------------------

namespace {

Text overrunsText(const std::vector<search::Overrun>& overruns) {
    std::vector<Text> all;
    for (const search::Overrun& o : overruns) {
        const Text name = limitWords(o.limit).name;
        all.push_back(std::isfinite(o.by)
                          ? text("{1} passed by {2}", name, limitAmountText(o.limit, o.by))
                          : text("{1} passed", name));
    }
    return joined(all, "; ");
}

/// Every size that was looked at, a group a candidate.
Table sizesTable(const search::SizeStudy& study, const search::SizeAnswer& answer) {
    Table table;
    table.id = "sizes-table";
    table.caption = text("Sizes that were looked at");
    table.columns = {{text("accelerators"), true},
                     {text("units"), true},
                     {text("days"), true},
                     {text("done"), false},
                     {text("M USD"), true},
                     {text("MWh"), true, false, 2},
                     {text("peak MW"), true, false, 1},
                     {text("MFU"), true, false, 3},
                     {text("layout"), false, false, 4},
                     {text("limits"), false}};
    for (std::size_t c = 0; c < study.candidates.size(); ++c) {
        const search::SizedCandidate& sized = study.candidates[c];
        RowGroup group;
        group.title = verbatim(sized.name);
        for (std::size_t p = 0; p < sized.points.size(); ++p) {
            const search::SizePoint& point = sized.points[p];
            const run::RunResult& run = point.run;
            const std::vector<search::Overrun>& passed = answer.overruns[c][p];
            Row row;
            row.key = point.isAsked ? candidateKey(sized.name) : sizeKey(sized.name, point.chips);
            row.tone = point.isAsked ? Tone::Strong : Tone::Plain;
            const auto chips = static_cast<double>(point.chips);
            row.cells = {
                number(chips, "", count(chips)),
                number(static_cast<double>(point.units), "",
                       count(static_cast<double>(point.units))),
                number(run.days, "d", days(run.days)),
                run.finish ? name(run::isoDate(*run.finish)) : doesNotApply(),
                optionalNumber(
                    run.money.total, [](auto m) { return m.value(); }, "USD", millions),
                optionalNumber(
                    run.energy.energy, [](auto j) { return units::inKilowattHours(j) / 1e3; },
                    "MWh", [](auto j) { return estimate(units::inKilowattHours(j) / 1e3); }),
                optionalNumber(
                    run.energy.peakPower, [](auto w) { return w.value() / 1e6; }, "MW",
                    [](auto w) { return estimate(w.value() / 1e6); }),
                number(point.mfu, "", percent(point.mfu)),
                name(layoutForm(point.layout)),
                passed.empty() ? words(text("kept"), Tone::Good)
                               : words(overrunsText(passed), Tone::Error)};
            group.rows.push_back(std::move(row));
        }
        if (!sized.doesNotFit.empty()) {
            Row row;
            const auto least = static_cast<double>(sized.doesNotFit.front());
            const auto most = static_cast<double>(sized.doesNotFit.back());
            row.cells.assign(table.columns.size(), words(verbatim("")));
            row.cells.front() = sized.doesNotFit.size() == 1
                                    ? number(least, "", count(least))
                                    : name(count(least) + "–" + count(most));
            row.cells.back() = words(text("no layout fits"), Tone::Quiet);
            group.rows.push_back(std::move(row));
        }
        table.groups.push_back(std::move(group));
    }
    table.footnotes = {
        text("Each size is planned anew with the layout that suits it; sizes between them are not "
             "guessed. Strong: the size asked for.")};
    return table;
}

Argument dateOf(const search::SizePoint& point) {
    if (point.run.finish) return run::isoDate(*point.run.finish);
    return text("{1} days", daysOrNever(point.run.days));
}

std::string costOf(const search::SizePoint& point) {
    return orNotKnown(point.run.money.total, money);
}

/// "A week earlier: 278 instances, over the 256 that the plan sells."
Text movedText(const search::SizeStudy& study, const search::MovedDate& moved) {
    const Text when = (moved.weeks == -1  ? text("A week earlier")
                       : moved.weeks == 1 ? text("A week later")
                       : moved.weeks < 0  ? text("{1} weeks earlier", count(-moved.weeks))
                                          : text("{1} weeks later", count(moved.weeks)));
    if (!moved.onDate) return text("{1}: no size that was looked at is done by then.", when);
    const search::SizePoint& point = search::at(study, *moved.onDate);
    const std::string chips = count(static_cast<double>(point.chips));
    const std::string units = count(static_cast<double>(point.units));
    if (moved.overruns.empty())
        return text("{1}: {2} accelerators ({3} units), {4}.", when, chips, units, costOf(point));
    return text("{1}: {2} accelerators ({3} units), {4}; {5}.", when, chips, units, costOf(point),
                overrunsText(moved.overruns));
}

}  // namespace

Text deadlineAnswer(const search::PlanRequest&, const search::SizeStudy& study,
                    const search::Constraints&, const search::SizeAnswer& answer) {
    const auto nameOf = [&](search::SizeChoice choice) {
        return study.candidates[choice.candidate].name;
    };
    const auto chipsOf = [&](search::SizeChoice choice) {
        return count(static_cast<double>(search::at(study, choice).chips));
    };
    if (answer.smallest) {
        const search::SizePoint& small = search::at(study, *answer.smallest);
        if (answer.cheapest && *answer.cheapest != *answer.smallest) {
            const search::SizePoint& cheap = search::at(study, *answer.cheapest);
            return text(
                "Smallest: {1} accelerators of {2}, done {3} for {4}. Cheapest: {5} of {6}, done "
                "{7} for {8}.",
                chipsOf(*answer.smallest), nameOf(*answer.smallest), dateOf(small), costOf(small),
                chipsOf(*answer.cheapest), nameOf(*answer.cheapest), dateOf(cheap), costOf(cheap));
        }
        return text("Smallest and cheapest: {1} accelerators of {2}, done {3} for {4}.",
                    chipsOf(*answer.smallest), nameOf(*answer.smallest), dateOf(small),
                    costOf(small));
    }
    if (!answer.nearest) return text("No candidate runs at any size that was looked at.");
    const search::SizePoint& near = search::at(study, *answer.nearest);
    return text(
        "No size keeps every limit. Nearest: {1} accelerators of {2}, done {3} for {4}; "
        "{5}.",
        chipsOf(*answer.nearest), nameOf(*answer.nearest), dateOf(near), costOf(near),
        overrunsText(answer.overruns[answer.nearest->candidate][answer.nearest->point]));
}

Section deadlineView(const search::PlanRequest& request, const search::SizeStudy& study,
                     const search::Constraints& limits, Measure vertical) {
    const search::SizeAnswer answer = search::answerOf(study, limits);
    Section section = sectionOf("deadline", text("How small can I go, and what does a week cost?"));
    section.answer = deadlineAnswer(request, study, limits, answer);
    draw(section, deadlineChart(request, study, limits, answer, vertical));
    if (!answer.binding.empty()) {
        const search::SizePoint& better = search::at(study, *answer.withoutBinding);
        section.blocks.emplace_back(paragraph(
            text("What binds is the {1}: without it {2} accelerators of {3} would do, done {4} "
                 "for {5}.",
                 limitWords(answer.binding).name, count(static_cast<double>(better.chips)),
                 study.candidates[answer.withoutBinding->candidate].name, dateOf(better),
                 costOf(better))));
    } else {
        section.blocks.emplace_back(paragraph(
            answer.smallest ? text("No limit binds: without one of them no size would do better.")
                            : text("The table says by how much each size passes which limit.")));
    }
    List weeks;
    for (const search::MovedDate& moved : answer.moved)
        weeks.items.push_back(paragraph(movedText(study, moved)));
    if (!weeks.items.empty()) section.blocks.emplace_back(std::move(weeks));
    section.blocks.emplace_back(sizesTable(study, answer));
    section.basis = study.stopped
                        ? text(
                              "sizes in steps of an eighth, an eighth to eight times as many · "
                              "stopped early: some are missing")
                        : text("sizes in steps of an eighth, an eighth to eight times as many");
    return section;
}

Section paretoView(const search::PlanRequest& request, const search::PlanResult& result,
                   const search::SizeStudy* study, Measure horizontal, Measure vertical,
                   const std::string& chosen) {
    const Plan plan = planOf(request, result);
    Section section = sectionOf("pareto", text("What do I give up to be faster or cheaper?"));
    std::optional<ChartSpec> chart =
        paretoChart(request, plan.views, study, horizontal, vertical, chosen);
    if (!chart) {
        section.answer = horizontal == vertical
                             ? text("Both axes show the same; choose another for one of them.")
                             : nothingRuns();
        return section;
    }
    section.answer = chart->answer;
    draw(section, std::move(chart));
    if (study != nullptr)
        section.blocks.emplace_back(
            sizesTable(*study, search::answerOf(*study, request.constraints)));
    else
        section.blocks.emplace_back(rankingTable(plan));
    section.basis = basisOf(plan);
    return section;
}

}  // namespace trainwright::reports
