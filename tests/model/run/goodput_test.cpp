// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include "model/run/run.h"

namespace trainwright::run {
namespace {

using units::PerSecond;
using units::Seconds;

constexpr double kInfinity = std::numeric_limits<double>::infinity();

PerSecond jobRate(long chips, double perChipHour) {
    return PerSecond(static_cast<double>(chips) * perChipHour / units::kSecondsPerHour);
}

double linearShare(PerSecond rate, Seconds interval, Seconds stall, Seconds restart) {
    return 1 - stall / interval - rate * (interval / 2.0 + restart);
}

// Hand-worked from the rate of Llama 3 405B (419 stops in 54 days on 16,384 GPUs, which reports
// more than 0.90) and the rate assumed for Trainium; the linear form is 1 − d/T − (T/2 + R)/M.
TEST(Goodput, AgreesWithTheHandWorkedTable) {
    struct Case {
        const char* job;
        long chips;
        double perChipHour;
        double stall, restart;  // s
        double mtbi;            // h
        double young;           // s, sqrt(2·d·M)
        double share, linear;
    };
    const Case cases[] = {
        {"16,384 H100, R 20 min", 16384, 1.97e-5, 10, 1200, 3.1, 472, 0.86, 0.85},
        {"16,384 H100, R 10 min", 16384, 1.97e-5, 10, 600, 3.1, 472, 0.91, 0.90},
        {"1,024 H100", 1024, 1.97e-5, 10, 1200, 49.6, 1889, 0.98, 0.98},
        {"4,096 Trainium, R 10 min", 4096, 1.4e-5, 10, 600, 17.4, 1121, 0.97, 0.97},
        {"4,096 Trainium, d 60 s, R 25 min", 4096, 1.4e-5, 60, 1500, 17.4, 2745, 0.93, 0.93},
        {"500,000 Trainium, d 1 s, R 2 min", 500000, 1.4e-5, 1, 120, 0.14, 32, 0.74, 0.70},
    };
    for (const Case& c : cases) {
        SCOPED_TRACE(c.job);
        const PerSecond rate = jobRate(c.chips, c.perChipHour);
        const Seconds stall(c.stall), restart(c.restart);
        const Seconds young(std::sqrt(2 * c.stall / rate.value()));
        EXPECT_NEAR(units::inHours(1.0 / rate), c.mtbi, 0.05);
        EXPECT_NEAR(young.value(), c.young, 0.5);
        EXPECT_NEAR(goodputShare(rate, young, stall, restart), c.share, 0.005);
        EXPECT_NEAR(linearShare(rate, young, stall, restart), c.linear, 0.005);
        const Seconds best = bestInterval(rate, stall, restart, Seconds(0));
        EXPECT_NEAR(best.value() / young.value(), 1, 0.05);
        EXPECT_NEAR(goodputShare(rate, best, stall, restart), c.share, 0.005);

        Operations o;
        o.checkpointBytesPerParameter = 14;
        o.interruptionsPerChipHour = c.perChipHour;
        o.restartTime = restart;
        const double parameters = 405e9;
        o.checkpointBandwidth =
            units::BytesPerSecond(parameters * o.checkpointBytesPerParameter / c.stall);
        const Goodput g = goodput(o, c.chips, parameters);
        EXPECT_NEAR(g.share, c.share, 0.005);
        EXPECT_DOUBLE_EQ(g.checkpointStall.value(), c.stall);
        EXPECT_DOUBLE_EQ(g.checkpointInterval.value(), best.value());
        EXPECT_NEAR(units::inHours(g.meanTimeBetweenInterruptions), c.mtbi, 0.05);
    }
}

TEST(Goodput, LimitsAreExact) {
    const Seconds hour(3600), minute(60), none(0);
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(0), hour, minute, hour), 60.0 / 61.0);
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(0), Seconds(kInfinity), minute, hour), 1);
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(0), none, none, hour), 1);
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(1e-4), none, none, hour), std::exp(-0.36));
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(1e-4), Seconds(kInfinity), minute, none), 0);
    EXPECT_DOUBLE_EQ(goodputShare(PerSecond(1e-4), hour, Seconds(kInfinity), none), 0);
    EXPECT_EQ(bestInterval(PerSecond(0), minute, hour, none).value(), kInfinity);
    EXPECT_DOUBLE_EQ(bestInterval(PerSecond(1e-4), none, hour, minute).value(), 60);
    // A stall that no job survives: the best that can be done is to work for one mean time.
    EXPECT_DOUBLE_EQ(bestInterval(PerSecond(0.5), Seconds(1e20), none, none).value(), 2);
}

