// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/section_view.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QToolButton>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

#include "reports/view_sections.h"
#include "ui/look/look.h"
#include "ui/views/chart_view.h"
#include "ui/views/section_table.h"

namespace trainwright::ui {
namespace {

QString words(const Text& text) {
    return QString::fromStdString(text.english());
}

QLabel* label(QWidget* parent, const char* name) {
    auto* made = new QLabel(parent);
    made->setObjectName(QLatin1String(name));
    made->setWordWrap(true);
    made->setTextFormat(Qt::PlainText);
    made->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return made;
}

void tint(QWidget* widget, reports::Role role) {
    QPalette palette =
        widget->parentWidget() ? widget->parentWidget()->palette() : QApplication::palette();
    palette.setColor(QPalette::WindowText, colour(role, palette));
    widget->setPalette(palette);
}

/// Lies over the picture while it is of an earlier plan.
class Veil : public QWidget {
public:
    explicit Veil(QWidget* parent) : QWidget(parent) {
        setAttribute(Qt::WA_TransparentForMouseEvents);
        setAttribute(Qt::WA_NoSystemBackground);
        hide();
    }
    void show(bool dimmed, bool folded) {
        dimmed_ = dimmed;
        folded_ = folded;
        setVisible(dimmed || folded);
        if (isVisible()) raise();
        update();
    }

protected:
    void paintEvent(QPaintEvent*) override {
        QPainter painter(this);
        constexpr int kKept = 55;  // percent of the old picture
        if (dimmed_) {
            QColor fill = palette().color(QPalette::Base);
            fill.setAlpha(255 * (100 - kKept) / 100);
            painter.fillRect(rect(), fill);
        }
        if (folded_) {
            const int side = fontMetrics().height() * 3 / 2;
            const QPoint corner(width(), 0);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(Qt::NoPen);
            painter.setBrush(palette().color(QPalette::Window));
            painter.drawPolygon(
                QPolygon({corner - QPoint(side, 0), corner, corner + QPoint(0, side)}));
            painter.setPen(QPen(colour(reports::Role::Axis, palette()), 1));
            painter.setBrush(colour(reports::Role::Grid, palette()));
            painter.drawPolygon(QPolygon({corner - QPoint(side, 0), corner + QPoint(-side, side),
                                          corner + QPoint(0, side)}));
        }
    }

private:
    bool dimmed_ = false, folded_ = false;
};

/// A page whose content is as wide as the page and as high as it needs.
QScrollArea* page(QWidget* parent, const char* name, QVBoxLayout** content) {
    auto* area = new QScrollArea(parent);
    area->setObjectName(QLatin1String(name));
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setBackgroundRole(QPalette::Base);
    area->setFocusPolicy(Qt::NoFocus);
    auto* inside = new QWidget(area);
    inside->setAutoFillBackground(false);
    *content = new QVBoxLayout(inside);
    (*content)->setContentsMargins(12, 8, 12, 12);
    (*content)->setSpacing(10);
    area->setWidget(inside);
    return area;
}

/// A part of a section in the order in which it is read.
struct Part {
    const reports::Block* block = nullptr;
    const reports::Section* heading = nullptr;  ///< of a section inside
    bool isNested = false;
};

void collect(const reports::Section& section, bool nested, std::vector<Part>& parts) {
    if (nested) parts.push_back({nullptr, &section, true});
    for (const reports::Block& block : section.blocks) parts.push_back({&block, nullptr, nested});
    for (const reports::Section& inner : section.sections) collect(inner, true, parts);
}

/// What widgets a part needs: parts of one shape can take each other's place.
QString shapeOf(const Part& part) {
    if (!part.block) return QStringLiteral("#");
    if (std::holds_alternative<reports::Figure>(*part.block)) return QStringLiteral("f");
    if (const auto* table = std::get_if<reports::Table>(part.block))
        return QStringLiteral("t%1").arg(table->footnotes.size());
    if (const auto* list = std::get_if<reports::List>(part.block))
        return QStringLiteral("l%1").arg(list->items.size());
    if (const auto* facts = std::get_if<reports::Facts>(part.block))
        return QStringLiteral("a%1").arg(facts->items.size());
    return QStringLiteral("p");
}

QString markOf(ViewState state) {
    switch (state) {
        case ViewState::Empty:
            return QStringLiteral("○");
        case ViewState::Computing:
            return QStringLiteral("…");
        case ViewState::Stale:
            return QStringLiteral("◷");
        case ViewState::Infeasible:
        case ViewState::Failed:
            return QStringLiteral("✕");
        case ViewState::NotKnown:
            return QStringLiteral("?");
        case ViewState::Unsupported:
            return QStringLiteral("–");
        case ViewState::Ready:
            break;
    }
    return {};
}

}  // namespace

struct SectionView::Private {
    std::shared_ptr<const reports::Section> section;
    ViewState state = ViewState::Empty;
    QString stateWords, details, chosen;
    QLabel *question, *answer, *stateMark, *stateLine, *basis;
    QPushButton *action, *copyDetails;
    QToolButton* swap;
    QHBoxLayout* tools;
    QWidget* stateBar;
    QWidget* body;
    QScrollArea *picturePage, *tablePage;
    QVBoxLayout *picture, *tables;
    Veil* veil;
    std::vector<ChartView*> charts;
    std::vector<SectionTable*> tableViews;
    QString shape;  ///< of the section that the widgets were made for
    bool wantsTable = false;
};

SectionView::SectionView(QWidget* parent) : QWidget(parent), d_(std::make_unique<Private>()) {
    setObjectName(QStringLiteral("section-view"));
    auto* all = new QVBoxLayout(this);
    all->setContentsMargins(0, 0, 0, 0);
    all->setSpacing(0);

    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 8, 8, 0);
    d_->question = label(this, "question");
    d_->question->setTextInteractionFlags(Qt::NoTextInteraction);
    head->addWidget(d_->question, 1);
    d_->tools = new QHBoxLayout;
    head->addLayout(d_->tools);
    d_->swap = new QToolButton(this);
    d_->swap->setObjectName(QStringLiteral("chart-or-table"));
    d_->swap->setCheckable(true);
    d_->swap->setToolButtonStyle(Qt::ToolButtonTextOnly);
    d_->swap->setFocusPolicy(Qt::StrongFocus);
    connect(d_->swap, &QToolButton::toggled, this, &SectionView::showTable);
    head->addWidget(d_->swap, 0, Qt::AlignTop);
    all->addLayout(head);

