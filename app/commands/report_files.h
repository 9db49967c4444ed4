// SPDX-License-Identifier: GPL-3.0-or-later
// The files that --report asks for: which format each is in, and whether it can be written.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/units/outcome.h"
#include "reports/report.h"
#include "reports/writers.h"

namespace trainwright::app {

enum class ReportFormat { Html, Pdf, Xlsx, Csv, Json, Markdown, PlainText };

/// One file to write: which scenario it is of, where, and as what.
struct ReportJob {
    std::size_t scenario = 0;
    std::string file;
    ReportFormat format = ReportFormat::Html;
    reports::Language language = reports::Language::English;
};

/// Every report to write, or everything that keeps one from being written, before anything is
/// computed.
[[nodiscard]] Outcome<std::vector<ReportJob>> planReports(
    const std::vector<std::string>& reports, const std::vector<std::string>& scenarios,
    reports::Language language = reports::Language::English);

/// The name of the file of `scenario`: "{}" in `pattern` stands for the scenario's name.
[[nodiscard]] std::string fileFor(const std::string& pattern, const std::string& scenario);

/// What --paper names, from now on: "a4" or "letter".
void usePaper(const std::string& name);

/// What a command has to say, as far as a format asks for it.
struct ReportContent {
    std::function<std::string()> json;
    std::function<std::string(const reports::TerminalStyle&)> plainText;
    std::function<reports::Document()> document;  ///< for every other format
    std::function<std::string()> markdown;  ///< in place of the document's; empty: the document's
    std::function<reports::Assumptions()> assumptions;  ///< for a workbook; empty: none
};

/// The bytes of the file of `job`.
[[nodiscard]] Outcome<std::string> reportBytes(const ReportJob& job, const ReportContent& content);

/// Writes the file of `job`; what keeps it from being written.
[[nodiscard]] std::optional<Finding> writeReport(const ReportJob& job,
                                                 const ReportContent& content);

/// " --lang es": what a command needs to write in `language` again.
[[nodiscard]] std::string languageOption(reports::Language language);

/// As a shell would need it, so that the command can be pasted.
[[nodiscard]] std::string quoted(const std::string& argument);

}  // namespace trainwright::app
