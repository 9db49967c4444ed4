// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/profile_reader.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "model/workload/operators.h"

namespace trainwright::catalog {
namespace {

using layout::SoftwareProfile;

constexpr std::string_view kStatesExample = "weights:2,gradients:4,master:4/d,optimizer:8/d";

template <typename T>
using Names = std::vector<std::pair<std::string_view, T>>;

const Names<layout::RankUnit>& rankUnits() {
    static const Names<layout::RankUnit> names{
        {"gpu", layout::RankUnit::Gpu},
        {"neuron_core", layout::RankUnit::NeuronCore},
        {"logical_neuron_core", layout::RankUnit::LogicalNeuronCore}};
    return names;
}

const Names<layout::Axis>& axes() {
    static const Names<layout::Axis> names{{"tensor", layout::Axis::Tensor},
                                           {"context", layout::Axis::Context},
                                           {"expert", layout::Axis::Expert},
                                           {"data", layout::Axis::Data},
                                           {"pipeline", layout::Axis::Pipeline}};
    return names;
}

const Names<layout::UnevenLayers>& unevenLayers() {
    using layout::UnevenLayers;
    static const Names<UnevenLayers> names{
        {"refused", UnevenLayers::Refused},
        {"remainder_last", UnevenLayers::RemainderLast},
        {"remainder_first", UnevenLayers::RemainderFirst},
        {"embedding_and_loss_take_slots", UnevenLayers::EmbeddingAndLossTakeSlots},
        {"given_ends", UnevenLayers::GivenEnds}};
    return names;
}

/// Names that the engine itself gives to the values of an enumeration.
template <typename T>
Names<T> namesOf(std::initializer_list<T> values) {
    Names<T> names;
    for (const T value : values) {
        names.emplace_back(name(value), value);
    }
    return names;
}

const Names<layout::Sharding>& shardings() {
    using layout::Sharding;
    static const Names<Sharding> names =
        namesOf({Sharding::None, Sharding::Zero1, Sharding::Zero2, Sharding::Zero3});
    return names;
}

const Names<layout::Recompute>& recomputes() {
    using layout::Recompute;
    static const Names<Recompute> names =
        namesOf({Recompute::None, Recompute::Selective, Recompute::Full});
    return names;
}

const Names<std::string>& recomputeGroups() {
    static const Names<std::string> names = [] {
        Names<std::string> out;
        for (const std::string_view group : workload::recomputeGroupNames()) {
            out.emplace_back(group, group);
        }
        return out;
    }();
    return names;
}

const Names<layout::Schedule>& schedules() {
    using layout::Schedule;
    static const Names<Schedule> names =
        namesOf({Schedule::GPipe, Schedule::OneForwardOneBackward, Schedule::Interleaved,
                 Schedule::ZeroBubble, Schedule::DualPipe});
    return names;
}

const Names<layout::ScalingRecipe>& scalingRecipes() {
    using layout::ScalingRecipe;
    static const Names<ScalingRecipe> names =
        namesOf({ScalingRecipe::Delayed, ScalingRecipe::Tensorwise, ScalingRecipe::Blockwise,
                 ScalingRecipe::Microscaled});
    return names;
}

const Names<layout::Offload>& offloads() {
    using layout::Offload;
    static const Names<Offload> names = namesOf({Offload::Optimizer, Offload::Activations});
    return names;
}

const Names<layout::ContextExchange>& contextExchanges() {
    using layout::ContextExchange;
    static const Names<ContextExchange> names =
        namesOf({ContextExchange::Ring, ContextExchange::AllGather, ContextExchange::AllToAll});
    return names;
}

const Names<layout::ExpertTensor>& expertTensors() {
    using layout::ExpertTensor;
    static const Names<ExpertTensor> names =
        namesOf({ExpertTensor::SameAsTensor, ExpertTensor::One, ExpertTensor::Free});
    return names;
}

const Names<layout::ExpertPlace>& expertPlaces() {
    using layout::ExpertPlace;
    static const Names<ExpertPlace> names =
        namesOf({ExpertPlace::OwnGrid, ExpertPlace::InsideData, ExpertPlace::Outermost});
    return names;
}

const Names<layout::ExpertDispatch>& expertDispatches() {
    using layout::ExpertDispatch;
    static const Names<ExpertDispatch> names =
        namesOf({ExpertDispatch::AllToAll, ExpertDispatch::AllGather, ExpertDispatch::OncePerHost});
    return names;
}

const Names<machine::Dtype>& dtypes() {
    using machine::Dtype;
    static const Names<Dtype> names = namesOf(
        {Dtype::Fp32, Dtype::Tf32, Dtype::Bf16, Dtype::Fp16, Dtype::Fp8, Dtype::Fp4, Dtype::Int8});
    return names;
}

template <typename T>
std::string allNames(const Names<T>& names) {
    std::string text;
    for (const auto& [word, value] : names) {
        text += (text.empty() ? "" : ", ") + std::string(word);
    }
    return text;
}

template <typename T>
std::optional<T> find(const Names<T>& names, std::string_view word) {
    for (const auto& [known, value] : names) {
        if (known == word) {
            return value;
        }
    }
    return std::nullopt;
}

std::optional<double> parseNumber(std::string_view text) {
    double number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || stop != end || !std::isfinite(number)) {
        return std::nullopt;
    }
    return number;
}

std::optional<int> parseWhole(std::string_view text) {
    int number = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc() || stop != end) {
        return std::nullopt;
    }
    return number;
}

