// SPDX-License-Identifier: GPL-3.0-or-later
// The registry against itself, and the schema against the reader: what one takes, the other takes.
#include "data/scenario/registry.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "data/scenario/yaml.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;
using Json = nlohmann::json;

TEST(Registry, KeysAreUniqueAndFollowTheirParents) {
    std::set<std::string> seen;
    for (const Parameter& p : parameters()) {
        EXPECT_TRUE(p.parent().empty() || seen.contains(p.parent())) << p.key;
        EXPECT_TRUE(seen.insert(p.key).second) << p.key;
        EXPECT_EQ(findParameter(p.key), &p);
    }
    EXPECT_EQ(findParameter("training.nonsense"), nullptr);
}

TEST(Registry, EveryKeyIsExplained) {
    for (const Parameter& p : parameters()) {
        EXPECT_TRUE(p.meaning.ends_with('.')) << p.key;
        EXPECT_FALSE(expectation(p).empty()) << p.key;
        EXPECT_EQ(expectation(p).english().find('{' + std::string("1}")), std::string::npos)
            << p.key;
        EXPECT_LE(p.minimum, p.maximum) << p.key;
        EXPECT_TRUE(p.defaultText.empty() || !p.defaultSource.empty()) << p.key;
        EXPECT_TRUE(!p.required || p.defaultSource.empty()) << p.key;
        EXPECT_EQ(p.kind == ValueKind::Word && p.words.empty(), false) << p.key;
        // What a message or the starter shows as the way to write it.
        const bool container = p.kind == ValueKind::Map || p.kind == ValueKind::List;
        EXPECT_TRUE(!p.required || container || !p.example.empty()) << p.key;
        EXPECT_NE(helpText().find(p.key.ends_with("[]") ? p.parent() : p.key + ": "),
                  std::string::npos)
            << p.key;
    }
}

/// A scenario with `value` under `key` and all that it needs around it.
std::string scenarioWith(const std::string& key, const std::string& value) {
    std::string model = "model: llama3.1-8b\n";
    std::string training =
        "training:\n  start: 2027-01-04\n  tokens: 100T\n  sequence_length: 8192\n  global_batch: "
        "2048 sequences\n";
    std::string candidate = "  - name: a\n    system: trn2.48xlarge\n    accelerators: 512\n";
    std::string rest;
    std::string top = "version: 1\n";
    const auto setLine = [](std::string& block, const std::string& indent, const std::string& name,
                            const std::string& text) {
        const std::size_t at = block.find(name + ": ");
        if (at == std::string::npos) {
            block += indent + name + ": " + text + "\n";
        } else {
            const std::size_t begin = at + name.size() + 2;
            block.replace(begin, block.find('\n', begin) - begin, text);
        }
    };
    const std::string name = findParameter(key)->name();
    const std::string parent = findParameter(key)->parent();
    if (parent.empty()) {
        if (key == "version") {
            top = "version: " + value + "\n";
        } else if (key == "model") {
            model = "model: " + value + "\n";
        } else {
            rest = key + ": " + value + "\n";
        }
    } else if (parent.starts_with("model")) {
        model =
            "model:\n  layers: 4\n  hidden: 16384\n  heads: 128\n  ffn: 53248\n  vocabulary: "
            "128256\n";
        if (parent == "model") {
            setLine(model, "  ", name, value);
        } else {
            static const std::map<std::string, std::string> inner{
                {"model.attention_window", "    size: 4096\n    period: 8\n"},
                {"model.moe", "    experts: 256\n    top_k: 8\n    expert_ffn: 2048\n"},
                {"model.latent_attention",
                 "    key_value_rank: 512\n    nope_head_size: 128\n    rope_head_size: 64\n    "
                 "value_head_size: 128\n"}};
            std::string block = inner.at(parent);
            setLine(block, "    ", name, value);
            if (value != "0" && name == "routing_groups") block += "    routed_groups: 1\n";
            if (value != "0" && name == "routed_groups") block += "    routing_groups: 8\n";
            model += "  " + parent.substr(6) + ":\n" + block;
        }
    } else if (parent == "training") {
        setLine(training, "  ", name, value);
    } else if (parent == "candidates[]") {
        setLine(candidate, "    ", name, value);
    } else if (parent == "candidates[].arrivals[]") {
        // The last arrival is the whole of the text's 512 accelerators, the one before fewer.
        candidate += "    arrivals:\n      - " +
                     (name == "from"
                          ? "from: " + value + "\n        count: 512\n"
                          : "count: " + value + "\n        from: 2027-02-01\n      - count: 512\n" +
                                "        from: 2027-03-01\n");
    } else if (parent.starts_with("candidates[].purchase[]")) {
        const bool own = parent.ends_with(".own");
        candidate += "    purchase:\n      - units: 1\n        plan: on_demand\n      - ";
        if (name == "plan" || name == "units" || own) candidate += "region: us-west-2\n        ";
        if (name == "because" && !own) candidate += "price_usd_per_hour: 3\n        ";
        candidate += own ? "own: {" + name + ": " + value + "}\n" : name + ": " + value + "\n";
    } else if (parent == "candidates[].purchase.own") {
        candidate += "    purchase:\n      own: {" + name + ": " + value + "}\n";
    } else if (parent.starts_with("candidates[].")) {
        candidate += "    " + parent.substr(13) + ":\n      " + name + ": " + value + "\n";
        if (name == "because") candidate += "      price_usd_per_hour: 3\n";
        // One end of the pipeline is never given alone.
        if (value != "auto" && name == "first_stage_layers")
            candidate += "      last_stage_layers: 2\n";
        if (value != "auto" && name == "last_stage_layers")
            candidate += "      first_stage_layers: 2\n";
    } else if (parent == "overrides[]") {
        std::string item =
            "  - figure: chip/trainium2/hbm_bytes\n    value: 90 GiB\n    because: a test\n";
        setLine(item, "    ", name, value);
        rest = "overrides:\n" + item;
    } else {
        rest = parent + ":\n  " + name + ": " + value + "\n";
        // Keys that come in twos.
        static const std::map<std::string, std::string> partners{
            {"memory_checkpoint_stall", "memory_checkpoint_covers: 90%"},
            {"memory_checkpoint_covers", "memory_checkpoint_stall: 2 s"},
            {"planned_pause_every", "planned_pause: 1 h"},
            {"planned_pause", "planned_pause_every: 14 d"}};
        if (const auto other = partners.find(name); other != partners.end())
            rest += "  " + other->second + "\n";
    }
    return top + model + training + "candidates:\n" + candidate + rest;
}

