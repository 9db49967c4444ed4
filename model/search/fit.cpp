// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/fit.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <thread>
#include <tuple>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/resized.h"
#include "model/search/search.h"
#include "model/workload/flops.h"

namespace trainwright::search {

const char* name(Objective objective) {
    switch (objective) {
        case Objective::Smallest:
            return "smallest";
        case Objective::Cheapest:
            return "cheapest";
        case Objective::Greenest:
            return "greenest";
        case Objective::Fastest:
            return "fastest";
    }
    return "";
}

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Parts into which the doublings beside the best size are cut at first: few factors beside 2, 3, 5
/// and 7 divide layers or batches.
constexpr long kParts = 8;
/// How often the steps beside the best size are halved after that.
constexpr int kHalvings = 2;
/// Sizes in a row that are worse, after which no larger one is looked at.
constexpr int kWorseInARow = 2;
/// How much later than asked the least possible time of a size may be for it to be looked at all
/// the same: what a limit is worth is seen just beyond it.
constexpr double kBeyondTheDate = 1.5;

template <typename T>
std::optional<double> valueOf(const std::optional<T>& quantity) {
    return quantity ? std::optional<double>(quantity->value()) : std::nullopt;
}

std::optional<double> objectiveOf(Objective objective, const FitPoint& p) {
    switch (objective) {
        case Objective::Smallest:
            return static_cast<double>(p.chips);
        case Objective::Cheapest:
            return valueOf(p.run.money.total);
        case Objective::Greenest:
            return p.run.energy.co2Kilograms;
        case Objective::Fastest:
            return p.run.days;
    }
    return std::nullopt;
}

/// The sum of what limits are passed by, as shares of them.
double excess(const FitPoint& p) {
    double sum = 0;
    for (const Overrun& o : p.overruns) sum += o.share;
    return sum;
}

/// Which of two points is the better answer: the one that keeps the limits, or passes them by
/// less; then the objective, then cost, then size.
bool isBetter(const FitPoint& a, const FitPoint& b) {
    const auto key = [](const FitPoint& p) {
        return std::tuple(excess(p), p.objective.value_or(kInfinity),
                          valueOf(p.run.money.total).value_or(kInfinity), p.chips, p.way);
    };
    return key(a) < key(b);
}

/// One system's sizes and what was found on them.
class Walk {
public:
    Walk(const FitRequest& request, std::vector<std::size_t> ways)
        : request_(request), ways_(std::move(ways)) {
        unit_ = unitOf(first().system);
        const long reach =
            request.maxAccelerators * (request.plan.constraints.accelerators ? 2 : 1);
        mostUnits_ = std::max(1L, reach / unit_);
    }

    void run(const std::function<bool()>& cancelled) {
        cancelled_ = cancelled;
        std::map<std::size_t, FitPoint> best;  // of each way
        int worse = 0;
        for (long units = 1;; units = std::min(units * 2, mostUnits_)) {
            if (cancelled_()) return;
            if (!isTooSlow(units)) {
                const std::size_t before = points.size();
                look(units);
                bool isBest = points.size() == before;  // nothing fits yet: larger ones may
                for (std::size_t i = before; i < points.size(); ++i) {
                    const auto [at, isFirst] = best.emplace(points[i].way, points[i]);
                    if (isFirst || isBetter(points[i], at->second)) {
                        at->second = points[i];
                        isBest = true;
                    }
                }
                worse = isBest ? 0 : worse + 1;
            }
            if (units == mostUnits_ || worse == kWorseInARow) break;
        }
        refine(kParts);
        for (int r = 0; r < kHalvings; ++r) refine(2);
    }

    std::vector<FitPoint> points;
    long searched = 0;

private:
    const CandidateRequest& first() const { return request_.ways[ways_.front()].candidate; }

