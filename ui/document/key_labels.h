// SPDX-License-Identifier: GPL-3.0-or-later
// What a person calls the keys of a scenario: "Tokens", "Price in USD per hour".
//
// Each key of the registry has its words here, in the reader's language as the application's
// translators have it; a key that the registry doesn't know is shown as it is written. Labels name
// what a field holds and stand alone; the key itself belongs into a tooltip.
#pragma once

#include <QString>
#include <string>

namespace trainwright::ui {

/// `key` as the registry has it ("candidates[].system") or as a path ("candidates[1].system").
[[nodiscard]] QString keyLabel(const std::string& key);

/// The same within a sentence: "tokens", "KV heads".
[[nodiscard]] QString keyInSentence(const std::string& key);

}  // namespace trainwright::ui
