// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/main_window.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "data/catalog/overlay.h"
#include "data/compare/kept_result.h"
#include "data/scenario/registry.h"
#include "data/scenario/yaml.h"
#include "reports/number_format.h"
#include "reports/view_sections.h"
#include "ui/document/recent_files.h"
#include "ui/form/scenario_form.h"
#include "ui/form/scenario_text_view.h"
#include "ui/language/po_translator.h"
#include "ui/look/look.h"
#include "ui/window/catalog_page.h"
#include "ui/window/compare_page.h"
#include "ui/window/go_to.h"
#include "ui/window/help_window.h"
#include "ui/window/plan_page.h"
#include "ui/window/price_wizard.h"
#include "ui/window/start_page.h"
#include "ui/window/tour.h"
#include "ui/window/trace_panel.h"
#include "ui/window/verdict_bar.h"

namespace trainwright::ui {
namespace {

constexpr int kLayoutVersion = 1;
constexpr int kNarrowWidth = 1180;
constexpr int kNarrowForm = 340;
constexpr int kIndexRole = Qt::UserRole;
constexpr int kPathRole = Qt::UserRole + 1;
constexpr int kIsExampleRole = Qt::UserRole + 2;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

bool looksLikePrices(const QString& path) {
    return path.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive) ||
           path.endsWith(QLatin1String(".json"), Qt::CaseInsensitive);
}

bool looksLikeScenario(const QString& path) {
    return path.endsWith(QLatin1String(".yaml"), Qt::CaseInsensitive) ||
           path.endsWith(QLatin1String(".yml"), Qt::CaseInsensitive);
}

/// A dock that scrolls inside, so that a small window can hold it.
QDockWidget* dockOf(const QString& name, QWidget* content, QMainWindow* window) {
    auto* dock = new QDockWidget(window);
    dock->setObjectName(name);
    dock->setWidget(content);
    dock->setFeatures(QDockWidget::DockWidgetClosable | QDockWidget::DockWidgetMovable |
                      QDockWidget::DockWidgetFloatable);
    return dock;
}

}  // namespace

struct MainWindow::Actions {
    QMenu *file, *edit, *scenario, *view, *catalog, *help, *recent, *examples, *views, *docks,
        *themes, *languages;
    QAction *newScenario, *open, *save, *saveAs, *revert, *report, *close, *quit;
    QAction *undo, *redo, *find;
    QAction *addCandidate, *duplicateCandidate, *removeCandidate, *recompute, *stop;
    QAction *nextView, *previousView, *nextPane, *previousPane, *nextCheck, *previousCheck, *table,
        *toggleForm, *toggleScenarios, *toggleYaml, *goTo, *reset;
    QAction *browse, *importPrices;
    QAction *manual, *tour, *about, *aboutQt;
    QList<QAction*> viewActions, groupActions, candidateActions, pageActions, themeActions,
        languageActions;
};

MainWindow::MainWindow(const DesktopOptions& options)
    : options_(options),
      planner_(std::make_unique<Planner>(options.openCatalog, options.contextOf)),
      actions_(std::make_unique<Actions>()) {
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    setDockNestingEnabled(true);
    setMinimumSize(640, 420);
    systemIsDark_ = isDark(QGuiApplication::palette());
    if (Outcome<catalog::Catalog> opened = options_.openCatalog())
        catalog_ = std::make_unique<catalog::Catalog>(std::move(opened).value());

    buildActions();
    buildCentre();
    buildDocks();
    buildMenus();
    buildStatusBar();
    connectPlanner();
    connectPages();

    start_->setCatalog(catalog_.get());
    form_->setCatalog(catalog_.get());
    catalogPage_->setCatalog(catalog_.get());
    QStringList examples;
    const QDir folder(qt(options_.examples));
    for (const QString& name :
         folder.entryList({QStringLiteral("*.yaml")}, QDir::Files, QDir::Name))
        examples.append(folder.filePath(name));
    start_->setExamples(examples);
    start_->setRecent(recentFiles());

    resize(1440, 900);
    firstState_ = saveState(kLayoutVersion);
    readSettings();
    settle_.setInterval(20);
    connect(&settle_, &QTimer::timeout, this, [this] {
        if (!planner_->isSettled() || !plan_->isSettled()) return;
        settle_.stop();
        emit settled();
    });
    refreshScenarios();
    refreshChecks();
    refreshActions();
    refreshVerdict();
    showPage(Page::Start);
    if (!catalog_) {
        const Outcome<catalog::Catalog> again = options_.openCatalog();
        say(again ? QString() : words(again.findings().front().text));
    }
    for (const std::string& file : options_.files) openFile(qt(file));
    offerRecovery();
}

MainWindow::~MainWindow() {
    // Widgets look at documents and at the catalog until they go: they go first.
    form_->setDocument(nullptr);
    yaml_->setDocumentShown(nullptr);
    form_->setCatalog(nullptr);
    catalogPage_->setCatalog(nullptr);
}

// ---- What the window is made of ----

