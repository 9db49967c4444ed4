// SPDX-License-Identifier: GPL-3.0-or-later
// Every parallelism that a software profile can have: who shares what, over which ranks, and what
// it costs.
#include <gmock/gmock.h>

#include <cmath>

#include "model/layout/step.h"
#include "model/network/network.h"
#include "model/workload/operators.h"
#include "tests/model/layout/problems.h"

namespace trainwright::layout {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using namespace testing;

const CollectiveUse* find(const StepResult& r, const std::string& name) {
    for (const CollectiveUse& c : r.collectives) {
        if (c.name == name) return &c;
    }
    return nullptr;
}

double bytes(const StageMemory& m, MemoryKind k) {
    return m.byKind[static_cast<std::size_t>(k)].value();
}

std::vector<std::string> errors(const StepProblem& p, const Layout& l) {
    std::vector<std::string> out;
    for (const Finding& f : checkLegality(p, l)) {
        if (f.severity == Severity::Error) out.push_back(f.text.english());
    }
    return out;
}

std::string firstError(const StepProblem& p, const Layout& l) {
    const std::vector<std::string> all = errors(p, l);
    return all.empty() ? std::string() : all.front();
}

// ---- experts

StepProblem mixtureProblem(long chips = 64) {
    StepProblem p = problem(workload::testing::mixtral8x7b(), chips, 4096, 512);
    p.profile.expertTensor = ExpertTensor::Free;
    return p;
}

// Experts on a grid of their own: with te = 1 their group takes neighbours, whatever t is; with
// te = t every t-th rank.
TEST(Experts, SitWhereTheGridPutsThem) {
    const StepProblem p = mixtureProblem();
    Layout l = layoutOf(4, 1, 16, 1, 32);
    l.expert = 8;
    l.expertTensor = 1;
    const StepResult one = evaluateStep(p, l);
    ASSERT_TRUE(find(one, "dispatch of tokens"));
    EXPECT_EQ(find(one, "dispatch of tokens")->stride, 1);
    EXPECT_EQ(find(one, "dispatch of tokens")->ranks, 8);
    // Each rank holds a quarter of the sequence and sends top-2 copies of it.
    EXPECT_DOUBLE_EQ(find(one, "dispatch of tokens")->bytesPerCall.value(),
                     2.0 * 4096 / 4 * 2 * 4096);
    EXPECT_EQ(find(one, "all-gather of an expert's tokens"), nullptr);
    l.expertTensor = 0;
    const StepResult four = evaluateStep(p, l);
    EXPECT_EQ(find(four, "dispatch of tokens")->stride, 4);
    ASSERT_TRUE(find(four, "all-gather of an expert's tokens"));
    EXPECT_EQ(find(four, "all-gather of an expert's tokens")->ranks, 4);
}

TEST(Experts, InsideDataAreADataStrideApart) {
    StepProblem p = mixtureProblem();
    p.profile.expertTensor = ExpertTensor::SameAsTensor;
    p.profile.expertPlace = ExpertPlace::InsideData;
    Layout l = layoutOf(2, 1, 16, 1, 32);
    l.context = 2;
    l.expert = 4;
    EXPECT_EQ(find(evaluateStep(p, l), "dispatch of tokens")->stride, 4);
    p.profile.expertPlace = ExpertPlace::Outermost;
    EXPECT_EQ(find(evaluateStep(p, l), "dispatch of tokens")->stride, 16);
}

// The replicas of an expert are t·c·D / (te·e) ranks: gradients of experts are reduced over them.
TEST(Experts, AreReducedOverTheirReplicas) {
    const StepProblem p = mixtureProblem();
    Layout l = layoutOf(4, 1, 16, 1, 32);
    l.expert = 8;
    l.expertTensor = 1;
    const StepResult r = evaluateStep(p, l);
    const CollectiveUse* expert = find(r, "reduce-scatter of expert gradients");
    ASSERT_TRUE(expert);
    EXPECT_EQ(expert->ranks, 8);
    EXPECT_EQ(expert->stride, 8);
    EXPECT_EQ(find(r, "reduce-scatter of gradients")->ranks, 16);
}

TEST(Experts, AreCutAsTheProfileCutsThem) {
    StepProblem p = mixtureProblem();
    Layout l = layoutOf(4, 1, 16, 1, 32);
    l.expert = 8;
    l.expertTensor = 1;
    EXPECT_EQ(firstError(p, l), "");
    p.profile.expertTensor = ExpertTensor::SameAsTensor;
    EXPECT_THAT(firstError(p, l), HasSubstr("te is 1"));
    p.profile.expertTensor = ExpertTensor::Free;
    l.sequenceParallel = false;
    EXPECT_THAT(firstError(p, l), HasSubstr("same tokens twice"));
    l.sequenceParallel = true;
    l.expertTensor = 3;
    EXPECT_THAT(firstError(p, l), HasSubstr("expert width"));
    // Where expert groups are made of replicas, there have to be as many.
    p.profile.expertPlace = ExpertPlace::InsideData;
    l = layoutOf(4, 4, 4, 1, 128);
    l.expert = 8;
    EXPECT_THAT(firstError(p, l), HasSubstr("e8"));
}

TEST(Experts, AreRefusedWhereTheFrameworkRefusesThem) {
    StepProblem p = mixtureProblem();
    Layout l = layoutOf(4, 1, 8, 1, 64);
    l.expert = 8;
    l.context = 2;
    EXPECT_EQ(firstError(p, l), "");
    p.profile.expertWithContextAllowed = false;
    EXPECT_THAT(firstError(p, l), HasSubstr("e is 8, c is 2"));
    p.profile.expertWithContextAllowed = true;
    p.profile.expertRefusedAtTensor = {4};
    EXPECT_THAT(firstError(p, l), HasSubstr("no expert parallelism at t = 4"));
}

// One copy a host: of eight copies over four of eight hosts, 4·(1 − (3/4)^8) = 3.60 hosts get one.
TEST(Experts, OneCopyCrossesToEachHost) {
    StepProblem p = problem(workload::testing::deepseekV3(), 1024, 4096, 4096);
    p.architecture.moe->routingGroups = 8;
    p.architecture.moe->routedGroups = 4;
    p.profile.expertDispatch = ExpertDispatch::OncePerHost;
    p.profile.dispatchBytes = 1;
    p.profile.unevenLayers = UnevenLayers::GivenEnds;
    Layout l = layoutOf(1, 8, 128, 1, 32);
    l.expert = 64;
    const StepResult r = evaluateStep(p, l);
    const CollectiveUse* across = find(r, "dispatch of tokens");
    const CollectiveUse* inside = find(r, "dispatch inside the host");
    ASSERT_TRUE(across && inside);
    const double token = 4096.0 * 7168;
    EXPECT_EQ(across->ranks, 8);
    EXPECT_EQ(across->stride, 8);
    EXPECT_NEAR(across->bytesPerCall.value(), token * 4 * (1 - std::pow(0.75, 8)), 1);
    EXPECT_EQ(inside->ranks, 8);
    EXPECT_EQ(inside->stride, 1);
    EXPECT_NEAR(inside->bytesPerCall.value(), token * 8, 1);
    EXPECT_NEAR(find(r, "combine inside the host")->bytesPerCall.value(), 2 * token * 8, 1);
}

// Only where another micro-batch is at work meanwhile: an interleaved schedule, not plain 1F1B.
TEST(Experts, WaitLessWhereTheirExchangeIsOverlapped) {
    StepProblem p = mixtureProblem();
    Layout l = layoutOf(1, 4, 16, 1, 32);
    l.expert = 8;
    const auto exposed = [&] {
        return evaluateStep(p, l).parts[static_cast<std::size_t>(TimePart::Expert)].value();
    };
    const double alone = exposed();
    EXPECT_GT(alone, 0);
    p.profile.expertOverlap = 1;
    EXPECT_DOUBLE_EQ(exposed(), alone);
    l.schedule = Schedule::Interleaved;
    l.virtualStages = 4;
    EXPECT_LT(exposed(), 0.5 * alone);
    p.profile.expertOverlap = 0;
    EXPECT_GT(exposed(), 0.9 * alone);
}

// The busiest rank sets the pace; capacity fixes the number of slots.
TEST(Experts, ImbalanceAndCapacityCostTime) {
    StepProblem p = mixtureProblem();
    Layout l = layoutOf(1, 1, 64, 1, 8);
    l.expert = 8;
    const double even = evaluateStep(p, l, false).stepTime.value();
    p.training.expertLoadImbalance = 1.25;
    const double uneven = evaluateStep(p, l, false).stepTime.value();
    EXPECT_GT(uneven, even);
    p.training.expertLoadImbalance.reset();
    p.training.expertCapacityFactor = 1.25;
    EXPECT_DOUBLE_EQ(evaluateStep(p, l, false).stepTime.value(), uneven);
    // Slots are there without expert parallelism, too; an imbalance isn't felt.
    l.expert = 1;
    const double slots = evaluateStep(p, l, false).stepTime.value();
    p.training.expertCapacityFactor.reset();
    p.training.expertLoadImbalance = 1.25;
    EXPECT_LT(evaluateStep(p, l, false).stepTime.value(), slots);
}

TEST(Experts, EveryTokenGoesEverywhereWithAnAllGather) {
    StepProblem p = mixtureProblem();
    p.profile.expertDispatch = ExpertDispatch::AllGather;
    Layout l = layoutOf(1, 1, 64, 1, 8);
    l.expert = 8;
    const CollectiveUse* c = nullptr;
    const StepResult r = evaluateStep(p, l);
    ASSERT_TRUE(c = find(r, "dispatch of tokens"));
    EXPECT_EQ(c->kind, "all_gather");
    EXPECT_DOUBLE_EQ(c->bytesPerCall.value(), 2.0 * 8 * 4096 * 4096);
}

// ---- sharing of states

// Llama 3 8B at t = 32: eight key/value heads, each on four ranks. Where copies are stored each
// rank has 2·4096·128 weights of them a layer, else a quarter of that.
TEST(KeyValueCopies, TakeMemoryWhereTheyAreStored) {
    StepProblem p = problem(workload::testing::llama3_8b(), 32, 8192, 8);
    p.profile.tensorMayCrossHosts = true;
    const Layout l = layoutOf(32, 1, 1, 1, 8);
    const double once = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Weights);
    p.profile.keyValueReplicasStored = true;
    const double stored = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Weights);
    EXPECT_NEAR(stored - once, 32 * 2 * (1 - 0.25) * 2 * 4096 * 128, 1);
}

