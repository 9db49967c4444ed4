// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

namespace trainwright::app {
namespace {

/// The code point that begins at `text[at]`, and how many bytes it takes.
std::pair<unsigned, std::size_t> codePoint(std::string_view text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC0 ? 2 : 1;
    unsigned code = length == 1 ? lead : lead & (0xFFU >> (length + 1));
    for (std::size_t i = 1; i < length && at + i < text.size(); ++i) {
        code = (code << 6U) | (static_cast<unsigned char>(text[at + i]) & 0x3FU);
    }
    return {code, length};
}

/// As it is to be seen. Escaped is whatever roff, or a typesetter's idea of quotes, would change.
std::string escaped(std::string_view text) {
    std::string out;
    // A dot or a quote that begins a line would make it a request.
    bool isAtStart = true;
    for (std::size_t at = 0; at < text.size();) {
        const auto [code, length] = codePoint(text, at);
        switch (code) {
            case '\\':
                out += "\\e";
                break;
            case '-':
                out += "\\-";
                break;
            case '\'':
                out += "\\(aq";
                break;
            case '`':
                out += "\\(ga";
                break;
            case '^':
                out += "\\(ha";
                break;
            case '~':
                out += "\\(ti";
                break;
            case '.':
                out += isAtStart ? "\\&." : ".";
                break;
            default:
                out += code < 0x80 ? std::string(1, static_cast<char>(code))
                                   : fmt::format("\\[u{:04X}]", code);
        }
        isAtStart = code == '\n';
        at += length;
    }
    return out;
}

std::string bold(std::string_view text) {
    return "\\fB" + escaped(text) + "\\fP";
}
std::string italic(std::string_view text) {
    return "\\fI" + escaped(text) + "\\fP";
}

std::vector<std::string> linesOf(const std::string& text) {
    std::vector<std::string> lines;
    std::size_t from = 0;
    while (from < text.size()) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

std::string onOneLine(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    return text;
}

/// Running text on one line of the source; what is in backquotes is bold.
std::string prose(const std::string& text) {
    std::string out;
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t open = rest.find('`');
        const std::size_t close = open == std::string_view::npos ? open : rest.find('`', open + 1);
        if (close == std::string_view::npos) {
            out += escaped(rest);
            break;
        }
        out += escaped(rest.substr(0, open)) + bold(rest.substr(open + 1, close - open - 1));
        rest.remove_prefix(close + 1);
    }
    return onOneLine(out);
}

std::string heading(const char* title) {
    return fmt::format(".SH {}\n", title);
}

/// A term and what it means.
std::string item(const std::string& term, const std::string& meaning) {
    return fmt::format(".TP\n{}\n{}\n", term, prose(meaning));
}

bool beginsWith(std::string_view text, std::string_view beginning) {
    return text.substr(0, beginning.size()) == beginning;
}

/// The footer of a command, which help shows as it is, taken apart.
struct Footer {
    std::vector<std::string> paragraphs;
    std::string exitCodes;                           ///< "0 done, 1 nothing can be run"
    std::vector<std::vector<std::string>> examples;  ///< lines, without their margin
};

Footer takenApart(const std::string& text) {
    constexpr std::string_view kExitCodes = "exit codes:";
    constexpr std::string_view kMargin = "  ";
    Footer footer;
    std::string* open = nullptr;  // what the next line goes on with
    bool isExample = false;
    const std::vector<std::string> lines = linesOf(text);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::string& line = lines[i];
        const bool isIndented = beginsWith(line, kMargin);
        if (isIndented) {
            if (!isExample) footer.examples.emplace_back();
            footer.examples.back().push_back(line.substr(kMargin.size()));
        } else if (line.empty()) {
            open = nullptr;
        } else if (beginsWith(line, kExitCodes)) {
            footer.exitCodes = line.substr(kExitCodes.size());
            open = &footer.exitCodes;
        } else if (line.back() == ':' && i + 1 < lines.size() &&
                   beginsWith(lines[i + 1], kMargin)) {
            // "examples:", for which a page has a heading.
        } else if (open != nullptr) {
            *open += " " + line;
        } else {
            footer.paragraphs.push_back(line);
            open = &footer.paragraphs.back();
        }
        isExample = isIndented;
    }
    return footer;
}

/// "0 done, 1 nothing can be run, or too late" is of 0 and of 1.
std::string exitStatus(const std::string& codes) {
    std::string out;
    std::size_t from = codes.find_first_not_of(' ');
    while (from < codes.size()) {
        const std::size_t blank = std::min(codes.find(' ', from), codes.size());
        std::size_t end = blank;
        do {
            end = std::min(codes.find(", ", end + 1), codes.size());
        } while (end + 2 < codes.size() &&
                 std::isdigit(static_cast<unsigned char>(codes[end + 2])) == 0);
        out += item(bold(codes.substr(from, blank - from)),
                    blank < end ? codes.substr(blank + 1, end - blank - 1) : std::string());
        from = end + 2;
    }
    return out;
}

std::string synopsis(const CommandWords& command) {
    std::string out = bold(command.fullName());
    if (!command.commands.empty()) return out + " " + italic("COMMAND") + " ...";
    for (const ArgumentWords& argument : command.arguments) {
        const std::string name = italic(argument.name) + (argument.isRepeatable ? " ..." : "");
        out += argument.isRequired ? " " + name : " [" + name + "]";
    }
    return out + " [" + italic("OPTIONS") + "]";
}

/// How a name line goes on: a small letter, no full stop.
std::string nameOf(const CommandWords& command) {
    CommandWords whole = command;
    whole.description = onOneLine(command.description);
    std::string first = whole.firstSentence();
    if (!first.empty()) {
        first[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(first[0])));
    }
    return first;
}

