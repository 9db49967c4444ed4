// SPDX-License-Identifier: GPL-3.0-or-later
// The commands, each as a function from its options to an exit code.
//
// Results go to standard output, findings to standard error. Nothing here parses arguments
// (command_line.h does) and nothing calls exit.
#pragma once

#include <string>
#include <vector>

#include "reports/language.h"

namespace trainwright::app {

enum class ExitCode : int {
    Done = 0,
    /// No candidate can be run; of `fmt --check`: a file would change; of `plan --check`: a limit
    /// is broken, or a result moved.
    Infeasible = 1,
    BadInput = 2,
    Interrupted = 130,  ///< by Ctrl-C, as shells number it
};

/// How results are shown; shared by the commands that show any.
struct DisplayOptions {
    bool json = false;
    int width = 0;  ///< 0: as the terminal is
    bool noColour = false;
    reports::Language language = reports::Language::English;  ///< of tables and reports
};

/// How the engine searches; the result is the same whatever is chosen.
struct SearchChoices {
    int threads = 0;          ///< 0: as many as the machine has
    bool exhaustive = false;  ///< evaluate every layout, those that a bound rules out as well
};

struct PlanOptions {
    std::vector<std::string> scenarios;  ///< files; "-" is standard input
    std::vector<std::string> reports;    ///< files, by suffix; "{}" stands for the scenario's name
    bool money = false;                  ///< also what the money goes for, in tables
    bool check = false;                  ///< infeasible if a limit is broken, or a result moved
    std::string checkAgainst;            ///< file of a kept result; "{}" as in `reports`; or empty
    std::string tolerance;               ///< as typed, "5%"; empty: 5%
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;      ///< file; empty: the shipped one
    DisplayOptions display;
};
[[nodiscard]] ExitCode plan(const PlanOptions& options);

struct ReportSiteOptions {
    std::string folder;  ///< of scenarios
    std::string out;     ///< folder of the pages
    bool again = false;  ///< make every page, also those whose inputs are as they were
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;      ///< file; empty: the shipped one
    DisplayOptions display;
};
/// A page for each scenario of a folder, comparisons, and a first page with a row for each. Bad
/// input where a scenario is broken (the others are made), infeasible where none of its candidates
/// can be run.
[[nodiscard]] ExitCode report(const ReportSiteOptions& options);

struct ExplainOptions {
    std::string scenario;
    std::string candidate;  ///< empty: the best
    bool model = false;     ///< views; none chosen: the overview
    bool roofline = false;
    bool memory = false;
    bool schedule = false;
    bool network = false;
    std::vector<std::string> reports;  ///< files, by suffix
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;
    DisplayOptions display;
};
[[nodiscard]] ExitCode explain(const ExplainOptions& options);

struct FitOptions {
    std::string scenario;
    std::string objective;  ///< "smallest", "cheapest", "greenest" or "fastest"; empty: cheapest
    std::string deadline, budget, power, carbon, accelerators;  ///< as typed; empty: the scenario's
    std::vector<std::string> candidates;                        ///< names; empty: all
    std::vector<std::string> regions, plans;  ///< beside the scenario's; "all": every one
    std::vector<std::string> reports;         ///< files, by suffix
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;
    DisplayOptions display;
};
/// From a date, a budget and other limits back to a cluster. Infeasible where nothing keeps them.
[[nodiscard]] ExitCode fit(const FitOptions& options);

struct DiffOptions {
    std::string before, after;      ///< scenarios or results; with a revision one file alone
    std::string revision;           ///< of git: "main", or "main:scenario.yaml"
    std::string catalogBefore;      ///< for the first, where it is a scenario; empty: as the other
    std::string overlayBefore;      ///< file; "none": none; empty: as the other
    std::string calibrationBefore;  ///< file; "none": none; empty: as the other
    bool markdown = false;
    std::vector<std::string> reports;  ///< files, by suffix
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;
    DisplayOptions display;
};
/// Two plans: what changed, what moved and why. Infeasible where no candidate of the second runs.
[[nodiscard]] ExitCode diff(const DiffOptions& options);

struct SweepOptions {
    std::string scenario;
    std::vector<std::string> over;        ///< "accelerators=1024..65536:x2", the slowest first
    std::vector<std::string> candidates;  ///< names; empty: all
    std::string format;                   ///< "csv" or "jsonl"
    std::string output;                   ///< file; empty: standard output
    SearchChoices search;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;
};
[[nodiscard]] ExitCode sweep(const SweepOptions& options);

struct ClaimsOptions {
    std::vector<std::string> claims;     ///< ids, each shown in full; empty: all, in a table
    std::vector<std::string> reports;    ///< files, by suffix
    std::vector<std::string> overrides;  ///< files with figures to take otherwise
    std::string runs;                    ///< file of published runs; empty: the shipped ones
    int threads = 0;                     ///< 0: as many as the machine has
    std::string calibration;             ///< file; empty: the catalog's; "none": none
    std::string catalog;
    DisplayOptions display;
};
[[nodiscard]] ExitCode claims(const ClaimsOptions& options);

struct ValidateOptions {
    std::string runs;                  ///< file of published runs; empty: the shipped ones
    std::vector<std::string> reports;  ///< files, by suffix
    bool all = false;                  ///< every row on the terminal, not the worst alone
    int threads = 0;
    std::string calibration;  ///< file; empty: the catalog's; "none": none
    std::string catalog;
    DisplayOptions display;
};
/// Predicted against measured runs.
[[nodiscard]] ExitCode validate(const ValidateOptions& options);

struct CalibrateOptions {
    std::vector<std::string>
        runs;  ///< files of published runs; empty, and no log: the shipped ones
    std::vector<std::string> logs;  ///< training logs
    std::string scenario;           ///< that the logs are of
    std::string candidate;          ///< of the scenario; empty: its only one
    std::string output;             ///< file for the calibration; empty: none is written
    std::string id;                 ///< of the calibration; empty: after its runs
    std::string calibration;        ///< what own runs are fitted on top of, as for the others
    std::vector<std::string> reports;
    int threads = 0;
    std::string catalog;
    DisplayOptions display;
};
/// Fits the factors of figures to runs.
[[nodiscard]] ExitCode calibrate(const CalibrateOptions& options);

struct CatalogOptions {
    std::string catalog;
    std::string subject;  ///< a kind for `list`, an id for `show`
    bool json = false;
};
[[nodiscard]] ExitCode catalogList(const CatalogOptions& options);
[[nodiscard]] ExitCode catalogShow(const CatalogOptions& options);
[[nodiscard]] ExitCode catalogCheck(const CatalogOptions& options);

struct ImportOptions {
    std::string file;  ///< a Hugging Face config.json
    std::string id;    ///< empty: as the file or its folder is called
    bool json = false;
};
/// Prints the architecture in the file as a scenario takes it.
[[nodiscard]] ExitCode catalogImportModel(const ImportOptions& options);

struct ImportPricesOptions {
    std::vector<std::string> files;
    std::string observed;  ///< day of prices in files that carry no date; empty: today
    bool dryRun = false;   ///< say what would move, write nothing
    bool all = false;      ///< every move, not the largest alone
    bool json = false;
    std::string catalog;
};
/// Reads price files into the overlay, all of them or nothing.
[[nodiscard]] ExitCode catalogImportPrices(const ImportPricesOptions& options);

struct CatalogDiffOptions {
    std::string before, after;  ///< catalogs or overlays; empty: the shipped one, with the overlay
    bool all = false;
    bool json = false;
    std::string catalog;
};
[[nodiscard]] ExitCode catalogDiff(const CatalogDiffOptions& options);

struct CatalogExportOptions {
    bool imported = false;  ///< the overlay's rows alone
    std::string output;     ///< file; empty: standard output
    std::string catalog;
};
/// Prices as CSV.
[[nodiscard]] ExitCode catalogExport(const CatalogExportOptions& options);

/// Lists what the overlay holds.
[[nodiscard]] ExitCode catalogImports(const CatalogOptions& options);

struct CatalogForgetOptions {
    long id = 0;
};
/// Takes an import back.
[[nodiscard]] ExitCode catalogForget(const CatalogForgetOptions& options);

struct SchemaOptions {
    std::string of;       ///< "scenario", or one of reports::resultForms(); empty: "scenario"
    bool asText = false;  ///< keys with their meaning, for reading
};
/// Prints the JSON Schema of scenario files or of a form of results, or their keys with meaning,
/// unit and default.
[[nodiscard]] ExitCode schema(const SchemaOptions& options);

/// Prints the starter scenario, or writes it to `file`, which must not exist yet.
[[nodiscard]] ExitCode newScenario(const std::string& file);

struct FormatOptions {
    std::vector<std::string> files;  ///< "-" is standard input, written to standard output
    bool check = false;              ///< write nothing, name the files that would change
};
[[nodiscard]] ExitCode formatScenarios(const FormatOptions& options);

struct VersionOptions {
    bool json = false;
    std::string catalog;
};
/// Program and build, catalog, prices and calibration: what a result depends on.
[[nodiscard]] ExitCode version(const VersionOptions& options);

struct CommandWords;

/// Prints the script that makes `shell` complete `program`.
[[nodiscard]] ExitCode completion(const CommandWords& program, const std::string& shell);

struct ManualOptions {
    std::vector<std::string> command;  ///< names from the program down; empty: the program itself
    std::string output;                ///< folder to write all pages into; empty: print one
};
/// Prints a manual page, or writes all of them.
[[nodiscard]] ExitCode manual(const CommandWords& program, const ManualOptions& options);

struct DesktopCommandOptions {
    std::vector<std::string> files;  ///< scenarios to open
    std::string language;            ///< "en", "es"; empty: the system's
    std::string calibration;         ///< file; empty: the catalog's; "none": none
    std::string catalog;
};
/// The desktop, until its last window is closed.
[[nodiscard]] ExitCode desktop(const DesktopCommandOptions& options);

}  // namespace trainwright::app
