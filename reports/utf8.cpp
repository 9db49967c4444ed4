// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/utf8.h"

#include <array>
#include <cstdint>
#include <utility>

namespace trainwright::reports {
namespace {

struct Decoded {
    char32_t point = 0;
    std::size_t length = 1;
    bool valid = false;
};

/// The code point at the start of `text`; surrogates, overlong forms and cut sequences are not
/// valid.
Decoded decode(std::string_view text) {
    auto byte = [&](std::size_t i) { return static_cast<std::uint8_t>(text[i]); };
    std::uint8_t first = byte(0);
    if (first < 0x80) return {first, 1, true};
    std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (first < 0xC2 || first > 0xF4 || text.size() < length) return {};
    char32_t point = first & (0x7Fu >> length);
    for (std::size_t i = 1; i < length; ++i) {
        if ((byte(i) & 0xC0u) != 0x80u) return {};
        point = (point << 6) | (byte(i) & 0x3Fu);
    }
    static constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
    if (point < kSmallest[length] || point > 0x10FFFF || (point >= 0xD800 && point <= 0xDFFF))
        return {};
    return {point, length, true};
}

template <typename F>
void forEachPoint(std::string_view text, F visit) {
    while (!text.empty()) {
        Decoded decoded = decode(text);
        visit(decoded, text.substr(0, decoded.length));
        text.remove_prefix(decoded.length);
    }
}

bool isCombining(char32_t p) {
    return (p >= 0x300 && p <= 0x36F) || (p >= 0x200B && p <= 0x200F) ||
           (p >= 0x20D0 && p <= 0x20FF) || (p >= 0xFE00 && p <= 0xFE0F) || p == 0xFEFF;
}

bool isWide(char32_t p) {
    return (p >= 0x1100 && p <= 0x115F) || (p >= 0x2E80 && p <= 0xA4CF && p != 0x303F) ||
           (p >= 0xAC00 && p <= 0xD7A3) || (p >= 0xF900 && p <= 0xFAFF) ||
           (p >= 0xFE30 && p <= 0xFE6F) || (p >= 0xFF00 && p <= 0xFF60) ||
           (p >= 0xFFE0 && p <= 0xFFE6) || (p >= 0x1F300 && p <= 0x1FAFF) ||
           (p >= 0x20000 && p <= 0x3FFFD);
}

constexpr std::array<std::pair<char32_t, const char*>, 49> kAscii{{
    {U'–', "-"},  {U'—', "-"},      {U'−', "-"},      {U'‐', "-"},     {U'‑', "-"},  {U'×', "x"},
    {U'·', "*"},  {U'…', "..."},    {U'→', "->"},     {U'≥', ">="},    {U'≤', "<="}, {U'≈', "~"},
    {U'±', "+-"}, {U'µ', "u"},      {U'μ', "u"},      {U'“', "\""},    {U'”', "\""}, {U'‘', "'"},
    {U'’', "'"},  {U'\u00A0', " "}, {U'\u202F', " "}, {U'⌈', "ceil("}, {U'⌉', ")"},  {U'⬟', "*"},
    {U'■', "#"},  {U'★', "+"},      {U'á', "a"},      {U'é', "e"},     {U'í', "i"},  {U'ó', "o"},
    {U'ú', "u"},  {U'ü', "u"},      {U'ö', "o"},      {U'ä', "a"},     {U'ñ', "n"},  {U'ç', "c"},
    {U'Á', "A"},  {U'É', "E"},      {U'Í', "I"},      {U'Ó', "O"},     {U'Ú', "U"},  {U'Ü', "U"},
    {U'Ñ', "N"},  {U'ß', "ss"},     {U'✓', "+"},      {U'◐', "~"},     {U'✕', "x"},  {U'•', "*"},
    {U'─', "-"},
}};

/// 0 to 9 for a superscript digit, -1 for anything else.
int superscript(char32_t p) {
    if (p == U'⁰') return 0;
    if (p == U'¹') return 1;
    if (p == U'²') return 2;
    if (p == U'³') return 3;
    if (p >= U'⁴' && p <= U'⁹') return static_cast<int>(p - U'⁴') + 4;
    return -1;
}

}  // namespace

std::string validUtf8(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    forEachPoint(text, [&](const Decoded& decoded, std::string_view bytes) {
        if (decoded.valid)
            out += bytes;
        else
            out += "\xEF\xBF\xBD";
    });
    return out;
}

std::size_t columns(std::string_view text) {
    std::size_t wide = 0;
    forEachPoint(text, [&](const Decoded& decoded, std::string_view) {
        wide += isCombining(decoded.point) ? 0 : isWide(decoded.point) ? 2 : 1;
    });
    return wide;
}

std::string asciiOnly(std::string_view text) {
    std::string out;
    bool raised = false;
    forEachPoint(text, [&](const Decoded& decoded, std::string_view) {
        int digit = superscript(decoded.point);
        if (digit >= 0) {
            if (!raised) out += '^';
            raised = true;
            out += static_cast<char>('0' + digit);
            return;
        }
        raised = false;
        if (decoded.valid && decoded.point < 0x80) {
            out += static_cast<char>(decoded.point);
            return;
        }
        if (isCombining(decoded.point)) return;
        for (const auto& [point, plain] : kAscii)
            if (point == decoded.point) {
                out += plain;
                return;
            }
        out += '?';
    });
    return out;
}

std::string withoutControls(std::string_view text) {
    std::string out;
    forEachPoint(text, [&](const Decoded& decoded, std::string_view bytes) {
        if (!decoded.valid)
            out += "\xEF\xBF\xBD";
        else if (decoded.point < 0x20 || (decoded.point >= 0x7F && decoded.point < 0xA0))
            out += ' ';
        else if (decoded.point >= 0x202A && decoded.point <= 0x202E)
            out += ' ';  // direction overrides
        else
            out += bytes;
    });
    return out;
}

}  // namespace trainwright::reports
