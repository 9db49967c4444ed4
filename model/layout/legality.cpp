// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <string>

#include "model/layout/layout.h"
#include "model/layout/step.h"
#include "model/workload/operators.h"

namespace trainwright::layout {

namespace {

class Checker {
public:
    /// Without `explain` nothing is written down: only whether there is an error is known
    /// afterwards.
    Checker(const StepProblem& p, const Layout& l, bool explain)
        : p_(p), l_(l), a_(p.architecture), f_(p.profile), explain_(explain) {}

    bool run() {
        positiveDegrees();
        if (!legal_) return false;
        world();
        tensor();
        pipeline();
        contextAndExpert();
        batch();
        modes();
        return legal_;
    }

    std::vector<Finding> findings() && { return std::move(out_); }

private:
    static std::string text(long v) { return std::to_string(v); }
    static std::string text(const std::string& v) { return v; }
    static std::string text(const char* v) { return v; }

    template <typename... Arguments>
    void say(Severity severity, const char* pattern, const Arguments&... arguments) {
        if (severity == Severity::Error) legal_ = false;
        if (explain_) out_.push_back({severity, Text{pattern, {text(arguments)...}}, {}});
    }
    template <typename... Arguments>
    void error(const char* pattern, const Arguments&... arguments) {
        say(Severity::Error, pattern, arguments...);
    }

    static std::string listed(const std::vector<int>& values) {
        std::string out;
        for (int v : values) out += (out.empty() ? "" : ", ") + text(v);
        return out;
    }

    void positiveDegrees() {
        const std::pair<const char*, long> degrees[] = {{"tensor", l_.tensor},
                                                        {"pipeline", l_.pipeline},
                                                        {"virtual_stages", l_.virtualStages},
                                                        {"context", l_.context},
                                                        {"expert", l_.expert},
                                                        {"data", l_.data},
                                                        {"micro_batch", l_.microBatch},
                                                        {"micro_batches", l_.microBatches}};
        for (const auto& [key, value] : degrees) {
            if (value < 1) error("`{1}` is {2}; a degree is at least 1.", key, value);
        }
    }

    void world() {
        const long ranks = p_.cluster.chips * ranksPerChip(f_, p_.cluster.system.chip);
        if (l_.ranks() != ranks) {
            error("t{1} × p{2} × c{3} × D{4} is {5} ranks; the cluster has {6}.", l_.tensor,
                  l_.pipeline, l_.context, l_.data, l_.ranks(), ranks);
        }
    }

    // The legal degree nearest to `wanted` among divisors of `of`, for the advice in a message.
    static long nearestDivisor(long wanted, long of) {
        long best = 1;
        for (long d = 1; d <= of; ++d) {
            if (of % d == 0 && std::abs(d - wanted) < std::abs(best - wanted)) best = d;
        }
        return best;
    }

    void tensor() {
        const int t = l_.tensor;
        if (a_.heads % t != 0) {
            error("t = {1} doesn't divide {2} heads. Nearest: {3}.", t, a_.heads,
                  nearestDivisor(t, a_.heads));
        }
        if (a_.keyValueHeads % t != 0 && !a_.latent) {
            const bool replicates = f_.keyValueReplication && t % a_.keyValueHeads == 0;
            if (!replicates) {
                error(
                    "t = {1} doesn't divide {2} key/value heads, and {3} can't replicate them so.",
                    t, a_.keyValueHeads, f_.title);
            } else if (t > a_.keyValueHeads) {
                say(Severity::Note, "{1} key/value heads at t = {2}: each is copied {3} times.",
                    a_.keyValueHeads, t, t / a_.keyValueHeads);
            }
        }
        if (a_.ffn % t != 0) error("t = {1} doesn't divide the feed-forward width {2}.", t, a_.ffn);
        if (f_.vocabularyPadMultiple == 0 && a_.vocabulary % t != 0) {
            error("t = {1} doesn't divide the vocabulary of {2}, which {3} doesn't pad.", t,
                  a_.vocabulary, f_.title);
        }
        if (!f_.tensorDegrees.empty() && t > 1 &&
            std::find(f_.tensorDegrees.begin(), f_.tensorDegrees.end(), t) ==
                f_.tensorDegrees.end()) {
            error("t = {1} isn't a tensor degree of {2} here; known: {3}.", t, f_.title,
                  explain_ ? listed(f_.tensorDegrees) : "");
        }
        if (std::find(f_.tensorDegreesWarned.begin(), f_.tensorDegreesWarned.end(), t) !=
            f_.tensorDegreesWarned.end()) {
            say(Severity::Warning,
                "t = {1} runs under {2}, but its authors note that neighbours are not wired for "
                "it.",
                t, f_.title);
        }
        const int domainRanks =
            p_.cluster.system.chipsPerDomain * ranksPerChip(f_, p_.cluster.system.chip);
        const int limit =
            f_.tensorDegreeMax > 0 ? std::min(f_.tensorDegreeMax, domainRanks) : domainRanks;
        if (t > limit && !f_.tensorMayCrossHosts) {
            error("t = {1} is more than the {2} ranks that the fast links join.", t, limit);
        }
        const long localSequence = p_.training.sequenceLength / l_.context;
        if (l_.sequenceParallel && t > 1 && localSequence % t != 0) {
            error("Sequence parallel needs t = {1} to divide the {2} tokens of a rank.", t,
                  localSequence);
        }
    }