    d_->answer = label(this, "answer");
    d_->answer->setContentsMargins(12, 2, 12, 4);
    all->addWidget(d_->answer);

    d_->stateBar = new QWidget(this);
    auto* bar = new QHBoxLayout(d_->stateBar);
    bar->setContentsMargins(12, 2, 12, 4);
    d_->stateMark = label(d_->stateBar, "state-mark");
    d_->stateMark->setWordWrap(false);
    d_->stateLine = label(d_->stateBar, "state");
    d_->action = new QPushButton(d_->stateBar);
    d_->action->setObjectName(QStringLiteral("state-action"));
    d_->action->hide();
    connect(d_->action, &QPushButton::clicked, this, &SectionView::actionRequested);
    d_->copyDetails = new QPushButton(d_->stateBar);
    d_->copyDetails->setObjectName(QStringLiteral("copy-details"));
    d_->copyDetails->hide();
    connect(d_->copyDetails, &QPushButton::clicked, this,
            [this] { QApplication::clipboard()->setText(d_->details); });
    bar->addWidget(d_->stateMark);
    bar->addWidget(d_->stateLine, 1);
    bar->addWidget(d_->action);
    bar->addWidget(d_->copyDetails);
    all->addWidget(d_->stateBar);

    d_->body = new QWidget(this);
    d_->picturePage = page(d_->body, "picture", &d_->picture);
    d_->tablePage = page(d_->body, "tables", &d_->tables);
    auto* body = new QVBoxLayout(d_->body);
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(d_->picturePage);
    body->addWidget(d_->tablePage, 1);
    all->addWidget(d_->body, 1);
    d_->veil = new Veil(d_->body);
    d_->body->installEventFilter(this);
    d_->picturePage->widget()->installEventFilter(this);

