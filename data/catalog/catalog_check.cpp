// SPDX-License-Identifier: GPL-3.0-or-later
// Catalog::check: what constraints of the schema can't see, because it takes more than one row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"
#include "data/catalog/spec_reader.h"

namespace trainwright::catalog {
namespace {

/// Listings round ("22 GiB" for 22,888 MiB, 10.7 PF for 16 × 667 TF).
constexpr double kListingTolerance = 0.02;
/// Authors round the parameter counts they print.
constexpr double kPublishedTolerance = 0.005;
constexpr double kGibi = 1024.0 * 1024.0 * 1024.0;

bool near(double a, double b, double tolerance) {
    return std::abs(a - b) <= tolerance * std::max(std::abs(a), std::abs(b));
}

class Checker {
public:
    Checker(const Catalog& catalog, const Catalog::Implementation& implementation)
        : catalog_(catalog), implementation_(implementation) {}

    std::vector<Finding> run() {
        checkDatabase();
        checkChips();
        checkMachines("instance");
        checkMachines("system");
        checkModels();
        checkProfiles();
        checkPrices();
        return std::move(findings_);
    }

private:
    void say(Severity severity, std::string pattern, std::vector<Argument> arguments) {
        findings_.push_back(Finding{severity, Text{std::move(pattern), std::move(arguments)}, {}});
    }

    void take(const std::vector<Finding>& findings, Severity severity) {
        for (Finding finding : findings) {
            finding.severity = severity;
            findings_.push_back(std::move(finding));
        }
    }

    void checkDatabase() {
        for (const std::string& line : implementation_.strings("PRAGMA integrity_check", {})) {
            if (line != "ok") {
                say(Severity::Error, "the database is damaged: {1}", {line});
            }
        }
        for (const std::string& table : implementation_.strings("PRAGMA foreign_key_check", {})) {
            say(Severity::Error, "a row of {1} refers to one that does not exist", {table});
        }
        const std::vector<std::string> unsourced = implementation_.strings(
            "SELECT kind || ' ' || id || ' ' || key FROM figure WHERE source = '' OR source NOT IN "
            "(SELECT id FROM source)",
            {});
        for (const std::string& figure : unsourced) {
            say(Severity::Error, "{1} has no source", {figure});
        }
        const std::vector<std::string> idle = implementation_.strings(
            "SELECT id FROM source WHERE id NOT IN (SELECT source FROM figure) "
            "AND id NOT IN (SELECT source FROM price) ORDER BY id",
            {});
        for (const std::string& source : idle) {
            say(Severity::Note, "no row rests on the source {1}", {source});
        }
    }

    void checkChips() {
        for (const Entry& entry : catalog_.entries("chip")) {
            const FigureSet f = implementation_.figureSet("chip", entry.id);
            for (const char* dtype : {"fp32", "tf32", "bf16", "fp16", "fp8", "fp4"}) {
                const auto headline = f.number(fmt::format("peak_{}_flop_per_s", dtype));
                const auto engine = f.number(fmt::format("engine_peak_{}_flop_per_s", dtype));
                if (headline && engine && *engine > *headline * (1 + kListingTolerance)) {
                    say(Severity::Error,
                        "{1}: the matrix engine's {2} peak {3} is above the headline {4}",
                        {entry.id, dtype, fmt::format("{:g}", *engine),
                         fmt::format("{:g}", *headline)});
                }
            }
            const auto idle = f.number("idle_w");
            const auto tdp = f.number("tdp_w");
            if (idle && tdp && *idle >= *tdp) {
                say(Severity::Error, "{1}: idle power {2} W is not below {3} W",
                    {entry.id, fmt::format("{:g}", *idle), fmt::format("{:g}", *tdp)});
            }
            if (const auto chip = chipFromFigures(entry, f); !chip) {
                take(chip.findings(), Severity::Note);
            }
        }
    }

    void agree(const std::string& id, const char* key, std::optional<double> listed,
               double computed, double tolerance) {
        if (listed && computed > 0 && !near(*listed, computed, tolerance)) {
            say(Severity::Error, "{1}: {2} is {3}, but its parts add up to {4}",
                {id, key, fmt::format("{:.6g}", *listed), fmt::format("{:.6g}", computed)});
        }
    }

