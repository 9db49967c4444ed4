// SPDX-License-Identifier: GPL-3.0-or-later
// Architectures out of config.json files: the shapes that the catalog has from elsewhere, the
// parameters that the authors print, and files that can't be read.
#include "data/import/hugging_face.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "data/catalog/catalog.h"
#include "data/scenario/model_block.h"
#include "data/scenario/scenario.h"

namespace trainwright::import {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Property;
using workload::Architecture;

const catalog::Catalog& shippedCatalog() {
    static const Outcome<catalog::Catalog> opened =
        catalog::Catalog::open(TRAINWRIGHT_CATALOG_FILE);
    if (!opened.ok()) throw std::runtime_error(opened.findings().front().english());
    return opened.value();
}

/// Keys of a published config.json that bear on the shape, and the parameters that its authors
/// print.
struct Config {
    const char* model;  ///< id in the catalog; "" when it isn't there
    const char* json;
    double total = 0;   ///< published, in billions
    double active = 0;  ///< published, in billions; 0: dense
    double tolerance = 0.01;
    bool activeLeavesOutEmbedding = false;  ///< publishers differ in this
};

std::string describe(const Config& c) {
    return c.model;
}
void PrintTo(const Config& c, std::ostream* out) {
    *out << describe(c);
}

constexpr const char* kLlama2 = R"({"model_type": "llama", "hidden_size": 8192,
  "intermediate_size": 28672, "max_position_embeddings": 4096, "num_attention_heads": 64,
  "num_hidden_layers": 80, "num_key_value_heads": 8, "vocab_size": 32000,
  "tie_word_embeddings": false, "torch_dtype": "float16"})";