    d_->basis = label(this, "basis");
    d_->basis->setContentsMargins(12, 4, 12, 6);
    all->addWidget(d_->basis);

    auto* swap = new QAction(this);
    swap->setObjectName(QStringLiteral("swap"));
    swap->setShortcut(QKeySequence(QStringLiteral("Ctrl+T")));
    swap->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(swap, &QAction::triggered, this, [this] { showTable(!isTableShown()); });
    addAction(swap);

    look();
    retranslate();
    setState(ViewState::Empty);
}

SectionView::~SectionView() = default;

void SectionView::look() {
    QFont strong = font();
    strong.setBold(true);
    if (strong.pointSizeF() > 0) strong.setPointSizeF(strong.pointSizeF() * 1.15);
    d_->question->setFont(strong);
    tint(d_->basis, reports::Role::SecondText);
    const bool isError = d_->state == ViewState::Failed || d_->state == ViewState::Infeasible;
    tint(d_->stateMark, isError                         ? reports::Role::Error
                        : d_->state == ViewState::Stale ? reports::Role::Warning
                                                        : reports::Role::SecondText);
}

void SectionView::retranslate() {
    const bool isTable = isTableShown();
    d_->swap->setText(isTable ? tr("Chart") : tr("Table"));
    d_->swap->setToolTip(isTable ? tr("Show the chart (Ctrl+T)")
                                 : tr("Show the table behind the chart (Ctrl+T)"));
    d_->swap->setAccessibleName(isTable ? tr("Show the chart") : tr("Show the table"));
    d_->copyDetails->setText(tr("Copy details"));
    sayState();
}

// ---- the section ----------------------------------------------------------------------------

std::shared_ptr<const reports::Section> SectionView::section() const {
    return d_->section;
}

bool SectionView::hasPicture() const {
    return !d_->charts.empty();
}

ChartView* SectionView::chart() const {
    return d_->charts.empty() ? nullptr : d_->charts.front();
}

SectionTable* SectionView::table() const {
    return d_->tableViews.empty() ? nullptr : d_->tableViews.front();
}

void SectionView::setSection(std::shared_ptr<const reports::Section> section) {
    d_->section = std::move(section);
    fill();
    setState(d_->section ? ViewState::Ready : ViewState::Empty);
}

void SectionView::fill() {
    std::vector<Part> parts;
    QString shape;
    if (d_->section) {
        collect(*d_->section, false, parts);
        shape = QString::fromStdString(d_->section->id);
    }
    const bool hasFigure = std::any_of(parts.begin(), parts.end(), [](const Part& part) {
        return part.block && std::holds_alternative<reports::Figure>(*part.block);
    });
    for (const Part& part : parts) shape += shapeOf(part);
    d_->question->setText(d_->section ? words(d_->section->title) : QString());
    d_->answer->setText(d_->section ? words(d_->section->answer) : QString());
    d_->answer->setVisible(!d_->answer->text().isEmpty());
    d_->basis->setText(d_->section ? words(d_->section->basis) : QString());
    d_->basis->setVisible(!d_->basis->text().isEmpty());
    setAccessibleName(d_->question->text());
    setAccessibleDescription(d_->answer->text());
    const bool isSame = shape == d_->shape;
    if (!isSame) clear();
    d_->shape = shape;

    Filling filling{isSame};
    for (const Part& part : parts) {
        if (part.heading) {
            addWords(filling, part.heading->title, reports::Tone::Strong, true);
            addWords(filling, part.heading->answer, reports::Tone::Plain, true);
            continue;
        }
        if (const auto* figure = std::get_if<reports::Figure>(part.block))
            addFigure(filling, figure->chart);
        else if (const auto* table = std::get_if<reports::Table>(part.block))
            addTable(filling, *table);
        else if (const auto* paragraph = std::get_if<reports::Paragraph>(part.block))
            addWords(filling, paragraph->text, paragraph->tone, part.isNested || !hasFigure);
        else if (const auto* list = std::get_if<reports::List>(part.block))
            for (const reports::Paragraph& item : list->items)
                addWords(filling, item.text, item.tone, part.isNested || !hasFigure);
        else if (const auto* facts = std::get_if<reports::Facts>(part.block))
            addFacts(filling, *facts);
        else if (const auto* code = std::get_if<reports::Preformatted>(part.block))
            addWords(filling, reports::verbatim(code->text), reports::Tone::Quiet, true);
    }
    for (; d_->charts.size() > filling.charts; d_->charts.pop_back()) {
        d_->charts.back()->hide();
        d_->charts.back()->deleteLater();
    }
    if (!isSame)
        for (QVBoxLayout* layout : {d_->picture, d_->tables}) layout->addStretch(1);
    tellCharts();
    d_->swap->setVisible(hasPicture() && !d_->tableViews.empty());
    arrange();
    retranslate();
    if (!d_->chosen.isEmpty()) setChosen(d_->chosen);
}

