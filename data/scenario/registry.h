// SPDX-License-Identifier: GPL-3.0-or-later
// Every key that a scenario file may hold: what it is, in which unit, within which bounds, and why
// it has the default that it has.
//
// The reader, the JSON Schema, the starter file, the help texts and the desktop's form are made
// from this list, so that they can't disagree. Keys are dotted paths; `[]` stands for any item of a
// list
// ("candidates[].system"). Invariant: a key's parents come before it, keys of one map stand in the
// order in which a file shows them, and every default reads back as a value of its own key (a test
// holds it).
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/units/text_quantity.h"

namespace trainwright::scenario {

enum class ValueKind {
    Map,
    List,      ///< of maps, or of words: its item ("key[]") says which
    Text,      ///< free text of one line
    Name,      ///< an id that the catalog or the scenario knows
    Word,      ///< one of `words`
    Flag,      ///< true or false
    Date,      ///< 2027-03-01
    Quantity,  ///< a number with the unit of `quantity`
    Batch,     ///< 2048 sequences, or 16.8M tokens
    Scalar,    ///< a number or a text: the value of an overridden figure
};

/// How a key may be written.
struct Parameter {
    std::string key;  ///< "training.sequence_length"
    ValueKind kind = ValueKind::Text;
    units::QuantityKind quantity = units::QuantityKind::Number;  ///< of a Quantity
    units::BareNumber bare =
        units::BareNumber::Refused;  ///< allowed where the key itself names the unit
    bool required = false;
    std::vector<std::string>
        words;  ///< words that may stand instead of (Word: as) the value: "auto", "catalog"
    bool orMap = false;       ///< a map may stand here instead (model, purchase, parallelism)
    bool orList = false;      ///< or a list of maps (purchase)
    std::string catalogKind;  ///< of a Name: "model", "system", "region", "profile"; "" for others
    double minimum = 0;       ///< in base units, for a Quantity
    bool minimumExcluded = false;  ///< the value is more than `minimum`
    double maximum = std::numeric_limits<double>::infinity();
    std::string defaultText;    ///< as it would be written; empty: none
    std::string defaultSource;  ///< why that default
    std::string meaning;        ///< one sentence
    std::string example;        ///< as it would be written

    [[nodiscard]] std::string name() const;    ///< last part of the key: "sequence_length"
    [[nodiscard]] std::string parent() const;  ///< "training", "candidates[]", "" at the top
    /// The name with the unit that a resolved value has, for JSON and columns: "restart_time_s".
    [[nodiscard]] std::string jsonName() const;
};

/// All keys, parents first.
[[nodiscard]] const std::vector<Parameter>& parameters();

/// The entry of a key ("candidates[].system"); nullptr when there is none.
[[nodiscard]] const Parameter* findParameter(std::string_view key);

/// Whether the items of a list are words, as in [norm, mlp_activation]: each once, one at least.
[[nodiscard]] bool isListOfWords(const Parameter& parameter);

/// The keys directly inside a map ("training", "candidates[]", "" for the top level), in order;
/// not the item of a list that may stand in its place.
[[nodiscard]] std::vector<const Parameter*> children(std::string_view parent);

/// What may be written for the key, in words: "a count of tokens, such as 15.6T", "none, selective,
/// full or auto".
[[nodiscard]] Text expectation(const Parameter& parameter);

/// "training.tokens   a count of tokens, such as 15.6T (required)" and the meaning below it, for
/// every key under `prefix` ("" for all): the reference that help texts print.
[[nodiscard]] std::string helpText(std::string_view prefix = "");

/// The version of the format that is written; older ones are read, newer ones are refused.
inline constexpr int kScenarioVersion = 1;

}  // namespace trainwright::scenario
