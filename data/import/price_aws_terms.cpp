// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_aws_terms.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trainwright::import::prices {
namespace {

constexpr std::array<std::pair<std::string_view, std::string AwsProduct::*>, 12> kAttributes = {
    {{"instanceType", &AwsProduct::instanceType},
     {"operatingSystem", &AwsProduct::operatingSystem},
     {"tenancy", &AwsProduct::tenancy},
     {"preInstalledSw", &AwsProduct::preInstalledSw},
     {"capacitystatus", &AwsProduct::capacityStatus},
     {"licenseModel", &AwsProduct::licenseModel},
     {"marketoption", &AwsProduct::marketOption},
     {"operation", &AwsProduct::operation},
     {"usagetype", &AwsProduct::usageType},
     {"regionCode", &AwsProduct::regionCode},
     {"location", &AwsProduct::location},
     {"locationType", &AwsProduct::locationType}}};

std::string AwsProduct::*memberOf(std::string_view attribute) {
    for (const auto& [name, member] : kAttributes) {
        if (name == attribute) return member;
    }
    return nullptr;
}

bool isHour(std::string_view unit) {
    return unit == "Hrs" || unit == "hrs" || unit == "Hours" || unit == "Hour" || unit == "hours";
}

}  // namespace

void AwsProduct::set(std::string_view attribute, std::string_view value) {
    if (const auto member = memberOf(attribute)) this->*member = std::string(value);
}

bool AwsProduct::isOfInterest(std::string_view attribute) {
    return memberOf(attribute) != nullptr;
}

std::optional<PricePlace> placeOf(const AwsProduct& p, PriceCollector& collector) {
    const auto leave = [&](const char* reason) {
        collector.leave(reason, p.instanceType.empty() ? p.sku : p.instanceType);
        return std::nullopt;
    };
    if (p.productFamily == "Dedicated Host" || p.tenancy == "Host") {
        return leave("a Dedicated Host: its type is a family, its price that of a whole host");
    }
    if (p.productFamily != "Compute Instance" &&
        p.productFamily != "Compute Instance (bare metal)") {
        return leave("not a machine: storage, traffic, addresses and the like");
    }
    // Capacity Blocks first: they pass all other tests, and their rows carry the fee of the
    // operating system alone, which for Linux is 0.
    if (p.marketOption == "CapacityBlock" ||
        (p.operation.size() >= 3 && p.operation.compare(p.operation.size() - 3, 3, ":CB") == 0)) {
        return leave(
            "a Capacity Block's fee for the operating system, which isn't the price of the "
            "machine");
    }
    if (!p.marketOption.empty() && p.marketOption != "OnDemand" && p.marketOption != "NA") {
        return leave("sold on another market than on demand");
    }
    if (p.capacityStatus == "AllocatedCapacityReservation") {
        return leave("a capacity reservation that is in use: what runs in it is billed elsewhere");
    }
    if (p.capacityStatus == "UnusedCapacityReservation") {
        return leave("a capacity reservation that is not in use");
    }
    if (!p.capacityStatus.empty() && p.capacityStatus != "Used") {
        return leave("of another capacity status than `Used`");
    }
    if (p.tenancy != "Shared") return leave("dedicated tenancy");
    if (p.operatingSystem != "Linux") return leave("another operating system than plain Linux");
    if (!p.preInstalledSw.empty() && p.preInstalledSw != "NA") {
        return leave("with software installed that costs extra");
    }
    if (!p.licenseModel.empty() && p.licenseModel != "No License required" &&
        p.licenseModel != "NA") {
        return leave("another licence model than none");
    }
    if (p.operation != "RunInstances" || p.usageType.find("BoxUsage") == std::string::npos) {
        return leave("another operation than running an instance");
    }
    if (!p.locationType.empty() && p.locationType != "AWS Region" &&
        p.locationType != "AWS Local Zone") {
        return leave("in a Wavelength Zone, on an Outpost or in another place of that kind");
    }
    std::optional<PricePlace> place =
        collector.places().ofProduct(p.regionCode, p.location, p.locationType, p.usageType);
    if (!place) return leave("in a place that can't be told from region code and location");
    return place;
}

std::optional<Text> AwsTerm::addDimension(std::string_view unit, std::string_view currency,
                                          std::string_view amount) {
    if (currency != "USD") {
        otherCurrency_ = std::string(currency);
        return std::nullopt;
    }
    const bool isUpfront = unit == "Quantity";
    if (!isUpfront && !isHour(unit)) {
        otherUnit_ = std::string(unit);
        return std::nullopt;
    }
    const Amount read = readAmount(amount, isUpfront ? kMostUpfront : 1e6);
    if (read.kind == AmountKind::Wrong) return read.problem;
    if (read.kind == AmountKind::Absent) return std::nullopt;
    if (isUpfront) {
        upfront_ = upfront_.value_or(0) + read.value;
    } else {
        hasZeroHourly_ = hasZeroHourly_ || read.kind == AmountKind::Zero;
        hourly_ = hourly_ ? std::max(*hourly_, read.value) : read.value;
    }
    return std::nullopt;
}

void AwsTerm::finish(const AwsMachine& machine, PriceCollector& collector) const {
    if (!otherCurrency_.empty() && !hourly_ && !upfront_) {
        collector.leave(Text{"a price in {1}; prices are kept in USD", {otherCurrency_}},
                        machine.unit + " " + machine.place.region);
        return;
    }
    if (!collector.knows(machine.unit)) {
        collector.leaveUnknown(machine.unit);
        return;
    }
    if (!hourly_ && !upfront_) {
        collector.leave("no price by the hour", machine.unit);
        return;
    }
    catalog::ImportedPrice price;
    price.unitId = machine.unit;
    price.region = machine.place.region;
    price.zone = machine.place.zone;
    if (!isReserved) {
        if (!hourly_ || *hourly_ <= 0) {
            collector.leave("a price of 0: not known, rather than free", machine.unit);
            return;
        }
        price.plan = "on_demand";
        price.usdPerHour = *hourly_;
        collector.take(std::move(price), effectiveDate);
        return;
    }
    const double hours = hoursOfTerm(lease);
    std::string stem = "reserved";
    if (offeringClass == "convertible") {
        stem = "reserved_convertible";
    } else if (!offeringClass.empty() && offeringClass != "standard") {
        collector.leave("reserved under terms that aren't known",
                        machine.unit + " " + offeringClass);
        return;
    }
    price.plan = committedPlan(stem, lease, purchaseOption);
    if (price.plan.empty() || hours <= 0) {
        collector.leave("reserved under terms that aren't known",
                        machine.unit + " " + lease + " " + purchaseOption);
        return;
    }
    price.usdPerHour = hourly_.value_or(0) + upfront_.value_or(0) / hours;
    // Both parts have to be there where the option says so: half of a price looks cheap.
    const bool needsUpfront = purchaseOption != "No Upfront";
    if (price.usdPerHour <= 0 || (needsUpfront && upfront_.value_or(0) <= 0)) {
        collector.leave("reserved, without the part that is paid up front or by the hour",
                        machine.unit + " " + lease + " " + purchaseOption);
        return;
    }
    collector.take(std::move(price), effectiveDate);
}

}  // namespace trainwright::import::prices
