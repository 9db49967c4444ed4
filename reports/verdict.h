// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a plan on one line, in parts: which is best, how long, how much, how sure, what
// binds, and by how much the next one loses.
//
// The parts have the digits of the ranking and of the report. Each leads to the view that shows
// more. It doesn't judge: the order and the standing are the plan's own.
#pragma once

#include <optional>
#include <vector>

#include "reports/plan_view.h"

namespace trainwright::reports {

enum class VerdictKind {
    Best,       ///< one candidate leads
    Tie,        ///< two whose costs can't be told apart
    NoneMeets,  ///< each misses a limit; the first is the cheapest
    NoneRuns
};

enum class VerdictTopic { Headline, Time, Cost, Grade, Limit, Next };

struct VerdictPart {
    VerdictTopic topic = VerdictTopic::Headline;
    Text text;
};

struct Verdict {
    VerdictKind kind = VerdictKind::NoneRuns;
    std::optional<Family> family;    ///< of the leader
    std::vector<VerdictPart> parts;  ///< the headline first
};

/// `views` as candidateViews() gives them.
[[nodiscard]] Verdict verdict(const search::PlanRequest& request,
                              const std::vector<CandidateView>& views);

}  // namespace trainwright::reports