    /// Even at the peak of its data sheet, a cluster of this size would be done long after the
    /// date.
    bool isTooSlow(long units) const {
        const std::optional<double> allowed = daysAllowed(request_.plan);
        if (!allowed) return false;
        const layout::TrainingSpec& t = request_.plan.training;
        constexpr double kForwardAndBackward = 3;
        const double flopPerToken =
            kForwardAndBackward *
            workload::forwardFlop(request_.plan.architecture, 1, t.sequenceLength)
                .withCausalAttention() /
            static_cast<double>(t.sequenceLength);
        const double peak =
            first().system.chip.headlinePeak[static_cast<std::size_t>(t.precision)].value();
        const double chips = static_cast<double>(units * unit_);
        const double least = flopPerToken * t.tokens / (chips * peak) / units::kSecondsPerDay;
        return least > kBeyondTheDate * std::max(1.0, *allowed);
    }

    void look(long units) {
        if (units < 1 || units > mostUnits_ || !seen_.insert(units).second) return;
        CandidateRequest candidate = first();
        candidate.chips = units * unit_;
        candidate.system = machine::placedOn(candidate.system, candidate.chips);
        const layout::StepProblem problem = stepProblem(request_.plan, candidate);
        const network::Network network(
            candidate.system, candidate.chips,
            layout::ranksPerChip(candidate.profile, candidate.system.chip));
        SearchOptions options;
        options.cancelled = cancelled_;
        const SearchOutcome found = searchLayouts(problem, candidate.layout, network, options);
        ++searched;
        if (!found.best || found.stopped) return;
        const layout::StepResult step =
            layout::StepEvaluator(problem, network).evaluate(*found.best, false);
        for (const std::size_t way : ways_) {
            const std::optional<CandidateRequest> sized =
                resized(request_.ways[way].candidate, candidate.chips);
            if (!sized) continue;
            FitPoint p;
            p.way = way;
            p.chips = candidate.chips;
            p.layout = *found.best;
            p.stepTime = step.stepTime;
            p.mfu = step.mfuModel;
            run::RunProblem problemOfRun = runProblemOf(request_.plan, *sized, step);
            problemOfRun.quiet = true;  // the plan of the answer has the warnings
            p.run = run::evaluateRun(problemOfRun, step);
            p.overruns = overruns(request_.plan, p.chips, p.run);
            const double sold = sized->price.maxUnits;
            const double held = static_cast<double>(p.chips / unit_);
            if (sold > 0 && held > sold)
                p.overruns.push_back({"plan_units", held - sold, (held - sold) / sold});
            p.objective = objectiveOf(request_.objective, p);
            points.push_back(std::move(p));
        }
    }

    /// Cuts the steps from the best size of each way to those beside it in `parts`.
    void refine(long parts) {
        std::map<std::size_t, const FitPoint*> best;
        for (const FitPoint& p : points) {
            const FitPoint*& at = best[p.way];
            if (at == nullptr || isBetter(p, *at)) at = &p;
        }
        std::set<long> wanted;
        for (const auto& [way, p] : best) {
            const auto at = seen_.find(p->chips / unit_);
            const auto cut = [&](long from, long to) {
                for (long i = 1; i < parts; ++i) wanted.insert(from + (to - from) * i / parts);
            };
            if (at != seen_.begin()) cut(*std::prev(at), *at);
            if (std::next(at) != seen_.end()) cut(*at, *std::next(at));
        }
        for (const long units : wanted) {
            if (cancelled_()) return;
            if (!isTooSlow(units)) look(units);
        }
    }

