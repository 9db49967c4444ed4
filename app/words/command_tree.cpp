// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/command_tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace trainwright::app {
namespace {

std::string inBraces(const std::vector<std::string>& words) {
    return fmt::format("{{{}}}", fmt::join(words, ","));
}

std::vector<std::string> split(std::string_view text, char between) {
    std::vector<std::string> parts;
    while (true) {
        const std::size_t end = std::min(text.find(between), text.size());
        parts.emplace_back(text.substr(0, end));
        if (end == text.size()) return parts;
        text.remove_prefix(end + 1);
    }
}

/// From the descriptions of the checks, which CLI11 gives as "TEXT:{a4,letter}", and from how help
/// names the value: "FILE|none".
ValueWords valuesOf(const CLI::Option& option, const std::string& shown) {
    ValueWords values;
    const std::vector<std::string> alternatives = split(shown, '|');
    values.isFile = alternatives.front() == "FILE";
    values.isFolder = alternatives.front() == "DIR";
    for (const std::string& check : split(option.get_type_name(), ':')) {
        if (check.size() > 2 && check.front() == '{' && check.back() == '}') {
            values.words = split(std::string_view(check).substr(1, check.size() - 2), ',');
        } else if (!check.empty() && check.front() == '*') {
            values.patterns = split(check, ',');
            values.isFile = true;
        }
    }
    if (values.isFile) {
        values.words.insert(values.words.end(), alternatives.begin() + 1, alternatives.end());
    }
    return values;
}

bool takesAnyNumber(const CLI::Option& option) {
    return option.get_expected_max() > 1 ||
           option.get_multi_option_policy() == CLI::MultiOptionPolicy::TakeAll;
}

CommandWords describe(const CLI::App& app, std::vector<std::string> path) {
    path.push_back(app.get_name());
    CommandWords command;
    command.description = app.get_description();
    command.footer = app.get_footer();
    for (const CLI::Option* option : app.get_options()) {
        if (option->get_positional()) {
            const std::string name = option->get_name(true);
            command.arguments.push_back({name, option->get_description(), option->get_required(),
                                         takesAnyNumber(*option), valuesOf(*option, name)});
        }
        if (option->nonpositional()) {
            OptionWords words;
            for (const std::string& letter : option->get_snames()) {
                words.names.push_back("-" + letter);
            }
            for (const std::string& word : option->get_lnames()) {
                words.names.push_back("--" + word);
            }
            words.value = option->get_option_text();
            words.meaning = option->get_description();
            words.isRepeatable = takesAnyNumber(*option);
            words.values = valuesOf(*option, words.value);
            command.options.push_back(std::move(words));
        }
    }
    for (const CLI::App* below : app.get_subcommands([](const CLI::App*) { return true; })) {
        command.commands.push_back(describe(*below, path));
    }
    command.path = std::move(path);
    return command;
}

}  // namespace

CLI::Validator oneOf(const std::vector<std::string>& words) {
    return CLI::Validator(
        [words](const std::string& text) {
            if (std::find(words.begin(), words.end(), text) != words.end()) {
                return std::string();
            }
            return fmt::format("One of {} is expected, not {}", fmt::join(words, ", "), text);
        },
        inBraces(words));
}

CLI::Validator suggested(const std::vector<std::string>& words) {
    return CLI::Validator([](const std::string&) { return std::string(); }, inBraces(words));
}

CLI::Validator files(std::initializer_list<const char*> patterns) {
    return CLI::Validator([](const std::string&) { return std::string(); },
                          fmt::format("{}", fmt::join(patterns, ",")));
}

std::string CommandWords::fullName(char between) const {
    return fmt::format("{}", fmt::join(path, std::string(1, between)));
}

std::string CommandWords::usage() const {
    if (!commands.empty()) {
        return fullName() + (path.size() == 1 ? " COMMAND [ARGUMENTS]" : " COMMAND");
    }
    std::string out = fullName();
    for (const ArgumentWords& argument : arguments) {
        const std::string name = argument.name + (argument.isRepeatable ? "…" : "");
        out += argument.isRequired ? " " + name : " [" + name + "]";
    }
    return out + " [OPTIONS]";
}

std::string CommandWords::firstSentence() const {
    const std::string first =
        description.substr(0, std::min(description.find(". "), description.find('\n')));
    return !first.empty() && first.back() == '.' ? first.substr(0, first.size() - 1) : first;
}

std::vector<const CommandWords*> CommandWords::all() const {
    std::vector<const CommandWords*> found{this};
    for (const CommandWords& command : commands) {
        const std::vector<const CommandWords*> below = command.all();
        found.insert(found.end(), below.begin(), below.end());
    }
    return found;
}

CommandWords describe(const CLI::App& app) {
    std::vector<std::string> above;
    for (const CLI::App* parent = app.get_parent(); parent != nullptr;
         parent = parent->get_parent()) {
        above.insert(above.begin(), parent->get_name());
    }
    return describe(app, std::move(above));
}

}  // namespace trainwright::app
