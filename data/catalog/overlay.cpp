// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/overlay.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>

#include "model/units/content_hash.h"
#include "model/units/text_quantity.h"

namespace trainwright::catalog {
namespace {

/// Of the tables below; a change of them is a new format.
constexpr int kFormat = 1;
/// "TWov": tells an overlay from a catalog and from other programs' databases.
constexpr int kApplicationId = 0x54576f76;
constexpr int kWaitMilliseconds = 2000;

constexpr const char* kSchema = R"sql(
CREATE TABLE import (
    id       INTEGER PRIMARY KEY AUTOINCREMENT,
    imported TEXT NOT NULL
) STRICT;

CREATE TABLE file (
    id        INTEGER PRIMARY KEY AUTOINCREMENT,
    import    INTEGER NOT NULL REFERENCES import (id) ON DELETE CASCADE,
    name      TEXT NOT NULL,
    format    TEXT NOT NULL,
    title     TEXT NOT NULL,
    hash      TEXT NOT NULL UNIQUE,
    bytes     INTEGER NOT NULL,
    published TEXT NOT NULL,
    observed  TEXT NOT NULL
) STRICT;

CREATE INDEX file_of_import ON file (import);

CREATE TABLE price (
    unit_id      TEXT NOT NULL,
    region       TEXT NOT NULL,
    plan         TEXT NOT NULL,
    provider     TEXT NOT NULL,
    zone         TEXT NOT NULL,
    observed     TEXT NOT NULL,
    usd_per_hour REAL NOT NULL,
    status       TEXT NOT NULL,
    file         INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    confidence   TEXT NOT NULL,
    source       TEXT NOT NULL,   -- as the row says itself; empty: the file
    note         TEXT NOT NULL,
    mean         REAL,
    p10          REAL,
    p90          REAL,
    window_from  TEXT,
    window_to    TEXT,
    PRIMARY KEY (unit_id, region, plan, provider, zone, observed, usd_per_hour, status),
    CONSTRAINT price_is_positive CHECK (usd_per_hour > 0 AND usd_per_hour < 1e6),
    CONSTRAINT price_status_is_known CHECK (status IN ('listed', 'suspect')),
    CONSTRAINT price_confidence_is_known CHECK (confidence IN ('high', 'medium', 'low')),
    CONSTRAINT price_plan_is_named CHECK (plan <> '' AND plan NOT GLOB '*[^a-z0-9_]*')
) STRICT, WITHOUT ROWID;

CREATE INDEX price_of_file ON price (file);

CREATE TABLE fact (
    unit_id  TEXT NOT NULL,
    key      TEXT NOT NULL,
    value    TEXT NOT NULL,
    observed TEXT NOT NULL,
    status   TEXT NOT NULL,
    file     INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    note     TEXT NOT NULL,
    PRIMARY KEY (unit_id, key, value, observed)
) STRICT, WITHOUT ROWID;

CREATE INDEX fact_of_file ON fact (file);

CREATE TABLE offering (
    unit_id  TEXT NOT NULL,
    region   TEXT NOT NULL,
    zone     TEXT NOT NULL,
    observed TEXT NOT NULL,
    file     INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    PRIMARY KEY (unit_id, region, zone, observed)
) STRICT, WITHOUT ROWID;

CREATE INDEX offering_of_file ON offering (file);

CREATE TABLE sku (
    sku     TEXT NOT NULL,
    file    INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
    unit_id TEXT NOT NULL,
    region  TEXT NOT NULL,
    zone    TEXT NOT NULL,
    PRIMARY KEY (sku, file)
) STRICT, WITHOUT ROWID;

CREATE INDEX sku_of_file ON sku (file);
)sql";

Finding fileFinding(const std::string& path, std::string pattern,
                    std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{path, 0, 0, {}}};
}

