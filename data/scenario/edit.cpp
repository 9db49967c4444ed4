// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/edit.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <optional>

#include "data/scenario/registry.h"
#include "data/scenario/yaml.h"
#include "model/units/text_quantity.h"
#include "model/workload/operators.h"

namespace trainwright::scenario {

namespace {

using yaml::Kind;
using yaml::Node;
using yaml::Style;

constexpr int kStep = 2;                ///< indentation where the file shows none
constexpr std::size_t kCommentGap = 2;  ///< kept between a value and the comment beside it

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

Finding because(const std::string& path, std::string pattern, std::vector<Argument> arguments) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{{}, 0, 0, path}};
}

// ---- Paths ----

struct Step {
    std::string key;  ///< empty: `index` counts
    std::size_t index = 0;
    [[nodiscard]] bool isKey() const { return !key.empty(); }
};
using Steps = std::vector<Step>;

/// Nothing where `path` isn't one.
std::optional<Steps> stepsOf(const std::string& path) {
    Steps steps;
    std::size_t i = 0;
    while (i < path.size()) {
        if (path[i] == '[') {
            const std::size_t close = path.find(']', i);
            if (close == std::string::npos || close == i + 1 || close > i + 7) return std::nullopt;
            std::size_t index = 0;
            for (std::size_t k = i + 1; k < close; ++k) {
                if (path[k] < '0' || path[k] > '9') return std::nullopt;
                index = index * 10 + static_cast<std::size_t>(path[k] - '0');
            }
            steps.push_back({{}, index});
            i = close + 1;
            if (i < path.size() && path[i] == '.') ++i;
            continue;
        }
        std::size_t end = path.find_first_of(".[", i);
        if (end == std::string::npos) end = path.size();
        if (end == i) return std::nullopt;
        steps.push_back({path.substr(i, end - i), 0});
        i = end < path.size() && path[end] == '.' ? end + 1 : end;
    }
    if (steps.empty()) return std::nullopt;
    return steps;
}

/// "candidates[].purchase", as the registry has it, of the first `count` steps.
std::string keyOf(const Steps& steps, std::size_t count) {
    std::string out;
    for (std::size_t i = 0; i < count; ++i) {
        if (!steps[i].isKey()) {
            out += "[]";
        } else {
            out += (out.empty() ? "" : ".") + steps[i].key;
        }
    }
    return out;
}

Node* child(Node& n, const Step& step) {
    if (step.isKey()) {
        if (!n.isMap()) return nullptr;
        for (std::size_t i = 0; i < n.keys.size(); ++i) {
            if (n.keys[i].text == step.key) return &n.values[i];
        }
        return nullptr;
    }
    return n.isList() && step.index < n.values.size() ? &n.values[step.index] : nullptr;
}

const Node* child(const Node& n, const Step& step) {
    return child(const_cast<Node&>(n), step);
}

// ---- Trees ----

Node scalarNode(const std::string& text, Style style = Style::Plain) {
    Node n;
    n.text = text;
    n.style = style;
    return n;
}

Node container(Kind kind, Style style) {
    Node n;
    n.kind = kind;
    n.style = style;
    return n;
}

void addKeyNode(Node& map, const std::string& key, Node value) {
    map.keys.push_back(scalarNode(key));
    map.values.push_back(std::move(value));
}

/// Whether both say the same. Aliases of something that was changed may differ.
bool sameData(const Node& a, const Node& b) {
    if (a.fromAlias && b.fromAlias) return true;
    if (a.kind != b.kind) return false;
    if (a.isScalar()) return a.isNull() == b.isNull() && (a.isNull() || a.text == b.text);
    if (a.values.size() != b.values.size()) return false;
    for (std::size_t i = 0; i < a.values.size(); ++i) {
        const Node* other = a.isMap() ? b.find(a.keys[i].text) : &b.values[i];
        if (other == nullptr || !sameData(a.values[i], *other)) return false;
    }
    return true;
}

/// Maps that are written in braces even where there is room for lines: their parts are short.
bool isInline(const std::string& key) {
    return key == "candidates[].parallelism";
}

/// `value` below the steps from `from` on, each a key or the first item of a list.
Node wrapped(const Steps& steps, std::size_t from, Node value) {
    for (std::size_t i = steps.size(); i-- > from;) {
        const Style style = isInline(keyOf(steps, i)) ? Style::Flow : Style::Block;
        Node outer = container(steps[i].isKey() ? Kind::Map : Kind::List, style);
        if (steps[i].isKey()) {
            addKeyNode(outer, steps[i].key, std::move(value));
        } else {
            outer.values.push_back(std::move(value));
        }
        value = std::move(outer);
    }
    return value;
}

/// What a scalar in the place of a map means as one: the plan of a purchase.
Node scalarAsMap(const Node& scalar, const std::string& key) {
    Node map = container(Kind::Map, Style::Flow);
    const bool isPlan = key == "candidates[].purchase";
    if (isPlan && !scalar.isNull()) addKeyNode(map, "plan", scalarNode(scalar.text));
    return map;
}

// ---- Writing ----

bool isPlainSafe(const std::string& value, bool inFlow) {
    if (value.empty() || value == "~" || value == "null" || value == "Null" || value == "NULL")
        return false;
    if (value.front() == ' ' || value.back() == ' ' || value.back() == ':') return false;
    if (std::string_view("!&*{}[],#|>@`\"'%?:=").find(value.front()) != std::string_view::npos)
        return false;
    if (value.front() == '-' && (value.size() == 1 || value[1] == ' ' || value[1] == '-'))
        return false;
    if (value.starts_with("...")) return false;
    for (std::size_t i = 0; i < value.size(); ++i) {
        const auto c = static_cast<unsigned char>(value[i]);
        if (c < 0x20 || c == 0x7f) return false;
        if (c == '#' && value[i - 1] == ' ') return false;
        if (c == ':' && (value[i + 1] == ' ' || (inFlow && std::strchr(",[]{}\"'", value[i + 1]))))
            return false;
        if (inFlow && std::strchr(",[]{}", value[i]) != nullptr) return false;
    }
    return true;
}