const Config kConfigs[] = {
    {"llama2-70b", kLlama2, 68.98},
    {"llama-7b", R"({"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008,
        "max_position_embeddings": 2048, "num_attention_heads": 32, "num_hidden_layers": 32,
        "vocab_size": 32000})",
     6.738},
    {"llama3.1-405b", R"({"model_type": "llama", "attention_bias": false, "hidden_size": 16384,
        "intermediate_size": 53248, "max_position_embeddings": 131072, "mlp_bias": false,
        "num_attention_heads": 128, "num_hidden_layers": 126, "num_key_value_heads": 8,
        "vocab_size": 128256, "tie_word_embeddings": false,
        "rope_scaling": {"factor": 8.0, "rope_type": "llama3"}})",
     405.85},
    {"llama3.2-1b", R"({"model_type": "llama", "head_dim": 64, "hidden_size": 2048,
        "intermediate_size": 8192, "max_position_embeddings": 131072, "num_attention_heads": 32,
        "num_hidden_layers": 16, "num_key_value_heads": 8, "tie_word_embeddings": true,
        "vocab_size": 128256})",
     1.2358},
    {"tinyllama-1.1b", R"({"model_type": "llama", "hidden_size": 2048, "intermediate_size": 5632,
        "max_position_embeddings": 2048, "num_attention_heads": 32, "num_hidden_layers": 22,
        "num_key_value_heads": 4, "vocab_size": 32000})",
     1.100},
    {"llama4-scout", R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text",
        "attention_bias": false, "attention_chunk_size": 8192, "head_dim": 128,
        "hidden_size": 5120, "interleave_moe_layer_step": 1, "intermediate_size": 8192,
        "intermediate_size_mlp": 16384, "max_position_embeddings": 10485760,
        "no_rope_layers": [], "num_attention_heads": 40, "num_experts_per_tok": 1,
        "num_hidden_layers": 48, "num_key_value_heads": 8, "num_local_experts": 16,
        "use_qk_norm": true, "vocab_size": 202048},
        "vision_config": {"hidden_size": 1408}})",
     109, 17, 0.02},
    {"llama4-maverick", R"({"model_type": "llama4", "text_config": {"model_type": "llama4_text",
        "attention_chunk_size": 8192, "head_dim": 128, "hidden_size": 5120,
        "interleave_moe_layer_step": 2, "intermediate_size": 8192,
        "intermediate_size_mlp": 16384, "max_position_embeddings": 1048576,
        "moe_layers": [1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33, 35, 37, 39,
                       41, 43, 45, 47],
        "num_attention_heads": 40, "num_experts_per_tok": 1, "num_hidden_layers": 48,
        "num_key_value_heads": 8, "num_local_experts": 128, "use_qk_norm": false,
        "vocab_size": 202048}})",
     400, 17, 0.02},
    {"mixtral-8x7b", R"({"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336,
        "max_position_embeddings": 32768, "num_attention_heads": 32, "num_experts_per_tok": 2,
        "num_hidden_layers": 32, "num_key_value_heads": 8, "num_local_experts": 8,
        "sliding_window": null, "vocab_size": 32000})",
     46.703, 12.9},
    {"mixtral-8x22b", R"({"model_type": "mixtral", "hidden_size": 6144,
        "intermediate_size": 16384, "max_position_embeddings": 65536, "num_attention_heads": 48,
        "num_experts_per_tok": 2, "num_hidden_layers": 56, "num_key_value_heads": 8,
        "num_local_experts": 8, "sliding_window": null, "vocab_size": 32768})",
     140.63, 39.1},
    {"qwen2.5-0.5b", R"({"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864,
        "max_position_embeddings": 32768, "max_window_layers": 24, "num_attention_heads": 14,
        "num_hidden_layers": 24, "num_key_value_heads": 2, "sliding_window": 32768,
        "tie_word_embeddings": true, "use_sliding_window": false, "vocab_size": 151936})",
     0.494},
    {"qwen2.5-72b", R"({"model_type": "qwen2", "hidden_size": 8192, "intermediate_size": 29568,
        "max_position_embeddings": 131072, "max_window_layers": 80, "num_attention_heads": 64,
        "num_hidden_layers": 80, "num_key_value_heads": 8, "sliding_window": 131072,
        "use_sliding_window": false, "vocab_size": 152064})",
     72.706},
    {"qwen3-32b", R"({"model_type": "qwen3", "attention_bias": false, "head_dim": 128,
        "hidden_size": 5120, "intermediate_size": 25600, "max_position_embeddings": 40960,
        "num_attention_heads": 64, "num_hidden_layers": 64, "num_key_value_heads": 8,
        "sliding_window": null, "tie_word_embeddings": false, "use_sliding_window": false,
        "vocab_size": 151936})",
     32.762},
    {"qwen3-30b-a3b", R"({"model_type": "qwen3_moe", "decoder_sparse_step": 1, "head_dim": 128,
        "hidden_size": 2048, "intermediate_size": 6144, "max_position_embeddings": 40960,
        "mlp_only_layers": [], "moe_intermediate_size": 768, "num_attention_heads": 32,
        "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 48,
        "num_key_value_heads": 4, "vocab_size": 151936})",
     30.53, 3.3, 0.02},
    {"qwen3-235b-a22b", R"({"model_type": "qwen3_moe", "decoder_sparse_step": 1, "head_dim": 128,
        "hidden_size": 4096, "intermediate_size": 12288, "max_position_embeddings": 40960,
        "mlp_only_layers": [], "moe_intermediate_size": 1536, "num_attention_heads": 64,
        "num_experts": 128, "num_experts_per_tok": 8, "num_hidden_layers": 94,
        "num_key_value_heads": 4, "vocab_size": 151936})",
     235.09, 22.2},
    // Qwen1.5-MoE-A2.7B: 60 routed experts and a shared one as wide as four of them.
    {"", R"({"model_type": "qwen2_moe", "decoder_sparse_step": 1, "hidden_size": 2048,
        "intermediate_size": 5632, "max_position_embeddings": 8192,
        "moe_intermediate_size": 1408, "num_attention_heads": 16, "num_experts": 60,
        "num_experts_per_tok": 4, "num_hidden_layers": 24, "num_key_value_heads": 16,
        "shared_expert_intermediate_size": 5632, "use_sliding_window": false,
        "vocab_size": 151936})",
     14.3, 2.7},
    {"deepseek-v2", R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1,
        "hidden_size": 5120, "intermediate_size": 12288, "kv_lora_rank": 512,
        "max_position_embeddings": 163840, "moe_intermediate_size": 1536, "moe_layer_freq": 1,
        "n_group": 8, "n_routed_experts": 160, "n_shared_experts": 2,
        "num_attention_heads": 128, "num_experts_per_tok": 6, "num_hidden_layers": 60,
        "num_key_value_heads": 128, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "tie_word_embeddings": false, "topk_group": 3,
        "topk_method": "group_limited_greedy", "v_head_dim": 128, "vocab_size": 102400})",
     236, 21, 0.03},
    {"deepseek-v2-lite", R"({"model_type": "deepseek_v2", "first_k_dense_replace": 1,
        "hidden_size": 2048, "intermediate_size": 10944, "kv_lora_rank": 512,
        "max_position_embeddings": 163840, "moe_intermediate_size": 1408, "moe_layer_freq": 1,
        "n_group": 1, "n_routed_experts": 64, "n_shared_experts": 2, "num_attention_heads": 16,
        "num_experts_per_tok": 6, "num_hidden_layers": 27, "topk_group": 1, "num_key_value_heads": 16,
        "q_lora_rank": null, "qk_nope_head_dim": 128, "qk_rope_head_dim": 64,
        "v_head_dim": 128, "vocab_size": 102400})",
     15.706, 2.4, 0.025, true},
    {"deepseek-v3", R"({"model_type": "deepseek_v3", "first_k_dense_replace": 3,
        "hidden_size": 7168, "intermediate_size": 18432, "kv_lora_rank": 512,
        "max_position_embeddings": 163840, "moe_intermediate_size": 2048, "moe_layer_freq": 1,
        "n_group": 8, "n_routed_experts": 256, "n_shared_experts": 1,
        "num_attention_heads": 128, "num_experts_per_tok": 8, "num_hidden_layers": 61,
        "num_key_value_heads": 128, "num_nextn_predict_layers": 1, "q_lora_rank": 1536,
        "qk_nope_head_dim": 128, "qk_rope_head_dim": 64, "topk_group": 4,
        "topk_method": "noaux_tc", "v_head_dim": 128,
        "vocab_size": 129280, "quantization_config": {"quant_method": "fp8"}})",
     671, 37, 0.02},
    {"kimi-k2", R"({"model_type": "kimi_k2", "first_k_dense_replace": 1, "hidden_size": 7168,
        "intermediate_size": 18432, "kv_lora_rank": 512, "max_position_embeddings": 131072,
        "moe_intermediate_size": 2048, "moe_layer_freq": 1, "n_group": 1,
        "n_routed_experts": 384, "n_shared_experts": 1, "num_attention_heads": 64,
        "num_experts_per_tok": 8, "num_hidden_layers": 61, "num_key_value_heads": 64,
        "num_nextn_predict_layers": 0, "q_lora_rank": 1536, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "topk_group": 1, "v_head_dim": 128, "vocab_size": 163840})",
     1026, 32, 0.03},
    {"gpt-oss-120b", R"({"model_type": "gpt_oss", "attention_bias": true, "experts_per_token": 4,
        "head_dim": 64, "hidden_size": 2880, "initial_context_length": 4096,
        "intermediate_size": 2880, "layer_types": ["sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention", "sliding_attention", "full_attention",
        "sliding_attention", "full_attention"],
        "max_position_embeddings": 131072, "num_attention_heads": 64, "num_experts_per_tok": 4,
        "num_hidden_layers": 36, "num_key_value_heads": 8, "num_local_experts": 128,
        "sliding_window": 128, "tie_word_embeddings": false, "vocab_size": 201088})",
     116.83, 5.1, 0.01, true},
    {"grok-1", R"({"model_type": "grok-1", "hidden_size": 6144, "intermediate_size": 32768,
        "max_position_embeddings": 8192, "num_attention_heads": 48, "num_experts": 8,
        "num_experts_per_tok": 2, "num_hidden_layers": 64, "num_key_value_heads": 8,
        "vocab_size": 131072})",
     314, 86, 0.03},
    {"gemma-7b", R"({"model_type": "gemma", "head_dim": 256, "hidden_size": 3072,
        "intermediate_size": 24576, "max_position_embeddings": 8192, "num_attention_heads": 16,
        "num_hidden_layers": 28, "num_key_value_heads": 16, "vocab_size": 256000})",
     8.5377},
    {"gemma2-27b", R"({"model_type": "gemma2", "head_dim": 128, "hidden_size": 4608,
        "intermediate_size": 36864, "max_position_embeddings": 8192, "num_attention_heads": 32,
        "num_hidden_layers": 46, "num_key_value_heads": 16, "query_pre_attn_scalar": 144,
        "sliding_window": 4096, "vocab_size": 256000})",
     27.227},
    {"gemma3-12b", R"({"model_type": "gemma3", "text_config": {"hidden_size": 3840,
        "intermediate_size": 15360, "model_type": "gemma3_text", "num_attention_heads": 16,
        "num_hidden_layers": 48, "num_key_value_heads": 8, "sliding_window": 1024},
        "vision_config": {"hidden_size": 1152}})",
     11.766},
    {"falcon-7b", R"({"model_type": "falcon", "alibi": false, "bias": false,
        "hidden_size": 4544, "multi_query": true, "new_decoder_architecture": false,
        "num_attention_heads": 71, "num_hidden_layers": 32, "parallel_attn": true,
        "vocab_size": 65024})",
     6.9217},
    {"falcon-40b", R"({"model_type": "RefinedWeb", "bias": false, "hidden_size": 8192,
        "n_head": 128, "n_head_kv": 8, "n_layer": 60, "vocab_size": 65024})",
     41.303},
    {"falcon-180b", R"({"model_type": "falcon", "alibi": false, "bias": false,
        "hidden_size": 14848, "multi_query": true, "new_decoder_architecture": true,
        "num_attention_heads": 232, "num_hidden_layers": 80, "num_kv_heads": 8,
        "parallel_attn": true, "vocab_size": 65024})",
     179.5},
    {"bloom-176b", R"({"model_type": "bloom", "hidden_size": 14336, "n_layer": 70,
        "num_attention_heads": 112, "seq_length": 2048, "vocab_size": 250880})",
     176.247},
    {"opt-66b", R"({"model_type": "opt", "ffn_dim": 36864, "hidden_size": 9216,
        "max_position_embeddings": 2048, "num_attention_heads": 72, "num_hidden_layers": 64,
        "vocab_size": 50272, "word_embed_proj_dim": 9216})",
     65.72},
    // GPT-2 XL.
    {"", R"({"model_type": "gpt2", "n_ctx": 1024, "n_embd": 1600, "n_head": 25, "n_layer": 48,
        "n_positions": 1024, "vocab_size": 50257})",
     1.5576},
    {"gpt-neox-20b", R"({"model_type": "gpt_neox", "hidden_size": 6144,
        "intermediate_size": 24576, "max_position_embeddings": 2048, "num_attention_heads": 64,
        "num_hidden_layers": 44, "rotary_pct": 0.25, "tie_word_embeddings": false,
        "vocab_size": 50432})",
     20.5546},
    {"mpt-30b", R"({"model_type": "mpt", "attn_config": {"alibi": false}, "d_model": 7168,
        "expansion_ratio": 4, "learned_pos_emb": true, "max_seq_len": 2048, "n_heads": 56,
        "n_layers": 48, "no_bias": true, "vocab_size": 50368})",
     29.97},
    {"olmo-7b", R"({"model_type": "olmo", "hidden_size": 4096, "intermediate_size": 11008,
        "max_position_embeddings": 2048, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 32, "tie_word_embeddings": false, "vocab_size": 50304})",
     6.888},
    {"olmo2-13b", R"({"model_type": "olmo2", "hidden_size": 5120, "intermediate_size": 13824,
        "max_position_embeddings": 4096, "num_attention_heads": 40, "num_hidden_layers": 40,
        "num_key_value_heads": 40, "vocab_size": 100352})",
     13.716},
    {"olmo3-7b", R"({"model_type": "olmo3", "hidden_size": 4096, "intermediate_size": 11008,
        "max_position_embeddings": 65536, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 32, "sliding_window": 4096, "vocab_size": 100278})",
     7.298},
    {"nemotron4-340b", R"({"model_type": "nemotron", "attention_bias": false, "head_dim": 192,
        "hidden_size": 18432, "intermediate_size": 73728, "max_position_embeddings": 4096,
        "mlp_bias": false, "num_attention_heads": 96, "num_hidden_layers": 96,
        "num_key_value_heads": 8, "vocab_size": 256000})",
     341.03},
    {"dbrx", R"({"model_type": "dbrx", "attn_config": {"clip_qkv": 8, "kv_n_heads": 8},
        "d_model": 6144, "ffn_config": {"ffn_hidden_size": 10752, "moe_num_experts": 16,
        "moe_top_k": 4}, "max_seq_len": 32768, "n_heads": 48, "n_layers": 40,
        "tie_word_embeddings": false, "vocab_size": 100352})",
     131.5965, 36, 0.02},
    {"bert-large", R"({"model_type": "bert", "hidden_size": 1024, "intermediate_size": 4096,
        "max_position_embeddings": 512, "num_attention_heads": 16, "num_hidden_layers": 24,
        "vocab_size": 30522})",
     0.336},
    // Phi-3-mini: a window of 2,047 of its 4,096 tokens.
    {"", R"({"model_type": "phi3", "hidden_size": 3072, "intermediate_size": 8192,
        "max_position_embeddings": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
        "num_key_value_heads": 32, "sliding_window": 2047, "tie_word_embeddings": false,
        "vocab_size": 32064})",
     3.82108},
};

