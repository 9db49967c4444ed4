// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/study_charts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <stdexcept>

#include "model/network/graph.h"
#include "model/units/joined.h"
#include "reports/bands_view.h"
#include "reports/document.h"
#include "reports/fit_view.h"
#include "reports/keys.h"
#include "reports/number_format.h"
#include "reports/step_view.h"

namespace trainwright::reports {
namespace {

std::string grouped(long n) {
    return count(static_cast<double>(n));
}

// ---- the pipeline ---------------------------------------------------------------------------

GanttKind kindOf(layout::TaskKind kind) {
    switch (kind) {
        case layout::TaskKind::Forward:
            return GanttKind::Forward;
        case layout::TaskKind::Backward:
            return GanttKind::Backward;
        case layout::TaskKind::BackwardInput:
            return GanttKind::BackwardInput;
        case layout::TaskKind::WeightGradient:
            return GanttKind::WeightGradient;
    }
    return GanttKind::Other;
}

using Tasks = std::vector<layout::PipelineTask>;

/// The tasks of which each starts when the one before it ends, sends aside, back from the last.
std::vector<bool> criticalOf(const Tasks& tasks, double sendSeconds, double end) {
    std::vector<bool> critical(tasks.size(), false);
    std::map<int, std::vector<std::size_t>> ofStage;
    std::map<long, std::vector<std::size_t>> ofMicroBatch;
    std::size_t last = tasks.size();
    for (std::size_t i = 0; i < tasks.size(); ++i) {
        ofStage[tasks[i].stage].push_back(i);
        ofMicroBatch[tasks[i].microBatch].push_back(i);
        if (last == tasks.size() || tasks[i].endSeconds > tasks[last].endSeconds) last = i;
    }
    const double slack = end * 1e-9;
    while (last < tasks.size() && !critical[last]) {
        critical[last] = true;
        const layout::PipelineTask& task = tasks[last];
        std::size_t before = tasks.size();
        for (std::size_t i : ofStage[task.stage])
            if (i != last && !critical[i] &&
                std::abs(tasks[i].endSeconds - task.startSeconds) <= slack)
                before = i;
        if (before == tasks.size())
            for (std::size_t i : ofMicroBatch[task.microBatch])
                if (i != last && !critical[i] && tasks[i].endSeconds <= task.startSeconds + slack &&
                    tasks[i].endSeconds >= task.startSeconds - sendSeconds - slack)
                    before = i;
        last = before;
    }
    return critical;
}

}  // namespace

Text bubbleSentence(const CandidateView& view, const search::PipelineStudy& study) {
    const layout::StepResult& step = view.result->step;
    if (study.problem.stages() <= 1) return text("One stage, nothing waits.");
    const double bubble = step.parts[static_cast<std::size_t>(layout::TimePart::Bubble)].value();
    const double whole = step.stepTime.value();
    if (!(whole > 0) || !(bubble > 0))
        return text("{1} stages wait for nothing that can be seen.", count(study.problem.stages()));
    return text(
        "{1} micro-batches over {2} stages: waiting takes {3} of the step, {4} on top of the rest.",
        grouped(study.problem.microBatches), count(study.problem.stages()), percent(bubble / whole),
        percent(bubble / (whole - bubble)));
}

std::optional<ChartSpec> pipelineChart(const CandidateView& view,
                                       const search::PipelineStudy& study) {
    if (!study.timeline || study.timeline->tasks.empty()) return std::nullopt;
    const Tasks& tasks = study.timeline->tasks;
    const layout::StepResult& step = view.result->step;
    const double pipeline = study.timeline->seconds;
    std::vector<std::pair<GanttKind, double>> after;
    for (const auto& [part, kind] : {std::pair{layout::TimePart::Data, GanttKind::Data},
                                     std::pair{layout::TimePart::Optimizer, GanttKind::Optimizer}})
        if (const double s = step.parts[static_cast<std::size_t>(part)].value(); s > 0)
            after.emplace_back(kind, s);
    double end = pipeline;
    for (const auto& [kind, s] : after) end += s;
    constexpr double kLong = 10;  // seconds from which the axis has seconds
    const double unit = end < kLong ? 1e3 : 1;

    GanttChart chart;
    chart.axis = end < kLong ? text("ms") : text("s");
    chart.end = end * unit;
    chart.decimals = std::max(0, decimalsFor(chart.end) + 1);
    const std::vector<bool> critical = criticalOf(tasks, study.problem.sendSeconds, pipeline);
    for (int s = 0; s < study.problem.stages(); ++s) {
        chart.rows.push_back(text("stage {1}", count(s)));
        std::vector<GanttBox> row;
        for (std::size_t i = 0; i < tasks.size(); ++i) {
            const layout::PipelineTask& task = tasks[i];
            if (task.stage != s) continue;
            row.push_back({s, kindOf(task.kind), task.microBatch, task.chunk,
                           task.startSeconds * unit, task.endSeconds * unit, critical[i]});
        }
        std::stable_sort(row.begin(), row.end(),
                         [](const GanttBox& a, const GanttBox& b) { return a.from < b.from; });
        // Two that run through each other share their time.
        for (std::size_t i = 1; i < row.size(); ++i)
            if (row[i].from < row[i - 1].to) {
                const double middle = (row[i - 1].from + std::max(row[i].to, row[i - 1].to)) / 2;
                row[i - 1].to = std::clamp(middle, row[i - 1].from, row[i - 1].to);
                row[i].from = row[i - 1].to;
            }
        double done = 0;
        const auto waitUntil = [&](double time) {
            if (time > done + chart.end * 1e-9)
                chart.boxes.push_back({s, GanttKind::Waiting, -1, 0, done, time, false});
        };
        for (GanttBox& box : row) {
            waitUntil(box.from);
            box.from = std::max(box.from, done);
            box.to = std::max(box.to, box.from);
            done = box.to;
            chart.boxes.push_back(box);
        }
        waitUntil(pipeline * unit);
        done = std::max(done, pipeline * unit);
        for (const auto& [kind, seconds] : after) {
            chart.boxes.push_back({s, kind, -1, 0, done, done + seconds * unit, false});
            done += seconds * unit;
        }
        chart.end = std::max(chart.end, done);
    }
    if (study.stages.size() > 1) {
        const search::StageOccupation& last = study.stages.back();
        chart.spans.push_back({text("fill"), 0, last.first.value() * unit});
        chart.spans.push_back({text("drain"), last.last.value() * unit, pipeline * unit});
    }
    ChartSpec spec;
    spec.id = "chart-pipeline";
    spec.question = text("When does each stage wait?");
    spec.answer = bubbleSentence(view, study);
    spec.description = text(
        "{1} stages over {2} s; a box a task, hatched where a stage waits. The table below "
        "has busy and idle time of each.",
        count(study.problem.stages()), estimate(end));
    spec.chart = std::move(chart);
    return spec;
}

// ---- the network ----------------------------------------------------------------------------

std::vector<LinkLoad> linkLoads(const layout::StepResult& step, const search::NetworkStudy& study) {
    std::vector<LinkLoad> loads;
    std::vector<double> most;
    for (std::size_t i = 0; i < step.collectives.size() && i < study.algorithms.size(); ++i) {
        const layout::CollectiveUse& use = step.collectives[i];
        if (use.busiestLink.empty()) continue;
        double moving = 0;
        for (const search::AlgorithmChoice& choice : study.algorithms[i])
            if (choice.isUsed) moving = (choice.seconds - choice.latency).value() * use.calls;
        auto at = std::find_if(loads.begin(), loads.end(),
                               [&](const LinkLoad& l) { return l.label == use.busiestLink; });
        if (at == loads.end()) {
            loads.push_back({use.busiestLink, 0, {}});
            most.push_back(-1);
            at = loads.end() - 1;
        }
        at->seconds += moving;
        double& largest = most[static_cast<std::size_t>(at - loads.begin())];
        if (moving > largest) {
            largest = moving;
            at->by = use.name;
        }
    }
    return loads;
}

namespace {

using machine::FabricKind;

constexpr int kMostPanels = 4;
constexpr int kMostSingleChips = 16;  // beside one switch; more are drawn by host

/// Puts nodes and links into a chart; links of one label are one kind.
class Drawing {
public:
    Drawing(const CandidateView& view, const search::NetworkStudy& study)
        : step_(view.result->step), loads_(linkLoads(view.result->step, study)) {}

