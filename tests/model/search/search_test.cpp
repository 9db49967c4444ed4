// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/search.h"

#include <gmock/gmock.h>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

using layout::Layout;
using layout::LayoutChoice;
using layout::testing::problem;

SearchOutcome searched(const layout::StepProblem& p, const LayoutChoice& choice = {},
                       const SearchOptions& options = {}) {
    const network::Network net(p.cluster.system, p.cluster.chips,
                               layout::ranksPerChip(p.profile, p.cluster.system.chip));
    return searchLayouts(p, choice, net, options);
}

TEST(Search, FindsALegalLayoutThatFits) {
    layout::StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    const SearchOutcome o = searched(p);
    ASSERT_TRUE(o.best);
    EXPECT_FALSE(hasErrors(layout::checkLegality(p, *o.best)));
    const layout::StepResult r = layout::evaluateStep(p, *o.best);
    EXPECT_TRUE(r.memory.fits());
    EXPECT_NEAR(r.stepTime.value(), o.bestTime.value(), 1e-12);
    EXPECT_GT(o.statistics.layoutsEvaluated, o.statistics.layoutsFeasible);
}

// Nothing that the search could have chosen is better: every layout of a small space, one by one.
TEST(Search, MissesNothing) {
    layout::StepProblem p = problem(workload::testing::llama3_8b(), 8, 4096, 16);
    p.profile.contextAllowed = false;
    SearchOptions exhaustive;
    exhaustive.exhaustive = true;
    const SearchOutcome o = searched(p, {}, exhaustive);
    ASSERT_TRUE(o.best);
    EXPECT_EQ(o.statistics.layoutsPruned, 0);
    long legal = 0;
    for (int t : {1, 2, 4, 8}) {
        for (int pipeline : {1, 2, 4, 8}) {
            if (8 % (t * pipeline) != 0) continue;
            for (int b : {1, 2, 4, 8, 16}) {
                for (int v = 1; v <= 16; ++v) {
                    for (layout::Sharding s : p.profile.shardings) {
                        for (layout::Recompute r : p.profile.recomputes) {
                            Layout l =
                                layout::testing::layoutOf(t, pipeline, 8 / t / pipeline, b, 1);
                            if (16 % (b * l.data) != 0) continue;
                            l.microBatches = 16 / (b * l.data);
                            l.virtualStages = v;
                            l.schedule = v > 1 ? layout::Schedule::Interleaved
                                               : layout::Schedule::OneForwardOneBackward;
                            l.sharding = s;
                            l.recompute = r;
                            if (hasErrors(layout::checkLegality(p, l))) continue;
                            ++legal;
                            const layout::StepResult result = layout::evaluateStep(p, l, false);
                            if (result.memory.fits()) {
                                EXPECT_GE(result.stepTime, o.bestTime) << layout::shortForm(l);
                            }
                        }
                    }
                }
            }
        }
    }
    EXPECT_EQ(legal, o.statistics.layoutsEvaluated);
}

TEST(Search, KeepsWhatIsGiven) {
    const layout::StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    LayoutChoice choice;
    choice.tensor = 4;
    choice.pipeline = 4;
    choice.recompute = layout::Recompute::Full;
    const SearchOutcome o = searched(p, choice);
    ASSERT_TRUE(o.best);
    EXPECT_EQ(o.best->tensor, 4);
    EXPECT_EQ(o.best->pipeline, 4);
    EXPECT_EQ(o.best->recompute, layout::Recompute::Full);
    EXPECT_EQ(o.best->data, 4);
}

TEST(Search, SaysWhyNothingIsLegal) {
    const layout::StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 128);
    LayoutChoice choice;
    choice.tensor = 3;
    const SearchOutcome o = searched(p, choice);
    EXPECT_FALSE(o.best || o.smallest);
    ASSERT_FALSE(o.obstacles.empty());
    EXPECT_EQ(o.obstacles.front().english(),
              "No tensor, pipeline and data degrees divide 8 ranks and a batch of 128 sequences "
              "together.");
}

