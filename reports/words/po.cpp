// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/words/po.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace trainwright::words {
namespace {

/// The text of a C string, or nothing if it isn't one.
std::optional<std::string> unquoted(std::string_view text) {
    if (text.size() < 2 || text.front() != '"' || text.back() != '"') return std::nullopt;
    std::string out;
    for (std::size_t i = 1; i + 1 < text.size(); ++i) {
        if (text[i] == '"') return std::nullopt;
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i + 1 >= text.size()) return std::nullopt;
        switch (text[i]) {
            case 'n':
                out += '\n';
                break;
            case 't':
                out += '\t';
                break;
            case '"':
            case '\\':
                out += text[i];
                break;
            default:
                return std::nullopt;
        }
    }
    return out;
}

class Reader {
public:
    explicit Reader(const std::string& file) : file_(file) {}

    Outcome<std::vector<PoEntry>> read(std::string_view text) {
        for (std::size_t from = 0; from < text.size();) {
            const std::size_t end = std::min(text.find('\n', from), text.size());
            ++line_;
            readLine(text.substr(from, end - from));
            from = end + 1;
        }
        finish();
        if (!findings_.empty()) return std::move(findings_);
        return std::move(entries_);
    }

private:
    void fault(Text what) { findings_.push_back({Severity::Error, std::move(what), at(line_)}); }
    [[nodiscard]] Place at(int line) const { return {file_, line, 0, {}}; }

    void readLine(std::string_view line) {
        if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
        if (line.empty()) return finish();
        if (line.front() == '#') {
            if (line.starts_with("#~")) return;
            if (isComplete()) finish();
            if (line.starts_with("#,") && line.find("fuzzy") != std::string_view::npos)
                entry_.isFuzzy = true;
            return;
        }
        if (line.front() == '"') return add(line);
        const std::size_t space = line.find(' ');
        const std::string_view keyword = line.substr(0, space);
        const std::string_view rest =
            space == std::string_view::npos ? std::string_view() : line.substr(space + 1);
        if (keyword == "msgctxt") {
            if (isComplete()) finish();
            current_ = &entry_.context;
        } else if (keyword == "msgid") {
            if (isComplete()) finish();
            current_ = &entry_.id;
            entry_.line = line_;
        } else if (keyword == "msgid_plural") {
            current_ = &entry_.idPlural;
        } else if (keyword == "msgstr" || keyword.starts_with("msgstr[")) {
            entry_.strings.emplace_back();
            current_ = &entry_.strings.back();
        } else {
            return fault({"`{1}` is not a keyword of a .po file.", {keyword}});
        }
        add(rest);
    }

    void add(std::string_view literal) {
        const std::optional<std::string> text = unquoted(literal);
        if (!text || current_ == nullptr)
            return fault({"A text in quotation marks is expected after a keyword.", {}});
        *current_ += *text;
    }

    [[nodiscard]] bool isComplete() const { return !entry_.strings.empty(); }

    void finish() {
        if (isComplete() && !(entry_.id.empty() && entry_.context.empty())) {
            if (!ids_.insert({entry_.context, entry_.id}).second)
                findings_.push_back(
                    {Severity::Error, {"\"{1}\" stands twice.", {entry_.id}}, at(entry_.line)});
            if (entry_.strings.size() != (entry_.idPlural.empty() ? 1U : 2U))
                findings_.push_back({Severity::Error,
                                     {"\"{1}\" has {2} strings.",
                                      {entry_.id, std::to_string(entry_.strings.size())}},
                                     at(entry_.line)});
            entries_.push_back(std::move(entry_));
        }
        entry_ = {};
        current_ = nullptr;
    }

    const std::string& file_;
    int line_ = 0;
    PoEntry entry_;
    std::string* current_ = nullptr;
    std::vector<PoEntry> entries_;
    std::vector<Finding> findings_;
    std::set<std::pair<std::string, std::string>> ids_;
};

}  // namespace

Outcome<std::vector<PoEntry>> readPo(std::string_view text, const std::string& file) {
    return Reader(file).read(text);
}

}  // namespace trainwright::words
