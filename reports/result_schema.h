// SPDX-License-Identifier: GPL-3.0-or-later
// JSON Schemas of results, and the columns of CSV files: what a program that reads them can rely
// on.
//
// All come from one description (result_forms.h): every key that a writer sets is required and no
// other is allowed, so that a renamed one can't pass. Descriptions carry the units.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/json_text.h"

namespace trainwright::reports {

/// "plan", "explain", "diff", …, "sweep", "csv": what there is a schema of.
[[nodiscard]] std::vector<std::string> resultForms();

/// The schema of one of them, ending with a newline; of "sweep" that of a line of JSON lines, of
/// "csv" the columns of CSV files, as Table Schemas (Frictionless Data). Nothing for another name.
/// `scenario`: the schema of the resolved scenario that results hold.
[[nodiscard]] std::optional<std::string> resultSchema(const std::string& form,
                                                      const Json& scenario);

/// The same for reading: a key a line, with its type and meaning.
[[nodiscard]] std::optional<std::string> resultText(const std::string& form);

}  // namespace trainwright::reports
