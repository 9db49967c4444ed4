// SPDX-License-Identifier: GPL-3.0-or-later
// From what was found to a verdict, without catalog or engine.
#include "model/claims/claim.h"

#include <gmock/gmock.h>

#include <random>

namespace trainwright::claims {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

Case found(double number, std::string label = "") {
    Case c;
    c.found = measure(number, "count");
    if (!label.empty()) c.labels = {std::move(label)};
    return c;
}

Case unknown(std::string why) {
    Case c;
    c.notes = {{std::move(why), {}}};
    return c;
}

Part part(Relation relation, double claimed, std::vector<Case> cases, double tolerance = 0,
          double margin = 0) {
    Part p;
    p.subject = "chips";
    p.relation = relation;
    if (relation != Relation::None && relation != Relation::Holds)
        p.claimed = measure(claimed, "count");
    p.tolerance = tolerance;
    p.margin = margin;
    p.cases = std::move(cases);
    if (p.cases.size() > 1) p.dimensions = {"case"};
    return p;
}

/// As `english()` of a Text, with numbers as C++ prints them.
std::string plain(const Sentence& sentence) {
    Text text{sentence.pattern, {}};
    for (const Measure& m : sentence.arguments)
        text.arguments.push_back(m.number ? std::to_string(static_cast<long>(*m.number)) : m.words);
    return text.english();
}

std::vector<std::string> plain(const std::vector<Sentence>& sentences) {
    std::vector<std::string> all;
    for (const Sentence& sentence : sentences) all.push_back(plain(sentence));
    return all;
}

struct Row {
    const char* what;
    Relation relation;
    double claimed;
    std::vector<double> found;
    double tolerance, margin;
    Verdict verdict;
    double stands;  ///< the number that stands for them all
};

class Judged : public testing::TestWithParam<Row> {};

TEST_P(Judged, FromTheNumbersThatWereFound) {
    const Row& row = GetParam();
    std::vector<Case> cases;
    for (double number : row.found) cases.push_back(found(number, "x"));
    Part p = part(row.relation, row.claimed, cases, row.tolerance, row.margin);
    judge(p);
    EXPECT_EQ(name(p.verdict), std::string(name(row.verdict))) << row.what;
    ASSERT_TRUE(p.found.number) << row.what;
    EXPECT_EQ(*p.found.number, row.stands) << row.what;
    EXPECT_EQ(p.conditions.empty(), row.verdict == Verdict::Holds) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Relations, Judged,
    testing::Values(
        Row{"the same", Relation::Equals, 16, {16}, 0, 0, Verdict::Holds, 16},
        Row{"another", Relation::Equals, 16, {12}, 0, 0, Verdict::Contradicted, 12},
        Row{"within the tolerance", Relation::Equals, 101, {100}, 0.01, 0.01, Verdict::Holds, 100},
        Row{"rounded", Relation::Equals, 200, {190}, 0.01, 0.1, Verdict::HoldsUnderConditions, 190},
        Row{"past the margin", Relation::Equals, 400, {190}, 0.01, 0.1, Verdict::Contradicted, 190},
        Row{"zero", Relation::Equals, 0, {0}, 0, 0, Verdict::Holds, 0},
        Row{"not zero", Relation::Equals, 0, {1}, 0, 0, Verdict::Contradicted, 1},
        Row{"one of two", Relation::Equals, 2, {1, 2}, 0, 0, Verdict::HoldsUnderConditions, 2},
        Row{"the nearest", Relation::Equals, 20, {1, 18, 30}, 0, 0, Verdict::Contradicted, 18},
        Row{"enough", Relation::AtLeast, 2, {2, 3}, 0, 0, Verdict::Holds, 2},
        Row{"some enough", Relation::AtLeast, 2, {1, 3}, 0, 0, Verdict::HoldsUnderConditions, 1},
        Row{"none enough", Relation::AtLeast, 5, {1, 3}, 0, 0, Verdict::Contradicted, 1},
        Row{"nearly enough", Relation::AtLeast, 2, {1.9}, 0.1, 0.1, Verdict::Holds, 1.9},
        Row{"few", Relation::AtMost, 4, {1, 4}, 0, 0, Verdict::Holds, 4},
        Row{"too many", Relation::AtMost, 4, {5, 6}, 0, 0, Verdict::Contradicted, 6},
        Row{"some too many", Relation::AtMost, 4, {1, 6}, 0, 0, Verdict::HoldsUnderConditions, 6},
        Row{"up to, all", Relation::Reaches, 2, {2, 5}, 0, 0, Verdict::Holds, 5},
        Row{"up to, one", Relation::Reaches, 2, {-4, 5}, 0, 0, Verdict::HoldsUnderConditions, 5},
        Row{"up to, none", Relation::Reaches, 9, {-4, 5}, 0, 0, Verdict::Contradicted, 5}));

TEST(JudgePart, SaysWhatWasFoundInPlaceOfWhatIsClaimed) {
    Part p = part(Relation::Equals, 16, {found(12)});
    judge(p);
    EXPECT_THAT(plain(p.conditions), ElementsAre("chips: 12, where 16 is claimed."));
}

TEST(JudgePart, NamesTheCasesThatAreMetWhereTheyAreFew) {
    Part p = part(Relation::AtLeast, 2, {found(1, "a"), found(3, "b"), found(2, "c")});
    judge(p);
    EXPECT_THAT(plain(p.conditions), ElementsAre("chips: 2 of 3 (b; c)."));
    Part many = part(Relation::AtLeast, 2,
                     {found(1, "a"), found(2, "b"), found(2, "c"), found(2, "d"), found(2, "e")});
    judge(many);
    EXPECT_THAT(plain(many.conditions), ElementsAre("chips: 4 of 5."));
}

TEST(JudgePart, FillsItsRemark) {
    Part p =
        part(Relation::Reaches, 5, {found(1, "a"), found(3, "b"), found(7, "c"), found(2, "d")});
    p.cases[1].p90 = measure(6, "count");
    p.cases[2].p10 = measure(4, "count");
    p.cases[2].p90 = measure(9, "count");
    p.remark = "{1} {2} {3}/{4} {5} {6} {7} {8} {9} {10} {11} {12} {13}";
    judge(p);
    EXPECT_THAT(plain(p.conditions), ElementsAre("7 5 1/4 1 2 7 a c c 4 9 2"));
    // A remark says why something isn't met; where all is, nothing is to be said.
    p.claimed.number = 1;
    judge(p);
    EXPECT_THAT(p.conditions, IsEmpty());
    p.role = Role::Context;
    p.relation = Relation::None;
    judge(p);
    EXPECT_THAT(p.conditions, SizeIs(1));
}

TEST(JudgePart, TellsWhatIsMissing) {
    Part none = part(Relation::Equals, 16, {unknown("nobody has said.")});
    judge(none);
    EXPECT_EQ(none.verdict, Verdict::CannotBeChecked);
    EXPECT_TRUE(none.found.empty());
    EXPECT_THAT(plain(none.conditions), ElementsAre("nobody has said."));

    Part some = part(Relation::Equals, 16, {found(16, "a"), unknown("too new.")});
    judge(some);
    EXPECT_EQ(some.verdict, Verdict::Holds);
    EXPECT_THAT(plain(some.conditions),
                ElementsAre("Cases that can't be computed: 1 of 2.", "too new."));

    Part nothing = part(Relation::Equals, 16, {});
    judge(nothing);
    EXPECT_EQ(nothing.verdict, Verdict::CannotBeChecked);
    EXPECT_THAT(nothing.conditions, SizeIs(1));
}

TEST(JudgePart, NoNumberIsClaimedThatCouldBeCompared) {
    Part p = part(Relation::None, 0, {found(3)});
    judge(p);
    EXPECT_EQ(p.verdict, Verdict::CannotBeChecked);
    EXPECT_THAT(plain(p.conditions),
                ElementsAre("chips: no number is claimed that could be compared."));
}

struct DateRow {
    const char* claimed;
    const char* found;
    Verdict verdict;
};

TEST(JudgePart, DatesMayBeClaimedMoreCoarselyThanTheyAreKnown) {
    for (const DateRow& row : {DateRow{"2024", "2024-12-03", Verdict::Holds},
                               DateRow{"2024-12", "2024-12-03", Verdict::Holds},
                               DateRow{"2024-12-03", "2024-12-03", Verdict::Holds},
                               DateRow{"2020-11", "2020-12", Verdict::Contradicted},
                               DateRow{"2025", "2024-12-03", Verdict::Contradicted}}) {
        Part p;
        p.subject = "released";
        p.relation = Relation::Equals;
        p.claimed = words(row.claimed);
        Case c;
        c.found = words(row.found);
        p.cases = {c};
        judge(p);
        EXPECT_EQ(p.verdict, row.verdict) << row.claimed << ", " << row.found;
    }
}

TEST(JudgePart, WordsInPlaceOfANumberAreOutOfReach) {
    Part p = part(Relation::AtMost, 4, {found(2, "a")});
    Case beyond;
    beyond.labels = {"b"};
    beyond.found = words("more than 32");
    p.cases.push_back(beyond);
    p.dimensions = {"case"};
    judge(p);
    EXPECT_EQ(p.verdict, Verdict::HoldsUnderConditions);
    EXPECT_EQ(p.known, 2);
    EXPECT_EQ(p.met, 1);
}

Part ended(Role role, Verdict verdict, std::string remark = "because.") {
    Part p = part(Relation::Equals, 2, {});
    p.role = role;
    p.remark = std::move(remark);
    switch (verdict) {
        case Verdict::Holds:
            p.cases = {found(2)};
            break;
        case Verdict::HoldsUnderConditions:
            p.cases = {found(2, "a"), found(3, "b")};
            p.dimensions = {"case"};
            break;
        case Verdict::Contradicted:
            p.cases = {found(3)};
            break;
        case Verdict::CannotBeChecked:
            p.cases = {unknown("nobody knows.")};
            break;
    }
    return p;
}

CheckedClaim claimOf(std::vector<Part> parts) {
    CheckedClaim claim;
    claim.parts = std::move(parts);
    judge(claim);
    return claim;
}

TEST(JudgeClaim, TakesTheGravestOfItsParts) {
    using enum Verdict;
    struct ClaimRow {
        std::vector<Verdict> decide;
        std::vector<Verdict> conditions;
        Verdict verdict;
        std::size_t decisive;
    };
    const std::vector<ClaimRow> rows{
        {{Holds}, {}, Holds, 0},
        {{Holds, Holds}, {Holds}, Holds, 0},
        {{Holds, HoldsUnderConditions}, {}, HoldsUnderConditions, 1},
        {{Holds, Contradicted, Contradicted}, {}, Contradicted, 1},
        {{CannotBeChecked, Contradicted}, {}, Contradicted, 1},
        {{HoldsUnderConditions, CannotBeChecked}, {}, CannotBeChecked, 1},
        {{Holds}, {Contradicted}, HoldsUnderConditions, 0},
        {{Holds}, {CannotBeChecked}, HoldsUnderConditions, 0},
        {{Contradicted}, {Contradicted}, Contradicted, 0},
        {{}, {Contradicted}, CannotBeChecked, 0},
    };
    for (const ClaimRow& row : rows) {
        std::vector<Part> parts;
        for (Verdict v : row.decide) parts.push_back(ended(Role::Decides, v));
        for (Verdict v : row.conditions) parts.push_back(ended(Role::Condition, v));
        const CheckedClaim claim = claimOf(parts);
        EXPECT_EQ(name(claim.verdict), std::string(name(row.verdict)));
        EXPECT_EQ(claim.decisive, row.decisive);
    }
}

TEST(JudgeClaim, SaysConditionsAfterWhatDecides) {
    const CheckedClaim claim = claimOf({ended(Role::Context, Verdict::Holds, "by the way."),
                                        ended(Role::Condition, Verdict::Contradicted, "if."),
                                        ended(Role::Decides, Verdict::Contradicted, "no."),
                                        ended(Role::Decides, Verdict::Holds, "unsaid.")});
    EXPECT_THAT(plain(claim.conditions),
                ElementsAre("no.", "Parts that hold: 1 of 2.", "if.", "by the way."));
}

TEST(JudgeClaim, IsTheSameWhenJudgedAgain) {
    const unsigned seed = 20261202;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_int_distribution<int> verdict(0, 3), role(0, 2), parts(0, 5);
    for (int round = 0; round < 300; ++round) {
        std::vector<Part> all;
        for (int i = parts(random); i > 0; --i)
            all.push_back(
                ended(static_cast<Role>(role(random)), static_cast<Verdict>(verdict(random))));
        CheckedClaim claim = claimOf(all);
        const Verdict first = claim.verdict;
        const std::vector<Sentence> said = claim.conditions;
        judge(claim);
        EXPECT_EQ(claim.verdict, first);
        EXPECT_EQ(claim.conditions, said);
        if (first == Verdict::Holds) {
            for (const Part& p : claim.parts) {
                if (p.role != Role::Context) {
                    EXPECT_EQ(p.verdict, Verdict::Holds);
                }
            }
        }
    }
}

}  // namespace
}  // namespace trainwright::claims
