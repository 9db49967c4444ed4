// SPDX-License-Identifier: GPL-3.0-or-later
// `aws ec2 describe-spot-price-history`: a log of changes, newest first. A price holds in its zone
// until the next record of the same type, product and zone, so mean and quantiles are weighted by
// time; the last one holds until the newest record of the file. Only Linux counts.
#include <algorithm>
#include <map>
#include <tuple>
#include <vector>

#include "data/import/price_records.h"

namespace trainwright::import::prices {
namespace {

struct Change {
    double seconds = 0;
    double usdPerHour = 0;
};

struct Series {
    std::vector<Change> changes;
    PricePlace place;
};

/// The price below which the market was for `share` of the time; `held` is sorted by price.
double quantile(const std::vector<std::pair<double, double>>& held, double all, double share) {
    double passed = 0;
    for (const auto& [price, seconds] : held) {
        passed += seconds;
        if (passed >= share * all) return price;
    }
    return held.back().first;
}

catalog::PriceDistribution distributionOf(std::vector<Change> changes, double until) {
    std::stable_sort(changes.begin(), changes.end(),
                     [](const Change& a, const Change& b) { return a.seconds < b.seconds; });
    std::vector<std::pair<double, double>> held;
    double all = 0;
    double sum = 0;
    for (std::size_t i = 0; i < changes.size(); ++i) {
        const double end = i + 1 < changes.size() ? changes[i + 1].seconds : until;
        const double seconds = end - changes[i].seconds;
        held.emplace_back(changes[i].usdPerHour, seconds);
        all += seconds;
        sum += changes[i].usdPerHour * seconds;
    }
    if (!(all > 0)) {
        // Nothing is known but the price at one moment.
        const double price = changes.back().usdPerHour;
        return {price, price, price, dayOfSeconds(until), dayOfSeconds(until)};
    }
    std::sort(held.begin(), held.end());
    return {sum / all, quantile(held, all, 0.1), quantile(held, all, 0.9),
            dayOfSeconds(changes.front().seconds), dayOfSeconds(until)};
}

}  // namespace

Trouble readSpotHistory(FileSource& source, const std::string& file, PriceCollector& collector) {
    // Once as Linux/UNIX; as Linux/UNIX (Amazon VPC) where there is nothing else.
    std::map<std::pair<std::string, std::string>, Series> plain;
    std::map<std::pair<std::string, std::string>, Series> vpc;
    double newest = 0;
    long records = 0;
    const Trouble trouble = readRecords(
        source, file, "SpotPriceHistory", [&](const Record& record) -> std::optional<Text> {
            ++records;
            const std::string type = textOf(record, "InstanceType");
            const std::string product = textOf(record, "ProductDescription");
            const std::string zone = textOf(record, "AvailabilityZone");
            const std::string zoneId = textOf(record, "AvailabilityZoneId");
            const std::string stamp = textOf(record, "Timestamp");
            const std::optional<double> seconds = secondsOf(stamp);
            if (!seconds) {
                return Text{"`{1}` is not a time stamp, where `Timestamp` is expected", {stamp}};
            }
            newest = std::max(newest, *seconds);
            const bool isVpc = product == "Linux/UNIX (Amazon VPC)";
            if (product != "Linux/UNIX" && !isVpc) {
                collector.leave("another operating system than plain Linux", type + " " + product);
                return std::nullopt;
            }
            if (!collector.knows(type)) {
                collector.leaveUnknown(type);
                return std::nullopt;
            }
            const Amount amount = readAmount(textOf(record, "SpotPrice"));
            if (amount.kind == AmountKind::Wrong) return amount.problem;
            if (amount.kind != AmountKind::Amount) {
                collector.leave("no price, or a price of 0", type);
                return std::nullopt;
            }
            const std::optional<PricePlace> place =
                collector.places().ofZone(zone.empty() ? zoneId : zone);
            if (!place) {
                collector.leave("in a zone whose region can't be told", zone);
                return std::nullopt;
            }
            Series& series = (isVpc ? vpc : plain)[{type, zone.empty() ? zoneId : zone}];
            series.changes.push_back({*seconds, amount.value});
            if (series.place.region.empty()) series.place = *place;
            return std::nullopt;
        });
    if (trouble) return trouble;
    for (auto& [key, series] : vpc) {
        const auto [at, isNew] = plain.try_emplace(key, series);
        if (!isNew) {
            collector.leave("the same market under its second name, Linux/UNIX (Amazon VPC)",
                            key.first, static_cast<std::int64_t>(series.changes.size()));
        }
    }
    for (const auto& [key, series] : plain) {
        catalog::ImportedPrice price;
        price.unitId = key.first;
        price.region = series.place.region;
        price.zone = series.place.zone;
        price.plan = "spot";
        price.distribution = distributionOf(series.changes, newest);
        price.usdPerHour = price.distribution->mean;
        price.note = std::to_string(series.changes.size()) +
                     (series.changes.size() == 1 ? " record" : " records") +
                     " of the spot market; a listed price doesn't mean that there is capacity";
        collector.take(std::move(price));
    }
    if (records > 0) collector.setPublished(dayOfSeconds(newest));
    collector.setFormat("AWS spot price history");
    return std::nullopt;
}

}  // namespace trainwright::import::prices
