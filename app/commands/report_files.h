// SPDX-License-Identifier: GPL-3.0-or-later
// The files that --report asks for: which format each is in, and whether it can be written.
#pragma once

#include <string>
#include <vector>

#include "model/units/outcome.h"
#include "reports/report.h"

namespace trainwright::app {

enum class ReportFormat { Html, Json, PlainText, Markdown };

/// One file to write: which scenario it is of, where, and as what.
struct ReportJob {
    std::size_t scenario = 0;
    std::string file;
    ReportFormat format = ReportFormat::Html;
};

/// Every report to write, or everything that keeps one from being written, before anything is
/// computed. Only where `allowsMarkdown` is .md among the suffixes.
[[nodiscard]] Outcome<std::vector<ReportJob>> planReports(const std::vector<std::string>& reports,
                                                          const std::vector<std::string>& scenarios,
                                                          bool allowsMarkdown = false);

/// As a shell would need it, so that the command can be pasted.
[[nodiscard]] std::string quoted(const std::string& argument);

/// Draws charts; empty where charts can't be had, which is said of `file`.
[[nodiscard]] reports::SvgDrawer chartDrawer(const std::string& file);

}  // namespace trainwright::app
