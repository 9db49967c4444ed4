// SPDX-License-Identifier: GPL-3.0-or-later
// Runs the tests under the offscreen platform; a remark of Qt's that nobody expects fails the test.
#include <gtest/gtest.h>
#include <time.h>

#include <QApplication>
#include "ui/window/desktop.h"

namespace {

void failOnRemarks(QtMsgType type, const QMessageLogContext&, const QString& message) {
    // The offscreen platform has no window manager to tell, and says so.
    if (message.startsWith(QLatin1String("This plugin does not support"))) return;
    if (type == QtWarningMsg || type == QtCriticalMsg)
        ADD_FAILURE() << "Qt: " << message.toStdString();
}

/// Measures how long the interface's own thread works on one event.
class TimedApplication : public QApplication {
public:
    using QApplication::QApplication;

    bool notify(QObject* receiver, QEvent* event) override {
        if (depth_ > 0) return QApplication::notify(receiver, event);
        ++depth_;
        const double began = now();
        const QEvent::Type type = event->type();
        const QByteArray name = receiver->metaObject()->className();
        const bool done = QApplication::notify(receiver, event);
        const double took = now() - began;
        --depth_;
        if (took > property("longestEventMs").toDouble()) {
            setProperty("longestEventMs", took);
            setProperty("longestEvent",
                        QStringLiteral("event %1 of %2").arg(type).arg(QLatin1String(name)));
        }
        return done;
    }

private:
    /// Of this thread alone, whatever else the machine does.
    static double now() {
        timespec time{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
    }
    int depth_ = 0;
};

}  // namespace

int main(int argc, char** argv) {
    trainwright::ui::keepLargeMemory();
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QCoreApplication::setOrganizationName(QStringLiteral("trainwright"));
    QCoreApplication::setApplicationName(QStringLiteral("trainwright-tests"));
    TimedApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    testing::InitGoogleTest(&argc, argv);
    qInstallMessageHandler(failOnRemarks);
    return RUN_ALL_TESTS();
}
