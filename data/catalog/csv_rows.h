// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated rows with a header, as RFC 4180 describes them, each row with the line it starts
// on.
//
// Fields may be quoted, quotes inside are doubled, a quoted field may hold line breaks. Every row
// has as many fields as the header. Bytes are taken as they are (UTF-8); a byte-order mark at the
// start is skipped. It does not interpret values.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::catalog {

struct CsvRow {
    int line = 0;  ///< from 1, where the row starts
    std::vector<std::string> fields;
};

struct CsvTable {
    std::string file;
    std::vector<std::string> header;
    std::vector<CsvRow> rows;
};

/// Reads `text`; every malformed row is an Error with its line. `file` names the text in findings.
[[nodiscard]] Outcome<CsvTable> readCsv(std::string_view text, const std::string& file);

/// As readCsv, and the header must be exactly `header`.
[[nodiscard]] Outcome<CsvTable> readCsv(std::string_view text, const std::string& file,
                                        const std::vector<std::string>& header);

}  // namespace trainwright::catalog
