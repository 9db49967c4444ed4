// SPDX-License-Identifier: GPL-3.0-or-later
// The result of a plan as `plan --report FILE.json` keeps it, read back.
//
// Only what a comparison needs is taken: what each candidate came to, the scenario as it was
// written, the figures and the factors used. What an older file doesn't hold stays empty.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/belief/calibration.h"
#include "model/search/comparison.h"

namespace trainwright::compare {

/// Figures by "kind/id/key".
struct KeptFigure {
    std::string kind, id, key, value, unit, observed;
};
using FigureTable = std::map<std::string, KeptFigure>;

struct KeptResult {
    search::ComparedPlan plan;
    std::vector<search::CandidateState> candidates;  ///< in order of merit
    std::string scenarioText;
    FigureTable figures;  ///< of the catalog: those that the scenario overrides are left out
    bool hasCalibration = false;  ///< it says which factors were used, if any
    std::shared_ptr<const belief::Calibration> calibration;
};

/// Whether `text` is JSON that carries a schema, and so a result rather than a scenario.
[[nodiscard]] bool looksLikeResult(const std::string& text);

/// `name` stands for the text in findings and in the comparison.
[[nodiscard]] Outcome<KeptResult> readResult(const std::string& text, const std::string& name);

}  // namespace trainwright::compare
