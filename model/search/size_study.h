// SPDX-License-Identifier: GPL-3.0-or-later
// Every candidate of a plan at other sizes: what fewer or more of the same machines would take and
// cost.
//
// studySizes() plans each candidate again on a ladder of cluster sizes, from an eighth of what was
// asked for to eight times as many, in whole units, so that a point is as true as the plan itself:
// the one of the size asked for has the plan's own digits. answerOf() holds a study against limits
// without planning anything, fast enough for a slider. Sizes between those of the ladder are not
// guessed. It draws no bands and knows of no chance. The same request gives the same study on any
// number of threads.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"

namespace trainwright::search {

/// A candidate with that many chips.
struct SizePoint {
    long chips = 0;
    long units = 0;        ///< instances (or UltraServers) rented
    bool isAsked = false;  ///< the size that the plan asks for
    layout::Layout layout;
    units::Seconds stepTime;
    double mfu = 0;
    run::RunResult run;
    /// Units more than the plan of purchase sells; 0: none, or no limit is known.
    double unitsOverPlan = 0;
};

struct SizedCandidate {
    std::string name;
    std::size_t candidate = 0;  ///< in the request
    long chipsPerUnit = 0;
    std::vector<SizePoint> points;  ///< those on which a layout fits, by size
    std::vector<long> doesNotFit;   ///< chips of the other sizes, by size
};

struct SizeStudy {
    std::vector<SizedCandidate> candidates;  ///< in the order of the request
    std::optional<run::Date> start;
    double tokens = 0;
    bool stopped = false;  ///< sizes are missing
};

/// Shares of the size asked for that are looked at.
[[nodiscard]] const std::vector<double>& sizeLadder();

/// `threads` and `progress` as in plan().
[[nodiscard]] SizeStudy studySizes(const PlanRequest& request, int threads = 0,
                                   const Progress& progress = {});

/// A point of a study.
struct SizeChoice {
    std::size_t candidate = 0;  ///< in SizeStudy::candidates
    std::size_t point = 0;      ///< in its points
    friend bool operator==(const SizeChoice&, const SizeChoice&) = default;
};
[[nodiscard]] const SizePoint& at(const SizeStudy& study, SizeChoice choice);

/// What another date would take.
struct MovedDate {
    int weeks = 0;                       ///< −1: a week earlier
    std::optional<SizeChoice> smallest;  ///< of the same candidate, kept to all other limits
    std::optional<SizeChoice> onDate;    ///< the smallest that keeps the date, whatever else
    std::vector<Overrun> overruns;       ///< of `onDate`
};

struct SizeAnswer {
    /// Of each candidate and point, the limits that it passes.
    std::vector<std::vector<std::vector<Overrun>>> overruns;
    std::optional<SizeChoice> smallest;  ///< accelerators, then cost
    std::optional<SizeChoice> cheapest;  ///< of those whose cost is known
    std::optional<SizeChoice> nearest;   ///< where nothing keeps all limits: passes them by least
    /// The limit without which the cheapest (without a cost: the smallest) would be better;
    /// "" where none is, or nothing keeps the limits.
    std::string binding;
    std::optional<SizeChoice> withoutBinding;
    std::vector<MovedDate> moved;  ///< of the best's candidate, two weeks earlier to two later
};

/// `limits` instead of the plan's own. What isn't known of a point passes no limit.
[[nodiscard]] SizeAnswer answerOf(const SizeStudy& study, const Constraints& limits);

/// The candidate of the choice at its size, to be planned.
[[nodiscard]] CandidateRequest candidateOf(const PlanRequest& request, const SizeStudy& study,
                                           SizeChoice choice);

}  // namespace trainwright::search
