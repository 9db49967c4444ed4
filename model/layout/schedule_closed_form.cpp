// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule_closed_form.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainwright::layout {

namespace {

using Runs = std::span<const StageRun>;

double whole(const StageRun& r) {
    return r.forwardSeconds + r.backwardSeconds;
}

struct Totals {
    double stages = 0;
    double forward = 0, backward = 0;  // of all stages
    double slowestForward = 0, slowestBackward = 0;

    void add(const StageRun& r) { add(r, r.count); }
    void add(const StageRun& r, double count) {
        stages += count;
        forward += count * r.forwardSeconds;
        backward += count * r.backwardSeconds;
        slowestForward = std::max(slowestForward, r.forwardSeconds);
        slowestBackward = std::max(slowestBackward, r.backwardSeconds);
    }
};

Totals totalsOf(Runs runs) {
    Totals t;
    for (const StageRun& r : runs) t.add(r);
    return t;
}

// What a step waits for is the longest walk from the first stage's first forward pass to its last
// backward pass. Each stage has `passes` of a kind, counted in the order of its schedule; a walk
//   goes up    from a forward pass to the same one on the next stage, after a send,
//   goes down  from a backward pass to the same one on the stage before, after a send,
//   turns      on a stage, to the pass of the other kind that its schedule has next,
//   stays      on a stage, from one forward pass to the next before its first backward pass, or
//              from one backward pass to the next after its last forward pass, or
//   winds      from a forward pass on the last stage to the first stage's of the next chunk, or
//              back: `group` passes on.
// It fills the pipeline by going up to some stage t, with as many stays (or winds) as t's schedule
// has forward passes before its first backward one; comes down to some stage k; goes round between
// k and some l ≥ k, each round the passes of k … l and 2(l − k) sends for `spread`(l − k) + 1
// passes; and drains as it filled, by some t′ ≥ k. As long as sends take no time this is exact for
// 1F1B, with l = k: a round's mean is no longer than that of its slowest stage. Within a run of
// equal stages nothing is longer than at one of its ends.
//
// Times are those of all chunks of a stage together, so a send counts as often.
struct Walk {
    Runs runs;
    Totals all;
    double send;
    double passes;
    double spread;      // passes by which a stage is further ahead than the next one
    double leastAhead;  // forward passes of the last stage before its first pair
    double group;
    double winds;  // chunks after the first

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

    // Longest walk of `moves` passes in rounds that start at the first stage of run i, of which
    // `count` are left.
    [[nodiscard]] double rounds(double moves, std::size_t i, double count) const {
        const double one = whole(runs[i]);
        if (send == 0) return moves * one;
        double span = 0, work = 0, slowest = 0;
        double bestSpan = 1, bestWork = one, bestStep = 1, bestSlowest = one;
        for (std::size_t j = i; j < runs.size(); ++j) {
            const double n = j == i ? count : runs[j].count;
            span += n;
            work += n * (whole(runs[j]) + 2 * send);
            slowest = std::max(slowest, whole(runs[j]));
            const double step = spread * (span - 1) + 1;
            if ((work - 2 * send) * bestStep > bestWork * step) {
                bestSpan = span;
                bestWork = work - 2 * send;
                bestStep = step;
                bestSlowest = slowest;
            }
        }
        if (bestSpan == 1) return moves * one;
        const double times = static_cast<double>(static_cast<long>(moves / bestStep));
        const double rest = moves - times * bestStep;
        if (rest == 0) return times * bestWork;
        // A shorter round by the first or the last of these stages, or rounds on the slowest alone.
        const double part = (rest - 1) / spread + 1;
        const double first = firstOf(part, i, count);
        const double last =
            bestWork - 2 * (bestSpan - 1) * send - firstOf(bestSpan - part, i, count);
        return times * bestWork +
               std::max(rest * bestSlowest, std::max(first, last) + 2 * (part - 1) * send);
    }

    // Of `n` stages from the first of run i on, of which `count` are left.
    [[nodiscard]] double firstOf(double n, std::size_t i, double count) const {
        double work = 0;
        for (double here = count; n > here; here = runs[++i].count) {
            work += here * whole(runs[i]);
            n -= here;
        }
        return work + n * whole(runs[i]);
    }