class Families : public testing::TestWithParam<Config> {};

TEST_P(Families, ParametersAreThePublishedOnes) {
    const Config& c = GetParam();
    const Outcome<Architecture> a = architectureFromConfig(c.json, "config.json");
    ASSERT_TRUE(a.ok()) << a.findings().front().english();
    const workload::ParameterCount count = workload::countParameters(*a);
    EXPECT_NEAR(count.total / 1e9, c.total, c.tolerance * c.total);
    if (c.active > 0) {
        const double active = count.active - (c.activeLeavesOutEmbedding ? count.embedding : 0.0);
        EXPECT_NEAR(active / 1e9, c.active, c.tolerance * c.active);
    }
}

class CatalogModels : public testing::TestWithParam<Config> {};

TEST_P(CatalogModels, AgreeWithTheFileInEveryField) {
    const Config& c = GetParam();
    const Outcome<Architecture> read = architectureFromConfig(c.json, "config.json");
    ASSERT_TRUE(read.ok()) << read.findings().front().english();
    Architecture a = *read;
    const Outcome<Architecture> known = shippedCatalog().architecture(c.model);
    ASSERT_TRUE(known.ok()) << known.findings().front().english();
    // What a config.json doesn't say.
    a.id = known->id;
    a.family = known->family;
    a.publishedParameters = known->publishedParameters;
    a.publishedActiveParameters = known->publishedActiveParameters;
    EXPECT_EQ(scenario::modelBlock(a), scenario::modelBlock(*known));
    EXPECT_EQ(a, *known);
}

