// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/catalog/spec_reader.h"

#include <gmock/gmock.h>

namespace trainwright::catalog {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(SpecReader, DimensionsAreExtentsJoinedByAnX) {
    EXPECT_THAT(*dimensionsFromText("4x4x4"), ElementsAre(4, 4, 4));
    EXPECT_THAT(*dimensionsFromText("8"), ElementsAre(8));
    for (const char* bad : {"", "4x", "x4", "4x0", "4x-4", "4,4", "4.5", "four"}) {
        EXPECT_FALSE(dimensionsFromText(bad)) << bad;
    }
}

TEST(SpecReader, TilesHaveExtentsAndARate) {
    const auto tiles = tilesFromText("128x512:1.00, 128x128:0.53");
    ASSERT_TRUE(tiles);
    ASSERT_EQ(tiles->size(), 2U);
    EXPECT_EQ((*tiles)[1].m, 128);
    EXPECT_EQ((*tiles)[1].n, 128);
    EXPECT_EQ((*tiles)[1].relativeRate, 0.53);
    for (const char* bad : {"", "128x512", "128:1", "128x512:0", "128x512:fast", "1x2x3:1"}) {
        EXPECT_FALSE(tilesFromText(bad)) << bad;
    }
}

TEST(SpecReader, TiersGrowUpwards) {
    const auto tiers = tiersFromText("rack:2:1.0:1e-6,pod:384:1.0:2e-6,cluster:3072:7.0:2e-6");
    ASSERT_TRUE(tiers);
    ASSERT_EQ(tiers->size(), 3U);
    EXPECT_EQ((*tiers)[2].name, "cluster");
    EXPECT_EQ((*tiers)[2].maxHosts, 3072);
    EXPECT_EQ((*tiers)[2].oversubscription, 7.0);
    EXPECT_EQ((*tiers)[2].hopLatency.value(), 2e-6);
    for (const char* bad : {"", "rack:2:1.0", ":2:1.0:1e-6", "rack:0:1.0:1e-6", "rack:2:0.5:1e-6",
                            "pod:384:1.0:2e-6,rack:2:1.0:1e-6"}) {
        EXPECT_FALSE(tiersFromText(bad)) << bad;
    }
}

Figure figure(const std::string& key, const std::string& value, std::optional<double> number = {},
              Status status = Status::Adopted) {
    Figure f;
    f.kind = "chip";
    f.id = "c";
    f.key = key;
    f.value = value;
    f.number = number;
    f.status = status;
    return f;
}

TEST(SpecReader, AChipWithoutEngineFiguresSaysWhichAreMissing) {
    const auto chip = chipFromFigures(
        {"chip", "c", "C"},
        FigureSet("c", {figure("family", "gpu"), figure("hbm_bytes", "8e9", 8e9),
                        figure("memory_ceiling", "0.9", 0.9, Status::Conflicting)}));
    ASSERT_FALSE(chip);
    const std::string text = chip.findings().front().english();
    EXPECT_THAT(text, HasSubstr("gemm_tiles"));
    EXPECT_THAT(text, HasSubstr("memory_ceiling"));
    EXPECT_THAT(text, ::testing::Not(HasSubstr("hbm_bytes")));
}

TEST(SpecReader, TextThatCanNotBeReadIsShownWithAnExample) {
    FigureSet figures("c", {figure("fabric_dims", "4 by 4")});
    const auto system = systemFromFigures({"instance", "c", "C"}, figures, {});
    ASSERT_FALSE(system);
    EXPECT_THAT(system.findings().front().english(), HasSubstr("4 by 4"));
    EXPECT_THAT(system.findings().front().english(), HasSubstr("4x4x4"));
}

TEST(FigureSet, TheSetAboveWinsAndRowsNotInUseDoNotCount) {
    FigureSet figures("c", {figure("a", "1", 1.0), figure("b", "2", 2.0, Status::Rejected)});
    figures.addFallback({figure("a", "10", 10.0), figure("b", "20", 20.0), figure("n", "")});
    EXPECT_EQ(figures.number("a"), 1.0);
    EXPECT_EQ(figures.number("b"), 20.0);
    EXPECT_EQ(figures.find("n"), nullptr);
    EXPECT_TRUE(figures.findings().empty());
    EXPECT_EQ(figures.required("n"), 0.0);
    EXPECT_EQ(figures.findings().size(), 1U);
}

}  // namespace
}  // namespace trainwright::catalog
