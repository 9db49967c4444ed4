// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/text_layout.h"

#include <algorithm>
#include <utility>

namespace trainwright::catalog {
std::string trimmedRight(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
}

std::size_t width(const std::string& text) {
    return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
    }));
}

std::string padded(const std::string& text, std::size_t columns, bool right) {
    const std::size_t w = width(text);
    const std::string space(w < columns ? columns - w : 0, ' ');
    return right ? space + text : text + space;
}

std::vector<std::string> wrapped(const std::string& text, std::size_t columns) {
    std::vector<std::string> lines;
    std::string line;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t space = std::min(text.find(' ', at), text.size());
        std::string word = text.substr(at, space - at);
        at = space + 1;
        while (width(word) > columns) {
            // A web address or a list without spaces is cut where the line ends.
            const std::size_t room = line.empty() ? columns : 0;
            if (room == 0) {
                lines.push_back(std::exchange(line, {}));
                continue;
            }
            std::size_t cut = room;
            while (cut > 1 && (static_cast<unsigned char>(word[cut]) & 0xC0U) == 0x80U) {
                --cut;
            }
            lines.push_back(word.substr(0, cut));
            word.erase(0, cut);
        }
        if (!line.empty() && width(line) + 1 + width(word) > columns) {
            lines.push_back(std::exchange(line, {}));
        }
        line += (line.empty() ? "" : " ") + word;
    }
    if (!line.empty()) {
        lines.push_back(line);
    }
    return lines;
}

std::string indented(const std::string& text, std::size_t indent) {
    std::string out;
    for (const std::string& line : wrapped(text, kColumns - indent)) {
        out += std::string(indent, ' ') + line + "\n";
    }
    return out;
}

std::string table(const std::vector<std::vector<std::string>>& rows,
                  const std::vector<bool>& rightAligned) {
    std::vector<std::size_t> widths(rightAligned.size(), 0);
    for (const auto& row : rows) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            widths[i] = std::max(widths[i], width(row[i]));
        }
    }
    std::string out;
    for (const auto& row : rows) {
        std::string line;
        for (std::size_t i = 0; i < row.size(); ++i) {
            line += (i == 0 ? "" : "  ") + padded(row[i], widths[i], rightAligned[i]);
        }
        out += trimmedRight(line) + "\n";
    }
    return out;
}

}  // namespace trainwright::catalog
