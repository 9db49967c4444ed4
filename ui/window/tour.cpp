// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/tour.h"

#include <algorithm>

#include "ui/look/look.h"

namespace trainwright::ui {
namespace {

/// A ring around what is spoken of; it lets everything through.
class Ring : public QWidget {
public:
    explicit Ring(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        painter.setPen(QPen(colour(reports::Role::Focus, palette()), 3));
        painter.drawRect(rect().adjusted(1, 1, -2, -2));
    }
};

}  // namespace

Tour::Tour(QWidget* window)
    : QFrame(window),
      words_(new QLabel(this)),
      count_(new QLabel(this)),
      next_(new QPushButton(this)),
      back_(new QPushButton(tr("Back"), this)),
      skip_(new QPushButton(tr("Skip the tour"), this)),
      frame_(new Ring(window)) {
    setObjectName(QStringLiteral("tour"));
    setFrameShape(QFrame::Box);
    setAutoFillBackground(true);
    setFocusPolicy(Qt::StrongFocus);
    words_->setWordWrap(true);
    words_->setObjectName(QStringLiteral("tourWords"));
    next_->setObjectName(QStringLiteral("tourNext"));
    skip_->setObjectName(QStringLiteral("tourSkip"));
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(skip_);
    buttons->addStretch(1);
    buttons->addWidget(count_);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(words_);
    layout->addLayout(buttons);
    connect(next_, &QPushButton::clicked, this, &Tour::next);
    connect(back_, &QPushButton::clicked, this, &Tour::back);
    connect(skip_, &QPushButton::clicked, this, &Tour::end);
    window->installEventFilter(this);
    hide();
    frame_->hide();
}

void Tour::addStep(QWidget* target, const QString& words, std::function<void()> prepare) {
    steps_.push_back({target, words, std::move(prepare)});
}

void Tour::start() {
    if (steps_.empty()) return end();
    QWidget::show();
    frame_->show();
    show(0);
    next_->setFocus(Qt::OtherFocusReason);
}

void Tour::show(int step) {
    current_ = step;
    const Step& shown = steps_[static_cast<std::size_t>(step)];
    if (shown.prepare) shown.prepare();
    words_->setText(shown.words);
    setAccessibleName(shown.words);
    count_->setText(tr("%1 of %2").arg(step + 1).arg(count()));
    back_->setEnabled(step > 0);
    next_->setText(step + 1 == count() ? tr("Done") : tr("Next"));
    place();
}

void Tour::place() {
    QWidget* window = parentWidget();
    const QWidget* target = steps_[static_cast<std::size_t>(current_)].target;
    if (target == nullptr || !target->isVisible()) target = window;
    const QRect box(target->mapTo(window, QPoint(0, 0)), target->size());
    frame_->setGeometry(box.intersected(window->rect()));
    frame_->raise();
    const int width = std::min(window->width() - 24, fontMetrics().averageCharWidth() * 56);
    setFixedWidth(width);
    adjustSize();
    const int height = std::max(sizeHint().height(), heightForWidth(width));
    resize(width, height);
    // Below the target where there is room, else inside it at the bottom.
    int y = box.bottom() + 12;
    if (y + height > window->height()) y = std::max(12, window->height() - height - 36);
    const int x =
        std::clamp(box.center().x() - width / 2, 12, std::max(12, window->width() - width - 12));
    move(x, y);
    raise();
}

void Tour::next() {
    if (current_ + 1 < count())
        show(current_ + 1);
    else
        end();
}

void Tour::back() {
    if (current_ > 0) show(current_ - 1);
}

void Tour::end() {
    frame_->deleteLater();
    hide();
    deleteLater();
    emit ended();
}

void Tour::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Escape:
            return end();
        case Qt::Key_Right:
            return next();
        case Qt::Key_Left:
            return back();
        default:
            QFrame::keyPressEvent(event);
    }
}

bool Tour::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::Resize && isVisible() && current_ >= 0) place();
    return QFrame::eventFilter(watched, event);
}

}  // namespace trainwright::ui
