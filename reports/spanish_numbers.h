// SPDX-License-Identifier: GPL-3.0-or-later
// Numbers as number_format writes them, written as Spanish does: "12,345.6" -> "12.345,6".
//
// Prose (of sources, of notes) stays as it is: what holds three words or more is not a number with
// its unit. The decimal mark is a comma; from five digits on, thousands are grouped with a point; a space
// that no line breaks at stands before "%". The few words that number_format puts beside a number
// (days, months, "or more", "not known") are translated too.
#pragma once

#include <string>
#include <string_view>

namespace trainwright::reports {

[[nodiscard]] std::string spanishNumbers(std::string_view plain);

}  // namespace trainwright::reports
