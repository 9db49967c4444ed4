// SPDX-License-Identifier: GPL-3.0-or-later
// The desktop where there is nothing to show it on.
#include <gmock/gmock.h>

#include "tests/app/program.h"

namespace trainwright::tests {
namespace {

using ::testing::HasSubstr;

TEST(Desktop, SaysThatThereIsNoDisplay) {
    const Execution done =
        run({"desktop"},
            {.environment = {{"DISPLAY", ""}, {"WAYLAND_DISPLAY", ""}, {"QT_QPA_PLATFORM", ""}}});
    EXPECT_EQ(done.exitCode, 2);
    EXPECT_THAT(done.errors, HasSubstr("There is no display to show the desktop on"));
    EXPECT_THAT(done.errors, HasSubstr("`trainwright plan` needs none"));
    EXPECT_EQ(done.output, "");
}

}  // namespace
}  // namespace trainwright::tests
