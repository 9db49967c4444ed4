// SPDX-License-Identifier: GPL-3.0-or-later
// The overlay: whole or not at all, whatever happens while it is written, and laid over the catalog as it says.
#include "data/catalog/overlay.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "data/catalog/catalog_text.h"
#include "data/catalog/csv_rows.h"
#include "data/catalog/price_moves.h"
#include "tests/data/catalog/catalog_files.h"

namespace trainwright::catalog {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::SizeIs;
using testing_files::Folder;

ImportedPrice price(const std::string& unit, const std::string& region, const std::string& plan, double usd,
                    const std::string& observed, const std::string& zone = {}) {
    ImportedPrice p;
    p.provider = "aws";
    p.unitId = unit;
    p.region = region;
    p.zone = zone;
    p.plan = plan;
    p.usdPerHour = usd;
    p.observed = observed;
    p.confidence = "high";
    p.status = "listed";
    return p;
}

ImportBatch batchOf(const std::string& hash, std::vector<ImportedPrice> prices) {
    ImportBatch batch;
    batch.files.push_back(ImportedFile{"offer.json", "AWS offer file (JSON)", "AWS offer file (JSON), us-east-2, " + hash,
                                       hash, 100, "2026-11-15", "2026-11-15"});
    batch.prices = std::move(prices);
    return batch;
}

ImportResult mustAdd(const std::string& path, const ImportBatch& batch, const std::string& time = "2026-12-02T10:00:00Z") {
    Outcome<OverlayWriter> writer = OverlayWriter::open(path);
    EXPECT_TRUE(writer.ok());
    const Outcome<ImportResult> result = writer.value().add(batch, time);
    EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.findings().front().english());
    return *result;
}

Catalog open(const std::string& overlay) {
    Outcome<Catalog> catalog = Catalog::open(TRAINWRIGHT_CATALOG_FILE, overlay);
    EXPECT_TRUE(catalog.ok()) << (catalog.ok() ? "" : catalog.findings().front().english());
    return std::move(catalog).value();
}

void execute(const std::string& path, const std::string& sql) {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK) << sql;
    sqlite3_close(database);
}

TEST(Overlay, AMissingOrEmptyOneHasNoRows) {
    const Folder folder;
    const Catalog none = open("");
    EXPECT_EQ(open(folder.file("absent.sqlite")).hash(), none.hash());
    std::ofstream(folder.file("empty.sqlite")).flush();
    EXPECT_EQ(open(folder.file("empty.sqlite")).hash(), none.hash());
    EXPECT_FALSE(isOverlay(folder.file("empty.sqlite")));
    EXPECT_FALSE(isOverlay(TRAINWRIGHT_CATALOG_FILE));
}

