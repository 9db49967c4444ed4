// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/run_fit.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <thread>

#include "model/layout/step.h"
#include "model/network/network.h"

namespace trainwright::runs {

namespace {

using belief::Factor;
using belief::Physics;
using belief::Prior;

enum class Scope { Chip, Profile, Pair };

struct Kind {
    Physics physics;
    Scope scope;
    Prior prior;
};

// How far the catalog's figures may be off. Rates of silicon were measured or are near to what was;
// kernels and host code differ more from release to release.
constexpr Kind kKinds[] = {
    {Physics::MatrixRate, Scope::Chip, {0.08, -0.3, 0.25}},
    {Physics::Fp8Rate, Scope::Chip, {0.12, -0.5, 0.3}},
    {Physics::AttentionRate, Scope::Chip, {0.20, -0.7, 0.6}},
    {Physics::MemoryRate, Scope::Chip, {0.08, -0.3, 0.15}},
    {Physics::ScaleUpRate, Scope::Chip, {0.10, -0.5, 0.2}},
    {Physics::ScaleOutRate, Scope::Chip, {0.15, -0.7, 0.3}},
    {Physics::CollectiveTime, Scope::Chip, {0.30, -1, 1}},
    {Physics::KernelRate, Scope::Profile, {0.10, -0.5, 0.3}},
    {Physics::HostTime, Scope::Profile, {0.50, -2, 1.5}},
    {Physics::StepOverhead, Scope::Profile, {0.70, -2, 3}},
    {Physics::ExpertTime, Scope::Profile, {0.30, -0.5, 1}},
    {Physics::KernelRate, Scope::Pair, {0.10, -0.5, 0.3}},
    {Physics::AttentionRate, Scope::Pair, {0.25, -1, 0.6}},
};

bool isLowPrecision(const layout::StepProblem& p) {
    return p.training.precision == machine::Dtype::Fp8 ||
           p.training.precision == machine::Dtype::Fp4;
}

// Whether the factor can matter to the row at all.
bool concerns(Physics physics, const ValidatedRun& row) {
    switch (physics) {
        case Physics::Fp8Rate:
            return isLowPrecision(row.asked.problem);
        case Physics::ExpertTime:
            return row.asked.problem.architecture.moe.has_value();
        case Physics::ScaleOutRate:
            return row.asked.problem.cluster.chips >
                   row.asked.problem.cluster.system.chipsPerDomain;
        default:
            return true;
    }
}

std::string subjectOf(Scope scope, const layout::StepProblem& p) {
    const std::string kind = belief::chipKind(p.cluster.system.chip);
    switch (scope) {
        case Scope::Chip:
            return kind;
        case Scope::Profile:
            return p.profile.id;
        case Scope::Pair:
            return p.profile.id + " on " + kind;
    }
    return kind;
}

struct Parameters {
    std::vector<Factor> factors;
    std::vector<Prior> priors;
    std::vector<std::vector<std::size_t>> uses;  // a row
};

Parameters parametersOf(const std::vector<ValidatedRun>& rows) {
    Parameters p;
    p.uses.resize(rows.size());
    std::map<std::pair<Physics, std::string>, std::size_t> known;
    for (const Kind& kind : kKinds) {
        std::map<std::string, std::vector<std::size_t>> bySubject;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (concerns(kind.physics, rows[i]))
                bySubject[subjectOf(kind.scope, rows[i].asked.problem)].push_back(i);
        }
        for (const auto& [subject, members] : bySubject) {
            for (std::size_t i : members) p.uses[i].push_back(p.factors.size());
            p.factors.push_back({kind.physics, subject, 0, 0, static_cast<int>(members.size())});
            p.priors.push_back(kind.prior);
        }
    }
    return p;
}

// Step times of one row under any factors.
class RowModel {
public:
    RowModel(const ValidatedRun& row, const std::vector<Factor>& factors,
             const std::vector<std::size_t>& uses)
        : problem_(row.asked.problem), layout_(row.layout), factors_(&factors), uses_(&uses) {}