std::vector<std::string_view> split(std::string_view text, char separator = ',') {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) {
            return parts;
        }
        text.remove_prefix(at + 1);
    }
}

/// Stands for an empty list, since a figure without a value counts as missing.
constexpr std::string_view kNone = "none";

/// Names separated by commas, each once; nullopt where one is not known or comes twice.
template <typename T>
std::optional<std::vector<T>> findAll(const Names<T>& names, std::string_view text) {
    std::vector<T> values;
    for (const std::string_view part : split(text)) {
        const std::optional<T> value = find(names, part);
        if (!value || std::find(values.begin(), values.end(), *value) != values.end()) {
            return std::nullopt;
        }
        values.push_back(*value);
    }
    return values;
}

Finding error(std::string pattern, std::vector<Argument> arguments, std::string key = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{{}, 0, 0, std::move(key)}};
}

/// `subject` is what a finding calls the text, `key` the figure's key where there is one.
Outcome<layout::StateBytes> parseStates(std::string_view text, const std::string& subject,
                                        const std::string& key) {
    layout::StateBytes bytes;
    struct Slot {
        std::string_view name;
        double* bytes;
        bool* sharded;
    };
    const std::array<Slot, 4> slots{{{"weights", &bytes.weights, &bytes.weightsSharded},
                                     {"gradients", &bytes.gradients, &bytes.gradientsSharded},
                                     {"master", &bytes.master, &bytes.masterSharded},
                                     {"optimizer", &bytes.optimizer, &bytes.optimizerSharded}}};
    std::set<std::string_view> seen;
    for (const std::string_view part : split(text)) {
        const std::size_t colon = part.find(':');
        const std::string_view name = part.substr(0, colon);
        std::string_view amount = colon == std::string_view::npos ? "" : part.substr(colon + 1);
        const bool sharded = amount.size() > 2 && amount.substr(amount.size() - 2) == "/d";
        if (sharded) {
            amount.remove_suffix(2);
        }
        const auto slot =
            std::find_if(slots.begin(), slots.end(), [&](const Slot& s) { return s.name == name; });
        const std::optional<double> number = parseNumber(amount);
        if (slot == slots.end() || !number || *number < 0) {
            return error(
                "{1} holds \"{2}\"; expected bytes by state, such as {3}, with /d where the "
                "data-parallel ranks share them.",
                {subject, std::string(part), std::string(kStatesExample)}, key);
        }
        if (!seen.insert(slot->name).second) {
            return error("{1} gives {2} twice; expected each state once, as in {3}.",
                         {subject, std::string(name), std::string(kStatesExample)}, key);
        }
        *slot->bytes = *number;
        *slot->sharded = sharded;
    }
    for (const Slot& slot : slots) {
        if (seen.count(slot.name) == 0) {
            return error("{1} has no {2}; expected all four states, as in {3}.",
                         {subject, std::string(slot.name), std::string(kStatesExample)}, key);
        }
    }
    return bytes;
}

