// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/search.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <thread>
#include <tuple>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/workload/operators.h"

namespace trainwright::search {

namespace {

using layout::Layout;
using layout::LayoutChoice;
using layout::Recompute;
using layout::Schedule;
using layout::Sharding;
using units::Bytes;
using units::Seconds;

std::vector<int> divisorsOf(long n, long limit) {
    std::vector<int> out;
    for (long d = 1; d <= std::min(n, limit); ++d) {
        if (n % d == 0) out.push_back(static_cast<int>(d));
    }
    return out;
}

// What takes so many times as long as the best is no alternative to it.
constexpr double kFarBehind = 2.0;

// So that a cancelled search ends within a few milliseconds.
constexpr int kLayoutsBetweenQuestions = 2048;

template <typename T>
std::vector<T> chosen(const std::optional<T>& given, std::vector<T> otherwise) {
    return given ? std::vector<T>{*given} : std::move(otherwise);
}

struct Scored {
    Layout layout;
    Seconds time;
    Bytes memory;
    bool fits = false;
};

// Strict order of merit: faster, then smaller, then lower degrees.
bool better(const Scored& a, const Scored& b) {
    if (a.time != b.time) return a.time < b.time;
    if (a.memory != b.memory) return a.memory < b.memory;
    const auto key = [](const Layout& l) {
        return std::tuple(l.tensor, l.pipeline, l.virtualStages, l.context, l.expert, l.microBatch,
                          l.expertTensor, static_cast<int>(l.sharding), l.shardDegree,
                          static_cast<int>(l.recompute), l.recomputeGroups, -l.recomputeEvery,
                          static_cast<int>(l.schedule), l.rankOrder, l.sequenceParallel,
                          l.offloadOptimizer, l.offloadActivations);
    };
    return key(a.layout) < key(b.layout);
}

void keepBetter(std::optional<Scored>& kept, const Scored& s) {
    if (!kept || better(s, *kept)) kept = s;
}

// Of equal ones the first in the order of parts, which is fixed.
void keepSmaller(std::optional<Scored>& kept, const Scored& s) {
    if (!kept || s.memory < kept->memory) kept = s;
}

// A layout that needs at most so many times the memory there is nearly fits.
constexpr double kNearlyFits = 2.0;

// How a layout fits: nearly, wholly, or not by far.
enum Fit : std::size_t { kNearly, kWholly, kNotByFar, kFits };

// What one part of the space yields. Parts are joined in any order with the same result, because
// `better` is a strict order.
struct Part {
    std::optional<Scored> best, smallest;
    std::optional<Scored> withoutOffload;  // the best of those that keep all in HBM
    // The best by recompute mode and how it fits, for one tensor degree.
    std::array<std::array<std::optional<Scored>, kFits>, 3> byShape;
    std::vector<Scored> front;  // fitting, by rising time and falling memory
    SearchStatistics statistics;
    std::vector<Text> obstacles;

    [[nodiscard]] bool inFrontOf(Seconds time, Bytes memory) const {
        // The last one that is not slower has the least memory of those.
        auto after = std::upper_bound(front.begin(), front.end(), time,
                                      [](Seconds t, const Scored& s) { return t < s.time; });
        return after != front.begin() && std::prev(after)->memory <= memory;
    }

    void addToFront(const Scored& s) {
        auto at = std::lower_bound(front.begin(), front.end(), s, better);
        if (at != front.begin() && std::prev(at)->memory <= s.memory) return;
        auto end = at;
        while (end != front.end() && end->memory >= s.memory) ++end;
        at = front.erase(at, end);
        front.insert(at, s);
    }
};

// The degrees that a search runs over.
class Space {
public:
    Space(const layout::StepProblem& p, const LayoutChoice& c, long ranks)
        : p_(p), choice_(c), ranks_(ranks) {}