std::string doubleQuoted(const std::string& value) {
    constexpr const char* kHex = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (c == '\t') {
            out += "\\t";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += {'\\', 'x', kHex[byte >> 4U], kHex[byte & 15U]};
        } else {
            out += c;
        }
    }
    return out + '"';
}

std::string singleQuoted(const std::string& value) {
    std::string out = "'";
    for (const char c : value) {
        out += c;
        if (c == '\'') out += c;
    }
    return out + '\'';
}

std::string scalarText(const std::string& value, Style style, bool inFlow) {
    const bool control = std::any_of(value.begin(), value.end(), [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte < 0x20 || byte == 0x7f;
    });
    if (control) return doubleQuoted(value);
    if (style == Style::SingleQuoted) return singleQuoted(value);
    if (style == Style::DoubleQuoted) return doubleQuoted(value);
    if (isPlainSafe(value, inFlow)) return value;
    const bool escapes = value.find_first_of("\"\\") != std::string::npos;
    return escapes ? singleQuoted(value) : doubleQuoted(value);
}

std::string flowText(const Node& n) {
    if (n.isScalar()) return n.isNull() ? "null" : scalarText(n.text, n.style, true);
    std::string out(1, n.isMap() ? '{' : '[');
    for (std::size_t i = 0; i < n.values.size(); ++i) {
        if (i > 0) out += ", ";
        if (n.isMap()) out += scalarText(n.keys[i].text, Style::Plain, true) + ": ";
        out += flowText(n.values[i]);
    }
    return out + (n.isMap() ? '}' : ']');
}

/// One text and its tree, and the edits of it. Each edit changes `expected` as it should be read
/// afterwards and returns the new text; `finish` holds one against the other.
class Editor {
public:
    Editor(const std::string& text, Node root)
        : text_(text), root_(std::move(root)), expected_(root_) {
        measure(root_);
    }

    using Result = Outcome<std::string>;

    /// `raw`: how the value is written, where that is given.
    Result set(const std::string& path, const Node& value, const std::string* raw) {
        std::optional<Steps> steps = stepsOf(path);
        if (!steps) return noPath(path);
        path_ = path;
        walk(*steps);
        if (std::optional<Finding> no = expect(*steps, value)) return *no;
        if (const std::optional<std::size_t> alias = firstAlias()) {
            // Only here: the alias becomes what it stood for, with the change.
            const Node* here = at(*alias);
            const Node* wanted = &expected_;
            for (std::size_t i = 0; i < *alias; ++i) wanted = child(*wanted, (*steps)[i]);
            const bool whole = *alias == steps->size();
            return finish(splice(here->start.offset, here->end.offset,
                                 whole && raw != nullptr ? *raw : inContext(*wanted, *alias)));
        }
        const std::size_t depth = chain_.size() - 1;
        if (depth == steps->size()) return finish(replace(*steps, depth, value, raw));
        return finish(insert(*steps, depth, value, raw));
    }

    Result remove(const std::string& path) {
        std::optional<Steps> steps = stepsOf(path);
        if (!steps) return noPath(path);
        path_ = path;
        walk(*steps);
        if (chain_.size() != steps->size() + 1) return text_;
        // What would be left empty goes as well.
        while (steps->size() > 1 && at(steps->size() - 1)->values.size() == 1) {
            if (keyOf(*steps, steps->size()) == "candidates[]") {
                return because(path, "A scenario has one candidate at least; this is the last.",
                               {});
            }
            steps->pop_back();
        }
        path_ = path;
        walk(*steps);
        const std::size_t last = steps->size() - 1;
        Node* parent = &expected_;
        for (std::size_t i = 0; i < last; ++i) parent = child(*parent, (*steps)[i]);
        const std::size_t index = indexIn(*at(last), steps->back());
        parent->values.erase(parent->values.begin() + static_cast<long>(index));
        if (parent->isMap()) parent->keys.erase(parent->keys.begin() + static_cast<long>(index));
        if (const std::optional<std::size_t> alias = firstAlias(); alias && *alias <= last) {
            const Node* wanted = &expected_;
            for (std::size_t i = 0; i < *alias; ++i) wanted = child(*wanted, (*steps)[i]);
            return finish(splice(at(*alias)->start.offset, at(*alias)->end.offset,
                                 inContext(*wanted, *alias)));
        }
        const Node& map = *at(last);
        if (map.style == Style::Flow) return finish(removeFromFlow(map, index));
        return finish(map.isMap() ? removeLines(map, index) : removeItemLines(map, index));
    }

    Result duplicate(const std::string& path, std::size_t index) {
        const Node* list = listAt(path);
        if (list == nullptr || index >= list->values.size()) return noItem(path, index);
        Node* wanted = wantedAt(path);
        wanted->values.insert(wanted->values.begin() + static_cast<long>(index) + 1,
                              wanted->values[index]);
        if (list->fromAlias) return aliased(path);
        const Node& item = list->values[index];
        if (list->style == Style::Flow) {
            return finish(splice(item.end.offset, item.end.offset, ", " + flowText(item)));
        }
        const Extent e = extent(*list, index);
        std::string copy = text_.substr(e.dash, e.end - e.dash);
        dropAnchors(item, copy, e.dash);
        return finish(insertAfterLine(e.end, copy));
    }

