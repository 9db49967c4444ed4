// SPDX-License-Identifier: GPL-3.0-or-later
// The window: scenarios and their checks on the left, the form, the answer and its views, and the
// trace of a number below.
//
// It ties documents, form, planner and pages together and owns what lies between them: which
// document is shown, which candidate is chosen, which theme and language are on. It decides nothing
// about plans and changes files only through their documents.
#pragma once

#include <QHash>
#include <QMainWindow>
#include <QPointer>
#include <QTimer>
#include <QTranslator>

#include <memory>
#include <vector>

#include "reports/language.h"
#include "ui/document/scenario_document.h"
#include "ui/window/desktop.h"
#include "ui/window/planner.h"

QT_BEGIN_NAMESPACE
class QAction;
class QActionGroup;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QListWidget;
class QProgressBar;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolButton;
class QTreeWidget;
class QTreeWidgetItem;
QT_END_NAMESPACE

namespace trainwright::ui {

class CatalogPage;
class ComparePage;
class PlanPage;
class ScenarioForm;
class ScenarioTextView;
class StartPage;
class TracePanel;
class VerdictBar;

enum class Theme { System, Light, Dark };

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(const DesktopOptions& options);
    ~MainWindow() override;

    /// Opens a scenario, or shows it if it is open. False: it can't be read, and the reason is in
    /// the status line and the checks.
    bool openFile(const QString& path);
    /// An example, as an untitled document that can be saved anywhere.
    bool openExample(const QString& path);
    void openText(const std::string& text, const QString& title);
    [[nodiscard]] ScenarioDocument* document() const;
    [[nodiscard]] int documentCount() const { return static_cast<int>(documents_.size()); }
    void showDocument(int index);
    /// Asks where there are edits that would be lost. False: it stays open.
    bool closeDocument(int index);

    [[nodiscard]] PlanPage* planPage() const { return plan_; }
    [[nodiscard]] Planner* planner() const { return planner_.get(); }
    [[nodiscard]] ScenarioForm* form() const { return form_; }
    enum class Page { Start, Plan, Compare, Catalog };
    void showPage(Page page);

    void setTheme(Theme theme);
    [[nodiscard]] Theme theme() const { return theme_; }
    /// "en" or "es".
    void setLanguage(const QString& language);
    [[nodiscard]] QString language() const { return language_; }
    void resetLayout();

    /// How unsaved edits are asked about when a window is closed; tests answer by themselves.
    enum class Closing { Ask, Save, Discard };
    void setClosing(Closing closing) { closing_ = closing; }

public slots:
    void newScenario();
    void chooseFile();
    bool save();
    bool saveAs();
    void exportReport();
    void importPrices(const QStringList& files = {});
    void goToAnything();
    void showHelp();
    void startTour();
    /// At the first start that opens no file of its own: an example, and the tour of it.
    void welcome();

signals:
    /// Everything that the current text asks for is shown.
    void settled();

protected:
    void changeEvent(QEvent* event) override;
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Actions;
    void buildActions();
    void buildMenus();
    void buildCentre();
    void buildDocks();
    void buildStatusBar();
    void connectPlanner();
    void connectPages();
    void retranslate();
    void applyTheme();
    void adapt();
    void foldForm(bool fold);

    void addDocument(std::unique_ptr<ScenarioDocument> document);
    void attach(ScenarioDocument* document);
    void textChanged(ScenarioDocument* document);
    void refreshScenarios();
    void refreshChecks();
    void refreshActions();
    void refreshStatus();
    void refreshVerdict();
    void say(const QString& message);
    void offerDiskChoice(ScenarioDocument* document, const QString& changed);
    void hideBar();
    void selectCandidate(const QString& name);
    void pinLayout(const QString& candidate, const QString& layout);
    void setLimits(std::optional<run::Date> finishBy, std::optional<double> budgetUsd);
    void showFinding(const Finding& finding);
    void offerRecovery();
    void readSettings();
    void writeSettings();
    [[nodiscard]] reports::Language chosenLanguage() const;
    [[nodiscard]] QString words(const Text& text) const;
    [[nodiscard]] bool closeAll();

    DesktopOptions options_;
    std::unique_ptr<catalog::Catalog> catalog_;  ///< of the interface's thread
    std::unique_ptr<Planner> planner_;
    std::vector<std::unique_ptr<ScenarioDocument>> documents_;
    int current_ = -1;
    std::vector<Finding> shownFindings_;
    Theme theme_ = Theme::System;
    bool systemIsDark_ = false;
    QString language_;
    std::unique_ptr<QTranslator> translator_, toolkit_;
    Closing closing_ = Closing::Ask;
    Page page_ = Page::Start;
    QByteArray firstState_;

    std::unique_ptr<Actions> actions_;
    VerdictBar* verdict_ = nullptr;
    QTabBar* pages_ = nullptr;
    QStackedWidget* stack_ = nullptr;
    StartPage* start_ = nullptr;
    PlanPage* plan_ = nullptr;
    ComparePage* compare_ = nullptr;
    CatalogPage* catalogPage_ = nullptr;
    TracePanel* trace_ = nullptr;
    QWidget* bar_ = nullptr;  ///< what the file on disk asks
    QLabel* barText_ = nullptr;
    QHBoxLayout* barButtons_ = nullptr;
    ScenarioForm* form_ = nullptr;
    ScenarioTextView* yaml_ = nullptr;
    QStackedWidget* formStack_ = nullptr;
    QDockWidget *scenariosDock_ = nullptr, *formDock_ = nullptr, *traceDock_ = nullptr,
                *checksDock_ = nullptr;
    bool isFormFolded_ = false;  ///< while Compare or Catalog has the room
    QTreeWidget* scenarios_ = nullptr;
    QListWidget* checks_ = nullptr;
    QLabel *state_ = nullptr, *search_ = nullptr, *sources_ = nullptr, *counts_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QToolButton* stop_ = nullptr;
    QTimer settle_;
};

}  // namespace trainwright::ui
