// SPDX-License-Identifier: GPL-3.0-or-later
// `trainwright validate` and `trainwright calibrate`, as a user runs them.
#include <gmock/gmock.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using testing::HasSubstr;

constexpr const char* kRuns =
    "run_id,source_title,workload,model,accelerator,n_accel,year,layers,hidden,heads,ffn,vocab,"
    "seq_len,global_batch_seqs,tp,pp,dtype,framework,step_time_s\n"
    "mine-a,own,training,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,2,1,bf16,"
    "Megatron-Bridge 25.11,4.6\n"
    "mine-b,own,training,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,4,1,bf16,"
    "Megatron-Bridge 25.11,4.9\n"
    "mine-c,own,decode,own,H100-SXM5-80GB,64,2025,32,4096,32,16384,51200,4096,512,2,1,bf16,"
    "Megatron-Bridge 25.11,1\n";

TEST(Validate, ReadsAFileOfTheSameColumns) {
    const TemporaryFolder folder;
    folder.write("runs.csv", kRuns);
    const Execution done = run({"validate", "--runs", folder.file("runs.csv"), "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const auto j = nlohmann::json::parse(done.output);
    EXPECT_EQ(j["summary"]["n"], 2);
    EXPECT_EQ(j["summary"]["skipped"], 1);
    EXPECT_EQ(j["rows"][2]["skipped"], "Serving (decode) isn't modelled yet.");
    EXPECT_LT(std::abs(j["rows"][0]["error_pct"].get<double>()), 60);
}

TEST(Calibrate, WritesACalibrationThatOtherCommandsTake) {
    const TemporaryFolder folder;
    folder.write("runs.csv", kRuns);
    const std::string own = folder.file("own.csv");
    const Execution done = run({"calibrate", "--runs", folder.file("runs.csv"), "--output", own});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    EXPECT_THAT(readFile(own), HasSubstr("run_set,,own,"));
    const Execution before = run({"validate", "--runs", folder.file("runs.csv"), "--json"});
    const Execution after =
        run({"validate", "--runs", folder.file("runs.csv"), "--calibration", own, "--json"});
    ASSERT_EQ(after.exitCode, 0) << after.errors;
    const auto error = [](const Execution& r) {
        return nlohmann::json::parse(r.output)["summary"]["mean_abs_error_pct"].get<double>();
    };
    EXPECT_LT(error(after), error(before));
}

TEST(Calibrate, ALogIsARunOfItsScenario) {
    const TemporaryFolder folder;
    std::string log;
    for (int i = 1; i <= 40; ++i)
        log += " iteration " + std::to_string(i) +
               "/ 500 | consumed samples: " + std::to_string(i * 128) +
               " | elapsed time per iteration (ms): 9000.0 | global batch size: 128 |\n";
    folder.write("train.log", log);
    folder.write("run.yaml",
                 "version: 1\ntitle: own run\nmodel: llama3.1-8b\ntraining:\n  tokens: 100B\n"
                 "  sequence_length: 8192\n  global_batch: 128 sequences\n  precision: bf16\n"
                 "candidates:\n  - name: h100\n    system: p5.48xlarge\n    accelerators: 16\n"
                 "    region: us-east-1\n    parallelism: {tensor: 2, pipeline: 1}\n");
    const Execution done = run({"calibrate", "--log", folder.file("train.log"), "--scenario",
                                folder.file("run.yaml"), "--json"});
    ASSERT_EQ(done.exitCode, 0) << done.errors;
    const auto set = nlohmann::json::parse(done.output)["sets"][0];
    EXPECT_NE(set["title"], nullptr);
    const auto row = set["rows"][0];
    EXPECT_EQ(row["measured"], 9.0);
    EXPECT_EQ(row["metric"], "Megatron-LM");
    const Execution alone = run({"calibrate", "--log", folder.file("train.log")});
    EXPECT_EQ(alone.exitCode, 2);
    EXPECT_THAT(alone.errors, HasSubstr("A training log needs its scenario (--scenario)."));
}

TEST(Validate, WhatIsNoCalibrationIsSaidWithItsLine) {
    const TemporaryFolder folder;
    folder.write("c.csv",
                 "record,physics,subject,other,value,standard_error,rows,note\nfact,,,,,,,\n");
    const Execution done = run({"validate", "--calibration", folder.file("c.csv")});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.errors, HasSubstr("c.csv:2: `fact` isn't a record of a calibration."));
}

}  // namespace
}  // namespace trainwright::tests
