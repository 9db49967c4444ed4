// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog that turns rows into offers and places: prices, regions, operations.
#include <algorithm>
#include <array>
#include <set>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"

namespace trainwright::catalog {
namespace {

/// Providers that state no region are listed under this one.
constexpr const char* kEverywhere = "all";
constexpr const char* kBlock = "capacity_block";
constexpr const char* kSpot = "spot";
constexpr const char* kOnDemand = "on_demand";
constexpr const char* kSageMaker = "sagemaker";
constexpr const char* kHyperPod = "hyperpod";
constexpr const char* kTrainingPlan = "sagemaker_training_plan";

std::vector<std::string> split(const std::string& text, char separator) {
    std::vector<std::string> parts;
    std::string part;
    for (const char c : text + separator) {
        if (c == separator) {
            if (!part.empty()) {
                parts.push_back(part);
            }
            part.clear();
        } else if (c != ' ' || !part.empty()) {
            part += c;
        }
    }
    return parts;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += (out.empty() ? "" : ", ") + word;
    }
    return out;
}

run::Price noPrice(const std::string& plan, std::string pattern, std::vector<Argument> arguments) {
    run::Price price;
    price.plan = plan;
    price.reason = Text{std::move(pattern), std::move(arguments)};
    return price;
}

}  // namespace

std::vector<PriceRow> Catalog::prices(const std::string& unitId, const std::string& region) const {
    std::vector<PriceRow> rows;
    for (const PriceRow& row : implementation_->prices(unitId)) {
        if (region.empty() || row.region == region) {
            rows.push_back(row);
        }
    }
    return rows;
}

std::vector<std::string> Catalog::offeredIn(const std::string& unitId) const {
    std::set<std::string> regions;
    std::vector<std::string> ids = implementation_->aliasesOf(unitId);
    ids.push_back(unitId);
    for (const std::string& id : ids) {
        for (const PriceRow& row : implementation_->prices(id)) {
            if (row.region != kEverywhere && row.status != "suspect") {
                regions.insert(row.region);
            }
        }
    }
    const std::vector<std::string>& offering = implementation_->strings(
        "SELECT id FROM figure WHERE kind = 'region' AND key = 'offers' AND ordinal = 0 "
        "AND instr(';' || replace(value, ' ', '') || ';', ';' || ? || ';') > 0",
        {unitId});
    regions.insert(offering.begin(), offering.end());
    const std::vector<std::string> imported = implementation_->overlay->offeredIn(unitId);
    regions.insert(imported.begin(), imported.end());
    return {regions.begin(), regions.end()};
}

