// SPDX-License-Identifier: GPL-3.0-or-later
// A scenario file with holes for the values that a sweep puts in, one candidate at a time.
//
// The text is YAML again, so that every row of a sweep is read and checked as a file is. Aliases of
// the file are written out; comments and line numbers are gone, which no finding of a row shows.
#pragma once

#include <string>
#include <vector>

#include "app/sweep/axis.h"
#include "model/units/outcome.h"

namespace trainwright::app {

class ScenarioTemplate {
public:
    /// `text` is a scenario that reads without error; `candidates` are the indices of those that
    /// the sweep is of, at least one. A key that the file doesn't hold is added; an item that it
    /// doesn't have, or a key of a model that the catalog describes, is a finding.
    [[nodiscard]] static Outcome<ScenarioTemplate> make(const std::string& text,
                                                        const std::string& file,
                                                        const std::vector<Axis>& axes,
                                                        const std::vector<std::size_t>& candidates);

    /// The scenario with only the `candidate`-th of the chosen candidates and one value an axis.
    [[nodiscard]] std::string fill(std::size_t candidate,
                                   const std::vector<AxisValue>& values) const;

private:
    class Writer;
    /// What stands before a hole, and which axis fills it; the last piece has no hole.
    struct Piece {
        std::string text;
        int axis = -1;
    };
    std::vector<std::vector<Piece>> byCandidate_;
};

}  // namespace trainwright::app
