// SPDX-License-Identifier: GPL-3.0-or-later
// What the description of the command line says, as plain values: the one source of --help, of
// completion in shells and of the manual pages.
//
// CLI11 keeps what an option takes as a check. The two checks made here say it in the check's own
// description, so that describe() finds it there again.
#pragma once

#include <CLI/CLI.hpp>
#include <initializer_list>
#include <string>
#include <vector>

namespace trainwright::app {

/// The check of something that is one of some words.
[[nodiscard]] CLI::Validator oneOf(const std::vector<std::string>& words);
/// No check, for what the command looks at itself: these words are offered where it is typed.
[[nodiscard]] CLI::Validator suggested(const std::vector<std::string>& words);
/// No check, either: files of these patterns are offered, as in "*.yaml".
[[nodiscard]] CLI::Validator files(std::initializer_list<const char*> patterns);

/// What may stand for a value.
struct ValueWords {
    std::vector<std::string> words;     ///< a fixed set; with `isFile`: what may stand instead
    bool isFile = false;                ///< a file
    std::vector<std::string> patterns;  ///< of the files that are meant; empty: any
    bool isFolder = false;              ///< a folder, and no file
};

struct OptionWords {
    std::vector<std::string> names;  ///< with their dashes, short ones first
    std::string value;               ///< how help names the value; empty: it takes none
    std::string meaning;
    bool isRepeatable = false;
    ValueWords values;
};

struct ArgumentWords {
    std::string name;  ///< "FILE"
    std::string meaning;
    bool isRequired = false;
    bool isRepeatable = false;
    ValueWords values;
};

struct CommandWords {
    std::vector<std::string> path;  ///< "trainwright", "catalog", "list"
    std::string description;
    std::string footer;  ///< lines as help shows them
    std::vector<ArgumentWords> arguments;
    std::vector<OptionWords> options;
    std::vector<CommandWords> commands;

    [[nodiscard]] const std::string& name() const { return path.back(); }
    /// "trainwright catalog list", with another character in place of the blanks if one is given.
    [[nodiscard]] std::string fullName(char between = ' ') const;
    /// "trainwright catalog list [KIND] [OPTIONS]"
    [[nodiscard]] std::string usage() const;
    /// The description's, without its full stop.
    [[nodiscard]] std::string firstSentence() const;
    /// This command and all below it, in the order of help.
    [[nodiscard]] std::vector<const CommandWords*> all() const;
};

/// Of `app` and all its commands, in the order in which they were added.
[[nodiscard]] CommandWords describe(const CLI::App& app);

}  // namespace trainwright::app
