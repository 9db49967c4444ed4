// SPDX-License-Identifier: GPL-3.0-or-later
// The rules of AWS's price list that its JSON, its CSV and get-products share: which product is the
// plain Linux machine, and what its terms come to by the hour.
//
// A type has dozens of SKUs in a region: operating systems, licences, tenancies, capacity
// reservations, Capacity Blocks (whose rows carry the fee of the operating system alone). One is
// the machine. Reserved terms have an hourly and an upfront part, of which either may be zero.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "data/import/price_collector.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {

/// Attributes of a product by the names that the JSON has; "" where there is none.
struct AwsProduct {
    std::string sku, productFamily, instanceType, operatingSystem, tenancy, preInstalledSw,
        capacityStatus, licenseModel, marketOption, operation, usageType, regionCode, location,
        locationType;

    /// Sets the attribute of that name, in the JSON's spelling; others are passed over.
    void set(std::string_view attribute, std::string_view value);
    /// Whether set() would keep it.
    [[nodiscard]] static bool isOfInterest(std::string_view attribute);
};

/// The place of a product that is the plain Linux machine; what isn't, is left with its reason.
[[nodiscard]] std::optional<PricePlace> placeOf(const AwsProduct& product,
                                                PriceCollector& collector);

/// A product that was found to be the plain machine.
struct AwsMachine {
    std::string sku, unit;
    PricePlace place;
};

/// One term of a SKU, gathered dimension by dimension.
class AwsTerm {
public:
    bool isReserved = false;
    std::string effectiveDate, lease, purchaseOption, offeringClass;

    /// A price dimension: its unit and its price in `currency`. A finding's text when the amount
    /// isn't one.
    [[nodiscard]] std::optional<Text> addDimension(std::string_view unit, std::string_view currency,
                                                   std::string_view amount);
    /// Takes what the term comes to; leaves what isn't a price.
    void finish(const AwsMachine& machine, PriceCollector& collector) const;

private:
    std::optional<double> hourly_, upfront_;
    bool hasZeroHourly_ = false;
    std::string otherCurrency_, otherUnit_;
};

/// A term's object as the JSON formats have it, into `term`.
void readAwsTerm(JsonReader& json, AwsTerm& term);

}  // namespace trainwright::import::prices
