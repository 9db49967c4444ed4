// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_window.h"

#include <array>

#include "ui/window/plan_page.h"

namespace trainwright::ui {
namespace {

struct Page {
    const char* id;
    std::array<const char*, 4> paragraphs;
};

#define HELP(text) QT_TRANSLATE_NOOP("trainwright::ui::HelpWindow", text)

const std::array<Page, 15> kPages{{
    {"start",
     {HELP("The start page turns one sentence into a scenario: a model of the catalog, a count of "
           "tokens, two dates and a budget. Each blank says at once how it is read."),
      HELP("Three candidates are proposed: a Trainium and a GPU with a published price, and the "
           "newest Trainium. Each has about as many chips as the date asks for; change them in "
           "the form, or drag the date in the view of deadline and budget."),
      HELP("Examples open as untitled documents. Scenarios, price files and kept results can be "
           "dropped on the window."),
      HELP("A scenario is a small text file. Saving changes the lines whose value changed and "
           "leaves comments, order and blank lines as they are.")}},
    {"ranking",
     {HELP("The ranking compares all candidates on the same axes. Those that keep every limit "
           "come first, the cheapest on top; then those that miss one, those without a price, and "
           "those that don't fit into memory. Every candidate keeps its row, with the reason."),
      HELP("The thin lines are bands: in 80 of 100 cases the result lies between their ends. Two "
           "candidates whose bands overlap can be too close to call."),
      HELP("The grade says what the numbers rest on: A was measured on this chip, B on its "
           "family, C on data sheets alone."),
      HELP("Click a column to sort, or use Ctrl+T for the table behind the chart. Ctrl+C copies "
           "rows for a spreadsheet.")}},
    {"pareto",
     {HELP("Each point is a candidate at one size of its cluster. On the stepped front of a "
           "family nothing is better in both measures."),
      HELP("Choose any two of days, cost, energy and accelerators. Your limits are lines; the "
           "tinted side keeps them."),
      HELP("Click a point to see its layout; \"Use this layout\" writes it into the scenario as "
           "one edit that can be undone."),
      HELP("A candidate without a price stands outside the scale, marked with a question mark.")}},
    {"deadline",
     {HELP("The curve shows the smallest cluster of each candidate that is done by a date. It "
           "goes in steps: clusters come in whole instances."),
      HELP("Drag the date and the budget. The sentence above says what the cheapest cluster is "
           "then, which limit binds, and what a week more or less is worth."),
      HELP("Letting go of a handle writes the limit into the scenario: one edit, which can be "
           "undone."),
      HELP("The sizes between those that were planned are not guessed.")}},
    {"time",
     {HELP("Where the seconds of a step go, in the same order and on the same axis for all "
           "candidates. The parts add up to the step."),
      HELP("Communication that is hidden behind arithmetic is an outline below the bar and not "
           "part of the sum."),
      HELP("Below, the operators and collectives of the chosen candidate: which of arithmetic "
           "and memory limits each, which way its bytes go."),
      HELP("A layout that would be faster but doesn't fit is listed with what it lacks.")}},
    {"roofline",
     {HELP("Each point is an operator: to the right the more arithmetic it does with each byte, "
           "upwards the faster it runs. It can't be above the roof."),
      HELP("Left of the ridge memory is the limit, right of it arithmetic. The area of a point is "
           "its share of the step."),
      HELP("The dashed line is the data sheet's peak; the solid ones are what the engine and "
           "large matrix products reach."),
      HELP("The largest distance to the roof times share is where most is to be won.")}},
    {"topology",
     {HELP("One scale-up domain and one of each tier above it, never all chips. Identical links "
           "are drawn once, with their number."),
      HELP("The width of a link is what it carries one way; its colour is how busy it is during "
           "the step. The busiest is outlined and named."),
      HELP("Zoom from the chip to the cluster with the box above the drawing."),
      HELP("The table behind it has each collective with its group, algorithm and bytes.")}},
    {"memory",
     {HELP("One bar a stage of the pipeline, in GiB of a rank at its fullest moment, against the "
           "capacity and the capacity less the headroom."),
      HELP("What doesn't fit is drawn past the line with what it is over by."),
      HELP("GiB are 2^30 bytes; a gigabyte of 10^9 is written GB."),
      HELP("Recompute, sharding and more pipeline stages make room; each has its price in "
           "time.")}},
    {"pipeline",
     {HELP("Every stage of the pipeline over one step: forward and backward passes of each "
           "micro-batch, and where the stage waits (hatched)."),
      HELP("Zoom with + and −, or the wheel; drag to move; 0 shows the whole step."),
      HELP("The bubble is said both ways: as overhead over the work, and as a share of the step."),
      HELP("Left and Right walk the boxes, Up and Down the stages.")}},
    {"cost",
     {HELP("What the money goes for: hours that train, hours lost to failures and checkpoints, "
           "rounding of what is sold, storage and egress; of owned machines capital, power and "
           "staff."),
      HELP("Each total is a multiplication of units, hours and a price; the price says its plan, "
           "region and date."),
      HELP("What isn't known is not counted as zero: it is left out and said so."),
      HELP("Savings Plans and other prices come in by import: see the catalog.")}},
    {"bands",
     {HELP("Bands come of thousands of samples of what isn't known exactly: how well kernels and "
           "collectives do, how often machines fail, prices."),
      HELP("The tornado shows one input at a time, from its P10 to its P90, and what the days and "
           "the cost are at each end. Widest first."),
      HELP("Swings don't add up: inputs vary together in the bands, one by one in the tornado."),
      HELP("The chance of keeping a limit is the share of samples that do.")}},
    {"parity",
     {HELP("Runs that somebody has published, predicted by the same engine: on the diagonal the "
           "prediction is right."),
      HELP("The runs shown are those that the calibration was made from; what a run left out "
           "would be missed by is printed by trainwright calibrate."),
      HELP("The strip below shows the errors of each accelerator."),
      HELP("A run that can't be modelled is listed with its reason.")}},
    {"claims",
     {HELP("Public claims about Trainium, each checked against the catalog's figures, the engine "
           "and published runs. No verdict is stored: a changed figure changes it."),
      HELP("A claim may hold only under a condition; the condition is part of the verdict."),
      HELP("What can't be checked is said to be so, and why."),
      HELP("trainwright claims ID shows one claim in full.")}},
    {"compare",
     {HELP("Two plans side by side: open scenarios, files, kept results, or a file at a revision "
           "of git."),
      HELP("Each difference in the result is shared out among the changes: a change's part is "
           "the mean over all orders in which the changes could have been made."),
      HELP("Prices and figures of the catalog that moved count as changes too."),
      HELP("trainwright diff prints the same, also as a comment for a pull request.")}},
    {"catalog",
     {HELP("Every figure with its value, status, source and the date on which it was seen. Those "
           "that disagree with the one in use are kept beside it, in italics."),
      HELP("Override here takes another value in the scenario at hand and asks for a reason; the "
           "catalog's own stays as it is."),
      HELP("Import prices reads the files that AWS and others hand out, shows what moves before "
           "anything is written, and can be undone."),
      HELP("Imported rows live in a catalog of your own beside the shipped one.")}},
}};

#undef HELP

const Page* pageOf(const QString& id) {
    for (const Page& page : kPages)
        if (id == QLatin1String(page.id)) return &page;
    return nullptr;
}

}  // namespace

HelpWindow::HelpWindow(QWidget* parent)
    : QDialog(parent), list_(new QListWidget(this)), text_(new QTextBrowser(this)) {
    setObjectName(QStringLiteral("help"));
    setModal(false);
    list_->setObjectName(QStringLiteral("helpPages"));
    text_->setObjectName(QStringLiteral("helpText"));
    auto* splitter = new QSplitter(this);
    splitter->addWidget(list_);
    splitter->addWidget(text_);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 3);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter);
    resize(fontMetrics().averageCharWidth() * 90, fontMetrics().lineSpacing() * 26);
    for (const Page& page : kPages) {
        auto* item = new QListWidgetItem(list_);
        item->setData(Qt::UserRole, QString::fromLatin1(page.id));
    }
    connect(list_, &QListWidget::currentItemChanged, this, [this](QListWidgetItem* item) {
        if (item != nullptr) show(item->data(Qt::UserRole).toString());
    });
    retranslate();
}

