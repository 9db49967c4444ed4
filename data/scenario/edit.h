// SPDX-License-Identifier: GPL-3.0-or-later
// Edits of a scenario's text: each changes the lines of the value that it is about, and no other
// byte.
//
// Paths are those of findings ("training.tokens", "candidates[1].parallelism.tensor"). Values are
// plain texts as a person would type them ("15T", "stand-in: four instances"); quotes are put where
// YAML needs them, the quoting that stands there is kept where the new value allows it, and so are
// comments beside the value, their column if there is room, indentation, flow and block maps, line
// ends. A new key stands where the registry's order puts it. A value written as an alias is
// replaced at its own place only; the original of an alias changes for all that refer to it.
//
// Invariant, checked before anything is returned: the new text parses, reads back as the value that
// was asked for, and holds every other value as before. Where that can't be had, and where the text
// doesn't parse to begin with, there is a Finding instead. Whether a value suits its key is not
// looked at: the reader says that.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/scenario/yaml.h"
#include "model/layout/layout.h"
#include "model/units/outcome.h"

namespace trainwright::scenario {

/// The node at `path`; nullptr where nothing stands.
[[nodiscard]] const yaml::Node* nodeAt(const yaml::Node& root, const std::string& path);

/// What stands at `path`, as text without quotes; "" where nothing does, and for maps and lists.
/// `text` that doesn't parse holds nothing.
[[nodiscard]] std::string valueAt(const std::string& text, const std::string& path);

/// A node on one line, as it may be written into a value: "{tensor: 8}", quotes where needed.
[[nodiscard]] std::string inlineYaml(const yaml::Node& node);

/// `value` at `path`, in place of what stands there, be it a map; keys on the way that are missing
/// are added. An index one past the end of a list adds an item.
[[nodiscard]] Outcome<std::string> setValue(const std::string& text, const std::string& path,
                                            const std::string& value);

/// A value written as YAML on one line, such as "{tensor: 8, pipeline: 16}" or "[norm]".
[[nodiscard]] Outcome<std::string> setYaml(const std::string& text, const std::string& path,
                                           const std::string& yaml);

/// Without the key or the list item at `path`; a map or list that would be left empty goes with it.
/// Nothing there: the text as it is.
[[nodiscard]] Outcome<std::string> removeKey(const std::string& text, const std::string& path);

/// Keys with their values, for a new item; nested ones as "purchase.plan".
using Fields = std::vector<std::pair<std::string, std::string>>;

/// A further item at the end of the list at `list`, which is begun where it is missing.
[[nodiscard]] Outcome<std::string> addItem(const std::string& text, const std::string& list,
                                           const Fields& fields);
/// The item once more, right behind itself; its `name`, if it has one, becomes freshName().
[[nodiscard]] Outcome<std::string> duplicateItem(const std::string& text, const std::string& list,
                                                 std::size_t index);
[[nodiscard]] Outcome<std::string> removeItem(const std::string& text, const std::string& list,
                                              std::size_t index);
/// The item at `from` to where `to` counts in the new order, with the comment lines that are its.
[[nodiscard]] Outcome<std::string> moveItem(const std::string& text, const std::string& list,
                                            std::size_t from, std::size_t to);

/// `name`, or with a number behind it ("ultra-2") that no item of `list` has as its name.
[[nodiscard]] std::string freshName(const std::string& text, const std::string& list,
                                    const std::string& name);

/// `figure` ("chip/trainium2/hbm_bytes") overridden by `value` for the reason `because`: in the
/// item of `overrides` that is about it, or in a new one.
[[nodiscard]] Outcome<std::string> setOverride(const std::string& text, const std::string& figure,
                                               const std::string& value,
                                               const std::string& because);
[[nodiscard]] Outcome<std::string> removeOverride(const std::string& text,
                                                  const std::string& figure);

/// The parts of `choice` as keys of `parallelism` with their values, in the registry's order; lists
/// as YAML.
[[nodiscard]] Fields layoutFields(const layout::LayoutChoice& choice);

/// The layout of the candidate of that name becomes `choice`; parts that are not given are removed.
[[nodiscard]] Outcome<std::string> pinLayout(const std::string& text, const std::string& candidate,
                                             const layout::LayoutChoice& choice);

/// One stretch of a text replaced by another.
struct TextChange {
    std::size_t offset = 0;  ///< in bytes
    std::string removed;
    std::string inserted;

    [[nodiscard]] bool empty() const { return removed.empty() && inserted.empty(); }
    friend bool operator==(const TextChange&, const TextChange&) = default;
};

/// The shortest single change from one text to the other that cuts no character of UTF-8 in two.
[[nodiscard]] TextChange minimalEdit(std::string_view before, std::string_view after);

}  // namespace trainwright::scenario
