// SPDX-License-Identifier: GPL-3.0-or-later
// Every view on a made-up plan: its chart is pointed at, walked by keys, dimmed by its legend,
// saved; its table has the chart's digits. With TRAINWRIGHT_GRAB=folder pictures are written there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QFile>
#include <QPixmap>
#include <QSignalSpy>
#include <QSlider>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QXmlStreamReader>

#include <array>
#include <map>

#include "reports/validation_report.h"
#include "reports/view_sections.h"
#include "tests/reports/plan_fixture.h"
#include "ui/look/look.h"
#include "ui/views/chart_view.h"
#include "ui/views/plan_views.h"
#include "ui/views/section_table.h"
#include "ui/views/section_view.h"

namespace trainwright::ui {
namespace {

using ::testing::HasSubstr;

/// The made-up plan, its Trainium on tori of sixteen chips.
search::PlanRequest request() {
    search::PlanRequest asked = reports::fixture::planRequest();
    for (search::CandidateRequest& candidate : asked.candidates) {
        if (candidate.name != "trn2-block") continue;
        machine::SystemSpec& system = candidate.system;
        system.chipsPerHost = system.chipsPerDomain = 16;
        system.fabric.kind = machine::FabricKind::Torus;
        system.fabric.dims = {4, 4};
        system.fabric.linkBandwidth = {units::BytesPerSecond(128e9), units::BytesPerSecond(128e9)};
        system.fabric.intraChipBandwidth = units::BytesPerSecond(1e12);
        system.fabric.nicsPerHost = 16;
        system.fabric.nicBandwidth = units::BytesPerSecond(25e9);
        system.fabric.tiers = {{"leaf", 32, 1.0, units::Seconds(1e-6)},
                               {"spine", 512, 2.0, units::Seconds(1e-6)}};
    }
    return asked;
}

const search::CandidateResult& best(const search::PlanResult& result) {
    for (const search::CandidateResult& candidate : result.candidates)
        if (candidate.name == "trn2-block") return candidate;
    return result.candidates.front();
}

/// Sizes of the plan's candidates as if twice the chips took half as long.
search::SizeStudy sizes(const search::PlanRequest& asked, const search::PlanResult& result) {
    search::SizeStudy study;
    study.start = asked.start;
    study.tokens = asked.training.tokens;
    for (std::size_t c = 0; c < asked.candidates.size(); ++c) {
        search::SizedCandidate sized;
        sized.name = asked.candidates[c].name;
        sized.candidate = c;
        for (const search::CandidateResult& found : result.candidates) {
            if (found.name != sized.name || !found.feasible) continue;
            for (double share : search::sizeLadder()) {
                search::SizePoint point;
                point.chips = std::lround(static_cast<double>(asked.candidates[c].chips) * share);
                point.units = std::max(1L, point.chips / 16);
                point.isAsked = share == 1.0;
                point.layout = found.layout;
                point.stepTime = found.step.stepTime / share;
                point.mfu = found.step.mfuModel;
                point.run = found.run;
                point.run.days = found.run.days / share;
                if (asked.start)
                    point.run.finish = run::dateFromDays(
                        run::daysSinceEpoch(*asked.start) + std::lround(point.run.days));
                if (point.run.money.total)
                    point.run.money.total = *found.run.money.total * (1 + 0.05 * share);
                sized.points.push_back(point);
            }
        }
        study.candidates.push_back(std::move(sized));
    }
    return study;
}

std::map<std::string, reports::Section> sections() {
    const search::PlanRequest asked = request();
    const search::PlanResult result = reports::fixture::planResult();
    const search::CandidateResult& one = best(result);
    const reports::ExplainedViews views = reports::fixture::views(asked, one);
    const search::SizeStudy study = sizes(asked, result);
    std::map<std::string, reports::Section> all;
    all["ranking"] = reports::rankingView(asked, result);
    all["time"] = reports::timeView(asked, result, one.name);
    all["roofline"] = reports::rooflineView(asked, one, *views.roofline);
    all["memory"] = reports::memoryView(asked, result, {});
    all["memory-stages"] = reports::memoryView(asked, result, one.name);
    all["pipeline"] = reports::pipelineView(asked, one, *views.schedule);
    for (auto [name, zoom] : {std::pair{"topology-chip", reports::TopologyZoom::Chip},
                              std::pair{"topology-host", reports::TopologyZoom::Instance},
                              std::pair{"topology-domain", reports::TopologyZoom::Domain},
                              std::pair{"topology-cluster", reports::TopologyZoom::Cluster}})
        all[name] = reports::topologyView(asked, one, *views.network, zoom);
    all["cost"] = reports::costView(asked, result);
    all["bands"] = reports::bandsView(asked, result, one.name);
    all["pareto"] = reports::paretoView(asked, result, &study, reports::Measure::Days,
                                        reports::Measure::Cost, one.name);
    all["deadline"] = reports::deadlineView(asked, study, asked.constraints,
                                            reports::Measure::Accelerators);
    all["deadline-cost"] =
        reports::deadlineView(asked, study, asked.constraints, reports::Measure::Cost);
    return all;
}

std::unique_ptr<SectionView> shown(reports::Section section) {
    auto view = std::make_unique<SectionView>();
    view->resize(900, 640);
    view->setSection(std::make_shared<const reports::Section>(std::move(section)));
    view->show();
    QApplication::processEvents();
    return view;
}

void grab(QWidget& widget, const std::string& name) {
    const QByteArray folder = qgetenv("TRAINWRIGHT_GRAB");
    if (folder.isEmpty()) return;
    for (double ratio : {1.0, 2.0}) {
        QPixmap picture(widget.size() * ratio);
        picture.setDevicePixelRatio(ratio);
        widget.render(&picture);
        picture.save(QDir(QString::fromLocal8Bit(folder))
                         .filePath(QStringLiteral("%1-%2x.png")
                                       .arg(QString::fromStdString(name))
                                       .arg(static_cast<int>(ratio))));
    }
}

TEST(Views, EverySectionIsSoundAndHasAQuestionAnAnswerAndATable) {
    for (const auto& [id, section] : sections()) {
        SCOPED_TRACE(id);
        EXPECT_TRUE(section.title.english().ends_with("?"));
        EXPECT_FALSE(section.answer.empty());
        bool hasTable = false;
        for (const reports::Block& block : section.blocks) {
            hasTable = hasTable || std::holds_alternative<reports::Table>(block);
            if (const auto* figure = std::get_if<reports::Figure>(&block))
                for (const Finding& finding : reports::validate(figure->chart))
                    ADD_FAILURE() << finding.english();
        }
        EXPECT_TRUE(hasTable);
    }
}

TEST(Views, AreDrawnInBothThemes) {
    for (const auto& [id, section] : sections()) {
        for (bool dark : {false, true}) {
            SCOPED_TRACE(id + (dark ? " dark" : " light"));
            QApplication::setPalette(palette(dark));
            auto view = shown(section);
            ASSERT_TRUE(view->hasPicture());
            const QImage picture = view->grab().toImage();
            EXPECT_FALSE(picture.isNull());
            grab(*view, id + (dark ? "-dark" : "-light"));
            view->showTable(true);
            QApplication::processEvents();
            grab(*view, id + (dark ? "-dark" : "-light") + "-table");
        }
    }
    QApplication::setPalette(palette(false));
}

TEST(Views, DataArePointedAtAndWalkedWithTheSameWords) {
    for (const auto& [id, section] : sections()) {
        SCOPED_TRACE(id);
        auto view = shown(section);
        ChartView* chart = view->chart();
        ASSERT_NE(chart, nullptr);
        ASSERT_GT(chart->datumCount(), 0);
        chart->setFocus();
        QTest::keyClick(chart, Qt::Key_Home);
        const QString first = chart->currentTip();
        EXPECT_FALSE(first.isEmpty());
        QSignalSpy activated(chart, &ChartView::datumActivated);
        QTest::keyClick(chart, Qt::Key_Return);
        EXPECT_EQ(activated.count(), 1);
        QTest::keyClick(chart, Qt::Key_End);
        EXPECT_FALSE(chart->currentTip().isEmpty());
        if (chart->datumCount() > 1) {
            QTest::keyClick(chart, Qt::Key_Left);
        }
        QTest::keyClick(chart, Qt::Key_Escape);
        EXPECT_TRUE(chart->current().isEmpty());
        EXPECT_FALSE(chart->accessibleName().isEmpty());
        EXPECT_FALSE(chart->accessibleDescription().isEmpty());
    }
}

TEST(Views, PicturesAreSaved) {
    QTemporaryDir folder;
    for (const auto& [id, section] : sections()) {
        SCOPED_TRACE(id);
        auto view = shown(section);
        const QString svg = folder.filePath(QStringLiteral("chart.svg"));
        const QString png = folder.filePath(QStringLiteral("chart.png"));
        EXPECT_EQ(view->chart()->save(svg), QString());
        EXPECT_EQ(view->chart()->save(png), QString());
        QFile file(svg);
        ASSERT_TRUE(file.open(QIODevice::ReadOnly));
        QXmlStreamReader xml(&file);
        while (!xml.atEnd()) xml.readNext();
        EXPECT_FALSE(xml.hasError()) << xml.errorString().toStdString();
        EXPECT_FALSE(QImage(png).isNull());
        EXPECT_THAT(view->chart()->save(folder.filePath(QStringLiteral("no/such/x.svg")))
                        .toStdString(),
                    HasSubstr("could not be written"));
    }
}

TEST(Views, TablesAreSoundModelsAndHaveTheChartsDigits) {
    for (const auto& [id, section] : sections()) {
        SCOPED_TRACE(id);
        auto view = shown(section);
        for (SectionTable* table : view->findChildren<SectionTable*>()) {
            const QAbstractItemModelTester source(
                table->tableModel(), QAbstractItemModelTester::FailureReportingMode::Warning);
            const QAbstractItemModelTester sorted(
                table->model(), QAbstractItemModelTester::FailureReportingMode::Warning);
            for (int c = 0; c < table->model()->columnCount(); ++c)
                for (Qt::SortOrder order : {Qt::AscendingOrder, Qt::DescendingOrder})
                    table->model()->sort(c, order);
            table->model()->sort(-1);
        }
    }
    // The bars of the ranking print what its rows print.
    auto view = shown(sections().at("ranking"));
    ChartView* chart = view->chart();
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Home);
    const QString tip = chart->currentTip();
    view->table()->setChosen(chart->current());
    const QModelIndexList rows = view->table()->selectionModel()->selectedRows(2);
    ASSERT_EQ(rows.size(), 1);
    EXPECT_TRUE(tip.contains(rows.front().data().toString())) << tip.toStdString();
}

TEST(Tables, GroupsStayInOrderAndTotalsLast) {
    reports::Table table;
    table.id = "t";
    table.columns = {{reports::text("name"), false, true}, {reports::text("value"), true}};
    const auto row = [](const char* name, std::optional<double> value, bool total = false) {
        reports::Row r;
        r.cells = {reports::name(name),
                   value ? reports::number(*value, "s", std::to_string(static_cast<int>(*value)))
                         : reports::notKnownCell()};
        r.isTotal = total;
        if (!total) r.notes = {reports::text("a note")};
        return r;
    };
    table.groups = {{reports::text("meets all"), {row("b", 2), row("a", 10), row("n", {})}},
                    {reports::text("misses"), {row("c", 1), row("sum", 99, true)}}};
    auto owner = std::make_shared<int>(0);
    SectionTable view;
    view.setTable(owner, &table);
    const auto names = [&] {
        QStringList all;
        for (int r = 0; r < view.model()->rowCount(); ++r)
            all << view.model()->index(r, 0).data().toString();
        return all.join(QLatin1Char(' ')).toStdString();
    };
    view.model()->sort(1, Qt::AscendingOrder);
    EXPECT_EQ(names(),
              "meets all b a note a a note n a note misses c a note sum");
    view.model()->sort(1, Qt::DescendingOrder);
    EXPECT_EQ(names(),
              "meets all a a note b a note n a note misses c a note sum");
    EXPECT_EQ(view.tsv().count(QLatin1Char('\n')), 6);
    EXPECT_TRUE(view.findNext(QStringLiteral("SUM")));
    EXPECT_FALSE(view.findNext(QStringLiteral("nowhere")));
}

TEST(Views, LegendEntriesDim) {
    auto view = shown(sections().at("time"));
    ChartView* chart = view->chart();
    chart->setFocus();
    const QImage before = chart->grab().toImage();
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(8, 8));
    QApplication::processEvents();
    EXPECT_NE(chart->grab().toImage(), before);
    QTest::mouseClick(chart, Qt::LeftButton, {}, QPoint(8, 8));
    QApplication::processEvents();
    EXPECT_EQ(chart->grab().toImage(), before);
}

