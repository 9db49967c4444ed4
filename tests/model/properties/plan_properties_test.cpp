// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold of any plan on any machine: a better part never makes it worse, a choice left open
// is never worse than one made, the same question has the same answer however it is put.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <random>

#include "model/layout/step.h"
#include "model/search/plan.h"
#include "model/units/quantity.h"
#include "tests/model/layout/problems.h"

namespace trainwright::search {
namespace {

using layout::Layout;
using layout::StepProblem;

constexpr unsigned kSeed = 20270308;

// Noise of adding the same numbers in another order, many times over.
constexpr double kNoise = 1 + 1e-9;

class Random {
public:
    explicit Random(unsigned seed) : engine_(seed) {}
    double unit() { return static_cast<double>(engine_() >> 11) / 9007199254740992.0; }
    bool chance(double p) { return unit() < p; }
    template <typename T>
    T oneOf(std::initializer_list<T> values) {
        return *(values.begin() + static_cast<long>(unit() * static_cast<double>(values.size())));
    }
    /// Between 1/factor and factor, as likely above one as below.
    double around(double factor) { return std::pow(factor, 2 * unit() - 1); }

private:
    std::mt19937_64 engine_;
};

CandidateRequest randomCandidate(Random& random) {
    CandidateRequest c;
    const bool gpu = random.chance(0.5);
    c.system = gpu ? layout::testing::a100Node() : layout::testing::trn2Server();
    c.profile = gpu ? layout::testing::gpuProfile() : layout::testing::neuronProfile();
    machine::ChipSpec& chip = c.system.chip;
    const double peak = random.around(4);
    for (auto& p : chip.enginePeak) p *= peak;
    for (auto& p : chip.headlinePeak) p *= peak;
    chip.hbmBandwidth *= random.around(4);
    chip.hbmCapacity *= random.around(2);
    machine::FabricSpec& fabric = c.system.fabric;
    for (auto& b : fabric.linkBandwidth) b *= random.around(4);
    fabric.nicBandwidth *= random.around(8);
    fabric.scaleOutLatency *= random.around(8);
    fabric.hopLatency *= random.around(8);
    fabric.protocolHalfBytes = random.chance(0.5) ? 0 : 1e6 * random.unit();
    fabric.scaleOutHalfBytes = random.chance(0.5) ? 0 : 1e7 * random.unit();
    c.profile.tensorOverlap = random.chance(0.5) ? 0 : random.unit();
    c.profile.dataOverlap = random.chance(0.3) ? 0 : random.unit();
    c.profile.pipelineOverlap = random.chance(0.5) ? 0 : random.unit();
    c.profile.overlapComputeTax = random.chance(0.5) ? 0 : 0.3 * random.unit();
    c.profile.stragglerPerLogRank = random.chance(0.5) ? 0 : 0.01 * random.unit();
    c.chips = c.system.chipsPerHost * random.oneOf({1L, 2L, 4L, 8L, 16L});

    chip.thermalDesignPower = units::Watts(500);
    chip.idlePower = units::Watts(60);
    c.system.power.acceleratorActiveShare = 1;
    c.system.power.hostPower = units::Watts(2900);
    c.system.power.hostIdlePower = units::Watts(1100);
    c.system.power.networkPowerPerHost = units::Watts(500);
    c.region = run::Region{"example-1", "Example", 1.15, false, 300.0, "location-based"};
    c.price.state = run::PriceState::Known;
    c.price.perUnit = units::usDollarsPerHour(40 * random.around(2));
    c.price.plan = "on_demand";
    c.operations.interruptionsPerChipHour = 2e-5 * random.around(10);
    c.operations.restartTime = units::Seconds(600 * random.around(3));
    c.operations.checkpointBandwidth = units::BytesPerSecond(5e10 * random.around(10));
    c.operations.evaluationShare = 0.01;
    c.operations.startup = units::hours(random.unit());
    return c;
}

PlanRequest randomRequest(Random& random) {
    PlanRequest r;
    r.architecture = random.oneOf({workload::testing::llama3_8b(), workload::testing::llama3_70b(),
                                   workload::testing::qwen3_32b(),
                                   workload::testing::gpt("gpt-22b", 48, 6144, 64)});
    r.training.sequenceLength = random.oneOf({2048, 4096, 8192});
    r.training.globalBatchSequences = random.oneOf({64L, 128L, 256L, 512L});
    r.training.precision = machine::Dtype::Bf16;
    r.training.tokens =
        10000.0 * static_cast<double>(r.training.globalBatchSequences) * r.training.sequenceLength;
    r.start = run::Date{2027, 1, 4};
    r.candidates = {randomCandidate(random)};
    return r;
}

CandidateResult answer(const PlanRequest& r) {
    return evaluateCandidate(r, r.candidates.front());
}

StepProblem stepProblem(const PlanRequest& r) {
    const CandidateRequest& c = r.candidates.front();
    return {
        r.architecture, r.training, {c.system, c.chips}, c.profile, r.constraints.memoryHeadroom};
}

/// A random legal layout of the request, if a few tries find one.
std::optional<Layout> randomLayout(const PlanRequest& r, Random& random) {
    const StepProblem p = stepProblem(r);
    const long ranks = p.cluster.chips * layout::ranksPerChip(p.profile, p.cluster.system.chip);
    for (int attempt = 0; attempt < 50; ++attempt) {
        Layout l;
        l.tensor = random.oneOf({1, 2, 4, 8, 16, 32, 64});
        l.pipeline = random.oneOf({1, 2, 4, 8});
        l.microBatch = random.oneOf({1, 2, 4});
        l.sequenceParallel = l.tensor > 1 && random.chance(0.7);
        l.virtualStages = l.pipeline > 1 ? random.oneOf({1, 1, 2, 4}) : 1;
        l.schedule = l.virtualStages > 1 ? layout::Schedule::Interleaved
                                         : layout::Schedule::OneForwardOneBackward;
        const long inner = static_cast<long>(l.tensor) * l.pipeline;
        if (ranks % inner != 0) continue;
        l.data = static_cast<int>(ranks / inner);
        const long perStep = static_cast<long>(l.microBatch) * l.data;
        if (r.training.globalBatchSequences % perStep != 0) continue;
        l.microBatches = r.training.globalBatchSequences / perStep;
        l.sharding = random.oneOf(
            {layout::Sharding::None, layout::Sharding::Zero1, layout::Sharding::Zero3});
        l.recompute = random.oneOf(
            {layout::Recompute::None, layout::Recompute::Selective, layout::Recompute::Full});
        if (!hasErrors(layout::checkLegality(p, l))) return l;
    }
    return std::nullopt;
}

struct Improvement {
    const char* what;
    void (*apply)(CandidateRequest& c, double factor);  ///< factor above 1
};

const Improvement kImprovements[] = {
    {"faster memory", [](CandidateRequest& c, double f) { c.system.chip.hbmBandwidth *= f; }},
    {"faster links",
     [](CandidateRequest& c, double f) {
         for (auto& b : c.system.fabric.linkBandwidth) b *= f;
     }},
    {"faster ways inside the chip",
     [](CandidateRequest& c, double f) { c.system.fabric.intraChipBandwidth *= f; }},
    {"faster network cards",
     [](CandidateRequest& c, double f) { c.system.fabric.nicBandwidth *= f; }},
    {"shorter hops", [](CandidateRequest& c, double f) { c.system.fabric.hopLatency *= 1 / f; }},
    {"a quicker network",
     [](CandidateRequest& c, double f) { c.system.fabric.scaleOutLatency *= 1 / f; }},
    {"quicker starts of collectives",
     [](CandidateRequest& c, double f) {
         c.system.fabric.collectiveLatency *= 1 / f;
         c.system.fabric.scaleOutCollectiveLatency *= 1 / f;
     }},
    {"steadier ranks", [](CandidateRequest& c, double f) { c.profile.stragglerPerLogRank /= f; }},
    {"cheaper hiding", [](CandidateRequest& c, double f) { c.profile.overlapComputeTax /= f; }},
};

TEST(PlanProperties, ABetterPartNeverMakesALayoutSlower) {
    Random random(kSeed);
    int cases = 0;
    for (int i = 0; i < 400; ++i) {
        const PlanRequest r = randomRequest(random);
        const std::optional<Layout> l = randomLayout(r, random);
        if (!l) continue;
        ++cases;
        const double before = layout::evaluateStep(stepProblem(r), *l, false).stepTime.value();
        ASSERT_TRUE(std::isfinite(before) && before > 0);
        for (const Improvement& improvement : kImprovements) {
            // Which stage sets the pace may change with the part, and with it whose gradients are
            // waited for; the two stages are then nearly equal.
            const double slack = l->pipeline > 1 ? 1.02 : kNoise;
            PlanRequest better = r;
            improvement.apply(better.candidates.front(), 1 + 9 * random.unit());
            EXPECT_LE(layout::evaluateStep(stepProblem(better), *l, false).stepTime.value(),
                      before * slack)
                << improvement.what << ", seed " << kSeed << " case " << i << ", "
                << r.architecture.id << " on " << r.candidates[0].chips << " "
                << r.candidates[0].system.chip.name << ", " << layout::shortForm(*l);
        }
    }
    EXPECT_GT(cases, 200);
}

TEST(PlanProperties, ABetterPartNeverMakesTheBestPlanSlower) {
    Random random(kSeed + 1);
    for (int i = 0; i < 15; ++i) {
        const PlanRequest r = randomRequest(random);
        const CandidateResult before = answer(r);
        if (!before.feasible) continue;
        for (const Improvement& improvement : kImprovements) {
            PlanRequest better = r;
            improvement.apply(better.candidates.front(), 1 + 9 * random.unit());
            const CandidateResult after = answer(better);
            ASSERT_TRUE(after.feasible) << improvement.what;
            EXPECT_LE(after.step.stepTime.value(), before.step.stepTime.value() * kNoise)
                << improvement.what << ", seed " << kSeed + 1 << " case " << i << ", from "
                << layout::shortForm(before.layout) << " to " << layout::shortForm(after.layout);
            EXPECT_LE(after.run.days, before.run.days * kNoise) << improvement.what;
        }
    }
}

TEST(PlanProperties, MoreMemoryNeverRulesOutOrSlows) {
    Random random(kSeed + 2);
    int feasible = 0, became = 0;
    for (int i = 0; i < 40; ++i) {
        PlanRequest r = randomRequest(random);
        r.candidates[0].system.chip.hbmCapacity *= 0.4;
        const CandidateResult before = answer(r);
        r.candidates[0].system.chip.hbmCapacity *= 1 + 3 * random.unit();
        const CandidateResult after = answer(r);
        became += !before.feasible && after.feasible;
        if (!before.feasible) continue;
        ++feasible;
        ASSERT_TRUE(after.feasible) << "seed " << kSeed + 2 << " case " << i;
        EXPECT_LE(after.step.stepTime, before.step.stepTime)
            << "seed " << kSeed + 2 << " case " << i << ", from "
            << layout::shortForm(before.layout) << " to " << layout::shortForm(after.layout);
    }
    EXPECT_GT(feasible, 5);
    EXPECT_GT(became, 2);
}

TEST(PlanProperties, WhatIsLeftOpenIsNeverWorseThanWhatIsGiven) {
    Random random(kSeed + 3);
    int compared = 0;
    for (int i = 0; i < 60; ++i) {
        PlanRequest r = randomRequest(random);
        const std::optional<Layout> l = randomLayout(r, random);
        if (!l) continue;
        const CandidateResult open = answer(r);
        layout::LayoutChoice& choice = r.candidates[0].layout;
        if (random.chance(0.5)) choice.tensor = l->tensor;
        if (random.chance(0.5)) choice.pipeline = l->pipeline;
        if (random.chance(0.3)) choice.microBatch = l->microBatch;
        if (random.chance(0.3)) choice.sharding = l->sharding;
        if (random.chance(0.3)) choice.recompute = l->recompute;
        const CandidateResult given = answer(r);
        if (!given.feasible) continue;
        ASSERT_TRUE(open.feasible) << "seed " << kSeed + 3 << " case " << i;
        ++compared;
        EXPECT_LE(open.step.stepTime, given.step.stepTime)
            << "seed " << kSeed + 3 << " case " << i << ": " << layout::shortForm(open.layout)
            << " against " << layout::shortForm(given.layout);
    }
    EXPECT_GT(compared, 10);
}

TEST(PlanProperties, TheLayoutFoundGivesTheSameNumbersWhenGiven) {
    Random random(kSeed + 4);
    int compared = 0;
    for (int i = 0; i < 30; ++i) {
        PlanRequest r = randomRequest(random);
        const CandidateResult found = answer(r);
        if (!found.feasible) continue;
        ++compared;
        const Layout& l = found.layout;
        layout::LayoutChoice& choice = r.candidates[0].layout;
        choice.tensor = l.tensor;
        choice.pipeline = l.pipeline;
        choice.virtualStages = l.virtualStages;
        choice.context = l.context;
        choice.expert = l.expert;
        choice.data = l.data;
        choice.microBatch = l.microBatch;
        choice.sequenceParallel = l.sequenceParallel;
        choice.sharding = l.sharding;
        choice.recompute = l.recompute;
        choice.schedule = l.schedule;
        const CandidateResult given = answer(r);
        ASSERT_TRUE(given.feasible) << "seed " << kSeed + 4 << " case " << i;
        EXPECT_EQ(given.layout, l);
        EXPECT_EQ(given.step.stepTime, found.step.stepTime);
        EXPECT_EQ(given.run.days, found.run.days);
        EXPECT_EQ(given.run.money.total, found.run.money.total);
        EXPECT_EQ(given.run.energy.energy, found.run.energy.energy);
        EXPECT_EQ(layout::evaluateStep(stepProblem(r), l).stepTime, found.step.stepTime);
    }
    EXPECT_GT(compared, 10);
}

TEST(PlanProperties, NeitherOrderNorNamesNorThreadsChangeAnAnswer) {
    Random random(kSeed + 5);
    PlanRequest r = randomRequest(random);
    for (int i = 0; i < 5; ++i) r.candidates.push_back(randomCandidate(random));
    for (std::size_t i = 0; i < r.candidates.size(); ++i)
        r.candidates[i].name = "c" + std::to_string(i);
    PlanRequest reversed = r;
    std::reverse(reversed.candidates.begin(), reversed.candidates.end());
    for (CandidateRequest& c : reversed.candidates) c.name = "renamed " + c.name;
    const PlanResult a = plan(r, 1);
    const PlanResult b = plan(reversed, 3);
    const std::size_t n = r.candidates.size();
    for (std::size_t i = 0; i < n; ++i) {
        const CandidateResult& one = a.candidates[i];
        const CandidateResult& other = b.candidates[n - 1 - i];
        SCOPED_TRACE(testing::Message() << "seed " << kSeed + 5 << " candidate " << i);
        EXPECT_EQ("renamed " + one.name, other.name);
        EXPECT_EQ(one.feasible, other.feasible);
        EXPECT_EQ(one.rank, other.rank);
        EXPECT_EQ(one.layout, other.layout);
        EXPECT_EQ(one.step.stepTime, other.step.stepTime);
        EXPECT_EQ(one.run.days, other.run.days);
        EXPECT_EQ(one.run.money.total, other.run.money.total);
        EXPECT_EQ(one.run.energy.co2Kilograms, other.run.energy.co2Kilograms);
        const CandidateResult alone = evaluateCandidate(r, r.candidates[i]);
        EXPECT_EQ(one.layout, alone.layout);
        EXPECT_EQ(one.run.days, alone.run.days);
    }
}

TEST(PlanProperties, TheNumbersOfAnAnswerAgreeWithEachOther) {
    Random random(kSeed + 6);
    int compared = 0;
    for (int i = 0; i < 40; ++i) {
        const PlanRequest r = randomRequest(random);
        const CandidateRequest& c = r.candidates[0];
        const CandidateResult a = answer(r);
        if (!a.feasible) continue;
        ++compared;
        SCOPED_TRACE(testing::Message() << "seed " << kSeed + 6 << " case " << i);
        const auto near = [](double x, double y) { return std::abs(x - y) <= 1e-9 * std::abs(y); };
        const double step = a.step.stepTime.value();
        double parts = 0;
        for (const units::Seconds part : a.step.parts) {
            EXPECT_GE(part.value(), 0);
            parts += part.value();
        }
        EXPECT_TRUE(near(parts, step));
        const double batchTokens =
            static_cast<double>(r.training.globalBatchSequences) * r.training.sequenceLength;
        EXPECT_TRUE(near(a.step.tokensPerSecond * step, batchTokens));
        EXPECT_EQ(a.run.steps, 10000);
        const double training =
            units::inDays(units::Seconds(r.training.tokens / a.step.tokensPerSecond)) * 1.01;
        EXPECT_TRUE(near(a.run.usefulDays, training));
        EXPECT_TRUE(near((a.run.days - units::inDays(c.operations.startup)) * a.run.goodput.share,
                         training));
        EXPECT_EQ(a.units, run::unitsRented(c.system, c.chips));
        EXPECT_TRUE(
            near(a.run.money.total->value(), static_cast<double>(a.units) * a.run.days * 24 *
                                                 units::inUsDollarsPerHour(*c.price.perUnit)));
        EXPECT_TRUE(near(units::inKilowattHours(*a.run.energy.energy),
                         a.run.energy.averagePower->value() / 1000 * a.run.days * 24));
        EXPECT_LE(*a.run.energy.averagePower, *a.run.energy.peakPower);
        const double idle = 1.15 * (60.0 * static_cast<double>(c.chips) +
                                    1600.0 * static_cast<double>(c.chips / c.system.chipsPerHost));
        EXPECT_GE(a.run.energy.averagePower->value(), idle);
        EXPECT_TRUE(a.step.memory.fits());
        EXPECT_GT(a.step.mfuModel, 0);
        EXPECT_LE(a.step.mfuModel, a.step.hfu * kNoise);
        EXPECT_LE(a.step.hfu, 1);
        EXPECT_LE(a.step.matrixUtilization, 1);
        EXPECT_LE(a.step.memoryUtilization, 1);
    }
    EXPECT_GT(compared, 15);
}

TEST(PlanProperties, AnAnswerScalesWithTokensAndPrice) {
    Random random(kSeed + 7);
    for (int i = 0; i < 10; ++i) {
        PlanRequest r = randomRequest(random);
        const CandidateResult once = answer(r);
        if (!once.feasible) continue;
        r.training.tokens *= 3;
        *r.candidates[0].price.perUnit *= 2;
        const CandidateResult more = answer(r);
        EXPECT_EQ(more.layout, once.layout);
        EXPECT_EQ(more.step.stepTime, once.step.stepTime);
        const double startup = units::inDays(r.candidates[0].operations.startup);
        EXPECT_NEAR(more.run.days - startup, 3 * (once.run.days - startup), 1e-9 * more.run.days);
        EXPECT_NEAR(more.run.money.usefulPart->value(), 6 * once.run.money.usefulPart->value(),
                    1e-9 * more.run.money.total->value());
    }
}

}  // namespace
}  // namespace trainwright::search
