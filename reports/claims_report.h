// SPDX-License-Identifier: GPL-3.0-or-later
// Checked claims as text, as JSON and as a document.
//
// Verdicts, numbers and sentences come from model/claims; here they are only put into words and
// digits. As everywhere in reports: the same claims and context give the same bytes.
#pragma once

#include <string>
#include <vector>

#include "model/claims/claim.h"
#include "reports/document.h"
#include "reports/report.h"

namespace trainwright::reports {

/// A table of verdicts, each with the claim in words and what it hangs on.
[[nodiscard]] std::string claimsTerminal(const std::vector<claims::CheckedClaim>& claims,
                                         const TerminalStyle& style, const ReportContext& context);

/// One claim in full: every part with its cases, figures and sources, and a scenario to plan again.
[[nodiscard]] std::string claimTerminal(const claims::CheckedClaim& claim,
                                        const TerminalStyle& style);

/// Schema "trainwright/claims/1"; ends with a newline.
[[nodiscard]] std::string claimsJson(const std::vector<claims::CheckedClaim>& claims,
                                     const ReportContext& context);

[[nodiscard]] Document claimsDocument(const std::vector<claims::CheckedClaim>& claims,
                                      const ReportContext& context);

}  // namespace trainwright::reports
