// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/report_files.h"
#include "app/words/command_tree.h"
#include "app/words/completion.h"
#include "model/units/text_quantity.h"
#include "reports/result_schema.h"

namespace trainwright::app {
namespace {

constexpr std::size_t kHelpWidth = 96;
constexpr std::size_t kHelpColumn = 26;
constexpr int kMostThreads = 1024;
constexpr int kNarrowestOutput = 40;
constexpr int kWidestOutput = 400;

/// Usage, arguments, commands, options, then examples: in the order in which they are looked for.
class HelpFormatter : public CLI::Formatter {
public:
    std::string make_help(const CLI::App* app, std::string /*name*/,
                          CLI::AppFormatMode /*mode*/) const override {
        const CommandWords words = describe(*app);
        std::string out = words.description + "\n\nusage: " + words.usage() + "\n";
        std::string commands;
        for (const CommandWords& command : words.commands) {
            commands += row(command.name(), command.firstSentence());
        }
        std::string arguments;
        for (const ArgumentWords& argument : words.arguments) {
            arguments += row(argument.name, argument.meaning);
        }
        std::string options;
        for (const OptionWords& option : words.options) {
            std::string name = fmt::format("{}", fmt::join(option.names, ", "));
            if (!option.value.empty()) {
                name += " " + option.value;
            }
            options += row(name, option.meaning);
        }
        section(out, "commands", commands);
        section(out, "arguments", arguments);
        section(out, "options", options);
        if (!words.footer.empty()) {
            out += "\n" + words.footer + "\n";
        }
        return out;
    }

private:
    static void section(std::string& out, const char* title, const std::string& rows) {
        if (!rows.empty()) {
            out += fmt::format("\n{}:\n{}", title, rows);
        }
    }

    /// "  name    meaning", the meaning broken into lines beside each other.
    static std::string row(const std::string& name, const std::string& meaning) {
        std::string out = "  " + name;
        if (name.size() + 4 > kHelpColumn) {
            out += "\n" + std::string(kHelpColumn, ' ');
        } else {
            out += std::string(kHelpColumn - 2 - name.size(), ' ');
        }
        std::size_t column = kHelpColumn;
        std::size_t from = 0;
        while (from < meaning.size()) {
            const std::size_t space = std::min(meaning.find(' ', from), meaning.size());
            const std::size_t length = space - from;
            if (column > kHelpColumn && column + 1 + length > kHelpWidth) {
                out += "\n" + std::string(kHelpColumn, ' ');
                column = kHelpColumn;
            }
            if (column > kHelpColumn) {
                out += ' ';
                ++column;
            }
            out += meaning.substr(from, length);
            column += length;
            from = space + 1;
        }
        return out + "\n";
    }
};

/// The check of an option that takes a whole number.
CLI::Validator wholeNumber(int least, int most) {
    return CLI::Validator(
        [least, most](const std::string& text) {
            int number = 0;
            const char* end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, number);
            const bool isGood =
                error == std::errc() && stop == end && number >= least && number <= most;
            return isGood ? std::string()
                          : fmt::format("A whole number from {} to {} is expected, not {}", least,
                                        most, text);
        },
        "");
}

using Run = std::function<ExitCode()>;

/// The commands; what the arguments choose is left in `chosen`.
class CommandLine {
public:
    CommandLine()
        : root_(
              "Estimates time, utilization, cost and energy of training a language model on AWS\n"
              "Trainium and on GPUs, from a scenario file.",
              "trainwright") {
        root_.formatter(std::make_shared<HelpFormatter>());
        root_.allow_extras();
        // One is enough: what follows is an argument, also where it is called as a command is.
        root_.require_subcommand(0, 1);
        root_.set_help_flag("-h,--help", "Show this help");
        root_.add_flag("--version", showVersion_,
                       "Show the versions of program, catalog, prices and calibration");
        root_.add_flag("--json", version_.json, "With --version: print JSON, for programs");
        root_.footer(
            "Results go to standard output, everything else to standard error.\n"
            "exit codes: 0 done, 1 no candidate of the plan can be run, 2 something in the input "
            "is not right\n\n"
            "A first try:\n"
            "  trainwright new my-run.yaml\n"
            "  trainwright plan my-run.yaml --report my-run.html\n\n"
            "`trainwright COMMAND --help` tells more of each command.");
        addPlan();
        addReport();
        addExplain();
        addFit();
        addDiff();
        addSweep();
        addClaims();
        addValidate();
        addCalibrate();
        addCatalog();
        addDesktop();
        addScenarioFiles();
        addTexts();
    }

    int run(int argc, char** argv) {
        try {
            root_.parse(argc, argv);
        } catch (const CLI::CallForHelp&) {
            return static_cast<int>(print(deepest()->help()));
        } catch (const CLI::ArgumentMismatch& error) {
            const std::string_view what = error.what();
            return refuse(
                fmt::format("A value is expected after {}.", what.substr(0, what.find(':'))));
        } catch (const CLI::ParseError& error) {
            return refuse(asSentence(error.what()));
        }
        if (const auto message = unexpected()) {
            return refuse(*message);
        }
        if (showVersion_) {
            return static_cast<int>(version(version_));
        }
        if (!chosen_) {
            const bool isRoot = deepest() == &root_;
            if (isRoot && argc == 1) {
                say(Finding{Severity::Error, Text{root_.help(), {}}, {}});
                return static_cast<int>(ExitCode::BadInput);
            }
            return refuse("A command is expected: " + commandNames(*deepest()) + ".");
        }
        return static_cast<int>(chosen_());
    }

private:
    static std::string fullName(const CLI::App& app) {
        return app.get_parent() == nullptr ? app.get_name()
                                           : fullName(*app.get_parent()) + " " + app.get_name();
    }

