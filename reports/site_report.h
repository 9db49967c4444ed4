// SPDX-License-Identifier: GPL-3.0-or-later
// The first page of a site of plans: a row for each scenario, a row for each comparison, with links
// to their pages.
//
// A row holds all that is shown of its scenario, and goes into JSON and back unchanged: a page that
// is kept needs no plan for its row. Nothing here reads or writes a file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/document.h"
#include "reports/json_text.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// A number of a plan, and its text with what it may range over; no number: not known.
struct SiteFigure {
    std::optional<double> value;
    Text shown;
};

enum class SiteState {
    Planned,   ///< a candidate can be run
    NoneRuns,  ///< none can
    Broken     ///< the file can't be read as a scenario
};

struct SiteScenario {
    std::string file;  ///< as findings and reports call it
    std::string page;  ///< from the first page; empty: there is none
    SiteState state = SiteState::Broken;
    std::string title;
    std::string model;
    std::string best;  ///< the candidate that leads
    Standing standing = Standing::DoesNotFit;
    bool hasLimits = false;
    SiteFigure days, costUsd, energyKwh;
    std::string grade;
    std::vector<Text> reasons;  ///< limits missed, why there is no price, what is wrong
};

struct SiteComparison {
    std::string before, after;  ///< files
    std::string page;
    std::vector<Text> verdict;
};

/// What the first page says of where it comes from.
struct SiteContext {
    std::string title;
    std::string folder;   ///< what every file begins with: "runs/"
    std::string command;  ///< that makes the site again
    std::string programVersion, catalogVersion, catalogHash;
    std::string calibration;  ///< id and hash; empty: none
};

[[nodiscard]] SiteScenario siteScenario(const search::PlanRequest& request,
                                        const search::PlanResult& result);

[[nodiscard]] Json toJson(const SiteScenario& scenario);
[[nodiscard]] Json toJson(const SiteComparison& comparison);
/// Nothing where the JSON isn't what toJson() makes.
[[nodiscard]] std::optional<SiteScenario> siteScenarioFrom(const Json& json);
[[nodiscard]] std::optional<SiteComparison> siteComparisonFrom(const Json& json);

[[nodiscard]] Document siteDocument(const std::vector<SiteScenario>& scenarios,
                                    const std::vector<SiteComparison>& comparisons,
                                    const SiteContext& context);

/// One scenario of `trainwright report --json`: the row's values in plain units.
[[nodiscard]] Json siteScenarioJson(const SiteScenario& scenario);

}  // namespace trainwright::reports
