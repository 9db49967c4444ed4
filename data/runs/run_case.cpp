// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/runs/run_case.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "model/workload/flops.h"

namespace trainwright::runs {

using import::PublishedRun;

namespace {

std::string lower(std::string s) {
    std::transform(s.begin(), s.end(), s.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    return s;
}

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

// Letters and digits alone, in lower case, without the maker's name.
std::string lettersOf(const std::string& name) {
    std::string out;
    for (char c : lower(name)) {
        if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) out += c;
    }
    for (const char* maker : {"nvidia", "amd", "aws", "google", "intel"}) {
        if (out.rfind(maker, 0) == 0) return out.substr(std::char_traits<char>::length(maker));
    }
    return out;
}

// A field that holds one number; "fsdp64" or "1/3" is none.
std::optional<double> number(const std::string& text) {
    double v = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), v);
    if (error != std::errc() || end != text.data() + text.size() || !std::isfinite(v))
        return std::nullopt;
    return v;
}

int whole(const std::optional<double>& v, int otherwise = 0) {
    return v && *v >= 0 && *v < 2e9 ? static_cast<int>(*v) : otherwise;
}

std::optional<int> wholeOrNone(const std::optional<double>& v) {
    return v && *v >= 1 && *v < 2e9 ? std::optional<int>(static_cast<int>(*v)) : std::nullopt;
}

// The architecture that the row's columns spell out, on top of the catalog's when the name is
// known.
std::optional<workload::Architecture> architectureOf(const PublishedRun& run,
                                                     const catalog::Catalog& catalog, Text& why) {
    const auto sameShape = [&](const workload::Architecture& a) {
        return a.layers == whole(run.layers, a.layers) && a.hidden == whole(run.hidden, a.hidden) &&
               a.heads == whole(run.heads, a.heads);
    };
    for (const catalog::Entry& entry : catalog.entries("model")) {
        const std::string wanted = lower(run.model);
        std::string id = lower(entry.id);
        std::string squeezed = wanted;
        squeezed.erase(std::remove(squeezed.begin(), squeezed.end(), ' '), squeezed.end());
        std::string plain = id;
        plain.erase(std::remove(plain.begin(), plain.end(), '-'), plain.end());
        squeezed.erase(std::remove(squeezed.begin(), squeezed.end(), '-'), squeezed.end());
        if (plain != squeezed && lower(entry.name) != wanted) continue;
        const Outcome<workload::Architecture> a = catalog.architecture(entry.id);
        if (a.ok() && sameShape(a.value())) {
            workload::Architecture named = a.value();
            if (run.vocabulary) named.vocabulary = whole(run.vocabulary);
            return named;
        }
    }
    if (run.experts && *run.experts > 1) {
        why = {
            "The mixture of experts `{1}` isn't in the catalog, and a row doesn't say enough of "
            "its shape.",
            {run.model}};
        return std::nullopt;
    }
    if (!run.layers || !run.hidden || !run.heads || !run.vocabulary) {
        why = {"The row doesn't give the shape of `{1}` and the catalog doesn't know it.",
               {run.model}};
        return std::nullopt;
    }
    workload::Architecture a;
    a.id = run.model;
    a.family = "as published";
    a.layers = whole(run.layers);
    a.hidden = whole(run.hidden);
    a.heads = whole(run.heads);
    a.keyValueHeads = whole(run.keyValueHeads, a.heads);
    if (a.heads <= 0 || a.hidden % a.heads != 0) {
        why = {"{1} heads don't divide the hidden size {2}.",
               {std::to_string(a.heads), std::to_string(a.hidden)}};
        return std::nullopt;
    }
    a.headSize = a.hidden / a.heads;
    a.ffn = whole(run.ffn, 4 * a.hidden);
    a.vocabulary = whole(run.vocabulary);
    a.nativeContext = whole(run.sequenceLength);
    // A width that isn't four times the hidden size belongs to a gated MLP; a plain one has biases
    // and learned positions, as GPT has.
    a.gatedMlp = a.ffn != 4 * a.hidden;
    if (!a.gatedMlp) {
        a.tiedEmbeddings = true;
        a.linearBias = a.queryKeyValueBias = true;
        a.norm = workload::Norm::LayerNorm;
        a.positional = workload::Positional::Learned;
    }
    return a;
}

