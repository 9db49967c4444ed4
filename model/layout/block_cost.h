// SPDX-License-Identifier: GPL-3.0-or-later
// What the operators of a block (a layer, the embedding, the head) cost one rank for one
// micro-batch: seconds, FLOP and bytes by phase. Communication is not part of it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "model/layout/layout.h"
#include "model/machine/roofline.h"
#include "model/workload/operators.h"

namespace trainwright::layout {

/// What one phase costs a rank. Seconds unless the name says otherwise.
struct PhaseCost {
    double compute = 0;    ///< of operators that arithmetic (or their launch) limits
    double memory = 0;     ///< of operators that HBM limits
    double host = 0;       ///< of the host, to launch them
    double attention = 0;  ///< of them, in the attention kernel
    double gemm = 0;       ///< and in matrix products, whatever limits them
    double kernels = 0;    ///< their number
    double flop = 0;
    double bytes = 0;

    [[nodiscard]] double device() const { return compute + memory; }
    /// What the host's launches add when the device has `alsoBusy` seconds of other work: launches
    /// run ahead of it until there are too many of them for the work they carry.
    [[nodiscard]] double hostWait(double alsoBusy = 0) const {
        return std::max(0.0, host - device() - alsoBusy);
    }
    [[nodiscard]] double busy() const { return device() + hostWait(); }
};

/// One phase of one operator.
struct OperatorPhase {
    Phase phase = Phase::Forward;
    double flop = 0, bytes = 0, seconds = 0;
    double m = 0, n = 0, k = 0;
    double kernels = 1;
    machine::Limit limit = machine::Limit::Compute;
};

/// Up to three phases of one operator, without touching the heap.
struct Phases {
    std::array<OperatorPhase, 3> items;
    std::size_t count = 0;
    void push_back(const OperatorPhase& p) { items[count++] = p; }
    [[nodiscard]] const OperatorPhase* begin() const { return items.data(); }
    [[nodiscard]] const OperatorPhase* end() const { return items.data() + count; }
};

/// What the operators of a block cost in each phase; `again` and `kept` by set of groups that
/// selective recompute drops, in the order of the sets that were asked for.
struct BlockCost {
    PhaseCost forward, backward;
    double weightGradient = 0;  ///< seconds of backward that make weight gradients
    double keptNone = 0;        ///< bytes, without recompute
    std::vector<PhaseCost> again;
    std::vector<double> kept;
};

/// Prices operators on one rank of a machine under one training recipe.
struct OperatorPricer {
    machine::RankSpec rank;
    workload::Kernels kernels;
    machine::Dtype recipeDtype = machine::Dtype::Bf16;  ///< of the GEMMs that the recipe runs in it
    machine::Dtype baseDtype = machine::Dtype::Bf16;    ///< of everything else
    double hostLaunchPerKernel = 0;
    double vectorTraffic = 1;  ///< bytes of vector operators over those that are counted

    [[nodiscard]] machine::Dtype dtypeOf(const workload::Operator& o) const {
        return o.recipeDtype ? recipeDtype : baseDtype;
    }

    /// `gradientBytes`: of an element of the accumulator that weight gradients are added to.
    [[nodiscard]] Phases phases(const workload::Operator& o, double gradientBytes) const;

    [[nodiscard]] BlockCost cost(const std::vector<workload::Operator>& operators,
                                 double gradientBytes,
                                 const std::vector<unsigned>& recomputeSets) const;
};

}  // namespace trainwright::layout
