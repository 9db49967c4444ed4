// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog that lays what was imported over the shipped rows.
#include <algorithm>
#include <set>
#include <tuple>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"
#include "model/units/content_hash.h"

namespace trainwright::catalog {

const std::vector<PriceRow>& Catalog::Implementation::prices(const std::string& unitId) const {
    if (const auto kept = prices_.find(unitId); kept != prices_.end()) {
        return kept->second;
    }
    SQLite::Statement s(
        database,
        "SELECT p.provider, p.unit_id, p.region, p.plan, p.usd_per_hour, p.observed, s.title, "
        "p.confidence, p.status, p.note FROM price p JOIN source s ON s.id = p.source "
        "WHERE p.unit_id = ? ORDER BY p.region, p.plan, p.provider, p.ordinal");
    s.bind(1, unitId);
    std::vector<PriceRow> rows;
    while (s.executeStep()) {
        PriceRow row;
        row.provider = s.getColumn(0).getString();
        row.unitId = s.getColumn(1).getString();
        row.region = s.getColumn(2).getString();
        row.plan = s.getColumn(3).getString();
        row.usdPerHour = s.getColumn(4).getDouble();
        row.observed = s.getColumn(5).getString();
        row.source = s.getColumn(6).getString();
        row.confidence = s.getColumn(7).getString();
        row.status = s.getColumn(8).getString();
        row.note = s.getColumn(9).getString();
        rows.push_back(std::move(row));
    }
    const std::vector<PriceRow>& imported = overlay->prices(unitId);
    if (!imported.empty()) {
        rows.insert(rows.end(), imported.begin(), imported.end());
        std::stable_sort(rows.begin(), rows.end(), [](const PriceRow& a, const PriceRow& b) {
            const auto key = [](const PriceRow& r) {
                return std::tie(r.region, r.plan, r.provider);
            };
            return key(a) != key(b) ? key(a) < key(b) : speaksBefore(a, b);
        });
    }
    applyPriceOverrides(unitId, rows);
    return prices_.emplace(unitId, std::move(rows)).first->second;
}

void Catalog::Implementation::addImported(const std::string& kind, const std::string& id,
                                          std::vector<Figure>& figures) const {
    if (kind != "instance") {
        return;
    }
    for (Figure figure : overlay->figures(id)) {
        SQLite::Statement s(
            database, "SELECT unit, type, meaning FROM key_definition WHERE kind = ? AND key = ?");
        s.bind(1, kind);
        s.bind(2, figure.key);
        if (!s.executeStep()) {
            continue;
        }
        figure.unit = s.getColumn(0).getString();
        figure.type = s.getColumn(1).getString();
        figure.meaning = s.getColumn(2).getString();
        const auto ofKey = [&](const Figure& f) { return f.key == figure.key; };
        const auto last = std::find_if(figures.rbegin(), figures.rend(), ofKey);
        if (last == figures.rend()) {
            figures.push_back(std::move(figure));
            continue;
        }
        // At most one is in use: the catalog's own where it has one.
        const auto first = std::find_if(figures.begin(), figures.end(), ofKey);
        const bool isTaken =
            (first->status == Status::Adopted || first->status == Status::Estimated);
        if (isTaken && !first->value.empty() && figure.status == Status::Adopted) {
            figure.status = Status::Conflicting;
        }
        if (figure.status == Status::Adopted) {
            if (isTaken) {
                first->status = Status::Superseded;
            }
            figures.insert(first, std::move(figure));
        } else {
            figures.insert(last.base(), std::move(figure));
        }
    }
}

std::vector<PricedUnit> Catalog::pricedUnits() const {
    SQLite::Statement s(
        implementation_->database,
        "SELECT id, provider, ifnull(chip, ''), chips FROM alias UNION ALL "
        "SELECT e.id, lower(ifnull(p.value, '')), ifnull(c.value, ''), ifnull(n.number, 0) FROM entry e "
        "LEFT JOIN figure p ON p.kind = e.kind AND p.id = e.id AND p.key = 'provider' "
        "AND p.ordinal = 0 "
        "LEFT JOIN figure c ON c.kind = e.kind AND c.id = e.id AND c.key = 'chip' "
        "AND c.ordinal = 0 "
        "LEFT JOIN figure n ON n.kind = e.kind AND n.id = e.id AND n.key = 'chips_per_unit' "
        "AND n.ordinal = 0 WHERE e.kind = 'instance' ORDER BY 1");
    std::vector<PricedUnit> units;
    while (s.executeStep()) {
        units.push_back(PricedUnit{s.getColumn(0).getString(), s.getColumn(1).getString(),
                                   s.getColumn(2).getString(), s.getColumn(3).getDouble()});
    }
    return units;
}

std::vector<PriceRow> Catalog::allPrices() const {
    std::vector<std::string> units =
        implementation_->strings("SELECT DISTINCT unit_id FROM price ORDER BY unit_id", {});
    for (const std::string& unit : implementation_->overlay->units()) {
        units.push_back(unit);
    }
    std::sort(units.begin(), units.end());
    units.erase(std::unique(units.begin(), units.end()), units.end());
    std::vector<PriceRow> rows;
    for (const std::string& unit : units) {
        const std::vector<PriceRow>& ofUnit = implementation_->prices(unit);
        rows.insert(rows.end(), ofUnit.begin(), ofUnit.end());
    }
    return rows;
}

const Overlay& Catalog::overlay() const {
    return *implementation_->overlay;
}

std::string Catalog::hash() const {
    const std::string shipped = implementation_->meta("hash");
    const Overlay& overlay = *implementation_->overlay;
    return overlay.empty() ? shipped : units::ContentHash().add(shipped).add(overlay.hash()).hex();
}

std::string Catalog::newestPriceDate() const {
    std::string newest = implementation_->meta("newest_price");
    for (const std::string& unit : implementation_->overlay->units()) {
        for (const PriceRow& row : implementation_->overlay->prices(unit)) {
            if (row.status == "listed") {
                newest = std::max(newest, row.observed);
            }
        }
    }
    return newest;
}

}  // namespace trainwright::catalog
