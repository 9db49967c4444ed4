// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/plan.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

CandidateRequest candidate(const char* name, long chips, std::optional<double> usdPerHour) {
    CandidateRequest c;
    c.name = name;
    c.system = layout::testing::a100Node();
    c.profile = layout::testing::gpuProfile();
    c.chips = chips;
    if (usdPerHour) {
        c.price.state = run::PriceState::Known;
        c.price.perUnit = units::usDollarsPerHour(*usdPerHour);
        c.price.plan = "on_demand";
    } else {
        c.price.reason = {"no public price", {}};
    }
    return c;
}

PlanRequest request() {
    PlanRequest r;
    r.architecture = workload::testing::llama3_8b();
    r.training.tokens = 1e11;
    r.training.sequenceLength = 8192;
    r.training.globalBatchSequences = 128;
    r.start = run::Date{2027, 1, 4};
    r.candidates = {candidate("dear", 64, 40.0), candidate("cheap", 64, 20.0),
                    candidate("unpriced", 64, std::nullopt)};
    return r;
}

TEST(Plan, RanksByCostAndKeepsTheUnpricedApart) {
    const PlanResult result = plan(request());
    EXPECT_THAT(result.ranking(), ElementsAre(1U, 0U, 2U));
    EXPECT_EQ(result.candidates[1].rank, 1);
    EXPECT_EQ(result.candidates[0].rank, 2);
    EXPECT_EQ(result.candidates[2].rank, 0);
    EXPECT_FALSE(result.candidates[2].run.money.total);
    EXPECT_GT(result.candidates[2].run.days, 0);
    EXPECT_THAT(result.verdict.english(), HasSubstr("cheap is cheapest: 64 A100"));
}

// Over time, cost, energy and accelerators: the dearer one of two that are alike is beaten; a
// smaller cluster takes longer and stays; what has no price is held against the rest alone.
TEST(Plan, MarksWhatNoOtherCandidateBeats) {
    PlanRequest r = request();
    r.candidates.push_back(candidate("small", 32, 20.0));
    const PlanResult result = plan(r);
    EXPECT_FALSE(result.candidates[0].isNonDominated);
    EXPECT_TRUE(result.candidates[1].isNonDominated);
    EXPECT_TRUE(result.candidates[2].isNonDominated);
    EXPECT_TRUE(result.candidates[3].isNonDominated);
}

TEST(Plan, ALimitThatIsMissedIsSaid) {
    PlanRequest r = request();
    r.constraints.budget = units::UsDollars(1.0);
    const PlanResult result = plan(r);
    EXPECT_FALSE(result.candidates[1].meetsConstraints);
    ASSERT_EQ(result.candidates[1].misses.size(), 1U);
    EXPECT_EQ(result.candidates[1].misses[0].constraint, "budget");
    EXPECT_THAT(result.candidates[1].misses[0].text.english(), HasSubstr("Over the budget by"));
    EXPECT_THAT(result.verdict.english(), HasSubstr("No candidate meets every limit."));
}

TEST(Plan, WhatDoesNotFitKeepsItsRowAndItsReason) {
    PlanRequest r = request();
    r.architecture = workload::testing::llama31_405b();
    const PlanResult result = plan(r);
    EXPECT_FALSE(result.candidates[0].feasible);
    ASSERT_FALSE(result.candidates[0].reasons.empty());
    EXPECT_THAT(result.candidates[0].reasons[0].english(), HasSubstr("GiB a rank"));
    EXPECT_THAT(result.verdict.english(), HasSubstr("none fits in memory"));
}

TEST(Plan, SaysWhatTheStepWaitsForAndWhatWouldHelp) {
    const PlanResult result = plan(request());
    EXPECT_FALSE(result.candidates[0].bottleneck.empty());
    EXPECT_FALSE(result.candidates[0].advice.empty());
}

TEST(Plan, AGivenLayoutIsComparedWithTheBestOne) {
    PlanRequest r = request();
    r.candidates.resize(1);
    r.candidates[0].layout.tensor = 8;
    r.candidates[0].layout.pipeline = 8;
    const PlanResult result = plan(r);
    EXPECT_EQ(result.candidates[0].layout.tensor, 8);
    EXPECT_THAT(result.candidates[0].advice.english(), HasSubstr("would fit and save"));
}

