// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright sweep`, run as a user runs it: rows in order, the digits of `plan`, and what stops
// it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

using Words = std::vector<std::string>;

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// A scenario whose one layout is given, so that a row takes no search.
std::string fixedScenario() {
    const std::string layout =
        "    parallelism: {tensor: 2, pipeline: 1, context: 1, micro_batch: 2, sharding: zero1,\n"
        "                  recompute: none, sequence_parallel: true}\n";
    std::string text = replaced(
        smallScenario(),
        "  - name: trn2\n    system: trn2.48xlarge\n    accelerators: 64\n    region: us-east-2\n",
        "");
    return text + layout;
}

Execution sweep(const Words& arguments, const std::string& scenario = smallScenario()) {
    Words all{"sweep", "-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    return run(all, {.input = scenario});
}

std::vector<json> rows(const std::string& text) {
    std::vector<json> all;
    for (const std::string& line : lines(text)) {
        all.push_back(json::parse(line));
    }
    return all;
}

TEST(Sweep, RunsOverEveryValueInOrderTheFirstAxisSlowest) {
    const Execution done =
        sweep({"--over", "accelerators=64..256:x2", "--over", "tokens=100B,200B", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    std::vector<std::string> seen;
    for (const json& row : rows(done.output)) {
        seen.push_back(row.at("candidate").get<std::string>() + " " +
                       row.at("accelerators").dump() + " " +
                       std::to_string(row.at("tokens").get<double>() / 1e9).substr(0, 3));
    }
    EXPECT_THAT(seen, ElementsAre("trn2 64 100", "h100 64 100", "trn2 64 200", "h100 64 200",
                                  "trn2 128 100", "h100 128 100", "trn2 128 200", "h100 128 200",
                                  "trn2 256 100", "h100 256 100", "trn2 256 200", "h100 256 200"));
    EXPECT_THAT(done.errors, IsEmpty()) << "no progress where standard error is not a terminal";
}

TEST(Sweep, HasTheDigitsOfPlan) {
    const Execution done = sweep({"--over", "accelerators=64,128", "--over",
                                  "sequence_length=4096,8192", "--json", "--threads", "4"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const std::vector<json> all = rows(done.output);
    ASSERT_EQ(all.size(), 8U);
    std::size_t at = 0;
    for (const std::string accelerators : {"64", "128"}) {
        for (const std::string length : {"4096", "8192"}) {
            std::string text =
                replaced(smallScenario(), "sequence_length: 8192", "sequence_length: " + length);
            std::size_t from = 0;
            while ((from = text.find("accelerators: 64", from)) != std::string::npos) {
                text.replace(from, 16, "accelerators: " + accelerators);
                from += 16;
            }
            const Execution planned = run({"plan", "-", "--json"}, {.input = text});
            ASSERT_EQ(planned.exitCode, 0) << planned.errors;
            const json plan = json::parse(planned.output);
            for (const std::string name : {"trn2", "h100"}) {
                const json& row = all[at++];
                const auto candidate =
                    std::find_if(plan.at("candidates").begin(), plan.at("candidates").end(),
                                 [&](const json& c) { return c.at("name") == name; });
                ASSERT_EQ(row.at("candidate"), name);
                for (const char* key :
                     {"feasible", "meets_constraints", "step_time_s", "tokens_per_s", "mfu_model",
                      "mfu_palm", "hfu", "days", "finish", "goodput", "energy_kwh",
                      "average_power_w", "peak_power_w", "co2_kg", "accelerators", "instances",
                      "grade", "bottleneck", "reasons"}) {
                    EXPECT_EQ(row.at(key), candidate->at(key)) << name << " " << key;
                }
                for (const char* key : {"tensor_parallel", "pipeline_parallel", "data_parallel",
                                        "micro_batch", "sharding", "recompute", "schedule"}) {
                    EXPECT_EQ(row.at(key), candidate->at("layout").at(key)) << name << " " << key;
                }
                EXPECT_EQ(row.at("cost_usd"), candidate->at("cost_usd").at("total"));
                EXPECT_EQ(row.at("memory_peak_bytes"), candidate->at("memory").at("peak_bytes"));
                EXPECT_EQ(row.at("time_compute_s"),
                          candidate->at("time_breakdown_s").at("compute"));
                EXPECT_EQ(row.at("layouts_evaluated"),
                          candidate->at("search").at("layouts_evaluated"));
            }
        }
    }
}

TEST(Sweep, IsTheSameOnAnyNumberOfThreads) {
    const Words arguments{"--over", "tensor=1,2,4,8", "--over", "discount=0%..20%:+10%"};
    std::string first;
    for (const char* threads : {"1", "2", "5"}) {
        Words all = arguments;
        all.insert(all.end(), {"--threads", threads});
        const Execution done = sweep(all);
        ASSERT_EQ(done.exitCode, 0) << done.errors;
        if (first.empty()) {
            first = done.output;
        }
        EXPECT_TRUE(done.output == first) << threads;
    }
}

TEST(Sweep, WritesCsvWithNamesAndUnits) {
    const Execution done = sweep({"--over", "restart_time=5 min,10 min", "--candidate", "h100"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const Words all = lines(done.output);
    ASSERT_EQ(all.size(), 3U);
    EXPECT_THAT(all[0], StartsWith("restart_time_s,candidate,system,accelerators,"));
    EXPECT_THAT(all[1], StartsWith("300,h100,p5.48xlarge,64,8,us-east-1,"));
    EXPECT_THAT(all[2], StartsWith("600,h100,"));
    EXPECT_TRUE(all[0].ends_with(",reasons"));
}

TEST(Sweep, SetsKeysThatTheFileHasNotAndThoseOfOneCandidate) {
    const Execution done = sweep({"--over", "candidates[h100].parallelism.tensor=4", "--over",
                                  "candidates[trn2].price_usd_per_hour=10,20", "--over",
                                  "memory_headroom=0%", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const std::vector<json> all = rows(done.output);
    ASSERT_EQ(all.size(), 4U);
    EXPECT_EQ(all[1].at("tensor_parallel"), 4);
    EXPECT_EQ(all[1].at("h100.tensor"), 4);
    // All but the dollar that keeps the checkpoints.
    EXPECT_NEAR(all[2].at("cost_usd").get<double>(), 2 * all[0].at("cost_usd").get<double>(), 2);
    EXPECT_EQ(all[0].at("trn2.price_usd_per_hour"), 10);
    EXPECT_EQ(all[1].at("cost_usd"), all[3].at("cost_usd"));
    EXPECT_NEAR(all[0].at("memory_usable_bytes").get<double>(), 96.0 * (1 << 30) / 4, 1);
}

TEST(Sweep, TellsInItsRowWhyValuesMakeNoSenseTogether) {
    const Execution done =
        sweep({"--over", "accelerators=60,64", "--over", "tensor=1,3", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const std::vector<json> all = rows(done.output);
    ASSERT_EQ(all.size(), 8U);
    EXPECT_EQ(all[0].at("feasible"), false);
    EXPECT_TRUE(all[0].at("days").is_null());
    EXPECT_THAT(all[0].at("reasons").at(0).get<std::string>(),
                HasSubstr("60 accelerators are 3.75 of trn2.48xlarge"));
    EXPECT_EQ(all[4].at("feasible"), true);
    EXPECT_EQ(all[6].at("feasible"), false) << "three ranks don't share 32 heads";
    EXPECT_FALSE(all[6].at("reasons").empty());

    const Execution none = sweep({"--over", "accelerators=60"});
    EXPECT_EQ(none.exitCode, 1);
    EXPECT_EQ(lines(none.output).size(), 3U);
    EXPECT_THAT(none.errors, HasSubstr("No candidate can be run"));
}

struct Refused {
    Words arguments;
    std::string said;
};

TEST(Sweep, RefusesWhatNoScenarioTakesBeforeTheFirstRow) {
    const std::vector<Refused> cases = {
        {{"--over", "acelerators=64"},
         "--over acelerators: `acelerators` is not a key of a scenario. Nearest: `accelerators`."},
        {{"--over", "accelerators=64,0"},
         "--over accelerators=0: `0` is too small for `accelerators`: at least 1."},
        {{"--over", "accelerators=64..1e9:x10"}, "is too large for `accelerators`"},
        {{"--over", "tokens=1T,1 GB"}, "--over tokens=1 GB: `1 GB` is a size in bytes"},
        {{"--over", "tokens=0"},
         "--over tokens=0: `0` is too small for `tokens`: it is more than 0"},
        {{"--over", "sharding=zero1,zero4"},
         "--over sharding=zero4: `zero4` is no value of `sharding`. Nearest:"},
        {{"--over", "tensor=atuo"}, "`atuo`"},
        {{"--over", "discount=150%"}, "too large for `discount`"},
        {{"--over", "layers=8"}, "The model is the catalog's llama3.1-8b"},
        {{"--over", "candidates[h10].accelerators=8"},
         "`candidates` has no item `h10`. Nearest: `h100`."},
        {{"--over", "overrides.value=8"}, "The scenario has no `overrides`."},
        {{"--over", "tokens=1T", "--over", "training.tokens=2T"},
         "`training.tokens` is already run over by another axis."},
        {{"--over", "tokens=1T", "--candidate", "h10"},
         "There is no candidate `h10`. Nearest: h100."},
        {{"--over", "tokens=1T", "--format", "xml"}, "One of csv, jsonl is expected, not xml"},
        {{"--over", "tokens=1T", "--output", "/nowhere/rows.csv"}, "/nowhere"},
        {{"--over", "tokens=1M..1T:+1M", "--over", "power=1 W..1 MW:+1 W", "--over",
          "budget=1 USD..9 USD:+1 USD"},
         "is the most that one sweep has"},
        {{}, "--over is required"},
    };
    for (const Refused& refused : cases) {
        const Execution done = sweep(refused.arguments);
        const std::string shown = refused.arguments.empty() ? "" : refused.arguments.back();
        EXPECT_EQ(done.exitCode, 2) << shown;
        EXPECT_THAT(done.output, IsEmpty()) << shown;
        EXPECT_THAT(done.errors, HasSubstr(refused.said)) << shown;
    }
}

TEST(Sweep, WarnsOnceOfAValue) {
    const Execution done = sweep(
        {"--over", "sequence_length=4k,8192", "--over", "tokens=1T,2T", "--candidate", "h100"});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(
        lines(done.errors),
        ElementsAre(
            "--over sequence_length=4k: warning: `4k` is 4,000 tokens. 4,096 is written 4096."));
}

TEST(Sweep, OverridesOfTheScenarioCanBeSweptByTheirFigure) {
    const std::string scenario =
        fixedScenario() +
        "overrides:\n  - {figure: chip/h100_sxm/hbm_bandwidth_bytes_per_s, value: 3.35 TB/s, "
        "because: a test}\n";
    const Execution done =
        sweep({"--over", "overrides[chip/h100_sxm/hbm_bandwidth_bytes_per_s].value=3 TB/s,4 TB/s",
               "--json"},
              scenario);
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const std::vector<json> all = rows(done.output);
    ASSERT_EQ(all.size(), 2U);
    EXPECT_GT(all[0].at("step_time_s"), all[1].at("step_time_s"));
}

TEST(Sweep, StoppedByCtrlCKeepsWholeRows) {
    const Words arguments{"--over", "discount=0%..90%:+0.001%"};
    const std::string whole =
        sweep({"--over", "discount=0%..0.02%:+0.001%"}, fixedScenario()).output;
    Words all{"sweep", "-"};
    all.insert(all.end(), arguments.begin(), arguments.end());
    const Execution done = run(all, {.input = fixedScenario(), .interruptAfterBytes = 20'000});
    EXPECT_EQ(done.exitCode, 130) << done.errors;
    EXPECT_EQ(done.signal, 0);
    EXPECT_THAT(done.errors, HasSubstr("of 90,001 rows are written"));
    ASSERT_FALSE(done.output.empty());
    EXPECT_EQ(done.output.back(), '\n');
    EXPECT_THAT(done.output, StartsWith(whole));
    const long written = std::count(done.output.begin(), done.output.end(), '\n') - 1;
    EXPECT_THAT(done.errors, HasSubstr(written >= 1000 ? std::to_string(written / 1000) + ","
                                                       : std::to_string(written)));
}

TEST(Sweep, StoppedByCtrlCKeepsTheRowsOfItsFile) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", fixedScenario());
    Execution done;
    // Until the machine is fast enough to have begun.
    for (int milliseconds = 500; milliseconds < 20'000; milliseconds *= 2) {
        done = run({"sweep", "scenario.yaml", "--over", "discount=0%..90%:+0.0001%", "--output",
                    "rows.csv"},
                   {.folder = folder.path(), .interruptAfterMilliseconds = milliseconds});
        if (done.exitCode == 130 && readFile(folder.file("rows.csv")).size() > 5000) {
            break;
        }
    }
    EXPECT_EQ(done.exitCode, 130) << done.errors;
    EXPECT_THAT(done.output, IsEmpty());
    const std::string text = readFile(folder.file("rows.csv"));
    EXPECT_TRUE(text.ends_with("\n"));
    const Words all = lines(text);
    const auto commas = [](const std::string& line) {
        return std::count(line.begin(), line.end(), ',');
    };
    EXPECT_GE(commas(all.back()), commas(all.front())) << all.back();
}

TEST(Sweep, OntoAFullDiskEndsItsFileWithAWholeRow) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", fixedScenario());
    const Execution done =
        run({"sweep", "scenario.yaml", "--over", "discount=0%..90%:+0.01%", "--output", "rows.csv"},
            {.folder = folder.path(), .largestFile = 10'000});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.errors, HasSubstr("rows.csv: No more can be written"));
    const std::string text = readFile(folder.file("rows.csv"));
    EXPECT_TRUE(text.ends_with("\n"));
    EXPECT_LE(text.size(), 10'000U);
}

TEST(Sweep, EndsWhenItsReaderHasGone) {
    const Execution done = run({"sweep", "-", "--over", "discount=0%..90%:+0.0001%"},
                               {.input = fixedScenario(), .closeOutputEarly = true});
    EXPECT_EQ(done.exitCode, 0);
    EXPECT_THAT(done.errors, IsEmpty());
}

TEST(Sweep, DoesNotWriteOverItsScenario) {
    const TemporaryFolder folder;
    folder.write("scenario.yaml", fixedScenario());
    const Execution done =
        run({"sweep", "scenario.yaml", "--over", "tokens=1T", "--output", "scenario.yaml"},
            {.folder = folder.path()});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_EQ(readFile(folder.file("scenario.yaml")), fixedScenario());
}

}  // namespace
}  // namespace trainwright::tests