    std::size_t node(TopologyNode node) {
        chart.nodes.push_back(std::move(node));
        return chart.nodes.size() - 1;
    }
    std::size_t kind(const std::string& label, double bytesPerSecond) {
        for (std::size_t i = 0; i < labels_.size(); ++i)
            if (labels_[i] == label) return i;
        labels_.push_back(label);
        LinkKind kind;
        const std::string rate =
            bytesPerSecond > 0 ? network::rateText(bytesPerSecond) : notKnown();
        const std::size_t cut = label.find(", " + rate);
        kind.name = network::linkText(cut == std::string::npos ? label : label.substr(0, cut));
        kind.gigabytesPerSecond = bytesPerSecond / 1e9;
        kind.rate = verbatim(rate);
        kind.times = 0;
        kind.loadLabel = text("limits no collective");
        kind.key = reports::text(Key{"link", label, {}});
        for (const LinkLoad& load : loads_) {
            if (load.label != label || !(step_.stepTime.value() > 0)) continue;
            kind.load = load.seconds / step_.stepTime.value();
            kind.loadLabel = text("busy {1}", percent(*kind.load));
        }
        chart.kinds.push_back(std::move(kind));
        return chart.kinds.size() - 1;
    }
    void link(std::size_t from, std::size_t to, std::size_t kind, bool isWrap = false) {
        chart.links.push_back({from, to, isWrap, kind});
    }
    void countLinks(std::size_t kind, long more) { chart.kinds[kind].times += more; }