TEST(Overlay, TheNewestListedObservationIsThePrice) {
    const Folder folder;
    const std::string path = folder.file("deeper/o.sqlite");
    const double before = open("").price("trn1.32xlarge", "us-east-2", "on_demand").perUnit->value();
    // Older than the catalog's: kept beside it.
    mustAdd(path, batchOf("a", {price("trn1.32xlarge", "us-east-2", "on_demand", 30.0, "2020-01-01")}));
    EXPECT_TRUE(isOverlay(path));
    EXPECT_DOUBLE_EQ(open(path).price("trn1.32xlarge", "us-east-2", "on_demand").perUnit->value(), before);
    // Newer.
    mustAdd(path, batchOf("b", {price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30")}));
    const Catalog catalog = open(path);
    const run::Price now = catalog.price("trn1.32xlarge", "us-east-2", "on_demand");
    EXPECT_NEAR(now.perUnit->value() * 3600.0, 18.0, 1e-9);
    EXPECT_EQ(now.observedDate, "2026-11-30");
    EXPECT_THAT(now.source, HasSubstr("AWS offer file"));
    EXPECT_EQ(catalog.newestPriceDate(), "2026-11-30");
    // A suspect row never is.
    ImportedPrice suspect = price("trn1.32xlarge", "us-east-2", "on_demand", 1.0, "2026-12-01");
    suspect.status = "suspect";
    suspect.note = "too low";
    mustAdd(path, batchOf("c", {suspect}));
    EXPECT_NEAR(open(path).price("trn1.32xlarge", "us-east-2", "on_demand").perUnit->value() * 3600.0, 18.0, 1e-9);
    // All dated values are kept and shown.
    const Outcome<std::string> shown = show(open(path), "trn1.32xlarge", TextFormat::Text);
    ASSERT_TRUE(shown.ok());
    EXPECT_THAT(*shown, AllOf(HasSubstr("2026-11-30"), HasSubstr("2020-01-01"), HasSubstr("2026-07"), HasSubstr("listed*")));
}

TEST(Overlay, TheCheapestZoneOfOneDaySpeaksForItsRegion) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    ImportedPrice far = price("trn1.32xlarge", "us-west-2", "spot", 3.5, "2026-11-30", "usw2-az1");
    ImportedPrice near = price("trn1.32xlarge", "us-west-2", "spot", 3.25, "2026-11-30", "usw2-az2");
    near.distribution = PriceDistribution{3.25, 2.0, 4.0, "2026-11-01", "2026-11-30"};
    mustAdd(path, batchOf("a", {far, near}));
    const Catalog catalog = open(path);
    EXPECT_NEAR(catalog.price("trn1.32xlarge", "us-west-2", "spot").perUnit->value() * 3600.0, 3.25, 1e-9);
    const std::vector<PriceRow> rows = catalog.prices("trn1.32xlarge", "us-west-2");
    const auto row = std::find_if(rows.begin(), rows.end(), [](const PriceRow& r) { return r.plan == "spot"; });
    ASSERT_NE(row, rows.end());
    EXPECT_EQ(row->zone, "usw2-az2");
    ASSERT_TRUE(row->distribution.has_value());
    EXPECT_DOUBLE_EQ(row->distribution->p90, 4.0);
    EXPECT_EQ(row->distribution->from, "2026-11-01");
}

TEST(Overlay, TheHashCoversWhatItSaysAndNothingElse) {
    const Folder folder;
    const ImportedPrice first = price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30");
    const ImportedPrice second = price("p5.48xlarge", "us-east-2", "on_demand", 50.0, "2026-11-30");
    mustAdd(folder.file("a"), batchOf("1", {first, second}), "2026-12-01T00:00:00Z");
    mustAdd(folder.file("b"), batchOf("2", {second}), "2026-12-02T00:00:00Z");
    mustAdd(folder.file("b"), batchOf("3", {first}), "2026-12-03T00:00:00Z");
    const std::string shipped = open("").hash();
    EXPECT_NE(open(folder.file("a")).hash(), shipped);
    EXPECT_EQ(open(folder.file("a")).hash(), open(folder.file("b")).hash());
    mustAdd(folder.file("b"), batchOf("4", {price("p5.48xlarge", "us-east-2", "on_demand", 50.5, "2026-11-30")}));
    EXPECT_NE(open(folder.file("a")).hash(), open(folder.file("b")).hash());
    Outcome<OverlayWriter> writer = OverlayWriter::open(folder.file("a"));
    ASSERT_TRUE(writer.value().forget(1).ok());
    EXPECT_EQ(open(folder.file("a")).hash(), shipped);
}

TEST(Overlay, AFileIsInItOnce) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    const ImportBatch batch = batchOf("a", {price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30")});
    EXPECT_EQ(mustAdd(path, batch).added, 1U);
    const std::string bytes = testing_files::contentOf(path);
    const ImportResult again = mustAdd(path, batch, "2026-12-03T00:00:00Z");
    EXPECT_EQ(again.id, 0);
    EXPECT_EQ(testing_files::contentOf(path), bytes);
    // The same prices in another file are known, and another price is added.
    const ImportResult other = mustAdd(
        path, batchOf("b", {batch.prices.front(), price("trn1.32xlarge", "us-east-2", "on_demand", 17.0, "2026-12-01")}));
    EXPECT_EQ(other.known, 1U);
    EXPECT_EQ(other.added, 1U);
    const Outcome<Overlay> overlay = Overlay::read(path);
    ASSERT_TRUE(overlay.ok());
    EXPECT_THAT(overlay->imports(), SizeIs(2));
    EXPECT_EQ(overlay->importOf("b")->id, other.id);
    EXPECT_EQ(overlay->importOf("z"), nullptr);
    EXPECT_THAT(overlay->prices("trn1.32xlarge"), SizeIs(2));
}

TEST(Overlay, ImportedFiguresFillGapsAndStandBesideOthers) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    ImportBatch batch = batchOf("a", {});
    ImportedFact wrong;
    wrong.unitId = "trn2.48xlarge";
    wrong.key = "accelerator_memory_bytes";
    wrong.value = "8796093022208";
    wrong.status = Status::Rejected;
    wrong.observed = "2026-11-30";
    wrong.note = "512 GiB a chip against 96 GiB of trainium2: the catalog's figure stands";
    // Even as adopted it never takes the place of a figure that the catalog has.
    ImportedFact bold = wrong;
    bold.key = "chips_per_unit";
    bold.value = "99";
    bold.status = Status::Adopted;
    batch.facts = {wrong, bold};
    batch.offerings = {ImportedOffering{0, "trn2.48xlarge", "eu-south-2", "", "2026-11-30"}};
    mustAdd(path, batch);
    const Catalog catalog = open(path);
    const auto system = catalog.system("trn2.48xlarge");
    ASSERT_TRUE(system.ok());
    EXPECT_EQ(system->chip.id, "trainium2");
    int inUse = 0;
    bool isBeside = false;
    for (const Figure& f : catalog.figures("instance", "trn2.48xlarge")) {
        if (f.key == "chips_per_unit" && (f.status == Status::Adopted || f.status == Status::Estimated)) {
            ++inUse;
            EXPECT_DOUBLE_EQ(*f.number, 16.0);
        }
        isBeside = isBeside || (f.key == "accelerator_memory_bytes" && f.status == Status::Rejected &&
                                f.unit == "bytes" && f.note.find("96 GiB") != std::string::npos);
    }
    EXPECT_EQ(inUse, 1);
    EXPECT_TRUE(isBeside);
    EXPECT_THAT(catalog.offeredIn("trn2.48xlarge"), Contains("eu-south-2"));
}

TEST(Overlay, OverridesOfAScenarioKeepIt) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    mustAdd(path, batchOf("a", {price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30")}));
    const Catalog catalog = open(path);
    const Outcome<Catalog> changed = catalog.withOverrides({{"chip", "trainium1", "tdp_w", "400", "a test"}});
    ASSERT_TRUE(changed.ok());
    EXPECT_NEAR(changed->price("trn1.32xlarge", "us-east-2", "on_demand").perUnit->value() * 3600.0, 18.0, 1e-9);
    EXPECT_EQ(changed->hash(), catalog.hash());
}

struct Trouble {
    const char* name;
    void (*prepare)(const std::string& path);
    const char* said;
};

std::string nameOf(const testing::TestParamInfo<Trouble>& tested) {
    std::string name = tested.param.name;
    std::replace(name.begin(), name.end(), ' ', '_');
    return name;
}

class OverlayTrouble : public testing::TestWithParam<Trouble> {};

TEST_P(OverlayTrouble, IsOneClearSentence) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    GetParam().prepare(path);
    const Outcome<Catalog> catalog = Catalog::open(TRAINWRIGHT_CATALOG_FILE, path);
    ASSERT_FALSE(catalog.ok());
    ASSERT_THAT(catalog.findings(), SizeIs(1));
    EXPECT_THAT(catalog.findings().front().english(), AllOf(HasSubstr(path), HasSubstr(GetParam().said)));
    EXPECT_FALSE(OverlayWriter::open(path).ok());
}

void writeOne(const std::string& path) {
    mustAdd(path, batchOf("a", {price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30")}));
}

INSTANTIATE_TEST_SUITE_P(
    Kinds, OverlayTrouble,
    testing::Values(Trouble{"newer",
                            [](const std::string& path) {
                                writeOne(path);
                                execute(path, "PRAGMA user_version = 99");
                            },
                            "format 99, made for a newer Trainwright"},
                    Trouble{"a catalog",
                            [](const std::string& path) {
                                std::filesystem::copy_file(TRAINWRIGHT_CATALOG_FILE, path);
                                std::filesystem::permissions(path, std::filesystem::perms::owner_all);
                            },
                            "this is a catalog, not an overlay"},
                    Trouble{"another database",
                            [](const std::string& path) { execute(path, "CREATE TABLE t (x)"); },
                            "not an overlay of Trainwright"},
                    Trouble{"no database",
                            [](const std::string& path) { std::ofstream(path) << std::string(5000, 'x'); },
                            "nor any database"},
                    Trouble{"a folder", [](const std::string& path) { std::filesystem::create_directory(path); },
                            "this is a folder"}),
    nameOf);

TEST(Overlay, AnotherWriterIsSaid) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    writeOne(path);
    Outcome<OverlayWriter> writer = OverlayWriter::open(path);
    ASSERT_TRUE(writer.ok());
    sqlite3* other = nullptr;
    ASSERT_EQ(sqlite3_open(path.c_str(), &other), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(other, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr), SQLITE_OK);
    const Outcome<ImportResult> result =
        writer.value().add(batchOf("b", {price("p5.48xlarge", "us-east-2", "on_demand", 50, "2026-11-30")}), "t");
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.findings().front().english(), HasSubstr("another process is writing"));
    // Readers aren't kept waiting.
    EXPECT_TRUE(Overlay::read(path).ok());
    sqlite3_exec(other, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(other);
    EXPECT_TRUE(
        writer.value().add(batchOf("b", {price("p5.48xlarge", "us-east-2", "on_demand", 50, "2026-11-30")}), "t").ok());
}

TEST(Overlay, WhatAConstraintRefusesLeavesNothing) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    writeOne(path);
    const std::string hash = open(path).hash();
    for (const double wrong : {0.0, -1.0, 1e9}) {
        Outcome<OverlayWriter> writer = OverlayWriter::open(path);
        EXPECT_FALSE(writer.value()
                         .add(batchOf("b", {price("p5.48xlarge", "us-east-2", "on_demand", 50, "2026-11-30"),
                                            price("p5.48xlarge", "us-east-1", "on_demand", wrong, "2026-11-30")}),
                              "t")
                         .ok());
    }
    EXPECT_EQ(open(path).hash(), hash);
}

TEST(Overlay, ForgettingTakesAllRowsOfAnImport) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    writeOne(path);
    Outcome<OverlayWriter> writer = OverlayWriter::open(path);
    ASSERT_TRUE(writer.ok());
    const Outcome<ImportRecord> unknown = writer.value().forget(7);
    ASSERT_FALSE(unknown.ok());
    EXPECT_THAT(unknown.findings().front().english(), HasSubstr("no import 7"));
    const Outcome<ImportRecord> record = writer.value().forget(1);
    ASSERT_TRUE(record.ok());
    EXPECT_EQ(record->prices, 1U);
    EXPECT_TRUE(Overlay::read(path)->empty());
    // And the file can be imported again.
    EXPECT_EQ(mustAdd(path, batchOf("a", {price("trn1.32xlarge", "us-east-2", "on_demand", 18.0, "2026-11-30")})).added,
              1U);
}

/// A process is killed in the middle of an import a hundred times; each time the overlay has all of its rows, or none.
TEST(Overlay, SurvivesAKillAtAnyMomentOfAnImport) {
    const Folder folder;
    const std::string path = folder.file("o.sqlite");
    constexpr int kRows = 3000;
    std::mt19937 random(20261202);
    const auto large = [&](int number) {
        std::vector<ImportedPrice> prices;
        for (int i = 0; i < kRows; ++i) {
            prices.push_back(price("trn1.32xlarge", "region-" + std::to_string(i), "on_demand", 1.0 + number, "2026-11-30"));
            prices.back().note = std::string(100, 'n');
        }
        return batchOf("file " + std::to_string(number), prices);
    };
    // How long one takes, from the start of the process.
    const auto begin = std::chrono::steady_clock::now();
    mustAdd(folder.file("timing.sqlite"), large(0));
    const auto whole = std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);

    int killed = 0;
    int finished = 0;
    std::size_t imports = 0;
    for (int round = 0; round < 100; ++round) {
        const ImportBatch batch = large(round);
        int pipe[2];
        ASSERT_EQ(::pipe(pipe), 0);
        const pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) {
            const char ready = 'r';
            (void)!::write(pipe[1], &ready, 1);
            Outcome<OverlayWriter> writer = OverlayWriter::open(path);
            const bool isDone = writer.ok() && writer.value().add(batch, "2026-12-02T10:00:00Z").ok();
            ::_exit(isDone ? 0 : 3);
        }
        char ready = 0;
        ASSERT_EQ(::read(pipe[0], &ready, 1), 1);
        ::close(pipe[0]);
        ::close(pipe[1]);
        const auto most = static_cast<unsigned>(whole.count() + whole.count() / 5);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % (most + 1)));
        ::kill(child, SIGKILL);
        int status = 0;
        ASSERT_EQ(::waitpid(child, &status, 0), child);
        if (WIFEXITED(status)) {
            ASSERT_EQ(WEXITSTATUS(status), 0) << "round " << round;
            ++finished;
        } else {
            ++killed;
        }
        const Outcome<Overlay> overlay = Overlay::read(path);
        ASSERT_TRUE(overlay.ok()) << "round " << round << ": " << overlay.findings().front().english();
        const std::size_t now = overlay->imports().size();
        ASSERT_TRUE(now == imports || now == imports + 1) << "round " << round;
        if (WIFEXITED(status)) {
            ASSERT_EQ(now, imports + 1);
        }
        imports = now;
        ASSERT_EQ(overlay->prices("trn1.32xlarge").size(), imports * kRows) << "round " << round;
        for (const ImportRecord& record : overlay->imports()) {
            ASSERT_EQ(record.prices, static_cast<std::size_t>(kRows));
        }
    }
    EXPECT_GT(killed, 20) << finished << " finished first";
    execute(path, "PRAGMA integrity_check");
    EXPECT_TRUE(Catalog::open(TRAINWRIGHT_CATALOG_FILE, path).ok());
}

