// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/text_quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace trainwright::units {

namespace {

std::string withoutBlanks(std::string_view s) {
    std::string out;
    for (char c : s) {
        if (c != ' ' && c != '\t') out += c;
    }
    return out;
}

/// value = number · 10^exponent · factor / divisor. The power of ten is applied to the decimal
/// text, so that 15.6T is the double nearest to 15.6e12 and not a product of two roundings.
struct Unit {
    std::string spelled;  ///< with a space between words: "M tokens"
    std::string written;  ///< what formatting puts after the number, its space included
    int exponent = 0;
    double factor = 1;
    double divisor = 1;
    bool canonical = false;  ///< formatting may choose it

    std::string symbol = withoutBlanks(spelled);  ///< as looked up

    [[nodiscard]] double scale() const { return std::pow(10.0, exponent) * factor / divisor; }
};

struct Prefix {
    const char* symbol;
    int exponent;
};

constexpr std::array<Prefix, 7> kDecimal{
    {{"", 0}, {"k", 3}, {"M", 6}, {"G", 9}, {"T", 12}, {"P", 15}, {"E", 18}}};
constexpr std::array<const char*, 6> kBinary{"Ki", "Mi", "Gi", "Ti", "Pi", "Ei"};

using Table = std::vector<Unit>;

std::string spaced(const std::string& multiple, const std::string& unit) {
    return multiple.empty() ? unit : multiple + " " + unit;
}

Table countTable(const std::string& singular, const std::string& plural) {
    struct Multiple {
        const char* text;
        int exponent;
        bool canonical;
    };
    constexpr std::array<Multiple, 11> multiples{{{"", 0, true},
                                                  {"k", 3, true},
                                                  {"K", 3, false},
                                                  {"thousand", 3, false},
                                                  {"M", 6, true},
                                                  {"million", 6, false},
                                                  {"B", 9, true},
                                                  {"G", 9, false},
                                                  {"billion", 9, false},
                                                  {"T", 12, true},
                                                  {"trillion", 12, false}}};
    Table table;
    for (const Multiple& m : multiples) {
        table.push_back({m.text, m.text, m.exponent, 1, 1, m.canonical});
        if (!singular.empty())
            table.push_back({spaced(m.text, singular), "", m.exponent, 1, 1, false});
        if (!plural.empty()) table.push_back({spaced(m.text, plural), "", m.exponent, 1, 1, false});
    }
    double factor = 1;
    for (std::size_t i = 0; i < 4; ++i) {
        factor *= kKibi;
        table.push_back({kBinary[i], kBinary[i], 0, factor, 1, false});
        if (!plural.empty()) table.push_back({spaced(kBinary[i], plural), "", 0, factor, 1, false});
    }
    return table;
}

void addDecimal(Table& table, const std::string& unit, int first, int last, double factor = 1,
                double divisor = 1, bool canonical = true) {
    for (const Prefix& p : kDecimal) {
        if (p.exponent < first || p.exponent > last) continue;
        table.push_back(
            {p.symbol + unit, " " + (p.symbol + unit), p.exponent, factor, divisor, canonical});
    }
}

void addBinary(Table& table, const std::string& unit, bool canonical = true) {
    double factor = 1;
    for (const char* prefix : kBinary) {
        factor *= kKibi;
        table.push_back({prefix + unit, " " + (prefix + unit), 0, factor, 1, canonical});
    }
}

Table makeTable(QuantityKind kind) {
    Table t;
    switch (kind) {
        case QuantityKind::Count:
            return countTable("", "");
        case QuantityKind::Tokens:
            return countTable("token", "tokens");
        case QuantityKind::Sequences:
            return countTable("sequence", "sequences");
        case QuantityKind::Number:
            t.push_back({"", "", 0, 1, 1, true});
            break;
        case QuantityKind::Share:
            t.push_back({"%", "%", -2, 1, 1, true});
            t.push_back({"percent", "", -2, 1, 1, false});
            break;
        case QuantityKind::DataSize:
            addDecimal(t, "B", 0, 18);
            t.push_back({"byte", "", 0, 1, 1, false});
            t.push_back({"bytes", "", 0, 1, 1, false});
            addBinary(t, "B");
            break;
        case QuantityKind::DataRate:
            addDecimal(t, "B/s", 0, 18);
            addBinary(t, "B/s");
            addDecimal(t, "b/s", 0, 18, 0.125, 1, false);
            addDecimal(t, "bit/s", 0, 18, 0.125, 1, false);
            addDecimal(t, "bps", 3, 18, 0.125, 1, false);
            break;
        case QuantityKind::Power:
            addDecimal(t, "W", 0, 9);
            break;
        case QuantityKind::Energy:
            addDecimal(t, "J", 0, 18);
            addDecimal(t, "Wh", 0, 12, kSecondsPerHour, 1);
            break;
        case QuantityKind::Duration:
            t.push_back({"us", " us", -6, 1, 1, true});
            t.push_back({"ms", " ms", -3, 1, 1, true});
            for (const char* s : {"s", "sec", "second", "seconds"})
                t.push_back({s, std::string(" ") + s, 0, 1, 1, s == std::string_view("s")});
            for (const char* s : {"min", "minute", "minutes"})
                t.push_back({s, std::string(" ") + s, 0, 60, 1, s == std::string_view("min")});
            for (const char* s : {"h", "hr", "hour", "hours"})
                t.push_back(
                    {s, std::string(" ") + s, 0, kSecondsPerHour, 1, s == std::string_view("h")});
            for (const char* s : {"d", "day", "days"})
                t.push_back(
                    {s, std::string(" ") + s, 0, kSecondsPerDay, 1, s == std::string_view("d")});
            for (const char* s : {"week", "weeks"})
                t.push_back({s, std::string(" ") + s, 0, 7 * kSecondsPerDay, 1, false});
            for (const char* s : {"y", "year", "years"})
                t.push_back({s, std::string(" ") + s, 0, kSecondsPerYear, 1, false});
            break;
        case QuantityKind::Money:
            for (const auto& [symbol, exponent] :
                 {std::pair{"", 0}, std::pair{"k", 3}, std::pair{"M", 6}, std::pair{"B", 9}}) {
                t.push_back(
                    {spaced(symbol, "USD"), symbol + std::string(" USD"), exponent, 1, 1, true});
            }
            t.push_back({"K USD", "", 3, 1, 1, false});
            t.push_back({"thousand USD", "", 3, 1, 1, false});
            t.push_back({"million USD", "", 6, 1, 1, false});
            t.push_back({"billion USD", "", 9, 1, 1, false});
            t.push_back({"dollars", "", 0, 1, 1, false});
            break;
        case QuantityKind::HourlyPrice:
            t.push_back({"USD/s", " USD/s", 0, 1, 1, true});
            t.push_back({"USD/h", " USD/h", 0, 1, kSecondsPerHour, true});
            t.push_back({"USD/hour", "", 0, 1, kSecondsPerHour, false});
            t.push_back({"USD/hr", "", 0, 1, kSecondsPerHour, false});
            t.push_back({"USD/d", "", 0, 1, kSecondsPerDay, false});
            t.push_back({"USD/day", "", 0, 1, kSecondsPerDay, false});
            break;
        case QuantityKind::Compute:
            addDecimal(t, "FLOP", 0, 18);
            break;
        case QuantityKind::ComputeRate:
            addDecimal(t, "FLOP/s", 0, 18);
            addDecimal(t, "FLOPS", 0, 18, 1, 1, false);
            break;
        case QuantityKind::Mass:
            t.push_back({"g", " g", -3, 1, 1, true});
            t.push_back({"kg", " kg", 0, 1, 1, true});
            for (const auto& [symbol, exponent] :
                 {std::pair{"t", 3}, std::pair{"kt", 6}, std::pair{"Mt", 9}}) {
                t.push_back({symbol, std::string(" ") + symbol, exponent, 1, 1, true});
                t.push_back({std::string(symbol) + "CO2e", "", exponent, 1, 1, false});
                t.push_back({std::string(symbol) + " CO2e", "", exponent, 1, 1, false});
            }
            break;
    }
    return t;
}

const Table& table(QuantityKind kind) {
    static const std::array<Table, kQuantityKindCount> tables = [] {
        std::array<Table, kQuantityKindCount> all;
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = makeTable(static_cast<QuantityKind>(i));
        return all;
    }();
    return tables[static_cast<std::size_t>(kind)];
}

const Unit* find(const Table& units, std::string_view symbol) {
    auto it =
        std::find_if(units.begin(), units.end(), [&](const Unit& u) { return u.symbol == symbol; });
    return it == units.end() ? nullptr : &*it;
}

bool isSpace(char c) {
    return c == ' ' || c == '\t';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view trimmed(std::string_view s) {
    while (!s.empty() && isSpace(s.front())) s.remove_prefix(1);
    while (!s.empty() && isSpace(s.back())) s.remove_suffix(1);
    return s;
}

Finding error(std::string pattern, std::vector<Argument> arguments) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)}, {}};
}

