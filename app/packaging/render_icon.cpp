// SPDX-License-Identifier: GPL-3.0-or-later
// render_icon ICON.svg FOLDER SIZE…: draws the icon in each size, into the folders of the icon
// theme below FOLDER. A tool of the build, so that there is one picture of it only.
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QSvgRenderer>
#include <cstdio>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QGuiApplication application(argc, argv);
    const QStringList arguments = QGuiApplication::arguments();
    constexpr int kFirstSize = 3;
    QSvgRenderer icon(arguments.value(1));
    const QString name = QFileInfo(arguments.value(1)).completeBaseName();
    if (!icon.isValid() || arguments.size() <= kFirstSize) {
        std::fprintf(stderr, "usage: render_icon ICON.svg FOLDER SIZE...\n");
        return 2;
    }
    for (const QString& size : arguments.mid(kFirstSize)) {
        QImage image(size.toInt(), size.toInt(), QImage::Format_ARGB32);
        image.fill(Qt::transparent);
        {
            QPainter painter(&image);
            icon.render(&painter);
        }
        const QString folder = QStringLiteral("%1/%2x%2/apps").arg(arguments.at(2), size);
        const QString file = QStringLiteral("%1/%2.png").arg(folder, name);
        if (!QDir().mkpath(folder) || !image.save(file)) {
            std::fprintf(stderr, "%s can't be written\n", qPrintable(file));
            return 2;
        }
    }
    return 0;
}
