// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/start_page.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "model/units/text_quantity.h"
#include "model/workload/architecture.h"
#include "reports/number_format.h"

namespace trainwright::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

/// What a large job reaches of a data sheet's peak, for a first count of chips; the plan that
/// follows says what it really is.
constexpr double kFirstGuessOfUse = 0.35;
constexpr double kFlopPerParameterAndToken = 6.0;
constexpr int kDefaultDays = 90;

struct Proposal {
    const char* name;
    const char* system;
    const char* region;
    const char* plan;
};

/// A Trainium that is sold, a GPU that is sold, and the newest Trainium.
constexpr std::array<Proposal, 3> kProposals{{
    {"trn2", "trn2.48xlarge", "us-east-2", "capacity_block"},
    {"h100", "p5.48xlarge", "us-east-1", "on_demand"},
    {"trn3", "trn3-gen2-ultraserver", "us-east-2", ""},
}};

std::optional<double> quantity(const QString& text, units::QuantityKind kind) {
    const Outcome<double> read =
        units::readQuantity(kind, text.trimmed().toStdString(), units::BareNumber::Allowed);
    return read ? std::optional(*read) : std::nullopt;
}

}  // namespace

StartPage::StartPage(QWidget* parent)
    : QWidget(parent),
      heading_(new QLabel(this)),
      question_(new QLabel(this)),
      modelLabel_(new QLabel(this)),
      tokensLabel_(new QLabel(this)),
      startLabel_(new QLabel(this)),
      finishLabel_(new QLabel(this)),
      budgetLabel_(new QLabel(this)),
      modelNote_(new QLabel(this)),
      tokensNote_(new QLabel(this)),
      budgetNote_(new QLabel(this)),
      examplesLabel_(new QLabel(this)),
      recentLabel_(new QLabel(this)),
      dropLabel_(new QLabel(this)),
      model_(new QComboBox(this)),
      tokens_(new QLineEdit(this)),
      budget_(new QLineEdit(this)),
      start_(new QDateEdit(this)),
      finish_(new QDateEdit(this)),
      go_(new QPushButton(this)),
      open_(new QPushButton(this)),
      tour_(new QPushButton(this)),
      examples_(new QListWidget(this)),
      recent_(new QListWidget(this)) {
    setObjectName(QStringLiteral("startPage"));
    QFont large = heading_->font();
    large.setPointSizeF(large.pointSizeF() * 1.7);
    large.setBold(true);
    heading_->setFont(large);
    for (QLabel* note : {modelNote_, tokensNote_, budgetNote_, question_, dropLabel_})
        note->setWordWrap(true);
    model_->setObjectName(QStringLiteral("startModel"));
    model_->setEditable(true);
    model_->setInsertPolicy(QComboBox::NoInsert);
    model_->completer()->setFilterMode(Qt::MatchContains);
    model_->completer()->setCompletionMode(QCompleter::PopupCompletion);
    tokens_->setObjectName(QStringLiteral("startTokens"));
    tokens_->setText(QStringLiteral("15T"));
    budget_->setObjectName(QStringLiteral("startBudget"));
    budget_->setText(QStringLiteral("20M USD"));
    start_->setObjectName(QStringLiteral("startFrom"));
    finish_->setObjectName(QStringLiteral("startBy"));
    for (QDateEdit* date : {start_, finish_}) {
        date->setCalendarPopup(true);
        date->setDisplayFormat(QStringLiteral("yyyy-MM-dd"));
    }
    start_->setDate(QDate::currentDate().addDays(14));
    finish_->setDate(start_->date().addDays(kDefaultDays));
    go_->setObjectName(QStringLiteral("startGo"));
    go_->setDefault(true);
    examples_->setObjectName(QStringLiteral("startExamples"));
    recent_->setObjectName(QStringLiteral("startRecent"));
    for (auto [label, field] : {std::pair<QLabel*, QWidget*>{modelLabel_, model_},
                                {tokensLabel_, tokens_},
                                {startLabel_, start_},
                                {finishLabel_, finish_},
                                {budgetLabel_, budget_},
                                {examplesLabel_, examples_},
                                {recentLabel_, recent_}})
        label->setBuddy(field);

    auto* grid = new QGridLayout;
    int row = 0;
    const auto add = [&](QLabel* label, QWidget* field, QLabel* note) {
        grid->addWidget(label, row, 0, Qt::AlignRight);
        grid->addWidget(field, row, 1);
        if (note != nullptr) grid->addWidget(note, row, 2);
        ++row;
    };
    add(modelLabel_, model_, modelNote_);
    add(tokensLabel_, tokens_, tokensNote_);
    add(startLabel_, start_, nullptr);
    add(finishLabel_, finish_, nullptr);
    add(budgetLabel_, budget_, budgetNote_);
    grid->addWidget(go_, row, 1);
    grid->setColumnStretch(1, 2);
    grid->setColumnStretch(2, 3);
    auto* lists = new QGridLayout;
    lists->addWidget(examplesLabel_, 0, 0);
    lists->addWidget(recentLabel_, 0, 1);
    lists->addWidget(examples_, 1, 0);
    lists->addWidget(recent_, 1, 1);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(open_);
    buttons->addWidget(tour_);
    buttons->addWidget(dropLabel_, 1);
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->addWidget(heading_);
    layout->addWidget(question_);
    layout->addSpacing(8);
    layout->addLayout(grid);
    layout->addSpacing(16);
    layout->addLayout(lists, 1);
    layout->addLayout(buttons);
    content->setMaximumWidth(fontMetrics().averageCharWidth() * 130);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    connect(go_, &QPushButton::clicked, this, &StartPage::write);
    for (QLineEdit* edit : {tokens_, budget_}) {
        connect(edit, &QLineEdit::textChanged, this, &StartPage::echo);
        connect(edit, &QLineEdit::returnPressed, this, &StartPage::write);
    }
    connect(model_, &QComboBox::currentTextChanged, this, &StartPage::describeModel);
    connect(start_, &QDateEdit::dateChanged, this, &StartPage::echo);
    connect(finish_, &QDateEdit::dateChanged, this, &StartPage::echo);
    connect(open_, &QPushButton::clicked, this, &StartPage::openRequested);
    connect(tour_, &QPushButton::clicked, this, &StartPage::tourRequested);
    const auto path = [](const QListWidgetItem* item) {
        return item->data(Qt::UserRole).toString();
    };
    connect(examples_, &QListWidget::itemActivated, this,
            [this, path](QListWidgetItem* item) { emit exampleChosen(path(item)); });
    connect(recent_, &QListWidget::itemActivated, this,
            [this, path](QListWidgetItem* item) { emit fileChosen(path(item)); });
    retranslate();
}