/// A text cut into its number and its suffix.
struct Parts {
    bool negative = false;
    std::string mantissa;  ///< digits with at most one point
    int exponent = 0;
    std::string suffix;  ///< without spaces
    std::string number;  ///< as written
};

bool isWhole(QuantityKind kind) {
    return kind == QuantityKind::Count || kind == QuantityKind::Tokens ||
           kind == QuantityKind::Sequences;
}

/// The number with the power of ten taken into its decimal exponent; nullopt when out of a double's
/// range.
std::optional<double> decimal(const std::string& mantissa, int exponent) {
    std::string text = mantissa + "e" + std::to_string(exponent);
    double value = 0;
    auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code == std::errc::result_out_of_range) {
        // Too small rather than too large: every digit of such a number lies below what a double
        // can hold.
        bool zero = std::all_of(mantissa.begin(), mantissa.end(),
                                [](char c) { return c == '0' || c == '.'; });
        if (zero || exponent < 0) return 0.0;
        return std::nullopt;
    }
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

std::optional<double> apply(const Parts& parts, const Unit& unit) {
    std::optional<double> value = decimal(parts.mantissa, parts.exponent + unit.exponent);
    if (!value) return std::nullopt;
    double result = *value * unit.factor / unit.divisor;
    if (!std::isfinite(result)) return std::nullopt;
    return result;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (std::size_t i = 0; i < words.size(); ++i) out += (i == 0 ? "" : ", ") + words[i];
    return out;
}

