// SPDX-License-Identifier: GPL-3.0-or-later
// The table behind a chart, as an item model and as a widget.
//
// Groups are rows of their own above the rows they hold, and stay together and in their order
// whatever a column is sorted by; totals stay last in their group. What is displayed is the
// section's own text; the sort role has the raw number.
#pragma once

#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QTableView>

#include <memory>
#include <vector>

#include "reports/document.h"

QT_BEGIN_NAMESPACE
class QLineEdit;
QT_END_NAMESPACE

namespace trainwright::ui {

class SectionTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        SortRole = Qt::UserRole,  ///< double, or the text; nothing where nothing is known
        KeyRole,                  ///< reports::Row::key
        LinkRole,                 ///< of the cell, id of a target
        UrlRole,
        GroupRole,    ///< int: place of the row's group
        IsTitleRole,  ///< bool: the row is a group's title
        IsTotalRole,
        ToneRole,   ///< int: reports::Tone
        IsNoteRole  ///< bool: a second line of the row above
    };

    explicit SectionTableModel(QObject* parent = nullptr);
    /// The table is kept alive by `owner` (the section it stands in).
    void setTable(std::shared_ptr<const void> owner, const reports::Table* table);
    [[nodiscard]] const reports::Table* table() const { return table_; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    /// The row that a note belongs to; of others themselves.
    [[nodiscard]] int headOf(int row) const;

private:
    struct Line {
        int group = 0;
        const reports::Row* row = nullptr;  ///< none: the group's title
        const Text* note = nullptr;         ///< of the row
        const Text* title = nullptr;        ///< of the group
    };
    [[nodiscard]] const reports::Cell* cellAt(const QModelIndex& index) const;

    std::shared_ptr<const void> owner_;
    const reports::Table* table_ = nullptr;
    std::vector<Line> lines_;
};

/// Sorts inside groups: titles first, totals last, what is not known after what is.
class SectionSortModel : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit SectionSortModel(QObject* parent = nullptr);
    void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    Qt::SortOrder order_ = Qt::AscendingOrder;
};

class SectionTable : public QTableView {
    Q_OBJECT
public:
    explicit SectionTable(QWidget* parent = nullptr);

    void setTable(std::shared_ptr<const void> owner, const reports::Table* table);
    [[nodiscard]] SectionTableModel* tableModel() const { return model_; }
    /// Marks the rows of the key, without a signal.
    void setChosen(const QString& key);

    /// The selected rows, or all of them, with a line of titles, as tab-separated values.
    [[nodiscard]] QString tsv() const;
    [[nodiscard]] QString tsvOf(const QString& key) const;
    /// Moves to the next row that holds `words`; false: none does.
    bool findNext(const QString& words);

    /// Height at which every row is seen.
    [[nodiscard]] int fullHeight() const;

public slots:
    void copySelection();
    void openFind();

signals:
    void keyActivated(const QString& key);
    void keySelected(const QString& key);
    /// `link`: id in a document; `url`: an outside address. One of them is empty.
    void linkActivated(const QString& link, const QString& url);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void columnMenu(const QPoint& at);
    void activate(const QModelIndex& index);
    void sortBy(int column);
    void fitColumns();
    void layoutRows();
    void placeFind();
    void showFound();
    [[nodiscard]] QString titleOf(int column) const;
    [[nodiscard]] QString tsvOfRows(const std::vector<int>& rows, bool withTitles) const;

    SectionTableModel* model_;
    SectionSortModel* sort_;
    QLineEdit* find_ = nullptr;
    QString id_;            ///< of the table
    QSet<QString> hidden_;  ///< titles of columns that the reader doesn't want
    bool silent_ = false;
};

}  // namespace trainwright::ui
