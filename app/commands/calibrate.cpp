// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "app/commands/run_reports.h"
#include "app/output_file.h"
#include "app/terminal.h"
#include "data/catalog/calibration_rows.h"
#include "data/import/training_log.h"
#include "data/runs/run_fit.h"
#include "model/units/content_hash.h"

namespace trainwright::app {

namespace {

// What a table of runs says, whatever file it stands in.
std::string hashOf(const std::vector<import::PublishedRun>& runs) {
    units::ContentHash hash;
    for (const import::PublishedRun& r : runs) {
        hash.add(r.id + "\n" + r.source + "\n" + r.framework + "\n" + r.notes + "\n");
        for (const auto& v : {r.stepTimeSeconds, r.tokensPerSecond, r.teraflops, r.mfuPercent,
                              r.accelerators, r.globalBatch, r.sequenceLength, r.microBatch,
                              r.tensor, r.pipeline, r.virtualStages, r.context, r.expert})
            hash.add(v ? fmt::format("{}|", *v) : "|");
    }
    return hash.hex();
}

// The only source of the runs, or the file's name without its folders.
std::string titleOf(const std::string& file, const std::vector<import::PublishedRun>& runs) {
    std::string title;
    for (const import::PublishedRun& r : runs) {
        const std::string source = r.source.substr(0, r.source.find(", published measurements"));
        if (!title.empty() && title != source) return shownName(file.substr(file.rfind('/') + 1));
        title = source;
    }
    return title;
}

Outcome<runs::NamedRuns> publishedRuns(const std::string& file, const catalog::Catalog& catalog) {
    const Outcome<std::vector<import::PublishedRun>> read = openRuns(file, catalog);
    if (!read) return read.findings();
    runs::NamedRuns named;
    named.title = file.empty() ? "published runs of the catalog" : titleOf(file, *read);
    named.hash = hashOf(*read);
    named.runs = runs::prepare(*read, catalog);
    return {std::move(named), read.findings()};
}

// The run that a log measured, with the layout and the machine of the scenario's candidate.
Outcome<runs::NamedRuns> loggedRuns(const CalibrateOptions& options,
                                    const catalog::Catalog& catalog) {
    const Outcome<PreparedScenario> scenario = prepare(options.scenario, catalog);
    if (!scenario) return scenario.findings();
    std::size_t index = 0;
    if (!options.candidate.empty() || scenario->request.candidates.size() > 1) {
        const Outcome<std::size_t> found = candidateIndex(*scenario, options.candidate);
        if (!found) return found.findings();
        index = *found;
    }
    const search::CandidateRequest& candidate = scenario->request.candidates[index];
    runs::NamedRuns named;
    named.title = "training logs of " + scenario->request.title;
    units::ContentHash hash;
    for (const std::string& file : options.logs) {
        const Outcome<import::TrainingLog> log = import::readTrainingLogFile(file);
        if (!log) return log.findings();
        for (const Text& note : log->notes)
            say(Finding{Severity::Warning, note, {shownName(file), 0, 0, {}}});
        runs::PreparedRun run;
        run.run.id = shownName(file);
        run.run.source = named.title;
        run.run.workload = "training";
        run.run.model = scenario->request.architecture.id;
        run.run.accelerator = candidate.system.chip.name;
        run.run.system = candidate.system.id;
        run.asked.problem = search::stepProblem(scenario->request, candidate);
        run.asked.choice = candidate.layout;
        layout::TrainingSpec& training = run.asked.problem.training;
        if (log->globalBatch) training.globalBatchSequences = static_cast<long>(*log->globalBatch);
        const double ranks = static_cast<double>(candidate.chips) *
                             layout::ranksPerChip(candidate.profile, candidate.system.chip);
        run.asked.metric = log->format;
        run.asked.measuredStepSeconds =
            import::measuredStep(*log, static_cast<double>(training.globalBatchSequences),
                                 training.sequenceLength, ranks);
        run.asked.measuredMemoryBytes = log->memoryBytes;
        hash.add(fmt::format("{}|{}|{}\n", log->format, run.asked.measuredStepSeconds,
                             training.globalBatchSequences));
        named.runs.push_back(std::move(run));
    }
    named.hash = hash.hex();
    return named;
}

}  // namespace

ExitCode calibrate(const CalibrateOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {"calibration"}, options.display.language);
    // Runs are prepared with the catalog's own figures; what is fitted on top of is the base.
    const Outcome<catalog::Catalog> plain = openCatalog(options.catalog, "none");
    const Outcome<catalog::Catalog> known = openCatalog(options.catalog, options.calibration);
    say(jobs.findings());
    say(plain.findings());
    if (plain) say(known.findings());
    if (!jobs || !plain || !known) return ExitCode::BadInput;
    if (options.logs.empty() != options.scenario.empty()) {
        say(Finding{Severity::Error,
                    {options.logs.empty() ? "A scenario is given without a training log (--log)."
                                          : "A training log needs its scenario (--scenario).",
                     {}},
                    {}});
        return ExitCode::BadInput;
    }