TEST_P(Families, ReadBackFromTheBlockOfAScenario) {
    const Outcome<Architecture> a =
        architectureFromConfig(GetParam().json, "/models/some-model/config.json");
    ASSERT_TRUE(a.ok());
    const std::string text = "version: 1\n" + scenario::modelBlock(*a) +
                             "training:\n  tokens: 1T\n  sequence_length: 128\n"
                             "  global_batch: 512 sequences\n"
                             "candidates:\n  - name: trn2\n    system: trn2.48xlarge\n"
                             "    accelerators: 512\n";
    const Outcome<scenario::Scenario> s = scenario::read(text, "block.yaml");
    ASSERT_TRUE(s.ok()) << s.findings().front().english() << "\n" << text;
    Architecture expected = *a;
    expected.family = "custom";
    ASSERT_TRUE(s->architecture.has_value());
    EXPECT_EQ(*s->architecture, expected) << text;
    EXPECT_EQ(s->architecture->id, "some-model");
}

std::vector<Config> inCatalog() {
    std::vector<Config> out;
    for (const Config& c : kConfigs) {
        if (!describe(c).empty()) out.push_back(c);
    }
    return out;
}

std::string testName(const testing::TestParamInfo<Config>& config) {
    std::string name = describe(config.param);
    if (name.empty()) name = "other" + std::to_string(config.index);
    for (char& c : name) {
        if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
    }
    return name;
}

