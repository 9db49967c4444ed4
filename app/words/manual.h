// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages, written from what the command line says of itself: the text of --help, set as
// man(7) wants it. Plain ASCII, and without a date, so that the same program always gives the same
// pages.
#pragma once

#include <string>

#include "app/words/command_tree.h"

namespace trainwright::app {

/// "trainwright-catalog-list": how the page of a command is called, without its section.
[[nodiscard]] std::string manualName(const CommandWords& command);

/// The page of `command`, which is `program` or somewhere below it.
[[nodiscard]] std::string manualPage(const CommandWords& command, const CommandWords& program,
                                     const std::string& programVersion);

}  // namespace trainwright::app
