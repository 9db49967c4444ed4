// SPDX-License-Identifier: GPL-3.0-or-later
// One view of a plan in its frame: question, answer, picture or table, and what it rests on.
//
// It shows a reports::Section and says in which state it is; it plans nothing and holds no plan.
// While something newer is being computed it keeps the old picture, dimmed, and says since when.
#pragma once

#include <QStringList>
#include <QWidget>

#include <memory>

#include "reports/document.h"

namespace trainwright::ui {

class ChartView;
class SectionTable;

enum class ViewState { Empty, Computing, Ready, Stale, Infeasible, NotKnown, Unsupported, Failed };

class SectionView : public QWidget {
    Q_OBJECT
public:
    explicit SectionView(QWidget* parent = nullptr);
    ~SectionView() override;

    /// Already in the reader's language. The state becomes Ready.
    void setSection(std::shared_ptr<const reports::Section> section);
    [[nodiscard]] std::shared_ptr<const reports::Section> section() const;
    [[nodiscard]] bool hasPicture() const;

    /// `words`: what is missing, since when, or why; `details`: behind "Copy details" of Failed.
    void setState(ViewState state, const QString& words = {}, const QString& details = {});
    [[nodiscard]] ViewState state() const;
    /// A button beside the words of Empty and of the other states that have a next step; "" hides
    /// it.
    void setAction(const QString& label);
    /// Marks a candidate in chart and table; no signal follows.
    void setChosen(const QString& candidate);

    void showTable(bool table);
    [[nodiscard]] bool isTableShown() const;
    /// A widget of the view's own (axis pickers, zoom, sliders) to the right of the question.
    void addTool(QWidget* tool);

    [[nodiscard]] ChartView* chart() const;     ///< the first one
    [[nodiscard]] SectionTable* table() const;  ///< the first one

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void candidateSelected(const QString& name);
    void candidateActivated(const QString& name);
    /// A figure's source was asked for; `link` is an id of a report, `url` an outside address.
    void figureActivated(const QString& link, const QString& url);
    /// "Use this layout"; `layout` in its short form (reports::layoutOf finds it).
    void layoutChosen(const QString& candidate, const QString& layout);
    void actionRequested();
    void tableShown(bool table);

protected:
    void changeEvent(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Private;
    std::unique_ptr<Private> d_;
};

}  // namespace trainwright::ui