TEST(Search, OffersTheSmallestWhenNothingFits) {
    const layout::StepProblem p = problem(workload::testing::llama31_405b(), 8, 8192, 128);
    const SearchOutcome o = searched(p);
    EXPECT_FALSE(o.best);
    ASSERT_TRUE(o.smallest);
    EXPECT_EQ(o.statistics.layoutsFeasible, 0);
}

TEST(Search, AlternativesAreFasterOnesThatDoNotFitAndOthersThatDo) {
    const layout::StepProblem p = problem(workload::testing::llama3_70b(), 64, 8192, 128);
    const SearchOutcome o = searched(p);
    ASSERT_FALSE(o.alternatives.empty());
    for (const Alternative& a : o.alternatives) {
        EXPECT_NE(a.layout, *o.best);
        if (a.fits)
            EXPECT_GE(a.stepTime, o.bestTime);
        else
            EXPECT_LT(a.stepTime, o.bestTime);
    }
}

void expectSame(const SearchOutcome& a, const SearchOutcome& b) {
    EXPECT_EQ(a.best, b.best);
    EXPECT_EQ(a.bestTime, b.bestTime);
    EXPECT_EQ(a.smallest, b.smallest);
    EXPECT_EQ(a.alternatives, b.alternatives);
    EXPECT_EQ(a.front, b.front);
}

std::vector<layout::StepProblem> problems() {
    std::vector<layout::StepProblem> out{
        problem(workload::testing::llama3_70b(), 64, 8192, 128),
        problem(workload::testing::gpt("gpt3-175b", 96, 12288, 96), 1024, 2048, 1536),
        problem(workload::testing::mixtral8x7b(), 64, 4096, 256)};
    out[0].profile.selectiveGroups = {"norm", "mlp_activation"};
    return out;
}

TEST(Search, PruningChangesNothingButTheCount) {
    for (const layout::StepProblem& p : problems()) {
        SearchOptions exhaustive;
        exhaustive.exhaustive = true;
        const SearchOutcome all = searched(p, {}, exhaustive);
        const SearchOutcome pruned = searched(p);
        expectSame(all, pruned);
        EXPECT_GT(pruned.statistics.layoutsPruned, 0);
        EXPECT_EQ(pruned.statistics.layoutsPruned + pruned.statistics.layoutsEvaluated,
                  all.statistics.layoutsEvaluated);
    }
}

TEST(Search, IsTheSameOnAnyNumberOfThreads) {
    for (const layout::StepProblem& p : problems()) {
        const SearchOutcome one = searched(p);
        for (int threads : {2, 3, 8}) {
            SearchOptions options;
            options.threads = threads;
            const SearchOutcome many = searched(p, {}, options);
            expectSame(one, many);
            EXPECT_EQ(one.statistics.layoutsEvaluated, many.statistics.layoutsEvaluated);
            EXPECT_EQ(one.statistics.layoutsPruned, many.statistics.layoutsPruned);
        }
    }
}

TEST(Search, TheFrontHoldsWhatNothingBeatsInTimeAndMemory) {
    const SearchOutcome o = searched(problem(workload::testing::llama3_70b(), 64, 8192, 128));
    ASSERT_FALSE(o.front.empty());
    EXPECT_EQ(o.front.front().layout, *o.best);
    for (std::size_t i = 1; i < o.front.size(); ++i) {
        EXPECT_GT(o.front[i].stepTime, o.front[i - 1].stepTime);
        EXPECT_LT(o.front[i].memory, o.front[i - 1].memory);
        EXPECT_TRUE(o.front[i].fits);
    }
}

TEST(Search, StopsSoonAfterItIsAskedTo) {
    SearchOptions options;
    int asked = 0;
    options.cancelled = [&asked] { return ++asked >= 2; };
    const SearchOutcome o =
        searched(problem(workload::testing::llama31_405b(), 4096, 8192, 2048), {}, options);
    EXPECT_TRUE(o.stopped);
    EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace trainwright::search
