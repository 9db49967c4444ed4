// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios that checks write, and what the engine says of them.
//
// Every question goes through the text of a scenario, so that what a claim rests on can be planned
// again by anybody. A candidate is searched for once, however many prices it is then held against.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/claims/check.h"
#include "data/claims/parameters.h"

namespace trainwright::claims {

struct PlannedCandidate {
    std::string system;
    long accelerators = 0;
    std::string region;    ///< may be empty
    std::string purchase;  ///< as YAML; empty: the catalog's default plan
    std::string offload;   ///< empty: as the search likes
    std::string software;  ///< empty: the chip's default
};

/// What is trained.
struct PlannedModel {
    std::string model;  ///< a catalog id, or an architecture as a YAML flow map
    std::string precision = "bf16";
    std::string tokens;  ///< "15T"; empty: `tokensPerParameter`
    double tokensPerParameter = 0;
    std::string sequenceLength, globalBatch;
    std::string operations;                  ///< as a YAML flow map; empty: the catalog's
    std::vector<catalog::Override> suppose;  ///< figures taken otherwise for the sake of argument

    /// From `models`, `precisions`, `tokens`, `tokens_per_parameter`, `sequence_length`,
    /// `global_batch`, `operations` and `suppose` (kind/id/key: value, …): every model in every
    /// precision.
    [[nodiscard]] static std::vector<PlannedModel> listed(const Parameters& parameters);
    /// The id, or the name in the flow map.
    [[nodiscard]] std::string name() const;
};

/// A candidate as the engine planned it, or why there is none.
struct Planned {
    search::PlanRequest request;  ///< of the one candidate
    search::CandidateResult result;
    std::vector<Finding> findings;  ///< of a scenario that can't be read
    [[nodiscard]] bool runs() const { return findings.empty() && result.feasible; }
    [[nodiscard]] Sentence whyNot() const;
};

class Planner {
public:
    Planner(const catalog::Catalog& catalog, const CheckOptions& options);

    /// The result doesn't depend on what was planned before. Price and region are those of the
    /// candidate; bands, if they are asked for, those of some price and region of it.
    [[nodiscard]] const Planned& plan(const PlannedModel& model, const PlannedCandidate& candidate,
                                      bool withBands = false);

    /// A scenario that `plan` takes, with the candidates named by their systems.
    [[nodiscard]] std::string scenario(const PlannedModel& model,
                                       const std::vector<PlannedCandidate>& candidates);

    [[nodiscard]] bool isStopped() const { return stopped_; }
    /// Told the share done of all claims; see CheckOptions::progress.
    void report(double share);
    /// Asks whether to stop, without news of the share.
    void keepAlive();

private:
    /// The scenario without what the catalog at hand has already taken over.
    [[nodiscard]] std::string written(const PlannedModel& model,
                                      const std::vector<PlannedCandidate>& candidates);
    [[nodiscard]] std::string tokensOf(const PlannedModel& model);

    const catalog::Catalog& catalog_;
    const CheckOptions& options_;
    std::mutex mutex_;  // searches ask from any of their threads
    std::atomic<bool> stopped_{false};
    double share_ = 0;
    std::map<std::string, std::unique_ptr<Planned>> planned_;  ///< by the scenario's text
    std::map<std::string, search::CandidateResult> searched_;  ///< by the scenario without prices
    std::map<std::string, double> parameters_;                 ///< of a model
};

}  // namespace trainwright::claims