// Hybrid sharding: eight ranks share, eight copies of that are summed.
TEST(HybridSharding, SharesInsideAndCopiesOutside) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 64);
    p.profile.hybridSharding = true;
    Layout l = layoutOf(1, 1, 64, 1, 1);
    l.sharding = Sharding::Zero3;
    const StepResult whole = evaluateStep(p, l);
    l.shardDegree = 8;
    EXPECT_EQ(firstError(p, l), "");
    const StepResult hybrid = evaluateStep(p, l);
    EXPECT_NEAR(bytes(hybrid.memory.peak, MemoryKind::Weights),
                8 * bytes(whole.memory.peak, MemoryKind::Weights), 1);
    EXPECT_EQ(find(hybrid, "reduce-scatter of gradients")->ranks, 8);
    const CollectiveUse* outer = find(hybrid, "all-reduce of gradients between copies");
    ASSERT_TRUE(outer);
    EXPECT_EQ(outer->ranks, 8);
    EXPECT_EQ(outer->stride, 8);
    EXPECT_NEAR(outer->bytesPerCall.value(),
                find(hybrid, "reduce-scatter of gradients")->bytesPerCall.value() / 8, 1);
    p.profile.hybridSharding = false;
    EXPECT_THAT(firstError(p, l), HasSubstr("all 64 replicas or none"));
    p.profile.hybridSharding = true;
    l.shardDegree = 7;
    EXPECT_THAT(firstError(p, l), HasSubstr("Nearest: 8"));
}

