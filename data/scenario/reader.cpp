// SPDX-License-Identifier: GPL-3.0-or-later
// Reading: first every key and value against the registry, then the rules that tie values to each
// other.
#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

#include "data/scenario/registry.h"
#include "data/scenario/scenario.h"
#include "data/scenario/yaml.h"
#include "model/layout/software_profile.h"
#include "model/units/text_quantity.h"
#include "model/workload/operators.h"

namespace trainwright::scenario {

namespace {

using units::displayQuantity;
using units::groupedNumber;
using units::QuantityKind;
using units::readQuantity;
using yaml::Node;

constexpr const char* kRankOrderItem = "candidates[].parallelism.rank_order[]";

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : ", ") + w;
    return out;
}

/// "candidates[0].parallelism" -> "candidates.parallelism": how a person names the map.
std::string withoutIndices(const std::string& path) {
    std::string out;
    bool inside = false;
    for (char c : path) {
        if (c == '[') inside = true;
        if (!inside) out += c;
        if (c == ']') inside = false;
    }
    return out;
}

bool isOneOf(const std::string& word, const std::vector<std::string>& words) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

std::string shortened(const std::string& text) {
    constexpr std::size_t kLongest = 60;
    std::string flat;
    for (char c : text) flat += c == '\n' || c == '\r' || c == '\t' ? ' ' : c;
    if (flat.size() <= kLongest) return flat;
    std::size_t cut = kLongest;
    while (cut > 0 && (static_cast<unsigned char>(flat[cut]) & 0xc0U) == 0x80U) --cut;
    return flat.substr(0, cut) + "…";
}

/// The generic half: holds a tree of YAML against the registry and flattens it into values by path.
class Checker {
public:
    explicit Checker(std::string file) : file_(std::move(file)) {}

    void checkMap(const Node& node, const std::string& parent, const std::string& path) {
        const std::vector<const Parameter*> known = children(parent);
        std::set<std::string> suggested;
        for (std::size_t i = 0; i < node.keys.size(); ++i) {
            const Node& key = node.keys[i];
            const auto found = std::find_if(known.begin(), known.end(), [&](const Parameter* p) {
                return p->name() == key.text;
            });
            if (found == known.end()) {
                suggested.insert(unknownKey(key, known, path));
                continue;
            }
            checkValue(node.values[i], **found, path.empty() ? key.text : path + "." + key.text);
        }
        for (const Parameter* p : known) {
            // A misspelt key is named once, by its nearest.
            if (!p->required || node.find(p->name()) != nullptr || suggested.contains(p->name()))
                continue;
            const std::string full = path.empty() ? p->name() : path + "." + p->name();
            if (path.empty() && p->example.empty()) {
                add(node, full, "The scenario lacks the key `{1}`.", {p->name()});
            } else if (path.empty()) {
                add(node, full, "The scenario lacks the key `{1}`, as in `{1}: {2}`.",
                    {p->name(), p->example});
            } else if (path.ends_with("]")) {
                add(node, full, "This item of `{1}` lacks the key `{2}`, as in `{2}: {3}`.",
                    {withoutIndices(path), p->name(), p->example});
            } else {
                add(node, full, "`{1}` lacks the key `{2}`, as in `{2}: {3}`.",
                    {withoutIndices(path), p->name(), p->example});
            }
        }
    }

    /// One key of the file, as if it stood alone.
    void checkKey(const Node& value, const std::string& key) {
        checkValue(value, *findParameter(key), key);
    }

    std::vector<Finding> findings;
    std::map<std::string, Value> values;

private:
    void addAt(Severity severity, yaml::Mark mark, const std::string& path, std::string pattern,
               std::vector<Argument> arguments) {
        findings.push_back({severity, Text{std::move(pattern), std::move(arguments)},
                            Place{file_, mark.line, mark.column, path}});
    }

    void add(const Node& node, const std::string& path, std::string pattern,
             std::vector<Argument> arguments) {
        addAt(Severity::Error, node.start, path, std::move(pattern), std::move(arguments));
    }

    void add(const Node& node, const std::string& path, Text text) {
        addAt(Severity::Error, node.start, path, std::move(text.pattern),
              std::move(text.arguments));
    }

    /// The key that was meant, if one is near.
    std::string unknownKey(const Node& key, const std::vector<const Parameter*>& known,
                           const std::string& path) {
        std::vector<std::string> names;
        for (const Parameter* p : known) names.push_back(p->name());
        const std::string full = path.empty() ? key.text : path + "." + key.text;
        const std::string shown = shortened(key.text);
        const std::vector<std::string> near = units::nearestWords(key.text, names, 1);
        const std::string owner = withoutIndices(path);
        if (!near.empty()) {
            if (path.empty()) {
                add(key, full, "`{1}` is not a key of a scenario. Nearest: `{2}`.",
                    {shown, near.front()});
            } else {
                add(key, full, "`{1}` is not a key of `{2}`. Nearest: `{3}`.",
                    {shown, owner, near.front()});
            }
            return near.front();
        }
        for (const Parameter& p : parameters()) {
            if (p.name() != key.text || p.key.ends_with("[]")) continue;
            std::string home = p.parent();
            std::erase(home, '[');
            std::erase(home, ']');
            if (path.empty()) {
                add(key, full, "`{1}` is not a key of a scenario; it belongs into `{2}`.",
                    {shown, home});
            } else if (home.empty()) {
                add(key, full,
                    "`{1}` is not a key of `{2}`; it belongs to the top level of the file.",
                    {shown, owner});
            } else {
                add(key, full, "`{1}` is not a key of `{2}`; it belongs into `{3}`.",
                    {shown, owner, home});
            }
            return {};
        }
        if (path.empty()) {
            add(key, full, "`{1}` is not a key of a scenario. The keys are {2}.",
                {shown, joined(names)});
        } else {
            add(key, full, "`{1}` is not a key of `{2}`. Its keys are {3}.",
                {shown, owner, joined(names)});
        }
        return {};
    }

