// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/registry.h"

#include <algorithm>
#include <unordered_map>

#include "model/units/joined.h"
#include "model/workload/operators.h"

namespace trainwright::scenario {

namespace {

using units::BareNumber;
using units::kSecondsPerYear;
using units::QuantityKind;

/// Builds the list; each call of a method changes the entry added last.
class List {
public:
    List& add(std::string key, ValueKind kind, std::string meaning) {
        Parameter p;
        p.key = std::move(key);
        p.kind = kind;
        p.meaning = std::move(meaning);
        all.push_back(std::move(p));
        return *this;
    }
    List& quantity(std::string key, QuantityKind kind, std::string meaning) {
        add(std::move(key), ValueKind::Quantity, std::move(meaning));
        all.back().quantity = kind;
        return *this;
    }
    /// A whole number of at least `smallest`.
    List& count(std::string key, std::string meaning, double smallest = 1, double largest = 1e9) {
        return quantity(std::move(key), QuantityKind::Count, std::move(meaning))
            .within(smallest, largest);
    }
    List& flag(std::string key, std::string meaning) {
        return add(std::move(key), ValueKind::Flag, std::move(meaning));
    }
    List& word(std::string key, std::vector<std::string> words, std::string meaning) {
        add(std::move(key), ValueKind::Word, std::move(meaning));
        return orWords(std::move(words));
    }
    List& name(std::string key, std::string catalogKind, std::string meaning) {
        add(std::move(key), ValueKind::Name, std::move(meaning));
        all.back().catalogKind = std::move(catalogKind);
        return *this;
    }
    List& required() {
        all.back().required = true;
        return *this;
    }
    List& bare() {
        all.back().bare = BareNumber::Allowed;
        return *this;
    }
    List& orMap() {
        all.back().orMap = true;
        return *this;
    }
    List& orList() {
        all.back().orList = true;
        return *this;
    }
    List& orWords(std::vector<std::string> words) {
        all.back().words = std::move(words);
        return *this;
    }
    List& within(double smallest, double largest) {
        all.back().minimum = smallest;
        all.back().maximum = largest;
        return *this;
    }
    List& above(double bound) {
        all.back().minimum = bound;
        all.back().minimumExcluded = true;
        return *this;
    }
    List& atMost(double bound) {
        all.back().maximum = bound;
        return *this;
    }
    List& byDefault(std::string text, std::string source) {
        all.back().defaultText = std::move(text);
        all.back().defaultSource = std::move(source);
        return *this;
    }
    List& example(std::string text) {
        all.back().example = std::move(text);
        return *this;
    }

