// SPDX-License-Identifier: GPL-3.0-or-later
// A document as GitHub-flavoured Markdown, for a comment or a page in a repository.
//
// Links within the document are left out: GitHub renames the targets of raw HTML. Second lines of a
// row stand below its table, where they have room.
#include <fmt/format.h>

#include <algorithm>

#include "reports/markdown_text.h"
#include "reports/utf8.h"
#include "reports/writers.h"

namespace trainwright::reports {
namespace {

using markup::escaped;

constexpr int kDeepestHeading = 6;

class Writer {
public:
    std::string document(const Document& document) {
        const std::string title =
            (document.title.empty() ? document.kind : document.title).english();
        out_ = fmt::format("# {}\n\n", escaped(title));
        for (const Paragraph& sentence : document.answer) block(sentence);
        for (const Section& section : document.sections) write(section, 2);
        out_ += fmt::format("{}\n", escaped(document.generator.english()));
        return std::move(out_);
    }

private:
    void write(const Section& section, int level) {
        const std::string title = escaped(section.title.english());
        if (section.folded)
            out_ += fmt::format("<details><summary>{}</summary>\n\n", title);
        else
            out_ +=
                fmt::format("{} {}\n\n", std::string(static_cast<std::size_t>(level), '#'), title);
        if (!section.answer.empty())
            out_ += fmt::format("{}\n\n", escaped(section.answer.english()));
        for (const Block& one : section.blocks)
            std::visit([this](const auto& b) { block(b); }, one);
        for (const Section& inner : section.sections)
            write(inner, std::min(level + 1, kDeepestHeading));
        if (section.folded) out_ += "</details>\n\n";
    }

    static std::string toned(const std::string& words, Tone tone) {
        if (words.empty()) return words;
        switch (tone) {
            case Tone::Strong:
            case Tone::Error:
                return "**" + words + "**";
            case Tone::NotKnown:
                return "*" + words + "*";
            default:
                return words;
        }
    }

    static std::string content(const Cell& cell, Tone rowTone = Tone::Plain) {
        std::string words = escaped(cell.display.english());
        const bool isAddress =
            cell.url.rfind("https://", 0) == 0 || cell.url.rfind("http://", 0) == 0;
        if (isAddress) {
            std::string url = withoutControls(cell.url);
            for (const auto& [from, to] :
                 {std::pair{' ', "%20"}, std::pair{'(', "%28"}, std::pair{')', "%29"},
                  std::pair{'|', "%7C"}, std::pair{'<', "%3C"}, std::pair{'>', "%3E"}})
                for (std::size_t at = 0; (at = url.find(from, at)) != std::string::npos;)
                    url.replace(at, 1, to);
            words = fmt::format("[{}]({})", words, url);
        }
        return toned(words, cell.tone == Tone::Plain ? rowTone : cell.tone);
    }

    void block(const Paragraph& p) { out_ += toned(escaped(p.text.english()), p.tone) + "\n\n"; }

    void block(const List& list) {
        int number = 0;
        for (const Paragraph& item : list.items)
            out_ += fmt::format("{} {}\n", list.ordered ? fmt::format("{}.", ++number) : "-",
                                escaped(item.text.english()));
        out_ += list.items.empty() ? "" : "\n";
    }

    void block(const Facts& facts) {
        for (const auto& [label, cell] : facts.items)
            out_ += fmt::format("- {}: {}\n", escaped(label.english()), content(cell));
        out_ += facts.items.empty() ? "" : "\n";
    }

    void block(const Preformatted& pre) {
        // A fence longer than any run of backticks within.
        std::size_t longest = 0, run = 0;
        for (char c : pre.text) longest = std::max(longest, run = c == '`' ? run + 1 : 0);
        const std::string fence(std::max<std::size_t>(3, longest + 1), '`');
        out_ += fmt::format("{0}\n{1}{2}{0}\n\n", fence, validUtf8(pre.text),
                            pre.text.empty() || pre.text.back() == '\n' ? "" : "\n");
    }

    void block(const Figure& figure) {
        out_ += fmt::format("**{}** {}\n\n", escaped(figure.chart.question.english()),
                            escaped(figure.chart.answer.english()));
        if (!figure.chart.description.empty())
            out_ += fmt::format("> {}\n\n", escaped(figure.chart.description.english()));
    }

    void block(const Table& table) {
        if (table.columns.empty()) return;
        if (!table.caption.empty())
            out_ += fmt::format("**{}**\n\n", escaped(table.caption.english()));
        std::string header = "|", rule = "|";
        for (const Column& column : table.columns) {
            header += fmt::format(" {} |", escaped(column.title.english()));
            rule += column.numeric ? "--:|" : "---|";
        }
        out_ += header + "\n" + rule + "\n";
        std::string notes;
        for (const RowGroup& group : table.groups) {
            if (!group.title.empty()) {
                out_ += fmt::format("| **{}** |", escaped(group.title.english()));
                for (std::size_t c = 1; c < table.columns.size(); ++c) out_ += "  |";
                out_ += "\n";
            }
            for (const Row& row : group.rows) write(row, keyColumn(table), notes);
        }
        out_ += "\n";
        if (!notes.empty()) out_ += notes + "\n";
        for (const Text& note : table.footnotes)
            out_ += fmt::format("{}\n\n", escaped(note.english()));
    }

    void write(const Row& row, std::size_t key, std::string& notes) {
        std::string line = "|";
        for (const Cell& cell : row.cells)
            line += fmt::format(" {} |", content(cell, row.isTotal ? Tone::Strong : row.tone));
        out_ += line + "\n";
        for (const Text& note : row.notes)
            notes += fmt::format("- {}: {}\n", escaped(row.cells.at(key).display.english()),
                                 escaped(note.english()));
    }

    std::string out_;
};

}  // namespace

std::string markdown(const Document& document) {
    return Writer().document(document);
}

}  // namespace trainwright::reports
