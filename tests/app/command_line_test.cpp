// SPDX-License-Identifier: GPL-3.0-or-later
// The commands, run as a user runs them: what they print where, and that it is the same everywhere.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::Each;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

/// JSON on standard output without what a machine measured of itself; any other text as it is.
std::string withoutMeasurements(const std::string& text) {
    if (!json::accept(text)) {
        return text;
    }
    json all = json::parse(text);
    const auto strip = [](json& candidate) {
        candidate.at("search").erase("wall_s");
        candidate.at("search").erase("threads");
    };
    if (all.contains("candidate")) {
        strip(all.at("candidate"));
    } else {
        std::for_each(all.at("candidates").begin(), all.at("candidates").end(), strip);
    }
    return all.dump();
}

std::string hopelessScenario() {
    std::string text = smallScenario();
    text.replace(text.find("llama3.1-8b"), 11, "llama3.1-405b");
    for (std::size_t at = text.find("tors: 64"); at != std::string::npos;
         at = text.find("tors: 64")) {
        text.replace(at, 8, "tors: 16");
    }
    return text;
}

TEST(Version, NamesProgramBuildAndData) {
    const Execution done = run({"--version"});
    EXPECT_EQ(done.exitCode, 0);
    const auto said = lines(done.output);
    ASSERT_EQ(said.size(), 3U) << done.output;
    EXPECT_THAT(said[0], StartsWith("trainwright "));
    EXPECT_THAT(said[0], HasSubstr(", Qt 6."));
    EXPECT_THAT(said[1], StartsWith("catalog 20"));
    EXPECT_THAT(said[1], HasSubstr("), newest price 20"));
    EXPECT_THAT(said[2], StartsWith("calibration "));
    EXPECT_THAT(done.errors, IsEmpty());
}

TEST(Version, IsJsonForPrograms) {
    const Execution done = run({"--version", "--json"});
    EXPECT_EQ(done.exitCode, 0);
    const json all = json::parse(done.output);
    const auto said = lines(run({"--version"}).output);
    const auto text = [&](const char* at) {
        return all.at(json::json_pointer(at)).get<std::string>();
    };
    EXPECT_EQ(text("/schema"), "trainwright/version/1");
    EXPECT_EQ(said.at(0), "trainwright " + text("/version") + " (" + text("/build/type") + ", " +
                              text("/build/compiler") + ", Qt " + text("/build/qt") + ")");
    EXPECT_EQ(said.at(1), "catalog " + text("/catalog/version") + " (" + text("/catalog/hash") +
                              "), newest price " + text("/catalog/newest_price"));
    EXPECT_EQ(said.at(2),
              "calibration " + text("/calibration/id") + " (" + text("/calibration/hash") + ")");
}

TEST(Version, OfTheProgramIsToldWithoutACatalog) {
    const Setting gone{.environment = {{"TRAINWRIGHT_CATALOG", "gone.sqlite"}}};
    const Execution done = run({"--version"}, gone);
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.output, StartsWith("trainwright "));
    EXPECT_THAT(done.errors, HasSubstr("gone.sqlite"));
    EXPECT_THAT(run({"--version", "--json"}, gone).output, IsEmpty());
}

TEST(Help, OfEveryCommandGoesToStandardOutputAndFitsATerminal) {
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{},
                                               {"plan"},
                                               {"explain"},
                                               {"catalog"},
                                               {"catalog", "list"},
                                               {"catalog", "show"},
                                               {"catalog", "check"},
                                               {"catalog", "import", "model"},
                                               {"schema"},
                                               {"new"},
                                               {"fmt"}}) {
        std::vector<std::string> arguments = command;
        arguments.emplace_back("--help");
        const Execution done = run(arguments);
        std::string name = "trainwright";
        for (const std::string& word : command) {
            name += " " + word;
        }
        EXPECT_EQ(done.exitCode, 0) << name;
        EXPECT_THAT(done.output, HasSubstr("usage: " + name + " ")) << name;
        EXPECT_THAT(done.errors, IsEmpty()) << name;
        for (const std::string& line : lines(done.output)) {
            EXPECT_LE(line.size(), 100U) << line;
        }
    }
}

