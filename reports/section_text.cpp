// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/section_text.h"

#include <algorithm>

#include "reports/terminal_text.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kIndent = 2;
constexpr std::size_t kNoteIndent = 4;
constexpr std::size_t kSmallestName = 28;
constexpr std::size_t kSmallestWord = 9;

Ink inkOf(const Row& row) {
    if (row.isTotal || row.tone == Tone::Strong) return Ink::Bold;
    if (row.tone == Tone::Error) return Ink::Bad;
    return row.tone == Tone::Quiet ? Ink::Dim : Ink::Plain;
}

class Writer {
public:
    explicit Writer(const TerminalStyle& style) : style_(style) {}

    std::string section(const Section& section) {
        out_ += heading(section.title, style_);
        if (!section.answer.empty()) out_ += wrapped(section.answer, style_, kIndent);
        for (const Block& one : section.blocks)
            std::visit([this](const auto& b) { block(b); }, one);
        for (const Section& inner : section.sections) this->section(inner);
        return out_;
    }

private:
    void block(const Paragraph& p) { out_ += wrapped(p.text, style_, kIndent); }
    void block(const List& list) {
        for (const Paragraph& item : list.items)
            out_ += wrapped(text("• {1}", item.text), style_, kIndent, 2);
    }
    void block(const Facts& facts) {
        FactLines lines;
        for (const auto& [label, cell] : facts.items) lines.add(label, cell.display);
        out_ += lines.render(style_);
    }
    void block(const Preformatted& pre) {
        // Line by line: what the terminal can't show includes line ends.
        for (std::size_t from = 0; from < pre.text.size();) {
            const std::size_t end = std::min(pre.text.find('\n', from), pre.text.size());
            out_ += shown(pre.text.substr(from, end - from), style_) + "\n";
            from = end + 1;
        }
    }
    void block(const Figure&) {}
    void block(const Table& table) { out_ += "\n" + tableText(table, style_); }

    const TerminalStyle& style_;
    std::string out_;
};

}  // namespace

std::string sectionText(const Section& section, const TerminalStyle& style) {
    return Writer(style).section(section);
}

std::string tableText(const Table& table, const TerminalStyle& style) {
    std::vector<TextColumn> columns;
    bool isFirst = true;
    for (const Column& column : table.columns) {
        columns.push_back({column.title, column.numeric, column.dropOrder,
                           isFirst ? kSmallestName : kSmallestWord});
        isFirst = false;
    }
    TextTable text(std::move(columns), kIndent);
    text.nameLeftOut();
    for (const RowGroup& group : table.groups) {
        if (!group.title.empty()) text.title(group.title);
        for (const Row& row : group.rows) {
            if (row.isTotal) text.rule();
            std::vector<Argument> cells;
            for (const Cell& cell : row.cells) cells.push_back(cell.display);
            text.add(std::move(cells), inkOf(row));
            for (const Text& note : row.notes) text.note(note, kNoteIndent);
        }
    }
    std::string out;
    if (!table.caption.empty()) out += wrapped(table.caption, style, kIndent);
    out += text.render(style);
    for (const Text& note : table.footnotes) out += wrapped(note, style, kIndent);
    return out;
}

}  // namespace trainwright::reports
