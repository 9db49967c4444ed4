// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/explain_words.h"

#include <algorithm>
#include <cmath>

#include "model/network/graph.h"
#include "model/units/text_quantity.h"
#include "model/workload/operators.h"

namespace trainwright::search {

namespace {

using layout::TimePart;

// Three significant digits, no exponent, no trailing zeros that say nothing.
std::string significant(double v) {
    return units::fixedNumber(v, v >= 100 ? 0 : (v >= 10 ? 1 : 2));
}

const layout::CollectiveUse* largest(const layout::StepResult& step, layout::Axis axis) {
    const layout::CollectiveUse* best = nullptr;
    for (const layout::CollectiveUse& c : step.collectives) {
        if (c.axis == axis && (best == nullptr || c.exposed > best->exposed)) best = &c;
    }
    return best;
}

}  // namespace

std::string percent(double share) {
    const double p = share * 100.0;
    if (p > 0 && p < 0.1) return "<0.1%";
    return units::fixedNumber(p, p < 9.95 ? 1 : 0) + "%";
}

Text recomputeWords(const layout::Layout& l) {
    switch (l.recompute) {
        case layout::Recompute::None:
            break;
        case layout::Recompute::Selective:
            if (l.recomputeGroups == 0) return {"selective recompute", {}};
            return {"selective ({1}) recompute",
                    {workload::recomputeGroupsText(l.recomputeGroups)}};
        case layout::Recompute::Full:
            if (l.recomputeEvery <= 1) return {"full recompute", {}};
            return {"full (one layer in {1}) recompute", {std::to_string(l.recomputeEvery)}};
    }
    return {"no recompute", {}};
}

std::string gibibytesText(units::Bytes b) {
    return significant(units::inGibibytes(b));
}

Text bottleneckOf(const layout::StepResult& step, const layout::Layout& layout) {
    const double total = step.stepTime.value();
    if (!(total > 0)) return {};
    const auto share = [&](TimePart p) {
        return step.parts[static_cast<std::size_t>(p)].value() / total;
    };
    TimePart worst = TimePart::Memory;
    for (int i = 0; i < layout::kTimePartCount; ++i) {
        const auto part = static_cast<TimePart>(i);
        if (part != TimePart::Compute && share(part) > share(worst)) worst = part;
    }
    const std::string amount = percent(share(worst));
    if (share(worst) < 0.05) {
        return {"Arithmetic fills {1} of the step; no wait takes more than {2}.",
                {percent(share(TimePart::Compute)), amount}};
    }
    switch (worst) {
        case TimePart::Tensor:
            if (const auto* c = largest(step, layout::Axis::Tensor)) {
                return {
                    "Tensor-parallel {1} over {2} takes most of the {3} of the step that t = {4} "
                    "waits for its group.",
                    {Text{c->name, {}}, network::linkText(c->busiestLink), amount,
                     std::to_string(layout.tensor)}};
            }
            break;
        case TimePart::Bubble:
            if (layout.microBatches == 1) {
                return {
                    "The pipeline waits {1} of the step: a single micro-batch passes {2} stages.",
                    {amount, std::to_string(layout.pipeline)}};
            }
            if (layout.virtualStages == 1) {
                return {
                    "The pipeline waits {1} of the step: {2} micro-batches over {3} stages.",
                    {amount, std::to_string(layout.microBatches), std::to_string(layout.pipeline)}};
            }
            return {
                "The pipeline waits {1} of the step: {2} micro-batches over {3} stages of {4} "
                "parts each.",
                {amount, std::to_string(layout.microBatches), std::to_string(layout.pipeline),
                 std::to_string(layout.virtualStages)}};
        case TimePart::Data:
            if (const auto* c = largest(step, layout::Axis::Data)) {
                return {
                    "Data-parallel traffic that nothing hides takes {1} of the step, most of it "
                    "the {2} over {3}.",
                    {amount, Text{c->name, {}}, network::linkText(c->busiestLink)}};
            }
            break;
        case TimePart::Pipeline:
            if (const auto* c = largest(step, layout::Axis::Pipeline)) {
                return {"Sending activations between stages over {1} takes {2} of the step.",
                        {network::linkText(c->busiestLink), amount}};
            }
            break;
        case TimePart::Expert:
            if (const auto* c = largest(step, layout::Axis::Expert)) {
                return {"Dispatching tokens to experts over {1} takes {2} of the step.",
                        {network::linkText(c->busiestLink), amount}};
            }
            break;
        case TimePart::Context:
            if (const auto* c = largest(step, layout::Axis::Context)) {
                return {
                    "Passing keys and values on over {1} takes {2} of the step beyond what "
                    "attention hides.",
                    {network::linkText(c->busiestLink), amount}};
            }
            break;
        case TimePart::Memory:
            return {
                "Memory traffic, not arithmetic, limits {1} of the step: norms, residuals and "
                "activations.",
                {amount}};
        case TimePart::Recompute:
            return {"Computing activations a second time takes {1} of the step.", {amount}};
        case TimePart::Optimizer:
            return {"The optimizer's pass over its states takes {1} of the step.", {amount}};
        case TimePart::Other:
            return {"Launches, data loading and stragglers take {1} of the step.", {amount}};
        case TimePart::Compute:
            break;
    }
    return {"Arithmetic fills {1} of the step.", {percent(share(TimePart::Compute))}};
}

Text adviceOf(const CandidateResult& result, const std::optional<Alternative>& better) {
    const double own = result.step.stepTime.value();
    if (!(own > 0)) return {};
    if (better && better->fits && better->stepTime.value() < own * 0.995) {
        return {"{1} with {2} would fit and save {3} of the step.",
                {layout::shortForm(better->layout), recomputeWords(better->layout),
                 percent(1.0 - better->stepTime.value() / own)}};
    }
    for (const Alternative& a : result.alternatives) {
        // A hundredth of a step is not worth a second look.
        if (a.fits || a.stepTime.value() > 0.99 * own) continue;
        return {
            "{1} with {2} would save {3} of the step, but needs {4} GiB a rank, {5} more than "
            "there "
            "is.",
            {layout::shortForm(a.layout), recomputeWords(a.layout),
             percent(1.0 - a.stepTime.value() / own), gibibytesText(a.memory),
             gibibytesText(a.memory - result.step.memory.usable)}};
    }
    for (const Alternative& a : result.alternatives) {
        if (!a.fits) continue;
        return {"Nothing faster was found; next is {1} with {2}, {3} slower.",
                {layout::shortForm(a.layout), recomputeWords(a.layout),
                 percent(a.stepTime.value() / own - 1.0)}};
    }
    return {};
}

std::vector<Text> whyNothingFits(const layout::MemoryResult& memory, const layout::Layout& layout) {
    std::size_t biggest = 0;
    for (std::size_t i = 0; i < memory.peak.byKind.size(); ++i) {
        if (memory.peak.byKind[i] > memory.peak.byKind[biggest]) biggest = i;
    }
    return {
        {"The smallest layout, {1} with {2}, needs {3} GiB a rank on stage {4} and has "
         "{5}. Largest: {6}, {7} GiB.",
         {layout::shortForm(layout), recomputeWords(layout), gibibytesText(memory.peak.total()),
          std::to_string(memory.peak.stage), gibibytesText(memory.usable),
          Text{layout::name(static_cast<layout::MemoryKind>(biggest)), {}},
          gibibytesText(memory.peak.byKind[biggest])}}};
}

}  // namespace trainwright::search