    [[nodiscard]] const layout::StepProblem& problem() const { return p_; }
    [[nodiscard]] const LayoutChoice& choice() const { return choice_; }
    [[nodiscard]] long ranks() const { return ranks_; }

    [[nodiscard]] std::vector<int> tensorDegrees() const {
        if (choice_.tensor) return {*choice_.tensor};
        std::vector<int> degrees = p_.profile.tensorDegrees;
        if (degrees.empty()) return divisorsOf(p_.architecture.heads, 1024);
        if (std::find(degrees.begin(), degrees.end(), 1) == degrees.end())
            degrees.insert(degrees.begin(), 1);
        return degrees;
    }

    [[nodiscard]] std::vector<int> pipelineDegrees() const {
        if (choice_.pipeline) return {*choice_.pipeline};
        if (!p_.profile.pipelineAllowed) return {1};
        std::vector<int> out;
        for (int d = 1; d <= p_.architecture.layers; ++d) {
            if (ranks_ % d == 0) out.push_back(d);
        }
        return out;
    }

    [[nodiscard]] std::vector<int> contextDegrees() const {
        if (choice_.context) return {*choice_.context};
        if (!p_.profile.contextAllowed || !p_.profile.flashAttention) return {1};
        std::vector<int> out;
        // A context rank needs a few attention blocks of its own to work on.
        for (int c = 1; p_.training.sequenceLength / c >= 1024; c *= 2) {
            if (p_.training.sequenceLength % (2 * c) == 0 || c == 1) out.push_back(c);
        }
        if (out.empty()) out.push_back(1);
        return out;
    }

    [[nodiscard]] std::vector<int> expertDegrees(long stageRanks) const {
        if (choice_.expert) return {*choice_.expert};
        if (!p_.architecture.moe || !p_.profile.expertAllowed) return {1};
        std::vector<int> out;
        for (int d : divisorsOf(p_.architecture.moe->experts, 1024)) {
            if (stageRanks % d == 0) out.push_back(d);
        }
        return out;
    }

    // Tensor ranks of an expert; 0 where there are no experts.
    [[nodiscard]] std::vector<int> expertTensorDegrees(int tensor) const {
        if (!p_.architecture.moe) return {0};
        if (choice_.expertTensor) return {*choice_.expertTensor};
        switch (p_.profile.expertTensor) {
            case layout::ExpertTensor::SameAsTensor:
                break;
            case layout::ExpertTensor::One:
                return {1};
            case layout::ExpertTensor::Free:
                if (tensor > 1) return {1, tensor};
                break;
        }
        return {tensor};
    }

    [[nodiscard]] static std::vector<int> microBatches(long perReplica) {
        return divisorsOf(perReplica, 16);
    }

    // Schedules and virtual stages that go together.
    [[nodiscard]] std::vector<std::pair<Schedule, int>> schedules(int pipeline) const {
        std::vector<std::pair<Schedule, int>> out;
        const auto& offered = p_.profile.schedules;
        const auto has = [&](Schedule s) {
            return std::find(offered.begin(), offered.end(), s) != offered.end();
        };
        const bool plain = has(Schedule::OneForwardOneBackward);
        for (Schedule s : offered) {
            if (choice_.schedule && *choice_.schedule != s) continue;
            if (s == Schedule::Interleaved) {
                if (pipeline == 1) continue;
                if (choice_.virtualStages) {
                    if (*choice_.virtualStages > 1) out.emplace_back(s, *choice_.virtualStages);
                    continue;
                }
                for (int v = 2; v * pipeline <= p_.architecture.layers + 2 && v <= 16; ++v)
                    out.emplace_back(s, v);
                continue;
            }
            if (choice_.virtualStages && *choice_.virtualStages != 1) continue;
            if (!choice_.schedule) {
                // Without a pipeline they are all one; GPipe never beats 1F1B.
                if (pipeline == 1 && !out.empty()) continue;
                if (s == Schedule::GPipe && plain) continue;
            }
            out.emplace_back(s, 1);
        }
        // What is asked for and not offered is left to the legality check to tell.
        if (out.empty()) {
            out.emplace_back(choice_.schedule.value_or(Schedule::OneForwardOneBackward),
                             choice_.virtualStages.value_or(1));
        }
        return out;
    }

