// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright diff`, as a user runs it.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string with(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

TEST(Diff, TwoScenarios) {
    const TemporaryFolder folder;
    folder.write("a.yaml", smallScenario());
    folder.write("b.yaml", with(smallScenario(), "100B", "120B"));
    const Execution done = run({"diff", folder.file("a.yaml"), folder.file("b.yaml"), "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const auto json = nlohmann::json::parse(done.output);
    EXPECT_EQ(json["schema"], "trainwright/diff/1");
    ASSERT_EQ(json["changes"].size(), 1U);
    EXPECT_EQ(json["changes"][0]["values"][0]["path"], "training.tokens");
    EXPECT_EQ(json["changes"][0]["values"][0]["before"], "100B");
    for (const auto& c : json["candidates"]) {
        const auto& days = c["moves"]["days"];
        EXPECT_EQ(days["orders"], "all");
        EXPECT_EQ(days["rest"], 0);
        EXPECT_GT(days["difference"].get<double>(), 0);
        EXPECT_DOUBLE_EQ(days["shares"][0]["share"].get<double>(),
                         days["difference"].get<double>());
    }
}

TEST(Diff, LayoutOfTheFileDoesNotCount) {
    const TemporaryFolder folder;
    folder.write("a.yaml", smallScenario());
    folder.write("b.yaml", "# a comment\n" + with(smallScenario(), "100B", "0.1T"));
    const Execution done = run({"diff", folder.file("a.yaml"), folder.file("b.yaml")});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.output, HasSubstr("No result moves: nothing that a result rests on differs."));
}

TEST(Diff, AKeptResultAgainstItsScenario) {
    const TemporaryFolder folder;
    folder.write("s.yaml", smallScenario());
    ASSERT_EQ(run({"plan", folder.file("s.yaml"), "--report", folder.file("june.json")}).exitCode,
              0);
    const Execution same = run({"diff", folder.file("june.json"), folder.file("s.yaml")});
    ASSERT_EQ(same.exitCode, 0) << same.errors;
    EXPECT_THAT(same.output, HasSubstr("No result moves"));

    // A price of then, as the kept file has it.
    auto json = nlohmann::ordered_json::parse(readFile(folder.file("june.json")));
    std::string offer;
    for (auto& figure : json["figures"])
        if (figure["kind"] == "price" && figure["key"] == "price_usd_per_hour" &&
            figure["id"].get<std::string>().starts_with("p5.")) {
            offer = figure["id"];
            figure["value"] = "99.5";
        }
    ASSERT_FALSE(offer.empty());
    folder.write("june.json", json.dump());
    const Execution moved =
        run({"diff", folder.file("june.json"), folder.file("s.yaml"), "--json"});
    ASSERT_EQ(moved.exitCode, 0) << moved.errors;
    const auto diff = nlohmann::json::parse(moved.output);
    ASSERT_EQ(diff["changes"].size(), 1U);
    EXPECT_EQ(diff["changes"][0]["path"], "price/" + offer);
    EXPECT_EQ(diff["changes"][0]["kind"], "price");
}

TEST(Diff, ReportsBySuffix) {
    const TemporaryFolder folder;
    folder.write("a.yaml", smallScenario());
    folder.write("b.yaml", with(smallScenario(), "accelerators: 64", "accelerators: 128"));
    const Execution done =
        run({"diff", folder.file("a.yaml"), folder.file("b.yaml"), "--report",
             folder.file("d.html"), "--report", folder.file("d.json"), "--report",
             folder.file("d.md"), "--report", folder.file("d.txt"), "--markdown"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(readFile(folder.file("d.html")), HasSubstr("<html"));
    EXPECT_EQ(readFile(folder.file("d.md")), done.output);
    EXPECT_THAT(done.output, HasSubstr("| rank | candidate | days | M USD | because |"));
    EXPECT_THAT(readFile(folder.file("d.txt")), HasSubstr("What moved"));
    EXPECT_EQ(nlohmann::json::parse(readFile(folder.file("d.json")))["schema"],
              "trainwright/diff/1");
}

TEST(Diff, ARevisionOfGit) {
    const TemporaryFolder folder;
    folder.write("s.yaml", smallScenario());
    const auto git = [&](std::vector<std::string> words) {
        std::vector<std::string> command{"/usr/bin/env", "git",
                                         "-C",           folder.path().string(),
                                         "-c",           "user.name=t",
                                         "-c",           "user.email=t@localhost",
                                         "-c",           "init.defaultBranch=main"};
        command.insert(command.end(), words.begin(), words.end());
        const Execution done = runCommand(command);
        ASSERT_EQ(done.exitCode, 0) << done.errors;
    };
    if (runCommand({"/usr/bin/env", "git", "--version"}).exitCode != 0)
        GTEST_SKIP() << "git is not installed";
    git({"init", "-q"});
    git({"add", "s.yaml"});
    git({"commit", "-q", "-m", "first"});
    folder.write("s.yaml", with(smallScenario(), "100B", "110B"));
    for (const char* revision : {"HEAD", "HEAD:s.yaml"}) {
        SCOPED_TRACE(revision);
        Setting setting;
        setting.folder = folder.path();
        const Execution done = run({"diff", "--rev", revision, "s.yaml"}, setting);
        ASSERT_EQ(done.exitCode, 0) << done.errors;
        EXPECT_THAT(done.output, HasSubstr("HEAD:s.yaml → s.yaml"));
        EXPECT_THAT(done.output, HasSubstr("100B"));
    }
    // From outside of the folder.
    EXPECT_EQ(run({"diff", "--rev", "HEAD", folder.file("s.yaml")}).exitCode, 0);

    const Execution unknown = run({"diff", "--rev", "nowhere", folder.file("s.yaml")});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("git has no such file: "));
    EXPECT_THAT(unknown.errors, HasSubstr("nowhere"));
    const Execution option = run({"diff", "--rev=--output=x", folder.file("s.yaml")});
    EXPECT_EQ(option.exitCode, 2);
    EXPECT_THAT(option.errors, HasSubstr("A revision of git is expected"));

    Setting without;
    without.environment["PATH"] = folder.path().string();
    const Execution missing = run({"diff", "--rev", "HEAD", folder.file("s.yaml")}, without);
    EXPECT_EQ(missing.exitCode, 2);
    EXPECT_THAT(missing.errors, HasSubstr("git is not installed"));
}

TEST(Diff, StandardInputIsTheEarlierOne) {
    const TemporaryFolder folder;
    folder.write("b.yaml", with(smallScenario(), "100B", "120B"));
    Setting setting;
    setting.input = smallScenario();
    const Execution done = run({"diff", "-", folder.file("b.yaml")}, setting);
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.output, HasSubstr("<stdin> → "));
}

TEST(Diff, WhatCannotBeComparedIsSaid) {
    const TemporaryFolder folder;
    const std::string good = folder.write("s.yaml", smallScenario());
    const std::string other = folder.write("x.json", R"({"schema": "trainwright/sweep/1"})");
    const std::string broken = folder.write("y.json", R"({"schema": "trainwright/plan/1")");
    const struct {
        std::vector<std::string> arguments;
        const char* said;
    } cases[] = {
        {{"diff", folder.file("none.yaml"), good}, "none.yaml"},
        {{"diff", other, good}, "This is trainwright/sweep/1"},
        {{"diff", broken, good}, "breaks off"},
        {{"diff", good}, "Two files are expected"},
        {{"diff", "--rev", "HEAD", good, good}, "With --rev one file is expected"},
        {{"diff", "-", "-"}, "Standard input can be one"},
        {{"diff", good, good, "--report", folder.file("x.doc")}, ".html, .pdf, .xlsx, .csv, .json, .md, .txt"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.said);
        const Execution done = run(c.arguments);
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_THAT(done.errors, HasSubstr(c.said));
        EXPECT_EQ(done.output, "");
    }
}

TEST(Diff, NothingThatRunsAfterIsInfeasible) {
    const TemporaryFolder folder;
    folder.write("a.yaml", smallScenario());
    std::string after = with(smallScenario(), "llama3.1-8b", "llama3.1-405b");
    after = with(with(after, "accelerators: 64", "accelerators: 16"), "accelerators: 64",
                 "accelerators: 8");
    folder.write("b.yaml", after);
    const Execution done = run({"diff", folder.file("a.yaml"), folder.file("b.yaml")});
    EXPECT_EQ(done.exitCode, 1) << done.errors;
    EXPECT_THAT(done.output, HasSubstr("No candidate can be run any more"));
    EXPECT_THAT(done.output, HasSubstr("different models"));
}

}  // namespace
}  // namespace trainwright::tests
