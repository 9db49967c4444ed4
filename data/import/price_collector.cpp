// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_collector.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>
#include <tuple>

#include "model/run/run.h"
#include "model/units/text_quantity.h"

namespace trainwright::import::prices {
namespace {

constexpr double kSecondsPerDay = 86400.0;
/// How far a price may be from the catalog's middle one before it is taken for something else:
/// an hour of one accelerator, of a whole rack, of the operating system alone.
constexpr double kFarthestFactor = 5.0;

constexpr const char* kRepeated = "the same price of the same machine, place and plan once more";

std::string_view trimmed(std::string_view s) {
    const std::size_t from = s.find_first_not_of(" \t\r\n");
    if (from == std::string_view::npos) return {};
    return s.substr(from, s.find_last_not_of(" \t\r\n") - from + 1);
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// `count` digits at `at`; -1 when there are other characters.
int digitsAt(std::string_view s, std::size_t at, std::size_t count) {
    if (at + count > s.size()) return -1;
    int value = 0;
    for (std::size_t i = at; i < at + count; ++i) {
        if (!isDigit(s[i])) return -1;
        value = value * 10 + (s[i] - '0');
    }
    return value;
}

std::string shortened(std::string_view text) {
    constexpr std::size_t kLongest = 60;
    if (text.size() <= kLongest) return std::string(text);
    std::size_t end = kLongest;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0U) == 0x80U) --end;
    return std::string(text.substr(0, end)) + "…";
}

Amount wrong(std::string pattern, std::string_view text, std::string more = {}) {
    Amount amount;
    amount.kind = AmountKind::Wrong;
    amount.problem = Text{std::move(pattern), {shortened(text), std::move(more)}};
    return amount;
}

}  // namespace

Amount readAmount(std::string_view text, double most) {
    text = trimmed(text);
    for (const std::string_view absent : {"", "NA", "N/A", "null", "None"}) {
        if (text == absent) return {};
    }
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = end == text.data() + text.size();
    if (isWhole && code == std::errc::result_out_of_range) {
        // Too small for a double is as good as nothing; too large isn't a price.
        const std::size_t exponent = text.find_first_of("eE");
        if (exponent != std::string_view::npos && exponent + 1 < text.size() &&
            text[exponent + 1] == '-') {
            return Amount{AmountKind::Zero, 0, {}};
        }
        return wrong("the amount {1} is out of range", text);
    }
    if (!isWhole || code != std::errc()) {
        return wrong("`{1}` is not an amount; a decimal number is expected, as 21.50", text);
    }
    if (!std::isfinite(value)) {
        return wrong("the amount `{1}` is not a finite number", text);
    }
    if (value < 0) return wrong("the amount {1} is negative", text);
    if (value > most) {
        return wrong("the amount {1} is above {2}, the most that is taken for a price", text,
                     units::groupedNumber(most));
    }
    return Amount{value > 0 ? AmountKind::Amount : AmountKind::Zero, value, {}};
}

std::string dayOf(std::string_view stamp) {
    constexpr std::size_t kDay = 10;
    if (stamp.size() < kDay || stamp[4] != '-' || stamp[7] != '-') return {};
    const run::Date date{digitsAt(stamp, 0, 4), digitsAt(stamp, 5, 2), digitsAt(stamp, 8, 2)};
    if (!run::isValid(date) || date.year < 1) return {};
    if (stamp.size() > kDay && stamp[kDay] != 'T' && stamp[kDay] != ' ') return {};
    return std::string(stamp.substr(0, kDay));
}

std::optional<double> secondsOf(std::string_view stamp) {
    const std::string day = dayOf(stamp);
    if (day.empty()) return std::nullopt;
    const run::Date date{digitsAt(stamp, 0, 4), digitsAt(stamp, 5, 2), digitsAt(stamp, 8, 2)};
    double seconds = static_cast<double>(run::daysSinceEpoch(date)) * kSecondsPerDay;
    if (stamp.size() == 10) return seconds;
    const int hour = digitsAt(stamp, 11, 2);
    const int minute = digitsAt(stamp, 14, 2);
    const int second = digitsAt(stamp, 17, 2);
    if (stamp.size() < 19 || stamp[13] != ':' || stamp[16] != ':' || hour < 0 || hour > 23 ||
        minute < 0 || minute > 59 || second < 0 || second > 60) {
        return std::nullopt;
    }
    seconds += hour * 3600.0 + minute * 60.0 + second;
    std::size_t at = 19;
    if (at < stamp.size() && stamp[at] == '.') {
        ++at;
        double scale = 0.1;
        while (at < stamp.size() && isDigit(stamp[at])) {
            seconds += (stamp[at++] - '0') * scale;
            scale /= 10.0;
        }
    }
    const std::string_view zone = stamp.substr(at);
    if (zone.empty() || zone == "Z") return seconds;
    if ((zone.front() == '+' || zone.front() == '-') && zone.size() >= 5) {
        const bool hasColon = zone[3] == ':';
        const int hours = digitsAt(zone, 1, 2);
        const int minutes = digitsAt(zone, hasColon ? 4 : 3, 2);
        if (hours < 0 || minutes < 0 || zone.size() != (hasColon ? 6U : 5U)) return std::nullopt;
        const double offset = hours * 3600.0 + minutes * 60.0;
        return zone.front() == '+' ? seconds - offset : seconds + offset;
    }
    return std::nullopt;
}

