// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/diff_report.h"

#include "app/terminal.h"

namespace trainwright::app {

ReportContent diffContent(const search::Comparison& comparison, const reports::DiffContext& context,
                          reports::Language language) {
    ReportContent content;
    content.json = [&] { return reports::diffJson(comparison, context); };
    content.plainText = [&](const reports::TerminalStyle& style) {
        return reports::diffTerminal(comparison, style, context);
    };
    content.document = [&] { return reports::diffDocument(comparison, context); };
    content.markdown = [&, language] {
        return reports::diffMarkdown(comparison, context, language);
    };
    return content;
}

Outcome<compare::Side> sideOf(const PreparedScenario& scenario, const search::PlanResult& result,
                              const catalog::Catalog& catalog) {
    // Read back from what a kept result would hold, so that both kinds are compared alike.
    Outcome<compare::KeptResult> made =
        compare::readResult(reports::planJson(scenario.request, result, scenario.context),
                            scenario.context.scenarioFile);
    if (!made) return made.findings();
    return compare::Side{std::move(made).value(), &catalog};
}

search::Comparison compared(const compare::Side& before, const compare::Side& after,
                            const catalog::Catalog& today, const SearchChoices& choices,
                            const char* doing) {
    ProgressLine line(doing);
    compare::Options options;
    options.threads = choices.threads;
    options.cancelled = [] { return isInterrupted(); };
    options.advanced = [&](double share) { line.show(share); };
    return compare::compare(before, after, today, options);
}

}  // namespace trainwright::app