// Rates from one stop in three thousand million years to a thousand a second, stalls and restarts
// from nanoseconds to years.
TEST(Goodput, StaysInRangeAndBestAtEveryScale) {
    const unsigned seed = 20261201;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> rateExponent(-17, 3), timeExponent(-9, 8);
    for (int i = 0; i < 20000; ++i) {
        const PerSecond rate(std::pow(10, rateExponent(random)));
        const Seconds stall(std::pow(10, timeExponent(random)));
        const Seconds restart(std::pow(10, timeExponent(random)));
        SCOPED_TRACE(testing::Message()
                     << "seed " << seed << " case " << i << " rate " << rate.value() << " stall "
                     << stall.value() << " restart " << restart.value());
        const Seconds best = bestInterval(rate, stall, restart, Seconds(0));
        ASSERT_TRUE(std::isfinite(best.value()) && best.value() > 0);
        // The condition of the optimum: rate·T = 1 − exp(−rate·(T + d)). Below a ten-thousandth
        // of the mean time between stops its series is Young's formula and one term more.
        const double y = rate * best, a = rate * stall;
        if (y > 1e-4) {
            ASSERT_NEAR(y / -std::expm1(-(y + a)), 1, 1e-9);
        } else {
            ASSERT_NEAR(y / (std::sqrt(2 * a) * (1 - std::sqrt(2 * a) / 3)), 1, 1e-8);
        }
        const double share = goodputShare(rate, best, stall, Seconds(0));
        ASSERT_GE(share, 0);
        ASSERT_LE(share, 1);
        if (a < 500) {
            ASSERT_GT(share, 0);
        }
        for (const double factor : {0.5, 0.9, 1.1, 2.0}) {
            ASSERT_LE(goodputShare(rate, best * factor, stall, Seconds(0)), share * (1 + 1e-14));
        }
        const double restarted = goodputShare(rate, best, stall, restart);
        ASSERT_GE(restarted, 0);
        ASSERT_LE(restarted, share);
    }
}

TEST(Goodput, BestIntervalAgreesWithASearchThatKnowsNoFormula) {
    for (const double a : {1e-8, 1e-4, 0.01, 0.3, 1.0, 2.0, 5.0}) {
        const PerSecond rate(1e-4);
        const Seconds stall(a / rate.value());
        double low = std::log(1e-6 / rate.value()), high = std::log(10 / rate.value());
        for (int step = 0; step < 200; ++step) {
            const double left = low + (high - low) / 3, right = high - (high - low) / 3;
            const bool keepLow = goodputShare(rate, Seconds(std::exp(left)), stall, Seconds(0)) >
                                 goodputShare(rate, Seconds(std::exp(right)), stall, Seconds(0));
            (keepLow ? high : low) = keepLow ? right : left;
        }
        // At its flat top a function shows its maximum to about the root of the precision.
        EXPECT_NEAR(bestInterval(rate, stall, Seconds(0), Seconds(0)).value() / std::exp(low), 1,
                    2e-4)
            << "stall of " << a << " mean times between stops";
    }
}

