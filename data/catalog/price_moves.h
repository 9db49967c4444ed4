// SPDX-License-Identifier: GPL-3.0-or-later
// What differs between two sets of prices, and between two catalogs.
//
// Of each (provider, unit, region, plan) the row that speaks (speaksBefore) is compared; rows that
// are suspect or superseded never speak. It says what moved, not what follows from it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/catalog/overlay.h"

namespace trainwright::catalog {

/// Of each (provider, unit, region, plan) the listed row that speaks, sorted by unit, region, plan
/// and provider.
[[nodiscard]] std::vector<PriceRow> speakingPrices(const std::vector<PriceRow>& rows);

struct PriceMove {
    std::optional<PriceRow> before, after;  ///< at least one is there
    /// (after − before) / before; 0 where one of them is missing.
    [[nodiscard]] double change() const;
    [[nodiscard]] const PriceRow& row() const { return after ? *after : *before; }
};

struct PriceMoves {
    std::vector<PriceMove> moved;  ///< the largest change first
    std::vector<PriceMove> added;  ///< by unit, region, plan
    std::vector<PriceMove> gone;
    std::size_t confirmed = 0;  ///< as they were, seen later
    std::size_t same = 0;       ///< as they were, seen on the same day
};

/// From the rows `before` to the rows `after`.
[[nodiscard]] PriceMoves priceMoves(const std::vector<PriceRow>& before,
                                    const std::vector<PriceRow>& after);

/// A batch's prices as rows, without those of files that `overlay` has already; `time` is that of
/// the import.
[[nodiscard]] std::vector<PriceRow> rowsOf(const ImportBatch& batch, const Overlay& overlay,
                                           const std::string& time);

/// A figure in use that differs between two catalogs, or is in one alone ("").
struct FigureMove {
    std::string kind, id, key, before, after;  ///< values as people read them
};
[[nodiscard]] std::vector<FigureMove> figureMoves(const Catalog& before, const Catalog& after);

/// As tables; of each at most `most` rows (0: all), the rest counted.
[[nodiscard]] std::string movesText(const PriceMoves& moves, const std::vector<FigureMove>& figures,
                                    std::size_t most);
/// As a JSON object: schema, moved, new, gone, confirmed, same and figures.
[[nodiscard]] std::string movesJson(const PriceMoves& moves,
                                    const std::vector<FigureMove>& figures);

/// Rows in the columns of rows/prices.csv, which `catalog import prices` reads; zone and the
/// quantiles follow as further columns where a row has them.
[[nodiscard]] std::string pricesCsv(const std::vector<PriceRow>& rows);

}  // namespace trainwright::catalog