/// What SQLite's error means for somebody who has the file.
Finding troubleWith(const std::string& path, const SQLite::Exception& e) {
    switch (e.getErrorCode() & 0xff) {
        case SQLITE_BUSY:
        case SQLITE_LOCKED:
            return fileFinding(path,
                               "another process is writing the overlay; nothing was changed, and a "
                               "second try in a moment is worth it");
        case SQLITE_READONLY:
            return fileFinding(path, "the overlay is write-protected; nothing was changed");
        case SQLITE_CANTOPEN:
            return fileFinding(path,
                               "the overlay can't be opened: its folder is missing or not open to "
                               "this user");
        case SQLITE_PERM:
        case SQLITE_AUTH:
            return fileFinding(path, "the overlay is not open to this user");
        case SQLITE_FULL:
            return fileFinding(path, "there is no space left for the overlay; nothing was changed");
        case SQLITE_IOERR:
            return fileFinding(path, "the overlay can't be read or written: {1}", {e.what()});
        case SQLITE_NOTADB:
            return fileFinding(path, "this is not an overlay, nor any database");
        default:
            return fileFinding(path,
                               "the overlay is damaged: {1}. Move it away to go on without what "
                               "was imported",
                               {e.what()});
    }
}

enum class Kind { Empty, Overlay };

/// What the open database is; a finding if it isn't for this program.
Outcome<Kind> kindOf(const std::string& path, SQLite::Database& database) {
    const int application = database.execAndGet("PRAGMA application_id").getInt();
    const int format = database.execAndGet("PRAGMA user_version").getInt();
    if (application == kApplicationId) {
        if (format > kFormat) {
            return fileFinding(path,
                               "the overlay has format {1}, made for a newer Trainwright; this one "
                               "reads format {2}",
                               {std::to_string(format), std::to_string(kFormat)});
        }
        return Kind::Overlay;
    }
    if (database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0) {
        return Kind::Empty;
    }
    const bool isCatalog =
        database
            .execAndGet(
                "SELECT count(*) FROM sqlite_master WHERE name IN ('figure', 'key_definition')")
            .getInt() == 2;
    if (isCatalog) {
        return fileFinding(path,
                           "this is a catalog, not an overlay; --catalog takes catalogs, and "
                           "--overlay takes what `catalog import prices` makes");
    }
    return fileFinding(path, "this is a database, but not an overlay of Trainwright");
}

/// Open for writing where the file allows it, so that what a killed process left half-written can
/// be taken back.
SQLite::Database openDatabase(const std::string& path, int flags) {
    SQLite::Database database(path, flags, kWaitMilliseconds);
    database.exec("PRAGMA foreign_keys = ON");
    return database;
}

std::optional<PriceDistribution> distributionOf(SQLite::Statement& s, int column) {
    if (s.isColumnNull(column)) {
        return std::nullopt;
    }
    return PriceDistribution{s.getColumn(column).getDouble(), s.getColumn(column + 1).getDouble(),
                             s.getColumn(column + 2).getDouble(),
                             s.getColumn(column + 3).getString(),
                             s.getColumn(column + 4).getString()};
}

std::vector<ImportRecord> importsIn(const SQLite::Database& database) {
    std::vector<ImportRecord> records;
    SQLite::Statement s(
        database,
        "SELECT i.id, i.imported, f.name, f.format, f.title, f.hash, f.bytes, f.published, "
        "f.observed, (SELECT count(*) FROM price p WHERE p.file = f.id), "
        "(SELECT count(*) FROM fact p WHERE p.file = f.id), "
        "(SELECT count(*) FROM offering p WHERE p.file = f.id) "
        "FROM import i JOIN file f ON f.import = i.id ORDER BY i.id, f.id");
    while (s.executeStep()) {
        const std::int64_t id = s.getColumn(0).getInt64();
        if (records.empty() || records.back().id != id) {
            records.push_back(ImportRecord{id, s.getColumn(1).getString(), {}, 0, 0, 0});
        }
        ImportRecord& record = records.back();
        record.files.push_back(ImportedFile{s.getColumn(2).getString(), s.getColumn(3).getString(),
                                            s.getColumn(4).getString(), s.getColumn(5).getString(),
                                            s.getColumn(6).getInt64(), s.getColumn(7).getString(),
                                            s.getColumn(8).getString()});
        record.prices += static_cast<std::size_t>(s.getColumn(9).getInt64());
        record.facts += static_cast<std::size_t>(s.getColumn(10).getInt64());
        record.offerings += static_cast<std::size_t>(s.getColumn(11).getInt64());
    }
    return records;
}

