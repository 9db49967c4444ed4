// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog that takes single prices otherwise than its rows.
#include <algorithm>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"

namespace trainwright::catalog {

void Catalog::Implementation::applyPriceOverrides(const std::string& unitId,
                                                  std::vector<PriceRow>& rows) const {
    for (const PriceOverride& o : priceOverrides) {
        if (o.unitId != unitId) {
            continue;
        }
        const auto isOffer = [&](const PriceRow& row) {
            return row.region == o.region && row.plan == o.plan;
        };
        PriceRow row;
        if (const auto first = std::find_if(rows.begin(), rows.end(), isOffer);
            first != rows.end()) {
            row = *first;
        }
        std::erase_if(rows, isOffer);
        if (!o.usdPerHour) {
            continue;
        }
        row.unitId = unitId;
        row.region = o.region;
        row.plan = o.plan;
        row.usdPerHour = *o.usdPerHour;
        row.status = "listed";
        row.distribution.reset();
        if (!o.observed.empty()) {
            row.observed = o.observed;
        }
        rows.push_back(std::move(row));
    }
}

Catalog Catalog::withPrices(const std::vector<PriceOverride>& prices) const {
    auto implementation = std::make_unique<Implementation>(implementation_->path);
    implementation->calibration = implementation_->calibration;
    implementation->overlay = implementation_->overlay;
    implementation->overrides = implementation_->overrides;
    implementation->priceOverrides = implementation_->priceOverrides;
    implementation->priceOverrides.insert(implementation->priceOverrides.end(), prices.begin(),
                                          prices.end());
    return Catalog(std::move(implementation));
}

}  // namespace trainwright::catalog
