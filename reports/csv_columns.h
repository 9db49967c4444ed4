// SPDX-License-Identifier: GPL-3.0-or-later
// The columns of reports as CSV: what csv() of writers.h writes, and what `schema --of csv` says.
#pragma once

#include <string>
#include <vector>

namespace trainwright::reports {

struct CsvColumn {
    std::string name;
    std::string type;  ///< "string", "integer" or "number"
    std::string meaning;
};
/// In their order; new ones come last.
[[nodiscard]] const std::vector<CsvColumn>& csvColumns();

}  // namespace trainwright::reports
