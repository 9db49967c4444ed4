// SPDX-License-Identifier: GPL-3.0-or-later
// What a row of published runs asks the engine, and why some can't be asked.
#include "data/runs/run_case.h"

#include <gmock/gmock.h>

#include "data/import/published_runs.h"
#include "data/runs/validation.h"

namespace trainwright::runs {
namespace {

using import::PublishedRun;

const catalog::Catalog& shipped() {
    static const Outcome<catalog::Catalog> catalog =
        catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    return *catalog;
}

PublishedRun run() {
    PublishedRun r;
    r.id = "a";
    r.source = "a source";
    r.workload = "training";
    r.model = "as in the columns";
    r.accelerator = "H100-SXM5-80GB";
    r.framework = "Megatron-Bridge 25.11";
    r.dtype = "bf16";
    r.year = 2025;
    r.layers = 32;
    r.hidden = 4096;
    r.heads = r.keyValueHeads = 32;
    r.ffn = 16384;
    r.vocabulary = 51200;
    r.sequenceLength = 2048;
    r.accelerators = 64;
    r.globalBatch = 512;
    r.tensor = 4;
    r.pipeline = 2;
    r.stepTimeSeconds = 3;
    return r;
}

TEST(ReadRuns, NamesLineAndColumnOfWhatIsWrong) {
    const auto missing = import::readRuns("run_id,model\nx,y\n", "runs.csv");
    ASSERT_FALSE(missing.ok());
    EXPECT_EQ(missing.findings().front().english(),
              "runs.csv:1: There is no column `workload`; a table of runs needs it.");
}

TEST(ReadRuns, WordsInPlaceOfANumberCostTheRowAlone) {
    const auto read = import::readRuns(
        "run_id,workload,model,accelerator,n_accel,global_batch_seqs,seq_len,total_hours\n"
        "x,training,m,H100,many,8,2048,\ny,training,m,H100,8,8,2048,a week\n",
        "runs.csv");
    ASSERT_TRUE(read.ok());
    ASSERT_EQ(read->size(), 2U);
    EXPECT_EQ(read.findings().front().english(),
              "runs.csv:2: warning: `many` in column n_accel isn't a number.");
    EXPECT_EQ(prepare(read->front(), shipped()).skipped.english(),
              "`many` in column n_accel isn't a number.");
}

TEST(Prepare, SetsARowAsideThatItsOwnSourceContradicts) {
    const auto rows = [](double largest, double pipeline) {
        std::vector<PublishedRun> list;
        for (const auto& [id, microBatch, seconds] :
             {std::tuple{"b1", 1.0, 10.0}, {"b2", 2.0, 9.0}, {"b4", 4.0, largest}}) {
            PublishedRun r = run();
            r.id = id;
            r.microBatch = microBatch;
            r.pipeline = pipeline;
            r.stepTimeSeconds = seconds;
            list.push_back(r);
        }
        return prepare(list, shipped());
    };
    const std::vector<PreparedRun> doubled = rows(18.0, 1);
    EXPECT_TRUE(doubled[0].asked.skipped.empty());
    EXPECT_TRUE(doubled[1].asked.skipped.empty());
    EXPECT_EQ(doubled[2].asked.skipped.english(),
              "Its own source contradicts it: it takes 18 s, and b2 and b1, the same with smaller "
              "micro-batches, take 9 and 10 s; larger ones do the same work in fewer kernels.");
    EXPECT_TRUE(rows(12.0, 1)[2].asked.skipped.empty());
    // In a pipeline larger micro-batches wait longer for each other.
    EXPECT_TRUE(rows(18.0, 2)[2].asked.skipped.empty());
}

TEST(Prepare, SaysWhyARowCannotBeCompared) {
    const auto why = [](void (*change)(PublishedRun&)) {
        PublishedRun r = run();
        change(r);
        return prepare(r, shipped()).skipped.english();
    };
    EXPECT_EQ(why([](PublishedRun&) {}), "");
    EXPECT_EQ(why([](PublishedRun& r) { r.workload = "decode"; }),
              "Serving (decode) isn't modelled yet.");
    EXPECT_EQ(why([](PublishedRun& r) { r.globalBatch.reset(); }),
              "The row lacks the number of accelerators, the batch or the sequence length.");
    EXPECT_EQ(why([](PublishedRun& r) { r.accelerator = "Abacus"; }),
              "The catalog has no chip for `Abacus`.");
    EXPECT_EQ(why([](PublishedRun& r) { r.dtype = "int3"; }),
              "`int3` isn't a precision that is modelled.");
    EXPECT_EQ(
        why([](PublishedRun& r) { r.notes = "set aside: two columns contradict each other"; }),
        "Set aside: two columns contradict each other");
    EXPECT_EQ(why([](PublishedRun& r) { r.stepTimeSeconds.reset(); }),
              "The row gives no step time, throughput or utilization.");
}

TEST(Prepare, KnowsChipsAndFrameworksByNamesThatItHasNotSeen) {
    const auto chip = [](const char* name) {
        PublishedRun r = run();
        r.accelerator = name;
        return chipOf(r, shipped());
    };
    EXPECT_EQ(chip("H100"), chip("H100-SXM5-80GB"));
    EXPECT_EQ(chip("NVIDIA H100 SXM"), chip("H100-SXM5-80GB"));
    EXPECT_EQ(chip("B200 (HGX)"), "b200");
    EXPECT_EQ(chip("Trainium2 (trn2.48xlarge)"), "trainium2");
    EXPECT_EQ(chip("Abacus"), "");
    const auto profile = [](const char* name, double year) {
        PublishedRun r = run();
        r.framework = name;
        r.year = year;
        return prepare(r, shipped()).problem.profile.id;
    };
    EXPECT_EQ(profile("Megatron-Bridge 27.02", 2027), "megatron_bridge");
    EXPECT_EQ(profile("Megatron-LM", 2021), "megatron_lm_2021");
    EXPECT_EQ(profile("Megatron-LM", 2022), "megatron_lm_2022");
    EXPECT_EQ(profile("NVIDIA NeMo Framework Release 24.12", 2024), "nemo_megatron_2024");
    EXPECT_EQ(profile("Composer 0.17", 2024), "llm_foundry_composer");
    EXPECT_EQ(profile("something of their own", 2025),
              shipped().defaultProfile(*shipped().system("p5.48xlarge")));
}

// A compiler that becomes better from release to release is told by the release, not by the year.
TEST(Prepare, TheReleaseOfTheVendorsSoftwareChoosesTheProfile) {
    const auto profile = [](const char* source, double year) {
        PublishedRun r = run();
        r.accelerator = "Trainium1";
        r.system = "16x trn1.32xlarge";
        r.source = source;
        r.framework = "NeuronX Distributed (NxD)";
        r.year = year;
        return prepare(r, shipped()).problem.profile.id;
    };
    EXPECT_EQ(profile("benchmarks (Neuron SDK 2.15.2)", 2024), "neuron_nxd_2023");
    EXPECT_EQ(profile("benchmarks (Neuron SDK 2.16)", 2024), "neuron_nxd_training");
    EXPECT_EQ(profile("benchmarks (Neuron SDK 2.9)", 2026), "neuron_nxd_2023");
    EXPECT_EQ(profile("benchmarks (Neuron SDK 2.40)", 2023), "neuron_nxd_training");
    EXPECT_EQ(profile("benchmarks", 2023), "neuron_nxd_2023");
    EXPECT_EQ(profile("benchmarks of neuronx 3 months ago", 2025), "neuron_nxd_training");
}

// A rate says a time only with what it counts.
TEST(Prepare, TakesRatesByTheConventionOfTheirSource) {
    const auto seconds = [](const char* notes, const char* recompute) {
        PublishedRun r = run();
        r.stepTimeSeconds.reset();
        r.teraflops = 400;
        r.notes = notes;
        r.recompute = recompute;
        r.sequenceLength = 32768;
        r.globalBatch = 32;
        return prepare(r, shipped()).measuredStepSeconds;
    };
    const double causal = seconds("TFLOPS with attention halved for causality", "");
    const double full = seconds("attention is counted in full", "");
    EXPECT_GT(full, 1.3 * causal);
    EXPECT_DOUBLE_EQ(seconds("", ""), causal) << "as the framework's users count";
    EXPECT_NEAR(seconds("hardware FLOPs, attention in full", "full") / full, 4.0 / 3.0, 1e-9);
}

TEST(Prepare, APrecisionThatIsNotStatedIsTheUsualOneOfTheFramework) {
    PublishedRun r = run();
    r.dtype = "";
    EXPECT_EQ(prepare(r, shipped()).problem.training.precision, machine::Dtype::Fp8);
    r.framework = "llm-foundry";
    EXPECT_EQ(prepare(r, shipped()).problem.training.precision, machine::Dtype::Bf16);
}

TEST(Prepare, AJobOnRacksOf72FillsThemByHostsThatDivideIt) {
    PublishedRun r = run();
    r.accelerator = "GB200";
    r.accelerators = 256;
    EXPECT_EQ(prepare(r, shipped()).problem.cluster.system.chipsPerDomain, 64);
    r.accelerators = 144;
    EXPECT_EQ(prepare(r, shipped()).problem.cluster.system.chipsPerDomain, 72);
}

// Every catalog row is compared or says why not, in the same digits on any number of threads.
TEST(Validate, EveryRowIsComparedOrSaysWhyNot) {
    const auto runs = import::readRuns(shipped().runs());
    ASSERT_TRUE(runs.ok());
    EXPECT_GE(runs->size(), 378U);
    const std::vector<PreparedRun> prepared = prepare(*runs, shipped());
    const auto one = errorsOf(validate(prepared, shipped().calibration().get(), 1));
    const auto two = errorsOf(validate(prepared, shipped().calibration().get(), 2));
    ASSERT_EQ(one.rows.size(), runs->size());
    EXPECT_GE(one.summary.rows, 260);
    for (std::size_t i = 0; i < one.rows.size(); ++i) {
        const belief::RunError& r = one.rows[i];
        EXPECT_EQ(r.predictedSeconds, two.rows[i].predictedSeconds) << r.id;
        if (r.isCompared()) {
            EXPECT_GT(r.predictedSeconds, 0) << r.id;
            EXPECT_GT(r.measuredSeconds, 0) << r.id;
        }
    }
    EXPECT_LT(one.summary.medianAbsolute, 0.06);
    // Peak memories that sources give with their layouts.
    EXPECT_GE(one.memory.rows, 12);
    for (const belief::RunError& r : one.rows) {
        if (const auto error = r.memoryError()) {
            EXPECT_LT(std::abs(*error), 0.10) << r.id;
        }
    }
}

}  // namespace
}  // namespace trainwright::runs
