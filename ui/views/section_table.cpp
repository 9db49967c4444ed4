// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/section_table.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

#include "ui/look/look.h"

namespace trainwright::ui {
namespace {

QString words(const Text& text) {
    return QString::fromStdString(text.english());
}

reports::Role roleOf(reports::Tone tone) {
    switch (tone) {
        case reports::Tone::Quiet:
        case reports::Tone::NotKnown:
            return reports::Role::SecondText;
        case reports::Tone::Good:
            return reports::Role::Good;
        case reports::Tone::Warning:
            return reports::Role::Warning;
        case reports::Tone::Error:
            return reports::Role::Error;
        case reports::Tone::Override:
            return reports::Role::Override;
        case reports::Tone::Plain:
        case reports::Tone::Strong:
            break;
    }
    return reports::Role::Text;
}

}  // namespace

// ---- the model ------------------------------------------------------------------------------

SectionTableModel::SectionTableModel(QObject* parent) : QAbstractTableModel(parent) {}

void SectionTableModel::setTable(std::shared_ptr<const void> owner, const reports::Table* table) {
    beginResetModel();
    owner_ = std::move(owner);
    table_ = table;
    lines_.clear();
    int group = 0;
    static const std::vector<reports::RowGroup> kNone;
    for (const reports::RowGroup& rows : table ? table->groups : kNone) {
        if (!rows.title.empty()) lines_.push_back({group, nullptr, nullptr, &rows.title});
        for (const reports::Row& row : rows.rows) {
            lines_.push_back({group, &row, nullptr, nullptr});
            for (const Text& note : row.notes)
                if (!note.empty()) lines_.push_back({group, &row, &note, nullptr});
        }
        ++group;
    }
    endResetModel();
}

int SectionTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int SectionTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !table_ ? 0 : static_cast<int>(table_->columns.size());
}

const reports::Cell* SectionTableModel::cellAt(const QModelIndex& index) const {
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    const auto column = static_cast<std::size_t>(index.column());
    return line.row && column < line.row->cells.size() ? &line.row->cells[column] : nullptr;
}

QVariant SectionTableModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid))
        return {};
    const Line& line = lines_[static_cast<std::size_t>(index.row())];
    const reports::Column& column = table_->columns[static_cast<std::size_t>(index.column())];
    switch (role) {
        case GroupRole:
            return line.group;
        case IsTitleRole:
            return line.row == nullptr;
        case IsNoteRole:
            return line.note != nullptr;
        case IsTotalRole:
            return line.row != nullptr && line.row->isTotal;
        case KeyRole:
            return line.row ? QString::fromStdString(line.row->key) : QString();
        default:
            break;
    }
    if (!line.row || line.note) {
        const Text& spanning = line.row ? *line.note : *line.title;
        switch (role) {
            case Qt::DisplayRole:
            case Qt::AccessibleTextRole:
            case Qt::ToolTipRole:
                return index.column() == 0 ? QVariant(words(spanning)) : QVariant();
            case Qt::TextAlignmentRole:
                return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
            default:
                return {};
        }
    }
    const reports::Cell* cell = cellAt(index);
    if (role == SortRole) {
        // The notes of a row go where it goes.
        if (!cell) return {};
        if (cell->number) return *cell->number;
        return column.numeric || cell->tone == reports::Tone::NotKnown
                   ? QVariant()
                   : QVariant(words(cell->display));
    }
    if (!cell) return {};
    switch (role) {
        case Qt::DisplayRole:
            return words(cell->display);
        case Qt::TextAlignmentRole:
            return static_cast<int>((column.numeric ? Qt::AlignRight : Qt::AlignLeft) |
                                    Qt::AlignVCenter);
        case Qt::ToolTipRole: {
            const QString shown = words(cell->display);
            if (!cell->number || cell->unit.empty()) return shown;
            return tr("%1: %2 (in %3)")
                .arg(words(column.title), shown, QString::fromStdString(cell->unit));
        }
        case Qt::AccessibleTextRole:
            return tr("%1: %2").arg(words(column.title), words(cell->display));
        case LinkRole:
            // A candidate's own section is the candidate, which the row's key says already.
            return cell->link.rfind("candidate-", 0) == 0 ? QString()
                                                          : QString::fromStdString(cell->link);
        case UrlRole:
            return QString::fromStdString(cell->url);
        case ToneRole:
            return static_cast<int>(cell->tone == reports::Tone::Plain ? line.row->tone
                                                                       : cell->tone);
        default:
            return {};
    }
}

