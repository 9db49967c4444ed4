// SPDX-License-Identifier: GPL-3.0-or-later
// Claims as text, JSON and a page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/claims_report.h"
#include "reports/claims_view.h"
#include "reports/utf8.h"
#include "tests/reports/claims_fixture.h"
#include "tests/reports/golden.h"

namespace trainwright::reports {
namespace {

using claims::measure;
using claims::Measure;
using claims::words;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
}

TEST(MeasureText, IsInUnitsThatPeopleRead) {
    struct Row {
        Measure measure;
        const char* text;
    };
    for (const Row& row : {Row{measure(34359738368, "bytes"), "32 GiB"},
                           Row{measure(1649267441664, "bytes"), "1.5 TiB"},
                           Row{measure(2e12, "bytes"), "2.00 TB"},
                           Row{measure(667e12, "flop_per_second"), "667 TFLOP/s"},
                           Row{measure(10.672e15, "flop_per_second"), "10.67 PFLOP/s"},
                           Row{measure(333.5e18, "flop_per_second"), "333.5 EFLOP/s"},
                           Row{measure(0.343, "fraction"), "34%"},
                           Row{measure(-1.33, "fraction"), "-133%"},
                           Row{measure(1.937644, "ratio"), "1.94×"},
                           Row{measure(2, "ratio"), "2×"},
                           Row{measure(0.2488, "ratio"), "0.25×"},
                           Row{measure(23.456, "ratio"), "23.5×"},
                           Row{measure(500000, "count"), "500,000"},
                           Row{measure(67441.86, "count"), "67,400"},
                           Row{measure(16, "chips"), "16 chips"},
                           Row{measure(1, "chips"), "1 chip"},
                           Row{measure(515.2, "days"), "515 days"},
                           Row{measure(17732.3, "days"), "17,700 days"},
                           Row{measure(0.0379, "seconds"), "37.9 ms"},
                           Row{measure(500, "watts"), "500 W"},
                           Row{measure(87.08e6, "watts"), "87.1 MW"},
                           Row{measure(1.234e6, "usd"), "1.23 M USD"},
                           Row{measure(3.6e9 * 5, "joules"), "5.00 MWh"},
                           Row{measure(7e-9, "metres"), "7 nm"},
                           Row{words("2025-12-02"), "2025-12-02"},
                           Row{Measure{}, "not known"}})
        EXPECT_EQ(measureText(row.measure).english(), row.text);
    EXPECT_THAT(measureText(measure(std::numeric_limits<double>::infinity(), "ratio")).english(),
                HasSubstr("not known"));
}

TEST(ClaimsTerminal, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(
        claimsTerminal(fixture::checkedClaims(), {}, fixture::claimsContext()), "claims.txt"));
}

TEST(ClaimsTerminal, FitsAnyWidthAndAscii) {
    for (int width : {40, 60, 80, 100, 200}) {
        for (bool utf8 : {true, false}) {
            const TerminalStyle style{width, utf8, false};
            std::string all =
                claimsTerminal(fixture::checkedClaims(), style, fixture::claimsContext());
            for (const claims::CheckedClaim& claim : fixture::checkedClaims())
                all += claimTerminal(claim, style);
            for (const std::string& line : lines(all)) {
                EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << line;
                if (!utf8) {
                    EXPECT_TRUE(std::all_of(line.begin(), line.end(), [](char c) {
                        return static_cast<unsigned char>(c) < 0x80;
                    })) << line;
                }
            }
        }
    }
}

TEST(ClaimTerminal, MatchesGolden) {
    std::string all;
    for (const claims::CheckedClaim& claim : fixture::checkedClaims())
        all += claimTerminal(claim, {}) + "\n";
    EXPECT_TRUE(matchesGolden(all, "claims-in-full.txt"));
}

TEST(ClaimsJson, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(claimsJson(fixture::checkedClaims(), fixture::claimsContext()),
                              "claims.json"));
}

TEST(ClaimsJson, HasWhatItPromises) {
    const auto json =
        nlohmann::json::parse(claimsJson(fixture::checkedClaims(), fixture::claimsContext()));
    EXPECT_EQ(json.at("schema"), "trainwright/claims/1");
    int counted = 0;
    for (const auto& [verdict, number] : json.at("summary").items()) counted += number.get<int>();
    EXPECT_EQ(counted, 4);
    for (const auto& claim : json.at("claims"))
        for (const char* key : {"id", "statement", "by", "claimed", "found", "unit", "verdict",
                                "condition", "sources", "scenario", "parts"})
            EXPECT_TRUE(claim.contains(key)) << claim.at("id") << key;
    const auto& memory = json.at("claims").at(0);
    EXPECT_EQ(memory.at("claimed"), 34359738368);
    EXPECT_EQ(memory.at("found"), 103079215104);
    EXPECT_EQ(memory.at("unit"), "bytes");
    EXPECT_EQ(memory.at("verdict"), "contradicted");
    EXPECT_TRUE(memory.at("scenario").is_null());
    const auto& benchmark = json.at("claims").at(3);
    EXPECT_TRUE(benchmark.at("found").is_null());
    EXPECT_EQ(benchmark.at("condition"), "None of the 37 rows is of the chip.");
}

TEST(ClaimsDocument, IsSoundAndWritesAPage) {
    const Document document = claimsDocument(fixture::checkedClaims(), fixture::claimsContext());
    const std::vector<Finding> faults = validate(document);
    EXPECT_THAT(faults, IsEmpty()) << (faults.empty() ? "" : faults.front().english());
    const std::string page = html(document);
    EXPECT_THAT(page, HasSubstr("32 GB &amp; the box"));
    EXPECT_THAT(page, HasSubstr("href=\"#claim-memory\""));
    EXPECT_THAT(page, HasSubstr("id=\"claim-memory\""));
    EXPECT_THAT(page, HasSubstr("✕ contradicted"));
    EXPECT_THAT(page, Not(HasSubstr("nan")));
}

TEST(ClaimsDocument, HasNoClaimsToTellOf) {
    EXPECT_THAT(validate(claimsDocument({}, {})), IsEmpty());
    EXPECT_THAT(claimsTerminal({}, {}, {}), HasSubstr("0 claims."));
}

TEST(Scenario, IsThatOfTheCaseThatReachesMost) {
    const auto all = fixture::checkedClaims();
    const std::string* scenario = scenarioOf(all.at(2));
    ASSERT_NE(scenario, nullptr);
    EXPECT_THAT(*scenario, HasSubstr("model: large"));
    EXPECT_EQ(scenarioOf(all.at(0)), nullptr);
}

TEST(Grid, SpansTheRegionsAndMarksWhatIsMet) {
    const auto all = fixture::checkedClaims();
    const auto grid = gridTable(all.at(2).parts.at(0), "grid");
    ASSERT_TRUE(grid);
    ASSERT_EQ(grid->groups.size(), 1U);
    EXPECT_EQ(grid->groups[0].title.english(), "trn-box against gpu-box");
    const Row& first = grid->groups[0].rows.at(0);
    EXPECT_EQ(first.cells.at(1).display.english(), "-20% to -6.0%");
    EXPECT_EQ(first.cells.at(1).tone, Tone::Plain);
    const Row& spot = grid->groups[0].rows.at(2);
    EXPECT_EQ(spot.cells.at(1).display.english(), "–");  // no such case
    EXPECT_EQ(spot.cells.at(2).tone, Tone::NotKnown);    // one without a number
    EXPECT_FALSE(gridTable(all.at(0).parts.at(0), "grid"));
}

}  // namespace
}  // namespace trainwright::reports
