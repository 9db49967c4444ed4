// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/hugging_face.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "model/units/text_quantity.h"

namespace trainwright::import {

namespace {

using nlohmann::json;
using workload::Architecture;
using workload::Norm;
using workload::Positional;

// Far above every model, and low enough that no width made of it overflows.
constexpr double kLargestSize = 1e8;
constexpr int kMostLayers = 100000;
constexpr int kLargestExpansion = 16;

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

Place placeOfByte(const std::string& text, std::size_t byte, const std::string& file) {
    Place place{file, 1, 1, {}};
    for (std::size_t i = 0; i < std::min(byte, text.size()); ++i) {
        if (text[i] == '\n') {
            ++place.line;
            place.column = 1;
        } else if ((static_cast<unsigned char>(text[i]) & 0xC0U) != 0x80U) {
            ++place.column;
        }
    }
    return place;
}

/// Where brackets nest deeper than is allowed; npos when they don't.
std::size_t tooDeepAt(const std::string& text) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        if (inString) {
            if (c == '\\') ++i;
            if (c == '"') inString = false;
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxConfigDepth) return i;
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
    return std::string::npos;
}

/// Text that a message may quote: short, and of printable characters.
std::string quotable(const json& value) {
    constexpr std::size_t kLongest = 40;
    std::string text = value.dump(-1, ' ', true);
    if (text.size() > kLongest) text = text.substr(0, kLongest) + "…";
    return text;
}

/// One object of the file, with typed access to its keys and the findings about them.
class Fields {
public:
    Fields(const json& object, std::string path, const std::string& text, const std::string& file,
           std::vector<Finding>& findings)
        : object_(object), path_(std::move(path)), text_(text), file_(file), findings_(findings) {}

    /// The object at `key`; an empty one, if there is none or it isn't an object.
    [[nodiscard]] Fields at(const std::string& key) const {
        static const json empty = json::object();
        const json* value = find(key);
        const bool isObject = value != nullptr && value->is_object();
        if (value != nullptr && !isObject) wrongType(key, *value, "an object");
        return {isObject ? *value : empty, path_ + key + ".", text_, file_, findings_};
    }
    [[nodiscard]] bool has(const std::string& key) const { return find(key) != nullptr; }

    /// The value under the first of `keys` that is there.
    [[nodiscard]] std::optional<int> whole(const std::vector<std::string>& keys, int smallest = 1,
                                           int largest = static_cast<int>(kLargestSize)) const {
        for (const std::string& key : keys) {
            const json* value = find(key);
            if (value == nullptr) continue;
            const double number = value->is_number() ? value->get<double>() : 0.5;
            if (number != static_cast<double>(static_cast<long long>(
                              std::clamp(number, -2 * kLargestSize, 2 * kLargestSize)))) {
                wrongType(key, *value, "a whole number");
            } else if (number < smallest || number > largest) {
                error(key, "`{1}` is {2}; a number from {3} to {4} is expected.",
                      {path_ + key, units::plainNumber(number), std::to_string(smallest),
                       std::to_string(largest)});
            } else {
                return static_cast<int>(number);
            }
            return smallest;  // said; what follows works with something
        }
        return std::nullopt;
    }
    [[nodiscard]] int required(const std::vector<std::string>& keys, int smallest = 1,
                               int largest = static_cast<int>(kLargestSize)) const {
        if (const std::optional<int> value = whole(keys, smallest, largest)) return *value;
        std::vector<std::string> named;
        for (const std::string& key : keys) named.push_back(path_ + key);
        if (named.size() == 1) {
            error("", "`{1}` is missing; this family needs it.", {named.front()});
        } else {
            error("", "`{1}` is missing; this family needs it (or one of: {2}).",
                  {named.front(), joined({named.begin() + 1, named.end()})});
        }
        return 1;
    }
    /// A size that the family itself fixes when the file leaves it out.
    [[nodiscard]] int familyDefault(const std::vector<std::string>& keys, int value) const {
        if (const std::optional<int> given = whole(keys)) return *given;
        note("`{1}` is not in the file; the family's own {2} is taken.",
             {path_ + keys.front(), std::to_string(value)});
        return value;
    }
    [[nodiscard]] bool flag(const std::string& key, bool otherwise) const {
        const json* value = find(key);
        if (value == nullptr) return otherwise;
        if (!value->is_boolean()) {
            wrongType(key, *value, "true or false");
            return otherwise;
        }
        return value->get<bool>();
    }
    [[nodiscard]] std::string word(const std::string& key, const std::string& otherwise) const {
        const json* value = find(key);
        if (value == nullptr) return otherwise;
        if (!value->is_string()) {
            wrongType(key, *value, "a text");
            return otherwise;
        }
        return value->get<std::string>();
    }
    /// Texts or whole numbers of a list, as texts; nullopt when there is no list.
    [[nodiscard]] std::optional<std::vector<std::string>> list(const std::string& key) const {
        const json* value = find(key);
        if (value == nullptr) return std::nullopt;
        if (!value->is_array()) {
            wrongType(key, *value, "a list");
            return std::nullopt;
        }
        std::vector<std::string> out;
        for (const json& item : *value)
            out.push_back(item.is_string() ? item.get<std::string>() : quotable(item));
        return out;
    }

