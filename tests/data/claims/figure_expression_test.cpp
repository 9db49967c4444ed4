// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/claims/figure_expression.h"

#include <gmock/gmock.h>

#include "tests/data/catalog/catalog_files.h"

namespace trainwright::claims {
namespace {

using catalog::testing_files::shipped;
using testing::IsEmpty;
using testing::SizeIs;

double number(const std::string& reference) {
    const auto figure = figureNamed(shipped(), reference);
    return figure && figure->number ? *figure->number : -1;
}

TEST(FigureNamed, IsTheRowInUse) {
    const auto figure = figureNamed(shipped(), "chip/trainium2/hbm_bytes");
    ASSERT_TRUE(figure);
    EXPECT_EQ(figure->status, catalog::Status::Adopted);
    for (const char* none : {"chip/trainium2/hbm", "chip/trainium9/hbm_bytes", "trainium2",
                             "chip/trainium2", "", "/", "//"})
        EXPECT_FALSE(figureNamed(shipped(), none)) << none;
}

TEST(Evaluate, MultipliesAndDividesFromLeftToRight) {
    const double chips = number("instance/u-trn2x64/chips_per_unit");
    const double hbm = number("chip/trainium2/hbm_bytes");
    EXPECT_EQ(evaluate("12 / 3 * 2", shipped()).value, 8);
    EXPECT_EQ(
        evaluate("instance/u-trn2x64/chips_per_unit * chip/trainium2/hbm_bytes", shipped()).value,
        chips * hbm);
    EXPECT_EQ(evaluate("1e12 * 2 / chip/trainium2/hbm_bytes", shipped()).value, 2e12 / hbm);
}

TEST(Evaluate, CitesWhatItUsesAndTheRivalsOfALoneFigure) {
    const Evaluated two = evaluate("16 * chip/trainium2/hbm_bytes", shipped());
    EXPECT_THAT(two.figures, SizeIs(1));
    EXPECT_EQ(two.arithmetic.pattern, "{1} × {2}");
    ASSERT_THAT(two.arithmetic.arguments, SizeIs(2));
    EXPECT_EQ(two.arithmetic.arguments[1].unit, "bytes");

    const Evaluated lone = evaluate("chip/trainium2/hbm_bytes", shipped());
    EXPECT_TRUE(lone.arithmetic.empty());
    ASSERT_GE(lone.figures.size(), 2U);
    EXPECT_EQ(lone.figures.front().status, "adopted");
    EXPECT_NE(lone.figures.back().status, "adopted");
}

TEST(Evaluate, SaysWhatIsMissing) {
    struct Row {
        const char* expression;
        const char* pattern;
    };
    for (const Row& row :
         {Row{"", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"16 *", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"* 16", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"16 16", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"16 + 1", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"much", "`{1}` in `{2}` is neither a number nor a figure of the catalog."},
          Row{"chip/trainium2/colour", "The catalog has no figure `{1}`."},
          Row{"2 * chip/none/hbm_bytes", "The catalog has no figure `{1}`."},
          Row{"chip/trainium2/vendor", "`{1}` isn't known: {2}."}}) {
        const Evaluated e = evaluate(row.expression, shipped());
        EXPECT_FALSE(e.value) << row.expression;
        EXPECT_EQ(e.missing.pattern, row.pattern) << row.expression;
    }
    const Evaluated unpublished =
        evaluate("system/project_rainier/predecessor_flop_per_s", shipped());
    EXPECT_FALSE(unpublished.value);
    EXPECT_EQ(unpublished.missing.pattern, "`{1}` isn't known: {2}.");
    EXPECT_THAT(unpublished.missing.arguments.at(1).words, testing::Not(IsEmpty()));
}

}  // namespace
}  // namespace trainwright::claims
