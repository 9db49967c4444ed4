// SPDX-License-Identifier: GPL-3.0-or-later
// Documents as files of other formats than HTML (report.h has that one).
//
// Each writer walks the tree of document.h and knows nothing of plans; the same tree gives the same
// bytes, on any machine, in any locale. PDF is drawn by reports/pdf, which needs Qt.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"
#include "reports/document.h"

namespace trainwright::reports {

/// GitHub-flavoured Markdown: pipe tables, folded sections as <details>, charts left to their
/// tables.
[[nodiscard]] std::string markdown(const Document& document);

/// The tables of a document in tidy form, a record for each cell (csv_columns.h).
/// RFC 4180: comma, quotes where needed, CRLF.
[[nodiscard]] std::string csv(const Document& document);

/// One quantity of a candidate: a plain number, or what a formula makes of others.
struct AssumedValue {
    std::string key;      ///< "tokens"; refers to it in formulas
    Text label;           ///< with the unit
    Text note;            ///< what the number is, or which formula it follows
    std::string format;   ///< of a spreadsheet: "#,##0.00"
    std::string formula;  ///< of keys in braces: "{units}*{price}"; empty: typed in
    std::vector<std::optional<double>> values;  ///< a candidate each; none: not known
    std::vector<bool> follows;  ///< whether the formula gives that candidate's value
};

/// What a plan's days and dollars are made of, a column for each candidate that can be run.
struct Assumptions {
    std::vector<std::string> candidates;
    std::vector<AssumedValue> rows;
};

/// A row follows its formula only where the formula gives the planned value to within a millionth;
/// elsewhere (clusters that grow, several purchases) the value stands as a number.
[[nodiscard]] Assumptions planAssumptions(const search::PlanRequest& request,
                                          const search::PlanResult& result);

/// A workbook: a sheet for each section with tables, numbers as numbers with their unit in the
/// header, and a sheet of assumptions whose cells drive those below them, with two charts. A
/// Finding says what kept it from being written.
[[nodiscard]] Outcome<std::string> xlsx(const Document& document,
                                        const std::optional<Assumptions>& assumptions = {});

enum class Paper { A4, Letter };

/// Draws a document as PDF (charts/pdf.h has the one that uses Qt).
using PdfWriter = std::function<Outcome<std::string>(const Document& document, Paper paper)>;

}  // namespace trainwright::reports
