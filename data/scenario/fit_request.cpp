// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/fit_request.h"

#include <algorithm>
#include <map>
#include <set>

#include "model/units/text_quantity.h"

namespace trainwright::scenario {
namespace {

constexpr const char* kAll = "all";

void addOnce(std::vector<std::string>& list, const std::string& word) {
    if (!word.empty() && std::find(list.begin(), list.end(), word) == list.end())
        list.push_back(word);
}

/// The words of `given`, or all of `known` for "all"; those that nobody knows become findings.
std::vector<std::string> chosen(const std::vector<std::string>& given,
                                const std::vector<std::string>& known, const char* withNearest,
                                const char* without, std::vector<Finding>& findings) {
    std::vector<std::string> out;
    for (const std::string& word : given) {
        if (word == kAll) {
            for (const std::string& each : known) addOnce(out, each);
        } else if (std::find(known.begin(), known.end(), word) != known.end()) {
            addOnce(out, word);
        } else {
            const std::vector<std::string> near = units::nearestWords(word, known, 1);
            findings.push_back(near.empty()
                                   ? Finding{Severity::Error, {without, {word}}, {}}
                                   : Finding{Severity::Error, {withNearest, {word, near[0]}}, {}});
        }
    }
    return out;
}

/// What makes two candidates the same but for their offer.
std::string likeness(const Candidate& c, std::size_t index) {
    return c.parallelism.isEmpty() ? c.system + "\n" + c.software
                                   : c.system + "\n" + c.software + "\n" + std::to_string(index);
}

/// The candidates, with the whole scale-up domain of their system as their size where that can be
/// resolved: the size is the search's to choose, and a system is laid out for it.
Outcome<search::PlanRequest> resolveWays(Scenario ways, const catalog::Catalog& catalog) {
    Scenario domains = ways;
    for (Candidate& c : domains.candidates) {
        const Outcome<machine::SystemSpec> system = catalog.system(c.system);
        if (!system) continue;
        const long unit = std::max(1, system->chipsPerUnit);
        const long domain = std::max(1, system->chipsPerDomain);
        c.accelerators = domain % unit == 0 ? domain : unit * domain;
    }
    Outcome<search::PlanRequest> request = resolve(domains, catalog, FigureNotes::Kept);
    if (request) return request;
    return resolve(ways, catalog, FigureNotes::Kept);
}

}  // namespace

Outcome<search::FitRequest> fitRequest(const Scenario& scenario, const catalog::Catalog& catalog,
                                       const FitChoices& choices) {
    std::vector<Finding> findings;
    std::vector<std::string> names;
    for (const Candidate& c : scenario.candidates) names.push_back(c.name);
    const std::vector<std::string> wanted =
        choices.candidates.empty() ? names
                                   : chosen(choices.candidates, names,
                                            "The scenario has no candidate `{1}`. Nearest: {2}.",
                                            "The scenario has no candidate `{1}`.", findings);
    std::vector<std::string> knownRegions;
    for (const catalog::Entry& e : catalog.entries("region")) knownRegions.push_back(e.id);
    std::vector<std::string> regions =
        chosen(choices.regions, knownRegions, "The catalog has no region `{1}`. Nearest: {2}.",
               "The catalog has no region `{1}`; `trainwright catalog list region` shows them all.",
               findings);
    std::vector<std::string> plans =
        chosen(choices.plans, run::planIds(), "There is no plan `{1}`. Nearest: {2}.",
               "There is no plan `{1}`, such as on_demand or capacity_block.", findings);
    if (!findings.empty()) return findings;
    for (const Candidate& c : scenario.candidates) {
        addOnce(regions, c.region);
        if (!c.purchase.perUnit) addOnce(plans, c.purchase.plan);
    }

    Scenario ways = scenario;
    ways.candidates.clear();
    std::map<std::string, std::size_t> systems;
    std::vector<std::size_t> systemOf;
    std::vector<std::string> nameOf;
    std::set<std::string> offered;  // system, region and plan that are there already
    for (std::size_t i = 0; i < scenario.candidates.size(); ++i) {
        const Candidate& own = scenario.candidates[i];
        if (std::find(wanted.begin(), wanted.end(), own.name) == wanted.end()) continue;
        const std::string like = likeness(own, i);
        const std::size_t system = systems.emplace(like, systems.size()).first->second;
        const std::string usualPlan = own.purchase.plan.empty()
                                          ? catalog.price(own.system, own.region, "").plan
                                          : own.purchase.plan;
        ways.candidates.push_back(own);
        ways.candidates.back().arrivals.clear();  // sizes are the search's to choose
        systemOf.push_back(system);
        nameOf.push_back(own.name);
        if (!own.purchase.perUnit) offered.insert(like + "\n" + own.region + "\n" + usualPlan);
        std::vector<std::string> plansHere = plans;
        addOnce(plansHere, usualPlan);
        for (const std::string& region : regions) {
            for (const std::string& plan : plansHere) {
                const run::Price price = catalog.price(own.system, region, plan);
                if (!price.perUnit || price.plan != plan) continue;
                if (!offered.insert(like + "\n" + region + "\n" + plan).second) continue;
                Candidate other = own;
                other.name = own.name + ", " + region + ", " + run::planName(plan).english();
                other.region = region;
                other.purchase = {};
                other.arrivals.clear();
                other.purchase.plan = plan;
                if (plan != usualPlan) other.discount = 0;
                ways.candidates.push_back(std::move(other));
                systemOf.push_back(system);
                nameOf.push_back(own.name);
            }
        }
    }

    Outcome<search::PlanRequest> resolved = resolveWays(ways, catalog);
    if (!resolved) return resolved.findings();
    search::FitRequest request;
    request.plan = std::move(resolved).value();
    for (std::size_t w = 0; w < request.plan.candidates.size(); ++w)
        request.ways.push_back({std::move(request.plan.candidates[w]), nameOf[w], systemOf[w]});
    request.plan.candidates.clear();
    request.objective = choices.objective;
    request.maxAccelerators =
        request.plan.constraints.accelerators.value_or(choices.mostAccelerators);
    return request;
}

}  // namespace trainwright::scenario
