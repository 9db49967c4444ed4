// SPDX-License-Identifier: GPL-3.0-or-later
// Published training runs: rows of a CSV file with one measured run each, and the step that each
// row states.
//
// A row says as much as its source did. Accelerators are counted as the file counts them (chips);
// tensor, pipeline and data degrees are in the framework's ranks.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/catalog/csv_rows.h"
#include "model/units/outcome.h"

namespace trainwright::import {

struct PublishedRun {
    int line = 0;
    std::string id, source, reference, workload, model, attention, accelerator, system, dtype,
        sharding, sequenceParallel, recompute, framework, notes;
    std::optional<double> year, parametersBillion, layers, hidden, heads, keyValueHeads, ffn,
        vocabulary, sequenceLength, experts, expertsActive, accelerators, globalBatch, microBatch,
        tensor, pipeline, virtualStages, context, expert, data;
    std::optional<double> stepTimeSeconds, tokensPerSecond, teraflops, mfuPercent, hfuPercent,
        memoryGigabytes;
    /// Columns that hold something else than a number, with what they hold: as if they were empty.
    std::vector<std::pair<std::string, std::string>> unread;
};

/// Rows of `table`; columns may stand in any order and unknown ones are ignored. Findings name line
/// and column; a field that should be a number and isn't is a warning.
[[nodiscard]] Outcome<std::vector<PublishedRun>> readRuns(const catalog::CsvTable& table);

/// The same of the text of a file.
[[nodiscard]] Outcome<std::vector<PublishedRun>> readRuns(const std::string& text,
                                                          const std::string& file);

}  // namespace trainwright::import
