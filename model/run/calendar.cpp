// SPDX-License-Identifier: GPL-3.0-or-later
#include <cassert>
#include <chrono>

#include "model/run/run.h"

namespace trainwright::run {

namespace {

constexpr int kFirstYear = 0;
constexpr int kLastYear = 9999;

std::chrono::year_month_day toChrono(Date d) {
    return std::chrono::year(d.year) / std::chrono::month(static_cast<unsigned>(d.month)) /
           std::chrono::day(static_cast<unsigned>(d.day));
}

std::string padded(int value, std::size_t width) {
    std::string digits = std::to_string(value);
    return digits.size() < width ? std::string(width - digits.size(), '0') + digits : digits;
}

}  // namespace

bool isValid(Date d) {
    // The ranges first: the chrono types keep only the low bits of what doesn't fit them.
    return d.year >= kFirstYear && d.year <= kLastYear && d.month >= 1 && d.month <= 12 &&
           d.day >= 1 && d.day <= 31 && toChrono(d).ok();
}

std::string isoDate(Date d) {
    return padded(d.year, 4) + "-" + padded(d.month, 2) + "-" + padded(d.day, 2);
}

long daysSinceEpoch(Date d) {
    assert(isValid(d));
    return std::chrono::sys_days(toChrono(d)).time_since_epoch().count();
}

Date dateFromDays(long daysSinceEpoch) {
    const std::chrono::sys_days day{std::chrono::days(daysSinceEpoch)};
    const std::chrono::year_month_day ymd(day);
    const Date result{static_cast<int>(ymd.year()),
                      static_cast<int>(static_cast<unsigned>(ymd.month())),
                      static_cast<int>(static_cast<unsigned>(ymd.day()))};
    assert(isValid(result));
    return result;
}

}  // namespace trainwright::run