// The row in use of a figure, as text; empty when there is none.
std::string figureText(const catalog::Catalog& catalog, const std::string& kind,
                       const std::string& id, const std::string& key) {
    for (const catalog::Figure& f : catalog.figures(kind, id)) {
        if (f.key == key &&
            (f.status == catalog::Status::Adopted || f.status == catalog::Status::Estimated)) {
            return f.value;
        }
    }
    return {};
}

// Calls `use` with each part of a list separated by semicolons until it returns true.
template <typename Use>
bool anyListed(std::string list, Use use) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(';'), list.size());
        if (end > 0 && use(list.substr(0, end))) return true;
        list.erase(0, end + 1);
    }
    return false;
}

// The machine on the row's chip that the row's system names; else the chip's usual one.
std::string systemOf(const PublishedRun& run, const std::string& chip,
                     const catalog::Catalog& catalog) {
    const std::string wanted = lower(run.system);
    const auto named = [&](const std::string& name) {
        return wanted.find(lower(name)) != std::string::npos;
    };
    for (const char* kind : {"instance", "system"}) {
        if (wanted.empty()) break;
        for (const catalog::Entry& e : catalog.entries(kind)) {
            if (figureText(catalog, kind, e.id, "chip") != chip) continue;
            if (named(e.id) || anyListed(figureText(catalog, kind, e.id, "published_as"), named))
                return e.id;
        }
    }
    return figureText(catalog, "chip", chip, "default_machine");
}

// "Megatron-Bridge 25.09" -> "megatron-bridge": what stays the same from release to release.
std::string withoutRelease(const std::string& name) {
    const std::string text = lower(name);
    for (std::size_t i = 1; i < text.size(); ++i) {
        const bool digit = text[i] >= '0' && text[i] <= '9';
        if (digit && text[i - 1] == ' ') return text.substr(0, i - 1);
    }
    return text;
}

// "Neuron SDK 2.13.1" -> 13 on top of 1,000 for each number before the point: so that 2.4 comes
// before 2.13. The first such number behind the word "Neuron" counts, "neuronx-nemo" not.
std::optional<double> releaseNumber(const std::string& text) {
    const char* first = text.data();
    const char* const last = first + text.size();
    int major = 0;
    int minor = 0;
    const auto [point, majorError] = std::from_chars(first, last, major);
    if (majorError != std::errc() || point == last || *point != '.') return std::nullopt;
    const auto [end, minorError] = std::from_chars(point + 1, last, minor);
    if (minorError != std::errc() || minor >= 1000) return std::nullopt;
    return 1000.0 * major + minor;
}

std::optional<double> releaseOf(const PublishedRun& run) {
    for (const std::string* field : {&run.source, &run.framework, &run.notes}) {
        const std::string text = lower(*field);
        for (const char* word : {"neuron sdk ", "neuron "}) {
            for (std::size_t at = text.find(word); at != std::string::npos;
                 at = text.find(word, at + 1)) {
                const std::size_t from = at + std::char_traits<char>::length(word);
                if (const auto found = releaseNumber(text.substr(from))) return found;
            }
        }
    }
    return std::nullopt;
}

// How far a profile is from what the run says of its time, in years: by the release of the vendor's
// software where both name one (ten releases came in a year), by the year otherwise.
double yearsOff(const PublishedRun& run, const std::string& profile,
                const catalog::Catalog& catalog) {
    const auto read = [&](const char* key) { return figureText(catalog, "profile", profile, key); };
    const auto outside = [](double value, double from, double to) {
        return std::max({0.0, from - value, value - to});
    };
    constexpr double kReleasesPerYear = 10;
    const auto firstRelease = releaseNumber(read("published_from_release"));
    const auto lastRelease = releaseNumber(read("published_to_release"));
    if (const auto release = releaseOf(run); release && firstRelease && lastRelease)
        return outside(*release, *firstRelease, *lastRelease) / kReleasesPerYear;
    if (!run.year) return 0;
    return outside(*run.year, number(read("published_from_year")).value_or(*run.year),
                   number(read("published_to_year")).value_or(*run.year));
}

