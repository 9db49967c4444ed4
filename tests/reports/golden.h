// SPDX-License-Identifier: GPL-3.0-or-later
// Compares a text with a file under tests/reports/golden. With TRAINWRIGHT_BLESS=1 in the
// environment the file is written instead, and the test passes: look at the difference in git
// before committing it.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace trainwright::reports {

[[nodiscard]] ::testing::AssertionResult matchesGolden(const std::string& text,
                                                       const std::string& file);

}  // namespace trainwright::reports
