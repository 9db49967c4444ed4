// SPDX-License-Identifier: GPL-3.0-or-later
// Canonical layout: two spaces a level, list items one level below their key, one space inside,
// comments beside values at least two spaces after them, in the column that they had if that leaves
// room. Everything is taken over from the text by its offsets; only white space changes. A text
// whose values or comments would come out otherwise is left as it is.
#include <algorithm>
#include <cstring>

#include "data/scenario/scenario.h"
#include "data/scenario/yaml.h"

namespace trainwright::scenario {

namespace {

using yaml::Node;
using yaml::Style;

constexpr std::size_t kWidth = 120;
constexpr int kStep = 2;

/// Thrown inside this file when the text holds what the layout below has no form for; caught in
/// format().
struct NotCovered {};

std::size_t characters(std::string_view utf8) {
    return static_cast<std::size_t>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
        return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
    }));
}

std::string trimmedRight(std::string s) {
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.pop_back();
    return s;
}

struct Line {
    std::string code;
    std::string comment;  ///< beside the code, or going on with the one above
    int column = 0;       ///< where the comment stands in the text
};

struct Comment {
    std::string text;
    bool beside = false;  ///< on the line of what stands before it
    int column = 0;       ///< from 1
    int blanks = 0;       ///< empty lines before it
};

/// What stands between two values.
struct Gap {
    std::vector<Comment> comments;
    int blanksAfter = 0;     ///< empty lines before what follows
    std::string properties;  ///< anchor and tag of what follows
    bool documentMark = false;
};

class Layouter {
public:
    explicit Layouter(const std::string& text) : text_(text) {}

    [[nodiscard]] const std::vector<std::string>& comments() const { return comments_; }

    std::string layout(const Node& root) {
        if (root.isNull() && root.start.line == 0) {
            place(gap(text_.size()), 0);
            return result();
        }
        if (root.isScalar()) throw NotCovered{};
        if (root.style == Style::Flow) {
            Gap before = gap(root.start.offset);
            startDocument(before);
            lines_.emplace_back();
            flow(root, 0);
        } else {
            block(root, 0, false, 0);
        }
        place(gap(text_.size()), 0);
        return result();
    }

private:
    [[nodiscard]] int columnOf(std::size_t offset) const {
        const std::size_t newline = offset == 0 ? std::string::npos : text_.rfind('\n', offset - 1);
        const std::size_t first = newline == std::string::npos ? 0 : newline + 1;
        return static_cast<int>(characters(std::string_view(text_).substr(first, offset - first))) +
               1;
    }

    /// Consumes the text up to `to`, where a value begins.
    Gap gap(std::size_t to) {
        Gap g;
        if (to < cursor_) throw NotCovered{};
        int newlines = atLineStart_ ? 1 : 0;
        int settled = 0;  // empty lines before a dash or colon that has been passed
        bool broken = atLineStart_;
        std::size_t i = cursor_;
        const auto word = [&](std::size_t from) {
            std::size_t end = from;
            while (end < to && std::strchr(" \t\n,]}", text_[end]) == nullptr) ++end;
            return end;
        };
        while (i < to) {
            const char c = text_[i];
            if (c == '\n') {
                ++newlines;
                broken = true;
                ++i;
            } else if (c == '#') {
                std::size_t end = text_.find('\n', i);
                if (end == std::string::npos || end > to) end = to;
                g.comments.push_back({trimmedRight(text_.substr(i, end - i)), !broken, columnOf(i),
                                      std::max(settled, newlines - 1)});
                comments_.push_back(g.comments.back().text);
                settled = newlines = 0;
                broken = false;
                i = end;
                // The line break that ends the comment is one of what follows it, not an empty
                // line.
                if (i < to) {
                    broken = true;
                    newlines = 1;
                    ++i;
                }
            } else if (c == '&' || c == '!') {
                const std::size_t end = word(i);
                g.properties += (g.properties.empty() ? "" : " ") + text_.substr(i, end - i);
                i = end;
            } else if (c == '-' && text_.compare(i, 3, "---") == 0 &&
                       (i == 0 || text_[i - 1] == '\n')) {
                g.documentMark = true;
                i += 3;
                newlines = 0;
            } else if (std::strchr(" \t:,[]{}-", c) != nullptr) {
                if (c != ' ' && c != '\t') {
                    settled = std::max(settled, newlines - 1);
                    newlines = 0;
                }
                ++i;
            } else {
                throw NotCovered{};
            }
        }
        g.blanksAfter = std::max(settled, newlines - 1);
        cursor_ = to;
        atLineStart_ = false;
        return g;
    }