/// The page of the command above, and those below; of the program, all.
std::string seeAlso(const CommandWords& command, const CommandWords& program) {
    std::vector<std::string> names;
    for (const CommandWords* other : program.all()) {
        const bool isAbove =
            other->path.size() < command.path.size() &&
            std::equal(other->path.begin(), other->path.end(), command.path.begin());
        const bool isBelow =
            other->path.size() > command.path.size() &&
            std::equal(command.path.begin(), command.path.end(), other->path.begin());
        if (isAbove || isBelow) names.push_back(manualName(*other));
    }
    std::string out;
    for (const std::string& name : names) {
        out += fmt::format(".BR {} (1){}\n", escaped(name), &name == &names.back() ? "" : ",");
    }
    return out;
}

}  // namespace

std::string manualName(const CommandWords& command) {
    return command.fullName('-');
}

std::string manualPage(const CommandWords& command, const CommandWords& program,
                       const std::string& programVersion) {
    const std::string name = manualName(command);
    std::string title = name;
    std::transform(title.begin(), title.end(), title.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::string out = fmt::format(
        ".\\\" SPDX-License-Identifier: GPL-3.0-or-later\n"
        ".TH {} 1 \"\" \"trainwright {}\" \"Trainwright\"\n"
        // Names of options and variables are to stay whole.
        ".nh\n.ad l\n",
        escaped(title), programVersion);
    out += heading("NAME") + escaped(name) + " \\- " + escaped(nameOf(command)) + "\n";
    out += heading("SYNOPSIS") + synopsis(command) + "\n";

    const Footer footer = takenApart(command.footer);
    out += heading("DESCRIPTION") + prose(command.description) + "\n";
    for (const std::string& paragraph : footer.paragraphs) {
        out += ".PP\n" + prose(paragraph) + "\n";
    }
    if (!command.commands.empty()) {
        out += heading("COMMANDS");
        for (const CommandWords& below : command.commands) {
            out += item(bold(below.name()), below.description);
        }
    }
    if (!command.arguments.empty()) {
        out += heading("ARGUMENTS");
        for (const ArgumentWords& argument : command.arguments) {
            out += item(italic(argument.name), argument.meaning);
        }
    }
    out += heading("OPTIONS");
    for (const OptionWords& option : command.options) {
        std::string term;
        for (const std::string& word : option.names)
            term += (term.empty() ? "" : ", ") + bold(word);
        if (!option.value.empty()) term += " " + italic(option.value);
        out += item(term, option.meaning);
    }
    if (!footer.exitCodes.empty()) out += heading("EXIT STATUS") + exitStatus(footer.exitCodes);
    if (!footer.examples.empty()) {
        out += heading("EXAMPLES");
        for (const std::vector<std::string>& example : footer.examples) {
            out += ".EX\n";
            for (const std::string& line : example) out += escaped(line) + "\n";
            out += ".EE\n";
        }
    }
    return out + heading("SEE ALSO") + seeAlso(command, program);
}

}  // namespace trainwright::app
