// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/commands/plan_report.h"
#include "app/terminal.h"

namespace trainwright::app {
namespace {

std::optional<Finding> write(const ReportJob& job, const PreparedScenario& scenario,
                             const search::PlanResult& result) {
    reports::ReportContext context = scenario.context;
    context.command = fmt::format("trainwright plan {} --report {}{}", quoted(scenario.file),
                                  quoted(job.file), languageOption(job.language));
    return writeReport(job, planContent(scenario.request, result, context));
}

}  // namespace

ExitCode plan(const PlanOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, options.scenarios, options.display.language);
    if (!jobs) {
        say(jobs.findings());
        return ExitCode::BadInput;
    }
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    if (!catalog) {
        say(catalog.findings());
        return ExitCode::BadInput;
    }

    std::vector<PreparedScenario> scenarios;
    bool isSound = true;
    for (const std::string& file : options.scenarios) {
        Outcome<PreparedScenario> prepared = prepare(file, *catalog);
        if (prepared) {
            scenarios.push_back(std::move(prepared).value());
        } else {
            say(prepared.findings());
            isSound = false;
        }
    }
    if (!isSound) {
        return ExitCode::BadInput;
    }

    watchInterrupts();
    ExitCode code = ExitCode::Done;
    std::vector<search::PlanResult> results;
    for (const PreparedScenario& scenario : scenarios) {
        results.push_back(evaluate(scenario.request, options.search));
        if (isInterrupted()) {
            fmt::print(stderr, "Interrupted; no report was written.\n");
            return ExitCode::Interrupted;
        }
        if (!anyFeasible(results.back())) {
            fmt::print(stderr, "{}: No candidate can be run; the reasons are given with each.\n",
                       scenario.context.scenarioFile);
            code = ExitCode::Infeasible;
        }
    }

    for (const ReportJob& job : *jobs) {
        if (const auto failure = write(job, scenarios[job.scenario], results[job.scenario])) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }

    std::string shown;
    const reports::TerminalStyle style = outputStyle(options.display);
    for (std::size_t i = 0; i < scenarios.size(); ++i) {
        const PreparedScenario& scenario = scenarios[i];
        reports::ReportContext context = scenario.context;
        context.command = "trainwright plan " + quoted(scenario.file);
        context.withMeasurements = true;
        if (options.display.json) {
            shown += i == 0 ? "" : ",\n";
            shown += reports::planJson(scenario.request, results[i], context);
        } else {
            shown += i == 0 ? "" : "\n";
            shown += reports::planTerminal(scenario.request, results[i], style, context);
            if (options.money) shown += reports::moneyTerminal(scenario.request, results[i], style);
        }
    }
    if (options.display.json && scenarios.size() > 1) {
        shown = "[\n" + shown + "]\n";
    }
    return print(shown, code);
}

}  // namespace trainwright::app