    double logSeconds(const std::vector<double>& logFactors) const {
        layout::StepProblem p = problem_;
        for (std::size_t i : *uses_)
            belief::apply((*factors_)[i].physics, std::exp(logFactors[i]), p);
        const network::Network net(p.cluster.system, p.cluster.chips,
                                   layout::ranksPerChip(p.profile, p.cluster.system.chip));
        layout::StepEvaluator evaluator(p, net);
        return std::log(evaluator.stepTime(layout_).value());
    }

private:
    layout::StepProblem problem_;  // with the catalog's own figures
    layout::Layout layout_;
    const std::vector<Factor>* factors_;
    const std::vector<std::size_t>* uses_;
};

double medianOf(std::vector<double> values) {
    if (values.empty()) return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace

CalibrationFit calibrate(const std::vector<NamedRuns>& sets, const catalog::Catalog& catalog,
                         int threads, const std::function<bool(double)>& progress) {
    CalibrationFit out;
    const int workers =
        threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<import::PublishedRun> runs;
    std::vector<std::size_t> setOf;
    for (std::size_t s = 0; s < sets.size(); ++s) {
        runs.insert(runs.end(), sets[s].runs.begin(), sets[s].runs.end());
        setOf.resize(runs.size(), s);
    }
    const auto tell = [&](double share) {
        if (progress && !progress(share)) out.stopped = true;
        return !out.stopped;
    };

    belief::Calibration& calibration = out.calibration;
    belief::FitResult result;
    belief::FitProblem problem;
    std::vector<ValidatedRun> rows;
    std::vector<std::size_t> rowSet;
    constexpr int kRounds = 2;
    for (int round = 0; round < kRounds; ++round) {
        const Validation v =
            validate(runs, catalog, round == 0 ? nullptr : &calibration, workers,
                     [&](double share) { return tell(0.1 * (share + 4 * round)); });
        if (out.stopped) return out;
        rows.clear();
        rowSet.clear();
        for (std::size_t i = 0; i < v.rows.size(); ++i) {
            if (!v.rows[i].isCompared()) continue;
            rows.push_back(v.rows[i]);
            // The catalog's own figures again: the factors are fitted anew.
            RunCase plain = prepare(runs[i], catalog);
            rows.back().asked = std::move(plain);
            rowSet.push_back(setOf[i]);
        }
        out.skipped = v.summary.skipped;
        Parameters parameters = parametersOf(rows);
        std::map<std::string, double> perSource;
        for (const ValidatedRun& r : rows) perSource[r.run.source] += 1;
        problem = {};
        for (const ValidatedRun& r : rows) {
            problem.measuredLog.push_back(std::log(r.asked.measuredStepSeconds));
            // Rows of one source share its mistakes: they count as their root together.
            problem.weight.push_back(1 / std::sqrt(perSource[r.run.source]));
        }
        calibration.factors = parameters.factors;
        problem.priors = parameters.priors;
        problem.uses = parameters.uses;
        std::vector<RowModel> models;
        models.reserve(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i)
            models.emplace_back(rows[i], calibration.factors, problem.uses[i]);
        problem.predictLog = [models = std::move(models)](std::size_t i,
                                                          const std::vector<double>& x) {
            return models[i].logSeconds(x);
        };
        const std::vector<bool> all(rows.size(), true);
        result = belief::fit(problem, all, {}, workers);
        out.iterations += result.iterations;
        for (std::size_t i = 0; i < calibration.factors.size(); ++i) {
            calibration.factors[i].logFactor = result.logFactors[i];
            calibration.factors[i].standardError =
                std::sqrt(result.covariance[i * calibration.factors.size() + i]);
        }
        calibration.covariance = result.covariance;
        if (!tell(0.1 + 0.4 * (round + 1) - 0.1)) return out;
    }

    // Each row predicted without its source, and without its group inside the source.
    std::map<std::string, std::vector<std::size_t>> sources, groups;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const import::PublishedRun& r = rows[i].run;
        sources[r.source].push_back(i);
        groups[r.source + "\n" + r.model + "\n" + r.accelerator + "\n" + r.system].push_back(i);
    }
    std::vector<double> bySource(rows.size()), byGroup(rows.size());
    for (const auto& [all, target] :
         {std::pair{&sources, &bySource}, std::pair{&groups, &byGroup}}) {
        for (const auto& [name, members] : *all) {
            const std::vector<double> left = belief::residualsLeftOut(problem, result, members);
            for (std::size_t k = 0; k < members.size(); ++k) (*target)[members[k]] = left[k];
            if (!tell(0.9)) return out;
        }
    }
    std::array<std::vector<double>, 3> byGrade;
    std::map<std::pair<std::string, std::string>, belief::Measured> measured;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const layout::StepProblem& p = rows[i].asked.problem;
        belief::Measured& m = measured[{p.cluster.system.chip.id, p.profile.id}];
        m.chip = p.cluster.system.chip.id;
        m.profile = p.profile.id;
        m.family = belief::chipFamily(p.cluster.system.chip);
        ++m.rows;
        FittedRow row;
        row.set = rowSet[i];
        row.run = rows[i];
        row.run.predictedStepSeconds =
            rows[i].asked.measuredStepSeconds * std::exp(-result.residual[i]);
        row.errorLeftOut = std::exp(-bySource[i]) - 1;
        row.errorGroupLeftOut = std::exp(-byGroup[i]) - 1;
        out.rows.push_back(std::move(row));
        byGrade[0].push_back(std::abs(byGroup[i]));
        byGrade[1].push_back(std::abs(bySource[i]));
        byGrade[2].push_back(std::abs(rows[i].predictedStepSeconds > 0 ? bySource[i] : 0));
    }
    for (auto& [key, m] : measured) calibration.measured.push_back(m);
    for (std::size_t g = 0; g < byGrade.size(); ++g)
        calibration.residual[g] = 1.4826 * medianOf(byGrade[g]);
    for (const NamedRuns& s : sets)
        calibration.runSets.push_back({s.title, s.hash, static_cast<int>(s.runs.size())});
    for (auto& s : calibration.runSets) s.rows = 0;
    for (std::size_t s : rowSet) ++calibration.runSets[s].rows;
    tell(1);
    return out;
}

}  // namespace trainwright::runs
