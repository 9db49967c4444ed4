// SPDX-License-Identifier: GPL-3.0-or-later
// The words of the command line, and which command each stands for.
#pragma once

namespace trainwright::app {

/// Parses the arguments, runs the command they name and returns the exit code of the process.
[[nodiscard]] int runCommandLine(int argc, char** argv);

}  // namespace trainwright::app