class Reader {
public:
    Reader(const std::string& id, const std::vector<Figure>& figures) : id_(id) {
        for (const Figure& figure : figures) {
            if (figure.status == Status::Adopted || figure.status == Status::Estimated) {
                inUse_.emplace(figure.key, &figure);
            }
        }
    }

    Outcome<SoftwareProfile> read();

    /// Notes each key that is asked for, without values: how profileKeys() comes to its list.
    static std::vector<std::string> keys();

private:
    const Figure* figure(const char* key) {
        asked_.emplace_back(key);
        const auto found = inUse_.find(key);
        if (found == inUse_.end() || found->second->value.empty()) {
            findings_.push_back(error("{1} is missing; every profile needs it.", {path(key)}, key));
            return nullptr;
        }
        return found->second;
    }

    /// "profile.<id>.<key>": how a finding names the figure.
    [[nodiscard]] std::string path(const std::string& key) const {
        return "profile." + id_ + "." + key;
    }

    /// `pattern` has {1} for the figure, {2} for its value and {3} for `detail`.
    void malformed(const Figure& figure, std::string pattern, std::string detail = {}) {
        findings_.push_back(error(std::move(pattern),
                                  {path(figure.key), figure.value, std::move(detail)}, figure.key));
    }

    void whole(const char* key, int least, int& out) {
        if (const Figure* f = figure(key)) {
            const std::optional<int> number = parseWhole(f->value);
            if (number && *number >= least) {
                out = *number;
            } else {
                malformed(*f, "{1} is \"{2}\"; expected a whole number from {3} up.",
                          std::to_string(least));
            }
        }
    }

    /// A number from 0 up, at most `most`.
    void number(const char* key, double& out, std::optional<int> most = std::nullopt) {
        if (const Figure* f = figure(key)) {
            const std::optional<double> value = parseNumber(f->value);
            if (value && *value >= 0 && (!most || *value <= *most)) {
                out = *value;
            } else {
                if (most) {
                    malformed(*f, "{1} is \"{2}\"; expected a number from 0 to {3}.",
                              std::to_string(*most));
                } else {
                    malformed(*f, "{1} is \"{2}\"; expected a number from 0 up.");
                }
            }
        }
    }

    /// A ratio of the greatest to the mean.
    void atLeastOne(const char* key, double& out) {
        if (const Figure* f = figure(key)) {
            const std::optional<double> value = parseNumber(f->value);
            if (value && *value >= 1) {
                out = *value;
            } else {
                malformed(*f, "{1} is \"{2}\"; expected a number from 1 up.");
            }
        }
    }

    template <typename Quantity>
    void quantity(const char* key, Quantity& out) {
        double value = out.value();
        number(key, value);
        out = Quantity(value);
    }

    void flag(const char* key, bool& out) {
        if (const Figure* f = figure(key)) {
            if (f->value == "0" || f->value == "1") {
                out = f->value == "1";
            } else {
                malformed(*f, "{1} is \"{2}\"; expected 0 or 1.");
            }
        }
    }

    template <typename T>
    void word(const char* key, const Names<T>& names, T& out) {
        if (const Figure* f = figure(key)) {
            if (const std::optional<T> value = find(names, f->value)) {
                out = *value;
            } else {
                malformed(*f, "{1} is \"{2}\"; expected one of {3}.", allNames(names));
            }
        }
    }

    template <typename T>
    void words(const char* key, const Names<T>& names, std::vector<T>& out) {
        const Figure* f = figure(key);
        if (f == nullptr) {
            return;
        }
        if (std::optional<std::vector<T>> values = findAll(names, f->value)) {
            out = *std::move(values);
        } else {
            malformed(*f, "{1} is \"{2}\"; expected some of {3}, each once, separated by commas.",
                      allNames(names));
        }
    }