    void checkValue(const Node& node, const Parameter& p, const std::string& path) {
        if (node.isNull()) {
            // A map or list whose entries are all commented out is one that isn't there.
            const bool container = p.kind == ValueKind::Map || p.kind == ValueKind::List;
            if (p.key.ends_with("[]")) {
                add(node, path, "An item of `{1}` has no value. It takes {2}.",
                    {withoutIndices(path), expectation(p)});
            } else if (!container || p.required) {
                add(node, path, "`{1}` has no value. It takes {2}.", {p.name(), expectation(p)});
            }
            return;
        }
        if (p.kind == ValueKind::List || (p.orList && node.isList())) {
            if (node.isScalar() && isOneOf(node.text, p.words)) {
                record(node, path).isWord = true;
                return;
            }
            if (!node.isList()) return wrongShape(node, p, path);
            record(node, path);
            const Parameter* item = findParameter(p.key + "[]");
            const bool ofWords = isListOfWords(p);
            std::set<std::string> seen;
            for (std::size_t i = 0; i < node.values.size(); ++i) {
                const Node& value = node.values[i];
                const std::string itemPath = path + "[" + std::to_string(i) + "]";
                record(value, itemPath);
                checkValue(value, *item, itemPath);
                if (ofWords && value.isScalar() && !seen.insert(value.text).second) {
                    add(value, itemPath, "`{1}` stands twice in `{2}`.",
                        {shortened(value.text), p.name()});
                }
            }
            if (node.values.empty() && (p.required || ofWords || p.orList)) {
                add(node, path,
                    p.required ? "`{1}` is empty; a scenario has one at least."
                               : "`{1}` is empty. It takes {2}.",
                    p.required ? std::vector<Argument>{p.name()}
                               : std::vector<Argument>{p.name(), expectation(p)});
            }
            return;
        }
        if (p.kind == ValueKind::Map || (p.orMap && node.isMap())) {
            if (!node.isMap()) return wrongShape(node, p, path);
            record(node, path);
            checkMap(node, p.key, path);
            return;
        }
        if (!node.isScalar()) return wrongShape(node, p, path);
        checkScalar(node, p, path);
    }

    void wrongShape(const Node& node, const Parameter& p, const std::string& path) {
        if (p.key.ends_with("[]") && p.kind == ValueKind::Map) {
            add(node, path,
                node.isList()
                    ? "A list stands here, where an item of `{1}` is a map of keys and values."
                    : "`{2}` stands here, where an item of `{1}` is a map of keys and values.",
                {withoutIndices(path), shortened(node.text)});
            return;
        }
        std::string name = p.name();
        if (p.key.ends_with("[]")) name.resize(name.size() - 2);
        const char* what = node.isMap()    ? "A map stands here, where `{1}` takes {2}."
                           : node.isList() ? "A list stands here, where `{1}` takes {2}."
                                           : "`{3}` stands here, where `{1}` takes {2}.";
        std::vector<Argument> arguments{name, expectation(p)};
        if (node.isScalar()) arguments.push_back(shortened(node.text));
        add(node, path, what, std::move(arguments));
    }

    Value& record(const Node& node, const std::string& path) {
        Value v;
        v.text = node.text;
        v.place = Place{file_, node.start.line, node.start.column, path};
        v.begin = node.start.offset;
        v.end = node.end.offset;
        return values[path] = std::move(v);
    }

    void checkScalar(const Node& node, const Parameter& p, const std::string& path) {
        if (isOneOf(node.text, p.words)) {
            record(node, path).isWord = true;
            return;
        }
        switch (p.kind) {
            case ValueKind::Word:
                return notAWord(node, p, path);
            case ValueKind::Flag:
                if (node.text != "true" && node.text != "false") return notAWord(node, p, path);
                record(node, path).number = node.text == "true" ? 1 : 0;
                return;
            case ValueKind::Date: {
                Outcome<units::Day> day = units::readDay(node.text);
                if (!day) return add(node, path, day.findings().front().text);
                record(node, path);
                return;
            }
            case ValueKind::Quantity:
                return checkQuantity(node, p, path);
            case ValueKind::Batch:
                return checkBatch(node, path);
            case ValueKind::Text:
            case ValueKind::Name:
            case ValueKind::Scalar:
                return checkText(node, p, path);
            case ValueKind::Map:
            case ValueKind::List:
                break;
        }
    }

    void checkText(const Node& node, const Parameter& p, const std::string& path) {
        constexpr std::size_t kLongest = 500;
        const bool blank = node.text.find_first_not_of(" \t\r\n") == std::string::npos;
        if (blank && p.key != "title") {
            return add(node, path, "`{1}` has no value. It takes {2}.", {p.name(), expectation(p)});
        }
        std::string text = node.text;
        while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
        if (text.find_first_of("\n\r\t") != std::string::npos) {
            return add(node, path, "`{1}` takes one line of text, without tabs.", {p.name()});
        }
        if (text.size() > kLongest) {
            return add(node, path, "`{1}` has {2} bytes; it takes {3} at most.",
                       {p.name(), std::to_string(text.size()), std::to_string(kLongest)});
        }
        record(node, path).text = text;
    }

    void notAWord(const Node& node, const Parameter& p, const std::string& path) {
        std::string name = p.name();
        if (p.key.ends_with("[]")) name.resize(name.size() - 2);
        std::vector<std::string> words = p.words;
        if (p.kind == ValueKind::Flag) words.insert(words.begin(), {"true", "false"});
        const std::vector<std::string> near = units::nearestWords(node.text, words, 1);
        const Text expected = expectation(p);
        if (near.empty()) {
            return add(node, path, "`{1}` is no value of `{2}`. It takes {3}.",
                       {shortened(node.text), name, expected});
        }
        add(node, path, "`{1}` is no value of `{2}`. Nearest: `{3}`. It takes {4}.",
            {shortened(node.text), name, near.front(), expected});
    }

