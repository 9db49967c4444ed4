// SPDX-License-Identifier: GPL-3.0-or-later
// Completion and manual pages against --help, which they are to hold in full, and in the shells and
// formatters that read them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::IsSupersetOf;
using testing::Not;
using testing::UnorderedElementsAre;

using Words = std::vector<std::string>;

/// A command as --help shows it.
struct Helped {
    Words path;               ///< without the program
    Words commands, options;  ///< options with their dashes
    std::string usage;
};

std::string joined(const Words& words, const char* between) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : between) + word;
    return out;
}

void addHelp(const Words& path, std::vector<Helped>& all) {
    Words arguments = path;
    arguments.emplace_back("--help");
    Helped helped;
    helped.path = path;
    std::string section;
    for (const std::string& line : lines(run(arguments).output)) {
        if (line[0] != ' ') section = line;
        if (line.compare(0, 7, "usage: ") == 0) helped.usage = line.substr(7);
        // A row begins after two blanks; more of them are the meaning of the row above.
        if (line.compare(0, 2, "  ") != 0 || line[2] == ' ') continue;
        if (section == "commands:") {
            helped.commands.push_back(line.substr(2, line.find(' ', 2) - 2));
        }
        if (section == "options:") {
            for (std::size_t at = 2; at < line.size() && line[at] == '-';) {
                const std::size_t end = std::min(line.find_first_of(", ", at), line.size());
                helped.options.push_back(line.substr(at, end - at));
                at = line.compare(end, 2, ", ") == 0 ? end + 2 : line.size();
            }
        }
    }
    all.push_back(helped);
    for (const std::string& command : helped.commands) {
        Words below = path;
        below.push_back(command);
        addHelp(below, all);
    }
}

const std::vector<Helped>& everyCommand() {
    static const std::vector<Helped> all = [] {
        std::vector<Helped> found;
        addHelp({}, found);
        return found;
    }();
    return all;
}

/// Where a tool is, if this machine has it.
std::string tool(const std::string& name) {
    for (const char* folder : {"/usr/local/bin/", "/usr/bin/", "/bin/"}) {
        if (fs::exists(folder + name)) return folder + name;
    }
    return {};
}

std::string script(const std::string& shell) {
    const Execution done = run({"completion", shell});
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.errors, IsEmpty());
    return done.output;
}

TEST(CommandTexts, AreOfAllThatHelpShows) {
    ASSERT_GT(everyCommand().size(), 20U);
    std::size_t options = 0;
    for (const Helped& command : everyCommand()) {
        EXPECT_THAT(command.options, IsSupersetOf({"-h", "--help"})) << command.usage;
        options += command.options.size();
    }
    EXPECT_GT(options, 200U);
}

/// A folder with scenarios and other files, and the script in it.
class BashCompletion : public testing::Test {
protected:
    void SetUp() override {
        if (tool("bash").empty()) GTEST_SKIP() << "no bash here";
        script_ = folder_.write("completion.bash", script("bash"));
        fs::create_directories(folder_.path() / "work/folder.d");
        for (const char* name : {"one.yaml", "two words.yml", "kept.json", "own.csv", "notes"}) {
            folder_.write(std::string("work/") + name, "");
        }
    }

    /// What bash offers for the last of the words after the program's name.
    Words offered(Words words, const std::string& settings = "") const {
        words.insert(words.begin(), "trainwright");
        Words command{tool("bash"),
                      "--norc",
                      "-c",
                      settings +
                          "; source \"$1\" && shift && COMP_WORDS=(\"$@\") && "
                          "COMP_CWORD=$(($# - 1)) && { _trainwright; "
                          "printf '%s\\n' \"${COMPREPLY[@]}\"; }",
                      "bash",
                      script_};
        if (settings.empty()) command[3] = command[3].substr(2);
        command.insert(command.end(), words.begin(), words.end());
        const Execution done = runCommand(command, {.folder = folder_.path() / "work"});
        EXPECT_EQ(done.exitCode, 0);
        EXPECT_THAT(done.errors, IsEmpty());
        return lines(done.output);
    }

