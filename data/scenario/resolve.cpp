// SPDX-License-Identifier: GPL-3.0-or-later
// From names to figures: every id of a scenario is looked up, and what a candidate's result rests
// on is noted.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>

#include "data/scenario/scenario.h"
#include "model/units/text_quantity.h"

namespace trainwright::scenario {

namespace {

using catalog::Catalog;
using units::groupedNumber;
using units::QuantityKind;

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

std::string grouped(long n) {
    return groupedNumber(static_cast<double>(n));
}

/// What a catalog unit is written in; nullopt for one that has no spelling of its own.
std::optional<QuantityKind> quantityOfUnit(const std::string& unit) {
    if (unit == "bytes") return QuantityKind::DataSize;
    if (unit == "bytes_per_second") return QuantityKind::DataRate;
    if (unit == "flop_per_second") return QuantityKind::ComputeRate;
    if (unit == "seconds") return QuantityKind::Duration;
    if (unit == "watts") return QuantityKind::Power;
    if (unit == "fraction") return QuantityKind::Share;
    if (unit == "tokens") return QuantityKind::Tokens;
    return std::nullopt;
}

class Resolver {
public:
    Resolver(const Scenario& scenario, const Catalog& catalog,
             FigureNotes notes = FigureNotes::LeftOut)
        : s_(scenario), catalog_(catalog), notes_(notes) {}

    Outcome<search::PlanRequest> resolve() {
        std::optional<Catalog> changed;
        if (!s_.overrides.empty()) changed = overridden();
        const Catalog& figures = changed ? *changed : catalog_;
        request_.title = title();
        request_.training = s_.training;
        request_.start = s_.start;
        request_.constraints = s_.constraints;
        request_.sampling = {s_.samples, s_.seed};
        model(figures);
        for (std::size_t i = 0; i < s_.candidates.size(); ++i) candidate(figures, i);
        std::stable_sort(errors_.begin(), errors_.end(), [](const Finding& a, const Finding& b) {
            return std::pair(a.place.line, a.place.column) <
                   std::pair(b.place.line, b.place.column);
        });
        if (!errors_.empty()) return errors_;
        std::vector<Finding> warnings = request_.notes;
        for (const search::CandidateRequest& c : request_.candidates) {
            warnings.insert(warnings.end(), c.notes.begin(), c.notes.end());
        }
        return {std::move(request_), std::move(warnings)};
    }

    std::vector<Finding> names() {
        if (!s_.architecture && !s_.modelId.empty()) modelExists(catalog_);
        for (std::size_t i = 0; i < s_.candidates.size(); ++i) {
            const Candidate& c = s_.candidates[i];
            const std::string path = "candidates[" + std::to_string(i) + "]";
            if (!c.system.empty()) systemExists(catalog_, c, path);
            if (!c.region.empty()) regionExists(catalog_, c, path);
            profileExists(catalog_, c, path);
        }
        return std::move(errors_);
    }

    Outcome<Catalog> overriddenCatalog() {
        std::optional<Catalog> changed = overridden();
        if (!changed || !errors_.empty()) return std::move(errors_);
        return std::move(*changed);
    }

private:
    void error(const std::string& path, std::string pattern, std::vector<Argument> arguments) {
        errors_.push_back(
            {Severity::Error, Text{std::move(pattern), std::move(arguments)}, s_.placeOf(path)});
    }

    void warn(std::vector<Finding>& notes, const std::string& path, std::string pattern,
              std::vector<Argument> arguments) {
        notes.push_back(
            {Severity::Warning, Text{std::move(pattern), std::move(arguments)}, s_.placeOf(path)});
    }

    /// Findings of the catalog about what `path` names.
    void takeOver(const std::string& path, const std::vector<Finding>& findings) {
        for (Finding f : findings) {
            f.place = s_.placeOf(path);
            errors_.push_back(std::move(f));
        }
    }

    /// An id that the catalog doesn't know.
    void unknown(const std::string& path, const std::string& id,
                 const std::vector<std::string>& near, const char* withNearest,
                 const char* without) {
        if (near.empty()) {
            error(path, without, {id});
        } else {
            error(path, withNearest, {id, joined(near)});
        }
    }

    [[nodiscard]] std::string title() const {
        if (!s_.title.empty()) return s_.title;
        return std::filesystem::path(s_.file).stem().string();
    }

    std::optional<Catalog> overridden() {
        std::vector<catalog::Override> all;
        std::vector<std::string> paths;
        for (std::size_t i = 0; i < s_.overrides.size(); ++i) {
            const FigureOverride& o = s_.overrides[i];
            const std::string path = "overrides[" + std::to_string(i) + "]";
            const std::size_t first = o.figure.find('/');
            const std::size_t last = o.figure.rfind('/');
            if (first == std::string::npos || first == last) {
                error(path + ".figure",
                      "`{1}` doesn't name a figure. Write kind/id/key, as in "
                      "`chip/trainium2/hbm_bytes`.",
                      {o.figure});
                continue;
            }
            catalog::Override figure{o.figure.substr(0, first),
                                     o.figure.substr(first + 1, last - first - 1),
                                     o.figure.substr(last + 1), o.value, o.because};
            if (!inRowUnits(figure, path + ".value")) continue;
            all.push_back(std::move(figure));
            paths.push_back(path);
        }
        Outcome<Catalog> changed = catalog_.withOverrides(all);
        if (changed) return std::move(changed).value();
        for (Finding f : changed.findings()) {
            const std::size_t index = static_cast<std::size_t>(std::stoul(f.place.key));
            f.place = s_.placeOf(paths[index] + ".figure");
            errors_.push_back(std::move(f));
        }
        return std::nullopt;
    }