TEST(ZeroTwo, ReducesEveryMicroBatch) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 512);
    p.profile.shardings = {Sharding::Zero1, Sharding::Zero2};
    p.profile.statesZero2 = {2, 6, 4, 8, false, true, true, true};
    Layout l = layoutOf(1, 1, 64, 1, 8);
    EXPECT_EQ(find(evaluateStep(p, l), "reduce-scatter of gradients")->calls, 1);
    l.sharding = Sharding::Zero2;
    EXPECT_EQ(find(evaluateStep(p, l), "reduce-scatter of gradients")->calls, 8);
}

TEST(ContextParallel, IsReducedApartWhereTheFrameworkDoes) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 32);
    Layout l = layoutOf(2, 1, 16, 1, 2);
    l.context = 2;
    EXPECT_EQ(find(evaluateStep(p, l), "all-reduce of gradients over context ranks"), nullptr);
    p.profile.contextReducedApart = true;
    const StepResult r = evaluateStep(p, l);
    ASSERT_TRUE(find(r, "all-reduce of gradients over context ranks"));
    EXPECT_EQ(find(r, "all-reduce of gradients over context ranks")->ranks, 2);
}

TEST(TiedEmbeddings, AreSummedBetweenFirstAndLastStage) {
    workload::Architecture a = workload::testing::llama3_8b();
    a.tiedEmbeddings = true;
    const StepProblem p = problem(a, 64, 8192, 64);
    const StepResult r = evaluateStep(p, layoutOf(2, 4, 8, 1, 8));
    const CollectiveUse* c = find(r, "all-reduce of the shared embedding's gradients");
    ASSERT_TRUE(c);
    EXPECT_EQ(c->ranks, 2);
    EXPECT_EQ(c->stride, 3 * 16);
    EXPECT_NEAR(c->bytesPerCall.value(), 4.0 * 128256 * 4096 / 2, 4.0 * 256 * 4096);
    EXPECT_EQ(find(evaluateStep(p, layoutOf(2, 1, 32, 1, 2)),
                   "all-reduce of the shared embedding's gradients"),
              nullptr);
}

