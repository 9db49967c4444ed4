// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/form/field.h"

#include <QAbstractItemView>
#include <QCalendarWidget>
#include <QCompleter>
#include <QEvent>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QRegularExpression>
#include <QWidgetAction>
#include <cmath>

#include "data/scenario/edit.h"
#include "model/units/text_quantity.h"
#include "reports/number_format.h"
#include "ui/document/key_labels.h"
#include "ui/look/look.h"

namespace trainwright::ui {

namespace {

using scenario::Parameter;
using scenario::ValueKind;
using units::QuantityKind;

constexpr int kTypingDelay = 150;  ///< ms of quiet before what is typed counts

QString qt(const std::string& s) {
    return QString::fromStdString(s);
}

bool isNumeric(const Parameter& p) {
    return p.kind == ValueKind::Quantity || p.kind == ValueKind::Batch ||
           p.kind == ValueKind::Scalar;
}

/// Lists, and maps in the place of a word, on one line.
bool isYaml(const Parameter& p, const QString& text) {
    const bool brackets = text.startsWith(QLatin1Char('{')) || text.startsWith(QLatin1Char('['));
    return brackets && (p.kind == ValueKind::List || p.orMap || p.orList);
}

bool readsAs(const Parameter& p, const std::string& text) {
    if (std::find(p.words.begin(), p.words.end(), text) != p.words.end()) return true;
    switch (p.kind) {
        case ValueKind::Quantity:
            return units::readQuantity(p.quantity, text, p.bare).ok();
        case ValueKind::Batch:
            return units::readQuantity(QuantityKind::Tokens, text).ok() ||
                   units::readQuantity(QuantityKind::Sequences, text).ok();
        case ValueKind::Date:
            return units::readDay(text).ok();
        case ValueKind::Scalar:
            return units::readQuantity(QuantityKind::Number, text).ok();
        case ValueKind::Word:
        case ValueKind::Flag:
        case ValueKind::Name:
        case ValueKind::List:
        case ValueKind::Map:
            return false;
        case ValueKind::Text:
            return true;
    }
    return false;
}

/// A count as reports write it: Qt groups the millions of some languages wrongly.
QString grouped(double value, reports::Language language) {
    return qt(reports::say(Argument(reports::count(value)), language));
}

/// 15 × 10¹²: a large number in words that no language reads another way.
QString powerOfTen(double value, const QLocale& locale, reports::Language language) {
    const QStringList digits{QStringLiteral("⁰"), QStringLiteral("¹"), QStringLiteral("²"),
                             QStringLiteral("³"), QStringLiteral("⁴"), QStringLiteral("⁵"),
                             QStringLiteral("⁶"), QStringLiteral("⁷"), QStringLiteral("⁸"),
                             QStringLiteral("⁹")};
    if (value < 1e9)
        return value == std::floor(value) ? grouped(value, language)
                                          : locale.toString(value, 'f', 3);
    const int power = static_cast<int>(std::floor(std::log10(value) / 3)) * 3;
    QString exponent;
    for (const QChar c : QString::number(power)) exponent += digits[c.digitValue()];
    return QStringLiteral("%1 × 10%2")
        .arg(locale.toString(value / std::pow(10, power), 'g', 6), exponent);
}

}  // namespace

void FormState::setCatalog(const catalog::Catalog* replacement) {
    catalog = replacement;
    entries_.clear();
    chips_.clear();
}

const std::vector<catalog::Entry>& FormState::entries(const std::string& kind) const {
    static const std::vector<catalog::Entry> kNone;
    if (catalog == nullptr) return kNone;
    const auto known = entries_.find(kind);
    if (known != entries_.end()) return known->second;
    return entries_[kind] = catalog->entries(kind);
}

double FormState::chipsPerUnit(const std::string& system) const {
    if (catalog == nullptr || system.empty()) return 0;
    const auto known = chips_.find(system);
    if (known != chips_.end()) return known->second;
    const Outcome<machine::SystemSpec> spec = catalog->system(system);
    return chips_[system] = spec ? static_cast<double>(spec->chipsPerUnit) : 0;
}

QString FormState::say(const Text& text) const {
    return qt(reports::say(text, language));
}

std::string fileText(const Parameter& p, const QString& typed, const QLocale& locale) {
    const QString text = typed.trimmed();
    const std::string plain = text.toStdString();
    if (!isNumeric(p) || readsAs(p, plain)) return plain;
    // As the reader's locale writes numbers; what can't be read either way stays as typed.
    QString c = text;
    c.remove(locale.groupSeparator()).replace(locale.decimalPoint(), QStringLiteral("."));
    if (readsAs(p, c.toStdString())) return c.toStdString();
    c = text;
    c.remove(QLatin1Char(','));
    return readsAs(p, c.toStdString()) ? c.toStdString() : plain;
}

Field::Field(const Parameter& parameter, const FormState& state, QWidget* parent)
    : QWidget(parent), parameter_(parameter), state_(state) {
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 2);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    label_ = new QLabel(this);
    label_->setWordWrap(true);
    label_->setFixedWidth(fontMetrics().averageCharWidth() * 16);
    origin_mark_ = new QLabel(this);
    origin_mark_->setFixedWidth(fontMetrics().averageCharWidth() * 2);
    reset_ = new QToolButton(this);
    reset_->setText(QStringLiteral("↺"));
    reset_->setAutoRaise(true);
    QSizePolicy keep = reset_->sizePolicy();
    keep.setRetainSizeWhenHidden(true);
    reset_->setSizePolicy(keep);
    echo_ = new QLabel(this);
    echo_->setWordWrap(true);
    echo_->hide();
    message_ = new QLabel(this);
    message_->setWordWrap(true);
    message_->hide();
    makeEditor();
    grid->addWidget(label_, 0, 0);
    grid->addWidget(editor(), 0, 1);
    if (calendar_ != nullptr) grid->addWidget(calendar_, 0, 2);
    const bool hasPrice = parameter_.name() == "purchase" || parameter_.name() == "plan" ||
                          parameter_.name() == "price_usd_per_hour";
    if (!parameter_.catalogKind.empty() || hasPrice) {
        source_ = new QToolButton(this);
        source_->setText(QStringLiteral("◆"));
        source_->setAutoRaise(true);
        grid->addWidget(source_, 0, 2);
        connect(source_, &QToolButton::clicked, this, [this] {
            const CatalogEntry entry = source();
            if (!entry.id.isEmpty()) emit figureRequested(entry.kind, entry.id, {});
        });
    }
    grid->addWidget(origin_mark_, 0, 3);
    grid->addWidget(reset_, 0, 4);
    grid->addWidget(echo_, 1, 1, 1, 4);
    grid->addWidget(message_, 2, 0, 1, 5);
    grid->setColumnStretch(1, 1);
    label_->setBuddy(editor());
    typing_.setSingleShot(true);
    typing_.setInterval(kTypingDelay);
    connect(&typing_, &QTimer::timeout, this, [this] {
        // While it is typed, only what can be read counts.
        if (readsAs(parameter_, fileText(parameter_, typed(), locale()))) commit();
    });
    connect(reset_, &QToolButton::clicked, this, [this] {
        if (state_.document == nullptr) return;
        emit edited(path_);
        state_.document->reset(path_);
        editor()->setFocus();
    });
    paintColours();
}

