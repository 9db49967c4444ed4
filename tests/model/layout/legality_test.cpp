// SPDX-License-Identifier: GPL-3.0-or-later
#include <gmock/gmock.h>

#include "model/layout/layout.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using ::testing::HasSubstr;
using namespace testing;

std::string firstError(const StepProblem& p, const Layout& l) {
    for (const Finding& f : checkLegality(p, l)) {
        if (f.severity == Severity::Error) return f.text.english();
    }
    return {};
}

struct Case {
    const char* what;
    void (*change)(StepProblem&, Layout&);
    const char* says;
};

void PrintTo(const Case& c, std::ostream* out) {
    *out << c.what;
}

class Legality : public ::testing::TestWithParam<Case> {};

TEST_P(Legality, SaysWhatIsWrong) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 128);
    Layout l = layoutOf(4, 4, 4, 1, 32);
    ASSERT_EQ(firstError(p, l), "");
    GetParam().change(p, l);
    EXPECT_THAT(firstError(p, l), HasSubstr(GetParam().says));
}

INSTANTIATE_TEST_SUITE_P(
    Rules, Legality,
    ::testing::Values(
        Case{"ranks",
             [](StepProblem&, Layout& l) {
                 l.data = 8;
                 l.microBatches = 16;
             },
             "is 128 ranks; the cluster has 64."},
        Case{"degree", [](StepProblem&, Layout& l) { l.tensor = 0; },
             "`tensor` is 0; a degree is at least 1."},
        Case{"heads",
             [](StepProblem& p, Layout&) {
                 p.architecture.heads = 30;
                 p.architecture.keyValueHeads = 30;
             },
             "t = 4 doesn't divide 30 heads. Nearest: 3."},
        Case{"kv heads",
             [](StepProblem& p, Layout&) {
                 p.architecture.keyValueHeads = 2;
                 p.profile.keyValueReplication = false;
             },
             "key/value heads"},
        Case{"ffn", [](StepProblem& p, Layout&) { p.architecture.ffn = 14333; },
             "feed-forward width 14333"},
        Case{"vocabulary",
             [](StepProblem& p, Layout&) {
                 p.architecture.vocabulary = 128257;
                 p.profile.vocabularyPadMultiple = 0;
             },
             "vocabulary of 128257"},
        Case{"known degrees",
             [](StepProblem& p, Layout&) {
                 p.profile.tensorDegrees = {8, 32};
             },
             "known: 8, 32"},
        Case{"domain",
             [](StepProblem& p, Layout& l) {
                 l = layoutOf(16, 1, 4, 1, 32);
                 p.architecture.keyValueHeads = 32;
             },
             "more than the 8 ranks that the fast links join"},
        Case{"layers", [](StepProblem& p, Layout&) { p.architecture.layers = 29; },
             "29 layers can't be laid on 4 stages of 1"},
        Case{"batch", [](StepProblem& p, Layout&) { p.training.globalBatchSequences = 130; },
             "A batch of 130 sequences isn't 32 micro-batches of 1 on 4 replicas."},
        Case{"sharding", [](StepProblem&, Layout& l) { l.sharding = Sharding::Zero2; },
             "doesn't shard by zero2"},
        Case{"virtual", [](StepProblem&, Layout& l) { l.virtualStages = 2; },
             "don't go with a 1f1b schedule"},
        Case{"interleaved",
             [](StepProblem& p, Layout& l) {
                 l.virtualStages = 2;
                 l.schedule = Schedule::Interleaved;
                 p.training.globalBatchSequences = 120;
                 l.microBatches = 30;
             },
             "multiples of p = 4; there are 30"},
        Case{"expert", [](StepProblem&, Layout& l) { l.expert = 2; }, "needs a mixture of experts"},
        Case{"context",
             [](StepProblem& p, Layout& l) {
                 p.profile.contextAllowed = false;
                 l.context = 2;
                 l.data = 2;
                 l.microBatches = 64;
             },
             "has no context parallelism"},
        Case{"precision",
             [](StepProblem& p, Layout&) { p.training.precision = machine::Dtype::Fp8; },
             "doesn't train in fp8"},
        Case{"tied",
             [](StepProblem& p, Layout&) {
                 p.architecture.tiedEmbeddings = true;
                 p.profile.tiedEmbeddingsWithPipeline = false;
             },
             "can't tie embeddings"}));

TEST(Legality, TellsOfCopiedKeyValueHeads) {
    StepProblem p = problem(workload::testing::llama3_8b(), 16, 8192, 128);
    p.cluster = {trn2Server(), 16};
    p.profile = neuronProfile();
    const std::vector<Finding> findings = checkLegality(p, layoutOf(32, 1, 2, 1, 64));
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].severity, Severity::Note);
    EXPECT_EQ(findings[0].text.english(), "8 key/value heads at t = 32: each is copied 4 times.");
}

}  // namespace
}  // namespace trainwright::layout
