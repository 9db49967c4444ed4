// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's EC2 offer file as JSON: `products` by SKU, and `terms` by kind, SKU and offer term. Where
// terms stand before products, the file is read twice.
#include <unordered_map>

#include "data/import/price_aws_terms.h"
#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {
namespace {

class OfferReader {
public:
    OfferReader(FileSource& source, const std::string& file, PriceCollector& collector)
        : source_(source), file_(file), collector_(collector) {}

    Trouble read() {
        if (Trouble trouble = pass(true)) return trouble;
        if (!hasTerms_) {
            return Finding{Severity::Error, Text{"the offer file has no `terms`", {}},
                           Place{file_, 0, 0, {}}};
        }
        if (!hasProducts_) {
            return Finding{Severity::Error, Text{"the offer file has no `products`", {}},
                           Place{file_, 0, 0, {}}};
        }
        if (termsCameFirst_) {
            source_.rewind();
            if (Trouble trouble = pass(false)) return trouble;
        }
        std::string region;
        bool isOneRegion = true;
        for (const auto& [sku, machine] : machines_) {
            if (!collector_.knows(machine.unit)) continue;
            isOneRegion = isOneRegion && (region.empty() || region == machine.place.region);
            region = machine.place.region;
            collector_.take(catalog::ImportedSku{0, sku, machine.unit, machine.place.region,
                                                 machine.place.zone});
        }
        collector_.setFormat("AWS offer file (JSON)", isOneRegion ? region : std::string());
        return std::nullopt;
    }

private:
    Trouble pass(bool isFirst) {
        JsonReader json(source_, file_);
        if (json.next() != Token::ObjectBegin && !json.failed()) {
            json.fail("an object is expected here");
        }
        json.members([&](std::string_view key) {
            if (key == "publicationDate") {
                collector_.setPublished(dayOf(json.scalar()));
            } else if (key == "offerCode") {
                const std::string offer = json.scalar();
                if (offer != "AmazonEC2" && !json.failed()) {
                    json.fail("this is the offer file of {1}; machines are in that of AmazonEC2",
                              {offer});
                }
            } else if (key == "products" && isFirst) {
                hasProducts_ = true;
                json.object([&](std::string_view sku) { readProduct(json, std::string(sku)); });
            } else if (key == "terms" && (!isFirst || hasProducts_)) {
                hasTerms_ = true;
                readTerms(json);
            } else {
                termsCameFirst_ = termsCameFirst_ || (isFirst && key == "terms");
                hasTerms_ = hasTerms_ || key == "terms";
                json.skip();
            }
        });
        if (!json.failed() && json.next() != Token::End && !json.failed()) {
            json.fail("something follows the end of the offer file");
        }
        return json.failed() ? Trouble(json.error()) : std::nullopt;
    }

    void readProduct(JsonReader& json, std::string sku) {
        AwsProduct product;
        product.sku = std::move(sku);
        json.object([&](std::string_view key) {
            if (key == "productFamily") {
                product.productFamily = json.scalar();
            } else if (key == "attributes") {
                json.object([&](std::string_view attribute) {
                    // The key's text is gone once the value is read.
                    if (!AwsProduct::isOfInterest(attribute)) return json.skip();
                    const std::string name(attribute);
                    product.set(name, json.scalar());
                });
            } else {
                json.skip();
            }
        });
        if (json.failed()) return;
        if (const auto place = placeOf(product, collector_)) {
            machines_.insert_or_assign(product.sku,
                                       AwsMachine{product.sku, product.instanceType, *place});
        }
    }

    void readTerms(JsonReader& json) {
        json.object([&](std::string_view kind) {
            const bool isReserved = kind == "Reserved";
            if (!isReserved && kind != "OnDemand") return json.skip();
            json.object([&](std::string_view sku) {
                const auto found = machines_.find(std::string(sku));
                if (found == machines_.end()) return json.skip();
                json.object([&](std::string_view) { readTerm(json, found->second, isReserved); });
            });
        });
    }

    void readTerm(JsonReader& json, const AwsMachine& machine, bool isReserved) {
        AwsTerm term;
        term.isReserved = isReserved;
        readAwsTerm(json, term);
        if (!json.failed()) term.finish(machine, collector_);
    }

    FileSource& source_;
    const std::string& file_;
    PriceCollector& collector_;
    std::unordered_map<std::string, AwsMachine> machines_;
    bool hasProducts_ = false;
    bool hasTerms_ = false;
    bool termsCameFirst_ = false;
};

}  // namespace

void readAwsTerm(JsonReader& json, AwsTerm& term) {
    json.object([&](std::string_view key) {
        if (key == "effectiveDate") {
            term.effectiveDate = dayOf(json.scalar());
        } else if (key == "termAttributes") {
            json.object([&](std::string_view attribute) {
                std::string* field = attribute == "LeaseContractLength" ? &term.lease
                                     : attribute == "PurchaseOption"    ? &term.purchaseOption
                                     : attribute == "OfferingClass"     ? &term.offeringClass
                                                                        : nullptr;
                const std::string value = json.scalar();
                if (field != nullptr) *field = value;
            });
        } else if (key == "priceDimensions") {
            json.object([&](std::string_view) {
                // The unit may stand behind the price.
                std::string unit;
                std::vector<std::pair<std::string, std::string>> amounts;
                Place place;
                json.object([&](std::string_view member) {
                    if (member == "unit") {
                        unit = json.scalar();
                    } else if (member == "pricePerUnit") {
                        json.object([&](std::string_view currency) {
                            std::string name(currency);
                            std::string amount = json.scalar();
                            place = json.place();
                            amounts.emplace_back(std::move(name), std::move(amount));
                        });
                    } else {
                        json.skip();
                    }
                });
                for (const auto& [currency, amount] : amounts) {
                    if (std::optional<Text> problem = term.addDimension(unit, currency, amount)) {
                        json.fail(Finding{Severity::Error, *std::move(problem), place});
                    }
                }
            });
        } else {
            json.skip();
        }
    });
}

Trouble readAwsOfferJson(FileSource& source, const std::string& file, PriceCollector& collector) {
    return OfferReader(source, file, collector).read();
}

}  // namespace trainwright::import::prices
