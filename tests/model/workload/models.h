// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes that tests work with, written by hand so that they don't hang on the catalog.
#pragma once

#include "model/workload/architecture.h"

namespace trainwright::workload::testing {

inline Architecture gpt(const char* id, int layers, int hidden, int heads, int vocabulary = 51200,
                        int context = 2048) {
    Architecture a;
    a.id = id;
    a.family = "gpt3";
    a.layers = layers;
    a.hidden = hidden;
    a.heads = a.keyValueHeads = heads;
    a.headSize = hidden / heads;
    a.ffn = 4 * hidden;
    a.vocabulary = vocabulary;
    a.nativeContext = context;
    a.tiedEmbeddings = true;
    a.linearBias = a.queryKeyValueBias = true;
    a.norm = Norm::LayerNorm;
    a.positional = Positional::Learned;
    return a;
}

inline Architecture llama(const char* id, int layers, int hidden, int heads, int keyValueHeads,
                          int ffn, int vocabulary) {
    Architecture a;
    a.id = id;
    a.family = "llama";
    a.layers = layers;
    a.hidden = hidden;
    a.heads = heads;
    a.keyValueHeads = keyValueHeads;
    a.headSize = 128;
    a.ffn = ffn;
    a.vocabulary = vocabulary;
    a.nativeContext = 8192;
    a.gatedMlp = true;
    return a;
}

inline Architecture llama3_8b() {
    return llama("llama3-8b", 32, 4096, 32, 8, 14336, 128256);
}
inline Architecture llama3_70b() {
    return llama("llama3-70b", 80, 8192, 64, 8, 28672, 128256);
}
inline Architecture llama31_405b() {
    return llama("llama3.1-405b", 126, 16384, 128, 8, 53248, 128256);
}

inline Architecture mixtral8x7b() {
    Architecture a = llama("mixtral-8x7b", 32, 4096, 32, 8, 14336, 32000);
    a.moe = MixtureOfExperts{8, 2, 0, 14336, 0, 1};
    return a;
}

inline Architecture qwen3_32b() {
    Architecture a = llama("qwen3-32b", 64, 5120, 64, 8, 25600, 151936);
    a.queryKeyNorm = true;
    return a;
}

inline Architecture qwen3_30b_a3b() {
    Architecture a = llama("qwen3-30b-a3b", 48, 2048, 32, 4, 6144, 151936);
    a.queryKeyNorm = true;
    a.moe = MixtureOfExperts{128, 8, 0, 768, 0, 1};
    return a;
}

inline Architecture deepseekV3() {
    Architecture a = llama("deepseek-v3", 61, 7168, 128, 128, 18432, 129280);
    a.headSize = 192;
    a.latent = LatentAttention{1536, 512, 128, 64, 128};
    a.moe = MixtureOfExperts{256, 8, 1, 2048, 3, 1};
    return a;
}

inline Architecture llama4Maverick() {
    Architecture a = llama("llama4-maverick", 48, 5120, 40, 8, 16384, 202048);
    a.moe = MixtureOfExperts{128, 1, 1, 8192, 0, 2};
    return a;
}

}  // namespace trainwright::workload::testing