// ---- context exchange

TEST(ContextExchange, EachKindMovesItsOwnTensors) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 8);
    p.profile.contextExchanges = {ContextExchange::Ring, ContextExchange::AllGather,
                                  ContextExchange::AllToAll};
    Layout l = layoutOf(2, 1, 8, 1, 1);
    l.context = 4;
    const double tokens = 8192.0 / 4;
    const double keys = 8 * 128 / 2.0;
    // A ring passes keys and values of 2,048 tokens on three times forward, and twice that back.
    const StepResult ring = evaluateStep(p, l);
    EXPECT_EQ(find(ring, "ring exchange of keys and values")->bytesPerCall.value(),
              2 * tokens * 2 * keys);
    EXPECT_EQ(find(ring, "ring exchange of keys and values")->calls, 32 * (3 + 6));
    l.contextExchange = ContextExchange::AllGather;
    const StepResult gathered = evaluateStep(p, l);
    EXPECT_EQ(find(gathered, "all-gather of keys and values")->bytesPerCall.value(),
              2 * 8192.0 * 2 * keys);
    EXPECT_EQ(find(gathered, "all-gather of keys and values")->hidden.value(), 0);
    l.contextExchange = ContextExchange::AllToAll;
    const StepResult heads = evaluateStep(p, l);
    // Queries, keys, values and outputs in turn: their mean.
    EXPECT_EQ(find(heads, "exchange of heads for sequence")->bytesPerCall.value(),
              2 * tokens * (2048 + 2 * keys + 2048) / 4);
    l.context = 3;
    EXPECT_THAT(errors(p, l), Contains(HasSubstr("all_to_all exchange deals 16 heads")));
    p.profile.contextExchanges = {ContextExchange::Ring};
    l.context = 4;
    EXPECT_THAT(firstError(p, l), HasSubstr("no all_to_all exchange"));
}

