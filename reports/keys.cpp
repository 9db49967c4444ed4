// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/keys.h"

#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

constexpr char kBetween = '\n';  // the details hold none, so that names may

}  // namespace

std::string text(const Key& key) {
    return key.kind + kBetween + key.detail + kBetween + key.name;
}

Key keyOf(const std::string& text) {
    const std::size_t first = text.find(kBetween);
    if (first == std::string::npos) return {text, {}, {}};
    const std::size_t second = text.find(kBetween, first + 1);
    if (second == std::string::npos) return {text.substr(0, first), {}, text.substr(first + 1)};
    return {text.substr(0, first), text.substr(second + 1),
            text.substr(first + 1, second - first - 1)};
}

std::string candidateOf(const std::string& key) {
    Key parts = keyOf(key);
    const bool isOfCandidate =
        parts.kind == "candidate" || parts.kind == "layout" || parts.kind == "size";
    return isOfCandidate ? std::move(parts.name) : std::string();
}

std::string candidateKey(const std::string& candidate) {
    return text({"candidate", candidate, {}});
}

std::string layoutKey(const std::string& candidate, const layout::Layout& layout) {
    return text({"layout", candidate, layoutForm(layout).english()});
}

std::string sizeKey(const std::string& candidate, long chips) {
    return text({"size", candidate, std::to_string(chips)});
}

std::string stageKey(int stage) {
    return text({"stage", {}, std::to_string(stage)});
}

}  // namespace trainwright::reports