TEST(Plan, GivesTheSameDigitsOnAnyNumberOfThreads) {
    const PlanResult one = plan(request(), 1);
    const PlanResult four = plan(request(), 4);
    for (std::size_t i = 0; i < one.candidates.size(); ++i) {
        EXPECT_EQ(one.candidates[i].layout, four.candidates[i].layout);
        EXPECT_EQ(one.candidates[i].step.stepTime, four.candidates[i].step.stepTime);
        EXPECT_EQ(one.candidates[i].run.days, four.candidates[i].run.days);
        EXPECT_EQ(one.candidates[i].search.layoutsEvaluated,
                  four.candidates[i].search.layoutsEvaluated);
    }
}

TEST(Plan, DrawsTheSameBandsOnAnyNumberOfThreads) {
    PlanRequest r = request();
    auto calibration = std::make_shared<belief::Calibration>();
    calibration->factors = {
        {belief::Physics::MatrixRate, belief::chipKind(r.candidates[0].system.chip), 0, 0.04, 9},
        {belief::Physics::ScaleOutRate, belief::chipKind(r.candidates[0].system.chip), 0, 0.1, 9}};
    calibration->covariance = {0.0016, 0.001, 0.001, 0.01};
    calibration->residual = {0.05, 0.1, 0.2};
    r.calibration = calibration;
    r.sampling = {4096, 1};
    r.constraints.budget = units::UsDollars(1e6);
    for (CandidateRequest& c : r.candidates) {
        c.operations.interruptionsPerChipHour = 2e-5;
        c.operations.restartTime = units::Seconds(600);
        c.operations.checkpointBandwidth = units::BytesPerSecond(1e11);
        c.spread.interruptionRate = {0.4, 0.4};
    }
    const PlanResult one = plan(r, 1);
    for (const CandidateResult& c : one.candidates) {
        ASSERT_TRUE(c.bands);
        EXPECT_LT(c.bands->days.p10, c.run.days);
        EXPECT_GT(c.bands->days.p90, c.run.days);
        EXPECT_EQ(c.bands->cost.has_value(), c.run.money.total.has_value());
        EXPECT_EQ(c.bands->chances.budget.has_value(), c.run.money.total.has_value());
        EXPECT_EQ(c.bands->tornado.size(), 4U) << "two factors, the model's error, failures";
    }
    for (int threads : {2, 8}) {
        const PlanResult other = plan(r, threads);
        for (std::size_t i = 0; i < one.candidates.size(); ++i)
            EXPECT_EQ(other.candidates[i].bands, one.candidates[i].bands) << threads;
    }
}

TEST(Plan, DrawsNoBandsWhereNoneAreAskedFor) {
    PlanRequest r = request();
    EXPECT_FALSE(plan(r).candidates[0].bands) << "no samples";
    r.sampling = {64, 1};
    EXPECT_TRUE(plan(r).candidates[0].bands);
    SearchOptions options;
    options.bands = false;
    EXPECT_FALSE(plan(r, 0, {}, options).candidates[0].bands);
    r.architecture = workload::testing::llama31_405b();
    EXPECT_FALSE(plan(r).candidates[0].bands) << "nothing fits";
}

TEST(Plan, TellsTheShareThatIsDoneInsideOneSearchToo) {
    PlanRequest one = request();
    one.candidates.resize(1);
    std::vector<double> shares;
    SearchOptions options;
    options.exhaustive = true;
    const PlanResult result = plan(
        one, 1,
        [&](double share) {
            shares.push_back(share);
            return true;
        },
        options);
    EXPECT_TRUE(result.candidates[0].feasible);
    EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
    EXPECT_GE(std::count_if(shares.begin(), shares.end(),
                            [](double share) { return share > 0.05 && share < 0.95; }),
              2);
    EXPECT_EQ(shares.back(), 1);
}

TEST(Plan, StopsWhenAskedAndSaysWhatIsMissing) {
    const PlanResult result = plan(request(), 1, [](double) { return false; });
    EXPECT_TRUE(result.candidates[0].feasible);
    EXPECT_FALSE(result.candidates[2].feasible);
    EXPECT_EQ(result.candidates[2].reasons.at(0).english(),
              "Stopped before this candidate was planned.");
}

}  // namespace
}  // namespace trainwright::search
