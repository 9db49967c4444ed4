// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <tuple>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "app/output_file.h"
#include "app/sweep/axis.h"
#include "app/sweep/ordered_rows.h"
#include "app/sweep/scenario_template.h"
#include "app/terminal.h"
#include "data/scenario/scenario.h"
#include "model/network/network.h"
#include "model/units/text_quantity.h"
#include "reports/sweep_writer.h"

namespace trainwright::app {
namespace {

namespace fs = std::filesystem;

constexpr double kMostRows = 1e12;

/// Networks of the clusters that rows share; their collectives are routed once.
class NetworkShelf {
public:
    std::shared_ptr<const network::Network> get(std::size_t candidate,
                                                const machine::SystemSpec& system, long chips,
                                                int ranksPerChip) {
        const std::tuple key(candidate, chips, ranksPerChip);
        const std::scoped_lock lock(mutex_);
        const auto found = kept_.find(key);
        if (found != kept_.end()) {
            return found->second;
        }
        if (kept_.size() >= kMost) {
            kept_.clear();
        }
        return kept_
            .emplace(key, std::make_shared<const network::Network>(system, chips, ranksPerChip))
            .first->second;
    }

private:
    static constexpr std::size_t kMost = 256;
    std::mutex mutex_;
    std::map<std::tuple<std::size_t, long, int>, std::shared_ptr<const network::Network>> kept_;
};

/// Findings of one value, as a scenario with only that value in it has them.
class ValueCheck {
public:
    ValueCheck(const std::vector<Axis>& axes, const ScenarioTemplate& scenario)
        : axes_(axes), scenario_(scenario) {}

    std::vector<Finding> check() const {
        std::vector<Finding> findings;
        for (std::size_t i = 0; i < axes_.size(); ++i) {
            for (const AxisValue& value : axes_[i].extremes()) {
                ofValue(i, value, findings);
            }
        }
        return findings;
    }

private:
    void ofValue(std::size_t axis, const AxisValue& value, std::vector<Finding>& findings) const {
        std::vector<AxisValue> values;
        for (const Axis& each : axes_) {
            values.push_back(each.value(0));
        }
        values[axis] = value;
        const scenario::Parameter& p = axes_[axis].parameter();
        const Outcome<scenario::Scenario> read =
            scenario::read(scenario_.fill(0, values), std::string());
        for (const Finding& finding : read.findings()) {
            if (withoutIndices(finding.place.key) != p.key) {
                continue;
            }
            // What a value says of other values may be right in the next row.
            if (finding.severity == Severity::Error && value.number && isWithin(p, *value.number)) {
                continue;
            }
            findings.push_back({finding.severity, finding.text, axes_[axis].placeOf(value)});
        }
    }

    static bool isWithin(const scenario::Parameter& p, double number) {
        if (p.kind == scenario::ValueKind::Batch) {
            return number >= 1;
        }
        return number <= p.maximum &&
               (p.minimumExcluded ? number > p.minimum : number >= p.minimum);
    }

    /// "candidates[0].system" -> "candidates[].system"
    static std::string withoutIndices(const std::string& path) {
        std::string out;
        bool isInside = false;
        for (const char c : path) {
            if (!isInside || c == ']') {
                out += c;
            }
            isInside = c == '[' || (isInside && c != ']');
        }
        return out;
    }

    const std::vector<Axis>& axes_;
    const ScenarioTemplate& scenario_;
};

/// The rows of a sweep, each made as `plan` makes a candidate's result.
class Sweep {
public:
    Sweep(const SweepOptions& options, const PreparedScenario& scenario,
          std::vector<std::size_t> candidates, std::vector<Axis> axes, ScenarioTemplate text,
          reports::RowFormat format)
        : options_(options),
          scenario_(scenario),
          candidates_(std::move(candidates)),
          axes_(std::move(axes)),
          text_(std::move(text)),
          writer_(format, columns(axes_)) {
        const bool changesSystems = std::any_of(axes_.begin(), axes_.end(), [](const Axis& axis) {
            return axis.parameter().key.starts_with("overrides");
        });
        keepsNetworks_ = !changesSystems;
        rows_ = static_cast<long>(candidates_.size());
        for (const Axis& axis : axes_) {
            rows_ *= axis.size();
        }
    }

    [[nodiscard]] long rows() const { return rows_; }

