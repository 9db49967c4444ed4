// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright fit`, run as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Execution fit(std::vector<std::string> options, const std::string& scenario = smallScenario()) {
    options.insert(options.begin(), {"fit", "-"});
    return run(options, {.input = scenario});
}

TEST(Fit, GivesTheClusterAsACandidateOfAPlan) {
    const Execution done = fit({"--objective", "cheapest", "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const json j = json::parse(done.output);
    EXPECT_EQ(j["schema"], "trainwright/fit/1");
    EXPECT_EQ(j["feasible"], true);
    EXPECT_EQ(j["nearest_miss"], nullptr);
    EXPECT_GT(j["best"]["accelerators"], 0);
    EXPECT_GT(j["best"]["cost_usd"]["total"], 0);
    ASSERT_FALSE(j["ways"].empty());
    // The first of the ways is the best, with the same digits.
    EXPECT_EQ(j["ways"][0]["name"], j["best"]["name"]);
    EXPECT_EQ(j["ways"][0]["cost_usd"], j["best"]["cost_usd"]["total"]);
    EXPECT_EQ(j["ways"][0]["days"], j["best"]["days"]);
    for (const json& way : j["ways"]) {
        if (way["misses"].empty()) {
            EXPECT_GE(way["cost_usd"].get<double>(), j["ways"][0]["cost_usd"].get<double>());
        }
    }
}

TEST(Fit, WithoutAClusterThatFitsTheNearestMissIsShown) {
    const Execution done = fit({"--budget", "1 USD", "--json"});
    EXPECT_EQ(done.exitCode, 1);
    const json j = json::parse(done.output);
    EXPECT_EQ(j["feasible"], false);
    EXPECT_EQ(j["best"], nullptr);
    EXPECT_NE(j["nearest_miss"], nullptr);
    EXPECT_EQ(j["nearest_misses"][0]["constraint"], "budget");
    EXPECT_THAT(fit({"--budget", "1 USD"}).output, HasSubstr("Nothing keeps every limit."));
}

TEST(Fit, SaysWhatIsWrongWithAnOption) {
    struct Case {
        std::vector<std::string> options;
        const char* says;
    };
    const Case cases[] = {
        {{"--deadline", "2027-13-01"}, "--deadline: `2027-13-01` has the month 13"},
        {{"--budget", "5Q"}, "--budget: `Q` in `5Q` is not a unit"},
        {{"--power", "30"}, "--power: `30` has no unit"},
        {{"--carbon", "3 MW"}, "--carbon: `3 MW` is a power, where a mass is expected"},
        {{"--region", "us-eest-1"}, "The catalog has no region `us-eest-1`. Nearest: us-east-1."},
        {{"--plan", "on_demnd"}, "There is no plan `on_demnd`. Nearest: on_demand."},
        {{"--candidate", "nobody"}, "The scenario has no candidate `nobody`."},
        {{"--deadline", "1999-01-01"}, "1999"},
    };
    for (const Case& c : cases) {
        const Execution done = fit(c.options);
        EXPECT_EQ(done.exitCode, 2) << c.says;
        EXPECT_THAT(done.errors, HasSubstr(c.says));
        EXPECT_EQ(done.output, "");
    }
}

}  // namespace
}  // namespace trainwright::tests
