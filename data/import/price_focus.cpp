// SPDX-License-Identifier: GPL-3.0-or-later
// A FOCUS billing export: a row for each charge. What an hour came to is EffectiveCost over hours,
// by type, region and pricing category; it holds for whoever pays this bill, so it is kept under
// plans of its own (billed_on_demand, billed_spot, billed_committed), and a list price on the bill
// beside it as the list price that it is.
#include <algorithm>
#include <map>
#include <tuple>

#include "data/import/price_csv.h"
#include "data/import/price_formats.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

struct Sum {
    double cost = 0, hours = 0;
};

struct Listed {
    double price = 0;
    std::string day;
};

std::string planOf(std::string_view category) {
    if (category == "Standard") return "billed_on_demand";
    if (category == "Dynamic") return "billed_spot";
    if (category == "Committed") return "billed_committed";
    return {};
}

/// The type in "USE2-BoxUsage:trn1.32xlarge"; us-east-1 has no prefix.
std::string_view typeOf(std::string_view usage) {
    for (const std::string_view word : {"BoxUsage:", "SpotUsage:"}) {
        const std::size_t at = usage.find(word);
        if (at != std::string_view::npos && (at == 0 || usage[at - 1] == '-')) {
            return usage.substr(at + word.size());
        }
    }
    return {};
}

}  // namespace

Trouble readFocus(FileSource& source, const std::string& file, PriceCollector& collector) {
    CsvReader csv(source, file);
    if (!csv.next()) return csv.failed() ? Trouble(csv.error()) : std::nullopt;
    csv.useAsHeader();
    for (const char* needed :
         {"ChargeCategory", "EffectiveCost", "PricingCategory", "PricingQuantity", "RegionId",
          "x_UsageType", "x_Operation", "ChargePeriodEnd", "BillingCurrency"}) {
        if (!csv.column(needed)) {
            return Finding{Severity::Error, Text{"the column `{1}` is missing", {needed}},
                           csv.place()};
        }
    }
    const auto charge = csv.column("ChargeCategory");
    const auto chargeClass = csv.column("ChargeClass");
    const auto cost = csv.column("EffectiveCost");
    const auto category = csv.column("PricingCategory");
    const auto quantity = csv.column("PricingQuantity");
    const auto unit = csv.column("PricingUnit");
    const auto region = csv.column("RegionId");
    const auto usage = csv.column("x_UsageType");
    const auto operation = csv.column("x_Operation");
    const auto end = csv.column("ChargePeriodEnd");
    const auto currency = csv.column("BillingCurrency");
    const auto list = csv.column("ListUnitPrice");

    std::map<std::tuple<std::string, std::string, std::string>, Sum> sums;
    std::map<std::pair<std::string, std::string>, Listed> listed;
    while (csv.next()) {
        const std::string_view kind = csv.field(charge);
        const std::string use(csv.field(usage));
        if (kind == "Purchase") {
            collector.leave(
                "a fee paid at once: the bill doesn't say for how many instances and "
                "hours",
                use);
            continue;
        }
        if (kind != "Usage" || csv.field(chargeClass) == "Correction") {
            collector.leave("a credit, tax, adjustment or correction", std::string(kind));
            continue;
        }
        const std::string type(typeOf(use));
        if (type.empty()) {
            collector.leave("not an hour of a machine", use);
            continue;
        }
        const std::string_view what = csv.field(operation);
        if (what.size() >= 3 && what.substr(what.size() - 3) == ":CB") {
            collector.leave("an hour in a Capacity Block, which its fee has paid for", type);
            continue;
        }
        // RunInstances alone is Linux; a number behind it is another system or licence.
        if (what != "RunInstances") {
            collector.leave("another operating system than plain Linux", type);
            continue;
        }
        if (csv.field(currency) != "USD") {
            collector.leave(
                Text{"a price in {1}; prices are kept in USD", {std::string(csv.field(currency))}},
                type);
            continue;
        }
        if (!collector.knows(type)) {
            collector.leaveUnknown(type);
            continue;
        }
        const std::string plan = planOf(csv.field(category));
        const std::string_view unitName = csv.field(unit);
        if (plan.empty() || (unitName != "Hours" && unitName != "Hrs" && unitName != "Hour")) {
            collector.leave("of a pricing category or unit that isn't known", type);
            continue;
        }
        const Amount paid = readAmount(csv.field(cost), kMostUpfront);
        const Amount hours = readAmount(csv.field(quantity), kMostUpfront);
        const Amount price = readAmount(csv.field(list));
        for (const auto& [amount, column] :
             {std::pair{paid, cost}, {hours, quantity}, {price, list}}) {
            if (amount.kind == AmountKind::Wrong) {
                csv.fail(column, amount.problem.pattern, amount.problem.arguments);
            }
        }
        const std::string day = dayOf(csv.field(end));
        if (day.empty()) {
            csv.fail(end, "`{1}` is not a date", {std::string(csv.field(end))});
        }
        if (csv.failed()) break;
        if (paid.kind != AmountKind::Amount || hours.kind != AmountKind::Amount) {
            collector.leave("an hour without a cost of its own", type);
            continue;
        }
        const std::string place(csv.field(region));
        if (place.empty()) {
            collector.leave("without a region", type);
            continue;
        }
        collector.setPublished(day);
        Sum& sum = sums[{type, place, plan}];
        sum.cost += paid.value;
        sum.hours += hours.value;
        if (price.kind == AmountKind::Amount && plan != "billed_spot") {
            Listed& newest = listed[{type, place}];
            if (day >= newest.day) newest = Listed{price.value, day};
        }
    }
    if (csv.failed()) return csv.error();
    for (const auto& [key, sum] : sums) {
        catalog::ImportedPrice price;
        std::tie(price.unitId, price.region, price.plan) = key;
        price.usdPerHour = sum.cost / sum.hours;
        price.note = "effective rate of " + units::groupedNumber(sum.hours, 1) + " hours billed";
        collector.take(std::move(price));
    }
    for (const auto& [key, newest] : listed) {
        catalog::ImportedPrice price;
        price.unitId = key.first;
        price.region = key.second;
        price.plan = "on_demand";
        price.usdPerHour = newest.price;
        price.observed = newest.day;
        price.note = "list price on a bill";
        collector.take(std::move(price));
    }
    collector.setFormat("FOCUS billing export");
    return std::nullopt;
}

}  // namespace trainwright::import::prices
