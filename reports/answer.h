// SPDX-License-Identifier: GPL-3.0-or-later
// The answer of a plan in two sentences: what is best, and what is next. Terminal, JSON and
// document say the same, with the digits of the tables.
#pragma once

#include <vector>

#include "reports/plan_view.h"

namespace trainwright::reports {

struct AnswerSentence {
    Text text;
    const search::CandidateRequest* pricedBy =
        nullptr;  ///< whose price the sentence rests on, if any
};

/// `views` in order of merit. One sentence where there is nothing to compare.
[[nodiscard]] std::vector<AnswerSentence> answerSentences(const search::PlanRequest& request,
                                                          const search::PlanResult& result,
                                                          const std::vector<CandidateView>& views);

}  // namespace trainwright::reports
