// SPDX-License-Identifier: GPL-3.0-or-later
// A window over the built catalog, with settings and overlay of its own, and ways to wait for it.
#pragma once

#include <QString>
#include <QTemporaryDir>

#include <memory>

#include "ui/window/main_window.h"

namespace trainwright::ui::tests {

/// Settings, data folders and example files that no other test sees.
class Surroundings {
public:
    Surroundings();
    [[nodiscard]] DesktopOptions options() const;
    [[nodiscard]] static QString scenario(const QString& name);  ///< path of an example
    /// A copy of an example in a folder of its own.
    [[nodiscard]] QString copyOf(const QString& name);
    [[nodiscard]] QString file(const QString& name) const { return folder_.filePath(name); }
    [[nodiscard]] std::string overlay() const;

private:
    QTemporaryDir folder_;
};

/// Waits until `condition` holds; false: it took too long.
[[nodiscard]] bool waitFor(const std::function<bool()>& condition, int milliseconds = 60000);
/// Waits until everything that the window's text asks for is shown.
[[nodiscard]] bool settle(MainWindow& window, int milliseconds = 120000);

}  // namespace trainwright::ui::tests