QVariant SectionTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !table_ || section < 0 || section >= columnCount())
        return {};
    const reports::Column& column = table_->columns[static_cast<std::size_t>(section)];
    switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return words(column.title);
        case Qt::TextAlignmentRole:
            return static_cast<int>((column.numeric ? Qt::AlignRight : Qt::AlignLeft) |
                                    Qt::AlignVCenter);
        default:
            return {};
    }
}

Qt::ItemFlags SectionTableModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) return Qt::NoItemFlags;
    if (data(index, IsTitleRole).toBool()) return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
}

// ---- order ----------------------------------------------------------------------------------

SectionSortModel::SectionSortModel(QObject* parent) : QSortFilterProxyModel(parent) {
    setSortRole(SectionTableModel::SortRole);
    setDynamicSortFilter(false);
}

void SectionSortModel::sort(int column, Qt::SortOrder order) {
    order_ = order;
    QSortFilterProxyModel::sort(column, order);
}

bool SectionSortModel::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool ascending = order_ == Qt::AscendingOrder;
    // "Before" on the screen, whichever way a column is sorted.
    const auto before = [ascending](bool isBefore) { return isBefore == ascending; };
    const auto whole = [](const QModelIndex& i, int role) { return i.data(role).toInt(); };
    const auto flag = [](const QModelIndex& i, int role) { return i.data(role).toBool(); };
    const auto& source = *static_cast<const SectionTableModel*>(sourceModel());
    const int leftGroup = whole(left, SectionTableModel::GroupRole);
    const int rightGroup = whole(right, SectionTableModel::GroupRole);
    if (leftGroup != rightGroup) return before(leftGroup < rightGroup);
    const bool leftTitle = flag(left, SectionTableModel::IsTitleRole);
    if (leftTitle != flag(right, SectionTableModel::IsTitleRole)) return before(leftTitle);
    const bool leftTotal = flag(left, SectionTableModel::IsTotalRole);
    if (leftTotal != flag(right, SectionTableModel::IsTotalRole)) return before(!leftTotal);
    const int leftHead = source.headOf(left.row()), rightHead = source.headOf(right.row());
    // A row and its notes, or two totals.
    if (leftHead == rightHead || leftTotal) return before(left.row() < right.row());
    const QVariant a = source.index(leftHead, left.column()).data(SectionTableModel::SortRole);
    const QVariant b = source.index(rightHead, right.column()).data(SectionTableModel::SortRole);
    if (a.isValid() != b.isValid()) return before(a.isValid());
    if (a.isValid()) {
        if (a.userType() == QMetaType::Double && b.userType() == QMetaType::Double) {
            if (a.toDouble() != b.toDouble()) return a.toDouble() < b.toDouble();
        } else if (const int order = a.toString().localeAwareCompare(b.toString()); order != 0) {
            return order < 0;
        }
    }
    return before(leftHead < rightHead);
}

int SectionTableModel::headOf(int row) const {
    while (row > 0 && lines_[static_cast<std::size_t>(row)].note) --row;
    return row;
}

// ---- the widget -----------------------------------------------------------------------------

namespace {

constexpr int kInset = 4;

/// Tones as colour and weight; titles of groups and notes over the whole width.
class CellDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
        QStyledItemDelegate::initStyleOption(option, index);
        option->textElideMode = Qt::ElideRight;
        if (index.data(SectionTableModel::IsTitleRole).toBool()) {
            option->font.setBold(true);
            option->palette.setColor(QPalette::Text,
                                     colour(reports::Role::SecondText, option->palette));
            return;
        }
        if (index.data(SectionTableModel::IsNoteRole).toBool()) {
            option->features |= QStyleOptionViewItem::WrapText;
            option->palette.setColor(QPalette::Text,
                                     colour(reports::Role::SecondText, option->palette));
            return;
        }
        const auto tone =
            static_cast<reports::Tone>(index.data(SectionTableModel::ToneRole).toInt());
        if (tone == reports::Tone::Strong || index.data(SectionTableModel::IsTotalRole).toBool())
            option->font.setBold(true);
        if (tone == reports::Tone::NotKnown) option->font.setItalic(true);
        if (tone != reports::Tone::Plain && tone != reports::Tone::Strong)
            option->palette.setColor(QPalette::Text, colour(roleOf(tone), option->palette));
        if (!index.data(SectionTableModel::LinkRole).toString().isEmpty() ||
            !index.data(SectionTableModel::UrlRole).toString().isEmpty())
            option->font.setUnderline(true);
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        // The background goes over the whole cell, words keep off its sides.
        QStyleOptionViewItem whole = option;
        initStyleOption(&whole, index);
        const QWidget* view = option.widget;
        const QStyle* style = view ? view->style() : QApplication::style();
        style->drawPrimitive(QStyle::PE_PanelItemViewItem, &whole, painter, view);
        QStyleOptionViewItem inner = option;
        inner.rect.adjust(kInset, 0, -kInset, 0);
        QStyledItemDelegate::paint(painter, inner, index);
        if (!index.data(SectionTableModel::IsTotalRole).toBool()) return;
        painter->setPen(colour(reports::Role::Axis, option.palette));
        painter->drawLine(option.rect.topLeft(), option.rect.topRight());
    }
};