    // With chunks a walk can also come to the first stages by winding: it fills up to the last
    // stage, goes round at some stage t for the `group` passes after which the next chunk starts,
    // and winds. What that takes up to the first stage, and what draining in the same way takes.
    struct Wound {
        double fill = 0, drain = 0;
    };
    [[nodiscard]] Wound wound() const {
        const double last = all.stages - 1;
        double filledHere = 0, drainedHere = 0, above = 0;
        Totals to;
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

    // Rounds start no earlier than at stage `from`.
    [[nodiscard]] double longest(double from) const {
        // Longest so far of: rounds at k, less the walk from stage 0 to k and back; the same with a
        // way to fill; with a way to drain; with both.
        double apart = -std::numeric_limits<double>::infinity();
        double filled = apart, drained = apart, seconds = 0;
        Totals to;  // up to and with the stage looked at
        const Wound byWinding = winds > 0 ? wound() : Wound{};
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
                const double taken = leastAhead + 2 * group;
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

    // Slow sends can make winding all the way, or rounds across the ends of the pipeline, the
    // longest. One chunk in all can't be left that way: there the walk winds with the passes of the
    // other kind, or goes round.
    [[nodiscard]] double steadilyWinding() const {
        double round = 0;  // for a group
        for (std::size_t i = 0; i < runs.size(); ++i)
            round = std::max(round, rounds(group, i, runs[i].count));
        const double sends = all.stages * send;
        const double across = group * (whole(runs.front()) + whole(runs.back()) + 2 * send) /
                              (spread + 1 + 2 * (group - all.stages));
        const double more = std::max({all.forward + sends, all.backward + sends, across});
        const double less =
            std::max(((group-1)*(std::min(all.forward, all.backward) + sends)+round)/group, round);
        const double mean = (winds * more + less) / ((winds + 1) * group);
        if (mean * group <= round) return 0;
        return all.forward + all.backward + 2 * (all.stages - 1) * send +
               forwardAlong(leastAhead, all.slowestForward) +
               backwardAlong(leastAhead, all.slowestBackward) +
               mean * (passes - 1 - leastAhead);
    }
};

// With no more micro-batches than stages the first stages run all their forward passes before the
// first backward one, and a walk can stay on a stage for more passes than its filling takes. It
// turns at one stage only, the last one up to which `m` pass without a pair or a later one.
double fewMicroBatches(double m, double send, Runs runs, double stages) {
    double seconds = 0;
    Totals to;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const auto turn = [&] {
            const double stage = to.stages - 1;
            const double more = m - stages + stage;  // passes beyond those to fill and drain
            double most = more * whole(runs[i]);
            double first = 0;
            for (std::size_t j = 0; j <= i; first += runs[j++].count) {
                const double stays = std::min(more, std::max(0.0, stage - first));
                most = std::max(most,
                                stays * std::max(runs[j].forwardSeconds, runs[j].backwardSeconds) +
                                    (more - stays) * whole(runs[i]));
            }
            seconds = std::max(seconds,
                               to.forward + to.backward + 2 * stage * send + most +
                                   (stages - 1 - stage) * (to.slowestForward + to.slowestBackward));
        };
        double left = runs[i].count;
        const double needed = stages - m + 1 - to.stages;
        if (needed > 0 && needed < left) {
            to.add(runs[i], needed);
            left -= needed;
            turn();
        }
        to.add(runs[i], left);
        if (to.stages > stages - m) turn();
    }
    return seconds;
}

double oneForwardOneBackward(double m, double send, Runs runs) {
    const Totals all = totalsOf(runs);
    const Walk walk{runs, all, send, m, 1, 0, 1, 0};
    const double rounds = walk.longest(all.stages - m + 1);
    return m <= all.stages ? std::max(rounds, fewMicroBatches(m, send, runs, all.stages)) : rounds;
}

double interleaved(double m, double chunks, double send, Runs runs) {
    const Totals all = totalsOf(runs);
    const double turns = std::max(1.0, std::floor(m / all.stages));
    const double group = m / turns;
    const double winds = chunks - 1;
    const Walk walk{runs, all, send * chunks, m * chunks, 2, winds * group, group, winds};
    if (turns > 1) return walk.longest(0) / chunks;
    // Every forward pass comes before the first backward one.
    return (all.forward + all.backward + 2 * (all.stages - 1) * walk.send +
            walk.forwardAlong(walk.passes - 1, all.slowestForward) +
            walk.backwardAlong(walk.passes - 1, all.slowestBackward)) /
           chunks;
}

}  // namespace

double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches, double sendSeconds,
                       std::span<const StageRun> runs) {
    const double m = static_cast<double>(microBatches);
    switch (schedule) {
        case Schedule::GPipe: {
            const Totals t = totalsOf(runs);
            return t.forward + t.backward + (m - 1) * (t.slowestForward + t.slowestBackward) +
                   2 * (t.stages - 1) * sendSeconds;
        }
        case Schedule::OneForwardOneBackward:
            return oneForwardOneBackward(m, sendSeconds, runs);
        case Schedule::Interleaved:
            return interleaved(m, virtualStages, sendSeconds, runs);
        case Schedule::ZeroBubble:
        case Schedule::DualPipe: {
            const Totals t = totalsOf(runs);
            double weights = 0;
            double slowest = 0;
            for (const StageRun& r : runs) {
                weights += r.count * r.weightGradientSeconds;
                slowest = std::max(slowest, r.forwardSeconds + r.backwardSeconds);
            }
            const double idle =
                schedule == Schedule::ZeroBubble
                    ? (t.forward + t.backward - 2 * weights) * (t.stages - 1) / t.stages
                    : (t.forward + 2 * t.backward - 3 * weights) * (t.stages / 2 - 1) / t.stages;
            return m * slowest + idle + 2 * (t.stages - 1) * sendSeconds;
        }
    }
    return 0;
}

}  // namespace trainwright::layout
