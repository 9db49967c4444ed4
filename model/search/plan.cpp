// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/plan.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <numeric>
#include <thread>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/explain_words.h"
#include "model/search/least_change.h"
#include "model/search/search.h"
#include "model/units/text_quantity.h"

namespace trainwright::search {

layout::StepProblem stepProblem(const PlanRequest& request, const CandidateRequest& candidate) {
    layout::StepProblem p;
    p.architecture = request.architecture;
    p.training = request.training;
    p.cluster = {candidate.system, candidate.chips};
    p.profile = candidate.profile;
    p.memoryHeadroom = request.constraints.memoryHeadroom;
    return p;
}

namespace {

std::optional<double> daysBetween(const std::optional<run::Date>& start,
                                  const std::optional<run::Date>& last) {
    if (!last || !start) return std::nullopt;
    return static_cast<double>(run::daysSinceEpoch(*last) - run::daysSinceEpoch(*start));
}

}  // namespace

std::optional<double> daysAllowed(const PlanRequest& request) {
    return daysBetween(request.start, request.constraints.finishBy);
}

std::vector<Overrun> overruns(const PlanRequest& request, long chips, const run::RunResult& run) {
    return overruns(request.constraints, request.start, chips, run);
}

std::vector<Overrun> overruns(const Constraints& limits, const std::optional<run::Date>& start,
                              long chips, const run::RunResult& run) {
    std::vector<Overrun> out;
    const auto add = [&](const char* limit, double value, double allowed) {
        out.push_back(
            {limit, value - allowed,
             allowed > 0 ? (value - allowed) / allowed : std::numeric_limits<double>::infinity()});
    };
    const auto against = [&](const char* limit, double value, double allowed) {
        if (value > allowed) add(limit, value, allowed);
    };
    if (limits.finishBy) {
        const std::optional<double> allowed = daysBetween(start, limits.finishBy);
        // A run ends on a day, so that a moment more than the days allowed isn't late.
        const bool late =
            run.finish ? run::daysSinceEpoch(*run.finish) > run::daysSinceEpoch(*limits.finishBy)
                       : !std::isfinite(run.days) || (allowed && run.days > *allowed);
        if (late) add("finish_by", run.days, allowed.value_or(0));
    }
    if (limits.budget && run.money.total)
        against("budget", run.money.total->value(), limits.budget->value());
    if (limits.power && run.energy.peakPower)
        against("power", run.energy.peakPower->value(), limits.power->value());
    if (limits.carbonKilograms && run.energy.co2Kilograms)
        against("carbon", *run.energy.co2Kilograms, *limits.carbonKilograms);
    if (limits.accelerators)
        against("accelerators", static_cast<double>(chips),
                static_cast<double>(*limits.accelerators));
    return out;
}

run::RunProblem runProblemOf(const PlanRequest& request, const CandidateRequest& candidate,
                             const layout::StepResult& step) {
    run::RunProblem p;
    p.training = request.training;
    p.system = candidate.system;
    p.chips = candidate.chips;
    p.parameters =
        workload::countParameters(request.architecture, request.training.sequenceLength).total;
    p.price = candidate.price;
    p.portions = candidate.portions;
    p.storage = candidate.storage;
    p.ownership = candidate.own;
    p.rent = candidate.rent;
    p.region = candidate.region;
    p.operations = candidate.operations;
    if (p.operations.checkpointBytesPerParameter <= 0)
        p.operations.checkpointBytesPerParameter = step.checkpointBytesPerParameter;
    p.start = request.start;
    return p;
}

namespace {

Grade gradeOf(const PlanRequest& request, const CandidateRequest& candidate) {
    return request.calibration
               ? belief::gradeOf(*request.calibration, candidate.system.chip, candidate.profile)
               : Grade::C;
}

// Millions with three significant digits: "2.50", "30.3", "199", "1,196".
std::string inMillions(double value) {
    const double m = value / 1e6;
    if (m >= 99.95) return units::groupedNumber(m);
    return units::fixedNumber(m, m < 9.995 ? 2 : 1);
}

std::string millions(units::UsDollars usd) {
    return inMillions(usd.value());
}

std::string megawatts(units::Watts w) {
    return inMillions(w.value());
}

std::string tonnes(double kilograms) {
    constexpr double kKilogramsPerTonne = 1000;
    return units::groupedNumber(kilograms / kKilogramsPerTonne,
                                kilograms < 100 * kKilogramsPerTonne ? 1 : 0);
}

// What a run misses a limit by, in words.
Text missText(const std::string& limit, const Constraints& limits, long chips,
              const run::RunResult& run) {
    if (limit == "finish_by") {
        if (!std::isfinite(run.days))
            return {"Never done: failures undo the work as fast as it is done.", {}};
        const std::string by = run::isoDate(*limits.finishBy);
        if (!run.finish)
            return {"Done after {1} days, long after {2}.", {units::groupedNumber(run.days), by}};
        const long late = run::daysSinceEpoch(*run.finish) - run::daysSinceEpoch(*limits.finishBy);
        return {"Done on {1}, {2} days after {3}.",
                {run::isoDate(*run.finish), std::to_string(late), by}};
    }
    if (limit == "budget")
        return {"Over the budget by {1} M USD.", {millions(*run.money.total - *limits.budget)}};
    if (limit == "power")
        return {"Draws {1} MW at its peak; the limit is {2} MW.",
                {megawatts(*run.energy.peakPower), megawatts(*limits.power)}};
    if (limit == "carbon")
        return {"Causes {1} tCO2e; the limit is {2} tCO2e.",
                {tonnes(*run.energy.co2Kilograms), tonnes(*limits.carbonKilograms)}};
    return {"Has {1} accelerators; the limit is {2}.",
            {units::groupedNumber(static_cast<double>(chips)),
             units::groupedNumber(static_cast<double>(*limits.accelerators))}};
}

void holdAgainst(const PlanRequest& request, const CandidateRequest& candidate,
                 CandidateResult& r) {
    for (const Overrun& o : overruns(request, candidate.chips, r.run)) {
        Text text = missText(o.limit, request.constraints, candidate.chips, r.run);
        r.reasons.push_back(text);
        r.misses.push_back({o.limit, std::move(text)});
    }
    r.meetsConstraints = r.misses.empty();
}

// What the job does on the part of the cluster that is there before the rest.
std::vector<run::Arrival> arrivalsOf(const layout::StepProblem& whole,
                                     const CandidateRequest& candidate, int perChip,
                                     const layout::StepResult& step, const SearchOptions& options) {
    std::vector<run::Arrival> arrivals = candidate.arrivals;
    for (run::Arrival& a : arrivals) {
        layout::StepProblem problem = whole;
        problem.cluster.chips = a.chips;
        const network::Network network(problem.cluster.system, a.chips, perChip);
        const SearchOutcome found = searchLayouts(problem, candidate.layout, network, options);
        if (!found.best) continue;
        const layout::StepResult partial =
            layout::StepEvaluator(problem, network).evaluate(*found.best, false);
        a.stepRatio = partial.stepTime / step.stepTime;
        a.matrixUtilization = partial.matrixUtilization;
        a.memoryUtilization = partial.memoryUtilization;
    }
    return arrivals;
}

run::RunProblem withArrivals(const PlanRequest& request, const CandidateRequest& candidate,
                             const CandidateResult& result) {
    run::RunProblem p = runProblemOf(request, candidate, result.step);
    p.arrivals = result.arrivals;
    p.completeFromDays = candidate.completeFromDays;
    return p;
}

// A free search beside a layout that the scenario fixes, for what it would gain.
std::optional<Alternative> betterThanGiven(const layout::StepProblem& problem,
                                           const CandidateRequest& candidate,
                                           const network::Network& network,
                                           const SearchOptions& options) {
    if (candidate.layout.isEmpty() || !options.advise) return std::nullopt;
    const SearchOutcome free = searchLayouts(problem, {}, network, options);
    if (!free.best) return std::nullopt;
    return Alternative{*free.best, free.bestTime, {}, true};
}

// What cutting the sequence would gain under software that can't.
std::optional<Text> contextWouldGain(const layout::StepProblem& problem,
                                     const CandidateRequest& candidate,
                                     const network::Network& network, const SearchOptions& options,
                                     units::Seconds own) {
    constexpr double kWorthTelling = 0.9;
    const layout::SoftwareProfile& f = problem.profile;
    if (f.contextAllowed || !f.flashAttention || !candidate.layout.isEmpty()) return std::nullopt;
    layout::StepProblem p = problem;
    p.profile.contextAllowed = true;
    if (p.profile.contextExchanges.empty())
        p.profile.contextExchanges = {layout::ContextExchange::Ring};
    const SearchOutcome found = searchLayouts(p, {}, network, options);
    if (!found.best || found.best->context == 1 || found.bestTime > kWorthTelling * own)
        return std::nullopt;
    return Text{"{1} has no context parallelism here; with it {2} would save {3} of the step.",
                {f.title, layout::shortForm(*found.best), percent(1.0 - found.bestTime / own)}};
}

// Whether `a` is nowhere worse than `b` and somewhere better.
bool dominates(const CandidateResult& a, long chipsOfA, const CandidateResult& b, long chipsOfB) {
    bool better = chipsOfA < chipsOfB || a.run.days < b.run.days;
    if (chipsOfA > chipsOfB || a.run.days > b.run.days) return false;
    const auto compare = [&better](const auto& x, const auto& y) {
        if (!x || !y) return true;
        better = better || *x < *y;
        return !(*x > *y);
    };
    return compare(a.run.money.total, b.run.money.total) &&
           compare(a.run.energy.energy, b.run.energy.energy) && better;
}

void markNonDominated(const PlanRequest& request, std::vector<CandidateResult>& candidates) {
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        CandidateResult& c = candidates[i];
        c.isNonDominated = c.feasible;
        for (std::size_t j = 0; j < candidates.size() && c.isNonDominated; ++j) {
            c.isNonDominated = j == i || !candidates[j].feasible ||
                               !dominates(candidates[j], request.candidates[j].chips, c,
                                          request.candidates[i].chips);
        }
    }
}

std::optional<belief::Bands> bandsOf(const PlanRequest& request, const CandidateRequest& candidate,
                                     const layout::StepProblem& problem,
                                     const network::Network& network, const run::RunProblem& run,
                                     const CandidateResult& r,
                                     const std::function<bool()>& cancelled) {
    const belief::Calibration* calibration = request.calibration.get();
    const belief::StepQuestion step{
        problem,         r.layout,    network,
        r.step,          calibration, belief::modelError(calibration, candidate.spread, r.grade),
        request.sampling};
    const Constraints& limits = request.constraints;
    return belief::bandsOf({step, run, r.grade, candidate.spread, limits.finishBy, limits.budget,
                            limits.power, cancelled});
}

// Groups of the ranking: priced and within limits, beyond a limit, without a price, not feasible.
int group(const CandidateResult& c) {
    if (!c.feasible) return 3;
    if (!c.run.money.total) return 2;
    return c.meetsConstraints ? 0 : 1;
}

}  // namespace

