// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/price_wizard.h"

#include <algorithm>
#include <array>

#include "data/import/price_report.h"
#include "model/run/money.h"
#include "reports/number_format.h"
#include "reports/plan_view.h"
#include "ui/look/look.h"
#include "ui/window/planner.h"

namespace trainwright::ui {
namespace {

constexpr int kMovesShown = 500;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString nowUtc() {
    return QDateTime::currentDateTimeUtc().toString(QStringLiteral("yyyy-MM-ddTHH:mm:ssZ"));
}

QTableWidgetItem* cell(const QString& text, bool isNumber = false) {
    auto* item = new QTableWidgetItem(text);
    item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable);
    item->setToolTip(text);
    if (isNumber) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    return item;
}

QString priceText(const std::optional<catalog::PriceRow>& row) {
    return row ? qt(reports::pricePerHour(units::UsDollarsPerSecond(row->usdPerHour / 3600.0)))
               : QStringLiteral("–");
}

}  // namespace

struct PriceWizard::Read {
    import::PriceImport import;
    catalog::PriceMoves moves;
    bool isKnown = false;
};

PriceWizard::PriceWizard(CatalogOpener opener, std::string overlay,
                         std::shared_ptr<const Planned> planned, Words words, QWidget* parent)
    : QDialog(parent),
      worker_(std::move(opener)),
      overlay_(std::move(overlay)),
      planned_(std::move(planned)),
      words_(std::move(words)),
      steps_(new QLabel(this)),
      intro_(new QLabel(this)),
      recognisedText_(new QLabel(this)),
      movesText_(new QLabel(this)),
      effect_(new QLabel(this)),
      doneText_(new QLabel(this)),
      problem_(new QLabel(this)),
      files_(new QListWidget(this)),
      recognised_(new QTableWidget(this)),
      moves_(new QTableWidget(this)),
      progress_(new QProgressBar(this)),
      stack_(new QStackedWidget(this)),
      add_(new QPushButton(tr("Add files…"), this)),
      remove_(new QPushButton(tr("Remove"), this)),
      next_(new QPushButton(this)),
      back_(new QPushButton(tr("Back"), this)),
      undo_(new QPushButton(tr("Undo this import"), this)),
      close_(new QPushButton(tr("Close"), this)) {
    setObjectName(QStringLiteral("priceWizard"));
    setWindowTitle(tr("Import prices"));
    resize(fontMetrics().averageCharWidth() * 110, fontMetrics().lineSpacing() * 34);
    for (QLabel* label :
         {intro_, recognisedText_, movesText_, effect_, doneText_, problem_, steps_})
        label->setWordWrap(true);
    QPalette warning = problem_->palette();
    warning.setColor(QPalette::WindowText, colour(reports::Role::Error, palette()));
    problem_->setPalette(warning);
    problem_->hide();
    progress_->setRange(0, 1000);
    progress_->hide();

    QStringList formats;
    for (const std::string& each : import::knownPriceFormats()) formats.append(qt(each));
    intro_->setText(tr("Files of prices as AWS and others hand them out. They are told apart by "
                       "what is in them: %1.")
                        .arg(formats.join(QStringLiteral("; "))));
    files_->setObjectName(QStringLiteral("priceFiles"));
    files_->setAccessibleName(tr("Files to read"));
    files_->setSelectionMode(QAbstractItemView::ExtendedSelection);
    add_->setObjectName(QStringLiteral("addPriceFiles"));
    next_->setObjectName(QStringLiteral("priceNext"));
    back_->setObjectName(QStringLiteral("priceBack"));
    undo_->setObjectName(QStringLiteral("priceUndo"));

    const auto page = [this](const QList<QWidget*>& widgets) {
        auto* widget = new QWidget(this);
        auto* layout = new QVBoxLayout(widget);
        layout->setContentsMargins(0, 0, 0, 0);
        for (QWidget* each : widgets)
            layout->addWidget(each, qobject_cast<QAbstractItemView*>(each) != nullptr ? 1 : 0);
        stack_->addWidget(widget);
        return layout;
    };
    auto* fileButtons = new QWidget(this);
    auto* fileLayout = new QHBoxLayout(fileButtons);
    fileLayout->setContentsMargins(0, 0, 0, 0);
    fileLayout->addWidget(add_);
    fileLayout->addWidget(remove_);
    fileLayout->addStretch(1);
    page({intro_, files_, fileButtons});
    page({recognisedText_, recognised_});
    page({movesText_, moves_, effect_});
    page({doneText_, undo_})->addStretch(1);

    for (QTableWidget* table : {recognised_, moves_}) {
        table->verticalHeader()->hide();
        table->setSelectionBehavior(QAbstractItemView::SelectRows);
        table->setAlternatingRowColors(true);
        table->setWordWrap(false);
        table->setTabKeyNavigation(false);
        table->horizontalHeader()->setHighlightSections(false);
        table->horizontalHeader()->setStretchLastSection(true);
    }
    recognised_->setObjectName(QStringLiteral("recognisedFiles"));
    recognised_->setAccessibleName(tr("What the files are, and what was left out"));
    moves_->setObjectName(QStringLiteral("priceMoves"));
    moves_->setAccessibleName(tr("Prices that move"));

    auto* buttons = new QHBoxLayout;
    buttons->addWidget(progress_, 1);
    buttons->addStretch(1);
    buttons->addWidget(back_);
    buttons->addWidget(next_);
    buttons->addWidget(close_);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(steps_);
    layout->addWidget(stack_, 1);
    layout->addWidget(problem_);
    layout->addLayout(buttons);

    connect(add_, &QPushButton::clicked, this, [this] {
        setFiles(QFileDialog::getOpenFileNames(this, tr("Files of prices"), {},
                                               tr("Prices (*.json *.csv);;All files (*)")));
    });
    connect(remove_, &QPushButton::clicked, this, [this] {
        qDeleteAll(files_->selectedItems());
        setStep(Step::Files);
    });
    connect(next_, &QPushButton::clicked, this, &PriceWizard::next);
    connect(back_, &QPushButton::clicked, this, &PriceWizard::back);
    connect(undo_, &QPushButton::clicked, this, &PriceWizard::undoImport);
    connect(close_, &QPushButton::clicked, this, &QDialog::reject);
    connect(&worker_, &Worker::advanced, this, [this](const QString&, double share) {
        progress_->show();
        progress_->setValue(static_cast<int>(share * 1000));
    });
    connect(&worker_, &Worker::finished, this, [this] { progress_->hide(); });
    connect(&worker_, &Worker::failed, this,
            [this](const QString&, const QString& why) { fail(why); });
    setStep(Step::Files);
}