    static std::string commandNames(const CLI::App& app) {
        std::string names;
        for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
            names += (names.empty() ? "" : ", ") + command->get_name();
        }
        return names;
    }

    /// The command that the arguments reached.
    CLI::App* deepest() {
        CLI::App* app = &root_;
        while (!app->get_subcommands().empty()) {
            app = app->get_subcommands().back();
        }
        return app;
    }

    static std::string asSentence(std::string text) {
        if (!text.empty() && text.back() != '.') {
            text += '.';
        }
        return text;
    }

    int refuse(const std::string& message) {
        const std::string command = fullName(*deepest());
        fmt::print(stderr, "{}: {} See `{} --help`.\n", command, message, command);
        return static_cast<int>(ExitCode::BadInput);
    }

    /// What is wrong with arguments that nothing took.
    std::optional<std::string> unexpected() {
        const std::vector<std::string> rest = root_.remaining(true);
        if (rest.empty()) {
            return std::nullopt;
        }
        const std::string& word = rest.front();
        const CLI::App& command = *deepest();
        const bool isOption = word.size() > 1 && word.front() == '-';
        std::vector<std::string> known;
        if (isOption) {
            for (const CLI::Option* option : command.get_options()) {
                for (const std::string& name : option->get_lnames()) {
                    known.push_back("--" + name);
                }
            }
        } else {
            for (const CLI::App* c :
                 command.get_subcommands([](const CLI::App*) { return true; })) {
                known.push_back(c->get_name());
            }
        }
        const std::string name = word.substr(0, isOption ? word.find('=') : std::string::npos);
        const std::vector<std::string> close = units::nearestWords(name, known, 1);
        const std::string nearest =
            close.empty() ? "" : fmt::format(" Nearest: {}.", close.front());
        if (isOption) {
            return fmt::format("There is no option {}.{}", name, nearest);
        }
        if (!known.empty()) {
            return fmt::format(
                "There is no command {}.{}", name,
                nearest.empty() ? " The commands are " + commandNames(command) + "." : nearest);
        }
        return fmt::format("Nothing more is expected where {} stands.", name);
    }

    CLI::App* command(CLI::App& parent, const char* name, const char* description) {
        CLI::App* app = parent.add_subcommand(name, description);
        app->allow_extras();
        app->require_subcommand(0, 1);
        app->footer("");
        return app;
    }

    static void addCatalogOption(CLI::App* app, std::string& file) {
        app->add_option(
               "--catalog", file,
               "Catalog to use in place of the shipped one (or name it in TRAINWRIGHT_CATALOG)")
            ->option_text("FILE")
            ->check(files({"*.sqlite"}));
        app->add_option_function<std::string>(
               "--overlay", [](const std::string& overlay) { useOverlay(overlay); },
               "Imported prices to lay over the catalog in place of the user's own (or name the "
               "file in TRAINWRIGHT_OVERLAY); none for the catalog as it is")
            ->option_text("FILE|none")
            ->check(files({"*.sqlite"}));
    }

    static void addCalibrationOption(CLI::App* app, std::string& file) {
        app->add_option("--calibration", file,
                        "Factors to put on figures in place of the catalog's, as `trainwright "
                        "calibrate --output` writes them; none for the figures as they are")
            ->option_text("FILE|none")
            ->check(files({"*.csv"}));
    }

    static void addThreadsOption(CLI::App* app, int& threads) {
        app->add_option("--threads", threads,
                        "Threads to work with; as many as the machine has, if not given. The "
                        "result is the same")
            ->option_text("N")
            ->check(wholeNumber(0, kMostThreads));
    }

    static void addLanguageOptions(CLI::App* app, DisplayOptions& display) {
        app->add_flag("--json", display.json, "Print JSON, for programs");
        app->add_option_function<std::string>(
               "--lang",
               [&display](const std::string& code) {
                   display.language =
                       reports::languageFromCode(code).value_or(reports::Language::English);
               },
               "Language of tables and reports: en or es. JSON and CSV are English always")
            ->option_text("en|es")
            ->check(oneOf({"en", "es"}));
    }

    static void addDisplayOptions(CLI::App* app, DisplayOptions& display) {
        addLanguageOptions(app, display);
        app->add_option("--width", display.width,
                        "Columns to use; the terminal's, or 100, if not given")
            ->option_text("N")
            ->check(wholeNumber(kNarrowestOutput, kWidestOutput));
        app->add_flag("--no-color,--no-colour", display.noColour,
                      "Leave colour out; NO_COLOR in the environment does so too");
    }

    /// An option that may be given again, each time with one value.
    static CLI::Option* addRepeated(CLI::App* app, const char* name,
                                    std::vector<std::string>& values, const char* shown,
                                    const char* description) {
        return app->add_option(name, values, description)
            ->option_text(shown)
            ->expected(1)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
    }

