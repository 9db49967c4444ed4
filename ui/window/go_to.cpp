// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/go_to.h"

#include <algorithm>

namespace trainwright::ui {
namespace {

constexpr int kMostShown = 200;

}  // namespace

GoToDialog::GoToDialog(QList<Target> targets, QWidget* parent)
    : QDialog(parent),
      targets_(std::move(targets)),
      words_(new QLineEdit(this)),
      list_(new QListWidget(this)) {
    setObjectName(QStringLiteral("goToDialog"));
    setWindowTitle(tr("Go to anything"));
    words_->setObjectName(QStringLiteral("goToWords"));
    words_->setPlaceholderText(tr("A view, a candidate, a field, an entry of the catalog"));
    words_->setAccessibleName(words_->placeholderText());
    words_->installEventFilter(this);
    list_->setObjectName(QStringLiteral("goToList"));
    list_->setAccessibleName(tr("Places that match"));
    list_->setUniformItemSizes(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words_);
    layout->addWidget(list_, 1);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().lineSpacing() * 22);
    connect(words_, &QLineEdit::textChanged, this, &GoToDialog::filter);
    connect(words_, &QLineEdit::returnPressed, this, &GoToDialog::choose);
    connect(list_, &QListWidget::itemActivated, this, &GoToDialog::choose);
    filter({});
}

void GoToDialog::filter(const QString& words) {
    const QStringList parts = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    list_->clear();
    for (qsizetype i = 0; i < targets_.size() && list_->count() < kMostShown; ++i) {
        const QString& title = targets_[i].title;
        const bool matches = std::all_of(parts.begin(), parts.end(), [&](const QString& part) {
            return title.contains(part, Qt::CaseInsensitive);
        });
        if (!matches) continue;
        auto* item = new QListWidgetItem(title, list_);
        item->setData(Qt::UserRole, static_cast<int>(i));
    }
    list_->setCurrentRow(0);
}

void GoToDialog::choose() {
    const QListWidgetItem* item = list_->currentItem();
    if (item == nullptr) return;
    const std::function<void()> go = targets_[item->data(Qt::UserRole).toInt()].go;
    accept();
    go();
}

bool GoToDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == words_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Down || key == Qt::Key_Up || key == Qt::Key_PageDown ||
            key == Qt::Key_PageUp) {
            QCoreApplication::sendEvent(list_, event);
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

}  // namespace trainwright::ui