QWidget* Field::editor() const {
    return line_ != nullptr ? static_cast<QWidget*>(line_) : combo_;
}

void Field::makeEditor() {
    const bool words = parameter_.kind == ValueKind::Word || parameter_.kind == ValueKind::Flag;
    const bool choices = words || parameter_.kind == ValueKind::Name || !parameter_.words.empty();
    if (choices) {
        combo_ = new QComboBox(this);
        combo_->setEditable(!words || parameter_.orMap);
        combo_->setInsertPolicy(QComboBox::NoInsert);
        combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        combo_->setMinimumContentsLength(5);
        combo_->installEventFilter(this);
        connect(combo_, &QComboBox::activated, this, [this](int index) {
            const QVariant value = combo_->itemData(index);
            if (combo_->isEditable() && value.isValid()) combo_->setEditText(value.toString());
            commit();
        });
        if (combo_->isEditable()) {
            QCompleter* completer = combo_->completer();
            completer->setFilterMode(Qt::MatchContains);
            completer->setCompletionMode(QCompleter::PopupCompletion);
            combo_->lineEdit()->installEventFilter(this);
            connect(combo_->lineEdit(), &QLineEdit::textEdited, this, [this] { typing_.start(); });
            connect(combo_->lineEdit(), &QLineEdit::editingFinished, this, &Field::commit);
        }
    } else {
        line_ = new QLineEdit(this);
        line_->installEventFilter(this);
        connect(line_, &QLineEdit::textEdited, this, [this] { typing_.start(); });
        connect(line_, &QLineEdit::editingFinished, this, &Field::commit);
    }
    if (parameter_.kind == ValueKind::Date) {
        calendar_ = new QToolButton(this);
        calendar_->setText(QStringLiteral("▦"));
        calendar_->setAutoRaise(true);
        calendar_->setPopupMode(QToolButton::InstantPopup);
        auto* menu = new QMenu(calendar_);
        calendar_->setMenu(menu);
        connect(menu, &QMenu::aboutToShow, this, [this, menu] {
            if (!menu->actions().isEmpty()) return;
            auto* days = new QCalendarWidget;
            const QDate day = QDate::fromString(typed(), Qt::ISODate);
            if (day.isValid()) days->setSelectedDate(day);
            auto* action = new QWidgetAction(menu);
            action->setDefaultWidget(days);
            menu->addAction(action);
            connect(days, &QCalendarWidget::activated, this, [this, menu](QDate chosen) {
                menu->close();
                line_->setText(chosen.toString(Qt::ISODate));
                commit();
            });
        });
    }
}