    void pipeline() {
        if (l_.pipeline > 1 && !f_.pipelineAllowed)
            error("{1} has no pipeline parallelism.", f_.title);
        if (l_.pipeline > 1 && a_.tiedEmbeddings && !f_.tiedEmbeddingsWithPipeline) {
            error("{1} can't tie embeddings across pipeline stages.", f_.title);
        }
        if (l_.virtualStages > 1 && l_.pipeline == 1)
            error("Virtual stages need a pipeline; p is 1.");
        if (l_.firstStageLayers > 0 || l_.lastStageLayers > 0) {
            if (f_.unevenLayers != UnevenLayers::GivenEnds) {
                error("{1} takes no layers by stage.", f_.title);
            } else if (!canGiveEnds(a_.layers, l_.pipeline, l_.virtualStages, l_.firstStageLayers,
                                    l_.lastStageLayers)) {
                error(
                    "{1} layers with {2} on the first and {3} on the last of {4} stages leave "
                    "{5}, which the others can't share evenly.",
                    a_.layers, l_.firstStageLayers, l_.lastStageLayers, l_.pipeline,
                    a_.layers - l_.firstStageLayers - l_.lastStageLayers);
            }
        } else if (!canPlaceLayers(a_.layers, f_.unevenLayers, l_.pipeline * l_.virtualStages)) {
            error("{1} layers can't be laid on {2} stages of {3} under {4}.", a_.layers,
                  l_.pipeline, l_.virtualStages, f_.title);
        }
        if (l_.virtualStages > 1 && l_.pipeline < f_.interleavedPipelineMin) {
            error("An interleaved schedule of {1} needs p = {2} or more; it is {3}.", f_.title,
                  f_.interleavedPipelineMin, l_.pipeline);
        }
        if (l_.virtualStages > 1 && f_.interleavedNeedsMultiple &&
            l_.microBatches % l_.pipeline != 0) {
            error(
                "An interleaved schedule needs micro-batches in multiples of p = {1}; there are "
                "{2}.",
                l_.pipeline, l_.microBatches);
        }
        // Micro-batches go through the chunks in rounds of about p; a round can't be short.
        const long rounds = std::max<long>(1, l_.microBatches / l_.pipeline);
        if (l_.virtualStages > 1 && l_.microBatches % rounds != 0) {
            error(
                "{1} micro-batches can't be dealt into {2} equal rounds for an interleaved "
                "schedule of p = {3}.",
                l_.microBatches, rounds, l_.pipeline);
        }
    }

    void contextAndExpert() {
        if (l_.context > 1) {
            if (!f_.contextAllowed) error("{1} has no context parallelism.", f_.title);
            if (p_.training.sequenceLength % (2L * l_.context) != 0) {
                error("c = {1} needs a sequence in multiples of {2}; it is {3}.", l_.context,
                      2L * l_.context, p_.training.sequenceLength);
            }
            if (!f_.flashAttention)
                error("Context parallelism needs a fused attention kernel, which {1} hasn't.",
                      f_.title);
        }
        if (f_.sequenceMultiple > 1 && p_.training.sequenceLength % f_.sequenceMultiple != 0) {
            error("{1} needs a sequence in multiples of {2}; it is {3}.", f_.title,
                  f_.sequenceMultiple, p_.training.sequenceLength);
        }
        if (l_.context > 1) contextExchange();
        if (l_.expert > 1 || (l_.expertTensor > 0 && l_.expertTensor != l_.tensor)) experts();
    }

    void contextExchange() {
        const auto& offered = f_.contextExchanges;
        if (std::find(offered.begin(), offered.end(), l_.contextExchange) == offered.end()) {
            error("{1} has no {2} exchange for context parallelism.", f_.title,
                  name(l_.contextExchange));
        }
        if (l_.contextExchange == ContextExchange::AllToAll &&
            (a_.heads / l_.tensor) % l_.context != 0) {
            error(
                "An all_to_all exchange deals {1} heads of a tensor rank over c = {2}, which "
                "doesn't divide them.",
                a_.heads / l_.tensor, l_.context);
        }
    }