TEST(PriceMoves, SayWhatMovedIsNewAndGone) {
    const auto row = [](const char* unit, double usd, const char* observed, const char* status = "listed") {
        PriceRow r;
        r.provider = "aws";
        r.unitId = unit;
        r.region = "us-east-2";
        r.plan = "on_demand";
        r.usdPerHour = usd;
        r.observed = observed;
        r.status = status;
        return r;
    };
    const PriceMoves moves =
        priceMoves({row("a", 10, "2026-01"), row("b", 10, "2026-01"), row("c", 10, "2026-01"), row("d", 10, "2026-01"),
                    row("e", 10, "2026-01")},
                   {row("a", 10, "2026-01"), row("a", 5, "2026-02"), row("b", 11, "2026-03"), row("b", 1, "2026-04", "suspect"),
                    row("c", 10, "2026-02"), row("d", 10, "2026-01"), row("f", 7, "2026-01")});
    ASSERT_THAT(moves.moved, SizeIs(2));
    EXPECT_EQ(moves.moved[0].row().unitId, "a");
    EXPECT_DOUBLE_EQ(moves.moved[0].change(), -0.5);
    EXPECT_NEAR(moves.moved[1].change(), 0.1, 1e-12);
    ASSERT_THAT(moves.added, SizeIs(1));
    EXPECT_EQ(moves.added[0].row().unitId, "f");
    ASSERT_THAT(moves.gone, SizeIs(1));
    EXPECT_EQ(moves.gone[0].row().unitId, "e");
    EXPECT_EQ(moves.confirmed, 1U);
    EXPECT_EQ(moves.same, 1U);
    EXPECT_THAT(movesText(moves, {}, 1), AllOf(HasSubstr("−50.0%"), HasSubstr("and 1 more")));
}

