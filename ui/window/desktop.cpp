// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/desktop.h"

#include <array>
#include <cstddef>
#include <memory>

#include "ui/window/main_window.h"

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace trainwright::ui {

void keepLargeMemory() {
#ifdef __GLIBC__
    constexpr int kLargestPicture = 32 << 20;  // the most that glibc takes, bytes
    ::mallopt(M_MMAP_THRESHOLD, kLargestPicture);
    ::mallopt(M_TRIM_THRESHOLD, 4 * kLargestPicture);
    // Memory that was written to once is there at once; new memory costs an interruption a page,
    // several milliseconds for a picture of the window, in the midst of painting it.
    constexpr std::size_t kBlock = kLargestPicture / 2, kPage = 4096;
    std::array<std::unique_ptr<volatile char[]>, 3> blocks;
    for (std::unique_ptr<volatile char[]>& block : blocks) {
        block.reset(new volatile char[kBlock]);
        for (std::size_t at = 0; at < kBlock; at += kPage) block[at] = 0;
    }
#endif
}

int runDesktop(int& argc, char** argv, const DesktopOptions& options) {
    keepLargeMemory();
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
    window.welcome();
    return QApplication::exec();
}

}  // namespace trainwright::ui
