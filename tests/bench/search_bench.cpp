// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts a second of the whole search on one core, and the latency of one cold estimate.
#include <benchmark/benchmark.h>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/search.h"
#include "tests/model/layout/problems.h"

namespace trainwright {
namespace {

layout::StepProblem gpt3OnA100() {
    layout::StepProblem p = layout::testing::problem(
        workload::testing::gpt("gpt3-175b", 96, 12288, 96), 4096, 2048, 1536);
    p.profile.selectiveGroups = {"norm", "mlp_activation"};
    return p;
}

layout::StepProblem llamaOnTrainium2() {
    layout::StepProblem p =
        layout::testing::problem(workload::testing::llama31_405b(), 16384, 8192, 2048);
    p.cluster = {layout::testing::trn2Server(), 16384};
    p.profile = layout::testing::neuronProfile();
    p.profile.contextAllowed = true;
    p.profile.selectiveGroups = {"norm", "mlp_activation"};
    return p;
}

void search(benchmark::State& state, const layout::StepProblem& problem) {
    const network::Network net(problem.cluster.system, problem.cluster.chips,
                               layout::ranksPerChip(problem.profile, problem.cluster.system.chip));
    search::SearchOptions options;
    options.exhaustive = true;
    long evaluated = 0;
    for (auto _ : state) {
        const search::SearchOutcome found = search::searchLayouts(problem, {}, net, options);
        evaluated += found.statistics.layoutsEvaluated;
        benchmark::DoNotOptimize(found.bestTime);
    }
    state.counters["layouts/s"] =
        benchmark::Counter(static_cast<double>(evaluated), benchmark::Counter::kIsRate);
}

void coldEstimate(benchmark::State& state, const layout::StepProblem& problem,
                  const layout::Layout& layout) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(layout::evaluateStep(problem, layout, false).stepTime);
    }
}

void gpt3Search(benchmark::State& state) {
    search(state, gpt3OnA100());
}
void llamaSearch(benchmark::State& state) {
    search(state, llamaOnTrainium2());
}
void gpt3Estimate(benchmark::State& state) {
    coldEstimate(state, gpt3OnA100(), layout::testing::layoutOf(8, 16, 32, 1, 48));
}
void llamaEstimate(benchmark::State& state) {
    coldEstimate(state, llamaOnTrainium2(), layout::testing::layoutOf(32, 8, 256, 1, 8));
}

BENCHMARK(gpt3Search)->Unit(benchmark::kMillisecond);
BENCHMARK(llamaSearch)->Unit(benchmark::kMillisecond);
BENCHMARK(gpt3Estimate)->Unit(benchmark::kMicrosecond);
BENCHMARK(llamaEstimate)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace trainwright
