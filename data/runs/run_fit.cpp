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
    {Physics::VectorTraffic, Scope::Profile, {0.20, -0.5, 1}},
    {Physics::KernelRate, Scope::Pair, {0.10, -0.5, 0.3}},
    {Physics::AttentionRate, Scope::Pair, {0.40, -1.5, 0.6}},
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
    std::vector<double> centres;                 // log factors that the priors are around
    std::vector<std::vector<std::size_t>> uses;  // a row
};

double knownFactor(const belief::Calibration* base, Physics physics, const std::string& subject) {
    if (base == nullptr) return 0;
    for (const Factor& f : base->factors) {
        if (f.physics == physics && f.subject == subject) return f.logFactor;
    }
    return 0;
}

Parameters parametersOf(const std::vector<ValidatedRun>& rows, const belief::Calibration* base) {
    Parameters p;
    p.uses.resize(rows.size());
    for (const Kind& kind : kKinds) {
        if (base != nullptr && kind.scope == Scope::Chip) continue;
        std::map<std::string, std::vector<std::size_t>> bySubject;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (concerns(kind.physics, rows[i]))
                bySubject[subjectOf(kind.scope, rows[i].asked.problem)].push_back(i);
        }
        for (const auto& [subject, members] : bySubject) {
            for (std::size_t i : members) p.uses[i].push_back(p.factors.size());
            p.factors.push_back({kind.physics, subject, 0, 0, static_cast<int>(members.size())});
            p.priors.push_back(kind.prior);
            p.centres.push_back(knownFactor(base, kind.physics, subject));
        }
    }
    return p;
}

// Without the factors whose spread the runs didn't narrow.
Parameters informed(const Parameters& all, const belief::FitResult& fit) {
    constexpr double kUnmoved = 0.97;
    const std::size_t n = all.factors.size();
    std::vector<std::size_t> place(n, n);
    Parameters kept;
    for (std::size_t i = 0; i < n; ++i) {
        if (std::sqrt(fit.covariance[i * n + i]) > kUnmoved * all.priors[i].width) continue;
        place[i] = kept.factors.size();
        kept.factors.push_back(all.factors[i]);
        kept.priors.push_back(all.priors[i]);
        kept.centres.push_back(all.centres[i]);
    }
    kept.uses.resize(all.uses.size());
    for (std::size_t r = 0; r < all.uses.size(); ++r) {
        for (std::size_t i : all.uses[r]) {
            if (place[i] < n) kept.uses[r].push_back(place[i]);
        }
    }
    return kept;
}

// Step times of one row under any factors.
class RowModel {
public:
    RowModel(const ValidatedRun& row, std::vector<std::pair<Physics, double>> uses,
             std::vector<std::size_t> indices)
        : problem_(row.asked.problem),
          layout_(row.layout),
          uses_(std::move(uses)),
          indices_(std::move(indices)) {}

    double logSeconds(const std::vector<double>& x) const {
        layout::StepProblem p = problem_;
        for (std::size_t k = 0; k < uses_.size(); ++k)
            belief::apply(uses_[k].first, std::exp(uses_[k].second + x[indices_[k]]), p);
        const network::Network net(p.cluster.system, p.cluster.chips,
                                   layout::ranksPerChip(p.profile, p.cluster.system.chip));
        layout::StepEvaluator evaluator(p, net);
        return std::log(evaluator.stepTime(layout_).value());
    }

private:
    layout::StepProblem problem_;  // with the catalog's own figures
    layout::Layout layout_;
    std::vector<std::pair<Physics, double>> uses_;  // and what the factors are around
    std::vector<std::size_t> indices_;
};

belief::FitProblem fitProblem(const std::vector<ValidatedRun>& rows, const Parameters& parameters) {
    std::map<std::string, double> perSource;
    for (const ValidatedRun& r : rows) perSource[r.run.source] += 1;
    belief::FitProblem problem;
    std::vector<RowModel> models;
    models.reserve(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        problem.measuredLog.push_back(std::log(rows[i].asked.measuredStepSeconds));
        // Rows of one source share its mistakes: together they count as the root of their number.
        problem.weight.push_back(1 / std::sqrt(perSource[rows[i].run.source]));
        std::vector<std::pair<Physics, double>> uses;
        for (std::size_t k : parameters.uses[i])
            uses.emplace_back(parameters.factors[k].physics, parameters.centres[k]);
        models.emplace_back(rows[i], std::move(uses), parameters.uses[i]);
    }
    problem.priors = parameters.priors;
    problem.uses = parameters.uses;
    problem.predictLog = [models = std::move(models)](std::size_t i, const std::vector<double>& x) {
        return models[i].logSeconds(x);
    };
    return problem;
}

// Half the width, in standard deviations, of the interval that holds four fifths of a normal
// distribution.
constexpr double kBand = 1.2815515655446004;

