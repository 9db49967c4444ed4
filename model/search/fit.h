// SPDX-License-Identifier: GPL-3.0-or-later
// A plan turned round: from a date, a budget, a power limit, a limit on carbon or on accelerators
// back to a cluster.
//
// The ways of the request are systems with their offers (a region and a price each). For every way
// cluster sizes are searched for their fastest layout, each size is held against the limits under
// each offer, and sizes near the best are looked at more closely. The answer is the
// best of all that were looked at: sizes that weren't may be a little better. The same request
// gives the same answer on any number of threads. It knows of no chance: limits are held against
// the estimate; the bands of the answer say how likely they are kept.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/search/plan.h"

namespace trainwright::search {

enum class Objective { Smallest, Cheapest, Greenest, Fastest };
inline constexpr int kObjectiveCount = 4;
[[nodiscard]] const char* name(Objective objective);  ///< "smallest", "cheapest", …

/// A system and a way to have it: the candidate's `chips` don't count.
struct FitWay {
    CandidateRequest candidate;
    std::string of;  ///< name of the question's own candidate that it is a variant of
    /// Ways with the same number differ in region, price and operations alone, so that one search
    /// serves them all.
    std::size_t system = 0;
};

struct FitRequest {
    PlanRequest plan;  ///< the question; its candidates are left out
    std::vector<FitWay> ways;
    Objective objective = Objective::Smallest;
    long maxAccelerators = 0;  ///< none are looked at beyond, but where the constraints limit
                               ///< them: then twice as many, for what the limit costs
};

/// One cluster under one offer.
struct FitPoint {
    std::size_t way = 0;
    long chips = 0;
    layout::Layout layout;
    units::Seconds stepTime;
    double mfu = 0;
    run::RunResult run;
    std::vector<Overrun> overruns;    ///< empty: all limits are kept
    std::optional<double> objective;  ///< accelerators, US dollars, kilograms of CO2e or days; less
                                      ///< is better; none: not known
    [[nodiscard]] bool fits() const { return overruns.empty(); }
};

/// A limit without which something better would be had.
struct BindingLimit {
    std::string limit;
    double value = 0;  ///< of the limit, in its unit; of a date, days since 1970
    double worth = 0;  ///< what the objective falls by for one unit more of the limit
    double more = 0;   ///< the units more that `instead` needs
    FitPoint instead;
};

struct FitResult {
    std::optional<FitPoint> best;
    std::vector<BindingLimit> binding;    ///< the tightest first
    std::optional<FitPoint> nearestMiss;  ///< where nothing fits: the one that passes limits by the
                                          ///< smallest share of them
    std::vector<FitPoint> bestOfEach;   ///< of each way that can run the model, the best or nearest
    std::vector<std::size_t> notKnown;  ///< ways of which something that the question asks for
                                        ///< (a price, power, carbon) isn't known
    std::vector<std::size_t> neverFits;  ///< ways on which the model fits at no size looked at
    long sizesSearched = 0;              ///< clusters whose layouts were searched
    bool stopped = false;
};

/// `threads` as in plan(). Every way's system must have chips per host.
[[nodiscard]] FitResult fit(const FitRequest& request, int threads = 0,
                            const Progress& progress = {});

/// The candidate of a point, to be planned with its bands.
[[nodiscard]] CandidateRequest candidateOf(const FitRequest& request, const FitPoint& point);

}  // namespace trainwright::search
