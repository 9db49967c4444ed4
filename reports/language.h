// SPDX-License-Identifier: GPL-3.0-or-later
// The languages that a reader may choose, and a report in one of them.
//
// A Text is turned into words by its pattern's translation; Texts among its arguments are turned
// with it; plain arguments keep their words, and the numbers in them are written as the language
// writes them. A number is only what is a whole token: digits within names, versions, dates, paths
// and anything in backquotes stay. Files that programs read are never translated. What the table of
// words hasn't stays English. There is no current language: each caller says which.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reports/document.h"

namespace trainwright::reports {

enum class Language { English, Spanish };

[[nodiscard]] const char* code(Language language);  ///< "en", "es", as in HTML
[[nodiscard]] std::optional<Language> languageFromCode(std::string_view code);
/// Lives as long as the program.
[[nodiscard]] const Translator& translator(Language language);

[[nodiscard]] std::string say(const Text& text, Language language);
[[nodiscard]] std::string say(const Argument& argument, Language language);

/// The Text that a kept English sentence was made from, so that it can be said in any language: of
/// the patterns that it fits the one with the most words of its own, with what stands in their
/// places. The sentence itself, verbatim, where it fits none.
[[nodiscard]] Text recalled(const std::string& english);

/// The same tree in that language: every Text becomes one whose english() reads in it. Numbers,
/// ids, links and what is preformatted stay. To be done once, with what no one has translated.
[[nodiscard]] Text translated(const Text& text, Language language);
[[nodiscard]] Table translated(const Table& table, Language language);
[[nodiscard]] ChartSpec translated(const ChartSpec& chart, Language language);
[[nodiscard]] Section translated(const Section& section, Language language);
[[nodiscard]] Document translated(const Document& document, Language language);

/// The same by a translator of one's own; Document::language stays.
[[nodiscard]] Document translated(const Document& document, const Translator& translator);

}  // namespace trainwright::reports
