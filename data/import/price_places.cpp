// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/import/price_places.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trainwright::import::prices {
namespace {

bool isLower(char c) {
    return c >= 'a' && c <= 'z';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}
char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::vector<std::string> parts(std::string_view text) {
    std::vector<std::string> out(1);
    for (const char c : text) {
        if (c == '-') {
            out.emplace_back();
        } else {
            out.back() += c;
        }
    }
    return out;
}

bool isWord(const std::string& s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), isLower);
}
bool isNumber(const std::string& s) {
    return !s.empty() && std::all_of(s.begin(), s.end(), isDigit);
}
/// "1a"
bool isNumberAndLetter(const std::string& s) {
    return s.size() >= 2 && isLower(s.back()) && isNumber(s.substr(0, s.size() - 1));
}

/// The number of parts of a region's name at the beginning of `p`; 0 where there is none.
std::size_t regionParts(const std::vector<std::string>& p, bool mayEndInLetter) {
    const auto last = [&](std::size_t i) {
        return i < p.size() && (isNumber(p[i]) || (mayEndInLetter && isNumberAndLetter(p[i])));
    };
    if (p.size() >= 3 && p[0].size() == 2 && isWord(p[0]) && isWord(p[1]) && last(2)) return 3;
    if (p.size() >= 4 && p[0].size() == 2 && isWord(p[0]) && isWord(p[1]) && isWord(p[2]) &&
        last(3)) {
        return 4;
    }
    return 0;
}

/// "us-east-2" of "use2", "us-gov-west-1" of "usgw1"; empty of other shapes.
std::string regionOfPrefix(const std::string& prefix) {
    std::size_t digits = prefix.size();
    while (digits > 0 && isDigit(prefix[digits - 1])) --digits;
    if (digits < 3 || digits == prefix.size()) return {};
    std::string middle = prefix.substr(2, digits - 2);
    std::string out = prefix.substr(0, 2);
    if (!isWord(out) || !isWord(middle)) return {};
    if (middle.size() > 1 && middle.front() == 'g') {
        out += "-gov";
        middle.erase(0, 1);
    }
    static const std::array<std::pair<const char*, const char*>, 9> kDirections = {
        {{"n", "north"},
         {"s", "south"},
         {"e", "east"},
         {"w", "west"},
         {"c", "central"},
         {"ne", "northeast"},
         {"nw", "northwest"},
         {"se", "southeast"},
         {"sw", "southwest"}}};
    for (const auto& [brief, name] : kDirections) {
        if (middle == brief) return out + "-" + name + "-" + prefix.substr(digits);
    }
    return {};
}

/// "atl-2" of "atl2"; empty of other shapes.
std::string groupOf(const std::string& word) {
    std::size_t letters = 0;
    while (letters < word.size() && isLower(word[letters])) ++letters;
    if (letters < 2 || letters == word.size() || !isNumber(word.substr(letters))) return {};
    return word.substr(0, letters) + "-" + word.substr(letters);
}

}  // namespace

Places::Places(const catalog::Catalog& catalog) : regions_(catalog.entries("region")) {}

bool Places::isRegion(std::string_view region) {
    const std::vector<std::string> p = parts(region);
    return regionParts(p, false) == p.size();
}

std::string Places::localZone(const std::string& group) const {
    for (const catalog::Entry& region : regions_) {
        if (region.id.size() == group.size() + 1 &&
            region.id.compare(0, group.size(), group) == 0 && isLower(region.id.back())) {
            return region.id;
        }
    }
    return group + "a";
}

std::optional<PricePlace> Places::ofZone(std::string_view zone) const {
    const std::vector<std::string> p = parts(zone);
    // Names: us-east-2c, us-east-1-atl-2a.
    if (const std::size_t n = regionParts(p, true); n == p.size() && isLower(zone.back())) {
        return PricePlace{std::string(zone.substr(0, zone.size() - 1)), std::string(zone)};
    }
    if (const std::size_t n = regionParts(p, false);
        n > 0 && p.size() == n + 2 && isWord(p[n]) && isNumberAndLetter(p[n + 1])) {
        return PricePlace{std::string(zone), {}};
    }
    // Ids: use2-az3, use1-atl2-az1.
    const auto isZoneNumber = [](const std::string& s) {
        return s.size() > 2 && s.compare(0, 2, "az") == 0 && isNumber(s.substr(2)) && s.size() <= 4;
    };
    if (p.size() < 2 || !isZoneNumber(p.back())) return std::nullopt;
    const std::string region = regionOfPrefix(p.front());
    if (region.empty()) return std::nullopt;
    if (p.size() == 2) return PricePlace{region, std::string(zone)};
    const std::string group = groupOf(p[1]);
    const int number = std::stoi(p.back().substr(2));
    if (p.size() == 3 && !group.empty() && number >= 1 && number <= 26) {
        return PricePlace{region + "-" + group + static_cast<char>('a' + number - 1), {}};
    }
    return std::nullopt;
}

std::optional<PricePlace> Places::ofProduct(std::string_view regionCode, std::string_view location,
                                            std::string_view locationType,
                                            std::string_view usageType) const {
    if (locationType.empty() || locationType == "AWS Region") {
        if (isRegion(regionCode)) return PricePlace{std::string(regionCode), {}};
        if (!regionCode.empty()) return std::nullopt;
        if (const auto region = named(location)) return PricePlace{*region, {}};
        return std::nullopt;
    }
    if (locationType != "AWS Local Zone") return std::nullopt;
    const std::vector<std::string> p = parts(regionCode);
    const std::size_t n = regionParts(p, false);
    if (n > 0 && p.size() == n + 2 && isWord(p[n])) {
        if (isNumber(p[n + 1])) return PricePlace{localZone(std::string(regionCode)), {}};
        if (isNumberAndLetter(p[n + 1])) return PricePlace{std::string(regionCode), {}};
    }
    if (n == 0 || n != p.size()) return std::nullopt;
    std::string prefix(usageType.substr(0, usageType.find('-')));
    std::transform(prefix.begin(), prefix.end(), prefix.begin(), lower);
    const std::string group = groupOf(prefix);
    if (group.empty() || !regionOfPrefix(prefix).empty()) return std::nullopt;
    return PricePlace{localZone(std::string(regionCode) + "-" + group), {}};
}

std::optional<std::string> Places::named(std::string_view name) const {
    std::string wanted(name);
    std::replace(wanted.begin(), wanted.end(), '\n', ' ');
    // Europe's regions were called EU in older files.
    if (wanted.compare(0, 4, "EU (") == 0) wanted = "Europe" + wanted.substr(2);
    for (const catalog::Entry& region : regions_) {
        if (region.name == wanted) return region.id;
    }
    // "Dallas Local Zone (US East N. Virginia)" is "Dallas Local Zone (parent us-east-1)".
    const std::size_t local = wanted.find(" Local Zone");
    if (local == std::string::npos) return std::nullopt;
    const std::string city = wanted.substr(0, local) + " Local Zone";
    for (const catalog::Entry& region : regions_) {
        if (region.name.compare(0, city.size(), city) == 0) return region.id;
    }
    return std::nullopt;
}

}  // namespace trainwright::import::prices
