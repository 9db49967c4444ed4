// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/evaluate.h"

#include <algorithm>
#include <chrono>
#include <mutex>

#include "app/commands/common.h"
#include "app/terminal.h"

namespace trainwright::app {

search::PlanResult evaluate(const search::PlanRequest& request, const SearchChoices& choices,
                            const char* doing) {
    ProgressLine line(doing);
    std::mutex mutex;  // the engine may call from any of its threads
    search::SearchOptions options;
    options.exhaustive = choices.exhaustive;
    options.clock = [] {
        return units::Seconds(
            std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
                .count());
    };
    return search::plan(
        request, choices.threads,
        [&](double share) {
            const std::scoped_lock lock(mutex);
            line.show(share);
            return !isInterrupted();
        },
        options);
}

bool anyFeasible(const search::PlanResult& result) {
    return std::any_of(result.candidates.begin(), result.candidates.end(),
                       [](const search::CandidateResult& candidate) { return candidate.feasible; });
}

}  // namespace trainwright::app