INSTANTIATE_TEST_SUITE_P(Published, Families, testing::ValuesIn(kConfigs), testName);
INSTANTIATE_TEST_SUITE_P(Published, CatalogModels, testing::ValuesIn(inCatalog()), testName);

// Mistral's file names the longest sequence that fits, the catalog the one it was trained for; the
// first MPT releases have ALiBi, the catalog's benchmark shapes learned positions.
TEST(HuggingFace, KnowsWindowsOfEveryLayerAndAlibi) {
    const Outcome<Architecture> mistral = architectureFromConfig(
        R"({"model_type": "mistral", "hidden_size": 4096, "intermediate_size": 14336,
            "max_position_embeddings": 32768, "num_attention_heads": 32, "num_hidden_layers": 32,
            "num_key_value_heads": 8, "sliding_window": 4096, "vocab_size": 32000})",
        "mistral.json");
    ASSERT_TRUE(mistral.ok());
    EXPECT_EQ(mistral->id, "mistral");
    EXPECT_EQ(mistral->pattern, (workload::AttentionPattern{4096, 1, 1}));
    EXPECT_EQ(workload::countParameters(*mistral).total, 7241732096.0);

    const Outcome<Architecture> mpt = architectureFromConfig(
        R"({"model_type": "mpt", "attn_config": {"alibi": true}, "d_model": 4096,
            "expansion_ratio": 4, "learned_pos_emb": true, "max_seq_len": 2048, "n_heads": 32,
            "n_layers": 32, "no_bias": true, "vocab_size": 50432})",
        "mpt.json");
    ASSERT_TRUE(mpt.ok());
    EXPECT_EQ(mpt->positional, workload::Positional::Alibi);
    EXPECT_EQ(workload::countParameters(*mpt).total, 6649286656.0);  // as its weights hold
}

