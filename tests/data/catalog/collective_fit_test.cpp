// SPDX-License-Identifier: GPL-3.0-or-later
// The fabric figures of the catalog, through the engine's collectives, against the measured
// collectives that the catalog also holds.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "data/catalog/catalog.h"
#include "data/catalog/figure_set.h"
#include "model/layout/software_profile.h"
#include "model/network/network.h"
#include "tests/data/catalog/catalog_files.h"

namespace trainwright::catalog {
namespace {

using testing_files::shipped;

int ranksOnOneChip(const machine::SystemSpec& system) {
    const auto profile = shipped().profile(shipped().defaultProfile(system));
    return layout::ranksPerChip(*profile, system.chip);
}

TEST(CollectiveFit, EverySystemHasANetworkThatTheEngineCanRoute) {
    for (const char* kind : {"instance", "system"}) {
        for (const Entry& entry : shipped().entries(kind)) {
            const auto system = shipped().system(entry.id);
            if (!system) {
                continue;
            }
            const int perChip = ranksOnOneChip(*system);
            const long chips = 2L * system->chipsPerDomain;
            const network::Network network(*system, chips, perChip);
            const network::Group all{static_cast<int>(chips * perChip), 1};
            const double seconds =
                network.cost(network::Collective::AllReduce, all).time(units::Bytes(1e9)).value();
            EXPECT_TRUE(std::isfinite(seconds)) << entry.id;
            EXPECT_GT(seconds, 1e-3) << entry.id;
            EXPECT_LT(seconds, 2.0) << entry.id;
        }
    }
}

struct Point {
    double bytes = 0;
    double busBandwidth = 0;
};

std::vector<Point> curve(const std::string& text) {
    std::vector<Point> points;
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find(',', at), text.size());
        const std::size_t colon = text.find(':', at);
        Point p;
        const char* data = text.data();
        std::from_chars(data + at, data + colon, p.bytes);
        std::from_chars(data + colon + 1, data + end, p.busBandwidth);
        points.push_back(p);
        at = end + 2;
    }
    return points;
}

TEST(CollectiveFit, LargeAllReducesComeOutAsMeasured) {
    constexpr double kLarge = 256.0 * 1024 * 1024;
    std::vector<double> errors;
    for (const Entry& entry : shipped().entries("collective")) {
        const FigureSet f(entry.id, shipped().figures("collective", entry.id));
        const std::string systemId = f.text("system");
        if (systemId.empty() || f.text("operation") != "all_reduce" || !f.number("nodes")) {
            continue;
        }
        const auto system = shipped().system(systemId);
        ASSERT_TRUE(system) << systemId;
        const int ranks = f.integerOr("ranks", 0);
        const long chips = std::max<long>(ranks, system->chipsPerDomain);
        const network::Network network(*system, chips, 1);
        const auto& cost = network.cost(network::Collective::AllReduce, {ranks, 1});
        for (const Point& p : curve(f.text("bus_bandwidth_by_bytes"))) {
            if (p.bytes < kLarge) {
                continue;
            }
            const double seconds = cost.time(units::Bytes(p.bytes)).value();
            const double predicted = 2.0 * (ranks - 1) / ranks * p.bytes / seconds;
            const double error = std::abs(std::log(predicted / p.busBandwidth));
            errors.push_back(error);
            EXPECT_LT(error, std::log(1.6))
                << fmt::format("{}, {} bytes: measured {:.1f} GB/s, predicted {:.1f} GB/s",
                               entry.id, p.bytes, p.busBandwidth / 1e9, predicted / 1e9);
        }
    }
    ASSERT_GT(errors.size(), 15U);
    std::nth_element(errors.begin(), errors.begin() + static_cast<long>(errors.size() / 2),
                     errors.end());
    EXPECT_LT(errors[errors.size() / 2], std::log(1.05));
}

}  // namespace
}  // namespace trainwright::catalog
