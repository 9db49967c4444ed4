// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_json.h"

#include <algorithm>
#include <array>
#include <limits>

namespace trainwright::import::prices {
namespace {

constexpr std::size_t kDeepest = 64;
constexpr std::size_t kLongestString = std::size_t{8} << 20U;
constexpr std::size_t kLongestNumber = 512;
constexpr std::size_t kLargestValue = std::size_t{8} << 20U;

/// Bytes that end the plain run of a string: quotes, backslashes, controls; and those above ASCII,
/// which are counted.
constexpr std::array<bool, 256> makeStops() {
    std::array<bool, 256> stops{};
    for (std::size_t c = 0; c < 0x20; ++c) stops[c] = true;
    stops['"'] = true;
    stops['\\'] = true;
    for (std::size_t c = 0x80; c < 0x100; ++c) stops[c] = true;
    return stops;
}
constexpr std::array<bool, 256> kStops = makeStops();

bool isStop(char c) {
    return kStops[static_cast<unsigned char>(c)];
}

bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// As JSON writes numbers.
bool isNumber(std::string_view s) {
    std::size_t i = 0;
    const auto digits = [&] {
        const std::size_t from = i;
        while (i < s.size() && isDigit(s[i])) ++i;
        return i > from;
    };
    if (i < s.size() && s[i] == '-') ++i;
    if (i < s.size() && s[i] == '0') {
        ++i;
    } else if (!digits()) {
        return false;
    }
    if (i < s.size() && s[i] == '.') {
        ++i;
        if (!digits()) return false;
    }
    if (i < s.size() && (s[i] == 'e' || s[i] == 'E')) {
        ++i;
        if (i < s.size() && (s[i] == '+' || s[i] == '-')) ++i;
        if (!digits()) return false;
    }
    return i == s.size();
}

int hexValue(char c) {
    if (isDigit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

void appendUtf8(std::string& out, unsigned code) {
    const auto byte = [&](unsigned b) { out += static_cast<char>(b); };
    if (code < 0x80U) {
        byte(code);
    } else if (code < 0x800U) {
        byte(0xc0U | (code >> 6U));
        byte(0x80U | (code & 0x3fU));
    } else if (code < 0x10000U) {
        byte(0xe0U | (code >> 12U));
        byte(0x80U | ((code >> 6U) & 0x3fU));
        byte(0x80U | (code & 0x3fU));
    } else {
        byte(0xf0U | (code >> 18U));
        byte(0x80U | ((code >> 12U) & 0x3fU));
        byte(0x80U | ((code >> 6U) & 0x3fU));
        byte(0x80U | (code & 0x3fU));
    }
}

/// A byte as a message may quote it.
std::string quoted(char c) {
    if (c > 0x20 && c < 0x7f) return std::string(1, c);
    constexpr const char* kHex = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    return std::string("byte 0x") + kHex[byte >> 4U] + kHex[byte & 0xfU];
}

}  // namespace

JsonReader::JsonReader(ByteSource& source, std::string file, std::optional<Place> outside)
    : source_(source), file_(std::move(file)), outside_(std::move(outside)) {
    if (fill() && end_ - at_ >= 3 && std::string_view(at_, 3) == "\xEF\xBB\xBF") {
        at_ += 3;
    }
}

bool JsonReader::fill() {
    if (at_ < end_) return true;
    if (isDone_) return false;
    offset_ += end_ - begin_;
    const std::string_view piece = source_.next();
    begin_ = at_ = piece.data();
    end_ = begin_ + piece.size();
    isDone_ = piece.empty();
    return !isDone_;
}

Place JsonReader::place() const {
    if (outside_) return *outside_;
    const std::int64_t column = tokenOffset_ - tokenLineStart_ + 1;
    return Place{file_,
                 tokenLine_,
                 column > std::numeric_limits<int>::max() ? 0 : static_cast<int>(column),
                 {}};
}

Token JsonReader::fail(std::string pattern, std::vector<Argument> arguments) {
    return fail(Finding{Severity::Error, Text{std::move(pattern), std::move(arguments)}, place()});
}

Token JsonReader::fail(Finding finding) {
    if (!error_) error_ = std::move(finding);
    return Token::Error;
}

bool JsonReader::skipSpace() {
    while (true) {
        while (at_ < end_) {
            const char c = *at_;
            if (c == '\n') {
                ++line_;
                lineStart_ = offset_ + (at_ - begin_) + 1;
            } else if (c != ' ' && c != '\t' && c != '\r') {
                return true;
            }
            ++at_;
        }
        if (!fill()) return false;
    }
}

Token JsonReader::cutOff() {
    tokenOffset_ = offset_ + (at_ - begin_);
    tokenLine_ = line_;
    tokenLineStart_ = lineStart_;
    if (source_.failed()) return fail("the file can't be read beyond this place");
    if (open_.empty()) return fail("the file ends in the middle of a value: it is cut off");
    return fail("the file ends before {1} of its brackets are closed: it is cut off",
                {std::to_string(open_.size())});
}

Token JsonReader::unexpected(const char* expected) {
    return fail("{1} stands where {2} is expected", {quoted(*at_), expected});
}

Token JsonReader::closed(Token token) {
    open_.pop_back();
    expect_ = open_.empty() ? Expect::Document : Expect::AfterValue;
    return token;
}

Token JsonReader::next() {
    if (error_) return Token::Error;
    text_ = {};
    bool hasMore = skipSpace();
    if (!hasMore && open_.empty() && expect_ == Expect::Document) {
        return source_.failed() ? cutOff() : Token::End;
    }
    if (!hasMore) return cutOff();
    const auto mark = [&] {
        tokenOffset_ = offset_ + (at_ - begin_);
        tokenLine_ = line_;
        tokenLineStart_ = lineStart_;
    };
    mark();
    if (expect_ == Expect::AfterValue) {
        const bool isObject = open_.back() == '{';
        const char c = *at_;
        if (c == (isObject ? '}' : ']')) {
            ++at_;
            return closed(isObject ? Token::ObjectEnd : Token::ArrayEnd);
        }
        if (c != ',') return unexpected(isObject ? "`,` or `}`" : "`,` or `]`");
        ++at_;
        expect_ = isObject ? Expect::NextKey : Expect::Value;
        if (!skipSpace()) return cutOff();
        mark();
    }
    if (expect_ == Expect::FirstKey || expect_ == Expect::NextKey) {
        if (*at_ == '}' && expect_ == Expect::FirstKey) {
            ++at_;
            return closed(Token::ObjectEnd);
        }
        if (*at_ != '"') return unexpected("a key in quotation marks");
        ++at_;
        return readString(true);
    }
    if (expect_ == Expect::FirstElement && *at_ == ']') {
        ++at_;
        return closed(Token::ArrayEnd);
    }
    switch (*at_) {
        case '{':
        case '[': {
            if (open_.size() >= kDeepest) {
                return fail("brackets are nested more than {1} deep", {std::to_string(kDeepest)});
            }
            const bool isObject = *at_ == '{';
            open_.push_back(*at_++);
            expect_ = isObject ? Expect::FirstKey : Expect::FirstElement;
            return isObject ? Token::ObjectBegin : Token::ArrayBegin;
        }
        case '"':
            ++at_;
            return readString(false);
        case 't':
            return readWord("true", Token::True);
        case 'f':
            return readWord("false", Token::False);
        case 'n':
            return readWord("null", Token::Null);
        default:
            break;
    }
    if (*at_ == '-' || isDigit(*at_)) return readNumber();
    return unexpected(open_.empty() ? "a JSON value" : "a value");
}

Token JsonReader::readString(bool isKey) {
    const char* start = at_;
    bool isAscii = true;
    bool isInBuffer = false;
    buffer_.clear();
    while (true) {
        while (at_ < end_ && !isStop(*at_)) ++at_;
        if (at_ == end_) {
            buffer_.append(start, static_cast<std::size_t>(at_ - start));
            isInBuffer = true;
            if (buffer_.size() > kLongestString) break;
            if (!fill()) return cutOff();
            start = at_;
            continue;
        }
        const char c = *at_;
        if (c == '"') break;
        if (c == '\\') {
            buffer_.append(start, static_cast<std::size_t>(at_ - start));
            isInBuffer = true;
            ++at_;
            if (!readEscape()) return Token::Error;
            isAscii = false;
            start = at_;
            continue;
        }
        if (static_cast<unsigned char>(c) < 0x20) {
            tokenOffset_ = offset_ + (at_ - begin_);
            tokenLine_ = line_;
            tokenLineStart_ = lineStart_;
            return fail(c == '\0' ? "a NUL byte stands inside a string"
                                  : "a control character ({1}) stands inside a string; a missing "
                                    "quotation mark before it is likely",
                        {quoted(c)});
        }
        isAscii = false;
        ++at_;
    }
    if (isInBuffer) {
        buffer_.append(start, static_cast<std::size_t>(at_ - start));
        text_ = buffer_;
    } else {
        text_ = std::string_view(start, static_cast<std::size_t>(at_ - start));
    }
    if (text_.size() > kLongestString) {
        return fail("a string is longer than {1} MiB", {std::to_string(kLongestString >> 20U)});
    }
    ++at_;
    if (!isAscii && !isUtf8(text_)) return fail("a string is not UTF-8");
    if (isKey) {
        // The key's text has to outlive the search for its colon, which may fetch another piece.
        if (at_ == end_ || *at_ != ':') {
            if (!isInBuffer) {
                buffer_.assign(text_);
                text_ = buffer_;
            }
            if (!skipSpace()) return cutOff();
            if (*at_ != ':') return unexpected("`:` after a key");
        }
        ++at_;
        expect_ = Expect::Value;
        return Token::Key;
    }
    expect_ = open_.empty() ? Expect::Document : Expect::AfterValue;
    return Token::String;
}

bool JsonReader::readEscape() {
    const auto take = [&](char& c) {
        if (!fill()) return false;
        c = *at_++;
        return true;
    };
    const auto unit = [&](unsigned& code) {
        code = 0;
        for (int i = 0; i < 4; ++i) {
            char c = 0;
            if (!take(c)) return false;
            const int digit = hexValue(c);
            if (digit < 0) {
                fail("`\\u` in a string is followed by four hexadecimal digits");
                return false;
            }
            code = code * 16U + static_cast<unsigned>(digit);
        }
        return true;
    };
    char c = 0;
    if (!take(c)) return cutOff(), false;
    switch (c) {
        case '"':
        case '\\':
        case '/':
            buffer_ += c;
            return true;
        case 'b':
            buffer_ += '\b';
            return true;
        case 'f':
            buffer_ += '\f';
            return true;
        case 'n':
            buffer_ += '\n';
            return true;
        case 'r':
            buffer_ += '\r';
            return true;
        case 't':
            buffer_ += '\t';
            return true;
        case 'u':
            break;
        default:
            fail("`\\` in a string is followed by {1}, which JSON doesn't know", {quoted(c)});
            return false;
    }
    unsigned code = 0;
    if (!unit(code)) return failed() ? false : (cutOff(), false);
    if (code == 0) {
        fail("a NUL character stands inside a string");
        return false;
    }
    if (code >= 0xd800U && code < 0xdc00U) {
        char slash = 0;
        char u = 0;
        unsigned low = 0;
        if (!take(slash) || !take(u) || slash != '\\' || u != 'u' || !unit(low) || low < 0xdc00U ||
            low >= 0xe000U) {
            fail("one half of a surrogate pair stands alone in a string");
            return false;
        }
        code = 0x10000U + ((code - 0xd800U) << 10U) + (low - 0xdc00U);
    } else if (code >= 0xdc00U && code < 0xe000U) {
        fail("one half of a surrogate pair stands alone in a string");
        return false;
    }
    appendUtf8(buffer_, code);
    return true;
}

Token JsonReader::readNumber() {
    buffer_.clear();
    while (fill() && (isDigit(*at_) || *at_ == '-' || *at_ == '+' || *at_ == '.' || *at_ == 'e' ||
                      *at_ == 'E')) {
        if (buffer_.size() >= kLongestNumber) {
            return fail("a number has more than {1} characters", {std::to_string(kLongestNumber)});
        }
        buffer_ += *at_++;
    }
    if (!isNumber(buffer_)) return fail("`{1}` is not a number as JSON writes it", {buffer_});
    if (isDone_ && !open_.empty()) return cutOff();
    text_ = buffer_;
    expect_ = open_.empty() ? Expect::Document : Expect::AfterValue;
    return Token::Number;
}

Token JsonReader::readWord(std::string_view word, Token token) {
    for (const char c : word) {
        if (!fill()) return cutOff();
        if (*at_ != c) return unexpected("a value");
        ++at_;
    }
    expect_ = open_.empty() ? Expect::Document : Expect::AfterValue;
    return token;
}

void JsonReader::skipFrom(Token token) {
    if (token != Token::ObjectBegin && token != Token::ArrayBegin) return;
    const std::size_t depth = open_.size();
    while (open_.size() >= depth) {
        const Token t = next();
        if (t == Token::Error || t == Token::End) return;
    }
}

std::string JsonReader::scalarFrom(Token token) {
    if (token == Token::String || token == Token::Number) return std::string(text_);
    skipFrom(token);
    return {};
}

nlohmann::json JsonReader::valueFrom(Token token) {
    std::size_t budget = kLargestValue;
    return build(token, budget);
}

nlohmann::json JsonReader::build(Token token, std::size_t& budget) {
    // What a small value costs in memory, roughly; many of them count, too.
    constexpr std::size_t kOverhead = 32;
    const std::size_t cost = text_.size() + kOverhead;
    if (cost > budget) {
        fail("one entry of the file takes more than {1} MiB",
             {std::to_string(kLargestValue >> 20U)});
        return nullptr;
    }
    budget -= cost;
    switch (token) {
        case Token::ObjectBegin: {
            nlohmann::json object = nlohmann::json::object();
            members([&](std::string_view key) {
                std::string name(key);
                object[std::move(name)] = build(next(), budget);
            });
            return object;
        }
        case Token::ArrayBegin: {
            nlohmann::json array = nlohmann::json::array();
            elements([&](Token first) { array.push_back(build(first, budget)); });
            return array;
        }
        case Token::String:
        case Token::Number:
            return std::string(text_);
        case Token::True:
            return true;
        case Token::False:
            return false;
        default:
            return nullptr;
    }
}

}  // namespace trainwright::import::prices
