// SPDX-License-Identifier: GPL-3.0-or-later
// How a cluster is bought, and what stands beside it: from a scenario to the engine's structs.
#include <gmock/gmock.h>

#include <cmath>

#include "data/catalog/overlay.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

/// 512 H100 in 64 instances of us-east-1, with `rest` below the candidate.
std::string h100(const std::string& rest) {
    return soundWith("trn2.48xlarge\n    accelerators: 512\n    region: us-east-2",
                     "p5.48xlarge\n    accelerators: 512\n    region: us-east-1") +
           rest;
}

search::CandidateRequest candidate(const std::string& text,
                                   const catalog::Catalog& catalog = shippedCatalog()) {
    const Outcome<Scenario> scenario = read(text, "s");
    if (!scenario.ok()) throw std::runtime_error(sentences(scenario.findings()));
    const Outcome<search::PlanRequest> request = resolve(*scenario, catalog);
    if (!request.ok()) throw std::runtime_error(sentences(request.findings()));
    return request->candidates.at(0);
}

std::vector<std::string> errorsOf(const std::string& text) {
    const Outcome<Scenario> scenario = read(text, "s");
    std::vector<Finding> findings = scenario.findings();
    if (scenario.ok()) findings = resolve(*scenario, shippedCatalog()).findings();
    std::vector<std::string> out;
    for (const Finding& f : findings) {
        if (f.severity == Severity::Error) out.push_back(f.text.english());
    }
    return out;
}

TEST(Purchase, ACommitmentWithoutAPriceSaysWhichFileHasIt) {
    const search::CandidateRequest c =
        candidate(h100("    purchase: ec2_savings_plan_1y_no_upfront\n"));
    EXPECT_EQ(c.price.state, run::PriceState::None);
    EXPECT_EQ(c.price.plan, "ec2_savings_plan_1y_no_upfront");
    EXPECT_THAT(c.price.reason.english(), HasSubstr("Savings Plan offer file"));
    EXPECT_THAT(candidate(h100("    purchase: reserved_3y_all_upfront\n")).price.reason.english(),
                HasSubstr("EC2 offer file"));
}

TEST(Purchase, ACommitmentAtYourOwnPriceHasItsTerms) {
    const search::CandidateRequest c = candidate(h100(
        "    purchase: {plan: reserved_3y_partial_upfront, price_usd_per_hour: 30, commitment: "
        "dedicated}\n"));
    EXPECT_EQ(c.price.state, run::PriceState::Yours);
    EXPECT_DOUBLE_EQ(c.price.termDays, 1095);
    EXPECT_DOUBLE_EQ(c.price.upfrontShare, 0.5);
    EXPECT_TRUE(c.price.dedicated);
    EXPECT_FALSE(candidate(h100("    purchase: {plan: reserved_3y_no_upfront, "
                                "price_usd_per_hour: 30}\n"))
                     .price.dedicated);
}

TEST(Purchase, BlocksArePaidBeforeTheyBegin) {
    const run::Price price = candidate(soundText()).price;
    EXPECT_EQ(price.plan, "capacity_block");
    EXPECT_DOUBLE_EQ(price.upfrontShare, 1);
    EXPECT_EQ(price.maxUnitsPurchase, 64);
    EXPECT_EQ(price.maxUnits, 256);
}

