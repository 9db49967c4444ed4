// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/belief/bands.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <memory>

#include "model/belief/sobol.h"
#include "model/layout/step.h"
#include "model/network/network.h"

namespace trainwright::belief {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// The first dimensions are the evenest, and go to what moves a result most. Each input keeps its
// own whether or not the others are there.
enum Dimension { kModelError, kInterruptions, kRestart, kPrice, kPower, kFactors };
constexpr std::size_t kMostFactors = kSobolDimensions - kFactors;

/// Samples of which the deviates are held at once.
constexpr int kBlock = 4096;

/// What a logarithm changes by, linearly on each side, from its values one deviation away.
struct Response {
    double down = 0, up = 0;
    [[nodiscard]] double at(double deviates) const {
        return deviates >= 0 ? up * deviates : -down * deviates;
    }
    [[nodiscard]] bool isNone() const { return up == 0 && down == 0; }
};

/// What a figure is multiplied by at `deviates` from its median.
double factorAt(const Deviation& d, double deviates) {
    return std::exp((deviates < 0 ? d.below : d.above) * deviates);
}

/// A calibrated factor and how the step answers to it.
struct MovedFactor {
    const Factor* factor = nullptr;
    double deviation = 0;  ///< of its logarithm
    Response time, matrixBusy, memoryBusy;

    /// Of the step at all: an FP8 rate has none where nothing runs in FP8.
    [[nodiscard]] bool hasNoPart() const {
        return time.isNone() && matrixBusy.isNone() && memoryBusy.isNone();
    }
};

/// Logarithms of what a step changes by.
struct StepShift {
    double time = 0, matrixBusy = 0, memoryBusy = 0;
};

bool isOfNetwork(Physics p) {
    return p == Physics::ScaleUpRate || p == Physics::ScaleOutRate || p == Physics::CollectiveTime;
}

double logRatio(double moved, double still) {
    return moved > 0 && still > 0 ? std::log(moved / still) : 0;
}

/// The share of its peak that a large product reaches: what a busy matrix unit is measured
/// against.
double matrixCeiling(const layout::StepProblem& p) {
    const machine::ComputeModel& compute = p.cluster.system.chip.compute;
    return compute.gemmCeiling[static_cast<std::size_t>(p.training.precision)] *
           compute.sustainedFraction;
}

/// The factors that concern a step, and how it answers to each.
class StepModel {
public:
    explicit StepModel(const StepQuestion& question) : modelError_(question.modelError) {
        if (question.calibration == nullptr) return;
        const Calibration& c = *question.calibration;
        assert(c.covariance.size() == c.factors.size() * c.factors.size());
        std::vector<std::size_t> indices;
        for (std::size_t i :
             factorsOf(c, question.problem.cluster.system.chip, question.problem.profile)) {
            const double variance = c.covariance[i * c.factors.size() + i];
            if (!(variance > 0)) continue;
            MovedFactor moved = answered(question, c.factors[i], std::sqrt(variance));
            if (moved.hasNoPart()) continue;
            indices.push_back(i);
            factors_.push_back(moved);
        }
        assert(indices.size() <= kMostFactors);
        const auto n = static_cast<Eigen::Index>(indices.size());
        correlation_.resize(n, n);
        for (Eigen::Index i = 0; i < n; ++i) {
            for (Eigen::Index j = 0; j < n; ++j) {
                const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
                correlation_(i, j) = c.covariance[indices[a] * c.factors.size() + indices[b]] /
                                     (factors_[a].deviation * factors_[b].deviation);
            }
        }
        if (n == 0) return;
        const Eigen::LDLT<Eigen::MatrixXd> decomposed(correlation_);
        const Eigen::VectorXd scale = decomposed.vectorD().cwiseMax(0).cwiseSqrt();
        root_ = decomposed.matrixL();
        root_ = decomposed.transpositionsP().transpose() * (root_ * scale.asDiagonal());
    }

    [[nodiscard]] const std::vector<MovedFactor>& factors() const { return factors_; }
    [[nodiscard]] const Eigen::MatrixXd& correlation() const { return correlation_; }
    [[nodiscard]] double modelError() const { return modelError_; }