TEST(HuggingFace, LayersThatAreListedDecideThePattern) {
    const auto withTypes = [](const std::string& types) {
        return architectureFromConfig(
            R"({"model_type": "olmo3", "hidden_size": 64, "intermediate_size": 256,
                "max_position_embeddings": 4096, "num_attention_heads": 4,
                "num_hidden_layers": 5, "sliding_window": 128, "vocab_size": 1000,
                "layer_types": )" +
                types + "}",
            "c.json");
    };
    const std::string s = "\"sliding_attention\"";
    const std::string f = "\"full_attention\"";
    const auto list = [](const std::vector<std::string>& items) {
        std::string out;
        for (const std::string& item : items) out += (out.empty() ? "[" : ", ") + item;
        return out + "]";
    };
    const struct {
        std::string types;
        workload::AttentionPattern pattern;
        bool isWarned;
    } cases[] = {
        {list({s, s, s, s, s}), {128, 1, 1}, false}, {list({f, f, f, f, f}), {}, false},
        {list({s, f, s, f, s}), {128, 2, 1}, false}, {list({s, s, f, s, s}), {128, 3, 2}, false},
        {list({s, s, f, f, s}), {128, 4, 2}, false}, {list({f, s, s, s, s}), {}, true},
        {list({s, f, s, s, f}), {}, true},
    };
    for (const auto& c : cases) {
        const Outcome<Architecture> a = withTypes(c.types);
        ASSERT_TRUE(a.ok()) << c.types << a.findings().front().english();
        EXPECT_EQ(a->pattern, c.pattern) << c.types;
        bool isWarned = false;
        for (const Finding& finding : a.findings())
            isWarned = isWarned || finding.severity == Severity::Warning;
        EXPECT_EQ(isWarned, c.isWarned) << c.types;
    }
    EXPECT_FALSE(withTypes(list({s, s})).ok());
    EXPECT_FALSE(withTypes(list({s, s, "\"linear_attention\"", s, s})).ok());
}

TEST(HuggingFace, SaysWhatIsLeftOut) {
    const Outcome<Architecture> a = architectureFromConfig(
        R"({"model_type": "gemma3", "vision_config": {}, "text_config": {"hidden_size": 3840,
            "intermediate_size": 15360, "num_hidden_layers": 48}})",
        "c.json");
    ASSERT_TRUE(a.ok());
    EXPECT_THAT(a.findings(),
                Contains(Property(&Finding::english, HasSubstr("`vision_config` is left out"))));
    EXPECT_THAT(a.findings(),
                Contains(Property(&Finding::english, HasSubstr("`text_config.vocab_size`"))));
}

/// A text that can't be read, and what the first finding says.
struct Unreadable {
    std::string name;
    std::string json;
    std::vector<std::string> said;
};

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    text.replace(text.find(from), from.size(), to);
    return text;
}

