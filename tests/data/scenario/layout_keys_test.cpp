// SPDX-License-Identifier: GPL-3.0-or-later
// What a scenario says of the layout and of the numbers that are trained in, down to the engine's
// structs.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "model/workload/operators.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;
using layout::Axis;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// soundText() with `parallelism` of its candidate.
std::string withLayout(const std::string& parallelism) {
    return soundText() + "    parallelism: {" + parallelism + "}\n";
}

layout::LayoutChoice choice(const std::string& parallelism) {
    const Outcome<Scenario> s = read(withLayout(parallelism), "s");
    EXPECT_TRUE(s.ok()) << parallelism << "\n" << sentences(s.findings());
    return s.ok() ? s->candidates.at(0).parallelism : layout::LayoutChoice{};
}

layout::TrainingSpec training(const std::string& lines) {
    const Outcome<Scenario> s = read(soundWith("  tokens: 1T\n", "  tokens: 1T\n" + lines), "s");
    EXPECT_TRUE(s.ok()) << lines << "\n" << sentences(s.findings());
    return s.ok() ? s->training : layout::TrainingSpec{};
}

std::vector<Finding> resolvedFindings(const std::string& text) {
    const Outcome<Scenario> s = read(text, "s");
    EXPECT_TRUE(s.ok()) << sentences(s.findings());
    if (!s.ok()) return {};
    const Outcome<search::PlanRequest> request = resolve(*s, shippedCatalog());
    EXPECT_TRUE(request.ok()) << sentences(request.findings());
    return request.findings();
}

TEST(LayoutKeys, AutoEverywhereIsAnEmptyChoice) {
    EXPECT_TRUE(choice("").isEmpty());
    EXPECT_TRUE(choice("expert_tensor: auto, shard_degree: auto, recompute_every: auto, "
                       "recompute_groups: auto, first_stage_layers: auto, "
                       "last_stage_layers: auto, context_exchange: auto, rank_order: auto, "
                       "offload: auto, schedule: auto")
                    .isEmpty());
}

TEST(LayoutKeys, ReachTheLayoutChoice) {
    const layout::LayoutChoice l = choice(
        "expert: 64, expert_tensor: 1, shard_degree: 32, recompute: selective, "
        "recompute_groups: [norm, mlp_activation], first_stage_layers: 3, "
        "last_stage_layers: 2, context_exchange: all_to_all, "
        "rank_order: [tensor, context, expert, pipeline, data], offload: both, "
        "schedule: dualpipe");
    EXPECT_EQ(l.expert, 64);
    EXPECT_EQ(l.expertTensor, 1);
    EXPECT_EQ(l.shardDegree, 32);
    EXPECT_EQ(l.recompute, layout::Recompute::Selective);
    EXPECT_EQ(l.recomputeGroups, workload::kNorm | workload::kMlpActivation);
    EXPECT_EQ(l.firstStageLayers, 3);
    EXPECT_EQ(l.lastStageLayers, 2);
    EXPECT_EQ(l.contextExchange, layout::ContextExchange::AllToAll);
    ASSERT_TRUE(l.rankOrder.has_value());
    EXPECT_THAT(*l.rankOrder,
                ElementsAre(Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline, Axis::Data));
    EXPECT_EQ(l.offloadOptimizer, true);
    EXPECT_EQ(l.offloadActivations, true);
    EXPECT_EQ(l.schedule, layout::Schedule::DualPipe);
}

TEST(LayoutKeys, EveryScheduleOfTheEngineCanBeWritten) {
    using layout::Schedule;
    for (const Schedule s : {Schedule::GPipe, Schedule::OneForwardOneBackward,
                             Schedule::Interleaved, Schedule::ZeroBubble, Schedule::DualPipe}) {
        EXPECT_EQ(choice(std::string("schedule: ") + layout::name(s)).schedule, s);
    }
}