    /// Turns "2.9 TB/s" into the number that a row would hold; false when it can't be.
    bool inRowUnits(catalog::Override& o, const std::string& path) {
        for (const catalog::Figure& f : catalog_.figures(o.kind, o.id)) {
            if (f.key != o.key) continue;
            if (f.type == "flag" && (o.value == "true" || o.value == "false")) {
                o.value = o.value == "true" ? "1" : "0";
            } else if (f.type == "number") {
                const QuantityKind kind = quantityOfUnit(f.unit).value_or(QuantityKind::Number);
                Outcome<double> value =
                    units::readQuantity(kind, o.value, units::BareNumber::Allowed);
                if (!value) {
                    takeOver(path, value.findings());
                    return false;
                }
                o.value = units::plainNumber(*value);
            }
            return true;
        }
        return true;  // an unknown figure is the catalog's to say
    }

    void model(const Catalog& catalog) {
        if (s_.architecture) {
            request_.architecture = *s_.architecture;
            expertKeys();
            return;
        }
        if (!modelExists(catalog)) return;
        Outcome<workload::Architecture> architecture = catalog.architecture(s_.modelId);
        if (!architecture) return takeOver("model", architecture.findings());
        request_.architecture = *architecture;
        request_.figures = used(catalog, "model", s_.modelId);
        expertKeys();
        for (const catalog::Figure& f : catalog.figures("model", s_.modelId)) {
            if (f.key != "towers_left_out") continue;
            request_.notes.push_back(
                {Severity::Note,
                 {"{1} comes with towers ({2}) that are not modelled: parameters, work and memory "
                  "are those of its text model.",
                  {s_.modelId, f.value}},
                 s_.placeOf("model")});
        }
        if (request_.architecture.nativeContext > 0 &&
            s_.training.sequenceLength > request_.architecture.nativeContext) {
            warn(request_.notes, "training.sequence_length",
                 "Sequences of {1} are longer than the {2} that {3} is made for.",
                 {grouped(s_.training.sequenceLength), grouped(request_.architecture.nativeContext),
                  s_.modelId});
        }
    }

    /// What a scenario says of experts needs a model that has them.
    void expertKeys() {
        if (request_.architecture.moe) return;
        for (const char* key : {"expert_load_imbalance", "expert_capacity_factor"}) {
            const auto found = s_.values.find(std::string("training.") + key);
            if (found == s_.values.end() || found->second.isWord) continue;
            warn(request_.notes, found->first, "`{1}` has no effect: {2} has no experts.",
                 {key, request_.architecture.id});
        }
    }

    // The catalog's own lists say whether an id is one; its findings are about figures that lack.
    bool modelExists(const Catalog& catalog) {
        if (!catalog.has("model", s_.modelId)) {
            const std::optional<std::string> other = catalog.kindOf(s_.modelId);
            if (other) {
                error("model", "`{1}` is a {2} of the catalog, not a model.", {s_.modelId, *other});
                return false;
            }
            unknown(
                "model", s_.modelId, catalog.nearest("model", s_.modelId),
                "The catalog has no model `{1}`. Nearest: {2}.",
                "The catalog has no model `{1}`; `trainwright catalog list model` shows them all.");
            return false;
        }
        return true;
    }

    /// The figures in use of an entry, where they are noted at all.
    [[nodiscard]] std::vector<search::FigureUse> used(const Catalog& catalog,
                                                      const std::string& kind,
                                                      const std::string& id) const {
        return notes_ == FigureNotes::Kept ? catalog.used(kind, id)
                                           : std::vector<search::FigureUse>();
    }

    void candidate(const Catalog& catalog, std::size_t index) {
        const Candidate& c = s_.candidates[index];
        const std::string path = "candidates[" + std::to_string(index) + "]";
        search::CandidateRequest r;
        r.name = c.name;
        r.chips = c.accelerators;
        r.layout = c.parallelism;

        Outcome<machine::SystemSpec> system = catalog.system(c.system);
        if (!system && systemExists(catalog, c, path))
            takeOver(path + ".system", system.findings());
        std::optional<run::Region> region = regionOf(catalog, c, path, r.notes);
        if (!system) {
            profileExists(catalog, c, path);
            return;
        }
        r.system = machine::placedOn(*system, r.chips);
        r.region = region;
        wholeUnits(r, path);
        use(r, used(catalog, catalog.kindOf(c.system).value_or("instance"), c.system));

        const std::string profileId =
            c.software.empty() ? catalog.defaultProfile(r.system) : c.software;
        if (profileExists(catalog, c, path)) {
            Outcome<layout::SoftwareProfile> profile = catalog.profile(profileId);
            if (profile) {
                r.profile = *profile;
                use(r, used(catalog, "profile", profileId));
                precision(r, path);
                scaling(r);
                batch(r, path);
            } else if (c.software.empty()) {
                error(path + ".system",
                      "The catalog names no software profile for {1}. Give one as `software`.",
                      {r.system.chip.name});
            } else {
                takeOver(path + ".software", profile.findings());
            }
        }
        if (region) use(r, used(catalog, "region", region->id));
        price(catalog, c, path, r);
        operations(catalog, r);
        arrivals(c, r, path);
        bands(catalog, r);
        calibrate(catalog, r);
        request_.candidates.push_back(std::move(r));
    }

