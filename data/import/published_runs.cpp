// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/published_runs.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>

namespace trainwright::import {

namespace {

// A field that holds one number; "fsdp64" or "1/3" is none.
std::optional<double> number(const std::string& text) {
    double v = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(v))
        return std::nullopt;
    return v;
}

class Reader {
public:
    Reader(const catalog::CsvTable& table, std::vector<Finding>& findings)
        : table_(table), findings_(findings) {
        for (std::size_t i = 0; i < table.header.size(); ++i) columns_.emplace(table.header[i], i);
    }

    bool has(const char* column) const { return columns_.count(column) > 0; }

    std::string text(const catalog::CsvRow& row, const char* column) const {
        const auto found = columns_.find(column);
        return found == columns_.end() ? std::string() : row.fields[found->second];
    }

    std::optional<double> value(const catalog::CsvRow& row, const char* column, PublishedRun& run) {
        const std::string field = text(row, column);
        if (field.empty()) return std::nullopt;
        const std::optional<double> v = number(field);
        if (!v) {
            run.unread.emplace_back(column, field);
            findings_.push_back({Severity::Warning,
                                 {"`{1}` in column {2} isn't a number.", {field, column}},
                                 {table_.file, row.line, 0, column}});
        }
        return v;
    }

private:
    const catalog::CsvTable& table_;
    std::vector<Finding>& findings_;
    std::map<std::string, std::size_t> columns_;
};

}  // namespace

Outcome<std::vector<PublishedRun>> readRuns(const std::string& text, const std::string& file) {
    const Outcome<catalog::CsvTable> table = catalog::readCsv(text, file);
    if (!table.ok()) return table.findings();
    return readRuns(*table);
}

Outcome<std::vector<PublishedRun>> readRuns(const catalog::CsvTable& table) {
    std::vector<Finding> findings;
    Reader r(table, findings);
    for (const char* column : {"run_id", "workload", "model", "accelerator", "n_accel"}) {
        if (!r.has(column)) {
            findings.push_back({Severity::Error,
                                {"There is no column `{1}`; a table of runs needs it.", {column}},
                                {table.file, 1, 0, column}});
        }
    }
    if (!findings.empty()) return findings;
    std::vector<PublishedRun> runs;
    for (const catalog::CsvRow& row : table.rows) {
        PublishedRun p;
        p.line = row.line;
        p.id = r.text(row, "run_id");
        p.source = r.text(row, "source_title");
        p.reference = r.text(row, "source_ref");
        p.workload = r.text(row, "workload");
        p.model = r.text(row, "model");
        p.attention = r.text(row, "attention");
        p.accelerator = r.text(row, "accelerator");
        p.system = r.text(row, "instance_or_system");
        p.dtype = r.text(row, "dtype");
        p.sharding = r.text(row, "zero_or_fsdp");
        p.sequenceParallel = r.text(row, "sequence_parallel");
        p.recompute = r.text(row, "recompute");
        p.framework = r.text(row, "framework");
        p.notes = r.text(row, "notes");
        const std::pair<const char*, std::optional<double> PublishedRun::*> numbers[] = {
            {"year", &PublishedRun::year},
            {"params_b", &PublishedRun::parametersBillion},
            {"layers", &PublishedRun::layers},
            {"hidden", &PublishedRun::hidden},
            {"heads", &PublishedRun::heads},
            {"kv_heads", &PublishedRun::keyValueHeads},
            {"ffn", &PublishedRun::ffn},
            {"vocab", &PublishedRun::vocabulary},
            {"seq_len", &PublishedRun::sequenceLength},
            {"experts", &PublishedRun::experts},
            {"experts_active", &PublishedRun::expertsActive},
            {"n_accel", &PublishedRun::accelerators},
            {"global_batch_seqs", &PublishedRun::globalBatch},
            {"micro_batch", &PublishedRun::microBatch},
            {"tp", &PublishedRun::tensor},
            {"pp", &PublishedRun::pipeline},
            {"vpp", &PublishedRun::virtualStages},
            {"cp", &PublishedRun::context},
            {"ep", &PublishedRun::expert},
            {"dp", &PublishedRun::data},
            {"step_time_s", &PublishedRun::stepTimeSeconds},
            {"tokens_per_s_per_accel", &PublishedRun::tokensPerSecond},
            {"tflops_per_accel", &PublishedRun::teraflops},
            {"mfu_pct", &PublishedRun::mfuPercent},
            {"hfu_pct", &PublishedRun::hfuPercent},
            {"memory_gb_per_accel", &PublishedRun::memoryGigabytes}};
        for (const auto& [column, member] : numbers) p.*member = r.value(row, column, p);
        runs.push_back(std::move(p));
    }
    return {std::move(runs), std::move(findings)};
}

}  // namespace trainwright::import