QStringList HelpWindow::pages() {
    QStringList ids;
    for (const Page& page : kPages) ids.append(QString::fromLatin1(page.id));
    return ids;
}

QString HelpWindow::title(const QString& id) {
    if (id == QLatin1String("start")) return tr("Start");
    if (id == QLatin1String("compare")) return tr("Compare");
    if (id == QLatin1String("catalog")) return tr("Catalog");
    return PlanPage::viewTitle(id);
}

QString HelpWindow::html(const QString& id) {
    const Page* page = pageOf(id);
    if (page == nullptr) return {};
    QString out = QStringLiteral("<h2>%1</h2>").arg(title(id).toHtmlEscaped());
    for (const char* paragraph : page->paragraphs)
        out += QStringLiteral("<p>%1</p>").arg(tr(paragraph).toHtmlEscaped());
    return out;
}

HelpWindow* HelpWindow::showPage(const QString& id, QWidget* parent) {
    auto* window = parent->findChild<HelpWindow*>(QStringLiteral("help"));
    if (window == nullptr) window = new HelpWindow(parent);
    window->show(pageOf(id) != nullptr ? id : QStringLiteral("start"));
    window->QDialog::show();
    window->raise();
    window->activateWindow();
    return window;
}

void HelpWindow::show(const QString& id) {
    current_ = id;
    text_->setHtml(html(id));
    const QSignalBlocker blocker(list_);
    for (int i = 0; i < list_->count(); ++i)
        if (list_->item(i)->data(Qt::UserRole).toString() == id) list_->setCurrentRow(i);
}

void HelpWindow::retranslate() {
    setWindowTitle(tr("Manual"));
    list_->setAccessibleName(tr("Pages of the manual"));
    text_->setAccessibleName(tr("Text of the page"));
    for (int i = 0; i < list_->count(); ++i)
        list_->item(i)->setText(title(list_->item(i)->data(Qt::UserRole).toString()));
    if (!current_.isEmpty()) show(current_);
}

void HelpWindow::changeEvent(QEvent* event) {
    QDialog::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace trainwright::ui