    ExitCode run(GrowingOutput& output, bool showsProgress) {
        const int wanted =
            options_.search.threads > 0
                ? options_.search.threads
                : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        OrderedRows work;
        work.count = rows_;
        work.threads = static_cast<int>(std::min<long>(wanted, rows_));
        searchThreads_ = std::max(1, wanted / work.threads);
        catalogs_.resize(static_cast<std::size_t>(work.threads));
        work.make = [this](int worker, long row) { return make(worker, row); };
        std::optional<ProgressLine> progress;
        if (showsProgress) {
            progress.emplace("sweeping");
        }
        work.take = [&](const std::string& rows, long taken) {
            if (progress) {
                progress->show(static_cast<double>(taken) / static_cast<double>(rows_));
            }
            return output.add(rows);
        };
        work.isStopped = isInterrupted;
        if (!output.add(writer_.header())) {
            return ended(output, 0);
        }
        const long taken = work.run();
        progress.reset();
        return ended(output, taken);
    }

private:
    static std::vector<std::string> columns(const std::vector<Axis>& axes) {
        std::vector<std::string> names;
        for (const Axis& axis : axes) {
            names.push_back(axis.column());
        }
        return names;
    }

    ExitCode ended(const GrowingOutput& output, long taken) const {
        if (output.problem()) {
            say(*output.problem());
            return ExitCode::BadInput;
        }
        if (isInterrupted() && taken < rows_) {
            fmt::print(stderr, "Interrupted; {} of {} rows are written.\n",
                       units::groupedNumber(static_cast<double>(taken)),
                       units::groupedNumber(static_cast<double>(rows_)));
            return ExitCode::Interrupted;
        }
        if (taken == rows_ && !anyFeasible_) {
            fmt::print(stderr, "{}: No candidate can be run; the reasons are given with each.\n",
                       scenario_.context.scenarioFile);
            return ExitCode::Infeasible;
        }
        return ExitCode::Done;
    }

    std::optional<std::string> make(int worker, long row) {
        const auto candidate = static_cast<std::size_t>(row) % candidates_.size();
        long point = row / static_cast<long>(candidates_.size());
        std::vector<AxisValue> values(axes_.size());
        for (std::size_t i = axes_.size(); i-- > 0;) {
            values[i] = axes_[i].value(point % axes_[i].size());
            point /= axes_[i].size();
        }
        std::optional<catalog::Catalog>& catalog = catalogs_[static_cast<std::size_t>(worker)];
        if (!catalog) {
            Outcome<catalog::Catalog> opened = openCatalog(options_.catalog, options_.calibration);
            if (!opened) {
                throw std::runtime_error(opened.findings().front().english());
            }
            catalog = std::move(opened).value();
        }
        const Outcome<scenario::Loaded> loaded =
            scenario::load(text_.fill(candidate, values), scenario_.context.scenarioFile, *catalog,
                           scenario::FigureNotes::LeftOut);
        if (!loaded) {
            return refused(values, candidates_[candidate], loaded.findings());
        }
        search::SearchOptions options;
        options.threads = searchThreads_;
        options.exhaustive = options_.search.exhaustive;
        options.cancelled = isInterrupted;
        options.advise = false;
        options.bands = false;
        if (keepsNetworks_) {
            options.network = [this, candidate](const machine::SystemSpec& system, long chips,
                                                int ranksPerChip) {
                return networks_.get(candidate, system, chips, ranksPerChip);
            };
        }
        search::CandidateResult result =
            search::evaluateCandidate(loaded->request, loaded->request.candidates.front(), options);
        if (isInterrupted()) {
            return std::nullopt;
        }
        if (result.feasible) {
            anyFeasible_ = true;
        }
        // Other layouts have no columns; putting them into words would take most of a row's time.
        result.alternatives.clear();
        result.front.clear();
        return writer_.row(sweptValues(values, loaded->request), loaded->request, result);
    }

    std::string refused(const std::vector<AxisValue>& values, std::size_t candidate,
                        const std::vector<Finding>& findings) const {
        std::vector<Text> reasons;
        for (const Finding& finding : findings) {
            if (finding.severity == Severity::Error) {
                reasons.push_back(finding.text);
            }
        }
        const search::CandidateRequest& asked = scenario_.request.candidates[candidate];
        return writer_.refusedRow(sweptValues(values, {}), asked.name, asked.system.id, reasons);
    }

    [[nodiscard]] std::vector<reports::SweptValue> sweptValues(
        const std::vector<AxisValue>& values, const search::PlanRequest& request) const {
        std::vector<reports::SweptValue> out;
        for (std::size_t i = 0; i < values.size(); ++i) {
            reports::SweptValue value{values[i].number, values[i].text};
            const scenario::Parameter& p = axes_[i].parameter();
            if (p.kind == scenario::ValueKind::Batch) {
                // In sequences, whichever unit it is written in; not known until it is read.
                const long sequences = request.training.globalBatchSequences;
                value.number = sequences > 0 ? std::optional<double>(static_cast<double>(sequences))
                                             : std::nullopt;
            } else if (p.quantity == units::QuantityKind::HourlyPrice && value.number) {
                value.number = units::inUsDollarsPerHour(units::UsDollarsPerSecond(*value.number));
            }
            out.push_back(std::move(value));
        }
        return out;
    }

