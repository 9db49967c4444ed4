// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/validation.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/search.h"

namespace trainwright::runs {
namespace {

/// Everything that a row says of its run but the layout and what was measured.
std::string jobOf(const import::PublishedRun& run) {
    std::string job;
    for (const std::string* words : {&run.source, &run.model, &run.accelerator, &run.system,
                                     &run.dtype, &run.attention, &run.framework})
        job += *words + '|';
    for (const std::optional<double> number :
         {run.parametersBillion, run.layers, run.hidden, run.heads, run.keyValueHeads, run.ffn,
          run.vocabulary, run.sequenceLength, run.experts, run.expertsActive, run.accelerators,
          run.globalBatch})
        job += (number ? fmt::format("{}", *number) : "") + '|';
    return job;
}

}  // namespace

ValidatedRun validate(const PreparedRun& prepared, const belief::Calibration* calibration) {
    ValidatedRun v;
    v.run = prepared.run;
    v.asked = prepared.asked;
    const import::PublishedRun& run = v.run;
    belief::RunError& out = v.outcome;
    out.id = run.id;
    out.source = run.source;
    out.accelerator = run.accelerator;
    out.model = run.model;
    out.job = jobOf(run);
    out.skipped = v.asked.skipped;
    if (!out.isCompared()) return v;
    layout::StepProblem& problem = v.asked.problem;
    out.family = problem.cluster.system.chip.family;
    out.software = problem.profile.id;
    out.metric = v.asked.metric;
    out.measuredSeconds = v.asked.measuredStepSeconds;
    out.measuredMemoryBytes = v.asked.measuredMemoryBytes;
    if (calibration != nullptr) {
        out.grade = belief::gradeOf(*calibration, problem.cluster.system.chip, problem.profile);
        belief::apply(*calibration, problem.cluster.system, problem.profile);
    }
    const network::Network net(problem.cluster.system, problem.cluster.chips,
                               layout::ranksPerChip(problem.profile, problem.cluster.system.chip));
    search::SearchOptions options;
    options.advise = false;
    const search::SearchOutcome found =
        search::searchLayouts(problem, v.asked.choice, net, options);
    // The run happened, so it fitted: where the memory model says otherwise, the fastest layout
    // counts.
    std::optional<layout::Layout> layout = found.best;
    if (!layout && !found.alternatives.empty()) layout = found.alternatives.front().layout;
    if (!layout) layout = found.smallest;
    if (!layout) {
        out.skipped = found.obstacles.front();
        return v;
    }
    v.layout = *layout;
    out.layout = layout::shortForm(v.layout);
    out.overMemory = !found.best;
    layout::StepEvaluator evaluator(problem, net);
    out.predictedSeconds = evaluator.stepTime(v.layout).value();
    if (out.measuredMemoryBytes)
        out.predictedMemoryBytes = evaluator.memory(v.layout).peak.total().value();
    return v;
}

std::vector<ValidatedRun> validate(const std::vector<PreparedRun>& runs,
                                   const belief::Calibration* calibration, int threads,
                                   const std::function<bool(double)>& progress) {
    std::vector<ValidatedRun> rows(runs.size());
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::atomic<bool> stopped{false};
    const auto work = [&] {
        for (std::size_t i = next++; i < runs.size() && !stopped; i = next++) {
            rows[i] = validate(runs[i], calibration);
            const auto share = static_cast<double>(++done) / static_cast<double>(runs.size());
            if (progress && !progress(share)) stopped = true;
        }
    };
    const unsigned wanted = threads > 0 ? static_cast<unsigned>(threads)
                                        : std::max(1U, std::thread::hardware_concurrency());
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < wanted && i < runs.size(); ++i) pool.emplace_back(work);
    work();
    pool.clear();
    return rows;
}

belief::RunErrors errorsOf(const std::vector<ValidatedRun>& runs) {
    belief::RunErrors errors;
    for (const ValidatedRun& r : runs) {
        if (r.outcome.id.empty()) {
            errors.stopped = true;
        } else {
            errors.rows.push_back(r.outcome);
        }
    }
    belief::summarize(errors);
    return errors;
}

}  // namespace trainwright::runs
