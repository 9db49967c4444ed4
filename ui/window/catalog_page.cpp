// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/catalog_page.h"

#include <algorithm>

#include "ui/window/figure_model.h"

namespace trainwright::ui {
namespace {

constexpr int kKindRole = Qt::UserRole + 1;
constexpr int kIdRole = Qt::UserRole + 2;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

}  // namespace

/// Kinds with their entries; priced units a kind of their own.
class CatalogPage::EntryModel : public QStandardItemModel {
public:
    using QStandardItemModel::QStandardItemModel;
};

CatalogPage::CatalogPage(QWidget* parent)
    : QWidget(parent),
      search_(new QLineEdit(this)),
      tree_(new QTreeView(this)),
      table_(new QTableView(this)),
      title_(new QLabel(this)),
      detail_(new QLabel(this)),
      override_(new QPushButton(this)),
      import_(new QPushButton(this)),
      copy_(new QPushButton(this)),
      entries_(new EntryModel(this)),
      filter_(new QSortFilterProxyModel(this)),
      figures_(new FigureModel(this)) {
    setObjectName(QStringLiteral("catalogPage"));
    search_->setObjectName(QStringLiteral("catalogSearch"));
    search_->setClearButtonEnabled(true);
    tree_->setObjectName(QStringLiteral("catalogEntries"));
    tree_->setHeaderHidden(true);
    tree_->setUniformRowHeights(true);
    tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
    filter_->setSourceModel(entries_);
    filter_->setRecursiveFilteringEnabled(true);
    filter_->setFilterCaseSensitivity(Qt::CaseInsensitive);
    tree_->setModel(filter_);
    table_->setObjectName(QStringLiteral("catalogFigures"));
    table_->setModel(figures_);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setWordWrap(false);
    table_->setAlternatingRowColors(true);
    table_->verticalHeader()->hide();
    table_->horizontalHeader()->setStretchLastSection(true);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->setTabKeyNavigation(false);
    QFont bold = title_->font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 1.15);
    title_->setFont(bold);
    detail_->setWordWrap(true);
    detail_->setTextFormat(Qt::RichText);
    detail_->setOpenExternalLinks(true);
    detail_->setTextInteractionFlags(Qt::TextBrowserInteraction);
    detail_->setMinimumHeight(fontMetrics().lineSpacing() * 4);
    detail_->setAlignment(Qt::AlignTop | Qt::AlignLeft);
    override_->setObjectName(QStringLiteral("catalogOverride"));
    import_->setObjectName(QStringLiteral("catalogImport"));
    copy_->setObjectName(QStringLiteral("catalogCopy"));

    auto* left = new QWidget(this);
    auto* leftLayout = new QVBoxLayout(left);
    leftLayout->setContentsMargins(0, 0, 0, 0);
    leftLayout->addWidget(search_);
    leftLayout->addWidget(tree_, 1);
    auto* right = new QWidget(this);
    auto* rightLayout = new QVBoxLayout(right);
    rightLayout->setContentsMargins(0, 0, 0, 0);
    rightLayout->addWidget(title_);
    rightLayout->addWidget(table_, 1);
    rightLayout->addWidget(detail_);
    auto* buttons = new QHBoxLayout;
    buttons->addWidget(override_);
    buttons->addWidget(copy_);
    buttons->addStretch(1);
    buttons->addWidget(import_);
    rightLayout->addLayout(buttons);
    auto* splitter = new QSplitter(this);
    splitter->addWidget(left);
    splitter->addWidget(right);
    splitter->setStretchFactor(0, 1);
    splitter->setStretchFactor(1, 4);
    splitter->setChildrenCollapsible(false);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(splitter);

