// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/compare/scenario_changes.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "data/scenario/registry.h"
#include "model/units/text_quantity.h"

namespace trainwright::compare {
namespace {

using scenario::Parameter;
using scenario::ValueKind;
using scenario::yaml::Node;
using search::Change;
using search::ChangedValue;
using search::ChangeKind;
using Json = nlohmann::ordered_json;

constexpr const char* kCandidates = "candidates";

std::string textOf(const Node& node) {
    if (node.isNull()) return {};
    if (node.isScalar()) return node.text;
    std::string out;
    for (const Node& item : node.values) out += (out.empty() ? "" : ", ") + textOf(item);
    return "[" + out + "]";
}

/// What an item of a list is called.
std::string idOf(const Node& item, std::size_t index) {
    for (const char* key : {"name", "figure"}) {
        const Node* value = item.find(key);
        if (value != nullptr && value->isScalar()) return "[" + value->text + "]";
    }
    return "[" + std::to_string(index) + "]";
}

void flatten(const Node& node, std::vector<std::string> keys, const std::string& indexed,
             std::vector<Leaf>& out) {
    if (node.isMap() && !node.keys.empty()) {
        for (std::size_t i = 0; i < node.keys.size(); ++i) {
            std::vector<std::string> inner = keys;
            inner.push_back(node.keys[i].text);
            flatten(node.values[i], std::move(inner),
                    indexed.empty() ? node.keys[i].text : indexed + "." + node.keys[i].text, out);
        }
        return;
    }
    const bool ofMaps = node.kind == scenario::yaml::Kind::List && !node.values.empty() &&
                        std::all_of(node.values.begin(), node.values.end(),
                                    [](const Node& n) { return n.isMap(); });
    if (ofMaps) {
        for (std::size_t i = 0; i < node.values.size(); ++i) {
            std::vector<std::string> inner = keys;
            inner.push_back(idOf(node.values[i], i));
            flatten(node.values[i], std::move(inner), indexed + "[" + std::to_string(i) + "]", out);
        }
        return;
    }
    if (keys.empty()) return;
    // `purchase: spot` says the same as `purchase: {plan: spot}`.
    if (keys.back() == "purchase" && node.isScalar() && !node.isNull()) keys.emplace_back("plan");
    out.push_back({std::move(keys), indexed, node});
}

/// "candidates[].accelerators", as the registry has it.
std::string registryKey(const Leaf& leaf) {
    std::string key;
    for (const std::string& part : leaf.keys) {
        if (part.starts_with('[')) {
            key += "[]";
        } else {
            key += (key.empty() ? "" : ".") + part;
        }
    }
    return key;
}

bool isOfCandidate(const Leaf& leaf) {
    return leaf.keys.size() >= 2 && leaf.keys[0] == kCandidates;
}

/// The path of what is changed in one go with the leaf.
std::string groupOf(const Leaf& leaf) {
    if (leaf.keys.front() == "model") return "model";
    std::size_t length = leaf.keys.size();
    if (isOfCandidate(leaf) && length > 3) length = 3;
    if (leaf.keys.front() == "overrides" && length > 2) length = 2;
    if (leaf.keys.front() == "uncertainty") length = 1;
    return Leaf{
        {leaf.keys.begin(), leaf.keys.begin() + static_cast<std::ptrdiff_t>(length)}, {}, {}}
        .path();
}

bool isWords(const Leaf& leaf) {
    const std::string& last = leaf.keys.back();
    return leaf.keys.front() == "title" || leaf.keys.front() == "version" || last == "because" ||
           leaf.keys.front() == "uncertainty" || (isOfCandidate(leaf) && last == "name");
}

bool isName(const Leaf& leaf) {
    return isOfCandidate(leaf) && leaf.keys.size() == 3 && leaf.keys[2] == "name";
}

/// The text as its key takes it; nullopt for what is no quantity.
std::optional<double> quantity(const Parameter* parameter, const std::string& text) {
    if (parameter == nullptr || parameter->kind != ValueKind::Quantity) return std::nullopt;
    const Outcome<double> value =
        units::readQuantity(parameter->quantity, text, units::BareNumber::Allowed);
    return value ? std::optional(*value) : std::nullopt;
}

bool isDefault(const Leaf& leaf) {
    if (leaf.node.isNull()) return true;
    if (leaf.node.isMap()) return leaf.node.keys.empty();
    const Parameter* parameter = scenario::findParameter(registryKey(leaf));
    if (parameter == nullptr || parameter->defaultText.empty()) return false;
    if (leaf.text() == parameter->defaultText) return true;
    const auto given = quantity(parameter, leaf.text());
    return given && given == quantity(parameter, parameter->defaultText);
}

bool meansTheSame(const ReadScenario& before, const Leaf& a, const ReadScenario& after,
                  const Leaf& b) {
    if (a.text() == b.text()) return true;
    const Parameter* parameter = scenario::findParameter(registryKey(a));
    if (parameter == nullptr) return false;
    if (parameter->kind == ValueKind::Batch)
        return before.scenario.training.globalBatchSequences ==
               after.scenario.training.globalBatchSequences;
    const auto left = before.scenario.values.find(a.indexed);
    const auto right = after.scenario.values.find(b.indexed);
    if (left == before.scenario.values.end() || right == after.scenario.values.end()) return false;
    const bool isNumber =
        parameter->kind == ValueKind::Quantity || parameter->kind == ValueKind::Flag;
    return isNumber && !left->second.isWord && !right->second.isWord &&
           left->second.number == right->second.number;
}

std::vector<Leaf> common(const ReadScenario& s) {
    std::vector<Leaf> out;
    for (const Leaf& leaf : s.leaves)
        if (leaf.keys.front() != kCandidates) out.push_back(leaf);
    return out;
}

std::vector<Leaf> ofCandidate(const ReadScenario& s, std::size_t index, const std::string& as) {
    std::vector<Leaf> out;
    if (index == CandidatePair::npos) return out;
    const std::string id = "[" + s.scenario.candidates[index].name + "]";
    for (const Leaf& leaf : s.leaves) {
        if (!isOfCandidate(leaf) || leaf.keys[1] != id) continue;
        out.push_back(leaf);
        out.back().keys[1] = "[" + as + "]";
    }
    return out;
}

const Leaf* findPath(const std::vector<Leaf>& leaves, const std::string& path) {
    const auto found = std::find_if(leaves.begin(), leaves.end(),
                                    [&](const Leaf& leaf) { return leaf.path() == path; });
    return found == leaves.end() ? nullptr : &*found;
}

/// Adds what differs between two sets of leaves.
void addChanges(const ReadScenario& before, const std::vector<Leaf>& a, const ReadScenario& after,
                const std::vector<Leaf>& b, const std::string& candidate,
                std::vector<Change>& changes) {
    const auto add = [&](const Leaf& leaf, std::optional<std::string> old,
                         std::optional<std::string> now) {
        const std::string group = groupOf(leaf);
        auto at = std::find_if(changes.begin(), changes.end(),
                               [&](const Change& c) { return c.path == group; });
        if (at == changes.end()) {
            changes.push_back({ChangeKind::Input, group, candidate, {}, true});
            at = changes.end() - 1;
        }
        at->isWords = at->isWords && isWords(leaf);
        at->values.push_back({leaf.path(), std::move(old), std::move(now), {}, {}, {}});
    };
    for (const Leaf& leaf : b) {
        const Leaf* old = findPath(a, leaf.path());
        if (old == nullptr && !isDefault(leaf)) {
            add(leaf, std::nullopt, leaf.text());
        } else if (old != nullptr && !meansTheSame(before, *old, after, leaf)) {
            add(leaf, old->text(), leaf.text());
        }
    }
    for (const Leaf& leaf : a)
        if (findPath(b, leaf.path()) == nullptr && !isDefault(leaf))
            add(leaf, leaf.text(), std::nullopt);
}

/// Leaves as a tree: maps and lists by key.
struct Branch {
    std::vector<std::pair<std::string, Branch>> children;
    const Node* leaf = nullptr;
};

Json jsonOf(const Node& node) {
    if (node.isNull()) return nullptr;
    if (node.isScalar()) return node.text;
    if (node.isMap()) return Json::object();
    Json list = Json::array();
    for (const Node& item : node.values) list.push_back(jsonOf(item));
    return list;
}

Json jsonOf(const Branch& branch) {
    if (branch.leaf != nullptr) return jsonOf(*branch.leaf);
    const bool isList = !branch.children.empty() && branch.children.front().first.starts_with('[');
    Json json = isList ? Json::array() : Json::object();
    for (const auto& [key, child] : branch.children) {
        if (isList) {
            json.push_back(jsonOf(child));
        } else {
            json[key] = jsonOf(child);
        }
    }
    return json;
}

void grow(Branch& root, const Leaf& leaf) {
    Branch* at = &root;
    for (const std::string& key : leaf.keys) {
        auto& children = at->children;
        auto found = std::find_if(children.begin(), children.end(),
                                  [&](const auto& child) { return child.first == key; });
        if (found == children.end()) {
            children.emplace_back(key, Branch{});
            found = children.end() - 1;
        }
        at = &found->second;
    }
    at->leaf = &leaf.node;
}

/// "trn2.48xlarge, 4096 accelerators": what a candidate is, in a value.
std::string summary(const scenario::Candidate& c) {
    std::string out = c.system + ", " + std::to_string(c.accelerators);
    if (!c.region.empty()) out += ", " + c.region;
    if (!c.purchase.plan.empty()) out += ", " + c.purchase.plan;
    return out;
}

}  // namespace

std::string Leaf::path() const {
    std::string path;
    for (const std::string& key : keys)
        path += path.empty() || key.starts_with('[') ? key : "." + key;
    return path;
}

std::string Leaf::text() const {
    return textOf(node);
}

Outcome<ReadScenario> readScenario(const std::string& text, const std::string& file) {
    Outcome<scenario::Scenario> read = scenario::read(text, file);
    if (!read) return read.findings();
    const Outcome<Node> tree = scenario::yaml::parse(text, file);
    if (!tree) return tree.findings();
    ReadScenario result{std::move(read).value(), {}};
    flatten(*tree, {}, {}, result.leaves);
    return result;
}

std::vector<CandidatePair> pairCandidates(const ReadScenario& before, const ReadScenario& after) {
    const auto& old = before.scenario.candidates;
    const auto& now = after.scenario.candidates;
    std::vector<CandidatePair> pairs;
    std::vector<bool> taken(old.size(), false);
    for (std::size_t j = 0; j < now.size(); ++j) {
        pairs.push_back({CandidatePair::npos, j});
        for (std::size_t i = 0; i < old.size(); ++i) {
            if (old[i].name != now[j].name) continue;
            pairs.back().before = i;
            taken[i] = true;
        }
    }
    const auto differences = [&](std::size_t i, std::size_t j) {
        std::vector<Change> changes;
        addChanges(before, ofCandidate(before, i, "x"), after, ofCandidate(after, j, "x"), {},
                   changes);
        return std::count_if(changes.begin(), changes.end(),
                             [](const Change& c) { return !c.isWords; });
    };
    // The most alike first.
    for (int allowed = 0; allowed <= 1; ++allowed) {
        for (CandidatePair& pair : pairs) {
            if (pair.before != CandidatePair::npos) continue;
            for (std::size_t i = 0; i < old.size(); ++i) {
                if (taken[i] || old[i].system != now[pair.after].system ||
                    differences(i, pair.after) > allowed)
                    continue;
                pair.before = i;
                taken[i] = true;
                break;
            }
        }
    }
    for (std::size_t i = 0; i < old.size(); ++i)
        if (!taken[i]) pairs.push_back({i, CandidatePair::npos});
    return pairs;
}

std::vector<Change> changesBetween(const ReadScenario& before, const ReadScenario& after,
                                   const std::vector<CandidatePair>& pairs) {
    std::vector<Change> changes;
    addChanges(before, common(before), after, common(after), {}, changes);
    for (const CandidatePair& pair : pairs) {
        const bool isNew = pair.before == CandidatePair::npos;
        const bool isGone = pair.after == CandidatePair::npos;
        const scenario::Candidate& one = isGone ? before.scenario.candidates[pair.before]
                                                : after.scenario.candidates[pair.after];
        if (isNew || isGone) {
            Change change{ChangeKind::Input, "candidates[" + one.name + "]", one.name, {}, true};
            ChangedValue value{change.path, std::nullopt, std::nullopt, {}, {}, {}};
            (isNew ? value.after : value.before) = summary(one);
            change.values.push_back(std::move(value));
            changes.push_back(std::move(change));
            continue;
        }
        addChanges(before, ofCandidate(before, pair.before, one.name), after,
                   ofCandidate(after, pair.after, one.name), one.name, changes);
    }
    return changes;
}

std::string between(const ReadScenario& before, const ReadScenario& after, CandidatePair pair,
                    const std::vector<Change>& changes,
                    const std::function<bool(std::size_t)>& made) {
    const std::string& as = after.scenario.candidates[pair.after].name;
    std::vector<Leaf> a = common(before), b = common(after);
    for (Leaf& leaf : ofCandidate(before, pair.before, as)) a.push_back(std::move(leaf));
    for (Leaf& leaf : ofCandidate(after, pair.after, as)) b.push_back(std::move(leaf));

    std::set<std::string> madeGroups;
    for (std::size_t i = 0; i < changes.size(); ++i)
        if (changes[i].kind == ChangeKind::Input && made(i)) madeGroups.insert(changes[i].path);
    // One name all the way, that of the second scenario.
    const auto isFromAfter = [&](const Leaf& leaf) {
        return isName(leaf) || madeGroups.contains(groupOf(leaf));
    };
    Branch root;
    for (const Leaf& leaf : a)
        if (!isFromAfter(leaf)) grow(root, leaf);
    for (const Leaf& leaf : b)
        if (isFromAfter(leaf)) grow(root, leaf);
    return jsonOf(root).dump(1) + "\n";
}

}  // namespace trainwright::compare
