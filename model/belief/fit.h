// SPDX-License-Identifier: GPL-3.0-or-later
// A robust least-squares fit of log factors to log errors: Levenberg-Marquardt (Marquardt 1963)
// with Gaussian priors, bounds, and Student-t weights that damp outliers (Lange, Little and Taylor
// 1989).
//
// Knows neither runs nor chips: rows have a measured logarithm and a function that predicts it. The
// result depends on no clock, chance or number of threads.
#pragma once

#include <functional>
#include <vector>

namespace trainwright::belief {

// Equation: What a calibration minimizes
//     Σᵢ wᵢ·ρ((ln measuredᵢ − ln predictedᵢ(θ)) / s) + ½·Σⱼ (θⱼ / σⱼ)²
// θ the logarithms of the factors, each with a prior of width σ around the catalog's own figure; ρ
// that of Student's t, which damps outliers; s the spread of what is left. Source: Lange, Little
// and Taylor 1989, JASA 84:881; minimized as in Marquardt 1963, SIAM J. 11:431.

/// Of a log factor: centred on 0, the catalog's own figure.
struct Prior {
    double width = 0.1;  ///< standard deviation
    double lower = -1;
    double upper = 1;
    friend bool operator==(const Prior&, const Prior&) = default;
};

struct FitProblem {
    std::vector<double> measuredLog;             ///< a row
    std::vector<double> weight;                  ///< a row; 1 for a row that stands for itself
    std::vector<std::vector<std::size_t>> uses;  ///< parameters that a row depends on
    std::vector<Prior> priors;                   ///< a parameter
    double scale = 0;  ///< standard deviation of the residuals, where it is known; 0: out of them
    /// Logarithm of the prediction of a row; called from several threads at once.
    std::function<double(std::size_t row, const std::vector<double>& logFactors)> predictLog;

    [[nodiscard]] std::size_t rows() const { return measuredLog.size(); }
    [[nodiscard]] std::size_t parameters() const { return priors.size(); }
};

struct FitResult {
    std::vector<double> logFactors;
    std::vector<double> covariance;  ///< of them, row by row
    std::vector<double> residual;  ///< measured less predicted logarithm of every row, used or not
    double scale = 0;              ///< robust standard deviation of the residuals of used rows
    int iterations = 0;
    std::vector<double> jacobian;  ///< of predictLog at the end, row by row, for refits
};

/// Fits the rows with `used[row]`, from `start` (empty: the priors' centres).
[[nodiscard]] FitResult fit(const FitProblem& problem, const std::vector<bool>& used,
                            const std::vector<double>& start, int threads);

/// The fit without the rows of `left`, by Gauss-Newton steps from `whole` under its Jacobian, and
/// what it predicts for them: residuals of the rows in `left` in their order.
[[nodiscard]] std::vector<double> residualsLeftOut(const FitProblem& problem,
                                                   const FitResult& whole,
                                                   const std::vector<std::size_t>& left);

}  // namespace trainwright::belief
