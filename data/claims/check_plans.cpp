// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that the engine answers: what fits, what a run takes, how two systems compare.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "data/claims/check_kinds.h"
#include "model/run/run.h"
#include "model/units/text_quantity.h"

namespace trainwright::claims {
namespace {

// No network between sites is modelled without one; prices and power are those of this region
// unless the row says otherwise.
constexpr const char* kRegion = "us-east-2";

/// Accelerators in one rented unit of the system; 0 if there is no such system.
long chipsPerUnit(const catalog::Catalog& catalog, const std::string& system) {
    const Outcome<machine::SystemSpec> spec = catalog.system(system);
    return spec ? std::max(1, spec->chipsPerUnit) : 0;
}

PlannedCandidate candidateOf(const Bench& bench, const std::string& system) {
    PlannedCandidate c;
    c.system = system;
    c.accelerators = std::lround(bench.parameters.number("accelerators").value_or(0));
    if (const auto units = bench.parameters.number("units"))
        c.accelerators = std::lround(*units) * chipsPerUnit(bench.evidence.catalog, system);
    c.region = bench.parameters.textOr("region", kRegion);
    c.offload = bench.parameters.text("offload");
    c.software = bench.parameters.text("software");
    return c;
}

struct Metric {
    const char* name;
    const char* unit;
    std::optional<double> (*of)(const search::CandidateResult&);
};

template <typename Quantity>
std::optional<double> valueOf(const std::optional<Quantity>& quantity) {
    return quantity ? std::optional<double>(quantity->value()) : std::nullopt;
}

constexpr std::array<Metric, 9> kMetrics{{
    {"days", "days",
     [](const search::CandidateResult& r) { return std::optional<double>(r.run.days); }},
    {"step_time", "seconds",
     [](const search::CandidateResult& r) {
         return std::optional<double>(r.step.stepTime.value());
     }},
    {"mfu", "fraction",
     [](const search::CandidateResult& r) { return std::optional<double>(r.step.mfuModel); }},
    {"goodput", "fraction",
     [](const search::CandidateResult& r) { return std::optional<double>(r.run.goodput.share); }},
    {"interruptions", "count",
     [](const search::CandidateResult& r) { return std::optional<double>(r.run.interruptions); }},
    {"average_power", "watts",
     [](const search::CandidateResult& r) { return valueOf(r.run.energy.averagePower); }},
    {"peak_power", "watts",
     [](const search::CandidateResult& r) { return valueOf(r.run.energy.peakPower); }},
    {"it_energy", "joules",
     [](const search::CandidateResult& r) { return valueOf(r.run.energy.itEnergy); }},
    {"cost", "usd", [](const search::CandidateResult& r) { return valueOf(r.run.money.total); }},
}};

const Metric* metricNamed(const std::string& name) {
    const auto found = std::find_if(kMetrics.begin(), kMetrics.end(),
                                    [&](const Metric& m) { return name == m.name; });
    return found == kMetrics.end() ? nullptr : &*found;
}

std::string labelOf(const PlannedModel& model, bool namesPrecision) {
    return namesPrecision ? model.name() + " in " + model.precision : model.name();
}

bool namesPrecision(const Bench& bench) {
    return bench.parameters.list("precisions").size() > 1;
}

void addUnknownMetric(const Bench& bench, Part& part) {
    addUnknown(part, {},
               {"`{1}` is no metric of a plan.", {words(bench.parameters.text("metric"))}});
}

// --- comparing

struct Pairing {
    std::string plan;  ///< in words
    std::string region;
    PlannedCandidate left, right;
};

std::string planWords(const std::string& plan) {
    return run::planName(plan).english();
}

/// The newest row of before the price in use, seen on a date that begins with `date`.
const catalog::PriceRow* earlierPrice(const std::vector<catalog::PriceRow>& rows,
                                      const std::string& plan, const std::string& date) {
    const auto found = std::find_if(rows.begin(), rows.end(), [&](const catalog::PriceRow& row) {
        return row.plan == plan && row.status == "superseded" && row.observed.starts_with(date);
    });
    return found == rows.end() ? nullptr : &*found;
}

class Pairings {
public:
    explicit Pairings(const Bench& bench) : bench_(bench), catalog_(bench.evidence.catalog) {}

    /// The same without prices: one pairing in one region.
    std::vector<Pairing> plain(const std::string& left, const std::string& right) {
        Pairing p;
        p.left = candidateOf(bench_, left);
        p.right = candidateOf(bench_, right);
        p.region = p.left.region;
        return {p};
    }

