// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/terminal.h"
#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

std::optional<std::size_t> indexOf(const search::PlanRequest& request, const std::string& name) {
    const auto found =
        std::find_if(request.candidates.begin(), request.candidates.end(),
                     [&](const search::CandidateRequest& c) { return c.name == name; });
    if (found == request.candidates.end()) {
        return std::nullopt;
    }
    return static_cast<std::size_t>(found - request.candidates.begin());
}

Finding unknownCandidate(const PreparedScenario& scenario, const std::string& name) {
    std::vector<std::string> names;
    for (const search::CandidateRequest& candidate : scenario.request.candidates) {
        names.push_back(candidate.name);
    }
    const Place place{scenario.context.scenarioFile, 0, 0, "candidates"};
    const std::vector<std::string> close = units::nearestWords(name, names, 1);
    if (close.empty()) {
        return {Severity::Error,
                Text{"There is no candidate `{1}`. The candidates are {2}.",
                     {name, fmt::format("{}", fmt::join(names, ", "))}},
                place};
    }
    return {Severity::Error,
            Text{"There is no candidate `{1}`. Nearest: {2}.", {name, close.front()}}, place};
}

}  // namespace

ExitCode explain(const ExplainOptions& options) {
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
    if (!catalog) {
        say(catalog.findings());
        return ExitCode::BadInput;
    }
    const Outcome<PreparedScenario> scenario = prepare(options.scenario, *catalog);
    if (!scenario) {
        say(scenario.findings());
        return ExitCode::BadInput;
    }
    std::optional<std::size_t> chosen;
    if (!options.candidate.empty()) {
        chosen = indexOf(scenario->request, options.candidate);
        if (!chosen) {
            say(unknownCandidate(*scenario, options.candidate));
            return ExitCode::BadInput;
        }
    }

    watchInterrupts();
    const search::PlanResult result = evaluate(scenario->request, options.search);
    if (isInterrupted()) {
        return ExitCode::Interrupted;
    }
    const search::CandidateResult& candidate =
        result.candidates.at(chosen ? *chosen : result.ranking().at(0));
    const ExitCode code = candidate.feasible ? ExitCode::Done : ExitCode::Infeasible;
    if (options.display.json) {
        reports::ReportContext context = scenario->context;
        context.withMeasurements = true;
        return print(reports::explainJson(scenario->request, candidate, context), code);
    }
    const reports::TerminalStyle style =
        outputStyle(options.display.width, options.display.noColour);
    return print(reports::explainTerminal(scenario->request, candidate, style, scenario->context),
                 code);
}

}  // namespace trainwright::app