    const TemporaryFolder folder_;
    std::string script_;
};

TEST_F(BashCompletion, OffersEveryCommandAndEveryOptionWhereItBelongs) {
    for (const Helped& command : everyCommand()) {
        Words typed = command.path;
        typed.emplace_back("-");
        EXPECT_THAT(offered(typed), testing::UnorderedElementsAreArray(command.options))
            << command.usage;
        if (!command.commands.empty()) {
            typed.back() = "";
            EXPECT_THAT(offered(typed), testing::UnorderedElementsAreArray(command.commands))
                << command.usage;
        }
    }
}

TEST_F(BashCompletion, OffersWordsFilesAndFolders) {
    EXPECT_THAT(offered({"pl"}), ElementsAre("plan"));
    EXPECT_THAT(offered({"catalog", "import", "p"}), ElementsAre("prices"));
    EXPECT_THAT(offered({"plan", "one.yaml", "--lang", ""}), ElementsAre("en", "es"));
    EXPECT_THAT(offered({"plan", "--paper", "l"}), ElementsAre("letter"));
    // bash makes three words of --paper=le.
    EXPECT_THAT(offered({"plan", "--paper", "=", "le"}), ElementsAre("letter"));
    EXPECT_THAT(offered({"plan", "--paper", "="}), ElementsAre("a4", "letter"));
    EXPECT_THAT(offered({"fit", "--objective", "g"}), ElementsAre("greenest"));
    EXPECT_THAT(offered({"completion", ""}), ElementsAre("bash", "zsh", "fish"));
    EXPECT_THAT(offered({"catalog", "list", "re"}), ElementsAre("region"));
    EXPECT_THAT(offered({"man", "va"}), ElementsAre("validate"));

    EXPECT_THAT(offered({"plan", ""}), ElementsAre("folder.d", "one.yaml", "two words.yml"));
    EXPECT_THAT(offered({"plan", "tw"}), ElementsAre("two words.yml"));
    EXPECT_THAT(offered({"diff", "one.yaml", "k"}), ElementsAre("kept.json"));
    EXPECT_THAT(offered({"plan", "one.yaml", "--calibration", ""}),
                ElementsAre("none", "folder.d", "own.csv"));
    EXPECT_THAT(offered({"calibrate", "--log", "n"}), ElementsAre("notes"));
    EXPECT_THAT(offered({"man", "--output", ""}), ElementsAre("folder.d"));

    // A number, or a name of the scenario's, is for the user to know.
    EXPECT_THAT(offered({"plan", "--width", ""}), IsEmpty());
    EXPECT_THAT(offered({"explain", "--candidate", ""}), IsEmpty());
    // A word that names another command is no command where an argument stands.
    EXPECT_THAT(offered({"plan", "validate", "--che"}),
                UnorderedElementsAre("--check", "--check-against"));
}

TEST_F(BashCompletion, KeepsToItselfUnderStrictSettings) {
    EXPECT_THAT(offered({"pl"}, "set -u"), ElementsAre("plan"));
    EXPECT_THAT(offered({"plan", ""}, "set -u"), Contains("one.yaml"));
}

/// Whether the text has the option as a word, not as the beginning of a longer one.
bool hasWord(const std::string& text, const std::string& word) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        const char after = at + word.size() < text.size() ? text[at + word.size()] : ' ';
        if (std::isalnum(static_cast<unsigned char>(after)) == 0 && after != '-') return true;
    }
    return false;
}

