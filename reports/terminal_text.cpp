// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/terminal_text.h"

#include <algorithm>
#include <numeric>

#include "model/units/joined.h"
#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

constexpr std::size_t kGap = 2;

std::size_t widthOf(const TerminalStyle& style) {
    return static_cast<std::size_t>(std::max(style.width, 20));
}

/// The longest head of `text` that takes at most `room` columns.
std::string head(const std::string& text, std::size_t room) {
    std::string out;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t next = i + 1;
        while (next < text.size() && (static_cast<unsigned char>(text[next]) & 0xC0u) == 0x80u)
            ++next;
        if (columns(out + text.substr(i, next - i)) > room) break;
        out += text.substr(i, next - i);
        i = next;
    }
    return out;
}

std::string cut(const std::string& text, std::size_t room, const TerminalStyle& style) {
    if (columns(text) <= room) return text;
    const std::string dots = style.utf8 ? "…" : "~";
    return room == 0 ? "" : head(text, room - 1) + dots;
}

/// The longest tail of `text` that takes at most `room` columns.
std::string tail(const std::string& text, std::size_t room) {
    std::size_t from = 0;
    while (from < text.size() && columns(text.substr(from)) > room) {
        ++from;
        while (from < text.size() && (static_cast<unsigned char>(text[from]) & 0xC0u) == 0x80u)
            ++from;
    }
    return text.substr(from);
}

std::string cutInside(const std::string& text, std::size_t room, const TerminalStyle& style) {
    if (columns(text) <= room) return text;
    if (room < 3) return cut(text, room, style);
    const std::size_t front = (room - 1) / 2;
    return head(text, front) + (style.utf8 ? "…" : "~") + tail(text, room - 1 - front);
}

std::string padded(const std::string& text, std::size_t room, bool right) {
    std::size_t taken = columns(text);
    std::string space(room > taken ? room - taken : 0, ' ');
    return right ? space + text : text + space;
}

void trimRight(std::string& line) {
    line.erase(line.find_last_not_of(' ') + 1);
}

}  // namespace

std::string shown(const std::string& text, const TerminalStyle& style) {
    std::string clean = withoutControls(text);
    return style.utf8 ? clean : asciiOnly(clean);
}

std::string inked(const std::string& text, Ink ink, const TerminalStyle& style) {
    if (!style.colour || text.empty()) return text;
    switch (ink) {
        case Ink::Plain:
            return text;
        case Ink::Bold:
            return "\x1b[1m" + text + "\x1b[0m";
        case Ink::Dim:
            return "\x1b[2m" + text + "\x1b[0m";
        case Ink::Good:
            return "\x1b[1;32m" + text + "\x1b[0m";
        case Ink::Bad:
            return "\x1b[31m" + text + "\x1b[0m";
    }
    return text;
}

std::string wrapped(const std::string& sentence, const TerminalStyle& style, std::size_t indent,
                    std::size_t hang) {
    const std::string clean = shown(sentence, style);
    const std::size_t width = widthOf(style);
    std::string out;
    std::string line(indent, ' ');
    bool empty = true;
    auto flush = [&] {
        trimRight(line);
        out += line + "\n";
        line.assign(std::min(indent + hang, width / 2), ' ');
        empty = true;
    };
    for (std::size_t i = 0; i < clean.size();) {
        std::size_t end = std::min(clean.find(' ', i), clean.size());
        std::string word = clean.substr(i, end - i);
        i = end + 1;
        if (word.empty()) continue;
        if (!empty && columns(line) + 1 + columns(word) > width) flush();
        while (columns(line) + columns(word) > width) {
            // A word longer than a line: a path, or text without spaces.
            std::string part = head(word, width - columns(line));
            if (part.empty()) break;
            line += part;
            word.erase(0, part.size());
            flush();
        }
        if (!empty) line += ' ';
        line += word;
        empty = false;
    }
    if (!empty) flush();
    return out;
}

std::string wrapped(const Text& sentence, const TerminalStyle& style, std::size_t indent,
                    std::size_t hang) {
    return wrapped(say(sentence, style.language), style, indent, hang);
}

TextTable::TextTable(std::vector<TextColumn> columns, std::size_t indent)
    : columns_(std::move(columns)), indent_(indent) {}

void TextTable::add(std::vector<Argument> cells, Ink ink) {
    cells.resize(columns_.size(), "");
    Row row;
    row.cells = std::move(cells);
    row.ink = ink;
    rows_.push_back(std::move(row));
}

void TextTable::note(Argument sentence, std::size_t indent) {
    Row row;
    row.note = std::move(sentence);
    row.indent = indent;
    rows_.push_back(std::move(row));
}

void TextTable::title(Argument sentence) {
    Row row;
    row.note = std::move(sentence);
    row.indent = indent_;
    row.isTitle = true;
    rows_.push_back(std::move(row));
}