TEST(Purchase, SeveralMakeUpTheCluster) {
    const search::CandidateRequest c = candidate(
        h100("    discount: 10%\n    purchase:\n"
             "      - {plan: ec2_savings_plan_1y_no_upfront, units: 40, price_usd_per_hour: 35}\n"
             "      - {plan: on_demand, region: us-west-2, discount: 0%}\n"));
    ASSERT_EQ(c.portions.size(), 2U);
    EXPECT_EQ(c.portions[0].units, 40);
    EXPECT_EQ(c.portions[0].price.region, "us-east-1");
    EXPECT_DOUBLE_EQ(c.portions[0].price.discount, 0.1);
    EXPECT_DOUBLE_EQ(c.portions[0].price.termDays, 365);
    EXPECT_EQ(c.portions[1].units, 24) << "what the other leaves of 64";
    EXPECT_EQ(c.portions[1].price.state, run::PriceState::Known);
    EXPECT_EQ(c.portions[1].price.region, "us-west-2");
    EXPECT_DOUBLE_EQ(c.portions[1].price.discount, 0);
    // Power and carbon are those of the parts: of 64 instances 40 stand in one region.
    const run::Region east = shippedCatalog().region("us-east-1").value();
    const run::Region west = shippedCatalog().region("us-west-2").value();
    EXPECT_NEAR(*c.region->pue, (40 * *east.pue + 24 * *west.pue) / 64, 1e-12);
    EXPECT_NEAR(*c.region->pue * *c.region->gridGramsCo2PerKilowattHour,
                (40 * *east.pue * *east.gridGramsCo2PerKilowattHour +
                 24 * *west.pue * *west.gridGramsCo2PerKilowattHour) /
                    64,
                1e-9);
    ASSERT_EQ(c.notes.size(), 1U);
    EXPECT_THAT(c.notes[0].text.english(), HasSubstr("us-east-1 + us-west-2"));
}

TEST(Purchase, PortionsThatDoNotAddUpAreErrors) {
    EXPECT_THAT(errorsOf(h100("    purchase: [{plan: on_demand, units: 40}, {plan: spot, units: "
                              "10}]\n")),
                ElementsAre(HasSubstr("have 50 units; the cluster is 64 of p5.48xlarge")));
    EXPECT_THAT(errorsOf(h100("    purchase: [{plan: on_demand, units: 64}, {plan: spot}]\n")),
                ElementsAre(HasSubstr("leave nothing")));
    EXPECT_THAT(errorsOf(h100("    purchase: [{plan: on_demand}, {plan: spot}]\n")),
                ElementsAre(HasSubstr("only one can be what the others leave")));
    EXPECT_THAT(errorsOf(h100("    purchase: []\n")), ElementsAre(HasSubstr("is empty")));
    EXPECT_THAT(errorsOf(h100("    purchase: [{plan: on_demand, units: 60}, {plan: spott}]\n")),
                ElementsAre("`spott` is no purchase plan. Nearest: spot."));
    EXPECT_THAT(errorsOf(h100("    purchase: [{units: 60}, {plan: spot, region: us-wset-2}]\n")),
                ElementsAre(HasSubstr("no region `us-wset-2`")));
}

// 15% of instances are taken back in a month of 730 h: −ln(0.85) / 730 an hour for each of 64
// instances, shared by 512 chips.
TEST(Purchase, SpotInterruptsTheJob) {
    const double steady =
        candidate(h100("    purchase: on_demand\n")).operations.interruptionsPerChipHour;
    const search::CandidateRequest c = candidate(h100("    purchase: spot\n"));
    EXPECT_TRUE(c.price.moves);
    EXPECT_NEAR(c.operations.interruptionsPerChipHour, steady - std::log(0.85) / 730 / 8, 1e-8);
    EXPECT_FALSE(c.spread.price.isExact());
    const search::CandidateRequest half =
        candidate(h100("    purchase: [{plan: spot, units: 32}, {plan: on_demand}]\n"));
    EXPECT_NEAR(half.operations.interruptionsPerChipHour, steady - std::log(0.85) / 730 / 16, 1e-8);
    EXPECT_FALSE(half.spread.price.isExact()) << "a part of it moves";
}