Status statusNamed(const std::string& text) {
    for (const Status s : {Status::Adopted, Status::Estimated, Status::Conflicting,
                           Status::Superseded, Status::Rejected}) {
        if (text == name(s)) {
            return s;
        }
    }
    return Status::Rejected;
}

std::optional<double> wholeNumber(const std::string& text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

/// Adds the fields of one row to a hash so that no two different rows add the same bytes.
class RowHash {
public:
    RowHash& add(const std::string& field) {
        hash_.add(field).add(std::string_view("\0", 1));
        any_ = true;
        return *this;
    }
    RowHash& add(double number) { return add(units::plainNumber(number)); }
    [[nodiscard]] std::string hex() const { return any_ ? hash_.hex() : std::string(); }

private:
    units::ContentHash hash_;
    bool any_ = false;
};

}  // namespace

bool speaksBefore(const PriceRow& a, const PriceRow& b) {
    const auto rank = [](const PriceRow& row) { return row.status == "listed" ? 0 : 1; };
    if (rank(a) != rank(b)) return rank(a) < rank(b);
    if (a.observed != b.observed) return a.observed > b.observed;
    if (a.imported != b.imported) return a.imported > b.imported;
    return a.usdPerHour < b.usdPerHour;
}

bool isOverlay(const std::string& path) {
    // The application id is at a fixed place of SQLite's file header, big-endian.
    constexpr std::size_t kHeader = 100;
    constexpr std::size_t kPlace = 68;
    std::ifstream in(path, std::ios::binary);
    std::array<char, kHeader> header{};
    if (!in.read(header.data(), kHeader)) {
        return false;
    }
    unsigned value = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        value = (value << 8U) | static_cast<unsigned char>(header[kPlace + i]);
    }
    return value == static_cast<unsigned>(kApplicationId);
}