    Result move(const std::string& path, std::size_t from, std::size_t to) {
        const Node* list = listAt(path);
        if (list == nullptr || from >= list->values.size()) return noItem(path, from);
        if (to >= list->values.size()) return noItem(path, to);
        if (from == to) return text_;
        Node* wanted = wantedAt(path);
        Node moved = wanted->values[from];
        wanted->values.erase(wanted->values.begin() + static_cast<long>(from));
        wanted->values.insert(wanted->values.begin() + static_cast<long>(to), std::move(moved));
        if (list->fromAlias) return aliased(path);
        // Every stretch between the first and the last that moves changes places as a whole.
        const std::size_t low = std::min(from, to);
        const std::size_t high = std::max(from, to);
        std::vector<Extent> parts;
        for (std::size_t i = low; i <= high; ++i) parts.push_back(extent(*list, i));
        const auto begin = [&](std::size_t i) {
            return list->style == Style::Flow ? parts[i - low].dash : parts[i - low].begin;
        };
        const auto piece = [&](std::size_t i) {
            return text_.substr(begin(i), parts[i - low].end - begin(i));
        };
        std::vector<std::size_t> order;
        for (std::size_t i = low; i <= high; ++i) order.push_back(i);
        const auto source = order.begin() + static_cast<long>(from - low);
        if (from < to) {
            std::rotate(order.begin(), order.begin() + 1, order.end());
        } else {
            std::rotate(order.begin(), source, order.end());
        }
        std::string out = text_.substr(0, begin(low));
        const std::string newline = newlineNear(begin(low));
        for (std::size_t i = low; i <= high; ++i) {
            std::string part = piece(order[i - low]);
            const bool block = list->style != Style::Flow;
            if (block && !part.ends_with('\n')) part += newline;
            out += part;
            if (i < high)
                out += text_.substr(parts[i - low].end, begin(i + 1) - parts[i - low].end);
        }
        std::string rest = text_.substr(parts.back().end);
        if (rest.empty() && !text_.ends_with('\n') && out.ends_with(newline)) {
            out.resize(out.size() - newline.size());
        }
        return finish(out + rest);
    }

private:
    struct Extent {
        std::size_t begin = 0;  ///< of the comment lines that stand above it at its column
        std::size_t dash = 0;   ///< of the line with its dash; of a flow item: its first byte
        std::size_t end = 0;    ///< past its last line and the comments deeper in than its dash
    };

    // ---- Answers ----

    Result finish(std::string text) const {
        const Outcome<Node> read = yaml::parse(text, {});
        if (read && sameData(expected_, *read)) return text;
        if (!read) {
            return because(path_,
                           "This can't be written at `{1}` without changing more of the "
                           "file: {2} It can be edited as text.",
                           {path_, read.findings().front().text});
        }
        return because(path_,
                       "This can't be written at `{1}` without changing more of the file. "
                       "It can be edited as text.",
                       {path_});
    }
    static Result noPath(const std::string& path) {
        return because(path, "`{1}` is no path of a key.", {path});
    }
    static Result noItem(const std::string& path, std::size_t index) {
        return because(path, "`{1}` has no item {2}.", {path, std::to_string(index + 1)});
    }
    static Result aliased(const std::string& path) {
        return because(path,
                       "`{1}` is written as an alias of another part of the file; it can be "
                       "edited there, or as text.",
                       {path});
    }

    // ---- Finding the way ----

    void walk(const Steps& steps) {
        chain_.assign(1, &root_);
        for (const Step& step : steps) {
            Node* next = child(*chain_.back(), step);
            if (next == nullptr) break;
            chain_.push_back(next);
        }
    }
    [[nodiscard]] const Node* at(std::size_t depth) const { return chain_[depth]; }
    [[nodiscard]] std::optional<std::size_t> firstAlias() const {
        for (std::size_t i = 0; i < chain_.size(); ++i) {
            if (chain_[i]->fromAlias) return i;
        }
        return std::nullopt;
    }
    static std::size_t indexIn(const Node& parent, const Step& step) {
        if (!step.isKey()) return step.index;
        std::size_t i = 0;
        while (parent.keys[i].text != step.key) ++i;
        return i;
    }
    const Node* listAt(const std::string& path) {
        path_ = path;
        const std::optional<Steps> steps = stepsOf(path);
        if (!steps) return nullptr;
        walk(*steps);
        return chain_.size() == steps->size() + 1 && chain_.back()->isList() ? chain_.back()
                                                                             : nullptr;
    }
    Node* wantedAt(const std::string& path) {
        Node* n = &expected_;
        const std::optional<Steps> steps = stepsOf(path);
        for (const Step& step : *steps) n = child(*n, step);
        return n;
    }
    [[nodiscard]] bool inFlow(std::size_t depth) const {
        for (std::size_t i = 0; i < depth; ++i) {
            if (chain_[i]->style == Style::Flow) return true;
        }
        return false;
    }
    [[nodiscard]] std::string inContext(const Node& n, std::size_t depth) const {
        if (!n.isScalar()) return flowText(n);
        return scalarText(n.text, n.style, inFlow(depth));
    }

    /// `expected_` with `value` at `steps`; a finding where that is no place for it.
    std::optional<Finding> expect(const Steps& steps, const Node& value) {
        Node* n = &expected_;
        for (std::size_t i = 0; i < steps.size(); ++i) {
            const Step& step = steps[i];
            Node* next = child(*n, step);
            if (next == nullptr) {
                if (step.isKey()) {
                    if (n->isList()) {
                        return because(path_,
                                       "`{1}` is a list here; `{2}` belongs to one of its "
                                       "items.",
                                       {keyOf(steps, i), step.key});
                    }
                    if (n->isScalar()) *n = scalarAsMap(*n, keyOf(steps, i));
                    addKeyNode(*n, step.key, {});
                    next = &n->values.back();
                } else {
                    if (n->isScalar()) *n = container(Kind::List, Style::Block);
                    if (!n->isList()) {
                        return because(path_, "`{1}` is a map here, not a list of several.",
                                       {keyOf(steps, i)});
                    }
                    if (step.index != n->values.size()) {
                        return because(path_, "`{1}` has {2} items; there is none at {3}.",
                                       {keyOf(steps, i), std::to_string(n->values.size()),
                                        std::to_string(step.index + 1)});
                    }
                    n->values.emplace_back();
                    next = &n->values.back();
                }
            }
            n = next;
        }
        *n = value;
        if (n->isScalar() && n->isNull()) n->style = Style::DoubleQuoted;
        return std::nullopt;
    }

    // ---- Lines ----