void StartPage::setCatalog(const catalog::Catalog* catalog) {
    catalog_ = catalog;
    if (catalog == nullptr) return;
    const QSignalBlocker blocker(model_);
    model_->clear();
    for (const catalog::Entry& entry : catalog->entries("model")) model_->addItem(qt(entry.id));
    const int preferred = model_->findText(QStringLiteral("llama3.1-70b"));
    model_->setCurrentIndex(std::max(preferred, 0));
    describeModel();
}

void StartPage::setExamples(const QStringList& files) {
    examples_->clear();
    for (const QString& file : files) {
        auto* item = new QListWidgetItem(QFileInfo(file).completeBaseName(), examples_);
        item->setData(Qt::UserRole, file);
    }
}

void StartPage::setRecent(const QStringList& files) {
    recent_->clear();
    for (const QString& file : files) {
        auto* item = new QListWidgetItem(QFileInfo(file).fileName(), recent_);
        item->setData(Qt::UserRole, file);
        item->setToolTip(file);
    }
}

void StartPage::focusFirst() {
    model_->setFocus(Qt::OtherFocusReason);
}

void StartPage::describeModel() {
    modelNote_->clear();
    if (catalog_ != nullptr) {
        const std::string id = model_->currentText().trimmed().toStdString();
        const Outcome<workload::Architecture> model = catalog_->architecture(id);
        if (model) {
            modelNote_->setText(
                tr("= %1 parameters, %2 layers, hidden size %3")
                    .arg(qt(reports::bigCount(workload::countParameters(*model).total)),
                         qt(reports::count(model->layers)), qt(reports::count(model->hidden))));
        } else {
            const std::vector<std::string> near = catalog_->nearest("model", id);
            modelNote_->setText(near.empty()
                                    ? tr("The catalog has no model of this name.")
                                    : tr("The catalog has no model of this name. Nearest: %1.")
                                          .arg(qt(near.front())));
        }
    }
    echo();
}

