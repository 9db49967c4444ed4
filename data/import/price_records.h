// SPDX-License-Identifier: GPL-3.0-or-later
// Records of the AWS command line's answers: an array under one key, on one or many pages, or the
// bare array that `--query` leaves.
//
// A record is small and read into memory by itself; numbers are strings there, as they are written.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>

#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {

using Record = nlohmann::json;

/// Calls `take` with each record under `key`. What it returns is wrong with the record, and becomes
/// the finding with the record's place.
[[nodiscard]] Trouble readRecords(FileSource& source, const std::string& file, const char* key,
                                  const std::function<std::optional<Text>(const Record&)>& take);

/// The member of that name as text; "" where there is none or it is no text or number.
[[nodiscard]] std::string textOf(const Record& record, const char* key);
/// The object or array of that name; null where there is none.
[[nodiscard]] const Record& memberOf(const Record& record, const char* key);
/// The member as a finite number, not negative; nothing where there is none.
[[nodiscard]] std::optional<double> numberOf(const Record& record, const char* key);

}  // namespace trainwright::import::prices
