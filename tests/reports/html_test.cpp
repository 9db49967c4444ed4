// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>
#include <set>

#include "reports/document.h"
#include "reports/plan_charts.h"
#include "reports/report.h"
#include "tests/reports/golden.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string drawName(const ChartSpec& chart, int width) {
    return "<svg data-chart=\"" + chart.id + "\" width=\"" + std::to_string(width) + "\"></svg>";
}

std::vector<std::string> english(const std::vector<Finding>& findings) {
    std::vector<std::string> all;
    for (const Finding& finding : findings) all.push_back(finding.english());
    return all;
}

std::size_t occurrences(const std::string& text, const std::string& what) {
    std::size_t count = 0;
    for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += what.size())
        ++count;
    return count;
}

/// Tags that are open when they should be closed; comments and scripts don't occur in between.
std::vector<std::string> unbalanced(const std::string& html) {
    static const std::set<std::string> kEmpty{"meta", "br", "img", "!doctype"};
    std::vector<std::string> open, wrong;
    for (std::size_t at = 0; (at = html.find('<', at)) != std::string::npos;) {
        const std::size_t end = html.find('>', at);
        if (end == std::string::npos) return {"a tag without end"};
        const bool closing = html[at + 1] == '/';
        std::size_t from = at + (closing ? 2 : 1);
        std::size_t to = from;
        while (to < end &&
               (std::isalnum(static_cast<unsigned char>(html[to])) != 0 || html[to] == '!'))
            ++to;
        std::string tag = html.substr(from, to - from);
        std::transform(tag.begin(), tag.end(), tag.begin(),
                       [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
        at = end;
        if (closing) {
            if (open.empty() || open.back() != tag)
                wrong.push_back(tag);
            else
                open.pop_back();
        } else if (!kEmpty.contains(tag)) {
            open.push_back(tag);
            if (tag == "script" || tag == "style") at = html.find("</" + tag, end) - 1;
        }
    }
    wrong.insert(wrong.end(), open.begin(), open.end());
    return wrong;
}

TEST(PlanDocument, LinksAndIdsHold) {
    EXPECT_THAT(english(validate(planDocument(fixture::planRequest(), fixture::planResult(),
                                              fixture::context()))),
                IsEmpty());
    EXPECT_THAT(english(validate(planDocument(fixture::bareRequest(), fixture::bareResult(), {}))),
                IsEmpty());
    EXPECT_THAT(
        english(validate(planDocument(fixture::hostileRequest(), fixture::hostileResult(), {}))),
        IsEmpty());
}

TEST(PlanDocument, ValidationFindsBrokenOnes) {
    Document document;
    document.sections.push_back(
        {"a", {}, {}, {Paragraph{text("x"), Tone::Plain, {"nowhere"}}}, {}, false});
    document.sections.push_back({"a", {}, {}, {}, {}, false});
    EXPECT_EQ(validate(document).size(), 2U);
}

TEST(PlanDocument, AnswersFirst) {
    const Document document =
        planDocument(fixture::planRequest(), fixture::planResult(), fixture::context());
    ASSERT_EQ(document.answer.size(), 5U);
    EXPECT_EQ(document.answer[0].text.english(),
              "trn2-block trains llama3.1-70b on 15T tokens with 4,096 Trainium2 in 83 days: done "
              "by 8 March 2027 for 18.5 M "
              "USD.");
    EXPECT_EQ(document.answer[1].text.english(),
              "In 80 of 100 cases trn2-block takes 75–94 days and costs 16.6–20.9 M USD.");
    EXPECT_EQ(document.answer[2].text.english(),
              "Of all cases it keeps the date in 82%, the budget in 84%, the power limit in >99%; "
              "every limit in 79%.");
    EXPECT_EQ(document.answer[3].text.english(),
              "Next is h200-block: 19.7 M USD, 6.9% more, in 86 days.");
    EXPECT_EQ(document.answer[4].text.english(),
              "The cost bands of trn2-block and h200-block overlap.");
    std::vector<std::string> ids;
    for (const Section& section : document.sections) ids.push_back(section.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"answer", "why", "memory", "roofline", "cost",
                                             "energy", "risk", "trade-off", "bands", "details",
                                             "assumptions", "sources", "reproduce"}));
}