std::string dayOfSeconds(double seconds) {
    return run::isoDate(run::dateFromDays(static_cast<long>(std::floor(seconds / kSecondsPerDay))));
}

std::string committedPlan(const std::string& stem, std::string_view term, std::string_view option) {
    const std::string years = term == "1yr" ? "1y" : term == "3yr" ? "3y" : "";
    const std::string upfront = option == "No Upfront" || option == "noUpfront" ? "no"
                                : option == "Partial Upfront" || option == "partialUpfront"
                                    ? "partial"
                                : option == "All Upfront" || option == "allUpfront" ? "all"
                                                                                    : "";
    if (years.empty() || upfront.empty()) return {};
    return stem + "_" + years + "_" + upfront + "_upfront";
}

double hoursOfTerm(std::string_view term) {
    constexpr double kHoursPerYear = 8760.0;
    return term == "1yr" ? kHoursPerYear : term == "3yr" ? 3 * kHoursPerYear : 0.0;
}

PriceCollector::PriceCollector(const catalog::Catalog& catalog, const Places& places,
                               std::string today, std::size_t file)
    : catalog_(catalog), places_(places), today_(std::move(today)), file_(file) {
    for (const catalog::PricedUnit& unit : catalog.pricedUnits()) {
        providers_.emplace(unit.id, unit.provider);
    }
}

bool PriceCollector::knows(std::string_view unit) const {
    return providers_.find(std::string(unit)) != providers_.end();
}

std::string PriceCollector::providerOf(const std::string& unit) const {
    const auto found = providers_.find(unit);
    return found == providers_.end() || found->second.empty()
               ? "aws"
               : found->second.substr(0, found->second.find(';'));
}

void PriceCollector::leave(const char* reason, std::string_view example, std::int64_t count) {
    leave(Text{reason, {}}, example, count);
}

void PriceCollector::leave(const Text& reason, std::string_view example, std::int64_t count) {
    const auto [at, isNew] =
        left_.try_emplace(reason.arguments.empty() ? reason.pattern : reason.english());
    if (isNew) {
        at->second.reason = reason;
        at->second.example = shortened(example);
    }
    at->second.count += count;
}

void PriceCollector::leaveUnknown(std::string_view unit) {
    leave("a machine that the catalog doesn't describe", unit);
}

void PriceCollector::note(Text text) {
    if (std::find(notes_.begin(), notes_.end(), text) == notes_.end()) {
        notes_.push_back(std::move(text));
    }
}

void PriceCollector::take(catalog::ImportedPrice price, std::string_view effective) {
    // The same once more isn't kept: a file may have it any number of times.
    std::string said = price.unitId;
    for (const std::string& part :
         {price.region, price.zone, price.plan, price.provider, price.observed,
          units::plainNumber(price.usdPerHour), std::string(effective)}) {
        (said += '\n') += part;
    }
    if (!said_.insert(std::move(said)).second) {
        leave(kRepeated, price.unitId);
        return;
    }
    candidates_.push_back({std::move(price), std::string(effective)});
}

void PriceCollector::take(catalog::ImportedFact fact) {
    facts_.push_back(std::move(fact));
}

void PriceCollector::take(catalog::ImportedOffering offering) {
    offerings_.push_back(std::move(offering));
}

void PriceCollector::take(catalog::ImportedSku sku) {
    skus_.push_back(std::move(sku));
}

void PriceCollector::setPublished(const std::string& day) {
    published_ = std::max(published_, day);
}

void PriceCollector::setFormat(const std::string& format, const std::string& subject) {
    format_ = format;
    subject_ = subject;
}

