// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep as rows: what was varied, then what came of it for one candidate, in named columns.
//
// A column holds the value that plan JSON has for the same candidate, with the same digits, in the
// unit that its name ends in. What is not known, or doesn't apply to a candidate that can't be run,
// is empty in CSV and null in JSON. Columns are never renamed; new ones come before `reasons`, the
// last.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"
#include "reports/json_text.h"

namespace trainwright::reports {

/// A column that every sweep has, and its place in the candidate of plan JSON.
struct SweepColumn {
    std::string name, place;
};
[[nodiscard]] std::vector<SweepColumn> sweepColumns();

enum class RowFormat { Csv, JsonLines };

/// One of the values that make a row what it is.
struct SweptValue {
    std::optional<double> number;  ///< in the unit that the column is named after
    std::string word;              ///< where there is no number
};

class SweepWriter {
public:
    /// `sweptColumns` come first; a result's column of the same name is left out.
    SweepWriter(RowFormat format, std::vector<std::string> sweptColumns);

    /// The line of names, which CSV begins with; nothing for JSON lines.
    [[nodiscard]] std::string header() const;

    /// The line of one candidate, which `request` holds.
    [[nodiscard]] std::string row(const std::vector<SweptValue>& swept,
                                  const search::PlanRequest& request,
                                  const search::CandidateResult& result) const;

    /// The line of a candidate for which these values make no sense, and why.
    [[nodiscard]] std::string refusedRow(const std::vector<SweptValue>& swept,
                                         const std::string& candidate, const std::string& system,
                                         const std::vector<Text>& reasons) const;

private:
    struct Column {
        std::string name;
        Json::json_pointer place;  ///< in the candidate of plan JSON
    };
    [[nodiscard]] std::string line(const std::vector<SweptValue>& swept,
                                   const Json& candidate) const;

    RowFormat format_;
    std::vector<std::string> sweptColumns_;
    std::vector<Column> columns_;
};

}  // namespace trainwright::reports
