// SPDX-License-Identifier: GPL-3.0-or-later
// What the program's English reads in Spanish: patterns of Texts and strings of the desktop.
//
// The table is made from es.po when the program is built, so that no file is needed beside it. An
// English text that has a context (which tells two meanings of one word apart) is looked up with
// it first, then without.
#pragma once

#include <span>
#include <string_view>

namespace trainwright::words {

struct Entry {
    const char* key;       ///< the English text; with a context: context, '\4', text
    const char* singular;  ///< the only form, where there is no plural
    const char* plural;    ///< null where there is no plural
};

/// Ordered by key.
[[nodiscard]] std::span<const Entry> spanish();

/// Null where the table hasn't `english`.
[[nodiscard]] const Entry* findSpanish(std::string_view english, std::string_view context = {});

}  // namespace trainwright::words
