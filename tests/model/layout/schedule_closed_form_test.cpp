// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/schedule_closed_form.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "model/layout/schedule.h"

namespace trainwright::layout {
namespace {

constexpr unsigned kSeed = 20261202;

struct Case {
    Schedule schedule = Schedule::OneForwardOneBackward;
    int chunks = 1;
    long microBatches = 1;
    double send = 0;
    std::vector<StageRun> runs;

    [[nodiscard]] double closedForm() const {
        return pipelineSeconds(schedule, chunks, microBatches, send, runs);
    }
    [[nodiscard]] double simulated() const {
        PipelineProblem q;
        q.schedule = schedule;
        q.virtualStages = chunks;
        q.microBatches = microBatches;
        q.sendSeconds = send;
        for (const StageRun& r : runs) {
            const auto n = static_cast<std::size_t>(r.count);
            q.forwardSeconds.insert(q.forwardSeconds.end(), n, r.forwardSeconds);
            q.backwardSeconds.insert(q.backwardSeconds.end(), n, r.backwardSeconds);
            q.weightGradientSeconds.insert(q.weightGradientSeconds.end(), n,
                                           r.weightGradientSeconds);
        }
        return simulate(q).seconds;
    }
    [[nodiscard]] std::string text() const {
        std::string s = std::string(name(schedule)) + " v" + std::to_string(chunks) + " m" +
                        std::to_string(microBatches) + " send " + std::to_string(send);
        for (const StageRun& r : runs) {
            s += " [" + std::to_string(r.forwardSeconds) + " " + std::to_string(r.backwardSeconds) +
                 " " + std::to_string(r.weightGradientSeconds) + "]x" + std::to_string(r.count);
        }
        return s;
    }
};

// Placements as they come up, and worse ones: a heavier or lighter first and last stage, two kinds
// of inner stages, a few runs, every stage another time.
class Cases {
public:
    explicit Cases(unsigned seed) : random_(seed) {}

    /// `send`: at most this share of the mean forward and backward pass of a chunk.
    Case draw(Schedule schedule, double send) {
        Case c;
        c.schedule = schedule;
        int p = 0;
        do {
            const bool dual = schedule == Schedule::DualPipe;
            p = dual ? 2 * spread(1, 16) : spread(2, 64);
            c.microBatches = dual ? 2 * spread(p, 256) : spread(1, 512);
            c.chunks = schedule == Schedule::Interleaved ? 1 + below(8) : 1;
            if (c.chunks > 1) {  // whole rounds
                if (below(2) == 0) c.microBatches = std::max<long>(1, c.microBatches / p) * p;
                c.microBatches -= c.microBatches % std::max<long>(1, c.microBatches / p);
            }
        } while (p * c.microBatches * c.chunks > kMostTasks);
        place(c, p);
        double mean = 0;
        for (const StageRun& r : c.runs)
            mean += r.count * (r.forwardSeconds + r.backwardSeconds) / p / c.chunks;
        if (below(3) > 0) c.send = between(0, send) * mean;
        return c;
    }

private:
    static constexpr long kMostTasks = 12000;

