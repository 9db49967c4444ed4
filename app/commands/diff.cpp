// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/diff_report.h"
#include "app/commands/evaluate.h"
#include "app/git_show.h"
#include "app/terminal.h"
#include "app/version.h"
#include "data/scenario/yaml.h"

namespace trainwright::app {
namespace {

/// A text to compare, and what it is called.
struct Source {
    std::string text;
    std::string file;   ///< as the user typed it
    std::string shown;  ///< in findings and reports
};

Outcome<Source> readSource(const std::string& file) {
    Outcome<std::string> text = readScenarioText(file);
    if (!text) return text.findings();
    return Source{std::move(text).value(), file, shownName(file)};
}

Outcome<Source> readRevision(const std::string& revision, const std::string& file) {
    const GitObject git = gitObject(revision, file);
    Outcome<std::string> text = gitShow(git.object, git.folder, scenario::yaml::kMaxFileBytes);
    if (!text) return text.findings();
    return Source{std::move(text).value(), git.shown, git.shown};
}

/// The catalog that the first plan is made with: the other's, but for what is asked for.
Outcome<catalog::Catalog> openEarlierCatalog(const DiffOptions& options) {
    const std::string& file =
        options.catalogBefore.empty() ? options.catalog : options.catalogBefore;
    const std::string& calibration =
        options.calibrationBefore.empty() ? options.calibration : options.calibrationBefore;
    Outcome<catalog::Catalog> opened = openCatalog(file, calibration);
    if (!opened || options.overlayBefore.empty()) return opened;
    if (options.overlayBefore != "none" && !std::filesystem::exists(options.overlayBefore))
        return Finding{Severity::Error,
                       Text{"There is no overlay here; `none` stands for none.", {}},
                       Place{options.overlayBefore, 0, 0, {}}};
    Outcome<catalog::Catalog> laid = catalog::Catalog::open(
        catalogPath(file), options.overlayBefore == "none" ? std::string() : options.overlayBefore);
    if (laid) laid.value().useCalibration(opened->calibration());
    return laid;
}

/// Reads a kept result, or plans a scenario. `catalog` is what the plan is made with.
Outcome<compare::Side> sideOf(const Source& source, const catalog::Catalog& catalog,
                              const SearchChoices& search) {
    if (compare::looksLikeResult(source.text)) {
        Outcome<compare::KeptResult> kept = compare::readResult(source.text, source.shown);
        if (!kept) return kept.findings();
        kept.value().plan.isKept = true;
        return compare::Side{std::move(kept).value(), nullptr};
    }
    const Outcome<PreparedScenario> scenario =
        prepareText(source.text, source.file, source.shown, catalog);
    if (!scenario) return scenario.findings();
    return sideOf(*scenario, evaluate(scenario->request, search), catalog);
}

std::string commandOf(const DiffOptions& options, const std::string& report) {
    std::string command = "trainwright diff";
    const auto add = [&](const char* name, const std::string& value) {
        if (!value.empty()) command += fmt::format(" {} {}", name, quoted(value));
    };
    add("--rev", options.revision);
    command += " " + quoted(options.before);
    if (!options.after.empty()) command += " " + quoted(options.after);
    add("--catalog-a", options.catalogBefore);
    add("--overlay-a", options.overlayBefore);
    add("--calibration-a", options.calibrationBefore);
    add("--catalog", options.catalog);
    add("--calibration", options.calibration);
    add("--report", report);
    if (!report.empty()) command += languageOption(options.display.language);
    return command;
}

ExitCode refuse(const std::vector<Finding>& findings) {
    say(findings);
    return ExitCode::BadInput;
}

}  // namespace

ExitCode diff(const DiffOptions& options) {
    const bool byRevision = !options.revision.empty();
    if (byRevision == !options.after.empty()) {
        say(Finding{Severity::Error,
                    byRevision ? Text{"With --rev one file is expected, that of today; {1} and {2} "
                                      "are two.",
                                      {options.before, options.after}}
                               : Text{"Two files are expected, or one with --rev REVISION.", {}},
                    {}});
        return ExitCode::BadInput;
    }
    const std::string& today = byRevision ? options.before : options.after;
    if (!byRevision && options.before == "-" && today == "-") {
        say(Finding{Severity::Error,
                    Text{"Standard input can be one of the two files, not both.", {}},
                    {}});
        return ExitCode::BadInput;
    }
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {today}, options.display.language);
    if (!jobs) return refuse(jobs.findings());

    // Everything that can't be read is said in one go.
    std::vector<Finding> findings;
    const auto take = [&](const auto& outcome) {
        if (!outcome)
            findings.insert(findings.end(), outcome.findings().begin(), outcome.findings().end());
    };
    const Outcome<Source> first =
        byRevision ? readRevision(options.revision, today) : readSource(options.before);
    const Outcome<Source> second = readSource(today);
    const Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    const bool hasEarlier = !options.catalogBefore.empty() || !options.overlayBefore.empty() ||
                            !options.calibrationBefore.empty();
    std::optional<Outcome<catalog::Catalog>> earlier;
    if (hasEarlier) earlier.emplace(openEarlierCatalog(options));
    take(first);
    take(second);
    take(catalog);
    if (earlier) take(*earlier);
    if (!findings.empty()) return refuse(findings);

    watchInterrupts();
    const Outcome<compare::Side> before =
        sideOf(*first, earlier ? **earlier : *catalog, options.search);
    const Outcome<compare::Side> after = sideOf(*second, *catalog, options.search);
    take(before);
    take(after);
    if (!findings.empty()) return refuse(findings);
    if (hasEarlier && before->result.plan.isKept)
        say(Finding{Severity::Warning,
                    Text{"{1} is a result and holds its own figures: --catalog-a, --overlay-a and "
                         "--calibration-a are for a scenario and don't count here.",
                         {first->shown}},
                    {}});

    const search::Comparison comparison = compared(*before, *after, *catalog, options.search);
    if (isInterrupted()) {
        fmt::print(stderr, "Interrupted; nothing was written.\n");
        return ExitCode::Interrupted;
    }
    const ExitCode code = comparison.after.anyRuns ? ExitCode::Done : ExitCode::Infeasible;
    reports::DiffContext context;
    context.programVersion = kProgramVersion;
    context.catalogVersion = catalog->version();
    context.catalogHash = catalog->hash();
    for (const ReportJob& job : *jobs) {
        context.command = commandOf(options, job.file);
        if (const auto failure = writeReport(job, diffContent(comparison, context, job.language))) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    context.command = commandOf(options, {});
    if (options.display.json) return print(reports::diffJson(comparison, context), code);
    if (options.markdown)
        return print(reports::diffMarkdown(comparison, context, options.display.language), code);
    return print(reports::diffTerminal(comparison, outputStyle(options.display), context), code);
}

}  // namespace trainwright::app