    void checkQuantity(const Node& node, const Parameter& p, const std::string& path) {
        Outcome<double> value = readQuantity(p.quantity, node.text, p.bare);
        if (!value) {
            // A word was meant more likely than a number: `atuo`, `catalogue`.
            const bool letters =
                !node.text.empty() && ((node.text[0] >= 'a' && node.text[0] <= 'z') ||
                                       (node.text[0] >= 'A' && node.text[0] <= 'Z'));
            if (!p.words.empty() && letters) return notAWord(node, p, path);
            Text text = value.findings().front().text;
            for (Argument& argument : text.arguments)
                if (!argument.text()) argument = shortened(argument.english());
            return add(node, path, std::move(text));
        }
        const std::string shown = shortened(node.text);
        if (*value < p.minimum || (p.minimumExcluded && *value <= p.minimum)) {
            if (p.minimumExcluded) {
                return add(node, path, "`{1}` is too small for `{2}`: it is more than {3}.",
                           {shown, p.name(), units::formatQuantity(p.quantity, p.minimum)});
            }
            return add(node, path, "`{1}` is too small for `{2}`: at least {3}.",
                       {shown, p.name(), units::formatQuantity(p.quantity, p.minimum)});
        }
        if (*value > p.maximum) {
            return add(node, path, "`{1}` is too large for `{2}`: at most {3}.",
                       {shown, p.name(), units::formatQuantity(p.quantity, p.maximum)});
        }
        record(node, path).number = *value;
        if (p.key == "training.sequence_length" &&
            (node.text.ends_with("k") || node.text.ends_with("K"))) {
            const double binary = std::round(*value / 1000.0 * units::kKibi);
            addAt(
                Severity::Warning, node.start, path, "`{1}` is {2} tokens. {3} is written {4}.",
                {shown, groupedNumber(*value), groupedNumber(binary), units::plainNumber(binary)});
        }
    }

    /// Only the unit is decided here; that tokens make whole sequences needs the sequence length.
    void checkBatch(const Node& node, const std::string& path) {
        const bool tokens = node.text.find("token") != std::string::npos;
        const QuantityKind kind = tokens ? QuantityKind::Tokens : QuantityKind::Sequences;
        Outcome<double> value = readQuantity(kind, node.text);
        if (!value) {
            Text text = value.findings().front().text;
            for (Argument& argument : text.arguments)
                if (!argument.text()) argument = shortened(argument.english());
            return add(node, path, std::move(text));
        }
        if (readQuantity(QuantityKind::Count, node.text).ok()) {
            return add(
                node, path,
                "`{1}` has no unit: sequences or tokens? Write `{1} sequences` or `{1} tokens`.",
                {node.text});
        }
        constexpr double kLargestBatch = 1e12;
        if (*value < 1)
            return add(node, path, "`{1}` is too small for `{2}`: at least {3}.",
                       {node.text, "global_batch", "1 sequence"});
        if (*value > kLargestBatch) {
            return add(node, path, "`{1}` is too large for `{2}`: at most {3}.",
                       {node.text, "global_batch", displayQuantity(kind, kLargestBatch)});
        }
        Value& v = record(node, path);
        v.number = *value;
        v.isWord = tokens;  // which of the two units it is in
    }

    std::string file_;
};

/// The specific half: fills the structs and checks what one value says of another.
class Filler {
public:
    Filler(Scenario& scenario, std::vector<Finding>& findings)
        : s_(scenario), findings_(findings) {}

    void fill() {
        s_.version = static_cast<int>(number("version", kScenarioVersion));
        s_.title = text("title");
        fillModel();
        fillTraining();
        fillCandidates();
        fillConstraints();
        fillOperations();
        fillStorage();
        fillOverrides();
        s_.samples =
            static_cast<int>(number("uncertainty.samples", defaultOf("uncertainty.samples")));
        s_.seed =
            static_cast<std::uint32_t>(number("uncertainty.seed", defaultOf("uncertainty.seed")));
    }

    void fillOverrides() {
        for (std::size_t i = 0; has("overrides[" + std::to_string(i) + "]"); ++i) {
            const std::string path = "overrides[" + std::to_string(i) + "].";
            s_.overrides.push_back(
                {text(path + "figure"), text(path + "value"), text(path + "because")});
        }
    }

private:
    [[nodiscard]] const Value* find(const std::string& path) const {
        const auto found = s_.values.find(path);
        return found == s_.values.end() ? nullptr : &found->second;
    }
    [[nodiscard]] bool has(const std::string& path) const { return find(path) != nullptr; }
    /// Whether a finding already stands at `path`.
    [[nodiscard]] bool faulty(const std::string& path) const {
        return std::any_of(findings_.begin(), findings_.end(),
                           [&](const Finding& f) { return f.place.key == path; });
    }
    [[nodiscard]] bool faultyBelow(const std::string& prefix) const {
        return std::any_of(findings_.begin(), findings_.end(),
                           [&](const Finding& f) { return f.place.key.starts_with(prefix); });
    }
    [[nodiscard]] std::string text(const std::string& path,
                                   const std::string& otherwise = "") const {
        const Value* v = find(path);
        return v == nullptr ? otherwise : v->text;
    }
    [[nodiscard]] std::optional<double> given(const std::string& path) const {
        const Value* v = find(path);
        if (v == nullptr || v->isWord) return std::nullopt;
        return v->number;
    }
    [[nodiscard]] double number(const std::string& path, double otherwise) const {
        return given(path).value_or(otherwise);
    }
    [[nodiscard]] int whole(const std::string& path, int otherwise) const {
        return static_cast<int>(number(path, otherwise));
    }
    /// The registry's default in base units.
    [[nodiscard]] static double defaultOf(const std::string& key) {
        const Parameter* p = findParameter(key);
        return readQuantity(p->quantity, p->defaultText, units::BareNumber::Allowed).value();
    }
    [[nodiscard]] bool flag(const std::string& path) const {
        const Value* v = find(path);
        if (v != nullptr) return v->number != 0;
        return findParameter(path)->defaultText == "true";
    }
    [[nodiscard]] std::string word(const std::string& path) const {
        return text(path, findParameter(path)->defaultText);
    }

    void add(const std::string& path, std::string pattern, std::vector<Argument> arguments,
             Severity severity = Severity::Error) {
        findings_.push_back(
            {severity, Text{std::move(pattern), std::move(arguments)}, s_.placeOf(path)});
    }

    [[nodiscard]] std::optional<run::Date> date(const std::string& path) const {
        const Value* v = find(path);
        if (v == nullptr) return std::nullopt;
        const units::Day day = units::readDay(v->text).value();
        return run::Date{day.year, day.month, day.day};
    }

