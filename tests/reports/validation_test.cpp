// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of predicted and measured runs.
#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "reports/document.h"
#include "reports/utf8.h"
#include "reports/validation_report.h"
#include "reports/validation_view.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

belief::RunError run(const char* id, const char* accelerator, double measured, double predicted) {
    belief::RunError r;
    r.id = id;
    r.source = "a paper";
    r.accelerator = accelerator;
    r.family = std::string(accelerator).starts_with("Trainium") ? "trainium" : "gpu";
    r.software = "megatron_core";
    r.layout = "t8 p2";
    r.metric = "tokens_per_s_per_accel";
    r.measuredSeconds = measured;
    r.predictedSeconds = predicted;
    r.grade = belief::Grade::A;
    return r;
}

belief::RunErrors errors() {
    belief::RunErrors e;
    e.rows = {run("fast", "H100", 2.0, 1.9), run("slow", "Trainium1", 10.0, 12.5)};
    e.rows[0].measuredMemoryBytes = 50e9;
    e.rows[0].predictedMemoryBytes = 52e9;
    belief::RunError skipped = run("decoded", "H100", 0, 0);
    skipped.skipped = {"{1} isn't modelled yet.", {"decode"}};
    e.rows.push_back(skipped);
    belief::summarize(e);
    return e;
}

ValidationContext context() {
    ValidationContext c;
    c.runsTitle = "runs.csv";
    c.calibrationTitle = "none";
    c.programVersion = "0.1.0";
    c.catalogHash = "0123";
    c.command = "trainwright validate --runs runs.csv";
    return c;
}

belief::Calibration calibration() {
    belief::Calibration c;
    c.id = "published runs";
    c.date = "2026-12-02";
    c.hash = "abcd";
    c.runSets = {{"a set", "ef01", 2}};
    c.factors = {{belief::Physics::MatrixRate, "gpu hopper", std::log(0.93), 0.05, 1}};
    c.residual = {0.09, 0.18, 0.22};
    return c;
}

std::vector<belief::RunErrors> leftOut() {
    belief::RunErrors e = errors();
    for (belief::RunError& r : e.rows) {
        if (!r.isCompared()) continue;
        r.errorUncalibrated = 0.3;
        r.errorGroupLeftOut = -0.06;
        r.errorSourceLeftOut = 0.08;
        r.insideBand = true;
    }
    return {e};
}

TEST(ValidationJson, HasTheKeysThatProgramsReadAndTimesInSeconds) {
    const auto j = nlohmann::json::parse(validationJson(errors(), context()));
    ASSERT_EQ(j["rows"].size(), 3U);
    const auto& row = j["rows"][0];
    EXPECT_EQ(row["run_id"], "fast");
    EXPECT_EQ(row["metric"], "tokens_per_s_per_accel");
    EXPECT_EQ(row["measured"], 2.0);
    EXPECT_EQ(row["predicted"], 1.9);
    EXPECT_EQ(row["error_pct"], -5.0);
    EXPECT_EQ(row["grade"], "A");
    EXPECT_TRUE(row["skipped"].is_null());
    EXPECT_EQ(row["memory_error_pct"], 4.0);
    const auto& skipped = j["rows"][2];
    EXPECT_TRUE(skipped["predicted"].is_null());
    EXPECT_EQ(skipped["skipped"], "decode isn't modelled yet.");
    const auto& summary = j["summary"];
    EXPECT_EQ(summary["n"], 2);
    EXPECT_EQ(summary["skipped"], 1);
    EXPECT_EQ(summary["mean_abs_error_pct"], 15.0);
    EXPECT_EQ(summary["by_accelerator"]["Trainium1"]["median_abs_error_pct"], 25.0);
    EXPECT_EQ(summary["by_source"]["a paper"]["n"], 2);
    EXPECT_EQ(summary["by_accelerator"]["H100"]["skipped"], 1);
}

TEST(ErrorText, HasASignWhereThereIsSomething) {
    EXPECT_EQ(signedErrorText(0.0421), "+4.2%");
    EXPECT_EQ(signedErrorText(-0.0421), "−4.2%");
    EXPECT_EQ(signedErrorText(-0.0004), "0.0%");
    EXPECT_EQ(signedErrorText(0), "0.0%");
    EXPECT_EQ(tripleText(belief::summarize({0.02, -0.3}, 0)), "16/16/27");
}

