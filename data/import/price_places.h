// SPDX-License-Identifier: GPL-3.0-or-later
// Where a price holds: AWS's regions, their zones and Local Zones under the names that files use.
//
// A Local Zone is a region of its own here ("us-east-1-atl-2a"), since its prices are its own. The
// names follow from AWS's scheme (use2-az3 is a zone of us-east-2); the catalog's regions are asked
// only for names of cities. Whether a region exists is nobody's business here.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "data/catalog/catalog.h"

namespace trainwright::import::prices {

struct PricePlace {
    std::string region;
    std::string zone;  ///< as the file names it; empty: the whole region
    friend bool operator==(const PricePlace&, const PricePlace&) = default;
};

class Places {
public:
    explicit Places(const catalog::Catalog& catalog);

    /// "us-east-2c", "use2-az3", "us-east-1-atl-2a", "use1-atl2-az1"; nothing of other shapes and
    /// of Wavelength Zones.
    [[nodiscard]] std::optional<PricePlace> ofZone(std::string_view zone) const;

    /// Whether it looks like a region of AWS: "us-east-2", "us-gov-west-1".
    [[nodiscard]] static bool isRegion(std::string_view region);

    /// The place of a product of AWS's price list. `regionCode` may be missing, and is the parent's
    /// or the zone group's ("us-east-1-atl-2") for a Local Zone, which `usageType` tells by its
    /// beginning ("ATL2-BoxUsage:…"). Nothing when it can't be told.
    [[nodiscard]] std::optional<PricePlace> ofProduct(std::string_view regionCode,
                                                      std::string_view location,
                                                      std::string_view locationType,
                                                      std::string_view usageType) const;

    /// The region that a page calls "US East (Ohio)", or "Dallas Local Zone (…)".
    [[nodiscard]] std::optional<std::string> named(std::string_view name) const;

private:
    [[nodiscard]] std::string localZone(const std::string& group) const;

    std::vector<catalog::Entry> regions_;
};

}  // namespace trainwright::import::prices
