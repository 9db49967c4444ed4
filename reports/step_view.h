// SPDX-License-Identifier: GPL-3.0-or-later
// A candidate's step, memory, run and money as rows of formatted numbers that add up to the total
// shown beside them. Terminal and document print these same rows, so that both show the same
// digits.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/plan_view.h"

namespace trainwright::reports {

[[nodiscard]] Argument daysOrNever(double days);
/// Decimals that give about three significant digits of `total` to all of its parts.
[[nodiscard]] int decimalsFor(double total);
/// Parts with those decimals, so that they add up as shown; "<0.01" for one that is too small.
[[nodiscard]] std::vector<std::string> fixedTexts(const std::vector<double>& values, int decimals);
/// "t32 p2 v4 D256 b1 m8, zero1, selective recompute"
[[nodiscard]] Text layoutForm(const layout::Layout& layout);
/// "trn2-block: 4,096 Trainium2 (256 × trn2.48xlarge), Ohio, Capacity Block"
[[nodiscard]] Text candidateTitle(const CandidateView& view);
/// The same without the name.
[[nodiscard]] Text candidateSystem(const CandidateView& view);
/// The bottleneck sentence, followed by the advice if there is any, and by the best layout that
/// keeps all in HBM where this one doesn't.
[[nodiscard]] Text bottleneckAndAdvice(const search::CandidateResult& result);

struct TimeShare {
    layout::TimePart part = layout::TimePart::Compute;
    double value = 0;  ///< seconds
    std::string seconds;
    std::string percent;
};
/// Parts above zero in their fixed order; the shown seconds and percents add up.
[[nodiscard]] std::vector<TimeShare> timeShares(const layout::StepResult& step);
[[nodiscard]] std::string timeShareTotal(const layout::StepResult& step);
/// Hidden communication with the same decimals.
[[nodiscard]] std::string hiddenSeconds(const layout::StepResult& step);

/// Calls of the same operator in the same phase taken together, longest first.
struct OperatorRow {
    std::string name;
    layout::OperatorKind kind = layout::OperatorKind::Gemm;
    layout::Phase phase = layout::Phase::Forward;
    layout::Bound bound = layout::Bound::Compute;
    machine::Dtype dtype = machine::Dtype::Bf16;
    double calls = 0;
    Argument extents = "";  ///< "8,192×2,560×8,192", or "–"
    double total = 0;       ///< seconds a step
    std::string seconds, percent;
    double shownSeconds = 0, shownPercent = 0;  ///< the same, rounded as shown
    std::optional<double> chipTeraflops;        ///< of one chip while it runs
    std::optional<double> flopPerByte;
    std::optional<double> chipTerabytes;  ///< through HBM of one chip, a second
    bool small = false;                   ///< too short for the digits shown
};
[[nodiscard]] std::vector<OperatorRow> operatorRows(const CandidateView& view);
/// Key of an operator's row and of its point in a roofline.
[[nodiscard]] std::string operatorKey(const OperatorRow& row);
struct OperatorTotal {
    std::string seconds, percent;
    double smallCount =
        0;  ///< rows that are too short for the digits shown, and what they add up to
    std::string smallSeconds, smallPercent;
};
[[nodiscard]] OperatorTotal operatorTotal(const CandidateView& view);

struct CollectiveRow {
    const layout::CollectiveUse* use = nullptr;
    Text group;  ///< "tensor, 32 ranks"
    Text route;  ///< algorithm, stride and busiest link
    std::string exposed, hidden;
};
struct CollectiveRows {
    std::vector<CollectiveRow> rows;
    std::string exposedTotal, hiddenTotal;
};
[[nodiscard]] CollectiveRows collectiveRows(const layout::StepResult& step);

struct StageMemoryRow {
    const layout::StageMemory* memory = nullptr;
    std::vector<std::string> kinds;  ///< GiB, in the order of MemoryKind
    std::vector<double> gibibytes;   ///< the same as numbers
    std::string total;
    double totalGibibytes = 0;
    bool fullest = false;
};
/// All stages; of more than `most` the first, the last, the fullest and the lightest.
struct StageRows {
    std::vector<StageMemoryRow> rows;
    double leftOut = 0;
};
inline constexpr std::size_t kStagesShown = 16;
[[nodiscard]] StageRows stageRows(const layout::MemoryResult& memory,
                                  std::size_t most = kStagesShown);
/// "Stage 0 is fullest: 19.3 GiB of 24.0, of which 22.8 may be used."
[[nodiscard]] Text memorySentence(const layout::MemoryResult& memory);

struct AlternativeRow {
    Text layout;
    std::string step, memory;
    double stepSeconds = 0, gibibytes = 0;
    Text verdict;
    bool inUse = false;
    std::string key;
};
[[nodiscard]] std::vector<AlternativeRow> alternativeRows(const search::CandidateResult& result);
[[nodiscard]] Text searchSentence(const search::SearchStatistics& search);

struct FactRow {
    Text label;
    Argument value = "";
    std::optional<double> number;
    std::string unit;
};
[[nodiscard]] std::vector<FactRow> layoutFactRows(const CandidateView& view);
/// Shares of wall time as shown; they add up to 100%.
struct GoodputShares {
    std::string useful, checkpoints, rework, restarts, planned;
};
[[nodiscard]] GoodputShares goodputShares(const run::Goodput& goodput);
[[nodiscard]] std::vector<FactRow> runFactRows(const CandidateView& view);

enum class CostKind { Useful, Lost, Unused, Storage, Egress, Electricity, Operation, Rest };

struct CostPart {
    CostKind kind = CostKind::Rest;
    Text label;
    double usd = 0;
    std::string millions;  ///< "<0.1" for one that rounds to nothing
    double shown = 0;      ///< what `millions` counts for in the total as shown
    bool isThin = false;   ///< too little of the total to be seen in a bar
};
struct CostParts {
    std::vector<CostPart> parts;
    std::string total;
    int decimals = 0;  ///< of all of them
};
/// Parts that add up to the total as shown; empty when the cost is not known.
[[nodiscard]] CostParts costParts(const run::Money& money);
/// "storage 2,790 USD, egress 450 USD": the lines beside the machines; empty where there are none.
[[nodiscard]] Text besideMachines(const run::Money& money);
/// The multiplication behind the cost, or why there is none.
[[nodiscard]] Text costSentence(const CandidateView& view);

}  // namespace trainwright::reports
