// SPDX-License-Identifier: GPL-3.0-or-later
// The part of the Catalog that lays a scenario's own figures over the rows.
#include <algorithm>
#include <charconv>
#include <cmath>

#include "data/catalog/catalog.h"
#include "data/catalog/catalog_implementation.h"
#include "model/units/text_quantity.h"

namespace trainwright::catalog {
namespace {

/// A number as a row has it: all of the text, finite.
std::optional<double> rowNumber(const std::string& text) {
    double value = 0;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (code != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
        return std::nullopt;
    }
    return value;
}

std::string listed(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) {
        out += (out.empty() ? "" : ", ") + word;
    }
    return out;
}

}  // namespace

void Catalog::Implementation::applyOverrides(const std::string& kind, const std::string& id,
                                             std::vector<Figure>& figures) const {
    for (const Override& o : overrides) {
        if (o.kind != kind || o.id != id) {
            continue;
        }
        const auto first = std::find_if(figures.begin(), figures.end(),
                                        [&](const Figure& f) { return f.key == o.key; });
        if (first == figures.end()) {
            continue;
        }
        Figure own = *first;
        own.value = o.value;
        own.number = first->type == "text" ? std::nullopt : rowNumber(o.value);
        own.status = Status::Adopted;
        own.overridden = true;
        own.source = Source{"scenario", "the scenario", "", "", ""};
        own.observed.clear();
        own.confidence.clear();
        own.note = o.because;
        for (Figure& f : figures) {
            if (f.key == o.key && (f.status == Status::Adopted || f.status == Status::Estimated)) {
                f.status = Status::Superseded;
            }
        }
        figures.insert(first, std::move(own));
    }
}

Outcome<Catalog> Catalog::withOverrides(const std::vector<Override>& overrides) const {
    std::vector<Finding> findings;
    const auto refuse = [&](std::size_t index, std::string pattern,
                            std::vector<Argument> arguments) {
        findings.push_back(Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                                   Place{{}, 0, 0, std::to_string(index)}});
    };
    for (std::size_t i = 0; i < overrides.size(); ++i) {
        const Override& o = overrides[i];
        const std::vector<std::string>& known = kinds();
        if (std::find(known.begin(), known.end(), o.kind) == known.end()) {
            const std::vector<std::string> near = units::nearestWords(o.kind, known, 1);
            if (near.empty()) {
                refuse(i, "`{1}` is not a kind of the catalog. The kinds are {2}.",
                       {o.kind, listed(known)});
            } else {
                refuse(i, "`{1}` is not a kind of the catalog. Nearest: {2}.",
                       {o.kind, near.front()});
            }
            continue;
        }
        if (!implementation_->entry(o.kind, o.id)) {
            const std::optional<std::string> other = kindOf(o.id);
            const std::vector<std::string> near = nearest(o.kind, o.id);
            if (other) {
                refuse(i, "`{1}` is not of the kind {2}, but of the kind {3}.",
                       {o.id, o.kind, *other});
            } else if (near.empty()) {
                refuse(i, "The catalog has no {1} `{2}`.", {o.kind, o.id});
            } else {
                refuse(i, "The catalog has no {1} `{2}`. Nearest: {3}.",
                       {o.kind, o.id, listed(near)});
            }
            continue;
        }
        const std::vector<Figure> figures = implementation_->figures(o.kind, o.id);
        const auto figure = std::find_if(figures.begin(), figures.end(),
                                         [&](const Figure& f) { return f.key == o.key; });
        if (figure == figures.end()) {
            std::vector<std::string> keys;
            for (const Figure& f : figures) {
                if (keys.empty() || keys.back() != f.key) {
                    keys.push_back(f.key);
                }
            }
            const std::vector<std::string> near = units::nearestWords(o.key, keys);
            if (near.empty()) {
                refuse(i, "{1} `{2}` has no figure `{3}`. `catalog show {2}` lists them.",
                       {o.kind, o.id, o.key});
            } else {
                refuse(i, "{1} `{2}` has no figure `{3}`. Nearest: {4}.",
                       {o.kind, o.id, o.key, listed(near)});
            }
            continue;
        }
        if (figure->type == "number" && !rowNumber(o.value)) {
            refuse(i, "`{1}` is no number, where {2} is one, in {3}.",
                   {o.value, o.key, figure->unit.empty() ? "no unit" : figure->unit});
        }
        if (figure->type == "flag" && o.value != "0" && o.value != "1") {
            refuse(i, "`{1}` is neither true nor false, as {2} is.", {o.value, o.key});
        }
    }
    if (!findings.empty()) {
        return findings;
    }
    auto implementation = std::make_unique<Implementation>(implementation_->path);
    implementation->calibration = implementation_->calibration;
    implementation->overlay = implementation_->overlay;
    implementation->overrides = implementation_->overrides;
    implementation->priceOverrides = implementation_->priceOverrides;
    implementation->overrides.insert(implementation->overrides.end(), overrides.begin(),
                                     overrides.end());
    return Catalog(std::move(implementation));
}

}  // namespace trainwright::catalog