void MainWindow::buildActions() {
    Actions& a = *actions_;
    const auto make = [this](const char* name, const QKeySequence& keys = {},
                             std::function<void()> run = {}) {
        auto* action = new QAction(this);
        action->setObjectName(QString::fromLatin1(name));
        if (!keys.isEmpty()) action->setShortcut(keys);
        if (run) connect(action, &QAction::triggered, this, std::move(run));
        return action;
    };
    a.newScenario = make("newScenario", QKeySequence::New, [this] { newScenario(); });
    a.open = make("open", QKeySequence::Open, [this] { chooseFile(); });
    a.save = make("save", QKeySequence::Save, [this] { save(); });
    a.saveAs = make("saveAs", QKeySequence(QStringLiteral("Ctrl+Shift+S")), [this] { saveAs(); });
    a.revert = make("revert", {}, [this] {
        if (document() != nullptr) document()->revert();
    });
    a.report = make("report", QKeySequence(QStringLiteral("Ctrl+E")), [this] { exportReport(); });
    a.close = make("close", QKeySequence::Close, [this] { closeDocument(current_); });
    a.quit = make("quit", QKeySequence::Quit, [this] { close(); });
    a.undo = make("undo", QKeySequence::Undo, [this] {
        if (document() != nullptr) document()->undoStack()->undo();
    });
    a.redo = make("redo", {}, [this] {
        if (document() != nullptr) document()->undoStack()->redo();
    });
    a.redo->setShortcuts(
        {QKeySequence(QStringLiteral("Ctrl+Shift+Z")), QKeySequence(QStringLiteral("Ctrl+Y"))});
    a.find = make("find", QKeySequence::Find, [this] {
        if (page_ == Page::Catalog)
            catalogPage_->focusSearch();
        else
            form_->focusFilter();
    });
    a.addCandidate = make("addCandidate", QKeySequence(QStringLiteral("Shift+Alt+A")), [this] {
        formDock_->show();
        formStack_->setCurrentIndex(0);
        form_->showAddCandidate();
    });
    a.duplicateCandidate = make("duplicateCandidate", {}, [this] {
        if (document() != nullptr) document()->duplicateCandidate(plan_->selectedCandidate());
    });
    a.removeCandidate = make("removeCandidate", {}, [this] {
        if (document() != nullptr) document()->removeCandidate(plan_->selectedCandidate());
    });
    a.recompute = make("recompute", QKeySequence(Qt::Key_F5), [this] {
        if (document() != nullptr) document()->checkDisk();
        planner_->replan();
        settle_.start();
    });
    a.stop = make("stop", QKeySequence(Qt::Key_Escape), [this] { planner_->stop(); });
    a.nextView = make("nextView", QKeySequence(QStringLiteral("Ctrl+PgDown")), [this] {
        showPage(Page::Plan);
        plan_->showNeighbour(1);
    });
    a.previousView = make("previousView", QKeySequence(QStringLiteral("Ctrl+PgUp")), [this] {
        showPage(Page::Plan);
        plan_->showNeighbour(-1);
    });
    const auto panes = [this] {
        QList<QWidget*> list;
        list << verdict_ << scenarios_ << checks_;
        if (formStack_->currentIndex() == 0)
            list << form_;
        else
            list << yaml_;
        list << plan_ << trace_;
        return list;
    };
    const auto movePane = [this, panes](int step) {
        const QList<QWidget*> list = panes();
        qsizetype at = -1;
        QWidget* focus = QApplication::focusWidget();
        for (qsizetype i = 0; i < list.size(); ++i)
            if (focus != nullptr && (list[i] == focus || list[i]->isAncestorOf(focus))) at = i;
        for (qsizetype tried = 0; tried < list.size(); ++tried) {
            at = (at + step + list.size()) % list.size();
            QWidget* pane = list[at];
            if (!pane->isVisible()) continue;
            QWidget* target = pane;
            if (target->focusPolicy() == Qt::NoFocus) {
                target = nullptr;
                for (QWidget* child : pane->findChildren<QWidget*>())
                    if (child->isVisible() && child->isEnabled() &&
                        (child->focusPolicy() & Qt::TabFocus) != 0) {
                        target = child;
                        break;
                    }
            }
            if (target == nullptr) continue;
            target->setFocus(Qt::TabFocusReason);
            return;
        }
    };
    a.nextPane = make("nextPane", QKeySequence(Qt::Key_F6), [movePane] { movePane(1); });
    a.previousPane = make("previousPane", QKeySequence(QStringLiteral("Shift+F6")),
                          [movePane] { movePane(-1); });
    const auto moveCheck = [this](int step) {
        if (checks_->count() == 0) return;
        const int row = (checks_->currentRow() + step + checks_->count()) % checks_->count();
        checks_->setCurrentRow(row);
        showFinding(shownFindings_[static_cast<std::size_t>(row)]);
    };
    a.nextCheck = make("nextCheck", QKeySequence(Qt::Key_F8), [moveCheck] { moveCheck(1); });
    a.previousCheck = make("previousCheck", QKeySequence(QStringLiteral("Shift+F8")),
                           [moveCheck] { moveCheck(-1); });
    a.table = make("chartOrTable", QKeySequence(QStringLiteral("Ctrl+T")), [this] {
        SectionView* view = plan_->view(plan_->currentView());
        view->showTable(!view->isTableShown());
    });
    a.toggleForm = make("toggleForm", QKeySequence(Qt::Key_F9),
                        [this] { formDock_->setVisible(!formDock_->isVisible()); });
    a.toggleScenarios = make("toggleScenarios", QKeySequence(QStringLiteral("Ctrl+\\")), [this] {
        const bool visible = scenariosDock_->isVisible();
        scenariosDock_->setVisible(!visible);
        checksDock_->setVisible(!visible);
    });
    a.toggleYaml = make("toggleYaml", QKeySequence(QStringLiteral("Ctrl+Shift+Y")), [this] {
        formDock_->show();
        formStack_->setCurrentIndex(1 - formStack_->currentIndex());
    });
    a.goTo = make("goTo", QKeySequence(QStringLiteral("Ctrl+K")), [this] { goToAnything(); });
    a.reset = make("resetLayout", {}, [this] { resetLayout(); });
    a.browse = make("browseCatalog", {}, [this] { showPage(Page::Catalog); });
    a.importPrices =
        make("importPrices", QKeySequence(QStringLiteral("Ctrl+I")), [this] { importPrices(); });
    a.manual = make("manual", QKeySequence::HelpContents, [this] { showHelp(); });
    a.tour = make("tour", {}, [this] { startTour(); });
    a.about = make("about", {}, [this] {
        QMessageBox::about(
            this, tr("About Trainwright"),
            tr("Trainwright %1 estimates what it takes to train a large language model on AWS "
               "Trainium and on GPUs.\n\nCatalog %2, prices to %3.\n\nFree software under the GNU "
               "General Public License, version 3 or later.")
                .arg(qt(options_.programVersion), catalog_ ? qt(catalog_->version()) : QString(),
                     catalog_ ? qt(catalog_->newestPriceDate()) : QString()));
    });
    a.aboutQt = make("aboutQt", {}, [] { QApplication::aboutQt(); });

    for (const QString& id : PlanPage::viewIds()) {
        QAction* action = make("", {}, [this, id] {
            showPage(Page::Plan);
            plan_->showView(id);
        });
        action->setObjectName(QStringLiteral("view_") + id);
        action->setData(id);
        a.viewActions.append(action);
    }
    for (int group = 0; group < 3; ++group) {
        a.groupActions.append(
            make("", QKeySequence(QStringLiteral("Alt+%1").arg(group + 1)), [this, group] {
                showPage(Page::Plan);
                plan_->showGroup(group);
            }));
        a.groupActions.last()->setObjectName(QStringLiteral("group_%1").arg(group));
    }
    for (int n = 0; n < 9; ++n) {
        QAction* action = make("", QKeySequence(QStringLiteral("Ctrl+%1").arg(n + 1)), [this, n] {
            const std::shared_ptr<const Planned> planned = planner_->planned();
            if (!planned) return;
            const auto views = planned->views();
            if (n < static_cast<int>(views.size()))
                selectCandidate(qt(views[static_cast<std::size_t>(n)].request->name));
        });
        action->setObjectName(QStringLiteral("candidate_%1").arg(n + 1));
        addAction(action);
        a.candidateActions.append(action);
    }
    for (QAction* action : {a.nextView, a.previousView, a.nextPane, a.previousPane, a.nextCheck,
                            a.previousCheck, a.table, a.toggleForm, a.toggleScenarios, a.goTo})
        addAction(action);
    for (QAction* action : a.groupActions) addAction(action);
}

void MainWindow::buildCentre() {
    pages_ = new QTabBar(this);
    pages_->setObjectName(QStringLiteral("pages"));
    pages_->setDocumentMode(true);
    pages_->setExpanding(false);
    pages_->setDrawBase(false);
    for (int i = 0; i < 3; ++i) pages_->addTab(QString());
    verdict_ = new VerdictBar(this);
    bar_ = new QWidget(this);
    bar_->setObjectName(QStringLiteral("diskBar"));
    bar_->setAutoFillBackground(true);
    auto* barLayout = new QHBoxLayout(bar_);
    barText_ = new QLabel(bar_);
    barText_->setWordWrap(true);
    barLayout->addWidget(barText_, 1);
    barButtons_ = new QHBoxLayout;
    barLayout->addLayout(barButtons_);
    bar_->hide();

    start_ = new StartPage(this);
    plan_ = new PlanPage(options_.openCatalog, this);
    compare_ =
        new ComparePage(options_.openCatalog, options_.contextOf, options_.readRevision, this);
    catalogPage_ = new CatalogPage(this);
    stack_ = new QStackedWidget(this);
    stack_->addWidget(start_);
    stack_->addWidget(plan_);
    stack_->addWidget(compare_);
    stack_->addWidget(catalogPage_);

    auto* centre = new QWidget(this);
    auto* layout = new QVBoxLayout(centre);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(bar_);
    layout->addWidget(stack_, 1);
    // Docks that glide are laid out once more for every frame of it.
    setAnimated(false);
    setCentralWidget(centre);

    // Pages and verdict stand above docks and centre alike.
    auto* top = new QToolBar(this);
    top->setObjectName(QStringLiteral("topBar"));
    top->setMovable(false);
    top->setFloatable(false);
    auto* content = new QWidget(top);
    auto* topLayout = new QVBoxLayout(content);
    topLayout->setContentsMargins(0, 0, 0, 0);
    topLayout->setSpacing(0);
    topLayout->addWidget(pages_);
    topLayout->addWidget(verdict_);
    content->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    top->addWidget(content);
    top->setContextMenuPolicy(Qt::PreventContextMenu);
    addToolBar(Qt::TopToolBarArea, top);
}

void MainWindow::buildDocks() {
    scenarios_ = new QTreeWidget(this);
    scenarios_->setObjectName(QStringLiteral("scenarioList"));
    scenarios_->setHeaderHidden(true);
    scenarios_->setRootIsDecorated(true);
    scenarios_->setTextElideMode(Qt::ElideMiddle);
    scenariosDock_ = dockOf(QStringLiteral("scenariosDock"), scenarios_, this);
    checks_ = new QListWidget(this);
    checks_->setObjectName(QStringLiteral("checks"));
    checks_->setWordWrap(true);
    checks_->setTextElideMode(Qt::ElideNone);
    checksDock_ = dockOf(QStringLiteral("checksDock"), checks_, this);

    form_ = new ScenarioForm(this);
    form_->setObjectName(QStringLiteral("form"));
    yaml_ = new ScenarioTextView(this);
    yaml_->setObjectName(QStringLiteral("yaml"));
    formStack_ = new QStackedWidget(this);
    formStack_->addWidget(form_);
    formStack_->addWidget(yaml_);
    formDock_ = dockOf(QStringLiteral("formDock"), formStack_, this);

    trace_ = new TracePanel(this);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(trace_);
    traceDock_ = dockOf(QStringLiteral("traceDock"), scroll, this);

    addDockWidget(Qt::LeftDockWidgetArea, scenariosDock_);
    splitDockWidget(scenariosDock_, formDock_, Qt::Horizontal);
    splitDockWidget(scenariosDock_, checksDock_, Qt::Vertical);
    addDockWidget(Qt::BottomDockWidgetArea, traceDock_);
    setCorner(Qt::BottomLeftCorner, Qt::LeftDockWidgetArea);
    for (QAbstractItemView* list :
         {static_cast<QAbstractItemView*>(scenarios_), static_cast<QAbstractItemView*>(checks_)})
        list->viewport()->setAttribute(Qt::WA_StaticContents);
    resizeDocks({scenariosDock_, formDock_}, {210, 400}, Qt::Horizontal);
    resizeDocks({scenariosDock_, checksDock_}, {500, 200}, Qt::Vertical);
    traceDock_->hide();
}