    /// `deviates`: of the factors, correlated as they are.
    [[nodiscard]] StepShift shift(const double* deviates, double modelErrorDeviate) const {
        const double error = modelError_ * modelErrorDeviate;
        // The same work spread over another time.
        StepShift s{error, -error, -error};
        for (std::size_t i = 0; i < factors_.size(); ++i) {
            s.time += factors_[i].time.at(deviates[i]);
            s.matrixBusy += factors_[i].matrixBusy.at(deviates[i]);
            s.memoryBusy += factors_[i].memoryBusy.at(deviates[i]);
        }
        return s;
    }

    /// Correlated deviates of the factors, a row a sample, of independent ones.
    [[nodiscard]] Eigen::MatrixXd correlated(const Eigen::MatrixXd& independent) const {
        return independent * root_.transpose();
    }

private:
    static MovedFactor answered(const StepQuestion& question, const Factor& factor,
                                double deviation) {
        MovedFactor m{&factor, deviation, {}, {}, {}};
        const auto moved = [&](double sign, double& time, double& matrix, double& memory) {
            layout::StepProblem p = question.problem;
            apply(factor.physics, std::exp(sign * deviation), p);
            std::unique_ptr<const network::Network> own;
            if (isOfNetwork(factor.physics)) {
                own = std::make_unique<const network::Network>(
                    p.cluster.system, p.cluster.chips,
                    layout::ranksPerChip(p.profile, p.cluster.system.chip));
            }
            const layout::StepResult r = layout::StepEvaluator(p, own ? *own : question.network)
                                             .evaluate(question.layout, false);
            const layout::StepResult& still = question.step;
            time = logRatio(r.stepTime.value(), still.stepTime.value());
            matrix = logRatio(r.matrixUtilization, still.matrixUtilization) -
                     logRatio(matrixCeiling(p), matrixCeiling(question.problem));
            memory = logRatio(r.memoryUtilization, still.memoryUtilization);
        };
        moved(-1, m.time.down, m.matrixBusy.down, m.memoryBusy.down);
        moved(1, m.time.up, m.matrixBusy.up, m.memoryBusy.up);
        return m;
    }

    double modelError_ = 0;
    std::vector<MovedFactor> factors_;
    Eigen::MatrixXd correlation_, root_;
};

/// Normal deviates, block after block.
class Deviates {
public:
    /// Of the dimensions that are not `exact`, and of the factors after them.
    Deviates(const std::array<bool, kFactors>& exact, std::size_t factors, std::uint32_t seed) {
        for (std::size_t d = 0; d < kFactors + factors; ++d) {
            dimensions_.emplace_back(static_cast<int>(d), seed);
            isDrawn_.push_back(d >= kFactors || !exact[d]);
        }
    }

    /// The next `rows` samples: a row a sample, a column a dimension; 0 where it isn't drawn.
    [[nodiscard]] Eigen::MatrixXd next(int rows) {
        Eigen::MatrixXd block =
            Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(dimensions_.size()));
        for (std::size_t d = 0; d < dimensions_.size(); ++d) {
            if (!isDrawn_[d]) continue;
            for (int i = 0; i < rows; ++i)
                block(i, static_cast<Eigen::Index>(d)) = normalQuantile(dimensions_[d].next());
        }
        return block;
    }

private:
    std::vector<SobolDimension> dimensions_;
    std::vector<bool> isDrawn_;
};

