// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "reports/json_text.h"
#include "reports/report.h"
#include "tests/reports/golden.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using nlohmann::json;

const json& named(const json& plan, const std::string& name) {
    for (const json& candidate : plan.at("candidates"))
        if (candidate.at("name") == name) return candidate;
    throw std::out_of_range(name);
}

json plan() {
    return json::parse(planJson(fixture::planRequest(), fixture::planResult(), fixture::context()));
}

TEST(PlanJson, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(
        planJson(fixture::planRequest(), fixture::planResult(), fixture::context()), "plan.json"));
}

TEST(ExplainJson, MatchesGolden) {
    const auto request = fixture::planRequest();
    const auto candidate = fixture::planResult().candidates[1];
    EXPECT_TRUE(matchesGolden(
        explainJson(request, candidate, fixture::views(request, candidate), fixture::context()),
        "explain.json"));
}

TEST(ExplainJson, HasOnlyTheViewsThatAreAskedFor) {
    const auto request = fixture::planRequest();
    const auto candidate = fixture::planResult().candidates[1];
    ExplainedViews views;
    const json overview = json::parse(explainJson(request, candidate, views, fixture::context()));
    EXPECT_TRUE(overview.contains("operators"));
    for (const char* view : {"roofline", "memory", "schedule", "network"})
        EXPECT_FALSE(overview.contains(view)) << view;
    views = fixture::views(request, candidate);
    views.overview = false;
    const json all = json::parse(explainJson(request, candidate, views, fixture::context()));
    EXPECT_FALSE(all.contains("operators"));
    for (const char* view : {"roofline", "memory", "schedule", "network"})
        EXPECT_TRUE(all.contains(view)) << view;
    EXPECT_EQ(all.at("candidate").at("front").size(), 15U);
    EXPECT_EQ(all.at("schedule").at("tasks").size(), 32U);
}

TEST(PlanJson, HasThePromisedShape) {
    const json all = plan();
    EXPECT_EQ(all.at("schema"), "trainwright/plan/1");
    EXPECT_EQ(all.at("scenario").at("training").at("tokens"), 15000000000000);
    EXPECT_EQ(all.at("candidates").size(), 5U);
    for (const json& c : all.at("candidates")) {
        for (const char* key : {"name", "system"}) EXPECT_TRUE(c.at(key).is_string()) << key;
        EXPECT_TRUE(c.at("accelerators").is_number_integer());
        EXPECT_TRUE(c.at("instances").is_number_integer());
        EXPECT_TRUE(c.at("feasible").is_boolean());
        EXPECT_TRUE(c.at("reasons").is_array());
        for (const char* key :
             {"tensor_parallel", "pipeline_parallel", "virtual_stages", "context_parallel",
              "expert_parallel", "data_parallel", "micro_batch", "micro_batches"})
            EXPECT_TRUE(c.at("layout").at(key).is_number_integer()) << key;
        EXPECT_TRUE(c.at("layout").at("sequence_parallel").is_boolean());
        EXPECT_TRUE(c.at("layout").at("sharding").is_string());
        EXPECT_TRUE(c.at("layout").at("recompute").is_string());
        for (const char* key :
             {"step_time_s", "tokens_per_s", "mfu_model", "mfu_palm", "hfu", "days", "goodput",
              "price_usd_per_hour", "energy_kwh", "average_power_w", "peak_power_w", "co2_kg"})
            EXPECT_TRUE(c.at(key).is_number() || c.at(key).is_null()) << key;
        for (const char* key : {"compute", "total"})
            EXPECT_TRUE(c.at("cost_usd").at(key).is_number() || c.at("cost_usd").at(key).is_null())
                << key;
        EXPECT_TRUE(c.at("memory").at("peak_bytes").is_number());
        EXPECT_TRUE(c.at("memory").at("capacity_bytes").is_number());
        EXPECT_TRUE(c.at("grade").is_string());
        EXPECT_TRUE(c.at("bottleneck").is_string() || c.at("bottleneck").is_null());
    }
}

