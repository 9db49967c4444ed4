// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/validation.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/search.h"

namespace trainwright::runs {

namespace {

std::vector<double> stepErrors(const std::vector<const ValidatedRun*>& rows) {
    std::vector<double> errors;
    for (const ValidatedRun* r : rows) {
        if (r->isCompared()) errors.push_back(r->error());
    }
    return errors;
}

std::map<std::string, ErrorSummary> grouped(
    const std::vector<ValidatedRun>& rows, const std::string& (*key)(const import::PublishedRun&)) {
    std::map<std::string, std::vector<const ValidatedRun*>> groups;
    for (const ValidatedRun& r : rows) groups[key(r.run)].push_back(&r);
    std::map<std::string, ErrorSummary> summaries;
    for (const auto& [name, members] : groups) {
        const std::vector<double> errors = stepErrors(members);
        summaries[name] = summarize(errors, static_cast<int>(members.size() - errors.size()));
    }
    return summaries;
}

}  // namespace

std::optional<double> ValidatedRun::memoryError() const {
    if (!predictedMemoryBytes || !asked.measuredMemoryBytes) return std::nullopt;
    return *predictedMemoryBytes / *asked.measuredMemoryBytes - 1.0;
}

ErrorSummary summarize(std::vector<double> errors, int skipped) {
    ErrorSummary s;
    s.rows = static_cast<int>(errors.size());
    s.skipped = skipped;
    if (errors.empty()) return s;
    const auto n = static_cast<double>(errors.size());
    for (double e : errors) s.meanError += e / n;
    for (double& e : errors) e = std::abs(e);
    for (double e : errors) s.meanAbsolute += e / n;
    std::sort(errors.begin(), errors.end());
    // Quantiles between neighbours, as spreadsheets take them.
    const auto quantile = [&](double share) {
        const double at = share * (n - 1);
        const auto below = static_cast<std::size_t>(at);
        const std::size_t above = std::min(below + 1, errors.size() - 1);
        return errors[below] + (at - static_cast<double>(below)) * (errors[above] - errors[below]);
    };
    s.medianAbsolute = quantile(0.5);
    s.p90Absolute = quantile(0.9);
    return s;
}

ValidatedRun validate(const import::PublishedRun& run, RunCase asked,
                      const belief::Calibration* calibration) {
    ValidatedRun v;
    v.run = run;
    v.asked = std::move(asked);
    v.skipped = v.asked.skipped;
    if (!v.isCompared()) return v;
    layout::StepProblem& problem = v.asked.problem;
    if (calibration != nullptr) {
        v.grade = belief::gradeOf(*calibration, problem.cluster.system.chip, problem.profile);
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
        v.skipped = found.obstacles.front();
        return v;
    }
    v.layout = *layout;
    v.overMemory = !found.best;
    layout::StepEvaluator evaluator(problem, net);
    v.predictedStepSeconds = evaluator.stepTime(v.layout).value();
    if (v.asked.measuredMemoryBytes)
        v.predictedMemoryBytes = evaluator.memory(v.layout).peak.total().value();
    return v;
}

Validation validate(const std::vector<import::PublishedRun>& runs, const catalog::Catalog& catalog,
                    const belief::Calibration* calibration, int threads,
                    const std::function<bool(double)>& progress) {
    Validation out;
    out.rows.resize(runs.size());
    // The catalog serves one thread at a time.
    std::vector<RunCase> cases;
    cases.reserve(runs.size());
    for (const import::PublishedRun& run : runs) cases.push_back(prepare(run, catalog));
    std::atomic<std::size_t> next{0};
    std::atomic<std::size_t> done{0};
    std::atomic<bool> stopped{false};
    const auto work = [&] {
        for (std::size_t i = next++; i < runs.size() && !stopped; i = next++) {
            out.rows[i] = validate(runs[i], std::move(cases[i]), calibration);
            const auto share = static_cast<double>(++done) / static_cast<double>(runs.size());
            if (progress && !progress(share)) stopped = true;
        }
    };
    {
        const unsigned wanted = threads > 0 ? static_cast<unsigned>(threads)
                                            : std::max(1U, std::thread::hardware_concurrency());
        std::vector<std::jthread> pool;
        for (unsigned i = 1; i < wanted && i < runs.size(); ++i) pool.emplace_back(work);
        work();
    }
    out.stopped = stopped;
    if (stopped) std::erase_if(out.rows, [](const ValidatedRun& r) { return r.run.id.empty(); });
    std::vector<const ValidatedRun*> all;
    std::vector<double> memory;
    for (const ValidatedRun& r : out.rows) {
        all.push_back(&r);
        if (const auto e = r.memoryError()) memory.push_back(*e);
    }
    const std::vector<double> errors = stepErrors(all);
    out.summary = summarize(errors, static_cast<int>(all.size() - errors.size()));
    out.memory = summarize(memory, 0);
    out.byAccelerator = grouped(out.rows, [](const import::PublishedRun& r) -> const std::string& {
        return r.accelerator;
    });
    out.bySource = grouped(
        out.rows, [](const import::PublishedRun& r) -> const std::string& { return r.source; });
    return out;
}

}  // namespace trainwright::runs
