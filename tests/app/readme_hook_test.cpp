// SPDX-License-Identifier: GPL-3.0-or-later
// The hook and the checks of pull requests that the README shows, taken from it and run.
#include <gmock/gmock.h>

#include <functional>
#include <sstream>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// What stands between two comments, without its indentation.
std::string block(const std::string& name) {
    const std::string readme = readFile(fs::path(TRAINWRIGHT_SOURCE_DIR) / "README.md");
    const std::string begin = "<!-- " + name + " -->\n";
    const std::size_t from = readme.find(begin);
    const std::size_t to = readme.find("<!-- /" + name + " -->");
    EXPECT_NE(from, std::string::npos) << name;
    EXPECT_NE(to, std::string::npos) << name;
    std::string out;
    std::istringstream in(readme.substr(from + begin.size(), to - from - begin.size()));
    for (std::string line; std::getline(in, line);)
        out += (line.starts_with("    ") ? line.substr(4) : line) + "\n";
    return out.substr(out.find_first_not_of('\n'));
}

std::string changed(const std::string& tokens) {
    std::string text = smallScenario();
    return text.replace(text.find("100B"), 4, tokens);
}

/// A repository with one scenario, committed.
class Repository : public testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(git({"init", "--quiet", "--initial-branch", "main"}).exitCode, 0);
        fs::create_directory(folder_.path() / "runs");
        folder_.write("runs/a.yaml", smallScenario());
        ASSERT_EQ(commit("A scenario").exitCode, 0);
    }

    /// Found by name, in an environment of its own.
    [[nodiscard]] Execution in(std::vector<std::string> command) const {
        command.insert(command.begin(), "/usr/bin/env");
        const std::string bin = fs::path(TRAINWRIGHT_PROGRAM).parent_path().string();
        return runCommand(command, {.environment = {{"PATH", bin + ":/usr/local/bin:/usr/bin:/bin"},
                                                    {"HOME", folder_.path().string()},
                                                    {"GIT_CONFIG_NOSYSTEM", "1"},
                                                    {"GIT_AUTHOR_NAME", "A"},
                                                    {"GIT_AUTHOR_EMAIL", "a@example.org"},
                                                    {"GIT_COMMITTER_NAME", "A"},
                                                    {"GIT_COMMITTER_EMAIL", "a@example.org"},
                                                    {"TRAINWRIGHT_OVERLAY", "none"}},
                                    .folder = folder_.path()});
    }
    [[nodiscard]] Execution git(std::vector<std::string> arguments) const {
        arguments.insert(arguments.begin(), "git");
        return in(arguments);
    }
    [[nodiscard]] Execution commit(const std::string& message) const {
        EXPECT_EQ(git({"add", "runs"}).exitCode, 0);
        return git({"commit", "--quiet", "--message", message});
    }

    TemporaryFolder folder_;
};

class Hook : public Repository {
protected:
    void SetUp() override {
        Repository::SetUp();
        if (HasFatalFailure()) return;
        const std::string file = folder_.write(".git/hooks/pre-commit", block("hook"));
        fs::permissions(file, fs::perms::owner_all);
    }
};

TEST_F(Hook, LetsAGoodScenarioPass) {
    folder_.write("runs/b c.yaml", changed("50B"));
    const Execution done = commit("Another");
    EXPECT_EQ(done.exitCode, 0) << done.errors;
}

TEST_F(Hook, StopsABrokenScenarioAndSaysWhere) {
    folder_.write("runs/b.yaml", "version: 1\nmodel: llama3.1-8\n");
    const Execution done = commit("Broken");
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.errors, HasSubstr("runs/b.yaml:2:"));
    EXPECT_EQ(lines(git({"log", "--oneline"}).output).size(), 1U);
}

TEST_F(Hook, StopsAScenarioWhoseBestBreaksALimit) {
    folder_.write("runs/a.yaml", smallScenario() + "constraints: {budget: 10 USD}\n");
    const Execution done = commit("Too dear");
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.errors, HasSubstr("breaks a limit"));
}

TEST_F(Hook, StopsAResultThatMovedUntilItIsKeptAnew) {
    const auto keep = [&] {
        return run({"plan", "runs/a.yaml", "--report", "runs/a.json"},
                   {.environment = {{"TRAINWRIGHT_OVERLAY", "none"}}, .folder = folder_.path()})
            .exitCode;
    };
    ASSERT_EQ(keep(), 0);
    ASSERT_EQ(commit("A kept result").exitCode, 0);
    folder_.write("runs/a.yaml", changed("101B"));
    EXPECT_EQ(commit("Within 3%").exitCode, 0);
    folder_.write("runs/a.yaml", changed("120B"));
    const Execution moved = commit("Beyond");
    EXPECT_EQ(moved.exitCode, 1);
    EXPECT_THAT(moved.errors, HasSubstr("3.0% is allowed"));
    ASSERT_EQ(keep(), 0);
    EXPECT_EQ(commit("Beyond, kept anew").exitCode, 0);
}

