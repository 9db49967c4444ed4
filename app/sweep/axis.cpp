// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

using scenario::Parameter;
using scenario::ValueKind;
using units::QuantityKind;

constexpr long kMostValues = 1'000'000'000;
constexpr double kDefaultFactor = 2;

Finding at(const std::string& option, std::string pattern,
           std::vector<Argument> arguments = {}) {
    return {Severity::Error, Text{std::move(pattern), std::move(arguments)},
            Place{"--over " + option, 0, 0, {}}};
}

/// "candidates[].parallelism.tensor" as people type it.
std::string withoutBrackets(const std::string& key) {
    std::string out;
    for (const char c : key) {
        if (c != '[' && c != ']') {
            out += c;
        }
    }
    return out;
}

bool canBeSwept(const Parameter& p) {
    if (p.key == "version" || p.orMap || p.key.ends_with("[]")) {
        return false;
    }
    // An item inside an item (one of several purchases) has no name to be called by.
    if (p.key.find("[]") != p.key.rfind("[]")) {
        return false;
    }
    return p.kind == ValueKind::Quantity || p.kind == ValueKind::Batch ||
           p.kind == ValueKind::Word || p.kind == ValueKind::Flag || p.kind == ValueKind::Scalar;
}

bool isNumeric(const Parameter& p) {
    return p.kind == ValueKind::Quantity || p.kind == ValueKind::Batch;
}

/// A batch says its own unit; what is generated is in sequences unless the text says tokens.
QuantityKind quantityOf(const Parameter& p, std::string_view text) {
    if (p.kind == ValueKind::Batch) {
        return text.find("token") != std::string_view::npos ? QuantityKind::Tokens
                                                            : QuantityKind::Sequences;
    }
    return p.quantity;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += (out.empty() ? "" : ", ") + word;
    }
    return out;
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && text.front() == ' ') {
        text.remove_prefix(1);
    }
    while (!text.empty() && text.back() == ' ') {
        text.remove_suffix(1);
    }
    return text;
}

/// Without the last binary digits that adding tenths leaves: 0.3, not 0.30000000000000004.
double rounded(double value) {
    const std::string digits = fmt::format("{:.15g}", value);
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    return value;
}

struct Key {
    const Parameter* parameter = nullptr;
    std::string item;
};

/// "candidates[ultra].accelerators" -> the key and "ultra".
Outcome<Key> findKey(const std::string& typed) {
    Key key;
    std::string path = typed;
    const std::size_t open = path.find('[');
    if (open != std::string::npos) {
        const std::size_t close = path.find(']', open);
        if (close == std::string::npos) {
            return at(typed, "`{1}` opens a bracket and doesn't close it.", {typed});
        }
        key.item = path.substr(open + 1, close - open - 1);
        path.erase(open, close - open + 1);
    }
    // Of a list's item, the end of a path that begins with the list.
    const std::string list = key.item.empty() ? std::string() : path.substr(0, open + 1);
    const std::string end = path.substr(list.size());
    std::vector<const Parameter*> found;
    std::vector<std::string> names;
    for (const Parameter& p : scenario::parameters()) {
        if (!canBeSwept(p)) {
            continue;
        }
        const std::string full = withoutBrackets(p.key);
        if (full == path) {
            found = {&p};
            break;
        }
        if (full.starts_with(list) && full.ends_with("." + end)) {
            found.push_back(&p);
        }
        names.push_back(full);
        for (std::size_t dot = full.find('.'); dot != std::string::npos;
             dot = full.find('.', dot + 1)) {
            names.push_back(full.substr(dot + 1));
        }
    }
    if (found.size() > 1) {
        std::vector<std::string> paths;
        for (const Parameter* p : found) {
            paths.push_back(withoutBrackets(p->key));
        }
        return at(typed, "`{1}` may be one of {2}. Write the one that is meant.",
                  {path, listed(paths)});
    }
    if (found.empty()) {
        for (const Parameter& p : scenario::parameters()) {
            const std::string full = withoutBrackets(p.key);
            if (full == path || full.ends_with("." + path)) {
                return at(typed,
                          "`{1}` takes {2}; a sweep runs over keys that take numbers or words.",
                          {path, scenario::expectation(p)});
            }
        }
        const std::vector<std::string> near = units::nearestWords(path, names, 1);
        if (near.empty()) {
            return at(typed,
                      "`{1}` is not a key of a scenario. `trainwright schema --text` lists them.",
                      {path});
        }
        return at(typed, "`{1}` is not a key of a scenario. Nearest: `{2}`.", {path, near.front()});
    }
    key.parameter = found.front();
    if (!key.item.empty() && key.parameter->key.find("[]") == std::string::npos) {
        return at(typed, "`{1}` is not in a list; nothing goes into brackets there.", {path});
    }
    return key;
}

