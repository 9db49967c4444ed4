// SPDX-License-Identifier: GPL-3.0-or-later
// The shipped calibration is what its runs give, and predicts runs that it hasn't seen as well as
// is said of it.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "data/catalog/calibration_rows.h"
#include "data/import/published_runs.h"
#include "data/runs/run_fit.h"

namespace trainwright::runs {
namespace {

const catalog::Catalog& shipped() {
    static const Outcome<catalog::Catalog> catalog =
        catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    return *catalog;
}

const CalibrationFit& ofShippedRuns() {
    static const CalibrationFit fit = [] {
        const auto runs = import::readRuns(shipped().runs());
        return calibrate({{"shipped", "", prepare(*runs, shipped())}});
    }();
    return fit;
}

double known(const belief::Calibration& c, const belief::Factor& wanted) {
    for (const belief::Factor& f : c.factors) {
        if (f.physics == wanted.physics && f.subject == wanted.subject) return f.logFactor;
    }
    return NAN;
}

template <typename Wanted>
belief::ErrorSummary leftOut(const belief::RunErrors& errors, Wanted wanted) {
    std::vector<double> e;
    for (const belief::RunError& r : errors.rows) {
        if (r.isCompared() && wanted(r)) e.push_back(*r.errorGroupLeftOut);
    }
    return belief::summarize(e, 0);
}

template <typename Wanted>
double meanInSample(const belief::RunErrors& errors, Wanted wanted) {
    std::vector<double> e;
    for (const belief::RunError& r : errors.rows) {
        if (r.isCompared() && wanted(r)) e.push_back(r.error());
    }
    return belief::summarize(e, 0).meanAbsolute;
}

bool isOf(const belief::RunError& r, const char* what) {
    return r.accelerator.find(what) != std::string::npos ||
           r.source.find(what) != std::string::npos;
}

TEST(ShippedCalibration, IsWhatTheShippedRunsGive) {
    ASSERT_TRUE(shipped().calibration());
    const belief::Calibration& shippedOne = *shipped().calibration();
    const belief::Calibration& again = ofShippedRuns().calibration;
    ASSERT_GE(again.factors.size(), 40U);
    for (const belief::Factor& f : again.factors)
        EXPECT_NEAR(known(shippedOne, f), f.logFactor, 2e-3)
            << belief::name(f.physics) << " of " << f.subject;
    // What else is in it comes from a further set of runs.
    for (const belief::Factor& f : shippedOne.factors) {
        if (std::isnan(known(again, f))) {
            EXPECT_THAT(f.subject, ::testing::StartsWith("megatron_deepspeed"))
                << belief::name(f.physics);
        }
    }
    for (std::size_t g = 0; g < again.residual.size(); ++g)
        EXPECT_NEAR(shippedOne.residual[g], again.residual[g], 2e-3);
    for (const belief::RunSet& s : shippedOne.runSets) {
        EXPECT_NE(s.hash, "") << s.title;
        EXPECT_GT(s.rows, 0) << s.title;
    }
}

TEST(ShippedCalibration, PredictsRunsThatItHasNotSeen) {
    const belief::RunErrors& errors = ofShippedRuns().errors.front();
    const auto gpu = leftOut(errors, [](const auto& r) { return !isOf(r, "Trainium"); });
    EXPECT_GE(gpu.rows, 220);
    EXPECT_LE(gpu.medianAbsolute, 0.06);
    EXPECT_LE(gpu.p90Absolute, 0.18);
    const auto trainium = leftOut(errors, [](const auto& r) { return isOf(r, "Trainium"); });
    EXPECT_GE(trainium.rows, 25);
    EXPECT_LE(trainium.medianAbsolute, 0.12);
}

TEST(ShippedCalibration, HoldsForTheMegatronTables) {
    const belief::RunErrors& errors = ofShippedRuns().errors.front();
    EXPECT_LE(meanInSample(errors, [](const auto& r) { return isOf(r, "Narayanan"); }), 0.04);
    EXPECT_LE(meanInSample(errors, [](const auto& r) { return isOf(r, "Korthikanti"); }), 0.04);
}

TEST(ShippedCalibration, BandsCoverFourFifthsOfRunsThatHadNoPartInThem) {
    EXPECT_NEAR(ofShippedRuns().coverage, 0.8, 0.06);
}

// With the path of the further set of runs that the shipped calibration names.
TEST(ShippedCalibration, IsWhatAFurtherSetGivesOnTopOfThem) {
    const char* file = std::getenv("TRAINWRIGHT_RUNS");
    if (file == nullptr) {
        std::printf("TRAINWRIGHT_RUNS names no further set; only the shipped runs are fitted.\n");
        return;
    }
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    const auto runs = import::readRuns(text.str(), file);
    ASSERT_TRUE(runs.ok());
    const CalibrationFit fit =
        calibrate({{file, "", prepare(*runs, shipped())}}, &ofShippedRuns().calibration);
    ASSERT_FALSE(fit.errors.empty());
    for (const belief::Factor& f : fit.calibration.factors)
        EXPECT_NEAR(known(*shipped().calibration(), f), f.logFactor, 2e-3)
            << belief::name(f.physics) << " of " << f.subject;
    const belief::RunErrors& errors = fit.errors.front();
    EXPECT_LE(meanInSample(errors, [](const auto& r) { return isOf(r, "multi-node"); }), 0.08);
    EXPECT_LE(meanInSample(errors, [](const auto& r) { return isOf(r, "single node"); }), 0.10);
}

// Own runs that are a tenth slower than the calibration says move the software's factors, and the
// chip's stay.
TEST(Calibrate, OwnRunsMoveTheSoftwareAlone) {
    const auto runs = import::readRuns(shipped().runs());
    std::vector<import::PublishedRun> own;
    for (const import::PublishedRun& r : *runs) {
        if (r.source.find("MegaScale") != std::string::npos) own.push_back(r);
    }
    ASSERT_GE(own.size(), 8U);
    const std::vector<PreparedRun> prepared = prepare(own, shipped());
    const belief::Calibration& base = *shipped().calibration();
    const std::vector<ValidatedRun> before = validate(prepared, &base);
    for (std::size_t i = 0; i < own.size(); ++i) {
        own[i].stepTimeSeconds = 1.1 * before[i].outcome.predictedSeconds;
        own[i].tokensPerSecond.reset();
    }
    const std::vector<PreparedRun> slower = prepare(own, shipped());
    const CalibrationFit fit = calibrate({{"own", "", slower}}, &base);
    for (const belief::Factor& f : base.factors) {
        if (f.subject == "gpu ampere") {
            EXPECT_EQ(known(fit.calibration, f), f.logFactor) << belief::name(f.physics);
        }
    }
    const auto after = errorsOf(validate(slower, &fit.calibration)).summary;
    EXPECT_LT(after.meanAbsolute, 0.03);
}

TEST(CalibrationRows, ReadBackWhatTheyWrite) {
    const belief::Calibration& c = *shipped().calibration();
    const std::string text = catalog::calibrationText(c);
    const Outcome<belief::Calibration> read = catalog::readCalibration(text, "c.csv");
    ASSERT_TRUE(read.ok());
    EXPECT_EQ(read->factors, c.factors);
    EXPECT_EQ(read->runSets, c.runSets);
    EXPECT_EQ(read->measured, c.measured);
    EXPECT_EQ(read->covariance, c.covariance);
    EXPECT_EQ(read->residual, c.residual);
    EXPECT_EQ(read->hash, c.hash);
    EXPECT_EQ(catalog::calibrationText(*read), text);
}

TEST(CalibrationRows, NameTheLineOfWhatIsWrong) {
    const std::string header = "record,physics,subject,other,value,standard_error,rows,note\n";
    const auto first = [&](const char* row) {
        const auto read = catalog::readCalibration(header + row, "c.csv");
        return read.ok() ? std::string() : read.findings().front().english();
    };
    EXPECT_EQ(first("factor,warp,gpu hopper,,0.1,0.1,3,\n"),
              "c.csv:2: `warp` is no figure that a factor multiplies.");
    EXPECT_EQ(first("factor,matrix_rate,gpu hopper,,fast,0.1,3,\n"),
              "c.csv:2: `fast` in column value isn't a number.");
    EXPECT_EQ(first("factor,matrix_rate,gpu hopper,,0.1,0.1,-3,\n"),
              "c.csv:2: `-3` in column rows isn't a count.");
    EXPECT_EQ(first("fact,,,,,,,\n"), "c.csv:2: `fact` isn't a record of a calibration.");
}

}  // namespace
}  // namespace trainwright::runs
