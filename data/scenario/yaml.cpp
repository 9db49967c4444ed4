// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/scenario/yaml.h"

#include <libfyaml.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>

#include "model/units/text_quantity.h"

namespace trainwright::scenario::yaml {

namespace {

struct ParserDeleter {
    void operator()(fy_parser* p) const { fy_parser_destroy(p); }
};
struct DiagDeleter {
    void operator()(fy_diag* d) const { fy_diag_destroy(d); }
};
struct EventDeleter {
    fy_parser* parser;
    void operator()(fy_event* e) const { fy_parser_event_free(parser, e); }
};
using Parser = std::unique_ptr<fy_parser, ParserDeleter>;
using Diag = std::unique_ptr<fy_diag, DiagDeleter>;
using Event = std::unique_ptr<fy_event, EventDeleter>;

Finding at(const std::string& file, Mark mark, std::string pattern,
           std::vector<Argument> arguments = {}) {
    return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                   Place{file, mark.line, mark.column, {}}};
}

Mark toMark(const fy_mark* m) {
    if (m == nullptr) return {};
    return {m->input_pos, m->line + 1, m->column + 1};
}

std::string tokenText(fy_token* token) {
    if (token == nullptr) return {};
    std::size_t length = 0;
    const char* text = fy_token_get_text(token, &length);
    return text == nullptr ? std::string{} : std::string(text, length);
}

/// The first byte that is not UTF-8, or not allowed in YAML text; with what it is.
std::optional<Finding> checkBytes(const std::string& text, const std::string& file) {
    Mark mark{0, 1, 1};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    std::size_t i = 0;
    std::size_t lineStart = 0;
    while (i < text.size()) {
        mark.offset = i;
        // The parser looks a whole line ahead for a key; a line without end would keep it busy for
        // seconds.
        if (i - lineStart > kMaxLineBytes) {
            return at(file, {lineStart, mark.line, 1},
                      "This line has more than {1}; the lines of a scenario have some dozens of "
                      "characters.",
                      {units::displayQuantity(units::QuantityKind::DataSize,
                                              static_cast<double>(kMaxLineBytes))});
        }
        const unsigned char c = byte(i);
        if (c == 0) {
            return at(file, mark,
                      "The file holds a zero byte here, so that it is no text; a scenario is YAML "
                      "in UTF-8.");
        }
        if ((c < 0x20 && c != '\n' && c != '\r' && c != '\t') || c == 0x7f) {
            constexpr const char* kHex = "0123456789abcdef";
            return at(file, mark, "The control character 0x{1} is no part of a YAML text.",
                      {std::string{kHex[c >> 4U], kHex[c & 15U]}});
        }
        std::size_t length = 1;
        unsigned code = c;
        if (c >= 0x80) {
            length = c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : 2;
            bool sound = c >= 0xc2 && c <= 0xf4 && i + length <= text.size();
            code = c & (0xffU >> (length + 1));
            for (std::size_t k = 1; sound && k < length; ++k) {
                sound = (byte(i + k) & 0xc0U) == 0x80U;
                code = (code << 6U) | (byte(i + k) & 0x3fU);
            }
            constexpr std::array<unsigned, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
            if (!sound || code < kSmallest[length] || code > 0x10ffff ||
                (code >= 0xd800 && code <= 0xdfff)) {
                return at(file, mark,
                          "The file is not in UTF-8 from here on; a scenario is YAML in UTF-8.");
            }
            if (code >= 0x80 && code < 0xa0 && code != 0x85) {
                return at(
                    file, mark,
                    "An invisible control character stands here, which is no part of a YAML text.");
            }
            if (code == 0xfffe || code == 0xffff) {
                return at(file, mark,
                          "The file is not in UTF-8 from here on; a scenario is YAML in UTF-8.");
            }
        }
        i += length;
        if (c == '\n') {
            ++mark.line;
            mark.column = 1;
            lineStart = i;
        } else {
            ++mark.column;
        }
    }
    return std::nullopt;
}

Style scalarStyle(fy_token* token) {
    switch (fy_token_scalar_style(token)) {
        case FYSS_SINGLE_QUOTED:
            return Style::SingleQuoted;
        case FYSS_DOUBLE_QUOTED:
            return Style::DoubleQuoted;
        default:
            return Style::Plain;
    }
}

/// libfyaml 0.7 loses lines of some of these, and nothing in a scenario needs them.
bool isBlockScalar(fy_token* token) {
    const fy_scalar_style style = fy_token_scalar_style(token);
    return style == FYSS_LITERAL || style == FYSS_FOLDED;
}

/// Builds the tree from the parser's events.
class Builder {
public:
    Builder(fy_parser* parser, fy_diag* diag, const std::string& text, const std::string& file)
        : parser_(parser), diag_(diag), text_(text), file_(file) {}