    void startDocument(const Gap& g) {
        if (!g.documentMark) return place(g, 0);
        // Comments before the mark and after it keep their side only if there are none on one of
        // them.
        if (!g.comments.empty()) throw NotCovered{};
        lines_.push_back({"---", "", 0});
    }

    void blanks(int count) {
        if (lines_.empty()) return;
        for (int i = 0; i < count; ++i) lines_.emplace_back();
    }

    void placeComment(const Comment& c, int indent) {
        if (c.beside && !lines_.empty() && lines_.back().comment.empty() &&
            !lines_.back().code.empty()) {
            beside(c.text, c.column);
            return;
        }
        if (!lines_.empty() && c.blanks == 0 && c.column == besideColumn_ &&
            !lines_.back().comment.empty()) {
            lines_.push_back({"", c.text, c.column});
            return;
        }
        besideColumn_ = 0;
        blanks(c.blanks);
        lines_.push_back({std::string(static_cast<std::size_t>(indent), ' ') + c.text, "", 0});
    }

    void beside(const std::string& comment, int column) {
        lines_.back().comment = comment;
        lines_.back().column = besideColumn_ = column;
    }

    void place(const Gap& g, int indent) {
        for (const Comment& c : g.comments) placeComment(c, indent);
    }

    /// Comments of the coming gap that stand at `column` or deeper belong to what has just ended.
    void placeDeeper(int column, int indent) {
        std::size_t i = cursor_;
        bool broken = atLineStart_;
        int newlines = atLineStart_ ? 1 : 0;
        while (i < text_.size()) {
            if (text_[i] == '\n') {
                broken = true;
                ++newlines;
                ++i;
            } else if (text_[i] == ' ' || text_[i] == '\t') {
                ++i;
            } else if (text_[i] == '#') {
                const int at = columnOf(i);
                if (broken && at < column && !(at == besideColumn_ && newlines == 1)) return;
                std::size_t end = std::min(text_.find('\n', i), text_.size());
                comments_.push_back(trimmedRight(text_.substr(i, end - i)));
                placeComment({trimmedRight(text_.substr(i, end - i)), !broken, at,
                              std::max(0, newlines - 1)},
                             indent);
                i = cursor_ = end;
                atLineStart_ = false;
                broken = false;
                newlines = 0;
            } else {
                return;
            }
        }
    }

    void newLine(int indent) {
        lines_.push_back({std::string(static_cast<std::size_t>(indent), ' '), "", 0});
        besideColumn_ = 0;
    }
    void append(const std::string& s) { lines_.back().code += s; }

    [[nodiscard]] std::string slice(const Node& n) const {
        return text_.substr(n.start.offset, n.end.offset - n.start.offset);
    }

    static bool isBlock(const Node& n) {
        return n.style == Style::Block && !n.isScalar() && !n.fromAlias;
    }
    static bool hasProperties(const Node& n) {
        return !n.fromAlias && (!n.anchor.empty() || !n.tag.empty());
    }

    /// A block map or list. `inlineFirst`: its first entry goes on the line that is open ("- "
    /// before it). `parentColumn`: of the key that it stands under, 0 if none.
    void block(const Node& n, int indent, bool inlineFirst, int parentColumn) {
        const bool isMap = n.isMap();
        for (std::size_t i = 0; i < n.values.size(); ++i) {
            const Node& first = isMap ? n.keys[i] : n.values[i];
            if (first.start.line == 0 || (!isMap && first.isNull() && first.text.empty()))
                throw NotCovered{};
            if (isMap) {
                Gap before = gap(first.start.offset);
                open(before, indent, inlineFirst && i == 0);
                std::string properties = before.properties;
                if (hasProperties(n) && i == 0)
                    properties.clear();  // written by whoever opened the map
                if (!properties.empty()) append(properties + " ");
                append(slice(first));
                cursor_ = first.end.offset;
                append(":");
                value(n.values[i], indent, first.start.column);
            } else {
                item(first, indent, inlineFirst && i == 0);
            }
        }
        placeDeeper(n.start.column + (n.start.column == parentColumn ? 1 : 0), indent);
    }

