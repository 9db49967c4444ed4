// SPDX-License-Identifier: GPL-3.0-or-later
// The little of Unicode that writers need: valid bytes, columns on a terminal, an ASCII stand-in.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace trainwright::reports {

/// `text` with U+FFFD in place of each byte that is not part of well-formed UTF-8.
[[nodiscard]] std::string validUtf8(std::string_view text);

/// Columns that well-formed `text` takes: one a code point, none for combining marks, two for East
/// Asian wide ones and emoji.
[[nodiscard]] std::size_t columns(std::string_view text);

/// What an ASCII terminal can show: – and — as -, × as x, superscripts as ^n, accents dropped, else
/// ?.
[[nodiscard]] std::string asciiOnly(std::string_view text);

/// Control characters (newlines and escape sequences too) as spaces, so that a name can't move a
/// cursor.
[[nodiscard]] std::string withoutControls(std::string_view text);

}  // namespace trainwright::reports
