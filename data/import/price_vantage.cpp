// SPDX-License-Identifier: GPL-3.0-or-later
// vantage's instances.json: an array of instance types with their prices by region, operating
// system and plan. Only `linux` counts; "0", "N/A" and missing prices aren't known. Reserved and
// Savings Plan rates are effective by the hour.
#include <array>
#include <utility>
#include <vector>

#include "data/import/price_formats.h"
#include "data/import/price_json.h"

namespace trainwright::import::prices {
namespace {

/// The plan of "yrTerm1Standard.noUpfront"; empty of others.
std::string planOf(std::string_view name) {
    const std::string_view stem = "yrTerm";
    const std::size_t dot = name.find('.');
    if (name.substr(0, stem.size()) != stem || dot == std::string_view::npos ||
        dot < stem.size() + 2) {
        return {};
    }
    const std::string term = std::string(1, name[stem.size()]) + "yr";
    const std::string_view kind = name.substr(stem.size() + 1, dot - stem.size() - 1);
    constexpr std::array<std::pair<std::string_view, const char*>, 4> kKinds = {
        {{"Standard", "reserved"},
         {"Convertible", "reserved_convertible"},
         {"Savings", "compute_savings_plan"},
         {"InstanceSavings", "ec2_savings_plan"}}};
    for (const auto& [word, planStem] : kKinds) {
        if (kind == word) return committedPlan(planStem, term, name.substr(dot + 1));
    }
    return {};
}

struct Offer {
    std::string region, plan, amount, note;
    Place place;
};

}  // namespace

Trouble readVantage(FileSource& source, const std::string& file, PriceCollector& collector) {
    JsonReader json(source, file);

    const auto readLinux = [&](const std::string& region, std::vector<Offer>& offers) {
        std::string lowest;
        std::string highest;
        std::string average;
        Place place;
        json.object([&](std::string_view key) {
            if (key == "ondemand") {
                offers.push_back({region, "on_demand", json.scalar(), {}, {}});
                offers.back().place = json.place();
            } else if (key == "reserved") {
                json.object([&](std::string_view name) {
                    const std::string plan = planOf(name);
                    const std::string shown(name);
                    std::string amount = json.scalar();
                    if (plan.empty()) {
                        collector.leave("reserved under terms that aren't known", shown);
                    } else {
                        offers.push_back({region, plan, std::move(amount), {}, json.place()});
                    }
                });
            } else if (key == "spot_avg") {
                average = json.scalar();
                place = json.place();
            } else if (key == "spot_min") {
                lowest = json.scalar();
            } else if (key == "spot_max") {
                highest = json.scalar();
            } else {
                json.skip();
            }
        });
        if (!average.empty()) {
            offers.push_back(
                {region, "spot", average, "from " + lowest + " to " + highest + " USD/h", place});
        }
    };

    const auto readType = [&] {
        std::string type;
        std::vector<Offer> offers;
        json.members([&](std::string_view key) {
            if (key == "instance_type") {
                type = json.scalar();
            } else if (key == "pricing" && (type.empty() || collector.knows(type))) {
                json.object([&](std::string_view region) {
                    const std::string name(region);
                    json.object([&](std::string_view system) {
                        if (system == "linux") {
                            readLinux(name, offers);
                        } else {
                            json.skip();
                        }
                    });
                });
            } else {
                json.skip();
            }
        });
        if (json.failed()) return;
        if (!collector.knows(type)) {
            collector.leaveUnknown(type);
            return;
        }
        if (offers.empty()) collector.leave("no price, or a price of 0", type);
        for (Offer& offer : offers) {
            const Amount amount = readAmount(offer.amount);
            if (amount.kind == AmountKind::Wrong) {
                json.fail(Finding{Severity::Error, amount.problem, offer.place});
                return;
            }
            std::optional<PricePlace> place;
            if (Places::isRegion(offer.region)) {
                place = PricePlace{offer.region, {}};
            } else {
                place = collector.places().ofProduct(offer.region, {}, "AWS Local Zone", {});
            }
            if (amount.kind != AmountKind::Amount) {
                collector.leave("no price, or a price of 0", type + " " + offer.region);
            } else if (!place) {
                collector.leave("in a place whose region can't be told", type + " " + offer.region);
            } else {
                catalog::ImportedPrice price;
                price.unitId = type;
                price.region = place->region;
                price.plan = offer.plan;
                price.usdPerHour = amount.value;
                price.confidence = "medium";
                price.note = offer.note;
                collector.take(std::move(price));
            }
        }
    };

    if (json.next() != Token::ArrayBegin && !json.failed()) {
        json.fail("an array is expected here");
    }
    json.elements([&](Token token) {
        if (token != Token::ObjectBegin) {
            json.fail("an object is expected here");
            return;
        }
        readType();
    });
    if (!json.failed() && json.next() != Token::End && !json.failed()) {
        json.fail("something follows the end of the array");
    }
    if (json.failed()) return json.error();
    collector.setFormat("vantage instances.json");
    return std::nullopt;
}

}  // namespace trainwright::import::prices
