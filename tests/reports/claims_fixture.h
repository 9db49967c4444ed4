// SPDX-License-Identifier: GPL-3.0-or-later
// Checked claims whose numbers are made up, one of every verdict.
#pragma once

#include <vector>

#include "model/claims/claim.h"
#include "reports/report.h"

namespace trainwright::reports::fixture {

[[nodiscard]] std::vector<claims::CheckedClaim> checkedClaims();
[[nodiscard]] ReportContext claimsContext();

}  // namespace trainwright::reports::fixture