    void error(const std::string& key, std::string pattern,
               std::vector<Argument> arguments) const {
        Place place{file_, 0, 0, {}};
        if (!key.empty()) {
            place = placeOf(key);
            place.key = path_ + key;
        }
        findings_.push_back(
            {Severity::Error, {std::move(pattern), std::move(arguments)}, std::move(place)});
    }
    void note(std::string pattern, std::vector<Argument> arguments) const {
        findings_.push_back(
            {Severity::Note, {std::move(pattern), std::move(arguments)}, {file_, 0, 0, {}}});
    }
    void warn(std::string pattern, std::vector<Argument> arguments) const {
        findings_.push_back(
            {Severity::Warning, {std::move(pattern), std::move(arguments)}, {file_, 0, 0, {}}});
    }

private:
    /// null stands for a key that isn't there, as it does where these files are read elsewhere.
    [[nodiscard]] const json* find(const std::string& key) const {
        const auto found = object_.find(key);
        return found == object_.end() || found->is_null() ? nullptr : &*found;
    }

    void wrongType(const std::string& key, const json& value, const std::string& wanted) const {
        error(key, "`{1}` is {2}; {3} is expected.", {path_ + key, quotable(value), wanted});
    }

    /// The parser keeps no places: the key is looked for again, from its section on.
    [[nodiscard]] Place placeOf(const std::string& key) const {
        std::size_t from = 0;
        std::size_t part = 0;
        while (part < path_.size()) {
            const std::size_t dot = path_.find('.', part);
            from = std::min(text_.find('"' + path_.substr(part, dot - part) + '"', from),
                            text_.size());
            part = dot + 1;
        }
        const std::size_t at = text_.find('"' + key + '"', from);
        return at == std::string::npos ? Place{file_, 0, 0, {}} : placeOfByte(text_, at, file_);
    }

