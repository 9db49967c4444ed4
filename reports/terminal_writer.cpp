// SPDX-License-Identifier: GPL-3.0-or-later
// The ranked table and the explanation as plain text.
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "model/units/joined.h"
#include "reports/answer.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/explain_sections.h"
#include "reports/money_sections.h"
#include "reports/number_format.h"
#include "reports/plan_view.h"
#include "reports/report.h"
#include "reports/section_text.h"
#include "reports/step_view.h"
#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kReasonIndent = 3;
constexpr std::size_t kTasksShown = 24;
constexpr std::size_t kFrontShown = 12;

Ink inkOf(const CandidateView& view) {
    switch (view.standing) {
        case Standing::MeetsAll:
            return view.mark == "1" ? Ink::Good : Ink::Plain;
        case Standing::MissesLimit:
        case Standing::NoPrice:
            return Ink::Plain;
        case Standing::DoesNotFit:
            return Ink::Dim;
    }
    return Ink::Plain;
}

constexpr const char* kBandColumn = "P10–P90";
constexpr const char* kChanceColumn = "limits";

std::string rankedTable(const search::PlanRequest& request, const std::vector<CandidateView>& views,
                        const TerminalStyle& style) {
    const bool dated = request.start.has_value();
    const bool banded = anyBands(views);
    const bool limited = anyChances(views);
    std::vector<TextColumn> columns{{"#", true, 0, 1},
                                    {"candidate", false, 0, 16},
                                    {"system", false, 0, 21},
                                    {"chips", true, 6, 0},
                                    {"days", true, 0, 0}};
    if (banded) columns.push_back({kBandColumn, true, 9, 0});
    if (dated) columns.push_back({"finish", true, 7, 0});
    columns.push_back({"M USD", true, 0, 0});
    if (banded) columns.push_back({kBandColumn, true, 8, 0});
    if (limited) columns.push_back({kChanceColumn, true, 4, 0});
    columns.insert(columns.end(), {{"MWh", true, 1, 0},
                                   {"tCO2e", true, 2, 0},
                                   {"MW", true, 3, 0},
                                   {"MFU", true, 5, 0},
                                   {"gr", false, 0, 2}});
    TextTable table(std::move(columns));
    for (const CandidateView& view : views) {
        const run::RunResult& run = view.result->run;
        const bool runs = view.runs();
        const std::string none = "–";
        std::vector<Argument> cells{view.mark, view.request->name, view.request->system.id,
                                    count(static_cast<double>(view.request->chips)),
                                    runs ? daysOrNever(run.days) : Argument(none)};
        const auto orNone = [&](Argument words) {
            return words.english().empty() ? Argument(none) : words;
        };
        if (banded) cells.push_back(orNone(daysRange(view)));
        if (dated) cells.push_back(!runs ? none : run.finish ? run::isoDate(*run.finish) : none);
        auto cell = [&](const auto& value, auto format) {
            return !runs ? none : orNotKnown(value, format);
        };
        cells.push_back(cell(run.money.total, millions));
        if (banded) cells.push_back(orNone(costRange(view)));
        if (limited) cells.push_back(orNone(chanceOfAll(view)));
        cells.push_back(cell(run.energy.energy, [](units::Joules e) {
            return estimate(units::inKilowattHours(e) / 1e3);
        }));
        cells.push_back(
            cell(run.energy.co2Kilograms, [](double kg) { return estimate(kg / 1e3); }));
        cells.push_back(cell(run.energy.averagePower,
                             [](units::Watts w) { return estimate(w.value() / 1e6); }));
        cells.push_back(runs && view.result->step.mfuModel > 0 ? percent(view.result->step.mfuModel)
                                                               : none);
        cells.push_back(runs ? belief::name(view.result->grade) : none);
        table.add(std::move(cells), inkOf(view));
        if (const Text condition = priceCondition(view); !condition.empty())
            table.note(condition, kReasonIndent);
        for (const Text& reason : reasonsOf(view)) table.note(reason, kReasonIndent);
        table.note(nearestStep(view), kReasonIndent);
    }
    return table.render(style);
}

