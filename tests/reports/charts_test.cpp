// SPDX-License-Identifier: GPL-3.0-or-later
// Drawings are checked by what they hold and where it stands, not byte by byte: those belong to Qt.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QFont>
#include <QFontMetricsF>
#include <QRectF>
#include <QXmlStreamReader>

#include <cmath>
#include <map>

#include "reports/charts/draw.h"
#include "reports/charts/svg_text.h"
#include "reports/plan_charts.h"
#include "reports/study_charts.h"
#include "tests/reports/plan_fixture.h"

namespace trainwright::reports {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

struct Words {
    QRectF box;
    QString text;
};

struct Drawing {
    bool wellFormed = false;
    QSizeF size;
    QString title, description;
    std::vector<Words> words;
    std::map<QString, int> elements;
};

Drawing parse(const std::string& svg) {
    Drawing drawing;
    QXmlStreamReader xml(QByteArray::fromStdString(svg));
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        const QString tag = xml.name().toString();
        ++drawing.elements[tag];
        const QXmlStreamAttributes attributes = xml.attributes();
        if (tag == QLatin1String("svg"))
            drawing.size = {attributes.value(QLatin1String("width")).toDouble(),
                            attributes.value(QLatin1String("height")).toDouble()};
        if (tag == QLatin1String("title"))
            drawing.title = xml.readElementText();
        else if (tag == QLatin1String("desc"))
            drawing.description = xml.readElementText();
        else if (tag == QLatin1String("text")) {
            QFont font(QStringLiteral("DejaVu Sans"));
            font.setPixelSize(
                static_cast<int>(attributes.value(QLatin1String("font-size")).toDouble()));
            font.setBold(attributes.value(QLatin1String("font-weight")).toInt() > 500);
            font.setHintingPreference(QFont::PreferNoHinting);
            const double x = attributes.value(QLatin1String("x")).toDouble(),
                         y = attributes.value(QLatin1String("y")).toDouble();
            const QString text = xml.readElementText();
            const QFontMetricsF metrics(font);
            drawing.words.push_back(
                {QRectF(x, y - metrics.ascent(), metrics.horizontalAdvance(text), metrics.height()),
                 text});
        }
    }
    drawing.wellFormed = !xml.hasError();
    return drawing;
}

/// Text with its group's transform applied: QSvgGenerator moves groups, not texts.
std::string flattened(const std::string& svg) {
    // Text groups of our drawings are translated only; the translation is added to x and y.
    std::string out;
    double dx = 0, dy = 0;
    QXmlStreamReader xml(QByteArray::fromStdString(svg));
    QByteArray bytes;
    QXmlStreamWriter writer(&bytes);
    QXmlStreamAttributes group;
    while (!xml.atEnd()) {
        xml.readNext();
        if (xml.isStartElement() && xml.name() == QLatin1String("g")) {
            group = xml.attributes();
            dx = dy = 0;
            const QString transform = group.value(QLatin1String("transform")).toString();
            if (transform.startsWith(QLatin1String("matrix("))) {
                const QStringList numbers =
                    transform.mid(7, transform.size() - 8).split(QLatin1Char(','));
                dx = numbers.value(4).toDouble();
                dy = numbers.value(5).toDouble();
            }
        }
        if (xml.isStartElement() && xml.name() == QLatin1String("text")) {
            const QXmlStreamAttributes own = xml.attributes();
            writer.writeStartElement(QLatin1String("text"));
            auto value = [&](const char* name) {
                const QString here = own.value(QLatin1String(name)).toString();
                return here.isEmpty() ? group.value(QLatin1String(name)).toString() : here;
            };
            writer.writeAttribute(QLatin1String("x"),
                                  QString::number(own.value(QLatin1String("x")).toDouble() + dx));
            writer.writeAttribute(QLatin1String("y"),
                                  QString::number(own.value(QLatin1String("y")).toDouble() + dy));
            writer.writeAttribute(QLatin1String("font-size"), value("font-size"));
            writer.writeAttribute(QLatin1String("font-weight"), value("font-weight"));
        } else {
            writer.writeCurrentToken(xml);
        }
    }
    return bytes.toStdString();
}

