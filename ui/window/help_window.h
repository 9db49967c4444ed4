// SPDX-License-Identifier: GPL-3.0-or-later
// Manual pages of the views, a page each, in the reader's language.
#pragma once

#include <QDialog>
#include <QString>

QT_BEGIN_NAMESPACE
class QListWidget;
class QTextBrowser;
QT_END_NAMESPACE

namespace trainwright::ui {

class HelpWindow : public QDialog {
    Q_OBJECT

public:
    /// Shows the page of `id` (of a view, "start", "compare" or "catalog") in the one help window
    /// of `parent`.
    static HelpWindow* showPage(const QString& id, QWidget* parent);
    /// Ids that have a page.
    [[nodiscard]] static QStringList pages();
    [[nodiscard]] static QString title(const QString& id);
    [[nodiscard]] static QString html(const QString& id);
    [[nodiscard]] QString currentPage() const { return current_; }

protected:
    void changeEvent(QEvent* event) override;

private:
    explicit HelpWindow(QWidget* parent);
    void show(const QString& id);
    void retranslate();

    QListWidget* list_;
    QTextBrowser* text_;
    QString current_;
};

}  // namespace trainwright::ui
