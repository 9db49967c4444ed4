// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/number_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <numeric>

#include <fmt/format.h>

namespace trainwright::reports {
namespace {

/// Commas into the digits before the point.
std::string grouped(const std::string& plain) {
    std::size_t start = (!plain.empty() && plain.front() == '-') ? 1 : 0;
    std::size_t point = plain.find('.');
    std::size_t end = point == std::string::npos ? plain.size() : point;
    std::string out = plain.substr(0, start);
    for (std::size_t i = start; i < end; ++i) {
        if (i > start && (end - i) % 3 == 0) out += ',';
        out += plain[i];
    }
    return out + plain.substr(end);
}

bool isZeroText(const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) { return c >= '1' && c <= '9'; });
}

/// Decimal exponent that `value` has once it is rounded to `digits` significant digits.
int exponentRounded(double value, int digits) {
    std::string scientific = fmt::format("{:.{}e}", std::abs(value), digits - 1);
    int exponent = 0;
    const char* begin = scientific.data() + scientific.find('e') + 1;
    if (*begin == '+') ++begin;
    std::from_chars(begin, scientific.data() + scientific.size(), exponent);
    return exponent;
}

/// Smallest positive text of a format with one decimal, so that little is not shown as nothing.
std::string oneDecimal(double value, const char* suffix) {
    if (value > 0 && value < 0.05) return fmt::format("<0.1{}", suffix);
    double tenths = std::round(value * 10.0) / 10.0;
    int decimals = std::abs(tenths) < 10.0 && tenths != 0.0 ? 1 : 0;
    return fixed(value, decimals) + suffix;
}

/// "76–93" with those decimals, in whole multiples of `unit`.
std::string range(double low, double high, int decimals, double unit) {
    if (!std::isfinite(low)) return notKnown();
    const auto shown = [&](double end) { return fixed(std::round(end / unit) * unit, decimals); };
    if (std::isinf(high)) return Text{"{1} or more", {shown(low)}}.english();
    return shown(low) + "–" + shown(high);
}

}  // namespace

std::string notKnown() {
    return "not known";
}

std::string fixed(double value, int decimals) {
    if (!std::isfinite(value)) return notKnown();
    std::string text = fmt::format("{:.{}f}", value, decimals);
    if (text.front() == '-' && isZeroText(text)) text.erase(0, 1);
    return grouped(text);
}

std::string estimate(double value, int digits) {
    if (!std::isfinite(value)) return notKnown();
    if (value == 0.0) return "0";
    int exponent = exponentRounded(value, digits);
    if (exponent >= digits) {
        // More digits before the point than are meant: the rest are zeros.
        double unit = std::pow(10.0, exponent - digits + 1);
        return fixed(std::round(value / unit) * unit, 0);
    }
    int decimals = digits - 1 - exponent;
    if (decimals > 12) return value > 0 ? "<0.000001" : ">-0.000001";
    return fixed(value, decimals);
}

std::string trimmed(double value, int digits) {
    std::string text = estimate(value, digits);
    if (text.find('.') != std::string::npos) {
        text.erase(text.find_last_not_of('0') + 1);
        if (text.back() == '.') text.pop_back();
    }
    return text;
}

std::string count(double value) {
    return fixed(value, 0);
}

std::string exact(double value) {
    if (!std::isfinite(value)) return notKnown();
    std::array<char, 400> buffer{};
    auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                      std::chars_format::fixed);
    if (error != std::errc()) return estimate(value, 6);
    std::string text(buffer.data(), end);
    if (text.front() == '-' && isZeroText(text)) text.erase(0, 1);
    return grouped(text);
}

std::string bigCount(double value, int digits) {
    if (!std::isfinite(value)) return notKnown();
    struct Prefix {
        double factor;
        const char* letter;
    };
    static constexpr std::array<Prefix, 3> kPrefixes{{{1e12, "T"}, {1e9, "B"}, {1e6, "M"}}};
    for (const Prefix& prefix : kPrefixes) {
        if (std::abs(value) < prefix.factor * 0.9995) continue;
        return trimmed(value / prefix.factor, digits) + prefix.letter;
    }
    return count(value);
}

std::string days(double value) {
    if (!std::isfinite(value)) return notKnown();
    return oneDecimal(value, "");
}

std::string percent(double share) {
    if (!std::isfinite(share)) return notKnown();
    return oneDecimal(share * 100.0, "%");
}