std::vector<ChartSpec> charts(const search::PlanRequest& request,
                              const search::PlanResult& result) {
    const auto views = candidateViews(request, result);
    std::vector<ChartSpec> all;
    for (auto& spec :
         {costAndTimeChart(request, views), timeChart(views), memoryChart(views), costChart(views)})
        if (spec) all.push_back(*spec);
    for (std::size_t i = 0; i < views.size(); ++i) {
        const std::string number = std::to_string(i);
        if (auto spec = rooflineChart(request, views[i], "chart-roofline-" + number))
            all.push_back(*spec);
        if (auto spec = tornadoChart(views[i], "chart-tornado-" + number)) all.push_back(*spec);
        if (!views[i].runs()) continue;
        const ExplainedViews studies = fixture::views(request, *views[i].result);
        std::vector<std::optional<ChartSpec>> ofStudies{pipelineChart(views[i], *studies.schedule)};
        for (int z = 0; z < kTopologyZoomCount; ++z)
            ofStudies.push_back(
                topologyChart(views[i], *studies.network, static_cast<TopologyZoom>(z)));
        for (std::size_t s = 0; s < ofStudies.size(); ++s)
            if (ofStudies[s]) {
                ofStudies[s]->id += "-" + number + "-" + std::to_string(s);
                all.push_back(*ofStudies[s]);
            }
    }
    for (Measure vertical : {Measure::Cost, Measure::Energy, Measure::Accelerators})
        if (auto spec = paretoChart(request, views, nullptr, Measure::Days, vertical, {})) {
            spec->id += "-" + std::to_string(static_cast<int>(vertical));
            all.push_back(*spec);
        }
    return all;
}

/// `points` of them, in pairs of the same ratio; step times over `decades` powers of ten.
std::vector<ChartSpec> runCharts(int points, double decades) {
    ParityChart parity;
    parity.horizontalAxis = Text{"measured, s", {}};
    parity.verticalAxis = Text{"predicted, s", {}};
    parity.notesTitle = Text{"Farthest off", {}};
    parity.legend = {{Family::Trainium, Text{"Trainium", {}}}, {Family::Gpu, Text{"GPU", {}}}};
    StripChart strip;
    strip.axis = Text{"predicted over measured, less one", {}};
    strip.middleLabel = Text{"median", {}};
    strip.rows = {{Text{"H100", {}}, Text{"some runs", {}}, Family::Gpu, {}, 1.02},
                  {Text{"Trainium1", {}}, Text{"1 run", {}}, Family::Trainium, {0.6}, 0.6}};
    for (int i = 0; i < points; ++i) {
        const double ratio = std::exp(0.6 * std::sin(1.7 * (i / 2)));
        const double measured = 0.3 * std::pow(10.0, decades * i / points);
        parity.points.push_back({Text{"run", {}}, measured, measured * ratio,
                                 i % 3 == 0 ? Family::Trainium : Family::Gpu});
        strip.rows[0].ratios.push_back(ratio);
        if (i < 10)
            parity.notes.push_back(
                {static_cast<std::size_t>(i), Text{"run", {}}, Text{"+9.9%", {}}});
    }
    return {
        {"parity", Text{"Question?", {}}, Text{"Answer.", {}}, Text{"All in words.", {}}, parity},
        {"strip", Text{"Question?", {}}, Text{"Answer.", {}}, Text{"All in words.", {}}, strip}};
}

/// Those of plans and those of runs.
std::vector<ChartSpec> allCharts() {
    std::vector<ChartSpec> all = charts(fixture::planRequest(), fixture::planResult());
    for (const auto& [points, decades] : {std::pair{1, 0.0}, {40, 1.0}, {300, 5.0}, {3, 13.0}})
        for (ChartSpec& spec : runCharts(points, decades)) all.push_back(std::move(spec));
    return all;
}

class Charts : public ::testing::Test {
protected:
    ChartApplication application_;
};

TEST_F(Charts, AreWellFormedAndSpeak) {
    for (const ChartSpec& spec : charts(fixture::planRequest(), fixture::planResult()))
        for (int width : {920, 350}) {
            const std::string svg = drawSvg(spec, width);
            const Drawing drawing = parse(svg);
            EXPECT_TRUE(drawing.wellFormed) << spec.id;
            EXPECT_EQ(drawing.title.toStdString(), spec.question.english());
            EXPECT_EQ(drawing.description.toStdString(), spec.description.english());
            EXPECT_EQ(drawing.size.width(), width);
            EXPECT_GT(drawing.size.height(), 100);
            // A drawing of what is joined to what has no axes.
            const bool hasAxes = !std::holds_alternative<TopologyChart>(spec.chart);
            EXPECT_GT(drawing.words.size(), hasAxes ? 8U : 0U) << spec.id << ": text stays text";
            EXPECT_THAT(svg, Not(HasSubstr("#fa00"))) << "a colour code was left";
            EXPECT_THAT(svg, HasSubstr("var(--text,")) << "colours follow the page";
            if (hasAxes) {
                EXPECT_THAT(svg, HasSubstr("var(--grid,")) << "the grid is laid out";
            }
            EXPECT_LT(svg.size(), 60000U) << spec.id;
        }
}

