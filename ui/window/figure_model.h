// SPDX-License-Identifier: GPL-3.0-or-later
// The figures or prices of one catalog entry as rows: what is in use first within each key, what
// disagrees behind it.
#pragma once

#include <QAbstractTableModel>

#include <string>
#include <vector>

#include "data/catalog/catalog.h"

namespace trainwright::ui {

class FigureModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Column { Key, Value, Status, Source, Seen, Note, kColumns };
    enum Role { InUseRole = Qt::UserRole, KeyRole };

    explicit FigureModel(QObject* parent = nullptr);
    void clear();
    void setFigures(std::vector<catalog::Figure> figures);
    void setPrices(std::vector<catalog::PriceRow> prices);
    [[nodiscard]] const catalog::Figure* figure(int row) const;
    [[nodiscard]] const catalog::PriceRow* price(int row) const;
    [[nodiscard]] int rowOf(const std::string& key) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index,
                                int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    [[nodiscard]] QString text(int row, int column) const;

    std::vector<catalog::Figure> figures_;
    std::vector<catalog::PriceRow> prices_;
};

}  // namespace trainwright::ui