    [[nodiscard]] std::size_t lineStart(std::size_t offset) const {
        const std::size_t newline = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
        return newline == std::string::npos ? 0 : newline + 1;
    }
    /// The line end itself, of one byte or two, or the end of the text.
    [[nodiscard]] std::size_t lineEnd(std::size_t offset) const {
        const std::size_t newline = text_.find('\n', offset);
        if (newline == std::string::npos) return text_.size();
        return newline > offset && text_[newline - 1] == '\r' ? newline - 1 : newline;
    }
    /// Where the next line begins.
    [[nodiscard]] std::size_t nextLine(std::size_t offset) const {
        return std::min(text_.find('\n', offset), text_.size() - 1) + 1;
    }
    [[nodiscard]] std::string newlineNear(std::size_t offset) const {
        std::size_t end = text_.find('\n', offset);
        if (end == std::string::npos) end = text_.find('\n');
        return end != std::string::npos && end > 0 && end < text_.size() && text_[end - 1] == '\r'
                   ? "\r\n"
                   : "\n";
    }
    [[nodiscard]] bool isBlankBefore(std::size_t offset) const {
        return text_.find_first_not_of(" ", lineStart(offset)) >= offset;
    }
    static std::string spaces(std::size_t count) { return std::string(count, ' '); }
    /// Bytes before `offset` on its line, as spaces to put below it.
    [[nodiscard]] std::size_t columnOf(std::size_t offset) const {
        return characters(
            std::string_view(text_).substr(lineStart(offset), offset - lineStart(offset)));
    }

    /// How the file indents, from its first nested map and its first list.
    void measure(const Node& n) {
        if (n.isMap() && n.style == Style::Block && !n.fromAlias) {
            for (std::size_t i = 0; i < n.values.size(); ++i) {
                const Node& v = n.values[i];
                if (v.fromAlias || v.isScalar() || v.style != Style::Block || v.values.empty())
                    continue;
                const std::size_t outer = columnOf(n.keys[i].start.offset);
                if (v.isMap()) {
                    const std::size_t inner = columnOf(v.keys.front().start.offset);
                    if (!step_ && inner > outer) step_ = inner - outer;
                } else if (const std::size_t dash = dashOf(v, 0); dash != std::string::npos) {
                    const std::size_t inner = columnOf(dash);
                    if (!listStep_ && inner >= outer) listStep_ = inner - outer;
                }
                measure(v);
            }
        } else if (n.isList() && n.style == Style::Block && !n.fromAlias) {
            for (const Node& v : n.values) measure(v);
        }
    }
    [[nodiscard]] std::size_t step() const { return step_.value_or(kStep); }
    [[nodiscard]] std::size_t listStep() const { return listStep_.value_or(kStep); }

    /// The lines of a block map or list, each with its line end.
    [[nodiscard]] std::string blockText(const Node& n, std::size_t indent,
                                        const std::string& newline) const {
        std::string out;
        for (std::size_t i = 0; i < n.values.size(); ++i) {
            const Node& v = n.values[i];
            if (n.isMap()) {
                out += spaces(indent) + pairText(n.keys[i].text, v, indent, newline, nullptr);
            } else if (v.isMap() && v.style == Style::Block && !v.values.empty()) {
                std::string lines = blockText(v, indent + 2, newline);
                lines[indent] = '-';
                out += lines;
            } else {
                out += spaces(indent) + "- " +
                       (v.isScalar() ? scalarText(v.text, v.style, false) : flowText(v)) + newline;
            }
        }
        return out;
    }

    /// "key: value" and the lines below it, the indentation of the first left out.
    [[nodiscard]] std::string pairText(const std::string& key, const Node& value,
                                       std::size_t indent, const std::string& newline,
                                       const std::string* raw) const {
        std::string out = scalarText(key, Style::Plain, false) + ":";
        if (raw != nullptr) return out + " " + *raw + newline;
        if (value.isScalar())
            return out + " " + scalarText(value.text, value.style, false) + newline;
        if (value.style == Style::Flow || value.values.empty()) {
            return out + " " + flowText(value) + newline;
        }
        return out + newline +
               blockText(value, indent + (value.isMap() ? step() : listStep()), newline);
    }

    /// The text with [begin, end) replaced. A comment beside it stays at its column where there is
    /// room.
    [[nodiscard]] std::string splice(std::size_t begin, std::size_t end,
                                     const std::string& inserted) const {
        std::string out = text_.substr(0, begin) + inserted;
        const std::string_view removed = std::string_view(text_).substr(begin, end - begin);
        const std::size_t hash = commentBeside(end);
        const bool oneLine = removed.find('\n') == std::string_view::npos &&
                             inserted.find('\n') == std::string::npos;
        if (hash == std::string::npos || !oneLine) return out + text_.substr(end);
        std::size_t code = hash;
        while (code > end && text_[code - 1] == ' ') --code;
        const std::size_t padding = hash - code;
        std::size_t wanted = padding;
        if (padding >= kCommentGap) {
            const std::size_t before = characters(removed) + padding;
            const std::size_t after = characters(inserted);
            wanted = before > after + kCommentGap ? before - after : kCommentGap;
        }
        wanted = std::max<std::size_t>(wanted, 1);
        return out + text_.substr(end, code - end) + spaces(wanted) + text_.substr(hash);
    }

    /// The # of a comment on the line of `offset`, behind every value of it; npos: none.
    [[nodiscard]] std::size_t commentBeside(std::size_t offset) const {
        const std::size_t stop = lineEnd(offset);
        std::size_t from = offset;
        const std::function<void(const Node&)> look = [&](const Node& n) {
            if (n.end.offset > from && n.end.offset <= stop && n.start.offset < stop &&
                (n.isScalar() || n.style == Style::Flow || n.fromAlias)) {
                from = n.end.offset;
            }
            if (n.fromAlias) return;
            for (const Node& k : n.keys) look(k);
            for (const Node& v : n.values) look(v);
        };
        look(root_);
        const std::size_t hash = text_.find_first_not_of(" \t,]}:", from);
        if (hash == std::string::npos || hash >= stop || text_[hash] != '#')
            return std::string::npos;
        return hash > 0 && (text_[hash - 1] == ' ' || text_[hash - 1] == '\t') ? hash
                                                                               : std::string::npos;
    }

    /// `lines` (each with its line end) behind the line that `offset` is on or ends.
    [[nodiscard]] std::string insertAfterLine(std::size_t offset, std::string lines) const {
        std::size_t at = offset;
        if (at == 0 || text_[at - 1] != '\n') at = nextLine(offset);
        if (at == text_.size() && !text_.empty() && text_.back() != '\n') {
            const std::string newline = newlineNear(0);
            if (lines.ends_with('\n')) lines.resize(lines.size() - newline.size());
            return text_ + newline + lines;
        }
        if (!lines.ends_with('\n')) lines += newlineNear(0);
        return text_.substr(0, at) + lines + text_.substr(at);
    }