void MainWindow::buildMenus() {
    Actions& a = *actions_;
    a.file = menuBar()->addMenu(QString());
    a.file->addActions({a.newScenario, a.open});
    a.recent = a.file->addMenu(QString());
    a.examples = a.file->addMenu(QString());
    a.file->addSeparator();
    a.file->addActions({a.save, a.saveAs, a.revert});
    a.file->addSeparator();
    a.file->addAction(a.report);
    a.file->addSeparator();
    a.file->addActions({a.close, a.quit});
    a.edit = menuBar()->addMenu(QString());
    a.edit->addActions({a.undo, a.redo});
    a.edit->addSeparator();
    a.edit->addActions({a.find, a.goTo});
    a.scenario = menuBar()->addMenu(QString());
    a.scenario->addActions({a.addCandidate, a.duplicateCandidate, a.removeCandidate});
    a.scenario->addSeparator();
    a.scenario->addActions({a.recompute, a.stop});
    a.scenario->addSeparator();
    a.scenario->addAction(a.toggleYaml);
    a.view = menuBar()->addMenu(QString());
    a.views = a.view->addMenu(QString());
    for (int group = 0, i = 0; group < 3; ++group) {
        a.views->addSection(PlanPage::groupTitle(group));
        a.views->addAction(a.groupActions[group]);
        constexpr std::array<int, 3> kSizes{3, 6, 3};
        for (int n = 0; n < kSizes[static_cast<std::size_t>(group)]; ++n, ++i)
            a.views->addAction(a.viewActions[i]);
    }
    a.view->addActions({a.previousView, a.nextView, a.table});
    a.view->addSeparator();
    a.docks = a.view->addMenu(QString());
    for (QDockWidget* dock : {scenariosDock_, checksDock_, formDock_, traceDock_})
        a.docks->addAction(dock->toggleViewAction());
    a.view->addAction(a.reset);
    a.view->addSeparator();
    a.themes = a.view->addMenu(QString());
    auto* themes = new QActionGroup(this);
    for (Theme theme : {Theme::System, Theme::Light, Theme::Dark}) {
        QAction* action = themes->addAction(QString());
        action->setCheckable(true);
        action->setData(static_cast<int>(theme));
        connect(action, &QAction::triggered, this, [this, theme] { setTheme(theme); });
        a.themes->addAction(action);
        a.themeActions.append(action);
    }
    a.languages = a.view->addMenu(QString());
    auto* languages = new QActionGroup(this);
    for (const auto& [code, name] : {std::pair{QStringLiteral("en"), QStringLiteral("English")},
                                     {QStringLiteral("es"), QStringLiteral("Español")}}) {
        QAction* action = languages->addAction(name);
        action->setCheckable(true);
        action->setData(code);
        connect(action, &QAction::triggered, this, [this, code = code] { setLanguage(code); });
        a.languages->addAction(action);
        a.languageActions.append(action);
    }
    a.catalog = menuBar()->addMenu(QString());
    a.catalog->addActions({a.browse, a.importPrices});
    a.help = menuBar()->addMenu(QString());
    a.help->addActions({a.manual, a.tour});
    a.help->addSeparator();
    a.help->addActions({a.about, a.aboutQt});

    connect(a.recent, &QMenu::aboutToShow, this, [this] {
        QMenu* menu = actions_->recent;
        menu->clear();
        for (const QString& file : recentFiles())
            connect(menu->addAction(file), &QAction::triggered, this,
                    [this, file] { openFile(file); });
        menu->setEnabled(true);
        if (menu->isEmpty()) menu->addAction(tr("None yet"))->setEnabled(false);
    });
    connect(a.examples, &QMenu::aboutToShow, this, [this] {
        QMenu* menu = actions_->examples;
        menu->clear();
        const QDir folder(qt(options_.examples));
        for (const QString& name :
             folder.entryList({QStringLiteral("*.yaml")}, QDir::Files, QDir::Name))
            connect(menu->addAction(QFileInfo(name).completeBaseName()), &QAction::triggered, this,
                    [this, path = folder.filePath(name)] { openExample(path); });
    });
}

void MainWindow::buildStatusBar() {
    state_ = new QLabel(this);
    state_->setObjectName(QStringLiteral("statusState"));
    search_ = new QLabel(this);
    sources_ = new QLabel(this);
    counts_ = new QLabel(this);
    counts_->setObjectName(QStringLiteral("statusCounts"));
    progress_ = new QProgressBar(this);
    progress_->setObjectName(QStringLiteral("progress"));
    progress_->setRange(0, 1000);
    progress_->setMaximumWidth(fontMetrics().averageCharWidth() * 22);
    progress_->setTextVisible(false);
    progress_->hide();
    stop_ = new QToolButton(this);
    stop_->setObjectName(QStringLiteral("stopButton"));
    stop_->setDefaultAction(actions_->stop);
    stop_->hide();
    statusBar()->addWidget(state_, 1);
    statusBar()->addWidget(progress_);
    statusBar()->addWidget(stop_);
    for (QLabel* label : {search_, sources_, counts_}) statusBar()->addPermanentWidget(label);
    // A long line must not widen the window.
    for (QLabel* label : {state_, search_, sources_})
        label->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    state_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    search_->setMinimumWidth(0);
    search_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
    sources_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Preferred);
}

void MainWindow::connectPlanner() {
    Planner* planner = planner_.get();
    connect(planner, &Planner::checkedChanged, this, [this] {
        const std::shared_ptr<const Checked> checked = planner_->checked();
        if (!checked) {
            form_->setFindings({});
            yaml_->setFindings({});
            plan_->setProblem({});
            refreshChecks();
            return;
        }
        form_->setFindings(checked->findings);
        yaml_->setFindings(checked->findings);
        refreshChecks();
        if (!checked->loaded) {
            const auto errors =
                std::count_if(checked->findings.begin(), checked->findings.end(),
                              [](const Finding& f) { return f.severity == Severity::Error; });
            plan_->setProblem(
                tr("%n error(s) keep the scenario from being planned; they are listed under "
                   "Checks.",
                   "", static_cast<int>(errors)));
            // A file that doesn't parse is shown as the text that it is.
            if (document() != nullptr && document()->tree() == nullptr) {
                formStack_->setCurrentIndex(1);
                formDock_->show();
            }
            refreshVerdict();
            refreshStatus();
        }
    });
    connect(planner, &Planner::plannedChanged, this, [this] {
        plan_->setPlanned(planner_->planned());
        if (planner_->planned() && plan_->selectedCandidate() != form_->selectedCandidate())
            form_->setSelectedCandidate(plan_->selectedCandidate());
        refreshChecks();
        refreshVerdict();
        refreshStatus();
        refreshActions();
    });
    connect(planner, &Planner::staleChanged, this, [this] {
        plan_->setStale(planner_->isStale());
        refreshVerdict();
        refreshStatus();
        settle_.start();
    });
    connect(planner, &Planner::planningChanged, this, [this](bool planning) {
        progress_->setValue(0);
        if (!planning) {
            progress_->hide();
            stop_->hide();
        }
        actions_->stop->setEnabled(planning);
        refreshStatus();
        settle_.start();
    });
    connect(planner, &Planner::advanced, this, [this](double share) {
        progress_->setValue(static_cast<int>(share * 1000));
        progress_->show();
        stop_->show();
    });
    connect(planner, &Planner::failed, this, [this](const QString& why) {
        plan_->setProblem(why);
        say(why);
    });
}