    void arrivals(const Candidate& c, search::CandidateRequest& r, const std::string& path) {
        for (std::size_t i = 0; i < c.arrivals.size(); ++i) {
            const ArrivalChoice& a = c.arrivals[i];
            const long unit = std::max(1, r.system.chipsPerUnit);
            if (a.count % unit != 0) {
                error(path + ".arrivals[" + std::to_string(i) + "].count",
                      "{1} accelerators are no whole number of {2}, which has {3}.",
                      {grouped(a.count), r.system.id, grouped(unit)});
            }
            const double from =
                static_cast<double>(run::daysSinceEpoch(a.from) - run::daysSinceEpoch(*s_.start));
            if (i + 1 < c.arrivals.size()) {
                r.arrivals.push_back({from, a.count, 0, 0, 0});
            } else {
                r.completeFromDays = from;
            }
        }
    }

    /// Puts the factors of the calibration on the candidate's figures.
    void calibrate(const Catalog& catalog, search::CandidateRequest& r) {
        const std::shared_ptr<const belief::Calibration>& calibration = catalog.calibration();
        if (!calibration) return;
        request_.calibration = calibration;
        if (notes_ == FigureNotes::Kept) {
            std::string runs;
            for (const belief::RunSet& set : calibration->runSets)
                runs += (runs.empty() ? "" : "; ") + set.title;
            std::vector<search::FigureUse> factors;
            for (std::size_t i : belief::factorsOf(*calibration, r.system.chip, r.profile)) {
                const belief::Factor& f = calibration->factors[i];
                search::FigureUse use;
                use.kind = "calibration";
                use.id = f.subject;
                use.key = belief::name(f.physics);
                use.value = units::fixedNumber(std::exp(f.logFactor), 3);
                use.unit = "ratio";
                use.source = runs;
                use.observed = calibration->date;
                use.status = "estimated";
                use.note = "fitted to " + std::to_string(f.rows) + " runs, standard error " +
                           units::fixedNumber(100 * f.standardError, 1) + "%";
                factors.push_back(std::move(use));
            }
            use(r, factors);
        }
        belief::apply(*calibration, r.system, r.profile);
    }

    bool systemExists(const Catalog& catalog, const Candidate& c, const std::string& path) {
        if (catalog.has("instance", c.system) || catalog.has("system", c.system) ||
            catalog.system(c.system)) {
            return true;
        }
        if (catalog.has("chip", c.system)) {
            unknown(path + ".system", c.system, systemsWith(catalog, c.system),
                    "`{1}` is a chip; a candidate is made of a system that has it, such as {2}.",
                    "`{1}` is a chip; the catalog has no system with it.");
        } else {
            unknown(path + ".system", c.system, catalog.nearest("system", c.system),
                    "The catalog has no system `{1}`. Nearest: {2}.",
                    "The catalog has no system `{1}`; `trainwright catalog list instance` shows "
                    "them all.");
        }
        return false;
    }

    bool regionExists(const Catalog& catalog, const Candidate& c, const std::string& path) {
        if (catalog.has("region", c.region)) return true;
        unknown(
            path + ".region", c.region, catalog.nearest("region", c.region),
            "The catalog has no region `{1}`. Nearest: {2}.",
            "The catalog has no region `{1}`; `trainwright catalog list region` shows them all.");
        return false;
    }

    [[nodiscard]] std::vector<std::string> systemsWith(const Catalog& catalog,
                                                       const std::string& chip) const {
        std::vector<std::string> out;
        for (const catalog::Entry& e : catalog.entries("instance")) {
            for (const catalog::Figure& f : catalog.figures("instance", e.id)) {
                if (f.key == "chip" && f.value == chip && out.size() < 3) {
                    out.push_back(e.id);
                    break;
                }
            }
        }
        return out;
    }

    void use(search::CandidateRequest& r, const std::vector<search::FigureUse>& figures) const {
        if (notes_ == FigureNotes::LeftOut) return;
        for (const search::FigureUse& f : figures) {
            if (std::find(r.figures.begin(), r.figures.end(), f) == r.figures.end())
                r.figures.push_back(f);
        }
    }

    bool profileExists(const Catalog& catalog, const Candidate& c, const std::string& path) {
        if (c.software.empty() || catalog.has("profile", c.software)) return true;
        unknown(path + ".software", c.software, catalog.nearest("profile", c.software),
                "The catalog has no software profile `{1}`. Nearest: {2}.",
                "The catalog has no software profile `{1}`; `trainwright catalog list profile` "
                "shows them all.");
        return false;
    }

    std::optional<run::Region> regionOf(const Catalog& catalog, const Candidate& c,
                                        const std::string& path, std::vector<Finding>& notes) {
        if (c.region.empty()) {
            warn(notes, path,
                 "`{1}` has no region: what a region decides (its price, cooling and grid) is not "
                 "known.",
                 {c.name});
            return std::nullopt;
        }
        if (!regionExists(catalog, c, path)) return std::nullopt;
        Outcome<run::Region> region = catalog.region(c.region);
        if (!region) {
            takeOver(path + ".region", region.findings());
            return std::nullopt;
        }
        const std::vector<std::string> offered = catalog.offeredIn(c.system);
        if (!offered.empty() &&
            std::find(offered.begin(), offered.end(), c.region) == offered.end()) {
            warn(notes, path + ".region",
                 "The catalog doesn't know {1} to be offered in {2}; it knows {3}.",
                 {c.system, c.region, joined(offered)});
        }
        return *region;
    }