// What an import brings is priced like any other row; a history of spot prices has its own spread.
TEST(Purchase, ImportedRatesAndHistoriesAreTaken) {
    const std::filesystem::path path =
        std::filesystem::path(testing::TempDir()) / "purchase_test_overlay.sqlite";
    std::filesystem::remove(path);
    catalog::ImportBatch batch;
    batch.files.push_back(
        {"offer.json", "a file", "an offer file", "0123", 10, "2026-11-30", "2026-11-30"});
    catalog::ImportedPrice plan;
    plan.provider = "aws";
    plan.unitId = "p5.48xlarge";
    plan.region = "us-east-1";
    plan.plan = "ec2_savings_plan_3y_partial_upfront";
    plan.usdPerHour = 30;
    plan.observed = "2026-11-30";
    plan.confidence = "high";
    plan.status = "listed";
    catalog::ImportedPrice spot = plan;
    spot.plan = "spot";
    spot.usdPerHour = 20;
    spot.distribution = catalog::PriceDistribution{20, 16, 27, "2026-11-01", "2026-11-30"};
    batch.prices = {plan, spot};
    {
        Outcome<catalog::OverlayWriter> opened = catalog::OverlayWriter::open(path.string());
        ASSERT_TRUE(opened.ok()) << sentences(opened.findings());
        catalog::OverlayWriter writer = std::move(opened).value();
        const auto added = writer.add(batch, "2026-12-01T00:00:00Z");
        ASSERT_TRUE(added.ok()) << sentences(added.findings());
    }
    const Outcome<catalog::Catalog> laid =
        catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE, path.string());
    ASSERT_TRUE(laid.ok()) << sentences(laid.findings());
    const search::CandidateRequest committed =
        candidate(h100("    purchase: ec2_savings_plan_3y_partial_upfront\n"), *laid);
    EXPECT_EQ(committed.price.state, run::PriceState::Known);
    EXPECT_DOUBLE_EQ(committed.price.termDays, 1095);
    EXPECT_DOUBLE_EQ(committed.price.upfrontShare, 0.5);
    const search::CandidateRequest moving = candidate(h100("    purchase: spot\n"), *laid);
    EXPECT_EQ(*moving.price.perUnit, units::usDollarsPerHour(20));
    EXPECT_EQ(*moving.price.low, units::usDollarsPerHour(16));
    EXPECT_EQ(*moving.price.high, units::usDollarsPerHour(27));
    // P10 and P90 lie 1.2816 deviations from the middle.
    EXPECT_NEAR(moving.spread.price.below, std::log(20.0 / 16) / 1.2815515655, 1e-9);
    EXPECT_NEAR(moving.spread.price.above, std::log(27.0 / 20) / 1.2815515655, 1e-9);
    std::filesystem::remove(path);
}

TEST(Purchase, SageMakerAsksItsOwnPrice) {
    const run::Price price = candidate(h100("    purchase: sagemaker\n")).price;
    EXPECT_EQ(price.state, run::PriceState::Known);
    EXPECT_NEAR(units::inUsDollarsPerHour(*price.perUnit), 63.296, 1e-9);
    const run::Price pod = candidate(h100("    purchase: hyperpod\n")).price;
    EXPECT_EQ(pod.state, run::PriceState::StandIn);
    EXPECT_EQ(*pod.perUnit, *price.perUnit);
    EXPECT_EQ(candidate(h100("    purchase: sagemaker_training_plan\n")).price.state,
              run::PriceState::None);
}

TEST(Own, TakesTheCatalogAndWhatTheScenarioSays) {
    // An eighth of a server and its share of the network, as the catalog has them.
    const search::CandidateRequest rented = candidate(h100(""));
    ASSERT_TRUE(rented.own);
    EXPECT_NEAR(rented.own->capitalPerUnit->value(), 8 * 42997, 1e-6);
    EXPECT_DOUBLE_EQ(rented.own->lifeYears, 5);
    EXPECT_DOUBLE_EQ(rented.own->costOfCapital, 0.09);
    EXPECT_NEAR(*rented.own->usdPerKilowattHour, 0.0892, 1e-12) << "Virginia";
    EXPECT_FALSE(rented.price.isOwned());

    const search::CandidateRequest owned = candidate(
        h100("    purchase:\n      own: {capital_usd_per_accelerator: 40000, life: 4 years, "
             "cost_of_capital: 8%, residual: 10%, use: 80%, staff_share: 5%, "
             "electricity_usd_per_kwh: 0.06, because: our vendor}\n      commitment: dedicated\n"));
    EXPECT_EQ(owned.price.plan, "owned");
    EXPECT_EQ(owned.price.state, run::PriceState::Yours);
    EXPECT_TRUE(owned.price.dedicated);
    EXPECT_DOUBLE_EQ(owned.price.termDays, 4 * 365);
    EXPECT_DOUBLE_EQ(owned.own->capitalPerUnit->value(), 320000);
    EXPECT_DOUBLE_EQ(owned.own->residualShare, 0.1);
    EXPECT_DOUBLE_EQ(owned.own->useShare, 0.8);
    EXPECT_DOUBLE_EQ(owned.own->operationShare, 0.05);
    EXPECT_DOUBLE_EQ(*owned.own->usdPerKilowattHour, 0.06);
    EXPECT_EQ(owned.rent.plan, "on_demand") << "held against the catalog's default plan";
    const auto capital = std::find_if(
        owned.figures.begin(), owned.figures.end(),
        [](const search::FigureUse& f) { return f.key == "capital_usd_per_accelerator"; });
    ASSERT_NE(capital, owned.figures.end());
    EXPECT_EQ(capital->status, "override");
    EXPECT_EQ(capital->value, "40000");
    EXPECT_EQ(capital->note, "our vendor");
}

