// SPDX-License-Identifier: GPL-3.0-or-later
// The longest walk through a pipeline step, the idea behind the closed forms of 1F1B, its
// interleaved form and ZB-H1.
//
// Internal to the closed forms. What a step waits for is the longest walk from the first stage's
// first forward pass to its last backward pass. Each stage has as many passes of a kind, counted in
// the order of its schedule; a walk
//   goes up    from a forward pass to the same one on the next stage, after a send,
//   goes down  from a backward pass to the same one on the stage before, after a send,
//   turns      on a stage, to the pass of the other kind that its schedule has next,
//   stays      on a stage, from one forward pass to the next before its first backward pass, or
//              from one backward pass to the next after its last forward pass, or
//   winds      from a forward pass on the last stage to the first stage's of the next chunk, or
//              back: a group of micro-batches on.
// It fills the pipeline by going up to some stage t, with as many stays (or winds) as t's schedule
// has forward passes before its first pair; comes down to some stage k; goes round between k and
// some l ≥ k; and drains as it filled, by some t′ ≥ k. A round takes the passes of k … l and
// 2(l − k) sends, and moves on by 1 + (l − k) passes, or 1 + 2(l − k) when interleaved. As long as
// sends take no time this is exact for 1F1B, with l = k: the mean of a round is no longer than its
// slowest stage. Within a run of equal stages nothing is longer than at one of its ends.
#pragma once

#include <algorithm>
#include <limits>
#include <span>

#include "model/layout/schedule_closed_form.h"

namespace trainwright::layout {

using Runs = std::span<const StageRun>;

inline double whole(const StageRun& r) {
    return r.forwardSeconds + r.backwardSeconds;
}

struct StageTotals {
    double putOff = 0;  // 1: `backward` leaves weight gradients out
    double stages = 0;
    double forward = 0, backward = 0;  // of all stages
    double slowestForward = 0, slowestBackward = 0;
    double slowest = 0;  // both, weight gradients included

    void add(const StageRun& r) { add(r, r.count); }
    void add(const StageRun& r, double count) {
        stages += count;
        forward += count * r.forwardSeconds;
        backward += count * (r.backwardSeconds - putOff * r.weightGradientSeconds);
        slowestForward = std::max(slowestForward, r.forwardSeconds);
        slowestBackward = std::max(slowestBackward, r.backwardSeconds);
        slowest = std::max(slowest, whole(r));
    }
};

inline StageTotals totalsOf(Runs runs, double putOff = 0) {
    StageTotals t;
    t.putOff = putOff;
    for (const StageRun& r : runs) t.add(r);
    return t;
}

/// Times are those of all chunks of a stage together, so a send counts as often.
struct PipelineWalk {
    Runs runs;
    StageTotals all;
    double send;
    double passes;
    double spread;      // passes by which a stage is further ahead than the next one
    double leastAhead;  // forward passes of the last stage before its first pair
    double group;
    double winds;  // chunks after the first
    // No round over several stages takes longer than as many passes of the slowest one.
    bool alone = 2 * send <= (spread - 1) * all.slowest;

    [[nodiscard]] double pair(const StageRun& r) const {
        return whole(r) - all.putOff * r.weightGradientSeconds;
    }