    TopologyChart take() {
        // The busiest of those drawn.
        LinkKind* busiest = nullptr;
        for (LinkKind& kind : chart.kinds) {
            kind.times = std::max(kind.times, 1L);
            if (kind.load && *kind.load > 0 && (busiest == nullptr || *kind.load > *busiest->load))
                busiest = &kind;
        }
        if (busiest != nullptr) busiest->isBusiest = true;
        return std::move(chart);
    }

    TopologyChart chart;

private:
    const layout::StepResult& step_;
    std::vector<LinkLoad> loads_;
    std::vector<std::string> labels_;
};

struct Place {
    double column = 0, row = 0;
    int panel = 0;
};

/// Where the chips of a domain stand; those of hosts beyond `chips` are left out.
std::vector<Place> placesOf(const network::Geometry& g, int chips) {
    std::vector<Place> places;
    constexpr int kPerRow = 8;
    for (int c = 0; c < chips; ++c) {
        Place place;
        switch (g.kind) {
            case FabricKind::Torus: {
                const std::vector<int> at = g.coordinates(c);
                place.column = at.empty() ? 0 : at[0];
                place.row = at.size() > 1 ? at[1] : 0;
                place.panel = at.size() > 2 ? at[2] : 0;
                break;
            }
            case FabricKind::Ring: {
                const int half = (chips + 1) / 2;
                const bool isBack = chips > kPerRow && c >= half;
                place.column = isBack ? chips - 1 - c : c;
                place.row = isBack ? 1 : 0;
                break;
            }
            case FabricKind::FullMesh:
            case FabricKind::HybridCubeMesh: {
                const double angle = 2 * std::numbers::pi * c / chips;
                place.column = 2 + 2 * std::cos(angle);
                place.row = 2 + 2 * std::sin(angle);
                break;
            }
            case FabricKind::Single:
            case FabricKind::Switched:
            case FabricKind::SwitchedPairs: {
                // Half above the switch, half below it.
                const int above = chips > kPerRow ? (chips + 1) / 2 : chips;
                place.column = c < above ? c : c - above;
                place.row = c < above ? 0 : 2;
                break;
            }
        }
        places.push_back(place);
    }
    return places;
}

void drawChip(Drawing& drawing, const CandidateView& view, const network::SystemGraph& graph) {
    const network::Geometry& g = graph.geometry;
    const machine::ChipSpec& chip = view.request->system.chip;
    const double wide = std::max(3.0, static_cast<double>(g.ranksPerChip));
    const std::size_t whole = drawing.node({verbatim(chip.name.empty() ? chip.id : chip.name),
                                            NodeShape::Switch, 0, 1, wide, 1, 1, 0});
    if (g.ranksPerChip <= 1) return;
    for (int r = 0; r < g.ranksPerChip; ++r) {
        const auto rank = graph.rank[static_cast<std::size_t>(r)];
        const std::size_t node = drawing.node(
            {text("{1}", count(r)), NodeShape::Rank, static_cast<double>(r), 0, 1, 1, 1, 0});
        const auto [edge, end] = boost::out_edges(rank, graph.graph);
        if (edge == end) continue;
        const network::Link& link = graph.graph[*edge];
        const std::size_t kind =
            drawing.kind(graph.labels[static_cast<std::size_t>(link.label)], link.bytesPerSecond);
        drawing.link(node, whole, kind);
        drawing.countLinks(kind, 1);
    }
}

/// The chips of one host or of the whole domain with everything that joins them.
void drawDomain(Drawing& drawing, const CandidateView& view, const network::SystemGraph& graph,
                bool wholeDomain) {
    const network::Geometry& g = graph.geometry;
    const int perHost = std::max(1, g.chips / std::max(1, g.hosts));
    const int chips = wholeDomain ? g.chips : perHost;
    const bool isSwitched = g.kind == FabricKind::Switched || g.kind == FabricKind::SwitchedPairs;
    const bool byHost = isSwitched && chips > kMostSingleChips;
    const int perNode = byHost ? perHost : 1;
    const int nodes = (chips + perNode - 1) / perNode;
    const std::vector<Place> places = placesOf(g, nodes);
    std::vector<std::optional<std::size_t>> nodeOf(static_cast<std::size_t>(chips));
    double lowest = 0, widest = 1;
    int panels = 1;
    for (int n = 0; n < nodes; ++n) {
        const Place& place = places[static_cast<std::size_t>(n)];
        if (place.panel >= kMostPanels) continue;
        panels = std::max(panels, place.panel + 1);
        lowest = std::max(lowest, place.row);
        widest = std::max(widest, place.column + 1);
        const std::size_t node = drawing.node({text("{1}", count(byHost ? n : n * perNode)),
                                               byHost ? NodeShape::Host : NodeShape::Chip,
                                               place.column, place.row, 1, 1, 1, place.panel});
        for (int c = n * perNode; c < std::min(chips, (n + 1) * perNode); ++c)
            nodeOf[static_cast<std::size_t>(c)] = node;
    }
    std::map<network::VertexId, std::size_t> switches;
    if (isSwitched) {
        const bool hasTwoRows = lowest > 1;
        for (std::size_t s = 0; s < graph.switches.size() && s < 1; ++s)
            for (network::VertexId vertex : graph.switches) switches.emplace(vertex, 0);
        const std::size_t node = drawing.node({text("switches"), NodeShape::Switch, 0,
                                               hasTwoRows ? 1.0 : lowest + 1, widest, 1, 1, 0});
        for (auto& [vertex, at] : switches) at = node;
        if (!hasTwoRows) lowest += 1;
    }
    std::map<network::VertexId, int> chipAt;
    for (int c = 0; c < chips; ++c) chipAt[graph.chip[static_cast<std::size_t>(c)]] = c;
    std::map<std::pair<std::size_t, std::size_t>, bool> drawn;
    const auto [first, last] = boost::edges(graph.graph);
    for (auto edge = first; edge != last; ++edge) {
        const network::Link& link = graph.graph[*edge];
        if (link.kind != network::LinkKind::ScaleUp) continue;
        const auto from = chipAt.find(boost::source(*edge, graph.graph));
        const auto to = chipAt.find(boost::target(*edge, graph.graph));
        const auto sw = switches.find(boost::target(*edge, graph.graph));
        const bool toSwitch = from != chipAt.end() && sw != switches.end();
        const bool toChip = from != chipAt.end() && to != chipAt.end();
        // Each pair has a link either way; one is drawn.
        if (!toSwitch && !(toChip && from->second < to->second)) continue;
        const std::size_t kind =
            drawing.kind(graph.labels[static_cast<std::size_t>(link.label)], link.bytesPerSecond);
        drawing.countLinks(kind, 1);
        const auto& a = nodeOf[static_cast<std::size_t>(from->second)];
        if (!a) continue;
        if (toSwitch) {
            if (drawn.emplace(std::pair(*a, sw->second), true).second)
                drawing.link(*a, sw->second, kind);
            continue;
        }
        const auto& b = nodeOf[static_cast<std::size_t>(to->second)];
        if (!b || *a == *b) continue;
        const TopologyNode& left = drawing.chart.nodes[*a];
        const TopologyNode& right = drawing.chart.nodes[*b];
        if (left.panel != right.panel) continue;  // between frames: in the list alone
        if (!drawn.emplace(std::pair(*a, *b), true).second) continue;
        const bool isTorus = g.kind == FabricKind::Torus || g.kind == FabricKind::Ring;
        const bool isWrap = isTorus && (std::abs(left.column - right.column) > 1.5 ||
                                        std::abs(left.row - right.row) > 1.5);
        drawing.link(*a, *b, kind, isWrap);
    }
    // The way out: one bar a frame, joined to the row above it.
    const machine::FabricSpec& fabric = view.request->system.fabric;
    if (fabric.nicsPerHost > 0 && fabric.nicBandwidth.value() > 0) {
        const double rate = network::hostBandwidth(fabric);
        const std::size_t kind = drawing.kind(network::hostLabel(view.request->system), rate);
        drawing.countLinks(kind, wholeDomain ? g.hosts : 1);
        for (int p = 0; p < panels; ++p) {
            const std::size_t out =
                drawing.node({verbatim(network::scaleOutName(view.request->system)),
                              NodeShape::Switch, 0, lowest + 1, widest, 1, 1, p});
            std::optional<std::size_t> above;
            for (std::size_t n = 0; n < out; ++n) {
                const TopologyNode& node = drawing.chart.nodes[n];
                const double middle = (widest - 1) / 2;
                if (node.panel != p || node.shape == NodeShape::Switch) continue;
                if (!above || node.row > drawing.chart.nodes[*above].row ||
                    (node.row == drawing.chart.nodes[*above].row &&
                     std::abs(node.column - middle) <
                         std::abs(drawing.chart.nodes[*above].column - middle)))
                    above = n;
            }
            if (above) drawing.link(*above, out, kind);
        }
    }
    if (panels > 1) {
        const int all = g.dims.size() > 2 ? g.dims[2] : panels;
        for (int p = 0; p < panels; ++p)
            drawing.chart.panels.push_back(all > panels
                                               ? text("layer {1} of {2}", count(p + 1), count(all))
                                               : text("layer {1}", count(p + 1)));
    }
}

/// One domain and one switch of each tier that the cluster needs.
void drawCluster(Drawing& drawing, const CandidateView& view, const network::Geometry& g) {
    const machine::SystemSpec& system = view.request->system;
    const long chips = view.request->chips;
    const long domains = std::max(1L, (chips + g.chips - 1) / g.chips);
    const long hosts = domains * g.hosts;
    constexpr double kWide = 5;
    std::size_t below = drawing.node({text("scale-up domain of {1} chips", count(g.chips)),
                                      NodeShape::Domain, 0, 0, kWide, 1, domains, 0});
    if (hosts <= 1 && domains <= 1) return;
    double rate = network::hostBandwidth(system.fabric);
    const std::size_t levels = std::max<std::size_t>(system.fabric.tiers.size(), 1);
    double row = 1.4;
    for (std::size_t t = 0; t < levels; ++t) {
        const bool isKnown = t < system.fabric.tiers.size();
        const machine::ScaleOutTier* tier = isKnown ? &system.fabric.tiers[t] : nullptr;
        const double before = rate;
        if (tier != nullptr && tier->oversubscription > 0) rate /= tier->oversubscription;
        const std::string label =
            t == 0 && rate == before ? network::hostLabel(system) : network::tierLabel(system, t);
        const long joined = tier != nullptr && tier->maxHosts > 0 ? tier->maxHosts : hosts;
        const long times = std::max(1L, (hosts + joined - 1) / joined);
        const std::size_t node =
            drawing.node({tier != nullptr && !tier->name.empty() ? text("{1} tier", tier->name)
                                                                 : text("scale-out network"),
                          NodeShape::Switch, 0, row, kWide, 1, times, 0});
        const std::size_t kind = drawing.kind(label, rate);
        drawing.link(below, node, kind);
        drawing.countLinks(kind, hosts);
        below = node;
        row += 1.4;
        if (times == 1) break;
    }
}

}  // namespace

std::optional<ChartSpec> topologyChart(const CandidateView& view, const search::NetworkStudy& study,
                                       TopologyZoom zoom) {
    const machine::SystemSpec& system = view.request->system;
    std::unique_ptr<const network::SystemGraph> graph;
    try {
        graph = network::buildGraph(system,
                                    layout::ranksPerChip(view.request->profile, system.chip), 1);
    } catch (const std::invalid_argument&) {
        return std::nullopt;
    }
    Drawing drawing(view, study);
    drawing.chart.zoom = zoom;
    switch (zoom) {
        case TopologyZoom::Chip:
            drawChip(drawing, view, *graph);
            break;
        case TopologyZoom::Instance:
        case TopologyZoom::Domain:
            drawDomain(drawing, view, *graph, zoom == TopologyZoom::Domain);
            break;
        case TopologyZoom::Cluster:
            drawCluster(drawing, view, graph->geometry);
            break;
    }
    TopologyChart chart = drawing.take();
    chart.loadMeaning = text(
        "Busy: share of the step in which the link moves bytes for collectives of which it is "
        "the slowest, hidden ones too. Width: rate one way. Dotted: limits "
        "none.");
    ChartSpec spec;
    spec.id = "chart-topology";
    spec.question = text("Which link is full, and because of whom?");
    std::vector<Text> links;
    for (const LinkKind& kind : chart.kinds)
        links.push_back(text("{1} {2}, {3}", kind.name, kind.rate, kind.loadLabel));
    const Text listing = joined(links, "; ");
    const std::vector<LinkLoad> loads = linkLoads(view.result->step, study);
    const auto busiest = std::max_element(
        loads.begin(), loads.end(),
        [](const LinkLoad& a, const LinkLoad& b) { return a.seconds < b.seconds; });
    const double whole = view.result->step.stepTime.value();
    spec.answer = busiest == loads.end() || !(whole > 0)
                      ? text("No two ranks of this layout exchange anything.")
                      : text("{1} is busiest: it moves bytes in {2} of the step, most for {3}.",
                             network::linkText(busiest->label), percent(busiest->seconds / whole),
                             text(busiest->by));
    spec.description = text("Links: {1}.", listing);
    spec.chart = std::move(chart);
    return spec;
}

// ---- fronts and steps -----------------------------------------------------------------------

Text measureLabel(Measure measure) {
    switch (measure) {
        case Measure::Days:
            return text("days");
        case Measure::Cost:
            return text("M USD");
        case Measure::Energy:
            return text("MWh");
        case Measure::Accelerators:
            return text("accelerators");
    }
    return {};
}

namespace {

std::optional<double> valueOf(Measure measure, long chips, const run::RunResult& run) {
    std::optional<double> value;
    switch (measure) {
        case Measure::Days:
            value = run.days;
            break;
        case Measure::Cost:
            if (run.money.total) value = run.money.total->value() / 1e6;
            break;
        case Measure::Energy:
            if (run.energy.energy) value = units::inKilowattHours(*run.energy.energy) / 1e3;
            break;
        case Measure::Accelerators:
            value = static_cast<double>(chips);
            break;
    }
    if (value && (!std::isfinite(*value) || *value < 0)) value.reset();
    return value;
}

std::optional<Whisker> bandOf(Measure measure, const belief::Bands& bands) {
    Whisker band;
    switch (measure) {
        case Measure::Days:
            band = {bands.days.p10, bands.days.p90};
            break;
        case Measure::Cost:
            if (!bands.cost) return std::nullopt;
            band = {bands.cost->p10.value() / 1e6, bands.cost->p90.value() / 1e6};
            break;
        case Measure::Energy:
            if (!bands.energy) return std::nullopt;
            band = {units::inKilowattHours(bands.energy->p10) / 1e3,
                    units::inKilowattHours(bands.energy->p90) / 1e3};
            break;
        case Measure::Accelerators:
            return std::nullopt;
    }
    return std::isfinite(band.high) ? std::optional(band) : std::nullopt;
}

/// The axis of a measure, with the limit that stands on it.
ValueAxis axisOf(Measure measure, const search::Constraints& limits,
                 const std::optional<run::Date>& start) {
    ValueAxis axis;
    axis.label = measureLabel(measure);
    if (measure == Measure::Days && start) {
        axis.label = text("done by");
        axis.dayZero = run::daysSinceEpoch(*start);
        if (limits.finishBy)
            axis.limit = BarMark{
                text("your date {1}", run::isoDate(*limits.finishBy)),
                static_cast<double>(run::daysSinceEpoch(*limits.finishBy) - *axis.dayZero), true};
    }
    if (measure == Measure::Cost && limits.budget)
        axis.limit = BarMark{text("your budget {1}", typedMoney(*limits.budget)),
                             limits.budget->value() / 1e6, true};
    if (measure == Measure::Accelerators && limits.accelerators)
        axis.limit = BarMark{text("your limit {1}", grouped(*limits.accelerators)),
                             static_cast<double>(*limits.accelerators), true};
    if (axis.limit && axis.limit->value < 0) axis.limit.reset();
    return axis;
}

/// How far beyond what is asked for a picture reaches; the table has all.
constexpr double kReach = 2.5;

/// The largest value that a picture shows: of the candidates as asked for and of the limit.
double reachOf(Measure measure, const search::SizeStudy& study, const ValueAxis& axis) {
    double most = axis.limit ? axis.limit->value : 0;
    for (const search::SizedCandidate& sized : study.candidates)
        for (const search::SizePoint& point : sized.points)
            if (point.isAsked)
                most = std::max(most, valueOf(measure, point.chips, point.run).value_or(0));
    return most > 0 ? most * kReach : std::numeric_limits<double>::infinity();
}

Text tipOf(long chips, const run::RunResult& run, const layout::Layout& layout) {
    const std::string cost = run.money.total ? money(*run.money.total) : notKnown();
    return run.finish
               ? text("{1} accelerators, {2} days, done {3}, {4}; {5}", grouped(chips),
                      daysOrNever(run.days), run::isoDate(*run.finish), cost, layoutForm(layout))
               : text("{1} accelerators, {2} days, {3}; {4}", grouped(chips), daysOrNever(run.days),
                      cost, layoutForm(layout));
}

/// Of a family, the points that no other beats on both scales.
std::vector<ScatterFront> frontsOf(const std::vector<ScatterPoint>& points) {
    std::vector<ScatterFront> fronts;
    for (Family family : {Family::Trainium, Family::Gpu, Family::Other}) {
        std::vector<std::size_t> known;
        for (std::size_t i = 0; i < points.size(); ++i)
            if (points[i].family == family && points[i].x && points[i].y) known.push_back(i);
        std::stable_sort(known.begin(), known.end(), [&](std::size_t a, std::size_t b) {
            return std::pair(*points[a].x, *points[a].y) < std::pair(*points[b].x, *points[b].y);
        });
        ScatterFront front{family, {}};
        for (std::size_t i : known)
            if (front.points.empty() || *points[i].y < *points[front.points.back()].y)
                front.points.push_back(i);
        if (!front.points.empty()) fronts.push_back(std::move(front));
    }
    return fronts;
}

Text familyLabel(Family family) {
    switch (family) {
        case Family::Trainium:
            return text("Trainium");
        case Family::Gpu:
            return text("GPU");
        case Family::Other:
            break;
    }
    return text("other");
}

}  // namespace

std::optional<ChartSpec> paretoChart(const search::PlanRequest& request,
                                     const std::vector<CandidateView>& views,
                                     const search::SizeStudy* study, Measure horizontal,
                                     Measure vertical, const std::string& chosen) {
    ScatterChart chart;
    chart.horizontal = axisOf(horizontal, request.constraints, request.start);
    chart.vertical = axisOf(vertical, request.constraints, request.start);
    std::optional<search::SizeAnswer> answer;
    if (study != nullptr) answer = search::answerOf(*study, request.constraints);
    const double right = study != nullptr ? reachOf(horizontal, *study, chart.horizontal) : 0;
    const double above = study != nullptr ? reachOf(vertical, *study, chart.vertical) : 0;
    for (const CandidateView& view : views) {
        if (!view.runs()) continue;
        ScatterPoint point;
        point.label = verbatim(view.request->name);
        point.family = view.family();
        point.x = valueOf(horizontal, view.request->chips, view.result->run);
        point.y = valueOf(vertical, view.request->chips, view.result->run);
        if (view.result->bands) {
            point.xBand = bandOf(horizontal, *view.result->bands);
            point.yBand = bandOf(vertical, *view.result->bands);
        }
        point.isLabelled = true;
        point.isChosen = view.request->name == chosen;
        point.meetsLimits = view.result->meetsConstraints;
        point.tip = tipOf(view.request->chips, view.result->run, view.result->layout);
        point.key = candidateKey(view.request->name);
        chart.points.push_back(std::move(point));
        if (study == nullptr) continue;
        for (std::size_t c = 0; c < study->candidates.size(); ++c) {
            const search::SizedCandidate& sized = study->candidates[c];
            if (sized.name != view.request->name) continue;
            for (std::size_t p = 0; p < sized.points.size(); ++p) {
                const search::SizePoint& size = sized.points[p];
                if (size.isAsked) continue;
                ScatterPoint other;
                other.label = text("{1}, {2} accelerators", sized.name, grouped(size.chips));
                other.family = view.family();
                other.x = valueOf(horizontal, size.chips, size.run);
                other.y = valueOf(vertical, size.chips, size.run);
                // Without a price once is enough.
                if (!other.x || !other.y || *other.x > right || *other.y > above) continue;
                other.meetsLimits = answer->overruns[c][p].empty();
                other.tip = tipOf(size.chips, size.run, size.layout);
                other.key = sizeKey(sized.name, size.chips);
                chart.points.push_back(std::move(other));
            }
        }
    }
    if (chart.points.empty() || horizontal == vertical) return std::nullopt;
    chart.fronts = frontsOf(chart.points);
    for (const ScatterPoint& point : chart.points)
        if (std::none_of(chart.legend.begin(), chart.legend.end(),
                         [&](const auto& entry) { return entry.first == point.family; }))
            chart.legend.emplace_back(point.family, familyLabel(point.family));
    chart.better = text("lower left is better");
    if (chart.horizontal.limit || chart.vertical.limit)
        chart.feasibleLabel = text("within your limits");
    ChartSpec spec;
    spec.id = "chart-pareto";
    spec.question = text("What do I give up to be faster or cheaper?");
    std::vector<Text> listing;
    for (const ScatterPoint& point : chart.points)
        if (point.isLabelled) listing.push_back(text("{1}: {2}", point.label, point.tip));
    spec.answer = study != nullptr
                      ? text(
                            "Each candidate as asked for, named, and at other sizes; hollow ones "
                            "miss a limit.")
                      : text("Each candidate as asked for; hollow ones miss a limit.");
    spec.description = text("{1}.", joined(listing, "; "));
    spec.chart = std::move(chart);
    return spec;
}

std::optional<ChartSpec> deadlineChart(const search::PlanRequest& request,
                                       const search::SizeStudy& study,
                                       const search::Constraints& limits,
                                       const search::SizeAnswer& answer, Measure vertical) {
    StepsChart chart;
    chart.horizontal = axisOf(Measure::Days, limits, study.start);
    chart.vertical = axisOf(vertical, limits, study.start);
    const double right = reachOf(Measure::Days, study, chart.horizontal);
    const double above = reachOf(vertical, study, chart.vertical);
    std::map<Family, int> dashes;
    for (std::size_t c = 0; c < study.candidates.size(); ++c) {
        const search::SizedCandidate& sized = study.candidates[c];
        const search::CandidateRequest& asked = request.candidates[sized.candidate];
        StepsSeries series;
        series.label = verbatim(sized.name);
        series.family = familyFromName(asked.system.chip.family);
        std::vector<std::size_t> order;
        for (std::size_t p = 0; p < sized.points.size(); ++p)
            if (valueOf(vertical, sized.points[p].chips, sized.points[p].run)) order.push_back(p);
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return sized.points[a].run.days < sized.points[b].run.days;
        });
        for (std::size_t p : order) {
            const search::SizePoint& point = sized.points[p];
            const double y = *valueOf(vertical, point.chips, point.run);
            if (point.run.days > right || y > above) continue;
            if (!series.points.empty() && !(y < series.points.back().y)) continue;
            series.points.push_back({point.run.days, y, answer.overruns[c][p].empty(),
                                     tipOf(point.chips, point.run, point.layout),
                                     sizeKey(sized.name, point.chips)});
        }
        if (series.points.empty()) continue;
        const bool isSold = asked.price.maxUnits > 0 && asked.portions.empty();
        const bool isOver = std::any_of(sized.points.begin(), sized.points.end(),
                                        [](const auto& p) { return p.unitsOverPlan > 0; });
        if (isSold && isOver)
            series.end =
                text("{1}: {2} units are sold at most", sized.name, count(asked.price.maxUnits));
        else if (!sized.doesNotFit.empty() && sized.doesNotFit.back() > sized.points.back().chips)
            series.end = text("{1}: larger ones have no layout that fits", sized.name);
        series.dash = dashes[series.family]++;
        chart.series.push_back(std::move(series));
    }
    if (chart.series.empty()) return std::nullopt;
    if (chart.horizontal.limit) chart.beyond = text("shaded: too late, or past the other limit");
    ChartSpec spec;
    spec.id = "chart-deadline";
    spec.question = text("How small can I go, and what does a week cost?");
    spec.answer = text(
        "The least that is done by each date, of the sizes looked at; hollow steps "
        "pass a limit.");
    std::vector<Text> listing;
    for (const StepsSeries& series : chart.series)
        listing.push_back(text("{1}: from {2} to {3} {4}", series.label,
                               estimate(series.points.back().y), estimate(series.points.front().y),
                               chart.vertical.label));
    spec.description = text("{1}.", joined(listing, "; "));
    spec.chart = std::move(chart);
    return spec;
}

}  // namespace trainwright::reports
