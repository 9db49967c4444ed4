// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule_closed_form.h"

#include <cmath>

#include "model/layout/pipeline_walk.h"

namespace trainwright::layout {

namespace {

// With no more micro-batches than stages the first stages run all their forward passes before the
// first backward one, and a walk can stay on a stage for more passes than its filling takes. It
// turns at one stage only, the last one that has no pair or a later one.
double fewMicroBatches(double m, double send, Runs runs, double stages) {
    double seconds = 0;
    StageTotals to;
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
    const StageTotals all = totalsOf(runs);
    const PipelineWalk walk{runs, all, send, m, 1, 0, 1, 0};
    const double seconds = walk.longest(all.stages - m + 1);
    return m > all.stages ? seconds : std::max(seconds, fewMicroBatches(m, send, runs, all.stages));
}

double interleaved(double m, double chunks, double send, Runs runs) {
    const StageTotals all = totalsOf(runs);
    const double turns = std::max(1.0, std::floor(m / all.stages));
    const double group = m / turns;
    const double winds = chunks - 1;
    const PipelineWalk walk{runs, all, send * chunks, m * chunks, 2, winds * group, group, winds};
    return (turns > 1 ? walk.longest(0) : walk.apart()) / chunks;
}

}  // namespace

double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches, double sendSeconds,
                       std::span<const StageRun> runs) {
    const double m = static_cast<double>(microBatches);
    switch (schedule) {
        case Schedule::GPipe: {
            const StageTotals all = totalsOf(runs);
            return PipelineWalk{runs, all, sendSeconds, m, 1, 0, 1, 0}.apart();
        }
        case Schedule::OneForwardOneBackward:
            return oneForwardOneBackward(m, sendSeconds, runs);
        case Schedule::Interleaved:
            return interleaved(m, virtualStages, sendSeconds, runs);
        case Schedule::ZeroBubble:
            return zeroBubbleSeconds(m, sendSeconds, runs);
        case Schedule::DualPipe:
            return dualPipeSeconds(microBatches, sendSeconds, runs);
    }
    return 0;
}

}  // namespace trainwright::layout
