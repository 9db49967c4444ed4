// SPDX-License-Identifier: GPL-3.0-or-later
// Published measurements of collectives against the model: each row has its own tolerance and
// prints its error.
//
// Bus bandwidth is nccl-tests' convention: all-reduce 2(n-1)/n, all-gather, reduce-scatter and
// all-to-all (n-1)/n times the message over the time. Sizes are binary. Errors are of the predicted
// bandwidth.
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "model/network/network.h"
#include "tests/model/network/systems.h"

namespace trainwright::network {
namespace {

using units::kGibi;
using units::kMebi;

struct Row {
    std::string what;
    machine::SystemSpec system;
    int ranks;
    Collective collective;
    double bytes;
    double busGigabytes;  ///< measured, GB/s
    double tolerance;     ///< of the bus bandwidth, either way
    int ranksPerChip = 1;
    Algorithm only = Algorithm::None;  ///< the algorithm that the source forced; None: the fastest
};

double busFactor(Collective c, double n) {
    return (c == Collective::AllReduce ? 2 : 1) * (n - 1) / n;
}

std::vector<Row> rows() {
    using namespace systems;
    constexpr auto AR = Collective::AllReduce;
    const auto h200 = nvidia("H200 x8", 450, 0.82, 25e6, 26, 0.69);
    const auto gb200Tray = nvidia("GB200 x4", 900, 0.76, 25e6, 13, 0.48, 72, 4);
    const auto inGi = [](double x) { return x * kGibi / 1e9; };  // sources that print GiB/s
    std::vector<Row> r;
    r.push_back({"A100 x8", p4d(0.55), 8, AR, 16 * kGibi, 235, 0.05});
    for (const auto& [n, bus] :
         std::vector<std::pair<int, double>>{{16, 57.2}, {24, 31.8}, {32, 29.6}}) {
        r.push_back({"p4d, NCCL of 2021", p4d(0.55), n, AR, kGibi, bus, 0.20});
    }
    for (const auto& [size, bus, tolerance] : std::vector<std::tuple<double, double, double>>{
             {2048, 78.3, 0.10}, {256, 69.9, 0.15}, {64, 47.6, 0.25}, {1, 6.35, 0.40}}) {
        r.push_back({"p4de x2", p4d(0.85), 16, AR, size * kMebi, bus, tolerance});
    }
    for (const auto& [size, bus, tolerance] :
         std::vector<std::tuple<double, double, double>>{{16384, 368, 0.02}}) {
        r.push_back(
            {"H200 x8 ring", h200, 8, AR, size * kMebi, bus, tolerance, 1, Algorithm::Ring});
    }
    for (const auto& [size, bus, tolerance] :
         std::vector<std::tuple<double, double, double>>{{1.0 / 16, 3.97, 0.2},
                                                         {1, 57.15, 0.2},
                                                         {4, 137.8, 0.2},
                                                         {16, 240.4, 0.2},
                                                         {64, 367.6, 0.2},
                                                         {256, 434.7, 0.1},
                                                         {1024, 468.1, 0.05},
                                                         {8192, 480.9, 0.05}}) {
        r.push_back({"H200 x8", h200, 8, AR, size * kMebi, bus, tolerance});
    }
    r.push_back({"H200 x8", h200, 8, Collective::AllGather, 16 * kGibi, 362, 0.05});
    r.push_back({"H200 x8", h200, 8, Collective::ReduceScatter, 16 * kGibi, 362, 0.05});
    for (const auto& [size, bus, tolerance] :
         std::vector<std::tuple<double, double, double>>{{1.0 / 16, 5.71, 0.35},
                                                         {1, 80.5, 0.35},
                                                         {4, 146.3, 0.35},
                                                         {16, 331.1, 0.25},
                                                         {64, 550.7, 0.2},
                                                         {256, 593.5, 0.2},
                                                         {1024, 646.9, 0.1},
                                                         {8192, 679.6, 0.05}}) {
        r.push_back(
            {"GB200 x4 ring", gb200Tray, 4, AR, size * kMebi, bus, tolerance, 1, Algorithm::Ring});
    }
    r.push_back({"GB200 NVL72 ring", gb200(), 72, AR, 16 * kGibi, 680, 0.05, 1, Algorithm::Ring});
    r.push_back({"GB200 NVL72 SHARP", gb200(), 72, AR, 16 * kGibi, 850, 0.05});
    for (const auto& [size, bus, tolerance] :
         std::vector<std::tuple<double, double, double>>{{16384, 487, 0.1},
                                                         {2048, 444, 0.15},
                                                         {1024, 437, 0.15},
                                                         {64, 209, 0.25},
                                                         {1, 16, 0.35}}) {
        r.push_back({"p5 x2", p5(), 16, AR, size * kMebi, bus, tolerance});
    }
    r.push_back({"p5en x16", p5en(), 128, AR, 16 * kGibi, 370, 0.05});
    r.push_back({"p6-b200 x1", p6b200(), 8, AR, 16 * kGibi, 845.7, 0.05});
    for (const auto& [size, bus, tolerance] :
         std::vector<std::tuple<double, double, double>>{{16384, 381.8, 0.15},
                                                         {1024, 362, 0.15},
                                                         {512, 327, 0.15},
                                                         {256, 229, 0.2},
                                                         {64, 156.7, 0.35},
                                                         {16, 64.4, 0.9}}) {
        r.push_back({"p6-b200 x4", p6b200(), 32, AR, size * kMebi, bus, tolerance});
    }
    for (const auto& [size, bus, tolerance] : std::vector<std::tuple<double, double, double>>{
             {65536, 751, 0.1}, {16384, 654, 0.2}, {8, 90, 0.35}}) {
        r.push_back({"p6-b300 x2", p6b300(), 16, AR, size * kMebi, bus, tolerance});
    }
    for (const auto& [n, bus, tolerance] : std::vector<std::tuple<int, double, double>>{
             {16, 180, 0.2}, {32, 117, 0.2}, {64, 103, 0.2}, {128, 84, 0.2}, {256, 74, 0.3}}) {
        r.push_back(
            {"p6-b300 all-to-all", p6b300(), n, Collective::AllToAll, 16 * kGibi, bus, tolerance});
    }
    r.push_back({"MI300X x8", mi300x(), 8, AR, 4 * kGibi, 313, 0.05});
    r.push_back({"MI300X x2", mi300x(), 2, AR, 4 * kGibi, 47.7, 0.2});
    r.push_back({"trn1, 16 ranks", trn1(), 16, AR, 512 * kMebi, inGi(104), 0.3, 2});
    r.push_back({"trn1, 64 ranks on 2 hosts", trn1(), 64, AR, kGibi, inGi(47.1), 0.3, 2});
    return r;
}

TEST(Measurements, PublishedBusBandwidthsAreMet) {
    double sum = 0;
    int count = 0;
    for (const Row& row : rows()) {
        const Network network(row.system, row.ranks / row.ranksPerChip, row.ranksPerChip);
        const CollectiveCost& cost = network.cost(row.collective, Group{row.ranks, 1});
        const units::Bytes message(row.bytes);
        const AlgorithmCost* used =
            row.only == Algorithm::None ? &cost.fastest(message) : cost.find(row.only);
        ASSERT_NE(used, nullptr) << row.what;
        const double seconds = used->time(message).value();
        const double bus = busFactor(row.collective, row.ranks) * row.bytes / seconds / 1e9;
        const double error = bus / row.busGigabytes - 1;
        std::printf(
            "%-26s %-14s %4d ranks %10.3f MiB  measured %7.2f  model %7.2f GB/s  %+6.1f%% (%.0f%%) "
            " %s, %s\n",
            row.what.c_str(), name(row.collective), row.ranks, row.bytes / kMebi, row.busGigabytes,
            bus, 100 * error, 100 * row.tolerance, name(used->algorithm),
            used->busiestLink.c_str());
        EXPECT_LE(std::abs(error), row.tolerance)
            << row.what << " at " << row.bytes / kMebi << " MiB";
        sum += std::abs(error);
        ++count;
    }
    std::printf("mean absolute error %.1f%% over %d rows\n", 100 * sum / count, count);
    EXPECT_LT(sum / count, 0.12);
}

}  // namespace
}  // namespace trainwright::network
