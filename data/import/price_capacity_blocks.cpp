// SPDX-License-Identifier: GPL-3.0-or-later
// Capacity Blocks: `aws ec2 describe-capacity-block-offerings`, whose fee is that of all instances
// and all hours, and scrapes of the price page, whose rate is by the instance and hour, but in
// older ones by the accelerator.
#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "data/import/price_records.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

constexpr double kSecondsPerHour = 3600.0;

struct Offers {
    PricePlace place;
    double rate = 0;   ///< of the largest block among the cheapest
    double hours = 0;  ///< of all its instances together
    double lowest = 0, highest = 0;
    int count = 0;
};

}  // namespace

Trouble readCapacityBlockOfferings(FileSource& source, const std::string& file,
                                   PriceCollector& collector) {
    std::map<std::tuple<std::string, std::string, std::string>, Offers> found;
    const Trouble trouble = readRecords(
        source, file, "CapacityBlockOfferings", [&](const Record& r) -> std::optional<Text> {
            const std::string type = textOf(r, "InstanceType");
            const Amount fee = readAmount(textOf(r, "UpfrontFee"), kMostUpfront);
            if (fee.kind == AmountKind::Wrong) return fee.problem;
            if (!collector.knows(type)) {
                collector.leaveUnknown(type);
                return std::nullopt;
            }
            const std::string currency = textOf(r, "CurrencyCode");
            if (!currency.empty() && currency != "USD") {
                collector.leave(Text{"a price in {1}; prices are kept in USD", {currency}}, type);
                return std::nullopt;
            }
            const std::string tenancy = textOf(r, "Tenancy");
            if (!tenancy.empty() && tenancy != "default") {
                collector.leave("dedicated tenancy", type);
                return std::nullopt;
            }
            const double count = numberOf(r, "InstanceCount").value_or(0);
            const double hours = numberOf(r, "CapacityBlockDurationHours").value_or(0) +
                                 numberOf(r, "CapacityBlockDurationMinutes").value_or(0) / 60.0;
            if (fee.kind != AmountKind::Amount || count < 1 || !(hours > 0)) {
                collector.leave("an offering without fee, number of instances or duration", type);
                return std::nullopt;
            }
            const auto start = secondsOf(textOf(r, "StartDate"));
            const auto end = secondsOf(textOf(r, "EndDate"));
            constexpr double kTolerance = 0.02;
            if (start && end &&
                std::abs((*end - *start) / kSecondsPerHour - hours) > kTolerance * hours + 0.5) {
                collector.leave("an offering whose duration and dates contradict each other", type);
                return std::nullopt;
            }
            const std::string zone = textOf(r, "AvailabilityZone");
            const std::optional<PricePlace> place = collector.places().ofZone(zone);
            if (!place) {
                collector.leave("in a zone whose region can't be told", type + " " + zone);
                return std::nullopt;
            }
            // An UltraServer's instances are counted by InstanceCount already.
            const double rate = fee.value / (count * hours);
            Offers& offers = found[{type, place->region, place->zone}];
            // Fees are rounded: of rates that are the same but for that, the largest block's is
            // the most exact.
            constexpr double kRounding = 0.001;
            const bool isSame =
                offers.count > 0 && std::abs(rate - offers.rate) <= kRounding * offers.rate;
            if (offers.count == 0 || (isSame ? count * hours > offers.hours : rate < offers.rate)) {
                offers.rate = rate;
                offers.hours = count * hours;
            }
            offers.place = *place;
            offers.lowest = offers.count == 0 ? rate : std::min(offers.lowest, rate);
            offers.highest = std::max(offers.highest, rate);
            ++offers.count;
            return std::nullopt;
        });
    if (trouble) return trouble;
    for (const auto& [key, offers] : found) {
        catalog::ImportedPrice price;
        price.unitId = std::get<0>(key);
        price.region = offers.place.region;
        price.zone = offers.place.zone;
        price.plan = "capacity_block";
        price.usdPerHour = offers.rate;
        if (offers.count > 1) {
            price.note = std::to_string(offers.count) + " offerings, from " +
                         units::groupedNumber(offers.lowest, 2) + " to " +
                         units::groupedNumber(offers.highest, 2) + " USD/h; the lowest";
        }
        collector.take(std::move(price));
    }
    collector.setFormat("AWS Capacity Block offerings");
    return std::nullopt;
}

Trouble readCapacityBlockPage(FileSource& source, const std::string& file,
                              PriceCollector& collector) {
    JsonReader json(source, file);
    const auto readType = [&](const std::string& type, const Record& entry, const Place& place) {
        const double accelerators = numberOf(entry, "accelerator_count").value_or(0);
        for (const Record& row : memberOf(entry, "pricing")) {
            const Amount hourly = readAmount(textOf(row, "hourly_rate_usd"));
            const Amount each = readAmount(textOf(row, "accelerator_hourly_rate_usd"));
            for (const Amount& amount : {hourly, each}) {
                if (amount.kind == AmountKind::Wrong) {
                    json.fail(Finding{Severity::Error, amount.problem, place});
                    return;
                }
            }
            if (!collector.knows(type)) {
                collector.leaveUnknown(type);
                continue;
            }
            if (hourly.kind != AmountKind::Amount) {
                collector.leave("no price, or a price of 0", type);
                continue;
            }
            const std::string code = textOf(row, "region_code");
            const std::string name = textOf(row, "region");
            std::optional<std::string> region;
            if (const auto zone = collector.places().ofZone(code); zone && zone->zone.empty()) {
                region = zone->region;
            } else if (Places::isRegion(code)) {
                region = code;
            } else {
                region = collector.places().named(name);
            }
            if (!region) {
                collector.leave("in a place that can't be told from region code and name",
                                type + " " + name);
                continue;
            }
            catalog::ImportedPrice price;
            price.unitId = type;
            price.region = *region;
            price.plan = "capacity_block";
            price.confidence = "medium";
            price.usdPerHour = hourly.value;
            constexpr double kTolerance = 0.01;
            if (each.kind != AmountKind::Amount && accelerators > 1) {
                // Where the rate of the accelerator is missing, it stands in the machine's place.
                price.usdPerHour = hourly.value * accelerators;
                price.note = "the page's rate is that of one accelerator; times " +
                             units::groupedNumber(accelerators);
                collector.note(
                    Text{"{1}: the rate of {2} USD is that of one accelerator, and is "
                         "taken times {3}.",
                         {type, units::groupedNumber(hourly.value, 4),
                          units::groupedNumber(accelerators)}});
            } else if (each.kind == AmountKind::Amount && accelerators > 0 &&
                       std::abs(each.value * accelerators - hourly.value) >
                           kTolerance * hourly.value) {
                collector.leave("a rate that isn't that of its accelerators together", type);
                continue;
            }
            collector.take(std::move(price));
        }
    };
    if (json.next() != Token::ObjectBegin && !json.failed()) {
        json.fail("an object is expected here");
    }
    json.members([&](std::string_view key) {
        if (key == "metadata") {
            const Record metadata = json.value();
            collector.setPublished(dayOf(textOf(metadata, "last_updated")));
        } else if (key == "instance_types") {
            json.object([&](std::string_view name) {
                const std::string type(name);
                const Place place = json.place();
                const Record entry = json.value();
                if (!json.failed()) readType(type, entry, place);
            });
        } else {
            json.skip();
        }
    });
    if (!json.failed() && json.next() != Token::End && !json.failed()) {
        json.fail("something follows the end of the page");
    }
    if (json.failed()) return json.error();
    collector.setFormat("AWS Capacity Block price page");
    return std::nullopt;
}

}  // namespace trainwright::import::prices
