// SPDX-License-Identifier: GPL-3.0-or-later
// Claims held against the shipped catalog, against changed ones, and claims made up for the test.
//
// The engine's figures move when it gets better; what is held here is how a verdict comes about,
// and what published figures alone decide.
#include "data/claims/check.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "data/catalog/catalog_builder.h"
#include "data/claims/parameters.h"
#include "data/scenario/scenario.h"
#include "tests/data/catalog/catalog_files.h"

namespace trainwright::claims {
namespace {

using catalog::testing_files::contentOf;
using catalog::testing_files::Folder;
using catalog::testing_files::rowsFolder;
using catalog::testing_files::schemaPath;
using catalog::testing_files::shipped;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

const std::vector<import::PublishedRun>& runs() {
    static const auto read = import::readRuns(contentOf(rowsFolder() + "/runs.csv"), "runs.csv");
    if (!read) throw std::runtime_error(read.findings().front().english());
    return *read;
}

std::vector<catalog::Claim> rowsOf(const catalog::Catalog& catalog,
                                   const std::set<std::string>& ids) {
    std::vector<catalog::Claim> rows = catalog.claims();
    if (!ids.empty())
        std::erase_if(rows, [&](const catalog::Claim& row) { return !ids.contains(row.id); });
    return rows;
}

CheckedClaim checked(const catalog::Catalog& catalog, const std::string& id) {
    const std::vector<CheckedClaim> all = check(rowsOf(catalog, {id}), {catalog, runs()});
    if (all.size() != 1) throw std::runtime_error("no claim " + id);
    return all.front();
}

/// A claim against the shipped catalog, checked once for all tests of a process.
const CheckedClaim& shippedClaim(const std::string& id) {
    static std::map<std::string, CheckedClaim> known;
    const auto found = known.find(id);
    return found != known.end() ? found->second
                                : known.emplace(id, checked(shipped(), id)).first->second;
}

catalog::Catalog with(const std::string& kind, const std::string& id, const std::string& key,
                      const std::string& value) {
    auto changed = shipped().withOverrides({{kind, id, key, value, "for the test"}});
    if (!changed) throw std::runtime_error(changed.findings().front().english());
    return std::move(changed).value();
}

std::string wordsOf(const CheckedClaim& claim) {
    std::string all;
    for (const Sentence& sentence : claim.conditions) {
        Text text{sentence.pattern, {}};
        for (const Measure& m : sentence.arguments)
            text.arguments.push_back(m.number ? std::to_string(*m.number) : m.words);
        all += text.english() + "\n";
    }
    return all;
}

// --- the shipped rows

TEST(ShippedClaims, AreAllThere) {
    std::vector<std::string> ids;
    for (const catalog::Claim& claim : shipped().claims()) ids.push_back(claim.id);
    EXPECT_THAT(ids, ElementsAre("trn1-peak", "trn1-dtypes", "trn1-32xl", "trn1-2xl", "trn2-peak",
                                 "trn2-hbm", "trn2-48xl", "ultra-total", "ultra-parts", "ultra-1t",
                                 "ultra-100b", "trn3-2x", "trn3-date", "regions", "half-cost",
                                 "perf-per-watt", "near-peak", "mlperf", "rainier", "rainier-5x",
                                 "beyond-ultra", "low-latency", "announce-dates", "neuron-auto"));
}

TEST(ShippedClaims, AreOfParametersThatTheirChecksUnderstandAndCiteWhatTheyUse) {
    for (const CheckedClaim& claim : check(shipped().claims(), {shipped(), runs()})) {
        EXPECT_THAT(claim.parts, Not(IsEmpty())) << claim.id;
        EXPECT_FALSE(claim.source.empty()) << claim.id;
        for (const Part& part : claim.parts) {
            const std::string where = claim.id + ": " + part.subject;
            const bool isPlanned =
                part.kind == "fit" || part.kind == "scenario" || part.kind == "compare";
            EXPECT_THAT(part.cases, Not(IsEmpty())) << where;
            for (const Case& c : part.cases) {
                EXPECT_EQ(c.labels.size(), part.dimensions.size()) << where;
                if (!c.found.empty()) {
                    EXPECT_EQ(!c.scenario.empty(), isPlanned) << where;
                }
                for (const Sentence& note : c.notes)
                    for (const char* fault :
                         {"neither a number", "no kind of check", "names no figures",
                          "no metric of a plan", "no system", "has no figure"})
                        EXPECT_THAT(note.pattern, Not(HasSubstr(fault))) << where;
            }
            if (part.known > 0 && part.kind != "figure") {
                EXPECT_THAT(part.sources, Not(IsEmpty())) << where;
            }
        }
    }
}

struct Known {
    const char* id;
    Verdict verdict;
};

/// What follows from published figures, whatever the engine says.
TEST(ShippedClaims, HaveTheVerdictsThatPublishedFiguresGive) {
    using enum Verdict;
    for (const Known& known :
         {Known{"trn1-peak", HoldsUnderConditions}, Known{"trn1-dtypes", HoldsUnderConditions},
          Known{"trn1-32xl", HoldsUnderConditions}, Known{"trn1-2xl", Holds},
          Known{"trn2-peak", Contradicted}, Known{"trn2-hbm", Contradicted},
          Known{"trn2-48xl", Contradicted}, Known{"ultra-total", Contradicted},
          Known{"ultra-parts", HoldsUnderConditions}, Known{"trn3-date", Holds},
          Known{"regions", HoldsUnderConditions}, Known{"near-peak", Contradicted},
          Known{"mlperf", CannotBeChecked}, Known{"rainier", Holds},
          Known{"rainier-5x", CannotBeChecked}, Known{"low-latency", CannotBeChecked},
          Known{"announce-dates", Contradicted}})
        EXPECT_EQ(name(shippedClaim(known.id).verdict), std::string(name(known.verdict)))
            << known.id << "\n"
            << wordsOf(shippedClaim(known.id));
}

TEST(ShippedClaims, TheArticleContradictsItself) {
    // Its own totals refute its 32 GB whatever the catalog holds of the chip.
    const catalog::Catalog agreed = with("chip", "trainium2", "hbm_bytes", "34359738368");
    const CheckedClaim claim = checked(agreed, "trn2-hbm");
    EXPECT_EQ(claim.parts.at(0).verdict, Verdict::Holds);
    EXPECT_EQ(claim.verdict, Verdict::Contradicted);
    EXPECT_EQ(claim.parts.at(1).found.number, 64 * 34359738368.0);
    EXPECT_EQ(claim.parts.at(1).claimed.number, 6597069766656.0);
    EXPECT_THAT(wordsOf(claim), HasSubstr("The article contradicts itself"));
}

// --- a changed figure changes the verdict

struct Change {
    const char *claim, *kind, *id, *key, *value;
    Verdict before, after;
};

class ChangedFigure : public testing::TestWithParam<Change> {};

TEST_P(ChangedFigure, ChangesTheVerdict) {
    const Change& c = GetParam();
    EXPECT_EQ(name(shippedClaim(c.claim).verdict), std::string(name(c.before)));
    const CheckedClaim moved = checked(with(c.kind, c.id, c.key, c.value), c.claim);
    EXPECT_EQ(name(moved.verdict), std::string(name(c.after))) << wordsOf(moved);
}

INSTANTIATE_TEST_SUITE_P(
    Figures, ChangedFigure,
    testing::Values(
        Change{"trn1-2xl", "instance", "trn1.2xlarge", "chips_per_unit", "2", Verdict::Holds,
               Verdict::Contradicted},
        Change{"trn1-32xl", "chip", "trainium1", "peak_bf16_flop_per_s", "200e12",
               Verdict::HoldsUnderConditions, Verdict::Holds},
        Change{"trn2-48xl", "chip", "trainium2", "peak_bf16_flop_per_s", "400e12",
               Verdict::Contradicted, Verdict::Holds},
        Change{"ultra-total", "chip", "trainium2", "peak_fp8_flop_per_s", "400e12",
               Verdict::Contradicted, Verdict::HoldsUnderConditions},
        Change{"ultra-parts", "instance", "u-trn2x64", "link_bandwidth_bytes_per_s_2", "128e9",
               Verdict::HoldsUnderConditions, Verdict::Holds},
        Change{"trn3-date", "chip", "trainium3", "released", "2026-02", Verdict::Holds,
               Verdict::Contradicted},
        Change{"announce-dates", "chip", "trainium1", "announced", "2020-11-30",
               Verdict::Contradicted, Verdict::Holds},
        Change{"near-peak", "chip", "trainium1", "peak_bf16_flop_per_s", "60e12",
               Verdict::Contradicted, Verdict::HoldsUnderConditions},
        Change{"rainier", "system", "project_rainier", "chips", "90000", Verdict::Holds,
               Verdict::Contradicted},
        Change{"rainier-5x", "system", "project_rainier", "predecessor_flop_per_s", "50e18",
               Verdict::CannotBeChecked, Verdict::Holds},
        Change{"rainier-5x", "system", "project_rainier", "predecessor_flop_per_s", "200e18",
               Verdict::CannotBeChecked, Verdict::Contradicted},
        Change{"regions", "region", "eu-west-1", "offers", "trn1.2xlarge;trn2.48xlarge",
               Verdict::HoldsUnderConditions, Verdict::HoldsUnderConditions},
        // The engine is asked again: a chip with twenty times the memory holds all the states.
        Change{"ultra-1t", "chip", "trainium2", "hbm_bytes", "2e12", Verdict::Contradicted,
               Verdict::Holds}),
    [](const auto& change) {
        std::string label = change.param.claim;
        std::replace(label.begin(), label.end(), '-', '_');
        return label + "_" + std::to_string(change.index);
    });

TEST(ChangedRow, ChangesTheVerdict) {
    const Folder folder;
    std::filesystem::copy(rowsFolder(), folder.path());
    std::string figures = contentOf(folder.file("figures_chip.csv"));
    const std::string row = "trainium2,peak_bf16_flop_per_s,667e12,adopted";
    const std::size_t at = figures.find(row);
    ASSERT_NE(at, std::string::npos);
    figures.replace(at, row.size(), "trainium2,peak_bf16_flop_per_s,400e12,adopted");
    folder.write("figures_chip.csv", figures);
    const auto built = catalog::buildCatalog(schemaPath(), folder.path(), folder.file("c.sqlite"));
    ASSERT_TRUE(built) << built.findings().front().english();
    const auto changed = catalog::Catalog::open(folder.file("c.sqlite"));
    ASSERT_TRUE(changed);
    EXPECT_EQ(shippedClaim("trn2-48xl").verdict, Verdict::Contradicted);
    EXPECT_EQ(checked(*changed, "trn2-48xl").verdict, Verdict::Holds);
}

TEST(ChangedFigure, StandsInTheScenarioAndIsTheSameThere) {
    const catalog::Catalog faster =
        with("chip", "trainium2", "engine_peak_bf16_flop_per_s", "900e12");
    const CheckedClaim claim = checked(faster, "ultra-100b");
    const Part& days = claim.parts.at(1);
    ASSERT_EQ(days.kind, "scenario");
    const Case& first = days.cases.at(0);
    EXPECT_THAT(first.scenario, HasSubstr("chip/trainium2/engine_peak_bf16_flop_per_s"));
    EXPECT_NE(first.found, shippedClaim("ultra-100b").parts.at(1).cases.at(0).found);
    const auto loaded = scenario::load(first.scenario, "claim.yaml", shipped());
    ASSERT_TRUE(loaded) << loaded.findings().front().english();
    const search::PlanResult again = search::plan(loaded->request, 1);
    EXPECT_DOUBLE_EQ(again.candidates.at(0).run.days, *first.found.number);
}

// --- claims made up for the test: a further claim of a known kind is a row

catalog::ClaimCheck row(std::string kind, std::string parameters, std::string relation = "none",
                        std::string claimed = "", std::string unit = "count") {
    catalog::ClaimCheck c;
    c.role = "decides";
    c.kind = std::move(kind);
    c.subject = "it";
    c.parameters = std::move(parameters);
    c.relation = std::move(relation);
    c.claimed = std::move(claimed);
    c.unit = std::move(unit);
    return c;
}

Part made(catalog::ClaimCheck check, const std::vector<import::PublishedRun>& table = runs()) {
    catalog::Claim claim;
    claim.id = "made-up";
    claim.checks = {std::move(check)};
    return claims::check({claim}, {shipped(), table}).at(0).parts.at(0);
}

std::string firstNote(const Part& part) {
    return part.cases.at(0).notes.at(0).pattern;
}

TEST(FigureCheck, TakesOneExpressionOrSeveral) {
    const Part one = made(row("figure", "figures=chip/trainium2/hbm_bytes", "at_least", "1e9"));
    EXPECT_EQ(one.verdict, Verdict::Holds);
    EXPECT_THAT(one.dimensions, IsEmpty());
    const Part two = made(row("figure", "figures=small: 1 / 2 | large: 4 * 2", "at_least", "1"));
    EXPECT_THAT(two.cases.at(1).labels, ElementsAre("large"));
    EXPECT_EQ(two.verdict, Verdict::HoldsUnderConditions);
    EXPECT_EQ(made(row("figure", "")).verdict, Verdict::CannotBeChecked);
}

TEST(DateCheck, NeedsADateAsFineAsTheOneClaimed) {
    EXPECT_EQ(made(row("date", "figure=chip/trainium3/released", "equals", "2025", "date")).verdict,
              Verdict::Holds);
    // The catalog has a month.
    EXPECT_EQ(
        made(row("date", "figure=chip/trainium1/released", "equals", "2022-10-10", "date")).verdict,
        Verdict::CannotBeChecked);
    EXPECT_EQ(
        made(row("date", "figure=chip/trainium1/vendor_day", "equals", "2022", "date")).verdict,
        Verdict::CannotBeChecked);
}

TEST(PresentCheck, CountsWhatIsThere) {
    const Part part = made(row("present",
                               "entries=chip/trainium1, chip/trainium3; "
                               "keys=peak_bf16_flop_per_s, peak_fp4_flop_per_s",
                               "holds"));
    EXPECT_EQ(part.known, 4);
    EXPECT_EQ(part.met, 3);
    EXPECT_EQ(part.verdict, Verdict::HoldsUnderConditions);
}

TEST(OffersCheck, AsksEachRegionOrTellsThem) {
    const Part there =
        made(row("offers", "units=trn1.32xlarge; regions=us-east-1, sa-east-1", "holds"));
    EXPECT_EQ(there.met, 1);
    EXPECT_EQ(there.cases.at(1).found.words, "none found");
    const Part anywhere = made(row("offers", "units=trn1.32xlarge"));
    EXPECT_GE(anywhere.cases.size(), 3U);
    EXPECT_EQ(anywhere.role, Role::Decides);
}

constexpr const char* kSmall =
    "tokens=1T; sequence_length=2048; global_batch=512 sequences; region=us-east-2";

TEST(FitCheck, FindsTheLeastNumberOfUnits) {
    const std::string fit =
        std::string("models=llama3.1-8b, llama3.1-70b; system=trn1.32xlarge; units=1, 2, 4, 8; ") +
        kSmall;
    const Part part = made(row("fit", fit, "at_most", "1"));
    ASSERT_THAT(part.cases, SizeIs(2));
    EXPECT_EQ(part.cases[0].found.number, 1);
    ASSERT_TRUE(part.cases[1].found.number);
    EXPECT_GT(*part.cases[1].found.number, 1);
    EXPECT_EQ(part.verdict, Verdict::HoldsUnderConditions);
    // One size less doesn't do, as the scenario shows when it is planned.
    const Part less = made(
        row("fit", std::string("models=llama3.1-70b; system=trn1.32xlarge; units=1; ") + kSmall,
            "at_most", "1"));
    EXPECT_EQ(less.verdict, Verdict::Contradicted);
    EXPECT_EQ(less.cases.at(0).found.words, "more than 1");
    EXPECT_EQ(made(row("fit", "models=llama3.1-8b; system=trn9; units=1")).verdict,
              Verdict::CannotBeChecked);
}

TEST(ScenarioCheck, TellsAMetricOfThePlan) {
    const std::string plan =
        std::string("models=llama3.1-8b; system=trn1.32xlarge; units=4; ") + kSmall;
    const Part days = made(row("scenario", plan + "; metric=days", "at_least", "1", "days"));
    ASSERT_TRUE(days.found.number);
    const auto loaded = scenario::load(days.cases.at(0).scenario, "claim.yaml", shipped());
    ASSERT_TRUE(loaded);
    EXPECT_DOUBLE_EQ(search::plan(loaded->request, 1).candidates.at(0).run.days,
                     *days.found.number);
    EXPECT_THAT(firstNote(made(row("scenario", plan + "; metric=colour"))),
                HasSubstr("no metric of a plan"));
    // What the scenario's reader says of a wrong row reaches the claim.
    const Part wrong =
        made(row("scenario",
                 "models=lama; system=trn1.32xlarge; units=4; metric=days; " + std::string(kSmall),
                 "at_least", "1"));
    EXPECT_EQ(wrong.verdict, Verdict::CannotBeChecked);
    EXPECT_THAT(wrong.conditions.at(0).arguments.at(0).words, HasSubstr("llama"));
}

TEST(CompareCheck, ScenariosGiveTheSameAgain) {
    const Part part = made(row("compare",
                               std::string("models=llama3.1-8b; systems=trn1.32xlarge; "
                                           "against=p4d.24xlarge; accelerators=64; metric=cost; "
                                           "plans=on_demand, spot; earlier=2025-04; ") +
                                   kSmall,
                               "reaches", "0.5", "fraction"));
    std::set<std::string> plans;
    ASSERT_THAT(part.cases, Not(IsEmpty()));
    for (const Case& c : part.cases) {
        plans.insert(c.labels.at(3));
        const auto loaded = scenario::load(c.scenario, "claim.yaml", shipped());
        ASSERT_TRUE(loaded) << loaded.findings().front().english() << c.scenario;
        const search::PlanResult again = search::plan(loaded->request, 1);
        const double left = again.candidates.at(0).run.money.total->value();
        const double right = again.candidates.at(1).run.money.total->value();
        EXPECT_DOUBLE_EQ(*c.found.number, 1 - left / right) << c.labels.at(3) << c.labels.at(4);
    }
    EXPECT_THAT(plans, Contains("on demand"));
    EXPECT_THAT(plans, Contains("spot"));
    EXPECT_THAT(plans, Contains("on demand / on demand of 2025-04"));
}

TEST(CompareCheck, DoublesWithTheFigureThatItRestsOn) {
    const std::string compare =
        std::string(
            "models=llama3.1-8b; systems=trn2.48xlarge; against=trn2.48xlarge; "
            "accelerators=64; metric=step_time; ") +
        kSmall;
    const Part same = made(row("compare", compare, "equals", "1", "ratio"));
    EXPECT_EQ(same.verdict, Verdict::Holds);
    EXPECT_THAT(same.dimensions, ElementsAre("model", "system", "against"));
}

import::PublishedRun submission(const std::string& id, const std::string& accelerator,
                                double tokens){import::PublishedRun run;
run.id = id;
run.source = "MLPerf Training v9.9, made up";
run.workload = "training";
run.model = "Llama 3.1 8B";
run.accelerator = accelerator;
run.tokensPerSecond = tokens;
return run;
}  // namespace

TEST(BenchmarkCheck, ComparesWithTheBestOther) {
    const catalog::ClaimCheck check =
        row("benchmark", "benchmark=MLPerf Training; chip=trainium2; workload=training", "at_least",
            "0.8", "ratio");
    const Part none = made(check);
    EXPECT_EQ(none.verdict, Verdict::CannotBeChecked);
    EXPECT_THAT(none.lookedAt, HasSubstr("MLPerf Training v5.1"));

    std::vector<import::PublishedRun> table{submission("a", "H100-SXM5-80GB", 1000),
                                            submission("b", "H100-SXM5-80GB", 800),
                                            submission("c", "Trainium2", 900)};
    const Part good = made(check, table);
    EXPECT_EQ(good.verdict, Verdict::Holds);
    EXPECT_DOUBLE_EQ(*good.found.number, 0.9);
    table.back().tokensPerSecond = 100;
    EXPECT_EQ(made(check, table).verdict, Verdict::Contradicted);
    table.back().model = "another";
    EXPECT_EQ(made(check, table).verdict, Verdict::CannotBeChecked);
}

TEST(RunsCheck, MeasuresEachRunAndTellsWhereThereIsNone) {
    const Part best = made(row("runs", "chips=trainium1; workload=training; measure=mfu", "reaches",
                               "0.05", "fraction"));
    ASSERT_TRUE(best.highest.number);
    EXPECT_GT(*best.highest.number, 0.2);
    EXPECT_LT(*best.highest.number, 1);
    EXPECT_GT(best.known, 20);
    const Part none = made(
        row("runs", "chips=tpu_v9; workload=training; measure=mfu", "reaches", "0.05", "fraction"));
    EXPECT_EQ(none.verdict, Verdict::CannotBeChecked);
    const Part noTable = made(row("runs", "chips=trainium1; workload=training; measure=mfu",
                                  "reaches", "0.05", "fraction"),
                              {});
    EXPECT_EQ(noTable.verdict, Verdict::CannotBeChecked);
}

TEST(LayoutsCheck, NothingSearchedIsSlowerThanByHand) {
    // The layout in the row is among those that are searched.
    const Part part =
        made(row("layouts", "chips=trainium1; workload=training", "at_least", "1", "ratio"));
    EXPECT_GT(part.known, 5);
    EXPECT_EQ(part.verdict, Verdict::Holds);
}

TEST(UnknownKind, CannotBeChecked) {
    EXPECT_EQ(made(row("guess", "", "equals", "1")).verdict, Verdict::CannotBeChecked);
}

// --- the work as a whole

TEST(Check, GivesTheSameOnAnyNumberOfThreads) {
    CheckOptions four;
    four.threads = 4;
    const std::set<std::string> ids{"ultra-100b", "trn3-2x", "perf-per-watt"};
    for (const CheckedClaim& claim : check(rowsOf(shipped(), ids), {shipped(), runs()}, four)) {
        const CheckedClaim& one = shippedClaim(claim.id);
        ASSERT_EQ(claim.parts.size(), one.parts.size());
        for (std::size_t p = 0; p < one.parts.size(); ++p) {
            ASSERT_EQ(claim.parts[p].cases.size(), one.parts[p].cases.size());
            for (std::size_t c = 0; c < one.parts[p].cases.size(); ++c)
                EXPECT_EQ(claim.parts[p].cases[c].found, one.parts[p].cases[c].found);
        }
    }
}

TEST(Check, TellsItsProgressAndStopsWhenAsked) {
    double last = 0;
    int calls = 0;
    CheckOptions options;
    options.progress = [&](double share) {
        EXPECT_GE(share, last);
        EXPECT_LE(share, 1);
        last = share;
        ++calls;
        return true;
    };
    const std::set<std::string> ids{"trn1-peak", "trn2-hbm"};
    EXPECT_THAT(check(rowsOf(shipped(), ids), {shipped(), runs()}, options), SizeIs(2));
    EXPECT_EQ(last, 1);
    EXPECT_GE(calls, 4);

    options.progress = [](double share) { return share <= 0.5; };
    EXPECT_THAT(check(rowsOf(shipped(), ids), {shipped(), runs()}, options), SizeIs(1));
}

}  // namespace trainwright::claims
}  // namespace trainwright::claims
