// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop_plugin/desktop_plugin.h"

#include "ui/window/desktop.h"

extern "C" __attribute__((visibility("default"))) int trainwrightRunDesktop(
    int& argc, char** argv, const trainwright::ui::DesktopOptions& options) {
    return trainwright::ui::runDesktop(argc, argv, options);
}
