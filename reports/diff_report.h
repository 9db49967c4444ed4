// SPDX-License-Identifier: GPL-3.0-or-later
// Two plans side by side: as text for a terminal, as JSON, as a comment under a pull request, and
// as a document.
//
// Every form says the same: a verdict, what each candidate came to before and after, how much of
// each move each change explains, what changed. Shares are rounded so that those shown add up to
// the move shown. The same comparison and context give the same bytes.
#pragma once

#include <string>

#include "model/search/comparison.h"
#include "reports/document.h"
#include "reports/report.h"

namespace trainwright::reports {

/// What such a report says of where it comes from.
struct DiffContext {
    std::string programVersion;
    std::string catalogVersion, catalogHash;  ///< of the catalog that reasons were worked out with
    std::string command;                      ///< that makes this report again
};

[[nodiscard]] std::string diffTerminal(const search::Comparison& comparison,
                                       const TerminalStyle& style, const DiffContext& context);
/// Schema "trainwright/diff/1"; ends with a newline.
[[nodiscard]] std::string diffJson(const search::Comparison& comparison,
                                   const DiffContext& context);
/// GitHub-flavoured Markdown, short enough for a comment: the rest is folded.
[[nodiscard]] std::string diffMarkdown(const search::Comparison& comparison,
                                       const DiffContext& context,
                                       Language language = Language::English);
[[nodiscard]] Document diffDocument(const search::Comparison& comparison,
                                    const DiffContext& context);

}  // namespace trainwright::reports