constexpr int kPadding = 10;

}  // namespace

SectionTable::SectionTable(QWidget* parent)
    : QTableView(parent), model_(new SectionTableModel(this)), sort_(new SectionSortModel(this)) {
    setObjectName(QStringLiteral("table"));
    sort_->setSourceModel(model_);
    setModel(sort_);
    setItemDelegate(new CellDelegate(this));
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    setShowGrid(false);
    setWordWrap(true);
    setMouseTracking(true);
    setCornerButtonEnabled(false);
    setTabKeyNavigation(false);
    verticalHeader()->hide();
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    verticalHeader()->setMinimumSectionSize(1);
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(true);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    connect(horizontalHeader(), &QHeaderView::customContextMenuRequested, this,
            &SectionTable::columnMenu);
    connect(horizontalHeader(), &QHeaderView::sectionClicked, this, &SectionTable::sortBy);
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this] { layoutRows(); });
    connect(this, &QTableView::clicked, this, [this](const QModelIndex& index) {
        const QString link = index.data(SectionTableModel::LinkRole).toString();
        const QString url = index.data(SectionTableModel::UrlRole).toString();
        if (!link.isEmpty() || !url.isEmpty()) emit linkActivated(link, url);
    });
    connect(this, &QTableView::doubleClicked, this, &SectionTable::activate);
    connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& index) {
                const QString key = index.data(SectionTableModel::KeyRole).toString();
                if (!silent_ && !key.isEmpty()) emit keySelected(key);
            });
}

void SectionTable::setTable(std::shared_ptr<const void> owner, const reports::Table* table) {
    const bool isSame = table && model_->table() && id_ == QString::fromStdString(table->id);
    const QString chosen = currentIndex().data(SectionTableModel::KeyRole).toString();
    const QPoint scrolled(horizontalScrollBar()->value(), verticalScrollBar()->value());
    silent_ = true;
    id_ = table ? QString::fromStdString(table->id) : QString();
    model_->setTable(std::move(owner), table);
    const int sortColumn = horizontalHeader()->sortIndicatorSection();
    if (!isSame || !table->sortable || sortColumn >= model_->columnCount()) {
        horizontalHeader()->setSortIndicatorShown(false);
        sort_->sort(-1);
    } else if (horizontalHeader()->isSortIndicatorShown()) {
        sort_->sort(sortColumn, horizontalHeader()->sortIndicatorOrder());
    }
    if (!isSame) hidden_.clear();
    for (int c = 0; c < model_->columnCount(); ++c)
        setColumnHidden(c, hidden_.contains(titleOf(c)));
    setAccessibleName(table ? words(table->caption) : QString());
    fitColumns();
    if (isSame) {
        setChosen(chosen);
        horizontalScrollBar()->setValue(scrolled.x());
        verticalScrollBar()->setValue(scrolled.y());
    }
    silent_ = false;
}

QString SectionTable::titleOf(int column) const {
    return model_->headerData(column, Qt::Horizontal).toString();
}

void SectionTable::sortBy(int column) {
    if (!model_->table() || !model_->table()->sortable) return;
    QHeaderView* header = horizontalHeader();
    const bool again = header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
    if (again && header->sortIndicatorOrder() == Qt::DescendingOrder) {
        // The third click gives the order of the answer back.
        header->setSortIndicatorShown(false);
        sort_->sort(-1);
    } else {
        const Qt::SortOrder order = again ? Qt::DescendingOrder : Qt::AscendingOrder;
        header->setSortIndicatorShown(true);
        header->setSortIndicator(column, order);
        sort_->sort(column, order);
    }
    layoutRows();
}