TEST(PlanDocument, SaysWhenNothingMeetsTheLimitsOrFits) {
    auto request = fixture::planRequest();
    auto result = fixture::planResult();
    for (auto& c : result.candidates) {
        c.meetsConstraints = false;
        c.rank = 0;
    }
    EXPECT_THAT(planDocument(request, result, {}).answer[0].text.english(),
                HasSubstr("Nothing meets every limit. Cheapest is"));
    for (auto& c : result.candidates) c.run.money.total.reset();
    EXPECT_THAT(planDocument(request, result, {}).answer[0].text.english(),
                HasSubstr("No candidate has a price."));
    for (auto& c : result.candidates) c.feasible = false;
    result.verdict = Text{"No candidate can run this model: none fits in memory.", {}};
    EXPECT_EQ(planDocument(request, result, {}).answer[0].text.english(), result.verdict.english());
}

TEST(PlanDocument, EverySourceIsThereOnce) {
    const std::string page =
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context());
    // Five candidates use three systems' chips; the grid figure of Ohio is one row.
    EXPECT_EQ(occurrences(page, "https://example.org/grid"), 1U);
    EXPECT_EQ(occurrences(page, "https://example.org/llama"), 1U);
    EXPECT_THAT(page, Not(HasSubstr("trn2-block, h200-block, h100-od, trn3-g2, a100")))
        << "what all use says so, and names none";
}

TEST(ExplainDocument, IsSoundForEveryCandidateWithAndWithoutViews) {
    const auto plans = {std::pair{fixture::planRequest(), fixture::planResult()},
                        std::pair{fixture::hostileRequest(), fixture::hostileResult()},
                        std::pair{fixture::bareRequest(), fixture::bareResult()}};
    for (const auto& [request, result] : plans)
        for (const search::CandidateResult& c : result.candidates)
            for (const ExplainedViews& views : {ExplainedViews{}, fixture::views(request, c)}) {
                const Document document = explainDocument(request, c, views, fixture::context());
                EXPECT_THAT(english(validate(document)), IsEmpty());
                const std::string page = html(document, drawName);
                EXPECT_THAT(unbalanced(page), IsEmpty());
                EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
            }
}

TEST(ExplainDocument, HasAPictureBesideItsTables) {
    const auto request = fixture::planRequest();
    const auto trn2 = fixture::planResult().candidates[1];
    const Document document =
        explainDocument(request, trn2, fixture::views(request, trn2), fixture::context());
    std::vector<std::string> ids;
    for (const Section& section : document.sections) ids.push_back(section.id);
    EXPECT_EQ(ids, (std::vector<std::string>{"candidate", "layouts", "bands", "model", "roofline",
                                             "memory", "schedule", "network", "assumptions",
                                             "sources", "reproduce"}));
    const std::string page = html(document, drawName);
    for (const char* chart : {"chart-time", "chart-roofline", "chart-memory"})
        EXPECT_THAT(page, HasSubstr(std::string("data-chart=\"") + chart + "\"")) << chart;
    EXPECT_THAT(page, HasSubstr("link bandwidth 0: 128 GB/s; Neuron documentation"));
}

TEST(PlanHtml, MatchesGolden) {
    EXPECT_TRUE(matchesGolden(
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName),
        "plan.html"));
}

TEST(PlanHtml, IsTheSameEveryTime) {
    EXPECT_EQ(
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName),
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName));
}

TEST(PlanHtml, NestsItsTags) {
    EXPECT_THAT(unbalanced(planHtml(fixture::planRequest(), fixture::planResult(),
                                    fixture::context(), drawName)),
                IsEmpty());
    EXPECT_THAT(
        unbalanced(planHtml(fixture::hostileRequest(), fixture::hostileResult(), {}, drawName)),
        IsEmpty());
    EXPECT_THAT(unbalanced(planHtml(fixture::bareRequest(), fixture::bareResult(), {}, drawName)),
                IsEmpty());
    EXPECT_EQ(unbalanced("<p><b></p></b>"), (std::vector<std::string>{"p", "p"}))
        << "the check itself works";
}

TEST(PlanHtml, FetchesNothing) {
    const std::string page =
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName);
    EXPECT_THAT(page, Not(HasSubstr(" src=")));
    EXPECT_THAT(page, Not(HasSubstr("<link")));
    EXPECT_THAT(page, Not(HasSubstr("@import")));
    EXPECT_THAT(page, Not(HasSubstr("url(")));
}

