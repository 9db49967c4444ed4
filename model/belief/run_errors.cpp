// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/run_errors.h"

#include <algorithm>
#include <cmath>

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
}

}  // namespace trainwright::belief
