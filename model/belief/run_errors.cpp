// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/run_errors.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainwright::belief {

namespace {

ErrorSummary summaryOf(const std::vector<const RunError*>& rows) {
    std::vector<double> errors;
    for (const RunError* r : rows) {
        if (r->isCompared()) errors.push_back(r->error());
    }
    const auto skipped = static_cast<int>(rows.size() - errors.size());
    return summarize(std::move(errors), skipped);
}

std::map<std::string, ErrorSummary> grouped(const std::vector<RunError>& rows,
                                            std::string RunError::*key) {
    std::map<std::string, std::vector<const RunError*>> groups;
    for (const RunError& r : rows) groups[r.*key].push_back(&r);
    std::map<std::string, ErrorSummary> summaries;
    for (const auto& [name, members] : groups) summaries[name] = summaryOf(members);
    return summaries;
}

ChoiceSummary choiceAmong(const std::vector<RunError>& rows) {
    std::map<std::string, std::vector<const RunError*>> jobs;
    for (const RunError& r : rows)
        if (r.isCompared() && !r.job.empty()) jobs[r.job].push_back(&r);
    ChoiceSummary s;
    for (const auto& [name, runs] : jobs) {
        std::set<std::string> layouts;
        for (const RunError* r : runs) layouts.insert(r->layout);
        if (layouts.size() < 2) continue;
        const auto fastest = [&runs](double RunError::*seconds) {
            return *std::min_element(runs.begin(), runs.end(),
                                     [&](const RunError* a, const RunError* b) {
                                         return a->*seconds < b->*seconds;
                                     });
        };
        const RunError* chosen = fastest(&RunError::predictedSeconds);
        const RunError* best = fastest(&RunError::measuredSeconds);
        const double lost = chosen->measuredSeconds / best->measuredSeconds - 1.0;
        s.jobs.push_back({chosen->id, best->id, static_cast<int>(layouts.size()), lost});
        if (lost <= ChoiceSummary::kGoodEnough) ++s.goodEnough;
        s.meanLost += lost;
    }
    if (!s.jobs.empty()) s.meanLost /= static_cast<double>(s.jobs.size());
    std::stable_sort(s.jobs.begin(), s.jobs.end(),
                     [](const auto& a, const auto& b) { return a.lost > b.lost; });
    return s;
}

}  // namespace

std::optional<double> RunError::memoryError() const {
    if (!predictedMemoryBytes || !measuredMemoryBytes) return std::nullopt;
    return *predictedMemoryBytes / *measuredMemoryBytes - 1.0;
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

void summarize(RunErrors& errors) {
    std::vector<const RunError*> all;
    std::vector<double> memory;
    for (const RunError& r : errors.rows) {
        all.push_back(&r);
        if (const auto e = r.memoryError()) memory.push_back(*e);
    }
    errors.summary = summaryOf(all);
    errors.memory = summarize(std::move(memory), 0);
    errors.byAccelerator = grouped(errors.rows, &RunError::accelerator);
    errors.bySource = grouped(errors.rows, &RunError::source);
    errors.choice = choiceAmong(errors.rows);
}

}  // namespace trainwright::belief
