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

SearchOutcome searched(const layout::StepProblem& p, const LayoutChoice& choice = {}) {
    const network::Network net(p.cluster.system, p.cluster.chips,
                               layout::ranksPerChip(p.profile, p.cluster.system.chip));
    return searchLayouts(p, choice, net);
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
    const SearchOutcome o = searched(p);
    ASSERT_TRUE(o.best);
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

}  // namespace
}  // namespace trainwright::search
