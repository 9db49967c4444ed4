// SPDX-License-Identifier: GPL-3.0-or-later
// The doors of the reports room: a plan's request and result in, a text out.
//
// Every function is pure: the same request, result and context give the same bytes, on any machine,
// in any locale. Nothing here reads a clock, a file or the environment; what a report says of files
// and versions is passed in. A value that the result lacks is printed as "not known" (null in
// JSON), never as zero. Only charts need Qt, and they are drawn by a function that the caller hands
// in.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "model/search/explanation.h"
#include "model/search/model_study.h"
#include "model/search/plan.h"
#include "reports/language.h"

namespace trainwright::reports {

/// What a report says of where it comes from. An empty string is left out of the report.
struct ReportContext {
    std::string scenarioFile;  ///< as the user typed it
    std::string scenarioJson;  ///< the "scenario" object of plan JSON, as scenario::toJson gives it
    std::string scenarioText;  ///< the scenario as written, so that a kept result can be made again
    std::string programVersion;  ///< "0.1.0"
    std::string catalogVersion;  ///< date of the catalog's newest row
    std::string catalogHash;     ///< of the rows that the catalog was made from
    std::string command;         ///< that makes this report again
    std::string scenarioHash;    ///< of the scenario file's bytes
    /// Whether JSON tells the wall time and the threads of each search. Not for a file that is
    /// kept: the same inputs give the same bytes.
    bool withMeasurements = false;
};

/// What the terminal can show.
struct TerminalStyle {
    int width = 100;      ///< columns; below 60 lines wrap where they must
    bool utf8 = true;     ///< false: ASCII only
    bool colour = false;  ///< ANSI colours; nothing is said by colour alone
    Language language = Language::English;
};

/// The ranked table with its reasons, the bottleneck of each candidate and the dates of its prices.
[[nodiscard]] std::string planTerminal(const search::PlanRequest& request,
                                       const search::PlanResult& result, const TerminalStyle& style,
                                       const ReportContext& context);

/// What the plan's money goes for and when it is paid, what a unit of work costs, at which price
/// two candidates would be equal, and what owning the machines would come to: tables.
[[nodiscard]] std::string moneyTerminal(const search::PlanRequest& request,
                                        const search::PlanResult& result,
                                        const TerminalStyle& style);

/// What is shown of one candidate: the overview, and the tables behind each picture that is there.
struct ExplainedViews {
    bool overview = true;  ///< layout, parts, operators, collectives, alternatives, run and money
    bool memory = false;
    std::optional<search::ModelStudy> model;
    std::optional<search::Ceilings> roofline;
    std::optional<search::PipelineStudy> schedule;
    std::optional<search::NetworkStudy> network;
};

/// One candidate, as far as `views` go.
[[nodiscard]] std::string explainTerminal(const search::PlanRequest& request,
                                          const search::CandidateResult& candidate,
                                          const ExplainedViews& views, const TerminalStyle& style,
                                          const ReportContext& context);

/// Schema "trainwright/plan/1"; ends with a newline. With the scenario's text, the figures used and
/// the factors of the calibration, so that `trainwright diff` can make a kept result again.
[[nodiscard]] std::string planJson(const search::PlanRequest& request,
                                   const search::PlanResult& result, const ReportContext& context);

/// Schema "trainwright/explain/1": one candidate of plan JSON; with the overview its operators,
/// collectives and stages, and an object for each other view.
[[nodiscard]] std::string explainJson(const search::PlanRequest& request,
                                      const search::CandidateResult& candidate,
                                      const ExplainedViews& views, const ReportContext& context);

/// The whole report as a tree, from which each file format is written (document.h).
[[nodiscard]] Document planDocument(const search::PlanRequest& request,
                                    const search::PlanResult& result, const ReportContext& context);

/// One candidate as a document, as far as `views` go.
[[nodiscard]] Document explainDocument(const search::PlanRequest& request,
                                       const search::CandidateResult& candidate,
                                       const ExplainedViews& views, const ReportContext& context);

/// Draws a chart `width` CSS pixels wide as an inline <svg> element (charts/draw.h has the one that
/// uses QtCharts).
using SvgDrawer = std::function<std::string(const ChartSpec& chart, int width)>;

/// A self-contained HTML file. Without a drawer the charts are left to their tables.
[[nodiscard]] std::string html(const Document& document, const SvgDrawer& drawer = {});

/// html(planDocument(…), drawer).
[[nodiscard]] std::string planHtml(const search::PlanRequest& request,
                                   const search::PlanResult& result, const ReportContext& context,
                                   const SvgDrawer& drawer = {});

}  // namespace trainwright::reports
