// SPDX-License-Identifier: GPL-3.0-or-later
// The plan's answer on one line above all views, each part a button to the view that shows more.
#pragma once

#include <QWidget>

#include <functional>

#include "reports/verdict.h"

QT_BEGIN_NAMESPACE
class QToolButton;
QT_END_NAMESPACE

namespace trainwright::ui {

/// A Text in the reader's language.
using Words = std::function<QString(const Text&)>;

class VerdictBar : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBar(QWidget* parent = nullptr);

    void setVerdict(const reports::Verdict& verdict, const Words& words);
    /// Nothing to say yet, and what would help.
    void setHint(const QString& hint);
    /// The same words dimmed, with since when they are; "" for fresh ones.
    void setStale(const QString& since);
    [[nodiscard]] QString text() const;
    [[nodiscard]] QSize sizeHint() const override;

signals:
    void topicChosen(reports::VerdictTopic topic);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addPart(const QString& words, bool strong);
    void clear();
    void fit();
    int arrange(int width, bool apply) const;
    void recolour();

    reports::Verdict verdict_;
    QList<QToolButton*> parts_;
    QString since_;
};

}  // namespace trainwright::ui
