// SPDX-License-Identifier: GPL-3.0-or-later
// Limits of a fit in words and numbers, the same in text and JSON.
#pragma once

#include <string>

#include "model/search/fit.h"

namespace trainwright::reports {

struct LimitWords {
    Text name;              ///< "finish date"
    Text brief;             ///< "date"
    Text each;              ///< "a day": what `scale` units of it are called
    double scale = 1;       ///< base units in what people count the limit in
    const char* unit = "";  ///< of JSON: "d", "USD", "W", "kg", "accelerators", "units"
};
[[nodiscard]] LimitWords limitWords(const std::string& limit);

/// An amount of the limit: "4.2 days", "1.3 M USD".
[[nodiscard]] Argument limitAmountText(const std::string& limit, double amount);
/// The limit itself: "2027-05-31", "35 M USD".
[[nodiscard]] std::string limitValueText(const search::BindingLimit& binding);

}  // namespace trainwright::reports