/// What the marks and the columns mean, only as far as they occur; `head` is the table's first
/// line.
std::string legend(const std::vector<CandidateView>& views, const std::string& head,
                   const TerminalStyle& style) {
    std::set<Standing> seen;
    for (const CandidateView& view : views) seen.insert(view.standing);
    std::vector<Text> parts;
    if (seen.contains(Standing::MissesLimit)) parts.push_back(text("– misses a limit"));
    if (seen.contains(Standing::NoPrice)) parts.push_back(text("? no price known"));
    if (seen.contains(Standing::DoesNotFit)) parts.push_back(text("× doesn't fit"));
    const auto explain = [&](const char* column, const char* pattern) {
        if (head.find(shown(say(text(column), style.language), style)) != std::string::npos)
            parts.push_back(text(pattern, text(column)));
    };
    explain(kBandColumn, "{1}: 80 of 100 cases lie in it");
    explain(kChanceColumn, "{1}: share of cases that keep them all");
    explain("MW", "{1}: facility, average");
    explain("MFU", "{1}: model FLOP over the data-sheet peak");
    explain("gr", "{1}: A chip measured, B its family, C data sheet only");
    return inked(wrapped(joined(parts, "; "), style, 0, 2), Ink::Dim, style);
}

Text priceLine(const std::vector<CandidateView>& views) {
    struct Dates {
        Text plan;
        std::set<std::string> days;
    };
    std::map<std::string, Dates> byPlan;
    const auto take = [&](const run::Price& price) {
        if (price.state == run::PriceState::Known && !price.observedDate.empty()) {
            const Text plan = run::planName(price.plan);
            Dates& dates = byPlan[plan.english()];
            dates.plan = plan;
            dates.days.insert(price.observedDate);
        }
    };
    for (const CandidateView& view : views) {
        take(view.request->price);
        for (const run::Portion& portion : view.request->portions) take(portion.price);
    }
    std::vector<Text> parts;
    for (const auto& [name, dates] : byPlan) {
        if (dates.days.size() == 1)
            parts.push_back(text("{1} {2}", dates.plan, *dates.days.begin()));
        else
            parts.push_back(
                text("{1} {2} to {3}", dates.plan, *dates.days.begin(), *dates.days.rbegin()));
    }
    if (parts.empty()) return {};
    return text("Prices seen: {1}.", joined(parts, ", "));
}

std::string partsTable(const layout::StepResult& step, const TerminalStyle& style) {
    TextTable table({{"part", false}, {"seconds", true}, {"share", true}}, 2);
    for (const TimeShare& part : timeShares(step))
        table.add({timePartLabel(part.part), part.seconds, part.percent});
    table.rule();
    table.add({text("step"), timeShareTotal(step), "100%"}, Ink::Bold);
    std::string out = table.render(style);
    if (step.hiddenCommunication.value() > 0)
        out += wrapped(text("{1} more of communication is hidden under compute and not in the sum.",
                            seconds(step.hiddenCommunication)),
                       style, 2);
    return out;
}

std::string operatorsTable(const CandidateView& view, const TerminalStyle& style) {
    const std::vector<OperatorRow> rows = operatorRows(view);
    TextTable table({{"operator", false, 0, 22},
                     {"phase", false, 0, 11},
                     {"bound", false, 3, 6},
                     {"calls", true, 1, 0},
                     {"M × N × K", true, 2, 0},
                     {"TFLOP/s", true, 4, 0},
                     {"seconds", true},
                     {"step", true}},
                    2);
    const OperatorTotal total = operatorTotal(view);
    for (const OperatorRow& row : rows) {
        if (row.small) continue;
        table.add({text(row.name), phaseLabel(row.phase), boundLabel(row.bound), count(row.calls),
                   row.extents, row.chipTeraflops ? estimate(*row.chipTeraflops) : "–", row.seconds,
                   row.percent});
    }
    if (total.smallCount > 0)
        table.add({text("{1} smaller operators", count(total.smallCount)), "", "", "", "", "",
                   total.smallSeconds, total.smallPercent});
    table.rule();
    table.add({text("all operators"), "", "", "", "", "", total.seconds, total.percent}, Ink::Bold);
    return table.render(style) +
           wrapped(
               text(
                   "TFLOP/s are those of one chip while the operator runs. The rest of the step is "
                   "communication, waiting, overhead and stragglers."),
               style, 2);
}