std::vector<std::size_t> PlanResult::ranking() const {
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
        const CandidateResult& a = candidates[i];
        const CandidateResult& b = candidates[j];
        if (group(a) != group(b)) return group(a) < group(b);
        if (a.feasible && a.run.money.total && b.run.money.total &&
            *a.run.money.total != *b.run.money.total) {
            return *a.run.money.total < *b.run.money.total;
        }
        return a.feasible && a.run.days < b.run.days;
    });
    return order;
}

CandidateResult evaluateCandidate(const PlanRequest& request, const CandidateRequest& candidate,
                                  const SearchOptions& options) {
    CandidateResult r;
    r.name = candidate.name;
    r.grade = gradeOf(request, candidate);
    r.units = run::unitsRented(candidate.system, candidate.chips + candidate.operations.spareChips);
    for (const Finding& f : candidate.notes) r.warnings.push_back(f.text);
    r.warnings.insert(r.warnings.end(), candidate.limits.begin(), candidate.limits.end());

    const layout::StepProblem problem = stepProblem(request, candidate);
    const int perChip = layout::ranksPerChip(candidate.profile, candidate.system.chip);
    const std::shared_ptr<const network::Network> kept =
        options.network
            ? options.network(candidate.system, candidate.chips, perChip)
            : std::make_shared<const network::Network>(candidate.system, candidate.chips, perChip);
    const network::Network& network = *kept;
    const units::Seconds begun = options.clock ? options.clock() : units::Seconds();
    SearchOutcome found = searchLayouts(problem, candidate.layout, network, options);
    r.search = found.statistics;
    r.search.threads = std::max(1, options.threads);
    if (options.clock) r.search.wallTime = options.clock() - begun;
    r.alternatives = found.alternatives;
    r.front = found.front;
    r.withoutOffload = found.withoutOffload;
    if (found.stopped)
        r.warnings.push_back({"The search was stopped; the best layout seen so far is shown.", {}});
    if (!found.best && !found.smallest) {
        r.reasons = found.obstacles;
        if (found.stopped) r.reasons = {{"Stopped before a layout was found.", {}}};
        return r;
    }
    layout::StepEvaluator evaluator(problem, network);
    r.layout = found.best ? *found.best : *found.smallest;
    r.step = evaluator.evaluate(r.layout, true);
    for (const Finding& f : layout::checkLegality(problem, r.layout)) {
        if (f.severity != Severity::Error) r.warnings.push_back(f.text);
    }
    if (!found.best) {
        r.reasons = whyNothingFits(r.step.memory, r.layout);
        if (options.advise) {
            for (Text& change : leastChange(problem, candidate.layout, network, options))
                r.reasons.push_back(std::move(change));
        }
        return r;
    }
    r.feasible = true;
    if (candidate.system.maxChips > 0 && candidate.chips > candidate.system.maxChips) {
        r.warnings.push_back(
            {"{1} accelerators are more than the largest cluster said to exist, {2}.",
             {units::groupedNumber(static_cast<double>(candidate.chips)),
              units::groupedNumber(static_cast<double>(candidate.system.maxChips))}});
    }
    r.bottleneck = bottleneckOf(r.step, r.layout);
    if (options.advise) {
        if (const auto gain =
                contextWouldGain(problem, candidate, network, options, r.step.stepTime))
            r.warnings.push_back(*gain);
    }
    r.advice = adviceOf(r, betterThanGiven(problem, candidate, network, options));

    r.arrivals = arrivalsOf(problem, candidate, perChip, r.step, options);
    for (const run::Arrival& a : r.arrivals) {
        if (a.stepRatio <= 0)
            r.warnings.push_back(
                {"On {1} accelerators no layout is legal and fits: until more arrive the job "
                 "waits.",
                 {units::groupedNumber(static_cast<double>(a.chips))}});
    }
    const run::RunProblem runProblem = withArrivals(request, candidate, r);
    r.run = run::evaluateRun(runProblem, r.step);
    r.warnings.insert(r.warnings.end(), r.run.warnings.begin(), r.run.warnings.end());
    holdAgainst(request, candidate, r);
    if (options.bands && request.sampling.samples > 0)
        r.bands = bandsOf(request, candidate, problem, network, runProblem, r, options.cancelled);
    return r;
}