    const SweepOptions& options_;
    const PreparedScenario& scenario_;
    std::vector<std::size_t> candidates_;
    std::vector<Axis> axes_;
    ScenarioTemplate text_;
    reports::SweepWriter writer_;
    long rows_ = 0;
    int searchThreads_ = 1;
    bool keepsNetworks_ = true;
    NetworkShelf networks_;
    std::vector<std::optional<catalog::Catalog>> catalogs_;  ///< one a thread
    std::atomic<bool> anyFeasible_{false};
};

Outcome<std::vector<Axis>> parseAxes(const SweepOptions& options) {
    std::vector<Axis> axes;
    std::vector<Finding> findings;
    for (const std::string& option : options.over) {
        Outcome<Axis> axis = Axis::parse(option);
        if (axis) {
            axes.push_back(std::move(axis).value());
        } else {
            findings.insert(findings.end(), axis.findings().begin(), axis.findings().end());
        }
    }
    if (!findings.empty()) {
        return findings;
    }
    return axes;
}

/// Why rows can't go to the file that is asked for.
std::optional<Finding> outputProblem(const SweepOptions& options) {
    if (options.output.empty()) {
        return std::nullopt;
    }
    std::error_code ignored;
    if (fs::equivalent(options.output, options.scenario, ignored)) {
        return Finding{Severity::Error,
                       Text{"This is the scenario itself; the rows need another name.", {}},
                       Place{options.output, 0, 0, {}}};
    }
    return checkWritable(options.output);
}

Outcome<std::vector<std::size_t>> chooseCandidates(const SweepOptions& options,
                                                   const PreparedScenario& scenario) {
    std::vector<std::size_t> chosen;
    std::vector<Finding> findings;
    for (const std::string& name : options.candidates) {
        const Outcome<std::size_t> index = candidateIndex(scenario, name);
        if (index) {
            chosen.push_back(*index);
        } else {
            findings.insert(findings.end(), index.findings().begin(), index.findings().end());
        }
    }
    if (!findings.empty()) {
        return findings;
    }
    if (chosen.empty()) {
        for (std::size_t i = 0; i < scenario.request.candidates.size(); ++i) {
            chosen.push_back(i);
        }
    }
    return chosen;
}

}  // namespace

ExitCode sweep(const SweepOptions& options) {
    Outcome<std::vector<Axis>> axes = parseAxes(options);
    if (!axes) {
        say(axes.findings());
        return ExitCode::BadInput;
    }
    if (const auto problem = outputProblem(options)) {
        say(*problem);
        return ExitCode::BadInput;
    }
    const Outcome<PreparedScenario> scenario =
        prepare(options.scenario, options.catalog, options.calibration);
    if (!scenario) {
        say(scenario.findings());
        return ExitCode::BadInput;
    }
    Outcome<std::vector<std::size_t>> candidates = chooseCandidates(options, *scenario);
    if (!candidates) {
        say(candidates.findings());
        return ExitCode::BadInput;
    }
    Outcome<ScenarioTemplate> text =
        ScenarioTemplate::make(scenario->text, scenario->context.scenarioFile, *axes, *candidates);
    if (!text) {
        say(text.findings());
        return ExitCode::BadInput;
    }
    const std::vector<Finding> ofValues = ValueCheck(*axes, *text).check();
    say(ofValues);
    if (hasErrors(ofValues)) {
        return ExitCode::BadInput;
    }
    double rows = static_cast<double>(candidates->size());
    for (const Axis& axis : *axes) {
        rows *= static_cast<double>(axis.size());
    }
    if (rows > kMostRows) {
        fmt::print(stderr, "The axes make {} rows; {} is the most that one sweep has.\n",
                   units::groupedNumber(rows), units::groupedNumber(kMostRows));
        return ExitCode::BadInput;
    }

    watchInterrupts();
    Outcome<GrowingOutput> output = GrowingOutput::open(options.output);
    if (!output) {
        say(output.findings());
        return ExitCode::BadInput;
    }
    Sweep sweep(
        options, *scenario, std::move(candidates).value(), std::move(axes).value(),
        std::move(text).value(),
        options.format == "jsonl" ? reports::RowFormat::JsonLines : reports::RowFormat::Csv);
    return sweep.run(output.value(), !options.output.empty() || !outputIsTerminal());
}

}  // namespace trainwright::app