std::string chance(double share) {
    if (!std::isfinite(share)) return notKnown();
    if (share < 0.01) return "<1%";
    return share > 0.99 ? ">99%" : fixed(share * 100.0, 0) + "%";
}

std::string estimateRange(double value, double low, double high) {
    if (!std::isfinite(value)) return notKnown();
    constexpr int kDigits = 3;
    const int exponent = value == 0.0 ? 0 : exponentRounded(value, kDigits);
    const int last = exponent - kDigits + 1;  // place of the last digit that is meant
    return range(low, high, std::max(0, -last), std::pow(10.0, last));
}

std::string daysRange(double value, double low, double high) {
    if (!std::isfinite(value)) return notKnown();
    const bool isSmall = std::abs(std::round(value * 10.0) / 10.0) < 10.0;
    return range(low, high, isSmall ? 1 : 0, isSmall ? 0.1 : 1.0);
}

std::string money(units::UsDollars amount) {
    if (!std::isfinite(amount.value())) return notKnown();
    if (std::abs(amount.value()) >= 1e5) return millions(amount) + " M USD";
    return estimate(amount.value()) + " USD";
}

std::string typedMoney(units::UsDollars amount) {
    if (!std::isfinite(amount.value())) return notKnown();
    if (std::abs(amount.value()) >= 1e5) return trimmed(amount.value() / 1e6, 6) + " M USD";
    return trimmed(amount.value(), 6) + " USD";
}

std::string typedMegawatts(units::Watts power) {
    if (!std::isfinite(power.value())) return notKnown();
    return trimmed(power.value() / 1e6, 6) + " MW";
}

std::string millions(units::UsDollars amount) {
    return estimate(amount.value() / 1e6);
}

std::string pricePerHour(units::UsDollarsPerSecond price) {
    double usd = units::inUsDollarsPerHour(price);
    if (!std::isfinite(usd)) return notKnown();
    // Per-second storage costs the last bits; no published rate has more than eight decimals.
    return exact(std::round(usd * 1e8) / 1e8);
}

std::string gibibyteNumber(units::Bytes bytes) {
    return estimate(units::inGibibytes(bytes));
}

std::string gibibytes(units::Bytes bytes) {
    if (!std::isfinite(bytes.value())) return notKnown();
    return gibibyteNumber(bytes) + " GiB";
}

std::string traffic(units::Bytes bytes) {
    double value = bytes.value();
    if (!std::isfinite(value)) return notKnown();
    struct Unit {
        double factor;
        const char* name;
    };
    static constexpr std::array<Unit, 4> kUnits{
        {{1e12, "TB"}, {1e9, "GB"}, {1e6, "MB"}, {1e3, "kB"}}};
    for (const Unit& unit : kUnits)
        if (std::abs(value) >= unit.factor * 0.9995)
            return estimate(value / unit.factor) + " " + unit.name;
    return estimate(value) + " B";
}

std::string seconds(units::Seconds time) {
    double value = time.value();
    if (!std::isfinite(value)) return notKnown();
    const double size = std::abs(value);
    if (value == 0.0 || size >= 0.9995) return estimate(value) + " s";
    if (size >= 0.09995e-3) return estimate(value * 1e3) + " ms";
    if (size >= 0.09995e-6) return estimate(value * 1e6) + " µs";
    return estimate(value * 1e9) + " ns";
}

std::string duration(units::Seconds time) {
    double value = time.value();
    if (!std::isfinite(value)) return notKnown();
    if (std::abs(value) < 60.0) return seconds(time);
    if (std::abs(value) < units::kSecondsPerHour) return estimate(value / 60.0) + " min";
    if (std::abs(value) < 2 * units::kSecondsPerDay)
        return estimate(value / units::kSecondsPerHour) + " h";
    return days(units::inDays(time)) + " days";
}

std::string megawatts(units::Watts power) {
    if (!std::isfinite(power.value())) return notKnown();
    return estimate(power.value() / 1e6) + " MW";
}

std::string megawattHours(units::Joules energy) {
    if (!std::isfinite(energy.value())) return notKnown();
    return estimate(units::inKilowattHours(energy) / 1e3) + " MWh";
}

std::string tonnesCo2(double kilograms) {
    if (!std::isfinite(kilograms)) return notKnown();
    return estimate(kilograms / 1e3) + " tCO2e";
}

std::string teraflops(units::FlopPerSecond rate) {
    if (!std::isfinite(rate.value())) return notKnown();
    return estimate(rate.value() / 1e12) + " TFLOP/s";
}

