// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that published runs answer.
#include <algorithm>
#include <cctype>
#include <map>
#include <set>

#include "data/claims/check_kinds.h"
#include "data/runs/run_case.h"
#include "data/runs/validation.h"
#include "model/workload/flops.h"

namespace trainwright::claims {
namespace {

using import::PublishedRun;

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return text;
}

bool holds(const std::vector<std::string>& list, const std::string& item) {
    return std::find(list.begin(), list.end(), item) != list.end();
}

/// Rows of the wanted workload on the wanted chips.
std::vector<const PublishedRun*> rowsOf(const Bench& bench) {
    const std::vector<std::string> chips = bench.parameters.list("chips");
    const std::vector<std::string> workloads = bench.parameters.list("workload");
    std::vector<const PublishedRun*> rows;
    for (const PublishedRun& run : bench.evidence.runs)
        if (holds(workloads, run.workload) &&
            holds(chips, runs::chipOf(run, bench.evidence.catalog)))
            rows.push_back(&run);
    return rows;
}

void citeRun(Part& part, const PublishedRun& run) {
    search::FigureUse use;
    use.source = run.source;
    use.url = run.reference;
    citeSources(part, {use});
}

Measure count(std::size_t n) {
    return measure(static_cast<double>(n), "count");
}

void noRows(const Bench& bench, Part& part) {
    addUnknown(part, {},
               {"Of {1} published runs none is a {2} run on {3}.",
                {count(bench.evidence.runs.size()), words(bench.parameters.text("workload")),
                 words(bench.parameters.text("chips"))}});
}

/// Model FLOPs that a run really did, over the peak that the data sheet prints for BF16: attention
/// as executed, no recompute.
Measure utilization(const PublishedRun& run, const catalog::Catalog& catalog) {
    const runs::RunCase c = runs::prepare(run, catalog);
    if (!c.skipped.empty() || c.measuredStepSeconds <= 0) return {};
    const layout::StepProblem& p = c.problem;
    // Compilers run FP32 matrices in narrower types; which peak that counts against isn't known.
    if (p.training.precision != machine::Dtype::Bf16) return {};
    const double peak =
        p.cluster.system.chip.headlinePeak[static_cast<std::size_t>(p.training.precision)].value();
    if (peak <= 0) return {};
    const double flop =
        3.0 * workload::forwardFlop(p.architecture,
                                    static_cast<double>(p.training.globalBatchSequences),
                                    p.training.sequenceLength)
                  .withCausalAttention();
    return measure(flop / (c.measuredStepSeconds * static_cast<double>(p.cluster.chips) * peak),
                   "fraction");
}

Measure measured(const std::string& what, const PublishedRun& run,
                 const catalog::Catalog& catalog) {
    if (what == "mfu") return utilization(run, catalog);
    if (what == "step_time" && run.stepTimeSeconds) return measure(*run.stepTimeSeconds, "seconds");
    // Whether somebody chose the layout: degrees are in the row.
    if (what == "layout_given")
        return measure(run.tensor || run.pipeline || run.data ? 1 : 0, "count");
    return {};
}

}  // namespace

void checkRuns(const Bench& bench, Part& part) {
    part.dimensions = {"run", "model", "system"};
    const std::vector<const PublishedRun*> rows = rowsOf(bench);
    if (rows.empty()) return noRows(bench, part);
    for (const PublishedRun* run : rows) {
        Case c;
        c.labels = {run->id, run->model, run->system};
        c.found = measured(bench.parameters.text("measure"), *run, bench.evidence.catalog);
        if (c.found.empty()) continue;
        citeRun(part, *run);
        part.cases.push_back(std::move(c));
    }
    if (part.cases.empty()) noRows(bench, part);
}

void checkBenchmark(const Bench& bench, Part& part) {
    part.dimensions = {"model", "run", "against"};
    const std::string benchmark = bench.parameters.text("benchmark");
    const std::string chip = bench.parameters.text("chip");
    const std::vector<std::string> workloads = bench.parameters.list("workload");
    std::vector<const PublishedRun*> own, others;
    std::set<std::string> rounds;
    for (const PublishedRun& run : bench.evidence.runs) {
        if (!holds(workloads, run.workload) ||
            lower(run.source).find(lower(benchmark)) == std::string::npos)
            continue;
        rounds.insert(run.source.substr(0, run.source.find(',')));
        citeRun(part, run);
        (runs::chipOf(run, bench.evidence.catalog) == chip ? own : others).push_back(&run);
    }
    std::string looked;
    for (const std::string& round : rounds) looked += (looked.empty() ? "" : ", ") + round;
    part.lookedAt = looked;
    if (own.empty()) {
        return addUnknown(part, {},
                          {"None of the {1} {2} rows at hand is of {3}; looked at: {4}.",
                           {count(others.size()), words(benchmark), words(chip),
                            words(looked.empty() ? "nothing" : looked)}});
    }
    for (const PublishedRun* run : own) {
        const PublishedRun* best = nullptr;
        for (const PublishedRun* other : others)
            if (other->model == run->model && other->tokensPerSecond &&
                (best == nullptr || *other->tokensPerSecond > *best->tokensPerSecond))
                best = other;
        const std::vector<std::string> labels{run->model, run->id, best ? best->id : ""};
        if (best == nullptr || !run->tokensPerSecond) {
            addUnknown(part, labels,
                       {"No other row of {1} gives tokens a second.", {words(run->model)}});
            continue;
        }
        Case c;
        c.labels = labels;
        c.found = measure(*run->tokensPerSecond / *best->tokensPerSecond, "ratio");
        part.cases.push_back(std::move(c));
    }
}

void checkLayouts(const Bench& bench, Part& part) {
    part.dimensions = {"run", "model"};
    // The same job under another release of the software asks the engine the same.
    std::map<std::string, double> known;
    for (const PublishedRun* run : rowsOf(bench)) {
        const runs::RunCase given = runs::prepare(*run, bench.evidence.catalog);
        if (!given.skipped.empty() || !run->tensor) continue;
        runs::RunCase free = given;
        free.choice = {};
        free.choice.offloadOptimizer = free.choice.offloadActivations = false;
        const runs::ValidatedRun byHand =
            runs::validate({*run, given}, bench.evidence.catalog.calibration().get());
        const runs::ValidatedRun searched =
            runs::validate({*run, free}, bench.evidence.catalog.calibration().get());
        bench.planner.keepAlive();
        if (bench.planner.isStopped()) return;
        if (!byHand.outcome.isCompared() || !searched.outcome.isCompared()) continue;
        const std::string job =
            run->model + "/" + given.problem.profile.id + "/" + layout::shortForm(byHand.layout);
        const double ratio = byHand.outcome.predictedSeconds / searched.outcome.predictedSeconds;
        if (!known.emplace(job, ratio).second) continue;
        Case c;
        c.labels = {run->id, run->model};
        c.found = measure(ratio, "ratio");
        c.notes.push_back(
            {"By hand {1}, searched {2}.",
             {words(layout::shortForm(byHand.layout)), words(layout::shortForm(searched.layout))}});
        citeRun(part, *run);
        part.cases.push_back(std::move(c));
    }
    if (part.cases.empty()) noRows(bench, part);
}

}  // namespace trainwright::claims