// The profile that knows the row's framework: by the very name, else by the longest name that is
// part of it, releases aside; of several, the one whose releases or years are nearest. Frameworks
// that nobody knows are taken for the usual one of their year.
std::string profileOf(const PublishedRun& run, const machine::SystemSpec& system,
                      const catalog::Catalog& catalog) {
    const std::string framework = lower(run.framework);
    std::string best;
    std::tuple<int, double, double> least{3, 0, 0};  // match, years off, letters that differ
    for (const catalog::Entry& e : catalog.entries("profile")) {
        const double off = yearsOff(run, e.id, catalog);
        const auto weigh = [&](const std::string& name) {
            const std::string stem = withoutRelease(name);
            const double letters =
                std::abs(static_cast<double>(framework.size()) - static_cast<double>(stem.size()));
            std::tuple<int, double, double> found{3, 0, 0};
            if (name == "?") {
                if (system.chip.family == "gpu") found = {2, off, 0};
            } else if (lower(name) == framework && off == 0) {
                found = {0, 0, 0};
            } else if (!framework.empty() && !stem.empty() && has(framework, stem.c_str())) {
                found = {1, letters, off};
            }
            if (found < least) {
                least = found;
                best = e.id;
            }
            return false;
        };
        anyListed(figureText(catalog, "profile", e.id, "published_frameworks"), weigh);
    }
    return best.empty() ? catalog.defaultProfile(system) : best;
}

std::optional<machine::Dtype> dtypeOf(const std::string& text) {
    const std::string t = lower(text);
    for (const char* fp8 : {"fp8", "mxfp8"}) {
        if (t.rfind(fp8, 0) == 0) return machine::Dtype::Fp8;
    }
    if (t.rfind("nvfp4", 0) == 0 || t.rfind("fp4", 0) == 0) return machine::Dtype::Fp4;
    if (t.rfind("bf16", 0) == 0) return machine::Dtype::Bf16;
    if (t.rfind("fp16", 0) == 0) return machine::Dtype::Fp16;
    if (t.rfind("tf32", 0) == 0) return machine::Dtype::Tf32;
    if (t.rfind("fp32", 0) == 0) return machine::Dtype::Fp32;
    return std::nullopt;
}

std::optional<layout::Sharding> shardingOf(const std::string& text) {
    const std::string t = lower(text);
    if (t.empty()) return std::nullopt;
    if (t.rfind("none", 0) == 0) return layout::Sharding::None;
    if (t.rfind("zero1", 0) == 0) return layout::Sharding::Zero1;
    if (t.rfind("zero2", 0) == 0 || t.find("shard_grad_op") != std::string::npos)
        return layout::Sharding::Zero2;
    if (t.rfind("zero3", 0) == 0 || t.rfind("fsdp", 0) == 0) return layout::Sharding::Zero3;
    return std::nullopt;
}

// What a printed rate counts.
struct FlopConvention {
    bool causalAttention = false;  // the half that is executed, not the full square
    bool recompute = false;        // hardware FLOP: forward passes that run again count
};

// As the row's note says; where it is silent, as the framework's users count.
FlopConvention conventionOf(const PublishedRun& run, const std::string& profileCounts) {
    const std::string notes = lower(run.notes);
    FlopConvention c;
    c.recompute = has(notes, "hardware flop") || has(notes, "the hardware's");
    const bool full = has(notes, "full (non-causal)") || has(notes, "full attention") ||
                      has(notes, " in full") || has(notes, "12*l*d*s") || has(notes, "non-causal");
    const bool causal = has(notes, "causal") && !full;
    c.causalAttention = causal || (!full && lower(profileCounts).rfind("causal", 0) == 0);
    return c;
}

