// SPDX-License-Identifier: GPL-3.0-or-later
// SkyPilot's vms.csv, of every cloud: a row for each type and zone. AWS's zones are ids, and Local
// Zones stand under their parent. Google's machines are sold without their accelerators, which have
// rows of their own with a blank type: the two are added. Lambda repeats one price in every region.
// 700.0 stands for a price that isn't known.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "data/import/price_csv.h"
#include "data/import/price_formats.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

constexpr double kUnknownPrice = 700.0;
/// Below this share of the catalog's price a third party's is likely that of another product.
constexpr double kSuspectShare = 0.55;
constexpr const char* kEverywhere = "all";

struct Row {
    std::string unit, region, zone, accelerator, count;
    Amount onDemand, spot;
    bool isMachineAlone = false;
};

class SkyPilotReader {
public:
    SkyPilotReader(FileSource& source, const std::string& file, PriceCollector& collector)
        : csv_(source, file), collector_(collector) {}

    Trouble read() {
        if (!csv_.next()) return csv_.failed() ? Trouble(csv_.error()) : std::nullopt;
        csv_.useAsHeader();
        const auto type = csv_.column("InstanceType");
        const auto accelerator = csv_.column("AcceleratorName");
        const auto count = csv_.column("AcceleratorCount");
        const auto price = csv_.column("Price");
        const auto spot = csv_.column("SpotPrice");
        const auto region = csv_.column("Region");
        const auto zone = csv_.column("AvailabilityZone");
        if (!region || !spot) {
            csv_.fail(std::nullopt, "the column `{1}` is missing",
                      {region ? "SpotPrice" : "Region"});
            return csv_.error();
        }
        while (csv_.next()) {
            Row row;
            row.unit = csv_.field(type);
            row.region = csv_.field(region);
            row.zone = csv_.field(zone);
            row.accelerator = csv_.field(accelerator);
            row.count = csv_.field(count);
            if (!isOfInterest(row)) continue;
            row.onDemand = amountOf(price);
            row.spot = amountOf(spot);
            if (csv_.failed()) break;
            if (!seen_
                     .insert(std::string(row.unit) + '\n' + row.accelerator + '\n' + row.count +
                             '\n' + row.region + '\n' + row.zone + '\n' +
                             std::string(csv_.field(price)) + '\n' + std::string(csv_.field(spot)))
                     .second) {
                collector_.leave("an exact repetition of a row", nameOf(row));
                continue;
            }
            rows_.push_back(std::move(row));
        }
        if (csv_.failed()) return csv_.error();
        addAccelerators();
        for (const Row& row : rows_) take(row);
        finish();
        return std::nullopt;
    }

private:
    static std::string nameOf(const Row& row) {
        return row.unit.empty() ? row.accelerator : row.unit;
    }

    /// Only rows of machines that the catalog describes are kept.
    bool isOfInterest(const Row& row) {
        if (!row.unit.empty()) {
            if (collector_.knows(row.unit)) return true;
            collector_.leaveUnknown(row.unit);
            return false;
        }
        // An accelerator's own row: a TPU slice by its name, or a part of a machine.
        if (row.accelerator.empty()) {
            collector_.leaveUnknown(row.region);
            return false;
        }
        return true;
    }

    Amount amountOf(std::optional<std::size_t> column) {
        std::string_view text = csv_.field(column);
        if (text == "nan" || text == "NaN") text = {};  // as pandas writes a missing one
        const Amount amount = readAmount(text);
        if (amount.kind == AmountKind::Wrong) {
            csv_.fail(column, amount.problem.pattern, amount.problem.arguments);
        }
        if (amount.kind == AmountKind::Amount && amount.value == kUnknownPrice) return {};
        return amount;
    }

    /// Adds the rows of accelerators to those of the machines that hold them.
    void addAccelerators() {
        std::map<std::tuple<std::string, std::string, std::string>, Row> parts;
        std::vector<Row> whole;
        for (Row& row : rows_) {
            if (!row.unit.empty()) {
                whole.push_back(std::move(row));
            } else if (collector_.knows(row.accelerator)) {
                row.unit = row.accelerator;
                row.accelerator.clear();
                whole.push_back(std::move(row));
            } else {
                parts.insert_or_assign({row.accelerator, row.count, row.zone}, std::move(row));
            }
        }
        std::set<std::tuple<std::string, std::string, std::string>> used;
        if (!parts.empty()) {
            for (Row& row : whole) {
                if (row.accelerator.empty()) continue;
                const std::tuple key{row.accelerator, row.count, row.zone};
                const auto part = parts.find(key);
                if (part == parts.end()) {
                    row.isMachineAlone = true;
                    continue;
                }
                used.insert(key);
                row.onDemand = sum(row.onDemand, part->second.onDemand);
                row.spot = sum(row.spot, part->second.spot);
            }
        }
        for (const auto& [key, part] : parts) {
            if (used.count(key) == 0) {
                collector_.leave("an accelerator without a machine that the catalog describes",
                                 part.accelerator);
            }
        }
        rows_ = std::move(whole);
    }

