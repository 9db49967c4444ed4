// SPDX-License-Identifier: GPL-3.0-or-later
// A YAML file as a tree of values that know where they stand in the text.
//
// Every node carries the byte offsets of its first byte and of the byte after its last one, so that
// an editor can replace a value and leave every other byte of the file alone, and the line and
// column that messages show. Text that doesn't parse, isn't UTF-8, nests too deep or grows too
// large through aliases comes back as a Finding; nothing is printed. It knows nothing of scenarios.
// YAML merge keys
// (`<<`) and text blocks (`|`, `>`) are not part of it, and neither are typed scalars: a scalar is
// its text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "model/units/outcome.h"

namespace trainwright::scenario::yaml {

/// A position in the text. Line and column count from 1, the column in characters.
struct Mark {
    std::size_t offset = 0;
    int line = 0;
    int column = 0;
    friend bool operator==(const Mark&, const Mark&) = default;
};

enum class Kind { Scalar, Map, List };
enum class Style { Plain, SingleQuoted, DoubleQuoted, Block, Flow };

struct Node {
    Kind kind = Kind::Scalar;
    Style style = Style::Plain;
    std::string text;  ///< of a scalar, unquoted and unfolded
    std::string tag;
    std::string anchor;
    bool fromAlias = false;    ///< written as an alias: the marks are those of `*name`, inner ones
                               ///< those of the anchored original
    Mark start;                ///< of the first byte, anchor and tag left out
    Mark end;                  ///< past the last byte; of a block map or list: past its last value
    std::vector<Node> keys;    ///< of a map, beside `values`
    std::vector<Node> values;  ///< of a map or a list

    [[nodiscard]] bool isScalar() const { return kind == Kind::Scalar; }
    [[nodiscard]] bool isMap() const { return kind == Kind::Map; }
    [[nodiscard]] bool isList() const { return kind == Kind::List; }
    /// A plain scalar that YAML's core schema reads as null: nothing, ~ or null.
    [[nodiscard]] bool isNull() const;
    /// The value under `key`; nullptr when this is no map or has no such key.
    [[nodiscard]] const Node* find(std::string_view key) const;
};

/// Limits that no scenario written by a person meets.
inline constexpr std::size_t kMaxFileBytes = 4U * 1024 * 1024;
inline constexpr std::size_t kMaxLineBytes = 16U * 1024;
inline constexpr int kMaxDepth = 32;
inline constexpr std::size_t kMaxNodes = 100000;

/// The one document in `text`. An empty document (no text, or comments only) is a null scalar.
/// Duplicate keys of a map are findings with the line of the first.
[[nodiscard]] Outcome<Node> parse(const std::string& text, const std::string& file);

/// The bytes of a file. Missing, unreadable, a directory, larger than kMaxFileBytes (said without
/// reading it): a finding.
[[nodiscard]] Outcome<std::string> readText(const std::string& path);

/// The same values, keys, order, tags and anchors, whatever the styles and the places.
[[nodiscard]] bool sameValues(const Node& a, const Node& b);

}  // namespace trainwright::scenario::yaml
