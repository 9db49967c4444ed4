// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "model/units/text_quantity.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;
using testing::IsEmpty;

Outcome<search::PlanRequest> resolved(const std::string& text) {
    const Outcome<Scenario> scenario = read(text, "s");
    EXPECT_TRUE(scenario.ok()) << sentences(scenario.findings());
    if (!scenario.ok()) return scenario.findings();
    Outcome<search::PlanRequest> request = resolve(*scenario, shippedCatalog());
    EXPECT_TRUE(request.ok()) << sentences(request.findings());
    return request;
}

const search::FigureUse* figure(const search::CandidateRequest& c, const std::string& kind,
                                const std::string& key) {
    const auto found =
        std::find_if(c.figures.begin(), c.figures.end(),
                     [&](const search::FigureUse& f) { return f.kind == kind && f.key == key; });
    return found == c.figures.end() ? nullptr : &*found;
}

TEST(Resolve, LooksUpWhatTheScenarioNames) {
    const auto request = resolved(soundText());
    ASSERT_TRUE(request.ok());
    EXPECT_EQ(request->title, "A test");
    EXPECT_EQ(request->architecture, *shippedCatalog().architecture("llama3.1-8b"));
    EXPECT_FALSE(request->figures.empty());
    const search::CandidateRequest& c = request->candidates.at(0);
    EXPECT_EQ(c.system.id, "trn2.48xlarge");
    EXPECT_EQ(c.profile.id, shippedCatalog().defaultProfile(c.system));
    EXPECT_EQ(c.region->id, "us-east-2");
    EXPECT_EQ(c.price.state, run::PriceState::Known);
    EXPECT_EQ(c.price.plan, "capacity_block") << "Trn2 has no on-demand price";
    ASSERT_NE(figure(c, "price", "price_usd_per_hour"), nullptr);
    EXPECT_EQ(figure(c, "price", "price_usd_per_hour")->observed, c.price.observedDate);
    EXPECT_THAT(request.findings(), IsEmpty());
}

TEST(Resolve, TakesTheNameOfTheFileForATitle) {
    const Outcome<Scenario> scenario =
        read(soundWith("title: A test\n", ""), "some/where/plan-a.yaml");
    ASSERT_TRUE(scenario.ok());
    EXPECT_EQ(resolve(*scenario, shippedCatalog())->title, "plan-a");
}

TEST(Resolve, GoesOnWithoutAPrice) {
    const auto request = resolved(soundWith("trn2.48xlarge\n    accelerators: 512",
                                            "trn3-gen2-ultraserver\n    accelerators: 288"));
    ASSERT_TRUE(request.ok());
    const search::CandidateRequest& c = request->candidates.at(0);
    EXPECT_EQ(c.price.state, run::PriceState::None);
    EXPECT_FALSE(c.price.perUnit);
    EXPECT_FALSE(c.price.reason.empty());
    EXPECT_EQ(figure(c, "price", "price_usd_per_hour"), nullptr);
}

TEST(Resolve, TakesAPriceOfYourOwn) {
    const auto request = resolved(soundText() +
                                  "    purchase: {price_usd_per_hour: 30.5, because: our contract "
                                  "of May}\n    discount: 10%\n");
    ASSERT_TRUE(request.ok());
    const run::Price& price = request->candidates.at(0).price;
    EXPECT_EQ(price.state, run::PriceState::Yours);
    EXPECT_EQ(*price.perUnit, units::usDollarsPerHour(30.5));
    EXPECT_EQ(price.discount, 0.1);
    EXPECT_EQ(price.reason.english(), "Your price of 30.5 USD an hour: our contract of May");
    const search::FigureUse* used =
        figure(request->candidates.at(0), "price", "price_usd_per_hour");
    ASSERT_NE(used, nullptr);
    EXPECT_EQ(used->status, "override");
    EXPECT_EQ(used->value, "30.5");
}

TEST(Resolve, TellsAStandInFromAPrice) {
    for (const auto& [because, reason] :
         {std::pair{"stand-in", "No public price: 143.0432 USD an hour stand in for it."},
          std::pair{
              "\"stand-in: four Capacity Blocks\"",
              "No public price: 143.0432 USD an hour stand in for it (four Capacity Blocks)."}}) {
        const auto request =
            resolved(soundText() +
                     "    purchase: {price_usd_per_hour: 143.0432, because: " + because + "}\n");
        ASSERT_TRUE(request.ok());
        EXPECT_EQ(request->candidates.at(0).price.state, run::PriceState::StandIn);
        EXPECT_EQ(request->candidates.at(0).price.reason.english(), reason);
    }
}