    // ---- Setting ----

    std::string replace(const Steps& steps, std::size_t depth, const Node& value,
                        const std::string* raw) const {
        const Node& here = *at(depth);
        Node wanted = value;
        if (here.isScalar() && value.isScalar() && !here.isNull()) wanted.style = here.style;
        const std::string written = raw != nullptr ? *raw : inContext(wanted, depth);
        if (here.isScalar() && here.start.offset == here.end.offset) {
            return fillNull(here, written);
        }
        if (here.isScalar() || here.style == Style::Flow) {
            return splice(here.start.offset, here.end.offset, written);
        }
        if (depth == 0 || !steps[depth - 1].isKey()) {
            return splice(here.start.offset, here.end.offset, written);
        }
        // A block: the value goes to the key's line, the lines below it go.
        const Node& map = *at(depth - 1);
        const Node& key = map.keys[indexIn(map, steps[depth - 1])];
        const std::size_t colon = text_.find(':', key.end.offset);
        const std::string first =
            splice(valuePlace(colon + 1), valuePlace(colon + 1), " " + written);
        const std::size_t grown = first.size() - text_.size();
        const std::size_t from = nextLine(colon);
        const std::size_t to = nextLine(here.end.offset);
        return first.substr(0, from + grown) + first.substr(to + grown);
    }

    /// Behind the anchor and tag that stand after a colon.
    [[nodiscard]] std::size_t valuePlace(std::size_t offset) const {
        while (true) {
            const std::size_t next = text_.find_first_not_of(" ", offset);
            if (next == std::string::npos || (text_[next] != '&' && text_[next] != '!'))
                return offset;
            offset = std::min(text_.find_first_of(" \r\n", next), text_.size());
        }
    }

    std::string fillNull(const Node& null, const std::string& written) const {
        const std::size_t place = valuePlace(null.start.offset);
        const char before = place == 0 ? '\n' : text_[place - 1];
        const std::string colon =
            before == ':' || before == '-' || before == ' ' || place != null.start.offset ? ""
                                                                                          : ":";
        if (text_.empty() || before == '\n') return splice(place, place, written);
        return splice(place, place, colon + " " + written);
    }

    std::string insert(const Steps& steps, std::size_t depth, const Node& value,
                       const std::string* raw) const {
        const Node& parent = *at(depth);
        const Step& step = steps[depth];
        Node fresh = wrapped(steps, depth + 1, value);
        const bool flow = inFlow(depth) || parent.style == Style::Flow;
        const std::string* rawHere = depth + 1 == steps.size() ? raw : nullptr;
        if (raw != nullptr && rawHere == nullptr) fresh = wrapped(steps, depth + 1, value);

        if (parent.values.empty()) {
            Node whole = parent.isScalar() && step.isKey()
                             ? scalarAsMap(parent, keyOf(steps, depth))
                             : container(Kind::Map, Style::Flow);
            whole.kind = step.isKey() ? Kind::Map : Kind::List;
            if (step.isKey()) {
                addKeyNode(whole, step.key, fresh);
            } else {
                whole.values.push_back(fresh);
            }
            const bool empty = parent.isNull() || !parent.isScalar();
            const bool lines = !inFlow(depth) && empty && (parent.isNull() || !step.isKey()) &&
                               !isInline(keyOf(steps, depth)) &&
                               !(whole.isList() && fresh.isScalar());
            if (!lines) {
                if (parent.isScalar() && parent.start.offset == parent.end.offset) {
                    return fillNull(parent, flowText(whole));
                }
                return splice(parent.start.offset, parent.end.offset, flowText(whole));
            }
            return insertBelow(steps, depth, whole);
        }
        if (step.isKey()) {
            return flow ? insertIntoFlow(steps, depth, fresh, rawHere)
                        : insertIntoBlock(steps, depth, fresh, rawHere);
        }
        const Node& last = parent.values.back();
        if (flow) {
            return splice(last.end.offset, last.end.offset,
                          ", " + (rawHere != nullptr ? *rawHere : flowText(fresh)));
        }
        const Extent e = extent(parent, parent.values.size() - 1);
        Node one = container(Kind::List, Style::Block);
        one.values.push_back(fresh);
        const std::size_t dash = dashOf(parent, parent.values.size() - 1);
        return insertAfterLine(e.end, blockText(one, columnOf(dash), newlineNear(e.dash)));
    }

    /// The first lines of a map or list that has none yet.
    std::string insertBelow(const Steps& steps, std::size_t depth, const Node& whole) const {
        const Node& parent = *at(depth);
        const std::string newline = newlineNear(0);
        if (depth == 0) {
            return insertAfterLine(text_.size(), blockText(whole, 0, newline));
        }
        std::size_t column = 0;
        if (steps[depth - 1].isKey()) {
            const Node& map = *at(depth - 1);
            column = columnOf(map.keys[indexIn(map, steps[depth - 1])].start.offset) +
                     (whole.isMap() ? step() : listStep());
        } else {
            column = columnOf(dashOf(*at(depth - 1), steps[depth - 1].index)) + 2;
            if (whole.isMap()) {
                std::string lines = blockText(whole, column, newline).substr(column);
                lines.resize(lines.size() - newline.size());
                return fillNull(parent, lines);
            }
        }
        // "[]" and "~" go from the line of the key.
        std::size_t begin = parent.start.offset;
        if (begin != parent.end.offset) {
            while (begin > 0 && text_[begin - 1] == ' ') --begin;
        }
        Editor without(*this);
        without.text_ = splice(begin, parent.end.offset, {});
        without.root_ = Node{};
        return without.insertAfterLine(begin, blockText(whole, column, newline));
    }

