// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's EC2 offer file as CSV: rows of facts about the file, then a header that begins with `SKU`,
// then a row for each price dimension with the product's attributes again. A term with two
// dimensions has two rows, which may stand apart.
#include <map>
#include <tuple>

#include "data/import/price_aws_terms.h"
#include "data/import/price_csv.h"
#include "data/import/price_formats.h"

namespace trainwright::import::prices {
namespace {

/// Some ten times what all regions and all machines of the catalog come to.
constexpr std::size_t kMostTerms = 200000;

}  // namespace

Trouble readAwsOfferCsv(FileSource& source, const std::string& file, PriceCollector& collector) {
    CsvReader csv(source, file);
    bool hasHeader = false;
    constexpr int kMostRowsBefore = 32;
    for (int row = 0; row < kMostRowsBefore && !hasHeader && csv.next(); ++row) {
        if (csv.field(0U) == "SKU") {
            csv.useAsHeader();
            hasHeader = true;
        } else if (csv.field(0U) == "Publication Date") {
            collector.setPublished(dayOf(csv.field(1U)));
        } else if (csv.field(0U) == "OfferCode" && csv.field(1U) != "AmazonEC2") {
            csv.fail(std::size_t{1},
                     "this is the offer file of {1}; machines are in that of AmazonEC2",
                     {std::string(csv.field(1U))});
        }
    }
    if (csv.failed()) return csv.error();
    if (!hasHeader) {
        return Finding{Severity::Error,
                       Text{"the row of column names, which begins with `SKU`, is missing", {}},
                       Place{file, 0, 0, {}}};
    }
    if (csv.column("DiscountedSKU") || csv.column("DiscountedRate")) {
        return Finding{Severity::Error,
                       Text{"this is a Savings Plan offer file as CSV; the same file as JSON can "
                            "be read",
                            {}},
                       csv.place()};
    }
    for (const char* needed : {"TermType", "Unit", "PricePerUnit", "Currency", "Product Family",
                               "Instance Type", "Tenancy", "Operating System"}) {
        if (!csv.column(needed)) {
            return Finding{Severity::Error, Text{"the column `{1}` is missing", {needed}},
                           csv.place()};
        }
    }
    const auto sku = csv.column("SKU");
    const auto offerTerm = csv.column("OfferTermCode");
    const auto termType = csv.column("TermType");
    const auto effective = csv.column("EffectiveDate");
    const auto unit = csv.column("Unit");
    const auto price = csv.column("PricePerUnit");
    const auto currency = csv.column("Currency");
    const auto lease = csv.column("LeaseContractLength");
    const auto option = csv.column("PurchaseOption");
    const auto offering = csv.column("OfferingClass");
    const auto family = csv.column("Product Family");
    const auto type = csv.column("Instance Type");
    const auto os = csv.column("Operating System");
    const auto tenancy = csv.column("Tenancy");
    const auto software = csv.column("Pre Installed S/W");
    const auto capacity = csv.column("CapacityStatus");
    const auto licence = csv.column("License Model");
    const auto market = csv.column("MarketOption");
    const auto operation = csv.column("operation");
    const auto usage = csv.column("usageType");
    const auto region = csv.column("Region Code");
    const auto location = csv.column("Location");
    const auto locationType = csv.column("Location Type");

    struct Term {
        AwsMachine machine;
        AwsTerm term;
    };
    std::map<std::string, AwsMachine> machines;
    // Of reserved terms, by SKU, code, terms and date: all that tells two apart.
    std::map<std::tuple<std::string, std::string, std::string, std::string>, Term> terms;
    AwsProduct product;
    const auto assign = [&](std::string& to, const std::optional<std::size_t>& column) {
        to.assign(csv.field(column));
    };
    while (csv.next()) {
        const std::string_view kind = csv.field(termType);
        if (kind != "OnDemand" && kind != "Reserved") {
            collector.leave("of other terms than on demand and reserved", csv.field(sku));
            continue;
        }
        assign(product.sku, sku);
        assign(product.productFamily, family);
        assign(product.instanceType, type);
        assign(product.operatingSystem, os);
        assign(product.tenancy, tenancy);
        assign(product.preInstalledSw, software);
        assign(product.capacityStatus, capacity);
        assign(product.licenseModel, licence);
        assign(product.marketOption, market);
        assign(product.operation, operation);
        assign(product.usageType, usage);
        assign(product.regionCode, region);
        assign(product.location, location);
        assign(product.locationType, locationType);
        const std::optional<PricePlace> place = placeOf(product, collector);
        if (!place) continue;
        if (!collector.knows(product.instanceType)) {
            // Not kept as a term, of which there would be very many.
            if (csv.field(currency) == "USD") {
                collector.leaveUnknown(product.instanceType);
            } else {
                collector.leave(Text{"a price in {1}; prices are kept in USD",
                                     {std::string(csv.field(currency))}},
                                product.instanceType + " " + place->region);
            }
            continue;
        }
        const AwsMachine machine{product.sku, product.instanceType, *place};
        machines.emplace(machine.sku, machine);
        const bool isReserved = kind == "Reserved";
        // An hour on demand is one row; only what has several is kept until the end.
        AwsTerm own;
        AwsTerm* term = &own;
        if (isReserved) {
            Term& kept =
                terms[{product.sku, std::string(csv.field(offerTerm)),
                       std::string(csv.field(lease)) + "|" + std::string(csv.field(option)) + "|" +
                           std::string(csv.field(offering)),
                       std::string(csv.field(effective))}];
            kept.machine = machine;
            term = &kept.term;
        }
        term->isReserved = isReserved;
        term->effectiveDate = dayOf(csv.field(effective));
        term->lease = csv.field(lease);
        term->purchaseOption = csv.field(option);
        term->offeringClass = csv.field(offering);
        if (auto problem =
                term->addDimension(csv.field(unit), csv.field(currency), csv.field(price))) {
            csv.fail(price, problem->pattern, problem->arguments);
        } else if (!isReserved) {
            own.finish(machine, collector);
        }
        if (terms.size() > kMostTerms || machines.size() > kMostTerms) {
            csv.fail(std::nullopt,
                     "more than {1} SKUs or reserved terms of machines that the catalog describes: "
                     "this is not a file as AWS writes it",
                     {std::to_string(kMostTerms)});
        }
    }
    if (csv.failed()) return csv.error();
    for (const auto& [key, term] : terms) term.term.finish(term.machine, collector);
    std::string onlyRegion;
    bool isOneRegion = true;
    for (const auto& [id, machine] : machines) {
        isOneRegion = isOneRegion && (onlyRegion.empty() || onlyRegion == machine.place.region);
        onlyRegion = machine.place.region;
        collector.take(
            catalog::ImportedSku{0, id, machine.unit, machine.place.region, machine.place.zone});
    }
    collector.setFormat("AWS offer file (CSV)", isOneRegion ? onlyRegion : std::string());
    return std::nullopt;
}

}  // namespace trainwright::import::prices
