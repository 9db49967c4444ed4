// SPDX-License-Identifier: GPL-3.0-or-later
// Prices into the overlay and out of it, as a user's shell sees it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using Json = nlohmann::json;

std::string sample(const std::string& name) {
    return std::string(TRAINWRIGHT_SOURCE_DIR) + "/tests/data/import/prices/" + name;
}

Execution catalog(const TemporaryFolder& folder, std::vector<std::string> arguments) {
    Setting setting;
    setting.environment["TRAINWRIGHT_OVERLAY"] = folder.file("own/catalog.sqlite");
    arguments.insert(arguments.begin(), "catalog");
    return run(arguments, setting);
}

double priceIn(const Execution& shown, const std::string& region, const std::string& plan) {
    const Json entry = Json::parse(shown.output);
    for (const Json& price : entry["prices"]) {
        if (price["region"] == region && price["plan"] == plan) {
            return price["price_usd_per_hour"].get<double>();
        }
    }
    return 0;
}

TEST(CatalogPrices, AnImportMovesPricesAndIsTakenBack) {
    const TemporaryFolder folder;
    const std::vector<std::string> files{"import", "prices", sample("offer.json"), sample("savings-plan.json")};
    std::vector<std::string> dry = files;
    dry.push_back("--dry-run");
    const Execution preview = catalog(folder, dry);
    EXPECT_EQ(preview.exitCode, 0) << preview.errors;
    EXPECT_THAT(preview.output, AllOf(HasSubstr("Prices that move"), HasSubstr("trn1.32xlarge"), HasSubstr("Nothing was written")));
    EXPECT_THAT(preview.errors, IsEmpty());
    EXPECT_FALSE(fs::exists(folder.file("own")));

    const Execution import = catalog(folder, files);
    EXPECT_EQ(import.exitCode, 0) << import.errors;
    EXPECT_THAT(import.output, AllOf(HasSubstr("Import 1: 11 prices written"), HasSubstr("a Capacity Block's fee"),
                                     HasSubstr("catalog forget 1")));
    const Execution shown = catalog(folder, {"show", "trn1.32xlarge", "--json"});
    EXPECT_DOUBLE_EQ(priceIn(shown, "us-west-2", "on_demand"), 20.0);
    EXPECT_DOUBLE_EQ(priceIn(shown, "us-west-2", "ec2_savings_plan_1y_no_upfront"), 12.5);

    // Again: nothing changes, and is said.
    const std::string bytes = readFile(folder.file("own/catalog.sqlite"));
    const Execution again = catalog(folder, files);
    EXPECT_EQ(again.exitCode, 0);
    EXPECT_THAT(again.output, AllOf(HasSubstr("imported before, as import 1"), HasSubstr("nothing changes")));
    EXPECT_EQ(readFile(folder.file("own/catalog.sqlite")), bytes);

    const Json diff = Json::parse(catalog(folder, {"diff", "--json"}).output);
    EXPECT_THAT(diff["moved"], SizeIs(3));
    EXPECT_THAT(catalog(folder, {"imports"}).output, AllOf(HasSubstr("offer.json"), HasSubstr("savings-plan.json")));

    EXPECT_EQ(catalog(folder, {"forget", "1"}).exitCode, 0);
    EXPECT_THAT(catalog(folder, {"diff"}).output, HasSubstr("No price differs."));
    EXPECT_THAT(catalog(folder, {"imports"}).output, HasSubstr("Nothing was imported"));
    const Execution unknown = catalog(folder, {"forget", "1"});
    EXPECT_EQ(unknown.exitCode, 2);
    EXPECT_THAT(unknown.errors, HasSubstr("no import 1"));
}