CandidateResult withRunOf(const PlanRequest& request, const CandidateRequest& candidate,
                          CandidateResult found) {
    if (!found.feasible) return found;
    found.run = run::evaluateRun(withArrivals(request, candidate, found), found.step);
    found.reasons.clear();
    found.misses.clear();
    found.bands.reset();
    holdAgainst(request, candidate, found);
    return found;
}

namespace {

Text verdictOf(const PlanRequest& request, const PlanResult& result) {
    const std::vector<std::size_t> order = result.ranking();
    if (order.empty()) return {"There is no candidate.", {}};
    const CandidateResult& best = result.candidates[order.front()];
    const CandidateRequest& asked = request.candidates[order.front()];
    if (!best.feasible) return {"No candidate can run this model: none fits in memory.", {}};
    const std::string chips = units::groupedNumber(static_cast<double>(asked.chips));
    const std::string dayText = units::fixedNumber(best.run.days, best.run.days < 9.95 ? 1 : 0);
    if (!best.run.money.total) {
        return {"No candidate has a price. Fastest is {1}: {2} {3} for {4} days.",
                {best.name, chips, asked.system.chip.name, dayText}};
    }
    if (!best.meetsConstraints) {
        return {
            "No candidate meets every limit. Cheapest is {1}: {2} {3} for {4} days, {5} M USD.",
            {best.name, chips, asked.system.chip.name, dayText, millions(*best.run.money.total)}};
    }
    if (best.run.finish) {
        return {"{1} is cheapest: {2} {3} for {4} days, done on {5}, for {6} M USD.",
                {best.name, chips, asked.system.chip.name, dayText, run::isoDate(*best.run.finish),
                 millions(*best.run.money.total)}};
    }
    return {"{1} is cheapest: {2} {3} for {4} days, for {5} M USD.",
            {best.name, chips, asked.system.chip.name, dayText, millions(*best.run.money.total)}};
}

}  // namespace

