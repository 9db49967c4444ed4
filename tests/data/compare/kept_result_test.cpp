// SPDX-License-Identifier: GPL-3.0-or-later
// Results read back, whole ones and others.
#include "data/compare/kept_result.h"

#include <gmock/gmock.h>

#include <string>

namespace trainwright::compare {
namespace {

using testing::HasSubstr;

constexpr const char* kResult = R"({
  "schema": "trainwright/plan/1",
  "program": {"name": "trainwright", "version": "0.1.0"},
  "catalog": {"version": "2026-12-01", "hash": "abc"},
  "scenario": {"title": "T", "model": {"name": "own"}},
  "candidates": [
    {"name": "a", "standing": "meets_all", "system": "p5.48xlarge", "accelerators": 64,
     "finish": "2027-03-01", "days": 12.5, "cost_usd": {"total": 1e6}, "energy_kwh": 1e5,
     "average_power_w": null, "mfu_model": 0.4, "grade": "A",
     "layout": {"tensor_parallel": 8, "pipeline_parallel": 2, "data_parallel": 4,
                "micro_batch": 1, "recompute": "full"},
     "bands": {"chances": {"all": 0.7}}},
    {"name": "b", "standing": "misses_limit", "days": 20, "cost_usd": {"total": 3e6},
     "misses": [{"constraint": "budget", "text": "Over."}]},
    {"name": "c", "standing": "no_price", "days": 1},
    {"name": "d", "standing": "does_not_fit", "days": null, "reasons": ["Too large."]}],
  "scenario_text": "version: 1\n",
  "calibration": {"id": "shipped", "date": "2026-11", "hash": "h", "factors": [
    {"subject": "gpu hopper", "physics": "matrix_rate", "log_factor": 0.25}]},
  "figures": [
    {"kind": "chip", "id": "h100", "key": "tdp_w", "value": "700", "unit": "watts"},
    {"kind": "chip", "id": "h100", "key": "idle_w", "value": "70", "status": "override"},
    {"kind": "calibration", "id": "gpu hopper", "key": "matrix_rate", "value": "1.284"}]
})";

TEST(KeptResult, ReadsWhatAComparisonNeeds) {
    const Outcome<KeptResult> read = readResult(kResult, "june.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->plan.model, "own");
    EXPECT_TRUE(read->plan.hasSource);
    EXPECT_TRUE(read->plan.anyRuns);
    ASSERT_EQ(read->candidates.size(), 4U);
    const search::CandidateState& a = read->candidates[0];
    EXPECT_EQ(a.mark, "1");
    EXPECT_EQ(a.quantities[0], 12.5);
    EXPECT_EQ(a.quantities[static_cast<std::size_t>(search::Quantity::AveragePower)], std::nullopt);
    EXPECT_EQ(a.chance, 0.7);
    EXPECT_THAT(a.layout, HasSubstr("t8 p2"));
    EXPECT_THAT(a.layout, HasSubstr("full"));
    EXPECT_EQ(read->candidates[1].mark, "–");
    EXPECT_EQ(read->candidates[1].misses[0].first, "budget");
    EXPECT_EQ(read->candidates[2].mark, "?");
    EXPECT_EQ(read->candidates[3].mark, "×");
    EXPECT_FALSE(read->candidates[3].runs());
    // What the scenario overrides is the scenario's, and factors are kept exactly elsewhere.
    EXPECT_EQ(read->figures.size(), 1U);
    ASSERT_TRUE(read->calibration);
    EXPECT_EQ(read->calibration->factors[0].logFactor, 0.25);
}

TEST(KeptResult, AnOlderResultHasNoSource) {
    const Outcome<KeptResult> read =
        readResult(R"({"schema": "trainwright/plan/1", "candidates": [{"name": "a", "days": 3}]})",
                   "old.json");
    ASSERT_TRUE(read);
    EXPECT_FALSE(read->plan.hasSource);
    EXPECT_FALSE(read->hasCalibration);
}

TEST(KeptResult, OthersAreToldWhatIsExpected) {
    const struct {
        const char* text;
        const char* said;
    } cases[] = {
        {R"({"schema": "trainwright/plan/1", )", "breaks off or is damaged"},
        {"[{}, {}]", "holds 2 results"},
        {R"({"schema": "trainwright/explain/1"})", "This is trainwright/explain/1"},
        {R"({"a": 1})", "names no schema"},
        {R"({"schema": "trainwright/plan/1"})", "lists no candidates"},
        {R"({"schema": 7, "candidates": []})", "names no schema"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.text);
        const Outcome<KeptResult> read = readResult(c.text, "x.json");
        ASSERT_FALSE(read);
        EXPECT_THAT(read.findings().front().english(), HasSubstr(c.said));
        EXPECT_THAT(read.findings().front().english(), HasSubstr("x.json"));
    }
}

TEST(KeptResult, ValuesOfOtherTypesAreNotKnown) {
    const Outcome<KeptResult> read = readResult(
        R"({"schema": "trainwright/plan/1", "scenario": 3, "figures": {}, "calibration": [],
            "candidates": [7, {"name": [], "days": "many", "cost_usd": 5, "layout": 3,
            "misses": [1], "accelerators": 1e300}]})",
        "odd.json");
    ASSERT_TRUE(read);
    EXPECT_EQ(read->candidates.size(), 2U);
    EXPECT_FALSE(read->candidates[1].runs());
}

TEST(KeptResult, ToldFromScenariosByContent) {
    EXPECT_TRUE(looksLikeResult(kResult));
    EXPECT_TRUE(looksLikeResult("[1]"));
    EXPECT_FALSE(looksLikeResult("{version: 1, model: x}"));
    EXPECT_FALSE(looksLikeResult(R"({"version": 1, "model": "x"})"));
    EXPECT_FALSE(looksLikeResult("version: 1\n"));
    EXPECT_FALSE(looksLikeResult(""));
}

}  // namespace
}  // namespace trainwright::compare
