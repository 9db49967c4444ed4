// SPDX-License-Identifier: GPL-3.0-or-later
// A product or quotient of catalog figures: "16 * chip/trainium1/hbm_bytes".
//
// Factors are numbers or kind/id/key, with * or / between them, each with a space on both sides,
// worked out from left to right. A figure that the catalog doesn't have, or has without a value, is
// told apart from one that isn't written right.
#pragma once

#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "model/claims/claim.h"

namespace trainwright::claims {

/// The row in use of "kind/id/key"; nullopt if there is none.
[[nodiscard]] std::optional<catalog::Figure> figureNamed(const catalog::Catalog& catalog,
                                                         const std::string& reference);

struct Evaluated {
    std::optional<double> value;
    Sentence missing;     ///< why there is none
    Sentence arithmetic;  ///< the factors with their values, where there are several
    std::vector<search::FigureUse> figures;  ///< used; of a lone figure its rivals, too
};

[[nodiscard]] Evaluated evaluate(const std::string& expression, const catalog::Catalog& catalog);

}  // namespace trainwright::claims
