// SPDX-License-Identifier: GPL-3.0-or-later
// A folder of scenarios as a site: what is made, what is kept, what is removed, and what is left
// alone.
#include <gmock/gmock.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), by);
}

/// One candidate, so that a plan and a comparison take a moment.
std::string tinyScenario(const std::string& title = "A tiny run") {
    const std::string text = smallScenario();
    return replaced(text.substr(0, text.find("  - name: h100")), "Llama 3.1 8B, a short run",
                    title);
}

std::string hopelessScenario() {
    return replaced(replaced(tinyScenario("Too large"), "llama3.1-8b", "llama3.1-405b"),
                    "accelerators: 64", "accelerators: 16");
}

/// "runs" with two scenarios of one model and one of another, beside where "site" goes.
class ReportSite : public testing::Test {
protected:
    void SetUp() override {
        fs::create_directory(folder_.path() / "runs");
        write("a.yaml", tinyScenario("First"));
        write("b.yaml", replaced(tinyScenario("Second"), "100B", "120B"));
        write("c.yaml", replaced(tinyScenario("Third"), "llama3.1-8b", "qwen3-8b"));
    }

    void write(const std::string& name, const std::string& text) const {
        folder_.write("runs/" + name, text);
    }
    [[nodiscard]] Execution make(std::vector<std::string> more = {}) const {
        std::vector<std::string> all{"report", "runs", "--out", "site"};
        all.insert(all.end(), more.begin(), more.end());
        return run(all, {.folder = folder_.path()});
    }
    /// What became of each page.
    [[nodiscard]] std::map<std::string, std::string> statuses() const {
        const Execution done = make({"--json"});
        std::map<std::string, std::string> out;
        const json all = json::parse(done.output);
        for (const char* list : {"scenarios", "comparisons"})
            for (const json& one : all.at(list))
                if (one.at("page").is_string())
                    out[one.at("page").get<std::string>()] = one.at("status").get<std::string>();
        for (const json& page : all.at("removed")) out[page.get<std::string>()] = "removed";
        return out;
    }
    [[nodiscard]] std::string page(const std::string& name) const {
        return readFile(folder_.path() / "site" / name);
    }
    [[nodiscard]] std::map<std::string, std::string> site() const {
        std::map<std::string, std::string> out;
        for (const auto& entry : fs::directory_iterator(folder_.path() / "site"))
            out[entry.path().filename().string()] = readFile(entry.path());
        return out;
    }
    [[nodiscard]] bool has(const std::string& name) const {
        return fs::exists(folder_.path() / "site" / name);
    }

    TemporaryFolder folder_;
};

using Statuses = std::map<std::string, std::string>;

TEST_F(ReportSite, HasAPageForEachScenarioAndAComparisonOfThoseOfOneModel) {
    const Execution done = make();
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.errors, IsEmpty());
    EXPECT_EQ(done.output, "site/index.html: 4 pages made, 0 kept as they were, 0 removed.\n");

    const std::string index = page("index.html");
    EXPECT_THAT(index, AllOf(HasSubstr("First"), HasSubstr("Second"), HasSubstr("Third"),
                             HasSubstr("name=\"viewport\""), HasSubstr("M USD")));
    EXPECT_THAT(index, Not(HasSubstr("://")));
    std::vector<std::string> links;
    static const std::regex kLink("href=\"([^#\"][^\"]*)\"");
    for (std::sregex_iterator it(index.begin(), index.end(), kLink), end; it != end; ++it)
        links.push_back((*it)[1]);
    EXPECT_THAT(links, ElementsAre("a.html", "b.html", "c.html", "a--b.html"));
    for (const std::string& link : links) EXPECT_TRUE(has(link)) << link;
}

