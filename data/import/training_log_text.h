// SPDX-License-Identifier: GPL-3.0-or-later
// Values out of the lines of a training log: numbers beside their keys, time stamps, and where one
// step's part of a line begins.
//
// Every function takes any bytes, finds nothing in most, and depends on no locale. Numbers are
// finite and above zero. What the keys mean is the business of training_log.h.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::import::logtext {

[[nodiscard]] bool isDigit(char c);
[[nodiscard]] bool contains(std::string_view s, std::string_view part);
/// The first place from `at` that holds none of `what`.
[[nodiscard]] std::size_t skip(std::string_view s, std::size_t at, std::string_view what);

/// The number at `at`, which moves behind it. `7,012` is one number where `grouped`.
[[nodiscard]] std::optional<double> numberAt(std::string_view s, std::size_t& at,
                                             bool grouped = false);
/// The number after `key` and a `:` or `=`, as of "key: 5.9", "key=5.9" and "'key': '5.9'".
[[nodiscard]] std::optional<double> valueOf(std::string_view s, std::string_view key,
                                            bool grouped = false);
/// The whole number after `key` in a list of settings or in a sentence: "seq_length ....... 4096",
/// "global batch size 64, ...".
[[nodiscard]] std::optional<double> settingOf(std::string_view s, std::string_view key);
/// The last "2026-02-24 19:46:17,508" of `s`, in seconds; 0 without one. Stamps of whole seconds
/// are too coarse and don't count.
[[nodiscard]] double clockIn(std::string_view s);

/// The place of the first line feed or carriage return, or the size.
[[nodiscard]] std::size_t endOfLine(std::string_view s);
/// Whether withoutEscapes() may change `line`.
[[nodiscard]] bool mayHaveEscapes(std::string_view line);
/// `line` without colour codes and other escape sequences, also where a log collector has written
/// them out.
void withoutEscapes(std::string_view line, std::string& out);

/// One step's part of a line.
struct Record {
    std::string_view text;    ///< from its mark to the next; the first has the line's beginning too
    std::string_view before;  ///< what stands between the mark before and its own
    std::optional<double> step;
    bool completed = false;  ///< "completed step: 9"
};

/// The parts of `line`, which begin at "iteration 12/ 500", "step: 12" and "Epoch 0:"; the whole
/// line where it has none of them.
[[nodiscard]] std::vector<Record> recordsOf(std::string_view line);

/// A progress bar at one moment: "12%|##   | 60/500 [06:01<44:09,  6.02s/it, loss=2.1]".
struct BarMark {
    double n = 0;
    double total = 0;
    double elapsed = 0;     ///< seconds, whole
    double seconds = 0;     ///< of one step, as the bar shows it
    bool training = false;  ///< it shows a loss or a count of steps
};

/// The bars in `line` that have a rate, but for those whose name isn't one of training (as of
/// evaluation, loading and downloads).
[[nodiscard]] std::vector<BarMark> barsOf(std::string_view line);

}  // namespace trainwright::import::logtext