Outcome<Parts> split(QuantityKind kind, std::string_view original) {
    std::string_view s = trimmed(original);
    const std::string shown(s);
    if (s.empty())
        return error("Nothing is written here, where {1} is expected, such as {2}.",
                     {nounPhrase(kind), example(kind)});
    Parts parts;
    if (s.front() == '-') {
        parts.negative = true;
        s.remove_prefix(1);
    }
    std::string money;
    if (s.starts_with("$")) {
        money = "USD";
        s.remove_prefix(1);
    } else if (s.starts_with("USD")) {
        money = "USD";
        s = trimmed(s.substr(3));
    }
    std::size_t i = 0;
    int points = 0;
    int digits = 0;
    while (i < s.size() && (isDigit(s[i]) || s[i] == '.')) {
        if (s[i] == '.') {
            ++points;
        } else {
            ++digits;
        }
        ++i;
    }
    if (digits == 0 || points > 1) {
        std::string lower;
        for (char c : s.substr(0, std::min<std::size_t>(s.size(), 9)))
            lower += static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        if (lower.starts_with("inf") || lower.starts_with(".inf") || lower.starts_with("nan") ||
            lower.starts_with(".nan")) {
            return error("`{1}` is not a finite number, where {2} is expected, such as {3}.",
                         {shown, nounPhrase(kind), example(kind)});
        }
        return error("`{1}` does not begin with a number, where {2} is expected, such as {3}.",
                     {shown, nounPhrase(kind), example(kind)});
    }
    parts.mantissa = std::string(s.substr(0, i));
    if (i < s.size() && s[i] == ',') {
        std::string fixed;
        for (char c : shown) {
            if (c != ',') fixed += c;
        }
        return error("`{1}` has a comma. Write {2}; decimals follow a point.", {shown, fixed});
    }
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        std::size_t j = i + 1;
        if (j < s.size() && (s[j] == '+' || s[j] == '-')) ++j;
        if (j < s.size() && isDigit(s[j])) {
            std::size_t first = s[i + 1] == '+' ? i + 2 : i + 1;
            while (j < s.size() && isDigit(s[j])) ++j;
            int exponent = 0;
            auto [end, code] = std::from_chars(s.data() + first, s.data() + j, exponent);
            (void)end;
            // An exponent beyond an int is out of any double's range; the clamp keeps the sum below
            // defined.
            constexpr int kLimit = 100000;
            if (code != std::errc{}) exponent = s[first] == '-' ? -kLimit : kLimit;
            parts.exponent = std::clamp(exponent, -kLimit, kLimit);
            i = j;
        }
    }
    parts.number = std::string(s.substr(0, i));
    parts.suffix = withoutBlanks(s.substr(i));
    parts.suffix = parts.suffix.starts_with('/') ? money + parts.suffix : parts.suffix + money;
    return parts;
}