void TextTable::rule() {
    Row row;
    row.isRule = true;
    rows_.push_back(std::move(row));
}

std::string TextTable::render(const TerminalStyle& style) const {
    const std::size_t available = widthOf(style);
    std::vector<std::vector<std::string>> cells;
    std::vector<std::size_t> widths;
    std::vector<std::string> titles;
    for (const TextColumn& column : columns_) {
        titles.push_back(shown(say(column.title.text, style.language), style));
        widths.push_back(columns(titles.back()));
    }
    for (const Row& row : rows_) {
        std::vector<std::string> clean;
        for (std::size_t c = 0; c < row.cells.size(); ++c) {
            clean.push_back(shown(say(row.cells[c], style.language), style));
            widths[c] = std::max(widths[c], columns(clean.back()));
        }
        cells.push_back(std::move(clean));
    }

    std::vector<bool> kept(columns_.size(), true);
    auto total = [&] {
        std::size_t sum = indent_;
        bool first = true;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (!kept[c]) continue;
            sum += widths[c] + (first ? 0 : kGap);
            first = false;
        }
        return sum;
    };
    int orders = 0;
    for (const TextColumn& column : columns_) orders = std::max(orders, column.dropOrder);
    auto shorten = [&](bool belowSmallest) {
        while (total() > available) {
            std::size_t widest = columns_.size();
            for (std::size_t c = 0; c < columns_.size(); ++c) {
                if (columns_[c].right || !kept[c]) continue;
                std::size_t floor = belowSmallest ? 1 : columns_[c].smallest;
                if (widths[c] > floor && (widest == columns_.size() || widths[c] > widths[widest]))
                    widest = c;
            }
            if (widest == columns_.size()) return;
            --widths[widest];
        }
    };
    // With each column that goes the words get their full width back, and are cut only as far as
    // needed.
    const std::vector<std::size_t> natural = widths;
    shorten(false);
    for (int order = 1; order <= orders && total() > available; ++order) {
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (columns_[c].dropOrder == order) kept[c] = false;
        widths = natural;
        shorten(false);
    }
    shorten(true);

    auto lineOf = [&](const std::vector<std::string>& texts) {
        std::string line(indent_, ' ');
        bool first = true;
        for (std::size_t c = 0; c < columns_.size(); ++c) {
            if (!kept[c]) continue;
            if (!first) line += std::string(kGap, ' ');
            first = false;
            const std::string fitting = columns_[c].keepsEnds
                                            ? cutInside(texts[c], widths[c], style)
                                            : cut(texts[c], widths[c], style);
            line += padded(fitting, widths[c], columns_[c].right);
        }
        trimRight(line);
        return cut(line, available, style);
    };

    std::string out = inked(lineOf(titles), Ink::Dim, style) + "\n";
    for (std::size_t r = 0; r < rows_.size(); ++r) {
        if (rows_[r].isRule) {
            std::string line(indent_, ' ');
            for (std::size_t i = indent_; i < std::min(total(), available); ++i)
                line += style.utf8 ? "─" : "-";
            out += line + "\n";
        } else if (!rows_[r].cells.empty()) {
            out += inked(lineOf(cells[r]), rows_[r].ink, style) + "\n";
        } else if (rows_[r].isTitle) {
            if (r > 0) out += "\n";
            out += inked(wrapped(say(rows_[r].note, style.language), style, rows_[r].indent),
                         Ink::Bold, style);
        } else {
            out += wrapped(say(rows_[r].note, style.language), style,
                           std::min(rows_[r].indent, available / 4));
        }
    }
    if (namesLeftOut_) {
        std::vector<Text> names;
        for (std::size_t c = 0; c < columns_.size(); ++c)
            if (!kept[c]) names.push_back(columns_[c].title.text);
        if (!names.empty())
            out += inked(
                wrapped(Text{"Left out for want of room: {1}.", {joined(names)}}, style, indent_),
                Ink::Dim, style);
    }
    return out;
}

void FactLines::add(Text label, Argument value) {
    lines_.emplace_back(std::move(label), std::move(value));
}

std::string FactLines::render(const TerminalStyle& style) const {
    std::vector<std::string> labels;
    std::size_t longest = 0;
    for (const auto& [label, value] : lines_) {
        labels.push_back(shown(say(label, style.language), style));
        longest = std::max(longest, columns(labels.back()));
    }
    std::string out;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        // The label's spaces are part of the first line; wrapping would fold them.
        const std::string body =
            wrapped(say(lines_[i].second, style.language), style, 2 + longest + 2);
        if (body.empty()) continue;
        out += "  " + padded(labels[i], longest + 2, false) +
               body.substr(std::min(body.size(), 2 + longest + 2));
    }
    return out;
}

std::string heading(const Text& title, const TerminalStyle& style) {
    return "\n" + inked(wrapped(title, style), Ink::Bold, style);
}

}  // namespace trainwright::reports
