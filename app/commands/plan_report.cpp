// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/plan_report.h"

#include "reports/document.h"

namespace trainwright::app {

ReportContent planContent(const search::PlanRequest& request, const search::PlanResult& result,
                          const reports::ReportContext& context) {
    ReportContent content;
    content.json = [&] { return reports::planJson(request, result, context); };
    content.plainText = [&](const reports::TerminalStyle& style) {
        return reports::planTerminal(request, result, style, context);
    };
    content.document = [&] { return reports::planDocument(request, result, context); };
    content.assumptions = [&] { return reports::planAssumptions(request, result); };
    return content;
}

}  // namespace trainwright::app
