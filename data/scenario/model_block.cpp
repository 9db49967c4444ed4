// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/model_block.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "data/scenario/registry.h"

namespace trainwright::scenario {

namespace {

/// A name as YAML: plain where it can't be taken for anything else, else in double quotes.
std::string yamlText(const std::string& text) {
    constexpr std::array<std::string_view, 8> kWords{"true", "false", "null", "yes",
                                                     "no",   "on",    "off",  "custom"};
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
    const bool isPlain =
        !text.empty() && isLetter(text.front()) &&
        std::all_of(text.begin(), text.end(),
                    [&](char c) {
                        return isLetter(c) || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
                               c == '.';
                    }) &&
        std::none_of(kWords.begin(), kWords.end(), [&](std::string_view word) {
            return word.size() == text.size() &&
                   std::equal(word.begin(), word.end(), text.begin(),
                              [](char w, char c) { return w == c || w == c + ('a' - 'A'); });
        });
    if (isPlain) return text;
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
    return out + '"';
}

class Block {
public:
    void map(const std::string& name) {
        out_ += std::string(2, ' ') + name + ":\n";
        indent_ = 4;
        path_ = "model." + name + ".";
    }
    void top() {
        indent_ = 2;
        path_ = "model.";
    }
    void text(const std::string& key, const std::string& value) {
        out_ += std::string(indent_, ' ') + key + ": " + value + "\n";
    }
    void number(const std::string& key, int value) {
        const Parameter* parameter = findParameter(path_ + key);
        if (parameter != nullptr && parameter->defaultText == std::to_string(value)) return;
        text(key, std::to_string(value));
    }
    void flag(const std::string& key, bool value) { word(key, value ? "true" : "false"); }
    void word(const std::string& key, const std::string& value) {
        if (findParameter(path_ + key)->defaultText != value) text(key, value);
    }
    /// The word of an enumeration, in the order of the registry.
    template <typename Enumeration>
    void choice(const std::string& key, Enumeration value) {
        word(key, findParameter(path_ + key)->words.at(static_cast<std::size_t>(value)));
    }
    [[nodiscard]] const std::string& all() const { return out_; }

private:
    std::string out_ = "model:\n";
    std::string path_ = "model.";
    std::size_t indent_ = 2;
};

}  // namespace

std::string modelBlock(const workload::Architecture& a) {
    Block b;
    b.text("name", yamlText(a.id));
    b.number("layers", a.layers);
    b.number("hidden", a.hidden);
    b.number("heads", a.heads);
    if (a.keyValueHeads != a.heads) b.number("kv_heads", a.keyValueHeads);
    const bool followsFromHidden = a.hidden % a.heads == 0 && a.headSize == a.hidden / a.heads;
    const bool followsFromLatent =
        a.latent && a.headSize == a.latent->nopeHeadSize + a.latent->ropeHeadSize;
    if (a.latent ? !followsFromLatent : !followsFromHidden) b.number("head_size", a.headSize);
    b.number("ffn", a.ffn);
    b.number("vocabulary", a.vocabulary);
    b.number("context", a.nativeContext);
    b.flag("gated_mlp", a.gatedMlp);
    b.flag("tied_embeddings", a.tiedEmbeddings);
    b.flag("causal", a.causal);
    b.flag("linear_bias", a.linearBias);
    b.flag("query_key_value_bias", a.queryKeyValueBias);
    b.flag("query_key_norm", a.queryKeyNorm);
    b.flag("parallel_block", a.parallelBlock);
    b.number("norms_per_layer", a.normsPerLayer);
    b.flag("embedding_norm", a.embeddingNorm);
    b.choice("norm", a.norm);
    b.choice("positional", a.positional);
    if (a.pattern.window > 0) {
        b.map("attention_window");
        b.number("size", a.pattern.window);
        b.number("period", a.pattern.period);
        b.number("local_per_period", a.pattern.localPerPeriod);
    }
    if (a.moe) {
        b.map("moe");
        b.number("experts", a.moe->experts);
        b.number("top_k", a.moe->topK);
        b.number("shared_experts", a.moe->sharedExperts);
        b.number("expert_ffn", a.moe->expertFfn);
        b.number("leading_dense_layers", a.moe->leadingDenseLayers);
        b.number("interleave_step", a.moe->interleaveStep);
        b.number("routing_groups", a.moe->routingGroups);
        b.number("routed_groups", a.moe->routedGroups);
    }
    if (a.latent) {
        b.map("latent_attention");
        b.number("query_rank", a.latent->queryRank);
        b.number("key_value_rank", a.latent->keyValueRank);
        b.number("nope_head_size", a.latent->nopeHeadSize);
        b.number("rope_head_size", a.latent->ropeHeadSize);
        b.number("value_head_size", a.latent->valueHeadSize);
    }
    b.top();
    b.number("multi_token_heads", a.multiTokenHeads);
    return b.all();
}

}  // namespace trainwright::scenario
