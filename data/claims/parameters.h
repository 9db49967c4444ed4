// SPDX-License-Identifier: GPL-3.0-or-later
// The parameters of a check as its row has them: "models=a, b; accelerators=512".
//
// Values run to the next semicolon, items of a list to the next comma, neither inside braces or
// brackets, so that a value may hold a piece of a scenario: models={name: x, layers: 4}.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainwright::claims {

/// `text` at each `separator` outside of braces and brackets, without spaces around; empty parts
/// are left out.
[[nodiscard]] std::vector<std::string> splitOutsideBraces(std::string_view text, char separator);

class Parameters {
public:
    explicit Parameters(std::string_view text);

    /// "" if it isn't there.
    [[nodiscard]] std::string text(const std::string& key) const;
    [[nodiscard]] std::string textOr(const std::string& key, const std::string& otherwise) const;
    [[nodiscard]] std::vector<std::string> list(const std::string& key) const;
    [[nodiscard]] std::optional<double> number(const std::string& key) const;
    [[nodiscard]] bool has(const std::string& key) const { return values_.contains(key); }

private:
    std::map<std::string, std::string> values_;
};

/// All of `text` as a number; nullopt if it isn't one.
[[nodiscard]] std::optional<double> numberIn(std::string_view text);

}  // namespace trainwright::claims
