// SPDX-License-Identifier: GPL-3.0-or-later
// Failures played out event by event, beside the expression that the engine uses.
#include <gtest/gtest.h>

#include <cmath>
#include <queue>
#include <random>

#include "model/run/run.h"

namespace trainwright::run {
namespace {

struct Job {
    long chips = 0;
    double failuresPerChipSecond = 0;
    double interval = 0;  // of work between two checkpoints, s
    double stall = 0;     // for which work stands still, s
    double write = 0;     // from then until the checkpoint holds; 0: it holds at once
    double restart = 0;
    double memoryInterval = 0;  // of work between two checkpoints in memory, s; 0: none
    double memoryStall = 0;
    double covered = 0;  // share of stops after which those in memory are still there
    double work = 0;     // of the whole job, s
};

/// The wall time of a job whose chips fail one by one, each after a time of its own. Work goes on
/// while a checkpoint is written; a stop goes back to the last that holds, and a stop during a
/// restart begins it again.
double playedOut(const Job& job, std::mt19937_64& random) {
    std::exponential_distribution<double> life(job.failuresPerChipSecond);
    std::priority_queue<double, std::vector<double>, std::greater<>> failures;
    for (long c = 0; c < job.chips; ++c) failures.push(life(random));
    const auto nextFailure = [&] { return failures.top(); };
    const auto replace = [&] {  // the chip that failed, by a new one
        const double at = failures.top();
        failures.pop();
        failures.push(at + life(random));
    };

    std::uniform_real_distribution<double> chance(0, 1);
    double now = 0;
    double held = 0;                    // work that a checkpoint holds
    double inMemory = 0;                // work that one in memory holds, or `held`
    double nextWritten = job.interval;  // work at which the next one is written out
    while (true) {
        // From the last held checkpoint on, until the job ends or a chip fails.
        double done = std::max(held, inMemory);
        double writing = -1;   // work that the checkpoint under way will hold
        double writtenAt = 0;  // and when
        while (true) {
            const bool hasMemory = job.memoryInterval > 0;
            const double untilMemory = hasMemory ? job.memoryInterval : job.work;
            const double segment =
                std::min({untilMemory, std::max(0.0, nextWritten - done), job.work - done});
            const bool isLast = done + segment >= job.work;
            const bool isWritten = done + segment >= nextWritten;
            const double stall = isLast ? 0 : isWritten ? job.stall : job.memoryStall;
            const double stalled = now + segment + stall;
            if (writing >= 0 && writtenAt <= std::min(stalled, nextFailure())) {
                held = writing;
                writing = -1;
            }
            if (nextFailure() < stalled) {
                now = nextFailure();
                break;
            }
            now = stalled;
            done += segment;
            if (isLast) return now;
            inMemory = hasMemory ? done : 0;
            if (!isWritten) continue;
            nextWritten = done + job.interval;
            if (job.write <= 0) {
                held = done;
            } else {
                writing = done;
                writtenAt = now + job.write;
            }
        }
        const auto lose = [&] {
            if (chance(random) >= job.covered) inMemory = 0;
        };
        lose();
        replace();
        double up = now + job.restart;
        while (nextFailure() < up) {
            now = nextFailure();
            lose();
            replace();
            up = now + job.restart;
        }
        now = up;
        nextWritten = std::max(held, inMemory) + job.interval;
    }
}

struct Estimate {
    double mean = 0, error = 0;  // of the useful share, and its standard error
};

Estimate usefulShare(const Job& job, int repetitions, std::mt19937_64& random) {
    double sum = 0, squares = 0;
    for (int i = 0; i < repetitions; ++i) {
        const double wall = playedOut(job, random);
        sum += wall;
        squares += wall * wall;
    }
    const double mean = sum / repetitions;
    const double deviation = std::sqrt((squares / repetitions - mean * mean) / repetitions);
    return {job.work / mean, job.work / mean * deviation / mean};
}

struct Case {
    const char* job;
    long chips;
    double perChipHour;
    double bytesPerSecond;  // of the storage
    bool asynchronous;
    double restart;  // s
    double covered = 0;
};

class Failures : public testing::TestWithParam<Case> {};

TEST_P(Failures, PlayedOutGiveTheExpressionsShare) {
    const Case& c = GetParam();
    Operations o;
    o.interruptionsPerChipHour = c.perChipHour;
    o.restartTime = units::Seconds(c.restart);
    o.checkpointBandwidth = units::BytesPerSecond(c.bytesPerSecond);
    o.asynchronousCheckpoints = c.asynchronous;
    o.asynchronousStall = units::Seconds(5);
    o.checkpointBytesPerParameter = 14;
    o.memoryCheckpointCovers = c.covered;
    o.memoryCheckpointStall = units::Seconds(2);
    const Goodput g = goodput(o, c.chips, 70e9);

    Job job;
    job.chips = c.chips;
    job.failuresPerChipSecond = c.perChipHour / units::kSecondsPerHour;
    job.interval = g.checkpointInterval.value();
    job.stall = g.checkpointStall.value();
    job.write = g.checkpointWrite.value();
    job.restart = g.restart.value();
    job.memoryInterval = g.memoryCheckpointInterval.value();
    job.memoryStall = o.memoryCheckpointStall.value();
    job.covered = c.covered;
    // Long enough for hundreds of stops and checkpoints, so that its ends don't count.
    job.work = 400 * std::max(job.interval, g.meanTimeBetweenInterruptions.value());
    // The two tiers multiplied are a first order in stops within an interval.
    const double order = c.covered > 0 ? 0.005 : 0;
    std::mt19937_64 random(20261202);
    const Estimate played = usefulShare(job, 60, random);
    constexpr double kOf999In1000 = 3.29;
    EXPECT_NEAR(played.mean, g.share, kOf999In1000 * played.error + order)
        << "interval " << job.interval << " s, stall " << job.stall << " s, write " << job.write
        << " s, stops every " << g.meanTimeBetweenInterruptions.value() << " s";
    EXPECT_LT(played.error, 0.005);
}

INSTANTIATE_TEST_SUITE_P(
    Jobs, Failures,
    testing::Values(Case{"few stops", 256, 2e-5, 50e9, false, 600},
                    Case{"a stop every three hours", 1024, 3.2e-4, 100e9, false, 600},
                    Case{"slow restarts", 1024, 3.2e-4, 100e9, false, 3600},
                    Case{"stops as often as checkpoints take", 4096, 1e-3, 5e9, false, 120},
                    Case{"written behind the work", 1024, 3.2e-4, 100e9, true, 600},
                    Case{"written slowly behind the work", 2048, 4e-4, 5e9, true, 600},
                    Case{"in memory beside storage", 4096, 3.2e-4, 20e9, false, 300, 0.9},
                    Case{"in memory, half of the stops", 1024, 3.2e-4, 20e9, false, 600, 0.5}),
    [](const testing::TestParamInfo<Case>& c) {
        std::string name = c.param.job;
        for (char& letter : name)
            if (letter == ' ' || letter == ',') letter = '_';
        return name;
    });

}  // namespace
}  // namespace trainwright::run