TEST(Goodput, FallsWithRateStallAndRestart) {
    const unsigned seed = 7;
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (int i = 0; i < 5000; ++i) {
        Operations o;
        o.checkpointBytesPerParameter = 14;
        o.interruptionsPerChipHour = std::pow(10, -7 + 4 * unit(random));
        o.restartTime = Seconds(std::pow(10, 4 * unit(random)));
        o.checkpointBandwidth = units::BytesPerSecond(std::pow(10, 9 + 4 * unit(random)));
        o.asynchronousCheckpoints = unit(random) < 0.5;
        o.asynchronousStall = Seconds(10 * unit(random));
        const long chips = 1 + static_cast<long>(std::pow(10, 5 * unit(random)));
        const double parameters = std::pow(10, 9 + 3 * unit(random));
        const double growth = 1 + unit(random);
        SCOPED_TRACE(testing::Message() << "seed " << seed << " case " << i);
        const Goodput g = goodput(o, chips, parameters);
        ASSERT_GE(g.share, 0);
        ASSERT_LE(g.share, 1);
        ASSERT_GE(g.checkpointShare, 0);
        ASSERT_GE(g.reworkShare, 0);
        ASSERT_GE(g.restartShare, 0);
        ASSERT_NEAR(g.share + g.checkpointShare + g.reworkShare + g.restartShare, 1, 1e-12);
        ASSERT_GE(g.checkpointInterval, g.checkpointWrite);

        const double limit = g.share * (1 + 1e-12);
        Operations worse = o;
        worse.interruptionsPerChipHour *= growth;
        ASSERT_LE(goodput(worse, chips, parameters).share, limit);
        worse = o;
        worse.restartTime *= growth;
        ASSERT_LE(goodput(worse, chips, parameters).share, limit);
        worse = o;
        worse.checkpointBandwidth = o.checkpointBandwidth / growth;
        ASSERT_LE(goodput(worse, chips, parameters).share, limit);
        worse = o;
        worse.asynchronousStall *= growth;
        ASSERT_LE(goodput(worse, chips, parameters).share, limit);
        ASSERT_LE(goodput(o, chips * 2, parameters).share, limit);
        ASSERT_LE(goodput(o, chips, parameters * growth).share, limit);
        // How many chips a stop takes out changes what must be replaced, not how often it stops.
        worse = o;
        worse.chipsLostPerInterruption = 64;
        ASSERT_EQ(goodput(worse, chips, parameters).share, g.share);
    }
}

TEST(Goodput, AnAsynchronousWriteIsAFloorForTheInterval) {
    Operations o;
    o.checkpointBytesPerParameter = 14;
    o.interruptionsPerChipHour = 2e-5;
    o.restartTime = Seconds(600);
    o.asynchronousCheckpoints = true;
    o.asynchronousStall = Seconds(1);
    const double parameters = 405e9;
    o.checkpointBandwidth = units::BytesPerSecond(2e12);  // 5.67 TB: 2.8 s
    const Goodput fast = goodput(o, 16384, parameters);
    EXPECT_NEAR(fast.checkpointInterval.value(), 148, 0.5);  // about sqrt(2·d·M), M = 10,986 s
    EXPECT_NEAR(fast.checkpointWrite.value(), 2.835, 1e-9);
    o.checkpointBandwidth = units::BytesPerSecond(10e9);  // 567 s
    const Goodput slow = goodput(o, 16384, parameters);
    EXPECT_DOUBLE_EQ(slow.checkpointInterval.value(), 567);
    EXPECT_DOUBLE_EQ(slow.checkpointStall.value(), 1);
    // A stop also costs the write that it cuts short: exp(−567/10,986) beside the shorter
    // interval's share.
    EXPECT_DOUBLE_EQ(slow.share, goodputShare(jobRate(16384, 2e-5), Seconds(567), Seconds(1),
                                              Seconds(600 + 567)));
    EXPECT_LT(slow.share, fast.share - 0.05);
}

TEST(Goodput, WithoutInterruptionsNothingIsLost) {
    Operations o;
    o.checkpointBytesPerParameter = 14;
    o.checkpointBandwidth = units::BytesPerSecond(1e9);
    const Goodput g = goodput(o, 64, 1e9);
    EXPECT_EQ(g.share, 1);
    EXPECT_EQ(g.checkpointShare + g.reworkShare + g.restartShare, 0);
    EXPECT_EQ(g.meanTimeBetweenInterruptions.value(), kInfinity);
    EXPECT_EQ(g.checkpointInterval.value(), kInfinity);
}

