// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/search.h"

#include <algorithm>
#include <array>
#include <tuple>

#include "model/layout/step.h"
#include "model/network/network.h"

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
                          static_cast<int>(l.sharding), static_cast<int>(l.recompute),
                          l.sequenceParallel);
    };
    return key(a.layout) < key(b.layout);
}

void keepBetter(std::optional<Scored>& kept, const Scored& s) {
    if (!kept || better(s, *kept)) kept = s;
}

class Searcher {
public:
    Searcher(const layout::StepProblem& p, const LayoutChoice& c, const network::Network& n)
        : p_(p),
          choice_(c),
          evaluator_(p, n),
          ranks_(n.ranks()),
          usable_(evaluator_.usableMemory()) {}

    SearchOutcome run() {
        const long batch = p_.training.globalBatchSequences;
        const std::vector<int> degrees = tensorDegrees();
        byShape_.resize(degrees.size());
        for (tensor_ = 0; tensor_ < degrees.size(); ++tensor_) {
            const int t = degrees[tensor_];
            for (int pipeline : pipelineDegrees()) {
                if (ranks_ % (static_cast<long>(t) * pipeline) != 0) continue;
                for (int c : contextDegrees()) {
                    const long inner = static_cast<long>(t) * pipeline * c;
                    if (ranks_ % inner != 0) continue;
                    const long data = ranks_ / inner;
                    if (choice_.data && *choice_.data != data) continue;
                    if (batch % data != 0) continue;
                    for (int e : expertDegrees(static_cast<long>(t) * c * data)) {
                        for (int b : chosen(choice_.microBatch, microBatches(batch / data))) {
                            if (b < 1 || batch % (data * b) != 0) continue;
                            Layout l;
                            l.tensor = t;
                            l.pipeline = pipeline;
                            l.context = c;
                            l.expert = e;
                            l.data = static_cast<int>(data);
                            l.microBatch = b;
                            l.microBatches = batch / (data * b);
                            l.sequenceParallel = choice_.sequenceParallel.value_or(
                                                     p_.profile.sequenceParallelDefault) &&
                                                 t > 1;
                            modes(l);
                        }
                    }
                }
            }
        }
        return finish();
    }

private:
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

    [[nodiscard]] static std::vector<int> microBatches(long perReplica) {
        return divisorsOf(perReplica, 16);
    }

    [[nodiscard]] std::vector<int> virtualStages(int pipeline) const {
        if (choice_.virtualStages) return {*choice_.virtualStages};
        std::vector<int> out{1};
        const auto& schedules = p_.profile.schedules;
        const bool interleaves =
            std::find(schedules.begin(), schedules.end(), Schedule::Interleaved) != schedules.end();
        if (pipeline > 1 && interleaves &&
            (!choice_.schedule || *choice_.schedule == Schedule::Interleaved)) {
            for (int v = 2; v * pipeline <= p_.architecture.layers + 2 && v <= 16; ++v)
                out.push_back(v);
        }
        return out;
    }

    void modes(Layout l) {
        const std::optional<Recompute> recompute =
            choice_.recompute ? choice_.recompute : p_.training.recompute;
        for (int v : virtualStages(l.pipeline)) {
            l.virtualStages = v;
            l.schedule = v > 1 ? Schedule::Interleaved
                               : choice_.schedule.value_or(Schedule::OneForwardOneBackward);
            for (Sharding s : chosen(choice_.sharding, p_.profile.shardings)) {
                l.sharding = s;
                for (Recompute r : chosen(recompute, p_.profile.recomputes)) {
                    l.recompute = r;
                    consider(l);
                }
            }
        }
    }

    void consider(const Layout& l) {
        if (!layout::isLegal(p_, l)) {
            if (outcome_.obstacles.empty()) {
                for (const Finding& f : layout::checkLegality(p_, l)) {
                    if (f.severity == Severity::Error) outcome_.obstacles.push_back(f.text);
                }
            }
            return;
        }
        ++outcome_.statistics.layoutsEvaluated;
        const Bytes memory = evaluator_.peakMemory(l);
        const Scored s{l, evaluator_.stepTime(l), memory, memory <= usable_};
        if (!smallest_ || s.memory < smallest_->memory ||
            (s.memory == smallest_->memory && better(s, *smallest_))) {
            smallest_ = s;
        }
        if (s.fits) {
            ++outcome_.statistics.layoutsFeasible;
            keepBetter(best_, s);
        }
        keepBetter(byShape_[tensor_][static_cast<std::size_t>(l.recompute)][s.fits ? 1 : 0], s);
    }

    SearchOutcome finish() {
        if (smallest_) {
            outcome_.obstacles.clear();
            outcome_.smallest = smallest_->layout;
        } else if (outcome_.obstacles.empty()) {
            outcome_.obstacles.push_back(
                {"No tensor, pipeline and data degrees divide {1} ranks and a batch of {2} "
                 "sequences together.",
                 {std::to_string(ranks_), std::to_string(p_.training.globalBatchSequences)}});
        }
        if (best_) {
            outcome_.best = best_->layout;
            outcome_.bestTime = best_->time;
        }
        std::vector<Scored> others;
        for (const auto& byRecompute : byShape_) {
            for (const auto& byFit : byRecompute) {
                for (const std::optional<Scored>& s : byFit) {
                    if (!s || (best_ && s->layout == best_->layout)) continue;
                    // One that doesn't fit is of interest only if it would be faster.
                    if (!s->fits && best_ && s->time >= best_->time) continue;
                    others.push_back(*s);
                }
            }
        }
        std::sort(others.begin(), others.end(), better);
        int kept[2] = {0, 0};
        for (const Scored& s : others) {
            if (++kept[s.fits ? 1 : 0] <= 4)
                outcome_.alternatives.push_back({s.layout, s.time, s.memory, s.fits});
        }
        return std::move(outcome_);
    }

    const layout::StepProblem& p_;
    const LayoutChoice& choice_;
    layout::StepEvaluator evaluator_;
    long ranks_;
    Bytes usable_;
    SearchOutcome outcome_;
    std::optional<Scored> best_, smallest_;
    // The best by tensor degree, recompute mode and whether it fits.
    std::size_t tensor_ = 0;
    std::vector<std::array<std::array<std::optional<Scored>, 2>, 3>> byShape_;
};

}  // namespace

SearchOutcome searchLayouts(const layout::StepProblem& problem, const LayoutChoice& choice,
                            const network::Network& network) {
    return Searcher(problem, choice, network).run();
}

}  // namespace trainwright::search
