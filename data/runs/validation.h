// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured: every row of a table of runs, and the errors by chip and source.
//
// Each row is predicted on its own from what it states; rows that can't be are kept with their
// reason. An error is that of the step time, predicted over measured less one, whichever column
// the time was worked out from.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/runs/run_case.h"
#include "model/belief/calibration.h"
#include "model/search/plan.h"

namespace trainwright::runs {

struct ValidatedRun {
    import::PublishedRun run;
    RunCase asked;
    Text skipped;  ///< why it isn't compared; empty when it is
    layout::Layout layout;
    bool overMemory = false;  ///< the memory model says that the layout doesn't fit
    double predictedStepSeconds = 0;
    std::optional<double> predictedMemoryBytes;  ///< where the row gives a measured one
    search::Grade grade = search::Grade::C;

    [[nodiscard]] bool isCompared() const { return skipped.empty(); }
    [[nodiscard]] double error() const {
        return predictedStepSeconds / asked.measuredStepSeconds - 1.0;
    }
    [[nodiscard]] std::optional<double> memoryError() const;
};

struct ErrorSummary {
    int rows = 0;
    int skipped = 0;
    double meanError = 0;  ///< signed
    double meanAbsolute = 0;
    double medianAbsolute = 0;
    double p90Absolute = 0;
};

struct Validation {
    std::vector<ValidatedRun> rows;  ///< in the order of the file
    ErrorSummary summary;
    ErrorSummary memory;  ///< of peak memories
    std::map<std::string, ErrorSummary> byAccelerator, bySource;
    bool stopped = false;  ///< on request; the rest of the rows is missing
};

[[nodiscard]] ErrorSummary summarize(std::vector<double> errors, int skipped);

/// Predicts a prepared row. `calibration` may be null: figures of the catalog as they are.
[[nodiscard]] ValidatedRun validate(const import::PublishedRun& run, RunCase asked,
                                    const belief::Calibration* calibration);

/// Rows shared between `threads` (0: as many as the machine has); the result doesn't depend on
/// their number. `progress` is told the share done and stops the work with false.
[[nodiscard]] Validation validate(const std::vector<import::PublishedRun>& runs,
                                  const catalog::Catalog& catalog,
                                  const belief::Calibration* calibration, int threads = 0,
                                  const std::function<bool(double)>& progress = {});

}  // namespace trainwright::runs