    void fillModel() {
        if (!has("model")) return;
        if (!has("model.layers") && !has("model.hidden") && !has("model.heads")) {
            s_.modelId = text("model");
            return;
        }
        workload::Architecture a;
        a.id = text("model.name", findParameter("model.name")->defaultText);
        a.family = "custom";
        a.layers = whole("model.layers", 0);
        a.hidden = whole("model.hidden", 0);
        a.heads = whole("model.heads", 0);
        a.keyValueHeads = whole("model.kv_heads", a.heads);
        a.ffn = whole("model.ffn", 0);
        a.vocabulary = whole("model.vocabulary", 0);
        a.nativeContext = whole("model.context", whole("training.sequence_length", 0));
        a.gatedMlp = flag("model.gated_mlp");
        a.tiedEmbeddings = flag("model.tied_embeddings");
        a.causal = flag("model.causal");
        a.linearBias = flag("model.linear_bias");
        a.queryKeyValueBias = flag("model.query_key_value_bias");
        a.queryKeyNorm = flag("model.query_key_norm");
        a.parallelBlock = flag("model.parallel_block");
        a.normsPerLayer =
            whole("model.norms_per_layer", static_cast<int>(defaultOf("model.norms_per_layer")));
        a.embeddingNorm = flag("model.embedding_norm");
        a.norm = static_cast<workload::Norm>(indexOf("model.norm"));
        a.positional = static_cast<workload::Positional>(indexOf("model.positional"));
        if (has("model.attention_window")) {
            const std::string p = "model.attention_window.";
            a.pattern.window = whole(p + "size", 0);
            a.pattern.period = whole(p + "period", static_cast<int>(defaultOf(p + "period")));
            a.pattern.localPerPeriod =
                whole(p + "local_per_period", static_cast<int>(defaultOf(p + "local_per_period")));
        }
        if (has("model.moe")) {
            const std::string p = "model.moe.";
            workload::MixtureOfExperts moe;
            moe.experts = whole(p + "experts", 0);
            moe.topK = whole(p + "top_k", 0);
            moe.sharedExperts = whole(p + "shared_experts", 0);
            moe.expertFfn = whole(p + "expert_ffn", 0);
            moe.leadingDenseLayers = whole(p + "leading_dense_layers", 0);
            moe.interleaveStep = whole(p + "interleave_step", 1);
            moe.routingGroups = whole(p + "routing_groups", 0);
            moe.routedGroups = whole(p + "routed_groups", 0);
            a.moe = moe;
        }
        if (has("model.latent_attention")) {
            const std::string p = "model.latent_attention.";
            workload::LatentAttention latent;
            latent.queryRank = whole(p + "query_rank", 0);
            latent.keyValueRank = whole(p + "key_value_rank", 0);
            latent.nopeHeadSize = whole(p + "nope_head_size", 0);
            latent.ropeHeadSize = whole(p + "rope_head_size", 0);
            latent.valueHeadSize = whole(p + "value_head_size", 0);
            a.latent = latent;
        }
        a.multiTokenHeads = whole("model.multi_token_heads", 0);
        a.headSize = whole("model.head_size", 0);
        const bool judged = complete(a);
        if (a.headSize == 0 && a.latent)
            a.headSize = a.latent->nopeHeadSize + a.latent->ropeHeadSize;
        if (a.headSize == 0 && a.heads > 0) {
            if (a.hidden % a.heads != 0) {
                add("model.hidden",
                    "{1} hidden elements don't divide by {2} heads. Give `head_size`, or take {3} "
                    "hidden elements.",
                    {groupedNumber(a.hidden), groupedNumber(a.heads),
                     groupedNumber(
                         std::max(1.0, std::round(static_cast<double>(a.hidden) / a.heads)) *
                         a.heads)});
            }
            a.headSize = std::max(1, a.hidden / a.heads);
        }
        if (judged) {
            for (Finding f : workload::validate(a)) {
                f.place = s_.placeOf("model");
                findings_.push_back(std::move(f));
            }
        }
        s_.architecture = std::move(a);
    }

    /// Sizes that are missing have been said to be; judging what is left would only repeat it.
    [[nodiscard]] bool complete(const workload::Architecture& a) const {
        bool sound = a.layers > 0 && a.hidden > 0 && a.heads > 0 && a.ffn > 0 && a.vocabulary > 0;
        if (a.moe) sound = sound && a.moe->experts > 0 && a.moe->topK > 0 && a.moe->expertFfn > 0;
        if (a.latent)
            sound = sound && a.latent->keyValueRank > 0 && a.latent->nopeHeadSize > 0 &&
                    a.latent->ropeHeadSize > 0;
        return sound && !faultyBelow("model.");
    }

    [[nodiscard]] std::size_t indexOf(const std::string& path) const {
        const std::vector<std::string>& words = findParameter(path)->words;
        return static_cast<std::size_t>(std::find(words.begin(), words.end(), word(path)) -
                                        words.begin());
    }

    void fillTraining() {
        layout::TrainingSpec& t = s_.training;
        s_.start = date("training.start");
        t.tokens = number("training.tokens", 0);
        t.sequenceLength = whole("training.sequence_length", 0);
        t.precision =
            machine::dtypeFromName(word("training.precision")).value_or(machine::Dtype::Bf16);
        t.optimizer = static_cast<layout::Optimizer>(indexOf("training.optimizer"));
        t.recompute = recompute("training.recompute", "training.recompute");
        t.gradientBytes = bytesOf("training.gradient_dtype");
        t.optimizerStateBytes = bytesOf("training.optimizer_state_dtype");
        t.scalingRecipe = named<layout::ScalingRecipe>(
            "training.scaling_recipe",
            {layout::ScalingRecipe::Delayed, layout::ScalingRecipe::Tensorwise,
             layout::ScalingRecipe::Blockwise, layout::ScalingRecipe::Microscaled});
        t.expertLoadImbalance = given("training.expert_load_imbalance");
        t.expertCapacityFactor = given("training.expert_capacity_factor");
        const bool scaled =
            t.precision == machine::Dtype::Fp8 || t.precision == machine::Dtype::Fp4;
        if (t.scalingRecipe && !scaled && !faulty("training.precision")) {
            add("training.scaling_recipe",
                "`scaling_recipe` is for fp8 and fp4; with `precision` {1} it has no effect.",
                {machine::name(t.precision)}, Severity::Warning);
        }
        if (t.expertLoadImbalance && t.expertCapacityFactor) {
            add("training.expert_load_imbalance",
                "`expert_load_imbalance` has no effect beside `expert_capacity_factor`: slots are "
                "computed, filled or not.",
                {}, Severity::Warning);
        }
        const Value* batch = find("training.global_batch");
        if (batch == nullptr) return;
        if (!batch->isWord) {
            t.globalBatchSequences = static_cast<long>(batch->number);
        } else if (t.sequenceLength > 0) {
            const double sequences = batch->number / t.sequenceLength;
            if (sequences != std::floor(sequences)) {
                notWholeSequences(*batch, sequences);
                return;
            }
            t.globalBatchSequences = static_cast<long>(sequences);
        }
        const double step = static_cast<double>(t.globalBatchSequences) * t.sequenceLength;
        if (t.tokens > 0 && step > t.tokens) {
            add("training.global_batch", "One batch of {1} is more than the {2} of the whole run.",
                {displayQuantity(QuantityKind::Tokens, step),
                 displayQuantity(QuantityKind::Tokens, t.tokens)});
        }
    }

