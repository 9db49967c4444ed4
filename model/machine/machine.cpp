// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/machine/machine.h"

namespace trainwright::machine {

namespace {
constexpr std::array<const char*, kDtypeCount> kNames{"fp32", "tf32", "bf16", "fp16",
                                                      "fp8",  "fp4",  "int8"};
constexpr std::array<double, kDtypeCount> kBytes{4, 4, 2, 2, 1, 0.5, 1};
}  // namespace

const char* name(Dtype d) {
    return kNames[static_cast<std::size_t>(d)];
}

std::optional<Dtype> dtypeFromName(const std::string& text) {
    for (std::size_t i = 0; i < kNames.size(); ++i) {
        if (text == kNames[i]) return static_cast<Dtype>(i);
    }
    return std::nullopt;
}

double bytesPerElement(Dtype d) {
    return kBytes[static_cast<std::size_t>(d)];
}

SystemSpec placedOn(const SystemSpec& system, long chips) {
    SystemSpec placed = system;
    const FabricSpec& fabric = system.fabric;
    const int domain = system.chipsPerDomain;
    if (fabric.kind != FabricKind::Switched || fabric.hostsPerDomain <= 1 || chips <= domain ||
        chips % domain == 0 || domain % fabric.hostsPerDomain != 0)
        return placed;
    const int host = domain / fabric.hostsPerDomain;
    for (int hosts = fabric.hostsPerDomain; hosts > fabric.hostsPerDomain / 2; --hosts) {
        if (chips % (static_cast<long>(hosts) * host) != 0) continue;
        placed.chipsPerDomain = hosts * host;
        placed.fabric.hostsPerDomain = hosts;
        placed.fabric.dims = {hosts * host};
        break;
    }
    return placed;
}

}  // namespace trainwright::machine
