// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/validation.h"

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "app/commands/run_reports.h"
#include "app/terminal.h"
#include "reports/validation_report.h"

namespace trainwright::app {

ExitCode validate(const ValidateOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {"validation"}, options.display.language);
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    say(jobs.findings());
    say(catalog.findings());
    if (!jobs || !catalog) return ExitCode::BadInput;
    const Outcome<std::vector<import::PublishedRun>> runs = openRuns(options.runs, *catalog);
    say(runs.findings());
    if (!runs) return ExitCode::BadInput;

    watchInterrupts();
    std::vector<runs::ValidatedRun> rows;
    {
        ProgressLine line("predicting");
        rows = runs::validate(runs::prepare(*runs, *catalog), catalog->calibration().get(),
                              options.threads, [&](double share) {
                                  line.show(share);
                                  return !isInterrupted();
                              });
    }
    const belief::RunErrors errors = runs::errorsOf(rows);
    if (errors.stopped) {
        fmt::print(stderr, "Interrupted; nothing was written.\n");
        return ExitCode::Interrupted;
    }
    std::string command = "trainwright validate";
    if (!options.runs.empty()) command += " --runs " + quoted(options.runs);
    if (!options.calibration.empty()) command += " --calibration " + quoted(options.calibration);
    reports::ValidationContext context = validationContext(*catalog, options.runs);
    context.allRows = options.all;
    for (const ReportJob& job : *jobs) {
        context.command = command + " --report " + quoted(job.file) + languageOption(job.language);
        ReportContent content;
        content.json = [&] { return reports::validationJson(errors, context); };
        content.plainText = [&](const reports::TerminalStyle& style) {
            return reports::validationTerminal(errors, style, context);
        };
        content.document = [&] { return reports::validationDocument(errors, context); };
        if (const auto failure = writeReport(job, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = command;
    return print(options.display.json
                     ? reports::validationJson(errors, context)
                     : reports::validationTerminal(errors, outputStyle(options.display), context));
}

}  // namespace trainwright::app