void MainWindow::connectPages() {
    connect(pages_, &QTabBar::currentChanged, this, [this](int index) {
        showPage(index == 1   ? Page::Compare
                 : index == 2 ? Page::Catalog
                 : document() ? Page::Plan
                              : Page::Start);
    });
    connect(verdict_, &VerdictBar::topicChosen, this, [this](reports::VerdictTopic topic) {
        showPage(Page::Plan);
        switch (topic) {
            case reports::VerdictTopic::Headline:
            case reports::VerdictTopic::Next:
                return plan_->showView(QStringLiteral("ranking"));
            case reports::VerdictTopic::Time:
                return plan_->showView(QStringLiteral("time"));
            case reports::VerdictTopic::Cost:
                return plan_->showView(QStringLiteral("cost"));
            case reports::VerdictTopic::Grade:
                return plan_->showView(QStringLiteral("bands"));
            case reports::VerdictTopic::Limit:
                return plan_->showView(QStringLiteral("deadline"));
        }
    });
    connect(scenarios_, &QTreeWidget::itemClicked, this, [this](QTreeWidgetItem* item) {
        if (item->data(0, kIndexRole).isValid()) {
            showDocument(item->data(0, kIndexRole).toInt());
            showPage(Page::Plan);
        }
    });
    connect(scenarios_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
        const QString path = item->data(0, kPathRole).toString();
        if (item->data(0, kIndexRole).isValid()) {
            showDocument(item->data(0, kIndexRole).toInt());
            showPage(Page::Plan);
        } else if (!path.isEmpty()) {
            if (item->data(0, kIsExampleRole).toBool())
                openExample(path);
            else
                openFile(path);
        }
    });
    connect(checks_, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) {
        const int row = checks_->row(item);
        if (row >= 0 && row < static_cast<int>(shownFindings_.size()))
            showFinding(shownFindings_[static_cast<std::size_t>(row)]);
    });
    connect(checks_, &QListWidget::itemClicked, checks_, &QListWidget::itemActivated);

    connect(form_, &ScenarioForm::candidateSelected, this, &MainWindow::selectCandidate);
    connect(form_, &ScenarioForm::whyLayoutRequested, this, [this](const QString& name) {
        selectCandidate(name);
        showPage(Page::Plan);
        plan_->showView(QStringLiteral("time"));
    });
    const auto showCatalog = [this](const QString& kind, const QString& id, const QString& key) {
        showPage(Page::Catalog);
        if (!catalogPage_->showFigure(kind, id, key))
            say(tr("The catalog has no entry %1 %2.").arg(kind, id));
    };
    const auto overrideFigure = [this](const QString& kind, const QString& id, const QString& key) {
        if (document() == nullptr) {
            say(tr("A figure is overridden in a scenario: open one first."));
            return;
        }
        formDock_->show();
        formStack_->setCurrentIndex(0);
        form_->showFigure(kind, id, key);
    };
    connect(form_, &ScenarioForm::figureRequested, this, showCatalog);
    connect(form_, &ScenarioForm::yamlRequested, this, [this] { formStack_->setCurrentIndex(1); });
    connect(trace_, &TracePanel::catalogRequested, this, showCatalog);
    connect(trace_, &TracePanel::overrideRequested, this, overrideFigure);
    connect(catalogPage_, &CatalogPage::overrideRequested, this, overrideFigure);
    connect(catalogPage_, &CatalogPage::importRequested, this, [this] { importPrices(); });

    connect(plan_, &PlanPage::candidateSelected, this, &MainWindow::selectCandidate);
    connect(plan_, &PlanPage::layoutChosen, this, &MainWindow::pinLayout);
    connect(plan_, &PlanPage::constraintsChosen, this, &MainWindow::setLimits);
    connect(plan_, &PlanPage::sizeChosen, this, [this](const QString& name, long chips) {
        if (document() == nullptr) return;
        const int index = document()->candidateIndex(name);
        if (index >= 0)
            document()->set(fmt::format("candidates[{}].accelerators", index),
                            std::to_string(chips));
    });
    connect(plan_, &PlanPage::figureActivated, this,
            [this](const QString& link, const QString& url) {
                if (!url.isEmpty()) {
                    QDesktopServices::openUrl(QUrl(url));
                    return;
                }
                const std::shared_ptr<const Planned> planned = planner_->planned();
                if (planned && trace_->showLink(*planned, link.toStdString())) traceDock_->show();
            });
    connect(plan_, &PlanPage::viewChanged, this, [this] {
        refreshActions();
        settle_.start();
    });
    const auto working = [this](const QString& what, double share) {
        say(tr("%1: %2%").arg(what).arg(static_cast<int>(share * 100)));
    };
    connect(plan_, &PlanPage::working, this, working);
    connect(compare_, &ComparePage::working, this, working);
    connect(plan_, &PlanPage::worked, this, &MainWindow::refreshStatus);
    connect(compare_, &ComparePage::worked, this, &MainWindow::refreshStatus);

    connect(
        start_, &StartPage::scenarioWritten, this,
        [this](const QString& text, const QString& title) { openText(text.toStdString(), title); });
    connect(start_, &StartPage::exampleChosen, this, &MainWindow::openExample);
    connect(start_, &StartPage::fileChosen, this, &MainWindow::openFile);
    connect(start_, &StartPage::openRequested, this, &MainWindow::chooseFile);
    connect(start_, &StartPage::tourRequested, this, &MainWindow::startTour);
}

// ---- Documents ----

ScenarioDocument* MainWindow::document() const {
    return current_ >= 0 && current_ < documentCount()
               ? documents_[static_cast<std::size_t>(current_)].get()
               : nullptr;
}

bool MainWindow::openFile(const QString& path) {
    const QString absolute = QFileInfo(path).absoluteFilePath();
    for (int i = 0; i < documentCount(); ++i)
        if (documents_[static_cast<std::size_t>(i)]->path() == absolute) {
            showDocument(i);
            showPage(Page::Plan);
            return true;
        }
    auto document = std::make_unique<ScenarioDocument>();
    if (const std::optional<Finding> problem = document->open(absolute)) {
        say(tr("%1: %2").arg(QFileInfo(path).fileName(), words(problem->text)));
        return false;
    }
    addRecentFile(absolute);
    start_->setRecent(recentFiles());
    addDocument(std::move(document));
    return true;
}

bool MainWindow::openExample(const QString& path) {
    const Outcome<std::string> text = scenario::yaml::readText(path.toStdString());
    if (!text) {
        say(words(text.findings().front().text));
        return false;
    }
    openText(*text, QFileInfo(path).completeBaseName());
    return true;
}

void MainWindow::openText(const std::string& text, const QString& title) {
    auto document = std::make_unique<ScenarioDocument>();
    document->openText(text, title);
    addDocument(std::move(document));
}

void MainWindow::addDocument(std::unique_ptr<ScenarioDocument> document) {
    attach(document.get());
    documents_.push_back(std::move(document));
    showDocument(documentCount() - 1);
    showPage(Page::Plan);
}

void MainWindow::attach(ScenarioDocument* document) {
    connect(document, &ScenarioDocument::textChanged, this,
            [this, document] { textChanged(document); });
    connect(document, &ScenarioDocument::modifiedChanged, this, [this] {
        refreshScenarios();
        refreshActions();
    });
    connect(document, &ScenarioDocument::pathChanged, this, [this](const QString& path) {
        if (!path.isEmpty()) addRecentFile(path);
        refreshScenarios();
    });
    connect(document, &ScenarioDocument::saved, this, [this, document] {
        say(tr("Saved %1 at %2")
                .arg(document->name(), QTime::currentTime().toString(QStringLiteral("HH:mm"))));
        hideBar();
        refreshScenarios();
    });
    connect(document, &ScenarioDocument::saveFailed, this, [this](const Text& why) {
        say(words(why));
        barText_->setText(words(why));
        bar_->show();
    });
    connect(document, &ScenarioDocument::refused, this,
            [this](const Text& why) { say(words(why)); });
    connect(document, &ScenarioDocument::pathNeeded, this, [this] { saveAs(); });
    connect(document, &ScenarioDocument::reloaded, this, [this](const QString& changed) {
        say(changed.isEmpty() ? tr("The file changed on disk and was read again.")
                              : tr("The file changed on disk and was read again: %1. Undo "
                                   "returns.")
                                    .arg(changed));
    });
    connect(document, &ScenarioDocument::fileGone, this, [this, document] {
        say(tr("%1 is gone from the disk; its text is still here.").arg(document->name()));
        refreshScenarios();
    });
    connect(document, &ScenarioDocument::changedOnDisk, this,
            [this, document](const QString& changed) { offerDiskChoice(document, changed); });
    connect(document, &ScenarioDocument::diskDecided, this, [this] {
        hideBar();
        refreshScenarios();
    });
    QUndoStack* stack = document->undoStack();
    connect(stack, &QUndoStack::canUndoChanged, this, &MainWindow::refreshActions);
    connect(stack, &QUndoStack::canRedoChanged, this, &MainWindow::refreshActions);
    connect(stack, &QUndoStack::undoTextChanged, this, &MainWindow::refreshActions);
    connect(stack, &QUndoStack::redoTextChanged, this, &MainWindow::refreshActions);
}

