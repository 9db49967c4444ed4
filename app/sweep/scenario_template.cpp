// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/sweep/scenario_template.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "data/scenario/yaml.h"
#include "model/units/text_quantity.h"

namespace trainwright::app {
namespace {

using scenario::yaml::Kind;
using scenario::yaml::Node;

/// A scalar of the tree that an axis fills; no file holds such a tag.
constexpr const char* kHole = "\x01hole";

std::string quoted(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (c == '\r') {
            out += "\\r";
        } else {
            if (c == '"' || c == '\\') {
                out += '\\';
            }
            out += c;
        }
    }
    return out + "\"";
}

Node scalar(std::string text) {
    Node node;
    node.text = std::move(text);
    return node;
}

Node* find(Node& map, const std::string& key) {
    for (std::size_t i = 0; i < map.keys.size(); ++i) {
        if (map.keys[i].text == key) {
            return &map.values[i];
        }
    }
    return nullptr;
}

Node& add(Node& map, const std::string& key) {
    map.keys.push_back(scalar(key));
    map.values.emplace_back();
    return map.values.back();
}

/// Puts holes into the tree.
class HoleMaker {
public:
    HoleMaker(Node& root, const Axis& axis, int index) : root_(root), axis_(axis), index_(index) {}

    std::vector<Finding> make() {
        descend(root_, axis_.parameter().key, "");
        return std::move(findings_);
    }

private:
    void refuse(std::string pattern, std::vector<Argument> arguments) {
        findings_.push_back(
            {Severity::Error, Text{std::move(pattern), std::move(arguments)}, axis_.place()});
    }

    /// `path` is what is left of the key below `node`; `walked` names `node`.
    void descend(Node& node, const std::string& path, const std::string& walked) {
        const std::size_t dot = path.find('.');
        std::string name = path.substr(0, dot);
        const bool isList = name.ends_with("[]");
        if (isList) {
            name.resize(name.size() - 2);
        }
        if (!ensureMap(node, walked)) {
            return;
        }
        Node* child = find(node, name);
        const std::string full = walked.empty() ? name : walked + "." + name;
        if (isList) {
            items(child, path.substr(dot + 1), full);
            return;
        }
        if (child == nullptr) {
            child = &add(node, name);
        }
        if (dot != std::string::npos) {
            descend(*child, path.substr(dot + 1), full);
            return;
        }
        if (child->tag == kHole) {
            refuse("`{1}` is already run over by another axis.", {full});
            return;
        }
        *child = Node();
        child->tag = kHole;
        child->text = std::to_string(index_);
    }

    void items(Node* list, const std::string& rest, const std::string& name) {
        if (list == nullptr || !list->isList() || list->values.empty()) {
            refuse("The scenario has no `{1}`.", {name});
            return;
        }
        if (axis_.item().empty()) {
            for (Node& item : list->values) {
                descend(item, rest, name);
            }
            return;
        }
        std::vector<std::string> names;
        for (std::size_t i = 0; i < list->values.size(); ++i) {
            Node& item = list->values[i];
            const Node* label = item.find(name == "overrides" ? "figure" : "name");
            names.push_back(label != nullptr ? label->text : std::to_string(i));
            if (names.back() == axis_.item() || std::to_string(i) == axis_.item()) {
                descend(item, rest, name);
                return;
            }
        }
        const std::vector<std::string> near = units::nearestWords(axis_.item(), names, 1);
        if (near.empty()) {
            refuse("`{1}` has no item `{2}`.", {name, axis_.item()});
        } else {
            refuse("`{1}` has no item `{2}`. Nearest: `{3}`.", {name, axis_.item(), near.front()});
        }
    }

    /// A word in place of a map gives way to one: `parallelism: auto` to {}, `purchase: spot` to
    /// {plan: spot}. False where the word names something that has no keys.
    bool ensureMap(Node& node, const std::string& walked) {
        if (node.isMap()) {
            return true;
        }
        if (walked == "model" && !node.isNull()) {
            refuse(
                "The model is the catalog's {1}; only a model that is written out in the scenario "
                "has keys.",
                {node.text});
            return false;
        }
        const std::string word = node.isScalar() && !node.isNull() ? node.text : std::string();
        node = Node();
        node.kind = Kind::Map;
        if (walked.ends_with("purchase") && !word.empty()) {
            add(node, "plan") = scalar(word);
        }
        return true;
    }

    Node& root_;
    const Axis& axis_;
    int index_;
    std::vector<Finding> findings_;
};

}  // namespace

/// Writes the tree as block YAML, cut at its holes.
class ScenarioTemplate::Writer {
public:
    explicit Writer(std::size_t candidate) : candidate_(candidate) {}

    std::vector<Piece> write(const Node& root) {
        map(root, 0, true);
        pieces_.push_back({std::move(text_), -1});
        return std::move(pieces_);
    }

private:
    void map(const Node& node, std::size_t indent, bool isRoot) {
        for (std::size_t i = 0; i < node.keys.size(); ++i) {
            text_ += std::string(indent, ' ') + quoted(node.keys[i].text) + ":";
            const bool isCandidates = isRoot && node.keys[i].text == "candidates";
            value(node.values[i], indent + 1, isCandidates);
        }
    }

    void value(const Node& node, std::size_t indent, bool isCandidates) {
        if (node.tag == kHole) {
            int axis = 0;
            std::from_chars(node.text.data(), node.text.data() + node.text.size(), axis);
            pieces_.push_back({text_ + " ", axis});
            text_ = "\n";
        } else if (node.isMap() && !node.keys.empty()) {
            text_ += "\n";
            map(node, indent, false);
        } else if (node.isList() && !node.values.empty()) {
            text_ += "\n";
            for (std::size_t i = 0; i < node.values.size(); ++i) {
                if (!isCandidates || i == candidate_) {
                    text_ += std::string(indent, ' ') + "-";
                    value(node.values[i], indent + 1, false);
                }
            }
        } else if (node.isScalar()) {
            text_ += node.isNull() ? "\n" : " " + quoted(node.text) + "\n";
        } else {
            text_ += node.isMap() ? " {}\n" : " []\n";
        }
    }

    std::size_t candidate_;
    std::string text_;
    std::vector<Piece> pieces_;
};

Outcome<ScenarioTemplate> ScenarioTemplate::make(const std::string& text, const std::string& file,
                                                 const std::vector<Axis>& axes,
                                                 const std::vector<std::size_t>& candidates) {
    Outcome<Node> tree = scenario::yaml::parse(text, file);
    if (!tree) {
        return tree.findings();
    }
    std::vector<Finding> findings;
    for (std::size_t i = 0; i < axes.size(); ++i) {
        const std::vector<Finding> more =
            HoleMaker(tree.value(), axes[i], static_cast<int>(i)).make();
        findings.insert(findings.end(), more.begin(), more.end());
    }
    if (!findings.empty()) {
        return findings;
    }
    ScenarioTemplate made;
    for (const std::size_t candidate : candidates) {
        made.byCandidate_.push_back(Writer(candidate).write(*tree));
    }
    return made;
}

std::string ScenarioTemplate::fill(std::size_t candidate,
                                   const std::vector<AxisValue>& values) const {
    std::string out;
    for (const Piece& piece : byCandidate_[candidate]) {
        out += piece.text;
        if (piece.axis >= 0) {
            out += quoted(values[static_cast<std::size_t>(piece.axis)].text);
        }
    }
    return out;
}

}  // namespace trainwright::app
