// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog as people and programs read it: lists, one entry with its provenance, the checks.
//
// Text fits in 100 columns: long sources and notes are wrapped under their column. JSON keeps the
// figures in base units and in the order of the text. It reads the catalog and decides nothing.
#pragma once

#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

enum class TextFormat { Text, Json };

/// What the catalog holds by kind, or with a `kind` ("chip", "chips", …) its entries with their
/// main figures. An unknown kind is a finding.
[[nodiscard]] Outcome<std::string> list(const Catalog& catalog, const std::string& kind,
                                        TextFormat format);

/// Every figure of an entry: value, source, date, status, note, and the rows that disagree; for
/// what is rented, the prices too. `id` may be written with its kind ("chip/trainium2") where two
/// kinds share it. An unknown id is a finding that names the nearest.
[[nodiscard]] Outcome<std::string> show(const Catalog& catalog, const std::string& id,
                                        TextFormat format);

/// What check() found, errors first.
[[nodiscard]] std::string checkReport(const Catalog& catalog, const std::vector<Finding>& findings,
                                      TextFormat format);

/// "667 TFLOP/s", "96 GiB", "yes": a figure's value for people. An empty value is "not published".
[[nodiscard]] std::string displayValue(const Figure& figure);

}  // namespace trainwright::catalog
