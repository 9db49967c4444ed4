// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/catalog_text.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/data/catalog/catalog_files.h"

namespace trainwright::catalog {
namespace {

using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::Not;
using testing_files::shipped;

std::size_t longestLine(const std::string& text) {
    std::size_t longest = 0;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        const auto continuation = std::count_if(line.begin(), line.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
        });
        longest = std::max(longest, line.size() - static_cast<std::size_t>(continuation));
    }
    return longest;
}

TEST(CatalogText, EveryEntryIsShownWithin100Columns) {
    for (const std::string& kind : kinds()) {
        for (const Entry& entry : shipped().entries(kind)) {
            const auto text = show(shipped(), kind + "/" + entry.id, TextFormat::Text);
            ASSERT_TRUE(text) << kind << " " << entry.id;
            EXPECT_LE(longestLine(*text), 100U) << kind << " " << entry.id << "\n" << *text;
            EXPECT_THAT(*text, Not(HasSubstr(" \n")));
        }
        const auto listed = list(shipped(), kind, TextFormat::Text);
        ASSERT_TRUE(listed);
        EXPECT_LE(longestLine(*listed), 100U) << *listed;
    }
}

TEST(CatalogText, AFigureIsShownWithSourceDateStatusAndRivals) {
    const auto text = show(shipped(), "trainium2", TextFormat::Text);
    ASSERT_TRUE(text);
    EXPECT_THAT(*text, HasSubstr("trainium2: AWS Trainium2 (chip)"));
    EXPECT_THAT(*text, ContainsRegex("667 TFLOP/s +AWS Neuron docs: Trainium2, 2026-12-01"));
    EXPECT_THAT(*text, ContainsRegex("400 TFLOP/s +rejected; "));
    EXPECT_THAT(*text, ContainsRegex("512 GiB +rejected; "));
    EXPECT_THAT(*text, ContainsRegex("500 W +estimated; "));
}

TEST(CatalogText, JsonHoldsBaseUnitsAndWhatIsNotInUse) {
    const auto text = show(shipped(), "trainium2", TextFormat::Json);
    ASSERT_TRUE(text);
    const auto json = nlohmann::json::parse(*text);
    EXPECT_EQ(json["kind"], "chip");
    for (const auto& figure : json["figures"]) {
        if (figure["key"] == "hbm_bytes") {
            EXPECT_EQ(figure["value"], 96.0 * 1024 * 1024 * 1024);
            EXPECT_EQ(figure["unit"], "bytes");
            EXPECT_EQ(figure["not_in_use"].size(), 2U);
            EXPECT_FALSE(figure["source"]["title"].get<std::string>().empty());
        }
        if (figure["key"] == "power_is_estimate") {
            EXPECT_EQ(figure["value"], true);
        }
    }
}

TEST(CatalogText, APriceIsShownWithItsDateAndAMachineWithoutOneSaysSo) {
    EXPECT_THAT(*show(shipped(), "trn2.48xlarge", TextFormat::Text),
                HasSubstr("us-east-2   capacity_block  35.7608  2026-10-09  listed"));
    EXPECT_THAT(*show(shipped(), "trn3-gen2-ultraserver", TextFormat::Text),
                HasSubstr("no public price for trn3-gen2-ultraserver"));
    EXPECT_THAT(*show(shipped(), "hgx-h100-8x", TextFormat::Text), HasSubstr("49.24"));
    const auto json = nlohmann::json::parse(*show(shipped(), "trn2.48xlarge", TextFormat::Json));
    EXPECT_GT(json["prices"].size(), 3U);
}

TEST(CatalogText, UnknownNamesComeBackWithTheNearest) {
    const auto entry = show(shipped(), "trainum2", TextFormat::Text);
    ASSERT_FALSE(entry);
    EXPECT_THAT(entry.findings().front().english(), HasSubstr("trainium2"));
    const auto kind = list(shipped(), "chipps", TextFormat::Text);
    ASSERT_FALSE(kind);
    EXPECT_THAT(kind.findings().front().english(), HasSubstr("the nearest is chip"));
    EXPECT_FALSE(list(shipped(), "zzzzzz", TextFormat::Text));
    EXPECT_FALSE(show(shipped(), "chip/zzzzzz", TextFormat::Text));
}

TEST(CatalogText, ListsAreTablesAndJsonArrays) {
    EXPECT_THAT(*list(shipped(), "", TextFormat::Text), HasSubstr("newest price"));
    EXPECT_EQ(*list(shipped(), "chip", TextFormat::Text),
              *list(shipped(), "chips", TextFormat::Text));
    const auto json = nlohmann::json::parse(*list(shipped(), "model", TextFormat::Json));
    EXPECT_EQ(json["entries"].size(), shipped().entries("model").size());
    EXPECT_TRUE(json["entries"][0]["parameters_counted"].is_number());
    EXPECT_EQ(nlohmann::json::parse(*list(shipped(), "", TextFormat::Json))["kinds"].size(),
              kinds().size());
}

TEST(CatalogText, CheckPutsErrorsFirstAndCounts) {
    const std::vector<Finding> findings{{Severity::Note, {"a note", {}}, {}},
                                        {Severity::Error, {"an error", {}}, {}}};
    const std::string text = checkReport(shipped(), findings, TextFormat::Text);
    EXPECT_LT(text.find("an error"), text.find("a note"));
    EXPECT_THAT(text, HasSubstr("1 errors, 0 warnings, 1 notes"));
    const auto json = nlohmann::json::parse(checkReport(shipped(), findings, TextFormat::Json));
    EXPECT_EQ(json["errors"], 1);
    EXPECT_EQ(json["findings"][0]["severity"], "error");
}

}  // namespace
}  // namespace trainwright::catalog
