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
    }
    return "1f1b";
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