/// How `parts` would be written in a unit of `kind` of the same power of ten; the kind's example if
/// there is none.
std::string rewritten(const Parts& parts, const Unit& foreign, QuantityKind kind) {
    for (const Unit& u : table(kind)) {
        if (u.canonical && u.factor == 1 && u.divisor == 1 && u.exponent == foreign.exponent)
            return parts.number + u.written;
    }
    return example(kind);
}

Finding noUnit(const Parts& parts, std::string_view shown, QuantityKind kind) {
    if (kind == QuantityKind::Share) {
        double value = decimal(parts.mantissa, parts.exponent).value_or(0);
        std::string fixed = plainNumber(value <= 1 ? std::round(value * 1e10) / 1e8 : value) + "%";
        return error("`{1}` has no unit, where {2} is expected. Write {3}.",
                     {std::string(shown), nounPhrase(kind), fixed});
    }
    return error("`{1}` has no unit, where {2} is expected. Write it as in {3}.",
                 {std::string(shown), nounPhrase(kind), example(kind)});
}

Finding wrongSuffix(const Parts& parts, const std::string& shown, QuantityKind kind) {
    if (kind == QuantityKind::DataSize) {
        // Gb beside GB: the likeliest slip, and off by a factor of eight.
        if (const Unit* bits = find(table(QuantityKind::DataRate), parts.suffix + "/s");
            bits && bits->factor == 0.125) {
            const double bytes = apply(parts, *bits).value_or(0);
            return error(
                "`{1}` is in bits, where bytes are expected. Write {2} if bits are meant, {3} if "
                "bytes.",
                {shown, formatQuantity(kind, bytes), rewritten(parts, *bits, kind)});
        }
    }
    if (find(table(QuantityKind::Count), parts.suffix) != nullptr) {
        return error("`{1}` has no unit, where {2} is expected. Write it as in {3}.",
                     {shown, nounPhrase(kind), example(kind)});
    }
    for (int k = 0; k < kQuantityKindCount; ++k) {
        const auto other = static_cast<QuantityKind>(k);
        if (other == kind || parts.suffix.empty()) continue;
        const Unit* foreign = find(table(other), parts.suffix);
        if (foreign == nullptr) continue;
        return error(
            "`{1}` is {2}, where {3} is expected. Write it as in {4}.",
            {shown, nounPhrase(other), nounPhrase(kind), rewritten(parts, *foreign, kind)});
    }
    std::vector<std::string> all;
    for (const Unit& u : table(kind)) {
        if (!u.symbol.empty()) all.push_back(u.symbol);
    }
    std::vector<std::string> near = nearestWords(parts.suffix, all, 1);
    std::vector<std::string> symbols = unitSymbols(kind);
    std::erase(symbols, "");
    if (symbols.empty()) {
        return error("`{1}` has the unit `{2}`, where {3} is expected, such as {4}.",
                     {shown, parts.suffix, nounPhrase(kind), example(kind)});
    }
    if (near.empty()) {
        return error("`{1}` in `{2}` is not a unit here, where {3} is expected. The units are {4}.",
                     {parts.suffix, shown, nounPhrase(kind), joined(symbols)});
    }
    return error(
        "`{1}` in `{2}` is not a unit here, where {3} is expected. Nearest: {4}. The units are "
        "{5}.",
        {parts.suffix, shown, nounPhrase(kind), near.front(), joined(symbols)});
}