    static void addReportOption(CLI::App* app, std::vector<std::string>& reports,
                                const char* description) {
        addRepeated(app, "--report", reports, "FILE", description)
            ->check(files({"*.html", "*.pdf", "*.xlsx", "*.csv", "*.json", "*.md", "*.txt"}));
        app->add_option_function<std::string>(
               "--paper", [](const std::string& name) { usePaper(name); },
               "Paper of a .pdf: a4 or letter; a4, if not given")
            ->option_text("PAPER")
            ->check(oneOf({"a4", "letter"}));
    }

    static void addSearchOptions(CLI::App* app, SearchChoices& search) {
        app->add_option("--threads", search.threads,
                        "Threads to search with; as many as the machine has, if not given. The "
                        "result is the same")
            ->option_text("N")
            ->check(wholeNumber(0, kMostThreads));
        app->add_flag(
            "--exhaustive", search.exhaustive,
            "Time every layout, also those that a bound rules out; slower, with the same result");
    }

    void addPlan() {
        CLI::App* app = command(root_, "plan", "Compare and rank the candidates of a scenario.");
        app->add_option("FILE", plan_.scenarios, "Scenario files; - is standard input")
            ->required()
            ->check(files({"*.yaml", "*.yml"}));
        addReportOption(app, plan_.reports,
                        "Also write the report here, by suffix as .html, .pdf, .xlsx, .csv, .json, "
                        ".md or .txt; may be "
                        "given again. With "
                        "several scenarios, {} in the name stands for each scenario's name");
        app->add_flag("--money", plan_.money,
                      "Also what the money goes for and when it is paid, costs of a unit of work, "
                      "prices at which candidates would be equal, and owning beside renting");
        app->add_flag("--check", plan_.check,
                      "For hooks and pull requests: exit with 1 if the best candidate breaks a "
                      "limit of its scenario, and say which");
        app->add_option("--check-against", plan_.checkAgainst,
                        "The same, and also if days, cost or energy moved away from this result, "
                        "which `plan --report x.json` wrote; {} as for --report")
            ->option_text("FILE")
            ->check(files({"*.json"}));
        app->add_option("--tolerance", plan_.tolerance, "How far they may move; 5%, if not given")
            ->option_text("SHARE");
        addDisplayOptions(app, plan_.display);
        addSearchOptions(app, plan_.search);
        addCalibrationOption(app, plan_.calibration);
        addCatalogOption(app, plan_.catalog);
        app->footer(
            "exit codes: 0 done, 1 no candidate can be run, or --check has something against the "
            "plan, 2\nsomething in the input is not right\n\n"
            "examples:\n"
            "  trainwright plan scenario.yaml\n"
            "  trainwright plan scenario.yaml --report plan.html --report plan.json\n"
            "  trainwright plan *.yaml --report 'reports/{}.html'\n"
            "  trainwright plan scenario.yaml --json | jq '.candidates[] | {name, days}'\n"
            "  trainwright plan scenario.yaml --check-against kept.json --tolerance 3%");
        choose(app, [this] { return plan(plan_); });
    }

    void addReport() {
        CLI::App* app = command(root_, "report",
                                "Make a small web site of a folder of scenarios, a page for each.");
        app->add_option("DIR", report_.folder,
                        "The folder; its files that end in .yaml or .yml, also in folders within "
                        "it, are the scenarios")
            ->required();
        app->add_option("--out", report_.out, "Folder to write to; it is made if it isn't there")
            ->option_text("DIR")
            ->required();
        app->add_flag("--again", report_.again,
                      "Make every page, also those of scenarios that haven't changed");
        addLanguageOptions(app, report_.display);
        addSearchOptions(app, report_.search);
        addCalibrationOption(app, report_.calibration);
        addCatalogOption(app, report_.catalog);
        app->footer(
            "index.html has a row for each scenario, with its best candidate. The pages are those "
            "of\n"
            "`plan --report`, and those of `diff --report` for neighbours of the same model, each "
            "with a\n"
            "link back. Pages of a scenario in a folder within DIR lie in one of the same name; "
            "hidden folders\n"
            "and the site itself are not looked into. A page whose scenario, catalog, calibration, "
            "program\n"
            "and options are as they were is kept; that of a scenario that has gone is removed.\n"
            "trainwright-site.json lists the pages: other files in the folder are never "
            "touched.\n\n"
            "exit codes: 0 done, 1 no candidate of some scenario can be run, 2 something in the "
            "input is not\n"
            "right (a broken scenario has a row that says so, the others are made), 130 stopped by "
            "Ctrl-C\n\n"
            "examples:\n"
            "  trainwright report runs --out site\n"
            "  trainwright report runs --out site --lang es --calibration own.csv\n"
            "  trainwright report runs --out site --json | jq '.scenarios[] | {title, days, "
            "cost_usd}'");
        choose(app, [this] { return report(report_); });
    }

