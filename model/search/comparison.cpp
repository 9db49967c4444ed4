// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/comparison.h"

namespace trainwright::search {

const char* name(ChangeKind kind) {
    static constexpr std::array<const char*, 4> kNames{"input", "price", "figures", "calibration"};
    return kNames[static_cast<std::size_t>(kind)];
}

const char* name(Quantity quantity) {
    static constexpr std::array<const char*, kQuantityCount> kNames{
        "days", "cost_usd", "energy_kwh", "average_power_w", "peak_power_w", "mfu_model"};
    return kNames[static_cast<std::size_t>(quantity)];
}

}  // namespace trainwright::search