    [[nodiscard]] std::vector<int> rankOrders(int pipeline) const {
        const auto others = static_cast<int>(p_.profile.otherRankOrders.size());
        if (choice_.rankOrder) {
            for (int i = 0; i <= others; ++i) {
                Layout l;
                l.rankOrder = i;
                if (layout::rankOrder(p_.profile, l) == *choice_.rankOrder) return {i};
            }
            return {};
        }
        std::vector<int> out{0};
        // Orders differ in where pipeline and replicas sit.
        for (int i = 1; pipeline > 1 && i <= others; ++i) out.push_back(i);
        return out;
    }

    // States shared by all replicas, or by those that the fast links join and their multiples.
    [[nodiscard]] std::vector<int> shardDegrees(const Layout& l) const {
        if (choice_.shardDegree) return {*choice_.shardDegree};
        std::vector<int> out{0};
        if (!p_.profile.hybridSharding || l.sharding == Sharding::None) return out;
        const long all = static_cast<long>(l.data) * l.context;
        const long domain = static_cast<long>(p_.cluster.system.chipsPerDomain) *
                            layout::ranksPerChip(p_.profile, p_.cluster.system.chip);
        for (long degree = std::max(1L, domain / l.tensor); degree < all; degree *= 2) {
            if (degree > 1 && all % degree == 0 && degree % l.context == 0)
                out.push_back(static_cast<int>(degree));
        }
        return out;
    }

    // Ways to recompute: mode, groups and every how many layers.
    [[nodiscard]] std::vector<Layout> recomputes() const {
        std::vector<Layout> out;
        const std::optional<Recompute> given =
            choice_.recompute ? choice_.recompute : p_.training.recompute;
        for (Recompute r : chosen(given, p_.profile.recomputes)) {
            Layout l;
            l.recompute = r;
            if (r == Recompute::Selective) {
                if (choice_.recomputeGroups) {
                    l.recomputeGroups = *choice_.recomputeGroups;
                    out.push_back(l);
                    continue;
                }
                out.push_back(l);
                for (const auto& names : p_.profile.otherSelectiveGroups) {
                    l.recomputeGroups = workload::recomputeGroups(names);
                    out.push_back(l);
                }
            } else if (r == Recompute::Full) {
                for (int every : chosen(choice_.recomputeEvery, p_.profile.recomputeEvery)) {
                    l.recomputeEvery = every;
                    out.push_back(l);
                }
            } else {
                out.push_back(l);
            }
        }
        return out;
    }

    // What may go to host memory when a layout doesn't fit.
    [[nodiscard]] std::vector<std::pair<bool, bool>> offloads() const {
        const auto can = [&](layout::Offload o, const std::optional<bool>& asked) {
            const auto& offered = p_.profile.offloads;
            return !asked && std::find(offered.begin(), offered.end(), o) != offered.end() &&
                   p_.cluster.system.hostLinkBandwidth.value() > 0 &&
                   p_.cluster.system.hostMemoryBandwidth.value() > 0;
        };
        const bool optimizer = can(layout::Offload::Optimizer, choice_.offloadOptimizer);
        const bool activations = can(layout::Offload::Activations, choice_.offloadActivations);
        std::vector<std::pair<bool, bool>> out;
        if (optimizer) out.emplace_back(true, false);
        if (activations) out.emplace_back(false, true);
        if (optimizer && activations) out.emplace_back(true, true);
        return out;
    }

private:
    const layout::StepProblem& p_;
    const LayoutChoice& choice_;
    long ranks_;
};

// One tensor and one context degree: all layouts in it share few tables of operators.
class PartSearcher {
public:
    /// `seed`: a time that some layout of the space is known to reach; nullopt for a first look.
    PartSearcher(const Space& space, layout::StepEvaluator& evaluator, const SearchOptions& options,
                 const std::optional<Seconds>& seed)
        : space_(space),
          p_(space.problem()),
          choice_(space.choice()),
          evaluator_(evaluator),
          options_(options),
          usable_(evaluator.usableMemory()),
          firstLook_(!seed),
          seed_(seed.value_or(Seconds(std::numeric_limits<double>::infinity()))),
          recomputes_(space.recomputes()),
          offloads_(space.offloads()),
          shardings_(chosen(choice_.sharding, p_.profile.shardings)),
          ordersWithout_(space.rankOrders(1)),
          ordersOfPipeline_(space.rankOrders(2)),
          recomputeIsGiven_(choice_.recompute || choice_.recomputeGroups ||
                            choice_.recomputeEvery || p_.training.recompute) {
        for (int p : space.pipelineDegrees()) schedules_.emplace_back(p, space.schedules(p));
    }

