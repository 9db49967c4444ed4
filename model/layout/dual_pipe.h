// SPDX-License-Identifier: GPL-3.0-or-later
// What one place of a DualPipe pipeline does one after the other (DeepSeek-V3, arXiv 2412.19437,
// section 3.2.1 and figure 5).
//
// Internal to the schedules: schedule.h makes tasks of it, the closed form runs it. Place i holds
// the layers of stage i and of its mirror image, stages − 1 − i, and half of the micro-batches
// enter at either end. The direction whose end is nearer to the place is near, the other one far.
#pragma once

#include <algorithm>

namespace trainwright::layout {

struct DualPipeStep {
    struct Pass {
        long index = -1;  ///< among the micro-batches of its direction; below 0: no such pass
        bool far = false;
        [[nodiscard]] explicit operator bool() const { return index >= 0; }
    };
    /// Both: they run through each other.
    Pass forward, backward;
    bool split = false;  ///< the backward pass leaves its weight gradient to a later step
    Pass weights;        ///< a weight gradient, alone
};

class DualPipeOrder {
public:
    /// `each`: micro-batches of a direction. With fewer than stages it is the order for as many as
    /// stages, without the steps of those that aren't there. `fromEnd`: places between this one and
    /// the nearer end.
    DualPipeOrder(long stages, long each, long fromEnd)
        : each_(each),
          fromEnd_(fromEnd),
          fromMiddle_(stages / 2 - 1 - fromEnd),
          pairs_(std::max(each, stages) - stages + fromEnd + 1),
          turn_((fromEnd + 1) / 2) {}

    [[nodiscard]] long steps() const { return 9 * fromMiddle_ + 5 * (fromEnd_ + 1) + 2 * pairs_; }

    [[nodiscard]] DualPipeStep at(long position) const {
        DualPipeStep s = full(position);
        for (DualPipeStep::Pass* p : {&s.forward, &s.backward, &s.weights})
            if (p->index >= each_) p->index = -1;
        return s;
    }

private:
    static constexpr bool kNear = false, kFar = true;

    [[nodiscard]] DualPipeStep full(long q) const {
        const long own = fromEnd_ + 1;
        DualPipeStep s;
        if (q < 2 * fromMiddle_) {
            s.forward = {q, kNear};
            return s;
        }
        q -= 2 * fromMiddle_;
        if (q < 2 * own) {
            s.forward = q % 2 == 0 ? DualPipeStep::Pass{2 * fromMiddle_ + q / 2, kNear}
                                   : DualPipeStep::Pass{q / 2, kFar};
            return s;
        }
        q -= 2 * own;
        if (q < 3 * fromMiddle_) {
            if (q % 3 == 0) s.backward = {q / 3, kFar};
            if (q % 3 == 1) s.weights = {q / 3, kFar};
            if (q % 3 == 2) s.forward = {own + q / 3, kFar};
            s.split = true;
            return s;
        }
        q -= 3 * fromMiddle_;
        const long i = q / 2;
        const bool first = q % 2 == 0;
        if (i < pairs_ + fromMiddle_) {
            s.backward =
                first ? DualPipeStep::Pass{fromMiddle_ + i, kFar} : DualPipeStep::Pass{i, kNear};
            if (!first) s.forward = {own + fromMiddle_ + i, kFar};
            if (first && i < pairs_) s.forward = {2 * fromMiddle_ + own + i, kNear};
            return s;
        }
        q -= 2 * (pairs_ + fromMiddle_);
        if (q < 2 * own) {  // from turn_ on weight gradients wait for the steps after these
            s.backward = drained(q / 2, q % 2 == 0);
            s.split = q / 2 > turn_ || (q / 2 == turn_ && (q % 2 != 0 || fromEnd_ % 2 != 0));
            return s;
        }
        q -= 2 * own;
        if (q >= 2 * fromMiddle_) {
            s.weights = waiting(q - fromMiddle_);
        } else if (q % 2 == 0) {
            s.weights = waiting(q / 2);
        } else {
            s.backward = drained(own + q / 2, kNear);
            s.split = true;
        }
        return s;
    }

    // Backward pass i of those after all forward passes.
    [[nodiscard]] DualPipeStep::Pass drained(long i, bool far) const {
        return {pairs_ + (far ? 2 : 1) * fromMiddle_ + i, far};
    }
    // The k-th weight gradient put off to the last steps.
    [[nodiscard]] DualPipeStep::Pass waiting(long k) const {
        if (k > fromEnd_) return drained(k, kNear);
        const long among = fromEnd_ % 2 == 0 ? k + 1 : k;
        return drained(turn_ + among / 2, among % 2 == 0);
    }

    long each_, fromEnd_, fromMiddle_;
    long pairs_;  // of two pairs, one for each direction
    long turn_;
};

}  // namespace trainwright::layout
