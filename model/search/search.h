// SPDX-License-Identifier: GPL-3.0-or-later
// The parallelism search of one candidate: every legal layout, the fastest that fits.
#pragma once

#include <optional>
#include <vector>

#include "model/search/plan.h"

namespace trainwright::network {
class Network;
}

namespace trainwright::search {

struct SearchOutcome {
    std::optional<layout::Layout> best;  ///< fastest that is legal and fits
    units::Seconds bestTime;
    std::optional<Alternative> withoutOffload;  ///< the best that keeps all in HBM, where `best`
                                                ///< doesn't and there is one
    std::optional<layout::Layout> smallest;     ///< least memory, for when nothing fits
    std::vector<Alternative>
        alternatives;  ///< the fastest at other tensor degrees or recompute modes, fitting or not
    /// The layouts that fit without the host's memory and that no other of them beats in both time
    /// and memory, fastest first, as far as twice the time of the best.
    std::vector<Alternative> front;
    SearchStatistics statistics;
    bool stopped = false;         ///< by `cancelled`: what is here is the best so far
    std::vector<Text> obstacles;  ///< why no layout is legal, when none is
};

/// Searches the layouts that `choice` leaves open. Deterministic: ties go to the smaller memory,
/// then to the smaller degrees in the order t, p, v, c, e, b.
[[nodiscard]] SearchOutcome searchLayouts(const layout::StepProblem& problem,
                                          const layout::LayoutChoice& choice,
                                          const network::Network& network,
                                          const SearchOptions& options = {});

}  // namespace trainwright::search
