// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/spec_reader.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <string_view>
#include <utility>

namespace trainwright::catalog {
namespace {

using machine::Dtype;

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        std::string_view part = text.substr(0, at);
        while (!part.empty() && part.front() == ' ') {
            part.remove_prefix(1);
        }
        parts.push_back(part);
        if (at == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(at + 1);
    }
}

template <typename Number>
bool readWhole(std::string_view text, Number& number) {
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    return !text.empty() && error == std::errc() && stop == end;
}

std::string keyOf(std::string_view pattern, Dtype dtype) {
    return fmt::format(fmt::runtime(pattern), machine::name(dtype));
}

std::optional<units::Watts> watts(const FigureSet& figures, const std::string& key) {
    const std::optional<double> value = figures.number(key);
    return value ? std::optional(units::Watts(*value)) : std::nullopt;
}

machine::ComputeModel computeModel(FigureSet& figures) {
    machine::ComputeModel c;
    const std::string tiles = figures.requiredText("gemm_tiles");
    if (auto read = tilesFromText(tiles)) {
        c.tiles = std::move(*read);
    } else if (!tiles.empty()) {
        figures.malformed("gemm_tiles", "128x256:1.00,128x128:0.92");
    }
    c.gemmDepthHalf = figures.requiredInteger("gemm_depth_half_k");
    for (int i = 0; i < machine::kDtypeCount; ++i) {
        c.gemmCeiling[static_cast<std::size_t>(i)] =
            figures.numberOr(keyOf("gemm_ceiling_{}", static_cast<Dtype>(i)), 0.0);
    }
    c.sustainedFraction = figures.required("sustained_fraction");
    c.attentionHalfSpan = figures.required("attention_half_span_tokens");
    c.attentionForwardCeiling = figures.required("attention_forward_ceiling");
    c.attentionBackwardCeiling = figures.required("attention_backward_ceiling");
    c.memoryCeiling = figures.required("memory_ceiling");
    c.memoryHalfBytes = figures.required("memory_half_bytes");
    c.kernelLaunch = units::Seconds(figures.required("kernel_launch_s"));
    c.dedicatedCollectiveEngines = figures.flag("dedicated_collective_engines");
    return c;
}

void readLinks(FigureSet& figures, machine::FabricSpec& fabric) {
    using machine::FabricKind;
    if (fabric.kind == FabricKind::Single) {
        return;
    }
    const std::size_t links = fabric.kind == FabricKind::Torus ? fabric.dims.size() : 1;
    for (std::size_t i = 0; i < links; ++i) {
        fabric.linkBandwidth.emplace_back(
            figures.required(fmt::format("link_bandwidth_bytes_per_s_{}", i)));
    }
    if (fabric.kind == FabricKind::SwitchedPairs) {
        fabric.chipsPerSwitch = figures.requiredInteger("chips_per_switch");
        fabric.pairBandwidth =
            units::BytesPerSecond(figures.required("pair_bandwidth_bytes_per_s"));
    }
}

machine::FabricSpec fabricSpec(FigureSet& figures) {
    machine::FabricSpec fabric;
    const std::string kind = figures.requiredText("fabric_kind");
    if (const auto read = fabricKindFromText(kind)) {
        fabric.kind = *read;
    } else if (!kind.empty()) {
        figures.malformed("fabric_kind", "torus");
    }
    const std::string dims = figures.requiredText("fabric_dims");
    if (auto read = dimensionsFromText(dims)) {
        fabric.dims = std::move(*read);
    } else if (!dims.empty()) {
        figures.malformed("fabric_dims", "4x4x4");
    }
    readLinks(figures, fabric);
    fabric.intraChipBandwidth =
        units::BytesPerSecond(figures.numberOr("intra_chip_bandwidth_bytes_per_s", 0.0));
    if (fabric.kind != machine::FabricKind::Single) {
        fabric.hopLatency = units::Seconds(figures.required("hop_latency_s"));
        fabric.collectiveLatency = units::Seconds(figures.required("collective_latency_s"));
        fabric.protocolEfficiency = figures.required("protocol_efficiency");
        fabric.protocolHalfBytes = figures.required("protocol_half_bytes");
    } else {
        // What is left inside one chip; without ranks that share it these are never used.
        fabric.hopLatency = units::Seconds(figures.numberOr("hop_latency_s", 0.0));
        fabric.collectiveLatency = units::Seconds(figures.numberOr("collective_latency_s", 0.0));
        fabric.protocolEfficiency = figures.numberOr("protocol_efficiency", 1.0);
        fabric.protocolHalfBytes = figures.numberOr("protocol_half_bytes", 0.0);
    }
    fabric.switchReduces = figures.flag("switch_reduces");
    fabric.switchReductionEfficiency = figures.numberOr("switch_reduction_efficiency", 0.0);
    fabric.linkName = figures.text("link_name");
    fabric.scaleOutName = figures.text("scale_out_name");
    fabric.hostsPerDomain = figures.requiredInteger("hosts_per_domain");
    fabric.nicsPerHost = figures.required("nics_per_host");
    fabric.nicBandwidth = units::BytesPerSecond(figures.required("nic_bandwidth_bytes_per_s"));
    fabric.scaleOutEfficiency = figures.required("scale_out_efficiency");
    fabric.scaleOutHalfBytes = figures.required("scale_out_half_bytes");
    fabric.scaleOutLatency = units::Seconds(figures.required("scale_out_latency_s"));
    fabric.scaleOutCollectiveLatency =
        units::Seconds(figures.required("scale_out_collective_latency_s"));
    fabric.hierarchyOverlap = figures.required("hierarchy_overlap");
    const std::string tiers = figures.requiredText("tiers");
    if (auto read = tiersFromText(tiers)) {
        fabric.tiers = std::move(*read);
    } else if (!tiers.empty()) {
        figures.malformed("tiers", "rack:4:1.0:1e-6,spine:512:1.0:1e-6");
    }
    return fabric;
}

template <typename Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

template <typename Value>
Value chosen(FigureSet& figures, const std::string& key, const Names<Value>& names) {
    const std::string text = figures.requiredText(key);
    for (const auto& [name, value] : names) {
        if (name == text) {
            return value;
        }
    }
    if (!text.empty()) {
        figures.malformed(key, std::string(names.front().first));
    }
    return names.front().second;
}

}  // namespace

