// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/window_fixture.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>
#include <QTest>

#include "app/commands/common.h"
#include "ui/window/plan_page.h"

namespace trainwright::ui::tests {

Surroundings::Surroundings() {
    QStandardPaths::setTestModeEnabled(true);
    QSettings::setDefaultFormat(QSettings::IniFormat);
    QSettings::setPath(QSettings::IniFormat, QSettings::UserScope, folder_.path());
    QDir(QStandardPaths::writableLocation(QStandardPaths::AppDataLocation)).removeRecursively();
}

std::string Surroundings::overlay() const {
    return folder_.filePath(QStringLiteral("overlay.sqlite")).toStdString();
}

DesktopOptions Surroundings::options() const {
    DesktopOptions options;
    const std::string shipped = app::catalogPath({});
    options.openCatalog = [shipped, overlay = overlay()] {
        return catalog::Catalog::open(shipped, overlay);
    };
    options.contextOf = app::contextOf;
    options.readRevision = [](const std::string& revision, const std::string&) {
        return Outcome<std::string>(
            Finding{Severity::Error, Text{"There is no revision {1} here.", {revision}}, {}});
    };
    options.writeReport = [](const search::PlanRequest& request, const search::PlanResult& result,
                             const reports::ReportContext& context, const std::string&,
                             const std::string& file) {
        QFile out(QString::fromStdString(file));
        if (out.open(QIODevice::WriteOnly))
            out.write(QByteArray::fromStdString(reports::planJson(request, result, context)));
        return std::vector<Finding>{};
    };
    options.overlay = overlay();
    options.examples = std::string(TRAINWRIGHT_SOURCE_DIR) + "/data/scenarios";
    options.programVersion = "0.0.0";
    options.language = "en";
    return options;
}

QString Surroundings::scenario(const QString& name) {
    return QStringLiteral(TRAINWRIGHT_SOURCE_DIR "/data/scenarios/") + name;
}

QString Surroundings::copyOf(const QString& name) {
    const QString copy = folder_.filePath(name);
    QFile::copy(scenario(name), copy);
    QFile::setPermissions(copy, QFile::ReadOwner | QFile::WriteOwner);
    return copy;
}

bool waitFor(const std::function<bool()>& condition, int milliseconds) {
    return QTest::qWaitFor(condition, milliseconds);
}

bool settle(MainWindow& window, int milliseconds) {
    QCoreApplication::processEvents();
    return waitFor(
        [&window] { return window.planner()->isSettled() && window.planPage()->isSettled(); },
        milliseconds);
}

}  // namespace trainwright::ui::tests