/// The unit that people would use: the largest that leaves at least 1 before the point.
const Unit& naturalUnit(QuantityKind kind, double value) {
    const Unit* best = nullptr;
    const Unit* smallest = nullptr;
    for (const Unit& u : table(kind)) {
        if (!u.canonical || (kind == QuantityKind::DataRate && u.exponent == 0 && u.factor > 1))
            continue;
        if (kind == QuantityKind::HourlyPrice && u.divisor == 1) continue;
        if (kind == QuantityKind::Energy && u.factor == 1 && value >= kJoulesPerKilowattHour)
            continue;
        if (value == 0 && u.scale() == 1) return u;
        if (smallest == nullptr || u.scale() < smallest->scale()) smallest = &u;
        if (value >= u.scale() && (best == nullptr || u.scale() > best->scale())) best = &u;
    }
    return best != nullptr ? *best : *smallest;
}

}  // namespace

Text nounPhrase(QuantityKind kind) {
    switch (kind) {
        case QuantityKind::Count:
            return {"a whole number", {}};
        case QuantityKind::Tokens:
            return {"a count of tokens", {}};
        case QuantityKind::Sequences:
            return {"a count of sequences", {}};
        case QuantityKind::Number:
            return {"a plain number", {}};
        case QuantityKind::Share:
            return {"a share in percent", {}};
        case QuantityKind::DataSize:
            return {"a size in bytes", {}};
        case QuantityKind::DataRate:
            return {"a data rate", {}};
        case QuantityKind::Power:
            return {"a power", {}};
        case QuantityKind::Energy:
            return {"an energy", {}};
        case QuantityKind::Duration:
            return {"a duration", {}};
        case QuantityKind::Money:
            return {"an amount of US dollars", {}};
        case QuantityKind::HourlyPrice:
            return {"a price by the hour", {}};
        case QuantityKind::Compute:
            return {"a number of floating-point operations", {}};
        case QuantityKind::ComputeRate:
            return {"a compute rate", {}};
        case QuantityKind::Mass:
            return {"a mass", {}};
    }
    return {"", {}};
}

const char* example(QuantityKind kind) {
    switch (kind) {
        case QuantityKind::Count:
            return "16384";
        case QuantityKind::Tokens:
            return "15.6T";
        case QuantityKind::Sequences:
            return "2048 sequences";
        case QuantityKind::Number:
            return "14";
        case QuantityKind::Share:
            return "20%";
        case QuantityKind::DataSize:
            return "1.5 TiB";
        case QuantityKind::DataRate:
            return "200 GB/s";
        case QuantityKind::Power:
            return "30 MW";
        case QuantityKind::Energy:
            return "12 MWh";
        case QuantityKind::Duration:
            return "10 min";
        case QuantityKind::Money:
            return "120M USD";
        case QuantityKind::HourlyPrice:
            return "35.76 USD/h";
        case QuantityKind::Compute:
            return "667 TFLOP";
        case QuantityKind::ComputeRate:
            return "667 TFLOP/s";
        case QuantityKind::Mass:
            return "2500 t";
    }
    return "";
}

std::vector<std::string> unitSymbols(QuantityKind kind) {
    std::vector<const Unit*> units;
    for (const Unit& u : table(kind)) {
        if (u.canonical) units.push_back(&u);
    }
    std::stable_sort(units.begin(), units.end(),
                     [](const Unit* a, const Unit* b) { return a->scale() < b->scale(); });
    std::vector<std::string> out;
    for (const Unit* u : units) out.emplace_back(trimmed(u->written));
    return out;
}

std::vector<std::string> acceptedSuffixes(QuantityKind kind) {
    std::vector<std::string> out;
    for (const Unit& u : table(kind)) out.push_back(u.spelled);
    return out;
}