std::string flop(units::Flop work) {
    double value = work.value();
    if (!std::isfinite(value)) return notKnown();
    if (std::abs(value) < 1e6) return count(value);
    static constexpr std::array<const char*, 10> kSuperscripts{"⁰", "¹", "²", "³", "⁴",
                                                               "⁵", "⁶", "⁷", "⁸", "⁹"};
    int exponent = exponentRounded(value, 3);
    std::string raised;
    for (char digit : fmt::format("{}", exponent))
        raised += kSuperscripts[static_cast<std::size_t>(digit - '0')];
    return fixed(value / std::pow(10.0, exponent), 2) + " × 10" + raised;
}

std::string longDate(run::Date date) {
    static constexpr std::array<const char*, 12> kMonths{
        "January", "February", "March",     "April",   "May",      "June",
        "July",    "August",   "September", "October", "November", "December"};
    if (date.month < 1 || date.month > 12) return notKnown();
    return fmt::format("{} {} {}", date.day, kMonths[static_cast<std::size_t>(date.month - 1)],
                       date.year);
}

std::string figureText(const std::string& value, const std::string& unit) {
    double number = 0;
    auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc() || end != value.data() + value.size() || !std::isfinite(number))
        return value;
    struct Scale {
        const char* unit;
        double factor;
        const char* shown;
    };
    // Within a unit the largest factor that the number reaches is taken.
    static constexpr std::array<Scale, 23> kScales{{
        {"flop_per_second", 1e15, "PFLOP/s"},
        {"flop_per_second", 1e12, "TFLOP/s"},
        {"flop_per_second", 1, "FLOP/s"},
        {"bytes_per_second", 1e12, "TB/s"},
        {"bytes_per_second", 1e9, "GB/s"},
        {"bytes_per_second", 1e6, "MB/s"},
        {"bytes_per_second", 1, "B/s"},
        {"seconds", 1, "s"},
        {"seconds", 1e-3, "ms"},
        {"seconds", 1e-6, "µs"},
        {"seconds", 0, "s"},
        {"metres", 1e-9, "nm"},
        {"watts", 1e6, "MW"},
        {"watts", 1, "W"},
        {"watts", 0, "W"},
        {"usd_per_hour", 0, "USD/h"},
        {"fraction", 0, ""},
        {"ratio", 0, ""},
        {"count", 0, ""},
        {"bytes", 1e12, "TB"},
        {"bytes", 1e9, "GB"},
        {"bytes", 1e6, "MB"},
        {"bytes", 0, "B"},
    }};
    auto shown = [](double scaled, const std::string& suffix) {
        // Ten digits keep every published one and lose what a division adds.
        std::string text = trimmed(scaled, 10);
        return suffix.empty() ? text : text + " " + suffix;
    };
    if (unit == "bytes" && number >= units::kGibi && std::fmod(number, units::kGibi / 16.0) == 0.0)
        return shown(number / units::kGibi, "GiB");
    for (const Scale& scale : kScales)
        if (unit == scale.unit && std::abs(number) >= scale.factor)
            return shown(scale.factor > 0 ? number / scale.factor : number, scale.shown);
    std::string words = unit;
    std::replace(words.begin(), words.end(), '_', ' ');
    return shown(number, words);
}

std::vector<double> roundedParts(std::span<const double> parts, int decimals) {
    const double scale = std::pow(10.0, decimals);
    std::vector<double> scaled;
    scaled.reserve(parts.size());
    for (double part : parts)
        scaled.push_back(std::isfinite(part) && part > 0 ? part * scale : 0.0);

    std::vector<std::int64_t> whole;
    whole.reserve(parts.size());
    for (double s : scaled) whole.push_back(static_cast<std::int64_t>(std::floor(s)));
    const auto target =
        static_cast<std::int64_t>(std::llround(std::accumulate(scaled.begin(), scaled.end(), 0.0)));
    std::int64_t missing = target - std::accumulate(whole.begin(), whole.end(), std::int64_t{0});

    std::vector<std::size_t> order(parts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return scaled[a] - static_cast<double>(whole[a]) >
               scaled[b] - static_cast<double>(whole[b]);
    });
    for (std::size_t i = 0; i < order.size() && missing > 0; ++i, --missing) ++whole[order[i]];

    std::vector<double> rounded;
    rounded.reserve(parts.size());
    for (std::int64_t w : whole) rounded.push_back(static_cast<double>(w) / scale);
    return rounded;
}

}  // namespace trainwright::reports