/// Calls `take(sample, deviates of dimensions, correlated deviates of factors)` for each sample;
/// false if it was cancelled.
template <typename Take>
bool forEachSample(const BandQuestion& question, const StepModel& model, const Take& take) {
    const Sampling& sampling = question.step.sampling;
    assert(sampling.samples > 0);
    std::array<bool, kFactors> exact{};
    exact[kModelError] = !(model.modelError() > 0);
    exact[kInterruptions] = question.spread.interruptionRate.isExact();
    exact[kRestart] = question.spread.restartTime.isExact();
    exact[kPrice] = question.spread.price.isExact();
    exact[kPower] = question.spread.acceleratorPower.isExact();
    const auto count = static_cast<Eigen::Index>(model.factors().size());
    Deviates deviates(exact, model.factors().size(), sampling.seed);
    std::vector<double> factors(model.factors().size());
    for (int first = 0; first < sampling.samples; first += kBlock) {
        if (question.cancelled && question.cancelled()) return false;
        const int rows = std::min(kBlock, sampling.samples - first);
        const Eigen::MatrixXd block = deviates.next(rows);
        const Eigen::MatrixXd tied =
            count > 0 ? model.correlated(block.rightCols(count)) : Eigen::MatrixXd();
        std::array<double, kFactors> others{};
        for (int i = 0; i < rows; ++i) {
            for (int d = 0; d < kFactors; ++d) others[static_cast<std::size_t>(d)] = block(i, d);
            for (Eigen::Index f = 0; f < count; ++f)
                factors[static_cast<std::size_t>(f)] = tied(i, f);
            take(static_cast<std::size_t>(first + i), others, factors);
        }
    }
    return true;
}

template <typename T>
Band<T> bandOf(std::vector<double>& samples) {
    std::sort(samples.begin(), samples.end());
    const auto rank = [&](std::size_t percent) {
        return T(samples[(samples.size() * percent + 99) / 100 - 1]);
    };
    return {rank(10), rank(50), rank(90)};
}

/// "matrix rate of gpu hopper"
Text nameOf(const Factor& f) {
    switch (f.physics) {
        case Physics::MatrixRate:
            return {"matrix rate of {1}", {f.subject}};
        case Physics::Fp8Rate:
            return {"FP8 rate of {1}", {f.subject}};
        case Physics::AttentionRate:
            return {"attention rate of {1}", {f.subject}};
        case Physics::MemoryRate:
            return {"memory rate of {1}", {f.subject}};
        case Physics::ScaleUpRate:
            return {"scale-up link rate of {1}", {f.subject}};
        case Physics::ScaleOutRate:
            return {"scale-out link rate of {1}", {f.subject}};
        case Physics::KernelRate:
            return {"kernel rate of {1}", {f.subject}};
        case Physics::HostTime:
            return {"host time of {1}", {f.subject}};
        case Physics::StepOverhead:
            return {"step overhead of {1}", {f.subject}};
        case Physics::CollectiveTime:
            return {"collective start time of {1}", {f.subject}};
        case Physics::ExpertTime:
            return {"expert time of {1}", {f.subject}};
        case Physics::VectorTraffic:
            return {"vector traffic of {1}", {f.subject}};
    }
    return {};
}

/// A run whose inputs are moved from where the question has them.
class MovedRun {
public:
    MovedRun(const BandQuestion& question, const StepModel& model)
        : question_(question), model_(model), step_(question.step.step), run_(question.run) {
        step_.operators.clear();
        step_.collectives.clear();
        step_.stageTimes.clear();
        // Words and comparisons that no sample needs.
        run_.quiet = true;
        run_.price.reason = {};
        run_.storage.reason = {};
        if (run_.ownership && !isOwned(question.run)) run_.ownership.reset();
    }

    /// `deviates` by Dimension, and of the factors.
    const run::RunResult& at(const std::array<double, kFactors>& deviates,
                             const std::vector<double>& factors) {
        const StepShift s = model_.shift(factors.data(), deviates[kModelError]);
        const layout::StepResult& still = question_.step.step;
        step_.stepTime = still.stepTime * std::exp(s.time);
        step_.matrixUtilization = still.matrixUtilization * std::exp(s.matrixBusy);
        step_.memoryUtilization = still.memoryUtilization * std::exp(s.memoryBusy);
        const run::RunProblem& asked = question_.run;
        const Spread& spread = question_.spread;
        run_.operations.interruptionsPerChipHour =
            asked.operations.interruptionsPerChipHour *
            factorAt(spread.interruptionRate, deviates[kInterruptions]);
        run_.operations.restartTime =
            asked.operations.restartTime * factorAt(spread.restartTime, deviates[kRestart]);
        const double price = factorAt(spread.price, deviates[kPrice]);
        if (asked.price.perUnit) run_.price.perUnit = *asked.price.perUnit * price;
        for (std::size_t i = 0; i < run_.portions.size(); ++i) {
            const run::Price& each = asked.portions[i].price;
            if (each.moves && each.perUnit) run_.portions[i].price.perUnit = *each.perUnit * price;
        }
        const machine::ChipSpec& chip = asked.system.chip;
        const double draw = factorAt(spread.acceleratorPower, deviates[kPower]);
        if (chip.thermalDesignPower)
            run_.system.chip.thermalDesignPower = *chip.thermalDesignPower * draw;
        if (chip.idlePower) run_.system.chip.idlePower = *chip.idlePower * draw;
        result_ = run::evaluateRun(run_, step_);
        return result_;
    }

