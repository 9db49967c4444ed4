// SPDX-License-Identifier: GPL-3.0-or-later
// The first thing seen: one sentence with blanks that becomes a scenario, examples, recent files.
//
// Each blank says at once how it is read. The scenario that comes of it holds three candidates: a
// Trainium and a GPU with a published price, and the newest Trainium with or without one, each with
// about as many chips as the date asks for; the search and the views do the rest.
#pragma once

#include <QWidget>

#include "data/catalog/catalog.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QDateEdit;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;
QT_END_NAMESPACE

namespace trainwright::ui {

class StartPage : public QWidget {
    Q_OBJECT

public:
    explicit StartPage(QWidget* parent = nullptr);

    void setCatalog(const catalog::Catalog* catalog);
    void setExamples(const QStringList& files);
    void setRecent(const QStringList& files);
    /// The scenario that the blanks say; "" where one of them can't be read.
    [[nodiscard]] std::string scenarioText() const;
    void focusFirst();

signals:
    void scenarioWritten(const QString& text, const QString& title);
    void exampleChosen(const QString& file);
    void fileChosen(const QString& file);
    void openRequested();
    void tourRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void retranslate();
    void echo();
    void describeModel();
    void write();

    const catalog::Catalog* catalog_ = nullptr;
    QLabel *heading_, *question_, *modelLabel_, *tokensLabel_, *startLabel_, *finishLabel_,
        *budgetLabel_, *modelNote_, *tokensNote_, *budgetNote_, *examplesLabel_, *recentLabel_,
        *dropLabel_;
    QComboBox* model_;
    QLineEdit *tokens_, *budget_;
    QDateEdit *start_, *finish_;
    QPushButton *go_, *open_, *tour_;
    QListWidget *examples_, *recent_;
};

}  // namespace trainwright::ui