TEST_F(Charts, NoWordsOverlapOrLeaveTheDrawing) {
    for (const ChartSpec& spec : allCharts())
        for (int width : {920, 700, 350}) {
            const Drawing drawing = parse(flattened(drawSvg(spec, width)));
            for (std::size_t i = 0; i < drawing.words.size(); ++i) {
                const Words& a = drawing.words[i];
                EXPECT_GE(a.box.left(), -0.6)
                    << spec.id << " " << width << ": " << a.text.toStdString();
                EXPECT_LE(a.box.right(), width + 0.6)
                    << spec.id << " " << width << ": " << a.text.toStdString();
                EXPECT_LE(a.box.bottom(), drawing.size.height() + 1.5)
                    << spec.id << ": " << a.text.toStdString();
                EXPECT_THAT(a.text.toStdString(), Not(HasSubstr("…")))
                    << spec.id << " at " << width;
                for (std::size_t j = i + 1; j < drawing.words.size(); ++j) {
                    // Line boxes may touch by the leading; ink may not.
                    const QRectF ink = a.box.adjusted(0, 2, 0, -2),
                                 other = drawing.words[j].box.adjusted(0, 2, 0, -2);
                    EXPECT_FALSE(ink.intersects(other))
                        << spec.id << " at " << width << ": \"" << a.text.toStdString()
                        << "\" and \"" << drawing.words[j].text.toStdString() << "\"";
                }
            }
        }
}

TEST_F(Charts, AreTheSameEveryTime) {
    for (const ChartSpec& spec : allCharts())
        EXPECT_EQ(drawSvg(spec, 920), drawSvg(spec, 920)) << spec.id;
}

TEST_F(Charts, BarsAreAsLongAsTheirNumbers) {
    BarPanel panel;
    panel.axis = Text{"units", {}};
    for (double value : {10.0, 5.0}) {
        Bar bar;
        bar.label = Text{"bar", {}};
        bar.segments.push_back({{}, value, Role::Compute, Role::ComputeInk, Pattern::Solid});
        panel.bars.push_back(bar);
    }
    ChartSpec spec;
    spec.id = "bars";
    spec.chart = BarChart{{panel}, {}};
    QXmlStreamReader xml(QByteArray::fromStdString(drawSvg(spec, 600)));
    std::vector<double> widths;
    bool compute = false;
    while (!xml.atEnd()) {
        if (xml.readNext() != QXmlStreamReader::StartElement) continue;
        if (xml.name() == QLatin1String("g"))
            compute =
                xml.attributes().value(QLatin1String("fill")).contains(QLatin1String("--compute"));
        if (xml.name() == QLatin1String("rect") && compute)
            widths.push_back(xml.attributes().value(QLatin1String("width")).toDouble());
    }
    ASSERT_EQ(widths.size(), 2U);
    EXPECT_NEAR(std::max(widths[0], widths[1]) / std::min(widths[0], widths[1]), 2.0, 0.01);
}

TEST_F(Charts, SpansReachFromTheMiddleToTheirEnds) {
    SpanPanel panel{Text{"units", {}}, 100, Text{"100", {}}, {}};
    panel.spans = {{Text{"both sides", {}}, 80, 140, Text{"low", {}}, Text{"high", {}}},
                   {Text{"falling", {}}, 120, 90, Text{"few", {}}, Text{"many", {}}},
                   {Text{"nothing", {}}, 100, 100, Text{"a", {}}, Text{"b", {}}}};
    ChartSpec spec;
    spec.id = "spans";
    spec.chart = TornadoChart{{panel}, Text{"at low", {}}, Text{"at high", {}}};
    const std::string svg = drawSvg(spec, 600);
    std::map<QString, QRectF> words;
    for (const Words& w : parse(flattened(svg)).words) words[w.text] = w.box;
    const auto place = [&](const char* text) { return words.at(QString::fromLatin1(text)); };
    EXPECT_LT(place("low").right(), place("high").left());
    EXPECT_LT(place("many").right(), place("few").left()) << "more of it makes less";
    EXPECT_LT(place("a").right(), place("b").left());
    // On one scale: 20 to the left of the middle, 40 to the right.
    const double middle = (place("a").right() + place("b").left()) / 2;
    const double left = middle - place("low").right(), right = place("high").left() - middle;
    EXPECT_NEAR((right - 5) / (left - 5), 2, 0.1);
}