    /// Which key of `map` the new one stands behind; keys.size(): before all.
    [[nodiscard]] static std::size_t predecessor(const Node& map, const std::string& mapKey,
                                                 const std::string& key) {
        const std::vector<const Parameter*> order = children(mapKey);
        const auto rank = [&](const std::string& name) {
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (order[i]->name() == name) return static_cast<long>(i);
            }
            return -1L;
        };
        const long own = rank(key);
        if (own < 0) return map.keys.size() - 1;
        std::size_t best = map.keys.size();
        long bestRank = -1;
        for (std::size_t i = 0; i < map.keys.size(); ++i) {
            const long r = rank(map.keys[i].text);
            if (r >= 0 && r < own && r > bestRank) {
                best = i;
                bestRank = r;
            }
        }
        return best;
    }

    static std::size_t pairEnd(const Node& map, std::size_t i) {
        return std::max(map.keys[i].end.offset, map.values[i].end.offset);
    }

    std::string insertIntoFlow(const Steps& steps, std::size_t depth, const Node& fresh,
                               const std::string* raw) const {
        const Node& map = *at(depth);
        const std::string pair = scalarText(steps[depth].key, Style::Plain, true) + ": " +
                                 (raw != nullptr ? *raw : flowText(fresh));
        const std::size_t i = predecessor(map, keyOf(steps, depth), steps[depth].key);
        if (i == map.keys.size()) {
            const std::size_t begin = map.keys.front().start.offset;
            return splice(begin, begin, pair + ", ");
        }
        return splice(pairEnd(map, i), pairEnd(map, i), ", " + pair);
    }

    std::string insertIntoBlock(const Steps& steps, std::size_t depth, const Node& fresh,
                                const std::string* raw) const {
        const Node& map = *at(depth);
        const std::size_t first = map.keys.front().start.offset;
        const std::size_t indent = columnOf(first);
        const std::size_t i = predecessor(map, keyOf(steps, depth), steps[depth].key);
        const std::string newline = newlineNear(first);
        const std::string pair = pairText(steps[depth].key, fresh, indent, newline, raw);
        if (i == map.keys.size()) {
            if (isBlankBefore(first)) {
                const std::size_t begin = lineStart(first);
                return text_.substr(0, begin) + spaces(indent) + pair + text_.substr(begin);
            }
            return text_.substr(0, first) + pair + spaces(indent) + text_.substr(first);
        }
        const std::size_t end = pairEnd(map, i);
        return insertAfterLine(end == 0 ? 0 : lineEnd(end), spaces(indent) + pair);
    }

    // ---- Removing ----

    std::string removeLines(const Node& map, std::size_t i) const {
        const std::size_t begin = map.keys[i].start.offset;
        const std::size_t end = nextLine(pairEnd(map, i));
        if (isBlankBefore(begin)) return cut(lineStart(begin), end);
        // The first key of an item stands behind its dash: the next one takes its place.
        if (i + 1 < map.keys.size()) {
            const std::size_t next = map.keys[i + 1].start.offset;
            const bool between = text_.find('#', end) < next;
            if (!between) return text_.substr(0, begin) + text_.substr(next);
        }
        return text_.substr(0, begin) + text_.substr(lineEnd(pairEnd(map, i)));
    }

    /// Without [begin, end) of whole lines; a last line without line end leaves none.
    [[nodiscard]] std::string cut(std::size_t begin, std::size_t end) const {
        std::string out = text_.substr(0, begin) + text_.substr(end);
        if (end == text_.size() && !text_.ends_with('\n') && out.ends_with('\n')) {
            out.pop_back();
            if (out.ends_with('\r')) out.pop_back();
        }
        return out;
    }

    std::string removeItemLines(const Node& list, std::size_t i) const {
        const Extent e = extent(list, i);
        return cut(e.dash, e.end);
    }

    std::string removeFromFlow(const Node& n, std::size_t i) const {
        const auto begin = [&](std::size_t k) {
            return n.isMap() ? n.keys[k].start.offset : beforeProperties(n.values[k]);
        };
        const auto end = [&](std::size_t k) {
            return n.isMap() ? pairEnd(n, k) : n.values[k].end.offset;
        };
        if (i + 1 < n.values.size()) return splice(begin(i), begin(i + 1), {});
        if (i > 0) {
            const std::string between = text_.substr(end(i - 1), begin(i) - end(i - 1));
            if (between.find('#') == std::string::npos) return splice(end(i - 1), end(i), {});
        }
        return splice(begin(i), end(i), {});
    }

    /// Where an item's anchor and tag begin.
    [[nodiscard]] std::size_t beforeProperties(const Node& item) const {
        std::size_t begin = item.start.offset;
        for (const std::string& property :
             {item.anchor.empty() ? std::string{} : "&" + item.anchor, item.tag}) {
            if (property.empty()) continue;
            const std::size_t found = text_.rfind(property, begin);
            if (found != std::string::npos && lineStart(found) == lineStart(begin)) begin = found;
        }
        return begin;
    }

    // ---- Items ----

    /// The dash of item i of a block list; npos where it can't be told.
    [[nodiscard]] std::size_t dashOf(const Node& list, std::size_t i) const {
        std::size_t at = i == 0 ? list.start.offset : list.values[i - 1].end.offset;
        while (at < text_.size()) {
            const char c = text_[at];
            if (c == '-') return at;
            at = c == '#' ? lineEnd(at) : at + 1;
        }
        return std::string::npos;
    }

    [[nodiscard]] Extent extent(const Node& list, std::size_t i) const {
        Extent e;
        const Node& item = list.values[i];
        if (list.style == Style::Flow) {
            e.begin = e.dash = beforeProperties(item);
            e.end = item.end.offset;
            return e;
        }
        const std::size_t dash = dashOf(list, i);
        const std::size_t column = columnOf(dash);
        e.dash = lineStart(dash);
        e.end = nextLine(std::max(item.end.offset, dash));
        // Comments deeper in than the dash are this item's.
        std::size_t at = e.end;
        while (at < text_.size()) {
            const std::size_t code = text_.find_first_not_of(" ", at);
            if (code == std::string::npos || text_[code] != '#' || code - at <= column) break;
            at = nextLine(code);
            e.end = at;
        }
        e.begin = e.dash;
        const std::size_t floor = i == 0 ? 0 : extent(list, i - 1).end;
        while (e.begin > floor) {
            const std::size_t above = lineStart(e.begin - 1);
            const std::size_t code = text_.find_first_not_of(" ", above);
            if (above < floor || code >= e.begin || text_[code] != '#' || code - above != column)
                break;
            e.begin = above;
        }
        return e;
    }

    /// A copy has no anchors of its own: what refers to them means the original.
    void dropAnchors(const Node& n, std::string& copy, std::size_t origin) const {
        if (n.fromAlias) return;
        // From the back, so that places before stay.
        for (std::size_t i = n.values.size(); i-- > 0;) dropAnchors(n.values[i], copy, origin);
        if (n.anchor.empty()) return;
        const std::string anchor = "&" + n.anchor;
        const std::size_t found = copy.rfind(anchor, n.start.offset - origin);
        if (found == std::string::npos) return;
        std::size_t end = found + anchor.size();
        while (end < copy.size() && copy[end] == ' ') ++end;
        copy.erase(found, end - found);
    }

    std::string text_;
    std::string path_;
    Node root_;
    Node expected_;
    std::vector<Node*> chain_;  ///< from the root, as far as the path exists
    std::optional<std::size_t> step_, listStep_;
};