    /// As words(), or `none`.
    template <typename T>
    void wordsOrNone(const char* key, const Names<T>& names, std::vector<T>& out) {
        const Figure* f = figure(key);
        if (f == nullptr) {
            return;
        }
        if (f->value == kNone) {
            out.clear();
        } else if (std::optional<std::vector<T>> values = findAll(names, f->value)) {
            out = *std::move(values);
        } else {
            malformed(
                *f,
                "{1} is \"{2}\"; expected some of {3}, each once, separated by commas, or none.",
                allNames(names));
        }
    }

    /// Lists of names separated by semicolons, or `none`; `complete` lists hold every name.
    template <typename T>
    void lists(const char* key, const Names<T>& names, bool complete,
               std::vector<std::vector<T>>& out) {
        const Figure* f = figure(key);
        if (f == nullptr) {
            return;
        }
        std::vector<std::vector<T>> all;
        if (f->value != kNone) {
            for (const std::string_view part : split(f->value, ';')) {
                std::optional<std::vector<T>> values = findAll(names, part);
                if (!values || (complete && values->size() != names.size())) {
                    malformed(*f,
                              complete ? "{1} is \"{2}\"; expected lists of each of {3} once, "
                                         "separated by semicolons, or none."
                                       : "{1} is \"{2}\"; expected lists of some of {3}, "
                                         "separated by semicolons, or none.",
                              allNames(names));
                    return;
                }
                all.push_back(*std::move(values));
            }
        }
        out = std::move(all);
    }

    /// Degrees separated by commas; `noneWord` stands for an empty list, which isn't allowed where
    /// there is no such word.
    void degrees(const char* key, std::string_view noneWord, std::vector<int>& out) {
        const Figure* f = figure(key);
        if (f == nullptr) {
            return;
        }
        std::vector<int> values;
        if (noneWord.empty() || f->value != noneWord) {
            for (const std::string_view part : split(f->value)) {
                const std::optional<int> value = parseWhole(part);
                if (!value || *value < 1 || (!values.empty() && *value <= values.back())) {
                    malformed(*f,
                              noneWord.empty()
                                  ? "{1} is \"{2}\"; expected rising numbers such as 1,2,4."
                                  : "{1} is \"{2}\"; expected rising degrees such as 1,2,8,32, "
                                    "or {3}.",
                              std::string(noneWord));
                    return;
                }
                values.push_back(*value);
            }
        }
        out = std::move(values);
    }

    void rankOrder(std::vector<layout::Axis>& out) {
        std::vector<layout::Axis> order;
        words("rank_order", axes(), order);
        if (order.size() == axes().size()) {
            out = std::move(order);
        } else if (!order.empty()) {
            malformed(*inUse_.at("rank_order"), "{1} is \"{2}\"; expected each of {3} once.",
                      allNames(axes()));
        }
    }

    void states(const char* key, layout::Sharding sharding, const SoftwareProfile& profile,
                layout::StateBytes& out) {
        const auto& offered = profile.shardings;
        if (std::find(offered.begin(), offered.end(), sharding) == offered.end()) {
            asked_.emplace_back(key);
            return;
        }
        if (const Figure* f = figure(key)) {
            const Outcome<layout::StateBytes> bytes = parseStates(f->value, path(key), key);
            if (bytes) {
                out = *bytes;
            } else {
                findings_.push_back(bytes.findings().front());
            }
        }
    }

    /// A list that may be empty only where nothing needs it.
    template <typename T>
    void neededWhere(const char* key, bool needed, const std::vector<T>& list,
                     const char* becauseKey) {
        if (findings_.empty() && needed && list.empty()) {
            findings_.push_back(error("{1} is none, but {2} is {3}.",
                                      {path(key), path(becauseKey), inUse_.at(becauseKey)->value},
                                      key));
        }
    }

