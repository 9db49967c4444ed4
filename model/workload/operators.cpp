// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/workload/operators.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <utility>

#include "model/workload/flops.h"

namespace trainwright::workload {

namespace {

// Query rows that one thread block of a fused attention kernel takes.
constexpr double kAttentionRows = 128;

Operator gemm(const char* name, double m, double n, double k, double count = 1) {
    Operator o;
    o.name = name;
    o.kind = OperatorKind::Gemm;
    o.m = m;
    o.n = n;
    o.k = k;
    o.count = count;
    o.backwardKernels = 2;
    return o;
}

Operator vectorOperator(const char* name, double forwardBytes, double backwardBytes) {
    Operator o;
    o.name = name;
    o.forwardBytes = forwardBytes;
    o.backwardBytes = backwardBytes;
    return o;
}

// Tokens of the micro-batch on this rank, and the share of them that norms and residuals see.
struct Tokens {
    double all = 0;
    double normed = 0;
};

Tokens tokensOf(const Shard& s) {
    Tokens t;
    t.all = s.microBatch * s.sequence / s.context;
    t.normed = s.sequenceParallel ? t.all / s.tensor : t.all;
    return t;
}

class LayerBuilder {
public:
    LayerBuilder(const Architecture& a, const Shard& s, const Kernels& k)
        : a_(a), s_(s), k_(k), tokens_(tokensOf(s)), e_(k.elementBytes) {}

    std::vector<Operator> build(LayerKind kind, int layer) {
        const double h = a_.hidden;
        norm("norm before attention");
        attention(layer);
        if (!a_.parallelBlock) {
            residual("residual after attention");
            if (a_.normsPerLayer >= 2) norm("norm before MLP");
        }
        // The tensor that the norm hands on is the input of the MLP's first projection.
        const KeptTensor mlpInput{(kind == LayerKind::Moe ? e_ : inputBytes()) * h *
                                      (a_.parallelBlock ? 0.0 : tokens_.normed),
                                  kNorm | (kind == LayerKind::Moe ? kMoe : kNoGroup)};
        if (kind == LayerKind::Moe) {
            mixture(mlpInput);
        } else {
            denseMlp(mlpInput);
        }
        residual("residual after MLP");
        for (int extra = 2; extra < a_.normsPerLayer; ++extra) norm("post norm");
        return std::move(out_);
    }

private:
    void norm(const char* name) {
        const double elements = tokens_.normed * a_.hidden;
        Operator o = vectorOperator(name, 2 * e_ * elements, 3 * e_ * elements);
        o.rerunIn = kNorm;
        o.keep({e_ * elements, kNoGroup});
        out_.push_back(std::move(o));
    }

    void residual(const char* name) {
        const double elements = tokens_.normed * a_.hidden;
        const double mask = k_.dropout > 0 ? elements : 0.0;
        // One pass reads the branch and the trunk and writes the sum; without fusion, bias and
        // dropout are passes of their own.
        const double passes = k_.fusedNormResidual ? 3 : (k_.dropout > 0 ? 7 : 5);
        Operator o = vectorOperator(name, passes * e_ * elements + mask,
                                    (passes - 1) * e_ * elements + mask);
        if (!k_.fusedNormResidual) o.forwardKernels = o.backwardKernels = k_.dropout > 0 ? 3 : 2;
        if (mask > 0) o.keep({mask, kNoGroup});
        out_.push_back(std::move(o));
    }

    // Bytes an element that is kept as the input of a GEMM of the recipe.
    [[nodiscard]] double inputBytes() const { return k_.casts ? k_.castBytes : e_; }

    void cast(const char* name, double elements, double pieces = 1) {
        if (!k_.casts) return;
        // The backward pass wants the transposed copy, too: both are written.
        const double bytes = (k_.castReads * e_ + 2 * k_.castBytes) * elements;
        out_.push_back(vectorOperator(name, bytes, bytes));
        out_.back().forwardKernels = out_.back().backwardKernels = pieces;
    }