    std::vector<Parameter> all;
};

void addArchitecture(List& l) {
    l.name("model", "model",
           "The model that is trained: an id of the catalog, or its architecture written out here.")
        .required()
        .orMap()
        .example("llama3.1-405b");
    l.add("model.name", ValueKind::Text, "What the model is called in results.")
        .byDefault("custom", "a model written out has no id")
        .example("frontier-2t");
    l.count("model.layers", "Transformer layers.").required().atMost(100000).example("126");
    l.count("model.hidden", "Width of the residual stream, in elements.")
        .required()
        .example("16384");
    l.count("model.heads", "Attention heads of one layer.").required().example("128");
    l.count("model.kv_heads", "Key and value heads of one layer; it divides the number of heads.")
        .byDefault("", "as many as heads: multi-head attention")
        .example("8");
    l.count("model.head_size", "Elements of one head.")
        .byDefault("", "hidden / heads")
        .example("128");
    l.count("model.ffn", "Width of the feed-forward block, in elements.")
        .required()
        .example("53248");
    l.count("model.vocabulary", "Tokens of the vocabulary, without padding.")
        .required()
        .example("128256");
    l.quantity("model.context", QuantityKind::Tokens,
               "The longest sequence that the model is made for, in tokens.")
        .within(1, 1e9)
        .byDefault("", "the sequence length of the training")
        .example("8192");
    l.flag("model.gated_mlp",
           "Whether the feed-forward block has a gate: three matrices instead of two (SwiGLU).")
        .byDefault("true", "what current decoder-only models have");
    l.flag("model.tied_embeddings",
           "Whether the output projection shares the weights of the input embedding.")
        .byDefault("false", "what current large models have");
    l.flag("model.causal", "Whether a token attends only to those before it.")
        .byDefault("true", "decoder-only models");
    l.flag("model.linear_bias", "Whether the output and feed-forward projections have biases.")
        .byDefault("false", "what current decoder-only models have");
    l.flag("model.query_key_value_bias",
           "Whether the query, key and value projections have biases.")
        .byDefault("false", "what current decoder-only models have");
    l.flag("model.query_key_norm", "Whether queries and keys are normalised before attention.")
        .byDefault("false", "what most decoder-only models have");
    l.flag("model.parallel_block", "Whether attention and feed-forward block read the same norm.")
        .byDefault("false", "what most decoder-only models have");
    l.count("model.norms_per_layer", "Norms of one layer.", 0)
        .atMost(16)
        .byDefault("2", "one before attention, one before the feed-forward block");
    l.flag("model.embedding_norm", "Whether a norm follows the embedding.")
        .byDefault("false", "what most models have");
    l.word("model.norm", {"layernorm", "layernorm_no_bias", "rmsnorm", "non_parametric"},
           "Kind of norm.")
        .byDefault("rmsnorm", "what current decoder-only models have");
    l.word("model.positional", {"none", "rotary", "learned", "alibi", "relative"},
           "How positions enter.")
        .byDefault("rotary", "what current decoder-only models have");
    l.add("model.attention_window", ValueKind::Map,
          "Layers that attend only to the nearest tokens.");
    l.quantity("model.attention_window.size", QuantityKind::Tokens,
               "Tokens that a local layer attends to.")
        .required()
        .within(1, 1e9)
        .example("4096");
    l.count("model.attention_window.period",
            "The pattern of local and full layers repeats after this many layers.")
        .byDefault("1", "every layer is alike")
        .example("6");
    l.count("model.attention_window.local_per_period", "Local layers in each period.", 0)
        .byDefault("1", "all of a period of one")
        .example("5");
    l.add("model.moe", ValueKind::Map, "Mixture of experts in place of the feed-forward block.");
    l.count("model.moe.experts", "Routed experts of one layer.").required().example("256");
    l.count("model.moe.top_k", "Routed experts that a token passes through.")
        .required()
        .example("8");
    l.count("model.moe.shared_experts", "Experts that every token passes through.", 0)
        .byDefault("0", "what most mixtures have");
    l.count("model.moe.expert_ffn", "Width of one expert, in elements.").required().example("2048");
    l.count("model.moe.leading_dense_layers",
            "First layers that keep the plain feed-forward block.", 0)
        .byDefault("0", "what most mixtures have");
    l.count("model.moe.interleave_step", "Every how many layers one has experts.")
        .byDefault("1", "every layer");
    l.count("model.moe.routing_groups",
            "Groups that the experts are dealt into, where a token may not visit all of them; it "
            "divides the number of experts.",
            0)
        .byDefault("0", "a token may go to any expert")
        .example("8");
    l.count("model.moe.routed_groups", "Groups that a token may visit.", 0)
        .byDefault("0", "a token may go to any expert")
        .example("4");
    l.add("model.latent_attention", ValueKind::Map, "Multi-head latent attention (DeepSeek-V2).");
    l.count("model.latent_attention.query_rank",
            "Rank of the query compression; 0 is a plain projection.", 0)
        .byDefault("0", "a plain projection");
    l.count("model.latent_attention.key_value_rank", "Rank of the key and value compression.")
        .required()
        .example("512");
    l.count("model.latent_attention.nope_head_size", "Elements of a head without position.")
        .required()
        .example("128");
    l.count("model.latent_attention.rope_head_size", "Elements of a head with rotary position.")
        .required()
        .example("64");
    l.count("model.latent_attention.value_head_size", "Elements of a value head.")
        .required()
        .example("128");
    l.count("model.multi_token_heads", "Extra modules that predict further tokens, one layer each.",
            0)
        .byDefault("0", "what most models have");
}

void addTraining(List& l) {
    l.add("training", ValueKind::Map,
          "What is trained: how much, in which batches, in which precision.")
        .required();
    l.add("training.start", ValueKind::Date,
          "The first day of the run; without it there is no finish date.")
        .example("2027-01-04");
    l.quantity("training.tokens", QuantityKind::Tokens, "Tokens of the whole run.")
        .required()
        .above(0)
        .atMost(1e18)
        .example("15.6T");
    l.quantity("training.sequence_length", QuantityKind::Tokens, "Tokens of one sequence.")
        .required()
        .within(1, 1e9)
        .example("8192");
    l.add("training.global_batch", ValueKind::Batch,
          "What one optimizer step takes in, in sequences or in tokens; tokens make whole "
          "sequences.")
        .required()
        .example("2048 sequences");
    l.word("training.precision", {"fp32", "tf32", "bf16", "fp16", "fp8", "fp4"},
           "Number format of the matrix multiplications that the recipe runs in it.")
        .byDefault("bf16", "what published large runs use");
    l.word("training.optimizer", {"adamw", "sgd", "adafactor", "muon"},
           "The optimizer; it decides the states that are kept.")
        .byDefault("adamw", "what published large runs use");
    const std::string framework = "what the training framework does";
    l.word("training.gradient_dtype", {"fp32", "bf16", "catalog"},
           "Number format in which gradients are added up over the micro-batches.")
        .byDefault("catalog", framework);
    l.word("training.optimizer_state_dtype", {"fp32", "bf16", "fp8", "int8", "catalog"},
           "Number format of each state of the optimizer (AdamW has two); master weights are not "
           "among them.")
        .byDefault("catalog", framework);
    l.word("training.scaling_recipe",
           {"delayed", "tensorwise", "blockwise", "microscaled", "catalog"},
           "How FP8 and FP4 numbers are scaled: by tensor with a history, by tensor as it is, by "
           "blocks of 128 elements, or by 32 or 16 in hardware (MXFP8, NVFP4).")
        .byDefault("catalog", "the first recipe of the training framework");
    l.quantity("training.expert_load_imbalance", QuantityKind::Number,
               "Tokens of the busiest expert rank over the mean of all, where none are dropped.")
        .within(1, 1024)
        .orWords({"catalog"})
        .byDefault("catalog", "the estimate of the training framework's profile")
        .example("1.1");
    l.quantity("training.expert_capacity_factor", QuantityKind::Number,
               "Slots of an expert over the mean number of its tokens: filled or not they are "
               "sent and computed, and tokens beyond them are dropped.")
        .above(0)
        .atMost(1024)
        .orWords({"dropless"})
        .byDefault("dropless", "what current mixtures are trained with")
        .example("1.25");
    l.word("training.recompute", {"none", "selective", "full", "auto"},
           "What the backward pass computes again instead of keeping it; auto takes the fastest "
           "that fits.")
        .byDefault("auto", "the search decides");
}

/// Keys of one purchase, be it the only one or one of several.
void addPurchaseKeys(List& l, const std::string& p) {
    l.name(
         p + "plan", "",
         "The plan under which it is bought: on_demand, spot, capacity_block, sagemaker, hyperpod, "
         "sagemaker_training_plan, owned, or a commitment that names its kind "
         "(compute_savings_plan, ec2_savings_plan, reserved, reserved_convertible), term (1y, 3y) "
         "and payment (no, partial or all up front).")
        .byDefault("", "the first plan of the catalog that lists the instance; owned with `own`")
        .example("ec2_savings_plan_1y_no_upfront");
    l.quantity(p + "price_usd_per_hour", QuantityKind::HourlyPrice,
               "Price of one instance (or UltraServer) by the hour, in US dollars, instead of the "
               "catalog's; of a commitment the mean over its term.")
        .bare()
        .within(0, 1e7 / units::kSecondsPerHour)
        .example("143.0432");
    l.add(p + "because", ValueKind::Text,
          "Where that price comes from; `stand-in` says that it stands in for one that isn't "
          "public.")
        .example("stand-in");
    l.word(p + "commitment", {"shared", "dedicated"},
           "Who bears the part of a term, or of the life of owned machines, that the run doesn't "
           "use: others (shared), or the run (dedicated).")
        .byDefault("shared",
                   "the run pays the hours that it uses; a warning says what others bear");
    const std::string o = p + "own";
    l.add(
        o, ValueKind::Map,
        "What owning the machines costs, beside the rent or, with the plan owned, instead of it.");
    const auto catalogOr = [&](const char* source) {
        l.orWords({"catalog"}).byDefault("catalog", source);
    };
    l.quantity(o + ".capital_usd_per_accelerator", QuantityKind::Number,
               "What one accelerator costs to buy, with its share of server and network.")
        .above(0)
        .atMost(1e8)
        .example("43000");
    catalogOr("the sourced figure of the chip, where there is one");
    l.quantity(o + ".capital_usd_per_unit", QuantityKind::Number,
               "The same for a whole instance or UltraServer.")
        .above(0)
        .atMost(1e10)
        .byDefault("", "from the capital of an accelerator")
        .example("344000");
    l.quantity(o + ".life", QuantityKind::Duration,
               "How long the machines are used before they are "
               "paid off.")
        .within(0.5 * kSecondsPerYear, 20 * kSecondsPerYear)
        .example("5 years");
    catalogOr("a sourced figure of the trade");
    l.quantity(o + ".cost_of_capital", QuantityKind::Share, "Interest on the capital, a year.")
        .atMost(1)
        .example("9%");
    catalogOr("a sourced figure of the trade");
    l.quantity(o + ".residual", QuantityKind::Share,
               "Share of the capital that is had back at the end of the life.")
        .atMost(1)
        .example("10%");
    catalogOr("nothing is counted on");
    l.quantity(o + ".use", QuantityKind::Share,
               "Share of their life in which somebody uses the machines and pays for them; idle "
               "hours make the others dearer.")
        .above(0)
        .atMost(1)
        .example("85%");
    catalogOr("every hour is used");
    l.quantity(o + ".staff_share", QuantityKind::Share,
               "People, repair and space a year, as a share of the capital.")
        .atMost(1)
        .example("3%");
    catalogOr("a sourced figure of the trade");
    l.quantity(o + ".electricity_usd_per_kwh", QuantityKind::Number,
               "Price of a kWh at the meter, in US dollars; the PUE of the region comes on top.")
        .atMost(2)
        .example("0.07");
    catalogOr("the average of the region's state, else of the country");
    l.add(o + ".because", ValueKind::Text, "Where these figures come from; reports show it.")
        .example("offer of our vendor of November 2026");
}

void addPurchase(List& l) {
    l.name("candidates[].purchase", "",
           "How it is bought: a plan, a map with a price of your own or with what owning costs, or "
           "a list of several purchases that make up the cluster.")
        .orMap()
        .orList()
        .byDefault("",
                   "the first plan of the catalog that lists the instance: on demand, else "
                   "Capacity Blocks")
        .example("capacity_block");
    addPurchaseKeys(l, "candidates[].purchase.");
    l.add("candidates[].purchase[]", ValueKind::Map, "One of several purchases.");
    l.count("candidates[].purchase[].units",
            "Instances (or UltraServers) that are bought this way.", 1, 1e8)
        .byDefault("", "what the others leave; one purchase may do without")
        .example("8");
    l.name("candidates[].purchase[].region", "region", "Where these are rented.")
        .byDefault("", "the candidate's region")
        .example("us-west-2");
    l.quantity("candidates[].purchase[].discount", QuantityKind::Share,
               "A private discount on this price.")
        .atMost(1)
        .byDefault("", "the candidate's discount")
        .example("20%");
    addPurchaseKeys(l, "candidates[].purchase[].");
}

void addCandidates(List& l) {
    l.add("candidates", ValueKind::List,
          "The clusters that are compared, each under a name of its own.")
        .required();
    l.add("candidates[]", ValueKind::Map, "One cluster.");
    l.add("candidates[].name", ValueKind::Text,
          "What the candidate is called in results; no two are called the same.")
        .required()
        .example("ultra");
    l.name("candidates[].system", "system",
           "The instance or UltraServer that is rented: an id of the catalog.")
        .required()
        .example("trn2.48xlarge");
    l.count("candidates[].accelerators",
            "Accelerators of the cluster: Trainium chips or GPUs, in whole instances.", 1, 1e8)
        .required()
        .example("16384");
    l.add("candidates[].arrivals", ValueKind::List,
          "How the accelerators arrive, where not all are there on the first day: how many there "
          "are in all from which day on. The job begins on what is there and grows with it.");
    l.add("candidates[].arrivals[]", ValueKind::Map, "A day on which more arrive.");
    l.add("candidates[].arrivals[].from", ValueKind::Date, "The day.")
        .required()
        .example("2027-02-01");
    l.count("candidates[].arrivals[].count", "Accelerators in all from that day on.", 1, 1e8)
        .required()
        .example("256");
    l.name("candidates[].region", "region",
           "Where it is rented; it decides price, cooling and the carbon of the grid.")
        .example("us-east-2");
    addPurchase(l);
    l.quantity("candidates[].discount", QuantityKind::Share, "A private discount on the price.")
        .atMost(1)
        .byDefault("0%", "list price")
        .example("20%");
    l.name("candidates[].software", "profile", "The training framework: a profile of the catalog.")
        .byDefault("", "the profile that the catalog names for the chip")
        .example("neuron_nxd_training");
    l.add("candidates[].parallelism", ValueKind::Word,
          "How the model is cut over the ranks; auto finds the fastest layout that fits, and a "
          "part that is given is used as it is.")
        .orWords({"auto"})
        .orMap()
        .byDefault("auto", "the search decides")
        .example("{tensor: 8, pipeline: 16}");
    const std::string p = "candidates[].parallelism.";
    const std::string searched = "the search decides";
    const auto degree = [&](const char* key, const char* meaning, const char* example) {
        l.count(p + key, meaning, 1, 1e8)
            .orWords({"auto"})
            .byDefault("auto", searched)
            .example(example);
    };
    degree("tensor", "Ranks that share each layer's matrices.", "8");
    degree("pipeline", "Stages that the layers are laid on.", "16");
    degree("virtual_stages",
           "Parts of the model that each stage holds in turn (interleaved schedule).", "2");
    degree("context", "Ranks that share one sequence.", "1");
    degree("expert", "Ranks that share the experts of a layer.", "1");
    degree("expert_tensor", "Tensor ranks that share one expert.", "1");
    degree("data", "Replicas of the model.", "128");
    degree("shard_degree",
           "Ranks that share the states between them, with copies outside (hybrid sharding).",
           "64");
    degree("micro_batch", "Sequences that a replica takes in at once.", "1");
    l.flag(p + "sequence_parallel",
           "Whether tensor ranks share the norms and residuals along the sequence.")
        .orWords({"auto"})
        .byDefault("auto", searched);
    l.word(p + "sharding", {"none", "zero1", "zero2", "fsdp", "auto"},
           "Which states the replicas share: none, zero1 (optimizer), zero2 (and gradients) or "
           "fsdp (and weights).")
        .byDefault("auto", searched);
    l.word(p + "recompute", {"none", "selective", "full", "auto"},
           "What the backward pass computes again, for this candidate.")
        .byDefault("auto", "what training.recompute says");
    l.add(p + "recompute_groups", ValueKind::List,
          "The groups of operators that selective recompute drops.")
        .orWords({"auto"})
        .byDefault("auto", searched)
        .example("[norm, mlp_activation]");
    const std::vector<std::string_view>& groups = workload::recomputeGroupNames();
    l.word(p + "recompute_groups[]", {groups.begin(), groups.end()}, "One group.");
    degree("recompute_every", "Full recompute of one layer in so many.", "2");
    l.word(p + "schedule", {"gpipe", "1f1b", "interleaved", "zero_bubble", "dualpipe", "auto"},
           "The order of forward and backward passes in the pipeline.")
        .byDefault("auto", searched);
    degree("first_stage_layers", "Layers of the first stage, where stages differ.", "3");
    degree("last_stage_layers", "Layers of the last stage, where stages differ.", "2");
    l.word(p + "context_exchange", {"ring", "all_gather", "all_to_all", "auto"},
           "How the ranks that share a sequence see each other's keys and values: passed round, "
           "gathered, or heads exchanged for sequence (Ulysses).")
        .byDefault("auto", searched);
    l.add(p + "rank_order", ValueKind::List,
          "The axes from neighbouring ranks outwards, each once.")
        .orWords({"auto"})
        .byDefault("auto", searched)
        .example("[tensor, context, expert, data, pipeline]");
    l.word(p + "rank_order[]", {"tensor", "context", "expert", "data", "pipeline"}, "One axis.");
    l.word(p + "offload", {"none", "optimizer", "activations", "both", "auto"},
           "What is kept in host memory; auto tries it where nothing else fits.")
        .byDefault("auto", searched);
}

void addLimits(List& l) {
    l.add("constraints", ValueKind::Map,
          "What the run must keep to; a candidate that doesn't is shown with what it misses.");
    l.add("constraints.finish_by", ValueKind::Date, "The last day on which the run may end.")
        .example("2027-04-15");
    l.quantity("constraints.budget", QuantityKind::Money, "The most that the run may cost.")
        .above(0)
        .example("120M USD");
    l.quantity("constraints.power", QuantityKind::Power,
               "The most power that the cluster may draw from the grid, cooling included.")
        .above(0)
        .example("30 MW");
    l.quantity("constraints.carbon", QuantityKind::Mass,
               "The most CO2 equivalent that the run's electricity may cause, by the region's "
               "grid.")
        .above(0)
        .example("2500 t");
    l.quantity("constraints.max_accelerators", QuantityKind::Count,
               "The most accelerators that a candidate may have.")
        .above(0)
        .example("8192");
    l.quantity("constraints.memory_headroom", QuantityKind::Share,
               "Share of each accelerator's memory that stays free.")
        .atMost(0.95)
        .byDefault("5%", "room for what the memory model doesn't see")
        .example("5%");

    const std::string sourced = "the sourced figure of the accelerator's family";
    l.add("operations", ValueKind::Map, "How the cluster is run: failures, checkpoints, restarts.");
    const auto catalogOr = [&] { l.orWords({"catalog"}).byDefault("catalog", sourced); };
    l.quantity("operations.checkpoint_storage", QuantityKind::DataRate,
               "Rate at which the whole job writes a checkpoint.")
        .above(0)
        .example("200 GB/s");
    catalogOr();
    l.quantity("operations.checkpoint_bytes_per_parameter", QuantityKind::Number,
               "Bytes of a checkpoint for each parameter, optimizer states included; memory takes "
               "the weights and states of the memory model.")
        .above(0)
        .atMost(64)
        .orWords({"memory"})
        .byDefault("memory", "a checkpoint holds what training goes on from")
        .example("14");
    l.flag("operations.asynchronous_checkpoints",
           "Whether training goes on while a checkpoint is written.");
    catalogOr();
    l.quantity("operations.asynchronous_stall", QuantityKind::Duration,
               "How long an asynchronous checkpoint still stops the step: the copy to the host.")
        .atMost(units::kSecondsPerDay)
        .example("10 s");
    catalogOr();
    l.quantity("operations.memory_checkpoint_stall", QuantityKind::Duration,
               "Checkpoints into the memory of hosts, between those that are written out: how long "
               "each stops the step. With `memory_checkpoint_covers`.")
        .atMost(units::kSecondsPerDay)
        .example("2 s");
    l.quantity("operations.memory_checkpoint_covers", QuantityKind::Share,
               "Share of the interruptions after which a checkpoint in the memory of hosts is "
               "still there.")
        .above(0)
        .atMost(0.999)
        .example("90%");
    l.quantity("operations.planned_pause_every", QuantityKind::Duration,
               "From one announced pause to the next: maintenance, changes of data. With "
               "`planned_pause`.")
        .above(0)
        .example("14 d");
    l.quantity("operations.planned_pause", QuantityKind::Duration,
               "How long an announced pause takes, saving and loading included; no work is lost.")
        .atMost(30 * units::kSecondsPerDay)
        .example("2 h");
    l.quantity("operations.spare_accelerators", QuantityKind::Count,
               "Accelerators held ready beside each candidate's own: paid for, idle, in place of "
               "one that fails. A restart without one takes longer than the catalog's.")
        .example("64");
    l.quantity("operations.restart_time", QuantityKind::Duration,
               "From an interruption to the next useful step, the repeated work left out.")
        .atMost(30 * units::kSecondsPerDay)
        .example("10 min");
    catalogOr();
    l.quantity("operations.mean_time_between_failures", QuantityKind::Duration,
               "Mean time between interruptions that one accelerator causes; a cluster of n stops "
               "n times as often.")
        .above(0)
        .example("50000 h");
    catalogOr();
    l.quantity("operations.startup_time", QuantityKind::Duration,
               "Once, before the first step: launch and compilation.")
        .atMost(30 * units::kSecondsPerDay)
        .example("45 min");
    catalogOr();
    l.quantity("operations.evaluation_share", QuantityKind::Share,
               "Evaluation inside the run, as a share of the training time.")
        .atMost(1)
        .example("1%");
    catalogOr();

    l.add("storage", ValueKind::Map,
          "What is kept and moved beside the accelerators; each is a line of the cost.");
    l.name("storage.service", "",
           "Where checkpoints and data are kept: s3_standard or one of the file systems of the "
           "catalog (`catalog list storage`), without its region.")
        .orWords({"catalog"})
        .byDefault("catalog", "S3")
        .example("fsx_lustre_persistent_2_250");
    l.count("storage.checkpoints_kept", "Checkpoints that are kept at a time.", 0, 1e6)
        .orWords({"catalog"})
        .byDefault("catalog", "the newest three")
        .example("5");
    l.quantity("storage.dataset", QuantityKind::DataSize,
               "Size of the training data, kept for the whole run.")
        .atMost(1e18)
        .byDefault("0 B", "held elsewhere")
        .example("20 TB");
    l.quantity("storage.capacity", QuantityKind::DataSize,
               "Size of the file system, which is paid for whole; its speed grows with it.")
        .atMost(1e18)
        .byDefault("0 B", "as large as what it holds")
        .example("100 TB");
    l.quantity("storage.egress", QuantityKind::DataSize,
               "What is sent out of the cloud over the whole run.")
        .atMost(1e18)
        .byDefault("0 B", "nothing leaves the region")
        .example("5 TB");

    l.add("overrides", ValueKind::List,
          "Figures of the catalog that are taken otherwise in this scenario.")
        .byDefault("[]", "the catalog's own figures");
    l.add("overrides[]", ValueKind::Map, "One figure.");
    l.name("overrides[].figure", "", "Which figure: kind/id/key, as `catalog show` prints it.")
        .required()
        .example("chip/trainium2/hbm_bandwidth_bytes_per_s");
    l.add("overrides[].value", ValueKind::Scalar,
          "Its value here, in the unit of the figure, or with a unit of its own.")
        .required()
        .example("2.9 TB/s");
    l.add("overrides[].because", ValueKind::Text, "Where the value comes from; reports show it.")
        .required()
        .example("measured on our own nodes");

    l.add("uncertainty", ValueKind::Map, "How the bands around the results are drawn.");
    l.count("uncertainty.samples", "Samples of the uncertain figures.", 1, 1 << 20)
        .byDefault("4096", "quantiles settle to about 1%")
        .example("4096");
    l.count("uncertainty.seed",
            "Where the sequence of samples begins; the same seed gives the same digits.", 0,
            4294967295.0)
        .byDefault("1", "any number does")
        .example("1");
}

std::vector<Parameter> makeList() {
    List l;
    l.count("version", "Version of the scenario format.", 1, 1e6).required().example("1");
    l.add("title", ValueKind::Text, "What the scenario is about, in a line; the title of reports.")
        .byDefault("", "the name of the file")
        .example("Llama 3.1 405B, 15.6T tokens");
    addArchitecture(l);
    addTraining(l);
    addCandidates(l);
    addLimits(l);
    return std::move(l.all);
}

/// What the name of a value in base units carries: restart_time_s, budget_usd.
std::string unitSuffix(QuantityKind kind) {
    switch (kind) {
        case QuantityKind::DataSize:
            return "_bytes";
        case QuantityKind::DataRate:
            return "_bytes_per_s";
        case QuantityKind::Power:
            return "_w";
        case QuantityKind::Energy:
            return "_j";
        case QuantityKind::Duration:
            return "_s";
        case QuantityKind::Money:
            return "_usd";
        case QuantityKind::Compute:
            return "_flop";
        case QuantityKind::Mass:
            return "_kg";
        case QuantityKind::ComputeRate:
            return "_flop_per_s";
        default:
            return "";  // counts and shares have none; prices by the hour have it in their key
    }
}

Text alternatives(const std::vector<std::string>& words) {
    if (words.empty()) return {};
    if (words.size() == 1) return {"{1}", {words.front()}};
    return {"{1} or {2}",
            {joined(std::vector<Argument>(words.begin(), words.end() - 1)), words.back()}};
}

}  // namespace

std::string Parameter::name() const {
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

std::string Parameter::jsonName() const {
    if (kind == ValueKind::Batch) return name() + "_sequences";
    return kind == ValueKind::Quantity ? name() + unitSuffix(quantity) : name();
}

std::string Parameter::parent() const {
    if (key.ends_with("[]")) return key.substr(0, key.size() - 2);
    const std::size_t dot = key.rfind('.');
    return dot == std::string::npos ? std::string{} : key.substr(0, dot);
}

const std::vector<Parameter>& parameters() {
    static const std::vector<Parameter> list = makeList();
    return list;
}

const Parameter* findParameter(std::string_view key) {
    static const std::unordered_map<std::string, const Parameter*> index = [] {
        std::unordered_map<std::string, const Parameter*> out;
        for (const Parameter& p : parameters()) out.emplace(p.key, &p);
        return out;
    }();
    const auto found = index.find(std::string(key));
    return found == index.end() ? nullptr : found->second;
}

bool isListOfWords(const Parameter& p) {
    if (p.kind != ValueKind::List) return false;
    const Parameter* item = findParameter(p.key + "[]");
    return item != nullptr && item->kind == ValueKind::Word;
}

std::vector<const Parameter*> children(std::string_view parent) {
    std::vector<const Parameter*> out;
    for (const Parameter& p : parameters()) {
        if (p.parent() == parent && !p.key.ends_with("[]")) out.push_back(&p);
    }
    return out;
}

Text expectation(const Parameter& p) {
    const Text words = alternatives(p.words);
    const std::string example = p.example;
    switch (p.kind) {
        case ValueKind::Map:
            return {"a map of keys and values", {}};
        case ValueKind::List:
            if (!isListOfWords(p)) return {"a list", {}};
            return {"a list of {1}, such as {2}, or {3}",
                    {alternatives(findParameter(p.key + "[]")->words), example, words}};
        case ValueKind::Text:
            return {"a text", {}};
        case ValueKind::Word:
            return p.orMap ? Text{"{1}, or a map such as {2}", {words, example}} : words;
        case ValueKind::Flag:
            return p.words.empty() ? Text{"true or false", {}}
                                   : Text{"true, false or {1}", {words}};
        case ValueKind::Date:
            return {"a date, such as {1}", {example}};
        case ValueKind::Batch:
            return {"sequences or tokens with their unit, such as {1}", {example}};
        case ValueKind::Scalar:
            return {"a number or a text, such as {1}", {example}};
        case ValueKind::Name:
            if (p.orList) return {"a name such as {1}, a map, or a list of maps", {example}};
            if (p.orMap) return {"a name such as {1}, or a map", {example}};
            if (!p.words.empty()) return {"a name, such as {1}, or {2}", {example, words}};
            return {"a name, such as {1}", {example}};
        case ValueKind::Quantity: {
            const std::string shown = example.empty() ? units::example(p.quantity) : example;
            if (!p.words.empty())
                return {"{1}, such as {2}, or {3}", {units::nounPhrase(p.quantity), shown, words}};
            return {"{1}, such as {2}", {units::nounPhrase(p.quantity), shown}};
        }
    }
    return {};
}

std::string helpText(std::string_view prefix) {
    std::string out;
    for (const Parameter& p : parameters()) {
        if (!p.key.starts_with(prefix) || p.key.ends_with("[]")) continue;
        out += p.key + ": " + expectation(p).english();
        if (p.required) out += " (required)";
        if (!p.defaultText.empty())
            out += " (default " + p.defaultText + ": " + p.defaultSource + ")";
        else if (!p.defaultSource.empty())
            out += " (default: " + p.defaultSource + ")";
        out += "\n    " + p.meaning + "\n";
    }
    return out;
}

}  // namespace trainwright::scenario
