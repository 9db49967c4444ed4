// SPDX-License-Identifier: GPL-3.0-or-later
// Two plans side by side: what changed in what they were made from, what moved in what they say,
// and how much of each move each change explains.
//
// Plain values that data/compare fills and reports show. "Before" is the first plan, "after" the
// second. Invariant: where a Move has shares, they and its `rest` add up to after − before.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/search/attribution.h"
#include "model/units/outcome.h"

namespace trainwright::search {

/// One of the two plans.
struct ComparedPlan {
    std::string name;  ///< as the user typed it: "main:plan.yaml", "june.json"
    std::string title;
    std::string model;
    std::string programVersion, catalogVersion, catalogHash;
    std::string calibration, calibrationHash;  ///< id and hash; "" for none
    bool isKept = false;     ///< a result read from a file, not a scenario planned now
    bool hasSource = false;  ///< the result holds the scenario and the figures it was made from
    bool anyRuns = false;    ///< a candidate can be run
};

enum class ChangeKind {
    Input,        ///< of the scenario
    Price,        ///< of one offer in the catalog
    Figures,      ///< of one entry of the catalog
    Calibration,  ///< the factors that measured runs put on figures
};
[[nodiscard]] const char* name(ChangeKind kind);  ///< "input"

/// One value that differs.
struct ChangedValue {
    std::string path;  ///< "training.tokens", "candidates[p5].purchase.plan", "chip/h100/tdp_w"
    std::optional<std::string> before, after;  ///< as written; of a figure: in `unit`
    std::string unit;                          ///< of a figure
    std::string seenBefore, seenAfter;         ///< dates of a figure
};

/// What is made in one go: a value, or values that mean something only together (a model, a
/// layout, a purchase, the figures of one entry).
struct Change {
    ChangeKind kind = ChangeKind::Input;
    std::string path;       ///< what its values have in common
    std::string candidate;  ///< the only one that it bears on, as it is called after; "" for any
    std::vector<ChangedValue> values;
    bool isWords = false;    ///< a title, a reason, the sampling of bands: no result rests on it
};

/// What moves; in the units of plan JSON.
enum class Quantity { Days, Cost, Energy, AveragePower, PeakPower, Mfu };
inline constexpr std::size_t kQuantityCount = 6;
[[nodiscard]] const char* name(Quantity quantity);  ///< "days", "cost_usd", "energy_kwh", …
using Quantities = std::array<std::optional<double>, kQuantityCount>;

/// What one plan says of a candidate.
struct CandidateState {
    std::string name;
    std::string mark;      ///< "1", "–" misses a limit, "?" no price, "×" doesn't fit
    std::string standing;  ///< as in plan JSON: "meets_all", "misses_limit", …
    std::string system;
    long accelerators = 0;
    std::string finish;  ///< ISO date; "" when not known
    std::string layout;  ///< short form with recompute; "" without one
    std::string grade;
    Quantities quantities;
    std::vector<std::pair<std::string, std::string>> misses;  ///< limit and sentence
    std::vector<std::string> reasons;
    std::optional<double> chance;  ///< of meeting every limit
    [[nodiscard]] bool runs() const { return quantities[0].has_value(); }
};

struct Move {
    std::optional<double> before, after;
    Attribution attribution;  ///< over CandidateComparison::changes
    /// What no change explains: another version of the program, or figures that a kept result
    /// doesn't hold.
    double rest = 0;
    [[nodiscard]] std::optional<double> difference() const {
        return before && after ? std::optional(*after - *before) : std::nullopt;
    }
};

struct CandidateComparison {
    std::optional<CandidateState> before, after;  ///< one at least
    std::vector<std::size_t> changes;             ///< indices of those that may bear on it
    std::array<Move, kQuantityCount> moves;
    /// Changes without which, or of which one alone, its standing would be another; of a candidate
    /// whose standing differs.
    std::vector<std::size_t> decisive;
    Text gap;  ///< why a combination of changes can't be planned, where one can't

    [[nodiscard]] const std::string& name() const { return after ? after->name : before->name; }
    [[nodiscard]] bool isRenamed() const { return before && after && before->name != after->name; }
};

struct Comparison {
    ComparedPlan before, after;
    std::vector<Change> changes;
    std::vector<CandidateComparison> candidates;  ///< by merit after; those that are gone last
    std::vector<Text> notes;
    bool cancelled = false;
};

}  // namespace trainwright::search