// What a job lives through from one stop to the next, event by event: it comes up, works, stalls
// for a checkpoint each interval, and each checkpoint holds once it is written, which goes on
// behind the work. When the next stop comes, what doesn't hold is lost, and the job is down until
// one restart succeeds.
struct Life {
    double wall = 0, down = 0;  // s
    int held = 0;               // checkpoints
};

class Job {
public:
    Job(double rate, const Goodput& g, std::uint64_t seed) : rate_(rate), g_(g), random_(seed) {}

    Life live() {
        Life life;
        const double stop = untilStop();
        double copied = 0;
        for (;;) {
            copied += (g_.checkpointInterval + g_.checkpointStall).value();
            if (copied + g_.checkpointWrite.value() > stop) break;
            ++life.held;
        }
        for (double next = untilStop();; next = untilStop()) {
            life.down += std::min(next, g_.restart.value());
            if (next >= g_.restart.value()) break;
        }
        life.wall = stop + life.down;
        return life;
    }

private:
    double untilStop() {
        // 53 random bits, never 0: the same digits with every standard library.
        const double u = (static_cast<double>(random_() >> 11) + 0.5) / 9007199254740992.0;
        return -std::log(u) / rate_;
    }

    double rate_;
    Goodput g_;
    std::mt19937_64 random_;
};

TEST(Goodput, AgreesWithASimulationOfEvents) {
    struct Case {
        const char* job;
        long chips;
        double perChipHour, bandwidth;  // 1/h, B/s
        bool asynchronous;
        double asynchronousStall, restart;  // s
    };
    const double parameters = 405e9;
    const Case cases[] = {
        {"16,384 H100, 10 s", 16384, 1.97e-5, 567e9, false, 0, 1200},
        {"4,096 Trainium, 60 s", 4096, 1.4e-5, 94.5e9, false, 0, 1500},
        {"500,000 Trainium, 1 s", 500000, 1.4e-5, 5670e9, false, 0, 120},
        {"100,000 chips that hardly get on", 100000, 1e-4, 57.5e9, false, 0, 600},
        {"16,384 H100, written behind", 16384, 1.97e-5, 20e9, true, 3, 600},
        {"65,536 H100, written slowly behind", 65536, 1.97e-5, 10e9, true, 3, 300},
    };
    const std::uint64_t seed = 19560101;
    for (const Case& c : cases) {
        SCOPED_TRACE(testing::Message() << c.job << ", seed " << seed);
        Operations o;
        o.checkpointBytesPerParameter = 14;
        o.interruptionsPerChipHour = c.perChipHour;
        o.restartTime = Seconds(c.restart);
        o.checkpointBandwidth = units::BytesPerSecond(c.bandwidth);
        o.asynchronousCheckpoints = c.asynchronous;
        o.asynchronousStall = Seconds(c.asynchronousStall);
        const Goodput g = goodput(o, c.chips, parameters);
        Job job(jobRate(c.chips, c.perChipHour).value(), g, seed);
        constexpr int kLives = 300000;
        double held = 0, wall = 0, down = 0, residual = 0;
        for (int i = 0; i < kLives; ++i) {
            const Life life = job.live();
            held += life.held;
            wall += life.wall;
            down += life.down;
            const double useful = life.held * g.checkpointInterval.value();
            residual += std::pow(useful - g.share * life.wall, 2);
        }
        // The share is a quotient of two means; its error is that of useful − share·wall (delta
        // method).
        const double share = held * g.checkpointInterval.value() / wall;
        const double error = std::sqrt(residual) / wall;
        EXPECT_LT(error / g.share, 0.005) << "too few events to tell anything";
        EXPECT_NEAR(share, g.share, 3.3 * error);  // 99.9%
        EXPECT_NEAR(down / wall, g.restartShare, 0.01 * g.restartShare);
        EXPECT_NEAR(held * g.checkpointStall.value() / wall, g.checkpointShare,
                    0.01 * g.checkpointShare);
    }
}

}  // namespace
}  // namespace trainwright::run
