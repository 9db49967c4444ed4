// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/dual_pipe.h"

#include <array>
#include <vector>

#include "model/layout/pipeline_walk.h"

namespace trainwright::layout {

namespace {

// Both directions take the same times, so that the pipeline folds in the middle: `half` places, one
// direction that passes each of them going in (near) and coming back out (far).
struct Folded {
    struct Place {
        // near and far
        std::array<double, 2> forward{}, backward{}, weights{};
        std::array<std::vector<double>, 2> forwardEnd, backwardEnd;  // as far as they are known
        long next = 0;
        double free = 0;

        [[nodiscard]] double pair() const {
            return forward[0] + forward[1] + backward[0] + backward[1];
        }
    };
    std::vector<Place> places;
    std::size_t half = 0;
    double send = 0;

    void prepare(Runs runs, double sendSeconds) {
        std::size_t stages = 0;
        for (const StageRun& r : runs) stages += static_cast<std::size_t>(r.count);
        half = stages / 2;
        send = sendSeconds;
        if (places.size() < half) places.resize(half);
        std::size_t stage = 0;
        for (const StageRun& r : runs) {
            for (int n = 0; n < r.count && stage < 2 * half; ++n, ++stage) {
                const bool far = stage >= half;
                Place& p = places[far ? 2 * half - 1 - stage : stage];
                p.forward[far] = r.forwardSeconds;
                p.backward[far] = r.backwardSeconds;
                p.weights[far] = r.weightGradientSeconds;
                p.forwardEnd[far].clear();
                p.backwardEnd[far].clear();
                p.next = 0;
                p.free = 0;
            }
        }
    }

    // When what a pass needs has arrived; below 0 while it isn't known.
    [[nodiscard]] double ready(std::size_t e, const DualPipeStep& s) const {
        double at = 0;
        const auto after = [&](const std::vector<double>& ends, long index, double sent) {
            const auto i = static_cast<std::size_t>(index);
            if (i >= ends.size()) return false;
            at = std::max(at, ends[i] + sent);
            return true;
        };
        const auto [f, fFar] = s.forward;
        const auto [b, bFar] = s.backward;
        const bool middle = e + 1 == half;
        if (f >= 0 && (fFar || e > 0)) {
            const Place& from = places[!fFar ? e - 1 : middle ? e : e + 1];
            if (!after(from.forwardEnd[fFar && !middle], f, send)) return -1;
        }
        if (b >= 0) {
            const Place& from = places[bFar ? (e > 0 ? e - 1 : 0) : middle ? e : e + 1];
            const bool turns = bFar && e == 0;
            if (!after(turns ? from.forwardEnd[1] : from.backwardEnd[bFar || middle], b,
                       turns ? 0 : send)) {
                return -1;
            }
        }
        return at;
    }

    double run(long each) {
        const auto stages = static_cast<long>(2 * half);
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t e = 0; e < half; ++e) {
                const DualPipeOrder order(stages, each, static_cast<long>(e));
                Place& p = places[e];
                for (; p.next < order.steps(); ++p.next) {
                    const DualPipeStep s = order.at(p.next);
                    const double start = ready(e, s);
                    if (start < 0) break;
                    p.free = std::max(p.free, start);
                    if (s.forward) p.free += p.forward[s.forward.far];
                    if (s.backward) {
                        p.free += p.backward[s.backward.far];
                        if (s.split) p.free -= p.weights[s.backward.far];
                    }
                    if (s.weights) p.free += p.weights[s.weights.far];
                    if (s.forward) p.forwardEnd[s.forward.far].push_back(p.free);
                    if (s.backward) p.backwardEnd[s.backward.far].push_back(p.free);
                    moved = true;
                }
            }
        }
        double end = 0;
        for (std::size_t e = 0; e < half; ++e) end = std::max(end, places[e].free);
        return end;
    }

    // Seconds for one more micro-batch of each direction: the longest mean of a round over
    // neighbouring places (pipeline_walk.h); in the middle it hands over to the mirror image.
    [[nodiscard]] double pace() const {
        double most = 0;
        for (std::size_t k = 0; k < half; ++k) {
            double work = 0;
            double span = 0;
            for (std::size_t l = k; l < half; ++l) {
                work += places[l].pair() + 2 * send;
                span += 1;
                most = std::max(most, (work - (l + 1 == half ? send : 2 * send)) / span);
                if (send == 0) break;
            }
        }
        return most;
    }
};

}  // namespace

double dualPipeSeconds(long microBatches, double send, Runs runs) {
    thread_local Folded folded;  // keeps its room from call to call
    folded.prepare(runs, send);
    const long each = microBatches / 2;
    const long run = std::min(each, 4 * static_cast<long>(folded.half));
    const double seconds = folded.run(run);
    return each == run ? seconds : seconds + static_cast<double>(each - run) * folded.pace();
}

}  // namespace trainwright::layout
