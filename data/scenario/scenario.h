// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files: read with places, checked in one go, resolved against the catalog, formatted.
//
// The keys, their quantities, bounds, defaults and meanings come from one registry (registry.h),
// which the reader, the JSON Schema, `new` and the help text are all made from. Reading never
// throws on bad input: every error of a file comes back as a Finding with line and column.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/search/plan.h"
#include "model/units/outcome.h"

namespace trainwright::scenario {

/// One value of the file, by its path ("candidates[0].system"): read, and where it stands.
struct Value {
    std::string text;       ///< as written, unquoted
    double number = 0;      ///< in base units; 1 or 0 for true and false
    bool isWord = false;    ///< a word such as auto or catalog stands instead of the quantity
    Place place;            ///< of the value
    std::size_t begin = 0;  ///< byte offsets of the value in the text, quotes included
    std::size_t end = 0;
};

/// What the scenario says of owned machines; an empty field takes the catalog's.
struct OwnChoices {
    std::optional<units::UsDollars> capitalPerAccelerator, capitalPerUnit;  ///< one at most
    std::optional<double> lifeYears, costOfCapital, residualShare, useShare, operationShare,
        usdPerKilowattHour;
    std::string because;
};

struct Purchase {
    std::string plan;  ///< "" for the catalog's default plan
    std::optional<units::UsDollarsPerSecond> perUnit;
    std::string because;
    bool dedicated = false;  ///< the run bears a whole term, or a whole life
    std::optional<OwnChoices> own;
    // Of one of several:
    long units = 0;                  ///< 0: what the others leave
    std::string region;              ///< "" for the candidate's
    std::optional<double> discount;  ///< none: the candidate's
};

/// So many accelerators in all from a day on.
struct ArrivalChoice {
    run::Date from;
    long count = 0;
};

struct Candidate {
    std::string name;
    std::string system;
    long accelerators = 0;
    std::string region;              ///< "" when not given
    Purchase purchase;               ///< the only one, or the first of `portions`
    std::vector<Purchase> portions;  ///< empty for one purchase
    double discount = 0;
    std::string software;  ///< "" for the default profile of the chip
    layout::LayoutChoice parallelism;
    std::vector<ArrivalChoice> arrivals;  ///< empty: all from the first day
};

/// What the scenario says of operations; an empty field takes the catalog's.
struct OperationChoices {
    std::optional<units::BytesPerSecond> checkpointStorage;
    std::optional<double> checkpointBytesPerParameter;
    std::optional<bool> asynchronousCheckpoints;
    std::optional<units::Seconds> asynchronousStall;
    std::optional<units::Seconds> memoryCheckpointStall;
    std::optional<double> memoryCheckpointCovers;
    std::optional<units::Seconds> plannedPauseEvery;
    std::optional<units::Seconds> plannedPause;
    std::optional<long> spareAccelerators;
    std::optional<units::Seconds> restartTime;
    std::optional<units::Seconds> meanTimeBetweenFailures;  ///< of one accelerator
    std::optional<units::Seconds> startup;
    std::optional<double> evaluationShare;
};

/// What the scenario says of storage; an empty field takes the catalog's.
struct StorageChoices {
    std::string service;
    std::optional<double> checkpointsKept;
    units::Bytes dataset, capacity, egress;
};

struct FigureOverride {
    std::string figure;  ///< "chip/trainium2/hbm_bytes"
    std::string value;   ///< as written
    std::string because;
};

/// A scenario as written: values parsed to base units, catalog ids not yet looked up. Made by
/// read(), which keeps the invariant: every value lies within the registry's bounds, required ones
/// are there, the batch is whole sequences, names of candidates differ.
struct Scenario {
    std::string file;
    int version = 1;
    std::string title;
    std::string modelId;  ///< "" when the architecture is written out
    std::optional<workload::Architecture> architecture;
    std::optional<run::Date> start;
    layout::TrainingSpec training;
    std::vector<Candidate> candidates;
    search::Constraints constraints;
    OperationChoices operations;
    StorageChoices storage;
    std::vector<FigureOverride> overrides;
    int samples = 0;
    std::uint32_t seed = 0;
    std::map<std::string, Value> values;  ///< all that is written, by path

    /// Where `path` is written; the file alone if it isn't.
    [[nodiscard]] Place placeOf(const std::string& path) const;
};

/// Parses and checks `text`; `file` names it in findings. Warnings accompany a value.
[[nodiscard]] Outcome<Scenario> read(const std::string& text, const std::string& file);

/// Whether a request notes the catalog figures that its results rest on, for the appendix of a
/// report; without them it is made in a fraction of the time.
enum class FigureNotes { Kept, LeftOut };

/// Only what `text` says under `overrides`: of a scenario, or of a file with nothing else.
[[nodiscard]] Outcome<Scenario> readOverrides(const std::string& text, const std::string& file);

/// The catalog with the scenario's overrides in place of its own figures.
[[nodiscard]] Outcome<catalog::Catalog> overriddenCatalog(const Scenario& scenario,
                                                          const catalog::Catalog& catalog);

/// A scenario and the request that it stands for.
struct Loaded {
    Scenario scenario;
    search::PlanRequest request;
};

/// read() and resolve() together: all errors of the file in one go, names that the catalog doesn't
/// know among them even where other values can't be read. Warnings accompany a value.
[[nodiscard]] Outcome<Loaded> load(const std::string& text, const std::string& file,
                                   const catalog::Catalog& catalog,
                                   FigureNotes notes = FigureNotes::Kept);

/// Reads the file: missing, unreadable, empty and oversized files are findings.
[[nodiscard]] Outcome<Scenario> readFile(const std::string& path);

/// Looks everything up and checks what needs the catalog; all errors in one go.
[[nodiscard]] Outcome<search::PlanRequest> resolve(const Scenario& scenario,
                                                   const catalog::Catalog& catalog,
                                                   FigureNotes notes = FigureNotes::Kept);

/// Models, systems, regions and software profiles that `scenario` names and the catalog doesn't
/// know.
[[nodiscard]] std::vector<Finding> unknownNames(const Scenario& scenario,
                                                const catalog::Catalog& catalog);

/// The JSON Schema (draft 2020-12) of scenario files, pretty-printed.
[[nodiscard]] std::string jsonSchema();

/// A commented starter scenario.
[[nodiscard]] std::string starter();

/// `text` in canonical layout (indentation, spacing, key order left alone, comments kept), or
/// findings.
[[nodiscard]] Outcome<std::string> format(const std::string& text, const std::string& file);

/// The scenario as the "scenario" object of plan JSON: every key, defaults filled in, unit-bearing
/// names.
[[nodiscard]] std::string toJson(const Scenario& scenario);

}  // namespace trainwright::scenario
