// SPDX-License-Identifier: GPL-3.0-or-later
// Completion of the command line in shells, written from what the command line says of itself.
#pragma once

#include <string>
#include <vector>

#include "app/words/command_tree.h"

namespace trainwright::app {

/// "bash", "zsh" and "fish".
[[nodiscard]] const std::vector<std::string>& shells();

/// A script that makes `shell` (one of shells()) complete `program` and everything below it. It
/// needs nothing but the shell, and calls no program.
[[nodiscard]] std::string completionScript(const CommandWords& program, const std::string& shell);

}  // namespace trainwright::app