    void addExplain() {
        CLI::App* app = command(
            root_, "explain", "Show one candidate down to its operators, collectives and memory.");
        app->add_option("FILE", explain_.scenario, "Scenario file; - is standard input")
            ->required()
            ->check(files({"*.yaml", "*.yml"}));
        app->add_option("--candidate", explain_.candidate,
                        "The candidate's name; the best one, if not given")
            ->option_text("NAME");
        app->add_flag(
            "--model", explain_.model,
            "Parameters, arithmetic of a token, vocabulary and ranks, as reckoned by hand");
        app->add_flag("--roofline", explain_.roofline,
                      "Ceilings of the chip, and every operator under its own");
        app->add_flag("--memory", explain_.memory,
                      "Memory of every stage by kind, against what there is");
        app->add_flag("--schedule", explain_.schedule,
                      "The pipeline simulated task by task, beside the closed form");
        app->add_flag("--network", explain_.network,
                      "Every collective with the algorithms weighed for it, and the links with "
                      "their sources");
        addReportOption(app, explain_.reports,
                        "Also write the explanation here, by suffix as .html, .pdf, .xlsx, .csv, "
                        ".json, .md or .txt; "
                        "may be given again");
        addDisplayOptions(app, explain_.display);
        addSearchOptions(app, explain_.search);
        addCalibrationOption(app, explain_.calibration);
        addCatalogOption(app, explain_.catalog);
        app->footer(
            "Without any of the views an overview is shown, and an .html file has it all. With\n"
            "--model, --roofline, --memory, --schedule or --network only those are shown.\n\n"
            "exit codes: 0 done, 1 the candidate can't be run, 2 something in the input is not "
            "right\n\n"
            "examples:\n"
            "  trainwright explain scenario.yaml\n"
            "  trainwright explain scenario.yaml --candidate ultra --memory --schedule\n"
            "  trainwright explain scenario.yaml --report explained.html\n"
            "  trainwright explain scenario.yaml --network --json | jq '.network.links'");
        choose(app, [this] { return explain(explain_); });
    }

    void addFit() {
        CLI::App* app = command(
            root_, "fit",
            "Find the smallest, cheapest, greenest or fastest cluster that keeps the limits.");
        app->add_option("FILE", fit_.scenario, "Scenario file; - is standard input")
            ->required()
            ->check(files({"*.yaml", "*.yml"}));
        app->add_option("--objective", fit_.objective,
                        "smallest, cheapest, greenest or fastest; cheapest, if not given")
            ->option_text("WORD")
            ->check(oneOf({"smallest", "cheapest", "greenest", "fastest"}));
        const auto limit = [&](const char* name, std::string& value, const char* shown,
                               const char* meaning) {
            app->add_option(name, value, std::string(meaning) + "; the scenario's, if not given")
                ->option_text(shown);
        };
        limit("--deadline", fit_.deadline, "DATE", "Last day of the run, as in 2027-03-01");
        limit("--budget", fit_.budget, "USD", "Most that it may cost, as in 12M");
        limit("--power", fit_.power, "POWER", "Most that it may draw at its peak, as in 30 MW");
        limit("--carbon", fit_.carbon, "MASS", "Most CO2e that it may cause, as in 2500 t");
        limit("--accelerators", fit_.accelerators, "N", "Most accelerators");
        addRepeated(app, "--candidate", fit_.candidates, "NAME",
                    "Only the systems of this candidate; may be given again");
        addRepeated(app, "--region", fit_.regions, "ID",
                    "A region to look in beside the scenario's, or all; may be given again");
        addRepeated(app, "--plan", fit_.plans, "PLAN",
                    "A purchase plan to look at beside the scenario's, or all; may be given again");
        addReportOption(app, fit_.reports,
                        "Also write the answer here, by suffix as .html, .pdf, .xlsx, .csv, .json, "
                        ".md or .txt; may be "
                        "given again");
        addDisplayOptions(app, fit_.display);
        addSearchOptions(app, fit_.search);
        addCalibrationOption(app, fit_.calibration);
        addCatalogOption(app, fit_.catalog);
        app->footer(
            "The ways are the scenario's systems in each of its regions under each of its plans, "
            "where the\n"
            "catalog has a price; a candidate's own number of accelerators doesn't count. Of every "
            "limit that\n"
            "binds it is said what a little more of it would be worth. Limits are held against the "
            "estimate;\n"
            "the answer says how likely they are kept.\n\n"
            "exit codes: 0 done, 1 nothing keeps the limits (the nearest miss is shown), 2 "
            "something in the\n"
            "input is not right, 130 stopped by Ctrl-C\n\n"
            "examples:\n"
            "  trainwright fit scenario.yaml --deadline 2027-03-01 --budget 12M\n"
            "  trainwright fit scenario.yaml --objective smallest --deadline 2027-03-01\n"
            "  trainwright fit scenario.yaml --objective greenest --region all --json | jq .best");
        choose(app, [this] { return fit(fit_); });
    }

