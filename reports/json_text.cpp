// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/json_text.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "reports/utf8.h"

namespace trainwright::reports {
namespace {

std::string numberText(double value) {
    if (!std::isfinite(value)) return "null";
    if (value == 0.0) return "0";  // JSON readers keep the sign of -0
    std::array<char, 64> buffer{};
    auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return error == std::errc() ? std::string(buffer.data(), end) : "null";
}

/// Depth of a value that is written on one line with all around it.
constexpr int kFlat = -1;

void write(const Json& value, int depth, std::string& out) {
    const bool flat = depth == kFlat;
    const int deeper = flat ? kFlat : depth + 1;
    const std::string inner =
        flat ? "" : "\n" + std::string(static_cast<std::size_t>(deeper) * 2, ' ');
    const std::string outer =
        flat ? "" : "\n" + std::string(static_cast<std::size_t>(depth) * 2, ' ');
    if (value.is_object()) {
        out += "{";
        const char* separator = "";
        for (const auto& [key, member] : value.items()) {
            out += separator + inner + jsonQuoted(key) + (flat ? ":" : ": ");
            separator = ",";
            write(member, deeper, out);
        }
        out += value.empty() ? "}" : outer + "}";
    } else if (value.is_array()) {
        out += "[";
        const char* separator = "";
        for (const auto& element : value) {
            out += separator + inner;
            separator = ",";
            write(element, deeper, out);
        }
        out += value.empty() ? "]" : outer + "]";
    } else if (value.is_string()) {
        out += jsonQuoted(value.get_ref<const std::string&>());
    } else if (value.is_number_float()) {
        out += numberText(value.get<double>());
    } else {
        out += value.dump();
    }
}

}  // namespace

std::string jsonQuoted(const std::string& text) {
    std::string out = "\"";
    for (char c : validUtf8(text)) {
        switch (c) {
            case '"':
                out += "\\\"";
                break;
            case '\\':
                out += "\\\\";
                break;
            case '\n':
                out += "\\n";
                break;
            case '\r':
                out += "\\r";
                break;
            case '\t':
                out += "\\t";
                break;
            default:
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7F || c == '<')
                    out += fmt::format("\\u{:04x}",
                                       static_cast<unsigned>(static_cast<unsigned char>(c)));
                else
                    out += c;
        }
    }
    return out + "\"";
}

std::string jsonText(const Json& value) {
    std::string out;
    write(value, 0, out);
    return out;
}

std::string jsonLine(const Json& value) {
    std::string out;
    write(value, kFlat, out);
    return out;
}

}  // namespace trainwright::reports
