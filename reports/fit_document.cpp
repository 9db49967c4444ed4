// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "model/units/joined.h"
#include "reports/bands_view.h"
#include "reports/document_parts.h"
#include "reports/fit_report.h"
#include "reports/fit_view.h"
#include "reports/number_format.h"
#include "reports/section_text.h"
#include "reports/step_view.h"
#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

using search::FitPoint;
using search::FitRequest;
using search::Objective;

std::string grouped(long n) {
    return count(static_cast<double>(n));
}

Text clusterSentence(const FitRequest& request, const FitPoint& p) {
    const search::CandidateRequest c = search::candidateOf(request, p);
    const long units = run::unitsRented(c.system, p.chips + c.operations.spareChips);
    const std::string region = c.region ? c.region->id : "";
    const Text plan = run::planName(c.price.plan);
    if (units > 0 && !region.empty() && !plan.empty())
        return text("{1} {2}: {3} × {4} in {5}, {6}.", grouped(p.chips), c.system.chip.name,
                    grouped(units), c.system.id, region, plan);
    if (units > 0)
        return text("{1} {2}: {3} × {4}.", grouped(p.chips), c.system.chip.name, grouped(units),
                    c.system.id);
    return text("{1} {2} of {3}.", grouped(p.chips), c.system.chip.name, c.system.name);
}

Text runSentence(const FitPoint& p) {
    const run::RunResult& run = p.run;
    const std::string cost = run.money.total ? money(*run.money.total) : notKnown();
    const std::string power = orNotKnown(run.energy.peakPower, megawatts);
    const std::string carbon = orNotKnown(run.energy.co2Kilograms, tonnesCo2);
    if (run.finish)
        return text("{1} days, done by {2}; cost {3}; peak power {4}; carbon {5}.",
                    daysOrNever(run.days), longDate(*run.finish), cost, power, carbon);
    return text("{1} days; cost {2}; peak power {3}; carbon {4}.", daysOrNever(run.days), cost,
                power, carbon);
}

Text headline(const FitAnswer& answer) {
    const search::FitResult& r = answer.result;
    const auto nameOf = [&](const FitPoint& p) {
        return answer.request.ways[p.way].candidate.name;
    };
    if (r.best) {
        switch (answer.request.objective) {
            case Objective::Smallest:
                return text("Smallest that keeps every limit: {1}.", nameOf(*r.best));
            case Objective::Cheapest:
                return text("Cheapest that keeps every limit: {1}.", nameOf(*r.best));
            case Objective::Greenest:
                return text("Least carbon that keeps every limit: {1}.", nameOf(*r.best));
            case Objective::Fastest:
                return text("Fastest that keeps every limit: {1}.", nameOf(*r.best));
        }
    }
    if (r.nearestMiss)
        return text("Nothing keeps every limit. The nearest miss is {1}.", nameOf(*r.nearestMiss));
    return text(
        "Nothing can be said: no way runs the model with all that the question asks known.");
}

/// What an amount of the objective is called.
Argument objectiveAmount(Objective objective, double amount) {
    switch (objective) {
        case Objective::Smallest:
            return text("{1} accelerators", estimate(amount));
        case Objective::Cheapest:
            return money(units::UsDollars(amount));
        case Objective::Greenest:
            return tonnesCo2(amount);
        case Objective::Fastest:
            return duration(units::days(amount));
    }
    return "";
}

Section bindingSection(const FitAnswer& answer) {
    Section section;
    section.id = "binding";
    section.title = text("What binds");
    const search::FitResult& r = answer.result;
    if (r.binding.empty()) {
        section.answer = text("No limit does: nothing better was found beyond any of them.");
        return section;
    }
    section.answer = text("Beyond these limits something better begins.");
    Table table;
    table.id = "binding-table";
    table.columns = {
        {text("limit"), false, true}, {text("value"), true}, {text("more of it is worth"), true}};
    table.groups.resize(1);
    for (const search::BindingLimit& b : r.binding) {
        const LimitWords words = limitWords(b.limit);
        Row row;
        row.cells = {
            reports::words(words.name), name(limitValueText(b)),
            reports::words(text("{1} {2}",
                                objectiveAmount(answer.request.objective, b.worth * words.scale),
                                words.each))};
        const FitPoint& p = b.instead;
        const search::CandidateRequest& c = answer.request.ways[p.way].candidate;
        row.notes = {text("With {1} more: {2} accelerators of {3}, {4} days, {5}.",
                          limitAmountText(b.limit, b.more), grouped(p.chips), c.name,
                          daysOrNever(p.run.days),
                          p.run.money.total ? Argument(money(*p.run.money.total))
                                            : Argument(text("cost not known")))};
        table.groups[0].rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(table));
    return section;
}

Section missSection(const FitPoint& p) {
    Section section;
    section.id = "misses";
    section.title = text("What it misses");
    List list;
    for (const search::Overrun& o : p.overruns)
        list.items.push_back(paragraph(
            std::isfinite(o.by) ? text("{1}: {2} over, {3} of the limit.", limitWords(o.limit).name,
                                       limitAmountText(o.limit, o.by), percent(o.share))
                                : text("{1}: never kept.", limitWords(o.limit).name),
            {}, Tone::Warning));
    section.blocks.emplace_back(std::move(list));
    return section;
}