    /// Every plan and region in which both are priced.
    std::vector<Pairing> priced(const std::string& left, const std::string& right) {
        std::vector<Pairing> all;
        for (const std::string& region : regions(left)) {
            std::set<std::pair<std::string, std::string>> seen;
            for (const std::string& plan : bench_.parameters.list("plans")) {
                const std::string asked = plan == "default" ? "" : plan;
                const run::Price a = catalog_.price(left, region, asked);
                const run::Price b = catalog_.price(right, region, asked);
                if (!a.perUnit || !b.perUnit || !seen.emplace(a.plan, b.plan).second) continue;
                Pairing p = pairing(left, right, region);
                p.left.purchase = a.plan;
                p.right.purchase = b.plan;
                p.plan = a.plan == b.plan
                             ? planWords(a.plan)
                             : Text{"{1} / {2}", {planWords(a.plan), planWords(b.plan)}}.english();
                all.push_back(std::move(p));
            }
            earlier(left, right, region, all);
        }
        return all;
    }

private:
    std::vector<std::string> regions(const std::string& system) const {
        std::vector<std::string> given = bench_.parameters.list("regions");
        if (!given.empty()) return given;
        std::set<std::string> all;
        for (const catalog::PriceRow& row : catalog_.prices(system))
            if (row.status == "listed") all.insert(row.region);
        return {all.begin(), all.end()};
    }

    Pairing pairing(const std::string& left, const std::string& right,
                    const std::string& region) const {
        Pairing p;
        p.region = region;
        p.left = candidateOf(bench_, left);
        p.right = candidateOf(bench_, right);
        p.left.region = p.right.region = region;
        return p;
    }

    /// Against a price that the other side had before, the present one of this side.
    void earlier(const std::string& left, const std::string& right, const std::string& region,
                 std::vector<Pairing>& all) const {
        const std::string date = bench_.parameters.text("earlier");
        if (date.empty()) return;
        const std::vector<catalog::PriceRow> rows = catalog_.prices(right, region);
        for (const std::string& plan : bench_.parameters.list("plans")) {
            const catalog::PriceRow* row = earlierPrice(rows, plan, date);
            run::Price own = catalog_.price(left, region, plan);
            if (!own.perUnit) own = catalog_.price(left, region, "");
            if (row == nullptr || !own.perUnit) continue;
            Pairing p = pairing(left, right, region);
            p.left.purchase = own.plan;
            p.right.purchase = "{price_usd_per_hour: " + units::plainNumber(row->usdPerHour) +
                               ", because: \"" + plan + " price of " + row->observed + "\"}";
            p.plan = Text{"{1} / {2} of {3}", {planWords(own.plan), planWords(plan), row->observed}}
                         .english();
            all.push_back(std::move(p));
        }
    }

