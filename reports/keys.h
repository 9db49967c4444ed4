// SPDX-License-Identifier: GPL-3.0-or-later
// Keys: what a datum of a chart and a row of a table are of, so that pointing at one finds the
// other.
//
// A key is a kind, a name and sometimes a detail, in one text; it is not shown to anybody.
#pragma once

#include <string>

#include "model/layout/layout.h"

namespace trainwright::reports {

struct Key {
    std::string kind;  ///< "candidate", "layout", "size", "stage", "operator", "input", "link", …
    std::string name;  ///< of a candidate where the kind is "candidate", "layout" or "size"
    std::string detail;  ///< the layout's short form, the number of chips
    friend bool operator==(const Key&, const Key&) = default;
};
[[nodiscard]] std::string text(const Key& key);
[[nodiscard]] Key keyOf(const std::string& text);
/// The candidate that a key speaks of, or "".
[[nodiscard]] std::string candidateOf(const std::string& key);

[[nodiscard]] std::string candidateKey(const std::string& candidate);
[[nodiscard]] std::string layoutKey(const std::string& candidate, const layout::Layout& layout);
[[nodiscard]] std::string sizeKey(const std::string& candidate, long chips);
[[nodiscard]] std::string stageKey(int stage);

}  // namespace trainwright::reports