    void addDiff() {
        CLI::App* app = command(root_, "diff",
                                "Compare two plans: what changed, what moved, and which change "
                                "explains how much.");
        app->add_option("A", diff_.before,
                        "The earlier one: a scenario file, a result that `plan --report x.json` "
                        "wrote, or - for standard input")
            ->required()
            ->check(files({"*.yaml", "*.yml", "*.json"}));
        app->add_option("B", diff_.after, "The later one; with --rev A is, and there is no B")
            ->check(files({"*.yaml", "*.yml", "*.json"}));
        app->add_option("--rev", diff_.revision,
                        "Compare the file as this revision of git has it: main, or "
                        "main:runs/scenario.yaml")
            ->option_text("REVISION");
        app->add_flag("--markdown", diff_.markdown, "Print Markdown, for a pull request");
        addReportOption(app, diff_.reports,
                        "Also write the comparison here, by suffix as .html, .pdf, .xlsx, .csv, "
                        ".json, .md or .txt; "
                        "may be given again");
        addDisplayOptions(app, diff_.display);
        addSearchOptions(app, diff_.search);
        addCalibrationOption(app, diff_.calibration);
        addCatalogOption(app, diff_.catalog);
        const auto earlier = [&](const char* name, std::string& value, const char* shown,
                                 const char* meaning) {
            return app->add_option(name, value, meaning)->option_text(shown);
        };
        earlier("--catalog-a", diff_.catalogBefore, "FILE",
                "Catalog for A, where A is a scenario and was planned with another")
            ->check(files({"*.sqlite"}));
        earlier("--overlay-a", diff_.overlayBefore, "FILE|none",
                "What was imported, for A; none for the catalog as it is shipped")
            ->check(files({"*.sqlite"}));
        earlier("--calibration-a", diff_.calibrationBefore, "FILE|none", "Calibration for A")
            ->check(files({"*.csv"}));
        app->footer(
            "A result holds the scenario, figures, prices and factors that it was made from, so "
            "that last\n"
            "month's result against today's scenario tells what moved because the catalog did. "
            "The share of a\n"
            "change is what it adds to those made before it, averaged over all orders (from nine "
            "changes on: over\n"
            "a sample, always the same); shares add up to the move.\n\n"
            "exit codes: 0 done, whatever moved, 1 no candidate of the later plan can be run, 2 "
            "something in the\n"
            "input is not right, 130 stopped by Ctrl-C\n\n"
            "examples:\n"
            "  trainwright diff old.yaml new.yaml\n"
            "  trainwright diff --rev main scenario.yaml --markdown\n"
            "  git show v1:scenario.yaml | trainwright diff - scenario.yaml\n"
            "  trainwright diff june.json scenario.yaml --report moved.html\n"
            "  trainwright diff scenario.yaml scenario.yaml --overlay-a none");
        choose(app, [this] { return diff(diff_); });
    }

    void addSweep() {
        CLI::App* app =
            command(root_, "sweep",
                    "Plan a scenario again and again over ranges of its values, a row a time.");
        app->add_option("FILE", sweep_.scenario, "Scenario file; - is standard input")
            ->required()
            ->check(files({"*.yaml", "*.yml"}));
        addRepeated(app, "--over", sweep_.over, "KEY=VALUES",
                    "A key of the scenario and its values: a list, or a range with a factor "
                    "(a..b:xK) or a step (a..b:+K); a..b doubles. The first one given changes "
                    "slowest; may be given again")
            ->required();
        addRepeated(app, "--candidate", sweep_.candidates, "NAME",
                    "Only the candidate of this name; may be given again");
        app->add_option("--format", sweep_.format,
                        "csv, or jsonl: one JSON object a line; csv, if not given")
            ->option_text("FORMAT")
            ->check(oneOf({"csv", "jsonl"}));
        app->add_flag_callback(
            "--json", [this] { sweep_.format = "jsonl"; }, "The same as --format jsonl");
        app->add_option("--output", sweep_.output,
                        "Write the rows here, as they come, instead of to standard output")
            ->option_text("FILE");
        addSearchOptions(app, sweep_.search);
        addCalibrationOption(app, sweep_.calibration);
        addCatalogOption(app, sweep_.catalog);
        app->footer(
            "A key is named by its path, as in training.sequence_length, or by any end of it that "
            "no\n"
            "other key has: sequence_length. candidates[ultra].accelerators is of one candidate "
            "alone.\n"
            "Values are written as in a scenario: 16M tokens, 200 GB/s, 20%. Names of columns end "
            "in\n"
            "the unit of their values. Ctrl-C stops, and keeps the rows that are finished.\n\n"
            "exit codes: 0 done, 1 no row can be run, 2 something in the input is not right,\n"
            "130 stopped by Ctrl-C\n\n"
            "examples:\n"
            "  trainwright sweep scenario.yaml --over accelerators=1024..65536:x2 > rows.csv\n"
            "  trainwright sweep scenario.yaml --over 'global_batch=1024 sequences,16M tokens' \\\n"
            "      --over sequence_length=4096,8192,32768 --format jsonl --output rows.jsonl\n"
            "  trainwright sweep scenario.yaml --over tensor=auto,4,8 --over "
            "discount=0%..40%:+10%");
        choose(app, [this] { return sweep(sweep_); });
    }

    void addClaims() {
        CLI::App* app = command(
            root_, "claims", "Hold what is said of Trainium against the catalog and the engine.");
        app->add_option("ID", claims_.claims,
                        "Claims to show in full; all in a table, if not given");
        addReportOption(app, claims_.reports,
                        "Also write the claims here, by suffix as .html, .pdf, .xlsx, .csv, .json, "
                        ".md or .txt; may be "
                        "given again");
        addRepeated(app, "--override", claims_.overrides, "FILE",
                    "Take the figures under `overrides` in this file in place of the "
                    "catalog's; may be given again")
            ->check(files({"*.yaml", "*.yml"}));
        app->add_option("--runs", claims_.runs,
                        "Published runs to use in place of the shipped ones")
            ->option_text("FILE")
            ->check(files({"*.csv"}));
        addDisplayOptions(app, claims_.display);
        app->add_option("--threads", claims_.threads,
                        "Threads to search with; as many as the machine has, if not given. The "
                        "result is the same")
            ->option_text("N")
            ->check(wholeNumber(0, kMostThreads));
        addCalibrationOption(app, claims_.calibration);
        addCatalogOption(app, claims_.catalog);
        app->footer(
            "A verdict is `holds`, `holds under conditions`, `contradicted` or `cannot be "
            "checked`. None is\n"
            "stored: each is worked out from figures, plans and published runs as they are.\n\n"
            "exit codes: 0 done, 2 something in the input is not right\n\n"
            "examples:\n"
            "  trainwright claims\n"
            "  trainwright claims half-cost\n"
            "  trainwright claims --report claims.html\n"
            "  trainwright claims ultra-1t --json | jq -r '.claims[0].scenario' | trainwright plan "
            "-");
        choose(app, [this] { return claims(claims_); });
    }

