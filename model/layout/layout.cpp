// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/layout.h"

#include <algorithm>

#include "model/layout/step.h"
#include "model/workload/flops.h"

namespace trainwright::layout {

namespace {
template <typename T, std::size_t N>
const char* pick(const std::array<const char*, N>& names, T value) {
    return names[static_cast<std::size_t>(value)];
}
}  // namespace

const char* name(MemoryKind k) {
    static constexpr std::array<const char*, kMemoryKindCount> names{
        "weights", "gradients", "optimizer", "activations", "logits", "buffers", "reserve"};
    return pick(names, k);
}

const char* name(TimePart p) {
    static constexpr std::array<const char*, kTimePartCount> names{
        "compute",  "memory", "tensor",    "context",   "expert", "bubble",
        "pipeline", "data",   "recompute", "optimizer", "other"};
    return pick(names, p);
}

const char* name(Phase p) {
    static constexpr std::array<const char*, 5> names{"forward", "backward input",
                                                      "backward weight", "recompute", "update"};
    return pick(names, p);
}

const char* name(Bound b) {
    static constexpr std::array<const char*, 3> names{"compute", "memory", "launch"};
    return pick(names, b);
}

units::Bytes StageMemory::total() const {
    units::Bytes sum;
    for (units::Bytes b : byKind) sum += b;
    return sum;
}

bool LayoutChoice::isEmpty() const {
    return !tensor && !pipeline && !virtualStages && !context && !expert && !data && !microBatch &&
           !sequenceParallel && !sharding && !recompute && !schedule && !expertTensor &&
           !shardDegree && !recomputeEvery && !firstStageLayers && !lastStageLayers &&
           !recomputeGroups && !contextExchange && !rankOrder && !offloadOptimizer &&
           !offloadActivations;
}

std::string shortForm(const Layout& l) {
    std::string out = "t" + std::to_string(l.tensor) + " p" + std::to_string(l.pipeline);
    if (l.virtualStages > 1) out += " v" + std::to_string(l.virtualStages);
    if (l.context > 1) out += " c" + std::to_string(l.context);
    if (l.expert > 1) out += " e" + std::to_string(l.expert);
    if (l.expertTensor > 0 && l.expertTensor != l.tensor)
        out += " te" + std::to_string(l.expertTensor);
    out += " D" + std::to_string(l.data);
    if (l.shardDegree > 0) out += " S" + std::to_string(l.shardDegree);
    out += " b" + std::to_string(l.microBatch);
    if (l.pipeline > 1 && l.schedule != Schedule::OneForwardOneBackward &&
        l.schedule != Schedule::Interleaved)
        out += std::string(" ") + name(l.schedule);
    if (l.offloadOptimizer) out += " optimizer offload";
    if (l.offloadActivations) out += " activation offload";
    return out;
}

std::size_t layerClass(const workload::Architecture& a, int layer) {
    return (workload::isMoeLayer(a, layer) ? 2U : 0U) +
           (workload::isLocalLayer(a, layer) ? 1U : 0U);
}

namespace {
int ceilingOf(int layers, int chunks) {
    return (layers + chunks - 1) / chunks;
}
}  // namespace

bool canPlaceLayers(int layers, UnevenLayers rule, int chunks) {
    if (chunks < 1 || layers < 1) return false;
    if (layers < chunks) {
        // The embedding and the loss may have the first and the last chunk for themselves.
        return chunks - layers <= 2 && layers > 2 &&
               (rule == UnevenLayers::EmbeddingAndLossTakeSlots || rule == UnevenLayers::GivenEnds);
    }
    const int rest = layers % chunks;
    if (rest == 0) return true;
    switch (rule) {
        case UnevenLayers::Refused:
            return false;
        case UnevenLayers::RemainderLast:
        case UnevenLayers::RemainderFirst:
            return true;
        // The embedding, the loss or both count as one layer each, so that the slots divide.
        case UnevenLayers::EmbeddingAndLossTakeSlots:
            return chunks - rest <= 2;
        case UnevenLayers::GivenEnds:
            return chunks > 2 && layers >= ceilingOf(layers, chunks) * (chunks - 2);
    }
    return false;
}

bool canGiveEnds(int layers, int pipeline, int virtualStages, int firstLayers, int lastLayers) {
    if (pipeline < 3 || firstLayers < 1 || lastLayers < 1) return false;
    const int rest = layers - firstLayers - lastLayers;
    return firstLayers % virtualStages == 0 && lastLayers % virtualStages == 0 && rest > 0 &&
           rest % ((pipeline - 2) * virtualStages) == 0;
}

std::vector<StageLayers> placeLayers(const workload::Architecture& a,
                                     const SoftwareProfile& profile, int pipeline,
                                     int virtualStages, int firstLayers, int lastLayers) {
    const int chunks = pipeline * virtualStages;
    const int layers = a.layers;
    if (firstLayers > 0 || lastLayers > 0) {
        if (!canGiveEnds(layers, pipeline, virtualStages, firstLayers, lastLayers)) return {};
    } else if (!canPlaceLayers(layers, profile.unevenLayers, chunks)) {
        return {};
    }
    std::vector<int> sizes(static_cast<std::size_t>(chunks), layers / chunks);
    const int rest = layers % chunks;
    if (firstLayers > 0 || lastLayers > 0) {
        const int inner = (layers - firstLayers - lastLayers) / ((pipeline - 2) * virtualStages);
        for (int chunk = 0; chunk < chunks; ++chunk) {
            const int stage = chunk % pipeline;
            sizes[static_cast<std::size_t>(chunk)] =
                stage == 0 ? firstLayers / virtualStages
                           : (stage == pipeline - 1 ? lastLayers / virtualStages : inner);
        }
    } else if (rest != 0) {
        switch (profile.unevenLayers) {
            case UnevenLayers::Refused:
                break;
            case UnevenLayers::RemainderLast:
                for (int i = 0; i < rest; ++i) ++sizes[static_cast<std::size_t>(chunks - 1 - i)];
                break;
            case UnevenLayers::RemainderFirst:
                for (int i = 0; i < rest; ++i) ++sizes[static_cast<std::size_t>(i)];
                break;
            case UnevenLayers::EmbeddingAndLossTakeSlots:
                std::fill(sizes.begin(), sizes.end(), layers / chunks + 1);
                --sizes.back();
                if (chunks - rest == 2) --sizes.front();
                break;
            case UnevenLayers::GivenEnds: {
                const int inner = ceilingOf(layers, chunks);
                const int ends = layers - inner * (chunks - 2);
                std::fill(sizes.begin(), sizes.end(), inner);
                sizes.front() = (ends + 1) / 2;
                sizes.back() = ends / 2;
                break;
            }
        }
    }
    std::vector<StageLayers> stages(static_cast<std::size_t>(pipeline));
    int layer = 0;
    for (int chunk = 0; chunk < chunks; ++chunk) {
        StageLayers& stage = stages[static_cast<std::size_t>(chunk % pipeline)];
        if (chunk < pipeline) stage.first = layer;
        for (int i = 0; i < sizes[static_cast<std::size_t>(chunk)]; ++i, ++layer) {
            ++stage.byClass[layerClass(a, layer)];
        }
    }
    return stages;
}

double paddedVocabulary(const workload::Architecture& a, const SoftwareProfile& profile,
                        int tensor) {
    if (profile.vocabularyPadMultiple == 0) return a.vocabulary;
    const long multiple = static_cast<long>(profile.vocabularyPadMultiple) * tensor;
    return static_cast<double>((a.vocabulary + multiple - 1) / multiple * multiple);
}

const std::vector<Axis>& rankOrder(const SoftwareProfile& profile, const Layout& layout) {
    const auto other = static_cast<std::size_t>(layout.rankOrder);
    return other == 0 || other > profile.otherRankOrders.size()
               ? profile.rankOrder
               : profile.otherRankOrders[other - 1];
}

long rankStride(const SoftwareProfile& profile, const Layout& layout, Axis axis) {
    long stride = 1;
    for (Axis a : rankOrder(profile, layout)) {
        if (a == axis) return stride;
        switch (a) {
            case Axis::Tensor:
                stride *= layout.tensor;
                break;
            case Axis::Context:
                stride *= layout.context;
                break;
            case Axis::Data:
                stride *= layout.data;
                break;
            case Axis::Pipeline:
                stride *= layout.pipeline;
                break;
            case Axis::Expert:  // its ranks are those of the axes above, dealt anew
                break;
        }
    }
    return stride;
}

}  // namespace trainwright::layout
