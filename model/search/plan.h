// SPDX-License-Identifier: GPL-3.0-or-later
// The whole question and the whole answer: candidates in, a ranked and explained comparison out.
//
// plan() is what the command line, the reports and the desktop all call. It needs no files and no
// clock; the same request gives the same result, digit for digit, on any number of threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/belief/bands.h"
#include "model/belief/calibration.h"
#include "model/layout/layout.h"
#include "model/run/run.h"

namespace trainwright::network {
class Network;
}

namespace trainwright::search {

/// A catalog figure that a candidate's result rests on, for the appendix of a report.
struct FigureUse {
    std::string kind;   ///< "chip", "system", "profile", "price", "region", "operations"
    std::string id;     ///< of the catalog row
    std::string key;    ///< "hbm_bytes"
    std::string value;  ///< as text, in base units
    std::string unit;
    std::string source;  ///< title
    std::string url;     ///< or repository and path
    std::string observed;
    std::string status;  ///< adopted, estimated, override
    std::string note;
    friend bool operator==(const FigureUse&, const FigureUse&) = default;
};

struct CandidateRequest {
    std::string name;
    machine::SystemSpec system;
    layout::SoftwareProfile profile;
    long chips = 0;
    layout::LayoutChoice layout;         ///< empty: auto
    run::Price price;                    ///< of every unit, or of the first of `portions`
    std::vector<run::Portion> portions;  ///< empty for one purchase
    run::Storage storage;                ///< what is kept and moved
    std::optional<run::Ownership> own;   ///< what owning the machines would come to
    run::Price rent;                     ///< what owned machines are held against
    std::optional<run::Region> region;
    run::Operations operations;
    /// Days and counts before all `chips` are there; the rest of each is evaluateCandidate's to
    /// find.
    std::vector<run::Arrival> arrivals;
    double completeFromDays = 0;
    belief::Spread spread;  ///< of price, operations, power, and of the model by grade
    std::vector<FigureUse> figures;
    std::vector<Finding> notes;  ///< warnings found while the candidate was put together
    std::vector<Text> limits;    ///< of the seller, that stand in the way of so many units
};

struct Constraints {
    std::optional<run::Date> finishBy;
    std::optional<units::UsDollars> budget;
    std::optional<units::Watts> power;
    std::optional<double> carbonKilograms;  ///< of CO2 equivalent, location-based
    std::optional<long> accelerators;
    double memoryHeadroom = 0.05;
};

struct PlanRequest {
    std::string title;
    workload::Architecture architecture;
    layout::TrainingSpec training;
    std::optional<run::Date> start;
    Constraints constraints;
    std::vector<CandidateRequest> candidates;
    std::vector<FigureUse> figures;  ///< of the model
    std::vector<Finding> notes;
    /// What measured runs say about the figures that candidates already carry; none: the bands rest
    /// on the model's error, operations and prices alone.
    std::shared_ptr<const belief::Calibration> calibration;
    belief::Sampling sampling;  ///< of the bands; no samples: none are drawn
};

using belief::Grade;

struct SearchStatistics {
    long layoutsEvaluated = 0;
    long layoutsFeasible = 0;
    long layoutsPruned = 0;
    // Of the machine that searched, not of the question: they differ from run to run.
    std::optional<units::Seconds> wallTime;  ///< only if the caller gave a clock
    int threads = 0;                         ///< that shared the search
};

/// The time since any fixed moment.
using Clock = std::function<units::Seconds()>;

struct SearchOptions {
    int threads = 1;  ///< that share the layouts of this search; the result doesn't depend on it
    bool exhaustive =
        false;  ///< evaluate also what a bound shows to be neither best nor of interest
    /// Asked every few thousand layouts by every thread; true stops the search with what it has.
    std::function<bool()> cancelled;
    /// Told the share of a search that is done, in [0, 1], after each part of it; from any of its
    /// threads.
    std::function<void(double)> advanced;
    Clock clock;  ///< measures the search for SearchStatistics; the engine has none of its own
    bool bands = true;   ///< draw the bands of what was found, if the request has samples
    bool advise = true;  ///< search also for what would change the result: a better layout than a
                         ///< given one, the least change that makes one fit
    /// Gives the network of that many of the system's chips, for callers that keep it from one
    /// search to the next; empty: each search makes its own. The costs are the same either way.
    std::function<std::shared_ptr<const network::Network>(const machine::SystemSpec& system,
                                                          long chips, int ranksPerChip)>
        network;
};

/// A layout that would be faster but doesn't fit, or the next best that does: for "why this
/// layout".
struct Alternative {
    layout::Layout layout;
    units::Seconds stepTime;
    units::Bytes memory;
    bool fits = false;
    friend bool operator==(const Alternative&, const Alternative&) = default;
};

/// Which limit of the scenario a candidate misses, and by how much, in words.
struct Miss {
    std::string constraint;  ///< "finish_by", "budget", "power", "carbon", "accelerators"
    Text text;
};

/// How far a limit is passed, in its own unit: days, US dollars, watts, kilograms, accelerators; of
/// a fit also units of a plan.
struct Overrun {
    std::string limit;  ///< "finish_by", "budget", "power", "carbon", "accelerators", "plan_units"
    double by = 0;
    double share = 0;  ///< of the limit
};

struct CandidateResult {
    std::string name;
    int rank = 0;           ///< from 1; 0 when the candidate is not ranked
    bool feasible = false;  ///< a layout exists that is legal and fits
    bool meetsConstraints = false;
    /// No other candidate is at least as good in time, cost, energy and number of accelerators and
    /// better in one. What isn't known of both isn't compared.
    bool isNonDominated = false;
    std::vector<Text> reasons;  ///< why not feasible, or which limits are missed
    std::vector<Miss> misses;
    std::vector<Text> warnings;
    layout::Layout layout;    ///< of the best, or of the nearest when infeasible
    layout::StepResult step;  ///< with detail
    std::vector<run::Arrival> arrivals;  ///< the request's, with what the job does on them
    run::RunResult run;
    std::optional<belief::Bands> bands;  ///< of a feasible candidate, where they were asked for
    Grade grade = Grade::C;
    Text bottleneck;  ///< what the step waits for most
    Text advice;      ///< what would change that, with its price; empty if nothing would
    std::vector<Alternative> alternatives;
    std::optional<Alternative> withoutOffload;  ///< where the layout needs the host's memory: the
                                                ///< best that doesn't
    std::vector<Alternative>
        front;  ///< layouts that fit and that no other beats in both time and memory
    SearchStatistics search;
    long units = 0;  ///< instances (or UltraServers) rented
};

struct PlanResult {
    std::vector<CandidateResult>
        candidates;  ///< in the order of the request; rank gives the order of merit
    [[nodiscard]] std::vector<std::size_t> ranking()
        const;     ///< indices, best first, infeasible last
    Text verdict;  ///< the answer in a sentence
};

/// Called now and then with a share done in [0, 1]; returning false stops the work with what is
/// finished.
using Progress = std::function<bool(double)>;

/// `threads` share the work, as many as the machine has for 0; `options` are those of each search
/// but for its threads, `cancelled` and `advanced`, which are plan's to set.
[[nodiscard]] PlanResult plan(const PlanRequest& request, int threads = 0,
                              const Progress& progress = {}, SearchOptions options = {});

/// What the engine evaluates layouts of, for a candidate.
[[nodiscard]] layout::StepProblem stepProblem(const PlanRequest& request,
                                              const CandidateRequest& candidate);

/// Days from the start to the last one allowed; none without both.
[[nodiscard]] std::optional<double> daysAllowed(const PlanRequest& request);

/// The limits that a run on so many accelerators passes, in the order of Constraints; what isn't
/// known passes none.
[[nodiscard]] std::vector<Overrun> overruns(const PlanRequest& request, long chips,
                                            const run::RunResult& run);

/// The same under limits and a start of one's own.
[[nodiscard]] std::vector<Overrun> overruns(const Constraints& limits,
                                            const std::optional<run::Date>& start, long chips,
                                            const run::RunResult& run);

/// The run that a candidate's step is multiplied into, with the whole cluster from the first day.
[[nodiscard]] run::RunProblem runProblemOf(const PlanRequest& request,
                                           const CandidateRequest& candidate,
                                           const layout::StepResult& step);

/// The best layout of one candidate; used by plan and by explain.
[[nodiscard]] CandidateResult evaluateCandidate(const PlanRequest& request,
                                                const CandidateRequest& candidate,
                                                const SearchOptions& options = {});

/// `found` under the price, region, operations, tokens, dates and limits of `candidate`, which
/// asks for the same step: days, money, energy and missed limits anew, without bands.
[[nodiscard]] CandidateResult withRunOf(const PlanRequest& request,
                                        const CandidateRequest& candidate, CandidateResult found);

}  // namespace trainwright::search
