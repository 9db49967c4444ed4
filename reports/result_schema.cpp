// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/result_schema.h"

#include <algorithm>
#include <map>
#include <sstream>
#include <stdexcept>

#include "reports/csv_columns.h"
#include "reports/result_forms.h"
#include "reports/sweep_writer.h"

namespace trainwright::reports {
namespace {

constexpr const char* kSweep = "sweep";
constexpr const char* kCsv = "csv";
constexpr const char* kDraft = "https://json-schema.org/draft/2020-12/schema";

/// A line of the description, with the lines that stand further in.
struct Line {
    std::string key, type, meaning;
    std::vector<Line> inside;
};

/// A form or a part.
struct Form {
    bool isPart = false;
    std::string meaning;
    std::string lines;  ///< as they are written
    std::vector<Line> keys;
};

struct Forms {
    std::map<std::string, Form> all;
    std::vector<std::string> order;  ///< of forms
};

/// Pieces that two or more spaces part, three at most.
std::vector<std::string> pieces(const std::string& line) {
    std::vector<std::string> out;
    std::size_t at = line.find_first_not_of(' ');
    while (at != std::string::npos && out.size() < 3) {
        const std::size_t end = out.size() == 2 ? std::string::npos : line.find("  ", at);
        out.push_back(line.substr(at, end == std::string::npos ? end : end - at));
        at = end == std::string::npos ? end : line.find_first_not_of(' ', end);
    }
    out.resize(3);
    return out;
}

Forms readForms() {
    Forms forms;
    Form* form = nullptr;
    std::vector<std::pair<std::size_t, std::vector<Line>*>> open;
    std::istringstream in(kResultForms);
    for (std::string line; std::getline(in, line);) {
        if (line.empty()) continue;
        const std::size_t depth = line.find_first_not_of(' ');
        if (depth == 0) {
            const bool isPart = line.starts_with("part ");
            const std::size_t end = line.find("  ");
            const std::string name = line.substr(5, end - 5);
            form = &forms.all[name];
            *form = {isPart, line.substr(end + 2), {}, {}};
            if (!isPart) forms.order.push_back(name);
            open = {{2, &form->keys}};
            continue;
        }
        form->lines += line + "\n";
        while (open.back().first > depth) open.pop_back();
        if (open.back().first < depth) open.emplace_back(depth, &open.back().second->back().inside);
        const std::vector<std::string> words = pieces(line);
        open.back().second->push_back({words[0], words[1], words[2], {}});
    }
    return forms;
}

const Forms& forms() {
    static const Forms read = readForms();
    return read;
}

const Form& formOf(const std::string& name) {
    const auto found = forms().all.find(name);
    if (found == forms().all.end()) throw std::logic_error("no form " + name);
    return found->second;
}

/// Makes schemas, and gathers the parts that they refer to.
class Builder {
public:
    Json object(const std::vector<Line>& lines) {
        Json schema{{"type", "object"}};
        Json required = Json::array();
        Json properties = Json::object();
        schema["additionalProperties"] = false;
        add(lines, properties, required, schema);
        schema["properties"] = std::move(properties);
        schema["required"] = std::move(required);
        return schema;
    }

    Json definitions(const Json& scenario) {
        Json out = Json::object();
        for (std::size_t i = 0; i < parts_.size(); ++i) {  // grows as parts name others
            const std::string name = parts_[i];
            if (name == "scenario") {
                out[name] = scenario;
                continue;
            }
            const Form& part = formOf(name);
            Json schema{{"description", part.meaning}};
            schema.update(object(part.keys));
            out[name] = std::move(schema);
        }
        return out;
    }

private:
    void add(const std::vector<Line>& lines, Json& properties, Json& required, Json& schema) {
        for (const Line& line : lines) {
            if (line.key.front() == '+') {
                add(formOf(line.key.substr(1)).keys, properties, required, schema);
                continue;
            }
            std::string key = line.key;
            const auto ends = [&](std::string_view suffix) {
                if (!key.ends_with(suffix)) return false;
                key.resize(key.size() - suffix.size());
                return true;
            };
            const bool mayBeMissing = ends("~");
            const bool isListOrNull = ends("[]?");
            const bool isList = isListOrNull || ends("[]");
            Json value = typed(line);
            if (isList)
                value =
                    Json{{"type", isListOrNull ? Json::array({"array", "null"}) : Json("array")},
                         {"items", std::move(value)}};
            Json described = Json::object();
            if (!line.meaning.empty()) described["description"] = line.meaning;
            described.update(value);
            if (key == "*") {
                schema["additionalProperties"] = std::move(described);
                continue;
            }
            properties[key] = std::move(described);
            if (!mayBeMissing) required.push_back(key);
        }
    }