    std::vector<runs::NamedRuns> sets;
    std::vector<std::string> files = options.runs;
    const bool own = !files.empty() || !options.logs.empty();
    if (!own) files.emplace_back();
    for (const std::string& file : files) {
        Outcome<runs::NamedRuns> named = publishedRuns(file, *plain);
        say(named.findings());
        if (!named) return ExitCode::BadInput;
        sets.push_back(std::move(named).value());
    }
    if (!options.logs.empty()) {
        Outcome<runs::NamedRuns> named = loggedRuns(options, *plain);
        if (!named) {
            say(named.findings());
            return ExitCode::BadInput;
        }
        sets.push_back(std::move(named).value());
    }

    watchInterrupts();
    runs::CalibrationFit fit;
    {
        ProgressLine line("fitting");
        fit = runs::calibrate(sets, own ? known->calibration().get() : nullptr, options.threads,
                              [&](double share) {
                                  line.show(share);
                                  return !isInterrupted();
                              });
    }
    if (fit.stopped) {
        fmt::print(stderr, "Interrupted; nothing was written.\n");
        return ExitCode::Interrupted;
    }
    if (fit.errors.empty()) {
        say(Finding{Severity::Error,
                    {"None of the runs can be predicted, so there is nothing to "
                     "fit; `trainwright validate` says why of each.",
                     {}},
                    {}});
        return ExitCode::Infeasible;
    }
    fit.calibration.id = options.id.empty() ? (own ? "own runs" : "published runs") : options.id;
    fit.calibration.date = plain->version();
    const std::string text = catalog::calibrationText(fit.calibration);
    // As whoever reads it will have it, digits and hash.
    Outcome<belief::Calibration> rounded = catalog::readCalibration(text, options.output);
    if (!rounded) {
        say(rounded.findings());
        return ExitCode::BadInput;
    }
    if (!options.output.empty()) {
        if (const auto failure = writeFile(options.output, text)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }

    std::string command = "trainwright calibrate";
    for (const std::string& file : options.runs) command += " --runs " + quoted(file);
    for (const std::string& file : options.logs) command += " --log " + quoted(file);
    if (!options.scenario.empty()) command += " --scenario " + quoted(options.scenario);
    if (!options.calibration.empty()) command += " --calibration " + quoted(options.calibration);
    reports::ValidationContext context =
        validationContext(*plain, options.runs.empty() ? std::string() : options.runs.front());
    context.calibrationTitle =
        fmt::format("{}, {}, hash {}", rounded->id, rounded->date, rounded->hash);
    for (const ReportJob& job : *jobs) {
        context.command = command + " --report " + quoted(job.file) + languageOption(job.language);
        ReportContent content;
        content.json = [&] {
            return reports::calibrationJson(*rounded, fit.errors, fit.coverage, context);
        };
        content.plainText = [&](const reports::TerminalStyle& style) {
            return reports::calibrationTerminal(*rounded, fit.errors, fit.coverage, style, context);
        };
        content.document = [&] {
            return reports::calibrationDocument(*rounded, fit.errors, fit.coverage, context);
        };
        if (const auto failure = writeReport(job, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = command;
    return print(options.display.json
                     ? reports::calibrationJson(*rounded, fit.errors, fit.coverage, context)
                     : reports::calibrationTerminal(*rounded, fit.errors, fit.coverage,
                                                    outputStyle(options.display), context));
}

}  // namespace trainwright::app
