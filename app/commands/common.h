// SPDX-License-Identifier: GPL-3.0-or-later
// What several commands share: finding the catalog, reading a scenario, saying what was found.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/commands/commands.h"
#include "data/catalog/catalog.h"
#include "data/import/published_runs.h"
#include "data/scenario/scenario.h"
#include "model/search/plan.h"
#include "reports/report.h"

namespace trainwright::app {

/// Prints each finding on a line of its own on standard error.
void say(const std::vector<Finding>& findings);
void say(const Finding& finding);

/// Prints `result` on standard output; what keeps it from being printed is said, and is bad input.
[[nodiscard]] ExitCode print(const std::string& result, ExitCode otherwise = ExitCode::Done);

/// The folder above the one that holds the running program: "<prefix>" of
/// "<prefix>/bin/trainwright".
[[nodiscard]] std::string installPrefix();

/// `option` if it is given, else what TRAINWRIGHT_CATALOG names, else the shipped catalog.
[[nodiscard]] std::string catalogPath(const std::string& option);
/// The overlay that the user's imports go to: what useOverlay() named, else what
/// TRAINWRIGHT_OVERLAY names, else trainwright/catalog.sqlite in the user's data folder. "" when it
/// is `none`.
[[nodiscard]] std::string overlayPath();
/// What --overlay names, from now on: a file, or "none".
void useOverlay(const std::string& option);
/// With the overlay, and another calibration than its own where `calibration` names a file; "none"
/// stands for none.
[[nodiscard]] Outcome<catalog::Catalog> openCatalog(const std::string& option,
                                                    const std::string& calibration = {});

/// The published runs in the file `option`; the shipped ones if it is empty.
[[nodiscard]] Outcome<std::vector<import::PublishedRun>> openRuns(const std::string& option,
                                                                  const catalog::Catalog& catalog);

/// A scenario, resolved, with what reports say of it.
struct PreparedScenario {
    std::string file;  ///< as the user typed it
    std::string text;
    search::PlanRequest request;
    reports::ReportContext context;
};

/// What reports say of a scenario that was read from `text` and is shown as `shown`.
[[nodiscard]] reports::ReportContext contextOf(const scenario::Scenario& scenario,
                                               const std::string& text, const std::string& shown,
                                               const catalog::Catalog& catalog);

/// Reads, checks and resolves; warnings are said, errors are the outcome.
[[nodiscard]] Outcome<PreparedScenario> prepare(const std::string& file,
                                                const catalog::Catalog& catalog);

/// The same of a text that is called `file`, and shown as `shown`.
[[nodiscard]] Outcome<PreparedScenario> prepareText(const std::string& text,
                                                    const std::string& file,
                                                    const std::string& shown,
                                                    const catalog::Catalog& catalog);

/// The same against the catalog that openCatalog(catalogOption) opens, for commands that need no
/// more of it.
[[nodiscard]] Outcome<PreparedScenario> prepare(const std::string& file,
                                                const std::string& catalogOption,
                                                const std::string& calibration = {});

/// The place of the candidate of that name in the scenario.
[[nodiscard]] Outcome<std::size_t> candidateIndex(const PreparedScenario& scenario,
                                                  const std::string& name);

/// The text of a scenario file, or of standard input for "-".
[[nodiscard]] Outcome<std::string> readScenarioText(const std::string& file);

/// What findings and reports call `file`.
[[nodiscard]] std::string shownName(const std::string& file);

/// From now on Ctrl-C asks to stop instead of ending the program at once; a second one ends it.
void watchInterrupts();
[[nodiscard]] bool isInterrupted();

}  // namespace trainwright::app