// The time of a step that the row's measure stands for, under the convention of its source.
void measure(const PublishedRun& run, const std::string& profileCounts, RunCase& c) {
    const layout::StepProblem& p = c.problem;
    const double tokens =
        static_cast<double>(p.training.globalBatchSequences) * p.training.sequenceLength;
    const double chips = static_cast<double>(p.cluster.chips);
    if (run.stepTimeSeconds) {
        c.metric = "step_time_s";
        c.measuredStepSeconds = *run.stepTimeSeconds;
        return;
    }
    if (run.tokensPerSecond) {
        c.metric = "tokens_per_s_per_accel";
        c.measuredStepSeconds = tokens / (*run.tokensPerSecond * chips);
        return;
    }
    const FlopConvention convention = conventionOf(run, profileCounts);
    const workload::ForwardFlop f =
        workload::forwardFlop(p.architecture, static_cast<double>(p.training.globalBatchSequences),
                              p.training.sequenceLength);
    const double forward =
        convention.causalAttention ? f.withCausalAttention() : f.withFullAttention();
    const double peak =
        p.cluster.system.chip.headlinePeak[static_cast<std::size_t>(p.training.precision)].value();
    if (run.teraflops) {
        c.metric = "tflops_per_accel";
        const bool again = convention.recompute && run.recompute == "full";
        c.measuredStepSeconds = (again ? 4 : 3) * forward / (*run.teraflops * 1e12 * chips);
        return;
    }
    if (run.mfuPercent && peak > 0) {
        c.metric = "mfu_pct";
        c.measuredStepSeconds = 3 * forward / (*run.mfuPercent / 100.0 * peak * chips);
        return;
    }
    if (run.hfuPercent && peak > 0 && !run.recompute.empty()) {
        c.metric = "hfu_pct";
        c.measuredStepSeconds =
            (run.recompute == "full" ? 4 : 3) * forward / (*run.hfuPercent / 100.0 * peak * chips);
        return;
    }
    c.skipped = {"The row gives no step time, throughput or utilization.", {}};
}

}  // namespace

std::string chipOf(const PublishedRun& run, const catalog::Catalog& catalog) {
    const std::string wanted = lettersOf(run.accelerator);
    if (wanted.empty()) return {};
    std::string best;
    // The very name; else one that begins with it ("H100"), or that it begins with
    // ("H100-SXM5-80GB HBM3"); the one with the fewest letters more or less.
    std::pair<int, std::size_t> least{3, 0};
    for (const catalog::Entry& e : catalog.entries("accelerator_name")) {
        const std::string known = lettersOf(e.name);
        std::pair<int, std::size_t> found{3, 0};
        if (known == wanted) {
            found = {0, 0};
        } else if (wanted.rfind(known, 0) == 0) {
            found = {1, wanted.size() - known.size()};
        } else if (known.rfind(wanted, 0) == 0) {
            found = {2, known.size() - wanted.size()};
        }
        if (found >= least) continue;
        const std::string chip = figureText(catalog, "accelerator_name", e.id, "chip");
        if (chip.empty() && found.first > 0) continue;
        least = found;
        best = chip;
    }
    return best;
}

