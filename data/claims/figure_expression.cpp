// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/figure_expression.h"

#include <algorithm>

#include "data/catalog/figure_set.h"
#include "data/claims/parameters.h"

namespace trainwright::claims {
namespace {

using catalog::Figure;
using catalog::isInUse;

struct Reference {
    std::string kind, id, key;
};

/// "kind/id/key"; an id may hold slashes, a kind and a key don't.
std::optional<Reference> referenceIn(const std::string& text) {
    const std::size_t first = text.find('/');
    const std::size_t last = text.rfind('/');
    if (first == std::string::npos || first == last) return std::nullopt;
    return Reference{text.substr(0, first), text.substr(first + 1, last - first - 1),
                     text.substr(last + 1)};
}

Sentence unwritten(const std::string& what, const std::string& expression) {
    return {"`{1}` in `{2}` is neither a number nor a figure of the catalog.",
            {words(what), words(expression)}};
}

std::string placeholder(std::size_t number) {
    return "{" + std::to_string(number) + "}";
}

}  // namespace

std::optional<Figure> figureNamed(const catalog::Catalog& catalog, const std::string& reference) {
    const std::optional<Reference> r = referenceIn(reference);
    if (!r) return std::nullopt;
    const std::vector<Figure> figures = catalog.figures(r->kind, r->id);
    const auto found = std::find_if(figures.begin(), figures.end(),
                                    [&](const Figure& f) { return f.key == r->key && isInUse(f); });
    if (found == figures.end()) return std::nullopt;
    return *found;
}

Evaluated evaluate(const std::string& expression, const catalog::Catalog& catalog) {
    Evaluated out;
    const std::vector<std::string> tokens = splitOutsideBraces(expression, ' ');
    double value = 1;
    char sign = '*';
    bool expectsFactor = true;
    std::size_t references = 0;
    for (const std::string& token : tokens) {
        const bool isSign = token == "*" || token == "/";
        if (isSign == expectsFactor) {
            out.missing = unwritten(token, expression);
            return out;
        }
        expectsFactor = !expectsFactor;
        if (isSign) {
            sign = token.front();
            continue;
        }
        std::optional<double> factor = numberIn(token);
        Measure shown = measure(factor.value_or(0), "count");
        if (!factor) {
            const std::optional<Figure> figure = figureNamed(catalog, token);
            if (!referenceIn(token)) {
                out.missing = unwritten(token, expression);
                return out;
            }
            if (!figure) {
                out.missing = {"The catalog has no figure `{1}`.", {words(token)}};
                return out;
            }
            out.figures.push_back(catalog::useOf(*figure));
            if (!figure->number) {
                out.missing = {"`{1}` isn't known: {2}.", {words(token), words(figure->note)}};
                return out;
            }
            ++references;
            factor = figure->number;
            shown = measure(*factor, figure->unit);
        }
        out.arithmetic.pattern += (out.arithmetic.pattern.empty() ? ""
                                   : sign == '*'                  ? " × "
                                                                  : " / ") +
                                  placeholder(out.arithmetic.arguments.size() + 1);
        out.arithmetic.arguments.push_back(std::move(shown));
        value = sign == '*' ? value * *factor : value / *factor;
    }
    if (tokens.empty() || expectsFactor) {
        out.missing = unwritten(tokens.empty() ? "" : tokens.back(), expression);
        return out;
    }
    out.value = value;
    if (out.arithmetic.arguments.size() < 2) {
        out.arithmetic = {};
        if (references == 1) {
            const std::optional<Reference> r = referenceIn(tokens.front());
            for (const Figure& f : catalog.figures(r->kind, r->id))
                if (f.key == r->key && !isInUse(f)) out.figures.push_back(catalog::useOf(f));
        }
    }
    return out;
}

}  // namespace trainwright::claims
