// SPDX-License-Identifier: GPL-3.0-or-later
// Models from elsewhere, read and shown as a scenario takes them.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "app/commands/commands.h"
#include "app/commands/common.h"
#include "data/import/hugging_face.h"
#include "data/scenario/model_block.h"
#include "data/scenario/registry.h"
#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

using units::groupedNumber;
using workload::Architecture;
using Json = nlohmann::ordered_json;

/// The shape in a few lines of comment, so that all of the output can be pasted.
std::string summary(const Architecture& a, const std::string& file) {
    const workload::ParameterCount count = workload::countParameters(a);
    std::string source = file;
    std::replace_if(
        source.begin(), source.end(), [](unsigned char c) { return c < 0x20; }, '?');
    std::string out = fmt::format("# {}, model_type {}\n# {} parameters", source, a.family,
                                  groupedNumber(count.total));
    if (a.moe) {
        out += fmt::format(", {} of them for each token", groupedNumber(count.active));
    }
    if (count.multiToken > 0) {
        out += fmt::format("; {} more to predict further tokens", groupedNumber(count.multiToken));
    }
    out += fmt::format("\n# {} layers of {}, {} heads of {}", a.layers, groupedNumber(a.hidden),
                       a.heads, a.headSize);
    if (a.latent) {
        out += fmt::format(" over {} latent channels", a.latent->keyValueRank);
    } else if (a.keyValueHeads != a.heads) {
        out += fmt::format(", {} for keys and values", a.keyValueHeads);
    }
    if (a.moe) {
        out += fmt::format("\n# {} of {} layers with {} experts of {}, {} for each token",
                           workload::moeLayers(a), a.layers, a.moe->experts,
                           groupedNumber(a.moe->expertFfn), a.moe->topK);
        if (a.moe->sharedExperts > 0) {
            out += fmt::format(" and {} for all", a.moe->sharedExperts);
        }
    }
    if (a.pattern.window > 0) {
        out += fmt::format("\n# {} of every {} layers attend to {} tokens alone",
                           a.pattern.localPerPeriod, a.pattern.period,
                           groupedNumber(a.pattern.window));
    }
    return out + "\n";
}

Json shape(const Architecture& a) {
    const auto word = [](const char* key, auto value) {
        return scenario::findParameter(std::string("model.") + key)
            ->words.at(static_cast<std::size_t>(value));
    };
    Json j;
    j["layers"] = a.layers;
    j["hidden"] = a.hidden;
    j["heads"] = a.heads;
    j["kv_heads"] = a.keyValueHeads;
    j["head_size"] = a.headSize;
    j["ffn"] = a.ffn;
    j["vocabulary"] = a.vocabulary;
    j["context"] = a.nativeContext;
    j["gated_mlp"] = a.gatedMlp;
    j["tied_embeddings"] = a.tiedEmbeddings;
    j["causal"] = a.causal;
    j["linear_bias"] = a.linearBias;
    j["query_key_value_bias"] = a.queryKeyValueBias;
    j["query_key_norm"] = a.queryKeyNorm;
    j["parallel_block"] = a.parallelBlock;
    j["norms_per_layer"] = a.normsPerLayer;
    j["embedding_norm"] = a.embeddingNorm;
    j["norm"] = word("norm", a.norm);
    j["positional"] = word("positional", a.positional);
    if (a.pattern.window > 0) {
        j["attention_window"] = {{"size", a.pattern.window},
                                 {"period", a.pattern.period},
                                 {"local_per_period", a.pattern.localPerPeriod}};
    }
    if (a.moe) {
        j["moe"] = {{"experts", a.moe->experts},
                    {"top_k", a.moe->topK},
                    {"shared_experts", a.moe->sharedExperts},
                    {"expert_ffn", a.moe->expertFfn},
                    {"leading_dense_layers", a.moe->leadingDenseLayers},
                    {"interleave_step", a.moe->interleaveStep}};
    }
    if (a.latent) {
        j["latent_attention"] = {{"query_rank", a.latent->queryRank},
                                 {"key_value_rank", a.latent->keyValueRank},
                                 {"nope_head_size", a.latent->nopeHeadSize},
                                 {"rope_head_size", a.latent->ropeHeadSize},
                                 {"value_head_size", a.latent->valueHeadSize}};
    }
    j["multi_token_heads"] = a.multiTokenHeads;
    return j;
}

std::string asJson(const Architecture& a, const std::vector<Finding>& findings) {
    const workload::ParameterCount count = workload::countParameters(a);
    Json j;
    j["schema"] = "trainwright/catalog-import-model/1";
    j["name"] = a.id;
    j["model_type"] = a.family;
    j["parameters"] = static_cast<long long>(count.total);
    j["parameters_active"] = static_cast<long long>(count.active);
    j["parameters_multi_token"] = static_cast<long long>(count.multiToken);
    j["architecture"] = shape(a);
    j["notes"] = Json::array();
    for (const Finding& finding : findings) {
        j["notes"].push_back(finding.text.english());
    }
    j["model_block"] = scenario::modelBlock(a);
    return j.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace

ExitCode catalogImportModel(const ImportOptions& options) {
    Outcome<Architecture> read = import::architectureFromConfigFile(options.file);
    say(read.findings());
    if (!read) {
        return ExitCode::BadInput;
    }
    Architecture architecture = *read;
    if (!options.id.empty()) {
        architecture.id = options.id;
    }
    return print(options.json
                     ? asJson(architecture, read.findings())
                     : summary(architecture, options.file) + scenario::modelBlock(architecture));
}

}  // namespace trainwright::app
