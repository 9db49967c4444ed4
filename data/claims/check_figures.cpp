// SPDX-License-Identifier: GPL-3.0-or-later
// Checks that the catalog answers by itself.
#include <algorithm>

#include "data/claims/check_kinds.h"
#include "data/claims/figure_expression.h"

namespace trainwright::claims {
namespace {

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
    return out;
}

std::string nameOf(const catalog::Catalog& catalog, const std::string& kind,
                   const std::string& id) {
    for (const catalog::Entry& entry : catalog.entries(kind))
        if (entry.id == id) return entry.name;
    return id;
}

}  // namespace

void checkFigures(const Bench& bench, Part& part) {
    const std::vector<std::string> all = splitOutsideBraces(bench.parameters.text("figures"), '|');
    if (all.empty()) return addUnknown(part, {}, {"The check names no figures.", {}});
    if (all.size() > 1) part.dimensions = {"figure"};
    for (const std::string& one : all) {
        const std::size_t colon = one.find(": ");
        const std::string label = colon == std::string::npos ? one : one.substr(0, colon);
        const std::string expression = colon == std::string::npos ? one : one.substr(colon + 2);
        Evaluated evaluated = evaluate(expression, bench.evidence.catalog);
        cite(part, evaluated.figures);
        if (!evaluated.value) {
            addUnknown(part, {label}, std::move(evaluated.missing));
            continue;
        }
        Case c;
        if (!part.dimensions.empty()) c.labels = {label};
        c.found = measure(*evaluated.value, bench.unit);
        if (!evaluated.arithmetic.empty()) c.notes.push_back(std::move(evaluated.arithmetic));
        part.cases.push_back(std::move(c));
    }
}

void checkDate(const Bench& bench, Part& part) {
    const std::string reference = bench.parameters.text("figure");
    const std::optional<catalog::Figure> figure = figureNamed(bench.evidence.catalog, reference);
    if (!figure || figure->value.empty())
        return addUnknown(part, {}, {"The catalog has no figure `{1}`.", {words(reference)}});
    cite(part, {catalog::useOf(*figure)});
    // A year alone doesn't tell whether a month was met.
    if (figure->value.size() < part.claimed.words.size() &&
        part.claimed.words.starts_with(figure->value)) {
        return addUnknown(part, {},
                          {"`{1}` is known as {2} only, and {3} is claimed.",
                           {words(reference), words(figure->value), part.claimed}});
    }
    Case c;
    c.found = words(figure->value);
    part.cases.push_back(std::move(c));
}

void checkPresent(const Bench& bench, Part& part) {
    part.dimensions = {"entry", "figure"};
    for (const std::string& entry : bench.parameters.list("entries")) {
        for (const std::string& key : bench.parameters.list("keys")) {
            const std::optional<catalog::Figure> figure =
                figureNamed(bench.evidence.catalog, entry + "/" + key);
            const std::string id = entry.substr(entry.find('/') + 1);
            Case c;
            c.labels = {id, key};
            c.isMet = figure && !figure->value.empty();
            if (c.isMet) cite(part, {catalog::useOf(*figure)});
            c.found = c.isMet && figure->number ? measure(*figure->number, figure->unit)
                      : c.isMet                 ? words(figure->value)
                                                : words("none");
            part.cases.push_back(std::move(c));
        }
    }
}

void checkOffers(const Bench& bench, Part& part) {
    const catalog::Catalog& catalog = bench.evidence.catalog;
    const std::vector<std::string> units = bench.parameters.list("units");
    std::vector<std::string> regions = bench.parameters.list("regions");
    if (regions.empty()) {
        for (const std::string& unit : units)
            for (const std::string& region : catalog.offeredIn(unit))
                if (std::find(regions.begin(), regions.end(), region) == regions.end())
                    regions.push_back(region);
        std::sort(regions.begin(), regions.end());
    }
    part.dimensions = {"region"};
    for (const std::string& region : regions) {
        std::vector<std::string> offered;
        for (const std::string& unit : units) {
            const std::vector<std::string> places = catalog.offeredIn(unit);
            if (std::find(places.begin(), places.end(), region) != places.end())
                offered.push_back(unit);
        }
        if (const auto offers = figureNamed(catalog, "region/" + region + "/offers"))
            cite(part, {catalog::useOf(*offers)});
        Case c;
        c.labels = {nameOf(catalog, "region", region)};
        c.isMet = !offered.empty();
        c.found = words(c.isMet ? joined(offered) : "none found");
        part.cases.push_back(std::move(c));
    }
}

}  // namespace trainwright::claims
