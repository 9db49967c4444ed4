// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog_builder.h"

#include <gmock/gmock.h>

#include <map>

#include "tests/data/catalog/catalog_files.h"

namespace trainwright::catalog {
namespace {

using ::testing::HasSubstr;
using testing_files::contentOf;
using testing_files::Folder;
using testing_files::rowsFolder;
using testing_files::schemaPath;

TEST(CatalogBuilder, TheSameRowsGiveTheSameBytesAsTheShippedDatabase) {
    const Folder folder;
    const auto summary = buildCatalog(schemaPath(), rowsFolder(), folder.file("c.sqlite"));
    ASSERT_TRUE(summary) << summary.findings().front().english();
    EXPECT_EQ(contentOf(folder.file("c.sqlite")), contentOf(TRAINWRIGHT_CATALOG_FILE));
    EXPECT_EQ(summary->hash, testing_files::shipped().hash());
    EXPECT_EQ(summary->version, testing_files::shipped().version());
}

/// Rows that build; a test spoils one file of them.
std::map<std::string, std::string> soundRows() {
    return {
        {"sources.csv", "id,title,url,repository,path,note\npage,A page,https://example.org,,,\n"},
        {"keys_chip.csv",
         "key,type,unit,minimum,maximum,meaning\nhbm_bytes,number,bytes,0,1e12,memory\n"
         "fast,flag,,,,quick\nfamily,text,,,,kin\ntwin,reference:chip,,,,sibling\n"},
        {"entries_chip.csv", "id,name,note\na,Chip A,\nb,Chip B,\n"},
        {"entries_instance.csv", "id,name,note\nbox,Box,\n"},
        {"figures_chip.csv",
         "id,key,value,status,source,observed,confidence,note\n"
         "a,hbm_bytes,96e9,adopted,page,2026-12,high,\n"
         "a,hbm_bytes,512e9,rejected,page,2026-12,low,a misprint\n"
         "b,hbm_bytes,,adopted,page,2026,high,not published\n"
         "a,fast,1,adopted,page,2026-12-01,high,\na,twin,b,adopted,page,2026,medium,\n"},
        {"aliases.csv",
         "price_id,provider,chip,chips,basis,instance,note\nother-box,shop,a,8,instance,box,\n"},
        {"prices.csv",
         "provider,unit_id,region,plan,usd_per_hour,observed,source,confidence,status,note\n"
         "shop,box,here,on_demand,1.5,2026-10-09,page,high,listed,\n"
         "shop,box,here,on_demand,1.4,2026-11,page,high,listed,\n"},
        {"claims.csv",
         "id,statement,said_by,source,observed,note\nlarge,It is large.,its maker,page,2026-12,\n"},
        {"claim_checks.csv",
         "claim,role,kind,subject,parameters,relation,claimed,unit,tolerance,margin,remark\n"
         "large,decides,figure,memory,figures=chip/a/hbm_bytes,at_least,1e9,bytes,0.01,0.1,\n"
         "large,condition,figure,speed,figures=chip/a/fast,equals,1,count,,,Slow.\n"}};
}

Outcome<BuildSummary> buildFrom(const Folder& folder,
                                const std::map<std::string, std::string>& rows) {
    for (const auto& [name, content] : rows) {
        folder.write(name, content);
    }
    return buildCatalog(schemaPath(), folder.path(), folder.file("c.sqlite"));
}

TEST(CatalogBuilder, SoundRowsBuildAndTheRowInUseComesFirst) {
    const Folder folder;
    const auto summary = buildFrom(folder, soundRows());
    ASSERT_TRUE(summary) << summary.findings().front().english();
    EXPECT_EQ(summary->figures, 5);
    EXPECT_EQ(summary->prices, 2);
    EXPECT_EQ(summary->version, "2026-12-01");
    const auto catalog = Catalog::open(folder.file("c.sqlite"));
    ASSERT_TRUE(catalog);
    const std::vector<Figure> figures = catalog->figures("chip", "a");
    ASSERT_EQ(figures.size(), 4U);
    EXPECT_EQ(figures[0].number, 96e9);
    EXPECT_EQ(figures[0].unit, "bytes");
    EXPECT_EQ(figures[1].status, Status::Rejected);
    EXPECT_EQ(figures[2].type, "flag");
    EXPECT_EQ(catalog->figures("chip", "b").front().number, std::nullopt);
    EXPECT_EQ(catalog->newestPriceDate(), "2026-11");
}

TEST(CatalogBuilder, ClaimsKeepTheirOrderAndTheirChecks) {
    const Folder folder;
    auto rows = soundRows();
    rows["claims.csv"] += "also,Another.,somebody,page,2026,\n";
    ASSERT_TRUE(buildFrom(folder, rows));
    const auto catalog = Catalog::open(folder.file("c.sqlite"));
    ASSERT_TRUE(catalog);
    const std::vector<Claim> claims = catalog->claims();
    ASSERT_EQ(claims.size(), 2U);
    EXPECT_EQ(claims[0].id, "large");
    EXPECT_EQ(claims[0].source.title, "A page");
    EXPECT_EQ(claims[1].id, "also");
    EXPECT_TRUE(claims[1].checks.empty());
    ASSERT_EQ(claims[0].checks.size(), 2U);
    EXPECT_EQ(claims[0].checks[0].parameters, "figures=chip/a/hbm_bytes");
    EXPECT_EQ(claims[0].checks[0].tolerance, 0.01);
    EXPECT_EQ(claims[0].checks[0].margin, 0.1);
    // What isn't given is exact.
    EXPECT_EQ(claims[0].checks[1].tolerance, 0);
    EXPECT_EQ(claims[0].checks[1].margin, 0);
    EXPECT_EQ(claims[0].checks[1].remark, "Slow.");
}

struct BadRow {
    const char* file;
    const char* row;
    const char* says;
};

class CatalogBuilderRefuses : public ::testing::TestWithParam<BadRow> {};

TEST_P(CatalogBuilderRefuses, TheRowWithItsFileAndLine) {
    const Folder folder;
    auto rows = soundRows();
    std::string& content = rows[GetParam().file];
    const long line = 1 + std::count(content.begin(), content.end(), '\n');
    content += std::string(GetParam().row) + "\n";
    const auto summary = buildFrom(folder, rows);
    ASSERT_FALSE(summary) << GetParam().row;
    const Finding& finding = summary.findings().front();
    EXPECT_EQ(finding.place.file, GetParam().file);
    EXPECT_EQ(finding.place.line, line);
    EXPECT_THAT(finding.english(), HasSubstr(GetParam().says));
    EXPECT_FALSE(std::filesystem::exists(folder.file("c.sqlite")));
    EXPECT_FALSE(std::filesystem::exists(folder.file("c.sqlite.new")));
}

constexpr const char* kFigures = "figures_chip.csv";

INSTANTIATE_TEST_SUITE_P(
    Rows, CatalogBuilderRefuses,
    ::testing::Values(
        BadRow{kFigures, "a,hbm_bytes,97e9,adopted,page,2026,high,", "a second row in use"},
        BadRow{kFigures, "a,hbm_bytes,97e9,estimated,page,2026,high,why", "a second row in use"},
        BadRow{kFigures, "a,hbm,97e9,adopted,page,2026,high,", "the key is not defined"},
        BadRow{kFigures, "c,hbm_bytes,97e9,adopted,page,2026,high,", "the entry does not exist"},
        BadRow{kFigures, "a,family,gpu,adopted,nowhere,2026,high,", "the source does not exist"},
        BadRow{kFigures, "a,family,gpu,adopted,,2026,high,", "the source does not exist"},
        BadRow{kFigures, "b,hbm_bytes,much,conflicting,page,2026,high,n", "a number is expected"},
        BadRow{kFigures, "b,hbm_bytes,1 GB,conflicting,page,2026,high,n", "a number is expected"},
        BadRow{kFigures, "b,hbm_bytes,-1,conflicting,page,2026,high,n", "below the minimum"},
        BadRow{kFigures, "b,hbm_bytes,2e12,conflicting,page,2026,high,n", "above the maximum"},
        BadRow{kFigures, "b,fast,yes,adopted,page,2026,high,", "a flag is 0 or 1"},
        BadRow{kFigures, "b,twin,z,adopted,page,2026,high,", "names an entry that does not exist"},
        BadRow{kFigures, "b,fast,1,guessed,page,2026,high,", "status_is_known"},
        BadRow{kFigures, "b,fast,1,adopted,page,2026,sure,", "confidence_is_known"},
        BadRow{kFigures, "b,fast,1,adopted,page,today,high,", "observed_is_a_date"},
        BadRow{kFigures, "b,fast,1,adopted,page,,high,", "observed_is_a_date"},
        BadRow{kFigures, "b,fast,1,estimated,page,2026,high,", "estimate_says_why"},
        BadRow{kFigures, "b,fast,1,conflicting,page,2026,high,", "conflict_says_why"},
        BadRow{kFigures, "b,fast,,adopted,page,2026,high,", "absence_says_so"},
        BadRow{kFigures, "b,fast,1", "the header has 8"},
        BadRow{"sources.csv", "page,Twice,,,,", "UNIQUE"},
        BadRow{"sources.csv", "other,,,,,", "source_has_a_title"},
        BadRow{"sources.csv", "other,Other,ftp://x,,,", "source_url_is_a_web_address"},
        BadRow{"keys_chip.csv", "tdp_w,number,,,,power", "number_has_a_unit"},
        BadRow{"keys_chip.csv", "TDP,number,watts,,,power", "key_is_snake_case"},
        BadRow{"keys_chip.csv", "tdp_w,quantity,watts,,,power", "key_type_is_known"},
        BadRow{"keys_chip.csv", "tdp_w,number,watts,9,1,power", "bounds_in_order"},
        BadRow{"keys_chip.csv", "tdp_w,number,watts,low,,power", "is not a number"},
        BadRow{"keys_chip.csv", "tdp_w,number,watts,,,", "key_has_a_meaning"},
        BadRow{"entries_chip.csv", "a,Again,", "UNIQUE"},
        BadRow{"entries_chip.csv", "c,,", "entry_has_a_name"},
        BadRow{"aliases.csv", "x,shop,zz,8,instance,,", "the chip does not exist"},
        BadRow{"aliases.csv", "x,shop,a,8,instance,zz,", "the instance does not exist"},
        BadRow{"aliases.csv", "x,shop,a,0,instance,,", "alias_counts_chips"},
        BadRow{"aliases.csv", "x,shop,a,8,rack,,", "alias_basis_is_known"},
        BadRow{"claims.csv", "large,Again.,x,page,2026,", "UNIQUE"},
        BadRow{"claims.csv", "Large one,It.,x,page,2026,", "claim_id_is_lower_case"},
        BadRow{"claims.csv", "b,,x,page,2026,", "claim_says_something"},
        BadRow{"claims.csv", "b,It.,,page,2026,", "claim_has_somebody_who_said_it"},
        BadRow{"claims.csv", "b,It.,x,nowhere,2026,", "the source does not exist"},
        BadRow{"claims.csv", "b,It.,x,page,once,", "claim_observed_is_a_date"},
        BadRow{"claim_checks.csv", "none,decides,date,it,,equals,1,count,,,",
               "the claim does not exist"},
        BadRow{"claim_checks.csv", "large,perhaps,date,it,,equals,1,count,,,",
               "check_role_is_known"},
        BadRow{"claim_checks.csv", "large,decides,guess,it,,equals,1,count,,,",
               "check_kind_is_known"},
        BadRow{"claim_checks.csv", "large,decides,date,it,,like,1,count,,,",
               "check_relation_is_known"},
        BadRow{"claim_checks.csv", "large,decides,date,it,,equals,,count,,,",
               "check_claims_what_it_compares"},
        BadRow{"claim_checks.csv", "large,decides,date,it,,holds,1,count,,,",
               "check_claims_what_it_compares"},
        BadRow{"claim_checks.csv", "large,decides,date,,,equals,1,count,,,", "check_has_a_subject"},
        BadRow{"claim_checks.csv", "large,decides,date,it,,equals,1,count,0.2,0.1,",
               "check_shares_are_shares"},
        BadRow{"claim_checks.csv", "large,decides,date,it,,equals,1,count,some,,",
               "is not a number"},
        BadRow{"claim_checks.csv", "large,condition,date,it,,equals,1,count,,,",
               "condition_says_why"},
        BadRow{"claim_checks.csv", "large,context,date,it,,equals,1,count,,,",
               "context_compares_nothing"},
        BadRow{"prices.csv", "shop,nobox,here,on_demand,1,2026,page,high,listed,",
               "neither an instance nor an alias"},
        BadRow{"prices.csv", "shop,box,here,on_demand,0,2026,page,high,listed,",
               "price_is_positive"},
        BadRow{"prices.csv", "shop,box,here,on_demand,much,2026,page,high,listed,",
               "is not a number"},
        BadRow{"prices.csv", "shop,box,here,On Demand,1,2026,page,high,listed,",
               "price_plan_is_named"},
        BadRow{"prices.csv", "shop,box,here,on_demand,1,2026,page,high,suspect,",
               "suspect_price_says_why"},
        BadRow{"prices.csv", "shop,box,here,on_demand,1,2026,page,high,hearsay,n",
               "price_status_is_known"}));

TEST(CatalogBuilder, AFileThatNothingWouldReadIsRefused) {
    const Folder folder;
    auto rows = soundRows();
    rows["figure_chip.csv"] = rows["figures_chip.csv"];
    const auto summary = buildFrom(folder, rows);
    ASSERT_FALSE(summary);
    EXPECT_THAT(summary.findings().front().english(), HasSubstr("figure_chip.csv"));
}

TEST(CatalogBuilder, AFailedBuildLeavesTheOldDatabase) {
    const Folder folder;
    ASSERT_TRUE(buildFrom(folder, soundRows()));
    const std::string before = contentOf(folder.file("c.sqlite"));
    auto rows = soundRows();
    rows["entries_chip.csv"] += "a,Again,\n";
    EXPECT_FALSE(buildFrom(folder, rows));
    EXPECT_EQ(contentOf(folder.file("c.sqlite")), before);
}

TEST(CatalogBuilder, WhatIsNotThereIsSaid) {
    const Folder folder;
    EXPECT_THAT(buildCatalog(folder.file("no.sql"), folder.path(), folder.file("c.sqlite"))
                    .findings()
                    .front()
                    .english(),
                HasSubstr("no.sql"));
    EXPECT_THAT(buildCatalog(schemaPath(), folder.file("norows"), folder.file("c.sqlite"))
                    .findings()
                    .front()
                    .english(),
                HasSubstr("norows"));
}

}  // namespace
}  // namespace trainwright::catalog