    Outcome<Node> build() {
        Node root;
        bool haveDocument = false;
        while (Event event = next()) {
            switch (event->type) {
                case FYET_DOCUMENT_START:
                    if (haveDocument) {
                        return at(file_, toMark(fy_event_start_mark(event.get())),
                                  "A second YAML document begins here; a scenario file holds one.");
                    }
                    haveDocument = true;
                    break;
                case FYET_SCALAR:
                case FYET_ALIAS:
                case FYET_MAPPING_START:
                case FYET_SEQUENCE_START:
                    root = node(event.get(), 0);
                    break;
                default:
                    break;
            }
            if (stop_) return std::vector<Finding>{*stop_};
        }
        if (fy_parser_get_stream_error(parser_) || fy_diag_got_error(diag_)) return parseError();
        if (!findings_.empty()) return findings_;
        return root;
    }

private:
    Event next() { return Event(fy_parser_parse(parser_), EventDeleter{parser_}); }

    void refuse(Finding finding) {
        if (!stop_) stop_ = std::move(finding);
    }

    Finding parseError() {
        void* iterator = nullptr;
        const fy_diag_error* first = fy_diag_errors_iterate(diag_, &iterator);
        if (first == nullptr || first->msg == nullptr) {
            return at(file_, {0, 1, 1}, "This is not YAML that can be read.");
        }
        // libfyaml gives line and column from 1 in collected errors, and a line too many at the end
        // of a text.
        const Mark end = markOf(text_.size());
        const Mark mark = first->line > end.line
                              ? end
                              : Mark{0, std::max(first->line, 1), std::max(first->column, 1)};
        return at(file_, mark, "The YAML doesn't parse here: {1}.", {first->msg});
    }

    bool counted(std::size_t nodes, Mark mark) {
        nodes_ += nodes;
        if (nodes_ <= kMaxNodes) return true;
        refuse(at(
            file_, mark,
            "The file holds more than {1} values, aliases counted; a scenario has some hundreds.",
            {units::groupedNumber(static_cast<double>(kMaxNodes))}));
        return false;
    }

    static std::size_t size(const Node& n) {
        std::size_t total = 1;
        for (const Node& k : n.keys) total += size(k);
        for (const Node& v : n.values) total += size(v);
        return total;
    }

    static int depth(const Node& n) {
        int deepest = 0;
        for (const Node& v : n.values) deepest = std::max(deepest, depth(v));
        return deepest + 1;
    }

    static void markAlias(Node& n) {
        n.fromAlias = true;
        for (Node& k : n.keys) markAlias(k);
        for (Node& v : n.values) markAlias(v);
    }