TEST(LayoutKeys, EveryRecomputeGroupOfTheEngineCanBeWritten) {
    for (const std::string_view name : workload::recomputeGroupNames()) {
        const layout::LayoutChoice l = choice("recompute_groups: [" + std::string(name) + "]");
        EXPECT_EQ(l.recomputeGroups, workload::recomputeGroup(name)) << name;
        EXPECT_EQ(l.recompute, layout::Recompute::Selective) << name;
    }
}

TEST(LayoutKeys, OffloadIsLeftOpenOrGivenInFull) {
    const struct {
        const char* word;
        std::optional<bool> optimizer, activations;
    } cases[] = {{"auto", std::nullopt, std::nullopt},
                 {"none", false, false},
                 {"optimizer", true, false},
                 {"activations", false, true},
                 {"both", true, true}};
    for (const auto& c : cases) {
        const layout::LayoutChoice l = choice(std::string("offload: ") + c.word);
        EXPECT_EQ(l.offloadOptimizer, c.optimizer) << c.word;
        EXPECT_EQ(l.offloadActivations, c.activations) << c.word;
    }
}

TEST(LayoutKeys, EveryNthLayerMeansFullRecompute) {
    const layout::LayoutChoice l = choice("recompute_every: 2");
    EXPECT_EQ(l.recomputeEvery, 2);
    EXPECT_EQ(l.recompute, layout::Recompute::Full);
}

TEST(LayoutKeys, AreIdsOfTheSameWordsInJson) {
    const Outcome<Scenario> s = read(
        withLayout("recompute_groups: [mlp, norm], shard_degree: 8, schedule: zero_bubble"), "s");
    ASSERT_TRUE(s.ok()) << sentences(s.findings());
    const nlohmann::json j = nlohmann::json::parse(toJson(*s)).at("candidates").at(0);
    const nlohmann::json& l = j.at("parallelism");
    EXPECT_EQ(l.at("recompute_groups"), nlohmann::json::parse(R"(["mlp", "norm"])"));
    EXPECT_EQ(l.at("rank_order"), nullptr);
    EXPECT_EQ(l.at("shard_degree"), 8);
    EXPECT_EQ(l.at("expert_tensor"), nullptr);
    EXPECT_EQ(l.at("schedule"), "zero_bubble");
    EXPECT_EQ(l.at("offload"), "auto");
}

TEST(LayoutKeys, ListsKeepTheirLayoutWhenFormatted) {
    const std::string text = soundText() +
                             "    parallelism:\n"
                             "      schedule: dualpipe\n"
                             "      recompute_groups: [norm, mlp_activation]  # two of them\n"
                             "      rank_order:\n"
                             "        - tensor\n"
                             "        - context\n"
                             "        - expert\n"
                             "        - data\n"
                             "        - pipeline\n";
    const Outcome<std::string> formatted = format(text, "s");
    ASSERT_TRUE(formatted.ok()) << sentences(formatted.findings());
    EXPECT_EQ(*formatted, text);
    const Outcome<Scenario> s = read(text, "s");
    ASSERT_TRUE(s.ok()) << sentences(s.findings());
    EXPECT_EQ(s->candidates.at(0).parallelism.rankOrder->size(), 5U);
}

TEST(TrainingKeys, AreTheCatalogsWhereNothingIsSaid) {
    for (const char* lines : {"",
                              "  gradient_dtype: catalog\n  optimizer_state_dtype: catalog\n"
                              "  scaling_recipe: catalog\n  expert_load_imbalance: catalog\n"
                              "  expert_capacity_factor: dropless\n"}) {
        const layout::TrainingSpec t = training(lines);
        EXPECT_FALSE(t.gradientBytes);
        EXPECT_FALSE(t.optimizerStateBytes);
        EXPECT_FALSE(t.scalingRecipe);
        EXPECT_FALSE(t.expertLoadImbalance);
        EXPECT_FALSE(t.expertCapacityFactor);
    }
}