    void attention(int layer) {
        if (a_.latent) {
            latentProjections(layer);
        } else {
            const double q = static_cast<double>(queryChannels(a_)) / s_.tensor;
            const double kv = keyValueChannelsPerRank(a_, s_.tensor);
            cast("quantise attention input", tokens_.all * a_.hidden);
            Operator o = gemm("query/key/value projection", tokens_.all, q + 2 * kv, a_.hidden);
            o.recipeDtype = true;
            o.keep({inputBytes() * tokens_.normed * a_.hidden, kNorm});
            out_.push_back(std::move(o));
            if (a_.positional == Positional::Rotary) {
                out_.push_back(vectorOperator("rotary embedding", 2 * e_ * tokens_.all * (q + kv),
                                              2 * e_ * tokens_.all * (q + kv)));
            }
            core(layer, q, kv, kv, 2 * q);
        }
        const double q = outputChannels();
        cast("quantise attention output", tokens_.all * q);
        Operator o = gemm("attention output projection", tokens_.all, a_.hidden, q);
        o.recipeDtype = true;
        // The kernel's output is kept once: for this projection and, when fused, for the kernel's
        // own backward.
        o.keep({e_ * tokens_.all * q, kNoGroup});
        out_.push_back(std::move(o));
    }

    [[nodiscard]] double outputChannels() const {
        const double perHead = a_.latent ? a_.latent->valueHeadSize : a_.headSize;
        return static_cast<double>(a_.heads) * perHead / s_.tensor;
    }

    void latentProjections(int layer) {
        const LatentAttention& l = *a_.latent;
        const double heads = static_cast<double>(a_.heads) / s_.tensor;
        const double queryHead = l.nopeHeadSize + l.ropeHeadSize;
        const double h = a_.hidden;
        if (l.queryRank > 0) {
            Operator down = gemm("query down-projection", tokens_.all, l.queryRank, h);
            down.recipeDtype = true;
            out_.push_back(std::move(down));
            Operator latentNorm =
                vectorOperator("latent query norm", 2 * e_ * tokens_.all * l.queryRank,
                               3 * e_ * tokens_.all * l.queryRank);
            latentNorm.keep({e_ * tokens_.all * l.queryRank, kNoGroup});
            out_.push_back(std::move(latentNorm));
            Operator up = gemm("query up-projection", tokens_.all, heads * queryHead, l.queryRank);
            up.recipeDtype = true;
            up.rerunIn = kLatentUp;
            up.keep({inputBytes() * tokens_.all * l.queryRank, kNoGroup});
            out_.push_back(std::move(up));
        } else {
            Operator plain = gemm("query projection", tokens_.all, heads * queryHead, h);
            plain.recipeDtype = true;
            out_.push_back(std::move(plain));
        }
        Operator down =
            gemm("key/value down-projection", tokens_.all, l.keyValueRank + l.ropeHeadSize, h);
        down.recipeDtype = true;
        down.keep({inputBytes() * tokens_.normed * h, kNorm});
        out_.push_back(std::move(down));
        Operator latentNorm =
            vectorOperator("latent key/value norm", 2 * e_ * tokens_.all * l.keyValueRank,
                           3 * e_ * tokens_.all * l.keyValueRank);
        latentNorm.keep({e_ * tokens_.all * l.keyValueRank, kNoGroup});
        out_.push_back(std::move(latentNorm));
        Operator up = gemm("key/value up-projection", tokens_.all,
                           heads * (l.nopeHeadSize + l.valueHeadSize), l.keyValueRank);
        up.recipeDtype = true;
        up.rerunIn = kLatentUp;
        up.keep({inputBytes() * tokens_.all * l.keyValueRank, kNoGroup});
        out_.push_back(std::move(up));
        const double rope = tokens_.all * l.ropeHeadSize * (heads + 1);
        Operator rotary = vectorOperator("rotary embedding", 2 * e_ * rope, 2 * e_ * rope);
        rotary.rerunIn = kLatentUp;
        out_.push_back(std::move(rotary));
        core(layer, heads * queryHead, heads * queryHead, heads * l.valueHeadSize,
             heads * (queryHead + l.valueHeadSize));
    }

