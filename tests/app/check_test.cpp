// SPDX-License-Identifier: GPL-3.0-or-later
// What `plan --check` has against a plan.
#include "app/commands/check.h"

#include <gmock/gmock.h>

#include "tests/app/program.h"

namespace trainwright::app {
namespace {

using search::CandidateState;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using tests::run;

CandidateState candidate(const char* name, double days, std::optional<double> usd) {
    CandidateState state;
    state.name = name;
    state.mark = "1";
    state.quantities = {days, usd, days * 1e5, 4.2e6, 5e6, 0.36};
    return state;
}

compare::KeptResult result(std::vector<CandidateState> candidates) {
    compare::KeptResult out;
    out.plan.anyRuns = !candidates.empty();
    out.candidates = std::move(candidates);
    return out;
}

std::vector<std::string> english(const std::vector<Text>& texts) {
    std::vector<std::string> out;
    for (const Text& text : texts) out.push_back(text.english());
    return out;
}

TEST(Check, HasNothingAgainstAPlanThatKeepsItsLimits) {
    EXPECT_THAT(objections(result({candidate("a", 80, 1e6)}), nullptr, 0.05, ""), IsEmpty());
}

TEST(Check, NamesTheLimitThatTheBestBreaksAndNoOther) {
    CandidateState best = candidate("a", 80, 1e6);
    best.misses = {{"budget", "Over the budget by 3 M USD."}};
    CandidateState second = candidate("b", 90, 2e6);
    second.misses = {{"budget", "Over the budget by 4 M USD."}};
    EXPECT_THAT(english(objections(result({best, second}), nullptr, 0.05, "")),
                ElementsAre("a, the best candidate, breaks a limit: Over the budget by 3 M USD."));
}

TEST(Check, TellsAMoveBeyondTheToleranceFromOneWithin) {
    const compare::KeptResult kept = result({candidate("a", 100, 1e6)});
    EXPECT_THAT(objections(result({candidate("a", 104.9, 1.049e6)}), &kept, 0.05, "kept.json"),
                IsEmpty());
    const auto moved =
        english(objections(result({candidate("a", 100, 1.2e6)}), &kept, 0.05, "kept.json"));
    ASSERT_THAT(moved, SizeIs(1));
    EXPECT_THAT(moved.front(), HasSubstr("+20%"));
    EXPECT_THAT(moved.front(), HasSubstr("5.0% is allowed"));
    EXPECT_THAT(english(objections(result({candidate("a", 90, 1e6)}), &kept, 0.05, "kept.json")),
                ElementsAre(HasSubstr("−10%"), HasSubstr("−10%")))
        << "what got better has moved, too";
}

TEST(Check, SaysWhatAppearedAndWhatVanished) {
    const compare::KeptResult kept =
        result({candidate("a", 100, 1e6), candidate("gone", 100, std::nullopt)});
    const auto said = english(objections(
        result({candidate("new", 100, 1e6), candidate("a", 100, std::nullopt)}), &kept, 0.05, "k"));
    EXPECT_THAT(said,
                ElementsAre("The best candidate is now new; in k it was a.",
                            "new: k doesn't have this candidate.", HasSubstr("a: its cost was"),
                            "gone: k has this candidate, the plan hasn't."));
}

TEST(Check, AnEmptyPlanFails) {
    EXPECT_THAT(english(objections(result({}), nullptr, 0.05, "")),
                ElementsAre("No candidate can be run."));
}

TEST(Check, ReadsAToleranceAsAShare) {
    EXPECT_DOUBLE_EQ(*readTolerance("5%"), 0.05);
    EXPECT_FALSE(readTolerance("wide"));
    EXPECT_FALSE(readTolerance("-1%"));
}

TEST(Check, AKeptResultPassesUntilAnInputMoves) {
    const tests::TemporaryFolder folder;
    const std::string scenario = folder.write("s.yaml", tests::smallScenario());
    const std::string kept = folder.file("kept.json");
    ASSERT_EQ(run({"plan", scenario, "--report", kept}).exitCode, 0);
    EXPECT_EQ(run({"plan", scenario, "--check-against", kept}).exitCode, 0);

    std::string text = tests::smallScenario();
    const std::size_t at = text.find("tokens: ");
    ASSERT_NE(at, std::string::npos);
    text.insert(at + 8, "9");
    const std::string changed = folder.write("s.yaml", text);
    const auto moved = run({"plan", changed, "--check-against", kept, "--tolerance", "3%"});
    EXPECT_EQ(moved.exitCode, 1);
    EXPECT_THAT(moved.errors, HasSubstr("3.0% is allowed"));
    EXPECT_EQ(run({"plan", changed, "--check-against", folder.file("none.json")}).exitCode, 2);
    EXPECT_EQ(run({"plan", changed, "--check", "--tolerance", "much"}).exitCode, 2);
}

}  // namespace
}  // namespace trainwright::app
