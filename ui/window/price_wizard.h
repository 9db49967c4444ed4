// SPDX-License-Identifier: GPL-3.0-or-later
// Prices from files into the user's own catalog, in four steps: files, what they are, what moves,
// done.
//
// Files are read by a worker and nothing is written before the last step; that step writes in one
// transaction and can be taken back. Every row of the files is checked, none is sampled. What the
// scenario at hand would come to under the new prices is planned and shown before anything is
// written.
#pragma once

#include <QDialog>
#include <QStringList>

#include <memory>

#include "data/catalog/price_moves.h"
#include "data/import/price_import.h"
#include "ui/window/planned.h"
#include "ui/window/verdict_bar.h"
#include "ui/window/worker.h"

QT_BEGIN_NAMESPACE
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTableWidget;
QT_END_NAMESPACE

namespace trainwright::ui {

class PriceWizard : public QDialog {
    Q_OBJECT

public:
    /// `overlay`: the file to write; "" where none is in use. `planned` may be null.
    PriceWizard(CatalogOpener opener, std::string overlay, std::shared_ptr<const Planned> planned,
                Words words, QWidget* parent = nullptr);
    ~PriceWizard() override;

    void setFiles(const QStringList& files);
    enum class Step { Files, Recognised, Moves, Done };
    [[nodiscard]] Step step() const;
    /// What the current step says, for a reader who can't see its table.
    [[nodiscard]] QString summary() const;

public slots:
    void next();
    void back();
    void undoImport();

signals:
    void stepChanged();
    /// Rows were written or taken back.
    void catalogChanged();

private:
    struct Read;

    void read();
    void showRead();
    void showMoves();
    void planWithMoves();
    void apply();
    void setStep(Step step);
    void fail(const QString& why);

    Worker worker_;
    std::string overlay_;
    std::shared_ptr<const Planned> planned_;
    Words words_;
    std::shared_ptr<const Read> read_;
    std::int64_t imported_ = 0;
    QLabel *steps_, *intro_, *recognisedText_, *movesText_, *effect_, *doneText_, *problem_;
    QListWidget* files_;
    QTableWidget *recognised_, *moves_;
    QProgressBar* progress_;
    QStackedWidget* stack_;
    QPushButton *add_, *remove_, *next_, *back_, *undo_, *close_;
};

}  // namespace trainwright::ui