/// Reads the values behind the `=` of one --over.
class ValueReader {
public:
    ValueReader(const Parameter& parameter, const std::string& option)
        : p_(parameter), option_(option) {}

    Outcome<std::vector<AxisPart>> read(std::string_view values) {
        std::vector<AxisPart> parts;
        std::vector<Finding> findings;
        std::size_t from = 0;
        while (from <= values.size()) {
            const std::size_t comma = std::min(values.find(',', from), values.size());
            Outcome<AxisPart> part = readPart(trimmed(values.substr(from, comma - from)));
            if (part) {
                parts.push_back(std::move(part).value());
            } else {
                findings.insert(findings.end(), part.findings().begin(), part.findings().end());
            }
            from = comma + 1;
        }
        if (!findings.empty()) {
            return findings;
        }
        return parts;
    }

private:
    /// Of the key, as typed.
    [[nodiscard]] std::string name() const { return option_.substr(0, option_.find('=')); }

    Outcome<AxisPart> readPart(std::string_view text) {
        if (text.empty()) {
            return at(option_, "A value is missing. `{1}` takes {2}.",
                      {p_.name(), scenario::expectation(p_)});
        }
        const std::size_t dots = text.find("..");
        if (dots == std::string_view::npos) {
            Outcome<AxisValue> value = readValue(text);
            if (!value) {
                return value.findings();
            }
            AxisPart part;
            part.first = std::move(value).value();
            return part;
        }
        if (!isNumeric(p_)) {
            return at(option_, "A range needs a key that takes numbers; `{1}` takes {2}.",
                      {p_.name(), scenario::expectation(p_)});
        }
        const std::size_t colon = text.find(':', dots);
        const std::string_view last =
            text.substr(dots + 2, colon == std::string_view::npos ? colon : colon - dots - 2);
        const std::string_view step =
            colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
        return readRange(trimmed(text.substr(0, dots)), trimmed(last), trimmed(step), text);
    }

    Outcome<AxisValue> readValue(std::string_view text) const {
        AxisValue value;
        value.text = std::string(text);
        if (!isNumeric(p_) ||
            std::find(p_.words.begin(), p_.words.end(), value.text) != p_.words.end()) {
            return value;  // words are the scenario reader's to judge
        }
        const Outcome<double> number = units::readQuantity(quantityOf(p_, text), text, p_.bare);
        if (!number) {
            return at(name() + "=" + value.text, number.findings().front().text.pattern,
                      number.findings().front().text.arguments);
        }
        if (p_.kind == ValueKind::Batch && units::readQuantity(QuantityKind::Count, text)) {
            return at(name() + "=" + value.text,
                      "`{1}` has no unit: sequences or tokens? Write `{1} sequences` or `{1} "
                      "tokens`.",
                      {value.text});
        }
        value.number = *number;
        return value;
    }

    Outcome<AxisPart> readRange(std::string_view firstText, std::string_view lastText,
                                std::string_view stepText, std::string_view whole) const {
        const Outcome<AxisValue> first = readValue(firstText);
        const Outcome<AxisValue> last = readValue(lastText);
        if (!first || !last) {
            std::vector<Finding> findings = first.findings();
            findings.insert(findings.end(), last.findings().begin(), last.findings().end());
            return findings;
        }
        const std::string range(whole);
        if (!first->number || !last->number) {
            return at(option_, "`{1}`: a range runs from a number to a number.", {range});
        }
        if (quantityOf(p_, firstText) != quantityOf(p_, lastText)) {
            return at(option_, "`{1}`: both ends of a range have the same unit.", {range});
        }
        if (*last->number < *first->number) {
            return at(option_, "`{1}`: a range runs from the smaller to the larger value.",
                      {range});
        }
        AxisPart part;
        part.first = *first;
        if (stepText.starts_with("+")) {
            const Outcome<AxisValue> step = readValue(trimmed(stepText.substr(1)));
            if (!step) {
                return step.findings();
            }
            if (!step->number || *step->number <= 0) {
                return at(option_, "`{1}`: the step is a value above zero.", {range});
            }
            part.step = *step->number;
        } else if (stepText.empty() || stepText.starts_with("x")) {
            part.factor = kDefaultFactor;
            if (!stepText.empty()) {
                const Outcome<double> factor =
                    units::readQuantity(QuantityKind::Number, stepText.substr(1));
                if (!factor || *factor <= 1) {
                    return at(option_, "`{1}`: the factor is a number above one, as in x2.",
                              {range});
                }
                part.factor = *factor;
            }
            if (*first->number <= 0) {
                return at(option_,
                          "`{1}`: from zero, nothing grows by a factor. Give a step, as in "
                          "0..64:+8.",
                          {range});
            }
        } else {
            return at(option_,
                      "`{1}`: behind the colon stands x and a factor or + and a step, as in "
                      "1024..65536:x2 or 8..64:+8.",
                      {range});
        }
        part.count = countOf(part, *last->number);
        if (part.count > kMostValues) {
            return at(option_, "`{1}` has more than {2} values.",
                      {range, units::groupedNumber(static_cast<double>(kMostValues))});
        }
        return wholeWhereItCounts(part, range);
    }

