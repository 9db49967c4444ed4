// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/recent_files.h"

#include <QFileInfo>
#include <QSettings>

namespace trainwright::ui {

namespace {

constexpr qsizetype kMost = 10;
const QString kKey = QStringLiteral("recentFiles");

}  // namespace

QStringList recentFiles() {
    QStringList out;
    for (const QString& path : QSettings().value(kKey).toStringList()) {
        if (QFileInfo::exists(path)) out.append(path);
    }
    return out;
}

void addRecentFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList all = QSettings().value(kKey).toStringList();
    all.removeAll(absolute);
    all.prepend(absolute);
    QSettings().setValue(kKey, QStringList(all.mid(0, kMost)));
}

void clearRecentFiles() {
    QSettings().remove(kKey);
}

}  // namespace trainwright::ui