PriceWizard::~PriceWizard() = default;

PriceWizard::Step PriceWizard::step() const {
    return static_cast<Step>(stack_->currentIndex());
}

void PriceWizard::setStep(Step step) {
    stack_->setCurrentIndex(static_cast<int>(step));
    const std::array<QString, 4> names{tr("1 Files"), tr("2 Recognised as"), tr("3 What moves"),
                                       tr("4 Done")};
    QStringList shown;
    for (int i = 0; i < 4; ++i)
        shown.append(i == static_cast<int>(step)
                         ? QStringLiteral("<b>%1</b>").arg(names[static_cast<std::size_t>(i)])
                         : names[static_cast<std::size_t>(i)]);
    steps_->setText(shown.join(QStringLiteral(" &nbsp; ")));
    back_->setVisible(step == Step::Recognised || step == Step::Moves);
    next_->setVisible(step != Step::Done);
    next_->setText(step == Step::Moves ? tr("Import") : tr("Next"));
    next_->setEnabled(step == Step::Files        ? files_->count() > 0
                      : step == Step::Recognised ? read_ != nullptr
                                                 : read_ && !read_->isKnown && !overlay_.empty());
    next_->setDefault(true);
    emit stepChanged();
}

void PriceWizard::setFiles(const QStringList& files) {
    for (const QString& file : files)
        if (files_->findItems(file, Qt::MatchExactly).isEmpty()) files_->addItem(file);
    setStep(Step::Files);
}

void PriceWizard::fail(const QString& why) {
    problem_->setText(why);
    problem_->show();
    progress_->hide();
    setStep(step());
}

void PriceWizard::next() {
    problem_->hide();
    switch (step()) {
        case Step::Files:
            read();
            return;
        case Step::Recognised:
            showMoves();
            return;
        case Step::Moves:
            apply();
            return;
        case Step::Done:
            return;
    }
}

void PriceWizard::back() {
    problem_->hide();
    setStep(step() == Step::Moves ? Step::Recognised : Step::Files);
}