void SectionTable::fitColumns() {
    const QFontMetrics metrics(font());
    QFont bold = font();
    bold.setBold(true);
    const QFontMetrics strong(bold);
    const int most = metrics.averageCharWidth() * 48;
    for (int c = 0; c < model_->columnCount(); ++c) {
        int wide = strong.horizontalAdvance(titleOf(c)) + 3 * kPadding +
                   style()->pixelMetric(QStyle::PM_HeaderMarkSize, nullptr, this);
        for (int r = 0; r < model_->rowCount(); ++r) {
            const QModelIndex index = model_->index(r, c);
            if (index.data(SectionTableModel::IsTitleRole).toBool() ||
                index.data(SectionTableModel::IsNoteRole).toBool())
                continue;
            wide = std::max(wide, strong.horizontalAdvance(index.data().toString()) + 2 * kPadding);
        }
        const QSignalBlocker quiet(horizontalHeader());
        setColumnWidth(c, std::min(wide, most));
    }
    layoutRows();
}

/// Spans of titles and notes, and heights: notes wrap.
void SectionTable::layoutRows() {
    clearSpans();
    const QFontMetrics metrics(font());
    const int line = metrics.height() + 6;
    int wide = 0;
    for (int c = 0; c < sort_->columnCount(); ++c) wide += isColumnHidden(c) ? 0 : columnWidth(c);
    const int seen = std::max(viewport()->width(), 200);
    for (int r = 0; r < sort_->rowCount(); ++r) {
        const QModelIndex index = sort_->index(r, 0);
        const bool isNote = index.data(SectionTableModel::IsNoteRole).toBool();
        const bool isSpanned = isNote || index.data(SectionTableModel::IsTitleRole).toBool();
        int height = line;
        if (isSpanned && sort_->columnCount() > 1) setSpan(r, 0, 1, sort_->columnCount());
        if (isNote) {
            const int room = std::max(std::min(wide, seen), 120) - 2 * kPadding;
            const QRect box = metrics.boundingRect(QRect(0, 0, room, 10000), Qt::TextWordWrap,
                                                   index.data().toString());
            height = box.height() + 4;
        }
        setRowHeight(r, height);
    }
}

int SectionTable::fullHeight() const {
    return horizontalHeader()->sizeHint().height() + verticalHeader()->length() + 2 * frameWidth() +
           horizontalScrollBar()->sizeHint().height();
}

void SectionTable::setChosen(const QString& key) {
    silent_ = true;
    QItemSelection rows;
    QModelIndex first;
    for (int r = 0; !key.isEmpty() && r < sort_->rowCount(); ++r) {
        const QModelIndex index = sort_->index(r, 0);
        if (index.data(SectionTableModel::KeyRole).toString() != key ||
            index.data(SectionTableModel::IsNoteRole).toBool())
            continue;
        if (!first.isValid()) first = index;
        rows.select(index, sort_->index(r, sort_->columnCount() - 1));
    }
    selectionModel()->select(rows, QItemSelectionModel::ClearAndSelect);
    if (first.isValid()) selectionModel()->setCurrentIndex(first, QItemSelectionModel::NoUpdate);
    silent_ = false;
}