    void wholeUnits(search::CandidateRequest& r, const std::string& path) {
        const long size = r.system.chipsPerUnit;
        if (size > 0 && r.chips % size != 0) {
            const std::string units =
                groupedNumber(static_cast<double>(r.chips) / static_cast<double>(size), 2);
            const long below = r.chips / size * size;
            if (below == 0) {
                error(path + ".accelerators",
                      "{1} accelerators are {2} of {3}, which has {4}. Take {5}.",
                      {grouped(r.chips), units, r.system.id, grouped(size), grouped(size)});
            } else {
                error(path + ".accelerators",
                      "{1} accelerators are {2} of {3}, which has {4}. Take {5} or {6}.",
                      {grouped(r.chips), units, r.system.id, grouped(size), grouped(below),
                       grouped(below + size)});
            }
        }
        if (!r.system.rentable) {
            warn(r.notes, path + ".system",
                 "{1} is not for rent; it is planned as if it were yours.", {r.system.name});
        }
    }

    void precision(const search::CandidateRequest& r, const std::string& path) {
        const machine::Dtype wanted = s_.training.precision;
        const std::size_t slot = static_cast<std::size_t>(wanted);
        const auto& dtypes = r.profile.computeDtypes;
        const bool chipHas = r.system.chip.headlinePeak[slot] > units::FlopPerSecond(0);
        const bool profileHas = std::find(dtypes.begin(), dtypes.end(), wanted) != dtypes.end();
        if (chipHas && profileHas) return;
        std::vector<std::string> both;
        for (machine::Dtype d : dtypes) {
            if (r.system.chip.headlinePeak[static_cast<std::size_t>(d)] > units::FlopPerSecond(0))
                both.emplace_back(machine::name(d));
        }
        const std::string place =
            s_.values.contains("training.precision") ? "training.precision" : path;
        if (!chipHas) {
            error(place, "`{1}` doesn't run {2}: {3} has no matrix unit for it. It runs {4}.",
                  {r.name, machine::name(wanted), r.system.chip.name, joined(both)});
        } else {
            error(place,
                  "`{1}` doesn't run {2}: the software profile {3} has no recipe for it. It runs "
                  "{4}.",
                  {r.name, machine::name(wanted), r.profile.id, joined(both)});
        }
    }

    void scaling(const search::CandidateRequest& r) {
        const std::optional<layout::ScalingRecipe> wanted = s_.training.scalingRecipe;
        const auto& recipes = r.profile.scalingRecipes;
        if (!wanted || recipes.empty() ||
            std::find(recipes.begin(), recipes.end(), *wanted) != recipes.end()) {
            return;
        }
        std::vector<std::string> known;
        for (const layout::ScalingRecipe recipe : recipes) known.emplace_back(layout::name(recipe));
        error("training.scaling_recipe",
              "`{1}` doesn't scale {2}: the software profile {3} scales {4}.",
              {r.name, layout::name(*wanted), r.profile.id, joined(known)});
    }

    /// With tensor, pipeline and context given, the number of replicas follows, and with it what
    /// the batch must divide by.
    void batch(const search::CandidateRequest& r, const std::string& path) {
        const layout::LayoutChoice& l = r.layout;
        if (!l.tensor || !l.pipeline || !l.context || l.data) return;
        const long ranks = r.chips * layout::ranksPerChip(r.profile, r.system.chip);
        const long model = static_cast<long>(*l.tensor) * *l.pipeline * *l.context;
        if (ranks % model != 0) return;  // the engine says what is wrong with such a layout
        const long replicas = ranks / model;
        const long share = replicas * l.microBatch.value_or(1);
        const long wanted = s_.training.globalBatchSequences;
        if (wanted % share == 0) return;
        const long below = wanted / share * share;
        const std::string micro = std::to_string(l.microBatch.value_or(1));
        if (below == 0) {
            error(
                path + ".parallelism",
                "The batch of {1} sequences doesn't divide by replicas × micro-batch = {2} × {3}; "
                "the number of replicas follows from the rest. The smallest that does is {4}.",
                {grouped(wanted), grouped(replicas), micro, grouped(share)});
        } else {
            error(
                path + ".parallelism",
                "The batch of {1} sequences doesn't divide by replicas × micro-batch = {2} × {3}; "
                "the number of replicas follows from the rest. Nearest batches: {4} and {5}.",
                {grouped(wanted), grouped(replicas), micro, grouped(below),
                 grouped(below + share)});
        }
    }

    /// Whether the plan is one that anybody knows; it is said where not.
    bool planExists(const Catalog& catalog, const std::string& plan, const std::string& system,
                    const std::string& path) {
        if (plan.empty()) return true;
        const std::vector<std::string>& known = run::planIds();
        std::set<std::string> plans(known.begin(), known.end());
        for (const catalog::PriceRow& row : catalog.prices(system)) plans.insert(row.plan);
        if (plans.contains(plan)) return true;
        const std::string place = s_.values.contains(path + ".plan") ? path + ".plan" : path;
        const std::vector<std::string> all(plans.begin(), plans.end());
        const std::vector<std::string> near = units::nearestWords(plan, all, 1);
        if (near.empty()) {
            error(place, "`{1}` is no purchase plan. Plans are {2}.", {plan, joined(all)});
        } else {
            error(place, "`{1}` is no purchase plan. Nearest: {2}.", {plan, near.front()});
        }
        return false;
    }