void PriceWizard::read() {
    std::vector<std::string> files;
    for (int i = 0; i < files_->count(); ++i)
        files.push_back(files_->item(i)->text().toStdString());
    next_->setEnabled(false);
    read_.reset();
    worker_.post(QStringLiteral("read"), [this, files](Worker::Context& job) {
        const std::string time = nowUtc().toStdString();
        import::PriceImportSettings settings;
        settings.today = time.substr(0, 10);
        settings.progress = [&job](std::int64_t done, std::int64_t all) {
            if (all > 0) job.advanced(static_cast<double>(done) / static_cast<double>(all));
        };
        Outcome<import::PriceImport> found = import::readPriceFiles(files, job.catalog(), settings);
        if (!found) {
            const std::vector<Finding> findings = found.findings();
            job.deliver([this, findings] {
                QStringList lines;
                for (const Finding& each : findings)
                    lines.append(each.place.file.empty()
                                     ? words_(each.text)
                                     : tr("%1: %2").arg(qt(each.place.file), words_(each.text)));
                fail(lines.join(QLatin1Char('\n')));
            });
            return;
        }
        auto result = std::make_shared<Read>();
        const std::vector<catalog::PriceRow> before = job.catalog().allPrices();
        std::vector<catalog::PriceRow> after = before;
        for (catalog::PriceRow& row : catalog::rowsOf(found->batch, job.catalog().overlay(), time))
            after.push_back(std::move(row));
        result->moves = catalog::priceMoves(before, after);
        result->isKnown = import::isKnown(*found, job.catalog().overlay());
        result->import = std::move(found).value();
        job.deliver([this, result] {
            read_ = result;
            showRead();
        });
    });
}

void PriceWizard::showRead() {
    recognised_->clear();
    recognised_->setColumnCount(4);
    recognised_->setHorizontalHeaderLabels(
        {tr("File"), tr("Rows"), tr("What"), tr("Why, and an example")});
    recognised_->setRowCount(0);
    std::size_t taken = 0;
    std::int64_t left = 0;
    const auto add = [this](const QString& file, const QString& count, const QString& what,
                            const QString& why) {
        const int row = recognised_->rowCount();
        recognised_->insertRow(row);
        recognised_->setItem(row, 0, cell(file));
        recognised_->setItem(row, 1, cell(count, true));
        recognised_->setItem(row, 2, cell(what));
        recognised_->setItem(row, 3, cell(why));
    };
    for (const import::PriceFileReport& each : read_->import.files) {
        const QString file = qt(each.file.name);
        taken += each.prices;
        add(file, qt(reports::count(static_cast<double>(each.prices))), tr("prices taken"),
            tr("recognised as %1: %2").arg(qt(each.file.format), qt(each.file.title)));
        if (each.facts + each.offerings > 0)
            add(file, qt(reports::count(static_cast<double>(each.facts + each.offerings))),
                tr("facts of instances taken"), {});
        for (const import::LeftRows& rows : each.left) {
            left += rows.count;
            add(file, qt(reports::count(static_cast<double>(rows.count))), tr("left out"),
                rows.example.empty()
                    ? words_(rows.reason)
                    : tr("%1 (such as %2)").arg(words_(rows.reason), qt(rows.example)));
        }
        for (const Text& note : each.notes) add(file, {}, tr("note"), words_(note));
    }
    recognisedText_->setText(
        tr("%1 prices are taken, %2 rows are left out; each reason is given once.")
            .arg(qt(reports::count(static_cast<double>(taken))),
                 qt(reports::count(static_cast<double>(left)))));
    recognised_->resizeColumnsToContents();
    setStep(Step::Recognised);
}

void PriceWizard::showMoves() {
    const catalog::PriceMoves& moves = read_->moves;
    moves_->clear();
    moves_->setColumnCount(6);
    moves_->setHorizontalHeaderLabels({tr("Unit"), tr("Region"), tr("Plan"), tr("Before, USD/h"),
                                       tr("After, USD/h"), tr("Change")});
    moves_->setRowCount(0);
    const auto add = [this](const catalog::PriceMove& move, const QString& change) {
        const int row = moves_->rowCount();
        if (row >= kMovesShown) return;
        moves_->insertRow(row);
        moves_->setItem(row, 0, cell(qt(move.row().unitId)));
        moves_->setItem(row, 1, cell(qt(move.row().region)));
        moves_->setItem(row, 2, cell(words_(run::planName(move.row().plan))));
        moves_->setItem(row, 3, cell(priceText(move.before), true));
        moves_->setItem(row, 4, cell(priceText(move.after), true));
        moves_->setItem(row, 5, cell(change));
    };
    for (const catalog::PriceMove& move : moves.moved)
        add(move, (move.change() > 0 ? QStringLiteral("▲ ") : QStringLiteral("▼ ")) +
                      qt(reports::percent(std::abs(move.change()))));
    for (const catalog::PriceMove& move : moves.added) add(move, tr("new"));
    const auto number = [](std::size_t n) { return qt(reports::count(static_cast<double>(n))); };
    QString text = tr("New: %1. Changed: %2. Seen again unchanged: %3.")
                       .arg(number(moves.added.size()), number(moves.moved.size()),
                            number(moves.confirmed + moves.same));
    if (moves.added.size() + moves.moved.size() > kMovesShown)
        text += QLatin1Char(' ') + tr("The first %1 are listed.").arg(kMovesShown);
    if (read_->isKnown) text = tr("These files were imported before: nothing would change.");
    if (overlay_.empty())
        text = tr("No catalog of your own is in use (--overlay none), so nothing can be written.");
    movesText_->setText(text);
    moves_->resizeColumnsToContents();
    effect_->setText(planned_ ? tr("Planning the scenario with the new prices…") : QString());
    setStep(Step::Moves);
    planWithMoves();
}

