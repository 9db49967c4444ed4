// SPDX-License-Identifier: GPL-3.0-or-later
// The tables that have a row a candidate: the report of a plan and the views of the desktop show
// the same.
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "reports/document.h"
#include "reports/document_parts.h"

namespace trainwright::reports {

/// A cell of a number that may not be known: `raw` of the value in `unit`, displayed as `format`
/// says, with a link where it is known.
template <typename T, typename V, typename F>
Cell optionalNumber(const std::optional<T>& value, V raw, const char* unit, F format,
                    std::string link = {}) {
    if (!value) return notKnownCell();
    Cell cell = number(raw(*value), unit, format(*value));
    if (cell.number) cell.link = std::move(link);
    return cell;
}

[[nodiscard]] Table rankingTable(const Plan& plan);
/// GiB of one rank on the fullest stage, by kind.
[[nodiscard]] Table memoryTable(const Plan& plan);
[[nodiscard]] Table costTable(const Plan& plan);

}  // namespace trainwright::reports
