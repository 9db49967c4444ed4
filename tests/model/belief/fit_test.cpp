// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/fit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace trainwright::belief {
namespace {

// Rows whose logarithm is a sum of the factors that they use, but for a bend that makes it less
// than linear.
FitProblem bent(const std::vector<std::vector<std::size_t>>& uses, std::size_t parameters,
                double width = 10) {
    FitProblem p;
    p.uses = uses;
    p.measuredLog.assign(uses.size(), 0);
    p.weight.assign(uses.size(), 1);
    p.priors.assign(parameters, Prior{width, -20, 20});
    p.predictLog = [uses](std::size_t row, const std::vector<double>& x) {
        double sum = 0;
        for (std::size_t i : uses[row]) sum += x[i] + 0.1 * x[i] * x[i];
        return sum;
    };
    return p;
}

std::vector<bool> all(const FitProblem& p) {
    return std::vector<bool>(p.rows(), true);
}

TEST(Fit, FindsTheFactorsThatMadeTheRows) {
    FitProblem p = bent({{0}, {1}, {0, 1}, {0}, {1}, {0, 1}}, 2);
    const std::vector<double> truth = {0.3, -0.2};
    for (std::size_t i = 0; i < p.rows(); ++i) p.measuredLog[i] = p.predictLog(i, truth);
    const FitResult r = fit(p, all(p), {}, 1);
    EXPECT_NEAR(r.logFactors[0], 0.3, 1e-4);
    EXPECT_NEAR(r.logFactors[1], -0.2, 1e-4);
    for (double residual : r.residual) EXPECT_NEAR(residual, 0, 1e-4);
}

TEST(Fit, AFarOffRowIsDampened) {
    FitProblem p = bent(std::vector<std::vector<std::size_t>>(9, {0}), 1);
    p.measuredLog = {0.10, 0.11, 0.09, 0.10, 0.12, 0.08, 0.10, 0.09, 3.0};
    const double robust = fit(p, all(p), {}, 1).logFactors[0];
    EXPECT_NEAR(robust, 0.1, 0.02) << "the mean would be 0.42";
}

TEST(Fit, APriorHoldsWhatTheRowsSayLittleOf) {
    FitProblem p = bent({{0}}, 1, 0.05);
    p.measuredLog = {0.5};
    const FitResult r = fit(p, all(p), {}, 1);
    EXPECT_GT(r.logFactors[0], 0);
    EXPECT_LT(r.logFactors[0], 0.05);
    p.priors[0] = Prior{10, -0.1, 0.1};
    EXPECT_LE(fit(p, all(p), {}, 1).logFactors[0], 0.1);
}

TEST(Fit, RowsThatAreLeftOutHaveNoSay) {
    FitProblem p = bent({{0}, {0}, {0}, {0}}, 1);
    p.measuredLog = {0.1, 0.1, 0.1, 0.4};
    std::vector<bool> used(4, true);
    used[3] = false;
    const FitResult r = fit(p, used, {}, 1);
    EXPECT_NEAR(r.logFactors[0] + 0.1 * r.logFactors[0] * r.logFactors[0], 0.1, 1e-4);
    EXPECT_NEAR(r.residual[3], 0.3, 1e-3);
}

TEST(Fit, LeavingOutByTheJacobianIsNearToFittingAgain) {
    SCOPED_TRACE("seed 20261202");
    std::mt19937 random(20261202);
    const auto noise = [&] { return 0.05 * (static_cast<double>(random()) / 2147483648.0 - 1.0); };
    std::vector<std::vector<std::size_t>> uses;
    for (std::size_t i = 0; i < 40; ++i) uses.push_back({i % 3, 3 + i % 2});
    FitProblem p = bent(uses, 5, 0.3);
    const std::vector<double> truth = {0.2, -0.1, 0.1, 0.05, -0.2};
    for (std::size_t i = 0; i < p.rows(); ++i) p.measuredLog[i] = p.predictLog(i, truth) + noise();
    const FitResult whole = fit(p, all(p), {}, 1);
    const std::vector<std::size_t> left = {0, 3, 6, 9};
    std::vector<bool> used = all(p);
    for (std::size_t i : left) used[i] = false;
    const FitResult again = fit(p, used, {}, 1);
    const std::vector<double> quick = residualsLeftOut(p, whole, left);
    for (std::size_t k = 0; k < left.size(); ++k)
        EXPECT_NEAR(quick[k], again.residual[left[k]], 0.01);
}

TEST(Fit, GivesTheSameDigitsOnAnyNumberOfThreads) {
    FitProblem p = bent({{0}, {1}, {0, 1}, {0}, {1}}, 2);
    p.measuredLog = {0.11, 0.24, 0.29, 0.08, 0.19};
    const FitResult one = fit(p, all(p), {}, 1);
    const FitResult three = fit(p, all(p), {}, 3);
    EXPECT_EQ(one.logFactors, three.logFactors);
    EXPECT_EQ(one.covariance, three.covariance);
}

TEST(Fit, WithoutParametersThereIsNothingToFit) {
    FitProblem p = bent({{}, {}}, 0);
    p.measuredLog = {0.1, 0.2};
    const FitResult r = fit(p, all(p), {}, 1);
    EXPECT_TRUE(r.logFactors.empty());
    EXPECT_EQ(r.residual, (std::vector<double>{0.1, 0.2}));
    EXPECT_EQ(residualsLeftOut(p, r, {1}), (std::vector<double>{0.2}));
}

TEST(Fit, AKnownScaleLetsFewRowsSpeak) {
    FitProblem p = bent({{0}, {0}}, 1, 0.1);
    p.measuredLog = {0.3, 0.3};
    const double alone = fit(p, all(p), {}, 1).logFactors[0];
    p.scale = 0.05;
    EXPECT_GT(fit(p, all(p), {}, 1).logFactors[0], alone - 1e-9);
    EXPECT_GT(fit(p, all(p), {}, 1).logFactors[0], 0.15);
}

// One factor, n rows with residuals of a known spread: its variance is that spread's over n, when
// weights are those of the robust distribution.
TEST(Fit, StandardErrorsFollowFromSpreadAndNumberOfRows) {
    SCOPED_TRACE("seed 7");
    std::mt19937 random(7);
    std::normal_distribution<double> normal(0, 0.1);
    FitProblem p = bent(std::vector<std::vector<std::size_t>>(400, {0}), 1);
    for (double& m : p.measuredLog) m = normal(random);
    const FitResult r = fit(p, all(p), {}, 1);
    EXPECT_NEAR(std::sqrt(r.covariance[0]), 0.1 / 20, 0.0015);
    EXPECT_NEAR(r.scale, 0.1, 0.015);
}

}  // namespace
}  // namespace trainwright::belief