Outcome<double> readQuantity(QuantityKind kind, std::string_view text, BareNumber bare) {
    const std::string shown(trimmed(text));
    Outcome<Parts> cut = split(kind, text);
    if (!cut) return cut.findings();
    const Parts& parts = *cut;
    const Unit* unit = find(table(kind), parts.suffix);
    Unit bareUnit;
    if (unit == nullptr && parts.suffix.empty()) {
        if (bare == BareNumber::Refused) return noUnit(parts, shown, kind);
        if (kind == QuantityKind::HourlyPrice) bareUnit.divisor = kSecondsPerHour;
        unit = &bareUnit;
    }
    if (unit == nullptr && bare == BareNumber::Allowed && kind == QuantityKind::Money) {
        unit = find(table(kind), parts.suffix + "USD");
    }
    if (unit == nullptr) return wrongSuffix(parts, shown, kind);
    if (parts.negative) {
        return error("`{1}` is negative; {2} is zero or more.", {shown, nounPhrase(kind)});
    }
    std::optional<double> value = apply(parts, *unit);
    if (!value) return error("`{1}` is too large for {2}.", {shown, nounPhrase(kind)});
    if (isWhole(kind)) {
        // Beyond 2^53 a double no longer tells neighbouring counts apart.
        constexpr double kLargestCount = 9007199254740992.0;
        if (*value > kLargestCount)
            return error("`{1}` is too large for {2}.", {shown, nounPhrase(kind)});
        if (*value != std::floor(*value)) {
            return error("`{1}` is not a whole number, where {2} is expected.",
                         {shown, nounPhrase(kind)});
        }
    }
    return *value;
}

namespace {
template <typename Q>
Outcome<Q> typed(QuantityKind kind, std::string_view text, BareNumber bare = BareNumber::Refused) {
    Outcome<double> value = readQuantity(kind, text, bare);
    if (!value) return value.findings();
    return Q(*value);
}
}  // namespace

Outcome<Bytes> readBytes(std::string_view text) {
    return typed<Bytes>(QuantityKind::DataSize, text);
}
Outcome<BytesPerSecond> readBytesPerSecond(std::string_view text) {
    return typed<BytesPerSecond>(QuantityKind::DataRate, text);
}
Outcome<Watts> readWatts(std::string_view text) {
    return typed<Watts>(QuantityKind::Power, text);
}
Outcome<Seconds> readSeconds(std::string_view text) {
    return typed<Seconds>(QuantityKind::Duration, text);
}
Outcome<UsDollars> readUsDollars(std::string_view text, BareNumber bare) {
    return typed<UsDollars>(QuantityKind::Money, text, bare);
}

std::string plainNumber(double value) {
    std::array<char, 64> buffer{};
    auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    (void)code;
    std::string shortest(buffer.data(), end);
    if (shortest.find('e') != std::string::npos && std::abs(value) < 1e15 &&
        std::abs(value) >= 1e-6) {
        std::array<char, 400> wide{};
        auto [wideEnd, wideCode] =
            std::to_chars(wide.data(), wide.data() + wide.size(), value, std::chars_format::fixed);
        if (wideCode == std::errc{}) return std::string(wide.data(), wideEnd);
    }
    return shortest;
}

std::string fixedNumber(double value, int decimals) {
    std::array<char, 512> buffer{};
    auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::fixed, std::max(decimals, 0));
    return code == std::errc{} ? std::string(buffer.data(), end) : plainNumber(value);
}

std::string groupedNumber(double value, int decimals) {
    std::string text = fixedNumber(value, decimals);
    if (!std::isfinite(value)) return text;
    std::string fraction;
    if (std::size_t point = text.find('.'); point != std::string::npos) {
        fraction = text.substr(point);
        text.erase(point);
        while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
        if (fraction == ".") fraction.clear();
    }
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    for (std::size_t at = text.size(); at > sign + 3;) {
        at -= 3;
        text.insert(at, ",");
    }
    return text + fraction;
}

