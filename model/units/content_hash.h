// SPDX-License-Identifier: GPL-3.0-or-later
// A short fingerprint of bytes: tells versions of a file apart, protects against nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace trainwright::units {

/// FNV-1a, 64 bits (Fowler, Noll, Vo). Adding pieces one by one equals adding them joined.
class ContentHash {
public:
    ContentHash& add(std::string_view bytes) {
        for (const char c : bytes) {
            state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
        }
        return *this;
    }

    /// 16 hexadecimal digits.
    [[nodiscard]] std::string hex() const {
        constexpr int kDigits = 16;
        std::string out(kDigits, '0');
        std::uint64_t rest = state_;
        for (int i = kDigits - 1; i >= 0; --i) {
            out[static_cast<std::size_t>(i)] = "0123456789abcdef"[rest & 0xfU];
            rest >>= 4U;
        }
        return out;
    }

private:
    std::uint64_t state_ = 0xcbf29ce484222325ULL;
};

}  // namespace trainwright::units