    void notWholeSequences(const Value& batch, double sequences) {
        const double length = s_.training.sequenceLength;
        // Batches that cut well over replicas have few binary digits: the neighbours with three of
        // them.
        const auto wholes = static_cast<std::uint64_t>(std::floor(sequences));
        const int digits = wholes == 0 ? 0 : static_cast<int>(std::bit_width(wholes)) - 1;
        const std::uint64_t grain = digits > 3 ? std::uint64_t{1} << (digits - 3) : 1;
        std::uint64_t first = wholes / grain * grain;
        std::uint64_t second = first + grain;
        if (std::countr_zero(second) > std::countr_zero(first) || first == 0)
            std::swap(first, second);
        const auto tokens = [&](std::uint64_t n) {
            return displayQuantity(QuantityKind::Count, static_cast<double>(n) * length);
        };
        const std::string shown = displayNumber(sequences);
        if (second == 0) {
            add("training.global_batch",
                "{1} is {2} sequences of {3}. Take {4} sequence ({5} tokens).",
                {batch.text, shown, groupedNumber(length), std::to_string(first), tokens(first)});
            return;
        }
        add("training.global_batch",
            "{1} is {2} sequences of {3}. Take {4} sequences ({5} tokens) or {6} ({7}).",
            {batch.text, shown, groupedNumber(length), std::to_string(first), tokens(first),
             std::to_string(second), tokens(second)});
    }

    /// Enough decimals that a broken number doesn't look whole.
    static std::string displayNumber(double value) {
        for (int decimals = 1; decimals < 9; ++decimals) {
            std::string text = groupedNumber(value, decimals);
            if (text.find('.') != std::string::npos) return text;
        }
        return groupedNumber(value, 9);
    }

    /// The one of `values` whose name stands at `path`.
    template <typename Enumeration>
    [[nodiscard]] std::optional<Enumeration> named(
        const std::string& path, std::initializer_list<Enumeration> values) const {
        const std::string written = text(path);
        for (const Enumeration value : values) {
            if (written == name(value)) return value;
        }
        return std::nullopt;
    }

    /// Of an element in the number format at `path`; nullopt where the catalog decides.
    [[nodiscard]] std::optional<double> bytesOf(const std::string& path) const {
        const std::optional<machine::Dtype> dtype = machine::dtypeFromName(text(path));
        return dtype ? std::optional<double>(machine::bytesPerElement(*dtype)) : std::nullopt;
    }

    [[nodiscard]] std::optional<layout::Recompute> recompute(const std::string& path,
                                                             const std::string& key) const {
        const std::string w = text(path, findParameter(key)->defaultText);
        for (layout::Recompute r :
             {layout::Recompute::None, layout::Recompute::Selective, layout::Recompute::Full}) {
            if (w == layout::name(r)) return r;
        }
        return std::nullopt;
    }

    void fillCandidates() {
        std::map<std::string, std::size_t> names;
        for (std::size_t i = 0; has("candidates[" + std::to_string(i) + "]"); ++i) {
            const std::string path = "candidates[" + std::to_string(i) + "]";
            Candidate c;
            c.name = text(path + ".name");
            c.system = text(path + ".system");
            c.accelerators = static_cast<long>(number(path + ".accelerators", 0));
            c.region = text(path + ".region");
            fillPurchase(c, path + ".purchase");
            c.discount = number(path + ".discount", 0);
            c.software = text(path + ".software");
            fillParallelism(c.parallelism, path + ".parallelism");
            fillArrivals(c, path + ".arrivals");
            if (!c.name.empty()) {
                const auto [first, fresh] = names.emplace(c.name, i);
                if (!fresh) {
                    add(path + ".name",
                        "Two candidates are called `{1}`; the first is in line {2}.",
                        {c.name, std::to_string(s_.placeOf("candidates[" +
                                                           std::to_string(first->second) + "].name")
                                                    .line)});
                }
            }
            checkBatch(c, path);
            s_.candidates.push_back(std::move(c));
        }
    }

    void fillArrivals(Candidate& c, const std::string& path) {
        for (std::size_t i = 0; has(path + "[" + std::to_string(i) + "]"); ++i) {
            const std::string at = path + "[" + std::to_string(i) + "]";
            const std::optional<run::Date> from = date(at + ".from");
            const long count = static_cast<long>(number(at + ".count", 0));
            if (!from || count <= 0) return;  // said already
            if (!s_.start) {
                if (!faulty("training.start"))
                    add(at + ".from",
                        "Arrivals need the first day of the run: `training` has no `start`.", {});
                return;
            }
            if (daysOf(*from) < daysOf(*s_.start)) {
                add(at + ".from", "{1} is before the run's `start` {2}.",
                    {text(at + ".from"), text("training.start")});
                return;
            }
            if (!c.arrivals.empty() && (daysOf(*from) <= daysOf(c.arrivals.back().from) ||
                                        count <= c.arrivals.back().count)) {
                add(at,
                    "Arrivals stand in the order of their days, each with more accelerators "
                    "than the one before.",
                    {});
                return;
            }
            c.arrivals.push_back({*from, count});
        }
        if (c.arrivals.empty()) return;
        if (c.accelerators > 0 && c.arrivals.back().count != c.accelerators) {
            add(path, "The last arrival makes {1} accelerators; the candidate has {2}.",
                {groupedNumber(static_cast<double>(c.arrivals.back().count)),
                 groupedNumber(static_cast<double>(c.accelerators))});
        }
        if (!c.portions.empty()) {
            add(path, "Arrivals of a cluster that is bought in several ways aren't modelled.", {});
        }
    }