TEST(ContextExchange, UnbalancedCausalWorkCostsNearlyTwice) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 65536, 8);
    Layout l = layoutOf(2, 1, 8, 1, 1);
    l.context = 4;
    const auto attention = [&] {
        double seconds = 0;
        for (const OperatorCost& o : evaluateStep(p, l).operators) {
            if (o.name == "attention") seconds += o.flopPerCall.value();
        }
        return seconds;
    };
    const double balanced = attention();
    p.profile.contextBalanced = false;
    EXPECT_NEAR(attention() / balanced, 2 - 1.0 / 4, 1e-9);
}

// ---- stages

std::vector<int> layersOn(const workload::Architecture& a, int pipeline, int virtualStages,
                          int first = 0, int last = 0) {
    SoftwareProfile f;
    f.unevenLayers = UnevenLayers::GivenEnds;
    std::vector<int> out;
    for (const StageLayers& s : placeLayers(a, f, pipeline, virtualStages, first, last))
        out.push_back(s.total());
    return out;
}

// Real runs whose layers don't divide: 126 over 16, 61 over 16 and 94 over 8 stages.
TEST(GivenEnds, ShareWhatTheInnerStagesLeave) {
    workload::Architecture a = workload::testing::llama3_8b();
    const auto expectEnds = [&](int layers, int p, int v, int first, int inner, int last) {
        a.layers = layers;
        const std::vector<int> on = layersOn(a, p, v);
        ASSERT_EQ(on.size(), static_cast<std::size_t>(p));
        EXPECT_EQ(on.front(), first);
        EXPECT_EQ(on[1], inner);
        EXPECT_EQ(on.back(), last);
    };
    expectEnds(126, 16, 1, 7, 8, 7);
    expectEnds(61, 16, 1, 3, 4, 2);
    expectEnds(94, 8, 1, 11, 12, 11);
    // 61 layers in 32 chunks: an embedding with one layer at the front, the head alone at the back.
    expectEnds(61, 16, 2, 3, 4, 2);
    a.layers = 61;
    EXPECT_EQ(layersOn(a, 16, 1, 1, 4).front(), 1);
    EXPECT_EQ(layersOn(a, 16, 1, 1, 4).back(), 4);
    EXPECT_TRUE(layersOn(a, 16, 1, 2, 2).empty());
}

// Multi-token prediction adds a layer, a projection of twice the hidden size and a second head to
// the last stage.
TEST(MultiToken, WeighsOnTheLastStage) {
    workload::Architecture a = workload::testing::deepseekV3();
    a.multiTokenHeads = 0;
    StepProblem p = problem(a, 1024, 4096, 4096);
    p.profile.unevenLayers = UnevenLayers::GivenEnds;
    Layout l = layoutOf(1, 16, 64, 1, 64);
    l.expert = 64;
    const StepResult without = evaluateStep(p, l);
    p.architecture.multiTokenHeads = 1;
    const StepResult with = evaluateStep(p, l);
    EXPECT_GT(with.stageTimes.back().forward, without.stageTimes.back().forward);
    EXPECT_EQ(with.stageTimes[5].forward, without.stageTimes[5].forward);
    const double more = bytes(with.memory.stages.back(), MemoryKind::Weights) -
                        bytes(without.memory.stages.back(), MemoryKind::Weights);
    const workload::ParameterCount c = workload::countParameters(p.architecture);
    const double routed = 256 * 3.0 * 7168 * 2048;
    const double vocabulary = 129280.0 * 7168;
    EXPECT_NEAR(more, 2 * (c.multiToken - routed + routed / 64 + vocabulary), 0.02 * more);
}

// ---- recompute

