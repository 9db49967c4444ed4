// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped rows of prices, regions and operation defaults keep what the engine relies on.
#include <gmock/gmock.h>

#include <charconv>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "data/catalog/csv_rows.h"

namespace trainwright::catalog {
namespace {

using ::testing::Contains;
using ::testing::Not;

CsvTable rowsOf(const std::string& file) {
    std::ifstream in(std::string(TRAINWRIGHT_ROWS_FOLDER) + "/" + file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    Outcome<CsvTable> table = readCsv(text.str(), file);
    if (!table) {
        ADD_FAILURE() << table.findings().front().english();
        return {};
    }
    return std::move(table).value();
}

struct Price {
    std::string provider, unit, region, plan, usdPerHour, observed, status, note;
};

std::vector<Price> prices() {
    std::vector<Price> all;
    for (const CsvRow& row : rowsOf("prices.csv").rows) {
        const auto& f = row.fields;
        all.push_back({f[0], f[1], f[2], f[3], f[4], f[5], f[8], f[9]});
    }
    return all;
}

double number(const std::string& text) {
    double value = -1;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

/// Value in use of (entry, key) among the figures of `kind`.
std::map<std::pair<std::string, std::string>, std::string> inUse(const std::string& kind) {
    std::map<std::pair<std::string, std::string>, std::string> values;
    for (const CsvRow& row : rowsOf("figures_" + kind + ".csv").rows) {
        if (row.fields[3] == "adopted" || row.fields[3] == "estimated") {
            values[{row.fields[0], row.fields[1]}] = row.fields[2];
        }
    }
    return values;
}

TEST(PriceRows, OneListedRowForAUnitRegionAndPlan) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, std::vector<Price>>
        groups;
    for (const Price& p : prices()) {
        groups[{p.provider, p.unit, p.region, p.plan}].push_back(p);
    }
    for (const auto& [key, group] : groups) {
        int listed = 0;
        int suspect = 0;
        std::string newest, newestListed;
        for (const Price& p : group) {
            listed += p.status == "listed";
            suspect += p.status == "suspect";
            if (p.status != "suspect") {
                newest = std::max(newest, p.observed);
            }
            if (p.status == "listed") {
                newestListed = p.observed;
            }
        }
        const std::string what =
            std::get<1>(key) + " in " + std::get<2>(key) + ", " + std::get<3>(key);
        EXPECT_EQ(listed, suspect == static_cast<int>(group.size()) ? 0 : 1) << what;
        EXPECT_EQ(newestListed, newest) << what;
    }
}

TEST(PriceRows, BothSidesOfTheCutOfJune2025AreKept) {
    std::map<std::string, std::string> statusOfPrice;
    for (const Price& p : prices()) {
        if (p.unit == "p5.48xlarge" && p.region == "us-east-1" && p.plan == "on_demand") {
            statusOfPrice[p.usdPerHour + " " + p.observed] = p.status;
        }
    }
    EXPECT_EQ(statusOfPrice["98.32 2025-04"], "superseded");
    EXPECT_EQ(statusOfPrice["55.04 2026-11-09"], "listed");
}

TEST(PriceRows, Trainium2IsSoldByTheBlockAndNotOnDemand) {
    std::set<std::string> plans;
    for (const Price& p : prices()) {
        if (p.unit.rfind("trn2.", 0) == 0 && p.status == "listed") {
            plans.insert(p.plan);
        }
    }
    EXPECT_THAT(plans, Contains("capacity_block"));
    EXPECT_THAT(plans, Not(Contains("on_demand")));
}

TEST(PriceRows, EveryRegionHasAnEntry) {
    std::set<std::string> regions;
    for (const CsvRow& row : rowsOf("entries_region.csv").rows) {
        regions.insert(row.fields[0]);
    }
    for (const Price& p : prices()) {
        EXPECT_TRUE(regions.count(p.region)) << p.region;
    }
}

TEST(RegionRows, TheTwoGridSeriesAreApartAndSayTheirMethod) {
    const auto values = inUse("region");
    EXPECT_EQ(values.at({"ca-central-1", "grid_gco2e_per_kwh_2023"}), "30.51");
    EXPECT_EQ(values.at({"ca-central-1", "grid_2024_gco2e_per_kwh_operational"}), "5.48");
    for (const auto& [entryAndKey, value] : values) {
        const auto& [id, key] = entryAndKey;
        if (key == "grid_gco2e_per_kwh_2023" && !value.empty()) {
            EXPECT_TRUE(values.count({id, "grid_method_2023"})) << id;
        }
        if (key == "grid_2024_gco2e_per_kwh_operational" && !value.empty()) {
            EXPECT_TRUE(values.count({id, "grid_method_2024_operational"})) << id;
        }
        if (key == "pue" && !value.empty()) {
            EXPECT_TRUE(values.count({id, "pue_is_global"})) << id;
        }
    }
    EXPECT_EQ(values.at({"eu-west-2", "pue_is_global"}), "1");
    EXPECT_EQ(values.at({"us-east-2", "pue"}), "1.13");
    EXPECT_EQ(values.at({"us-east-2", "pue_is_global"}), "0");
}

TEST(OperationRows, DefaultsThatPlansReadAreThere) {
    const auto values = inUse("operation");
    const struct {
        const char* id;
        const char* key;
        double value;
    } expected[] = {
        {"default.gpu", "interruptions_per_chip_hour", 2.0e-5},
        {"default.trainium", "interruptions_per_chip_hour", 1.4e-5},
        {"default.trainium", "interruption_rate_is_assumption", 1},
        {"default.trainium", "interruptions_per_chip_hour_low", 6e-6},
        {"default.trainium", "interruptions_per_chip_hour_high", 3.4e-5},
        {"default.gpu", "restart_s", 600},
        {"default.gpu", "checkpoint_bytes_per_parameter", 14},
        {"default.gpu", "evaluation_share", 0.01},
        {"default.trainium", "startup_s", 45 * 60 + 4.5 * 60},
        {"default.capacity_block", "max_units", 256},
        {"default.capacity_block", "max_days", 182},
        {"default.capacity_block", "week_after_days", 14},
    };
    for (const auto& e : expected) {
        ASSERT_TRUE(values.count({e.id, e.key})) << e.id << ", " << e.key;
        EXPECT_DOUBLE_EQ(number(values.at({e.id, e.key})), e.value) << e.id << ", " << e.key;
    }
    // 419 unexpected stops in 54 days of 16,384 GPUs.
    EXPECT_NEAR(number(values.at({"default.gpu", "interruptions_per_chip_hour"})),
                419.0 / (16384.0 * 54 * 24), 1e-6);
}

TEST(OperationRows, UnitsWithoutAPriceSayWhy) {
    const auto values = inUse("operation");
    std::set<std::string> priced;
    for (const Price& p : prices()) {
        priced.insert(p.unit);
    }
    for (const CsvRow& row : rowsOf("aliases.csv").rows) {
        if (priced.count(row.fields[0]) && !row.fields[5].empty()) {
            priced.insert(row.fields[5]);
        }
    }
    for (const CsvRow& row : rowsOf("entries_instance.csv").rows) {
        const std::string& unit = row.fields[0];
        EXPECT_TRUE(priced.count(unit) ||
                    values.count({"no_price." + unit, "price_absence_reason"}))
            << unit;
    }
}

}  // namespace
}  // namespace trainwright::catalog
