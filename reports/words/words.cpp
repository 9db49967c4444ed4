// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/words/words.h"

#include <algorithm>
#include <string>

namespace trainwright::words {
namespace {

const Entry* findKey(std::string_view key) {
    const std::span<const Entry> all = spanish();
    const auto found = std::lower_bound(
        all.begin(), all.end(), key,
        [](const Entry& entry, std::string_view wanted) { return entry.key < wanted; });
    return found != all.end() && found->key == key ? &*found : nullptr;
}

}  // namespace

const Entry* findSpanish(std::string_view english, std::string_view context) {
    if (!context.empty()) {
        std::string key(context);
        key += '\4';
        key += english;
        if (const Entry* found = findKey(key)) return found;
    }
    return findKey(english);
}

}  // namespace trainwright::words
