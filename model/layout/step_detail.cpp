// SPDX-License-Identifier: GPL-3.0-or-later
// A step taken apart: its parts, and with detail its operators, collectives and stages.
#include <algorithm>

#include "model/layout/step_implementation.h"
#include "model/workload/flops.h"

namespace trainwright::layout {

using machine::Dtype;
using network::Collective;
using units::Bytes;
using units::Seconds;

StageCost StepEvaluator::Implementation::stageCost(const Layout& l, const StageGroup& group) {
    const std::size_t mode = modeOf(l);
    const ShardTable& shared = table(l);
    StageCost stage;
    for (std::size_t c = 0; c < kClasses; ++c) {
        const int n = group.layers.byClass[c];
        if (n == 0) continue;
        const int again = mode == 1 ? recomputedLayers(n, l.recomputeEvery) : n;
        stage.addScaled(layerCost(shared.layer[c], shared.comm[c], mode), again);
        if (again < n) stage.addScaled(layerCost(shared.layer[c], shared.comm[c], 0), n - again);
        if (l.offloadActivations) {
            const Span waits = offloadWaits(shared, mode, c, n);
            stage.forward += waits.forward;
            stage.backward += waits.backward;
            stage.parts[index(TimePart::Other)] += waits.total();
        }
    }
    if (group.first) stage.addScaled(endCost(shared.embedding, shared.embeddingComm), 1);
    if (group.last) stage.addScaled(tailCost(shared, mode), 1);
    return stage;
}

std::vector<StageTime> StepEvaluator::Implementation::stageTimes(const Layout& l) {
    std::vector<StageTime> times;
    const std::vector<StageLayers>& stages = placement(l).stages;
    const int last = static_cast<int>(stages.size()) - 1;
    for (int i = 0; i <= last; ++i) {
        const StageGroup g{stages[static_cast<std::size_t>(i)], i, 1, i == 0, i == last};
        const StageCost stage = stageCost(l, g);
        times.push_back({i, g.layers.total(), Seconds(stage.forward), Seconds(stage.backward),
                         Seconds(stage.weightGradient)});
    }
    return times;
}

PipelineProblem StepEvaluator::Implementation::pipeline(const Layout& l) {
    PipelineProblem p;
    p.schedule = l.schedule;
    p.virtualStages = l.virtualStages;
    p.microBatches = l.microBatches;
    if (placement(l).groups.empty()) return p;
    const PipelineTime& t = pipelineTime(l);
    p.sendSeconds = t.sends - t.sendsShown;
    const double waits = l.virtualStages * t.sendsShown;
    for (const StageTime& s : stageTimes(l)) {
        p.forwardSeconds.push_back(s.forward.value() + waits);
        p.backwardSeconds.push_back(s.backward.value() + waits);
        p.weightGradientSeconds.push_back(s.weightGradient.value());
    }
    return p;
}

void StepEvaluator::Implementation::countFlop(StepResult& r, const Layout& l,
                                              double executed) const {
    const workload::Architecture& a = problem.architecture;
    const TrainingSpec& s = problem.training;
    const double batch = static_cast<double>(s.globalBatchSequences);
    const workload::ForwardFlop f = workload::forwardFlop(
        a, batch, s.sequenceLength, paddedVocabulary(a, problem.profile, l.tensor));
    r.modelFlop = units::Flop(
        3.0 * (pricer.kernels.causalSkipping ? f.withCausalAttention() : f.withFullAttention()));
    const double tokens = batch * s.sequenceLength;
    r.palmFlop = workload::palmFlopPerToken(a.moe ? parameters.active : parameters.total, a.layers,
                                            a.heads, a.headSize, s.sequenceLength) *
                 tokens;
    r.hardwareFlop = units::Flop(executed * static_cast<double>(l.microBatches) *
                                 static_cast<double>(l.ranks()) / l.pipeline);
}

StepResult StepEvaluator::Implementation::evaluate(const Layout& l, bool detail) {
    StepResult r;
    r.memory = memory(l, detail);
    if (placement(l).groups.empty()) return r;
    const Timeline t = timeline(l);
    StageCost pace;
    for (const auto& [group, share] : t.stages()) pace.addScaled(stageCost(l, *group), share);
    const double m = static_cast<double>(l.microBatches);
    for (std::size_t i = 0; i < kTimePartCount; ++i) r.parts[i] = Seconds(m * pace.parts[i]);
    const double crossings = 2.0 * l.virtualStages * m;
    const double sends = l.pipeline > 1 ? crossings * t.sendsShown : 0.0;
    const double worked = m * (pace.forward + pace.backward) + sends;
    r.parts[index(TimePart::Bubble)] += Seconds(t.busy - worked);
    r.parts[index(TimePart::Pipeline)] += Seconds(sends);
    r.parts[index(TimePart::Data)] += Seconds(t.data.exposed);
    r.parts[index(TimePart::Compute)] += Seconds(t.data.tax);
    r.parts[index(TimePart::Optimizer)] += Seconds(t.optimizer);
    r.parts[index(TimePart::Other)] += Seconds(t.other);
    for (Seconds part : r.parts) r.stepTime += part;
    r.hiddenCommunication =
        Seconds(m * pace.hidden + crossings * (t.sends - t.sendsShown) + t.data.hidden);
    r.busiestStage = t.slowest->firstStage;
    double executed = 0, moved = 0;
    for (const StageGroup& g : placement(l).groups) {
        const StageCost stage = stageCost(l, g);
        executed += g.count * stage.flop;
        moved += g.count * stage.bytes;
    }
    countFlop(r, l, executed);
    const StateBytes state = statesOf(l);
    r.checkpointBytesPerParameter = state.weights + state.master + momentBytes(l);
    const machine::ChipSpec& chip = problem.cluster.system.chip;
    const double chips = static_cast<double>(l.ranks()) / perChip;
    const std::size_t dtype = static_cast<std::size_t>(problem.training.precision);
    const double available = chip.headlinePeak[dtype].value() * chips * r.stepTime.value();
    if (available > 0) {
        r.mfuModel = r.modelFlop.value() / available;
        r.mfuPalm = r.palmFlop.value() / available;
        r.hfu = r.hardwareFlop.value() / available;
    }
    const double engine = chip.enginePeak[dtype].value() * chips * r.stepTime.value();
    r.matrixUtilization = engine > 0 ? std::min(1.0, r.hardwareFlop.value() / engine) : 0.0;
    r.memoryUtilization =
        std::min(1.0, moved / l.pipeline * m / (pricer.rank.bytesPerSecond * r.stepTime.value()));
    r.tokensPerSecond = static_cast<double>(problem.training.globalBatchSequences) *
                        problem.training.sequenceLength / r.stepTime.value();
    if (detail) {
        addOperators(r, l, t);
        addCollectives(r, l, t);
        r.stageTimes = stageTimes(l);
    }
    return r;
}

// What the slowest rank runs in a step: layers of each kind, those that full recompute runs again,
// and the ends.
StepEvaluator::Implementation::RankLayers StepEvaluator::Implementation::rankLayers(
    const Layout& l, const Timeline& t) const {
    RankLayers out;
    for (const auto& [group, share] : t.stages()) {
        const double m = share * static_cast<double>(l.microBatches);
        const int extra = group->last ? problem.architecture.multiTokenHeads : 0;
        for (std::size_t c = 0; c < kClasses; ++c) {
            const int n = group->layers.byClass[c];
            const int predicted = c == lastClass ? extra : 0;
            out.layers[c] += m * (n + predicted);
            if (l.recompute == Recompute::Full)
                out.again[c] += m * (recomputedLayers(n, l.recomputeEvery) + predicted);
        }
        if (group->first) out.embeddings += m;
        if (group->last) out.heads += m * (1 + extra);
        out.multiTokens += m * extra;
    }
    return out;
}

// `rerunCalls`: calls of the whole forward pass under full recompute.
void StepEvaluator::Implementation::addBlockOperators(
    StepResult& r, const std::vector<workload::Operator>& operators, double gradientBytes,
    double calls, unsigned rerun, double rerunCalls) const {
    for (const workload::Operator& o : operators) {
        for (const OperatorPhase& p : pricer.phases(o, gradientBytes)) {
            const auto push = [&](Phase phase, double times) {
                OperatorCost c;
                c.name = o.name;
                c.kind = static_cast<OperatorKind>(o.kind);
                c.phase = phase;
                c.bound = static_cast<Bound>(p.limit);
                c.dtype = pricer.dtypeOf(o);
                c.calls = times;
                c.m = p.m;
                c.n = p.n;
                c.k = p.k;
                c.flopPerCall = units::Flop(p.flop);
                c.bytesPerCall = Bytes(p.bytes);
                c.secondsPerCall = Seconds(p.seconds);
                r.operators.push_back(std::move(c));
            };
            push(p.phase, calls);
            if (p.phase != Phase::Forward) continue;
            if (rerunCalls > 0) push(Phase::Recompute, rerunCalls);
            if ((o.rerunIn & rerun) != 0) push(Phase::Recompute, calls);
        }
    }
}

void StepEvaluator::Implementation::addOperators(StepResult& r, const Layout& l,
                                                 const Timeline& t) {
    const double gradientBytes = statesOf(l).gradients;
    const unsigned rerun = l.recompute == Recompute::Selective
                               ? groupsOf(l)
                               : static_cast<unsigned>(workload::kNoGroup);
    const RankLayers rank = rankLayers(l, t);
    for (std::size_t c = 0; c < kClasses; ++c) {
        if (rank.layers[c] <= 0) continue;
        addBlockOperators(r, layerOperators(l, c), gradientBytes, rank.layers[c], rerun,
                          rank.again[c]);
    }
    const auto addEnd = [&](const std::vector<workload::Operator>& operators, double calls) {
        if (calls > 0) addBlockOperators(r, operators, gradientBytes, calls, workload::kNoGroup, 0);
    };
    const workload::Architecture& a = problem.architecture;
    addEnd(workload::embeddingOperators(a, shard(l), pricer.kernels), rank.embeddings);
    addEnd(headOperators(l), rank.heads);
    addEnd(workload::multiTokenOperators(a, shard(l), pricer.kernels), rank.multiTokens);
    OperatorCost update;
    update.name = "optimizer update and gradient norm";
    update.kind = OperatorKind::Vector;
    update.phase = Phase::Update;
    update.bound = Bound::Memory;
    update.dtype = Dtype::Fp32;
    update.calls = 1;
    update.secondsPerCall = Seconds(t.optimizer);
    update.bytesPerCall =
        Bytes(std::max(0.0, t.optimizer * pricer.rank.bytesPerSecond - pricer.rank.halfBytes));
    r.operators.push_back(std::move(update));
}

void StepEvaluator::Implementation::addCollectives(StepResult& r, const Layout& l,
                                                   const Timeline& t) {
    const ShardTable& shared = table(l);
    const SoftwareProfile& f = problem.profile;
    const auto push = [&](const char* title, Axis axis, const Comm& c, double calls,
                          double exposedShare) {
        if (c.cost == nullptr || calls <= 0) return;
        const network::AlgorithmCost& fastest = c.cost->fastest(Bytes(c.bytes));
        CollectiveUse u;
        u.name = title;
        u.kind = network::name(c.kind);
        u.axis = axis;
        u.ranks = static_cast<int>(c.ranks);
        u.stride = static_cast<int>(c.stride);
        u.algorithm = network::name(fastest.algorithm);
        u.busiestLink = fastest.busiestLink;
        u.calls = calls;
        u.bytesPerCall = Bytes(c.bytes);
        u.secondsPerCall = Seconds(c.seconds);
        u.exposed = Seconds(calls * c.seconds * exposedShare);
        u.hidden = Seconds(calls * c.seconds * (1.0 - exposedShare));
        r.collectives.push_back(std::move(u));
    };

    // Calls of each kind's layers in a step, and their forward passes, recompute included.
    const RankLayers rank = rankLayers(l, t);
    const std::array<double, kClasses>& count = rank.layers;
    std::array<double, kClasses> forwards{};
    for (std::size_t c = 0; c < kClasses; ++c) forwards[c] = count[c] + rank.again[c];
    const auto raw = [&](auto forward, auto backward) {
        double sum = 0;
        for (std::size_t c = 0; c < kClasses; ++c)
            sum += forwards[c] * forward(shared.comm[c]) + count[c] * backward(shared.comm[c]);
        return sum;
    };
    // The share that overlap leaves, from what the layers themselves were charged.
    std::array<double, 3> shown{};  // tensor, context, expert
    for (std::size_t c = 0; c < kClasses; ++c) {
        if (count[c] == 0) continue;
        const auto [forward, backward] = exposedShares(shared.layer[c], shared.comm[c]);
        for (std::size_t i = 0; i < shown.size(); ++i)
            shown[i] += forwards[c] * forward[i] + count[c] * backward[i];
    }
    const auto share = [](double part, double whole) {
        return whole > 0 ? std::clamp(part / whole, 0.0, 1.0) : 1.0;
    };

    if (l.tensor > 1) {
        const double whole = raw([](const LayerComm& c) { return c.tensorForward; },
                                 [](const LayerComm& c) { return c.tensorBackward; });
        const double exposed = share(shown[0], whole);
        double gathers = 0, scatters = 0;
        for (std::size_t c = 0; c < kClasses; ++c) {
            const TensorCalls calls = tensorCalls(l, c >= 2);
            gathers += forwards[c] * calls.gatherForward + count[c] * calls.gatherBackward;
            scatters += forwards[c] * calls.scatterForward + count[c] * calls.scatterBackward;
        }
        const bool scattered = l.sequenceParallel;
        push("all-gather of activations", Axis::Tensor, tensorComm(l, Collective::AllGather),
             gathers, exposed);
        push(scattered ? "reduce-scatter of activations" : "all-reduce of activations",
             Axis::Tensor,
             tensorComm(l, scattered ? Collective::ReduceScatter : Collective::AllReduce), scatters,
             exposed);
        push("embedding and head exchange", Axis::Tensor,
             tensorComm(l, scattered ? Collective::AllGather : Collective::AllReduce),
             2.0 * (rank.embeddings + rank.heads), 1.0);
    }
    if (l.context > 1) {
        const auto [forward, backward] = contextCalls(l);
        double calls = 0;
        for (std::size_t c = 0; c < kClasses; ++c)
            calls += forwards[c] * forward + count[c] * backward;
        const double whole = raw([](const LayerComm& c) { return c.contextForward; },
                                 [](const LayerComm& c) { return c.contextBackward; });
        const char* title = l.contextExchange == ContextExchange::Ring
                                ? "ring exchange of keys and values"
                                : (l.contextExchange == ContextExchange::AllGather
                                       ? "all-gather of keys and values"
                                       : "exchange of heads for sequence");
        push(title, Axis::Context, contextComm(l), calls, share(shown[1], whole));
    }
    if (problem.architecture.moe && (l.expert > 1 || l.tensorOfExperts() > 1)) {
        const ExpertComm one = expertComm(l);
        const double whole = raw([](const LayerComm& c) { return c.expertForward; },
                                 [](const LayerComm& c) { return c.expertBackward; });
        const double exposed = share(shown[2], whole);
        const double again =
            l.recompute == Recompute::Selective && (groupsOf(l) & workload::kMoe) != 0
                ? count[2] + count[3]
                : 0.0;
        const double calls = forwards[2] + forwards[3] + count[2] + count[3] + again;
        const auto pushLeg = [&](const ExpertLeg& leg, const char* across, const char* inside,
                                 const char* gather) {
            // Where one part runs under the other, their sum is more than the leg takes.
            const double sum = leg.across.seconds + leg.inside.seconds + leg.gather.seconds;
            const double shownShare = sum > 0 ? exposed * leg.seconds / sum : exposed;
            push(across, Axis::Expert, leg.across, calls, shownShare);
            push(inside, Axis::Expert, leg.inside, calls, shownShare);
            push(gather, Axis::Expert, leg.gather, calls, shownShare);
        };
        pushLeg(one.dispatch, "dispatch of tokens", "dispatch inside the host",
                "all-gather of an expert's tokens");
        pushLeg(one.combine, "combine of tokens", "combine inside the host",
                "reduce-scatter of an expert's tokens");
    }
    if (l.pipeline > 1) {
        push("activations to the next stage", Axis::Pipeline, pipelineComm(l),
             2.0 * l.virtualStages * static_cast<double>(l.microBatches),
             t.sends > 0 ? t.sendsShown / t.sends : 1.0);
    }
    const double traffic = t.data.reduce + t.data.gather;
    const double exposed = share(t.data.exposed - t.data.tied - t.data.norm, traffic);
    const bool reduced = t.data.reduceKind == Collective::AllReduce;
    const auto pushFlow = [&](const DataFlow& flow, const char* allReduce,
                              const char* reduceScatter, const char* gather, const char* outer,
                              const char* apart) {
        if (flow.reduceCalls <= 0 && flow.contextBytes <= 0) return;
        push(apart, Axis::Context,
             communicate(Collective::AllReduce, l.context, rankStride(f, l, Axis::Context),
                         flow.contextBytes),
             1, exposed);
        push(reduced ? allReduce : reduceScatter, Axis::Data,
             communicate(t.data.reduceKind, flow.group, flow.stride, flow.reduceBytes),
             flow.reduceCalls, exposed);
        push(outer, Axis::Data,
             communicate(Collective::AllReduce, flow.replicas, flow.outer, flow.replicaBytes),
             flow.reduceCalls, exposed);
        push(gather, Axis::Data,
             communicate(Collective::AllGather, flow.group, flow.stride, flow.gatherBytes),
             flow.gatherCalls, exposed);
    };
    pushFlow(t.data.dense, "all-reduce of gradients", "reduce-scatter of gradients",
             "all-gather of weights", "all-reduce of gradients between copies",
             "all-reduce of gradients over context ranks");
    pushFlow(t.data.expert, "all-reduce of expert gradients", "reduce-scatter of expert gradients",
             "all-gather of expert weights", "all-reduce of expert gradients between copies",
             "all-reduce of expert gradients over context ranks");
    if (t.data.tied > 0) {
        push("all-reduce of the shared embedding's gradients", Axis::Pipeline,
             communicate(Collective::AllReduce, 2,
                         rankStride(f, l, Axis::Pipeline) * (l.pipeline - 1), t.data.tiedBytes),
             1, 1.0);
    }
    if (t.data.norm > 0) {
        push("all-reduce of the gradient norm", Axis::Data,
             communicate(Collective::AllReduce, network.ranks(), 1, kNormBytes), 1, 1.0);
    }
}

}  // namespace trainwright::layout
