// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/layout/software_profile.h"

#include <algorithm>

namespace trainwright::layout {

const char* name(Sharding s) {
    switch (s) {
        case Sharding::None:
            return "none";
        case Sharding::Zero1:
            return "zero1";
        case Sharding::Zero2:
            return "zero2";
        case Sharding::Zero3:
            return "fsdp";
    }
    return "none";
}

const char* name(Recompute r) {
    switch (r) {
        case Recompute::None:
            return "none";
        case Recompute::Selective:
            return "selective";
        case Recompute::Full:
            return "full";
    }
    return "none";
}

const char* name(Schedule s) {
    switch (s) {
        case Schedule::GPipe:
            return "gpipe";
        case Schedule::OneForwardOneBackward:
            return "1f1b";
        case Schedule::Interleaved:
            return "interleaved";
        case Schedule::ZeroBubble:
            return "zero_bubble";
        case Schedule::DualPipe:
            return "dualpipe";
    }
    return "1f1b";
}

const char* name(ContextExchange c) {
    switch (c) {
        case ContextExchange::Ring:
            return "ring";
        case ContextExchange::AllGather:
            return "all_gather";
        case ContextExchange::AllToAll:
            return "all_to_all";
    }
    return "ring";
}

const char* name(ExpertDispatch d) {
    switch (d) {
        case ExpertDispatch::AllToAll:
            return "all_to_all";
        case ExpertDispatch::AllGather:
            return "all_gather";
        case ExpertDispatch::OncePerHost:
            return "once_per_host";
    }
    return "all_to_all";
}

const char* name(ExpertTensor t) {
    switch (t) {
        case ExpertTensor::SameAsTensor:
            return "same_as_tensor";
        case ExpertTensor::One:
            return "one";
        case ExpertTensor::Free:
            return "free";
    }
    return "same_as_tensor";
}

const char* name(ExpertPlace p) {
    switch (p) {
        case ExpertPlace::OwnGrid:
            return "own_grid";
        case ExpertPlace::InsideData:
            return "inside_data";
        case ExpertPlace::Outermost:
            return "outermost";
    }
    return "own_grid";
}

const char* name(Offload o) {
    switch (o) {
        case Offload::Optimizer:
            return "optimizer";
        case Offload::Activations:
            return "activations";
    }
    return "optimizer";
}

const char* name(ScalingRecipe r) {
    switch (r) {
        case ScalingRecipe::Delayed:
            return "delayed";
        case ScalingRecipe::Tensorwise:
            return "tensorwise";
        case ScalingRecipe::Blockwise:
            return "blockwise";
        case ScalingRecipe::Microscaled:
            return "microscaled";
    }
    return "tensorwise";
}

const StateBytes& states(const SoftwareProfile& p, Sharding s) {
    switch (s) {
        case Sharding::None:
            return p.statesNone;
        case Sharding::Zero1:
            return p.statesZero1;
        case Sharding::Zero2:
            return p.statesZero2;
        case Sharding::Zero3:
            return p.statesZero3;
    }
    return p.statesNone;
}

int ranksPerChip(const SoftwareProfile& p, const machine::ChipSpec& chip) {
    if (p.rankUnit == RankUnit::Gpu || chip.family == "gpu") return 1;
    return std::max(1, chip.computeUnits / std::max(1, p.physicalCoresPerRank));
}

}  // namespace trainwright::layout
