// SPDX-License-Identifier: GPL-3.0-or-later
// A calibration as rows of a file: what the catalog ships and what a user's own one is kept in.
//
// Records: `set` (id, date, hash), `run_set` (title, hash and number of rows of the runs), `factor`
// (physics, subject, logarithm, standard error, rows that it touches), `covariance` (of two factors
// by their place; those not listed are 0), `measured` (chip, profile, family, rows), `residual`
// (standard deviation of the logarithm by grade).
#pragma once

#include <string>

#include "data/catalog/csv_rows.h"
#include "model/belief/calibration.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

/// The calibration in `rows`; what doesn't make sense is named with its line.
[[nodiscard]] Outcome<belief::Calibration> readCalibration(const CsvTable& rows);

/// The same from the text of a file.
[[nodiscard]] Outcome<belief::Calibration> readCalibration(const std::string& text,
                                                           const std::string& file);

/// As a CSV file, numbers rounded to digits that don't differ from machine to machine, and with the
/// hash of what it says.
[[nodiscard]] std::string calibrationText(const belief::Calibration& calibration);

}  // namespace trainwright::catalog
