// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;
using testing::IsEmpty;

class Example : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(Example, ReadsAndResolvesWithoutFindings) {
    const Outcome<Scenario> scenario = readFile(GetParam().string());
    ASSERT_THAT(scenario.findings(), IsEmpty()) << sentences(scenario.findings());
    const Outcome<search::PlanRequest> request = resolve(*scenario, shippedCatalog());
    ASSERT_TRUE(request.ok()) << sentences(request.findings());
    for (const Finding& f : request.findings()) {
        // A published run may stand on a machine that nobody lends.
        EXPECT_THAT(f.text.pattern, testing::StartsWith("{1} is not for rent")) << f.english();
    }
    EXPECT_EQ(request->candidates.size(), scenario->candidates.size());
}

TEST_P(Example, ComparesTrainiumWithGpus) {
    const Outcome<search::PlanRequest> request =
        resolve(*readFile(GetParam().string()), shippedCatalog());
    ASSERT_TRUE(request.ok());
    const auto hasFamily = [&](const std::string& family) {
        return std::any_of(
            request->candidates.begin(), request->candidates.end(),
            [&](const search::CandidateRequest& c) { return c.system.chip.family == family; });
    };
    // No framework trains in FP8 on Trainium.
    EXPECT_EQ(hasFamily("trainium"), request->training.precision != machine::Dtype::Fp8);
    EXPECT_TRUE(hasFamily("gpu"));
}

TEST_P(Example, IsInCanonicalLayout) {
    const std::string text = contentOf(GetParam());
    const Outcome<std::string> formatted = format(text, "s");
    ASSERT_TRUE(formatted.ok());
    EXPECT_THAT(formatted.findings(), IsEmpty());
    EXPECT_EQ(*formatted, text);
}

TEST_P(Example, RestsOnFiguresWithASource) {
    const Outcome<search::PlanRequest> request =
        resolve(*readFile(GetParam().string()), shippedCatalog());
    ASSERT_TRUE(request.ok());
    for (const search::CandidateRequest& c : request->candidates) {
        std::set<std::string> kinds;
        for (const search::FigureUse& f : c.figures) {
            kinds.insert(f.kind);
            EXPECT_FALSE(f.value.empty()) << f.kind << "/" << f.id << "/" << f.key;
            EXPECT_FALSE(f.source.empty()) << f.kind << "/" << f.id << "/" << f.key;
        }
        for (const char* kind : {"system", "chip", "profile", "region", "operation"}) {
            EXPECT_TRUE(kinds.contains(kind)) << c.name << " has no figures of " << kind;
        }
        // Of owned machines the capital is a figure of operations.
        EXPECT_EQ(kinds.contains("price"), c.price.perUnit.has_value() && !c.price.isOwned())
            << c.name;
        EXPECT_TRUE(c.price.perUnit || !c.price.reason.empty()) << c.name;
    }
}

INSTANTIATE_TEST_SUITE_P(Folder, Example, testing::ValuesIn(filesIn(TRAINWRIGHT_EXAMPLES)),
                         [](const auto& tested) {
                             std::string name = tested.param.stem().string();
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char c) { return c == '-' || c == '.'; }, '_');
                             return name;
                         });

TEST(Examples, AreThoseThatPeopleStartFrom) {
    std::vector<std::string> names;
    for (const auto& path : filesIn(TRAINWRIGHT_EXAMPLES))
        names.push_back(path.filename().string());
    EXPECT_THAT(names,
                testing::IsSupersetOf({"gpt3-175b.yaml", "llama3.1-405b.yaml", "llama3.1-70b.yaml",
                                       "llama3.1-70b-purchases.yaml", "llama3.1-8b.yaml",
                                       "project-rainier.yaml", "trn1-gpt3-23b.yaml"}));
}

TEST(Examples, DeepSeekRunsOnItsOwnTrainer) {
    const Outcome<search::PlanRequest> request = resolve(
        *readFile(std::string(TRAINWRIGHT_EXAMPLES) + "/deepseek-v3.yaml"), shippedCatalog());
    ASSERT_TRUE(request.ok());
    const search::CandidateRequest& c = request->candidates.at(0);
    EXPECT_EQ(c.system.id, "hgx-h800");
    EXPECT_EQ(c.profile.id, "hai_llm");
    EXPECT_TRUE(c.layout.isEmpty()) << "the search finds the layout";
    EXPECT_EQ(request->architecture.moe->routedGroups, 4);
}