    void checkTotals(const std::string& id, const FigureSet& own, const FigureSet& all,
                     const FigureSet& chip) {
        const double chips = all.numberOr("chips_per_unit", 0);
        const double hbm = chip.numberOr("hbm_bytes", 0);
        const auto memory = own.number("accelerator_memory_bytes");
        // Some list GB and mean GiB.
        if (memory && !near(*memory * kGibi / 1e9, chips * hbm, kListingTolerance)) {
            agree(id, "accelerator_memory_bytes", memory, chips * hbm, kListingTolerance);
        }
        agree(id, "listed_hbm_bandwidth_bytes_per_s",
              own.number("listed_hbm_bandwidth_bytes_per_s"),
              chips * chip.numberOr("hbm_bandwidth_bytes_per_s", 0), kListingTolerance);
        for (const char* dtype : {"bf16", "fp8", "fp4", "fp32"}) {
            const std::string key = fmt::format("listed_peak_{}_flop_per_s", dtype);
            agree(id, key.c_str(), own.number(key),
                  chips * chip.numberOr(fmt::format("peak_{}_flop_per_s", dtype), 0),
                  kListingTolerance);
        }
        const double hosts = chips / std::max(1.0, all.numberOr("chips_per_host", 1));
        agree(
            id, "network_bandwidth_bytes_per_s", own.number("network_bandwidth_bytes_per_s"),
            hosts * all.numberOr("nics_per_host", 0) * all.numberOr("nic_bandwidth_bytes_per_s", 0),
            kListingTolerance);
        agree(id, "chips_per_domain", all.number("chips_per_domain"),
              all.numberOr("chips_per_host", 0) * all.numberOr("hosts_per_domain", 0), 0);
        if (const auto dims = dimensionsFromText(all.text("fabric_dims"))) {
            const double product =
                std::accumulate(dims->begin(), dims->end(), 1.0, std::multiplies<>());
            agree(id, "chips_per_domain", all.number("chips_per_domain"), product, 0);
        }
    }

    void checkMachines(const std::string& kind) {
        for (const Entry& entry : catalog_.entries(kind)) {
            const FigureSet own = implementation_.figureSet(kind, entry.id);
            FigureSet all = own;
            if (const std::string unit = own.text("unit"); !unit.empty()) {
                all.addFallback(implementation_.figures("instance", unit));
            }
            checkTotals(entry.id, own, all, implementation_.figureSet("chip", all.text("chip")));
            const std::string chip = all.text("chip");
            const bool chipIsKnown =
                chipFromFigures(Entry{"chip", chip, {}}, implementation_.figureSet("chip", chip))
                    .ok();
            if (const auto system = catalog_.system(entry.id); !system && chipIsKnown) {
                take(system.findings(), Severity::Error);
            }
        }
    }

    void checkModels() {
        for (const Entry& entry : catalog_.entries("model")) {
            const auto architecture = catalog_.architecture(entry.id);
            if (!architecture) {
                take(architecture.findings(), Severity::Error);
                continue;
            }
            take(workload::validate(*architecture), Severity::Error);
            const FigureSet f = implementation_.figureSet("model", entry.id);
            const double counted = workload::countParameters(*architecture).total;
            agree(entry.id, "parameters_counted", f.number("parameters_counted"), counted, 0);
            const Figure* published = f.find("parameters_total_published");
            if (published != nullptr && published->note.empty() &&
                !near(published->number.value_or(0), counted, kPublishedTolerance)) {
                say(Severity::Warning,
                    "{1}: {2} parameters are published and {3} counted from the shape; the row "
                    "does not say why",
                    {entry.id, fmt::format("{:.6g}", published->number.value_or(0)),
                     fmt::format("{:.6g}", counted)});
            }
        }
    }

    void checkProfiles() {
        for (const Entry& entry : catalog_.entries("profile")) {
            if (const auto profile = catalog_.profile(entry.id); !profile) {
                take(profile.findings(), Severity::Error);
            }
        }
    }

    void checkPrices() {
        for (const Entry& entry : catalog_.entries("instance")) {
            const FigureSet f = implementation_.figureSet("instance", entry.id);
            if (!f.flag("rentable")) {
                continue;
            }
            std::vector<std::string> ids = implementation_.aliasesOf(entry.id);
            ids.push_back(entry.id);
            const bool priced = std::any_of(ids.begin(), ids.end(), [&](const std::string& id) {
                const std::vector<PriceRow> rows = catalog_.prices(id);
                return std::any_of(rows.begin(), rows.end(),
                                   [](const PriceRow& r) { return r.status == "listed"; });
            });
            if (!priced) {
                say(Severity::Note, "no public price for {1}", {entry.id});
            }
        }
        const std::vector<std::string> nowhere = implementation_.strings(
            "SELECT DISTINCT region FROM price WHERE region NOT IN "
            "(SELECT id FROM entry WHERE kind = 'region') ORDER BY region",
            {});
        for (const std::string& region : nowhere) {
            say(Severity::Warning, "prices name the region {1}, which has no row", {region});
        }
    }

    const Catalog& catalog_;
    const Catalog::Implementation& implementation_;
    std::vector<Finding> findings_;
};

}  // namespace

std::vector<Finding> Catalog::check() const {
    return Checker(*this, *implementation_).run();
}

}  // namespace trainwright::catalog
