// SPDX-License-Identifier: GPL-3.0-or-later
// The views that ask their reader something: which axes, how near, by which date.
//
// Each is a SectionView with its controls; it builds its own section from the plan that it is
// given, which is quick, and never plans. Plans and studies are shared and not changed.
#pragma once

#include <QWidget>

#include <functional>
#include <memory>
#include <optional>

#include "model/search/explanation.h"
#include "model/search/plan.h"
#include "model/search/size_study.h"
#include "reports/view_sections.h"
#include "ui/views/section_view.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QSlider;
class QToolButton;
QT_END_NAMESPACE

namespace trainwright::ui {

/// What a view is drawn of.
struct PlanSnapshot {
    std::shared_ptr<const search::PlanRequest> request;
    std::shared_ptr<const search::PlanResult> result;
};

/// Puts a section into the reader's language; empty: leaves it in English.
using Translate = std::function<reports::Section(reports::Section)>;

/// "What do I give up to be faster or cheaper?", on any two measures.
class ParetoView : public SectionView {
    Q_OBJECT
public:
    explicit ParetoView(QWidget* parent = nullptr);
    void setTranslation(Translate translate);
    /// `study` is of this plan; null: sizes as asked alone.
    void setPlan(PlanSnapshot plan, std::shared_ptr<const search::SizeStudy> study = nullptr);
    void setCandidate(const QString& name);

signals:
    /// "Use this size".
    void sizeChosen(const QString& candidate, long chips);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void retranslate();

    PlanSnapshot plan_;
    std::shared_ptr<const search::SizeStudy> study_;
    Translate translate_;
    QString chosen_;
    QComboBox *horizontal_, *vertical_;
    QLabel *horizontalLabel_, *verticalLabel_;
};

/// "How small can I go, and what does a week cost?", with a handle each for date and budget.
class DeadlineView : public SectionView {
    Q_OBJECT
public:
    explicit DeadlineView(QWidget* parent = nullptr);
    void setTranslation(Translate translate);
    /// `study` is of this plan; null: not known yet.
    void setPlan(PlanSnapshot plan, std::shared_ptr<const search::SizeStudy> study = nullptr);

    /// The limits where the handles stand.
    [[nodiscard]] const search::Constraints& limits() const { return limits_; }

signals:
    /// Handles move; nothing is written yet.
    void constraintsMoved(std::optional<run::Date> finishBy, std::optional<double> budgetUsd);
    /// A handle was let go of: one change to the scenario. What has no value has no limit.
    void constraintsChosen(std::optional<run::Date> finishBy, std::optional<double> budgetUsd);
    /// "Use this size".
    void sizeChosen(const QString& candidate, long chips);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void retranslate();
    void placeSliders();
    void sayValues();
    void readSliders();
    void moveHandle(Qt::Orientation axis, double value, bool done);
    void choose();

    PlanSnapshot plan_;
    std::shared_ptr<const search::SizeStudy> study_;
    Translate translate_;
    search::Constraints limits_;
    QComboBox* measure_;
    QSlider *date_, *budget_;
    QLabel *dateLabel_, *budgetLabel_, *dateValue_, *budgetValue_;
    double step_ = 1;  ///< US dollars of a step of the budget's slider
    bool silent_ = false;
};

/// "When does each stage wait?"
class GanttView : public SectionView {
    Q_OBJECT
public:
    explicit GanttView(QWidget* parent = nullptr);
    void setTranslation(Translate translate);
    /// The study of a candidate of the plan; none: still being made.
    void setStudy(PlanSnapshot plan, const QString& candidate,
                  std::shared_ptr<const search::PipelineStudy> study);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void retranslate();

    PlanSnapshot plan_;
    QString candidate_;
    std::shared_ptr<const search::PipelineStudy> study_;
    Translate translate_;
    QToolButton *in_, *out_, *whole_;
};

/// "Which link is full, and because of whom?"
class TopologyView : public SectionView {
    Q_OBJECT
public:
    explicit TopologyView(QWidget* parent = nullptr);
    void setTranslation(Translate translate);
    void setStudy(PlanSnapshot plan, const QString& candidate,
                  std::shared_ptr<const search::NetworkStudy> study);
    void setZoom(reports::TopologyZoom zoom);

protected:
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void retranslate();

    PlanSnapshot plan_;
    QString candidate_;
    std::shared_ptr<const search::NetworkStudy> study_;
    Translate translate_;
    QComboBox* zoom_;
    QLabel* zoomLabel_;
};

}  // namespace trainwright::ui