    // Longest walk of `moves` passes in rounds that start at the first stage of run i, of which
    // `count` are left.
    [[nodiscard]] double rounds(double moves, std::size_t i, double count) const {
        const double one = pair(runs[i]);
        if (alone) return moves * one;
        double span = 0, work = 0, slowest = 0;
        double bestSpan = 1, bestWork = one, bestStep = 1, bestSlowest = one;
        for (std::size_t j = i; j < runs.size(); ++j) {
            const double n = j == i ? count : runs[j].count;
            span += n;
            work += n * (pair(runs[j]) + 2 * send);
            slowest = std::max(slowest, pair(runs[j]));
            const double step = spread * (span - 1) + 1;
            if ((work - 2 * send) * bestStep > bestWork * step) {
                bestSpan = span;
                bestWork = work - 2 * send;
                bestStep = step;
                bestSlowest = slowest;
            }
        }
        if (bestSpan == 1) return moves * one;
        const auto floorOf = [](double x) { return static_cast<double>(static_cast<long>(x)); };
        const double times = floorOf(moves / bestStep);
        const double rest = moves - times * bestStep;
        if (rest == 0) return times * bestWork;
        // A shorter round by the first or the last of these stages, or rounds on the slowest alone.
        const double part = (rest - 1) / spread + 1;
        const double first = firstOf(part, i, count);
        const double last =
            bestWork - 2 * (bestSpan - 1) * send - firstOf(bestSpan - part, i, count);
        const double most =
            times * bestWork +
            std::max(rest * bestSlowest, std::max(first, last) + 2 * (part - 1) * send);
        if (count == 1 || bestSpan == count) return most;
        // Rounds over the first run alone may fit better.
        const double step = spread * (count - 1) + 1;
        const double fits = floorOf(moves / step);
        const double over = moves - fits * step;
        const double some = over > 0 ? (over - 1) / spread : 0;
        return std::max(most, fits * (count * one + 2 * (count - 1) * send) +
                                  (over > 0 ? (some + 1) * one + 2 * some * send : 0));
    }

    // Rounds start no earlier than at stage `from`.
    [[nodiscard]] double longest(double from) const {
        // Longest so far of: rounds at k, less the way from stage 0 to k and back; the same with a
        // way to fill; with a way to drain; with both.
        double apart = -std::numeric_limits<double>::infinity();
        double filled = apart, drained = apart, seconds = 0;
        StageTotals to;  // up to and with the stage looked at
        const Wound byWinding = winds > 0 ? wound() : Wound{};
        const double taken = leastAhead + 2 * group;  // passes of coming by winding
        const auto look = [&](std::size_t i, double count) {
            const StageRun& r = runs[i];
            const double stage = to.stages - 1;
            const double way = to.forward + to.backward + 2 * stage * send;
            const double before = ahead(stage);
            if (stage >= from) {
                const double moves = passes - 2 - before;
                apart = std::max(apart, whole(r) - way + rounds(moves, i, count));
            }
            if (winds > 0) {
                const double one = (passes - 1 - taken) * whole(r);
                filled = std::max(filled, byWinding.fill + one);
                drained = std::max(drained, byWinding.drain + one);
                const double left = passes - 1 - 2 * taken + before;
                if (left >= 0) {
                    seconds =
                        std::max(seconds, byWinding.fill + byWinding.drain + way + left * whole(r));
                }
            }
            const double fill = way + forwardAlong(before, to.slowestForward);
            const double drain = way + backwardAlong(before, to.slowestBackward);
            filled = std::max(filled, apart + fill);
            drained = std::max(drained, apart + drain);
            seconds = std::max({seconds, filled + drain, drained + fill});
        };
        for (std::size_t i = 0; i < runs.size(); ++i) {
            double left = runs[i].count;
            const double skipped = std::min(std::max(0.0, from - to.stages), left - 1);
            to.add(runs[i], skipped + 1);
            left -= skipped;
            look(i, left);
            if (left > 1) {
                to.add(runs[i], left - 1);
                look(i, 1);
            }
        }
        if (winds > 0 && send > 0) seconds = std::max(seconds, steadilyWinding());
        return seconds;
    }

    // When every forward pass comes before the first backward one.
    [[nodiscard]] double apart() const {
        return all.forward + all.backward + 2 * (all.stages - 1) * send +
               forwardAlong(passes - 1, all.slowestForward) +
               backwardAlong(passes - 1, all.slowestBackward);
    }

private:
    [[nodiscard]] double ahead(double stage) const {
        return spread * (all.stages - 1 - stage) + leastAhead;
    }
    // `moves` stays on a stage that takes `here`, or all winds, `round` long, and stays on the
    // slowest stage.
    [[nodiscard]] double along(double moves, double here, double round, double slowest) const {
        const double stays = moves * here;
        const double wound = winds * group;
        if (winds == 0 || moves < wound) return stays;
        return std::max(stays, winds * (round + all.stages * send) + (moves - wound) * slowest);
    }
    [[nodiscard]] double forwardAlong(double moves, double here) const {
        return along(moves, here, all.forward, all.slowestForward);
    }
    [[nodiscard]] double backwardAlong(double moves, double here) const {
        return along(moves, here, all.backward, all.slowestBackward);
    }

