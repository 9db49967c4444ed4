// SPDX-License-Identifier: GPL-3.0-or-later
// Prices in the columns of the catalog's own rows: provider, unit_id, region, plan, usd_per_hour,
// observed, and where they are there source, confidence, status, note, zone, p10_usd_per_hour and
// p90_usd_per_hour. Whoever writes such a file means each row, so a field that isn't right is an
// error and not a row to pass over.
#include <array>

#include "data/import/price_csv.h"
#include "data/import/price_formats.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

bool isPlanName(std::string_view plan) {
    if (plan.empty()) return false;
    for (const char c : plan) {
        if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) return false;
    }
    return true;
}

/// A year, a month or a day.
bool isDate(std::string_view text) {
    std::string day(text);
    if (day.size() == 4) day += "-01";
    if (day.size() == 7) day += "-01";
    return day.size() == 10 && !dayOf(day).empty();
}

}  // namespace

Trouble readPlainCsv(FileSource& source, const std::string& file, PriceCollector& collector) {
    CsvReader csv(source, file);
    if (!csv.next()) return csv.failed() ? Trouble(csv.error()) : std::nullopt;
    csv.useAsHeader();
    for (const char* needed :
         {"provider", "unit_id", "region", "plan", "usd_per_hour", "observed"}) {
        if (!csv.column(needed)) {
            return Finding{Severity::Error, Text{"the column `{1}` is missing", {needed}},
                           csv.place()};
        }
    }
    const auto provider = csv.column("provider");
    const auto unit = csv.column("unit_id");
    const auto region = csv.column("region");
    const auto plan = csv.column("plan");
    const auto usd = csv.column("usd_per_hour");
    const auto observed = csv.column("observed");
    const auto origin = csv.column("source");
    const auto confidence = csv.column("confidence");
    const auto status = csv.column("status");
    const auto note = csv.column("note");
    const auto zone = csv.column("zone");
    const auto p10 = csv.column("p10_usd_per_hour");
    const auto p90 = csv.column("p90_usd_per_hour");
    const auto oneOf = [&](std::optional<std::size_t> column,
                           std::initializer_list<std::string_view> words, const char* expected) {
        const std::string_view text = csv.field(column);
        if (text.empty()) return;
        for (const std::string_view word : words) {
            if (text == word) return;
        }
        csv.fail(column, "`{1}` stands where one of {2} is expected",
                 {std::string(text), expected});
    };
    while (csv.next()) {
        catalog::ImportedPrice price;
        price.unitId = csv.field(unit);
        price.provider = csv.field(provider);
        price.region = csv.field(region);
        price.zone = csv.field(zone);
        price.plan = csv.field(plan);
        price.observed = csv.field(observed);
        price.source = csv.field(origin);
        price.confidence = csv.field(confidence);
        price.status = csv.field(status);
        price.note = csv.field(note);
        const Amount amount = readAmount(csv.field(usd));
        if (amount.kind == AmountKind::Wrong) {
            csv.fail(usd, amount.problem.pattern, amount.problem.arguments);
        } else if (amount.kind != AmountKind::Amount) {
            csv.fail(usd, "a price above 0 is expected here");
        }
        price.usdPerHour = amount.value;
        if (!isPlanName(price.plan)) {
            csv.fail(plan,
                     "`{1}` is not the name of a plan; small letters, digits and `_` make "
                     "one, as on_demand",
                     {price.plan});
        }
        if (!isDate(price.observed)) {
            csv.fail(observed,
                     "`{1}` is not a date; a year, a month or a day is expected, as "
                     "2026-12-01",
                     {price.observed});
        }
        if (price.unitId.empty()) csv.fail(unit, "the name of a machine is expected here");
        if (price.region.empty()) {
            csv.fail(region, "a region is expected here; `all` where the provider states none");
        }
        oneOf(confidence, {"high", "medium", "low"}, "high, medium, low");
        oneOf(status, {"listed", "suspect", "superseded"}, "listed, suspect, superseded");
        const Amount low = readAmount(csv.field(p10));
        const Amount high = readAmount(csv.field(p90));
        for (const auto& [bound, column] : {std::pair{low, p10}, {high, p90}}) {
            if (bound.kind == AmountKind::Wrong) {
                csv.fail(column, bound.problem.pattern, bound.problem.arguments);
            }
        }
        if (csv.failed()) break;
        if (low.kind == AmountKind::Amount && high.kind == AmountKind::Amount) {
            if (low.value > high.value) {
                csv.fail(p10, "{1} is above the upper end, {2}",
                         {units::plainNumber(low.value), units::plainNumber(high.value)});
                break;
            }
            price.distribution = catalog::PriceDistribution{price.usdPerHour, low.value, high.value,
                                                            price.observed, price.observed};
        }
        if (!collector.knows(price.unitId)) {
            collector.leaveUnknown(price.unitId);
        } else if (price.status == "superseded") {
            collector.leave("superseded, as the row says itself", price.unitId);
        } else {
            collector.take(std::move(price));
        }
    }
    if (csv.failed()) return csv.error();
    collector.setFormat("prices as CSV");
    return std::nullopt;
}

}  // namespace trainwright::import::prices
