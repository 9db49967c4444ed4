// SPDX-License-Identifier: GPL-3.0-or-later
// Comparisons with the shipped catalog: shares that can be worked out by hand, and what holds for
// all.
#include "data/compare/compare.h"

#include <gmock/gmock.h>

#include <cmath>
#include <string>

#include "data/scenario/scenario.h"
#include "reports/report.h"

namespace trainwright::compare {
namespace {

using search::CandidateComparison;
using search::Change;
using search::Comparison;
using search::Move;
using search::Orders;
using search::Quantity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr const char* kScenario =
    "version: 1\n"
    "model: llama3.1-8b\n"
    "training: {tokens: 100B, sequence_length: 8192, global_batch: 512 sequences}\n"
    "candidates:\n"
    "  - {name: trn2, system: trn2.48xlarge, accelerators: 64, region: us-east-2}\n"
    "  - {name: h100, system: p5.48xlarge, accelerators: 64, region: us-east-1}\n"
    "uncertainty: {samples: 1}\n";

catalog::Catalog openCatalog() {
    Outcome<catalog::Catalog> opened = catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    EXPECT_TRUE(opened);
    return std::move(opened).value();
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

/// The result of `text` as it would be kept.
std::string kept(const std::string& text, const catalog::Catalog& catalog) {
    const Outcome<scenario::Loaded> loaded = scenario::load(text, "s.yaml", catalog);
    EXPECT_TRUE(loaded) << (loaded ? "" : loaded.findings().front().english());
    reports::ReportContext context;
    context.scenarioText = text;
    context.scenarioJson = scenario::toJson(loaded->scenario);
    context.programVersion = "0.1.0";
    context.catalogHash = catalog.hash();
    return reports::planJson(loaded->request, search::plan(loaded->request, 1), context);
}

Side sideOf(const std::string& text, const catalog::Catalog& catalog, bool isKept = false) {
    Outcome<KeptResult> result = readResult(kept(text, catalog), isKept ? "a.json" : "s.yaml");
    EXPECT_TRUE(result);
    return {std::move(result).value(), isKept ? nullptr : &catalog};
}

const CandidateComparison& named(const Comparison& c, const std::string& name) {
    for (const CandidateComparison& one : c.candidates)
        if (one.name() == name) return one;
    ADD_FAILURE() << "no candidate " << name;
    return c.candidates.front();
}

const Move& move(const CandidateComparison& c, Quantity quantity) {
    return c.moves[static_cast<std::size_t>(quantity)];
}

/// Shares and what they leave over add up to every move, and there is nothing left over.
void expectExplained(const Comparison& comparison) {
    for (const CandidateComparison& c : comparison.candidates) {
        for (const Move& m : c.moves) {
            if (!m.difference() || !m.attribution.hasShares()) continue;
            double sum = m.rest;
            for (const search::Contribution& share : m.attribution.contributions)
                sum += share.share;
            EXPECT_NEAR(sum, *m.difference(), 1e-9 * std::abs(*m.after)) << c.name();
            EXPECT_EQ(m.rest, 0) << c.name();
        }
    }
}

TEST(Compare, TheSamePlanTwice) {
    const catalog::Catalog catalog = openCatalog();
    const Side side = sideOf(kScenario, catalog);
    const Comparison c = compare(side, side, catalog);
    EXPECT_THAT(c.changes, IsEmpty());
    EXPECT_THAT(c.notes, IsEmpty());
    ASSERT_THAT(c.candidates, SizeIs(2));
    for (const CandidateComparison& one : c.candidates)
        for (const Move& m : one.moves) EXPECT_EQ(m.rest, 0);
}

TEST(Compare, TokensAndDiscountShareTheCostByHand) {
    // Without start-up days go with tokens, and cost with days × (1 − discount): from 1 to
    // 2 × 0.5. Tokens first: +1 then −1; discount first: −0.5 then +0.5. Shares +0.75 and −0.75.
    const catalog::Catalog catalog = openCatalog();
    const std::string none = std::string(kScenario) + "operations: {startup_time: 0 s}\n";
    const std::string before = with(none, "region: us-east-1", "region: us-east-1, discount: 0%");
    const std::string after =
        with(with(none, "100B", "200B"), "region: us-east-1", "region: us-east-1, discount: 50%");
    const Comparison c = compare(sideOf(before, catalog), sideOf(after, catalog), catalog);
    ASSERT_THAT(c.changes, SizeIs(2));
    const CandidateComparison& h100 = named(c, "h100");
    ASSERT_THAT(h100.changes, ElementsAre(0, 1));
    const Move& cost = move(h100, Quantity::Cost);
    const double whole = *cost.before;
    // Steps are whole: the last may be begun for the one count of tokens and not for the other.
    EXPECT_NEAR(cost.attribution.contributions[0].share / whole, 0.75, 1e-3);
    EXPECT_NEAR(cost.attribution.contributions[1].share / whole, -0.75, 1e-3);
    EXPECT_NEAR(*cost.attribution.contributions[1].alone / whole, -0.5, 1e-3);
    const Move& days = move(h100, Quantity::Days);
    EXPECT_EQ(days.attribution.contributions[1].share, 0);
    // The other candidate has no discount.
    EXPECT_THAT(named(c, "trn2").changes, ElementsAre(0));
    expectExplained(c);
}

TEST(Compare, AKeptResultSaysWhatThePriceDid) {
    // Last month's price was 10% higher; today's catalog has another.
    const catalog::Catalog catalog = openCatalog();
    const run::Price price = catalog.price("p5.48xlarge", "us-east-1", "on_demand");
    ASSERT_TRUE(price.perUnit);
    const double usd = units::inUsDollarsPerHour(*price.perUnit);
    const std::string scenario =
        with(kScenario, "region: us-east-1", "region: us-east-1, purchase: on_demand");
    const catalog::Catalog old =
        catalog.withPrices({{"p5.48xlarge", "us-east-1", "on_demand", 1.1 * usd, "2026-01-02"}});
    const Comparison c = compare(sideOf(scenario, old, true), sideOf(scenario, catalog), catalog);
    ASSERT_THAT(c.changes, SizeIs(1));
    EXPECT_EQ(c.changes[0].kind, search::ChangeKind::Price);
    EXPECT_EQ(c.changes[0].path, "price/p5.48xlarge/us-east-1/on_demand");
    EXPECT_EQ(c.changes[0].values[0].seenBefore, "2026-01-02");
    const Move& cost = move(named(c, "h100"), Quantity::Cost);
    // Storage beside the machines keeps its price.
    EXPECT_NEAR(*cost.before / *cost.after, 1.1, 1e-4);
    EXPECT_NEAR(cost.attribution.contributions[0].share, *cost.difference(), 1e-9 * *cost.after);
    EXPECT_THAT(named(c, "trn2").changes, IsEmpty());
    expectExplained(c);
}

TEST(Compare, APriceThatCameIsAChangeWithoutShares) {
    const catalog::Catalog catalog = openCatalog();
    const std::string scenario =
        with(kScenario, "region: us-east-1", "region: us-east-1, purchase: on_demand");
    const catalog::Catalog old =
        catalog.withPrices({{"p5.48xlarge", "us-east-1", "on_demand", std::nullopt, ""}});
    const Comparison c = compare(sideOf(scenario, old, true), sideOf(scenario, catalog), catalog);
    ASSERT_THAT(c.changes, SizeIs(1));
    EXPECT_EQ(c.changes[0].values[0].before, std::nullopt);
    const CandidateComparison& h100 = named(c, "h100");
    EXPECT_EQ(h100.before->standing, "no_price");
    EXPECT_EQ(h100.after->standing, "meets_all");
    EXPECT_THAT(h100.decisive, ElementsAre(0));
    EXPECT_FALSE(move(h100, Quantity::Cost).attribution.hasShares());
}

TEST(Compare, FiguresAndInputsOfKeptResultsMoveTogether) {
    const catalog::Catalog catalog = openCatalog();
    const Outcome<catalog::Catalog> old =
        catalog.withOverrides({{"operation", "default.gpu", "restart_s", "1800", "as it was"},
                               {"operation", "default.gpu", "startup_s", "7200", "as it was"}});
    ASSERT_TRUE(old) << old.findings().front().english();
    // As the older catalog's own rows had it.
    std::string before = kept(kScenario, *old);
    for (std::size_t at = 0; (at = before.find("\"override\"", at)) != std::string::npos;)
        before.replace(at, 10, "\"adopted\"");
    Outcome<KeptResult> result = readResult(before, "june.json");
    ASSERT_TRUE(result);
    const Side a{std::move(result).value(), nullptr};
    const std::string today = with(kScenario, "100B", "120B");
    const Comparison c = compare(a, sideOf(today, catalog), catalog);
    ASSERT_THAT(c.changes, SizeIs(2));
    EXPECT_EQ(c.changes[1].kind, search::ChangeKind::Figures);
    EXPECT_EQ(c.changes[1].path, "operation/default.gpu");
    EXPECT_THAT(c.changes[1].values, SizeIs(2));
    EXPECT_THAT(named(c, "h100").changes, ElementsAre(0, 1));
    EXPECT_THAT(named(c, "trn2").changes, ElementsAre(0));
    const Move& days = move(named(c, "h100"), Quantity::Days);
    EXPECT_GT(days.attribution.contributions[0].share, 0);
    EXPECT_LT(days.attribution.contributions[1].share, 0);
    expectExplained(c);
    // Two kept results, neither of which today's catalog agrees with, say the same of the figures.
    const Side b = sideOf(today, catalog, true);
    const Comparison both = compare(a, b, catalog);
    EXPECT_THAT(both.changes, SizeIs(2));
    expectExplained(both);
}

TEST(Compare, TheCalibrationIsAChangeOfItsOwn) {
    const catalog::Catalog catalog = openCatalog();
    ASSERT_TRUE(catalog.calibration());
    catalog::Catalog plain = openCatalog();
    plain.useCalibration(nullptr);
    const Comparison c =
        compare(sideOf(kScenario, plain, true), sideOf(kScenario, catalog), catalog);
    ASSERT_THAT(c.changes, SizeIs(1));
    EXPECT_EQ(c.changes[0].kind, search::ChangeKind::Calibration);
    EXPECT_TRUE(c.after.calibrationHash != c.before.calibrationHash);
    expectExplained(c);
    // Two factors of a kept calibration give its own numbers back, to the last digit.
    const Comparison back =
        compare(sideOf(kScenario, catalog, true), sideOf(kScenario, plain), plain);
    expectExplained(back);
}

TEST(Compare, WhatNoChangeExplainsIsLeftOver) {
    const catalog::Catalog catalog = openCatalog();
    Side a = sideOf(kScenario, catalog, true);
    // As an earlier engine might have had it.
    for (search::CandidateState& state : a.result.candidates)
        state.quantities[static_cast<std::size_t>(Quantity::Days)] =
            1.25 * *state.quantities[static_cast<std::size_t>(Quantity::Days)];
    const Comparison c = compare(a, sideOf(kScenario, catalog), catalog);
    const Move& days = move(named(c, "h100"), Quantity::Days);
    EXPECT_NEAR(days.rest / *days.after, -0.25, 1e-9);
    EXPECT_EQ(move(named(c, "h100"), Quantity::Energy).rest, 0);
}

TEST(Compare, OrdersThroughPlansThatCannotBeMadeDontCount) {
    // A tensor degree of 32 needs more than one host of 8: only with NVLink domains of 64, or on
    // Trainium, is it legal. The system has to change first.
    const catalog::Catalog catalog = openCatalog();
    const std::string after =
        with(with(kScenario, "p5.48xlarge, accelerators: 64, region: us-east-1",
                  "trn2.48xlarge, accelerators: 64, region: us-east-2, parallelism: {tensor: 32}"),
             "100B", "110B");
    const Comparison c = compare(sideOf(kScenario, catalog), sideOf(after, catalog), catalog);
    const CandidateComparison& h100 = named(c, "h100");
    const search::Attribution& days = move(h100, Quantity::Days).attribution;
    EXPECT_EQ(days.orders, Orders::Possible);
    EXPECT_LT(days.counted, days.possible);
    EXPECT_FALSE(h100.gap.empty());
    expectExplained(c);
}

TEST(Compare, LimitsTurnTheStanding) {
    const catalog::Catalog catalog = openCatalog();
    const std::string before = std::string(kScenario) + "constraints: {budget: 10M USD}\n";
    const std::string after = with(with(before, "10M USD", "1000 USD"), "100B", "101B");
    const Comparison c = compare(sideOf(before, catalog), sideOf(after, catalog), catalog);
    for (const CandidateComparison& one : c.candidates) {
        EXPECT_EQ(one.before->standing, "meets_all");
        EXPECT_EQ(one.after->standing, "misses_limit");
        ASSERT_THAT(one.decisive, SizeIs(1));
        EXPECT_EQ(c.changes[one.decisive[0]].path, "constraints.budget");
    }
}

TEST(Compare, CandidatesComeGoAndKeepTheirNumbersUnderAnotherName) {
    const catalog::Catalog catalog = openCatalog();
    const std::string after =
        with(with(kScenario, "name: h100", "name: p5"), "trn2.48xlarge", "trn1.32xlarge");
    const Comparison c = compare(sideOf(kScenario, catalog), sideOf(after, catalog), catalog);
    const CandidateComparison& p5 = named(c, "p5");
    EXPECT_TRUE(p5.isRenamed());
    EXPECT_EQ(p5.before->name, "h100");
    for (const Move& m : p5.moves) EXPECT_EQ(m.rest, 0);
}

TEST(Compare, AnOlderResultMovesWithoutReasons) {
    const catalog::Catalog catalog = openCatalog();
    Side a = sideOf(kScenario, catalog, true);
    a.result.plan.hasSource = false;
    const Comparison c = compare(a, sideOf(with(kScenario, "100B", "200B"), catalog), catalog);
    ASSERT_THAT(c.notes, SizeIs(1));
    EXPECT_THAT(c.notes[0].english(), HasSubstr("without their reasons"));
    const Move& days = move(named(c, "h100"), Quantity::Days);
    EXPECT_FALSE(days.attribution.hasShares());
    EXPECT_EQ(days.rest, *days.difference());
}

TEST(Compare, DifferentModelsAreNamed) {
    const catalog::Catalog catalog = openCatalog();
    const Comparison c =
        compare(sideOf(kScenario, catalog),
                sideOf(with(kScenario, "llama3.1-8b", "llama2-7b"), catalog), catalog);
    ASSERT_FALSE(c.notes.empty());
    EXPECT_THAT(c.notes[0].english(), HasSubstr("llama3.1-8b and llama2-7b"));
    expectExplained(c);
}

TEST(Compare, ThreadsDontMatter) {
    const catalog::Catalog catalog = openCatalog();
    const Side a = sideOf(kScenario, catalog);
    const Side b = sideOf(with(kScenario, "512 sequences", "256 sequences"), catalog);
    Options two;
    two.threads = 2;
    const Comparison one = compare(a, b, catalog), other = compare(a, b, catalog, two);
    for (std::size_t i = 0; i < one.candidates.size(); ++i)
        for (std::size_t q = 0; q < search::kQuantityCount; ++q) {
            const auto& x = one.candidates[i].moves[q].attribution.contributions;
            const auto& y = other.candidates[i].moves[q].attribution.contributions;
            ASSERT_EQ(x.size(), y.size());
            for (std::size_t k = 0; k < x.size(); ++k) EXPECT_EQ(x[k].share, y[k].share);
        }
}

}  // namespace
}  // namespace trainwright::compare