TEST(TrainingKeys, ReachTheTrainingSpec) {
    const layout::TrainingSpec t = training(
        "  precision: fp8\n  gradient_dtype: bf16\n  optimizer_state_dtype: fp8\n"
        "  scaling_recipe: blockwise\n  expert_load_imbalance: 1.25\n");
    EXPECT_EQ(t.gradientBytes, 2);
    EXPECT_EQ(t.optimizerStateBytes, 1);
    EXPECT_EQ(t.scalingRecipe, layout::ScalingRecipe::Blockwise);
    EXPECT_EQ(t.expertLoadImbalance, 1.25);
    EXPECT_EQ(training("  gradient_dtype: fp32\n").gradientBytes, 4);
    EXPECT_EQ(training("  optimizer_state_dtype: int8\n").optimizerStateBytes, 1);
    EXPECT_EQ(training("  expert_capacity_factor: 1.25\n").expertCapacityFactor, 1.25);
}

TEST(TrainingKeys, EveryOptimizerOfTheEngineCanBeWritten) {
    using layout::Optimizer;
    EXPECT_EQ(training("  optimizer: adamw\n").optimizer, Optimizer::AdamW);
    EXPECT_EQ(training("  optimizer: sgd\n").optimizer, Optimizer::Sgd);
    EXPECT_EQ(training("  optimizer: adafactor\n").optimizer, Optimizer::Adafactor);
    EXPECT_EQ(training("  optimizer: muon\n").optimizer, Optimizer::Muon);
}

TEST(TrainingKeys, WithoutEffectAreSaidToBe) {
    const Outcome<Scenario> s =
        read(soundWith("  tokens: 1T\n",
                       "  tokens: 1T\n  scaling_recipe: delayed\n  expert_load_imbalance: 1.2\n"
                       "  expert_capacity_factor: 1.5\n"),
             "s");
    ASSERT_TRUE(s.ok());
    EXPECT_EQ(
        sentences(s.findings()),
        "s:7:19: warning: `scaling_recipe` is for fp8 and fp4; with `precision` bf16 it has no "
        "effect.\n"
        "s:8:26: warning: `expert_load_imbalance` has no effect beside `expert_capacity_factor`: "
        "slots are computed, filled or not.\n");
    EXPECT_EQ(
        sentences(resolvedFindings(
            soundWith("  tokens: 1T\n", "  tokens: 1T\n  expert_load_imbalance: 1.2\n"))),
        "s:7:26: warning: `expert_load_imbalance` has no effect: llama3.1-8b has no experts.\n");
}

TEST(Towers, ThatAreNotModelledAreSaidToBe) {
    for (const char* model : {"llama4-scout", "llama4-maverick", "gemma3-12b"}) {
        const std::string all = sentences(
            resolvedFindings(soundWith("model: llama3.1-8b", std::string("model: ") + model)));
        EXPECT_THAT(all, HasSubstr(std::string("s:3:8: note: ") + model +
                                   " comes with towers (vision) that are not modelled"));
    }
    EXPECT_THAT(resolvedFindings(soundText()), IsEmpty());
}

TEST(RoutingGroups, OfDeepSeekAreThoseOfItsConfiguration) {
    const workload::MixtureOfExperts v3 = *shippedCatalog().architecture("deepseek-v3")->moe;
    EXPECT_EQ(v3.routingGroups, 8);
    EXPECT_EQ(v3.routedGroups, 4);
    const workload::MixtureOfExperts v2 = *shippedCatalog().architecture("deepseek-v2")->moe;
    EXPECT_EQ(v2.routingGroups, 8);
    EXPECT_EQ(v2.routedGroups, 3);
    const workload::MixtureOfExperts k2 = *shippedCatalog().architecture("kimi-k2")->moe;
    EXPECT_EQ(k2.routingGroups, 0);
}

}  // namespace
}  // namespace trainwright::scenario
