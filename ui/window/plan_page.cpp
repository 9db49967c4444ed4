// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/plan_page.h"

#include <algorithm>
#include <array>
#include <utility>

#include "data/claims/check.h"
#include "data/import/published_runs.h"
#include "data/runs/validation.h"
#include "reports/claims_report.h"
#include "reports/validation_report.h"
#include "ui/window/planner.h"

namespace trainwright::ui {
namespace {

struct ViewName {
    const char* id;
    int group;
    const char* title;
};

constexpr std::array<ViewName, 12> kViews{{
    {"ranking", 0, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Ranking")},
    {"pareto", 0, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Pareto front")},
    {"deadline", 0, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Deadline and budget")},
    {"time", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Time")},
    {"roofline", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Roofline")},
    {"topology", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Topology")},
    {"memory", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Memory")},
    {"pipeline", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Pipeline")},
    {"cost", 1, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Cost")},
    {"bands", 2, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Tornado and bands")},
    {"parity", 2, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Parity")},
    {"claims", 2, QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Claims")},
}};

constexpr std::array<const char*, 3> kGroups{
    QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Answer"),
    QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Why"),
    QT_TRANSLATE_NOOP("trainwright::ui::PlanPage", "Trust")};

/// Views that are about one candidate.
bool isOfOneCandidate(const QString& id) {
    static const QStringList ids{QStringLiteral("time"),     QStringLiteral("roofline"),
                                 QStringLiteral("topology"), QStringLiteral("memory"),
                                 QStringLiteral("pipeline"), QStringLiteral("bands")};
    return ids.contains(id);
}

/// The first section of a document that holds a picture or a table, with the document's own answer.
reports::Section leading(const reports::Document& document, Text question) {
    reports::Section section;
    section.id = document.sections.empty() ? std::string("view") : document.sections.front().id;
    section.title = std::move(question);
    if (!document.answer.empty()) section.answer = document.answer.front().text;
    for (const reports::Section& each : document.sections) {
        section.blocks.insert(section.blocks.end(), each.blocks.begin(), each.blocks.end());
        if (section.blocks.size() >= 3) break;
    }
    return section;
}

}  // namespace

/// What was found about the current plan beyond it; each with the stamp of what it is of.
struct PlanPage::Studies {
    std::shared_ptr<const search::SizeStudy> sizes;
    std::uint64_t sizesOf = 0;  ///< generation of the plan
    std::uint64_t sizesAsked = 0;
    std::uint64_t candidateAsked = 0;  ///< stamp
    bool runsAsked = false, claimsAsked = false;
    bool busy = false;
};

PlanPage::PlanPage(CatalogOpener opener, QWidget* parent)
    : QWidget(parent),
      views_worker_(opener),
      study_worker_(std::move(opener)),
      studies_(std::make_unique<Studies>()) {
    setObjectName(QStringLiteral("planPage"));
    groupTabs_ = new QTabBar(this);
    groupTabs_->setObjectName(QStringLiteral("viewGroups"));
    groupTabs_->setDocumentMode(true);
    groupTabs_->setExpanding(false);
    viewTabs_ = new QTabBar(this);
    viewTabs_->setObjectName(QStringLiteral("viewTabs"));
    viewTabs_->setDocumentMode(true);
    viewTabs_->setExpanding(false);
    viewTabs_->setDrawBase(false);
    viewTabs_->setUsesScrollButtons(true);
    viewTabs_->setElideMode(Qt::ElideNone);
    candidateLabel_ = new QLabel(this);
    candidateBox_ = new QComboBox(this);
    candidateBox_->setObjectName(QStringLiteral("candidateOfViews"));
    candidateBox_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    candidateLabel_->setBuddy(candidateBox_);
    stack_ = new QStackedWidget(this);

    auto* bar = new QHBoxLayout;
    bar->addWidget(groupTabs_);
    bar->addSpacing(fontMetrics().averageCharWidth() * 2);
    bar->addWidget(viewTabs_, 1);
    bar->addWidget(candidateLabel_);
    bar->addWidget(candidateBox_);
    auto* layout = new QVBoxLayout(this);
    layout->addLayout(bar);
    layout->addWidget(stack_, 1);
    layout->setContentsMargins(4, 0, 4, 0);

    for (int i = 0; i < static_cast<int>(kGroups.size()); ++i) groupTabs_->addTab(groupTitle(i));
    pareto_ = new ParetoView;
    deadline_ = new DeadlineView;
    gantt_ = new GanttView;
    topology_ = new TopologyView;
    for (const ViewName& each : kViews) {
        const QString id = QString::fromLatin1(each.id);
        SectionView* view = id == QLatin1String("pareto")     ? pareto_
                            : id == QLatin1String("deadline") ? deadline_
                            : id == QLatin1String("pipeline") ? gantt_
                            : id == QLatin1String("topology") ? topology_
                                                              : new SectionView;
        addView(each.group, id, view);
    }
    connect(groupTabs_, &QTabBar::currentChanged, this, &PlanPage::showGroup);
    connect(viewTabs_, &QTabBar::currentChanged, this, [this](int index) {
        if (index >= 0) showView(viewTabs_->tabData(index).toString());
    });
    connect(candidateBox_, &QComboBox::activated, this, [this](int index) {
        setSelectedCandidate(candidateBox_->itemData(index).toString());
        emit candidateSelected(candidate_);
    });
    connect(deadline_, &DeadlineView::constraintsChosen, this, &PlanPage::constraintsChosen);
    connect(deadline_, &DeadlineView::sizeChosen, this, &PlanPage::sizeChosen);
    connect(pareto_, &ParetoView::sizeChosen, this, &PlanPage::sizeChosen);
    for (Worker* worker : {&views_worker_, &study_worker_}) {
        connect(worker, &Worker::failed, this, [this](const QString& key, const QString& why) {
            const QStringList waiting = pending_.keys(key);
            for (const QString& id : waiting)
                views_.value(id)->setState(ViewState::Failed, why, why);
        });
        // A job that was replaced doesn't finish: the one in its place does.
        connect(worker, &Worker::finished, this, [this](const QString& key) {
            pending_.removeIf([&key](const auto& each) { return each.value() == key; });
        });
    }
    connect(&study_worker_, &Worker::advanced, this, [this](const QString& key, double share) {
        const QString id = key.section(QLatin1Char(':'), -1);
        emit working(id == QLatin1String("sizes") ? tr("Planning other sizes") : viewTitle(id),
                     share);
    });
    connect(&study_worker_, &Worker::finished, this, [this] { emit worked(); });
    rebuildTabs();
    showView(QStringLiteral("ranking"));
}

PlanPage::~PlanPage() = default;

void PlanPage::addView(int group, const QString& id, SectionView* view) {
    view->setObjectName(id + QStringLiteral("View"));
    views_.insert(id, view);
    groups_.insert(id, group);
    stack_->addWidget(view);
    connect(view, &SectionView::candidateSelected, this, [this](const QString& name) {
        setSelectedCandidate(name);
        emit candidateSelected(name);
    });
    connect(view, &SectionView::candidateActivated, this, [this](const QString& name) {
        setSelectedCandidate(name);
        emit candidateSelected(name);
        if (groups_.value(current_) == 0) showView(QStringLiteral("time"));
    });
    connect(view, &SectionView::figureActivated, this, &PlanPage::figureActivated);
    connect(view, &SectionView::layoutChosen, this, &PlanPage::layoutChosen);
}

const QStringList& PlanPage::viewIds() {
    static const QStringList ids = [] {
        QStringList list;
        for (const ViewName& each : kViews) list.append(QString::fromLatin1(each.id));
        return list;
    }();
    return ids;
}

QString PlanPage::viewTitle(const QString& id) {
    for (const ViewName& each : kViews)
        if (id == QLatin1String(each.id))
            return QCoreApplication::translate("trainwright::ui::PlanPage", each.title);
    return id;
}

QString PlanPage::groupTitle(int group) {
    return QCoreApplication::translate("trainwright::ui::PlanPage",
                                       kGroups[static_cast<std::size_t>(group)]);
}

void PlanPage::rebuildTabs() {
    const QSignalBlocker blocker(viewTabs_);
    while (viewTabs_->count() > 0) viewTabs_->removeTab(0);
    int chosen = 0;
    for (const ViewName& each : kViews) {
        if (each.group != group_) continue;
        const QString id = QString::fromLatin1(each.id);
        const int index = viewTabs_->addTab(viewTitle(id));
        viewTabs_->setTabData(index, id);
        if (id == current_) chosen = index;
    }
    viewTabs_->setCurrentIndex(chosen);
}

void PlanPage::showGroup(int group) {
    if (group == group_) return;
    for (const ViewName& each : kViews)
        if (each.group == group) {
            showView(QString::fromLatin1(each.id));
            return;
        }
}

void PlanPage::showNeighbour(int step) {
    const QStringList& ids = viewIds();
    const qsizetype count = ids.size();
    showView(ids[(ids.indexOf(current_) + step + count) % count]);
}

void PlanPage::showView(const QString& id) {
    if (!views_.contains(id) || id == current_) return;
    current_ = id;
    group_ = groups_.value(id);
    {
        const QSignalBlocker blocker(groupTabs_);
        groupTabs_->setCurrentIndex(group_);
    }
    rebuildTabs();
    stack_->setCurrentWidget(views_.value(id));
    candidateLabel_->setVisible(isOfOneCandidate(id));
    candidateBox_->setVisible(isOfOneCandidate(id));
    refresh();
    emit viewChanged(id);
}

void PlanPage::setTranslation(Translate translate) {
    translate_ = std::move(translate);
    pareto_->setTranslation(translate_);
    deadline_->setTranslation(translate_);
    gantt_->setTranslation(translate_);
    topology_->setTranslation(translate_);
    ++stamp_;
    studies_->runsAsked = studies_->claimsAsked = false;
    refresh();
}

PlanSnapshot PlanPage::snapshot() const {
    if (!planned_) return {};
    return {std::shared_ptr<const search::PlanRequest>(planned_, &planned_->request()),
            std::shared_ptr<const search::PlanResult>(planned_, &planned_->result)};
}

std::string PlanPage::candidateName() const {
    return candidate_.toStdString();
}

void PlanPage::setPlanned(std::shared_ptr<const Planned> planned) {
    planned_ = std::move(planned);
    problem_.clear();
    ++stamp_;
    const QSignalBlocker blocker(candidateBox_);
    candidateBox_->clear();
    if (planned_) {
        const std::vector<reports::CandidateView> order = planned_->views();
        for (const reports::CandidateView& each : order) {
            const QString name = QString::fromStdString(each.request->name);
            candidateBox_->addItem(name, name);
        }
        if (candidateBox_->findData(candidate_) < 0)
            candidate_ =
                candidateBox_->count() > 0 ? candidateBox_->itemData(0).toString() : QString();
        candidateBox_->setCurrentIndex(candidateBox_->findData(candidate_));
    }
    stale_ = false;
    refresh();
}

void PlanPage::setStale(bool stale) {
    stale_ = stale;
    if (!stale || !planned_) return;
    markAllStale();
}

void PlanPage::setProblem(const QString& problem) {
    problem_ = problem;
    if (problem.isEmpty()) return;
    for (const QString& id : viewIds()) {
        if (id == QLatin1String("parity") || id == QLatin1String("claims")) continue;
        SectionView* each = views_.value(id);
        each->setState(planned_ ? ViewState::Stale : ViewState::Empty, problem);
    }
}

void PlanPage::markAllStale() {
    const QString since = tr("from %1").arg(planned_->at.toString(QStringLiteral("HH:mm:ss")));
    for (const QString& id : viewIds())
        if (id != QLatin1String("parity") && id != QLatin1String("claims") &&
            builtFor_.contains(id))
            views_.value(id)->setState(ViewState::Computing, since);
}

void PlanPage::catalogChanged() {
    views_worker_.reopenCatalog();
    study_worker_.reopenCatalog();
    studies_->runsAsked = studies_->claimsAsked = false;
    refresh();
}

void PlanPage::setSelectedCandidate(const QString& name) {
    if (name == candidate_ || name.isEmpty()) return;
    candidate_ = name;
    const QSignalBlocker blocker(candidateBox_);
    candidateBox_->setCurrentIndex(candidateBox_->findData(name));
    for (SectionView* each : std::as_const(views_)) each->setChosen(name);
    pareto_->setCandidate(name);
    for (const QString& id : viewIds())
        if (isOfOneCandidate(id)) builtFor_.remove(id);
    studies_->candidateAsked = 0;
    refresh();
}

bool PlanPage::isSettled() const {
    if (stale_ || pending_.contains(current_)) return false;
    const ViewState state = views_.value(current_)->state();
    return state != ViewState::Computing;
}

QString PlanPage::awaited(const QString& job, const QStringList& views) {
    for (const QString& view : views) pending_.insert(view, job);
    return job;
}

void PlanPage::build(const QString& id, std::function<reports::Section(Worker::Context&)> make) {
    if (builtFor_.value(id) == stamp_) return;
    builtFor_.insert(id, stamp_);
    SectionView* view = views_.value(id);
    views_worker_.post(
        awaited(QStringLiteral("view:") + id, {id}),
        [this, id, view, make = std::move(make), translate = translate_](Worker::Context& job) {
            reports::Section section = make(job);
            if (translate) section = translate(std::move(section));
            auto shared = std::make_shared<const reports::Section>(std::move(section));
            job.deliver([this, id, view, shared] {
                view->setSection(shared);
                view->setChosen(candidate_);
                if (stale_) markAllStale();
                if (!problem_.isEmpty()) view->setState(ViewState::Stale, problem_);
            });
        });
}

void PlanPage::refresh() {
    if (current_ == QLatin1String("parity")) return studyRuns();
    if (current_ == QLatin1String("claims")) return studyClaims();
    SectionView* view = views_.value(current_);
    if (!planned_) {
        view->setState(ViewState::Empty, problem_.isEmpty()
                                             ? tr("Open a scenario, or start one, to see a plan.")
                                             : problem_);
        return;
    }
    const std::shared_ptr<const Planned> planned = planned_;
    const std::string name = candidateName();
    if (current_ == QLatin1String("ranking")) {
        build(current_, [planned](Worker::Context&) {
            return reports::rankingView(planned->request(), planned->result);
        });
    } else if (current_ == QLatin1String("time")) {
        build(current_, [planned, name](Worker::Context&) {
            return reports::timeView(planned->request(), planned->result, name);
        });
    } else if (current_ == QLatin1String("memory")) {
        build(current_, [planned, name](Worker::Context&) {
            return reports::memoryView(planned->request(), planned->result, name);
        });
    } else if (current_ == QLatin1String("cost")) {
        build(current_, [planned](Worker::Context&) {
            return reports::costView(planned->request(), planned->result);
        });
    } else if (current_ == QLatin1String("bands")) {
        build(current_, [planned, name](Worker::Context&) {
            return reports::bandsView(planned->request(), planned->result, name);
        });
    } else if (current_ == QLatin1String("roofline")) {
        const search::CandidateRequest* asked = planned->requestOf(name);
        const search::CandidateResult* found = planned->candidate(name);
        if (asked != nullptr && found != nullptr)
            build(current_, [planned, asked, found](Worker::Context&) {
                return reports::rooflineView(planned->request(), *found,
                                             search::ceilingsOf(*asked));
            });
    } else if (current_ == QLatin1String("pareto") || current_ == QLatin1String("deadline")) {
        studySizes();
    } else {
        studyCandidate();
    }
}

void PlanPage::showSizes(const QString& id, std::shared_ptr<const search::SizeStudy> study) {
    builtFor_.insert(id, stamp_);
    if (id == QLatin1String("pareto")) {
        pareto_->setCandidate(candidate_);
        pareto_->setPlan(snapshot(), std::move(study));
    } else {
        deadline_->setPlan(snapshot(), std::move(study));
    }
    if (stale_) markAllStale();
}

void PlanPage::studySizes() {
    const std::uint64_t generation = planned_->checked->generation;
    const std::shared_ptr<const search::SizeStudy> known =
        studies_->sizesOf == generation ? studies_->sizes : nullptr;
    // A study that comes shows itself.
    if (known || builtFor_.value(current_) != stamp_) showSizes(current_, known);
    if (known || studies_->sizesAsked == generation) return;
    studies_->sizesAsked = generation;
    const QString key = awaited(QStringLiteral("study:sizes"),
                                {QStringLiteral("pareto"), QStringLiteral("deadline")});
    if (current_ == QLatin1String("deadline"))
        deadline_->setState(ViewState::Computing, tr("Planning every candidate at other sizes"));
    study_worker_.post(key, [this, planned = planned_, generation](Worker::Context& job) {
        auto study = std::make_shared<const search::SizeStudy>(
            search::studySizes(planned->request(), Planner::threads(), [&job](double share) {
                job.advanced(share);
                return !job.isCancelled();
            }));
        if (study->stopped) return;
        job.deliver([this, study, generation] {
            studies_->sizes = study;
            studies_->sizesOf = generation;
            // The plan may be another one by now, which asks for its own study once it is shown.
            if (!planned_ || planned_->checked->generation != generation) return;
            for (const QString& id : {QStringLiteral("pareto"), QStringLiteral("deadline")})
                if (builtFor_.contains(id)) showSizes(id, study);
        });
    });
}

void PlanPage::studyCandidate() {
    if (builtFor_.value(current_) == stamp_) return;
    builtFor_.insert(current_, stamp_);
    const std::shared_ptr<const Planned> planned = planned_;
    const std::string name = candidateName();
    const search::CandidateRequest* asked = planned->requestOf(name);
    const search::CandidateResult* found = planned->candidate(name);
    if (asked == nullptr || found == nullptr) return;
    const bool isPipeline = current_ == QLatin1String("pipeline");
    views_worker_.post(awaited(QStringLiteral("view:") + current_, {current_}),
                       [this, planned, asked, found, isPipeline, plan = snapshot(),
                        shown = candidate_](Worker::Context& job) {
                           if (isPipeline) {
                               auto study = std::make_shared<const search::PipelineStudy>(
                                   search::studyPipeline(planned->request(), *asked, *found));
                               job.deliver([this, study, plan, shown] {
                                   gantt_->setStudy(plan, shown, study);
                                   if (stale_) markAllStale();
                               });
                           } else {
                               auto study = std::make_shared<const search::NetworkStudy>(
                                   search::studyNetwork(*asked, *found));
                               job.deliver([this, study, plan, shown] {
                                   topology_->setStudy(plan, shown, study);
                                   if (stale_) markAllStale();
                               });
                           }
                       });
}

void PlanPage::studyRuns() {
    if (std::exchange(studies_->runsAsked, true)) return;
    SectionView* view = views_.value(QStringLiteral("parity"));
    view->setState(ViewState::Computing, tr("Predicting every published run"));
    study_worker_.post(
        awaited(QStringLiteral("study:parity"), {QStringLiteral("parity")}),
        [this, view, translate = translate_](Worker::Context& job) {
            const Outcome<std::vector<import::PublishedRun>> runs =
                import::readRuns(job.catalog().runs());
            if (!runs) throw std::runtime_error(runs.findings().front().english());
            const auto calibration = job.catalog().calibration();
            const std::vector<runs::ValidatedRun> rows =
                runs::validate(runs::prepare(*runs, job.catalog()), calibration.get(),
                               Planner::threads(), [&job](double share) {
                                   job.advanced(share);
                                   return !job.isCancelled();
                               });
            if (job.isCancelled()) return;
            reports::ValidationContext context;
            context.runsTitle = reports::text("the catalog's published runs").english();
            context.calibrationTitle =
                calibration ? calibration->id : reports::text("none").english();
            reports::Section section =
                leading(reports::validationDocument(runs::errorsOf(rows), context),
                        reports::text("How wrong has it been?"));
            if (translate) section = translate(std::move(section));
            auto shared = std::make_shared<const reports::Section>(std::move(section));
            job.deliver([view, shared] { view->setSection(shared); });
        });
}

void PlanPage::studyClaims() {
    if (std::exchange(studies_->claimsAsked, true)) return;
    SectionView* view = views_.value(QStringLiteral("claims"));
    view->setState(ViewState::Computing, tr("Checking every claim"));
    study_worker_.post(
        awaited(QStringLiteral("study:claims"), {QStringLiteral("claims")}),
        [this, view, translate = translate_](Worker::Context& job) {
            const Outcome<std::vector<import::PublishedRun>> runs =
                import::readRuns(job.catalog().runs());
            if (!runs) throw std::runtime_error(runs.findings().front().english());
            claims::CheckOptions options;
            options.threads = Planner::threads();
            options.progress = [&job](double share) {
                job.advanced(share);
                return !job.isCancelled();
            };
            const std::vector<claims::CheckedClaim> checked =
                claims::check(job.catalog().claims(), {job.catalog(), *runs}, options);
            if (job.isCancelled()) return;
            reports::Section section = leading(reports::claimsDocument(checked, {}),
                                               reports::text("Which public claims hold?"));
            if (translate) section = translate(std::move(section));
            auto shared = std::make_shared<const reports::Section>(std::move(section));
            job.deliver([view, shared] { view->setSection(shared); });
        });
}

void PlanPage::retranslate() {
    for (int i = 0; i < groupTabs_->count(); ++i) groupTabs_->setTabText(i, groupTitle(i));
    groupTabs_->setAccessibleName(tr("Groups of views"));
    viewTabs_->setAccessibleName(tr("Views"));
    candidateLabel_->setText(tr("Candidate:"));
    candidateBox_->setAccessibleName(tr("Candidate that the view is about"));
    rebuildTabs();
}

void PlanPage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange) retranslate();
}

}  // namespace trainwright::ui