TEST(Resolve, LaysTheScenarioOverTheOperationsOfTheCatalog) {
    const auto plain = resolved(soundText());
    const auto request =
        resolved(soundText() +
                 "operations: {checkpoint_storage: 200 GB/s, restart_time: 12 min, "
                 "mean_time_between_failures: 50000 h,"
                 " asynchronous_checkpoints: true, evaluation_share: 3%, startup_time: catalog}\n");
    ASSERT_TRUE(plain.ok() && request.ok());
    const run::Operations& o = request->candidates.at(0).operations;
    EXPECT_EQ(o.checkpointBandwidth, units::BytesPerSecond(200e9));
    EXPECT_EQ(o.restartTime, units::Seconds(720));
    EXPECT_DOUBLE_EQ(o.interruptionsPerChipHour, 2e-5);
    EXPECT_FALSE(o.interruptionRateIsAssumption);
    EXPECT_TRUE(o.asynchronousCheckpoints);
    EXPECT_EQ(o.evaluationShare, 0.03);
    EXPECT_EQ(o.startup, plain->candidates.at(0).operations.startup);
    EXPECT_EQ(figure(request->candidates.at(0), "operation", "restart_s")->status, "override");
    EXPECT_NE(figure(plain->candidates.at(0), "operation", "restart_s")->status, "override");
}

TEST(Resolve, TakesWhatTheScenarioStatesAtItsWord) {
    const auto plain = resolved(soundText() + "uncertainty: {samples: 1000, seed: 7}\n");
    const auto own = resolved(
        soundText() + "operations: {restart_time: 12 min, mean_time_between_failures: 50000 h}\n");
    ASSERT_TRUE(plain.ok() && own.ok());
    EXPECT_EQ(plain->sampling, (belief::Sampling{1000, 7}));
    EXPECT_EQ(own->sampling, (belief::Sampling{4096, 1})) << "the registry's defaults";
    const search::CandidateRequest& a = plain->candidates.at(0);
    const search::CandidateRequest& b = own->candidates.at(0);
    EXPECT_FALSE(a.spread.interruptionRate.isExact() || a.spread.restartTime.isExact());
    EXPECT_TRUE(b.spread.interruptionRate.isExact() && b.spread.restartTime.isExact());
    EXPECT_NE(figure(a, "operation", "restart_low_s"), nullptr);
    EXPECT_EQ(figure(b, "operation", "restart_low_s"), nullptr);
    EXPECT_NE(figure(a, "operation", "published_range_tail"), nullptr);
    EXPECT_EQ(figure(b, "operation", "published_range_tail"), nullptr);
    EXPECT_NE(figure(a, "operation", "estimated_power_log_deviation"), nullptr);
    EXPECT_EQ(figure(a, "operation", "published_power_log_deviation"), nullptr);
    EXPECT_EQ(figure(a, "operation", "spot_price_log_deviation"), nullptr) << "not a spot price";
}

TEST(Resolve, PutsOverridesInPlaceOfFigures) {
    const auto request = resolved(
        soundText() +
        "overrides:\n"
        "  - {figure: chip/trainium2/hbm_bandwidth_bytes_per_s, value: 2.5 TB/s, because: "
        "measured}\n"
        "  - {figure: instance/trn2.48xlarge/protocol_efficiency, value: 80%, because: measured "
        "too}\n"
        "  - {figure: model/llama3.1-8b/tied_embeddings, value: true, because: a variant}\n");
    ASSERT_TRUE(request.ok());
    const search::CandidateRequest& c = request->candidates.at(0);
    EXPECT_EQ(c.system.chip.hbmBandwidth, units::BytesPerSecond(2.5e12));
    EXPECT_EQ(c.system.fabric.protocolEfficiency, 0.8);
    EXPECT_TRUE(request->architecture.tiedEmbeddings);
    const search::FigureUse* used = figure(c, "chip", "hbm_bandwidth_bytes_per_s");
    ASSERT_NE(used, nullptr);
    EXPECT_EQ(used->status, "override");
    EXPECT_EQ(used->note, "measured");
    EXPECT_EQ(units::readQuantity(units::QuantityKind::Number, used->value).value(), 2.5e12);
    // The shipped catalog itself is as it was.
    EXPECT_NE(shippedCatalog().system("trn2.48xlarge")->chip.hbmBandwidth,
              units::BytesPerSecond(2.5e12));
}