/// The core schema of YAML 1.2, as an editor applies it before it holds a file against a JSON
/// Schema.
Json asJson(const yaml::Node& n) {
    if (n.isMap()) {
        Json out = Json::object();
        for (std::size_t i = 0; i < n.keys.size(); ++i) out[n.keys[i].text] = asJson(n.values[i]);
        return out;
    }
    if (n.isList()) {
        Json out = Json::array();
        for (const yaml::Node& v : n.values) out.push_back(asJson(v));
        return out;
    }
    if (n.isNull()) return nullptr;
    if (n.style != yaml::Style::Plain) return n.text;
    if (n.text == "true" || n.text == "false") return n.text == "true";
    static const std::regex integer("[-+]?[0-9]+");
    static const std::regex real(R"([-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?)");
    if (std::regex_match(n.text, integer) && n.text.size() < 18) return std::stoll(n.text);
    if (std::regex_match(n.text, real)) return std::stod(n.text);
    return n.text;
}

/// The part of JSON Schema that jsonSchema() uses; an unknown keyword fails the test.
std::string violation(const Json& schema, const Json& value, const std::string& path) {
    static const std::set<std::string> known{"$schema",
                                             "title",
                                             "description",
                                             "type",
                                             "properties",
                                             "required",
                                             "additionalProperties",
                                             "items",
                                             "minItems",
                                             "uniqueItems",
                                             "anyOf",
                                             "enum",
                                             "pattern",
                                             "minimum",
                                             "maximum",
                                             "exclusiveMinimum",
                                             "minLength",
                                             "examples"};
    for (const auto& [keyword, ignored] : schema.items()) {
        if (!known.contains(keyword)) return path + ": keyword " + keyword;
    }
    if (schema.contains("anyOf")) {
        std::string all;
        for (const Json& option : schema["anyOf"]) {
            const std::string v = violation(option, value, path);
            if (v.empty()) return "";
            all += v + "; ";
        }
        return path + ": none of: " + all;
    }
    if (schema.contains("enum")) {
        if (std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
            return path + ": not in the enum";
        return "";
    }
    if (schema.contains("type")) {
        const Json types =
            schema["type"].is_array() ? schema["type"] : Json::array({schema["type"]});
        const bool fits = std::any_of(types.begin(), types.end(), [&](const Json& t) {
            const std::string type = t;
            return (type == "object" && value.is_object()) ||
                   (type == "array" && value.is_array()) ||
                   (type == "string" && value.is_string()) ||
                   (type == "boolean" && value.is_boolean()) ||
                   (type == "null" && value.is_null()) || (type == "number" && value.is_number()) ||
                   (type == "integer" &&
                    (value.is_number_integer() ||
                     (value.is_number() && value == std::floor(value.get<double>()))));
        });
        if (!fits) return path + ": type of " + value.dump();
    }
    if (value.is_string()) {
        const std::string text = value;
        if (schema.contains("pattern") &&
            !std::regex_search(text, std::regex(schema["pattern"].get<std::string>()))) {
            return path + ": pattern of " + text;
        }
        if (schema.contains("minLength") && text.size() < schema["minLength"])
            return path + ": too short";
    }
    if (value.is_number()) {
        if (schema.contains("minimum") && value < schema["minimum"])
            return path + ": below the minimum";
        if (schema.contains("exclusiveMinimum") && value <= schema["exclusiveMinimum"])
            return path + ": not above the minimum";
        if (schema.contains("maximum") && value > schema["maximum"])
            return path + ": above the maximum";
    }
    if (value.is_object() && schema.contains("properties")) {
        for (const Json& key : schema.value("required", Json::array())) {
            if (!value.contains(key.get<std::string>()))
                return path + ": lacks " + key.get<std::string>();
        }
        for (const auto& [key, child] : value.items()) {
            if (!schema["properties"].contains(key)) return path + ": no property " + key;
            if (std::string v = violation(schema["properties"][key], child, path + "." + key);
                !v.empty())
                return v;
        }
    }
    if (value.is_array() && schema.contains("items")) {
        if (value.size() < schema.value("minItems", 0U)) return path + ": too few items";
        const std::set<Json> different(value.begin(), value.end());
        if (schema.value("uniqueItems", false) && different.size() < value.size())
            return path + ": an item twice";
        for (std::size_t i = 0; i < value.size(); ++i) {
            if (std::string v =
                    violation(schema["items"], value[i], path + "[" + std::to_string(i) + "]");
                !v.empty())
                return v;
        }
    }
    return "";
}

std::string schemaSays(const std::string& text) {
    static const Json schema = Json::parse(jsonSchema());
    const Outcome<yaml::Node> tree = yaml::parse(text, "s");
    if (!tree.ok()) return sentences(tree.findings());
    return violation(schema, asJson(*tree), "");
}

TEST(Schema, IsDraft202012AndClosed) {
    const Json schema = Json::parse(jsonSchema());
    EXPECT_EQ(schema.at("$schema"), "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(schema.at("additionalProperties"), false);
    EXPECT_EQ(schema.at("properties").at("candidates").at("items").at("additionalProperties"),
              false);
    EXPECT_TRUE(jsonSchema().ends_with("}\n"));
}

TEST(SchemaAndReader, TakeEveryExampleDefaultAndWordOfEveryKey) {
    for (const Parameter& p : parameters()) {
        if (p.key.ends_with("[]") || p.kind == ValueKind::Map ||
            (p.kind == ValueKind::List && !isListOfWords(p)))
            continue;
        std::vector<std::string> written = p.words;
        if (!p.example.empty()) written.push_back(p.example);
        if (!p.defaultText.empty()) written.push_back(p.defaultText);
        if (p.kind == ValueKind::Flag) written.insert(written.end(), {"true", "false"});
        EXPECT_FALSE(written.empty() && p.kind != ValueKind::Text) << p.key << " can't be tried";
        for (const std::string& value : written) {
            // A layout given in part may not fit the batch of this text; its parts are tried one by
            // one below.
            const std::string text = scenarioWith(p.key, value);
            SCOPED_TRACE(p.key + ": " + value + "\n" + text);
            const Outcome<Scenario> scenario = read(text, "s");
            EXPECT_TRUE(scenario.ok()) << sentences(scenario.findings());
            EXPECT_EQ(schemaSays(text), "");
        }
    }
}

TEST(SchemaAndReader, RefuseWhatLiesOutsideTheBounds) {
    for (const Parameter& p : parameters()) {
        if (p.kind != ValueKind::Quantity) continue;
        const bool numbers =
            p.bare == units::BareNumber::Allowed || p.quantity == units::QuantityKind::Count ||
            p.quantity == units::QuantityKind::Tokens || p.quantity == units::QuantityKind::Number;
        std::vector<std::string> outside{"-1", "1 parsec", "nonsense", "[1]"};
        if (numbers && p.minimum >= 1) outside.push_back("0");
        if (numbers && p.maximum < 1e17) outside.push_back("1" + std::string(17, '0'));
        for (const std::string& value : outside) {
            const std::string text = scenarioWith(p.key, value);
            SCOPED_TRACE(p.key + ": " + value);
            EXPECT_FALSE(read(text, "s").ok());
            EXPECT_NE(schemaSays(text), "");
        }
    }
}

TEST(SchemaAndReader, AgreeOnTheExamples) {
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES))
        EXPECT_EQ(schemaSays(contentOf(path)), "") << path;
    EXPECT_EQ(schemaSays(starter()), "");
}

TEST(SchemaAndReader, RefuseUnknownKeysAndMissingOnes) {
    EXPECT_NE(schemaSays(soundText() + "nonsense: 1\n"), "");
    EXPECT_NE(schemaSays(soundWith("  tokens: 1T\n", "")), "");
    EXPECT_NE(schemaSays(soundWith("version: 1", "version: 2")), "");
    EXPECT_EQ(schemaSays(soundText()), "");
}

}  // namespace
}  // namespace trainwright::scenario
