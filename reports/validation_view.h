// SPDX-License-Identifier: GPL-3.0-or-later
// What reports of runs say in words and digits, the same in every format.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/belief/run_errors.h"
#include "model/units/outcome.h"

namespace trainwright::reports {

[[nodiscard]] std::string errorText(double share);                   ///< "4.2%"
[[nodiscard]] std::string signedErrorText(double share);             ///< "+4.2%"
[[nodiscard]] std::string factorText(const belief::Factor& factor);  ///< "×0.930"
[[nodiscard]] Text figureName(belief::Physics physics);              ///< "matrix rate"

/// "267 of 378 runs are compared: …"
[[nodiscard]] Text sentenceOf(const belief::RunErrors& errors);
[[nodiscard]] Text memorySentenceOf(const belief::RunErrors& errors);
/// "Of 94 jobs measured with several layouts, …"; for those that were.
[[nodiscard]] Text choiceSentenceOf(const belief::RunErrors& errors);
[[nodiscard]] Text coverageSentence(double coverage);
[[nodiscard]] Text residualSentence(const belief::Calibration& calibration);

/// Those of `rows` that are farthest off, the farthest first.
[[nodiscard]] std::vector<const belief::RunError*> farthest(
    std::vector<const belief::RunError*> rows, std::size_t most);
/// Those compared that are farthest off, the farthest first.
[[nodiscard]] std::vector<const belief::RunError*> worstRows(const belief::RunErrors& errors,
                                                             std::size_t most);
/// Reasons why runs aren't compared and how many have each, the commonest first.
[[nodiscard]] std::vector<std::pair<Text, int>> skippedBy(const belief::RunErrors& errors);

/// Errors of the runs of one source, of one accelerator or of all run sets. A kind of fit that runs
/// lack has no rows.
struct FitErrors {
    Argument name = "";
    int rows = 0;
    belief::ErrorSummary uncalibrated, fitted, groupLeftOut, sourceLeftOut;
};
enum class Grouping { All, Accelerator, Source };
/// By name; of All one, "all runs".
[[nodiscard]] std::vector<FitErrors> fitErrors(const std::vector<belief::RunErrors>& errors,
                                               Grouping grouping);
/// "3.3/6.0/12": median, mean and P90 of the absolute error in percent; "–" without rows.
[[nodiscard]] std::string tripleText(const belief::ErrorSummary& summary);
/// What the columns of fit errors stand for.
[[nodiscard]] Text fitErrorsNote();

}  // namespace trainwright::reports