    /// Of the step last asked for.
    [[nodiscard]] units::Seconds stepTime() const { return step_.stepTime; }

private:
    [[nodiscard]] static bool isOwned(const run::RunProblem& problem) {
        if (problem.portions.empty()) return problem.price.isOwned();
        return std::any_of(problem.portions.begin(), problem.portions.end(),
                           [](const run::Portion& p) { return p.price.isOwned(); });
    }

    const BandQuestion& question_;
    const StepModel& model_;
    layout::StepResult step_;
    run::RunProblem run_;
    run::RunResult result_;
};

Answer answerOf(const run::RunResult& r) {
    return {r.days, r.money.total, r.energy.energy};
}

/// How many of the samples keep each limit.
class Kept {
public:
    Kept(const BandQuestion& question, const run::RunResult& middle) : question_(question) {
        if (question.finishBy && question.run.start) chances_.date = 0;
        if (question.budget && (middle.money.total || !std::isfinite(middle.days)))
            chances_.budget = 0;
        if (question.power && middle.energy.peakPower) chances_.power = 0;
        if (chances_.date || chances_.budget || chances_.power) chances_.all = 0;
    }

    void count(const run::RunResult& r) {
        bool all = true;
        const auto keeps = [&all](std::optional<double>& share, bool kept) {
            if (!share) return;
            *share += kept ? 1 : 0;
            all = all && kept;
        };
        keeps(chances_.date,
              r.finish && question_.finishBy &&
                  run::daysSinceEpoch(*r.finish) <= run::daysSinceEpoch(*question_.finishBy));
        keeps(chances_.budget, r.money.total && !(r.money.total > question_.budget));
        keeps(chances_.power, r.energy.peakPower && !(r.energy.peakPower > question_.power));
        if (chances_.all && all) *chances_.all += 1;
    }

    [[nodiscard]] Chances of(int samples) const {
        Chances shares = chances_;
        for (std::optional<double>* share :
             {&shares.date, &shares.budget, &shares.power, &shares.all})
            if (*share) **share /= samples;
        return shares;
    }

private:
    const BandQuestion& question_;
    Chances chances_;
};

/// The inputs one at a time.
class Tornado {
public:
    Tornado(const BandQuestion& question, const StepModel& model, MovedRun& run)
        : question_(question), model_(model), run_(run) {}

