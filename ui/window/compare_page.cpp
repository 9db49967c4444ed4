// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/compare_page.h"

#include <stdexcept>

#include "data/compare/compare.h"
#include "data/compare/kept_result.h"
#include "data/scenario/yaml.h"
#include "reports/diff_report.h"
#include "ui/window/planner.h"

namespace trainwright::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

/// The plan of a scenario's text, or the result that the text keeps.
Outcome<compare::Side> sideOf(const ComparableText& source, const ContextMaker& contextOf,
                              Worker::Context& job) {
    const std::string name = source.title.toStdString();
    if (compare::looksLikeResult(source.text)) {
        Outcome<compare::KeptResult> kept = compare::readResult(source.text, name);
        if (!kept) return kept.findings();
        kept.value().plan.isKept = true;
        return compare::Side{std::move(kept).value(), nullptr};
    }
    Outcome<scenario::Loaded> loaded = scenario::load(source.text, name, job.catalog());
    if (!loaded) return loaded.findings();
    const search::PlanResult result = search::plan(loaded->request, Planner::threads(),
                                                   [&job](double) { return !job.isCancelled(); });
    // Read back from what a kept result would hold, so that both kinds are compared alike.
    Outcome<compare::KeptResult> made = compare::readResult(
        reports::planJson(loaded->request, result,
                          contextOf(loaded->scenario, source.text, name, job.catalog())),
        name);
    if (!made) return made.findings();
    return compare::Side{std::move(made).value(), &job.catalog()};
}

}  // namespace

ComparePage::ComparePage(CatalogOpener opener, ContextMaker contextOf, RevisionReader readRevision,
                         QWidget* parent)
    : QWidget(parent),
      worker_(std::move(opener)),
      contextOf_(std::move(contextOf)),
      readRevision_(std::move(readRevision)),
      before_(new QComboBox(this)),
      after_(new QComboBox(this)),
      beforeLabel_(new QLabel(this)),
      afterLabel_(new QLabel(this)),
      revisionLabel_(new QLabel(this)),
      answer_(new QLabel(this)),
      revision_(new QLineEdit(this)),
      compare_(new QPushButton(this)),
      file_(new QPushButton(this)),
      scroll_(new QScrollArea(this)) {
    setObjectName(QStringLiteral("comparePage"));
    before_->setObjectName(QStringLiteral("compareBefore"));
    after_->setObjectName(QStringLiteral("compareAfter"));
    revision_->setObjectName(QStringLiteral("compareRevision"));
    compare_->setObjectName(QStringLiteral("compareStart"));
    file_->setObjectName(QStringLiteral("compareFile"));
    for (QComboBox* box : {before_, after_}) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(20);
    }
    beforeLabel_->setBuddy(before_);
    afterLabel_->setBuddy(after_);
    revisionLabel_->setBuddy(revision_);
    answer_->setObjectName(QStringLiteral("compareAnswer"));
    answer_->setWordWrap(true);
    answer_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    QFont large = answer_->font();
    large.setPointSizeF(large.pointSizeF() * 1.15);
    answer_->setFont(large);
    scroll_->setWidgetResizable(true);
    scroll_->setFrameShape(QFrame::NoFrame);

    auto* bar = new QGridLayout;
    bar->addWidget(beforeLabel_, 0, 0);
    bar->addWidget(before_, 0, 1);
    bar->addWidget(revisionLabel_, 0, 2);
    bar->addWidget(revision_, 0, 3);
    bar->addWidget(afterLabel_, 1, 0);
    bar->addWidget(after_, 1, 1);
    bar->addWidget(file_, 1, 2);
    bar->addWidget(compare_, 1, 3);
    bar->setColumnStretch(1, 3);
    bar->setColumnStretch(3, 1);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    layout->addWidget(answer_);
    layout->addWidget(scroll_, 1);

    connect(compare_, &QPushButton::clicked, this, &ComparePage::start);
    connect(revision_, &QLineEdit::returnPressed, this, &ComparePage::start);
    connect(file_, &QPushButton::clicked, this, [this] {
        const QString path = QFileDialog::getOpenFileName(
            this, tr("A scenario or a kept result"), {},
            tr("Scenarios and results (*.yaml *.yml *.json);;All files (*)"));
        if (!path.isEmpty()) addFile(path);
    });
    connect(&worker_, &Worker::advanced, this,
            [this](const QString&, double share) { emit working(tr("Comparing"), share); });
    connect(&worker_, &Worker::finished, this, &ComparePage::worked);
    connect(&worker_, &Worker::failed, this,
            [this](const QString&, const QString& why) { answer_->setText(why); });
    retranslate();
}

ComparePage::~ComparePage() = default;

void ComparePage::setTranslation(Translate translate) {
    translate_ = std::move(translate);
}

void ComparePage::fill(QComboBox* box, int preferred) {
    const QString chosen = box->currentText();
    const QSignalBlocker blocker(box);
    box->clear();
    for (const auto* list : {&texts_, &files_})
        for (const ComparableText& each : *list) box->addItem(each.title);
    const int index = box->findText(chosen);
    box->setCurrentIndex(index >= 0 ? index : std::min(preferred, box->count() - 1));
}

