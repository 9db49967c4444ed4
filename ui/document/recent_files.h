// SPDX-License-Identifier: GPL-3.0-or-later
// The scenario files opened or saved last, newest first, kept in the user's settings.
//
// Ten at most, absolute paths, each once. Files that are gone are left out of the list, not
// forgotten: a drive may come back.
#pragma once

#include <QStringList>

namespace trainwright::ui {

[[nodiscard]] QStringList recentFiles();
void addRecentFile(const QString& path);
void clearRecentFiles();

}  // namespace trainwright::ui
