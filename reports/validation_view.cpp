// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/validation_view.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/number_format.h"

namespace trainwright::reports {

using belief::RunError;
using belief::RunErrors;

std::string errorText(double share) {
    return fixed(100 * share, 1) + "%";
}

std::string signedErrorText(double share) {
    return (share < 0 ? "−" : "+") + errorText(std::abs(share));
}

std::string factorText(const belief::Factor& factor) {
    return "×" + fixed(std::exp(factor.logFactor), 3);
}

std::string figureName(belief::Physics physics) {
    std::string name = belief::name(physics);
    std::replace(name.begin(), name.end(), '_', ' ');
    return name;
}

std::string bothEnds(const std::string& name) {
    constexpr std::size_t kHead = 22, kTail = 16;
    if (name.size() <= kHead + kTail + 1) return name;
    const auto isInside = [&](std::size_t at) {
        return (static_cast<unsigned char>(name[at]) & 0xC0U) == 0x80U;
    };
    std::size_t head = kHead, tail = name.size() - kTail;
    while (head > 0 && isInside(head)) --head;
    while (tail < name.size() && isInside(tail)) ++tail;
    return name.substr(0, head) + "…" + name.substr(tail);
}

Text sentenceOf(const RunErrors& errors) {
    const belief::ErrorSummary& s = errors.summary;
    if (s.rows == 0) return {"None of {1} runs can be compared.", {count(s.skipped)}};
    return {
        "{1} of {2} runs are compared. The step time is off by {3} in the median, {4} on "
        "average, and nine in ten are within {5}.",
        {count(s.rows), count(s.rows + s.skipped), errorText(s.medianAbsolute),
         errorText(s.meanAbsolute), errorText(s.p90Absolute)}};
}

Text memorySentenceOf(const RunErrors& errors) {
    const belief::ErrorSummary& s = errors.memory;
    return {"{1} runs give their peak memory: off by {2} in the median, {3} at P90.",
            {count(s.rows), errorText(s.medianAbsolute), errorText(s.p90Absolute)}};
}

Text coverageSentence(double coverage) {
    return {
        "{1} of the runs lie inside their P10 to P90, each judged by a fit without its group "
        "and by a spread from other sources.",
        {errorText(coverage)}};
}

Text residualSentence(const belief::Calibration& c) {
    return {
        "What is left after the fit, as a standard deviation: {1} where chip and software were "
        "measured (grade A), {2} where the chip's family was (B), {3} where nothing was (C).",
        {errorText(c.residual[0]), errorText(c.residual[1]), errorText(c.residual[2])}};
}

std::vector<const RunError*> worstRows(const RunErrors& errors, std::size_t most) {
    std::vector<const RunError*> rows;
    for (const RunError& r : errors.rows) {
        if (r.isCompared()) rows.push_back(&r);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const RunError* a, const RunError* b) {
        return std::abs(a->error()) > std::abs(b->error());
    });
    if (rows.size() > most) rows.resize(most);
    return rows;
}

std::vector<std::pair<Text, int>> skippedBy(const RunErrors& errors) {
    std::vector<std::pair<Text, int>> reasons;
    for (const RunError& r : errors.rows) {
        if (r.isCompared()) continue;
        const auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& known) {
            return known.first == r.skipped;
        });
        if (found == reasons.end()) {
            reasons.emplace_back(r.skipped, 1);
        } else {
            ++found->second;
        }
    }
    std::stable_sort(reasons.begin(), reasons.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
    return reasons;
}

std::vector<FitErrors> fitErrors(const std::vector<RunErrors>& errors, bool bySource) {
    struct Lists {
        std::vector<double> uncalibrated, fitted, group, source;
    };
    std::map<std::string, Lists> lists;
    for (const RunErrors& set : errors) {
        for (const RunError& r : set.rows) {
            if (!r.isCompared() || !r.errorUncalibrated) continue;
            Lists& l = lists[bySource ? r.source : r.accelerator];
            l.uncalibrated.push_back(*r.errorUncalibrated);
            l.fitted.push_back(r.error());
            l.group.push_back(r.errorGroupLeftOut.value_or(0));
            l.source.push_back(r.errorSourceLeftOut.value_or(0));
        }
    }
    std::vector<FitErrors> out;
    for (const auto& [name, l] : lists)
        out.push_back({name, belief::summarize(l.uncalibrated, 0), belief::summarize(l.fitted, 0),
                       belief::summarize(l.group, 0), belief::summarize(l.source, 0)});
    return out;
}

}  // namespace trainwright::reports
