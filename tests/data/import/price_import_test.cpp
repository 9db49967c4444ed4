// SPDX-License-Identifier: GPL-3.0-or-later
// Price files of every kind: what is taken, what is left and why, and that nothing that isn't whole or isn't sound
// gives anything.
#include "data/import/price_import.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "data/import/price_collector.h"
#include "data/import/price_json.h"
#include "data/import/price_places.h"
#include "model/units/text_quantity.h"

namespace trainwright::import {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::UnorderedElementsAre;

const catalog::Catalog& shipped() {
    static const Outcome<catalog::Catalog> catalog = catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    return *catalog;
}

std::string sample(const std::string& name) {
    return std::string(TRAINWRIGHT_PRICE_SAMPLES) + "/" + name;
}

std::string contentOf(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

/// A file of its own for each test, gone with the object.
class WrittenFile {
public:
    explicit WrittenFile(const std::string& text, const std::string& name = "prices.txt")
        : folder_(fs::temp_directory_path() /
                  ("trainwright-prices-" + std::to_string(::getpid()) + "-" +
                   testing::UnitTest::GetInstance()->current_test_info()->name())) {
        std::string path = folder_.string();
        std::replace(path.begin() + 5, path.end(), '/', '_');
        folder_ = path;
        fs::create_directories(folder_);
        path_ = (folder_ / name).string();
        std::ofstream(path_, std::ios::binary) << text;
    }
    WrittenFile(const WrittenFile&) = delete;
    WrittenFile& operator=(const WrittenFile&) = delete;
    ~WrittenFile() { fs::remove_all(folder_); }
    [[nodiscard]] const std::string& path() const { return path_; }

private:
    fs::path folder_;
    std::string path_;
};

Outcome<PriceImport> read(const std::vector<std::string>& files) {
    PriceImportSettings settings;
    settings.today = "2026-12-02";
    return readPriceFiles(files, shipped(), settings);
}

/// "trn1.32xlarge us-west-2 on_demand 20 2026-11-15"
std::vector<std::string> linesOf(const PriceImport& import) {
    std::vector<std::string> lines;
    for (const catalog::ImportedPrice& p : import.batch.prices) {
        lines.push_back(p.unitId + " " + p.region + (p.zone.empty() ? "" : "/" + p.zone) + " " + p.plan + " " +
                        units::groupedNumber(p.usdPerHour, 4) + " " + p.observed +
                        (p.status == "listed" ? "" : " " + p.status));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Reasons with their counts: "2 dedicated tenancy".
std::vector<std::string> leftOf(const PriceFileReport& report) {
    std::vector<std::string> lines;
    for (const LeftRows& rows : report.left) {
        lines.push_back(std::to_string(rows.count) + " " + rows.reason.english());
    }
    return lines;
}

// --- offer files and get-products

const std::vector<std::string>& offerPrices() {
    static const std::vector<std::string> kPrices = [] {
        std::vector<std::string> lines{"trn1.32xlarge us-west-2 on_demand 20 2026-11-15",
                                       "trn1.32xlarge us-west-2 reserved_1y_no_upfront 13 2026-11-15",
                                       "trn1.32xlarge us-west-2 reserved_3y_all_upfront 8 2026-11-15",
                                       "trn1.32xlarge us-west-2 reserved_3y_partial_upfront 8 2026-11-15",
                                       "trn1.32xlarge us-west-2 reserved_convertible_1y_no_upfront 15 2026-11-15",
                                       "p5.48xlarge us-west-2 on_demand 52 2026-11-15",
                                       "p5.48xlarge us-west-2-phx-2a on_demand 58 2026-11-15",
                                       "p4d.24xlarge us-west-2 on_demand 21.9 2026-11-15"};
        std::sort(lines.begin(), lines.end());
        return lines;
    }();
    return kPrices;
}

class OfferFile : public testing::TestWithParam<const char*> {};

TEST_P(OfferFile, GivesThePlainMachinesAndNothingElse) {
    const Outcome<PriceImport> import = read({sample(GetParam())});
    ASSERT_TRUE(import.ok()) << import.findings().front().english();
    EXPECT_EQ(linesOf(*import), offerPrices());
    EXPECT_EQ(import->files.front().file.published, "2026-11-15");
    // No Capacity Block, reservation or dedicated row makes a machine free, or cheap.
    for (const catalog::ImportedPrice& price : import->batch.prices) {
        EXPECT_NE(price.unitId, "trn2.48xlarge");
        EXPECT_NE(price.unitId, "p5e.48xlarge");
        EXPECT_GT(price.usdPerHour, 5.0);
    }
    const std::vector<std::string> left = leftOf(import->files.front());
    EXPECT_THAT(left, Contains("2 a Capacity Block's fee for the operating system, which isn't the price of the machine"));
    EXPECT_THAT(left, Contains("1 a price in CNY; prices are kept in USD"));
    EXPECT_THAT(left, Contains("1 dedicated tenancy"));
    EXPECT_THAT(left, Contains(HasSubstr("a Dedicated Host")));
    EXPECT_THAT(left, Contains("1 a capacity reservation that is not in use"));
    EXPECT_THAT(left, Contains("1 a price of 0: not known, rather than free"));
    EXPECT_THAT(left, Contains("1 reserved, without the part that is paid up front or by the hour"));
    EXPECT_THAT(left, Contains(HasSubstr("in a Wavelength Zone")));
    EXPECT_THAT(left, Contains("1 a machine that the catalog doesn't describe"));
}

INSTANTIATE_TEST_SUITE_P(Forms, OfferFile,
                         testing::Values("offer.json", "offer-terms-first.json", "offer.csv", "get-products-pages.json",
                                         "get-products-decoded.json", "get-products-lines.json",
                                         "get-products-texts.json"));

TEST(PriceImport, NameOfAFileTellsNothing) {
    const WrittenFile file(contentOf(sample("offer.csv")), "spot-history.json");
    const Outcome<PriceImport> import = read({file.path()});
    ASSERT_TRUE(import.ok()) << import.findings().front().english();
    EXPECT_EQ(linesOf(*import), offerPrices());
}

TEST(PriceImport, OfTwoPricesTheNewerStandsAndTwoOfOneDateCancelEachOther) {
    const std::string line =
        R"({"product":{"sku":"S%","productFamily":"Compute Instance","attributes":{"instanceType":"p5.48xlarge",)"
        R"("operatingSystem":"Linux","tenancy":"Shared","operation":"RunInstances","usagetype":"BoxUsage:p5.48xlarge",)"
        R"("regionCode":"us-east-1"}},"terms":{"OnDemand":{"o":{"effectiveDate":"@","priceDimensions":{"d":)"
        R"({"unit":"Hrs","pricePerUnit":{"USD":"#"}}}}}}})";
    const auto product = [&](const std::string& sku, const std::string& date, const std::string& price) {
        std::string out = line;
        out.replace(out.find('%'), 1, sku);
        out.replace(out.find('@'), 1, date);
        out.replace(out.find('#'), 1, price);
        return out + "\n";
    };
    {
        const WrittenFile file(product("1", "2025-06-01", "98.32") + product("2", "2026-06-01", "55.04"));
        const Outcome<PriceImport> import = read({file.path()});
        ASSERT_TRUE(import.ok()) << import.findings().front().english();
        EXPECT_THAT(linesOf(*import), ElementsAre("p5.48xlarge us-east-1 on_demand 55.04 2026-12-02"));
        EXPECT_THAT(leftOf(import->files.front()), ElementsAre(HasSubstr("1 an older price")));
    }
    {
        const WrittenFile file(product("1", "2026-06-01", "50") + product("2", "2026-06-01", "55.04"));
        const Outcome<PriceImport> import = read({file.path()});
        ASSERT_TRUE(import.ok());
        EXPECT_THAT(linesOf(*import), IsEmpty());
        EXPECT_THAT(leftOf(import->files.front()), ElementsAre(HasSubstr("neither is taken")));
    }
}

TEST(PriceImport, SavingsPlansNeedTheSkusOfAnOfferFile) {
    const Outcome<PriceImport> alone = read({sample("savings-plan.json")});
    ASSERT_TRUE(alone.ok());
    EXPECT_THAT(linesOf(*alone), IsEmpty());
    EXPECT_THAT(alone->files.front().notes.front().english(), HasSubstr("EC2 offer file of us-west-2"));

    // In either order: Savings Plans are read last.
    const Outcome<PriceImport> both = read({sample("savings-plan.json"), sample("offer.json")});
    ASSERT_TRUE(both.ok()) << both.findings().front().english();
    EXPECT_EQ(both->files.front().file.name, "savings-plan.json");
    const std::vector<std::string> lines = linesOf(*both);
    EXPECT_THAT(lines, SizeIs(offerPrices().size() + 3));
    EXPECT_THAT(lines, Contains("trn1.32xlarge us-west-2 ec2_savings_plan_1y_no_upfront 12.5 2026-11-15"));
    EXPECT_THAT(lines, Contains("trn1.32xlarge us-west-2 compute_savings_plan_3y_all_upfront 9.25 2026-11-15"));
    EXPECT_THAT(lines, Contains("p5.48xlarge us-west-2-phx-2a compute_savings_plan_3y_all_upfront 31.5 2026-11-15"));
    const std::vector<std::string> left = leftOf(both->files.front());
    EXPECT_THAT(left, Contains(HasSubstr("1 a rate of a SKU that isn't a plain Linux machine")));
    EXPECT_THAT(left, Contains(HasSubstr("MachineLearningSavingsPlans")));
}

// --- the other formats

struct FormatCase {
    const char* file;
    std::vector<std::string> prices;
    std::vector<std::string> left;  ///< parts of reasons with counts
};

std::ostream& operator<<(std::ostream& out, const FormatCase& c) { return out << c.file; }

class PriceFile : public testing::TestWithParam<FormatCase> {};

TEST_P(PriceFile, GivesItsPricesAndSaysWhatItLeft) {
    const Outcome<PriceImport> import = read({sample(GetParam().file)});
    ASSERT_TRUE(import.ok()) << import.findings().front().english();
    std::vector<std::string> expected = GetParam().prices;
    std::sort(expected.begin(), expected.end());
    EXPECT_EQ(linesOf(*import), expected);
    const std::vector<std::string> left = leftOf(import->files.front());
    for (const std::string& part : GetParam().left) {
        EXPECT_THAT(left, Contains(HasSubstr(part)));
    }
    EXPECT_THAT(left, SizeIs(GetParam().left.size()));
}

const std::vector<std::string> kSpotPrices = {"trn1.32xlarge us-west-2/us-west-2b spot 3.25 2026-11-11",
                                              "trn1.32xlarge us-west-2/us-west-2c spot 5 2026-11-11",
                                              "p5.48xlarge us-west-2-phx-2a spot 15 2026-11-11"};
const std::vector<std::string> kSpotLeft = {"1 another operating system", "1 a machine that the catalog doesn't",
                                            "1 the same market under its second name"};

INSTANTIATE_TEST_SUITE_P(
    Formats, PriceFile,
    testing::Values(
        FormatCase{"spot-pages.json", kSpotPrices, kSpotLeft}, FormatCase{"spot-array.json", kSpotPrices, kSpotLeft},
        // 3456 / (2 × 48); the shorter block's fee gives the same but for rounding; an UltraServer's instances are
        // counted already.
        FormatCase{"capacity-blocks.json",
                   {"trn2.48xlarge us-east-2/us-east-2a capacity_block 36 2026-12-02",
                    "trn2u.48xlarge us-east-2/us-east-2b capacity_block 38 2026-12-02"},
                   {"1 an offering whose duration and dates contradict", "1 an offering without fee"}},
        FormatCase{"block-page.json",
                   {"p5.48xlarge us-west-2 capacity_block 40 2026-11-20",
                    "u-p6e-gb200x72 us-east-1-dfw-2a capacity_block 720 2026-11-20"},
                   {"1 a rate that isn't that of its accelerators"}},
        FormatCase{"skypilot-aws.csv",
                   {"trn1.32xlarge us-west-2 on_demand 20 2026-12-02",
                    "trn1.32xlarge us-west-2/usw2-az1 spot 2.5 2026-12-02",
                    "trn1.32xlarge us-west-2/usw2-az2 spot 2.25 2026-12-02",
                    "p5.48xlarge us-west-2-phx-2a on_demand 57 2026-12-02",
                    "p5.48xlarge us-west-2-phx-2a spot 14 2026-12-02"},
                   {"1 an exact repetition", "1 a machine that the catalog doesn't", "1 no price on demand",
                    "1 no spot price", "1 the same price in a further zone"}},
        // Machine and accelerator are added; half of the price elsewhere is another product's.
        FormatCase{"skypilot-gcp.csv",
                   {"a3-highgpu-8g us-east4 on_demand 87 2026-12-02", "a3-highgpu-8g us-east4/us-east4-a spot 33.5 2026-12-02",
                    "a3-highgpu-8g us-central1 on_demand 43 2026-12-02 suspect",
                    "a3-highgpu-8g us-central1/us-central1-a spot 33.5 2026-12-02",
                    "tpu-v6e-8 us-central1 on_demand 21 2026-12-02"},
                   {"1 a machine whose accelerator has no row", "1 an accelerator without a machine", "1 no spot price"}},
        FormatCase{"skypilot-lambda.csv",
                   {"gpu_8x_h100_sxm5 all on_demand 28 2026-12-02"},
                   {"1 the same price in a further zone, or region"}},
        FormatCase{"vantage.json",
                   {"trn1.32xlarge us-west-2 on_demand 20 2026-12-02", "trn1.32xlarge us-west-2 spot 2.5 2026-12-02",
                    "trn1.32xlarge us-west-2 reserved_1y_no_upfront 13 2026-12-02",
                    "trn1.32xlarge us-west-2 reserved_convertible_1y_all_upfront 14 2026-12-02",
                    "trn1.32xlarge us-west-2 ec2_savings_plan_3y_partial_upfront 8.5 2026-12-02",
                    "p5.48xlarge us-west-2 on_demand 52 2026-12-02"},
                   {"no price, or a price of 0", "1 reserved under terms", "1 a machine that the catalog doesn't"}},
        FormatCase{"focus.csv",
                   {"trn1.32xlarge us-west-2 billed_on_demand 16.5 2026-11-03",
                    "trn1.32xlarge us-west-2 billed_committed 13 2026-11-03",
                    "trn1.32xlarge us-west-2 on_demand 20 2026-11-02",
                    "p5.48xlarge us-east-1 billed_on_demand 52 2026-11-03", "p5.48xlarge us-east-1 on_demand 52 2026-11-03"},
                   {"1 an hour in a Capacity Block", "1 a fee paid at once", "1 another operating system",
                    "1 a credit, tax"}},
        FormatCase{"plain.csv",
                   {"trn1.32xlarge us-west-2 on_demand 19.5 2026-11-20", "trn1.32xlarge us-west-2 on_demand 19.75 2026-10-20",
                    "trn1.32xlarge us-west-2/usw2-az1 spot 3 2026-11-20"},
                   {"1 a machine that the catalog doesn't"}},
        FormatCase{"offerings.json", {}, {"1 a machine that the catalog doesn't"}}));

TEST(PriceImport, SpotHistoryIsWeightedByTime) {
    const Outcome<PriceImport> import = read({sample("spot-pages.json")});
    ASSERT_TRUE(import.ok());
    for (const catalog::ImportedPrice& price : import->batch.prices) {
        ASSERT_TRUE(price.distribution.has_value());
        if (price.zone == "us-west-2b") {
            // 2.0 for 6 hours, 4.0 for 12, 3.0 for 6; the newest record has held for no time yet.
            EXPECT_DOUBLE_EQ(price.distribution->mean, 3.25);
            EXPECT_DOUBLE_EQ(price.distribution->p10, 2.0);
            EXPECT_DOUBLE_EQ(price.distribution->p90, 4.0);
            EXPECT_EQ(price.distribution->from, "2026-11-10");
            EXPECT_EQ(price.distribution->to, "2026-11-11");
        }
    }
}

TEST(PriceImport, WhatMachinesHaveNeverReplacesTheCatalog) {
    const Outcome<PriceImport> import = read({sample("instance-types.json")});
    ASSERT_TRUE(import.ok()) << import.findings().front().english();
    std::vector<std::string> notes;
    for (const Text& note : import->files.front().notes) notes.push_back(note.english());
    EXPECT_THAT(notes, Contains(AllOf(HasSubstr("trn2.48xlarge"), HasSubstr("512 GiB a chip"), HasSubstr("refused"),
                                      HasSubstr("96 GiB"))));
    EXPECT_THAT(notes, Contains(AllOf(HasSubstr("p5.4xlarge"), HasSubstr("0 accelerators"))));
    EXPECT_THAT(notes, Contains(AllOf(HasSubstr("p5en.48xlarge"), HasSubstr("name is missing"))));
    EXPECT_THAT(notes, Contains(AllOf(HasSubstr("trn1.2xlarge"), HasSubstr("vcpus_per_unit is 4"))));
    EXPECT_THAT(notes, Not(Contains(HasSubstr("inf1.24xlarge: 32"))));
    for (const catalog::ImportedFact& fact : import->batch.facts) {
        if (fact.key == "accelerator_memory_bytes" && fact.unitId == "trn2.48xlarge") {
            EXPECT_EQ(fact.status, catalog::Status::Rejected);
        }
        if (fact.key == "vcpus_per_unit" && fact.unitId == "trn1.2xlarge") {
            EXPECT_EQ(fact.status, catalog::Status::Conflicting);
        }
    }
}

TEST(PriceImport, OfferingsNameRegionsAndLocalZones) {
    const Outcome<PriceImport> import = read({sample("offerings.json")});
    ASSERT_TRUE(import.ok());
    std::vector<std::string> regions;
    for (const catalog::ImportedOffering& o : import->batch.offerings) regions.push_back(o.unitId + " " + o.region);
    EXPECT_THAT(regions, UnorderedElementsAre("trn2.48xlarge eu-south-2", "trn2.48xlarge ap-southeast-4"));
}

TEST(PriceImport, APriceFarFromAllOthersIsLeft) {
    const WrittenFile file(
        "provider,unit_id,region,plan,usd_per_hour,observed\n"
        "aws,trn2.48xlarge,us-east-2,on_demand,0.31,2026-11-01\n"
        "aws,p5.48xlarge,us-east-2,reserved_3y_all_upfront,200000,2026-11-01\n");
    const Outcome<PriceImport> import = read({file.path()});
    ASSERT_TRUE(import.ok()) << import.findings().front().english();
    EXPECT_THAT(linesOf(*import), IsEmpty());
    EXPECT_THAT(leftOf(import->files.front()),
                UnorderedElementsAre(HasSubstr("likely the price of something else"),
                                     HasSubstr("likely the price of something else")));
}

// --- what isn't whole or isn't sound

struct BadFile {
    const char* name;
    std::string text;
    std::vector<std::string> said;
};

std::ostream& operator<<(std::ostream& out, const BadFile& bad) { return out << bad.name; }

class BadPriceFile : public testing::TestWithParam<BadFile> {};

TEST_P(BadPriceFile, GivesOneClearErrorAndNothing) {
    const WrittenFile file(GetParam().text);
    // A sound file of the same call isn't taken either.
    const Outcome<PriceImport> import = read({sample("plain.csv"), file.path()});
    ASSERT_FALSE(import.ok());
    ASSERT_THAT(import.findings(), SizeIs(1));
    const std::string said = import.findings().front().english();
    EXPECT_THAT(said, HasSubstr(file.path()));
    for (const std::string& part : GetParam().said) EXPECT_THAT(said, HasSubstr(part));
}

std::string spotRecord(const std::string& price) {
    return "{\"SpotPriceHistory\": [\n {\"AvailabilityZone\": \"us-west-2a\", \"InstanceType\": \"trn1.32xlarge\",\n"
           "  \"ProductDescription\": \"Linux/UNIX\", \"SpotPrice\": " +
           price + ", \"Timestamp\": \"2026-11-10T00:00:00Z\"}]}";
}

std::string plainRow(const std::string& price) {
    return "provider,unit_id,region,plan,usd_per_hour,observed\naws,p5.48xlarge,us-east-1,on_demand,50,2026-11-01\n"
           "aws,p5.48xlarge,us-east-2,on_demand," +
           price + ",2026-11-01\n";
}

INSTANTIATE_TEST_SUITE_P(
    Files, BadPriceFile,
    testing::Values(
        BadFile{"empty", "", {"the file is empty"}}, BadFile{"blank", " \n\n", {"the file is empty"}},
        BadFile{"prose", "Dear colleague,\nprices are attached.\n", {"none of the files that prices are read from"}},
        BadFile{"other JSON", "{\"model_type\": \"llama\"}", {"none of the files"}},
        BadFile{"other CSV", "a,b\n1,2\n", {"none of the files"}},
        BadFile{"compressed", std::string("\x1f\x8b\x08\0\0", 5), {"compressed"}},
        BadFile{"Parquet", "PAR1....", {"Parquet"}},
        BadFile{"UTF-16", std::string("\xff\xfe{\0", 4), {"UTF-16"}},
        BadFile{"an old bill", "identity/LineItemId,lineItem/UsageType\n1,x\n", {"older form", "FOCUS"}},
        BadFile{"another offer", R"({"offerCode":"AmazonS3","products":{},"terms":{}})", {":1:14:", "AmazonS3"}},
        BadFile{"no terms", R"({"offerCode":"AmazonEC2","products":{}})", {"no `terms`"}},
        BadFile{"cut off", R"({"offerCode":"AmazonEC2","products":{"A":{"sku")", {"cut off"}},
        BadFile{"cut off in a string", R"({"offerCode":"AmazonEC2","products":{"A)", {"cut off"}},
        BadFile{"cut off after a number", "{\"SpotPriceHistory\": [1", {"cut off"}},
        BadFile{"deep", "{\"SpotPriceHistory\": " + std::string(200, '['), {":1:", "nested more than 64"}},
        BadFile{"deep objects", "{\"offerCode\":\"AmazonEC2\",\"products\":" + [] {
                    std::string s;
                    for (int i = 0; i < 100000; ++i) s += "{\"a\":";
                    return s;
                }(), {"nested more than 64"}},
        BadFile{"a huge string", "{\"SpotPriceHistory\": [{\"a\": \"" + std::string(std::size_t{9} << 20U, 'x') + "\"}]}",
                {"longer than 8 MiB"}},
        BadFile{"a huge record", "{\"SpotPriceHistory\": [{\"a\": [" + [] {
                    std::string s;
                    for (int i = 0; i < 400000; ++i) s += "0,";
                    return s + "0";
                }() + "]}]}", {"more than 8 MiB"}},
        BadFile{"NUL in JSON", spotRecord(std::string("\"3.1\0\"", 6)), {":3:", "NUL"}},
        BadFile{"an escaped NUL", spotRecord("\"3.1\\u0000\""), {":3:", "NUL"}},
        BadFile{"not UTF-8", spotRecord("\"3.1\xc3\x28\""), {":3:", "UTF-8"}},
        BadFile{"half of a pair", spotRecord("\"\\ud800x\""), {"surrogate"}},
        BadFile{"negative", spotRecord("\"-3.1\""), {":2:2:", "-3.1", "negative"}},
        BadFile{"NaN as a word", spotRecord("NaN"), {":3:", "N stands where a value"}},
        BadFile{"NaN as a text", spotRecord("\"NaN\""), {"NaN"}},
        BadFile{"infinite", spotRecord("\"inf\""), {"inf"}},
        BadFile{"1e400", spotRecord("1e400"), {"out of range"}},
        BadFile{"1e9", spotRecord("1e9"), {"above 1,000,000"}},
        BadFile{"no date", "{\"SpotPriceHistory\":[{\"SpotPrice\":\"1\",\"Timestamp\":\"yesterday\"}]}", {"yesterday"}},
        BadFile{"no object", "{\"SpotPriceHistory\":[7]}", {":1:", "an object is expected"}},
        BadFile{"twice", R"({"offerCode":"AmazonEC2","products":{},"terms":{}} {})", {"follows the end"}},
        BadFile{"inner JSON", R"({"PriceList":["{\"product\":{}}", "{\"product\":"]})", {":1:35:", "inside this string"}},
        BadFile{"a quotation mark", "provider,unit_id,region,plan,usd_per_hour,observed\na,\"b\nc,d\n",
                {":2:3:", "quotation marks that open here"}},
        BadFile{"too few fields", "provider,unit_id,region,plan,usd_per_hour,observed\naws,p5.48xlarge\n",
                {":2:", "2 fields", "6"}},
        BadFile{"NUL in CSV", plainRow(std::string("1\0", 2)), {":3:", "NUL"}},
        BadFile{"CSV not UTF-8", plainRow("\xff"), {":3:", "UTF-8"}},
        BadFile{"a negative row", plainRow("-1"), {":3:37:", "negative"}},
        BadFile{"a row of 0", plainRow("0"), {":3:37:", "above 0"}},
        BadFile{"a row of NaN", plainRow("nan"), {":3:37:", "nan"}},
        BadFile{"a row of 1e400", plainRow("1e400"), {":3:37:", "out of range"}},
        BadFile{"a comma in a price", plainRow("\"1,5\""), {":3:37:", "1,5"}},
        BadFile{"no plan", "provider,unit_id,region,plan,usd_per_hour,observed\naws,p5.48xlarge,x,On Demand,1,2026\n",
                {"On Demand", "on_demand"}},
        BadFile{"no day", "provider,unit_id,region,plan,usd_per_hour,observed\naws,p5.48xlarge,x,spot,1,2026-13\n",
                {"2026-13"}},
        BadFile{"a column missing", "provider,unit_id,region,plan,usd_per_hour\na,b,c,d,1\n", {"`observed`"}},
        BadFile{"a negative offer",
                R"({"offerCode":"AmazonEC2","products":{"A":{"productFamily":"Compute Instance","attributes":)"
                R"({"instanceType":"p5.48xlarge","operatingSystem":"Linux","tenancy":"Shared","operation":"RunInstances",)"
                R"("usagetype":"BoxUsage:p5.48xlarge","regionCode":"us-east-1"}}},"terms":{"OnDemand":{"A":{"A.B":)"
                R"({"priceDimensions":{"A.B.C":{"pricePerUnit":{"USD":"-55"},"unit":"Hrs"}}}}}}})",
                {":1:", "-55", "negative"}}));

TEST(PriceImport, SaysWhatIsNotAFile) {
    const Outcome<PriceImport> missing = read({"/nowhere/at/all.json"});
    ASSERT_FALSE(missing.ok());
    EXPECT_THAT(missing.findings().front().english(), HasSubstr("no file"));
    const Outcome<PriceImport> folder = read({fs::temp_directory_path().string()});
    ASSERT_FALSE(folder.ok());
    EXPECT_THAT(folder.findings().front().english(), HasSubstr("folder"));
    // Nothing is read before every file is known to be one.
    const Outcome<PriceImport> two = read({"/nowhere/at/all.json", "/nowhere/either.csv"});
    ASSERT_FALSE(two.ok());
    EXPECT_THAT(two.findings(), SizeIs(2));
}

/// Whatever happens to a file, reading it ends, and gives prices above zero or a finding with a sentence.
TEST(PriceImport, DamagedFilesNeverGiveAPriceThatIsNone) {
    constexpr unsigned kSeed = 20261202;
    std::mt19937 random(kSeed);
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    for (const char* name : {"offer.json", "offer.csv", "get-products-pages.json", "savings-plan.json", "spot-pages.json",
                             "capacity-blocks.json", "block-page.json", "instance-types.json", "skypilot-gcp.csv",
                             "vantage.json", "focus.csv", "plain.csv"}) {
        const std::string whole = contentOf(sample(name));
        for (int i = 0; i < 60; ++i) {
            std::string text = whole;
            const auto at = [&] { return random() % text.size(); };
            switch (random() % 5) {
                case 0:
                    text.resize(at() + 1);
                    break;
                case 1:
                    text[at()] = static_cast<char>(random() % 256);
                    break;
                case 2:
                    text.erase(at(), random() % 40);
                    break;
                case 3:
                    text.insert(at(), text.substr(at(), random() % 60));
                    break;
                default:
                    text.insert(at(), i % 2 == 0 ? "-" : "1e300");
            }
            if (text.empty()) continue;
            const WrittenFile file(text);
            const Outcome<PriceImport> import = read({file.path()});
            if (!import.ok()) {
                EXPECT_FALSE(import.findings().front().english().empty());
                continue;
            }
            for (const catalog::ImportedPrice& price : import->batch.prices) {
                EXPECT_GT(price.usdPerHour, 0.0) << name;
                EXPECT_LT(price.usdPerHour, 1e6) << name;
                EXPECT_FALSE(price.unitId.empty());
                EXPECT_FALSE(price.plan.empty());
            }
        }
    }
}

// --- helpers

TEST(PriceHelpers, ReadAmounts) {
    using prices::AmountKind;
    EXPECT_DOUBLE_EQ(prices::readAmount("21.1000000000").value, 21.1);
    EXPECT_EQ(prices::readAmount("0.0000000000").kind, AmountKind::Zero);
    EXPECT_EQ(prices::readAmount("1e-400").kind, AmountKind::Zero);
    for (const char* absent : {"", " ", "N/A", "NA", "null"}) {
        EXPECT_EQ(prices::readAmount(absent).kind, AmountKind::Absent) << absent;
    }
    for (const char* wrong : {"-1", "nan", "inf", "1e400", "1,5", "$3", "0x10", "1.2.3", "1e7"}) {
        EXPECT_EQ(prices::readAmount(wrong).kind, AmountKind::Wrong) << wrong;
    }
}

TEST(PriceHelpers, ReadTimes) {
    const auto z = prices::secondsOf("2026-11-10T06:00:00Z");
    ASSERT_TRUE(z.has_value());
    EXPECT_EQ(prices::secondsOf("2026-11-10T06:00:00.000Z"), z);
    EXPECT_EQ(prices::secondsOf("2026-11-10T08:00:00+02:00"), z);
    EXPECT_EQ(prices::secondsOf("2026-11-10T05:00:00-0100"), z);
    EXPECT_EQ(prices::dayOfSeconds(*z), "2026-11-10");
    for (const char* wrong : {"", "2026-02-30T00:00:00Z", "2026-11-10T25:00:00Z", "10.11.2026", "2026-11-10T06:00Z"}) {
        EXPECT_FALSE(prices::secondsOf(wrong).has_value()) << wrong;
    }
}

TEST(PriceHelpers, TellPlaces) {
    const prices::Places places(shipped());
    const auto zone = [&](const char* name) {
        const auto place = places.ofZone(name);
        return place ? place->region + "|" + place->zone : std::string("none");
    };
    EXPECT_EQ(zone("us-east-2c"), "us-east-2|us-east-2c");
    EXPECT_EQ(zone("use2-az3"), "us-east-2|use2-az3");
    EXPECT_EQ(zone("usgw1-az1"), "us-gov-west-1|usgw1-az1");
    EXPECT_EQ(zone("apne1-az4"), "ap-northeast-1|apne1-az4");
    EXPECT_EQ(zone("us-east-1-atl-2a"), "us-east-1-atl-2a|");
    EXPECT_EQ(zone("use1-atl2-az1"), "us-east-1-atl-2a|");
    for (const char* none : {"", "us-east-2", "us-east-1-wl1-bos-wlz-1", "xyz", "use2", "use2-az", "-", "us-east-"}) {
        EXPECT_EQ(zone(none), "none") << none;
    }
    // A Local Zone is none of its region, whatever the region code says.
    EXPECT_EQ(places.ofProduct("us-east-1", "US East (Atlanta)", "AWS Local Zone", "ATL2-BoxUsage:x")->region,
              "us-east-1-atl-2a");
    EXPECT_EQ(places.ofProduct("us-east-1-atl-2", "", "AWS Local Zone", "ATL2-BoxUsage:x")->region, "us-east-1-atl-2a");
    EXPECT_FALSE(places.ofProduct("us-east-1", "US East (Atlanta)", "AWS Local Zone", "BoxUsage:x").has_value());
    EXPECT_EQ(places.ofProduct("", "US East (Ohio)", "AWS Region", "")->region, "us-east-2");
    EXPECT_EQ(places.ofProduct("", "EU (Ireland)", "", "")->region, places.named("Europe (Ireland)").value_or("eu-west-1"));
}

TEST(JsonReader, ReadsTheSameWhateverThePieces) {
    class OneByte : public prices::ByteSource {
    public:
        explicit OneByte(std::string text) : text_(std::move(text)) {}
        std::string_view next() override {
            return at_ < text_.size() ? std::string_view(text_).substr(at_++, 1) : std::string_view();
        }

    private:
        std::string text_;
        std::size_t at_ = 0;
    };
    const std::string text = "\xEF\xBB\xBF {\"k\\u00e9y\" : [1, -2.5e3, \"a\\n\\ud83d\\ude00é\", true, false, null, {}], "
                             "\"\": \"\"}\n[ ]";
    const auto tokens = [](prices::ByteSource& source) {
        prices::JsonReader json(source, "f");
        std::string out;
        while (true) {
            const prices::Token token = json.next();
            out += std::to_string(static_cast<int>(token)) + ":" + std::string(json.text()) + "\n";
            if (token == prices::Token::End || token == prices::Token::Error) return out;
        }
    };
    const std::string unmarked = text.substr(3);
    prices::TextSource whole(unmarked);
    prices::TextSource marked(text);
    const std::string expected = tokens(whole);
    EXPECT_THAT(expected, HasSubstr("a\n\xf0\x9f\x98\x80é"));
    EXPECT_THAT(expected, Not(HasSubstr(std::to_string(static_cast<int>(prices::Token::Error)) + ":")));
    EXPECT_EQ(tokens(marked), expected);
    OneByte bytes(unmarked);
    EXPECT_EQ(tokens(bytes), expected);
}

}  // namespace
}  // namespace trainwright::import
