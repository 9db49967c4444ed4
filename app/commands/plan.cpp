// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>

#include "app/charts_plugin/load_charts.h"
#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/evaluate.h"
#include "app/output_file.h"
#include "app/terminal.h"
#include "reports/document.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;

enum class ReportFormat { Html, Json, PlainText };

struct ReportSuffix {
    const char* suffix;
    ReportFormat format;
};
constexpr ReportSuffix kReportSuffixes[] = {{".html", ReportFormat::Html},
                                            {".json", ReportFormat::Json},
                                            {".txt", ReportFormat::PlainText}};

std::string supportedSuffixes() {
    std::string list;
    for (const ReportSuffix& known : kReportSuffixes) {
        list += list.empty() ? known.suffix : std::string(", ") + known.suffix;
    }
    return list;
}

std::optional<ReportFormat> formatOf(const std::string& file) {
    std::string suffix = fs::path(file).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const ReportSuffix& known : kReportSuffixes) {
        if (suffix == known.suffix) {
            return known.format;
        }
    }
    return std::nullopt;
}

/// One file to write: which scenario it is of, where, and as what.
struct ReportJob {
    std::size_t scenario = 0;
    std::string file;
    ReportFormat format = ReportFormat::Html;
};

constexpr const char* kNamePlaceholder = "{}";

std::string fileFor(const std::string& report, const std::string& scenario) {
    const std::size_t at = report.find(kNamePlaceholder);
    if (at == std::string::npos) {
        return report;
    }
    const std::string name = scenario == "-" ? "stdin" : fs::path(scenario).stem().string();
    return report.substr(0, at) + name + report.substr(at + 2);
}

Finding reportFinding(const std::string& file, std::string pattern,
                      std::vector<std::string> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, 0, 0, {}}};
}

/// Every report to write, or everything that keeps one from being written.
Outcome<std::vector<ReportJob>> planReports(const PlanOptions& options) {
    std::vector<ReportJob> jobs;
    std::vector<Finding> findings;
    std::set<fs::path> taken;
    for (const std::string& report : options.reports) {
        const auto format = formatOf(report);
        if (!format) {
            const std::string suffix = fs::path(report).extension().string();
            findings.push_back(
                suffix.empty()
                    ? reportFinding(
                          report,
                          "The suffix of a report says its format: {1}. This name has none.",
                          {supportedSuffixes()})
                    : reportFinding(report, "A report is written as {1}, not as {2}.",
                                    {supportedSuffixes(), suffix}));
            continue;
        }
        if (options.scenarios.size() > 1 && report.find(kNamePlaceholder) == std::string::npos) {
            findings.push_back(reportFinding(
                report,
                "{1} scenarios need a report each. In the name of a report, {2} stands for the "
                "scenario's name, as in {3}.",
                {std::to_string(options.scenarios.size()), kNamePlaceholder,
                 std::string(kNamePlaceholder) + fs::path(report).extension().string()}));
            continue;
        }
        for (std::size_t i = 0; i < options.scenarios.size(); ++i) {
            const std::string& scenario = options.scenarios[i];
            ReportJob job{i, fileFor(report, scenario), *format};
            std::error_code ignored;
            const fs::path key = fs::weakly_canonical(job.file, ignored);
            if (const auto problem = checkWritable(job.file)) {
                findings.push_back(*problem);
            } else if (fs::equivalent(job.file, scenario, ignored)) {
                findings.push_back(reportFinding(
                    job.file, "This is the scenario itself; the report needs another name."));
            } else if (!taken.insert(key).second && fs::is_regular_file(fs::status(key, ignored))) {
                findings.push_back(
                    reportFinding(job.file, "Two reports would be written to this file."));
            } else {
                jobs.push_back(std::move(job));
            }
        }
    }
    if (!findings.empty()) {
        return findings;
    }
    return jobs;
}

/// As a shell would need it, so that the command can be pasted.
std::string quoted(const std::string& argument) {
    const bool plain =
        !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view("-_./=:,+@%").find(c) != std::string_view::npos;
        });
    if (plain) {
        return argument;
    }
    std::string out = "'";
    for (const char c : argument) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

std::string render(const ReportJob& job, const PreparedScenario& scenario,
                   const search::PlanResult& result) {
    reports::ReportContext context = scenario.context;
    context.command =
        fmt::format("trainwright plan {} --report {}", quoted(scenario.file), quoted(job.file));
    switch (job.format) {
        case ReportFormat::Json:
            return reports::planJson(scenario.request, result, context);
        case ReportFormat::PlainText:
            return reports::planTerminal(scenario.request, result, reports::TerminalStyle{},
                                         context);
        case ReportFormat::Html:
            break;
    }
    const ChartDrawer charts = loadCharts();
    if (!charts.drawer) {
        say(Finding{Severity::Warning, charts.reason, Place{job.file, 0, 0, {}}});
    }
    return reports::planHtml(scenario.request, result, context, charts.drawer);
}

}  // namespace

ExitCode plan(const PlanOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs = planReports(options);
    if (!jobs) {
        say(jobs.findings());
        return ExitCode::BadInput;
    }
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog);
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
        if (const auto failure =
                writeFile(job.file, render(job, scenarios[job.scenario], results[job.scenario]))) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }

    std::string shown;
    const reports::TerminalStyle style =
        outputStyle(options.display.width, options.display.noColour);
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
        }
    }
    if (options.display.json && scenarios.size() > 1) {
        shown = "[\n" + shown + "]\n";
    }
    return print(shown, code);
}

}  // namespace trainwright::app
