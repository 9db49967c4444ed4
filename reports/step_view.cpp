// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/step_view.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "model/network/graph.h"
#include "model/units/joined.h"
#include "model/workload/operators.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/keys.h"
#include "reports/number_format.h"

namespace trainwright::reports {
namespace {

/// Decimals of a column of GiB: the same for every rank that people train on.
int gibibyteDecimals(double total) {
    return total >= 10 ? 1 : 2;
}

double sum(const std::vector<double>& values) {
    double total = 0;
    for (double value : values)
        if (std::isfinite(value) && value > 0) total += value;
    return total;
}

std::string extentsOf(const layout::OperatorCost& op) {
    if (op.m <= 0 || op.n <= 0 || op.k <= 0) return "–";
    return count(op.m) + "×" + count(op.n) + "×" + count(op.k);
}

const char* sharding(layout::Sharding s) {
    return layout::name(s);
}

}  // namespace

int decimalsFor(double total) {
    if (total >= 100) return 1;
    if (total >= 1) return 2;
    return 4;
}

std::vector<std::string> fixedTexts(const std::vector<double>& values, int decimals) {
    const std::vector<double> rounded = roundedParts(values, decimals);
    std::vector<std::string> texts;
    for (std::size_t i = 0; i < values.size(); ++i) {
        // A part too small for the decimals is still there.
        if (rounded[i] == 0.0 && values[i] > 0)
            texts.push_back("<" + fixed(std::pow(10.0, -decimals), decimals));
        else
            texts.push_back(fixed(rounded[i], decimals));
    }
    return texts;
}

Argument daysOrNever(double value) {
    if (!(value > 0)) return notKnown();
    if (!std::isfinite(value)) return text("never");
    return days(value);
}

Text layoutForm(const layout::Layout& l) {
    return text("{1} m{2}, {3}, {4}", layout::shortForm(l), std::to_string(l.microBatches),
                sharding(l.sharding), recomputeLabel(l.recompute));
}

Text candidateSystem(const CandidateView& view) {
    const search::CandidateRequest& request = *view.request;
    const Argument chip = request.system.chip.name.empty() ? Argument(text("accelerators"))
                                                           : Argument(request.system.chip.name);
    const std::string chips = count(static_cast<double>(request.chips));
    const std::string units = count(static_cast<double>(view.result->units));
    const std::string where = request.region ? request.region->name : "";
    const Text plan = purchaseWords(request);
    if (view.result->units > 0 && !where.empty() && !plan.empty())
        return text("{1} {2} ({3} × {4}), {5}, {6}", chips, chip, units, request.system.id, where,
                    plan);
    if (view.result->units > 0 && !where.empty())
        return text("{1} {2} ({3} × {4}), {5}", chips, chip, units, request.system.id, where);
    if (view.result->units > 0)
        return text("{1} {2} ({3} × {4})", chips, chip, units, request.system.id);
    return text("{1} {2}", chips, chip);
}

Text candidateTitle(const CandidateView& view) {
    return text("{1}: {2}", view.request->name, candidateSystem(view));
}

Text bottleneckAndAdvice(const search::CandidateResult& result) {
    Text all = result.bottleneck;
    if (!result.advice.empty()) all = text("{1} {2}", all, result.advice);
    const auto& without = result.withoutOffload;
    const double own = result.step.stepTime.value();
    if (without && own > 0)
        all = text("{1} Without the host's memory the best is {2}, {3} slower.", all,
                   layoutForm(without->layout), percent(without->stepTime.value() / own - 1.0));
    return all;
}

std::vector<TimeShare> timeShares(const layout::StepResult& step) {
    std::vector<double> values;
    for (units::Seconds part : step.parts) values.push_back(part.value());
    const double total = sum(values);
    std::vector<double> shares;
    for (double value : values) shares.push_back(total > 0 ? value / total * 100.0 : 0.0);
    const std::vector<std::string> secondTexts = fixedTexts(values, decimalsFor(total));
    const std::vector<std::string> percentTexts = fixedTexts(shares, 1);
    std::vector<TimeShare> rows;
    for (std::size_t p = 0; p < values.size(); ++p)
        if (values[p] > 0)
            rows.push_back({static_cast<layout::TimePart>(p), values[p], secondTexts[p],
                            percentTexts[p] + "%"});
    return rows;
}

std::string timeShareTotal(const layout::StepResult& step) {
    return fixed(step.stepTime.value(), decimalsFor(step.stepTime.value()));
}

std::string hiddenSeconds(const layout::StepResult& step) {
    return fixed(step.hiddenCommunication.value(), decimalsFor(step.stepTime.value()));
}

std::vector<OperatorRow> operatorRows(const CandidateView& view) {
    const layout::StepResult& step = view.result->step;
    struct Sum {
        OperatorRow row;
        double flop = 0, bytes = 0;
        std::set<std::string> extents;
    };
    std::vector<Sum> sums;
    for (const layout::OperatorCost& op : step.operators) {
        if (!(op.total().value() > 0)) continue;
        auto same = [&](const Sum& s) {
            return s.row.name == op.name && s.row.phase == op.phase && s.row.bound == op.bound &&
                   s.row.dtype == op.dtype;
        };
        auto found = std::find_if(sums.begin(), sums.end(), same);
        if (found == sums.end()) {
            sums.emplace_back();
            found = sums.end() - 1;
            found->row.name = op.name;
            found->row.kind = op.kind;
            found->row.phase = op.phase;
            found->row.bound = op.bound;
            found->row.dtype = op.dtype;
        }
        found->row.calls += op.calls;
        found->row.total += op.total().value();
        found->flop += op.flopPerCall.value() * op.calls;
        found->bytes += op.bytesPerCall.value() * op.calls;
        found->extents.insert(extentsOf(op));
    }
    std::stable_sort(sums.begin(), sums.end(),
                     [](const Sum& a, const Sum& b) { return a.row.total > b.row.total; });

    std::vector<double> totals, shares;
    const double stepTime = step.stepTime.value();
    for (const Sum& s : sums) {
        totals.push_back(s.row.total);
        shares.push_back(s.row.total / stepTime * 100.0);
    }
    const std::vector<std::string> secondTexts = fixedTexts(totals, decimalsFor(stepTime));
    const std::vector<std::string> percentTexts = fixedTexts(shares, 1);
    const std::vector<double> secondsShown = roundedParts(totals, decimalsFor(stepTime));
    const std::vector<double> percentShown = roundedParts(shares, 1);
    const double ranks = layout::ranksPerChip(view.request->profile, view.request->system.chip);
    std::vector<OperatorRow> rows;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        OperatorRow row = std::move(sums[i].row);
        row.extents = sums[i].extents.size() == 1 ? Argument(*sums[i].extents.begin())
                                                  : Argument(text("several"));
        row.seconds = secondTexts[i];
        row.percent = percentTexts[i] + "%";
        row.shownSeconds = secondsShown[i];
        row.shownPercent = percentShown[i];
        row.small = row.shownSeconds == 0.0 || row.shownPercent == 0.0;
        if (sums[i].flop > 0) row.chipTeraflops = sums[i].flop / row.total * ranks / 1e12;
        if (sums[i].flop > 0 && sums[i].bytes > 0) row.flopPerByte = sums[i].flop / sums[i].bytes;
        if (sums[i].bytes > 0) row.chipTerabytes = sums[i].bytes / row.total * ranks / 1e12;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string operatorKey(const OperatorRow& row) {
    return text({"operator", row.name, layout::name(row.phase)});
}

OperatorTotal operatorTotal(const CandidateView& view) {
    const double stepTime = view.result->step.stepTime.value();
    const int decimals = decimalsFor(stepTime);
    // Shown values are added, so that the total is that of the lines above it.
    double total = 0, listed = 0;
    OperatorTotal result;
    for (const OperatorRow& row : operatorRows(view)) {
        total += row.total;
        if (row.small)
            ++result.smallCount;
        else
            listed += row.shownSeconds;
    }
    result.seconds = fixed(total, decimals);
    result.percent = fixed(total / stepTime * 100.0, 1) + "%";
    double listedPercent = 0;
    for (const OperatorRow& row : operatorRows(view))
        if (!row.small) listedPercent += row.shownPercent;
    const double rest =
        std::max(0.0, std::round(total * std::pow(10, decimals)) / std::pow(10, decimals) - listed);
    const double restPercent =
        std::max(0.0, std::round(total / stepTime * 1000.0) / 10.0 - listedPercent);
    result.smallSeconds = fixed(rest, decimals);
    result.smallPercent = restPercent > 0 ? fixed(restPercent, 1) + "%" : "<0.1%";
    return result;
}

CollectiveRows collectiveRows(const layout::StepResult& step) {
    std::vector<double> exposed, hidden;
    for (const layout::CollectiveUse& use : step.collectives) {
        exposed.push_back(use.exposed.value());
        hidden.push_back(use.hidden.value());
    }
    const int decimals = decimalsFor(step.stepTime.value());
    const std::vector<std::string> exposedTexts = fixedTexts(exposed, decimals);
    const std::vector<std::string> hiddenTexts = fixedTexts(hidden, decimals);
    CollectiveRows rows;
    for (std::size_t i = 0; i < step.collectives.size(); ++i) {
        const layout::CollectiveUse& use = step.collectives[i];
        CollectiveRow row;
        row.use = &use;
        row.group = text("{1}, {2} ranks", axisLabel(use.axis), count(use.ranks));
        const Text algorithm = algorithmLabel(use.algorithm);
        if (!use.algorithm.empty() && !use.busiestLink.empty() && use.stride > 1)
            row.route = text("{1}, every {2} ranks; busiest link: {3}", algorithm,
                             count(use.stride), network::linkText(use.busiestLink));
        else if (!use.algorithm.empty() && !use.busiestLink.empty())
            row.route =
                text("{1}; busiest link: {2}", algorithm, network::linkText(use.busiestLink));
        else if (!use.algorithm.empty())
            row.route = algorithm;
        row.exposed = exposedTexts[i];
        row.hidden = hiddenTexts[i];
        rows.rows.push_back(std::move(row));
    }
    rows.exposedTotal = fixed(sum(exposed), decimals);
    rows.hiddenTotal = fixed(sum(hidden), decimals);
    return rows;
}

StageRows stageRows(const layout::MemoryResult& memory, std::size_t most) {
    std::vector<const layout::StageMemory*> stages;
    for (const layout::StageMemory& stage : memory.stages) stages.push_back(&stage);
    if (stages.empty()) stages.push_back(&memory.peak);
    std::size_t fullest = 0, lightest = 0;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (stages[i]->total() > stages[fullest]->total()) fullest = i;
        if (stages[i]->total() < stages[lightest]->total()) lightest = i;
    }
    std::set<std::size_t> shown;
    if (stages.size() > most) shown = {0, stages.size() - 1, fullest, lightest};
    StageRows rows;
    for (std::size_t i = 0; i < stages.size(); ++i) {
        if (!shown.empty() && !shown.contains(i)) {
            ++rows.leftOut;
            continue;
        }
        StageMemoryRow row;
        row.memory = stages[i];
        for (units::Bytes kind : stages[i]->byKind)
            row.gibibytes.push_back(units::inGibibytes(kind));
        row.totalGibibytes = sum(row.gibibytes);
        row.kinds = fixedTexts(row.gibibytes, gibibyteDecimals(row.totalGibibytes));
        row.total = fixed(row.totalGibibytes, gibibyteDecimals(row.totalGibibytes));
        row.fullest = i == fullest;
        rows.rows.push_back(std::move(row));
    }
    return rows;
}

Text memorySentence(const layout::MemoryResult& memory) {
    const std::string peak = gibibytes(memory.peak.total());
    const std::string stage = count(memory.peak.stage);
    if (!(memory.capacity.value() > 0))
        return text("Stage {1} is fullest: {2} a rank.", stage, peak);
    if (memory.fits())
        return text("Stage {1} is fullest: {2} a rank; a rank has {3}, of which {4} may be used.",
                    stage, peak, gibibytes(memory.capacity), gibibytes(memory.usable));
    return text("Stage {1} is fullest: {2} a rank, {3} more than the {4} that may be used of {5}.",
                stage, peak, gibibytes(memory.peak.total() - memory.usable),
                gibibytes(memory.usable), gibibytes(memory.capacity));
}

std::vector<AlternativeRow> alternativeRows(const search::CandidateResult& result) {
    std::vector<AlternativeRow> rows;
    auto add = [&](const layout::Layout& l, units::Seconds time,
                   units::Bytes memory) -> AlternativeRow& {
        AlternativeRow row;
        row.layout = layoutForm(l);
        row.key = layoutKey(result.name, l);
        row.stepSeconds = time.value();
        row.gibibytes = units::inGibibytes(memory);
        row.step = time.value() > 0 ? seconds(time) : notKnown();
        row.memory = memory.value() > 0 ? gibibyteNumber(memory) : notKnown();
        rows.push_back(std::move(row));
        return rows.back();
    };
    const double own = result.step.stepTime.value();
    AlternativeRow& used =
        add(result.layout, result.step.stepTime, result.step.memory.peak.total());
    used.inUse = true;
    used.verdict = result.feasible ? text("in use") : text("the nearest, doesn't fit");
    for (const search::Alternative& other : result.alternatives) {
        AlternativeRow& row = add(other.layout, other.stepTime, other.memory);
        const double ratio = own > 0 ? other.stepTime.value() / own - 1.0 : 0.0;
        const units::Bytes over = other.memory - result.step.memory.usable;
        if (!other.fits && other.memory.value() > 0 && over.value() > 0)
            row.verdict = text("doesn't fit: +{1}", gibibytes(over));
        else if (!other.fits)
            row.verdict = text("doesn't fit");
        else if (ratio > 0)
            row.verdict = text("fits, {1} slower", percent(ratio));
        else if (ratio < 0)
            row.verdict = text("fits, {1} faster", percent(-ratio));
        else
            row.verdict = text("fits, as fast");
    }
    return rows;
}

Text searchSentence(const search::SearchStatistics& search) {
    return text("{1} layouts were timed, {2} of them fit; {3} more were ruled out by a bound.",
                count(static_cast<double>(search.layoutsEvaluated)),
                count(static_cast<double>(search.layoutsFeasible)),
                count(static_cast<double>(search.layoutsPruned)));
}

std::vector<FactRow> layoutFactRows(const CandidateView& view) {
    const layout::Layout& l = view.result->layout;
    std::vector<FactRow> rows;
    auto add = [&](const char* label, Argument value, std::optional<double> number = {},
                   std::string unit = {}) {
        rows.push_back({text(label), std::move(value), number, std::move(unit)});
    };
    add("short form", layoutForm(l));
    add("tensor parallel",
        l.sequenceParallel ? Argument(text("{1}, sequence parallel", count(l.tensor)))
                           : Argument(count(l.tensor)),
        l.tensor);
    add("pipeline parallel",
        l.virtualStages > 1 ? text("{1} stages of {2} virtual stages, {3}", count(l.pipeline),
                                   count(l.virtualStages), layout::name(l.schedule))
                            : text("{1}, {2}", count(l.pipeline), layout::name(l.schedule)),
        l.pipeline);
    if (l.firstStageLayers > 0)
        add("layers at the ends", text("{1} on the first stage, {2} on the last",
                                       count(l.firstStageLayers), count(l.lastStageLayers)));
    if (l.context > 1) {
        std::string exchange = layout::name(l.contextExchange);
        std::replace(exchange.begin(), exchange.end(), '_', ' ');
        add("context parallel", text("{1}, {2}", count(l.context), exchange), l.context);
    }
    if (l.expert > 1)
        add("expert parallel",
            text(l.tensorOfExperts() == 1 ? "{1}, {2} rank an expert" : "{1}, {2} ranks an expert",
                 count(l.expert), count(l.tensorOfExperts())),
            l.expert);
    add("data parallel",
        l.shardDegree > 0 ? text("{1}, sharding {2} over {3} ranks", count(l.data),
                                 sharding(l.sharding), count(l.shardDegree))
                          : text("{1}, sharding {2}", count(l.data), sharding(l.sharding)),
        l.data);
    add("micro-batches",
        text(l.microBatch == 1 ? "{1} a step and replica, one sequence each"
                               : "{1} a step and replica, {2} sequences each",
             count(static_cast<double>(l.microBatches)), count(l.microBatch)),
        static_cast<double>(l.microBatches));
    if (l.recompute == layout::Recompute::Selective && l.recomputeGroups != 0)
        add("recompute", workload::recomputeGroupsText(l.recomputeGroups));
    if (l.recompute == layout::Recompute::Full && l.recomputeEvery > 1)
        add("recompute", text("one layer in {1}", count(l.recomputeEvery)));
    if (l.offloads())
        add("in the host's memory", l.offloadOptimizer && l.offloadActivations
                                        ? text("optimizer state and activations")
                                    : l.offloadOptimizer ? text("optimizer state")
                                                         : text("activations"));
    if (l.rankOrder > 0 &&
        static_cast<std::size_t>(l.rankOrder) <= view.request->profile.otherRankOrders.size()) {
        std::vector<Text> order;
        for (layout::Axis axis :
             view.request->profile.otherRankOrders[static_cast<std::size_t>(l.rankOrder - 1)])
            order.push_back(axisLabel(axis));
        add("ranks, innermost first", joined(order));
    }
    if (!view.request->profile.title.empty()) add("software", view.request->profile.title);
    return rows;
}

GoodputShares goodputShares(const run::Goodput& goodput) {
    std::vector<std::string> texts =
        fixedTexts({goodput.share * 100, goodput.checkpointShare * 100, goodput.reworkShare * 100,
                    goodput.restartShare * 100, goodput.plannedShare * 100},
                   1);
    for (std::string& share : texts) share += "%";
    return {texts[0], texts[1], texts[2], texts[3], texts[4]};
}

std::vector<FactRow> runFactRows(const CandidateView& view) {
    const run::RunResult& run = view.result->run;
    const layout::StepResult& step = view.result->step;
    std::vector<FactRow> rows;
    auto add = [&](const char* label, Argument value, std::optional<double> number = {},
                   std::string unit = {}) {
        rows.push_back({text(label), std::move(value), number, std::move(unit)});
    };
    add("step", seconds(step.stepTime), step.stepTime.value(), "s");
    if (step.tokensPerSecond > 0)
        add("tokens a second", estimate(step.tokensPerSecond), step.tokensPerSecond, "tokens/s");
    if (step.mfuModel > 0)
        add("MFU, model FLOP as executed", percent(step.mfuModel), step.mfuModel);
    if (step.mfuPalm > 0) add("MFU, attention in full (PaLM)", percent(step.mfuPalm), step.mfuPalm);
    if (step.hfu > 0) add("HFU, recompute counted", percent(step.hfu), step.hfu);
    if (run.steps > 0) add("steps", count(run.steps), run.steps);
    if (run.days > 0)
        add("wall time, days", withRange(daysOrNever(run.days), daysRange(view)),
            std::isfinite(run.days) ? std::optional(run.days) : std::nullopt, "d");
    if (run.finish) add("finish", run::isoDate(*run.finish));
    for (const run::Arrival& a : view.result->arrivals)
        add("accelerators at first",
            text("{1} from day {2}: {3} a step", count(static_cast<double>(a.chips)),
                 days(a.fromDays),
                 a.stepRatio > 0 ? seconds(step.stepTime * a.stepRatio) : notKnown()),
            static_cast<double>(a.chips));
    if (view.request->completeFromDays > 0)
        add("all accelerators from day", days(view.request->completeFromDays),
            view.request->completeFromDays, "d");

    const run::Goodput& goodput = run.goodput;
    const GoodputShares shares = goodputShares(goodput);
    add("goodput",
        (goodput.plannedShare > 0
             ? text("{1} useful; {2} checkpoints, {3} work done again, {4} restarts, {5} pauses",
                    shares.useful, shares.checkpoints, shares.rework, shares.restarts,
                    shares.planned)
             : text("{1} useful; {2} checkpoints, {3} work done again, {4} restarts", shares.useful,
                    shares.checkpoints, shares.rework, shares.restarts)),
        goodput.share);
    if (std::isfinite(goodput.checkpointInterval.value()) && goodput.checkpointInterval.value() > 0)
        add("checkpoint every", duration(goodput.checkpointInterval),
            goodput.checkpointInterval.value(), "s");
    if (goodput.memoryCheckpointInterval.value() > 0)
        add("checkpoint into memory every", duration(goodput.memoryCheckpointInterval),
            goodput.memoryCheckpointInterval.value(), "s");
    if (std::isfinite(goodput.meanTimeBetweenInterruptions.value()) &&
        goodput.meanTimeBetweenInterruptions.value() > 0)
        add("interruption every", duration(goodput.meanTimeBetweenInterruptions),
            goodput.meanTimeBetweenInterruptions.value(), "s");
    if (run.interruptions > 0 && std::isfinite(run.interruptions))
        add("interruptions expected", estimate(run.interruptions), run.interruptions);
    if (run.spareChips > 0)
        add("spare accelerators to hold", count(static_cast<double>(run.spareChips)),
            static_cast<double>(run.spareChips));

    const run::Energy& energy = run.energy;
    const char* average =
        energy.isEstimate ? "average power, facility, estimated" : "average power, facility";
    add(average, orNotKnown(energy.averagePower, megawatts),
        energy.averagePower ? std::optional(energy.averagePower->value()) : std::nullopt, "W");
    add("peak power, facility", orNotKnown(energy.peakPower, megawatts),
        energy.peakPower ? std::optional(energy.peakPower->value()) : std::nullopt, "W");
    add("energy, facility", orNotKnown(energy.energy, megawattHours),
        energy.energy ? std::optional(units::inKilowattHours(*energy.energy)) : std::nullopt,
        "kWh");
    add("carbon, location-based", orNotKnown(energy.co2Kilograms, tonnesCo2), energy.co2Kilograms,
        "kg");
    if (!energy.reason.empty()) add("why not known", energy.reason);
    return rows;
}

CostParts costParts(const run::Money& money) {
    CostParts result;
    if (!money.total || !std::isfinite(money.total->value())) return result;
    const double total = money.total->value();
    struct Named {
        CostKind kind;
        const char* label;
        double usd;
    };
    std::vector<Named> named;
    double known = 0;
    auto take = [&](CostKind kind, const char* label,
                    const std::optional<units::UsDollars>& amount) {
        if (!amount || !std::isfinite(amount->value()) || amount->value() <= 0) return;
        named.push_back({kind, label, amount->value()});
        known += amount->value();
    };
    take(CostKind::Useful, "useful hours", money.usefulPart);
    take(CostKind::Lost, "lost to failures, checkpoints and start-up", money.lostPart);
    take(CostKind::Unused, "billed but not used", money.roundingPart);
    take(CostKind::Storage, "storage", money.storage);
    take(CostKind::Egress, "egress", money.egress);
    take(CostKind::Electricity, "electricity", money.electricity);
    take(CostKind::Operation, "operation and people", money.operation);
    // What the parts don't explain is still paid.
    if (total - known > 1e-6 * total)
        named.push_back({CostKind::Rest, known > 0 ? "other" : "compute", total - known});
    std::vector<double> values;
    for (const Named& part : named) values.push_back(part.usd / 1e6);
    const int decimals = decimalsFor(total / 1e6);
    const std::vector<std::string> texts = fixedTexts(values, decimals);
    constexpr double kThin = 0.004;  // of a bar a page wide: two pixels
    const std::vector<double> rounded = roundedParts(values, decimals);
    for (std::size_t i = 0; i < named.size(); ++i)
        result.parts.push_back({named[i].kind, text(named[i].label), named[i].usd, texts[i],
                                rounded[i], named[i].usd < kThin * total});
    result.decimals = decimals;
    result.total = fixed(sum(values), decimals);
    return result;
}

Text besideMachines(const run::Money& money) {
    std::vector<Text> all;
    const auto add = [&](const char* label, const std::optional<units::UsDollars>& amount) {
        if (!amount || !(amount->value() > 0)) return;
        all.push_back(text("{1} {2}", text(label), reports::money(*amount)));
    };
    add("storage", money.storage);
    add("egress", money.egress);
    add("electricity", money.electricity);
    add("operation and people", money.operation);
    return joined(all);
}

namespace {

/// "5 × p5.48xlarge for 84 days at 55.04 USD/h (on demand, us-west-2)"
Text portionWords(const CandidateView& view, std::size_t i) {
    const run::Portion& portion = view.request->portions[i];
    const run::Price& price = portion.price;
    const auto& paid = view.result->run.money.portions;
    std::vector<Argument> how{run::planName(price.plan)};
    if (!price.region.empty()) how.emplace_back(price.region);
    if (price.discount > 0) how.emplace_back(text("less {1}", percent(price.discount)));
    return text("{1} × {2} for {3} days at {4} USD/h ({5})",
                count(static_cast<double>(portion.units)), view.request->system.id,
                i < paid.size() ? trimmed(paid[i].billedDays) : std::string("–"),
                price.perUnit ? pricePerHour(*price.perUnit) : notKnown(), joined(how));
}

/// The machines alone.
Text machinesSentence(const CandidateView& view) {
    const run::Price& price = view.request->price;
    const run::Money& money = view.result->run.money;
    const std::string compute = reports::money(money.compute.value_or(*money.total));
    if (!view.request->portions.empty()) {
        std::vector<Text> all;
        for (std::size_t i = 0; i < view.request->portions.size(); ++i)
            all.push_back(portionWords(view, i));
        return text("{1} = {2}.", joined(all, " + "), compute);
    }
    const std::string units = count(static_cast<double>(view.result->units));
    const std::string billed = trimmed(money.billedDays);
    const std::string rate = price.perUnit ? pricePerHour(*price.perUnit) : notKnown();
    if (price.isOwned())
        return text("{1} × {2} × {3} days × 24 h × {4} USD/h of capital = {5}.", units,
                    view.request->system.id, billed,
                    price.perUnit ? fixed(units::inUsDollarsPerHour(*price.perUnit), 4) : rate,
                    compute);
    const Text state = priceState(price);
    if (price.discount > 0)
        return text("{1} × {2} × {3} days × 24 h × {4} USD/h less {5} = {6}. Price: {7}.", units,
                    view.request->system.id, billed, rate, percent(price.discount), compute, state);
    return text("{1} × {2} × {3} days × 24 h × {4} USD/h = {5}. Price: {6}.", units,
                view.request->system.id, billed, rate, compute, state);
}

}  // namespace

Text costSentence(const CandidateView& view) {
    const run::Price& price = view.request->price;
    const run::Money& money = view.result->run.money;
    if (!money.total || !std::isfinite(money.total->value()) || !price.perUnit) {
        const Text& reason =
            view.request->portions.empty() && !price.reason.empty() ? price.reason : money.reason;
        return reason.empty() ? text("The cost is not known.")
                              : text("The cost is not known: {1}", reason);
    }
    const Text machines = machinesSentence(view);
    const Text beside = besideMachines(money);
    return beside.empty() ? machines : text("{1} Beside them: {2}.", machines, beside);
}

}  // namespace trainwright::reports