TEST(PlanHtml, HostileTextsStayText) {
    ReportContext context = fixture::context();
    context.command = context.scenarioFile = context.programVersion = fixture::hostileText();
    const std::string page =
        planHtml(fixture::hostileRequest(), fixture::hostileResult(), context, drawName);
    EXPECT_EQ(occurrences(page, "<script"), 1U) << "its own";
    EXPECT_EQ(occurrences(page, "</script"), 1U);
    EXPECT_EQ(occurrences(page, "<img"), 0U);
    EXPECT_THAT(page, Not(HasSubstr("href=\"javascript:")));
    for (char c : page)
        EXPECT_TRUE(c == '\n' || c == '\t' || static_cast<unsigned char>(c) >= 0x20);
    // A placeholder inside an argument must not be filled in.
    EXPECT_THAT(page, HasSubstr("{1}"));
}

TEST(PlanHtml, ShowsEveryChartForPageAndPhone) {
    const std::string page =
        planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName);
    for (const char* id :
         {"chart-cost-and-time", "chart-time", "chart-memory", "chart-roofline-1", "chart-cost"})
        EXPECT_EQ(occurrences(page, std::string("data-chart=\"") + id + "\""), 2U) << id;
}

TEST(PlanHtml, NeverPrintsANumberThatIsNone) {
    for (const std::string& page :
         {planHtml(fixture::bareRequest(), fixture::bareResult(), {}, drawName),
          planHtml(fixture::planRequest(), fixture::planResult(), fixture::context(), drawName)}) {
        EXPECT_FALSE(std::regex_search(page, std::regex(">[^<]*\\b(nan|inf|NaN)\\b[^<]*<")))
            << "not a number";
        EXPECT_FALSE(std::regex_search(page, std::regex(">-0(\\.0*)?<"))) << "minus zero";
        EXPECT_FALSE(std::regex_search(page, std::regex(">[0-9.]+e[+-][0-9]+<"))) << "an exponent";
    }
}

TEST(ChartSpecs, AreSoundAndKeepEveryCandidate) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const auto views = candidateViews(request, result);
    const auto chart = costAndTimeChart(request, views);
    ASSERT_TRUE(chart);
    EXPECT_THAT(english(validate(*chart)), IsEmpty());
    const auto& bars = std::get<BarChart>(chart->chart);
    ASSERT_EQ(bars.panels.size(), 2U);
    EXPECT_EQ(bars.panels[0].bars.size(), 5U);
    EXPECT_EQ(bars.panels[1].bars.size(), 5U);
    EXPECT_FALSE(bars.panels[0].bars[3].notKnown) << "no price, but days";
    EXPECT_TRUE(bars.panels[1].bars[3].notKnown);
    EXPECT_TRUE(bars.panels[1].bars[2].muted) << "over the budget";
    EXPECT_FALSE(bars.panels[0].bars[2].muted) << "in time";
    EXPECT_EQ(bars.panels[1].bars[4].notKnown->english(), "doesn't fit");
    for (const auto& spec :
         {timeChart(views), memoryChart(views), costChart(views), stageMemoryChart(views[0]),
          stageMemoryChart(views[4]), rooflineChart(request, views[0], "chart-roofline-1")}) {
        ASSERT_TRUE(spec);
        EXPECT_THAT(english(validate(*spec)), IsEmpty());
    }
}

TEST(ChartSpecs, TimeBarsAddUpToTheStep) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const auto chart = timeChart(candidateViews(request, result));
    for (const Bar& bar : std::get<BarChart>(chart->chart).panels[0].bars) {
        double sum = 0;
        for (const Segment& segment : bar.segments) sum += segment.value;
        for (const auto& c : result.candidates)
            if (c.name == bar.label.english()) {
                EXPECT_NEAR(sum, c.step.stepTime.value(), 1e-9);
            }
    }
}

TEST(ChartSpecs, PointsStayUnderTheRoof) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const auto views = candidateViews(request, result);
    const auto chart = rooflineChart(request, views[0], "r");
    const auto& roofline = std::get<RooflineChart>(chart->chart);
    EXPECT_EQ(roofline.roofs.size(), 2U) << "the data sheet's peak and the engine's";
    EXPECT_NEAR(roofline.ridgeFlopPerByte, 629e12 / 2.9e12, 1e-9);
    EXPECT_EQ(std::count_if(roofline.points.begin(), roofline.points.end(),
                            [](const auto& p) { return p.labelled; }),
              5);
    for (const RooflinePoint& point : roofline.points)
        EXPECT_LE(point.teraflopsPerSecond, std::min(629.0, point.flopPerByte * 2.9) * 1.02)
            << point.label.english();
}