run::Price Catalog::price(const std::string& unitId, const std::string& region,
                          const std::string& plan) const {
    const Implementation& implementation = *implementation_;
    const FigureSet unit = implementation.figureSet("instance", unitId);
    if (implementation.entry("system", unitId) ||
        (unit.find("rentable") != nullptr && !unit.flag("rentable"))) {
        return noPrice(plan, "{1} is not for rent", {unitId});
    }

    // Suspect rows are never used, superseded ones never again.
    std::vector<PriceRow> listed;
    const auto take = [&](const std::string& id) {
        for (const PriceRow& row : implementation.prices(id)) {
            if (row.status == "listed") {
                listed.push_back(row);
            }
        }
    };
    take(unitId);
    if (listed.empty()) {
        for (const std::string& alias : implementation.aliasesOf(unitId)) {
            take(alias);
        }
    }
    if (listed.empty()) {
        return noPrice(plan, "no public price for {1}", {unitId});
    }
    // What SageMaker asks for the same machine is a plan of it.
    for (const std::string& id : implementation.strings(
             "SELECT id FROM alias WHERE instance = ? AND provider = 'aws_sagemaker' ORDER BY id",
             {unitId})) {
        for (PriceRow row : implementation.prices(id)) {
            if (row.status != "listed") continue;
            if (row.plan == kOnDemand) row.plan = kSageMaker;
            listed.push_back(std::move(row));
        }
    }
    std::vector<const PriceRow*> here;
    for (const PriceRow& row : listed) {
        if (row.region == region || row.region == kEverywhere) {
            here.push_back(&row);
        }
    }
    if (here.empty()) {
        const std::vector<std::string> regions = offeredIn(unitId);
        if (std::find(regions.begin(), regions.end(), region) != regions.end()) {
            return noPrice(plan, "no public price for {1} in {2}", {unitId, region});
        }
        return noPrice(plan, "{1} is not offered in {2}, as far as the catalog knows ({3})",
                       {unitId, region, joined(regions)});
    }

    std::vector<std::string> wanted;
    if (!plan.empty()) {
        wanted.push_back(plan);
        if (plan == kHyperPod) wanted.emplace_back(kSageMaker);
    } else {
        if (const std::string own = unit.text("default_plan"); !own.empty()) {
            wanted.push_back(own);
        }
        const FigureSet purchase = implementation.figureSet("operation", "default.purchase");
        for (std::string& next : split(purchase.text("plan_order"), ';')) {
            wanted.push_back(std::move(next));
        }
    }
    const PriceRow* chosen = nullptr;
    for (const std::string& next : wanted) {
        for (const PriceRow* row : here) {
            // The region's own row before one that holds everywhere, the newest before older ones.
            if (row->plan == next &&
                (chosen == nullptr || (row->region == region && chosen->region != region) ||
                 (row->region == chosen->region && speaksBefore(*row, *chosen)))) {
                chosen = row;
            }
        }
        if (chosen != nullptr) {
            break;
        }
    }
    if (chosen == nullptr) {
        std::set<std::string> plans;
        for (const PriceRow* row : here) {
            plans.insert(row->plan);
        }
        const std::string there = joined({plans.begin(), plans.end()});
        if (run::termsOf(plan).years > 0) {
            return noPrice(plan,
                           plan.starts_with("reserved")
                               ? "no price of {1} is known for {2} in {3}: no rate of an "
                                 "accelerator is public. AWS's EC2 offer file of the region has "
                                 "it; import that, or give a price of your own. Listed there: {4}"
                               : "no price of {1} is known for {2} in {3}: no rate of an "
                                 "accelerator is public. AWS's Savings Plan offer file of the "
                                 "region has it; import that, or give a price of your own. Listed "
                                 "there: {4}",
                           {run::planName(plan), unitId, region, there});
        }
        if (plan == kTrainingPlan || plan == kSageMaker || plan == kHyperPod) {
            return noPrice(plan,
                           "no {1} price for {2} in {3} is public; import a price list that has "
                           "it, or give a price of your own. Listed there: {4}",
                           {run::planName(plan), unitId, region, there});
        }
        return noPrice(
            plan, "no {1} price for {2} in {3}; listed there: {4}",
            {wanted.empty() ? std::string("default") : wanted.front(), unitId, region, there});
    }

    run::Price price;
    price.state = run::PriceState::Known;
    price.perUnit = units::usDollarsPerHour(chosen->usdPerHour);
    price.plan = chosen->plan;
    price.region = region;
    price.observedDate = chosen->observed;
    price.source = chosen->source;
    price.confidence = chosen->confidence;
    if (plan == kHyperPod && chosen->plan == kSageMaker) {
        price.plan = kHyperPod;
        price.state = run::PriceState::StandIn;
        price.reason = {
            "No price of HyperPod is public for {1}: SageMaker's rate stands in for it.", {unitId}};
    }
    if (chosen->plan == kSpot && chosen->distribution) {
        price.low = units::usDollarsPerHour(chosen->distribution->p10);
        price.high = units::usDollarsPerHour(chosen->distribution->p90);
        price.historyFrom = chosen->distribution->from;
        price.historyTo = chosen->distribution->to;
    }
    addTerms(price, unitId);
    return price;
}

void Catalog::addTerms(run::Price& price, const std::string& unitId) const {
    if (price.plan == kBlock) {
        const FigureSet block = implementation_->figureSet("operation", "default.capacity_block");
        price.wholeDays = block.flag("whole_days");
        price.weekAfterDays = block.integerOr("week_after_days", 0);
        price.maxUnits = block.integerOr("max_units", 0);
        price.maxUnitsPurchase = block.integerOr("max_units_per_block", 0);
        price.maxDays = block.integerOr("max_days", 0);
        price.unusableAtEnd = units::Seconds(block.numberOr("unusable_at_end_s", 0.0));
        price.upfrontShare = block.numberOr("upfront_share", 0.0);
    }
    const run::PlanTerms terms = run::termsOf(price.plan);
    if (terms.years > 0) {
        price.termDays = terms.years * run::kDaysPerYear;
        using Payment = run::PlanTerms::Payment;
        if (terms.payment == Payment::Upfront) price.upfrontShare = 1;
        if (terms.payment == Payment::Partly) {
            price.upfrontShare = implementation_->figureSet("operation", "default.commitment")
                                     .numberOr("partial_upfront_share", 0.0);
        }
    }
    if (price.plan == kSpot) {
        price.moves = price.state == run::PriceState::Known;
        price.reclaimsPerUnitHour =
            implementation_->figureSet("operation", implementation_->spotOf(unitId))
                .numberOr("interruptions_per_unit_hour", 0.0);
    }
}

std::string Catalog::Implementation::spotOf(const std::string& unitId) const {
    const std::string family = "default.spot." + unitId.substr(0, unitId.find('.'));
    return entry("operation", family) ? family : "default.spot";
}

std::string Catalog::spotEntry(const std::string& unitId) const {
    return implementation_->spotOf(unitId);
}

