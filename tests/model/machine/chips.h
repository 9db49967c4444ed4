// SPDX-License-Identifier: GPL-3.0-or-later
// Chips that tests work with: the data sheet of an A100 and of a Trainium2, and round efficiencies.
#pragma once

#include "model/machine/machine.h"

namespace trainwright::machine::testing {

inline ChipSpec a100() {
    ChipSpec c;
    c.id = "a100";
    c.name = "A100";
    c.vendor = "NVIDIA";
    c.family = "gpu";
    for (Dtype d : {Dtype::Bf16, Dtype::Fp16}) {
        const auto i = static_cast<std::size_t>(d);
        c.headlinePeak[i] = c.enginePeak[i] = units::FlopPerSecond(312e12);
        c.compute.gemmCeiling[i] = 0.87;
    }
    c.hbmCapacity = units::gibibytes(80);
    c.hbmBandwidth = units::BytesPerSecond(2.039e12);
    c.computeUnits = 108;
    c.compute.tiles = {{128, 256, 1.0}, {128, 128, 0.92}, {64, 128, 0.78}, {64, 64, 0.6}};
    c.compute.gemmDepthHalf = 48;
    c.compute.attentionForwardCeiling = 0.6;
    c.compute.attentionBackwardCeiling = 0.5;
    c.compute.attentionHalfSpan = 230;
    c.compute.memoryCeiling = 0.85;
    c.compute.memoryHalfBytes = 600e3;
    c.compute.kernelLaunch = units::Seconds(3e-6);
    return c;
}

inline ChipSpec trainium2() {
    ChipSpec c;
    c.id = "trainium2";
    c.name = "Trainium2";
    c.vendor = "AWS";
    c.family = "trainium";
    const auto i = static_cast<std::size_t>(Dtype::Bf16);
    c.headlinePeak[i] = units::FlopPerSecond(667e12);
    c.enginePeak[i] = units::FlopPerSecond(629e12);
    c.compute.gemmCeiling[i] = 0.74;
    c.hbmCapacity = units::gibibytes(96);
    c.hbmBandwidth = units::BytesPerSecond(2.9e12);
    c.computeUnits = 8;
    c.compute.tiles = {{128, 512, 1.0}, {128, 128, 0.53}};
    c.compute.gemmDepthHalf = 64;
    c.compute.attentionForwardCeiling = 0.35;
    c.compute.attentionBackwardCeiling = 0.3;
    c.compute.memoryCeiling = 0.9;
    c.compute.memoryHalfBytes = 500e3;
    c.compute.kernelLaunch = units::Seconds(2e-6);
    c.compute.dedicatedCollectiveEngines = true;
    return c;
}

}  // namespace trainwright::machine::testing