/// A small mixture of DeepSeek's family with further keys.
std::string deepseekWith(const std::string& keys) {
    return R"({"model_type": "deepseek_v3", "first_k_dense_replace": 1, "hidden_size": 2048,
        "intermediate_size": 8192, "kv_lora_rank": 512, "max_position_embeddings": 4096,
        "moe_intermediate_size": 1024, "n_routed_experts": 64, "num_attention_heads": 16,
        "num_experts_per_tok": 6, "num_hidden_layers": 8, "qk_nope_head_dim": 128,
        "qk_rope_head_dim": 64, "v_head_dim": 128, "vocab_size": 102400, )" +
           keys + "}";
}

TEST(HuggingFace, RoutingGroupsAreALimitOnlyWhereATokenMayNotVisitAll) {
    const struct {
        const char* keys;
        int groups, routed;
    } cases[] = {{"\"n_group\": 8, \"topk_group\": 3", 8, 3},
                 {"\"n_group\": 1, \"topk_group\": 1", 0, 0},
                 {"\"n_group\": 8, \"topk_group\": 8", 0, 0},
                 {"\"n_group\": 8, \"topk_group\": 3, \"topk_method\": \"greedy\"", 0, 0},
                 {"\"n_group\": null", 0, 0}};
    for (const auto& c : cases) {
        const Outcome<Architecture> a = architectureFromConfig(deepseekWith(c.keys), "c.json");
        ASSERT_TRUE(a.ok()) << c.keys << a.findings().front().english();
        EXPECT_EQ(a->moe->routingGroups, c.groups) << c.keys;
        EXPECT_EQ(a->moe->routedGroups, c.routed) << c.keys;
    }
}

class UnreadableConfigs : public testing::TestWithParam<Unreadable> {};

TEST_P(UnreadableConfigs, SayWhatAndWhere) {
    const Outcome<Architecture> a = architectureFromConfig(GetParam().json, "c.json");
    ASSERT_FALSE(a.ok());
    ASSERT_FALSE(a.findings().empty());
    std::string all;
    for (const Finding& f : a.findings()) all += f.english() + "\n";
    for (const std::string& part : GetParam().said) EXPECT_THAT(all, HasSubstr(part));
}

INSTANTIATE_TEST_SUITE_P(
    Texts, UnreadableConfigs,
    testing::Values(
        Unreadable{"Empty", "", {"c.json:1:1", "JSON"}},
        Unreadable{"Cut", "{\n  \"model_type\": \"llama\",\n  \"hidden", {"c.json:3:"}},
        Unreadable{"TrailingComma", "{\n  \"a\": 1,\n}", {"c.json:3:1"}},
        Unreadable{"NotUtf8", "{\"model_type\": \"\xff\"}", {"c.json:1:"}},
        Unreadable{"List", "[1, 2]", {"c.json: ", "object"}},
        Unreadable{"NoType", "{}", {"`model_type` is missing", "deepseek_v3", "llama"}},
        Unreadable{"UnknownType",
                   "{\n \"model_type\": \"mamba2\"}",
                   {"c.json:2:2", "mamba2", "gpt_oss", "qwen3_moe"}},
        Unreadable{"TypeIsANumber", "{\"model_type\": 3}", {"`model_type` is 3", "text"}},
        Unreadable{"UnknownTextPart",
                   "{\"model_type\": \"x\", \"text_config\": {\"model_type\": \"y\"}}",
                   {"\"y\""}},
        Unreadable{"TextPartIsAList",
                   "{\"model_type\": \"gemma3\", \"text_config\": []}",
                   {"`text_config` is []", "object"}},
        Unreadable{"MissingSizes",
                   "{\"model_type\": \"llama\", \"hidden_size\": 64}",
                   {"`num_hidden_layers` is missing", "`vocab_size` is missing"}},
        Unreadable{"MissingInATextPart",
                   "{\"model_type\": \"llama4\", \"text_config\": {}}",
                   {"`text_config.num_local_experts` is missing"}},
        Unreadable{"SizeIsAText",
                   replaced(kLlama2, "28672", "\"28672\""),
                   {"c.json:2:3", "`intermediate_size` is \"28672\"", "whole number"}},
        Unreadable{"SizeIsAFraction",
                   replaced(kLlama2, "28672", "28672.5"),
                   {"`intermediate_size` is 28672.5"}},
        Unreadable{"SizeIsNegative", replaced(kLlama2, "28672", "-1"), {"-1"}},
        Unreadable{"SizeIsHuge", replaced(kLlama2, "28672", "1e300"), {"`intermediate_size`"}},
        Unreadable{"SizeOverflows", replaced(kLlama2, "28672", "1e999"), {"too large"}},
        Unreadable{"FlagIsAText",
                   replaced(kLlama2, "false", "\"no\""),
                   {"`tie_word_embeddings` is \"no\"", "true or false"}},
        Unreadable{"HeadsDontDivide", replaced(kLlama2, ": 64", ": 63"), {"63 heads"}},
        Unreadable{"KeyValueHeadsDontDivide", replaced(kLlama2, ": 8,", ": 7,"), {"7"}},
        Unreadable{"GroupsWithoutTheirNumber",
                   deepseekWith("\"n_group\": 8"),
                   {"`topk_group` is missing"}},
        Unreadable{"GroupsDontDivide",
                   deepseekWith("\"n_group\": 7, \"topk_group\": 4"),
                   {"7 `routing_groups` don't divide 64 experts"}},
        Unreadable{"MoreGroupsThanThereAre",
                   deepseekWith("\"n_group\": 8, \"topk_group\": 9"),
                   {"`routed_groups` is 9", "8"}},
        Unreadable{"GroupsTooFew",
                   deepseekWith("\"n_group\": 32, \"topk_group\": 2"),
                   {"2 of 32 groups have 4 experts", "6"}},
        Unreadable{"TooDeep", std::string(100000, '['), {"c.json:1:65", "64"}},
        Unreadable{"TooLarge", std::string(kMaxConfigBytes + 1, ' '), {"4 MiB"}}),
    [](const testing::TestParamInfo<Unreadable>& text) { return text.param.name; });