    /// False when the search was cancelled.
    bool run(int t, int c, Part& part) {
        part_ = &part;
        // Tables of operators are of one tensor and one context degree.
        evaluator_.forget();
        const long batch = p_.training.globalBatchSequences;
        for (int pipeline : space_.pipelineDegrees()) {
            const long inner = static_cast<long>(t) * pipeline * c;
            if (space_.ranks() % inner != 0) continue;
            const long data = space_.ranks() / inner;
            if ((choice_.data && *choice_.data != data) || batch % data != 0) continue;
            for (int e : space_.expertDegrees(static_cast<long>(t) * c * data)) {
                for (int te : space_.expertTensorDegrees(t)) {
                    for (int b : chosen(choice_.microBatch, Space::microBatches(batch / data))) {
                        if (b < 1 || batch % (data * b) != 0) continue;
                        Layout l;
                        l.tensor = t;
                        l.pipeline = pipeline;
                        l.context = c;
                        l.expert = e;
                        l.expertTensor = te == t ? 0 : te;
                        l.data = static_cast<int>(data);
                        l.microBatch = b;
                        l.microBatches = batch / (data * b);
                        l.sequenceParallel =
                            choice_.sequenceParallel.value_or(p_.profile.sequenceParallelDefault) &&
                            t > 1;
                        if (c > 1 && !p_.profile.contextExchanges.empty()) {
                            l.contextExchange =
                                choice_.contextExchange.value_or(p_.profile.contextExchanges[0]);
                        }
                        l.firstStageLayers = choice_.firstStageLayers.value_or(0);
                        l.lastStageLayers = choice_.lastStageLayers.value_or(0);
                        l.offloadOptimizer = choice_.offloadOptimizer.value_or(false);
                        l.offloadActivations = choice_.offloadActivations.value_or(false);
                        if (!modes(l)) return false;
                        if (firstLook_) break;
                    }
                }
            }
        }
        return true;
    }

private:
    using SchedulesOfDegree = std::pair<int, std::vector<std::pair<Schedule, int>>>;

    bool modes(Layout l) {
        const auto schedules =
            std::find_if(schedules_.begin(), schedules_.end(),
                         [&](const SchedulesOfDegree& s) { return s.first == l.pipeline; });
        if (schedules == schedules_.end()) return true;
        for (const auto& [schedule, v] : schedules->second) {
            l.schedule = schedule;
            l.virtualStages = v;
            for (int order : l.pipeline > 1 ? ordersOfPipeline_ : ordersWithout_) {
                l.rankOrder = order;
                if (firstLook_ && l.rankOrder != 0 && !choice_.rankOrder) break;
                for (Sharding s : shardings_) {
                    l.sharding = s;
                    if (stopped_) return false;
                    if (firstLook_ && s != shardings_.back()) continue;
                    if (firstLook_ || (!p_.profile.hybridSharding && !choice_.shardDegree)) {
                        l.shardDegree = choice_.shardDegree.value_or(0);
                        withRecompute(l);
                        l.shardDegree = 0;
                        continue;
                    }
                    for (int degree : space_.shardDegrees(l)) {
                        l.shardDegree = degree;
                        withRecompute(l);
                    }
                    l.shardDegree = 0;
                }
            }
        }
        return !stopped_;
    }