std::optional<std::vector<int>> dimensionsFromText(const std::string& text) {
    std::vector<int> dims;
    for (const std::string_view part : split(text, 'x')) {
        int extent = 0;
        if (!readWhole(part, extent) || extent < 1) {
            return std::nullopt;
        }
        dims.push_back(extent);
    }
    return dims;
}

std::optional<std::vector<machine::GemmTile>> tilesFromText(const std::string& text) {
    std::vector<machine::GemmTile> tiles;
    for (const std::string_view part : split(text, ',')) {
        const std::vector<std::string_view> halves = split(part, ':');
        machine::GemmTile tile;
        const std::optional<std::vector<int>> extents =
            dimensionsFromText(std::string(halves.front()));
        if (halves.size() != 2 || !extents || extents->size() != 2 ||
            !readWhole(halves.back(), tile.relativeRate) || !(tile.relativeRate > 0)) {
            return std::nullopt;
        }
        tile.m = extents->front();
        tile.n = extents->back();
        tiles.push_back(tile);
    }
    return tiles;
}

std::optional<std::vector<machine::ScaleOutTier>> tiersFromText(const std::string& text) {
    std::vector<machine::ScaleOutTier> tiers;
    constexpr std::size_t kParts = 4;
    for (const std::string_view part : split(text, ',')) {
        const std::vector<std::string_view> parts = split(part, ':');
        machine::ScaleOutTier tier;
        double latency = 0;
        if (parts.size() != kParts || parts[0].empty() || !readWhole(parts[1], tier.maxHosts) ||
            !readWhole(parts[2], tier.oversubscription) || !readWhole(parts[3], latency) ||
            tier.maxHosts < 1 || tier.oversubscription < 1.0 ||
            (!tiers.empty() && tier.maxHosts < tiers.back().maxHosts)) {
            return std::nullopt;
        }
        tier.name = std::string(parts[0]);
        tier.hopLatency = units::Seconds(latency);
        tiers.push_back(std::move(tier));
    }
    return tiers;
}

