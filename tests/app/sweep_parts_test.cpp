// SPDX-License-Identifier: GPL-3.0-or-later
// The parts of a sweep by themselves: the values of an axis, and rows in order from many threads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "app/sweep/axis.h"
#include "app/sweep/ordered_rows.h"

namespace trainwright::app {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(const Axis& axis) {
    std::vector<std::string> all;
    for (long i = 0; i < axis.size(); ++i) {
        all.push_back(axis.value(i).text);
    }
    return all;
}

struct Values {
    const char* option;
    const char* key;
    const char* column;
    std::vector<std::string> texts;
};

TEST(Axis, HasTheValuesThatItsOptionSays) {
    const std::vector<Values> cases = {
        {"accelerators=1024..8192:x2",
         "candidates[].accelerators",
         "accelerators",
         {"1024", "2048", "4096", "8192"}},
        {"accelerators=1024..9000",
         "candidates[].accelerators",
         "accelerators",
         {"1024", "2048", "4096", "8192"}},
        {"candidates.accelerators=16..64:+16,128",
         "candidates[].accelerators",
         "accelerators",
         {"16", "32", "48", "64", "128"}},
        {"candidates[ultra].accelerators=64",
         "candidates[].accelerators",
         "ultra.accelerators",
         {"64"}},
        {"sequence_length=4k,8192", "training.sequence_length", "sequence_length", {"4k", "8192"}},
        {"discount=0%..30%:+10%", "candidates[].discount", "discount", {"0%", "10%", "20%", "30%"}},
        {"power=10 MW..40 MW", "constraints.power", "power_w", {"10 MW", "20 MW", "40 MW"}},
        {"global_batch=512 sequences..2048 sequences",
         "training.global_batch",
         "global_batch_sequences",
         {"512 sequences", "1024 sequences", "2048 sequences"}},
        {"global_batch=4M tokens..16M tokens:x2",
         "training.global_batch",
         "global_batch_sequences",
         {"4M tokens", "8M tokens", "16M tokens"}},
        {"tensor=auto,4..8", "candidates[].parallelism.tensor", "tensor", {"auto", "4", "8"}},
        {"sharding=zero1,fsdp", "candidates[].parallelism.sharding", "sharding", {"zero1", "fsdp"}},
        {"restart_time=5 min..15 min:+5 min",
         "operations.restart_time",
         "restart_time_s",
         {"5 min", "10 min", "15 min"}},
        {"price_usd_per_hour=30..50:+10",
         "candidates[].purchase.price_usd_per_hour",
         "price_usd_per_hour",
         {"30", "40 USD/h", "50 USD/h"}},
    };
    for (const Values& expected : cases) {
        const Outcome<Axis> axis = Axis::parse(expected.option);
        ASSERT_TRUE(axis) << expected.option << ": " << axis.findings().front().english();
        EXPECT_EQ(axis->parameter().key, expected.key) << expected.option;
        EXPECT_EQ(axis->column(), expected.column) << expected.option;
        EXPECT_EQ(texts(*axis), expected.texts) << expected.option;
    }
}

TEST(Axis, OfAMillionValuesHoldsTwo) {
    const Outcome<Axis> axis = Axis::parse("tokens=1M..1T:+1M");
    ASSERT_TRUE(axis);
    EXPECT_EQ(axis->size(), 1'000'000);
    EXPECT_EQ(axis->value(999'999).text, "1T");
    EXPECT_EQ(axis->extremes().size(), 2U);
}

TEST(Axis, SaysWhatIsWrongWithItsOption) {
    const std::vector<std::pair<std::string, std::string>> cases = {
        {"accelerators", "A key and its values are expected"},
        {"acelerators=1", "Nearest: `accelerators`"},
        {"training.tokns=1T", "Nearest: `training.tokens`"},
        {"context=1", "may be one of model.context, candidates.parallelism.context"},
        {"title=a", "`title` takes a text"},
        {"start=2027-01-01", "takes a date"},
        {"tokens=", "A value is missing"},
        {"tokens=1T,,2T", "A value is missing"},
        {"tokens=1 GB",
         "--over tokens=1 GB: `1 GB` is a size in bytes, where a count of tokens is expected"},
        {"budget=5 MW", "where an amount of US dollars is expected"},
        {"global_batch=17", "`17` has no unit: sequences or tokens?"},
        {"accelerators=8..4", "from the smaller to the larger"},
        {"accelerators=8..64:16", "behind the colon stands x and a factor or + and a step"},
        {"accelerators=8..64:x1", "a number above one"},
        {"accelerators=8..64:+0", "above zero"},
        {"discount=0%..40%", "from zero, nothing grows by a factor"},
        {"accelerators=10..100:x1.5", "comes to 22.5, where whole numbers are taken"},
        {"tensor=auto..8", "from a number to a number"},
        {"global_batch=64 sequences..16M tokens", "both ends of a range have the same unit"},
        {"sharding=zero1..fsdp", "A range needs a key that takes numbers"},
        {"training[x].tokens=1T", "nothing goes into brackets"},
        {"candidates[x.accelerators=1", "opens a bracket"},
        {"tokens=1..1e15:+1", "has more than 1,000,000,000 values"},
    };
    for (const auto& [option, words] : cases) {
        const Outcome<Axis> axis = Axis::parse(option);
        ASSERT_FALSE(axis) << option;
        EXPECT_THAT(axis.findings().front().english(), HasSubstr(words)) << option;
    }
}

class OrderedRowsTest : public testing::TestWithParam<int> {};

TEST_P(OrderedRowsTest, ComeInOrderAndNeverFarAhead) {
    constexpr long kRows = 3 * OrderedRows::kWindow;
    OrderedRows work;
    work.count = kRows;
    work.threads = GetParam();
    std::atomic<long> taken{0};
    std::atomic<long> furthest{0};
    work.make = [&](int, long row) -> std::optional<std::string> {
        const long ahead = row - taken;
        for (long seen = furthest; ahead > seen && !furthest.compare_exchange_weak(seen, ahead);) {
        }
        if (row % 1000 == 7) {
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        }
        return std::to_string(row) + "\n";
    };
    std::string all;
    work.take = [&](const std::string& rows, long count) {
        all += rows;
        taken = count;
        return true;
    };
    work.isStopped = [] { return false; };
    EXPECT_EQ(work.run(), kRows);
    std::string expected;
    for (long row = 0; row < kRows; ++row) {
        expected += std::to_string(row) + "\n";
    }
    EXPECT_TRUE(all == expected);
    EXPECT_LE(furthest, 2 * OrderedRows::kWindow);
}

TEST_P(OrderedRowsTest, KeepTheRowsBeforeTheOneThatWasStopped) {
    OrderedRows work;
    work.count = 1'000'000;
    work.threads = GetParam();
    std::atomic<bool> stop{false};
    work.make = [&](int, long row) -> std::optional<std::string> {
        if (row == 500) {
            stop = true;
        }
        return stop && row >= 500 ? std::nullopt : std::optional(std::to_string(row) + "\n");
    };
    std::string all;
    work.take = [&](const std::string& rows, long) {
        all += rows;
        return true;
    };
    work.isStopped = [&] { return stop.load(); };
    const long taken = work.run();
    EXPECT_EQ(taken, 500);
    EXPECT_TRUE(all.ends_with("\n499\n"));
}

TEST_P(OrderedRowsTest, EndWhenNobodyTakesThem) {
    OrderedRows work;
    work.count = 1'000'000'000;
    work.threads = GetParam();
    work.make = [](int, long) { return std::optional<std::string>("row\n"); };
    work.take = [](const std::string&, long) { return false; };
    work.isStopped = [] { return false; };
    EXPECT_LT(work.run(), work.count);
}

TEST_P(OrderedRowsTest, PassOnWhatBreaks) {
    OrderedRows work;
    work.count = 1000;
    work.threads = GetParam();
    work.make = [](int, long row) -> std::optional<std::string> {
        if (row == 20) {
            throw std::runtime_error("broken");
        }
        return "row\n";
    };
    work.take = [](const std::string&, long) { return true; };
    work.isStopped = [] { return false; };
    EXPECT_THROW(static_cast<void>(work.run()), std::runtime_error);
}

INSTANTIATE_TEST_SUITE_P(Threads, OrderedRowsTest, testing::Values(1, 2, 7));

}  // namespace
}  // namespace trainwright::app
