// SPDX-License-Identifier: GPL-3.0-or-later
// Layouts a second of the whole search on one core, and the latency of one cold estimate: also of
// one on 64 chips and one on 1,048,576, which must not be far apart.
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

layout::StepProblem deepseekOnH100() {
    layout::StepProblem p =
        layout::testing::problem(workload::testing::deepseekV3(), 2048, 4096, 15360);
    p.profile.unevenLayers = layout::UnevenLayers::GivenEnds;
    p.profile.expertTensor = layout::ExpertTensor::Free;
    p.profile.selectiveGroups = {"norm", "mlp_activation", "latent_up"};
    return p;
}

// As many replicas as the cluster has room for; everything else is the same.
void estimateOn(benchmark::State& state, long chips) {
    const layout::StepProblem p =
        layout::testing::problem(workload::testing::llama3_8b(), chips, 8192, chips / 8);
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            layout::evaluateStep(
                p, layout::testing::layoutOf(8, 1, static_cast<int>(chips / 8), 1, 1), false)
                .stepTime);
    }
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
void deepseekSearch(benchmark::State& state) {
    search(state, deepseekOnH100());
}
void gpt3Estimate(benchmark::State& state) {
    coldEstimate(state, gpt3OnA100(), layout::testing::layoutOf(8, 16, 32, 1, 48));
}
void llamaEstimate(benchmark::State& state) {
    coldEstimate(state, llamaOnTrainium2(), layout::testing::layoutOf(32, 8, 256, 1, 8));
}
void estimateOn64Chips(benchmark::State& state) {
    estimateOn(state, 64);
}
void estimateOn1048576Chips(benchmark::State& state) {
    estimateOn(state, 1048576);
}

BENCHMARK(gpt3Search)->Unit(benchmark::kMillisecond);
BENCHMARK(llamaSearch)->Unit(benchmark::kMillisecond);
BENCHMARK(deepseekSearch)->Unit(benchmark::kMillisecond);
BENCHMARK(gpt3Estimate)->Unit(benchmark::kMicrosecond);
BENCHMARK(llamaEstimate)->Unit(benchmark::kMicrosecond);
BENCHMARK(estimateOn64Chips)->Unit(benchmark::kMicrosecond);
BENCHMARK(estimateOn1048576Chips)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace trainwright