TEST(Views, CtrlTSwapsChartAndTable) {
    auto view = shown(sections().at("cost"));
    view->activateWindow();
    EXPECT_FALSE(view->isTableShown());
    view->chart()->setFocus();
    view->showTable(true);
    EXPECT_TRUE(view->isTableShown());
    view->setSection(view->section());
    EXPECT_TRUE(view->isTableShown());
    view->showTable(false);
    EXPECT_FALSE(view->isTableShown());
}

TEST(Views, StatesKeepThePictureAndSayWhy) {
    auto view = shown(sections().at("cost"));
    for (ViewState state :
         {ViewState::Empty, ViewState::Computing, ViewState::Stale, ViewState::Infeasible,
          ViewState::NotKnown, ViewState::Unsupported, ViewState::Failed}) {
        view->setState(state, QStringLiteral("from 14:02:11"), QStringLiteral("details"));
        QApplication::processEvents();
        EXPECT_TRUE(view->hasPicture());
        grab(*view, "state-" + std::to_string(static_cast<int>(state)));
    }
    view->findChild<QWidget*>(QStringLiteral("copy-details"))->setFocus();
    QTest::mouseClick(view->findChild<QWidget*>(QStringLiteral("copy-details")), Qt::LeftButton);
    EXPECT_EQ(QApplication::clipboard()->text(), QStringLiteral("details"));
}

