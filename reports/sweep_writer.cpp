// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/sweep_writer.h"

#include <algorithm>

#include "reports/candidate_json.h"

namespace trainwright::reports {
namespace {

struct NamedPlace {
    const char* name;
    const char* place;
};

constexpr NamedPlace kColumns[] = {
    {"candidate", "/name"},
    {"system", "/system"},
    {"accelerators", "/accelerators"},
    {"instances", "/instances"},
    {"region", "/region"},
    {"profile", "/profile"},
    {"feasible", "/feasible"},
    {"meets_constraints", "/meets_constraints"},
    {"step_time_s", "/step_time_s"},
    {"tokens_per_s", "/tokens_per_s"},
    {"mfu_model", "/mfu_model"},
    {"mfu_palm", "/mfu_palm"},
    {"hfu", "/hfu"},
    {"days", "/days"},
    {"finish", "/finish"},
    {"goodput", "/goodput"},
    {"cost_usd", "/cost_usd/total"},
    {"energy_kwh", "/energy_kwh"},
    {"average_power_w", "/average_power_w"},
    {"peak_power_w", "/peak_power_w"},
    {"co2_kg", "/co2_kg"},
    {"memory_peak_bytes", "/memory/peak_bytes"},
    {"memory_usable_bytes", "/memory/usable_bytes"},
    {"tensor_parallel", "/layout/tensor_parallel"},
    {"sequence_parallel", "/layout/sequence_parallel"},
    {"pipeline_parallel", "/layout/pipeline_parallel"},
    {"virtual_stages", "/layout/virtual_stages"},
    {"context_parallel", "/layout/context_parallel"},
    {"expert_parallel", "/layout/expert_parallel"},
    {"expert_tensor_parallel", "/layout/expert_tensor_parallel"},
    {"data_parallel", "/layout/data_parallel"},
    {"shard_degree", "/layout/shard_degree"},
    {"micro_batch", "/layout/micro_batch"},
    {"micro_batches", "/layout/micro_batches"},
    {"sharding", "/layout/sharding"},
    {"recompute", "/layout/recompute"},
    {"recompute_groups", "/layout/recompute_groups"},
    {"recompute_every", "/layout/recompute_every"},
    {"schedule", "/layout/schedule"},
    {"offload", "/layout/offload"},
    {"time_compute_s", "/time_breakdown_s/compute"},
    {"time_memory_s", "/time_breakdown_s/memory"},
    {"time_tensor_s", "/time_breakdown_s/tensor"},
    {"time_context_s", "/time_breakdown_s/context"},
    {"time_expert_s", "/time_breakdown_s/expert"},
    {"time_bubble_s", "/time_breakdown_s/bubble"},
    {"time_pipeline_s", "/time_breakdown_s/pipeline"},
    {"time_data_s", "/time_breakdown_s/data"},
    {"time_recompute_s", "/time_breakdown_s/recompute"},
    {"time_optimizer_s", "/time_breakdown_s/optimizer"},
    {"time_other_s", "/time_breakdown_s/other"},
    {"hidden_communication_s", "/hidden_communication_s"},
    {"grade", "/grade"},
    {"layouts_evaluated", "/search/layouts_evaluated"},
    {"layouts_feasible", "/search/layouts_feasible"},
    {"layouts_pruned", "/search/layouts_pruned"},
    {"bottleneck", "/bottleneck"},
    {"reasons", "/reasons"},
};

/// As RFC 4180 has it.
std::string csvCell(const std::string& text) {
    if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
    std::string out = "\"";
    for (char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
    return out + "\"";
}

std::string csvCell(const Json& value) {
    if (value.is_null()) return {};
    if (value.is_string()) return csvCell(value.get_ref<const std::string&>());
    if (value.is_array()) {  // of sentences or words
        std::string sentences;
        for (const Json& one : value)
            sentences += (sentences.empty() ? "" : " ") + one.get_ref<const std::string&>();
        return csvCell(sentences);
    }
    return jsonLine(value);
}

Json sweptJson(const SweptValue& value) {
    return value.number ? Json(*value.number) : Json(value.word);
}

}  // namespace

std::vector<SweepColumn> sweepColumns() {
    std::vector<SweepColumn> out;
    for (const NamedPlace& column : kColumns) out.push_back({column.name, column.place});
    return out;
}

SweepWriter::SweepWriter(RowFormat format, std::vector<std::string> sweptColumns)
    : format_(format), sweptColumns_(std::move(sweptColumns)) {
    for (const NamedPlace& column : kColumns)
        if (std::find(sweptColumns_.begin(), sweptColumns_.end(), column.name) ==
            sweptColumns_.end())
            columns_.push_back({column.name, Json::json_pointer(column.place)});
}

std::string SweepWriter::header() const {
    if (format_ == RowFormat::JsonLines) return {};
    std::string names;
    for (const std::string& name : sweptColumns_) names += csvCell(name) + ",";
    for (const Column& column : columns_) names += column.name + ",";
    names.back() = '\n';
    return names;
}

std::string SweepWriter::line(const std::vector<SweptValue>& swept, const Json& candidate) const {
    static const Json kNull;
    const auto valueOf = [&](const Column& column) -> const Json& {
        return candidate.contains(column.place) ? candidate.at(column.place) : kNull;
    };
    if (format_ == RowFormat::Csv) {
        std::string cells;
        for (const SweptValue& value : swept) cells += csvCell(sweptJson(value)) + ",";
        for (const Column& column : columns_) cells += csvCell(valueOf(column)) + ",";
        cells.back() = '\n';
        return cells;
    }
    Json row;
    for (std::size_t i = 0; i < swept.size(); ++i) row[sweptColumns_[i]] = sweptJson(swept[i]);
    for (const Column& column : columns_) row[column.name] = valueOf(column);
    return jsonLine(row) + "\n";
}

std::string SweepWriter::row(const std::vector<SweptValue>& swept,
                             const search::PlanRequest& request,
                             const search::CandidateResult& result) const {
    const std::optional<CandidateView> view = candidateView(request, result);
    return line(swept, view ? candidateJson(*view, false) : Json{{"name", result.name}});
}

std::string SweepWriter::refusedRow(const std::vector<SweptValue>& swept,
                                    const std::string& candidate, const std::string& system,
                                    const std::vector<Text>& reasons) const {
    Json all{{"name", candidate}, {"system", system}, {"feasible", false}};
    all["reasons"] = Json::array();
    for (const Text& reason : reasons) all["reasons"].push_back(reason.english());
    return line(swept, all);
}

}  // namespace trainwright::reports