std::string formatQuantity(QuantityKind kind, double value) {
    if (!std::isfinite(value) || value < 0) return plainNumber(value);
    std::string best;
    auto offer = [&](const std::string& text) {
        // `natural` is offered first, so that on equal length it stays.
        if (best.empty() || text.size() < best.size()) best = text;
    };
    auto tryUnit = [&](const Unit& u) {
        const double scaled = value / u.scale();
        if (!std::isfinite(scaled)) return;
        std::array<char, 64> buffer{};
        for (int digits = 1; digits <= 17; ++digits) {
            auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), scaled,
                                             std::chars_format::general, digits);
            if (code != std::errc{}) return;
            std::string number(buffer.data(), end);
            if (number.find('e') != std::string::npos) continue;
            std::string text = number + u.written;
            Outcome<double> back = readQuantity(kind, text);
            if (back.ok() && *back == value) {
                offer(text);
                return;
            }
        }
    };
    // 16384 accelerators or 2048 sequences are written out; 15.6T tokens are not.
    constexpr double kWrittenOut = 1e6;
    const bool plain =
        (kind == QuantityKind::Count || kind == QuantityKind::Sequences) && value < kWrittenOut;
    if (plain) return plainNumber(value);
    const Unit& natural = naturalUnit(kind, value);
    tryUnit(natural);
    if (isWhole(kind)) offer(plainNumber(value));
    constexpr std::size_t kShort = 9;
    if (best.empty() || best.size() > kShort) {
        for (const Unit& u : table(kind)) {
            if (u.canonical && !(kind == QuantityKind::HourlyPrice && u.divisor == 1)) tryUnit(u);
        }
    }
    if (!best.empty()) return best;
    // The unit without factor always reads back: to_chars gives the shortest exact text.
    for (const Unit& u : table(kind)) {
        if (u.canonical && u.factor == 1 && u.divisor == 1 && u.exponent == 0)
            return plainNumber(value) + u.written;
    }
    // Shares: the exponent moves the point, which is exact in text.
    std::array<char, 64> buffer{};
    auto [end, code] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                     std::chars_format::scientific);
    (void)code;
    std::string text(buffer.data(), end);
    const std::size_t e = text.find('e');
    const Unit& u = table(kind).front();
    int exponent = 0;
    const char* first = text.data() + e + (text[e + 1] == '+' ? 2 : 1);
    std::from_chars(first, text.data() + text.size(), exponent);
    return text.substr(0, e) + "e" + std::to_string(exponent - u.exponent) + u.written;
}

std::string displayQuantity(QuantityKind kind, double value, int digits) {
    if (!std::isfinite(value)) return plainNumber(value);
    const double magnitude = std::abs(value);
    const Unit* unit = &naturalUnit(kind, magnitude);
    double scaled = magnitude / unit->scale();
    int before = scaled >= 1 ? static_cast<int>(std::floor(std::log10(scaled))) + 1 : 1;
    int decimals = std::max(0, digits - before);
    const double step = std::pow(10.0, decimals);
    const double rounded = std::round(scaled * step) / step;
    // 999.96 kB rounds to 1,000 kB: step up to the unit that says 1 MB.
    const Unit* larger = &naturalUnit(kind, rounded * unit->scale() * (1 + 1e-12));
    if (larger != unit && larger->scale() > unit->scale()) {
        unit = larger;
        scaled = magnitude / unit->scale();
        before = scaled >= 1 ? static_cast<int>(std::floor(std::log10(scaled))) + 1 : 1;
        decimals = std::max(0, digits - before);
    }
    if (isWhole(kind) && unit->scale() == 1) decimals = 0;
    std::string text = (value < 0 ? "-" : "") + groupedNumber(scaled, decimals) + unit->written;
    if (kind == QuantityKind::Tokens) text += " tokens";
    if (kind == QuantityKind::Sequences) text += " sequences";
    return text;
}

