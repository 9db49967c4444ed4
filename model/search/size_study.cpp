// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/size_study.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "model/search/resized.h"

namespace trainwright::search {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

double costOf(const SizePoint& point) {
    return point.run.money.total ? point.run.money.total->value() : kInfinity;
}

double excess(const std::vector<Overrun>& overruns) {
    double sum = 0;
    for (const Overrun& o : overruns) sum += o.share;
    return sum;
}

/// A size of a candidate that is to be planned.
struct Task {
    std::size_t candidate = 0;
    long chips = 0;
};

/// Whole units near each step of the ladder; the size asked for stands among them as it is.
std::vector<long> sizesOf(const CandidateRequest& candidate) {
    const long unit = unitOf(candidate.system);
    std::set<long> sizes{candidate.chips};
    for (double share : sizeLadder()) {
        if (share == 1.0) continue;
        const double units =
            static_cast<double>(candidate.chips) * share / static_cast<double>(unit);
        sizes.insert(std::max(1L, std::lround(units)) * unit);
    }
    return {sizes.begin(), sizes.end()};
}

/// The candidate asks for the same layout on another size as far as that can be: what a size fixes
/// is left open.
CandidateRequest openedFor(CandidateRequest candidate, bool isAsked) {
    if (isAsked) return candidate;
    candidate.layout.data.reset();
    candidate.layout.shardDegree.reset();
    candidate.arrivals.clear();
    candidate.completeFromDays = 0;
    return candidate;
}

}  // namespace

const std::vector<double>& sizeLadder() {
    // Near the size asked for the steps are an eighth of it; most of these divide batches evenly.
    static const std::vector<double> kLadder{0.125, 0.25, 0.375, 0.5,  0.625, 0.75, 0.875, 1.0,
                                             1.125, 1.25, 1.5,   1.75, 2.0,   3.0,  4.0,   8.0};
    return kLadder;
}

const SizePoint& at(const SizeStudy& study, SizeChoice choice) {
    return study.candidates[choice.candidate].points[choice.point];
}

SizeStudy studySizes(const PlanRequest& request, int threads, const Progress& progress) {
    SizeStudy study;
    study.start = request.start;
    study.tokens = request.training.tokens;
    std::vector<Task> tasks;
    for (std::size_t c = 0; c < request.candidates.size(); ++c) {
        const CandidateRequest& candidate = request.candidates[c];
        SizedCandidate sized;
        sized.name = candidate.name;
        sized.candidate = c;
        sized.chipsPerUnit = unitOf(candidate.system);
        study.candidates.push_back(std::move(sized));
        for (long chips : sizesOf(candidate)) tasks.push_back({c, chips});
    }
    std::vector<std::optional<CandidateResult>> results(tasks.size());

    std::atomic<bool> stopped{false};
    std::atomic<std::size_t> next{0}, done{0};
    std::mutex progressMutex;
    const auto cancelled = [&] {
        const std::scoped_lock lock(progressMutex);
        if (progress && !stopped &&
            !progress(static_cast<double>(done) / static_cast<double>(tasks.size())))
            stopped = true;
        return stopped.load();
    };
    const auto work = [&] {
        SearchOptions options;
        options.cancelled = cancelled;
        options.bands = false;
        options.advise = false;
        for (std::size_t i = next++; i < tasks.size() && !cancelled(); i = next++) {
            const CandidateRequest& asked = request.candidates[tasks[i].candidate];
            const bool isAsked = tasks[i].chips == asked.chips;
            const std::optional<CandidateRequest> sized =
                isAsked ? std::optional(asked) : resized(openedFor(asked, isAsked), tasks[i].chips);
            if (!sized) continue;
            CandidateResult result = evaluateCandidate(request, *sized, options);
            if (!stopped) results[i] = std::move(result);
            ++done;
        }
    };
    {
        const std::size_t hardware = std::max(1U, std::thread::hardware_concurrency());
        const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : hardware;
        std::vector<std::jthread> pool;
        for (std::size_t i = 1; i < std::min(wanted, tasks.size()); ++i) pool.emplace_back(work);
        work();
    }
    study.stopped = stopped;
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        if (!results[i]) continue;
        const CandidateResult& found = *results[i];
        const CandidateRequest& asked = request.candidates[tasks[i].candidate];
        SizedCandidate& sized = study.candidates[tasks[i].candidate];
        if (!found.feasible || !std::isfinite(found.run.days) || !(found.run.days > 0)) {
            sized.doesNotFit.push_back(tasks[i].chips);
            continue;
        }
        SizePoint point;
        point.chips = tasks[i].chips;
        point.units = found.units;
        point.isAsked = tasks[i].chips == asked.chips;
        point.layout = found.layout;
        point.stepTime = found.step.stepTime;
        point.mfu = found.step.mfuModel;
        point.run = found.run;
        if (asked.price.maxUnits > 0 && asked.portions.empty())
            point.unitsOverPlan =
                std::max(0.0, static_cast<double>(found.units - asked.price.maxUnits));
        sized.points.push_back(std::move(point));
    }
    return study;
}