    void addValidate() {
        CLI::App* app = command(root_, "validate",
                                "Predict published runs, and show how far off predictions are.");
        app->add_option("--runs", validate_.runs,
                        "Runs to predict in place of the shipped ones: a CSV file with the same "
                        "columns (trainwright validate --help says which)")
            ->option_text("FILE")
            ->check(files({"*.csv"}));
        app->add_flag("--all", validate_.all, "Show every run, not the summaries and the worst");
        addReportOption(app, validate_.reports,
                        "Also write the comparison here, by suffix as .html, .pdf, .xlsx, .csv, "
                        ".json, .md or .txt; may "
                        "be given again");
        addDisplayOptions(app, validate_.display);
        addThreadsOption(app, validate_.threads);
        addCalibrationOption(app, validate_.calibration);
        addCatalogOption(app, validate_.catalog);
        app->footer(
            "Each run is predicted from what its row states and from the defaults of its "
            "software; what\n"
            "can't be predicted is listed with its reason. Columns: run_id, workload, model, "
            "accelerator,\n"
            "n_accel, seq_len, global_batch_seqs and one of step_time_s, tokens_per_s_per_accel,\n"
            "tflops_per_accel and mfu_pct are needed; layers, hidden, heads, kv_heads, ffn, "
            "vocab,\n"
            "dtype, tp, pp, vpp, cp, ep, micro_batch, zero_or_fsdp, sequence_parallel, "
            "recompute,\n"
            "framework, year, memory_gb_per_accel and notes help.\n\n"
            "examples:\n"
            "  trainwright validate\n"
            "  trainwright validate --runs runs.csv --all\n"
            "  trainwright validate --calibration none --report errors.html\n"
            "  trainwright validate --json | jq .summary");
        choose(app, [this] { return validate(validate_); });
    }

    void addCalibrate() {
        CLI::App* app =
            command(root_, "calibrate", "Fit factors of the catalog's figures to measured runs.");
        addRepeated(app, "--runs", calibrate_.runs, "FILE",
                    "Runs to fit, in the columns of `validate --runs`; may be given again")
            ->check(files({"*.csv"}));
        addRepeated(app, "--log", calibrate_.logs, "FILE",
                    "A training log to fit (Megatron-LM, NeMo, torchtitan, MaxText, NxD "
                    "Training, DeepSpeed, Hugging Face Trainer); may be given again");
        app->add_option("--scenario", calibrate_.scenario,
                        "The scenario of the logged run: its model, machine and layout")
            ->option_text("FILE")
            ->check(files({"*.yaml", "*.yml"}));
        app->add_option("--candidate", calibrate_.candidate,
                        "The scenario's candidate that ran; its only one, if not given")
            ->option_text("NAME");
        app->add_option("--output", calibrate_.output, "Write the calibration here, as CSV")
            ->option_text("FILE");
        app->add_option("--id", calibrate_.id, "What the calibration is called")
            ->option_text("NAME");
        addReportOption(app, calibrate_.reports,
                        "Also write factors and errors here, by suffix as .html, .pdf, .xlsx, "
                        ".csv, .json, .md or .txt; "
                        "may be given again");
        addDisplayOptions(app, calibrate_.display);
        addThreadsOption(app, calibrate_.threads);
        addCalibrationOption(app, calibrate_.calibration);
        addCatalogOption(app, calibrate_.catalog);
        app->footer(
            "Without --runs and --log the shipped runs are fitted from the catalog's figures. Own "
            "runs and\n"
            "logs are fitted on top of the calibration in use: factors of chips stay, those of "
            "the software\n"
            "that ran are fitted anew.\n\n"
            "exit codes: 0 done, 1 no run can be predicted, 2 something in the input is not "
            "right\n\n"
            "examples:\n"
            "  trainwright calibrate\n"
            "  trainwright calibrate --runs own-runs.csv --output own.csv\n"
            "  trainwright calibrate --log train.log --scenario run.yaml --output own.csv\n"
            "  trainwright plan scenario.yaml --calibration own.csv");
        choose(app, [this] { return calibrate(calibrate_); });
    }

    void addCatalog() {
        CLI::App* catalog =
            command(root_, "catalog", "Look into the catalog: every figure with its source.");
        CLI::App* list = command(*catalog, "list", "List what the catalog holds.");
        list->add_option("KIND", catalog_.subject,
                         "Only this kind: chip, system, region, model, …; all, if not given")
            ->check(suggested(catalog::kinds()));
        CLI::App* show =
            command(*catalog, "show", "Show every figure of an entry, its source and its rivals.");
        show->add_option("ID", catalog_.subject,
                         "An id that `catalog list` prints, as in trn2.48xlarge")
            ->required();
        CLI::App* check =
            command(*catalog, "check", "Check that the catalog's figures agree with each other.");
        for (CLI::App* app : {list, show, check}) {
            app->add_flag("--json", catalog_.json, "Print JSON, for programs");
            addCatalogOption(app, catalog_.catalog);
        }
        choose(list, [this] { return catalogList(catalog_); });
        choose(show, [this] { return catalogShow(catalog_); });
        choose(check, [this] { return catalogCheck(catalog_); });
        addImport(*catalog);
        addImportPrices(*catalog);
    }