TEST(PlanJson, MoneyAddsUpAndIsHeldAgainstGpus) {
    const json all = plan();
    for (const json& c : all.at("candidates")) {
        const json& cost = c.at("cost_usd");
        if (cost.at("total").is_null()) continue;
        double sum = 0;
        for (const char* line : {"compute", "storage", "egress", "electricity", "operation"})
            sum += cost.at(line).is_null() ? 0 : cost.at(line).get<double>();
        EXPECT_NEAR(sum, cost.at("total").get<double>(), 1e-9 * sum) << c.at("name");
        EXPECT_NEAR(c.at("unit_costs").at("usd_per_trillion_tokens").get<double>() * 15, sum,
                    1e-9 * sum);
        EXPECT_NEAR(c.at("unit_costs").at("usd_per_petaflop_day").get<double>() *
                        c.at("unit_costs").at("petaflop_days").get<double>(),
                    sum, 1e-9 * sum);
        EXPECT_GE(c.at("against").size(), 1U);
        for (const json& other : c.at("against")) {
            const double theirs =
                named(all, other.at("candidate")).at("cost_usd").at("total").get<double>();
            EXPECT_NEAR(other.at("cost_ratio").get<double>(), sum / theirs, 1e-9);
            EXPECT_NEAR(other.at("equal_usd_per_unit_hour").get<double>() *
                                c.at("unit_hours").get<double>() +
                            cost.at("storage").get<double>(),
                        theirs, 1e-9 * theirs);
        }
    }
    EXPECT_EQ(named(all, "trn2-block").at("against").size(), 2U) << "H100 and H200";
    EXPECT_TRUE(named(all, "trn2-block").at("against")[0].at("gpu_baseline"));
    // One without a price is told at which price it would be worth it.
    const json& unpriced = named(all, "trn3-g2");
    ASSERT_FALSE(unpriced.at("against").empty());
    EXPECT_TRUE(unpriced.at("against")[0].at("cost_ratio").is_null());
    EXPECT_TRUE(unpriced.at("ownership").is_null());
    EXPECT_DOUBLE_EQ(named(all, "h100-od").at("ownership").at("break_even_months").get<double>(),
                     9.84);
}

TEST(PlanJson, ShowsSeveralPurchases) {
    search::PlanRequest request = fixture::planRequest();
    search::PlanResult result = fixture::planResult();
    ASSERT_EQ(request.candidates[0].name, "h100-od");
    EXPECT_TRUE(named(plan(), "h100-od").at("purchases").is_null());
    run::Price base = request.candidates[0].price;
    base.plan = "reserved_1y_partial_upfront";
    base.termDays = 365;
    base.upfrontShare = 0.5;
    request.candidates[0].portions = {{300, base}, {84, request.candidates[0].price}};
    result.candidates[0].run.money.portions = {{300, 66, units::UsDollars(26e6)},
                                               {84, 66, units::UsDollars(7e6)}};
    const json all = json::parse(planJson(request, result, fixture::context()));
    const json& purchases = named(all, "h100-od").at("purchases");
    ASSERT_EQ(purchases.size(), 2U);
    EXPECT_EQ(purchases[0].at("units"), 300);
    EXPECT_EQ(purchases[0].at("commitment"), "shared");
    EXPECT_EQ(purchases[0].at("upfront_share"), 0.5);
    EXPECT_EQ(purchases[0].at("cost_usd"), 26e6);
    EXPECT_TRUE(purchases[1].at("commitment").is_null());
}

TEST(PlanJson, PartsAddUp) {
    const json all = plan();
    for (const json& c : all.at("candidates")) {
        double bytes = 0;
        for (const json& part : c.at("memory").at("by_kind_bytes")) bytes += part.get<double>();
        EXPECT_NEAR(bytes, c.at("memory").at("peak_bytes").get<double>(), 1e-6 * bytes);
        if (c.at("time_breakdown_s").is_null()) continue;
        EXPECT_EQ(c.at("time_breakdown_s").size(),
                  static_cast<std::size_t>(layout::kTimePartCount));
        double seconds = 0;
        for (const json& part : c.at("time_breakdown_s")) seconds += part.get<double>();
        EXPECT_NEAR(seconds, c.at("step_time_s").get<double>(), 1e-9 * seconds);
        if (c.at("cost_usd").at("total").is_null()) continue;
        const json& cost = c.at("cost_usd");
        EXPECT_NEAR(cost.at("useful").get<double>() + cost.at("lost").get<double>() +
                        cost.at("rounding").get<double>(),
                    cost.at("compute").get<double>(), 1e-6 * cost.at("compute").get<double>());
    }
}

TEST(PlanJson, WhatIsNotKnownIsNull) {
    const json all = plan();
    const json& noPrice = named(all, "trn3-g2");
    EXPECT_TRUE(noPrice.at("cost_usd").at("total").is_null());
    EXPECT_TRUE(noPrice.at("cost_usd").at("compute").is_null());
    EXPECT_TRUE(noPrice.at("price_usd_per_hour").is_null());
    EXPECT_TRUE(noPrice.at("rank").is_null());
    EXPECT_TRUE(noPrice.at("days").is_number());
    EXPECT_EQ(noPrice.at("reasons").size(), 1U);

    const json& infeasible = named(all, "a100");
    for (const char* key : {"step_time_s", "tokens_per_s", "mfu_model", "days", "goodput", "finish",
                            "energy_kwh", "average_power_w", "co2_kg", "time_breakdown_s"})
        EXPECT_TRUE(infeasible.at(key).is_null()) << key;
    EXPECT_FALSE(infeasible.at("reasons").empty());
    EXPECT_TRUE(infeasible.at("memory").at("peak_bytes").is_number()) << "what is needed is known";

    const json bare = json::parse(planJson(fixture::bareRequest(), fixture::bareResult(), {}));
    EXPECT_TRUE(bare.at("scenario").is_null());
    EXPECT_TRUE(named(bare, "bare").at("days").is_null());
    EXPECT_TRUE(named(bare, "never").at("days").is_null());
    EXPECT_TRUE(named(bare, "never").at("goodput").is_null());
    EXPECT_EQ(bare.at("candidates").size(), 2U);
}

