// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/price_moves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <tuple>

#include "data/catalog/catalog_text.h"
#include "data/catalog/text_layout.h"
#include "model/units/text_quantity.h"

namespace trainwright::catalog {
namespace {

using Json = nlohmann::ordered_json;
using Key = std::tuple<std::string, std::string, std::string, std::string>;

Key keyOf(const PriceRow& row) {
    return {row.unitId, row.region, row.plan, row.provider};
}

std::map<Key, PriceRow> speaking(const std::vector<PriceRow>& rows) {
    std::map<Key, PriceRow> out;
    for (const PriceRow& row : rows) {
        if (row.status != "listed") {
            continue;
        }
        const auto [at, isNew] = out.try_emplace(keyOf(row), row);
        if (!isNew && speaksBefore(row, at->second)) {
            at->second = row;
        }
    }
    return out;
}

std::string shownPrice(const std::optional<PriceRow>& row) {
    return row ? units::groupedNumber(row->usdPerHour, 4) : std::string();
}

std::string shownDate(const std::optional<PriceRow>& row) {
    return row ? row->observed : std::string();
}

std::string shownChange(double change) {
    const std::string percent = units::fixedNumber(std::abs(change) * 100.0, 1) + "%";
    return (change < 0 ? "−" : "+") + percent;
}

std::string moveTable(const char* title, const std::vector<PriceMove>& moves, std::size_t most) {
    if (moves.empty()) {
        return {};
    }
    std::vector<std::vector<std::string>> rows{
        {"  machine", "region", "plan", "was USD/h", "seen", "now USD/h", "seen", "change"}};
    const std::size_t shown = most == 0 ? moves.size() : std::min(most, moves.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const PriceMove& move = moves[i];
        const PriceRow& row = move.row();
        rows.push_back({"  " + row.unitId, row.region, row.plan, shownPrice(move.before),
                        shownDate(move.before), shownPrice(move.after), shownDate(move.after),
                        move.before && move.after ? shownChange(move.change()) : std::string()});
    }
    // A side that none of the rows has isn't shown.
    const auto hasSide = [&](std::size_t column) {
        return std::any_of(rows.begin() + 1, rows.end(),
                           [&](const auto& row) { return !row[column].empty(); });
    };
    std::vector<bool> right{false, false, false, true, false, true, false, true};
    for (const std::size_t column :
         {std::size_t{7}, std::size_t{6}, std::size_t{5}, std::size_t{4}, std::size_t{3}}) {
        if (!hasSide(column)) {
            for (auto& row : rows) {
                row.erase(row.begin() + static_cast<std::ptrdiff_t>(column));
            }
            right.erase(right.begin() + static_cast<std::ptrdiff_t>(column));
        }
    }
    std::string out = fmt::format("{} ({})\n{}", title, moves.size(), table(rows, right));
    if (shown < moves.size()) {
        out += fmt::format("  … and {} more; --all shows them\n", moves.size() - shown);
    }
    return out;
}

std::string figureTable(const std::vector<FigureMove>& figures, std::size_t most) {
    if (figures.empty()) {
        return {};
    }
    std::vector<std::vector<std::string>> rows{{"  entry", "figure", "from", "to"}};
    const std::size_t shown = most == 0 ? figures.size() : std::min(most, figures.size());
    for (std::size_t i = 0; i < shown; ++i) {
        const FigureMove& move = figures[i];
        rows.push_back({"  " + move.kind + "/" + move.id, move.key, move.before, move.after});
    }
    std::string out = fmt::format("Figures that differ ({})\n{}", figures.size(),
                                  table(rows, {false, false, false, false}));
    if (shown < figures.size()) {
        out += fmt::format("  … and {} more; --all shows them\n", figures.size() - shown);
    }
    return out;
}

Json sideJson(const std::optional<PriceRow>& row) {
    if (!row) {
        return nullptr;
    }
    Json j{{"price_usd_per_hour", row->usdPerHour},
           {"observed", row->observed},
           {"source", row->source}};
    if (!row->zone.empty()) {
        j["zone"] = row->zone;
    }
    return j;
}

Json moveJson(const std::vector<PriceMove>& moves) {
    Json out = Json::array();
    for (const PriceMove& move : moves) {
        const PriceRow& row = move.row();
        Json j{{"unit", row.unitId},
               {"provider", row.provider},
               {"region", row.region},
               {"plan", row.plan},
               {"before", sideJson(move.before)},
               {"after", sideJson(move.after)}};
        if (move.before && move.after) {
            j["change"] = move.change();
        }
        out.push_back(std::move(j));
    }
    return out;
}

/// A field as RFC 4180 writes it.
std::string csvField(const std::string& text) {
    if (text.find_first_of(",\"\r\n") == std::string::npos) {
        return text;
    }
    std::string out = "\"";
    for (const char c : text) {
        out += c;
        if (c == '"') {
            out += c;
        }
    }
    return out + "\"";
}

std::map<std::string, const Figure*> inUse(const std::vector<Figure>& figures) {
    std::map<std::string, const Figure*> out;
    for (const Figure& f : figures) {
        if (f.status == Status::Adopted || f.status == Status::Estimated) {
            out.emplace(f.key, &f);
        }
    }
    return out;
}

}  // namespace

double PriceMove::change() const {
    return before && after ? (after->usdPerHour - before->usdPerHour) / before->usdPerHour : 0.0;
}

std::vector<PriceRow> speakingPrices(const std::vector<PriceRow>& rows) {
    std::vector<PriceRow> out;
    for (auto& [key, row] : speaking(rows)) {
        out.push_back(row);
    }
    return out;
}

PriceMoves priceMoves(const std::vector<PriceRow>& before, const std::vector<PriceRow>& after) {
    const std::map<Key, PriceRow> from = speaking(before);
    const std::map<Key, PriceRow> to = speaking(after);
    PriceMoves moves;
    for (const auto& [key, row] : to) {
        const auto old = from.find(key);
        if (old == from.end()) {
            moves.added.push_back({std::nullopt, row});
        } else if (old->second.usdPerHour != row.usdPerHour) {
            moves.moved.push_back({old->second, row});
        } else if (old->second.observed != row.observed) {
            ++moves.confirmed;
        } else {
            ++moves.same;
        }
    }
    for (const auto& [key, row] : from) {
        if (to.find(key) == to.end()) {
            moves.gone.push_back({row, std::nullopt});
        }
    }
    std::stable_sort(moves.moved.begin(), moves.moved.end(),
                     [](const PriceMove& a, const PriceMove& b) {
                         return std::abs(a.change()) > std::abs(b.change());
                     });
    return moves;
}

std::vector<PriceRow> rowsOf(const ImportBatch& batch, const Overlay& overlay,
                             const std::string& time) {
    std::vector<PriceRow> rows;
    for (const ImportedPrice& price : batch.prices) {
        const ImportedFile& file = batch.files[price.file];
        if (overlay.importOf(file.hash) != nullptr) {
            continue;
        }
        PriceRow row;
        row.provider = price.provider;
        row.unitId = price.unitId;
        row.region = price.region;
        row.plan = price.plan;
        row.usdPerHour = price.usdPerHour;
        row.observed = price.observed;
        row.source = price.source.empty() ? file.title : price.source;
        row.confidence = price.confidence;
        row.status = price.status;
        row.zone = price.zone;
        row.note = price.note;
        row.published = file.published;
        row.imported = time;
        row.distribution = price.distribution;
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<FigureMove> figureMoves(const Catalog& before, const Catalog& after) {
    std::vector<FigureMove> moves;
    for (const std::string& kind : kinds()) {
        std::map<std::string, int> ids;
        for (const Entry& entry : before.entries(kind)) {
            ids[entry.id] = 0;
        }
        for (const Entry& entry : after.entries(kind)) {
            ids[entry.id] = 0;
        }
        for (const auto& [id, unused] : ids) {
            const std::vector<Figure> old = before.figures(kind, id);
            const std::vector<Figure> current = after.figures(kind, id);
            const std::map<std::string, const Figure*> from = inUse(old);
            const std::map<std::string, const Figure*> to = inUse(current);
            for (const auto& [key, figure] : to) {
                const auto other = from.find(key);
                if (other == from.end() || other->second->value != figure->value) {
                    moves.push_back({kind, id, key,
                                     other == from.end() ? "" : displayValue(*other->second),
                                     displayValue(*figure)});
                }
            }
            for (const auto& [key, figure] : from) {
                if (to.find(key) == to.end()) {
                    moves.push_back({kind, id, key, displayValue(*figure), ""});
                }
            }
        }
    }
    return moves;
}

std::string movesText(const PriceMoves& moves, const std::vector<FigureMove>& figures,
                      std::size_t most) {
    std::string out;
    const auto add = [&](const std::string& part) {
        if (!part.empty()) {
            out += (out.empty() ? "" : "\n") + part;
        }
    };
    add(moveTable("Prices that move", moves.moved, most));
    add(moveTable("New prices", moves.added, most));
    add(moveTable("Prices that are gone", moves.gone, most));
    add(figureTable(figures, most));
    if (out.empty()) {
        out = "No price differs.\n";
    }
    if (moves.confirmed > 0) {
        add(moves.confirmed == 1
                ? std::string("1 price is as before, seen later.\n")
                : fmt::format("{} prices are as before, seen later.\n", moves.confirmed));
    }
    return out;
}

std::string movesJson(const PriceMoves& moves, const std::vector<FigureMove>& figures) {
    Json j{{"schema", "trainwright/catalog-diff/1"}, {"moved", moveJson(moves.moved)},
           {"new", moveJson(moves.added)},           {"gone", moveJson(moves.gone)},
           {"confirmed", moves.confirmed},           {"same", moves.same}};
    j["figures"] = Json::array();
    for (const FigureMove& move : figures) {
        j["figures"].push_back({{"kind", move.kind},
                                {"id", move.id},
                                {"key", move.key},
                                {"before", move.before},
                                {"after", move.after}});
    }
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string pricesCsv(const std::vector<PriceRow>& rows) {
    const bool hasMore = std::any_of(rows.begin(), rows.end(), [](const PriceRow& row) {
        return !row.zone.empty() || row.distribution;
    });
    std::string out =
        "provider,unit_id,region,plan,usd_per_hour,observed,source,confidence,status,note";
    out += hasMore ? ",zone,p10_usd_per_hour,p90_usd_per_hour\n" : "\n";
    for (const PriceRow& row : rows) {
        for (const std::string& field :
             {row.provider, row.unitId, row.region, row.plan, units::plainNumber(row.usdPerHour),
              row.observed, row.source, row.confidence, row.status}) {
            out += csvField(field) + ",";
        }
        out += csvField(row.note);
        if (hasMore) {
            out += "," + csvField(row.zone);
            out += "," + (row.distribution ? units::plainNumber(row.distribution->p10) : "");
            out += "," + (row.distribution ? units::plainNumber(row.distribution->p90) : "");
        }
        out += "\n";
    }
    return out;
}

}  // namespace trainwright::catalog
