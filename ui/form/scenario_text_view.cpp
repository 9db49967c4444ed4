// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/scenario_text_view.h"

#include <QFontDatabase>
#include <QHelpEvent>
#include <QPainter>
#include <QSyntaxHighlighter>
#include <QTextBlock>
#include <QTimer>
#include <QToolTip>
#include <map>

#include "ui/look/look.h"

namespace trainwright::ui {

namespace {

/// Comments, keys and quoted texts; no more than helps the eye.
class Highlighter : public QSyntaxHighlighter {
public:
    Highlighter(QTextDocument* document, const QWidget* view)
        : QSyntaxHighlighter(document), view_(view) {}

protected:
    void highlightBlock(const QString& line) override {
        const auto paint = [&](qsizetype from, qsizetype count, reports::Role role) {
            setFormat(static_cast<int>(from), static_cast<int>(count),
                      colour(role, view_->palette()));
        };
        QChar quote;
        qsizetype begin = 0;
        for (qsizetype i = 0; i < line.size(); ++i) {
            const QChar c = line[i];
            if (!quote.isNull()) {
                if (c == quote) {
                    paint(begin, i - begin + 1, reports::Role::Good);
                    quote = QChar();
                }
                continue;
            }
            const bool starts = i == 0 || line[i - 1].isSpace();
            if ((c == QLatin1Char('"') || c == QLatin1Char('\'')) &&
                (starts || line[i - 1] == QLatin1Char('{') || line[i - 1] == QLatin1Char('['))) {
                quote = c;
                begin = i;
            } else if (c == QLatin1Char('#') && starts) {
                paint(i, line.size() - i, reports::Role::SecondText);
                return;
            } else if (c == QLatin1Char(':') && (i + 1 == line.size() || line[i + 1].isSpace())) {
                qsizetype from = i;
                while (from > 0 &&
                       (line[from - 1].isLetterOrNumber() || line[from - 1] == QLatin1Char('_')))
                    --from;
                paint(from, i - from, reports::Role::Focus);
            }
        }
    }

private:
    const QWidget* view_;
};

}  // namespace

/// The strip at the left.
class LineNumbers : public QWidget {
public:
    explicit LineNumbers(ScenarioTextView* view) : QWidget(view), view_(view) {}

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    ScenarioTextView* view_;
};

class ScenarioTextView::Private {
public:
    explicit Private(ScenarioTextView* v) : view(v), numbers(new LineNumbers(v)) {}

    void collect() {
        byLine.clear();
        const auto add = [this](const Finding& f) {
            if (f.place.line <= 0) return;
            auto& there = byLine[f.place.line];
            if (std::find(there.begin(), there.end(), f) == there.end()) there.push_back(f);
        };
        if (document != nullptr) {
            for (const Finding& f : document->findings()) add(f);
        }
        for (const Finding& f : planned) add(f);
        QList<QTextEdit::ExtraSelection> marks;
        for (const auto& [line, findings] : byLine) {
            QTextEdit::ExtraSelection mark;
            mark.cursor = QTextCursor(view->document()->findBlockByNumber(line - 1));
            mark.cursor.select(QTextCursor::LineUnderCursor);
            const bool error = hasErrors(findings);
            mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
            mark.format.setUnderlineColor(
                colour(error ? reports::Role::Error : reports::Role::Warning, view->palette()));
            marks.append(mark);
        }
        view->setExtraSelections(marks);
        numbers->update();
    }

    /// Takes over what the document says, by the stretch that differs.
    void pull() {
        if (document == nullptr || typing) return;
        const QString now = QString::fromStdString(document->text());
        const QString shown = view->toPlainText();
        QString plain = now;
        plain.remove(QLatin1Char('\r'));
        if (plain != shown) {
            qsizetype head = 0;
            const qsizetype shorter = std::min(plain.size(), shown.size());
            while (head < shorter && plain[head] == shown[head]) ++head;
            qsizetype tail = 0;
            while (tail < shorter - head &&
                   plain[plain.size() - 1 - tail] == shown[shown.size() - 1 - tail])
                ++tail;
            QTextCursor cursor(view->document());
            cursor.setPosition(static_cast<int>(head));
            cursor.setPosition(static_cast<int>(shown.size() - tail), QTextCursor::KeepAnchor);
            filling = true;
            cursor.insertText(plain.mid(head, plain.size() - tail - head));
            filling = false;
        }
        collect();
    }

    /// Gives what was typed to the document; line ends stay those of the file.
    void push() {
        if (filling || document == nullptr) return;
        QString now = view->toPlainText();
        if (document->text().find("\r\n") != std::string::npos)
            now.replace(QLatin1Char('\n'), QStringLiteral("\r\n"));
        typing = true;
        if (!open) {
            document->beginGesture();
            open = true;
        }
        const bool taken =
            document->editText(now.toStdString(), ScenarioTextView::tr("Edit the text"));
        pause.start();
        typing = false;
        if (!taken && now.toStdString() != document->text()) pull();
        collect();
    }

    void rest() {
        if (open && document != nullptr) document->endGesture();
        open = false;
    }