TEST(PlanJson, HasBandsAndTornadoes) {
    const json all = plan();
    for (const json& c : all.at("candidates")) {
        if (!c.at("feasible").get<bool>()) {
            EXPECT_TRUE(c.at("bands").is_null());
            EXPECT_TRUE(c.at("tornado").empty());
            continue;
        }
        for (const char* key : {"days", "cost_usd", "energy_kwh", "step_time_s"}) {
            const json& band = c.at("bands").at(key);
            if (band.is_null()) {
                EXPECT_TRUE(c.at("cost_usd").at("total").is_null()) << key;
                continue;
            }
            EXPECT_LT(band.at("p10"), band.at("p50")) << key;
            EXPECT_LT(band.at("p50"), band.at("p90")) << key;
        }
        EXPECT_EQ(c.at("bands").at("samples"), 4096);
        EXPECT_EQ(c.at("bands").at("seed"), 1);
        EXPECT_EQ(c.at("bands").at("chances").at("finish_by"), 0.82);
        ASSERT_EQ(c.at("tornado").size(), 6U);
        for (const json& s : c.at("tornado")) {
            for (const char* key : {"id", "input", "unit"}) EXPECT_TRUE(s.at(key).is_string());
            EXPECT_LT(s.at("low"), s.at("high"));
            EXPECT_TRUE(s.at("days_at_low").is_number() && s.at("days_at_high").is_number());
            EXPECT_EQ(s.at("cost_usd_at_low").is_null(), c.at("cost_usd").at("total").is_null());
        }
        EXPECT_EQ(c.at("tornado").at(2).at("members").size(), 2U);
        EXPECT_EQ(c.at("tornado").at(3).at("unit"), "interruptions_per_chip_hour");
    }
    auto result = fixture::planResult();
    result.candidates[1].bands->days.p90 = INFINITY;
    const json endless = json::parse(planJson(fixture::planRequest(), result, fixture::context()));
    EXPECT_TRUE(named(endless, "trn2-block").at("bands").at("days").at("p90").is_null());
}

TEST(PlanJson, TellsWhatItsMachineMeasuredOnlyWhenAsked) {
    EXPECT_TRUE(plan().at("candidates").at(0).at("search").at("wall_s").is_null());
    EXPECT_TRUE(plan().at("candidates").at(0).at("search").at("threads").is_null());
    ReportContext context = fixture::context();
    context.withMeasurements = true;
    const json all = json::parse(planJson(fixture::planRequest(), fixture::planResult(), context));
    EXPECT_EQ(all.at("candidates").at(0).at("search").at("wall_s"), 0.25);
    EXPECT_EQ(all.at("candidates").at(0).at("search").at("threads"), 2);
}

TEST(PlanJson, IsInOrderOfMerit) {
    const json all = plan();
    std::vector<std::string> names;
    for (const json& c : all.at("candidates")) names.push_back(c.at("name"));
    EXPECT_EQ(names,
              (std::vector<std::string>{"trn2-block", "h200-block", "h100-od", "trn3-g2", "a100"}));
}

TEST(PlanJson, StaysValidWhateverTheTextsHold) {
    ReportContext context = fixture::context();
    context.command = context.scenarioFile = fixture::hostileText();
    context.scenarioJson = "{not json";
    for (const std::string& text :
         {planJson(fixture::hostileRequest(), fixture::hostileResult(), context),
          explainJson(
              fixture::hostileRequest(), fixture::hostileResult().candidates[1],
              fixture::views(fixture::hostileRequest(), fixture::hostileResult().candidates[1]),
              context)}) {
        const json parsed = json::parse(text, nullptr, false);
        ASSERT_FALSE(parsed.is_discarded());
        EXPECT_TRUE(parsed.at("scenario").is_null());
        for (char c : text) EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
        EXPECT_EQ(text.find("</script"), std::string::npos);
        EXPECT_NE(text.find("漢字"), std::string::npos);
    }
}

TEST(JsonText, WritesNumbersShortAndExact) {
    EXPECT_EQ(jsonText(0.1), "0.1");
    EXPECT_EQ(jsonText(-0.0), "0");
    EXPECT_EQ(jsonText(1e22), "1e+22");
    EXPECT_EQ(jsonText(5e-324), "5e-324");
    EXPECT_EQ(jsonText(25769803776.0), "25769803776");
    EXPECT_EQ(jsonText(std::nan("")), "null");
    EXPECT_EQ(jsonText(INFINITY), "null");
    EXPECT_EQ(jsonText(15000000000000L), "15000000000000");
    EXPECT_EQ(jsonText(Json::array()), "[]");
    EXPECT_EQ(jsonText(Json{{"b", 1}, {"a", Json::object()}}), "{\n  \"b\": 1,\n  \"a\": {}\n}");
    EXPECT_EQ(jsonQuoted("\"\\\n\t\x01/<é"), "\"\\\"\\\\\\n\\t\\u0001/\\u003cé\"");
}

}  // namespace
}  // namespace trainwright::reports
