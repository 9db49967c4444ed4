// SPDX-License-Identifier: GPL-3.0-or-later
// AWS's Savings Plan offer file: plans, and for each plan the rates of the SKUs that it covers. The
// usage type of a rate doesn't tell Linux from Windows, so a rate counts only when an EC2 offer
// file says what its SKU is. Rates are by the hour whatever is paid up front.
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {
namespace {

struct Rate {
    const catalog::ImportedSku* sku = nullptr;
    double usdPerHour = 0;
    std::string effective;
};

}  // namespace

Trouble readSavingsPlanOffer(FileSource& source, const std::string& file, PriceCollector& collector,
                             const SkuTable& skus) {
    JsonReader json(source, file);
    std::unordered_map<std::string, std::string> planOf;  // by the plan's SKU
    std::unordered_map<std::string, std::string> familyOf;
    std::map<std::string, std::vector<Rate>> ratesOf;
    std::int64_t unjoined = 0;
    std::string region;

    const auto readPlan = [&](Token token) {
        if (token != Token::ObjectBegin) return json.skipFrom(token);
        std::string sku;
        std::string family;
        std::string option;
        std::string term;
        json.members([&](std::string_view key) {
            if (key == "sku") {
                sku = json.scalar();
            } else if (key == "productFamily") {
                family = json.scalar();
            } else if (key == "attributes") {
                json.object([&](std::string_view attribute) {
                    std::string* to = attribute == "purchaseOption" ? &option
                                      : attribute == "purchaseTerm" ? &term
                                                                    : nullptr;
                    const std::string value = json.scalar();
                    if (to != nullptr) *to = value;
                });
            } else {
                json.skip();
            }
        });
        const std::string stem = family == "ComputeSavingsPlans"       ? "compute_savings_plan"
                                 : family == "EC2InstanceSavingsPlans" ? "ec2_savings_plan"
                                                                       : "";
        planOf[sku] = stem.empty() ? std::string() : committedPlan(stem, term, option);
        familyOf[sku] = family;
    };

    const auto readRate = [&](Token token, std::vector<Rate>& rates) {
        if (token != Token::ObjectBegin) return json.skipFrom(token);
        std::string sku;
        std::string unit;
        std::string price;
        std::string currency;
        Place place;
        json.members([&](std::string_view key) {
            if (key == "discountedSku") {
                sku = json.scalar();
            } else if (key == "unit") {
                unit = json.scalar();
            } else if (key == "discountedRate") {
                json.object([&](std::string_view member) {
                    const bool isPrice = member == "price";
                    const bool isCurrency = member == "currency";
                    std::string value = json.scalar();
                    if (isPrice) {
                        place = json.place();
                        price = std::move(value);
                    } else if (isCurrency) {
                        currency = std::move(value);
                    }
                });
            } else {
                json.skip();
            }
        });
        if (json.failed()) return;
        const auto found = skus.find(sku);
        if (found == skus.end()) {
            ++unjoined;
            collector.leave(
                "a rate of a SKU that isn't a plain Linux machine of an EC2 offer file "
                "read with this file or before",
                sku);
            return;
        }
        if (currency != "USD") {
            collector.leave(Text{"a price in {1}; prices are kept in USD", {currency}},
                            found->second.unitId);
            return;
        }
        if (unit != "Hrs" && unit != "Hours") {
            collector.leave("no price by the hour", found->second.unitId);
            return;
        }
        const Amount amount = readAmount(price);
        if (amount.kind == AmountKind::Wrong) {
            json.fail(Finding{Severity::Error, amount.problem, place});
        } else if (amount.kind != AmountKind::Amount) {
            collector.leave("a price of 0: not known, rather than free", found->second.unitId);
        } else {
            rates.push_back(Rate{&found->second, amount.value, {}});
        }
    };

    const auto readTerm = [&](Token token) {
        if (token != Token::ObjectBegin) return json.skipFrom(token);
        std::string sku;
        std::string effective;
        std::vector<Rate> rates;
        json.members([&](std::string_view key) {
            if (key == "sku") {
                sku = json.scalar();
            } else if (key == "effectiveDate") {
                effective = dayOf(json.scalar());
            } else if (key == "rates") {
                json.array([&](Token rate) { readRate(rate, rates); });
            } else {
                json.skip();
            }
        });
        std::vector<Rate>& all = ratesOf[sku];
        for (Rate& rate : rates) {
            rate.effective = effective;
            all.push_back(std::move(rate));
        }
    };

    bool hasPlans = false;
    bool hasTerms = false;
    if (json.next() != Token::ObjectBegin && !json.failed()) {
        json.fail("an object is expected here");
    }
    json.members([&](std::string_view key) {
        if (key == "publicationDate") {
            collector.setPublished(dayOf(json.scalar()));
        } else if (key == "regionCode") {
            region = json.scalar();
        } else if (key == "products") {
            hasPlans = true;
            json.array(readPlan);
        } else if (key == "terms") {
            hasTerms = true;
            json.object([&](std::string_view kind) {
                if (kind != "savingsPlan") return json.skip();
                json.array(readTerm);
            });
        } else {
            json.skip();
        }
    });
    if (!json.failed() && json.next() != Token::End && !json.failed()) {
        json.fail("something follows the end of the offer file");
    }
    if (json.failed()) return json.error();
    if (!hasPlans || !hasTerms) {
        return Finding{
            Severity::Error,
            Text{"the Savings Plan offer file has no `{1}`", {hasPlans ? "terms" : "products"}},
            Place{file, 0, 0, {}}};
    }

    std::size_t joined = 0;
    for (auto& [sku, rates] : ratesOf) {
        const auto plan = planOf.find(sku);
        joined += rates.size();
        for (const Rate& rate : rates) {
            if (plan == planOf.end()) {
                collector.leave("a rate of a plan that the file doesn't describe", sku);
            } else if (plan->second.empty()) {
                collector.leave(Text{"of a Savings Plan that doesn't cover machines of EC2, or of "
                                     "terms that aren't known: {1}",
                                     {familyOf[sku]}},
                                sku);
            } else {
                catalog::ImportedPrice price;
                price.unitId = rate.sku->unitId;
                price.region = rate.sku->region;
                price.zone = rate.sku->zone;
                price.plan = plan->second;
                price.usdPerHour = rate.usdPerHour;
                collector.take(std::move(price), rate.effective);
            }
        }
    }
    collector.setFormat("AWS Savings Plan offer file", region);
    if (joined == 0 && unjoined > 0) {
        collector.note(
            Text{"No rate could be matched to a machine. The EC2 offer file of {1}, "
                 "imported in the same command or before, says which SKUs are Linux.",
                 {region.empty() ? "the same region" : region}});
    }
    return std::nullopt;
}

}  // namespace trainwright::import::prices