    /// What owning the machines comes to, by the catalog and the scenario.
    void ownership(const Catalog& catalog, const Candidate& c, search::CandidateRequest& r) {
        run::Ownership own = catalog.ownership(r.system, c.region);
        const auto owned = [](const Purchase& p) { return p.plan == run::kOwned; };
        const auto first = std::find_if(c.portions.begin(), c.portions.end(),
                                        [](const Purchase& p) { return p.own.has_value(); });
        const Purchase& said = first != c.portions.end() ? *first : c.purchase;
        const auto paid = std::find_if(c.portions.begin(), c.portions.end(), owned);
        own.dedicated =
            paid != c.portions.end() ? paid->dedicated : owned(c.purchase) && c.purchase.dedicated;
        std::vector<search::FigureUse> figures = used(catalog, "operation", "default.ownership");
        const std::string capital = "capital." + r.system.chip.id;
        const std::vector<search::FigureUse> ofCapital = used(catalog, "operation", capital);
        figures.insert(figures.end(), ofCapital.begin(), ofCapital.end());
        if (said.own) {
            const OwnChoices& o = *said.own;
            const auto take = [&](const std::optional<double>& given, double& field,
                                  const char* key, const char* unit) {
                if (!given) return;
                field = *given;
                replace(figures, "default.ownership", key, *given, unit, o.because);
            };
            take(o.lifeYears, own.lifeYears, "life_years", "years");
            take(o.costOfCapital, own.costOfCapital, "cost_of_capital", "fraction_per_year");
            take(o.residualShare, own.residualShare, "residual_share", "fraction");
            take(o.useShare, own.useShare, "use_share", "fraction");
            take(o.operationShare, own.operationShare, "operation_share", "fraction_per_year");
            if (o.usdPerKilowattHour) {
                own.usdPerKilowattHour = o.usdPerKilowattHour;
                replace(figures, "default.ownership", "electricity_usd_per_kwh",
                        *o.usdPerKilowattHour, "usd_per_kilowatt_hour", o.because);
            }
            const double size = std::max(1, r.system.chipsPerUnit);
            if (o.capitalPerUnit) own.capitalPerUnit = o.capitalPerUnit;
            if (o.capitalPerAccelerator) own.capitalPerUnit = *o.capitalPerAccelerator * size;
            if (o.capitalPerUnit || o.capitalPerAccelerator) {
                own.state = run::PriceState::Yours;
                own.source = "the scenario";
                own.reason = {};
                replace(figures, capital, "capital_usd_per_accelerator",
                        own.capitalPerUnit->value() / size, "usd_per_accelerator", o.because);
            }
        }
        if (own.capitalPerUnit) use(r, figures);
        r.own = std::move(own);
    }

    /// Puts the scenario's value in place of a figure in use, or beside them.
    static void replace(std::vector<search::FigureUse>& figures, const std::string& id,
                        const std::string& key, double value, const std::string& unit,
                        const std::string& note = {}) {
        search::FigureUse f{
            "operation", id,         key, units::plainNumber(value), unit, "the scenario", "",
            "",          "override", note};
        const auto at =
            std::find_if(figures.begin(), figures.end(),
                         [&](const search::FigureUse& u) { return u.id == id && u.key == key; });
        if (at != figures.end()) {
            *at = std::move(f);
        } else {
            figures.push_back(std::move(f));
        }
    }

    /// The price of a purchase, noted as a figure in use.
    run::Price priceOf(const Catalog& catalog, const Candidate& c, const Purchase& purchase,
                       const std::string& region, const std::string& path,
                       search::CandidateRequest& r) {
        search::FigureUse figure;
        figure.kind = "price";
        figure.key = "price_usd_per_hour";
        figure.unit = "usd_per_hour";
        run::Price price;
        if (purchase.plan == run::kOwned) {
            price = run::ownedPrice(*r.own);
        } else if (purchase.perUnit) {
            price = ownPrice(purchase);
            catalog.addTerms(price, c.system);
            figure.id = c.system;
            figure.status = "override";
            figure.source = "the scenario";
            figure.note = purchase.because;
        } else if (region.empty()) {
            price.plan = purchase.plan;
            price.reason = {"No region is given, and prices are by region.", {}};
        } else {
            price = catalog.price(c.system, region, purchase.plan);
            figure.id = c.system + "/" + region + "/" + price.plan;
            figure.status = price.confidence == "low" ? "estimated" : "adopted";
            figure.source = price.source;
            figure.observed = price.observedDate;
        }
        price.region = region;
        if (purchase.plan != run::kOwned) {
            price.discount = purchase.discount.value_or(c.discount);
            price.dedicated = purchase.dedicated;
            if (price.perUnit) {
                figure.value = units::plainNumber(
                    std::round(units::inUsDollarsPerHour(*price.perUnit) * 1e6) / 1e6);
                use(r, {figure});
            }
            if (price.termDays <= 0 && s_.values.contains(path + ".commitment")) {
                warn(r.notes, path + ".commitment",
                     "`commitment` has no effect: {1} binds to no term.",
                     {price.plan.empty() ? Text{"the plan", {}} : run::planName(price.plan)});
            }
        }
        if (price.termDays > 0 && price.upfrontShare > 0 && price.upfrontShare < 1)
            use(r, used(catalog, "operation", "default.commitment"));
        return price;
    }