void SectionView::clear() {
    for (QVBoxLayout* layout : {d_->picture, d_->tables})
        while (QLayoutItem* item = layout->takeAt(0)) {
            // A chart stays, since its reader may be dragging something in it.
            if (QWidget* widget = item->widget(); widget && !qobject_cast<ChartView*>(widget)) {
                widget->hide();
                widget->deleteLater();
            }
            delete item;
        }
    d_->tableViews.clear();
    labels_.clear();
}

void SectionView::addWords(Filling& filling, const Text& text, reports::Tone tone,
                           bool besideTables) {
    if (filling.labels == labels_.size()) {
        QVBoxLayout* layout = besideTables ? d_->tables : d_->picture;
        auto* made = label(layout->parentWidget(), "paragraph");
        layout->addWidget(made);
        labels_.push_back(made);
    }
    QLabel* made = labels_[filling.labels++];
    QFont font = this->font();
    font.setBold(tone == reports::Tone::Strong);
    made->setFont(font);
    made->setText(words(text));
    made->setVisible(!text.empty());
    reports::Role role = reports::Role::Text;
    if (tone == reports::Tone::Quiet) role = reports::Role::SecondText;
    if (tone == reports::Tone::Warning) role = reports::Role::Warning;
    if (tone == reports::Tone::Error) role = reports::Role::Error;
    tint(made, role);
}

void SectionView::addFigure(Filling& filling, const reports::ChartSpec& spec) {
    if (filling.charts == d_->charts.size()) {
        auto* made = new ChartView(d_->picture->parentWidget());
        connect(made, &ChartView::datumSelected, this, &SectionView::select);
        connect(made, &ChartView::datumActivated, this, &SectionView::activate);
        d_->picture->addWidget(made);
        d_->charts.push_back(made);
        made->show();
        emit chartMade(made);
    } else if (!filling.isSame) {
        d_->picture->addWidget(d_->charts[filling.charts]);
    }
    // The chart lives in the section.
    d_->charts[filling.charts++]->setSpec(
        std::shared_ptr<const reports::ChartSpec>(d_->section, &spec));
}

void SectionView::addTable(Filling& filling, const reports::Table& table) {
    addWords(filling, table.caption, reports::Tone::Strong, true);
    if (filling.tables == d_->tableViews.size()) {
        auto* made = new SectionTable(d_->tables->parentWidget());
        made->setFrameShape(QFrame::NoFrame);
        connect(made, &SectionTable::keySelected, this, &SectionView::select);
        connect(made, &SectionTable::keyActivated, this, &SectionView::activate);
        connect(made, &SectionTable::linkActivated, this, &SectionView::figureActivated);
        made->setContextMenuPolicy(Qt::CustomContextMenu);
        connect(made, &QWidget::customContextMenuRequested, this,
                [this, made](const QPoint& at) { rowMenu(made, at); });
        d_->tables->addWidget(made);
        made->show();
        d_->tableViews.push_back(made);
    }
    SectionTable* view = d_->tableViews[filling.tables++];
    view->setTable(d_->section, &table);
    for (const Text& note : table.footnotes) addWords(filling, note, reports::Tone::Quiet, true);
}