    Json typed(const Line& line) {
        std::string type = line.type;
        const bool orNull = !type.empty() && type.back() == '?';
        if (orNull) type.pop_back();
        Json any = Json::array();
        std::istringstream in(type);
        for (std::string one; std::getline(in, one, line.type.front() == '=' ? '\n' : '/');)
            any.push_back(single(one, line));
        if (orNull) any.push_back(Json{{"type", "null"}});
        if (any.size() == 1) return any.front();
        // Plain types go into one list, which error messages of validators read better with.
        const bool plain = std::all_of(any.begin(), any.end(), [](const Json& one) {
            return one.size() == 1 && one.contains("type");
        });
        if (!plain) return Json{{"anyOf", std::move(any)}};
        Json types = Json::array();
        for (const Json& one : any) types.push_back(one.at("type"));
        return Json{{"type", std::move(types)}};
    }

    Json single(const std::string& type, const Line& line) {
        static const std::map<std::string, std::string> kPlain{
            {"text", "string"}, {"number", "number"}, {"whole", "integer"}, {"flag", "boolean"}};
        if (const auto plain = kPlain.find(type); plain != kPlain.end())
            return Json{{"type", plain->second}};
        if (type == "date")
            return Json{{"type", "string"}, {"pattern", "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}};
        if (type == "object") return object(line.inside);
        if (type.starts_with("=")) return Json{{"const", type.substr(1)}};
        if (type.starts_with(":")) {
            const std::string part = type.substr(1);
            if (std::find(parts_.begin(), parts_.end(), part) == parts_.end())
                parts_.push_back(part);
            return Json{{"$ref", "#/$defs/" + part}};
        }
        if (type.find('|') == std::string::npos) throw std::logic_error("no type " + type);
        Json words = Json::array();
        std::istringstream in(type);
        for (std::string word; std::getline(in, word, '|');) words.push_back(word);
        return Json{{"enum", std::move(words)}};
    }

    std::vector<std::string> parts_;
};

Json head(const std::string& title, const std::string& meaning) {
    return Json{{"$schema", kDraft}, {"title", title}, {"description", meaning}};
}

/// The line that stands at "/memory/peak_bytes" in a candidate; null without one.
const Line* lineAt(const std::vector<Line>& lines, const std::string& place) {
    const std::size_t end = place.find('/', 1);
    const std::string key = place.substr(1, end == std::string::npos ? end : end - 1);
    for (const Line& line : lines) {
        std::string name = line.key.substr(0, line.key.find_first_of("[~"));
        if (name != key) continue;
        if (end == std::string::npos) return &line;
        const std::string rest = place.substr(end);
        if (line.type.starts_with(":")) {
            const std::string part = line.type.substr(1, line.type.find('?') - 1);
            return lineAt(formOf(part).keys, rest);
        }
        return lineAt(line.inside, rest);
    }
    return nullptr;
}

/// The columns of a sweep that are the same for every sweep, as lines.
std::vector<Line> sweepLines() {
    std::vector<Line> out;
    for (const SweepColumn& column : sweepColumns()) {
        const Line* line = lineAt(formOf("candidate").keys, column.place);
        if (line == nullptr) throw std::logic_error("no key " + column.place);
        Line one = *line;
        const bool isList = line->key.ends_with("[]") || line->key.ends_with("[]?");
        one.key = column.name + (isList ? "[]?" : "");
        if (!isList && !one.type.ends_with("?")) one.type += "?";
        out.push_back(std::move(one));
    }
    return out;
}

constexpr const char* kSweptMeaning =
    "A swept key: its value in the unit that the name ends in, or a word.";

Json field(const std::string& name, const std::string& type, const std::string& meaning) {
    Json out{{"name", name}, {"type", type}};
    if (!meaning.empty()) out["description"] = meaning;
    return out;
}

Json reportFields() {
    Json fields = Json::array();
    for (const CsvColumn& column : csvColumns())
        fields.push_back(field(column.name, column.type, column.meaning));
    return fields;
}

Json fieldsOf(const std::vector<Line>& lines) {
    Json fields = Json::array();
    for (const Line& line : lines) {
        const std::string type = line.type.substr(0, line.type.find('?'));
        const bool isList = line.key.ends_with("[]?");
        fields.push_back(field(line.key.substr(0, line.key.find('[')),
                               isList             ? "string"
                               : type == "number" ? "number"
                               : type == "whole"  ? "integer"
                               : type == "flag"   ? "boolean"
                               : type == "date"   ? "date"
                                                  : "string",
                               line.meaning));
    }
    return fields;
}

Json csvSchema() {
    const auto table = [](const char* name, const std::string& meaning, Json fields) {
        return Json{{"name", name},
                    {"description", meaning},
                    {"schema", Json{{"fields", std::move(fields)}}}};
    };
    const auto described = [&](const char* name, const char* part) {
        const Form& form = formOf(part);
        return table(name, form.meaning, fieldsOf(form.keys));
    };
    return Json{
        {"name", "trainwright-csv"},
        {"resources",
         Json::array(
             {table("report",
                    "--report x.csv of any command: the tables and facts of the report, a record "
                    "for each cell. Comma, quotes where needed, CRLF, UTF-8 (RFC 4180); English, "
                    "whatever --lang says.",
                    reportFields()),
              table("sweep",
                    "Rows of `trainwright sweep`. The swept keys stand before these columns, by "
                    "their own names; a column of the same name is left out. What is not known, or "
                    "doesn't apply, is empty.",
                    fieldsOf(sweepLines())),
              described("prices", "prices_csv"), described("calibration", "calibration_csv")})}};
}

}  // namespace

std::vector<std::string> resultForms() {
    std::vector<std::string> names = forms().order;
    names.emplace_back(kSweep);
    names.emplace_back(kCsv);
    return names;
}

std::optional<std::string> resultSchema(const std::string& form, const Json& scenario) {
    if (form == kCsv) return jsonText(csvSchema()) + "\n";
    Builder builder;
    Json schema;
    if (form == kSweep) {
        schema = head("Trainwright sweep",
                      "One line of `trainwright sweep --json`: the swept keys, then what came of "
                      "them for one candidate. All is null where the values make no sense.");
        schema.update(builder.object(sweepLines()));
        schema["additionalProperties"] = Json{{"description", kSweptMeaning},
                                              {"type", Json::array({"number", "string", "null"})}};
    } else {
        const auto found = forms().all.find(form);
        if (found == forms().all.end() || found->second.isPart) return std::nullopt;
        schema = head("Trainwright " + form, found->second.meaning);
        schema.update(builder.object(found->second.keys));
    }
    schema["$defs"] = builder.definitions(scenario);
    return jsonText(schema) + "\n";
}

std::optional<std::string> resultText(const std::string& form) {
    const auto columns = [](const Json& fields) {
        std::string out;
        for (const Json& one : fields)
            out += "  " + one.at("name").get<std::string>() + "  " +
                   one.at("type").get<std::string>() + "  " + one.value("description", "") + "\n";
        return out;
    };
    if (form == kCsv) {
        std::string out;
        const Json schema = csvSchema();
        for (const Json& table : schema.at("resources"))
            out += (out.empty() ? "" : "\n") + table.at("description").get<std::string>() + "\n" +
                   columns(table.at("schema").at("fields"));
        return out;
    }
    if (form == kSweep) return std::string(kSweptMeaning) + "\n" + columns(fieldsOf(sweepLines()));
    const auto found = forms().all.find(form);
    if (found == forms().all.end() || found->second.isPart) return std::nullopt;
    Builder builder;
    (void)builder.object(found->second.keys);
    std::string out = found->second.meaning + "\n" + found->second.lines;
    const Json parts = builder.definitions(Json::object());
    for (const auto& [name, ignored] : parts.items())
        if (name != "scenario")
            out += "\n:" + name + "  " + formOf(name).meaning + "\n" + formOf(name).lines;
    return out;
}

}  // namespace trainwright::reports
