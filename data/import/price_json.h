// SPDX-License-Identifier: GPL-3.0-or-later
// JSON of any length, read token by token in bounded memory.
//
// RFC 8259, and several documents one after the other, as concatenated pages and JSON lines are.
// Bounded: 64 levels, 8 MiB a string, 512 characters a number. Strings come unescaped and are
// UTF-8 without NUL. The first thing that is wrong is kept as a finding with its line and column
// (in bytes, from 1), and from there on every token is Error: loops over tokens end by themselves
// and whoever reads asks failed() once, at the end. It doesn't interpret numbers.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "data/import/price_input.h"
#include "model/units/outcome.h"

namespace trainwright::import::prices {

enum class Token {
    ObjectBegin,
    ObjectEnd,
    ArrayBegin,
    ArrayEnd,
    Key,
    String,
    Number,
    True,
    False,
    Null,
    End,  ///< of the source: no further document
    Error,
};

class JsonReader {
public:
    /// `file` names the source in findings. Of JSON that stands inside a string, `outside` is the
    /// string's place: findings name that.
    JsonReader(ByteSource& source, std::string file, std::optional<Place> outside = {});

    Token next();
    /// Of a Key, String or Number; until the next token is read.
    [[nodiscard]] std::string_view text() const { return text_; }
    /// Of the token read last.
    [[nodiscard]] Place place() const;

    [[nodiscard]] bool failed() const { return error_.has_value(); }
    [[nodiscard]] const Finding& error() const { return *error_; }
    /// What is read stands at place() and isn't what it should be: from here on all is Error.
    Token fail(std::string pattern, std::vector<Argument> arguments = {});
    Token fail(Finding finding);

    /// Passes over the value that follows.
    void skip() { skipFrom(next()); }
    /// Passes over the rest of the value that begins with `token`.
    void skipFrom(Token token);

    /// After ObjectBegin: calls `member` with each key; it reads or skips the value.
    template <typename Member>
    void members(Member member) {
        while (true) {
            const Token token = next();
            if (token != Token::Key) return;
            member(text_);
        }
    }
    /// The value that follows: if it is an object, calls `member` as members() does and is true;
    /// passes over anything else and is false.
    template <typename Member>
    bool object(Member member) {
        const Token token = next();
        if (token != Token::ObjectBegin) {
            skipFrom(token);
            return false;
        }
        members(member);
        return true;
    }
    /// After ArrayBegin: calls `element` with the first token of each element; it reads or skips
    /// the rest.
    template <typename Element>
    void elements(Element element) {
        while (true) {
            const Token token = next();
            if (token == Token::ArrayEnd || token == Token::Error || token == Token::End) return;
            element(token);
        }
    }
    template <typename Element>
    bool array(Element element) {
        const Token token = next();
        if (token != Token::ArrayBegin) {
            skipFrom(token);
            return false;
        }
        elements(element);
        return true;
    }

    /// The value that follows as text: of a string or number; "" of anything else, which is passed
    /// over.
    std::string scalar() { return scalarFrom(next()); }
    std::string scalarFrom(Token token);

    /// The value that follows, or that begins with `token`, in memory; one of more than 8 MiB is
    /// an error. Numbers become strings, as they are written.
    nlohmann::json value() { return valueFrom(next()); }
    nlohmann::json valueFrom(Token token);

private:
    enum class Expect { Document, Value, FirstElement, FirstKey, NextKey, AfterValue };

    bool fill();
    bool skipSpace();
    Token readString(bool isKey);
    Token readNumber();
    Token readWord(std::string_view word, Token token);
    bool readEscape();
    Token closed(Token token);
    Token cutOff();
    Token unexpected(const char* expected);
    nlohmann::json build(Token token, std::size_t& budget);

    ByteSource& source_;
    std::string file_;
    std::optional<Place> outside_;
    const char* begin_ = nullptr;  ///< of the piece in memory
    const char* at_ = nullptr;
    const char* end_ = nullptr;
    std::int64_t offset_ = 0;     ///< of begin_ in the source
    std::int64_t lineStart_ = 0;  ///< offset of the line's first byte
    int line_ = 1;
    std::int64_t tokenOffset_ = 0;
    std::int64_t tokenLineStart_ = 0;
    int tokenLine_ = 1;
    Expect expect_ = Expect::Document;
    std::vector<char> open_;
    std::string buffer_;
    std::string_view text_;
    std::optional<Finding> error_;
    bool isDone_ = false;
};

}  // namespace trainwright::import::prices
