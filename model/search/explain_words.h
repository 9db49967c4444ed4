// SPDX-License-Identifier: GPL-3.0-or-later
// The sentences that say why a step takes what it takes. Patterns only; numbers are arguments.
#pragma once

#include "model/search/plan.h"

namespace trainwright::search {

/// "32%", "4.5%", "<0.1%": a share for a sentence.
[[nodiscard]] std::string percent(double share);
/// "6.2": GiB with three significant digits.
[[nodiscard]] std::string gibibytesText(units::Bytes b);

/// "no recompute", "selective (norm + mlp) recompute", "full (one layer in 2) recompute".
[[nodiscard]] Text recomputeWords(const layout::Layout& l);

/// What the step waits for most.
[[nodiscard]] Text bottleneckOf(const layout::StepResult& step, const layout::Layout& layout);

/// What to change: a better layout than a given one, a faster one that doesn't fit, or how far the
/// next is.
[[nodiscard]] Text adviceOf(const CandidateResult& result,
                            const std::optional<Alternative>& better);

/// Why nothing fits: what is largest on the fullest stage of the smallest layout, and by how much
/// it is over.
[[nodiscard]] std::vector<Text> whyNothingFits(const layout::MemoryResult& memory,
                                               const layout::Layout& layout);

}  // namespace trainwright::search