    void fillPurchase(Candidate& c, const std::string& path) {
        const Value* v = find(path);
        if (v == nullptr) return;
        if (has(path + "[0]")) return fillPortions(c, path);
        const bool map = std::any_of(s_.values.begin(), s_.values.end(), [&](const auto& value) {
            return value.first.starts_with(path + ".");
        });
        if (!map) {
            c.purchase.plan = v->text;
        } else {
            c.purchase = purchase(path);
        }
    }

    [[nodiscard]] Purchase purchase(const std::string& path) {
        Purchase p;
        p.plan = text(path + ".plan");
        if (std::optional<double> price = given(path + ".price_usd_per_hour"))
            p.perUnit = units::UsDollarsPerSecond(*price);
        p.because = text(path + ".because");
        if (!p.because.empty() && !p.perUnit) {
            add(path + ".because",
                "`because` explains `price_usd_per_hour`, which isn't given here.", {},
                Severity::Warning);
        }
        p.dedicated = text(path + ".commitment") == "dedicated";
        if (has(path + ".own")) fillOwn(p, path + ".own");
        if (p.plan.empty() && p.own && !p.perUnit) p.plan = run::kOwned;
        if (p.plan == run::kOwned && p.perUnit) {
            add(path + ".price_usd_per_hour",
                "Owned machines have no price by the hour: what they cost stands in `own`.", {});
        }
        return p;
    }

    void fillOwn(Purchase& p, const std::string& path) {
        OwnChoices own;
        const auto money = [&](const char* key) -> std::optional<units::UsDollars> {
            const std::optional<double> v = given(path + "." + key);
            return v ? std::optional<units::UsDollars>(units::UsDollars(*v)) : std::nullopt;
        };
        own.capitalPerAccelerator = money("capital_usd_per_accelerator");
        own.capitalPerUnit = money("capital_usd_per_unit");
        if (own.capitalPerAccelerator && own.capitalPerUnit) {
            add(path + ".capital_usd_per_unit",
                "The capital is given twice: `capital_usd_per_accelerator` and "
                "`capital_usd_per_unit`; one of them is enough.",
                {});
        }
        if (std::optional<double> life = given(path + ".life"))
            own.lifeYears = *life / units::kSecondsPerYear;
        own.costOfCapital = given(path + ".cost_of_capital");
        own.residualShare = given(path + ".residual");
        own.useShare = given(path + ".use");
        own.operationShare = given(path + ".staff_share");
        own.usdPerKilowattHour = given(path + ".electricity_usd_per_kwh");
        own.because = text(path + ".because");
        p.own = std::move(own);
    }

    void fillPortions(Candidate& c, const std::string& path) {
        std::size_t open = 0;
        for (std::size_t i = 0; has(path + "[" + std::to_string(i) + "]"); ++i) {
            const std::string at = path + "[" + std::to_string(i) + "]";
            Purchase p = purchase(at);
            p.units = static_cast<long>(number(at + ".units", 0));
            p.region = text(at + ".region");
            p.discount = given(at + ".discount");
            if (p.units == 0 && !faulty(at + ".units") && ++open > 1) {
                add(at,
                    "Two purchases of `{1}` have no `units`; only one can be what the others "
                    "leave.",
                    {c.name});
            }
            c.portions.push_back(std::move(p));
        }
        c.purchase = c.portions.front();
    }

    void fillParallelism(layout::LayoutChoice& l, const std::string& path) {
        const auto degree = [&](const char* key) -> std::optional<int> {
            const std::optional<double> v = given(path + "." + key);
            return v ? std::optional<int>(static_cast<int>(*v)) : std::nullopt;
        };
        l.tensor = degree("tensor");
        l.pipeline = degree("pipeline");
        l.virtualStages = degree("virtual_stages");
        l.context = degree("context");
        l.expert = degree("expert");
        l.data = degree("data");
        l.microBatch = degree("micro_batch");
        if (std::optional<double> v = given(path + ".sequence_parallel"))
            l.sequenceParallel = *v != 0;
        using layout::ContextExchange;
        using layout::Schedule;
        using layout::Sharding;
        l.sharding = named<Sharding>(path + ".sharding", {Sharding::None, Sharding::Zero1,
                                                          Sharding::Zero2, Sharding::Zero3});
        l.recompute = recompute(path + ".recompute", "candidates[].parallelism.recompute");
        l.schedule = named<Schedule>(
            path + ".schedule", {Schedule::GPipe, Schedule::OneForwardOneBackward,
                                 Schedule::Interleaved, Schedule::ZeroBubble, Schedule::DualPipe});
        l.contextExchange = named<ContextExchange>(
            path + ".context_exchange",
            {ContextExchange::Ring, ContextExchange::AllGather, ContextExchange::AllToAll});
        l.expertTensor = degree("expert_tensor");
        l.shardDegree = degree("shard_degree");
        fillRecompute(l, path);
        fillEnds(l, path);
        fillRankOrder(l, path + ".rank_order");
        const std::string offload = text(path + ".offload", "auto");
        if (offload != "auto") {
            l.offloadOptimizer = offload == "optimizer" || offload == "both";
            l.offloadActivations = offload == "activations" || offload == "both";
        }
    }

    /// Words of a list of words; empty where it isn't given or is a word itself.
    [[nodiscard]] std::vector<std::string> wordsOf(const std::string& path) const {
        std::vector<std::string> out;
        for (std::size_t i = 0; has(path + "[" + std::to_string(i) + "]"); ++i) {
            out.push_back(text(path + "[" + std::to_string(i) + "]"));
        }
        return out;
    }

