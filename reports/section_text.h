// SPDX-License-Identifier: GPL-3.0-or-later
// Sections of a document as plain text for a terminal.
#pragma once

#include <string>

#include "reports/document.h"
#include "reports/report.h"

namespace trainwright::reports {

/// Title, answer, blocks and inner sections; charts are left out, since their tables stand beside
/// them.
[[nodiscard]] std::string sectionText(const Section& section, const TerminalStyle& style);

[[nodiscard]] std::string tableText(const Table& table, const TerminalStyle& style);

}  // namespace trainwright::reports
