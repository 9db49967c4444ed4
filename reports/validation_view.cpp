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
    const std::string size = errorText(std::abs(share));
    if (size == errorText(0)) return size;
    return (share < 0 ? "−" : "+") + size;
}

std::string factorText(const belief::Factor& factor) {
    return "×" + fixed(std::exp(factor.logFactor), 3);
}

Text figureName(belief::Physics physics) {
    std::string name = belief::name(physics);
    std::replace(name.begin(), name.end(), '_', ' ');
    return {name, {}};
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

Text choiceSentenceOf(const RunErrors& errors) {
    const belief::ChoiceSummary& s = errors.choice;
    const auto jobs = static_cast<double>(s.jobs.size());
    return {"Of {1} jobs that were measured with several layouts, {2} ran within {3} of the best "
            "measured with the layout that is fastest by prediction; it loses {4} in the mean, {5} "
            "at most ({6} instead of {7}).",
            {count(jobs), count(s.goodEnough), percent(belief::ChoiceSummary::kGoodEnough),
             errorText(s.meanLost), errorText(s.jobs.front().lost), s.jobs.front().chosen,
             s.jobs.front().best}};
}

Text coverageSentence(double coverage) {
    return {
        "{1} of the left-out runs lie inside their P10 to P90, each judged by a fit without its "
        "group and by a spread from other sources.",
        {percent(coverage)}};
}

Text residualSentence(const belief::Calibration& c) {
    return {
        "What is left after the fit, as a standard deviation: {1} where chip and software were "
        "measured (grade A), {2} where the chip's family was (B), {3} where nothing was (C).",
        {errorText(c.residual[0]), errorText(c.residual[1]), errorText(c.residual[2])}};
}

std::vector<const RunError*> farthest(std::vector<const RunError*> rows, std::size_t most) {
    std::stable_sort(rows.begin(), rows.end(), [](const RunError* a, const RunError* b) {
        return std::abs(a->error()) > std::abs(b->error());
    });
    if (rows.size() > most) rows.resize(most);
    return rows;
}

std::vector<const RunError*> worstRows(const RunErrors& errors, std::size_t most) {
    std::vector<const RunError*> rows;
    for (const RunError& r : errors.rows) {
        if (r.isCompared()) rows.push_back(&r);
    }
    return farthest(std::move(rows), most);
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

std::vector<FitErrors> fitErrors(const std::vector<RunErrors>& errors, Grouping grouping) {
    struct Lists {
        int rows = 0;
        std::vector<double> uncalibrated, fitted, group, source;
    };
    const auto keyOf = [&](const RunError& r) -> std::string {
        switch (grouping) {
            case Grouping::Accelerator:
                return r.accelerator;
            case Grouping::Source:
                return r.source;
            case Grouping::All:
                break;
        }
        return {};
    };
    const auto add = [](const std::optional<double>& error, std::vector<double>& list) {
        if (error) list.push_back(*error);
    };
    std::map<std::string, Lists> lists;
    for (const RunErrors& set : errors) {
        for (const RunError& r : set.rows) {
            if (!r.isCompared()) continue;
            Lists& l = lists[keyOf(r)];
            ++l.rows;
            l.fitted.push_back(r.error());
            add(r.errorUncalibrated, l.uncalibrated);
            add(r.errorGroupLeftOut, l.group);
            add(r.errorSourceLeftOut, l.source);
        }
    }
    std::vector<FitErrors> out;
    for (const auto& [name, l] : lists)
        out.push_back({grouping == Grouping::All ? Argument(Text{"all runs", {}}) : Argument(name),
                       l.rows, belief::summarize(l.uncalibrated, 0), belief::summarize(l.fitted, 0),
                       belief::summarize(l.group, 0), belief::summarize(l.source, 0)});
    return out;
}

std::string tripleText(const belief::ErrorSummary& s) {
    if (s.rows == 0) return "–";
    // As percent() writes them, with the sign once in the heading.
    const auto digits = [](double share) {
        const std::string percents = percent(share);
        return percents.substr(0, percents.size() - 1);
    };
    return digits(s.medianAbsolute) + "/" + digits(s.meanAbsolute) + "/" + digits(s.p90Absolute);
}

Text fitErrorsNote() {
    return {
        "Median/mean/P90 of the absolute error of the step time, in percent. Published: with the "
        "catalog's figures as they are; fitted: with their factors; group out: with the source's "
        "runs of that model and system left out of the fit; source out: with all of the source's.",
        {}};
}

}  // namespace trainwright::reports
