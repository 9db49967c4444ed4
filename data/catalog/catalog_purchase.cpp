// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog about what stands beside a price: storage, transfer, ownership, quotas.
#include <algorithm>
#include <cctype>
#include <limits>
#include <set>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"

namespace trainwright::catalog {
namespace {

constexpr const char* kEgress = "ec2_egress_internet";
constexpr double kBytesPerGigabyte = 1e9;
constexpr const char* kOwnershipEntry = "default.ownership";
constexpr const char* kStorageEntry = "default.storage";

/// What one byte costs for a month; 0 where the figures don't say.
double perByteMonth(const FigureSet& f) {
    if (const auto perGigabyte = f.number("price_usd_per_gb_month"))
        return *perGigabyte / kBytesPerGigabyte;
    const auto perHour = f.number("price_usd_per_hour");
    const auto capacity = f.number("capacity_bytes");
    constexpr double kHoursPerMonth =
        run::kDaysPerMonth * units::kSecondsPerDay / units::kSecondsPerHour;
    return perHour && capacity && *capacity > 0 ? *perHour * kHoursPerMonth / *capacity : 0;
}

}  // namespace

std::vector<std::string> Catalog::storageServices() const {
    std::set<std::string> items;
    for (const Entry& entry : entries("storage")) {
        const FigureSet f = implementation_->figureSet("storage", entry.id);
        if (perByteMonth(f) > 0) items.insert(f.text("item"));
    }
    return {items.begin(), items.end()};
}

std::vector<std::string> Catalog::storageEntries(const std::string& service,
                                                 const std::string& region) const {
    const std::string wanted =
        service.empty()
            ? implementation_->figureSet("operation", kStorageEntry).text("storage_service")
            : service;
    std::vector<std::string> kept, egress;
    bool keptHere = false;
    for (const Entry& entry : entries("storage")) {
        const FigureSet f = implementation_->figureSet("storage", entry.id);
        const std::string item = f.text("item");
        if (item == kEgress) egress.push_back(entry.id);
        if (item != wanted || !(perByteMonth(f) > 0)) continue;
        const bool here = f.text("region") == region;
        if (kept.empty() || (here && !keptHere)) kept = {entry.id};
        keptHere = keptHere || here;
    }
    std::vector<std::string> all{kept};
    all.insert(all.end(), egress.begin(), egress.end());
    return all;
}

run::Storage Catalog::storage(const std::string& service, const std::string& region) const {
    const FigureSet defaults = implementation_->figureSet("operation", kStorageEntry);
    run::Storage storage;
    storage.service = service.empty() ? defaults.text("storage_service") : service;
    storage.checkpointsKept = defaults.numberOr("checkpoints_kept", 0.0);
    std::set<std::string> elsewhere;
    for (const std::string& id : storageEntries(storage.service, region)) {
        const FigureSet f = implementation_->figureSet("storage", id);
        if (f.text("region") != region) elsewhere.insert(f.text("region"));
        if (f.text("item") == kEgress) {
            const double last = f.numberOr("last_bytes", std::numeric_limits<double>::infinity());
            storage.egressTiers.push_back(
                {units::Bytes(last), f.numberOr("price_usd_per_gb", 0.0) / kBytesPerGigabyte});
            continue;
        }
        storage.usdPerByteMonth = perByteMonth(f);
        constexpr double kBytesPerTebibyte = units::kGibi * units::kKibi;
        storage.throughputPerByte =
            f.numberOr("throughput_bytes_per_s_per_tib", 0.0) / kBytesPerTebibyte;
        if (const Figure* item = f.find("item")) {
            storage.observedDate = item->observed;
            storage.source = item->source.title;
        }
    }
    std::sort(
        storage.egressTiers.begin(), storage.egressTiers.end(),
        [](const run::TransferTier& a, const run::TransferTier& b) { return a.upTo < b.upTo; });
    if (!storage.usdPerByteMonth) {
        storage.reason = {"no price of {1} is known", {storage.service}};
    } else if (!elsewhere.empty()) {
        std::string regions;
        for (const std::string& other : elsewhere) regions += (regions.empty() ? "" : ", ") + other;
        storage.reason = {"Prices of storage and transfer are those of {1}.", {regions}};
    }
    return storage;
}

run::Ownership Catalog::ownership(const machine::SystemSpec& system,
                                  const std::string& region) const {
    const FigureSet f = implementation_->figureSet("operation", kOwnershipEntry);
    run::Ownership own;
    own.lifeYears = f.numberOr("life_years", 0.0);
    own.costOfCapital = f.numberOr("cost_of_capital", 0.0);
    own.residualShare = f.numberOr("residual_share", 0.0);
    own.useShare = f.numberOr("use_share", 1.0);
    own.operationShare = f.numberOr("operation_share", 0.0);
    own.usdPerKilowattHour = f.number("electricity_usd_per_kwh");
    if (!region.empty()) {
        const FigureSet place = implementation_->figureSet("region", region);
        if (const auto local = place.number("electricity_usd_per_kwh"))
            own.usdPerKilowattHour = local;
    }
    const FigureSet capital = implementation_->figureSet("operation", "capital." + system.chip.id);
    if (const Figure* each = capital.find("capital_usd_per_accelerator");
        each != nullptr && each->number && system.chipsPerUnit > 0) {
        own.capitalPerUnit = units::UsDollars(*each->number * system.chipsPerUnit);
        own.state = each->overridden ? run::PriceState::Yours : run::PriceState::Known;
        own.source = each->source.title;
        if (each->confidence == "low" && !each->note.empty() && !each->overridden)
            own.reason = {"The capital of {1} is a guess: {2}.", {system.chip.name, each->note}};
    } else {
        own.reason = {
            "What {1} costs to buy is not public; give `capital_usd_per_accelerator` to know what "
            "owning it would come to.",
            {system.chip.name}};
    }
    return own;
}

std::optional<Quota> Catalog::quota(const machine::SystemSpec& system) const {
    if (system.provider != "AWS") return std::nullopt;
    // "trn2.48xlarge" counts as Trn, "p5en.48xlarge" as P.
    std::string group;
    for (const char c : system.id) {
        if (std::isalpha(static_cast<unsigned char>(c)) == 0) break;
        group += c;
    }
    Quota quota;
    quota.entry = "quota." + group;
    if (!implementation_->entry("operation", quota.entry)) return std::nullopt;
    const FigureSet f = implementation_->figureSet("operation", quota.entry);
    quota.name = f.text("quota_name");
    quota.code = f.text("quota_code");
    quota.onDemandVcpus = f.number("on_demand_vcpus");
    quota.spotVcpus = f.number("spot_vcpus");
    if (const Figure* figure = f.find("on_demand_vcpus")) quota.source = figure->source.title;
    for (const Figure& other : figures("operation", quota.entry)) {
        if (other.key == "on_demand_vcpus" && other.status == Status::Conflicting)
            quota.otherOnDemandVcpus = other.number;
    }
    return quota;
}

}  // namespace trainwright::catalog
