// SPDX-License-Identifier: GPL-3.0-or-later
// What a Catalog holds: the read-only connection. Private to data/catalog.
#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/catalog/figure_set.h"
#include "data/catalog/overlay.h"

namespace trainwright::catalog {

/// Another name under which the same hardware is sold.
struct Alias {
    std::string id, provider, chip, instance;
    int chips = 0;
};

struct Catalog::Implementation {
    Implementation(const std::string& databasePath);

    [[nodiscard]] std::optional<Entry> entry(const std::string& kind, const std::string& id) const;
    /// Read once and kept.
    [[nodiscard]] const std::vector<Figure>& figures(const std::string& kind,
                                                     const std::string& id) const;
    /// Of every region; read once and kept.
    [[nodiscard]] const std::vector<PriceRow>& prices(const std::string& unitId) const;
    /// The entry that says how often spot units of this kind are taken back.
    [[nodiscard]] std::string spotOf(const std::string& unitId) const;
    [[nodiscard]] FigureSet figureSet(const std::string& kind, const std::string& id) const;
    /// Read once and kept.
    [[nodiscard]] const std::optional<Alias>& alias(const std::string& id) const;
    [[nodiscard]] std::vector<std::string> aliasesOf(const std::string& instance) const;
    [[nodiscard]] std::string meta(const std::string& name) const;
    /// The first column of all rows of `sql`, its placeholders bound to `arguments`; read once and
    /// kept.
    [[nodiscard]] const std::vector<std::string>& strings(
        const std::string& sql, const std::vector<std::string>& arguments) const;

    /// Puts the overrides of (kind, id) in front of the rows that they replace.
    void applyOverrides(const std::string& kind, const std::string& id,
                        std::vector<Figure>& figures) const;

    /// Puts what was imported of an instance behind the figures of the same key; a figure that the
    /// catalog doesn't have becomes the one in use.
    void addImported(const std::string& kind, const std::string& id,
                     std::vector<Figure>& figures) const;

    /// Puts the price overrides of a unit in place of its rows.
    void applyPriceOverrides(const std::string& unitId, std::vector<PriceRow>& rows) const;

    std::string path;
    SQLite::Database database;
    std::shared_ptr<const Overlay> overlay;  ///< never null
    std::vector<Override> overrides;
    std::vector<PriceOverride> priceOverrides;
    std::shared_ptr<const belief::Calibration> calibration;
    // What was made of the rows before, for whoever asks again.
    mutable std::map<std::string, Outcome<machine::SystemSpec>> systems;
    mutable std::map<std::string, Outcome<layout::SoftwareProfile>> profiles;

private:
    mutable std::map<std::string, std::optional<Alias>> aliases_;
    mutable std::map<std::pair<std::string, std::string>, std::vector<Figure>> figures_;
    mutable std::map<std::vector<std::string>, std::vector<std::string>> strings_;
    mutable std::map<std::string, std::vector<PriceRow>> prices_;
};

/// The calibration in the database's rows; null when there are none.
[[nodiscard]] Outcome<std::shared_ptr<const belief::Calibration>> shippedCalibration(
    const SQLite::Database& database);

}  // namespace trainwright::catalog
