// SPDX-License-Identifier: GPL-3.0-or-later
// Makes the text of QSvgGenerator fit for a page: a tenth of the size, nothing that draws nothing.
#pragma once

#include <string>

namespace trainwright::reports::charts {

/// `body` is what lies between <svg …> and </svg>: one group of groups without nesting, as
/// QSvgGenerator writes it. Groups that draw nothing go, so do attributes that say the default;
/// neighbours that share their attributes become one. Text of another shape is returned as it is.
[[nodiscard]] std::string compactSvg(const std::string& body);

}  // namespace trainwright::reports::charts