QString SectionTable::tsvOfRows(const std::vector<int>& rows, bool withTitles) const {
    QStringList lines;
    const auto line = [&](const auto& cellOf) {
        QStringList cells;
        for (int c = 0; c < sort_->columnCount(); ++c)
            if (!isColumnHidden(c)) {
                QString cell = cellOf(c);
                cell.replace(QLatin1Char('\t'), QLatin1Char(' '));
                cell.replace(QLatin1Char('\n'), QLatin1Char(' '));
                cells << cell;
            }
        lines << cells.join(QLatin1Char('\t'));
    };
    if (withTitles) line([&](int c) { return titleOf(c); });
    for (int row : rows) line([&](int c) { return sort_->index(row, c).data().toString(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QString SectionTable::tsv() const {
    const auto isData = [this](int row) {
        const QModelIndex index = sort_->index(row, 0);
        return !index.data(SectionTableModel::IsTitleRole).toBool() &&
               !index.data(SectionTableModel::IsNoteRole).toBool();
    };
    std::vector<int> rows;
    for (const QModelIndex& index : selectionModel()->selectedRows())
        if (isData(index.row())) rows.push_back(index.row());
    std::sort(rows.begin(), rows.end());
    for (int r = 0; rows.empty() && r < sort_->rowCount(); ++r) {
        while (r < sort_->rowCount() && !isData(r)) ++r;
        for (int all = r; all < sort_->rowCount(); ++all)
            if (isData(all)) rows.push_back(all);
        break;
    }
    return tsvOfRows(rows, true);
}

QString SectionTable::tsvOf(const QString& key) const {
    std::vector<int> rows;
    for (int r = 0; r < sort_->rowCount(); ++r) {
        const QModelIndex index = sort_->index(r, 0);
        if (index.data(SectionTableModel::KeyRole).toString() == key &&
            !index.data(SectionTableModel::IsNoteRole).toBool())
            rows.push_back(r);
    }
    return rows.empty() ? QString() : tsvOfRows(rows, true);
}

void SectionTable::copySelection() {
    QApplication::clipboard()->setText(tsv());
}

bool SectionTable::findNext(const QString& searched) {
    if (searched.isEmpty() || sort_->rowCount() == 0) return false;
    const int rows = sort_->rowCount();
    const int from = currentIndex().isValid() ? currentIndex().row() : -1;
    for (int step = 1; step <= rows; ++step) {
        const int row = (from + step + rows) % rows;
        for (int c = 0; c < sort_->columnCount(); ++c) {
            const QModelIndex index = sort_->index(row, c);
            if (!index.data().toString().contains(searched, Qt::CaseInsensitive)) continue;
            setCurrentIndex(index);
            scrollTo(index);
            return true;
        }
    }
    return false;
}

void SectionTable::openFind() {
    if (!find_) {
        find_ = new QLineEdit(this);
        find_->setObjectName(QStringLiteral("find-row"));
        find_->setClearButtonEnabled(true);
        connect(find_, &QLineEdit::returnPressed, this, [this] { showFound(); });
        connect(find_, &QLineEdit::textEdited, this, [this] {
            setCurrentIndex({});
            showFound();
        });
        find_->installEventFilter(this);
    }
    find_->setPlaceholderText(tr("Find a row"));
    find_->setAccessibleName(tr("Find a row"));
    placeFind();
    find_->show();
    find_->setFocus();
    find_->selectAll();
}

void SectionTable::showFound() {
    const bool found = findNext(find_->text());
    QPalette own;
    if (!found && !find_->text().isEmpty())
        own.setColor(QPalette::Text, colour(reports::Role::Error, palette()));
    find_->setPalette(own);
    find_->setToolTip(found || find_->text().isEmpty() ? QString() : tr("No row holds this."));
}

bool SectionTable::eventFilter(QObject* watched, QEvent* event) {
    if (watched == find_ && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape) {
        find_->hide();
        setFocus();
        return true;
    }
    return QTableView::eventFilter(watched, event);
}

void SectionTable::placeFind() {
    if (!find_) return;
    const int wide = std::min(width() - 8, fontMetrics().averageCharWidth() * 32);
    const QSize size(wide, find_->sizeHint().height());
    find_->setGeometry(QRect(QPoint(width() - wide - 4, 4), size));
    find_->raise();
}

void SectionTable::activate(const QModelIndex& index) {
    const QString key = index.data(SectionTableModel::KeyRole).toString();
    const QString link = index.data(SectionTableModel::LinkRole).toString();
    const QString url = index.data(SectionTableModel::UrlRole).toString();
    if (!link.isEmpty() || !url.isEmpty())
        emit linkActivated(link, url);
    else if (!key.isEmpty())
        emit keyActivated(key);
}

void SectionTable::columnMenu(const QPoint& at) {
    QMenu menu(this);
    menu.setObjectName(QStringLiteral("columns-menu"));
    int shown = 0;
    for (int c = 0; c < model_->columnCount(); ++c) shown += isColumnHidden(c) ? 0 : 1;
    for (int c = 0; c < model_->columnCount(); ++c) {
        const QString title = titleOf(c);
        if (title.isEmpty()) continue;
        QAction* action = menu.addAction(title);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(c));
        action->setEnabled(isColumnHidden(c) || shown > 1);
        connect(action, &QAction::toggled, this, [this, c, title](bool on) {
            setColumnHidden(c, !on);
            if (on)
                hidden_.remove(title);
            else
                hidden_.insert(title);
            layoutRows();
        });
    }
    menu.exec(horizontalHeader()->mapToGlobal(at));
}

void SectionTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) return copySelection();
    if (event->matches(QKeySequence::Find)) return openFind();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) &&
        currentIndex().isValid())
        return activate(currentIndex());
    if (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier)
        return columnMenu(QPoint(4, horizontalHeader()->height()));
    QTableView::keyPressEvent(event);
}

void SectionTable::mouseMoveEvent(QMouseEvent* event) {
    const QModelIndex index = indexAt(event->pos());
    const bool isLink = !index.data(SectionTableModel::LinkRole).toString().isEmpty() ||
                        !index.data(SectionTableModel::UrlRole).toString().isEmpty();
    viewport()->setCursor(isLink ? Qt::PointingHandCursor : Qt::ArrowCursor);
    QTableView::mouseMoveEvent(event);
}

void SectionTable::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    placeFind();
    if (event->size().width() != event->oldSize().width()) layoutRows();
}

void SectionTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) fitColumns();
}

}  // namespace trainwright::ui