    void withRecompute(Layout l) {
        const auto take = [&](const Layout& r) {
            l.recompute = r.recompute;
            l.recomputeGroups = r.recomputeGroups;
            l.recomputeEvery = r.recomputeEvery;
        };
        take(recomputes_.front());
        if (!isLegal(l)) return;
        if (!firstLook_ && !options_.exhaustive && isFarBehind(l)) {
            part_->statistics.layoutsPruned += static_cast<long>(recomputes_.size());
            return;
        }
        for (const Layout& r : recomputes_) {
            take(r);
            // What the profile offers is legal wherever one way of it is.
            if (!recomputeIsGiven_ || isLegal(l)) consider(l);
        }
    }

    // Writes down why not, the first time.
    bool isLegal(const Layout& l) {
        if (layout::isLegal(p_, l)) return true;
        if (part_->obstacles.empty()) {
            for (const Finding& f : layout::checkLegality(p_, l)) {
                if (f.severity == Severity::Error) part_->obstacles.push_back(f.text);
            }
        }
        return false;
    }

    void consider(const Layout& l) {
        if (score(l) != Score::DoesNotFit || offloads_.empty()) return;
        for (const auto& [optimizer, activations] : offloads_) {
            Layout lighter = l;
            lighter.offloadOptimizer = l.offloadOptimizer || optimizer;
            lighter.offloadActivations = l.offloadActivations || activations;
            score(lighter);
        }
    }

    enum class Score { Fits, DoesNotFit, OfNoInterest };

    Score score(const Layout& l) {
        if (options_.cancelled && ++sinceAsked_ >= kLayoutsBetweenQuestions) {
            sinceAsked_ = 0;
            stopped_ = stopped_ || options_.cancelled();
        }
        Scored s{l, {}, evaluator_.peakMemory(l), false};
        s.fits = s.memory <= usable_;
        std::optional<Scored>& shape =
            part_->byShape[static_cast<std::size_t>(l.recompute)]
                          [s.fits ? kWholly
                                  : (s.memory <= kNearlyFits * usable_ ? kNearly : kNotByFar)];
        if (!options_.exhaustive) {
            if (isOfNoInterest(s, shape)) {
                ++part_->statistics.layoutsPruned;
                keepSmallest(s);
                return s.fits ? Score::Fits : Score::OfNoInterest;
            }
            // Faster than what fits but far from fitting, or not even with the host's help: not
            // worth telling.
            if (!s.fits && std::isfinite(seed_.value()) &&
                (l.offloads() || s.memory > kNearlyFits * usable_)) {
                ++part_->statistics.layoutsPruned;
                keepSmallest(s);
                return Score::DoesNotFit;
            }
        }
        ++part_->statistics.layoutsEvaluated;
        s.time = evaluator_.stepTime(l);
        keepSmallest(s);
        if (s.fits) {
            ++part_->statistics.layoutsFeasible;
            keepBetter(part_->best, s);
            if (!l.offloads()) {
                keepBetter(part_->withoutOffload, s);
                part_->addToFront(s);
            }
        }
        keepBetter(shape, s);
        return s.fits ? Score::Fits : Score::DoesNotFit;
    }

    // For when nothing fits: the least memory, whatever the time.
    void keepSmallest(const Scored& s) { keepSmaller(part_->smallest, s); }