    void experts() {
        if (!a_.moe) {
            error("e = {1} needs a mixture of experts; {2} is dense.", l_.expert, a_.id);
            return;
        }
        if (!f_.expertAllowed) {
            error("{1} has no expert parallelism.", f_.title);
            return;
        }
        if (l_.expert > 1 && l_.context > 1 && !f_.expertWithContextAllowed) {
            error("{1} can't combine expert and context parallelism; e is {2}, c is {3}.", f_.title,
                  l_.expert, l_.context);
        }
        const auto& refused = f_.expertRefusedAtTensor;
        if (l_.expert > 1 &&
            std::find(refused.begin(), refused.end(), l_.tensor) != refused.end()) {
            error("{1} has no expert parallelism at t = {2}.", f_.title, l_.tensor);
        }
        if (a_.moe->experts % l_.expert != 0) {
            error("e = {1} doesn't divide {2} experts. Nearest: {3}.", l_.expert, a_.moe->experts,
                  nearestDivisor(l_.expert, a_.moe->experts));
            return;
        }
        const int te = l_.tensorOfExperts();
        if (f_.expertTensor == ExpertTensor::SameAsTensor && te != l_.tensor) {
            error("{1} cuts experts over the same {2} tensor ranks as the rest; te is {3}.",
                  f_.title, l_.tensor, te);
        } else if (f_.expertTensor == ExpertTensor::One && te != 1) {
            error("{1} doesn't cut an expert over tensor ranks; te is {2}.", f_.title, te);
        }
        if (te != l_.tensor && l_.tensor > 1 && !l_.sequenceParallel) {
            error(
                "te = {1} beside t = {2} needs sequence parallel, or ranks would send the same "
                "tokens twice.",
                te, l_.tensor);
        }
        if (a_.moe->expertFfn % te != 0) {
            error("te = {1} doesn't divide the expert width {2}.", te, a_.moe->expertFfn);
        }
        const long stage = static_cast<long>(l_.tensor) * l_.context * l_.data;
        const long inside = static_cast<long>(te) * l_.expert;
        if (f_.expertPlace == ExpertPlace::OwnGrid ? stage % inside != 0
                                                   : l_.data % l_.expert != 0) {
            error("te{1} × e{2} doesn't divide the {3} ranks that experts can be dealt over.", te,
                  l_.expert,
                  f_.expertPlace == ExpertPlace::OwnGrid ? stage : static_cast<long>(l_.data));
        }
        const std::vector<Axis>& order = rankOrder(f_, l_);
        if (l_.pipeline > 1 && !order.empty() && order.back() != Axis::Pipeline &&
            inside != static_cast<long>(l_.tensor) * l_.context) {
            error("With the pipeline inside the replicas te × e must be t × c = {1}; it is {2}.",
                  static_cast<long>(l_.tensor) * l_.context, inside);
        }
    }

    void batch() {
        const long replicas = static_cast<long>(l_.microBatch) * l_.data;
        if (p_.training.globalBatchSequences % replicas != 0 ||
            l_.microBatches != p_.training.globalBatchSequences / replicas) {
            error("A batch of {1} sequences isn't {2} micro-batches of {3} on {4} replicas.",
                  p_.training.globalBatchSequences, l_.microBatches, l_.microBatch, l_.data);
        }
    }

