// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/csv_rows.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainwright::catalog {
namespace {

Finding errorAt(const std::string& file, int line, std::string pattern,
                std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, line, 0, {}}};
}

/// Cuts text into rows; `next` returns false at the end.
class Cutter {
public:
    explicit Cutter(std::string_view text) : text_(text) {
        constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
        if (text_.substr(0, kByteOrderMark.size()) == kByteOrderMark) {
            at_ = kByteOrderMark.size();
        }
    }

    bool next(CsvRow& row, bool& sound) {
        row.fields.clear();
        row.line = line_;
        sound = true;
        if (at_ >= text_.size()) {
            return false;
        }
        while (true) {
            row.fields.push_back(field(sound));
            if (at_ < text_.size() && text_[at_] == ',') {
                ++at_;
                continue;
            }
            endOfRow(sound);
            return true;
        }
    }

private:
    std::string field(bool& sound) {
        return at_ < text_.size() && text_[at_] == '"' ? quotedField(sound) : plainField(sound);
    }

    std::string quotedField(bool& sound) {
        std::string out;
        ++at_;
        while (at_ < text_.size()) {
            const char c = text_[at_++];
            if (c == '"') {
                if (at_ < text_.size() && text_[at_] == '"') {
                    ++at_;
                } else {
                    return out;
                }
            } else if (c == '\n') {
                ++line_;
            }
            out += c;
        }
        sound = false;
        return out;
    }

    std::string plainField(bool& sound) {
        const std::size_t start = at_;
        while (at_ < text_.size() && text_[at_] != ',' && text_[at_] != '\n' &&
               text_[at_] != '\r') {
            sound = sound && text_[at_] != '"';
            ++at_;
        }
        return std::string(text_.substr(start, at_ - start));
    }

    void endOfRow(bool& sound) {
        const std::size_t lineEnd = std::min(text_.find('\n', at_), text_.size());
        const std::string_view rest = text_.substr(at_, lineEnd - at_);
        sound = sound && (rest.empty() || rest == "\r");
        at_ = lineEnd < text_.size() ? lineEnd + 1 : lineEnd;
        ++line_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    int line_ = 1;
};

}  // namespace

Outcome<CsvTable> readCsv(std::string_view text, const std::string& file) {
    CsvTable table;
    table.file = file;
    std::vector<Finding> findings;
    Cutter cutter(text);
    CsvRow row;
    bool sound = true;
    bool first = true;
    while (cutter.next(row, sound)) {
        if (!sound) {
            findings.push_back(errorAt(
                file, row.line,
                "a quotation mark does not match: a field that holds quotation marks, commas or "
                "line breaks stands between quotation marks, and its own are doubled"));
        }
        if (first) {
            table.header = row.fields;
            first = false;
            continue;
        }
        if (row.fields.size() == 1 && row.fields.front().empty()) {
            continue;
        }
        if (row.fields.size() != table.header.size()) {
            findings.push_back(
                errorAt(file, row.line, "{1} fields; the header has {2}",
                        {std::to_string(row.fields.size()), std::to_string(table.header.size())}));
            continue;
        }
        table.rows.push_back(row);
    }
    if (first) {
        findings.push_back(errorAt(file, 1, "the file is empty; a header row is expected"));
    }
    if (!findings.empty()) {
        return findings;
    }
    return table;
}

Outcome<CsvTable> readCsv(std::string_view text, const std::string& file,
                          const std::vector<std::string>& header) {
    Outcome<CsvTable> table = readCsv(text, file);
    if (table && table->header != header) {
        return errorAt(file, 1, "the header is {1}; {2} is expected",
                       {fmt::format("{}", fmt::join(table->header, ",")),
                        fmt::format("{}", fmt::join(header, ","))});
    }
    return table;
}

}  // namespace trainwright::catalog
