// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a plan: the answer first, then why, then what it rests on.
#include <algorithm>
#include <cmath>
#include <limits>

#include "model/units/joined.h"
#include "reports/answer.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/document_parts.h"
#include "reports/money_sections.h"
#include "reports/number_format.h"
#include "reports/plan_charts.h"
#include "reports/plan_tables.h"
#include "reports/plan_view.h"
#include "reports/report.h"
#include "reports/study_charts.h"

namespace trainwright::reports {
namespace {

// ---- the first page -------------------------------------------------------------------------

std::vector<Paragraph> answer(const Plan& plan) {
    std::vector<Paragraph> sentences;
    for (AnswerSentence& sentence : answerSentences(plan.request, plan.result, plan.views)) {
        std::vector<std::string> links;
        if (sentence.pricedBy != nullptr) links = plan.sources.find(*sentence.pricedBy, {"price"});
        sentences.push_back(paragraph(std::move(sentence.text), std::move(links)));
    }
    return sentences;
}

List hinges(const Plan& plan) {
    List list;
    list.ordered = true;
    const CandidateView* best = plan.best();
    if (best == nullptr) return list;
    const search::CandidateRequest& asked = *best->request;
    switch (best->result->grade) {
        case search::Grade::A:
            list.items.push_back(
                paragraph(text("Times of {1} are of grade A: runs of this chip under this software "
                               "were published, and the model was "
                               "held against them.",
                               asked.name)));
            break;
        case search::Grade::B:
            list.items.push_back(paragraph(text(
                "Times of {1} are of grade B: the chip's family was measured, this chip was not.",
                asked.name)));
            break;
        case search::Grade::C:
            list.items.push_back(
                paragraph(text("Times of {1} are of grade C: data sheets only, no measured run "
                               "stands behind them.",
                               asked.name)));
            break;
    }
    if (Text swing = widestSwing(*best); !swing.empty()) {
        list.items.push_back(paragraph(std::move(swing)));
    } else {
        list.items.push_back(paragraph(
            text("No band is drawn, so that close candidates should be taken as equal.")));
    }
    if (auto limit = tightestLimit(plan.request, *best);
        limit && best->standing == Standing::MeetsAll)
        list.items.push_back(paragraph(limit->sentence));

    const run::Price& price = asked.price;
    if (!asked.portions.empty()) {
        list.items.push_back(paragraph(costSentence(*best), plan.sources.find(asked, {"price"})));
    } else if (price.perUnit) {
        const std::string rate = price.isOwned()
                                     ? fixed(units::inUsDollarsPerHour(*price.perUnit), 4)
                                     : pricePerHour(*price.perUnit);
        list.items.push_back(paragraph(
            price.discount > 0
                ? text("The price of {1}: {2} USD an hour for one {3}, less {4}; {5}.", asked.name,
                       rate, asked.system.id, percent(price.discount), priceState(price))
                : text("The price of {1}: {2} USD an hour for one {3}; {4}.", asked.name, rate,
                       asked.system.id, priceState(price)),
            plan.sources.find(asked, {"price"})));
        if (price.state == run::PriceState::StandIn && !price.reason.empty())
            list.items.push_back(paragraph(price.reason, {}, Tone::Warning));
    }
    std::vector<std::string> estimated;
    for (const search::FigureUse* figure : plan.sources.withStatus(asked, "estimated"))
        estimated.push_back(plan.sources.idOf(*figure));
    const std::size_t estimates = estimated.size();
    if (estimates > 6) estimated.resize(6);
    if (estimates > 0)
        list.items.push_back(paragraph(
            estimates == 1
                ? text("One figure of {1} is an estimate that no vendor has published.", asked.name)
                : text("{2} figures of {1} are estimates that no vendor has published.", asked.name,
                       count(static_cast<double>(estimates))),
            estimated, Tone::Warning));
    if (best->result->run.energy.averagePower && best->result->run.energy.isEstimate)
        list.items.push_back(
            paragraph(text("Power, energy and carbon of {1} rest on estimated watts.", asked.name),
                      plan.sources.find(asked, {"chip", "power"}, {"tdp", "thermal"})));
    if (asked.operations.interruptionRateIsAssumption)
        list.items.push_back(paragraph(text("How often {1} fails is an assumption: {2}", asked.name,
                                            asked.operations.interruptionSource)));
    std::size_t overrides = 0;
    std::vector<std::string> overridden;
    for (const CandidateView& view : plan.views)
        for (const search::FigureUse* figure : plan.sources.withStatus(*view.request, "override")) {
            const std::string id = plan.sources.idOf(*figure);
            if (std::find(overridden.begin(), overridden.end(), id) != overridden.end()) continue;
            ++overrides;
            overridden.push_back(id);
        }
    if (overrides > 0)
        list.items.push_back(
            paragraph(overrides == 1 ? text("One catalog figure is overridden in the scenario.")
                                     : text("{1} catalog figures are overridden in the scenario.",
                                            count(static_cast<double>(overrides))),
                      overridden, Tone::Override));
    return list;
}

Section firstPage(const Plan& plan) {
    Section section;
    section.id = "answer";
    section.title = text("Which is cheapest within the limits?");
    section.answer = joined(questionParts(plan.request));
    section.blocks.emplace_back(rankingTable(plan));
    if (auto chart = costAndTimeChart(plan.request, plan.views))
        section.blocks.emplace_back(Figure{std::move(*chart)});
    if (List list = hinges(plan); !list.items.empty()) {
        Section hinge;
        hinge.id = "hinges";
        hinge.title = text("It hangs on");
        hinge.blocks.emplace_back(std::move(list));
        section.sections.push_back(std::move(hinge));
    }
    return section;
}

// ---- why ------------------------------------------------------------------------------------

Section why(const Plan& plan) {
    Section section;
    section.id = "why";
    section.title = text("Time");
    if (auto chart = timeChart(plan.views)) section.blocks.emplace_back(Figure{std::move(*chart)});
    List bottlenecks;
    for (const CandidateView& view : plan.views)
        if (view.runs() && !view.result->bottleneck.empty())
            bottlenecks.items.push_back(
                paragraph(text("{1}: {2}", view.request->name, bottleneckAndAdvice(*view.result))));
    if (!bottlenecks.items.empty()) section.blocks.emplace_back(std::move(bottlenecks));
    section.blocks.emplace_back(timeTable(plan));
    return section;
}

Section memory(const Plan& plan) {
    Section section;
    section.id = "memory";
    section.title = text("Memory");
    if (const CandidateView* best = plan.best();
        best != nullptr && best->result->step.memory.peak.total().value() > 0)
        section.answer =
            text("{1}: {2}", best->request->name, memorySentence(best->result->step.memory));
    if (auto chart = memoryChart(plan.views))
        section.blocks.emplace_back(Figure{std::move(*chart)});
    section.blocks.emplace_back(memoryTable(plan));
    return section;
}

std::optional<Section> roofline(const Plan& plan) {
    Section section;
    section.id = "roofline";
    section.title = text("Roofline");
    std::vector<std::string> drawn;
    for (std::size_t i = 0; i < plan.views.size(); ++i) {
        const CandidateView& view = plan.views[i];
        if (!view.runs()) continue;
        auto chart = rooflineChart(plan.request, view, idOf("chart-roofline", i));
        if (!chart) continue;
        if (drawn.size() < 2) {
            section.blocks.emplace_back(Figure{std::move(*chart)});
        } else {
            Section more;
            more.id = idOf("roofline", i);
            more.title = text("Roofline of {1}", view.request->name);
            more.folded = true;
            more.blocks.emplace_back(Figure{std::move(*chart)});
            section.sections.push_back(std::move(more));
        }
        drawn.push_back(view.request->name);
    }
    if (drawn.empty()) return std::nullopt;
    section.blocks.emplace_back(
        paragraph(text("The slanted roof is the memory's bandwidth, the flat one the matrix "
                       "engine's peak; left of the ridge memory "
                       "decides, right of it arithmetic. The operators' own tables stand under "
                       "each candidate."),
                  {}, Tone::Quiet));
    return section;
}

// ---- money, energy, risk --------------------------------------------------------------------

Section cost(const Plan& plan) {
    Section section;
    section.id = "cost";
    section.title = text("Cost");
    if (auto chart = costChart(plan.views)) section.blocks.emplace_back(Figure{std::move(*chart)});
    section.blocks.emplace_back(costTable(plan));
    for (Section& one : moneySections(plan.request, plan.views))
        section.sections.push_back(std::move(one));
    return section;
}

Section energy(const Plan& plan) {
    Section section;
    section.id = "energy";
    section.title = text("Energy and carbon");
    Table table;
    table.id = "energy-table";
    table.caption = text("Power, energy and carbon of the run, facility");
    table.columns = {{text("candidate"), false}, {text("average MW"), true},
                     {text("peak MW"), true},    {text("MWh"), true},
                     {text("PUE"), true},        {text("g CO2e per kWh"), true},
                     {text("tCO2e"), true},      {text("watts are"), false}};
    RowGroup group;
    for (const CandidateView& view : plan.views) {
        if (!view.runs()) continue;
        const run::Energy& e = view.result->run.energy;
        const auto& region = view.request->region;
        const std::string grid = plan.sources.first(*view.request, {"region"}, {"co2", "grid"});
        auto megawattCell = [](const std::optional<units::Watts>& power) {
            return optionalNumber(
                power, [](auto w) { return w.value() / 1e6; }, "MW",
                [](auto w) { return estimate(w.value() / 1e6); });
        };
        // What a region lacks is not a number, and number() says so.
        constexpr double kMissing = std::numeric_limits<double>::quiet_NaN();
        const double pue = region ? region->pue.value_or(kMissing) : kMissing;
        const double intensity =
            region ? region->gridGramsCo2PerKilowattHour.value_or(kMissing) : kMissing;
        auto linked = [](Cell cell, std::string link) {
            if (cell.number) cell.link = std::move(link);
            return cell;
        };
        Row row;
        row.cells = {nameCell(view),
                     megawattCell(e.averagePower),
                     megawattCell(e.peakPower),
                     optionalNumber(
                         e.energy, [](auto j) { return units::inKilowattHours(j) / 1e3; }, "MWh",
                         [](auto j) { return estimate(units::inKilowattHours(j) / 1e3); }),
                     linked(number(pue, "", exact(pue)),
                            plan.sources.first(*view.request, {"region"}, {"pue"})),
                     linked(number(intensity, "g/kWh", exact(intensity)), grid),
                     optionalNumber(
                         e.co2Kilograms, [](double kg) { return kg / 1e3; }, "t",
                         [](double kg) { return estimate(kg / 1e3); }, grid),
                     !e.averagePower ? notKnownCell()
                                     : words(e.isEstimate ? text("estimated") : text("published"),
                                             e.isEstimate ? Tone::Warning : Tone::Plain)};
        if (!e.reason.empty()) row.notes.push_back(e.reason);
        if (region && !region->gridMethod.empty() && std::isfinite(intensity))
            row.notes.push_back(
                region->pueIsGlobal
                    ? text("{1}: {2}; the provider's global PUE stands in for the region's.",
                           region->name, region->gridMethod)
                    : text("{1}: {2}.", region->name, region->gridMethod));
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {text(
        "Facility: servers and network times the PUE. Location-based: no purchase of renewables is "
        "deducted.")};
    section.blocks.emplace_back(std::move(table));
    return section;
}

std::optional<Section> bands(const Plan& plan) {
    std::optional<Table> table = bandsTable(plan.views);
    if (!table) return std::nullopt;
    Section section;
    section.id = "bands";
    section.title = text("What would change the answer?");
    if (const CandidateView* best = plan.best()) section.answer = widestSwing(*best);
    section.blocks.emplace_back(std::move(*table));
    for (std::size_t i = 0; i < plan.views.size(); ++i) {
        const CandidateView& view = plan.views[i];
        auto tornado = tornadoTable(view, idOf("tornado", i));
        if (!tornado) continue;
        Section one;
        one.id = idOf("bands", i);
        one.title = text("Tornado of {1}", view.request->name);
        one.folded = i > 0;
        if (auto chart = tornadoChart(view, idOf("chart-tornado", i)))
            one.blocks.emplace_back(Figure{std::move(*chart)});
        one.blocks.emplace_back(std::move(*tornado));
        section.sections.push_back(std::move(one));
    }
    return section;
}

/// Candidates on days and cost, where there is more than one to choose from.
std::optional<Section> tradeOff(const Plan& plan) {
    const auto running = std::count_if(plan.views.begin(), plan.views.end(),
                                       [](const CandidateView& v) { return v.runs(); });
    if (running < 2) return std::nullopt;
    auto chart = paretoChart(plan.request, plan.views, nullptr, Measure::Days, Measure::Cost, {});
    if (!chart) return std::nullopt;
    Section section;
    section.id = "trade-off";
    section.title = text("Faster or cheaper");
    section.blocks.emplace_back(Figure{std::move(*chart)});
    return section;
}

/// Spot instances of the cluster that are taken back in an hour.
double reclaimsOf(const search::CandidateRequest& request) {
    double all = 0;
    for (const run::Portion& p : request.portions)
        all += static_cast<double>(p.units) * p.price.reclaimsPerUnitHour;
    return request.portions.empty()
               ? static_cast<double>(run::unitsRented(request.system, request.chips)) *
                     request.price.reclaimsPerUnitHour
               : all;
}

Section risk(const Plan& plan) {
    Section section;
    section.id = "risk";
    section.title = text("Failures");
    Table table;
    table.id = "risk-table";
    table.caption = text("Shares of wall time, start-up aside");
    table.columns = {
        {text("candidate"), false},  {text("useful"), true},   {text("checkpoints"), true},
        {text("redone"), true},      {text("restarts"), true}, {text("stop every"), true},
        {text("saved every"), true}, {text("stops"), true},    {text("spare chips"), true}};
    RowGroup group;
    for (const CandidateView& view : plan.views) {
        if (!view.runs()) continue;
        const run::RunResult& run = view.result->run;
        const run::Goodput& g = run.goodput;
        const GoodputShares shares = goodputShares(g);
        auto durationCell = [](units::Seconds time) {
            return std::isfinite(time.value()) && time.value() > 0
                       ? number(time.value(), "s", duration(time))
                       : doesNotApply();
        };
        Row row;
        row.cells = {nameCell(view),
                     number(g.share, "", shares.useful),
                     number(g.checkpointShare, "", shares.checkpoints),
                     number(g.reworkShare, "", shares.rework),
                     number(g.restartShare, "", shares.restarts),
                     durationCell(g.meanTimeBetweenInterruptions),
                     durationCell(g.checkpointInterval),
                     std::isfinite(run.interruptions)
                         ? number(run.interruptions, "", estimate(run.interruptions))
                         : doesNotApply(),
                     number(static_cast<double>(run.spareChips), "",
                            count(static_cast<double>(run.spareChips)))};
        if (g.plannedShare > 0)
            row.notes.push_back(text("Announced pauses take another {1}.", shares.planned));
        if (const double reclaims = reclaimsOf(*view.request); reclaims > 0)
            row.notes.push_back(
                text("About {1} of the stops are spot instances that are taken back; such come in "
                     "groups.",
                     estimate(reclaims * run.days * 24)));
        if (!view.request->operations.interruptionSource.empty())
            row.notes.push_back(
                view.request->operations.interruptionRateIsAssumption
                    ? text("Rate assumed: {1}", view.request->operations.interruptionSource)
                    : text("Rate: {1}", view.request->operations.interruptionSource));
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {
        text("A stop is an interruption that costs the work since the last checkpoint (redone) and "
             "a restart; "
             "saved every: the interval of checkpoints that wastes least.")};
    section.blocks.emplace_back(std::move(table));
    return section;
}

// ---- candidates in detail -------------------------------------------------------------------

Section candidateSection(const CandidateView& view, std::size_t index) {
    Section section;
    section.id = idOf("candidate", index);
    section.title = candidateTitle(view);
    section.folded = index > 0;
    if (!view.result->bottleneck.empty()) section.answer = bottleneckAndAdvice(*view.result);
    List reasons;
    for (const Text& reason : reasonsOf(view))
        reasons.items.push_back(paragraph(reason, {}, Tone::Warning));
    if (Text step = nearestStep(view); !step.empty())
        reasons.items.push_back(paragraph(std::move(step)));
    if (!reasons.items.empty()) section.blocks.emplace_back(std::move(reasons));
    std::vector<FactRow> rows;
    if (view.hasLayout()) rows = layoutFactRows(view);
    if (view.runs()) {
        const std::vector<FactRow> ofRun = runFactRows(view);
        rows.insert(rows.end(), ofRun.begin(), ofRun.end());
    }
    if (!rows.empty()) section.blocks.emplace_back(factsOf(rows));
    if (!view.result->alternatives.empty())
        section.blocks.emplace_back(alternativeTable(view, index));
    const layout::StepResult& step = view.result->step;
    if (view.runs() && !step.operators.empty())
        section.blocks.emplace_back(operatorTable(view, index));
    if (view.runs() && !step.collectives.empty())
        section.blocks.emplace_back(collectiveTable(view, index));
    if (step.memory.stages.size() > 1) section.blocks.emplace_back(stageTable(view, index));
    return section;
}

Section details(const Plan& plan) {
    Section section;
    section.id = "details";
    section.title = text("Candidates in detail");
    for (std::size_t i = 0; i < plan.views.size(); ++i)
        section.sections.push_back(candidateSection(plan.views[i], i));
    return section;
}

}  // namespace

Document planDocument(const search::PlanRequest& request, const search::PlanResult& result,
                      const ReportContext& context) {
    std::vector<CandidateView> views = candidateViews(request, result);
    Sources figures(request, views);
    const Plan plan{request, result, context, std::move(views), std::move(figures)};

    Document document;
    document.title = verbatim(!request.title.empty() ? request.title : request.architecture.id);
    document.kind = text("Trainwright report");
    document.generator = context.programVersion.empty()
                             ? text("Trainwright")
                             : text("Trainwright {1}", context.programVersion);
    document.answer = answer(plan);
    document.sections.push_back(firstPage(plan));
    const bool anyRuns = std::any_of(plan.views.begin(), plan.views.end(),
                                     [](const CandidateView& v) { return v.runs(); });
    if (anyRuns) document.sections.push_back(why(plan));
    const bool anyMemory = std::any_of(
        plan.views.begin(), plan.views.end(),
        [](const CandidateView& v) { return v.result->step.memory.peak.total().value() > 0; });
    if (anyMemory) document.sections.push_back(memory(plan));
    if (auto section = roofline(plan)) document.sections.push_back(std::move(*section));
    if (anyRuns) {
        document.sections.push_back(cost(plan));
        document.sections.push_back(energy(plan));
        document.sections.push_back(risk(plan));
        if (auto section = tradeOff(plan)) document.sections.push_back(std::move(*section));
        if (auto section = bands(plan)) document.sections.push_back(std::move(*section));
    }
    document.sections.push_back(details(plan));
    document.sections.push_back(assumptions(plan));
    document.sections.push_back(sources(plan));
    document.sections.push_back(reproduce(plan));
    return document;
}

}  // namespace trainwright::reports
