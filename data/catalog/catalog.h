// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog: every chip, system, region, price, model and software profile, each figure with its source.
//
// The truth is rows/*.csv; a build step makes catalog.sqlite from them, which this class opens read-only.
// One figure is one row: (kind, id, key) has any number of rows, of which at most one is in use
// (adopted, or estimated where nothing better exists); the others are kept beside it as conflicting or
// superseded. The class turns rows into the engine's structs and says which figures it used.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

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
    std::string value;             ///< as in the row: a number in the key's unit, or text
    std::optional<double> number;
    std::string unit;
    Status status = Status::Adopted;
    Source source;
    std::string observed;          ///< date seen, ISO, may be a month or a year
    std::string confidence;        ///< high, medium, low
    std::string note;
};

struct Entry {
    std::string kind;   ///< chip, system, instance, region, model, profile, …
    std::string id;
    std::string name;
};

struct PriceRow {
    std::string provider, unitId, region, plan;
    double usdPerHour = 0;
    std::string observed, source, confidence, status;  ///< status: listed, suspect, superseded
};

/// Kinds in the order of `catalog list`.
[[nodiscard]] const std::vector<std::string>& kinds();

class Catalog {
public:
    /// Opens the shipped database; a missing, corrupt or newer file is a Finding.
    [[nodiscard]] static Outcome<Catalog> open(const std::string& path);
    ~Catalog();
    Catalog(Catalog&&) noexcept;
    Catalog& operator=(Catalog&&) noexcept;

    [[nodiscard]] std::vector<Entry> entries(const std::string& kind) const;
    /// Every row of an entry, the one in use first within each key.
    [[nodiscard]] std::vector<Figure> figures(const std::string& kind, const std::string& id) const;
    [[nodiscard]] std::optional<std::string> kindOf(const std::string& id) const;
    /// Ids of `kind` ("" for any) nearest to `id`, best first.
    [[nodiscard]] std::vector<std::string> nearest(const std::string& kind, const std::string& id) const;
    [[nodiscard]] std::vector<PriceRow> prices(const std::string& unitId, const std::string& region = "") const;
    /// Regions where the unit is offered, as far as the catalog knows.
    [[nodiscard]] std::vector<std::string> offeredIn(const std::string& unitId) const;

    [[nodiscard]] Outcome<workload::Architecture> architecture(const std::string& id) const;
    [[nodiscard]] Outcome<machine::SystemSpec> system(const std::string& id) const;
    [[nodiscard]] Outcome<layout::SoftwareProfile> profile(const std::string& id) const;
    /// The profile that a chip family runs under unless the scenario says otherwise.
    [[nodiscard]] std::string defaultProfile(const machine::SystemSpec& system) const;
    [[nodiscard]] Outcome<run::Region> region(const std::string& id) const;
    /// The price of `unitId` in `region` under `plan` ("" for the default plan); state None with the reason if there is none.
    [[nodiscard]] run::Price price(const std::string& unitId, const std::string& region, const std::string& plan) const;
    [[nodiscard]] run::Operations operations(const machine::SystemSpec& system) const;

    /// The figures in use of an entry (and, for a system, of its chip), for a report's appendix.
    [[nodiscard]] std::vector<search::FigureUse> used(const std::string& kind, const std::string& id) const;

    /// Foreign keys, units, totals that must agree, prices present or said to be absent, sources.
    [[nodiscard]] std::vector<Finding> check() const;

    [[nodiscard]] std::string version() const;  ///< date of the newest row
    [[nodiscard]] std::string hash() const;     ///< of the rows it was made from
    [[nodiscard]] std::string newestPriceDate() const;

private:
    struct Implementation;
    explicit Catalog(std::unique_ptr<Implementation> implementation);
    std::unique_ptr<Implementation> implementation_;
};

}  // namespace trainwright::catalog
