// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/figure_model.h"

#include "model/run/money.h"
#include "reports/number_format.h"
#include "ui/look/look.h"

namespace trainwright::ui {
namespace {

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

bool isInUse(const catalog::Figure& figure) {
    return figure.overridden || figure.status == catalog::Status::Adopted ||
           figure.status == catalog::Status::Estimated;
}

}  // namespace

FigureModel::FigureModel(QObject* parent) : QAbstractTableModel(parent) {}

void FigureModel::clear() {
    beginResetModel();
    figures_.clear();
    prices_.clear();
    endResetModel();
}

void FigureModel::setFigures(std::vector<catalog::Figure> figures) {
    beginResetModel();
    prices_.clear();
    figures_ = std::move(figures);
    endResetModel();
}

void FigureModel::setPrices(std::vector<catalog::PriceRow> prices) {
    beginResetModel();
    figures_.clear();
    prices_ = std::move(prices);
    endResetModel();
}

const catalog::Figure* FigureModel::figure(int row) const {
    return row >= 0 && row < static_cast<int>(figures_.size())
               ? &figures_[static_cast<std::size_t>(row)]
               : nullptr;
}

const catalog::PriceRow* FigureModel::price(int row) const {
    return row >= 0 && row < static_cast<int>(prices_.size())
               ? &prices_[static_cast<std::size_t>(row)]
               : nullptr;
}

int FigureModel::rowOf(const std::string& key) const {
    for (std::size_t i = 0; i < figures_.size(); ++i)
        if (figures_[i].key == key) return static_cast<int>(i);
    return -1;
}

int FigureModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(std::max(figures_.size(), prices_.size()));
}

int FigureModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : kColumns;
}

QString FigureModel::text(int row, int column) const {
    if (const catalog::Figure* f = figure(row)) {
        switch (column) {
            case Key:
                return qt(f->meaning.empty() ? f->key : f->meaning);
            case Value:
                return qt(reports::figureText(f->value, f->unit));
            case Status:
                return f->overridden ? tr("override") : qt(catalog::name(f->status));
            case Source:
                return qt(f->source.title);
            case Seen:
                return qt(f->observed);
            case Note:
                return qt(f->note);
            default:
                return {};
        }
    }
    if (const catalog::PriceRow* p = price(row)) {
        switch (column) {
            case Key:
                return tr("%1, %2").arg(qt(p->region), qt(run::planName(p->plan).english()));
            case Value:
                return tr("%1 USD an hour")
                    .arg(qt(
                        reports::pricePerHour(units::UsDollarsPerSecond(p->usdPerHour / 3600.0))));
            case Status:
                return qt(p->status);
            case Source:
                return qt(p->source);
            case Seen:
                return qt(p->observed);
            case Note:
                return qt(p->imported.empty() ? p->note : p->imported);
            default:
                return {};
        }
    }
    return {};
}

QVariant FigureModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const catalog::Figure* f = figure(index.row());
    switch (role) {
        case Qt::DisplayRole:
            return text(index.row(), index.column());
        case Qt::ToolTipRole:
            return f != nullptr ? tr("%1, in the catalog as %2")
                                      .arg(text(index.row(), index.column()), qt(f->key))
                                : text(index.row(), index.column());
        case Qt::TextAlignmentRole:
            return index.column() == Value ? QVariant(Qt::AlignRight | Qt::AlignVCenter)
                                           : QVariant(Qt::AlignLeft | Qt::AlignVCenter);
        case Qt::ForegroundRole:
            if (f != nullptr && !isInUse(*f))
                return colour(reports::Role::SecondText, QGuiApplication::palette());
            if (f != nullptr && f->overridden)
                return colour(reports::Role::Override, QGuiApplication::palette());
            return {};
        case Qt::FontRole:
            if (f != nullptr && !isInUse(*f)) {
                QFont font;
                font.setItalic(true);
                return font;
            }
            return {};
        case InUseRole:
            return f == nullptr || isInUse(*f);
        case KeyRole:
            return f == nullptr ? QString() : qt(f->key);
        default:
            return {};
    }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
        case Key:
            return prices_.empty() ? tr("Figure") : tr("Offer");
        case Value:
            return tr("Value");
        case Status:
            return tr("Status");
        case Source:
            return tr("Source");
        case Seen:
            return tr("Seen");
        case Note:
            return tr("Note");
        default:
            return {};
    }
}

}  // namespace trainwright::ui
