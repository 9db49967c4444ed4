// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison of plans in each of its forms, against goldens; what is shown adds up.
#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "reports/diff_report.h"
#include "reports/diff_view.h"
#include "tests/reports/golden.h"

namespace trainwright::reports {
namespace {

using search::CandidateComparison;
using search::CandidateState;
using search::Change;
using search::ChangeKind;
using search::Comparison;
using search::Quantity;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

const DiffContext kContext{"0.1.0", "2026-12-01", "abcdef0123456789", "trainwright diff a b"};

CandidateState state(const char* name, const char* mark, const char* standing, double days,
                     double usd) {
    CandidateState s;
    s.name = name;
    s.mark = mark;
    s.standing = standing;
    s.system = "p5.48xlarge";
    s.accelerators = 4096;
    s.finish = "2027-03-08";
    s.layout = "t8 p4 D128 b1";
    s.grade = "A";
    s.quantities = {days, usd, days * 1e5, 4.2e6, 5e6, 0.36};
    return s;
}

/// Moves of `c` with shares of these parts, the rest not explained.
void setMove(CandidateComparison& c, Quantity quantity, const std::vector<double>& parts,
             const std::vector<double>& alone) {
    const auto q = static_cast<std::size_t>(quantity);
    search::Move& m = c.moves[q];
    m.before = c.before->quantities[q];
    m.after = c.after->quantities[q];
    m.attribution.orders = search::Orders::All;
    m.attribution.before = m.before;
    m.attribution.after = m.after;
    m.rest = *m.difference();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        m.attribution.contributions.push_back({alone[i], alone[i], parts[i]});
        m.rest -= parts[i];
    }
}

Comparison comparison() {
    Comparison c;
    c.before = {"main:plan.yaml", "Spring", "llama3.1-70b", "0.1.0", "2026-11-01", "111111",
                "shipped",        "c1",     true,           true,    true};
    c.after = {"plan.yaml", "Spring", "llama3.1-70b", "0.1.0", "2026-12-01", "222222",
               "shipped",   "c1",     false,          true,    true};
    c.changes.push_back({ChangeKind::Input,
                         "training.tokens",
                         {},
                         {{"training.tokens", "16T", "15T", {}, {}, {}}},
                         false});
    c.changes.push_back({ChangeKind::Input,
                         "candidates[trn2].parallelism",
                         "trn2",
                         {{"candidates[trn2].parallelism.tensor", "16", "32", {}, {}, {}},
                          {"candidates[trn2].parallelism.pipeline", "8", std::nullopt, {}, {}, {}}},
                         false});
    c.changes.push_back(
        {ChangeKind::Input, "title", {}, {{"title", "Spring", "March", {}, {}, {}}}, true});
    c.changes.push_back({ChangeKind::Price,
                         "price/p5.48xlarge/us-east-1/on_demand",
                         {},
                         {{"price/p5.48xlarge/us-east-1/on_demand/price_usd_per_hour", "41.53",
                           "39.8", "usd_per_hour", "2026-10-09", "2026-12-01"}},
                         false});
    c.changes.push_back(
        {ChangeKind::Calibration,
         "calibration",
         {},
         {{"calibration/gpu hopper/matrix_rate", "0.910", "0.935", "ratio", {}, {}}},
         false});

    CandidateComparison trn2;
    trn2.before = state("trn2", "2", "meets_all", 92, 21.5e6);
    trn2.after = state("trn2", "1", "meets_all", 83, 18.46e6);
    trn2.before->layout = "t16 p8 D128 b1";
    trn2.changes = {0, 1};
    setMove(trn2, Quantity::Days, {-5.9, -3.1}, {-6.1, -3.3});
    setMove(trn2, Quantity::Cost, {-1.87e6, -1.17e6}, {-1.9e6, -1.2e6});
    setMove(trn2, Quantity::Energy, {-6e5, -3e5}, {-6e5, -3e5});
    setMove(trn2, Quantity::AveragePower, {0, 0}, {0, 0});
    setMove(trn2, Quantity::Mfu, {0, 0}, {0, 0});

    CandidateComparison h100;
    h100.before = state("h100", "1", "meets_all", 70, 21.3e6);
    h100.after = state("h100", "–", "misses_limit", 65.2, 20.9e6);
    h100.after->misses = {{"budget", "Over the budget by 0.90 M USD."}};
    h100.changes = {0, 3, 4};
    h100.decisive = {0};
    setMove(h100, Quantity::Days, {-4.4, 0, -0.3}, {-4.4, 0, -0.3});
    setMove(h100, Quantity::Cost, {-1.3e6, 1.0e6, -0.1e6}, {-1.3e6, 1.0e6, -0.1e6});
    setMove(h100, Quantity::Energy, {-4e5, 0, -0.8e5}, {-4e5, 0, -0.8e5});
    setMove(h100, Quantity::AveragePower, {0, 0, 0}, {0, 0, 0});
    setMove(h100, Quantity::Mfu, {0, 0, 0}, {0, 0, 0});
    for (search::Move& m : h100.moves) m.attribution.orders = search::Orders::Possible;
    for (search::Move& m : h100.moves) {
        m.attribution.counted = 4;
        m.attribution.possible = 6;
    }
    h100.gap = {"The batch doesn't divide.", {}};

    CandidateComparison still;
    still.before = state("b200", "–", "misses_limit", 40, 44e6);
    still.after = state("b200", "–", "misses_limit", 40, 44.1e6);
    still.changes = {};
    for (Quantity q :
         {Quantity::Days, Quantity::Cost, Quantity::Energy, Quantity::AveragePower, Quantity::Mfu})
        setMove(still, q, {}, {});

    CandidateComparison fresh;
    fresh.after = state("trn3", "?", "no_price", 50, 0);
    fresh.after->quantities[1].reset();
    fresh.moves[0].after = 50;
    CandidateComparison gone;
    gone.before = state("trn1", "–", "misses_limit", 300, 60e6);
    gone.moves[0].before = 300;
    gone.moves[1].before = 60e6;
    c.candidates = {trn2, h100, still, fresh, gone};
    return c;
}

TEST(Diff, Terminal) {
    EXPECT_TRUE(matchesGolden(diffTerminal(comparison(), TerminalStyle{}, kContext), "diff.txt"));
}

TEST(Diff, TerminalNarrowAscii) {
    TerminalStyle style;
    style.width = 60;
    style.utf8 = false;
    const std::string text = diffTerminal(comparison(), style, kContext);
    EXPECT_TRUE(matchesGolden(text, "diff-60-ascii.txt"));
    for (std::size_t from = 0; from < text.size();) {
        const std::size_t end = std::min(text.find('\n', from), text.size());
        EXPECT_LE(end - from, 60U) << text.substr(from, end - from);
        from = end + 1;
    }
    for (char byte : text) EXPECT_LT(static_cast<unsigned char>(byte), 0x80);
}

TEST(Diff, Json) {
    const std::string text = diffJson(comparison(), kContext);
    EXPECT_TRUE(matchesGolden(text, "diff.json"));
    const auto json = nlohmann::json::parse(text);
    EXPECT_EQ(json["schema"], "trainwright/diff/1");
    for (const auto& c : json["candidates"])
        for (const auto& move : c["moves"]) {
            if (move["difference"].is_null()) continue;
            double sum = move["rest"];
            for (const auto& share : move["shares"]) sum += share["share"].get<double>();
            EXPECT_NEAR(sum, move["difference"].get<double>(), 1e-6);
        }
}

TEST(Diff, Markdown) {
    EXPECT_TRUE(matchesGolden(diffMarkdown(comparison(), kContext), "diff.md"));
}

TEST(Diff, DocumentIsSound) {
    const Document document = diffDocument(comparison(), kContext);
    EXPECT_THAT(validate(document), IsEmpty());
    const std::string page = html(document);
    EXPECT_THAT(page, HasSubstr("training.tokens"));
    EXPECT_THAT(page, HasSubstr("trn2 now leads instead of h100"));
}

TEST(Diff, SharesShownAddUpToTheMoveShown) {
    const Comparison c = comparison();
    for (const CandidateComparison& one : c.candidates) {
        if (!one.before || !one.after) continue;
        const Reasons reasons = reasonsOf(one);
        for (std::size_t q = 0; q < shownQuantities().size(); ++q) {
            double sum = 0;
            bool any = false;
            for (const ReasonRow& row : reasons.rows)
                if (row.shares[q]) {
                    any = true;
                    sum += *row.shares[q];
                }
            const search::Move& move = one.moves[static_cast<std::size_t>(shownQuantities()[q])];
            const std::string shown = differenceText(shownQuantities()[q], move);
            if (!any || shown.empty()) continue;
            EXPECT_EQ(shareText(sum, reasons.decimals[q]), shown) << one.name() << " " << q;
        }
    }
}

TEST(Diff, NothingMoved) {
    Comparison c;
    c.before.name = "a.yaml";
    c.after.name = "b.yaml";
    CandidateComparison same;
    same.before = same.after = state("trn2", "1", "meets_all", 83, 18e6);
    c.candidates = {same};
    EXPECT_EQ(diffVerdict(c).front().english(),
              "No result moves: nothing that a result rests on differs.");
    EXPECT_THAT(diffMarkdown(c, kContext), Not(HasSubstr("<details>")));
    c.changes.push_back(comparison().changes[2]);
    EXPECT_EQ(diffVerdict(c).front().english(), "No result moves. Changed: 1 remark.");
}

TEST(Diff, VerdictOfEachKindOfLead) {
    const auto verdict = [](std::optional<CandidateState> a, std::optional<CandidateState> b) {
        Comparison c;
        CandidateComparison one;
        one.before = std::move(a);
        one.after = std::move(b);
        for (std::size_t q = 0; q < search::kQuantityCount; ++q) {
            if (one.before) one.moves[q].before = one.before->quantities[q];
            if (one.after) one.moves[q].after = one.after->quantities[q];
        }
        c.candidates = {one};
        return diffVerdict(c).front().english();
    };
    CandidateState dead = state("x", "×", "does_not_fit", 1, 1);
    dead.quantities = {};
    const CandidateState led = state("x", "1", "meets_all", 92, 21.5e6);
    const CandidateState leads = state("x", "1", "meets_all", 83, 18.5e6);
    const CandidateState late = state("x", "–", "misses_limit", 120, 30e6);
    EXPECT_EQ(verdict(led, leads), "x still leads: 18.5 M USD (−3.0), 83 days (−9.0).");
    EXPECT_THAT(verdict(led, late), HasSubstr("Nothing meets every limit any more"));
    EXPECT_THAT(verdict(late, leads), HasSubstr("as nothing did before"));
    EXPECT_THAT(verdict(led, dead), HasSubstr("No candidate can be run any more; x could."));
    EXPECT_THAT(verdict(std::nullopt, dead), HasSubstr("before or after"));
}

TEST(Diff, HostileNamesStayText) {
    Comparison c = comparison();
    const std::string hostile = "<b>|`[x](http://e)\n\x1b[31m";
    for (auto& one : c.candidates)
        for (auto* s : {&one.before, &one.after})
            if (*s) (*s)->name = hostile;
    c.after.name = hostile;
    c.changes[0].values[0].after = hostile;
    const std::string markdown = diffMarkdown(c, kContext);
    EXPECT_THAT(markdown, Not(HasSubstr("<b>|")));
    EXPECT_THAT(markdown, Not(HasSubstr("\x1b")));
    EXPECT_THAT(markdown, Not(HasSubstr("| [x](")));
    EXPECT_THAT(diffTerminal(c, TerminalStyle{}, kContext), Not(HasSubstr("\x1b")));
    EXPECT_THAT(html(diffDocument(c, kContext)), Not(HasSubstr("<b>|")));
    EXPECT_TRUE(nlohmann::json::accept(diffJson(c, kContext)));
}

}  // namespace
}  // namespace trainwright::reports
