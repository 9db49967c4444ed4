// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/plan_tables.h"

#include <cmath>

#include "reports/bands_view.h"
#include "reports/keys.h"
#include "reports/money_sections.h"
#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

Cell daysCell(const CandidateView& view) {
    if (!view.runs()) return doesNotApply();
    const double d = view.result->run.days;
    return d > 0 && std::isfinite(d) ? number(d, "d", days(d))
                                     : words(verbatim(daysOrNever(d)), Tone::NotKnown);
}

Cell costCell(const Plan& plan, const CandidateView& view) {
    if (!view.runs()) return doesNotApply();
    return optionalNumber(
        view.result->run.money.total, [](auto m) { return m.value(); }, "USD", millions,
        plan.sources.first(*view.request, {"price"}));
}

Cell runNumber(const CandidateView& view, double value, const char* unit, std::string display) {
    if (!view.runs()) return doesNotApply();
    return value > 0 ? number(value, unit, std::move(display)) : notKnownCell();
}

Tone priceTone(run::PriceState state) {
    switch (state) {
        case run::PriceState::None:
            return Tone::NotKnown;
        case run::PriceState::StandIn:
            return Tone::Warning;
        case run::PriceState::Yours:
            return Tone::Override;
        case run::PriceState::Known:
            break;
    }
    return Tone::Plain;
}

}  // namespace

Table rankingTable(const Plan& plan) {
    Table table;
    table.id = "ranking-table";
    table.caption = text("Candidates in order of merit");
    constexpr std::ptrdiff_t kAfterCost = 4;  // where the chance stands, if there is one
    const bool limited = anyChances(plan.views);
    table.columns = {{text("#"), false},
                     {text("candidate"), false, true},
                     {text("days"), true},
                     {text("M USD"), true},
                     {text("done"), false},
                     {text("chips"), true},
                     {text("USD per 1T tokens"), true},
                     {text("MFU"), true},
                     {text("MW"), true},
                     {text("tCO2e"), true},
                     {text("grade"), false}};
    if (limited)
        table.columns.insert(table.columns.begin() + kAfterCost, {text("within limits"), true});
    std::optional<Standing> standing;
    for (std::size_t i = 0; i < plan.views.size(); ++i) {
        const CandidateView& view = plan.views[i];
        if (!standing || *standing != view.standing) {
            table.groups.push_back({standingTitle(view.standing), {}});
            standing = view.standing;
        }
        const run::RunResult& run = view.result->run;
        const search::CandidateRequest& asked = *view.request;
        Row row;
        Cell place = name(view.mark);
        Cell candidate = nameCell(view);
        candidate.link = idOf("candidate", i);
        Cell chips =
            number(static_cast<double>(asked.chips), "", count(static_cast<double>(asked.chips)));
        Cell finish = !view.runs() ? doesNotApply()
                      : run.finish ? name(run::isoDate(*run.finish))
                                   : doesNotApply();
        Cell perToken = !view.runs() ? doesNotApply() : notKnownCell();
        if (view.runs() && run.money.total && plan.request.training.tokens > 0) {
            const double usd = run.money.total->value() / (plan.request.training.tokens / 1e12);
            perToken = number(usd, "USD", money(units::UsDollars(usd)));
        }
        const auto ranged = [](Cell cell, const Argument& range) {
            if (cell.number) cell.display = verbatim(withRange(cell.display, range));
            return cell;
        };
        row.cells = {
            std::move(place),
            std::move(candidate),
            ranged(daysCell(view), daysRange(view)),
            ranged(costCell(plan, view), costRange(view)),
            std::move(finish),
            std::move(chips),
            std::move(perToken),
            runNumber(view, view.result->step.mfuModel, "", percent(view.result->step.mfuModel)),
            view.runs() ? optionalNumber(
                              run.energy.averagePower, [](auto w) { return w.value() / 1e6; }, "MW",
                              [](auto w) { return estimate(w.value() / 1e6); },
                              plan.sources.first(asked, {"chip", "power"}, {"tdp", "thermal"}))
                        : doesNotApply(),
            view.runs() ? optionalNumber(
                              run.energy.co2Kilograms, [](double kg) { return kg / 1e3; }, "t",
                              [](double kg) { return estimate(kg / 1e3); },
                              plan.sources.first(asked, {"region"}, {"co2", "grid"}))
                        : doesNotApply(),
            view.runs() ? name(belief::name(view.result->grade)) : doesNotApply()};
        if (limited) {
            const auto& bands = view.result->bands;
            row.cells.insert(row.cells.begin() + kAfterCost,
                             bands && bands->chances.all
                                 ? number(*bands->chances.all, "", chance(*bands->chances.all))
                                 : doesNotApply());
        }
        row.notes.push_back(candidateSystem(view));
        if (Text condition = priceCondition(view); !condition.empty())
            row.notes.push_back(std::move(condition));
        for (const Text& reason : reasonsOf(view)) row.notes.push_back(reason);
        if (Text step = nearestStep(view); !step.empty()) row.notes.push_back(std::move(step));
        row.key = candidateKey(view.request->name);
        table.groups.back().rows.push_back(std::move(row));
    }
    table.footnotes = {
        text("days: wall time with failures, checkpoints, restarts and start-up. MFU: model FLOP "
             "as executed, no "
             "recompute, over the data-sheet peak. MW: facility, average over the run. tCO2e: "
             "location-based. "
             "Grade: A this chip was measured, B its family, C data sheets only.")};
    if (anyBands(plan.views))
        table.footnotes.push_back(
            text("In parentheses: P10–P90, between which 80 of 100 cases lie."));
    return table;
}