void Field::fillChoices() {
    if (combo_ == nullptr) return;
    const QString before = typed();
    const QSignalBlocker quiet(combo_);
    combo_->clear();
    if (!combo_->isEditable()) {
        const QString byDefault = qt(parameter_.defaultText);
        combo_->addItem(byDefault.isEmpty() ? tr("(not set)") : tr("(default: %1)").arg(byDefault),
                        QString());
    }
    if (parameter_.kind == ValueKind::Flag) {
        combo_->addItem(QStringLiteral("true"), QStringLiteral("true"));
        combo_->addItem(QStringLiteral("false"), QStringLiteral("false"));
    }
    for (const std::string& word : parameter_.words) combo_->addItem(qt(word), qt(word));
    if (state_.catalog != nullptr && parameter_.kind == ValueKind::Name) {
        const catalog::Catalog& catalog = *state_.catalog;
        const std::string candidate = path_.substr(0, path_.find(']') + 1);
        const std::string system =
            state_.document != nullptr ? state_.document->value(candidate + ".system") : "";
        const std::string region =
            state_.document != nullptr ? state_.document->value(candidate + ".region") : "";
        const auto add = [&](const QString& shown, const std::string& id) {
            combo_->addItem(shown, qt(id));
        };
        if (parameter_.catalogKind == "system") {
            for (const char* kind : {"system", "instance"}) {
                for (const catalog::Entry& e : state_.entries(kind)) add(qt(e.id), e.id);
            }
        } else if (parameter_.catalogKind == "region") {
            const std::vector<std::string> offered = catalog.offeredIn(system);
            for (const std::string& id : offered) add(tr("%1 ✓ offered").arg(qt(id)), id);
            for (const catalog::Entry& e : state_.entries("region")) {
                if (std::find(offered.begin(), offered.end(), e.id) == offered.end())
                    add(offered.empty() ? qt(e.id) : tr("%1 ⊘ not offered").arg(qt(e.id)), e.id);
            }
        } else if (!parameter_.catalogKind.empty()) {
            for (const catalog::Entry& e : state_.entries(parameter_.catalogKind))
                add(e.name.empty() || e.name == e.id ? qt(e.id)
                                                     : tr("%1 — %2").arg(qt(e.id), qt(e.name)),
                    e.id);
        } else if (parameter_.name() == "purchase" || parameter_.name() == "plan") {
            std::string last;
            for (const catalog::PriceRow& row : catalog.prices(system, region)) {
                if (row.plan == last) continue;
                last = row.plan;
                add(tr("%1 %2 %3 USD/h %4")
                        .arg(row.status == "listed" ? QStringLiteral("✓") : QStringLiteral("!"),
                             qt(row.plan), locale().toString(row.usdPerHour, 'g', 8),
                             qt(row.observed)),
                    row.plan);
            }
        } else if (parameter_.key == "storage.service") {
            for (const std::string& id : catalog.storageServices()) add(qt(id), id);
        }
    }
    if (combo_->isEditable()) combo_->setEditText(before);
}

