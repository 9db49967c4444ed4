// SPDX-License-Identifier: GPL-3.0-or-later
// A calibration from published runs: which factors there are, the fit, and how far off it is on
// runs that it hasn't seen.
//
// Factors are those of every kind of chip, software profile and pair of both that has runs; their
// priors say how far a data-sheet or measured figure may be off. Layouts that rows leave open are
// searched again under the fitted factors before the last fit.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "data/runs/validation.h"
#include "model/belief/calibration.h"
#include "model/belief/fit.h"

namespace trainwright::runs {

struct NamedRuns {
    std::string title;
    std::string hash;               ///< of the rows
    std::vector<PreparedRun> runs;  ///< with the catalog's own figures
};

struct CalibrationFit {
    belief::Calibration calibration;
    std::vector<belief::RunErrors> errors;  ///< a run set; step times under the fitted factors
    double coverage = 0;                    ///< share of all rows inside their P10 to P90
    int iterations = 0;
    bool stopped = false;
};

/// Fits the catalog's figures to the runs of `sets`. With `base`, its factors of chips stay as they
/// are, and those of the software that the runs used are fitted anew around its values: own runs
/// on top of a calibration. Factors that the runs say nothing of are left out.
[[nodiscard]] CalibrationFit calibrate(const std::vector<NamedRuns>& sets,
                                       const belief::Calibration* base = nullptr, int threads = 0,
                                       const std::function<bool(double)>& progress = {});

}  // namespace trainwright::runs
