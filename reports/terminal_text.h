// SPDX-License-Identifier: GPL-3.0-or-later
// Aligned columns and wrapped sentences for a terminal of a given width.
//
// No line is wider than the style's width: columns that may be dropped are dropped in their order,
// then the widest word columns are cut, with "…" where something is missing. Text that comes from
// outside can't move the cursor.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "model/units/outcome.h"
#include "reports/report.h"

namespace trainwright::reports {

enum class Ink { Plain, Bold, Dim, Good, Bad };

/// Of a column; literals are patterns.
struct ColumnTitle {
    ColumnTitle(const char* pattern) : text{pattern, {}} {}  // NOLINT(google-explicit-*)
    ColumnTitle(Text words) : text(std::move(words)) {}      // NOLINT(google-explicit-*)
    Text text;
};

struct TextColumn {
    ColumnTitle title;
    bool right = false;        ///< numbers
    int dropOrder = 0;         ///< 1 goes first when the table is too wide; 0 never goes
    std::size_t smallest = 6;  ///< columns that a word column keeps when it is cut
    bool keepsEnds = false;    ///< cut in the middle, for names whose ends tell them apart
};

class TextTable {
public:
    explicit TextTable(std::vector<TextColumn> columns, std::size_t indent = 0);

    void add(std::vector<Argument> cells, Ink ink = Ink::Plain);
    /// A sentence below the last row, wrapped, as far in as `indent`.
    void note(Argument sentence, std::size_t indent);
    /// The title of the rows that follow, after an empty line unless they are the first.
    void title(Argument sentence);
    /// A line across before the next row.
    void rule();
    /// Columns that go for want of room are named below the table.
    void nameLeftOut() { namesLeftOut_ = true; }
    [[nodiscard]] bool empty() const { return rows_.empty(); }
    [[nodiscard]] std::string render(const TerminalStyle& style) const;

private:
    struct Row {
        std::vector<Argument> cells;  ///< empty: a note or a rule
        Argument note = "";
        std::size_t indent = 0;
        Ink ink = Ink::Plain;
        bool isRule = false;
        bool isTitle = false;
    };
    std::vector<TextColumn> columns_;
    std::vector<Row> rows_;
    std::size_t indent_ = 0;
    bool namesLeftOut_ = false;
};

/// Label and value, one below the other, the values aligned.
class FactLines {
public:
    void add(Text label, Argument value);
    [[nodiscard]] std::string render(const TerminalStyle& style) const;

private:
    std::vector<std::pair<Text, Argument>> lines_;
};

/// A title with an empty line before it.
[[nodiscard]] std::string heading(const Text& title, const TerminalStyle& style);

/// `sentence` in lines of at most the style's width, each ended by a newline; later lines `hang`
/// further in.
[[nodiscard]] std::string wrapped(const std::string& sentence, const TerminalStyle& style,
                                  std::size_t indent = 0, std::size_t hang = 0);
/// The same of a sentence in the style's language.
[[nodiscard]] std::string wrapped(const Text& sentence, const TerminalStyle& style,
                                  std::size_t indent = 0, std::size_t hang = 0);

/// What the style's terminal can show of `text`: no control characters, ASCII where it must be.
[[nodiscard]] std::string shown(const std::string& text, const TerminalStyle& style);

[[nodiscard]] std::string inked(const std::string& text, Ink ink, const TerminalStyle& style);

}  // namespace trainwright::reports
