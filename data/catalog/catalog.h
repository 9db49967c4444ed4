// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog: every chip, system, region, price, model and software profile, each figure with its
// source.
//
// The truth is rows/*.csv; a build step makes catalog.sqlite from them, which this class opens
// read-only. One figure is one row: (kind, id, key) has any number of rows, of which at most one is
// in use (adopted, or estimated where nothing better exists); the others are kept beside it as
// conflicting or superseded. The class turns rows into the engine's structs and says which figures
// it used. Rows are read when they are asked for, and kept; opening costs a millisecond. An object
// is used by one thread at a time. A database that is damaged further in throws SQLite::Exception
// when that part is read.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/catalog/csv_rows.h"
#include "model/belief/bands.h"
#include "model/search/plan.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

enum class Status { Adopted, Estimated, Conflicting, Superseded, Rejected };
[[nodiscard]] const char* name(Status s);

struct Source {
    std::string id, title, url, repository, path;
};

struct Figure {
    std::string kind, id, key;
    std::string value;  ///< as in the row: a number in the key's unit, or text
    std::optional<double> number;
    std::string unit;
    std::string type;     ///< number, text, flag (0 or 1) or reference (the id of an entry)
    std::string meaning;  ///< of the key, in words
    Status status = Status::Adopted;
    bool overridden = false;  ///< the value is a scenario's; the row that it replaces follows it
    Source source;
    std::string observed;    ///< date seen, ISO, may be a month or a year
    std::string confidence;  ///< high, medium, low
    std::string note;
};

/// The figure as results cite it.
[[nodiscard]] search::FigureUse useOf(const Figure& figure);

/// A figure that a scenario takes otherwise than the catalog does.
struct Override {
    std::string kind, id, key;
    std::string value;    ///< as in a row: a number in the key's unit, or text
    std::string because;  ///< becomes the note of the figure
};

struct Entry {
    std::string kind;  ///< chip, system, instance, region, model, profile, …
    std::string id;
    std::string name;
};

/// What a history of prices says, in USD an hour; shares are of the time of the window.
struct PriceDistribution {
    double mean = 0, p10 = 0, p90 = 0;
    std::string from, to;  ///< the window, ISO dates
};

struct PriceRow {
    std::string provider, unitId, region, plan;
    double usdPerHour = 0;
    std::string observed, source, confidence, status;  ///< status: listed, suspect, superseded
    std::string zone;  ///< within the region; empty: the whole of it
    std::string note;
    std::string published;  ///< date of the imported file, as it says itself
    std::string imported;   ///< UTC time of the import, "2026-12-02T09:15:00Z"; empty: shipped
    std::optional<PriceDistribution> distribution;  ///< usdPerHour is its mean
};

/// What prices are kept for: an instance, or the name under which somebody else sells one.
struct PricedUnit {
    std::string id;
    std::string provider;  ///< several are separated by semicolons
    std::string chip;      ///< empty where no row describes it
    double chips = 0;      ///< 0: not known
};

/// Whether `a` speaks for its (provider, unit, region, plan) rather than `b`: listed before
/// anything else, then the newer observation, then the imported one, then the later import, then
/// the cheaper zone.
[[nodiscard]] bool speaksBefore(const PriceRow& a, const PriceRow& b);

/// A price that is taken otherwise than the catalog has it.
struct PriceOverride {
    std::string unitId, region, plan;
    std::optional<double> usdPerHour;  ///< none: no price is listed
    std::string observed;
};

/// How many vCPUs of a group of instances an account may run before it asks for more.
struct Quota {
    std::string entry;  ///< of kind "operation"
    std::string name, code;
    std::optional<double> onDemandVcpus, spotVcpus;
    std::optional<double> otherOnDemandVcpus;  ///< of a source that disagrees
    std::string source;
};

/// One thing to look up or to compute for a claim, as its row has it (README.md).
struct ClaimCheck {
    std::string role;        ///< decides, condition or context
    std::string kind;        ///< figure, date, fit, compare, …
    std::string subject;     ///< what is looked at, in words
    std::string parameters;  ///< "key=value; key=value"
    std::string relation;    ///< equals, at_least, at_most, reaches, holds or none
    std::string claimed;     ///< a number in `unit`, or a date; empty where nothing is compared
    std::string unit;
    double tolerance = 0;  ///< relative deviation that still counts as the same
    double margin = 0;     ///< and that still counts as rounded
    std::string remark;    ///< said where the check isn't met; {1} found, {2} claimed, …
};

/// What somebody has said, and how it is checked. No verdict is in the catalog.
struct Claim {
    std::string id, statement, saidBy;
    Source source;
    std::string observed, note;
    std::vector<ClaimCheck> checks;
};

/// Kinds in the order of `catalog list`.
[[nodiscard]] const std::vector<std::string>& kinds();

class Overlay;

class Catalog {
public:
    /// Opens the shipped database and lays the overlay (overlay.h) at `overlay` over it; "" is
    /// none, and one that isn't there yet is empty. A missing, corrupt or newer catalog, and a
    /// corrupt or newer overlay, is a Finding.
    [[nodiscard]] static Outcome<Catalog> open(const std::string& path,
                                               const std::string& overlay = {});
    ~Catalog();
    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;

    /// The same catalog with `overrides` in place of its own figures, everywhere: in the structs,
    /// in figures() and in used(), which gives them the status "override". Unknown kinds, ids and
    /// keys (the nearest are named) and values of the wrong type are findings; their place.key is
    /// the index of the override in decimal.
    [[nodiscard]] Outcome<Catalog> withOverrides(const std::vector<Override>& overrides) const;

    /// The same catalog with these prices in place of all rows of the same unit, region and plan.
    [[nodiscard]] Catalog withPrices(const std::vector<PriceOverride>& prices) const;

