// SPDX-License-Identifier: GPL-3.0-or-later
#include "model/units/text_quantity.h"

#include <gmock/gmock.h>

#include <clocale>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

namespace trainwright::units {
namespace {

using K = QuantityKind;
using testing::ElementsAre;
using testing::IsEmpty;

struct Read {
    K kind;
    const char* text;
    double value;
};

class ReadsAsWritten : public testing::TestWithParam<Read> {};

TEST_P(ReadsAsWritten, ToTheLastBit) {
    const Read& c = GetParam();
    const Outcome<double> value = readQuantity(c.kind, c.text);
    ASSERT_TRUE(value.ok()) << c.text << ": " << value.findings().front().text.english();
    EXPECT_EQ(*value, c.value) << c.text;
}

INSTANTIATE_TEST_SUITE_P(
    Counts, ReadsAsWritten,
    testing::Values(Read{K::Tokens, "15.6T", 15.6e12}, Read{K::Tokens, "15600000000000", 15.6e12},
                    Read{K::Tokens, "16M tokens", 16e6}, Read{K::Tokens, "16 M tokens", 16e6},
                    Read{K::Tokens, "16Mtokens", 16e6}, Read{K::Tokens, "4k", 4000},
                    Read{K::Tokens, "4K", 4000}, Read{K::Tokens, "4Ki", 4096},
                    Read{K::Tokens, "1 token", 1}, Read{K::Tokens, "2.5 trillion tokens", 2.5e12},
                    Read{K::Tokens, "1e3", 1000}, Read{K::Tokens, "1.5e1B", 15e9},
                    Read{K::Tokens, "  8192 ", 8192}, Read{K::Sequences, "2048 sequences", 2048},
                    Read{K::Sequences, "1 sequence", 1}, Read{K::Count, "16384", 16384},
                    Read{K::Count, "0", 0}, Read{K::Number, "0.5", 0.5}, Read{K::Number, ".5", 0.5},
                    Read{K::Number, "5.", 5}));

INSTANTIATE_TEST_SUITE_P(
    WithUnits, ReadsAsWritten,
    testing::Values(
        Read{K::Mass, "2500 t", 2.5e6}, Read{K::Mass, "2.5 kt CO2e", 2.5e6},
        Read{K::Mass, "300 kg", 300}, Read{K::Power, "30 MW", 30e6}, Read{K::Power, "30MW", 30e6},
        Read{K::Power, "0.7 kW", 700}, Read{K::DataRate, "200 GB/s", 200e9},
        Read{K::DataRate, "3200 Gb/s", 400e9}, Read{K::DataRate, "3200 Gbps", 400e9},
        Read{K::DataRate, "1 GiB/s", 1073741824.0},
        Read{K::DataSize, "1.5 TiB", 1.5 * 1099511627776.0}, Read{K::DataSize, "80 GB", 80e9},
        Read{K::DataSize, "80 GiB", 80 * 1073741824.0}, Read{K::DataSize, "512 bytes", 512},
        Read{K::Duration, "10 min", 600}, Read{K::Duration, "2 h", 7200},
        Read{K::Duration, "3 d", 259200}, Read{K::Duration, "3 days", 259200},
        Read{K::Duration, "250 us", 250e-6}, Read{K::Duration, "2 weeks", 1209600},
        Read{K::Share, "20%", 0.2}, Read{K::Share, "5 %", 0.05},
        Read{K::Share, "0.1 percent", 0.001}, Read{K::Money, "120M USD", 120e6},
        Read{K::Money, "USD 120M", 120e6}, Read{K::Money, "$120M", 120e6},
        Read{K::Money, "120 million USD", 120e6}, Read{K::Money, "99.95 USD", 99.95},
        Read{K::HourlyPrice, "35.76 USD/h", 35.76 / 3600},
        Read{K::HourlyPrice, "$24/day", 24.0 / 86400}, Read{K::Energy, "12 MWh", 12e6 * 3600},
        Read{K::Compute, "1 TFLOP", 1e12}, Read{K::ComputeRate, "667 TFLOP/s", 667e12},
        Read{K::ComputeRate, "667 TFLOPS", 667e12}));

struct Refused {
    K kind;
    const char* text;
    const char* sentence;
};

class Refuses : public testing::TestWithParam<Refused> {};

TEST_P(Refuses, AndSaysWhatWasExpected) {
    const Refused& c = GetParam();
    const Outcome<double> value = readQuantity(c.kind, c.text);
    ASSERT_FALSE(value.ok()) << c.text << " was read as " << *value;
    ASSERT_EQ(value.findings().size(), 1U);
    EXPECT_EQ(value.findings().front().text.english(), c.sentence);
}

INSTANTIATE_TEST_SUITE_P(
    Units, Refuses,
    testing::Values(
        Refused{
            K::Tokens, "15 TB",
            "`15 TB` is a size in bytes, where a count of tokens is expected. Write it as in 15T."},
        Refused{
            K::DataRate, "200 GB",
            "`200 GB` is a size in bytes, where a data rate is expected. Write it as in 200 GB/s."},
        Refused{K::DataSize, "24 Gb",
                "`24 Gb` is in bits, where bytes are expected. Write 3 GB if bits are meant, 24 GB "
                "if bytes."},
        Refused{K::Power, "30",
                "`30` has no unit, where a power is expected. Write it as in 30 MW."},
        Refused{K::Power, "30M",
                "`30M` has no unit, where a power is expected. Write it as in 30 MW."},
        Refused{K::Power, "30 mw",
                "`mw` in `30 mw` is not a unit here, where a power is expected. Nearest: MW. The "
                "units are W, kW, MW, GW."},
        Refused{K::Power, "3 foo",
                "`foo` in `3 foo` is not a unit here, where a power is expected. The units are W, "
                "kW, MW, GW."},
        Refused{K::Power, "3 MWh",
                "`3 MWh` is an energy, where a power is expected. Write it as in 3 MW."},
        Refused{K::Share, "0.05",
                "`0.05` has no unit, where a share in percent is expected. Write 5%."},
        Refused{K::Share, "20",
                "`20` has no unit, where a share in percent is expected. Write 20%."},
        Refused{K::Tokens, "3Q",
                "`Q` in `3Q` is not a unit here, where a count of tokens is expected. The units "
                "are k, M, B, T."}));

INSTANTIATE_TEST_SUITE_P(
    Values, Refuses,
    testing::Values(
        Refused{K::Tokens, "",
                "Nothing is written here, where a count of tokens is expected, such as 15.6T."},
        Refused{K::Tokens, "-5T", "`-5T` is negative; a count of tokens is zero or more."},
        Refused{K::Tokens, "1.5",
                "`1.5` is not a whole number, where a count of tokens is expected."},
        Refused{K::Tokens, "0.0001k",
                "`0.0001k` is not a whole number, where a count of tokens is expected."},
        Refused{K::Tokens, "1e30", "`1e30` is too large for a count of tokens."},
        Refused{K::Number, "1e400", "`1e400` is too large for a plain number."},
        Refused{K::Number, "1e99999999999999999999",
                "`1e99999999999999999999` is too large for a plain number."},
        Refused{K::Number, "nan",
                "`nan` is not a finite number, where a plain number is expected, such as 14."},
        Refused{K::Number, ".inf",
                "`.inf` is not a finite number, where a plain number is expected, such as 14."},
        Refused{
            K::Number, "-Infinity",
            "`-Infinity` is not a finite number, where a plain number is expected, such as 14."},
        Refused{K::Count, "4,100", "`4,100` has a comma. Write 4100; decimals follow a point."},
        Refused{K::Count, "1.2.3",
                "`1.2.3` does not begin with a number, where a whole number is expected, such as "
                "16384."},
        Refused{
            K::Duration, "soon",
            "`soon` does not begin with a number, where a duration is expected, such as 10 min."}));

TEST(ReadQuantity, ABareNumberCountsOnlyWhereTheFieldNamesTheUnit) {
    EXPECT_FALSE(readQuantity(K::HourlyPrice, "143.0432").ok());
    EXPECT_EQ(*readQuantity(K::HourlyPrice, "143.0432", BareNumber::Allowed),
              usDollarsPerHour(143.0432).value());
    EXPECT_EQ(*readQuantity(K::Money, "12M", BareNumber::Allowed), 12e6);
    EXPECT_EQ(*readQuantity(K::Share, "0.05", BareNumber::Allowed), 0.05);
    EXPECT_EQ(*readQuantity(K::DataSize, "1e9", BareNumber::Allowed), 1e9);
    EXPECT_FALSE(readQuantity(K::Power, "3M", BareNumber::Allowed).ok());
}

TEST(ReadQuantity, TinyNumbersAreZeroAndNotTooLarge) {
    EXPECT_EQ(*readQuantity(K::Duration, "1e-400 s"), 0.0);
    EXPECT_EQ(*readQuantity(K::Number, "1e-99999999999999999999"), 0.0);
    EXPECT_EQ(*readQuantity(K::Number, "0e999999"), 0.0);
}

TEST(ReadQuantity, IgnoresTheLocale) {
    const std::string before = std::setlocale(LC_ALL, nullptr);
    for (const char* name : {"de_DE.UTF-8", "es_ES.UTF-8", "C.UTF-8"}) {
        if (std::setlocale(LC_ALL, name) == nullptr) continue;
        EXPECT_EQ(*readQuantity(K::Power, "1.5 MW"), 1.5e6) << name;
        EXPECT_EQ(formatQuantity(K::Power, 1.5e6), "1.5 MW") << name;
        EXPECT_EQ(groupedNumber(1953.125, 1), "1,953.1") << name;
    }
    std::setlocale(LC_ALL, before.c_str());
}

struct Formatted {
    K kind;
    double value;
    const char* text;
};

TEST(FormatQuantity, TakesTheShortestExactText) {
    for (const Formatted& c :
         {Formatted{K::Tokens, 15.6e12, "15.6T"}, Formatted{K::Tokens, 8192, "8192"},
          Formatted{K::Sequences, 2048, "2048"}, Formatted{K::Tokens, 0, "0"},
          Formatted{K::Power, 30e6, "30 MW"}, Formatted{K::DataRate, 200e9, "200 GB/s"},
          Formatted{K::DataSize, 1.5 * 1099511627776.0, "1.5 TiB"},
          Formatted{K::DataSize, 80e9, "80 GB"}, Formatted{K::Duration, 600, "10 min"},
          Formatted{K::Duration, 90, "1.5 min"}, Formatted{K::Duration, 86400, "1 d"},
          Formatted{K::Share, 0.2, "20%"}, Formatted{K::Share, 0.05, "5%"},
          Formatted{K::Money, 120e6, "120M USD"},
          Formatted{K::HourlyPrice, 35.7608 / 3600, "35.7608 USD/h"}}) {
        EXPECT_EQ(formatQuantity(c.kind, c.value), c.text);
    }
}

TEST(FormatQuantity, ReadsBackToTheSameValue) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    for (int k = 0; k < kQuantityKindCount; ++k) {
        const auto kind = static_cast<K>(k);
        const bool whole = kind == K::Count || kind == K::Tokens || kind == K::Sequences;
        for (int i = 0; i < 1500; ++i) {
            double value = 0;
            switch (i % 4) {
                case 0: {  // any bits
                    const std::uint64_t bits = random();
                    std::memcpy(&value, &bits, sizeof value);
                    value = std::abs(value);
                    break;
                }
                case 1:  // few decimal digits, as people write them
                    value = static_cast<double>(random() % 100000) *
                            std::pow(10.0, static_cast<int>(random() % 22) - 5);
                    break;
                case 2:  // binary sizes
                    value = static_cast<double>(random() % 4096) *
                            std::exp2(static_cast<double>(random() % 50));
                    break;
                default:  // results of a division
                    value = static_cast<double>(random() % 1000000) / 3600.0;
            }
            if (!std::isfinite(value)) continue;
            if (whole) value = std::min(std::floor(value), 9007199254740992.0);
            const std::string text = formatQuantity(kind, value);
            const Outcome<double> back = readQuantity(kind, text);
            ASSERT_TRUE(back.ok()) << text << ": " << back.findings().front().text.english();
            ASSERT_EQ(*back, value) << text << " of kind " << k;
        }
    }
}

TEST(ReadQuantity, AnyTextIsAValueOrOneFinding) {
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string alphabet = "0123456789.,eE+-%$ kMGTBibps/hwdUSDtokenuence\t\xc3\xa9\x01";
    for (int i = 0; i < 40000; ++i) {
        std::string text(random() % 14, ' ');
        for (char& c : text) c = alphabet[random() % alphabet.size()];
        const auto kind = static_cast<K>(random() % kQuantityKindCount);
        const Outcome<double> value =
            readQuantity(kind, text, random() % 2 == 0 ? BareNumber::Allowed : BareNumber::Refused);
        if (value.ok()) {
            ASSERT_TRUE(std::isfinite(*value) && *value >= 0) << text;
        } else {
            ASSERT_EQ(value.findings().size(), 1U) << text;
            ASSERT_FALSE(value.findings().front().text.english().empty()) << text;
            ASSERT_EQ(value.findings().front().text.english().find("{1}"), std::string::npos)
                << text;
        }
    }
}

TEST(ReadQuantity, EverySuffixOfferedIsAccepted) {
    for (int k = 0; k < kQuantityKindCount; ++k) {
        const auto kind = static_cast<K>(k);
        for (const std::string& suffix : acceptedSuffixes(kind)) {
            EXPECT_TRUE(readQuantity(kind, "3 " + suffix).ok()) << suffix;
        }
        EXPECT_TRUE(readQuantity(kind, example(kind)).ok()) << example(kind);
    }
}

TEST(DisplayQuantity, RoundsForPeople) {
    EXPECT_EQ(displayQuantity(K::Tokens, 2048 * 8192.0), "16.8M tokens");
    EXPECT_EQ(displayQuantity(K::Tokens, 999960), "1M tokens");
    EXPECT_EQ(displayQuantity(K::Sequences, 12), "12 sequences");
    EXPECT_EQ(displayQuantity(K::Power, 29.96e6, 3), "30 MW");
    EXPECT_EQ(displayQuantity(K::Money, 0), "0 USD");
    EXPECT_EQ(displayQuantity(K::Duration, 5400), "1.5 h");
    EXPECT_EQ(displayQuantity(K::Energy, 36e9), "10 MWh");
}

TEST(GroupedNumber, GroupsThousands) {
    EXPECT_EQ(groupedNumber(0), "0");
    EXPECT_EQ(groupedNumber(999), "999");
    EXPECT_EQ(groupedNumber(1000), "1,000");
    EXPECT_EQ(groupedNumber(1234567.891, 2), "1,234,567.89");
    EXPECT_EQ(groupedNumber(1953.125, 1), "1,953.1");
    EXPECT_EQ(groupedNumber(256.0, 2), "256");
    EXPECT_EQ(groupedNumber(-1234), "-1,234");
    EXPECT_EQ(groupedNumber(-123), "-123");
}

TEST(ReadDay, TakesDaysThatExist) {
    EXPECT_EQ(*readDay("2027-03-01"), (Day{2027, 3, 1}));
    EXPECT_EQ(*readDay("2028-02-29"), (Day{2028, 2, 29}));
    EXPECT_EQ(*readDay("2000-02-29"), (Day{2000, 2, 29}));
    EXPECT_EQ(formatDay({2027, 3, 1}), "2027-03-01");
    EXPECT_EQ(formatDay({999, 12, 31}), "0999-12-31");
    const auto sentence = [](const char* text) {
        return readDay(text).findings().front().text.english();
    };
    EXPECT_EQ(sentence("2027-02-29"),
              "`2027-02-29` is not a day of the calendar; that month has 28 days.");
    EXPECT_EQ(sentence("2100-02-29"),
              "`2100-02-29` is not a day of the calendar; that month has 28 days.");
    EXPECT_EQ(sentence("2027-13-01"),
              "`2027-13-01` has the month 13; months run from 01 to 12, and the order is "
              "year-month-day.");
    EXPECT_EQ(sentence("01.03.2027"),
              "`01.03.2027` is not a date. Write year-month-day, such as 2027-03-01.");
    EXPECT_EQ(sentence("1950-01-01"),
              "`1950-01-01` lies before 1970-01-01, the first day that is understood.");
    EXPECT_FALSE(readDay("2027-3-1").ok());
    EXPECT_FALSE(readDay("").ok());
}

TEST(NearestWords, FindsWhatWasMeant) {
    EXPECT_THAT(nearestWords("recomputation", {"tokens", "recompute", "precision"}),
                ElementsAre("recompute"));
    EXPECT_THAT(nearestWords("tokns", {"tokens", "title"}), ElementsAre("tokens"));
    EXPECT_THAT(nearestWords("tensro", {"tensor", "data"}), ElementsAre("tensor"));
    EXPECT_THAT(nearestWords("BF16", {"fp16", "bf16"}, 1), ElementsAre("bf16"));
    EXPECT_THAT(nearestWords("xyzzy", {"tokens", "title"}), IsEmpty());
    EXPECT_THAT(nearestWords("", {"a", "b"}), IsEmpty());
    EXPECT_THAT(nearestWords(std::string(1000000, 'a'), {"tokens"}), IsEmpty());
}

}  // namespace
}  // namespace trainwright::units
