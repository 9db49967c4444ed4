// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/desktop.h"

#include "ui/window/main_window.h"

namespace trainwright::ui {

int runDesktop(int& argc, char** argv, const DesktopOptions& options) {
    QCoreApplication::setOrganizationName(QStringLiteral("trainwright"));
    QCoreApplication::setApplicationName(QStringLiteral("trainwright"));
    QCoreApplication::setApplicationVersion(QString::fromStdString(options.programVersion));
    QGuiApplication::setHighDpiScaleFactorRoundingPolicy(
        Qt::HighDpiScaleFactorRoundingPolicy::PassThrough);
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QGuiApplication::setDesktopFileName(QStringLiteral("trainwright"));
    MainWindow window(options);
    window.show();
    return QApplication::exec();
}

}  // namespace trainwright::ui