Outcome<Overlay> Overlay::read(const std::string& path) {
    Overlay overlay;
    overlay.path_ = path;
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (path.empty() || !std::filesystem::exists(status)) {
        return overlay;
    }
    if (std::filesystem::is_directory(status)) {
        return fileFinding(path, "this is a folder; an overlay is a file, as overlay.sqlite");
    }
    try {
        SQLite::Database database = openDatabase(path, SQLite::OPEN_READWRITE);
        // One moment for all of the tables.
        SQLite::Transaction moment(database);
        const Outcome<Kind> kind = kindOf(path, database);
        if (!kind) return kind.findings();
        if (*kind == Kind::Empty) return overlay;

        RowHash hash;
        SQLite::Statement prices(
            database,
            "SELECT p.provider, p.unit_id, p.region, p.plan, p.usd_per_hour, p.observed, "
            "p.confidence, p.status, p.zone, p.note, "
            "CASE p.source WHEN '' THEN f.title ELSE p.source END, f.published, i.imported, "
            "p.mean, "
            "p.p10, p.p90, p.window_from, p.window_to "
            "FROM price p JOIN file f ON f.id = p.file JOIN import i ON i.id = f.import "
            "ORDER BY p.unit_id, p.region, p.plan, p.provider, p.zone, p.observed, "
            "p.usd_per_hour, p.status");
        while (prices.executeStep()) {
            PriceRow row;
            row.provider = prices.getColumn(0).getString();
            row.unitId = prices.getColumn(1).getString();
            row.region = prices.getColumn(2).getString();
            row.plan = prices.getColumn(3).getString();
            row.usdPerHour = prices.getColumn(4).getDouble();
            row.observed = prices.getColumn(5).getString();
            row.confidence = prices.getColumn(6).getString();
            row.status = prices.getColumn(7).getString();
            row.zone = prices.getColumn(8).getString();
            row.note = prices.getColumn(9).getString();
            row.source = prices.getColumn(10).getString();
            row.published = prices.getColumn(11).getString();
            row.imported = prices.getColumn(12).getString();
            row.distribution = distributionOf(prices, 13);
            hash.add(row.unitId).add(row.region).add(row.plan).add(row.provider).add(row.zone);
            hash.add(row.observed).add(row.usdPerHour).add(row.status);
            if (row.distribution) {
                hash.add(row.distribution->p10).add(row.distribution->p90);
            }
            overlay.prices_[row.unitId].push_back(std::move(row));
        }
        for (auto& [unit, rows] : overlay.prices_) {
            std::stable_sort(rows.begin(), rows.end(), [](const PriceRow& a, const PriceRow& b) {
                const auto key = [](const PriceRow& r) {
                    return std::tie(r.region, r.plan, r.provider);
                };
                return key(a) != key(b) ? key(a) < key(b) : speaksBefore(a, b);
            });
        }

        SQLite::Statement facts(database,
                                "SELECT x.unit_id, x.key, x.value, x.status, x.observed, x.note, "
                                "f.title FROM fact x JOIN file f ON f.id = x.file "
                                "ORDER BY x.unit_id, x.key, x.observed DESC, x.value");
        while (facts.executeStep()) {
            Figure figure;
            figure.kind = "instance";
            figure.id = facts.getColumn(0).getString();
            figure.key = facts.getColumn(1).getString();
            figure.value = facts.getColumn(2).getString();
            figure.number = wholeNumber(figure.value);
            figure.status = statusNamed(facts.getColumn(3).getString());
            figure.observed = facts.getColumn(4).getString();
            figure.note = facts.getColumn(5).getString();
            figure.confidence = "high";
            figure.source = Source{"import", facts.getColumn(6).getString(), "", "", ""};
            hash.add(figure.id).add(figure.key).add(figure.value).add(name(figure.status));
            overlay.figures_[figure.id].push_back(std::move(figure));
        }

        SQLite::Statement offerings(database,
                                    "SELECT DISTINCT unit_id, region FROM offering ORDER BY 1, 2");
        while (offerings.executeStep()) {
            const std::string unit = offerings.getColumn(0).getString();
            const std::string region = offerings.getColumn(1).getString();
            hash.add(unit).add(region);
            overlay.offerings_[unit].push_back(region);
        }

        SQLite::Statement skus(database,
                               "SELECT DISTINCT sku, unit_id, region, zone FROM sku ORDER BY sku");
        while (skus.executeStep()) {
            overlay.skus_.push_back(
                ImportedSku{0, skus.getColumn(0).getString(), skus.getColumn(1).getString(),
                            skus.getColumn(2).getString(), skus.getColumn(3).getString()});
        }
        overlay.imports_ = importsIn(database);
        overlay.hash_ = hash.hex();
        return overlay;
    } catch (const SQLite::Exception& e) {
        return troubleWith(path, e);
    }
}

const std::vector<PriceRow>& Overlay::prices(const std::string& unitId) const {
    static const std::vector<PriceRow> kNone;
    const auto found = prices_.find(unitId);
    return found == prices_.end() ? kNone : found->second;
}

std::vector<std::string> Overlay::units() const {
    std::vector<std::string> units;
    for (const auto& [unit, rows] : prices_) {
        units.push_back(unit);
    }
    return units;
}

std::vector<Figure> Overlay::figures(const std::string& unitId) const {
    const auto found = figures_.find(unitId);
    return found == figures_.end() ? std::vector<Figure>() : found->second;
}

std::vector<std::string> Overlay::offeredIn(const std::string& unitId) const {
    const auto found = offerings_.find(unitId);
    return found == offerings_.end() ? std::vector<std::string>() : found->second;
}

const ImportRecord* Overlay::importOf(const std::string& hash) const {
    for (const ImportRecord& record : imports_) {
        for (const ImportedFile& file : record.files) {
            if (file.hash == hash) {
                return &record;
            }
        }
    }
    return nullptr;
}

