// SPDX-License-Identifier: GPL-3.0-or-later
// Takes a picture of every view, in light and in dark, and of what else a user meets:
//   take_screenshots FOLDER
#include <QApplication>
#include <QDir>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QUndoStack>

#include <cstdio>

#include "tests/ui/window/window_fixture.h"
#include "ui/document/scenario_document.h"
#include "ui/window/catalog_page.h"
#include "ui/window/compare_page.h"
#include "ui/window/help_window.h"
#include "ui/window/plan_page.h"
#include "ui/window/price_wizard.h"

using namespace trainwright;
using namespace trainwright::ui;

namespace {

QDir folder;
int failures = 0;

void take(QWidget& widget, const QString& name) {
    QTest::qWait(60);
    if (!widget.grab().save(folder.filePath(name + QStringLiteral(".png")))) ++failures;
}

void takeViews(MainWindow& window, const QString& suffix) {
    window.showPage(MainWindow::Page::Plan);
    for (const QString& id : PlanPage::viewIds()) {
        window.planPage()->showView(id);
        if (!tests::settle(window)) {
            std::fprintf(stderr, "%s isn't there after two minutes\n", qPrintable(id));
            ++failures;
        }
        take(window, id + suffix);
    }
}

/// The other two pages, with something on them.
void takePages(MainWindow& window, const QString& suffix) {
    window.showPage(MainWindow::Page::Catalog);
    if (!window.findChild<CatalogPage*>(QStringLiteral("catalogPage"))
             ->showFigure(QStringLiteral("chip"), QStringLiteral("trainium2"),
                          QStringLiteral("hbm_bytes")))
        ++failures;
    take(window, QStringLiteral("catalog") + suffix);

    window.showPage(MainWindow::Page::Compare);
    auto* page = window.findChild<ComparePage*>(QStringLiteral("comparePage"));
    QSignalSpy compared(page, &ComparePage::compared);
    constexpr int kLongestMs = 120000;
    page->findChild<QPushButton*>(QStringLiteral("compareStart"))->click();
    if (compared.isEmpty() && !compared.wait(kLongestMs)) ++failures;
    take(window, QStringLiteral("compare") + suffix);
}

}  // namespace

int main(int argc, char** argv) {
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QCoreApplication::setOrganizationName(QStringLiteral("trainwright"));
    QCoreApplication::setApplicationName(QStringLiteral("trainwright-pictures"));
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    folder = QDir(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QStringLiteral("screenshots"));
    folder.mkpath(QStringLiteral("."));

    tests::Surroundings surroundings;
    MainWindow window(surroundings.options());
    window.setClosing(MainWindow::Closing::Discard);
    window.resize(1440, 900);
    window.setTheme(Theme::Light);
    window.show();
    take(window, QStringLiteral("start-light"));
    window.setTheme(Theme::Dark);
    take(window, QStringLiteral("start-dark"));
    window.openFile(tests::Surroundings::scenario(QStringLiteral("llama3.1-70b.yaml")));
    window.setTheme(Theme::Light);
    takeViews(window, QStringLiteral("-light"));
    window.setTheme(Theme::Dark);
    takeViews(window, QStringLiteral("-dark"));
    window.document()->set("training.tokens", "14T");
    if (!tests::settle(window)) ++failures;
    takePages(window, QStringLiteral("-dark"));
    window.setTheme(Theme::Light);
    takePages(window, QStringLiteral("-light"));
    window.setLanguage(QStringLiteral("es"));
    takePages(window, QStringLiteral("-es"));
    window.document()->undoStack()->undo();

    takeViews(window, QStringLiteral("-es"));
    window.setLanguage(QStringLiteral("en"));
    for (const QString& id : {QStringLiteral("ranking"), QStringLiteral("deadline")}) {
        window.resize(1024, 700);
        window.planPage()->showView(id);
        if (!tests::settle(window)) ++failures;
        take(window, id + QStringLiteral("-1024"));
    }
    window.resize(1440, 900);
    take(*HelpWindow::showPage(QStringLiteral("ranking"), &window), QStringLiteral("help-light"));
    window.close();
    return failures == 0 ? 0 : 1;
}
