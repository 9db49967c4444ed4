// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/search/explanation.h"

#include <algorithm>
#include <cmath>

#include "model/layout/schedule_closed_form.h"
#include "model/layout/step.h"
#include "model/network/graph.h"
#include "model/network/network.h"

namespace trainwright::search {

namespace {

using units::BytesPerSecond;
using units::FlopPerSecond;
using units::Seconds;

bool hasLayout(const CandidateResult& result) {
    return result.step.memory.peak.total().value() > 0;
}

network::Network networkOf(const CandidateRequest& candidate) {
    return {candidate.system, candidate.chips,
            layout::ranksPerChip(candidate.profile, candidate.system.chip)};
}

std::optional<network::Collective> collectiveOf(const std::string& name) {
    for (int i = 0; i < network::kCollectiveCount; ++i) {
        const auto c = static_cast<network::Collective>(i);
        if (name == network::name(c)) return c;
    }
    return std::nullopt;
}

std::vector<StageOccupation> occupations(const layout::PipelineTimeline& timeline, int stages) {
    std::vector<StageOccupation> out(static_cast<std::size_t>(stages));
    std::vector<double> until(out.size(), 0.0);
    for (int i = 0; i < stages; ++i) out[static_cast<std::size_t>(i)].stage = i;
    for (const layout::PipelineTask& t : timeline.tasks) {
        const auto i = static_cast<std::size_t>(t.stage);
        StageOccupation& s = out[i];
        const bool isFirst = s.last.value() == 0;
        if (isFirst || t.startSeconds < s.first.value()) s.first = Seconds(t.startSeconds);
        s.last = Seconds(std::max(s.last.value(), t.endSeconds));
        // Tasks that run through each other occupy their stage once.
        const double from = std::max(t.startSeconds, until[i]);
        if (t.endSeconds > from) s.busy += Seconds(t.endSeconds - from);
        until[i] = std::max(until[i], t.endSeconds);
    }
    return out;
}

Text words(const char* pattern) {
    return {pattern, {}};
}

std::vector<LinkFacts> linksOf(const CandidateRequest& candidate) {
    const machine::SystemSpec& system = candidate.system;
    const machine::FabricSpec& f = system.fabric;
    std::vector<LinkFacts> links;
    if (f.intraChipBandwidth.value() > 0 &&
        layout::ranksPerChip(candidate.profile, system.chip) > 1) {
        links.push_back({words("between ranks of a chip"),
                         words("the chip"),
                         f.intraChipBandwidth,
                         {},
                         {},
                         {},
                         {},
                         1,
                         {"intra_chip_bandwidth_bytes_per_s"}});
    }
    if (f.kind != machine::FabricKind::Single) {
        static constexpr const char* kDimensions[] = {"x", "y", "z"};
        const bool byDimension =
            f.kind == machine::FabricKind::Torus || f.kind == machine::FabricKind::Ring;
        const std::string name = network::linkName(system);
        for (std::size_t d = 0; d < f.linkBandwidth.size(); ++d) {
            const bool named = byDimension && f.linkBandwidth.size() > 1 && d < 3;
            LinkFacts link;
            link.name =
                named ? Text{"{1}, dimension {2}", {name, kDimensions[d]}} : Text{"{1}", {name}};
            link.end = byDimension ? words("a link") : words("a chip");
            link.bandwidth = f.linkBandwidth[d];
            link.latency = f.hopLatency;
            link.start = f.collectiveLatency;
            link.efficiency = f.protocolEfficiency;
            link.halfBytes = units::Bytes(f.protocolHalfBytes);
            link.figures = {"link_bandwidth_bytes_per_s_" + std::to_string(d), "hop_latency_s",
                            "collective_latency_s", "protocol_efficiency", "protocol_half_bytes"};
            links.push_back(std::move(link));
        }
        if (f.pairBandwidth.value() > 0) {
            links.push_back({{"{1}, to the partner of a pair", {name}},
                             words("a chip"),
                             f.pairBandwidth,
                             f.hopLatency,
                             f.collectiveLatency,
                             f.protocolEfficiency,
                             units::Bytes(f.protocolHalfBytes),
                             1,
                             {"pair_bandwidth_bytes_per_s"}});
        }
        if (f.switchReduces && f.switchReductionEfficiency > 0) {
            links.push_back({{"{1}, sums made in the switch", {name}},
                             words("a chip"),
                             f.linkBandwidth.empty() ? BytesPerSecond() : f.linkBandwidth.front(),
                             f.hopLatency,
                             f.collectiveLatency,
                             f.switchReductionEfficiency,
                             units::Bytes(f.protocolHalfBytes),
                             1,
                             {"switch_reduces", "switch_reduction_efficiency"}});
        }
    }
    if (f.nicsPerHost > 0 && f.nicBandwidth.value() > 0) {
        LinkFacts nic;
        nic.name = {"{1}, between hosts", {network::scaleOutName(system)}};
        nic.end = words("a host");
        nic.bandwidth = f.nicBandwidth * f.nicsPerHost;
        nic.latency = f.scaleOutLatency;
        nic.start = f.scaleOutCollectiveLatency;
        nic.efficiency = f.scaleOutEfficiency;
        nic.halfBytes = units::Bytes(f.scaleOutHalfBytes);
        nic.figures = {"nics_per_host",        "nic_bandwidth_bytes_per_s",
                       "scale_out_latency_s",  "scale_out_collective_latency_s",
                       "scale_out_efficiency", "scale_out_half_bytes"};
        links.push_back(std::move(nic));
        for (const machine::ScaleOutTier& tier : f.tiers) {
            LinkFacts link;
            link.name = {"{1} tier, up to {2} hosts", {tier.name, std::to_string(tier.maxHosts)}};
            link.end = words("a host");
            link.bandwidth = nic.bandwidth / tier.oversubscription;
            link.latency = tier.hopLatency;
            link.oversubscription = tier.oversubscription;
            link.figures = {"tiers"};
            links.push_back(std::move(link));
        }
    }
    if (system.hostLinkBandwidth.value() > 0) {
        links.push_back({words("to the host's memory"),
                         words("a chip"),
                         system.hostLinkBandwidth,
                         {},
                         {},
                         {},
                         {},
                         1,
                         {"host_link_bandwidth_bytes_per_s"}});
    }
    return links;
}

}  // namespace

units::FlopPerByte Ceilings::ridge(machine::Dtype dtype) const {
    const double flop = byDtype[static_cast<std::size_t>(dtype)].matrix.value();
    return units::FlopPerByte(memory.value() > 0 ? flop / memory.value() : 0.0);
}

units::FlopPerSecond Ceilings::roof(layout::OperatorKind kind, layout::Phase phase,
                                    machine::Dtype dtype, double flopPerByte) const {
    const OfDtype& d = byDtype[static_cast<std::size_t>(dtype)];
    FlopPerSecond arithmetic = d.matrix;
    if (kind == layout::OperatorKind::Attention) {
        const bool isForward = phase == layout::Phase::Forward || phase == layout::Phase::Recompute;
        arithmetic = isForward ? d.attentionForward : d.attentionBackward;
    }
    const FlopPerSecond fed(memory.value() * flopPerByte);
    // Vector operators run elsewhere than in the matrix engine; memory is what is known of them.
    const bool hasEngine = kind != layout::OperatorKind::Vector && arithmetic.value() > 0;
    return hasEngine ? std::min(arithmetic, fed) : fed;
}

Ceilings ceilingsOf(const CandidateRequest& candidate) {
    const machine::ChipSpec& chip = candidate.system.chip;
    const int ranks = layout::ranksPerChip(candidate.profile, chip);
    const machine::RankSpec rank = machine::rankOf(chip, ranks, candidate.profile.computeSustained);
    Ceilings c;
    for (std::size_t i = 0; i < machine::kDtypeCount; ++i) {
        const double engine = rank.engineFlopPerSecond[i] * ranks * rank.sustained;
        c.byDtype[i] = {chip.headlinePeak[i], chip.enginePeak[i],
                        FlopPerSecond(engine * rank.gemmCeiling[i]),
                        FlopPerSecond(engine * rank.attentionForwardCeiling),
                        FlopPerSecond(engine * rank.attentionBackwardCeiling)};
    }
    c.memoryDataSheet = chip.hbmBandwidth;
    c.memory = BytesPerSecond(rank.bytesPerSecond * ranks);
    return c;
}

PipelineStudy studyPipeline(const PlanRequest& request, const CandidateRequest& candidate,
                            const CandidateResult& result) {
    PipelineStudy study;
    if (!hasLayout(result)) return study;
    const layout::StepProblem problem = stepProblem(request, candidate);
    const network::Network network = networkOf(candidate);
    study.problem = layout::StepEvaluator(problem, network).pipeline(result.layout);
    const layout::PipelineProblem& p = study.problem;
    std::vector<layout::StageRun> runs;
    for (int i = 0; i < p.stages(); ++i) {
        const auto s = static_cast<std::size_t>(i);
        runs.push_back({p.forwardSeconds[s], p.backwardSeconds[s],
                        p.weightGradientSeconds.empty() ? 0.0 : p.weightGradientSeconds[s], 1});
    }
    if (runs.empty()) return study;
    study.closedForm = Seconds(
        layout::pipelineSeconds(p.schedule, p.virtualStages, p.microBatches, p.sendSeconds, runs));
    const double tasks = 2.0 * p.stages() * p.virtualStages * static_cast<double>(p.microBatches);
    if (tasks > PipelineStudy::kMostTasks) return study;
    study.timeline = layout::simulate(p);
    study.stages = occupations(*study.timeline, p.stages());
    return study;
}

NetworkStudy studyNetwork(const CandidateRequest& candidate, const CandidateResult& result) {
    NetworkStudy study;
    study.links = linksOf(candidate);
    const network::Network network = networkOf(candidate);
    for (const layout::CollectiveUse& use : result.step.collectives) {
        std::vector<AlgorithmChoice> choices;
        if (const auto kind = collectiveOf(use.kind)) {
            const network::CollectiveCost& cost =
                network.cost(*kind, network::Group{use.ranks, use.stride});
            const network::AlgorithmCost& fastest = cost.fastest(use.bytesPerCall);
            for (const network::AlgorithmCost& a : cost.algorithms) {
                choices.push_back({network::name(a.algorithm), a.busiestLink, a.latency,
                                   a.time(use.bytesPerCall), &a == &fastest});
            }
            std::stable_sort(choices.begin(), choices.end(),
                             [](const AlgorithmChoice& a, const AlgorithmChoice& b) {
                                 return a.seconds < b.seconds;
                             });
        }
        study.algorithms.push_back(std::move(choices));
    }
    return study;
}

}  // namespace trainwright::search
