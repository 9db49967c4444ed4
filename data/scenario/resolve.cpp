// SPDX-License-Identifier: GPL-3.0-or-later
// From names to figures: every id of a scenario is looked up, and what a candidate's result rests
// on is noted.
#include <algorithm>
#include <cmath>
#include <filesystem>
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
    void error(const std::string& path, std::string pattern, std::vector<std::string> arguments) {
        errors_.push_back(
            {Severity::Error, Text{std::move(pattern), std::move(arguments)}, s_.placeOf(path)});
    }

    void warn(std::vector<Finding>& notes, const std::string& path, std::string pattern,
              std::vector<std::string> arguments) {
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
        bands(catalog, r);
        calibrate(catalog, r);
        request_.candidates.push_back(std::move(r));
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

    void price(const Catalog& catalog, const Candidate& c, const std::string& path,
               search::CandidateRequest& r) {
        const std::string& plan = c.purchase.plan;
        if (!plan.empty()) {
            std::set<std::string> plans{"on_demand", "capacity_block", "spot"};
            for (const catalog::PriceRow& row : catalog.prices(c.system)) plans.insert(row.plan);
            if (!plans.contains(plan)) {
                const std::vector<std::string> all(plans.begin(), plans.end());
                const std::vector<std::string> near = units::nearestWords(plan, all, 1);
                const std::string place = s_.values.contains(path + ".purchase.plan")
                                              ? path + ".purchase.plan"
                                              : path + ".purchase";
                if (near.empty()) {
                    error(place, "`{1}` is no plan that the catalog has for {2}. It has {3}.",
                          {plan, c.system, joined(all)});
                } else {
                    error(place, "`{1}` is no plan that the catalog has for {2}. Nearest: {3}.",
                          {plan, c.system, near.front()});
                }
                return;
            }
        }
        search::FigureUse figure;
        figure.kind = "price";
        figure.key = "price_usd_per_hour";
        figure.unit = "usd_per_hour";
        if (c.purchase.perUnit) {
            r.price = ownPrice(c);
            figure.id = c.system;
            figure.status = "override";
            figure.source = "the scenario";
            figure.note = c.purchase.because;
        } else if (c.region.empty()) {
            r.price.plan = plan;
            r.price.reason = {"No region is given, and prices are by region.", {}};
        } else {
            r.price = catalog.price(c.system, c.region, plan);
            figure.id = c.system + "/" + c.region + "/" + r.price.plan;
            figure.status = r.price.confidence == "low" ? "estimated" : "adopted";
            figure.source = r.price.source;
            figure.observed = r.price.observedDate;
        }
        r.price.discount = c.discount;
        if (r.price.perUnit) {
            figure.value = units::plainNumber(
                std::round(units::inUsDollarsPerHour(*r.price.perUnit) * 1e6) / 1e6);
            use(r, {figure});
        }
    }

    static run::Price ownPrice(const Candidate& c) {
        constexpr std::string_view kStandIn = "stand-in";
        run::Price price;
        price.perUnit = c.purchase.perUnit;
        price.plan = c.purchase.plan;
        price.source = "the scenario";
        const std::string& because = c.purchase.because;
        const std::string shown = groupedNumber(units::inUsDollarsPerHour(*c.purchase.perUnit), 4);
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
        const auto replace = [&](const std::string& key, double value, const std::string& unit) {
            search::FigureUse f{
                "operation", id,         key, units::plainNumber(value), unit, "the scenario", "",
                "",          "override", ""};
            auto at = std::find_if(figures.begin(), figures.end(),
                                   [&](const search::FigureUse& u) { return u.key == key; });
            if (at != figures.end()) {
                *at = std::move(f);
            } else {
                figures.push_back(std::move(f));
            }
        };
        const OperationChoices& o = s_.operations;
        run::Operations& out = r.operations;
        if (o.checkpointStorage) {
            out.checkpointBandwidth = *o.checkpointStorage;
            replace("checkpoint_bandwidth_bytes_per_s", o.checkpointStorage->value(),
                    "bytes_per_second");
        }
        if (o.checkpointBytesPerParameter) {
            out.checkpointBytesPerParameter = *o.checkpointBytesPerParameter;
            replace("checkpoint_bytes_per_parameter", *o.checkpointBytesPerParameter,
                    "bytes_per_parameter");
        }
        if (o.asynchronousCheckpoints) {
            out.asynchronousCheckpoints = *o.asynchronousCheckpoints;
            replace("asynchronous_checkpoints", *o.asynchronousCheckpoints ? 1 : 0, "");
        }
        if (o.asynchronousStall) {
            out.asynchronousStall = *o.asynchronousStall;
            replace("asynchronous_stall_s", o.asynchronousStall->value(), "seconds");
        }
        if (o.restartTime) {
            out.restartTime = *o.restartTime;
            replace("restart_s", o.restartTime->value(), "seconds");
        }
        if (o.meanTimeBetweenFailures) {
            out.interruptionsPerChipHour =
                units::kSecondsPerHour / o.meanTimeBetweenFailures->value();
            out.interruptionRateIsAssumption = false;
            out.interruptionSource = "the scenario";
            replace("interruptions_per_chip_hour", out.interruptionsPerChipHour,
                    "interruptions_per_chip_hour");
        }
        if (o.startup) {
            out.startup = *o.startup;
            replace("startup_s", o.startup->value(), "seconds");
        }
        if (o.evaluationShare) {
            out.evaluationShare = *o.evaluationShare;
            replace("evaluation_share", *o.evaluationShare, "fraction");
        }
        use(r, figures);
    }

    /// How unsure the candidate's figures are. What the scenario states itself is taken at its
    /// word.
    void bands(const Catalog& catalog, search::CandidateRequest& r) {
        r.spread = catalog.spread(r.system, r.price);
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