TEST(PriceMoves, ExportedRowsHaveTheColumnsOfTheCatalogsOwn) {
    const std::string csv = pricesCsv(open("").allPrices());
    const std::string rows = testing_files::contentOf(testing_files::rowsFolder() + "/prices.csv");
    EXPECT_EQ(csv.substr(0, csv.find('\n')), rows.substr(0, rows.find('\n')));
    const Outcome<CsvTable> table = readCsv(csv, "export");
    ASSERT_TRUE(table.ok());
    EXPECT_EQ(table->rows.size(), readCsv(rows, "rows")->rows.size());
}

TEST(PriceMoves, TwoCatalogsDifferInFigures) {
    const Folder folder;
    ImportBatch batch = batchOf("a", {});
    ImportedFact fact;
    fact.unitId = "trn2u.48xlarge";
    fact.key = "nvme_bytes";
    fact.value = "7600000000000";
    fact.status = Status::Adopted;
    fact.observed = "2026-11-30";
    batch.facts = {fact};
    mustAdd(folder.file("o"), batch);
    EXPECT_THAT(figureMoves(open(""), open("")), SizeIs(0));
    EXPECT_LE(figureMoves(open(""), open(folder.file("o"))).size(), 1U);
}

}  // namespace
}  // namespace trainwright::catalog