    void open(const Gap& before, int indent, bool stay) {
        if (before.documentMark) {
            startDocument(before);
        } else if (stay) {
            if (!before.comments.empty()) throw NotCovered{};
            return;
        } else {
            place(before, indent);
        }
        blanks(before.blanksAfter);
        newLine(indent);
    }

    void item(const Node& n, int indent, bool stay) {
        // A map or list inside begins at its first entry; what stands between the dash and it goes
        // above the dash.
        const bool nested = isBlock(n);
        const std::size_t start = nested ? firstOffset(n) : n.start.offset;
        Gap before = gap(start);
        open(before, indent, stay);
        append("-");
        if (nested && hasProperties(n)) {
            if (n.isMap() && hasProperties(n.keys.front())) throw NotCovered{};
            append(" " + before.properties);
            cursor_ = start;
            throw NotCovered{};
        }
        append(" ");
        if (nested) {
            if (!before.properties.empty() && !(n.isMap() && hasProperties(n.keys.front())))
                throw NotCovered{};
            if (!before.properties.empty()) append(before.properties + " ");
            insideItem(n, indent + kStep);
            return;
        }
        if (!before.properties.empty()) append(before.properties + " ");
        scalarOrFlow(n, indent);
    }

    /// Where the first key or innermost first item of a block collection begins.
    static std::size_t firstOffset(const Node& n) {
        const Node& first = n.isMap() ? n.keys.front() : n.values.front();
        if (n.isList() && isBlock(first)) throw NotCovered{};
        return first.start.offset;
    }

    /// The entries of `n` with the first on the open line; its gap has been consumed.
    void insideItem(const Node& n, int indent) {
        if (n.isList()) {
            append("- ");
            const Node& first = n.values.front();
            scalarOrFlow(first, indent);
            for (std::size_t i = 1; i < n.values.size(); ++i) item(n.values[i], indent, false);
        } else {
            append(slice(n.keys.front()));
            cursor_ = n.keys.front().end.offset;
            append(":");
            value(n.values.front(), indent, n.keys.front().start.column);
            for (std::size_t i = 1; i < n.values.size(); ++i) {
                const Node& key = n.keys[i];
                Gap before = gap(key.start.offset);
                open(before, indent, false);
                if (!before.properties.empty()) append(before.properties + " ");
                append(slice(key));
                cursor_ = key.end.offset;
                append(":");
                value(n.values[i], indent, key.start.column);
            }
        }
        placeDeeper(n.start.column, indent);
    }

    /// What follows "key:".
    void value(const Node& n, int indent, int keyColumn) {
        if (n.isNull() && n.text.empty() && n.style == Style::Plain && !hasProperties(n)) {
            // The colon is left for the next gap, which skips it.
            const std::size_t colon = text_.find(':', cursor_);
            if (colon == std::string::npos) throw NotCovered{};
            cursor_ = colon + 1;
            placeDeeper(keyColumn + 1, indent + kStep);
            return;
        }
        if (n.start.line == 0) throw NotCovered{};
        if (isBlock(n)) {
            if (hasProperties(n)) {
                const std::size_t keep = cursor_;
                const bool keepStart = atLineStart_;
                const std::size_t to = n.isMap() ? n.keys.front().start.offset : n.start.offset;
                Gap look = gap(to);
                cursor_ = keep;
                atLineStart_ = keepStart;
                if (n.isMap() && hasProperties(n.keys.front())) throw NotCovered{};
                append(" " + look.properties);
            }
            block(n, indent + kStep, false, keyColumn);
            return;
        }
        Gap before = gap(n.start.offset);
        // Between a key and its value on the next line.
        if (!before.comments.empty()) throw NotCovered{};
        append(" ");
        if (!before.properties.empty()) append(before.properties + " ");
        scalarOrFlow(n, indent);
    }

