// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright claims`, run as a user runs it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using nlohmann::json;
using testing::Contains;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

json claimsOf(const Execution& done) {
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    return json::parse(done.output).at("claims");
}

TEST(Claims, AllOfThemInATableThatFits) {
    const Execution done = run({"claims", "--width", "80"});
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(done.output, HasSubstr("trn2-hbm"));
    EXPECT_THAT(done.output, HasSubstr("24 claims. "));
    EXPECT_THAT(done.output, HasSubstr("The article contradicts itself"));
}

TEST(Claims, AsJsonWithWhatEachRestsOn) {
    const json claims = claimsOf(run({"claims", "--json"}));
    EXPECT_EQ(claims.size(), 24U);
    const std::set<std::string> verdicts{"holds", "holds under conditions", "contradicted",
                                         "cannot be checked"};
    for (const json& claim : claims) {
        EXPECT_THAT(verdicts, Contains(claim.at("verdict").get<std::string>()));
        EXPECT_FALSE(claim.at("sources").empty()) << claim.at("id");
        if (claim.at("verdict") != "holds") {
            EXPECT_TRUE(claim.at("condition").is_string()) << claim.at("id");
        }
    }
}

TEST(Claims, AScenarioOfOneCanBePlanned) {
    const json claims = claimsOf(run({"claims", "ultra-1t", "rainier", "half-cost", "--json"}));
    ASSERT_EQ(claims.size(), 3U);
    for (const json& claim : claims) {
        const Execution planned =
            run({"plan", "-", "--json"}, {.input = claim.at("scenario").get<std::string>()});
        EXPECT_EQ(planned.exitCode, 0) << claim.at("id") << planned.errors;
    }
    // The saving that was found is the saving that the plan shows.
    const json& cost = claims.at(2);
    const Execution planned =
        run({"plan", "-", "--json"}, {.input = cost.at("scenario").get<std::string>()});
    const json candidates = json::parse(planned.output).at("candidates");
    ASSERT_EQ(candidates.size(), 2U);
    double least = 1e300, most = 0;
    for (const json& candidate : candidates) {
        const double usd = candidate.at("cost_usd").at("total").get<double>();
        least = std::min(least, usd);
        most = std::max(most, usd);
    }
    EXPECT_NEAR(1 - least / most, cost.at("found").get<double>(), 1e-9);
}

TEST(Claims, AFileOfOverridesChangesTheVerdict) {
    const TemporaryFolder folder;
    const std::string file = folder.write("own.yaml",
                                          "overrides:\n"
                                          "  - figure: chip/trainium2/peak_bf16_flop_per_s\n"
                                          "    value: 400 TFLOP/s\n"
                                          "    because: for the test\n");
    const Execution before = run({"claims", "trn2-48xl", "--json"});
    const Execution after = run({"claims", "trn2-48xl", "--override", file, "--json"});
    EXPECT_EQ(claimsOf(before).at(0).at("verdict"), "contradicted");
    EXPECT_EQ(claimsOf(after).at(0).at("verdict"), "holds");
    const Execution shown = run({"claims", "trn2-48xl", "--override", file});
    EXPECT_THAT(shown.output, HasSubstr("override"));
    EXPECT_THAT(shown.output, HasSubstr("for the test"));
}

TEST(Claims, WritesReportsAsTheTerminalShowsThem) {
    const TemporaryFolder folder;
    const std::string page = folder.file("c.html"), data = folder.file("c.json"),
                      text = folder.file("c.txt");
    const Execution done = run(
        {"claims", "trn1-peak", "trn2-hbm", "--report", page, "--report", data, "--report", text});
    EXPECT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_EQ(readFile(text), done.output);
    EXPECT_EQ(json::parse(readFile(data)).at("claims").size(), 2U);
    EXPECT_THAT(readFile(page), StartsWith("<!DOCTYPE html>"));
    EXPECT_THAT(readFile(page), HasSubstr("trainwright claims trn1-peak trn2-hbm --report"));
}

TEST(Claims, SaysWhatIsNotRight) {
    const TemporaryFolder folder;
    const std::string wrongFigure = folder.write(
        "figure.yaml", "overrides:\n  - {figure: chip/trainium2/hbm, value: 1 GiB, because: x}\n");
    const std::string nothing = folder.write("nothing.yaml", "version: 1\n");
    const std::string misspelt =
        folder.write("key.yaml", "overrides:\n  - {figure: chip/trainium2/hbm_bytes, valu: 1}\n");
    struct Row {
        std::vector<std::string> arguments;
        const char* says;
    };
    for (const Row& row :
         {Row{{"claims", "trn2-hmb"}, "There is no claim `trn2-hmb`. Nearest: trn2-hbm."},
          Row{{"claims", "--override", wrongFigure}, "figure.yaml:2:"},
          Row{{"claims", "--override", nothing}, "lacks the key `overrides`"},
          Row{{"claims", "--override", misspelt}, "Nearest: `value`."},
          Row{{"claims", "--override", folder.file("none.yaml")}, "none.yaml"},
          Row{{"claims", "--runs", folder.file("none.csv")}, "none.csv"},
          Row{{"claims", "--report", folder.file("c.docx")}, "c.docx"},
          Row{{"claims", "--catalog", folder.file("none.sqlite")}, "there is no catalog here"}}) {
        const Execution done = run(row.arguments);
        EXPECT_EQ(done.exitCode, 2) << row.says;
        EXPECT_THAT(done.errors, HasSubstr(row.says));
        EXPECT_THAT(done.output, IsEmpty());
    }
}

TEST(Claims, TakeOtherPublishedRuns) {
    const TemporaryFolder folder;
    const std::string file = folder.write(
        "runs.csv",
        "run_id,source_title,workload,model,accelerator,n_accel,tokens_per_s_per_accel\n"
        "a,MLPerf Training v9.9,training,Llama 3.1 8B,H100-SXM5-80GB,8,1000\n"
        "b,MLPerf Training v9.9,training,Llama 3.1 8B,Trainium2,16,900\n");
    const json claim = claimsOf(run({"claims", "mlperf", "--runs", file, "--json"})).at(0);
    EXPECT_EQ(claim.at("verdict"), "holds");
    EXPECT_NEAR(claim.at("found").get<double>(), 0.9, 1e-12);
}

TEST(Claims, StopAtCtrlC) {
    const Execution done = run({"claims"}, {.interruptAfterMilliseconds = 300});
    // A machine that is done by then has nothing to stop.
    if (done.exitCode == 130) {
        EXPECT_THAT(done.errors, HasSubstr("Interrupted; nothing was written."));
        EXPECT_THAT(done.output, IsEmpty());
    } else {
        EXPECT_EQ(done.exitCode, 0) << done.errors;
    }
}

}  // namespace
}  // namespace trainwright::tests