    // Scores, softmax and values. Channels are those of one rank; `scoreChannels` is the score
    // product's plus the value product's.
    void core(int layer, double q, double keys, double values, double scoreChannels) {
        const AttendedTokens attended = attendedTokens(a_, layer, s_.sequence);
        const double headsPerRank = static_cast<double>(a_.heads) / s_.tensor;
        const double keptKeys = k_.keyValueRepeated ? q : keys;
        const double keptValues = k_.keyValueRepeated ? outputChannels() : values;
        // Under a gather the keys and values of the whole sequence are there, but what is kept is
        // the rank's own part.
        const KeptTensor qkv{e_ * tokens_.all * (q + keptKeys + keptValues),
                             a_.latent ? kLatentUp : kNoGroup};
        if (k_.flashAttention) {
            Operator o;
            o.name = "attention";
            o.kind = OperatorKind::Attention;
            // Dealt in one piece each, the rank with the end of the sequence has the causal work of
            // almost a full square: 2 − 1/c of the mean.
            const double skew = s_.contextBalanced || s_.contextSplit == ContextSplit::Heads
                                    ? 1.0
                                    : 2.0 - 1.0 / s_.context;
            const double span =
                k_.causalSkipping ? std::min(attended.full, skew * attended.causal) : attended.full;
            o.forwardFlop = 2.0 * tokens_.all * span * scoreChannels;
            o.backwardFlop =
                2.5 * o.forwardFlop;  // scores are computed again inside the backward kernel
            // The ring hands on one block of keys at a time.
            const bool blockwise = s_.contextSplit == ContextSplit::Ring;
            o.attentionSpan = attended.full / (blockwise ? s_.context : 1);
            o.independentTiles = s_.microBatch * headsPerRank *
                                 std::max(1.0, s_.sequence / s_.context / kAttentionRows);
            const double seen = s_.contextSplit == ContextSplit::Gathered ? s_.context : 1.0;
            const double tensors =
                e_ * tokens_.all * (q + seen * (keys + values) + outputChannels());
            o.forwardBytes = tensors;
            o.backwardBytes = 2.5 * tensors;
            o.backwardKernels = 2;
            o.rerunIn = kCoreAttention;
            o.keep(qkv);
            o.keep({4 * tokens_.all * headsPerRank, kNoGroup});  // log-sum-exp, fp32
            out_.push_back(std::move(o));
            if (s_.context > 1 && blockwise) {
                // Each further block of the ring rescales the fp32 output; backward adds into fp32
                // gradients of queries, keys and values.
                const double steps = s_.context - 1;
                const double rescaled = 8 * tokens_.all * outputChannels();
                const double added = 8 * tokens_.all * (q + keys + values);
                Operator merge =
                    vectorOperator("merge of attention blocks", steps * rescaled, steps * added);
                merge.forwardKernels = merge.backwardKernels = 2 * steps;
                merge.rerunIn = kCoreAttention;
                out_.push_back(std::move(merge));
            }
            return;
        }
        const double batch = s_.microBatch * headsPerRank;
        const double rows = s_.sequence / s_.context;
        const double square = batch * rows * s_.sequence;
        Operator scores = gemm("attention scores", rows, s_.sequence, q / headsPerRank, batch);
        scores.trained = false;
        scores.rerunIn = kCoreAttention;
        scores.keep(qkv);
        out_.push_back(std::move(scores));
        // Scale, mask and softmax in one kernel read and write the square once; separately, four
        // times, half of it in fp32.
        const bool fused = k_.fusedSoftmax && std::fmod(batch, k_.fusedSoftmaxMultiple) == 0;
        Operator softmax = vectorOperator("softmax", (fused ? 2 : 10) * e_ * square,
                                          (fused ? 3 : 8) * e_ * square);
        if (!fused) softmax.forwardKernels = softmax.backwardKernels = 4;
        softmax.rerunIn = kCoreAttention;
        softmax.keep({e_ * square, kCoreAttention});
        out_.push_back(std::move(softmax));
        if (k_.dropout > 0) {
            Operator dropout =
                vectorOperator("attention dropout", (2 * e_ + 1) * square, (2 * e_ + 1) * square);
            dropout.rerunIn = kCoreAttention;
            dropout.keep({square, kCoreAttention});
            dropout.keep({e_ * square, kCoreAttention});
            out_.push_back(std::move(dropout));
        }
        Operator valuesProduct =
            gemm("attention values", rows, outputChannels() / headsPerRank, s_.sequence, batch);
        valuesProduct.trained = false;
        valuesProduct.rerunIn = kCoreAttention;
        out_.push_back(std::move(valuesProduct));
    }