    /// As many values as don't pass `last`, which may be missed by what rounding costs.
    static long countOf(const AxisPart& part, double last) {
        constexpr double kSlack = 1e-9;
        const double first = *part.first.number;
        const double steps = part.step > 0 ? (last - first) / part.step
                                           : std::log(last / first) / std::log(part.factor);
        return static_cast<long>(std::min(std::floor(steps + kSlack), 2.0 * kMostValues)) + 1;
    }

    Outcome<AxisPart> wholeWhereItCounts(AxisPart part, const std::string& range) const {
        const QuantityKind kind = quantityOf(p_, part.first.text);
        if (kind != QuantityKind::Count && kind != QuantityKind::Tokens &&
            kind != QuantityKind::Sequences) {
            return part;
        }
        // Steps of whole numbers stay whole; factors may leave them, within some dozens of values.
        for (long i = 1; part.factor > 1 && i < part.count; ++i) {
            const double value = *part.first.number * std::pow(part.factor, i);
            if (value != std::floor(value)) {
                return at(option_, "`{1}` comes to {2}, where whole numbers are taken.",
                          {range, units::groupedNumber(value, 3)});
            }
        }
        return part;
    }

    const Parameter& p_;
    const std::string& option_;
};

}  // namespace

Outcome<Axis> Axis::parse(const std::string& option) {
    const std::size_t equals = option.find('=');
    if (equals == std::string::npos || equals == 0) {
        return at(option,
                  "A key and its values are expected, as in accelerators=1024..65536:x2 or "
                  "sequence_length=4096,8192.");
    }
    const std::string name(trimmed(std::string_view(option).substr(0, equals)));
    const Outcome<Key> key = findKey(name);
    if (!key) {
        return key.findings();
    }
    Outcome<std::vector<AxisPart>> parts =
        ValueReader(*key->parameter, option).read(std::string_view(option).substr(equals + 1));
    if (!parts) {
        return parts.findings();
    }
    Axis axis;
    axis.parameter_ = key->parameter;
    axis.name_ = name;
    axis.item_ = key->item;
    axis.parts_ = std::move(parts).value();
    for (const AxisPart& part : axis.parts_) {
        axis.size_ += part.count;
    }
    return axis;
}

AxisValue Axis::generated(const AxisPart& part, long index) const {
    const QuantityKind kind = quantityOf(*parameter_, part.first.text);
    // Tenths of what is written by the hour are none of a second.
    const double unit = kind == QuantityKind::HourlyPrice ? units::kSecondsPerHour : 1;
    const double exact = part.step > 0 ? *part.first.number + part.step * static_cast<double>(index)
                                       : *part.first.number * std::pow(part.factor, index);
    const double number = rounded(exact * unit) / unit;
    std::string text = units::formatQuantity(kind, number);
    if (parameter_->kind == ValueKind::Batch) {
        text += kind == QuantityKind::Tokens ? " tokens" : " sequences";
    }
    return {std::move(text), number};
}

AxisValue Axis::value(long index) const {
    for (const AxisPart& part : parts_) {
        if (index >= part.count) {
            index -= part.count;
            continue;
        }
        if (index == 0) {
            return part.first;
        }
        return generated(part, index);
    }
    return {};
}

std::vector<AxisValue> Axis::extremes() const {
    std::vector<AxisValue> out;
    long from = 0;
    for (const AxisPart& part : parts_) {
        out.push_back(part.first);
        if (part.count > 1) {
            out.push_back(value(from + part.count - 1));
        }
        from += part.count;
    }
    return out;
}

std::string Axis::column() const {
    return item_.empty() ? parameter_->jsonName() : item_ + "." + parameter_->jsonName();
}

Place Axis::place() const {
    return {"--over " + name_, 0, 0, {}};
}

Place Axis::placeOf(const AxisValue& value) const {
    return {"--over " + name_ + "=" + value.text, 0, 0, {}};
}

}  // namespace trainwright::app