    void scalarOrFlow(const Node& n, int indent) {
        if (!n.isScalar() && !n.fromAlias) {
            flow(n, indent);
        } else {
            pieceOfText(slice(n), indent + kStep);
            cursor_ = n.end.offset;
        }
    }

    /// A scalar of one or more lines; further lines are indented to `indent`, as folding allows.
    void pieceOfText(const std::string& source, int indent) {
        std::size_t from = 0;
        bool first = true;
        while (true) {
            std::size_t end = source.find('\n', from);
            std::string part =
                source.substr(from, end == std::string::npos ? std::string::npos : end - from);
            if (!first) {
                const std::size_t content = part.find_first_not_of(" \t");
                part = content == std::string::npos ? "" : part.substr(content);
                lines_.emplace_back();
                if (!part.empty()) append(std::string(static_cast<std::size_t>(indent), ' '));
            }
            append(end == std::string::npos ? part : trimmedRight(part));
            if (end == std::string::npos) return;
            first = false;
            from = end + 1;
        }
    }

    /// A word of a flow collection: a bracket, a key, a value, a comma.
    struct Token {
        std::string text;
        bool glued = false;  ///< no line break before it, unless a comment forces one
        std::vector<Comment> above;
        std::string beside;
        int besideColumn = 0;
    };

    void flow(const Node& n, int indent) {
        std::vector<Token> tokens;
        flowTokens(n, true, "", tokens);
        const int inner = indent + kStep;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const Token& t = tokens[i];
            for (const Comment& c : t.above) {
                lines_.push_back(
                    {std::string(static_cast<std::size_t>(inner), ' ') + c.text, "", 0});
            }
            const std::string bare =
                t.text.substr(std::min(t.text.find_first_not_of(' '), t.text.size()));
            if (i > 0 && (!t.above.empty() || !tokens[i - 1].beside.empty())) {
                newLine(inner);
                pieceOfText(bare, inner);
            } else if (i > 0 && !t.glued) {
                std::size_t width = characters(lines_.back().code) + 1 + characters(t.text);
                for (std::size_t k = i + 1; k < tokens.size() && tokens[k].glued; ++k)
                    width += characters(tokens[k].text);
                if (width > kWidth) {
                    newLine(inner);
                } else {
                    append(" ");
                }
                pieceOfText(bare, inner);
            } else {
                pieceOfText(t.text, inner);
            }
            if (!t.beside.empty()) {
                beside(t.beside, t.besideColumn);
            }
        }
        cursor_ = n.end.offset;
        atLineStart_ = false;
    }

    /// Takes the gap before a token; its comments go beside the token before or above this one.
    Token flowToken(std::size_t to, std::string text, bool glued, std::vector<Token>& tokens) {
        Token t{std::move(text), glued, {}, "", 0};
        Gap before = gap(to);
        for (const Comment& c : before.comments) {
            if (c.beside && !tokens.empty() && tokens.back().beside.empty()) {
                tokens.back().beside = c.text;
                tokens.back().besideColumn = c.column;
            } else {
                t.above.push_back(c);
            }
        }
        if (!before.properties.empty()) {
            const std::size_t at = t.text.find_first_not_of(' ');
            t.text.insert(at == std::string::npos ? t.text.size() : at, before.properties + " ");
        }
        return t;
    }

    /// `lead`: a space that belongs before the first token, as after "key:".
    void flowTokens(const Node& n, bool glued, const std::string& lead,
                    std::vector<Token>& tokens) {
        if (n.isScalar() || n.fromAlias) {
            tokens.push_back(flowToken(n.start.offset, lead + slice(n), glued, tokens));
            cursor_ = n.end.offset;
            return;
        }
        const bool brackets = n.style == Style::Flow;
        if (brackets) {
            tokens.push_back(
                flowToken(n.start.offset, lead + (n.isMap() ? "{" : "["), glued, tokens));
            cursor_ = n.start.offset + 1;
        } else if (!lead.empty() || !n.isMap() || hasProperties(n)) {
            throw NotCovered{};  // a pair without braces stands only as an item of a flow list
        }
        for (std::size_t i = 0; i < n.values.size(); ++i) {
            const bool first = i == 0;
            const bool glueEntry = first && (brackets || glued);
            const Node& v = n.values[i];
            if (n.isMap()) {
                const Node& k = n.keys[i];
                tokens.push_back(flowToken(k.start.offset, slice(k), glueEntry, tokens));
                cursor_ = k.end.offset;
                const bool bare = v.isNull() && v.text.empty() && !hasProperties(v);
                if (!bare) {
                    tokens.push_back({":", true, {}, "", 0});
                    flowTokens(v, true, " ", tokens);
                } else if (v.start.offset > k.end.offset) {
                    tokens.push_back({":", true, {}, "", 0});
                    cursor_ = v.start.offset;
                }
            } else {
                if (v.start.line == 0 || (v.isNull() && v.text.empty())) throw NotCovered{};
                flowTokens(v, glueEntry, "", tokens);
            }
            if (i + 1 < n.values.size()) tokens.push_back({",", true, {}, "", 0});
        }
        if (brackets) {
            tokens.push_back(flowToken(n.end.offset - 1, n.isMap() ? "}" : "]", true, tokens));
            cursor_ = n.end.offset;
        }
    }

    std::string result() {
        // A comment keeps its column where its line leaves room; neighbours that lined up still do.
        for (std::size_t i = 0; i < lines_.size();) {
            if (lines_[i].comment.empty()) {
                ++i;
                continue;
            }
            std::size_t end = i;
            std::size_t width = static_cast<std::size_t>(lines_[i].column) - 1;
            while (end < lines_.size() && !lines_[end].comment.empty() &&
                   lines_[end].column == lines_[i].column) {
                lines_[end].code = trimmedRight(lines_[end].code);
                if (!lines_[end].code.empty())
                    width = std::max(width, characters(lines_[end].code) + 2);
                ++end;
            }
            for (; i < end; ++i)
                lines_[i].code +=
                    std::string(width - characters(lines_[i].code), ' ') + lines_[i].comment;
        }
        std::string out;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            out += trimmedRight(lines_[i].code) + "\n";
        }
        while (out.size() > 1 && out.ends_with("\n\n")) out.pop_back();
        if (out == "\n") out.clear();
        return out;
    }

    const std::string& text_;
    std::size_t cursor_ = 0;
    bool atLineStart_ = true;
    int besideColumn_ = 0;
    std::vector<Line> lines_;
    std::vector<std::string> comments_;  ///< in the order of the text
};