    [[nodiscard]] std::vector<Swing> swings() {
        const run::RunProblem& asked = question_.run;
        const Spread& spread = question_.spread;
        for (const std::vector<std::size_t>& group : groups())
            group.size() > 1 ? addGroup(group) : addFactor(group.front());
        add(kModelError, {model_.modelError(), model_.modelError()}, 1, InputUnit::Factor,
            "model_error", {"model error, grade {1}", {name(question_.grade)}});
        const double rate = asked.operations.interruptionsPerChipHour;
        add(kInterruptions, spread.interruptionRate, rate, InputUnit::PerChipHour,
            "interruption_rate", {"failure rate", {}});
        if (rate > 0)
            add(kRestart, spread.restartTime, asked.operations.restartTime.value(),
                InputUnit::Seconds, "restart_time", {"restart time", {}});
        if (!asked.portions.empty())
            add(kPrice, spread.price, 1, InputUnit::Factor, "price", {"price that moves", {}});
        else if (asked.price.perUnit)
            add(kPrice, spread.price, units::inUsDollarsPerHour(*asked.price.perUnit),
                InputUnit::DollarsPerHour, "price", {"price", {}});
        if (asked.system.chip.thermalDesignPower)
            add(kPower, spread.acceleratorPower, 1, InputUnit::Factor, "accelerator_power",
                {"power of the accelerators", {}});
        sort();
        return std::move(swings_);
    }

private:
    /// Factors that the calibration ties to one another, closely enough to move as one.
    [[nodiscard]] std::vector<std::vector<std::size_t>> groups() const {
        constexpr double kTogether = 0.4;
        std::vector<std::vector<std::size_t>> all;
        std::vector<bool> taken(model_.factors().size(), false);
        for (std::size_t first = 0; first < taken.size(); ++first) {
            if (taken[first]) continue;
            std::vector<std::size_t> group{first};
            taken[first] = true;
            for (std::size_t at = 0; at < group.size(); ++at) {
                for (std::size_t j = 0; j < taken.size(); ++j) {
                    if (taken[j] || std::abs(correlation(group[at], j)) < kTogether) continue;
                    group.push_back(j);
                    taken[j] = true;
                }
            }
            std::sort(group.begin(), group.end());
            all.push_back(std::move(group));
        }
        return all;
    }

    void addFactor(std::size_t index) {
        const MovedFactor& f = model_.factors()[index];
        Swing s;
        s.id = name(f.factor->physics);
        s.input = nameOf(*f.factor);
        s.low = std::exp(-decile_ * f.deviation);
        s.high = std::exp(decile_ * f.deviation);
        std::vector<double> deviates(model_.factors().size(), 0.0);
        deviates[index] = -decile_;
        s.atLow = answerOf(run_.at({}, deviates));
        deviates[index] = decile_;
        s.atHigh = answerOf(run_.at({}, deviates));
        swings_.push_back(std::move(s));
    }

    /// Its input is the step's time, as far as the group decides it; each factor goes as far as is
    /// to be expected of it when the time is what it is.
    void addGroup(const std::vector<std::size_t>& group) {
        std::vector<double> along(model_.factors().size(), 0.0);
        double variance = 0;
        for (std::size_t i : group) {
            for (std::size_t j : group) along[i] += correlation(i, j) * slope(j);
            variance += slope(i) * along[i];
        }
        if (!(variance > 0)) return;
        Swing s;
        s.id = "calibration";
        std::string subjects;
        for (std::size_t i : group) {
            const Factor& f = *model_.factors()[i].factor;
            s.members.push_back(nameOf(f));
            if (subjects.find(f.subject) == std::string::npos)
                subjects += (subjects.empty() ? "" : ", ") + f.subject;
        }
        s.input = {"step by figures fitted together: {1}", {subjects}};
        const auto at = [&](double deviate, double& input) {
            std::vector<double> deviates = along;
            for (double& d : deviates) d *= deviate / std::sqrt(variance);
            input = std::exp(model_.shift(deviates.data(), 0).time);
            return answerOf(run_.at({}, deviates));
        };
        s.atLow = at(-decile_, s.low);
        s.atHigh = at(decile_, s.high);
        swings_.push_back(std::move(s));
    }

    /// What the logarithm of the step's time changes by for a deviate of a factor.
    [[nodiscard]] double slope(std::size_t factor) const {
        const Response& time = model_.factors()[factor].time;
        return (time.up - time.down) / 2;
    }

    void add(Dimension dimension, const Deviation& deviation, double middle, InputUnit unit,
             const char* id, Text input) {
        if (deviation.isExact() || !(middle > 0)) return;
        Swing s;
        s.id = id;
        s.input = std::move(input);
        s.unit = unit;
        s.low = middle * factorAt(deviation, -decile_);
        s.high = middle * factorAt(deviation, decile_);
        const std::vector<double> still(model_.factors().size(), 0.0);
        std::array<double, kFactors> deviates{};
        deviates[dimension] = -decile_;
        s.atLow = answerOf(run_.at(deviates, still));
        deviates[dimension] = decile_;
        s.atHigh = answerOf(run_.at(deviates, still));
        swings_.push_back(std::move(s));
    }