void MainWindow::showDocument(int index) {
    if (index < 0 || index >= documentCount()) return;
    const bool isOther = index != current_;
    current_ = index;
    ScenarioDocument* shown = document();
    if (isOther || form_->document() != shown) {
        planner_->clear();
        form_->setDocument(shown);
        yaml_->setDocumentShown(shown);
        formStack_->setCurrentIndex(shown->tree() == nullptr ? 1 : 0);
        hideBar();
        if (shown->isChangedOnDisk()) offerDiskChoice(shown, {});
        planner_->setText(shown->text(), shown->fileForFindings(), Planner::Pace::Stepped);
    }
    refreshScenarios();
    refreshActions();
    refreshVerdict();
    refreshStatus();
    settle_.start();
}

bool MainWindow::closeDocument(int index) {
    if (index < 0 || index >= documentCount()) return true;
    ScenarioDocument* closing = documents_[static_cast<std::size_t>(index)].get();
    if (closing->isModified()) {
        Closing choice = closing_;
        if (choice == Closing::Ask) {
            showDocument(index);
            QMessageBox box(QMessageBox::Warning, tr("Unsaved edits"),
                            tr("%1 has %n edit(s) that are not saved.", "",
                               std::max(1, closing->editsSinceSave()))
                                .arg(closing->name()),
                            QMessageBox::NoButton, this);
            QPushButton* saveButton = box.addButton(tr("Save"), QMessageBox::AcceptRole);
            QPushButton* lose =
                box.addButton(tr("Close and lose the edits"), QMessageBox::DestructiveRole);
            box.addButton(tr("Keep open"), QMessageBox::RejectRole);
            box.exec();
            if (box.clickedButton() == saveButton)
                choice = Closing::Save;
            else if (box.clickedButton() == lose)
                choice = Closing::Discard;
            else
                return false;
        }
        if (choice == Closing::Save && !closing->save()) return false;
    }
    closing->discardRecovery();
    if (index == current_) {
        form_->setDocument(nullptr);
        yaml_->setDocumentShown(nullptr);
        planner_->clear();
        hideBar();
    }
    documents_.erase(documents_.begin() + index);
    if (index < current_) --current_;
    if (current_ >= documentCount()) current_ = documentCount() - 1;
    if (documentCount() == 0) {
        current_ = -1;
        showPage(Page::Start);
        refreshScenarios();
        refreshActions();
        refreshVerdict();
        refreshStatus();
    } else {
        const int next = current_;
        current_ = -1;
        showDocument(next);
    }
    return true;
}

bool MainWindow::closeAll() {
    while (documentCount() > 0)
        if (!closeDocument(documentCount() - 1)) return false;
    return true;
}

void MainWindow::textChanged(ScenarioDocument* changed) {
    if (changed != document()) return;
    planner_->setText(changed->text(), changed->fileForFindings());
    refreshActions();
}

void MainWindow::offerDiskChoice(ScenarioDocument* changed, const QString& keys) {
    if (changed != document()) {
        refreshScenarios();
        return;
    }
    hideBar();
    const int edits = std::max(1, changed->editsSinceSave());
    barText_->setText(
        keys.isEmpty()
            ? tr("The file changed on disk while you had %n edit(s).", "", edits)
            : tr("The file changed on disk (%1) while you had %n edit(s).", "", edits).arg(keys));
    const auto add = [this](const QString& label, const char* name, std::function<void()> run) {
        auto* button = new QPushButton(label, bar_);
        button->setObjectName(QString::fromLatin1(name));
        connect(button, &QPushButton::clicked, this, std::move(run));
        barButtons_->addWidget(button);
        return button;
    };
    QPointer<ScenarioDocument> safe(changed);
    const Outcome<std::string> merged = changed->mergedText();
    QPushButton* merge = add(tr("Merge"), "diskMerge", [safe] {
        if (safe) safe->mergeDisk();
    });
    merge->setEnabled(static_cast<bool>(merged));
    merge->setToolTip(merged ? tr("Both changes touch different keys")
                             : words(merged.findings().front().text));
    add(tr("Keep my %n edit(s)", "", edits), "diskKeep", [safe] {
        if (safe) safe->keepMine();
    });
    add(tr("Take the file, lose my %n edit(s)", "", edits), "diskTake", [safe] {
        if (safe) safe->takeDisk();
    });
    add(tr("Compare"), "diskCompare", [this, safe] {
        if (!safe) return;
        showPage(Page::Compare);
        compare_->compare({tr("%1 on disk").arg(safe->name()), safe->diskText(), {}},
                          {tr("%1 here").arg(safe->name()), safe->text(), {}});
    });
    bar_->show();
    refreshScenarios();
}

void MainWindow::hideBar() {
    while (QLayoutItem* item = barButtons_->takeAt(0)) {
        if (item->widget() != nullptr) item->widget()->deleteLater();
        delete item;
    }
    bar_->hide();
}