void StartPage::echo() {
    const std::optional<double> tokens = quantity(tokens_->text(), units::QuantityKind::Tokens);
    tokensNote_->setText(tokens ? tr("= %1 tokens").arg(qt(reports::count(*tokens)))
                                : tr("A count of tokens, such as 15T"));
    const bool hasBudget = !budget_->text().trimmed().isEmpty();
    const std::optional<double> budget = quantity(budget_->text(), units::QuantityKind::Money);
    budgetNote_->setText(!hasBudget ? tr("No budget: the cheapest is looked for")
                         : budget
                             ? tr("= %1").arg(qt(reports::typedMoney(units::UsDollars(*budget))))
                             : tr("An amount, such as 20M USD"));
    const int days = static_cast<int>(start_->date().daysTo(finish_->date()));
    go_->setEnabled(tokens && *tokens > 0 && (!hasBudget || budget) && days > 0 && catalog_ &&
                    catalog_->has("model", model_->currentText().trimmed().toStdString()));
    go_->setToolTip(days > 0 ? QString() : tr("The date of the end comes after the start."));
}

std::string StartPage::scenarioText() const {
    if (catalog_ == nullptr || !go_->isEnabled()) return {};
    const std::string id = model_->currentText().trimmed().toStdString();
    const Outcome<workload::Architecture> model = catalog_->architecture(id);
    const std::optional<double> tokens = quantity(tokens_->text(), units::QuantityKind::Tokens);
    if (!model || !tokens) return {};
    const double seconds = static_cast<double>(start_->date().daysTo(finish_->date())) * 24 * 3600;
    const double work =
        kFlopPerParameterAndToken * workload::countParameters(*model).active * *tokens;

    std::string text = "version: 1\n";
    text += fmt::format("title: {}, {} tokens by {}\n", id, tokens_->text().trimmed().toStdString(),
                        finish_->date().toString(Qt::ISODate).toStdString());
    text += fmt::format("model: {}\n", id);
    text += fmt::format(
        "training:\n  start: {}\n  tokens: {}\n  sequence_length: 8192\n"
        "  global_batch: 2048 sequences\n  precision: bf16\n",
        start_->date().toString(Qt::ISODate).toStdString(),
        tokens_->text().trimmed().toStdString());
    text += "candidates:\n";
    for (const Proposal& each : kProposals) {
        const Outcome<machine::SystemSpec> system = catalog_->system(each.system);
        if (!system) continue;
        const double peak =
            system->chip.headlinePeak[static_cast<std::size_t>(machine::Dtype::Bf16)].value() *
            kFirstGuessOfUse;
        const double unit = std::max(1.0, static_cast<double>(system->chipsPerUnit));
        if (!(peak > 0)) continue;
        // A power of two of units divides batches and layouts well.
        const double units =
            std::exp2(std::ceil(std::log2(std::max(1.0, work / seconds / peak / unit))));
        text += fmt::format("  - name: {}\n    system: {}\n    accelerators: {:.0f}\n", each.name,
                            each.system, units * unit);
        text += fmt::format("    region: {}\n", each.region);
        if (*each.plan != '\0') text += fmt::format("    purchase: {}\n", each.plan);
        text += "    parallelism: auto\n";
    }
    text += fmt::format("constraints:\n  finish_by: {}\n",
                        finish_->date().toString(Qt::ISODate).toStdString());
    if (!budget_->text().trimmed().isEmpty())
        text += fmt::format("  budget: {}\n", budget_->text().trimmed().toStdString());
    return text;
}

void StartPage::write() {
    const std::string text = scenarioText();
    if (!text.empty()) emit scenarioWritten(qt(text), model_->currentText().trimmed());
}

void StartPage::retranslate() {
    heading_->setText(tr("What does it take to train your model?"));
    question_->setText(
        tr("Fill in the sentence: the plan is there in a second, and stays up to "
           "date with everything that you change."));
    modelLabel_->setText(tr("Train &model"));
    tokensLabel_->setText(tr("on &tokens"));
    startLabel_->setText(tr("&from"));
    finishLabel_->setText(tr("&by"));
    budgetLabel_->setText(tr("&under"));
    go_->setText(tr("Plan"));
    open_->setText(tr("Open a scenario…"));
    tour_->setText(tr("Two-minute tour"));
    examplesLabel_->setText(tr("E&xamples"));
    recentLabel_->setText(tr("&Recent files"));
    dropLabel_->setText(tr("Scenarios, price files and kept results can be dropped here."));
    model_->setAccessibleName(tr("Model"));
    tokens_->setAccessibleName(tr("Tokens"));
    start_->setAccessibleName(tr("Start date"));
    finish_->setAccessibleName(tr("Finish date"));
    budget_->setAccessibleName(tr("Budget"));
    examples_->setAccessibleName(tr("Example scenarios"));
    recent_->setAccessibleName(tr("Recent files"));
    describeModel();
}

void StartPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace trainwright::ui