TEST(Recompute, OneLayerInSoMany) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    p.profile.recomputeEvery = {1, 2, 4};
    Layout l = layoutOf(1, 1, 8, 1, 1);
    const auto activations = [&] {
        return bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    };
    const double none = activations();
    l.recompute = Recompute::Full;
    const double all = activations();
    l.recomputeEvery = 4;
    EXPECT_EQ(firstError(p, l), "");
    const double some = activations();
    // Of 32 layers eight keep their input alone; the layer at work is there whole, too.
    const double layer = none / 32;
    const double input = 2.0 * 8192 * 4096;
    EXPECT_NEAR(all, 32 * input + layer, 0.01 * all);
    EXPECT_NEAR(some, 24 * layer + 8 * input + layer, 0.01 * some);
    const double time = evaluateStep(p, l, false).stepTime.value();
    l.recomputeEvery = 1;
    EXPECT_LT(time, evaluateStep(p, l, false).stepTime.value());
    p.profile.recomputeEvery = {1};
    l.recomputeEvery = 4;
    EXPECT_THAT(firstError(p, l), HasSubstr("every layer or none"));
}

TEST(Recompute, NamedGroups) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    p.profile.selectiveGroups = {"core_attention"};
    p.profile.otherSelectiveGroups = {{"norm"}, {"mlp"}};
    Layout l = layoutOf(1, 1, 8, 1, 1);
    const double none = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    l.recompute = Recompute::Selective;
    // With a fused kernel there are no scores to drop: the default set saves nothing.
    EXPECT_NEAR(bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations), none, 1);
    l.recomputeGroups = workload::kMlp;
    const double mlp = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    // Gate, up and product: 6f bytes a token of 31 layers; those of the one at work are there.
    EXPECT_NEAR(none - mlp, 31 * 6.0 * 14336 * 8192, 1e6);
    l.recomputeGroups = workload::kMoe;
    EXPECT_THAT(firstError(p, l), HasSubstr("can't recompute moe; it knows norm + core_attention"));
}

// A set that no search would try is priced like a listed one, whatever the evaluator saw before.
TEST(Recompute, ASetOfItsOwnIsPricedLikeAListedOne) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    Layout l = layoutOf(1, 1, 8, 1, 1);
    l.recompute = Recompute::Selective;
    l.recomputeGroups = workload::kNorm | workload::kMlp;
    const network::Network net(p.cluster.system, p.cluster.chips, 1);
    p.profile.otherSelectiveGroups = {{"norm", "mlp"}};
    StepEvaluator listed(p, net);
    p.profile.otherSelectiveGroups = {{"norm"}, {"mlp"}};
    StepEvaluator unlisted(p, net);
    Layout other = l;
    other.recomputeGroups = 0;
    EXPECT_GT(unlisted.peakMemory(other), unlisted.peakMemory(l));
    EXPECT_EQ(unlisted.peakMemory(l), listed.peakMemory(l));
    EXPECT_EQ(unlisted.stepTime(l), listed.stepTime(l));
}

// ---- offload

TEST(Offload, MovesStatesToTheHostAndPaysForIt) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    p.profile.offloads = {Offload::Optimizer, Offload::Activations};
    Layout l = layoutOf(1, 1, 8, 1, 1);
    const StepResult inside = evaluateStep(p, l);
    l.offloadOptimizer = true;
    EXPECT_THAT(firstError(p, l), HasSubstr("not known"));
    p.cluster.system.hostLinkBandwidth = units::BytesPerSecond(25e9);
    p.cluster.system.hostMemoryBandwidth = units::BytesPerSecond(300e9);
    EXPECT_EQ(firstError(p, l), "");
    const StepResult outside = evaluateStep(p, l);
    EXPECT_EQ(bytes(outside.memory.peak, MemoryKind::Optimizer), 0);
    EXPECT_GT(bytes(inside.memory.peak, MemoryKind::Optimizer), 0);
    // 8.03e9/8 parameters: 6 bytes each over the link, 30 through an eighth of the host's memory.
    const double own = 8.03e9 / 8;
    const double more = outside.parts[static_cast<std::size_t>(TimePart::Optimizer)].value() -
                        inside.parts[static_cast<std::size_t>(TimePart::Optimizer)].value();
    EXPECT_NEAR(more, own * 6 / 25e9 + own * 30 / (300e9 / 8), 0.05 * more);
    l.offloadOptimizer = false;
    l.offloadActivations = true;
    const StepResult lent = evaluateStep(p, l);
    EXPECT_LT(bytes(lent.memory.peak, MemoryKind::Activations),
              0.1 * bytes(inside.memory.peak, MemoryKind::Activations));
    EXPECT_GE(lent.stepTime, inside.stepTime);
}

