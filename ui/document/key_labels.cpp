// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/key_labels.h"

#include <QCoreApplication>
#include <algorithm>
#include <array>
#include <string_view>

namespace trainwright::ui {

namespace {

struct Label {
    std::string_view key;
    const char* words;
};

constexpr const char* kContext = "ScenarioKey";

/// Parts of a purchase have the same words wherever they stand: below are those of
/// candidates[].purchase alone.
constexpr std::array kLabels{
    Label{"version", QT_TRANSLATE_NOOP("ScenarioKey", "Version of the format")},
    Label{"title", QT_TRANSLATE_NOOP("ScenarioKey", "Title")},
    Label{"model", QT_TRANSLATE_NOOP("ScenarioKey", "Model")},
    Label{"model.name", QT_TRANSLATE_NOOP("ScenarioKey", "Name")},
    Label{"model.layers", QT_TRANSLATE_NOOP("ScenarioKey", "Layers")},
    Label{"model.hidden", QT_TRANSLATE_NOOP("ScenarioKey", "Hidden size")},
    Label{"model.heads", QT_TRANSLATE_NOOP("ScenarioKey", "Attention heads")},
    Label{"model.kv_heads", QT_TRANSLATE_NOOP("ScenarioKey", "KV heads")},
    Label{"model.head_size", QT_TRANSLATE_NOOP("ScenarioKey", "Head size")},
    Label{"model.ffn", QT_TRANSLATE_NOOP("ScenarioKey", "Feed-forward size")},
    Label{"model.vocabulary", QT_TRANSLATE_NOOP("ScenarioKey", "Vocabulary")},
    Label{"model.context", QT_TRANSLATE_NOOP("ScenarioKey", "Longest context")},
    Label{"model.gated_mlp", QT_TRANSLATE_NOOP("ScenarioKey", "Gated feed-forward")},
    Label{"model.tied_embeddings", QT_TRANSLATE_NOOP("ScenarioKey", "Tied embeddings")},
    Label{"model.causal", QT_TRANSLATE_NOOP("ScenarioKey", "Causal attention")},
    Label{"model.linear_bias", QT_TRANSLATE_NOOP("ScenarioKey", "Biases of projections")},
    Label{"model.query_key_value_bias",
          QT_TRANSLATE_NOOP("ScenarioKey", "Biases of queries, keys and values")},
    Label{"model.query_key_norm", QT_TRANSLATE_NOOP("ScenarioKey", "Norm of queries and keys")},
    Label{"model.parallel_block", QT_TRANSLATE_NOOP("ScenarioKey", "Parallel block")},
    Label{"model.norms_per_layer", QT_TRANSLATE_NOOP("ScenarioKey", "Norms per layer")},
    Label{"model.embedding_norm", QT_TRANSLATE_NOOP("ScenarioKey", "Norm of the embedding")},
    Label{"model.norm", QT_TRANSLATE_NOOP("ScenarioKey", "Kind of norm")},
    Label{"model.positional", QT_TRANSLATE_NOOP("ScenarioKey", "Positions")},
    Label{"model.attention_window", QT_TRANSLATE_NOOP("ScenarioKey", "Local attention")},
    Label{"model.attention_window.size", QT_TRANSLATE_NOOP("ScenarioKey", "Window")},
    Label{"model.attention_window.period", QT_TRANSLATE_NOOP("ScenarioKey", "Layers in a period")},
    Label{"model.attention_window.local_per_period",
          QT_TRANSLATE_NOOP("ScenarioKey", "Local layers in a period")},
    Label{"model.moe", QT_TRANSLATE_NOOP("ScenarioKey", "Mixture of experts")},
    Label{"model.moe.experts", QT_TRANSLATE_NOOP("ScenarioKey", "Routed experts")},
    Label{"model.moe.top_k", QT_TRANSLATE_NOOP("ScenarioKey", "Experts per token")},
    Label{"model.moe.shared_experts", QT_TRANSLATE_NOOP("ScenarioKey", "Shared experts")},
    Label{"model.moe.expert_ffn", QT_TRANSLATE_NOOP("ScenarioKey", "Size of an expert")},
    Label{"model.moe.leading_dense_layers", QT_TRANSLATE_NOOP("ScenarioKey", "First dense layers")},
    Label{"model.moe.interleave_step",
          QT_TRANSLATE_NOOP("ScenarioKey", "Layers from one to the next with experts")},
    Label{"model.moe.routing_groups", QT_TRANSLATE_NOOP("ScenarioKey", "Groups of experts")},
    Label{"model.moe.routed_groups", QT_TRANSLATE_NOOP("ScenarioKey", "Groups per token")},
    Label{"model.latent_attention", QT_TRANSLATE_NOOP("ScenarioKey", "Latent attention")},
    Label{"model.latent_attention.query_rank", QT_TRANSLATE_NOOP("ScenarioKey", "Rank of queries")},
    Label{"model.latent_attention.key_value_rank",
          QT_TRANSLATE_NOOP("ScenarioKey", "Rank of keys and values")},
    Label{"model.latent_attention.nope_head_size",
          QT_TRANSLATE_NOOP("ScenarioKey", "Head size without positions")},
    Label{"model.latent_attention.rope_head_size",
          QT_TRANSLATE_NOOP("ScenarioKey", "Head size with positions")},
    Label{"model.latent_attention.value_head_size",
          QT_TRANSLATE_NOOP("ScenarioKey", "Head size of values")},
    Label{"model.multi_token_heads", QT_TRANSLATE_NOOP("ScenarioKey", "Multi-token heads")},
    Label{"training", QT_TRANSLATE_NOOP("ScenarioKey", "Training")},
    Label{"training.start", QT_TRANSLATE_NOOP("ScenarioKey", "Start")},
    Label{"training.tokens", QT_TRANSLATE_NOOP("ScenarioKey", "Tokens")},
    Label{"training.sequence_length", QT_TRANSLATE_NOOP("ScenarioKey", "Sequence length")},
    Label{"training.global_batch", QT_TRANSLATE_NOOP("ScenarioKey", "Global batch")},
    Label{"training.precision", QT_TRANSLATE_NOOP("ScenarioKey", "Precision")},
    Label{"training.optimizer", QT_TRANSLATE_NOOP("ScenarioKey", "Optimizer")},
    Label{"training.gradient_dtype", QT_TRANSLATE_NOOP("ScenarioKey", "Type of gradients")},
    Label{"training.optimizer_state_dtype",
          QT_TRANSLATE_NOOP("ScenarioKey", "Type of optimizer state")},
    Label{"training.scaling_recipe", QT_TRANSLATE_NOOP("ScenarioKey", "Scaling recipe")},
    Label{"training.expert_load_imbalance",
          QT_TRANSLATE_NOOP("ScenarioKey", "Load imbalance of experts")},
    Label{"training.expert_capacity_factor",
          QT_TRANSLATE_NOOP("ScenarioKey", "Capacity factor of experts")},
    Label{"training.recompute", QT_TRANSLATE_NOOP("ScenarioKey", "Recompute")},
    Label{"candidates", QT_TRANSLATE_NOOP("ScenarioKey", "Candidates")},
    Label{"candidates[].name", QT_TRANSLATE_NOOP("ScenarioKey", "Name")},
    Label{"candidates[].system", QT_TRANSLATE_NOOP("ScenarioKey", "System")},
    Label{"candidates[].accelerators", QT_TRANSLATE_NOOP("ScenarioKey", "Accelerators")},
    Label{"candidates[].arrivals", QT_TRANSLATE_NOOP("ScenarioKey", "Arrivals")},
    Label{"candidates[].arrivals[].from", QT_TRANSLATE_NOOP("ScenarioKey", "From")},
    Label{"candidates[].arrivals[].count", QT_TRANSLATE_NOOP("ScenarioKey", "Accelerators")},
    Label{"candidates[].region", QT_TRANSLATE_NOOP("ScenarioKey", "Region")},
    Label{"candidates[].purchase", QT_TRANSLATE_NOOP("ScenarioKey", "Purchase")},
    Label{"candidates[].purchase.units", QT_TRANSLATE_NOOP("ScenarioKey", "Units")},
    Label{"candidates[].purchase.region", QT_TRANSLATE_NOOP("ScenarioKey", "Region")},
    Label{"candidates[].purchase.discount", QT_TRANSLATE_NOOP("ScenarioKey", "Discount")},
    Label{"candidates[].purchase.plan", QT_TRANSLATE_NOOP("ScenarioKey", "Purchase plan")},
    Label{"candidates[].purchase.price_usd_per_hour",
          QT_TRANSLATE_NOOP("ScenarioKey", "Price in USD per hour")},
    Label{"candidates[].purchase.because", QT_TRANSLATE_NOOP("ScenarioKey", "Because")},
    Label{"candidates[].purchase.commitment", QT_TRANSLATE_NOOP("ScenarioKey", "Commitment")},
    Label{"candidates[].purchase.own", QT_TRANSLATE_NOOP("ScenarioKey", "Owned machines")},
    Label{"candidates[].purchase.own.capital_usd_per_accelerator",
          QT_TRANSLATE_NOOP("ScenarioKey", "Capital in USD per accelerator")},
    Label{"candidates[].purchase.own.capital_usd_per_unit",
          QT_TRANSLATE_NOOP("ScenarioKey", "Capital in USD per unit")},
    Label{"candidates[].purchase.own.life", QT_TRANSLATE_NOOP("ScenarioKey", "Life")},
    Label{"candidates[].purchase.own.cost_of_capital",
          QT_TRANSLATE_NOOP("ScenarioKey", "Cost of capital")},
    Label{"candidates[].purchase.own.residual", QT_TRANSLATE_NOOP("ScenarioKey", "Residual value")},
    Label{"candidates[].purchase.own.use",
          QT_TRANSLATE_NOOP("ScenarioKey", "Share of time in use")},
    Label{"candidates[].purchase.own.staff_share",
          QT_TRANSLATE_NOOP("ScenarioKey", "Staff and upkeep")},
    Label{"candidates[].purchase.own.electricity_usd_per_kwh",
          QT_TRANSLATE_NOOP("ScenarioKey", "Electricity in USD per kWh")},
    Label{"candidates[].purchase.own.because", QT_TRANSLATE_NOOP("ScenarioKey", "Because")},
    Label{"candidates[].discount", QT_TRANSLATE_NOOP("ScenarioKey", "Discount")},
    Label{"candidates[].software", QT_TRANSLATE_NOOP("ScenarioKey", "Software")},
    Label{"candidates[].parallelism", QT_TRANSLATE_NOOP("ScenarioKey", "Layout")},
    Label{"candidates[].parallelism.tensor", QT_TRANSLATE_NOOP("ScenarioKey", "Tensor parallel")},
    Label{"candidates[].parallelism.pipeline", QT_TRANSLATE_NOOP("ScenarioKey", "Pipeline stages")},
    Label{"candidates[].parallelism.virtual_stages",
          QT_TRANSLATE_NOOP("ScenarioKey", "Virtual stages")},
    Label{"candidates[].parallelism.context", QT_TRANSLATE_NOOP("ScenarioKey", "Context parallel")},
    Label{"candidates[].parallelism.expert", QT_TRANSLATE_NOOP("ScenarioKey", "Expert parallel")},
    Label{"candidates[].parallelism.expert_tensor",
          QT_TRANSLATE_NOOP("ScenarioKey", "Tensor parallel of experts")},
    Label{"candidates[].parallelism.data", QT_TRANSLATE_NOOP("ScenarioKey", "Data parallel")},
    Label{"candidates[].parallelism.shard_degree",
          QT_TRANSLATE_NOOP("ScenarioKey", "Ranks that share the shards")},
    Label{"candidates[].parallelism.micro_batch", QT_TRANSLATE_NOOP("ScenarioKey", "Micro-batch")},
    Label{"candidates[].parallelism.sequence_parallel",
          QT_TRANSLATE_NOOP("ScenarioKey", "Sequence parallel")},
    Label{"candidates[].parallelism.sharding", QT_TRANSLATE_NOOP("ScenarioKey", "Sharding")},
    Label{"candidates[].parallelism.recompute", QT_TRANSLATE_NOOP("ScenarioKey", "Recompute")},
    Label{"candidates[].parallelism.recompute_groups",
          QT_TRANSLATE_NOOP("ScenarioKey", "What is recomputed")},
    Label{"candidates[].parallelism.recompute_every",
          QT_TRANSLATE_NOOP("ScenarioKey", "Recompute every so many layers")},
    Label{"candidates[].parallelism.schedule", QT_TRANSLATE_NOOP("ScenarioKey", "Schedule")},
    Label{"candidates[].parallelism.first_stage_layers",
          QT_TRANSLATE_NOOP("ScenarioKey", "Layers of the first stage")},
    Label{"candidates[].parallelism.last_stage_layers",
          QT_TRANSLATE_NOOP("ScenarioKey", "Layers of the last stage")},
    Label{"candidates[].parallelism.context_exchange",
          QT_TRANSLATE_NOOP("ScenarioKey", "Exchange along the context")},
    Label{"candidates[].parallelism.rank_order",
          QT_TRANSLATE_NOOP("ScenarioKey", "Order of ranks")},
    Label{"candidates[].parallelism.offload", QT_TRANSLATE_NOOP("ScenarioKey", "Offload to hosts")},
    Label{"constraints", QT_TRANSLATE_NOOP("ScenarioKey", "Limits")},
    Label{"constraints.finish_by", QT_TRANSLATE_NOOP("ScenarioKey", "Finish by")},
    Label{"constraints.budget", QT_TRANSLATE_NOOP("ScenarioKey", "Budget")},
    Label{"constraints.power", QT_TRANSLATE_NOOP("ScenarioKey", "Power")},
    Label{"constraints.carbon", QT_TRANSLATE_NOOP("ScenarioKey", "Carbon")},
    Label{"constraints.max_accelerators", QT_TRANSLATE_NOOP("ScenarioKey", "Most accelerators")},
    Label{"constraints.memory_headroom", QT_TRANSLATE_NOOP("ScenarioKey", "Memory headroom")},
    Label{"operations", QT_TRANSLATE_NOOP("ScenarioKey", "Operations")},
    Label{"operations.checkpoint_storage",
          QT_TRANSLATE_NOOP("ScenarioKey", "Rate of checkpoint storage")},
    Label{"operations.checkpoint_bytes_per_parameter",
          QT_TRANSLATE_NOOP("ScenarioKey", "Checkpoint bytes per parameter")},
    Label{"operations.asynchronous_checkpoints",
          QT_TRANSLATE_NOOP("ScenarioKey", "Asynchronous checkpoints")},
    Label{"operations.asynchronous_stall",
          QT_TRANSLATE_NOOP("ScenarioKey", "Stall of an asynchronous checkpoint")},
    Label{"operations.memory_checkpoint_stall",
          QT_TRANSLATE_NOOP("ScenarioKey", "Stall of a checkpoint in memory")},
    Label{"operations.memory_checkpoint_covers",
          QT_TRANSLATE_NOOP("ScenarioKey", "Failures that memory covers")},
    Label{"operations.planned_pause_every",
          QT_TRANSLATE_NOOP("ScenarioKey", "Planned pause every")},
    Label{"operations.planned_pause", QT_TRANSLATE_NOOP("ScenarioKey", "Planned pause")},
    Label{"operations.spare_accelerators", QT_TRANSLATE_NOOP("ScenarioKey", "Spare accelerators")},
    Label{"operations.restart_time", QT_TRANSLATE_NOOP("ScenarioKey", "Restart time")},
    Label{"operations.mean_time_between_failures",
          QT_TRANSLATE_NOOP("ScenarioKey", "Mean time between failures")},
    Label{"operations.startup_time", QT_TRANSLATE_NOOP("ScenarioKey", "Startup time")},
    Label{"operations.evaluation_share", QT_TRANSLATE_NOOP("ScenarioKey", "Share of evaluation")},
    Label{"storage", QT_TRANSLATE_NOOP("ScenarioKey", "Storage")},
    Label{"storage.service", QT_TRANSLATE_NOOP("ScenarioKey", "Storage service")},
    Label{"storage.checkpoints_kept", QT_TRANSLATE_NOOP("ScenarioKey", "Checkpoints kept")},
    Label{"storage.dataset", QT_TRANSLATE_NOOP("ScenarioKey", "Dataset")},
    Label{"storage.capacity", QT_TRANSLATE_NOOP("ScenarioKey", "Capacity")},
    Label{"storage.egress", QT_TRANSLATE_NOOP("ScenarioKey", "Data out of the region")},
    Label{"overrides", QT_TRANSLATE_NOOP("ScenarioKey", "Overrides")},
    Label{"overrides[].figure", QT_TRANSLATE_NOOP("ScenarioKey", "Figure")},
    Label{"overrides[].value", QT_TRANSLATE_NOOP("ScenarioKey", "Your value")},
    Label{"overrides[].because", QT_TRANSLATE_NOOP("ScenarioKey", "Because")},
    Label{"uncertainty", QT_TRANSLATE_NOOP("ScenarioKey", "Uncertainty")},
    Label{"uncertainty.samples", QT_TRANSLATE_NOOP("ScenarioKey", "Samples")},
    Label{"uncertainty.seed", QT_TRANSLATE_NOOP("ScenarioKey", "Seed")},
};

/// "candidates[1].purchase[0].plan" as the table has it: "candidates[].purchase.plan".
std::string tableKey(const std::string& path) {
    std::string key;
    bool inside = false;
    for (const char c : path) {
        if (c == '[') inside = true;
        if (!inside || c == '[' || c == ']') key += c;
        if (c == ']') inside = false;
    }
    if (key.ends_with("[]")) key.resize(key.size() - 2);
    const std::size_t at = key.find("purchase[]");
    if (at != std::string::npos) key.erase(at + std::string_view("purchase").size(), 2);
    return key;
}

}  // namespace

QString keyLabel(const std::string& path) {
    const std::string key = tableKey(path);
    const auto* const found = std::find_if(kLabels.begin(), kLabels.end(),
                                           [&](const Label& label) { return label.key == key; });
    if (found != kLabels.end()) return QCoreApplication::translate(kContext, found->words);
    return QString::fromStdString(key.substr(key.rfind('.') + 1));
}

QString keyInSentence(const std::string& path) {
    QString words = keyLabel(path);
    // "KV heads" begins with a name, "Tokens" with a word.
    if (words.size() > 1 && words[1].isLower()) words[0] = words[0].toLower();
    return words;
}

}  // namespace trainwright::ui