    // Whether no way to recompute can bring the layout near the best: it only adds to what the
    // stages do.
    bool isFarBehind(Layout l) {
        if (!std::isfinite(seed_.value())) return false;
        l.recompute = Recompute::None;
        l.recomputeGroups = 0;
        l.recomputeEvery = 1;
        const Seconds bound = evaluator_.stepTimeBound(l);
        if (bound >= kFarBehind * seed_) return true;
        if (bound < seed_) return false;
        // Slower than what fits: of interest only for the front or as the best of its kind.
        for (const Layout& r : recomputes_) {
            const auto& shape = part_->byShape[static_cast<std::size_t>(r.recompute)][kWholly];
            if (!shape || bound <= shape->time) return false;
        }
        return part_->withoutOffload && bound > part_->withoutOffload->time &&
               part_->inFrontOf(bound, evaluator_.peakMemoryBound(l));
    }

    // Neither the best of its kind nor, if it fits, on the front: even without its traffic between
    // replicas.
    bool isOfNoInterest(const Scored& s, const std::optional<Scored>& shape) {
        const bool helped = s.layout.offloads();
        const bool known = std::isfinite(seed_.value());
        if (!known && !shape) return false;
        const Seconds bound = evaluator_.stepTimeBound(s.layout);
        // What doesn't fit, or only with the host's help, is of interest where it is faster than
        // what fits.
        if ((!s.fits || helped) && bound >= seed_) return true;
        if (bound >= kFarBehind * seed_) return true;
        if (!shape || bound <= shape->time) return false;
        if (!s.fits) return true;
        if (!helped && (!part_->withoutOffload || bound <= part_->withoutOffload->time))
            return false;
        return helped || part_->inFrontOf(bound, s.memory);
    }