bool Field::eventFilter(QObject* watched, QEvent* event) {
    // The box of a picker has the focus for the line within it.
    const bool opens =
        event->type() == QEvent::FocusIn || event->type() == QEvent::MouseButtonPress;
    if (watched == combo_ && combo_->isEditable() && opens) fillChoices();
    const bool typesHere = watched == line_ || (watched == combo_ && combo_->isEditable());
    if (typesHere && state_.document != nullptr) {
        if (event->type() == QEvent::FocusIn) state_.document->beginGesture();
        if (event->type() == QEvent::FocusOut) {
            // The box has said by now what it has to say.
            QTimer::singleShot(0, this, [document = state_.document] {
                if (document != nullptr && document->undoStack() != nullptr) document->endGesture();
            });
        }
    }
    // The wheel scrolls the form, not the values under it.
    if (event->type() == QEvent::Wheel && !editor()->hasFocus()) {
        event->ignore();
        return true;
    }
    if (watched == line_ && event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        if (key == Qt::Key_Up || key == Qt::Key_Down) {
            step(key == Qt::Key_Up ? 1 : -1);
            return true;
        }
        if (key == Qt::Key_Escape && typed() != shown_) {
            typing_.stop();
            line_->setText(shown_);
            return true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

void Field::step(int direction) {
    const std::string text = fileText(parameter_, typed(), locale());
    QString next;
    if (parameter_.kind == ValueKind::Date) {
        const QDate day = QDate::fromString(qt(text), Qt::ISODate);
        if (!day.isValid()) return;
        next = day.addDays(direction).toString(Qt::ISODate);
    } else if (parameter_.kind == ValueKind::Quantity) {
        const Outcome<double> value =
            units::readQuantity(parameter_.quantity, text, parameter_.bare);
        if (!value) return;
        double by = *value;
        if (parameter_.key == "candidates[].accelerators" && state_.catalog != nullptr &&
            state_.document != nullptr) {
            const std::string system =
                state_.document->value(path_.substr(0, path_.rfind('.')) + ".system");
            const double whole = std::max(state_.chipsPerUnit(system), 1.0);
            by = (std::floor(*value / whole) + direction) * whole;
        } else if (parameter_.quantity == QuantityKind::Share) {
            by = std::round(*value * 100 + direction) / 100;
        } else if (parameter_.quantity == QuantityKind::Count) {
            by = *value + direction;
        } else {
            return;
        }
        if (by < parameter_.minimum || by > parameter_.maximum ||
            (parameter_.minimumExcluded && by <= parameter_.minimum)) {
            return;
        }
        next = qt(units::formatQuantity(parameter_.quantity, by));
    }
    if (next.isEmpty()) return;
    line_->setText(next);
    commit();
}

QString Field::typed() const {
    if (line_ != nullptr) return line_->text();
    if (combo_->isEditable()) return combo_->currentText();
    return combo_->currentData().toString();
}

void Field::commit() {
    typing_.stop();
    if (state_.document == nullptr) return;
    const QString text = typed().trimmed();
    if (text == shown_) return;
    emit edited(path_);
    if (text.isEmpty()) {
        state_.document->reset(path_);
    } else if (isYaml(parameter_, text)) {
        state_.document->setYaml(path_, text.toStdString());
    } else {
        state_.document->set(path_, fileText(parameter_, text, locale()));
    }
}

void Field::display(const QString& text) {
    if (text == shown_ && typed() == text) return;
    shown_ = text;
    // What is being typed stays, as long as it says the same.
    const QWidget* focus = editor()->focusWidget();
    const bool typing = editor()->hasFocus() || (focus != nullptr && focus->hasFocus());
    if (typing && fileText(parameter_, typed(), locale()) == text.toStdString()) return;
    if (line_ != nullptr) {
        line_->setText(text);
        line_->setCursorPosition(0);
    } else if (combo_->isEditable()) {
        combo_->setEditText(text);
    } else {
        int index = combo_->findData(text);
        if (index < 0) {
            combo_->addItem(text, text);
            index = combo_->count() - 1;
        }
        combo_->setCurrentIndex(index);
    }
}

void Field::setPath(const std::string& path) {
    if (path == path_) return;
    path_ = path;
    // Dots and brackets are no part of a style's selectors.
    setObjectName(qt("field:" + path));
    editor()->setObjectName(qt(path));
    reset_->setObjectName(qt("reset:" + path));
    refresh();
}

QString Field::echo(const std::string& value) const {
    const QLocale here = locale();
    if (parameter_.kind == ValueKind::Date) {
        const QDate day = QDate::fromString(qt(value), Qt::ISODate);
        return day.isValid() ? here.toString(day, QLocale::LongFormat) : QString();
    }
    if (parameter_.kind == ValueKind::Batch && state_.document != nullptr) {
        const Outcome<double> tokens =
            units::readQuantity(QuantityKind::Tokens, state_.document->value("training.tokens"));
        const Outcome<double> length = units::readQuantity(
            QuantityKind::Tokens, state_.document->value("training.sequence_length"));
        const bool inTokens = value.find("token") != std::string::npos;
        const Outcome<double> batch =
            units::readQuantity(inTokens ? QuantityKind::Tokens : QuantityKind::Sequences, value);
        if (!tokens || !length || !batch || *length <= 0 || *batch <= 0) return {};
        const double size = inTokens ? *batch : *batch * *length;
        return tr("= %1 tokens, %2 steps")
            .arg(grouped(size, state_.language),
                 grouped(std::ceil(*tokens / size), state_.language));
    }
    if (parameter_.kind == ValueKind::Name && state_.catalog != nullptr &&
        !parameter_.catalogKind.empty()) {
        for (const catalog::Entry& e : state_.entries(parameter_.catalogKind)) {
            if (e.id == value) return qt(e.name);
        }
        return {};
    }
    if (parameter_.kind != ValueKind::Quantity) return {};
    const Outcome<double> read = units::readQuantity(parameter_.quantity, value, parameter_.bare);
    if (!read) return {};
    if (parameter_.key == "candidates[].accelerators" && state_.catalog != nullptr &&
        state_.document != nullptr) {
        const std::string system =
            state_.document->value(path_.substr(0, path_.rfind('.')) + ".system");
        const double chips = state_.chipsPerUnit(system);
        if (chips <= 0) return {};
        return tr("= %1 of %2 chips each")
            .arg(here.toString(*read / chips, 'g', 10), grouped(chips, state_.language));
    }
    switch (parameter_.quantity) {
        case QuantityKind::Tokens:
            return *read < 1e4 ? QString()
                               : tr("= %1 tokens").arg(powerOfTen(*read, here, state_.language));
        case QuantityKind::DataSize:
        case QuantityKind::DataRate:
            return tr("= %1 %2").arg(powerOfTen(*read, here, state_.language),
                                     parameter_.quantity == QuantityKind::DataSize
                                         ? QStringLiteral("B")
                                         : QStringLiteral("B/s"));
        case QuantityKind::Money:
            return tr("= %1 USD").arg(grouped(*read, state_.language));
        case QuantityKind::Power:
            return tr("= %1 W").arg(powerOfTen(*read, here, state_.language));
        case QuantityKind::Duration:
            return tr("= %1 s").arg(here.toString(*read, 'g', 9));
        default:
            return {};
    }
}

void Field::refresh() {
    if (path_.empty()) return;
    const scenario::yaml::Node* node =
        state_.document != nullptr ? state_.document->node(path_) : nullptr;
    const bool inFile = node != nullptr && !node->isNull();
    const QString text = !inFile            ? QString()
                         : node->isScalar() ? qt(node->text)
                                            : qt(scenario::inlineYaml(*node));
    display(text);

    const QString byDefault = qt(parameter_.defaultText);
    origin_ = originOf(inFile);
    static const char* const kMarks[] = {"●", "○", "◆", "✎", "ƒ", "○"};
    const QString words = origin_ == Origin::File       ? tr("set in the file")
                          : origin_ == Origin::Override ? tr("your own figure")
                          : origin_ == Origin::Derived  ? tr("follows from other values")
                          : origin_ == Origin::Catalog  ? tr("the catalog's")
                          : origin_ == Origin::Missing  ? tr("not set, and needed")
                                                        : tr("default");
    const QString mark = QString::fromUtf8(kMarks[static_cast<int>(origin_)]);
    if (origin_mark_->text() != mark) origin_mark_->setText(mark);
    const QString source = parameter_.defaultSource.empty()
                               ? QString()
                               : state_.say(Text{parameter_.defaultSource, {}});
    refreshSource();
    const QString tip = inFile || source.isEmpty() ? words : tr("%1: %2").arg(words, source);
    if (origin_mark_->toolTip() != tip) origin_mark_->setToolTip(tip);
    if (reset_->isVisibleTo(this) != (inFile && !parameter_.required)) {
        reset_->setVisible(inFile && !parameter_.required);
    }
    QLineEdit* box = line_ != nullptr ? line_ : combo_->lineEdit();
    if (box != nullptr) {
        const QString hint = !byDefault.isEmpty()                ? byDefault
                             : !parameter_.defaultSource.empty() ? source
                             : parameter_.example.empty()
                                 ? QString()
                                 : tr("such as %1").arg(qt(parameter_.example));
        if (box->placeholderText() != hint) box->setPlaceholderText(hint);
    }

    const QString read = inFile && node->isScalar() ? echo(node->text) : QString();
    if (read != echoed_) {
        echoed_ = read;
        echo_->setText(read);
        echo_->setVisible(!read.isEmpty());
    }
    QStringList lines;
    hasErrors_ = false;
    const auto found = state_.findings.find(path_);
    if (found != state_.findings.end()) {
        for (const Finding& f : found->second) {
            const bool error = f.severity == Severity::Error;
            hasErrors_ = hasErrors_ || error;
            lines.append((error ? QStringLiteral("✕ ") : QStringLiteral("⚠ ")) +
                         state_.say(f.text));
        }
    }
    const QString said = lines.join(QLatin1Char('\n'));
    if (said != said_) {
        said_ = said;
        message_->setText(said);
        message_->setVisible(!said.isEmpty());
        paintColours();
    }
    const QString value = inFile ? text : (byDefault.isEmpty() ? tr("not set") : byDefault);
    const QString spoken = said.isEmpty()
                               ? tr("%1, %2, %3").arg(label_->text(), value, words)
                               : tr("%1, %2, %3, %4").arg(label_->text(), value, words, said);
    if (editor()->accessibleName() != spoken) editor()->setAccessibleName(spoken);
}

bool Field::matches(const QString& words) const {
    return words.isEmpty() || label_->text().contains(words, Qt::CaseInsensitive) ||
           qt(parameter_.key).contains(words, Qt::CaseInsensitive) ||
           qt(parameter_.meaning).contains(words, Qt::CaseInsensitive);
}

Field::CatalogEntry Field::source() const {
    if (source_ == nullptr || state_.document == nullptr) return {};
    std::string kind = parameter_.catalogKind;
    std::string id = state_.document->value(path_);
    if (kind.empty()) {
        // A price is of the system that is bought.
        kind = "system";
        id = state_.document->value(path_.substr(0, path_.find(']') + 1) + ".system");
    }
    const std::vector<std::string> kinds =
        kind == "system" ? std::vector<std::string>{"instance", "system"} : std::vector{kind};
    for (const std::string& each : kinds) {
        for (const catalog::Entry& e : state_.entries(each)) {
            if (e.id == id) return {qt(each), qt(id)};
        }
    }
    return {};
}

void Field::refreshSource() {
    if (source_ == nullptr) return;
    const CatalogEntry entry = source();
    if (source_->isEnabled() != !entry.id.isEmpty()) source_->setEnabled(!entry.id.isEmpty());
    const QString tip = entry.id.isEmpty() ? tr("The catalog has no entry behind this")
                                           : tr("Where the figures of %1 come from").arg(entry.id);
    if (source_->toolTip() == tip) return;
    source_->setToolTip(tip);
    source_->setAccessibleName(tip);
}

Field::Origin Field::originOf(bool inFile) const {
    const bool isPrice = parameter_.name() == "price_usd_per_hour";
    if (inFile && (isPrice || parameter_.key == "overrides[].value")) return Origin::Override;
    if (inFile && !parameter_.catalogKind.empty() && state_.document != nullptr) {
        // An entry of the catalog of which the file says something else.
        const CatalogEntry entry = source();
        const scenario::yaml::Node* own = state_.document->node("overrides");
        if (own != nullptr && own->isList() && !entry.id.isEmpty()) {
            const std::string prefix = (entry.kind + QLatin1Char('/') + entry.id).toStdString();
            for (const scenario::yaml::Node& item : own->values) {
                const scenario::yaml::Node* figure = item.find("figure");
                if (figure != nullptr && figure->text.starts_with(prefix + "/"))
                    return Origin::Override;
            }
        }
    }
    if (inFile) return Origin::File;
    if (parameter_.required) return Origin::Missing;
    if (parameter_.defaultText == "catalog") return Origin::Catalog;
    const bool follows = parameter_.defaultText.empty() && !parameter_.defaultSource.empty();
    return follows ? Origin::Derived : Origin::Default;
}

void Field::retranslate() {
    label_->setText(keyLabel(parameter_.key));
    label_->setToolTip(
        tr("%1 (%2)").arg(state_.say(Text{parameter_.meaning, {}}), qt(parameter_.key)));
    editor()->setToolTip(label_->toolTip());
    reset_->setToolTip(tr("Back to the default: the key goes from the file"));
    reset_->setAccessibleName(tr("Reset %1").arg(label_->text()));
    if (calendar_ != nullptr)
        calendar_->setAccessibleName(tr("Calendar for %1").arg(label_->text()));
    if (combo_ != nullptr && !combo_->isEditable()) {
        shown_.clear();
        fillChoices();
    }
    refresh();
}

void Field::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) paintColours();
}

void Field::paintColours() {
    const auto paint = [this](QLabel* label, reports::Role role) {
        QPalette p = label->palette();
        const QColor wanted = colour(role, palette());
        if (p.color(QPalette::WindowText) == wanted) return;
        p.setColor(QPalette::WindowText, wanted);
        label->setPalette(p);
    };
    paint(echo_, reports::Role::SecondText);
    paint(origin_mark_, reports::Role::SecondText);
    paint(message_, hasErrors_ ? reports::Role::Error : reports::Role::Warning);
}

}  // namespace trainwright::ui
