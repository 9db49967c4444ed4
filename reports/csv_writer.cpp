// SPDX-License-Identifier: GPL-3.0-or-later
// The tables and facts of a document as tidy CSV: a record for each value.
#include <fmt/format.h>

#include "reports/csv_columns.h"
#include "reports/utf8.h"
#include "reports/writers.h"

namespace trainwright::reports {
namespace {

std::string field(std::string_view raw) {
    std::string text = validUtf8(raw);
    if (text.find_first_of("\",\r\n") == std::string::npos) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

class Writer {
public:
    std::string document(const Document& document) {
        for (const CsvColumn& column : csvColumns())
            out_ += (out_.empty() ? "" : ",") + column.name;
        out_ += "\r\n";
        for (const Section& section : document.sections) write(section);
        return std::move(out_);
    }

private:
    struct Place {
        std::string table, kind, group;
        std::size_t row = 0;
        std::string name, column;
    };

    void write(const Section& section) {
        section_ = section.id;
        facts_ = 0;
        for (const Block& one : section.blocks)
            std::visit([this](const auto& b) { block(b); }, one);
        for (const Section& inner : section.sections) write(inner);
    }

    void record(const Place& place, const Cell& cell) {
        out_ +=
            fmt::format("{},{},{},{},{},{},{},{},{},{}\r\n", field(section_), field(place.table),
                        place.kind, field(place.group), place.row, field(place.name),
                        field(place.column), cell.number ? fmt::format("{}", *cell.number) : "",
                        field(cell.unit), field(cell.display.english()));
    }

    void block(const Paragraph&) {}
    void block(const List&) {}
    void block(const Preformatted&) {}
    void block(const Figure&) {}

    void block(const Facts& facts) {
        for (const auto& [label, cell] : facts.items)
            record({"", "fact", "", ++facts_, label.english(), ""}, cell);
    }

    void block(const Table& table) {
        std::size_t number = 0;
        const std::size_t key = keyColumn(table);
        for (const RowGroup& group : table.groups)
            for (const Row& row : group.rows) {
                ++number;
                const std::string name =
                    key < row.cells.size() ? row.cells[key].display.english() : "";
                const char* kind = row.isTotal ? "total" : "cell";
                for (std::size_t c = 0; c < row.cells.size(); ++c)
                    if (c != key || table.columns.size() == 1 || row.cells[c].number)
                        record({table.id, kind, group.title.english(), number, name,
                                c < table.columns.size() ? table.columns[c].title.english() : ""},
                               row.cells[c]);
                for (const Text& note : row.notes)
                    record({table.id, "note", group.title.english(), number, name, ""},
                           words(note));
            }
    }

    std::string section_;
    std::size_t facts_ = 0;
    std::string out_;
};

}  // namespace

const std::vector<CsvColumn>& csvColumns() {
    static const std::vector<CsvColumn> kColumns{
        {"section", "string", "Id of the section, as in links of the HTML report."},
        {"table", "string", "Id of the table; empty for facts, which stand in none."},
        {"kind", "string",
         "cell, total (a cell of a row that sums those above), note (a sentence below a row) or "
         "fact (a name and its value)."},
        {"group", "string", "Heading of the rows within the table; empty without one."},
        {"row", "integer", "Row of the table, or fact of the section, from 1."},
        {"name", "string", "What the row is of: a candidate, an operator, a figure."},
        {"column", "string", "Title of the column; empty for notes and facts."},
        {"value", "number", "The number in `unit`, unrounded; empty for words."},
        {"unit", "string", "Unit of `value`; empty for plain counts and shares."},
        {"text", "string", "What the report shows, rounded, which may be in another unit."}};
    return kColumns;
}

std::string csv(const Document& document) {
    return Writer().document(document);
}

}  // namespace trainwright::reports
