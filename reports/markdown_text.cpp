// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/markdown_text.h"

#include <algorithm>
#include <string_view>

#include "reports/utf8.h"

namespace trainwright::reports::markup {

std::string escaped(const std::string& text) {
    const std::string clean = withoutControls(text);
    const auto isWord = [&](std::size_t i) {
        return i < clean.size() &&
               std::string_view(" \t.,:;()[]").find(clean[i]) == std::string_view::npos;
    };
    std::string out;
    for (std::size_t i = 0; i < clean.size(); ++i) {
        // Within a word "_" stands for itself.
        const bool isPlain = clean[i] == '_' && i > 0 && isWord(i - 1) && isWord(i + 1);
        if (!isPlain && std::string_view("\\`*_[]<|~").find(clean[i]) != std::string_view::npos)
            out += '\\';
        out += clean[i];
    }
    return out;
}

std::string code(const std::string& text) {
    std::string clean = withoutControls(text);
    std::replace(clean.begin(), clean.end(), '`', '\'');
    std::string out;
    for (char c : clean) out += c == '|' ? std::string("\\|") : std::string(1, c);
    return "`" + out + "`";
}

}  // namespace trainwright::reports::markup