TEST(ValidationTerminal, ShowsSummariesTheFarthestRunsAndWhyOthersAreSkipped) {
    TerminalStyle style;
    style.width = 90;
    const std::string shown = validationTerminal(errors(), style, context());
    EXPECT_THAT(shown, HasSubstr("2 of 3 runs are compared."));
    EXPECT_THAT(shown, HasSubstr("+25.0%"));
    EXPECT_THAT(shown, HasSubstr("−5.0%"));
    EXPECT_THAT(shown, HasSubstr("decode isn't modelled yet."));
    EXPECT_LT(shown.find("slow "), shown.find("fast "));
    ValidationContext all = context();
    all.allRows = true;
    const std::string every = validationTerminal(errors(), style, all);
    EXPECT_THAT(every, HasSubstr("Every run"));
    EXPECT_THAT(every, Not(HasSubstr("Farthest off")));
    EXPECT_THAT(every, HasSubstr("decoded"));
}

TEST(ValidationTerminal, LongNamesKeepBothEnds) {
    belief::RunErrors e;
    for (const char* release : {"2.18.0", "2.21.0"}) {
        belief::RunError r = run(release, "Trainium1", 10, 11);
        r.source = std::string(
                       "Training performance of a chip as its vendor measured it, "
                       "release ") +
                   release;
        e.rows.push_back(r);
    }
    belief::summarize(e);
    const std::string shown = validationTerminal(e, TerminalStyle{80, true, false}, context());
    EXPECT_THAT(shown, HasSubstr("Training perfo"));
    EXPECT_THAT(shown, HasSubstr("release 2.18.0 "));
    EXPECT_THAT(shown, HasSubstr("release 2.21.0 "));
}