TEST(Resolve, KeepsAPartialLayoutAsGiven) {
    const auto request =
        resolved(soundText() +
                 "    parallelism: {tensor: 8, sequence_parallel: false, sharding: zero1, "
                 "schedule: 1f1b, pipeline: auto, recompute: full}\n");
    ASSERT_TRUE(request.ok());
    const layout::LayoutChoice& l = request->candidates.at(0).layout;
    EXPECT_EQ(l.tensor, 8);
    EXPECT_EQ(l.sequenceParallel, false);
    EXPECT_EQ(l.sharding, layout::Sharding::Zero1);
    EXPECT_EQ(l.schedule, layout::Schedule::OneForwardOneBackward);
    EXPECT_EQ(l.recompute, layout::Recompute::Full);
    EXPECT_FALSE(l.pipeline);
    EXPECT_FALSE(l.data);
}

struct Warned {
    const char* from;
    const char* to;
    const char* sentence;
};

TEST(Resolve, WarnsWithoutStopping) {
    for (const Warned& w :
         {Warned{"us-east-2", "us-west-2",
                 "s:13:13: warning: The catalog doesn't know trn2.48xlarge to be offered in "
                 "us-west-2; it knows "},
          Warned{"    region: us-east-2\n", "",
                 "s:10:5: warning: `trn2` has no region: what a region decides (its price, cooling "
                 "and grid) is not known."},
          Warned{"trn2.48xlarge\n    accelerators: 512", "project_rainier\n    accelerators: 65536",
                 "s:11:13: warning: "},
          Warned{"sequence_length: 8192", "sequence_length: 1048576",
                 "s:7:20: warning: Sequences of 1,048,576 are longer than the 131,072 that "
                 "llama3.1-8b is made for."}}) {
        const auto request = resolved(soundWith(w.from, w.to));
        ASSERT_TRUE(request.ok());
        EXPECT_THAT(sentences(request.findings()), testing::HasSubstr(w.sentence)) << w.to;
        EXPECT_FALSE(hasErrors(request.findings()));
    }
}

TEST(Resolve, IsRepeatable) {
    const Outcome<Scenario> scenario =
        readFile(std::string(TRAINWRIGHT_EXAMPLES) + "/llama3.1-405b.yaml");
    ASSERT_TRUE(scenario.ok());
    const auto a = resolve(*scenario, shippedCatalog());
    const auto b = resolve(*scenario, shippedCatalog());
    ASSERT_TRUE(a.ok() && b.ok());
    for (std::size_t i = 0; i < a->candidates.size(); ++i)
        EXPECT_EQ(a->candidates[i].figures, b->candidates[i].figures);
}

// A file with a wrong unit, an unknown key and names that the catalog doesn't know: all of it in
// one go.
TEST(Load, TellsOfUnknownNamesBesideWhatCannotBeRead) {
    const std::string text =
        "version: 1\n"
        "model: llama3.1-8bb\n"
        "training: {tokens: 15 TB, sequence_length: 8192, global_batch: 64 sequences, "
        "recomputation: full}\n"
        "candidates:\n"
        "  - {name: a, system: trn2.48xlrge, accelerators: 16, region: us-est-2, software: "
        "megatron_cor}\n";
    const Outcome<Loaded> loaded = load(text, "s", shippedCatalog());
    ASSERT_FALSE(loaded.ok());
    const std::string all = sentences(loaded.findings());
    for (const char* part :
         {"s:2:8: The catalog has no model `llama3.1-8bb`. Nearest: llama3.1-8b", "15 TB",
          "`recomputation`", "The catalog has no system `trn2.48xlrge`. Nearest: trn2.48xlarge",
          "The catalog has no region `us-est-2`. Nearest: us-east-2",
          "The catalog has no software profile `megatron_cor`. Nearest: megatron_core"}) {
        EXPECT_THAT(all, testing::HasSubstr(part));
    }
}

TEST(Load, GivesTheScenarioAndItsRequest) {
    const Outcome<Loaded> loaded = load(soundText(), "s", shippedCatalog());
    ASSERT_TRUE(loaded.ok()) << sentences(loaded.findings());
    EXPECT_EQ(loaded->request.title, "A test");
    EXPECT_EQ(loaded->scenario.modelId, "llama3.1-8b");
}

}  // namespace
}  // namespace trainwright::scenario
