// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "model/run/run.h"

namespace trainwright::run {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// z + exp(−z) − 1, without the cancellation that takes every digit of it at small z.
double expectedLoss(double z) {
    if (z >= 1) return z + std::expm1(-z);
    double term = z * z / 2;
    double sum = 0;
    for (int k = 3; sum + term != sum; ++k) {
        sum += term;
        term *= -z / k;
    }
    return sum;
}

/// The root z of expectedLoss(z) = a: the best interval and its stall, in units of the mean time
/// between interruptions, for a stall of a in the same unit.
double bestSegment(double a) {
    if (a <= 0) return 0;
    double low = std::max(a, std::sqrt(2 * a));  // expectedLoss(z) is below both z and z²/2
    double high = a + 1;
    // Daly's estimate (2006, equation 37): sqrt(2 d M)·(1 + sqrt(d/2M)/3 + (d/2M)/9) up to d = 2M,
    // else M + d.
    double z = a < 2 ? std::sqrt(2 * a) * (1 + std::sqrt(a / 2) / 3 + a / 18) : a + 1;
    z = std::clamp(z, low, high);
    // Newton's steps, which the curve's convexity makes converge in a few; a step that leaves the
    // bracket halves it.
    constexpr int kMaxSteps = 200;
    for (int step = 0; step < kMaxSteps; ++step) {
        const double excess = expectedLoss(z) - a;
        if (excess == 0) break;
        (excess > 0 ? high : low) = z;
        double next = z + excess / std::expm1(-z);
        if (!(next >= low && next <= high)) next = low + (high - low) / 2;
        if (next == z) break;
        const bool settled = std::abs(next - z) <= std::numeric_limits<double>::epsilon() * z;
        z = next;
        if (settled) break;
    }
    return z;
}

/// Puts a first tier under `g`, whose intervals and shares count the time of that tier as work.
void addMemoryTier(Goodput& g, const Operations& operations, units::PerSecond rate) {
    const units::Seconds stall = operations.memoryCheckpointStall;
    const units::Seconds interval = bestInterval(rate, stall, g.restart, units::Seconds(0));
    const double share = goodputShare(rate, interval, stall, g.restart);
    const double overlying = g.share;
    g.memoryCheckpointInterval = std::isinf(interval.value()) ? units::Seconds(0) : interval;
    if (share > 0 && interval.value() > 0 && !std::isinf(interval.value()))
        g.checkpointShare += overlying * share * (stall / interval);
    g.restartShare += overlying * -std::expm1(-(rate * g.restart));
    g.share = overlying * share;
    g.checkpointInterval = g.checkpointInterval * share;
}

}  // namespace

double goodputShare(units::PerSecond rate, units::Seconds interval, units::Seconds stall,
                    units::Seconds restart) {
    const double lambda = rate.value();
    const double work = interval.value();
    const double segment = work + stall.value();
    assert(lambda >= 0 && work >= 0 && stall.value() >= 0 && restart.value() >= 0);
    if (std::isinf(segment))
        return std::isinf(work) && lambda == 0 && !std::isinf(stall.value()) ? 1 : 0;
    if (lambda == 0) return segment == 0 ? 1 : work / segment;
    const double survival = std::exp(-lambda * restart.value());
    const double x = lambda * segment;
    if (x == 0) return segment == 0 ? survival : survival * (work / segment);
    // Both exponentials on the side where they shrink, so that nothing overflows.
    const double share = survival * (lambda * work) * (std::exp(-x) / -std::expm1(-x));
    return std::clamp(share, 0.0, 1.0);
}

units::Seconds bestInterval(units::PerSecond rate, units::Seconds stall, units::Seconds,
                            units::Seconds floor) {
    const double lambda = rate.value();
    if (lambda <= 0) return units::Seconds(kInfinity);
    // The optimum satisfies lambda·T = 1 − exp(−lambda·(T + d)); taking T from this side keeps its
    // digits where the stall is many times the mean time between interruptions.
    const double segment = bestSegment(lambda * stall.value());
    return std::max(units::Seconds(-std::expm1(-segment) / lambda), floor);
}

Goodput goodput(const Operations& operations, long chips, double parameters) {
    assert(chips > 0 && parameters >= 0);
    const units::PerSecond stops(static_cast<double>(chips) * operations.interruptionsPerChipHour /
                                 units::kSecondsPerHour);
    const double covered = operations.memoryCheckpointCovers;
    const units::PerSecond rate = stops * (1 - covered);
    const units::Bytes bytes(parameters * operations.checkpointBytesPerParameter);
    const units::Seconds write = operations.checkpointBandwidth.value() > 0
                                     ? bytes / operations.checkpointBandwidth
                                     : units::Seconds(0);
    Goodput g;
    g.restart = operations.restartTime;
    g.meanTimeBetweenInterruptions = stops.value() > 0 ? 1.0 / stops : units::Seconds(kInfinity);
    g.checkpointStall = operations.asynchronousCheckpoints ? operations.asynchronousStall : write;
    g.checkpointWrite = operations.asynchronousCheckpoints ? write : units::Seconds(0);
    const units::Seconds down = g.restart + g.checkpointWrite;
    g.checkpointInterval = bestInterval(rate, g.checkpointStall, down, g.checkpointWrite);
    g.share = goodputShare(rate, g.checkpointInterval, g.checkpointStall, down);
    if (g.share > 0 && g.checkpointInterval.value() > 0 &&
        !std::isinf(g.checkpointInterval.value())) {
        g.checkpointShare = g.share * (g.checkpointStall / g.checkpointInterval);
    }
    // A stop while at work opens a spell of restarts of mean (exp(rate·R) − 1) / rate, further
    // stops included; against the rate of stops that is this share of all time, whatever the
    // interval.
    g.restartShare = rate.value() > 0 ? -std::expm1(-(rate * g.restart)) : 0;
    if (covered > 0) addMemoryTier(g, operations, stops * covered);
    if (operations.plannedPauseEvery.value() > 0) {
        g.plannedShare = operations.plannedPause / operations.plannedPauseEvery;
        for (double* share : {&g.share, &g.checkpointShare, &g.restartShare})
            *share *= 1 - g.plannedShare;
    }
    g.reworkShare =
        std::max(0.0, 1 - g.share - g.checkpointShare - g.restartShare - g.plannedShare);
    return g;
}

}  // namespace trainwright::run
