// SPDX-License-Identifier: GPL-3.0-or-later
// An import of prices as people and programs read it: what was taken and left of each file, and
// what moves.
#pragma once

#include <cstdint>
#include <string>

#include "data/catalog/price_moves.h"
#include "data/import/price_import.h"

namespace trainwright::import {

struct PriceImportOutcome {
    catalog::PriceMoves moves;
    catalog::ImportResult written;
    std::string overlay;    ///< the file
    bool isDryRun = false;  ///< nothing was written
    std::size_t most = 40;  ///< rows of a table of moves; 0: all
};

/// Whether `overlay` has all files of the import already, so that nothing changes.
[[nodiscard]] bool isKnown(const PriceImport& read, const catalog::Overlay& overlay);

[[nodiscard]] std::string priceReportText(const PriceImport& read, const catalog::Overlay& overlay,
                                          const PriceImportOutcome& outcome);
[[nodiscard]] std::string priceReportJson(const PriceImport& read, const catalog::Overlay& overlay,
                                          const PriceImportOutcome& outcome);

}  // namespace trainwright::import
