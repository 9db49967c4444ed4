// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule_closed_form.h"

#include <algorithm>

namespace trainwright::layout {

namespace {

using Runs = std::span<const StageRun>;

struct Totals {
    double stages = 0;
    double forward = 0, backward = 0;  // of all stages
    double slowestForward = 0, slowestBackward = 0;
};

Totals totalsOf(Runs runs, double chunks) {
    Totals t;
    for (const StageRun& r : runs) {
        t.stages += r.count;
        t.forward += r.count * r.forwardSeconds;
        t.backward += r.count * r.backwardSeconds;
        t.slowestForward = std::max(t.slowestForward, r.forwardSeconds);
        t.slowestBackward = std::max(t.slowestBackward, r.backwardSeconds);
    }
    t.forward /= chunks;
    t.backward /= chunks;
    t.slowestForward /= chunks;
    t.slowestBackward /= chunks;
    return t;
}

// The chain of tasks that a step waits for is the longest walk through these moves. Passes are
// counted on each stage in the order of its schedule, n of them.
//   up       forward pass of k → the same one on k + 1, after a send;
//   down     backward pass of k → the same one on k − 1, after a send;
//   turn     on a stage, from a forward pass to the backward pass that its schedule has after it,
//            or from a backward pass to the forward pass after it;
//   stay     from one forward pass to the next before a stage's first backward pass, from one
//            backward pass to the next after its last forward pass;
//   wind     from the last stage's forward pass to the first stage's of the next chunk.
// Between filling and draining a walk goes round between two stages k ≤ l: each round takes the
// passes of k … l and 2(l − k) sends and moves on by `spread`(l − k) + 1 passes.
struct Walk {
    Runs runs;
    Totals all;
    double send;
    double passes;      // forward passes of a stage, all chunks
    double chunks;      // of a stage
    double spread;      // by so many fewer is a stage ahead than the one before it
    double leastAhead;  // forward passes of the last stage before its first backward pass, less 1
    double group;       // micro-batches that go through chunk after chunk together

    // `moves` stays on the stage that takes `here`, or as many winds as there are chunks for.
    [[nodiscard]] double along(double moves, double here, double slowest, double round) const {
        const double winds = chunks - 1;
        const double stays = moves * here;
        if (winds == 0 || moves < winds * group) return stays;
        return std::max(
            stays, winds * (round + all.stages * send) + (moves - winds * group) * slowest);
    }
    // Of a walk that turns at a stage `ahead` of its first backward pass.
    [[nodiscard]] double forwardAlong(double moves, double here) const {
        return along(moves, here, all.slowestForward, all.forward);
    }
    [[nodiscard]] double backwardAlong(double moves, double here) const {
        return along(moves, here, all.slowestBackward, all.backward);
    }

    // Longest walk that goes round at or above stage `first` + `inRun` of run `i`.
    struct Before {
        double stages = 0, forward = 0, backward = 0;
        double slowestForward = 0, slowestBackward = 0;

        void add(double count, double f, double b) {
            stages += count;
            forward += count * f;
            backward += count * b;
            slowestForward = std::max(slowestForward, f);
            slowestBackward = std::max(slowestBackward, b);
        }
    };

    [[nodiscard]] double around(std::size_t run, double left, Before below) const {
        const double f = runs[run].forwardSeconds / chunks;
        const double b = runs[run].backwardSeconds / chunks;
        const double k = below.stages;
        const double last = all.stages - 1;
        const double ahead = spread * (last - k) + leastAhead;
        const double moves = passes - 2 - ahead;  // rounds have to cover
        Before to = below;
        to.add(1, f, b);
        const double ownForward = to.forward, ownBackward = to.backward;
        double fill = 0, drain = 0;
        const auto turnHere = [&] {
            const double sends = (2 * to.stages - 2 - k) * send;
            const double stays = spread * (all.stages - to.stages) + leastAhead;
            fill = std::max(fill, to.forward + to.backward - ownBackward + sends +
                                      forwardAlong(stays, to.slowestForward));
            drain = std::max(drain, to.backward + to.forward - ownForward + sends +
                                        backwardAlong(stays, to.slowestBackward));
        };
        turnHere();
        double rounds = moves * (f + b);
        double slowest = f + b;
        bool reaches = send > 0;  // rounds could reach further up
        for (std::size_t i = run; i < runs.size(); ++i, left = i < runs.size() ? runs[i].count : 0) {
            if (left == 0) continue;
            const double one = (runs[i].forwardSeconds + runs[i].backwardSeconds) / chunks;
            if (reaches) {
                slowest = std::max(slowest, one);
                double span = to.stages - k + left;
                double work = to.forward + to.backward - below.forward - below.backward +
                              left * one;
                double step = spread * (span - 1) + 1;
                if (step > moves) {
                    reaches = false;
                    const double fits = std::max(1.0, (moves - 1) / spread + 1);
                    work -= (span - fits) * one;
                    span = fits;
                    step = spread * (span - 1) + 1;
                }
                if (step <= moves) {
                    const double whole = static_cast<double>(static_cast<long>(moves / step));
                    const double rest = moves - whole * step;
                    double part = rest * slowest;
                    if (rest > 0) {
                        const double partial = (rest - 1) / spread + 1;
                        part = std::max(part, partial * work / span + 2 * (partial - 1) * send);
                    }
                    rounds = std::max(rounds, whole * (work + 2 * (span - 1) * send) + part);
                }
            }
            to.add(left, runs[i].forwardSeconds / chunks, runs[i].backwardSeconds / chunks);
            turnHere();
        }
        return fill + f + b + rounds + drain;
    }