    /// Groups are those of selective recompute, layers those of full: they decide the mode where
    /// it is left open, and are refused beside another.
    void fillRecompute(layout::LayoutChoice& l, const std::string& path) {
        const std::vector<std::string> groups = wordsOf(path + ".recompute_groups");
        const std::optional<double> every = given(path + ".recompute_every");
        const unsigned mask = workload::recomputeGroups(groups);
        if (mask != workload::kNoGroup) l.recomputeGroups = mask;
        if (every) l.recomputeEvery = static_cast<int>(*every);
        if (l.recomputeGroups && l.recomputeEvery) {
            add(path + ".recompute_every",
                "`recompute_every` is for full recompute, `recompute_groups` for selective; a "
                "layout has one of them.",
                {});
            return;
        }
        const std::optional<layout::Recompute> mode =
            l.recompute ? l.recompute : s_.training.recompute;
        const auto belongsTo = [&](const char* key, layout::Recompute own) {
            if (mode && *mode != own) {
                add(path + "." + key, "`{1}` is for {2} recompute; here `recompute` is {3}.",
                    {key, layout::name(own), layout::name(*mode)});
            } else {
                l.recompute = own;
            }
        };
        if (l.recomputeGroups) belongsTo("recompute_groups", layout::Recompute::Selective);
        if (l.recomputeEvery) belongsTo("recompute_every", layout::Recompute::Full);
    }

    void fillEnds(layout::LayoutChoice& l, const std::string& path) {
        const std::optional<double> first = given(path + ".first_stage_layers");
        const std::optional<double> last = given(path + ".last_stage_layers");
        if (first) l.firstStageLayers = static_cast<int>(*first);
        if (last) l.lastStageLayers = static_cast<int>(*last);
        if (!first && !last) return;
        const char* lone = first ? "first_stage_layers" : "last_stage_layers";
        const char* other = first ? "last_stage_layers" : "first_stage_layers";
        if (first.has_value() != last.has_value()) {
            if (faulty(path + "." + other)) return;
            add(path + "." + lone, "`{1}` needs `{2}` beside it: both ends are given, or neither.",
                {lone, other});
        } else if (l.pipeline && *l.pipeline < 2) {
            add(path + "." + lone, "`{1}` needs two stages at least; `pipeline` is {2}.",
                {lone, std::to_string(*l.pipeline)});
        }
    }

    void fillRankOrder(layout::LayoutChoice& l, const std::string& path) {
        const std::vector<std::string> order = wordsOf(path);
        if (order.empty()) return;
        // In the order of layout::Axis.
        const std::vector<std::string>& known = findParameter(kRankOrderItem)->words;
        std::vector<layout::Axis> axes;
        std::vector<std::string> missing;
        for (const std::string& word : order) {
            const auto at = std::find(known.begin(), known.end(), word);
            if (at == known.end()) return;  // said
            axes.push_back(static_cast<layout::Axis>(at - known.begin()));
        }
        for (const std::string& word : known) {
            if (!isOneOf(word, order)) missing.push_back(word);
        }
        if (!missing.empty()) {
            add(path, "`rank_order` names each of {1} once. Missing: {2}.",
                {joined(known), joined(missing)});
            return;
        }
        l.rankOrder = std::move(axes);
    }

    void checkBatch(const Candidate& c, const std::string& path) {
        const long batch = s_.training.globalBatchSequences;
        const long replicas = c.parallelism.data.value_or(1);
        const long micro = c.parallelism.microBatch.value_or(1);
        const long share = replicas * micro;
        if (batch <= 0 || batch % share == 0) return;
        const std::string place =
            path + ".parallelism." + (c.parallelism.data ? "data" : "micro_batch");
        const long below = batch / share * share;
        if (below == 0) {
            add(place,
                "The batch of {1} sequences doesn't divide by replicas × micro-batch = {2} × {3}. "
                "The smallest that does is {4}.",
                {groupedNumber(static_cast<double>(batch)),
                 groupedNumber(static_cast<double>(replicas)), std::to_string(micro),
                 groupedNumber(static_cast<double>(share))});
            return;
        }
        add(place,
            "The batch of {1} sequences doesn't divide by replicas × micro-batch = {2} × {3}. "
            "Nearest batches: {4} and {5}.",
            {groupedNumber(static_cast<double>(batch)),
             groupedNumber(static_cast<double>(replicas)), std::to_string(micro),
             groupedNumber(static_cast<double>(below)),
             groupedNumber(static_cast<double>(below + share))});
    }

    void fillConstraints() {
        search::Constraints& c = s_.constraints;
        c.finishBy = date("constraints.finish_by");
        if (std::optional<double> v = given("constraints.budget")) c.budget = units::UsDollars(*v);
        if (std::optional<double> v = given("constraints.power")) c.power = units::Watts(*v);
        c.carbonKilograms = given("constraints.carbon");
        if (std::optional<double> v = given("constraints.max_accelerators"))
            c.accelerators = static_cast<long>(*v);
        c.memoryHeadroom =
            number("constraints.memory_headroom", defaultOf("constraints.memory_headroom"));
        if (c.finishBy && !s_.start && !faulty("training.start")) {
            add("constraints.finish_by",
                "`finish_by` needs the first day of the run: `training` has no `start`.", {});
        }
        if (c.finishBy && s_.start && daysOf(*c.finishBy) <= daysOf(*s_.start)) {
            add("constraints.finish_by", "`finish_by` {1} is no later than `start` {2}.",
                {text("constraints.finish_by"), text("training.start")});
        }
    }

    static long daysOf(run::Date d) { return (d.year * 12L + d.month) * 31 + d.day; }

    void fillStorage() {
        StorageChoices& o = s_.storage;
        const Value* service = find("storage.service");
        if (service != nullptr && !service->isWord) o.service = service->text;
        o.checkpointsKept = given("storage.checkpoints_kept");
        o.dataset = units::Bytes(number("storage.dataset", 0));
        o.capacity = units::Bytes(number("storage.capacity", 0));
        o.egress = units::Bytes(number("storage.egress", 0));
    }

    /// Of two keys that make sense together alone.
    void both(const std::string& one, const std::string& other) {
        const auto check = [&](const std::string& here, const std::string& missing) {
            if (s_.values.contains(here) && !s_.values.contains(missing) && !faulty(missing))
                add(here, "`{1}` needs `{2}` beside it.",
                    {here.substr(here.rfind('.') + 1), missing.substr(missing.rfind('.') + 1)});
        };
        check(one, other);
        check(other, one);
    }

