// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <filesystem>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/output_file.h"
#include "data/scenario/registry.h"
#include "data/scenario/resolved_schema.h"
#include "data/scenario/scenario.h"
#include "reports/result_schema.h"

namespace trainwright::app {

ExitCode schema(const SchemaOptions& options) {
    if (options.of.empty() || options.of == "scenario")
        return print(options.asText ? scenario::helpText() : scenario::jsonSchema());
    const std::optional<std::string> text =
        options.asText
            ? reports::resultText(options.of)
            : reports::resultSchema(options.of, reports::Json::parse(scenario::resolvedSchema()));
    return text ? print(*text) : ExitCode::BadInput;
}

ExitCode newScenario(const std::string& file) {
    if (file.empty() || file == "-") {
        return print(scenario::starter());
    }
    std::error_code ignored;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, ignored))) {
        say(Finding{
            Severity::Error,
            Text{"This file exists already and stays as it is; the starter needs another name.",
                 {}},
            Place{file, 0, 0, {}}});
        return ExitCode::BadInput;
    }
    auto failure = checkWritable(file);
    if (!failure) {
        failure = writeFile(file, scenario::starter());
    }
    if (failure) {
        say(*failure);
        return ExitCode::BadInput;
    }
    fmt::print(stderr, "{}: Written.\n", file);
    return ExitCode::Done;
}

ExitCode formatScenarios(const FormatOptions& options) {
    bool wouldChange = false;
    bool isSound = true;
    for (const std::string& file : options.files) {
        const Outcome<std::string> text = readScenarioText(file);
        if (!text) {
            say(text.findings());
            isSound = false;
            continue;
        }
        const Outcome<std::string> formatted = scenario::format(*text, shownName(file));
        say(formatted.findings());
        if (!formatted) {
            isSound = false;
            continue;
        }
        const bool changes = *formatted != *text;
        if (options.check) {
            if (changes) {
                fmt::print(stderr, "{}: The layout would change.\n", file);
                wouldChange = true;
            }
            continue;
        }
        if (file == "-") {
            if (print(*formatted) != ExitCode::Done) {
                isSound = false;
            }
        } else if (changes) {
            if (const auto failure = writeFile(file, *formatted)) {
                say(*failure);
                isSound = false;
            } else {
                fmt::print(stderr, "{}: The layout is changed.\n", file);
            }
        }
    }
    if (!isSound) {
        return ExitCode::BadInput;
    }
    return wouldChange ? ExitCode::Infeasible : ExitCode::Done;
}

}  // namespace trainwright::app
