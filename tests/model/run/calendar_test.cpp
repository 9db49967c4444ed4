// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "model/run/run.h"

namespace trainwright::run {
namespace {

TEST(Calendar, DaysCountFromTheEpoch) {
    struct Case {
        Date date;
        long days;
    };
    // 2000-03-01 and 1600-03-01 are 400 years, so one whole Gregorian cycle of 146,097 days, apart.
    for (const auto& [date, days] :
         {Case{{1970, 1, 1}, 0}, Case{{1969, 12, 31}, -1}, Case{{2000, 3, 1}, 11017},
          Case{{1600, 3, 1}, 11017 - 146097}, Case{{2026, 12, 1}, 20788}, Case{{2027, 3, 8}, 20885},
          Case{{0, 3, 1}, -719468}, Case{{9999, 12, 31}, 2932896}}) {
        EXPECT_EQ(daysSinceEpoch(date), days) << isoDate(date);
        EXPECT_EQ(dateFromDays(days), date) << days;
    }
}

// The slow way: one day at a time, by the rule of the calendar alone.
Date dayAfter(Date d) {
    const bool leap = (d.year % 4 == 0 && d.year % 100 != 0) || d.year % 400 == 0;
    const int lengths[] = {31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    if (++d.day <= lengths[d.month - 1]) return d;
    d.day = 1;
    if (++d.month <= 12) return d;
    d.month = 1;
    ++d.year;
    return d;
}

TEST(Calendar, EveryDayOfFourCenturiesFollowsTheOneBefore) {
    Date date{1770, 1, 1};
    for (long days = daysSinceEpoch(date); date.year < 2171; ++days, date = dayAfter(date)) {
        ASSERT_EQ(daysSinceEpoch(date), days) << isoDate(date);
        ASSERT_EQ(dateFromDays(days), date) << days;
        ASSERT_TRUE(isValid(date)) << isoDate(date);
    }
}

TEST(Calendar, KnowsWhichDaysExist) {
    for (const Date d : {Date{2024, 2, 29}, Date{2000, 2, 29}, Date{0, 1, 1}, Date{9999, 12, 31}}) {
        EXPECT_TRUE(isValid(d)) << isoDate(d);
    }
    // 65536 + 2027 and 256 + 3 are what a type that keeps the low bits would take for 2027 and
    // March.
    for (const Date d : {Date{}, Date{2023, 2, 29}, Date{1900, 2, 29}, Date{2100, 2, 29},
                         Date{2027, 4, 31}, Date{2027, 13, 1}, Date{2027, 0, 1}, Date{2027, 1, 0},
                         Date{2027, 1, 32}, Date{-1, 1, 1}, Date{10000, 1, 1}, Date{67563, 3, 8},
                         Date{2027, 259, 8}, Date{2027, 3, 264}, Date{2027, -3, 8}}) {
        EXPECT_FALSE(isValid(d)) << d.year << "/" << d.month << "/" << d.day;
    }
}

TEST(Calendar, WritesIsoDates) {
    EXPECT_EQ(isoDate({2027, 3, 8}), "2027-03-08");
    EXPECT_EQ(isoDate({2026, 12, 31}), "2026-12-31");
    EXPECT_EQ(isoDate({33, 4, 3}), "0033-04-03");
}

}  // namespace
}  // namespace trainwright::run
