// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/language.h"

#include <gmock/gmock.h>

#include "model/units/joined.h"
#include "reports/spanish_numbers.h"

namespace trainwright::reports {
namespace {

struct Written {
    const char* english;
    const char* spanish;
};

class SpanishNumbers : public testing::TestWithParam<Written> {};

TEST_P(SpanishNumbers, AreWrittenAsSpanishDoes) {
    EXPECT_EQ(spanishNumbers(GetParam().english), GetParam().spanish);
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, SpanishNumbers,
    testing::Values(
        Written{"18.5", "18,5"}, Written{"0", "0"}, Written{"4,096", "4096"},
        Written{"12,345", "12.345"}, Written{"1,230,000", "1.230.000"},
        Written{"12,345.6", "12.345,6"}, Written{"1,234.56", "1234,56"},
        Written{"82%", "82\u00a0%"}, Written{"<0.1%", "<0,1\u00a0%"}, Written{">99%", ">99\u00a0%"},
        Written{"+4.2%", "+4,2\u00a0%"}, Written{"−3.0", "−3,0"}, Written{"±35%", "±35\u00a0%"},
        Written{"×0.94", "×0,94"}, Written{"1.29×", "1,29×"}, Written{"16.9–21.5", "16,9–21,5"},
        Written{"18.5 (16.9–21.5)", "18,5 (16,9–21,5)"}, Written{"16.9 or more", "16,9 o más"},
        Written{"18.5 M USD", "18,5 M USD"}, Written{"1.23 M USD", "1,23 M USD"},
        Written{"7.78 s", "7,78 s"}, Written{"3.2 h", "3,2 h"}, Written{"12 days", "12 días"},
        Written{"15.6T", "15,6T"}, Written{"70.6B", "70,6B"}, Written{"6.84 × 10²⁴", "6,84 × 10²⁴"},
        Written{"8,192×2,560×8,192", "8192×2560×8192"}, Written{"1.2/3.4/5.0", "1,2/3,4/5,0"},
        Written{"8 March 2027", "8 de marzo de 2027"}, Written{"not known", "no se sabe"}));

INSTANTIATE_TEST_SUITE_P(
    OtherDigits, SpanishNumbers,
    testing::Values(Written{"2027-03-08", "2027-03-08"}, Written{"0.1.0", "0.1.0"},
                    Written{"llama3.1-70b", "llama3.1-70b"},
                    Written{"trn2.48xlarge", "trn2.48xlarge"},
                    Written{"p5.48xlarge.yaml", "p5.48xlarge.yaml"},
                    Written{"us-east-1", "us-east-1"}, Written{"3fa9c1", "3fa9c1"},
                    Written{"Llama 3.1 405B", "Llama 3.1 405B"},
                    Written{"Neuron 2.21", "Neuron 2.21"}, Written{"`1.5 TiB`", "`1.5 TiB`"},
                    Written{"bf16", "bf16"}, Written{"1f1b", "1f1b"}, Written{"", ""},
                    Written{"P10–P90", "P10–P90"}, Written{"1,2", "1,2"},
                    Written{"t32 p2 v4 D256 b1", "t32 p2 v4 D256 b1"}));

TEST(Spanish, SaysPatternsAndWhatIsNestedInThem) {
    const Text days = text("{1} days", "83.5");
    EXPECT_EQ(say(days, Language::English), "83.5 days");
    EXPECT_EQ(say(days, Language::Spanish), "83,5 días");
    EXPECT_EQ(say(text("{1}: {2}", "trn2-block", text("no price")), Language::Spanish),
              "trn2-block: sin precio");
    EXPECT_EQ(say(joined(std::vector<Text>{text("days"), text("no price")}), Language::Spanish),
              "días, sin precio");
}

TEST(Spanish, WhatTheTableHasntStaysEnglish) {
    EXPECT_EQ(say(text("a sentence that nobody wrote {1}", "1.5"), Language::Spanish),
              "a sentence that nobody wrote 1,5");
}

TEST(Language, AKeptSentenceIsSaidInSpanishAsWell) {
    const Text late = recalled("Done on 2027-09-05, 97 days after 2027-05-31.");
    EXPECT_EQ(late.english(), "Done on 2027-09-05, 97 days after 2027-05-31.");
    EXPECT_EQ(say(late, Language::Spanish),
              say(text("Done on {1}, {2} days after {3}.", "2027-09-05", "97", "2027-05-31"),
                  Language::Spanish));
    EXPECT_NE(say(late, Language::Spanish), late.english());
    EXPECT_EQ(say(recalled("Over the budget by 29.3 M USD."), Language::Spanish),
              say(text("Over the budget by {1} M USD.", "29.3"), Language::Spanish));
    for (const char* unknown : {"", "Nobody wrote this, 97 days after 2027-05-31.", "{1}", "x"})
        EXPECT_EQ(recalled(unknown), verbatim(unknown));
}

TEST(Spanish, TreesKeepNumbersIdsAndLinks) {
    Table table;
    table.id = "days";
    table.columns = {{text("days"), true}};
    table.groups.resize(1);
    Row row;
    row.cells = {number(83.5, "d", "83.5")};
    row.cells.front().link = "candidate-1";
    table.groups[0].rows.push_back(row);
    const Table spanish = translated(table, Language::Spanish);
    EXPECT_EQ(spanish.id, "days");
    EXPECT_EQ(spanish.columns[0].title.english(), "días");
    const Cell& cell = spanish.groups[0].rows[0].cells[0];
    EXPECT_EQ(cell.display.english(), "83,5");
    EXPECT_EQ(cell.number, 83.5);
    EXPECT_EQ(cell.unit, "d");
    EXPECT_EQ(cell.link, "candidate-1");

    Document document;
    document.sections.resize(1);
    document.sections[0].blocks.emplace_back(table);
    document.sections[0].blocks.emplace_back(Preformatted{"trainwright plan --width 1.5"});
    const Document whole = translated(document, Language::Spanish);
    EXPECT_EQ(whole.language, "es");
    EXPECT_EQ(std::get<Preformatted>(whole.sections[0].blocks[1]).text,
              "trainwright plan --width 1.5");
    EXPECT_EQ(translated(document, Language::English).language, "en");
}

TEST(Language, IsNamedByItsCode) {
    EXPECT_EQ(languageFromCode("es"), Language::Spanish);
    EXPECT_EQ(languageFromCode("en"), Language::English);
    EXPECT_EQ(languageFromCode("fr"), std::nullopt);
    EXPECT_STREQ(code(Language::Spanish), "es");
}

}  // namespace
}  // namespace trainwright::reports
