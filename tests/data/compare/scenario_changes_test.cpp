// SPDX-License-Identifier: GPL-3.0-or-later
// Which differences of two scenarios count, and the scenarios in between.
#include "data/compare/scenario_changes.h"

#include <gmock/gmock.h>

#include <string>

namespace trainwright::compare {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kScenario =
    "version: 1\n"
    "model: llama3.1-8b\n"
    "training:\n"
    "  tokens: 15T\n"
    "  sequence_length: 8192\n"
    "  global_batch: 512 sequences\n"
    "candidates:\n"
    "  - name: trn2\n"
    "    system: trn2.48xlarge\n"
    "    accelerators: 256\n"
    "    region: us-east-2\n"
    "    purchase: capacity_block\n"
    "  - name: h100\n"
    "    system: p5.48xlarge\n"
    "    accelerators: 256\n"
    "    region: us-east-1\n"
    "constraints:\n"
    "  budget: 20M USD\n";

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

ReadScenario read(const std::string& text) {
    Outcome<ReadScenario> scenario = readScenario(text, "s.yaml");
    EXPECT_TRUE(scenario) << (scenario ? "" : scenario.findings().front().english());
    return std::move(scenario).value();
}

/// "path: before -> after", a line each.
std::vector<std::string> changes(const std::string& before, const std::string& after) {
    const ReadScenario a = read(before), b = read(after);
    std::vector<std::string> lines;
    for (const search::Change& change : changesBetween(a, b, pairCandidates(a, b)))
        for (const search::ChangedValue& v : change.values)
            lines.push_back(v.path + ": " + v.before.value_or("none") + " -> " +
                            v.after.value_or("none") + (change.isWords ? " (words)" : ""));
    return lines;
}

TEST(ScenarioChanges, WhatMeansTheSameIsNoChange) {
    const struct {
        const char* what;
        std::string after;
    } cases[] = {
        {"itself", kScenario},
        {"a comment and another layout",
         with(kScenario, "  tokens: 15T\n", "    # as planned\n  tokens:   '15T'\n")},
        {"the same number", with(kScenario, "15T", "15000B")},
        {"the batch in tokens", with(kScenario, "512 sequences", "4194304 tokens")},
        {"a default written out", with(kScenario, "  budget", "  memory_headroom: 5%\n  budget")},
        {"a purchase as a map", with(kScenario, "capacity_block", "{plan: capacity_block}")},
        {"auto as it is anyway", with(kScenario, "    region: us-east-2\n",
                                      "    region: us-east-2\n    parallelism: auto\n")},
        {"flow style",
         with(kScenario, "constraints:\n  budget: 20M USD\n", "constraints: {budget: 20 M USD}\n")},
        {"an empty map", std::string(kScenario) + "operations:\n"},
    };
    for (const auto& c : cases) {
        SCOPED_TRACE(c.what);
        EXPECT_THAT(changes(kScenario, c.after), IsEmpty());
        EXPECT_THAT(changes(c.after, kScenario), IsEmpty());
    }
}

TEST(ScenarioChanges, CandidatesAreMatchedByName) {
    const std::string second =
        std::string(kScenario).substr(std::string(kScenario).find("  - name: h100"));
    const std::string h100 = second.substr(0, second.find("constraints"));
    const std::string reordered =
        with(with(kScenario, h100, ""), "candidates:\n", "candidates:\n" + h100);
    EXPECT_THAT(changes(kScenario, reordered), IsEmpty());
    EXPECT_THAT(changes(kScenario, with(reordered, "us-east-1", "us-west-2")),
                ElementsAre("candidates[h100].region: us-east-1 -> us-west-2"));
}

TEST(ScenarioChanges, EachKindOfDifference) {
    EXPECT_THAT(changes(kScenario, with(kScenario, "15T", "13T")),
                ElementsAre("training.tokens: 15T -> 13T"));
    EXPECT_THAT(
        changes(kScenario, with(kScenario, "  budget: 20M USD\n", "  power: 3 MW\n")),
        ElementsAre("constraints.power: none -> 3 MW", "constraints.budget: 20M USD -> none"));
    EXPECT_THAT(changes(kScenario, with(kScenario, "version: 1\n", "version: 1\ntitle: Spring\n")),
                ElementsAre("title: none -> Spring (words)"));
    EXPECT_THAT(changes(kScenario, with(kScenario, "capacity_block",
                                        "{price_usd_per_hour: 30, because: a quote}")),
                ElementsAre("candidates[trn2].purchase.price_usd_per_hour: none -> 30",
                            "candidates[trn2].purchase.because: none -> a quote",
                            "candidates[trn2].purchase.plan: capacity_block -> none"));
    EXPECT_THAT(changes(kScenario, with(kScenario, "    region: us-east-1\n",
                                        "    region: us-east-1\n    parallelism: {tensor: 8}\n")),
                ElementsAre("candidates[h100].parallelism.tensor: none -> 8"));
}

TEST(ScenarioChanges, CandidatesComeGoAndAreRenamed) {
    const std::string renamed = with(kScenario, "name: h100", "name: p5");
    EXPECT_THAT(changes(kScenario, renamed),
                ElementsAre("candidates[p5].name: h100 -> p5 (words)"));
    // With another size it is still the same one, with another system it isn't.
    const std::string other = with(renamed, "accelerators: 256\n    region: us-east-1",
                                   "accelerators: 512\n    region: us-east-1");
    EXPECT_THAT(changes(kScenario, other), ElementsAre("candidates[p5].name: h100 -> p5 (words)",
                                                       "candidates[p5].accelerators: 256 -> 512"));
    EXPECT_THAT(changes(kScenario, with(renamed, "p5.48xlarge", "p5en.48xlarge")),
                ElementsAre("candidates[p5]: none -> p5en.48xlarge, 256, us-east-1 (words)",
                            "candidates[h100]: p5.48xlarge, 256, us-east-1 -> none (words)"));
}

TEST(ScenarioChanges, BetweenReadsBackWithTheChangesMade) {
    std::string after = with(kScenario, "15T", "13T");
    after = with(after, "capacity_block", "{price_usd_per_hour: 30, because: a quote}");
    after = with(after, "accelerators: 256", "accelerators: 512");
    const ReadScenario a = read(kScenario), b = read(after);
    const auto pairs = pairCandidates(a, b);
    const auto list = changesBetween(a, b, pairs);
    ASSERT_EQ(list.size(), 3U);
    for (unsigned made = 0; made < 8; ++made) {
        SCOPED_TRACE(made);
        const std::string text = between(a, b, pairs.front(), list,
                                         [&](std::size_t i) { return ((made >> i) & 1U) != 0; });
        const ReadScenario s = read(text);
        ASSERT_EQ(s.scenario.candidates.size(), 1U);
        for (std::size_t i = 0; i < list.size(); ++i) {
            const bool isMade = ((made >> i) & 1U) != 0;
            SCOPED_TRACE(list[i].path);
            if (list[i].path == "training.tokens") {
                EXPECT_EQ(s.scenario.training.tokens, isMade ? 13e12 : 15e12);
            }
            if (list[i].path == "candidates[trn2].accelerators") {
                EXPECT_EQ(s.scenario.candidates[0].accelerators, isMade ? 512 : 256);
            }
            if (list[i].path == "candidates[trn2].purchase") {
                EXPECT_EQ(s.scenario.candidates[0].purchase.perUnit.has_value(), isMade);
            }
        }
    }
}

TEST(ScenarioChanges, AModelIsChangedInOneGo) {
    const std::string own =
        "model: {name: m, layers: 32, hidden: 4096, heads: 32, kv_heads: 8, ffn: 14336, "
        "vocabulary: 128256}\n";
    const ReadScenario a = read(kScenario);
    const ReadScenario b = read(with(kScenario, "model: llama3.1-8b\n", own));
    const auto list = changesBetween(a, b, pairCandidates(a, b));
    ASSERT_EQ(list.size(), 1U);
    EXPECT_EQ(list[0].path, "model");
    EXPECT_GT(list[0].values.size(), 5U);
    EXPECT_FALSE(list[0].isWords);
}

TEST(ScenarioChanges, WhatCannotBeReadIsAFinding) {
    const Outcome<ReadScenario> bad = readScenario("version: 1\ntrainin: x\n", "bad.yaml");
    ASSERT_FALSE(bad);
    EXPECT_THAT(bad.findings().front().english(), HasSubstr("bad.yaml:"));
}

}  // namespace
}  // namespace trainwright::compare