    int below(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
    double between(double low, double high) {
        return low + (high - low) * static_cast<double>(random_()) / 4294967296.0;
    }
    // As many small numbers as large ones.
    int spread(int low, int high) {
        const double x = std::exp(between(std::log(low), std::log(high + 1)));
        return std::clamp(static_cast<int>(x), low, high);
    }
    double factor(double by) { return between(1 - by, 1 + by); }

    void place(Case& c, int p) {
        const double forward = between(0.5, 1.5), ratio = between(1.2, 3.2);
        const double weights = between(0.25, 0.5);
        int left = p;
        const auto add = [&](double f, double b, double w, int count) {
            count = std::min(count, left);
            left -= count;
            if (count > 0)
                c.runs.push_back(
                    {forward * f, forward * ratio * b, forward * ratio * b * weights * w, count});
        };
        switch (below(4)) {
            case 0:
            case 1: {
                const double first = std::exp2(between(-1, 1)), last = std::exp2(between(-1, 1));
                const double other = factor(0.3);
                add(first, first * factor(0.15), 1, 1);
                if (p > 3) add(1, 1, 1, 1 + below(p - 2));
                if (left > 1) add(other, other * factor(0.1), 1, left - 1);
                add(last, last * factor(0.15), factor(0.3), 1);
                return;
            }
            case 2:
                while (left > 0) {
                    const double x = factor(0.3);
                    add(x, x * factor(0.1), factor(0.2), 1);
                }
                return;
            default:
                int more = below(5);
                while (left > 0) {
                    const double x = factor(0.3);
                    const int count = more > 0 ? 1 + below(left) : left;
                    add(x, x * factor(0.1), factor(0.1), count);
                    --more;
                }
        }
    }

    std::mt19937 random_;
};

void expectClose(Schedule schedule, int count, double send, double tolerance) {
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    Cases cases(kSeed);
    for (int i = 0; i < count; ++i) {
        const Case c = cases.draw(schedule, send);
        const double exact = c.simulated();
        EXPECT_NEAR(c.closedForm() / exact, 1, tolerance) << c.text() << " simulated " << exact;
    }
}

TEST(PipelineSeconds, IsThatOfTheSimulationWithin1Percent) {
    expectClose(Schedule::GPipe, 300, 0.2, 1e-12);
    expectClose(Schedule::OneForwardOneBackward, 2000, 0, 1e-12);
    expectClose(Schedule::OneForwardOneBackward, 2000, 0.2, 0.01);
    expectClose(Schedule::Interleaved, 1000, 0, 0.002);
    expectClose(Schedule::Interleaved, 1000, 0.2, 0.01);
    expectClose(Schedule::ZeroBubble, 1500, 0, 0.01);
    expectClose(Schedule::ZeroBubble, 1000, 0.1, 0.01);
    expectClose(Schedule::DualPipe, 300, 0.2, 0.01);
}

TEST(PipelineSeconds, StaysNearTheSimulationWithSlowSends) {
    expectClose(Schedule::Interleaved, 500, 1.0, 0.03);
    expectClose(Schedule::ZeroBubble, 500, 0.2, 0.02);
}

// The largest layouts, past the size of the random ones.
TEST(PipelineSeconds, HoldsForLongPipelines) {
    const std::vector<StageRun> runs = {
        {1.3, 2.9, 1.1, 1}, {1.0, 2.1, 0.8, 40}, {1.1, 2.2, 0.9, 22}, {1.5, 2.8, 1.2, 1}};
    for (const auto& [schedule, chunks] :
         {std::pair{Schedule::GPipe, 1}, std::pair{Schedule::OneForwardOneBackward, 1},
          std::pair{Schedule::Interleaved, 4}, std::pair{Schedule::ZeroBubble, 1},
          std::pair{Schedule::DualPipe, 1}}) {
        for (const double send : {0.0, 0.1}) {
            const Case c{schedule, chunks, 512, send, runs};
            EXPECT_NEAR(c.closedForm() / c.simulated(), 1, 0.002) << c.text();
        }
    }
}

TEST(PipelineSeconds, EqualStagesTakeThePublishedTime) {
    const auto equal = [](Schedule s, int p, int v, long m, double w) {
        const std::vector<StageRun> runs = {{1, 2, w, p}};
        return pipelineSeconds(s, v, m, 0, runs);
    };
    EXPECT_DOUBLE_EQ(equal(Schedule::OneForwardOneBackward, 4, 1, 8, 0), 11 * 3.0);
    EXPECT_DOUBLE_EQ(equal(Schedule::GPipe, 4, 1, 8, 0), 11 * 3.0);
    EXPECT_DOUBLE_EQ(equal(Schedule::Interleaved, 16, 2, 64, 0), 64 * 3.0 + 15 * 3.0 / 2);
    EXPECT_DOUBLE_EQ(equal(Schedule::Interleaved, 8, 4, 8, 0), 8 * 3.0 + 7 * 3.0 / 4);
    EXPECT_DOUBLE_EQ(equal(Schedule::ZeroBubble, 8, 1, 32, 1), 32 * 3.0 + 7 * (3.0 - 2));
    EXPECT_DOUBLE_EQ(equal(Schedule::DualPipe, 8, 1, 32, 1), 32 * 3.0 + 3 * (3.0 + 2 - 3));
}

// A heavy first stage works without a gap; what is behind it fits into its waits. A heavy last one
// waits for the first micro-batch and is waited for with the last.
TEST(PipelineSeconds, AHeavyStageSetsThePace) {
    const auto of = [](std::vector<StageRun> runs) {
        return pipelineSeconds(Schedule::OneForwardOneBackward, 1, 32, 0, runs);
    };
    EXPECT_DOUBLE_EQ(of({{2, 4, 0, 1}, {1, 2, 0, 3}}), 32 * 6.0 + 3 * 3 - 3 * 2);
    EXPECT_DOUBLE_EQ(of({{1, 2, 0, 3}, {2, 4, 0, 1}}), 32 * 6.0 + 3 * 3);
}

// Two stages, three micro-batches, a send of 0.5: F0 F1 B1 B0 F0 F1 B1 F1 B1 B0 are waited for.
TEST(PipelineSeconds, EveryHandOverOfARoundCounts) {
    const std::vector<StageRun> runs = {{1, 2, 0, 2}};
    EXPECT_DOUBLE_EQ(pipelineSeconds(Schedule::OneForwardOneBackward, 1, 1, 0.5, runs), 7);
    EXPECT_DOUBLE_EQ(pipelineSeconds(Schedule::OneForwardOneBackward, 1, 3, 0.5, runs), 14);
}

}  // namespace
}  // namespace trainwright::layout