    template <typename T>
    void defaultAmong(const char* key, const T& chosen, const std::vector<T>& offered,
                      const char* listKey) {
        if (findings_.empty() &&
            std::find(offered.begin(), offered.end(), chosen) == offered.end()) {
            findings_.push_back(error("{1} is {2}, which {3} doesn't list.",
                                      {path(key), name(chosen), path(listKey)}, key));
        }
    }

    void ranks(SoftwareProfile& p);
    void legality(SoftwareProfile& p);
    void choices(SoftwareProfile& p);
    void experts(SoftwareProfile& p);
    void stateRules(SoftwareProfile& p);
    void kernels(SoftwareProfile& p);
    void overlap(SoftwareProfile& p);

    std::string id_;
    std::map<std::string, const Figure*, std::less<>> inUse_;
    std::vector<std::string> asked_;
    std::vector<Finding> findings_;
};

void Reader::ranks(SoftwareProfile& p) {
    word("rank_unit", rankUnits(), p.rankUnit);
    whole("physical_cores_per_rank", 1, p.physicalCoresPerRank);
    rankOrder(p.rankOrder);
    lists("other_rank_orders", axes(), true, p.otherRankOrders);
    degrees("tensor_degrees", "any", p.tensorDegrees);
    degrees("tensor_degrees_warned", "none", p.tensorDegreesWarned);
    whole("tensor_degree_max", 0, p.tensorDegreeMax);
    flag("tensor_may_cross_hosts", p.tensorMayCrossHosts);
}

void Reader::legality(SoftwareProfile& p) {
    flag("key_value_replication", p.keyValueReplication);
    flag("key_value_replicas_stored", p.keyValueReplicasStored);
    whole("vocabulary_pad_multiple", 0, p.vocabularyPadMultiple);
    word("uneven_layers", unevenLayers(), p.unevenLayers);
    flag("interleaved_needs_multiple", p.interleavedNeedsMultiple);
    whole("interleaved_pipeline_min", 2, p.interleavedPipelineMin);
    flag("expert_with_context_allowed", p.expertWithContextAllowed);
    degrees("expert_refused_at_tensor", "none", p.expertRefusedAtTensor);
    whole("sequence_multiple", 1, p.sequenceMultiple);
    flag("tied_embeddings_with_pipeline", p.tiedEmbeddingsWithPipeline);
    flag("pipeline_allowed", p.pipelineAllowed);
    flag("context_allowed", p.contextAllowed);
    flag("expert_allowed", p.expertAllowed);
    words("shardings", shardings(), p.shardings);
    words("recomputes", recomputes(), p.recomputes);
    words("schedules", schedules(), p.schedules);
    words("selective_groups", recomputeGroups(), p.selectiveGroups);
    words("compute_dtypes", dtypes(), p.computeDtypes);
}

void Reader::choices(SoftwareProfile& p) {
    lists("other_selective_groups", recomputeGroups(), false, p.otherSelectiveGroups);
    degrees("recompute_every", "", p.recomputeEvery);
    wordsOrNone("scaling_recipes", scalingRecipes(), p.scalingRecipes);
    const bool lowPrecision = std::any_of(
        p.computeDtypes.begin(), p.computeDtypes.end(),
        [](machine::Dtype d) { return d == machine::Dtype::Fp8 || d == machine::Dtype::Fp4; });
    neededWhere("scaling_recipes", lowPrecision, p.scalingRecipes, "compute_dtypes");
    flag("hybrid_sharding", p.hybridSharding);
    wordsOrNone("offloads", offloads(), p.offloads);
    wordsOrNone("context_exchanges", contextExchanges(), p.contextExchanges);
    neededWhere("context_exchanges", p.contextAllowed, p.contextExchanges, "context_allowed");
    flag("context_balanced", p.contextBalanced);
    flag("context_reduced_apart", p.contextReducedApart);
    flag("dualpipe_keeps_two_copies", p.dualPipeKeepsTwoCopies);
}

