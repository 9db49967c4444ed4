// SPDX-License-Identifier: GPL-3.0-or-later
// What stands behind the pictures of a candidate: its roofline, its pipeline event by event, its
// network with every algorithm that was weighed.
//
// Made of a candidate's result, for one reader at a time; plans and searches don't need it. The
// numbers are the engine's own (the same functions, asked again), not a second model.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "model/layout/schedule.h"
#include "model/machine/roofline.h"
#include "model/search/plan.h"

namespace trainwright::search {

/// What one chip can reach at most, by kind of work. 0: not known.
struct Ceilings {
    struct OfDtype {
        units::FlopPerSecond dataSheet;  ///< dense, as the vendor prints it
        units::FlopPerSecond engine;     ///< of the matrix engine, at its full clock
        units::FlopPerSecond matrix;     ///< what a large matrix product reaches
        units::FlopPerSecond attentionForward, attentionBackward;
    };
    std::array<OfDtype, machine::kDtypeCount> byDtype{};
    units::BytesPerSecond memoryDataSheet;
    units::BytesPerSecond memory;  ///< what a large transfer reaches

    /// Intensity from which arithmetic, not memory, is the limit of a large matrix product.
    [[nodiscard]] units::FlopPerByte ridge(machine::Dtype dtype) const;
    /// The roof over an operator of `flopPerByte`: the lower of arithmetic's and memory's.
    [[nodiscard]] units::FlopPerSecond roof(layout::OperatorKind kind, layout::Phase phase,
                                            machine::Dtype dtype, double flopPerByte) const;
};

/// One stage in the simulated pipeline.
struct StageOccupation {
    int stage = 0;
    units::Seconds first, last;  ///< when its first task starts and its last one ends
    units::Seconds busy;         ///< tasks, with the sends that they wait for
};

/// The pipeline of a step, without traffic between replicas and the optimizer.
struct PipelineStudy {
    layout::PipelineProblem problem;
    /// Nothing when there are more tasks than kMostTasks.
    std::optional<layout::PipelineTimeline> timeline;
    std::vector<StageOccupation> stages;  ///< of the timeline
    units::Seconds closedForm;            ///< what the step time holds
    static constexpr double kMostTasks = 4e6;
};

/// What one algorithm takes for a collective's message.
struct AlgorithmChoice {
    std::string algorithm;
    std::string busiestLink;
    units::Seconds latency;  ///< of `seconds`: start and steps
    units::Seconds seconds;
    bool isUsed = false;
};

/// One way for bytes to travel, as the catalog describes it.
struct LinkFacts {
    Text name;                              ///< "NeuronLink x"
    Text end;                               ///< whose bandwidth it is: "a link", "a host"
    units::BytesPerSecond bandwidth;        ///< one way; 0: as that of the level below
    std::optional<units::Seconds> latency;  ///< of one hop, or one step between hosts
    std::optional<units::Seconds> start;    ///< of a collective
    std::optional<double> efficiency;       ///< of large messages, over the wire rate
    std::optional<units::Bytes>
        halfBytes;                     ///< message at which half of what small ones lose is gone
    double oversubscription = 1;       ///< of a tier: downlinks over uplinks
    std::vector<std::string> figures;  ///< keys of the system's catalog figures that say so
};

struct NetworkStudy {
    /// For each collective of the step, in its order: every algorithm, fastest first.
    std::vector<std::vector<AlgorithmChoice>> algorithms;
    std::vector<LinkFacts> links;  ///< from inside the chip outwards
};

/// `result` is one of `candidate`, with detail; without a layout the studies are empty.
[[nodiscard]] Ceilings ceilingsOf(const CandidateRequest& candidate);
[[nodiscard]] PipelineStudy studyPipeline(const PlanRequest& request,
                                          const CandidateRequest& candidate,
                                          const CandidateResult& result);
[[nodiscard]] NetworkStudy studyNetwork(const CandidateRequest& candidate,
                                        const CandidateResult& result);

}  // namespace trainwright::search