    const Bench& bench_;
    const catalog::Catalog& catalog_;
};

/// Half of the log distance from P10 to P90; the layout's time is what both money and energy
/// follow.
std::optional<double> halfSpread(const search::CandidateResult& result) {
    if (!result.bands) return std::nullopt;
    const belief::Band<double>& days = result.bands->days;
    if (!(days.p10 > 0) || !std::isfinite(days.p90)) return std::nullopt;
    return std::log(days.p90 / days.p10) / 2;
}

/// P10 and P90 of a ratio whose two sides are unsure on their own.
void addBand(const search::CandidateResult& left, const search::CandidateResult& right,
             bool isSaving, double ratio, Case& c) {
    const std::optional<double> a = halfSpread(left);
    const std::optional<double> b = halfSpread(right);
    if (!a || !b) return;
    const double factor = std::exp(std::hypot(*a, *b));
    const auto shown = [&](double r) { return measure(isSaving ? 1 - 1 / r : r, c.found.unit); };
    c.p10 = shown(ratio / factor);
    c.p90 = shown(ratio * factor);
}

void comparePair(const Bench& bench, const Metric& metric, const PlannedModel& model,
                 const Pairing& pairing, Part& part) {
    const bool isCost = std::string_view(metric.name) == "cost";
    std::vector<std::string> labels{labelOf(model, namesPrecision(bench)), pairing.left.system,
                                    pairing.right.system};
    if (isCost) {
        labels.push_back(pairing.plan);
        labels.push_back(pairing.region);
    }
    const Planned& left = bench.planner.plan(model, pairing.left, true);
    const Planned& right = bench.planner.plan(model, pairing.right, true);
    for (const Planned* one : {&left, &right}) {
        if (one->runs()) continue;
        return addUnknown(part, labels, one->whyNot());
    }
    const std::optional<double> a = metric.of(left.result);
    const std::optional<double> b = metric.of(right.result);
    if (!a || !b || *a <= 0 || *b <= 0)
        return addUnknown(part, labels, {"The plan doesn't give both values.", {}});
    Case c;
    c.labels = std::move(labels);
    c.found = isCost ? measure(1 - *a / *b, "fraction") : measure(*b / *a, "ratio");
    addBand(left.result, right.result, isCost, *b / *a, c);
    const std::string unit = metric.unit;
    c.notes.push_back({"{1}: {2}; {3}: {4}.",
                       {words(pairing.left.system), measure(*a, unit), words(pairing.right.system),
                        measure(*b, unit)}});
    c.scenario = bench.planner.scenario(model, {pairing.left, pairing.right});
    for (const Planned* one : {&left, &right})
        citeSources(part, one->request.candidates.front().figures);
    part.cases.push_back(std::move(c));
}

}  // namespace

void checkFit(const Bench& bench, Part& part) {
    part.dimensions = {"model"};
    const std::string system = bench.parameters.text("system");
    const long perUnit = chipsPerUnit(bench.evidence.catalog, system);
    if (perUnit == 0)
        return addUnknown(part, {}, {"The catalog has no system `{1}`.", {words(system)}});
    const std::vector<std::string> sizes = bench.parameters.list("units");
    for (const PlannedModel& model : PlannedModel::listed(bench.parameters)) {
        Case c;
        c.labels = {labelOf(model, namesPrecision(bench))};
        Sentence smallestFails;  // why the smallest doesn't do
        for (const std::string& size : sizes) {
            const double units = numberIn(size).value_or(0);
            PlannedCandidate candidate = candidateOf(bench, system);
            candidate.accelerators = std::lround(units) * perUnit;
            const Planned& planned = bench.planner.plan(model, candidate);
            if (bench.planner.isStopped()) return;
            c.scenario = bench.planner.scenario(model, {candidate});
            if (!planned.runs()) {
                if (smallestFails.empty()) smallestFails = planned.whyNot();
                continue;
            }
            c.found = measure(units, bench.unit);
            c.notes.push_back({"{1} accelerators, {2} of each in use.",
                               {measure(static_cast<double>(candidate.accelerators), "count"),
                                measure(planned.result.step.memory.peak.total() /
                                            planned.result.step.memory.capacity,
                                        "fraction")}});
            citeSources(part, planned.request.figures);
            citeSources(part, planned.request.candidates.front().figures);
            break;
        }
        if (c.found.empty() && !sizes.empty()) {
            c.found = words(Text{"more than {1}", {sizes.back()}}.english());
        }
        if (!smallestFails.empty()) c.notes.push_back(std::move(smallestFails));
        part.cases.push_back(std::move(c));
    }
}

void checkScenario(const Bench& bench, Part& part) {
    const Metric* metric = metricNamed(bench.parameters.text("metric"));
    if (metric == nullptr) return addUnknownMetric(bench, part);
    const std::vector<PlannedModel> models = PlannedModel::listed(bench.parameters);
    if (models.size() > 1) part.dimensions = {"model"};
    for (const PlannedModel& model : models) {
        const PlannedCandidate candidate = candidateOf(bench, bench.parameters.text("system"));
        std::vector<std::string> labels;
        if (models.size() > 1) labels = {labelOf(model, namesPrecision(bench))};
        const Planned& planned = bench.planner.plan(model, candidate);
        const std::optional<double> value =
            planned.runs() ? metric->of(planned.result) : std::nullopt;
        if (!value) {
            addUnknown(part, labels, planned.whyNot());
            continue;
        }
        Case c;
        c.labels = std::move(labels);
        c.found = measure(*value, metric->unit);
        c.scenario = bench.planner.scenario(model, {candidate});
        citeSources(part, planned.request.figures);
        citeSources(part, planned.request.candidates.front().figures);
        part.cases.push_back(std::move(c));
    }
}

void checkCompare(const Bench& bench, Part& part) {
    const Metric* metric = metricNamed(bench.parameters.text("metric"));
    if (metric == nullptr) return addUnknownMetric(bench, part);
    const bool isCost = std::string_view(metric->name) == "cost";
    part.dimensions = {"model", "system", "against"};
    if (isCost) {
        part.dimensions.emplace_back("plan");
        part.dimensions.emplace_back("region");
    }
    Pairings pairings(bench);
    const std::vector<PlannedModel> models = PlannedModel::listed(bench.parameters);
    for (const std::string& left : bench.parameters.list("systems")) {
        for (const std::string& right : bench.parameters.list("against")) {
            const std::vector<Pairing> pairs =
                isCost ? pairings.priced(left, right) : pairings.plain(left, right);
            for (const Pairing& pairing : pairs) {
                for (const PlannedModel& model : models) {
                    comparePair(bench, *metric, model, pairing, part);
                    if (bench.planner.isStopped()) return;
                }
            }
        }
    }
    if (part.cases.empty())
        addUnknown(part, {}, {"No plan and region has a price of both sides.", {}});
}

}  // namespace trainwright::claims
