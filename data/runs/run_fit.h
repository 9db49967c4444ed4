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
    std::string hash;  ///< of the rows
    std::vector<import::PublishedRun> runs;
};

/// How a row was left out of the fit that predicts it.
enum class LeftOut { BySource, ByModelAndSystem };

struct FittedRow {
    std::size_t set = 0;           ///< of the run sets
    ValidatedRun run;              ///< under the fitted factors
    double errorLeftOut = 0;       ///< of the step time, with its whole source left out
    double errorGroupLeftOut = 0;  ///< with its source's runs of that model and system left out
};

struct CalibrationFit {
    belief::Calibration calibration;
    std::vector<FittedRow> rows;  ///< those that were compared
    int skipped = 0;
    int iterations = 0;
    bool stopped = false;
};

/// `start`: a calibration whose factors are the centres of the priors (a user's own runs on top of
/// the shipped set); null for the catalog's figures.
[[nodiscard]] CalibrationFit calibrate(const std::vector<NamedRuns>& sets,
                                       const catalog::Catalog& catalog, int threads = 0,
                                       const std::function<bool(double)>& progress = {});

}  // namespace trainwright::runs
