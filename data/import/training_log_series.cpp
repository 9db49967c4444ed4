// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/training_log_series.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "model/units/text_quantity.h"

namespace trainwright::import::logtext {

namespace {

// Lines of one step by several ranks stand close together; the same step number further on is
// another pass over it.
constexpr std::size_t kInterleaved = 64;

constexpr double kWarmupShare = 0.1;
constexpr double kWarmupSteps = 5;
constexpr double kFence = 3;          // quartile distances
constexpr double kLeastFence = 0.02;  // of the median, for logs that hardly spread

double quantile(const std::vector<double>& sorted, double q) {
    const double at = q * static_cast<double>(sorted.size() - 1);
    const auto low = static_cast<std::size_t>(at);
    const std::size_t high = std::min(low + 1, sorted.size() - 1);
    return sorted[low] + (at - static_cast<double>(low)) * (sorted[high] - sorted[low]);
}

// A time, or what is in proportion to one.
double slowness(const Sample& s) {
    if (s.seconds > 0) return s.seconds;
    return 1 / (s.tokens > 0 ? s.tokens : s.samples);
}

// How many steps each line stands for: those since the line before, where the log counts them.
std::vector<double> stepsOfLines(const std::vector<Sample>& samples) {
    std::vector<double> gaps;
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const double gap = samples[i].step - samples[i - 1].step;
        if (samples[i - 1].step >= 0 && gap > 0) gaps.push_back(gap);
    }
    const double usual = gaps.empty() ? 1 : std::max(1.0, std::floor(spreadOf(gaps)->median));
    std::vector<double> steps(samples.size(), usual);
    for (std::size_t i = 1; i < samples.size(); ++i) {
        const double gap = samples[i].step - samples[i - 1].step;
        // A wider gap has lines missing, not a line for so many steps.
        if (samples[i - 1].step >= 0 && gap > 0 && gap < 10 * usual) steps[i] = gap;
    }
    return steps;
}

std::string count(std::size_t n) {
    return units::groupedNumber(static_cast<double>(n));
}

}  // namespace

void Series::add(Sample s) {
    const std::size_t n = samples_.size();
    for (std::size_t i = n; s.step >= 0 && i > 0 && i + kInterleaved > n; --i) {
        Sample& known = samples_[i - 1];
        if (known.step != s.step) continue;
        const auto mean = [&](double a, double b) { return a + (b - a) / (known.lines + 1); };
        if (!timedByClock_) known.seconds = mean(known.seconds, s.seconds);
        known.tokens = mean(known.tokens, s.tokens);
        known.samples = mean(known.samples, s.samples);
        known.lines += 1;
        if (s.batch > 0) known.batch = s.batch;
        return;
    }
    if (n >= kMaxSamples) {
        ++dropped_;
        return;
    }
    if (n > 0 && s.step >= 0 && s.step < samples_.back().step) ++goesBack_;
    if (timedByClock_ && n > 0 && s.clock > 0 && samples_.back().clock > 0) {
        const double steps = s.step - samples_.back().step;
        const double time = s.clock - samples_.back().clock;
        if (samples_.back().step >= 0 && steps > 0 && time > 0) s.seconds = time / steps;
    }
    samples_.push_back(s);
}

Series Series::timedBy(const std::function<double(const Sample&)>& seconds) const {
    Series other = *this;
    for (Sample& s : other.samples_) s.seconds = seconds(s);
    return other;
}

std::optional<Spread> spreadOf(std::vector<double> values) {
    if (values.empty()) return std::nullopt;
    std::sort(values.begin(), values.end());
    return Spread{quantile(values, 0.25), quantile(values, 0.5), quantile(values, 0.75)};
}

bool timed(const std::vector<Sample>& samples) {
    const auto with = static_cast<std::size_t>(std::count_if(
        samples.begin(), samples.end(), [](const Sample& s) { return s.seconds > 0; }));
    return with > 0 && 2 * with >= samples.size();
}

std::vector<Sample> leaveOut(const std::vector<Sample>& samples, TrainingLog& log) {
    const std::size_t all = samples.size();
    const std::vector<double> steps = stepsOfLines(samples);
    double total = 0;
    for (const double s : steps) total += s;

    const double wanted = std::max(kWarmupSteps, kWarmupShare * total);
    std::size_t warm = 0;
    for (double covered = 0; warm < all / 2 && covered < wanted; ++warm) covered += steps[warm];
    if (warm > 0) {
        log.notes.push_back({"Lines left out as warm-up and compilation: the first {1} of {2}.",
                             {count(warm), count(all)}});
    }
    // Where most lines have the time of a step, one that doesn't can't be compared with them.
    const bool byTime = timed(samples);
    std::vector<std::size_t> kept;
    const auto keepFrom = [&](std::size_t first) {
        for (std::size_t i = first; i < all; ++i) {
            if (!byTime || samples[i].seconds > 0) kept.push_back(i);
        }
    };
    keepFrom(warm);
    if (kept.empty()) keepFrom(0);

    std::map<double, std::size_t> batches;
    for (const std::size_t i : kept) {
        if (samples[i].batch > 0) ++batches[samples[i].batch];
    }
    if (!batches.empty()) {
        // The larger of two that are equally frequent: batches grow.
        const auto most =
            std::max_element(batches.begin(), batches.end(),
                             [](const auto& a, const auto& b) { return a.second <= b.second; });
        log.globalBatch = most->first;
        const std::size_t had = kept.size();
        std::erase_if(kept, [&](std::size_t i) {
            return samples[i].batch > 0 && samples[i].batch != most->first;
        });
        if (kept.size() < had) {
            log.notes.push_back(
                {"Lines left out because their global batch isn't {1} sequences: {2}.",
                 {units::groupedNumber(most->first), count(had - kept.size())}});
        }
    }

    std::vector<double> values;
    for (const std::size_t i : kept) values.push_back(slowness(samples[i]));
    const Spread spread = *spreadOf(std::move(values));
    const double fence =
        kFence * std::max(spread.upper - spread.lower, kLeastFence * spread.median);
    const std::size_t had = kept.size();
    std::erase_if(kept, [&](std::size_t i) {
        const double v = slowness(samples[i]);
        return v < spread.lower - fence || v > spread.upper + fence;
    });
    if (kept.size() < had) {
        log.notes.push_back(
            {"Lines left out as far from the rest, as beside checkpoints, "
             "evaluation or restarts: {1}.",
             {count(had - kept.size())}});
    }

    double covered = 0;
    std::vector<Sample> rest;
    for (const std::size_t i : kept) {
        covered += steps[i];
        rest.push_back(samples[i]);
    }
    log.steps = std::lround(std::min(covered, 1e15));
    return rest;
}

}  // namespace trainwright::import::logtext
