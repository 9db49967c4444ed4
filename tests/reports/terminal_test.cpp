// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "reports/report.h"
#include "reports/terminal_text.h"
#include "reports/utf8.h"
#include "tests/reports/golden.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::vector<std::string> lines(const std::string& text) {
    std::istringstream in(text);
    std::vector<std::string> all;
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
}

const search::CandidateResult& candidate(const search::PlanResult& result,
                                         const std::string& name) {
    return *std::find_if(result.candidates.begin(), result.candidates.end(),
                         [&](const search::CandidateResult& c) { return c.name == name; });
}

TEST(PlanTerminal, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(
        planTerminal(fixture::planRequest(), fixture::planResult(), {}, fixture::context()),
        "plan.txt"));
}

TEST(PlanTerminal, MatchesGoldenWhenNarrowAndAscii) {
    EXPECT_TRUE(matchesGolden(planTerminal(fixture::planRequest(), fixture::planResult(),
                                           {60, false, false}, fixture::context()),
                              "plan-60-ascii.txt"));
}

TEST(MoneyTerminal, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(moneyTerminal(fixture::planRequest(), fixture::planResult(), {}),
                              "money.txt"));
}

TEST(MoneyTerminal, StaysWithinTheWidth) {
    for (const std::string& line :
         lines(moneyTerminal(fixture::planRequest(), fixture::planResult(), {60, false, false})))
        EXPECT_LE(columns(line), 60U) << line;
}

TEST(ExplainTerminal, MatchesGolden) {
    const auto result = fixture::planResult();
    EXPECT_TRUE(
        matchesGolden(explainTerminal(fixture::planRequest(), candidate(result, "trn2-block"), {},
                                      {}, fixture::context()),
                      "explain.txt"));
    EXPECT_TRUE(matchesGolden(explainTerminal(fixture::planRequest(), candidate(result, "a100"), {},
                                              {}, fixture::context()),
                              "explain-infeasible.txt"));
}

TEST(ExplainTerminal, ShowsTheTablesBehindEachPicture) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    ExplainedViews views = fixture::views(request, candidate(result, "trn2-block"));
    views.overview = false;
    EXPECT_TRUE(matchesGolden(
        explainTerminal(request, candidate(result, "trn2-block"), views, {}, fixture::context()),
        "explain-views.txt"));
}

TEST(ExplainTerminal, ShowsOnlyWhatIsAskedFor) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const search::CandidateResult& trn2 = candidate(result, "trn2-block");
    const ExplainedViews all = fixture::views(request, trn2);
    ExplainedViews memory;
    memory.overview = false;
    memory.memory = true;
    const std::string text = explainTerminal(request, trn2, memory, {}, fixture::context());
    EXPECT_THAT(text, HasSubstr("GiB of one rank, stage by stage"));
    for (const char* other : {"Where a step of", "Roofline", "Schedule", "Network"})
        EXPECT_THAT(text, Not(HasSubstr(other)));
    ExplainedViews schedule;
    schedule.overview = false;
    schedule.schedule = all.schedule;
    EXPECT_THAT(explainTerminal(request, trn2, schedule, {}, fixture::context()),
                HasSubstr("From the pipeline to the step"));
}

TEST(ExplainTerminal, CountsTheLayoutsOfTheFrontThatItLeavesOut) {
    const auto result = fixture::planResult();
    const std::string text = explainTerminal(
        fixture::planRequest(), candidate(result, "trn2-block"), {}, {}, fixture::context());
    EXPECT_THAT(text, HasSubstr("Layouts that no other beats in both time and memory"));
    EXPECT_THAT(text, HasSubstr("3 more need less memory and take longer; --json has them all."));
}

TEST(Terminal, NoLineIsWiderThanTheTerminal) {
    const auto plans = {std::pair{fixture::planRequest(), fixture::planResult()},
                        std::pair{fixture::hostileRequest(), fixture::hostileResult()},
                        std::pair{fixture::bareRequest(), fixture::bareResult()}};
    for (const auto& [request, result] : plans)
        for (int width : {40, 60, 79, 80, 100, 120, 200})
            for (bool utf8 : {true, false}) {
                const TerminalStyle style{width, utf8, false};
                std::string all = planTerminal(request, result, style, fixture::context());
                for (const auto& c : result.candidates)
                    all += explainTerminal(request, c, fixture::views(request, c), style,
                                           fixture::context());
                for (const std::string& line : lines(all))
                    EXPECT_LE(columns(line), static_cast<std::size_t>(width)) << line;
            }
}

