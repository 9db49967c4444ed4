// SPDX-License-Identifier: GPL-3.0-or-later
// One view of a plan in its frame: question, answer, picture or table, and what it rests on.
//
// It shows a reports::Section and says in which state it is; it plans nothing and holds no plan.
// While something newer is being computed it keeps the old picture, dimmed, and says since when.
#pragma once

#include <QStringList>
#include <QWidget>

#include <memory>
#include <vector>

#include "reports/document.h"

QT_BEGIN_NAMESPACE
class QLabel;
QT_END_NAMESPACE

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

    /// The table in the place of the chart, or the chart with the table under it where both have
    /// room.
    void showTable(bool table);
    [[nodiscard]] bool isTableShown() const;
    /// A widget of the view's own (axis pickers, zoom, sliders) to the right of the question.
    void addTool(QWidget* tool);
    /// Controls over the whole width, between the picture and the line of what it rests on.
    void addBelow(QWidget* widget);

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
    /// Of any datum or row (reports/keys.h).
    void keySelected(const QString& key);
    void keyActivated(const QString& key);
    void chartMade(ChartView* chart);

protected:
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// How many widgets of each sort have their content so far.
    struct Filling {
        bool isSame = false;  ///< as the widgets that are there
        std::size_t charts = 0, tables = 0, labels = 0;
    };

    void look();
    void retranslate();
    void sayState();
    void fill();
    void clear();
    void arrange();
    void addWords(Filling& filling, const Text& text, reports::Tone tone, bool besideTables);
    void addFigure(Filling& filling, const reports::ChartSpec& spec);
    void addTable(Filling& filling, const reports::Table& table);
    void addFacts(Filling& filling, const reports::Facts& facts);
    void tellCharts();
    void select(const QString& key);
    void activate(const QString& key);
    void rowMenu(SectionTable* table, const QPoint& at);

    struct Private;
    std::unique_ptr<Private> d_;
    std::vector<QLabel*> labels_;  ///< paragraphs, in order
};

}  // namespace trainwright::ui
