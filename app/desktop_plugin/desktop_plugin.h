// SPDX-License-Identifier: GPL-3.0-or-later
// What the program and its desktop library agree on. Both come from one build.
#pragma once

namespace trainwright::ui {
struct DesktopOptions;
}

namespace trainwright::app {

inline constexpr const char* kDesktopPluginFile = "desktop.so";
inline constexpr const char* kRunDesktopSymbol = "trainwrightRunDesktop";

using RunDesktop = int(int& argc, char** argv, const ui::DesktopOptions& options);

}  // namespace trainwright::app