double PriceCollector::usual(const catalog::ImportedPrice& price) const {
    std::vector<double> known;
    for (const catalog::PriceRow& row : catalog_.prices(price.unitId)) {
        if (row.status == "listed" && row.plan != "spot") known.push_back(row.usdPerHour);
    }
    if (known.empty()) return 0;
    const auto middle = known.begin() + static_cast<std::ptrdiff_t>(known.size() / 2);
    std::nth_element(known.begin(), middle, known.end());
    return *middle;
}

void PriceCollector::settle(std::vector<Candidate>& candidates, catalog::ImportBatch& into,
                            PriceFileReport& report) {
    const auto key = [](const Candidate& c) {
        const catalog::ImportedPrice& p = c.price;
        return std::tie(p.unitId, p.region, p.zone, p.plan, p.provider, p.observed);
    };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const Candidate& a, const Candidate& b) {
                         return key(a) != key(b) ? key(a) < key(b) : a.effective > b.effective;
                     });
    for (std::size_t i = 0; i < candidates.size();) {
        std::size_t end = i + 1;
        while (end < candidates.size() && key(candidates[end]) == key(candidates[i])) ++end;
        Candidate& first = candidates[i];
        bool isContested = false;
        for (std::size_t k = i + 1; k < end; ++k) {
            const Candidate& other = candidates[k];
            if (other.price.usdPerHour == first.price.usdPerHour) {
                leave(kRepeated, other.price.unitId);
            } else if (other.effective < first.effective) {
                leave(
                    "an older price; a newer one of the same machine, place and plan stands "
                    "beside it",
                    other.price.unitId);
            } else {
                isContested = true;
                leave(
                    "a second price of the same machine, place and plan with the same date; "
                    "neither is taken",
                    other.price.unitId + " " + other.price.region + ": " +
                        units::groupedNumber(first.price.usdPerHour, 4) + " and " +
                        units::groupedNumber(other.price.usdPerHour, 4));
            }
        }
        i = end;
        if (isContested) continue;
        const double usualPrice = usual(first.price);
        const double price = first.price.usdPerHour;
        const bool isTooHigh = price > kFarthestFactor * usualPrice;
        const bool isTooLow = first.price.plan != "spot" && price * kFarthestFactor < usualPrice;
        if (usualPrice > 0 && (isTooHigh || isTooLow)) {
            leave(Text{"more than {1} times, or less than a share of 1/{1}, of the {2} USD an hour "
                       "that the catalog has for {3}: likely the price of something else",
                       {units::groupedNumber(kFarthestFactor), units::groupedNumber(usualPrice, 2),
                        first.price.unitId}},
                  first.price.region + ": " + units::groupedNumber(price, 4));
            continue;
        }
        into.prices.push_back(std::move(first.price));
        ++report.prices;
    }
}

PriceFileReport PriceCollector::finish(catalog::ImportBatch& into, catalog::ImportedFile file) {
    PriceFileReport report;
    file.format = format_;
    file.published = published_;
    file.observed = published_.empty() ? today_ : published_;
    file.title = format_;
    if (!subject_.empty()) file.title += ", " + subject_;
    file.title += (published_.empty() ? ", seen " : ", published ") + file.observed;
    if (published_ > today_) {
        note(Text{"The file says it is of {1}, which is after today, {2}.", {published_, today_}});
    }
    for (Candidate& candidate : candidates_) {
        catalog::ImportedPrice& price = candidate.price;
        price.file = file_;
        if (price.provider.empty()) price.provider = providerOf(price.unitId);
        if (price.observed.empty()) price.observed = file.observed;
        if (price.confidence.empty()) price.confidence = "high";
        if (price.status.empty()) price.status = "listed";
    }
    settle(candidates_, into, report);
    for (catalog::ImportedFact& fact : facts_) {
        fact.file = file_;
        if (fact.observed.empty()) fact.observed = file.observed;
        into.facts.push_back(std::move(fact));
        ++report.facts;
    }
    for (catalog::ImportedOffering& offering : offerings_) {
        offering.file = file_;
        if (offering.observed.empty()) offering.observed = file.observed;
        into.offerings.push_back(std::move(offering));
        ++report.offerings;
    }
    for (catalog::ImportedSku& sku : skus_) {
        sku.file = file_;
        into.skus.push_back(std::move(sku));
    }
    for (auto& [english, rows] : left_) {
        report.left.push_back(std::move(rows));
    }
    std::stable_sort(report.left.begin(), report.left.end(),
                     [](const LeftRows& a, const LeftRows& b) { return a.count > b.count; });
    report.notes = std::move(notes_);
    report.file = file;
    into.files.push_back(std::move(file));
    return report;
}

}  // namespace trainwright::import::prices
