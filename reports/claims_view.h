// SPDX-License-Identifier: GPL-3.0-or-later
// Words and digits for claims, the same for terminal, page and JSON.
#pragma once

#include <string>
#include <vector>

#include "model/claims/claim.h"
#include "reports/document.h"

namespace trainwright::reports {

/// "96 GiB", "10.7 PFLOP/s", "1.94×", "34%"; words as they are; "not known" where it is empty.
[[nodiscard]] Argument measureText(const claims::Measure& measure);
[[nodiscard]] Text sentenceText(const claims::Sentence& sentence);

/// What is claimed ("≥ 5×", "reaches 50%") and what was found ("1.04× to 1.15×", "2 of 3");
/// "–" where nothing is compared or found as a number.
[[nodiscard]] Argument claimedText(const claims::Part& part);
[[nodiscard]] Argument foundText(const claims::Part& part);

/// "✓", "◐", "✕", "?"
[[nodiscard]] const char* glyph(claims::Verdict verdict);
[[nodiscard]] Tone toneOf(claims::Verdict verdict);

/// The part that the verdict rests on; nullptr where a claim has none.
[[nodiscard]] const claims::Part* decisivePart(const claims::CheckedClaim& claim);

/// How many of the claims have each verdict, as a sentence.
[[nodiscard]] Text tally(const std::vector<claims::CheckedClaim>& claims);

/// A grid of cases over models, where a part has that many; empty otherwise. Rows are what the
/// cases differ in beside the model and the region; a cell spans the regions.
[[nodiscard]] std::optional<Table> gridTable(const claims::Part& part, const std::string& id);
/// Every case in a row.
[[nodiscard]] Table caseTable(const claims::Part& part, const std::string& id);

/// A scenario that shows what the part found: of the case that comes nearest to what is claimed.
[[nodiscard]] const std::string* scenarioOf(const claims::Part& part);
/// The first of its parts, the deciding ones before the others; nullptr where none was planned.
[[nodiscard]] const std::string* scenarioOf(const claims::CheckedClaim& claim);

}  // namespace trainwright::reports
