// SPDX-License-Identifier: GPL-3.0-or-later
// The registry as a JSON Schema, and a scenario as JSON.
#include <cmath>
#include <nlohmann/json.hpp>

#include "data/scenario/registry.h"
#include "data/scenario/resolved_schema.h"
#include "data/scenario/scenario.h"
#include "model/units/text_quantity.h"

namespace trainwright::scenario {

namespace {

using Json = nlohmann::ordered_json;
using units::QuantityKind;

std::string escaped(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == ' ') {
            out += " *";
            continue;
        }
        if (std::string_view("$.*+?()[]{}|^/\\").find(c) != std::string_view::npos) out += '\\';
        out += c;
    }
    return out;
}

/// What readQuantity takes: a number, and one of the suffixes.
std::string pattern(QuantityKind kind, bool bare) {
    const std::string number = R"(([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?)";
    std::string suffixes;
    for (const std::string& suffix : units::acceptedSuffixes(kind)) {
        if (suffix.empty()) {
            bare = true;
            continue;
        }
        suffixes += (suffixes.empty() ? "" : "|") + escaped(suffix);
    }
    std::string out = number;
    if (!suffixes.empty()) out += " *(" + suffixes + ")" + (bare ? "?" : "");
    if (kind == QuantityKind::Money) {
        return "^(" + out + R"(|(\$|USD) *)" + number +
               R"( *(k|K|thousand|M|million|B|billion)?)$)";
    }
    return "^" + out + "$";
}

bool takesNumbers(const Parameter& p) {
    if (p.bare == units::BareNumber::Allowed) return true;
    switch (p.quantity) {
        case QuantityKind::Count:
        case QuantityKind::Tokens:
        case QuantityKind::Sequences:
        case QuantityKind::Number:
            return true;
        default:
            return false;
    }
}

bool isWhole(QuantityKind kind) {
    return kind == QuantityKind::Count || kind == QuantityKind::Tokens ||
           kind == QuantityKind::Sequences;
}

/// A bound in the unit in which a bare number is written.
double bareValue(const Parameter& p, double value) {
    return p.quantity == QuantityKind::HourlyPrice
               ? std::round(value * units::kSecondsPerHour * 1e6) / 1e6
               : value;
}

Json number(double value) {
    constexpr double kExact = 9007199254740992.0;
    if (value == std::floor(value) && std::abs(value) <= kExact)
        return static_cast<std::int64_t>(value);
    return value;
}

Json objectSchema(const std::string& key);

Json quantitySchema(const Parameter& p) {
    Json schema;
    const bool numbers = takesNumbers(p);
    std::string text = pattern(p.quantity, numbers);
    if (!p.words.empty()) {
        std::string words;
        for (const std::string& w : p.words) words += "|" + escaped(w);
        text = "^(" + text.substr(1, text.size() - 2) + words + ")$";
    }
    if (numbers) {
        schema["type"] = Json::array({isWhole(p.quantity) ? "integer" : "number", "string"});
        schema[p.minimumExcluded ? "exclusiveMinimum" : "minimum"] =
            number(bareValue(p, p.minimum));
        if (std::isfinite(p.maximum)) schema["maximum"] = number(bareValue(p, p.maximum));
    } else {
        schema["type"] = "string";
    }
    schema["pattern"] = text;
    return schema;
}

Json scalarSchema(const Parameter& p) {
    switch (p.kind) {
        case ValueKind::Text: {
            // An unquoted 405 is a number to an editor and a name to a person.
            Json schema{{"type", Json::array({"string", "number"})}};
            if (p.required) schema["minLength"] = 1;
            return schema;
        }
        case ValueKind::Name:
            return {{"type", "string"}, {"minLength", 1}};
        case ValueKind::Word:
            return {{"enum", p.words}};
        case ValueKind::Flag: {
            if (p.words.empty()) return {{"type", "boolean"}};
            Json values = Json::array({true, false});
            for (const std::string& w : p.words) values.push_back(w);
            return {{"enum", values}};
        }
        case ValueKind::Date:
            return {{"type", "string"},
                    {"pattern", "^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$"}};
        case ValueKind::Batch: {
            std::string text;
            for (QuantityKind kind : {QuantityKind::Sequences, QuantityKind::Tokens}) {
                for (const std::string& suffix : units::acceptedSuffixes(kind)) {
                    if (suffix.find("sequence") == std::string::npos &&
                        suffix.find("token") == std::string::npos)
                        continue;
                    text += (text.empty() ? "" : "|") + escaped(suffix);
                }
            }
            return {
                {"type", "string"},
                {"pattern", R"(^([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)? *()" + text + ")$"}};
        }
        case ValueKind::Scalar:
            return {{"type", Json::array({"number", "string", "boolean"})}};
        case ValueKind::Quantity:
            return quantitySchema(p);
        case ValueKind::Map:
        case ValueKind::List:
            break;
    }
    return Json::object();
}