TEST_F(ReportSite, ItsPagesAreThoseOfPlanAndDiff) {
    ASSERT_EQ(make().exitCode, 0);
    const std::string plan = page("a.html");
    const std::string diff = page("a--b.html");
    const Setting here{.folder = folder_.path()};
    ASSERT_EQ(run({"plan", "runs/a.yaml", "--report", "site/a.html"}, here).exitCode, 0);
    ASSERT_EQ(
        run({"diff", "runs/a.yaml", "runs/b.yaml", "--report", "site/a--b.html"}, here).exitCode,
        0);
    // But for the link back, which a page that stands alone doesn't have.
    const std::string link = "<nav><p><a href=\"index.html\">← All scenarios</a></p></nav>\n";
    EXPECT_TRUE(replaced(plan, link, "") == page("a.html"));
    EXPECT_TRUE(replaced(diff, link, "") == page("a--b.html"));
    EXPECT_THAT(page("a.html"), Not(HasSubstr("index.html")));
}

TEST_F(ReportSite, FoldersWithinHaveFoldersOfTheirOwn) {
    for (const char* name : {"june", "june/odd & one", ".hidden", "site"})
        fs::create_directories(folder_.path() / "runs" / name);
    write("june/a.yaml", tinyScenario("June"));
    write("june/odd & one/a.yaml", replaced(tinyScenario("Deep"), "llama3.1-8b", "qwen3-8b"));
    write(".hidden/a.yaml", "not a scenario");
    write("site/a.yaml", "not a scenario");
    write("site/index.html", "");
    fs::remove(folder_.path() / "runs/site/index.html");
    fs::create_directory_symlink("..", folder_.path() / "runs/june/loop");
    const auto make = [&](const std::vector<std::string>& more) {
        std::vector<std::string> all{"report", "runs/", "--out", "./runs/site"};
        all.insert(all.end(), more.begin(), more.end());
        return run(all, {.folder = folder_.path()});
    };
    const Execution done = make({"--lang", "es"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const fs::path out = folder_.path() / "runs" / "site";
    const std::string index = readFile(out / "index.html");
    EXPECT_THAT(index,
                AllOf(HasSubstr("href=\"june/a.html\""), HasSubstr("href=\"june/odd---one/a.html\""),
                      HasSubstr("href=\"b--june-a.html\""),
                      HasSubstr("href=\"c--june-odd---one-a.html\""),
                      HasSubstr("<span>june/</span>"), HasSubstr("b.yaml → june/a.yaml")));
    EXPECT_THAT(readFile(out / "june/odd---one/a.html"),
                HasSubstr("<a href=\"../../index.html\">← Todos los escenarios</a>"));
    EXPECT_THAT(readFile(out / "b--june-a.html"), HasSubstr("<a href=\"index.html\">"));
    EXPECT_THAT(make({"--lang", "es"}).output, HasSubstr("hechas: 0; conservadas tal cual: 8;"));

    folder_.write("runs/site/june/own.txt", "mine");
    fs::remove_all(folder_.path() / "runs/june");
    EXPECT_EQ(make({"--lang", "es"}).exitCode, 0);
    EXPECT_FALSE(fs::exists(out / "june/odd---one"));
    EXPECT_FALSE(fs::exists(out / "june/a.html"));
    EXPECT_FALSE(fs::exists(out / "b--june-a.html"));
    EXPECT_EQ(readFile(out / "june/own.txt"), "mine");
}

TEST_F(ReportSite, IsTheSameOnAnyNumberOfThreadsAndWhenNothingIsKept) {
    ASSERT_EQ(make({"--threads", "1"}).exitCode, 0);
    const auto first = site();
    EXPECT_EQ(first.size(), 6U) << "four pages, the first page and the list of them";
    ASSERT_EQ(make({"--threads", "3", "--again"}).exitCode, 0);
    for (const auto& [name, text] : site()) EXPECT_TRUE(text == first.at(name)) << name;
    EXPECT_THAT(make().output, HasSubstr("0 pages made, 4 kept"));
    EXPECT_TRUE(site() == first);
}

TEST_F(ReportSite, MakesAnewWhatRestsOnWhatChanged) {
    ASSERT_EQ(make().exitCode, 0);
    write("b.yaml", replaced(tinyScenario("Second"), "100B", "130B"));
    EXPECT_EQ(
        statuses(),
        (Statuses{
            {"a.html", "kept"}, {"a--b.html", "made"}, {"b.html", "made"}, {"c.html", "kept"}}));
    EXPECT_EQ(make({"--lang", "es"}).output.substr(0, 15), "site/index.html");
    EXPECT_THAT(page("index.html"), HasSubstr("<html lang=\"es\">"));
    EXPECT_THAT(page("c.html"), HasSubstr("<html lang=\"es\">"));
    EXPECT_THAT(statuses(), testing::Contains(std::pair("c.html", "made"))) << "English again";
    EXPECT_THAT(make({"--calibration", "none"}).output, HasSubstr("4 pages made"));
}

TEST_F(ReportSite, APageThatSomeoneChangedIsMadeAgain) {
    ASSERT_EQ(make().exitCode, 0);
    const std::string before = page("a.html");
    folder_.write("site/a.html", "half a pa");
    EXPECT_EQ(make().exitCode, 0);
    EXPECT_TRUE(page("a.html") == before);
}

TEST_F(ReportSite, RemovesPagesOfScenariosThatHaveGoneAndNothingElse) {
    ASSERT_EQ(make().exitCode, 0);
    folder_.write("site/own.html", "mine");
    folder_.write("site/style.css", "mine");
    fs::remove(folder_.path() / "runs" / "b.yaml");
    EXPECT_EQ(statuses(), (Statuses{{"a.html", "kept"},
                                    {"c.html", "kept"},
                                    {"b.html", "removed"},
                                    {"a--b.html", "removed"}}));
    EXPECT_FALSE(has("b.html"));
    EXPECT_EQ(page("own.html"), "mine");
    EXPECT_EQ(page("style.css"), "mine");
    EXPECT_THAT(page("index.html"), Not(HasSubstr("b.html")));

    folder_.write("site/c.html", "changed by hand");
    fs::remove(folder_.path() / "runs" / "c.yaml");
    const Execution done = make();
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(done.errors, HasSubstr("changed by someone else"));
    EXPECT_EQ(page("c.html"), "changed by hand");
}

TEST_F(ReportSite, WritesOverNoFileThatIsNotItsOwn) {
    fs::create_directory(folder_.path() / "site");
    for (const char* name : {"index.html", "b.html"}) {
        folder_.write(std::string("site/") + name, "mine");
        const Execution done = make();
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_THAT(done.errors, HasSubstr(std::string("site/") + name + ": "));
        EXPECT_EQ(page(name), "mine");
        EXPECT_FALSE(has("a.html"));
        fs::remove(folder_.path() / "site" / name);
    }
}

TEST_F(ReportSite, AListOfPagesThatLeadsOutOfItsFolderIsRefused) {
    fs::create_directory(folder_.path() / "site");
    folder_.write("precious.html", "mine");
    for (const char* text :
         {R"({"schema":"trainwright/site-manifest/1","pages":[{"file":"../precious.html",)"
          R"("inputs":"","content":"","row":null}]})",
          R"({"schema":"another/1","pages":[]})", "[]", "", "{"}) {
        folder_.write("site/trainwright-site.json", text);
        const Execution done = make();
        EXPECT_EQ(done.exitCode, 2) << text;
        EXPECT_THAT(done.errors, HasSubstr("site/trainwright-site.json: ")) << text;
        EXPECT_THAT(folder_.names(), testing::Contains("precious.html"));
        EXPECT_FALSE(has("index.html"));
    }
}

TEST_F(ReportSite, GoesOnWhereAnotherRunWasStopped) {
    ASSERT_EQ(make().exitCode, 0);
    const auto whole = site();
    json list = json::parse(page("trainwright-site.json"));
    for (json& one : list.at("pages"))
        if (one.at("file") == "b.html" || one.at("file") == "index.html")
            one["inputs"] = one["content"] = "";
    folder_.write("site/trainwright-site.json", list.dump());
    folder_.write("site/b.html", "<!DOCTYPE html> and no more");
    fs::remove(folder_.path() / "site" / "index.html");
    EXPECT_EQ(make().exitCode, 0);
    EXPECT_TRUE(site() == whole);
}

TEST_F(ReportSite, ABrokenScenarioHasARowAndStopsNoOther) {
    write("b.yaml", replaced(tinyScenario("Second"), "accelerators: 64", "acelerators: 64"));
    const Execution done = make();
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.errors, HasSubstr("runs/b.yaml:12:5: "));
    EXPECT_TRUE(has("a.html"));
    EXPECT_TRUE(has("c.html"));
    EXPECT_FALSE(has("b.html"));
    EXPECT_THAT(page("index.html"),
                AllOf(HasSubstr("runs/b.yaml:12:5: "), HasSubstr("The file isn&#39;t right"),
                      Not(HasSubstr("href=\"b.html\""))));
    write("b.yaml", tinyScenario("Second"));
    EXPECT_EQ(make().exitCode, 0);
    EXPECT_TRUE(has("b.html"));
}

TEST_F(ReportSite, WhatCantBeRunHasARowAndAPage) {
    write("c.yaml", hopelessScenario());
    const Execution done = make();
    EXPECT_EQ(done.exitCode, 1);
    EXPECT_THAT(done.errors, HasSubstr("runs/c.yaml: No candidate can be run"));
    EXPECT_TRUE(has("c.html"));
    EXPECT_THAT(page("index.html"), HasSubstr("No candidate can be run: c.yaml."));
    EXPECT_EQ(make().exitCode, 1) << "a page that is kept says so, too";
}

TEST_F(ReportSite, SaysWhatKeepsItFromBeingMade) {
    const Setting here{.folder = folder_.path()};
    const auto refused = [&](const std::string& from, const std::string& to) {
        const Execution done = run({"report", from, "--out", to}, here);
        EXPECT_EQ(done.exitCode, 2);
        EXPECT_THAT(done.output, IsEmpty());
        return done.errors;
    };
    EXPECT_THAT(refused("nowhere", "site"), HasSubstr("nowhere: There is no such folder."));
    EXPECT_THAT(refused("runs/a.yaml", "site"), HasSubstr("a folder of scenarios is expected"));
    fs::create_directory(folder_.path() / "empty");
    EXPECT_THAT(refused("empty", "site"), HasSubstr("no scenario in this folder"));
    EXPECT_FALSE(fs::exists(folder_.path() / "site"));
    EXPECT_THAT(refused("runs", "runs/a.yaml"), HasSubstr("runs/a.yaml: The folder can't be made"));
}

TEST_F(ReportSite, NamesOfPagesAreSafeInAnAddress) {
    write("a b & \"ñ\".yaml", tinyScenario("Odd"));
    write("index.yaml", tinyScenario("Index"));
    write("a.yml", tinyScenario("Twin"));
    write(".hidden.yaml", "not a scenario");
    ASSERT_EQ(make().exitCode, 0);
    for (const auto& [name, text] : site())
        EXPECT_EQ(name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-."), std::string::npos)
            << name;
    EXPECT_THAT(page("index.html"),
                AllOf(HasSubstr("href=\"index.yaml.html\""), HasSubstr("href=\"a.yml.html\"")));
    EXPECT_FALSE(has("hidden.html"));
}

TEST_F(ReportSite, CtrlCKeepsWhatIsFinished) {
    for (char name = 'd'; name < 'z'; ++name)
        write(std::string(1, name) + ".yaml", smallScenario());
    const Execution done = run({"report", "runs", "--out", "site", "--threads", "1"},
                               {.folder = folder_.path(), .interruptAfterMilliseconds = 700});
    ASSERT_EQ(done.exitCode, 130) << done.errors;
    EXPECT_LT(done.secondsAfterInterrupt, 3);
    EXPECT_FALSE(has("index.html"));
    const Execution again = make();
    EXPECT_EQ(again.exitCode, 0) << again.errors;
    EXPECT_TRUE(has("index.html"));
}

}  // namespace
}  // namespace trainwright::tests
