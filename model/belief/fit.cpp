// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/fit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>

namespace trainwright::belief {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Degrees of freedom of the residuals' distribution: few, so that a row three widths off counts a
// third.
constexpr double kFreedom = 4;
constexpr double kSmallestScale = 0.01;
constexpr double kDifference = 1e-3;  // of a log factor, for derivatives
constexpr int kMostIterations = 40;
constexpr double kConverged = 1e-6;

std::vector<double> toVector(const VectorXd& x) {
    return {x.data(), x.data() + x.size()};
}

class Fit {
public:
    Fit(const FitProblem& problem, std::vector<bool> used)
        : problem_(problem), used_(std::move(used)) {}

    VectorXd residuals(const VectorXd& x, int threads) const {
        VectorXd r(static_cast<Eigen::Index>(problem_.rows()));
        const std::vector<double> factors = toVector(x);
        each(problem_.rows(), threads, [&](std::size_t i) {
            r[static_cast<Eigen::Index>(i)] =
                problem_.measuredLog[i] - problem_.predictLog(i, factors);
        });
        return r;
    }

    MatrixXd jacobian(const VectorXd& x, const VectorXd& r, int threads) const {
        MatrixXd j = MatrixXd::Zero(static_cast<Eigen::Index>(problem_.rows()), x.size());
        const std::vector<double> factors = toVector(x);
        each(problem_.rows(), threads, [&](std::size_t i) {
            std::vector<double> moved = factors;
            const auto row = static_cast<Eigen::Index>(i);
            const double here = problem_.measuredLog[i] - r[row];
            for (std::size_t p : problem_.uses[i]) {
                moved[p] = factors[p] + kDifference;
                j(row, static_cast<Eigen::Index>(p)) =
                    (problem_.predictLog(i, moved) - here) / kDifference;
                moved[p] = factors[p];
            }
        });
        return j;
    }

    // Half the width of the middle of the residuals, as a standard deviation.
    double scale(const VectorXd& r) const {
        if (problem_.scale > 0) return problem_.scale;
        std::vector<double> sizes;
        for (std::size_t i = 0; i < problem_.rows(); ++i) {
            if (used_[i]) sizes.push_back(std::abs(r[static_cast<Eigen::Index>(i)]));
        }
        if (sizes.empty()) return kSmallestScale;
        const auto middle = sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2);
        std::nth_element(sizes.begin(), middle, sizes.end());
        return std::max(kSmallestScale, 1.4826 * *middle);
    }

    VectorXd weights(const VectorXd& r, double scale) const {
        VectorXd w = VectorXd::Zero(r.size());
        for (std::size_t i = 0; i < problem_.rows(); ++i) {
            const auto row = static_cast<Eigen::Index>(i);
            const double x = r[row] / scale;
            if (used_[i]) {
                w[row] = problem_.weight[i] * (kFreedom + 1) / (kFreedom + x * x) / (scale * scale);
            }
        }
        return w;
    }

    // Minus twice the log of the posterior, up to a constant, at a fixed scale.
    double objective(const VectorXd& x, const VectorXd& r, double scale) const {
        double sum = 0;
        for (std::size_t i = 0; i < problem_.rows(); ++i) {
            const double z = r[static_cast<Eigen::Index>(i)] / scale;
            if (used_[i]) sum += problem_.weight[i] * (kFreedom + 1) * std::log1p(z * z / kFreedom);
        }
        for (std::size_t p = 0; p < problem_.parameters(); ++p) {
            const double z = x[static_cast<Eigen::Index>(p)] / problem_.priors[p].width;
            sum += z * z;
        }
        return sum;
    }

    VectorXd precisions() const {
        VectorXd p(static_cast<Eigen::Index>(problem_.parameters()));
        for (Eigen::Index i = 0; i < p.size(); ++i) {
            const double width = problem_.priors[static_cast<std::size_t>(i)].width;
            p[i] = 1 / (width * width);
        }
        return p;
    }

    void bound(VectorXd& x) const {
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const Prior& prior = problem_.priors[static_cast<std::size_t>(i)];
            x[i] = std::clamp(x[i], prior.lower, prior.upper);
        }
    }

private:
    template <typename Work>
    static void each(std::size_t count, int threads, Work work) {
        std::atomic<std::size_t> next{0};
        const auto run = [&] {
            for (std::size_t i = next++; i < count; i = next++) work(i);
        };
        std::vector<std::jthread> pool;
        for (int t = 1; t < threads; ++t) pool.emplace_back(run);
        run();
    }

    const FitProblem& problem_;
    std::vector<bool> used_;
};

}  // namespace