    /// The machine may cost nothing beside its accelerator; a part that isn't known makes the sum
    /// unknown.
    static Amount sum(const Amount& machine, const Amount& accelerator) {
        if (machine.kind == AmountKind::Absent || accelerator.kind != AmountKind::Amount) return {};
        return Amount{AmountKind::Amount, machine.value + accelerator.value, {}};
    }

    [[nodiscard]] std::string providerOf(const Row& row) const {
        return collector_.providerOf(row.unit);
    }

    void take(const Row& row) {
        if (row.isMachineAlone) {
            collector_.leave("a machine whose accelerator has no row of its own to add", row.unit);
            return;
        }
        const std::string provider = providerOf(row);
        providers_.insert(provider);
        PricePlace place{row.region, row.zone};
        if (provider == "aws") {
            const auto found = collector_.places().ofZone(row.zone);
            if (!found) {
                collector_.leave("in a zone whose region can't be told", row.unit + " " + row.zone);
                return;
            }
            place = *found;
        } else if (provider == "lambda") {
            place = PricePlace{kEverywhere, {}};
        }
        if (place.region.empty()) {
            collector_.leave("without a region", row.unit);
            return;
        }
        if (row.onDemand.kind == AmountKind::Amount) {
            onDemand_[{row.unit, place.region, provider}].push_back(
                {place.zone, row.onDemand.value});
        } else {
            collector_.leave("no price on demand there", row.unit + " " + place.region);
        }
        if (row.spot.kind == AmountKind::Amount) {
            catalog::ImportedPrice price;
            price.unitId = row.unit;
            price.region = place.region;
            price.zone = place.zone;
            price.provider = provider;
            price.plan = "spot";
            price.usdPerHour = row.spot.value;
            price.confidence = "medium";
            price.note = "at one moment";
            if (provider == "lambda") return;
            collector_.take(std::move(price));
        } else if (provider != "lambda") {
            collector_.leave("no spot price there", row.unit + " " + place.region);
        }
    }

    /// A price on demand holds in the whole region; where its zones differ, each has its own.
    void finish() {
        for (const auto& [key, zones] : onDemand_) {
            const auto& [unit, region, provider] = key;
            const bool isOne = std::all_of(zones.begin(), zones.end(), [&](const auto& zone) {
                return zone.second == zones.front().second;
            });
            if (isOne && zones.size() > 1) {
                collector_.leave("the same price in a further zone, or region, where one holds",
                                 unit, static_cast<std::int64_t>(zones.size()) - 1);
            }
            for (const auto& [zone, value] : zones) {
                catalog::ImportedPrice price;
                price.unitId = unit;
                price.region = region;
                price.zone = isOne ? std::string() : zone;
                price.provider = provider;
                price.plan = "on_demand";
                price.usdPerHour = value;
                price.confidence = "medium";
                const double listed = listedOnDemand(unit, region);
                if (provider != "aws" && listed > 0 && value < kSuspectShare * listed) {
                    price.status = "suspect";
                    price.note = "about " + units::groupedNumber(100.0 * value / listed) +
                                 "% of the price on demand that the catalog has: likely of "
                                 "another way to buy";
                    collector_.note(
                        Text{"{1} in {2}: {3} USD an hour is {4}% of the catalog's price on "
                             "demand; it is kept as suspect and not used.",
                             {unit, region, units::groupedNumber(value, 4),
                              units::groupedNumber(100.0 * value / listed)}});
                }
                collector_.take(std::move(price));
                if (isOne) break;
            }
        }
        std::string clouds;
        for (const std::string& provider : providers_) {
            clouds += (clouds.empty() ? "" : ", ") + provider;
        }
        collector_.setFormat("SkyPilot catalog", clouds);
    }

    /// The highest price on demand listed for the unit, in the region if it has one there.
    double listedOnDemand(const std::string& unit, const std::string& region) const {
        double here = 0;
        double anywhere = 0;
        for (const catalog::PriceRow& row : collector_.catalog().prices(unit)) {
            if (row.status != "listed" || row.plan != "on_demand") continue;
            anywhere = std::max(anywhere, row.usdPerHour);
            if (row.region == region) here = std::max(here, row.usdPerHour);
        }
        return here > 0 ? here : anywhere;
    }

    CsvReader csv_;
    PriceCollector& collector_;
    std::vector<Row> rows_;
    std::set<std::string> seen_;
    std::set<std::string> providers_;
    std::map<std::tuple<std::string, std::string, std::string>,
             std::vector<std::pair<std::string, double>>>
        onDemand_;
};

}  // namespace

Trouble readSkyPilot(FileSource& source, const std::string& file, PriceCollector& collector) {
    return SkyPilotReader(source, file, collector).read();
}

}  // namespace trainwright::import::prices