std::optional<machine::FabricKind> fabricKindFromText(const std::string& text) {
    using machine::FabricKind;
    static const Names<FabricKind> kNames{{"single", FabricKind::Single},
                                          {"ring", FabricKind::Ring},
                                          {"full_mesh", FabricKind::FullMesh},
                                          {"torus", FabricKind::Torus},
                                          {"switched", FabricKind::Switched},
                                          {"switched_pairs", FabricKind::SwitchedPairs},
                                          {"hybrid_cube_mesh", FabricKind::HybridCubeMesh}};
    for (const auto& [name, kind] : kNames) {
        if (name == text) {
            return kind;
        }
    }
    return std::nullopt;
}

Outcome<machine::ChipSpec> chipFromFigures(const Entry& entry, FigureSet figures) {
    machine::ChipSpec chip;
    chip.id = entry.id;
    chip.name = entry.name;
    chip.vendor = figures.text("vendor");
    chip.family = figures.requiredText("family");
    chip.generation = figures.text("generation");
    bool anyDtype = false;
    chip.compute = computeModel(figures);
    for (std::size_t i = 0; i < machine::kDtypeCount; ++i) {
        const auto dtype = static_cast<Dtype>(i);
        chip.headlinePeak[i] =
            units::FlopPerSecond(figures.numberOr(keyOf("peak_{}_flop_per_s", dtype), 0.0));
        chip.enginePeak[i] =
            units::FlopPerSecond(figures.numberOr(keyOf("engine_peak_{}_flop_per_s", dtype), 0.0));
        anyDtype = anyDtype || (chip.enginePeak[i].value() > 0 && chip.compute.gemmCeiling[i] > 0);
    }
    if (!anyDtype) {
        (void)figures.required("engine_peak_bf16_flop_per_s");
        (void)figures.required("gemm_ceiling_bf16");
    }
    chip.hbmCapacity = units::Bytes(figures.required("hbm_bytes"));
    chip.hbmBandwidth = units::BytesPerSecond(figures.required("hbm_bandwidth_bytes_per_s"));
    chip.computeUnits = figures.requiredInteger("compute_units");
    chip.thermalDesignPower = watts(figures, "tdp_w");
    chip.idlePower = watts(figures, "idle_w");
    chip.powerIsEstimate = figures.flag("power_is_estimate");
    if (!figures.findings().empty()) {
        return figures.findings();
    }
    return chip;
}

Outcome<machine::SystemSpec> systemFromFigures(const Entry& entry, FigureSet figures,
                                               const machine::ChipSpec& chip) {
    machine::SystemSpec system;
    system.id = entry.id;
    system.name = entry.name;
    system.provider = figures.text("provider");
    system.chip = chip;
    system.fabric = fabricSpec(figures);
    system.power.hostPower = watts(figures, "host_power_w");
    system.power.hostIdlePower = watts(figures, "host_idle_power_w");
    system.power.networkPowerPerHost = watts(figures, "network_power_per_host_w");
    system.power.acceleratorActiveShare = figures.numberOr("accelerator_active_share", 0.0);
    system.power.isEstimate = figures.flag("power_is_estimate") || chip.powerIsEstimate;
    system.chipsPerUnit = figures.requiredInteger("chips_per_unit");
    system.chipsPerHost = figures.requiredInteger("chips_per_host");
    system.chipsPerDomain = figures.requiredInteger("chips_per_domain");
    system.vcpusPerUnit = figures.integerOr("vcpus_per_unit", 0);
    system.hostMemory = units::Bytes(figures.numberOr("host_memory_bytes", 0.0));
    system.hostMemoryBandwidth =
        units::BytesPerSecond(figures.numberOr("host_memory_bandwidth_bytes_per_s", 0.0));
    system.hostLinkBandwidth =
        units::BytesPerSecond(figures.numberOr("host_link_bandwidth_bytes_per_s", 0.0));
    system.maxChips = static_cast<long>(figures.numberOr("max_chips", 0.0));
    system.rentable = figures.flag("rentable");
    if (!figures.findings().empty()) {
        return figures.findings();
    }
    return system;
}

