// SPDX-License-Identifier: GPL-3.0-or-later
// The kinds of check, one function each: they fill in the cases of a part. Private to data/claims.
#pragma once

#include "data/catalog/catalog.h"
#include "data/claims/check.h"
#include "data/claims/parameters.h"
#include "data/claims/planner.h"

namespace trainwright::claims {

struct Bench {
    const Evidence& evidence;
    Planner& planner;
    const Parameters& parameters;
    const std::string& unit;  ///< of the row
};

/// figures=[label:] expression | …
void checkFigures(const Bench& bench, Part& part);
/// figure=kind/id/key
void checkDate(const Bench& bench, Part& part);
/// entries=kind/id, …; keys=…: whether each entry has a value for each key.
void checkPresent(const Bench& bench, Part& part);
/// units=…; regions=…: whether one of the units is offered in each region; without regions, where.
void checkOffers(const Bench& bench, Part& part);

/// models=…; system=…; units=1, 2, …: the least number of units that a training run fits on.
void checkFit(const Bench& bench, Part& part);
/// models=…; system=… (with accelerators=… or units=…); metric=…: a number of the plan.
void checkScenario(const Bench& bench, Part& part);
/// models=…; systems=…; against=…; accelerators=…; metric=step_time, it_energy or cost; of cost
/// also plans=…; regions=… and earlier=date: how much better the systems do.
void checkCompare(const Bench& bench, Part& part);

/// chips=…; workload=…; measure=mfu, step_time or layout_given: a number of each published run.
void checkRuns(const Bench& bench, Part& part);
/// chip=…; benchmark=…; workload=…: throughput an accelerator over the best of other chips.
void checkBenchmark(const Bench& bench, Part& part);
/// chips=…; workload=…: the step of the searched layout over that of the one in the row.
void checkLayouts(const Bench& bench, Part& part);

/// Adds a case that isn't known, with the reason.
void addUnknown(Part& part, std::vector<std::string> labels, Sentence why);
/// Adds the figures that aren't there yet, and their sources.
void cite(Part& part, const std::vector<search::FigureUse>& figures);
/// Adds only the sources, of figures that are too many to list.
void citeSources(Part& part, const std::vector<search::FigureUse>& figures);

}  // namespace trainwright::claims