    void modes() {
        if (std::find(f_.shardings.begin(), f_.shardings.end(), l_.sharding) ==
            f_.shardings.end()) {
            error("{1} doesn't shard by {2}.", f_.title, name(l_.sharding));
        }
        if (l_.sharding == Sharding::Zero2 && l_.pipeline > 1) {
            error("{1} sharding of gradients can't be combined with a pipeline.",
                  name(l_.sharding));
        }
        if (std::find(f_.recomputes.begin(), f_.recomputes.end(), l_.recompute) ==
            f_.recomputes.end()) {
            error("{1} has no {2} recompute.", f_.title, name(l_.recompute));
        }
        if (std::find(f_.schedules.begin(), f_.schedules.end(), l_.schedule) ==
            f_.schedules.end()) {
            error("{1} has no {2} schedule.", f_.title, name(l_.schedule));
        }
        if ((l_.schedule == Schedule::Interleaved) != (l_.virtualStages > 1)) {
            error("{1} virtual stages don't go with a {2} schedule.", l_.virtualStages,
                  name(l_.schedule));
        }
        if (l_.schedule == Schedule::ZeroBubble && l_.pipeline == 1)
            error("A {1} schedule needs a pipeline; p is 1.", name(l_.schedule));
        if (l_.schedule == Schedule::DualPipe) {
            if (l_.pipeline % 2 != 0 || l_.microBatches % 2 != 0 ||
                l_.microBatches < 2L * l_.pipeline) {
                error(
                    "A {1} schedule needs an even p and an even number of micro-batches from 2p "
                    "= {2} up; p is {3}, m is {4}.",
                    name(l_.schedule), 2L * l_.pipeline, l_.pipeline, l_.microBatches);
            }
        }
        shards();
        recompute();
        offload();
        const auto& dtypes = f_.computeDtypes;
        if (std::find(dtypes.begin(), dtypes.end(), p_.training.precision) == dtypes.end()) {
            error("{1} doesn't train in {2}.", f_.title, machine::name(p_.training.precision));
        }
        const auto& recipes = f_.scalingRecipes;
        const bool scaled = p_.training.precision == machine::Dtype::Fp8 ||
                            p_.training.precision == machine::Dtype::Fp4;
        if (scaled && p_.training.scalingRecipe &&
            std::find(recipes.begin(), recipes.end(), *p_.training.scalingRecipe) ==
                recipes.end()) {
            error("{1} has no {2} recipe.", f_.title, name(*p_.training.scalingRecipe));
        }
        const auto peak =
            p_.cluster.system.chip.enginePeak[static_cast<std::size_t>(p_.training.precision)];
        if (peak.value() <= 0) {
            error("{1} has no {2} rate in the catalog.", p_.cluster.system.chip.name,
                  machine::name(p_.training.precision));
        }
    }

    void shards() {
        if (l_.shardDegree == 0) return;
        const long all = static_cast<long>(l_.data) * l_.context;
        if (!f_.hybridSharding && l_.shardDegree != all) {
            error("{1} shares states over all {2} replicas or none.", f_.title, all);
        } else if (all % l_.shardDegree != 0) {
            error("A shard degree of {1} doesn't divide D × c = {2}. Nearest: {3}.", l_.shardDegree,
                  all, nearestDivisor(l_.shardDegree, all));
        }
        if (l_.sharding == Sharding::None)
            error("A shard degree of {1} goes with shared states; sharding is none.",
                  l_.shardDegree);
    }

    void recompute() {
        if (l_.recompute == Recompute::Full && l_.recomputeEvery != 1 &&
            (l_.recomputeEvery < 1 || f_.recomputeEvery.size() < 2)) {
            error("{1} recomputes every layer or none; {2} asks for one in so many.", f_.title,
                  l_.recomputeEvery);
        }
        if (l_.recompute != Recompute::Selective || l_.recomputeGroups == 0) return;
        unsigned known = workload::recomputeGroups(f_.selectiveGroups);
        for (const auto& groups : f_.otherSelectiveGroups)
            known |= workload::recomputeGroups(groups);
        if ((l_.recomputeGroups & ~known) != 0) {
            error("{1} can't recompute {2}; it knows {3}.", f_.title,
                  explain_ ? workload::recomputeGroupsText(l_.recomputeGroups & ~known) : "",
                  explain_ ? workload::recomputeGroupsText(known) : "");
        }
    }

    void offload() {
        if (!l_.offloads()) return;
        const auto can = [&](Offload o) {
            return std::find(f_.offloads.begin(), f_.offloads.end(), o) != f_.offloads.end();
        };
        if (l_.offloadOptimizer && !can(Offload::Optimizer))
            error("{1} can't keep optimizer states in host memory.", f_.title);
        if (l_.offloadActivations && !can(Offload::Activations))
            error("{1} can't keep activations in host memory.", f_.title);
        const machine::SystemSpec& system = p_.cluster.system;
        if (system.hostLinkBandwidth.value() <= 0 || system.hostMemoryBandwidth.value() <= 0) {
            error(
                "What the host of {1} can take over is not known: the catalog lacks its memory "
                "or link bandwidth.",
                system.name);
        }
    }

    const StepProblem& p_;
    const Layout& l_;
    const workload::Architecture& a_;
    const SoftwareProfile& f_;
    bool explain_;
    bool legal_ = true;
    std::vector<Finding> out_;
};

}  // namespace

std::vector<Finding> checkLegality(const StepProblem& problem, const Layout& layout) {
    Checker checker(problem, layout, true);
    checker.run();
    return std::move(checker).findings();
}

bool isLegal(const StepProblem& problem, const Layout& layout) {
    return Checker(problem, layout, false).run();
}

}  // namespace trainwright::layout
