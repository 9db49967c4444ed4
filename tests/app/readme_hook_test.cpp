// SPDX-License-Identifier: GPL-3.0-or-later
// The hook and the checks of pull requests that the README shows, taken from it and run.
#include <gmock/gmock.h>

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

/// The lines of `run: |` in the workflow, as the runner fills them in, with a `gh` that keeps what
/// it is given.
TEST_F(Repository, ThePullRequestCheckCommentsOnWhatMoves) {
    std::string script = block("github");
    const std::string begin = "run: |\n";
    ASSERT_NE(script.find(begin), std::string::npos);
    script = script.substr(script.find(begin) + begin.size());
    const std::size_t number = script.find("${{ github.event.number }}");
    ASSERT_NE(number, std::string::npos);
    script.replace(number, 26, "7");
    folder_.write(
        "check.sh",
        "set -e\nTARGET=main\ngh() { echo \"$@\" > said; cp comment.md kept.md; }\n" + script);

    ASSERT_EQ(git({"checkout", "--quiet", "-b", "branch"}).exitCode, 0);
    folder_.write("runs/a.yaml", changed("150B"));
    folder_.write("runs/new.yaml", smallScenario());
    ASSERT_EQ(commit("More tokens").exitCode, 0);
    const Execution good = in({"sh", "check.sh"});
    EXPECT_EQ(good.exitCode, 0) << good.errors;
    EXPECT_THAT(readFile(folder_.path() / "said"), HasSubstr("pr comment 7 --edit-last"));
    EXPECT_THAT(readFile(folder_.path() / "kept.md"),
                AllOf(HasSubstr("runs/a.yaml"), HasSubstr("100B → 150B"),
                      HasSubstr("Llama 3.1 8B, a short run")));

    folder_.write("runs/a.yaml", smallScenario() + "constraints: {budget: 10 USD}\n");
    ASSERT_EQ(commit("A budget").exitCode, 0);
    EXPECT_EQ(in({"sh", "check.sh"}).exitCode, 1);
    EXPECT_THAT(readFile(folder_.path() / "kept.md"), Not(HasSubstr("150B")));
}

/// Its commands, without those that need a server.
TEST_F(Repository, TheGitLabJobRuns) {
    std::string script = "set -e\nTARGET=main\n";
    for (const std::string& line : lines(block("gitlab")))
        if (const std::size_t at = line.find("- trainwright"); at != std::string::npos)
            script += line.substr(at + 2) + "\n";
    EXPECT_EQ(lines(script).size(), 4U);
    folder_.write("check.sh", script);
    ASSERT_EQ(run({"plan", "runs/a.yaml", "--report", "runs/a.json"},
                  {.environment = {{"TRAINWRIGHT_OVERLAY", "none"}}, .folder = folder_.path()})
                  .exitCode,
              0);
    EXPECT_EQ(in({"sh", "check.sh"}).exitCode, 0);
    EXPECT_THAT(readFile(folder_.path() / "comment.md"), HasSubstr("runs/a.yaml"));
    folder_.write("runs/a.yaml", changed("150B"));
    EXPECT_EQ(in({"sh", "check.sh"}).exitCode, 1);
}

}  // namespace
}  // namespace trainwright::tests