    void addImportPrices(CLI::App& catalog) {
        CLI::App* prices = command(*catalog.get_subcommand("import"), "prices",
                                   "Read prices from files of AWS and others into the overlay.");
        prices->add_option("FILE", prices_.files, "Files of prices, of any of the kinds below")
            ->required();
        prices->add_flag("--dry-run", prices_.dryRun, "Say what would move, and write nothing");
        prices->add_flag("--all", prices_.all, "Show every price that moves, not the first 40");
        prices
            ->add_option("--observed", prices_.observed,
                         "Day of the prices in files that carry no date; today, if not given")
            ->option_text("DATE");
        prices->add_flag("--json", prices_.json, "Print JSON, for programs");
        addCatalogOption(prices, prices_.catalog);
        prices->footer(
            "Read are, whatever the file is called: AWS's EC2 offer files (JSON, CSV) and Savings "
            "Plan\n"
            "offer files (JSON; with the EC2 file of the region, or after it), `aws pricing\n"
            "get-products`, `aws ec2` describe-spot-price-history, "
            "describe-capacity-block-offerings,\n"
            "describe-instance-types and describe-instance-type-offerings, scrapes of the "
            "Capacity Block\n"
            "price page, SkyPilot's vms.csv, vantage's instances.json, FOCUS billing exports, and "
            "CSV in the\n"
            "columns of `catalog export`.\n\n"
            "All files are taken, or none. A file that was imported before changes nothing. The "
            "overlay is\n"
            "$XDG_DATA_HOME/trainwright/catalog.sqlite; the shipped catalog stays as it is.\n\n"
            "examples:\n"
            "  trainwright catalog import prices --dry-run ec2-us-east-2.json\n"
            "  trainwright catalog import prices ec2-us-east-2.json savings-plan-us-east-2.json\n"
            "  aws ec2 describe-spot-price-history --instance-types trn1.32xlarge > spot.json\n"
            "  trainwright catalog import prices spot.json");
        choose(prices, [this] { return catalogImportPrices(prices_); });

        CLI::App* imports = command(catalog, "imports", "List what was imported.");
        imports->add_flag("--json", catalog_.json, "Print JSON, for programs");
        addCatalogOption(imports, catalog_.catalog);
        choose(imports, [this] { return catalogImports(catalog_); });

        CLI::App* forget = command(catalog, "forget", "Take an import back, with all its prices.");
        forget->add_option("ID", forget_.id, "The number that `catalog imports` shows")->required();
        addCatalogOption(forget, catalog_.catalog);
        choose(forget, [this] { return catalogForget(forget_); });

        CLI::App* diff =
            command(catalog, "diff", "Show what imported prices move, or how two catalogs differ.");
        diff->add_option("A", catalogDiff_.before,
                         "A catalog or an overlay; the shipped catalog, if not given")
            ->check(files({"*.sqlite"}));
        diff->add_option("B", catalogDiff_.after,
                         "Another one; without it, A is laid against the shipped catalog")
            ->check(files({"*.sqlite"}));
        diff->add_flag("--all", catalogDiff_.all, "Show every difference, not the first 40");
        diff->add_flag("--json", catalogDiff_.json, "Print JSON, for programs");
        addCatalogOption(diff, catalogDiff_.catalog);
        diff->footer(
            "examples:\n"
            "  trainwright catalog diff\n"
            "  trainwright catalog diff last-month.sqlite this-month.sqlite --json");
        choose(diff, [this] { return catalogDiff(catalogDiff_); });

        CLI::App* out = command(catalog, "export", "Print prices as CSV, which can be imported.");
        out->add_flag("--prices", exportPrices_,
                      "Prices: what is exported without any choice, too");
        out->add_flag("--imported", export_.imported, "Only those that were imported");
        out->add_option("--output", export_.output, "Write them here instead of to standard output")
            ->option_text("FILE");
        addCatalogOption(out, export_.catalog);
        choose(out, [this] { return catalogExport(export_); });
    }

    void addImport(CLI::App& catalog) {
        CLI::App* import =
            command(catalog, "import", "Read a model or prices from files of other programs.");
        CLI::App* model =
            command(*import, "model",
                    "Read a Hugging Face config.json and print the model as a scenario takes it.");
        model->add_option("FILE", import_.file, "The config.json of a model")
            ->required()
            ->check(files({"*.json"}));
        model
            ->add_option("--id", import_.id,
                         "What to call the model; the name of the file or its folder, if not given")
            ->option_text("NAME");
        model->add_flag("--json", import_.json, "Print JSON, for programs");
        model->footer(
            "Prints the numbers of parameters and the `model:` block to paste into a scenario, on "
            "standard\n"
            "output; what is not modelled is said on standard error. The catalog stays as it "
            "is.\n\n"
            "example:\n"
            "  trainwright catalog import model Qwen3-8B/config.json --id qwen3-8b");
        choose(model, [this] { return catalogImportModel(import_); });
    }