    const json& object_;
    std::string path_;  ///< "" or "text_config."
    const std::string& text_;
    const std::string& file_;
    std::vector<Finding>& findings_;
};

/// The window of local layers; `period` and `local` are the family's, where the file doesn't list
/// its layers.
void attentionPattern(Architecture& a, const Fields& f, int window, int period, int local) {
    if (const auto types = f.list("layer_types")) {
        std::vector<bool> isLocal;
        for (const std::string& type : *types) {
            if (type != "full_attention" && type != "sliding_attention" &&
                type != "chunked_attention") {
                f.error("layer_types",
                        "Layers of kind `{1}` are not modelled. Known are full_attention, "
                        "sliding_attention and chunked_attention.",
                        {type});
                return;
            }
            isLocal.push_back(type != "full_attention");
        }
        if (static_cast<int>(isLocal.size()) != a.layers) {
            f.error("layer_types", "`layer_types` has {1} items for {2} layers.",
                    {std::to_string(isLocal.size()), std::to_string(a.layers)});
            return;
        }
        const auto firstFull = std::find(isLocal.begin(), isLocal.end(), false);
        const auto nextLocal = std::find(firstFull, isLocal.end(), true);
        local = static_cast<int>(firstFull - isLocal.begin());
        period = nextLocal == isLocal.end() && local == 0
                     ? 1
                     : std::max(1, static_cast<int>(nextLocal - isLocal.begin()));
        for (int layer = 0; layer < a.layers; ++layer) {
            if (isLocal[static_cast<std::size_t>(layer)] != (layer % period < local)) {
                f.warn(
                    "The local layers of `layer_types` don't repeat in a pattern; every layer is "
                    "taken to attend to the whole sequence, which counts more work than there is.",
                    {});
                return;
            }
        }
        if (local == period) period = local = 1;
    }
    if (window <= 0 || local <= 0 || window >= a.nativeContext) return;
    a.pattern = {window, period, local};
}

/// Biases of `attention_bias` (query, key, value and output) and `mlp_bias`.
void biases(Architecture& a, const Fields& f, bool attention, bool mlp) {
    a.queryKeyValueBias = attention;
    a.linearBias = attention && mlp;
    if (attention && !mlp) {
        f.note("The bias of the attention output projection, {1} parameters a layer, is left out.",
               {units::groupedNumber(a.hidden)});
    }
    if (mlp && !attention) {
        f.note("Biases of the feed-forward block alone are left out.", {});
    }
}

/// The keys that most families share.
void decoder(Architecture& a, const Fields& f) {
    a.layers = f.required({"num_hidden_layers"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size"});
    a.heads = f.required({"num_attention_heads"});
    a.keyValueHeads = f.whole({"num_key_value_heads"}).value_or(a.heads);
    a.headSize = f.whole({"head_dim"}).value_or(0);
    a.ffn = f.required({"intermediate_size"});
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"max_position_embeddings"});
    a.gatedMlp = true;
    a.tiedEmbeddings = f.flag("tie_word_embeddings", false);
}

void llama(Architecture& a, const Fields& f) {
    decoder(a, f);
    biases(a, f, f.flag("attention_bias", false), f.flag("mlp_bias", false));
}

void mistral(Architecture& a, const Fields& f) {
    decoder(a, f);
    attentionPattern(a, f, f.whole({"sliding_window"}, 0).value_or(0), 1, 1);
}

void mixtral(Architecture& a, const Fields& f) {
    mistral(a, f);
    a.moe = workload::MixtureOfExperts{
        f.required({"num_local_experts"}), f.required({"num_experts_per_tok"}), 0, a.ffn, 0, 1};
}

void qwenWindow(Architecture& a, const Fields& f) {
    if (!f.flag("use_sliding_window", false)) return;
    const int whole = f.whole({"max_window_layers"}, 0).value_or(0);
    if (!f.has("layer_types") && whole > 0) {
        f.warn(
            "Only layers after the first {1} have a window; every layer is taken to attend to the "
            "whole sequence, which counts more work than there is.",
            {std::to_string(whole)});
        return;
    }
    attentionPattern(a, f, f.whole({"sliding_window"}, 0).value_or(0), 1, 1);
}

void qwen2(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.queryKeyValueBias = true;
    qwenWindow(a, f);
}

void qwen3(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.headSize = f.familyDefault({"head_dim"}, 128);
    a.queryKeyNorm = true;
    biases(a, f, f.flag("attention_bias", false), false);
    qwenWindow(a, f);
}

void qwenExperts(Architecture& a, const Fields& f) {
    workload::MixtureOfExperts moe;
    moe.experts = f.required({"num_experts", "num_local_experts"});
    moe.topK = f.required({"num_experts_per_tok"});
    moe.expertFfn = f.required({"moe_intermediate_size"});
    moe.interleaveStep = f.whole({"decoder_sparse_step"}).value_or(1);
    if (const std::optional<int> shared = f.whole({"shared_expert_intermediate_size"}, 0)) {
        moe.sharedExperts = *shared / moe.expertFfn;
        if (*shared % moe.expertFfn != 0) {
            f.error("shared_expert_intermediate_size",
                    "The shared expert is {1} wide, which is no whole number of experts of {2}.",
                    {std::to_string(*shared), std::to_string(moe.expertFfn)});
        }
    }
    if (const auto dense = f.list("mlp_only_layers")) {
        for (std::size_t i = 0; i < dense->size(); ++i) {
            if ((*dense)[i] != std::to_string(i)) {
                f.error("mlp_only_layers",
                        "Dense layers in other places than the first ones are not modelled.", {});
                break;
            }
        }
        moe.leadingDenseLayers = static_cast<int>(dense->size());
    }
    a.moe = moe;
}

void qwen2Moe(Architecture& a, const Fields& f) {
    qwen2(a, f);
    qwenExperts(a, f);
}

void qwen3Moe(Architecture& a, const Fields& f) {
    qwen3(a, f);
    qwenExperts(a, f);
}

void deepseek(Architecture& a, const Fields& f) {
    decoder(a, f);
    workload::LatentAttention latent;
    latent.queryRank = f.whole({"q_lora_rank"}, 0).value_or(0);
    latent.keyValueRank = f.required({"kv_lora_rank"});
    latent.nopeHeadSize = f.required({"qk_nope_head_dim"});
    latent.ropeHeadSize = f.required({"qk_rope_head_dim"});
    latent.valueHeadSize = f.required({"v_head_dim"});
    a.latent = latent;
    a.headSize = latent.nopeHeadSize + latent.ropeHeadSize;
    if (const std::optional<int> experts = f.whole({"n_routed_experts"})) {
        workload::MixtureOfExperts moe;
        moe.experts = *experts;
        moe.topK = f.required({"num_experts_per_tok"});
        moe.sharedExperts = f.whole({"n_shared_experts"}, 0).value_or(0);
        moe.expertFfn = f.required({"moe_intermediate_size"});
        moe.leadingDenseLayers = f.whole({"first_k_dense_replace"}, 0).value_or(0);
        if (const int step = f.whole({"moe_layer_freq"}).value_or(1); step != 1) {
            f.error("moe_layer_freq",
                    "Experts in every {1}th layer are not modelled for this family.",
                    {std::to_string(step)});
        }
        // One group, or all of them, is no limit.
        const int groups = f.whole({"n_group"}, 0).value_or(0);
        if (groups > 1 && f.word("topk_method", "") != "greedy") {
            const int routed = f.required({"topk_group"});
            if (routed != groups) {
                moe.routingGroups = groups;
                moe.routedGroups = routed;
            }
        }
        a.moe = moe;
    }
    a.multiTokenHeads = f.whole({"num_nextn_predict_layers"}, 0, 16).value_or(0);
}

void llama4(Architecture& a, const Fields& f) {
    a.layers = f.required({"num_hidden_layers"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size"});
    a.heads = f.required({"num_attention_heads"});
    a.keyValueHeads = f.whole({"num_key_value_heads"}).value_or(a.heads);
    a.headSize = f.familyDefault({"head_dim"}, 128);
    a.ffn = f.required({"intermediate_size_mlp"});
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"max_position_embeddings"});
    a.gatedMlp = true;
    a.tiedEmbeddings = f.flag("tie_word_embeddings", false);
    biases(a, f, f.flag("attention_bias", false), false);
    workload::MixtureOfExperts moe;
    moe.experts = f.required({"num_local_experts"});
    moe.topK = f.required({"num_experts_per_tok"});
    moe.sharedExperts = 1;
    moe.expertFfn = f.required({"intermediate_size"});
    moe.interleaveStep = f.whole({"interleave_moe_layer_step"}).value_or(1);
    a.moe = moe;
    if (const auto listed = f.list("moe_layers"); listed && !listed->empty()) {
        std::vector<std::string> stepped;
        for (int layer = 0; layer < a.layers; ++layer) {
            if (workload::isMoeLayer(a, layer)) stepped.push_back(std::to_string(layer));
        }
        if (*listed != stepped) {
            f.error("moe_layers", "`moe_layers` is not every layer that step {1} gives.",
                    {std::to_string(moe.interleaveStep)});
        }
    }
    const int chunk = f.whole({"attention_chunk_size"}, 0).value_or(0);
    const int step = f.whole({"no_rope_layer_interval"}).value_or(4);
    attentionPattern(a, f, chunk, step, step - 1);
    if (a.pattern.window > 0) {
        f.note(
            "Local layers attend within chunks of {1} tokens; they are counted as a window of that "
            "size, which is up to twice the work.",
            {units::groupedNumber(chunk)});
    }
    if (f.flag("use_qk_norm", false)) {
        f.note("The norm of queries and keys has no weights and is left out.", {});
    }
}

void gptOss(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.headSize = f.familyDefault({"head_dim"}, 64);
    a.moe = workload::MixtureOfExperts{f.required({"num_local_experts"}),
                                       f.required({"num_experts_per_tok", "experts_per_token"}),
                                       0,
                                       a.ffn,
                                       0,
                                       1};
    a.queryKeyValueBias = a.linearBias = f.flag("attention_bias", true);
    attentionPattern(a, f, f.familyDefault({"sliding_window"}, 128), 2, 1);
    f.note("Attention sinks and the router's bias, {1} parameters a layer, are left out.",
           {units::groupedNumber(a.heads + a.moe->experts)});
}

void grok(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    a.normsPerLayer = 4;
    a.moe = workload::MixtureOfExperts{
        f.required({"num_experts"}), f.required({"num_experts_per_tok"}), 0, a.ffn, 0, 1};
}

void gemma(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.headSize = f.familyDefault({"head_dim"}, 256);
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    biases(a, f, f.flag("attention_bias", false), false);
}

void gemma2(Architecture& a, const Fields& f) {
    gemma(a, f);
    a.normsPerLayer = 4;
    attentionPattern(a, f, f.familyDefault({"sliding_window"}, 4096), 2, 1);
}

/// Its files leave out what the family fixes.
void gemma3(Architecture& a, const Fields& f) {
    a.layers = f.required({"num_hidden_layers"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size"});
    a.heads = f.familyDefault({"num_attention_heads"}, 8);
    a.keyValueHeads = f.familyDefault({"num_key_value_heads"}, 4);
    a.headSize = f.familyDefault({"head_dim"}, 256);
    a.ffn = f.required({"intermediate_size"});
    a.vocabulary = f.familyDefault({"vocab_size"}, 262208);
    a.nativeContext = f.familyDefault({"max_position_embeddings"}, 131072);
    a.gatedMlp = true;
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    biases(a, f, f.flag("attention_bias", false), false);
    a.queryKeyNorm = true;
    a.normsPerLayer = 4;
    const int period = f.whole({"sliding_window_pattern", "_sliding_window_pattern"}).value_or(6);
    attentionPattern(a, f, f.familyDefault({"sliding_window"}, 4096), period, period - 1);
}

void falcon(Architecture& a, const Fields& f) {
    a.layers = f.required({"num_hidden_layers", "n_layer"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size"});
    a.heads = f.required({"num_attention_heads", "n_head"});
    const bool isNewer = f.flag("new_decoder_architecture", f.has("n_head_kv"));
    if (isNewer) {
        a.keyValueHeads = f.whole({"num_kv_heads", "n_head_kv"}).value_or(a.heads);
    } else {
        a.keyValueHeads = f.flag("multi_query", true) ? 1 : a.heads;
    }
    a.parallelBlock = isNewer || f.flag("parallel_attn", true);
    const int norms = f.whole({"num_ln_in_parallel_attn"}).value_or(isNewer ? 2 : 1);
    a.normsPerLayer = a.parallelBlock ? norms : 2;
    a.ffn = f.whole({"ffn_hidden_size"}).value_or(4 * a.hidden);
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.familyDefault({"max_position_embeddings"}, 2048);
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    a.linearBias = a.queryKeyValueBias = f.flag("bias", false);
    a.norm = Norm::LayerNorm;
    a.positional = f.flag("alibi", false) ? Positional::Alibi : Positional::Rotary;
}

/// Biases, layer norms and a plain feed-forward block, as in GPT-2.
void classic(Architecture& a) {
    a.linearBias = a.queryKeyValueBias = true;
    a.norm = Norm::LayerNorm;
    a.positional = Positional::Learned;
}

void bloom(Architecture& a, const Fields& f) {
    a.layers = f.required({"n_layer", "num_hidden_layers"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size", "n_embed"});
    a.heads = a.keyValueHeads = f.required({"n_head", "num_attention_heads"});
    a.ffn = 4 * a.hidden;
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.familyDefault({"seq_length"}, 2048);
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    classic(a);
    a.positional = Positional::Alibi;
    a.embeddingNorm = true;
}

void opt(Architecture& a, const Fields& f) {
    a.layers = f.required({"num_hidden_layers"}, 1, kMostLayers);
    a.hidden = f.required({"hidden_size"});
    a.heads = a.keyValueHeads = f.required({"num_attention_heads"});
    a.ffn = f.required({"ffn_dim"});
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"max_position_embeddings"});
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    classic(a);
    a.linearBias = a.queryKeyValueBias = f.flag("enable_bias", true);
    if (const int width = f.whole({"word_embed_proj_dim"}).value_or(a.hidden); width != a.hidden) {
        f.error("word_embed_proj_dim",
                "Embeddings of {1} in a model that is {2} wide are not modelled.",
                {std::to_string(width), std::to_string(a.hidden)});
    }
    f.note("The two extra rows of the position table are left out.", {});
}

void gpt2(Architecture& a, const Fields& f) {
    a.layers = f.required({"n_layer"}, 1, kMostLayers);
    a.hidden = f.required({"n_embd"});
    a.heads = a.keyValueHeads = f.required({"n_head"});
    a.ffn = f.whole({"n_inner"}).value_or(4 * a.hidden);
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"n_positions", "n_ctx"});
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    classic(a);
}

void gptNeox(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.gatedMlp = false;
    classic(a);
    a.positional = Positional::Rotary;
    a.queryKeyValueBias = a.linearBias = f.flag("attention_bias", true);
    a.parallelBlock = f.flag("use_parallel_residual", true);
}

void mpt(Architecture& a, const Fields& f) {
    const Fields attention = f.at("attn_config");
    const Fields mlp = f.at("ffn_config");
    a.layers = f.required({"n_layers"}, 1, kMostLayers);
    a.hidden = f.required({"d_model"});
    a.heads = f.required({"n_heads"});
    a.keyValueHeads = attention.whole({"kv_n_heads"}).value_or(a.heads);
    if (attention.word("attn_type", "") == "multiquery_attention") a.keyValueHeads = 1;
    a.ffn = f.whole({"expansion_ratio"}, 1, kLargestExpansion).value_or(4) * a.hidden;
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"max_seq_len"});
    a.gatedMlp = mlp.word("ffn_type", "mptmlp") == "mptglu";
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    a.linearBias = a.queryKeyValueBias = !f.flag("no_bias", false);
    a.norm = a.linearBias ? Norm::LayerNorm : Norm::LayerNormNoBias;
    if (f.word("norm_type", "").find("rmsnorm") != std::string::npos) a.norm = Norm::RmsNorm;
    a.positional = attention.flag("alibi", false)    ? Positional::Alibi
                   : attention.flag("rope", false)   ? Positional::Rotary
                   : f.flag("learned_pos_emb", true) ? Positional::Learned
                                                     : Positional::None;
    a.queryKeyNorm = attention.flag("qk_ln", false);
}

void olmo(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.norm = Norm::NonParametric;
    biases(a, f, f.flag("attention_bias", false), false);
}

void olmo2(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.queryKeyNorm = true;
    biases(a, f, f.flag("attention_bias", false), false);
    f.note(
        "The norm of queries and keys spans all heads; its weights are counted for one head, {1} "
        "parameters a layer too few.",
        {units::groupedNumber(static_cast<double>(a.heads + a.keyValueHeads - 2) *
                              (a.headSize > 0 ? a.headSize : a.hidden / a.heads))});
}

void olmo3(Architecture& a, const Fields& f) {
    olmo2(a, f);
    attentionPattern(a, f, f.familyDefault({"sliding_window"}, 4096), 4, 3);
}

void nemotron(Architecture& a, const Fields& f) {
    llama(a, f);
    a.gatedMlp = false;
    a.norm = Norm::LayerNorm;
}

void dbrx(Architecture& a, const Fields& f) {
    const Fields attention = f.at("attn_config");
    const Fields mlp = f.at("ffn_config");
    a.layers = f.required({"n_layers"}, 1, kMostLayers);
    a.hidden = f.required({"d_model"});
    a.heads = f.required({"n_heads"});
    a.keyValueHeads = attention.required({"kv_n_heads"});
    a.ffn = mlp.required({"ffn_hidden_size"});
    a.vocabulary = f.required({"vocab_size"});
    a.nativeContext = f.required({"max_seq_len"});
    a.gatedMlp = true;
    a.tiedEmbeddings = f.flag("tie_word_embeddings", false);
    a.norm = Norm::LayerNormNoBias;
    a.moe = workload::MixtureOfExperts{
        mlp.required({"moe_num_experts"}), mlp.required({"moe_top_k"}), 0, a.ffn, 0, 1};
}

void bert(Architecture& a, const Fields& f) {
    decoder(a, f);
    a.gatedMlp = false;
    a.tiedEmbeddings = f.flag("tie_word_embeddings", true);
    a.causal = f.flag("is_decoder", false);
    classic(a);
    a.embeddingNorm = true;
    f.note("Pooler, token types and the masked-language head are left out.", {});
}

using FamilyReader = void (*)(Architecture&, const Fields&);

const std::map<std::string, FamilyReader>& families() {
    static const std::map<std::string, FamilyReader> all{{"RefinedWeb", falcon},
                                                         {"RefinedWebModel", falcon},
                                                         {"bert", bert},
                                                         {"bloom", bloom},
                                                         {"dbrx", dbrx},
                                                         {"deepseek_v2", deepseek},
                                                         {"deepseek_v3", deepseek},
                                                         {"falcon", falcon},
                                                         {"gemma", gemma},
                                                         {"gemma2", gemma2},
                                                         {"gemma3_text", gemma3},
                                                         {"gpt2", gpt2},
                                                         {"gpt_neox", gptNeox},
                                                         {"gpt_oss", gptOss},
                                                         {"grok-1", grok},
                                                         {"kimi_k2", deepseek},
                                                         {"llama", llama},
                                                         {"llama4_text", llama4},
                                                         {"mistral", mistral},
                                                         {"mixtral", mixtral},
                                                         {"mpt", mpt},
                                                         {"nemotron", nemotron},
                                                         {"olmo", olmo},
                                                         {"olmo2", olmo2},
                                                         {"olmo3", olmo3},
                                                         {"opt", opt},
                                                         {"phi3", mistral},
                                                         {"qwen2", qwen2},
                                                         {"qwen2_moe", qwen2Moe},
                                                         {"qwen3", qwen3},
                                                         {"qwen3_moe", qwen3Moe}};
    return all;
}

/// The text part of a file that has one, under the type that it names or that the whole implies.
std::string textType(const std::string& whole, const Fields& part) {
    const std::string implied = whole == "gemma3"   ? "gemma3_text"
                                : whole == "llama4" ? "llama4_text"
                                : whole == "llava"  ? "llama"
                                                    : whole;
    return part.word("model_type", implied);
}

std::string idOf(const std::string& file) {
    const std::filesystem::path path(file);
    const std::string stem = path.stem().string();
    return stem == "config" ? path.parent_path().filename().string() : stem;
}

Finding error(std::string pattern, std::vector<Argument> arguments, Place place) {
    return {Severity::Error, {std::move(pattern), std::move(arguments)}, std::move(place)};
}

Finding tooLarge(const std::string& file) {
    return error("The file is larger than {1} MiB; a config.json is a few kilobytes.",
                 {std::to_string(kMaxConfigBytes >> 20U)}, {file, 0, 0, {}});
}

}  // namespace

