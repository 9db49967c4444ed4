// SPDX-License-Identifier: GPL-3.0-or-later
// Where a number comes from: the catalog's figure behind it, its source, its date and its status.
#pragma once

#include <QWidget>

#include <memory>

#include "ui/window/planned.h"
#include "ui/window/verdict_bar.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QPushButton;
QT_END_NAMESPACE

namespace trainwright::ui {

class TracePanel : public QWidget {
    Q_OBJECT

public:
    explicit TracePanel(QWidget* parent = nullptr);

    /// The figure that a report of `planned` calls `link`. False: there is none.
    bool showLink(const Planned& planned, const std::string& link);
    [[nodiscard]] QString text() const;

signals:
    void catalogRequested(const QString& kind, const QString& id, const QString& key);
    void overrideRequested(const QString& kind, const QString& id, const QString& key);

protected:
    void changeEvent(QEvent* event) override;

private:
    void render();

    std::unique_ptr<search::FigureUse> figure_;
    QLabel *title_, *value_, *source_, *note_;
    QPushButton *catalog_, *override_;
};

}  // namespace trainwright::ui
