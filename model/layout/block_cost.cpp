// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/block_cost.h"

#include <algorithm>

namespace trainwright::layout {

namespace {

void add(PhaseCost& to, const OperatorPhase& p, workload::OperatorKind kind) {
    (p.limit == machine::Limit::Memory ? to.memory : to.compute) += p.seconds;
    if (kind == workload::OperatorKind::Attention) to.attention += p.seconds;
    if (kind == workload::OperatorKind::Gemm) to.gemm += p.seconds;
    to.kernels += p.kernels;
    to.flop += p.flop;
    to.bytes += p.bytes;
}

}  // namespace

Phases OperatorPricer::phases(const workload::Operator& o, double gradientBytes) const {
    Phases out;
    const auto gemm = [&](Phase phase, double m, double n, double k, double outputBytes) {
        const double in = machine::bytesPerElement(dtypeOf(o));
        OperatorPhase p;
        p.phase = phase;
        p.m = m;
        p.n = n;
        p.k = k;
        p.flop = 2.0 * m * n * k * o.count;
        p.bytes = machine::gemmBytes(m, n, k, o.count, in, outputBytes);
        p.kernels = o.oneByOne ? o.count : 1;
        const machine::OperatorTime t =
            machine::gemmTime(rank, dtypeOf(o), m, n, k, o.count / p.kernels, in, outputBytes);
        p.seconds = t.seconds * p.kernels;
        p.limit = t.limit;
        out.push_back(p);
    };
    switch (o.kind) {
        case workload::OperatorKind::Gemm:
            gemm(Phase::Forward, o.m, o.n, o.k, kernels.elementBytes);
            gemm(Phase::BackwardInput, o.m, o.k, o.n, kernels.elementBytes);
            // A weight gradient is added to the accumulator that is kept over micro-batches.
            gemm(Phase::BackwardWeight, o.k, o.n, o.m,
                 o.trained ? 2.0 * gradientBytes : kernels.elementBytes);
            break;
        case workload::OperatorKind::Attention:
        case workload::OperatorKind::Vector:
            for (bool backward : {false, true}) {
                OperatorPhase p;
                p.phase = backward ? Phase::BackwardInput : Phase::Forward;
                p.flop = backward ? o.backwardFlop : o.forwardFlop;
                p.bytes = backward ? o.backwardBytes : o.forwardBytes;
                if (o.kind == workload::OperatorKind::Vector) p.bytes *= vectorTraffic;
                p.kernels = backward ? o.backwardKernels : o.forwardKernels;
                const machine::OperatorTime t =
                    o.kind == workload::OperatorKind::Attention
                        ? machine::attentionTime(rank, baseDtype, backward, p.flop, p.bytes,
                                                 o.attentionSpan, o.independentTiles)
                        : machine::vectorTime(rank, p.bytes, p.kernels);
                p.seconds = t.seconds;
                p.limit = t.limit;
                out.push_back(p);
            }
            break;
    }
    return out;
}

BlockCost OperatorPricer::cost(const std::vector<workload::Operator>& operators,
                               double gradientBytes,
                               const std::vector<unsigned>& recomputeSets) const {
    BlockCost b;
    b.again.resize(recomputeSets.size());
    for (const workload::Operator& o : operators) {
        for (const OperatorPhase& p : phases(o, gradientBytes)) {
            if (p.phase != Phase::Forward) {
                add(b.backward, p, o.kind);
                if (p.phase == Phase::BackwardWeight && o.trained) b.weightGradient += p.seconds;
                continue;
            }
            add(b.forward, p, o.kind);
            for (std::size_t i = 0; i < recomputeSets.size(); ++i) {
                if ((o.rerunIn & recomputeSets[i]) != 0) add(b.again[i], p, o.kind);
            }
        }
    }
    b.forward.host = b.forward.kernels * hostLaunchPerKernel;
    b.backward.host = b.backward.kernels * hostLaunchPerKernel;
    for (PhaseCost& again : b.again) again.host = again.kernels * hostLaunchPerKernel;
    b.keptNone = workload::keptBytes(operators, workload::kNoGroup);
    for (unsigned set : recomputeSets) b.kept.push_back(workload::keptBytes(operators, set));
    return b;
}

}  // namespace trainwright::layout
