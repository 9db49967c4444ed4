// SPDX-License-Identifier: GPL-3.0-or-later
// Columns of rows that the catalog keeps as their files have them.
#pragma once

#include <string>
#include <vector>

namespace trainwright::catalog {

/// Of rows/runs.csv, which is the format of published runs for import as well.
[[nodiscard]] const std::vector<std::string>& runColumns();
/// Of rows/calibration.csv.
[[nodiscard]] const std::vector<std::string>& calibrationColumns();

}  // namespace trainwright::catalog