Json schemaOf(const Parameter& p) {
    Json schema;
    std::string description = p.meaning;
    if ((p.kind != ValueKind::Map && p.kind != ValueKind::List) || isListOfWords(p))
        description += "\nWritten as " + expectation(p).english() + ".";
    if (!p.defaultSource.empty()) {
        description += p.defaultText.empty()
                           ? "\nWithout it: " + p.defaultSource + "."
                           : "\nWithout it: " + p.defaultText + " (" + p.defaultSource + ").";
    }
    schema["description"] = description;
    if (p.kind == ValueKind::Map) {
        schema.update(objectSchema(p.key));
        // A map whose entries are all commented out reads as null.
        if (!p.required && !p.key.ends_with("[]")) schema["type"] = Json::array({"object", "null"});
    } else if (isListOfWords(p)) {
        const Json list{{"type", "array"},
                        {"items", schemaOf(*findParameter(p.key + "[]"))},
                        {"minItems", 1},
                        {"uniqueItems", true}};
        schema["anyOf"] = Json::array({Json{{"enum", p.words}}, list});
    } else if (p.kind == ValueKind::List) {
        schema["type"] = p.required ? Json("array") : Json::array({"array", "null"});
        schema["items"] = schemaOf(*findParameter(p.key + "[]"));
        if (p.required) schema["minItems"] = 1;
    } else if (p.orMap) {
        schema["anyOf"] = Json::array({scalarSchema(p), objectSchema(p.key)});
        if (p.orList) {
            schema["anyOf"].push_back(Json{{"type", "array"},
                                           {"items", schemaOf(*findParameter(p.key + "[]"))},
                                           {"minItems", 1}});
        }
    } else {
        schema.update(scalarSchema(p));
    }
    if (!p.example.empty() && p.kind != ValueKind::Map && p.kind != ValueKind::List && !p.orMap) {
        schema["examples"] = Json::array({p.example});
    }
    return schema;
}

Json objectSchema(const std::string& key) {
    Json schema{{"type", "object"}};
    Json required = Json::array();
    Json properties = Json::object();
    for (const Parameter* child : children(key)) {
        properties[child->name()] = schemaOf(*child);
        if (child->required) required.push_back(child->name());
    }
    schema["properties"] = std::move(properties);
    if (!required.empty()) schema["required"] = std::move(required);
    schema["additionalProperties"] = false;
    return schema;
}

Json resolvedObject(const std::string& key);

/// What Writer::value() makes of a key.
Json resolvedSchemaOf(const Parameter& p) {
    const auto plain = [&](Json type) {
        return Json{{"description", p.meaning}, {"type", std::move(type)}};
    };
    const auto orNull = [](const char* type) { return Json::array({type, "null"}); };
    if (isListOfWords(p)) {
        Json words = plain(orNull("array"));
        words["items"] = Json{{"type", "string"}};
        return words;
    }
    const Json list = p.kind == ValueKind::List || p.orList
                          ? Json{{"type", "array"}, {"items", resolvedObject(p.key + "[]")}}
                          : Json();
    if (p.kind == ValueKind::List) {
        Json out{{"description", p.meaning}};
        out.update(list);
        return out;
    }
    if (p.kind == ValueKind::Map) {
        Json out{{"description", p.meaning}};
        out.update(resolvedObject(p.key));
        if (p.key.find('.') != std::string::npos) out["type"] = orNull("object");
        return out;
    }
    if (p.orMap) {
        Json any = Json::array({Json{{"type", orNull("string")}}, resolvedObject(p.key)});
        if (p.orList) any.push_back(list);
        return Json{{"description", p.meaning}, {"anyOf", std::move(any)}};
    }
    if (p.kind == ValueKind::Batch) return plain("number");
    if (p.kind == ValueKind::Quantity) return plain(orNull("number"));
    return plain(orNull(p.kind == ValueKind::Flag ? "boolean" : "string"));
}

