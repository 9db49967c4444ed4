// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own rows: a second database that is laid over the shipped catalog.
//
// It holds what was imported: prices with the zone, the day they were seen and the file they come
// from, figures of instances, where instances are offered, and the stock-keeping units of AWS's
// price list that Savings Plan files refer to. Every row belongs to one file of one import.
//
// Invariants: a price is finite and above zero; a file (by the hash of its bytes) is in it once;
// an import is there with all of its rows or not at all, whatever happens to the process or the
// machine while it is written. Rows are only added, and go with their import when it is forgotten:
// two prices of one key with different dates are both kept. It doesn't read files of other
// programs (data/import does) and doesn't judge what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

/// A file that rows come from.
struct ImportedFile {
    std::string name;    ///< without its folder
    std::string format;  ///< "AWS offer file (JSON)", …
    std::string title;   ///< what a price's source is called: format, region, publication date
    std::string hash;    ///< of its bytes
    std::int64_t bytes = 0;
    std::string published;  ///< as the file says itself; may be empty
    std::string observed;   ///< the date of its prices
};

struct ImportedPrice {
    std::size_t file = 0;  ///< which of the batch's files
    std::string provider, unitId, region, zone, plan;
    double usdPerHour = 0;
    std::string observed, confidence, status;  ///< status: listed or suspect
    std::string source;                        ///< as the row says itself; empty: the file's title
    std::string note;
    std::optional<PriceDistribution> distribution;
};

/// A figure of an instance as a file has it.
struct ImportedFact {
    std::size_t file = 0;
    std::string unitId, key, value;
    Status status = Status::Conflicting;  ///< adopted only where the catalog has no figure
    std::string observed, note;
};

/// Where an instance is offered. It need not be on sale there at any moment.
struct ImportedOffering {
    std::size_t file = 0;
    std::string unitId, region, zone, observed;
};

/// The SKU of on-demand Linux hours of an instance, which Savings Plan rates refer to.
struct ImportedSku {
    std::size_t file = 0;
    std::string sku, unitId, region, zone;
};

/// What is written in one transaction.
struct ImportBatch {
    std::vector<ImportedFile> files;
    std::vector<ImportedPrice> prices;
    std::vector<ImportedFact> facts;
    std::vector<ImportedOffering> offerings;
    std::vector<ImportedSku> skus;
};

/// How a written batch turned out.
struct ImportResult {
    std::int64_t id = 0;    ///< 0: nothing was new, and nothing was written
    std::string time;       ///< UTC
    std::size_t added = 0;  ///< prices
    std::size_t known = 0;  ///< prices that were there already, with the same date and value
};

/// An import, as `catalog imports` lists it.
struct ImportRecord {
    std::int64_t id = 0;
    std::string time;  ///< UTC
    std::vector<ImportedFile> files;
    std::size_t prices = 0, facts = 0, offerings = 0;
};

/// Whether the file at `path` is an overlay (rather than a catalog, or anything else).
[[nodiscard]] bool isOverlay(const std::string& path);

/// The rows of an overlay as they were at one moment, in memory: later imports don't show in it.
class Overlay {
public:
    /// One that is missing or has no bytes yet has no rows. Findings: no database, another
    /// program's, a damaged or a newer one, one that can't be read.
    [[nodiscard]] static Outcome<Overlay> read(const std::string& path);

    /// Of one unit, by region, plan and provider, and within these the one that speaks first;
    /// `source` is the file's title.
    [[nodiscard]] const std::vector<PriceRow>& prices(const std::string& unitId) const;
    /// Units with prices, sorted.
    [[nodiscard]] std::vector<std::string> units() const;
    /// Of an instance; `unit`, `type` and `meaning` are left empty.
    [[nodiscard]] std::vector<Figure> figures(const std::string& unitId) const;
    /// Regions where a unit is offered, sorted.
    [[nodiscard]] std::vector<std::string> offeredIn(const std::string& unitId) const;
    [[nodiscard]] const std::vector<ImportedSku>& skus() const { return skus_; }
    /// The latest last.
    [[nodiscard]] const std::vector<ImportRecord>& imports() const { return imports_; }
    /// The import that brought the file with this hash; null when none did.
    [[nodiscard]] const ImportRecord* importOf(const std::string& hash) const;

    [[nodiscard]] bool empty() const { return hash_.empty(); }
    /// Of what is said, whatever the order and the time of the imports; empty without rows.
    [[nodiscard]] const std::string& hash() const { return hash_; }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    std::string path_, hash_;
    std::map<std::string, std::vector<PriceRow>> prices_;
    std::map<std::string, std::vector<Figure>> figures_;
    std::map<std::string, std::vector<std::string>> offerings_;
    std::vector<ImportedSku> skus_;
    std::vector<ImportRecord> imports_;
};

/// The overlay at `path` with its database open for writing.
class OverlayWriter {
public:
    /// Makes it, and the folders above it, when there is none. Findings as of Overlay::read, and
    /// when it is write-protected.
    [[nodiscard]] static Outcome<OverlayWriter> open(const std::string& path);
    ~OverlayWriter();
    OverlayWriter(OverlayWriter&&) noexcept;
    OverlayWriter& operator=(OverlayWriter&&) noexcept;

    /// Writes `batch`, whole or not at all. Files that are in it already are left out with their
    /// rows. `time` is that of the import, UTC. Findings: another process is writing, no space.
    [[nodiscard]] Outcome<ImportResult> add(const ImportBatch& batch, const std::string& time);
    /// Takes an import away with all of its rows; an unknown one is a finding.
    [[nodiscard]] Outcome<ImportRecord> forget(std::int64_t id);

private:
    struct Implementation;
    explicit OverlayWriter(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace trainwright::catalog