    connect(search_, &QLineEdit::textChanged, this, [this](const QString& words) {
        filter_->setFilterFixedString(words);
        if (!words.isEmpty()) tree_->expandAll();
    });
    connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this,
            [this](const QModelIndex& index) {
                const QString id = index.data(kIdRole).toString();
                if (!id.isEmpty()) showEntry(index.data(kKindRole).toString(), id);
            });
    connect(table_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            &CatalogPage::showDetail);
    connect(override_, &QPushButton::clicked, this, [this] {
        if (const catalog::Figure* f = figures_->figure(table_->currentIndex().row()))
            emit overrideRequested(qt(f->kind), qt(f->id), qt(f->key));
    });
    connect(import_, &QPushButton::clicked, this, &CatalogPage::importRequested);
    connect(copy_, &QPushButton::clicked, this, &CatalogPage::copyRows);
    auto* copyKey = new QShortcut(QKeySequence::Copy, table_);
    copyKey->setContext(Qt::WidgetShortcut);
    connect(copyKey, &QShortcut::activated, this, &CatalogPage::copyRows);
    retranslate();
}

CatalogPage::~CatalogPage() = default;

void CatalogPage::setCatalog(const catalog::Catalog* catalog) {
    catalog_ = catalog;
    const QString kind = kind_, id = id_;
    fillTree();
    figures_->clear();
    showDetail();
    if (!id.isEmpty()) showFigure(kind, id);
}

void CatalogPage::fillTree() {
    entries_->clear();
    if (catalog_ == nullptr) return;
    const auto group = [this](const QString& title, const QString& kind) {
        auto* item = new QStandardItem(title);
        item->setData(kind, kKindRole);
        item->setSelectable(false);
        return item;
    };
    for (const std::string& kind : catalog::kinds()) {
        QStandardItem* top = group(qt(kind), qt(kind));
        for (const catalog::Entry& entry : catalog_->entries(kind)) {
            auto* item = new QStandardItem(entry.name.empty() || entry.name == entry.id
                                               ? qt(entry.id)
                                               : tr("%1 (%2)").arg(qt(entry.id), qt(entry.name)));
            item->setData(qt(kind), kKindRole);
            item->setData(qt(entry.id), kIdRole);
            top->appendRow(item);
        }
        if (top->rowCount() > 0)
            entries_->appendRow(top);
        else
            delete top;
    }
    QStandardItem* prices = group(tr("prices"), QStringLiteral("price"));
    for (const catalog::PricedUnit& unit : catalog_->pricedUnits()) {
        auto* item = new QStandardItem(qt(unit.id));
        item->setData(QStringLiteral("price"), kKindRole);
        item->setData(qt(unit.id), kIdRole);
        prices->appendRow(item);
    }
    entries_->appendRow(prices);
}

void CatalogPage::showEntry(const QString& kind, const QString& id) {
    if (catalog_ == nullptr) return;
    kind_ = kind;
    id_ = id;
    if (kind == QLatin1String("price")) {
        figures_->setPrices(catalog_->prices(id.toStdString()));
        title_->setText(tr("Prices of %1").arg(id));
    } else {
        figures_->setFigures(catalog_->figures(kind.toStdString(), id.toStdString()));
        title_->setText(tr("%1 %2").arg(kind, id));
    }
    const int character = fontMetrics().averageCharWidth();
    table_->setColumnWidth(FigureModel::Key, character * 42);
    table_->setColumnWidth(FigureModel::Value, character * 20);
    table_->setColumnWidth(FigureModel::Status, character * 13);
    table_->setColumnWidth(FigureModel::Source, character * 40);
    table_->setColumnWidth(FigureModel::Seen, character * 13);
    if (figures_->rowCount() > 0) table_->selectRow(0);
    showDetail();
}

