// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/csv_rows.h"

#include <gmock/gmock.h>

#include <random>

namespace trainwright::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(CsvRows, QuotesHoldCommasQuotesAndLineBreaksAndLinesAreCounted) {
    const Outcome<CsvTable> table = readCsv(
        "\xEF\xBB\xBF"
        "id,note\r\na,\"x, \"\"y\"\"\nz\"\r\n\r\nb,\n",
        "f.csv");
    ASSERT_TRUE(table);
    EXPECT_THAT(table->header, ElementsAre("id", "note"));
    ASSERT_EQ(table->rows.size(), 2U);
    EXPECT_THAT(table->rows[0].fields, ElementsAre("a", "x, \"y\"\nz"));
    EXPECT_EQ(table->rows[0].line, 2);
    EXPECT_THAT(table->rows[1].fields, ElementsAre("b", ""));
    EXPECT_EQ(table->rows[1].line, 5);
}

struct Malformed {
    const char* text;
    int line;
    const char* says;
};

class CsvRowsMalformed : public ::testing::TestWithParam<Malformed> {};

TEST_P(CsvRowsMalformed, NamesTheLine) {
    const Outcome<CsvTable> table = readCsv(GetParam().text, "f.csv", {"a", "b"});
    ASSERT_FALSE(table);
    EXPECT_EQ(table.findings().front().place.line, GetParam().line);
    EXPECT_THAT(table.findings().front().english(), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(Texts, CsvRowsMalformed,
                         ::testing::Values(Malformed{"", 1, "empty"},
                                           Malformed{"a,b\n1,2\n3\n", 3, "1 fields"},
                                           Malformed{"a,b\n1,2,3\n", 2, "the header has 2"},
                                           Malformed{"a,b\n1,\"2\n", 2, "quotation mark"},
                                           Malformed{"a,b\n1,2\"3\n", 2, "quotation mark"},
                                           Malformed{"a,b\n\"1\"x,2\n", 2, "quotation mark"},
                                           Malformed{"a,c\n1,2\n", 1, "a,b is expected"}));

TEST(CsvRows, WhatIsQuotedReadsBackAsItWas) {
    const unsigned seed = 20261201;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::string alphabet = "ab,\"\n\r \xC3\xA9";
    for (int round = 0; round < 500; ++round) {
        std::vector<std::string> fields(1 + random() % 4);
        std::string text = "h";
        for (std::size_t i = 1; i < fields.size(); ++i) {
            text += ",h";
        }
        text += "\n";
        for (std::size_t i = 0; i < fields.size(); ++i) {
            for (unsigned n = random() % 8; n > 0; --n) {
                fields[i] += alphabet[random() % alphabet.size()];
            }
            text += i > 0 ? ",\"" : "\"";
            for (const char c : fields[i]) {
                text += c == '"' ? std::string("\"\"") : std::string(1, c);
            }
            text += "\"";
        }
        const Outcome<CsvTable> table = readCsv(text, "f.csv");
        ASSERT_TRUE(table) << text;
        if (fields == std::vector<std::string>{""}) {
            continue;  // a blank line is no row
        }
        ASSERT_EQ(table->rows.size(), 1U) << text;
        EXPECT_EQ(table->rows[0].fields, fields) << text;
    }
}

}  // namespace
}  // namespace trainwright::catalog