    void price(const Catalog& catalog, const Candidate& c, const std::string& path,
               search::CandidateRequest& r) {
        const std::string at = path + ".purchase";
        ownership(catalog, c, r);
        if (c.portions.empty()) {
            if (!planExists(catalog, c.purchase.plan, c.system, at)) return;
            r.price = priceOf(catalog, c, c.purchase, c.region, at, r);
        } else if (!portions(catalog, c, at, r)) {
            return;
        }
        if (r.price.isOwned()) {
            const auto rented = std::find_if(
                r.portions.begin(), r.portions.end(),
                [](const run::Portion& p) { return !p.price.isOwned() && p.price.perUnit; });
            if (rented != r.portions.end()) {
                r.rent = rented->price;
            } else if (!c.region.empty()) {
                r.rent = catalog.price(c.system, c.region, "");
                r.rent.discount = c.discount;
            }
        }
        quotas(catalog, r);
        storage(catalog, r);
    }

    /// Units that the candidate rents: those that train, and the spares.
    [[nodiscard]] long unitsHeld(const search::CandidateRequest& r) const {
        return run::unitsRented(r.system, r.chips + s_.operations.spareAccelerators.value_or(0));
    }

    /// Several purchases; false where they don't make up the cluster.
    bool portions(const Catalog& catalog, const Candidate& c, const std::string& path,
                  search::CandidateRequest& r) {
        const long all = unitsHeld(r);
        long sum = 0;
        bool sound = true;
        bool open = false;
        for (std::size_t i = 0; i < c.portions.size(); ++i) {
            const Purchase& p = c.portions[i];
            const std::string at = path + "[" + std::to_string(i) + "]";
            sound = planExists(catalog, p.plan, c.system, at) && sound;
            if (!p.region.empty() && !catalog.has("region", p.region)) {
                unknown(at + ".region", p.region, catalog.nearest("region", p.region),
                        "The catalog has no region `{1}`. Nearest: {2}.",
                        "The catalog has no region `{1}`; `trainwright catalog list region` shows "
                        "them all.");
                sound = false;
            }
            sum += p.units;
            open = open || p.units == 0;
        }
        if (!sound) return false;
        if (open ? sum >= all : sum != all) {
            error(path,
                  open ? "The purchases of `{1}` leave nothing for the one without `units`: they "
                         "have {2} units, the cluster is {3} of {4}."
                       : "The purchases of `{1}` have {2} units; the cluster is {3} of {4}. One "
                         "without `units` takes what the others leave.",
                  {c.name, grouped(sum), grouped(all), r.system.id});
            return false;
        }
        for (std::size_t i = 0; i < c.portions.size(); ++i) {
            const Purchase& p = c.portions[i];
            const std::string& region = p.region.empty() ? c.region : p.region;
            run::Portion portion;
            portion.units = p.units > 0 ? p.units : all - sum;
            portion.price = priceOf(catalog, c, p, region, path + "[" + std::to_string(i) + "]", r);
            r.portions.push_back(std::move(portion));
        }
        r.price = r.portions.front().price;
        severalRegions(catalog, c, path, r);
        return true;
    }

    /// Power and carbon of a cluster in several regions are those of its parts.
    void severalRegions(const Catalog& catalog, const Candidate& c, const std::string& path,
                        search::CandidateRequest& r) {
        std::map<std::string, long> unitsOf;
        for (const run::Portion& p : r.portions) unitsOf[p.price.region] += p.units;
        if (unitsOf.contains("")) return;
        for (const auto& [id, count] : unitsOf) {
            const std::vector<std::string> offered = catalog.offeredIn(c.system);
            if (id != c.region && !offered.empty() &&
                std::find(offered.begin(), offered.end(), id) == offered.end()) {
                warn(r.notes, path,
                     "The catalog doesn't know {1} to be offered in {2}; it knows {3}.",
                     {c.system, id, joined(offered)});
            }
        }
        if (unitsOf.size() == 1 && unitsOf.begin()->first == c.region) return;
        run::Region blend;
        double units = 0, pue = 0, grams = 0;
        bool hasPue = true, hasGrid = true;
        for (const auto& [id, count] : unitsOf) {
            const Outcome<run::Region> part = catalog.region(id);
            if (!part) return;
            use(r, used(catalog, "region", id));
            const auto n = static_cast<double>(count);
            const char* between = blend.id.empty() ? "" : " + ";
            blend.id += between + part->id;
            blend.name += between + part->name;
            if (blend.gridMethod.empty()) blend.gridMethod = part->gridMethod;
            blend.pueIsGlobal = blend.pueIsGlobal || part->pueIsGlobal;
            hasPue = hasPue && part->pue;
            hasGrid = hasGrid && part->gridGramsCo2PerKilowattHour;
            units += n;
            pue += n * part->pue.value_or(0);
            grams += n * part->pue.value_or(0) * part->gridGramsCo2PerKilowattHour.value_or(0);
        }
        if (hasPue) blend.pue = pue / units;
        if (hasPue && hasGrid) blend.gridGramsCo2PerKilowattHour = grams / pue;
        r.region = blend;
        if (unitsOf.size() > 1) {
            warn(r.notes, path,
                 "`{1}` lies in {2}. Its step is that of one cluster: what links between regions "
                 "would cost it isn't known.",
                 {c.name, blend.id});
        }
    }