// ---- precision

// FP8 keeps the inputs of its GEMMs in a byte: of 8h + 4q + 4k + 6f bytes a token and layer the two
// norm outputs, and the product, are half as large. The attention output stays in bf16.
TEST(Fp8, KeepsInputsInAByte) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    const Layout l = layoutOf(1, 1, 8, 1, 1);
    const double bf16 = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    p.training.precision = machine::Dtype::Fp8;
    const double fp8 = bytes(evaluateStep(p, l).memory.peak, MemoryKind::Activations);
    EXPECT_NEAR(bf16 - fp8, 32 * 8192.0 * (2 * 4096 + 14336), 1e6);
}

TEST(Fp8, ARecipeThatLooksForTheLargestValueReadsTwice) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    p.training.precision = machine::Dtype::Fp8;
    p.profile.scalingRecipes = {ScalingRecipe::Delayed, ScalingRecipe::Tensorwise};
    const Layout l = layoutOf(1, 1, 8, 1, 1);
    const auto cast = [&] {
        for (const OperatorCost& o : evaluateStep(p, l).operators) {
            if (o.name == "quantise MLP input") return o.bytesPerCall.value();
        }
        return 0.0;
    };
    const double delayed = cast();
    p.training.scalingRecipe = ScalingRecipe::Tensorwise;
    EXPECT_DOUBLE_EQ(cast() / delayed, 6.0 / 4.0);
    p.training.scalingRecipe = ScalingRecipe::Blockwise;
    EXPECT_THAT(errors(p, l), Contains("gpu profile has no blockwise recipe."));
}

TEST(States, TakeTheFormatsOfTheRun) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    const Layout l = layoutOf(1, 1, 8, 1, 1);
    const double n = 8.03e9;
    const auto optimizer = [&] {
        return bytes(evaluateStep(p, l).memory.peak, MemoryKind::Optimizer);
    };
    EXPECT_NEAR(optimizer(), 12 * n / 8, 0.01e9);
    p.training.optimizerStateBytes = 2;
    EXPECT_NEAR(optimizer(), (4 + 4) * n / 8, 0.01e9);
    p.training.optimizerStateBytes.reset();
    p.training.optimizer = Optimizer::Muon;
    EXPECT_NEAR(optimizer(), (4 + 4) * n / 8, 0.01e9);
    p.training.optimizer = Optimizer::Adafactor;
    EXPECT_NEAR(optimizer(), 4 * n / 8, 0.01e9);
    p.training.gradientBytes = 2;
    const StepResult r = evaluateStep(p, l);
    EXPECT_NEAR(bytes(r.memory.peak, MemoryKind::Gradients), 2 * n, 0.1e9);
    EXPECT_NEAR(find(r, "reduce-scatter of gradients")->bytesPerCall.value(), 2 * n, 0.1e9);
}

TEST(States, MuonOrthogonalisesItsMatrices) {
    StepProblem p = problem(workload::testing::llama3_8b(), 8, 8192, 8);
    const Layout l = layoutOf(1, 1, 8, 1, 1);
    const auto seconds = [&] {
        return evaluateStep(p, l, false)
            .parts[static_cast<std::size_t>(TimePart::Optimizer)]
            .value();
    };
    const double adam = seconds();
    p.training.optimizer = Optimizer::Muon;
    // 15 products of 4096³ for each 4096² of the rank's eighth: 30·4096 FLOP a parameter.
    EXPECT_GT(seconds() - adam, 0.5 * 30 * 4096.0 * 8.03e9 / 8 / 312e12);
}