bool CatalogPage::showFigure(const QString& kind, const QString& id, const QString& key) {
    for (int k = 0; k < entries_->rowCount(); ++k) {
        const QStandardItem* top = entries_->item(k);
        if (top->data(kKindRole).toString() != kind) continue;
        for (int i = 0; i < top->rowCount(); ++i) {
            if (top->child(i)->data(kIdRole).toString() != id) continue;
            search_->clear();
            const QModelIndex index = filter_->mapFromSource(top->child(i)->index());
            tree_->setCurrentIndex(index);
            tree_->scrollTo(index);
            if (kind != kind_ || id != id_) showEntry(kind, id);
            const int row = figures_->rowOf(key.toStdString());
            if (row >= 0) {
                table_->selectRow(row);
                table_->scrollTo(figures_->index(row, 0));
            }
            return true;
        }
    }
    return false;
}

int CatalogPage::rowCount() const {
    return figures_->rowCount();
}

void CatalogPage::focusSearch() {
    search_->setFocus(Qt::ShortcutFocusReason);
    search_->selectAll();
}

void CatalogPage::showDetail() {
    const int row = table_->currentIndex().row();
    const catalog::Figure* f = figures_->figure(row);
    override_->setEnabled(f != nullptr);
    copy_->setEnabled(figures_->rowCount() > 0);
    if (f == nullptr) {
        const catalog::PriceRow* p = figures_->price(row);
        detail_->setText(p == nullptr ? QString() : qt(p->note).toHtmlEscaped());
        return;
    }
    QStringList lines;
    const QString source = qt(f->source.title).toHtmlEscaped();
    const QString url = qt(f->source.url);
    lines.append(
        tr("Source: %1")
            .arg(url.startsWith(QLatin1String("http"))
                     ? QStringLiteral("<a href=\"%1\">%2</a>").arg(url.toHtmlEscaped(), source)
                     : source));
    QStringList others;
    for (int i = 0; i < figures_->rowCount(); ++i)
        if (const catalog::Figure* o = figures_->figure(i); i != row && o->key == f->key)
            others.append(figures_->index(i, FigureModel::Value).data().toString() +
                          QStringLiteral(" (") +
                          figures_->index(i, FigureModel::Status).data().toString() +
                          QStringLiteral(", ") + qt(o->source.title) + QStringLiteral(")"));
    if (!others.isEmpty())
        lines.append(tr("Also seen: %1").arg(others.join(QStringLiteral("; ")).toHtmlEscaped()));
    if (!f->note.empty()) lines.append(qt(f->note).toHtmlEscaped());
    detail_->setText(lines.join(QStringLiteral("<br>")));
}

void CatalogPage::copyRows() {
    QStringList lines;
    QStringList titles;
    for (int c = 0; c < FigureModel::kColumns; ++c)
        titles.append(figures_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString());
    lines.append(titles.join(QLatin1Char('\t')));
    const QModelIndexList chosen = table_->selectionModel()->selectedRows();
    const auto add = [&](int row) {
        QStringList cells;
        for (int c = 0; c < FigureModel::kColumns; ++c)
            cells.append(figures_->index(row, c).data().toString());
        lines.append(cells.join(QLatin1Char('\t')));
    };
    for (int row = 0; row < figures_->rowCount(); ++row)
        if (chosen.size() < 2 || table_->selectionModel()->isRowSelected(row, {})) add(row);
    QGuiApplication::clipboard()->setText(lines.join(QLatin1Char('\n')));
}

void CatalogPage::retranslate() {
    search_->setPlaceholderText(tr("Find an entry"));
    search_->setAccessibleName(tr("Find an entry of the catalog"));
    tree_->setAccessibleName(tr("Entries of the catalog"));
    table_->setAccessibleName(tr("Figures of the entry"));
    override_->setText(tr("Override here…"));
    override_->setToolTip(tr("Take another value in this scenario; the catalog's stays beside it"));
    import_->setText(tr("Import prices…"));
    copy_->setText(tr("Copy rows"));
    if (title_->text().isEmpty()) title_->setText(tr("Choose an entry"));
}

void CatalogPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) {
        title_->clear();
        retranslate();
        fillTree();
        if (!id_.isEmpty()) showFigure(QString(kind_), QString(id_));
    }
}

}  // namespace trainwright::ui
