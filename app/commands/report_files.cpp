// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/report_files.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>

#include "app/charts_plugin/load_charts.h"
#include "app/commands/common.h"
#include "app/output_file.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;

struct ReportSuffix {
    const char* suffix;
    ReportFormat format;
};
constexpr ReportSuffix kReportSuffixes[] = {
    {".html", ReportFormat::Html},    {".pdf", ReportFormat::Pdf},
    {".xlsx", ReportFormat::Xlsx},    {".csv", ReportFormat::Csv},
    {".json", ReportFormat::Json},    {".md", ReportFormat::Markdown},
    {".txt", ReportFormat::PlainText}};

std::string supportedSuffixes() {
    std::string list;
    for (const ReportSuffix& known : kReportSuffixes)
        list += list.empty() ? known.suffix : std::string(", ") + known.suffix;
    return list;
}

std::optional<ReportFormat> formatOf(const std::string& file) {
    std::string suffix = fs::path(file).extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    for (const ReportSuffix& known : kReportSuffixes)
        if (suffix == known.suffix) return known.format;
    return std::nullopt;
}

reports::Paper& paper() {
    static reports::Paper chosen = reports::Paper::A4;
    return chosen;
}

constexpr const char* kNamePlaceholder = "{}";

Finding reportFinding(const std::string& file, std::string pattern,
                      std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, 0, 0, {}}};
}

/// Draws charts; empty where charts can't be had, which is said of `file`.
reports::SvgDrawer chartDrawer(const std::string& file) {
    ChartDrawer charts = loadCharts();
    if (!charts.drawer) {
        say(Finding{Severity::Warning,
                    Text{"The charts are left to their tables, since they can't be drawn here: "
                         "{1}.",
                         {charts.reason}},
                    Place{file, 0, 0, {}}});
    }
    return charts.drawer;
}

}  // namespace

std::string fileFor(const std::string& pattern, const std::string& scenario) {
    const std::size_t at = pattern.find(kNamePlaceholder);
    if (at == std::string::npos) {
        return pattern;
    }
    const std::string name = scenario == "-" ? "stdin" : fs::path(scenario).stem().string();
    return pattern.substr(0, at) + name + pattern.substr(at + 2);
}

Outcome<std::vector<ReportJob>> planReports(const std::vector<std::string>& reports,
                                            const std::vector<std::string>& scenarios,
                                            reports::Language language) {
    std::vector<ReportJob> jobs;
    std::vector<Finding> findings;
    std::set<fs::path> taken;
    for (const std::string& report : reports) {
        const auto format = formatOf(report);
        if (!format) {
            const std::string suffix = fs::path(report).extension().string();
            findings.push_back(
                suffix.empty()
                    ? reportFinding(
                          report,
                          "The suffix of a report says its format: {1}. This name has none.",
                          {supportedSuffixes()})
                    : reportFinding(report, "A report is written as {1}, not as {2}.",
                                    {supportedSuffixes(), suffix}));
            continue;
        }
        if (scenarios.size() > 1 && report.find(kNamePlaceholder) == std::string::npos) {
            findings.push_back(reportFinding(
                report,
                "{1} scenarios need a report each. In the name of a report, {2} stands for the "
                "scenario's name, as in {3}.",
                {std::to_string(scenarios.size()), kNamePlaceholder,
                 std::string(kNamePlaceholder) + fs::path(report).extension().string()}));
            continue;
        }
        for (std::size_t i = 0; i < scenarios.size(); ++i) {
            const std::string& scenario = scenarios[i];
            ReportJob job{i, fileFor(report, scenario), *format, language};
            std::error_code ignored;
            const fs::path key = fs::weakly_canonical(job.file, ignored);
            if (const auto problem = checkWritable(job.file)) {
                findings.push_back(*problem);
            } else if (fs::equivalent(job.file, scenario, ignored)) {
                findings.push_back(reportFinding(
                    job.file, "This is the scenario itself; the report needs another name."));
            } else if (!taken.insert(key).second && fs::is_regular_file(fs::status(key, ignored))) {
                findings.push_back(
                    reportFinding(job.file, "Two reports would be written to this file."));
            } else {
                jobs.push_back(std::move(job));
            }
        }
    }
    if (!findings.empty()) {
        return findings;
    }
    return jobs;
}

std::string quoted(const std::string& argument) {
    const bool plain =
        !argument.empty() && std::all_of(argument.begin(), argument.end(), [](char c) {
            return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                   std::string_view("-_./=:,+@%").find(c) != std::string_view::npos;
        });
    if (plain) {
        return argument;
    }
    std::string out = "'";
    for (const char c : argument) {
        out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return out + "'";
}

void usePaper(const std::string& name) {
    paper() = name == "letter" ? reports::Paper::Letter : reports::Paper::A4;
}

std::string languageOption(reports::Language language) {
    if (language == reports::Language::English) return {};
    return std::string(" --lang ") + reports::code(language);
}

Outcome<std::string> reportBytes(const ReportJob& job, const ReportContent& content) {
    const auto document = [&] { return reports::translated(content.document(), job.language); };
    switch (job.format) {
        case ReportFormat::Html:
            return reports::html(document(), chartDrawer(job.file));
        case ReportFormat::Pdf: {
            const ChartDrawer charts = loadCharts();
            if (!charts.pdf)
                return reportFinding(job.file, "A PDF can't be drawn here: {1}.", {charts.reason});
            return charts.pdf(document(), paper());
        }
        case ReportFormat::Xlsx:
            return reports::xlsx(document(), content.assumptions
                                                 ? std::optional(content.assumptions())
                                                 : std::nullopt);
        case ReportFormat::Csv:
            return reports::csv(content.document());
        case ReportFormat::Json:
            return content.json();
        case ReportFormat::Markdown:
            return content.markdown ? content.markdown() : reports::markdown(document());
        case ReportFormat::PlainText:
            break;
    }
    reports::TerminalStyle style;
    style.language = job.language;
    return content.plainText(style);
}

std::optional<Finding> writeReport(const ReportJob& job, const ReportContent& content) {
    const Outcome<std::string> bytes = reportBytes(job, content);
    if (!bytes) return bytes.findings().front();
    return writeFile(job.file, *bytes);
}

}  // namespace trainwright::app
