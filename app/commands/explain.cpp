// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/terminal.h"

namespace trainwright::app {

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
        const Outcome<std::size_t> index = candidateIndex(*scenario, options.candidate);
        if (!index) {
            say(index.findings());
            return ExitCode::BadInput;
        }
        chosen = *index;
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
