// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "data/catalog/figure_set.h"
#include "data/catalog/text_layout.h"
#include "model/units/text_quantity.h"

namespace trainwright::catalog {
namespace {

using Json = nlohmann::ordered_json;

constexpr const char* kListSchema = "trainwright/catalog-list/1";

struct Column {
    const char* title;
    const char* key;
};

/// The figures that a list of a kind shows beside id and name.
const std::vector<Column>& columnsOf(const std::string& kind) {
    static const std::map<std::string, std::vector<Column>> kColumnsOf{
        {"chip",
         {{"BF16 dense", "peak_bf16_flop_per_s"},
          {"memory", "hbm_bytes"},
          {"bandwidth", "hbm_bandwidth_bytes_per_s"},
          {"power", "tdp_w"}}},
        {"instance",
         {{"chip", "chip"},
          {"chips", "chips_per_unit"},
          {"memory", "accelerator_memory_bytes"},
          {"network", "network_bandwidth_bytes_per_s"}}},
        {"system", {{"machine", "unit"}, {"chip", "chip"}, {"chips", "chips"}}},
        {"model",
         {{"parameters", "parameters_counted"},
          {"layers", "layers"},
          {"hidden", "hidden"},
          {"vocabulary", "vocabulary"},
          {"context", "native_context"}}},
        {"region", {{"PUE", "pue"}, {"g CO2e/kWh", "grid_gco2e_per_kwh_2023"}}},
        {"collective",
         {{"operation", "operation"},
          {"ranks", "ranks"},
          {"bus bandwidth", "bus_bandwidth_bytes_per_s"}}},
        {"latency", {{"latency", "latency_s"}}},
        {"accelerator_name", {{"chip", "chip"}}}};
    static const std::vector<Column> kNone;
    const auto found = kColumnsOf.find(kind);
    return found == kColumnsOf.end() ? kNone : found->second;
}

const char* titleOf(const std::string& kind) {
    static const std::map<std::string, const char*> kTitles{
        {"chip", "chips"},
        {"instance", "instances and UltraServers, as they are rented"},
        {"system", "clusters, pods and machines that are not rented"},
        {"model", "language models"},
        {"profile", "software profiles"},
        {"region", "regions"},
        {"storage", "storage prices"},
        {"operation", "failures, restarts, checkpoints, purchase rules, ownership"},
        {"power", "measured and estimated power"},
        {"collective", "measured collectives"},
        {"latency", "latencies"},
        {"accelerator_name", "names of accelerators in published runs"}};
    return kTitles.at(kind);
}

std::string spaced(std::string unit) {
    std::replace(unit.begin(), unit.end(), '_', ' ');
    return unit;
}

std::string where(const Source& source) {
    if (!source.url.empty()) {
        return source.url;
    }
    return source.repository + (source.path.empty() || source.repository.empty() ? "" : ", ") +
           source.path;
}

Json jsonValue(const Figure& f) {
    if (f.value.empty()) {
        return nullptr;
    }
    if (f.type == "flag") {
        return f.value == "1";
    }
    if (f.type == "number" && f.number) {
        return *f.number;
    }
    return f.value;
}

Json jsonFigure(const Figure& f) {
    Json j;
    j["value"] = jsonValue(f);
    j["status"] = name(f.status);
    j["source"] = {{"id", f.source.id}, {"title", f.source.title}};
    if (const std::string place = where(f.source); !place.empty()) {
        j["source"]["where"] = place;
    }
    j["observed"] = f.observed;
    j["confidence"] = f.confidence;
    if (!f.note.empty()) {
        j["note"] = f.note;
    }
    return j;
}

/// The rows of one key: the one in use first, if there is one.
using Group = std::vector<Figure>;

std::vector<Group> grouped(const std::vector<Figure>& figures) {
    std::vector<Group> groups;
    for (const Figure& f : figures) {
        if (groups.empty() || groups.back().front().key != f.key) {
            groups.emplace_back();
        }
        groups.back().push_back(f);
    }
    return groups;
}

std::string sourceLine(const Figure& f) {
    std::string line = f.source.title + ", " + f.observed;
    if (f.status != Status::Adopted) {
        line = std::string(name(f.status)) + "; " + line;
    }
    if (f.confidence != "high") {
        line += ", " + f.confidence + " confidence";
    }
    return line;
}

std::string groupText(const Group& group, std::size_t keyWidth, std::size_t valueWidth) {
    constexpr std::size_t kIndent = 2;
    std::string out;
    bool first = true;
    for (const Figure& f : group) {
        const std::string value = displayValue(f);
        std::string key = first ? f.key : std::string();
        if (width(key) > keyWidth) {
            out += std::string(kIndent, ' ') + std::exchange(key, {}) + "\n";
        }
        const std::size_t valueAt = kIndent + keyWidth + 2;
        const std::size_t sourceAt = valueAt + valueWidth + 2;
        std::string lead = std::string(kIndent, ' ') + padded(key, keyWidth) + "  ";
        if (width(value) <= valueWidth) {
            const std::vector<std::string> lines = wrapped(sourceLine(f), kColumns - sourceAt);
            out += trimmedRight(lead + padded(value, valueWidth) + "  " + lines.front()) + "\n";
            for (std::size_t i = 1; i < lines.size(); ++i) {
                out += std::string(sourceAt, ' ') + lines[i] + "\n";
            }
        } else {
            const std::vector<std::string> lines = wrapped(value, kColumns - valueAt);
            out += lead + lines.front() + "\n";
            for (std::size_t i = 1; i < lines.size(); ++i) {
                out += std::string(valueAt, ' ') + lines[i] + "\n";
            }
            out += indented(sourceLine(f), sourceAt);
        }
        if (!f.note.empty()) {
            out += indented(f.note, sourceAt);
        }
        first = false;
    }
    return out;
}

std::string shortened(std::string text, std::size_t columns) {
    if (width(text) > columns) {
        const std::size_t space = text.rfind(' ', columns);
        text = text.substr(0, space == std::string::npos ? columns : space) + " …";
    }
    return text;
}

std::string priceTable(const std::vector<PriceRow>& prices) {
    std::vector<std::vector<std::string>> rows{
        {"  region", "plan", "USD/h", "seen", "status", "source"}};
    bool anyImported = false;
    for (const PriceRow& p : prices) {
        if (p.status == "superseded") {
            continue;
        }
        constexpr std::size_t kSourceWidth = 32;
        std::string price = units::groupedNumber(p.usdPerHour, 4);
        if (p.distribution && p.distribution->p10 != p.distribution->p90) {
            price += " (" + units::groupedNumber(p.distribution->p10, 2) + " to " +
                     units::groupedNumber(p.distribution->p90, 2) + ")";
        }
        const std::string place =
            p.zone.empty() || p.zone == p.region ? p.region : p.region + ", " + p.zone;
        anyImported = anyImported || !p.imported.empty();
        rows.push_back({"  " + place, p.plan, price, p.observed,
                        p.imported.empty() ? p.status : p.status + "*",
                        shortened(p.source, kSourceWidth)});
    }
    std::string out = table(rows, {false, false, true, false, false, false});
    if (anyImported) {
        out +=
            "\n  * imported (`trainwright catalog imports` lists from where); a range is from "
            "P10 to P90 of the time\n";
    }
    return out;
}

Json catalogJson(const Catalog& catalog) {
    return {{"version", catalog.version()},
            {"hash", catalog.hash()},
            {"newest_price", catalog.newestPriceDate()}};
}

Outcome<std::string> knownKind(const std::string& asked) {
    for (const std::string& kind : kinds()) {
        if (asked == kind || asked == kind + "s") {
            return kind;
        }
    }
    std::string all;
    for (const std::string& kind : kinds()) {
        all += (all.empty() ? "" : ", ") + kind;
    }
    const std::vector<std::string> near = units::nearestWords(asked, kinds(), 1);
    if (near.empty()) {
        return Finding{
            Severity::Error, Text{"the catalog has no kind \"{1}\"; it has {2}", {asked, all}}, {}};
    }
    return Finding{Severity::Error,
                   Text{"the catalog has no kind \"{1}\"; the nearest is {2}", {asked, near[0]}},
                   {}};
}

std::string overview(const Catalog& catalog, TextFormat format) {
    if (format == TextFormat::Json) {
        Json j;
        j["schema"] = kListSchema;
        j["catalog"] = catalogJson(catalog);
        for (const std::string& kind : kinds()) {
            j["kinds"].push_back({{"kind", kind},
                                  {"title", titleOf(kind)},
                                  {"entries", catalog.entries(kind).size()}});
        }
        return j.dump(2) + "\n";
    }
    std::vector<std::vector<std::string>> rows{{"kind", "entries", "what"}};
    for (const std::string& kind : kinds()) {
        rows.push_back({kind, std::to_string(catalog.entries(kind).size()), titleOf(kind)});
    }
    return fmt::format("catalog {}, hash {}, newest price {}\n\n{}", catalog.version(),
                       catalog.hash(), catalog.newestPriceDate(),
                       table(rows, {false, true, false}));
}

std::string listJson(const Catalog& catalog, const std::string& kind) {
    Json j;
    j["schema"] = kListSchema;
    j["catalog"] = catalogJson(catalog);
    j["kind"] = kind;
    j["entries"] = Json::array();
    for (const Entry& entry : catalog.entries(kind)) {
        const FigureSet figures(entry.id, catalog.figures(kind, entry.id));
        Json e{{"id", entry.id}, {"name", entry.name}};
        for (const Column& column : columnsOf(kind)) {
            const Figure* f = figures.find(column.key);
            e[column.key] = f == nullptr ? Json() : jsonValue(*f);
        }
        j["entries"].push_back(std::move(e));
    }
    return j.dump(2) + "\n";
}

std::string listText(const Catalog& catalog, const std::string& kind) {
    const std::vector<Column>& columns = columnsOf(kind);
    const std::vector<Entry> entries = catalog.entries(kind);
    if (columns.empty()) {
        std::string out;
        for (const Entry& entry : entries) {
            out += entry.id + "\n" + (entry.name == entry.id ? "" : indented(entry.name, 4));
        }
        return out;
    }
    std::vector<std::vector<std::string>> rows{{"id"}};
    std::vector<bool> right{false};
    for (const Column& column : columns) {
        rows.front().emplace_back(column.title);
        right.push_back(std::string(column.key) != "chip" && std::string(column.key) != "unit" &&
                        std::string(column.key) != "operation");
    }
    for (const Entry& entry : entries) {
        const FigureSet figures(entry.id, catalog.figures(kind, entry.id));
        std::vector<std::string> row{entry.id};
        for (const Column& column : columns) {
            const Figure* f = figures.find(column.key);
            row.push_back(f == nullptr ? "-" : displayValue(*f));
        }
        rows.push_back(std::move(row));
    }
    return table(rows, right);
}

}  // namespace

std::string displayValue(const Figure& f) {
    using units::QuantityKind;
    if (f.value.empty()) {
        return "not published";
    }
    if (f.type == "flag") {
        return f.value == "1" ? "yes" : "no";
    }
    if (f.type != "number" || !f.number) {
        return f.value;
    }
    static const std::map<std::string, QuantityKind> kKinds{
        {"bytes", QuantityKind::DataSize},
        {"bytes_per_second", QuantityKind::DataRate},
        {"flop_per_second", QuantityKind::ComputeRate},
        {"seconds", QuantityKind::Duration},
        {"watts", QuantityKind::Power}};
    const auto kind = kKinds.find(f.unit);
    if (kind != kKinds.end() && *f.number > 0) {
        // Exact where that is short: 96 GiB and 150 MB both read as they were printed.
        constexpr std::size_t kShort = 12;
        constexpr int kDigits = 6;
        const std::string exact = units::formatQuantity(kind->second, *f.number);
        return exact.size() <= kShort ? exact
                                      : units::displayQuantity(kind->second, *f.number, kDigits);
    }
    if (f.unit == "fraction" || f.unit == "ratio") {
        return units::plainNumber(*f.number);
    }
    std::string text = f.unit == "metres" ? fmt::format("{:g} nm", *f.number * 1e9)
                       : *f.number >= 1e4 ? units::groupedNumber(*f.number, 3)
                                          : units::plainNumber(*f.number);
    const bool isBare = f.unit == "count" || f.unit == "year" || f.unit == "metres" ||
                        f.unit == "see_unit" || f.unit.empty();
    return isBare ? text : text + " " + spaced(f.unit);
}

Outcome<std::string> list(const Catalog& catalog, const std::string& kind, TextFormat format) {
    if (kind.empty()) {
        return overview(catalog, format);
    }
    const Outcome<std::string> known = knownKind(kind);
    if (!known) {
        return known.findings();
    }
    return format == TextFormat::Json ? listJson(catalog, *known) : listText(catalog, *known);
}

Outcome<std::string> show(const Catalog& catalog, const std::string& asked, TextFormat format) {
    std::string id = asked;
    std::optional<std::string> kind = catalog.kindOf(id);
    if (const std::size_t slash = asked.find('/'); !kind && slash != std::string::npos) {
        const Outcome<std::string> named = knownKind(asked.substr(0, slash));
        if (!named) {
            return named.findings();
        }
        kind = *named;
        id = asked.substr(slash + 1);
    }
    std::string title;
    if (kind) {
        for (const Entry& entry : catalog.entries(*kind)) {
            if (entry.id == id) {
                title = entry.name;
            }
        }
    }
    const std::vector<PriceRow> prices = catalog.prices(id);
    if (title.empty() && prices.empty()) {
        const std::vector<std::string> near = catalog.nearest(kind.value_or(""), id);
        std::string names;
        for (const std::string& n : near) {
            names += (names.empty() ? "" : ", ") + n;
        }
        if (names.empty()) {
            return Finding{Severity::Error, Text{"the catalog has no \"{1}\"", {id}}, {}};
        }
        return Finding{Severity::Error,
                       Text{"the catalog has no \"{1}\"; the nearest are {2}", {id, names}},
                       {}};
    }
    const std::vector<Group> groups =
        kind ? grouped(catalog.figures(*kind, id)) : std::vector<Group>();

    if (format == TextFormat::Json) {
        Json j;
        j["schema"] = "trainwright/catalog-show/1";
        j["kind"] = kind ? Json(*kind) : Json("price");
        j["id"] = id;
        j["name"] = title.empty() ? Json() : Json(title);
        j["figures"] = Json::array();
        for (const Group& group : groups) {
            const Figure& head = group.front();
            Json g{{"key", head.key}, {"type", head.type}};
            if (!head.unit.empty()) {
                g["unit"] = head.unit;
            }
            g["meaning"] = head.meaning;
            Json rivals = Json::array();
            for (const Figure& f : group) {
                if (isInUse(f)) {
                    g.update(jsonFigure(f));
                } else {
                    rivals.push_back(jsonFigure(f));
                }
            }
            if (!rivals.empty()) {
                g["not_in_use"] = std::move(rivals);
            }
            j["figures"].push_back(std::move(g));
        }
        for (const PriceRow& p : prices) {
            j["prices"].push_back({{"region", p.region},
                                   {"plan", p.plan},
                                   {"price_usd_per_hour", p.usdPerHour},
                                   {"provider", p.provider},
                                   {"observed", p.observed},
                                   {"status", p.status},
                                   {"confidence", p.confidence},
                                   {"source", p.source}});
            Json& row = j["prices"].back();
            if (!p.zone.empty()) {
                row["zone"] = p.zone;
            }
            if (p.distribution) {
                row["distribution"] = {{"mean_usd_per_hour", p.distribution->mean},
                                       {"p10_usd_per_hour", p.distribution->p10},
                                       {"p90_usd_per_hour", p.distribution->p90},
                                       {"from", p.distribution->from},
                                       {"to", p.distribution->to}};
            }
            if (!p.note.empty()) {
                row["note"] = p.note;
            }
            if (!p.imported.empty()) {
                row["imported"] = p.imported;
                row["published"] = p.published;
            }
        }
        return j.dump(2) + "\n";
    }

    constexpr std::size_t kKeyWidth = 38;
    constexpr std::size_t kValueWidth = 16;
    std::size_t keyWidth = 0;
    std::size_t valueWidth = 0;
    for (const Group& group : groups) {
        keyWidth = std::max(keyWidth, width(group.front().key));
        for (const Figure& f : group) {
            if (const std::size_t w = width(displayValue(f)); w <= kValueWidth) {
                valueWidth = std::max(valueWidth, w);
            }
        }
    }
    keyWidth = std::min(keyWidth, kKeyWidth);
    std::string out;
    const bool nameHoldsId = title.compare(0, id.size(), id) == 0;
    const std::string head = title.empty() ? id : nameHoldsId ? title : id + ": " + title;
    for (const std::string& line :
         wrapped(fmt::format("{} ({})", head, kind.value_or("price")), kColumns)) {
        out += line + "\n";
    }
    for (const Group& group : groups) {
        out += groupText(group, keyWidth, valueWidth);
    }
    if (!prices.empty()) {
        out += "\n" + priceTable(prices);
    } else if (kind == "instance") {
        out += "\n" + indented(catalog.price(id, "", "").reason.english(), 2);
    }
    return out;
}

std::string checkReport(const Catalog& catalog, const std::vector<Finding>& findings,
                        TextFormat format) {
    std::vector<Finding> sorted = findings;
    std::stable_sort(sorted.begin(), sorted.end(), [](const Finding& a, const Finding& b) {
        return static_cast<int>(a.severity) > static_cast<int>(b.severity);
    });
    const auto count = [&](Severity s) {
        return std::count_if(sorted.begin(), sorted.end(),
                             [s](const Finding& f) { return f.severity == s; });
    };
    const auto errors = count(Severity::Error);
    const auto warnings = count(Severity::Warning);
    const auto notes = count(Severity::Note);
    const auto word = [](Severity s) {
        return s == Severity::Error ? "error" : s == Severity::Warning ? "warning" : "note";
    };
    if (format == TextFormat::Json) {
        Json j;
        j["schema"] = "trainwright/catalog-check/1";
        j["catalog"] = catalogJson(catalog);
        j["errors"] = errors;
        j["warnings"] = warnings;
        j["notes"] = notes;
        j["findings"] = Json::array();
        for (const Finding& f : sorted) {
            j["findings"].push_back({{"severity", word(f.severity)}, {"text", f.text.english()}});
        }
        return j.dump(2) + "\n";
    }
    std::string out;
    for (const Finding& f : sorted) {
        const std::vector<std::string> lines = wrapped(f.text.english(), kColumns - 9);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            out += padded(i == 0 ? word(f.severity) : "", 9) + lines[i] + "\n";
        }
    }
    return out + fmt::format("catalog {} ({}): {} errors, {} warnings, {} notes\n",
                             catalog.version(), catalog.hash(), errors, warnings, notes);
}

}  // namespace trainwright::catalog