    /// What a new account may not run without asking.
    void quotas(const Catalog& catalog, search::CandidateRequest& r) {
        const std::optional<catalog::Quota> quota = catalog.quota(r.system);
        if (!quota || r.system.vcpusPerUnit <= 0) return;
        std::map<std::pair<std::string, bool>, long> needs;  // by region and spot
        const auto take = [&](const run::Price& price, long units) {
            const bool spot = price.plan == "spot";
            const bool demand = price.plan == "on_demand" || price.termDays > 0;
            if (!price.isOwned() && (spot || demand)) needs[{price.region, spot}] += units;
        };
        for (const run::Portion& p : r.portions) take(p.price, p.units);
        if (r.portions.empty()) take(r.price, unitsHeld(r));
        for (const auto& [where, count] : needs) {
            const auto& [region, spot] = where;
            const std::optional<double> has = spot ? quota->spotVcpus : quota->onDemandVcpus;
            const double vcpus = static_cast<double>(count) * r.system.vcpusPerUnit;
            if (!has || vcpus <= *has || region.empty()) continue;
            use(r, used(catalog, "operation", quota->entry));
            const std::vector<Argument> numbers{
                grouped(count),      r.system.id, groupedNumber(vcpus), region,
                groupedNumber(*has), quota->name, quota->code};
            if (spot) {
                r.limits.push_back(
                    {"{1} × {2} as spot need a quota of {3} vCPUs in {4}; a new account has {5}. "
                     "More is granted on request, which takes days to weeks.",
                     {numbers.begin(), numbers.begin() + 5}});
            } else if (quota->otherOnDemandVcpus) {
                std::vector<Argument> all = numbers;
                all.push_back(groupedNumber(*quota->otherOnDemandVcpus));
                r.limits.push_back(
                    {"{1} × {2} need {3} vCPUs of the quota \"{6}\" ({7}) in {4}; a new account "
                     "has {5}, by older tables {8}. More is granted on request, which takes days "
                     "to weeks.",
                     all});
            } else {
                r.limits.push_back(
                    {"{1} × {2} need {3} vCPUs of the quota \"{6}\" ({7}) in {4}; a new account "
                     "has {5}. More is granted on request, which takes days to weeks.",
                     numbers});
            }
        }
    }

    /// Storage and transfer; the same for every candidate but for its region.
    void storage(const Catalog& catalog, search::CandidateRequest& r) {
        const StorageChoices& o = s_.storage;
        const std::string region = r.region ? r.region->id : "";
        if (!o.service.empty()) {
            const std::vector<std::string> services = catalog.storageServices();
            if (std::find(services.begin(), services.end(), o.service) == services.end()) {
                if (saidService_) return;
                saidService_ = true;
                const std::vector<std::string> near = units::nearestWords(o.service, services, 1);
                error("storage.service",
                      near.empty() ? "The catalog has no price of `{1}`. It has {2}."
                                   : "The catalog has no price of `{1}`. Nearest: {2}.",
                      {o.service, near.empty() ? joined(services) : near.front()});
                return;
            }
        }
        run::Storage storage = catalog.storage(o.service, region);
        std::vector<search::FigureUse> figures = used(catalog, "operation", "default.storage");
        if (o.checkpointsKept) {
            storage.checkpointsKept = *o.checkpointsKept;
            replace(figures, "default.storage", "checkpoints_kept", *o.checkpointsKept, "count");
        }
        if (!o.service.empty())
            std::erase_if(figures,
                          [](const search::FigureUse& f) { return f.key == "storage_service"; });
        storage.dataset = o.dataset;
        storage.provisioned = o.capacity;
        storage.egress = o.egress;
        const bool keeps = storage.checkpointsKept > 0 || o.dataset.value() > 0;
        use(r, figures);
        for (const std::string& entry : catalog.storageEntries(o.service, region)) {
            if (entry.starts_with("ec2_egress") ? o.egress.value() > 0 : keeps)
                use(r, used(catalog, "storage", entry));
        }
        r.storage = std::move(storage);
    }

    static run::Price ownPrice(const Purchase& purchase) {
        constexpr std::string_view kStandIn = "stand-in";
        run::Price price;
        price.perUnit = purchase.perUnit;
        price.plan = purchase.plan;
        price.source = "the scenario";
        const std::string& because = purchase.because;
        const std::string shown = groupedNumber(units::inUsDollarsPerHour(*purchase.perUnit), 4);
        if (!because.starts_with(kStandIn)) {
            price.state = run::PriceState::Yours;
            if (!because.empty())
                price.reason = {"Your price of {1} USD an hour: {2}", {shown, because}};
            return price;
        }
        price.state = run::PriceState::StandIn;
        std::string rest = because.substr(kStandIn.size());
        rest.erase(0, std::min(rest.find_first_not_of(" :,;-"), rest.size()));
        price.reason =
            rest.empty()
                ? Text{"No public price: {1} USD an hour stand in for it.", {shown}}
                : Text{"No public price: {1} USD an hour stand in for it ({2}).", {shown, rest}};
        return price;
    }

