// SPDX-License-Identifier: GPL-3.0-or-later
// What the readers of price formats share: reading an amount, asking the catalog for a machine, and
// gathering what is taken and what is left of one file.
//
// The collector holds the rules that are those of no format alone: of several prices for one key
// the newest stands, two that differ with one date cancel each other, and a price that is far from
// everything the catalog knows of the machine is left. It writes nothing.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "data/import/price_import.h"
#include "data/import/price_places.h"

namespace trainwright::import::prices {

/// What a field that should hold an amount holds. A missing price isn't a price of zero.
enum class AmountKind { Amount, Zero, Absent, Wrong };
struct Amount {
    AmountKind kind = AmountKind::Absent;
    double value = 0;
    Text problem;  ///< of Wrong
};
/// A decimal number of US dollars, not negative, at most `most`. Blank, "NA", "N/A" and "null" are
/// absent.
[[nodiscard]] Amount readAmount(std::string_view text, double most = 1e6);
/// An upfront fee may be larger than any price by the hour.
inline constexpr double kMostUpfront = 1e9;

/// The day of a time stamp as files write it ("2026-12-01T08:00:00Z", "2026-12-01"); empty when it
/// isn't one.
[[nodiscard]] std::string dayOf(std::string_view stamp);
/// Seconds since 1970 of "2026-12-01T08:00:00Z", also ".000Z", "+01:00" and without a zone.
[[nodiscard]] std::optional<double> secondsOf(std::string_view stamp);
[[nodiscard]] std::string dayOfSeconds(double seconds);

/// The purchase plans of commitments: stem "reserved", "reserved_convertible",
/// "compute_savings_plan" or "ec2_savings_plan"; term "1yr" or "3yr"; option "No Upfront" (also
/// noUpfront). Empty when a part isn't known.
[[nodiscard]] std::string committedPlan(const std::string& stem, std::string_view term,
                                        std::string_view option);
/// Hours of "1yr" and "3yr"; 0 of others.
[[nodiscard]] double hoursOfTerm(std::string_view term);

class PriceCollector {
public:
    PriceCollector(const catalog::Catalog& catalog, const Places& places, std::string today,
                   std::size_t file);

    const catalog::Catalog& catalog() const { return catalog_; }
    const Places& places() const { return places_; }
    const std::string& today() const { return today_; }

    /// Whether prices of `unit` can be used: it is a rentable instance or an alias of the catalog.
    [[nodiscard]] bool knows(std::string_view unit) const;
    /// Who rents `unit` out; "aws" where the catalog doesn't say.
    [[nodiscard]] std::string providerOf(const std::string& unit) const;

    /// Counts a row that is left. `reason` has no arguments and outlives the collector.
    void leave(const char* reason, std::string_view example, std::int64_t count = 1);
    void leave(const Text& reason, std::string_view example, std::int64_t count = 1);
    /// A price of this unit, which the catalog doesn't describe, is left.
    void leaveUnknown(std::string_view unit);
    void note(Text text);

    /// A price that passed its format's own rules. `effective` decides between several of one key;
    /// provider, confidence, status and date may be left empty.
    void take(catalog::ImportedPrice price, std::string_view effective = {});
    void take(catalog::ImportedFact fact);
    void take(catalog::ImportedOffering offering);
    void take(catalog::ImportedSku sku);

    /// The date of prices that carry none, and the file's own date.
    void setPublished(const std::string& day);
    void setFormat(const std::string& format, const std::string& subject = {});

    /// Decides between prices of one key, and moves everything into `into`.
    PriceFileReport finish(catalog::ImportBatch& into, catalog::ImportedFile file);

private:
    struct Candidate {
        catalog::ImportedPrice price;
        std::string effective;
    };
    void settle(std::vector<Candidate>& candidates, catalog::ImportBatch& into,
                PriceFileReport& report);
    /// The middle of the catalog's listed prices of the unit by the plan's kind; 0: none.
    double usual(const catalog::ImportedPrice& price) const;

    const catalog::Catalog& catalog_;
    const Places& places_;
    std::string today_;
    std::size_t file_;
    std::string published_, format_, subject_;
    std::unordered_map<std::string, std::string> providers_;  ///< of every known unit
    std::map<std::string, LeftRows> left_;
    std::vector<Text> notes_;
    std::vector<Candidate> candidates_;
    std::unordered_set<std::string> said_;  ///< what the candidates say, a text each
    std::vector<catalog::ImportedFact> facts_;
    std::vector<catalog::ImportedOffering> offerings_;
    std::vector<catalog::ImportedSku> skus_;
};

}  // namespace trainwright::import::prices
