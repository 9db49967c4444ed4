// SPDX-License-Identifier: GPL-3.0-or-later
// What the terminal at the other end can show, and progress lines on it.
#pragma once

#include <optional>

#include "app/commands/commands.h"
#include "reports/report.h"

namespace trainwright::app {

/// The style for standard output. A pipe or a file gets UTF-8 without colour, 100 columns wide,
/// whatever the locale, so that the same command writes the same bytes everywhere. `width` 0: as
/// wide as the terminal, or as COLUMNS says. NO_COLOR and TERM=dumb are respected.
[[nodiscard]] reports::TerminalStyle outputStyle(const DisplayOptions& display);

/// Whether someone watches standard output as it is written.
[[nodiscard]] bool outputIsTerminal();

/// A progress line on standard error, shown only when that is a terminal and the work takes a
/// while.
class ProgressLine {
public:
    /// `doing` is the word before the share: "planning".
    explicit ProgressLine(const char* doing);
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    ~ProgressLine();

    /// `share` of the work is done, in [0, 1].
    void show(double share);

private:
    const char* doing_;
    bool isTerminal_;
    bool isShown_ = false;
    int percentShown_ = -1;
    long long begunNanoseconds_;
};

}  // namespace trainwright::app