std::string collectivesTable(const layout::StepResult& step, const TerminalStyle& style) {
    TextTable table({{"collective", false, 0, 18},
                     {"group", false, 0, 10},
                     {"calls", true, 1, 0},
                     {"a call", true, 0, 0},
                     {"time of one", true, 2, 0},
                     {"exposed s", true},
                     {"hidden s", true}},
                    2);
    const CollectiveRows rows = collectiveRows(step);
    for (const CollectiveRow& row : rows.rows) {
        table.add({text(row.use->name), row.group, count(row.use->calls),
                   traffic(row.use->bytesPerCall), seconds(row.use->secondsPerCall), row.exposed,
                   row.hidden});
        if (!row.route.empty()) table.note(row.route, 4);
    }
    table.rule();
    table.add({text("all collectives"), "", "", "", "", rows.exposedTotal, rows.hiddenTotal},
              Ink::Bold);
    return table.render(style);
}

std::string memoryTable(const layout::MemoryResult& memory, const TerminalStyle& style) {
    std::vector<TextColumn> columns{{"stage", true}};
    for (int k = 0; k < layout::kMemoryKindCount; ++k)
        columns.push_back({layout::name(static_cast<layout::MemoryKind>(k)), true});
    columns.push_back({"total GiB", true});
    TextTable table(std::move(columns), 2);
    const StageRows stages = stageRows(memory);
    for (const StageMemoryRow& row : stages.rows) {
        std::vector<Argument> cells{count(row.memory->stage)};
        cells.insert(cells.end(), row.kinds.begin(), row.kinds.end());
        cells.push_back(row.total);
        table.add(std::move(cells), row.fullest ? Ink::Bold : Ink::Plain);
    }
    std::string out = table.render(style);
    if (stages.leftOut > 0)
        out += wrapped(text("{1} more stages lie between the lightest and the fullest.",
                            count(stages.leftOut)),
                       style, 2);
    return out + wrapped(memorySentence(memory), style, 2);
}

std::string stageTimesTable(const layout::StepResult& step, const TerminalStyle& style) {
    TextTable table({{"stage", true}, {"layers", true}, {"forward", true}, {"backward", true}}, 2);
    for (const layout::StageTime& stage : step.stageTimes)
        table.add({count(stage.stage), count(stage.layers), seconds(stage.forward),
                   seconds(stage.backward)});
    return table.render(style) + wrapped(text("Times are those of one micro-batch."), style, 2);
}

std::string alternativesTable(const search::CandidateResult& result, const TerminalStyle& style) {
    TextTable table(
        {{"layout", false, 0, 20}, {"step", true}, {"GiB a rank", true}, {"verdict", false, 0, 24}},
        2);
    for (const AlternativeRow& row : alternativeRows(result))
        table.add({row.layout, row.step, row.memory, row.verdict},
                  row.inUse ? Ink::Bold : Ink::Plain);
    return table.render(style);
}

std::string runFacts(const CandidateView& view, const TerminalStyle& style) {
    FactLines facts;
    for (const FactRow& row : runFactRows(view)) facts.add(row.label, row.value);
    return facts.render(style);
}