    [[nodiscard]] double correlation(std::size_t i, std::size_t j) const {
        return model_.correlation()(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(j));
    }

    /// By days or cost, whichever moves more; then by energy; then as they were added.
    void sort() {
        const auto width = [](double low, double high) {
            return std::isfinite(low) && std::isfinite(high) ? std::abs(logRatio(high, low))
                   : low == high                             ? 0
                                                             : kInfinity;
        };
        const auto main = [&](const Swing& s) {
            double widest = width(s.atLow.days, s.atHigh.days);
            if (s.atLow.cost && s.atHigh.cost)
                widest = std::max(widest, width(s.atLow.cost->value(), s.atHigh.cost->value()));
            return widest;
        };
        const auto energy = [&](const Swing& s) {
            return s.atLow.energy && s.atHigh.energy
                       ? width(s.atLow.energy->value(), s.atHigh.energy->value())
                       : 0;
        };
        std::stable_sort(swings_.begin(), swings_.end(), [&](const Swing& a, const Swing& b) {
            return main(a) != main(b) ? main(a) > main(b) : energy(a) > energy(b);
        });
    }

    const double decile_ = normalQuantile(0.9);
    const BandQuestion& question_;
    const StepModel& model_;
    MovedRun& run_;
    std::vector<Swing> swings_;
};

}  // namespace

Deviation deviationOf(double low, double middle, double high, double tail) {
    assert(low > 0 && middle >= low && high >= middle && tail > 0 && tail < 0.5);
    const double deviates = normalQuantile(1 - tail);
    return {std::log(middle / low) / deviates, std::log(high / middle) / deviates};
}

const char* name(InputUnit unit) {
    switch (unit) {
        case InputUnit::Factor:
            return "factor";
        case InputUnit::PerChipHour:
            return "interruptions_per_chip_hour";
        case InputUnit::Seconds:
            return "seconds";
        case InputUnit::DollarsPerHour:
            return "usd_per_hour";
    }
    return "factor";
}

double modelError(const Calibration* calibration, const Spread& spread, Grade grade) {
    const auto slot = static_cast<std::size_t>(grade);
    const double measured = calibration != nullptr ? calibration->residual[slot] : 0;
    return measured > 0 ? measured : spread.modelError[slot];
}

std::optional<Bands> bandsOf(const BandQuestion& question) {
    const StepModel model(question.step);
    MovedRun run(question, model);
    const auto samples = static_cast<std::size_t>(question.step.sampling.samples);
    std::vector<double> times(samples), days(samples), cost(samples), energy(samples);
    const std::vector<double> still(model.factors().size(), 0.0);
    Kept kept(question, run.at({}, still));
    bool hasCost = false, hasEnergy = false;
    const bool whole =
        forEachSample(question, model,
                      [&](std::size_t i, const std::array<double, kFactors>& deviates,
                          const std::vector<double>& factors) {
                          const run::RunResult& r = run.at(deviates, factors);
                          times[i] = run.stepTime().value();
                          days[i] = r.days;
                          cost[i] = r.money.total ? r.money.total->value() : kInfinity;
                          energy[i] = r.energy.energy ? r.energy.energy->value() : kInfinity;
                          hasCost = hasCost || r.money.total;
                          hasEnergy = hasEnergy || r.energy.energy;
                          kept.count(r);
                      });
    if (!whole) return std::nullopt;
    Bands bands;
    bands.sampling = question.step.sampling;
    bands.stepTime = bandOf<units::Seconds>(times);
    bands.days = bandOf<double>(days);
    if (hasCost) bands.cost = bandOf<units::UsDollars>(cost);
    if (hasEnergy) bands.energy = bandOf<units::Joules>(energy);
    bands.chances = kept.of(question.step.sampling.samples);
    bands.tornado = Tornado(question, model, run).swings();
    return bands;
}

}  // namespace trainwright::belief