Section waysSection(const FitAnswer& answer) {
    Section section;
    section.id = "ways";
    section.title = text("The best of each way");
    section.answer =
        text("{1} clusters were searched for their fastest layout, up to {2} accelerators.",
             grouped(answer.result.sizesSearched), grouped(answer.request.maxAccelerators));
    Table table;
    table.id = "ways-table";
    table.columns = {{text("candidate"), false, true},
                     {text("region"), false},
                     {text("plan"), false},
                     {text("chips"), true},
                     {text("days"), true},
                     {text("finish"), true, false, 3},
                     {text("M USD"), true},
                     {text("peak MW"), true, false, 2},
                     {text("tCO2e"), true, false, 1},
                     {text("misses"), false}};
    table.groups.resize(1);
    for (const FitPoint& p : answer.result.bestOfEach) {
        const run::RunResult& run = p.run;
        const search::FitWay& way = answer.request.ways[p.way];
        std::vector<Text> misses;
        for (const search::Overrun& o : p.overruns) misses.push_back(limitWords(o.limit).brief);
        Row row;
        row.tone = p.fits() ? Tone::Plain : Tone::Quiet;
        row.cells = {
            name(way.of),
            way.candidate.region ? name(way.candidate.region->id) : doesNotApply(),
            way.candidate.price.plan.empty() ? doesNotApply()
                                             : words(run::planName(way.candidate.price.plan)),
            number(static_cast<double>(p.chips), "", grouped(p.chips)),
            number(run.days, "d", daysOrNever(run.days)),
            run.finish ? name(run::isoDate(*run.finish)) : doesNotApply(),
            run.money.total ? number(run.money.total->value(), "USD", millions(*run.money.total))
                            : notKnownCell(),
            run.energy.peakPower ? number(run.energy.peakPower->value() / 1e6, "MW",
                                          estimate(run.energy.peakPower->value() / 1e6))
                                 : notKnownCell(),
            run.energy.co2Kilograms ? number(*run.energy.co2Kilograms / 1e3, "t",
                                             estimate(*run.energy.co2Kilograms / 1e3))
                                    : notKnownCell(),
            words(joined(misses))};
        table.groups[0].rows.push_back(std::move(row));
    }
    section.blocks.emplace_back(std::move(table));
    List others;
    for (const std::size_t w : answer.result.notKnown) {
        const search::CandidateRequest& c = answer.request.ways[w].candidate;
        others.items.push_back(paragraph(
            c.price.perUnit
                ? text("{1}: left out, since its power or carbon is not known.", c.name)
                : text("{1}: left out, since its price is not known ({2}).", c.name,
                       c.price.reason.empty() ? Argument(notKnown()) : Argument(c.price.reason))));
    }
    for (const std::size_t w : answer.result.neverFits)
        others.items.push_back(
            paragraph(text("{1}: no layout fits in memory, or is legal, at any size looked at.",
                           answer.request.ways[w].candidate.name)));
    if (!others.items.empty()) section.blocks.emplace_back(std::move(others));
    return section;
}

Text objectiveTitle(const FitRequest& request) {
    const std::string title =
        request.plan.title.empty() ? request.plan.architecture.id : request.plan.title;
    switch (request.objective) {
        case Objective::Smallest:
            return text("The smallest cluster for {1}", title);
        case Objective::Cheapest:
            return text("The cheapest cluster for {1}", title);
        case Objective::Greenest:
            return text("The cluster with the least carbon for {1}", title);
        case Objective::Fastest:
            return text("The fastest cluster for {1}", title);
    }
    return verbatim(title);
}

}  // namespace

Document fitDocument(const FitAnswer& answer, const ReportContext& context) {
    Document document;
    document.kind = text("Trainwright fit");
    document.generator = context.programVersion.empty()
                             ? text("Trainwright")
                             : text("Trainwright {1}", context.programVersion);
    document.title = objectiveTitle(answer.request);
    if (Text question = joined(questionParts(answer.request.plan)); !question.empty())
        document.answer.push_back(paragraph(std::move(question)));
    document.answer.push_back(paragraph(headline(answer)));

    const search::FitResult& r = answer.result;
    const std::optional<FitPoint>& shown = r.best ? r.best : r.nearestMiss;
    std::vector<CandidateView> views;
    if (answer.planRequest && answer.plan)
        views = candidateViews(*answer.planRequest, *answer.plan);
    if (shown) {
        document.answer.push_back(paragraph(clusterSentence(answer.request, *shown)));
        document.answer.push_back(paragraph(runSentence(*shown)));
    }
    if (!views.empty() && views.front().runs()) {
        const CandidateView& view = views.front();
        for (Text sentence : {bandSentence(view), chanceSentence(view)})
            if (!sentence.empty()) document.answer.push_back(paragraph(std::move(sentence)));
        document.answer.push_back(paragraph(text("{1}: {2}", layout::shortForm(view.result->layout),
                                                 bottleneckAndAdvice(*view.result))));
    }
    if (r.best) document.sections.push_back(bindingSection(answer));
    if (r.nearestMiss) document.sections.push_back(missSection(*r.nearestMiss));
    if (!r.bestOfEach.empty() || !r.notKnown.empty() || !r.neverFits.empty())
        document.sections.push_back(waysSection(answer));
    if (!views.empty()) {
        const Plan plan{*answer.planRequest, *answer.plan, context, views,
                        Sources(*answer.planRequest, views)};
        document.sections.push_back(assumptions(plan));
        document.sections.push_back(sources(plan));
    }
    document.sections.push_back(reproduce(context));
    return document;
}

std::string fitTerminal(const FitAnswer& answer, const TerminalStyle& style,
                        const ReportContext& context) {
    const Document document = fitDocument(answer, context);
    std::string out = inked(wrapped(document.title, style), Ink::Bold, style);
    bool isFirst = true;
    for (const Paragraph& p : document.answer) {
        out += wrapped(p.text, style);
        if (isFirst) out += "\n";
        isFirst = false;
    }
    for (const Section& s : document.sections)
        if (s.id == "binding" || s.id == "misses" || s.id == "ways") out += sectionText(s, style);
    return out;
}

}  // namespace trainwright::reports
