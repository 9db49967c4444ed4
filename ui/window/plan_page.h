// SPDX-License-Identifier: GPL-3.0-or-later
// The views of a plan in their three groups, each made when it is looked at.
//
// A view is built on a worker's thread from the newest plan and put in place when it is there;
// until then the earlier picture stays, dimmed. What takes longer than a plan (other sizes, runs
// that were published, claims) has a worker of its own, so that it never holds up the others. It
// edits nothing: what a reader chooses is a signal.
#pragma once

#include <QHash>
#include <QString>
#include <QStringList>
#include <QWidget>

#include <memory>
#include <optional>

#include "reports/view_sections.h"
#include "ui/views/plan_views.h"
#include "ui/window/planned.h"
#include "ui/window/worker.h"

QT_BEGIN_NAMESPACE
class QComboBox;
class QLabel;
class QStackedWidget;
class QTabBar;
QT_END_NAMESPACE

namespace trainwright::ui {

class PlanPage : public QWidget {
    Q_OBJECT

public:
    PlanPage(CatalogOpener opener, QWidget* parent = nullptr);
    ~PlanPage() override;

    void setTranslation(Translate translate);
    /// nullptr: there is no plan yet.
    void setPlanned(std::shared_ptr<const Planned> planned);
    /// Whether what is shown is of an earlier text.
    void setStale(bool stale);
    /// What keeps a plan from being made; empty when nothing does.
    void setProblem(const QString& problem);
    /// Prices or figures changed: published runs and claims are looked at again.
    void catalogChanged();

    [[nodiscard]] QString selectedCandidate() const { return candidate_; }
    void setSelectedCandidate(const QString& name);

    /// Ids in the order of the tabs: "ranking", "pareto", …
    [[nodiscard]] static const QStringList& viewIds();
    [[nodiscard]] static QString viewTitle(const QString& id);
    [[nodiscard]] static QString groupTitle(int group);
    [[nodiscard]] QString currentView() const { return current_; }
    void showView(const QString& id);
    void showGroup(int group);
    void showNeighbour(int step);
    [[nodiscard]] SectionView* view(const QString& id) const { return views_.value(id); }
    /// Whether the current view shows the newest plan: nothing is being made for it.
    [[nodiscard]] bool isSettled() const;

signals:
    void viewChanged(const QString& id);
    void candidateSelected(const QString& name);
    /// A figure's source was asked for.
    void figureActivated(const QString& link, const QString& url);
    void layoutChosen(const QString& candidate, const QString& layout);
    void constraintsChosen(std::optional<run::Date> finishBy, std::optional<double> budgetUsd);
    void sizeChosen(const QString& candidate, long chips);
    void working(const QString& what, double share);
    void worked();

private:
    struct Studies;

    void addView(int group, const QString& id, SectionView* view);
    void rebuildTabs();
    void retranslate();
    void changeEvent(QEvent* event) override;
    /// Makes what the current view needs, if it isn't there.
    void refresh();
    void markAllStale();
    /// Notes that `views` wait for `job`, a worker's key, until it finishes; returns `job`.
    QString awaited(const QString& job, const QStringList& views);
    void build(const QString& id, std::function<reports::Section(Worker::Context&)> make);
    void studySizes();
    /// Shows the plan and its study of sizes, or null, in the view `id`.
    void showSizes(const QString& id, std::shared_ptr<const search::SizeStudy> study);
    void studyCandidate();
    void studyRuns();
    void studyClaims();
    [[nodiscard]] PlanSnapshot snapshot() const;
    [[nodiscard]] std::string candidateName() const;

    Worker views_worker_, study_worker_;
    Translate translate_;
    std::shared_ptr<const Planned> planned_;
    QString problem_;
    QString candidate_;
    QString current_;
    int group_ = 0;
    bool stale_ = false;
    std::unique_ptr<Studies> studies_;
    QHash<QString, SectionView*> views_;
    QHash<QString, int> groups_;
    QHash<QString, std::uint64_t> builtFor_;  ///< stamp of what a view shows
    QHash<QString, QString> pending_;         ///< views that a worker is making; by which job
    std::uint64_t stamp_ = 1;                 ///< grows with each plan and each choice of candidate
    QTabBar *groupTabs_, *viewTabs_;
    QComboBox* candidateBox_;
    QLabel* candidateLabel_;
    QStackedWidget* stack_;
    ParetoView* pareto_;
    DeadlineView* deadline_;
    GanttView* gantt_;
    TopologyView* topology_;
};

}  // namespace trainwright::ui
