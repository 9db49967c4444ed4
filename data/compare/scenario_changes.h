// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between two scenarios, and the scenarios in between.
//
// A scenario is taken as its values by path; items of a list go by their name (or figure), so that
// reordering them changes nothing. Values that mean the same (15T and 15,000B, a default and the
// key left out) don't differ, and neither do layouts, comments and quotes.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "data/scenario/scenario.h"
#include "data/scenario/yaml.h"
#include "model/search/comparison.h"

namespace trainwright::compare {

/// One value of a scenario.
struct Leaf {
    std::vector<std::string> keys;  ///< {"candidates", "[p5]", "accelerators"}
    std::string indexed;            ///< "candidates[0].accelerators", as scenario::Scenario has it
    scenario::yaml::Node node;      ///< a scalar, a list of scalars, or an empty map

    [[nodiscard]] std::string path() const;  ///< "candidates[p5].accelerators"
    [[nodiscard]] std::string text() const;  ///< as written, without quotes
};

/// A scenario that has been read, with its values in the order of the file.
struct ReadScenario {
    scenario::Scenario scenario;
    std::vector<Leaf> leaves;
};
[[nodiscard]] Outcome<ReadScenario> readScenario(const std::string& text, const std::string& file);

/// A candidate before and after, by index into Scenario::candidates; npos where there is none.
struct CandidatePair {
    static constexpr std::size_t npos = static_cast<std::size_t>(-1);
    std::size_t before = npos, after = npos;
};
/// By name; of those left over, the ones of the same system that differ in one value beside the
/// name at most were renamed. In the order of `after`, then those that are gone.
[[nodiscard]] std::vector<CandidatePair> pairCandidates(const ReadScenario& before,
                                                        const ReadScenario& after);

/// Every difference, grouped into what can be changed by itself, in the order of `after`.
[[nodiscard]] std::vector<search::Change> changesBetween(const ReadScenario& before,
                                                         const ReadScenario& after,
                                                         const std::vector<CandidatePair>& pairs);

/// The scenario with the one candidate of `pair` as it is when of all `changes` those that `made`
/// tells have been made: text that scenario::load reads.
[[nodiscard]] std::string between(const ReadScenario& before, const ReadScenario& after,
                                  CandidatePair pair, const std::vector<search::Change>& changes,
                                  const std::function<bool(std::size_t)>& made);

}  // namespace trainwright::compare