// The standard deviation that, with each row's own variance, puts four fifths of the residuals
// inside their bands.
double spreadOf(const std::vector<double>& residuals, const std::vector<double>& variances) {
    const auto inside = [&](double sd) {
        std::size_t count = 0;
        for (std::size_t i = 0; i < residuals.size(); ++i) {
            if (std::abs(residuals[i]) <= kBand * std::sqrt(sd * sd + variances[i])) ++count;
        }
        return static_cast<double>(count) >= 0.8 * static_cast<double>(residuals.size());
    };
    double low = 0, high = 4;
    for (int i = 0; i < 60; ++i) (inside((low + high) / 2) ? high : low) = (low + high) / 2;
    return high;
}

// Variance of each row's predicted logarithm under the fit.
std::vector<double> predictedVariances(const belief::FitResult& fit, std::size_t rows,
                                       std::size_t parameters) {
    std::vector<double> out(rows, 0);
    for (std::size_t r = 0; r < rows; ++r) {
        const double* j = fit.jacobian.data() + r * parameters;
        for (std::size_t a = 0; a < parameters; ++a) {
            if (j[a] == 0) continue;
            for (std::size_t b = 0; b < parameters; ++b)
                out[r] += j[a] * j[b] * fit.covariance[a * parameters + b];
        }
    }
    return out;
}

// Factors that are fitted replace those of `base` and are added to the others.
void merge(const belief::Calibration* base, const std::vector<Factor>& fitted,
           const std::vector<double>& covariance, belief::Calibration& out) {
    std::vector<std::size_t> kept;
    if (base != nullptr) {
        for (std::size_t i = 0; i < base->factors.size(); ++i) {
            const Factor& f = base->factors[i];
            const bool replaced = std::any_of(fitted.begin(), fitted.end(), [&](const Factor& g) {
                return g.physics == f.physics && g.subject == f.subject;
            });
            if (!replaced) kept.push_back(i);
        }
    }
    out.factors.clear();
    for (std::size_t i : kept) out.factors.push_back(base->factors[i]);
    out.factors.insert(out.factors.end(), fitted.begin(), fitted.end());
    const std::size_t n = out.factors.size(), m = fitted.size(), k = kept.size();
    out.covariance.assign(n * n, 0);
    for (std::size_t a = 0; a < k; ++a) {
        for (std::size_t b = 0; b < k; ++b)
            out.covariance[a * n + b] = base->covariance[kept[a] * base->factors.size() + kept[b]];
    }
    for (std::size_t a = 0; a < m; ++a) {
        for (std::size_t b = 0; b < m; ++b)
            out.covariance[(k + a) * n + k + b] = covariance[a * m + b];
    }
}

}  // namespace