TEST(CatalogPrices, WhatIsExportedIsImportedAgain) {
    const TemporaryFolder folder;
    ASSERT_EQ(catalog(folder, {"import", "prices", sample("spot-pages.json"), sample("plain.csv")}).exitCode, 0);
    const std::string csv = folder.file("own.csv");
    ASSERT_EQ(catalog(folder, {"export", "--prices", "--imported", "--output", csv}).exitCode, 0);
    EXPECT_THAT(readFile(csv), HasSubstr("usw2-az1"));
    const TemporaryFolder other;
    ASSERT_EQ(catalog(other, {"import", "prices", csv}).exitCode, 0);
    EXPECT_EQ(catalog(other, {"export", "--imported"}).output, readFile(csv));
    // Two overlays against each other.
    const Execution diff = catalog(folder, {"diff", folder.file("own/catalog.sqlite"), other.file("own/catalog.sqlite")});
    EXPECT_EQ(diff.exitCode, 0) << diff.errors;
    EXPECT_THAT(diff.output, HasSubstr("No price differs."));
}

TEST(CatalogPrices, TheOverlayIsInEveryCommandAndInTheHash) {
    const TemporaryFolder folder;
    const std::string scenario = folder.write("scenario.yaml", smallScenario());
    ASSERT_EQ(catalog(folder, {"import", "prices", sample("offer.json")}).exitCode, 0);
    const std::string overlay = folder.file("own/catalog.sqlite");
    const auto hashOf = [&](const std::string& used) {
        const Execution plan = run({"plan", scenario, "--json", "--overlay", used});
        EXPECT_EQ(plan.exitCode, 0) << plan.errors;
        return Json::parse(plan.output)["catalog"]["hash"].get<std::string>();
    };
    EXPECT_NE(hashOf(overlay), hashOf("none"));
    const Execution missing = run({"plan", scenario, "--overlay", folder.file("typo.sqlite")});
    EXPECT_EQ(missing.exitCode, 2);
    EXPECT_THAT(missing.errors, AllOf(HasSubstr("typo.sqlite"), HasSubstr("no overlay here")));
}

TEST(CatalogPrices, BadFilesChangeNothing) {
    const TemporaryFolder folder;
    ASSERT_EQ(catalog(folder, {"import", "prices", sample("plain.csv")}).exitCode, 0);
    const std::string bytes = readFile(folder.file("own/catalog.sqlite"));
    const std::string whole = readFile(sample("offer.json"));
    const std::string cut = folder.write("cut.json", whole.substr(0, whole.size() / 2));
    const Execution import = catalog(folder, {"import", "prices", sample("focus.csv"), cut});
    EXPECT_EQ(import.exitCode, 2);
    EXPECT_THAT(import.output, IsEmpty());
    EXPECT_THAT(lines(import.errors), SizeIs(1));
    EXPECT_THAT(import.errors, AllOf(HasSubstr("cut.json:"), HasSubstr("cut off")));
    EXPECT_EQ(readFile(folder.file("own/catalog.sqlite")), bytes);
    EXPECT_EQ(catalog(folder, {"import", "prices", sample("plain.csv"), "--observed", "soon"}).exitCode, 2);
}

TEST(CatalogPrices, AWriteProtectedOverlayIsSaid) {
    const TemporaryFolder folder;
    ASSERT_EQ(catalog(folder, {"import", "prices", sample("plain.csv")}).exitCode, 0);
    const fs::path own = folder.file("own");
    fs::permissions(own / "catalog.sqlite", fs::perms::owner_read);
    fs::permissions(own, fs::perms::owner_read | fs::perms::owner_exec);
    const Execution import = catalog(folder, {"import", "prices", sample("offer.csv")});
    const Execution forget = catalog(folder, {"forget", "1"});
    const Execution shown = catalog(folder, {"show", "trn1.32xlarge"});
    fs::permissions(own, fs::perms::owner_all);
    EXPECT_EQ(import.exitCode, 2);
    EXPECT_THAT(lines(import.errors), SizeIs(1));
    EXPECT_EQ(forget.exitCode, 2);
    EXPECT_THAT(forget.errors, HasSubstr("write-protected"));
    // To read it is enough.
    EXPECT_EQ(shown.exitCode, 0) << shown.errors;
    EXPECT_THAT(shown.output, HasSubstr("19.5"));
}

}  // namespace
}  // namespace trainwright::tests
