// SPDX-License-Identifier: GPL-3.0-or-later
// Each bad/x.yaml gives exactly the lines of bad/x.txt: "line:column: sentence", from reading, or
// if that finds no error, from resolving against the shipped catalog. A new case is two new files.
// TRAINWRIGHT_BLESS=1 in the environment writes the lines that come out; review the difference.
#include <gmock/gmock.h>

#include <cstdlib>

#include "tests/data/scenario/scenario_files.h"

namespace trainwright::scenario {
namespace {

using namespace testing_files;

std::string linesOf(const std::string& text) {
    Outcome<Scenario> scenario = read(text, "s");
    std::vector<Finding> findings = scenario.findings();
    if (scenario.ok()) {
        const Outcome<search::PlanRequest> request = resolve(*scenario, shippedCatalog());
        findings.insert(findings.end(), request.findings().begin(), request.findings().end());
        EXPECT_FALSE(request.ok());
    }
    std::string out;
    for (const Finding& f : findings) {
        const std::string line = f.english();
        out += line.substr(line.starts_with("s: ") ? 3 : 2) + "\n";
    }
    return out;
}

class BadFile : public testing::TestWithParam<std::filesystem::path> {};

TEST_P(BadFile, GivesItsMessagesAtTheirPlaces) {
    const std::filesystem::path expected =
        std::filesystem::path(GetParam()).replace_extension(".txt");
    const std::string lines = linesOf(contentOf(GetParam()));
    if (std::getenv("TRAINWRIGHT_BLESS") != nullptr)
        std::ofstream(expected, std::ios::binary) << lines;
    EXPECT_EQ(lines, contentOf(expected));
    EXPECT_FALSE(lines.empty());
}

INSTANTIATE_TEST_SUITE_P(Folder, BadFile, testing::ValuesIn(filesIn(TRAINWRIGHT_BAD_SCENARIOS)),
                         [](const auto& tested) { return tested.param.stem().string(); });

}  // namespace
}  // namespace trainwright::scenario