FitResult fit(const FitProblem& problem, const std::vector<bool>& used,
              const std::vector<double>& start, int threads) {
    const Fit f(problem, used);
    VectorXd x = VectorXd::Zero(static_cast<Eigen::Index>(problem.parameters()));
    for (std::size_t i = 0; i < start.size() && i < problem.parameters(); ++i)
        x[static_cast<Eigen::Index>(i)] = start[i];
    const VectorXd precision = f.precisions();
    VectorXd r = f.residuals(x, threads);
    MatrixXd j = f.jacobian(x, r, threads);
    double damping = 1e-3;
    FitResult out;
    double scale = f.scale(r);
    for (; x.size() > 0 && out.iterations < kMostIterations; ++out.iterations) {
        const VectorXd w = f.weights(r, scale);
        MatrixXd a = j.transpose() * w.asDiagonal() * j;
        a.diagonal() += precision;
        const VectorXd g = j.transpose() * w.asDiagonal() * r - precision.cwiseProduct(x);
        const double before = f.objective(x, r, scale);
        bool improved = false;
        double moved = 0;
        for (int tries = 0; tries < 8 && !improved; ++tries) {
            MatrixXd damped = a;
            damped.diagonal() += damping * a.diagonal();
            VectorXd next = x + damped.ldlt().solve(g);
            f.bound(next);
            const VectorXd rNext = f.residuals(next, threads);
            if (f.objective(next, rNext, scale) < before) {
                moved = (next - x).cwiseAbs().maxCoeff();
                x = next;
                r = rNext;
                improved = true;
                damping = std::max(1e-9, damping / 5);
            } else {
                damping *= 5;
            }
        }
        if (!improved || moved < kConverged) break;
        j = f.jacobian(x, r, threads);
        scale = f.scale(r);
    }
    const VectorXd w = f.weights(r, scale);
    MatrixXd a = j.transpose() * w.asDiagonal() * j;
    a.diagonal() += precision;
    const MatrixXd covariance = a.ldlt().solve(MatrixXd::Identity(a.rows(), a.cols()));
    out.logFactors = toVector(x);
    for (Eigen::Index i = 0; i < covariance.rows(); ++i) {
        for (Eigen::Index k = 0; k < covariance.cols(); ++k)
            out.covariance.push_back(0.5 * (covariance(i, k) + covariance(k, i)));
    }
    out.residual = toVector(r);
    out.scale = scale;
    out.jacobian.reserve(static_cast<std::size_t>(j.size()));
    for (Eigen::Index i = 0; i < j.rows(); ++i) {
        for (Eigen::Index k = 0; k < j.cols(); ++k) out.jacobian.push_back(j(i, k));
    }
    return out;
}

std::vector<double> residualsLeftOut(const FitProblem& problem, const FitResult& whole,
                                     const std::vector<std::size_t>& left) {
    std::vector<bool> used(problem.rows(), true);
    for (std::size_t i : left) used[i] = false;
    const Fit f(problem, used);
    const VectorXd whole0 = Eigen::Map<const VectorXd>(
        whole.logFactors.data(), static_cast<Eigen::Index>(whole.logFactors.size()));
    const Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>
        j(whole.jacobian.data(), static_cast<Eigen::Index>(problem.rows()),
          static_cast<Eigen::Index>(problem.parameters()));
    const VectorXd r0 = Eigen::Map<const VectorXd>(
        whole.residual.data(), static_cast<Eigen::Index>(whole.residual.size()));
    const VectorXd precision = f.precisions();
    VectorXd x = whole0;
    for (int step = 0; x.size() > 0 && step < 8; ++step) {
        const VectorXd r = r0 - j * (x - whole0);
        const VectorXd w = f.weights(r, whole.scale);
        MatrixXd a = j.transpose() * w.asDiagonal() * j;
        a.diagonal() += precision;
        VectorXd next =
            x + a.ldlt().solve(j.transpose() * w.asDiagonal() * r - precision.cwiseProduct(x));
        f.bound(next);
        const double moved = (next - x).cwiseAbs().maxCoeff();
        x = next;
        if (moved < kConverged) break;
    }
    const std::vector<double> factors = toVector(x);
    std::vector<double> out;
    for (std::size_t i : left)
        out.push_back(problem.measuredLog[i] - problem.predictLog(i, factors));
    return out;
}

}  // namespace trainwright::belief