/// Runs `edit` on the tree of `text`; findings where it doesn't parse.
template <typename Edit>
Outcome<std::string> edited(const std::string& text, const Edit& edit) {
    Outcome<Node> root = yaml::parse(text, {});
    if (!root) return root.findings();
    Editor editor(text, std::move(root).value());
    return edit(editor);
}

std::size_t itemCount(const std::string& text, const std::string& list) {
    const Outcome<Node> root = yaml::parse(text, {});
    const Node* n = root ? nodeAt(*root, list) : nullptr;
    return n != nullptr && n->isList() ? n->values.size() : 0;
}

std::string itemPath(const std::string& list, std::size_t index) {
    return list + "[" + std::to_string(index) + "]";
}

/// Which item of `overrides` is about the figure; as many as there are: none.
std::size_t overrideIndex(const std::string& text, const std::string& figure) {
    const std::size_t count = itemCount(text, "overrides");
    std::size_t i = 0;
    while (i < count && valueAt(text, itemPath("overrides", i) + ".figure") != figure) ++i;
    return i;
}

}  // namespace

const Node* nodeAt(const Node& root, const std::string& path) {
    const std::optional<Steps> steps = stepsOf(path);
    if (!steps) return nullptr;
    const Node* n = &root;
    for (const Step& step : *steps) {
        n = child(*n, step);
        if (n == nullptr) return nullptr;
    }
    return n;
}

std::string inlineYaml(const Node& node) {
    return flowText(node);
}

std::string valueAt(const std::string& text, const std::string& path) {
    const Outcome<Node> root = yaml::parse(text, {});
    const Node* n = root ? nodeAt(*root, path) : nullptr;
    return n != nullptr && n->isScalar() ? n->text : std::string{};
}

Outcome<std::string> setValue(const std::string& text, const std::string& path,
                              const std::string& value) {
    return edited(text, [&](Editor& e) { return e.set(path, scalarNode(value), nullptr); });
}

Outcome<std::string> setYaml(const std::string& text, const std::string& path,
                             const std::string& yaml) {
    if (yaml.find('\n') != std::string::npos) {
        return because(path, "A value stands on one line here; line ends belong to the file.", {});
    }
    Outcome<Node> value = yaml::parse(yaml, {});
    if (!value) {
        Finding finding = value.findings().front();
        finding.place = Place{{}, 0, 0, path};
        return finding;
    }
    if (value->isScalar()) return setValue(text, path, value->text);
    if (value->style != Style::Flow) {
        return because(path, "A map on one line stands in braces, as in {1}; a list in brackets.",
                       {"{tensor: 8, pipeline: 16}"});
    }
    return edited(text, [&](Editor& e) { return e.set(path, *value, &yaml); });
}

Outcome<std::string> removeKey(const std::string& text, const std::string& path) {
    return edited(text, [&](Editor& e) { return e.remove(path); });
}

Outcome<std::string> addItem(const std::string& text, const std::string& list,
                             const Fields& fields) {
    Node item = container(Kind::Map, Style::Block);
    for (const auto& [key, value] : fields) {
        const std::size_t dot = key.find('.');
        if (dot == std::string::npos) {
            addKeyNode(item, key, scalarNode(value));
            continue;
        }
        const std::string outer = key.substr(0, dot);
        Node* map = child(item, {outer, 0});
        if (map == nullptr) {
            addKeyNode(item, outer, container(Kind::Map, Style::Block));
            map = &item.values.back();
        }
        addKeyNode(*map, key.substr(dot + 1), scalarNode(value));
    }
    const std::size_t count = itemCount(text, list);
    return edited(text, [&](Editor& e) { return e.set(itemPath(list, count), item, nullptr); });
}

Outcome<std::string> duplicateItem(const std::string& text, const std::string& list,
                                   std::size_t index) {
    Outcome<std::string> copy = edited(text, [&](Editor& e) { return e.duplicate(list, index); });
    const std::string name = valueAt(text, itemPath(list, index) + ".name");
    if (!copy || name.empty()) return copy;
    return setValue(*copy, itemPath(list, index + 1) + ".name", freshName(text, list, name));
}

Outcome<std::string> removeItem(const std::string& text, const std::string& list,
                                std::size_t index) {
    if (index >= itemCount(text, list)) {
        return because(list, "`{1}` has no item {2}.", {list, std::to_string(index + 1)});
    }
    return removeKey(text, itemPath(list, index));
}

Outcome<std::string> moveItem(const std::string& text, const std::string& list, std::size_t from,
                              std::size_t to) {
    return edited(text, [&](Editor& e) { return e.move(list, from, to); });
}