    const Space& space_;
    const layout::StepProblem& p_;
    const LayoutChoice& choice_;
    layout::StepEvaluator& evaluator_;
    const SearchOptions& options_;
    Bytes usable_;
    bool firstLook_;
    Seconds seed_;
    std::vector<Layout> recomputes_;
    std::vector<std::pair<bool, bool>> offloads_;
    std::vector<Sharding> shardings_;
    std::vector<int> ordersWithout_, ordersOfPipeline_;
    std::vector<SchedulesOfDegree> schedules_;
    bool recomputeIsGiven_;
    Part* part_ = nullptr;
    int sinceAsked_ = 0;
    bool stopped_ = false;
};

Alternative toAlternative(const Scored& s) {
    return {s.layout, s.time, s.memory, s.fits};
}

SearchOutcome join(const Space& space, std::vector<Part>& parts, bool stopped) {
    SearchOutcome out;
    out.stopped = stopped;
    std::optional<Scored> best, smallest, withoutOffload;
    Part whole;
    std::vector<Scored> others;
    for (const Part& part : parts) {
        out.statistics.layoutsEvaluated += part.statistics.layoutsEvaluated;
        out.statistics.layoutsFeasible += part.statistics.layoutsFeasible;
        out.statistics.layoutsPruned += part.statistics.layoutsPruned;
        if (part.best) keepBetter(best, *part.best);
        if (part.withoutOffload) keepBetter(withoutOffload, *part.withoutOffload);
        if (part.smallest) keepSmaller(smallest, *part.smallest);
        for (const Scored& s : part.front) whole.addToFront(s);
        if (out.obstacles.empty()) out.obstacles = part.obstacles;
    }
    if (smallest) {
        out.obstacles.clear();
        if (!best) out.smallest = smallest->layout;
    } else if (space.choice().rankOrder && space.rankOrders(1).empty()) {
        out.obstacles = {{"{1} doesn't lay its ranks in the order that is asked for.",
                          {space.problem().profile.title}}};
    } else if (out.obstacles.empty()) {
        out.obstacles.push_back(
            {"No tensor, pipeline and data degrees divide {1} ranks and a batch of {2} "
             "sequences together.",
             {std::to_string(space.ranks()),
              std::to_string(space.problem().training.globalBatchSequences)}});
    }
    if (best) {
        out.best = best->layout;
        out.bestTime = best->time;
        if (best->layout.offloads() && withoutOffload)
            out.withoutOffload = toAlternative(*withoutOffload);
    }
    for (const Scored& s : whole.front) {
        if (s.time < kFarBehind * best->time) out.front.push_back(toAlternative(s));
    }
    // The best of each tensor degree, recompute mode and fit, over context degrees.
    std::map<std::tuple<int, std::size_t, std::size_t>, std::optional<Scored>> byShape;
    for (const Part& part : parts) {
        for (std::size_t r = 0; r < part.byShape.size(); ++r) {
            for (std::size_t fit = 0; fit < kFits; ++fit) {
                if (const auto& s = part.byShape[r][fit])
                    keepBetter(byShape[{s->layout.tensor, r, fit}], *s);
            }
        }
    }
    for (const auto& [shape, s] : byShape) {
        if (best && (s->layout == best->layout || s->time >= kFarBehind * best->time)) continue;
        // One that doesn't fit is of interest only if it would be faster and is near to fitting.
        if (!s->fits && best && (s->time >= best->time || std::get<2>(shape) == kNotByFar))
            continue;
        others.push_back(*s);
    }
    std::sort(others.begin(), others.end(), better);
    int kept[2] = {0, 0};
    for (const Scored& s : others) {
        if (++kept[s.fits ? 1 : 0] <= 4) out.alternatives.push_back(toAlternative(s));
    }
    return out;
}

}  // namespace

SearchOutcome searchLayouts(const layout::StepProblem& problem, const LayoutChoice& choice,
                            const network::Network& network, const SearchOptions& options) {
    const Space space(problem, choice, network.ranks());
    std::vector<std::pair<int, int>> degrees;
    for (int t : space.tensorDegrees()) {
        for (int c : space.contextDegrees()) {
            if (space.ranks() % (static_cast<long>(t) * c) == 0) degrees.emplace_back(t, c);
        }
    }
    const auto helpers = std::min<std::size_t>(
        degrees.size(), static_cast<std::size_t>(std::max(1, options.threads)));
    std::vector<std::unique_ptr<layout::StepEvaluator>> evaluators(
        std::max<std::size_t>(1, helpers));
    std::atomic<bool> stopped{false};
    std::atomic<std::size_t> partsDone{0};
    const std::size_t passes = options.exhaustive ? 1 : 2;
    // Every part once; `seed`: the best that a first look found, nullopt for that look itself.
    const auto pass = [&](std::vector<Part>& parts, const std::optional<Seconds>& seed) {
        std::atomic<std::size_t> next{0};
        const auto work = [&](std::size_t worker) {
            auto& evaluator = evaluators[worker];
            if (!evaluator) evaluator = std::make_unique<layout::StepEvaluator>(problem, network);
            PartSearcher searcher(space, *evaluator, options, seed);
            for (std::size_t i = next++; i < degrees.size() && !stopped; i = next++) {
                if (!searcher.run(degrees[i].first, degrees[i].second, parts[i])) stopped = true;
                const auto done = static_cast<double>(++partsDone);
                if (options.advanced)
                    options.advanced(done / static_cast<double>(passes * degrees.size()));
            }
        };
        std::vector<std::jthread> pool;
        for (std::size_t i = 1; i < helpers; ++i) pool.emplace_back(work, i);
        work(0);
    };
    std::vector<Part> parts(degrees.size());
    Seconds seed(std::numeric_limits<double>::infinity());
    if (!options.exhaustive) {
        // A first look at few layouts of every part finds a time that most others can be seen not
        // to beat; it is the same whatever the number of threads.
        std::vector<Part> looks(degrees.size());
        pass(looks, std::nullopt);
        for (const Part& look : looks) {
            if (look.best) seed = std::min(seed, look.best->time);
        }
        if (stopped) parts = std::move(looks);
    }
    if (!stopped) pass(parts, seed);
    return join(space, parts, stopped);
}

}  // namespace trainwright::search
