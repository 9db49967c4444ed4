// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/bands.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "model/belief/sobol.h"
#include "tests/model/belief/band_fixture.h"

namespace trainwright::belief {
namespace {

using ::testing::DoubleNear;
using testing::fiveFactors;
using ::testing::IsEmpty;
using testing::KnownRun;

const double kDecile = normalQuantile(0.9);

double widthOf(const Band<double>& b) {
    return std::log(b.p90 / b.p10);
}

Bands drawn(const BandQuestion& question) {
    std::optional<Bands> bands = bandsOf(question);
    EXPECT_TRUE(bands);
    return bands.value_or(Bands{});
}

Spread someSpread() {
    Spread s;
    s.interruptionRate = {0.4, 0.4};
    s.restartTime = {0.9, 0.9};
    s.price = {0.46, 0.46};
    s.acceleratorPower = {0.2, 0.2};
    return s;
}

const Swing* find(const Bands& bands, const std::string& id) {
    for (const Swing& s : bands.tornado)
        if (s.id == id) return &s;
    return nullptr;
}

TEST(Bands, CollapseToTheRunWhereNothingIsUnsure) {
    const KnownRun known;
    const run::RunResult point = run::evaluateRun(known.run, known.step);
    const Calibration sure = fiveFactors(0, 0);
    for (const Calibration* c : {static_cast<const Calibration*>(nullptr), &sure}) {
        const Bands b = drawn(known.question(c));
        EXPECT_EQ(b.days, (Band<double>{point.days, point.days, point.days}));
        ASSERT_TRUE(b.cost && b.energy);
        EXPECT_EQ(b.cost->p10, *point.money.total);
        EXPECT_EQ(b.cost->p90, *point.money.total);
        EXPECT_EQ(b.energy->p10, *point.energy.energy);
        EXPECT_EQ(b.energy->p90, *point.energy.energy);
        EXPECT_EQ(b.stepTime.p50, known.step.stepTime);
        EXPECT_THAT(b.tornado, IsEmpty());
    }
}

// Days are steps times a log-normal: the quantiles are known.
TEST(Bands, OfTheModelErrorAloneAreThoseOfALogNormal) {
    KnownRun known;
    known.run.operations = {};
    known.run.operations.checkpointBandwidth = units::BytesPerSecond(1e9);
    const double days = run::evaluateRun(known.run, known.step).days;
    for (double error : {0.01, 0.1, 0.3}) {
        BandQuestion q = known.question();
        q.step.modelError = error;
        for (std::uint32_t seed : {1U, 2U, 3U}) {
            q.step.sampling = {4096, seed};
            const Bands b = drawn(q);
            EXPECT_NEAR(b.days.p10 / days, std::exp(-kDecile * error), 1e-3 * error);
            EXPECT_NEAR(b.days.p50 / days, 1, 1e-3 * error);
            EXPECT_NEAR(b.days.p90 / days, std::exp(kDecile * error), 2e-3 * error);
            EXPECT_DOUBLE_EQ(b.stepTime.p90 / known.step.stepTime, b.days.p90 / days);
        }
    }
}

TEST(Bands, AreInOrderAndWidenWithTheModelError) {
    const KnownRun known;
    std::mt19937_64 random(20);
    for (int i = 0; i < 40; ++i) {
        const Calibration c = testing::someFactors(random);
        BandQuestion q = known.question(&c);
        q.step.sampling.samples = 1024;
        q.spread = someSpread();
        double before = 0;
        for (double error : {0.0, 0.05, 0.1, 0.2, 0.4}) {
            q.step.modelError = error;
            const Bands b = drawn(q);
            EXPECT_LT(b.days.p10, b.days.p50) << i;
            EXPECT_LT(b.days.p50, b.days.p90) << i;
            ASSERT_TRUE(b.cost && b.energy);
            EXPECT_LT(b.cost->p10, b.cost->p50) << i;
            EXPECT_LT(b.cost->p50, b.cost->p90) << i;
            EXPECT_LT(b.energy->p10, b.energy->p50) << i;
            EXPECT_LT(b.energy->p50, b.energy->p90) << i;
            EXPECT_GT(widthOf(b.days), before) << i << ", " << error;
            before = widthOf(b.days);
        }
    }
}

TEST(Bands, GiveTheSameDigitsAgainAndOthersForAnotherSeedOfWhichTheMiddleHardlyMoves) {
    const KnownRun known;
    const Calibration c = fiveFactors(0.08, 0.3);
    BandQuestion q = known.question(&c);
    q.spread = someSpread();
    q.step.modelError = 0.1;
    const Bands first = drawn(q);
    EXPECT_EQ(first, drawn(q));
    for (std::uint32_t seed = 2; seed < 12; ++seed) {
        q.step.sampling.seed = seed;
        const Bands other = drawn(q);
        EXPECT_NE(other.days, first.days);
        EXPECT_NEAR(other.days.p50 / first.days.p50, 1, 0.003);
        EXPECT_NEAR(other.days.p10 / first.days.p10, 1, 0.01);
        EXPECT_NEAR(other.days.p90 / first.days.p90, 1, 0.01);
        EXPECT_NEAR(other.cost->p50 / first.cost->p50, 1, 0.01);
        EXPECT_EQ(other.tornado, first.tornado) << "it isn't drawn";
    }
    q.step.sampling = {1 << 16, 1};
    EXPECT_NEAR(drawn(q).days.p90 / first.days.p90, 1, 0.005);
}

// The step taken anew with every factor moved, against what the bands take it for.
TEST(Bands, TakeTheStepForWhatItIsAtMovedFactors) {
    const KnownRun known;
    const double deviation = 0.08;
    const Calibration c = fiveFactors(deviation, 0);
    std::vector<double> exact;
    constexpr int kCount = 512;
    std::vector<SobolDimension> deviates;
    for (int d = 0; d < 5; ++d) deviates.emplace_back(d, 9);
    for (int i = 0; i < kCount; ++i) {
        layout::StepProblem p = known.problem;
        for (std::size_t f = 0; f < 5; ++f)
            apply(c.factors[f].physics, std::exp(deviation * normalQuantile(deviates[f].next())),
                  p);
        const network::Network net(p.cluster.system, p.cluster.chips, 1);
        exact.push_back(
            layout::StepEvaluator(p, net).evaluate(known.layout, false).stepTime.value());
    }
    std::sort(exact.begin(), exact.end());
    BandQuestion q = known.question(&c);
    q.step.sampling = {kCount, 4};
    const Band<units::Seconds> b = drawn(q).stepTime;
    EXPECT_NEAR(b.p10.value() / exact[51], 1, 0.005);
    EXPECT_NEAR(b.p50.value() / exact[255], 1, 0.005);
    EXPECT_NEAR(b.p90.value() / exact[460], 1, 0.01);
    EXPECT_GT(b.p90 / b.p10, 1.1);
}

TEST(Bands, FollowTheCovariance) {
    const KnownRun known;
    double before = 0;
    for (double correlation : {-0.24, 0.0, 0.5, 0.95, 1.0}) {
        const Calibration c = fiveFactors(0.08, correlation);
        const Bands b = drawn(known.question(&c));
        EXPECT_GT(widthOf(b.days), before) << correlation;
        before = widthOf(b.days);
    }
}

TEST(Bands, LeaveOtherChipsFactorsOut) {
    const KnownRun known;
    Calibration c = fiveFactors(0.1, 0);
    for (Factor& f : c.factors) f.subject = "trainium 2";
    const Bands b = drawn(known.question(&c));
    EXPECT_EQ(b.days.p10, b.days.p90);
}

TEST(Bands, OfFailuresPriceAndPowerMoveWhatTheyShould) {
    const KnownRun known;
    const run::RunResult point = run::evaluateRun(known.run, known.step);
    {
        BandQuestion q = known.question();
        q.spread.price = {0.3, 0.3};
        const Bands b = drawn(q);
        EXPECT_EQ(b.days, (Band<double>{point.days, point.days, point.days}));
        EXPECT_NEAR(b.cost->p90 / b.cost->p50, std::exp(kDecile * 0.3), 1e-3);
        EXPECT_EQ(b.energy->p10, b.energy->p90);
        ASSERT_EQ(b.tornado.size(), 1U);
        EXPECT_EQ(b.tornado[0].id, "price");
        EXPECT_NEAR(b.tornado[0].high, 20 * std::exp(kDecile * 0.3), 1e-9);
        EXPECT_EQ(b.tornado[0].unit, InputUnit::DollarsPerHour);
    }
    {
        BandQuestion q = known.question();
        q.spread.acceleratorPower = {0.2, 0.2};
        const Bands b = drawn(q);
        EXPECT_EQ(b.days.p10, b.days.p90);
        EXPECT_EQ(b.cost->p10, b.cost->p90);
        // Hosts and network draw what they draw.
        EXPECT_GT(b.energy->p90 / b.energy->p50, 1.05);
        EXPECT_LT(b.energy->p90 / b.energy->p50, std::exp(kDecile * 0.2));
    }
    {
        BandQuestion q = known.question();
        q.spread.interruptionRate = {0.1, 0.5};
        const Bands b = drawn(q);
        run::RunProblem often = known.run;
        often.operations.interruptionsPerChipHour *= std::exp(kDecile * 0.5);
        const double slow = run::evaluateRun(often, known.step).days;
        EXPECT_NEAR(b.days.p90 / slow, 1, 1e-4);
        ASSERT_EQ(b.tornado.size(), 1U);
        EXPECT_DOUBLE_EQ(b.tornado[0].atHigh.days, slow);
        EXPECT_DOUBLE_EQ(b.tornado[0].high, often.operations.interruptionsPerChipHour);
        EXPECT_LT(b.tornado[0].atLow.days, slow);
    }
}

// Of eight units at 20 USD two are spot: a quarter of the bill moves with the price.
TEST(Bands, OfSeveralPurchasesMoveThePricesThatMove) {
    KnownRun known;
    run::Price spot = known.run.price;
    spot.plan = "spot";
    spot.moves = true;
    known.run.portions = {{6, known.run.price}, {2, spot}};
    BandQuestion q = known.question();
    q.spread.price = {0.3, 0.3};
    const Bands b = drawn(q);
    EXPECT_NEAR(b.cost->p90 / b.cost->p50, (6 + 2 * std::exp(kDecile * 0.3)) / 8, 1e-3);
    ASSERT_EQ(b.tornado.size(), 1U);
    EXPECT_EQ(b.tornado[0].id, "price");
    EXPECT_EQ(b.tornado[0].unit, InputUnit::Factor);
    EXPECT_NEAR(b.tornado[0].atHigh.cost->value() / b.cost->p50.value(),
                (6 + 2 * std::exp(kDecile * 0.3)) / 8, 1e-3);
}

TEST(Bands, LeaveUnknownWhatTheRunDoesNotKnow) {
    KnownRun known;
    known.run.price = {};
    known.run.system.chip.thermalDesignPower.reset();
    BandQuestion q = known.question();
    q.spread = someSpread();
    const Bands b = drawn(q);
    EXPECT_FALSE(b.cost);
    EXPECT_FALSE(b.energy);
    EXPECT_EQ(find(b, "price"), nullptr);
    EXPECT_EQ(find(b, "accelerator_power"), nullptr);
    EXPECT_NE(find(b, "interruption_rate"), nullptr);
}

TEST(Bands, OfARunThatMayNeverEndReachInfinity) {
    KnownRun known;
    known.run.operations.interruptionsPerChipHour = 0.5;
    known.run.operations.restartTime = units::hours(20);
    BandQuestion q = known.question();
    q.spread.interruptionRate = {2.5, 2.5};
    q.budget = units::UsDollars(1e9);
    const Bands b = drawn(q);
    EXPECT_TRUE(std::isfinite(b.days.p10));
    EXPECT_TRUE(std::isinf(b.days.p90));
    ASSERT_TRUE(b.cost);
    EXPECT_TRUE(std::isinf(b.cost->p90.value()));
    EXPECT_LT(*b.chances.budget, 1);
}

TEST(Bands, EndWithoutAnAnswerWhenCancelled) {
    const KnownRun known;
    BandQuestion q = known.question();
    q.step.sampling.samples = 1 << 20;
    int asked = 0;
    q.cancelled = [&asked] { return ++asked == 3; };
    EXPECT_FALSE(bandsOf(q));
    EXPECT_EQ(asked, 3);
}

TEST(Chances, AreTheSharesOfTheBand) {
    const KnownRun known;
    BandQuestion q = known.question();
    q.step.modelError = 0.1;
    q.spread = someSpread();
    const Bands b = drawn(q);
    EXPECT_EQ(b.chances, Chances{});
    const auto at = [&](const std::optional<units::UsDollars>& budget, double days) {
        q.budget = budget;
        q.finishBy = run::dateFromDays(run::daysSinceEpoch(*known.run.start) +
                                       static_cast<long>(std::floor(days)));
        return drawn(q).chances;
    };
    EXPECT_THAT(*at(b.cost->p50, 1e4).budget, DoubleNear(0.5, 1e-3));
    EXPECT_THAT(*at(b.cost->p90, 1e4).budget, DoubleNear(0.9, 1e-3));
    EXPECT_EQ(*at(b.cost->p90, 1e4).date, 1);
    EXPECT_EQ(*at(b.cost->p90, 1e4).all, *at(b.cost->p90, 1e4).budget);
    EXPECT_EQ(*at(units::UsDollars(1), 1e4).all, 0);
    const Chances some = at(b.cost->p50, b.days.p50);
    EXPECT_LE(*some.all, std::min(*some.budget, *some.date));
    EXPECT_GE(*some.all, *some.budget + *some.date - 1);
    EXPECT_FALSE(some.power);
    q.power = units::Watts(1e3);
    EXPECT_EQ(*drawn(q).chances.power, 0);
    // In whole days, as the date of the point result is.
    EXPECT_EQ(*at({}, b.days.p10 - 1).date < 0.1, true);
}

TEST(Tornado, IsSortedAndItsEndsAreTheInputsDeciles) {
    const KnownRun known;
    const Calibration c = fiveFactors(0.05, 0);
    BandQuestion q = known.question(&c);
    q.step.modelError = 0.15;
    q.spread = someSpread();
    const Bands b = drawn(q);
    ASSERT_EQ(b.tornado.size(), 10U);
    const auto width = [](const Swing& s) {
        return std::max(std::abs(std::log(s.atHigh.days / s.atLow.days)),
                        std::abs(std::log(*s.atHigh.cost / *s.atLow.cost)));
    };
    for (std::size_t i = 1; i < b.tornado.size(); ++i)
        EXPECT_GE(width(b.tornado[i - 1]), width(b.tornado[i])) << b.tornado[i].id;
    EXPECT_EQ(b.tornado.front().id, "price");
    EXPECT_EQ(b.tornado.back().id, "accelerator_power");
    for (const Swing& s : b.tornado) EXPECT_LT(s.low, s.high) << s.id;

    const Swing* error = find(b, "model_error");
    ASSERT_NE(error, nullptr);
    layout::StepResult slow = known.step;
    slow.stepTime *= std::exp(kDecile * 0.15);
    EXPECT_DOUBLE_EQ(error->atHigh.days, run::evaluateRun(known.run, slow).days);
    EXPECT_EQ(error->input.english(), "model error, grade B");

    const Swing* matrix = find(b, "matrix_rate");
    ASSERT_NE(matrix, nullptr);
    EXPECT_EQ(matrix->input.english(), "matrix rate of gpu ampere");
    EXPECT_NEAR(matrix->high, std::exp(kDecile * 0.05), 1e-12);
    EXPECT_LT(matrix->atHigh.days, matrix->atLow.days) << "a faster chip";
}

// Many factors that are tied to one another are one input, whose ends are those of the band.
TEST(Tornado, MovesTiedFactorsAsOne) {
    KnownRun known;
    known.run.operations = {};
    for (double correlation : {0.5, 0.9, 1.0}) {
        const Calibration c = fiveFactors(0.05, correlation);
        const Bands b = drawn(known.question(&c));
        ASSERT_EQ(b.tornado.size(), 1U);
        const Swing& s = b.tornado.front();
        EXPECT_EQ(s.id, "calibration");
        EXPECT_EQ(s.input.english(), "step by figures fitted together: gpu ampere");
        EXPECT_EQ(s.members.size(), 5U);
        EXPECT_NEAR(s.atLow.days / b.days.p10, 1, 3e-3);
        EXPECT_NEAR(s.atHigh.days / b.days.p90, 1, 3e-3);
        EXPECT_NEAR(s.low * known.step.stepTime / b.stepTime.p10, 1, 3e-3);
        EXPECT_NEAR(s.high * known.step.stepTime / b.stepTime.p90, 1, 3e-3);
    }
    // Two pairs and one alone.
    Calibration c = fiveFactors(0.05, 0);
    c.covariance[0 * 5 + 3] = c.covariance[3 * 5 + 0] = 0.8 * 0.0025;
    c.covariance[2 * 5 + 4] = c.covariance[4 * 5 + 2] = -0.7 * 0.0025;
    const Bands b = drawn(known.question(&c));
    ASSERT_EQ(b.tornado.size(), 3U);
    const Swing* alone = find(b, "attention_rate");
    ASSERT_NE(alone, nullptr);
    EXPECT_THAT(alone->members, IsEmpty());
    EXPECT_GT(alone->atLow.days, alone->atHigh.days) << "a slower rate takes longer";
}

TEST(Tornado, LeavesOutFactorsThatHaveNoPartInTheStep) {
    const KnownRun known;
    Calibration c = fiveFactors(0.05, 0.9);
    c.factors[1].physics = Physics::Fp8Rate;
    const Bands with = drawn(known.question(&c));
    for (const Swing& s : with.tornado)
        for (const Text& member : s.members)
            EXPECT_EQ(member.english().find("FP8"), std::string::npos);
    EXPECT_EQ(with.tornado.front().members.size(), 4U);
}

TEST(Deviation, ReachesTheEndsOfItsRange) {
    const KnownRun known;
    BandQuestion q = known.question();
    const double rate = known.run.operations.interruptionsPerChipHour;
    q.spread.interruptionRate = deviationOf(rate / 4, rate, rate * 1.5, 0.1);
    const Bands b = drawn(q);
    ASSERT_EQ(b.tornado.size(), 1U);
    EXPECT_NEAR(b.tornado[0].low / rate, 0.25, 1e-9);
    EXPECT_NEAR(b.tornado[0].high / rate, 1.5, 1e-9);
    EXPECT_EQ(deviationOf(5, 5, 5, 0.1), Deviation{});
    EXPECT_TRUE(Deviation{}.isExact());
}

TEST(ModelError, IsTheCalibrationsWhereItHasOne) {
    Spread spread;
    spread.modelError = {0.1, 0.2, 0.3};
    Calibration c;
    c.residual = {0.05, 0.06, 0};
    EXPECT_EQ(modelError(nullptr, spread, Grade::B), 0.2);
    EXPECT_EQ(modelError(&c, spread, Grade::B), 0.06);
    EXPECT_EQ(modelError(&c, spread, Grade::C), 0.3);
}

}  // namespace
}  // namespace trainwright::belief
