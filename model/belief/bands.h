// SPDX-License-Identifier: GPL-3.0-or-later
// How sure a result is: P10, P50 and P90 of days, cost and energy, and what moves them most.
//
// Samples are drawn of everything that a result rests on and that is not known exactly: the
// calibrated factors with their covariance, the model's own error by grade, how often jobs stop and
// how long a restart takes, a price that moves, the draw of the accelerators. Each varies by a
// log-normal around the figure in use, which is therefore its median. The layout stays the one
// that was chosen; the step answers to each factor as it does at one standard error to either side,
// linearly in the logarithms in between and beyond, and one factor's answer doesn't depend on the
// others. Every sample is then a run of its own (run::evaluateRun). The same question gives the
// same digits on any number of threads.
//
// What is left out: interruptions count by their expectation in each sample, so that the luck of a
// single run (a percent of what is lost to them, where there are hundreds) is not in the band;
// memory is taken to be what it is; and what a scenario states itself (tokens, dates, a rate of its
// own) is taken at its word.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "model/belief/calibration.h"
#include "model/layout/layout.h"
#include "model/run/run.h"

namespace trainwright::network {
class Network;
}

namespace trainwright::belief {

/// How many samples, and which.
struct Sampling {
    int samples = 0;  ///< none: no bands are drawn
    std::uint32_t seed = 0;
    friend bool operator==(const Sampling&, const Sampling&) = default;
};

/// How far a figure may lie from its median: standard deviations of its natural logarithm, one to
/// either side. 0: taken as exact.
struct Deviation {
    double below = 0, above = 0;
    [[nodiscard]] bool isExact() const { return !(below > 0) && !(above > 0); }
    friend bool operator==(const Deviation&, const Deviation&) = default;
};

/// Such that `tail` of all cases lie below `low` and as many above `high`, half of them below
/// `middle`. 0 < low <= middle <= high, `tail` in (0, 0.5).
[[nodiscard]] Deviation deviationOf(double low, double middle, double high, double tail);

/// Of what a run rests on beside the factors of a calibration.
struct Spread {
    Deviation interruptionRate, restartTime, price, acceleratorPower;
    /// Deviation of ln(measured / predicted) by grade; a calibration's own comes before it.
    std::array<double, 3> modelError{};
    friend bool operator==(const Spread&, const Spread&) = default;
};

/// Of sorted samples the one at the nearest rank: 10, 50 and 90 of 100 lie at or below it.
template <typename T>
struct Band {
    T p10{}, p50{}, p90{};
    friend bool operator==(const Band&, const Band&) = default;
};

/// What one sample says of a run. Days are infinite if it is never done.
struct Answer {
    double days = 0;
    std::optional<units::UsDollars> cost;
    std::optional<units::Joules> energy;  ///< at the meter
    friend bool operator==(const Answer&, const Answer&) = default;
};

/// The unit of an input's ends.
enum class InputUnit {
    Factor,         ///< times the figure in use
    PerChipHour,    ///< interruptions
    Seconds,        ///< restart
    DollarsPerHour  ///< of one unit, before the discount
};
[[nodiscard]] const char* name(InputUnit unit);  ///< "factor", "interruptions_per_chip_hour", …

/// One input at its P10 and its P90, all others at their medians. Factors that the calibration ties
/// closely to one another are one input, which is the step's time as far as they decide it; weaker
/// ties are in the bands alone, so that swings don't add up.
struct Swing {
    std::string id;  ///< "matrix_rate", "model_error", "interruption_rate", "price", …
    Text input;      ///< "matrix rate of gpu hopper"
    InputUnit unit = InputUnit::Factor;
    double low = 0, high = 0;
    Answer atLow, atHigh;
    std::vector<Text> members;  ///< of an input that is several factors
    friend bool operator==(const Swing&, const Swing&) = default;
};

/// Shares of the samples that keep a limit; none where there is no such limit, or no figure to
/// hold against it.
struct Chances {
    std::optional<double> date, budget, power;
    std::optional<double> all;  ///< every one of the above at once
    friend bool operator==(const Chances&, const Chances&) = default;
};

struct Bands {
    Sampling sampling;
    Band<units::Seconds> stepTime;
    Band<double> days;
    std::optional<Band<units::UsDollars>> cost;  ///< infinite where a run is never done
    std::optional<Band<units::Joules>> energy;   ///< likewise
    Chances chances;
    std::vector<Swing> tornado;  ///< the widest first: by days or cost, whichever it moves more
    friend bool operator==(const Bands&, const Bands&) = default;
};

/// A step whose time is known.
struct StepQuestion {
    const layout::StepProblem& problem;  ///< with the calibration's factors in its figures
    const layout::Layout& layout;
    const network::Network& network;           ///< of the problem's cluster
    const layout::StepResult& step;            ///< of the layout
    const Calibration* calibration = nullptr;  ///< none: no factor varies
    double modelError = 0;  ///< deviation of log(measured / predicted), see modelError()
    Sampling sampling;      ///< at least one sample
};

/// The deviation of a step's log time that is the model's own: the calibration's for the grade, or
/// where it has none the spread's.
[[nodiscard]] double modelError(const Calibration* calibration, const Spread& spread, Grade grade);

/// A candidate whose step and run are known.
struct BandQuestion {
    StepQuestion step;
    const run::RunProblem& run;
    Grade grade = Grade::C;
    Spread spread;
    std::optional<run::Date> finishBy;
    std::optional<units::UsDollars> budget;
    std::optional<units::Watts> power;
    /// Asked every few thousand samples; true ends it without an answer.
    std::function<bool()> cancelled;
};

/// Nothing when cancelled.
[[nodiscard]] std::optional<Bands> bandsOf(const BandQuestion& question);

}  // namespace trainwright::belief