std::string moneyTable(const CandidateView& view, const TerminalStyle& style) {
    const run::Money& money = view.result->run.money;
    if (!money.total) return wrapped(costSentence(view), style, 2);
    TextTable table({{"part", false}, {"M USD", true}}, 2);
    const CostParts parts = costParts(money);
    for (const CostPart& part : parts.parts) table.add({part.label, part.millions});
    table.rule();
    table.add({text("total"), parts.total}, Ink::Bold);
    return table.render(style) + wrapped(costSentence(view), style, 2);
}

std::string certainty(const CandidateView& view, const TerminalStyle& style) {
    const std::optional<Table> bands = bandTable(view);
    if (!bands) return {};
    std::string out = heading(text("What would change the answer"), style);
    for (const Text& sentence : {bandSentence(view), chanceSentence(view), widestSwing(view)})
        out += wrapped(sentence, style, 2);
    out += "\n" + tableText(*bands, style);
    const std::vector<SwingRow> rows = swingRows(view);
    if (rows.empty()) return out;
    TextTable table({{"input", false, 0, 20},
                     {"P10", true},
                     {"P90", true},
                     {"days", true},
                     {"M USD", true},
                     {"MWh", true, 1, 0}},
                    2);
    for (const SwingRow& row : rows) {
        table.add({row.input, row.low, row.high, row.days, row.cost, row.energy});
        table.note(row.note, 4);
    }
    out += "\n" + wrapped(text("With one input at its P10 or its P90"), style, 2) +
           table.render(style) + wrapped(tornadoNote(), style, 2);
    return out;
}

std::string overview(const CandidateView& view, const TerminalStyle& style) {
    const search::CandidateResult& candidate = *view.result;
    const layout::StepResult& step = candidate.step;
    std::string out;
    if (view.hasLayout()) {
        FactLines layoutFacts;
        for (const FactRow& row : layoutFactRows(view)) layoutFacts.add(row.label, row.value);
        out += heading(text("Layout"), style) + layoutFacts.render(style);
    }

    if (view.runs()) {
        out += heading(text("Where a step of {1} goes", seconds(step.stepTime)), style) +
               partsTable(step, style);
        if (!candidate.bottleneck.empty()) out += wrapped(bottleneckAndAdvice(candidate), style, 2);
        if (!step.operators.empty())
            out +=
                heading(text("By operator, on the busiest stage ({1})", count(step.busiestStage)),
                        style) +
                operatorsTable(view, style);
        if (!step.collectives.empty())
            out += heading(text("By collective, on the busiest stage"), style) +
                   collectivesTable(step, style);
        if (step.stageTimes.size() > 1 && step.stageTimes.size() <= 64)
            out += heading(text("By stage"), style) + stageTimesTable(step, style);
    }
    if (step.memory.peak.total().value() > 0)
        out += heading(text("Memory of one rank, GiB"), style) + memoryTable(step.memory, style);
    if (!candidate.alternatives.empty())
        out += heading(text("Why this layout"), style) + alternativesTable(candidate, style);
    if (candidate.search.layoutsEvaluated > 0)
        out += wrapped(searchSentence(candidate.search), style, 2);
    if (const auto front = frontTable(candidate, kFrontShown); front && candidate.front.size() > 1)
        out += "\n" + tableText(*front, style);
    if (view.runs()) {
        out += heading(text("The run"), style) + runFacts(view, style);
        out += heading(text("The cost"), style) + moneyTable(view, style);
        out += certainty(view, style);
    }
    const std::vector<Text> warnings = warningsOf(view);
    if (!warnings.empty()) {
        out += heading(text("Worth knowing"), style);
        for (const Text& warning : warnings) out += wrapped(warning, style, 2, 2);
    }
    if (view.runs())
        out += "\n" + wrapped(text("Grade {1}.", gradeMeaning(candidate.grade)), style);
    return out;
}

}  // namespace

