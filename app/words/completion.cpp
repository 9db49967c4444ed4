// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

namespace trainwright::app {
namespace {

std::string replaced(std::string text, std::string_view what, std::string_view with) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
    return text;
}

std::string joined(const std::vector<std::string>& words, const char* between = " ") {
    return fmt::format("{}", fmt::join(words, between));
}

/// What a list of choices has room for.
std::string brief(const std::string& meaning) {
    return meaning.substr(0,
                          std::min({meaning.find("; "), meaning.find(". "), meaning.find(" (")}));
}

/// In single quotes, for bash and zsh.
std::string inQuotes(const std::string& text) {
    return "'" + replaced(text, "'", "'\\''") + "'";
}

std::vector<std::string> inQuotesEach(std::vector<std::string> words) {
    for (std::string& word : words) word = inQuotes(word);
    return words;
}

std::vector<std::string> namesOf(const CommandWords& command) {
    std::vector<std::string> names;
    for (const CommandWords& below : command.commands) names.push_back(below.name());
    return names;
}

std::vector<std::string> optionNames(const CommandWords& command) {
    std::vector<std::string> names;
    for (const OptionWords& option : command.options) {
        names.insert(names.end(), option.names.begin(), option.names.end());
    }
    return names;
}

/// Patterns of `case` that lead to the same line.
class Cases {
public:
    void add(const std::string& pattern, const std::string& line) {
        if (patterns_[line].empty()) order_.push_back(line);
        patterns_[line].push_back(inQuotes(pattern));
    }
    [[nodiscard]] std::string text(const char* margin) const {
        std::string out;
        for (const std::string& line : order_) {
            out += fmt::format("{0}{1})\n{0}    {2} ;;\n", margin,
                               joined(patterns_.at(line), fmt::format(" | \\\n{}", margin).c_str()),
                               line);
        }
        return out;
    }

private:
    std::map<std::string, std::vector<std::string>> patterns_;
    std::vector<std::string> order_;
};

// --- bash

std::string bashValues(const ValueWords& values) {
    std::vector<std::string> calls;
    if (!values.words.empty()) {
        calls.push_back("_trainwright_words " + inQuotes(joined(values.words)));
    }
    if (values.isFile) {
        calls.push_back("_trainwright_files" + (values.patterns.empty()
                                                    ? ""
                                                    : " " + joined(inQuotesEach(values.patterns))));
    }
    // Which no file matches.
    if (values.isFolder) calls.emplace_back("_trainwright_files '*/'");
    return calls.empty() ? ":" : joined(calls, "; ");
}

std::string bash(const CommandWords& program) {
    Cases descents;
    Cases values;
    Cases options;
    Cases arguments;
    for (const CommandWords* command : program.all()) {
        const std::string name = command->fullName();
        if (command != &program) descents.add(name, "command+=\" ${COMP_WORDS[i]}\"");
        for (const OptionWords& option : command->options) {
            if (option.value.empty()) continue;
            for (const std::string& word : option.names) {
                values.add(name + " " + word, bashValues(option.values));
            }
        }
        options.add(name, "_trainwright_words " + inQuotes(joined(optionNames(*command))));
        if (!command->commands.empty()) {
            arguments.add(name, "_trainwright_words " + inQuotes(joined(namesOf(*command))));
        } else if (!command->arguments.empty()) {
            arguments.add(name, bashValues(command->arguments.front().values));
        }
    }
    return fmt::format(
        R"(# Completion of trainwright in bash, as `trainwright completion bash` prints it.
# SPDX-License-Identifier: GPL-3.0-or-later

_trainwright_words() {{
    local word
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <(compgen -W "$1" -- "$current")
}}

# Files of the patterns, and folders, since more of them may be in there.
_trainwright_files() {{
    local word pattern
    [[ $# -gt 0 ]] || set -- '*'
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do COMPREPLY+=("$word"); done < <({{
        compgen -d -- "$current"
        for pattern; do compgen -f -X "!$pattern" -- "$current"; done
    }} | sort -u)
}}

_trainwright() {{
    local current=${{COMP_WORDS[COMP_CWORD]}} previous=${{COMP_WORDS[COMP_CWORD - 1]}}
    # bash takes --option=value for three words.
    if [[ $current == = ]]; then
        current=
    elif [[ $previous == = ]]; then
        previous=${{COMP_WORDS[COMP_CWORD - 2]}}
    fi
    COMPREPLY=()

    # The command that the words before this one reach.
    local command=trainwright i
    for ((i = 1; i < COMP_CWORD; ++i)); do
        case "$command ${{COMP_WORDS[i]}}" in
{}        esac
    done

    case "$command $previous" in
{}        *) false ;;
    esac && return

    if [[ $current == -* ]]; then
        case "$command" in
{}        esac
        return
    fi

    case "$command" in
{}    esac
}}

complete -F _trainwright trainwright
)",
        descents.text("            "), values.text("        "), options.text("            "),
        arguments.text("        "));
}

// --- zsh

/// What stands after the last colon of an argument's specification.
std::string zshValues(const ValueWords& values) {
    if (values.isFolder) return "_files -/";
    if (!values.isFile) return values.words.empty() ? " " : "(" + joined(values.words) + ")";
    const std::string pattern = values.patterns.size() == 1
                                    ? values.patterns.front()
                                    : "(" + joined(values.patterns, "|") + ")";
    if (!values.words.empty()) {
        // The blank before it keeps _arguments from adding options of its own.
        return fmt::format(" _trainwright_file_or \"{}\" {}",
                           values.patterns.empty() ? "*" : pattern, joined(values.words));
    }
    return values.patterns.empty() ? "_files" : fmt::format("_files -g \"{}\"", pattern);
}

std::string zshEscaped(std::string text) {
    for (const char* special : {"\\", "[", "]", ":"}) {
        text = replaced(std::move(text), special, std::string("\\") + special);
    }
    return text;
}

std::string zshOption(const OptionWords& option) {
    std::string out;
    if (option.isRepeatable) {
        out += "'*'";
    } else if (option.names.size() > 1) {
        out += inQuotes("(" + joined(option.names) + ")");
    }
    out += option.names.size() == 1 ? option.names.front() : "{" + joined(option.names, ",") + "}";
    std::string rest = "[" + zshEscaped(brief(option.meaning)) + "]";
    if (!option.value.empty()) {
        rest += ":" + zshEscaped(option.value) + ":" + zshValues(option.values);
        // Both as "--option value" and as "--option=value".
        out += "=";
    }
    return out + inQuotes(rest);
}

std::string zshFunction(const CommandWords& command) {
    return "_" + replaced(command.fullName('_'), "-", "_");
}

void zshFunctions(const CommandWords& command, std::string& out) {
    for (const CommandWords& below : command.commands) zshFunctions(below, out);
    out += fmt::format("{}() {{\n", zshFunction(command));
    const bool isGroup = !command.commands.empty();
    if (isGroup) {
        out += "    local curcontext=$curcontext state line\n    typeset -A opt_args\n";
    }
    out += isGroup ? "    _arguments -C" : "    _arguments";
    for (const OptionWords& option : command.options) {
        out += " \\\n        " + zshOption(option);
    }
    for (const ArgumentWords& argument : command.arguments) {
        out += " \\\n        " +
               inQuotes((argument.isRepeatable ? "*:"
                         : argument.isRequired ? ":"
                                               : "::") +
                        zshEscaped(argument.name) + ":" + zshValues(argument.values));
    }
    if (isGroup) {
        out += " \\\n        ':command:->command' \\\n        '*::argument:->argument'\n";
        out += "    case $state in\n    command)\n        local -a commands=(\n";
        for (const CommandWords& below : command.commands) {
            out += "            " +
                   inQuotes(zshEscaped(below.name()) + ":" + zshEscaped(below.firstSentence())) +
                   "\n";
        }
        out += "        )\n        _describe -t commands command commands ;;\n";
        out += "    argument)\n        case $words[1] in\n";
        for (const CommandWords& below : command.commands) {
            out += fmt::format("        {}) {} ;;\n", below.name(), zshFunction(below));
        }
        out += "        esac ;;\n    esac\n";
    } else {
        out += "\n";
    }
    out += "}\n\n";
}

std::string zsh(const CommandWords& program) {
    std::string out =
        "#compdef trainwright\n"
        "# Completion of trainwright in zsh, as `trainwright completion zsh` prints it.\n"
        "# SPDX-License-Identifier: GPL-3.0-or-later\n\n"
        "_trainwright_file_or() {\n"
        "    local pattern=$1\n"
        "    shift\n"
        "    _alternative \"words:word:($*)\" \"files:file:_files -g ${(q)pattern}\"\n"
        "}\n\n";
    zshFunctions(program, out);
    // In a folder of $fpath the file is the body of _trainwright; else it is sourced.
    return out +
           "if [[ ${funcstack[1]-} == _trainwright ]]; then\n"
           "    _trainwright \"$@\"\n"
           "else\n"
           "    compdef _trainwright trainwright\n"
           "fi\n";
}

// --- fish

std::string fishQuotes(const std::string& text) {
    return "'" + replaced(replaced(text, "\\", "\\\\"), "'", "\\'") + "'";
}

std::string fishValues(const ValueWords& values, bool isOption) {
    std::vector<std::string> choices = values.words;
    if (values.isFile && values.patterns.empty() && choices.empty()) {
        return isOption ? " -r -F" : " -F";
    }
    if (values.isFile) {
        std::vector<std::string> suffixes;
        for (const std::string& pattern : values.patterns) suffixes.push_back(pattern.substr(1));
        // The empty suffix is every file's.
        choices.push_back(
            fmt::format("(__fish_complete_suffix {})", suffixes.empty() ? "''" : joined(suffixes)));
    }
    if (values.isFolder) choices.emplace_back("(__fish_complete_directories)");
    std::string out = isOption ? " -x" : "";
    if (!choices.empty()) out += " -k -a " + fishQuotes(joined(choices));
    return out;
}

std::string fish(const CommandWords& program) {
    std::string descents;
    std::string rules;
    for (const CommandWords* command : program.all()) {
        const std::string at =
            fmt::format("complete -c trainwright -n '__trainwright_at {}'", command->fullName());
        if (command != &program) descents += " '" + command->fullName() + "'";
        rules += "\n";
        for (const CommandWords& below : command->commands) {
            rules += fmt::format("{} -a {} -d {}\n", at, below.name(),
                                 fishQuotes(below.firstSentence()));
        }
        for (const ArgumentWords& argument : command->arguments) {
            const std::string values = fishValues(argument.values, false);
            if (!values.empty()) rules += at + values + "\n";
        }
        for (const OptionWords& option : command->options) {
            rules += at;
            for (const std::string& name : option.names) {
                rules += name.compare(0, 2, "--") == 0 ? " -l " + name.substr(2)
                                                       : " -s " + name.substr(1);
            }
            if (!option.value.empty()) rules += fishValues(option.values, true);
            rules += " -d " + fishQuotes(brief(option.meaning)) + "\n";
        }
    }
    return fmt::format(
        R"(# Completion of trainwright in fish, as `trainwright completion fish` prints it.
# SPDX-License-Identifier: GPL-3.0-or-later

# True where the words before this one reach the command that is named.
function __trainwright_at
    set -l command trainwright
    for word in (commandline -opc)[2..-1]
        switch "$command $word"
            case{}
                set command "$command $word"
        end
    end
    test "$command" = "$argv"
end

complete -c trainwright -f
{})",
        descents, rules);
}

}  // namespace

const std::vector<std::string>& shells() {
    static const std::vector<std::string> names{"bash", "zsh", "fish"};
    return names;
}

std::string completionScript(const CommandWords& program, const std::string& shell) {
    if (shell == "zsh") return zsh(program);
    return shell == "fish" ? fish(program) : bash(program);
}

}  // namespace trainwright::app