TEST(ZshCompletion, HasEveryOptionAndIsGoodZsh) {
    const std::string text = script("zsh");
    EXPECT_EQ(text.compare(0, 21, "#compdef trainwright\n"), 0);
    std::map<std::string, std::string> functions;
    std::string name;
    for (const std::string& line : lines(text)) {
        if (line.size() > 4 && line.compare(line.size() - 4, 4, "() {") == 0) {
            name = line.substr(0, line.size() - 4);
        }
        functions[name] += line + "\n";
    }
    for (const Helped& command : everyCommand()) {
        const std::string function = "_trainwright" + std::string(command.path.empty() ? "" : "_") +
                                     joined(command.path, "_");
        for (const std::string& option : command.options) {
            EXPECT_TRUE(hasWord(functions[function], option)) << function << " " << option;
        }
        for (const std::string& below : command.commands) {
            EXPECT_THAT(functions[function], HasSubstr("'" + below + ":"));
        }
    }
    if (tool("zsh").empty()) GTEST_SKIP() << "no zsh here to read it";
    const TemporaryFolder folder;
    const std::string file = folder.write("_trainwright", text);
    const Execution read = runCommand({tool("zsh"), "-n", file});
    EXPECT_EQ(read.exitCode, 0) << read.errors;
    const Execution sourced = runCommand(
        {tool("zsh"), "-f", "-c",
         "autoload -Uz compinit && compinit -D -u && source $1 && print $_comps[trainwright]",
         "zsh", file});
    EXPECT_EQ(sourced.output, "_trainwright\n") << sourced.errors;
}

TEST(FishCompletion, HasEveryOptionAndOffersItInFish) {
    const std::string text = script("fish");
    std::map<std::string, std::string> rules;
    const std::string begin = "complete -c trainwright -n '__trainwright_at ";
    for (const std::string& line : lines(text)) {
        if (line.compare(0, begin.size(), begin) == 0) {
            rules[line.substr(begin.size(), line.find('\'', begin.size()) - begin.size())] +=
                line + "\n";
        }
    }
    for (const Helped& command : everyCommand()) {
        const std::string name = "trainwright" + std::string(command.path.empty() ? "" : " ") +
                                 joined(command.path, " ");
        for (const std::string& option : command.options) {
            const bool isLong = option.compare(0, 2, "--") == 0;
            EXPECT_TRUE(hasWord(rules[name],
                                isLong ? " -l " + option.substr(2) : " -s " + option.substr(1)))
                << name << " " << option;
        }
    }
    if (tool("fish").empty()) GTEST_SKIP() << "no fish here to read it";
    const TemporaryFolder folder;
    const std::string file = folder.write("trainwright.fish", text);
    folder.write("one.yaml", "");
    const auto offered = [&](const std::string& typed) {
        const Execution done = runCommand(
            {tool("fish"), "--no-config", "-c",
             "source $argv[1]; complete -C $argv[2] | string split -f1 \\t", file, typed},
            {.environment = {{"HOME", folder.path().string()}}, .folder = folder.path()});
        EXPECT_THAT(done.errors, IsEmpty());
        return lines(done.output);
    };
    EXPECT_THAT(offered("trainwright pl"), ElementsAre("plan"));
    EXPECT_THAT(offered("trainwright catalog import "), UnorderedElementsAre("model", "prices"));
    EXPECT_THAT(offered("trainwright plan --pap"), Contains("--paper"));
    EXPECT_THAT(offered("trainwright plan one.yaml --paper "),
                UnorderedElementsAre("a4", "letter"));
    EXPECT_THAT(offered("trainwright plan on"), ElementsAre("one.yaml"));
    EXPECT_THAT(offered("trainwright catalog list re"), ElementsAre("region"));
}

TEST(CommandTexts, RefuseWhatIsNotThere) {
    const Execution shell = run({"completion", "tcsh"});
    EXPECT_EQ(shell.exitCode, 2);
    EXPECT_THAT(shell.errors, HasSubstr("One of bash, zsh, fish is expected"));
    const Execution page = run({"man", "catalog", "lst"});
    EXPECT_EQ(page.exitCode, 2);
    EXPECT_THAT(page.errors, HasSubstr("There is no command lst. Nearest: list."));
    EXPECT_THAT(page.output, IsEmpty());
    const TemporaryFolder folder;
    const Execution folderGone = run({"man", "--output", folder.file("gone")});
    EXPECT_EQ(folderGone.exitCode, 2);
    EXPECT_THAT(folderGone.errors, HasSubstr("gone"));
    EXPECT_EQ(run({"man", "plan", "--output", folder.path().string()}).exitCode, 2);
    EXPECT_THAT(folder.names(), IsEmpty());
}

