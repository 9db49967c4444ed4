// SPDX-License-Identifier: GPL-3.0-or-later
// What a step of the program found wrong or worth saying, and a value that may be missing because
// of it.
//
// A Text is a sentence pattern with numbered arguments, so that a report or the desktop can
// translate the pattern and format it in the reader's language; english() renders it as written. An
// argument is plain (a name or a formatted number, which no translator takes for words) or itself a
// Text, which is translated with the sentence that it stands in. A Finding is a Text with a
// severity and a place. An Outcome<T> is a T, or the findings that explain why there is none.
// Expected failures (bad input, an infeasible layout) travel as these values; exceptions are for
// what is broken (a full disk, a corrupt database) and are caught once, at the edge.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainwright {

class Argument;

/// Says patterns in another language.
class Translator {
public:
    Translator() = default;
    Translator(const Translator&) = default;
    Translator& operator=(const Translator&) = default;
    virtual ~Translator() = default;

    /// What a pattern reads in the language, with the same placeholders.
    [[nodiscard]] virtual std::string pattern(const std::string& english) const = 0;
    /// A plain argument, as the language writes numbers.
    [[nodiscard]] virtual std::string plain(const std::string& argument) const = 0;
};

/// A sentence: `pattern` holds placeholders {1}, {2}, … for `arguments`. A placeholder without
/// argument stays as it is written.
struct Text {
    std::string pattern;
    std::vector<Argument> arguments;

    [[nodiscard]] bool empty() const { return pattern.empty(); }
    [[nodiscard]] std::string english() const;
    [[nodiscard]] std::string in(const Translator& language) const;

    friend bool operator==(const Text& a, const Text& b);
};

/// What stands in place of a placeholder: plain words, or a sentence of its own.
class Argument {
public:
    Argument(std::string plain) : value_(std::move(plain)) {}         // NOLINT(google-explicit-*)
    Argument(const char* plain) : value_(std::string(plain)) {}       // NOLINT(google-explicit-*)
    Argument(std::string_view plain) : value_(std::string(plain)) {}  // NOLINT(google-explicit-*)
    Argument(Text text) : value_(std::move(text)) {}                  // NOLINT(google-explicit-*)

    /// The sentence, or null where the argument is plain.
    [[nodiscard]] const Text* text() const { return std::get_if<Text>(&value_); }
    [[nodiscard]] std::string english() const;
    [[nodiscard]] std::string in(const Translator& language) const;

    friend bool operator==(const Argument&, const Argument&) = default;

private:
    std::variant<std::string, Text> value_;
};

enum class Severity { Note, Warning, Error };

/// Where in a file: line and column count from 1, 0 when not known.
struct Place {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;  ///< dotted path of the key, e.g. "training.tokens"

    friend bool operator==(const Place&, const Place&) = default;
};

struct Finding {
    Severity severity = Severity::Error;
    Text text;
    Place place;

    /// "file:line:column: sentence", leaving out what is not known.
    [[nodiscard]] std::string english() const;
    friend bool operator==(const Finding&, const Finding&) = default;
};

[[nodiscard]] bool hasErrors(const std::vector<Finding>& findings);

/// A T, or the findings that say why there is none. Warnings may accompany a value.
template <typename T>
class Outcome {
public:
    Outcome(T value) : value_(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    Outcome(std::vector<Finding> findings) : findings_(std::move(findings)) {}  // NOLINT
    Outcome(Finding finding) : findings_{std::move(finding)} {}                 // NOLINT
    Outcome(T value, std::vector<Finding> findings)
        : value_(std::move(value)), findings_(std::move(findings)) {}

    [[nodiscard]] bool ok() const { return std::holds_alternative<T>(value_); }
    explicit operator bool() const { return ok(); }
    [[nodiscard]] const T& value() const& { return std::get<T>(value_); }
    [[nodiscard]] T& value() & { return std::get<T>(value_); }
    [[nodiscard]] T&& value() && { return std::get<T>(std::move(value_)); }
    [[nodiscard]] const T& operator*() const& { return value(); }
    [[nodiscard]] const T* operator->() const { return &value(); }
    [[nodiscard]] const std::vector<Finding>& findings() const { return findings_; }

private:
    std::variant<std::monostate, T> value_;
    std::vector<Finding> findings_;
};

}  // namespace trainwright
