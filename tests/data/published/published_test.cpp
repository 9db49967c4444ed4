// SPDX-License-Identifier: GPL-3.0-or-later
// Predicted step times against published ones, before any calibration: what is wrong is known, row
// by row.
//
// The rows are the catalog's own. Another set of the same form is compared too when
// TRAINWRIGHT_RUNS names its file; only its mean error is held.
#include <gmock/gmock.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "data/import/published_runs.h"
#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/search/search.h"

namespace trainwright::import {
namespace {

std::string contents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

struct Row {
    std::string id;
    double error = 0;  // of the step time: predicted over measured, less one
    std::optional<double> memoryError;
};

struct Comparison {
    std::vector<Row> rows;
    int skipped = 0;
    [[nodiscard]] double meanAbsolute() const {
        double sum = 0;
        for (const Row& r : rows) sum += std::abs(r.error);
        return rows.empty() ? 0 : sum / static_cast<double>(rows.size());
    }
};

Comparison compare(const std::string& file, bool (*wanted)(const PublishedRun&)) {
    Comparison c;
    const Outcome<catalog::Catalog> catalog = catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    EXPECT_TRUE(catalog.ok());
    const Outcome<std::vector<PublishedRun>> runs = readRuns(contents(file), file);
    EXPECT_TRUE(runs.ok()) << (runs.findings().empty() ? "" : runs.findings().front().english());
    if (!catalog.ok() || !runs.ok()) return c;
    for (const PublishedRun& run : runs.value()) {
        if (!wanted(run)) continue;
        const RunCase r = prepare(run, catalog.value());
        if (!r.skipped.empty()) {
            std::printf("%-28s skipped: %s\n", run.id.c_str(), r.skipped.english().c_str());
            ++c.skipped;
            continue;
        }
        const network::Network net(
            r.problem.cluster.system, r.problem.cluster.chips,
            layout::ranksPerChip(r.problem.profile, r.problem.cluster.system.chip));
        const search::SearchOutcome found = search::searchLayouts(r.problem, r.choice, net);
        // The run happened, so it fitted: where the memory model says otherwise, the fastest layout
        // counts.
        std::optional<layout::Layout> layout = found.best;
        if (!layout && !found.alternatives.empty()) layout = found.alternatives.front().layout;
        if (!layout) {
            std::printf("%-28s skipped: %s\n", run.id.c_str(),
                        found.obstacles.front().english().c_str());
            ++c.skipped;
            continue;
        }
        layout::StepEvaluator evaluator(r.problem, net);
        const double predicted = evaluator.stepTime(*layout).value();
        const double error = predicted / r.measuredStepSeconds - 1.0;
        std::printf("%-28s %-22s %-24s measured %8.3f s, predicted %8.3f s, %+6.1f%%%s\n",
                    run.id.c_str(), r.problem.profile.id.c_str(),
                    layout::shortForm(*layout).c_str(), r.measuredStepSeconds, predicted,
                    100 * error, found.best ? "" : " (over memory)");
        Row row{run.id, error, std::nullopt};
        if (r.measuredMemoryBytes) {
            const layout::MemoryResult memory = evaluator.memory(*layout);
            row.memoryError = memory.peak.total().value() / *r.measuredMemoryBytes - 1.0;
            std::printf("%-28s memory measured %5.1f GB, predicted %5.1f GB, %+6.1f%%\n", "",
                        *r.measuredMemoryBytes / 1e9, memory.peak.total().value() / 1e9,
                        100 * *row.memoryError);
        }
        c.rows.push_back(row);
    }
    std::printf("%zu rows, %d skipped, mean absolute error %.1f%%\n", c.rows.size(), c.skipped,
                100 * c.meanAbsolute());
    return c;
}

TEST(PublishedRuns, ShippedRowsWithinFifteenPercentOnAverage) {
    const Comparison c =
        compare(TRAINWRIGHT_ROWS "/runs.csv", [](const PublishedRun&) { return true; });
    EXPECT_EQ(c.skipped, 0);
    EXPECT_GE(c.rows.size(), 40U);
    EXPECT_LT(c.meanAbsolute(), 0.15);
}

TEST(PublishedRuns, PeakMemoriesWithinTenPercent) {
    const Comparison c = compare(TRAINWRIGHT_ROWS "/runs.csv", [](const PublishedRun& r) {
        return r.memoryGigabytes.has_value();
    });
    EXPECT_GE(c.rows.size(), 12U);
    for (const Row& r : c.rows) {
        ASSERT_TRUE(r.memoryError) << r.id;
        EXPECT_LT(std::abs(*r.memoryError), 0.10) << r.id;
    }
}

TEST(PublishedRuns, AFurtherSetWithinTwelvePercentOnAverage) {
    const char* file = std::getenv("TRAINWRIGHT_RUNS");
    if (file == nullptr) {
        std::printf("TRAINWRIGHT_RUNS names no further set; only the shipped rows are compared.\n");
        return;
    }
    const Comparison c = compare(file, [](const PublishedRun& r) {
        return r.accelerators.value_or(0) >= 8 && r.tensor.value_or(1) <= 8;
    });
    EXPECT_GT(c.rows.size(), 0U);
    EXPECT_LT(c.meanAbsolute(), 0.12);
}

TEST(ReadRuns, NamesLineAndColumnOfWhatIsWrong) {
    const auto missing = readRuns("run_id,model\nx,y\n", "runs.csv");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.findings().front().english(),
              "runs.csv:1: There is no column `workload`; a table of runs needs it.");
    const auto bad =
        readRuns("run_id,workload,model,accelerator,n_accel\nx,training,m,A100,many\n", "runs.csv");
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.findings().front().english(),
              "runs.csv:2: `many` in column n_accel isn't a number.");
}

TEST(Prepare, SaysWhyARowCannotBeCompared) {
    const Outcome<catalog::Catalog> catalog = catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    ASSERT_TRUE(catalog.ok());
    PublishedRun run;
    run.workload = "decode";
    EXPECT_EQ(prepare(run, catalog.value()).skipped.english(), "decode isn't modelled yet.");
    run.workload = "training";
    EXPECT_EQ(prepare(run, catalog.value()).skipped.english(),
              "The row lacks the number of accelerators, the batch or the sequence length.");
    run.accelerators = 8;
    run.globalBatch = 8;
    run.sequenceLength = 2048;
    run.accelerator = "Abacus";
    EXPECT_EQ(prepare(run, catalog.value()).skipped.english(),
              "The catalog has no chip for `Abacus`.");
}

}  // namespace
}  // namespace trainwright::import
