// SPDX-License-Identifier: GPL-3.0-or-later
// Two plans side by side: what changed between them, and which change moved which result.
//
// Either side is an open scenario, a file, a kept result, or a revision of git. The comparison is
// that of `trainwright diff`, made by a worker.
#pragma once

#include <QWidget>

#include <functional>
#include <vector>

#include "ui/views/plan_views.h"
#include "ui/window/worker.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QScrollArea;
class QVBoxLayout;
QT_END_NAMESPACE

namespace trainwright::ui {

/// A text that can be compared, and what it is called.
struct ComparableText {
    QString title;
    std::string text;
    std::string file;  ///< as findings and git name it; "" for one of no file
};

class ComparePage : public QWidget {
    Q_OBJECT

public:
    ComparePage(CatalogOpener opener, ContextMaker contextOf, RevisionReader readRevision,
                QWidget* parent = nullptr);
    ~ComparePage() override;

    void setTranslation(Translate translate);
    /// Texts that are at hand: the open scenarios as they are now and as they were saved.
    void setTexts(std::vector<ComparableText> texts);
    void compare(const ComparableText& before, const ComparableText& after);
    void addFile(const QString& path);
    void catalogChanged();
    [[nodiscard]] QString answer() const;
    [[nodiscard]] bool isBusy() const { return worker_.isBusy(); }

signals:
    void working(const QString& what, double share);
    void worked();
    void compared();

protected:
    void changeEvent(QEvent* event) override;

private:
    void start();
    void retranslate();
    void fill(QComboBox* box, int preferred);
    void show(const reports::Document& document);
    [[nodiscard]] Outcome<ComparableText> chosen(const QComboBox* box) const;

    Worker worker_;
    ContextMaker contextOf_;
    RevisionReader readRevision_;
    Translate translate_;
    std::vector<ComparableText> texts_, files_;
    QComboBox *before_, *after_;
    QLabel *beforeLabel_, *afterLabel_, *revisionLabel_, *answer_;
    QLineEdit* revision_;
    QPushButton *compare_, *file_;
    QScrollArea* scroll_;
    QVBoxLayout* sections_ = nullptr;
};

}  // namespace trainwright::ui
