// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/fit.h"

#include <gmock/gmock.h>

#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

constexpr long kMost = 256;

CandidateRequest offer(const char* name, double usdPerHour) {
    CandidateRequest c;
    c.name = name;
    c.system = layout::testing::a100Node();
    c.profile = layout::testing::gpuProfile();
    c.price.state = run::PriceState::Known;
    c.price.perUnit = units::usDollarsPerHour(usdPerHour);
    c.price.plan = "on_demand";
    return c;
}

FitRequest request(Objective objective) {
    FitRequest r;
    r.plan.architecture = workload::testing::llama3_8b();
    r.plan.training.tokens = 1e11;
    r.plan.training.sequenceLength = 8192;
    r.plan.training.globalBatchSequences = 128;
    r.plan.start = run::Date{2027, 1, 4};
    r.ways = {{offer("cheap", 20), "cheap", 0}, {offer("dear", 40), "dear", 0}};
    r.objective = objective;
    r.maxAccelerators = kMost;
    return r;
}

/// Every whole number of units, the slow way.
std::vector<CandidateResult> allSizes(const FitRequest& r, std::size_t way) {
    std::vector<CandidateResult> all;
    SearchOptions options;
    options.bands = options.advise = false;
    for (long chips = 8; chips <= kMost; chips += 8) {
        CandidateRequest c = r.ways[way].candidate;
        c.chips = chips;
        c.name = std::to_string(chips);
        all.push_back(evaluateCandidate(r.plan, c, options));
    }
    return all;
}

TEST(Fit, FindsTheSizeThatLookingAtAllOfThemFinds) {
    for (const Objective objective :
         {Objective::Smallest, Objective::Cheapest, Objective::Fastest}) {
        SCOPED_TRACE(name(objective));
        FitRequest r = request(objective);
        r.plan.constraints.finishBy = run::Date{2027, 1, 18};
        const FitResult found = fit(r);
        ASSERT_TRUE(found.best);
        EXPECT_TRUE(found.best->fits());
        EXPECT_EQ(found.best->way, 0U);
        std::optional<double> best;
        for (const CandidateResult& c : allSizes(r, 0)) {
            if (!c.feasible || !c.meetsConstraints) continue;
            const double value = objective == Objective::Smallest   ? std::stod(c.name)
                                 : objective == Objective::Cheapest ? c.run.money.total->value()
                                                                    : c.run.days;
            if (!best || value < *best) best = value;
        }
        ASSERT_TRUE(best);
        // A size that wasn't looked at may be a little better: a sixteenth of an octave at most.
        EXPECT_LE(*found.best->objective, *best * 1.07);
        EXPECT_GE(*found.best->objective, *best * 0.999999);
    }
}

TEST(Fit, TheAnswerIsThePlansOwn) {
    FitRequest r = request(Objective::Cheapest);
    r.plan.constraints.finishBy = run::Date{2027, 1, 18};
    const FitResult found = fit(r);
    ASSERT_TRUE(found.best);
    const CandidateResult planned = evaluateCandidate(r.plan, candidateOf(r, *found.best));
    EXPECT_TRUE(planned.meetsConstraints);
    EXPECT_EQ(planned.layout, found.best->layout);
    EXPECT_EQ(planned.run.days, found.best->run.days);
    EXPECT_EQ(planned.run.money.total, found.best->run.money.total);
}

TEST(Fit, SaysWhatBindsAndWhatMoreOfItIsWorth) {
    FitRequest r = request(Objective::Cheapest);
    r.plan.constraints.finishBy = run::Date{2027, 1, 10};
    const FitResult found = fit(r);
    ASSERT_TRUE(found.best);
    ASSERT_EQ(found.binding.size(), 1U);
    const BindingLimit& date = found.binding.front();
    EXPECT_EQ(date.limit, "finish_by");
    EXPECT_EQ(date.value, static_cast<double>(run::daysSinceEpoch({2027, 1, 10})));
    EXPECT_NEAR(date.more, date.instead.run.days - 6, 1e-9);
    EXPECT_NEAR(date.worth, (*found.best->objective - *date.instead.objective) / date.more, 1e-9);
    // With so much more time the other is the answer.
    FitRequest later = r;
    later.plan.constraints.finishBy =
        run::dateFromDays(static_cast<long>(std::ceil(date.value + date.more)));
    const FitResult then = fit(later);
    ASSERT_TRUE(then.best);
    EXPECT_LE(*then.best->objective, *date.instead.objective);
}

TEST(Fit, WithoutAnAnswerTheNearestMissIsNamed) {
    FitRequest r = request(Objective::Cheapest);
    r.plan.constraints.finishBy = run::Date{2027, 1, 10};
    r.plan.constraints.budget = units::UsDollars(100);
    const FitResult found = fit(r);
    EXPECT_FALSE(found.best);
    EXPECT_TRUE(found.binding.empty());
    ASSERT_TRUE(found.nearestMiss);
    EXPECT_EQ(found.nearestMiss->way, 0U);
    ASSERT_FALSE(found.nearestMiss->overruns.empty());
    const Overrun& money = found.nearestMiss->overruns.back();
    EXPECT_EQ(money.limit, "budget");
    EXPECT_NEAR(money.by, found.nearestMiss->run.money.total->value() - 100, 1e-6);
    EXPECT_NEAR(money.share, money.by / 100, 1e-9);
}

// An unknown is no zero: what the question needs to know and doesn't keeps a way out of the answer.
TEST(Fit, AWayWithoutAPriceIsNoAnswerToWhatIsCheapest) {
    FitRequest r = request(Objective::Cheapest);
    r.ways[0].candidate.price = {};
    r.ways[0].candidate.price.reason = {"no public price", {}};
    FitResult found = fit(r);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(found.best->way, 1U);
    EXPECT_THAT(found.notKnown, testing::ElementsAre(0U));
    r.objective = Objective::Smallest;
    found = fit(r);
    EXPECT_TRUE(found.notKnown.empty());
    EXPECT_EQ(found.best->chips, 8);
}

TEST(Fit, ALimitOfThePlanIsOneOfTheQuestion) {
    FitRequest r = request(Objective::Fastest);
    r.ways[0].candidate.price.maxUnits = 4;
    const FitResult found = fit(r);
    ASSERT_TRUE(found.best);
    EXPECT_EQ(found.best->way, 1U);
    for (const FitPoint& p : found.bestOfEach) {
        if (p.way == 0) {
            EXPECT_LE(p.chips, 32);
        }
    }
}

TEST(Fit, AnyNumberOfThreadsGivesTheSame) {
    FitRequest r = request(Objective::Cheapest);
    r.plan.constraints.finishBy = run::Date{2027, 1, 14};
    r.ways.push_back({offer("other", 21), "other", 1});
    const FitResult one = fit(r, 1);
    const FitResult many = fit(r, 7);
    ASSERT_TRUE(one.best && many.best);
    EXPECT_EQ(one.best->chips, many.best->chips);
    EXPECT_EQ(one.best->way, many.best->way);
    EXPECT_EQ(one.best->run.money.total, many.best->run.money.total);
    EXPECT_EQ(one.sizesSearched, many.sizesSearched);
    EXPECT_EQ(one.bestOfEach.size(), many.bestOfEach.size());
}

TEST(Fit, StopsWhenAskedTo) {
    const FitResult found = fit(request(Objective::Cheapest), 2, [](double) { return false; });
    EXPECT_TRUE(found.stopped);
}

}  // namespace
}  // namespace trainwright::search
