// SPDX-License-Identifier: GPL-3.0-or-later
// A few sentences, each beside the part of the window that it is about; skipped with Esc at any
// time.
#pragma once

#include <QFrame>
#include <QPointer>

#include <functional>
#include <vector>

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace trainwright::ui {

class Tour : public QFrame {
    Q_OBJECT

public:
    explicit Tour(QWidget* window);

    /// `prepare` brings what the step is about into view.
    void addStep(QWidget* target, const QString& words, std::function<void()> prepare);
    void start();
    [[nodiscard]] int current() const { return current_; }
    [[nodiscard]] int count() const { return static_cast<int>(steps_.size()); }

public slots:
    void next();
    void back();
    void end();

signals:
    void ended();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Step {
        QPointer<QWidget> target;
        QString words;
        std::function<void()> prepare;
    };
    void show(int step);
    void place();

    std::vector<Step> steps_;
    int current_ = -1;
    QLabel *words_, *count_;
    QPushButton *next_, *back_, *skip_;
    QWidget* frame_;  ///< around the target
};

}  // namespace trainwright::ui
