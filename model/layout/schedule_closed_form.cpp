// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule_closed_form.h"

#include <algorithm>

namespace trainwright::layout {

namespace {

struct Totals {
    double stages = 0;
    double forward = 0, backward = 0;  // of all stages
    double slowestForward = 0, slowestBackward = 0, slowest = 0;
};

Totals totalsOf(std::span<const StageRun> runs) {
    Totals t;
    for (const StageRun& r : runs) {
        t.stages += r.count;
        t.forward += r.count * r.forwardSeconds;
        t.backward += r.count * r.backwardSeconds;
        t.slowestForward = std::max(t.slowestForward, r.forwardSeconds);
        t.slowestBackward = std::max(t.slowestBackward, r.backwardSeconds);
        t.slowest = std::max(t.slowest, r.forwardSeconds + r.backwardSeconds);
    }
    return t;
}

// Some stage k works without a gap once it is filled: it waits for the forward and backward passes
// before it, and what the stages after it take (`after`) can leave it idle after its first forward
// passes and before its last backward ones.
double oneForwardOneBackward(double m, double send, std::span<const StageRun> runs) {
    const Totals t = totalsOf(runs);
    const double all = t.forward + t.backward + 2 * (t.stages - 1) * send;
    const double steady = 2 * send * (m - 1) * (1 - 1 / t.stages);
    double longest = all;
    double before = 0;
    double first = 0;
    for (const StageRun& r : runs) {
        const double one = r.forwardSeconds + r.backwardSeconds;
        for (const double i : {0.0, static_cast<double>(r.count - 1)}) {
            const double reached = before + i * (one + 2 * send);
            const double after = all - reached - one;
            const double ahead = t.stages - first - i;
            double idle = std::max(0.0, r.forwardSeconds + after - ahead * r.forwardSeconds);
            if (m > ahead) idle += std::max(0.0, after - (ahead - 1) * r.backwardSeconds);
            longest = std::max(longest, reached + m * one + idle);
        }
        before += r.count * (one + 2 * send);
        first += r.count;
    }
    return longest + steady;
}

}  // namespace

double pipelineSeconds(Schedule schedule, int virtualStages, long microBatches, double sendSeconds,
                       std::span<const StageRun> runs) {
    const double m = static_cast<double>(microBatches);
    const Totals t = totalsOf(runs);
    switch (schedule) {
        case Schedule::GPipe:
            return t.forward + t.backward + (m - 1) * (t.slowestForward + t.slowestBackward) +
                   2 * (t.stages - 1) * sendSeconds;
        case Schedule::OneForwardOneBackward:
            return oneForwardOneBackward(m, sendSeconds, runs);
        case Schedule::Interleaved:
            return m * t.slowest + (t.forward + t.backward - t.slowest) / virtualStages +
                   2 * (t.stages - 1) * sendSeconds;
        case Schedule::ZeroBubble: {
            double weights = 0;
            for (const StageRun& r : runs) weights += r.count * r.weightGradientSeconds;
            return m * t.slowest +
                   (t.forward + t.backward - 2 * weights) * (t.stages - 1) / t.stages +
                   2 * (t.stages - 1) * sendSeconds;
        }
        case Schedule::DualPipe: {
            double weights = 0;
            for (const StageRun& r : runs) weights += r.count * r.weightGradientSeconds;
            return m * t.slowest +
                   (t.forward + 2 * t.backward - 3 * weights) * (t.stages / 2 - 1) / t.stages +
                   2 * (t.stages - 1) * sendSeconds;
        }
    }
    return 0;
}

}  // namespace trainwright::layout