PlanResult plan(const PlanRequest& request, int threads, const Progress& progress,
                SearchOptions options) {
    PlanResult result;
    const std::size_t count = request.candidates.size();
    result.candidates.resize(count);
    const std::size_t hardware = std::max(1U, std::thread::hardware_concurrency());
    const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : hardware;
    const std::size_t workers = std::clamp<std::size_t>(wanted, 1, std::max<std::size_t>(1, count));
    std::atomic<std::size_t> next{0};
    std::vector<std::atomic<double>> shares(count);  // of each candidate that are done
    std::atomic<bool> stopped{false};
    std::mutex progressMutex;
    const auto isStopped = [&] {
        if (progress && !stopped) {
            const std::scoped_lock lock(progressMutex);
            double done = 0;
            for (const std::atomic<double>& share : shares) done += share;
            if (!progress(done / static_cast<double>(count))) stopped = true;
        }
        return stopped.load();
    };
    // Threads that candidates leave over share the layouts of each.
    options.threads =
        static_cast<int>(std::max<std::size_t>(1, wanted / std::max<std::size_t>(1, count)));
    options.cancelled = isStopped;
    const auto work = [&] {
        for (std::size_t i = next++; i < count && !stopped; i = next++) {
            SearchOptions mine = options;
            mine.advanced = [&, i](double share) {
                double known = shares[i];
                while (share > known && !shares[i].compare_exchange_weak(known, share)) {
                }
            };
            result.candidates[i] = evaluateCandidate(request, request.candidates[i], mine);
            shares[i] = 1;
            if (isStopped()) break;
        }
    };
    {
        std::vector<std::jthread> pool;
        for (std::size_t i = 1; i < workers; ++i) pool.emplace_back(work);
        work();
    }
    for (std::size_t i = 0; i < count; ++i) {
        if (result.candidates[i].name.empty()) {
            result.candidates[i].name = request.candidates[i].name;
            result.candidates[i].reasons.push_back(
                {"Stopped before this candidate was planned.", {}});
        }
    }
    int rank = 0;
    for (std::size_t i : result.ranking()) {
        if (group(result.candidates[i]) == 0) result.candidates[i].rank = ++rank;
    }
    markNonDominated(request, result.candidates);
    result.verdict = verdictOf(request, result);
    return result;
}

}  // namespace trainwright::search
