// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files: read with places, checked in one go, resolved against the catalog, formatted.
//
// The keys, their quantities, bounds, defaults and meanings come from one registry (registry.h), which the
// reader, the JSON Schema, `new` and the help text are all made from. Reading never throws on bad input:
// every error of a file comes back as a Finding with line and column.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/search/plan.h"
#include "model/units/outcome.h"

namespace trainwright::scenario {

/// A scenario as written: values parsed to base units, catalog ids not yet looked up.
struct Scenario;

/// Parses and checks `text`; `file` names it in findings. Warnings accompany a value.
[[nodiscard]] Outcome<Scenario> read(const std::string& text, const std::string& file);

/// Reads the file: missing, unreadable, empty and oversized files are findings.
[[nodiscard]] Outcome<Scenario> readFile(const std::string& path);

/// Looks everything up and checks what needs the catalog; all errors in one go.
[[nodiscard]] Outcome<search::PlanRequest> resolve(const Scenario& scenario, const catalog::Catalog& catalog);

/// The JSON Schema (draft 2020-12) of scenario files, pretty-printed.
[[nodiscard]] std::string jsonSchema();

/// A commented starter scenario.
[[nodiscard]] std::string starter();

/// `text` in canonical layout (indentation, spacing, key order left alone, comments kept), or findings.
[[nodiscard]] Outcome<std::string> format(const std::string& text, const std::string& file);

/// The scenario as the "scenario" object of plan JSON: every key, defaults filled in, unit-bearing names.
[[nodiscard]] std::string toJson(const Scenario& scenario);

}  // namespace trainwright::scenario
