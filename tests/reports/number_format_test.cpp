// SPDX-License-Identifier: GPL-3.0-or-later
#include "reports/number_format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

namespace trainwright::reports {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

struct Case {
    double value;
    const char* expected;
};

TEST(Estimate, HasThreeSignificantDigits) {
    for (const Case& c : std::initializer_list<Case>{{0, "0"},
                                                     {-0.0, "0"},
                                                     {18.46, "18.5"},
                                                     {1.234, "1.23"},
                                                     {1, "1.00"},
                                                     {9.999, "10.0"},
                                                     {99.95, "100"},
                                                     {999.5, "1,000"},
                                                     {1234.5, "1,230"},
                                                     {1234567, "1,230,000"},
                                                     {0.0123, "0.0123"},
                                                     {0.1, "0.100"},
                                                     {0.00099996, "0.00100"},
                                                     {-18.46, "-18.5"},
                                                     {1e15, "1,000,000,000,000,000"},
                                                     {kNan, "not known"},
                                                     {kInfinity, "not known"},
                                                     {-kInfinity, "not known"}})
        EXPECT_EQ(estimate(c.value), c.expected) << c.value;
}

TEST(Count, KeepsEveryDigit) {
    for (const Case& c : std::initializer_list<Case>{{0, "0"},
                                                     {-0.2, "0"},
                                                     {7, "7"},
                                                     {999, "999"},
                                                     {1000, "1,000"},
                                                     {4096, "4,096"},
                                                     {262144, "262,144"},
                                                     {1234567, "1,234,567"},
                                                     {-4096, "-4,096"},
                                                     {kNan, "not known"}})
        EXPECT_EQ(count(c.value), c.expected) << c.value;
}

TEST(Days, AreWholeFromTen) {
    for (const Case& c : std::initializer_list<Case>{{83.4, "83"},
                                                     {83.5, "84"},
                                                     {10, "10"},
                                                     {9.96, "10"},
                                                     {9.94, "9.9"},
                                                     {7.62, "7.6"},
                                                     {0.05, "0.1"},
                                                     {0.04, "<0.1"},
                                                     {0, "0"},
                                                     {12345.6, "12,346"},
                                                     {kInfinity, "not known"}})
        EXPECT_EQ(days(c.value), c.expected) << c.value;
}

TEST(Percent, IsWholeFromTen) {
    for (const Case& c : std::initializer_list<Case>{{0.364, "36%"},
                                                     {0.031, "3.1%"},
                                                     {0.0996, "10%"},
                                                     {0.0994, "9.9%"},
                                                     {1, "100%"},
                                                     {0, "0%"},
                                                     {0.0001, "<0.1%"},
                                                     {-0.05, "-5.0%"},
                                                     {kNan, "not known"}})
        EXPECT_EQ(percent(c.value), c.expected) << c.value;
}

TEST(Range, HasTheDecimalsOfItsFigure) {
    EXPECT_EQ(estimateRange(18.46, 16.94, 21.5), "16.9–21.5");
    EXPECT_EQ(estimateRange(98.2, 91.04, 110.25), "91.0–110.3");
    EXPECT_EQ(estimateRange(99.96, 91.04, 110.25), "91–110") << "100 has no decimals";
    EXPECT_EQ(estimateRange(6390, 5867.3, 7013.2), "5,870–7,010");
    EXPECT_EQ(estimateRange(123456, 98765, 234567), "99,000–235,000");
    EXPECT_EQ(estimateRange(0.0123, 0.00951, 0.0207), "0.0095–0.0207");
    EXPECT_EQ(estimateRange(0, 0, 0), "0.00–0.00");
    EXPECT_EQ(estimateRange(18.46, 16.94, INFINITY), "16.9 or more");
    EXPECT_EQ(estimateRange(NAN, 1, 2), notKnown());
    EXPECT_EQ(daysRange(83.2, 76.4, 92.8), "76–93");
    EXPECT_EQ(daysRange(9.2, 8.46, 10.31), "8.5–10.3");
    EXPECT_EQ(daysRange(9.96, 9.4, 11.2), "9–11");
    EXPECT_EQ(daysRange(770, 573, 1063), "573–1,063");
}

TEST(Chance, IsNeverAllOrNothing) {
    EXPECT_EQ(chance(0), "<1%");
    EXPECT_EQ(chance(1), ">99%");
    EXPECT_EQ(chance(0.8249), "82%");
    EXPECT_EQ(chance(0.5), "50%");
    EXPECT_EQ(chance(0.031), "3%");
}

TEST(Money, IsInMillionsFromAHundredThousand) {
    for (const Case& c : std::initializer_list<Case>{{18456005.8, "18.5 M USD"},
                                                     {2.345e9, "2,350 M USD"},
                                                     {123456, "0.123 M USD"},
                                                     {99949, "99,900 USD"},
                                                     {99950, "100,000 USD"},
                                                     {100000, "0.100 M USD"},
                                                     {1234, "1,230 USD"},
                                                     {12.3, "12.3 USD"},
                                                     {0, "0 USD"},
                                                     {kNan, "not known"}})
        EXPECT_EQ(money(units::UsDollars(c.value)), c.expected) << c.value;
}

TEST(TypedAmounts, HaveNoDigitsThatWereNotTyped) {
    EXPECT_EQ(typedMoney(units::UsDollars(20e6)), "20 M USD");
    EXPECT_EQ(typedMoney(units::UsDollars(12.5e6)), "12.5 M USD");
    EXPECT_EQ(typedMoney(units::UsDollars(5000)), "5,000 USD");
    EXPECT_EQ(typedMegawatts(units::Watts(30e6)), "30 MW");
    EXPECT_EQ(typedMegawatts(units::Watts(0.25e6)), "0.25 MW");
}

TEST(PricePerHour, IsAsPublished) {
    for (const Case& c : std::initializer_list<Case>{{35.7608, "35.7608"},
                                                     {143.0432, "143.0432"},
                                                     {55.04, "55.04"},
                                                     {1.3, "1.3"},
                                                     {98, "98"},
                                                     {kNan, "not known"}})
        EXPECT_EQ(pricePerHour(units::usDollarsPerHour(c.value)), c.expected) << c.value;
}

TEST(BigCount, IsWrittenAsPeopleWriteIt) {
    for (const Case& c : std::initializer_list<Case>{{15.6e12, "15.6T"},
                                                     {15e12, "15T"},
                                                     {405.85e9, "406B"},
                                                     {70.6e9, "70.6B"},
                                                     {8e9, "8B"},
                                                     {16.777e6, "16.8M"},
                                                     {999.9e9, "1T"},
                                                     {4096, "4,096"},
                                                     {kNan, "not known"}})
        EXPECT_EQ(bigCount(c.value), c.expected) << c.value;
}

TEST(Units, StandBesideTheirNumber) {
    EXPECT_EQ(gibibytes(units::gibibytes(19.31)), "19.3 GiB");
    EXPECT_EQ(gibibytes(units::Bytes(kNan)), "not known");
    EXPECT_EQ(traffic(units::Bytes(1.42e11)), "142 GB");
    EXPECT_EQ(traffic(units::Bytes(33.6e6)), "33.6 MB");
    EXPECT_EQ(traffic(units::Bytes(12)), "12.0 B");
    EXPECT_EQ(seconds(units::Seconds(7.777)), "7.78 s");
    EXPECT_EQ(seconds(units::Seconds(0.0123)), "12.3 ms");
    EXPECT_EQ(seconds(units::Seconds(0)), "0 s");
    EXPECT_EQ(duration(units::Seconds(600)), "10.0 min");
    EXPECT_EQ(duration(units::hours(12.4)), "12.4 h");
    EXPECT_EQ(duration(units::days(12)), "12 days");
    EXPECT_EQ(megawatts(units::Watts(3.21e6)), "3.21 MW");
    EXPECT_EQ(megawattHours(units::Joules(6.4e9 * 3600)), "6,400 MWh");
    EXPECT_EQ(tonnesCo2(2637633.9), "2,640 tCO2e");
    EXPECT_EQ(teraflops(units::FlopPerSecond(2.44e14)), "244 TFLOP/s");
    EXPECT_EQ(flop(units::Flop(6.84e24)), "6.84 × 10²⁴");
    EXPECT_EQ(flop(units::Flop(9.999e24)), "1.00 × 10²⁵");
    EXPECT_EQ(longDate({2027, 3, 8}), "8 March 2027");
    EXPECT_EQ(longDate({2027, 0, 8}), "not known");
}

TEST(FigureText, ScalesToAUnitThatPeopleRead) {
    struct Figure {
        const char *value, *unit, *expected;
    };
    for (const Figure& f : std::initializer_list<Figure>{
             {"103079215104", "bytes", "96 GiB"},
             {"25165824", "bytes", "25.165824 MB"},
             {"2.9e+12", "bytes_per_second", "2.9 TB/s"},
             {"6.67e+14", "flop_per_second", "667 TFLOP/s"},
             {"2.517e15", "flop_per_second", "2.517 PFLOP/s"},
             {"0.0000021", "seconds", "2.1 µs"},
             {"500", "watts", "500 W"},
             {"35.7608", "usd_per_hour", "35.7608 USD/h"},
             {"0.85", "fraction", "0.85"},
             {"128x512", "", "128x512"},
             {"412", "grams_per_kilowatt_hour", "412 grams per kilowatt hour"},
             {"nan", "watts", "nan"}})
        EXPECT_EQ(figureText(f.value, f.unit), f.expected) << f.value;
}

TEST(RoundedParts, AddUpToTheRoundedSum) {
    std::mt19937_64 random(20261201);
    std::uniform_real_distribution<double> exponent(-6, 4);
    for (int round = 0; round < 2000; ++round) {
        std::vector<double> parts(1 + random() % 12);
        for (double& part : parts) part = std::pow(10.0, exponent(random));
        for (int decimals = 0; decimals <= 3; ++decimals) {
            const double scale = std::pow(10.0, decimals);
            const std::vector<double> rounded = roundedParts(parts, decimals);
            long long sum = 0;
            for (std::size_t i = 0; i < parts.size(); ++i) {
                sum += std::llround(rounded[i] * scale);
                EXPECT_LT(std::abs(rounded[i] - parts[i]) * scale, 1.0 + 1e-6) << "round " << round;
            }
            const double total = std::accumulate(parts.begin(), parts.end(), 0.0);
            EXPECT_EQ(sum, std::llround(total * scale))
                << "round " << round << ", decimals " << decimals;
        }
    }
}

TEST(RoundedParts, GivesTheMissingUnitToTheLargestRemainder) {
    const std::vector<double> parts{1.0 / 3, 1.0 / 3, 1.0 / 3, kNan, -1};
    EXPECT_EQ(roundedParts(parts, 1), (std::vector<double>{0.4, 0.3, 0.3, 0, 0}));
}

TEST(AnyNumber, NeverShowsAnExponentOrASign) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<double> exponent(-300, 30);
    for (int round = 0; round < 5000; ++round) {
        const double value = std::pow(10.0, exponent(random));
        for (const std::string& text :
             {estimate(value), trimmed(value), days(value), percent(value),
              money(units::UsDollars(value)), gibibytes(units::Bytes(value)),
              seconds(units::Seconds(value)), duration(units::Seconds(value)),
              megawatts(units::Watts(value)), teraflops(units::FlopPerSecond(value)),
              fixed(-value * 1e-9, 1)}) {
            EXPECT_EQ(text.find("e+"), std::string::npos) << text;
            EXPECT_EQ(text.find("e-"), std::string::npos) << text;
            EXPECT_EQ(text.find("-0.0"),
                      text.find("-0.0") == 0 && text.size() > 4 ? 0 : std::string::npos)
                << text;
            EXPECT_NE(text, "-0");
        }
    }
}

}  // namespace
}  // namespace trainwright::reports