struct OverlayWriter::Implementation {
    Implementation(std::string file, SQLite::Database&& opened)
        : path(std::move(file)), database(std::move(opened)) {}

    void makeTablesIfNone() {
        if (database.execAndGet("SELECT count(*) FROM sqlite_master").getInt() > 0) {
            return;
        }
        database.exec("PRAGMA application_id = " + std::to_string(kApplicationId));
        database.exec("PRAGMA user_version = " + std::to_string(kFormat));
        database.exec(kSchema);
    }

    std::int64_t addFile(std::int64_t import, const ImportedFile& file) {
        SQLite::Statement s(database,
                            "INSERT INTO file (import, name, format, title, hash, bytes, "
                            "published, observed) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
        s.bind(1, import);
        s.bind(2, file.name);
        s.bind(3, file.format);
        s.bind(4, file.title);
        s.bind(5, file.hash);
        s.bind(6, file.bytes);
        s.bind(7, file.published);
        s.bind(8, file.observed);
        s.exec();
        return database.getLastInsertRowid();
    }

    [[nodiscard]] bool hasFile(const std::string& hash) const {
        SQLite::Statement s(database, "SELECT 1 FROM file WHERE hash = ?");
        s.bind(1, hash);
        return s.executeStep();
    }

    void addPrices(const std::vector<ImportedPrice>& prices,
                   const std::vector<std::optional<std::int64_t>>& files, ImportResult& result) {
        SQLite::Statement s(
            database,
            "INSERT INTO price (unit_id, region, plan, provider, zone, observed, "
            "usd_per_hour, status, file, confidence, source, note, mean, p10, p90, window_from, "
            "window_to) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        for (const ImportedPrice& price : prices) {
            const std::optional<std::int64_t> file = files[price.file];
            if (!file) continue;
            s.reset();
            s.clearBindings();
            s.bind(1, price.unitId);
            s.bind(2, price.region);
            s.bind(3, price.plan);
            s.bind(4, price.provider);
            s.bind(5, price.zone);
            s.bind(6, price.observed);
            s.bind(7, price.usdPerHour);
            s.bind(8, price.status);
            s.bind(9, *file);
            s.bind(10, price.confidence);
            s.bind(11, price.source);
            s.bind(12, price.note);
            if (price.distribution) {
                s.bind(13, price.distribution->mean);
                s.bind(14, price.distribution->p10);
                s.bind(15, price.distribution->p90);
                s.bind(16, price.distribution->from);
                s.bind(17, price.distribution->to);
            }
            if (s.exec() > 0) {
                ++result.added;
            } else {
                ++result.known;
            }
        }
    }

    void addRest(const ImportBatch& batch, const std::vector<std::optional<std::int64_t>>& files) {
        SQLite::Statement fact(database,
                               "INSERT INTO fact (unit_id, key, value, observed, status, "
                               "file, note) VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        for (const ImportedFact& f : batch.facts) {
            if (!files[f.file]) continue;
            fact.reset();
            fact.bind(1, f.unitId);
            fact.bind(2, f.key);
            fact.bind(3, f.value);
            fact.bind(4, f.observed);
            fact.bind(5, std::string(name(f.status)));
            fact.bind(6, *files[f.file]);
            fact.bind(7, f.note);
            fact.exec();
        }
        SQLite::Statement offering(database,
                                   "INSERT INTO offering (unit_id, region, zone, "
                                   "observed, file) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        for (const ImportedOffering& o : batch.offerings) {
            if (!files[o.file]) continue;
            offering.reset();
            offering.bind(1, o.unitId);
            offering.bind(2, o.region);
            offering.bind(3, o.zone);
            offering.bind(4, o.observed);
            offering.bind(5, *files[o.file]);
            offering.exec();
        }
        SQLite::Statement sku(database,
                              "INSERT INTO sku (sku, file, unit_id, region, zone) "
                              "VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING");
        for (const ImportedSku& k : batch.skus) {
            if (!files[k.file]) continue;
            sku.reset();
            sku.bind(1, k.sku);
            sku.bind(2, *files[k.file]);
            sku.bind(3, k.unitId);
            sku.bind(4, k.region);
            sku.bind(5, k.zone);
            sku.exec();
        }
    }

    std::string path;
    SQLite::Database database;
};

Outcome<OverlayWriter> OverlayWriter::open(const std::string& path) {
    std::error_code error;
    const std::filesystem::path folder = std::filesystem::path(path).parent_path();
    if (!folder.empty() && !std::filesystem::exists(folder, error)) {
        std::filesystem::create_directories(folder, error);
        if (error) {
            return fileFinding(path, "the folder of the overlay can't be made: {1}",
                               {error.message()});
        }
    }
    if (std::filesystem::is_directory(path, error)) {
        return fileFinding(path, "this is a folder; an overlay is a file, as overlay.sqlite");
    }
    try {
        auto implementation = std::make_unique<Implementation>(
            path, openDatabase(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE));
        const Outcome<Kind> kind = kindOf(path, implementation->database);
        if (!kind) return kind.findings();
        // The whole of an import stays in memory until it is committed.
        implementation->database.exec("PRAGMA cache_size = -65536");
        return OverlayWriter(std::move(implementation));
    } catch (const SQLite::Exception& e) {
        return troubleWith(path, e);
    }
}

OverlayWriter::OverlayWriter(std::unique_ptr<Implementation> implementation)
    : implementation_(std::move(implementation)) {}
OverlayWriter::~OverlayWriter() = default;
OverlayWriter::OverlayWriter(OverlayWriter&&) noexcept = default;
OverlayWriter& OverlayWriter::operator=(OverlayWriter&&) noexcept = default;

Outcome<ImportResult> OverlayWriter::add(const ImportBatch& batch, const std::string& time) {
    Implementation& to = *implementation_;
    try {
        SQLite::Transaction transaction(to.database, SQLite::TransactionBehavior::IMMEDIATE);
        to.makeTablesIfNone();
        ImportResult result;
        result.time = time;
        const bool anyIsNew =
            std::any_of(batch.files.begin(), batch.files.end(),
                        [&](const ImportedFile& file) { return !to.hasFile(file.hash); });
        if (!anyIsNew) {
            return result;
        }
        SQLite::Statement import(to.database, "INSERT INTO import (imported) VALUES (?)");
        import.bind(1, time);
        import.exec();
        result.id = to.database.getLastInsertRowid();
        std::vector<std::optional<std::int64_t>> files;
        for (const ImportedFile& file : batch.files) {
            files.push_back(to.hasFile(file.hash) ? std::nullopt
                                                  : std::optional(to.addFile(result.id, file)));
        }
        to.addPrices(batch.prices, files, result);
        to.addRest(batch, files);
        transaction.commit();
        return result;
    } catch (const SQLite::Exception& e) {
        return troubleWith(to.path, e);
    }
}

Outcome<ImportRecord> OverlayWriter::forget(std::int64_t id) {
    Implementation& from = *implementation_;
    try {
        SQLite::Transaction transaction(from.database, SQLite::TransactionBehavior::IMMEDIATE);
        from.makeTablesIfNone();
        std::vector<ImportRecord> records = importsIn(from.database);
        for (ImportRecord& record : records) {
            if (record.id == id) {
                SQLite::Statement s(from.database, "DELETE FROM import WHERE id = ?");
                s.bind(1, id);
                s.exec();
                transaction.commit();
                return std::move(record);
            }
        }
        if (records.empty()) {
            return fileFinding(from.path, "there is no import {1}; nothing was imported yet",
                               {std::to_string(id)});
        }
        return fileFinding(from.path,
                           "there is no import {1}; `trainwright catalog imports` lists them",
                           {std::to_string(id)});
    } catch (const SQLite::Exception& e) {
        return troubleWith(from.path, e);
    }
}

}  // namespace trainwright::catalog
