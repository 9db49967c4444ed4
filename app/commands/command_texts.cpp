// SPDX-License-Identifier: GPL-3.0-or-later
// Completion and manual pages, printed from the description of the command line.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/output_file.h"
#include "app/version.h"
#include "app/words/completion.h"
#include "app/words/manual.h"
#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

ExitCode refuse(Text text) {
    say(Finding{Severity::Error, std::move(text), {}});
    return ExitCode::BadInput;
}

ExitCode writeAll(const CommandWords& program, const std::string& folder) {
    for (const CommandWords* command : program.all()) {
        const std::filesystem::path file =
            std::filesystem::path(folder) / (manualName(*command) + ".1");
        auto failure = checkWritable(file.string());
        if (!failure) {
            failure = writeFile(file.string(), manualPage(*command, program, kProgramVersion));
        }
        if (failure) {
            say(*failure);
            return ExitCode::BadInput;
        }
    }
    return ExitCode::Done;
}

}  // namespace

ExitCode completion(const CommandWords& program, const std::string& shell) {
    return print(completionScript(program, shell));
}

ExitCode manual(const CommandWords& program, const ManualOptions& options) {
    if (!options.output.empty()) {
        return options.command.empty()
                   ? writeAll(program, options.output)
                   : refuse(Text{"--output is for all pages at once, without a command.", {}});
    }
    const CommandWords* command = &program;
    for (const std::string& name : options.command) {
        const auto found = std::find_if(command->commands.begin(), command->commands.end(),
                                        [&](const auto& below) { return below.name() == name; });
        if (found == command->commands.end()) {
            std::vector<std::string> known;
            for (const CommandWords& below : command->commands) known.push_back(below.name());
            const std::vector<std::string> near = units::nearestWords(name, known, 1);
            return near.empty() ? refuse(Text{"There is no command {1}.", {name}})
                                : refuse(Text{"There is no command {1}. Nearest: {2}.",
                                              {name, near.front()}});
        }
        command = &*found;
    }
    return print(manualPage(*command, program, kProgramVersion));
}

}  // namespace trainwright::app