std::string planTerminal(const search::PlanRequest& request, const search::PlanResult& result,
                         const TerminalStyle& style, const ReportContext& context) {
    const std::vector<CandidateView> views = candidateViews(request, result);
    std::string out;
    if (!request.title.empty()) out += inked(wrapped(request.title, style), Ink::Bold, style);
    out += wrapped(joined(questionParts(request), ", "), style);
    if (!out.empty()) out += "\n";
    const std::string table = rankedTable(request, views, style);
    out += table + legend(views, table.substr(0, table.find('\n')), style);

    std::string words;
    bool first = true;
    for (const AnswerSentence& sentence : answerSentences(request, result, views)) {
        words += inked(wrapped(sentence.text, style), first ? Ink::Bold : Ink::Plain, style);
        first = false;
    }
    if (!views.empty()) words += wrapped(widestSwing(views.front()), style);
    if (!views.empty() && views.front().standing == Standing::MeetsAll) {
        if (auto limit = tightestLimit(request, views.front()))
            words += wrapped(limit->sentence, style);
    }
    if (!words.empty()) out += "\n" + words;

    std::string bottlenecks;
    for (const CandidateView& view : views) {
        if (!view.runs() || view.result->bottleneck.empty()) continue;
        bottlenecks +=
            wrapped(text("{1} ({2}): {3}", view.request->name, layoutForm(view.result->layout),
                         bottleneckAndAdvice(*view.result)),
                    style, 0, 2);
    }
    if (!bottlenecks.empty()) out += "\n" + bottlenecks;

    std::string warnings;
    for (const SharedWarning& warning : sharedWarnings(views))
        warnings += wrapped(text("{1}: {2}", warning.names, warning.text), style, 2, 2);
    for (const Finding& note : request.notes) warnings += wrapped(textOf(note), style, 2, 2);
    if (!warnings.empty()) out += heading(text("Worth knowing"), style) + warnings;

    std::string last = wrapped(priceLine(views), style, 0, 2);
    if (!context.scenarioFile.empty() && !views.empty())
        last += wrapped(text("More: trainwright explain {1} --candidate {2}", context.scenarioFile,
                             views.front().request->name),
                        style, 0, 2);
    if (!last.empty()) out += "\n" + last;
    return out;
}

std::string moneyTerminal(const search::PlanRequest& request, const search::PlanResult& result,
                          const TerminalStyle& style) {
    const std::vector<CandidateView> views = candidateViews(request, result);
    std::string out;
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        out += heading(text("Cost of {1}", view.request->name), style) + moneyTable(view, style);
    }
    for (const Section& section : moneySections(request, views)) out += sectionText(section, style);
    return out;
}

std::string explainTerminal(const search::PlanRequest& request,
                            const search::CandidateResult& candidate, const ExplainedViews& views,
                            const TerminalStyle& style, const ReportContext& context) {
    const std::optional<CandidateView> view = candidateView(request, candidate);
    if (!view) return wrapped(text("The scenario has no candidate {1}.", candidate.name), style);
    std::string out = inked(wrapped(candidateTitle(*view), style, 0, 2), Ink::Bold, style);
    out += wrapped(joined(questionParts(request), ", "), style);
    for (const Text& reason : reasonsOf(*view)) out += wrapped(reason, style, 2);
    out += wrapped(nearestStep(*view), style, 2);
    if (views.overview) out += overview(*view, style);
    if (views.model) out += sectionText(modelSection(*views.model), style);
    if (views.roofline) out += sectionText(rooflineSection(*view, *views.roofline), style);
    if (views.memory) out += sectionText(memorySection(*view), style);
    if (views.schedule)
        out += sectionText(scheduleSection(*view, *views.schedule, kTasksShown), style);
    if (views.network) out += sectionText(networkSection(*view, *views.network), style);
    if (!context.catalogVersion.empty()) {
        if (!views.overview) out += "\n";
        out += wrapped(text("Catalog of {1}.", context.catalogVersion), style);
    }
    return out;
}

}  // namespace trainwright::reports
