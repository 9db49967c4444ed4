// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/outcome.h"

#include <algorithm>

namespace trainwright {

namespace {

/// Writes `pattern`, and `write` of the argument where a placeholder stands.
template <typename Write>
std::string filled(const std::string& pattern, const std::vector<Argument>& arguments,
                   const Write& write) {
    std::string out;
    out.reserve(pattern.size() + 16);
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] == '{') {
            const std::size_t close = pattern.find('}', i);
            if (close != std::string::npos && close > i + 1 && close - i <= 3) {
                const std::string digits = pattern.substr(i + 1, close - i - 1);
                if (std::all_of(digits.begin(), digits.end(),
                                [](char c) { return c >= '0' && c <= '9'; })) {
                    const auto index = static_cast<std::size_t>(std::stoi(digits));
                    if (index >= 1 && index <= arguments.size()) {
                        out += write(arguments[index - 1]);
                        i = close;
                        continue;
                    }
                }
            }
        }
        out += pattern[i];
    }
    return out;
}

}  // namespace

std::string Text::english() const {
    return filled(pattern, arguments, [](const Argument& a) { return a.english(); });
}

std::string Text::in(const Translator& language) const {
    return filled(language.pattern(pattern), arguments,
                  [&](const Argument& a) { return a.in(language); });
}

bool operator==(const Text& a, const Text& b) {
    return a.pattern == b.pattern && a.arguments == b.arguments;
}

std::string Argument::english() const {
    const Text* sentence = text();
    return sentence ? sentence->english() : std::get<std::string>(value_);
}

std::string Argument::in(const Translator& language) const {
    const Text* sentence = text();
    return sentence ? sentence->in(language) : language.plain(std::get<std::string>(value_));
}

std::string Finding::english() const {
    std::string out;
    if (!place.file.empty()) {
        out += place.file + ":";
        if (place.line > 0) {
            out += std::to_string(place.line) + ":";
            if (place.column > 0) out += std::to_string(place.column) + ":";
        }
        out += " ";
    }
    if (severity == Severity::Warning) out += "warning: ";
    if (severity == Severity::Note) out += "note: ";
    return out + text.english();
}

bool hasErrors(const std::vector<Finding>& findings) {
    return std::any_of(findings.begin(), findings.end(),
                       [](const Finding& f) { return f.severity == Severity::Error; });
}

}  // namespace trainwright
