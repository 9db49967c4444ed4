// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of plans in words and digits, from which every form of its report is written.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/search/comparison.h"
#include "reports/document.h"

namespace trainwright::reports {

/// Those that have columns, in their order.
[[nodiscard]] const std::vector<search::Quantity>& shownQuantities();
[[nodiscard]] Text quantityTitle(search::Quantity quantity);  ///< "M USD"

/// "83", "18.5": a value in the column of its quantity.
[[nodiscard]] std::string quantityText(search::Quantity quantity, std::optional<double> value);
/// "92 → 83"; one value where both read the same, or there is one alone.
[[nodiscard]] std::string movedText(search::Quantity quantity,
                                    const search::CandidateComparison& candidate);
/// Decimals that show two digits of `amount`, as far as they mean something beside `value`: a
/// figure of three digits has one more.
[[nodiscard]] int shareDecimals(search::Quantity quantity, double amount, double value);
/// "−3.0": a difference, in the unit of its column.
[[nodiscard]] std::string shareText(double share, int decimals);
/// What is shown of the move of `quantity`: "−3.0"; "" without one.
[[nodiscard]] std::string differenceText(search::Quantity quantity, const search::Move& move);

/// Beyond what two plans of the same question differ by.
[[nodiscard]] bool hasMoved(const search::Move& move);
/// Any quantity, standing, place or layout.
[[nodiscard]] bool hasMoved(const search::CandidateComparison& candidate);
[[nodiscard]] bool anyMoved(const search::Comparison& comparison);
/// Days or cost by 1% or more, another place, a new candidate or one that is gone.
[[nodiscard]] bool isOfNote(const search::CandidateComparison& candidate);

/// "2 → 1"; "1" where nothing changed.
[[nodiscard]] std::string markText(const search::CandidateComparison& candidate);

/// What a change is called: "training.tokens", "price of p5.48xlarge in us-east-1, on demand".
[[nodiscard]] Text changeTitle(const search::Change& change);
/// The same within the rows of a candidate: "purchase" for "candidates[p5].purchase".
[[nodiscard]] Text changeTitleWithin(const search::Change& change);
/// "41.53 USD an hour": one of its values; "none" where there is none.
[[nodiscard]] std::string valueText(const search::Change& change, const search::ChangedValue& value,
                                    bool after);
/// "15T → 13T", "tensor 8 → 16, pipeline 4 → 2"
[[nodiscard]] std::string valuesText(const search::Change& change);

/// A row of reasons: one change, or what is left over, with its share of each move.
struct ReasonRow {
    std::size_t change = 0;
    bool isRest = false;
    /// Of each quantity in shownQuantities(); nothing where the move has no shares.
    std::vector<std::optional<double>> shares, alone;  ///< in the unit of the quantity
};
struct Reasons {
    std::vector<ReasonRow> rows;  ///< the largest first; those that move nothing are left out
    std::vector<int> decimals;    ///< of each quantity
    std::size_t without = 0;      ///< changes that move nothing
    std::vector<Text> notes;      ///< how shares were come by, where not by all orders
};
[[nodiscard]] Reasons reasonsOf(const search::CandidateComparison& candidate);

/// The answer: who leads, by how much, and what moved it most.
[[nodiscard]] std::vector<Text> diffVerdict(const search::Comparison& comparison);

/// What is said of a candidate below its row: standing, layout, name.
[[nodiscard]] std::vector<Text> candidateNotes(const search::Comparison& comparison,
                                               const search::CandidateComparison& candidate);

/// "2 inputs, 1 price and the calibration changed."
[[nodiscard]] Text changesSummary(const search::Comparison& comparison);

}  // namespace trainwright::reports