TEST(ChartSpecs, ARoofThatIsReachedLiesBelowTheEngines) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const auto views = candidateViews(request, result);
    const auto chart = rooflineChart(request, views[0], "r", units::FlopPerSecond(500e12));
    const auto& roofs = std::get<RooflineChart>(chart->chart).roofs;
    ASSERT_EQ(roofs.size(), 3U);
    EXPECT_EQ(roofs[2].teraflopsPerSecond, 500);
    EXPECT_THAT(english(validate(*chart)), IsEmpty());
}

TEST(ChartSpecs, TornadoesHaveTheInputsOfTheTable) {
    const auto request = fixture::planRequest();
    const auto result = fixture::planResult();
    const auto views = candidateViews(request, result);
    const auto chart = tornadoChart(views[0], "t");
    ASSERT_TRUE(chart);
    EXPECT_THAT(english(validate(*chart)), IsEmpty());
    const auto& panels = std::get<TornadoChart>(chart->chart).panels;
    ASSERT_EQ(panels.size(), 2U);
    ASSERT_EQ(panels[0].spans.size(), views[0].result->bands->tornado.size());
    EXPECT_EQ(panels[0].middle, views[0].result->run.days);
    EXPECT_EQ(panels[0].spans[0].label.english(), "model error, grade B");
    EXPECT_EQ(panels[0].spans[0].highInput.english(), "×1.12");
    EXPECT_GT(panels[0].spans[1].atLow, panels[0].spans[1].atHigh) << "a faster chip";
    EXPECT_EQ(panels[0].spans[3].highInput.english(), "34");
    EXPECT_EQ(std::get<TornadoChart>(tornadoChart(views[3], "t")->chart).panels.size(), 1U)
        << "no price";
    EXPECT_FALSE(tornadoChart(views[4], "t")) << "doesn't fit";
    const auto whiskers = costAndTimeChart(request, views);
    const Bar& bar = std::get<BarChart>(whiskers->chart).panels[0].bars[0];
    ASSERT_TRUE(bar.whisker);
    EXPECT_EQ(bar.whisker->high, views[0].result->bands->days.p90);
    EXPECT_EQ(bar.total.english(), "83 (75–94) → 2027-03-08");
}

TEST(ChartSpecs, NoneIsMadeOfNothing) {
    const auto request = fixture::bareRequest();
    search::PlanResult nothing;
    EXPECT_FALSE(costAndTimeChart(request, candidateViews(request, nothing)));
    EXPECT_FALSE(timeChart({}));
    EXPECT_FALSE(memoryChart({}));
    EXPECT_FALSE(costChart({}));
    const auto bare = fixture::bareResult();
    for (const CandidateView& view : candidateViews(request, bare))
        EXPECT_FALSE(rooflineChart(request, view, "r") || tornadoChart(view, "t"));
}

TEST(ChartSpecs, ValidationRefusesWhatCantBeDrawn) {
    ChartSpec spec;
    spec.id = "x";
    BarPanel panel;
    Bar bar;
    bar.segments.push_back({{}, -1, Role::Compute, Role::ComputeInk, Pattern::Solid});
    panel.bars.push_back(bar);
    spec.chart = BarChart{{panel}, {}};
    EXPECT_EQ(validate(spec).size(), 1U);
    RooflineChart roofline;
    roofline.terabytesPerSecond = 1;
    roofline.roofs.push_back({{}, 100, false});
    roofline.points.push_back({{}, 0, 1, 0, PointShape::Circle, false, {}});
    spec.chart = roofline;
    EXPECT_EQ(validate(spec).size(), 1U) << "zero is not on a logarithmic axis";
    bar.segments.clear();
    bar.whisker = Whisker{2, 1};
    panel.bars = {bar};
    spec.chart = BarChart{{panel}, {}};
    EXPECT_EQ(validate(spec).size(), 1U) << "a whisker that ends before it begins";
    spec.chart = TornadoChart{{{{}, 1, {}, {{{}, 1, INFINITY, {}, {}}}}}, {}, {}};
    EXPECT_EQ(validate(spec).size(), 1U) << "a span without end";
}

}  // namespace
}  // namespace trainwright::reports
