// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compare/figure_changes.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/units/text_quantity.h"

namespace trainwright::compare {
namespace {

using search::Change;
using search::ChangedValue;
using search::ChangeKind;

constexpr const char* kPrice = "price";
constexpr const char* kPriceKey = "price_usd_per_hour";

std::optional<double> numberOf(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc() && stop == end ? std::optional(value) : std::nullopt;
}

bool isSame(const std::string& a, const std::string& b) {
    if (a == b) return true;
    const auto left = numberOf(a), right = numberOf(b);
    constexpr double kRounding = 1e-12;  // of a number written in another way
    return left && right && std::abs(*left - *right) <= kRounding * std::abs(*left);
}

bool isPrice(const KeptFigure& f) {
    return f.kind == kPrice && f.key == kPriceKey && std::count(f.id.begin(), f.id.end(), '/') == 2;
}

std::string entryOf(const KeptFigure& f) {
    return f.kind + "/" + f.id;
}

catalog::PriceOverride priceOverride(const KeptFigure& f, bool isListed) {
    const std::size_t first = f.id.find('/');
    const std::size_t last = f.id.rfind('/');
    return {f.id.substr(0, first), f.id.substr(first + 1, last - first - 1), f.id.substr(last + 1),
            isListed ? numberOf(f.value) : std::nullopt, f.observed};
}

using FactorKey = std::pair<std::string, belief::Physics>;

std::map<FactorKey, double> factorsOf(const belief::Calibration* calibration) {
    std::map<FactorKey, double> factors;
    if (calibration != nullptr)
        for (const belief::Factor& f : calibration->factors)
            factors[{f.subject, f.physics}] = f.logFactor;
    return factors;
}

std::string factorText(double logFactor) {
    return units::fixedNumber(std::exp(logFactor), 3);
}

std::vector<ChangedValue> factorChanges(const belief::Calibration* before,
                                        const belief::Calibration* after) {
    const auto old = factorsOf(before), now = factorsOf(after);
    std::set<FactorKey> keys;
    for (const auto& [key, value] : old) keys.insert(key);
    for (const auto& [key, value] : now) keys.insert(key);
    std::vector<ChangedValue> values;
    for (const FactorKey& key : keys) {
        const auto a = old.find(key), b = now.find(key);
        if (a != old.end() && b != now.end() && a->second == b->second) continue;
        ChangedValue value;
        value.path = "calibration/" + key.first + "/" + std::string(belief::name(key.second));
        value.unit = "ratio";
        if (a != old.end()) value.before = factorText(a->second);
        if (b != now.end()) value.after = factorText(b->second);
        values.push_back(std::move(value));
    }
    return values;
}

}  // namespace

FigureTable figuresOf(const search::PlanRequest& request) {
    FigureTable table;
    const auto add = [&](const search::FigureUse& f) {
        if (f.status == "override" || f.kind == "calibration") return;
        table.emplace(f.kind + "/" + f.id + "/" + f.key,
                      KeptFigure{f.kind, f.id, f.key, f.value, f.unit, f.observed});
    };
    for (const search::FigureUse& f : request.figures) add(f);
    for (const search::CandidateRequest& c : request.candidates)
        for (const search::FigureUse& f : c.figures) add(f);
    return table;
}

Rests restsOf(const search::PlanRequest& request, const search::CandidateRequest& candidate) {
    Rests rests;
    const auto add = [&](const search::FigureUse& f) {
        (f.kind == kPrice ? rests.offers : rests.entries)
            .insert(f.kind == kPrice ? f.id : f.kind + "/" + f.id);
    };
    for (const search::FigureUse& f : request.figures) add(f);
    for (const search::FigureUse& f : candidate.figures) add(f);
    return rests;
}

FigureChanges::FigureChanges(const FigureTable& before, const FigureTable& after,
                             const FigureTable& today,
                             std::shared_ptr<const belief::Calibration> calibrationBefore,
                             std::shared_ptr<const belief::Calibration> calibrationAfter,
                             const catalog::Catalog& catalog)
    : catalog_(catalog),
      calibrationBefore_(std::move(calibrationBefore)),
      calibrationAfter_(std::move(calibrationAfter)) {
    std::set<std::string> keys;
    for (const auto& [key, figure] : before) keys.insert(key);
    for (const auto& [key, figure] : after) keys.insert(key);
    for (const std::string& key : keys) {
        const auto old = before.find(key), now = after.find(key), own = today.find(key);
        Value value;
        value.hasBefore = old != before.end();
        value.hasAfter = now != after.end();
        value.before = value.hasBefore ? old->second : now->second;
        value.after = value.hasAfter ? now->second : old->second;
        if (own != today.end()) value.today = own->second.value;
        (isPrice(value.before) ? prices_ : figures_).push_back(std::move(value));
    }
    group(prices_, true);
    group(figures_, false);
    std::vector<ChangedValue> factors =
        factorChanges(calibrationBefore_.get(), calibrationAfter_.get());
    if (!factors.empty()) {
        calibrationChange_ = changes_.size();
        changes_.push_back({ChangeKind::Calibration, "calibration", {}, std::move(factors), false});
    }
}

void FigureChanges::group(std::vector<Value>& values, bool prices) {
    std::map<std::string, std::size_t> byEntry;
    for (Value& v : values) {
        v.change = kNone;
        // A price that one plan has and the other says it doesn't is a change; a figure that only
        // one of them speaks of is not.
        const bool isGap = prices && v.hasBefore != v.hasAfter;
        if (!isGap && isSame(v.before.value, v.after.value)) continue;
        // A combination holds so many; entries beyond that go with the last.
        const bool isFull = changes_.size() >= static_cast<std::size_t>(search::kMostChanges - 1);
        const auto [at, isNew] =
            byEntry.emplace(entryOf(v.before), isFull ? changes_.size() - 1 : changes_.size());
        if (isNew && !isFull)
            changes_.push_back({prices ? ChangeKind::Price : ChangeKind::Figures,
                                prices ? "price/" + v.before.id : entryOf(v.before),
                                {},
                                {},
                                false});
        v.change = at->second;
        if (!prices && !v.today) ++withoutPlace_;
        ChangedValue value;
        value.path = entryOf(v.before) + "/" + v.before.key;
        value.unit = v.before.unit;
        if (v.hasBefore) {
            value.before = v.before.value;
            value.seenBefore = v.before.observed;
        }
        if (v.hasAfter) {
            value.after = v.after.value;
            value.seenAfter = v.after.observed;
        }
        changes_[at->second].values.push_back(std::move(value));
    }
}

bool FigureChanges::bearsOn(std::size_t change, const Rests& rests) const {
    const Change& c = changes_[change];
    if (c.kind == ChangeKind::Calibration) return true;
    if (c.kind == ChangeKind::Price)
        return rests.offers.contains(c.path.substr(std::string_view("price/").size()));
    return rests.entries.contains(c.path);
}

const catalog::Catalog& FigureChanges::catalogAt(std::uint64_t made) {
    if (const auto kept = catalogs_.find(made); kept != catalogs_.end()) return kept->second;
    const auto isMade = [&](std::size_t change) {
        return change != kNone && ((made >> change) & 1U) != 0;
    };
    std::vector<catalog::Override> overrides;
    for (const Value& v : figures_) {
        const std::string& wanted = (isMade(v.change) ? v.after : v.before).value;
        if (!v.today || isSame(wanted, *v.today)) continue;
        overrides.push_back({v.before.kind, v.before.id, v.before.key, wanted, {}});
    }
    std::vector<catalog::PriceOverride> prices;
    for (const Value& v : prices_) {
        const bool after = isMade(v.change);
        const bool isListed = v.change == kNone || (after ? v.hasAfter : v.hasBefore);
        const KeptFigure& wanted = after ? v.after : v.before;
        const bool isOwn = v.today ? isListed && isSame(wanted.value, *v.today) : !isListed;
        if (!isOwn) prices.push_back(priceOverride(wanted, isListed));
    }
    // What this catalog doesn't know, or takes otherwise, can't be laid over it.
    Outcome<catalog::Catalog> changed = catalog_.withOverrides(overrides);
    while (!changed) {
        std::set<std::size_t> refused;
        for (const Finding& f : changed.findings())
            if (const auto index = numberOf(f.place.key))
                refused.insert(static_cast<std::size_t>(*index));
        if (refused.empty()) {
            overrides.clear();
        } else {
            for (auto at = refused.rbegin(); at != refused.rend(); ++at)
                overrides.erase(overrides.begin() + static_cast<std::ptrdiff_t>(*at));
        }
        changed = catalog_.withOverrides(overrides);
    }
    catalog::Catalog result = changed.value().withPrices(prices);
    result.useCalibration(calibrationChange_ == kNone || isMade(calibrationChange_)
                              ? calibrationAfter_
                              : calibrationBefore_);
    return catalogs_.emplace(made, std::move(result)).first->second;
}

}  // namespace trainwright::compare
