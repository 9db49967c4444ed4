// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/figure_set.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace trainwright::catalog {

FigureSet::FigureSet(std::string id, const std::vector<Figure>& figures) : id_(std::move(id)) {
    addFallback(figures);
}

void FigureSet::addFallback(const std::vector<Figure>& figures) {
    for (const Figure& figure : figures) {
        if (isInUse(figure) && !figure.value.empty()) {
            figures_.emplace(figure.key, figure);
        }
    }
}

const Figure* FigureSet::find(const std::string& key) const {
    const auto found = figures_.find(key);
    return found == figures_.end() ? nullptr : &found->second;
}

std::optional<double> FigureSet::number(const std::string& key) const {
    const Figure* figure = find(key);
    return figure == nullptr ? std::nullopt : figure->number;
}

double FigureSet::numberOr(const std::string& key, double otherwise) const {
    return number(key).value_or(otherwise);
}

int FigureSet::integerOr(const std::string& key, int otherwise) const {
    const std::optional<double> value = number(key);
    return value ? static_cast<int>(std::lround(*value)) : otherwise;
}

std::string FigureSet::text(const std::string& key) const {
    const Figure* figure = find(key);
    return figure == nullptr ? std::string() : figure->value;
}

bool FigureSet::flag(const std::string& key) const {
    return text(key) == "1";
}

double FigureSet::required(const std::string& key) {
    const std::optional<double> value = number(key);
    if (!value && std::find(missing_.begin(), missing_.end(), key) == missing_.end()) {
        missing_.push_back(key);
    }
    return value.value_or(0.0);
}

int FigureSet::requiredInteger(const std::string& key) {
    return static_cast<int>(std::lround(required(key)));
}

std::string FigureSet::requiredText(const std::string& key) {
    if (find(key) == nullptr) {
        missing_.push_back(key);
    }
    return text(key);
}

void FigureSet::malformed(const std::string& key, const std::string& expected) {
    findings_.push_back(Finding{Severity::Error,
                                Text{"{1}: {2} is \"{3}\"; something like {4} is expected",
                                     {id_, key, text(key), expected}},
                                {}});
}

const std::vector<Finding>& FigureSet::findings() {
    if (!missing_.empty()) {
        findings_.push_back(
            Finding{Severity::Error,
                    Text{"{1} can be looked up but not planned with: the catalog has "
                         "no figure for {2}",
                         {id_, fmt::format("{}", fmt::join(missing_, ", "))}},
                    {}});
        missing_.clear();
    }
    return findings_;
}

}  // namespace trainwright::catalog
