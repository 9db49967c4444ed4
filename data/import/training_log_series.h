// SPDX-License-Identifier: GPL-3.0-or-later
// The step lines of a training log in their order, and which of them count.
//
// Lines of one step by several ranks become one sample, their mean. leaveOut() takes the warm-up,
// other batches and stray lines away, as training_log.h describes it. Invariant: of seconds,
// tokens and samples at least one is above zero in every sample that is added.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "data/import/training_log.h"

namespace trainwright::import::logtext {

/// Lines that are kept of one log at most.
inline constexpr std::size_t kMaxSamples = std::size_t{1} << 19U;

struct Sample {
    double step = -1;    ///< as the log counts; -1: not given
    double seconds = 0;  ///< of one step; 0: not given, as below
    double tokens = 0;   ///< a second and rank
    double samples = 0;  ///< a second
    double lines = 1;    ///< that it is the mean of
    double batch = 0;    ///< sequences
    double clock = 0;    ///< seconds
};

class Series {
public:
    /// `timedByClock`: a step is as long as the stamps of neighbouring lines are apart.
    explicit Series(bool timedByClock = false) : timedByClock_(timedByClock) {}

    void add(Sample s);

    /// The same lines with the time of a step that `seconds` gives for each.
    [[nodiscard]] Series timedBy(const std::function<double(const Sample&)>& seconds) const;

    [[nodiscard]] const std::vector<Sample>& samples() const { return samples_; }
    [[nodiscard]] bool timedByClock() const { return timedByClock_; }
    /// How often the count of steps went back.
    [[nodiscard]] long goesBack() const { return goesBack_; }
    /// Lines over the limit, which were left out.
    [[nodiscard]] long dropped() const { return dropped_; }

private:
    bool timedByClock_;
    std::vector<Sample> samples_;
    long goesBack_ = 0;
    long dropped_ = 0;
};

/// Nothing for no values.
[[nodiscard]] std::optional<Spread> spreadOf(std::vector<double> values);

/// Whether at least half of `samples`, and one, give the time of a step.
[[nodiscard]] bool timed(const std::vector<Sample>& samples);

/// What remains of `samples`, which has one at least; so has the result. Writes the steps that it
/// covers, the global batch where lines give one, and a note for each reason to leave lines out.
[[nodiscard]] std::vector<Sample> leaveOut(const std::vector<Sample>& samples, TrainingLog& log);

}  // namespace trainwright::import::logtext
