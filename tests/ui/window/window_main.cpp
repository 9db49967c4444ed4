// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tests under the offscreen platform; a remark of Qt's that nobody expects fails the test.
#include <gtest/gtest.h>

#include <QApplication>

namespace {

void failOnRemarks(QtMsgType type, const QMessageLogContext&, const QString& message) {
    // The offscreen platform has no window manager to tell, and says so.
    if (message.startsWith(QLatin1String("This plugin does not support"))) return;
    if (type == QtWarningMsg || type == QtCriticalMsg)
        ADD_FAILURE() << "Qt: " << message.toStdString();
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QCoreApplication::setOrganizationName(QStringLiteral("trainwright"));
    QCoreApplication::setApplicationName(QStringLiteral("trainwright-tests"));
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    testing::InitGoogleTest(&argc, argv);
    qInstallMessageHandler(failOnRemarks);
    return RUN_ALL_TESTS();
}
