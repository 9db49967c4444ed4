// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "model/layout/pipeline_walk.h"

namespace trainwright::layout {

namespace {

double input(const StageRun& r) {
    return r.backwardSeconds - r.weightGradientSeconds;
}
double pair(const StageRun& r) {
    return r.forwardSeconds + input(r);
}

// ZB-H1 walks as 1F1B does, past the part of backward passes that others wait for. Weight gradients
// are in its way where it stays on a stage between backward passes, where it turns from a backward
// pass, but for the first i of them on stage i (they are light, the others heavy), and where it
// ends: on some stage, with the weight gradients that are left there.
struct ZeroBubbleWalk {
    Runs runs;
    StageTotals all;
    double send;
    double m;

    // Up to and with some stage.
    struct Way {
        double stages = 0, pairs = 0, inputs = 0;
        double slowestForward = 0;
        double end = 0;  // weight gradients at the end, less the way on down from there
    };

    void advance(Way& to, const StageRun& r, double count) const {
        const auto endsAt = [&](double stage, double below) {
            to.end = std::max(
                to.end, std::min(m, stage + 1) * r.weightGradientSeconds - below - stage * send);
        };
        endsAt(to.stages, to.inputs);
        // From stage m − 1 on there is no more left than on that one.
        if (to.stages < m - 1 && m < to.stages + count)
            endsAt(m - 1, to.inputs + (m - 1 - to.stages) * input(r));
        to.stages += count;
        to.pairs += count * pair(r);
        to.inputs += count * input(r);
        endsAt(to.stages - 1, to.inputs - input(r));
        to.slowestForward = std::max(to.slowestForward, r.forwardSeconds);
    }

    // Calls visit(j, way) for the first and the last stage of every run up to where `to` ends, in
    // run i.
    template <typename Visit>
    void visitEnds(std::size_t i, const Way& to, const Visit& visit) const {
        Way here;
        for (std::size_t j = 0; j <= i; ++j) {
            const double last = std::min(here.stages + runs[j].count, to.stages);
            advance(here, runs[j], 1);
            visit(j, here);
            if (here.stages >= last) continue;
            advance(here, runs[j], last - here.stages);
            visit(j, here);
        }
    }

    // `n` stays between backward passes of the last stage of `here`, in run j, and what is left
    // there or further down at the end.
    [[nodiscard]] double drained(double n, std::size_t j, const Way& here) const {
        const double late = std::clamp(m - here.stages, 0.0, n);  // with a weight gradient
        return n * input(runs[j]) + late * runs[j].weightGradientSeconds + here.end;
    }
    // The same on whichever stage up to `to`, in run i, takes longest.
    [[nodiscard]] double drain(double n, std::size_t i, const Way& to) const {
        if (n == 0) return to.end;
        double most = 0;
        visitEnds(i, to, [&](std::size_t j, const Way& here) {
            most = std::max(most, drained(n, j, here));
        });
        return most;
    }

    // Stages that a round takes, from `lowest` up.
    struct Span {
        double lowest = 0, stages = 0, pairs = 0;
        double weights = 0;  // of the lowest one, where rounds turn

        [[nodiscard]] Span downBy(const StageRun& r, double count) const {
            return {lowest - count, stages + count, pairs + count * pair(r),
                    r.weightGradientSeconds};
        }
        [[nodiscard]] Span upBy(const StageRun& r) const {
            return {lowest, stages + r.count, pairs + r.count * pair(r), weights};
        }
    };
    // Of `moves` passes; the first `light` turns have no weight gradient.
    [[nodiscard]] double rounds(double moves, double light, const Span& s) const {
        const double times = std::floor(moves / s.stages);
        const double rest = moves - times * s.stages;
        double heavy = times - std::min(times, std::ceil(light / s.stages));
        if (rest > 0 && times * s.stages >= light + s.stages - rest) heavy += 1;
        const double part = rest > 0 ? rest / s.stages * s.pairs + 2 * (rest - 1) * send : 0;
        return times * (s.pairs + 2 * (s.stages - 1) * send) + heavy * s.weights + part;
    }

    // One stage of run j, which starts at stage `first`.
    struct Place {
        std::size_t j;
        double first, stage;
    };

