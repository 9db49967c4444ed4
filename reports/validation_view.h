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
[[nodiscard]] std::string figureName(belief::Physics physics);       ///< "matrix rate"

/// Both ends of a long name, which are what tells names of one family apart.
[[nodiscard]] std::string bothEnds(const std::string& name);

/// "267 of 378 runs are compared: …"
[[nodiscard]] Text sentenceOf(const belief::RunErrors& errors);
[[nodiscard]] Text memorySentenceOf(const belief::RunErrors& errors);
[[nodiscard]] Text coverageSentence(double coverage);
[[nodiscard]] Text residualSentence(const belief::Calibration& calibration);

/// Those compared that are farthest off, the farthest first.
[[nodiscard]] std::vector<const belief::RunError*> worstRows(const belief::RunErrors& errors,
                                                             std::size_t most);
/// Reasons why runs aren't compared and how many have each, the commonest first.
[[nodiscard]] std::vector<std::pair<Text, int>> skippedBy(const belief::RunErrors& errors);

/// Errors of the runs of one source or accelerator.
struct FitErrors {
    std::string name;
    belief::ErrorSummary uncalibrated, fitted, groupLeftOut, sourceLeftOut;
};
[[nodiscard]] std::vector<FitErrors> fitErrors(const std::vector<belief::RunErrors>& errors,
                                               bool bySource);

}  // namespace trainwright::reports
