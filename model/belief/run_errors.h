// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured runs, and how far off they are: what a validation or a calibration
// shows.
//
// An error is that of the step time, predicted over measured less one, whichever column of the run
// the time was worked out from.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/belief/calibration.h"
#include "model/units/outcome.h"

namespace trainwright::belief {

struct RunError {
    std::string id, source, accelerator, model, software, layout;  ///< layout in its short form
    std::string family;  ///< of the chip, as the catalog names it: "gpu"
    /// What was trained, on what, in the source's words: runs of one job differ in layout alone.
    std::string job;
    std::string metric;  ///< column of the run that the measured time comes from
    double measuredSeconds = 0;
    double predictedSeconds = 0;
    std::optional<double> measuredMemoryBytes, predictedMemoryBytes;
    Grade grade = Grade::C;
    bool overMemory = false;  ///< the memory model says that the layout doesn't fit
    Text skipped;             ///< why it isn't compared; empty when it is
    /// Of a calibration: with the run's source, its group inside it, or every run left out.
    std::optional<double> errorSourceLeftOut, errorGroupLeftOut, errorUncalibrated;
    std::optional<bool> insideBand;  ///< of P10 to P90, by a fit without its group

    [[nodiscard]] bool isCompared() const { return skipped.empty(); }
    [[nodiscard]] double error() const { return predictedSeconds / measuredSeconds - 1.0; }
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

/// Quantiles lie between neighbours, as spreadsheets take them.
[[nodiscard]] ErrorSummary summarize(std::vector<double> errors, int skipped);

/// How good the choice among layouts is: of each job that was measured with several layouts, the
/// one that is fastest by prediction beside the one measured fastest.
struct ChoiceSummary {
    static constexpr double kGoodEnough = 0.05;
    struct Job {
        std::string chosen, best;  ///< ids of runs
        int layouts = 0;
        double lost = 0;  ///< measured time of the chosen over that of the best, less one
    };
    int goodEnough = 0;     ///< jobs that lose kGoodEnough or less
    double meanLost = 0;    ///< over the jobs
    std::vector<Job> jobs;  ///< that lose most first
};

struct RunErrors {
    std::vector<RunError> rows;  ///< in the order of the file
    ErrorSummary summary;
    ErrorSummary memory;  ///< of peak memories
    std::map<std::string, ErrorSummary> byAccelerator, bySource;
    ChoiceSummary choice;
    bool stopped = false;  ///< on request; the rest of the rows is missing
};

/// Fills the summaries of `errors` from its rows.
void summarize(RunErrors& errors);

}  // namespace trainwright::belief
