// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/fit_view.h"

#include "reports/document.h"
#include "reports/number_format.h"

namespace trainwright::reports {

LimitWords limitWords(const std::string& limit) {
    constexpr double kMillion = 1e6;
    constexpr double kKilogramsPerTonne = 1e3;
    if (limit == "finish_by") return {text("finish date"), text("date"), text("a day"), 1, "d"};
    if (limit == "budget")
        return {text("budget"), text("budget"), text("for each M USD"), kMillion, "USD"};
    if (limit == "power") return {text("power"), text("power"), text("for each MW"), kMillion, "W"};
    if (limit == "carbon")
        return {text("carbon"), text("carbon"), text("for each tCO2e"), kKilogramsPerTonne, "kg"};
    if (limit == "accelerators")
        return {text("accelerators"), text("count"), text("for each accelerator"), 1,
                "accelerators"};
    return {text("units that the plan sells at once"), text("plan"), text("for each unit"), 1,
            "units"};
}

Argument limitAmountText(const std::string& limit, double amount) {
    if (limit == "finish_by") return duration(units::days(amount));
    if (limit == "budget") return money(units::UsDollars(amount));
    if (limit == "power") return megawatts(units::Watts(amount));
    if (limit == "carbon") return tonnesCo2(amount);
    if (limit == "accelerators") return text("{1} accelerators", count(amount));
    return text("{1} units", count(amount));
}

std::string limitValueText(const search::BindingLimit& binding) {
    const std::string& limit = binding.limit;
    if (limit == "finish_by")
        return run::isoDate(run::dateFromDays(static_cast<long>(binding.value)));
    if (limit == "budget") return typedMoney(units::UsDollars(binding.value));
    if (limit == "power") return typedMegawatts(units::Watts(binding.value));
    if (limit == "carbon") return tonnesCo2(binding.value);
    return count(binding.value);
}

}  // namespace trainwright::reports