    ScenarioTextView* view;
    LineNumbers* numbers;
    QPointer<ScenarioDocument> document;
    Highlighter* highlighter = nullptr;
    std::vector<Finding> planned;
    std::map<int, std::vector<Finding>> byLine;
    QTimer pause;  ///< a rest in typing ends a step of undo
    reports::Language language = reports::Language::English;
    bool filling = false;
    bool typing = false;
    bool open = false;
};

void LineNumbers::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), colour(reports::Role::Panel, palette()));
    painter.setFont(view_->font());
    QTextBlock block = view_->firstVisibleBlock();
    const auto& byLine = view_->d_->byLine;
    while (block.isValid()) {
        const QRectF box = view_->blockBoundingGeometry(block).translated(view_->contentOffset());
        if (box.top() > height()) break;
        const int line = block.blockNumber() + 1;
        const auto found = byLine.find(line);
        QString shown = QString::number(line);
        reports::Role role = reports::Role::SecondText;
        if (found != byLine.end()) {
            const bool error = hasErrors(found->second);
            shown.prepend(error ? QStringLiteral("✕ ") : QStringLiteral("⚠ "));
            role = error ? reports::Role::Error : reports::Role::Warning;
        }
        painter.setPen(colour(role, palette()));
        painter.drawText(QRectF(0, box.top(), width() - 4, view_->fontMetrics().height()),
                         Qt::AlignRight, shown);
        block = block.next();
    }
}

ScenarioTextView::ScenarioTextView(QWidget* parent)
    : QPlainTextEdit(parent), d_(std::make_unique<Private>(this)) {
    setObjectName(QStringLiteral("scenarioText"));
    setAccessibleName(tr("Scenario as YAML text"));
    setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    setLineWrapMode(NoWrap);
    setUndoRedoEnabled(false);
    d_->highlighter = new Highlighter(QPlainTextEdit::document(), this);
    d_->pause.setSingleShot(true);
    d_->pause.setInterval(800);
    connect(&d_->pause, &QTimer::timeout, this, [this] { d_->rest(); });
    connect(QPlainTextEdit::document(), &QTextDocument::contentsChange, this,
            [this](int, int removed, int added) {
                if (removed > 0 || added > 0) QTimer::singleShot(0, this, [this] { d_->push(); });
            });
    connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect&, int dy) {
        if (dy != 0) d_->numbers->scroll(0, dy);
        d_->numbers->update();
    });
    setViewportMargins(fontMetrics().horizontalAdvance(QStringLiteral("✕ 0000")) + 8, 0, 0, 0);
}

ScenarioTextView::~ScenarioTextView() = default;

void ScenarioTextView::setDocumentShown(ScenarioDocument* document) {
    if (d_->document != nullptr) d_->document->disconnect(this);
    d_->rest();
    d_->document = document;
    d_->planned.clear();
    d_->filling = true;
    setPlainText(document != nullptr
                     ? QString::fromStdString(document->text()).remove(QLatin1Char('\r'))
                     : QString());
    d_->filling = false;
    setReadOnly(document == nullptr || !document->readOnlyReason().empty());
    if (document != nullptr) {
        connect(document, &ScenarioDocument::textChanged, this, [this] { d_->pull(); });
        connect(document, &ScenarioDocument::readOnlyChanged, this,
                [this] { setReadOnly(!d_->document->readOnlyReason().empty()); });
    }
    d_->collect();
}

void ScenarioTextView::setFindings(const std::vector<Finding>& findings) {
    d_->planned = findings;
    d_->collect();
}

void ScenarioTextView::setLanguage(reports::Language language) {
    d_->language = language;
}

void ScenarioTextView::goTo(int line, int column) {
    const QTextBlock block = QPlainTextEdit::document()->findBlockByNumber(std::max(line, 1) - 1);
    if (!block.isValid()) return;
    QTextCursor cursor(block);
    cursor.setPosition(block.position() +
                       std::clamp(column - 1, 0, static_cast<int>(block.length()) - 1));
    setTextCursor(cursor);
    centerCursor();
    setFocus();
}

void ScenarioTextView::changeEvent(QEvent* event) {
    QPlainTextEdit::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) setAccessibleName(tr("Scenario as YAML text"));
    if (event->type() == QEvent::PaletteChange && d_ != nullptr && d_->highlighter != nullptr) {
        d_->highlighter->rehighlight();
        d_->collect();
    }
}

void ScenarioTextView::resizeEvent(QResizeEvent* event) {
    QPlainTextEdit::resizeEvent(event);
    const QRect inside = contentsRect();
    d_->numbers->setGeometry(inside.left(), inside.top(), viewportMargins().left(),
                             inside.height());
}

void ScenarioTextView::keyPressEvent(QKeyEvent* event) {
    if (d_->document != nullptr && event->matches(QKeySequence::Undo)) {
        d_->rest();
        d_->document->undoStack()->undo();
        return;
    }
    if (d_->document != nullptr && event->matches(QKeySequence::Redo)) {
        d_->rest();
        d_->document->undoStack()->redo();
        return;
    }
    // A tab is no part of YAML's indentation.
    if (event->key() == Qt::Key_Tab && event->modifiers() == Qt::NoModifier && !isReadOnly()) {
        insertPlainText(QStringLiteral("  "));
        return;
    }
    QPlainTextEdit::keyPressEvent(event);
}

void ScenarioTextView::focusOutEvent(QFocusEvent* event) {
    QPlainTextEdit::focusOutEvent(event);
    d_->rest();
}

bool ScenarioTextView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        const int line =
            cursorForPosition(viewport()->mapFromGlobal(help->globalPos())).blockNumber() + 1;
        const auto found = d_->byLine.find(line);
        QStringList lines;
        if (found != d_->byLine.end()) {
            for (const Finding& f : found->second)
                lines.append(QString::fromStdString(reports::say(f.text, d_->language)));
        }
        QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
        return true;
    }
    return QPlainTextEdit::event(event);
}

}  // namespace trainwright::ui