Outcome<run::Region> Catalog::region(const std::string& id) const {
    const std::optional<Entry> entry = implementation_->entry("region", id);
    if (!entry) {
        const std::vector<std::string> near = nearest("region", id);
        if (near.empty()) {
            return Finding{Severity::Error, Text{"the catalog has no region \"{1}\"", {id}}, {}};
        }
        return Finding{
            Severity::Error,
            Text{"the catalog has no region \"{1}\"; the nearest are {2}", {id, joined(near)}},
            {}};
    }
    const FigureSet figures = implementation_->figureSet("region", id);
    run::Region region;
    region.id = id;
    region.name = entry->name;
    region.pue = figures.number("pue");
    region.pueIsGlobal = figures.flag("pue_is_global");
    region.gridGramsCo2PerKilowattHour = figures.number("grid_gco2e_per_kwh_2023");
    region.gridMethod = figures.text("grid_method_2023");
    return region;
}

namespace {

std::string operationsOf(const Catalog& catalog, const machine::SystemSpec& system) {
    std::string own = "default." + system.chip.family;
    return catalog.has("operation", own) ? own : "default.other";
}

/// How far `key` may lie from its figure, by its range: the figures "<key>_low" and "<key>_high",
/// with a unit's suffix "_s" after these. Nothing where the figure isn't within the range.
belief::Deviation rangeOf(const FigureSet& f, const std::string& key, double tail) {
    const std::string stem = key.ends_with("_s") ? key.substr(0, key.size() - 2) : key;
    const std::string unit = key.substr(stem.size());
    const std::optional<double> low = f.number(stem + "_low" + unit);
    const std::optional<double> high = f.number(stem + "_high" + unit);
    const Figure* middle = f.find(key);
    if (!low || !high || middle == nullptr || middle->overridden || !middle->number ||
        !(tail > 0) || !(*low > 0) || *middle->number < *low || *middle->number > *high) {
        return {};
    }
    return belief::deviationOf(*low, *middle->number, *high, tail);
}

}  // namespace

run::Operations Catalog::operations(const machine::SystemSpec& system) const {
    const FigureSet f = implementation_->figureSet("operation", operationsOf(*this, system));
    run::Operations o;
    o.interruptionsPerChipHour = f.numberOr("interruptions_per_chip_hour", 0.0);
    o.interruptionRateIsAssumption = f.flag("interruption_rate_is_assumption");
    if (const Figure* rate = f.find("interruptions_per_chip_hour")) {
        o.interruptionSource = rate->source.title;
    }
    o.chipsLostPerInterruption =
        f.flag("failed_chip_takes_scale_up_domain") ? system.chipsPerDomain : system.chipsPerHost;
    o.restartTime = units::Seconds(f.numberOr("restart_s", 0.0));
    o.checkpointBandwidth =
        units::BytesPerSecond(f.numberOr("checkpoint_bandwidth_bytes_per_s", 0.0));
    o.asynchronousCheckpoints = f.flag("asynchronous_checkpoints");
    o.asynchronousStall = units::Seconds(f.numberOr("asynchronous_stall_s", 0.0));
    o.evaluationShare = f.numberOr("evaluation_share", 0.0);
    o.startup = units::Seconds(f.numberOr("startup_s", 0.0));
    return o;
}

belief::Spread Catalog::spread(const machine::SystemSpec& system, const run::Price& price) const {
    const FigureSet f = implementation_->figureSet("operation", operationsOf(*this, system));
    const FigureSet bands = implementation_->figureSet("operation", "default.bands");
    const double tail = bands.numberOr("published_range_tail", 0.0);
    belief::Spread spread;
    const auto alike = [&](const char* key) {
        const double deviation = bands.numberOr(key, 0.0);
        return belief::Deviation{deviation, deviation};
    };
    spread.interruptionRate = rangeOf(f, "interruptions_per_chip_hour", tail);
    spread.restartTime = rangeOf(f, "restart_s", tail);
    if (price.state == run::PriceState::Known && (price.moves || price.plan == kSpot)) {
        const bool hasHistory = price.low && price.high && price.perUnit &&
                                price.low->value() > 0 && *price.low <= *price.perUnit &&
                                *price.perUnit <= *price.high;
        constexpr double kHistoryTail = 0.1;  // its ends are the P10 and the P90
        spread.price = hasHistory ? belief::deviationOf(price.low->value(), price.perUnit->value(),
                                                        price.high->value(), kHistoryTail)
                                  : alike("spot_price_log_deviation");
    }
    spread.acceleratorPower = alike(system.chip.powerIsEstimate ? "estimated_power_log_deviation"
                                                                : "published_power_log_deviation");
    spread.modelError = {bands.numberOr("model_error_grade_a_log_deviation", 0.0),
                         bands.numberOr("model_error_grade_b_log_deviation", 0.0),
                         bands.numberOr("model_error_grade_c_log_deviation", 0.0)};
    return spread;
}

}  // namespace trainwright::catalog