std::string freshName(const std::string& text, const std::string& list, const std::string& name) {
    std::vector<std::string> taken;
    for (std::size_t i = 0; i < itemCount(text, list); ++i) {
        taken.push_back(valueAt(text, itemPath(list, i) + ".name"));
    }
    const auto isTaken = [&](const std::string& s) {
        return std::find(taken.begin(), taken.end(), s) != taken.end();
    };
    if (!isTaken(name)) return name;
    // "ultra-2" counts on to "ultra-3".
    std::string stem = name;
    const std::size_t digits = stem.find_last_not_of("0123456789");
    if (digits != std::string::npos && digits > 0 && stem[digits] == '-' &&
        digits + 1 < stem.size()) {
        stem.resize(digits);
    }
    for (std::size_t i = 2;; ++i) {
        const std::string fresh = stem + "-" + std::to_string(i);
        if (!isTaken(fresh)) return fresh;
    }
}

Outcome<std::string> setOverride(const std::string& text, const std::string& figure,
                                 const std::string& value, const std::string& why) {
    const std::size_t index = overrideIndex(text, figure);
    if (index == itemCount(text, "overrides")) {
        return addItem(text, "overrides", {{"figure", figure}, {"value", value}, {"because", why}});
    }
    Outcome<std::string> first = setValue(text, itemPath("overrides", index) + ".value", value);
    if (!first) return first;
    return setValue(*first, itemPath("overrides", index) + ".because", why);
}

Outcome<std::string> removeOverride(const std::string& text, const std::string& figure) {
    const std::size_t index = overrideIndex(text, figure);
    if (index == itemCount(text, "overrides")) return text;
    return removeKey(text, itemPath("overrides", index));
}

Fields layoutFields(const layout::LayoutChoice& l) {
    Fields out;
    const auto number = [&](const char* key, const std::optional<int>& value) {
        if (value) out.emplace_back(key, std::to_string(*value));
    };
    number("tensor", l.tensor);
    number("pipeline", l.pipeline);
    number("virtual_stages", l.virtualStages);
    number("context", l.context);
    number("expert", l.expert);
    number("expert_tensor", l.expertTensor);
    number("data", l.data);
    number("shard_degree", l.shardDegree);
    number("micro_batch", l.microBatch);
    if (l.sequenceParallel) {
        out.emplace_back("sequence_parallel", *l.sequenceParallel ? "true" : "false");
    }
    if (l.sharding) out.emplace_back("sharding", layout::name(*l.sharding));
    if (l.recompute) out.emplace_back("recompute", layout::name(*l.recompute));
    if (l.recomputeGroups && *l.recomputeGroups != 0) {
        std::string groups;
        const std::vector<std::string_view>& names = workload::recomputeGroupNames();
        for (std::size_t i = 0; i < names.size(); ++i) {
            if ((*l.recomputeGroups & (1U << i)) == 0) continue;
            groups += (groups.empty() ? "" : ", ") + std::string(names[i]);
        }
        out.emplace_back("recompute_groups", "[" + groups + "]");
    }
    number("recompute_every", l.recomputeEvery);
    if (l.schedule) out.emplace_back("schedule", layout::name(*l.schedule));
    number("first_stage_layers", l.firstStageLayers);
    number("last_stage_layers", l.lastStageLayers);
    if (l.contextExchange) out.emplace_back("context_exchange", layout::name(*l.contextExchange));
    if (l.rankOrder && !l.rankOrder->empty()) {
        const std::vector<std::string>& words =
            findParameter("candidates[].parallelism.rank_order[]")->words;
        std::string order;
        for (const layout::Axis axis : *l.rankOrder) {
            order += (order.empty() ? "" : ", ") + words[static_cast<std::size_t>(axis)];
        }
        out.emplace_back("rank_order", "[" + order + "]");
    }
    if (l.offloadOptimizer && l.offloadActivations) {
        out.emplace_back("offload", *l.offloadOptimizer
                                        ? (*l.offloadActivations ? "both" : "optimizer")
                                        : (*l.offloadActivations ? "activations" : "none"));
    }
    return out;
}

Outcome<std::string> pinLayout(const std::string& text, const std::string& candidate,
                               const layout::LayoutChoice& choice) {
    const std::size_t count = itemCount(text, "candidates");
    std::size_t index = 0;
    while (index < count && valueAt(text, itemPath("candidates", index) + ".name") != candidate)
        ++index;
    if (index == count) return because("candidates", "No candidate is called {1}.", {candidate});
    const std::string path = itemPath("candidates", index) + ".parallelism";
    const Fields fields = layoutFields(choice);
    if (fields.empty()) return setValue(text, path, "auto");

    const Outcome<Node> root = yaml::parse(text, {});
    if (!root) return root.findings();
    const Node* map = nodeAt(*root, path);
    if (map == nullptr || !map->isMap()) {
        std::string whole;
        for (const auto& [key, value] : fields) {
            whole += (whole.empty() ? "{" : ", ") + key + ": " + value;
        }
        return setYaml(text, path, whole + "}");
    }
    // Key by key, so that what is said beside each stays.
    std::string out = text;
    for (const auto& [key, value] : fields) {
        Outcome<std::string> next = setYaml(out, path + "." + key, value);
        if (!next) return next;
        out = std::move(next).value();
    }
    for (const Node& key : map->keys) {
        const bool kept = std::any_of(fields.begin(), fields.end(),
                                      [&](const auto& f) { return f.first == key.text; });
        if (kept) continue;
        Outcome<std::string> next = removeKey(out, path + "." + key.text);
        if (!next) return next;
        out = std::move(next).value();
    }
    return out;
}

TextChange minimalEdit(std::string_view before, std::string_view after) {
    const auto inside = [](std::string_view s, std::size_t i) {
        return i < s.size() && (static_cast<unsigned char>(s[i]) & 0xc0U) == 0x80U;
    };
    const std::size_t shorter = std::min(before.size(), after.size());
    std::size_t head = 0;
    while (head < shorter && before[head] == after[head]) ++head;
    while (head > 0 && (inside(before, head) || inside(after, head))) --head;
    std::size_t tail = 0;
    while (tail < shorter - head &&
           before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
        ++tail;
    }
    while (tail > 0 && (inside(before, before.size() - tail) || inside(after, after.size() - tail)))
        --tail;
    return {head, std::string(before.substr(head, before.size() - head - tail)),
            std::string(after.substr(head, after.size() - head - tail))};
}

}  // namespace trainwright::scenario
