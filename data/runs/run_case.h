// SPDX-License-Identifier: GPL-3.0-or-later
// From a published run to the question that the engine is asked: chip, system, software, layout,
// and the step time that the row's measure stands for.
//
// Only what the row states is used; what it leaves out is left to the software profile's defaults
// and to the search. A row that can't be modelled says why. Accelerators are counted as the row
// counts them (chips); tensor, pipeline and data degrees are in the framework's ranks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/import/published_runs.h"
#include "model/layout/layout.h"
#include "model/units/outcome.h"

namespace trainwright::runs {

/// What a row asks the engine, and what it measured.
struct RunCase {
    layout::StepProblem problem;
    layout::LayoutChoice choice;
    std::string metric;  ///< the column that the row's time comes from
    double measuredStepSeconds = 0;
    std::optional<double> measuredMemoryBytes;
    Text skipped;  ///< why the row can't be compared; empty when it can
};

/// The catalog's chip for the name that a row prints; "" if it has none.
[[nodiscard]] std::string chipOf(const import::PublishedRun& run, const catalog::Catalog& catalog);

/// The model of a row: the catalog's where the name is known and the shape agrees, else the shape
/// in the row.
[[nodiscard]] RunCase prepare(const import::PublishedRun& run, const catalog::Catalog& catalog);

/// A run and what it asks.
struct PreparedRun {
    import::PublishedRun run;
    RunCase asked;
};
/// All of them; a row that others of its source contradict is set aside, with the reason.
[[nodiscard]] std::vector<PreparedRun> prepare(const std::vector<import::PublishedRun>& runs,
                                               const catalog::Catalog& catalog);

}  // namespace trainwright::runs