    // Of `n` stages from the first of run i on, of which `count` are left.
    [[nodiscard]] double firstOf(double n, std::size_t i, double count) const {
        double work = 0;
        for (double here = count; n > here; here = runs[++i].count) {
            work += here * pair(runs[i]);
            n -= here;
        }
        return work + n * pair(runs[i]);
    }

    // With chunks a walk can also come to the first stages by winding: it fills up to the last
    // stage, goes round at some stage t for the group of passes after which the next chunk starts,
    // and winds. What that takes up to the first stage, and what draining in the same way takes.
    struct Wound {
        double fill = 0, drain = 0;
    };
    [[nodiscard]] Wound wound() const {
        const double last = all.stages - 1;
        double filledHere = 0, drainedHere = 0, above = 0;
        StageTotals to;
        const auto look = [&](const StageRun& r) {
            const double stage = to.stages - 1;
            const double more = group - spread * (last - stage);  // passes after coming to t
            if (more < 1) return;
            const double forward = forwardAlong(ahead(stage), to.slowestForward);
            const double backward = backwardAlong(ahead(stage), to.slowestBackward);
            filledHere = std::max(filledHere, forward + more * whole(r));
            drainedHere = std::max(drainedHere, backward + more * whole(r));
            above = std::max(above, all.forward + all.backward - to.forward - to.backward +
                                        2 * (last - stage) * send + more * whole(r));
        };
        for (const StageRun& r : runs) {
            to.add(r, 1);
            look(r);
            if (r.count > 1) {
                to.add(r, r.count - 1);
                look(r);
            }
        }
        const double sends = all.stages * send;
        return {all.forward + sends +
                    std::max(filledHere, above + forwardAlong(leastAhead, all.slowestForward)),
                all.backward + sends +
                    std::max(drainedHere, above + backwardAlong(leastAhead, all.slowestBackward))};
    }

    // Sends about as long as a chunk can make it longest to wind all the way, or to go round
    // across the ends of the pipeline. A walk can't leave one chunk in all that way: there it winds
    // with the passes of the other kind (which fits for all but one pass of a group) or goes round.
    [[nodiscard]] double steadilyWinding() const {
        const double sends = all.stages * send;
        const double across = group * (whole(runs.front()) + whole(runs.back()) + 2 * send) /
                              (spread + 1 + 2 * (group - all.stages));
        const double most = std::max({all.forward + sends, all.backward + sends, across});
        if (most <= group * all.slowest) return 0;
        double round = 0;  // for a group
        for (std::size_t i = 0; i < runs.size(); ++i)
            round = std::max(round, rounds(group, i, runs[i].count));
        const double other = std::min(all.forward, all.backward) + sends;
        const double least = std::max(round, ((group - 1) * other + round) / group);
        const double mean = (winds * most + least) / ((winds + 1) * group);
        if (mean * group <= round) return 0;
        return all.forward + all.backward + 2 * (all.stages - 1) * send +
               forwardAlong(leastAhead, all.slowestForward) +
               backwardAlong(leastAhead, all.slowestBackward) + mean * (passes - 1 - leastAhead);
    }
};

/// ZB-H1.
[[nodiscard]] double zeroBubbleSeconds(double microBatches, double send, Runs runs);
/// DualPipe: runs the order of schedule.h for at most 4p micro-batches, and adds the slowest
/// place's pace for the others.
[[nodiscard]] double dualPipeSeconds(long microBatches, double send, Runs runs);

}  // namespace trainwright::layout