CalibrationFit calibrate(const std::vector<NamedRuns>& sets, const belief::Calibration* base,
                         int threads, const std::function<bool(double)>& progress) {
    CalibrationFit out;
    const int workers =
        threads > 0 ? threads : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<PreparedRun> runs;
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
    Parameters parameters;
    std::vector<ValidatedRun> rows;
    std::vector<std::size_t> rowSet;
    std::vector<double> uncalibrated;
    std::vector<std::size_t> place;  // of each run among `rows`
    const std::vector<ValidatedRun> plain =
        validate(runs, nullptr, workers, [&](double share) { return tell(0.1 * share); });
    if (out.stopped) return out;
    // Layouts that rows leave open follow from the factors, and these from the layouts: twice is
    // enough.
    constexpr int kRounds = 2;
    for (int round = 0; round < kRounds; ++round) {
        const belief::Calibration* known = round > 0 ? &calibration : base;
        std::vector<ValidatedRun> v = plain;
        if (known != nullptr) v = validate(runs, known, workers);
        rows.clear();
        rowSet.clear();
        uncalibrated.clear();
        place.assign(v.size(), v.size());
        for (std::size_t i = 0; i < v.size(); ++i) {
            if (!v[i].outcome.isCompared() || !plain[i].outcome.isCompared()) continue;
            place[i] = rows.size();
            rows.push_back(v[i]);
            // The catalog's own figures again, and of the base what isn't fitted.
            rows.back().asked = runs[i].asked;
            if (base != nullptr) {
                layout::StepProblem& p = rows.back().asked.problem;
                for (std::size_t f : belief::factorsOf(*base, p.cluster.system.chip, p.profile)) {
                    const Factor& factor = base->factors[f];
                    if (factor.subject == belief::chipKind(p.cluster.system.chip))
                        belief::apply(factor.physics, std::exp(factor.logFactor), p);
                }
            }
            rowSet.push_back(setOf[i]);
            uncalibrated.push_back(plain[i].outcome.error());
        }
        if (rows.empty()) return out;
        const std::vector<bool> all(rows.size(), true);
        parameters = parametersOf(rows, base);
        problem = fitProblem(rows, parameters);
        // Few runs of one's own don't tell by themselves how far runs scatter.
        if (base != nullptr) problem.scale = base->residual[0];
        result = belief::fit(problem, all, {}, workers);
        out.iterations += result.iterations;
        if (!tell(0.25 + 0.35 * round)) return out;
        parameters = informed(parameters, result);
        problem = fitProblem(rows, parameters);
        if (base != nullptr) problem.scale = base->residual[0];
        result = belief::fit(problem, all, {}, workers);
        out.iterations += result.iterations;
        const std::size_t n = parameters.factors.size();
        for (std::size_t i = 0; i < n; ++i) {
            parameters.factors[i].logFactor = parameters.centres[i] + result.logFactors[i];
            parameters.factors[i].standardError = std::sqrt(result.covariance[i * n + i]);
        }
        merge(base, parameters.factors, result.covariance, calibration);
        if (!tell(0.4 + 0.35 * round)) return out;
    }

    // Each row predicted without its source, and without its group inside the source.
    std::map<std::string, std::vector<std::size_t>> sources, groups;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const import::PublishedRun& r = rows[i].run;
        sources[r.source].push_back(i);
        groups[r.source + "\n" + r.model + "\n" + r.accelerator + "\n" + r.system].push_back(i);
    }
    std::vector<double> bySource(rows.size()), byGroup(rows.size()), byNone(rows.size());
    for (const auto& [all, target] :
         {std::pair{&sources, &bySource}, std::pair{&groups, &byGroup}}) {
        for (const auto& [name, members] : *all) {
            const std::vector<double> left = belief::residualsLeftOut(problem, result, members);
            for (std::size_t k = 0; k < members.size(); ++k) (*target)[members[k]] = left[k];
        }
        if (!tell(0.9)) return out;
    }
    const std::vector<double> variances =
        predictedVariances(result, rows.size(), parameters.factors.size());
    std::map<std::pair<std::string, std::string>, belief::Measured> measured;
    if (base != nullptr) {
        for (const belief::Measured& m : base->measured) measured[{m.chip, m.profile}] = m;
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const layout::StepProblem& p = rows[i].asked.problem;
        belief::Measured& m = measured[{p.cluster.system.chip.id, p.profile.id}];
        m.chip = p.cluster.system.chip.id;
        m.profile = p.profile.id;
        m.family = belief::chipFamily(p.cluster.system.chip);
        ++m.rows;
        byNone[i] = -std::log1p(uncalibrated[i]);
    }
    for (auto& [key, m] : measured) calibration.measured.push_back(m);
    const std::vector<double> none(rows.size(), 0);
    // A: its like was seen; B: its chip's family was, under other software or by others; C: nothing
    // was fitted.
    calibration.residual = {spreadOf(byGroup, variances), spreadOf(bySource, variances),
                            spreadOf(byNone, none)};
    // A band is judged by rows that had no part in its width.
    std::map<std::string, double> spreadWithout;
    for (const auto& [name, members] : sources) {
        std::vector<double> residuals, variance;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            if (rows[i].run.source == name) continue;
            residuals.push_back(byGroup[i]);
            variance.push_back(variances[i]);
        }
        spreadWithout[name] =
            residuals.empty() ? calibration.residual[0] : spreadOf(residuals, variance);
    }
    std::size_t inside = 0;
    out.errors.resize(sets.size());
    for (std::size_t r = 0; r < runs.size(); ++r) {
        belief::RunError row = plain[r].outcome;
        const std::size_t i = place[r];
        if (i < rows.size()) {
            row = rows[i].outcome;
            row.predictedSeconds = row.measuredSeconds * std::exp(-result.residual[i]);
            row.errorSourceLeftOut = std::expm1(-bySource[i]);
            row.errorGroupLeftOut = std::expm1(-byGroup[i]);
            row.errorUncalibrated = uncalibrated[i];
            row.insideBand = std::abs(byGroup[i]) <=
                             kBand * std::hypot(spreadWithout[row.source], std::sqrt(variances[i]));
            inside += *row.insideBand ? 1 : 0;
        }
        out.errors[setOf[r]].rows.push_back(std::move(row));
    }
    for (belief::RunErrors& errors : out.errors) belief::summarize(errors);
    out.coverage = static_cast<double>(inside) / static_cast<double>(rows.size());
    if (base != nullptr) {
        // What the model gets wrong beyond its factors was learnt from more runs than these.
        calibration.residual = base->residual;
        calibration.runSets = base->runSets;
    }
    for (std::size_t s = 0; s < sets.size(); ++s) {
        const auto used = std::count(rowSet.begin(), rowSet.end(), s);
        calibration.runSets.push_back({sets[s].title, sets[s].hash, static_cast<int>(used)});
    }
    tell(1);
    return out;
}

}  // namespace trainwright::runs