    void denseMlp(KeptTensor input) {
        const double f = static_cast<double>(a_.ffn) / s_.tensor;
        const double up = a_.gatedMlp ? 2 : 1;
        cast("quantise MLP input", tokens_.all * a_.hidden);
        Operator fc1 = gemm(a_.gatedMlp ? "MLP gate and up projection" : "MLP up projection",
                            tokens_.all, up * f, a_.hidden);
        fc1.recipeDtype = true;
        fc1.rerunIn = kMlp;
        fc1.keep(input);
        out_.push_back(std::move(fc1));
        Operator act = vectorOperator("MLP activation", (up + 1) * e_ * tokens_.all * f,
                                      (2 * up + 1) * e_ * tokens_.all * f);
        act.rerunIn = kMlpActivation | kMlp;
        act.keep({up * k_.activationInputBytes * tokens_.all * f, kMlp});
        out_.push_back(std::move(act));
        cast("quantise MLP activation", tokens_.all * f);
        Operator fc2 = gemm("MLP down projection", tokens_.all, a_.hidden, f);
        fc2.recipeDtype = true;
        fc2.keep({inputBytes() * tokens_.all * f, kMlpActivation | kMlp});
        out_.push_back(std::move(fc2));
    }

    void mixture(KeptTensor input) {
        const MixtureOfExperts& moe = *a_.moe;
        const double h = a_.hidden;
        const double up = a_.gatedMlp ? 2 : 1;
        Operator router = gemm("router", tokens_.normed, moe.experts, h);
        router.rerunIn = kMoe;
        router.keep(input);
        out_.push_back(std::move(router));
        // Every rank of the expert group sends its tokens out and gets as many back on average.
        const double routed = tokens_.normed * moe.topK * s_.expertImbalance *
                              (s_.sequenceParallel ? s_.expertTensor : 1.0);
        Operator permute =
            vectorOperator("token permutation", 4 * e_ * routed * h, 4 * e_ * routed * h);
        permute.forwardKernels = permute.backwardKernels = 2 + k_.mixtureKernels;
        permute.rerunIn = kMoe;
        out_.push_back(std::move(permute));
        const double local = static_cast<double>(moe.experts) / s_.expert;
        const double perExpert = routed / local;
        const double f = static_cast<double>(moe.expertFfn) / s_.expertTensor;
        const double pieces = k_.groupedGemms ? 1 : local;
        cast("quantise expert input", routed * h, pieces);
        Operator fc1 = gemm("expert gate and up projection", perExpert, up * f, h, local);
        fc1.recipeDtype = true;
        fc1.oneByOne = !k_.groupedGemms;
        fc1.rerunIn = kMoe | kMlp;
        fc1.keep({inputBytes() * routed * h, kMoe});
        out_.push_back(std::move(fc1));
        Operator act = vectorOperator("expert activation", (up + 1) * e_ * routed * f,
                                      (2 * up + 1) * e_ * routed * f);
        act.rerunIn = kMoe | kMlp | kMlpActivation;
        act.keep({up * k_.activationInputBytes * routed * f, kMoe | kMlp});
        out_.push_back(std::move(act));
        cast("quantise expert activation", routed * f, pieces);
        Operator fc2 = gemm("expert down projection", perExpert, h, f, local);
        fc2.recipeDtype = true;
        fc2.oneByOne = !k_.groupedGemms;
        fc2.rerunIn = kMoe;
        fc2.keep({inputBytes() * routed * f, kMoe | kMlp | kMlpActivation});
        out_.push_back(std::move(fc2));
        if (moe.sharedExperts > 0) {
            const double fs = static_cast<double>(moe.expertFfn) * moe.sharedExperts / s_.tensor;
            Operator shared1 =
                gemm("shared expert gate and up projection", tokens_.all, up * fs, h);
            shared1.recipeDtype = true;
            shared1.rerunIn = kMoe | kMlp | kSharedExperts;
            out_.push_back(std::move(shared1));
            Operator sharedAct =
                vectorOperator("shared expert activation", (up + 1) * e_ * tokens_.all * fs,
                               (2 * up + 1) * e_ * tokens_.all * fs);
            sharedAct.rerunIn = kMoe | kMlp | kMlpActivation | kSharedExperts;
            sharedAct.keep(
                {up * k_.activationInputBytes * tokens_.all * fs, kMoe | kMlp | kSharedExperts});
            out_.push_back(std::move(sharedAct));
            Operator shared2 = gemm("shared expert down projection", tokens_.all, h, fs);
            shared2.recipeDtype = true;
            shared2.rerunIn = kMoe;
            shared2.keep(
                {inputBytes() * tokens_.all * fs, kMoe | kMlp | kMlpActivation | kSharedExperts});
            out_.push_back(std::move(shared2));
        }
    }

