// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/run_columns.h"

namespace trainwright::catalog {

const std::vector<std::string>& runColumns() {
    static const std::vector<std::string> columns = {"run_id",
                                                     "source_title",
                                                     "source_ref",
                                                     "year",
                                                     "workload",
                                                     "model",
                                                     "params_b",
                                                     "layers",
                                                     "hidden",
                                                     "heads",
                                                     "kv_heads",
                                                     "ffn",
                                                     "vocab",
                                                     "seq_len",
                                                     "experts",
                                                     "experts_active",
                                                     "attention",
                                                     "accelerator",
                                                     "instance_or_system",
                                                     "n_accel",
                                                     "dtype",
                                                     "global_batch_seqs",
                                                     "micro_batch",
                                                     "tp",
                                                     "pp",
                                                     "vpp",
                                                     "cp",
                                                     "ep",
                                                     "dp",
                                                     "zero_or_fsdp",
                                                     "sequence_parallel",
                                                     "recompute",
                                                     "framework",
                                                     "step_time_s",
                                                     "tokens_per_s_per_accel",
                                                     "tflops_per_accel",
                                                     "mfu_pct",
                                                     "hfu_pct",
                                                     "memory_gb_per_accel",
                                                     "total_hours",
                                                     "total_energy_kwh",
                                                     "notes"};
    return columns;
}

const std::vector<std::string>& calibrationColumns() {
    static const std::vector<std::string> columns = {"record", "physics",        "subject", "other",
                                                     "value",  "standard_error", "rows",    "note"};
    return columns;
}

}  // namespace trainwright::catalog
