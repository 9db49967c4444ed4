// SPDX-License-Identifier: GPL-3.0-or-later
// Starts the desktop, which lives in a library of its own: a headless machine needs none of it.
#include <dlfcn.h>
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/commands/plan_report.h"
#include "app/desktop_plugin/desktop_plugin.h"
#include "app/git_show.h"
#include "app/version.h"
#include "data/scenario/yaml.h"
#include "ui/window/desktop.h"

namespace trainwright::app {
namespace {

bool isSet(const char* variable) {
    const char* value = std::getenv(variable);
    return value != nullptr && *value != '\0';
}

/// Qt ends the program where it finds no display; so it is asked for first.
bool hasDisplay() {
    return isSet("DISPLAY") || isSet("WAYLAND_DISPLAY") || isSet("QT_QPA_PLATFORM");
}

Finding refusal(Text text, const std::string& file = {}) {
    return Finding{Severity::Error, std::move(text), Place{file, 0, 0, {}}};
}

}  // namespace

ExitCode desktop(const DesktopCommandOptions& options) {
    if (!hasDisplay()) {
        say(
            refusal(Text{"There is no display to show the desktop on: neither DISPLAY nor "
                         "WAYLAND_DISPLAY is set. `trainwright plan` needs none.",
                         {}}));
        return ExitCode::BadInput;
    }
    const std::string file = installPrefix() + "/lib/trainwright/" + kDesktopPluginFile;
    if (!std::filesystem::exists(file)) {
        say(refusal(
            Text{"The desktop isn't installed here. All other commands work without it.", {}},
            file));
        return ExitCode::BadInput;
    }
    // Never closed: Qt can't be unloaded.
    void* library = ::dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    const char* why = library == nullptr ? ::dlerror() : nullptr;
    auto* run = library == nullptr
                    ? nullptr
                    : reinterpret_cast<RunDesktop*>(::dlsym(library, kRunDesktopSymbol));
    if (run == nullptr) {
        if (why == nullptr) why = ::dlerror();
        say(refusal(Text{"The desktop can't be loaded: {1}.", {why == nullptr ? "" : why}}, file));
        return ExitCode::BadInput;
    }

    ui::DesktopOptions desktop;
    desktop.openCatalog = [catalog = options.catalog, calibration = options.calibration] {
        return openCatalog(catalog, calibration);
    };
    desktop.contextOf = contextOf;
    desktop.readRevision = [](const std::string& revision, const std::string& path) {
        const GitObject git = gitObject(revision, path);
        return gitShow(git.object, git.folder, scenario::yaml::kMaxFileBytes);
    };
    desktop.writeReport = [](const search::PlanRequest& request, const search::PlanResult& result,
                             const reports::ReportContext& context, const std::string& language,
                             const std::string& report) {
        const Outcome<std::vector<ReportJob>> jobs = planReports(
            {report}, {report},
            reports::languageFromCode(language).value_or(reports::Language::English));
        if (!jobs) return jobs.findings();
        const std::optional<Finding> problem =
            writeReport(jobs->front(), planContent(request, result, context));
        return problem ? std::vector<Finding>{*problem} : std::vector<Finding>{};
    };
    desktop.catalog = catalogPath(options.catalog);
    desktop.overlay = overlayPath();
    desktop.examples = installPrefix() + "/share/trainwright/scenarios";
    desktop.programVersion = kProgramVersion;
    desktop.language = options.language;
    desktop.files = options.files;

    static std::array<char, 12> name{"trainwright"};
    static std::array<char*, 2> arguments{name.data(), nullptr};
    static int count = 1;
    const int code = run(count, arguments.data(), desktop);
    return code == 0 ? ExitCode::Done : ExitCode::BadInput;
}

}  // namespace trainwright::app
