// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "reports/json_text.h"
#include "reports/validation_report.h"
#include "reports/validation_view.h"

namespace trainwright::reports {
namespace {

using belief::ErrorSummary;
using belief::RunError;
using belief::RunErrors;

// To a hundredth of a percent: what runs of one machine differ by is far more.
double percentOf(double share) {
    return std::round(share * 1e4) / 100;
}

Json percentOrNull(const std::optional<double>& share) {
    return share ? Json(percentOf(*share)) : Json();
}

// Six significant digits.
double shortened(double value) {
    if (value == 0) return 0;
    const double scale = std::pow(10.0, 5 - std::floor(std::log10(std::abs(value))));
    return std::round(value * scale) / scale;
}

Json bytesOrNull(const std::optional<double>& bytes) {
    return bytes ? Json(std::round(*bytes)) : Json();
}

Json rowOf(const RunError& r) {
    const bool compared = r.isCompared();
    Json j = {{"run_id", r.id},
              {"accelerator", r.accelerator},
              {"metric", compared ? Json(r.metric) : Json()},
              {"measured", compared ? Json(shortened(r.measuredSeconds)) : Json()},
              {"predicted", compared ? Json(shortened(r.predictedSeconds)) : Json()},
              {"unit", "s"},
              {"error_pct", compared ? Json(percentOf(r.error())) : Json()},
              {"grade", compared ? Json(belief::name(r.grade)) : Json()},
              {"skipped", compared ? Json() : Json(r.skipped.english())},
              {"source", r.source},
              {"model", r.model},
              {"software", compared ? Json(r.software) : Json()},
              {"layout", compared ? Json(r.layout) : Json()},
              {"over_memory", compared ? Json(r.overMemory) : Json()},
              {"measured_memory_bytes", bytesOrNull(r.measuredMemoryBytes)},
              {"predicted_memory_bytes", bytesOrNull(r.predictedMemoryBytes)},
              {"memory_error_pct", percentOrNull(r.memoryError())}};
    if (r.errorUncalibrated) {
        j["error_uncalibrated_pct"] = percentOrNull(r.errorUncalibrated);
        j["error_group_left_out_pct"] = percentOrNull(r.errorGroupLeftOut);
        j["error_source_left_out_pct"] = percentOrNull(r.errorSourceLeftOut);
        j["inside_p10_p90"] = r.insideBand ? Json(*r.insideBand) : Json();
    }
    return j;
}

Json summaryOf(const ErrorSummary& s) {
    const auto orNull = [&](double share) { return s.rows > 0 ? Json(percentOf(share)) : Json(); };
    return {{"n", s.rows},
            {"skipped", s.skipped},
            {"median_abs_error_pct", orNull(s.medianAbsolute)},
            {"mean_abs_error_pct", orNull(s.meanAbsolute)},
            {"p90_abs_error_pct", orNull(s.p90Absolute)},
            {"mean_error_pct", orNull(s.meanError)}};
}

Json summaryOf(const RunErrors& errors) {
    Json j = summaryOf(errors.summary);
    j["by_accelerator"] = Json::object();
    for (const auto& [name, s] : errors.byAccelerator) j["by_accelerator"][name] = summaryOf(s);
    j["by_source"] = Json::object();
    for (const auto& [name, s] : errors.bySource) j["by_source"][name] = summaryOf(s);
    j["memory"] = summaryOf(errors.memory);
    j["choice"] = {{"jobs", errors.choice.jobs.size()},
                   {"within_5_pct", errors.choice.goodEnough},
                   {"mean_lost_pct", errors.choice.jobs.empty()
                                         ? Json()
                                         : Json(percentOf(errors.choice.meanLost))}};
    j["choice"]["by_job"] = Json::array();
    for (const belief::ChoiceSummary::Job& job : errors.choice.jobs)
        j["choice"]["by_job"].push_back({{"chosen", job.chosen},
                                         {"best", job.best},
                                         {"layouts", job.layouts},
                                         {"lost_pct", percentOf(job.lost)}});
    return j;
}

Json fitOf(const ErrorSummary& s) {
    if (s.rows == 0) return {};
    return {{"n", s.rows},
            {"median_abs_error_pct", percentOf(s.medianAbsolute)},
            {"mean_abs_error_pct", percentOf(s.meanAbsolute)},
            {"p90_abs_error_pct", percentOf(s.p90Absolute)}};
}

Json fitsOf(const FitErrors& e) {
    return {{"n", e.rows},
            {"uncalibrated", fitOf(e.uncalibrated)},
            {"in_sample", fitOf(e.fitted)},
            {"group_left_out", fitOf(e.groupLeftOut)},
            {"source_left_out", fitOf(e.sourceLeftOut)}};
}

// Keyed by accelerator or source.
Json fitsBy(const std::vector<RunErrors>& errors, Grouping grouping) {
    Json j = Json::object();
    for (const FitErrors& e : fitErrors(errors, grouping)) j[e.name.english()] = fitsOf(e);
    return j;
}

void addContext(Json& j, const ValidationContext& context) {
    j["runs"] = context.runsTitle;
    j["calibration"] = context.calibrationTitle;
    j["program_version"] = context.programVersion;
    j["catalog_hash"] = context.catalogHash;
    j["command"] = context.command;
}

Json rowsOf(const RunErrors& errors) {
    Json rows = Json::array();
    for (const RunError& r : errors.rows) rows.push_back(rowOf(r));
    return rows;
}

}  // namespace

std::string validationJson(const RunErrors& errors, const ValidationContext& context) {
    Json j = {{"schema", "trainwright/validate/1"}};
    addContext(j, context);
    j["rows"] = rowsOf(errors);
    j["summary"] = summaryOf(errors);
    return jsonText(j) + "\n";
}

std::string calibrationJson(const belief::Calibration& c, const std::vector<RunErrors>& errors,
                            double coverage, const ValidationContext& context) {
    Json j = {{"schema", "trainwright/calibrate/1"}};
    addContext(j, context);
    j["id"] = c.id;
    j["date"] = c.date;
    j["hash"] = c.hash;
    j["run_sets"] = Json::array();
    for (const belief::RunSet& s : c.runSets)
        j["run_sets"].push_back({{"title", s.title}, {"hash", s.hash}, {"rows", s.rows}});
    j["factors"] = Json::array();
    for (const belief::Factor& f : c.factors)
        j["factors"].push_back({{"figure", belief::name(f.physics)},
                                {"of", f.subject},
                                {"factor", shortened(std::exp(f.logFactor))},
                                {"log_factor", f.logFactor},
                                {"standard_error", f.standardError},
                                {"standard_error_pct", percentOf(f.standardError)},
                                {"rows", f.rows}});
    j["residual_log_deviation"] = {
        {"A", c.residual[0]}, {"B", c.residual[1]}, {"C", c.residual[2]}};
    j["p10_p90_coverage_pct"] = percentOf(coverage);
    const std::vector<FitErrors> all = fitErrors(errors, Grouping::All);
    j["errors"] = all.empty() ? fitsOf({}) : fitsOf(all.front());
    j["errors"]["by_accelerator"] = fitsBy(errors, Grouping::Accelerator);
    j["errors"]["by_source"] = fitsBy(errors, Grouping::Source);
    j["sets"] = Json::array();
    // The sets fitted now stand behind those of the calibration that they were fitted on top of.
    const std::size_t before = c.runSets.size() - std::min(c.runSets.size(), errors.size());
    for (std::size_t s = 0; s < errors.size(); ++s) {
        j["sets"].push_back(
            {{"title",
              before + s < c.runSets.size() ? Json(c.runSets[before + s].title) : Json(nullptr)},
             {"rows", rowsOf(errors[s])},
             {"summary", summaryOf(errors[s])}});
    }
    return jsonText(j) + "\n";
}

}  // namespace trainwright::reports
