// SPDX-License-Identifier: GPL-3.0-or-later
// Quantities as people write them: 15.6T, 16M tokens, 30 MW, 200 GB/s, 1.5 TiB, 10 min, 20%, 120M
// USD.
//
// There is one table of units for each kind of quantity. Decimal and binary prefixes differ (GB is
// 10^9 bytes, GiB is 2^30), and so do bits and bytes (3200 Gb/s is 400 GB/s). A suffix is read as
// written: `mw` is not `MW`. Values are in SI base units, as in quantity.h. Reading and writing
// ignore the locale. Invariant: readQuantity(kind, formatQuantity(kind, v)) gives back v to the
// last bit for every finite v >= 0 that the kind can hold. It knows nothing of files: a Finding
// from here has a text and no place.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/units/outcome.h"
#include "model/units/quantity.h"

namespace trainwright::units {

enum class QuantityKind {
    Count,        ///< a whole number of things
    Tokens,       ///< a whole number of tokens
    Sequences,    ///< a whole number of sequences
    Number,       ///< a plain number, without unit
    Share,        ///< 0.2, written 20%
    DataSize,     ///< bytes
    DataRate,     ///< bytes per second
    Power,        ///< watts
    Energy,       ///< joules
    Duration,     ///< seconds
    Money,        ///< US dollars
    HourlyPrice,  ///< US dollars per second, written by the hour: 35.76 USD/h
    Compute,      ///< FLOP
    ComputeRate,  ///< FLOP per second
    Mass,         ///< kilograms: of CO2 equivalent
};
inline constexpr int kQuantityKindCount = 15;

/// Whether a number without unit may stand for the base unit of the field it is written in.
enum class BareNumber { Refused, Allowed };

/// "a size in bytes", "a power": what the kind is called in messages.
[[nodiscard]] Text nounPhrase(QuantityKind kind);
/// "1.5 TiB", "30 MW": what one looks like.
[[nodiscard]] const char* example(QuantityKind kind);
/// The units of the kind in ascending order, as they are written: {"W", "kW", "MW", "GW"}.
[[nodiscard]] std::vector<std::string> unitSymbols(QuantityKind kind);
/// Every suffix that readQuantity accepts after a number, "" where a bare number is one. Spaces
/// inside
/// ("M tokens") and before it may be left out or repeated.
[[nodiscard]] std::vector<std::string> acceptedSuffixes(QuantityKind kind);

/// The value in base units, or one finding: no number, no unit or another kind's, an unknown
/// suffix, negative, not finite, too large, not whole where the kind counts. With
/// BareNumber::Allowed a number without unit counts in `USD/h` for prices by the hour and in base
/// units elsewhere (5% is then also 0.05).
[[nodiscard]] Outcome<double> readQuantity(QuantityKind kind, std::string_view text,
                                           BareNumber bare = BareNumber::Refused);

[[nodiscard]] Outcome<Bytes> readBytes(std::string_view text);
[[nodiscard]] Outcome<BytesPerSecond> readBytesPerSecond(std::string_view text);
[[nodiscard]] Outcome<Watts> readWatts(std::string_view text);
[[nodiscard]] Outcome<Seconds> readSeconds(std::string_view text);
[[nodiscard]] Outcome<UsDollars> readUsDollars(std::string_view text,
                                               BareNumber bare = BareNumber::Refused);

/// The shortest text that reads back as exactly `value`, for files: "15.6T", "200 GB/s", "1.5 TiB".
[[nodiscard]] std::string formatQuantity(QuantityKind kind, double value);
/// `value` rounded to `digits` significant digits in its natural unit, for people: "16.8M tokens",
/// "1.95 TiB".
[[nodiscard]] std::string displayQuantity(QuantityKind kind, double value, int digits = 3);

/// "1,953.1": thousands grouped, at most `decimals` digits after the point, trailing zeros dropped.
[[nodiscard]] std::string groupedNumber(double value, int decimals = 0);
/// "1953.10": exactly `decimals` digits after the point, in any locale.
[[nodiscard]] std::string fixedNumber(double value, int decimals);
/// The shortest decimal text that reads back as `value`, without grouping: "0.05", "16384",
/// "1e+30".
[[nodiscard]] std::string plainNumber(double value);

/// A day as written; made by readDay only for days that exist.
struct Day {
    int year = 0, month = 0, day = 0;
    friend bool operator==(const Day&, const Day&) = default;
};
/// "2027-03-01" (years 1970 to 9999). A day that the month doesn't have, or another order of the
/// parts, is a finding.
[[nodiscard]] Outcome<Day> readDay(std::string_view text);
[[nodiscard]] std::string formatDay(Day day);

/// The candidates nearest to `word` by edit distance (transpositions count once), best first; those
/// too far away to be meant are left out. Ties keep the order of `candidates`. Case alone costs
/// little.
[[nodiscard]] std::vector<std::string> nearestWords(std::string_view word,
                                                    const std::vector<std::string>& candidates,
                                                    std::size_t limit = 3);

}  // namespace trainwright::units
