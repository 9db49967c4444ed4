// SPDX-License-Identifier: GPL-3.0-or-later
// Comma-separated rows of any length of file, read row by row in bounded memory.
//
// RFC 4180 as csv_rows.h has it, for files that don't fit into memory. Bounded: 4,096 fields and
// 4 MiB a row. Text is UTF-8 without NUL. Columns are found by name, whatever their order; names
// are compared without case and spaces around. The first thing that is wrong is kept as a finding
// with its line and column (of the field, from 1 in bytes), and ends the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/import/price_input.h"
#include "model/units/outcome.h"

namespace trainwright::import::prices {

class CsvReader {
public:
    CsvReader(ByteSource& source, std::string file);

    /// The next row; false at the end and when something is wrong. Empty lines are passed over.
    [[nodiscard]] bool next();
    /// Takes the row read last as the header: rows that follow must have as many fields.
    void useAsHeader();

    [[nodiscard]] std::size_t size() const { return fields_.size(); }
    /// Until the next row is read.
    [[nodiscard]] std::string_view field(std::size_t index) const;

    /// The place of the column in the header; nothing when there is none.
    [[nodiscard]] std::optional<std::size_t> column(std::string_view name) const;
    /// Of the row read last; "" for a column that the header hasn't.
    [[nodiscard]] std::string_view field(std::optional<std::size_t> column) const {
        return column ? field(*column) : std::string_view();
    }

    /// Of a field of the row read last, or of the row.
    [[nodiscard]] Place place(std::optional<std::size_t> column = {}) const;
    [[nodiscard]] bool failed() const { return error_.has_value(); }
    [[nodiscard]] const Finding& error() const { return *error_; }
    void fail(std::optional<std::size_t> column, std::string pattern,
              std::vector<Argument> arguments = {});
    void fail(Finding finding);

private:
    struct Field {
        std::size_t from = 0, to = 0;  ///< in row_
        int line = 0;
        int column = 0;
    };

    bool fill();
    bool readRow();

    ByteSource& source_;
    std::string file_;
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    bool isDone_ = false;
    int line_ = 1;    ///< of the next byte
    int column_ = 1;  ///< of the next byte
    int rowLine_ = 1;
    std::string row_;
    std::vector<Field> fields_;
    std::vector<std::string> header_;
    std::optional<Finding> error_;
};

}  // namespace trainwright::import::prices