    void fillOperations() {
        OperationChoices& o = s_.operations;
        const std::string p = "operations.";
        if (std::optional<double> v = given(p + "checkpoint_storage"))
            o.checkpointStorage = units::BytesPerSecond(*v);
        o.checkpointBytesPerParameter = given(p + "checkpoint_bytes_per_parameter");
        if (std::optional<double> v = given(p + "asynchronous_checkpoints"))
            o.asynchronousCheckpoints = *v != 0;
        const auto duration = [&](const char* key) -> std::optional<units::Seconds> {
            const std::optional<double> v = given(p + key);
            return v ? std::optional<units::Seconds>(units::Seconds(*v)) : std::nullopt;
        };
        o.asynchronousStall = duration("asynchronous_stall");
        o.memoryCheckpointStall = duration("memory_checkpoint_stall");
        o.memoryCheckpointCovers = given(p + "memory_checkpoint_covers");
        o.plannedPauseEvery = duration("planned_pause_every");
        o.plannedPause = duration("planned_pause");
        both("operations.memory_checkpoint_stall", "operations.memory_checkpoint_covers");
        both("operations.planned_pause_every", "operations.planned_pause");
        if (o.plannedPauseEvery && o.plannedPause && *o.plannedPause >= *o.plannedPauseEvery) {
            add("operations.planned_pause", "A pause of {1} each {2} leaves no time to train.",
                {text("operations.planned_pause"), text("operations.planned_pause_every")});
        }
        if (std::optional<double> v = given(p + "spare_accelerators"))
            o.spareAccelerators = static_cast<long>(*v);
        o.restartTime = duration("restart_time");
        o.meanTimeBetweenFailures = duration("mean_time_between_failures");
        o.startup = duration("startup_time");
        o.evaluationShare = given(p + "evaluation_share");
    }

    Scenario& s_;
    std::vector<Finding>& findings_;
};

/// In the order of the file, so that a reader goes through it once.
void sortByPlace(std::vector<Finding>& findings) {
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
}

}  // namespace

Place Scenario::placeOf(const std::string& path) const {
    // A value that isn't written is where its nearest written parent is.
    std::string at = path;
    while (!at.empty()) {
        const auto found = values.find(at);
        if (found != values.end()) {
            Place place = found->second.place;
            place.key = path;
            return place;
        }
        const std::size_t cut = at.find_last_of(".[");
        at = cut == std::string::npos ? std::string{} : at.substr(0, cut);
    }
    return Place{file, 0, 0, path};
}

namespace {

// What can be read of `text`, and what is wrong with it.
struct Reading {
    Scenario scenario;
    std::vector<Finding> findings;
};

Reading readAll(const std::string& text, const std::string& file) {
    Outcome<Node> tree = yaml::parse(text, file);
    if (!tree) return {{}, tree.findings()};
    const Place whole{file, 0, 0, {}};
    if (tree->isNull()) {
        return {{},
                {Finding{
                    Severity::Error,
                    {"The file holds no scenario. `trainwright new` writes one to start from.", {}},
                    whole}}};
    }
    if (!tree->isMap()) {
        const Place first{file, tree->start.line, tree->start.column, {}};
        return {
            {},
            {Finding{
                Severity::Error,
                {"A scenario is a map of keys such as `version: 1`; something else stands here.",
                 {}},
                first}}};
    }
    if (const Node* version = tree->find("version"); version != nullptr && version->isScalar()) {
        Outcome<double> number = readQuantity(QuantityKind::Count, version->text);
        if (number && *number > kScenarioVersion) {
            // What a later version means by its keys isn't known; judging them would mislead.
            return {{},
                    {Finding{Severity::Error,
                             {"This file is in version {1} of the scenario format; this program "
                              "reads version {2}.",
                              {version->text, std::to_string(kScenarioVersion)}},
                             Place{file, version->start.line, version->start.column, "version"}}}};
        }
    }
    Checker checker(file);
    checker.checkMap(*tree, "", "");
    Scenario scenario;
    scenario.file = file;
    scenario.values = std::move(checker.values);
    std::vector<Finding> findings = std::move(checker.findings);
    Filler(scenario, findings).fill();
    sortByPlace(findings);
    return {std::move(scenario), std::move(findings)};
}

}  // namespace

Outcome<Scenario> read(const std::string& text, const std::string& file) {
    Reading r = readAll(text, file);
    if (hasErrors(r.findings)) return std::move(r.findings);
    return {std::move(r.scenario), std::move(r.findings)};
}

Outcome<Scenario> readOverrides(const std::string& text, const std::string& file) {
    Outcome<Node> tree = yaml::parse(text, file);
    if (!tree) return tree.findings();
    constexpr const char* kKey = "overrides";
    const Node* overrides = tree->find(kKey);
    if (overrides == nullptr || overrides->isNull()) {
        return Finding{Severity::Error,
                       {"The file lacks the key `{1}`, as in `overrides: [{figure: "
                        "chip/trainium2/hbm_bytes, value: 96 GiB, because: measured}]`.",
                        {kKey}},
                       Place{file, 0, 0, {}}};
    }
    Checker checker(file);
    checker.checkKey(*overrides, kKey);
    Scenario scenario;
    scenario.file = file;
    scenario.values = std::move(checker.values);
    std::vector<Finding> findings = std::move(checker.findings);
    Filler(scenario, findings).fillOverrides();
    sortByPlace(findings);
    if (hasErrors(findings)) return findings;
    return {std::move(scenario), std::move(findings)};
}

Outcome<Loaded> load(const std::string& text, const std::string& file,
                     const catalog::Catalog& catalog, FigureNotes notes) {
    Reading r = readAll(text, file);
    if (hasErrors(r.findings)) {
        const std::vector<Finding> names = unknownNames(r.scenario, catalog);
        r.findings.insert(r.findings.end(), names.begin(), names.end());
        sortByPlace(r.findings);
        return std::move(r.findings);
    }
    Outcome<search::PlanRequest> request = resolve(r.scenario, catalog, notes);
    if (!request) return request.findings();
    r.findings.insert(r.findings.end(), request.findings().begin(), request.findings().end());
    return {Loaded{std::move(r.scenario), std::move(request).value()}, std::move(r.findings)};
}

Outcome<Scenario> readFile(const std::string& path) {
    Outcome<std::string> text = yaml::readText(path);
    if (!text) return text.findings();
    return read(*text, path);
}

}  // namespace trainwright::scenario
