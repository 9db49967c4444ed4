// SPDX-License-Identifier: GPL-3.0-or-later
// What the planner knows of a scenario's text: its findings, and the plan that it stands for.
//
// Immutable once made, and shared between the window and its workers. A text with errors has
// findings and nothing else.
#pragma once

#include <QTime>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "data/scenario/scenario.h"
#include "model/search/plan.h"
#include "reports/plan_view.h"
#include "reports/report.h"
#include "reports/verdict.h"

namespace trainwright::ui {

/// A text as read and resolved.
struct Checked {
    std::uint64_t generation = 0;
    std::string text;
    std::vector<Finding> findings;
    std::shared_ptr<const scenario::Loaded> loaded;  ///< null where there are errors
};

struct Planned {
    std::shared_ptr<const Checked> checked;  ///< with `loaded`
    search::PlanResult result;
    reports::ReportContext context;
    std::string newestPrice;  ///< date of the newest price of the catalog
    std::string calibration;  ///< date of the calibration; "" for none
    bool isPartial = false;   ///< stopped before every candidate was searched
    double seconds = 0;       ///< of wall time
    QTime at;

    [[nodiscard]] const search::PlanRequest& request() const { return checked->loaded->request; }
    /// In order of merit; they point into this object.
    [[nodiscard]] std::vector<reports::CandidateView> views() const {
        return reports::candidateViews(request(), result);
    }
    /// The candidate of that name; nullptr if there is none.
    [[nodiscard]] const search::CandidateResult* candidate(const std::string& name) const;
    [[nodiscard]] const search::CandidateRequest* requestOf(const std::string& name) const;
    [[nodiscard]] long layouts() const;
};

}  // namespace trainwright::ui
