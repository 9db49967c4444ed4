// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/validation.h"

#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "app/commands/run_reports.h"
#include "app/output_file.h"
#include "app/terminal.h"
#include "reports/validation_report.h"

namespace trainwright::app {

ExitCode validate(const ValidateOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs = planReports(options.reports, {"validation"});
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
        context.command = command + " --report " + quoted(job.file);
        std::string content;
        switch (job.format) {
            case ReportFormat::Html:
                content = reports::html(reports::validationDocument(errors, context),
                                        chartDrawer(job.file));
                break;
            case ReportFormat::Json:
                content = reports::validationJson(errors, context);
                break;
            case ReportFormat::Markdown:
            case ReportFormat::PlainText:
                content = reports::validationTerminal(errors, {}, context);
                break;
        }
        if (const auto failure = writeFile(job.file, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = command;
    return print(
        options.display.json
            ? reports::validationJson(errors, context)
            : reports::validationTerminal(
                  errors, outputStyle(options.display.width, options.display.noColour), context));
}

}  // namespace trainwright::app