// ---- schedules

TEST(Schedules, PutOffWeightGradientsFillTheBubble) {
    StepProblem p = problem(workload::testing::gpt("even", 32, 4096, 32, 128), 32, 4096, 64);
    p.profile.unevenLayers = UnevenLayers::RemainderLast;
    p.profile.schedules = {Schedule::GPipe, Schedule::OneForwardOneBackward, Schedule::ZeroBubble,
                           Schedule::DualPipe};
    Layout l = layoutOf(4, 8, 1, 1, 64);
    const auto bubble = [&] {
        return evaluateStep(p, l, false).parts[static_cast<std::size_t>(TimePart::Bubble)].value();
    };
    const double plain = bubble();
    l.schedule = Schedule::GPipe;
    EXPECT_NEAR(bubble(), plain, 0.02 * plain);
    l.schedule = Schedule::ZeroBubble;
    EXPECT_EQ(firstError(p, l), "");
    EXPECT_LT(bubble(), 0.8 * plain);
    l.schedule = Schedule::DualPipe;
    EXPECT_EQ(firstError(p, l), "");
    EXPECT_GE(bubble(), 0);
    EXPECT_LT(bubble(), 0.8 * plain);
    l.microBatches = 63;
    EXPECT_THAT(errors(p, l), Contains(HasSubstr("even number of micro-batches")));
}

TEST(Schedules, AnInterleavedOneMayNeedMoreThanTwoStages) {
    StepProblem p = problem(workload::testing::llama3_8b(), 64, 8192, 128);
    p.profile.unevenLayers = UnevenLayers::GivenEnds;
    Layout l = layoutOf(4, 2, 8, 1, 16);
    l.virtualStages = 2;
    l.schedule = Schedule::Interleaved;
    EXPECT_EQ(firstError(p, l), "");
    p.profile.interleavedPipelineMin = 3;
    EXPECT_THAT(firstError(p, l), HasSubstr("needs p = 3 or more; it is 2"));
}

// What the search reckons with and what is drawn event by event are one.
TEST(Schedules, TheStepIsThatOfItsEvents) {
    StepProblem p = problem(workload::testing::llama3_70b(), 256, 8192, 128);
    p.profile.unevenLayers = UnevenLayers::GivenEnds;
    for (int v : {1, 2, 5}) {
        Layout l = layoutOf(8, 4, 8, 1, 16);
        l.virtualStages = v;
        l.schedule = v > 1 ? Schedule::Interleaved : Schedule::OneForwardOneBackward;
        const StepResult r = evaluateStep(p, l);
        double body = 0;
        for (TimePart part : {TimePart::Compute, TimePart::Memory, TimePart::Tensor,
                              TimePart::Bubble, TimePart::Pipeline, TimePart::Recompute})
            body += r.parts[static_cast<std::size_t>(part)].value();
        const network::Network net(p.cluster.system, p.cluster.chips, 1);
        const double events = simulate(StepEvaluator(p, net).pipeline(l)).seconds;
        EXPECT_NEAR(body / events, 1.0, 0.015) << v;
    }
}

// Another order of ranks moves the groups and nothing else.
TEST(RankOrder, MovesStagesAndReplicas) {
    StepProblem p = problem(workload::testing::llama3_70b(), 256, 8192, 128);
    p.profile.otherRankOrders = {
        {Axis::Tensor, Axis::Context, Axis::Expert, Axis::Pipeline, Axis::Data}};
    Layout l = layoutOf(4, 4, 16, 1, 8);
    EXPECT_EQ(find(evaluateStep(p, l), "activations to the next stage")->stride, 64);
    EXPECT_EQ(find(evaluateStep(p, l), "reduce-scatter of gradients")->stride, 4);
    l.rankOrder = 1;
    EXPECT_EQ(find(evaluateStep(p, l), "activations to the next stage")->stride, 4);
    EXPECT_EQ(find(evaluateStep(p, l), "reduce-scatter of gradients")->stride, 16);
}

}  // namespace
}  // namespace trainwright::layout