    Node node(fy_event* event, int level) {
        Node n;
        n.start = toMark(fy_event_start_mark(event));
        n.end = toMark(fy_event_end_mark(event));
        if (level >= kMaxDepth) {
            refuse(at(file_, n.start,
                      "Values nest more than {1} deep here; a scenario has six levels at most.",
                      {std::to_string(kMaxDepth)}));
            return n;
        }
        if (!counted(1, n.start)) return n;
        n.tag = tokenText(fy_event_get_tag_token(event));
        switch (event->type) {
            case FYET_ALIAS:
                return alias(event, n.start, level);
            case FYET_SCALAR:
                scalar(event, n);
                break;
            case FYET_MAPPING_START:
                map(event, n, level);
                break;
            case FYET_SEQUENCE_START:
                list(event, n, level);
                break;
            default:
                break;
        }
        if (!n.anchor.empty() && !stop_) anchors_[n.anchor] = n;
        return n;
    }

    Node alias(fy_event* event, Mark mark, int level) {
        // libfyaml marks the name alone.
        if (mark.offset > 0 && text_[mark.offset - 1] == '*') {
            --mark.offset;
            --mark.column;
        }
        const std::string name = tokenText(event->alias.anchor);
        auto found = anchors_.find(name);
        if (found == anchors_.end()) {
            findings_.push_back(
                at(file_, mark, "The alias `*{1}` has no anchor `&{1}` before it.", {name}));
            return {};
        }
        if (!counted(size(found->second), mark)) return {};
        if (level + depth(found->second) > kMaxDepth) {
            refuse(at(file_, mark,
                      "Values nest more than {1} deep here; a scenario has six levels at most.",
                      {std::to_string(kMaxDepth)}));
            return {};
        }
        Node copy = found->second;
        markAlias(copy);
        copy.anchor.clear();
        copy.start = mark;
        copy.end = {mark.offset + 1 + name.size(), mark.line, mark.column + 1 + characters(name)};
        return copy;
    }

    static int characters(std::string_view utf8) {
        return static_cast<int>(std::count_if(utf8.begin(), utf8.end(), [](char c) {
            return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
        }));
    }

    /// A value that isn't written stands straight after the colon of its key.
    void placeAfter(const Node& key, Node& value) const {
        Mark mark = key.end;
        while (isAt(mark, ' ') || isAt(mark, '\t')) {
            ++mark.offset;
            ++mark.column;
        }
        if (isAt(mark, ':')) {
            ++mark.offset;
            ++mark.column;
        } else {
            mark = key.end;
        }
        value.start = value.end = mark;
    }

    [[nodiscard]] Mark markOf(std::size_t offset) const {
        Mark mark{offset, 1, 1};
        const std::string_view before = std::string_view(text_).substr(0, offset);
        mark.line += static_cast<int>(std::count(before.begin(), before.end(), '\n'));
        const std::size_t newline = before.rfind('\n');
        mark.column +=
            characters(newline == std::string_view::npos ? before : before.substr(newline + 1));
        return mark;
    }

    /// The last item isn't written; it stands straight after its dash.
    void placeAtDash(Node& n) const {
        Mark mark = n.values.size() > 1 ? n.values[n.values.size() - 2].end : n.start;
        bool comment = false;
        while (mark.offset < text_.size() && (comment || text_[mark.offset] != '-')) {
            const char c = text_[mark.offset++];
            ++mark.column;
            if (c == '#') comment = true;
            if (c == '\n') {
                comment = false;
                ++mark.line;
                mark.column = 1;
            }
        }
        if (mark.offset < text_.size()) {
            ++mark.offset;
            ++mark.column;
        }
        n.values.back().start = n.values.back().end = mark;
    }