    void operations(const Catalog& catalog, search::CandidateRequest& r) {
        r.operations = catalog.operations(r.system);
        const std::string own = "default." + r.system.chip.family;
        const std::string id = catalog.has("operation", own) ? own : "default.other";
        std::vector<search::FigureUse> figures = used(catalog, "operation", id);
        const OperationChoices& o = s_.operations;
        run::Operations& out = r.operations;
        if (o.checkpointStorage) {
            out.checkpointBandwidth = *o.checkpointStorage;
            replace(figures, id, "checkpoint_bandwidth_bytes_per_s", o.checkpointStorage->value(),
                    "bytes_per_second");
        }
        if (o.checkpointBytesPerParameter) {
            out.checkpointBytesPerParameter = *o.checkpointBytesPerParameter;
            replace(figures, id, "checkpoint_bytes_per_parameter", *o.checkpointBytesPerParameter,
                    "bytes_per_parameter");
        } else {
            // The memory model's own states are written; the published sizes stand beside them.
            std::erase_if(figures, [](const search::FigureUse& f) {
                return f.key == "checkpoint_bytes_per_parameter";
            });
        }
        if (o.memoryCheckpointStall && o.memoryCheckpointCovers) {
            out.memoryCheckpointStall = *o.memoryCheckpointStall;
            out.memoryCheckpointCovers = *o.memoryCheckpointCovers;
        }
        if (o.plannedPauseEvery && o.plannedPause) {
            out.plannedPauseEvery = *o.plannedPauseEvery;
            out.plannedPause = *o.plannedPause;
        }
        if (o.asynchronousCheckpoints) {
            out.asynchronousCheckpoints = *o.asynchronousCheckpoints;
            replace(figures, id, "asynchronous_checkpoints", *o.asynchronousCheckpoints ? 1 : 0,
                    "");
        }
        if (o.asynchronousStall) {
            out.asynchronousStall = *o.asynchronousStall;
            replace(figures, id, "asynchronous_stall_s", o.asynchronousStall->value(), "seconds");
        }
        out.spareChips = o.spareAccelerators.value_or(0);
        if (o.restartTime) {
            out.restartTime = *o.restartTime;
            replace(figures, id, "restart_s", o.restartTime->value(), "seconds");
        }
        if (o.meanTimeBetweenFailures) {
            out.interruptionsPerChipHour =
                units::kSecondsPerHour / o.meanTimeBetweenFailures->value();
            out.interruptionRateIsAssumption = false;
            out.interruptionSource = "the scenario";
            replace(figures, id, "interruptions_per_chip_hour", out.interruptionsPerChipHour,
                    "interruptions_per_chip_hour");
        }
        if (o.startup) {
            out.startup = *o.startup;
            replace(figures, id, "startup_s", o.startup->value(), "seconds");
        }
        if (o.evaluationShare) {
            out.evaluationShare = *o.evaluationShare;
            replace(figures, id, "evaluation_share", *o.evaluationShare, "fraction");
        }
        addReclaims(catalog, r, figures);
        use(r, figures);
    }

    /// Spot instances are taken back beside failing: the job stops for either.
    void addReclaims(const Catalog& catalog, search::CandidateRequest& r,
                     std::vector<search::FigureUse>& figures) const {
        double reclaims = 0;  // of the cluster in an hour
        for (const run::Portion& p : r.portions)
            reclaims += static_cast<double>(p.units) * p.price.reclaimsPerUnitHour;
        if (r.portions.empty()) {
            reclaims = static_cast<double>(unitsHeld(r)) * r.price.reclaimsPerUnitHour;
        }
        if (!(reclaims > 0)) return;
        r.operations.interruptionsPerChipHour += reclaims / static_cast<double>(r.chips);
        const std::vector<search::FigureUse> spot =
            used(catalog, "operation", catalog.spotEntry(r.system.id));
        figures.insert(figures.end(), spot.begin(), spot.end());
    }

    /// How unsure the candidate's figures are. What the scenario states itself is taken at its
    /// word.
    void bands(const Catalog& catalog, search::CandidateRequest& r) {
        const auto moving = std::find_if(r.portions.begin(), r.portions.end(),
                                         [](const run::Portion& p) { return p.price.moves; });
        r.spread = catalog.spread(r.system, moving != r.portions.end() ? moving->price : r.price);
        const auto isExact = [&](belief::Deviation& deviation, const std::string& low,
                                 const std::string& high) {
            deviation = {};
            std::erase_if(r.figures, [&](const search::FigureUse& f) {
                return f.kind == "operation" && (f.key == low || f.key == high);
            });
        };
        if (s_.operations.meanTimeBetweenFailures) {
            isExact(r.spread.interruptionRate, "interruptions_per_chip_hour_low",
                    "interruptions_per_chip_hour_high");
        }
        if (s_.operations.restartTime)
            isExact(r.spread.restartTime, "restart_low_s", "restart_high_s");
        std::vector<search::FigureUse> figures = used(catalog, "operation", "default.bands");
        std::erase_if(figures, [&](const search::FigureUse& f) {
            const bool isEstimate = r.system.chip.powerIsEstimate;
            return (f.key == "spot_price_log_deviation" && r.spread.price.isExact()) ||
                   (f.key == "published_power_log_deviation" && isEstimate) ||
                   (f.key == "estimated_power_log_deviation" && !isEstimate) ||
                   (f.key == "published_range_tail" && r.spread.interruptionRate.isExact() &&
                    r.spread.restartTime.isExact()) ||
                   (f.key.starts_with("model_error_") && request_.calibration);
        });
        use(r, figures);
    }

    const Scenario& s_;
    const Catalog& catalog_;
    FigureNotes notes_;
    search::PlanRequest request_;
    std::vector<Finding> errors_;
    bool saidService_ = false;
};

}  // namespace

std::vector<Finding> unknownNames(const Scenario& scenario, const catalog::Catalog& catalog) {
    return Resolver(scenario, catalog).names();
}

Outcome<catalog::Catalog> overriddenCatalog(const Scenario& scenario,
                                            const catalog::Catalog& catalog) {
    return Resolver(scenario, catalog).overriddenCatalog();
}

Outcome<search::PlanRequest> resolve(const Scenario& scenario, const catalog::Catalog& catalog,
                                     FigureNotes notes) {
    return Resolver(scenario, catalog, notes).resolve();
}

}  // namespace trainwright::scenario
