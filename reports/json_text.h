// SPDX-License-Identifier: GPL-3.0-or-later
// JSON values to text: keys in the order they were set, numbers in the fewest digits that read back
// the same, numbers that are not finite as null, text that is not UTF-8 with U+FFFD in place of
// what isn't.
#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace trainwright::reports {

using Json = nlohmann::ordered_json;

/// Indented by two spaces, without a newline at the end.
[[nodiscard]] std::string jsonText(const Json& value);

/// The same on one line, without spaces.
[[nodiscard]] std::string jsonLine(const Json& value);

/// "…" with everything escaped that JSON asks for; also fit for a <script> block ('<' is escaped).
[[nodiscard]] std::string jsonQuoted(const std::string& text);

}  // namespace trainwright::reports