    void scalar(fy_event* event, Node& n) {
        n.anchor = tokenText(event->scalar.anchor);
        fy_token* token = event->scalar.value;
        if (token == nullptr) return;
        if (isBlockScalar(token)) {
            const std::size_t header = n.start.offset == 0
                                           ? std::string::npos
                                           : text_.find_last_of("|>", n.start.offset - 1);
            findings_.push_back(at(file_, header == std::string::npos ? n.start : markOf(header),
                                   "A text block (`|` or `>`) begins here; a scenario's texts are "
                                   "of one line, in quotes where needed."));
            return;
        }
        n.style = scalarStyle(token);
        n.text = tokenText(token);
        // Quotes are outside the token's marks in libfyaml; the node covers them.
        if (n.style == Style::SingleQuoted || n.style == Style::DoubleQuoted) {
            const char quote = n.style == Style::SingleQuoted ? '\'' : '"';
            if (n.start.offset > 0 && n.start.offset <= text_.size() &&
                text_[n.start.offset] != quote && text_[n.start.offset - 1] == quote) {
                --n.start.offset;
                --n.start.column;
            }
            if (n.end.offset < text_.size() && text_[n.end.offset] == quote) {
                ++n.end.offset;
                ++n.end.column;
            }
        }
    }

    void map(fy_event* event, Node& n, int level) {
        n.kind = Kind::Map;
        n.anchor = tokenText(event->mapping_start.anchor);
        n.style = isAt(n.start, '{') ? Style::Flow : Style::Block;
        std::unordered_map<std::string, int> lines;
        while (Event key = next()) {
            if (key->type == FYET_MAPPING_END) {
                finish(key.get(), n);
                break;
            }
            Node k = node(key.get(), level + 1);
            if (stop_) return;
            Event value = next();
            if (!value) return;
            Node v = node(value.get(), level + 1);
            if (stop_) return;
            if (v.start.line == 0) placeAfter(k, v);
            if (!k.isScalar()) {
                findings_.push_back(at(file_, k.start, "A key is a word; a {1} stands here as one.",
                                       {k.isMap() ? "map" : "list"}));
                continue;
            }
            auto [place, fresh] = lines.emplace(k.text, k.start.line);
            if (!fresh) {
                findings_.push_back(at(
                    file_, k.start, "`{1}` is written twice in one map; the first is in line {2}.",
                    {k.text, std::to_string(place->second)}));
                continue;
            }
            n.keys.push_back(std::move(k));
            n.values.push_back(std::move(v));
        }
    }

    void list(fy_event* event, Node& n, int level) {
        n.kind = Kind::List;
        n.anchor = tokenText(event->sequence_start.anchor);
        n.style = isAt(n.start, '[') ? Style::Flow : Style::Block;
        while (Event item = next()) {
            if (item->type == FYET_SEQUENCE_END) {
                finish(item.get(), n);
                break;
            }
            n.values.push_back(node(item.get(), level + 1));
            if (stop_) return;
            if (n.values.back().start.line == 0) placeAtDash(n);
        }
    }

    [[nodiscard]] bool isAt(Mark mark, char c) const {
        return mark.offset < text_.size() && text_[mark.offset] == c;
    }

    void finish(fy_event* event, Node& n) const {
        if (n.style == Style::Flow) {
            n.end = toMark(fy_event_end_mark(event));
        } else if (!n.values.empty()) {
            n.end = n.values.back().end;
            if (!n.keys.empty() && n.keys.back().end.offset > n.end.offset)
                n.end = n.keys.back().end;
        }
    }

    fy_parser* parser_;
    fy_diag* diag_;
    const std::string& text_;
    const std::string& file_;
    std::map<std::string, Node> anchors_;
    std::size_t nodes_ = 0;
    std::optional<Finding> stop_;
    std::vector<Finding> findings_;
};

}  // namespace

bool Node::isNull() const {
    return isScalar() && style == Style::Plain &&
           (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
}

const Node* Node::find(std::string_view key) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (keys[i].text == key) return &values[i];
    }
    return nullptr;
}

