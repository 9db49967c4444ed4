// SPDX-License-Identifier: GPL-3.0-or-later
// Chips, fabrics and systems as the engine sees them: figures only, filled from the catalog.
//
// A rank is what the training framework calls a rank: one GPU, or one (logical) NeuronCore. A host is
// one server with one operating system; a scale-up domain is what the fast links join (one host, or an
// UltraServer / NVL72 of several); a unit is what is rented and priced as one. Nothing here has a
// default that stands for a physical figure: a value that the catalog lacks is std::nullopt or 0 and
// its user must say so.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/units/quantity.h"

namespace trainwright::machine {

enum class Dtype { Fp32, Tf32, Bf16, Fp16, Fp8, Fp4, Int8 };
inline constexpr int kDtypeCount = 7;

[[nodiscard]] const char* name(Dtype d);                         ///< "bf16"
[[nodiscard]] std::optional<Dtype> dtypeFromName(const std::string& text);
[[nodiscard]] double bytesPerElement(Dtype d);

/// One output tile that the matrix library can use, and its inner-loop rate relative to the best tile.
struct GemmTile {
    int m = 0;
    int n = 0;
    double relativeRate = 1.0;
};

/// How the matrix unit and the memory behave, as fractions of the peaks. All from the catalog.
struct ComputeModel {
    std::vector<GemmTile> tiles;
    int gemmDepthHalf = 0;            ///< K at which half of the inner-loop rate is reached
    std::array<double, kDtypeCount> gemmCeiling{};  ///< best measured fraction of the engine peak; 0: unknown dtype
    double sustainedFraction = 1.0;   ///< clock that survives the power limit, over the peak's clock
    double attentionForwardCeiling = 0;   ///< fused attention, fraction of the engine peak
    double attentionBackwardCeiling = 0;
    double attentionHalfSpan = 0;     ///< keys a query walks over at which half of these is reached
    double memoryCeiling = 0;         ///< best achievable fraction of the HBM bandwidth
    double memoryHalfBytes = 0;       ///< transfer size at which half of that is reached, bytes per rank
    units::Seconds kernelLaunch;      ///< device-side fixed cost of one kernel
    bool dedicatedCollectiveEngines = false;  ///< collectives do not take compute cores
};

struct ChipSpec {
    std::string id;
    std::string name;
    std::string vendor;
    std::string generation;  ///< the maker's: "hopper", "2"
    std::string family;  ///< "trainium", "gpu", "tpu", "other": decides glyph and colour
    std::array<units::FlopPerSecond, kDtypeCount> headlinePeak{};  ///< dense, as the vendor prints it; 0: none
    std::array<units::FlopPerSecond, kDtypeCount> enginePeak{};    ///< of the matrix engine; the GEMM ceiling's base
    units::Bytes hbmCapacity;
    units::BytesPerSecond hbmBandwidth;
    int computeUnits = 0;      ///< streaming multiprocessors, or physical NeuronCores
    ComputeModel compute;
    std::optional<units::Watts> thermalDesignPower;
    std::optional<units::Watts> idlePower;
    bool powerIsEstimate = true;
};

enum class FabricKind { Single, Ring, FullMesh, Torus, Switched, SwitchedPairs, HybridCubeMesh };

/// One level of the scale-out network, from the host's first switch upwards.
struct ScaleOutTier {
    std::string name;
    long maxHosts = 0;             ///< hosts that this tier joins
    double oversubscription = 1.0; ///< downlink over uplink bandwidth entering this tier
    units::Seconds hopLatency;
};

/// The wiring of one scale-up domain and of the network between domains. Bandwidths are one-way.
struct FabricSpec {
    FabricKind kind = FabricKind::Single;
    std::vector<int> dims;                                ///< chips along each dimension; product = chips a domain
    std::vector<units::BytesPerSecond> linkBandwidth;     ///< torus, ring: per link of each dimension; else one entry,
                                                          ///< switched/mesh: what one chip can send in all
    int chipsPerSwitch = 0;                               ///< SwitchedPairs: chips that share one switch (a rack)
    units::BytesPerSecond pairBandwidth;                  ///< SwitchedPairs: chip to its partner across racks
    units::BytesPerSecond intraChipBandwidth;             ///< all ranks of one chip together, to each other and to
                                                          ///< the links; 0: not known, half the HBM bandwidth is taken
    units::Seconds hopLatency;                            ///< one hop inside the domain
    units::Seconds collectiveLatency;                     ///< fixed cost of starting one collective inside
    double protocolEfficiency = 1.0;                      ///< large-message fraction of the wire rate, inside
    double protocolHalfBytes = 0;                         ///< message at which half of the small-message loss is gone,
                                                          ///< see network::AlgorithmCost
    bool switchReduces = false;                           ///< in-switch reduction (NVLink SHARP) is available
    double switchReductionEfficiency = 0;                 ///< its fraction of the wire rate; 0: protocolEfficiency
    std::string linkName;                                 ///< "NVLink", "PCIe"; empty: after the chip's vendor
    std::string scaleOutName;                             ///< "EFA", "InfiniBand"; empty: after the provider
    // between domains
    int hostsPerDomain = 1;
    double nicsPerHost = 0;
    units::BytesPerSecond nicBandwidth;                   ///< one NIC, one way
    double scaleOutEfficiency = 1.0;                      ///< large-message fraction of the NIC rate
    double scaleOutHalfBytes = 0;
    units::Seconds scaleOutLatency;                       ///< one step between hosts, device memory to device memory
    units::Seconds scaleOutCollectiveLatency;             ///< fixed cost of starting one collective across hosts
    double hierarchyOverlap = 1.0;                        ///< share of the shorter phase of a hierarchical collective that
                                                          ///< runs under the longer; 1: pipelined, 0: one after the other
    std::vector<ScaleOutTier> tiers;
};

/// Power of one host apart from its accelerators, and how accelerator draw follows use.
struct PowerModel {
    std::optional<units::Watts> hostPower;         ///< CPU, memory, NIC, fans of one host under load
    std::optional<units::Watts> hostIdlePower;
    std::optional<units::Watts> networkPowerPerHost;
    double acceleratorActiveShare = 0;             ///< share of TDP drawn at full matrix use
    bool isEstimate = true;
};

struct SystemSpec {
    std::string id;
    std::string name;
    std::string provider;
    ChipSpec chip;
    FabricSpec fabric;
    PowerModel power;
    int chipsPerUnit = 0;      ///< of what is rented as one
    int chipsPerHost = 0;
    int chipsPerDomain = 0;
    int vcpusPerUnit = 0;
    units::Bytes hostMemory;   ///< of one host
    units::BytesPerSecond hostMemoryBandwidth;  ///< of one host's DRAM; 0 if not known
    units::BytesPerSecond hostLinkBandwidth;  ///< one accelerator to host memory, one way; 0 if not known
    long maxChips = 0;         ///< largest cluster that is said to exist (UltraCluster); 0: not known
    bool rentable = true;
};

/// The system as `chips` of it are laid out by its users: where a switched domain of several hosts
/// doesn't divide them, each domain is filled as far as its largest number of whole hosts that does
/// (256 chips on domains of 72 stand on four of 64), so that groups don't straddle domains.
[[nodiscard]] SystemSpec placedOn(const SystemSpec& system, long chips);

}  // namespace trainwright::machine