std::vector<std::string> knownModelTypes() {
    std::vector<std::string> out{"gemma3", "llama4"};
    for (const auto& [type, reader] : families()) out.push_back(type);
    std::sort(out.begin(), out.end(), [](const std::string& a, const std::string& b) {
        return std::lexicographical_compare(
            a.begin(), a.end(), b.begin(), b.end(),
            [](unsigned char x, unsigned char y) { return std::tolower(x) < std::tolower(y); });
    });
    return out;
}

Outcome<Architecture> architectureFromConfig(const std::string& text, const std::string& file) {
    const Place whole{file, 0, 0, {}};
    if (text.size() > kMaxConfigBytes) return tooLarge(file);
    if (const std::size_t at = tooDeepAt(text); at != std::string::npos) {
        return error("Brackets nest deeper than {1} here.", {std::to_string(kMaxConfigDepth)},
                     placeOfByte(text, at, file));
    }
    json root;
    try {
        root = json::parse(text);
    } catch (const json::parse_error& e) {
        return error("This is not JSON from here on.", {},
                     placeOfByte(text, e.byte > 0 ? e.byte - 1 : 0, file));
    } catch (const json::out_of_range&) {
        return error("A number in the file is too large to be read.", {}, whole);
    }
    if (!root.is_object()) {
        return error("A JSON object is expected, with `model_type` and the sizes of the model.", {},
                     whole);
    }
    std::vector<Finding> findings;
    const Fields top(root, "", text, file, findings);
    std::string type = top.word("model_type", "");
    const bool isNested = top.has("text_config") && families().count(type) == 0;
    if (hasErrors(findings)) return findings;
    if (type.empty() && !isNested) {
        return error("`model_type` is missing; it says how the sizes are named. Known are {1}.",
                     {joined(knownModelTypes())}, whole);
    }
    const Fields fields = isNested ? top.at("text_config") : top;
    if (isNested || type == "gemma3" || type == "llama4") type = textType(type, fields);
    const auto family = families().find(type);
    if (family == families().end()) {
        top.error("model_type",
                  "`{1}` is a model_type whose keys are not known here. Known are {2}. The "
                  "architecture can be written out in the scenario.",
                  {quotable(type), joined(knownModelTypes())});
        return findings;
    }
    Architecture a;
    a.id = idOf(file);
    if (a.id.empty() || a.id == "." || a.id == "..") a.id = type;
    a.family = type;
    family->second(a, fields);
    for (const char* tower : {"vision_config", "audio_config"}) {
        if (top.has(tower)) {
            top.note("`{1}` is left out: only the text model is modelled.", {tower});
        }
    }
    if (hasErrors(findings)) return findings;
    if (a.headSize == 0 && a.hidden % a.heads != 0) {
        return error("{1} heads don't divide the hidden size {2}, and no head size is given.",
                     {std::to_string(a.heads), std::to_string(a.hidden)}, whole);
    }
    if (a.headSize == 0) a.headSize = a.hidden / a.heads;
    for (Finding f : workload::validate(a)) {
        f.place = whole;
        findings.push_back(std::move(f));
    }
    if (hasErrors(findings)) return findings;
    return {std::move(a), std::move(findings)};
}

Outcome<Architecture> architectureFromConfigFile(const std::string& path) {
    const Place place{path, 0, 0, {}};
    std::error_code failure;
    const auto status = std::filesystem::status(path, failure);
    if (!std::filesystem::exists(status)) return error("There is no such file.", {}, place);
    if (std::filesystem::is_directory(status)) {
        return error("This is a folder; the config.json in it is expected.", {}, place);
    }
    std::ifstream in(path, std::ios::binary);
    if (!in) return error("The file can't be read.", {}, place);
    std::string text(kMaxConfigBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad()) return error("The file can't be read.", {}, place);
    text.resize(static_cast<std::size_t>(in.gcount()));
    return architectureFromConfig(text, path);
}

}  // namespace trainwright::import