void ComparePage::setTexts(std::vector<ComparableText> texts) {
    texts_ = std::move(texts);
    fill(before_, 1);
    fill(after_, 0);
    compare_->setEnabled(!texts_.empty());
}

void ComparePage::addFile(const QString& path) {
    const Outcome<std::string> text = scenario::yaml::readText(path.toStdString());
    if (!text) {
        answer_->setText(qt(text.findings().front().english()));
        return;
    }
    files_.push_back({QFileInfo(path).fileName(), *text, path.toStdString()});
    fill(before_, 1);
    fill(after_, 0);
    before_->setCurrentIndex(before_->count() - 1);
}

void ComparePage::catalogChanged() {
    worker_.reopenCatalog();
}

Outcome<ComparableText> ComparePage::chosen(const QComboBox* box) const {
    const int index = box->currentIndex();
    const int own = static_cast<int>(texts_.size());
    if (index < 0 || index >= own + static_cast<int>(files_.size()))
        return Finding{Severity::Error, Text{"There is nothing to compare yet.", {}}, {}};
    return index < own ? texts_[static_cast<std::size_t>(index)]
                       : files_[static_cast<std::size_t>(index - own)];
}

void ComparePage::start() {
    Outcome<ComparableText> after = chosen(after_);
    Outcome<ComparableText> before = chosen(before_);
    const QString revision = revision_->text().trimmed();
    if (after && !revision.isEmpty()) {
        if (after->file.empty()) {
            answer_->setText(tr("A revision of git is of a file: save the scenario first."));
            return;
        }
        const Outcome<std::string> text = readRevision_(revision.toStdString(), after->file);
        if (!text) {
            answer_->setText(qt(text.findings().front().english()));
            return;
        }
        before = ComparableText{tr("%1 at %2").arg(after->title, revision), *text, {}};
    }
    if (!before || !after) {
        answer_->setText(tr("There is nothing to compare yet: open a scenario, or add a file."));
        return;
    }
    compare(*before, *after);
}

void ComparePage::compare(const ComparableText& before, const ComparableText& after) {
    answer_->setText(tr("Comparing %1 with %2…").arg(before.title, after.title));
    worker_.post(QStringLiteral("compare"), [this, before, after,
                                             contextOf = contextOf_](Worker::Context& job) {
        const Outcome<compare::Side> first = sideOf(before, contextOf, job);
        const Outcome<compare::Side> second = sideOf(after, contextOf, job);
        for (const auto* side : {&first, &second})
            if (!*side) throw std::runtime_error((*side).findings().front().english());
        compare::Options options;
        options.threads = Planner::threads();
        options.cancelled = [&job] { return job.isCancelled(); };
        options.advanced = [&job](double share) { job.advanced(share); };
        const search::Comparison comparison =
            compare::compare(*first, *second, job.catalog(), options);
        if (job.isCancelled()) return;
        reports::DiffContext context;
        context.catalogVersion = job.catalog().version();
        context.catalogHash = job.catalog().hash();
        auto document =
            std::make_shared<const reports::Document>(reports::diffDocument(comparison, context));
        job.deliver([this, document] { show(*document); });
    });
}

void ComparePage::show(const reports::Document& document) {
    const auto shown = [this](reports::Section section) {
        return translate_ ? translate_(std::move(section)) : section;
    };
    reports::Section answers;
    answers.id = "answer";
    for (const reports::Paragraph& each : document.answer) answers.blocks.emplace_back(each);
    QStringList sentences;
    for (const reports::Block& block : shown(answers).blocks)
        sentences.append(qt(std::get<reports::Paragraph>(block).text.english()));
    answer_->setText(sentences.join(QLatin1Char(' ')));

    auto* content = new QWidget;
    sections_ = new QVBoxLayout(content);
    for (const reports::Section& each : document.sections) {
        if (each.blocks.empty() && each.sections.empty()) continue;
        auto* view = new SectionView(content);
        view->setSection(std::make_shared<const reports::Section>(shown(each)));
        sections_->addWidget(view);
    }
    sections_->addStretch(1);
    scroll_->setWidget(content);
    emit compared();
}

QString ComparePage::answer() const {
    return answer_->text();
}

void ComparePage::retranslate() {
    beforeLabel_->setText(tr("&Before:"));
    afterLabel_->setText(tr("&After:"));
    revisionLabel_->setText(tr("or at &revision:"));
    revision_->setPlaceholderText(tr("such as main, HEAD~1"));
    revision_->setToolTip(tr("A revision of git at which the file of the second is read"));
    compare_->setText(tr("Compare"));
    file_->setText(tr("Add a file…"));
    before_->setAccessibleName(tr("Plan before"));
    after_->setAccessibleName(tr("Plan after"));
    if (scroll_->widget() == nullptr)
        answer_->setText(
            tr("What changed between two plans, and which change moved the result? "
               "Choose the two, then Compare."));
}

void ComparePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace trainwright::ui
