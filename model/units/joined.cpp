// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/joined.h"

#include <string>
#include <utility>

namespace trainwright {
namespace {

constexpr std::size_t kMostPlaceholders = 99;

}  // namespace

Text joined(std::vector<Argument> parts, std::string_view separator) {
    Text out;
    for (Argument& part : parts) {
        if (out.arguments.size() == kMostPlaceholders) out = Text{"{1}", {std::move(out)}};
        if (!out.pattern.empty()) out.pattern += separator;
        out.pattern += "{" + std::to_string(out.arguments.size() + 1) + "}";
        out.arguments.push_back(std::move(part));
    }
    return out;
}

Text joined(const std::vector<Text>& parts, std::string_view separator) {
    return joined(std::vector<Argument>(parts.begin(), parts.end()), separator);
}

Text textOf(const Finding& finding) {
    Text out = finding.text;
    if (finding.severity == Severity::Warning) out = {"warning: {1}", {std::move(out)}};
    if (finding.severity == Severity::Note) out = {"note: {1}", {std::move(out)}};
    if (finding.place.file.empty()) return out;
    std::string place = finding.place.file + ":";
    if (finding.place.line > 0) {
        place += std::to_string(finding.place.line) + ":";
        if (finding.place.column > 0) place += std::to_string(finding.place.column) + ":";
    }
    return {"{1} {2}", {std::move(place), std::move(out)}};
}

}  // namespace trainwright
