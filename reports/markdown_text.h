// SPDX-License-Identifier: GPL-3.0-or-later
// Words as Markdown takes them, so that nothing of a name is read as markup.
#pragma once

#include <string>

namespace trainwright::reports::markup {

/// Nothing of `text` is taken for markup, or ends a cell or a line.
[[nodiscard]] std::string escaped(const std::string& text);

/// `text` in a code span, which may hold anything but a line end; "|" ends a cell even there.
[[nodiscard]] std::string code(const std::string& text);

}  // namespace trainwright::reports::markup
