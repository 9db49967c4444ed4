// SPDX-License-Identifier: GPL-3.0-or-later
// Markdown, CSV and XLSX of the fixture's plans.
#include "reports/writers.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>
#include <sstream>

#include "reports/report.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

Document planOf(bool hostile) {
    return hostile
               ? planDocument(fixture::hostileRequest(), fixture::hostileResult(),
                              fixture::context())
               : planDocument(fixture::planRequest(), fixture::planResult(), fixture::context());
}

/// RFC 4180 read strictly; a record that breaks it fails the test.
std::vector<std::vector<std::string>> records(const std::string& csv) {
    std::vector<std::vector<std::string>> out{{""}};
    bool quoted = false;
    for (std::size_t i = 0; i < csv.size(); ++i) {
        std::string& field = out.back().back();
        const char c = csv[i];
        if (quoted) {
            if (c != '"') {
                field += c;
            } else if (i + 1 < csv.size() && csv[i + 1] == '"') {
                field += '"';
                ++i;
            } else {
                quoted = false;
            }
        } else if (c == '"') {
            EXPECT_TRUE(field.empty()) << "a quote within a plain field at byte " << i;
            quoted = true;
        } else if (c == ',') {
            out.back().emplace_back();
        } else if (c == '\r') {
            EXPECT_EQ(csv[i + 1], '\n') << "at byte " << i;
            ++i;
            out.push_back({""});
        } else {
            EXPECT_NE(c, '\n') << "a bare line end at byte " << i;
            field += c;
        }
    }
    EXPECT_FALSE(quoted);
    EXPECT_EQ(out.back(), std::vector<std::string>{""});
    out.pop_back();
    return out;
}

TEST(Csv, HasTheDocumentedColumnsInEveryRecord) {
    for (bool hostile : {false, true}) {
        const auto rows = records(csv(planOf(hostile)));
        ASSERT_GT(rows.size(), 100U);
        EXPECT_EQ(rows.front(),
                  (std::vector<std::string>{"section", "table", "kind", "group", "row", "name",
                                            "column", "value", "unit", "text"}));
        for (const auto& row : rows) EXPECT_THAT(row, SizeIs(10));
    }
}

TEST(Csv, GivesNumbersAsTheyAreAndNothingForWhatIsNotKnown) {
    bool hasDays = false;
    for (const auto& row : records(csv(planOf(false)))) {
        if (row[0] == "section") continue;
        EXPECT_THAT(row[2], testing::AnyOf("cell", "total", "note", "fact"));
        if (row[9] == "not known") {
            EXPECT_EQ(row[7], "");
        }
        if (!row[7].empty()) {
            EXPECT_TRUE(std::isfinite(std::stod(row[7]))) << row[7];
            EXPECT_THAT(row[7], Not(HasSubstr(",")));
        }
        hasDays = hasDays || (row[1] == "ranking-table" && row[6] == "days" && row[8] == "d");
    }
    EXPECT_TRUE(hasDays);
}

/// Pipes that end a cell.
std::size_t pipes(const std::string& line) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < line.size(); ++i) {
        std::size_t slashes = 0;
        for (std::size_t k = i; k > 0 && line[k - 1] == '\\'; --k) ++slashes;
        if (line[i] == '|' && slashes % 2 == 0) ++count;
    }
    return count;
}

TEST(Markdown, TablesHaveAsManyCellsInEveryRow) {
    for (bool hostile : {false, true}) {
        std::istringstream lines(markdown(planOf(hostile)));
        std::size_t expected = 0, tables = 0;
        for (std::string line; std::getline(lines, line);) {
            if (line.rfind("|", 0) != 0) {
                expected = 0;
                continue;
            }
            if (expected == 0) {
                expected = pipes(line);
                ++tables;
            }
            EXPECT_EQ(pipes(line), expected) << line;
        }
        EXPECT_GT(tables, 5U);
    }
}

TEST(Markdown, FoldsWhatTheDocumentFoldsAndKeepsMarkupOfNamesOut) {
    const std::string folded = markdown(planOf(false));
    EXPECT_THAT(folded, StartsWith("# "));
    EXPECT_THAT(folded, HasSubstr("<details><summary>"));
    std::size_t opened = 0, closed = 0;
    for (std::size_t at = 0; (at = folded.find("<details>", at)) != std::string::npos; ++at)
        ++opened;
    for (std::size_t at = 0; (at = folded.find("</details>", at)) != std::string::npos; ++at)
        ++closed;
    EXPECT_EQ(opened, closed);
    std::string hostile = markdown(planOf(true));
    EXPECT_THAT(hostile, Not(HasSubstr("\n<script")));
    EXPECT_THAT(hostile, Not(HasSubstr(" <script")));
}

TEST(Assumptions, WhatFollowsIsWhatThePlanSays) {
    const search::PlanRequest request = fixture::planRequest();
    const search::PlanResult result = fixture::planResult();
    const Assumptions a = planAssumptions(request, result);
    ASSERT_FALSE(a.candidates.empty());
    std::map<std::string, const AssumedValue*> rows;
    for (const AssumedValue& row : a.rows) {
        EXPECT_THAT(row.values, SizeIs(a.candidates.size()));
        EXPECT_THAT(row.follows, SizeIs(a.candidates.size()));
        EXPECT_TRUE(rows.emplace(row.key, &row).second) << row.key;
        // A formula refers to rows above it, so that a sheet can be read from top to bottom.
        for (std::size_t at = 0; (at = row.formula.find('{', at)) != std::string::npos; ++at) {
            const std::string key = row.formula.substr(at + 1, row.formula.find('}', at) - at - 1);
            EXPECT_TRUE(rows.contains(key) && key != row.key) << row.formula;
        }
    }
    for (std::size_t c = 0; c < a.candidates.size(); ++c) {
        const auto value = [&](const char* key) { return rows.at(key)->values[c]; };
        if (rows.at("compute_usd")->follows[c]) {
            EXPECT_NEAR(*value("compute_usd"),
                        *value("units") * *value("billed_days") * 24 * *value("price") *
                            (1 - *value("discount")),
                        1e-6 * *value("compute_usd"));
        }
        if (!value("total_usd")) {
            EXPECT_FALSE(rows.at("total_usd")->follows[c]);
        }
    }
}

TEST(Xlsx, IsTheSameEachTime) {
    for (bool hostile : {false, true}) {
        const Document document = planOf(hostile);
        const Assumptions assumptions =
            planAssumptions(fixture::planRequest(), fixture::planResult());
        const Outcome<std::string> first = xlsx(document, assumptions);
        const Outcome<std::string> second = xlsx(document, assumptions);
        ASSERT_TRUE(first && second);
        EXPECT_THAT(*first, StartsWith("PK"));
        EXPECT_TRUE(*first == *second);
        const Outcome<std::string> bare = xlsx(document);
        ASSERT_TRUE(bare);
        EXPECT_FALSE(*bare == *first);
    }
}

}  // namespace
}  // namespace trainwright::reports
