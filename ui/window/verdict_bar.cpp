// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/verdict_bar.h"

#include <algorithm>

#include "ui/look/look.h"

namespace trainwright::ui {

VerdictBar::VerdictBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("verdict"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void VerdictBar::clear() {
    for (QToolButton* part : std::as_const(parts_)) {
        part->hide();
        part->deleteLater();
    }
    parts_.clear();
}

QToolButton* VerdictBar::addPart(const QString& words, bool strong) {
    auto* part = new QToolButton(this);
    part->setAutoRaise(true);
    part->setText(words);
    part->setToolButtonStyle(Qt::ToolButtonTextOnly);
    part->setFocusPolicy(Qt::TabFocus);
    part->setAccessibleName(words);
    QFont font = part->font();
    font.setBold(strong);
    font.setPointSizeF(font.pointSizeF() * 1.15);
    part->setFont(font);
    part->show();
    parts_.append(part);
    return part;
}

void VerdictBar::setVerdict(const reports::Verdict& verdict, const Words& words) {
    verdict_ = verdict;
    clear();
    for (const reports::VerdictPart& each : verdict.parts) {
        QString shown = words(each.text);
        const bool isHeadline = each.topic == reports::VerdictTopic::Headline;
        if (isHeadline && verdict.family)
            shown = QString::fromUtf8(reports::familyGlyph(*verdict.family)) +
                    QStringLiteral("  ") + shown;
        QToolButton* part = addPart(shown, isHeadline);
        part->setObjectName(QStringLiteral("verdictPart%1").arg(parts_.size()));
        connect(part, &QToolButton::clicked, this,
                [this, topic = each.topic] { emit topicChosen(topic); });
    }
    setAccessibleName(text());
    since_.clear();
    recolour();
    fit();
}

void VerdictBar::setHint(const QString& hint) {
    verdict_ = {};
    clear();
    addPart(hint, false)->setEnabled(false);
    setAccessibleName(hint);
    recolour();
    fit();
}

void VerdictBar::setStale(const QString& since) {
    if (since == since_) return;
    since_ = since;
    setToolTip(since);
    recolour();
}

QString VerdictBar::text() const {
    QStringList words;
    for (const QToolButton* part : parts_) words.append(part->text());
    return words.join(QStringLiteral(", "));
}

int VerdictBar::arrange(int width, bool apply) const {
    const int gap = fontMetrics().averageCharWidth();
    int x = gap, y = 2, line = 0;
    for (QToolButton* part : parts_) {
        const QSize size = part->sizeHint();
        const int wide = std::min(size.width(), std::max(1, width - 2 * gap));
        if (x > gap && x + wide > width - gap) {
            x = gap;
            y += line;
            line = 0;
        }
        if (apply) part->setGeometry(x, y, wide, size.height());
        x += wide + gap;
        line = std::max(line, size.height());
    }
    return y + std::max(line, fontMetrics().height() + 8) + 2;
}

QSize VerdictBar::sizeHint() const {
    return {400, height()};
}

void VerdictBar::fit() {
    // A tool bar doesn't ask for the height that goes with a width: it is said here.
    setFixedHeight(arrange(width(), true));
}

void VerdictBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void VerdictBar::recolour() {
    using reports::Role;
    for (int i = 0; i < parts_.size(); ++i) {
        QPalette p = parts_[i]->palette();
        Role role = Role::Text;
        if (!since_.isEmpty())
            role = Role::Axis;
        else if (i == 0 && verdict_.family && verdict_.kind != reports::VerdictKind::NoneRuns)
            role = reports::familyRole(*verdict_.family);
        else if (i == 0 && !verdict_.parts.empty())
            role = Role::Error;
        p.setColor(QPalette::ButtonText, colour(role, palette()));
        parts_[i]->setPalette(p);
    }
    update();
}

void VerdictBar::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && !parts_.isEmpty()) recolour();
}

void VerdictBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(reports::Role::Window, palette()));
    painter.setPen(colour(reports::Role::Grid, palette()));
    painter.drawLine(0, height() - 1, width(), height() - 1);
}

}  // namespace trainwright::ui