void PriceWizard::planWithMoves() {
    if (!planned_) return;
    worker_.post(QStringLiteral("effect"), [this, read = read_,
                                            planned = planned_](Worker::Context& job) {
        std::vector<catalog::PriceOverride> prices;
        for (const auto* list : {&read->moves.moved, &read->moves.added})
            for (const catalog::PriceMove& move : *list)
                if (move.after)
                    prices.push_back({move.after->unitId, move.after->region, move.after->plan,
                                      move.after->usdPerHour, move.after->observed});
        const catalog::Catalog with = job.catalog().withPrices(prices);
        const Outcome<search::PlanRequest> request = scenario::resolve(
            planned->checked->loaded->scenario, with, scenario::FigureNotes::LeftOut);
        if (!request) return;
        const search::PlanResult result = search::plan(
            *request, Planner::threads(), [&job](double) { return !job.isCancelled(); });
        if (job.isCancelled()) return;
        QStringList lines;
        for (const reports::CandidateView& view : reports::candidateViews(*request, result)) {
            const search::CandidateResult* before = planned->candidate(view.request->name);
            const QString name = qt(view.request->name);
            const auto cost = [](const search::CandidateResult* r) {
                return r != nullptr && r->run.money.total ? qt(reports::money(*r->run.money.total))
                                                          : qt(reports::notKnown());
            };
            const QString was = cost(before), is = cost(view.result);
            if (was != is || (before != nullptr && before->rank != view.result->rank))
                lines.append(tr("%1: %2 → %3, rank %4 → %5")
                                 .arg(name, was, is,
                                      before == nullptr ? QStringLiteral("–")
                                                        : QString::number(before->rank),
                                      QString::number(view.result->rank)));
        }
        job.deliver([this, lines] {
            effect_->setText(lines.isEmpty()
                                 ? tr("The scenario at hand comes to the same under these prices.")
                                 : tr("In the scenario at hand:") + QLatin1Char('\n') +
                                       lines.join(QLatin1Char('\n')));
            emit stepChanged();
        });
    });
}

void PriceWizard::apply() {
    Outcome<catalog::OverlayWriter> writer = catalog::OverlayWriter::open(overlay_);
    if (!writer) return fail(words_(writer.findings().front().text));
    const Outcome<catalog::ImportResult> written =
        writer.value().add(read_->import.batch, nowUtc().toStdString());
    if (!written) return fail(words_(written.findings().front().text));
    const Outcome<catalog::Overlay> now = catalog::Overlay::read(overlay_);
    if (now && !now->imports().empty()) imported_ = now->imports().back().id;
    doneText_->setText(
        tr("%1 prices changed, %2 are new. They are in %3; the shipped catalog stays as it is.")
            .arg(QString::number(read_->moves.moved.size()),
                 QString::number(read_->moves.added.size()), qt(overlay_)));
    undo_->setEnabled(imported_ > 0);
    setStep(Step::Done);
    worker_.reopenCatalog();
    emit catalogChanged();
}

void PriceWizard::undoImport() {
    Outcome<catalog::OverlayWriter> writer = catalog::OverlayWriter::open(overlay_);
    if (!writer) return fail(words_(writer.findings().front().text));
    const Outcome<catalog::ImportRecord> record = writer.value().forget(imported_);
    if (!record) return fail(words_(record.findings().front().text));
    imported_ = 0;
    undo_->setEnabled(false);
    doneText_->setText(tr("The import is taken back: the catalog is as it was before."));
    worker_.reopenCatalog();
    emit catalogChanged();
    emit stepChanged();
}

QString PriceWizard::summary() const {
    switch (step()) {
        case Step::Files:
            return intro_->text();
        case Step::Recognised:
            return recognisedText_->text();
        case Step::Moves:
            return movesText_->text() + QLatin1Char('\n') + effect_->text();
        case Step::Done:
            break;
    }
    return doneText_->text();
}

}  // namespace trainwright::ui