    const Architecture& a_;
    const Shard& s_;
    const Kernels& k_;
    Tokens tokens_;
    double e_;
    std::vector<Operator> out_;
};

}  // namespace

RecomputeGroup recomputeGroup(std::string_view name) {
    for (std::size_t i = 0; i < recomputeGroupNames().size(); ++i) {
        if (recomputeGroupNames()[i] == name) return static_cast<RecomputeGroup>(1U << i);
    }
    return kNoGroup;
}

unsigned recomputeGroups(const std::vector<std::string>& names) {
    unsigned groups = kNoGroup;
    for (const std::string& name : names) groups |= recomputeGroup(name);
    return groups;
}

const std::vector<std::string_view>& recomputeGroupNames() {
    static const std::vector<std::string_view> names{
        "norm", "core_attention", "mlp_activation", "mlp", "moe", "shared_experts", "latent_up"};
    return names;
}

std::string recomputeGroupsText(unsigned groups) {
    std::string out;
    for (std::size_t i = 0; i < recomputeGroupNames().size(); ++i) {
        if ((groups & (1U << i)) == 0) continue;
        if (!out.empty()) out += " + ";
        out += recomputeGroupNames()[i];
    }
    return out;
}

void Operator::keep(KeptTensor tensor) {
    for (KeptTensor& place : kept) {
        if (place.bytes == 0) {
            place = tensor;
            return;
        }
    }
    assert(!"an operator keeps at most three tensors");
}

double keyValueChannelsPerRank(const Architecture& a, int tensor) {
    const double headsPerRank = std::max(1.0, static_cast<double>(a.keyValueHeads) / tensor);
    return headsPerRank * a.headSize;
}

std::vector<Operator> layerOperators(const Architecture& a, LayerKind kind, int layer,
                                     const Shard& shard, const Kernels& kernels) {
    LayerBuilder builder(a, shard, kernels);
    return builder.build(kind, layer);
}

std::vector<Operator> embeddingOperators(const Architecture& a, const Shard& shard,
                                         const Kernels& kernels) {
    const Tokens t = tokensOf(shard);
    const double e = kernels.elementBytes;
    const double elements = t.all * a.hidden;
    std::vector<Operator> out;
    out.push_back(vectorOperator("token embedding", 2 * e * elements, 3 * e * elements));
    if (a.positional == Positional::Learned) {
        out.push_back(vectorOperator("position embedding", 3 * e * elements, 2 * e * elements));
    }
    if (kernels.dropout > 0) {
        const double dropped = t.normed * a.hidden;
        Operator o =
            vectorOperator("embedding dropout", (2 * e + 1) * dropped, (2 * e + 1) * dropped);
        o.keep({dropped, kNoGroup});
        out.push_back(std::move(o));
    }
    if (a.embeddingNorm) {
        Operator o = vectorOperator("embedding norm", 2 * e * t.normed * a.hidden,
                                    3 * e * t.normed * a.hidden);
        o.keep({e * t.normed * a.hidden, kNoGroup});
        out.push_back(std::move(o));
    }
    return out;
}

std::vector<Operator> multiTokenOperators(const Architecture& a, const Shard& shard,
                                          const Kernels& kernels) {
    const Tokens t = tokensOf(shard);
    const double e = kernels.elementBytes;
    const double elements = t.normed * a.hidden;
    std::vector<Operator> out;
    Operator norms =
        vectorOperator("multi-token norms", 2 * 2 * e * elements, 2 * 3 * e * elements);
    norms.forwardKernels = norms.backwardKernels = 2;
    norms.keep({2 * e * elements, kNoGroup});
    out.push_back(std::move(norms));
    Operator join = gemm("multi-token projection", t.normed, a.hidden, 2.0 * a.hidden);
    join.recipeDtype = true;
    join.keep({2 * e * elements, kNoGroup});
    out.push_back(std::move(join));
    return out;
}

std::vector<Operator> headOperators(const Architecture& a, double paddedVocabulary,
                                    const Shard& shard, const Kernels& kernels) {
    const Tokens t = tokensOf(shard);
    const double e = kernels.elementBytes;
    const double logits = t.all * paddedVocabulary / shard.tensor;
    std::vector<Operator> out;
    Operator norm =
        vectorOperator("final norm", 2 * e * t.normed * a.hidden, 3 * e * t.normed * a.hidden);
    norm.keep({e * t.normed * a.hidden, kNoGroup});
    out.push_back(std::move(norm));
    Operator projection =
        gemm("output projection", t.all, paddedVocabulary / shard.tensor, a.hidden);
    projection.keep({e * t.normed * a.hidden, kNoGroup});
    out.push_back(std::move(projection));
    // Unfused: cast to fp32, maximum, exponential and sum are passes over the logits; backward
    // scales and casts.
    Operator loss =
        vectorOperator("cross-entropy", (kernels.fusedCrossEntropy ? e + 4 : e + 4 * 5) * logits,
                       (kernels.fusedCrossEntropy ? 4 + e : 4 * 2 + e) * logits);
    loss.forwardKernels = kernels.fusedCrossEntropy ? 1 : 5;
    loss.backwardKernels = kernels.fusedCrossEntropy ? 1 : 2;
    loss.keep({kernels.logitsBytesKept * logits, kNoGroup});
    out.push_back(std::move(loss));
    return out;
}

double keptBytes(const std::vector<Operator>& operators, unsigned recomputed) {
    double bytes = 0;
    for (const Operator& o : operators) {
        for (const KeptTensor& t : o.kept) {
            if ((t.droppedIn & recomputed) == 0) bytes += t.bytes;
        }
    }
    return bytes;
}

}  // namespace trainwright::workload
