// SPDX-License-Identifier: GPL-3.0-or-later
// A plan as a reader sees it: candidates in order of merit with their standing, and the words for
// what enumerations mean. Terminal and document take their order and their terms from here, so that
// they agree.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"
#include "reports/chart_spec.h"

namespace trainwright::reports {

enum class Standing { MeetsAll, MissesLimit, NoPrice, DoesNotFit };

/// One candidate's question and answer together.
struct CandidateView {
    const search::CandidateRequest* request = nullptr;
    const search::CandidateResult* result = nullptr;
    Standing standing = Standing::DoesNotFit;
    std::string mark;  ///< "1", "–" misses a limit, "?" no price, "×" doesn't fit

    /// A layout was found and has a time, so that the run's figures mean something.
    [[nodiscard]] bool runs() const;
    /// There is a layout to speak of, if only the nearest that doesn't fit.
    [[nodiscard]] bool hasLayout() const;
    [[nodiscard]] std::optional<units::UsDollars> cost() const;
    [[nodiscard]] Family family() const;
};

/// In order of merit, those that meet all limits first, then by standing. A result without its
/// request is left out: there is nothing to say of what was asked.
[[nodiscard]] std::vector<CandidateView> candidateViews(const search::PlanRequest& request,
                                                        const search::PlanResult& result);

/// One candidate by name; the standing is judged from it alone.
[[nodiscard]] std::optional<CandidateView> candidateView(const search::PlanRequest& request,
                                                         const search::CandidateResult& candidate);

[[nodiscard]] Text standingTitle(Standing standing);

/// The limit that the candidate uses most of, and the share used; nullopt when no limit is set or
/// known.
struct LimitUse {
    Text sentence;  ///< "The nearest limit is the budget: 92% of 20 M USD is used."
    Text brief;     ///< "Nearest limit: budget, 92% used"
    double share = 0;
};
[[nodiscard]] std::optional<LimitUse> tightestLimit(const search::PlanRequest& request,
                                                    const CandidateView& view);

[[nodiscard]] Text priceState(const run::Price& price);  ///< "block price, seen 2026-10-09"
/// How the candidate is bought: "on demand", "Capacity Block + on demand".
[[nodiscard]] Text purchaseWords(const search::CandidateRequest& request);
[[nodiscard]] Text timePartLabel(layout::TimePart part);
[[nodiscard]] Text memoryKindLabel(layout::MemoryKind kind);
[[nodiscard]] Text gradeMeaning(search::Grade grade);
[[nodiscard]] Text axisLabel(layout::Axis axis);
[[nodiscard]] Text algorithmLabel(const std::string& algorithm);
[[nodiscard]] Text optimizerLabel(layout::Optimizer optimizer);
[[nodiscard]] Text recomputeLabel(layout::Recompute recompute);  ///< "no recompute"
[[nodiscard]] Text phaseLabel(layout::Phase phase);
[[nodiscard]] Text boundLabel(layout::Bound bound);
/// "llama3.1-405b, 15.6T tokens, 2027-01-04 to 2027-04-15, budget 120 M USD, power 30 MW", as
/// separate parts.
[[nodiscard]] std::vector<Text> questionParts(const search::PlanRequest& request);
/// Reasons of the candidate without repeats: reasons, then misses, then why there is no price.
[[nodiscard]] std::vector<Text> reasonsOf(const CandidateView& view);
/// How long a step of the nearest layout would take, for a candidate that doesn't fit; else empty.
[[nodiscard]] Text nearestStep(const CandidateView& view);
/// What the cost is conditional on when the price is not a published one of this offer; empty
/// otherwise.
[[nodiscard]] Text priceCondition(const CandidateView& view);
/// Warnings of the result and notes of the request, without repeats.
[[nodiscard]] std::vector<Text> warningsOf(const CandidateView& view);

/// A warning with the names of all candidates that it is said of, "trn1, trn2".
struct SharedWarning {
    std::string names;
    Text text;
};
[[nodiscard]] std::vector<SharedWarning> sharedWarnings(const std::vector<CandidateView>& views);

}  // namespace trainwright::reports
