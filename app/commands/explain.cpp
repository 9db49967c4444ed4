// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <optional>
#include <utility>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/commands/report_files.h"
#include "app/terminal.h"
#include "model/search/explanation.h"
#include "model/search/model_study.h"
#include "reports/document.h"

namespace trainwright::app {

namespace {

/// The views that are asked for; in a page, which has room for them, all if none is.
reports::ExplainedViews viewsOf(const ExplainOptions& options, bool isPage,
                                const search::PlanRequest& request,
                                const search::CandidateRequest& asked,
                                const search::CandidateResult& candidate) {
    reports::ExplainedViews views;
    views.overview = !options.model && !options.roofline && !options.memory && !options.schedule &&
                     !options.network;
    const bool all = views.overview && isPage;
    views.memory = all || options.memory;
    if (all || options.model) {
        views.model = search::studyModel(request, asked, candidate);
    }
    if (all || options.roofline) {
        views.roofline = search::ceilingsOf(asked);
    }
    if (all || options.schedule) {
        views.schedule = search::studyPipeline(request, asked, candidate);
    }
    if (all || options.network) {
        views.network = search::studyNetwork(asked, candidate);
    }
    return views;
}

std::string commandOf(const ExplainOptions& options, const std::string& candidate,
                      const std::string& report) {
    std::string command = fmt::format("trainwright explain {} --candidate {}",
                                      quoted(options.scenario), quoted(candidate));
    for (const auto& [isChosen, name] :
         {std::pair{options.model, " --model"}, std::pair{options.roofline, " --roofline"},
          std::pair{options.memory, " --memory"}, std::pair{options.schedule, " --schedule"},
          std::pair{options.network, " --network"}}) {
        command += isChosen ? name : "";
    }
    return report.empty()
               ? command
               : command + " --report " + quoted(report) + languageOption(options.display.language);
}

}  // namespace

ExitCode explain(const ExplainOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {options.scenario}, options.display.language);
    if (!jobs) {
        say(jobs.findings());
        return ExitCode::BadInput;
    }
    const Outcome<PreparedScenario> scenario =
        prepare(options.scenario, options.catalog, options.calibration);
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
        fmt::print(stderr, "Interrupted; nothing was written.\n");
        return ExitCode::Interrupted;
    }
    const std::size_t index = chosen ? *chosen : result.ranking().at(0);
    const search::CandidateResult& candidate = result.candidates.at(index);
    const ExitCode code = candidate.feasible ? ExitCode::Done : ExitCode::Infeasible;
    const auto views = [&](bool isPage) {
        return viewsOf(options, isPage, scenario->request, scenario->request.candidates.at(index),
                       candidate);
    };
    reports::ReportContext context = scenario->context;
    for (const ReportJob& job : *jobs) {
        context.command = commandOf(options, candidate.name, job.file);
        ReportContent content;
        content.json = [&] {
            return reports::explainJson(scenario->request, candidate, views(false), context);
        };
        content.plainText = [&](const reports::TerminalStyle& style) {
            return reports::explainTerminal(scenario->request, candidate, views(false), style,
                                            context);
        };
        content.document = [&] {
            return reports::explainDocument(scenario->request, candidate, views(true), context);
        };
        if (const auto failure = writeReport(job, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = commandOf(options, candidate.name, {});
    if (options.display.json) {
        context.withMeasurements = true;
        return print(reports::explainJson(scenario->request, candidate, views(false), context),
                     code);
    }
    const reports::TerminalStyle style = outputStyle(options.display);
    return print(
        reports::explainTerminal(scenario->request, candidate, views(false), style, context), code);
}

}  // namespace trainwright::app