    // Longest way from filling to draining that passes `at`: `light` passes, then `heavy` ones.
    [[nodiscard]] double between(double light, double heavy, const Place& at) const {
        const double one = whole(runs[at.j]);  // the heavy ones are rounds on the stage itself
        double most = light * pair(runs[at.j]) + heavy * one;
        double top = at.first;
        for (std::size_t l = at.j; l < runs.size(); ++l) {
            top += runs[l].count;
            Span s{top, 0, 0, 0};
            for (std::size_t i = l + 1; i-- > 0 && s.stages < light + heavy;) {
                const StageRun& r = runs[i];
                if (s.stages < light) {  // down to run i, to go round on its last stage alone
                    most = std::max(most, s.pairs + 2 * s.stages * send +
                                              (light - s.stages) * pair(r) + heavy * one);
                }
                if (send > 0) {
                    if (s.stages < light) {
                        const Span part = s.downBy(r, std::min<double>(r.count, light - s.stages));
                        most = std::max(most, rounds(light, part.lowest, part) + heavy * one);
                    }
                    // Or the last of these rounds takes some of the heavy passes.
                    const Span down = s.downBy(r, r.count);
                    const double moves = std::ceil(light / down.stages) * down.stages;
                    const double left = light + heavy - moves;
                    if (left > 0 || (left == 0 && down.lowest < at.stage))
                        most = std::max(most, rounds(moves, down.lowest, down) + left * one);
                }
                s = s.downBy(r, r.count);
            }
        }
        return most;
    }

    // As between, with rounds over several stages for the heavy passes; `lightest`: what the light
    // ones take. Rounds from the stage itself on begin after a turn there.
    [[nodiscard]] double betweenInRounds(double light, double heavy, double lightest,
                                         const Place& at) const {
        double most = 0;
        Span s{at.first + runs[at.j].count, 0, 0, 0};
        for (std::size_t i = at.j + 1; i-- > 0;) {
            const StageRun& r = runs[i];
            // From the last stage of run i on, and from its first.
            for (const double n : {1.0, r.count - 1.0}) {
                if (n == 0) continue;
                s = s.downBy(r, n);
                if (s.lowest > at.stage) continue;
                Span up = s;
                for (std::size_t l = at.j;;) {
                    if (s.lowest == at.stage && up.stages > 1) {
                        most = std::max(most, lightest + whole(r) + rounds(heavy - 1, 0, up));
                    } else {
                        most = std::max({most, lightest + rounds(heavy, 0, up),
                                         rounds(light + heavy, s.lowest, up)});
                    }
                    if (++l == runs.size()) break;
                    up = up.upBy(runs[l]);
                }
            }
        }
        return most;
    }

    [[nodiscard]] double longest() const {
        const PipelineWalk light{runs, all, send, m, 1, 0, 1, 0};
        const double from = std::max(0.0, all.stages - m + 1);
        const double heavy = std::max(0.0, m - all.stages);
        double mostPair = 0, mostWeights = 0, leastWeights = runs.front().weightGradientSeconds;
        for (const StageRun& r : runs) {
            mostPair = std::max(mostPair, pair(r));
            mostWeights = std::max(mostWeights, r.weightGradientSeconds);
            leastWeights = std::min(leastWeights, r.weightGradientSeconds);
        }
        // Two sends save the weight gradient of a turn: otherwise heavy rounds stay on one stage.
        const bool inRounds = heavy > 1 && 2 * send > leastWeights;
        const double mostHeavy = inRounds ? mostPair + mostWeights / 2 + 2 * send : 0;

        double seconds = 0, fill = 0, drains = 0;
        for (std::size_t j = runs.size(); j-- > 0;) {
            const StageRun& r = runs[j];
            Way before;
            for (std::size_t i = 0; i < j; ++i) advance(before, runs[i], runs[i].count);
            const double end = before.stages + r.count;
            if (end <= from) break;
            const auto upTo = [&](double stage) {
                Way to = before;
                advance(to, r, stage + 1 - before.stages);
                return to;
            };
            const auto look = [&](double stage) {
                const Way to = upTo(stage);
                const double way = to.pairs + 2 * stage * send;
                const double stays = all.stages - 1 - stage;
                fill = std::max(fill, way + stays * to.slowestForward);
                drains = std::max(drains, way + drain(stays, j, to));
                const double ends = fill + drains - way;
                if (heavy == 0) {
                    const double moves = m - 1 - (all.stages - stage);
                    seconds =
                        std::max(seconds, ends + pair(r) + light.rounds(moves, j, end - stage));
                    return;
                }
                seconds = std::max(seconds, ends + stage * pair(r) + heavy * whole(r));
                if (ends + stage * (mostPair + 2 * send) + heavy * std::max(whole(r), mostHeavy) <=
                    seconds) {
                    return;
                }
                const Place at{j, before.stages, stage};
                const double most = between(stage, heavy, at);
                seconds = std::max(seconds, ends + most);
                if (!inRounds) return;
                seconds = std::max(seconds,
                                   ends + betweenInRounds(stage, heavy, between(stage, 0, at), at));
            };
            look(end - 1);
            // With few micro-batches it may drain where stays up to here all have their weight
            // gradients.
            for (std::size_t i = 0; m < all.stages && i <= j; ++i) {
                double stage = all.stages - m;
                for (std::size_t below = 0; below < i; ++below) stage += runs[below].count;
                for (const double turn : {stage, stage + runs[i].count - 1}) {
                    if (turn < std::max(before.stages, from) || turn >= end - 1) continue;
                    const Way to = upTo(turn);
                    drains = std::max(
                        drains, to.pairs + 2 * turn * send + drain(all.stages - 1 - turn, j, to));
                }
            }
            const double first = std::max(before.stages, from);
            if (first < end - 1) look(first);
        }
        return seconds;
    }