void SectionView::addFacts(Filling& filling, const reports::Facts& facts) {
    for (const auto& [name, cell] : facts.items)
        addWords(filling, reports::text("{1}: {2}", name.english(), cell.display.english()),
                 cell.tone, true);
}

/// What a datum's row says, for the tooltip and for copying.
void SectionView::tellCharts() {
    QHash<QString, QStringList> lines;
    QHash<QString, QString> tsv;
    for (const SectionTable* table : d_->tableViews) {
        const SectionTableModel* model = table->tableModel();
        for (int r = 0; r < model->rowCount(); ++r) {
            const QModelIndex first = model->index(r, 0);
            const QString key = first.data(SectionTableModel::KeyRole).toString();
            if (key.isEmpty() || first.data(SectionTableModel::IsNoteRole).toBool() ||
                lines.contains(key))
                continue;
            QStringList& said = lines[key];
            for (int c = 0; c < model->columnCount(); ++c) {
                const QString shown = model->index(r, c).data().toString();
                if (!shown.isEmpty() && shown != QStringLiteral("–"))
                    said << tr("%1: %2").arg(model->headerData(c, Qt::Horizontal).toString(),
                                             shown);
            }
            tsv[key] = table->tsvOf(key);
        }
    }
    for (ChartView* chart : d_->charts) {
        chart->setRowLines(lines);
        chart->setRowsTsv(tsv);
    }
}

void SectionView::select(const QString& key) {
    const QString candidate = QString::fromStdString(reports::candidateOf(key.toStdString()));
    for (SectionTable* table : d_->tableViews)
        if (table != sender()) table->setChosen(key);
    for (ChartView* chart : d_->charts) chart->setChosen(key);
    if (!candidate.isEmpty()) emit candidateSelected(candidate);
    emit keySelected(key);
}

void SectionView::activate(const QString& key) {
    const reports::Key parts = reports::keyOf(key.toStdString());
    if (parts.kind == "layout")
        emit layoutChosen(QString::fromStdString(parts.name), QString::fromStdString(parts.detail));
    else if (const std::string candidate = reports::candidateOf(key.toStdString());
             !candidate.empty())
        emit candidateActivated(QString::fromStdString(candidate));
    emit keyActivated(key);
}

void SectionView::rowMenu(SectionTable* table, const QPoint& at) {
    const QModelIndex index = table->indexAt(at);
    const QString key = index.data(SectionTableModel::KeyRole).toString();
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("row-menu"));
    if (reports::keyOf(key.toStdString()).kind == "layout")
        menu.addAction(tr("Use this layout"), this, [this, key] { activate(key); });
    menu.addAction(tr("Copy rows"), QKeySequence::Copy, table, &SectionTable::copySelection);
    menu.addAction(tr("Find a row…"), QKeySequence::Find, table, &SectionTable::openFind);
    menu.exec(table->viewport()->mapToGlobal(at));
}

void SectionView::setChosen(const QString& candidate) {
    d_->chosen = candidate;
    const QString key =
        candidate.isEmpty()
            ? QString()
            : QString::fromStdString(reports::candidateKey(candidate.toStdString()));
    for (SectionTable* table : d_->tableViews) table->setChosen(key);
    for (ChartView* chart : d_->charts) chart->setChosen(key);
}

void SectionView::showTable(bool table) {
    const bool before = isTableShown();
    d_->wantsTable = table;
    arrange();
    {
        const QSignalBlocker quiet(d_->swap);
        d_->swap->setChecked(isTableShown());
    }
    retranslate();
    if (before == isTableShown()) return;
    if (isAncestorOf(QApplication::focusWidget()) && QApplication::focusWidget() != d_->swap) {
        if (isTableShown() && this->table())
            this->table()->setFocus();
        else if (chart())
            chart()->setFocus();
    }
    emit tableShown(isTableShown());
}

bool SectionView::isTableShown() const {
    return !hasPicture() || d_->wantsTable;
}

