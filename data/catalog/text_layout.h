// SPDX-License-Identifier: GPL-3.0-or-later
// Plain text of a fixed width for terminals: wrapped paragraphs and tables. A code point is one
// column.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace trainwright::catalog {

/// Columns of a line.
inline constexpr std::size_t kColumns = 100;

[[nodiscard]] std::size_t width(const std::string& text);
/// `text` with spaces up to `columns`, before it when it stands to the right.
[[nodiscard]] std::string padded(const std::string& text, std::size_t columns, bool right = false);
[[nodiscard]] std::string trimmedRight(std::string line);
/// Lines of at most `columns`, cut between words where there is a place to cut.
[[nodiscard]] std::vector<std::string> wrapped(const std::string& text, std::size_t columns);
/// Wrapped to kColumns, each line behind `indent` spaces and with its line break.
[[nodiscard]] std::string indented(const std::string& text, std::size_t indent);
/// Rows of as many cells as `rightAligned` has, each column as wide as its widest cell.
[[nodiscard]] std::string table(const std::vector<std::vector<std::string>>& rows,
                                const std::vector<bool>& rightAligned);

}  // namespace trainwright::catalog