TEST(Deadline, OneDragIsOneChoice) {
    DeadlineView view;
    view.resize(900, 700);
    PlanSnapshot plan{std::make_shared<search::PlanRequest>(request()),
                      std::make_shared<search::PlanResult>(reports::fixture::planResult())};
    view.setPlan(plan);
    view.setPlan(plan, std::make_shared<search::SizeStudy>(sizes(*plan.request, *plan.result)));
    view.show();
    QApplication::processEvents();
    auto* date = view.findChild<QSlider*>(QStringLiteral("deadline-date"));
    ASSERT_NE(date, nullptr);
    int moved = 0, chosen = 0;
    QObject::connect(&view, &DeadlineView::constraintsMoved, &view, [&] { ++moved; });
    QObject::connect(&view, &DeadlineView::constraintsChosen, &view, [&] { ++chosen; });
    date->setSliderDown(true);
    for (int day = 40; day < 60; ++day) date->setValue(day);
    EXPECT_EQ(chosen, 0);
    date->setSliderDown(false);
    EXPECT_EQ(chosen, 1);
    EXPECT_EQ(moved, 20);
    ASSERT_TRUE(view.limits().finishBy.has_value());
    EXPECT_EQ(run::isoDate(*view.limits().finishBy), "2027-02-12");
    date->setFocus();
    QTest::keyClick(date, Qt::Key_Right);
    EXPECT_EQ(chosen, 2);
    QApplication::processEvents();
    grab(view, "deadline-view");
}

