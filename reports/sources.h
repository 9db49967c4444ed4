// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog figures that a plan rests on, each once, numbered in the order in which a reader
// meets them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/search/plan.h"
#include "reports/document.h"
#include "reports/plan_view.h"

namespace trainwright::reports {

class Sources {
public:
    /// The model's figures first, then those of the candidates in their order.
    Sources(const search::PlanRequest& request, const std::vector<CandidateView>& views);

    /// Ids of the rows of figures of `candidate` of one of `kinds` whose key holds one of
    /// `keyParts`; without key parts all of the kind.
    [[nodiscard]] std::vector<std::string> find(
        const search::CandidateRequest& candidate, const std::vector<std::string_view>& kinds,
        const std::vector<std::string_view>& keyParts = {}) const;
    /// The first of them, or "".
    [[nodiscard]] std::string first(const search::CandidateRequest& candidate,
                                    const std::vector<std::string_view>& kinds,
                                    const std::vector<std::string_view>& keyParts = {}) const;
    /// Figures of `candidate` with this status.
    [[nodiscard]] std::vector<const search::FigureUse*> withStatus(
        const search::CandidateRequest& candidate, std::string_view status) const;
    [[nodiscard]] std::string idOf(const search::FigureUse& figure) const;

    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// The appendix, one group of rows for each catalog row.
    [[nodiscard]] Table table() const;

private:
    struct Entry {
        search::FigureUse figure;
        std::vector<std::string> usedBy;  ///< empty: the model, by all
        std::string id;
    };
    void add(const search::FigureUse& figure, const std::string& user);
    [[nodiscard]] std::size_t indexOf(const search::FigureUse& figure) const;

    std::size_t candidates_;
    std::vector<Entry> entries_;
    std::multimap<std::string, std::size_t> byKey_;  ///< "kind id key" to entries
};

/// A figure with its value, status, source and date under figureColumns(), its note below.
[[nodiscard]] std::vector<Column> figureColumns();
[[nodiscard]] Row figureRow(const search::FigureUse& figure);

/// "hbm_bandwidth_bytes_per_s" -> "hbm bandwidth".
[[nodiscard]] Text figureLabel(const std::string& key);

}  // namespace trainwright::reports