TEST_F(Charts, PointsOfAParityPlotLieWhereTheirTimesAre) {
    ParityChart chart;
    chart.horizontalAxis = chart.verticalAxis = Text{"s", {}};
    chart.points = {{Text{"exact", {}}, 2, 2, Family::Gpu},
                    {Text{"double", {}}, 2, 4, Family::Gpu}};
    chart.notes = {{0, Text{"exact", {}}, {}}, {1, Text{"double", {}}, {}}};
    ChartSpec spec;
    spec.id = "parity";
    spec.chart = chart;
    std::map<QString, QRectF> words;
    // Numbers beside the points come before those of the list, ticks before both.
    std::vector<Words> ones;
    for (const Words& w : parse(flattened(drawSvg(spec, 920))).words) {
        words[w.text] = w.box;
        if (w.text == QLatin1String("1") || w.text == QLatin1String("2")) ones.push_back(w);
    }
    EXPECT_TRUE(words.contains(QStringLiteral("+20%")));
    EXPECT_TRUE(words.contains(QStringLiteral("exact")));
    EXPECT_TRUE(words.contains(QStringLiteral("5"))) << "the axis ends on 1, 2 or 5";
    EXPECT_FALSE(words.contains(QStringLiteral("10"))) << "and goes no farther than it must";
    EXPECT_GE(ones.size(), 4U);
}

TEST_F(Charts, SpecsOfRunsRefuseWhatIsNotOnTheirScale) {
    std::vector<ChartSpec> specs = runCharts(4, 1);
    for (const ChartSpec& spec : specs) EXPECT_TRUE(validate(spec).empty());
    std::get<ParityChart>(specs[0].chart).notes.push_back({4, {}, {}});
    std::get<StripChart>(specs[1].chart).rows[0].ratios.push_back(0);
    for (const ChartSpec& spec : specs) EXPECT_EQ(validate(spec).size(), 1U) << spec.id;
}

TEST_F(Charts, SurviveAnything) {
    for (const auto& [request, result] :
         {std::pair{fixture::hostileRequest(), fixture::hostileResult()},
          std::pair{fixture::bareRequest(), fixture::bareResult()}})
        for (const ChartSpec& spec : charts(request, result)) {
            Drawing drawing = parse(drawSvg(spec, 350));
            EXPECT_TRUE(drawing.wellFormed) << spec.id;
            EXPECT_EQ(drawing.elements[QStringLiteral("script")], 0);
            EXPECT_EQ(drawing.elements[QStringLiteral("img")], 0);
        }
    ChartSpec broken;
    broken.id = "x";
    broken.description = Text{"nothing to draw", {}};
    broken.chart = RooflineChart{};
    EXPECT_THAT(drawSvg(broken, 350), HasSubstr("nothing to draw"));
}

TEST(ChartDrawer, StartsAndEndsItsOwnApplication) {
    ASSERT_EQ(QCoreApplication::instance(), nullptr);
    {
        const SvgDrawer drawer = chartDrawer();
        EXPECT_EQ(QCoreApplication::instance(), nullptr) << "not before a chart needs it";
        EXPECT_THAT(drawer(charts(fixture::planRequest(), fixture::planResult()).front(), 350),
                    HasSubstr("<svg"));
        EXPECT_NE(QCoreApplication::instance(), nullptr);
    }
    EXPECT_EQ(QCoreApplication::instance(), nullptr);
}

TEST(CompactSvg, KeepsWhatDraws) {
    const std::string body =
        "<g fill=\"none\" stroke=\"black\">\n<g fill=\"none\" stroke=\"#000\" "
        "font-size=\"12\">\n</g>\n"
        "<g fill=\"red\" fill-opacity=\"1\" stroke=\"none\" "
        "transform=\"matrix(1,0,0,1,0,0)\"\nfont-size=\"12\" \n>\n"
        "<rect x=\"0\" width=\"2\"/>\n</g>\n<g fill=\"red\" fill-opacity=\"1\">\n<rect x=\"5\" "
        "width=\"1\"/>\n"
        "<rect x=\"5\" width=\"0\"/>\n</g>\n<g fill=\"none\" stroke=\"none\">\n<rect x=\"9\" "
        "width=\"3\"/>\n</g>\n</g>\n";
    EXPECT_EQ(charts::compactSvg(body),
              "<g fill=\"red\">\n<rect x=\"0\" width=\"2\"/>\n<rect x=\"5\" width=\"1\"/>\n</g>\n");
    EXPECT_EQ(charts::compactSvg("plain"), "plain");
}

}  // namespace
}  // namespace trainwright::reports
