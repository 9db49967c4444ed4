// SPDX-License-Identifier: GPL-3.0-or-later
// Reports of predicted and measured runs.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/document.h"
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
    EXPECT_EQ(bothEnds("a paper"), "a paper");
    const std::string name = "Training performance of a chip (release 2.18.0)";
    EXPECT_EQ(bothEnds(name), "Training performance o…(release 2.18.0)");
    const std::string accents = "ééééééééééééééééééééééééééééééééééééééé";
    EXPECT_EQ(bothEnds(accents), "ééééééééééé…éééééééé");
}

TEST(ValidationDocument, IsSoundAndItsPlotHasEveryRunThatIsCompared) {
    const Document document = validationDocument(errors(), context());
    EXPECT_TRUE(validate(document).empty());
    const auto& figure = std::get<Figure>(document.sections.front().blocks.front());
    EXPECT_EQ(std::get<ParityChart>(figure.chart.chart).points.size(), 2U);
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
    TerminalStyle style;
    const std::string shown =
        calibrationTerminal(calibration(), leftOut(), 0.812, style, context());
    EXPECT_THAT(shown, HasSubstr("×0.930"));
    EXPECT_THAT(shown, HasSubstr("81.2% of the runs lie inside"));
    EXPECT_TRUE(validate(calibrationDocument(calibration(), leftOut(), 0.812, context())).empty());
}

}  // namespace
}  // namespace trainwright::reports
