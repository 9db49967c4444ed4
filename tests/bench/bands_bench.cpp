// SPDX-License-Identifier: GPL-3.0-or-later
// Samples a second of a candidate's bands on one core, and what 4,096 of them and the tornado take:
// with a calibration of five factors, two of which ask for a network of their own.
#include <benchmark/benchmark.h>

#include "tests/model/belief/band_fixture.h"

namespace trainwright::belief {
namespace {

void bands(benchmark::State& state) {
    const testing::KnownRun known;
    const Calibration calibration = testing::fiveFactors(0.06, 0.3);
    BandQuestion question = known.question(&calibration);
    question.step.modelError = 0.08;
    question.step.sampling.samples = static_cast<int>(state.range(0));
    question.spread.interruptionRate = {0.4, 0.4};
    question.spread.restartTime = {1.2, 0.5};
    question.spread.price = {0.46, 0.46};
    question.spread.acceleratorPower = {0.2, 0.2};
    for (auto _ : state) benchmark::DoNotOptimize(bandsOf(question)->days);
    state.counters["samples/s"] = benchmark::Counter(
        static_cast<double>(state.iterations() * state.range(0)), benchmark::Counter::kIsRate);
}

BENCHMARK(bands)->Arg(4096)->Arg(65536)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace trainwright::belief
