// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/money_sections.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/document_parts.h"
#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

constexpr double kKilowattHoursPerMegawattHour = 1e3;

Cell dollars(const std::optional<units::UsDollars>& amount) {
    return amount ? number(amount->value(), "USD", money(*amount)) : notKnownCell();
}

Cell kilowattHours(const std::optional<double>& amount) {
    return amount ? number(*amount, "kWh", estimate(*amount)) : notKnownCell();
}

Cell ratio(const std::optional<double>& value) {
    return value ? number(*value, "", text("{1}×", fixed(*value, 2))) : notKnownCell();
}

Cell rate(const std::optional<units::UsDollarsPerSecond>& price) {
    if (!price) return notKnownCell();
    const double usd = units::inUsDollarsPerHour(*price);
    return number(usd, "USD/h", estimate(usd, 4));
}

Table tableOf(const char* id, Text caption, std::vector<Column> columns) {
    Table table;
    table.id = id;
    table.caption = std::move(caption);
    table.columns = std::move(columns);
    table.groups.emplace_back();
    return table;
}

std::optional<Section> sectionOf(const char* id, Text title, Table table) {
    if (table.groups.front().rows.empty()) return std::nullopt;
    Section section;
    section.id = id;
    section.title = std::move(title);
    section.blocks.emplace_back(std::move(table));
    return section;
}

std::optional<Section> cash(const std::vector<CandidateView>& views) {
    Table table = tableOf("cash-table", text("Cash, in USD"),
                          {{text("candidate"), false},
                           {text("before the first step"), true},
                           {text("each month"), true},
                           {text("owed in all"), true},
                           {text("of which this run"), true}});
    for (const CandidateView& view : views) {
        if (!view.runs() || !view.result->run.money.total) continue;
        const run::Money& m = view.result->run.money;
        Row row;
        row.cells = {nameCell(view), dollars(m.upfront), dollars(m.monthly), dollars(m.owed),
                     dollars(m.compute)};
        const auto say = [&](const run::Price& price) {
            if (!price.low || !price.high) return;
            row.notes.push_back(text("Spot from {1} to {2}: {3} USD/h on average, P10–P90 {4}–{5}.",
                                     price.historyFrom, price.historyTo,
                                     pricePerHour(*price.perUnit), pricePerHour(*price.low),
                                     pricePerHour(*price.high)));
        };
        for (const run::Portion& p : view.request->portions) say(p.price);
        if (view.request->portions.empty()) say(view.request->price);
        table.groups.front().rows.push_back(std::move(row));
    }
    table.footnotes = {text(
        "Before the first step: Capacity Blocks, up-front parts of commitments, capital. Each "
        "month: of 730 h, while the run lasts. Owed in all: of the machines, over the whole of "
        "every term, whoever uses it.")};
    return sectionOf("cash", text("When is it paid?"), std::move(table));
}

std::optional<Section> perUnitOfWork(const search::PlanRequest& request,
                                     const std::vector<CandidateView>& views) {
    Table table = tableOf("unit-costs-table", text("Cost and energy of a unit of work"),
                          {{text("candidate"), false},
                           {text("USD/model"), true},
                           {text("USD/1T tokens"), true},
                           {text("USD/PFLOP-day"), true},
                           {text("MWh/model"), true, false, 1},
                           {text("kWh/1T tokens"), true},
                           {text("kWh/PFLOP-day"), true},
                           {text("PFLOP-days"), true, false, 2}});
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        const run::RunResult& run = view.result->run;
        const run::UnitCosts costs = run::unitCosts(run, request.training.tokens);
        const auto& energy = run.energy.energy;
        const double mwh =
            energy ? units::inKilowattHours(*energy) / kKilowattHoursPerMegawattHour : std::nan("");
        Row row;
        row.cells = {nameCell(view),
                     dollars(run.money.total),
                     dollars(costs.perTrillionTokens),
                     dollars(costs.perPetaflopDay),
                     number(mwh, "MWh", energy ? estimate(mwh) : ""),
                     kilowattHours(costs.kilowattHoursPerTrillionTokens),
                     kilowattHours(costs.kilowattHoursPerPetaflopDay),
                     costs.petaflopDays > 0
                         ? number(costs.petaflopDays, "", estimate(costs.petaflopDays))
                         : notKnownCell()};
        table.groups.front().rows.push_back(std::move(row));
    }
    table.footnotes = {
        text("A PFLOP-day is 10¹⁵ FLOP/s for a day (8.64 × 10¹⁹ FLOP), effective: what the model "
             "needs, without recompute. Energy is the facility's.")};
    return sectionOf("unit-costs", text("What does a unit of work cost?"), std::move(table));
}

