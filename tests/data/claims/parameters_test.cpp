// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/parameters.h"

#include <gmock/gmock.h>

namespace trainwright::claims {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(SplitOutsideBraces, KeepsWhatIsInBracesTogether) {
    EXPECT_THAT(splitOutsideBraces("a, b ,c", ','), ElementsAre("a", "b", "c"));
    EXPECT_THAT(splitOutsideBraces("{x: 1, y: [2, 3]}, b", ','),
                ElementsAre("{x: 1, y: [2, 3]}", "b"));
    EXPECT_THAT(splitOutsideBraces(" , ,", ','), IsEmpty());
    EXPECT_THAT(splitOutsideBraces("", ','), IsEmpty());
    EXPECT_THAT(splitOutsideBraces("{a, b", ','), ElementsAre("{a, b"));
}

TEST(Parameters, AreKeysWithValues) {
    const Parameters p("models = a, {name: b, layers: 4}; accelerators=512;tokens=15T ; flag");
    EXPECT_THAT(p.list("models"), ElementsAre("a", "{name: b, layers: 4}"));
    EXPECT_EQ(p.number("accelerators"), 512);
    EXPECT_EQ(p.text("tokens"), "15T");
    EXPECT_EQ(p.number("tokens"), std::nullopt);
    EXPECT_EQ(p.textOr("region", "here"), "here");
    EXPECT_FALSE(p.has("flag"));
    EXPECT_THAT(p.list("none"), IsEmpty());
}

TEST(Parameters, AValueMayHoldAnEqualsSign) {
    EXPECT_EQ(Parameters("suppose=chip/a/b: x=1").text("suppose"), "chip/a/b: x=1");
}

TEST(NumberIn, TakesAllOfTheText) {
    EXPECT_EQ(numberIn("200e12"), 200e12);
    EXPECT_EQ(numberIn("-0.5"), -0.5);
    for (const char* text : {"", "1 TB", "1e999", "nan", "0x10", "12,000"})
        EXPECT_EQ(numberIn(text), std::nullopt) << text;
}

}  // namespace
}  // namespace trainwright::claims