TEST(Own, WithoutAPublicCapitalThereIsAReason) {
    const search::CandidateRequest c =
        candidate(soundWith("trn2.48xlarge", "trn1.32xlarge") + "    purchase: owned\n");
    EXPECT_EQ(c.price.state, run::PriceState::None);
    EXPECT_THAT(c.price.reason.english(), HasSubstr("capital_usd_per_accelerator"));
}

TEST(Own, ContradictionsAreErrors) {
    EXPECT_THAT(errorsOf(h100("    purchase:\n      own: {capital_usd_per_accelerator: 40000, "
                              "capital_usd_per_unit: 320000}\n")),
                ElementsAre(HasSubstr("given twice")));
    EXPECT_THAT(errorsOf(h100("    purchase: {plan: owned, price_usd_per_hour: 3}\n")),
                ElementsAre(HasSubstr("no price by the hour")));
}

TEST(StorageKeys, DefaultToThreeCheckpointsInS3) {
    const run::Storage storage = candidate(soundText()).storage;
    EXPECT_EQ(storage.service, "s3_standard");
    EXPECT_DOUBLE_EQ(storage.checkpointsKept, 3);
    EXPECT_NEAR(*storage.usdPerByteMonth, 0.023e-9, 1e-20);
    EXPECT_EQ(storage.egressTiers.size(), 5U);
    EXPECT_THAT(storage.reason.english(), HasSubstr("us-east-1")) << "stands in for us-east-2";
    EXPECT_THAT(candidate(h100("")).storage.reason.english(), IsEmpty());
}

TEST(StorageKeys, AreTaken) {
    const run::Storage storage =
        candidate(
            soundText() +
            "storage: {service: fsx_lustre_persistent_2_250, checkpoints_kept: 5, dataset: 20 "
            "TB, capacity: 100 TB, egress: 5 TB}\n")
            .storage;
    EXPECT_DOUBLE_EQ(storage.checkpointsKept, 5);
    EXPECT_EQ(storage.dataset, units::Bytes(20e12));
    EXPECT_EQ(storage.provisioned, units::Bytes(100e12));
    EXPECT_EQ(storage.egress, units::Bytes(5e12));
    // 1.2 TiB for 0.46 USD an hour, in a month of 730 h.
    EXPECT_NEAR(*storage.usdPerByteMonth, 0.46 * 730 / 1319413953000.0, 1e-18);
    EXPECT_NEAR(storage.throughputPerByte, 250e6 / std::pow(2, 40), 1e-12);
    EXPECT_THAT(errorsOf(soundText() + "storage: {service: s3_standart}\n"),
                ElementsAre("The catalog has no price of `s3_standart`. Nearest: s3_standard."));
}

TEST(Quotas, AreLimitsOfRentingByTheHour) {
    const search::CandidateRequest c = candidate(h100("    purchase: on_demand\n"));
    ASSERT_EQ(c.limits.size(), 1U);
    EXPECT_EQ(
        c.limits[0].english(),
        "64 × p5.48xlarge need 12,288 vCPUs of the quota \"Running On-Demand P instances\" "
        "(L-417A185B) in us-east-1; a new account has 0, by older tables 128. More is granted "
        "on request, which takes days to weeks.");
    EXPECT_THAT(candidate(soundText()).limits, IsEmpty()) << "blocks need no quota";
    EXPECT_THAT(candidate(soundWith("trn2.48xlarge", "trn1.32xlarge") + "    purchase: spot\n")
                    .limits[0]
                    .english(),
                HasSubstr("32 × trn1.32xlarge as spot need a quota of 4,096 vCPUs"));
}

}  // namespace
}  // namespace trainwright::scenario
