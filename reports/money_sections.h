// SPDX-License-Identifier: GPL-3.0-or-later
// The questions about money behind a plan's cost: when is it paid, what does a unit of work cost,
// at what price would two candidates be equal, and what would owning the machines come to.
#pragma once

#include <optional>
#include <vector>

#include "reports/document.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

/// One candidate's job against the same job on another.
struct Comparison {
    const CandidateView* other = nullptr;
    bool isBaseline = false;                   ///< the other is made of GPUs
    std::optional<double> cost, time, energy;  ///< this one's over the other's
    /// What one unit of this one may cost by the hour, discounts taken off, for the totals to be
    /// equal; none where what stands beside the machines alone costs more, or nothing is known.
    std::optional<units::UsDollarsPerSecond> equalPrice;
};

/// Against every candidate of GPUs, and the cheapest where that is none of them; in order of merit.
[[nodiscard]] std::vector<Comparison> comparisonsOf(const CandidateView& view,
                                                    const std::vector<CandidateView>& views);

/// What one unit-hour costs on average, discounts taken off; none where the cost isn't known.
[[nodiscard]] std::optional<units::UsDollarsPerSecond> paidPerUnit(const run::Money& money);

/// "cash", "unit-costs", "equal-price" and "owning", as far as they have rows.
[[nodiscard]] std::vector<Section> moneySections(const search::PlanRequest& request,
                                                 const std::vector<CandidateView>& views);

}  // namespace trainwright::reports
