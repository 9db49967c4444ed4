// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between the figures, prices and factors that two plans rest on, and catalogs in
// between.
//
// Every figure has a value before and one after; a plan that doesn't say one is taken to have that
// of the other. A catalog in between is today's with those values laid over it that differ from its
// own.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/compare/kept_result.h"
#include "data/scenario/scenario.h"
#include "model/search/comparison.h"

namespace trainwright::compare {

/// What of the catalog bears on a candidate: entries as "kind/id", offers of prices as
/// "unit/region/plan".
struct Rests {
    std::set<std::string> entries, offers;
};

/// Figures of a request but for those that its scenario overrides.
[[nodiscard]] FigureTable figuresOf(const search::PlanRequest& request);
/// `candidate` with what all candidates of the request rest on.
[[nodiscard]] Rests restsOf(const search::PlanRequest& request,
                            const search::CandidateRequest& candidate);

class FigureChanges {
public:
    /// `before` and `after` as the plans say them, `today` as `catalog` has them.
    FigureChanges(const FigureTable& before, const FigureTable& after, const FigureTable& today,
                  std::shared_ptr<const belief::Calibration> calibrationBefore,
                  std::shared_ptr<const belief::Calibration> calibrationAfter,
                  const catalog::Catalog& catalog);

    /// Prices by offer, then figures by entry, then the calibration.
    [[nodiscard]] const std::vector<search::Change>& changes() const { return changes_; }
    /// Changed figures that today's catalog doesn't have, so that no plan in between rests on them.
    [[nodiscard]] std::size_t withoutPlace() const { return withoutPlace_; }
    [[nodiscard]] bool bearsOn(std::size_t change, const Rests& rests) const;

    /// The catalog where of changes() those in `made` (a bit each) have been made; kept.
    [[nodiscard]] const catalog::Catalog& catalogAt(std::uint64_t made);

private:
    struct Value {
        KeptFigure before, after;
        std::optional<std::string> today;
        std::size_t change = 0;  ///< npos: it is the same before and after
        bool hasBefore = true, hasAfter = true;
    };
    static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

    void group(std::vector<Value>& values, bool prices);

    const catalog::Catalog& catalog_;
    std::shared_ptr<const belief::Calibration> calibrationBefore_, calibrationAfter_;
    std::size_t calibrationChange_ = kNone;
    std::size_t withoutPlace_ = 0;
    std::vector<Value> figures_, prices_;
    std::vector<search::Change> changes_;
    std::map<std::uint64_t, catalog::Catalog> catalogs_;
};

}  // namespace trainwright::compare