Json resolvedObject(const std::string& key) {
    Json required = Json::array();
    Json properties = Json::object();
    for (const Parameter* child : children(key)) {
        properties[child->jsonName()] = resolvedSchemaOf(*child);
        required.push_back(child->jsonName());
    }
    return Json{{"type", "object"},
                {"properties", std::move(properties)},
                {"required", std::move(required)},
                {"additionalProperties", false}};
}

/// Writes values by the registry: what is given, else the default, else null.
class Writer {
public:
    explicit Writer(const Scenario& s) : s_(s) {}

    Json map(const std::string& key, const std::string& path) {
        Json out = Json::object();
        for (const Parameter* p : children(key)) {
            const std::string at = path.empty() ? p->name() : path + "." + p->name();
            out[p->jsonName()] = value(*p, at);
        }
        return out;
    }

private:
    Json value(const Parameter& p, const std::string& path) {
        const auto found = s_.values.find(path);
        const bool given = found != s_.values.end();
        if (isListOfWords(p)) {
            Json list = Json::array();
            for (std::size_t i = 0; s_.values.contains(path + "[" + std::to_string(i) + "]"); ++i) {
                list.push_back(s_.values.at(path + "[" + std::to_string(i) + "]").text);
            }
            return list.empty() ? Json() : list;
        }
        if (p.kind == ValueKind::List || (p.orList && s_.values.contains(path + "[0]"))) {
            Json list = Json::array();
            for (std::size_t i = 0; s_.values.contains(path + "[" + std::to_string(i) + "]"); ++i) {
                list.push_back(map(p.key + "[]", path + "[" + std::to_string(i) + "]"));
            }
            return list;
        }
        if (p.kind == ValueKind::Map) {
            // A map that says what the model hasn't (experts, a window) is null; one of settings
            // has its defaults.
            const bool settings = p.key.find('.') == std::string::npos;
            return given || settings ? map(p.key, path) : Json();
        }
        if (p.orMap && given && isMap(path)) return map(p.key, path);
        if (p.kind == ValueKind::Batch) return s_.training.globalBatchSequences;
        if (!given) return fallback(p);
        return scalar(p, found->second.text, found->second.number, found->second.isWord);
    }

    [[nodiscard]] bool isMap(const std::string& path) const {
        const auto next = s_.values.lower_bound(path + ".");
        return next != s_.values.end() && next->first.starts_with(path + ".");
    }

    static Json scalar(const Parameter& p, const std::string& text, double value, bool isWord) {
        switch (p.kind) {
            case ValueKind::Quantity:
                if (isWord) return nullptr;  // "catalog", "auto": decided elsewhere
                if (p.quantity == QuantityKind::HourlyPrice) return number(bareValue(p, value));
                return number(value);
            case ValueKind::Flag:
                return isWord ? Json() : Json(value != 0);
            default:
                return text;
        }
    }

    static Json fallback(const Parameter& p) {
        if (p.defaultText.empty()) return nullptr;
        const bool isWord =
            std::find(p.words.begin(), p.words.end(), p.defaultText) != p.words.end();
        double value = p.defaultText == "true" ? 1 : 0;
        if (p.kind == ValueKind::Quantity && !isWord) {
            value =
                units::readQuantity(p.quantity, p.defaultText, units::BareNumber::Allowed).value();
        }
        return scalar(p, p.defaultText, value, isWord);
    }

    const Scenario& s_;
};

}  // namespace

std::string jsonSchema() {
    Json schema;
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema";
    schema["title"] = "Trainwright scenario";
    schema["description"] =
        "A training job, the clusters that it is planned on, and the limits that it must keep to.";
    schema.update(objectSchema(""));
    Json& version = schema["properties"]["version"];
    version["maximum"] = kScenarioVersion;
    return schema.dump(2) + "\n";
}

std::string resolvedSchema() {
    return resolvedObject("").dump(2) + "\n";
}

std::string toJson(const Scenario& scenario) {
    return Writer(scenario).map("", "").dump(2);
}

}  // namespace trainwright::scenario
