// SPDX-License-Identifier: GPL-3.0-or-later
// The catalog as it is in use: every entry, each of its figures with value, status, source and
// date, those that disagree beside the one in use; prices by region and plan.
//
// It reads and shows; a figure is overridden in a scenario, a price comes in by import.
#pragma once

#include <QWidget>

#include <memory>

#include "data/catalog/catalog.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QLineEdit;
class QPushButton;
class QSortFilterProxyModel;
class QTableView;
class QTreeView;
QT_END_NAMESPACE

namespace trainwright::ui {

class FigureModel;

class CatalogPage : public QWidget {
    Q_OBJECT

public:
    explicit CatalogPage(QWidget* parent = nullptr);
    ~CatalogPage() override;

    /// Of this thread; outlives the page or is replaced before it goes. nullptr: none.
    void setCatalog(const catalog::Catalog* catalog);
    /// Opens the entry and puts the cursor on the figure. False: there is no such entry.
    bool showFigure(const QString& kind, const QString& id, const QString& key = {});
    [[nodiscard]] int rowCount() const;
    void focusSearch();

signals:
    void overrideRequested(const QString& kind, const QString& id, const QString& key);
    void importRequested();

protected:
    void changeEvent(QEvent* event) override;

private:
    void fillTree();
    void showEntry(const QString& kind, const QString& id);
    void showDetail();
    void retranslate();
    void copyRows();

    const catalog::Catalog* catalog_ = nullptr;
    QLineEdit* search_;
    QTreeView* tree_;
    QTableView* table_;
    QLabel *title_, *detail_;
    QPushButton *override_, *import_, *copy_;
    class EntryModel;
    EntryModel* entries_;
    QSortFilterProxyModel* filter_;
    FigureModel* figures_;
    QString kind_, id_;
};

}  // namespace trainwright::ui
