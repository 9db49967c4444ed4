// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/fit.h"

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/commands/report_files.h"
#include "app/terminal.h"
#include "data/scenario/fit_request.h"
#include "model/units/text_quantity.h"
#include "reports/document.h"
#include "reports/fit_report.h"

namespace trainwright::app {
namespace {

/// The value of an option, with the option named in what is wrong with it.
template <typename T>
Outcome<T> ofOption(const char* option, const Outcome<T>& read) {
    if (read) return *read;
    std::vector<Finding> findings = read.findings();
    for (Finding& f : findings) f.text = {"{1}: {2}", {option, f.text}};
    return findings;
}

/// Puts the limits of the options in place of the scenario's.
std::vector<Finding> limit(scenario::Scenario& s, const FitOptions& options) {
    std::vector<Finding> findings;
    const auto read = [&](const char* option, const std::string& text, auto reader, auto take) {
        if (text.empty()) return;
        const auto value = ofOption(option, reader(text));
        if (value) {
            take(*value);
        } else {
            findings.insert(findings.end(), value.findings().begin(), value.findings().end());
        }
    };
    search::Constraints& c = s.constraints;
    read(
        "--deadline", options.deadline, [](const std::string& t) { return units::readDay(t); },
        [&](units::Day d) {
            c.finishBy = run::Date{d.year, d.month, d.day};
        });
    read(
        "--budget", options.budget,
        [](const std::string& t) { return units::readUsDollars(t, units::BareNumber::Allowed); },
        [&](units::UsDollars v) { c.budget = v; });
    read(
        "--power", options.power, [](const std::string& t) { return units::readWatts(t); },
        [&](units::Watts v) { c.power = v; });
    read(
        "--carbon", options.carbon,
        [](const std::string& t) { return units::readQuantity(units::QuantityKind::Mass, t); },
        [&](double v) { c.carbonKilograms = v; });
    read(
        "--accelerators", options.accelerators,
        [](const std::string& t) { return units::readQuantity(units::QuantityKind::Count, t); },
        [&](double v) { c.accelerators = static_cast<long>(v); });
    if (c.finishBy && !s.start)
        findings.push_back(
            {Severity::Error,
             {"A deadline needs the first day of the run: `training` has no `start`.", {}},
             {s.file, 0, 0, "training.start"}});
    if (c.finishBy && s.start && run::daysSinceEpoch(*c.finishBy) <= run::daysSinceEpoch(*s.start))
        findings.push_back({Severity::Error,
                            {"The deadline {1} is no later than the start {2}.",
                             {run::isoDate(*c.finishBy), run::isoDate(*s.start)}},
                            {s.file, 0, 0, "training.start"}});
    return findings;
}

search::Objective objectiveOf(const std::string& word) {
    for (int o = 0; o < search::kObjectiveCount; ++o)
        if (word == search::name(static_cast<search::Objective>(o)))
            return static_cast<search::Objective>(o);
    return search::Objective::Cheapest;
}

std::string commandOf(const FitOptions& options, const std::string& report) {
    std::string command = "trainwright fit " + quoted(options.scenario);
    const auto add = [&](const char* option, const std::string& value) {
        if (!value.empty()) command += fmt::format(" {} {}", option, quoted(value));
    };
    add("--objective", options.objective);
    add("--deadline", options.deadline);
    add("--budget", options.budget);
    add("--power", options.power);
    add("--carbon", options.carbon);
    add("--accelerators", options.accelerators);
    for (const std::string& name : options.candidates) add("--candidate", name);
    for (const std::string& region : options.regions) add("--region", region);
    for (const std::string& plan : options.plans) add("--plan", plan);
    add("--report", report);
    if (!report.empty()) command += languageOption(options.display.language);
    return command;
}

}  // namespace

ExitCode fit(const FitOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {options.scenario}, options.display.language);
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    const Outcome<std::string> text = readScenarioText(options.scenario);
    say(jobs.findings());
    say(catalog.findings());
    say(text.findings());
    if (!jobs || !catalog || !text) return ExitCode::BadInput;
    Outcome<scenario::Loaded> loaded = scenario::load(*text, shownName(options.scenario), *catalog,
                                                      scenario::FigureNotes::LeftOut);
    say(loaded.findings());
    if (!loaded) return ExitCode::BadInput;
    scenario::Scenario& scenario = loaded.value().scenario;
    const std::vector<Finding> wrong = limit(scenario, options);
    say(wrong);
    if (!wrong.empty()) return ExitCode::BadInput;

    scenario::FitChoices choices;
    choices.candidates = options.candidates;
    choices.regions = options.regions;
    choices.plans = options.plans;
    choices.objective = objectiveOf(options.objective);
    const Outcome<search::FitRequest> request = scenario::fitRequest(scenario, *catalog, choices);
    if (!request) {
        say(request.findings());
        return ExitCode::BadInput;
    }

    watchInterrupts();
    search::FitResult result;
    {
        ProgressLine line("fitting");
        result = search::fit(*request, options.search.threads, [&](double share) {
            line.show(share);
            return !isInterrupted();
        });
    }
    if (result.stopped) {
        fmt::print(stderr, "Interrupted; no report was written.\n");
        return ExitCode::Interrupted;
    }
    reports::FitAnswer answer{*request, result, {}, {}};
    if (const auto& shown = result.best ? result.best : result.nearestMiss) {
        answer.planRequest = request->plan;
        answer.planRequest->candidates = {search::candidateOf(*request, *shown)};
        answer.plan = evaluate(*answer.planRequest, options.search);
    }

    reports::ReportContext context =
        contextOf(scenario, *text, shownName(options.scenario), *catalog);
    for (const ReportJob& job : *jobs) {
        context.command = commandOf(options, job.file);
        ReportContent content;
        content.json = [&] { return reports::fitJson(answer, context); };
        content.plainText = [&](const reports::TerminalStyle& style) {
            return reports::fitTerminal(answer, style, context);
        };
        content.document = [&] { return reports::fitDocument(answer, context); };
        if (const auto failure = writeReport(job, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = commandOf(options, {});
    const ExitCode code = result.best ? ExitCode::Done : ExitCode::Infeasible;
    if (options.display.json) return print(reports::fitJson(answer, context), code);
    return print(reports::fitTerminal(answer, outputStyle(options.display), context), code);
}

}  // namespace trainwright::app