/// The layout of one text, or nothing where it has a form that isn't covered or something would be
/// lost.
std::optional<std::string> laidOut(const std::string& text, const Node& tree) {
    try {
        Layouter first(text);
        std::string out = first.layout(tree);
        Outcome<Node> again = yaml::parse(out, "");
        if (!again || !yaml::sameValues(tree, *again)) return std::nullopt;
        Layouter second(out);
        if (second.layout(*again) != out || first.comments() != second.comments())
            return std::nullopt;
        return out;
    } catch (const NotCovered&) {
        return std::nullopt;
    }
}

}  // namespace

Outcome<std::string> format(const std::string& text, const std::string& file) {
    Outcome<Node> tree = yaml::parse(text, file);
    if (!tree) return tree.findings();
    const bool carriageReturns = text.find("\r\n") != std::string::npos;
    std::string plain = text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text;
    if (carriageReturns) std::erase(plain, '\r');
    Outcome<Node> plainTree = yaml::parse(plain, file);
    std::optional<std::string> out = plainTree.ok() ? laidOut(plain, *plainTree) : std::nullopt;
    if (!out) {
        return {text,
                {Finding{Severity::Note,
                         {"The file is left as it is: it is written in a form of YAML that the "
                          "layout has no rule for.",
                          {}},
                         Place{file, 0, 0, {}}}}};
    }
    if (carriageReturns) {
        std::string wide;
        for (char c : *out) {
            if (c == '\n') wide += '\r';
            wide += c;
        }
        out = std::move(wide);
    }
    return *out;
}

}  // namespace trainwright::scenario
