// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where a number becomes text: report, terminal, chart and desktop print the same
// digits.
//
// Estimates have three significant digits, thousands are grouped with a comma, the decimal mark is
// a point. Nothing here reads a locale. No function returns "nan", "inf", "-0" or an exponent: what
// is not finite is notKnown(). A positive value too small for its format reads "<0.1", not zero.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "model/run/run.h"
#include "model/units/quantity.h"

namespace trainwright::reports {

/// "not known": a value that exists but that nobody has said. Not zero, and not "–" (does not
/// apply).
[[nodiscard]] std::string notKnown();

/// `digits` significant digits, grouped: 18.46 -> "18.5", 1234567 -> "1,230,000", 0 -> "0".
[[nodiscard]] std::string estimate(double value, int digits = 3);
/// A whole number, every digit: 4096 -> "4,096".
[[nodiscard]] std::string count(double value);
/// Up to `digits` significant digits, zeros after the point left out: 84.0 -> "84".
[[nodiscard]] std::string trimmed(double value, int digits = 4);
/// Fixed decimals, grouped.
[[nodiscard]] std::string fixed(double value, int decimals);
/// As few digits as say exactly this number: prices, typed inputs. 35.7608 -> "35.7608".
[[nodiscard]] std::string exact(double value);
/// A count as people write it: 15.6e12 -> "15.6T", 405.85e9 -> "406B" with three significant
/// digits.
[[nodiscard]] std::string bigCount(double value, int digits = 3);

/// Whole days; one decimal below 10: "83", "7.6", "<0.1".
[[nodiscard]] std::string days(double days);
/// A share in percent, whole; one decimal below 10%: 0.364 -> "36%", 0.031 -> "3.1%".
[[nodiscard]] std::string percent(double share);

/// "82%"; never all or nothing, for a share of samples can't say that: "<1%", ">99%".
[[nodiscard]] std::string chance(double share);

/// What lies around an estimate, in the estimate's own decimals: 18.46, 16.94, 21.5 ->
/// "16.9–21.5". An end that is infinite: "16.9 or more".
[[nodiscard]] std::string estimateRange(double value, double low, double high);
/// The same in the decimals of days(): "76–93".
[[nodiscard]] std::string daysRange(double days, double low, double high);

/// "18.5 M USD" from a hundred thousand dollars up, "45,600 USD" below.
[[nodiscard]] std::string money(units::UsDollars amount);
/// An amount or a power that someone typed: no digits that were not in it, "20 M USD", "30 MW".
[[nodiscard]] std::string typedMoney(units::UsDollars amount);
[[nodiscard]] std::string typedMegawatts(units::Watts power);
/// The amount without its unit, for a column in M USD: "18.5".
[[nodiscard]] std::string millions(units::UsDollars amount);
/// "35.7608", as published; the unit (USD an hour) stands beside it.
[[nodiscard]] std::string pricePerHour(units::UsDollarsPerSecond price);

[[nodiscard]] std::string gibibytes(units::Bytes bytes);       ///< "19.3 GiB"
[[nodiscard]] std::string gibibyteNumber(units::Bytes bytes);  ///< "19.3"
[[nodiscard]] std::string traffic(
    units::Bytes bytes);  ///< what moves over links: "142 GB", "33.6 MB"
[[nodiscard]] std::string seconds(units::Seconds time);         ///< "7.78 s", "12.3 ms", "27.5 µs"
[[nodiscard]] std::string duration(units::Seconds time);        ///< "10 min", "3.2 h", "12 days"
[[nodiscard]] std::string megawatts(units::Watts power);        ///< "3.21 MW"
[[nodiscard]] std::string megawattHours(units::Joules energy);  ///< "6,390 MWh"
[[nodiscard]] std::string tonnesCo2(double kilograms);          ///< "1,960 tCO2e"
[[nodiscard]] std::string teraflops(units::FlopPerSecond rate);  ///< "244 TFLOP/s"
[[nodiscard]] std::string flop(units::Flop work);                ///< "6.84 × 10²⁴"
[[nodiscard]] std::string longDate(run::Date date);              ///< "8 March 2027"

/// A catalog figure as its row has it: a number in `unit` ("bytes_per_second") in a unit that
/// people read
/// ("2.9 TB/s"), every digit kept; text as it is.
[[nodiscard]] std::string figureText(const std::string& value, const std::string& unit);

/// `text(*value)`, or notKnown().
template <typename T, typename F>
[[nodiscard]] std::string orNotKnown(const std::optional<T>& value, F text) {
    return value ? text(*value) : notKnown();
}

/// The parts rounded to `decimals` so that they add up to the rounded sum (largest remainder; of
/// equal remainders the earlier part gets the unit). Negative or non-finite parts count as zero.
[[nodiscard]] std::vector<double> roundedParts(std::span<const double> parts, int decimals);

}  // namespace trainwright::reports