TEST(Terminal, IsAsciiAndFreeOfControlsWhenTold) {
    const auto request = fixture::hostileRequest();
    const auto result = fixture::hostileResult();
    std::string all = planTerminal(request, result, {100, false, false}, fixture::context());
    for (const auto& c : result.candidates)
        all += explainTerminal(request, c, fixture::views(request, c), {100, false, false},
                               fixture::context());
    for (char c : all)
        EXPECT_TRUE(c == '\n' || (c >= 0x20 && c < 0x7F))
            << static_cast<int>(static_cast<unsigned char>(c));
}

TEST(Terminal, OnlyItsOwnEscapesWhenInColour) {
    const std::string text = planTerminal(fixture::hostileRequest(), fixture::hostileResult(),
                                          {100, true, true}, fixture::context());
    EXPECT_THAT(text, HasSubstr("\x1b[1m"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b[31mH"))) << "an escape of a title reached the terminal";
    const std::string plain = planTerminal(fixture::planRequest(), fixture::planResult(),
                                           {100, true, false}, fixture::context());
    EXPECT_THAT(plain, Not(HasSubstr("\x1b")));
}

TEST(PlanTerminal, DropsColumnsInTheStatedOrder) {
    // As the width shrinks MFU goes before chips, chips before finish; money and days stay.
    bool hadChips = true, hadFinish = true;
    for (int width = 120; width >= 58; --width) {
        const std::string text = planTerminal(fixture::planRequest(), fixture::planResult(),
                                              {width, true, false}, fixture::context());
        std::string head;
        for (const std::string& line : lines(text))
            if (line.rfind("#  candidate", 0) == 0) head = line;
        const bool mfu = head.find("MFU") != std::string::npos,
                   chips = head.find("chips") != std::string::npos,
                   finish = head.find("finish") != std::string::npos;
        EXPECT_TRUE(!mfu || chips) << head;
        EXPECT_TRUE(!chips || finish) << head;
        EXPECT_TRUE(hadChips || !chips) << head;
        EXPECT_TRUE(hadFinish || !finish) << head;
        EXPECT_THAT(head, HasSubstr("days"));
        EXPECT_THAT(head, HasSubstr("M USD"));
        hadChips = chips;
        hadFinish = finish;
    }
    EXPECT_FALSE(hadFinish);
}

TEST(PlanTerminal, KeepsEveryCandidateWithItsReason) {
    const std::string text =
        planTerminal(fixture::planRequest(), fixture::planResult(), {}, fixture::context());
    for (const char* expected :
         {"trn2-block", "h200-block", "h100-od", "trn3-g2", "a100", "over the budget by 13.5 M USD",
          "no public price", "stage 0 needs 59.8 GiB", "not known"})
        EXPECT_THAT(text, HasSubstr(expected));
}

TEST(ExplainTerminal, SurvivesACandidateOfNoRequest) {
    search::CandidateResult stranger;
    stranger.name = "stranger";
    EXPECT_THAT(explainTerminal(fixture::planRequest(), stranger, {}, {}, {}),
                HasSubstr("no candidate stranger"));
}

TEST(Wrapped, BreaksWordsLongerThanALine) {
    std::string sentence(95, 'x');
    sentence.append(" end");
    const std::string text = wrapped(sentence, {40, true, false}, 2, 2);
    for (const std::string& line : lines(text)) EXPECT_LE(line.size(), 40U);
    EXPECT_EQ(std::count(text.begin(), text.end(), 'x'), 95);
}

TEST(Utf8, CountsColumns) {
    EXPECT_EQ(columns("abc"), 3U);
    EXPECT_EQ(columns("–×²"), 3U);
    EXPECT_EQ(columns("漢字"), 4U);
    EXPECT_EQ(columns("e\xCC\x81"), 1U);
    EXPECT_EQ(validUtf8("a\xFF\xC3"), "a\xEF\xBF\xBD\xEF\xBF\xBD");
    EXPECT_EQ(validUtf8("\xED\xA0\x80"), "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD")
        << "a surrogate is not a character";
    EXPECT_EQ(asciiOnly("6.84 × 10²⁴ – é"), "6.84 x 10^24 - e");
    EXPECT_EQ(withoutControls("a\x1b[31m\nb\xC2\x9B"), "a [31m b ");
}

}  // namespace
}  // namespace trainwright::reports