TEST_F(Hook, ChecksWhatIsStagedNotWhatLiesInTheFolder) {
    folder_.write("runs/a.yaml", changed("90B"));
    ASSERT_EQ(git({"add", "runs"}).exitCode, 0);
    folder_.write("runs/a.yaml", "broken: yes\n");
    EXPECT_EQ(git({"commit", "--quiet", "--message", "Staged"}).exitCode, 0);
    ASSERT_EQ(git({"rm", "--quiet", "--force", "runs/a.yaml"}).exitCode, 0);
    EXPECT_EQ(git({"commit", "--quiet", "--message", "Gone"}).exitCode, 0);
}

/// The lines of a literal block of YAML: those after `begin` that stand further in.
std::string literalBlock(const std::string& yaml, const std::string& begin) {
    const std::size_t from = yaml.find(begin);
    EXPECT_NE(from, std::string::npos) << begin;
    if (from == std::string::npos) return {};
    std::string out;
    std::istringstream in(yaml.substr(from + begin.size()));
    std::size_t depth = 0;
    for (std::string line; std::getline(in, line);) {
        const std::size_t indent = line.find_first_not_of(' ');
        if (depth == 0) depth = indent;
        if (indent != std::string::npos && indent < depth) break;
        out += line + "\n";
    }
    return out;
}

/// A branch with a scenario that moves, one that is new and has a space in its name, and one in a
/// folder within; `check.sh` holds it against main.
void checkABranch(const std::function<Execution()>& check, const std::function<void()>& commit,
                  const TemporaryFolder& folder, const std::string& comment) {
    std::filesystem::create_directory(folder.path() / "runs/june");
    folder.write("runs/a.yaml", changed("150B"));
    folder.write("runs/a new one.yaml", smallScenario());
    folder.write("runs/june/b.yaml", smallScenario());
    commit();
    const Execution good = check();
    EXPECT_EQ(good.exitCode, 0) << good.errors;
    EXPECT_THAT(
        readFile(folder.path() / comment),
        AllOf(HasSubstr("runs/a.yaml"), HasSubstr("100B → 150B"),
              HasSubstr("## runs/a new one.yaml is new"), HasSubstr("## runs/june/b.yaml is new"),
              HasSubstr("Llama 3.1 8B, a short run")));

    // A limit that is broken, whichever scenario breaks it.
    folder.write("runs/a.yaml", smallScenario());
    folder.write("runs/a new one.yaml", smallScenario() + "constraints: {budget: 10 USD}\n");
    commit();
    EXPECT_EQ(check().exitCode, 1);
    EXPECT_THAT(readFile(folder.path() / comment), Not(HasSubstr("150B")));

    // A result that moved away from the one kept beside it.
    folder.write("runs/a new one.yaml", smallScenario());
    EXPECT_EQ(run({"plan", "runs/june/b.yaml", "--report", "runs/june/b.json"},
                  {.environment = {{"TRAINWRIGHT_OVERLAY", "none"}}, .folder = folder.path()})
                  .exitCode,
              0);
    commit();
    EXPECT_EQ(check().exitCode, 0);
    folder.write("runs/june/b.yaml", changed("150B"));
    commit();
    EXPECT_EQ(check().exitCode, 1);
}

/// The lines of `run: |` in the workflow, as the runner fills them in, with a `gh` that keeps what
/// it is given.
TEST_F(Repository, ThePullRequestCheckCommentsOnWhatMoves) {
    std::string script = literalBlock(block("github"), "run: |\n");
    const std::size_t number = script.find("${{ github.event.number }}");
    ASSERT_NE(number, std::string::npos);
    script.replace(number, 26, "7");
    folder_.write(
        "check.sh",
        "set -e\nTARGET=main\ngh() { echo \"$@\" > said; cp comment.md kept.md; }\n" + script);
    ASSERT_EQ(git({"checkout", "--quiet", "-b", "branch"}).exitCode, 0);
    checkABranch(
        [&] {
            return in({"sh", "check.sh"});
        },
        [&] { EXPECT_EQ(commit("A change").exitCode, 0); }, folder_, "kept.md");
    EXPECT_THAT(readFile(folder_.path() / "said"), HasSubstr("pr comment 7 --edit-last"));
}

/// The lines of `- |` in the job; the others need a server.
TEST_F(Repository, TheGitLabJobCommentsOnWhatMoves) {
    folder_.write("check.sh", "set -e\nTARGET=main\n" + literalBlock(block("gitlab"), "- |\n"));
    ASSERT_EQ(git({"checkout", "--quiet", "-b", "branch"}).exitCode, 0);
    checkABranch(
        [&] {
            return in({"sh", "check.sh"});
        },
        [&] { EXPECT_EQ(commit("A change").exitCode, 0); }, folder_, "comment.md");
}

}  // namespace
}  // namespace trainwright::tests
