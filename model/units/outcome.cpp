// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/outcome.h"

#include <algorithm>

namespace trainwright {

std::string Text::render(const std::string& translatedPattern) const {
    std::string out;
    out.reserve(translatedPattern.size() + 16);
    for (std::size_t i = 0; i < translatedPattern.size(); ++i) {
        if (translatedPattern[i] == '{') {
            std::size_t close = translatedPattern.find('}', i);
            if (close != std::string::npos && close > i + 1 && close - i <= 3) {
                std::string digits = translatedPattern.substr(i + 1, close - i - 1);
                if (std::all_of(digits.begin(), digits.end(),
                                [](char c) { return c >= '0' && c <= '9'; })) {
                    std::size_t index = static_cast<std::size_t>(std::stoi(digits));
                    if (index >= 1 && index <= arguments.size()) {
                        out += arguments[index - 1];
                        i = close;
                        continue;
                    }
                }
            }
        }
        out += translatedPattern[i];
    }
    return out;
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