Table memoryTable(const Plan& plan) {
    Table table;
    table.id = "memory-table";
    table.caption = text("GiB of one rank on the fullest stage, by kind");
    table.columns = {{text("candidate"), false}};
    for (int k = 0; k < layout::kMemoryKindCount; ++k)
        table.columns.push_back({memoryKindLabel(static_cast<layout::MemoryKind>(k)), true});
    table.columns.push_back({text("total"), true});
    table.columns.push_back({text("usable"), true});
    table.columns.push_back({text("capacity"), true});
    RowGroup group;
    for (const CandidateView& view : plan.views) {
        const layout::MemoryResult& memory = view.result->step.memory;
        if (!(memory.peak.total().value() > 0)) continue;
        layout::MemoryResult peakOnly = memory;
        peakOnly.stages = {memory.peak};
        const StageRows rows = stageRows(peakOnly);
        Row row;
        row.cells.push_back(nameCell(view));
        for (std::size_t k = 0; k < rows.rows.front().kinds.size(); ++k)
            row.cells.push_back(
                number(rows.rows.front().gibibytes[k], "GiB", rows.rows.front().kinds[k]));
        Cell total = number(rows.rows.front().totalGibibytes, "GiB", rows.rows.front().total);
        total.tone = memory.fits() ? Tone::Strong : Tone::Error;
        row.cells.push_back(std::move(total));
        auto figure = [&](units::Bytes bytes, std::string link) {
            if (!(bytes.value() > 0)) return notKnownCell();
            Cell cell = number(units::inGibibytes(bytes), "GiB", gibibyteNumber(bytes));
            cell.link = std::move(link);
            return cell;
        };
        row.cells.push_back(figure(memory.usable, {}));
        row.cells.push_back(
            figure(memory.capacity, plan.sources.first(*view.request, {"chip"}, {"hbm_bytes"})));
        if (!memory.fits()) row.notes.push_back(memorySentence(memory));
        row.key = candidateKey(view.request->name);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {text(
        "A rank is the framework's: one GPU, or one logical NeuronCore. Its capacity is the chip's "
        "memory divided by the ranks that share it.")};
    return table;
}

Table costTable(const Plan& plan) {
    Table table;
    table.id = "cost-table";
    table.caption = text("Cost in M USD");
    table.columns = {{text("candidate"), false},
                     {text("useful hours"), true},
                     {text("lost"), true},
                     {text("billed, unused"), true},
                     {text("beside them"), true},
                     {text("total"), true},
                     {text("billed days"), true},
                     {text("units"), true},
                     {text("USD an hour, each"), true},
                     {text("price"), false}};
    RowGroup group;
    for (const CandidateView& view : plan.views) {
        if (!view.runs()) continue;
        const run::Money& money = view.result->run.money;
        const run::Price& price = view.request->price;
        const std::string link = plan.sources.first(*view.request, {"price"});
        // The rounded parts of the cost stack, so that the row adds up as shown.
        const CostParts parts = costParts(money);
        auto part = [&](CostKind kind) {
            if (!money.total) return notKnownCell();
            for (const CostPart& p : parts.parts)
                if (p.kind == kind) return number(p.usd, "USD", p.millions);
            return doesNotApply();
        };
        auto beside = [&] {
            double usd = 0, shown = 0;
            std::string display;
            for (const CostPart& p : parts.parts) {
                if (p.kind == CostKind::Useful || p.kind == CostKind::Lost ||
                    p.kind == CostKind::Unused || p.kind == CostKind::Rest)
                    continue;
                usd += p.usd;
                display = p.millions;
                shown += p.shown;
            }
            if (!(usd > 0)) return doesNotApply();
            // Of lines that all round to nothing the last says it.
            if (shown > 0) display = fixed(shown, parts.decimals);
            return number(usd, "USD", display);
        };
        Row row;
        const bool several = !view.request->portions.empty();
        Cell state = several ? words(purchaseWords(*view.request))
                             : words(priceState(price), priceTone(price.state));
        Cell total = costCell(plan, view);
        if (total.number && !parts.total.empty()) {
            total.display = verbatim(parts.total);
            total.tone = Tone::Strong;
        }
        row.cells = {
            nameCell(view),
            part(CostKind::Useful),
            part(CostKind::Lost),
            part(CostKind::Unused),
            beside(),
            std::move(total),
            money.total && money.billedDays > 0
                ? number(money.billedDays, "d", trimmed(money.billedDays))
                : doesNotApply(),
            view.result->units > 0 ? number(static_cast<double>(view.result->units), "",
                                            count(static_cast<double>(view.result->units)))
                                   : notKnownCell(),
            several || price.isOwned()
                ? optionalNumber(
                      paidPerUnit(money), [](auto p) { return units::inUsDollarsPerHour(p); },
                      "USD/h", [](auto p) { return estimate(units::inUsDollarsPerHour(p), 4); })
                : optionalNumber(
                      price.perUnit, [](auto p) { return units::inUsDollarsPerHour(p); }, "USD/h",
                      pricePerHour, link),
            std::move(state)};
        row.notes.push_back(costSentence(view));
        if (!money.storageReason.empty()) row.notes.push_back(money.storageReason);
        row.key = candidateKey(view.request->name);
        group.rows.push_back(std::move(row));
    }
    table.groups.push_back(std::move(group));
    table.footnotes = {
        text("Beside the machines: storage, transfer out of the cloud and, of owned machines, "
             "electricity and operation. Support, taxes and people of one's own beside rented "
             "machines are left out.")};
    return table;
}

}  // namespace trainwright::reports