RunCase prepare(const PublishedRun& run, const catalog::Catalog& catalog) {
    RunCase c;
    const auto skip = [&](Text why) {
        c.skipped = std::move(why);
        return c;
    };
    constexpr const char* kSetAside = "set aside:";
    if (lower(run.notes).rfind(kSetAside, 0) == 0)
        return skip({"Set aside: {1}", {run.notes.substr(std::string(kSetAside).size() + 1)}});
    if (run.workload != "training" && run.workload != "finetune") {
        return skip({"Serving ({1}) isn't modelled yet.", {run.workload}});
    }
    if (run.workload == "finetune") return skip({"Fine-tuning with adapters isn't modelled.", {}});
    // What is said in words of the layout or the measure can't be guessed from.
    for (const auto& [column, text] : run.unread) {
        constexpr const char* kNeeded[] = {"n_accel",  "global_batch_seqs",
                                           "seq_len",  "micro_batch",
                                           "tp",       "pp",
                                           "vpp",      "cp",
                                           "ep",       "layers",
                                           "hidden",   "heads",
                                           "kv_heads", "ffn",
                                           "vocab",    "experts"};
        if (std::find(std::begin(kNeeded), std::end(kNeeded), column) != std::end(kNeeded))
            return skip({"`{1}` in column {2} isn't a number.", {text, column}});
    }
    if (!run.accelerators || !run.globalBatch || !run.sequenceLength) {
        return skip(
            {"The row lacks the number of accelerators, the batch or the sequence length.", {}});
    }
    const std::string chip = chipOf(run, catalog);
    if (chip.empty()) return skip({"The catalog has no chip for `{1}`.", {run.accelerator}});
    const std::string systemId = systemOf(run, chip, catalog);
    if (systemId.empty()) return skip({"The catalog has no system with `{1}`.", {run.accelerator}});
    Outcome<machine::SystemSpec> system = catalog.system(systemId);
    if (!system.ok()) return skip(system.findings().front().text);
    Text why;
    const std::optional<workload::Architecture> architecture = architectureOf(run, catalog, why);
    if (!architecture) return skip(why);
    const std::string profileId = profileOf(run, system.value(), catalog);
    Outcome<layout::SoftwareProfile> profile = catalog.profile(profileId);
    if (!profile.ok()) return skip(profile.findings().front().text);
    const std::optional<machine::Dtype> dtype =
        run.dtype.empty()
            ? dtypeOf(figureText(catalog, "profile", profileId, "published_precision"))
            : dtypeOf(run.dtype);
    if (!dtype && run.dtype.empty())
        return skip({"The row doesn't say its precision, and runs of {1} have no usual one.",
                     {profile->title}});
    if (!dtype) return skip({"`{1}` isn't a precision that is modelled.", {run.dtype}});

    c.problem.architecture = *architecture;
    const auto chips = static_cast<long>(*run.accelerators);
    c.problem.cluster = {machine::placedOn(system.value(), chips), chips};
    c.problem.profile = std::move(profile).value();
    c.problem.training.sequenceLength = whole(run.sequenceLength);
    c.problem.training.globalBatchSequences = static_cast<long>(*run.globalBatch);
    c.problem.training.precision = *dtype;
    c.choice.tensor = wholeOrNone(run.tensor);
    c.choice.pipeline = wholeOrNone(run.pipeline);
    c.choice.virtualStages = wholeOrNone(run.virtualStages);
    c.choice.context = run.context ? wholeOrNone(run.context) : std::optional<int>(1);
    if (run.expert) c.choice.expert = wholeOrNone(run.expert);
    c.choice.microBatch = wholeOrNone(run.microBatch);
    // A batch that the replicas don't divide (the last micro-batch of some is smaller) is taken as
    // the next one that they do, at the same speed.
    double batchShare = 1;
    if (c.choice.tensor && c.choice.pipeline) {
        const long ranks =
            chips * layout::ranksPerChip(c.problem.profile, c.problem.cluster.system.chip);
        const long model =
            static_cast<long>(*c.choice.tensor) * *c.choice.pipeline * c.choice.context.value_or(1);
        const long replicas = ranks % model == 0 ? ranks / model : 1;
        const long whole = (c.problem.training.globalBatchSequences + replicas - 1) / replicas;
        batchShare = static_cast<double>(whole * replicas) /
                     static_cast<double>(c.problem.training.globalBatchSequences);
        c.problem.training.globalBatchSequences = whole * replicas;
    }
    // A shape out of a row's columns says nothing of tied embeddings: what the software can't do
    // the run didn't.
    if (!c.problem.profile.tiedEmbeddingsWithPipeline && whole(run.pipeline, 1) > 1)
        c.problem.architecture.tiedEmbeddings = false;
    if (run.sequenceParallel == "yes") c.choice.sequenceParallel = true;
    if (run.sequenceParallel == "no") c.choice.sequenceParallel = false;
    // A mode that the profile doesn't list (a row's "fsdp" for a framework that keeps weights
    // whole) is taken as the profile's own.
    const std::vector<layout::Sharding>& known = c.problem.profile.shardings;
    c.choice.sharding = shardingOf(run.sharding).value_or(c.problem.profile.shardingDefault);
    if (std::find(known.begin(), known.end(), *c.choice.sharding) == known.end()) {
        c.choice.sharding = c.problem.profile.shardingDefault;
    }
    if (run.recompute == "none") c.choice.recompute = layout::Recompute::None;
    if (run.recompute == "selective") c.choice.recompute = layout::Recompute::Selective;
    if (run.recompute == "full") c.choice.recompute = layout::Recompute::Full;
    // A row that doesn't speak of the host's memory didn't use it.
    c.choice.offloadOptimizer = lower(run.sharding).find("offload") != std::string::npos;
    c.choice.offloadActivations = false;
    if (run.memoryGigabytes) c.measuredMemoryBytes = *run.memoryGigabytes * 1e9;
    const long batch = c.problem.training.globalBatchSequences;
    c.problem.training.globalBatchSequences = static_cast<long>(*run.globalBatch);
    measure(run, figureText(catalog, "profile", profileId, "flop_attention"), c);
    c.problem.training.globalBatchSequences = batch;
    c.measuredStepSeconds *= batchShare;
    return c;
}