void MainWindow::offerRecovery() {
    const std::vector<RecoveryCopy> copies = recoveryCopies();
    if (copies.empty()) return;
    const RecoveryCopy copy = copies.front();
    const QString name = copy.path.isEmpty() ? copy.title : QFileInfo(copy.path).fileName();
    hideBar();
    barText_->setText(
        tr("%1 was open with %n edit(s) of %2 when the program ended.", "", std::max(1, copy.edits))
            .arg(name, copy.written.toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm"))));
    const auto add = [this](const QString& label, const char* object, std::function<void()> run) {
        auto* button = new QPushButton(label, bar_);
        button->setObjectName(QString::fromLatin1(object));
        connect(button, &QPushButton::clicked, this, [this, run = std::move(run)] {
            hideBar();
            run();
            offerRecovery();
        });
        barButtons_->addWidget(button);
    };
    add(tr("Recover the edits"), "recover", [this, copy] {
        auto document = std::make_unique<ScenarioDocument>();
        if (const std::optional<Finding> problem = document->openRecovered(copy)) {
            say(words(problem->text));
            return;
        }
        addDocument(std::move(document));
    });
    if (!copy.path.isEmpty())
        add(tr("Open the file as saved"), "openAsSaved", [this, copy] {
            discardRecoveryCopy(copy.id);
            openFile(copy.path);
        });
    add(tr("Discard the edits"), "discardRecovery", [copy] { discardRecoveryCopy(copy.id); });
    bar_->show();
}

void MainWindow::newScenario() {
    showPage(Page::Start);
    start_->focusFirst();
}

void MainWindow::chooseFile() {
    const QStringList files = QFileDialog::getOpenFileNames(
        this, tr("Open scenarios"), {}, tr("Scenarios (*.yaml *.yml);;All files (*)"));
    for (const QString& file : files) openFile(file);
}

bool MainWindow::save() {
    return document() != nullptr && document()->save();
}

bool MainWindow::saveAs() {
    if (document() == nullptr) return false;
    const QString proposed = document()->path().isEmpty()
                                 ? document()->name() + QStringLiteral(".yaml")
                                 : document()->path();
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the scenario"), proposed,
                                                      tr("Scenarios (*.yaml *.yml)"));
    return !path.isEmpty() && document()->saveAs(path);
}

void MainWindow::exportReport() {
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (!planned || planner_->isStale()) {
        say(tr("There is no finished plan to report yet."));
        return;
    }
    const QString base = document() != nullptr && !document()->path().isEmpty()
                             ? QFileInfo(document()->path()).path() + QLatin1Char('/') +
                                   QFileInfo(document()->path()).completeBaseName()
                             : QString::fromStdString(planned->request().title);
    const QString file = QFileDialog::getSaveFileName(
        this, tr("Write a report"), base + QStringLiteral(".html"),
        tr("Web page (*.html);;PDF (*.pdf);;Spreadsheet (*.xlsx);;Markdown (*.md);;CSV "
           "(*.csv);;JSON (*.json)"));
    if (file.isEmpty()) return;
    const std::vector<Finding> problems =
        options_.writeReport(planned->request(), planned->result, planned->context,
                             language_.toStdString(), file.toStdString());
    if (problems.empty()) {
        say(tr("Wrote %1").arg(file));
        QDesktopServices::openUrl(QUrl::fromLocalFile(file));
    } else {
        say(words(problems.front().text));
    }
}

void MainWindow::importPrices(const QStringList& files) {
    PriceWizard wizard(
        options_.openCatalog, options_.overlay, planner_->planned(),
        [this](const Text& text) { return words(text); }, this);
    connect(&wizard, &PriceWizard::catalogChanged, this, [this] {
        if (Outcome<catalog::Catalog> opened = options_.openCatalog()) {
            auto fresh = std::make_unique<catalog::Catalog>(std::move(opened).value());
            form_->setCatalog(fresh.get());
            catalogPage_->setCatalog(fresh.get());
            start_->setCatalog(fresh.get());
            catalog_ = std::move(fresh);
        }
        plan_->catalogChanged();
        compare_->catalogChanged();
        planner_->catalogChanged();
        settle_.start();
    });
    if (!files.isEmpty()) {
        wizard.setFiles(files);
        wizard.next();
    }
    wizard.exec();
}

// ---- Choices ----

void MainWindow::selectCandidate(const QString& name) {
    if (name.isEmpty()) return;
    plan_->setSelectedCandidate(name);
    if (form_->selectedCandidate() != name) form_->setSelectedCandidate(name);
    refreshActions();
    settle_.start();
}

void MainWindow::pinLayout(const QString& candidate, const QString& layout) {
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (document() == nullptr || !planned) return;
    const search::CandidateResult* result = planned->candidate(candidate.toStdString());
    if (result == nullptr) return;
    layout::Layout chosen = result->layout;
    if (!layout.isEmpty())
        if (const std::optional<layout::Layout> found =
                reports::layoutOf(planned->result, candidate.toStdString(), layout.toStdString()))
            chosen = *found;
    layout::LayoutChoice choice;
    choice.tensor = chosen.tensor;
    choice.pipeline = chosen.pipeline;
    choice.virtualStages = chosen.virtualStages;
    choice.context = chosen.context;
    choice.expert = chosen.expert;
    choice.microBatch = chosen.microBatch;
    choice.sequenceParallel = chosen.sequenceParallel;
    choice.sharding = chosen.sharding;
    choice.recompute = chosen.recompute;
    document()->pinLayout(candidate, choice);
}

void MainWindow::setLimits(std::optional<run::Date> finishBy, std::optional<double> budgetUsd) {
    ScenarioDocument* shown = document();
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (shown == nullptr || !planned) return;
    const search::Constraints& now = planned->request().constraints;
    if (finishBy && (!now.finishBy || run::isoDate(*finishBy) != run::isoDate(*now.finishBy)))
        shown->set("constraints.finish_by", run::isoDate(*finishBy),
                   tr("Move the date to %1").arg(qt(run::isoDate(*finishBy))));
    if (budgetUsd && (!now.budget || std::abs(now.budget->value() - *budgetUsd) > 0.5))
        shown->set(
            "constraints.budget", reports::typedMoney(units::UsDollars(*budgetUsd)),
            tr("Set the budget to %1").arg(qt(reports::typedMoney(units::UsDollars(*budgetUsd)))));
}

void MainWindow::showFinding(const Finding& finding) {
    formDock_->show();
    if (formStack_->currentIndex() == 0 && !finding.place.key.empty() &&
        form_->focusKey(finding.place.key))
        return;
    if (finding.place.line > 0) {
        formStack_->setCurrentIndex(1);
        yaml_->goTo(finding.place.line, finding.place.column);
        yaml_->setFocus(Qt::OtherFocusReason);
    }
}

void MainWindow::goToAnything() {
    QList<GoToDialog::Target> targets;
    for (const QString& id : PlanPage::viewIds())
        targets.append({tr("View: %1").arg(PlanPage::viewTitle(id)), [this, id] {
                            showPage(Page::Plan);
                            plan_->showView(id);
                        }});
    if (document() != nullptr) {
        for (const QString& name : document()->candidateNames())
            targets.append({tr("Candidate: %1").arg(name), [this, name] {
                                showPage(Page::Plan);
                                selectCandidate(name);
                            }});
        for (const scenario::Parameter& parameter : scenario::parameters()) {
            if (parameter.kind == scenario::ValueKind::Map ||
                parameter.kind == scenario::ValueKind::List ||
                parameter.key.find("[]") != std::string::npos)
                continue;
            targets.append({tr("Field: %1").arg(qt(parameter.key)), [this, key = parameter.key] {
                                formDock_->show();
                                formStack_->setCurrentIndex(0);
                                form_->focusKey(key);
                            }});
        }
    }
    if (catalog_)
        for (const std::string& kind : catalog::kinds())
            for (const catalog::Entry& entry : catalog_->entries(kind))
                targets.append({tr("Catalog: %1 %2").arg(qt(kind), qt(entry.id)),
                                [this, kind = qt(kind), id = qt(entry.id)] {
                                    showPage(Page::Catalog);
                                    catalogPage_->showFigure(kind, id);
                                }});
    for (int i = 0; i < documentCount(); ++i)
        targets.append(
            {tr("Scenario: %1").arg(documents_[static_cast<std::size_t>(i)]->name()), [this, i] {
                 showDocument(i);
                 showPage(Page::Plan);
             }});
    GoToDialog dialog(std::move(targets), this);
    dialog.exec();
}

void MainWindow::showHelp() {
    HelpWindow::showPage(page_ == Page::Plan      ? plan_->currentView()
                         : page_ == Page::Compare ? QStringLiteral("compare")
                         : page_ == Page::Catalog ? QStringLiteral("catalog")
                                                  : QStringLiteral("start"),
                         this);
}

void MainWindow::welcome() {
    QSettings settings;
    const QString seen = QStringLiteral("welcomed");
    if (settings.value(seen).toBool() || document() != nullptr) return;
    settings.setValue(seen, true);
    startTour();
}

void MainWindow::startTour() {
    if (document() == nullptr) {
        const QString example =
            QDir(qt(options_.examples)).filePath(QStringLiteral("llama3.1-70b.yaml"));
        if (QFileInfo::exists(example)) openExample(example);
    }
    showPage(Page::Plan);
    auto* tour = new Tour(this);
    const auto view = [this](const char* id) {
        return [this, id] { plan_->showView(QString::fromLatin1(id)); };
    };
    tour->addStep(verdict_,
                  tr("The answer stands on top: which is best, until when, for how "
                     "much, how sure, and what binds. Each part opens its view."),
                  {});
    tour->addStep(formDock_,
                  tr("The scenario is a text file, shown as a form. Change any value: "
                     "the plan follows by itself, and Undo takes it back."),
                  [this] { formDock_->show(); });
    tour->addStep(plan_,
                  tr("The ranking compares every candidate on the same axes, with your "
                     "date and your budget as lines."),
                  view("ranking"));
    tour->addStep(plan_,
                  tr("Here a date and a budget can be dragged: the smallest and the "
                     "cheapest cluster that keep them follow."),
                  view("deadline"));
    tour->addStep(plan_,
                  tr("Why it takes so long: where each second of a step goes, and what it "
                     "waits for."),
                  view("time"));
    tour->addStep(plan_,
                  tr("How far to trust it: what would change the answer, and how wrong "
                     "predictions of published runs have been."),
                  view("bands"));
    tour->addStep(pages_,
                  tr("Compare explains the difference between two plans; the catalog has "
                     "every figure with its source."),
                  {});
    tour->start();
}

// ---- What is shown ----

void MainWindow::showPage(Page page) {
    if (page == Page::Plan && document() == nullptr) page = Page::Start;
    page_ = page;
    stack_->setCurrentIndex(static_cast<int>(page));
    const QSignalBlocker blocker(pages_);
    pages_->setCurrentIndex(page == Page::Compare ? 1 : page == Page::Catalog ? 2 : 0);
    foldForm(page == Page::Compare || page == Page::Catalog);
    if (page == Page::Compare) {
        std::vector<ComparableText> texts;
        const auto add = [&](const ScenarioDocument& each) {
            texts.push_back({each.name(), each.text(), each.path().toStdString()});
            if (each.isModified() && !each.path().isEmpty())
                texts.push_back({tr("%1 as saved").arg(each.name()), each.savedText(), {}});
        };
        if (document() != nullptr) add(*document());
        for (int i = 0; i < documentCount(); ++i)
            if (i != current_) add(*documents_[static_cast<std::size_t>(i)]);
        compare_->setTexts(std::move(texts));
    }
    refreshActions();
}

/// The tables of Compare and Catalog are as wide as the window: the form is folded for them, if it
/// isn't a window of its own, and is a key away.
void MainWindow::foldForm(bool fold) {
    if (fold == isFormFolded_ || (fold && (formDock_->isHidden() || formDock_->isFloating())))
        return;
    isFormFolded_ = fold;
    const int wide = scenariosDock_->width(), form = formDock_->width();
    formDock_->setVisible(!fold);
    // The list beside it would take the room.
    if (fold)
        resizeDocks({scenariosDock_}, {wide}, Qt::Horizontal);
    else
        resizeDocks({scenariosDock_, formDock_}, {wide, form}, Qt::Horizontal);
}

reports::Language MainWindow::chosenLanguage() const {
    return reports::languageFromCode(language_.toStdString()).value_or(reports::Language::English);
}

QString MainWindow::words(const Text& text) const {
    return qt(reports::say(text, chosenLanguage()));
}

void MainWindow::refreshVerdict() {
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (document() == nullptr) {
        verdict_->setHint(tr("Open a scenario, or fill in the sentence below, to see an answer."));
        return;
    }
    if (!planned) {
        const std::shared_ptr<const Checked> checked = planner_->checked();
        verdict_->setHint(checked && !checked->loaded
                              ? tr("No answer yet: the scenario has errors.")
                              : tr("Planning…"));
        return;
    }
    const bool stale = planner_->isStale();
    if (!stale)
        verdict_->setVerdict(reports::verdict(planned->request(), planned->views()),
                             [this](const Text& text) { return words(text); });
    verdict_->setStale(stale ? tr("from %1").arg(planned->at.toString(QStringLiteral("HH:mm:ss")))
                             : QString());
}

void MainWindow::refreshChecks() {
    shownFindings_.clear();
    const std::shared_ptr<const Checked> checked = planner_->checked();
    if (document() != nullptr) {
        if (checked) shownFindings_ = checked->findings;
        if (document()->tree() == nullptr && shownFindings_.empty())
            shownFindings_ = document()->findings();
    }
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (planned && checked && checked->loaded && !planner_->isStale()) {
        for (const reports::SharedWarning& warning : reports::sharedWarnings(planned->views())) {
            Finding finding;
            finding.severity = Severity::Warning;
            finding.text = warning.names.empty() ? warning.text
                                                 : Text{"{1}: {2}", {warning.names, warning.text}};
            shownFindings_.push_back(std::move(finding));
        }
    }
    checks_->clear();
    int errors = 0, warnings = 0;
    for (const Finding& finding : shownFindings_) {
        const bool isError = finding.severity == Severity::Error;
        (isError ? errors : warnings) += 1;
        const QString place =
            finding.place.line > 0 ? tr("line %1: ").arg(finding.place.line) : QString();
        auto* item = new QListWidgetItem(
            (isError ? QStringLiteral("✕ ") : QStringLiteral("⚠ ")) + place + words(finding.text),
            checks_);
        item->setForeground(colour(isError ? reports::Role::Error : reports::Role::Warning,
                                   QApplication::palette()));
        item->setToolTip(words(finding.text));
    }
    checksDock_->setWindowTitle(tr("Checks: %1 ✕  %2 ⚠").arg(errors).arg(warnings));
    counts_->setText(QStringLiteral("✕ %1  ⚠ %2").arg(errors).arg(warnings));
    counts_->setAccessibleName(tr("%1 errors, %2 warnings").arg(errors).arg(warnings));
}

void MainWindow::refreshScenarios() {
    const QSignalBlocker blocker(scenarios_);
    scenarios_->clear();
    const auto group = [this](const QString& title) {
        auto* item = new QTreeWidgetItem(scenarios_, {title});
        item->setFlags(Qt::ItemIsEnabled);
        item->setExpanded(true);
        return item;
    };
    QTreeWidgetItem* open = group(tr("Open"));
    for (int i = 0; i < documentCount(); ++i) {
        const ScenarioDocument& each = *documents_[static_cast<std::size_t>(i)];
        QString name = each.name();
        if (each.isModified()) name += QStringLiteral(" *");
        if (each.isChangedOnDisk()) name += QStringLiteral(" ⇅");
        if (each.tree() == nullptr) name = QStringLiteral("✕ ") + name;
        auto* item = new QTreeWidgetItem(open, {name});
        item->setData(0, kIndexRole, i);
        item->setToolTip(0, each.path().isEmpty() ? tr("Not saved in a file yet") : each.path());
        if (i == current_) {
            QFont font = item->font(0);
            font.setBold(true);
            item->setFont(0, font);
            scenarios_->setCurrentItem(item);
        }
    }
    QTreeWidgetItem* recent = group(tr("Recent"));
    for (const QString& file : recentFiles()) {
        auto* item = new QTreeWidgetItem(recent, {QFileInfo(file).fileName()});
        item->setData(0, kPathRole, file);
        item->setToolTip(0, file);
    }
    QTreeWidgetItem* examples = group(tr("Examples"));
    const QDir folder(qt(options_.examples));
    for (const QString& name :
         folder.entryList({QStringLiteral("*.yaml")}, QDir::Files, QDir::Name)) {
        auto* item = new QTreeWidgetItem(examples, {QFileInfo(name).completeBaseName()});
        item->setData(0, kPathRole, folder.filePath(name));
        item->setData(0, kIsExampleRole, true);
    }
    const ScenarioDocument* shown = document();
    setWindowTitle(shown == nullptr ? tr("Trainwright")
                                    : tr("%1[*] – Trainwright").arg(shown->name()));
    setWindowModified(shown != nullptr && shown->isModified());
    setWindowFilePath(shown == nullptr ? QString() : shown->path());
    if (shown != nullptr) setWindowTitle(tr("%1[*] – Trainwright").arg(shown->name()));
}

void MainWindow::refreshActions() {
    Actions& a = *actions_;
    ScenarioDocument* shown = document();
    const bool has = shown != nullptr;
    for (QAction* action : {a.saveAs, a.close, a.recompute, a.addCandidate, a.toggleYaml})
        action->setEnabled(has);
    a.save->setEnabled(has && (shown->isModified() || shown->path().isEmpty()));
    a.revert->setEnabled(has && shown->isModified() && !shown->path().isEmpty());
    a.report->setEnabled(has && planner_->planned() && !planner_->isStale());
    a.duplicateCandidate->setEnabled(has && !plan_->selectedCandidate().isEmpty());
    a.removeCandidate->setEnabled(has && !plan_->selectedCandidate().isEmpty());
    a.undo->setEnabled(has && shown->undoStack()->canUndo());
    a.redo->setEnabled(has && shown->undoStack()->canRedo());
    const QString undone = has ? shown->undoStack()->undoText() : QString();
    const QString redone = has ? shown->undoStack()->redoText() : QString();
    a.undo->setText(undone.isEmpty() ? tr("&Undo") : tr("&Undo: %1").arg(undone));
    a.redo->setText(redone.isEmpty() ? tr("&Redo") : tr("&Redo: %1").arg(redone));
    a.table->setEnabled(page_ == Page::Plan);
    a.stop->setEnabled(planner_->isPlanning());
}

void MainWindow::refreshStatus() {
    const std::shared_ptr<const Planned> planned = planner_->planned();
    if (document() == nullptr) {
        state_->setText(tr("Ready"));
        search_->clear();
    } else if (planner_->isPlanning()) {
        state_->setText(tr("Planning…"));
    } else if (planned && !planner_->isStale()) {
        state_->setText(planned->isPartial ? tr("Stopped: what was found so far is shown")
                                           : tr("✓ Up to date"));
        search_->setText(tr("%1 layouts in %2 s")
                             .arg(locale().toString(planned->layouts()),
                                  locale().toString(planned->seconds, 'f', 1)));
    } else if (planner_->checked() && !planner_->checked()->loaded) {
        state_->setText(tr("The scenario has errors"));
    }
    if (catalog_)
        sources_->setText(tr("catalog %1, prices to %2")
                              .arg(qt(catalog_->version()), qt(catalog_->newestPriceDate())));
    state_->setToolTip(state_->text());
}

void MainWindow::say(const QString& message) {
    state_->setText(message);
    state_->setToolTip(message);
}

void MainWindow::retranslate() {
    Actions& a = *actions_;
    const auto set = [](QAction* action, const QString& text) { action->setText(text); };
    a.file->setTitle(tr("&File"));
    a.edit->setTitle(tr("&Edit"));
    a.scenario->setTitle(tr("&Scenario"));
    a.view->setTitle(tr("&View"));
    a.catalog->setTitle(tr("&Catalog"));
    a.help->setTitle(tr("&Help"));
    a.recent->setTitle(tr("Open &recent"));
    a.examples->setTitle(tr("Open e&xample"));
    a.views->setTitle(tr("Vie&ws"));
    a.docks->setTitle(tr("&Panels"));
    a.themes->setTitle(tr("&Theme"));
    a.languages->setTitle(tr("&Language"));
    set(a.newScenario, tr("&New by a sentence…"));
    set(a.open, tr("&Open…"));
    set(a.save, tr("&Save"));
    set(a.saveAs, tr("Save &as…"));
    set(a.revert, tr("Re&vert to the file"));
    set(a.report, tr("Write a &report…"));
    set(a.close, tr("&Close"));
    set(a.quit, tr("&Quit"));
    set(a.find, tr("&Find a field…"));
    set(a.goTo, tr("&Go to anything…"));
    set(a.addCandidate, tr("&Add a candidate…"));
    set(a.duplicateCandidate, tr("&Duplicate the chosen candidate"));
    set(a.removeCandidate, tr("&Remove the chosen candidate"));
    set(a.recompute, tr("Re&compute and reread the file"));
    set(a.stop, tr("&Stop the search"));
    set(a.toggleYaml, tr("Form or &YAML"));
    set(a.previousView, tr("&Previous view"));
    set(a.nextView, tr("&Next view"));
    set(a.table, tr("Chart or &table"));
    set(a.nextPane, tr("Next pane"));
    set(a.previousPane, tr("Previous pane"));
    set(a.nextCheck, tr("Next check"));
    set(a.previousCheck, tr("Previous check"));
    set(a.toggleForm, tr("Form"));
    set(a.toggleScenarios, tr("Scenarios and checks"));
    set(a.reset, tr("&Reset layout"));
    set(a.browse, tr("&Browse"));
    set(a.importPrices, tr("&Import prices…"));
    set(a.manual, tr("&Manual page of this view"));
    set(a.tour, tr("Two-minute &tour"));
    set(a.about, tr("&About Trainwright"));
    set(a.aboutQt, tr("About &Qt"));
    for (QAction* action : a.viewActions)
        set(action, PlanPage::viewTitle(action->data().toString()));
    for (int i = 0; i < a.groupActions.size(); ++i)
        set(a.groupActions[i], tr("Group: %1").arg(PlanPage::groupTitle(i)));
    set(a.themeActions[0], tr("As the system"));
    set(a.themeActions[1], tr("Light"));
    set(a.themeActions[2], tr("Dark"));
    pages_->setTabText(0, tr("Plan"));
    pages_->setTabText(1, tr("Compare"));
    pages_->setTabText(2, tr("Catalog"));
    pages_->setAccessibleName(tr("Pages"));
    scenariosDock_->setWindowTitle(tr("Scenarios"));
    formDock_->setWindowTitle(tr("Scenario"));
    traceDock_->setWindowTitle(tr("Where it comes from"));
    scenarios_->setAccessibleName(tr("Scenarios"));
    checks_->setAccessibleName(tr("Checks of the scenario"));
    yaml_->setAccessibleName(tr("The scenario as text"));
    progress_->setAccessibleName(tr("Progress of the search"));
    state_->setAccessibleName(tr("What the program is doing"));
    refreshScenarios();
    refreshChecks();
    refreshActions();
    refreshStatus();
    refreshVerdict();
    if (planner_->planned() && !planner_->isStale())
        verdict_->setVerdict(
            reports::verdict(planner_->planned()->request(), planner_->planned()->views()),
            [this](const Text& text) { return words(text); });
}

void MainWindow::setLanguage(const QString& language) {
    if (language == language_) return;
    language_ = language;
    const reports::Language chosen = chosenLanguage();
    const Translate translate = [chosen](const reports::Section& section) {
        return reports::translated(section, chosen);
    };
    QLocale::setDefault(language == QLatin1String("es")
                            ? QLocale(QLocale::Spanish, QLocale::Spain)
                            : QLocale(QLocale::English, QLocale::UnitedStates));
    setLocale(QLocale());
    if (translator_) QCoreApplication::removeTranslator(translator_.get());
    translator_ = std::make_unique<PoTranslator>(chosen);
    QCoreApplication::installTranslator(translator_.get());
    // Buttons and dialogs of Qt's own, where its translations are installed.
    if (toolkit_) QCoreApplication::removeTranslator(toolkit_.get());
    toolkit_.reset();
    auto toolkit = std::make_unique<QTranslator>();
    if (language != QLatin1String("en") &&
        toolkit->load(QStringLiteral("qtbase_") + language,
                      QLibraryInfo::path(QLibraryInfo::TranslationsPath))) {
        toolkit_ = std::move(toolkit);
        QCoreApplication::installTranslator(toolkit_.get());
    }
    plan_->setTranslation(translate);
    compare_->setTranslation(translate);
    form_->setLanguage(chosen);
    yaml_->setLanguage(chosen);
    for (QAction* action : actions_->languageActions)
        action->setChecked(action->data().toString() == language);
    retranslate();
    settle_.start();
}

void MainWindow::setTheme(Theme theme) {
    theme_ = theme;
    applyTheme();
    for (QAction* action : actions_->themeActions)
        action->setChecked(action->data().toInt() == static_cast<int>(theme));
}

void MainWindow::applyTheme() {
    const bool dark = theme_ == Theme::Dark || (theme_ == Theme::System && systemIsDark_);
    QApplication::setPalette(ui::palette(dark));
    // Fusion makes groove and handle of a slider out of the button's colour, which is too near to
    // the window's to be seen.
    QPalette sliders = ui::palette(dark);
    sliders.setColor(QPalette::Button, colour(reports::Role::Axis, dark));
    QApplication::setPalette(sliders, "QSlider");
    refreshChecks();
}

void MainWindow::resetLayout() {
    restoreState(firstState_, kLayoutVersion);
    adapt();
}

void MainWindow::adapt() {
    // Where there is little room the results keep it: the lists fold away, and are a key away.
    const bool narrow = width() < kNarrowWidth;
    if (narrow && scenariosDock_->isVisible() && !scenariosDock_->isFloating() &&
        !property("foldedLists").toBool()) {
        scenariosDock_->hide();
        checksDock_->hide();
        setProperty("foldedLists", true);
        resizeDocks({formDock_}, {kNarrowForm}, Qt::Horizontal);
    } else if (!narrow && property("foldedLists").toBool()) {
        scenariosDock_->show();
        checksDock_->show();
        setProperty("foldedLists", false);
    }
    sources_->setVisible(!narrow);
}

void MainWindow::resizeEvent(QResizeEvent* event) {
    QMainWindow::resizeEvent(event);
    if (scenariosDock_ != nullptr && isVisible()) adapt();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    if (event->type() == QEvent::LanguageChange && form_ != nullptr) retranslate();
}

void MainWindow::readSettings() {
    QSettings settings;
    restoreGeometry(settings.value(QStringLiteral("window/geometry")).toByteArray());
    restoreState(settings.value(QStringLiteral("window/state")).toByteArray(), kLayoutVersion);
    QString language = qt(options_.language);
    if (language.isEmpty()) language = settings.value(QStringLiteral("language")).toString();
    if (language.isEmpty())
        language = QLocale::system().language() == QLocale::Spanish ? QStringLiteral("es")
                                                                    : QStringLiteral("en");
    setLanguage(language);
    setTheme(static_cast<Theme>(std::clamp(settings.value(QStringLiteral("theme")).toInt(), 0, 2)));
}

void MainWindow::writeSettings() {
    foldForm(false);
    QSettings settings;
    settings.setValue(QStringLiteral("window/geometry"), saveGeometry());
    settings.setValue(QStringLiteral("window/state"), saveState(kLayoutVersion));
    settings.setValue(QStringLiteral("language"), language_);
    settings.setValue(QStringLiteral("theme"), static_cast<int>(theme_));
}

void MainWindow::closeEvent(QCloseEvent* event) {
    writeSettings();
    if (closeAll())
        event->accept();
    else
        event->ignore();
}

// ---- Drag and drop ----

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    const bool any = std::any_of(urls.begin(), urls.end(), [](const QUrl& url) {
        const QString path = url.toLocalFile();
        return looksLikeScenario(path) || looksLikePrices(path);
    });
    if (any) {
        event->acceptProposedAction();
    } else {
        say(
            tr("Scenarios (.yaml), price files and kept results (.json, .csv) can be dropped "
               "here."));
        event->ignore();
    }
}

void MainWindow::dropEvent(QDropEvent* event) {
    QStringList prices;
    int opened = 0;
    for (const QUrl& url : event->mimeData()->urls()) {
        const QString path = url.toLocalFile();
        if (looksLikeScenario(path)) {
            opened += openFile(path) ? 1 : 0;
        } else if (looksLikePrices(path)) {
            const Outcome<std::string> text =
                QFileInfo(path).size() < static_cast<qint64>(scenario::yaml::kMaxFileBytes)
                    ? scenario::yaml::readText(path.toStdString())
                    : Outcome<std::string>(std::vector<Finding>{});
            if (text && compare::looksLikeResult(*text)) {
                showPage(Page::Compare);
                compare_->addFile(path);
            } else {
                prices.append(path);
            }
        }
    }
    event->acceptProposedAction();
    if (opened > 1) say(tr("%n scenario(s) opened.", "", opened));
    if (!prices.isEmpty()) importPrices(prices);
}

}  // namespace trainwright::ui