void Reader::experts(SoftwareProfile& p) {
    word("expert_tensor", expertTensors(), p.expertTensor);
    word("expert_place", expertPlaces(), p.expertPlace);
    word("expert_dispatch", expertDispatches(), p.expertDispatch);
    number("dispatch_bytes_per_element", p.dispatchBytes);
    number("combine_bytes_per_element", p.combineBytes);
    number("expert_overlap_fraction", p.expertOverlap, 1);
    atLeastOne("expert_load_imbalance", p.expertLoadImbalance);
    flag("grouped_gemms", p.groupedGemms);
    number("mixture_kernels", p.mixtureKernels);
}

void Reader::stateRules(SoftwareProfile& p) {
    states("states_none", layout::Sharding::None, p, p.statesNone);
    states("states_zero1", layout::Sharding::Zero1, p, p.statesZero1);
    states("states_zero2", layout::Sharding::Zero2, p, p.statesZero2);
    states("states_fsdp", layout::Sharding::Zero3, p, p.statesZero3);
    number("gradient_reduce_bytes_per_element", p.gradientReduceBytes);
    number("weight_gather_bytes_per_element", p.weightGatherBytes);
    flag("reduce_scatter_every_micro_batch", p.reduceScatterEveryMicroBatch);
    flag("gather_weights_every_micro_batch", p.gatherWeightsEveryMicroBatch);
    flag("sequence_parallel_default", p.sequenceParallelDefault);
    word("sharding_default", shardings(), p.shardingDefault);
    word("recompute_default", recomputes(), p.recomputeDefault);
    defaultAmong("sharding_default", p.shardingDefault, p.shardings, "shardings");
    defaultAmong("recompute_default", p.recomputeDefault, p.recomputes, "recomputes");
}

void Reader::kernels(SoftwareProfile& p) {
    flag("flash_attention", p.flashAttention);
    flag("causal_skipping", p.causalSkipping);
    flag("fused_softmax", p.fusedSoftmax);
    whole("fused_softmax_multiple", 1, p.fusedSoftmaxMultiple);
    flag("fused_norm_residual", p.fusedNormResidual);
    flag("fused_cross_entropy", p.fusedCrossEntropy);
    flag("key_value_repeated_for_attention", p.keyValueRepeatedForAttention);
    number("dropout_fraction", p.dropout, 1);
    number("logits_bytes_kept", p.logitsBytesKept);
    number("activation_input_bytes_per_element", p.activationInputBytes);
}

void Reader::overlap(SoftwareProfile& p) {
    number("tensor_overlap_fraction", p.tensorOverlap, 1);
    number("data_overlap_fraction", p.dataOverlap, 1);
    number("pipeline_overlap_fraction", p.pipelineOverlap, 1);
    flag("pipeline_exchange_doubled", p.pipelineExchangeDoubled);
    number("overlap_compute_tax_fraction", p.overlapComputeTax, 1);
    number("bucket_bytes", p.bucketBytes);
    quantity("host_launch_per_kernel_s", p.hostLaunchPerKernel);
    quantity("step_overhead_s", p.stepOverhead);
    number("straggler_per_log_rank", p.stragglerPerLogRank, 1);
    number("compute_sustained_fraction", p.computeSustained, 1);
    quantity("runtime_reserve_bytes", p.runtimeReserve);
    number("fragmentation_fraction", p.fragmentation, 1);
}

Outcome<SoftwareProfile> Reader::read() {
    SoftwareProfile p;
    p.id = id_;
    p.title = id_;
    ranks(p);
    legality(p);
    choices(p);
    experts(p);
    stateRules(p);
    kernels(p);
    overlap(p);
    if (!findings_.empty()) {
        return findings_;
    }
    return p;
}

std::vector<std::string> Reader::keys() {
    Reader reader("", {});
    (void)reader.read();
    return reader.asked_;
}

}  // namespace

Outcome<layout::StateBytes> stateBytesFromText(std::string_view text) {
    return parseStates(text, std::string(text), {});
}

Outcome<layout::SoftwareProfile> profileFromFigures(const std::string& id,
                                                    const std::vector<Figure>& figures) {
    return Reader(id, figures).read();
}

const std::vector<std::string>& profileKeys() {
    static const std::vector<std::string> keys = Reader::keys();
    return keys;
}

}  // namespace trainwright::catalog