    const FitRequest& request_;
    std::vector<std::size_t> ways_;  // that share the system
    std::function<bool()> cancelled_;
    long unit_ = 1;
    long mostUnits_ = 1;
    std::set<long> seen_;  // sizes looked at, in units
};

/// Whether the point says all that the question asks of it.
bool isKnown(const FitPoint& p, const Constraints& limits) {
    return p.objective && (!limits.budget || p.run.money.total) &&
           (!limits.power || p.run.energy.peakPower) &&
           (!limits.carbonKilograms || p.run.energy.co2Kilograms);
}

double limitValue(const std::string& limit, const FitRequest& request, const FitPoint& p) {
    const Constraints& limits = request.plan.constraints;
    if (limit == "finish_by") return static_cast<double>(run::daysSinceEpoch(*limits.finishBy));
    if (limit == "budget") return limits.budget->value();
    if (limit == "power") return limits.power->value();
    if (limit == "carbon") return *limits.carbonKilograms;
    if (limit == "accelerators") return static_cast<double>(*limits.accelerators);
    return request.ways[p.way].candidate.price.maxUnits;
}

/// Of each limit, the point beyond it alone that betters the objective most for what it needs more.
std::vector<BindingLimit> bindingLimits(const FitRequest& request, const FitPoint& best,
                                        const std::vector<FitPoint>& points) {
    std::vector<BindingLimit> out;
    for (const FitPoint& p : points) {
        if (p.overruns.size() != 1 || !(*p.objective < *best.objective)) continue;
        const Overrun& o = p.overruns.front();
        if (!std::isfinite(o.by)) continue;
        BindingLimit b{o.limit, limitValue(o.limit, request, p),
                       (*best.objective - *p.objective) / o.by, o.by, p};
        const auto at = std::find_if(out.begin(), out.end(), [&](const BindingLimit& other) {
            return other.limit == b.limit;
        });
        if (at == out.end()) {
            out.push_back(std::move(b));
        } else if (b.worth > at->worth) {
            *at = std::move(b);
        }
    }
    // The tightest first: whose limit must grow by the smallest share for something better.
    std::stable_sort(out.begin(), out.end(), [](const BindingLimit& a, const BindingLimit& b) {
        return a.instead.overruns.front().share < b.instead.overruns.front().share;
    });
    return out;
}

}  // namespace

CandidateRequest candidateOf(const FitRequest& request, const FitPoint& point) {
    return *resized(request.ways[point.way].candidate, point.chips);
}

FitResult fit(const FitRequest& request, int threads, const Progress& progress) {
    std::map<std::size_t, std::vector<std::size_t>> systems;
    for (std::size_t w = 0; w < request.ways.size(); ++w)
        systems[request.ways[w].system].push_back(w);
    std::vector<Walk> walks;
    for (const auto& [system, ways] : systems) walks.emplace_back(request, ways);

    std::atomic<bool> stopped{false};
    std::atomic<std::size_t> done{0};
    std::atomic<std::size_t> next{0};
    std::mutex progressMutex;
    const auto cancelled = [&] {
        const std::scoped_lock lock(progressMutex);
        if (progress && !stopped &&
            !progress(static_cast<double>(done) / static_cast<double>(walks.size())))
            stopped = true;
        return stopped.load();
    };
    const auto work = [&] {
        for (std::size_t i = next++; i < walks.size() && !stopped; i = next++) {
            walks[i].run(cancelled);
            ++done;
        }
    };
    {
        const std::size_t hardware = std::max(1U, std::thread::hardware_concurrency());
        const std::size_t wanted = threads > 0 ? static_cast<std::size_t>(threads) : hardware;
        std::vector<std::jthread> pool;
        for (std::size_t i = 1; i < std::min(wanted, walks.size()); ++i) pool.emplace_back(work);
        work();
    }

    FitResult result;
    result.stopped = stopped;
    std::vector<FitPoint> known;
    std::vector<bool> runs(request.ways.size());
    std::vector<bool> answers(request.ways.size());
    for (const Walk& walk : walks) {
        result.sizesSearched += walk.searched;
        for (const FitPoint& p : walk.points) {
            runs[p.way] = true;
            if (!isKnown(p, request.plan.constraints)) continue;
            answers[p.way] = true;
            known.push_back(p);
        }
    }
    for (std::size_t w = 0; w < request.ways.size(); ++w) {
        if (!runs[w]) result.neverFits.push_back(w);
        if (runs[w] && !answers[w]) result.notKnown.push_back(w);
    }
    std::map<std::size_t, FitPoint> bestOfEach;
    for (const FitPoint& p : known) {
        const auto [at, isFirst] = bestOfEach.emplace(p.way, p);
        if (!isFirst && isBetter(p, at->second)) at->second = p;
    }
    for (auto& [way, p] : bestOfEach) result.bestOfEach.push_back(p);
    std::stable_sort(result.bestOfEach.begin(), result.bestOfEach.end(), isBetter);
    if (result.bestOfEach.empty()) return result;
    const FitPoint& first = result.bestOfEach.front();
    if (first.fits()) {
        result.best = first;
        result.binding = bindingLimits(request, first, known);
    } else {
        result.nearestMiss = first;
    }
    return result;
}

}  // namespace trainwright::search