TEST(NoArguments, ShowTheHelpAsAnError) {
    const Execution done = run({});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.output, IsEmpty());
    EXPECT_THAT(done.errors, HasSubstr("usage: trainwright"));
}

TEST(Plan, PrintsATableThatFitsAHundredColumns) {
    const Execution done = run({"plan", "-"}, {.input = smallScenario()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.output, HasSubstr("trn2"));
    EXPECT_THAT(done.output, HasSubstr("h100"));
    EXPECT_THAT(done.output, Not(HasSubstr("\033"))) << "a pipe gets no colour";
}

TEST(Plan, GivesJsonAndNothingElse) {
    const Execution done = run({"plan", "-", "--json"}, {.input = smallScenario()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const json plan = json::parse(done.output);
    EXPECT_EQ(plan.at("schema"), "trainwright/plan/1");
    ASSERT_EQ(plan.at("candidates").size(), 2U);
    for (const json& candidate : plan.at("candidates")) {
        EXPECT_TRUE(candidate.at("feasible").get<bool>()) << candidate.at("name");
        EXPECT_GT(candidate.at("step_time_s").get<double>(), 0);
    }
}

TEST(Plan, OfSeveralScenariosIsAJsonList) {
    const TemporaryFolder folder;
    folder.write("a.yaml", smallScenario());
    folder.write("b.yaml", smallScenario());
    const Execution done = run({"plan", "a.yaml", "b.yaml", "--json", "--report", "{}.json"},
                               {.folder = folder.path()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const json plans = json::parse(done.output);
    ASSERT_EQ(plans.size(), 2U);
    const auto candidates = [](const json& plan) {
        return json::parse(withoutMeasurements(plan.dump())).at("candidates");
    };
    EXPECT_EQ(candidates(plans[0]), candidates(plans[1]));
    EXPECT_THAT(folder.names(), testing::ElementsAre("a.json", "a.yaml", "b.json", "b.yaml"));
}

TEST(Plan, WritesEveryReportThatIsAskedFor) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    const Execution done = run({"plan", "scenario.yaml", "--report", "plan.html", "--report",
                                "plan.json", "--report", "plan.txt"},
                               {.folder = folder.path()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const std::string html = readFile(folder.file("plan.html"));
    EXPECT_THAT(html, StartsWith("<!DOCTYPE html>"));
    EXPECT_NE(html.find("<svg"), std::string::npos) << "the report has no chart";
    EXPECT_NE(html.find("</html>"), std::string::npos);
    EXPECT_EQ(json::parse(readFile(folder.file("plan.json"))).at("schema"), "trainwright/plan/1");
    EXPECT_THAT(readFile(folder.file("plan.txt")), HasSubstr("trn2"));
}

TEST(Plan, IsTheSameOnAnyNumberOfThreadsAndInAnyLocaleAndTimeZone) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    // A locale that writes decimal commas, made here since few machines have one.
    const std::string german = folder.file("de_DE.UTF-8");
    ASSERT_EQ(runCommand({"/usr/bin/localedef", "-i", "de_DE", "-f", "UTF-8", german}).exitCode, 0);

    struct Variation {
        std::string threads;
        std::map<std::string, std::string> environment;
    };
    const std::vector<Variation> variations = {
        {"1", {{"LC_ALL", "C"}, {"TZ", "UTC"}}},
        {"2", {{"LC_ALL", "C.UTF-8"}, {"TZ", "America/Los_Angeles"}}},
        {"4",
         {{"LOCPATH", folder.path().string()},
          {"LC_ALL", "de_DE.UTF-8"},
          {"LANGUAGE", "de"},
          {"TZ", "Asia/Kolkata"}}},
        {"1", {{"LC_ALL", "tr_TR.UTF-8"}, {"TZ", "Pacific/Kiritimati"}, {"COLUMNS", ""}}},
    };
    for (const std::vector<std::string>& command : std::vector<std::vector<std::string>>{
             {"plan", "scenario.yaml"},
             {"plan", "scenario.yaml", "--json"},
             {"explain", "scenario.yaml"},
             {"explain", "scenario.yaml", "--candidate", "h100", "--json"}}) {
        std::string first;
        for (const Variation& variation : variations) {
            std::vector<std::string> arguments = command;
            arguments.insert(arguments.end(), {"--threads", variation.threads});
            const Execution done =
                run(arguments, {.environment = variation.environment, .folder = folder.path()});
            ASSERT_EQ(done.exitCode, 0) << done.errors;
            const std::string output = withoutMeasurements(done.output);
            if (first.empty()) {
                first = output;
            }
            EXPECT_EQ(output, first) << command[0] << " with " << variation.threads << " threads, "
                                     << variation.environment.at("LC_ALL");
        }
    }
    for (const std::string file : {"plan.html", "plan.json"}) {
        std::string first;
        for (const Variation& variation : variations) {
            const Execution done =
                run({"plan", "scenario.yaml", "--report", file, "--threads", variation.threads},
                    {.environment = variation.environment, .folder = folder.path()});
            ASSERT_EQ(done.exitCode, 0) << done.errors;
            const std::string report = readFile(folder.file(file));
            if (first.empty()) {
                first = report;
            }
            EXPECT_TRUE(report == first)
                << file << " differs in " << variation.environment.at("LC_ALL");
        }
    }
}

TEST(Plan, CountsAndTimesItsSearchOnlyForTheOneWhoWaits) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", smallScenario());
    const Execution done =
        run({"plan", "scenario.yaml", "--json", "--report", "plan.json", "--threads", "4"},
            {.folder = folder.path()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const json shown = json::parse(done.output).at("candidates").at(0).at("search");
    EXPECT_GT(shown.at("layouts_evaluated"), 0);
    EXPECT_GT(shown.at("layouts_feasible"), 0);
    EXPECT_GT(shown.at("layouts_pruned"), 0);
    EXPECT_GT(shown.at("wall_s"), 0);
    EXPECT_EQ(shown.at("threads"), 2) << "of four, for each of two candidates";
    const json kept =
        json::parse(readFile(folder.file("plan.json"))).at("candidates").at(0).at("search");
    EXPECT_EQ(kept.at("layouts_evaluated"), shown.at("layouts_evaluated"));
    EXPECT_TRUE(kept.at("wall_s").is_null());
    EXPECT_TRUE(kept.at("threads").is_null());
}

TEST(Plan, SearchedExhaustivelyIsTheSame) {
    const json pruned =
        json::parse(run({"plan", "-", "--json"}, {.input = smallScenario()}).output);
    const json whole = json::parse(
        run({"plan", "-", "--json", "--exhaustive"}, {.input = smallScenario()}).output);
    for (std::size_t i = 0; i < 2; ++i) {
        const json& some = pruned.at("candidates").at(i);
        const json& all = whole.at("candidates").at(i);
        EXPECT_EQ(some.at("layout"), all.at("layout"));
        EXPECT_EQ(some.at("step_time_s"), all.at("step_time_s"));
        EXPECT_EQ(some.at("front"), all.at("front"));
        EXPECT_EQ(all.at("search").at("layouts_pruned"), 0);
        // What is passed over at once isn't counted with and without the host's help.
        EXPECT_LE(some.at("search").at("layouts_evaluated").get<long>() +
                      some.at("search").at("layouts_pruned").get<long>(),
                  all.at("search").at("layouts_evaluated").get<long>());
    }
}

TEST(Plan, ThatNoCandidateCanRunExitsWithOneAndSaysWhy) {
    const Execution text = run({"plan", "-"}, {.input = hopelessScenario()});
    EXPECT_EQ(text.exitCode, 1);
    EXPECT_THAT(text.errors, HasSubstr("No candidate can be run"));

    const Execution done = run({"plan", "-", "--json"}, {.input = hopelessScenario()});
    EXPECT_EQ(done.exitCode, 1);
    const json plan = json::parse(done.output);
    for (const json& candidate : plan.at("candidates")) {
        EXPECT_FALSE(candidate.at("feasible").get<bool>());
        EXPECT_FALSE(candidate.at("reasons").empty()) << candidate.at("name");
        EXPECT_TRUE(candidate.at("days").is_null());
        EXPECT_TRUE(candidate.at("step_time_s").is_null());
        EXPECT_EQ(candidate.at("nearest").at("layout"), candidate.at("layout"));
        EXPECT_GT(candidate.at("nearest").at("step_time_s").get<double>(), 0);
        EXPECT_EQ(candidate.at("nearest").at("peak_bytes"),
                  candidate.at("memory").at("peak_bytes"));
        for (const json& reason : candidate.at("reasons")) {
            std::string words = text.output;
            std::replace(words.begin(), words.end(), '\n', ' ');
            for (std::size_t at; (at = words.find("  ")) != std::string::npos;) words.erase(at, 1);
            EXPECT_THAT(words, HasSubstr(reason.get<std::string>()));
        }
    }
    EXPECT_THAT(text.output, HasSubstr("a step of that layout would take"));
}

TEST(Explain, ShowsTheBestUnlessAnotherIsNamed) {
    const Execution best = run({"explain", "-"}, {.input = smallScenario()});
    ASSERT_EQ(best.exitCode, 0) << best.errors;
    const json plan = json::parse(run({"plan", "-", "--json"}, {.input = smallScenario()}).output);
    for (const json& candidate : plan.at("candidates")) {
        const Execution named =
            run({"explain", "-", "--candidate", candidate.at("name").get<std::string>()},
                {.input = smallScenario()});
        EXPECT_EQ(named.exitCode, 0);
        EXPECT_EQ(named.output == best.output, candidate.at("rank") == 1) << candidate.at("name");
    }
}

TEST(Explain, GivesJson) {
    const Execution done =
        run({"explain", "-", "--candidate", "h100", "--json"}, {.input = smallScenario()});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_EQ(json::parse(done.output).at("schema"), "trainwright/explain/1");
}

TEST(Catalog, ListsShowsAndChecks) {
    const Execution list = run({"catalog", "list", "system"});
    EXPECT_EQ(list.exitCode, 0) << list.errors;
    EXPECT_THAT(list.output, HasSubstr("trn2.48xlarge"));
    const Execution show = run({"catalog", "show", "trn2.48xlarge"});
    EXPECT_EQ(show.exitCode, 0) << show.errors;
    EXPECT_THAT(show.output, HasSubstr("trn2.48xlarge"));
    const Execution check = run({"catalog", "check"});
    EXPECT_EQ(check.exitCode, 0) << check.output << check.errors;
    for (const std::vector<std::string>& command :
         std::vector<std::vector<std::string>>{{"catalog", "list"},
                                               {"catalog", "list", "chip"},
                                               {"catalog", "show", "trn2.48xlarge"},
                                               {"catalog", "check"}}) {
        std::vector<std::string> arguments = command;
        arguments.emplace_back("--json");
        EXPECT_TRUE(json::accept(run(arguments).output)) << command[1];
    }
}

TEST(Catalog, IsTheOneThatTheEnvironmentNames) {
    const Execution done =
        run({"catalog", "list"}, {.environment = {{"TRAINWRIGHT_CATALOG", "/none.sqlite"}}});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.errors, HasSubstr("/none.sqlite"));
    const Execution overridden = run({"catalog", "list", "--catalog", shippedCatalog()},
                                     {.environment = {{"TRAINWRIGHT_CATALOG", "/none.sqlite"}}});
    EXPECT_EQ(overridden.exitCode, 0) << overridden.errors;
}

TEST(CatalogImport, PrintsABlockThatPlans) {
    const TemporaryFolder folder;
    const std::string config =
        R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
        "max_position_embeddings": 8192, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 8, "vocab_size": 128256})";
    folder.write("config.json", config);
    const Execution read = run({"catalog", "import", "model", "config.json", "--id", "eight"},
                               {.folder = folder.path()});
    ASSERT_EQ(read.exitCode, 0) << read.errors;
    EXPECT_THAT(read.output, HasSubstr("8,030,261,248 parameters"));
    std::string text = smallScenario();
    const std::string line = "model: llama3.1-8b\n";
    text.replace(text.find(line), line.size(), read.output);
    EXPECT_EQ(run({"plan", "-"}, {.input = text}).exitCode, 0) << text;

    const Execution asJson =
        run({"catalog", "import", "model", "config.json", "--json"}, {.folder = folder.path()});
    ASSERT_EQ(asJson.exitCode, 0) << asJson.errors;
    const json parsed = json::parse(asJson.output);
    EXPECT_EQ(parsed.at("parameters"), 8030261248);
    EXPECT_EQ(parsed.at("architecture").at("kv_heads"), 8);

    folder.write("config.json", R"({"model_type": "mamba2"})");
    const Execution refused =
        run({"catalog", "import", "model", "config.json"}, {.folder = folder.path()});
    EXPECT_EQ(refused.exitCode, 2);
    EXPECT_THAT(refused.errors, HasSubstr("mamba2"));
    EXPECT_THAT(refused.output, IsEmpty());
}

TEST(Schema, IsJson) {
    const Execution done = run({"schema"});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_EQ(json::parse(done.output).at("$schema"),
              "https://json-schema.org/draft/2020-12/schema");
}

TEST(Schema, TellsEveryKeyInWords) {
    const Execution done = run({"schema", "--text"});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(done.output, HasSubstr("training.sequence_length"));
    EXPECT_THAT(done.output, HasSubstr("candidates[].system"));
}

TEST(New, WritesAScenarioThatPlans) {
    const TemporaryFolder folder;
    const Execution written = run({"new", "run.yaml"}, {.folder = folder.path()});
    ASSERT_EQ(written.exitCode, 0) << written.errors;
    EXPECT_THAT(written.output, IsEmpty());
    EXPECT_EQ(run({"new"}).output, readFile(folder.file("run.yaml")));
    EXPECT_EQ(run({"fmt", "--check", "run.yaml"}, {.folder = folder.path()}).exitCode, 0);
    const Execution planned = run({"plan", "run.yaml"}, {.folder = folder.path()});
    EXPECT_EQ(planned.exitCode, 0) << planned.errors;
}

TEST(Format, ChecksAndMends) {
    const TemporaryFolder folder;
    std::string loose = smallScenario();
    loose.insert(loose.find("title:") + 6, "     ");
    folder.write("scenario.yaml", loose);
    const Execution checked = run({"fmt", "--check", "scenario.yaml"}, {.folder = folder.path()});
    EXPECT_EQ(checked.exitCode, 1);
    EXPECT_THAT(checked.errors, HasSubstr("scenario.yaml"));
    EXPECT_EQ(readFile(folder.file("scenario.yaml")), loose);

    EXPECT_EQ(run({"fmt", "scenario.yaml"}, {.folder = folder.path()}).exitCode, 0);
    EXPECT_EQ(run({"fmt", "--check", "scenario.yaml"}, {.folder = folder.path()}).exitCode, 0);
    EXPECT_EQ(run({"fmt", "-"}, {.input = loose}).output, readFile(folder.file("scenario.yaml")));
}

TEST(Examples, AllPlan) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(TRAINWRIGHT_SOURCE_DIR "/data/scenarios")) {
        if (entry.path().extension() == ".yaml") {
            ++count;
            const Execution done = run({"plan", entry.path().string(), "--json"});
            EXPECT_EQ(done.exitCode, 0) << entry.path().filename() << "\n" << done.errors;
            EXPECT_TRUE(json::accept(done.output)) << entry.path().filename();
            EXPECT_EQ(run({"fmt", "--check", entry.path().string()}).exitCode, 0)
                << entry.path().filename();
        }
    }
    EXPECT_GE(count, 6);
}

TEST(PlanMoney, TellsOfCashUnitCostsEqualPricesAndOwning) {
    const std::string file = TRAINWRIGHT_SOURCE_DIR "/data/scenarios/llama3.1-70b-purchases.yaml";
    const Execution done = run({"plan", file, "--money"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    for (const char* title :
         {"Cost of p5-demand", "Cost of h100-owned", "When is it paid?",
          "What does a unit of work cost?", "At what price would they be equal?", "Rent or own?"})
        EXPECT_THAT(done.output, HasSubstr(title));
    EXPECT_THAT(run({"plan", file}).output, Not(HasSubstr("Rent or own?")));

    const json all = json::parse(run({"plan", file, "--json"}).output);
    const auto named = [&](const char* name) -> const json& {
        for (const json& c : all.at("candidates"))
            if (c.at("name") == name) return c;
        throw std::out_of_range(name);
    };
    const auto total = [&](const char* name) {
        return named(name).at("cost_usd").at("total").get<double>();
    };
    // Reclaims cost time; a term that nobody else uses costs all of it; a base at less than the
    // price by the hour costs less than all by the hour.
    EXPECT_GT(named("p5-spot").at("days"), named("p5-demand").at("days"));
    EXPECT_LT(total("p5-base-and-rest"), total("p5-demand"));
    EXPECT_EQ(named("p5-term").at("billed_days"), 365);
    EXPECT_NEAR(total("p5-sagemaker") / total("p5-demand"), 1.15, 0.01);
    EXPECT_EQ(named("p5-base-and-rest").at("purchases").size(), 2U);
    EXPECT_GT(named("h100-owned").at("cost_usd").at("electricity"), 0);
    EXPECT_GT(named("h100-owned").at("ownership").at("break_even_months"), 1);
    EXPECT_EQ(named("trn2").at("against").size(), 6U);
}

/// What the README shows is what the program prints. With TRAINWRIGHT_BLESS=1 in the environment
/// the README is brought up to date instead: look at the difference in git before committing it.
void compareWithReadme(const std::string& block, const std::string& printed) {
    const std::string begin = "<!-- " + block + " -->\n";
    const std::string end = "<!-- /" + block + " -->\n";
    std::string expected = begin + "\n";
    std::istringstream in(printed);
    for (std::string line; std::getline(in, line);) {
        expected += line.empty() ? "\n" : "    " + line + "\n";
    }
    expected += "\n" + end;

    const fs::path file = fs::path(TRAINWRIGHT_SOURCE_DIR) / "README.md";
    std::string readme = readFile(file);
    const std::size_t from = readme.find(begin);
    const std::size_t to = readme.find(end);
    ASSERT_NE(from, std::string::npos);
    ASSERT_NE(to, std::string::npos);
    if (std::getenv("TRAINWRIGHT_BLESS") != nullptr) {
        std::ofstream(file, std::ios::binary)
            << readme.replace(from, to + end.size() - from, expected);
        return;
    }
    EXPECT_EQ(readme.substr(from, to + end.size() - from), expected)
        << "after a look at the change: TRAINWRIGHT_BLESS=1 tests/run -R Readme";
}

TEST(Readme, ShowsWhatThePlanPrints) {
    const Execution done =
        run({"plan", "data/scenarios/llama3.1-405b.yaml"}, {.folder = TRAINWRIGHT_SOURCE_DIR});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    compareWithReadme("plan", done.output.substr(0, done.output.find("\n\nWorth knowing") + 1));
}

// A plan that was kept, a price list that came later, and why the ranking is another one now.
TEST(Readme, ShowsASessionWithNewPrices) {
    const TemporaryFolder folder;
    const fs::path examples = fs::path(TRAINWRIGHT_SOURCE_DIR) / "data" / "scenarios";
    fs::copy_file(examples / "llama3.1-70b.yaml", folder.path() / "llama3.1-70b.yaml");
    fs::copy_file(examples / "prices" / "ec2-made-up.json", folder.path() / "ec2-made-up.json");
    const Setting here{.environment = {{"TRAINWRIGHT_OVERLAY", "own-prices.sqlite"}},
                       .folder = folder.path()};
    ASSERT_EQ(run({"plan", "llama3.1-70b.yaml", "--report", "november.json"}, here).exitCode, 0);
    std::string session = "$ trainwright plan llama3.1-70b.yaml --report november.json\n…\n";
    const std::vector<std::vector<std::string>> commands{
        {"catalog", "import", "prices", "ec2-made-up.json"},
        {"diff", "november.json", "llama3.1-70b.yaml"}};
    for (const std::vector<std::string>& command : commands) {
        const Execution done = run(command, here);
        ASSERT_EQ(done.exitCode, 0) << done.errors;
        session += "\n$ trainwright";
        for (const std::string& word : command) session += " " + word;
        session += "\n" + done.output;
    }
    compareWithReadme("session", session);
}

// The tutorial: one question, from the file to the report.
TEST(Readme, ShowsATutorial) {
    const TemporaryFolder folder;
    const std::string scenario =
        readFile(fs::path(TRAINWRIGHT_SOURCE_DIR) / "tests/app/tutorial.yaml");
    folder.write("ours.yaml", scenario);
    const Setting here{.folder = folder.path()};
    struct Step {
        std::vector<std::string> command;
        std::string until;  ///< what the tutorial leaves out begins with it
        std::string note;
    };
    const std::vector<Step> steps{
        {{"plan", "ours.yaml"}, "\n\nWorth knowing", "Which is cheapest by the date?"},
        {{"explain", "ours.yaml", "--candidate", "trn2"},
         "\n\nBy operator",
         "Why that long, and what would make it shorter?"},
        {{"fit", "ours.yaml"},
         "\n\nThe best of each way",
         "Is there a better size, or another way to buy it?"},
    };
    std::string session = "$ cat ours.yaml\n" + scenario;
    for (const Step& step : steps) {
        const Execution done = run(step.command, here);
        ASSERT_EQ(done.exitCode, 0) << done.errors;
        const std::size_t end = done.output.find(step.until);
        ASSERT_NE(end, std::string::npos) << done.output;
        session += "\n# " + step.note + "\n$ trainwright";
        for (const std::string& word : step.command) session += " " + word;
        session += "\n" + done.output.substr(0, end) + "\n…\n";
    }
    const Execution report = run({"plan", "ours.yaml", "--report", "ours.html"}, here);
    ASSERT_EQ(report.exitCode, 0) << report.errors;
    session +=
        "\n# For those who decide: a page, with the source of every figure.\n"
        "$ trainwright plan ours.yaml --report ours.html\n";
    compareWithReadme("tutorial", session);
}

TEST(Start, LoadsNoDesktopLibraries) {
    const Execution done = run({"--version"}, {.environment = {{"LD_TRACE_LOADED_OBJECTS", "1"}}});
    EXPECT_THAT(done.output, HasSubstr("libc.so"));
    EXPECT_THAT(lines(done.output), Each(Not(HasSubstr("libQt6"))));
}

}  // namespace
}  // namespace trainwright::tests
