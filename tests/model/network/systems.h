// SPDX-License-Identifier: GPL-3.0-or-later
// Systems of the network tests, wired by hand from the vendors' figures, so that the tests stand
// without a catalog.
#pragma once

#include <string>
#include <vector>

#include "model/machine/machine.h"

namespace trainwright::network::systems {

constexpr double kGB = 1e9;
constexpr double kMicro = 1e-6;

inline machine::SystemSpec base(const std::string& id, machine::FabricKind kind, int chips,
                                int chipsPerHost) {
    machine::SystemSpec s;
    s.id = id;
    s.name = id;
    s.provider = "aws";
    s.chipsPerDomain = chips;
    s.chipsPerHost = chipsPerHost;
    s.fabric.kind = kind;
    s.fabric.dims = {chips};
    s.fabric.hostsPerDomain = chips / chipsPerHost;
    return s;
}

inline void scaleOut(machine::SystemSpec& s, double nics, double gigabitsEach, double efficiency,
                     double halfBytes, double stepMicroseconds, double startMicroseconds) {
    s.fabric.nicsPerHost = nics;
    s.fabric.nicBandwidth = units::BytesPerSecond(gigabitsEach * kGB / 8);
    s.fabric.scaleOutEfficiency = efficiency;
    s.fabric.scaleOutHalfBytes = halfBytes;
    s.fabric.scaleOutLatency = units::Seconds(stepMicroseconds * kMicro);
    s.fabric.scaleOutCollectiveLatency = units::Seconds(startMicroseconds * kMicro);
}

inline machine::SystemSpec trainium(const std::string& id, std::vector<int> dims,
                                    std::vector<double> linkGB, int chipsPerHost, double chipGB) {
    int chips = 1;
    for (const int d : dims) chips *= d;
    machine::SystemSpec s = base(id, machine::FabricKind::Torus, chips, chipsPerHost);
    s.chip.family = "trainium";
    s.fabric.dims = std::move(dims);
    for (const double gb : linkGB) s.fabric.linkBandwidth.emplace_back(gb * kGB);
    s.fabric.intraChipBandwidth = units::BytesPerSecond(chipGB * kGB);
    s.fabric.hopLatency = units::Seconds(1.5 * kMicro);
    s.fabric.collectiveLatency = units::Seconds(5 * kMicro);
    s.fabric.protocolEfficiency = 0.75;
    s.fabric.protocolHalfBytes = 8e6;
    s.fabric.hierarchyOverlap = 0;
    return s;
}

inline machine::SystemSpec trn1() {
    machine::SystemSpec s = trainium("trn1.32xlarge", {4, 4}, {48, 48}, 16, 544);
    scaleOut(s, 8, 100, 0.5, 150e6, 15, 30);
    return s;
}
inline machine::SystemSpec trn2() {
    machine::SystemSpec s = trainium("trn2.48xlarge", {4, 4}, {128, 128}, 16, 2940);
    scaleOut(s, 16, 200, 0.87, 150e6, 15, 30);
    return s;
}
inline machine::SystemSpec trn2Ultra() {
    machine::SystemSpec s = trainium("u-trn2x64", {4, 4, 4}, {128, 128, 64}, 16, 2940);
    scaleOut(s, 16, 200, 0.87, 150e6, 15, 30);
    return s;
}
/// The second generation has 72 chips a rack and four a host; tests that build the whole cluster
/// use fewer.
inline machine::SystemSpec trn3(int chipsPerRack = 72) {
    machine::SystemSpec s = trainium("trn3", {chipsPerRack, 2}, {576}, 4, 4220);
    s.fabric.kind = machine::FabricKind::SwitchedPairs;
    s.fabric.chipsPerSwitch = chipsPerRack;
    s.fabric.pairBandwidth = units::BytesPerSecond(128 * kGB);
    scaleOut(s, 4, 200, 0.87, 150e6, 15, 30);
    return s;
}
inline machine::SystemSpec inf2() {
    machine::SystemSpec s = trainium("inf2.48xlarge", {12}, {96}, 12, 544);
    s.fabric.kind = machine::FabricKind::Ring;
    return s;
}

inline machine::SystemSpec nvidia(const std::string& id, double linkGB, double efficiency,
                                  double halfBytes, double startMicroseconds,
                                  double switchEfficiency, int chips = 8, int chipsPerHost = 8) {
    machine::SystemSpec s = base(id, machine::FabricKind::Switched, chips, chipsPerHost);
    s.chip.family = "gpu";
    s.chip.vendor = "NVIDIA";
    s.fabric.linkBandwidth = {units::BytesPerSecond(linkGB * kGB)};
    s.fabric.hopLatency = units::Seconds(1 * kMicro);
    s.fabric.collectiveLatency = units::Seconds(startMicroseconds * kMicro);
    s.fabric.protocolEfficiency = efficiency;
    s.fabric.protocolHalfBytes = halfBytes;
    s.fabric.switchReduces = switchEfficiency > 0;
    s.fabric.switchReductionEfficiency = switchEfficiency;
    return s;
}

inline machine::SystemSpec p4d(double scaleOutEfficiency) {
    machine::SystemSpec s = nvidia("p4d.24xlarge", 300, 0.78, 8e6, 20, 0);
    scaleOut(s, 4, 100, scaleOutEfficiency, 50e6, 25, 150);
    return s;
}
inline machine::SystemSpec p5() {
    machine::SystemSpec s = nvidia("p5.48xlarge", 450, 0.82, 25e6, 26, 0.69);
    scaleOut(s, 32, 100, 0.80, 200e6, 20, 70);
    return s;
}
inline machine::SystemSpec p5en() {
    machine::SystemSpec s = nvidia("p5en.48xlarge", 450, 0.82, 25e6, 26, 0.69);
    scaleOut(s, 16, 200, 0.87, 200e6, 15, 50);
    return s;
}
inline machine::SystemSpec p6b200() {
    machine::SystemSpec s = nvidia("p6-b200.48xlarge", 900, 0.76, 25e6, 13, 0.60);
    scaleOut(s, 8, 400, 0.80, 300e6, 15, 60);
    return s;
}
inline machine::SystemSpec p6b300() {
    machine::SystemSpec s = nvidia("p6-b300.48xlarge", 900, 0.76, 25e6, 13, 0.50);
    scaleOut(s, 16, 400, 0.85, 300e6, 15, 60);
    return s;
}
inline machine::SystemSpec gb200() {
    machine::SystemSpec s = nvidia("u-p6e-gb200x72", 900, 0.76, 25e6, 13, 0.48, 72, 4);
    scaleOut(s, 4, 400, 0.80, 300e6, 15, 60);
    return s;
}
inline machine::SystemSpec v100() {
    machine::SystemSpec s = nvidia("p3dn.24xlarge", 150, 0.8, 8e6, 20, 0);
    s.fabric.kind = machine::FabricKind::HybridCubeMesh;
    scaleOut(s, 1, 100, 0.8, 50e6, 25, 110);
    return s;
}
inline machine::SystemSpec mi300x() {
    machine::SystemSpec s = nvidia("azure-nd-mi300x-v5", 448, 0.70, 8e6, 20, 0);
    s.chip.vendor = "AMD";
    s.provider = "azure";
    s.fabric.kind = machine::FabricKind::FullMesh;
    scaleOut(s, 8, 400, 0.9, 50e6, 5, 20);
    return s;
}
inline machine::SystemSpec tpuSlice() {
    machine::SystemSpec s = base("tpu-v5e-256", machine::FabricKind::Torus, 256, 8);
    s.chip.family = "tpu";
    s.provider = "gcp";
    s.fabric.dims = {16, 16};
    s.fabric.linkBandwidth = {units::BytesPerSecond(50 * kGB), units::BytesPerSecond(50 * kGB)};
    s.fabric.hopLatency = units::Seconds(1 * kMicro);
    scaleOut(s, 1, 100, 0.9, 0, 20, 20);
    return s;
}

}  // namespace trainwright::network::systems