/// Text of a page as a reader sees it, blanks and breaks made one blank.
std::string unformatted(const std::string& text) {
    std::string out;
    for (const char c : text) {
        const bool isBlank = c == ' ' || c == '\n';
        if (!isBlank || (!out.empty() && out.back() != ' ')) out += isBlank ? ' ' : c;
    }
    return out;
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    for (std::size_t at = text.find(what); at != std::string::npos;
         at = text.find(what, at + with.size())) {
        text.replace(at, what.size(), with);
    }
    return text;
}

class ManualPages : public testing::Test {
protected:
    void SetUp() override {
        const Execution done = run({"man", "--output", folder_.path().string()});
        ASSERT_EQ(done.exitCode, 0) << done.errors;
    }
    [[nodiscard]] static std::string pageOf(const Helped& command) {
        return "trainwright" + std::string(command.path.empty() ? "" : "-") +
               joined(command.path, "-") + ".1";
    }
    const TemporaryFolder folder_;
};

TEST_F(ManualPages, AreOneOfEachCommandWithEveryOption) {
    Words expected;
    for (const Helped& command : everyCommand()) {
        expected.push_back(pageOf(command));
        const std::string page = readFile(folder_.path() / expected.back());
        Words arguments{"man"};
        arguments.insert(arguments.end(), command.path.begin(), command.path.end());
        EXPECT_EQ(run(arguments).output, page);
        for (const std::string& option : command.options) {
            EXPECT_THAT(page, HasSubstr("\\fB" + replaced(option, "-", "\\-") + "\\fP"))
                << expected.back();
        }
        EXPECT_TRUE(std::all_of(page.begin(), page.end(), [](char c) { return c > 0; }))
            << expected.back() << " is to be ASCII";
    }
    EXPECT_THAT(folder_.names(), testing::UnorderedElementsAreArray(expected));
}

TEST_F(ManualPages, SayWhatHelpSays) {
    if (tool("mandoc").empty()) GTEST_SKIP() << "no mandoc here";
    const Execution shown = runCommand(
        {tool("mandoc"), "-T", "utf8", "-O", "width=400", folder_.file("trainwright-plan.1")});
    // Bold is a letter struck twice.
    std::string text;
    for (const char c : shown.output) {
        if (c == '\b') {
            text.pop_back();
        } else {
            text += c;
        }
    }
    text = unformatted(text);
    for (const char* part :
         {"trainwright-plan - compare and rank the candidates of a scenario",
          "trainwright plan FILE ... [OPTIONS]", "--report FILE Also write the report here",
          "which plan --report x.json wrote; {} as for --report",
          "0 done 1 no candidate can be run, or --check has something against the plan 2 something "
          "in the input is not right",
          "trainwright plan *.yaml --report 'reports/{}.html'",
          "trainwright plan scenario.yaml --json | jq '.candidates[] | {name, days}'"}) {
        EXPECT_THAT(text, HasSubstr(part));
    }
    EXPECT_THAT(text, Not(HasSubstr("exit codes")));
    EXPECT_THAT(text, Not(HasSubstr("examples:")));
}

TEST_F(ManualPages, AreFreeOfWarnings) {
    const std::string groff = tool("groff");
    const std::string mandoc = tool("mandoc");
    if (groff.empty() && mandoc.empty()) GTEST_SKIP() << "neither groff nor mandoc here";
    for (const std::string& name : folder_.names()) {
        if (!groff.empty()) {
            const Execution done =
                runCommand({groff, "-man", "-ww", "-z", "-Tutf8", folder_.file(name)});
            EXPECT_THAT(done.output + done.errors, IsEmpty()) << name;
        }
        if (!mandoc.empty()) {
            const Execution done =
                runCommand({mandoc, "-T", "lint", "-W", "warning", folder_.file(name)});
            for (const std::string& line : lines(done.output + done.errors)) {
                // A date would be that of the build, and pages are to be the same for all.
                EXPECT_THAT(line, HasSubstr("missing date")) << name;
            }
        }
    }
}

}  // namespace
}  // namespace trainwright::tests