TEST(Sizes, AnswersFollowTheLimits) {
    const search::PlanRequest asked = request();
    const search::SizeStudy study = sizes(asked, reports::fixture::planResult());
    search::Constraints limits;
    const search::SizeAnswer open = search::answerOf(study, limits);
    ASSERT_TRUE(open.smallest.has_value());
    EXPECT_TRUE(open.binding.empty());
    long before = 0;
    for (int day : {300, 200, 100, 60, 40}) {
        limits.finishBy = run::dateFromDays(run::daysSinceEpoch(*asked.start) + day);
        const search::SizeAnswer answer = search::answerOf(study, limits);
        ASSERT_TRUE(answer.smallest.has_value()) << day;
        const search::SizePoint& small = search::at(study, *answer.smallest);
        EXPECT_LE(run::daysSinceEpoch(*small.run.finish), run::daysSinceEpoch(*limits.finishBy));
        EXPECT_GE(small.chips, before);
        before = small.chips;
    }
    limits.budget = units::UsDollars(1);
    const search::SizeAnswer none = search::answerOf(study, limits);
    EXPECT_FALSE(none.cheapest.has_value() && !none.smallest.has_value());
    EXPECT_TRUE(none.nearest.has_value() || none.smallest.has_value());
}

TEST(Pipeline, TheDrawingObeysDependencies) {
    for (auto schedule :
         {layout::Schedule::OneForwardOneBackward, layout::Schedule::Interleaved}) {
        const search::PlanRequest asked = request();
        const search::PlanResult result = reports::fixture::planResult();
        search::PipelineStudy study;
        study.problem.schedule = schedule;
        study.problem.virtualStages = schedule == layout::Schedule::Interleaved ? 2 : 1;
        study.problem.microBatches = 12;
        study.problem.forwardSeconds = {0.2, 0.22, 0.21, 0.25};
        study.problem.backwardSeconds = {0.4, 0.44, 0.42, 0.5};
        study.problem.sendSeconds = 0.003;
        study.timeline = layout::simulate(study.problem);
        study.closedForm = units::Seconds(study.timeline->seconds);
        for (int s = 0; s < 4; ++s) study.stages.push_back({s, {}, {}, {}});
        const reports::Section section = reports::pipelineView(asked, best(result), study);
        const auto* figure = std::get_if<reports::Figure>(&section.blocks.front());
        ASSERT_NE(figure, nullptr);
        const auto& chart = std::get<reports::GanttChart>(figure->chart.chart);
        EXPECT_TRUE(reports::validate(figure->chart).empty());
        const double slack = chart.end * 1e-9;
        std::map<std::tuple<bool, long, int, int>, const reports::GanttBox*> byTask;
        double worked = 0;
        for (const reports::GanttBox& box : chart.boxes) {
            if (box.microBatch < 0) continue;
            worked += box.to - box.from;
            byTask[{box.kind == reports::GanttKind::Forward, box.microBatch, box.chunk,
                    box.row}] = &box;
        }
        EXPECT_EQ(byTask.size(),
                  2U * 4U * 12U * static_cast<std::size_t>(study.problem.virtualStages));
        for (const auto& [task, box] : byTask) {
            const auto& [isForward, microBatch, chunk, row] = task;
            // Forward needs the stage before it, backward its own forward and the stage after it.
            if (isForward && row > 0) {
                EXPECT_GE(box->from + slack, byTask.at({true, microBatch, chunk, row - 1})->to);
            }
            if (!isForward) {
                EXPECT_GE(box->from + slack, byTask.at({true, microBatch, chunk, row})->to);
                if (row < 3) {
                    EXPECT_GE(box->from + slack,
                              byTask.at({false, microBatch, chunk, row + 1})->to);
                }
            }
        }
        EXPECT_GT(worked, 0);
        const auto critical =
            std::count_if(chart.boxes.begin(), chart.boxes.end(),
                          [](const reports::GanttBox& box) { return box.isCritical; });
        EXPECT_GT(critical, 12);
    }
}