namespace {

std::vector<Overrun> overrunsOf(const SizeStudy& study, const Constraints& limits,
                                const SizePoint& point) {
    std::vector<Overrun> out = overruns(limits, study.start, point.chips, point.run);
    if (point.unitsOverPlan > 0) {
        const double sold = static_cast<double>(point.units) - point.unitsOverPlan;
        out.push_back({"plan_units", point.unitsOverPlan, point.unitsOverPlan / sold});
    }
    return out;
}

/// Whether it keeps every limit but, at most, `except`.
bool keeps(const std::vector<Overrun>& overruns, const std::string& except) {
    return std::all_of(overruns.begin(), overruns.end(),
                       [&](const Overrun& o) { return o.limit == except; });
}

bool isSmaller(const SizePoint& a, const SizePoint& b) {
    return std::tuple(a.chips, costOf(a)) < std::tuple(b.chips, costOf(b));
}
bool isCheaper(const SizePoint& a, const SizePoint& b) {
    return std::tuple(costOf(a), a.chips) < std::tuple(costOf(b), b.chips);
}

/// The best by `isBetter` of the points that `counts`.
template <typename Counts, typename Better>
std::optional<SizeChoice> bestOf(const SizeStudy& study, Counts counts, Better isBetter) {
    std::optional<SizeChoice> best;
    for (std::size_t c = 0; c < study.candidates.size(); ++c)
        for (std::size_t p = 0; p < study.candidates[c].points.size(); ++p) {
            const SizeChoice choice{c, p};
            if (counts(choice) && (!best || isBetter(at(study, choice), at(study, *best))))
                best = choice;
        }
    return best;
}

MovedDate movedBy(const SizeStudy& study, Constraints limits, int weeks, std::size_t candidate) {
    constexpr long kDaysPerWeek = 7;
    limits.finishBy =
        run::dateFromDays(run::daysSinceEpoch(*limits.finishBy) + weeks * kDaysPerWeek);
    MovedDate moved;
    moved.weeks = weeks;
    const auto& points = study.candidates[candidate].points;
    for (std::size_t p = 0; p < points.size(); ++p) {
        const std::vector<Overrun> passed = overrunsOf(study, limits, points[p]);
        const bool onTime = std::none_of(passed.begin(), passed.end(),
                                         [](const Overrun& o) { return o.limit == "finish_by"; });
        const auto take = [&](std::optional<SizeChoice>& choice) {
            if (!choice || isSmaller(points[p], at(study, *choice)))
                choice = SizeChoice{candidate, p};
        };
        if (onTime) take(moved.onDate);
        if (passed.empty()) take(moved.smallest);
    }
    if (moved.onDate) moved.overruns = overrunsOf(study, limits, at(study, *moved.onDate));
    return moved;
}

}  // namespace

SizeAnswer answerOf(const SizeStudy& study, const Constraints& limits) {
    SizeAnswer answer;
    for (const SizedCandidate& candidate : study.candidates) {
        answer.overruns.emplace_back();
        for (const SizePoint& point : candidate.points)
            answer.overruns.back().push_back(overrunsOf(study, limits, point));
    }
    const auto passed = [&](SizeChoice choice) -> const std::vector<Overrun>& {
        return answer.overruns[choice.candidate][choice.point];
    };
    const auto fits = [&](SizeChoice choice) { return passed(choice).empty(); };
    answer.smallest = bestOf(study, fits, isSmaller);
    answer.cheapest = bestOf(
        study,
        [&](SizeChoice choice) { return fits(choice) && std::isfinite(costOf(at(study, choice))); },
        isCheaper);
    const std::optional<SizeChoice> best = answer.cheapest ? answer.cheapest : answer.smallest;
    if (!best) {
        for (std::size_t c = 0; c < study.candidates.size(); ++c)
            for (std::size_t p = 0; p < study.candidates[c].points.size(); ++p) {
                const SizeChoice choice{c, p};
                if (!answer.nearest || excess(passed(choice)) < excess(passed(*answer.nearest)))
                    answer.nearest = choice;
            }
        if (answer.nearest && limits.finishBy)
            for (int weeks : {1, 2, 4, 8})
                answer.moved.push_back(movedBy(study, limits, weeks, answer.nearest->candidate));
        return answer;
    }
    // The limit whose fall would help most.
    for (const char* limit :
         {"finish_by", "budget", "power", "carbon", "accelerators", "plan_units"}) {
        const auto counts = [&](SizeChoice choice) { return keeps(passed(choice), limit); };
        const std::optional<SizeChoice> without =
            answer.cheapest ? bestOf(study, counts, isCheaper) : bestOf(study, counts, isSmaller);
        if (!without || fits(*without)) continue;
        const SizePoint& better = at(study, *without);
        const auto isBetter = answer.cheapest ? isCheaper : isSmaller;
        if (!isBetter(better, at(study, *best))) continue;
        if (!answer.withoutBinding || isBetter(better, at(study, *answer.withoutBinding))) {
            answer.binding = limit;
            answer.withoutBinding = without;
        }
    }
    if (limits.finishBy)
        for (int weeks : {-2, -1, 1, 2})
            answer.moved.push_back(movedBy(study, limits, weeks, best->candidate));
    return answer;
}

CandidateRequest candidateOf(const PlanRequest& request, const SizeStudy& study,
                             SizeChoice choice) {
    const SizedCandidate& sized = study.candidates[choice.candidate];
    const CandidateRequest& asked = request.candidates[sized.candidate];
    const SizePoint& point = sized.points[choice.point];
    if (point.isAsked) return asked;
    return resized(openedFor(asked, false), point.chips).value_or(asked);
}

}  // namespace trainwright::search
