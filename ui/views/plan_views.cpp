// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/plan_views.h"

#include <QAction>
#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <algorithm>
#include <cmath>

#include "reports/charts/canvas.h"
#include "reports/keys.h"
#include "reports/number_format.h"
#include "ui/views/chart_view.h"

namespace trainwright::ui {
namespace {

std::shared_ptr<const reports::Section> shared(const Translate& translate,
                                               reports::Section section) {
    return std::make_shared<const reports::Section>(translate ? translate(std::move(section))
                                                              : std::move(section));
}

const search::CandidateResult* resultOf(const PlanSnapshot& plan, const QString& name) {
    if (!plan.result) return nullptr;
    for (const search::CandidateResult& candidate : plan.result->candidates)
        if (candidate.name == name.toStdString()) return &candidate;
    return nullptr;
}

const search::CandidateRequest* requestOf(const PlanSnapshot& plan, const QString& name) {
    if (!plan.request) return nullptr;
    for (const search::CandidateRequest& candidate : plan.request->candidates)
        if (candidate.name == name.toStdString()) return &candidate;
    return nullptr;
}

QLabel* labelFor(QWidget* field, QWidget* parent) {
    auto* label = new QLabel(parent);
    label->setBuddy(field);
    // In the middle of its field's height, with a gap to what is before it.
    label->setMinimumHeight(field->sizeHint().height());
    label->setContentsMargins(8, 0, 2, 0);
    return label;
}

}  // namespace

// ---- Pareto ---------------------------------------------------------------------------------

ParetoView::ParetoView(QWidget* parent) : SectionView(parent) {
    setObjectName(QStringLiteral("view-pareto"));
    horizontal_ = new QComboBox(this);
    horizontal_->setObjectName(QStringLiteral("pareto-horizontal"));
    vertical_ = new QComboBox(this);
    vertical_->setObjectName(QStringLiteral("pareto-vertical"));
    for (QComboBox* box : {horizontal_, vertical_})
        for (int m = 0; m < reports::kMeasureCount; ++m) box->addItem(QString(), m);
    horizontal_->setCurrentIndex(static_cast<int>(reports::Measure::Days));
    vertical_->setCurrentIndex(static_cast<int>(reports::Measure::Cost));
    horizontalLabel_ = labelFor(horizontal_, this);
    verticalLabel_ = labelFor(vertical_, this);
    for (QWidget* tool :
         std::initializer_list<QWidget*>{horizontalLabel_, horizontal_, verticalLabel_, vertical_})
        addTool(tool);
    for (QComboBox* box : {horizontal_, vertical_})
        connect(box, &QComboBox::currentIndexChanged, this, &ParetoView::rebuild);
    connect(this, &SectionView::keyActivated, this, [this](const QString& key) {
        const reports::Key parts = reports::keyOf(key.toStdString());
        if (parts.kind == "size")
            emit sizeChosen(QString::fromStdString(parts.name), std::stol(parts.detail));
    });
    retranslate();
}

void ParetoView::setTranslation(Translate translate) {
    translate_ = std::move(translate);
    rebuild();
}

void ParetoView::setPlan(PlanSnapshot plan, std::shared_ptr<const search::SizeStudy> study) {
    plan_ = std::move(plan);
    study_ = std::move(study);
    rebuild();
}

void ParetoView::setCandidate(const QString& name) {
    if (chosen_ == name) return;
    chosen_ = name;
    rebuild();
}

void ParetoView::rebuild() {
    if (!plan_.request || !plan_.result) return;
    setSection(shared(
        translate_, reports::paretoView(*plan_.request, *plan_.result, study_.get(),
                                        static_cast<reports::Measure>(horizontal_->currentIndex()),
                                        static_cast<reports::Measure>(vertical_->currentIndex()),
                                        chosen_.toStdString())));
}

void ParetoView::retranslate() {
    horizontalLabel_->setText(tr("Across"));
    verticalLabel_->setText(tr("Up"));
    const QStringList names{tr("days"), tr("cost"), tr("energy"), tr("accelerators")};
    for (QComboBox* box : {horizontal_, vertical_}) {
        const QSignalBlocker quiet(box);
        for (int m = 0; m < reports::kMeasureCount; ++m) box->setItemText(m, names[m]);
    }
    horizontal_->setAccessibleName(tr("What the horizontal axis shows"));
    vertical_->setAccessibleName(tr("What the vertical axis shows"));
}

void ParetoView::changeEvent(QEvent* event) {
    SectionView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

// ---- deadline and budget --------------------------------------------------------------------

namespace {

constexpr int kBudgetSteps = 200;

}  // namespace

DeadlineView::DeadlineView(QWidget* parent) : SectionView(parent) {
    setObjectName(QStringLiteral("view-deadline"));
    measure_ = new QComboBox(this);
    measure_->setObjectName(QStringLiteral("deadline-measure"));
    measure_->addItem(QString(), static_cast<int>(reports::Measure::Accelerators));
    measure_->addItem(QString(), static_cast<int>(reports::Measure::Cost));
    addTool(measure_);
    auto* controls = new QWidget(this);
    auto* row = new QGridLayout(controls);
    row->setContentsMargins(12, 4, 12, 4);
    const auto slider = [&](const char* name, int line, QLabel** label, QLabel** value) {
        auto* made = new QSlider(Qt::Horizontal, controls);
        made->setObjectName(QLatin1String(name));
        *label = labelFor(made, controls);
        *value = new QLabel(controls);
        row->addWidget(*label, line, 0);
        row->addWidget(made, line, 1);
        row->addWidget(*value, line, 2);
        connect(made, &QSlider::valueChanged, this, &DeadlineView::readSliders);
        connect(made, &QSlider::sliderReleased, this, &DeadlineView::choose);
        // By keys there is no letting go: a change that isn't a drag is chosen at once.
        connect(made, &QSlider::valueChanged, this, [this, made] {
            if (!silent_ && !made->isSliderDown()) choose();
        });
        return made;
    };
    date_ = slider("deadline-date", 0, &dateLabel_, &dateValue_);
    budget_ = slider("deadline-budget", 1, &budgetLabel_, &budgetValue_);
    addBelow(controls);
    connect(measure_, &QComboBox::currentIndexChanged, this, &DeadlineView::rebuild);
    connect(this, &SectionView::chartMade, this, [this](ChartView* chart) {
        connect(chart, &ChartView::handleMoved, this,
                [this](Qt::Orientation axis, double value, bool done) {
                    moveHandle(axis, value, done);
                });
    });
    connect(this, &SectionView::keyActivated, this, [this](const QString& key) {
        const reports::Key parts = reports::keyOf(key.toStdString());
        if (parts.kind == "size")
            emit sizeChosen(QString::fromStdString(parts.name), std::stol(parts.detail));
    });
    retranslate();
}

void DeadlineView::setTranslation(Translate translate) {
    translate_ = std::move(translate);
    rebuild();
}

void DeadlineView::setPlan(PlanSnapshot plan, std::shared_ptr<const search::SizeStudy> study) {
    // A study that arrives later leaves the handles where they were moved to.
    if (plan.request && plan.request != plan_.request) limits_ = plan.request->constraints;
    plan_ = std::move(plan);
    study_ = std::move(study);
    placeSliders();
    rebuild();
}

/// Ends of both sliders: what the sizes of the study come to.
void DeadlineView::placeSliders() {
    if (!study_ || !plan_.request) return;
    silent_ = true;
    double longest = 0, dearest = 0;
    for (const search::SizedCandidate& candidate : study_->candidates)
        for (const search::SizePoint& point : candidate.points) {
            if (std::isfinite(point.run.days)) longest = std::max(longest, point.run.days);
            if (point.run.money.total && std::isfinite(point.run.money.total->value()))
                dearest = std::max(dearest, point.run.money.total->value());
        }
    const bool hasDates = plan_.request->start.has_value() && longest > 0;
    date_->setEnabled(hasDates);
    if (hasDates) {
        const long start = run::daysSinceEpoch(*plan_.request->start);
        const long last = limits_.finishBy ? run::daysSinceEpoch(*limits_.finishBy) - start : 0;
        date_->setRange(
            1, static_cast<int>(std::max<double>(std::ceil(longest), static_cast<double>(last))));
        date_->setPageStep(7);
        if (limits_.finishBy)
            date_->setValue(static_cast<int>(last));
        else
            date_->setValue(date_->maximum());
    }
    budget_->setEnabled(dearest > 0);
    if (dearest > 0) {
        if (limits_.budget) dearest = std::max(dearest, limits_.budget->value());
        step_ = reports::charts::niceStep(dearest, kBudgetSteps);
        budget_->setRange(1, static_cast<int>(std::ceil(dearest / step_)));
        budget_->setPageStep(10);
        budget_->setValue(limits_.budget
                              ? static_cast<int>(std::lround(limits_.budget->value() / step_))
                              : budget_->maximum());
    }
    silent_ = false;
    sayValues();
}

void DeadlineView::sayValues() {
    dateValue_->setText(limits_.finishBy ? QString::fromStdString(run::isoDate(*limits_.finishBy))
                                         : tr("no date"));
    budgetValue_->setText(limits_.budget
                              ? QString::fromStdString(reports::typedMoney(*limits_.budget))
                              : tr("no budget"));
    date_->setAccessibleDescription(dateValue_->text());
    budget_->setAccessibleDescription(budgetValue_->text());
    // The values keep their room, so that the sliders stay where they are.
    const int room = std::max(fontMetrics().horizontalAdvance(QStringLiteral("2027-03-08")),
                              fontMetrics().horizontalAdvance(QStringLiteral("88.88 M USD")));
    for (QLabel* value : {dateValue_, budgetValue_}) value->setMinimumWidth(room);
}

void DeadlineView::readSliders() {
    if (silent_ || !plan_.request) return;
    if (sender() == date_ && plan_.request->start)
        limits_.finishBy =
            run::dateFromDays(run::daysSinceEpoch(*plan_.request->start) + date_->value());
    if (sender() == budget_) limits_.budget = units::UsDollars(budget_->value() * step_);
    sayValues();
    rebuild();
    emit constraintsMoved(limits_.finishBy,
                          limits_.budget ? std::optional(limits_.budget->value()) : std::nullopt);
}

void DeadlineView::moveHandle(Qt::Orientation axis, double value, bool done) {
    const bool isCost = measure_->currentData().toInt() == static_cast<int>(reports::Measure::Cost);
    if (axis == Qt::Horizontal && date_->isEnabled()) {
        date_->setSliderDown(!done);
        date_->setValue(static_cast<int>(std::lround(value)));
    } else if (axis == Qt::Vertical && isCost && budget_->isEnabled()) {
        budget_->setSliderDown(!done);
        budget_->setValue(static_cast<int>(std::lround(value * 1e6 / step_)));
    }
}

void DeadlineView::choose() {
    emit constraintsChosen(limits_.finishBy,
                           limits_.budget ? std::optional(limits_.budget->value()) : std::nullopt);
}

void DeadlineView::rebuild() {
    if (!plan_.request || !study_) return;
    setSection(shared(translate_, reports::deadlineView(*plan_.request, *study_, limits_,
                                                        static_cast<reports::Measure>(
                                                            measure_->currentData().toInt()))));
}

void DeadlineView::retranslate() {
    const QSignalBlocker quiet(measure_);
    measure_->setItemText(0, tr("accelerators"));
    measure_->setItemText(1, tr("cost"));
    measure_->setAccessibleName(tr("What the vertical axis shows"));
    dateLabel_->setText(tr("&Finish by"));
    budgetLabel_->setText(tr("&Budget"));
    date_->setAccessibleName(tr("Finish by"));
    budget_->setAccessibleName(tr("Budget"));
    sayValues();
}

void DeadlineView::changeEvent(QEvent* event) {
    SectionView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

// ---- pipeline -------------------------------------------------------------------------------

GanttView::GanttView(QWidget* parent) : SectionView(parent) {
    setObjectName(QStringLiteral("view-pipeline"));
    const auto button = [this](const char* name, const QString& glyph, auto act) {
        auto* made = new QToolButton(this);
        made->setObjectName(QLatin1String(name));
        made->setText(glyph);
        made->setAutoRaise(true);
        made->setFocusPolicy(Qt::StrongFocus);
        connect(made, &QToolButton::clicked, this, [this, act] {
            if (chart()) (chart()->*act)();
        });
        addTool(made);
        return made;
    };
    in_ = button("zoom-in", QStringLiteral("+"), &ChartView::zoomIn);
    out_ = button("zoom-out", QStringLiteral("−"), &ChartView::zoomOut);
    whole_ = button("zoom-whole", QStringLiteral("0"), &ChartView::zoomWhole);
    retranslate();
}

void GanttView::setTranslation(Translate translate) {
    translate_ = std::move(translate);
    rebuild();
}

void GanttView::setStudy(PlanSnapshot plan, const QString& candidate,
                         std::shared_ptr<const search::PipelineStudy> study) {
    plan_ = std::move(plan);
    candidate_ = candidate;
    study_ = std::move(study);
    rebuild();
}

void GanttView::rebuild() {
    const search::CandidateResult* result = resultOf(plan_, candidate_);
    if (!result || !study_) return;
    setSection(shared(translate_, reports::pipelineView(*plan_.request, *result, *study_)));
}

void GanttView::retranslate() {
    in_->setToolTip(tr("Zoom in (+)"));
    in_->setAccessibleName(tr("Zoom in"));
    out_->setToolTip(tr("Zoom out (−)"));
    out_->setAccessibleName(tr("Zoom out"));
    whole_->setToolTip(tr("Show the whole step (0)"));
    whole_->setAccessibleName(tr("Show the whole step"));
}

void GanttView::changeEvent(QEvent* event) {
    SectionView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

// ---- topology -------------------------------------------------------------------------------

TopologyView::TopologyView(QWidget* parent) : SectionView(parent) {
    setObjectName(QStringLiteral("view-topology"));
    zoom_ = new QComboBox(this);
    zoom_->setObjectName(QStringLiteral("topology-zoom"));
    zoom_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    for (int z = 0; z < reports::kTopologyZoomCount; ++z) zoom_->addItem(QString(), z);
    zoom_->setCurrentIndex(static_cast<int>(reports::TopologyZoom::Domain));
    zoomLabel_ = labelFor(zoom_, this);
    addTool(zoomLabel_);
    addTool(zoom_);
    connect(zoom_, &QComboBox::currentIndexChanged, this, &TopologyView::rebuild);
    const auto step = [this](QKeySequence key, int by) {
        auto* action = new QAction(this);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, [this, by] {
            zoom_->setCurrentIndex(
                std::clamp(zoom_->currentIndex() + by, 0, reports::kTopologyZoomCount - 1));
        });
        addAction(action);
    };
    step(QKeySequence(Qt::Key_Plus), -1);
    step(QKeySequence(Qt::Key_Minus), 1);
    retranslate();
}

void TopologyView::setTranslation(Translate translate) {
    translate_ = std::move(translate);
    rebuild();
}

void TopologyView::setStudy(PlanSnapshot plan, const QString& candidate,
                            std::shared_ptr<const search::NetworkStudy> study) {
    plan_ = std::move(plan);
    candidate_ = candidate;
    study_ = std::move(study);
    rebuild();
}

void TopologyView::setZoom(reports::TopologyZoom zoom) {
    zoom_->setCurrentIndex(static_cast<int>(zoom));
}

void TopologyView::rebuild() {
    const search::CandidateResult* result = resultOf(plan_, candidate_);
    if (!result || !study_ || !requestOf(plan_, candidate_)) return;
    setSection(shared(translate_, reports::topologyView(
                                      *plan_.request, *result, *study_,
                                      static_cast<reports::TopologyZoom>(zoom_->currentIndex()))));
}

void TopologyView::retranslate() {
    const QSignalBlocker quiet(zoom_);
    const QStringList names{tr("one chip"), tr("one host"), tr("scale-up domain"), tr("cluster")};
    for (int z = 0; z < reports::kTopologyZoomCount; ++z) zoom_->setItemText(z, names[z]);
    zoomLabel_->setText(tr("Show"));
    zoom_->setAccessibleName(tr("How much of the cluster is shown"));
}

void TopologyView::changeEvent(QEvent* event) {
    SectionView::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace trainwright::ui