TEST(Starter, ReadsResolvesAndIsInCanonicalLayout) {
    const Outcome<Scenario> scenario = read(starter(), "starter");
    ASSERT_THAT(scenario.findings(), IsEmpty()) << sentences(scenario.findings());
    const Outcome<search::PlanRequest> request = resolve(*scenario, shippedCatalog());
    ASSERT_THAT(request.findings(), IsEmpty()) << sentences(request.findings());
    const Outcome<std::string> formatted = format(starter(), "starter");
    ASSERT_TRUE(formatted.ok());
    EXPECT_EQ(*formatted, starter());
}

TEST(ToJson, ShowsSeveralPurchasesAndOwnedMachines) {
    const Outcome<Scenario> scenario =
        readFile(std::string(TRAINWRIGHT_EXAMPLES) + "/llama3.1-70b-purchases.yaml");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    const nlohmann::json j = nlohmann::json::parse(toJson(*scenario));
    const nlohmann::json& both = j.at("candidates").at(2).at("purchase");
    ASSERT_TRUE(both.is_array());
    ASSERT_EQ(both.size(), 2U);
    EXPECT_EQ(both[0].at("units"), 192);
    EXPECT_EQ(both[1].at("plan"), "on_demand");
    EXPECT_EQ(both[1].at("units"), nullptr);
    const nlohmann::json& own = j.at("candidates").at(5).at("purchase").at("own");
    EXPECT_EQ(own.at("life_s"), 5 * 365 * 86400);
    EXPECT_EQ(own.at("use"), 0.85);
    EXPECT_EQ(j.at("storage").at("egress_bytes"), 1000000000000);
}

TEST(ToJson, HasEveryKeyWithDefaultsAndUnits) {
    const std::string text =
        soundText() +
        "    purchase: {price_usd_per_hour: 35.5, because: contract}\n"
        "    parallelism: {tensor: 8}\n"
        "constraints: {budget: 3M USD, power: 2 MW}\n"
        "operations: {restart_time: 10 min, mean_time_between_failures: catalog}\n";
    const Outcome<Scenario> scenario = read(text, "s");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    const nlohmann::json j = nlohmann::json::parse(toJson(*scenario));
    EXPECT_EQ(j.at("version"), 1);
    EXPECT_EQ(j.at("training").at("tokens"), 1000000000000);
    EXPECT_EQ(j.at("training").at("global_batch_sequences"), 512);
    EXPECT_EQ(j.at("training").at("precision"), "bf16");
    EXPECT_EQ(j.at("training").at("recompute"), "auto");
    EXPECT_EQ(j.at("candidates").at(0).at("purchase").at("price_usd_per_hour"), 35.5);
    EXPECT_EQ(j.at("candidates").at(0).at("purchase").at("plan"), nullptr);
    EXPECT_EQ(j.at("candidates").at(0).at("parallelism").at("tensor"), 8);
    EXPECT_EQ(j.at("candidates").at(0).at("parallelism").at("pipeline"), nullptr);
    EXPECT_EQ(j.at("candidates").at(0).at("discount"), 0);
    EXPECT_EQ(j.at("constraints").at("budget_usd"), 3000000);
    EXPECT_EQ(j.at("constraints").at("power_w"), 2000000);
    EXPECT_EQ(j.at("constraints").at("memory_headroom"), 0.05);
    EXPECT_EQ(j.at("constraints").at("finish_by"), nullptr);
    EXPECT_EQ(j.at("operations").at("restart_time_s"), 600);
    EXPECT_EQ(j.at("storage").at("dataset_bytes"), 0);
    EXPECT_EQ(j.at("storage").at("checkpoints_kept"), nullptr) << "as the catalog has it";
    EXPECT_EQ(j.at("operations").at("mean_time_between_failures_s"), nullptr);
    EXPECT_EQ(j.at("overrides"), nlohmann::json::array());
    EXPECT_EQ(j.at("uncertainty").at("samples"), 4096);
}

}  // namespace
}  // namespace trainwright::scenario