    [[nodiscard]] double longest(double firstRound) const {
        double seconds = 0;
        Before below;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const double f = runs[i].forwardSeconds / chunks;
            const double b = runs[i].backwardSeconds / chunks;
            const double count = runs[i].count;
            const double end = below.stages + count;
            // Times in between are no longer than at one of a run's ends.
            const double start = std::max(below.stages, firstRound);
            if (start < end) {
                Before to = below;
                if (start > below.stages) to.add(start - below.stages, f, b);
                seconds = std::max(seconds, around(i, end - start - 1, to));
                if (end - 1 > start) {
                    to.add(end - 1 - start, f, b);
                    seconds = std::max(seconds, around(i, 0, to));
                }
            }
            below.add(count, f, b);
        }
        return seconds;
    }
};

// With no more micro-batches than stages, the first stages run all their forward passes before
// the first backward one.
double fewMicroBatches(double m, double send, Runs runs, const Totals& all) {
    const double last = all.stages - 1;
    const double turn = all.stages - m;  // the last stage that does
    const StageRun& end = runs.back();
    const double endsWith = end.forwardSeconds + end.backwardSeconds;
    double most = (m - 1) * endsWith;
    double stages = 0, passes = 0, slowestForward = 0, slowestBackward = 0;
    double turning = 0;
    for (const StageRun& r : runs) {
        // Stays on this stage while it may, and goes round at the last one for what is left.
        const double stays = std::min(m - 1, last - stages);
        most = std::max(most, stays * std::max(r.forwardSeconds, r.backwardSeconds) +
                                  (m - 1 - stays) * endsWith);
        if (stages <= turn) {
            const double to = std::min<double>(r.count, turn - stages + 1);
            slowestForward = std::max(slowestForward, r.forwardSeconds);
            slowestBackward = std::max(slowestBackward, r.backwardSeconds);
            passes += to * (r.forwardSeconds + r.backwardSeconds);
            turning = passes + 2 * (stages + to - 1) * send +
                      (m - 1) * (slowestForward + slowestBackward);
        }
        stages += r.count;
    }
    return std::max(turning, all.forward + all.backward + 2 * last * send + most);
}

double oneForwardOneBackward(double m, double send, Runs runs) {
    const Totals all = totalsOf(runs, 1);
    const Walk walk{runs, all, send, m, 1, 1, 0, 1};
    const double rounds = walk.longest(all.stages - m + 1);
    return m <= all.stages ? std::max(rounds, fewMicroBatches(m, send, runs, all)) : rounds;
}

double interleaved(long m, int chunks, double send, Runs runs) {
    const Totals all = totalsOf(runs, chunks);
    const auto stages = static_cast<long>(all.stages);
    const double rounds = static_cast<double>(std::max<long>(1, m / stages));
    Walk walk{runs, all, send, static_cast<double>(m) * chunks, static_cast<double>(chunks), 2, 0,
              static_cast<double>(m) / rounds};
    walk.leastAhead = (walk.chunks - 1) * walk.group;
    if (rounds == 1) {  // every forward pass comes before the first backward one
        return all.forward + all.backward + 2 * (all.stages - 1) * send +
               walk.forwardAlong(walk.passes - 1, all.slowestForward) +
               walk.backwardAlong(walk.passes - 1, all.slowestBackward);
    }
    return walk.longest(0);
}

}  // namespace

double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches, double sendSeconds,
                       std::span<const StageRun> runs) {
    const double m = static_cast<double>(microBatches);
    switch (schedule) {
        case Schedule::GPipe: {
            const Totals t = totalsOf(runs, 1);
            return t.forward + t.backward + (m - 1) * (t.slowestForward + t.slowestBackward) +
                   2 * (t.stages - 1) * sendSeconds;
        }
        case Schedule::OneForwardOneBackward:
            return oneForwardOneBackward(m, sendSeconds, runs);
        case Schedule::Interleaved:
            return interleaved(microBatches, virtualStages, sendSeconds, runs);
        case Schedule::ZeroBubble:
        case Schedule::DualPipe: {
            const Totals t = totalsOf(runs, 1);
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