Outcome<Node> parse(const std::string& text, const std::string& file) {
    if (std::optional<Finding> bad = checkBytes(text, file)) return *bad;
    fy_diag_cfg diagConfig;
    fy_diag_cfg_default(&diagConfig);
    diagConfig.fp = nullptr;
    diagConfig.output_fn = [](fy_diag*, void*, const char*, std::size_t) {};
    Diag diag(fy_diag_create(&diagConfig));
    if (!diag) throw std::bad_alloc();
    fy_diag_set_collect_errors(diag.get(), true);
    fy_parse_cfg config{};
    config.flags = static_cast<fy_parse_cfg_flags>(FYPCF_QUIET | FYPCF_COLLECT_DIAG |
                                                   FYPCF_DEFAULT_VERSION_1_2 | FYPCF_JSON_NONE |
                                                   FYPCF_DISABLE_MMAP_OPT);
    config.diag = diag.get();
    Parser parser(fy_parser_create(&config));
    if (!parser) throw std::bad_alloc();
    if (fy_parser_set_string(parser.get(), text.data(), text.size()) != 0) throw std::bad_alloc();
    return Builder(parser.get(), diag.get(), text, file).build();
}

Outcome<std::string> readText(const std::string& path) {
    namespace fs = std::filesystem;
    const auto whole = [&](std::string pattern, std::vector<Argument> arguments) {
        return Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)},
                       Place{path, 0, 0, {}}};
    };
    std::error_code code;
    const fs::file_status status = fs::status(path, code);
    if (status.type() == fs::file_type::not_found) {
        // The likeliest slip is a wrong ending or a letter; the folder knows the right name.
        std::vector<std::string> names;
        const fs::path folder =
            fs::path(path).has_parent_path() ? fs::path(path).parent_path() : fs::path(".");
        if (fs::is_directory(folder, code)) {
            for (fs::directory_iterator it(folder, code), end; !code && it != end;
                 it.increment(code)) {
                const std::string name = it->path().filename().string();
                if (name.ends_with(".yaml") || name.ends_with(".yml")) names.push_back(name);
            }
            std::sort(names.begin(), names.end());
            std::vector<std::string> near =
                units::nearestWords(fs::path(path).filename().string(), names, 1);
            if (!near.empty())
                return whole("There is no such file. Nearest in its folder: {1}.", {near.front()});
            return whole("There is no such file.", {});
        }
        return whole("There is no such file, nor the folder {1}.", {folder.string()});
    }
    if (status.type() == fs::file_type::directory)
        return whole("This is a folder; a scenario is a file.", {});
    if (code && status.type() == fs::file_type::none) {
        return whole("The file can't be looked at: {1}.", {code.message()});
    }
    errno = 0;
    std::ifstream in(path, std::ios::binary);
    if (!in)
        return whole("The file can't be read: {1}.", {std::strerror(errno != 0 ? errno : EIO)});
    // One byte past the limit tells that a file is larger, also where it has no size, as a pipe.
    if (status.type() == fs::file_type::regular) {
        const std::uintmax_t size = fs::file_size(path, code);
        if (!code && size > kMaxFileBytes) {
            return whole(
                "The file has {1}; a scenario has {2} at most.",
                {units::displayQuantity(units::QuantityKind::DataSize, static_cast<double>(size)),
                 units::displayQuantity(units::QuantityKind::DataSize,
                                        static_cast<double>(kMaxFileBytes))});
        }
    }
    std::string text(kMaxFileBytes + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (in.bad())
        return whole("The file can't be read: {1}.", {std::strerror(errno != 0 ? errno : EIO)});
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > kMaxFileBytes) {
        return whole("The file has more than {1}, the most that a scenario has.",
                     {units::displayQuantity(units::QuantityKind::DataSize,
                                             static_cast<double>(kMaxFileBytes))});
    }
    return text;
}

bool sameValues(const Node& a, const Node& b) {
    return a.kind == b.kind && a.text == b.text && a.tag == b.tag && a.anchor == b.anchor &&
           a.isNull() == b.isNull() && a.fromAlias == b.fromAlias &&
           std::equal(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end(), sameValues) &&
           std::equal(a.values.begin(), a.values.end(), b.values.begin(), b.values.end(),
                      sameValues);
}

}  // namespace trainwright::scenario::yaml