TEST(HuggingFace, BracketsInTextsDontCountAsDepth) {
    const std::string text =
        replaced(kLlama2, "float16", std::string(200, '[') + "\\\"" + std::string(200, '{'));
    EXPECT_TRUE(architectureFromConfig(text, "c.json").ok());
}

// Bytes changed at random: never a crash, and what is read is sound.
TEST(HuggingFace, ChangedBytesAreReadSoundlyOrRefused) {
    unsigned state = 20270104;  // the seed
    const auto next = [&state] { return state = state * 1664525U + 1013904223U; };
    for (const Config& c : kConfigs) {
        for (int round = 0; round < 200; ++round) {
            std::string text = c.json;
            const unsigned changes = next() % 3U + 1U;
            for (unsigned i = 0; i < changes; ++i)
                text[(next() >> 8U) % text.size()] = static_cast<char>(next() >> 24U);
            const Outcome<Architecture> a = architectureFromConfig(text, "c.json");
            if (!a.ok()) {
                EXPECT_TRUE(hasErrors(a.findings())) << text;
                continue;
            }
            EXPECT_TRUE(workload::validate(*a).empty()) << text;
            EXPECT_TRUE(std::isfinite(workload::countParameters(*a).total)) << text;
        }
    }
}

TEST(HuggingFaceFile, MissingFoldersAndHugeFilesAreSaid) {
    namespace fs = std::filesystem;
    EXPECT_FALSE(architectureFromConfigFile("/nowhere/config.json").ok());
    const fs::path folder = fs::path(testing::TempDir()) / "trainwright_import" / "llama2-70b";
    fs::create_directories(folder);
    EXPECT_FALSE(architectureFromConfigFile(folder.string()).ok());
    std::ofstream(folder / "config.json") << kLlama2;
    const Outcome<Architecture> a = architectureFromConfigFile((folder / "config.json").string());
    ASSERT_TRUE(a.ok());
    EXPECT_EQ(a->id, "llama2-70b");
    fs::resize_file(folder / "config.json", kMaxConfigBytes + 1);
    EXPECT_FALSE(architectureFromConfigFile((folder / "config.json").string()).ok());
    fs::remove_all(folder.parent_path());
}

TEST(KnownModelTypes, AreSortedAndHoldTheOutermostNames) {
    const std::vector<std::string> known = knownModelTypes();
    EXPECT_THAT(known, Contains("llama4"));
    EXPECT_THAT(known, Contains("gemma3"));
    EXPECT_EQ(known.front(), "bert");
}

}  // namespace
}  // namespace trainwright::import