std::optional<Section> equalPrices(const std::vector<CandidateView>& views) {
    Table table = tableOf("equal-price-table", text("The same job on two candidates"),
                          {{text("candidate"), false},
                           {text("against"), false},
                           {text("cost"), true},
                           {text("time"), true},
                           {text("energy"), true, false, 1},
                           {text("pays, USD/h"), true},
                           {text("equal at, USD/h"), true}});
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        for (const Comparison& c : comparisonsOf(view, views)) {
            Row row;
            Cell equal = rate(c.equalPrice);
            if (!c.equalPrice) equal = words(text("at no price"), Tone::NotKnown);
            if (!c.other->result->run.money.total || !(view.result->run.money.unitTime.value() > 0))
                equal = notKnownCell();
            row.cells = {nameCell(view),  name(c.other->request->name),
                         ratio(c.cost),   ratio(c.time),
                         ratio(c.energy), rate(paidPerUnit(view.result->run.money)),
                         std::move(equal)};
            table.groups.front().rows.push_back(std::move(row));
        }
    }
    table.footnotes = {
        text("Against every candidate of GPUs, and the cheapest. Cost, time and energy: of the "
             "candidate over those of the other. USD/h: of one instance (or UltraServer) of the "
             "candidate for every hour that is billed, discounts taken off; equal at: where both "
             "jobs would cost the same.")};
    return sectionOf("equal-price", text("At what price would they be equal?"), std::move(table));
}

Cell monthsCell(const run::OwnershipResult& own) {
    if (own.breakEvenMonths)
        return number(*own.breakEvenMonths, "months", estimate(*own.breakEvenMonths));
    return own.rentPerMonth && own.electricityPerYear ? words(text("never"), Tone::NotKnown)
                                                      : notKnownCell();
}

std::optional<Section> owning(const std::vector<CandidateView>& views) {
    Table table = tableOf("owning-table", text("Owned machines beside rented ones, in USD"),
                          {{text("candidate"), false},
                           {text("capital"), true},
                           {text("capital a year"), true, false, 2},
                           {text("electricity a year"), true, false, 3},
                           {text("operation a year"), true, false, 1},
                           {text("this run, owned"), true},
                           {text("rent a month"), true},
                           {text("equal after, months"), true}});
    bool anyCapital = false;
    std::set<std::string> said;  // of capital, so that it is said once
    for (const CandidateView& view : views) {
        if (!view.runs() || !view.request->own) continue;
        const run::OwnershipResult& own = view.result->run.ownership;
        if (!own.capital && own.reason.empty()) continue;
        anyCapital = anyCapital || own.capital.has_value();
        Row row;
        row.cells = {nameCell(view),
                     dollars(own.capital),
                     dollars(own.capitalPerYear),
                     dollars(own.electricityPerYear),
                     dollars(own.operationPerYear),
                     dollars(own.ofRun),
                     dollars(own.rentPerMonth),
                     monthsCell(own)};
        if (!own.reason.empty()) row.notes.push_back(own.reason);
        const run::Ownership& asked = *view.request->own;
        if (own.capital &&
            said.insert(asked.source + trimmed(asked.lifeYears) + percent(asked.costOfCapital))
                .second)
            row.notes.push_back(
                text("Paid off over {1} years at {2} a year; source of the capital: {3}.",
                     trimmed(asked.lifeYears), percent(asked.costOfCapital), asked.source));
        if (own.breakEvenMonths && own.beyondLife)
            row.notes.push_back(text("That is after the end of their life: renting is cheaper."));
        table.groups.front().rows.push_back(std::move(row));
    }
    if (!anyCapital) return std::nullopt;
    table.footnotes = {text(
        "Rent: of the same machines under this candidate's plan, without a break. Equal after: "
        "months of use without a break after which what was saved on rent, with interest, has "
        "paid for the machines; nothing is had back for them.")};
    return sectionOf("owning", text("Rent or own?"), std::move(table));
}

std::optional<double> over(double mine, double others) {
    if (!std::isfinite(mine) || !std::isfinite(others) || !(others > 0)) return std::nullopt;
    return mine / others;
}

template <typename T>
std::optional<double> over(const std::optional<T>& mine, const std::optional<T>& others) {
    return mine && others ? over(mine->value(), others->value()) : std::nullopt;
}

}  // namespace

std::optional<units::UsDollarsPerSecond> paidPerUnit(const run::Money& money) {
    if (!money.compute || !(money.unitTime.value() > 0)) return std::nullopt;
    return *money.compute / money.unitTime;
}

std::vector<Comparison> comparisonsOf(const CandidateView& view,
                                      const std::vector<CandidateView>& views) {
    std::vector<Comparison> all;
    if (!view.runs()) return all;
    const CandidateView* cheapest = nullptr;
    for (const CandidateView& other : views) {
        if (other.cost() && (cheapest == nullptr || *other.cost() < *cheapest->cost()))
            cheapest = &other;
    }
    const run::RunResult& mine = view.result->run;
    for (const CandidateView& other : views) {
        const bool isBaseline = other.family() == Family::Gpu;
        if (&other == &view || !other.runs() || (!isBaseline && &other != cheapest)) continue;
        const run::RunResult& theirs = other.result->run;
        Comparison c;
        c.other = &other;
        c.isBaseline = isBaseline;
        c.cost = over(mine.money.total, theirs.money.total);
        c.time = over(mine.days, theirs.days);
        c.energy = over(mine.energy.energy, theirs.energy.energy);
        if (theirs.money.total) c.equalPrice = run::priceFor(mine.money, *theirs.money.total);
        all.push_back(c);
    }
    return all;
}

std::vector<Section> moneySections(const search::PlanRequest& request,
                                   const std::vector<CandidateView>& views) {
    std::vector<Section> all;
    for (std::optional<Section> one :
         {cash(views), perUnitOfWork(request, views), equalPrices(views), owning(views)}) {
        if (one) all.push_back(std::move(*one));
    }
    return all;
}

}  // namespace trainwright::reports
