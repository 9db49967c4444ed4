// SPDX-License-Identifier: GPL-3.0-or-later
// One box that leads anywhere: to a view, a candidate, a field, an entry of the catalog.
#pragma once

#include <QDialog>
#include <QList>
#include <QString>

#include <functional>

QT_BEGIN_NAMESPACE
class QLineEdit;
class QListWidget;
QT_END_NAMESPACE

namespace trainwright::ui {

class GoToDialog : public QDialog {
    Q_OBJECT

public:
    struct Target {
        QString title;
        std::function<void()> go;
    };

    explicit GoToDialog(QList<Target> targets, QWidget* parent = nullptr);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void filter(const QString& words);
    void choose();

    QList<Target> targets_;
    QLineEdit* words_;
    QListWidget* list_;
};

}  // namespace trainwright::ui
