// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted against measured runs, and the calibration that was made of them: as text, as JSON and
// as a document.
//
// Errors are those of the step time, predicted over measured less one, in percent; the same errors
// and context give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "model/belief/run_errors.h"
#include "reports/document.h"
#include "reports/report.h"

namespace trainwright::reports {

/// What such a report says of where it comes from.
struct ValidationContext {
    std::string runsTitle;         ///< "the catalog's published runs", or a file
    std::string calibrationTitle;  ///< name, date and hash, or "none"
    std::string programVersion;
    std::string catalogHash;
    std::string command;   ///< that makes this report again
    bool allRows = false;  ///< every row on the terminal, not the summaries and the worst alone
};

[[nodiscard]] std::string validationTerminal(const belief::RunErrors& errors,
                                             const TerminalStyle& style,
                                             const ValidationContext& context);
/// Ends with a newline. "measured" and "predicted" are step times in seconds, whatever column
/// ("metric") the measured one was worked out from.
[[nodiscard]] std::string validationJson(const belief::RunErrors& errors,
                                         const ValidationContext& context);
[[nodiscard]] Document validationDocument(const belief::RunErrors& errors,
                                          const ValidationContext& context);

/// `errors`: of each run set, with what was left out; `coverage`: share of the rows inside their
/// P10 to P90.
[[nodiscard]] std::string calibrationTerminal(const belief::Calibration& calibration,
                                              const std::vector<belief::RunErrors>& errors,
                                              double coverage, const TerminalStyle& style,
                                              const ValidationContext& context);
[[nodiscard]] std::string calibrationJson(const belief::Calibration& calibration,
                                          const std::vector<belief::RunErrors>& errors,
                                          double coverage, const ValidationContext& context);
[[nodiscard]] Document calibrationDocument(const belief::Calibration& calibration,
                                           const std::vector<belief::RunErrors>& errors,
                                           double coverage, const ValidationContext& context);

}  // namespace trainwright::reports
