// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/check.h"
#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/diff_report.h"
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

/// The kept result of each scenario; empty ones where nothing is held against a result.
Outcome<std::vector<std::optional<compare::KeptResult>>> keptResults(const PlanOptions& options) {
    std::vector<std::optional<compare::KeptResult>> kept(options.scenarios.size());
    if (options.checkAgainst.empty()) return kept;
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < kept.size(); ++i) {
        const std::string file = fileFor(options.checkAgainst, options.scenarios[i]);
        if (kept.size() > 1 && file == options.checkAgainst)
            return Finding{Severity::Error,
                           Text{"{1} scenarios need a kept result each: {2} in its name stands for "
                                "the scenario's name.",
                                {std::to_string(kept.size()), "{}"}},
                           Place{file, 0, 0, {}}};
        const Outcome<std::string> text = readScenarioText(file);
        Outcome<compare::KeptResult> read = text ? compare::readResult(*text, shownName(file))
                                                 : Outcome<compare::KeptResult>(text.findings());
        if (read)
            kept[i] = std::move(read).value();
        else
            findings.insert(findings.end(), read.findings().begin(), read.findings().end());
    }
    if (!findings.empty()) return findings;
    return kept;
}

/// Says what speaks against a plan; false if anything does.
bool passes(const PreparedScenario& scenario, const search::PlanResult& result,
            const std::optional<compare::KeptResult>& kept, double tolerance,
            const PlanOptions& options, const catalog::Catalog& catalog) {
    const Outcome<compare::Side> now = sideOf(scenario, result, catalog);
    if (!now) {
        say(now.findings());
        return false;
    }
    const std::vector<Text> against = objections(now->result, kept ? &*kept : nullptr, tolerance,
                                                 fileFor(options.checkAgainst, scenario.file));
    for (const Text& objection : against)
        say(Finding{Severity::Error, objection, Place{scenario.context.scenarioFile, 0, 0, {}}});
    return against.empty();
}

}  // namespace

ExitCode plan(const PlanOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, options.scenarios, options.display.language);
    if (!jobs) {
        say(jobs.findings());
        return ExitCode::BadInput;
    }
    const bool checks = options.check || !options.checkAgainst.empty();
    const Outcome<double> tolerance =
        readTolerance(options.tolerance.empty() ? "5%" : options.tolerance);
    const auto kept = keptResults(options);
    say(tolerance.findings());
    say(kept.findings());
    if (!tolerance || !kept) return ExitCode::BadInput;
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

    for (std::size_t i = 0; checks && i < scenarios.size(); ++i)
        if (!passes(scenarios[i], results[i], (*kept)[i], *tolerance, options, *catalog))
            code = ExitCode::Infeasible;

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
