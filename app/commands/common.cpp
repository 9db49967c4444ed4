// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/common.h"

#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "app/output_file.h"
#include "app/version.h"
#include "data/catalog/calibration_rows.h"
#include "data/scenario/scenario.h"
#include "data/scenario/yaml.h"
#include "model/units/content_hash.h"
#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

volatile sig_atomic_t interrupted = 0;

/// By --overlay; empty where it isn't given. Set once, before any command runs.
std::string chosenOverlay;

extern "C" void onInterrupt(int) {
    interrupted = 1;
}

}  // namespace

void say(const std::vector<Finding>& findings) {
    for (const Finding& finding : findings) {
        say(finding);
    }
}

void say(const Finding& finding) {
    fmt::print(stderr, "{}\n", finding.english());
}

ExitCode print(const std::string& result, ExitCode otherwise) {
    if (const auto failure = writeStandardOutput(result)) {
        say(*failure);
        return ExitCode::BadInput;
    }
    return otherwise;
}

std::string installPrefix() {
    std::error_code error;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
    return program.parent_path().parent_path().string();
}

std::string catalogPath(const std::string& option) {
    if (!option.empty()) {
        return option;
    }
    const char* named = std::getenv("TRAINWRIGHT_CATALOG");
    if (named != nullptr && *named != '\0') {
        return named;
    }
    return installPrefix() + "/share/trainwright/catalog.sqlite";
}

std::string overlayPath() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return value == nullptr ? std::string() : std::string(value);
    };
    std::string path = chosenOverlay;
    if (path.empty()) {
        path = variable("TRAINWRIGHT_OVERLAY");
    }
    if (path.empty()) {
        // As the XDG Base Directory Specification has it: a relative path doesn't count.
        std::filesystem::path folder = variable("XDG_DATA_HOME");
        if (!folder.is_absolute()) {
            const std::string home = variable("HOME");
            folder = home.empty() ? std::filesystem::path()
                                  : std::filesystem::path(home) / ".local" / "share";
        }
        return folder.empty() ? std::string()
                              : (folder / "trainwright" / "catalog.sqlite").string();
    }
    return path == "none" ? std::string() : path;
}

void useOverlay(const std::string& option) {
    chosenOverlay = option;
}

Outcome<catalog::Catalog> openCatalog(const std::string& option, const std::string& calibration) {
    const std::string overlay = overlayPath();
    if (!chosenOverlay.empty() && !overlay.empty() && !std::filesystem::exists(overlay)) {
        return Finding{Severity::Error,
                       Text{"there is no overlay here; `trainwright catalog import prices` makes "
                            "one",
                            {}},
                       Place{overlay, 0, 0, {}}};
    }
    Outcome<catalog::Catalog> opened = catalog::Catalog::open(catalogPath(option), overlay);
    if (!opened || calibration.empty()) return opened;
    if (calibration == "none") {
        opened.value().useCalibration(nullptr);
        return opened;
    }
    const Outcome<std::string> text = scenario::yaml::readText(calibration);
    if (!text) return text.findings();
    Outcome<belief::Calibration> read = catalog::readCalibration(*text, calibration);
    if (!read) return read.findings();
    opened.value().useCalibration(
        std::make_shared<const belief::Calibration>(std::move(read).value()));
    return opened;
}

Outcome<std::vector<import::PublishedRun>> openRuns(const std::string& option,
                                                    const catalog::Catalog& catalog) {
    if (option.empty()) return import::readRuns(catalog.runs());
    const Outcome<std::string> text = scenario::yaml::readText(option);
    if (!text) return text.findings();
    return import::readRuns(*text, option);
}

Outcome<std::string> readScenarioText(const std::string& file) {
    return file == "-" ? readStandardInput(scenario::yaml::kMaxFileBytes)
                       : scenario::yaml::readText(file);
}

std::string shownName(const std::string& file) {
    return file == "-" ? "<stdin>" : file;
}

Outcome<PreparedScenario> prepare(const std::string& file, const catalog::Catalog& catalog) {
    const Outcome<std::string> text = readScenarioText(file);
    if (!text) {
        return text.findings();
    }
    return prepareText(*text, file, shownName(file), catalog);
}

reports::ReportContext contextOf(const scenario::Scenario& scenario, const std::string& text,
                                 const std::string& shown, const catalog::Catalog& catalog) {
    reports::ReportContext context;
    context.scenarioFile = shown;
    context.scenarioJson = scenario::toJson(scenario);
    context.scenarioText = text;
    context.programVersion = kProgramVersion;
    context.catalogVersion = catalog.version();
    context.catalogHash = catalog.hash();
    context.scenarioHash = units::ContentHash().add(text).hex();
    return context;
}

Outcome<PreparedScenario> prepareText(const std::string& text, const std::string& file,
                                      const std::string& shown, const catalog::Catalog& catalog) {
    Outcome<scenario::Loaded> loaded = scenario::load(text, shown, catalog);
    if (!loaded) {
        return loaded.findings();
    }
    say(loaded.findings());

    PreparedScenario prepared;
    prepared.file = file;
    prepared.text = text;
    prepared.request = std::move(loaded.value().request);
    prepared.context = contextOf(loaded->scenario, text, shown, catalog);
    return prepared;
}

Outcome<PreparedScenario> prepare(const std::string& file, const std::string& catalogOption,
                                  const std::string& calibration) {
    const Outcome<catalog::Catalog> catalog = openCatalog(catalogOption, calibration);
    if (!catalog) {
        return catalog.findings();
    }
    return prepare(file, *catalog);
}

Outcome<std::size_t> candidateIndex(const PreparedScenario& scenario, const std::string& name) {
    std::vector<std::string> names;
    for (const search::CandidateRequest& candidate : scenario.request.candidates) {
        if (candidate.name == name) {
            return names.size();
        }
        names.push_back(candidate.name);
    }
    const Place place{scenario.context.scenarioFile, 0, 0, "candidates"};
    const std::vector<std::string> close = units::nearestWords(name, names, 1);
    if (close.empty()) {
        return Finding{Severity::Error,
                       Text{"There is no candidate `{1}`. The candidates are {2}.",
                            {name, fmt::format("{}", fmt::join(names, ", "))}},
                       place};
    }
    return Finding{Severity::Error,
                   Text{"There is no candidate `{1}`. Nearest: {2}.", {name, close.front()}},
                   place};
}

void watchInterrupts() {
    struct sigaction action {};
    action.sa_handler = onInterrupt;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
}

bool isInterrupted() {
    return interrupted != 0;
}

}  // namespace trainwright::app