Outcome<Day> readDay(std::string_view text) {
    const std::string_view s = trimmed(text);
    const std::string shown(s);
    bool shape = s.size() == 10 && s[4] == '-' && s[7] == '-';
    for (std::size_t i = 0; shape && i < s.size(); ++i) {
        if (i != 4 && i != 7) shape = isDigit(s[i]);
    }
    if (!shape)
        return error("`{1}` is not a date. Write year-month-day, such as {2}.",
                     {shown, "2027-03-01"});
    auto number = [&](std::size_t at, std::size_t length) {
        int v = 0;
        std::from_chars(s.data() + at, s.data() + at + length, v);
        return v;
    };
    const Day day{number(0, 4), number(5, 2), number(8, 2)};
    if (day.year < 1970)
        return error("`{1}` lies before 1970-01-01, the first day that is understood.", {shown});
    if (day.month < 1 || day.month > 12) {
        return error(
            "`{1}` has the month {2}; months run from 01 to 12, and the order is year-month-day.",
            {shown, std::to_string(day.month)});
    }
    constexpr std::array<int, 12> kLengths{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool leap = (day.year % 4 == 0 && day.year % 100 != 0) || day.year % 400 == 0;
    const int length =
        kLengths[static_cast<std::size_t>(day.month - 1)] + (leap && day.month == 2 ? 1 : 0);
    if (day.day < 1 || day.day > length) {
        return error("`{1}` is not a day of the calendar; that month has {2} days.",
                     {shown, std::to_string(length)});
    }
    return day;
}

std::string formatDay(Day day) {
    auto padded = [](int value, std::size_t width) {
        std::string text = std::to_string(value);
        return std::string(text.size() < width ? width - text.size() : 0, '0') + text;
    };
    return padded(day.year, 4) + "-" + padded(day.month, 2) + "-" + padded(day.day, 2);
}

std::vector<std::string> nearestWords(std::string_view word,
                                      const std::vector<std::string>& candidates,
                                      std::size_t limit) {
    // Optimal string alignment in tenths, so that a difference of case alone stays the cheapest
    // slip.
    constexpr int kEdit = 10;
    constexpr int kCase = 1;
    constexpr std::size_t kLongest = 200;  // a word longer than any key is a paste, not a slip
    if (word.size() > kLongest) return {};
    auto lower = [](char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); };
    auto distance = [&](std::string_view a, std::string_view b) {
        std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
        for (std::size_t i = 0; i <= a.size(); ++i) d[i][0] = static_cast<int>(i) * kEdit;
        for (std::size_t j = 0; j <= b.size(); ++j) d[0][j] = static_cast<int>(j) * kEdit;
        for (std::size_t i = 1; i <= a.size(); ++i) {
            for (std::size_t j = 1; j <= b.size(); ++j) {
                int change =
                    a[i - 1] == b[j - 1] ? 0 : (lower(a[i - 1]) == lower(b[j - 1]) ? kCase : kEdit);
                d[i][j] =
                    std::min({d[i - 1][j] + kEdit, d[i][j - 1] + kEdit, d[i - 1][j - 1] + change});
                if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
                    d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + kEdit);
                }
            }
        }
        return d[a.size()][b.size()];
    };
    struct Scored {
        int cost;
        std::size_t index;
    };
    std::vector<Scored> scored;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string& c = candidates[i];
        if (c.empty() || c.size() > kLongest) continue;
        int cost = distance(word, c);
        const int longest = static_cast<int>(std::max(word.size(), c.size()));
        int allowed = std::max(kEdit, longest * kEdit * 4 / 10);
        // A key that continues or shortens another (recomputation, recompute; mem, memory_headroom)
        // is near as well.
        std::size_t common = 0;
        while (common < word.size() && common < c.size() && lower(word[common]) == lower(c[common]))
            ++common;
        if (common >= 3 && (common == word.size() || common == c.size() || common >= 5))
            allowed = std::max(allowed, longest * kEdit * 7 / 10);
        if (cost <= allowed && cost < longest * kEdit) scored.push_back({cost, i});
    }
    std::stable_sort(scored.begin(), scored.end(),
                     [](const Scored& a, const Scored& b) { return a.cost < b.cost; });
    std::vector<std::string> out;
    for (const Scored& s : scored) {
        if (out.size() == limit) break;
        out.push_back(candidates[s.index]);
    }
    return out;
}

}  // namespace trainwright::units