    // With no more micro-batches than stages, as the function of this name for 1F1B: it turns at
    // one stage only and stays on others for more passes than filling takes.
    [[nodiscard]] double fewMicroBatches() const {
        double seconds = 0;
        Way to;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            const double start = to.stages;
            // `moves` passes on the way down from where it turns, on one stage from there on.
            const auto down = [&](double moves) {
                double most = 0;
                Span s;
                for (std::size_t l = i + 1; l-- > 0 && s.stages < moves;) {
                    most = std::max(
                        most, s.pairs + 2 * s.stages * send + (moves - s.stages) * pair(runs[l]));
                    s = s.downBy(runs[l], l == i ? to.stages - start : runs[l].count);
                }
                return most;
            };
            // The same where it doesn't come up again, but goes on down to run j.
            const auto onTheWay = [&](double moves, std::size_t j) {
                double most = down(moves), above = to.stages;
                for (std::size_t l = i + 1; l-- > j;) {
                    if (above - 1 - (all.stages - m) >= moves)
                        most = std::max(most, moves * pair(runs[l]));
                    above -= l == i ? to.stages - start : runs[l].count;
                }
                return most;
            };
            const auto turn = [&] {
                const double stage = to.stages - 1;
                const double more = m - all.stages + stage;
                const double stays = all.stages - 1 - stage;
                const double ends = drain(stays, i, to);
                double most = down(more) + ends;
                visitEnds(i, to, [&](std::size_t j, const Way& here) {
                    const double n = std::min(more, std::max(0.0, to.stages - here.stages));
                    most = std::max(most, n * runs[j].forwardSeconds + ends + down(more - n));
                    // Between backward passes: all of them, or those with a weight gradient.
                    for (const double b : {n, std::clamp(m - here.stages - stays, 0.0, n)})
                        most = std::max(most, drained(b + stays, j, here) + onTheWay(more - b, j));
                });
                seconds = std::max(seconds,
                                   to.pairs + 2 * stage * send + most + stays * to.slowestForward);
            };
            double left = runs[i].count;
            const double needed = all.stages - m + 1 - to.stages;
            if (needed > 0 && needed < left) {
                advance(to, runs[i], needed);
                left -= needed;
                turn();
            }
            advance(to, runs[i], left);
            if (to.stages > all.stages - m) turn();
        }
        return seconds;
    }
};

}  // namespace

double zeroBubbleSeconds(double microBatches, double send, Runs runs) {
    const ZeroBubbleWalk walk{runs, totalsOf(runs, 1), send, microBatches};
    const double seconds = walk.longest();
    return microBatches > walk.all.stages ? seconds : std::max(seconds, walk.fewMicroBatches());
}

}  // namespace trainwright::layout
