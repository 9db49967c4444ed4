// SPDX-License-Identifier: GPL-3.0-or-later
// Reads gettext's .po: what stands in it, entry by entry, in the order of the file.
//
// Entries may have a context (msgctxt), a plural (msgid_plural, msgstr[0], msgstr[1]), comments and
// flags. Entries that a "#~" makes obsolete are left out; the header (an empty msgid) is none of
// the entries. Nothing is said about what the words mean.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::words {

struct PoEntry {
    std::string context;
    std::string id;
    std::string idPlural;              ///< empty: one form for every number
    std::vector<std::string> strings;  ///< one, or one for each form of the language
    bool isFuzzy = false;
    int line = 0;  ///< of its msgid
};

/// The entries, or what is wrong and in which line; an id given twice is.
[[nodiscard]] Outcome<std::vector<PoEntry>> readPo(std::string_view text, const std::string& file);

}  // namespace trainwright::words