/// The table stands under its chart where the window has room for both.
void SectionView::arrange() {
    const int line = fontMetrics().height();
    const int least = line * 10, most = line * 40;
    const bool isPicture = !isTableShown();
    const QLayout* inside = d_->picture;
    const int picture = inside->hasHeightForWidth()
                            ? inside->heightForWidth(d_->picturePage->widget()->width())
                            : inside->sizeHint().height();
    const int room = d_->body->height() - picture;
    const bool isBoth = isPicture && !d_->tableViews.empty() && room >= least;
    d_->picturePage->setVisible(isPicture);
    d_->picturePage->setMinimumHeight(isBoth ? picture : 0);
    d_->picturePage->setMaximumHeight(isBoth ? picture : QWIDGETSIZE_MAX);
    d_->tablePage->setVisible(!isPicture || isBoth);
    // Tables of a few rows show them all; longer ones scroll inside, with their titles in sight.
    const int tallest = isBoth ? room - line * 3 : most;
    for (SectionTable* table : d_->tableViews) {
        const int full = table->fullHeight();
        table->setMinimumHeight(std::min(full, tallest));
        table->setMaximumHeight(full);
    }
}

void SectionView::addTool(QWidget* tool) {
    d_->tools->addWidget(tool, 0, Qt::AlignTop);
}

void SectionView::addBelow(QWidget* widget) {
    auto* all = static_cast<QVBoxLayout*>(layout());
    all->insertWidget(all->indexOf(d_->basis), widget);
}

// ---- states ---------------------------------------------------------------------------------

void SectionView::setState(ViewState state, const QString& said, const QString& details) {
    d_->state = state;
    d_->stateWords = said;
    d_->details = details;
    d_->copyDetails->setVisible(state == ViewState::Failed && !details.isEmpty());
    d_->veil->show(state == ViewState::Computing || state == ViewState::Stale,
                   state == ViewState::Stale);
    sayState();
    look();
}

ViewState SectionView::state() const {
    return d_->state;
}

void SectionView::sayState() {
    QString said = d_->stateWords;
    if (said.isEmpty()) switch (d_->state) {
            case ViewState::Empty:
                said = d_->section ? QString() : tr("There is no plan yet.");
                break;
            case ViewState::Computing:
                said = tr("A newer answer is being worked out.");
                break;
            case ViewState::Stale:
                said = tr("This is of an earlier text of the scenario.");
                break;
            case ViewState::Infeasible:
                said = tr("Nothing fits; what is known is drawn.");
                break;
            case ViewState::NotKnown:
                said = tr("Something that this view needs is not known.");
                break;
            case ViewState::Unsupported:
                said = tr("This view has nothing to say of this candidate.");
                break;
            case ViewState::Failed:
                said = tr("This view could not be made; the last one is kept.");
                break;
            case ViewState::Ready:
                break;
        }
    d_->stateMark->setText(markOf(d_->state));
    d_->stateLine->setText(said);
    d_->stateBar->setVisible(!said.isEmpty());
}

void SectionView::setAction(const QString& label) {
    d_->action->setText(label);
    d_->action->setVisible(!label.isEmpty());
}

// ---- the frame ------------------------------------------------------------------------------

QSize SectionView::sizeHint() const {
    const int line = fontMetrics().height();
    return {line * 44, line * 30};
}

QSize SectionView::minimumSizeHint() const {
    constexpr QSize kLeast(300, 150);  // a dock's smallest
    return kLeast;
}

void SectionView::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    switch (event->type()) {
        case QEvent::LanguageChange:
            retranslate();
            break;
        case QEvent::PaletteChange:
        case QEvent::FontChange:
        case QEvent::StyleChange:
            look();
            if (d_->section) fill();
            break;
        default:
            break;
    }
}

bool SectionView::eventFilter(QObject* watched, QEvent* event) {
    if (watched == d_->body && event->type() == QEvent::Resize) {
        d_->veil->setGeometry(d_->body->rect());
        arrange();
    }
    // The picture turned out higher or lower than it was taken to be.
    if (watched == d_->picturePage->widget() && event->type() == QEvent::LayoutRequest) arrange();
    return QWidget::eventFilter(watched, event);
}

}  // namespace trainwright::ui
