// SPDX-License-Identifier: GPL-3.0-or-later
// The figures in use of one entry, looked up by key; what was asked for in vain is remembered.
//
// A set may stand over another: a cluster gives some figures itself and takes the rest from the
// machine it is made of. Rows that are not in use (conflicting, superseded, rejected) and rows
// without a value are as if they were not there. It does not convert units: figures are in SI base
// units already.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/units/outcome.h"

namespace trainwright::catalog {

[[nodiscard]] inline bool isInUse(const Figure& figure) {
    return figure.status == Status::Adopted || figure.status == Status::Estimated;
}

class FigureSet {
public:
    /// `id` names the entry in findings.
    FigureSet(std::string id, const std::vector<Figure>& figures);

    /// Takes what is missing from `figures`.
    void addFallback(const std::vector<Figure>& figures);

    [[nodiscard]] const Figure* find(const std::string& key) const;
    [[nodiscard]] std::optional<double> number(const std::string& key) const;
    [[nodiscard]] double numberOr(const std::string& key, double otherwise) const;
    [[nodiscard]] int integerOr(const std::string& key, int otherwise) const;
    [[nodiscard]] std::string text(const std::string& key) const;  ///< "" when there is none
    [[nodiscard]] bool flag(const std::string& key) const;         ///< false when there is none

    /// As the above; a key without figure is remembered as missing.
    [[nodiscard]] double required(const std::string& key);
    [[nodiscard]] int requiredInteger(const std::string& key);
    [[nodiscard]] std::string requiredText(const std::string& key);

    /// Remembers that the text of `key` could not be read; `expected` shows what one looks like.
    void malformed(const std::string& key, const std::string& expected);

    /// One finding for all the missing figures, one for each malformed.
    [[nodiscard]] const std::vector<Finding>& findings();

private:
    std::string id_;
    std::map<std::string, Figure> figures_;
    std::vector<std::string> missing_;
    std::vector<Finding> findings_;
};

}  // namespace trainwright::catalog