    [[nodiscard]] std::vector<Entry> entries(const std::string& kind) const;
    /// Every row of an entry, the one in use first within each key.
    [[nodiscard]] std::vector<Figure> figures(const std::string& kind, const std::string& id) const;
    [[nodiscard]] bool has(const std::string& kind, const std::string& id) const;
    [[nodiscard]] std::optional<std::string> kindOf(const std::string& id) const;
    /// Up to three ids of `kind` ("" for any) nearest to `id`, best first; case and separators
    /// don't count. Of "system" and "instance", whatever system() takes: instances, clusters, and
    /// names of other sellers.
    [[nodiscard]] std::vector<std::string> nearest(const std::string& kind,
                                                   const std::string& id) const;
    /// Of every region, or of the one given; by region, plan and provider, and within these the one
    /// that speaks first.
    [[nodiscard]] std::vector<PriceRow> prices(const std::string& unitId,
                                               const std::string& region = "") const;
    /// Regions where the unit is offered, as far as the catalog knows.
    [[nodiscard]] std::vector<std::string> offeredIn(const std::string& unitId) const;

    [[nodiscard]] Outcome<workload::Architecture> architecture(const std::string& id) const;
    /// An instance, a cluster (what it doesn't say itself is that of the machine it is made of), or
    /// another seller's name of an instance. A system whose chip has no figures for the engine is a
    /// finding.
    [[nodiscard]] Outcome<machine::SystemSpec> system(const std::string& id) const;
    [[nodiscard]] Outcome<layout::SoftwareProfile> profile(const std::string& id) const;
    /// The profile that a chip family runs under unless the scenario says otherwise.
    [[nodiscard]] std::string defaultProfile(const machine::SystemSpec& system) const;
    [[nodiscard]] Outcome<run::Region> region(const std::string& id) const;
    /// The price of `unitId` in `region` under `plan` ("" for the default plan); state None with
    /// the reason if there is none.
    [[nodiscard]] run::Price price(const std::string& unitId, const std::string& region,
                                   const std::string& plan) const;
    /// Gives `price` of a unit the rules of its plan: terms, whole days, limits, reclaims.
    void addTerms(run::Price& price, const std::string& unitId) const;
    /// The entry of kind "operation" with how often spot units of this kind are taken back.
    [[nodiscard]] std::string spotEntry(const std::string& unitId) const;
    /// Prices of keeping bytes under `service` ("s3_standard"; "" for the default) and of sending
    /// them out of `region`, with the number of checkpoints that is kept by default. Another
    /// region's price stands in where the region has none, and `reason` says so.
    [[nodiscard]] run::Storage storage(const std::string& service, const std::string& region) const;
    /// The items that storage() knows, sorted.
    [[nodiscard]] std::vector<std::string> storageServices() const;
    /// The entries of kind "storage" behind storage().
    [[nodiscard]] std::vector<std::string> storageEntries(const std::string& service,
                                                          const std::string& region) const;
    /// What owning the system's units would come to; electricity of `region` ("" for none).
    [[nodiscard]] run::Ownership ownership(const machine::SystemSpec& system,
                                           const std::string& region) const;
    /// What a new account of the provider may run of the unit; std::nullopt where nothing is known.
    [[nodiscard]] std::optional<Quota> quota(const machine::SystemSpec& system) const;
    [[nodiscard]] run::Operations operations(const machine::SystemSpec& system) const;
    /// How unsure operations(), `price` and the draw of the accelerators are. A figure without a
    /// published range, and one that a scenario overrides, is taken as exact.
    [[nodiscard]] belief::Spread spread(const machine::SystemSpec& system,
                                        const run::Price& price) const;

    /// Published runs as rows of their file (run_columns.h); import::readRuns makes sense of them.
    [[nodiscard]] CsvTable runs() const;
    /// The factors that published runs put on figures; null where the catalog has none. Figures
    /// and structs of this class are without them.
    [[nodiscard]] const std::shared_ptr<const belief::Calibration>& calibration() const;
    /// Another one from now on, or none (null).
    void useCalibration(std::shared_ptr<const belief::Calibration> calibration);
    /// Public claims with their checks, in the order of the rows.
    [[nodiscard]] std::vector<Claim> claims() const;
    /// What this catalog takes otherwise than its rows.
    [[nodiscard]] const std::vector<Override>& overrides() const;

    /// The figures in use of an entry (and, for a system, of its chip), for a report's appendix.
    [[nodiscard]] std::vector<search::FigureUse> used(const std::string& kind,
                                                      const std::string& id) const;

    /// Foreign keys, units, totals that must agree, prices present or said to be absent, sources.
    [[nodiscard]] std::vector<Finding> check() const;

    /// Everything that may have a price, sorted by id.
    [[nodiscard]] std::vector<PricedUnit> pricedUnits() const;
    /// Every price: shipped and imported, by unit, region, plan and provider, the one that speaks
    /// first within each.
    [[nodiscard]] std::vector<PriceRow> allPrices() const;
    /// What was imported; without rows when nothing was.
    [[nodiscard]] const Overlay& overlay() const;

    [[nodiscard]] std::string version() const;  ///< date of the newest row
    [[nodiscard]] std::string hash() const;     ///< of the rows it was made from, imported ones too
    [[nodiscard]] std::string newestPriceDate() const;

    struct Implementation;  ///< of data/catalog alone

private:
    explicit Catalog(std::unique_ptr<Implementation> implementation);
    [[nodiscard]] Outcome<machine::SystemSpec> readSystem(const std::string& id) const;
    [[nodiscard]] Outcome<layout::SoftwareProfile> readProfile(const std::string& id) const;
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace trainwright::catalog