TEST(ValidationTerminal, FitsAnyWidthAndAscii) {
    belief::RunErrors e = errors();
    e.rows[0].source = "Entraînement à très grande échelle : mesures publiées, troisième édition";
    e.rows[1].id = std::string(120, 'x');
    belief::summarize(e);
    ValidationContext all = context();
    all.allRows = true;
    for (int width : {40, 60, 80, 100, 200}) {
        for (bool utf8 : {true, false}) {
            const TerminalStyle style{width, utf8, false};
            std::istringstream in(
                validationTerminal(e, style, context()) + validationTerminal(e, style, all) +
                calibrationTerminal(calibration(), leftOut(), 0.8, style, context()));
            for (std::string line; std::getline(in, line);) {
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

TEST(ValidationTerminal, NamesTheTenFarthestAndHowToSeeAll) {
    belief::RunErrors e;
    for (int i = 0; i < 30; ++i)
        e.rows.push_back(run(("run-" + std::to_string(i)).c_str(), "H100", 1, 1 + 0.01 * i));
    belief::summarize(e);
    const std::string shown = validationTerminal(e, {}, context());
    EXPECT_THAT(shown, HasSubstr("run-29 "));
    EXPECT_THAT(shown, HasSubstr("run-20 "));
    EXPECT_THAT(shown, Not(HasSubstr("run-19 ")));
    EXPECT_THAT(shown, HasSubstr("Every run: trainwright validate --runs runs.csv --all"));
}

TEST(ValidationReports, HaveNothingToCompare) {
    belief::RunErrors none;
    belief::RunErrors skipped;
    belief::RunError r = run("decoded", "H100", 0, 0);
    r.skipped = {"{1} isn't modelled yet.", {"decode"}};
    skipped.rows = {r};
    belief::summarize(skipped);
    for (const belief::RunErrors& e : {none, skipped}) {
        const std::string shown = validationTerminal(e, {}, context());
        EXPECT_THAT(shown, HasSubstr("can be compared."));
        EXPECT_THAT(shown, Not(HasSubstr("Farthest off")));
        const auto j = nlohmann::json::parse(validationJson(e, context()));
        EXPECT_EQ(j["summary"]["n"], 0);
        EXPECT_TRUE(j["summary"]["median_abs_error_pct"].is_null());
        const Document document = validationDocument(e, context());
        EXPECT_TRUE(validate(document).empty());
        EXPECT_THAT(html(document), Not(HasSubstr("nan")));
    }
    EXPECT_TRUE(validate(calibrationDocument({}, {}, 0, {})).empty());
    EXPECT_EQ(nlohmann::json::parse(calibrationJson({}, {}, 0, {}))["errors"]["n"], 0);
}

TEST(ValidationDocument, IsSoundAndItsPlotHasEveryRunThatIsCompared) {
    const Document document = validationDocument(errors(), context());
    EXPECT_TRUE(validate(document).empty());
    const auto& figure = std::get<Figure>(document.sections.front().blocks.front());
    EXPECT_TRUE(validate(figure.chart).empty());
    const auto& parity = std::get<ParityChart>(figure.chart.chart);
    ASSERT_EQ(parity.points.size(), 2U);
    EXPECT_EQ(parity.points[1].family, Family::Trainium);
    ASSERT_EQ(parity.notes.size(), 2U);
    EXPECT_EQ(parity.notes[0].label.english(), "slow") << "the farthest first";
    EXPECT_EQ(parity.notes[0].point, 1U);
    const auto& strip = std::get<Figure>(document.sections.at(1).blocks.front());
    EXPECT_TRUE(validate(strip.chart).empty());
    const auto& rows = std::get<StripChart>(strip.chart.chart).rows;
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_NEAR(rows[1].middle, 1.25, 1e-12);
    EXPECT_EQ(rows[1].value.english(), "1 run, +25.0%");
    EXPECT_EQ(figure.chart.answer.english(),
              "1 of 2 runs lie between the dashed lines, 20% to either side.");
    const std::string page = html(document);
    EXPECT_THAT(page, HasSubstr("modelled yet."));
}

TEST(CalibrationReports, TellFactorsErrorsAndCoverage) {
    const auto j =
        nlohmann::json::parse(calibrationJson(calibration(), leftOut(), 0.812, context()));
    EXPECT_EQ(j["factors"][0]["figure"], "matrix_rate");
    EXPECT_NEAR(j["factors"][0]["factor"].get<double>(), 0.93, 1e-6);
    EXPECT_EQ(j["p10_p90_coverage_pct"], 81.2);
    EXPECT_EQ(j["sets"][0]["rows"][0]["error_group_left_out_pct"], -6.0);
    EXPECT_EQ(j["factors"][0]["standard_error_pct"], 5.0);
    EXPECT_EQ(j["run_sets"][0]["hash"], "ef01");
    EXPECT_EQ(j["residual_log_deviation"]["B"], 0.18);
    for (const auto& e : {j["errors"], j["errors"]["by_source"]["a paper"]}) {
        EXPECT_EQ(e["n"], 2);
        EXPECT_EQ(e["uncalibrated"]["mean_abs_error_pct"], 30.0);
        EXPECT_EQ(e["in_sample"]["mean_abs_error_pct"], 15.0);
        EXPECT_EQ(e["group_left_out"]["median_abs_error_pct"], 6.0);
        EXPECT_EQ(e["source_left_out"]["p90_abs_error_pct"], 8.0);
    }
    EXPECT_EQ(j["errors"]["by_accelerator"]["H100"]["n"], 1);
    TerminalStyle style;
    const std::string shown =
        calibrationTerminal(calibration(), leftOut(), 0.812, style, context());
    EXPECT_THAT(shown, HasSubstr("×0.930"));
    EXPECT_THAT(shown, HasSubstr("81% of the left-out runs lie inside"));
    EXPECT_THAT(shown, HasSubstr("30/30/30"));  // as published
    EXPECT_TRUE(validate(calibrationDocument(calibration(), leftOut(), 0.812, context())).empty());
}

TEST(FitErrors, LeaveOutWhatARunLacks) {
    std::vector<belief::RunErrors> sets = leftOut();
    sets[0].rows[0].errorSourceLeftOut.reset();
    sets[0].rows[1].errorSourceLeftOut.reset();
    const auto all = fitErrors(sets, Grouping::All);
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all[0].rows, 2);
    EXPECT_EQ(all[0].sourceLeftOut.rows, 0);
    EXPECT_EQ(tripleText(all[0].sourceLeftOut), "–");
    EXPECT_TRUE(nlohmann::json::parse(calibrationJson(calibration(), sets, 0.8, context()))
                    .at("errors")
                    .at("source_left_out")
                    .is_null());
}

}  // namespace
}  // namespace trainwright::reports