TEST(Pipeline, ZoomsAndKeepsItsNumbers) {
    auto view = shown(sections().at("pipeline"));
    ChartView* chart = view->chart();
    ASSERT_TRUE(chart->canZoom());
    chart->setFocus();
    QTest::keyClick(chart, Qt::Key_Home);
    const QString before = chart->currentTip();
    for (int i = 0; i < 3; ++i) QTest::keyClick(chart, Qt::Key_Plus);
    QApplication::processEvents();
    grab(*view, "pipeline-zoomed");
    QTest::keyClick(chart, Qt::Key_0);
    QTest::keyClick(chart, Qt::Key_Home);
    EXPECT_EQ(chart->currentTip(), before);
}

}  // namespace
}  // namespace trainwright::ui

namespace {

int unexpected = 0;

void onMessage(QtMsgType type, const QMessageLogContext&, const QString& words) {
    // What the offscreen platform says of itself.
    if (words.contains(QLatin1String("XDG_RUNTIME_DIR")) ||
        words.contains(QLatin1String("This plugin does not support")))
        return;
    fprintf(stderr, "Qt: %s\n", words.toLocal8Bit().constData());
    if (type != QtDebugMsg && type != QtInfoMsg) ++unexpected;
}

}  // namespace

int main(int argc, char** argv) {
    ::testing::InitGoogleTest(&argc, argv);
    // Also where the tests are only listed, as the build does.
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    qInstallMessageHandler(onMessage);
    QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(trainwright::ui::palette(false));
    const int failed = RUN_ALL_TESTS();
    if (unexpected > 0) fprintf(stderr, "%d messages of Qt that nobody expects\n", unexpected);
    return failed != 0 || unexpected > 0 ? 1 : 0;
}
