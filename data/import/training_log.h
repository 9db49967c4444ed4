// SPDX-License-Identifier: GPL-3.0-or-later
// Training logs as people have them, and the step that each one measured.
//
// Known are the lines of Megatron-LM and what descends from it (Megatron-Bridge, GPT-NeoX,
// Megatron-DeepSpeed, Primus), NeMo, torchtitan, MaxText, NxD Training and neuronx-nemo-megatron,
// DeepSpeed, and the Hugging Face Trainer with its progress bar. The lines tell which it is; the
// name of the file doesn't matter. Of a log that has lines of several, those that state the step
// most directly are read, in the order above.
//
// What is taken: the warm-up goes first, a tenth of the steps and at least five where the log is
// long enough, never more than half of the lines; then lines with another global batch than most
// have, then lines outside three times the quartile distance (checkpoints, evaluation, restarts).
// The median and the quartiles are those of the rest, and the notes say what was left out.
//
// Invariant: every value is finite and above zero, and at least one of step, tokens/s and samples/s
// is there. A log is read line by line in bounded memory, whatever its size; nothing in it is
// trusted. It doesn't know the model, the ranks or the machine: a log that states tokens/s alone
// gets no step here, and measuredStep() is for whoever knows the rest.
#pragma once

#include <istream>
#include <optional>
#include <string>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::import {

/// Median and quartiles of what the used lines state.
struct Spread {
    double lower = 0;
    double median = 0;
    double upper = 0;
};

struct TrainingLog {
    std::string format;  ///< "Megatron-LM", "torchtitan", …
    long steps = 0;      ///< training steps that the used lines cover
    std::optional<Spread> stepSeconds;
    std::optional<Spread> tokensPerSecondPerRank;  ///< a rank is one device of the framework
    std::optional<Spread> samplesPerSecond;        ///< sequences, of all ranks together
    std::optional<double> globalBatch;             ///< sequences in one step
    std::optional<double> sequenceLength;          ///< tokens
    std::optional<double> memoryBytes;             ///< the most that a rank held
    std::vector<Text> notes;  ///< what was left out, and what each value comes from
};

/// The step that `text` measured. Fails when no line states a time or a speed; the finding says
/// which lines were looked for. `file` only names the place in findings.
[[nodiscard]] Outcome<TrainingLog> readTrainingLog(const std::string& text,
                                                   const std::string& file);
/// The same for a log that need not fit into memory.
[[nodiscard]] Outcome<TrainingLog> readTrainingLog(std::istream& in, const std::string& file);
/// Opens the file first: one that is missing or unreadable is a finding.
[[nodiscard]] Outcome<TrainingLog> readTrainingLogFile(const std::string& path);

/// Seconds of a step of `globalBatch` sequences of `sequenceLength` tokens on `ranks` ranks: the
/// stated step where the log has one, else from tokens/s and rank, else from samples/s.
[[nodiscard]] double measuredStep(const TrainingLog& log, double globalBatch, double sequenceLength,
                                  double ranks);

}  // namespace trainwright::import
