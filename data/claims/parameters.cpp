// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/parameters.h"

#include <charconv>
#include <cmath>

namespace trainwright::claims {
namespace {

std::string_view trimmed(std::string_view text) {
    const std::size_t first = text.find_first_not_of(' ');
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

}  // namespace

std::vector<std::string> splitOutsideBraces(std::string_view text, char separator) {
    std::vector<std::string> parts;
    int depth = 0;
    std::size_t from = 0;
    for (std::size_t i = 0; i <= text.size(); ++i) {
        const bool atEnd = i == text.size();
        if (!atEnd && (text[i] == '{' || text[i] == '[')) ++depth;
        if (!atEnd && (text[i] == '}' || text[i] == ']')) --depth;
        if (!atEnd && (text[i] != separator || depth > 0)) continue;
        const std::string_view part = trimmed(text.substr(from, i - from));
        if (!part.empty()) parts.emplace_back(part);
        from = i + 1;
    }
    return parts;
}

std::optional<double> numberIn(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

Parameters::Parameters(std::string_view text) {
    for (const std::string& pair : splitOutsideBraces(text, ';')) {
        const std::size_t equals = pair.find('=');
        if (equals == std::string::npos) continue;
        const std::string_view all = pair;
        values_.emplace(trimmed(all.substr(0, equals)), trimmed(all.substr(equals + 1)));
    }
}

std::string Parameters::text(const std::string& key) const {
    return textOr(key, "");
}

std::string Parameters::textOr(const std::string& key, const std::string& otherwise) const {
    const auto found = values_.find(key);
    return found == values_.end() ? otherwise : found->second;
}

std::vector<std::string> Parameters::list(const std::string& key) const {
    return splitOutsideBraces(text(key), ',');
}

std::optional<double> Parameters::number(const std::string& key) const {
    return numberIn(text(key));
}

}  // namespace trainwright::claims