    void addDesktop() {
        CLI::App* app = command(root_, "desktop",
                                "Open the desktop: edit scenarios and see what they come to.");
        app->add_option("FILE", desktop_.files, "Scenario files to open")
            ->check(files({"*.yaml", "*.yml"}));
        app->add_option("--lang", desktop_.language,
                        "Language of the desktop: en or es; the system's, if not given")
            ->option_text("LANGUAGE")
            ->check(oneOf({"en", "es"}));
        addCatalogOption(app, desktop_.catalog);
        addCalibrationOption(app, desktop_.calibration);
        app->footer(
            "The desktop edits the same files that all other commands read, and changes only the "
            "lines whose\nvalue changes.\n\n"
            "examples:\n"
            "  trainwright desktop\n"
            "  trainwright desktop llama3.1-70b.yaml --lang es");
        choose(app, [this] { return desktop(desktop_); });
    }

    void addScenarioFiles() {
        CLI::App* keys =
            command(root_, "schema", "Print the JSON Schema of scenario files, or of results.");
        std::vector<std::string> forms = reports::resultForms();
        forms.insert(forms.begin(), "scenario");
        keys->add_option("--of", schema_.of,
                         fmt::format("Of what: {}; scenario, if not given", fmt::join(forms, ", ")))
            ->option_text("FORM")
            ->check(oneOf(forms));
        keys->add_flag("--text", schema_.asText,
                       "Print every key with its meaning, unit and default, for reading");
        keys->footer(
            "Editors check scenario files with it, programs what --json and --report x.json "
            "write. `--of csv`\n"
            "has the columns of CSV files, as Table Schemas; `--of sweep` those of JSON "
            "lines.\n\n"
            "examples:\n"
            "  trainwright schema > scenario.schema.json\n"
            "  trainwright schema --of plan > plan.schema.json\n"
            "  trainwright schema --of csv --text");
        choose(keys, [this] { return schema(schema_); });

        CLI::App* fresh = command(root_, "new", "Print a commented scenario to start from.");
        fresh
            ->add_option("FILE", newFile_,
                         "Write it here, where no file is yet, instead of printing it")
            ->check(files({"*.yaml", "*.yml"}));
        choose(fresh, [this] { return newScenario(newFile_); });

        CLI::App* format =
            command(root_, "fmt", "Lay scenario files out the usual way; comments and order stay.");
        format
            ->add_option("FILE", format_.files,
                         "Scenario files; - is standard input, to standard output")
            ->required()
            ->check(files({"*.yaml", "*.yml"}));
        format->add_flag("--check", format_.check,
                         "Change nothing; exit with 1 if a file would change");
        choose(format, [this] { return formatScenarios(format_); });
    }

    /// Last, since what they offer is the names of the other commands.
    void addTexts() {
        CLI::App* completions =
            command(root_, "completion", "Print a script that makes a shell complete trainwright.");
        completions->add_option("SHELL", shell_, "bash, zsh or fish")
            ->required()
            ->check(oneOf(shells()));
        completions->footer(
            "Packages install these scripts where shells look for them; the examples are for what "
            "was built by\nhand.\n\n"
            "examples:\n"
            "  source <(trainwright completion bash)     # in ~/.bashrc\n"
            "  source <(trainwright completion zsh)      # in ~/.zshrc, after compinit\n"
            "  trainwright completion fish > ~/.config/fish/completions/trainwright.fish");
        choose(completions, [this] { return completion(describe(root_), shell_); });

        CLI::App* pages =
            command(root_, "man", "Print the manual page of a command, as roff for `man -l`.");
        CLI::Option* of = pages->add_option(
            "COMMAND", manual_.command,
            "The command, as in `catalog list`; trainwright itself, if not given");
        pages
            ->add_option("--output", manual_.output,
                         "Write the pages of all commands into this folder instead")
            ->option_text("DIR");
        pages->footer(
            "examples:\n"
            "  trainwright man plan | man -l -\n"
            "  trainwright man catalog import prices | man -l -");
        choose(pages, [this] { return manual(describe(root_), manual_); });

        std::vector<std::string> names;
        for (const CommandWords& below : describe(root_).commands) names.push_back(below.name());
        of->check(suggested(names));
    }

    void choose(CLI::App* app, Run run) {
        app->callback([this, run = std::move(run)] { chosen_ = run; });
    }

    CLI::App root_;
    bool showVersion_ = false;
    VersionOptions version_;
    PlanOptions plan_;
    ReportSiteOptions report_;
    ExplainOptions explain_;
    FitOptions fit_;
    DiffOptions diff_;
    SweepOptions sweep_;
    ClaimsOptions claims_;
    ValidateOptions validate_;
    CalibrateOptions calibrate_;
    CatalogOptions catalog_;
    ImportOptions import_;
    ImportPricesOptions prices_;
    CatalogDiffOptions catalogDiff_;
    CatalogExportOptions export_;
    bool exportPrices_ = true;
    CatalogForgetOptions forget_;
    SchemaOptions schema_;
    std::string newFile_;
    FormatOptions format_;
    DesktopCommandOptions desktop_;
    std::string shell_;
    ManualOptions manual_;
    Run chosen_;
};

}  // namespace

int runCommandLine(int argc, char** argv) {
    return CommandLine().run(argc, argv);
}

}  // namespace trainwright::app