namespace {

/// Beyond what step times of one job scatter, and what a kernel's size can do.
constexpr double kContradiction = 1.25;

/// Whether two rows of one source are the same job on the same machines, but for the micro-batch.
bool differInMicroBatchAlone(const PublishedRun& a, const PublishedRun& b) {
    const auto job = [](const PublishedRun& r) {
        return std::tie(r.source, r.workload, r.model, r.attention, r.accelerator, r.system,
                        r.dtype, r.sharding, r.sequenceParallel, r.recompute, r.framework,
                        r.parametersBillion, r.layers, r.hidden, r.sequenceLength, r.accelerators,
                        r.globalBatch, r.tensor, r.pipeline, r.context, r.expert, r.data);
    };
    return job(a) == job(b) && a.microBatch != b.microBatch;
}

/// Sets rows aside that their own source contradicts: without a pipeline a larger micro-batch
/// means fewer and larger kernels for the same work, so a row can't be far slower than two that
/// agree with each other on less.
void setContradictedAside(std::vector<PreparedRun>& prepared) {
    for (PreparedRun& each : prepared) {
        const PublishedRun& run = each.run;
        if (!each.asked.skipped.empty() || !run.microBatch || run.pipeline.value_or(1) > 1)
            continue;
        std::vector<std::pair<double, const PublishedRun*>> smaller;
        for (const PreparedRun& other : prepared)
            if (other.asked.skipped.empty() && other.run.microBatch &&
                *other.run.microBatch < *run.microBatch && differInMicroBatchAlone(run, other.run))
                smaller.emplace_back(other.asked.measuredStepSeconds, &other.run);
        std::sort(smaller.begin(), smaller.end(), [](const auto& a, const auto& b) {
            return std::tie(a.first, a.second->id) < std::tie(b.first, b.second->id);
        });
        if (smaller.size() < 2 || smaller[1].first > kContradiction * smaller[0].first ||
            each.asked.measuredStepSeconds <= kContradiction * smaller[1].first)
            continue;
        each.asked.skipped = {
            "Its own source contradicts it: it takes {1} s, and {2} and {3}, the same with "
            "smaller micro-batches, take {4} and {5} s; larger ones do the same work in fewer "
            "kernels.",
            {fmt::format("{:.4g}", each.asked.measuredStepSeconds), smaller[0].second->id,
             smaller[1].second->id, fmt::format("{:.4g}", smaller[0].first),
             fmt::format("{:.4g}", smaller[1].first)}};
    }
}

}  // namespace

std::vector<PreparedRun> prepare(const std::vector<PublishedRun>& runs,
                                 const catalog::Catalog& catalog) {
    std::vector<PreparedRun> prepared;
    prepared.reserve(runs.size());
    for (const PublishedRun& run : runs) prepared.push_back({run, prepare(run, catalog)});
    setContradictedAside(prepared);
    return prepared;
}

}  // namespace trainwright::runs
