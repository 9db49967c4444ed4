// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>

#include "data/scenario/yaml.h"
#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;

/// A folder that is gone after the test.
class ReadFile : public testing::Test {
protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("trainwright-read-file-" + std::to_string(::getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& content) {
        std::ofstream(folder_ / name, std::ios::binary) << content;
        return (folder_ / name).string();
    }
    std::string said(const std::string& path) {
        const Outcome<Scenario> scenario = readFile(path);
        EXPECT_FALSE(scenario.ok());
        EXPECT_EQ(scenario.findings().size(), 1U);
        std::string text = sentences(scenario.findings());
        text.pop_back();
        return text.starts_with(path) ? text.substr(path.size()) : text;
    }

    std::filesystem::path folder_;
};

TEST_F(ReadFile, ReadsASoundFile) {
    const Outcome<Scenario> scenario = readFile(write("s.yaml", soundText()));
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    EXPECT_EQ(scenario->title, "A test");
    EXPECT_EQ(scenario->training.tokens, 1e12);
    EXPECT_EQ(scenario->training.globalBatchSequences, 512);
    EXPECT_EQ(scenario->start, (run::Date{2027, 1, 4}));
    ASSERT_EQ(scenario->candidates.size(), 1U);
    EXPECT_EQ(scenario->candidates[0].accelerators, 512);
}

TEST_F(ReadFile, NamesTheNearestFileOfAMissingOne) {
    write("llama.yaml", soundText());
    EXPECT_EQ(said((folder_ / "lama.yaml").string()),
              ": There is no such file. Nearest in its folder: llama.yaml.");
    EXPECT_EQ(said((folder_ / "zzzzzzzzzzzzz").string()), ": There is no such file.");
    EXPECT_EQ(said((folder_ / "nowhere/s.yaml").string()),
              ": There is no such file, nor the folder " + (folder_ / "nowhere").string() + ".");
}

TEST_F(ReadFile, SaysThatAFolderIsOne) {
    EXPECT_EQ(said(folder_.string()), ": This is a folder; a scenario is a file.");
}

TEST_F(ReadFile, SaysWhyAFileCannotBeRead) {
    const std::string path = write("s.yaml", soundText());
    ASSERT_EQ(::chmod(path.c_str(), 0), 0);
    if (::access(path.c_str(), R_OK) == 0) GTEST_SKIP() << "this user may read everything";
    EXPECT_EQ(said(path), ": The file can't be read: Permission denied.");
}

TEST_F(ReadFile, SaysThatNothingIsInAnEmptyFile) {
    const std::string expected =
        ": The file holds no scenario. `trainwright new` writes one to start from.";
    EXPECT_EQ(said(write("s.yaml", "")), expected);
    EXPECT_EQ(said(write("s.yaml", "\n\n  \n")), expected);
    EXPECT_EQ(said(write("s.yaml", "---\n")), expected);
}

TEST_F(ReadFile, RefusesAHugeFileAtOnce) {
    const std::string path = write("s.yaml", "version: 1\n");
    std::filesystem::resize_file(path, 50'000'000);
    const auto begin = std::chrono::steady_clock::now();
    EXPECT_EQ(said(path), ": The file has 47.7 MiB; a scenario has 4 MiB at most.");
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(said("/dev/zero"), ": The file has more than 4 MiB, the most that a scenario has.");
}

TEST_F(ReadFile, RefusesWhatIsNoText) {
    EXPECT_EQ(said(write("s.yaml", std::string("version: 1\ntitle: a\0b\n", 22))),
              ":2:9: The file holds a zero byte here, so that it is no text; a scenario is YAML in "
              "UTF-8.");
    EXPECT_EQ(said(write("s.yaml", "version: 1\ntitle: caf\xe9\n")),
              ":2:11: The file is not in UTF-8 from here on; a scenario is YAML in UTF-8.");
    EXPECT_EQ(said(write("s.yaml", "version: 1\ntitle: \xed\xa0\x80\n")),
              ":2:8: The file is not in UTF-8 from here on; a scenario is YAML in UTF-8.");
    EXPECT_EQ(said(write("s.yaml", "version: 1\ntitle: a\x07\n")),
              ":2:9: The control character 0x07 is no part of a YAML text.");
    EXPECT_EQ(said(write("s.yaml", std::string("\xff\xfev\0e\0r\0", 8))),
              ":1:1: The file is not in UTF-8 from here on; a scenario is YAML in UTF-8.");
}

TEST_F(ReadFile, TakesAByteOrderMarkAndWindowsLineEnds) {
    std::string text = soundText();
    std::string windows = "\xef\xbb\xbf";
    for (char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
    const Outcome<Scenario> scenario = readFile(write("s.yaml", windows));
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    EXPECT_EQ(scenario->title, "A test");
}

TEST_F(ReadFile, PrintsNothing) {
    testing::internal::CaptureStdout();
    testing::internal::CaptureStderr();
    for (const char* text :
         {"a: b: c\n", "{", "\"", "a: *b\n", "\t", "%YAML 9.9\n---\n", "? [a", "!<x"}) {
        EXPECT_FALSE(read(text, "s").ok());
    }
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST(Read, KnowsWhereEveryValueStands) {
    const std::string text = soundText();
    const Outcome<Scenario> scenario = read(text, "s");
    ASSERT_TRUE(scenario.ok());
    for (const auto& [path, value] : scenario->values) {
        ASSERT_LE(value.begin, value.end) << path;
        if (path.ends_with("]") || path == "training" || path == "candidates") continue;
        EXPECT_EQ(text.substr(value.begin, value.end - value.begin), value.text) << path;
    }
    EXPECT_EQ(scenario->placeOf("candidates[0].system"),
              (Place{"s", 11, 13, "candidates[0].system"}));
    EXPECT_EQ(scenario->placeOf("candidates[0].discount").line, 10)
        << "an absent value is where its map is";
    EXPECT_EQ(scenario->placeOf("uncertainty.seed"), (Place{"s", 0, 0, "uncertainty.seed"}));
}

TEST(Read, WarnsOfThousandsThatMayBeMeantBinary) {
    const Outcome<Scenario> scenario = read(soundWith("8192", "8k"), "s");
    ASSERT_TRUE(scenario.ok());
    EXPECT_EQ(sentences(scenario.findings()),
              "s:7:20: warning: `8k` is 8,000 tokens. 8,192 is written 8192.\n");
    EXPECT_EQ(scenario->training.sequenceLength, 8000);
}

TEST(Read, TakesABatchInTokens) {
    const Outcome<Scenario> scenario = read(soundWith("512 sequences", "4194304 tokens"), "s");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    EXPECT_EQ(scenario->training.globalBatchSequences, 512);
}

TEST(Read, TakesAnArchitectureWrittenOut) {
    const Outcome<Scenario> scenario =
        read(soundWith("model: llama3.1-8b",
                       "model: {name: mine, layers: 32, hidden: 4096, heads: 32, kv_heads: 8, ffn: "
                       "14336, vocabulary: 128256}"),
             "s");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    ASSERT_TRUE(scenario->architecture);
    workload::Architecture ours = *scenario->architecture;
    const Outcome<workload::Architecture> theirs = shippedCatalog().architecture("llama3.1-8b");
    ASSERT_TRUE(theirs.ok());
    EXPECT_EQ(workload::countParameters(ours).total, workload::countParameters(*theirs).total);
    EXPECT_EQ(ours.headSize, 128);
    EXPECT_EQ(ours.nativeContext, 8192);
}

TEST(Read, TakesMapsWhoseEntriesAreCommentedOut) {
    const Outcome<Scenario> scenario =
        read(soundText() + "constraints:\n  # budget: 1M USD\noperations:\noverrides:\n", "s");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    EXPECT_EQ(scenario->constraints.memoryHeadroom, 0.05);
    EXPECT_FALSE(scenario->constraints.budget);
}

TEST(Read, TakesAliases) {
    const std::string text =
        soundWith("    region: us-east-2\n", "    region: &where us-east-2\n") +
        "  - name: b\n    system: u-trn2x64\n    accelerators: 512\n    region: *where\n";
    const Outcome<Scenario> scenario = read(text, "s");
    ASSERT_TRUE(scenario.ok()) << sentences(scenario.findings());
    EXPECT_EQ(scenario->candidates[1].region, "us-east-2");
}

}  // namespace
}  // namespace trainwright::scenario
