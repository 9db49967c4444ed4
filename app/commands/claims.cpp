// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "app/terminal.h"
#include "app/version.h"
#include "data/scenario/scenario.h"
#include "data/scenario/yaml.h"
#include "model/units/text_quantity.h"
#include "reports/claims_report.h"

namespace trainwright::app {
namespace {

/// The claims of these ids, in their order; all if there are none.
Outcome<std::vector<catalog::Claim>> chosen(const catalog::Catalog& catalog,
                                            const std::vector<std::string>& ids) {
    std::vector<catalog::Claim> all = catalog.claims();
    if (ids.empty()) return all;
    std::vector<std::string> known;
    for (const catalog::Claim& claim : all) known.push_back(claim.id);
    std::vector<catalog::Claim> claims;
    std::vector<Finding> findings;
    for (const std::string& id : ids) {
        const auto found = std::find(known.begin(), known.end(), id);
        if (found != known.end()) {
            claims.push_back(all[static_cast<std::size_t>(found - known.begin())]);
            continue;
        }
        const std::vector<std::string> near = units::nearestWords(id, known, 1);
        findings.push_back(
            near.empty() ? Finding{Severity::Error,
                                   {"There is no claim `{1}`. The claims are {2}.",
                                    {id, fmt::format("{}", fmt::join(known, ", "))}},
                                   {}}
                         : Finding{Severity::Error,
                                   {"There is no claim `{1}`. Nearest: {2}.", {id, near.front()}},
                                   {}});
    }
    if (!findings.empty()) return findings;
    return claims;
}

/// The catalog, with the figures of the files of overrides in place of its own.
Outcome<catalog::Catalog> openOverridden(const ClaimsOptions& options) {
    Outcome<catalog::Catalog> catalog = openCatalog(options.catalog, options.calibration);
    for (const std::string& file : options.overrides) {
        if (!catalog) return catalog;
        const Outcome<std::string> text = readScenarioText(file);
        if (!text) return text.findings();
        const Outcome<scenario::Scenario> read = scenario::readOverrides(*text, shownName(file));
        if (!read) return read.findings();
        catalog = scenario::overriddenCatalog(*read, *catalog);
    }
    return catalog;
}

std::string commandOf(const ClaimsOptions& options, const std::string& report) {
    std::string command = "trainwright claims";
    for (const std::string& id : options.claims) command += " " + quoted(id);
    for (const std::string& file : options.overrides) command += " --override " + quoted(file);
    if (!options.runs.empty()) command += " --runs " + quoted(options.runs);
    return report.empty()
               ? command
               : command + " --report " + quoted(report) + languageOption(options.display.language);
}

std::string terminal(const std::vector<claims::CheckedClaim>& checked, const ClaimsOptions& options,
                     const reports::TerminalStyle& style, const reports::ReportContext& context) {
    if (options.claims.empty()) return reports::claimsTerminal(checked, style, context);
    std::string out;
    for (const claims::CheckedClaim& claim : checked)
        out += (out.empty() ? "" : "\n") + reports::claimTerminal(claim, style);
    return out;
}

}  // namespace

ExitCode claims(const ClaimsOptions& options) {
    const Outcome<std::vector<ReportJob>> jobs =
        planReports(options.reports, {"claims"}, options.display.language);
    const Outcome<catalog::Catalog> catalog = openOverridden(options);
    say(jobs.findings());
    say(catalog.findings());
    if (!jobs || !catalog) return ExitCode::BadInput;
    const Outcome<std::vector<import::PublishedRun>> runs = openRuns(options.runs, *catalog);
    say(runs.findings());
    if (!runs) return ExitCode::BadInput;
    const Outcome<std::vector<catalog::Claim>> rows = chosen(*catalog, options.claims);
    if (!rows) {
        say(rows.findings());
        return ExitCode::BadInput;
    }

    watchInterrupts();
    ProgressLine line("checking");
    claims::CheckOptions checking;
    checking.threads = options.threads > 0
                           ? options.threads
                           : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    checking.progress = [&](double share) {
        line.show(share);
        return !isInterrupted();
    };
    const std::vector<claims::CheckedClaim> checked =
        claims::check(*rows, {*catalog, *runs}, checking);
    if (isInterrupted()) {
        fmt::print(stderr, "Interrupted; nothing was written.\n");
        return ExitCode::Interrupted;
    }

    reports::ReportContext context;
    context.programVersion = kProgramVersion;
    context.catalogVersion = catalog->version();
    context.catalogHash = catalog->hash();
    for (const ReportJob& job : *jobs) {
        context.command = commandOf(options, job.file);
        ReportContent content;
        content.json = [&] { return reports::claimsJson(checked, context); };
        content.plainText = [&](const reports::TerminalStyle& style) {
            return terminal(checked, options, style, context);
        };
        content.document = [&] { return reports::claimsDocument(checked, context); };
        if (const auto failure = writeReport(job, content)) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    if (options.display.json) return print(reports::claimsJson(checked, context));
    return print(terminal(checked, options, outputStyle(options.display), context));
}

}  // namespace trainwright::app