Outcome<workload::Architecture> architectureFromFigures(const Entry& entry, FigureSet figures) {
    using workload::Norm;
    using workload::Positional;
    workload::Architecture a;
    a.id = entry.id;
    a.family = figures.text("family");
    a.layers = figures.requiredInteger("layers");
    a.hidden = figures.requiredInteger("hidden");
    a.heads = figures.requiredInteger("heads");
    a.keyValueHeads = figures.requiredInteger("kv_heads");
    a.headSize = figures.requiredInteger("head_size");
    a.ffn = figures.requiredInteger("ffn");
    a.vocabulary = figures.requiredInteger("vocabulary");
    a.nativeContext = figures.requiredInteger("native_context");
    a.gatedMlp = figures.requiredText("gated_mlp") == "1";
    a.tiedEmbeddings = figures.requiredText("tied_embeddings") == "1";
    a.causal = figures.requiredText("causal") == "1";
    a.linearBias = figures.flag("linear_bias");
    a.queryKeyValueBias = figures.flag("qkv_bias");
    a.queryKeyNorm = figures.flag("qk_norm");
    a.parallelBlock = figures.flag("parallel_block");
    a.normsPerLayer = figures.requiredInteger("norms_per_layer");
    a.embeddingNorm = figures.flag("embedding_norm");
    a.norm = chosen<Norm>(figures, "norm",
                          {{"rmsnorm", Norm::RmsNorm},
                           {"layernorm", Norm::LayerNorm},
                           {"layernorm_no_bias", Norm::LayerNormNoBias},
                           {"non_parametric", Norm::NonParametric}});
    a.positional = chosen<Positional>(figures, "positional",
                                      {{"rotary", Positional::Rotary},
                                       {"learned", Positional::Learned},
                                       {"alibi", Positional::Alibi},
                                       {"relative", Positional::Relative},
                                       {"none", Positional::None}});
    if (figures.number("attention_window")) {
        a.pattern.window = figures.requiredInteger("attention_window");
        a.pattern.period = figures.requiredInteger("attention_period");
        a.pattern.localPerPeriod = figures.requiredInteger("attention_local_per_period");
    }
    if (figures.number("experts")) {
        workload::MixtureOfExperts moe;
        moe.experts = figures.requiredInteger("experts");
        moe.topK = figures.requiredInteger("top_k");
        moe.sharedExperts = figures.integerOr("shared_experts", 0);
        moe.expertFfn = figures.requiredInteger("expert_ffn");
        moe.leadingDenseLayers = figures.integerOr("leading_dense_layers", 0);
        moe.interleaveStep = figures.integerOr("moe_interleave_step", 1);
        moe.routingGroups = figures.integerOr("routing_groups", 0);
        moe.routedGroups = figures.integerOr("routed_groups", 0);
        a.moe = moe;
    }
    if (figures.number("kv_rank")) {
        workload::LatentAttention latent;
        latent.queryRank = figures.requiredInteger("query_rank");
        latent.keyValueRank = figures.requiredInteger("kv_rank");
        latent.nopeHeadSize = figures.requiredInteger("nope_head_size");
        latent.ropeHeadSize = figures.requiredInteger("rope_head_size");
        latent.valueHeadSize = figures.requiredInteger("value_head_size");
        a.latent = latent;
    }
    a.multiTokenHeads = figures.integerOr("multi_token_heads", 0);
    a.publishedParameters = figures.numberOr("parameters_total_published", 0.0);
    a.publishedActiveParameters = figures.numberOr("parameters_active_published", 0.0);
    if (!figures.findings().empty()) {
        return figures.findings();
    }
    return a;
}

}  // namespace trainwright::catalog
